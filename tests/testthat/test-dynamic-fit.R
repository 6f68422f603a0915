test_that("tables and regressions are those of the rows with their past", {
  series <- continuous_series()
  network <- learn_quietly(series, score = "bic-g")
  fit <- fit_quietly(network, series)
  rows <- as.data.frame(lagged(series))
  for (node in names(series)) {
    parents <- fit$transition$parents[[node]]
    by_hand <- stats::lm(stats::reformulate(c("1", parents), node), rows)
    expect_equal(coef(fit)[[node]], stats::coef(by_hand)[c("(Intercept)", parents)])
  }
  expect_equal(attr(logLik(fit), "df"), 2 * 3 + nrow(as.data.frame(network)))
  expect_equal(nobs(fit), nrow(series) - 1)
  # of maximum likelihood, the residual standard deviation is another
  by_node <- score_network(network$transition, rows, "loglik-g", by_node = TRUE)
  expect_equal(c(logLik(fit)), sum(by_node[names(series)]), tolerance = 1e-6)
  expect_equal(fit_quietly(network, lagged(series)), fit)
})

test_that("it prints its models", {
  fit <- fit_quietly(learn_quietly(discrete_series(), id = "who", time = "when", score = "bic"),
                     discrete_series())
  expect_snapshot(print(fit))
})

test_that("bad input is refused", {
  series <- continuous_series(50)
  network <- learn_quietly(series, score = "bic-g")
  expect_snapshot(error = TRUE, {
    fit_network(network, series[1:2])
    fit_network(network, series, weights = rep(1, 50))
    fit_network(network, series, targets = "sight")
    fit_network(network, lagged(series), targets = list(level = 1:9))
    fit_network(network, lagged(series, 2))
    fit_network(network, "series")
    fit_network(network, series, method = "most")
  })
  fit <- fit_quietly(network, series)
  fit$transition$models$seen$sd <- -1
  expect_error(print(fit), class = "optbn_error_model")
  expect_error(filtered(fit, series), class = "optbn_error_model")
  expect_error(unroll(fit, 2), class = "optbn_error_model")
})
