# Work distributed over the processes of the user's future::plan().
#
# A job that falls into independent pieces (components of a bag, replicates of a bootstrap, ...)
# goes to the workers of the plan in as many chunks of consecutive pieces as there are workers, so
# that what all pieces need travels once to each. Nothing that is random depends on it: every piece
# has its own stream, numbered by piece. Results are those of one process, bit by bit.
#
# Futures are made one by one, as future.apply would, but each is collected by itself: when a worker
# is lost, what the others have done is kept, and its chunk alone is given away once more.

#' Work in Several Processes
#'
#' @description
#' If package \pkg{future} is loaded and its `plan()` has more than one worker, or jobs of a
#' scheduler, the following computations run in the workers, on this machine or on others:
#'
#' * [parent_sets()], and all structure learners from data: the scoring, if a level of parent sets
#'   is large enough;
#' * [learn_cutset_bag()]: the components;
#' * [learn_mixture()]: the starts;
#' * [tune_cutset()]: the combinations;
#' * [learn_dag()] with `method = "local"`: its four chains;
#' * [learn_treewidth()] with `method = "sample"`: its two chains;
#' * [sample_dags()]: its Markov chains;
#' * [bootstrap_dags()] and [compare_scores()]: the networks;
#' * [cross_validate()]: the folds, of each learner.
#'
#' Results do not depend on the plan. They are identical to those of one process, to the last bit,
#' unless a time limit or an interrupt ends the work early. Without package \pkg{future}, or with
#' `plan(sequential)`, threads of this session do all the work.
#'
#' @details
#' \preformatted{
#' library(future)
#' plan(multisession, workers = 4)               # processes on this machine, or
#' plan(cluster, workers = c("here", "there"))   # processes on these machines
#' bag <- learn_cutset_bag(data, 40)
#' }
#'
#' **Data** are sent once to each worker. For scoring, a worker keeps them until all scores are
#' computed.
#'
#' **Threads.** Each worker uses as many threads as this session would, or as `OPTBN_NUM_THREADS` in
#' its own environment specifies, but all workers of a machine together use at most as many as it
#' has cores. If `threads` is given, each worker uses that number.
#'
#' **Memory.** `memory_limit` applies to all workers of a machine together.
#'
#' **Progress** is reported to package \pkg{progressr}, if that is installed and `progress` is
#' `TRUE`: `progressr::handlers(global = TRUE)` shows it.
#'
#' **Limits.** The workers get the remaining part of `time_limit` when they start. After an
#' interrupt (Ctrl-C), a file in this session's temporary folder requests them to stop, and they
#' return their results so far. Workers without access to that folder, on other machines, finish
#' their chunk, but its result is discarded.
#'
#' **A lost worker** (a killed process or a failed machine) loses only its chunk. Another worker
#' takes it over, with a warning. If that one is also lost, an error of class `optbn_error_worker`
#' names the workers, there is no result, and the remaining workers receive a request to stop.
#'
#' **Clusters with a scheduler** are reached through package \pkg{future.batchtools}, where every
#' chunk is a job. The package has a template for Slurm:
#' \preformatted{
#' library(future.batchtools)
#' plan(batchtools_slurm, workers = 10,
#'      template = system.file("templates", "optbn.slurm.tmpl", package = "optbn"),
#'      resources = list(ncpus = 4, memory = 2000, walltime = 3600))
#' }
#' (`memory` in megabytes for each CPU, `walltime` in seconds; `partition`, `account` and `modules`
#' if needed.) A job takes as many threads as it has CPUs. Work is cut into as many jobs as the plan
#' has workers. Jobs keep nothing, so for scoring the data are sent with every level.
#'
#' Scoring stays in the session if a level is expected to take less than half a second there, or
#' less than the number of seconds in the option `optbn.parallel_seconds`.
#'
#' @name several-processes
#' @seealso [bootstrap_dags()]
#' @examplesIf requireNamespace("future", quietly = TRUE)
#' titanic <- as.data.frame(Titanic)
#' before <- future::plan(future::multisession, workers = 2)
#' set.seed(1)
#' bag <- learn_cutset_bag(titanic[1:4], 6, weights = titanic$Freq)
#' future::plan(before)
#'
#' set.seed(1)
#' here <- learn_cutset_bag(titanic[1:4], 6, weights = titanic$Freq)
#' all.equal(log_density(bag, titanic[1:4]), log_density(here, titanic[1:4]))
NULL

