hide <- function(series, column, rows) {
  series[rows, column] <- NA
  series
}

question_of <- function(asked, slices, mode) {
  list(asked = asked, slices = slices, mode = mode, report = function(steps = 1) NULL)
}

test_that("discrete series are filtered and smoothed as by the unrolled network", {
  series <- discrete_series()[c("state", "seen", "follows")]
  for (lags in 1:2) {
    fit <- fit_quietly(learn_quietly(series, lags, score = "aic"), series)
    part <- hide(hide(hide(series[1:6, ], "state", 1:6), "seen", c(2, 5)), "follows", c(3, 5))
    expect_as_unrolled(filtered(fit, part), fit, part, whole = FALSE)
    expect_as_unrolled(smoothed(fit, part), fit, part, whole = TRUE)
    expect_as_unrolled(predict(fit, part, horizon = 3), fit, part, whole = TRUE)
    expect_as_unrolled(filtered(fit, part[c("seen", "follows")]), fit, part[c("seen", "follows")],
                       whole = FALSE)
  }
})

test_that("a hidden Markov model is filtered as by hand", {
  series <- discrete_series()[c("state", "seen")]
  network <- learn_quietly(series, score = "bic", whitelist = rbind(c("state_lag1", "state"),
                                                                    c("state", "seen")),
                           max_parents = 1)
  fit <- fit_quietly(network, series)
  move <- coef(fit)$state
  emit <- coef(fit)$seen
  # the initial network may point either way
  joint <- query(fit$initial, c("state_lag1", "seen_lag1"))
  seen <- as.character(series$seen)
  belief <- joint[, seen[1]] / sum(joint[, seen[1]])
  told <- filtered(fit, series["seen"], "state")
  expect_equal(told$probability[1:3], as.vector(belief))
  for (t in 2:60) {
    belief <- as.vector(move %*% belief) * emit[seen[t], ]
    belief <- belief / sum(belief)
    expect_equal(told$probability[told$time == t], as.vector(belief))
  }
})

test_that("Gaussian series are filtered and smoothed as by the joint normal", {
  series <- continuous_series()
  for (lags in 1:2) {
    fit <- fit_quietly(learn_quietly(series, lags, score = "bic-g"), series)
    part <- hide(hide(hide(series[1:6, ], "level", 1:6), "seen", c(2, 5)), "late", c(3, 5))
    expect_as_unrolled(filtered(fit, part), fit, part, whole = FALSE)
    expect_as_unrolled(smoothed(fit, part), fit, part, whole = TRUE)
    expect_as_unrolled(predict(fit, part, horizon = 3), fit, part, whole = TRUE)
  }
})

test_that("a state space model is filtered and smoothed as by Kalman, Rauch, Tung and Striebel", {
  series <- continuous_series(120)[c("level", "seen")]
  network <- learn_quietly(series, score = "bic-g", max_parents = 1,
                           whitelist = rbind(c("level_lag1", "level"), c("level", "seen")))
  fit <- fit_quietly(network, series)
  move <- fit$transition$models$level
  emit <- fit$transition$models$seen
  y <- replace(series$seen, c(4, 50:60), NA)
  first <- query(fit$initial, c("level_lag1", "seen_lag1"))
  gain <- first$covariance[1, 2] / first$covariance[2, 2]
  m <- first$mean[[1]] + gain * (y[1] - first$mean[[2]])
  v <- first$covariance[1, 1] - gain * first$covariance[1, 2]
  predicted <- NULL
  for (t in 2:120) {
    m0 <- move$coefficients[1] + move$coefficients[2] * m[t - 1]
    v0 <- move$coefficients[2]^2 * v[t - 1] + move$sd^2
    predicted <- rbind(predicted, c(m0, v0))
    slope <- emit$coefficients[2]
    gain <- if (is.na(y[t])) 0 else v0 * slope / (slope^2 * v0 + emit$sd^2)
    surprise <- if (is.na(y[t])) 0 else y[t] - emit$coefficients[1] - slope * m0
    m[t] <- m0 + gain * surprise
    v[t] <- (1 - gain * slope) * v0
  }
  told <- filtered(fit, data.frame(seen = y), "level", level = 0.9)
  expect_equal(told$mean, m)
  expect_equal(told$sd, sqrt(v))
  expect_equal(told$upper, m + stats::qnorm(0.95) * sqrt(v))
  for (t in 119:1) {
    back <- v[t] * move$coefficients[2] / predicted[t, 2]
    m[t] <- m[t] + back * (m[t + 1] - predicted[t, 1])
    v[t] <- v[t] + back^2 * (v[t + 1] - predicted[t, 2])
  }
  told <- smoothed(fit, data.frame(seen = y), "level")
  expect_equal(told$mean, m)
  expect_equal(told$sd, sqrt(v))
})

