titanic <- as.data.frame(Titanic)
parents_in <- function(network, node) network$nodes[[node]]$parents

attitude_classes <- function() {
  data.frame(lapply(attitude, function(x) factor(x > stats::median(x))))
}

five_columns <- function() {
  withr::local_seed(3)
  y <- sample(0:1, 80, TRUE)
  noisy <- function(x) factor(ifelse(runif(80) < 0.8, x, 1 - x))
  data.frame(y = factor(y), a = noisy(y), b = noisy(y), c = noisy(y), d = noisy(y))
}

test_that("naive Bayes is bnlearn's", {
  skip_without_peer("bnlearn")
  network <- learn_classifier(titanic[1:4], "Survived", "naive-bayes", weights = titanic$Freq)
  naive <- bnlearn::naive.bayes(titanic[1:4], "Survived")
  expect_setequal(arc_labels(network$arcs), arc_labels(naive$arcs))
  expect_identical(certificate(network)$status, "optimal")
})

test_that("TAN under the log-likelihood is Chow and Liu's tree, as bnlearn's", {
  skip_without_peer("bnlearn")
  withr::local_seed(1)
  data <- bnlearn::learning.test[1:500, ]
  for (class in c("A", "D", "F")) {
    network <- learn_classifier(data, class, score = "loglik")
    tree <- bnlearn::tree.bayes(data, class)
    expect_equal(certificate(network)$score, score_network(tree, data, "loglik"))
  }
})

test_that("the structures are the best of those allowed, by brute force over parent sets", {
  data <- titanic[rep(seq_len(32), titanic$Freq), 1:4]
  features <- c("Class", "Sex", "Age")
  best_of <- function(k) {
    sets <- unlist(lapply(0:k, function(size) utils::combn(features, size, simplify = FALSE)),
                   recursive = FALSE)
    choices <- expand.grid(lapply(features, function(feature) {
      which(vapply(sets, function(set) !feature %in% set, NA))
    }))
    scores <- apply(choices, 1, function(choice) {
      terms <- mapply(function(feature, i) {
        sprintf("[%s|%s]", feature, paste(c("Survived", sets[[i]]), collapse = ":"))
      }, features, choice)
      tryCatch(score_network(paste0("[Survived]", paste(terms, collapse = "")), data, "bic"),
               optbn_error_argument = function(e) -Inf)
    })
    max(scores)
  }
  for (k in 0:2) {
    structure <- if (k == 1) "tan" else "k-dependence"
    network <- learn_classifier(data, "Survived", structure, k = k, score = "bic")
    expect_equal(certificate(network)$score, best_of(k))
    expect_true(all(vapply(features, function(f) "Survived" %in% parents_in(network, f), NA)))
    expect_lte(max(lengths(lapply(features, parents_in, network = network))), k + 1)
    expect_length(parents_in(network, "Survived"), 0)
  }
  blanket <- learn_classifier(data, "Survived", "markov-blanket", score = "bic")
  expect_identical(blanket$arcs, learn_dag(data, "bic")$arcs)
})

test_that("the limits of a structure hold where too many sets obey them to score all", {
  local_values(max_default_counts = 60)
  withr::local_seed(5)
  data <- random_frame(200, 9, 0)
  class <- names(data)[1L]
  all <- learn_classifier(data, class, "k-dependence", time_limit = Inf)
  expect_identical(certificate(all)$status, "optimal")
  some <- learn_classifier(data, class, "k-dependence")
  expect_lte(max(lengths(lapply(names(data), parents_in, network = some))), 3)
  expect_false(is.null(certificate(some)$settings$complete))
  expect_gte(certificate(some)$bound, certificate(all)$score - 1e-9)
})

test_that("the class is what predict() predicts", {
  network <- learn_classifier(iris, "Species", "naive-bayes")
  fit <- fit_network(network, iris)
  expect_identical(predict(fit, iris, type = "prob"), predict(fit, iris, "Species", "prob"))
  expect_identical(predict(fit, iris[1:3, -5]), predict(fit, iris[1:3, ], "Species"))
  expect_match(paste(format(network), collapse = "\n"), "class +Species")
  expect_identical(certificate(network)$settings$class, "Species")
  expect_true(certificate(network)$valid)
  plain <- fit_network(learn_dag(iris), iris)
  expect_snapshot(error = TRUE, predict(plain, iris))
})

test_that("update() keeps the class", {
  network <- learn_classifier(attitude_classes(), "rating", "markov-blanket", method = "local")
  expect_identical(certificate(update(network, attitude_classes()))$settings$class, "rating")
})

test_that("a class may be logical or text, and features of any kind", {
  data <- data.frame(y = iris$Species == "setosa", word = as.character(iris$Species),
                     x = iris$Petal.Width)
  suppressMessages({
    expect_s3_class(learn_classifier(data, "y"), "optbn")
    expect_s3_class(learn_classifier(data, "word", "k-dependence", k = 0), "optbn")
    trees <- learn_classifier(data, "y", score = "pcart")
  })
  expect_identical(certificate(trees)$settings$score$label, "pcart")
})

test_that("whitelists and blacklists hold", {
  data <- five_columns()
  network <- learn_classifier(data, "y", whitelist = data.frame("a", "b"),
                              blacklist = data.frame("c", "d"))
  expect_true("a" %in% parents_in(network, "b"))
  expect_false("c" %in% parents_in(network, "d"))
})

test_that("bad input is refused", {
  expect_snapshot(error = TRUE, {
    learn_classifier(iris)
    learn_classifier(iris, "species")
    learn_classifier(iris, c("Species", "Petal.Width"))
    learn_classifier(iris, "Petal.Width")
    learn_classifier(iris["Species"], "Species")
    learn_classifier(iris, "Species", "forest")
    learn_classifier(iris, "Species", "k-dependence", k = -1)
    learn_classifier(iris, "Species", "tan", max_parents = 3)
    learn_classifier(as.matrix(iris), "Species")
    learn_classifier(iris, "Species", whitelist = data.frame("Petal.Width", "Species"))
  })
})