# What this process is while it works on a chunk for another one: the `limits` that hold for it,
# and the `stop_file` that ends its work.
this_worker <- new.env(parent = emptyenv())

in_worker <- function() !is.null(this_worker$limits)

# Are there processes to give work to? Nobody has a plan without loading future, and those who work
# on a chunk does not distribute it further. A job of batchtools is a process, if only one at a
# time.
has_workers <- function() {
  if (in_worker() || !isNamespaceLoaded("future")) return(FALSE)
  worker_count() > 1 || inherits(future::plan(), "batchtools")
}

# How many of them, and so of chunks. A plan of a scheduler may say that any number of jobs may run
# (Inf), or nothing (NA): as many then as future.batchtools gives by default.
worker_count <- function(workers = future::nbrOfWorkers()) {
  if (length(workers) != 1L || !is.finite(workers)) return(100)
  max(1, floor(workers))
}

# ---- giving pieces away -------------------------------------------------------------------------

# A list of what work(pieces, task, limits, report) gives, for all pieces at once if this process
# does them, else for each chunk. report(done) says how many of the pieces are done. `bar`: the text
# of a progress bar, for work that shows none by itself. `round_robin`: pieces are distributed one
# by one, where they take less from one to the next.
in_chunks <- function(pieces, work, task, limits, call, bar = NULL, round_robin = FALSE) {
  if (length(pieces) > 1L && has_workers()) {
    return(distribute(pieces, work, task, limits, call, round_robin))
  }
  report <- function(done) NULL
  if (!is.null(bar) && limits$progress) {
    id <- cli::cli_progress_bar(bar, total = length(pieces))
    report <- function(done) cli::cli_progress_update(set = done, id = id)
  }
  list(work(pieces, task, limits, report))
}

# The same by the workers of the plan. After an interrupt, the chunks that came back in time, as
# a list with the attribute `stopped`; an interrupt if there are none. (Some plans draw random
# numbers, for the names of files.)
distribute <- function(pieces, work, task, limits, call, round_robin = FALSE) {
  with_random_state(random_state(),
                    distribute_chunks(pieces, work, task, limits, call, round_robin))
}

distribute_chunks <- function(pieces, work, task, limits, call, round_robin) {
  chunks <- split_pieces(pieces, min(worker_count(), length(pieces)), round_robin)
  job <- new_job(limits)
  over <- FALSE
  on.exit(if (!over) stop_workers(job)) # whom an error leaves at work
  if (limits$progress && requireNamespace("progressr", quietly = TRUE)) {
    job$signal <- progressr::progressor(steps = length(pieces)) # closes with this function
  }
  found <- send_and_collect(chunks, work, task, job)
  lost <- vapply(found, is_lost, NA)
  if (any(lost) && !was_stopped(job)) {
    again <- send_and_collect(chunks[lost], work, task, job)
    first <- found[lost]
    found[lost] <- again
    if (any(vapply(again, is_lost, NA))) abort_lost_worker(first, again, chunks[lost], call)
    warn_lost_worker(first, call)
  }
  over <- TRUE
  done <- Filter(function(chunk) !inherits(chunk, c("nothing_done", "lost_worker")), found)
  all_or_stopped <- length(done) == length(found) || was_stopped(job)
  if (length(done) == 0L || !all_or_stopped) rlang::interrupt() # who else interrupted a worker
  attr(done, "stopped") <- if (was_stopped(job)) TRUE
  done
}

split_pieces <- function(pieces, count, round_robin) {
  if (round_robin) { # there and back again, so that the first does not always get the longer of two
    there <- seq_len(count)
    return(unname(split(pieces, rep_len(c(there, rev(there)), length(pieces)))))
  }
  lapply(parallel::splitIndices(length(pieces), count), function(chunk) pieces[chunk])
}

# What all chunks of a job have in common, apart from the task.
new_job <- function(limits) {
  limits$time_limit <- max(0, limits$time_limit - seconds_since(limits))
  list(limits = limits, usual_threads = default_threads(), crowd = workers_on_a_machine(),
       stop_file = tempfile("optbn-stop-"))
}

stop_workers <- function(job) file.create(job$stop_file)

was_stopped <- function(job) file.exists(job$stop_file)

