figure_1 <- list(Q = c(7, 1, 6), S = rbind(c(1, 3), c(5, 3), c(6, 2), c(1, 1)))

# Grown as the definition says: every node is joined to k nodes of an earlier bag.
grown_bags <- function(nodes, k) {
  nodes <- sample(nodes)
  bags <- list(nodes[seq_len(k + 1L)])
  for (v in nodes[-seq_len(k + 1L)]) {
    bag <- bags[[sample.int(length(bags), 1L)]]
    bags[[length(bags) + 1L]] <- c(v, bag[-sample.int(k + 1L, 1L)])
  }
  bags
}

joined_within <- function(bags, nodes) {
  joined <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (bag in bags) joined[bag, bag] <- 1L
  diag(joined) <- 0L
  joined
}

# What the class promises, checked one by one.
expect_k_tree <- function(tree, nodes, k) {
  expect_s3_class(tree, "optbn_k_tree")
  expect_identical(tree$nodes, nodes)
  expect_identical(tree$treewidth, as.integer(k))
  expect_length(tree$bags, length(nodes) - k)
  expect_true(all(lengths(tree$bags) == k + 1L))
  expect_true(all(vapply(tree$bags, function(bag) !is.unsorted(match(bag, nodes), TRUE), NA)))
  expect_identical(c(tree$parent[1L], tree$introduced[1L]), c(NA, NA_character_))
  for (i in seq_along(tree$bags)[-1L]) {
    expect_lt(tree$parent[i], i)
    above <- tree$bags[[tree$parent[i]]]
    expect_identical(setdiff(tree$bags[[i]], above), tree$introduced[i])
  }
  expect_setequal(c(tree$bags[[1L]], tree$introduced[-1L]), nodes)
}

test_that("sampled k-trees are k-trees over the nodes", {
  set.seed(1)
  for (shape in list(c(1, 0), c(4, 0), c(3, 1), c(8, 1), c(9, 3), c(6, 4))) {
    for (method in c("uniform", "distance")) {
      nodes <- paste0("N", seq_len(shape[1L]))
      tree <- suppressMessages(sample_k_tree(nodes, shape[2L], method = method))
      expect_k_tree(tree, nodes, shape[2L])
      expect_equal(nrow(as.data.frame(tree)), shape[2L] * (shape[1L] - (shape[2L] + 1) / 2))
      expect_identical(as.matrix(tree), joined_within(tree$bags, nodes))
    }
  }
  expect_identical(sample_k_tree(5, 2)$nodes, as.character(1:5))
})

test_that("one k-tree or a list of them is drawn, as the seed says", {
  set.seed(5)
  trees <- sample_k_tree(8, 2, n = 20)
  expect_length(trees, 20)
  expect_gt(length(unique(trees)), 15)
  set.seed(5)
  expect_identical(sample_k_tree(8, 2, n = 20), trees)
  set.seed(5)
  expect_identical(sample_k_tree(8, 2), trees[[1]])
  apart <- sample_k_tree(8, 2, n = 20, method = "distance", bandwidth = 3)
  expect_length(apart, 20)
  expect_s3_class(apart[[20]], "optbn_k_tree")
})

test_that("uniform k-trees are uniform", {
  set.seed(2)
  trees <- sample_k_tree(5, 2, n = 70 * 60)
  edges <- vapply(trees, function(tree) paste(as.matrix(tree), collapse = ""), "")
  expect_length(unique(edges), 70)
  expect_gt(stats::chisq.test(table(edges))$p.value, 1e-4)
})

test_that("known codes and k-trees correspond", {
  skip_where_quick()
  cases <- known_cases("treewidth_dandelion.json")
  expect_length(cases$vectors, 53)
  for (case in cases$vectors) {
    code <- list(Q = as.integer(numbers(case$Q)),
                 S = matrix(as.integer(numbers(case$S)), ncol = 2, byrow = TRUE,
                            dimnames = list(NULL, c("p", "l"))))
    tree <- k_tree(code, case$n)
    expect_k_tree(tree, as.character(seq_len(case$n)), case$k)
    edges <- matrix(numbers(case$edges), ncol = 2, byrow = TRUE)
    expect_equal(unname(vapply(as.data.frame(tree), as.numeric, edges[, 1])), edges)
    bags <- vapply(case$cliques, function(bag) paste(numbers(bag), collapse = " "), "")
    expect_setequal(vapply(tree$bags, paste, "", collapse = " "), bags)
    expect_identical(k_tree_code(tree), code)
    expect_identical(k_tree_code(k_tree(edges)), code)
    expect_identical(k_tree_code(k_tree(lapply(case$cliques, numbers))), code)
  }
})