test_that("mixed series are exact by whichever way there is", {
  series <- mixed_series()
  fit <- fit_quietly(learn_quietly(series, score = "bic-cg"), series)
  recursion <- recursion_of(fit, NULL)
  by_unrolling <- function(part, mode) {
    known <- series_of(fit, part, NULL)$subjects[[1]]$known
    slices <- seq_len(nrow(part))
    found <- posteriors_unrolled(recursion, fit, known, question_of(1:2, slices, mode), NULL)
    tell_posteriors(found, slices, recursion, recursion$nodes, 0.95)
  }
  for (part in list(hide(series[1:7, ], "value", c(2, 3, 7)),
                    hide(series[1:7, ], "regime", 1:6))) {
    for (mode in c("filter", "smooth")) {
      verb <- if (mode == "filter") filtered else smoothed
      expect_equal(verb(fit, part)[-1], by_unrolling(part, mode)[-1], tolerance = 1e-8)
    }
  }
  # both hidden: regimes one after another are enumerated by hand
  part <- hide(hide(series[1:3, ], "regime", 1:3), "value", 2)
  told <- smoothed(fit, part)
  whole <- unroll(fit, 3)
  cases <- expand.grid(rep(list(c("calm", "wild")), 3), stringsAsFactors = FALSE)
  weight <- apply(cases, 1, function(case) {
    row <- data.frame(regime_1 = case[1], regime_2 = case[2], regime_3 = case[3],
                      value_1 = part$value[1], value_2 = NA_real_, value_3 = part$value[3])
    exp(log_density(whole, row))
  })
  weight <- weight / sum(weight)
  expect_equal(told$probability[told$time == 2 & told$node == "regime"],
               c(sum(weight[cases[, 2] == "calm"]), sum(weight[cases[, 2] == "wild"])))
  # far ahead, by moments: the regimes of 40 slices have 2^40 configurations
  ahead <- predict(fit, series, horizon = 4)
  expect_equal(nrow(ahead), 4 * 3)
  expect_equal(head(predict(fit, series, horizon = 40), 12), ahead)
  hidden <- hide(hide(series[1:40, ], "regime", 1:40), "value", 1:39)
  expect_error(smoothed(fit, hidden), class = "optbn_error_memory")
})

test_that("cuts leave nothing out", {
  series <- mixed_series()
  fit <- fit_quietly(learn_quietly(series, score = "bic-cg"), series)
  part <- hide(series[1:40, ], "regime", c(3, 20))
  part$value[c(4, 20)] <- NA
  told <- filtered(fit, part)
  tail_only <- filtered(fit, part[15:40, ])
  later <- tail_only[tail_only$time > 3, -1]
  expect_equal(told[told$time > 17, -1], later, ignore_attr = TRUE, tolerance = 1e-8)
})

