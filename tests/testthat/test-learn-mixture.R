test_that("a mixture fits better than a tree, and validation rows stop it", {
  set.seed(1)
  data <- switching_rows(800)
  held_out <- switching_rows(400)
  tree <- learn_chow_liu(data, "laplace", 0.1)
  for (base in c("chow-liu", "cnet")) {
    mixture <- learn_mixture(data, 3, base, validation = held_out, max_depth = 1)
    expect_gt(logLik(mixture), logLik(tree))
    trace <- mixture$learning$trace
    expect_identical(names(trace), c("step", "training", "validation"))
    expect_identical(which.max(trace$validation), mixture$learning$best_step)
    expect_equal(mixture$learning$validation, max(trace$validation))
    expect_equal(mean(log_density(mixture, held_out)), max(trace$validation))
  }
})

test_that("steps without smoothing never lower the likelihood", {
  set.seed(2)
  data <- switching_rows(300)
  mixture <- learn_mixture(data, 3, alpha = 0, start = "soft", iterations = 30)
  expect_true(all(diff(mixture$learning$trace$training) > -1e-9))
})

test_that("mixtures do not depend on threads", {
  set.seed(3)
  data <- switching_rows(300)
  for (base in c("chow-liu", "cnet")) {
    mixtures <- lapply(1:2, function(threads) {
      set.seed(4)
      learn_mixture(data, 4, base, starts = 2, iterations = 10, threads = threads)
    })
    expect_identical(mixtures[[1]]$components, mixtures[[2]]$components)
    expect_identical(mixtures[[1]]$weights, mixtures[[2]]$weights)
  }
})

test_that("steps from given shares are those of an independent program", {
  for (case in known_cases("cutset_mt.json")) {
    arity <- arity_of_case(case)
    data <- rows_of_case(case$X, arity)
    shares <- matrix(numbers(case$R0), nrow(data), byrow = TRUE)
    mixture <- learn_mixture(data, start = shares, alpha = case$a, iterations = case$iters,
                             patience = 1000)
    expect_equal(mixture$learning$trace$training, numbers(case$ll_trace), tolerance = 1e-9)
    expect_equal(mixture$weights, numbers(case$lam), tolerance = 1e-9)
    for (i in seq_along(case$trees)) {
      expect_true(expect_same_network(mixture, case$trees[[i]], i))
    }
  }
})

test_that("row counts stand for repeated rows", {
  set.seed(8)
  data <- switching_rows(400)
  distinct <- unique(data)
  keys <- do.call(paste, data)
  counts <- as.vector(table(factor(keys, do.call(paste, distinct))))
  shares <- matrix(stats::runif(3 * nrow(distinct)), ncol = 3)
  shares <- shares / rowSums(shares)
  counted <- learn_mixture(distinct, start = shares, weights = counts, iterations = 20)
  shares <- shares[match(keys, do.call(paste, distinct)), ]
  repeated <- learn_mixture(data, start = shares, iterations = 20)
  expect_equal(counted$learning$trace, repeated$learning$trace)
})

test_that("the order of columns and of levels does not matter", {
  set.seed(9)
  data <- switching_rows(300)
  shares <- matrix(stats::runif(900), ncol = 3)
  shares <- shares / rowSums(shares)
  for (base in c("chow-liu", "cnet")) {
    learn <- function(rows) learn_mixture(rows, base = base, start = shares, iterations = 10)
    expect_equal(log_density(learn(turned_columns(data)), data), log_density(learn(data), data))
  }
})

test_that("odd data are learned from", {
  set.seed(5)
  few <- data.frame(a = c("x", "y", "x"), b = c(TRUE, TRUE, FALSE), c = "same")
  for (base in c("chow-liu", "cnet")) {
    mixture <- learn_mixture(few, 7, base)
    expect_true(all(is.finite(log_density(mixture, few))))
    expect_equal(sum(mixture$weights), 1)
    all <- expand.grid(a = c("x", "y"), b = c(TRUE, FALSE), c = "same")
    expect_equal(sum(exp(log_density(mixture, all))), 1)
  }
  expect_equal(log_density(learn_mixture(few, 1), few),
               log_density(learn_chow_liu(few, "uniform", 4), few))
})

test_that("arguments that are none are refused", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  expect_snapshot(error = TRUE, {
    learn_mixture(data, 0)
    learn_mixture(data, base = "hclt")
    learn_mixture(data, start = "random")
    learn_mixture(data, start = 1)
    learn_mixture("rows", start = diag(2))
    learn_mixture(data, start = diag(2), weights = c(1, 1, 1))
    learn_mixture(data, time_limit = 0)
    learn_mixture(data, start = matrix(0.5, 2, 3))
    learn_mixture(data, start = diag(3))
    learn_mixture(data, starts = 0)
    learn_mixture(data, iterations = 0.5)
    learn_mixture(data, patience = NA)
    learn_mixture(data, alpha = NA)
    learn_mixture(data, validation = data[0, ])
  })
})

test_that("an interrupt keeps the best step", {
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- matrix(as.integer(runif(4000 * 60) < 0.5), 4000)",
    "result <- suppressWarnings(learn_mixture(data, 20, iterations = 1e6, patience = 1e6))",
    "result <- list(learning = result$learning,",
    "               mean = mean(log_density(result, data)))"
  ))
  expect_identical(result$learning$status, "interrupt")
  expect_equal(result$mean, max(result$learning$trace$training))
})
