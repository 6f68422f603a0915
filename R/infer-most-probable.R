# The most probable state.

#' The Most Probable State
#'
#' Finds the most probable state of all nodes of a discrete model given evidence (the most probable
#' explanation of the evidence). For a network with continuous nodes, this is the mode: see
#' [optbn_compiled_gaussian] and [optbn_compiled_mixed].
#'
#' @inheritParams query
#'
#' @details
#' In this state, a node need not have the level that is most probable for it alone.
#'
#' If several states have the same probability, the result is always the same one: from the root of
#' the junction tree down, each node gets the first possible level.
#'
#' The result is exact for networks, and for cutset networks, without hidden variables. For a
#' mixture of several components, and for a latent tree, other variables must be summed out, and the
#' problem is NP-hard (de Campos 2011). The most probable states of the components are then
#' improved, one variable at a time, and the best state found is returned. A message reports this,
#' and `exact` is `FALSE`.
#'
#' @return A list with
#' * `state`: a data frame of one row with a column for every node, with the column types of the
#'   training data;
#' * `log_probability`: the natural logarithm of the joint probability of this row, including the
#'   evidence: its [log_density()]. Likelihood evidence affects which row it is, but is not part of
#'   this number;
#' * `exact`: whether the row is certain to be a most probable one, see *Details*.
#'
#' @section Errors: Those of [query()]; `optbn_error_data` for a network of trees over continuous
#'   nodes.
#'
#' @references
#' Dawid, A. P. (1992). Applications of a general propagation algorithm for probabilistic expert
#' systems. *Statistics and Computing* 2, 25-36. \doi{10.1007/BF01890546}
#'
#' de Campos, C. P. (2011). New complexity results for MAP in Bayesian networks. *International
#' Joint Conference on Artificial Intelligence* 22, 2100-2106.
#' \doi{10.5591/978-1-57735-516-8/IJCAI11-351}
#'
#' @seealso [query()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' most_probable(fit, list(Survived = "Yes"))
#' @export
most_probable <- function(model, evidence = list(), do = list(), ...) {
  require_arguments()
  UseMethod("most_probable")
}

#' @export
most_probable.optbn_compiled_network <- function(model, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  handle <- handle_of(model)
  known <- encode_evidence_list(evidence, model)
  found <- answer_of(core_most_probable(handle, known, quiet_host()), model, known)
  if (!found$exact) {
    announce_inexact(paste("The state is the best found and need not be the most",
                           "probable one."))
  }
  list(state = decode_rows(model, found$codes, 1L), log_probability = found$log_probability,
       exact = found$exact)
}

announce_inexact <- function(what, where = "in mixtures and with hidden variables") {
  announce(c(what, i = paste0("Finding the most probable one is NP-hard ", where, ".")))
}

#' @export
most_probable.optbn_density <- most_probable.optbn_compiled_network

#' @export
most_probable.optbn_fit <- function(model, evidence = list(), do = list(), ...) {
  most_probable(compile_under(model, do, evidence), evidence)
}

#' @export
most_probable.bn.fit <- most_probable.optbn_fit

#' @export
most_probable.default <- function(model, evidence = list(), do = list(), ...) {
  abort_no_model(model)
}

# A data frame with the columns that the training data had. `codes`: by node.
decode_rows <- function(model, codes, rows) {
  columns <- Map(function(node, code) decode_column(model, node, code), model$nodes, codes)
  list2DF(set_names(columns, model$nodes), rows)
}