test_that("k-trees come back from codes, edges and bags", {
  set.seed(3)
  for (shape in list(c(4, 0), c(3, 1), c(9, 1), c(12, 3), c(6, 5))) {
    nodes <- sample(LETTERS, shape[1L])
    bags <- grown_bags(nodes, shape[2L])
    joined <- joined_within(bags, nodes)
    tree <- k_tree(bags, nodes)
    expect_k_tree(tree, nodes, shape[2L])
    expect_identical(as.matrix(tree), joined)
    edges <- as.data.frame(tree)
    shuffled <- edges[sample.int(nrow(edges)), ]
    expect_identical(k_tree(shuffled, nodes), tree)
    expect_identical(k_tree(as.matrix(edges[2:1]), nodes), tree)
    numbered <- data.frame(match(edges$from, nodes), match(edges$to, nodes))
    expect_identical(k_tree(numbered, nodes), tree)
    if (shape[2L] < shape[1L] - 1L) {
      expect_identical(as.matrix(k_tree(k_tree_code(tree), nodes)), joined)
    }
  }
  factors <- data.frame(factor(c("x", "y")), factor(c("y", "z")))
  expect_identical(k_tree(factors)$nodes, c("x", "y", "z"))
  expect_identical(k_tree(figure_1)$nodes, as.character(1:9))
  expect_identical(k_tree(list(Q = NULL, S = rbind(c(0, 0))))$treewidth, 0L)
  expect_identical(k_tree(list(Q = 2, S = NULL), c("a", "b", "c"))$bags,
                   list(c("a", "b"), c("b", "c")))
})

test_that("codes follow the names of the nodes", {
  set.seed(4)
  names <- sample(letters, 10)
  tree <- sample_k_tree(10, 3)
  renamed <- k_tree(lapply(tree$bags, function(bag) names[as.integer(bag)]), names)
  expect_identical(k_tree_code(renamed), k_tree_code(tree))
})

test_that("bags without edges are a tree of width 0", {
  expect_silent(tree <- k_tree(list(NULL, character()), nodes = c("a", "b")))
  expect_identical(tree$treewidth, 0L)
  expect_error(k_tree(list(NULL)), class = "optbn_error_argument")
})

test_that("k-trees are printed", {
  expect_snapshot({
    k_tree(figure_1, c("A", "B", "C", "D", "E", "F", "G", "H", "I"))
    print(k_tree(figure_1), max = 2)
    k_tree(list(c("a", "b")))
    sample_k_tree(c("a", "b"), 0)
    sample_k_tree(3, 2)
    sample_k_tree(1, 4)
  })
})

test_that("what cannot be sampled is told", {
  expect_snapshot(error = TRUE, {
    sample_k_tree(5, -1)
    sample_k_tree(5, 1.5)
    sample_k_tree(0, 0)
    sample_k_tree(c("a", "b", "a"), 1)
    sample_k_tree(list(), 1)
    sample_k_tree(5, 2, n = 0)
    sample_k_tree(5, 2, method = "a-star")
    sample_k_tree(5, 2, bandwidth = 1)
    sample_k_tree(5, 2, method = "distance", bandwidth = -1)
  })
})

test_that("what is no code is told", {
  with_row <- function(row, values) {
    figure_1$S[row, ] <- values
    figure_1
  }
  expect_snapshot(error = TRUE, {
    k_tree(with_row(2, c(7, 1)))
    k_tree(with_row(3, c(0, 1)))
    k_tree(with_row(4, c(1, 4)))
    k_tree(with_row(1, c(NA, 1)))
    k_tree(list(Q = c(1, 1), S = matrix(0, 3, 2)))
    k_tree(list(Q = c(1, 9), S = matrix(0, 3, 2)))
    k_tree(list(Q = integer(), S = rbind(c(1, 1))))
    k_tree(list(Q = 1:2, S = 1:3))
    k_tree(list(Q = 1:2, S = matrix("a", 1, 2)))
    k_tree(figure_1, 8)
    k_tree_code(sample_k_tree(letters[1:3], 2))
    k_tree_code("tree")
  })
})

test_that("what is no k-tree is told", {
  square <- data.frame(c("a", "b", "c", "d"), c("b", "c", "d", "a"))
  wheel <- rbind(c(1, 2), c(2, 3), c(3, 4), c(1, 4), c(1, 5), c(2, 5), c(3, 5))
  tampered <- k_tree(figure_1)
  tampered$parent[2] <- 5L
  unknown <- k_tree(figure_1)
  unknown$bags[[2]][1] <- "z"
  expect_snapshot(error = TRUE, {
    k_tree(square)
    k_tree(wheel)
    k_tree(rbind(c(1, 2), c(2, 1)))
    k_tree(rbind(c(1, 2), c(2, 2)))
    k_tree(rbind(c(1, 2), c(2, 0)))
    k_tree(matrix(numeric(), 0, 2))
    k_tree(list(c("a", "b"), c("b", "c")), c("a", "b"))
    k_tree(diag(3))
    k_tree(1:3)
    k_tree_code(tampered)
    k_tree_code(unknown)
  })
})
