# EM of the parameters.

test_that("complete rows give what the other methods give", {
  titanic <- as.data.frame(Titanic)
  net <- "[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]"
  by_em <- fit_network(net, titanic[1:4], method = "em", weights = titanic$Freq)
  expect_equal(coef(by_em), coef(fit_network(net, titanic[1:4], weights = titanic$Freq)))
  expect_true(by_em$em$converged)
  expect_equal(by_em$em$missing, 0)

  ml <- fit_network(net, titanic[1:4], method = "em", iss = 0, weights = titanic$Freq)
  plain <- suppressMessages(fit_network(net, titanic[1:4], method = "mle", weights = titanic$Freq))
  expect_equal(coef(ml), coef(plain))
  expect_equal(c(logLik(ml)), c(logLik(plain)))

  # regressions: the same lines, and RSS / n in place of RSS / (n - p - 1)
  lines <- fit_network("[rating|complaints:learning][complaints][learning|complaints]",
                       attitude[c("rating", "complaints", "learning")], method = "em")
  same <- lm(rating ~ complaints + learning, attitude)
  expect_equal(unname(coef(lines)$rating[names(coef(same))]), unname(coef(same)), tolerance = 1e-6)
  expect_equal(unname(lines$models$rating$sd), sqrt(mean(residuals(same)^2)), tolerance = 1e-6)
})

test_that("tables of one missing column are those of the likelihood's maximum", {
  # X -> Y, X missing in some rows: the likelihood has the closed form of a fully classified table
  # and a margin, whose maximum optim() finds.
  set.seed(1)
  x <- factor(sample(c("a", "b"), 400, TRUE, c(0.3, 0.7)))
  y <- factor(ifelse(runif(400) < ifelse(x == "a", 0.8, 0.3), "u", "v"))
  d <- data.frame(x = replace(x, sample(400, 120), NA), y = y)
  fit <- fit_network("[x][y|x]", d, method = "em", iss = 0, tolerance = 1e-12)
  log_likelihood <- function(p) {
    p <- stats::plogis(p) # of x = a, of y = u given a and given b
    joint <- cbind(p[1] * c(p[2], 1 - p[2]), (1 - p[1]) * c(p[3], 1 - p[3]))
    cell <- joint[cbind(as.integer(d$y), as.integer(d$x))]
    sum(log(ifelse(is.na(d$x), rowSums(joint)[as.integer(d$y)], cell)))
  }
  best <- stats::optim(c(0, 0, 0), function(p) -log_likelihood(p), method = "BFGS",
                       control = list(reltol = 1e-14))
  expect_equal(c(logLik(fit)), -best$value, tolerance = 1e-8)
  expect_equal(unname(c(coef(fit)$x)[1]), stats::plogis(best$par[1]), tolerance = 1e-4)
})

test_that("the objective never falls, and its end is the likelihood of what is known", {
  set.seed(2)
  for (kind in c("discrete", "mixed", "continuous")) {
    d <- random_frame(300, if (kind != "continuous") 3 else 0, if (kind != "discrete") 3 else 0)
    names(d) <- paste0("v", seq_along(d))
    net <- switch(kind, discrete = "[v1][v2|v1][v3|v1:v2]",
                  continuous = "[v1][v2|v1][v3|v1:v2]",
                  mixed = "[v1][v2|v1][v3|v1:v2][v4|v1][v5|v4:v2][v6|v4:v5]")
    gaps <- with_random_gaps(d, 0.3)
    fit <- suppressMessages(fit_network(net, gaps, method = "em"))
    expect_gt(nrow(fit$em$trace), 2L)
    expect_true(all(diff(fit$em$trace$objective) > -1e-7))
    expect_equal(c(logLik(fit)), sum(log_density(fit, gaps)), tolerance = 1e-8)
    expect_equal(fit$em$missing, sum(is.na(gaps)))
  }
})

