# Evidence: what is known about the nodes when a question is asked, and how it
# reaches the core.

# Encoded evidence, what the glue takes: node numbers from 1 and levels from 0 of
# the nodes that are observed; numbers and likelihoods of those that are weighed.
# `evidence` is what the user gave, checked here.
encode_evidence_list <- function(evidence, model, call = parent.frame()) {
  evidence <- check_evidence_names(evidence, model, call)
  nodes <- names(evidence)
  values <- lapply(seq_along(evidence), function(i) {
    evidence_weights(evidence[[i]], nodes[i], model$levels[[nodes[i]]], call)
  })
  numbers <- match(nodes, model$nodes)
  # a whole number from 0 is a level, NULL says nothing, anything else is a likelihood
  observed <- vapply(values, is.integer, NA)
  weighed <- vapply(values, is.double, NA)
  list(
    node = numbers[observed],
    level = as.integer(unlist(values[observed])),
    weighed = numbers[weighed],
    likelihood = values[weighed]
  )
}

check_evidence_names <- function(evidence, model, call) {
  if (is.data.frame(evidence) && nrow(evidence) != 1L) {
    abort_optbn("argument",
                c("{.arg evidence} must be a list, or a data frame of one row.",
                  x = "It has {nrow(evidence)} rows.",
                  i = "{.fn predict} answers many rows at once."),
                call = call)
  }
  evidence <- as.list(evidence)
  nodes <- names(evidence) %||% rep("", length(evidence))
  if (anyDuplicated(nodes) || !all(nodes %in% model$nodes)) {
    twice <- unique(nodes[duplicated(nodes)])
    unknown <- setdiff(nodes, model$nodes)
    abort_optbn("argument",
                c("{.arg evidence} must be a list named by nodes of the model, each once.",
                  x = if (any(nodes == "")) {
                    "An element has no name."
                  } else if (length(unknown)) {
                    "{.val {unknown}} {?is/are} no node{?s} of it."
                  } else {
                    "{.val {twice}} {?is/are} there more than once."
                  },
                  i = "The nodes are {.val {model$nodes}}."),
                call = call)
  }
  evidence
}

# One node's evidence: its level, from 0, as an integer; a likelihood; or NULL.
evidence_weights <- function(value, node, levels, call) {
  if (is.numeric(value) && !is.null(names(value))) {
    return(check_likelihood(value, node, levels, call))
  }
  labels <- if (is.atomic(value)) as.character(value)
  if (length(labels) == 1L && is.na(labels)) return(NULL)
  codes <- match(labels, levels)
  if (length(codes) == 0L || anyNA(codes)) {
    unknown <- labels[is.na(codes)]
    abort_optbn("argument",
                c(paste("Evidence on {.val {node}} must be one or several of its levels, or a",
                        "numeric vector named by them."),
                  x = if (length(unknown)) {
                    "{.val {unknown}} {?is/are} none of them."
                  } else {
                    "It is {describe(value)}."
                  },
                  i = "The levels are {.val {levels}}."),
                call = call)
  }
  if (length(codes) == 1L) return(codes - 1L)
  as.double(seq_along(levels) %in% codes)
}

check_likelihood <- function(value, node, levels, call) {
  named <- setequal(names(value), levels) && !anyDuplicated(names(value))
  if (!(named && all(is.finite(value)) && all(value >= 0) && any(value > 0))) {
    abort_optbn("argument",
                c(paste("Likelihood evidence on {.val {node}} must have one finite number of at",
                        "least 0 for every level, not all 0."),
                  x = if (named) {
                    "It is {.val {unname(value)}}."
                  } else {
                    "It is named {.val {names(value)}}."
                  },
                  i = "The levels are {.val {levels}}."),
                call = call)
  }
  as.double(value[levels])
}

