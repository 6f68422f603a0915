test_that("a search goes on to the proof", {
  set.seed(1)
  sets <- random_parent_sets(12L, count = 15L)
  before <- learn_dag(sets, time_limit = 0)
  after <- update(before, sets)
  expect_certified(after, sets)
  expect_equal(score_of(after), score_of(learn_dag(sets, method = "dp")))
  old <- certificate(before)
  new <- certificate(after)
  expect_null(new$reason)
  expect_gte(new$seconds, old$seconds)
  expect_identical(new$trace[1L, ], old$trace[1L, ])
  expect_false(is.unsorted(new$trace$seconds))
  expect_false(is.unsorted(new$trace$score))
  expect_false(is.unsorted(-new$trace$bound))
})

test_that("the score never falls and the bound never rises", {
  set.seed(2)
  sets <- random_parent_sets(18L, count = 20L)
  before <- learn_dag(sets, method = "local")
  after <- update(before, sets, time_limit = 0)
  expect_gte(score_of(after), score_of(before))
  expect_lte(certificate(after)$bound, certificate(before)$bound)
  expect_gte(certificate(after)$effort$insertions, certificate(before)$effort$insertions)
})

test_that("an optimum stays as it is", {
  set.seed(3)
  sets <- random_parent_sets(6L)
  best <- learn_dag(sets)
  expect_identical(update(best, sets), best)
})

test_that("data serve as well as parent sets, constraints included", {
  titanic <- as.data.frame(Titanic)
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  before <- learn_dag(sets, blacklist = c("Sex", "Class"), time_limit = 0)
  expect_certified(before, sets, "bounded")
  for (after in list(update(before, sets),
                     update(before, titanic[1:4], weights = titanic$Freq))) {
    expect_certified(after, sets)
    expect_identical(certificate(after)$settings, certificate(before)$settings)
  }
})

test_that("a bound of something else is not used", {
  set.seed(4)
  sets <- random_parent_sets(8L)
  other <- random_parent_sets(8L)
  before <- learn_dag(sets, time_limit = 0)
  expect_snapshot(after <- update(before, other))
  expect_certified(after, other)

  changed <- before
  changed$arcs <- changed$arcs[-1L, , drop = FALSE]
  expect_snapshot(after <- update(changed, sets))
  expect_certified(after, sets)
})

test_that("arguments are checked", {
  sets <- withr::with_seed(5, random_parent_sets(5L, source = "scores.jkl"))
  before <- learn_dag(sets, time_limit = 0)
  expect_snapshot(error = TRUE, {
    update(before, cars)
    update(before, sets, tme_limit = 2)
    update(before, 1)
  })
})

test_that("a search goes on from its multipliers", {
  set.seed(4)
  sets <- random_parent_sets(24, count = 60)
  network <- learn_dag(sets, method = "lagrangian")
  expect_gt(length(certificate(network)$multipliers$clusters), 1)
  network$learning$optbn$status <- "bounded" # as if it had been cut short at its root
  network$learning$optbn$bound <- certificate(network)$score + 5
  network <- resealed(network)
  continued <- certificate(update(network, sets, method = "lagrangian"))
  expect_identical(continued$status, "optimal")
  expect_equal(continued$score, certificate(network)$score)

  # malformed ones do no harm
  spoilt <- network
  spoilt$learning$optbn$multipliers$clusters[[1]]$nodes <- c(1L, 999L)
  spoilt$learning$optbn$multipliers$clusters[[2]]$price <- -1
  proved <- certificate(update(resealed(spoilt), sets, method = "lagrangian"))
  expect_identical(proved$status, "optimal")
  expect_equal(proved$score, certificate(learn_dag(sets, method = "dp"))$score)
})

# ---- bounded tree-width --------------------------------------------------------------------------

test_that("a search of bounded tree-width goes on", {
  set.seed(6)
  sets <- random_parent_sets(12L, count = 20L)
  before <- learn_treewidth(sets, 2, method = "local", iterations = 2)
  old <- certificate(before)
  expect_identical(old$status, "heuristic")
  for (time_limit in c(0, if (all_cases()) Inf else 3)) {
    further <- update(before, sets, method = "local", time_limit = time_limit)
    new <- certificate(further)
    expect_gte(new$score, old$score)
    expect_lte(new$bound, old$bound)
    expect_certified(further, sets, new$status)
    expect_gte(new$effort$k_trees, old$effort$k_trees)
    # The optimum of any tree-width is known already.
    expect_identical(new$effort$subsets, old$effort$subsets)
    expect_identical(new$unbounded, old$unbounded)
    expect_gte(new$seconds, old$seconds)
    expect_identical(new$trace[1L, ], old$trace[1L, ])
    expect_false(is.unsorted(new$trace$score))
    expect_false(is.unsorted(-new$trace$bound))
  }
  expect_gt(new$score, old$score)
  best <- learn_treewidth(sets, 2, method = "exact")
  for (method in c("auto", "exact")) {
    proved <- update(further, sets, method = method)
    expect_certified(proved, sets)
    expect_equal(score_of(proved), score_of(best))
    expect_identical(certificate(proved)$method, "exact search over k-trees")
    expect_identical(update(proved, sets), proved)
  }
})

