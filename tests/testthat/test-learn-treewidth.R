parents_of <- function(network) lapply(network$nodes, `[[`, "parents")

# The highest score of all networks of each tree-width up to the largest, by enumeration.
best_by_width <- function(sets, k) {
  all <- all_networks(sets)
  for (i in seq_along(all$scores)) {
    dag <- list(nodes = sets$nodes, parents = all$parents[[i]])
    width <- width_of_dag(dag, check_limits(1, Inf, NULL, FALSE, NULL))$width
    if (width <= k) return(all$scores[i])
  }
}

test_that("the best of all networks of a tree-width is found", {
  for (seed in 1:6) {
    set.seed(seed)
    sets <- random_parent_sets(4L, count = 5L)
    for (k in 0:3) {
      network <- suppressMessages(learn_treewidth(sets, k))
      expect_equal(score_of(network), best_by_width(sets, k))
      expect_identical(certificate(network)$status, "optimal")
      expect_gte(certificate(network)$bound, score_of(network))
      expect_lte(treewidth(network)$upper, k)
      expect_certified(network, sets, certificate(network)$status)
    }
  }
})

test_that("known optima are reached", {
  cases <- known_cases("treewidth_global.json")
  expect_length(cases, 21)
  for (case in cases) {
    sets <- sets_of_case(case)
    for (k in names(case$optimum)) {
      set.seed(1)
      network <- suppressMessages(learn_treewidth(sets, as.integer(k)))
      expect_lt(abs(score_of(network) - case$optimum[[k]]$score), 1e-9)
      expect_lte(treewidth(network)$upper, as.integer(k))
      expect_gte(certificate(network)$bound, score_of(network))
      expect_lt(certificate(network)$bound, case$unbounded$score + 1e-9)
      expect_identical(certificate(network)$status, "optimal")
      if (case$n > as.integer(k)) {
        exact <- suppressMessages(learn_treewidth(sets, as.integer(k), method = "exact"))
        expect_lt(abs(score_of(exact) - case$optimum[[k]]$score), 1e-9)
      }
    }
  }
})

test_that("threads do not matter", {
  set.seed(3)
  sets <- random_parent_sets(12L, count = 15L)
  learn <- function(threads) {
    set.seed(1)
    learn_treewidth(sets, 2, method = "local", threads = threads)
  }
  one <- learn(1)
  expect_identical(learn(2)$arcs, one$arcs)
  expect_identical(certificate(learn(2))$effort, certificate(one)$effort)
})

test_that("sampling finds networks of the tree-width, the more the better", {
  set.seed(4)
  sets <- random_parent_sets(9L, count = 15L)
  best <- score_of(learn_treewidth(sets, 2))
  learn <- function(iterations, ...) {
    set.seed(1)
    learn_treewidth(sets, 2, method = "sample", iterations = iterations, ...)
  }
  for (refine in c("phc", "hc", "none")) {
    for (inner in c("exact", "s2")) {
      few <- learn(2, refine = refine, inner = inner)
      many <- learn(60, refine = refine, inner = inner)
      expect_lte(score_of(few), score_of(many))
      expect_lte(score_of(many), best + 1e-9)
      expect_certified(many, sets, certificate(many)$status)
      expect_identical(learn(60, refine = refine, inner = inner, threads = 2)$arcs, many$arcs)
    }
  }
  expect_identical(certificate(many)$method, "sampled k-trees")
  expect_identical(certificate(learn(7))$effort$k_trees, 7)
  guided <- learn_treewidth(attitude, 2, "bic-g", method = "sample", iterations = 5)
  expect_lte(treewidth(guided)$upper, 2)
})

test_that("a width that does not bind gives the unbounded optimum, and says so", {
  expect_message(network <- learn_treewidth(attitude, 6, "bic-g"), "bounds nothing")
  expect_equal(score_of(network), score_of(learn_dag(attitude, "bic-g")))
  expect_identical(certificate(network)$status, "optimal")
  expect_message(learn_treewidth(attitude, 100, "bic-g"), "bounds nothing")
})

test_that("tree-width 0 is independence, 1 a forest", {
  empty <- learn_treewidth(attitude, 0, "bic-g")
  expect_identical(nrow(empty$arcs), 0L)
  expect_identical(certificate(empty)$status, "optimal")
  expect_identical(certificate(empty)$k_tree$treewidth, 0L)
  forest <- learn_treewidth(attitude, 1, "bic-g")
  expect_true(all(lengths(parents_of(forest)) <= 1L))
  expect_gte(score_of(forest), score_of(empty))
})

