mixed <- paste0("[Species][Petal.Length|Species][Sepal.Length]",
                "[Petal.Width|Species:Petal.Length:Sepal.Length]")
flowers <- fit_network(mixed, iris)

# Trees with arcs from continuous to discrete nodes.
grown <- grown_flowers()

test_that("log-densities sum to the log-likelihood", {
  for (fit in list(flowers, grown)) {
    expect_equal(sum(log_density(fit, iris)), logLik(fit)[1L])
    rows <- sample(nrow(iris), 20)
    expect_identical(log_density(fit, iris[rows, 5:1]), log_density(fit, iris)[rows])
  }
  expect_length(log_density(flowers, iris), 150)
  expect_length(log_density(grown, iris[0, ]), 0)
})

test_that("the log-density of a row is that of its local models multiplied by hand", {
  row <- iris[77, ]
  expected <- vapply(grown$models, predict, 0, newdata = row, type = "density")
  expect_equal(log_density(grown, row), sum(log(expected)))
  model <- lm(Petal.Width ~ Petal.Length + Sepal.Length, iris, subset = Species == "versicolor")
  part <- log_density(flowers, replace(row, "Petal.Width", 1)) - log_density(flowers, row)
  normal <- function(y) dnorm(y, predict(model, row), sigma(model), log = TRUE)
  expect_equal(part, unname(normal(1) - normal(row$Petal.Width)))
})

test_that("the joint density integrates to one", {
  skip_where_quick()
  total <- sum(vapply(levels(iris$Species), function(species) {
    inner <- function(x) {
      vapply(x, function(x) {
        integrate(function(y) {
          rows <- data.frame(Species = species, Petal.Length = x, Petal.Width = y)
          exp(suppressMessages(log_density(grown, rows)))
        }, -Inf, Inf)$value
      }, 0)
    }
    sum(mapply(function(from, to) integrate(inner, from, to)$value,
               c(-20, 2.475, 2.5, 3.95, 4.9), c(2.475, 2.5, 3.95, 4.9, 30)))
  }, 0))
  expect_equal(total, 1, tolerance = 1e-4)
})

test_that("impossible rows are minus infinity", {
  data <- data.frame(a = factor(c("x", "x", "y")), b = factor(c("u", "v", "u")))
  unsure <- fit_network("[a][b|a]", data, method = "mle")
  rows <- data.frame(a = c("y", "x"), b = c("v", "v"))
  expect_identical(log_density(unsure, rows), c(-Inf, log(2 / 3) + log(1 / 2)))
})

test_that("values outside the range are said once", {
  rows <- replace(iris[1:4, ], "Petal.Length", list(c(0.5, 1, 6.9, 7)))
  expect_snapshot(density <- log_density(grown, rows))
  expect_silent(log_density(flowers, rows))
})

test_that("data that cannot be used are refused", {
  expect_snapshot(error = TRUE, {
    log_density(flowers, replace(iris, "Species", list("rose")))
    log_density(flowers, replace(iris, "Petal.Length", list(Inf)))
    log_density(flowers, as.list(iris))
    log_density(iris, iris)
  })
  expect_error(log_density(flowers, replace(iris, "Species", list("rose"))),
               class = "optbn_error_data")
  expect_error(log_density(iris, iris), class = "optbn_error_argument")
})