test_that("the first network of a search that goes on is the one that it has", {
  set.seed(7)
  sets <- random_parent_sets(22L, count = 60L, most = 8L)
  network <- learn_treewidth(sets, 7, method = "sample", inner = "s2", iterations = 3)
  expect_identical(certificate(network)$k_tree$treewidth, 7L)
  again <- update(network, sets, time_limit = 0)
  expect_gte(score_of(again), score_of(network))
  expect_lte(certificate(again)$bound, certificate(network)$bound)
  expect_certified(again, sets, "bounded")
})

test_that("sampled networks go on by other methods", {
  set.seed(8)
  sets <- random_parent_sets(10L, count = 15L)
  before <- learn_treewidth(sets, 2, method = "sample", iterations = 3)
  expect_null(certificate(before)$unbounded)
  after <- update(before, sets)
  expect_certified(after, sets)
  expect_equal(score_of(after), score_of(learn_treewidth(sets, 2)))
  expect_true(certificate(after)$unbounded$proved)
})

test_that("data serve as well as parent sets at bounded tree-width", {
  cars <- as.data.frame(lapply(mtcars, function(x) factor(x > stats::median(x))))
  before <- learn_treewidth(cars, 3, "bic", method = "local", iterations = 1, max_parents = 2,
                            whitelist = c("wt", "mpg"), blacklist = c("cyl", "hp"))
  after <- update(before, cars, method = "exact")
  expect_certified(after, cars)
  expect_gte(score_of(after), score_of(before))
  expect_lte(score_of(after), certificate(before)$bound + 1e-9)
  expect_identical(certificate(after)$settings, certificate(before)$settings)
})

test_that("of something else the k-tree alone is used", {
  set.seed(9)
  sets <- random_parent_sets(9L, count = 12L)
  other <- random_parent_sets(9L, count = 12L)
  before <- learn_treewidth(sets, 2, method = "sample", iterations = 1)
  expect_snapshot(after <- update(before, other))
  expect_certified(after, other)
  expect_equal(score_of(after), score_of(learn_treewidth(other, 2)))
  hasty <- suppressMessages(update(before, other, time_limit = 0))
  within <- learn_treewidth(other, certificate(before)$k_tree)
  expect_gte(score_of(hasty), score_of(within) - 1e-9)
  expect_gte(certificate(hasty)$bound, score_of(after) - 1e-9)

  changed <- before
  changed$arcs <- changed$arcs[-1L, , drop = FALSE]
  expect_message(after <- update(changed, sets), "has been changed")
  expect_certified(after, sets)

  # The k-tree has the old names.
  renamed <- before
  rename <- function(names) replace(names, names == sets$nodes[1L], "other")
  renamed$nodes <- rapply(renamed$nodes, rename, how = "replace")
  names(renamed$nodes) <- rename(names(renamed$nodes))
  renamed$arcs <- rename(renamed$arcs)
  sets$nodes[1L] <- "other"
  expect_error(update(renamed, sets), class = "optbn_error_argument")
})

test_that("random orders within a k-tree give way to the best network", {
  set.seed(10)
  sets <- random_parent_sets(12L, count = 20L)
  tree <- sample_k_tree(sets$nodes, 3)
  before <- learn_treewidth(sets, tree, inner = "s2")
  expect_identical(certificate(before)$status, "heuristic")
  after <- update(before, sets)
  expect_certified(after, sets)
  expect_equal(score_of(after), score_of(learn_treewidth(sets, tree)))
  expect_identical(certificate(after)$settings, certificate(before)$settings)
  expect_identical(certificate(after)$k_tree, tree)
  more <- update(before, sets, method = "s2")
  expect_gte(score_of(more), score_of(before))
  expect_certified(more, sets, "heuristic")
})

test_that("arguments are checked at bounded tree-width", {
  sets <- withr::with_seed(11, random_parent_sets(6L))
  fewer <- withr::with_seed(11, random_parent_sets(5L))
  set.seed(1)
  before <- learn_treewidth(sets, 2, method = "sample", iterations = 1)
  within <- learn_treewidth(sets, sample_k_tree(sets$nodes, 1), inner = "s2")
  within$learning$optbn$status <- "heuristic"
  within <- resealed(within)
  many <- withr::with_seed(11, random_parent_sets(12L))
  wide <- learn_treewidth(many, sample_k_tree(many$nodes, 8), inner = "s2")
  expect_gte(score_of(update(wide, many)), score_of(wide))
  expect_snapshot(error = TRUE, {
    update(before, sets, method = "dp")
    update(within, sets, method = "local")
    update(wide, many, method = "exact")
    update(before, fewer)
  })
})

test_that("parent sets of less slack than a network was learned with are other sets", {
  path <- data.frame("complaints", "advance", TRUE)
  network <- learn_dag(attitude, "bic-g", ancestors = path)
  expect_false(is.null(certificate(network)$settings$slack))
  expect_s3_class(suppressMessages(update(network, parent_sets(attitude, "bic-g"))), "optbn")
})
