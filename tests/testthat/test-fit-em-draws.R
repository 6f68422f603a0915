# EM of trees and discretised tables by draws.

# Numbers and factors that depend on one another by steps, as trees do.
step_data <- function(rows, seed) {
  withr::local_seed(seed)
  data <- data.frame(a = factor(sample(c("u", "v", "w"), rows, TRUE)))
  data$x <- stats::rnorm(rows, 3 * (data$a == "u"))
  data$y <- stats::rnorm(rows, ifelse(data$x > 1, 4, 0), 0.7)
  data$b <- factor(ifelse(stats::runif(rows) < ifelse(data$y > 2, 0.9, 0.2), "yes", "no"))
  data$z <- stats::rnorm(rows, 2 * (data$b == "yes") - (data$a == "w"))
  data
}

step_network <- "[a][x|a][y|x][b|y][z|a:b]"

learned_steps <- function(data, score = "pcart") {
  suppressMessages(learn_dag(data, score, max_parents = 2))
}

test_that("rows with holes teach nearly as much as all values, and more than complete rows", {
  test <- step_data(4000, 99)
  for (score in c("pcart", "ft")) {
    whole <- step_data(2000, 1)
    gaps <- with_holes(whole, 0.2, seed = 2)
    network <- learned_steps(whole, score)
    worth <- function(fit) mean(suppressMessages(log_density(fit, test)))
    set.seed(3)
    by_draws <- worth(fit_network(network, gaps, method = "em"))
    complete <- worth(fit_network(network, stats::na.omit(gaps)))
    best <- worth(fit_network(network, whole))
    expect_gt(by_draws, complete)
    expect_lt(best - by_draws, 0.02)
  }
})

test_that("discrete trees have the parameters of exact expectation maximisation", {
  set.seed(5)
  data <- random_frame(1500, 4, 0)
  names(data) <- paste0("v", 1:4)
  data$v2 <- factor(ifelse(stats::runif(1500) < 0.8, as.integer(data$v1), as.integer(data$v2)))
  network <- suppressMessages(learn_dag(data, "pcart", max_parents = 2))
  gaps <- with_random_gaps(data, 0.2)
  exact <- suppressMessages(fit_network(network, gaps, method = "em"))
  encoded <- encode_data(gaps, holes = TRUE)
  found <- as_network_structure(network)
  local <- local_structures(network, found, encoded, NULL, NULL)
  set.seed(6)
  chain <- run_chain(begin_chain(found, encoded, local, NULL), FALSE, NULL)
  by_draws <- models_of_chain(chain, "student")
  for (node in names(by_draws)) {
    expect_lt(max(abs(by_draws[[node]]$prob - exact$models[[node]]$prob)), 0.02)
    expect_equal(sum(by_draws[[node]]$n), 1500)
  }
})

test_that("a number without arcs has the parameters of its known values", {
  # Completed values add nothing to what the known ones say: the fixed point is theirs.
  set.seed(7)
  data <- data.frame(x = stats::rnorm(400, 5, 2), a = factor(sample(c("u", "v"), 400, TRUE)))
  data$x[sample(400, 120)] <- NA
  fit <- fit_network("[x][a]", data, method = "em", score = "pcart", leaf = "normal")
  known <- fit_network("[x][a]", data[!is.na(data$x), ], score = "pcart", leaf = "normal")
  expect_equal(fit$models$x$location, known$models$x$location, tolerance = 0.01)
  expect_equal(fit$models$x$scale, known$models$x$scale, tolerance = 0.03)
})

test_that("values that are missing for a reason that is known do not mislead", {
  data <- step_data(3000, 8)
  set.seed(9)
  gaps <- data
  gaps$y[stats::runif(3000) < ifelse(data$x > 1, 0.8, 0.05)] <- NA
  fit <- fit_network(learned_steps(data), gaps, method = "em")
  drawn <- simulate(fit, 20000, seed = 1)
  expect_lt(abs(mean(drawn$y) - mean(data$y)), 0.15)
  expect_gt(abs(mean(gaps$y, na.rm = TRUE) - mean(data$y)), 0.5)
})

test_that("data without holes have the fit of method bayes", {
  data <- step_data(300, 10)
  network <- learned_steps(data)
  before <- .Random.seed
  by_em <- fit_network(network, data, method = "em")
  expect_identical(.Random.seed, before)
  plain <- fit_network(network, data)
  expect_equal(by_em$models, plain$models)
  expect_equal(c(logLik(by_em)), c(logLik(plain)))
  expect_true(by_em$em$converged)
  expect_equal(by_em$em$missing, 0)
})

test_that("partitions that the network does not have are found", {
  whole <- step_data(1500, 11)
  gaps <- with_holes(whole, 0.2, seed = 12)
  test <- step_data(2000, 98)
  worth <- function(fit) mean(suppressMessages(log_density(fit, test)))
  # ranges whose halves are those of the data: that of few rows may be so by chance
  halved <- score_pcart(range = list(x = c(-7, 9), y = c(-6, 10)))
  for (score in list(halved, score_ft(max_bins = 4))) {
    set.seed(13)
    fit <- fit_network(step_network, gaps, method = "em", score = score)
    expect_gt(worth(fit), worth(fit_network(step_network, stats::na.omit(gaps), score = score)))
    expect_setequal(fit$parents$z, c("a", "b"))
  }
  # those of discrete nodes alone are then fitted exactly
  set.seed(14)
  discrete <- gaps[c("a", "b")]
  fit <- fit_network("[a][b|a]", discrete, method = "em", score = "pcart")
  expect_equal(c(logLik(fit)), sum(log_density(fit, discrete)), tolerance = 1e-8)
  expect_true(fit$em$converged)
})

