# Models with exact answers, and rows: densities of rows, predictions for rows, rows
# that are drawn.

#' @rdname log_density
#' @export
log_density.optbn_compiled_network <- function(model, data, threads = NULL, ...) {
  row_log_densities(model, data, "data", threads, environment())
}

#' @rdname log_density
#' @export
log_density.optbn_density <- log_density.optbn_compiled_network

#' @export
row_log_densities.optbn_compiled_network <- function(model, data, arg, threads, call) {
  handle <- handle_of(model)
  values <- encode_rows(model, data, arg, call)
  host <- quiet_host(check_threads(threads, call))
  call_core(core_row_log_probabilities(handle, values, nrow(data), host), call = call)
}

#' @export
row_log_densities.optbn_density <- row_log_densities.optbn_compiled_network

#' @rdname log_density
#' @export
log_density.bn.fit <- function(model, data, ...) log_density(compile_for(model), data, ...)

# Coded columns by node, NA where they are missing. What `data` may be depends on the model.
encode_rows <- function(model, data, arg, call) UseMethod("encode_rows")

#' @export
encode_rows.optbn_compiled_network <- function(model, data, arg, call) {
  encode_partial(model, data, arg, call)
}

# A node without a column is missing as a whole.
encode_partial <- function(model, data, arg, call = parent.frame(), nodes = model$nodes) {
  check_newdata(data, intersect(nodes, names(data)), arg, call)
  lapply(set_names(nodes), function(node) {
    column <- data[[node]] %||% rep(NA, nrow(data))
    levels <- model$levels[[node]]
    if (is.null(levels)) return(partial_numbers(column, node, arg, call))
    codes_at_hand(column, levels) %||% encode_with_gaps(column, node, levels, arg, call)
  })
}

# Where the model has no level NA, one of the column says that a value is missing.
encode_with_gaps <- function(column, node, levels, arg, call) {
  if (!anyNA(levels) && anyNA(levels(column))) column <- factor(column)
  codes <- rep(NA_integer_, length(column))
  seen <- which(!is.na(column))
  codes[seen] <- encode_column(column[seen], node, levels, arg, call)
  codes
}

# Codes of a column that need no looking up of labels, or NULL. To look them up takes longer than
# many a model takes to answer.
codes_at_hand <- function(column, levels) {
  if (is.factor(column) && identical(levels(column), levels)) return(as.integer(column) - 1L)
  if (is.logical(column) && identical(levels, c("FALSE", "TRUE"))) return(as.integer(column))
  binary <- is.numeric(column) && identical(levels, c("0", "1")) &&
    all(column == 0 | column == 1, na.rm = TRUE)
  if (binary) as.integer(column)
}

#' Predict a Node From Observed Values of the Others
#'
#' Computes the exact posterior of one node of a compiled network given the observed values of the
#' other columns in each row. Missing values are summed out.
#'
#' @param object A network from [compile_network()].
#' @param newdata A data frame. Columns that are nodes are evidence, with `NA` for values that are
#'   not observed; nodes without a column are not observed. If a factor has a level `NA`, as made by
#'   [addNA()], and the network has this level, `NA` is evidence. Other columns are ignored, and so
#'   is the column of `node` (except for `type = "density"`).
#' @param node The name of the node to predict.
#' @param type What to return, see *Value*.
#' @param threads The number of threads: see [learn_dag()]. The result does not depend on it.
#' @inheritParams predict.optbn_fit
#' @param ... Ignored.
#'
#' @return One element or row for each row of `newdata`:
#' * `"response"`: a factor, the most probable level (the first one if several are);
#' * `"prob"`: a matrix of probabilities with a column per level (the level `NA` is included only if
#'   `na_level = TRUE`);
#' * `"density"`: the posterior probability of the node's own level in `newdata`, `NA` if it is
#'   missing.
#'
#' Rows of probability zero give `NA`, and a message reports this.
#'
#' @section Errors: `optbn_error_data` for a level that the network does not have;
#'   `optbn_error_argument` for a malformed argument; `optbn_error_memory` beyond the memory limit
#'   of the compiled network.
#'
#' @seealso [predict.optbn_fit()], [query()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' people <- data.frame(Sex = c("Female", "Male", NA), Class = c("1st", NA, "Crew"))
#' predict(compile_network(fit), people, "Survived", type = "prob")
#' @export
predict.optbn_compiled_network <- function(object, newdata, node,
                                     type = c("response", "prob", "density"), threads = NULL,
                                     na_level = FALSE, ...) {
  require_arguments()
  handle <- handle_of(object)
  node <- check_node(node, object)
  type <- check_choice(type, c("response", "prob", "density"), "type")
  check_flag(na_level, "na_level")
  if (type != "density") newdata <- without_column(newdata, node)
  values <- encode_rows(object, newdata, "newdata", environment())
  host <- quiet_host(check_threads(threads))
  posterior <- t(answer_of(
    core_row_posteriors(handle, values, nrow(newdata), match(node, object$nodes), host),
    object, NULL
  ))
  colnames(posterior) <- object$levels[[node]]
  predict_level(posterior, object, node, type, values[[node]], na_level)
}

