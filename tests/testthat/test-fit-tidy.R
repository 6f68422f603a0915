skip_if_not_installed("generics")

fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)

test_that("tidy() has every parameter once, in words", {
  tidied <- generics::tidy(fit)
  expect_identical(names(tidied), c("node", "given", "term", "estimate"))
  expect_identical(nrow(tidied), 3L + 3L * 2L + 3L * 3L)
  one <- tidied[tidied$node == "Petal.Width" & tidied$given == "Species = virginica", ]
  expect_identical(one$term, c("(Intercept)", "Petal.Length", "sd"))
  model <- lm(Petal.Width ~ Petal.Length, iris[101:150, ])
  expect_equal(one$estimate, unname(c(coef(model), sigma(model))))
  roots <- tidied[tidied$node == "Species", ]
  expect_identical(roots$term, levels(iris$Species))
  expect_identical(roots$given, c("", "", ""))
})

test_that("tidy() has the regions of trees, and what was set", {
  trees <- fit_network(learn_dag(iris, "pcart"), iris)
  tidied <- generics::tidy(trees)
  for (node in names(iris)) {
    mine <- tidied[tidied$node == node, ]
    expect_equal(mine$estimate, as.vector(if (is.numeric(iris[[node]])) {
      t(coef(trees)[[node]])
    } else {
      coef(trees)[[node]]
    }))
  }
  set <- generics::tidy(intervene(fit, list(Petal.Length = 3)))
  expect_identical(set[set$node == "Petal.Length", "estimate"], 3)
})

test_that("glance() is one row that agrees with logLik()", {
  row <- generics::glance(fit)
  expect_identical(nrow(row), 1L)
  expect_equal(row$logLik, as.numeric(logLik(fit)))
  expect_equal(row$BIC, BIC(fit))
  expect_equal(row$AIC, AIC(fit))
  expect_identical(row$arcs, 3L)
})

test_that("augment() adds columns to the data", {
  plain <- generics::augment(fit, iris)
  expect_identical(plain[names(iris)], iris)
  expect_equal(plain$.log_density, log_density(fit, iris))
  classes <- generics::augment(fit, newdata = iris, node = "Species")
  expect_identical(classes$.fitted, predict(fit, iris, "Species"))
  prob <- predict(fit, iris, "Species", type = "prob")
  expect_equal(classes$.probability, unname(apply(prob, 1L, max)))
  widths <- generics::augment(fit, iris, node = "Petal.Width")
  expect_equal(widths$.resid, iris$Petal.Width - predict(fit, iris, "Petal.Width"))
  expect_snapshot(error = TRUE, {
    generics::augment(fit)
    generics::augment(fit, iris, node = "none")
  })
})
