titanic <- as.data.frame(Titanic)

test_that("a learned network keeps its trees, and fits their leaves to other rows", {
  network <- learn_dag(iris, "pcart")
  kept <- network$learning$optbn$partitions
  expect_named(kept, names(iris))
  first <- fit_network(network, iris)
  odd <- fit_network(network, iris[seq(1, 149, 2), ])
  for (node in names(iris)) {
    expect_identical(local_model(first, node)$partition, kept[[node]])
    expect_identical(local_model(odd, node)$partition, kept[[node]])
  }
  expect_identical(sum(local_model(odd, "Species")$n), 75)
})

test_that("trees and tables reach the score of their family", {
  expect_family_scores <- function(data, score, weights = NULL) {
    network <- learn_dag(data, score, weights = weights)
    fit <- fit_network(network, data, weights = weights)
    rows <- weights %||% rep(1, nrow(data))
    for (node in names(data)) {
      model <- local_model(fit, node)
      region <- find_region(model$partition, encode_newdata(fit, data, model$parents), nrow(data))
      leaves <- vapply(split(seq_along(region), region), function(i) {
        alone <- data.frame(y = data[[node]][i])
        leaf_of(score, alone$y, rows[i], fit$score$columns[[node]])
      }, 0)
      prior <- 0
      if (is_tree_score(score)) {
        encoded <- encode_data(data, weights)
        tree <- core_local_structures(
          encoded, fit$score, lapply(names(data), function(v) {
            if (v == node) match(model$parents, names(data)) else integer()
          }), quiet_host()
        )[[match(node, names(data))]]
        prior <- tree$log_norm + tree$log_leaf * sum(is.na(tree$parent))
      }
      expect_equal(sum(leaves) + prior, certificate(network)$node_scores[[node]],
                   tolerance = 1e-10)
    }
  }
  # the marginal likelihood of some values, by the formulas of the help page
  leaf_of <- function(score, y, weights, column) {
    if (is.factor(y)) {
      r <- nlevels(y)
      counts <- tapply(weights, y, sum, default = 0)
      return(lgamma(r / 2) - lgamma(sum(weights) + r / 2) + sum(lgamma(counts + 0.5) - lgamma(0.5)))
    }
    z <- (y - column$centre) / column$spread
    n <- sum(weights)
    m <- sum(weights * z) / n
    s <- sum(weights * (z - m)^2)
    -n / 2 * log(pi) - log(n + 1) / 2 + lgamma((n + 1) / 2) - lgamma(1 / 2) -
      (n + 1) / 2 * log(s + n * m^2 / (n + 1) + 1)
  }
  expect_family_scores(iris, score_pcart())
  expect_family_scores(iris, score_ft())
  expect_family_scores(titanic[1:4], score_pcart(), titanic$Freq)
  expect_family_scores(warpbreaks, score_pcart())
})

test_that("other nodes than the learned ones get trees of their own", {
  network <- learn_dag(iris, "pcart")
  skip_if_not_installed("bnlearn")
  changed <- bnlearn::set.arc(bnlearn::drop.arc(network, "Species", "Petal.Width"),
                              "Petal.Length", "Petal.Width")
  fit <- fit_network(changed, iris)
  expect_identical(local_model(fit, "Petal.Width")$parents, "Petal.Length")
  expect_s3_class(local_model(fit, "Petal.Width"), "optbn_tree")
  expect_identical(local_model(fit, "Petal.Length")$partition,
                   network$learning$optbn$partitions$Petal.Length)
})

test_that("any network can be fitted with trees, and a learned one without", {
  string <- "[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]"
  fit <- fit_network(string, titanic[1:4], weights = titanic$Freq, score = "pcart")
  expect_s3_class(local_model(fit, "Survived"), "optbn_tree")
  expect_setequal(local_model(fit, "Survived")$parents, c("Class", "Sex", "Age"))
  expect_s3_class(local_model(fit_network(string, titanic[1:4], score = "ft"), "Sex"),
                  "optbn_binned")
  network <- learn_dag(titanic[1:4], "pcart", weights = titanic$Freq)
  plain <- fit_network(network, titanic[1:4], weights = titanic$Freq, score = "bde")
  expect_s3_class(local_model(plain, "Survived"), "optbn_table")
})

