# Exact questions to conditional Gaussian networks: the class "optbn_compiled_mixed" and the verbs
# on it. The algebra is in src/core/mixed, and posteriors of continuous nodes are in
# infer-mixed-posterior.R, with what prints and summarizes them.

#' Exact Queries of Conditional Gaussian Networks
#'
#' In a conditional Gaussian network, the discrete nodes are tables over discrete parents, and the
#' continuous nodes are linear regressions, one for each configuration of their discrete parents.
#' The joint distribution of the continuous nodes is a mixture of multivariate normal distributions.
#' [compile_network()] makes an object of class `optbn_compiled_mixed` from the network, for which
#' the functions below compute exact queries. [query()], [most_probable()], [log_probability()] and
#' [log_density()] also accept the fitted network itself, from [fit_network()] or of bnlearn's class
#' `bn.fit`, and compile it first.
#'
#' @param model,object,x A network from [compile_network()].
#' @param nodes Names of the query nodes; `NULL` for the marginal posterior of each node.
#' @param evidence The observed values: a list or a data frame of one row, named by nodes. For a
#'   discrete node it contains a level, several levels or a likelihood, as in [query()]; for a
#'   continuous one a finite number. `NA` means not observed.
#' @param data,newdata A data frame with columns of the nodes. `NA` means not observed, and so does
#'   a missing column. Other columns are ignored, and `predict()` uses the column of `node` only for
#'   `type = "density"`.
#' @param do The values set by an intervention, as in [intervene()].
#' @param nsim The number of rows, a whole number.
#' @param seed `NULL` to continue R's random number stream, or a number for [set.seed()]. In the
#'   second case the state of the generator is restored afterwards.
#' @param memory_limit The largest number of bytes for the rows of `simulate()`; by default three
#'   quarters of the free memory.
#' @param node The name of the node to predict.
#' @param type What to return, see *Value*.
#' @inheritParams predict.optbn_fit
#' @param ... Ignored.
#'
#' @details
#' A query uses the query nodes, the observed nodes and the ancestors of both, because other nodes
#' sum or integrate to 1. Of these it uses the parts that unobserved nodes connect to the query
#' nodes. Evidence on a continuous node is absorbed by reversing the arcs from its unobserved
#' parents, until its density depends only on discrete nodes (Shachter and Kenley 1989; Cowell
#' 2005). Then the discrete nodes are eliminated one after another. This is local computation in a
#' strong junction tree (Lauritzen and Jensen 2001). The algorithm computes no standard deviation as
#' a difference, inverts no matrix, and keeps weights as logarithms. Queries are therefore exact
#' even for evidence far out in the tails.
#'
#' The posterior of a continuous node is a mixture of normal distributions, with a component for
#' each configuration of the discrete nodes on which it depends through continuous ones. The number
#' of components limits exact queries. Evidence on discrete and continuous nodes reduces it. A query
#' that would exceed the memory limit of the compiled network gives an error before the computation.
#'
#' Rows of data are processed together if their missing values decompose into small groups, as in
#' [predict.optbn_fit()], and otherwise row by row.
#'
#' A regression with standard deviation 0 gives an error, as in Gaussian networks
#' ([optbn_compiled_gaussian]).
#'
#' @return
#' * `query()`: if all `nodes` are discrete, an array of probabilities whose dimensions are `nodes`.
#'   If some are continuous, an object of class [optbn_mixture_posterior]. If `nodes` is `NULL`, a
#'   list named by all nodes: the probabilities of a discrete node, an array with one dimension; and
#'   `c(mean = , sd = )` of a continuous one (if it is observed, its value and 0).
#' * `most_probable()`: a list with `state`, a data frame of one row with a column for every node,
#'   at which the density given the evidence is largest; and `log_density`, the joint log-density of
#'   this row, including the evidence. Likelihood evidence affects which row it is.
#' * `log_probability()`: a number, the log-density of the evidence; `-Inf` if it is impossible.
#' * `log_density()`: a numeric vector with one number for each row of `data`.
#' * `predict()`, one element or row for each row of `newdata`: what [predict.optbn_fit()] returns.
#' * `simulate()`: a data frame with `nsim` independent draws from the joint distribution of all
#'   nodes given the evidence, one column per node. The attribute `seed` allows you to draw the same
#'   rows again.
#' * `print()` returns `x` invisibly, and `format()` returns the printed text.
#'
#' Logarithms are natural. Densities are per unit of the continuous columns.
#'
#' An `optbn_compiled_mixed` is a list with `nodes`, their names; `levels`, by node, `NULL` for
#' continuous ones; `prototype`, the columns without rows; `network`, the parameters in an internal
#' form; `memory_limit`; and, after an intervention, `do`, the values set.
#'
#' @section Errors: `optbn_error_impossible` if the evidence has probability 0;
#'   `optbn_error_memory`, before the computation, for a query beyond the memory limit (use
#'   [approximate_query()] instead); `optbn_error_argument` for names that are not nodes, for
#'   evidence that a node cannot have, for a node that is both queried and observed, and for another
#'   malformed argument; `optbn_error_data` for columns that cannot be used; and the errors of
#'   [compile_network()].
#'
#' @references
#' Lauritzen, S. L. and Jensen, F. (2001). Stable local computation with conditional Gaussian
#' distributions. *Statistics and Computing* 11, 191-203. \doi{10.1023/A:1008935617754}
#'
#' Cowell, R. G. (2005). Local propagation in conditional Gaussian Bayesian networks. *Journal of
#' Machine Learning Research* 6, 1517-1550.
#'
#' Shachter, R. D. and Kenley, C. R. (1989). Gaussian influence diagrams. *Management Science* 35,
#' 527-550. \doi{10.1287/mnsc.35.5.527}
#'
#' @seealso [query()], [optbn_mixture_posterior], [approximate_query()]
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' compiled <- compile_network(fit)
#' compiled
#' query(compiled, "Species", list(Petal.Width = 1.7))
#' query(compiled, c("Species", "Petal.Length"), list(Petal.Width = 1.7))
#' query(compiled, evidence = list(Petal.Width = 1.7))
#' most_probable(compiled, list(Petal.Width = 1.7))
#' simulate(compiled, 3, seed = 1, evidence = list(Petal.Width = 1.7))
#' @name optbn_compiled_mixed
NULL

