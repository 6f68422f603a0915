test_that("the most probable state is that of enumeration", {
  set.seed(1)
  for (repeats in share_of(1:60)) {
    fit <- random_fit(sample(2:7, 1), zeros = sample(c(0, 0.3), 1))
    all <- enumerate(fit)
    evidence <- random_evidence(fit, sample(fit$nodes, sample(0:2, 1)))
    p <- weigh_rows(all, evidence)
    if (sum(p) == 0) {
      expect_error(most_probable(fit, evidence), class = "optbn_error_impossible")
      next
    }
    found <- most_probable(fit, evidence)
    best <- which.max(p)
    expect_identical(lapply(found$state, as.character), as.list(all$rows[best, ]))
    expect_equal(found$log_probability, log(all$p[[best]]))
    expect_equal(found$log_probability, log_density(fit, found$state))
    expect_true(found$exact)
  }
})

test_that("of states with the same probability the one with the lowest levels is found", {
  data <- expand.grid(a = c("x", "y", "z"), b = c("u", "v"), c = c("p", "q"))
  even <- fit_network("[a][b|a][c|b]", data)
  state <- function(...) vapply(most_probable(even, list(...))$state, as.character, "")
  expect_identical(state(), c(a = "x", b = "u", c = "p"))
  expect_identical(state(b = "v"), c(a = "x", b = "v", c = "p"))
  expect_identical(state(a = c("z", "y"), c = c(p = 1, q = 2)), c(a = "y", b = "u", c = "q"))
})

test_that("the state has the types of the data", {
  set.seed(2)
  for (repeats in 1:5) {
    fit <- random_fit(7, types = TRUE)
    state <- most_probable(compile_network(fit))$state
    expect_s3_class(state, "data.frame")
    expect_identical(nrow(state), 1L)
    expect_identical(state[0L, ], fit$prototype)
  }
})

test_that("evidence is part of the state", {
  fit <- titanic_fit()
  state <- most_probable(fit, list(Sex = "Female", Survived = "No"))$state
  expect_identical(as.character(state$Sex), "Female")
  expect_identical(as.character(state$Survived), "No")
  expect_identical(names(state), fit$nodes)
})

test_that("what is no model is refused", {
  expect_snapshot(most_probable(iris), error = TRUE)
  expect_error(most_probable(iris), class = "optbn_error_argument")
})