test_that("subjects, gaps in time and static columns are gone through one by one", {
  series <- discrete_series(subjects = 4, steps = 60)
  series$sex <- factor(c("f", "m", "f", "m")[series$who])
  fit <- fit_quietly(learn_quietly(series, id = "who", time = "when", static = "sex", score = "bic",
                                   whitelist = c("sex", "follows")), series)
  part <- series[series$who %in% 2:3 & series$when %in% c(1, 2, 4), ]
  told <- smoothed(fit, part)
  expect_named(told, c("who", "when", "node", "level", "probability"))
  expect_equal(unique(told$when), 1:4)
  alone <- smoothed(fit, part[part$who == 3, ])
  expect_equal(told[told$who == 3, ], alone, ignore_attr = TRUE)
  of_sex <- smoothed(fit, part[setdiff(names(part), "sex")], "sex")
  expect_equal(nrow(of_sex), 2 * 4 * 2)
  compiled <- compile_network(unroll(fit, 4))
  known <- unrolled_evidence(rbind(part[1:2, ], NA, part[3, ]), fit$layout$variables)
  expect_equal(of_sex$probability[1:2], as.vector(query(compiled, "sex", known)))
  expect_equal(predict(fit, part, horizon = 2, nodes = "seen")$when, rep(rep(5:6, each = 3), 2))
})

test_that("forecasts go on with the time of the series", {
  sales <- data.frame(month = seq(as.Date("2020-01-01"), by = "month", length.out = 48),
                      x = sin(1:48) + (1:48) / 50)
  fit <- fit_quietly(learn_quietly(sales, 2, time = "month", score = "bic-g"), sales)
  expect_equal(predict(fit, sales, 3)$month, as.Date(c("2024-01-01", "2024-02-01", "2024-03-01")))
  expect_equal(predict(fit, sales[sample(48), ], 3), predict(fit, sales, 3))
})

test_that("a series of which nothing is known has the distribution of the unrolled network", {
  series <- discrete_series()[c("state", "seen", "follows")]
  fit <- fit_quietly(learn_quietly(series, score = "bic"), series)
  nothing <- series[1:3, ]
  nothing[] <- NA
  expect_as_unrolled(filtered(fit, nothing), fit, nothing, whole = FALSE)
  one <- filtered(fit, series[1, ])
  expect_equal(unique(one$time), 1)
})

test_that("messages that are too large are refused, and the junction tree answers the same", {
  expect_error(require_cells(2^25, NULL), class = "optbn_error_memory")
  series <- discrete_series()[c("state", "seen", "follows")]
  fit <- fit_quietly(learn_quietly(series, score = "bic"), series)
  part <- hide(series[1:5, ], "state", 2:4)
  recursion <- recursion_of(fit, NULL)
  known <- series_of(fit, part, NULL)$subjects[[1]]$known
  for (mode in c("smooth", "filter")) {
    found <- posteriors_unrolled(recursion, fit, known, question_of(1:3, 1:5, mode), NULL)
    told <- tell_posteriors(found, 1:5, recursion, recursion$nodes, 0.95)
    verb <- if (mode == "smooth") smoothed else filtered
    expect_equal(told$probability, verb(fit, part)$probability)
  }
})

test_that("a stretch from the midst of a series does not begin as series begin", {
  # every subject begins with "a"; what a series has later is impossible at its begin
  series <- discrete_series(subjects = 25, steps = 12)
  first <- which(series$when == 1)
  series$state[first] <- "a"
  series$seen[first] <- rep(c("x", "y"), length.out = 25)
  network <- learn_quietly(series, id = "who", time = "when", score = "bic", initial = "first")
  fit <- fit_quietly(network, series, method = "mle")
  expect_equal(as.vector(local_model(fit$initial, "state_lag1")$prob), c(1, 0, 0))
  part <- series[series$who == 1, ]
  part$state[10:12] <- c("c", "b", "b")
  recursion <- recursion_of(fit, NULL)
  known <- c(series_of(fit, part, NULL)$subjects[[1]]$known, rep(NA, 9))
  found <- posteriors_unrolled(recursion, fit, known, question_of(1:3, 13:15, "forecast"), NULL)
  told <- tell_posteriors(found, 13:15, recursion, recursion$nodes, 0.95)
  expect_equal(told$probability, predict(fit, part, 3)$probability)
})

