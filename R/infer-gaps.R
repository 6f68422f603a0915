# Rows with gaps, put to networks that are not compiled: conditional Gaussian ones, and those whose
# junction tree is too large, answer island by island; those of trees over continuous nodes cannot
# sum out.
#
# A node of which nothing is known, nor of any of its descendants, is *barren*: over its values its
# local model adds up to 1, whatever the others are, and can be left out (Shachter 1986,
# doi:10.1287/opre.34.6.871). The other nodes are those that are known or asked for, and their
# ancestors. A row has an answer where their local models lack no value.

gap_remedy <- c(
  paste("Networks of tables and linear regressions sum missing values out, trees over continuous",
        "nodes do not."),
  "Drop these rows, or ask {.fn approximate_query} about one at a time."
)

# `values`: coded columns by node. `asked`: the node that is predicted, or NULL. Rows that lack the
# same nodes are put to `ask(models, values, rows)` together: to the local models that are not
# barren, of these those in which the asked node appears. It returns a row for each of them. Rows
# without an answer are NA, and a message says so and gives the `remedy`.
answer_known_rows <- function(fit, values, rows, asked, ask, arg = "newdata",
                              remedy = gap_remedy) {
  missing <- matrix(as.logical(unlist(lapply(values, is.na), use.names = FALSE)), rows,
                    length(values))
  models <- if (is.null(asked)) fit$models else models_with(asked, fit$models)
  empty <- as.matrix(ask(models, lapply(values, `[`, 0L), 0L))
  answer <- empty[rep(NA_integer_, rows), , drop = FALSE]
  lacking <- vector("list", rows)
  for (alike in missing_patterns(missing)) {
    known <- union(asked, names(values)[!missing[alike[1L], ]])
    relevant <- models[names(models) %in% with_ancestors(known, fit$parents)]
    lacks <- setdiff(nodes_in(relevant), known)
    if (length(lacks)) {
      lacking[alike] <- list(lacks)
    } else {
      answer[alike, ] <- as.matrix(ask(relevant, lapply(values, `[`, alike), length(alike)))
    }
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
             rlang::set_names(remedy, rep("i", length(remedy)))))
}

has_gaps <- function(values) any(vapply(values, anyNA, NA))

# The network as it sums missing values out; NULL where none does.
compile_where_exact <- function(fit, call) {
  if (!has_exact_answers(fit)) return(NULL)
  tryCatch(compile_for(fit, call = call, conditioning = FALSE),
           optbn_error_memory = function(condition) NULL)
}

# Answers of networks of tables and regressions, conditional Gaussian ones too: exact, island by
# island of what is missing in a row (src/core/completion). NULL of other networks, and where a row
# lacks too many discrete values beside continuous ones. `ask(encoded, network, ..., host)`: of the
# core.
by_islands <- function(fit, values, rows, ask, call, ...) {
  if (!is_completable(fit)) return(NULL)
  encoded <- encoded_values(values[fit$nodes], fit$levels, rows)
  answer <- ask(encoded, network_for_core(fit$models, fit$levels), ..., quiet_host())
  if (inherits(answer, "core_failure") && answer$kind == "memory") return(NULL)
  call_core(answer, fit$nodes, call)
}

# As blanket_posterior() gives it. `values`: of all nodes but the asked one, which may be there.
posterior_by_islands <- function(fit, node, values, rows, type, call) {
  own <- values[[node]]
  levels <- fit$levels[[node]]
  values[[node]] <- if (is.null(levels)) rep(NA_real_, rows) else rep(NA_integer_, rows)
  answer <- by_islands(fit, values, rows, core_partial_posteriors, call,
                       match(node, fit$nodes), if (is.null(levels)) own %||% values[[node]] else 0)
  if (is.null(answer)) return(NULL)
  if (!is.null(levels)) return(`colnames<-`(answer, levels))
  if (type == "density") return(cbind(density = answer[, 3L]))
  data.frame(mean = answer[, 1L], sd = answer[, 2L])
}

models_with <- function(node, models) {
  Filter(function(model) node %in% c(model$node, model$parents), models)
}

# The names of all nodes that local models have to do with.
nodes_in <- function(models) {
  unique(unlist(lapply(models, function(model) c(model$node, model$parents)), use.names = FALSE))
}
