# What Di Mauro, Vergari & Esposito (2015) have in their tables.

# Table 2: mean log-likelihood of the test rows. MCNet's are from Rahman, Kothalkar & Gogate (2014).
paper_likelihoods <- utils::read.table(header = TRUE, check.names = FALSE, text = "
  data        cnet   cnetp    dcsn  cnet-b cnetp-b  dcsn-b      mt   mcnet
  nltcs      -6.11   -6.06   -6.04   -6.09   -6.02   -6.02   -6.01   -6.00
  msnbc      -6.06   -6.05   -6.05   -6.06   -6.04   -6.04   -6.08   -6.04
  plants    -13.24  -13.25  -13.35  -12.30  -12.38  -12.21  -12.93  -12.78
  baudio    -44.58  -42.05  -42.06  -42.09  -40.71  -40.17  -40.14  -39.73
  jester    -61.71  -55.56  -55.30  -57.76  -53.17  -52.99  -53.06  -52.57
  bnetflix  -65.61  -58.71  -58.57  -63.08  -57.63  -56.63  -56.71  -56.32
  accidents -30.97  -30.69  -30.17  -30.25  -30.28  -28.99  -29.69  -29.96
  tretail   -11.07  -10.94  -11.00  -10.99  -10.88  -10.87  -10.84  -10.82
  pumsb_star -24.65 -24.42  -23.83  -24.39  -24.19  -23.32  -23.70  -24.18
  dna       -90.48  -87.59  -87.19  -90.66  -86.85  -84.93  -85.57  -85.82
  kosarek   -11.19  -11.04  -11.14  -10.97  -10.85  -10.85  -10.62  -10.58
  msweb     -10.07  -10.07   -9.94   -9.95   -9.91   -9.86   -9.82   -9.79
  book      -37.62  -37.35  -37.22  -35.88  -35.62  -35.92  -34.69  -33.96
  tmovie    -59.19  -58.37  -58.47  -54.22  -54.02  -53.91  -54.51  -51.39
  cwebkb   -162.85 -162.17 -161.16 -156.79 -156.94 -155.20 -157.00 -153.22
  cr52      -88.72  -88.55  -88.60  -86.22  -86.89  -85.69  -86.53  -86.11
  bbc      -262.08 -263.08 -262.08 -252.01 -257.72 -251.14 -259.96 -250.58
  ad        -16.92  -16.92  -14.81  -15.94  -16.02  -13.73  -16.01  -16.68
")

# What the text says of pairwise Wilcoxon tests: on how many sets `method` is significantly better
# and worse than `other`.
paper_wins <- utils::read.table(header = TRUE, text = "
  method  other   better worse
  dcsn    cnet         8     1
  dcsn    cnetp        8     3
  dcsn-b  cnet-b      11     1
  dcsn-b  cnetp-b     11     1
  dcsn-b  mt          10     5
")

# The same of `wins`, rows of likelihoods.R: on how many sets each of these pairs has that outcome.
count_wins <- function(wins, outcome) {
  vapply(paste(paper_wins$method, paper_wins$other), function(pair) {
    sum(paste(wins$method, wins$other) == pair & wins$outcome == outcome)
  }, 0, USE.NAMES = FALSE)
}
