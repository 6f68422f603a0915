# What the help page says, in plain R: the log-probabilities of new rows.
predictive_table <- function(node, parents, data, new, iss) {
  levels <- vapply(data[parents], nlevels, 0L)
  counts <- function(rows) matrix(table(rows[c(node, parents)]), nlevels(data[[node]]))
  alpha <- iss / length(counts(data))
  prob <- (counts(data) + alpha) / rep(colSums(counts(data) + alpha), each = nrow(counts(data)))
  prob[is.nan(prob)] <- 0 # where nothing is known of a configuration
  terms <- counts(new) * log(prob)
  sum(terms[counts(new) > 0])
}

predictive_regression <- function(node, parents, data, new) {
  discrete <- vapply(data[parents], is.factor, NA)
  cell <- function(rows) do.call(paste, c(list(rep("", nrow(rows))), rows[parents[discrete]]))
  numbers <- parents[!discrete]
  sum(vapply(unique(cell(new)), function(one) {
    known <- data[cell(data) == one, ]
    fresh <- new[cell(new) == one, ]
    free <- nrow(known) - length(numbers) - 1
    if (free <= 0) return(-Inf)
    fit <- stats::lm.fit(cbind(1, as.matrix(known[numbers])), known[[node]])
    sd <- sqrt(sum(fit$residuals^2) / (if (any(discrete)) free else nrow(known) - 1))
    mean <- cbind(1, as.matrix(fresh[numbers])) %*% fit$coefficients
    sum(stats::dnorm(fresh[[node]], mean, sd, log = TRUE))
  }, 0))
}

# Calls test(label, parents, score) for every subset of the other columns that may be parents.
for_each_family <- function(data, score, test) {
  for (node in names(data)) {
    others <- setdiff(names(data), node)
    if (is.factor(data[[node]])) others <- others[vapply(data[others], is.factor, NA)]
    for (mask in seq_len(2^length(others)) - 1) {
      parents <- others[bitwAnd(mask, 2^(seq_along(others) - 1)) > 0]
      network <- matrix(0, ncol(data), ncol(data), dimnames = list(names(data), names(data)))
      network[parents, node] <- 1
      test(node, parents, score_network(network, data, score, by_node = TRUE)[[node]])
    }
  }
}

halves <- function(data) {
  known <- seq_len(nrow(data)) %% 2 == 1
  list(known = data[known, ], new = data[!known, ])
}

test_that("tables score what the help page says", {
  split <- halves(random_frame(90, discrete = 4))
  impossible <- 0
  for (iss in c(0, 0.1, 1, 20)) {
    for_each_family(split$known, score_pred_loglik(split$new, iss), function(node, parents, score) {
      wanted <- predictive_table(node, parents, split$known, split$new, iss)
      impossible <<- impossible + is.infinite(wanted)
      expect_true(iss == 0 || is.finite(wanted))
      expect_equal(score, wanted, tolerance = 1e-12)
    })
  }
  expect_gt(impossible, 0)
})

test_that("regressions score what the help page says", {
  numbers <- halves(random_frame(100, discrete = 0, continuous = 4))
  for_each_family(numbers$known, score_pred_loglik_g(numbers$new), function(node, parents, score) {
    expect_equal(score, predictive_regression(node, parents, numbers$known, numbers$new),
                 tolerance = 1e-10)
  })
  mixed <- halves(random_frame(80, discrete = 3, continuous = 2))
  impossible <- 0
  for_each_family(mixed$known, score_pred_loglik_cg(mixed$new, 2), function(node, parents, score) {
    wanted <- if (is.factor(mixed$known[[node]])) {
      predictive_table(node, parents, mixed$known, mixed$new, 2)
    } else {
      predictive_regression(node, parents, mixed$known, mixed$new)
    }
    impossible <<- impossible + is.infinite(wanted)
    expect_equal(score, wanted, tolerance = 1e-10)
  })
  expect_gt(impossible, 0)
})

