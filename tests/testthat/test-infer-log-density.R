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

# Points and weights of the rule of Gauss and Legendre between -1 and 1 (Golub and Welsch 1969).
legendre_rule <- function(points) {
  k <- seq_len(points - 1)
  jacobi <- matrix(0, points, points)
  jacobi[cbind(k, k + 1)] <- jacobi[cbind(k + 1, k)] <- k / sqrt(4 * k^2 - 1)
  spectrum <- eigen(jacobi, symmetric = TRUE)
  list(x = spectrum$values, weight = 2 * spectrum$vectors[1L, ]^2)
}

test_that("the joint density integrates to one", {
  # The density jumps at thresholds of the length, between which it is smooth.
  ends <- c(-20, 2.475, 2.5, 3.95, 4.9, 30)
  rule <- legendre_rule(40)
  centre <- (ends[-1L] + ends[-6L]) / 2
  half <- diff(ends) / 2
  length <- c(outer(rule$x, half) + rep(centre, each = 40))
  length_weight <- c(outer(rule$weight, half))
  # The width has long tails: the trapezoidal rule in t, where it is 1.2 + sinh(t) / 3.
  t <- seq(-12, 12, by = 0.1)
  width_weight <- 0.1 * cosh(t) / 3
  at <- expand.grid(species = levels(iris$Species), length = seq_along(length),
                    width = seq_along(t))
  rows <- data.frame(Species = at$species, Petal.Length = length[at$length],
                     Petal.Width = 1.2 + sinh(t[at$width]) / 3)
  density <- exp(suppressMessages(log_density(grown, rows)))
  total <- sum(density * length_weight[at$length] * width_weight[at$width])
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
