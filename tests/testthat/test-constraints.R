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