test_that("any score will do", {
  flowers <- iris[c(1, 3, 5)]
  for (score in c("pcart", "ft", "bic-cg")) {
    network <- suppressMessages(learn_treewidth(flowers, 1, score))
    expect_lte(treewidth(network)$upper, 1)
    expect_true(certificate(network)$valid)
  }
  tree <- suppressMessages(learn_treewidth(flowers, 2, "pcart"))
  expect_s3_class(fit_network(tree, flowers), "optbn_fit")
})

test_that("constraints hold", {
  white <- data.frame("rating", "critical")
  black <- data.frame("complaints", "rating")
  network <- learn_treewidth(attitude, 2, "bic-g", whitelist = white, blacklist = black)
  expect_true("rating" %in% parents_of(network)$critical)
  expect_false("complaints" %in% parents_of(network)$rating)
  expect_certified(network, attitude, certificate(network)$status)
})

test_that("a false witness is found out", {
  network <- learn_treewidth(attitude, 2, "bic-g")
  checks <- function(tree) {
    network$learning$optbn$k_tree <- tree
    result <- verify_certificate(network, attitude)
    result$ok[result$check == "tree-width"]
  }
  tree <- certificate(network)$k_tree
  expect_true(checks(tree))
  swapped <- tree
  swapped$bags[[length(swapped$bags)]] <- rev(tree$bags[[1L]])
  expect_false(checks(swapped))
  unhooked <- tree
  unhooked$parent[2L] <- 3L
  expect_false(checks(unhooked))
  expect_false(checks(certificate(learn_treewidth(attitude, 0, "bic-g"))$k_tree))
})

test_that("a search that is cut short has a network and a bound", {
  set.seed(5)
  sets <- random_parent_sets(15L, count = 20L)
  network <- learn_treewidth(sets, 2, time_limit = 0)
  record <- certificate(network)
  expect_true(record$status == "optimal" || record$reason == "time_limit")
  expect_gte(record$bound, record$score)
  expect_lte(treewidth(network)$upper, 2)
})

test_that("bad arguments are told apart", {
  expect_snapshot(error = TRUE, {
    learn_treewidth(attitude, -1, "bic-g")
    learn_treewidth(attitude, 1.5, "bic-g")
    learn_treewidth(attitude, "two", "bic-g")
    learn_treewidth(letters, 2)
    learn_treewidth(attitude, 1, "bic-g", TRUE)
    learn_treewidth(attitude, 1, "bic-g", method = "guess")
    learn_treewidth(random_parent_sets(30L), 2, method = "exact")
    learn_treewidth(attitude, 1, "bic-g", iterations = 0)
    learn_treewidth(attitude, 7, "bic-g", method = "sample")
    learn_treewidth(attitude, 1, "bic-g", method = "sample", refine = "a")
    learn_treewidth(attitude, 1, "bic-g", whitelist = data.frame(
      c("rating", "complaints", "rating"), c("complaints", "privileges", "privileges")
    ))
  })
  expect_error(
    learn_treewidth(attitude, 1, "bic-g",
                    whitelist = data.frame(c("rating", "complaints"), "privileges")),
    class = "optbn_error_constraints"
  )
})

test_that("above a tree-width of 6 local search is among narrower networks", {
  set.seed(7)
  sets <- random_parent_sets(22L, count = 60L, most = 8L)
  network <- learn_treewidth(sets, 8, method = "local", iterations = 20, time_limit = 5)
  expect_lte(certificate(network)$k_tree$treewidth, 8L)
  expect_lte(treewidth(network)$upper, 8)
  expect_gte(certificate(network)$bound, score_of(network))
})

test_that("tree-width is printed, and update() says what to do", {
  set.seed(6)
  sets <- random_parent_sets(12L, count = 20L)
  network <- learn_treewidth(sets, 2, method = "local")
  expect_match(format(network), "at most 2", all = FALSE)
  expect_match(format(certificate(network)), "at most 2", all = FALSE)
  expect_identical(certificate(network)$status, "heuristic")
  expect_snapshot(error = TRUE, update(network, sets))
})
