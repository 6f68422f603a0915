# All networks of four nodes as matrices of arcs.
networks_of_four <- function() {
  arcs <- as.matrix(expand.grid(rep(list(0:1), 12)))
  Filter(function(m) all(diag(m %*% m) + diag(m %*% m %*% m) + diag(m %*% m %*% m %*% m) == 0),
         lapply(seq_len(nrow(arcs)), function(i) {
           m <- matrix(0, 4, 4)
           m[row(m) != col(m)] <- arcs[i, ]
           m
         }))
}

# Each network's posterior probability, from its score.
probabilities_of <- function(networks, data, score) {
  scores <- vapply(networks, function(m) {
    parents <- apply(m == 1, 2L, function(in_set) names(data)[in_set], simplify = FALSE)
    families <- Map(function(node, set) {
      paste0("[", node, if (length(set)) "|", paste(set, collapse = ":"), "]")
    }, names(data), parents)
    score_network(paste(unlist(families), collapse = ""), data, score)
  }, 0)
  exp(scores - max(scores)) / sum(exp(scores - max(scores)))
}

# expect_effects(): the mean, the mass of no effect, and the distribution at the two bounds, against
# one `distribution(parents, q)` for each network.
expect_effect <- function(row, networks, p, from, to, mean, distribution, tolerance = 1e-6) {
  parents <- lapply(networks, function(m) which(m[, from] == 1))
  none <- vapply(parents, function(set) to %in% set, NA)
  expect_lt(abs(row$no_effect - sum(p[none])), 1e-3) # the share of sets that is left out
  means <- vapply(parents[!none], mean, 0)
  expect_equal(row$effect, sum(p[!none] * means), tolerance = tolerance)
  below <- function(q) {
    sum(p[!none] * vapply(parents[!none], distribution, 0, q = q)) + sum(p[none]) * (q >= 0)
  }
  # a bound at 0 is a jump of the distribution
  expect_between <- function(q, wanted) {
    expect_lte(below(q - 1e-5 * max(1, abs(q))), wanted + 100 * tolerance)
    expect_gte(below(q + 1e-5 * max(1, abs(q))), wanted - 100 * tolerance)
  }
  expect_between(row$lower, 0.025)
  expect_between(row$upper, 0.975)
}

test_that("effects of continuous columns equal those of all networks, with regressions by lm()", {
  data <- attitude[c(1, 2, 4, 7)]
  networks <- networks_of_four()
  expect_length(networks, 543L)
  p <- probabilities_of(networks, data, "bic-g")
  found <- as.data.frame(causal_effects(data, score = "bic-g"))
  found_all <- function(parents, from, to) {
    fit <- stats::lm(data[[to]] ~ ., data[c(from, parents)])
    c(stats::coef(summary(fit))[2L, 1:2], df = fit$df.residual)
  }
  for (from in 1:4) for (to in setdiff(1:4, from)) {
    row <- found[found$from == names(data)[from] & found$to == names(data)[to], ]
    fits <- list()
    fit_of <- function(parents) {
      key <- paste(c("set", parents), collapse = " ")
      if (is.null(fits[[key]])) fits[[key]] <<- found_all(parents, from, to)
      fits[[key]]
    }
    expect_effect(row, networks, p, from, to, function(parents) fit_of(parents)[[1L]],
                  function(parents, q) {
                    one <- fit_of(parents)
                    stats::pt((q - one[[1L]]) / one[[2L]], one[[3L]])
                  }, tolerance = 2e-3) # for what is left out
    expect_equal(row$standardised,
                 row$effect * stats::sd(data[[from]]) / stats::sd(data[[to]]))
  }
})

test_that("with BGe, effects are those of matrices drawn from the Wishart posterior", {
  withr::local_seed(1)
  data <- attitude[c(1, 2, 4, 7)]
  score <- score_bge(iss_mu = 2, iss_w = 9, nu = c(60, 60, 50, 40))
  n <- 4
  rows <- nrow(data)
  apart <- colMeans(data) - score$nu
  scatter <- crossprod(scale(as.matrix(data), scale = FALSE)) + diag(2 * (9 - n - 1) / 3, n) +
    rows * 2 / (rows + 2) * tcrossprod(apart)
  precision <- stats::rWishart(4000, 9 + rows, solve(scatter))
  # the marginal precision of cause, parents and outcome has the coefficients of the outcome
  draws <- function(parents, from, to) {
    keep <- c(from, parents, to)
    apply(precision, 3L, function(w) {
      w <- solve(solve(w)[keep, keep])
      -w[1L, length(keep)] / w[length(keep), length(keep)]
    })
  }
  networks <- networks_of_four()
  p <- probabilities_of(networks, data, score)
  found <- as.data.frame(causal_effects(data, score = score))
  for (pair in list(c(1, 2), c(4, 3))) {
    row <- found[found$from == names(data)[pair[1L]] & found$to == names(data)[pair[2L]], ]
    kept <- list()
    of_set <- function(parents) {
      key <- paste(c("set", parents), collapse = " ")
      if (is.null(kept[[key]])) kept[[key]] <<- draws(parents, pair[1L], pair[2L])
      kept[[key]]
    }
    expect_effect(row, networks, p, pair[1L], pair[2L], function(parents) mean(of_set(parents)),
                  function(parents, q) mean(of_set(parents) <= q), tolerance = 0.02)
  }
})

