mixed <- paste0("[Species][Petal.Length|Species][Sepal.Length]",
                "[Petal.Width|Species:Petal.Length:Sepal.Length]")
flowers <- fit_network(mixed, iris)

# A network of tables in which every node has parents, children or both.
mosaic_string <- "[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]"
titanic <- as.data.frame(Titanic)
passengers <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
rownames(passengers) <- NULL
mosaic <- fit_network(mosaic_string, passengers)

# ---- likelihood ---------------------------------------------------------------------------------

test_that("the log-likelihood is that of the densities multiplied by hand", {
  prob <- coef(mosaic)
  expected <- sum(log(prob$Class[passengers$Class])) +
    sum(log(prob$Sex[cbind(passengers$Sex, passengers$Class)])) +
    sum(log(prob$Age[cbind(passengers$Age, passengers$Class)])) +
    sum(log(prob$Survived[with(passengers, cbind(Survived, Age, Class, Sex))]))
  likelihood <- logLik(mosaic)
  expect_equal(likelihood[1L], expected, tolerance = 1e-12)
  expect_identical(attr(likelihood, "df"), 3 + 4 + 4 + 16)
  expect_equal(attr(likelihood, "nobs"), 2201)
  expect_equal(nobs(mosaic), 2201)
})

test_that("regressions have as many parameters as coefficients and spreads", {
  single <- fit_network("[Petal.Length][Petal.Width|Petal.Length]", iris)
  model <- lm(Petal.Width ~ Petal.Length, iris)
  sd <- sigma(model)
  expected <- sum(dnorm(iris$Petal.Width, fitted(model), sd, log = TRUE)) +
    sum(dnorm(iris$Petal.Length, mean(iris$Petal.Length), sd(iris$Petal.Length), log = TRUE))
  expect_equal(logLik(single)[1L], expected)
  expect_identical(attr(logLik(single), "df"), 5)
  expect_identical(attr(logLik(flowers), "df"), 2 + 2 + 3 * 2 + 3 * 4)
})

test_that("new data have a log-likelihood of their own", {
  expect_equal(logLik(flowers, newdata = iris[sample(nrow(iris)), 5:1]), logLik(flowers))
  parts <- c(logLik(flowers, newdata = iris[1:50, ]), logLik(flowers, newdata = iris[51:150, ]))
  expect_equal(sum(parts), logLik(flowers)[1L])
  expect_identical(attr(logLik(flowers, newdata = iris[1:50, ]), "nobs"), 50L)

  data <- data.frame(a = factor(c("x", "x", "y")), b = factor(c("u", "v", "u")))
  unsure <- fit_network("[a][b|a]", data, method = "mle")
  expect_identical(logLik(unsure, newdata = data.frame(a = "y", b = "v"))[1L], -Inf)
})

test_that("information criteria have R's sign", {
  likelihood <- logLik(mosaic)
  expect_equal(BIC(mosaic), -2 * likelihood[1L] + log(2201) * 27)
  expect_equal(AIC(mosaic), -2 * likelihood[1L] + 2 * 27)

  skip_without_peer("bnlearn")
  network <- bnlearn::model2network(mosaic_string)
  mle <- suppressMessages(fit_network(network, passengers, method = "mle"))
  expect_equal(BIC(mle), -2 * bnlearn::score(network, passengers, type = "bic"))
})

test_that("log-likelihoods are bnlearn's", {
  skip_without_peer("bnlearn")
  for (data in list(bnlearn::learning.test, bnlearn::gaussian.test, bnlearn::clgaussian.test)) {
    network <- bnlearn::hc(data)
    fit <- fit_network(network, data, method = "mle")
    peer <- bnlearn::bn.fit(network, data)
    expect_equal(logLik(fit)[1L], as.numeric(logLik(peer, data)), tolerance = 1e-12)
    expect_equal(attr(logLik(fit), "df"), bnlearn::nparams(peer))
  }
})

# ---- printing -----------------------------------------------------------------------------------

test_that("fits print and summarise", {
  expect_snapshot({
    mosaic
    flowers
    summary(flowers)
  })
  expect_identical(summary(flowers)$nodes$log_likelihood, unname(flowers$log_likelihood))
  expect_named(coef(flowers), flowers$nodes)
})

test_that("only the first nodes of many are printed", {
  many <- as.data.frame(matrix(rep(c("a", "b"), 30), 2), stringsAsFactors = TRUE)
  lines <- format(fit_network(paste0("[", names(many), "]", collapse = ""), many))
  expect_length(grep("table of 2 levels", lines), 20)
  expect_match(lines[length(lines)], "and 10 more nodes")
})

# ---- simulation ---------------------------------------------------------------------------------

