# Tables 13 and 14 of the paper: networks of bounded tree-width as classifiers.
#
#   Rscript bench/paper-treewidth/classification.R FOLDER data=FOLDER [seeds=1] [limit=30] [NAME...]
#   Rscript bench/paper-treewidth/classification.R quick
#
# Five-fold cross-validation; of kr-vs-kp ("chess") 2130 rows to learn from and the others to
# predict. Networks are learned for their scores as everywhere, the class being a node like others,
# and predict its most probable level given all other nodes. Adds a row to classification-NAME.csv
# of FOLDER for each network:
#
#   data, k (NA: unbounded), method, seed, fold, limit
#   seconds          of the processor, for learning
#   width            of the junction tree
#   tested, right    rows that are predicted, and predicted right
#
# `limit` is the elapsed seconds of one search; the paper gave 10 minutes, and 30 to kr-vs-kp.

source(file.path("bench", "paper-treewidth", "common.R"))
command <- read_command_line(
  "classification.R FOLDER data=FOLDER [seeds=1] [limit=30] [NAME...]",
  data = "", seeds = 1, limit = 30
)
names <- if (length(command$names) > 0L) command$names else paper_accuracy$data
if (quick) {
  names <- "titanic"
  command$limit <- 0.2
}
if (!has("bnlearn")) quit(status = 0L)

# ---- data ----------------------------------------------------------------------------------------

# "Continuous variables were binarized over the mean value, and instances with missing values were
# removed." The paper does not say which columns count as continuous.
continuous <- list(
  australian = c("A2", "A3", "A7", "A10", "A13", "A14"),
  breast = c("clump_thickness", "cell_size", "cell_shape", "adhesion", "epithelial_size",
             "bare_nuclei", "bland_chromatin", "normal_nucleoli", "mitoses"),
  cmc = c("Wifes_age", "Number_of_children_ever_born")
)

# The class comes last.
read_classes <- function(name) {
  if (name == "titanic") {
    counts <- as.data.frame(datasets::Titanic)
    return(counts[rep(seq_len(nrow(counts)), counts$Freq), 1:4])
  }
  table <- utils::read.csv(file.path(command$data, paste0(name, ".csv.gz")), strip.white = TRUE)
  table <- table[stats::complete.cases(table), ]
  numbers <- continuous[[name]]
  table[numbers] <- lapply(table[numbers], function(x) x > mean(x))
  as.data.frame(lapply(table, factor))
}

# A list of the rows that are predicted, fold by fold.
test_rows <- function(name, rows) {
  shuffled <- sample(rows)
  if (name == "kr-vs-kp") return(list(shuffled[-seq_len(2130L)]))
  split(shuffled, rep_len(1:5, rows))
}

# ---- classifiers ---------------------------------------------------------------------------------

wanted <- rbind(
  data.frame(k = NA, method = c("naive", "mmhc", "unbounded")),
  expand.grid(k = 2:4, method = c("phc+s2", "local"), stringsAsFactors = FALSE)
)

structure_of <- function(rows, k, method) {
  class <- names(rows)[ncol(rows)]
  switch(
    method,
    naive = bnlearn::naive.bayes(rows, class),
    mmhc = bnlearn::mmhc(rows),
    unbounded = learn_dag(rows, score = "bde", max_parents = most_parents, threads = 1,
                          time_limit = command$limit, progress = FALSE),
    learn_bounded(rows, k, method, command$limit)
  )
}

try_out <- function(name, data, tested, key) {
  file <- file.path(command$folder, paste0("classification-", name, ".csv"))
  if (do.call(is_there, c(list(file), key)) || isTRUE(key$k > ncol(data) - 2L)) return()
  set.seed(key$seed)
  before <- proc.time()
  network <- suppressMessages(structure_of(data[-tested, ], key$k, key$method))
  spent <- proc.time() - before
  model <- suppressMessages(compile_network(fit_network(network, data[-tested, ])))
  class <- names(data)[ncol(data)]
  right <- predict(model, data[tested, ], class) == data[tested, class]
  add_row(file, data.frame(
    data = name, key, seconds = round(spent[["user.self"]] + spent[["sys.self"]], 2),
    width = model$width, tested = length(right), right = sum(right)
  ))
}

for (seed in seq_len(command$seeds)) {
  for (name in names) {
    data <- read_classes(name)
    set.seed(seed)
    folds <- test_rows(name, nrow(data))
    for (fold in seq_along(folds)) {
      Map(function(k, method) {
        key <- list(k = k, method = method, seed = seed, fold = fold, limit = command$limit)
        try_out(name, data, folds[[fold]], key)
      }, wanted$k, wanted$method)
    }
  }
}

# ---- the tables ----------------------------------------------------------------------------------

rows <- all_rows(command$folder, "classification")
rows <- rows[rows$limit == command$limit, ]
rows$accuracy <- 100 * rows$right / rows$tested
there <- intersect(c(paper_accuracy$data, rows$data), rows$data)

# Mean (and standard deviation) over folds.
ours <- function(k, method) {
  vapply(there, function(name) {
    x <- rows$accuracy[rows$data == name & rows$method == method & rows$k %in% k]
    if (length(x) == 0L) return("")
    paste0(sprintf("%.1f", mean(x)), if (length(x) > 1L) sprintf(" (%.1f)", stats::sd(x)))
  }, "", USE.NAMES = FALSE)
}
paper <- paper_accuracy[match(there, paper_accuracy$data), -1L]
print_table("Table 14: the paper's, percents predicted right",
            data.frame(data = there, lapply(paper, in_digits), check.names = FALSE))
labels <- ifelse(is.na(wanted$k), wanted$method, paste(wanted$method, wanted$k))
print_table(
  "Table 14: ours",
  stats::setNames(data.frame(there, Map(ours, wanted$k, wanted$method)), c("data", labels)),
  paste("Means (and standard deviations) of folds,", command$limit, "seconds a search.")
)
