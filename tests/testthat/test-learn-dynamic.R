test_that("arcs lead to now, and the score is the best of all such networks", {
  series <- discrete_series(steps = 120)[c("state", "seen", "follows")]
  network <- learn_quietly(series, score = "bic")
  expect_s3_class(network, "optbn_dynamic")
  expect_equal(certificate(network)$status, "optimal")
  expect_match(format(network), "proved optimal over all parent sets", all = FALSE)

  # every variable's best parents by brute force, over all orders of the variables of now
  rows <- lagged(series)
  sets <- suppressMessages(parent_sets(as.data.frame(rows), "bic", max_parents = 5))
  past <- setdiff(names(rows), names(series))
  best <- function(node, allowed) {
    of_node <- sets$sets[[match(node, names(rows))]]
    ends <- cumsum(of_node$size)
    usable <- vapply(seq_along(ends), function(i) {
      members <- of_node$parents[seq_len(of_node$size[i]) + ends[i] - of_node$size[i]]
      all(names(rows)[members] %in% allowed)
    }, NA)
    max(of_node$score[usable])
  }
  orders <- list(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
  scores <- vapply(orders, function(order) {
    sum(vapply(seq_along(order), function(i) {
      best(names(series)[order[i]], c(past, names(series)[order[seq_len(i - 1)]]))
    }, 0))
  }, 0)
  expect_equal(sum(certificate(network)$node_scores[names(series)]), max(scores))
})

test_that("without arcs within slices all parents are past", {
  network <- learn_quietly(continuous_series(), lags = 2, within = FALSE, score = "bic-g")
  arcs <- as.data.frame(network)
  expect_true(all(arcs$lag %in% 1:2))
  expect_true(any(arcs$from == "level" & arcs$to == "late" & arcs$lag == 1))
})

test_that("constraints are meant for all slices", {
  network <- learn_quietly(
    continuous_series(), lags = 2, score = "bic-g", max_parents = c(late = 1, level = 2, seen = 2),
    whitelist = rbind(c("late_lag2", "seen"), c("late", "seen")),
    blacklist = c("level_lag1", "late")
  )
  arcs <- as.data.frame(network)
  expect_true(nrow(merge(arcs, data.frame(from = "late", to = "seen", lag = c(0, 2)))) == 2)
  expect_false(any(arcs$from == "level" & arcs$to == "late" & arcs$lag == 1))
  expect_lte(sum(arcs$to == "late"), 1)
  initial <- as.data.frame(network$initial)
  expect_true(any(initial$from == "late_lag1" & initial$to == "seen_lag1"))
  expect_true(any(initial$from == "late_lag2" & initial$to == "seen_lag2"))
  expect_false(any(initial$from == "level_lag2" & initial$to == "late_lag1"))
})

test_that("first slices are learned from first rows where there are many", {
  series <- discrete_series(subjects = 110, steps = 4)
  network <- learn_quietly(series, id = "who", time = "when", score = "bic")
  expect_equal(network$rows, "first")
  fit <- fit_quietly(network, series)
  expect_equal(fit$initial$n, 110)
  expect_equal(fit$transition$n, 330)
  expect_equal(learn_quietly(series, id = "who", time = "when", initial = "all")$rows, "all")
  series$state[series$when == 1] <- "a"
  expect_equal(learn_quietly(series, id = "who", time = "when", score = "bic")$rows, "all")
})

test_that("the order of rows, columns and threads does not matter", {
  series <- discrete_series(subjects = 5, steps = 40)
  learn <- function(series, ...) {
    network <- learn_quietly(series, id = "who", time = "when", score = "bde", ...)
    sum(certificate(network)$node_scores[c("state", "seen", "follows")])
  }
  whole <- learn(series)
  expect_equal(learn(series[rev(seq_len(nrow(series))), ]), whole)
  expect_equal(learn(series[c(5, 2, 4, 1, 3)]), whole)
  expect_equal(learn(series, threads = 2), whole)
})

test_that("a table of lagged() is taken as it is", {
  series <- continuous_series()
  rows <- lagged(series, 2)
  expect_equal(as.data.frame(learn_quietly(rows, score = "bic-g")),
               as.data.frame(learn_quietly(series, 2, score = "bic-g")))
})

test_that("missing values are taken by structural EM", {
  series <- continuous_series(150)[c("level", "late")]
  series$late[seq(5, 150, by = 11)] <- NA
  network <- learn_quietly(series, missing = "em", score = "bic-g")
  expect_false(any(network$transition$arcs[, "to"] %in% c("level_lag1", "late_lag1")))
  fit <- fit_quietly(network, series, method = "em")
  expect_s3_class(fit, "optbn_dynamic_fit")
  expect_lt(predict(fit, series)$sd[1], 2)
})

test_that("it prints its arcs by lag", {
  network <- learn_quietly(discrete_series(subjects = 2), id = "who", time = "when", score = "bic")
  expect_snapshot(print(network), transform = function(x) sub(", [0-9.]+ s$", ", ... s", x))
})

test_that("variables that were set count as parents alone", {
  series <- discrete_series(subjects = 3, steps = 80)
  set <- list(seen = c(3:30, 90:120), follows = 100:170)
  for (v in names(set)) series[[v]][set[[v]]] <- sample(series[[v]], length(set[[v]]), TRUE)
  learn <- function(...) learn_quietly(..., score = "bde")
  network <- learn(series, id = "who", time = "when", targets = set)
  rows <- lagged(series, id = "who", time = "when")
  index <- attr(rows, "lagged")$index
  number <- index$when + 80 * (index$who - 1) # of the row in the series
  here <- lapply(set, function(set) which(number %in% set))
  before <- lapply(set, function(set) which((number - 1) %in% set))
  plain <- as.data.frame(rows)
  expect_equal(certificate(network$transition)$score,
               score_network(network$transition, plain, "bde", targets = here))
  past <- c("state_lag1", "seen_lag1", "follows_lag1")
  expect_equal(certificate(network$initial)$score,
               score_network(network$initial, plain[past], "bde",
                             targets = rlang::set_names(before, paste0(names(set), "_lag1"))))
  most <- c(state = 5, seen = 5, follows = 5, state_lag1 = 0, seen_lag1 = 0, follows_lag1 = 0)
  best <- suppressMessages(learn_dag(plain, "bde", targets = here, max_parents = most))
  expect_equal(certificate(network$transition)$score, certificate(best)$score)
  # as a column, or from lagged()
  named <- series
  named$what <- vapply(seq_len(240), function(i) {
    paste(names(Filter(function(rows) i %in% rows, set)), collapse = " ")
  }, "")
  named$what <- strsplit(named$what, " ")
  again <- learn(named, id = "who", time = "when", targets = "what")
  expect_identical(again$layout$variables, network$layout$variables)
  expect_equal(certificate(again$transition)$score, certificate(network$transition)$score)
  taken <- learn(lagged(named, id = "who", time = "when", targets = "what"))
  expect_equal(certificate(taken$initial)$score, certificate(network$initial)$score)
  # parameters, too
  fit <- fit_quietly(network, series, targets = set)
  expect_equal(coef(fit)$seen,
               coef(fit_network(network$transition, plain, targets = here))$seen)
  expect_equal(fit_quietly(again, named, targets = "what")$initial$models, fit$initial$models)
  # a static column that was set in a row was set for the subject
  static <- transform(series, group = factor(c("p", "q", "q")[who]))
  laid <- lagged(static, id = "who", time = "when", static = "group", targets = list(group = 81))
  expect_identical(attr(laid, "lagged")$targets, list(group = 80:158))
})

test_that("after an interrupt the first initial network will do", {
  local_values(was_interrupted = function(network) TRUE,
               learn_initial = function(start, score, further, ...) further)
  expect_identical(learn_quietly(continuous_series(50), threads = 1)$initial,
                   list(threads = 1, progress = FALSE, time_limit = 0))
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "series <- as.data.frame(matrix(sample(0:1, 20 * 300, TRUE), 300))",
    "for (v in 2:20) series[[v]] <- (series[[v]] + series[[v - 1]]) %% 2",
    "series <- as.data.frame(lapply(series, factor))",
    "caught <- tryCatch(learn_dynamic(series, score = score_bde(iss = 100), time_limit = Inf),",
    "                   interrupt = function(caught) class(caught))",
    "result <- list(caught = caught, network = learn_dynamic(series[1:3]))"
  ))
  expect_true("interrupt" %in% result$caught) # before there was a network
  expect_s3_class(result$network, "optbn_dynamic")
})

test_that("bad input is refused", {
  series <- continuous_series(50)
  rows <- lagged(series)
  expect_snapshot(error = TRUE, {
    learn_dynamic()
    learn_dynamic(1)
    learn_dynamic(series, lags = "1")
    learn_dynamic(series, within = NA)
    learn_dynamic(series, initial = "some")
    learn_dynamic(series, weights = 1)
    learn_dynamic(series, targets = list(sight = 1:9))
    learn_dynamic(series, targets = list(level = 1:50))
    learn_dynamic(lagged(series), targets = list(level = 1:9))
    learn_dynamic(rows, lags = 1)
    learn_dynamic(rows[1:10, ])
    learn_dynamic(series, whitelist = c("level", "seen_lag1"))
    learn_dynamic(series, blacklist = c("level", "sight"))
    learn_dynamic(series, max_parents = c(level = 1))
    learn_dynamic(series, max_parents = -1)
    learn_dynamic(series, score = "bic")
    learn_dynamic(replace(series, 2, list(1)))
  })
  network <- learn_quietly(series, score = "bic-g")
  network$layout$lags <- 0L
  expect_error(print(network), class = "optbn_error_model")
})
