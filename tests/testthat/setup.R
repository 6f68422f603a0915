# Each test begins with the same random numbers and leaves those that there were; and it is held to
# leave the rest of the session as it found it (helper-state.R). testthat asks for the state before
# each test and after it, and warns where the two differ, which tools/test.R counts as a failure.
# Releases of testthat before 3.2.0 do not ask.

local({
  options <- setdiff(names(base::options()), "rlang_trace_top_env")
  variables <- names(Sys.getenv())
  restore_seed <- NULL # while a test runs
  state_around_test <- function() {
    if (is.null(restore_seed)) {
      restore_seed <<- with_fixed_seed()
    } else {
      restore_seed()
      restore_seed <<- NULL
    }
    session_state(options, variables)
  }
  if (exists("set_state_inspector", asNamespace("testthat"))) {
    testthat::set_state_inspector(state_around_test)
  }
})
