# What does a second thread bring to ensembles, mixtures and hidden trees? Elapsed seconds.
#
#   Rscript bench/density-threads.R FOLDER [NAME...]
#
# FOLDER holds sets of rows of 0s and 1s, NAME.train.data.gz, .valid. and .test.; without names
# plants and accidents are taken. Models must not depend on the threads.

source(file.path("bench", "paper-cutset", "common.R"))
command <- read_command_line("density-threads.R FOLDER [NAME...]")
names <- if (length(command$names)) command$names else c("plants", "accidents")

tasks <- list(
  `bag of 20, dCSN` = function(set, ...) learn_cutset_bag(set$train, 20, ...),
  `bag of 100, XCNet` = function(set, ...) learn_cutset_bag(set$train, 100, "xcnet", ...),
  `mixture of 20 trees` = function(set, ...) {
    learn_mixture(set$train, 20, iterations = 30, patience = 30, ...)
  },
  `mixture of 10 networks` = function(set, ...) {
    learn_mixture(set$train, 10, "cnet", iterations = 15, patience = 15, ...)
  },
  `hidden tree, 16 states` = function(set, ...) {
    learn_hclt(set$train, 16, iterations = 25, patience = 25, ...)
  }
)

times <- 2L # the faster of so many runs counts

# How many times as fast two processes at once are than one after the other, each of which takes
# `alone` seconds by itself: what the machine lets a second thread bring.
two_processes <- function(work, alone) {
  jobs <- lapply(1:2, function(i) parallel::mcparallel(min(replicate(times, elapsed(work())))))
  2 * alone / mean(unlist(parallel::mccollect(jobs)))
}

time_task <- function(name, task, set) {
  work <- function(threads) {
    set.seed(1)
    model <- tasks[[task]](set, threads = threads, progress = FALSE)
    model[c("weights", "components")]
  }
  runs <- lapply(1:2, function(threads) measure(function() work(threads), times))
  if (!identical(runs[[1L]]$value, runs[[2L]]$value)) {
    stop(name, ", ", task, ": the threads disagree", call. = FALSE)
  }
  seconds <- vapply(runs, `[[`, 0, "elapsed")
  data.frame(data = name, task = task, `one thread, s` = in_seconds(seconds[1L]),
             `two threads, s` = in_seconds(seconds[2L]),
             ratio = sprintf("%.2f", seconds[1L] / seconds[2L]),
             `two processes` = sprintf("%.2f", two_processes(function() work(1L), seconds[1L])),
             check.names = FALSE)
}

rows <- lapply(names, function(name) {
  set <- read_set(name, command$folder)
  do.call(rbind, lapply(base::names(tasks), time_task, name = name, set = set))
})
print_table("Threads of density learners, elapsed seconds", do.call(rbind, rows),
            paste("The times include the log-likelihood of the training rows. Two processes: the",
                  "ratio that two processes at once reach, each with one thread and its own work."))
