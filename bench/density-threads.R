# What does a second thread bring to ensembles, mixtures and hidden trees? Elapsed seconds.
#
#   Rscript bench/density-threads.R FOLDER [NAME...]
#
# FOLDER holds sets of rows of 0s and 1s, NAME.train.data.gz, .valid. and .test.; without names
# plants, accidents and bbc are taken. Models must not depend on the threads.

source(file.path("bench", "paper-cutset", "common.R"))
command <- read_command_line("density-threads.R FOLDER [NAME...]")
names <- if (length(command$names)) command$names else c("plants", "accidents", "bbc")

tasks <- list(
  `bag of 20, dCSN` = function(set, ...) learn_cutset_bag(set$train, 20, ...),
  `bag of 200, XCNet` = function(set, ...) learn_cutset_bag(set$train, 200, "xcnet", ...),
  `mixture of 10 trees` = function(set, ...) {
    learn_mixture(set$train, 10, iterations = 10, patience = 10, ...)
  },
  `mixture of 5 networks` = function(set, ...) {
    learn_mixture(set$train, 5, "cnet", iterations = 5, patience = 5, ...)
  },
  `hidden tree, 16 states` = function(set, ...) {
    learn_hclt(set$train, 16, iterations = 25, patience = 25, ...)
  }
)

rows <- list()
for (name in names) {
  set <- read_set(name, command$folder)
  for (task in base::names(tasks)) {
    runs <- lapply(1:2, function(threads) {
      measure(function() {
        set.seed(1)
        model <- tasks[[task]](set, threads = threads, progress = FALSE)
        model[c("weights", "components")]
      })
    })
    if (!identical(runs[[1L]]$value, runs[[2L]]$value)) {
      stop(name, ", ", task, ": the threads disagree", call. = FALSE)
    }
    elapsed <- vapply(runs, `[[`, 0, "elapsed")
    rows <- c(rows, list(data.frame(
      data = name, task = task, `one thread, s` = in_seconds(elapsed[1L]),
      `two threads, s` = in_seconds(elapsed[2L]), ratio = sprintf("%.2f", elapsed[1L] / elapsed[2L]),
      check.names = FALSE
    )))
  }
}
print_table("Threads of density learners, elapsed seconds", do.call(rbind, rows),
            "The log-likelihood of the training rows included, as the learners give it.")
