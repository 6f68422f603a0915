# Work in several processes.

# Two R processes for the rest of a test file, as future's plan "cluster" takes them.
start_workers <- function(envir = parent.frame()) {
  skip_where_quick()
  skip_without_peer("future")
  workers <- parallel::makePSOCKcluster(2)
  withr::defer(try(parallel::stopCluster(workers), silent = TRUE), envir)
  workers
}

# Evaluates `code` under a plan, and puts the plan back that there was, also where the other could
# not be set.
with_plan <- function(code, ...) {
  before <- future::plan("list")
  on.exit(future::plan(before))
  future::plan(...)
  force(code)
}

# Evaluates `code` as under a plan that gives this number of workers, whichever backends take it.
with_worker_count <- function(workers, code) {
  suppressMessages(trace("worker_count", where = asNamespace("optbn"), print = FALSE,
                         tracer = substitute(workers <- given, list(given = workers))))
  on.exit(suppressMessages(untrace("worker_count", where = asNamespace("optbn"))))
  force(code)
}

# How many jobs are distributed while `code` runs.
count_distributed <- function(code) {
  count <- 0
  suppressMessages(trace("distribute", where = asNamespace("optbn"), print = FALSE,
                         tracer = function() count <<- count + 1))
  on.exit(suppressMessages(untrace("distribute", where = asNamespace("optbn"))))
  force(code)
  count
}

# learn() gives the same under the plan as in this process alone, and leaves R's random numbers in
# the same state. What is timed is set aside by `untimed`.
expect_same_when_spread <- function(learn, ..., untimed = identity) {
  run <- function() {
    set.seed(1)
    list(untimed(learn()), stats::runif(1))
  }
  alone <- run()
  spread <- NULL
  times <- with_plan(count_distributed(spread <- run()), ...)
  testthat::expect_gt(times, 0)
  testthat::expect_identical(spread, alone)
}

# A density without what is timed, or made anew when it is asked.
as_learned <- function(model) {
  model$learning$seconds <- NULL
  model[c("weights", "components", "learning")]
}

# Lines without what future says of a lost worker, which names processes.
without_processes <- function(lines) sub("x .*Future.*", "x (what future says)", lines)
