# Rows, by hand, of nodes of all kinds: two levels, many levels, continuous.
example_data <- function(rows, seed = 1) {
  set.seed(seed)
  data <- data.frame(
    x = runif(rows, 0, 8),
    a = factor(sample(c("red", "green", "blue"), rows, TRUE), c("red", "green", "blue")),
    b = factor(sample(c("no", "yes"), rows, TRUE))
  )
  data$c <- factor(ifelse(runif(rows) < ifelse(data$x < 4, 0.2, 0.7), "p",
                          sample(c("q", "r"), rows, TRUE)))
  data$y <- rnorm(rows, 10 + 3 * (data$x > 4) * (data$a == "red"), 0.5)
  data
}

example_axes <- list(x = dyadic_axis(0, 8, 3), a = levels_axis(c("red", "green", "blue")),
                     b = levels_axis(c("no", "yes")))

# Three leaves, and one beyond the data's reach if `empty`.
example_tree <- function() {
  make_tree(example_axes[c("x", "a")],
            split_at("x", 4, leaf(), split_at("a", 0, split_at("x", 6), leaf())))
}

example_table <- function() new_joint_table(list(x = bins_axis(1, 4), a = example_axes$a))

discrete_tree <- function() {
  make_tree(example_axes[c("a", "b")], split_at("a", c(0, 2), split_at("b", 1), leaf()))
}

# ---- oracle: marginal likelihoods ---------------------------------------------------------------

# Section 2.3 of Talvitie, Eggeling and Koivisto (2018).
dirichlet_log_ml <- function(counts, alpha) {
  lgamma(sum(alpha)) - lgamma(sum(counts + alpha)) + sum(lgamma(counts + alpha) - lgamma(alpha))
}

nig_log_ml <- function(y, nu, lambda, mu, a) {
  n <- length(y)
  s <- if (n) sum((y - mean(y))^2) else 0
  t <- if (n) n * a * (mean(y) - mu)^2 / (n + a) else 0
  -n / 2 * log(pi) + nu / 2 * log(lambda * nu) + 0.5 * (log(a) - log(n + a)) +
    lgamma((n + nu) / 2) - lgamma(nu / 2) - (n + nu) / 2 * log(s + t + nu * lambda)
}

test_that("the oracle is the paper's formula", {
  expect_equal(dirichlet_log_ml(c(3, 2), 0.5 + c(0, 0)), -4.446565155811453)
  expect_equal(nig_log_ml(1.5, 1, 1, 0, 1), -2.245075278505753)
  expect_equal(nig_log_ml(c(1, 2), 1, 1, 0, 1), -4.0351016437455645)
  expect_equal(nig_log_ml(c(3.25, 2.5, 4.75, 3), 3, 0.5, 1, 0.1), -7.751946226828193)
})

test_that("probabilities are ratios of marginal likelihoods", {
  data <- example_data(40)
  observed <- as_observed(data)
  for (partition in list(example_tree(), example_table())) {
    region <- find_region(partition, observed$columns, 40)
    for (prior in list(default_prior(), default_prior(alpha = 2), default_prior(iss = 3))) {
      model <- fit_one("c", partition, data, prior = prior)
      for (j in seq_len(count_regions(partition))) {
        counts <- as.vector(table(data$c[region == j]))
        alpha <- if (is.null(prior$iss)) prior$alpha else prior$iss * region_share(partition)[j] / 3
        alpha <- rep(alpha, 3)
        ratio <- vapply(1:3, function(k) {
          dirichlet_log_ml(counts + (1:3 == k), alpha) - dirichlet_log_ml(counts, alpha)
        }, 0)
        expect_equal(unname(log(model$prob[, j])), ratio)
      }
      expect_equal(model$n, tabulate(region, count_regions(partition)))
    }
  }
})