# ---- from a fitted network ----------------------------------------------------------------------

# `parts`: what completion_network() returns. `order`: what the user gave compile_network().
compile_mixed <- function(parts, do, order, memory_limit, call) {
  if (!is.null(order)) {
    abort_optbn("argument",
                c("{.arg order} must be NULL for a network with continuous nodes.",
                  x = "It is {describe(order)}.",
                  i = paste("The best order depends on the evidence, and is computed for each",
                            "query.")),
                call = call)
  }
  structure(
    c(list(nodes = parts$nodes, levels = parts$levels,
           prototype = as.data.frame(parts$prototype, optional = TRUE)[parts$nodes],
           network = parts$core, memory_limit = memory_limit),
      if (length(do)) list(do = do)),
    class = "optbn_compiled_mixed"
  )
}

# ---- what is known ------------------------------------------------------------------------------

# As encode_evidence_list() has evidence on discrete nodes; and `values` of continuous ones, by
# node, NA where nothing is known.
encode_mixed_evidence <- function(evidence, model, call = parent.frame()) {
  check_sound(model, call)
  evidence <- check_evidence_names(evidence, model, call)
  continuous <- vapply(model$levels[names(evidence)], is.null, NA)
  row <- matrix(NA_real_, 1L, length(model$nodes), dimnames = list(NULL, model$nodes))
  for (node in names(evidence)[continuous]) {
    row[, node] <- one_number(evidence[[node]], node, call)
  }
  c(encode_evidence_list(evidence[!continuous], model, call),
    list(values = with_held_evidence(row, model, call)[1L, ]))
}

# Names of the nodes that have one value.
observed_nodes <- function(model, known) {
  held <- names(held_numbers(model))
  c(model$nodes[known$node], setdiff(model$nodes[!is.na(known$values)], held))
}

