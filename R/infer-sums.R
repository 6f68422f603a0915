# Few missing discrete values of networks that no other method sums out: trees over continuous
# nodes.
#
# The nodes that are not barren (R/infer-gaps.R) and not known fall apart into parts that no local
# model connects. A part whose nodes are all discrete, and have few configurations, is summed out by
# going through these.

# So many configurations at most, of the nodes of a part.
most_summed <- 4096

# The unknown nodes that local models connect with `start`, these included. `models`: those that are
# not barren.
connected_unknown <- function(start, models, unknown) {
  families <- lapply(models, function(model) c(model$node, model$parents))
  reached <- start
  repeat {
    touched <- vapply(families, function(family) any(family %in% reached), NA)
    more <- setdiff(intersect(unlist(families[touched]), unknown), reached)
    if (!length(more)) return(reached)
    reached <- c(reached, more)
  }
}

models_of <- function(nodes, models) {
  Filter(function(model) any(c(model$node, model$parents) %in% nodes), models)
}

is_summable <- function(nodes, levels) {
  !any(vapply(levels[nodes], is.null, NA)) && prod(lengths(levels[nodes])) <= most_summed
}

# f(values) for each configuration of discrete nodes, in which `values` has their codes.
over_configurations <- function(nodes, levels, values, rows, f) {
  codes <- expand.grid(lapply(levels[nodes], function(labels) seq_along(labels) - 1L))
  lapply(seq_len(max(1L, nrow(codes))), function(k) {
    for (node in nodes) values[[node]] <- rep(codes[[node]][k], rows)
    f(values)
  })
}

log_density_of <- function(models, values, rows) {
  Reduce(`+`, lapply(unname(models), local_log_density, values), numeric(rows))
}

# The log-density of rows that lack the same nodes; or the names of nodes that are too many to sum
# out. `models`: those that are not barren.
summed_log_density <- function(fit, models, values, rows, known) {
  unknown <- setdiff(nodes_in(models), known)
  total <- log_density_of(Filter(function(model) {
    !any(c(model$node, model$parents) %in% unknown)
  }, models), values, rows)
  while (length(unknown)) {
    part <- connected_unknown(unknown[1L], models, unknown)
    if (!is_summable(part, fit$levels)) return(part)
    own <- models_of(part, models)
    logs <- over_configurations(part, fit$levels, values, rows, function(values) {
      log_density_of(own, values, rows)
    })
    total <- total + log_sum_of_rows(matrix(unlist(logs), rows))
    unknown <- setdiff(unknown, part)
  }
  total
}

# The posterior of a node as blanket_posterior() has it, in rows that lack the same nodes; or the
# names of nodes that are too many.
summed_posterior <- function(fit, node, models, values, rows, known, type) {
  hidden <- connected_unknown(node, models, setdiff(nodes_in(models), known))
  hidden <- setdiff(hidden, node)
  levels <- fit$levels[[node]]
  discrete <- !is.null(levels)
  if (!is_summable(c(hidden, if (discrete) node), fit$levels) ||
        !discrete && !inherits(fit$models[[node]], "optbn_partition")) {
    return(hidden)
  }
  models <- models_of(c(node, hidden), models)
  factors <- models_with(node, models)
  others <- models[setdiff(names(models), names(factors))]
  parts <- over_configurations(hidden, fit$levels, values, rows, function(values) {
    around <- log_density_of(others, values, rows)
    if (discrete) {
      logs <- over_configurations(node, fit$levels, values, rows, function(values) {
        around + log_density_of(factors, values, rows)
      })
      return(list(log_weight = matrix(unlist(logs), rows)))
    }
    answer <- blanket_posterior(node, NULL, factors, values, rows, type)
    list(log_weight = around + posterior_pieces(node, factors, values, rows)$log_total,
         answer = as.matrix(answer))
  })
  if (discrete) return(posterior_of_parts(parts, rows, levels))
  mixed_answers(parts, rows, type)
}

posterior_of_parts <- function(parts, rows, levels) {
  logs <- lapply(parts, `[[`, "log_weight")
  sums <- vapply(seq_along(levels), function(k) {
    log_sum_of_rows(matrix(unlist(lapply(logs, function(x) x[, k])), rows))
  }, numeric(rows))
  sums <- matrix(sums, rows, dimnames = list(NULL, levels))
  exp(sums - log_sum_of_rows(sums))
}

# Densities, or means and standard deviations, of mixtures with a part for each configuration.
mixed_answers <- function(parts, rows, type) {
  logs <- matrix(unlist(lapply(parts, `[[`, "log_weight")), rows)
  weight <- exp(logs - log_sum_of_rows(logs))
  column <- function(k) {
    matrix(unlist(lapply(parts, function(part) part$answer[, k])), rows)
  }
  weighed <- function(x) rowSums(ifelse(weight > 0, weight * x, 0))
  if (type == "density") return(cbind(density = weighed(column(1L))))
  mean <- weighed(column(1L))
  cbind(mean = mean, sd = sqrt(weighed(column(2L)^2 + (column(1L) - mean)^2)))
}

# The joint posterior of discrete nodes of a network of trees, an array. `evidence`: one value a
# node.
query_by_sums <- function(fit, nodes, evidence, call) {
  known <- check_evidence(evidence, fit, call = call)
  known <- c(known, as.list(held_numbers(fit)))
  if (is.null(nodes)) abort_no_sums(fit, fit$nodes, call)
  nodes <- check_query_nodes(nodes, fit, known, call)
  models <- fit$models[with_ancestors(c(nodes, names(known)), fit$parents)]
  hidden <- connected_unknown(nodes, models, setdiff(nodes_in(models), names(known)))
  if (!is_summable(hidden, fit$levels)) abort_no_sums(fit, hidden, call)
  announce_outside(fit$models, known)
  labels <- fit$levels[nodes]
  own <- models_of(hidden, models)
  others <- setdiff(hidden, nodes)
  logs <- over_configurations(nodes, fit$levels, known, 1L, function(values) {
    log_sum_of_rows(matrix(unlist(over_configurations(others, fit$levels, values, 1L,
                                                      function(values) {
      log_density_of(own, values, 1L)
    })), 1L))
  })
  logs <- unlist(logs)
  largest <- max(logs)
  if (largest == -Inf) {
    abort_optbn("impossible",
                c("{.arg evidence} has probability 0.", i = "Leave some of it out."), call = call)
  }
  weight <- exp(logs - largest)
  posterior_table(weight / sum(weight), labels)
}

abort_no_sums <- function(fit, nodes, call) {
  continuous <- nodes[vapply(fit$levels[nodes], is.null, NA)]
  abort_optbn("data",
              c(paste("With trees over continuous nodes, exact queries need discrete nodes, with",
                      "few unknown nodes and no unknown continuous node around them."),
                x = if (length(continuous)) {
                  "Node{?s} {.val {continuous}} {?is/are} continuous and not known."
                } else {
                  paste("{cli::qty(nodes)}Nodes {.val {nodes}} have more than",
                        "{format_count(most_summed)} configurations together.")
                },
                i = "{.fn approximate_query} accepts every fitted network."),
              call = call)
}
