# What Nie, de Campos & Ji (2016) have in their tables.

# Table 2.
paper_correlation <- c(nursery = 0.976, breast = 0.932, housing = 0.892, adult = 0.925, zoo = 0.911,
                       letter = 0.782, mushroom = 0.711, wdbc = 0.701, audiology = 0.741)

# Scores at one tree-width: those of tables 3 and 4; "kp" is the method of Korhonen & Parviainen.
paper_widths <- utils::read.table(header = TRUE, text = "
  data      method      k2      k3      k4      k5
  nursery   kp      -72160  -72159  -72159  -72159
  breast    kp     -2688.4 -2685.8 -2685.3      NA
  housing   kp     -3295.4      NA      NA      NA
  adult     kp     -201532      NA      NA      NA
  nursery   phc     -72187  -72163  -72159  -72159
  breast    phc    -2690.5 -2685.8 -2685.3 -2685.3
  housing   phc    -3341.7 -3312.1 -3202.9 -3202.9
  adult     phc    -209123 -204116 -200627 -200613
  nursery   phc+s2  -72190  -72160  -72160  -72160
  breast    phc+s2   -2691   -2686   -2685   -2685
  housing   phc+s2   -3341   -3312   -3203   -3203
  adult     phc+s2 -209100 -204100 -200600 -200600
  zoo       phc+s2  -715.0  -584.0  -577.0  -577.0
  letter    phc+s2 -198300 -187900 -185600 -185600
  mushroom  phc+s2  -79060  -61450  -59740  -59100
  wdbc      phc+s2   -9132   -7289   -7128   -7125
  audiology phc+s2   -2242   -2130   -2120   -2118
")

# Table 3: seconds, of the method of Korhonen & Parviainen and of 100 k-trees by PHC.
paper_seconds <- utils::read.table(header = TRUE, text = "
  data    method   k2   k3   k4   k5
  nursery kp        7   72  720 7860
  breast  kp       26  300 6180   NA
  housing kp     7680   NA   NA   NA
  adult   kp     8220   NA   NA   NA
  nursery phc     258  264  264  264
  breast  phc     276  276  282  288
  housing phc     546  552  552  558
  adult   phc     624  630  630  630
")

# Tables 5 and 6: tree-width 4; GOBNILP's networks have any, those of Chow and Liu 1.
paper_methods <- utils::read.table(header = TRUE, check.names = FALSE, text = "
  data       dps+kp   a*+s2  hc+s2 phc+s2 unbounded chow-liu milp10m  milp3h twilp10m twilp3h
  nursery    -72160  -72160 -72160 -72160    -72160   -76570  -72160  -72160   -72160  -72160
  breast      -2691   -2686  -2685  -2685     -2685    -3877   -2685   -2685    -2685   -2685
  housing     -3285   -3211  -3213  -3203     -3159    -4581   -3159   -3159    -3269   -3205
  adult     -202400 -200700 -201000 -200600 -200400  -215300 -200400 -200400  -200900 -200700
  zoo        -609.1  -579.4 -580.1 -577.0    -561.5   -969.0  -564.5  -562.4   -578.2  -578.2
  letter    -192400 -186000 -186700 -185600 -184000  -225100 -186300 -184300  -190700 -188400
  mushroom   -68520  -59990 -61490 -59740    -55570  -102170  -58980  -57830   -66280  -63810
  wdbc        -8352   -7143  -7268  -7128     -6863   -12163   -7700   -6995    -7831   -7788
  audiology      NA   -2126  -2203  -2120     -2013    -2355   -2541   -2541    -2254   -2161
")

# Tables 8 and 9, tree-width 3: seconds of 1000 single marginals from the original and from the
# learned network, and how far the latter's are off.
paper_marginals <- utils::read.table(header = TRUE, text = "
  data            kl1    d_abs   d_rel original learned
  rand50     0.000996  0.00129  0.0021    0.380   0.170
  rand60     0.000917 0.000636  0.0013    5.270   0.170
  barley       0.0174   0.0056  0.0108    0.746   0.199
  hailfinder   0.0020   0.0004  0.0125    0.238   0.232
  hepar2       0.0010   0.0047  0.0604    0.215   0.205
  pathfinder   0.0322   0.0346  0.0676    0.256   0.254
  nursery      0.0000   0.0000  0.0000    0.045   0.045
  breast       0.0000   0.0000  0.0000    0.056   0.056
  housing      0.0008   0.0038  0.0052    0.113   0.109
  adult        0.0025   0.0012  0.0092    0.134   0.116
  zoo          0.0009   0.0004  0.0103    0.110   0.094
  letter       0.0011   0.0033  0.0068    0.127   0.117
  mushroom     0.0048   0.0112  0.0191    0.247   0.139
  wdbc         0.0021   0.0043  0.0088    0.285   0.184
  audiology    0.0024   0.0032  0.0134    0.379   0.264
  hill         0.0078   0.0069  0.0121    0.256   0.221
  communities  0.0061   0.0045  0.0103    0.452   0.311
")

# Tables 10 to 12: mean divergences of the marginals of one, two and three nodes.
paper_divergence <- utils::read.table(header = TRUE, text = "
  size data           k0     k1     k2     k3     k4   kInf
  1    barley     0.0185 0.0180 0.0174 0.0173 0.0173 0.0173
  1    hailfinder 0.0023 0.0022 0.0022 0.0022 0.0022 0.0022
  1    hepar2     0.0012 0.0011 0.0010 0.0010 0.0010 0.0010
  1    pathfinder 0.0342 0.0336 0.0322 0.0321 0.0321 0.0321
  1    rand50     0.0012 0.0010 0.0010 0.0010 0.0010 0.0010
  1    rand60     0.0012 0.0010 0.0009 0.0009 0.0009 0.0009
  2    barley     0.0120 0.0067 0.0065 0.0065 0.0065 0.0065
  2    hailfinder 0.0153 0.0094 0.0092 0.0092 0.0092 0.0092
  2    hepar2     0.0147 0.0079 0.0077 0.0078 0.0078 0.0078
  2    pathfinder 0.0214 0.0105 0.0101 0.0100 0.0102 0.0102
  2    rand50     0.0110 0.0042 0.0041 0.0040 0.0040 0.0040
  2    rand60     0.0161 0.0080 0.0074 0.0074 0.0074 0.0074
  3    barley     0.0138 0.0087 0.0075 0.0069 0.0069 0.0069
  3    hailfinder 0.0109 0.0076 0.0064 0.0063 0.0063 0.0062
  3    hepar2     0.0082 0.0047 0.0043 0.0041 0.0041 0.0041
  3    pathfinder 0.0241 0.0114 0.0102 0.0100 0.0095 0.0095
  3    rand50     0.0148 0.0053 0.0040 0.0039 0.0038 0.0038
  3    rand60     0.0102 0.0057 0.0048 0.0047 0.0046 0.0046
")

# Table 14: percents of classes predicted right.
paper_accuracy <- utils::read.table(header = TRUE, check.names = FALSE, text = "
  data          PC TDPA  GES MMHC   SC  NBC  RAI   k2   k3   k4
  australian  85.8 84.8 84.5 86.5 85.3 85.7 85.3 85.8 86.2 86.2
  breast      95.3 94.2 96.8 95.4 96.7 97.4 96.4 96.0 95.7 95.5
  tic-tac-toe 71.4 72.5 70.3 70.8 71.1 69.9 73.2 66.1 82.7 81.9
  cmc         51.2 42.4 45.7 47.9 48.1 51.8 53.3 51.3 51.3 51.3
  kr-vs-kp    91.1 89.1 95.2 94.5 93.4 86.2 93.8 88.7 90.3 91.5
")
