test_that("Chow-Liu trees are those of an independent program", {
  for (case in known_cases("cutset_clt.json")) {
    arity <- arity_of_case(case)
    data <- rows_of_case(case$X, arity)
    alpha <- if (case$prior == "laplace") case$alpha else case$alpha / nrow(data)
    tree <- learn_chow_liu(data, case$prior, alpha)
    expect_true(expect_same_network(tree, case$tree))
    expect_equal(logLik(tree)[1] / nrow(data), case$ll_train, tolerance = 1e-9)
  }
})

test_that("cutset networks by likelihood are those of an independent program", {
  untied <- 0
  penalties <- c(global = "whole", local = "slice", head = "share")
  for (case in c(known_cases("cutset_dcsn.json"), known_cases("cutset_kary.json"))) {
    arity <- arity_of_case(case)
    data <- rows_of_case(case$X, arity)
    network <- learn_cutset(data, "dcsn", case$prior, case$alpha / nrow(data),
                            min_rows = case$delta, min_features = case$sigma,
                            min_child_rows = case$child_min, screen = Inf,
                            penalty = penalties[[case$gain]])
    same <- expect_same_network(network, case$net)
    untied <- untied + same
    expect_equal(logLik(network)[1] / nrow(data), case$ll_train, tolerance = 1e-9)
    if (!same || is.null(case$V)) next
    expect_equal(log_density(network, rows_of_case(case$V, arity)), numbers(case$logp_V),
                 tolerance = 1e-9)
  }
  expect_gte(untied, 16)
})

test_that("cutset networks by entropy are those of an independent program", {
  untied <- 0
  for (case in known_cases("cutset_cnet.json")) {
    arity <- arity_of_case(case)
    data <- rows_of_case(case$X, arity)
    held_out <- rows_of_case(case$V, arity)
    network <- learn_cutset(data, if (case$pruned) "cnetp" else "cnet", alpha = case$alpha,
                            min_rows = case$m, min_entropy = case$lam, validation = held_out)
    same <- expect_same_network(network, case$net)
    untied <- untied + same
    expect_equal(logLik(network)[1] / nrow(data), case$ll_train, tolerance = 1e-9)
    if (same) expect_equal(network$learning$validation, case$ll_valid, tolerance = 1e-9)
  }
  expect_gte(untied, 3)
})

test_that("a cutset network is a density", {
  set.seed(1)
  data <- switching_rows(600)
  all <- expand.grid(lapply(data, levels))
  for (algorithm in c("dcsn", "cnet", "cnetp", "xcnet")) {
    for (prior in smoothing_priors) {
      network <- learn_cutset(data, algorithm, prior, min_rows = 50, validation = data)
      expect_gt(sum(network$components[[1]]$cut > 0), 0)
      expect_equal(sum(exp(log_density(network, all))), 1)
    }
  }
})

test_that("row order and weights do not matter, nor do threads", {
  set.seed(2)
  data <- switching_rows(400)
  distinct <- unique(data)
  keys <- do.call(paste, data)
  counts <- as.vector(table(factor(keys, do.call(paste, distinct))))
  for (algorithm in c("dcsn", "cnet")) {
    network <- learn_cutset(data, algorithm, min_rows = 40, threads = 1)
    same <- list(
      learn_cutset(data[sample(nrow(data)), ], algorithm, min_rows = 40),
      learn_cutset(distinct, algorithm, min_rows = 40, weights = counts),
      learn_cutset(data, algorithm, min_rows = 40, threads = 2)
    )
    for (other in same) {
      expect_equal(log_density(other, distinct), log_density(network, distinct))
      expect_equal(other$learning$log_likelihood, network$learning$log_likelihood)
    }
  }
  set.seed(3)
  one <- learn_cutset(data, "xcnet", min_rows = 40, threads = 1)
  set.seed(3)
  two <- learn_cutset(data, "xcnet", min_rows = 40, threads = 2)
  expect_identical(one$components, two$components)
})

test_that("the screen finds what trying everything finds", {
  set.seed(4)
  data <- switching_rows(2000, c(2, 2, 2, 3, 2, 2, 3, 2))
  screened <- learn_cutset(data, screen = 3, min_rows = 100)
  full <- learn_cutset(data, screen = Inf, min_rows = 100)
  gain <- function(network) c(logLik(network) - logLik(learn_chow_liu(data)))
  expect_gt(gain(full), 100)
  expect_gt(gain(screened), 0.9 * gain(full))
})