test_that("a seed gives the same rows and leaves the generator alone", {
  set.seed(42)
  before <- .Random.seed
  drawn <- simulate(flowers, 20, seed = 7)
  expect_identical(.Random.seed, before)
  expect_identical(simulate(flowers, 20, seed = 7), drawn)
  expect_equal(attr(drawn, "seed"), structure(7, kind = as.list(RNGkind())))

  free <- simulate(flowers, 20)
  expect_identical(attr(free, "seed"), before)
  expect_false(identical(.Random.seed, before))
  assign(".Random.seed", attr(free, "seed"), envir = globalenv())
  expect_identical(simulate(flowers, 20), free)
})

test_that("simulated columns are like those of the data", {
  data <- data.frame(
    o = factor(c("lo", "hi", "lo", "hi"), levels = c("lo", "mid", "hi"), ordered = TRUE),
    l = c(TRUE, FALSE, FALSE, TRUE), s = c("b", "a", "c", "a"), x = c(0.5, 1, 2, 4)
  )
  fit <- suppressMessages(fit_network("[l][o|l][s|o][x|l]", data))
  drawn <- simulate(fit, 50, seed = 1)
  expect_identical(names(drawn), fit$nodes)
  expect_identical(dim(drawn), c(50L, 4L))
  expect_identical(lapply(drawn, class), lapply(data[fit$nodes], class))
  expect_identical(levels(drawn$o), c("lo", "mid", "hi"))
  expect_true(all(drawn$s %in% data$s))
  expect_identical(dim(simulate(fit, 0)), c(0L, 4L))
})

test_that("what is simulated is distributed as the network says", {
  drawn <- simulate(mosaic, 1e5, seed = 1)
  again <- suppressMessages(fit_network(mosaic_string, drawn, method = "mle"))
  # probabilities of all cells: a standard error is at most 0.0016
  cells <- function(fit) {
    exp(apply(expand.grid(lapply(passengers, levels)), 1L, function(row) {
      logLik(fit, newdata = as.data.frame(as.list(row)))[1L]
    }))
  }
  frequencies <- as.vector(table(drawn[names(passengers)])) / nrow(drawn)
  expect_lt(max(abs(frequencies - cells(mosaic))), 0.008)
  expect_lt(max(abs(coef(again)$Sex - coef(mosaic)$Sex)), 0.03)

  plants <- simulate(flowers, 1e5, seed = 2)
  again <- fit_network(mixed, plants)
  for (node in c("Petal.Length", "Petal.Width", "Sepal.Length")) {
    expect_lt(max(abs(coef(again)[[node]] - coef(flowers)[[node]])), 0.05)
    expect_lt(max(abs(local_model(again, node)$sd - local_model(flowers, node)$sd)), 0.02)
  }
})

test_that("levels of probability 0 are never drawn", {
  data <- data.frame(a = factor(c("x", "y", "y"), levels = c("w", "x", "y", "z")))
  fit <- suppressMessages(fit_network("[a]", data, method = "mle"))
  expect_setequal(as.character(simulate(fit, 1e4, seed = 1)$a), c("x", "y"))
})

# ---- prediction ---------------------------------------------------------------------------------

test_that("probabilities of a discrete node are those of the joint distribution", {
  joint <- function(rows) {
    vapply(seq_len(nrow(rows)), function(i) exp(logLik(mosaic, newdata = rows[i, ])[1L]), 0)
  }
  rows <- unique(passengers)
  for (node in names(passengers)) {
    levels <- levels(passengers[[node]])
    weights <- vapply(levels, function(level) {
      joint(replace(rows, node, list(factor(level, levels))))
    }, numeric(nrow(rows)))
    prob <- predict(mosaic, rows[names(rows) != node], node, type = "prob")
    expect_equal(prob, unname(weights / rowSums(weights)), ignore_attr = TRUE)
    expect_identical(colnames(prob), levels)
    expect_identical(predict(mosaic, rows, node),
                     factor(levels[apply(prob, 1L, which.max)], levels))
  }
})

test_that("a discrete node learns from its continuous children", {
  rows <- iris[c(1, 60, 75, 107, 120, 134), ]
  weights <- vapply(levels(iris$Species), function(species) {
    vapply(seq_len(nrow(rows)), function(i) {
      row <- replace(rows[i, ], "Species", list(factor(species, levels(iris$Species))))
      exp(logLik(flowers, newdata = row)[1L])
    }, 0)
  }, numeric(nrow(rows)))
  expect_equal(predict(flowers, rows, "Species", type = "prob"), weights / rowSums(weights))
})

