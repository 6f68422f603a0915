# The most probable state.

#' The Most Probable State
#'
#' The state of all nodes of a discrete model that is the most probable one given what is known
#' about some of them (the most probable explanation of the evidence). Of a network with continuous
#' nodes, the mode: see [optbn_compiled_gaussian] and [optbn_compiled_mixed].
#'
#' @inheritParams query
#'
#' @details
#' That is as a rule not the state in which every node has its own most probable level.
#'
#' Of several states with the same probability one is returned, always the same: going down the
#' junction tree, nodes get the lowest level that is possible.
#'
#' It is found for certain in a network and in a cutset network without hidden variables. In a
#' mixture of several components, and in a latent tree, where other variables are to be summed out,
#' the problem is NP-hard (de Campos 2011). There the most probable states of the components are
#' improved, one variable at a time, and the best state that is met is returned; a message says so,
#' and `exact` is `FALSE`.
#'
#' @return A list with
#' * `state`: a data frame of one row with a column for every node, of the types that the columns
#'   of the training data had;
#' * `log_probability`: the natural logarithm of the probability of this row, what is known
#'   included, [log_density()] of it. A likelihood in `evidence` has its say in which row it is, and
#'   is no part of this number;
#' * `exact`: whether no other row is more probable for certain, see *Details*.
#'
#' @inheritSection query Errors
#'
#' @source Dawid, A. P. (1992). Applications of a general propagation algorithm for probabilistic
#'   expert systems. *Statistics and Computing* 2, 25-36. \doi{10.1007/BF01890546}
#'
#'   de Campos, C. P. (2011). New complexity results for MAP in Bayesian networks. *International
#'   Joint Conference on Artificial Intelligence* 22, 2100-2106.
#'   \doi{10.5591/978-1-57735-516-8/IJCAI11-351}
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
  list2DF(rlang::set_names(columns, model$nodes), rows)
}
