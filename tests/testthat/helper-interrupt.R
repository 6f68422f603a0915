# Long work in an R of its own, and Ctrl-C.

# Runs `code`, which may use the list `given` and must end by setting `result`, in a child process;
# interrupts it after a second and returns `result`.
interrupt_after_a_second <- function(code, given = list()) {
  run_in_child(code, given, function(child) {
    Sys.sleep(1)
    testthat::expect_true(child$is_alive()) # the work is long enough for this test
    child$interrupt()
    child$wait(20000)
  })
}

# The same, without an interrupt, unless the code sends itself one.
run_in_child <- function(code, given = list(), meanwhile = function(child) child$wait(120000)) {
  testthat::skip_on_cran()
  testthat::skip_on_os("windows")
  testthat::skip_if_not_installed("processx")
  files <- withr::local_tempfile(pattern = c("given", "result", "script"))
  saveRDS(given, files[1L])
  writeLines(c(
    sprintf("library(optbn, lib.loc = '%s')", dirname(system.file(package = "optbn"))),
    sprintf("given <- readRDS('%s')", files[1L]),
    "cat('ready\\n')",
    code,
    sprintf("saveRDS(result, '%s')", files[2L])
  ), files[3L])
  child <- processx::process$new(
    file.path(R.home("bin"), "Rscript"), files[3L], stdout = "|",
    env = c("current", R_LIBS = paste(.libPaths(), collapse = ":"))
  )
  withr::defer(child$kill())
  child$poll_io(60000)
  meanwhile(child)
  testthat::expect_false(child$is_alive())
  readRDS(files[2L])
}