test_that("Student t densities are ratios of marginal likelihoods", {
  skip_where_quick()
  data <- example_data(30)
  observed <- as_observed(data)
  raw <- list(centre = c(y = 0), spread = c(y = 1))
  settings <- list(default_prior(data), do.call(default_prior, c(list(NULL), raw)),
                   default_prior(data, nu = 3, lambda = 0.5, mu = 1, a = 0.1))
  for (partition in list(example_tree(), example_table())) {
    region <- find_region(partition, observed$columns, 30)
    for (prior in settings) {
      model <- fit_one("y", partition, data, prior = prior)
      standardised <- function(y) (y - prior$centre[["y"]]) / prior$spread[["y"]]
      log_ml <- function(y) {
        nig_log_ml(standardised(y), prior$nu, prior$lambda, prior$mu, prior$a)
      }
      for (row in seq_len(nrow(data))) {
        others <- data$y[region == region[row]]
        for (new in c(-5, 10, 12.5)) {
          values <- replace(lapply(observed$columns, `[`, row), "y", new)
          expect_equal(local_log_density(model, values),
                       log_ml(c(others, new)) - log_ml(others) - log(prior$spread[["y"]]))
        }
      }
    }
  }
})

test_that("an empty region has the prior's own distribution", {
  data <- example_data(30)
  partition <- make_tree(list(x = dyadic_axis(0, 80, 3)), split_at("x", 4))
  prior <- default_prior(data, nu = 4, lambda = 2, mu = 0.5, a = 0.25)
  model <- fit_one("y", partition, data, prior = prior)
  expect_equal(model$n, c(30, 0))
  expect_equal(model$df[2], 4)
  expect_equal(model$location[2], mean(data$y) + 0.5 * sd(data$y))
  expect_equal(model$scale[2], sd(data$y) * sqrt(2 * (1 + 4)))
  expect_equal(unname(fit_one("c", partition, data)$prob[, 2]), rep(1 / 3, 3))
})

# ---- normal leaves and maximum likelihood -------------------------------------------------------

test_that("normal leaves have the posterior's mean and variance", {
  data <- example_data(50)
  student <- fit_one("y", example_tree(), data)
  normal <- fit_one("y", example_tree(), data, leaf = "normal")
  expect_identical(normal$location, student$location)
  expect_equal(normal$scale, student$scale / sqrt(1 + 1 / (normal$n + 1)))
  expect_identical(normal$df, rep(Inf, 4))
})

test_that("maximum likelihood gives proportions, means and standard deviations", {
  data <- example_data(60)
  tree <- example_tree()
  region <- factor(find_region(tree, as_observed(data)$columns, 60), 1:4)
  expect_equal(unname(fit_one("c", tree, data, "mle")$prob),
               unname(unclass(prop.table(table(data$c, region), 2))), ignore_attr = TRUE)
  model <- fit_one("y", tree, data, "mle")
  expect_equal(model$location, as.vector(tapply(data$y, region, mean)))
  expect_equal(model$scale, as.vector(tapply(data$y, region, sd)))
  expect_identical(model$density, "normal")
})

test_that("regions with too few rows are filled in, and counted", {
  data <- data.frame(x = c(0, 1, 2, 3, 6, 8), y = c(1, 2, 4, 7, 9, 9),
                     c = factor(c("p", "p", "q", "q", "p", "p")))
  tree <- make_tree(example_axes["x"], split_at("x", 4, leaf(), split_at("x", 5)))
  table <- new_joint_table(list(x = bins_axis(-1, 5, 7)))
  model <- fit_one("c", tree, data, "mle")
  expect_identical(unname(model$prob[, 2]), c(0.5, 0.5))
  expect_equal(model$remarks, c(empty = 1))
  model <- fit_one("y", table, data, "mle")
  expect_equal(model$n, c(0, 4, 1, 1))
  expect_equal(model$location, c(mean(data$y), 3.5, mean(data$y), mean(data$y)))
  expect_equal(model$scale, c(sd(data$y), sd(data$y[1:4]), sd(data$y), sd(data$y)))
  expect_equal(model$remarks, c(few = 3, equal = 0))
  model <- fit_one("y", tree, data, "mle")
  expect_equal(model$remarks, c(few = 1, equal = 1)) # 9 and 9
  expect_true(all(model$scale > 0))
  expect_snapshot(announce_remarks(list(y = model, c = fit_one("c", tree, data, "mle"))))
  observed <- list(columns = list(x = 1, y = 2), levels = list(x = NULL, y = NULL), weights = 1)
  expect_error(fit_partition("y", "x", tree, observed, default_prior(), "mle", "normal"),
               class = "optbn_error_data")
})

