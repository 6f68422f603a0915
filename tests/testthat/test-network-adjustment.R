# All sets that are adjustment sets in each of some networks, as sorted names.
sets_by_definition <- function(networks, x, y, criterion, free) {
  fits <- switch(criterion, generalised = adjusts_by_definition,
                 "back-door" = back_door_by_definition)
  Filter(function(z) all(vapply(networks, fits, NA, x = x, y = y, z = z)), all_subsets(free))
}

keys <- function(sets) sort(vapply(sets, function(set) paste(sort(set), collapse = " "), ""))

minimal_of <- function(sets) {
  Filter(function(set) {
    !any(vapply(sets, function(other) length(other) < length(set) && all(other %in% set), NA))
  }, sets)
}

expect_sets_by_definition <- function(a, x, y, class, criterion, free = seq_len(ncol(a))) {
  nodes <- colnames(a)
  free <- setdiff(free, c(x, y))
  networks <- if (class) all_of_class(a) else list(a)
  expected <- lapply(sets_by_definition(networks, x, y, criterion, free), function(z) nodes[z])
  find <- function(type) {
    adjustment_sets(a, nodes[x], nodes[y], criterion, type, nodes[free], class, 1000)
  }
  expect_identical(keys(find("all")), keys(expected))
  expect_identical(keys(find("minimal")), keys(minimal_of(expected)))
  canonical <- find("canonical")
  expect_identical(length(canonical), as.integer(length(expected) > 0))
  expect_true(all(keys(canonical) %in% keys(expected)))
  for (z in lapply(all_subsets(free), function(z) nodes[z])) {
    expect_identical(is_adjustment_set(a, nodes[x], nodes[y], z, criterion, class),
                     keys(list(z)) %in% keys(expected))
  }
}

# Of one or two nodes on as many others, in a random network.
expect_random_sets_by_definition <- function(class) {
  n <- sample(3:5, 1)
  a <- random_dag_matrix(n, sample(c(0.3, 0.5, 0.8), 1))
  chosen <- sample(n)
  x <- chosen[seq_len(sample(c(1, 1, min(2, n - 1)), 1))]
  y <- setdiff(chosen, x)[seq_len(min(sample(1:2, 1), n - length(x)))]
  free <- sample(n, sample(0:n, 1))
  expect_sets_by_definition(a, x, y, class, "generalised")
  expect_sets_by_definition(a, x, y, class, "generalised", free)
  expect_sets_by_definition(a, x, y, class, "back-door")
}

test_that("adjustment sets of a network are those that all its paths give", {
  withr::local_seed(1)
  for (repeats in share_of(1:60)) {
    expect_random_sets_by_definition(FALSE)
  }
})

test_that("adjustment sets of a class are those of all its networks", {
  withr::local_seed(2)
  for (repeats in share_of(1:60)) {
    expect_random_sets_by_definition(TRUE)
  }
})

test_that("sets of the literature are found", {
  # Pearl (2009), figure 3.4
  pearl <- paste0("[X1][X2][X3|X1][X4|X1:X2][X5|X2][Xi|X3:X4][X6|Xi][Xj|X4:X5:X6]")
  for (criterion in c("generalised", "back-door")) {
    found <- adjustment_sets(pearl, "Xi", "Xj", criterion)
    expect_identical(keys(found), c("X1 X4", "X2 X4", "X3 X4", "X4 X5"))
  }
  # what is only a common effect is not adjusted for
  expect_identical(unclass(adjustment_sets("[A][B][M|A:B][X|A][Y|B:X]", "X", "Y"))[[1]],
                   character())
  expect_false(is_adjustment_set("[A][B][M|A:B][X|A][Y|B:X]", "X", "Y", "M"))
  # a descendant of from that the back-door criterion refuses
  expect_true(is_adjustment_set("[X][Y|X][D|X]", "X", "Y", "D"))
  expect_false(is_adjustment_set("[X][Y|X][D|X]", "X", "Y", "D", "back-door"))
})

test_that("what order nodes have does not matter", {
  withr::local_seed(3)
  for (repeats in 1:20) {
    a <- random_dag_matrix(8, 0.4)
    nodes <- colnames(a)
    new <- sample(nodes)
    ends <- sample(nodes, 2)
    for (class in c(FALSE, TRUE)) {
      expect_identical(keys(adjustment_sets(a, ends[1], ends[2], cpdag = class)),
                       keys(adjustment_sets(a[new, new], ends[1], ends[2], cpdag = class)))
    }
  }
})

test_that("an adjustment set gives the effect of the intervention, and others do not", {
  withr::local_seed(4)
  wrong <- 0
  for (repeats in 1:30) {
    fit <- random_fit(5)
    ends <- sample(fit$nodes, 2)
    all <- enumerate(fit)
    for (z in all_subsets(setdiff(fit$nodes, ends))) {
      joint <- sum_rows(fit, all, all$p, c(ends, z))
      p <- matrix(joint, prod(dim(joint)[1:2]))
      weights <- colSums(p)
      by_z <- array(joint, c(dim(joint)[1:2], length(weights)))
      adjusted <- vapply(seq_len(dim(joint)[2]), function(k) {
        sum(by_z[1, k, ] / colSums(matrix(by_z[1, , ], dim(joint)[2])) * weights)
      }, 0)
      do <- as.list(rlang::set_names(fit$levels[[ends[1]]][1], ends[1]))
      equal <- isTRUE(all.equal(adjusted, as.vector(query(fit, ends[2], do = do))))
      if (is_adjustment_set(fit, ends[1], ends[2], z)) expect_true(equal)
      else wrong <- wrong + !equal
    }
  }
  expect_gt(wrong, 20)
})

