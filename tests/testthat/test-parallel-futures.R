workers <- start_workers()
limits <- list(threads = 1L, time_limit = Inf, memory_limit = Inf, progress = FALSE,
               begun = proc.time()[["elapsed"]])
on_two <- function(code) with_plan(code, future::cluster, workers = workers)

test_that("nothing is spread without a plan, nor by a worker", {
  expect_false(has_workers())
  expect_true(on_two(has_workers()))
  work <- function(pieces, task, limits, report) has_workers()
  expect_identical(on_two(in_chunks(1:2, work, NULL, limits, NULL)), list(FALSE, FALSE))
})

test_that("each worker has a chunk of consecutive pieces, and the task", {
  work <- function(pieces, task, limits, report) list(pieces, task, Sys.getpid(), limits$time_limit)
  task <- list(word = "task")
  chunks <- on_two(in_chunks(letters[1:5], work, task, limits, NULL))
  expect_identical(lapply(chunks, `[[`, 1L), list(letters[1:2], letters[3:5]))
  expect_identical(lapply(chunks, `[[`, 2L), list(task, task))
  expect_length(unique(c(Sys.getpid(), vapply(chunks, `[[`, 0L, 3L))), 3)
  expect_identical(in_chunks(letters[1:5], work, task, limits, NULL)[[1L]][[1L]], letters[1:5])
  dealt <- on_two(in_chunks(letters[1:5], work, task, limits, NULL, round_robin = TRUE))
  expect_identical(lapply(dealt, `[[`, 1L), list(letters[c(1, 4, 5)], letters[2:3]))
})

test_that("threads are those of the call, or do not outnumber the cores", {
  threads <- function(...) {
    work <- function(pieces, task, limits, report) limits$threads
    unlist(on_two(in_chunks(1:2, work, NULL, utils::modifyList(limits, list(...)), NULL)))
  }
  expect_equal(threads(given_threads = 3L), c(3, 3))
  withr::local_options(optbn.threads = 1000)
  expect_equal(threads(), rep(max(1, core_hardware_threads() %/% 2), 2))
  expect_equal(threads_beside(1000, 2L), 1)
  expect_equal(threads_beside(1, 1L), 1)
  withr::local_envvar(OPTBN_NUM_THREADS = "1")
  expect_equal(threads_beside(1, 1000L), 1)
})

test_that("workers on one machine are counted", {
  expect_equal(on_two(workers_on_a_machine()), 2)
  there <- structure(function(...) NULL, class = c("cluster", "function"))
  formals(there) <- list(workers = c("here", "there", "there", "yonder"))
  expect_equal(workers_on_a_machine(there), 2)
  expect_equal(workers_on_a_machine(structure(function() NULL, class = "batchtools")), 1)
})

test_that("learners give what they give in one process", {
  set.seed(2)
  data <- switching_rows(400)
  held_out <- switching_rows(100)
  same <- function(learn) {
    expect_same_when_spread(learn, future::cluster, workers = workers, untimed = as_learned)
  }
  for (algorithm in c("dcsn", "xcnet")) {
    same(function() learn_cutset_bag(data, 5, algorithm, min_rows = 50))
  }
  same(function() {
    learn_cutset_bag(data, 3, "cnetp", weighting = "em", validation = held_out)
  })
  same(function() learn_mixture(data, 3, starts = 3, iterations = 5))
  same(function() learn_mixture(data, 2, starts = 4, validation = held_out, iterations = 5))
  same(function() tune_cutset(data, held_out, "xcnet", alpha = c(0.1, 1, 10)))
  same(function() {
    tune_cutset(data, held_out, alpha = c(0.1, 0.2), min_rows = c(50, 100), time_limit = 100)
  })
  bag <- learn_cutset_bag(data, 2, min_rows = 50)
  same(function() update(bag, data, components = 4))
  gaps <- data
  gaps[] <- lapply(gaps, function(column) replace(column, sample.int(400, 150), NA))
  same(function() learn_cutset_bag(gaps, 3, "xcnet"))
  same(function() learn_mixture(gaps, 2, starts = 2, iterations = 5))
  same(function() tune_cutset(gaps, held_out, alpha = c(0.1, 0.2), min_rows = c(50, 100)))
})