test_that("a weight is a number of repeated rows, and their order does not matter", {
  data <- example_data(40)
  times <- rep_len(c(2, 0, 1, 3), 40)
  repeated <- data[sample(rep(1:40, times)), ]
  for (node in c("c", "y")) {
    for (method in c("bayes", "mle")) {
      prior <- default_prior(data)
      weighted <- fit_one(node, example_tree(), data, method, weights = times, prior = prior)
      expect_equal(weighted, fit_one(node, example_tree(), repeated, method, prior = prior))
    }
  }
})

test_that("one parameter per level but one, two per density", {
  data <- example_data(40)
  expect_equal(local_parameters(fit_one("c", example_tree(), data)), 4 * 2)
  expect_equal(local_parameters(fit_one("y", example_table(), data)), 9 * 2)
})

# ---- densities and draws ------------------------------------------------------------------------

test_that("densities integrate to one", {
  data <- example_data(25)
  for (leaf in c("student", "normal")) {
    model <- fit_one("y", example_tree(), data, leaf = leaf)
    for (x in c(1, 5, 7)) {
      density <- function(y) {
        rows <- length(y)
        exp(local_log_density(model, list(y = y, x = rep(x, rows), a = integer(rows))))
      }
      expect_equal(integrate(density, -Inf, 10)$value + integrate(density, 10, Inf)$value, 1,
                   tolerance = 1e-6)
    }
  }
  model <- fit_one("c", example_table(), data)
  expect_equal(unname(colSums(model$prob)), rep(1, 9))
})

test_that("draws are distributed as the density says", {
  data <- example_data(200)
  rows <- 40000
  set.seed(4)
  values <- list(x = runif(rows, 0, 8), a = sample(0:2, rows, TRUE))

  model <- fit_one("c", example_tree(), data)
  region <- find_region(model$partition, values, rows)
  drawn <- local_simulate(model, values, rows)
  counts <- table(factor(drawn, 0:2), factor(region, 1:4))
  expected <- sweep(model$prob, 2, colSums(counts), `*`)
  expect_gt(pchisq(sum((counts - expected)^2 / expected), 8, lower.tail = FALSE), 1e-3)

  few <- example_data(16) # few degrees of freedom
  for (leaf in c("student", "normal")) {
    model <- fit_one("y", example_tree(), few, leaf = leaf)
    y <- local_simulate(model, values, rows)
    # probabilities of intervals, from the density
    ends <- seq(8, 15, by = 0.25)
    for (j in 1:4) {
      density <- function(y) {
        exp(student_log_density(y, model$location[j], model$scale[j], model$df[j]))
      }
      below <- function(end) integrate(density, 0, end, subdivisions = 1000)$value
      share <- diff(vapply(ends, below, 0))
      expected <- sum(region == j) * share
      counts <- table(cut(y[region == j], ends))
      common <- expected > 10
      statistic <- sum((counts - expected)[common]^2 / expected[common])
      expect_gt(pchisq(statistic, sum(common), lower.tail = FALSE), 1e-3)
    }
  }
})

test_that("levels of probability 0 are never drawn", {
  expect_setequal(draw_levels(cbind(c(0, 0.5, 0, 0.5, 0)), rep(1L, 1e4)), c(1, 3))
})

# ---- on the screen ------------------------------------------------------------------------------

test_that("trees and tables print", {
  data <- example_data(3000)
  data$many <- factor(sample(letters[1:9], 3000, TRUE, 9:1))
  expect_snapshot({
    fit_one("c", example_tree(), data)
    fit_one("y", example_tree(), data)
    fit_one("y", example_table(), data, leaf = "normal")
    fit_one("many", discrete_tree(), data)
    fit_one("c", make_tree(list()), data)
    fit_one("y", new_joint_table(list()), data)
    coef(fit_one("c", discrete_tree(), data))
    coef(fit_one("y", discrete_tree(), data))
  })
})

# ---- as a table ---------------------------------------------------------------------------------

test_that("an expanded table says what the tree says of every configuration", {
  data <- example_data(100)
  grid <- expand.grid(c = 0:2, a = 0:2, b = 0:1)
  model <- fit_one("c", discrete_tree(), data)
  table <- bnlearn_distribution(model, c("a", "b"), NULL)
  expect_identical(names(dimnames(table)), c("c", "a", "b"))
  expect_equal(log(as.vector(table)), local_log_density(model, grid))

  root <- fit_one("c", make_tree(list()), data)
  expect_null(names(dimnames(bnlearn_distribution(root, character(), NULL))))
})

