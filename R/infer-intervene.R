# Interventions: networks in which some nodes are set from outside.
#
# What an intervention leaves of a network is its truncated factorisation (Pearl 2009, section 3.2):
# the arcs into the nodes that are set go, and these nodes have their values. A level is a table
# with one probability of 1, which every verb takes as it is. A number has no density. Its local
# model is a regression without parents whose standard deviation, 1 / sqrt(2 pi), gives the number
# itself a density of exactly 1; and the number is evidence in every question, so that the rest of
# this normal distribution is never met. The logarithm of the density of what else is known is then
# the one of the mutilated network, in closed forms and in the core alike, and no variance is 0.

unit_density_sd <- 1 / sqrt(2 * pi)

#' Intervene on Nodes
#'
#' Returns the network in which some nodes are set to values from outside, as an experimenter sets a
#' treatment. The arcs into these nodes are removed, and all other local models stay. If the arcs of
#' the network are causal, queries of this *mutilated* network give the effects of the intervention.
#' All functions for fitted networks accept it, with exceptions for continuous nodes (see
#' *Details*).
#'
#' @param model A fitted network from [fit_network()] with any local models; one from
#'   [compile_network()]; or one of bnlearn's class `bn.fit`, which is compiled first.
#' @param do The values: a named list (or vector) with one value per node, a level label for a
#'   discrete node and a number for a continuous one.
#'
#' @details
#' [query()], [most_probable()], [log_probability()], [approximate_query()] and `simulate()` also
#' have an argument `do` for a single query. Evidence is observed after the intervention: a query
#' with `evidence` and `do` conditions the mutilated network on the evidence.
#'
#' A continuous node that is set to a number has no density. [log_density()] therefore uses only the
#' other values of a row, and returns `-Inf` if the row has another number for the node. If the
#' column of such a node is missing, or `NA`, it has that number; `predict()` and [impute()] give an
#' error for another number. Measures of information, such as [entropy()], give an error for the
#' network. [logLik()] without new data sums over the nodes that are not set, which is correct for
#' data in which they were set.
#'
#' If the network already has interventions, these remain, and a new value for the same node
#' replaces the old one.
#'
#' @return For a fit, a fit of class `c("optbn_intervened", "optbn_fit")`. Its element `do` has the
#'   values; the local models of these nodes, of class `optbn_set`, have no parents; its `network`
#'   is the original one. For a compiled network or a `bn.fit`, a compiled network; a junction tree
#'   keeps its elimination order unless it is conditioned on nodes.
#'
#' @section Errors: `optbn_error_argument` for names that are not nodes, for a value that a node
#'   cannot have, and for a density model, which has no arcs; and those of [compile_network()].
#'
#' @references
#' Pearl, J. (2009). *Causality*, second edition. Cambridge University Press, section 3.2.
#'
#' @seealso [query()]; [adjustment_sets()] for the nodes to measure if there is no fitted network;
#'   [causal_effects()] for effects averaged over networks.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Sex][Age][Class|Sex:Age][Survived|Class:Sex:Age]", titanic[1:4],
#'                    weights = titanic$Freq)
#' # what is seen of people in the first class, and what had become of people put there
#' query(fit, "Survived", list(Class = "1st"))
#' query(fit, "Survived", do = list(Class = "1st"))
#'
#' first <- intervene(fit, list(Class = "1st"))
#' first
#' query(first, "Survived", list(Sex = "Male"))
#'
#' flowers <- fit_network("[Petal.Width][Petal.Length|Petal.Width][Sepal.Length|Petal.Length]",
#'                        iris)
#' query(flowers, "Sepal.Length", list(Petal.Width = 2), do = list(Petal.Length = 3))
#' @export
intervene <- function(model, do) {
  require_arguments()
  set_nodes(model, do, environment())
}

# `call`: what the user called, intervene() or a question under an intervention.
set_nodes <- function(model, do, call) UseMethod("set_nodes")

#' @export
set_nodes.optbn_fit <- function(model, do, call) {
  check_sound(model, call)
  set <- check_evidence(do, model, "do", call)
  if (!length(set)) return(model)
  for (node in names(set)) {
    model$parents[[node]] <- character()
    model$models[[node]] <- new_set(node, set[[node]], model$levels[[node]])
    model$log_likelihood[[node]] <- 0
  }
  model[["do"]] <- with_do(model, set)
  structure(model, class = c("optbn_intervened", "optbn_fit"))
}