test_that("effects of discrete columns equal those of all networks", {
  withr::local_seed(2)
  data <- random_frame(60, 4, 0)
  networks <- networks_of_four()
  p <- probabilities_of(networks, data, score_bde(iss = 3))
  found <- causal_effects(data, score = score_bde(iss = 3))
  sizes <- vapply(data, nlevels, 0L)
  # Parameters drawn from their Dirichlet posterior: P(outcome | do(level)) for each draw.
  draw <- function(parents, from, level, to, outcome, count = 1500L) {
    if (to %in% parents) {
      shape <- table(data[[to]]) + 3 / sizes[to]
      return(stats::rbeta(count, shape[outcome], sum(shape[-outcome])))
    }
    cells <- prod(sizes[parents])
    code <- factor(rep(1, nrow(data)))
    if (length(parents) > 0L) code <- interaction(data[parents], drop = FALSE)
    shares <- vapply(levels(code), function(c) {
      stats::rgamma(count, sum(code == c) + 3 / cells)
    }, numeric(count))
    given <- vapply(levels(code), function(c) {
      here <- data[code == c & as.integer(data[[from]]) == level, to]
      shape <- tabulate(here, sizes[to]) + 3 / (cells * sizes[from] * sizes[to])
      stats::rbeta(count, shape[outcome], sum(shape[-outcome]))
    }, numeric(count))
    rowSums(shares * given) / rowSums(shares)
  }
  for (pair in list(c(1, 2), c(3, 1), c(4, 2))) {
    from <- pair[1L]
    to <- pair[2L]
    row <- found$effects[found$effects$from == names(data)[from] &
                           found$effects$to == names(data)[to], ]
    kept <- list()
    contrast <- function(parents) {
      key <- paste(c("set", parents), collapse = " ")
      if (is.null(kept[[key]])) {
        at <- function(level) {
          draw(parents, from, match(level, levels(data[[from]])), to,
               match(row$outcome, levels(data[[to]])), 4000L)
        }
        kept[[key]] <<- at(row$level) - at(row$baseline)
      }
      kept[[key]]
    }
    expect_effect(row, networks, p, from, to, function(parents) mean(contrast(parents)),
                  function(parents, q) mean(contrast(parents) <= q), tolerance = 0.02)
  }
  # means, exactly: sums over configurations
  parents <- lapply(networks, function(m) which(m[, 1L] == 1))
  exact <- function(set, level, outcome) {
    if (2L %in% set) return((sum(data[[2L]] == outcome) + 3 / sizes[2L]) / (60 + 3))
    cells <- expand.grid(lapply(data[set], levels), stringsAsFactors = FALSE)
    sum(vapply(seq_len(max(1L, nrow(cells))), function(i) {
      here <- rep(TRUE, 60)
      for (v in names(data)[set]) here <- here & data[[v]] == cells[i, v]
      q <- max(1L, nrow(cells))
      with_level <- here & data[[1L]] == level
      (sum(here) + 3 / q) / (60 + 3) *
        (sum(with_level & data[[2L]] == outcome) + 3 / (q * sizes[1L] * sizes[2L])) /
        (sum(with_level) + 3 / (q * sizes[1L]))
    }, 0))
  }
  table <- found$interventions
  table <- table[table$from == names(data)[1L] & table$to == names(data)[2L], ]
  wanted <- mapply(function(level, outcome) {
    sum(p * vapply(parents, exact, 0, level = level, outcome = outcome))
  }, table$level, table$outcome)
  expect_equal(table$estimate, unname(wanted), tolerance = 1e-3)
  expect_equal(unname(c(tapply(table$estimate, table$level, sum))), rep(1, sizes[[1L]]))
  expect_true(all(table$lower < table$estimate & table$estimate < table$upper))
})