test_that("bnlearn gives the same log-likelihood", {
  skip_without_peer("bnlearn")
  data <- example_data(100)[c("a", "b", "c", "y")]
  partitions <- list(
    a = make_tree(list()), b = make_tree(example_axes["a"], split_at("a", 1)), c = discrete_tree(),
    # parents in an order that is not that of the nodes
    y = new_joint_table(list(c = levels_axis(c("p", "q", "r")), b = example_axes$b))
  )
  fit <- fit_all(partitions[1:3], data)
  peer <- bnlearn::as.bn.fit(fit)
  expect_equal(sum(fit$log_likelihood), as.numeric(logLik(peer, data[1:3])))

  fit <- fit_all(partitions, data, leaf = "normal")
  peer <- bnlearn::as.bn.fit(fit)
  expect_equal(sum(fit$log_likelihood), as.numeric(logLik(peer, data)))
  fit <- fit_all(replace(partitions, "y", list(make_tree(list()))), data, leaf = "normal")
  peer <- bnlearn::as.bn.fit(fit)
  expect_equal(sum(fit$log_likelihood), as.numeric(logLik(peer, data)))
})

test_that("what bnlearn cannot express is refused", {
  skip_without_peer("bnlearn")
  data <- example_data(50)
  convert <- function(node, partition, ...) {
    model <- fit_one(node, partition, data, ...)
    bnlearn_distribution(model, model$parents, NULL)
  }
  expect_snapshot(error = TRUE, {
    convert("c", example_tree())
    convert("y", example_table(), leaf = "normal")
    convert("y", discrete_tree())
    convert("y", make_tree(list()))
  })
  expect_error(convert("c", example_tree()), class = "optbn_error_conversion")
})

# ---- prediction given the parents ---------------------------------------------------------------

test_that("a local model predicts its node from the parents", {
  data <- example_data(80)
  rows <- data[1:10, ]
  values <- lapply(as_observed(data)$columns, `[`, 1:10)
  for (partition in list(example_tree(), example_table())) {
    model <- fit_one("c", partition, data)
    prob <- predict(model, rows[c("a", "x")], type = "prob")
    for (k in 1:3) {
      expected <- exp(local_log_density(model, replace(values, "c", list(rep(k - 1, 10)))))
      expect_equal(unname(prob[, k]), expected)
    }
    expect_identical(colnames(prob), levels(data$c))
    expect_identical(predict(model, rows), factor(levels(data$c)[max.col(prob)], levels(data$c)))
    expect_equal(predict(model, rows, type = "density"),
                 prob[cbind(1:10, as.integer(rows$c))])

    model <- fit_one("y", partition, data)
    region <- find_region(partition, values, 10)
    distribution <- predict(model, rows, type = "distribution")
    expect_identical(distribution$df, model$df[region])
    expect_identical(predict(model, rows), distribution$mean)
    expect_equal(predict(model, rows, type = "density"), exp(local_log_density(model, values)))
  }
  expect_identical(dim(predict(fit_one("c", example_tree(), data), data[0, ], type = "prob")),
                   c(0L, 3L))
})

test_that("standard deviations are those of the densities, infinite where there is none", {
  model <- fit_one("y", make_tree(list(x = dyadic_axis(0, 8, 1)), split_at("x", 1)),
                   data.frame(x = c(1, 2, 3, 4), y = c(0, 1, 2, 5)))
  distribution <- predict(model, data.frame(x = c(1, 5)), type = "distribution")
  expect_equal(distribution$df, c(4, 2))
  integrand <- function(y) {
    (y - model$location[1])^2 *
      exp(student_log_density(y, model$location[1], model$scale[1], model$df[1]))
  }
  expect_equal(distribution$sd[1]^2, integrate(integrand, -Inf, Inf, rel.tol = 1e-8)$value,
               tolerance = 1e-6)
  expect_identical(distribution$sd[2], Inf)
})

test_that("values outside the range count as the nearest, and are said to", {
  data <- example_data(50)
  model <- fit_one("c", example_tree(), data)
  rows <- data.frame(x = c(-1, 3, 9, 100), a = "red")
  expect_snapshot(prob <- predict(model, rows, type = "prob"))
  expect_identical(prob, predict(model, replace(rows, "x", list(c(0, 3, 8, 8))), type = "prob"))
  expect_silent(predict(fit_one("c", example_table(), data), rows))
})