test_that("trees do not depend on the order of the columns", {
  network <- "[Species][Sepal.Width][Petal.Width|Sepal.Width:Species]"
  data <- iris[c("Species", "Sepal.Width", "Petal.Width")]
  a <- fit_network(network, data, score = "pcart")
  b <- fit_network(network, data[3:1], score = "pcart")
  expect_equal(log_density(a, data), log_density(b, data))
  c <- fit_network(network, data, score = "ft")
  d <- fit_network(network, data[3:1], score = "ft")
  expect_equal(log_density(c, data), log_density(d, data))
})

test_that("levels and values that training did not show are handled, and said", {
  train <- iris[iris$Petal.Length < 6, ]
  fit <- fit_network("[Petal.Length][Species|Petal.Length]", train, score = "pcart")
  expect_snapshot(predict(fit, data.frame(Petal.Length = c(1, 20)), "Species"))
  expect_snapshot(error = TRUE, log_density(fit, data.frame(Petal.Length = 1, Species = "rosa")))

  # a declared level without rows goes right at every split
  declared <- data.frame(a = factor(rep(c("x", "y"), 20), levels = c("x", "y", "z")),
                         b = factor(rep(c("u", "v"), 20)))
  fit <- suppressMessages(fit_network("[a][b|a]", declared, score = "pcart"))
  prob <- predict(local_model(fit, "b"), data.frame(a = c("x", "y", "z")), type = "prob")
  expect_identical(prob[3, ], prob[2, ])
})

test_that("constrained searches, the k best and continued searches keep trees too", {
  one <- learn_dag(iris, "pcart", ancestors = data.frame("Petal.Width", "Species", TRUE))
  expect_named(one$learning$optbn$partitions, names(iris))
  best <- suppressMessages(learn_k_best(iris, 3, "ft"))
  for (network in best) {
    parents <- lapply(network$nodes, `[[`, "parents")
    kept <- network$learning$optbn$partitions
    expect_identical(lapply(kept, function(partition) as.character(names(partition$axes))), parents)
  }
  # parent sets know the score, not the data
  sets <- parent_sets(iris, "pcart")
  rough <- learn_dag(sets, method = "local", time_limit = 0)
  expect_named(update(rough, iris)$learning$optbn$partitions, names(iris))
  from_sets <- learn_dag(sets)
  expect_null(from_sets$learning$optbn$partitions)
  expect_equal(logLik(fit_network(from_sets, iris)), logLik(fit_network(learn_dag(iris, "pcart"),
                                                                       iris)))
})

test_that("the leaves are what was asked for", {
  network <- learn_dag(iris, "pcart")
  expect_true(all(is.finite(local_model(fit_network(network, iris), "Petal.Width")$df)))
  normal <- local_model(fit_network(network, iris, leaf = "normal"), "Petal.Width")
  expect_true(all(normal$df == Inf))
  mle <- local_model(fit_network(network, iris, method = "mle"), "Petal.Width")
  expect_equal(mle$location, unname(tapply(iris$Petal.Width, iris$Species, mean))[1:3],
               ignore_attr = TRUE)
  expect_snapshot(error = TRUE, fit_network(network, iris, leaf = "uniform"))
  expect_snapshot(print(fit_network(network, iris)))
})

test_that("kept trees are not fitted to columns of other levels", {
  network <- learn_dag(iris, "pcart")
  two <- droplevels(iris[iris$Species != "versicolor", ])
  expect_snapshot(error = TRUE, fit_network(network, two))
  turned <- transform(iris, Species = factor(Species, rev(levels(Species))))
  expect_error(fit_network(network, turned), class = "optbn_error_data")
  width <- learn_dag(iris, "pcart", whitelist = cbind("Petal.Width", "Species"))
  grouped <- transform(iris, Petal.Width = cut(Petal.Width, 3))
  expect_snapshot(error = TRUE, fit_network(width, grouped))
  numbers <- transform(iris, Species = as.numeric(Species))
  leaf_only <- learn_dag(iris[4:5], "pcart", whitelist = cbind("Petal.Width", "Species"))
  expect_snapshot(error = TRUE, fit_network(leaf_only, numbers))
  expect_s3_class(fit_network(network, two, score = "pcart"), "optbn_fit")
})
