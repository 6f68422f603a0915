titanic <- as.data.frame(Titanic)

verify <- function(network, x = titanic[1:4], weights = titanic$Freq) {
  checks <- verify_certificate(network, x, if (is.data.frame(x)) weights)
  stats::setNames(checks$ok, checks$check)
}

# What fails after part of the certificate has been tampered with, as if the search had done it.
failures <- function(network, ...) {
  network <- with_record(network, utils::modifyList(network$learning$optbn, list(...)))
  checks <- verify(network)
  names(checks)[!checks %in% c(TRUE, NA)]
}

learned <- learn_dag(titanic[1:4], "bic", weights = titanic$Freq,
                     whitelist = c("Age", "Survived"), blacklist = c("Sex", "Class"))

test_that("true certificates pass", {
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  expect_true(all(verify(learned)))
  expect_true(all(verify(learned, sets)))
})

test_that("false certificates do not", {
  record <- learned$learning$optbn
  expect_identical(failures(learned), character())
  expect_identical(failures(learned, score = record$score + 1),
                   c("total score", "bound", "optimum"))
  expect_identical(failures(learned, node_scores = record$node_scores + c(1, -1, 0, 0)),
                   "local scores")
  expect_identical(failures(learned, bound = record$score - 1), c("bound", "optimum"))
  expect_identical(failures(learned, bound = record$score + 1), "bound")
  expect_identical(failures(learned, arcs = record$arcs[-1L, ]), "arcs")
  settings <- record$settings
  settings$blacklist <- record$arcs[1L, , drop = FALSE]
  expect_true("constraints" %in% failures(learned, settings = settings))
  settings <- record$settings
  settings$max_parents <- rep(1L, 4L)
  expect_true("constraints" %in% failures(learned, settings = settings))
})

test_that("networks that are not optimal are found out", {
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  worse <- learn_k_best(sets, 20)[[20L]]
  expect_true(is.na(verify(worse, sets)[["optimum"]]))
  worse$learning$optbn$settings$rank <- 1L
  expect_identical(names(which(!verify(resealed(worse), sets))), "optimum")
  expect_identical(names(which(!verify(worse, sets))), c("record", "optimum"))
})

test_that("a bound that was edited into a proof is not ticked", {
  network <- withr::with_seed(1, learn_dag(random_parent_sets(30, count = 60), method = "local"))
  network$learning$optbn$status <- "optimal"
  network$learning$optbn$bound <- network$learning$optbn$score
  sets <- withr::with_seed(1, random_parent_sets(30, count = 60))
  checks <- verify(network, sets)
  expect_false(checks[["record"]])
  expect_false(isTRUE(checks[["bound"]]))
})

test_that("cycles are found", {
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  cyclic <- learned
  cyclic$nodes$Age$parents <- "Survived"
  cyclic$nodes$Survived$parents <- "Age"
  expect_identical(verify(cyclic, sets)[c("arcs", "acyclic")], c(arcs = FALSE, acyclic = FALSE))
})

test_that("arguments are checked", {
  expect_snapshot(error = TRUE, {
    verify_certificate("[a][b]", titanic[1:4])
    verify_certificate(learned, cars)
    verify_certificate(learned, 1)
  })
})

test_that("checks print as a list", {
  expect_snapshot(print(structure(
    data.frame(check = c("arcs", "bound", "optimum"), ok = c(TRUE, FALSE, NA),
               detail = c("those of the certificate", "-1.5, status optimal", "not recomputed")),
    class = c("optbn_certificate_check", "data.frame")
  )))
})

test_that("the root bound is recomputed from the multipliers", {
  set.seed(1)
  sets <- random_parent_sets(14, count = 40)
  network <- learn_dag(sets, method = "lagrangian")
  checks <- verify_certificate(network, sets)
  expect_true(checks$ok[checks$check == "root bound"])
  expect_gt(length(certificate(network)$multipliers$clusters), 0)

  # prices that promise more than the bound can hold
  network$learning$optbn$multipliers$clusters[[1]]$price <- 1000
  network$learning$optbn$multipliers$clusters[[1]]$k <- 14L
  checks <- verify_certificate(network, sets)
  expect_false(checks$ok[checks$check == "root bound"])
})

test_that("the cheapest acyclic choice of a group is that of all its orders", {
  set.seed(1)
  charge <- matrix(rexp(32), 8, 4)[, 1:3]
  orders <- list(1:3, c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), 3:1, c(3, 1, 2))
  slow <- min(vapply(orders, function(order) {
    sum(vapply(seq_along(order), function(i) {
      before <- sum(2^(order[seq_len(i - 1)] - 1))
      patterns <- Filter(function(p) bitwAnd(p, before) == p, 0:7)
      min(charge[patterns + 1, order[i]])
    }, 0))
  }, 0))
  expect_equal(least_completions(charge)[1L], slow)
})

test_that("what was learned within a k-tree is the best there", {
  set.seed(2)
  sets <- random_parent_sets(8, count = 12)
  tree <- sample_k_tree(sets$nodes, 2)
  network <- learn_treewidth(sets, tree)
  expect_true(all(verify(network, sets)))

  # not the best of its tree-width
  best <- learn_treewidth(sets, 2)
  expect_gt(certificate(best)$score, certificate(network)$score)
  expect_true(is.na(verify(best, sets)[["optimum"]]))

  # nor the best within another k-tree
  other <- certificate(best)$k_tree
  network$learning$optbn$settings$k_tree <- other
  expect_identical(names(which(!verify(resealed(network), sets))), c("constraints", "optimum"))
  worse <- learn_treewidth(sets, tree, inner = "s2")
  expect_true(all(verify(worse, sets)))
  worse$learning$optbn$bound <- certificate(worse)$score
  worse$learning$optbn$status <- "optimal"
  expect_identical(names(which(!verify(resealed(worse), sets))), "optimum")
})