test_that("new data that cannot be used are refused", {
  data <- example_data(50)
  tree <- fit_one("c", example_tree(), data)
  density <- fit_one("y", example_tree(), data)
  expect_snapshot(error = TRUE, {
    predict(tree, replace(data, "a", list("purple")))
    predict(tree, replace(data, "x", list("long")))
    predict(tree, as.list(data))
    predict(tree, data, type = "distribution")
    predict(density, data, type = "prob")
    predict(density, data, type = "mean")
  })
  expect_error(predict(tree, replace(data, "a", list("purple"))), class = "optbn_error_data")
})

# ---- the posterior of a continuous node ---------------------------------------------------------

# A network in which y has two trees and a table as children. `models` are those in which y
# appears, its own first.
posterior_example <- function(leaf = "student") {
  data <- example_data(60)
  set.seed(9)
  data$d <- factor(ifelse(data$y > 11 & data$a == "red", "u", sample(c("u", "v"), 60, TRUE)))
  data$e <- rnorm(60, ifelse(data$y > 12, 5, 0), 2)
  data$f <- factor(ifelse(data$y < 10, "s", sample(c("s", "t"), 60, TRUE)))
  y <- dyadic_axis(min(data$y), max(data$y), 3)
  root <- make_tree(list())
  partitions <- list(
    x = root, a = root, b = root,
    y = example_tree(),
    d = make_tree(list(a = example_axes$a, y = y),
                  split_at("y", 4, leaf(),
                           split_at("a", 0, split_at("y", 6), leaf()))),
    e = new_joint_table(list(y = bins_axis(9.7, 10.2, 12), b = example_axes$b)),
    f = make_tree(list(y = y),
                  split_at("y", 4, split_at("y", 2, leaf(), split_at("y", 3)), leaf()))
  )
  fit <- fit_all(partitions, data, leaf = leaf)
  list(fit = fit, data = data, models = fit$models[c("y", "d", "e", "f")],
       columns = as_observed(data)$columns)
}

# By numerical integration of the product of all densities, between the points
# where it jumps.
posterior_by_quadrature <- function(models, values) {
  joint <- function(y) {
    repeated <- lapply(replace(values, "y", list(NULL)), rep, length(y))
    repeated$y <- y
    exp(Reduce(`+`, lapply(models, local_log_density, repeated)))
  }
  jumps <- unique(unlist(lapply(models[-1], function(model) change_points(model$partition, "y"))))
  ends <- c(-Inf, sort(jumps), Inf)
  integral <- function(power) {
    sum(mapply(function(from, to) {
      integrate(function(y) y^power * joint(y), from, to, rel.tol = 1e-9, abs.tol = 0,
                subdivisions = 2000, stop.on.error = FALSE)$value
    }, ends[-length(ends)], ends[-1]))
  }
  mean <- integral(1) / integral(0)
  list(mean = mean, sd = sqrt(integral(2) / integral(0) - mean^2), total = integral(0),
       joint = joint)
}

test_that("rows of any weight count alike, and statistics of parts are those of the whole", {
  data <- example_data(60)
  partition <- example_tree()
  for (node in c("y", "a")) {
    axes <- if (node == "y") partition else make_tree(list())
    weights <- rep(c(0.25, 1), 30)
    few <- as_observed(data)
    few$weights <- weights
    many <- as_observed(data)
    many$weights <- 4 * weights
    region <- find_region(axes, few$columns, 60)
    regions <- count_regions(axes)
    prior <- default_prior(data)
    one <- leaf_statistics(node, regions, region, few, prior)
    four <- leaf_statistics(node, regions, region, many, prior)
    scaled <- intersect(names(one), c("counts", "n", "squares"))
    expect_equal(lapply(one[scaled], `*`, 4), four[scaled])
    expect_equal(one$mean, four$mean)

    first <- second <- few
    first$weights <- replace(weights, 31:60, 0)
    second$weights <- replace(weights, 1:30, 0)
    halves <- lapply(list(first, second), function(part) {
      leaf_statistics(node, regions, region, part, prior)
    })
    both <- pool_statistics(halves[[1L]], halves[[2L]], 0.5)
    expect_equal(lapply(both[scaled], `*`, 2), one[scaled])
    expect_equal(both$mean, one$mean)
  }
})

