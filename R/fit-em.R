# Expectation maximisation: the parameters of a network from rows with missing values.
#
# The core takes expectations and maximises (src/core/completion); here networks and columns go in,
# continuous ones standardised, and local models come out.

# Standardised numbers know no other scale: a variance below this is one of rounding.
least_em_variance <- 1e-8

most_em_iterations <- 1000

# `begin`: complete rows, encoded, from which the parameters begin; NULL for those that know a
# family.
fit_by_em <- function(structure, network, encoded, local, iss, tolerance, progress, prototype,
                      call, begin = NULL) {
  refuse_rows_elsewhere(encoded, call)
  nodes <- structure$nodes
  parents <- parent_names(structure)
  scaled <- standardised(encoded_columns(encoded, nodes))
  known <- if (is.null(begin)) scaled else standardised_as(encoded_columns(begin, nodes), scaled)
  start <- Map(starting_model, nodes, parents, list(known), list(call))
  if (!is.null(local)) start <- Map(tied_start, start, local$partitions)
  how <- estimation_of(start, scaled, local, iss)
  how$tolerance <- tolerance
  how$iterations <- most_em_iterations
  host <- host_options(1L, Inf, progress, "Expectation maximisation", seed = no_seed)
  found <- call_core(
    core_expectation_maximisation(scaled, network_for_core(start, scaled$levels), how, host),
    nodes, call
  )
  models <- Map(model_from_core, start, found$nodes, how$fixed, list(scaled), iss == 0)
  if (!is.null(local)) models <- Map(with_partition, models, local$partitions, found$nodes)
  announce_remarks(models)
  rescaled <- log_likelihood_of_scale(scaled)
  structure(
    list(
      nodes = nodes, parents = parents, models = set_names(models, nodes),
      levels = set_names(encoded$levels, encoded$nodes)[nodes], network = network,
      method = "em", iss = if (is.null(local)) iss, score = local$score, n = encoded$total,
      log_likelihood = vapply(found$nodes, `[[`, 0, "log_density") -
        encoded$total * log(scaled$spread),
      prototype = prototype,
      em = list(
        trace = data.frame(log_likelihood = found$log_likelihood + rescaled,
                           objective = found$objective + rescaled),
        converged = found$converged, missing = count_missing(scaled)
      )
    ),
    class = "optbn_fit"
  )
}

refuse_rows_elsewhere <- function(encoded, call) {
  if (is.null(encoded$source)) return(invisible())
  abort_optbn("data",
              c("Expectation maximisation needs the rows of {.arg data}, which are not in memory.",
                i = "Raise {.arg memory_limit} to fetch them, or take a sample of them."),
              call = call)
}

# Some columns of encoded data, in this order.
encoded_columns <- function(encoded, nodes) {
  columns <- match(nodes, encoded$nodes)
  for (part in c("nodes", "columns", "levels", "types", "holes")) {
    encoded[part] <- list(encoded[[part]][columns])
  }
  encoded
}

# Continuous columns with mean 0 and variance 1, `centre` and `spread` as they were; 0 and 1 of
# discrete ones.
standardised <- function(encoded) {
  weights <- encoded$weights %||% rep(1, encoded$rows)
  moments <- vapply(encoded$columns, function(column) {
    if (is.integer(column)) return(c(0, 1))
    known <- !is.na(column)
    centre <- stats::weighted.mean(column[known], weights[known])
    c(centre, sqrt(stats::weighted.mean((column[known] - centre)^2, weights[known])))
  }, numeric(2L))
  encoded$centre <- set_names(moments[1L, ], encoded$nodes)
  encoded$spread <- set_names(moments[2L, ], encoded$nodes)
  standardised_as(encoded, encoded)
}

# With the centres and spreads of others.
standardised_as <- function(encoded, scaled) {
  encoded[c("centre", "spread")] <- scaled[c("centre", "spread")]
  continuous <- which(!is_discrete(encoded))
  encoded$columns[continuous] <- Map(function(column, centre, spread) (column - centre) / spread,
                                     encoded$columns[continuous], encoded$centre[continuous],
                                     encoded$spread[continuous])
  encoded
}

# What standardising took from the log-likelihood of the known values.
log_likelihood_of_scale <- function(scaled) {
  weights <- scaled$weights %||% rep(1, scaled$rows)
  known <- vapply(scaled$columns, function(column) sum(weights[!is.na(column)]), 0)
  -sum(known * log(scaled$spread))
}

count_missing <- function(encoded) {
  weights <- encoded$weights %||% rep(1, encoded$rows)
  sum(vapply(encoded$columns, function(column) sum(weights[is.na(column)]), 0))
}

# From the rows that know a family. One imaginary row keeps every event possible.
starting_model <- function(node, parents, scaled, call) {
  observed <- known_family(node, parents, scaled)
  few <- sum(observed$weights) <= length(parents) + 1
  if (is.null(observed$levels[[node]]) && few) return(standard_normal(node, parents, observed))
  with_least_variance(fit_local_model(node, parents, observed, iss = 1, call))
}

# As maximisation has it, or the first iteration would lower the likelihood, and be the last.
with_least_variance <- function(model) {
  if (inherits(model, "optbn_regression")) model$sd <- pmax(model$sd, sqrt(least_em_variance))
  model
}

known_family <- function(node, parents, scaled) {
  columns <- set_names(scaled$columns, scaled$nodes)[c(node, parents)]
  rows <- which(stats::complete.cases(as.data.frame(columns)))
  list(columns = lapply(columns, `[`, rows),
       levels = set_names(scaled$levels, scaled$nodes),
       weights = (scaled$weights %||% rep(1, scaled$rows))[rows])
}

