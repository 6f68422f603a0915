# BIC of tables and regressions, as anybody would write it.
own_bic <- function(node, parents, data) {
  rows <- nrow(data)
  if (is.factor(data[[node]])) {
    counts <- table(data[c(node, parents)])
    counts <- matrix(counts, nlevels(data[[node]]))
    likelihood <- counts * log(counts / rep(colSums(counts), each = nrow(counts)))
    return(sum(likelihood, na.rm = TRUE) - log(rows) / 2 * (nrow(counts) - 1) * ncol(counts))
  }
  fit <- stats::lm.fit(cbind(1, as.matrix(data[parents])), data[[node]])
  spread <- sqrt(sum(fit$residuals^2) / fit$df.residual)
  sum(stats::dnorm(fit$residuals, 0, spread, TRUE)) - log(rows) / 2 * (length(parents) + 2)
}

tables <- function() random_frame(200, discrete = 6)

test_that("every search takes a function for a score", {
  data <- tables()
  own <- score_custom(own_bic)
  quiet <- function(learn, score, ...) {
    suppressMessages(learn(data, score = score, ..., progress = FALSE))
  }
  calls <- list(
    function(score) quiet(learn_dag, score),
    function(score) quiet(learn_dag, score, method = "lagrangian", max_parents = 3),
    function(score) quiet(learn_dag, score, method = "elsa", blacklist = cbind("D1", "D2")),
    function(score) quiet(learn_dag, score, max_arcs = 3),
    function(score) quiet(learn_dag, score, time_limit = Inf),
    function(score) quiet(learn_k_best, score, k = 3)[[3L]],
    function(score) quiet(learn_treewidth, score, treewidth = 1)
  )
  for (learn in calls) {
    expect_equal(certificate(learn(own))$score, certificate(learn("bic"))$score)
    expect_identical(certificate(learn(own))$status, "optimal")
  }
  network <- learn_dag(data, own)
  expect_equal(score_network(network, data, own), certificate(network)$score)
  expect_true(all(verify_certificate(network, data)$passed))
})

test_that("numbers are scored as they are, and bnlearn takes the same function", {
  skip_without_peer("bnlearn")
  network <- learn_dag(attitude, score_custom(own_bic))
  expect_equal(certificate(network)$score, certificate(learn_dag(attitude, "bic-g"))$score)
  expect_equal(bnlearn::score(network, attitude), certificate(network)$score)
  expect_equal(sum(bnlearn::score(network, attitude, by.node = TRUE)), certificate(network)$score)
})

test_that("args are passed on, and a bound spares calls", {
  data <- tables()
  calls <- 0
  count <- function(node, parents, data, args) {
    calls <<- calls + 1
    own_bic(node, parents, data) + args$more
  }
  # No more parents cost less than twice the penalty, and no likelihood exceeds 1.
  bound <- function(node, parents, data, args) {
    levels <- prod(vapply(data[parents], nlevels, 0L))
    args$more - log(nrow(data)) * (nlevels(data[[node]]) - 1) * levels
  }
  learn <- function(bound) {
    calls <<- 0
    network <- learn_dag(data, score_custom(count, list(more = 1), bound))
    list(score = certificate(network)$score, calls = calls)
  }
  without <- learn(NULL)
  with <- learn(bound)
  expect_equal(without$score, certificate(learn_dag(data, "bic"))$score + ncol(data))
  expect_identical(with$score, without$score)
  expect_gte(without$calls, ncol(data) * 2^(ncol(data) - 1))
  expect_lt(with$calls, without$calls)
})

test_that("processes of a plan share the calls", {
  workers <- start_workers()
  data <- random_frame(100, discrete = 5)
  own <- score_custom(own_bic)
  expect_same_when_spread(function() {
    lapply(parent_sets(data, own, progress = FALSE)$sets, function(sets) unname(unlist(sets)))
  }, "cluster", workers = workers)
})

test_that("Ctrl-C within the function ends the call, and the session goes on", {
  result <- interrupt_at_work(given = list(data = random_frame(200, discrete = 12)), "
    slow <- function(node, parents, data) {
      until <- proc.time()[['elapsed']] + 0.01
      while (proc.time()[['elapsed']] < until) NULL
      0
    }
    learn <- function(score) suppressMessages(learn_dag(given$data, score, time_limit = 600))
    first <- tryCatch(learn(score_custom(slow)), interrupt = function(i) 'interrupted')
    result <- list(first, class(learn('bic'))[1])
  ")
  expect_identical(result, list("interrupted", "optbn"))
})

test_that("what goes wrong in the function names the family", {
  data <- tables()
  learn <- function(fun, ...) suppressMessages(learn_dag(data, score_custom(fun), ...))
  expect_snapshot(error = TRUE, {
    learn(function(node, parents, data) stop("no such thing"))
    learn(function(node, parents, data) if (length(parents) > 1) NaN else 0)
    learn(function(node, parents, data) "a")
    learn(function(node, parents, data) 0, weights = rep(1:2, 100))
    score_custom(3)
    score_custom(function(x, y) 0)
    score_custom(own_bic, args = 3)
    score_custom(own_bic, bound = "none")
  })
  # A family that must not be is none.
  network <- learn(function(node, parents, data) if ("D1" %in% parents) -Inf else length(parents))
  expect_false("D1" %in% network$arcs[, "from"])
})
