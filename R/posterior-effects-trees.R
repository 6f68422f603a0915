# Effects where some columns are continuous and some discrete, or where trees say how a column
# depends on others: the outcome is predicted by the optimal tree over the cause and its parents,
# row by row with the cause set, and the predictions are averaged over the rows.

# A continuous cause is set to its quartiles.
trees_for_effects <- function(encoded, score, call) {
  discrete <- is_discrete(encoded)
  labels <- labels_of_levels(encoded$levels)
  if (!is_local_score(score)) score <- complete_score(score_pcart(), encoded, call)
  weights <- encoded$weights %||% rep(1, encoded$rows)
  values <- Map(function(x, levels) {
    if (is.null(levels)) quartiles_of(x, weights) else seq_along(levels) - 1L
  }, encoded$columns, encoded$levels)
  count <- ifelse(discrete, lengths(encoded$levels), 1L)
  observed <- list(columns = set_names(encoded$columns, encoded$nodes),
                   levels = set_names(encoded$levels, encoded$nodes), weights = weights)
  list(encoded = encoded, call = call, observed = observed, score = score,
       prior = partition_prior(score, encoded$nodes), values = values,
       settings = Map(function(values, labels) labels %||% format(values, digits = 4, trim = TRUE),
                      values, labels),
       known = Map(function(x, values, levels) {
         if (is.null(levels)) 1:2 else which(values %in% x)
       }, encoded$columns, values, encoded$levels),
       cells = data.frame(node = rep(seq_along(count), count), share = rep(discrete, count),
                          label = unlist(lapply(labels, `%||%`, NA_character_)),
                          level = sequence(count)))
}

# The first and the third one; the range where they are equal.
quartiles_of <- function(x, weights) {
  order <- order(x)
  below <- cumsum(weights[order]) / sum(weights)
  at <- vapply(c(0.25, 0.75), function(p) x[order][which(below >= p)[1L]], 0)
  if (at[1L] < at[2L]) at else range(x)
}

effects_by_trees <- function(problem, cause, outcomes, sets, level) {
  found <- effects_of_settings(problem, adjusted_trees, cause, outcomes, sets, level)
  unit <- rep(1, nrow(found$effects))
  continuous <- !is_discrete(problem$encoded)[found$effects$to]
  unit[continuous] <- deviations_of(problem$encoded, found$effects$to[continuous])
  found$effects$standardised <- found$effects$effect / unit
  found
}

adjusted_trees <- function(parents, problem, cause) {
  nodes <- problem$encoded$nodes
  outcomes <- unique(problem$cells$node)
  regressors <- rep(list(character()), length(nodes))
  regressors[setdiff(outcomes, parents)] <- list(nodes[sort(c(cause, parents))])
  partitions <- find_partitions(set_names(regressors, nodes), problem$encoded, problem$score,
                                problem$call)
  r <- length(problem$values[[cause]])
  rows <- length(problem$observed$weights)
  asked <- observed_and_set(problem, cause, parents)
  estimates <- list(mean = matrix(0, r, nrow(problem$cells)),
                    covariance = array(0, c(r, r, nrow(problem$cells))))
  for (outcome in outcomes) {
    cells <- which(problem$cells$node == outcome)
    leaf <- matrix(find_region(partitions[[outcome]], asked, rows * (1L + r)), rows)
    model <- fit_regions(nodes[outcome], regressors[[outcome]], partitions[[outcome]], leaf[, 1L],
                         problem$observed, problem$prior, "bayes", "student")
    reached <- leaves_when_set(leaf[, -1L, drop = FALSE], length(model$n), problem)
    for (cell in cells) {
      leaves <- leaf_moments(model, problem$cells$level[cell], problem$prior)
      found <- moments_over_rows(reached, leaves, problem$observed$weights)
      estimates$mean[, cell] <- found$mean
      estimates$covariance[, , cell] <- found$covariance
    }
  }
  estimates
}

# The cause and its parents as observed, and below that with the cause at each of its settings.
observed_and_set <- function(problem, cause, parents) {
  columns <- problem$observed$columns[c(cause, parents)]
  values <- problem$values[[cause]]
  asked <- lapply(columns, rep, 1L + length(values))
  asked[[1L]] <- c(columns[[1L]], rep(values, each = length(columns[[1L]])))
  asked
}

# With the cause at each of its settings (column), the leaf that each row reaches, and the share of
# the rows that reach each leaf.
leaves_when_set <- function(leaf, leaves, problem) {
  weights <- problem$observed$weights
  share <- apply(leaf, 2L, count_configurations, leaves, weights) / sum(weights)
  list(leaf = leaf, share = matrix(share, leaves))
}

# By leaf, the posterior mean and variance of the probability of a level, or of the mean.
leaf_moments <- function(model, level, prior) {
  if (!is.null(model$levels)) {
    r <- length(model$levels)
    mean <- model$prob[level, ]
    return(list(mean = mean, variance = mean * (1 - mean) /
                  (model$n + r * leaf_alpha(prior, r, model$partition) + 1)))
  }
  # From Student's t of a new value, whose scale is wider by the spread of values about the mean.
  squared_scale <- model$scale^2 / (model$n + prior$a + 1)
  list(mean = model$location, variance = squared_scale * model$df / pmax(1, model$df - 2))
}

# Over rows, whose weights have a Dirichlet distribution (the Bayesian bootstrap), to first order in
# both variances.
moments_over_rows <- function(reached, leaves, weights) {
  predicted <- matrix(leaves$mean[reached$leaf], nrow(reached$leaf))
  mean <- drop(leaves$mean %*% reached$share)
  apart <- sqrt(weights) * (predicted - rep(mean, each = nrow(predicted)))
  list(mean = mean,
       covariance = crossprod(apart) / (sum(weights) * (sum(weights) + 1)) +
         crossprod(reached$share, leaves$variance * reached$share))
}