# z -> x, z -> y, x -> y: what x does is less than what it is associated with.
confounded <- function(rows, discrete) {
  z <- stats::rbinom(rows, 1L, 0.5)
  x <- if (discrete) stats::rbinom(rows, 1L, 0.2 + 0.6 * z) else stats::rnorm(rows, 2 * z)
  y <- stats::rnorm(rows, x + 3 * z)
  list(z = factor(z, labels = c("no", "yes")), x = x, y = y)
}

test_that("adjustment finds the effect of an intervention, by tables, regressions and trees", {
  withr::local_seed(3)
  made <- confounded(4000L, discrete = TRUE)
  mixed <- data.frame(z = made$z, x = factor(made$x), y = made$y)
  tiers <- list("z", "x", "y")
  trees <- as.data.frame(causal_effects(mixed, score = "pcart", tiers = tiers))
  to_y <- trees[trees$from == "x" & trees$to == "y", ]
  means <- tapply(mixed$y, mixed[c("x", "z")], mean)
  expect_lt(abs(to_y$effect - sum(table(mixed$z) / 4000 * (means["1", ] - means["0", ]))), 0.01)
  sd <- (to_y$upper - to_y$lower) / (2 * stats::qnorm(0.975))
  spread <- stats::sd(stats::residuals(stats::lm(y ~ x * z, mixed))) *
    sqrt(sum(c(table(mixed$z) / 4000)^2 * rowSums(1 / table(mixed$z, mixed$x))))
  expect_lt(abs(sd / spread - 1), 0.05)
  expect_equal(to_y$level, "1")
  expect_equal(to_y$no_effect, 0)
  expect_equal(trees$no_effect[trees$from == "x" & trees$to == "z"], 1)

  binary <- data.frame(z = mixed$z, x = mixed$x, y = factor(made$y > 2))
  truth <- mean(stats::pnorm(2, 1 + c(0, 3), lower.tail = FALSE) -
                  stats::pnorm(2, c(0, 3), lower.tail = FALSE))
  for (score in c("bde", "pcart")) {
    tables <- as.data.frame(causal_effects(binary, score = score, tiers = tiers))
    to_y <- tables[tables$from == "x" & tables$to == "y", ]
    expect_equal(to_y$outcome, "TRUE")
    expect_true(to_y$lower < truth && to_y$upper > truth && to_y$upper - to_y$lower < 0.12)
  }

  made <- confounded(4000L, discrete = FALSE)
  normal <- data.frame(z = as.integer(made$z) + stats::rnorm(4000, sd = 0.01), x = made$x,
                       y = made$y)
  regressions <- as.data.frame(causal_effects(normal, score = "bge", tiers = tiers))
  to_y <- regressions[regressions$from == "x" & regressions$to == "y", ]
  expect_true(to_y$lower < 1 && to_y$upper > 1 && to_y$upper - to_y$lower < 0.1)
  # by trees, from the first to the third quartile
  trees <- as.data.frame(causal_effects(normal, score = "pcart", tiers = tiers, from = "x"))
  to_y <- trees[trees$to == "y", ]
  expect_lt(abs(to_y$effect / diff(stats::quantile(normal$x, c(0.25, 0.75))) - 1), 0.15)
})

test_that("weights count rows, and networks drawn have the effects of their posterior", {
  withr::local_seed(4)
  titanic <- as.data.frame(Titanic)
  of_weights <- causal_effects(titanic[1:4], score = "bde", weights = titanic$Freq)
  rows <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
  expect_equal(causal_effects(rows, score = "bde"), of_weights)

  posterior <- network_posterior(attitude, "bge")
  exact <- causal_effects(attitude, posterior = posterior)
  drawn <- causal_effects(attitude, posterior = sample_dags(posterior, 4000))
  expect_equal(drawn$effects$effect, exact$effects$effect, tolerance = 0.1)
  expect_lt(max(abs(drawn$effects$no_effect - exact$effects$no_effect)), 0.04)

  # no two trees are equally good, which may differ where there are no rows
  survey <- attitude[c("rating", "complaints", "learning")]
  times <- rep(c(1, 2), c(10, 20))
  of_weights <- causal_effects(survey, score = "pcart", weights = times)$effects
  expect_true(all(of_weights$effect != 0))
  expect_equal(causal_effects(survey[rep(1:30, times), ], score = "pcart")$effects, of_weights)
})

