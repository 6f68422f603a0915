test_that("a pilot of all sets counts those that bounds leave", {
  for (score in c("bde", "bic", "pcart")) {
    size <- suppressMessages(search_size(optbn::zoo[1:8], score))
    sets <- suppressMessages(parent_sets(optbn::zoo[1:8], score))
    expect_equal(size$scored, sum(sets$counted))
    expect_gt(size$seconds, 0)
  }
})

test_that("a pilot that has no time, or takes some nodes, forecasts about as much", {
  limits <- check_limits(1, Inf, NULL, FALSE, rlang::current_env())
  problem <- scoring_problem(optbn::zoo[1:10], "bic", NULL, NULL, NULL, NULL, NULL, NULL, limits,
                             rlang::current_env(), forecast = TRUE)
  problem$memory_limit <- limits$memory_limit
  scoring <- forecast_scoring(problem$constraints, problem$encoded, problem$score)
  exact <- pilot(problem, scoring, c(levels = Inf, nodes = 0))
  expect_lt(exact$scored, sum(scoring$families))
  nodes <- pilot(problem, scoring, c(levels = 0, nodes = Inf))
  expect_equal(nodes$scored, exact$scored, tolerance = 0.1)
  none <- pilot(problem, scoring, c(levels = 0, nodes = 0))
  expect_equal(none$scored, sum(scoring$families))
  expect_true(is.finite(none$seconds) && none$seconds > 0)
  problem$memory_limit <- 50
  expect_equal(pilot(problem, scoring), list(scored = sum(scoring$families),
                                             seconds = sum(scoring$seconds)))
})

test_that("a pilot decides nothing, and leaves the random numbers as they are", {
  data <- as.data.frame(lapply(1:30, function(i) factor(1:64 %/% i %% 2)),
                        col.names = paste0("v", 1:30))
  set.seed(1)
  size <- search_size(data, "k2")
  after <- stats::runif(1)
  set.seed(1)
  expect_identical(stats::runif(1), after)
  expect_true(size$on_demand)
  again <- search_size(data, "k2")
  decided <- c("max_parents", "on_demand", "scoring", "bytes", "methods")
  expect_identical(size[decided], again[decided])
  expect_snapshot(print(size), transform = without_seconds)
})
