titanic <- as.data.frame(Titanic)
passengers <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
mosaic <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]", passengers)
flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)

# A tree of a discrete node under a continuous parent.
grown <- grown_flowers()

# The joint posterior of discrete nodes by summing over all rows there are.
exact_posterior <- function(fit, nodes, evidence) {
  rows <- do.call(expand.grid, fit$levels)
  probability <- exp(log_density(fit, rows))
  for (node in names(evidence)) probability <- probability * (rows[[node]] == evidence[[node]])
  tapply(probability, rows[nodes], sum) / sum(probability)
}

# ---- against exact answers ----------------------------------------------------------------------

test_that("posteriors of discrete nodes are near the exact ones", {
  questions <- list(
    list("Class", list(Survived = "Yes")),
    list(c("Survived", "Sex"), list(Class = "2nd", Age = "Child")),
    list(c("Sex", "Class", "Age"), list(Survived = "No")),
    list(c("Age", "Survived"), list()),
    list("Survived", c(Class = "Crew", Sex = "Female", Age = "Adult"))
  )
  for (question in questions) {
    answer <- approximate_query(mosaic, question[[1]], question[[2]], nsim = 4e4, seed = 1)
    exact <- exact_posterior(mosaic, question[[1]], question[[2]])
    expect_identical(dimnames(answer), dimnames(exact))
    expect_equal(sum(answer), 1)
    # five standard errors of the largest probability
    expect_lt(max(abs(answer - exact)), 5 * 0.5 / sqrt(attr(answer, "effective_size")))
  }
})

test_that("exact answers lie within the standard errors as often as they should", {
  evidence <- list(Survived = "Yes", Sex = "Female")
  exact <- exact_posterior(mosaic, "Class", evidence)
  answers <- lapply(1:200, function(seed) {
    approximate_query(mosaic, "Class", evidence, nsim = 400, seed = seed)
  })
  covered <- vapply(answers, function(answer) {
    as.vector(abs(answer - exact) <= 1.96 * attr(answer, "standard_error"))
  }, logical(4))
  share <- rowMeans(covered) # 0.95, up to three standard deviations of 200 tosses
  expect_gt(min(share), 0.90)
  expect_lt(mean(share), 0.98)
  spread <- apply(vapply(answers, as.vector, numeric(4)), 1L, stats::sd)
  claimed <- rowMeans(vapply(answers, attr, numeric(4), "standard_error"))
  expect_lt(max(abs(claimed / spread - 1)), 0.2)

  moments <- vapply(1:200, function(seed) {
    draws <- approximate_query(flowers, "Petal.Length", list(Petal.Width = 1.5), nsim = 500,
                               seed = seed)
    c(summary(draws)$Petal.Length[["mean"]], attr(draws, "standard_error"))
  }, numeric(2))
  expect_lt(abs(mean(moments[2L, ]) / stats::sd(moments[1L, ]) - 1), 0.2)
})

test_that("weighted draws have the exact moments of a node given all others", {
  cases <- list(
    list(flowers, "Petal.Length", list(Species = "virginica", Petal.Width = 2.1)),
    list(grown, "Petal.Width", list(Species = "versicolor", Petal.Length = 4))
  )
  for (case in cases) {
    draws <- approximate_query(case[[1]], case[[2]], case[[3]], nsim = 4e4, seed = 2)
    exact <- predict(case[[1]], as.data.frame(case[[3]]), case[[2]], type = "distribution")
    numbers <- summary(draws)[[1]]
    error <- exact$sd / sqrt(attr(draws, "effective_size"))
    expect_lt(abs(numbers[["mean"]] - exact$mean), 5 * error)
    expect_lt(abs(numbers[["sd"]] - exact$sd), 8 * error)
  }
})

test_that("a continuous node learns from a tree below it", {
  evidence <- list(Species = "setosa", Petal.Width = 0.3)
  draws <- approximate_query(grown, "Petal.Length", evidence, nsim = 4e4, seed = 3)
  models <- grown$models
  values <- list(Species = 0L, Petal.Width = 0.3)
  exact <- partition_posterior("Petal.Length", models, values, 1)
  expect_lt(abs(summary(draws)$Petal.Length[["mean"]] - exact$mean),
            5 * exact$sd / sqrt(attr(draws, "effective_size")))
})