test_that("the posterior has the moments and the density of the product of all densities", {
  for (leaf in c("student", "normal")) {
    example <- posterior_example(leaf)
    rows <- c(1, 5, 12, 20, 33)
    values <- lapply(example$columns, `[`, rows)
    posterior <- partition_posterior("y", example$models, values, 5)
    at <- c(9, 9.71, 10.1, 12.5, 20)
    log_density <- partition_posterior_log_density("y", example$models, values, 5, at)
    for (i in seq_along(rows)) {
      expected <- posterior_by_quadrature(example$models, lapply(values, `[`, i))
      expect_equal(posterior$mean[i], expected$mean, tolerance = 1e-7)
      expect_equal(posterior$sd[i], expected$sd, tolerance = 1e-6)
      expect_equal(exp(log_density[i]), expected$joint(at[i]) / expected$total, tolerance = 1e-7)
    }
  }
})

test_that("the node's own value is not looked at, nor the order of the factors", {
  example <- posterior_example()
  values <- lapply(example$columns, `[`, 1:6)
  posterior <- partition_posterior("y", example$models, values, 6)
  expect_identical(partition_posterior("y", example$models, values[names(values) != "y"], 6),
                   posterior)
  expect_equal(partition_posterior("y", rev(example$models), values, 6), posterior)
})

test_that("a fitted network predicts by it", {
  example <- posterior_example()
  expected <- partition_posterior("y", example$models, example$columns, 60)
  expect_equal(predict(example$fit, example$data, "y", type = "distribution"), expected)
  expect_identical(predict(example$fit, example$data, "y"), expected$mean)
})

test_that("without children the posterior is the node's own distribution", {
  data <- example_data(40)
  model <- fit_one("y", example_tree(), data)
  values <- as_observed(data)$columns
  own <- predict(model, data, type = "distribution")
  expect_equal(partition_posterior("y", list(model), values, 40), own[c("mean", "sd")])
})

test_that("few degrees of freedom leave the median, or an infinite spread", {
  example <- posterior_example()
  example$models$y$df <- c(1, 2, 1.5, 0.5)
  region <- find_region(example_tree(), example$columns, 60)
  rows <- match(1:4, region)
  values <- lapply(example$columns, `[`, rows)
  posterior <- partition_posterior("y", example$models, values, 4)
  expect_identical(posterior$sd, rep(Inf, 4))
  for (i in c(1, 4)) {
    half <- integrate(function(y) {
      repeated <- lapply(values, function(column) rep(column[i], length(y)))
      exp(partition_posterior_log_density("y", example$models, repeated, length(y), y))
    }, -Inf, posterior$mean[i], subdivisions = 5000, rel.tol = 1e-5, stop.on.error = FALSE)
    expect_equal(half$value, 0.5, tolerance = 1e-3)
  }
})

test_that("a child that contradicts the node's own model is believed", {
  # the node is near 0; its child is all but impossible unless it is above 50, or above 1e4
  for (far in c(50, 1e4)) {
    own <- fit_one("y", make_tree(list()), data.frame(y = c(-1, 0, 1)), leaf = "normal")
    child <- list(node = "d", parents = "y", levels = c("u", "v"),
                  partition = new_joint_table(list(y = bins_axis(far))),
                  prob = cbind(c(1, 0), c(0, 1)))
    class(child) <- c("optbn_binned", "optbn_partition", "optbn_local")
    posterior <- partition_posterior("y", list(own, child), list(d = 1L), 1)
    # Mills' ratio: beyond t standard deviations the mean is t + 1 / t, the spread 1 / t
    t <- (far - own$location) / own$scale
    expect_equal(posterior$mean, own$location + own$scale * (t + 1 / t), tolerance = 1e-5)
    expect_gte(posterior$mean, far)
    expect_equal(posterior$sd, own$scale / t, tolerance = if (far < 100) 0.01 else 1)
  }
})

test_that("impossible rows are NaN", {
  own <- fit_one("y", make_tree(list()), data.frame(y = c(-1, 0, 1)))
  child <- list(node = "d", parents = "y", levels = c("u", "v"),
                partition = new_joint_table(list(y = bins_axis(0))), prob = cbind(c(1, 0), c(1, 0)))
  class(child) <- c("optbn_binned", "optbn_partition", "optbn_local")
  posterior <- partition_posterior("y", list(own, child), list(d = 0:1), 2)
  expect_identical(is.nan(posterior$mean), c(FALSE, TRUE))
  expect_identical(is.na(posterior$sd), c(FALSE, TRUE))
  log_density <- partition_posterior_log_density("y", list(own, child), list(d = 0:1), 2, c(0, 0))
  expect_identical(is.nan(log_density), c(FALSE, TRUE))
})

