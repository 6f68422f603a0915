# Gaussian networks with random regressions, and what their joint normal says by
# the textbook's formulas.

# `spreads`: powers of ten between which the standard deviations lie.
random_gaussian_fit <- function(n = 6L, density = 0.5, spreads = c(-0.5, 0.5)) {
  nodes <- node_names(n)
  parents <- lapply(random_parents(n, density), function(p) nodes[p])
  models <- Map(function(node, parents) {
    coefficients <- matrix(stats::rnorm(1 + length(parents)), ncol = 1L,
                           dimnames = list(c("(Intercept)", parents), "0"))
    structure(
      list(node = node, parents = parents, levels = list(), continuous = parents,
           coefficients = coefficients, sd = c(`0` = 10^stats::runif(1, spreads[1], spreads[2])),
           remarks = integer()),
      class = c("optbn_regression", "optbn_local")
    )
  }, nodes, parents)
  gaussian_fit(nodes, models)
}

gaussian_fit <- function(nodes, models) {
  structure(
    list(nodes = nodes, parents = lapply(models, `[[`, "parents"), models = models,
         levels = rlang::set_names(vector("list", length(nodes)), nodes), network = NULL,
         method = "mle", iss = NULL, n = 1,
         log_likelihood = rlang::set_names(numeric(length(nodes)), nodes),
         prototype = list2DF(rlang::set_names(rep(list(numeric()), length(nodes)), nodes))),
    class = "optbn_fit"
  )
}

# A network by hand. `slopes`: by node, named by its parents.
gaussian_network_of <- function(spread, slopes = list(), intercept = numeric(length(spread))) {
  nodes <- names(spread)
  slopes <- rlang::set_names(slopes[nodes], nodes)
  compile_gaussian(
    linear_network(nodes, lapply(unname(slopes), function(b) match(names(b), nodes)),
                   lapply(unname(slopes), function(b) as.numeric(unname(b))), unname(intercept),
                   unname(spread)),
    NULL, Inf
  )
}

joint_moments <- function(fit) {
  n <- length(fit$nodes)
  slopes <- matrix(0, n, n, dimnames = list(fit$nodes, fit$nodes))
  for (model in fit$models) slopes[model$continuous, model$node] <- model$coefficients[-1L, 1L]
  paths <- solve(diag(n) - slopes)
  intercept <- vapply(fit$models, function(model) model$coefficients[1L, 1L], 0)
  variance <- vapply(fit$models, `[[`, 0, "sd")^2
  list(mean = (intercept %*% paths)[1L, ], covariance = t(paths) %*% (variance * paths))
}

# Mean and covariance of `asked` given `evidence`, a named vector.
condition_moments <- function(moments, asked, evidence) {
  known <- names(evidence)
  if (!length(known)) {
    return(list(mean = moments$mean[asked],
                covariance = moments$covariance[asked, asked, drop = FALSE]))
  }
  gain <- moments$covariance[asked, known, drop = FALSE] %*%
    solve(moments$covariance[known, known, drop = FALSE])
  list(
    mean = moments$mean[asked] + (gain %*% (evidence - moments$mean[known]))[, 1L],
    covariance = moments$covariance[asked, asked, drop = FALSE] -
      gain %*% moments$covariance[known, asked, drop = FALSE]
  )
}

# The log-density of the values of some nodes, a named vector.
normal_log_density <- function(moments, values) {
  if (!length(values)) return(0)
  covariance <- moments$covariance[names(values), names(values), drop = FALSE]
  off <- values - moments$mean[names(values)]
  -(sum(off * solve(covariance, off)) + determinant(covariance)$modulus[1L] +
      length(values) * log(2 * pi)) / 2
}

# Puts gaps into a data frame.
with_random_gaps <- function(data, part = 0.3) {
  data[] <- lapply(data, function(column) {
    replace(column, stats::runif(length(column)) < part, NA)
  })
  data
}