test_that("quantiles and proportions are those of the weights", {
  x <- c(4, 1, 3, 2)
  expect_equal(weighted_summary(x, c(0.1, 0.2, 0.3, 0.4)),
               c(mean = 2.3, sd = sqrt(0.81), "2.5%" = 1, "50%" = 2, "97.5%" = 4))
  f <- factor(c("b", "a", "b"), c("a", "b", "c"))
  expect_equal(weighted_summary(f, c(0.2, 0.5, 0.3)), c(a = 0.5, b = 0.5, c = 0))
})

# ---- what comes back ----------------------------------------------------------------------------

test_that("without evidence all draws count alike", {
  draws <- approximate_query(flowers, c("Petal.Width", "Species"), nsim = 500, seed = 1)
  expect_equal(attr(draws, "effective_size"), 500)
  expect_equal(draws$.weight, rep(1 / 500, 500))
  expect_named(draws, c("Petal.Width", "Species", ".weight"))
  expect_identical(levels(draws$Species), levels(iris$Species))
})

test_that("a seed gives the same answer and leaves the generator alone", {
  set.seed(42)
  before <- .Random.seed
  answer <- approximate_query(mosaic, "Age", list(Survived = "Yes"), seed = 7)
  expect_identical(.Random.seed, before)
  expect_identical(approximate_query(mosaic, "Age", list(Survived = "Yes"), seed = 7), answer)
  approximate_query(mosaic, "Age", list(Survived = "Yes"))
  expect_false(identical(.Random.seed, before))
})

test_that("only ancestors of what is asked and known are drawn", {
  parents <- list(a = character(), b = "a", c = "b", d = "c", e = character())
  expect_setequal(with_ancestors(c("c", "e"), parents), c("a", "b", "c", "e"))
  expect_setequal(with_ancestors("a", parents), "a")
  drawn <- weighted_draws(mosaic, "Sex", list(Age = 0L), 3)
  expect_setequal(names(drawn$values), c("Class", "Sex", "Age"))
})

test_that("evidence may be logical, and data frames stay data frames", {
  data <- data.frame(l = c(TRUE, FALSE, FALSE, TRUE), x = c(0.5, 1, 2, 4))
  fit <- suppressMessages(fit_network("[l][x|l]", data))
  draws <- approximate_query(fit, "x", list(l = TRUE), nsim = 10, seed = 1)
  expect_type(draws$x, "double")
  expect_type(approximate_query(fit, c("l", "x"), nsim = 10, seed = 1)$l, "logical")
  expect_output(print(head(draws, 2)), "\\.weight")
})

test_that("answers print", {
  expect_snapshot({
    approximate_query(mosaic, c("Survived", "Sex"), list(Class = "2nd", Age = "Child"), seed = 1)
    approximate_query(grown, c("Species", "Petal.Length"), list(Petal.Width = 1.7), seed = 1)
    approximate_query(mosaic, "Age", nsim = 1, seed = 1)
  })
})

test_that("few effective draws are said, and values outside the range", {
  expect_snapshot({
    answer <- approximate_query(flowers, "Petal.Length", list(Petal.Width = 4), nsim = 99, seed = 1)
    answer <- approximate_query(grown, "Species", list(Petal.Length = 9), seed = 1)
  })
})

# ---- bad input ----------------------------------------------------------------------------------

test_that("malformed questions are refused", {
  expect_snapshot(error = TRUE, {
    approximate_query(passengers, "Age")
    approximate_query(mosaic, "Name")
    approximate_query(mosaic, c("Age", "Age"))
    approximate_query(mosaic, 1)
    approximate_query(mosaic, "Age", list(Age = "Adult"))
    approximate_query(mosaic, "Age", list("Yes"))
    approximate_query(mosaic, "Age", list(Ship = "Titanic"))
    approximate_query(mosaic, "Age", list(Survived = "Perhaps"))
    approximate_query(mosaic, "Age", list(Survived = NA))
    approximate_query(flowers, "Species", list(Petal.Length = "long"))
    approximate_query(flowers, "Species", list(Petal.Length = Inf))
    approximate_query(mosaic, "Age", nsim = 0)
  })
  expect_error(approximate_query(mosaic, "Name"), class = "optbn_error_argument")
})

