test_that("threads: the call, the environment, the options, two", {
  withr::local_envvar(OPTBN_NUM_THREADS = "")
  withr::local_options(optbn.threads = NULL, Ncpus = NULL)
  expect_lte(check_threads(NULL), 2L)
  withr::local_options(Ncpus = 5)
  expect_identical(check_threads(NULL), 5L)
  withr::local_options(optbn.threads = 6)
  expect_identical(check_threads(NULL), 6L)
  withr::local_envvar(OPTBN_NUM_THREADS = "7")
  expect_identical(check_threads(NULL), 7L)
  expect_identical(check_threads(8), 8L)
})

test_that("limits are checked", {
  expect_identical(check_time_limit(Inf), Inf)
  expect_identical(check_memory_limit(1e9), 1e9)
  expect_gt(check_memory_limit(NULL), 0)
  expect_snapshot(error = TRUE, {
    check_threads(1.5)
    check_time_limit(-1)
    check_time_limit("soon")
    check_memory_limit(0)
    require_memory(2e9, 1e9, "Lower {.arg k}")
  })
})

test_that("sizes and durations are said in fitting units", {
  expect_identical(format_bytes(c(500)), "500 B")
  expect_identical(format_bytes(2.15e9), "2.15 GB")
  expect_identical(format_bytes(Inf), "unlimited memory")
  expect_identical(format_seconds(0.0123), "0.012 s")
  expect_identical(format_seconds(600), "10 min")
  expect_identical(format_seconds(36000), "10 h")
  expect_identical(format_count(1234567), "1,234,567")
  expect_identical(format_count(2.94003965019691e+42), "2.94e+42")
})

test_that("set.seed() governs the seeds of the core", {
  seed <- function() host_options(1, Inf, FALSE, "")$seed
  expect_identical(withr::with_seed(1, seed()), withr::with_seed(1, seed()))
  expect_false(identical(withr::with_seed(1, seed()), withr::with_seed(2, seed())))
})

test_that("threads have a ceiling", {
  expect_error(check_threads(1e5), class = "optbn_error_argument")
  expect_identical(check_threads(most_threads), most_threads)
})
