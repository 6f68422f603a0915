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

# ---- results that are the same in each run ------------------------------------------------------

same_twice <- function(make) {
  set.seed(1)
  one <- make()
  set.seed(1)
  identical(one, make())
}

test_that("without timing two runs are identical", {
  withr::local_options(optbn.timing = FALSE)
  titanic <- as.data.frame(Titanic)
  for (method in search_methods) {
    expect_true(same_twice(function() learn_dag(attitude, "bge", method = method)))
  }
  expect_true(same_twice(function() learn_dag(iris, "pcart")))
  expect_true(same_twice(function() parent_sets(mtcars, "bge", max_parents = 2)))
  expect_true(same_twice(function() learn_treewidth(attitude, 2, "bge")))
  expect_true(same_twice(function() {
    learn_k_best(titanic[1:4], 3, "bic", weights = titanic$Freq)
  }))
  expect_true(same_twice(function() {
    update(learn_dag(parent_sets(mtcars, "bge", max_parents = 2), time_limit = 0))
  }))
  network <- learn_dag(attitude, "bge")
  expect_true(certificate(network)$valid)
  expect_null(certificate(network)$trace)
  expect_identical(certificate(network)$seconds, NA_real_)
  expect_no_match(format(network), " s$")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_warning(plot(certificate(network)))
  # those with a structure in the core are the same in a file
  in_file <- function() serialize(learn_chow_liu(titanic[1:4], weights = titanic$Freq), NULL)
  expect_identical(in_file(), in_file())
})

test_that("searches for an optimum leave R's random numbers as they were", {
  titanic <- as.data.frame(Titanic)
  data <- titanic[1:4]
  count <- titanic$Freq
  calls <- list(
    function() learn_dag(data, "bic", weights = count),
    function() learn_dag(mtcars, "bge", time_limit = 0),
    function() suppressMessages(learn_dag(airquality[1:4], missing = "em")),
    function() parent_sets(data, "bic", weights = count),
    function() learn_k_best(data, 2, "bic", weights = count),
    function() learn_treewidth(data, 2, "bic", weights = count),
    function() update(learn_dag(attitude, "bge", time_limit = 0)),
    function() network_posterior(data, "bde", weights = count),
    function() compare_scores(data, c("bic", "bde"), weights = count),
    function() treewidth("[A][B|A][C|A]"), function() elimination_order("[A][B|A]", "cells"),
    function() learn_chow_liu(data, weights = count),
    function() learn_cutset(data, weights = count),
    function() search_size(data, "bic")
  )
  set.seed(1)
  before <- .Random.seed
  for (make in calls) {
    make()
    expect_identical(.Random.seed, before)
  }
  rm(".Random.seed", envir = globalenv())
  learn_dag(data, "bic", weights = count)
  afterwards <- exists(".Random.seed", globalenv(), inherits = FALSE)
  set.seed(1) # before testthat draws
  expect_false(afterwards)
})

test_that("without a further seed a search by chance gives the same again", {
  set.seed(1)
  one <- learn_dag(mtcars, "bge", method = "local")
  expect_identical(as.matrix(one), as.matrix(learn_dag(mtcars, "bge", method = "local")))
})
