# Columns that are noisy functions of earlier ones.
chained <- function(rows, columns, seed = 1) {
  withr::with_seed(seed, {
    data <- matrix(stats::runif(rows * columns) < 0.5, rows)
    for (v in seq_len(columns)[-(1:2)]) {
      parents <- sample(v - 1L, 2L)
      exact <- stats::runif(rows) < 0.8
      data[exact, v] <- (data[, parents[1L]] != data[, parents[2L]])[exact]
    }
    as.data.frame(lapply(as.data.frame(data), factor))
  })
}

test_that("where all sets are scored after all, nothing is missing", {
  data <- chained(300, 7)
  constraints <- list(whitelist = data.frame("V3", "V1"), blacklist = data.frame("V2", "V5"))
  for (score in c("bic", "bde", "pcart")) {
    learn <- function(...) {
      most <- c(6, 6, 6, 1, 6, 6, 2)
      do.call(learn_dag, c(list(data, score, max_parents = most, ...), constraints))
    }
    complete <- learn()
    on_demand <- learn(time_limit = 100)
    expect_equal(score_of(on_demand), score_of(complete))
    expect_identical(certificate(on_demand)$status, "optimal")
    expect_null(certificate(on_demand)$settings$complete)
  }
})

# The exact search among the sets found takes the rest of the time here.
test_that("a time limit does not take back the levels that were scored", {
  skip_where_quick()
  skip_without_peer("bnlearn")
  shelf <- new.env()
  utils::data("alarm", package = "bnlearn", envir = shelf)
  withr::local_seed(1)
  network <- learn_dag(shelf$alarm[1:10000, ], "bic", time_limit = 20, threads = 1)
  expect_gte(min(certificate(network)$settings$complete), 1L)
})

test_that("many columns have a network ahead of hill climbing's, and a scope", {
  skip_without_peer("bnlearn")
  data <- chained(400, 60)
  withr::local_seed(1)
  network <- learn_dag(data, "bic", time_limit = 4)
  record <- certificate(network)
  expect_equal(record$score, sum(score_network(network, data, "bic")))
  expect_gte(record$score, bnlearn::score(bnlearn::hc(data), data))
  expect_gte(record$bound, record$score)
  expect_length(record$settings$complete, 60L)
  expect_gt(record$settings$larger, 0)
  expect_match(format(network), "over all sets of at most . parents? and [0-9,]+ larger ones",
               all = FALSE)
  expect_match(as.data.frame(record)$scope, "larger ones$")
  expect_false(FALSE %in% verify_certificate(network, data)$ok)
})

test_that("what ends by itself is the same for any number of threads", {
  skip_where_quick()
  data <- chained(60, 26)
  learn <- function(threads) {
    withr::with_seed(1, learn_dag(data, score_bde(20), threads = threads))
  }
  one <- learn(1)
  three <- learn(3)
  expect_false(is.null(certificate(one)$settings$complete))
  expect_identical(three$arcs, one$arcs)
  same <- c("score", "bound", "status", "reason", "settings", "effort")
  expect_identical(certificate(three)[same], certificate(one)[same])
})

test_that("a network to begin with is never lost", {
  data <- chained(400, 40)
  withr::local_seed(2)
  best <- learn_dag(data, "bic", time_limit = 2)
  for (time_limit in c(0, 0.2)) {
    expect_gte(score_of(learn_dag(data, "bic", start = best, time_limit = time_limit)),
               score_of(best) - 1e-8)
  }
  bounded <- learn_dag(data, "bic", start = best, max_parents = 1, time_limit = 0)
  expect_lte(max(lengths(lapply(bounded$nodes, `[[`, "parents"))), 1)
})

test_that("without time there is a network all the same, within the constraints", {
  data <- chained(100, 200)
  whitelist <- data.frame(c("V1", "V2"), c("V3", "V3"))
  for (score in c("bde", "pcart")) {
    network <- learn_dag(data, score, whitelist = whitelist, time_limit = 0)
    expect_true(all(c("V1", "V2") %in% network$nodes$V3$parents))
    expect_identical(certificate(network)$reason, "time_limit")
  }
})

