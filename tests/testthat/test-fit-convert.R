discrete_string <- "[A][C][F][B|A][D|A:C][E|B:F]"
mixed_string <- "[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]"

expect_round_trip <- function(fit, data) {
  converted <- bnlearn::as.bn.fit(fit)
  expect_s3_class(converted, "bn.fit")
  back <- fit_network(converted, data)
  expect_identical(back$nodes, fit$nodes)
  expect_identical(back$parents, fit$parents)
  expect_equal(as.numeric(logLik(converted, data)), logLik(fit, newdata = data)[1L],
               tolerance = 1e-10)
  for (node in fit$nodes) {
    expect_equal(coef(converted[[node]]), coef(fit)[[node]], tolerance = 1e-12)
    if (is.null(fit$levels[[node]])) {
      expect_equal(unname(converted[[node]]$sd), unname(local_model(fit, node)$sd))
    }
  }
  invisible(converted)
}

test_that("tables, regressions and their mixtures become bnlearn's", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test
  converted <- expect_round_trip(fit_network(discrete_string, data), data)
  expect_s3_class(converted, "bn.fit.dnet")

  data <- bnlearn::gaussian.test
  converted <- expect_round_trip(fit_network(bnlearn::hc(data), data), data)
  expect_s3_class(converted, "bn.fit.gnet")

  data <- bnlearn::clgaussian.test
  converted <- expect_round_trip(fit_network(mixed_string, data), data)
  expect_s3_class(converted, "bn.fit.cgnet")
})

test_that("ordered factors become ordinal nodes", {
  skip_without_peer("bnlearn")
  data <- transform(bnlearn::learning.test, B = factor(B, ordered = TRUE))
  fit <- fit_network(discrete_string, data)
  converted <- expect_round_trip(fit, data)
  expect_s3_class(converted$B, "bn.fit.onode")
  expect_s3_class(converted$A, "bn.fit.dnode")
})

test_that("configurations follow bnlearn's order of the parents", {
  skip_without_peer("bnlearn")
  data <- bnlearn::clgaussian.test
  fit <- fit_network(mixed_string, data)
  model <- local_model(fit, "G")
  swapped <- bnlearn_distribution(model, c("F", "A", "E", "D"))
  # A and F have two levels each: the second and third configuration change places
  expect_identical(unname(swapped$coef), unname(model$coefficients[, c(1, 3, 2, 4)]))
  expect_identical(swapped$sd, unname(model$sd[c(1, 3, 2, 4)]))
})

test_that("as.bn() gives the structure as a plain bn", {
  skip_without_peer("bnlearn")
  fit <- fit_network(discrete_string, bnlearn::learning.test)
  network <- bnlearn::as.bn(fit)
  expect_identical(class(network), "bn")
  expect_identical(bnlearn::modelstring(network), discrete_string)
  lonely <- fit_network("[Species][Sepal.Width]", iris)
  expect_identical(bnlearn::narcs(bnlearn::as.bn(lonely)), 0L)
})

test_that("bnlearn's functions work on what is converted", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test
  fit <- fit_network(discrete_string, data)
  converted <- bnlearn::as.bn.fit(fit)

  set.seed(1)
  drawn <- bnlearn::rbn(converted, 2e4)
  expect_identical(lapply(drawn, levels), fit$levels)
  expect_lt(max(abs(coef(fit_network(discrete_string, drawn))$D - coef(fit)$D)), 0.05)

  # P(A = a | B = b) by sampling and by Bayes' rule; D, below A, plays no part
  by_rule <- predict(fit_network("[A][B|A]", data), data.frame(B = "b"), "A", type = "prob")
  sampled <- bnlearn::cpquery(converted, A == "a", B == "b", n = 2e5)
  expect_lt(abs(sampled - by_rule[, "a"]), 0.006)

  file <- withr::local_tempfile(fileext = ".bif")
  bnlearn::write.bif(file, converted)
  expect_equal(coef(bnlearn::read.bif(file)$E), coef(fit)$E, tolerance = 1e-5)
})

test_that("a level NA, which bnlearn has not, is refused by its column", {
  skip_without_peer("bnlearn")
  data <- data.frame(a = addNA(factor(c("x", "y", NA, "x"))), b = c("u", "v", "v", "u"))
  fit <- fit_network("[a][b|a]", data)
  expect_error(bnlearn::as.bn.fit(fit), "level of column \"a\"", class = "optbn_error_conversion")
  tree <- learn_chow_liu(data)
  expect_error(bnlearn::as.bn.fit(tree), "level of column \"a\"", class = "optbn_error_conversion")
})

test_that("gRain gives the posterior that predict() gives", {
  skip_without_peer("bnlearn")
  skip_without_peer("gRain")
  data <- bnlearn::learning.test
  fit <- fit_network(discrete_string, data)
  grain <- bnlearn::as.grain(bnlearn::as.bn.fit(fit))
  for (i in c(1, 20, 300)) {
    evidence <- lapply(data[i, names(data) != "B"], as.character)
    posterior <- gRain::querygrain(gRain::setEvidence(grain, evidence = evidence), "B")$B
    expect_equal(as.vector(posterior),
                 as.vector(predict(fit, data[i, ], "B", type = "prob")), tolerance = 1e-10)
  }
})
