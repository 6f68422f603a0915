# Effects among continuous columns: coefficients of regressions, with Student's t distribution.

# What the regressions are made of: the scatter matrix of the posterior, its degrees of freedom
# for a regression of one column on k others (`freedom[k]`), and names.
#
# With BGe, the precision matrix of all n columns has a Wishart distribution with iss_w + N degrees
# of freedom and scatter matrix R (Geiger & Heckerman 2002; Kuipers, Moffa & Heckerman 2014), and
# the part of it for l = k + 1 columns that are marginal one with n - l fewer. With a flat prior, R
# is the centred matrix of sums of products, and a regression with intercept has N - l.
moments_for_effects <- function(encoded, score) {
  x <- do.call(cbind, encoded$columns)
  n <- ncol(x)
  weights <- encoded$weights %||% rep(1, nrow(x))
  rows <- encoded$total
  means <- colSums(weights * x) / rows
  centred <- sqrt(weights) * sweep(x, 2L, means)
  scatter <- crossprod(centred)
  deviations <- sqrt(diag(scatter) / rows)
  if (score$label != "bge") {
    return(list(scatter = scatter, freedom = pmax(1, rows - seq_len(n) - 1),
                deviations = deviations))
  }
  t <- score$iss_mu * (score$iss_w - n - 1) / (score$iss_mu + 1)
  apart <- means - score$nu
  scatter <- scatter + diag(t, n) +
    rows * score$iss_mu / (rows + score$iss_mu) * tcrossprod(apart)
  list(scatter = scatter, freedom = score$iss_w + rows - n + seq_len(n) + 1,
       deviations = deviations)
}

effects_by_regression <- function(problem, cause, outcomes, sets, level) {
  parts <- lapply(sets$parents, coefficients_of_cause, problem = problem, cause = cause,
                  outcomes = outcomes)
  freedom <- vapply(parts, `[[`, 0, "freedom")
  location <- vapply(parts, `[[`, outcomes + 0, "location")
  scale <- vapply(parts, `[[`, outcomes + 0, "scale")
  rows <- lapply(seq_along(outcomes), function(i) {
    effect <- regression_mixture(matrix(location, length(outcomes))[i, ],
                                 matrix(scale, length(outcomes))[i, ],
                                 freedom, sets$probability, level)
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
    inverse <- chol2inv(chol(problem$scatter[regressors, regressors, drop = FALSE]))
    with_outcomes <- problem$scatter[regressors, y, drop = FALSE]
    coefficients <- inverse %*% with_outcomes
    whole <- diag(problem$scatter)[y]
    rest <- pmax(whole - colSums(with_outcomes * coefficients), least_rest * whole)
    location[others] <- coefficients[1L, ]
    scale[others] <- sqrt(rest * inverse[1L, 1L] / freedom)
  }
  list(location = location, scale = scale, freedom = freedom)
}

# What rounding leaves of the variance of an outcome that its regressors determine.
least_rest <- 1e-14

regression_mixture <- function(location, scale, freedom, probability, level) {
  none <- is.na(location)
  point_mass <- sum(probability[none])
  if (all(none)) return(data.frame(effect = 0, lower = 0, upper = 0, no_effect = point_mass))
  p <- probability[!none]
  location <- location[!none]
  scale <- scale[!none]
  freedom <- freedom[!none]
  distribution <- function(q) sum(p * stats::pt((q - location) / scale, freedom))
  reach <- scale * stats::qt(1 - (1 - level) / 4, freedom)
  support <- range(location - reach, location + reach, 0)
  interval <- mixture_interval(level, distribution, point_mass, support)
  data.frame(effect = sum(p * location), lower = interval[1L], upper = interval[2L],
             no_effect = point_mass)
}
