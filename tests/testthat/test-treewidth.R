# Word for word, in R: the moral graph as a logical matrix, and the cliques that
# an order leaves.

joined_pairs <- function(nodes, parents) {
  joined <- matrix(FALSE, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (v in seq_along(nodes)) {
    family <- c(v, parents[[v]])
    joined[family, family] <- TRUE
  }
  diag(joined) <- FALSE
  joined
}

largest_bag <- function(joined, order) {
  largest <- 0L
  for (node in order) {
    around <- rownames(joined)[joined[, node]]
    largest <- max(largest, length(around) + 1L)
    joined[around, around] <- TRUE
    diag(joined) <- FALSE
    joined[node, ] <- joined[, node] <- FALSE
  }
  largest
}

all_orders <- function(nodes) {
  if (length(nodes) <= 1L) return(list(nodes))
  unlist(lapply(seq_along(nodes), function(i) {
    lapply(all_orders(nodes[-i]), function(rest) c(nodes[i], rest))
  }), recursive = FALSE)
}

# The degrees of the nodes of a minor, after a check that it is one.
minor_degrees <- function(joined, minor) {
  expect_identical(anyDuplicated(unlist(minor)), 0L)
  for (set in minor) { # hangs together
    reached <- set[1L]
    repeat {
      more <- set[colSums(joined[reached, set, drop = FALSE]) > 0 | set %in% reached]
      if (length(more) == length(reached)) break
      reached <- more
    }
    expect_setequal(reached, set)
  }
  vapply(seq_along(minor), function(i) {
    sum(vapply(minor[-i], function(other) any(joined[minor[[i]], other]), NA))
  }, 0L)
}

expect_tree_width <- function(found, nodes, parents) {
  joined <- joined_pairs(nodes, parents)
  expect_setequal(found$order, nodes)
  expect_identical(largest_bag(joined, found$order), found$upper + 1L)
  expect_lte(found$lower, found$upper)
  expect_identical(found$width, if (found$lower == found$upper) found$upper else NA_integer_)
  expect_identical(is.null(found$reason), found$lower == found$upper)
  if (found$lower > 0L && !startsWith(found$proof, "search")) {
    expect_identical(min(minor_degrees(joined, found$minor)), found$lower)
  }
  expect_decomposition(found, nodes, parents)
}

# Every family in a clique; the cliques of a node hang together: all but one of
# them hang on another one.
expect_decomposition <- function(found, nodes, parents) {
  expect_identical(max(lengths(found$cliques)), found$upper + 1L)
  for (v in seq_along(nodes)) {
    family <- nodes[c(v, parents[[v]])]
    expect_true(any(vapply(found$cliques, function(clique) all(family %in% clique), NA)))
    holds <- vapply(found$cliques, function(clique) nodes[v] %in% clique, NA)
    expect_identical(sum(holds & !(found$tree %in% which(holds))), 1L)
  }
}

test_that("the tree-width is the least width of all orders", {
  set.seed(1)
  for (density in seq(0, 1, 0.1)) {
    nodes <- c("b", "a", "f", "d", "c", "e")
    parents <- random_parents(6L, density)
    joined <- joined_pairs(nodes, parents)
    least <- min(vapply(all_orders(nodes), function(order) largest_bag(joined, order), 0L)) - 1L
    found <- treewidth(as.matrix(example_network(nodes, parents)))
    expect_identical(found$width, least)
    expect_tree_width(found, nodes, parents)
  }
})

test_that("larger networks come with proofs", {
  skip_where_quick()
  set.seed(2)
  for (n in c(20L, 35L, 60L)) {
    for (repetition in 1:3) {
      nodes <- node_names(n)
      parents <- random_parents(n, 1.7 / n)
      found <- treewidth(example_network(nodes, parents))
      expect_false(is.na(found$width))
      expect_tree_width(found, nodes, parents)
    }
  }
})

test_that("networks without arcs, or without nodes to spare, have a tree-width", {
  expect_identical(treewidth("[A]")$width, 0L)
  found <- treewidth("[A][B][C]")
  expect_identical(found$width, 0L)
  expect_setequal(unlist(found$cliques), c("A", "B", "C"))
  expect_identical(found$tree, rep(NA_integer_, 3L))
  complete <- treewidth("[A][B|A][C|A:B][D|A:B:C]")
  expect_identical(complete$width, 3L)
  expect_identical(complete$cliques, list(c("A", "B", "C", "D")))
})

test_that("every kind of network is taken", {
  string <- "[A][B|A][C|A][D|B:C]"
  skip_without_peer("bnlearn")
  network <- bnlearn::model2network(string)
  data <- data.frame(A = factor(c("a", "b")), B = factor(c("c", "d")),
                     C = factor(c("e", "f")), D = factor(c("g", "h")))
  given <- list(string, network, bnlearn::amat(network), bnlearn::bn.fit(network, data),
                fit_network(network, data), learn_dag(data[1:2], "k2"))
  widths <- lapply(given, function(x) treewidth(x)$width)
  expect_identical(widths, list(2L, 2L, 2L, 2L, 2L, 1L))
  for (x in given[-6L]) expect_setequal(elimination_order(x), LETTERS[1:4])
})

test_that("the seed decides ties", {
  set.seed(3)
  network <- as.matrix(example_network(node_names(30L), random_parents(30L, 0.05)))
  at <- function(seed, find) {
    set.seed(seed)
    find(network)
  }
  strip <- function(network) treewidth(network)[c("width", "order", "cliques", "tree", "minor")]
  expect_identical(at(1, strip), at(1, strip))
  cells <- function(network) elimination_order(network, "cells")
  expect_identical(at(1, cells), at(1, cells))
  expect_identical(at(1, elimination_order), at(1, treewidth)$order)
})

test_that("orders keep small what they are asked to", {
  # Two hubs of 40 levels, four switches of 2 that depend on both.
  levels <- c(hub1 = 40L, hub2 = 40L, s1 = 2L, s2 = 2L, s3 = 2L, s4 = 2L)
  string <- "[hub1][s1|hub1][s2|hub1][s3|hub1][s4|hub1][hub2|s1:s2:s3:s4]"
  rows <- function(n) as.data.frame(lapply(levels, function(k) factor(rep_len(1:k, n), 1:k)))
  fit <- fit_network(string, rows(80L))
  cells <- function(order) {
    joined <- joined_pairs(names(levels), lapply(as_network_structure(string)$parents, function(p) {
      match(as_network_structure(string)$nodes[p], names(levels))
    }))
    total <- 0
    for (node in order) {
      around <- rownames(joined)[joined[, node]]
      total <- total + prod(levels[c(node, around)])
      joined[around, around] <- TRUE
      diag(joined) <- FALSE
      joined[node, ] <- joined[, node] <- FALSE
    }
    total
  }
  orders <- all_orders(names(levels))
  costs <- vapply(orders, cells, 0)
  expect_lte(cells(elimination_order(fit, "cells")), min(costs) * 1.1)
  expect_gt(max(costs), 2 * min(costs))
  skip_without_peer("bnlearn")
  expect_lte(cells(elimination_order(bnlearn::as.bn.fit(fit), "cells")), min(costs) * 1.1)
})

test_that("levels are known of fitted networks only", {
  fit <- fit_network("[Species][Petal.Width|Species][Petal.Length|Petal.Width]", iris)
  expect_equal(log_levels(fit), log(c(2, 2, 3)))
  expect_equal(log_levels(fit_network("[rating][raises|rating]", attitude)), numeric())
  expect_identical(log_levels("[A][B|A]"), numeric())
  skip_without_peer("bnlearn")
  titanic <- as.data.frame(Titanic)[1:4]
  fit <- fit_network("[Class][Sex|Class][Age][Survived|Class:Sex:Age]", titanic)
  expect_equal(log_levels(bnlearn::as.bn.fit(fit)),
               unname(log(lengths(lapply(titanic, levels))[names(bnlearn::as.bn.fit(fit))])))
})

test_that("what is cut short says so", {
  set.seed(4)
  hard <- as.matrix(example_network(node_names(120L), random_parents(120L, 0.05)))
  found <- treewidth(hard, time_limit = 0.2)
  expect_identical(found$width, NA_integer_)
  expect_lt(found$lower, found$upper)
  expect_identical(found$reason, "time_limit")
  expect_tree_width(found, colnames(hard), as_network_structure(hard)$parents)
  expect_identical(treewidth(hard, memory_limit = 1e4, time_limit = Inf)$reason, "size")
  expect_length(elimination_order(hard, time_limit = 0), 120L)
})

test_that("Ctrl-C leaves bounds", {
  found <- interrupt_at_work(c(
    "set.seed(4)",
    "network <- as.matrix(given$network)",
    "result <- treewidth(network, time_limit = Inf)"
  ), list(network = {
    set.seed(4)
    as.matrix(example_network(node_names(120L), random_parents(120L, 0.05)))
  }))
  expect_identical(found$reason, "interrupt")
  expect_lt(found$lower, found$upper)
})

test_that("a tree-width prints in a few lines", {
  expect_snapshot(treewidth("[A][B]"))
  expect_snapshot(treewidth("[A][B|A][C|A][D|B:C]"))
  found <- function(...) {
    nodes <- node_names(30L)
    structure(list(..., order = nodes, cliques = as.list(nodes), tree = rep(NA_integer_, 30)),
              class = "optbn_treewidth")
  }
  widths <- list(
    found(width = 8L, lower = 8L, upper = 8L,
          proof = describe_lower_bound(list(lower = 8L, searched = TRUE))),
    found(width = NA_integer_, lower = 11L, upper = 16L, reason = "time_limit",
          proof = describe_lower_bound(list(lower = 11L, searched = FALSE, minor = as.list(1:12))))
  )
  expect_snapshot(widths[[1L]])
  expect_snapshot(widths[[2L]])
  widths[[2L]]$reason <- "interrupt"
  widths[[2L]]$proof <- describe_lower_bound(list(lower = 11L, searched = FALSE,
                                                  minor = as.list(1:15)))
  expect_snapshot(widths[[2L]])
  widths[[2L]]$reason <- "size"
  expect_snapshot(widths[[2L]])
})

test_that("what is no network is refused", {
  expect_snapshot(error = TRUE, treewidth(1))
  expect_snapshot(error = TRUE, treewidth("A"))
  expect_snapshot(error = TRUE, treewidth("[A|B][B|A]"))
  expect_snapshot(error = TRUE, treewidth(matrix(1, 2, 3)))
  expect_snapshot(error = TRUE, elimination_order(iris))
  expect_snapshot(error = TRUE, elimination_order("[A]", "fill"))
  expect_snapshot(error = TRUE, treewidth("[A]", time_limit = -1))
  expect_snapshot(error = TRUE, treewidth("[A]", memory_limit = 0))
  expect_snapshot(error = TRUE, treewidth("[A]", progress = 2))
  expect_error(treewidth("[A]", 5), class = "rlib_error_dots_nonempty")
  expect_error(treewidth(NULL), class = "optbn_error_argument")
})

test_that("the networks of the repository have proved widths", {
  skip_where_quick()
  folder <- shared_path("data", "networks")
  skip_without_peer("bnlearn")
  for (name in c("alarm", "asia", "barley", "child", "hailfinder", "hepar2", "insurance", "mildew",
                 "munin1", "pigs", "water", "win95pts")) {
    file <- withr::local_tempfile(fileext = ".bif")
    zipped <- gzfile(file.path(folder, paste0(name, ".bif.gz")))
    writeLines(readLines(zipped), file)
    close(zipped)
    network <- bnlearn::bn.net(suppressWarnings(bnlearn::read.bif(file)))
    found <- treewidth(network, time_limit = Inf)
    expect_false(is.na(found$width), label = name)
    dag <- as_network_structure(network)
    expect_tree_width(found, dag$nodes, dag$parents)
  }
})
