failure <- function(kind, ...) {
  structure(list(kind = kind, message = "what happened", facts = list(...)), class = "core_failure")
}

test_that("values of the core pass, failures become classed conditions", {
  expect_identical(call_core(42), 42)
  expect_error(call_core(failure("time_limit")), class = "optbn_error_time")
  expect_error(call_core(failure("memory", needed = 2e9, limit = 1e9)),
               class = "optbn_error_memory")
  expect_error(call_core(failure("infeasible", nodes = 2:3), nodes = letters),
               class = "optbn_error_infeasible")
  expect_error(call_core(failure("something new")), "what happened", class = "optbn_error_argument")
  expect_identical(tryCatch(call_core(failure("interrupted")), interrupt = function(i) "stopped"),
                   "stopped")
})

test_that("they say what to do", {
  expect_snapshot(error = TRUE, {
    call_core(failure("time_limit"))
    call_core(failure("memory", needed = 2e9, limit = 1e9))
    call_core(failure("exhausted"))
    call_core(failure("infeasible", nodes = 2:3), nodes = letters)
    require_package("no.such.package", "to draw moons")
  })
})

test_that("every error is an optbn_error, and announcements can be silenced by class", {
  expect_error(abort_optbn("data", "x"), class = "optbn_error")
  expect_message(announce("x"), class = "optbn_message")
})

test_that("what a package is needed for is formatted", {
  message <- tryCatch(require_package("no.such.package", "for {.fn draw_moons}"),
                      optbn_error_package = conditionMessage)
  expect_match(message, "for `?draw_moons\\(\\)`?\\.")
  expect_no_match(message, ".fn", fixed = TRUE)
})