# The core's answer, or the error that says why there is none.
mixed_answer <- function(ask, model, known, ..., call = parent.frame()) {
  value <- ask(model$network, known, ..., model$memory_limit, quiet_host())
  if (!inherits(value, "core_failure")) return(value)
  switch(value$kind,
    impossible = {
      conflict <- core_mixed_conflict(model$network, known, model$memory_limit, quiet_host())
      conflict <- call_core(conflict, model$nodes, call)
      set <- intersect(model$nodes[conflict], names(model[["do"]]))
      abort_impossible(model, known, conflict, set, call)
    },
    memory = abort_too_many_configurations(value$facts, call),
    call_core(value, model$nodes, call)
  )
}

abort_too_many_configurations <- function(facts, call) {
  abort_optbn("memory",
              c(paste("An exact answer needs at least {format_bytes(facts$needed)} of memory, and",
                      "may use {format_bytes(facts$limit)}."),
                x = paste("The continuous nodes for this query depend on too many discrete ones",
                          "together."),
                i = paste("Give evidence on more nodes, query fewer {.arg nodes} at a time,",
                          "compile the network with a larger {.arg memory_limit} (in bytes), or",
                          "use {.fn approximate_query}.")),
              call = call, needed = facts$needed, limit = facts$limit)
}

# ---- the verbs ----------------------------------------------------------------------------------

#' @rdname optbn_compiled_mixed
#' @export
query.optbn_compiled_mixed <- function(model, nodes = NULL, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  known <- encode_mixed_evidence(evidence, model)
  if (is.null(nodes)) {
    found <- mixed_answer(core_mixed_posteriors, model, known)
    return(Map(function(numbers, node) {
      levels <- model$levels[[node]]
      if (is.null(levels)) return(set_names(numbers, c("mean", "sd")))
      posterior_table(numbers, model$levels[node])
    }, set_names(found, model$nodes), model$nodes))
  }
  observed <- observed_nodes(model, known)
  nodes <- check_query_nodes(nodes, model, set_names(observed, observed))
  continuous <- nodes[vapply(model$levels[nodes], is.null, NA)]
  discrete <- setdiff(nodes, continuous)
  labels <- model$levels[discrete]
  check_posterior_size(lengths(labels))
  if (!length(continuous)) {
    posterior <- mixed_answer(core_mixed_levels, model, known, match(nodes, model$nodes))
    return(posterior_table(posterior, labels))
  }
  mixture_posterior(model, known, discrete, continuous)
}

#' @rdname optbn_compiled_mixed
#' @export
most_probable.optbn_compiled_mixed <- function(model, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  known <- encode_mixed_evidence(evidence, model)
  columns <- mixed_answer(core_mixed_most_probable, model, known)
  discrete <- which(!vapply(model$levels, is.null, NA))
  whole <- list(node = discrete, level = as.integer(unlist(columns[discrete])),
                weighed = integer(), likelihood = list(),
                values = as.double(replace(columns, discrete, NA)))
  list(state = decode_rows(model, columns, 1L),
       log_density = mixed_answer(core_mixed_log_density, model, whole))
}

#' @rdname optbn_compiled_mixed
#' @export
log_probability.optbn_compiled_mixed <- function(model, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  mixed_answer(core_mixed_log_density, model, encode_mixed_evidence(evidence, model))
}

#' @rdname optbn_compiled_mixed
#' @export
log_density.optbn_compiled_mixed <- function(model, data, ...) {
  row_log_densities(model, data, "data", NULL, environment())
}

#' @export
row_log_densities.optbn_compiled_mixed <- function(model, data, arg, threads, call) {
  check_sound(model, call)
  off <- if (is.data.frame(data)) rows_off_held(as.list(data), model)
  values <- encode_partial(model, with_held_numbers(data, model, arg, call), arg, call)
  density <- rows_of_core(model$network, model$levels, values, nrow(data), model$memory_limit,
                          core_partial_log_densities, core_mixed_row_log_densities)
  if (inherits(density, "core_failure")) abort_too_many_configurations(density$facts, call)
  replace(density, off, -Inf)
}

