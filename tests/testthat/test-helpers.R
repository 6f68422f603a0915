# The helpers of the tests themselves.

test_that("a plan that cannot be set leaves the plan that there was", {
  skip_without_peer("future")
  before <- session_state()
  expect_error(with_plan(NULL, future::multisession, workers = -1))
  expect_error(with_plan(stop("no luck"), future::cluster, workers = "localhost"), "no luck")
  expect_identical(session_state(names(before$options), names(before$variables)), before)
})

test_that("what a test leaves behind is seen", {
  withr::local_dir(withr::local_tempdir())
  before <- session_state()
  changed <- function() {
    after <- session_state(names(before$options), names(before$variables))
    names(before)[!mapply(identical, after, before)]
  }
  expect_identical(changed(), character())
  expect_identical(withr::with_options(list(digits = 9), changed()), "options")
  expect_identical(withr::with_envvar(c(PATH = "nowhere"), changed()), "variables")
  expect_identical(withr::with_dir("..", changed()), c("directory", "files"))
  withr::with_file("left", {
    file.create("left")
    expect_identical(changed(), "files")
  })
  withr::with_connection(list(left = textConnection("x")),
                         expect_identical(changed(), "connections"))
  expect_identical(withr::with_pdf(NULL, changed()), "devices")
  skip_without_peer("future")
  expect_identical(with_plan(changed(), future::cluster, workers = "localhost"),
                   c("connections", "plan"))
})

test_that("random numbers are those that there were", {
  numbers <- function(seed) {
    set.seed(seed)
    restore_seed <- with_fixed_seed()
    fixed <- stats::runif(1)
    restore_seed()
    c(fixed, stats::runif(1))
  }
  expect_identical(numbers(2)[2L], withr::with_seed(2, stats::runif(1)))
  expect_identical(numbers(2)[1L], numbers(3)[1L])
})