test_that("a search goes on over more sets", {
  data <- chained(200, 30)
  withr::local_seed(3)
  hasty <- learn_dag(data, "bic", time_limit = 0)
  longer <- update(hasty, data, time_limit = 3)
  expect_gt(score_of(longer), score_of(hasty))
  before <- certificate(hasty)$settings$complete
  after <- certificate(longer)$settings$complete %||% rep(29L, 30L)
  expect_true(all(after >= before) && any(after > before))
})

test_that("what an earlier search asked for is not lost", {
  data <- chained(400, 60)
  withr::local_seed(6)
  network <- learn_dag(data, "bic", time_limit = 2)
  kept <- parent_sets(network)
  scope <- c("complete", "larger")
  expect_identical(parent_sets(update(network, time_limit = 0))$settings[scope],
                   kept$settings[scope])
  again <- parent_sets(update(network, data, time_limit = 0.5))
  for (v in kept$nodes) {
    before <- sets_of_node(kept, v)
    after <- sets_of_node(again, v)
    is_there_or_beaten <- mapply(function(members, score) {
      inside <- vapply(after$members, function(other) all(other %in% members), NA)
      max(after$score[inside]) >= score - 1e-9
    }, before$members, before$score)
    expect_true(all(is_there_or_beaten), info = v)
  }
  checks <- verify_certificate(network)
  expect_true(checks$ok[checks$check == "scope"])
  network$learning$parent_sets <- kept[kept$nodes]
  network$learning$parent_sets$sets <- parent_sets(data, "bic", max_parents = 1)$sets
  checks <- verify_certificate(network, data)
  expect_false(checks$ok[checks$check == "scope"])
})

test_that("without end, a search goes on until no set is left out", {
  local_values(max_default_counts = 300)
  data <- chained(300, 9)
  few <- learn_dag(data, "bic")
  expect_false(is.null(certificate(few)$settings$complete))
  expect_identical(certificate(few)$reason, "effort")
  for (all in list(learn_dag(data, "bic", time_limit = Inf), update(few, data, time_limit = Inf))) {
    expect_identical(certificate(all)$status, "optimal")
    expect_null(certificate(all)$settings$complete)
    expect_gte(score_of(all), score_of(few))
  }
})

test_that("the trace goes from the first network to the last, in order of time", {
  data <- chained(200, 30)
  trace <- certificate(learn_dag(data, "bic", time_limit = 2))$trace
  expect_false(is.unsorted(trace$seconds))
  expect_false(is.unsorted(trace$score))
  expect_false(is.unsorted(-trace$bound))
  sets <- parent_sets(data, "bic", time_limit = 1)
  expect_lte(max(certificate(learn_dag(sets, time_limit = 1))$trace$seconds), 2)
})

test_that("numbers and mixed columns have networks on demand too", {
  withr::local_seed(4)
  numbers <- as.data.frame(matrix(stats::rnorm(100 * 40), 100))
  numbers$V2 <- numbers$V1 + numbers$V3 + stats::rnorm(100) / 4
  mixed <- cbind(numbers, cut = factor(numbers$V1 > 0))
  for (case in list(list(numbers, "bge"), list(numbers, "bic-g"), list(mixed, "bic-cg"))) {
    network <- learn_dag(case[[1L]], case[[2L]], time_limit = 2)
    expect_equal(score_of(network), sum(score_network(network, case[[1L]], case[[2L]])))
    expect_true(any(c("V1", "V3") %in% network$nodes$V2$nbr))
  }
})

test_that("parent sets on demand are parent sets", {
  data <- chained(400, 60) # more sets than any machine scores within seconds
  # five, as a busy machine has no time for a whole level within one
  sets <- withr::with_seed(5, parent_sets(data, "bic", time_limit = 5))
  expect_match(format(sets), "^  scope: all sets of at most", all = FALSE)
  expect_setequal(sets$order, 1:60)
  network <- learn_dag(sets, time_limit = 2)
  expect_gte(score_of(network), max(sets$trace$score) - 1e-8)
  part <- sets[c(5, 3, 20)]
  expect_setequal(part$order, 1:3)
  expect_identical(part$settings$complete, sets$settings$complete[c(5, 3, 20)])
  sets$order <- 60:2
  expect_error(learn_dag(sets), class = "optbn_error_model")
})