# The most workers that share a machine. All of them, where the plan does not say; but
# jobs of a scheduler have cores of their own.
workers_on_a_machine <- function(plan = future::plan()) {
  if (inherits(plan, "batchtools")) return(1)
  workers <- tryCatch(eval(formals(plan)$workers, baseenv()), error = function(e) NULL)
  hosts <- if (inherits(workers, "cluster")) {
    unlist(lapply(workers, function(node) node$host))
  } else if (is.character(workers)) {
    workers
  }
  if (is.null(hosts)) worker_count() else max(table(hosts))
}

# A future, or what is to be said of a worker that did not even take it. Its globals are named here,
# so there is nothing to be large by accident.
# Those of the user's functions are in the task, with the `packages` of these.
send_chunk <- function(chunk, work, task, job) {
  old <- options(future.globals.maxSize = Inf)
  on.exit(options(old))
  # One object, as each takes a message and an answer.
  given <- list(run = run_chunk, chunk = chunk, work = work, job = job,
                task = task[names(task) != "globals"])
  # While it waits for a worker that is free, an interrupt may come.
  protect <- if (isTRUE(future::nbrOfFreeWorkers() > 0)) uninterrupted else identity
  tryCatch(
    protect(
      future::future(given$run(given), globals = c(task$globals, list(given = given)),
                     packages = task$packages, seed = NULL, label = "optbn")
    ),
    FutureError = lost_worker
  )
}

# For exchanges of messages with workers: an interrupt during one would leave an answer in the way,
# which the next user of the worker would take for its own. R's suspendInterrupts() alone does not
# hold it back, as R lets interrupts through while it waits for a socket.
uninterrupted <- function(code) {
  held <- core_hold_interrupts(TRUE)
  on.exit(core_hold_interrupts(held))
  suspendInterrupts(code)
}

# ---- in the worker ------------------------------------------------------------------------------

# An interrupt that nobody caught means that nothing was done. Workers on one machine share its
# cores and its memory.
run_chunk <- function(given) {
  core_hold_interrupts(FALSE) # a process begun while they were held holds them, too
  job <- given$job
  limits <- job$limits
  limits$memory_limit <- limits$memory_limit / job$crowd
  limits$threads <- limits$given_threads %||% threads_beside(job$crowd, job$usual_threads)
  limits$progress <- FALSE
  limits$begun <- proc.time()[["elapsed"]]
  this_worker$limits <- limits
  this_worker$stop_file <- job$stop_file
  on.exit(rm(list = c("limits", "stop_file"), envir = this_worker))
  report <- reporter(job$signal)
  tryCatch(
    {
      found <- given$work(given$chunk, given$task, limits, report)
      report(length(given$chunk))
      found
    },
    interrupt = function(condition) nothing_done
  )
}

# What a process would take, but no more than its part of the cores.
threads_beside <- function(crowd, usual) {
  max(1L, min(threads_of_environment() %||% usual, core_hardware_threads() %/% crowd))
}

# report(done) for progressr, which wants to know how much more it is.
reporter <- function(signal) {
  told <- 0
  function(done) {
    if (is.null(signal) || done <= told) return(invisible())
    signal(amount = done - told)
    told <<- done
  }
}

# The host of a core function that works on consecutive pieces of a job: each has the random stream
# of its number, wherever it is done.
host_of_pieces <- function(pieces, limits, label, seed, report) {
  host <- host_within(limits, label, seed)
  host$first_stream <- pieces[1L] - 1
  if (in_worker()) host$progress <- function(done, total) report(length(pieces) * done / total)
  host
}

# ---- chunks that were cut short -----------------------------------------------------------------

# Core functions hand failures back as values; a chunk that was stopped before it had anything is
# one, too, which matters only where all chunks are.
is_failure <- function(chunk) inherits(chunk, "core_failure")

why_stopped <- c(interrupted = "interrupt", time_limit = "time_limit", gap = "gap")

# The failure of the job as a whole, or NULL.
common_failure <- function(chunks) {
  failures <- Filter(is_failure, chunks)
  broken <- Filter(function(failure) !failure$kind %in% names(why_stopped), failures)
  if (length(broken) > 0L) return(broken[[1L]])
  if (length(failures) == length(chunks)) failures[[1L]]
}