test_that("levels that do not occur are asked for, but not compared", {
  withr::local_seed(5)
  data <- random_frame(80, 3, 0)
  data[[1L]] <- factor(data[[1L]], c("absent", levels(data[[1L]])))
  found <- suppressMessages(causal_effects(data, score = "bde"))
  expect_true("absent" %in% found$interventions$level)
  expect_false("absent" %in% c(found$effects$level, found$effects$baseline))
  only <- suppressMessages(causal_effects(data, score = "bde", from = names(data)[2L],
                                          to = names(data)[3L]))
  expect_equal(nrow(only$effects), 1L)
  whole <- found$effects
  expect_equal(only$effects$effect,
               whole$effect[whole$from == names(data)[2L] & whole$to == names(data)[3L]])
  posterior <- suppressMessages(network_posterior(data, "bde"))
  data[[2L]][] <- data[[2L]][1L]
  expect_snapshot(causal_effects(data, posterior = posterior), error = TRUE)
})

test_that("a level NA has effects as others have", {
  withr::local_seed(8)
  data <- random_frame(80, 3, 0)
  with_na <- data
  levels(with_na[[2L]])[1L] <- NA
  with_na[[2L]] <- addNA(with_na[[2L]])
  found <- causal_effects(with_na, score = "bde")
  expect_true("NA" %in% found$interventions$level && !anyNA(found$interventions$outcome))
  expect_false(any(grepl("mean", format(found)[-2L])))
  data[[2L]] <- factor(data[[2L]], c(levels(data[[2L]])[-1L], levels(data[[2L]])[1L]))
  expect_equal(found$effects$no_effect, causal_effects(data, score = "bde")$effects$no_effect)
})

test_that("columns that depend on each other linearly are named", {
  data <- data.frame(x = c(1:8) + 0, z = rep(1:4, each = 2) + 0, y = c(2, 1, 4, 3, 6, 5, 8, 7))
  data$copy <- data$x
  expect_error(causal_effects(data, score = "loglik-g"), "linearly", class = "optbn_error_data")
  expect_equal(nrow(causal_effects(data, score = "bge")$effects), 12L)
})

test_that("effects print, and bad input is refused with the reason", {
  withr::local_seed(6)
  expect_snapshot(print(causal_effects(attitude, score = "bge")))
  titanic <- as.data.frame(Titanic)
  expect_snapshot(print(causal_effects(titanic[1:4], score = "bde", weights = titanic$Freq,
                                       to = "Survived",
                                       tiers = list(c("Sex", "Age"), "Class", "Survived"))))
  posterior <- network_posterior(attitude, "bge")
  expect_snapshot(error = TRUE, {
    causal_effects(attitude, posterior = posterior, score = "bge")
    causal_effects(attitude[1:20, ], posterior = posterior)
    causal_effects(attitude, posterior = attitude)
    causal_effects(attitude, score = "bge", from = "nobody")
    causal_effects(attitude, score = "bge", from = "rating", to = "rating")
    causal_effects(attitude, score = "bge", level = 1)
  })
  damaged <- causal_effects(attitude, score = "bge")
  damaged$effects$lower <- NULL
  expect_error(print(damaged), class = "optbn_error_model")
  expect_error(as.data.frame(damaged), class = "optbn_error_model")
})

test_that("a sample of parent sets follows their probabilities", {
  withr::local_seed(8)
  for (most_sets in c(1L, 7L, 50L)) {
    for (p in list(rexp(200)^3, rep(1, 77), c(1e-9, rexp(60)), exp(-(1:300) / 40))) {
      p <- p / sum(p)
      chosen <- representative_sets(p, most_sets)
      expect_length(chosen$set, most_sets)
      expect_identical(anyDuplicated(chosen$set), 0L)
      expect_equal(sum(chosen$weight), 1)
      step <- min(chosen$weight)
      expect_true(all(which(p > step * (1 + 1e-9)) %in% chosen$set))
      # of the most probable sets, however many, the weights have their probability
      weights <- replace(numeric(length(p)), chosen$set, chosen$weight)
      apart <- cumsum(weights[order(-p)]) - cumsum(sort(p, decreasing = TRUE))
      expect_lt(max(abs(apart)), step * (0.5 + 1e-9))
    }
  }
  few <- representative_sets(c(0.0002, 0.4998, 0.1, 0.4), 3L)
  expect_identical(few$set, c(2L, 4L, 3L))
  expect_equal(few$weight, c(0.4998, 0.4, 0.1) / 0.9998)
  expect_identical(few$sampled, 0)
})