test_that("the order of columns and of levels does not matter", {
  set.seed(8)
  data <- switching_rows(600)
  learners <- list(learn_chow_liu, function(rows) learn_cutset(rows, min_rows = 50),
                   function(rows) learn_cutset(rows, "cnet", "joint", 0.1, min_rows = 50),
                   function(rows) {
                     learn_cutset(rows, "cnetp", "product", 0.1, min_rows = 50,
                                  validation = rows[1:100, ])
                   })
  for (learn in learners) {
    expect_equal(log_density(learn(turned_columns(data)), data), log_density(learn(data), data))
  }
})

test_that("settings bound the cuts", {
  set.seed(5)
  data <- switching_rows(2000)
  cuts <- function(...) sum(learn_cutset(data, ...)$components[[1]]$cut > 0)
  expect_gt(cuts(min_rows = 50), cuts(min_rows = 500))
  expect_identical(cuts(min_rows = Inf), 0L)
  expect_identical(cuts("cnet", max_depth = 1), 1L)
  expect_identical(cuts("cnet", min_entropy = 10), 0L)
  expect_identical(cuts(min_features = 6), 0L)
  expect_gte(cuts(min_rows = 100, min_child_rows = FALSE), cuts(min_rows = 100))
})

test_that("odd data are learned from", {
  one_row <- data.frame(a = "x", b = factor("u", levels = c("u", "v")))
  expect_equal(sum(exp(log_density(learn_cutset(one_row), expand.grid(a = "x", b = c("u", "v"))))),
               1)
  set.seed(6)
  data <- cbind(switching_rows(300), constant = "same", unused = factor("p", levels = c("p", "q")))
  for (algorithm in c("dcsn", "cnet", "cnetp", "xcnet")) {
    for (alpha in c(0, 0.5)) {
      network <- learn_cutset(data, algorithm, alpha = alpha, min_rows = 20, validation = data)
      expect_false(anyNA(log_density(network, data)))
      expect_true(all(is.finite(log_density(network, data))))
    }
  }
  wide <- matrix(as.integer(stats::runif(5 * 40) < 0.2), 5)
  expect_true(all(is.finite(log_density(learn_cutset(wide, "cnet", min_rows = 1), wide))))
})

test_that("arguments that are none are refused", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  expect_snapshot(error = TRUE, {
    learn_cutset(data, "dsn")
    learn_cutset(data, prior = "flat")
    learn_cutset(data, alpha = -1)
    learn_cutset(data, min_rows = "many")
    learn_cutset(data, min_features = 0)
    learn_cutset(data, min_child_rows = NA)
    learn_cutset(data, screen = 0)
    learn_cutset(data, penalty = "none")
    learn_cutset(data, "cnetp")
    learn_chow_liu(data, alpha = NULL)
    learn_chow_liu(data, threads = 0)
    learn_cutset(data, memory_limit = 0)
    learn_chow_liu(data, time_limit = 0)
  })
})

test_that("what needs too much memory is refused beforehand", {
  wide <- matrix(rep(0:1, 500), 2)
  learners <- list(learn_chow_liu, learn_cutset, learn_mixture, learn_hclt,
                   function(...) learn_cutset_bag(..., components = 2),
                   function(x, ...) tune_cutset(x, x, ...))
  for (learn in learners) {
    expect_error(learn(wide, memory_limit = 1e6, threads = 1), class = "optbn_error_memory")
  }
  expect_snapshot(learn_cutset(wide, memory_limit = 1e6, threads = 1), error = TRUE)
  expect_error(learn_hclt(wide[, 1:5], 5000, memory_limit = 1e8), class = "optbn_error_memory")
  many_levels <- as.data.frame(sapply(letters[1:4], paste0, seq_len(200)), stringsAsFactors = TRUE)
  expect_error(learn_cutset(many_levels, memory_limit = 2.7e7, threads = 1),
               class = "optbn_error_memory")
  expect_s3_class(learn_cutset(many_levels, screen = Inf, memory_limit = 2.7e7, threads = 1),
                  "optbn_cutset_network")
})

test_that("learning stops at its time limit, and goes on from there", {
  set.seed(7)
  data <- switching_rows(4000, rep(c(2, 3), 15))
  stopped <- learn_cutset(data, "cnet", time_limit = 0.001, min_rows = 5)
  expect_identical(stopped$learning$status, "time_limit")
  expect_true(all(is.finite(log_density(stopped, data))))
  whole <- learn_cutset(data, "cnet", min_rows = 5)
  expect_identical(whole$learning$status, "finished")
  continued <- update(stopped, data)
  expect_equal(continued$components, whole$components)
})
