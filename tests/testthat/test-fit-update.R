titanic <- as.data.frame(Titanic)
first <- seq(1, 150, by = 2)

expect_same_fit <- function(updated, whole, tolerance = 1e-8) {
  expect_equal(updated[names(updated) != "network"], whole[names(whole) != "network"],
               tolerance = tolerance)
}

test_that("rows added to tables and regressions give the fit to all rows", {
  string <- "[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species][Sepal.Width]"
  for (method in c("bayes", "mle")) {
    whole <- fit_network(string, iris, method = method)
    part <- fit_network(string, iris[first, ], method = method)
    expect_same_fit(update(part, iris[-first, ]), whole)
    expect_equal(logLik(update(part, iris[-first, ])), logLik(whole))
  }
})

test_that("configurations that have too few rows at first have their own regression later", {
  string <- "[Species][Petal.Width|Species]"
  part <- suppressMessages(fit_network(string, iris[1:75, ]))
  expect_same_fit(update(part, iris[76:150, ]), fit_network(string, iris))
})

test_that("weights count as rows", {
  string <- "[Class][Sex|Class][Survived|Class:Sex]"
  whole <- fit_network(string, titanic[c(1, 2, 4)], weights = titanic$Freq, iss = 3)
  part <- suppressMessages(
    fit_network(string, titanic[c(1, 2, 4)], weights = titanic$Freq %/% 2, iss = 3)
  )
  rest <- titanic$Freq - titanic$Freq %/% 2
  expect_same_fit(update(part, titanic[c(1, 2, 4)], weights = rest), whole)
})

test_that("trees keep their regions", {
  network <- learn_dag(iris, "pcart")
  for (leaf in c("student", "normal")) {
    part <- fit_network(network, iris[first, ], leaf = leaf)
    updated <- update(part, iris[-first, ])
    whole <- fit_network(network, iris, leaf = leaf)
    for (node in names(iris)) {
      expect_identical(updated$models[[node]]$partition, whole$models[[node]]$partition)
      expect_equal(coef(updated)[[node]], coef(whole)[[node]], tolerance = 1e-10)
    }
    if (leaf == "normal") expect_equal(updated$log_likelihood, whole$log_likelihood)
  }
  student <- update(fit_network(network, iris[first, ]), iris[-first, ])
  expect_message(likelihood <- logLik(student), "NA")
  expect_identical(likelihood[1L], NA_real_)
  expect_equal(logLik(student, newdata = iris), logLik(fit_network(network, iris)))
  mle <- suppressMessages(fit_network(network, iris[first, ], method = "mle"))
  expect_same_fit(suppressMessages(update(mle, iris[-first, ])),
                  suppressMessages(fit_network(network, iris, method = "mle")))
})

test_that("columns of large numbers lose no digits", {
  data <- data.frame(x = 1e6 + sin(1:40), y = 1e6 + cos(1:40))
  whole <- fit_network("[x][y|x]", data)
  expect_equal(coef(whole)$y, coef(lm(y ~ x, data)), tolerance = 1e-7)
  updated <- update(fit_network("[x][y|x]", data[1:20, ]), data[21:40, ])
  expect_equal(updated$models$y$sd, whole$models$y$sd, tolerance = 1e-6)
})

test_that("what cannot be updated says why", {
  fit <- fit_network("[Species][Petal.Width|Species]", iris)
  old <- fit
  old$models$Species$counts <- NULL
  holes <- iris
  holes$Petal.Width[1] <- NA
  em <- fit_network("[Species][Petal.Width|Species]", holes, method = "em")
  expect_snapshot(error = TRUE, {
    update(intervene(fit, list(Species = "setosa")), iris)
    update(em, iris)
    update(old, iris)
    update(fit, iris["Species"])
    update(fit, holes)
    update(fit, iris, weights = -1)
    update(fit)
  })
})

test_that("a fit with other counts or moments is damaged", {
  fit <- fit_network("[Species][Petal.Width|Species]", iris)
  wrong <- fit
  wrong$models$Species$counts <- wrong$models$Species$counts[-1L, , drop = FALSE]
  expect_error(print(wrong), class = "optbn_error_model")
  wrong <- fit
  wrong$models$Petal.Width$moments$n <- 1:3
  expect_error(print(wrong), class = "optbn_error_model")
})