#' @rdname optbn_density-methods
#' @export
predict.optbn_density <- predict.optbn_compiled_network

# What `type` asks of the posterior of a discrete node, a matrix with a row per row and a column per
# level, of NaN where the row is impossible. `own`: codes of the node's own values, of "density".
# A level NA counts only where `na_level` says so, or where there is no other: the posterior of the
# others is that given that the node has one of them.
predict_level <- function(posterior, model, node, type, own, na_level) {
  levels <- model$levels[[node]]
  counts <- if (na_level || all(is.na(levels))) seq_along(levels) else which(!is.na(levels))
  if (length(counts) < length(levels)) {
    posterior <- posterior[, counts, drop = FALSE]
    posterior <- posterior / rowSums(posterior)
  }
  posterior <- without_impossible(posterior)
  switch(type,
    response = as_levels(model, node, first_largest(posterior) - 1L, levels[counts]),
    prob = posterior,
    density = posterior[cbind(seq_len(nrow(posterior)), match(own + 1L, counts))]
  )
}

# NA where a matrix or data frame of answers has NaN, which says that the row is impossible.
without_impossible <- function(answer) {
  impossible <- which(is.nan(answer[, 1L]))
  if (length(impossible)) {
    announce(c("{length(impossible)} row{?s} of {.arg newdata} {?has/have} probability 0.",
               i = "The prediction is NA, first in row {impossible[1L]}."))
  }
  answer[impossible, ] <- NA
  answer
}

# A data frame or a matrix that says nothing of a node, and has its rows still.
without_column <- function(data, node) {
  if (is.data.frame(data)) {
    data[[node]] <- rep(NA, nrow(data))
  } else if (node %in% colnames(data)) {
    data <- data[, colnames(data) != node, drop = FALSE]
  }
  data
}

# The column of the largest number in each row, the first of several; NA for rows of NA.
first_largest <- function(x) {
  column <- rep(NA_integer_, nrow(x))
  whole <- which(!is.na(x[, 1L]))
  column[whole] <- max.col(x[whole, , drop = FALSE], ties.method = "first")
  column
}

#' Simulate From a Compiled Network
#'
#' Draws independent rows from the joint distribution of all nodes given evidence. The draws are
#' exact, without weights or rejection, even if the evidence is very improbable.
#'
#' @param object A network from [compile_network()], or one of bnlearn's class `bn.fit`, which is
#'   compiled first.
#' @param nsim The number of rows, a whole number.
#' @param seed `NULL` to continue R's random number stream, or a number for [set.seed()]. In the
#'   second case the state of the generator is restored afterwards.
#' @param evidence The observed values, as in [query()].
#' @inheritParams simulate.optbn_fit
#'
#' @return A data frame with `nsim` rows and one column per node, with the column types of the
#'   training data. The attribute `seed` allows you to draw the same rows again.
#'
#' @section Errors: Those of [query()].
#' @references
#' Dawid, A. P. (1992). Applications of a general propagation algorithm for probabilistic expert
#' systems. *Statistics and Computing* 2, 25-36. \doi{10.1007/BF01890546}
#'
#' @seealso [simulate.optbn_fit()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' simulate(compile_network(fit), 4, seed = 1, evidence = list(Age = "Child", Survived = "No"))
#' @export
simulate.optbn_compiled_network <- function(object, nsim = 1, seed = NULL, evidence = list(),
                                      memory_limit = NULL, do = list(), ...) {
  object <- under_intervention(object, do, evidence)
  handle <- handle_of(object)
  rows <- check_simulated_rows(nsim, object, memory_limit)
  known <- encode_evidence_list(evidence, object)
  state <- random_state()
  options <- with_seed(seed, host_options(1L, Inf, FALSE, ""))
  codes <- answer_of(core_draw_rows(handle, known, rows, options), object, known)
  origin <- if (is.null(seed)) state else structure(seed, kind = as.list(RNGkind()))
  structure(decode_rows(object, codes, rows), seed = origin)
}

#' @rdname optbn_density-methods
#' @export
simulate.optbn_density <- simulate.optbn_compiled_network

#' @rdname simulate.optbn_compiled_network
#' @export
simulate.bn.fit <- function(object, nsim = 1, seed = NULL, evidence = list(),
                            memory_limit = NULL, do = list(), ...) {
  simulate(compile_under(object, do, evidence), nsim, seed, evidence = evidence,
           memory_limit = memory_limit)
}