test_that("tables are bnlearn's where all events of the new rows are in the data", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test
  events <- function(node, parents, rows) interaction(rows[c(node, parents)], drop = TRUE)
  compared <- 0
  for (rows in list(1:2500, 1:3000)) {
    known <- data[rows, ]
    new <- data[-rows, ]
    score <- score_pred_loglik(new, iss = 0)
    for (round in 1:3) {
      network <- bnlearn::random.graph(names(data), prob = 0.4)
      ours <- score_network(network, known, score, by_node = TRUE)
      theirs <- bnlearn::score(network, known, type = "pred-loglik", newdata = new, by.node = TRUE)
      roots <- bnlearn::root.nodes(network)
      theirs[roots] <- theirs[roots] - nrow(new) * log(nrow(known) / nrow(new))
      seen <- vapply(names(data), function(node) {
        parents <- bnlearn::parents(network, node)
        all(levels(events(node, parents, new)) %in% levels(events(node, parents, known)))
      }, NA)
      expect_equal(ours[seen], theirs[seen], tolerance = 1e-12)
      expect_true(all(ours[!seen] == -Inf)) # theirs leave such rows out
      compared <- compared + sum(seen)
    }
  }
  expect_gt(compared, 25)
})

test_that("regressions are bnlearn's", {
  skip_without_peer("bnlearn")
  data <- bnlearn::gaussian.test
  for (rows in list(1:200, 1:3000)) {
    for (round in 1:3) {
      network <- bnlearn::random.graph(names(data), prob = 0.6)
      expect_equal(
        score_network(network, data[rows, ], score_pred_loglik_g(data[-rows, ]), by_node = TRUE),
        bnlearn::score(network, data[rows, ], type = "pred-loglik-g", newdata = data[-rows, ],
                       by.node = TRUE),
        tolerance = 1e-11
      )
    }
  }
  mixed <- bnlearn::clgaussian.test
  known <- mixed[1:2500, ] # bnlearn takes no more new rows than rows
  new <- mixed[2501:5000, ]
  for (model in c("[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]",
                  "[A][B|A][C|A:B][F|C][D|A][E|D:A:F][G|E][H|G:D:B]")) {
    network <- bnlearn::model2network(model)
    expect_equal(
      score_network(network, known, score_pred_loglik_cg(new, iss = 0), by_node = TRUE),
      bnlearn::score(network, known, type = "pred-loglik-cg", newdata = new, by.node = TRUE),
      tolerance = 1e-11
    )
  }
})

test_that("searches find the best networks", {
  expect_best <- function(data, score) {
    network <- learn_dag(data, score, progress = FALSE)
    expect_identical(certificate(network)$status, "optimal")
    expect_equal(score_network(network, data, score), certificate(network)$score)
    expect_true(all(verify_certificate(network, data)$ok))
    # The same by a score of which no bound is known.
    own <- score_custom(function(node, parents, data) {
      graph <- matrix(0, ncol(data), ncol(data), dimnames = list(names(data), names(data)))
      graph[parents, node] <- 1
      wrong <- is.factor(data[[node]]) && !all(vapply(data[parents], is.factor, NA))
      if (wrong) -Inf else score_network(graph, data, score, by_node = TRUE)[[node]]
    })
    expect_equal(certificate(learn_dag(data, own, progress = FALSE))$score,
                 certificate(network)$score)
  }
  tables <- halves(random_frame(120, discrete = 4))
  expect_best(tables$known, score_pred_loglik(tables$new))
  expect_best(tables$known, score_pred_loglik(tables$new, iss = 0))
  numbers <- halves(random_frame(60, discrete = 0, continuous = 4))
  expect_best(numbers$known, score_pred_loglik_g(numbers$new))
  mixed <- halves(random_frame(80, discrete = 2, continuous = 2))
  expect_best(mixed$known, score_pred_loglik_cg(mixed$new))
})

test_that("a search on demand finds the same network, and an open one goes on", {
  split <- halves(random_frame(200, discrete = 6))
  score <- score_pred_loglik(split$new)
  wanted <- certificate(learn_dag(split$known, score, progress = FALSE))$score
  network <- suppressMessages(learn_dag(split$known, score, time_limit = 30, progress = FALSE))
  expect_equal(certificate(network)$score, wanted)
  open <- learn_dag(split$known, score, method = "local", progress = FALSE)
  expect_equal(certificate(update(open, split$known, method = "dp"))$score, wanted)
  forecast <- search_size(split$known, score)
  expect_true(is.finite(forecast$seconds))
  expect_match(format(forecast), "newdata = 100 rows", all = FALSE)
})