test_that("chains that sample k-trees find what they find in one process", {
  sets <- parent_sets(attitude, "bic-g", max_parents = 2)
  untimed <- function(network) {
    record <- certificate(network)
    record$trace$seconds <- NULL
    list(network$arcs, record[c("score", "bound", "k_tree", "effort", "status", "reason")],
         max(record$trace$score))
  }
  same <- function(...) {
    expect_same_when_spread(function() learn_treewidth(sets, 2, method = "sample", ...),
                            future::cluster, workers = workers, untimed = untimed)
  }
  same(iterations = 7)
  same(iterations = 4, refine = "a-star", inner = "s2")
})

test_that("chains of local search find what they find in one process", {
  sets <- read_jkl(system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn"))
  data <- cbind(random_frame(300, seed = 1), rev(random_frame(300, seed = 2)))
  names(data) <- paste0("V", seq_along(data))
  parts <- parent_sets(data, "bde", progress = FALSE)
  untimed <- function(network) {
    record <- certificate(network)
    list(network$arcs, record[c("score", "bound", "gap", "effort", "status", "reason", "parts")],
         max(record$trace$score))
  }
  same <- function(...) {
    expect_same_when_spread(function() learn_dag(..., method = "local"), future::cluster,
                            workers = workers, untimed = untimed)
  }
  begun <- learn_dag(sets, method = "local", time_limit = 0)
  same(sets)
  same(sets, start = begun)
  same(parts)
})

test_that("the best chain is the first of the best", {
  chain <- function(score, seconds = 1) {
    list(score = score, proved = FALSE, steps = 3, reason = NULL, engine = seconds,
         trace = data.frame(seconds = seconds, score = score, bound = 9))
  }
  none <- structure(list(kind = "infeasible"), class = "core_failure")
  best <- best_chain(list(chain(1, 2), chain(2, 1), chain(2, 3)))
  expect_equal(best$engine, 1)
  expect_equal(best$steps, 9)
  expect_equal(best$trace$score, 2)
  expect_equal(best_chain(list(none, chain(1)))$score, 1)
  expect_identical(best_chain(list(none, none)), none)
})

test_that("multisession serves as well", {
  set.seed(2)
  data <- switching_rows(200)
  expect_same_when_spread(function() learn_cutset_bag(data, 3, "xcnet"), future::multisession,
                          workers = 2, untimed = as_learned)
})

test_that("conditions and errors of a worker reach the session", {
  work <- function(pieces, task, limits, report) {
    if (pieces[1L] == 2) stop("no luck")
    if (pieces[1L] == 1) return(pieces)
    warning("careful")
    message("by the way")
    pieces
  }
  expect_error(on_two(in_chunks(1:2, work, NULL, limits, NULL)), "no luck")
  said <- character()
  withCallingHandlers(
    on_two(in_chunks(3:4, work, NULL, limits, NULL)),
    message = function(m) {
      said <<- c(said, conditionMessage(m))
      invokeRestart("muffleMessage")
    },
    warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  expect_identical(said, rep(c("careful", "by the way\n"), 2))
})

test_that("a failure of all chunks is one of the job, and so is a lack of memory", {
  failure <- function(kind) structure(list(kind = kind), class = "core_failure")
  fine <- list(components = list(1), reason = NULL)
  late <- list(components = list(2), reason = "time_limit")
  expect_null(common_failure(list(fine, failure("interrupted"))))
  expect_identical(common_failure(list(failure("time_limit"), failure("time_limit"))),
                   failure("time_limit"))
  expect_identical(common_failure(list(fine, failure("exhausted"))), failure("exhausted"))
  expect_null(common_reason(list(fine, fine)))
  expect_identical(common_reason(list(fine, late)), "time_limit")
  expect_identical(common_reason(list(late, failure("interrupted"))), "interrupt")
})

test_that("progress is told piece by piece", {
  skip_without_peer("progressr")
  withr::local_options(progressr.enable = TRUE) # as it is where R is interactive
  limits$progress <- TRUE
  work <- function(pieces, task, limits, report) {
    for (i in seq_along(pieces)) report(i - 0.5)
  }
  told <- 0
  withCallingHandlers(
    on_two(in_chunks(1:6, work, NULL, limits, NULL)),
    progression = function(condition) {
      if (identical(condition$type, "update")) told <<- told + condition$amount
    }
  )
  expect_equal(told, 6)
})

# ---- lost workers -------------------------------------------------------------------------------

# The work of a chunk that kills its worker, as long as there are fewer than `times` marks in a
# folder; where it is done, each piece leaves a note of its own there.
deadly_work <- function(pieces, task, limits, report) {
  marks <- list.files(task$folder, "^mark")
  if (1 %in% pieces && length(marks) < task$times) {
    file.create(tempfile("mark", task$folder))
    tools::pskill(Sys.getpid(), tools::SIGKILL)
    Sys.sleep(60)
  }
  for (piece in pieces) file.create(tempfile(paste0("piece", piece, "-"), task$folder))
  pieces
}

spread_deadly_work <- function(times, envir = parent.frame()) {
  skip_where_quick()
  folder <- withr::local_tempdir(.local_envir = envir)
  given <- future::makeClusterPSOCK(2)
  withr::defer(suppressWarnings(try(parallel::stopCluster(given), silent = TRUE)), envir)
  task <- list(folder = folder, times = times)
  list(folder = folder,
       run = function() {
         with_plan(in_chunks(1:4, deadly_work, task, limits, NULL), future::cluster,
                   workers = given)
       })
}

test_that("the chunk of a lost worker is done by another, and nothing else is done again", {
  skip_on_os("windows")
  job <- spread_deadly_work(times = 1)
  chunks <- NULL
  expect_snapshot(chunks <- job$run(), transform = without_processes)
  expect_equal(unlist(chunks), 1:4)
  expect_equal(sort(sub("-.*", "", list.files(job$folder, "^piece"))), paste0("piece", 1:4))
})

test_that("a chunk that is lost twice is an error that names the workers", {
  skip_on_os("windows")
  job <- spread_deadly_work(times = 2)
  error <- tryCatch(job$run(), optbn_error_worker = identity)
  expect_snapshot(writeLines(conditionMessage(error)), transform = without_processes)
  expect_equal(error$pieces, 1:2)
  expect_match(conditionMessage(error), "(?i)pid [0-9]+", perl = TRUE)
})

# ---- interrupts ---------------------------------------------------------------------------------

# An R with two workers, which count as the processes that work.
two_workers <- c(
  "workers <- future::makeClusterPSOCK(2)",
  "future::plan(future::cluster, workers = workers)",
  "invisible(parallel::clusterEvalQ(workers, loadNamespace('optbn')))",
  "watched <- unlist(parallel::clusterCall(workers, Sys.getpid))"
)

test_that("an interrupt waits until messages are over, also while R waits for a socket", {
  result <- run_in_child(c(
    "done <- NULL",
    "caught <- tryCatch({",
    "  optbn:::uninterrupted({",
    "    tools::pskill(Sys.getpid(), tools::SIGINT)",
    "    Sys.sleep(0.2) # as R waits for sockets",
    "    done <- 'over'",
    "  })",
    "  repeat Sys.sleep(0.1)",
    "}, interrupt = function(condition) 'interrupted')",
    "result <- c(done, caught)"
  ))
  expect_identical(result, c("over", "interrupted"))
})

test_that("an interrupt keeps what the workers have done, and they stop", {
  result <- interrupt_at_work(setup = two_workers, c(
    "set.seed(1)",
    "data <- matrix(as.integer(runif(1000 * 40) < 0.5), 1000)", # many networks in a second
    "result <- suppressWarnings(learn_cutset_bag(data, 1e5, 'cnet', min_rows = 20))",
    "result <- list(status = result$learning$status, count = length(result$components),",
    "               finite = all(is.finite(log_density(result, data[1:10, ]))),",
    "               free = identical(unlist(parallel::clusterCall(workers, Sys.getpid)), watched))"
  ))
  expect_identical(result$status, "interrupt")
  expect_gt(result$count, 1)
  expect_true(result$finite)
  expect_true(result$free)
})

test_that("an interrupt while scoring leaves nothing", {
  result <- interrupt_at_work(setup = two_workers, c(
    "set.seed(1)",
    "data <- as.data.frame(lapply(1:30, function(i) factor(sample(4, 2e4, TRUE))))",
    "names(data) <- paste0('v', 1:30)",
    "options(optbn.parallel_seconds = 0)",
    "result <- tryCatch(parent_sets(data, max_parents = 5), interrupt = function(i) 'interrupted')",
    "result <- list(result, parallel::clusterCall(workers, function() 'free'))"
  ))
  expect_identical(result, list("interrupted", list("free", "free")))
})

# ---- jobs of a scheduler ------------------------------------------------------------------------

test_that("jobs of batchtools give the same, though they keep nothing", {
  skip_where_quick()
  skip_without_peer("future.batchtools")
  withr::local_dir(withr::local_tempdir()) # where batchtools keeps its files
  withr::local_options(optbn.parallel_seconds = 0)
  set.seed(2)
  data <- switching_rows(200)
  expect_same_when_spread(function() learn_cutset_bag(data, 2, "xcnet"),
                          future.batchtools::batchtools_local, untimed = as_learned)
  sets_of <- function() parent_sets(data, max_parents = 2)$sets
  expect_same_when_spread(sets_of, future.batchtools::batchtools_local)
})

test_that("where any number of jobs may run, or it is not known, there are a hundred", {
  for (workers in list(Inf, NA, NaN, NULL, NA_integer_)) expect_equal(worker_count(workers), 100)
  for (workers in c(0, -1, 0.5, 1)) expect_equal(worker_count(workers), 1)
  expect_equal(worker_count(7.5), 7)
  data <- switching_rows(100)
  problem <- list(encoded = encode_data(data), constraints = list(max_parents = 2L))
  with_worker_count(Inf, {
    expect_equal(distribute_scoring(problem, limits, NULL)$chunks, 100)
    expect_equal(search_size(data)$workers, 100)
  })
})

test_that("the template for Slurm asks for what the user wants", {
  skip_without_peer("future.batchtools")
  brewed <- function(...) {
    job <- list2env(list(job.name = "optbn", log.file = "job.log", array.jobs = FALSE,
                         jobs = data.frame(id = 1), uri = "job.rds", resources = list(...)))
    parent.env(job) <- globalenv()
    utils::capture.output(
      brew::brew(system.file("templates", "optbn.slurm.tmpl", package = "optbn"), envir = job)
    )
  }
  lines <- brewed(ncpus = 4, memory = 2000, walltime = 90, partition = "short", modules = "R")
  asked <- grep("^#SBATCH", lines, value = TRUE)
  expect_true(all(paste("#SBATCH", c("--cpus-per-task=4", "--mem-per-cpu=2000", "--time=2",
                                     "--partition=short")) %in% asked))
  expect_true("module load R" %in% lines)
  plain <- brewed()
  expect_true("#SBATCH --cpus-per-task=1" %in% plain)
  expect_false(any(grepl("time|partition|module load", grep("^##", plain, invert = TRUE,
                                                            value = TRUE))))
})
