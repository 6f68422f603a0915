# What is missing in rows, node by node, for networks that sum nothing out: trees over continuous
# nodes.
#
# A sweep goes through the nodes, parents first, and gives each of them, in the rows that lack it, a
# value by its exact posterior given all others of the row: a draw from it (Gibbs sampling; Geman &
# Geman 1984, doi:10.1109/TPAMI.1984.4767596), or the value of largest density (iterated conditional
# modes; Besag 1986, doi:10.1111/j.2517-6161.1986.tb01412.x).

# By node, parents first, the rows that lack it; nodes that no row lacks are left out.
rows_lacking <- function(values, parents) {
  order <- topological_order(unname(lapply(parents, match, names(parents))))
  missing <- lapply(values[names(parents)[order]], function(column) which(is.na(column)))
  missing[lengths(missing) > 0L]
}

# `model`: local models (`models`) and `levels` by node. `choose`: draw_value(), draw_alike() or
# peak_value(). `alone`: by what the parents say, and not the children, which may lack values still.
# Where nothing is possible, the value stays.
sweep_rows <- function(model, values, open, choose, alone = FALSE) {
  for (node in names(open)) {
    at <- open[[node]]
    factors <- if (alone) model$models[node] else models_with(node, model$models)
    around <- lapply(values[nodes_in(factors)], `[`, at)
    found <- choose(node, model$levels[[node]], factors, around, length(at))
    possible <- !is.na(found)
    values[[node]][at[possible]] <- found[possible]
  }
  values
}

# One coded value a row; NA where the others are impossible. `uniform`: gives as many numbers
# between 0 and 1 as it is asked for.
draw_value <- function(node, levels, factors, values, rows, uniform = stats::runif) {
  if (is.null(levels)) {
    return(partition_posterior_quantiles(node, factors, values, rows, uniform(rows)))
  }
  codes_at(missing_posterior(node, levels, factors, values, rows), uniform(rows))
}

# The same random number in all rows: what a row gets does not depend on the others.
draw_alike <- function(node, levels, factors, values, rows) {
  draw_value(node, levels, factors, values, rows, function(n) rep(stats::runif(1L), n))
}

peak_value <- function(node, levels, factors, values, rows) {
  if (is.null(levels)) return(partition_posterior_peaks(node, factors, values, rows))
  first_largest(missing_posterior(node, levels, factors, values, rows)) - 1L
}

# Of a discrete node that is missing, which has no level NA if it may have another.
missing_posterior <- function(node, levels, factors, values, rows) {
  posterior <- discrete_posterior(node, levels, factors, values, rows)
  never <- is.na(levels)
  if (!any(never) || all(never)) return(posterior)
  posterior[, never] <- 0
  posterior / rowSums(posterior)
}
