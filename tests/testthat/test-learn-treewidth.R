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
  skip_where_quick()
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
  for (method in c("auto", "exact", "local")) {
    learn <- function(threads) {
      set.seed(1)
      learn_treewidth(sets, 2, method = method, iterations = 50, threads = threads)
    }
    one <- learn(1)
    two <- learn(2)
    expect_identical(two$arcs, one$arcs)
    expect_identical(certificate(two)$k_tree, certificate(one)$k_tree)
    expect_identical(certificate(two)$effort, certificate(one)$effort)
    expect_identical(certificate(two)$bound, certificate(one)$bound)
  }
})

# Eleven columns of two levels.
halved_cars <- as.data.frame(lapply(mtcars, function(x) factor(x > stats::median(x))))

test_that("the order of the rows does not matter", {
  set.seed(2)
  shuffled <- halved_cars[sample(nrow(halved_cars)), ]
  for (method in c("auto", "local", "sample")) {
    learn <- function(data) {
      set.seed(1)
      learn_treewidth(data, 2, "bde", method = method, iterations = 20)
    }
    expect_identical(learn(shuffled)$arcs, learn(halved_cars)$arcs)
  }
})

# The same sets, node v in place[v].
renumbered <- function(sets, place) {
  sets$sets[place] <- lapply(sets$sets, function(node) {
    set <- rep(seq_along(node$size), node$size)
    moved <- place[node$parents]
    node$parents <- moved[order(set, moved)]
    node
  })
  sets$nodes[place] <- sets$nodes
  sets
}

by_name <- function(network) {
  parents <- lapply(parents_of(network), sort)
  parents[sort(names(parents))]
}

test_that("the order of the nodes does not matter", {
  # The scores are random, so that the optimum is one network.
  set.seed(8)
  sets <- random_parent_sets(9L, count = 12L)
  place <- sample(9L)
  others <- renumbered(sets, place)
  for (k in 1:3) {
    one <- learn_treewidth(sets, k, method = "exact")
    other <- learn_treewidth(others, k, method = "exact")
    expect_identical(by_name(other), by_name(one))
    expect_equal(score_of(other), score_of(one))
    tree <- sample_k_tree(sets$nodes, k)
    expect_identical(by_name(learn_treewidth(others, tree)), by_name(learn_treewidth(sets, tree)))
  }
})

# ---- within one k-tree ---------------------------------------------------------------------------

test_that("the best of all networks within a k-tree is found", {
  for (seed in 1:6) {
    set.seed(seed)
    sets <- random_parent_sets(4L, count = 5L)
    all <- all_networks(sets)
    named <- function(parents) {
      stats::setNames(lapply(parents, function(p) sets$nodes[p]), sets$nodes)
    }
    for (k in 0:3) {
      tree <- suppressMessages(sample_k_tree(rev(sets$nodes), k))
      within <- vapply(all$parents, function(parents) {
        all(families_in_bags(tree$nodes, named(parents)[tree$nodes], tree$bags))
      }, NA)
      network <- suppressMessages(learn_treewidth(sets, tree))
      expect_equal(score_of(network), all$scores[within][1L])
      expect_identical(certificate(network)$status, "optimal")
      expect_identical(certificate(network)$k_tree, tree)
      expect_identical(certificate(network)$settings$k_tree, tree)
      expect_identical(certificate(network)$settings$treewidth, tree$treewidth)
      expect_certified(network, sets)
    }
  }
})

test_that("known best networks within k-trees are found", {
  cases <- known_cases("treewidth_ktree.json")
  expect_length(cases, 63)
  for (case in cases) {
    sets <- sets_of_case(case)
    tree <- k_tree(matrix(numbers(case$edges0) + 1, ncol = 2, byrow = TRUE), sets$nodes)
    network <- suppressMessages(learn_treewidth(sets, tree))
    expect_lt(abs(score_of(network) - case$best_score), 1e-9)
    sampled <- suppressMessages(learn_treewidth(sets, tree, inner = "s2"))
    expect_lt(score_of(sampled), case$best_score + 1e-9)
    expect_lt(abs(certificate(sampled)$bound - case$pseudo_score), 1e-9)
  }
})

