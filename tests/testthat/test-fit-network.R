weather <- data.frame(
  sky = factor(c("clear", "clear", "cloud", "cloud", "cloud", "rain"),
               levels = c("clear", "cloud", "rain")),
  wind = factor(c("no", "yes", "no", "no", "yes", "no"))
)

# The largest difference between the local models of two fits, node by node.
difference <- function(a, b) {
  numbers <- function(fit, node) {
    model <- local_model(fit, node)
    c(coef(model), model$sd)
  }
  max(vapply(a$nodes, function(node) max(abs(numbers(a, node) - numbers(b, node))), 0))
}

mixed <- paste0("[Species][Petal.Length|Species][Sepal.Length]",
                "[Petal.Width|Species:Petal.Length:Sepal.Length]")

# ---- tables -------------------------------------------------------------------------------------

test_that("tables are the posterior mean or the proportions", {
  fit <- fit_network("[sky][wind|sky]", weather, iss = 2)
  expect_equal(as.vector(coef(fit)$sky), (c(2, 3, 1) + 2 / 3) / 8)
  expect_equal(as.vector(coef(fit)$wind),
               (c(1, 1, 2, 1, 1, 0) + 1 / 3) / rep(c(2, 3, 1) + 2 / 3, each = 2))
  expect_identical(dimnames(coef(fit)$wind),
                   list(wind = c("no", "yes"), sky = c("clear", "cloud", "rain")))

  mle <- fit_network("[sky][wind|sky]", weather, method = "mle")
  expect_equal(as.vector(coef(mle)$wind), c(1, 1, 4 / 3, 2 / 3, 2, 0) / 2)
  expect_null(mle$iss)
})

test_that("a large iss pulls tables to the uniform, a small one to the proportions", {
  near_uniform <- fit_network("[sky][wind|sky]", weather, iss = 1e9)
  expect_equal(as.vector(coef(near_uniform)$wind), rep(0.5, 6), tolerance = 1e-7)
  expect_lt(difference(fit_network("[sky][wind|sky]", weather, iss = 1e-10),
                       fit_network("[sky][wind|sky]", weather, method = "mle")), 1e-9)
})

test_that("tables sum to one over the node", {
  titanic <- as.data.frame(Titanic)
  for (method in c("bayes", "mle")) {
    fit <- suppressMessages(fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
                                        titanic[1:4], weights = titanic$Freq, method = method))
    sums <- apply(coef(fit)$Survived, 2:4, sum)
    expect_equal(as.vector(sums), rep(1, 16))
  }
})

# ---- regressions --------------------------------------------------------------------------------

test_that("regressions are those of lm(), one for each configuration", {
  fit <- fit_network(mixed, iris)
  for (species in levels(iris$Species)) {
    rows <- iris[iris$Species == species, ]
    expected <- lm(Petal.Width ~ Petal.Length + Sepal.Length, rows)
    column <- match(species, levels(iris$Species))
    model <- local_model(fit, "Petal.Width")
    expect_equal(model$coefficients[, column], coef(expected), tolerance = 1e-12)
    expect_equal(model$sd[[column]], sigma(expected), tolerance = 1e-12)
  }
  expect_equal(coef(fit)$Sepal.Length, c(`(Intercept)` = mean(iris$Sepal.Length)))
  expect_equal(unname(local_model(fit, "Sepal.Length")$sd), sd(iris$Sepal.Length))
})

test_that("the first discrete parent varies fastest", {
  data <- expand.grid(a = c("a1", "a2"), b = c("b1", "b2", "b3"), row = 1:3)
  data$y <- as.integer(data$a) + 10 * as.integer(data$b) + 0.1 * (data$row - 2)
  fit <- fit_network("[a][b][y|a:b]", data[c("y", "b", "a")])
  expect_equal(as.vector(coef(fit)$y), c(11, 12, 21, 22, 31, 32))
  expect_named(local_model(fit, "y")$levels, c("a", "b"))
})

# ---- agreement with bnlearn ---------------------------------------------------------------------

expect_same_numbers <- function(network, data, fit, peer) {
  for (node in names(data)) {
    ours <- coef(fit)[[node]]
    theirs <- coef(peer[[node]])
    expect_lt(max(abs(ours - theirs)), 1e-10)
    expect_identical(dimnames(ours), dimnames(theirs))
    expect_identical(names(ours), names(theirs))
    if (is.numeric(data[[node]])) {
      expect_lt(max(abs(local_model(fit, node)$sd - peer[[node]]$sd)), 1e-10)
    }
  }
}