test_that("a continuous node has the mean and spread of the joint density", {
  rows <- iris[c(1, 60, 134), ]
  for (node in c("Petal.Length", "Sepal.Length", "Petal.Width")) {
    posterior <- predict(flowers, rows, node, type = "distribution")
    for (i in seq_len(nrow(rows))) {
      # on a grid that holds all the mass, scaled by the density at its middle
      middle <- posterior$mean[i]
      x <- seq(middle - 10 * posterior$sd[i], middle + 10 * posterior$sd[i], length.out = 4001)
      grid <- replace(rows[rep(i, length(x)), ], node, list(x))
      values <- encode_newdata(flowers, grid, flowers$nodes)
      log_weight <- Reduce(`+`, lapply(flowers$models, local_log_density, values))
      weight <- exp(log_weight - max(log_weight))
      mean <- sum(weight * x) / sum(weight)
      expect_equal(posterior$mean[i], mean, tolerance = 1e-8)
      expect_equal(posterior$sd[i], sqrt(sum(weight * (x - mean)^2) / sum(weight)),
                   tolerance = 1e-6)
    }
    expect_identical(predict(flowers, rows, node), posterior$mean)
  }
})

test_that("a node without neighbours has its own distribution", {
  fit <- fit_network("[Species][Sepal.Width]", iris)
  expect_equal(predict(fit, iris[1:3, ], "Sepal.Width"), rep(mean(iris$Sepal.Width), 3))
  expect_equal(unname(predict(fit, iris[1:2, ], "Species", type = "prob")),
               matrix(1 / 3, 2, 3))
  expect_identical(nrow(predict(flowers, iris[0, ], "Species", type = "prob")), 0L)
})

test_that("prediction stands extreme values", {
  far <- replace(iris[1, ], c("Petal.Length", "Petal.Width"), list(1e6, -1e6))
  prob <- predict(flowers, far, "Species", type = "prob")
  expect_equal(sum(prob), 1)
  expect_true(all(is.finite(prob)))
})

test_that("impossible rows are NA, and said to be", {
  data <- data.frame(a = c("x", "x", "y"), b = c("u", "v", "u"), c = c("r", "s", "s"))
  fit <- suppressMessages(fit_network("[a][b|a][c|a:b]", data, method = "mle"))
  rows <- data.frame(b = c("v", "u", "v"), c = c("r", "r", "s"))
  expect_snapshot(prob <- predict(fit, rows, "a", type = "prob"))
  expect_identical(is.na(prob[, "x"]), c(TRUE, FALSE, FALSE))
  expect_identical(suppressMessages(predict(fit, rows, "a")), factor(c(NA, "x", "x"), c("x", "y")))

  # a continuous node with a child whose table changes along it
  trees <- fit_all(list(y = make_tree(list()), d = new_joint_table(list(y = bins_axis(0)))),
                   data.frame(y = c(-1, 1, 2), d = factor(c("u", "u", "u"), c("u", "v"))),
                   method = "mle")
  rows <- data.frame(y = c(0.5, 0.5, NA), d = c("u", "v", "v"))
  for (type in c("response", "density")) {
    expect_message(answer <- predict(trees, rows, "y", type = type), "probability 0")
    expect_identical(is.na(answer), c(FALSE, TRUE, TRUE))
    expect_false(any(is.nan(answer)))
  }
})

test_that("a deterministic child fixes its parent", {
  data <- data.frame(x = c(1, 2, 4, 8, 9))
  data$y <- 3 * data$x - 1
  fit <- suppressMessages(fit_network("[x][y|x]", data))
  expect_equal(predict(fit, data.frame(y = c(5, 20)), "x"), c(2, 7), tolerance = 1e-6)
})

test_that("prediction from the blanket alone is bnlearn's exact answer", {
  skip_without_peer("bnlearn")
  # the parents of a leaf are all of its blanket
  data <- bnlearn::learning.test
  network <- bnlearn::hc(data)
  fit <- fit_network(network, data)
  peer <- bnlearn::bn.fit(network, data, method = "bayes", iss = 1)
  leaf <- "E"
  expect_length(Filter(function(parents) leaf %in% parents, fit$parents), 0)
  theirs <- predict(peer, leaf, data, prob = TRUE)
  expect_equal(unname(predict(fit, data, leaf, type = "prob")), unname(t(attr(theirs, "prob"))),
               tolerance = 1e-10)
})

