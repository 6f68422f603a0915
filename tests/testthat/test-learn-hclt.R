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

test_that("learning stops in time, with the best step", {
  set.seed(6)
  data <- matrix(as.integer(stats::runif(3000 * 40) < 0.5), 3000)
  stopped <- learn_hclt(data, 32, validation = data[1:500, ], iterations = 1e6, patience = 1e6,
                        time_limit = 0.5)
  expect_identical(stopped$learning$status, "time_limit")
  trace <- stopped$learning$trace
  if (nrow(trace) > 0) expect_equal(stopped$learning$validation, max(trace$validation))
  expect_true(all(is.finite(log_density(stopped, data[1:5, ]))))
})

test_that("row counts stand for repeated rows", {
  set.seed(7)
  data <- switching_rows(300)
  begun <- learn_hclt(data, 3, iterations = 1)
  distinct <- unique(data)
  counts <- as.vector(table(factor(do.call(paste, data), do.call(paste, distinct))))
  repeated <- update(begun, data, iterations = 20)
  counted <- update(begun, distinct, weights = counts, iterations = 20)
  expect_equal(log_density(counted, distinct), log_density(repeated, distinct),
               tolerance = 1e-6) # floats
})

test_that("an interrupt keeps the best step", {
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- matrix(as.integer(runif(4000 * 60) < 0.5), 4000)",
    "result <- suppressWarnings(learn_hclt(data, 8, data[1:500, ], iterations = 1e6,",
    "                                      patience = 1e6))",
    "result <- list(learning = result$learning,",
    "               mean = mean(log_density(result, data[1:500, ])))"
  ))
  expect_identical(result$learning$status, "interrupt")
  expect_equal(result$mean, max(result$learning$trace$validation))
})
