test_that("residuals are what the parents leave unexplained", {
  network <- gaussian_network_of(c(a = 1, b = 1, c = 1), list(c = c(b = 3, a = -2)), c(1, 0, 10))
  rows <- rbind(c(2, 5, 30), c(NA, 5, 30), c(2, 5, NA))
  expect_identical(network_residuals(network, rows),
                   rbind(c(1, 5, 9), c(-1, 5, 5), c(1, 5, -21)))
})

test_that("effects are sums over directed paths", {
  network <- gaussian_network_of(c(a = 1, b = 1, c = 1, d = 1),
                                 list(b = c(a = 2), c = c(a = 5, b = 3), d = c(c = 7, b = 1)))
  expect_identical(path_effects(network, 1:3, 4L),
                   rbind(c(1, 2, 11, 79), c(0, 1, 3, 22), c(0, 0, 1, 7)))
  # what leaves an observed node is cut
  expect_identical(path_effects(network, c(1L, 3L), c(2L, 4L)),
                   rbind(c(1, 5, 2, 35), c(0, 1, 0, 7)))
})

test_that("conditioning is the textbook's", {
  set.seed(1)
  for (repeats in share_of(1:60)) {
    fit <- random_gaussian_fit(sample(2:8, 1), density = stats::runif(1))
    network <- as_linear_network(fit)
    moments <- joint_moments(fit)
    n <- length(fit$nodes)
    known <- sort(sample(n, sample(0:(n - 1L), 1)))
    unknown <- setdiff(seq_len(n), known)
    asked <- unknown[sample.int(length(unknown), sample(length(unknown), 1))]
    row <- matrix(replace(rep(NA, n), known, stats::rnorm(length(known))), 1)
    evidence <- rlang::set_names(row[1, known], fit$nodes[known])
    given <- condition_network(network, unknown, asked)
    told <- tell_unknown(given, network_residuals(network, row))
    expected <- condition_moments(moments, asked, evidence)
    expect_equal(told$mean[1, ], unname(expected$mean))
    expect_equal(crossprod(given$factor), unname(expected$covariance))
  }
})

test_that("densities integrate over what is missing, pattern by pattern", {
  set.seed(2)
  for (repeats in 1:10) {
    fit <- random_gaussian_fit(6)
    moments <- joint_moments(fit)
    rows <- as.matrix(with_random_gaps(simulate(fit, 40), part = stats::runif(1)))
    expected <- apply(rows, 1, function(row) normal_log_density(moments, row[!is.na(row)]))
    expect_equal(linear_log_density(as_linear_network(fit), rows), unname(expected))
  }
  none <- rows[0, , drop = FALSE]
  expect_identical(linear_log_density(as_linear_network(fit), none), numeric())
  expect_identical(linear_log_density(as_linear_network(fit), rows[1, , drop = FALSE] * NA), 0)
})

test_that("rows that lack the same form a group", {
  set.seed(3)
  missing <- matrix(stats::runif(200) < 0.4, 50)
  groups <- missing_patterns(missing)
  expect_setequal(unlist(groups), 1:50)
  expect_length(groups, nrow(unique(missing)))
  for (group in groups) expect_identical(nrow(unique(missing[group, , drop = FALSE])), 1L)
  expect_identical(missing_patterns(matrix(FALSE, 3, 2)), list(1:3))
  expect_identical(missing_patterns(matrix(FALSE, 0, 2)), list())
})

# Networks that ruin a covariance matrix, but whose answers can be written down.

test_that("a measurement may be 1e12 times as precise as what was known", {
  measured <- gaussian_network_of(c(u = 1e6, y = 1e-6), list(y = c(u = 1)))
  answer <- query(measured, evidence = list(y = 123.456))
  expect_equal(answer$mean[1], 123.456, tolerance = 1e-14)
  expect_equal(answer$sd[1], 1 / sqrt(1e12 + 1e-12), tolerance = 1e-14)
  expect_equal(log_probability(measured, list(y = 123.456)),
               dnorm(123.456, 0, sqrt(1e12 + 1e-12), log = TRUE), tolerance = 1e-14)
})

test_that("two nodes may be the same but for rounding", {
  for (s in c(1e-3, 1e-6, 1e-8, 1e-10)) {
    twice <- gaussian_network_of(c(u = 1, x = s, y = s), list(x = c(u = 1), y = c(u = 1)))
    x <- 0.3 + s
    y <- 0.3
    answer <- query(twice, evidence = list(x = x, y = y))
    expect_equal(answer$sd[1], 1 / sqrt(1 + 2 / s^2), tolerance = 1e-14)
    expect_equal(answer$mean[1], (x + y) / (s^2 + 2), tolerance = 1e-14)
    # sum and difference are independent; x and y are told apart to 1e-16 / s
    expected <- dnorm(x - y, 0, sqrt(2) * s, log = TRUE) +
      dnorm((x + y) / 2, 0, sqrt(1 + s^2 / 2), log = TRUE)
    expect_equal(log_probability(twice, list(x = x, y = y)), expected,
                 tolerance = 1e-14 + 1e-16 / s)
  }
})