test_that("networks of all forms are read, and classes are recognised", {
  skip_without_peer("bnlearn")
  string <- "[A][B|A][C|A][D|B:C]"
  network <- bnlearn::model2network(string)
  fit <- bnlearn::custom.fit(network, list(
    A = list(coef = 0, sd = 1), B = list(coef = c(0, 1), sd = 1), C = list(coef = c(0, 1), sd = 1),
    D = list(coef = c(0, 1, 1), sd = 1)
  ))
  ours <- random_fit(4, parents = list(integer(), 1L, 1L, 2:3))
  forms <- list(network, bnlearn::amat(network), fit)
  expected <- adjustment_sets(string, "B", "D")
  expect_identical(unclass(expected)[1:2], list("A", "C"))
  for (form in forms) expect_identical(adjustment_sets(form, "B", "D"), expected)
  expect_identical(lengths(adjustment_sets(ours, ours$nodes[2], ours$nodes[4])), c(1L, 1L))

  class <- bnlearn::cpdag(network)
  of_class <- adjustment_sets(string, "B", "D", cpdag = TRUE)
  expect_identical(adjustment_sets(class, "B", "D"), of_class)
  expect_identical(adjustment_sets(bnlearn::amat(class), "B", "D"), of_class)
  expect_length(adjustment_sets(class, "A", "D"), 0)
  expect_length(adjustment_sets(string, "A", "D"), 1)
  learned <- discrete_network()
  expect_identical(adjustment_sets(bnlearn::cpdag(learned), "A", "D"),
                   adjustment_sets(learned, "A", "D", cpdag = TRUE))
  withr::local_seed(5)
  for (repeats in 1:20) {
    nodes <- LETTERS[1:8]
    random <- bnlearn::random.graph(nodes, prob = 0.3)
    class <- bnlearn::cpdag(random)
    for (to in nodes[-1]) {
      expect_identical(adjustment_sets(class, "A", to), adjustment_sets(random, "A", to,
                                                                        cpdag = TRUE))
    }
  }
})

test_that("more sets than the limit are announced", {
  arms <- paste0("U", 1:6)
  string <- paste0("[X|", paste(arms, collapse = ":"), "]", paste0("[", arms, "]", collapse = ""),
                   paste0("[V", 1:6, "|", arms, "]", collapse = ""),
                   "[Y|X:", paste0("V", 1:6, collapse = ":"), "]")
  expect_length(adjustment_sets(string, "X", "Y"), 64)
  expect_message(some <- adjustment_sets(string, "X", "Y", limit = 10), "more than 10")
  expect_length(some, 10)
  expect_false(attr(some, "complete"))
  for (set in some) expect_length(set, 6)
  expect_message(all <- adjustment_sets(string, "X", "Y", type = "all", limit = 20),
                 "more than 20")
  for (set in all) expect_true(is_adjustment_set(string, "X", "Y", set))
  expect_identical(anyDuplicated(keys(all)), 0L)
})

test_that("sets are printed, or why there are none", {
  chain <- "[A][B|A][C|A:B]"
  expect_snapshot({
    adjustment_sets(chain, "B", "C")
    adjustment_sets(chain, "A", "C", type = "all")
    adjustment_sets(chain, "C", "A", criterion = "back-door", type = "canonical")
    adjustment_sets(chain, "B", "C", cpdag = TRUE)
    adjustment_sets(chain, "B", "C", available = character())
    suppressMessages(adjustment_sets("[A][B|A][D|A][C|B:D]", "B", "C", type = "all", limit = 1))
  })
})

test_that("malformed questions are errors that say what to do", {
  chain <- "[A][B|A][C|A:B]"
  halves <- matrix(0, 3, 3, dimnames = list(LETTERS[1:3], LETTERS[1:3]))
  halves["A", "B"] <- halves["B", "C"] <- halves["C", "B"] <- 1
  cycle <- replace(halves, cbind(3, 2), 0)
  cycle["C", "A"] <- 1
  expect_snapshot(error = TRUE, {
    adjustment_sets(chain, "X", "C")
    adjustment_sets(chain, "A", c("C", "A"))
    adjustment_sets(chain, "A")
    adjustment_sets(chain, "A", "C", criterion = "front-door")
    adjustment_sets(chain, "A", "C", available = "X")
    adjustment_sets(chain, "A", "C", limit = 0)
    adjustment_sets(halves, "A", "C")
    adjustment_sets(cycle, "A", "C")
    adjustment_sets("A", "A", "C")
    is_adjustment_set(chain, "A", "C", "A")
    is_adjustment_set(chain, "A", "C", NA)
  })
})

test_that("classes of networks with experiments have the arcs that these direct", {
  network <- "[A][B|A][C][D|C]"
  expect_length(adjustment_sets(network, "A", "B", cpdag = TRUE), 0)
  class <- essential_graph(network, list(character(), "A"))
  expect_identical(adjustment_sets(class, "A", "B")[[1]], character())
  expect_length(adjustment_sets(class, "C", "D"), 0)
  expect_true(is_adjustment_set(class, "A", "B", "D"))
  data <- data.frame(A = gl(2, 40), B = gl(2, 2, 80), set = rep(c("", "A"), each = 40))
  data$B[1:70] <- data$A[1:70]
  learned <- learn_dag(data, "bic", targets = "set", progress = FALSE)
  expect_identical(length(adjustment_sets(learned, learned$arcs[1, 1], learned$arcs[1, 2],
                                          cpdag = TRUE)), 1L)
})
