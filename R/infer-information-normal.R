# Continuous nodes in measures of information: their expected entropies and squared residuals.
#
# Given the discrete nodes that the regressions above some continuous nodes depend on, these nodes
# are a linear Gaussian network: x = m + sum_k w_k e_k over independent standard normal disturbances
# e_k. So is the residual r of a family of another network, and E r^2 = m_r^2 + sum_k w_kr^2: sums
# of squares, as in R/infer-gaussian-joint.R, never differences. Moments are matrices [m, w] with a
# row for each configuration of the discrete nodes.

# The expected entropy of continuous nodes given all discrete ones. `above`: see normal_part().
normal_entropy <- function(model, above, nodes, call) {
  size <- length(above$continuous)
  log_volume <- expected_over_configurations(model, above, call, function(moments, levels) {
    vapply(seq_len(nrow(levels)), function(k) {
      log_volume(matrix(vapply(moments[nodes], function(x) x[k, -1L], numeric(size)), size))
    }, 0)
  })
  log_volume + length(nodes) * (1 + log(2 * pi)) / 2
}

# Half the log-determinant of S'S.
log_volume <- function(factor) {
  split <- split_disturbances(factor)
  sum(log(abs(diag(split$triangle))), log(split$unit))
}

# ---- squared residuals --------------------------------------------------------------------------

# The continuous nodes on which some depend, themselves included, parents first; and the discrete
# nodes on which all of these do.
normal_part <- function(model, nodes) {
  regressions <- model$regressions
  above <- with_ancestors(nodes, lapply(regressions, `[[`, "continuous"))
  continuous <- intersect(names(regressions), above)
  discrete <- unlist(lapply(regressions[continuous], function(x) names(x$levels)))
  list(continuous = continuous, discrete = intersect(model$nodes, discrete))
}

# The sum over all regressions of q of the expected square of the residual in units of its
# standard deviation, less 1, what it is under the regression itself. Those that depend on the same
# discrete nodes are worked on together.
expected_excess <- function(model, regressions, progress, call) {
  if (!length(regressions)) return(0)
  report <- progress_bar(progress, "Averaging regressions", length(regressions))
  families <- Map(c, names(regressions), lapply(regressions, `[[`, "continuous"))
  discrete <- Map(function(family, regression) {
    of_both <- c(normal_part(model, family)$discrete, names(regression$levels))
    intersect(model$nodes, of_both)
  }, families, regressions)
  keys <- vapply(discrete, rlang::hash, "")
  sums <- vapply(split(names(regressions), keys), function(nodes) {
    above <- list(continuous = normal_part(model, unlist(families[nodes]))$continuous,
                  discrete = discrete[[nodes[1L]]])
    if (prod(lengths(model$levels[above$discrete])) > most_enumerated) {
      return(sum(vapply(nodes, function(node) {
        one <- excess_by_elimination(node, families[[node]], regressions[[node]], model, call)
        report()
        one
      }, 0)))
    }
    total <- expected_over_configurations(model, above, call, function(moments, levels) {
      Reduce(`+`, lapply(nodes, function(node) {
        excess_square(node, regressions[[node]], moments, levels)
      }))
    })
    report(length(nodes))
    total
  }, 0)
  sum(sums)
}

excess_by_elimination <- function(node, family, regression, model, call) {
  state <- eliminated_moments(model, family, names(regression$levels), call)
  sum(state$probability * excess_square(node, regression, state$moments, state$levels))
}

excess_square <- function(node, regression, moments, levels) {
  column <- configuration_of(regression, levels)
  own <- moments[[node]]
  residual <- own - explained(regression, column, moments, ncol(own))
  rowSums((residual / regression$sd[column])^2) - 1
}

# The expectation of f(moments, levels), which returns a number for each configuration of the
# discrete nodes of `above` (a row of `levels`, numbers from 1). `moments`: by continuous node of
# `above` a matrix with a row per configuration, the mean and then the weights w_k of the
# disturbances.
expected_over_configurations <- function(model, above, call, f) {
  nodes <- above$discrete
  sizes <- lengths(model$levels[nodes])
  check_configurations(nodes, prod(sizes), above$continuous, most_enumerated, call)
  probability <- if (length(nodes)) joint_of(model, nodes, call) else 1
  possible <- which(probability > 0)
  regressions <- model$regressions[above$continuous]
  # so many at a time that the moments are some ten million numbers
  together <- ceiling(1e7 / (length(regressions) + 1)^2)
  parts <- split(possible, (seq_along(possible) - 1) %/% together)
  sum(vapply(parts, function(cells) {
    levels <- if (length(nodes)) arrayInd(cells, sizes) else matrix(0L, 1L, 0L)
    colnames(levels) <- nodes
    sum(probability[cells] * f(moments_of(regressions, levels), levels))
  }, 0))
}