test_that("scores do not depend on orders, names of levels, or how rows are counted", {
  split <- halves(random_frame(200, discrete = 3, continuous = 2))
  network <- "[D1][D2|D1][D3|D1:D2][X1|D2][X2|D1:X1]"
  score <- function(known, new, ...) {
    score_network(network, known, score_pred_loglik_cg(new, 3), by_node = TRUE, ...)
  }
  wanted <- score(split$known, split$new)
  shuffled <- list(known = split$known[sample(100), 5:1], new = split$new[sample(100), c(3:5, 1:2)])
  relabel <- function(data) {
    data$D2 <- factor(data$D2, rev(levels(data$D2)), rev(LETTERS[seq_len(nlevels(data$D2))]))
    data
  }
  shuffled <- lapply(shuffled, relabel)
  expect_equal(score(shuffled$known, shuffled$new)[names(wanted)], wanted)
  shuffled$new$D2 <- as.character(shuffled$new$D2) # coded as the data are
  shuffled$new$D1 <- factor(shuffled$new$D1, rev(levels(shuffled$new$D1)))
  expect_equal(score(shuffled$known, cbind(shuffled$new, more = NA))[names(wanted)], wanted)
  weights <- rep(0:3, 25)
  expect_equal(score(split$known, split$new, weights = weights),
               score(split$known[rep(1:100, weights), ], split$new))
  # Twice the new rows are twice the score.
  expect_equal(score(split$known, rbind(split$new, split$new)), 2 * wanted)
})

test_that("the prior's share goes to events that no row has", {
  data <- data.frame(a = factor(rep(c("u", "v", "w"), 10), c("u", "v", "w", "z")))
  new <- data.frame(a = factor("z", levels(data$a)))
  score <- function(iss) suppressMessages(score_network("[a]", data, score_pred_loglik(new, iss)))
  expect_equal(score(2), log((2 / 4) / 32))
  expect_identical(score(0), -Inf)
})

test_that("the rows of a table in a database are fetched, or the score is refused", {
  split <- halves(random_frame(400, discrete = 4))
  score <- score_pred_loglik(split$new)
  table <- in_sqlite(split$known)
  there <- suppressMessages(parent_sets(table, score, progress = FALSE))
  here <- parent_sets(split$known, score, progress = FALSE)
  expect_identical(lapply(there$sets, `[[`, "parents"), lapply(here$sets, `[[`, "parents"))
  expect_equal(lapply(there$sets, `[[`, "score"), lapply(here$sets, `[[`, "score"))
  expect_snapshot(error = TRUE, {
    suppressMessages(parent_sets(table, score, memory_limit = little_memory))
  })
})

test_that("bad new rows are refused, with column and remedy", {
  data <- data.frame(a = factor(c("u", "v", "u", "v")), b = factor(c("x", "x", "y", "y")))
  numbers <- data.frame(a = c(1, 2, 4), b = c(2, 2, 1))
  network <- "[a][b|a]"
  expect_snapshot(error = TRUE, {
    score_pred_loglik()
    score_pred_loglik(3)
    score_pred_loglik(data[0, ])
    score_pred_loglik(data, iss = -1)
    score_pred_loglik_cg(data, iss = NA)
    score_pred_loglik_g(as.list(numbers))
    learn_dag(data, "pred-loglik")
    score_network(network, data, score_pred_loglik(data["a"]))
    score_network(network, data, score_pred_loglik(data.frame(a = "w", b = "x")))
    score_network(network, data, score_pred_loglik(data.frame(a = c("u", NA), b = "x")))
    score_network(network, data, score_pred_loglik(data.frame(a = "u", b = I(list(1)))))
    score_network(network, numbers, score_pred_loglik_g(data))
    score_network(network, numbers, score_pred_loglik_g(data.frame(a = 1, b = Inf)))
    score_network(network, numbers, score_pred_loglik(numbers))
    score_network(network, data, score_pred_loglik_g(data))
  })
})

test_that("where no parents make new rows possible, an error says so", {
  data <- data.frame(a = factor(rep(c("u", "v"), 5), c("u", "v", "w")),
                     b = factor(rep(c("x", "y"), c(4, 6))))
  new <- data.frame(a = "w", b = "x")
  expect_snapshot(error = TRUE, suppressMessages(learn_dag(data, score_pred_loglik(new, iss = 0))))
  numbers <- data.frame(a = c(1, 2, 4, 3), b = c(2, 2, 1, 0))
  expect_snapshot(error = TRUE, {
    learn_dag(numbers, score_pred_loglik_g(data.frame(a = 1e200, b = 1)))
  })
  expect_no_error(suppressMessages(learn_dag(data, score_pred_loglik(new))))
})

test_that("a score that was changed is none", {
  score <- score_pred_loglik(data.frame(a = factor("u")))
  expect_output(print(score), "<score> pred-loglik (iss = 1, newdata = 1 row)", fixed = TRUE)
  score$newdata <- 3
  expect_error(score_network("[a]", data.frame(a = factor(c("u", "v"))), score),
               class = "optbn_error_model")
})