test_that("random orders within a k-tree have the bound of its bags", {
  set.seed(9)
  tree <- sample_k_tree(names(halved_cars), 4)
  best <- learn_treewidth(halved_cars, tree, "bde")
  sampled <- learn_treewidth(halved_cars, tree, "bde", inner = "s2")
  expect_lte(score_of(sampled), score_of(best))
  expect_certified(best, halved_cars)
  expect_certified(sampled, halved_cars, certificate(sampled)$status)
  expect_equal(certificate(sampled)$bound,
               informative_score(tree, halved_cars, "bde")[["s_l"]])
  expect_match(format(sampled), "random orders", all = FALSE)
})

test_that("the k-tree of a certificate serves", {
  first <- learn_treewidth(attitude, 2, "bic-g")
  again <- learn_treewidth(attitude, certificate(first)$k_tree, "bic-g")
  expect_equal(score_of(again), score_of(first))
  expect_match(format(again), "within its k-tree", all = FALSE)
})

test_that("constraints and local trees hold within a k-tree", {
  set.seed(10)
  tree <- k_tree(list(c("rating", "complaints", "learning"), c("complaints", "learning", "raises"),
                      c("learning", "raises", "critical"), c("raises", "critical", "advance"),
                      c("critical", "advance", "privileges")))
  white <- data.frame("raises", "critical")
  network <- learn_treewidth(attitude, tree, "bic-g", whitelist = white,
                             blacklist = data.frame("complaints", "rating"), max_parents = 1)
  expect_true("raises" %in% parents_of(network)$critical)
  expect_lte(max(lengths(parents_of(network))), 1)
  expect_certified(network, attitude)
  flowers <- iris[c(1, 3, 5)]
  trees <- suppressMessages(learn_treewidth(flowers, sample_k_tree(names(flowers), 1), "pcart"))
  expect_s3_class(fit_network(trees, flowers), "optbn_fit")
})

test_that("a whitelist without arcs asks nothing of a k-tree", {
  sets <- parent_sets(attitude, "bic-g")
  tree <- certificate(learn_treewidth(sets, 2))$k_tree
  nothing <- data.frame(from = character(), to = character())
  expect_identical(learn_treewidth(sets, tree, whitelist = nothing)$arcs,
                   learn_treewidth(sets, tree)$arcs)
})

test_that("a k-tree that does not fit is told apart", {
  tree <- k_tree(list(c("a", "b"), c("b", "c")))
  data <- data.frame(a = c("x", "y"), b = c("x", "y"), c = c("y", "x"))
  broken <- tree
  broken$bags[[2L]] <- c("a", "a")
  set.seed(1)
  wide <- sample_k_tree(names(mtcars), 8)
  forced <- withr::with_seed(1, random_parent_sets(4L))
  forced$sets[[4L]] <- list(score = -1, size = 2L, parents = 1:2)
  expect_snapshot(error = TRUE, {
    learn_treewidth(attitude, tree, "bic-g")
    learn_treewidth(data, broken)
    learn_treewidth(letters, tree)
    learn_treewidth(data, tree, method = "local")
    learn_treewidth(data, tree, iterations = 10, method = "sample")
    learn_treewidth(data, tree, inner = "best")
    learn_treewidth(mtcars, wide, "bic-g")
    learn_treewidth(data, tree, whitelist = data.frame(c("a", "b"), "c"))
    learn_treewidth(forced, k_tree(list(forced$nodes[1:3], forced$nodes[2:4])))
    learn_treewidth(forced, k_tree(list(forced$nodes[1:3], forced$nodes[2:4])), inner = "s2")
  })
  expect_error(learn_treewidth(data, tree, whitelist = data.frame("a", "c")),
               class = "optbn_error_constraints")
})

# ---- what is said --------------------------------------------------------------------------------