test_that("tables are bnlearn's", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test
  network <- bnlearn::hc(data)
  for (iss in c(1, 2.5, 10)) {
    expect_same_numbers(network, data, fit_network(network, data, iss = iss),
                        bnlearn::bn.fit(network, data, method = "bayes", iss = iss))
  }
  expect_same_numbers(network, data, fit_network(network, data, method = "mle"),
                      bnlearn::bn.fit(network, data, method = "mle"))
})

test_that("regressions are bnlearn's, conditional ones too", {
  skip_without_peer("bnlearn")
  for (data in list(bnlearn::gaussian.test, bnlearn::clgaussian.test)) {
    network <- bnlearn::hc(data)
    expect_same_numbers(network, data, fit_network(network, data, method = "mle"),
                        bnlearn::bn.fit(network, data))
  }
})

test_that("in a mixed network the prior acts on the tables and not on the regressions", {
  skip_without_peer("bnlearn")
  data <- bnlearn::clgaussian.test
  network <- "[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]"
  fit <- fit_network(network, data, iss = 5)
  tables <- bnlearn::bn.fit(bnlearn::model2network("[A][B][C][F|B:C]"), data[c("A", "B", "C", "F")],
                            method = "bayes", iss = 5)
  expect_lt(max(abs(coef(fit)$F - coef(tables$F))), 1e-10)
  mle <- fit_network(network, data, method = "mle")
  for (node in c("D", "E", "G", "H")) expect_identical(coef(fit)[[node]], coef(mle)[[node]])
})

# ---- properties ---------------------------------------------------------------------------------

test_that("a weight is a number of repeated rows", {
  times <- rep_len(c(3, 1, 0, 2), nrow(iris))
  repeated <- iris[rep(seq_len(nrow(iris)), times), ]
  for (method in c("bayes", "mle")) {
    weighted <- fit_network(mixed, iris, method = method, weights = times)
    expected <- fit_network(mixed, repeated, method = method)
    expect_lt(difference(weighted, expected), 1e-10)
    expect_equal(logLik(weighted), logLik(expected))
  }
})

test_that("the order of rows and of columns does not matter", {
  fit <- fit_network(mixed, iris)
  set.seed(1)
  shuffled <- iris[sample(nrow(iris)), sample(ncol(iris))]
  expect_lt(difference(fit, fit_network(mixed, shuffled)), 1e-12)
})

test_that("relabelled and reordered levels permute the tables", {
  fit <- fit_network("[sky][wind|sky]", weather)
  other <- weather
  other$sky <- factor(other$sky, levels = c("rain", "clear", "cloud"), labels = c("z", "x", "y"))
  expect_equal(as.vector(coef(fit_network("[sky][wind|sky]", other))$wind),
               as.vector(coef(fit)$wind[, c("rain", "clear", "cloud")]))
})

test_that("a structure may come as string, matrix or bn, and columns of many types", {
  skip_without_peer("tibble")
  skip_without_peer("data.table")
  data <- transform(weather, sky = as.character(sky), wind = wind == "yes", extra = NA)
  adjacency <- matrix(c(0, 0, 1, 0), 2, dimnames = list(c("sky", "wind"), c("sky", "wind")))
  fit <- suppressMessages(fit_network(adjacency, data))
  expect_equal(as.vector(coef(fit)$wind),
               as.vector(coef(fit_network("[sky][wind|sky]", weather))$wind))
  expect_identical(fit$levels$wind, c("FALSE", "TRUE"))
  expect_identical(fit$network, adjacency)

  for (convert in c(tibble::as_tibble, data.table::as.data.table)) {
    expect_identical(coef(fit_network("[sky][wind|sky]", convert(weather))),
                     coef(fit_network("[sky][wind|sky]", weather)))
  }

  skip_without_peer("bnlearn")
  network <- bnlearn::model2network("[sky][wind|sky]")
  expect_identical(coef(fit_network(network, weather)),
                   coef(fit_network("[sky][wind|sky]", weather)))
})

# ---- what the data leave open -------------------------------------------------------------------

open_data <- data.frame(
  a = factor(c("x", "x", "x", "x", "y", "y")),
  b = factor(c("u", "v", "u", "v", "u", "u")),
  c = factor(c("r", "s", "s", "s", "r", "s")),
  p = c(1, 2, 3, 5, 8, 13),
  y = c(2, 1, 4, 3, 6, 8)
)
open_data$twice_p <- 2 * open_data$p

test_that("a configuration that no row shows is uniform", {
  mle <- suppressMessages(fit_network("[a][b][c|a:b]", open_data, method = "mle"))
  expect_identical(as.vector(coef(mle)$c[, "y", "v"]), c(0.5, 0.5))
  expect_identical(as.vector(coef(mle)$c[, "x", "v"]), c(0, 1))
  expect_identical(local_model(mle, "c")$remarks, c(unseen = 1L))
  bayes <- expect_silent(fit_network("[a][b][c|a:b]", open_data))
  expect_identical(as.vector(coef(bayes)$c[, "y", "v"]), c(0.5, 0.5))
})

