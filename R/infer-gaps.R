# Rows with gaps, put to networks that are not compiled: conditional Gaussian ones, and those whose
# junction tree is too large, answer island by island; those of trees over continuous nodes sum out
# few discrete nodes (R/infer-sums.R).
#
# A node of which nothing is known, nor of any of its descendants, is *barren*: over its values its
# local model adds up to 1, whatever the others are, and can be left out (Shachter 1986,
# doi:10.1287/opre.34.6.871). The other nodes are those that are known or asked for, and their
# ancestors. A row has an answer where their local models lack no value.

gap_remedy <- c(
  paste("Networks of tables and linear regressions can sum over missing values; networks of trees",
        "over continuous nodes can sum over few discrete ones only."),
  "Drop these rows, or use {.fn approximate_query} for one at a time."
)

# `values`: coded columns by node. `asked`: the node that is predicted, or NULL. Rows that lack the
# same nodes are put to `ask(models, values, rows)` together: to the local models that are not
# barren, of these those in which the asked node appears. It returns a row for each of them. Where
# they lack more, they are put to `sum_out(models, values, rows, known)`, which returns the names of
# the nodes that are missing if it has no answer (R/infer-sums.R). Rows without an answer are NA,
# and a message says so and gives the `remedy`.
answer_known_rows <- function(fit, values, rows, asked, ask, arg = "newdata", remedy = gap_remedy,
                              sum_out = NULL) {
  missing <- matrix(as.logical(unlist(lapply(values, is.na), use.names = FALSE)), rows,
                    length(values))
  models <- if (is.null(asked)) fit$models else models_with(asked, fit$models)
  empty <- as.matrix(ask(models, lapply(values, `[`, 0L), 0L))
  answer <- empty[rep(NA_integer_, rows), , drop = FALSE]
  lacking <- vector("list", rows)
  for (alike in missing_patterns(missing)) {
    known <- union(asked, names(values)[!missing[alike[1L], ]])
    counting <- fit$models[names(fit$models) %in% with_ancestors(known, fit$parents)]
    relevant <- models[names(models) %in% names(counting)]
    lacks <- setdiff(nodes_in(relevant), known)
    here <- lapply(values, `[`, alike)
    found <- if (!length(lacks)) {
      ask(relevant, here, length(alike))
    } else if (is.null(sum_out)) {
      lacks
    } else {
      sum_out(counting, here, length(alike), known)
    }
    if (is.character(found)) lacking[alike] <- list(found) else answer[alike, ] <- as.matrix(found)
  }
  announce_gaps(lacking, arg, remedy)
  answer
}

# `lacking`: for each row the names of nodes whose values it would take.
announce_gaps <- function(lacking, arg, remedy) {
  rows <- which(lengths(lacking) > 0L)
  n <- length(rows)
  if (n == 0L) return(invisible())
  first <- lacking[[rows[1L]]]
  announce(c("{n} row{?s} of {.arg {arg}} {cli::qty(n)}{?lacks/lack} values that an answer needs.",
             x = "The answer is NA, first in row {rows[1L]}, which lacks {.val {first}}.",
             set_names(remedy, rep("i", length(remedy)))))
}

has_gaps <- function(values) any(vapply(values, anyNA, NA))

# The network as it sums missing values out; NULL where none does.
compile_where_exact <- function(fit, call) {
  if (!has_exact_answers(fit)) return(NULL)
  tryCatch(compile_for(fit, call = call, conditioning = FALSE),
           optbn_error_memory = function(condition) NULL)
}

# Answers of networks of tables and regressions, conditional Gaussian ones too: exact, island by
# island of what is missing in a row (src/core/completion); where a row lacks too many discrete
# values beside continuous ones for that, row by row (src/core/mixed). A "core_failure" where that
# does not fit into the memory limit. `network`: as network_for_core() makes it. `together(encoded,
# network, ..., host)` and `singly(encoded, network, ..., limit, host)`: of the core.
rows_of_core <- function(network, levels, values, rows, limit, together, singly, ...,
                         call = parent.frame()) {
  encoded <- encoded_values(values[names(levels)], levels, rows)
  answer <- together(encoded, network, ..., quiet_host())
  if (is_memory_failure(answer)) answer <- singly(encoded, network, ..., limit, quiet_host())
  if (is_memory_failure(answer)) answer else call_core(answer, names(levels), call)
}

is_memory_failure <- function(answer) {
  inherits(answer, "core_failure") && answer$kind == "memory"
}

# As blanket_posterior() gives it. `values`: of all nodes but the asked one, which may be there.
posterior_of_rows <- function(network, levels, node, values, rows, type, limit,
                              call = parent.frame()) {
  own <- values[[node]]
  labels <- levels[[node]]
  values[[node]] <- if (is.null(labels)) rep(NA_real_, rows) else rep(NA_integer_, rows)
  answer <- rows_of_core(network, levels, values, rows, limit, core_partial_posteriors,
                         core_mixed_row_posteriors, match(node, names(levels)),
                         (if (type == "density") own) %||% rep(NA_real_, rows), call = call)
  if (is_memory_failure(answer)) return(answer)
  if (!is.null(labels)) return(`colnames<-`(answer, labels))
  if (type == "density") return(cbind(density = answer[, 3L]))
  data.frame(mean = answer[, 1L], sd = answer[, 2L])
}

# Of fitted networks; NULL of trees over continuous nodes, and where memory does not suffice.
log_densities_of_gaps <- function(fit, values, rows, call) {
  if (!is_completable(fit)) return(NULL)
  answer <- rows_of_core(network_for_core(fit$models, fit$levels), fit$levels[fit$nodes], values,
                         rows, check_memory_limit(NULL, call), core_partial_log_densities,
                         core_mixed_row_log_densities, call = call)
  if (!is_memory_failure(answer)) answer
}

posterior_of_gaps <- function(fit, node, values, rows, type, call) {
  if (!is_completable(fit)) return(NULL)
  answer <- posterior_of_rows(network_for_core(fit$models, fit$levels), fit$levels[fit$nodes], node,
                              values, rows, type, check_memory_limit(NULL, call), call = call)
  if (!is_memory_failure(answer)) answer
}

models_with <- function(node, models) {
  Filter(function(model) node %in% c(model$node, model$parents), models)
}

# The names of all nodes that local models have to do with.
nodes_in <- function(models) {
  unique(unlist(lapply(models, function(model) c(model$node, model$parents)), use.names = FALSE))
}
