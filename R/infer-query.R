# Posterior probabilities.

#' Exact Posterior Probabilities
#'
#' Computes the joint posterior distribution of some nodes of a discrete network given evidence on
#' others, or the marginal posterior distribution of every node. The result is exact, for networks
#' of any structure whose junction tree fits into memory. Other pages describe networks with
#' continuous nodes: [optbn_compiled_gaussian] those of linear regressions, [optbn_compiled_mixed]
#' those of tables and regressions (conditional Gaussian networks).
#'
#' @param model A network compiled by [compile_network()]; one from [fit_network()] or of
#'   bnlearn's class `bn.fit`, which is compiled for this one query; or a [density
#'   model][optbn_density-class], a cutset network for example.
#' @param nodes Names of the query nodes, whose joint distribution is computed; `NULL` for the
#'   marginal distribution of each node.
#' @param evidence The observed values: a list, or a data frame of one row, named by nodes. An
#'   element is
#'   * one level label: the node has this level;
#'   * several level labels: it has one of these;
#'   * a numeric vector named by the levels: a likelihood (soft evidence). It is the probability of
#'     the observation given each level, up to a factor;
#'   * `NA`: the node is not observed.
#' @param do The values set by an intervention, as in [intervene()]. The result is that of the
#'   network under this intervention, in which `evidence` is observed. Not for density models.
#' @param ... Arguments of methods; there are none so far.
#'
#' @details
#' Joint queries may include nodes of different cliques of the junction tree; time and memory then
#' grow with the product of their numbers of levels. Density models need no junction tree: a query
#' takes time proportional to the number of parameters; for a joint query, this is multiplied by the
#' number of cells of the result.
#'
#' For networks of trees over continuous nodes, `nodes` must be given, and evidence must consist of
#' single values. The query is possible if `nodes` and the unobserved nodes around them are discrete
#' and have at most 4,096 configurations in all. Use [approximate_query()] for other queries.
#'
#' For many queries, compile the network first. For the posterior of one node given each row of a
#' data frame, `predict()` of a compiled network is much faster.
#'
#' @return An array of class [table] of probabilities that sums to 1, whose dimensions are `nodes`,
#'   with dimnames. If `nodes` is `NULL`, a list named by all nodes, of such tables with one
#'   dimension each. [as.data.frame()][base::as.data.frame.table] makes one row for each cell of a
#'   table, with the probabilities in the column `Freq`, or in the column named by its argument
#'   `responseName`. If a computation by passes stops early, the table has the attributes `bounds`,
#'   a list of the arrays `lower` and `upper`, and `passes`, `c(done = , all = )`; `print()` shows
#'   the bounds.
#'
#' @section Errors:
#' `optbn_error_impossible` if the evidence has probability 0; the message, and the component
#' `nodes` of the condition, name nodes whose evidence cannot hold together. `optbn_error_argument`
#' for names that are not nodes, for labels that are not levels, for a malformed likelihood, for a
#' node that is observed and also queried or set; `optbn_error_data` for a query of a network of
#' trees over continuous nodes that has no exact answer; `optbn_error_memory` for a joint posterior
#' of more than 1e8 numbers, or beyond the memory limit of the compiled network; and the errors of
#' [compile_network()].
#'
#' @inherit compile_network references
#'
#' @seealso [most_probable()], [log_probability()], [intervene()], [optbn_compiled_gaussian] and
#'   [optbn_compiled_mixed] for networks with continuous nodes, [approximate_query()] for networks
#'   without an exact method.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' query(fit, c("Class", "Survived"), list(Sex = "Female", Age = "Adult"))
#' query(fit, "Survived", list(Class = c("1st", "2nd")))
#'
#' compiled <- compile_network(fit)
#' query(compiled, evidence = list(Survived = "Yes"))
#' # a passenger who in all likelihood was a woman
#' query(compiled, "Survived", list(Class = "3rd", Sex = c(Male = 0.1, Female = 0.9)))
#' @export
query <- function(model, nodes = NULL, evidence = list(), do = list(), ...) {
  require_arguments()
  UseMethod("query")
}

#' @export
query.optbn_compiled_network <- function(model, nodes = NULL, evidence = list(), do = list(),
                                         ...) {
  model <- under_intervention(model, do, evidence)
  handle <- handle_of(model)
  known <- encode_evidence_list(evidence, model)
  if (is.null(nodes)) {
    dimnames <- dimnames_by_node(model$levels)
    marginals <- answer_of(core_marginals(handle, known, dimnames, quiet_host()), model, known)
    return(lapply(marginals, as.table))
  }
  observed <- model$nodes[known$node]
  nodes <- check_query_nodes(nodes, model, set_names(known$level, observed))
  labels <- model$levels[nodes]
  check_posterior_size(lengths(labels))
  posterior <- answer_of(
    core_joint_posterior(handle, known, match(nodes, model$nodes), quiet_host()),
    model, known
  )
  posterior_table(posterior, labels)
}

posterior_table <- function(numbers, labels) {
  as.table(array(numbers, unname(lengths(labels)), labels))
}

#' @export
query.optbn_density <- query.optbn_compiled_network

#' @export
query.optbn_fit <- function(model, nodes = NULL, evidence = list(), do = list(), ...) {
  check_sound(model)
  if (!is_completable(model)) {
    return(query_by_sums(under_intervention(model, do, evidence), nodes, evidence,
                         environment()))
  }
  query(compile_under(model, do, evidence), nodes, evidence)
}

#' @export
query.bn.fit <- function(model, nodes = NULL, evidence = list(), do = list(), ...) {
  query(compile_under(model, do, evidence), nodes, evidence)
}

#' @export
query.default <- function(model, nodes = NULL, evidence = list(), do = list(), ...) {
  abort_no_model(model)
}