#' @rdname optbn_compiled_mixed
#' @export
predict.optbn_compiled_mixed <- function(object, newdata, node,
                                   type = c("response", "prob", "distribution", "density"),
                                   na_level = FALSE, ...) {
  require_arguments()
  call <- environment()
  check_sound(object)
  node <- check_node(node, object)
  type <- check_prediction_type(type, node, object$levels[[node]])
  check_flag(na_level, "na_level")
  if (node %in% names(held_numbers(object))) return(predict_held(object, newdata, node, type))
  newdata <- as_held(newdata, object, "newdata", call)
  if (type != "density" && is.data.frame(newdata)) newdata <- without_column(newdata, node)
  values <- encode_partial(object, newdata, "newdata", call)
  posterior <- posterior_of_rows(object$network, object$levels, node, values, nrow(newdata), type,
                                 object$memory_limit)
  if (inherits(posterior, "core_failure")) abort_too_many_configurations(posterior$facts, call)
  predicted(posterior, object, node, type, values[[node]], na_level)
}

#' @rdname optbn_compiled_mixed
#' @export
simulate.optbn_compiled_mixed <- function(object, nsim = 1, seed = NULL, evidence = list(),
                                    memory_limit = NULL, do = list(), ...) {
  object <- under_intervention(object, do, evidence)
  rows <- check_simulated_rows(nsim, object, memory_limit)
  known <- encode_mixed_evidence(evidence, object)
  state <- random_state()
  options <- with_seed(seed, host_options(1L, Inf, FALSE, ""))
  draw <- function(network, known, limit, host) {
    core_mixed_draws(network, known, rows, limit, options)
  }
  columns <- mixed_answer(draw, object, known)
  origin <- if (is.null(seed)) state else structure(seed, kind = as.list(RNGkind()))
  structure(decode_rows(object, columns, rows), seed = origin)
}

#' @export
set_nodes.optbn_compiled_mixed <- function(model, do, call) {
  check_sound(model, call)
  set <- check_evidence(do, model, "do", call)
  for (node in names(set)) {
    i <- match(node, model$nodes)
    own <- if (is.null(model$levels[[node]])) {
      list(coefficients = set[[node]], variance = unit_density_sd^2)
    } else {
      list(table = as.double(seq_along(model$levels[[node]]) == set[[node]] + 1L))
    }
    model$network$nodes[[i]] <- c(list(discrete = integer(), continuous = integer()), own)
  }
  if (length(set)) model[["do"]] <- with_do(model, set)
  model
}

#' @export
completion_network.optbn_compiled_mixed <- function(model, call) {
  c(model[c("nodes", "levels", "prototype")], list(core = model$network))
}

#' @rdname impute
#' @export
impute.optbn_compiled_mixed <- function(model, data, draws = 0, ..., progress = interactive()) {
  call <- environment()
  check_sound(model, call)
  impute_by_islands(model, as_held(data, model, "data", call), draws, progress, call)
}

#' @export
smoothing_remedy.optbn_compiled_mixed <- function(model) {
  "fit the network with {.code method = \"bayes\"}."
}

# ---- on the screen ------------------------------------------------------------------------------

#' @rdname optbn_compiled_mixed
#' @export
format.optbn_compiled_mixed <- function(x, ...) {
  check_sound(x)
  n <- length(x$nodes)
  discrete <- sum(lengths(x$levels) > 0L)
  arcs <- sum(vapply(x$network$nodes, function(node) {
    length(node$discrete) + length(node$continuous)
  }, 0L))
  c(
    cli::style_bold(cli::format_inline("Conditional Gaussian network of {n} node{?s}")),
    format_facts(c(
      nodes = paste(discrete, "discrete and", n - discrete, "continuous"),
      arcs = format(arcs),
      set = format_do(x),
      memory = paste("an answer may take", format_bytes(x$memory_limit))
    ))
  )
}

#' @rdname optbn_compiled_mixed
#' @export
print.optbn_compiled_mixed <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
