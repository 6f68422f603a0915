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
  expect_identical(best$learning$status, "time limit")
})

test_that("arguments that are none are refused", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  expect_snapshot(error = TRUE, {
    tune_cutset(data, NULL)
    tune_cutset(data, data, alpha = character())
    tune_cutset(data, data, min_rows = -1)
    tune_cutset(data, data, depth = 3)
  })
})
