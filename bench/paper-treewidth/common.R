# The experiments of Nie, de Campos & Ji (2016): what the scripts share.

source(file.path("bench", "common.R"))
source(file.path("bench", "command-line.R"))
source(file.path("bench", "results.R"))
source(file.path("vignettes", "articles", "paper-treewidth-published.R"))

# ---- data ----------------------------------------------------------------------------------------

data_sets <- c("nursery", "breast", "housing", "adult", "zoo", "letter", "mushroom", "wdbc",
               "audiology")

# Parents of a node, in all experiments.
most_parents <- 3

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

# ---- learners ------------------------------------------------------------------------------------

endless <- 1e9 # the time limit ends it
methods <- list(
  `dps+kp` = list(method = "sample", refine = "none", inner = "exact", iterations = endless),
  `hc+s2` = list(method = "sample", refine = "hc", inner = "s2", iterations = endless),
  `phc+s2` = list(method = "sample", refine = "phc", inner = "s2", iterations = endless),
  phc = list(method = "sample", refine = "phc", inner = "exact", iterations = 100),
  exact = list(method = "exact"),
  local = list(method = "local")
)

# Scores are BDeu with an imaginary sample of 1; `limit` is elapsed seconds, those of scoring
# included.
learn_bounded <- function(x, k, method, limit, max_parents = most_parents) {
  do.call(learn_treewidth, c(list(x, k, score = "bde", max_parents = max_parents, threads = 1,
                                  progress = FALSE, time_limit = limit), methods[[method]]))
}

# The tree of most mutual information, directed from its first node: no node gets two parents.
chow_liu <- function(data) {
  tree <- bnlearn::chow.liu(data)
  reached <- names(data)[1L]
  arcs <- NULL
  for (i in seq_along(data)) {
    further <- setdiff(bnlearn::nbr(tree, reached[i]), reached)
    arcs <- rbind(arcs, cbind(rep(reached[i], length(further)), further))
    reached <- c(reached, further)
  }
  directed <- bnlearn::empty.graph(names(data))
  bnlearn::arcs(directed) <- arcs
  directed
}

# ---- numbers -------------------------------------------------------------------------------------

# Numbers for people, NA as nothing.
in_digits <- function(x, digits = 3) {
  ifelse(is.na(x), "", vapply(x, function(y) format(signif(y, digits), scientific = FALSE), ""))
}