test_that("sampling finds networks of the tree-width, the more the better", {
  set.seed(4)
  sets <- random_parent_sets(9L, count = 15L)
  best <- score_of(learn_treewidth(sets, 2))
  learn <- function(iterations, ...) {
    set.seed(1)
    learn_treewidth(sets, 2, method = "sample", iterations = iterations, ...)
  }
  for (refine in c("phc", "hc", "a-star", "none")) {
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
  expect_message(network <- learn_treewidth(attitude, 6, "bic-g"), "is no limit")
  expect_equal(score_of(network), score_of(learn_dag(attitude, "bic-g")))
  expect_identical(certificate(network)$status, "optimal")
  expect_snapshot(wider <- learn_treewidth(attitude, 100, "bic-g"))
  expect_certified(wider, attitude)
  expect_match(format(wider), "proved optimal over all parent sets$", all = FALSE)
})

test_that("what is known of networks of any tree-width is kept", {
  set.seed(3)
  sets <- random_parent_sets(9L, count = 15L)
  record <- certificate(learn_treewidth(sets, 2))
  widest <- learn_dag(sets, max_parents = 2)
  expect_equal(record$unbounded, list(bound = score_of(widest), proved = TRUE))
  expect_lt(record$bound, record$unbounded$bound)
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
    result <- verify_certificate(resealed(network), attitude)
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
    learn_treewidth(attitude, NA, "bic-g")
    learn_treewidth(attitude, NA_real_, "bic-g")
    learn_treewidth(attitude, c(1, 2), "bic-g")
    learn_treewidth(attitude, Inf, "bic-g")
    learn_treewidth(attitude, NULL, "bic-g")
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

test_that("local search takes large tree-widths", {
  skip_where_quick()
  set.seed(7)
  sets <- random_parent_sets(40L, count = 60L, most = 8L)
  for (k in c(8L, 35L)) {
    network <- learn_treewidth(sets, k, method = "local", iterations = 2000, time_limit = 5)
    expect_lte(certificate(network)$k_tree$treewidth, k)
    expect_lte(treewidth(network)$upper, k)
    expect_gte(certificate(network)$bound, score_of(network))
  }
})

test_that("candidate sets that are all too wide are told", {
  # The first four nodes become a clique.
  set.seed(1)
  forced <- random_parent_sets(6L)
  only <- function(...) list(score = -1, size = 2L, parents = c(...))
  forced$sets[3:5] <- list(only(1L, 2L), only(1L, 2L), only(3L, 4L))
  expect_snapshot(error = TRUE, learn_treewidth(forced, 2))
  for (method in c("exact", "local", "sample")) {
    expect_error(learn_treewidth(forced, 2, method = method, iterations = 20),
                 class = "optbn_error_infeasible")
  }
  expect_lte(treewidth(learn_treewidth(forced, 3))$upper, 3)
})

test_that("tree-width is printed, and what the gap is to", {
  set.seed(6)
  sets <- random_parent_sets(12L, count = 20L)
  network <- learn_treewidth(sets, 2, method = "local", iterations = 2000)
  for (text in list(format(network), format(certificate(network)))) {
    expect_match(text, "at most 2", all = FALSE)
    expect_match(text, "from optimal for tree-width 2", all = FALSE)
  }
  expect_identical(certificate(network)$status, "heuristic")
})

test_that("by default the usual effort ends a search, and sets are scored on demand", {
  local_values(default_effort = 1) # in seconds, about
  data <- withr::with_seed(8, list2DF(replicate(60, rbinom(50, 1, 0.5), simplify = FALSE)))
  data <- list2DF(lapply(rlang::set_names(data, paste0("x", seq_along(data))), factor))
  said <- certificate(learn_treewidth(data, 6, "bic", progress = FALSE))
  expect_identical(said[c("status", "reason")], list(status = "bounded", reason = "effort"))
  expect_lt(min(said$settings$complete), 6)
  expect_lte(said$effort$k_trees, steps_per_effort + 1000)
})

test_that("Ctrl-C in its first phase ends all of it", {
  sets <- withr::with_seed(31, random_parent_sets(60L, count = 100L))
  result <- interrupt_at_work(given = sets, "
    network <- suppressWarnings(learn_treewidth(given, 3, progress = FALSE))
    result <- certificate(network)[c('status', 'reason')]
  ")
  expect_identical(result$reason, "interrupt")
})
