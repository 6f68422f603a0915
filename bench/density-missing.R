# What do density learners lose where values of the training rows are missing? Mean log-likelihood
# of the complete test rows, and processor seconds of learning.
#
#   Rscript bench/density-missing.R FOLDER [ROWS=5000] [NAME...]
#
# FOLDER holds sets of rows of 0s and 1s, NAME.train.data.gz, .valid. and .test.; without names
# nltcs, msnbc, plants and kdd are taken, of each the first ROWS rows. Values are missing completely
# at random. Beside expectation-maximisation: complete rows alone, where there are any; the most
# frequent value of the column in place of each one that is missing; and all values.

source(file.path("bench", "paper-cutset", "common.R"))
command <- read_command_line("density-missing.R FOLDER [ROWS=5000] [NAME...]", ROWS = 5000)
names <- if (length(command$names)) command$names else c("nltcs", "msnbc", "plants", "kdd")
if (command$quick) names <- "toy"

learners <- list(
  tree = learn_chow_liu,
  `mixture of 5 trees` = function(...) learn_mixture(..., components = 5, iterations = 20),
  dCSN = learn_cutset,
  `20 XCNets` = function(...) learn_cutset_bag(..., components = 20, algorithm = "xcnet"),
  `hidden tree, 8 states` = function(...) learn_hclt(..., states = 8, iterations = 40)
)

most_frequent <- function(rows) {
  apply(rows, 2L, function(x) replace(x, is.na(x), as.integer(mean(x, na.rm = TRUE) > 0.5)))
}

ways <- list(
  EM = identity,
  `complete rows` = function(rows) rows[stats::complete.cases(rows), , drop = FALSE],
  `most frequent` = most_frequent
)

# `test`: mean log-likelihood; both NA where there is too little to learn from.
learned_from <- function(learner, rows, test) {
  if (nrow(rows) < 2L) return(list(test = NA, processor = NA))
  job <- measure(function() {
    set.seed(1)
    learners[[learner]](rows, threads = 1, progress = FALSE)
  })
  list(test = mean(log_density(job$value, test)), processor = job$processor)
}

compare <- function(name, share, learner) {
  set <- lapply(read_set(name, command$folder), utils::head, command$ROWS)
  set.seed(1)
  holes <- set$train
  holes[stats::runif(length(holes)) < share] <- NA
  colnames(holes) <- colnames(set$train) <- colnames(set$test) <- paste0("v", seq_len(ncol(holes)))
  runs <- lapply(c(lapply(ways, function(way) way(holes)), list(`all values` = set$train)),
                 function(rows) learned_from(learner, rows, set$test))
  found <- vapply(runs, `[[`, 0, "test")
  data.frame(data = name, missing = sprintf("%d %%", round(100 * share)), learner = learner,
             as.list(ifelse(is.na(found), "", sprintf("%.3f", found))),
             `EM, s` = in_seconds(runs$EM$processor),
             `all values, s` = in_seconds(runs[["all values"]]$processor), check.names = FALSE)
}

cases <- expand.grid(learner = base::names(learners), share = c(0.1, 0.3), name = names,
                     stringsAsFactors = FALSE)
print_table("Densities where training values are missing", do.call(rbind, Map(
  compare, cases$name, cases$share, cases$learner
)), "Mean log-likelihood of a complete test row; processor seconds of one thread.")
