mixed <- paste0("[Species][Petal.Length|Species][Sepal.Length]",
                "[Petal.Width|Species:Petal.Length:Sepal.Length]")
flowers <- fit_network(mixed, iris)
grown <- grown_flowers()
naive <- suppressMessages(fit_network(learn_classifier(iris, "Species", "naive-bayes"), iris))

# All kinds of models, and rows with gaps for them.
kinds_of_models <- function() {
  set.seed(1)
  tables <- titanic_fit()
  normal <- fit_network("[complaints][learning|complaints][rating|complaints:learning]", attitude)
  people <- simulate(tables, 20)
  density <- learn_chow_liu(people)
  with_data <- function(models, data) lapply(models, function(model) list(model, data))
  c(with_data(list(tables, compile_network(tables), density, learn_mixture(people, 2)),
              with_random_gaps(people)),
    with_data(list(normal, compile_network(normal)), with_random_gaps(attitude[1:15, ])),
    with_data(list(flowers, grown, naive), with_random_gaps(iris[sample(150, 25), ])))
}

test_that("a column that is not there is a column of NA", {
  for (kind in kinds_of_models()) {
    model <- kind[[1L]]
    data <- kind[[2L]]
    for (column in model$nodes) {
      absent <- data[setdiff(names(data), column)]
      missing <- replace(data, column, NA)
      suppressMessages({
        expect_identical(log_density(model, absent), log_density(model, missing))
        for (node in model$nodes) {
          for (type in c("response", "density")) {
            expect_identical(predict(model, absent, node, type),
                             predict(model, missing, node, type))
          }
        }
        expect_identical(predict(model, absent, column), predict(model, data, column))
      })
    }
  }
})

test_that("a network of tables answers rows whatever they lack", {
  set.seed(2)
  for (repeats in 1:4) {
    fit <- random_fit(5, types = TRUE)
    all <- enumerate(fit)
    data <- with_random_gaps(simulate(fit, 15))[-sample(5, 1)]
    node <- sample(fit$nodes, 1)
    prob <- predict(fit, data, node, type = "prob")
    for (i in 1:15) {
      known <- Filter(Negate(is.na), lapply(data[i, setdiff(names(data), node)], as.character))
      expect_equal(prob[i, ], c(sum_rows(fit, all, weigh_rows(all, known), node)),
                   ignore_attr = TRUE)
    }
  }
})

test_that("a Gaussian network answers rows whatever they lack", {
  set.seed(3)
  fit <- random_gaussian_fit(6)
  moments <- joint_moments(fit)
  data <- with_random_gaps(simulate(fit, 20))[-4]
  for (node in fit$nodes) {
    posterior <- predict(fit, data, node, type = "distribution")
    for (i in 1:20) {
      row <- unlist(data[i, setdiff(names(data), node)])
      expected <- condition_moments(moments, node, row[!is.na(row)])
      expect_equal(posterior$mean[i], unname(expected$mean))
      expect_equal(posterior$sd[i], sqrt(expected$covariance[1, 1]))
    }
  }
})

# How often a message is given.
times_told <- function(code) {
  count <- 0
  withCallingHandlers(code, optbn_message = function(message) {
    count <<- count + 1
    rlang::cnd_muffle(message)
  })
  count
}

test_that("networks of trees answer the rows that are known, and say once that the others are NA", {
  set.seed(4)
  rows <- iris[sample(150, 40), ]
  gaps <- with_random_gaps(rows, 0.15)
  for (node in grown$nodes) {
    blanket <- setdiff(nodes_in(models_with(node, grown$models)), node)
    whole <- stats::complete.cases(gaps[blanket])
    # species are summed out
    told <- times_told(answer <- predict(grown, gaps, node))
    expect_identical(told, if (node == "Petal.Length") 0 else 1)
    expect_identical(answer[whole], suppressMessages(predict(grown, rows[whole, ], node)))
    density <- suppressMessages(predict(grown, gaps, node, type = "density"))
    expect_equal(is.na(density) & !is.na(gaps[[node]]), is.na(answer) & !is.na(gaps[[node]]))
  }
  whole <- stats::complete.cases(gaps[grown$nodes])
  expect_identical(times_told(answer <- log_density(grown, gaps)), 1)
  expect_identical(answer[whole], log_density(grown, rows[whole, ]))
  expect_true(anyNA(answer))
  expect_snapshot({
    predict(grown, gaps[1:8, ], "Species")
    log_density(grown, gaps[1:8, ])
    logLik(grown, newdata = gaps[1:8, ])
  })
  expect_silent(predict(flowers, rows, "Species"))
})

# The density of a row, summed over what it lacks: one level, or one number by quadrature.
summed_density <- function(fit, row) {
  lacks <- names(row)[is.na(row[1L, ])]
  if (length(lacks) == 0L) return(exp(log_density(fit, row)))
  node <- lacks[1L]
  at <- function(values) row[rep(1L, length(values)), ] |> replace(node, list(values))
  if (is.factor(row[[node]])) {
    levels <- levels(row[[node]])
    rows <- at(factor(levels, levels))
    return(sum(vapply(seq_along(levels), function(i) summed_density(fit, rows[i, ]), 0)))
  }
  stats::integrate(function(x) exp(log_density(fit, at(x))), -2, 10, rel.tol = 1e-10,
                   subdivisions = 1000L)$value
}