test_that("the objective rises where a column is constant within a configuration", {
  set.seed(12)
  data <- data.frame(group = factor(rep(c("none", "some"), each = 60)))
  data$count <- c(rep(0, 60), stats::rnorm(60, 5, 2))
  data$size <- data$count + stats::rnorm(120)
  data$group[sample(120, 20)] <- NA
  data$count[sample(120, 20)] <- NA
  data$size[sample(120, 20)] <- NA
  fit <- suppressMessages(fit_network("[group][count|group][size|count]", data, method = "em"))
  expect_gt(nrow(fit$em$trace), 2L)
  expect_true(all(diff(fit$em$trace$objective) > -1e-6))
})

test_that("equal rows are as good as weights, and the order of columns does not matter", {
  set.seed(3)
  d <- with_random_gaps(random_frame(200, 2, 2), 0.2)
  names(d) <- c("a", "b", "x", "y")
  net <- "[a][b|a][x|a][y|x:b]"
  copies <- sample(0:3, 200, TRUE)
  once <- suppressMessages(fit_network(net, d, method = "em", weights = copies))
  again <- suppressMessages(fit_network(net, d[rep(1:200, copies), 4:1], method = "em"))
  expect_equal(coef(once), coef(again), tolerance = 1e-6)
})

test_that("numbers of any scale are fitted alike", {
  set.seed(4)
  d <- with_random_gaps(data.frame(x = stats::rnorm(200), y = stats::rnorm(200)), 0.2)
  d$y <- d$y + d$x
  far <- data.frame(x = 1e6 + 1e-3 * d$x, y = 5e4 * d$y)
  near <- fit_network("[x][y|x]", d, method = "em")
  moved <- fit_network("[x][y|x]", far, method = "em")
  expect_equal(unname(coef(moved)$y[["x"]]) * 1e-3 / 5e4, unname(coef(near)$y[["x"]]),
               tolerance = 1e-5)
  expect_equal(c(logLik(near)) - c(logLik(moved)),
               sum(!is.na(d$x)) * log(1e-3) + sum(!is.na(d$y)) * log(5e4), tolerance = 1e-6)
})

test_that("what too few rows know is filled in, and said", {
  d <- data.frame(a = factor(rep(c("u", "v", "w"), c(40, 40, 2)), c("u", "v", "w")),
                  x = c(stats::rnorm(80), NA, 1))
  expect_message(fit <- fit_network("[a][x|a]", d, method = "em"),
                 class = "optbn_message")
  expect_true(all(is.finite(unlist(coef(fit)))))
  expect_true(all(fit$models$x$sd > 0))
})

test_that("trees of discrete nodes are fitted with their regions tied", {
  set.seed(5)
  d <- random_frame(400, 4, 0)
  names(d) <- paste0("v", 1:4)
  tree <- suppressMessages(learn_dag(d, "pcart", max_parents = 2))
  gaps <- with_random_gaps(d, 0.15)
  fit <- suppressMessages(fit_network(tree, gaps, method = "em"))
  expect_true(all(diff(fit$em$trace$objective) > -1e-7))
  whole <- suppressMessages(fit_network(tree, d, method = "em"))
  expect_equal(coef(whole), coef(suppressMessages(fit_network(tree, d))), tolerance = 1e-6)
})

test_that("bad input is refused", {
  d <- data.frame(a = factor(c("u", "v", NA)), b = factor(c(NA, NA, NA), "u"), x = c(1, NA, 2))
  expect_error(fit_network("[a][b]", d, method = "em"), class = "optbn_error_data", "no value")
  expect_error(fit_network("[a][x]", d), class = "optbn_error_data", "missing values")
  expect_error(fit_network("[a][x]", d, method = "em", tolerance = 0),
               class = "optbn_error_argument")
  expect_error(fit_network("[a][x]", d, method = "em", iss = -1), class = "optbn_error_argument")
  expect_error(fit_network("[a|x][x]", d, method = "em"), class = "optbn_error_data")
  expect_error(fit_network("[a][x]", d, method = "em", progress = NA),
               class = "optbn_error_argument")
  fit <- suppressMessages(fit_network("[a][x|a]", d, method = "em"))
  expect_match(paste(format(fit), collapse = "\n"), "2 of 6 values missing")
  fit$em <- NULL
  expect_error(print(fit), class = "optbn_error_model")
})
