# Rows with a share of their values missing at random.
rows_with_holes <- function(rows, share = 0.2, sizes = c(2, 3, 2, 3, 2)) {
  data <- switching_rows(rows, sizes)
  data[] <- lapply(data, function(column) replace(column, stats::runif(rows) < share, NA))
  data
}

learners <- list(
  tree = learn_chow_liu,
  dcsn = function(...) learn_cutset(..., min_rows = 100),
  cnet = function(...) learn_cutset(..., algorithm = "cnet", min_rows = 100),
  xcnet = function(...) learn_cutset(..., algorithm = "xcnet"),
  bag = function(...) learn_cutset_bag(..., components = 3, min_rows = 100),
  random_bag = function(...) learn_cutset_bag(..., components = 3, algorithm = "xcnet"),
  mixture_of_trees = function(...) learn_mixture(..., components = 2, iterations = 20),
  mixture_of_networks = function(...) {
    learn_mixture(..., components = 2, base = "cnet", max_depth = 1, iterations = 5)
  },
  hidden_tree = function(...) learn_hclt(..., states = 3, iterations = 25)
)

mean_density <- function(model, data) mean(log_density(model, data))

# Of every column, the labels of all levels.
all_rows <- function(model) expand.grid(model$levels, KEEP.OUT.ATTRS = FALSE)

test_that("all learners take missing values, and give densities", {
  set.seed(1)
  data <- rows_with_holes(600)
  held_out <- rows_with_holes(200)
  whole <- switching_rows(1000, c(2, 3, 2, 3, 2))
  apart <- sum(vapply(whole, function(x) mean(log(prop.table(table(x)))[x]), 0))
  for (learner in names(learners)) {
    set.seed(2)
    model <- learners[[learner]](data, validation = held_out)
    expect_equal(sum(exp(log_density(model, all_rows(model)))), 1)
    expect_gt(mean_density(model, whole), apart)
    expect_equal(as.numeric(logLik(model)), sum(log_density(model, data)))
    expect_equal(model$learning$validation, mean_density(model, held_out))
    expect_identical(model$learning$missing, as.numeric(sum(is.na(data))))
    expect_identical(nobs(model), 600L)
    expect_identical(model$learning$status, "finished")
  }
})

# The tree is where expectation-maximisation ends: expected counts by enumeration of all rows, of
# which the prior of `alpha` imagined rows makes the tables that it has.
test_that("a tree is made from the counts that it expects itself", {
  set.seed(3)
  for (sizes in list(c(2, 2, 2, 2), c(2, 3, 2, 3))) {
    data <- rows_with_holes(80, 0.3, sizes)
    tree <- learn_chow_liu(data, "uniform", alpha = 2)
    all <- all_rows(tree)
    p <- exp(log_density(tree, all))
    weights <- rowSums(apply(data, 1L, function(row) {
      known <- which(!is.na(row))
      fits <- Reduce(`&`, lapply(known, function(j) all[[j]] == row[j]), rep(TRUE, nrow(all)))
      p * fits / sum(p * fits)
    })) + 2 / nrow(all)
    members <- named_members(tree)
    for (i in seq_len(nrow(members))) {
      family <- stats::na.omit(c(members$name[i], members$above[i]))
      counts <- tapply(weights, all[family], sum)
      expect_equal(as.vector(prop.table(counts, seq_along(family)[-1L])),
                   as.vector(coef(tree)[[members$name[i]]]), tolerance = 0.01)
    }
  }
})

test_that("the likelihood never falls without smoothing", {
  set.seed(4)
  for (i in 1:3) {
    data <- rows_with_holes(150, 0.3)
    tree <- learn_chow_liu(data, alpha = 0)
    mixture <- learn_mixture(data, 3, alpha = 0, iterations = 30, patience = 30)
    for (model in list(tree, mixture)) {
      expect_true(all(diff(model$learning$trace$training) > -1e-9))
      expect_equal(as.numeric(logLik(model)) / 150, max(model$learning$trace$training))
    }
  }
})