test_that("parts of the posterior below its quantiles are those that were asked for", {
  for (leaf in c("student", "normal")) {
    example <- posterior_example(leaf)
    rows <- c(1, 5, 12, 20, 33)
    values <- lapply(example$columns, `[`, rows)
    jumps <- sort(unique(unlist(lapply(example$models[-1], function(model) {
      change_points(model$partition, "y")
    }))))
    for (u in c(1e-6, 0.1, 0.5, 0.83, 1 - 1e-6)) {
      at <- partition_posterior_quantiles("y", example$models, values, 5, rep(u, 5))
      for (i in seq_along(rows)) {
        density <- function(y) {
          repeated <- lapply(lapply(values, `[`, i), rep, length(y))
          exp(partition_posterior_log_density("y", example$models, repeated, length(y), y))
        }
        ends <- c(-Inf, jumps[jumps < at[i]], at[i])
        below <- sum(mapply(function(from, to) {
          integrate(density, from, to, rel.tol = 1e-9, subdivisions = 2000,
                    stop.on.error = FALSE)$value
        }, ends[-length(ends)], ends[-1]))
        expect_equal(below, u, tolerance = 1e-5)
      }
    }
  }
})

test_that("quantiles within far intervals are inside, and right in both tails", {
  part <- c(0.2, 0.5, 0.9)
  for (df in c(Inf, 3)) {
    for (ends in list(c(30, 40), c(5, Inf), c(-1, 2))) {
      mass <- c(log_interval_mass(cbind(ends[1]), cbind(ends[2]), df))
      low <- rep(ends[1], 3)
      high <- rep(ends[2], 3)
      above <- quantile_within(part, low, high, mass, df)
      expect_true(all(above >= ends[1] & above <= ends[2]))
      expect_equal(quantile_within(1 - part, -high, -low, mass, df), -above)
      tail <- function(t) stats::pt(t, df, lower.tail = FALSE, log.p = TRUE)
      expect_equal(exp(tail(above) - tail(ends[1])) - part * exp(tail(ends[2]) - tail(ends[1])),
                   1 - part, tolerance = 1e-6)
    }
  }
})

test_that("no value has a larger density than the peak", {
  for (leaf in c("student", "normal")) {
    example <- posterior_example(leaf)
    peaks <- partition_posterior_peaks("y", example$models, example$columns, 60)
    log_density <- function(at) {
      partition_posterior_log_density("y", example$models, example$columns, 60, at)
    }
    highest <- log_density(peaks)
    for (y in seq(5, 20, length.out = 500)) expect_true(all(log_density(y) <= highest + 1e-4))
  }
})

test_that("impossible rows have neither quantiles nor peaks", {
  own <- fit_one("y", make_tree(list()), data.frame(y = c(-1, 0, 1)))
  child <- list(node = "d", parents = "y", levels = c("u", "v"),
                partition = new_joint_table(list(y = bins_axis(0))), prob = cbind(c(1, 0), c(1, 0)))
  class(child) <- c("optbn_binned", "optbn_partition", "optbn_local")
  factors <- list(own, child)
  for (y in list(partition_posterior_quantiles("y", factors, list(d = 0:1), 2, c(0.3, 0.3)),
                 partition_posterior_peaks("y", factors, list(d = 0:1), 2))) {
    expect_identical(is.na(y), c(FALSE, TRUE))
  }
})

test_that("masses of intervals are right in both tails", {
  lower <- rbind(c(-Inf, -40, -1, 1, 39, 5))
  upper <- rbind(c(Inf, -39, 1, Inf, 40, 5))
  expect_equal(exp(log_interval_mass(lower, upper, Inf))[c(1, 3, 4)],
               c(1, pnorm(1) - pnorm(-1), pnorm(-1)))
  mass <- log_interval_mass(lower, upper, 3)
  expect_equal(mass[2], mass[5])
  expect_equal(exp(mass[2]), pt(-39, 3) - pt(-40, 3))
  expect_equal(log_interval_mass(lower, upper, Inf)[2], pnorm(-39, log.p = TRUE), tolerance = 1e-10)
  expect_identical(mass[6], -Inf)
})