# Why some chunks are cut short, or NULL.
common_reason <- function(chunks) {
  reasons <- lapply(chunks, function(chunk) {
    if (is_failure(chunk)) why_stopped[[chunk$kind]] else chunk$reason
  })
  Find(function(reason) reason %in% unlist(reasons), why_stopped)
}

# `what` there was to be before there is anything to return.
abort_before_first <- function(reason, call, what) {
  if (identical(reason, "interrupt")) rlang::interrupt()
  abort_optbn("time",
              c("The time limit was reached before {what}.", i = "Raise {.arg time_limit}."),
              call = call)
}

# `piece`: what is `done` of it, as a word.
warn_fewer <- function(done, wanted, reason, call, job, piece) {
  what <- if (reason == "interrupt") "interrupted" else "stopped by the time limit"
  cli::cli_warn(
    c("{job} was {what} after {done} of {wanted} {piece}{cli::qty(wanted)}{?s}.",
      i = "The result includes {cli::qty(done)}{?this one/these} only."),
    class = c(if (reason == "interrupt") "optbn_warning_interrupt", "optbn_warning"), call = call
  )
}

# ---- taking results back ------------------------------------------------------------------------

# Stands for a chunk that an interrupt left with nothing.
nothing_done <- structure(list(), class = "nothing_done")

# What came of the chunks, in order: what the work gave, nothing_done, or what lost_worker() makes
# where there is no worker any more.
send_and_collect <- function(chunks, work, task, job) {
  futures <- list()
  tryCatch(
    {
      for (chunk in chunks) {
        futures <- c(futures, list(send_chunk(chunk, work, task, job)))
      }
      wait_for(futures)
    },
    interrupt = function(condition) {
      stop_workers(job)
      wait_for(futures, patience = seconds_to_stop)
    }
  )
  lapply(seq_along(chunks), function(i) {
    if (i > length(futures)) nothing_done else collect_chunk(futures[[i]])
  })
}

collect_chunk <- function(future) {
  if (is_lost(future)) return(future)
  if (!is_over(future)) return(nothing_done)
  tryCatch(future::value(future), FutureError = lost_worker)
}

# Workers look for the stop file every 20 milliseconds, but may be about to send what they have.
seconds_to_stop <- 5

# Looks often enough that a job takes a hundredth, or a millisecond, longer at most.
wait_for <- function(futures, patience = Inf) {
  begun <- proc.time()[["elapsed"]]
  repeat {
    over <- uninterrupted(vapply(futures, is_over, NA))
    waited <- proc.time()[["elapsed"]] - begun
    if (all(over) || waited > patience) return(invisible())
    Sys.sleep(min(0.1, max(0.001, waited / 100)))
  }
}

is_over <- function(future) {
  is_lost(future) || tryCatch(future::resolved(future), FutureError = function(e) TRUE)
}

# ---- lost workers -------------------------------------------------------------------------------

# What future says of it names the process and the machine, or the job, before it goes into detail.
lost_worker <- function(error) {
  detail <- "[.]+ (Post-mortem diagnostic|The last few lines).*"
  structure(list(reason = sub(detail, "", conditionMessage(error))), class = "lost_worker")
}

is_lost <- function(chunk) inherits(chunk, "lost_worker")

reasons_of <- function(lost) {
  reasons <- vapply(Filter(is_lost, lost), `[[`, "", "reason")
  stats::setNames(reasons, rep("x", length(reasons)))
}

warn_lost_worker <- function(lost, call) {
  reasons <- gsub("([{}])", "\\1\\1", reasons_of(lost))
  cli::cli_warn(
    c("{length(lost)} worker{?s} of the plan {?was/were} lost; others took over {?its/their} work.",
      reasons, i = "{.fn future::plan} starts new workers."),
    class = c("optbn_warning_worker", "optbn_warning"), call = call
  )
}

abort_lost_worker <- function(first, again, chunks, call) {
  twice <- vapply(again, is_lost, NA)
  pieces <- unlist(chunks[twice])
  reasons <- gsub("([{}])", "\\1\\1", c(reasons_of(first[twice]), reasons_of(again)))
  abort_optbn(
    "worker",
    c("A worker of the plan was lost, and so was the one that took over its work.", reasons,
      i = paste("{.fn future::plan} starts new workers. If they run out of memory, use fewer of",
                "them on a machine; and check that this package is installed where they run.")),
    call = call, pieces = pieces
  )
}