# Of a node that too few rows know together with its parents.
standard_normal <- function(node, parents, observed) {
  discrete <- parents[!vapply(observed$levels[parents], is.null, NA)]
  continuous <- setdiff(parents, discrete)
  labels <- observed$levels[discrete]
  q <- prod(lengths(labels))
  coefficients <- matrix(0, length(continuous) + 1L, q,
                         dimnames = list(c("(Intercept)", continuous), seq_len(q) - 1L))
  new_regression(node, parents, labels, continuous, coefficients,
                 set_names(rep(1, q), seq_len(q) - 1L),
                 c(pooled = 0, aliased = 0, exact = 0))
}

# How the core estimates (src/core/completion/family_statistics.h): imaginary rows and regions of
# tables; regressions that too few rows know keep the one of all rows.
estimation_of <- function(start, scaled, local, iss) {
  tables <- vapply(start, inherits, NA, "optbn_table")
  partitions <- local$partitions
  list(
    imaginary = unname(Map(function(model, partition) {
      if (!inherits(model, "optbn_table")) return(numeric(length(model$sd)))
      q <- prod(dim(model$prob)[-1L])
      if (is.null(partition)) return(rep(iss / length(model$prob), q))
      alpha <- leaf_alpha(local$prior, dim(model$prob)[1L], partition)
      region <- region_of_configurations(partition)
      (alpha / tabulate(region, length(alpha)))[region]
    }, start, partitions %||% vector("list", length(start)))),
    region = unname(lapply(seq_along(start), function(i) {
      if (is.null(partitions)) integer() else region_of_configurations(partitions[[i]]) - 1L
    })),
    least_variance = ifelse(tables, 0, least_em_variance),
    fixed = unname(Map(function(model) {
      if (inherits(model, "optbn_table")) return(logical(prod(dim(model$prob)[-1L])))
      configurations_known_by_few(model, scaled)
    }, start))
  )
}

# A table whose configurations have one distribution in each region, the mean.
tied_start <- function(model, partition) {
  region <- region_of_configurations(partition)
  means <- rowsum(t(as_columns(model)), region) / tabulate(region)
  model$prob[] <- t(means)[, region]
  model
}

configurations_known_by_few <- function(model, scaled) {
  observed <- known_family(model$node, model$parents, scaled)
  index <- cell_index(observed$columns, lengths(model$levels), length(observed$weights))
  known <- count_configurations(index, length(model$sd), observed$weights)
  length(model$sd) > 1L & known <= nrow(model$coefficients)
}

# ---- networks for the core ----------------------------------------------------------------------

# Parameters of tables and regressions as src/core/completion/mixed_network.h has them.
network_for_core <- function(models, levels) {
  nodes <- names(models)
  list(levels = unname(lengths(levels)),
       nodes = unname(lapply(models, function(model) {
         number <- function(names) match(names, nodes)
         if (inherits(model, "optbn_regression")) {
           return(list(discrete = number(names(model$levels)),
                       continuous = number(model$continuous),
                       coefficients = as.vector(model$coefficients),
                       variance = unname(model$sd)^2))
         }
         list(discrete = number(model$parents), continuous = integer(),
              table = as.vector(local_table(model)))
       })))
}

# `found`: what the core has made of the standardised model.
model_from_core <- function(model, found, fixed, scaled, is_likeliest) {
  if (inherits(model, "optbn_table")) {
    rows <- colSums(matrix(found$counts, dim(model$prob)[1L]))
    labels <- set_names(scaled$levels, scaled$nodes)[c(model$node, model$parents)]
    unseen <- if (is_likeliest) sum(rows < 1e-8) else 0L # else what the prior says anyway
    return(new_table(model$node, model$parents, labels, found$table, unseen))
  }
  coefficients <- model$coefficients
  coefficients[] <- found$coefficients
  spread <- scaled$spread[[model$node]]
  slopes <- coefficients[-1L, , drop = FALSE] * (spread / scaled$spread[model$continuous])
  shift <- colSums(slopes * scaled$centre[model$continuous])
  coefficients[-1L, ] <- slopes
  coefficients[1L, ] <- scaled$centre[[model$node]] + spread * coefficients[1L, ] - shift
  sd <- model$sd
  sd[] <- spread * sqrt(found$variance)
  new_regression(model$node, model$parents, model$levels, model$continuous, coefficients, sd,
                 c(pooled = sum(fixed), aliased = 0,
                   exact = sum(found$variance <= least_em_variance)))
}

# A table whose configurations have one distribution in each region, as a model of regions.
with_partition <- function(model, partition, found) {
  region <- region_of_configurations(partition)
  first <- match(seq_len(count_regions(partition)), region)
  levels <- dimnames(model$prob)[[1L]]
  counts <- matrix(found$counts, length(levels))
  n <- as.vector(rowsum(colSums(counts), factor(region, seq_along(first))))
  prob <- matrix(found$table, length(levels))[, first, drop = FALSE]
  dimnames(prob) <- list(levels, NULL)
  structure(
    list(node = model$node, parents = model$parents, levels = levels, partition = partition, n = n,
         prob = prob, remarks = c(empty = sum(n < 1e-8))),
    class = c(if (inherits(partition, "optbn_dyadic_tree")) "optbn_tree" else "optbn_binned",
              "optbn_partition", "optbn_local")
  )
}
