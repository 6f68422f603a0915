test_that("shares of networks are the exact probabilities", {
  withr::local_seed(1)
  cases <- list(list(attitude, "bge"), list(random_frame(100, 6, 0), "bde"))
  for (case in cases) for (prior in c("uniform", "size")) {
    posterior <- network_posterior(case[[1L]], case[[2L]], prior)
    drawn <- sample_dags(posterior, 4000, chains = 4)
    expect_equal(drawn$chains$count, 4)
    expect_lte(max(drawn$chains$agreement$r_hat), 1.05)
    exact <- arc_probabilities(posterior)
    effective <- min(drawn$chains$agreement$effective)
    deviation <- sqrt((exact * (1 - exact) + 1 / effective) / effective)
    expect_lt(max(abs(summary(drawn)$arcs - exact) / deviation), 4.5)
  }
})

test_that("constraints hold, and a seed makes draws reproducible", {
  withr::local_seed(2)
  tiers <- list(c("complaints", "learning"), c("rating", "advance", "critical"),
                c("raises", "privileges"))
  draw <- function() {
    set.seed(3)
    drawn <- sample_dags(attitude, 101, score = "bge", tiers = tiers, max_parents = 2,
                         whitelist = c("complaints", "rating"), chains = 3, moves = 1000)
    drawn$parent_sets$seconds <- 0
    drawn
  }
  drawn <- draw()
  expect_identical(drawn, draw())
  expect_length(drawn, 101L)
  arcs <- summary(drawn)$arcs
  expect_equal(arcs["complaints", "rating"], 1)
  expect_equal(max(arcs[c("raises", "privileges"), c("rating", "learning")]), 0)
  expect_lte(max(vapply(drawn[[50]]$nodes, function(node) length(node$parents), 0L)), 2L)
  expect_equal(drawn$chains$moves, 1020) # 34 networks, 30 moves apart
})

test_that("few networks are drawn, too, and moves alone ask for chains", {
  withr::local_seed(8)
  posterior <- network_posterior(attitude, "bge")
  for (count in 1:3) {
    drawn <- sample_dags(posterior, count, chains = 2)
    expect_length(drawn, count)
    expect_lte(max(drawn$chains$agreement$r_hat), 1.05)
  }
  drawn <- suppressWarnings(sample_dags(posterior, 2, moves = 30))
  expect_equal(drawn$chains$count, 4)
  expect_true(all(is.finite(drawn$chains$agreement$effective)))
})

test_that("networks with too many nodes for tables are drawn by chains, which agree", {
  skip_without_peer("bnlearn")
  withr::local_seed(4)
  data <- bnlearn::insurance[1:400, ]
  expect_message(drawn <- sample_dags(droplevels(data), 400, score = "bde", max_parents = 2),
                 "Markov chains")
  expect_lte(max(drawn$chains$agreement$r_hat), 1.1)
  expect_match(format(drawn)[2L], "4 Markov chains")
  expect_error(network_posterior(data, "bde", max_parents = 2), "sample_dags",
               class = "optbn_error_memory")
  effects <- causal_effects(droplevels(data), posterior = drawn, to = "Accident",
                            from = c("DrivQuality", "Age"))
  expect_identical(nrow(effects$effects), 2L)
})

test_that("of many columns each node has a few candidates", {
  withr::local_seed(9)
  columns <- 60L
  data <- matrix(stats::rnorm(100 * columns), 100)
  for (v in seq(2, columns, 2)) data[, v] <- data[, v] + data[, v - 1]
  data <- as.data.frame(data)
  draw <- function(...) {
    suppressWarnings(sample_dags(data, 40, score = "bge", blacklist = c("V1", "V2"), chains = 2,
                                 moves = 200, ...), classes = "optbn_warning_chains")
  }
  expect_message(drawn <- draw(), "the 12 of each node by forward selection")
  candidates <- drawn$parent_sets$settings$candidates
  expect_identical(unique(as.vector(table(candidates[, "to"]))), 12L)
  expect_false(any(candidates[, "from"] == "V1" & candidates[, "to"] == "V2"))
  arcs <- summary(drawn)$arcs
  chosen <- which(arcs > 0, arr.ind = TRUE)
  expect_true(all(paste(names(data)[chosen[, 1L]], names(data)[chosen[, 2L]]) %in%
                    paste(candidates[, "from"], candidates[, "to"])))
  pairs <- cbind(seq(1, columns, 2), seq(2, columns, 2))
  expect_gt(min(arcs[pairs] + arcs[pairs[, 2:1]]), 0.9)
  expect_no_message(narrow <- draw(max_parents = 1))
  expect_null(narrow$parent_sets$settings$candidates)
})

test_that("chains that do not agree are reported, and bad input is refused", {
  withr::local_seed(5)
  expect_warning(sample_dags(random_frame(2000, 12, 0), 40, score = "bde", max_parents = 2,
                             chains = 4, moves = 1), class = "optbn_warning_chains")
  posterior <- network_posterior(attitude, "bge")
  ordered <- network_posterior(attitude, "bge", prior = "order")
  expect_snapshot(error = TRUE, {
    sample_dags(posterior, 10, chains = 0)
    sample_dags(posterior, 10, chains = 2, moves = "many")
    sample_dags(ordered, 10, chains = 2)
    sample_dags(attitude, 10, score = "bge", unknown = 2)
  })
  expect_error(sample_dags(attitude, 10, score = "bge", chains = 2, moves = 1e8,
                           time_limit = 0.2), class = "optbn_error_time")
  damaged <- sample_dags(posterior, 10, chains = 2)
  damaged$chains$agreement <- NULL
  expect_error(print(damaged), class = "optbn_error_model")
})

test_that("the workers of a plan draw the same networks", {
  workers <- start_workers()
  posterior <- network_posterior(attitude, "bge")
  expect_same_when_spread(function() sample_dags(posterior, 40, chains = 4, moves = 400),
                          future::cluster, workers = workers)
})

test_that("R-hat and effective draws are those of known chains", {
  withr::local_seed(7)
  same <- matrix(stats::rnorm(4000), ncol = 4)
  expect_lt(abs(r_hat(same) - 1), 0.01)
  expect_lt(abs(effective_draws(same) / 4000 - 1), 0.15)
  apart <- same + rep(c(0, 0, 0, 2), each = 1000)
  expect_gt(r_hat(apart), 1.2)
  expect_lt(effective_draws(apart), 20)
  # of an autoregression with coefficient a, the share (1 - a) / (1 + a)
  slow <- apply(same, 2L, function(x) stats::filter(x, 0.8, "recursive"))
  expect_lt(abs(effective_draws(slow) / (4000 / 9) - 1), 0.3)
  expect_equal(r_hat(matrix(1, 10, 2)), 1)
  expect_equal(r_hat(cbind(rep(1, 10), 0)), Inf)
})