test_that("complete data are learned from as ever", {
  set.seed(5)
  data <- switching_rows(400)
  with_gaps <- rbind(data, NA)
  for (learner in names(learners)) {
    learn <- function(...) {
      set.seed(6)
      learners[[learner]](...)
    }
    model <- learn(data)
    expect_identical(learn(with_gaps, weights = rep(1:0, c(400, 1)))$components, model$components)
    expect_null(model$learning$missing)
  }
  expect_null(learners$dcsn(data)$learning$trace)
  encoded <- encode_training(data)
  expect_identical(encoded$columns, unname(lapply(data, function(column) unclass(column) - 1L)),
                   ignore_attr = TRUE)
  expect_null(encoded$holes)
})

test_that("what rows with holes know is not wasted", {
  set.seed(7)
  known <- random_density(n = 8L, depth = 0L)
  data <- simulate(known, 300)
  data[] <- lapply(data, function(column) replace(column, stats::runif(300) < 0.2, NA))
  held_out <- simulate(known, 2000)
  expect_gt(mean_density(learn_chow_liu(data), held_out),
            mean_density(learn_chow_liu(stats::na.omit(data)), held_out) + 0.1)
})

test_that("neither the order of rows, nor threads, nor repetition matter", {
  set.seed(8)
  data <- rows_with_holes(300, 0.3)
  shuffled <- data[sample(300), ]
  distinct <- unique(data)
  counts <- as.vector(table(factor(do.call(paste, data), do.call(paste, distinct))))
  for (learner in names(learners)) {
    learn <- function(...) {
      set.seed(9)
      learners[[learner]](...)
    }
    model <- learn(data, threads = 1)
    expect_identical(learn(shuffled, threads = 1)$components, model$components)
    expect_identical(learn(data, threads = 2)$components, model$components)
    counted <- learn(distinct, weights = counts)
    expect_identical(counted$components, model$components)
    expect_equal(counted$learning$missing, model$learning$missing)
  }
})

test_that("shares of rows that become one are their mean", {
  data <- data.frame(a = c("x", NA, "x", NA), b = c("u", "v", "v", "v"))
  shares <- cbind(c(0.1, 0.2, 0.3, 0.8), c(0.9, 0.8, 0.7, 0.2))
  encoded <- encode_training(data, c(1, 1, 2, 3))
  expect_identical(encoded$rows, 3L)
  expect_identical(encoded$merged[c(2, 4)], rep(encoded$merged[2], 2))
  merged <- merged_shares(shares, c(1, 1, 2, 3), encoded)
  expect_equal(merged[encoded$merged[2], ], c(0.2 + 3 * 0.8, 0.8 + 3 * 0.2) / 4)
  expect_equal(merged[encoded$merged[c(1, 3)], ], shares[c(1, 3), ])
  mixture <- learn_mixture(data, start = shares, weights = c(1, 1, 2, 3))
  expect_equal(sum(exp(log_density(mixture, all_rows(mixture)))), 1)
})

test_that("odd data are learned from", {
  set.seed(10)
  odd <- rows_with_holes(200, 0.4)
  odd[17, ] <- NA
  odd$once <- factor(replace(rep(NA, 200), 9, "q"), c("p", "q"))
  odd$constant <- replace(rep("same", 200), 3:50, NA)
  for (learner in names(learners)) {
    for (alpha in c(0, 0.1)) {
      of <- function(...) learners[[learner]](..., alpha = alpha)
      model <- of(odd, weights = c(1000, rep(1:2, 99), 0))
      expect_false(anyNA(log_density(model, all_rows(model))))
      expect_true(all(is.finite(log_density(model, odd[-200, ]))))
      nothing <- log_density(model, odd[17, ])
      expect_equal(nothing, 0, tolerance = 1e-6)
      few <- of(data.frame(a = c("x", NA, "y"), b = c(NA, TRUE, FALSE)))
      expect_equal(sum(exp(log_density(few, all_rows(few)))), 1)
    }
  }
  matrix <- as.matrix(data.frame(a = c(1, NA, 0, 1), b = c(NA, 0, 1, 1)))
  expect_identical(learn_chow_liu(matrix)$learning$missing, 2)
})

