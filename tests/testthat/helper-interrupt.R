# Long work in an R of its own, and Ctrl-C.

# Runs `code`, which may use the list `given` and must end by setting `result`, in a child process;
# interrupts it once it is well under way and returns `result`. See run_in_child().
interrupt_at_work <- function(code, given = list(), setup = NULL) {
  run_in_child(code, given, setup, meanwhile = function(child, watched) {
    wait_for_work(child, watched, 1)
    testthat::expect_true(child$is_alive()) # the work is long enough for this test
    child$interrupt()
  })
}

# The same, but what is done to the child while it works is up to `meanwhile`.
#
# `setup` is what the child does before it says that it begins. There it may set `watched` to the
# numbers of the processes that do the work, where that is not the child itself.
run_in_child <- function(code, given = list(), setup = NULL,
                         meanwhile = function(child, watched) NULL) {
  skip_where_quick()
  testthat::skip_on_os("windows")
  testthat::skip_if_not_installed("processx")
  files <- withr::local_tempfile(pattern = c("given", "result", "script", "errors"))
  saveRDS(given, files[1L])
  writeLines(c(
    sprintf("library(optbn, lib.loc = '%s')", dirname(system.file(package = "optbn"))),
    "invisible(loadNamespace('cli')) # which starts a thread; tests count those of searches",
    sprintf("given <- readRDS('%s')", files[1L]),
    "say <- function(...) { cat(..., '\\n'); flush(stdout()) }",
    "watched <- Sys.getpid()",
    setup,
    "say(watched)",
    code,
    sprintf("saveRDS(result, '%s')", files[2L])
  ), files[3L])
  child <- processx::process$new(
    file.path(R.home("bin"), "Rscript"), files[3L], stdout = "|", stderr = files[4L],
    env = c("current", R_LIBS = paste(.libPaths(), collapse = ":"))
  )
  withr::defer(child$kill_tree())
  watched <- as.integer(strsplit(line_of(child), " ")[[1L]])
  meanwhile(child, watched)
  begun <- Sys.time()
  while (child$is_alive()) { # with its output out of the way
    if (difftime(Sys.time(), begun, units = "mins") > 10) {
      stop("The child process goes on. Is SIGINT ignored, as in a job in the background?")
    }
    child$poll_io(1000)
    child$read_output_lines()
  }
  if (child$get_exit_status() != 0L) {
    stop("The child process failed: ", paste(readLines(files[4L]), collapse = "\n"))
  }
  readRDS(files[2L])
}

# The next line that a child says, however long that takes.
line_of <- function(child) {
  repeat {
    line <- child$read_output_lines(1)
    if (length(line) > 0L) return(trimws(line))
    if (!child$is_incomplete_output()) stop("The child process ended before it was ready.")
    child$poll_io(1000)
  }
}

# Until these processes have had so many more seconds of processor time, which pass no quicker on a
# busy machine; or until the child has ended or says something, which is then lost.
wait_for_work <- function(child, watched, seconds) {
  begun <- processor_seconds(watched)
  while (child$is_alive() && length(child$read_output_lines()) == 0L &&
           processor_seconds(watched) < begun + seconds) {
    Sys.sleep(0.01)
  }
}

processor_seconds <- function(pids) {
  sum(vapply(pids, function(pid) {
    times <- tryCatch(ps::ps_cpu_times(ps::ps_handle(pid)), error = function(gone) c(user = Inf))
    sum(times[c("user", "system")], na.rm = TRUE)
  }, 0))
}
