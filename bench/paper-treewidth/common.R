# The experiments of Nie, de Campos & Ji (2016): what the scripts share.

source(file.path("bench", "common.R"))
source(file.path("bench", "command-line.R"))

# ---- data ----------------------------------------------------------------------------------------

data_sets <- c("nursery", "breast", "housing", "adult", "zoo", "letter", "mushroom", "wdbc",
               "audiology")

# Orders of categories other than that in which the rows mention them.
known_orders <- list(
  nursery = list(class = c("not_recom", "recommend", "very_recom", "priority", "spec_prior")),
  letter = list(class = LETTERS)
)

# "Non-binary variables were binarized over the median value", says the paper. Of audiology it has
# the first 200 rows and the columns that are complete there.
read_data <- function(name, folder) {
  if (name == "attitude") return(binarised(datasets::attitude))
  table <- utils::read.csv(file.path(folder, paste0(name, ".csv.gz")), strip.white = TRUE,
                           stringsAsFactors = FALSE)
  if (name == "audiology") {
    table <- table[seq_len(200L), ]
    table <- table[!vapply(table, anyNA, NA)]
  }
  binarised(table, known_orders[[name]])
}

binarised <- function(table, orders = list()) {
  columns <- Map(function(x, name) {
    if (!is.numeric(x)) x <- match(x, orders[[name]] %||% unique(x[!is.na(x)]))
    few <- length(unique(x[!is.na(x)])) <= 2L
    cut <- if (few) min(x, na.rm = TRUE) else stats::median(x, na.rm = TRUE)
    factor(!is.na(x) & x > cut, c(FALSE, TRUE))
  }, table, names(table))
  columns <- columns[vapply(columns, function(x) length(unique(x)) > 1L, NA)]
  droplevels(as.data.frame(columns))
}

# ---- the best network in a k-tree ----------------------------------------------------------------

# The candidate sets that lie in a bag of the k-tree together with their node. The best network of
# these is the best within the k-tree.
sets_within <- function(sets, tree) {
  bags <- lapply(tree$bags, match, sets$nodes)
  sets$sets <- Map(function(candidates, node) {
    set_of <- rep(seq_along(candidates$size), candidates$size)
    inside <- logical(length(candidates$size))
    for (bag in Filter(function(bag) node %in% bag, bags)) {
      held <- tabulate(set_of[candidates$parents %in% bag], length(inside))
      inside <- inside | held == candidates$size
    }
    list(score = candidates$score[inside], size = candidates$size[inside],
         parents = candidates$parents[inside[set_of]])
  }, sets$sets, seq_along(sets$nodes))
  sets
}

# ---- results -------------------------------------------------------------------------------------

# A row is added to its file as soon as it is known, so that a run that was stopped goes on where it
# stopped.
add_row <- function(file, row) {
  utils::write.table(row, file, append = file.exists(file), col.names = !file.exists(file),
                     row.names = FALSE, sep = ",", qmethod = "double")
  cat(format(Sys.time(), "%H:%M"), paste(unlist(row)), "\n")
}

# Is there a row with the values `...`?
is_there <- function(file, ...) {
  if (!file.exists(file)) return(FALSE)
  done <- utils::read.csv(file)
  key <- list(...)
  any(Reduce(`&`, Map(function(name, value) done[[name]] %in% value, names(key), key)))
}

# The rows of all data sets: FOLDER/KIND-NAME.csv.
all_rows <- function(folder, kind) {
  files <- list.files(folder, paste0("^", kind, "-.*[.]csv$"), full.names = TRUE)
  do.call(rbind, lapply(files, utils::read.csv))
}

# ---- what the paper has --------------------------------------------------------------------------

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