test_that("new data that cannot be used are refused", {
  expect_snapshot(error = TRUE, {
    predict(flowers, replace(iris, "Petal.Length", list(Inf)), "Species")
    predict(flowers, replace(iris, "Petal.Length", list("long")), "Species")
    predict(mosaic, replace(passengers, "Class", list("Captain")), "Age")
    predict(mosaic, as.list(passengers), "Age")
    predict(mosaic, passengers, "Name")
    predict(mosaic, passengers, "Age", type = "distribution")
    predict(flowers, iris, "Petal.Length", type = "prob")
    predict(flowers, iris, "Petal.Length", type = "class")
    predict(mosaic, passengers, "Age", na_level = 2)
    logLik(mosaic, newdata = replace(passengers, 1:2, list(NA, "Captain")))
    logLik(mosaic, newdata = list(1))
    simulate(flowers, -1)
  })
  expect_error(predict(mosaic, replace(passengers, "Class", list("Captain")), "Age"),
               class = "optbn_error_data")
})

test_that("predicted densities are ratios of joint densities", {
  rows <- iris[c(1, 60, 110), ]
  # summed, or integrated, over the values of one node
  total <- function(fit, row, node) {
    at <- function(x) {
      many <- row[rep(1, length(x)), ]
      many[[node]] <- x
      exp(suppressMessages(log_density(fit, many)))
    }
    if (node == "Species") return(sum(at(levels(iris$Species))))
    ends <- c(-10, sort(unique(unlist(lapply(fit$models, function(model) {
      if (node %in% names(model$partition$axes)) change_points(model$partition, node)
    })))), 20)
    pieces <- lapply(seq_along(ends)[-1L], function(i) {
      stats::integrate(at, ends[i - 1L], ends[i], rel.tol = 1e-9)$value
    })
    sum(unlist(pieces))
  }
  fits <- list(
    fit_network(learn_dag(iris, "pcart"), iris, leaf = "normal"),
    fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris[3:5])
  )
  for (fit in fits) {
    for (node in c("Species", "Petal.Length")) {
      totals <- vapply(seq_len(nrow(rows)), function(i) total(fit, rows[i, fit$nodes], node), 0)
      expect_equal(predict(fit, rows, node, type = "density"),
                   unname(exp(log_density(fit, rows)) / totals), tolerance = 1e-6)
    }
  }
})

test_that("gaps in new data are summed out of the likelihood and of predicted densities", {
  set.seed(3)
  for (repeats in 1:6) {
    fit <- random_fit(5, zeros = sample(c(0, 0.2), 1), types = TRUE)
    all <- enumerate(fit)
    rows <- with_random_gaps(simulate(fit, 25))
    total <- function(i, nodes) {
      known <- Filter(Negate(is.na), lapply(rows[i, nodes, drop = FALSE], as.character))
      sum(weigh_rows(all, known))
    }
    each <- vapply(1:25, total, 0, fit$nodes)
    likelihood <- logLik(fit, newdata = rows)
    expect_equal(likelihood[1L], sum(log(each)))
    expect_identical(attributes(likelihood)[c("df", "nobs")], list(df = attr(logLik(fit), "df"),
                                                                   nobs = 25L))
    node <- sample(fit$nodes, 1)
    expected <- each / vapply(1:25, total, 0, setdiff(fit$nodes, node))
    expected[is.na(rows[[node]])] <- NA
    expect_equal(predict(fit, rows, node, type = "density"), expected)
  }
})

test_that("gaps in new data are integrated out of the likelihood of a Gaussian network", {
  set.seed(4)
  fit <- random_gaussian_fit(6)
  moments <- joint_moments(fit)
  rows <- with_random_gaps(simulate(fit, 20))
  each <- apply(rows, 1, function(row) normal_log_density(moments, row[!is.na(row)]))
  expect_equal(logLik(fit, newdata = rows)[1L], sum(each))
})

test_that("with evidence, or gaps in the data, discrete networks answer from a junction tree", {
  fit <- titanic_fit()
  compiled <- compile_network(fit)
  evidence <- list(Survived = "No", Age = "Child")
  expect_identical(simulate(fit, 20, seed = 1, evidence = evidence),
                   simulate(compiled, 20, seed = 1, evidence = evidence))
  people <- data.frame(Class = c(NA, "1st"), Sex = "Male", Age = c("Adult", NA), Survived = "Yes")
  expect_identical(predict(fit, people, "Survived", type = "prob"),
                   predict(compiled, people, "Survived", type = "prob"))
  flowers <- fit_network("[Species][Petal.Length|Species]", iris)
  evidence <- list(Species = "setosa")
  expect_identical(simulate(flowers, 2, seed = 1, evidence = evidence),
                   simulate(compile_network(flowers), 2, seed = 1, evidence = evidence))
  trees <- suppressMessages(fit_network("[Species][Petal.Length|Species]", iris, score = "pcart"))
  expect_error(simulate(trees, 2, evidence = evidence), class = "optbn_error_data")
})
