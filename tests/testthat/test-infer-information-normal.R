test_that("moments after elimination are those of all configurations", {
  set.seed(1)
  left <- 0
  for (repeats in 1:25) {
    p <- with_joint(log_terms_of(random_mixed_fit(sample(2:5, 1), sample(1:5, 1)), "p", NULL), NULL)
    family <- sample(names(p$regressions), sample(length(p$regressions), 1))
    kept <- p$discrete[stats::runif(length(p$discrete)) < 0.3]
    state <- eliminated_moments(p, family, kept, NULL)
    expect_setequal(state$discrete, kept)
    expect_equal(sum(state$probability), 1)
    second <- function(moments) {
      Reduce(`+`, Map(function(a, b) rowSums(a * b), moments[family], rev(moments[family])))
    }
    weights <- stats::rnorm(nrow(state$levels))
    above <- normal_part(p, family)
    above$discrete <- union(kept, above$discrete)
    left <- left + (length(above$discrete) > length(kept))
    weigh <- function(levels) {
      weights[match(do.call(paste, as.data.frame(levels[, kept, drop = FALSE])),
                    do.call(paste, as.data.frame(state$levels[, kept, drop = FALSE])))]
    }
    if (!length(kept)) weigh <- function(levels) weights
    expected <- expected_over_configurations(p, above, NULL, function(moments, levels) {
      weigh(levels) * second(moments)
    })
    expect_equal(sum(state$probability * weights * second(state$moments)), expected,
                 tolerance = 1e-12)
  }
  expect_gt(left, 10)
})

test_that("divergences by elimination are those by enumeration", {
  set.seed(2)
  for (repeats in 1:15) {
    fit <- random_mixed_fit(sample(2:5, 1), sample(1:5, 1))
    p <- with_joint(log_terms_of(fit, "p", NULL), NULL)
    q <- lapply(log_terms_of(another_fit(fit, rows = 300), "q", NULL)$regressions,
                relevel_regression, p$levels)
    families <- Map(c, names(q), lapply(q, `[[`, "continuous"))
    one_by_one <- mapply(excess_by_elimination, names(q), families, q,
                         MoreArgs = list(model = p, call = NULL))
    expect_equal(sum(one_by_one), expected_excess(p, q, FALSE, NULL), tolerance = 1e-11)
  }
})

test_that("a chain over many discrete nodes takes few configurations at a time", {
  set.seed(3)
  nodes <- node_names(24)
  data <- list2DF(rlang::set_names(lapply(nodes, function(node) {
    factor(sample(letters[1:2], 400, replace = TRUE))
  }), nodes))
  previous <- 0
  for (i in 1:8) {
    previous <- data[[paste0("X", i)]] <- previous + stats::rnorm(400) + as.integer(data[[3 * i]])
  }
  families <- vapply(1:8, function(i) {
    paste0("[X", i, "|", paste(c(nodes[3 * i - 2:0], if (i > 1) paste0("X", i - 1)),
                               collapse = ":"), "]")
  }, "")
  links <- paste0("[", nodes[-1], "|", nodes[-24], "]", collapse = "")
  p <- fit_network(paste0("[N001]", links, paste(families, collapse = "")), data)
  apart <- paste0("[", nodes, "]", collapse = "")
  line <- "[X1][X2|X1][X3|X2][X4|X3][X5|X4][X6|X5][X7|X6][X8|X7:N024]"
  q <- fit_network(paste0(apart, line), data)
  rows <- simulate(p, 5000, seed = 1)
  draws <- log_density(p, rows) - log_density(q, rows)
  divergence <- kl_divergence(p, q)
  expect_lt(abs(mean(draws) - divergence), 5 * sd(draws) / sqrt(5000))
  expect_lt(kl_divergence(p, p), 1e-12)
  expect_identical(kl_divergence(p, q, progress = TRUE), divergence)
})

test_that("separated nodes are the independent ones", {
  set.seed(4)
  found <- c(0, 0)
  for (repeats in share_of(1:60)) {
    fit <- random_fit(6)
    nodes <- sample(fit$nodes)
    given <- nodes[seq_len(sample(0:3, 1)) + 3]
    separated <- are_separated(nodes[1], nodes[2:3], given, fit$parents)
    found[separated + 1] <- found[separated + 1] + 1
    information <- mutual_information(fit, nodes[1], nodes[2:3], if (length(given)) given)
    expect_identical(information < 1e-13, separated)
  }
  expect_true(all(found > 5))
})

test_that("a triangle keeps means and covariances", {
  set.seed(5)
  moments <- lapply(1:3, function(i) matrix(stats::rnorm(4 * 6), 4))
  moments[[3]][, -1] <- 2 * moments[[1]][, -1] # determined by the first
  found <- as_triangle(moments)
  expect_identical(vapply(found, ncol, 0L), rep(4L, 3))
  for (i in 1:3) for (j in 1:3) {
    expect_identical(found[[i]][, 1], moments[[i]][, 1])
    expect_equal(rowSums(found[[i]][, -1] * found[[j]][, -1]),
                 rowSums(moments[[i]][, -1] * moments[[j]][, -1]))
  }
})