test_that("a bar shows nothing of the answer, and counts all slices", {
  series <- discrete_series(subjects = 2, steps = 40)
  fit <- fit_quietly(learn_quietly(series, id = "who", time = "when", score = "bic"), series)
  series$state <- NULL
  done <- 0
  total <- NULL
  local_values(progress_bar = function(progress, label, total, ...) {
    total <<- total
    function(steps = 1) done <<- done + steps
  })
  expect_counted <- function(answer, slices) {
    force(answer)
    expect_identical(c(done, total), c(slices, slices))
    done <<- 0
  }
  expect_counted(filtered(fit, series), 80)
  expect_counted(smoothed(fit, series), 160)
  expect_counted(predict(fit, series, horizon = 3), 6)
  mixed <- mixed_series(60)
  unrolled <- fit_quietly(learn_quietly(mixed), mixed)
  mixed <- mixed[1:6, ]
  mixed[c(2, 5), ] <- NA
  expect_counted(filtered(unrolled, mixed), 6)
})

test_that("an interrupt ends long recursions, and R goes on", {
  for (call in c("filtered(fit, series)", "smoothed(fit, series)", "unroll(fit, 1e6)")) {
    result <- interrupt_at_work(c(
      "set.seed(1)",
      "series <- data.frame(x = cumsum(rnorm(1e5)) / 1e3)",
      "series$y <- series$x + rnorm(1e5)",
      "fit <- fit_network(learn_dynamic(series[1:500, ], progress = FALSE), series[1:500, ])",
      "series$x <- NULL",
      "short <- smoothed(fit, series[1:9, , drop = FALSE])",
      sprintf("caught <- tryCatch(%s, interrupt = function(caught) class(caught))", call),
      "again <- smoothed(fit, series[1:9, , drop = FALSE])",
      "result <- list(caught = caught, same = identical(again, short))"
    ))
    expect_true("interrupt" %in% result$caught)
    expect_true(result$same)
  }
})

test_that("bad input is refused", {
  series <- discrete_series(subjects = 2, steps = 60)
  fit <- fit_quietly(learn_quietly(series, id = "who", time = "when", score = "bic"), series)
  trees <- continuous_series(60)
  trees <- list(fit = fit_quietly(learn_quietly(trees, score = "pcart", max_parents = 1), trees),
                data = trees)
  part <- series[1:5, ]
  changed <- function(...) utils::modifyList(part, list(...))
  expect_snapshot(error = TRUE, {
    filtered(fit)
    filtered(fit$transition, part)
    smoothed(1, part)
    filtered(fit, as.list(part))
    filtered(fit, part[0, ])
    filtered(fit, part[-1])
    filtered(fit, part[-2])
    filtered(fit, part, nodes = "sea")
    filtered(fit, part, level = 1)
    smoothed(fit, part, progress = "yes")
    predict(fit, part, progress = NA)
    filtered(fit, changed(seen = letters[1:5]))
    filtered(fit, changed(when = c(1, 2, 3, 4, 4)))
    filtered(fit, changed(when = c(1, 2, 3, 4, 4.5)))
    filtered(fit, changed(when = c(1, 2, 3, 4, 1e9)))
    predict(fit, part, horizon = 0)
    predict(fit, part, nodes = 1)
    smoothed(trees$fit, trees$data)
  })
})

test_that("impossible series are refused", {
  series <- data.frame(x = factor(rep(c("a", "b"), 50)),
                       y = factor(rep(c("u", "u", "v"), 100)[1:100]))
  fit <- fit_quietly(learn_quietly(series, score = "bic"), series, method = "mle")
  odd <- data.frame(x = factor(c("a", "a", "b")), y = factor(c("u", NA, "u"), c("u", "v")))
  expect_snapshot(error = TRUE, {
    filtered(fit, odd)
    smoothed(fit, odd[1:2, "x", drop = FALSE])
  })
})
