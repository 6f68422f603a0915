test_that("a stack is at least as good as each of its models on the rows that weigh it", {
  set.seed(1)
  data <- switching_rows(800)
  held_out <- switching_rows(300)
  models <- list(learn_chow_liu(data), learn_cutset(data, min_rows = 50),
                 learn_cutset_bag(data, 5, "xcnet", min_rows = 50), learn_hclt(data, 4))
  alone <- vapply(models, function(model) mean(log_density(model, held_out)), 0)
  by_model <- stack_densities(models, held_out)
  expect_gte(by_model$learning$validation, max(alone) - 1e-9)
  expect_equal(by_model$learning$models$validation, alone)
  weights <- by_model$learning$models$weight
  parts <- vapply(models, function(model) exp(log_density(model, held_out)), numeric(300))
  expect_equal(log_density(by_model, held_out), log(drop(parts %*% weights)), tolerance = 1e-6)
  by_component <- stack_densities(models, held_out, by = "component")
  expect_gte(by_component$learning$validation, by_model$learning$validation - 1e-6)
  expect_equal(sum(by_component$weights), 1)
  expect_equal(sum(exp(log_density(by_model, expand.grid(lapply(data, levels))))), 1)
})

test_that("the weights are those of the maximum", {
  set.seed(2)
  data <- switching_rows(500)
  held_out <- switching_rows(300)
  models <- list(learn_chow_liu(data), learn_hclt(data, 3))
  stack <- stack_densities(models, held_out)
  parts <- vapply(models, function(model) exp(log_density(model, held_out)), numeric(300))
  best <- stats::optimize(function(w) mean(log(w * parts[, 1] + (1 - w) * parts[, 2])), c(0, 1),
                          maximum = TRUE, tol = 1e-10)
  expect_equal(stack$learning$models$weight[1], best$maximum, tolerance = 1e-2)
  expect_equal(stack$learning$validation, best$objective, tolerance = 1e-5)
})

test_that("a stack knows its validation rows alone", {
  set.seed(3)
  data <- switching_rows(300)
  held_out <- switching_rows(100)
  models <- list(learn_mixture(data, 2), learn_chow_liu(data))
  stack <- stack_densities(models, held_out, by = "component")
  alone <- vapply(models, function(model) mean(log_density(model, held_out)), 0)
  expect_equal(stack$learning$models$validation, alone)
  expect_equal(stack$learning$validation, mean(log_density(stack, held_out)))
  expect_identical(nobs(stack), NA_integer_)
  expect_equal(c(logLik(stack, held_out)), sum(log_density(stack, held_out)))
  expect_snapshot(logLik(stack), error = TRUE)
  skip_without_peer("generics")
  expect_identical(generics::glance(stack)$nobs, NA_integer_)
})

test_that("rows that all models hold to be impossible leave the weights to the others", {
  data <- data.frame(a = c("x", "x", "y"), b = factor(c("u", "u", "u"), c("u", "v")))
  models <- list(learn_chow_liu(data, "laplace", 0), learn_chow_liu(data[1:2, ], "laplace", 0),
                 learn_chow_liu(data, "laplace", 0))[c(1, 3)]
  stack <- stack_densities(models, data.frame(a = c("x", "y"), b = c("u", "v")))
  expect_equal(sum(stack$weights), 1)
  expect_identical(stack$learning$validation, -Inf)
})

test_that("models that do not belong together are refused", {
  a <- learn_chow_liu(data.frame(a = c("x", "y"), b = c("u", "v")))
  b <- learn_chow_liu(data.frame(a = c("x", "y"), c = c("u", "v")))
  c <- learn_chow_liu(data.frame(a = c("x", "z"), b = c("u", "v")))
  d <- learn_chow_liu(data.frame(b = c("u", "v"), a = c("x", "y")))
  rows <- data.frame(a = "x", b = "u")
  expect_snapshot(error = TRUE, {
    stack_densities(a, rows)
    stack_densities(list(), rows)
    stack_densities(list(a, 1), rows)
    stack_densities(list(a, b), rows)
    stack_densities(list(a, c), rows)
    stack_densities(list(a, d), rows)
    stack_densities(list(a), NULL)
    stack_densities(list(a), rows[0, ])
    stack_densities(list(a), data.frame(a = "w", b = "u"))
    stack_densities(list(a), rows, by = "row")
  })
})
