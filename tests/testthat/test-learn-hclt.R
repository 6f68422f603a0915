test_that("hidden variables help", {
  set.seed(1)
  data <- switching_rows(800)
  held_out <- switching_rows(400)
  tree <- learn_hclt(data, 4, validation = held_out)
  expect_gt(tree$learning$validation, mean(log_density(learn_chow_liu(data), held_out)))
  expect_equal(tree$learning$validation, max(tree$learning$trace$validation))
  expect_equal(sum(exp(log_density(tree, expand.grid(lapply(data, levels))))), 1)
})

test_that("one state makes variables independent", {
  set.seed(2)
  data <- switching_rows(200)
  tree <- learn_hclt(data, 1, alpha = 0)
  apart <- rowSums(vapply(data, function(column) {
    as.vector(log(prop.table(table(column)))[column])
  }, numeric(200)))
  expect_equal(log_density(tree, data), apart)
})

test_that("hidden trees do not depend on threads", {
  set.seed(3)
  data <- switching_rows(300)
  trees <- lapply(1:2, function(threads) {
    set.seed(4)
    learn_hclt(data, 3, iterations = 10, threads = threads)
  })
  expect_identical(trees[[1]]$components, trees[[2]]$components)
})

test_that("odd data are learned from", {
  set.seed(5)
  few <- data.frame(a = c("x", "y", "x"), b = c(TRUE, TRUE, FALSE), c = "same")
  tree <- learn_hclt(few, 5)
  expect_true(all(is.finite(log_density(tree, few))))
  expect_true(all(is.finite(log_density(learn_hclt(few[1, ], 2, alpha = 0), few[1, ]))))
})

test_that("arguments that are none are refused", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  expect_snapshot(error = TRUE, {
    learn_hclt(data, 0)
    learn_hclt(data, alpha = -1)
    learn_hclt(data, validation = data.frame(a = "z", b = "u"))
  })
})

test_that("steps are shown, stop in time and keep the best", {
  set.seed(6)
  data <- matrix(as.integer(stats::runif(3000 * 40) < 0.5), 3000)
  stopped <- learn_hclt(data, 32, iterations = 1e6, patience = 1e6, time_limit = 0.5)
  expect_identical(stopped$learning$status, "time limit")
  expect_true(all(is.finite(log_density(stopped, data[1:5, ]))))
})