test_that("scores know ranges, centres and cuts from the values that are there", {
  gaps <- with_holes(step_data(200, 15), 0.3)
  known <- stats::na.omit(gaps["y"])
  for (score in list(score_pcart(), score_ft())) {
    with <- complete_score(score, encoded_without_holes(encode_data(gaps, holes = TRUE)))
    expect_equal(with$columns$y, complete_score(score, encode_data(known))$columns$y)
  }
})

test_that("seeds, weights and the order of columns", {
  gaps <- with_holes(step_data(200, 16), 0.2)
  set.seed(17)
  one <- fit_network(step_network, gaps, method = "em", score = "pcart", progress = TRUE)
  set.seed(17)
  two <- fit_network(step_network, gaps, method = "em", score = "pcart", progress = FALSE)
  expect_identical(one, two)
  set.seed(17)
  expect_identical(fit_network(step_network, gaps[5:1], method = "em", score = "pcart")$models,
                   one$models)
  weights <- rep(c(0, 1, 3), length.out = 200)
  heavy <- fit_network(step_network, gaps, method = "em", score = "pcart", weights = weights)
  expect_equal(heavy$n, sum(weights))
  expect_equal(sum(heavy$models$b$n), sum(weights))
  expect_equal(heavy$em$missing, sum(is.na(gaps) * weights))
  twice <- fit_network(step_network, gaps[rep(1:200, weights), ], method = "em", score = "pcart")
  expect_equal(coef(heavy)$a, coef(twice)$a, tolerance = 0.05)
})

test_that("what is told of such a fit is true", {
  gaps <- with_holes(step_data(200, 18), 0.2)
  set.seed(19)
  fit <- fit_network(step_network, gaps, method = "em", score = "pcart", leaf = "normal")
  expect_true(is.na(fit$em$converged))
  expect_equal(nrow(fit$em$trace), 50)
  expect_equal(fit$em$missing, sum(is.na(gaps)))
  expect_equal(utils::tail(fit$em$trace$completed, 1), sum(fit$log_likelihood))
  expect_message(value <- logLik(fit), "cannot sum over missing values", class = "optbn_message")
  expect_true(is.na(value))
  shown <- paste(format(fit), collapse = "\n")
  expect_match(shown, "log-likelihood of the completed rows -[0-9]")
  expect_match(shown, "maximisation by draws, 50 sweeps; [0-9]+ of 1,000 values missing")
  expect_silent(format(fit))
  expect_silent(format(summary(fit)$heading))
  fit$em$trace$completed <- NULL
  expect_error(print(fit), class = "optbn_error_model")
})

test_that("bad input is refused", {
  gaps <- with_holes(step_data(60, 20), 0.2)
  fit <- function(data = gaps, ...) {
    fit_network(step_network, data, method = "em", score = "pcart", ...)
  }
  expect_error(fit(replace(gaps, "x", list(replace(gaps$x, 1, Inf)))), class = "optbn_error_data")
  expect_error(fit(replace(gaps, "x", list(rep(NA_real_, 60)))), class = "optbn_error_data")
  expect_error(fit(weights = rep(0.5, 60)), class = "optbn_error_argument")
  expect_error(fit(weights = rep(-1, 60)), class = "optbn_error_argument")
  expect_error(fit(progress = NA), class = "optbn_error_argument")
  expect_error(fit_network(learned_steps(step_data(60, 20)), gaps[c("a", "x", "y", "b")],
                           method = "em"), class = "optbn_error_data")
})

test_that("rows that nobody knows, and families that no row knows, are fitted all the same", {
  gaps <- with_holes(step_data(80, 21), 0.1)
  gaps[1:3, ] <- NA
  gaps$x[seq(1, 80, 2)] <- NA
  gaps$y[seq(2, 80, 2)] <- NA
  set.seed(22)
  fit <- fit_network(step_network, gaps, method = "em", score = "pcart")
  for (node in c("x", "y", "z")) {
    expect_true(all(is.finite(c(fit$models[[node]]$location, fit$models[[node]]$scale))))
  }
  expect_true(all(is.finite(fit$log_likelihood)))
})

test_that("levels NA are never drawn", {
  gaps <- with_holes(step_data(200, 23), 0.2)
  level <- replace(gaps, "a", list(addNA(gaps$a)))
  is.na(level$a) <- 1:20 # missing, beside the level
  set.seed(24)
  encoded <- suppressMessages(encode_data(level, holes = TRUE))
  found <- as_network_structure(step_network)
  local <- local_structures(step_network, found, encoded, "pcart", NULL)
  chain <- begin_chain(found, encoded, local, NULL)
  open <- chain$open$a
  expect_gt(length(open), 0L)
  expect_false(any(is.na(chain$levels$a[chain$values$a[open] + 1L])))
  chain <- run_chain(chain, FALSE, NULL)
  expect_false(any(is.na(chain$levels$a[chain$values$a[open] + 1L])))
})