#' @export
set_nodes.optbn_compiled_network <- function(model, do, call) {
  handle_of(model, call)
  set <- check_evidence(do, model, "do", call)
  if (!length(set)) return(model)
  parts <- list(levels = model$levels, parents = model$network$parents, models = model$models,
                prototype = model$prototype)
  for (node in names(set)) {
    i <- match(node, model$nodes)
    parts$parents[[i]] <- integer()
    parts$models[[i]] <- new_set(node, set[[node]], model$levels[[node]])
  }
  order <- if (!length(model$cutset)) model$order # of fewer arcs there may be a better one
  compile_parts(parts, order, model$memory_limit, call)
}

#' @export
set_nodes.optbn_compiled_gaussian <- function(model, do, call) {
  check_sound(model, call)
  set <- check_evidence(do, model, "do", call)
  if (!length(set)) return(model)
  for (i in match(names(set), model$nodes)) {
    model$parents[[i]] <- integer()
    model$slopes[[i]] <- numeric()
    model$intercept[i] <- set[[model$nodes[i]]]
    model$spread[i] <- unit_density_sd
  }
  model$children <- children_of(model$parents)
  model[["do"]] <- with_do(model, set)
  structure(model, class = gaussian_class(model))
}

#' @export
set_nodes.bn.fit <- function(model, do, call) {
  set_nodes(compile_for(model, call = call), do, call)
}

#' @export
set_nodes.optbn_density <- function(model, do, call) {
  abort_optbn("argument",
              c("A density model has no arcs that define an intervention.",
                x = "{.arg model} is {describe(model)}.",
                i = "Set nodes of a network from {.fn fit_network}; or give {.arg evidence}."),
              call = call)
}

#' @export
set_nodes.default <- function(model, do, call) {
  abort_optbn("argument",
              c(paste("{.arg model} must be a fitted network, as {.fn fit_network} returns it, or",
                      "a compiled one."),
                x = "It is {describe(model)}."),
              call = call)
}

gaussian_class <- function(network) {
  c(if (length(network[["do"]])) "optbn_intervened_gaussian", "optbn_compiled_gaussian")
}

# ---- what is set --------------------------------------------------------------------------------

# All that is set, level labels and numbers by node; `set`: the latest, coded.
with_do <- function(model, set) {
  all <- as.list(model[["do"]])
  for (node in names(set)) all[[node]] <- set_label(set[[node]], model$levels[[node]])
  all[intersect(model$nodes, names(all))]
}

set_label <- function(value, levels) if (is.null(levels)) value else levels[value + 1L]

# The model under `do`, an argument of a question besides `evidence`.
under_intervention <- function(model, do, evidence, call = parent.frame()) {
  if (!length(do)) return(model)
  both <- intersect(names(do), names(evidence))
  if (length(both)) {
    abort_optbn("argument",
                c("A node cannot be both set and observed.",
                  x = "{.val {both}} {?is/are} in {.arg do} and in {.arg evidence}.",
                  i = "{cli::qty(both)}Leave {?it/them} out of {.arg evidence}."),
                call = call)
  }
  set_nodes(model, do, call)
}

# The same, ready for exact questions.
compile_under <- function(model, do, evidence, call = parent.frame()) {
  model <- under_intervention(model, do, evidence, call)
  compiled <- inherits(model, c("optbn_compiled_network", "optbn_compiled_gaussian",
                                "optbn_compiled_mixed"))
  if (compiled) model else compile_for(model, call = call)
}

# For headings; NULL where nothing is set.
format_do <- function(model) {
  do <- model[["do"]]
  if (length(do)) first_few(paste(names(do), "=", vapply(do, format, "")))
}

# ---- numbers that are set -----------------------------------------------------------------------

# By node. Of what is set a level is text.
held_numbers <- function(model) unlist(Filter(is.numeric, model[["do"]]))

# Columns of nodes that are set to numbers say so where they said nothing.
with_held_numbers <- function(data, model, arg, call) {
  held <- held_numbers(model)
  if (!is.data.frame(data)) return(data)
  check_sound_columns(data, intersect(names(held), names(data)), arg, call)
  for (node in names(held)) {
    column <- data[[node]]
    if (is.null(column)) {
      data[[node]] <- rep(held[[node]], nrow(data))
    } else if (is.numeric(column) || all(is.na(column))) {
      data[[node]] <- replace(as.double(column), is.na(column), held[[node]])
    }
  }
  data
}

