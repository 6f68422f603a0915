# A small problem with a discrete column, and a network in which each column has all parts: parents,
# children, and their other parents.
small_problem <- function(score = score_bde(), bins = 4, cells = 9, rows = 150, targets = NULL) {
  data <- data.frame(a = stats::rnorm(rows))
  data$b <- data$a^2 + stats::rnorm(rows)
  data$c <- round(data$a + data$b + stats::rnorm(rows), 1)
  data$f <- factor(sample(c("x", "y", "z"), rows, TRUE))
  encoded <- encode_data(data, targets = targets)
  new_cut_problem(encoded, 1:3, bins, cells, score, call = environment())
}

with_network <- function(state) {
  state$parents <- list(integer(), c(1L, 4L), c(1L, 2L), 1L)
  state
}

# J by bnlearn's definitions alone: the score, and what the cuts and the bins cost.
objective_slowly <- function(problem, state) {
  data <- as.data.frame(lapply(seq_along(state$codes), function(v) {
    factor(state$codes[[v]], seq_len(state$sizes[v]))
  }), col.names = problem$encoded$nodes)
  arcs <- vapply(seq_along(data), function(v) {
    given <- names(data)[state$parents[[v]]]
    paste0("[", names(data)[v], if (length(given)) "|", paste(given, collapse = ":"), "]")
  }, "")
  targets <- problem$encoded$targets
  score <- score_network(paste(arcs, collapse = ""), data, problem$asked_score, targets = targets)
  for (v in problem$continuous) {
    n <- table(data[setdiff(seq_len(nrow(data)), targets[[names(data)[v]]]), v])
    cells <- length(unique(problem$grids[[v]]$cell))
    score <- score - sum((n * log(n / sum(n)))[n > 0]) - log(choose(cells - 1, length(n) - 1))
  }
  score
}

test_that("a grid has cells of about equal frequency between distinct values", {
  set.seed(1)
  grid <- new_grid(stats::rnorm(1000), 50)
  expect_identical(grid$counts, rep(20L, 50))
  few <- new_grid(c(3, 1, 1, 7), 50)
  expect_identical(few$borders, c(2, 5))
  expect_identical(few$cell, c(2L, 1L, 1L, 3L))
  expect_identical(new_grid(c(1e15, 1e15 + 0.125), 9)$borders, 1e15)
  for (seed in 1:20) {
    set.seed(seed)
    x <- round(stats::rexp(80), 1)
    grid <- new_grid(x, 12)
    expect_true(all(grid$counts > 0) && length(grid$counts) <= 12)
    expect_identical(sum(grid$counts), 80L)
    expect_false(is.unsorted(grid$cell[grid$order]))
  }
})

test_that("borders are where the running sum is nearest to even shares", {
  expect_identical(even_borders(c(1, 1, 1, 1), 2), 2L)
  expect_identical(even_borders(c(5, 1, 1, 1), 2), 1L)
  expect_identical(even_borders(c(1, 1, 1, 9), 3), 3L)
  expect_identical(even_borders(1:3, 7), 1:2)
})

# Rows in which columns were set; of c, its largest values, so that a bin may be of such rows alone.
set_rows <- function(problem) {
  list(a = 1:40, c = order(problem$encoded$columns[[3]], decreasing = TRUE)[1:35], f = 90:150)
}

test_that("the objective is the score less what the bins and the cuts cost", {
  for (score in list(score_bde(3), score_bic(), score_aic())) for (set in c(FALSE, TRUE)) {
    withr::local_seed(1)
    problem <- small_problem(score)
    withr::local_seed(1)
    if (set) problem <- small_problem(score, targets = set_rows(problem))
    state <- with_network(new_cut_state(problem, frequency_ends(problem, 3)))
    expect_equal(cut_objective(problem, state), objective_slowly(problem, state),
                 tolerance = 1e-12)
  }
})

test_that("the cuts of a column are the best of all", {
  for (score in list(score_bde(0.5), score_bic(), score_aic())) for (set in c(FALSE, TRUE)) {
    withr::local_seed(2)
    problem <- small_problem(score)
    withr::local_seed(2)
    if (set) problem <- small_problem(score, targets = set_rows(problem))
    state <- with_network(new_cut_state(problem, frequency_ends(problem, 3)))
    for (v in 1:3) {
      before <- cut_objective(problem, state)
      all_ends <- unlist(lapply(1:3, function(cuts) asplit(utils::combn(8, cuts), 2)),
                         recursive = FALSE)
      all <- vapply(all_ends, function(ends) {
        cut_objective(problem, with_cuts(problem, state, v, as.vector(ends)))
      }, 0)
      found <- best_ends(problem, state, v)
      expect_equal(before + found$gain, max(all), tolerance = 1e-10)
      state <- with_cuts(problem, state, v, found$ends)
      expect_equal(cut_objective(problem, state), max(all), tolerance = 1e-10)
    }
  }
})

test_that("a column alone has two bins, and no more of them than it has cells", {
  problem <- small_problem(bins = 7, cells = 3)
  state <- with_network(new_cut_state(problem, frequency_ends(problem, 7)))
  expect_identical(state$sizes[1:3], rep(3L, 3))
  state$parents <- rep(list(integer()), 4)
  for (v in 1:3) expect_length(best_ends(problem, state, v)$ends, 1L)
})

test_that("recutting never lowers the objective, and ends where no column can gain", {
  limits <- check_limits(1, Inf, NULL, FALSE, environment())
  for (seed in 1:5) {
    set.seed(seed)
    problem <- small_problem(cells = 20, bins = 5)
    state <- with_network(new_cut_state(problem, frequency_ends(problem, 2)))
    recut <- recut_columns(problem, state, new_cut_search(list(), limits, environment()))
    expect_gte(recut$rise, 0)
    expect_equal(cut_objective(problem, recut), cut_objective(problem, state) + recut$rise,
                 tolerance = 1e-10)
    for (v in 1:3) expect_lte(best_ends(problem, recut, v)$gain, 1e-6)
  }
})