test_that("small disturbances are seen beside large ones", {
  w <- 1e-8
  for (s in c(1e-8, 1e-10, 1e-12)) {
    split <- gaussian_network_of(c(small = w, large = 1, x = s, y = s),
                                 list(x = c(large = 1, small = 1), y = c(large = 1, small = -1)))
    x <- 0.3 + 1.1 * w
    y <- 0.3 - 0.7 * w
    answer <- query(split, evidence = list(x = x, y = y))
    expect_equal(answer$sd[1:2], 1 / sqrt(c(1 / w^2, 1) + 2 / s^2), tolerance = 1e-13)
    expect_equal(answer$mean[1], (x - y) / 2 / (1 + (s / w)^2 / 2), tolerance = 1e-7)
    expect_equal(answer$mean[2], (x + y) / 2 / (1 + s^2 / 2), tolerance = 1e-14)
  }
})

test_that("spreads over 15 orders of magnitude keep their digits", {
  # chain: a -> b -> c and d -> c, with everything but one node observed. The
  # precision of that node is the sum of its own and its children's.
  spread <- c(a = 1e6, b = 1e-9, c = 1e-3, d = 1)
  chain <- gaussian_network_of(spread, list(b = c(a = 1e-6), c = c(b = 1e3, d = -2)))
  known <- list(a = 2e5, b = 0.2, c = 100, d = 50)
  sd_of <- function(node) query(chain, node, known[names(known) != node])$covariance[[1]]^0.5
  expect_equal(sd_of("a"), 1 / sqrt(1e-12 + 1e-12 / 1e-18), tolerance = 1e-14)
  expect_equal(sd_of("b"), 1 / sqrt(1 / 1e-18 + 1e6 / 1e-6), tolerance = 1e-14)
  expect_equal(sd_of("d"), 1 / sqrt(1 + 4 / 1e-6), tolerance = 1e-14)
})

test_that("units do not matter", {
  set.seed(4)
  for (repeats in 1:10) {
    fit <- random_gaussian_fit(6)
    unit <- rlang::set_names(10^stats::runif(6, -6, 6), fit$nodes)
    scaled <- fit
    scaled$models <- lapply(fit$models, function(model) {
      model$coefficients[, 1] <- model$coefficients[, 1] * unit[[model$node]] /
        c(1, unit[model$continuous])
      model$sd <- model$sd * unit[[model$node]]
      model
    })
    row <- unlist(simulate(fit, 1))
    known <- sample(fit$nodes, 3)
    plain <- query(fit, evidence = row[known])
    other <- query(scaled, evidence = row[known] * unit[known])
    expect_equal(other$mean / unit, plain$mean, tolerance = 1e-11, ignore_attr = TRUE)
    expect_equal(other$sd / unit, plain$sd, tolerance = 1e-11, ignore_attr = TRUE)
    expect_equal(log_probability(scaled, row[known] * unit[known]) + sum(log(unit[known])),
                 log_probability(fit, row[known]), tolerance = 1e-11)
  }
})

test_that("units do not hide which disturbances are small", {
  in_unit <- function(unit) {
    network <- gaussian_network_of(
      c(small = 1e-8, large = 1, other = 1, x = 1e-10, y = 1e-10 * unit),
      list(x = c(large = 1, small = 1), y = c(other = unit, small = unit))
    )
    query(network, evidence = list(x = 0.5, y = 0.25 * unit))
  }
  # the sd of `large`, known by x alone as `other` hides what y says of `small`
  sd <- 1 / sqrt(1 + 1 / (1e-16 + 1e-20))
  for (unit in c(1, 1e9, 1e-9)) expect_equal(in_unit(unit)$sd[2:3], c(sd, sd), tolerance = 1e-13)
})

test_that("draws have the conditional mean and covariance", {
  set.seed(5)
  fit <- random_gaussian_fit(5)
  network <- as_linear_network(fit)
  row <- matrix(c(NA, 1, NA, -1, NA), 1)
  given <- condition_network(network, c(1L, 3L, 5L))
  residuals <- network_residuals(network, row)
  draws <- draw_unknown(given, residuals, 1e5)
  covariance <- crossprod(given$factor)
  sd <- sqrt(diag(covariance))
  expect_lt(max(abs(colMeans(draws) - tell_unknown(given, residuals)$mean) / sd), 5 / sqrt(1e5))
  expect_lt(max(abs(cov(draws) - covariance) / tcrossprod(sd)), 8 / sqrt(1e5))
})

test_that("draws do not depend on the directions that the factorisation takes", {
  set.seed(6)
  network <- as_linear_network(random_gaussian_fit(7))
  row <- matrix(c(NA, 1, NA, -1, NA, NA, 0.5), 1)
  residuals <- network_residuals(network, row)
  given <- condition_network(network, which(is.na(row)))
  turned <- given
  determined <- seq_along(given$touched)
  signs <- rep_len(c(-1, 1), length(given$touched) + length(given$unknown))
  turned$split$turn <- function(x) signs * given$split$turn(x)
  turned$split$triangle <- signs[determined] * given$split$triangle
  turned$gain <- signs[determined] * given$gain
  turned$factor <- signs[-determined] * given$factor
  expect_gt(length(determined), 0)
  expect_equal(with_seed(7, draw_unknown(turned, residuals, 4)),
               with_seed(7, draw_unknown(given, residuals, 4)))
})