test_that("conditional Gaussian networks sum out whatever a row lacks", {
  set.seed(4)
  rows <- iris[c(3, 60, 130), flowers$nodes]
  nothing <- factor(NA, levels(iris$Species))
  for (lacking in list("Species", "Petal.Length", "Petal.Width", c("Species", "Petal.Length"),
                       c("Species", "Sepal.Length"))) {
    gaps <- replace(rows, lacking, lapply(rows[lacking], function(x) replace(x, 1:3, NA)))
    wanted <- vapply(1:3, function(i) summed_density(flowers, gaps[i, ]), 0)
    expect_silent(expect_equal(exp(log_density(flowers, gaps)), wanted, tolerance = 1e-6))
    prob <- predict(flowers, gaps, "Species", type = "prob")
    wanted <- vapply(levels(iris$Species), function(species) {
      known <- replace(gaps, "Species", factor(species, levels(iris$Species)))
      vapply(1:3, function(i) summed_density(flowers, known[i, ]), 0)
    }, numeric(3))
    expect_equal(unname(prob), unname(wanted / rowSums(wanted)), tolerance = 1e-6)
  }
  # a mixture of three normal distributions
  gaps <- replace(rows, "Species", nothing)
  moments <- predict(flowers, gaps, "Petal.Width", type = "distribution")
  density <- predict(flowers, gaps, "Petal.Width", type = "density")
  for (i in 1:3) {
    given <- replace(gaps[i, ], "Petal.Width", NA_real_)
    all <- summed_density(flowers, given)
    density_at <- function(x) { # summed over the species
      rows <- given[rep(1L, 3L * length(x)), ]
      rows$Species <- factor(rep(levels(iris$Species), each = length(x)), levels(iris$Species))
      rows$Petal.Width <- rep(x, 3L)
      rowSums(matrix(exp(log_density(flowers, rows)), length(x)))
    }
    moment <- function(power) {
      stats::integrate(function(x) x^power * density_at(x), -1, 4, rel.tol = 1e-8)$value / all
    }
    expect_equal(moments$mean[i], moment(1), tolerance = 1e-5)
    expect_equal(moments$sd[i], sqrt(moment(2) - moment(1)^2), tolerance = 1e-4)
    expect_equal(density[i], summed_density(flowers, gaps[i, ]) / all, tolerance = 1e-5)
  }
})

test_that("what is unknown at the end of arcs needs no summing out", {
  without <- fit_network("[Species][Petal.Length|Species][Sepal.Length]", iris)
  rows <- replace(iris[c(1, 60, 130), ], "Petal.Width", NA)
  expect_silent({
    expect_equal(log_density(flowers, rows), log_density(without, rows))
    expect_equal(predict(flowers, rows, "Species", "prob"),
                 predict(without, rows, "Species", "prob"))
    expect_equal(predict(flowers, rows, "Petal.Length", "distribution"),
                 predict(without, rows, "Petal.Length", "distribution"))
    expect_identical(log_density(flowers, data.frame(none = 1:2)), c(0, 0))
  })
  # an unknown child with a known child of its own says something
  rows <- replace(iris[1:2, ], "Petal.Length", NA)
  expect_message(answer <- predict(grown, rows, "Species"), "lack values")
  expect_identical(is.na(answer), c(TRUE, TRUE))
})

test_that("naive Bayes leaves out the features that a row lacks", {
  rows <- iris[c(1, 60, 130), ]
  rows[1L, 1:2] <- NA
  rows[3L, 1:4] <- NA
  prob <- predict(naive, rows, type = "prob")
  expect_identical(unname(prob[3L, ]), rep(1 / 3, 3))
  expect_equal(prob[1L, ], predict(naive, iris[1, 3:4], type = "prob")[1L, ])
  by_hand <- vapply(levels(iris$Species), function(species) {
    prod(vapply(names(iris)[3:4], function(feature) {
      predict(naive$models[[feature]], replace(iris[1, ], "Species", species), type = "density")
    }, 0))
  }, 0)
  expect_equal(prob[1L, ], by_hand / sum(by_hand))
})

test_that("rows with gaps need not fit into memory", {
  set.seed(5)
  n <- 200
  parents <- lapply(seq_len(n), function(v) sample.int(v - 1L, min(2L, v - 1L)))
  fit <- random_fit(n, parents = parents)
  expect_error(compile_network(fit), class = "optbn_error_memory")
  rows <- simulate(fit, 3, seed = 1)
  node <- fit$nodes[n]
  rows[2L, fit$parents[[node]][1L]] <- NA
  expect_silent(prob <- predict(fit, rows, node, type = "prob"))
  expect_equal(prob[-2L, ], predict(fit, rows[-2L, ], node, type = "prob"))
  parent <- fit$parents[[node]][1L]
  all <- expand.grid(node = fit$levels[[node]], parent = fit$levels[[parent]])
  variants <- replace(rows[rep(2L, nrow(all)), ], c(node, parent), unname(as.list(all)))
  weight <- log_density(fit, variants)
  sums <- tapply(exp(weight - max(weight)), all$node, sum)
  expect_equal(unname(prob[2L, ]), as.vector(sums / sum(sums)))
})

test_that("gaps do not hide what is wrong", {
  gaps <- replace(iris[1:4, ], "Petal.Length", list(c(NA, 1.4, Inf, 1.5)))
  expect_snapshot(error = TRUE, {
    predict(flowers, gaps, "Species")
    predict(flowers, replace(iris[1:2, ], c("Petal.Length", "Species"), list(NA, "rose")),
            "Petal.Width")
    predict(flowers, replace(iris, "Petal.Length", list(c(NA, rep("long", 149)))), "Species")
    predict(flowers, as.matrix(iris), "Species")
  })
})
