test_that("the best of the grid is found", {
  set.seed(1)
  data <- switching_rows(800)
  held_out <- switching_rows(300)
  best <- tune_cutset(data, held_out, alpha = c(0.01, 0.1), min_rows = c(50, 200))
  grid <- best$learning$grid
  expect_identical(grid[c("alpha", "min_rows")],
                   expand.grid(alpha = c(0.01, 0.1), min_rows = c(50, 200))[1:4, ],
                   ignore_attr = TRUE)
  for (i in 1:4) {
    one <- learn_cutset(data, alpha = grid$alpha[i], min_rows = grid$min_rows[i],
                        validation = held_out)
    expect_identical(one$learning$validation, grid$validation[i])
    expect_equal(grid$cuts[i], sum(one$components[[1]]$cut > 0))
  }
  expect_identical(best$learning$validation, max(grid$validation))
})

test_that("a time limit ends the search with what there is", {
  set.seed(2)
  data <- switching_rows(500)
  best <- tune_cutset(data, data, "cnet", time_limit = 0)
  expect_identical(nrow(best$learning$grid), 1L)
  expect_identical(best$learning$status, "time_limit")
})

test_that("each algorithm has values to try, those of learn_cutset() among them", {
  set.seed(3)
  data <- switching_rows(300)
  for (algorithm in c("dcsn", "cnet", "cnetp")) {
    tuned <- tune_cutset(data, data, algorithm)
    usual <- learn_cutset(data, algorithm, validation = data)
    settings <- usual$learning$settings
    expect_true(any(tuned$learning$grid$alpha == settings$alpha &
                      tuned$learning$grid$min_rows == settings$min_rows))
    expect_gte(tuned$learning$validation, usual$learning$validation)
  }
  expect_identical(nrow(tune_cutset(data, data, "xcnet")$learning$grid), 16L)
})

test_that("one row is learned from", {
  row <- data.frame(a = "x", b = factor("u", levels = c("u", "v")))
  expect_true(is.finite(tune_cutset(row, row, alpha = c(0, 0.1))$learning$validation))
})

test_that("arguments that are none are refused", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  expect_snapshot(error = TRUE, {
    tune_cutset(data, NULL)
    tune_cutset(data, data[0, ])
    tune_cutset(data, data, alpha = character())
    tune_cutset(data, data, min_rows = -1)
    tune_cutset(data, data, depth = 3)
  })
})

test_that("an interrupt keeps the best network so far", {
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- matrix(as.integer(runif(4000 * 60) < 0.5), 4000)",
    "result <- suppressWarnings(tune_cutset(data, data, 'cnet', seq(0.1, 10, length.out = 300),",
    "                                       10))$learning"
  ))
  expect_identical(result$status, "interrupt")
  expect_identical(result$validation, max(result$grid$validation))
})
