# Effects among continuous columns: coefficients of regressions, with Student's t distribution.

# What the regressions are made of: the scatter matrix of the posterior, and its degrees of freedom
# for a regression of one column on k others (`freedom[k]`).
#
# With BGe, the precision matrix of all n columns has a Wishart distribution with iss_w + N degrees
# of freedom and scatter matrix R (Geiger & Heckerman 2002; Kuipers, Moffa & Heckerman 2014), and
# the part of it for l = k + 1 columns that are marginal one with n - l fewer. With a flat prior, R
# is the centred matrix of sums of products, and a regression with intercept has N - l.
moments_for_effects <- function(encoded, score, call) {
  x <- do.call(cbind, encoded$columns)
  n <- ncol(x)
  rows <- encoded$total
  means <- column_means(encoded)
  weights <- encoded$weights %||% rep(1, nrow(x))
  scatter <- crossprod(sqrt(weights) * sweep(x, 2L, means))
  freedom <- pmax(1, rows - seq_len(n) - 1)
  if (score$label == "bge") {
    t <- score$iss_mu * (score$iss_w - n - 1) / (score$iss_mu + 1)
    scatter <- scatter + diag(t, n) +
      rows * score$iss_mu / (rows + score$iss_mu) * tcrossprod(means - score$nu)
    freedom <- score$iss_w + rows - n + seq_len(n) + 1
  }
  list(nodes = encoded$nodes, scatter = scatter, freedom = freedom,
       deviations = deviations_of(encoded, seq_len(n)), call = call)
}

effects_by_regression <- function(problem, cause, outcomes, sets, level) {
  parts <- lapply(sets$parents, coefficients_of_cause, problem = problem, cause = cause,
                  outcomes = outcomes)
  freedom <- vapply(parts, `[[`, 0, "freedom")
  # by outcome (row) and parent set
  together <- function(what) do.call(cbind, lapply(parts, `[[`, what))
  location <- together("location")
  scale <- together("scale")
  rows <- lapply(seq_along(outcomes), function(i) {
    effect <- regression_mixture(location[i, ], scale[i, ], freedom, sets$probability, level)
    ratio <- problem$deviations[cause] / problem$deviations[outcomes[i]]
    data.frame(from = cause, to = outcomes[i], effect, standardised = effect$effect * ratio)
  })
  list(effects = do.call(rbind, rows))
}

# The coefficient of the cause in the regression of each outcome on it and its parents: location
# and scale of Student's t. Of outcomes among the parents both are NA.
coefficients_of_cause <- function(parents, problem, cause, outcomes) {
  regressors <- c(cause, parents)
  freedom <- problem$freedom[length(regressors)]
  others <- !outcomes %in% parents
  location <- scale <- rep(NA_real_, length(outcomes))
  if (any(others)) {
    y <- outcomes[others]
    inverse <- inverse_scatter(problem, regressors)
    with_outcomes <- problem$scatter[regressors, y, drop = FALSE]
    coefficients <- inverse %*% with_outcomes
    whole <- diag(problem$scatter)[y]
    rest <- pmax(whole - colSums(with_outcomes * coefficients), least_rest * whole)
    location[others] <- coefficients[1L, ]
    scale[others] <- sqrt(rest * inverse[1L, 1L] / freedom)
  }
  list(location = location, scale = scale, freedom = freedom)
}

inverse_scatter <- function(problem, columns) {
  tryCatch(chol2inv(chol(problem$scatter[columns, columns, drop = FALSE])), error = function(e) {
    abort_optbn("data",
                c("Columns {.val {problem$nodes[columns]}} depend on each other linearly.",
                  x = "Which of them has an effect is not determined.",
                  i = "Leave one out, or take {.code score = \"bge\"}, whose prior decides."),
                call = problem$call)
  })
}

# What rounding leaves of the variance of an outcome that its regressors determine.
least_rest <- 1e-14

regression_mixture <- function(location, scale, freedom, probability, level) {
  mixture_of_sets(probability, location, is.na(location), function(there, point_mass) {
    p <- probability[there]
    location <- location[there]
    scale <- scale[there]
    freedom <- freedom[there]
    reach <- scale * stats::qt(1 - (1 - level) / 4, freedom)
    mixture_interval(level, function(q) sum(p * stats::pt((q - location) / scale, freedom)),
                     point_mass, range(location - reach, location + reach, 0))
  })
}