#' The Probability of Evidence
#'
#' Computes the natural logarithm of the probability of an event under a discrete model: some nodes
#' have given levels, and the others are summed out. The difference of two such values gives a
#' conditional probability. For a network with continuous nodes, the result is the log-density of
#' the evidence: see [optbn_compiled_gaussian] and [optbn_compiled_mixed].
#'
#' @inheritParams query
#'
#' @return A number: the natural logarithm of the probability of `evidence`, `-Inf` if it is
#'   impossible. With likelihoods, it is the logarithm of their expected product. If a computation
#'   by passes stops early, the number is a lower bound, and the attribute `bounds` is `c(lower = ,
#'   upper = )`.
#'
#' @section Errors: Those of [query()], but evidence of probability 0 is not an error;
#'   `optbn_error_data` for a network of trees over continuous nodes.
#' @seealso [log_density()], for many rows.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' # P(survived | a passenger, female)
#' given <- list(Class = c("1st", "2nd", "3rd"), Sex = "Female")
#' exp(log_probability(fit, c(given, Survived = "Yes")) - log_probability(fit, given))
#' @export
log_probability <- function(model, evidence = list(), do = list(), ...) {
  require_arguments()
  UseMethod("log_probability")
}

#' @export
log_probability.optbn_compiled_network <- function(model, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  handle <- handle_of(model)
  known <- encode_evidence_list(evidence, model)
  call_core(core_log_probability(handle, known, quiet_host()))
}

#' @export
log_probability.optbn_density <- log_probability.optbn_compiled_network

#' @export
log_probability.optbn_fit <- function(model, evidence = list(), do = list(), ...) {
  log_probability(compile_under(model, do, evidence), evidence)
}

#' @export
log_probability.bn.fit <- log_probability.optbn_fit

#' @export
log_probability.default <- function(model, evidence = list(), do = list(), ...) {
  abort_no_model(model)
}

abort_no_model <- function(model, arg = "model", call = parent.frame()) {
  abort_optbn("argument",
              c(paste("{.arg {arg}} must be a fitted network, as {.fn fit_network} returns it, a",
                      "compiled one, or a density model, as {.fn learn_cutset} returns it."),
                x = "It is {describe(model)}."),
              call = call)
}

# ---- answers that fail --------------------------------------------------------------------------

# The core's answer to a question, or the error that says why there is none.
# `known` is the encoded evidence.
answer_of <- function(value, model, known, call = parent.frame()) {
  if (!inherits(value, "core_failure")) return(value)
  switch(value$kind,
    impossible = {
      conflict <- call_core(core_conflicting_nodes(handle_of(model), known, quiet_host()),
                            call = call)
      set <- vapply(model$models[conflict], inherits, NA, "optbn_set")
      abort_impossible(model, known, conflict, model$nodes[conflict][set], call)
    },
    memory = require_memory(value$facts$needed, value$facts$limit,
                            "Query fewer {.arg nodes} at a time", call = call),
    call_core(value, model$nodes, call)
  )
}

# `conflict`: numbers of nodes whose evidence cannot hold together; `set`: names of those of them
# that an intervention has set.
abort_impossible <- function(model, known, conflict, set, call) {
  said <- vapply(conflict, describe_evidence, "", model = model, known = known)
  nodes <- model$nodes[conflict]
  abort_optbn("impossible",
              c("{.arg evidence} has probability 0.",
                x = "{.and {said}}: that is impossible.",
                i = paste0("{cli::qty(said)}Leave {?it/one of them} out", if (length(set)) {
                  "; an intervention has set {.val {set}}."
                } else {
                  paste(", or", smoothing_remedy(model))
                })),
              call = call, nodes = nodes)
}

# How a model is had that holds nothing to be impossible.
smoothing_remedy <- function(model) UseMethod("smoothing_remedy")

#' @export
smoothing_remedy.optbn_compiled_network <- function(model) {
  "fit the network with {.code method = \"bayes\"}."
}

# What is known of the node with this number, in words.
describe_evidence <- function(number, model, known) {
  node <- model$nodes[number]
  levels <- model$levels[[node]]
  at <- match(number, known$node)
  possible <- if (is.na(at)) {
    levels[known$likelihood[[match(number, known$weighed)]] > 0]
  } else {
    levels[known$level[at] + 1L]
  }
  cli::format_inline("{.val {node}} is {.or {.val {possible}}}")
}