most_enumerated <- 1e6

check_configurations <- function(nodes, count, continuous, most, call) {
  if (count <= most) return(invisible())
  abort_optbn("memory",
              c(paste("At most {format_count(most)} configurations of discrete",
                      "nodes are enumerated."),
                x = paste("The distribution of {first_few(continuous)} depends on {length(nodes)}",
                          "nodes with {format_count(count)} configurations: {first_few(nodes)}."),
                i = "Merge levels, or learn with a smaller {.arg max_parents}."),
              call = call, needed = count, limit = most)
}

moments_of <- function(regressions, levels) {
  moments <- list()
  for (i in seq_along(regressions)) {
    moments[[names(regressions)[i]]] <-
      disturbed(regressions[[i]], levels, moments, i + 1L, length(regressions) + 1L)
  }
  moments
}

# Moments of a node whose own disturbance has this column, of `size`.
disturbed <- function(regression, levels, moments, own, size) {
  column <- configuration_of(regression, levels)
  moments_of_node <- explained(regression, column, moments, size)
  moments_of_node[, own] <- regression$sd[column]
  moments_of_node
}

# Column of the coefficients for each row of `levels`.
configuration_of <- function(regression, levels) {
  parents <- as.character(names(regression$levels))
  codes <- lapply(set_names(parents), function(parent) levels[, parent] - 1)
  cell_index(codes, lengths(regression$levels), nrow(levels))
}

# Intercept and parents' part of a node, as moments.
explained <- function(regression, column, moments, size) {
  part <- matrix(0, length(column), size)
  part[, 1L] <- regression$coefficients[1L, column]
  for (parent in regression$continuous) {
    part <- part + regression$coefficients[parent, column] * moments[[parent]]
  }
  part
}

# ---- moments where the configurations are too many ----------------------------------------------
#
# Means and covariances given few discrete nodes do not take all configurations of those that the
# continuous nodes depend on. The regressions are gone through, parents first, with a *state*: what
# is expected of the continuous nodes that are still needed, given some discrete ones. A discrete
# node enters the state when a regression needs it, and leaves when none does any more and it is
# independent, given the others of the state, of all that are still to enter: then the moments given
# the others are means over its levels, as in Lauritzen's (1992) weak marginals. A covariance that
# is a mean of several keeps its form as a sum of squares,
#   sum_z w_z (C_z C_z' + (m_z - m)(m_z - m)') = C C',  C = [sqrt(w_z) C_z, sqrt(w_z) (m_z - m)]_z,
# and C gets as many columns as rows by an orthogonal transformation.

# The state of the continuous nodes of `family` given the discrete ones of `kept`: `discrete`,
# `levels`, `probability`, and `moments` as moments_of() returns them.
eliminated_moments <- function(model, family, kept, call) {
  waiting <- model$regressions[normal_part(model, family)$continuous]
  state <- list(discrete = character(), levels = matrix(0L, 1L, 0L), probability = 1,
                moments = list())
  while (length(waiting)) {
    node <- next_regression(model, state, waiting)
    state <- enter_discrete(model, state, names(waiting[[node]]$levels), call)
    state <- enter_continuous(model, state, node, waiting[[node]], call)
    waiting[[node]] <- NULL
    needed <- c(family, unlist(lapply(waiting, `[[`, "continuous")))
    state$moments <- state$moments[names(state$moments) %in% needed]
    state <- leave_discrete(model, state, c(kept, discrete_parents(waiting)))
  }
  state <- enter_discrete(model, state, kept, call)
  leave_discrete(model, state, kept)
}

discrete_parents <- function(regressions) {
  unlist(lapply(unname(regressions), function(x) names(x$levels)))
}

# The name of one whose parents are not waiting: first those with the longest way to the last ones,
# then that after which the state has the fewest configurations.
next_regression <- function(model, state, waiting) {
  ready <- Filter(function(x) !any(x$continuous %in% names(waiting)), waiting)
  sizes <- vapply(ready, function(x) {
    prod(lengths(model$levels[union(state$discrete, names(x$levels))]))
  }, 0)
  names(ready)[order(-arcs_below(waiting)[names(ready)], sizes)[1L]]
}

# The arcs of the longest path from each node on; parents come first.
arcs_below <- function(regressions) {
  below <- set_names(numeric(length(regressions)), names(regressions))
  for (node in rev(names(regressions))) {
    above <- intersect(regressions[[node]]$continuous, names(below))
    below[above] <- pmax(below[above], below[[node]] + 1)
  }
  below
}