# Which rows hold another number; `columns`: by node.
rows_off_held <- function(columns, model) {
  held <- held_numbers(model)
  held <- held[intersect(names(held), names(columns))]
  off <- Map(function(column, number) is.numeric(column) & !is.na(column) & column != number,
             columns[names(held)], held)
  which(Reduce(`|`, off, FALSE))
}

# The same of rows to be completed, which must not hold another number.
as_held <- function(data, model, arg, call) {
  check_held_numbers(data, model, arg, call)
  with_held_numbers(data, model, arg, call)
}

check_held_numbers <- function(data, model, arg, call) {
  for (node in names(held_numbers(model))) {
    off <- rows_off_held(as.list(data)[node], model)
    if (length(off)) {
      abort_optbn("data",
                  c(paste("Column {.val {node}} of {.arg {arg}} must hold the number to which an",
                          "intervention has set the node: {model[[\"do\"]][[node]]}."),
                    x = "Row {off[1L]} holds {data[[node]][off[1L]]}.",
                    i = "Leave the column out, or use the network without the intervention."),
                  call = call)
    }
  }
}

# ---- local models -------------------------------------------------------------------------------

# `value`: a level's code, or a number.
new_set <- function(node, value, levels) {
  model <- if (is.null(levels)) {
    coefficients <- matrix(value, 1L, 1L, dimnames = list("(Intercept)", "0"))
    new_regression(node, character(), list(), character(), coefficients, c(`0` = unit_density_sd),
                   integer())
  } else {
    prob <- as.double(seq_along(levels) == value + 1L)
    new_table(node, character(), set_names(list(levels), node), prob, 0L)
  }
  model$value <- value
  structure(model, class = c("optbn_set", class(model)))
}

#' @export
sound_parts.optbn_set <- function(model) {
  NextMethod()
  demand(
    "a node that is set has parents" = length(model$parents) == 0L,
    "its value is not a number" = are_finite(model$value, 1L),
    "its value is another one than that of its distribution" = if (is.null(model$prob)) {
      model$coefficients[1L, 1L] == model$value && model$sd == unit_density_sd
    } else {
      model$prob[model$value + 1L] == 1
    }
  )
}

#' @export
local_parameters.optbn_set <- function(model) 0

#' @export
local_log_density.optbn_set <- function(model, values) {
  log(as.double(values[[model$node]] == model$value))
}

#' @export
local_simulate.optbn_set <- function(model, values, rows) rep(model$value, rows)

#' @export
local_distribution.optbn_set <- function(model, values, rows) {
  if (!is.null(model$prob)) return(NextMethod())
  data.frame(mean = rep(model$value, rows), sd = numeric(rows))
}

#' @export
bnlearn_distribution.optbn_set <- function(model, parents, call) {
  if (!is.null(model$prob)) return(NextMethod())
  list(coef = coef(model), sd = 0)
}

#' @export
format.optbn_set <- function(x, ...) {
  check_sound(x)
  paste("set to", if (is.null(x$prob)) format(x$value) else dimnames(x$prob)[[1L]][x$value + 1L])
}

#' @export
print_parameters.optbn_set <- function(model, ...) invisible()

# ---- fits ---------------------------------------------------------------------------------------

#' @export
sound_parts.optbn_intervened <- function(model) {
  NextMethod()
  set <- names(Filter(function(local) inherits(local, "optbn_set"), model$models))
  demand(
    "what is set is not a list by node" = is_plain_list(model[["do"]]) &&
      setequal(names(model[["do"]]), set),
    "what is set does not match the local models" =
      all(vapply(set, function(node) {
        identical(model[["do"]][[node]],
                  set_label(model$models[[node]]$value, model$levels[[node]]))
      }, NA))
  )
}

#' @export
row_log_densities.optbn_intervened <- function(model, data, arg, threads, call) {
  check_sound(model, call)
  off <- if (is.data.frame(data)) rows_off_held(as.list(data), model)
  density <- row_log_densities.optbn_fit(model, with_held_numbers(data, model, arg, call), arg,
                                         threads, call)
  replace(density, off, -Inf)
}

# The prediction of a node that is set to a number, the same in each row; a "density" is a
# probability.
predict_held <- function(model, newdata, node, type, call = parent.frame()) {
  number <- held_numbers(model)[[node]]
  own <- if (type == "density") node
  check_newdata(newdata, own, "newdata", call)
  mean <- rep(number, nrow(newdata))
  switch(type,
    response = mean,
    distribution = data.frame(mean = mean, sd = numeric(length(mean))),
    density = as.double(partial_numbers(newdata[[node]], node, "newdata", call) == number)
  )
}