test_that("holes in validation rows alone are summed out, or completed to prune by", {
  set.seed(11)
  data <- switching_rows(500, c(2, 3, 2, 3, 2))
  held_out <- rows_with_holes(300)
  pruned <- learn_cutset(data, "cnetp", min_rows = 5, validation = held_out)
  whole <- learn_cutset(data, "cnet", min_rows = 5)
  expect_lt(sum(pruned$components[[1]]$cut > 0), sum(whole$components[[1]]$cut > 0))
  expect_equal(pruned$learning$validation, mean_density(pruned, held_out))
  expect_null(pruned$learning$missing)
  bag <- learn_cutset_bag(data, 3, min_rows = 50, weighting = "em", validation = held_out)
  expect_equal(bag$learning$validation, mean_density(bag, held_out))
  stack <- stack_densities(list(bag, learn_chow_liu(data)), held_out)
  expect_gte(stack$learning$validation + 1e-9, mean_density(bag, held_out))
})

test_that("the best iteration of a cutset network counts", {
  set.seed(12)
  network <- learn_cutset(rows_with_holes(500, 0.4), min_rows = 30)
  trace <- network$learning$trace
  expect_identical(network$learning$best_step, which.max(trace$training))
  expect_equal(as.numeric(logLik(network)) / 500, max(trace$training))
})

test_that("tuning and updates take missing values", {
  set.seed(13)
  data <- rows_with_holes(400)
  tuned <- tune_cutset(data, rows_with_holes(200), alpha = c(0.01, 0.1), min_rows = c(50, 100))
  expect_identical(nrow(tuned$learning$grid), 4L)
  expect_equal(tuned$learning$validation, max(tuned$learning$grid$validation))
  for (learner in c("dcsn", "bag", "mixture_of_trees", "hidden_tree")) {
    model <- learners[[learner]](data)
    others <- switching_rows(300, c(2, 3, 2, 3, 2))
    for (rows in list(data, others)) {
      continued <- update(model, rows)
      expect_identical(class(continued), class(model))
      expect_identical(is.null(continued$learning$missing), !anyNA(rows))
    }
    expect_identical(update(learners[[learner]](others), data)$learning$missing,
                     as.numeric(sum(is.na(data))))
  }
  bag <- learners$bag(data)
  expect_identical(update(bag, data, components = 5)$components[1:3], bag$components)
})

test_that("models say how many values were missing, and what that took", {
  set.seed(14)
  data <- rows_with_holes(200)
  tree <- learn_chow_liu(data)
  tree$learning$seconds <- NULL
  expect_snapshot({
    tree
    summary(tree)
  })
})

test_that("a column without values is refused", {
  data <- data.frame(a = c("x", "y", NA), b = NA, c = c(NA, NA, "u"))
  expect_snapshot(error = TRUE, {
    learn_chow_liu(data)
    learn_mixture(data, weights = c(1, 1, 0))
  })
})

test_that("learning stops in time, and when interrupted, with the best so far", {
  set.seed(15)
  data <- rows_with_holes(2000, 0.4, rep(c(2, 3), 10))
  expect_error(learn_cutset(data, time_limit = 0), class = "optbn_error_time")
  stopped <- learn_cutset_bag(data, 1e5, "xcnet", time_limit = 2)
  expect_identical(stopped$learning$status, "time_limit")
  expect_true(all(is.finite(log_density(stopped, data[1:10, ]))))
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- matrix(as.integer(runif(1000 * 20) < 0.5), 1000)",
    "data[runif(length(data)) < 0.1] <- NA",
    "result <- suppressWarnings(learn_cutset_bag(data, 1e5, 'xcnet'))",
    "result <- result$learning"
  ))
  expect_identical(result$status, "interrupt")
})
