# What do two worker processes bring to scoring, bags, mixtures, grids and bootstrap networks?
# Elapsed seconds, the least of three runs, and what is sent to and fro.
#
#   Rscript bench/scale-workers.R [quick]
#
# Prints them, and writes them to vignettes/articles/scale-workers.csv.
#
# The workers are separate R processes on this machine (a PSOCK cluster), each with one thread; so
# has the process that they are compared with. Results must not depend on them. What the machine
# itself lets two processes bring is measured beside: the same work in two of them at once.

source(file.path("bench", "common.R"))
if (!has("future") || !has("bnlearn")) quit()

rows <- function(many, few) if (quick) few else many

# Columns that depend on those before them.
linked_columns <- function(rows, columns, levels) {
  set.seed(1)
  data <- list(sample.int(levels, rows, TRUE))
  for (j in 2:columns) {
    before <- data[[sample.int(j - 1L, 1L)]]
    own <- sample.int(levels, rows, TRUE)
    data[[j]] <- ifelse(stats::runif(rows) < 0.4, before, own)
  }
  names(data) <- paste0("X", seq_len(columns))
  as.data.frame(lapply(data, factor, levels = seq_len(levels)))
}

tables <- linked_columns(rows(40000, 2000), rows(30, 10), 4)
numbers <- as.data.frame(lapply(linked_columns(rows(8000, 300), rows(36, 6), 9), as.numeric))
binary <- linked_columns(rows(40000, 1000), rows(100, 20), 2)
held_out <- binary[seq_len(nrow(binary) / 10), ]
few <- linked_columns(rows(4000, 500), rows(24, 8), 3)

tasks <- list(
  `parent sets, BDeu, 4 parents` = function() {
    unclass(parent_sets(tables, "bde", max_parents = 4, threads = 1, progress = FALSE))["sets"]
  },
  `parent sets, PCART, 3 parents` = function() {
    unclass(parent_sets(numbers, "pcart", max_parents = 3, threads = 1, progress = FALSE))["sets"]
  },
  `bag of 40, dCSN` = function() {
    learn_cutset_bag(binary, 40, threads = 1, progress = FALSE)$components
  },
  `mixture of 10 trees, 4 starts` = function() {
    learn_mixture(binary, 10, starts = 4, iterations = 15, patience = 15, threads = 1,
                  progress = FALSE)$components
  },
  `grid of 32 networks` = function() {
    tune_cutset(binary, held_out, alpha = c(1, 2, 5, 10, 20, 30, 40, 50) / 100, threads = 1,
                progress = FALSE)$components
  },
  `bootstrap of 200 networks` = function() {
    bootstrap_dags(few, 200, max_parents = 3, threads = 1, progress = FALSE)$direction
  }
)

timed <- function(work) {
  runs <- if (quick) 1L else 3L
  seconds <- Inf
  before <- loopback_bytes()
  for (run in seq_len(runs)) {
    set.seed(1)
    clock <- system.time(value <- work(), gcFirst = TRUE)
    seconds <- min(seconds, clock[["elapsed"]])
  }
  list(value = value, seconds = seconds, bytes = (loopback_bytes() - before) / runs)
}

# How many times as fast two processes at once are than one after the other.
two_processes <- function(work, alone) {
  jobs <- lapply(1:2, function(i) parallel::mcparallel(timed(work)$seconds))
  2 * alone / mean(unlist(parallel::mccollect(jobs)))
}

time_task <- function(name) {
  work <- tasks[[name]]
  future::plan(future::sequential)
  one <- timed(work)
  machine <- two_processes(work, one$seconds)
  future::plan(future::cluster, workers = workers)
  two <- timed(work)
  if (!identical(one$value, two$value)) stop(name, ": the workers disagree", call. = FALSE)
  data.frame(task = name, one = one$seconds, two = two$seconds, machine = machine,
             bytes = two$bytes)
}

workers <- parallel::makePSOCKcluster(2)
results <- do.call(rbind, lapply(names(tasks), time_task))
future::plan(future::sequential)
parallel::stopCluster(workers)
if (!quick) utils::write.csv(results, "vignettes/articles/scale-workers.csv", row.names = FALSE)
print_table("Two workers of a future plan beside one process, elapsed seconds",
            with(results, data.frame(task = task, `one process, s` = in_seconds(one),
                                     `two workers, s` = in_seconds(two),
                                     ratio = sprintf("%.2f", one / two),
                                     `two processes` = sprintf("%.2f", machine),
                                     `MB moved` = sprintf("%.1f", bytes / 1e6),
                                     check.names = FALSE)),
            paste("The shortest of three runs, one thread each. Two processes: the ratio that two",
                  "processes reach on this machine, each of which does all of the work."))
