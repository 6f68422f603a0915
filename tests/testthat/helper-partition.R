# Partitions and fits of trees and discretised tables, made by hand.

levels_axis <- function(levels, ordered = FALSE) {
  list(type = "levels", levels = levels, ordered = ordered)
}

dyadic_axis <- function(min, max, max_splits = 3) {
  list(type = "dyadic", range = c(min, max), max_splits = max_splits)
}

bins_axis <- function(...) list(type = "bins", cuts = c(...), bins = length(c(...)) + 1)

# A tree from nested nodes: split("x", cell, left, right) for a continuous
# parent, split("a", codes, left, right) for a discrete one, leaf().
leaf <- function(n = 0) list(n = n)

split_at <- function(variable, at, left = leaf(), right = leaf()) {
  list(variable = variable, at = at, left = left, right = right, n = left$n + right$n)
}

make_tree <- function(axes, root = leaf()) {
  nodes <- list()
  visit <- function(node) {
    row <- length(nodes) + 1L
    nodes[[row]] <<- list(variable = NA_character_, left = NA_integer_, right = NA_integer_,
                          cell = NA_integer_, cut = NA_real_, n = node$n, left_codes = NULL)
    if (is.null(node$variable)) return(row)
    nodes[[row]]$variable <<- node$variable
    axis <- axes[[node$variable]]
    if (axis$type == "levels") {
      nodes[[row]]$left_codes <<- as.integer(node$at)
    } else {
      nodes[[row]]$cell <<- as.integer(node$at)
      nodes[[row]]$cut <<- axis$range[1] + node$at / 2^axis$max_splits * diff(axis$range)
    }
    nodes[[row]]$left <<- visit(node$left)
    nodes[[row]]$right <<- visit(node$right)
    row
  }
  visit(root)
  column <- function(name, type) vapply(nodes, `[[`, type, name)
  table <- data.frame(variable = column("variable", ""), left = column("left", 0L),
                      right = column("right", 0L), cell = column("cell", 0L),
                      cut = column("cut", 0), n = column("n", 0))
  table$left_codes <- lapply(nodes, `[[`, "left_codes")
  new_dyadic_tree(axes, table)
}

# What score_pcart() has as defaults; `data`: the continuous columns standardise themselves.
default_prior <- function(data = NULL, ...) {
  continuous <- Filter(is.numeric, data)
  prior <- list(alpha = 0.5, iss = NULL, nu = 1, lambda = 1, mu = 0, a = 1,
                centre = vapply(continuous, mean, 0), spread = vapply(continuous, stats::sd, 0))
  utils::modifyList(prior, list(...))
}

as_observed <- function(data, weights = NULL) {
  encoded <- encode_data(data, weights)
  list(columns = rlang::set_names(encoded$columns, encoded$nodes),
       levels = rlang::set_names(encoded$levels, encoded$nodes),
       weights = if (is.null(encoded$weights)) rep(1, encoded$rows) else encoded$weights)
}

# One node of `data` given a partition of its parents.
fit_one <- function(node, partition, data, method = "bayes", leaf = "student", weights = NULL,
                    prior = default_prior(data)) {
  fit_partition(node, names(partition$axes), partition, as_observed(data, weights), prior, method,
                leaf)
}

# A fitted network of such nodes. `partitions`: one per node, named.
fit_all <- function(partitions, data, method = "bayes", leaf = "student") {
  nodes <- names(partitions)
  models <- Map(fit_one, nodes, partitions,
                MoreArgs = list(data = data, method = method, leaf = leaf))
  observed <- as_observed(data)
  structure(
    list(
      nodes = nodes, parents = lapply(models, `[[`, "parents"), models = models,
      levels = observed$levels[nodes], network = NULL, method = method, iss = 1, n = nrow(data),
      log_likelihood = vapply(models, function(model) {
        sum(local_log_density(model, observed$columns))
      }, 0),
      prototype = data[0L, , drop = FALSE]
    ),
    class = "optbn_fit"
  )
}