enter_discrete <- function(model, state, nodes, call) {
  nodes <- union(state$discrete, nodes)
  if (length(nodes) == length(state$discrete)) return(state)
  sizes <- lengths(model$levels[nodes])
  check_configurations(nodes, prod(sizes), names(state$moments), 10 * most_enumerated, call)
  probability <- joint_of(model, nodes, call)
  levels <- arrayInd(which(probability > 0), sizes)
  colnames(levels) <- nodes
  row <- match(row_numbers(levels[, state$discrete, drop = FALSE], sizes),
               row_numbers(state$levels, sizes))
  list(discrete = nodes, levels = levels, probability = as.vector(probability[probability > 0]),
       moments = lapply(state$moments, function(x) x[row, , drop = FALSE]))
}

# A number for each row of levels of some nodes, the first nodes of `sizes`.
row_numbers <- function(levels, sizes) {
  strides <- cumprod(c(1, sizes))[seq_len(ncol(levels))]
  as.vector((levels - 1) %*% strides)
}

enter_continuous <- function(model, state, node, regression, call) {
  size <- if (length(state$moments)) ncol(state$moments[[1L]]) + 1L else 2L
  require_memory(8 * 3 * nrow(state$levels) * (length(state$moments) + 1) * size,
                 model$joint$memory_limit, "Merge levels", call = call)
  state$moments <- lapply(state$moments, cbind, 0)
  state$moments[[node]] <- disturbed(regression, state$levels, state$moments, size, size)
  state
}

# Takes all discrete nodes out of the state but those that are `needed` and those of which nodes
# that are still to enter are not independent.
leave_discrete <- function(model, state, needed) {
  later <- setdiff(needed, state$discrete)
  for (node in setdiff(state$discrete, needed)) {
    others <- setdiff(state$discrete, node)
    if (are_separated(node, later, others, model$parents)) state <- mean_over(state, node)
  }
  state
}

# Is a node independent of others given some, by the structure: are they apart in the moral graph
# of the ancestors once the given nodes are taken out?
are_separated <- function(node, others, given, parents) {
  families <- Map(c, names(parents), parents)[with_ancestors(c(node, others, given), parents)]
  reached <- node
  repeat {
    touched <- vapply(families, function(family) any(family %in% reached), NA)
    more <- setdiff(unlist(families[touched]), c(reached, given))
    if (any(more %in% others)) return(FALSE)
    if (!length(more)) return(TRUE)
    reached <- c(reached, more)
  }
}

mean_over <- function(state, node) {
  others <- setdiff(state$discrete, node)
  sizes <- vapply(others, function(other) max(state$levels[, other]), 0L)
  number <- row_numbers(state$levels[, others, drop = FALSE], sizes)
  first <- which(!duplicated(number))
  group <- match(number, number[first])
  probability <- as.vector(rowsum(state$probability, group))
  weight <- state$probability / probability[group]
  level <- match(state$levels[, node], unique(state$levels[, node]))
  list(
    discrete = others, levels = state$levels[first, others, drop = FALSE],
    probability = probability,
    moments = as_triangle(lapply(state$moments, mean_of_moments, weight, group, level))
  )
}

# The matrix [m, C] of one node, see above; `group`: the row of each row in the result.
mean_of_moments <- function(moments, weight, group, level) {
  mean <- as.vector(rowsum(weight * moments[, 1L], group))
  moments[, 1L] <- moments[, 1L] - mean[group]
  moments <- sqrt(weight) * moments
  blocks <- lapply(seq_len(max(level)), function(z) {
    block <- matrix(0, length(mean), ncol(moments))
    block[group[level == z], ] <- moments[level == z, ]
    block
  })
  do.call(cbind, c(list(mean), blocks))
}

# The same moments with one column for each node, by Gram-Schmidt in all rows at once: what a node
# has in the direction of the first, what is left of it in that of the second, and so on.
as_triangle <- function(moments) {
  left <- lapply(moments, function(x) x[, -1L, drop = FALSE])
  found <- lapply(moments, function(x) x[, 1L, drop = FALSE])
  for (i in seq_along(left)) {
    length <- sqrt(rowSums(left[[i]]^2))
    direction <- left[[i]] / ifelse(length > 0, length, 1)
    for (j in seq_along(left)) {
      along <- if (j < i) 0 * length else rowSums(left[[j]] * direction)
      found[[j]] <- cbind(found[[j]], along)
      if (j > i) left[[j]] <- left[[j]] - along * direction
    }
  }
  lapply(found, unname)
}
