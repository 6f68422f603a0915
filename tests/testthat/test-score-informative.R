mixed_columns <- function(n = 120) {
  set.seed(8)
  a <- sample(3, n, TRUE)
  b <- ifelse(stats::runif(n) < 0.6, a, sample(3, n, TRUE))
  x <- b + stats::rnorm(n)
  data.frame(a = factor(a), b = factor(b), c = factor(sample(2, n, TRUE)), x = x,
             y = stats::rnorm(n) - x)
}

discrete_columns <- function() mixed_columns()[c("a", "b", "c")]

test_that("known k-trees have their scores", {
  cases <- known_cases("treewidth_ktree.json")
  expect_length(cases, 63)
  limits <- check_limits(1, Inf, NULL, FALSE, NULL)
  for (case in cases) {
    sets <- sets_of_case(case)
    information <- do.call(rbind, lapply(case$mi, numbers))
    tree <- k_tree(matrix(numbers(case$edges0) + 1, ncol = 2, byrow = TRUE), sets$nodes)
    score <- score_k_trees(list(tree), information, sets, limits, NULL)[1, ]
    expect_lt(abs(score[["s_mi"]] - case$s_mi), 1e-9)
    expect_lt(abs(score[["s_l"]] - case$pseudo_score), 1e-9)
    expect_lt(abs(score[["score"]] - case$iscore), 1e-12)
    expect_gte(score[["s_l"]], case$best_score - 1e-9)
  }
})

# The sums as the paper writes them, from the definition of each term.
test_that("scores are those of the definition", {
  data <- discrete_columns()
  information <- function(a, b) {
    joint <- table(data[[a]], data[[b]]) / nrow(data)
    independent <- outer(rowSums(joint), colSums(joint))
    sum((joint * log(joint / independent))[joint > 0])
  }
  best <- function(v, among) {
    sets <- c(list(character()), as.list(among))
    max(vapply(sets, function(parents) {
      network <- matrix(0, 3, 3, dimnames = list(names(data), names(data)))
      network[parents, v] <- 1
      score_network(network, data, "bic", by_node = TRUE)[[v]]
    }, 0))
  }
  path <- k_tree(list(c("a", "c"), c("b", "c")), names(data))
  s_mi <- information("a", "c") + information("b", "c")
  s_l <- best("a", "c") + best("b", "c") + best("c", c("a", "b"))
  expect_equal(informative_score(path, data, "bic"),
               c(s_mi = s_mi, s_l = s_l, score = s_mi / abs(s_l)), tolerance = 1e-12)
})

test_that("continuous columns tell by the variance that they explain", {
  data <- mixed_columns()
  tree <- k_tree(list(names(data)), names(data))
  sets <- parent_sets(data, "pcart", max_parents = 1)
  share <- function(formula) summary(stats::lm(formula, data))$r.squared
  pairs <- -log(1 - c(share(x ~ a), share(x ~ b), share(x ~ c), share(y ~ a), share(y ~ b),
                      share(y ~ c), share(y ~ x))) / 2
  discrete <- informative_score(k_tree(list(c("a", "b", "c"))), data[c("a", "b", "c")])[["s_mi"]]
  expect_equal(informative_score(tree, sets, data = data)[["s_mi"]], discrete + sum(pairs))
})

test_that("data and their parent sets give the same", {
  data <- mixed_columns()
  set.seed(1)
  trees <- c(sample_k_tree(names(data), 2, n = 4), list(sample_k_tree(names(data), 1)))
  scores <- informative_score(trees, data, "pcart")
  expect_identical(dim(scores), c(5L, 3L))
  expect_identical(colnames(scores), c("s_mi", "s_l", "score"))
  sets <- parent_sets(data, "pcart", max_parents = 2)
  more <- cbind(data[5:1], other = 1)
  expect_equal(informative_score(trees, sets, data = more), scores)
  for (i in seq_along(trees)) {
    expect_equal(informative_score(trees[[i]], sets, data = data), scores[i, ])
  }
  # nodes in another order, another number of threads
  turned <- k_tree(rev(trees[[1]]$bags), rev(names(data)))
  expect_equal(informative_score(turned, data, "pcart", threads = 2), scores[1, ])
})

test_that("weights are repeated rows", {
  data <- discrete_columns()
  w <- rep(1:3, 40)
  tree <- k_tree(list(names(data)))
  expect_equal(informative_score(tree, data, weights = w),
               informative_score(tree, data[rep(seq_along(w), w), ]))
})

test_that("no network in a k-tree scores more than its pseudo-score", {
  data <- mixed_columns()
  set.seed(2)
  for (tree in sample_k_tree(names(data), 2, n = 5)) {
    joined <- as.matrix(tree)
    apart <- which(joined == 0 & row(joined) != col(joined), arr.ind = TRUE)
    outside <- data.frame(names(data)[apart[, 1]], names(data)[apart[, 2]])
    within <- learn_dag(data, "pcart", blacklist = outside, max_parents = 2)
    bound <- informative_score(tree, data, "pcart")[["s_l"]]
    expect_gte(bound, certificate(within)$score - 1e-9)
  }
})

test_that("what cannot be scored is told", {
  data <- discrete_columns()
  tree <- k_tree(list(names(data)))
  sets <- parent_sets(data)
  expect_snapshot(error = TRUE, {
    informative_score("tree", data)
    informative_score(list(), data)
    informative_score(list(tree, 1), data)
    informative_score(tree, data[1:2])
    informative_score(k_tree(list(c("a", "b", "d"))), data)
    informative_score(tree, 1:3)
    informative_score(tree, sets)
    informative_score(tree, sets, data = data[2:3])
    informative_score(tree, sets, "bic", data = data)
    informative_score(tree, data, data = data)
    informative_score(tree, data, "bde", 3)
  })
})
