test_that("forecasts count the sets that will be considered", {
  data <- as.data.frame(lapply(1:6, function(i) factor(rep(1:2, 10))), col.names = letters[1:6])
  size <- search_size(data, "k2", max_parents = 3, blacklist = c("a", "b"))
  sets <- parent_sets(data, "k2", max_parents = 3, blacklist = c("a", "b"))
  expect_equal(sum(size$scoring$families), sum(sets$considered))
  expect_equal(size$scoring$counts, choose(6, 1:4))
  expect_equal(size$methods$bytes[size$methods$method == "dp"], 8 * 2^6 * (2 + 6 / 2))
})

test_that("a search that does not fit is said to be impossible", {
  data <- as.data.frame(lapply(1:12, function(i) factor(rep(1:2, 10))), col.names = letters[1:12])
  size <- search_size(data, "k2", max_parents = 2, memory_limit = 1e4)
  expect_false(size$methods$possible[size$methods$method == "dp"])
  expect_snapshot(print(size), transform = without_seconds)
})

test_that("a shorter search has all sets of fewer columns scored", {
  soon <- function(columns, budget) {
    data <- as.data.frame(lapply(seq_len(columns), function(i) factor(rep(1:2, 10))))
    names(data) <- paste0("V", seq_len(columns))
    limits <- check_limits(1, Inf, NULL, FALSE, rlang::current_env())
    limits$budget <- budget
    scoring_problem(data, "k2", NULL, NULL, NULL, NULL, NULL, NULL, limits,
                    rlang::current_env())$all_soon
  }
  expect_true(soon(10, 1) && soon(20, 1) && soon(20, 10) && soon(10, 0.03))
  expect_false(soon(20, 0.03) || soon(30, 10))
})

test_that("families on demand cost more with more rows, and by trees with more parents", {
  seconds <- function(data, score) {
    limits <- check_limits(1, Inf, NULL, FALSE, rlang::current_env())
    problem <- scoring_problem(data, score, 3, NULL, NULL, NULL, NULL, NULL, limits,
                               rlang::current_env())
    family_seconds(problem$constraints, problem$encoded, problem$score, 3)
  }
  mixed <- iris[rep(1:150, 2), ]
  factors <- as.data.frame(Titanic)[rep(1:32, 4), 1:4]
  for (case in list(list(factors, "bic"), list(factors, "pcart"), list(mixed, "bic-cg"),
                    list(mixed, "pcart"), list(mixed[1:4], "bic-g"))) {
    cost <- seconds(case[[1L]], case[[2L]])
    expect_true(all(is.finite(cost)) && all(cost > 0))
    expect_true(all(seconds(rbind(case[[1L]], case[[1L]]), case[[2L]]) >= cost))
    if (case[[2L]] != "pcart") next
    expect_true(length(cost) == 4L && !is.unsorted(cost, strictly = TRUE))
  }
})

test_that("what constraints exclude costs nothing", {
  set.seed(1)
  data <- data.frame(wide = factor(sample(30, 500, TRUE)), x = stats::rnorm(500),
                     y = factor(sample(2, 500, TRUE)), z = factor(sample(3, 500, TRUE)))
  narrow <- data
  narrow$wide <- factor(sample(2, 500, TRUE))
  forbidden <- data.frame("wide", c("x", "y", "z"))
  for (score in list(score_pcart(max_levels = 64), score_ft())) {
    expect_silent(size <- search_size(data, score, blacklist = forbidden))
    expect_identical(size$max_parents, rep(3L, 4))
    # but for its levels as a child
    expect_equal(size$scoring[1:4], search_size(narrow, score, blacklist = forbidden)$scoring[1:4])
    expect_lt(sum(size$scoring$seconds), 1e-3)
    expect_false(identical(search_size(data, score, max_parents = 0)$scoring, size$scoring))
  }
  expect_silent(learn_dag(data, score_pcart(max_levels = 64), blacklist = forbidden))
  # a parent of one node alone costs what that node costs
  one <- search_size(data, "ft", max_parents = 1, blacklist = data.frame("wide", c("x", "y")))
  all <- search_size(data, "ft", max_parents = 1)
  none <- search_size(data, "ft", max_parents = 1, blacklist = forbidden)
  expect_gt(sum(one$scoring$seconds), sum(none$scoring$seconds))
  expect_lt(sum(one$scoring$seconds), sum(all$scoring$seconds))
})

test_that("trees that cut levels in an order cost as much as those of one child alone", {
  set.seed(1)
  code <- sample(20, 300, TRUE)
  data <- data.frame(code = factor(code), x = stats::rnorm(300), y = factor(sample(2, 300, TRUE)))
  seconds <- function(data) {
    encoded <- encode_data(data)
    tree_work(check_constraints(encoded$nodes), encoded, as_score("pcart"), 0:2)
  }
  many <- seconds(data)
  few <- seconds(transform(data, code = factor(code, ordered = TRUE)))
  expect_equal(many[1], few[1])
  expect_gt(many[2], few[2])
  expect_lt(many[2], cost$alone * few[2])
  expect_lt(many[3], cost$alone * few[3])
})