test_that("impossible evidence is refused", {
  data <- data.frame(a = factor(c("x", "x", "y")), b = factor(c("u", "v", "u")),
                     c = factor(c("r", "s", "s")))
  unsure <- fit_network("[a][b|a][c|b]", data, method = "mle")
  expect_snapshot(error = TRUE, approximate_query(unsure, "c", list(b = "v", a = "y")))
  expect_error(approximate_query(unsure, "a", list(b = "v", c = "r")),
               class = "optbn_error_argument")
  expect_equal(as.vector(approximate_query(unsure, "a", list(b = "v"), nsim = 100)), c(1, 0))
})

test_that("a posterior that would not fit is refused before it is made", {
  values <- factor(sprintf("v%03d", 1:150))
  data <- as.data.frame(rep(list(values), 4), col.names = letters[1:4])
  fit <- fit_network("[a][b][c][d]", data)
  expect_snapshot(error = TRUE, approximate_query(fit, letters[1:4]))
})

# ---- ranges and sets ----------------------------------------------------------------------------

test_that("a range of a number and several levels are evidence", {
  flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  answer <- approximate_query(flowers, "Species", list(Petal.Length = c(4, 5)), nsim = 4e4,
                              seed = 1)
  model <- local_model(flowers, "Petal.Length")
  means <- model$coefficients[1, ]
  inside <- pnorm(5, means, model$sd) - pnorm(4, means, model$sd)
  exact <- inside * local_model(flowers, "Species")$prob
  expect_equal(as.vector(answer), as.vector(exact / sum(exact)), tolerance = 0.02)

  above <- approximate_query(flowers, c("Species", "Petal.Length"), list(Petal.Width = c(2, Inf)),
                             nsim = 2000, seed = 1)
  within <- approximate_query(flowers, c("Petal.Width", "Petal.Length"),
                              list(Species = c("setosa", "virginica")), nsim = 4e4, seed = 2)
  each <- vapply(c("setosa", "virginica"), function(species) {
    mean(iris$Petal.Width[iris$Species == species])
  }, 0)
  expect_equal(summary(within)$Petal.Width[["mean"]], mean(each), tolerance = 0.02)
  expect_match(format_answer_heading(above, "Species"), "2 <= Petal.Width <= Inf", all = FALSE)
  expect_match(format_answer_heading(within, "Petal.Width"), "Species in setosa/virginica",
               all = FALSE)
})

test_that("draws within a range are those of the truncated distribution, far out too", {
  withr::local_seed(1)
  for (df in c(Inf, 3)) {
    z <- draw_between(rep(1, 1e4), rep(2, 1e4), df)
    expect_equal(z$log_probability[1L], log(pt(2, df) - pt(1, df)))
    expect_true(all(z$value >= 1 & z$value <= 2))
    at <- (pt(z$value, df) - pt(1, df)) / (pt(2, df) - pt(1, df))
    expect_gt(ks.test(at, "punif")$p.value, 0.001)
  }
  far <- draw_between(10, 11, Inf)
  expect_true(far$value >= 10 && far$value <= 11)
  expect_equal(far$log_probability, pnorm(10, lower.tail = FALSE, log.p = TRUE), tolerance = 1e-3)
})

test_that("malformed ranges are refused, and interventions take none", {
  flowers <- fit_network("[Species][Petal.Length|Species]", iris)
  expect_snapshot(error = TRUE, {
    approximate_query(flowers, "Species", list(Petal.Length = c(5, 4)))
    approximate_query(flowers, "Species", list(Petal.Length = 1:3))
    approximate_query(flowers, "Petal.Length", list(Species = c("setosa", "none")))
    approximate_query(flowers, "Species", do = list(Petal.Length = c(4, 5)))
  })
})
