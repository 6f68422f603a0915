nodes <- c("a", "b", "c", "d")
arcs <- function(...) matrix(c(...), ncol = 2, byrow = TRUE)

test_that("constraints become parents by node", {
  checked <- check_constraints(nodes, arcs("a", "b", "c", "b"), data.frame(from = "d", to = "a"), 2)
  expect_identical(checked$required, list(integer(), c(1L, 3L), integer(), integer()))
  expect_identical(checked$forbidden, list(4L, integer(), integer(), integer()))
  expect_identical(checked$max_parents, rep(2L, 4))
  expect_identical(colnames(checked$whitelist), c("from", "to"))
})

test_that("max_parents is one number, or one per node by order or name", {
  most <- function(x) check_constraints(nodes, max_parents = x)$max_parents
  expect_identical(most(NULL), rep(3L, 4))
  expect_identical(most(Inf), rep(3L, 4))
  expect_identical(most(c(1, 2, 3, 99)), c(1L, 2L, 3L, 3L))
  expect_identical(most(c(d = 0, a = 1, b = 2, c = 3)), c(1L, 2L, 3L, 0L))
})

test_that("a pair of names is one arc, and empty tables are none", {
  expect_identical(unname(check_constraints(nodes, c("a", "b"))$whitelist), arcs("a", "b"))
  expect_null(check_constraints(nodes, matrix(character(), 0, 2))$whitelist)
})

test_that("constraints that cannot hold are refused", {
  refuse <- function(...) expect_snapshot(check_constraints(nodes, ...), error = TRUE)
  refuse(whitelist = arcs("a", "b", "b", "c", "c", "a", "c", "d"))
  refuse(whitelist = arcs("a", "b", "b", "a"))
  refuse(whitelist = arcs("a", "b"), blacklist = arcs("c", "d", "a", "b"))
  refuse(whitelist = arcs("a", "d", "b", "d"), max_parents = 1)
  refuse(whitelist = arcs("a", "z"))
  refuse(blacklist = arcs("a", "a"))
  refuse(blacklist = 1:2)
  refuse(max_parents = -1)
  refuse(max_parents = c(1, 2))
  refuse(max_parents = 1.5)
  refuse(max_parents = c(a = 1, b = 1, c = 1, z = 1))
  expect_error(check_constraints(nodes, arcs("a", "b", "b", "a")), class = "optbn_error_infeasible")
})

test_that("tiers forbid arcs from later to earlier ones", {
  checked <- check_constraints(nodes, tiers = list(c("a", "d"), "b"))
  expect_identical(arc_keys(checked$blacklist), c("b -> a", "b -> d"))
  expect_identical(checked$forbidden, list(2L, integer(), integer(), 2L))
  both <- check_constraints(nodes, blacklist = arcs("b", "a", "c", "a"), tiers = list("a", "b"))
  expect_setequal(arc_keys(both$blacklist), c("b -> a", "c -> a"))
  expect_null(check_constraints(nodes, tiers = list(nodes))$blacklist)
  set.seed(1)
  sets <- random_parent_sets(6L)
  network <- learn_dag(sets, tiers = list(sets$nodes[4:6], sets$nodes[1:3]))
  expect_false(any(network$arcs[, "from"] %in% sets$nodes[1:3] &
                     network$arcs[, "to"] %in% sets$nodes[4:6]))
  expect_certified(network, sets)
})

test_that("tiers that cannot be are refused", {
  refuse <- function(...) expect_snapshot(check_constraints(nodes, ...), error = TRUE)
  refuse(tiers = c("a", "b"))
  refuse(tiers = list("a", "z"))
  refuse(tiers = list(c("a", "b"), "a"))
  refuse(tiers = list("a", "b"), whitelist = arcs("b", "a"))
})

test_that("constraints at odds over given parent sets are named, no more than needed", {
  set.seed(2)
  sets <- random_parent_sets(5L, empty = FALSE)
  sets$sets <- lapply(1:5, function(v) {
    others <- setdiff(1:5, v)
    list(score = c(-1, -2, -3), size = c(1L, 1L, 1L), parents = as.integer(others[1:3]))
  })
  sets$sets[[1L]] <- list(score = c(-1, -2), size = c(1L, 0L), parents = 2L)
  expect_snapshot(error = TRUE, {
    learn_dag(sets, whitelist = c("N002", "N001"), blacklist = c("N003", "N004"))
  })
})

test_that("a smallest conflict holds nothing that is not needed", {
  conflict <- smallest_conflict(1:9, function(items) !all(c(3, 7) %in% items))
  expect_identical(conflict, c(3L, 7L))
})