test_that("a configuration with too few rows has the regression of all rows", {
  fit <- suppressMessages(fit_network("[a][b][p][y|a:b:p]", open_data))
  model <- local_model(fit, "y")
  everything <- lm(y ~ p, open_data)
  # x u, y u, x v and y v have 2, 2, 2 and 0 rows, for 2 coefficients
  for (j in 1:4) expect_equal(model$coefficients[, j], coef(everything))
  expect_equal(unname(model$sd), rep(sigma(everything), 4))
  expect_equal(model$remarks[["pooled"]], 4)

  fit <- suppressMessages(fit_network("[a][p][y|a:p]", open_data))
  model <- local_model(fit, "y")
  own <- lm(y ~ p, open_data, subset = a == "x")
  expect_equal(model$coefficients[, "0"], coef(own))
  expect_equal(model$sd[["0"]], sigma(own))
  expect_equal(model$coefficients[, "1"], coef(everything))
})

test_that("a collinear parent has coefficient 0 and counts as a parameter", {
  fit <- suppressMessages(fit_network("[p][twice_p][y|p:twice_p]", open_data))
  expected <- lm(y ~ p, open_data)
  expect_equal(coef(fit)$y, c(coef(expected), twice_p = 0))
  model <- local_model(fit, "y")
  expect_equal(unname(model$sd), sqrt(sum(residuals(expected)^2) / (6 - 3)))
  expect_equal(model$remarks[["aliased"]], 1)
})

test_that("a regression without residuals keeps a finite density", {
  fit <- suppressMessages(fit_network("[p][twice_p|p]", open_data))
  expect_equal(coef(fit)$twice_p, c(`(Intercept)` = 0, p = 2))
  expect_equal(unname(local_model(fit, "twice_p")$sd),
               sqrt(.Machine$double.eps * 5 / 6) * sd(open_data$twice_p))
  expect_true(is.finite(logLik(fit)))
})

test_that("one message says what was left open", {
  network <- "[a][b][c|a:b][p|a][twice_p|p][y|a:b:p:twice_p]"
  expect_snapshot(fit <- fit_network(network, open_data, method = "mle"))
})

test_that("what the message says holds node names as they are", {
  data <- stats::setNames(open_data[c("a", "b", "c")], c("a", "b", "{stop()}"))
  network <- matrix(c(0, 0, 0, 0, 0, 0, 1, 1, 0), 3, dimnames = list(names(data), names(data)))
  expect_message(fit_network(network, data, method = "mle"), "{stop()}", fixed = TRUE)
})

# ---- local models -------------------------------------------------------------------------------

test_that("local models print", {
  fit <- fit_network(mixed, iris)
  expect_snapshot({
    local_model(fit, "Species")
    local_model(fit, "Sepal.Length")
    local_model(fit, "Petal.Width")
    local_model(fit_network("[sky][wind|sky]", weather), "wind")
  })
})

# ---- bad input ----------------------------------------------------------------------------------

test_that("malformed arguments are refused", {
  network <- "[sky][wind|sky]"
  expect_snapshot(error = TRUE, {
    fit_network(network, weather, iss = 0)
    fit_network(network, weather, iss = NA)
    fit_network(network, weather, method = "map")
    fit_network("[sky][wind|rain]", weather)
    local_model(weather, "sky")
    local_model(fit_network(network, weather), "rain")
  })
  expect_error(fit_network(network, weather, iss = -1), class = "optbn_error_argument")
})

test_that("data at odds with the network are refused", {
  expect_snapshot(error = TRUE, {
    fit_network("[sky][wind|sky][sun|sky][rain]", weather)
    fit_network("[Petal.Width][Petal.Length][Species|Petal.Width:Petal.Length]", iris)
    fit_network("[Petal.Width][Sepal.Width|Petal.Width]", iris[1:2, ])
  })
  expect_error(fit_network("[x]", data.frame(x = c(1, NA))), class = "optbn_error_data")
})

test_that("a table that would not fit is refused before it is made", {
  values <- factor(sprintf("v%03d", 1:200))
  data <- data.frame(a = values, b = values, c = values, d = values, y = seq_len(200) + 0)
  expect_snapshot(error = TRUE, {
    fit_network("[a][b][c][d|a:b:c]", data)
    fit_network("[a][b][c][d][y|a:b:c:d]", data)
  })
  expect_error(fit_network("[a][b][c][d|a:b:c]", data), class = "optbn_error_memory")
})
