# Densities of rows under a model.

#' Log-Density of Rows
#'
#' Computes the natural logarithm of the probability (or of the density, if some nodes are
#' continuous) of each row of a data frame under a model.
#'
#' @param model A model: a fitted network from [fit_network()], a network from [compile_network()],
#'   a network of bnlearn's class `bn.fit`; or a [density model][optbn_density-class].
#' @param data A data frame with a column for every node, in any order and with the types of the
#'   model. A missing column is the same as a column of `NA`. Columns that are not nodes are
#'   ignored. For a density model also a matrix of zeros and ones, plain or sparse.
#' @param threads The number of threads for rows with missing values: see [learn_dag()]. The result
#'   does not depend on it.
#' @param ... Arguments of methods.
#'
#' @details
#' If all nodes are discrete, missing values (`NA`) are summed out: the result is the
#' log-probability of the observed values. This uses the junction tree of the network
#' ([compile_network()]), which is built first for a fitted network. Identical rows are computed
#' once. A density model needs no junction tree. If all nodes are linear regressions, missing values
#' are integrated out, see [optbn_compiled_gaussian]. In conditional Gaussian networks, and in
#' discrete ones whose junction tree is too large, each group of missing values that depend on each
#' other in the row is summed or integrated out, see [optbn_compiled_mixed].
#'
#' In networks of trees over continuous nodes, unobserved nodes without observed descendants are
#' left out, because they sum or integrate to 1 (Shachter 1986). Each group of missing discrete
#' nodes that depend on each other is summed out if it has at most 4,096 joint configurations. If
#' another node is missing in a row, the result is `NA`, and one message reports the number of such
#' rows.
#'
#' If a factor has a level `NA`, as made by [addNA()], and the model has this level, `NA` is that
#' level. In all other columns `NA` is a missing value.
#'
#' The rows may be new. A value outside the range of a tree counts as the nearest value inside, and
#' a message reports this. Densities of continuous columns are per unit of the column, so they are
#' comparable only between models of the same columns.
#'
#' @return A numeric vector with one natural logarithm per row: `-Inf` for a row of probability
#'   zero, and 0 for a row without observed values. Its sum is the log-likelihood of the rows,
#'   `logLik(model, newdata = data)`.
#'
#' @section Errors: `optbn_error_data` if a column has a level that the model does not have, is not
#'   numeric although the node is, or contains infinite numbers; `optbn_error_argument` if `model`
#'   is not a model; for a network of class `bn.fit`, those of [compile_network()].
#'
#' @references
#' Shachter, R. D. (1986). Evaluating influence diagrams. *Operations Research* 34, 871-882.
#' \doi{10.1287/opre.34.6.871}
#'
#' @seealso [logLik.optbn_fit()]
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' # the most unusual flowers under the network
#' iris[order(log_density(fit, iris))[1:3], ]
#'
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' people <- data.frame(Class = c("1st", NA), Sex = c("Male", NA), Age = c(NA, "Adult"),
#'                      Survived = c("No", "Yes"))
#' log_density(fit, people)
#' @export
log_density <- function(model, data, ...) {
  require_arguments()
  UseMethod("log_density")
}

#' @rdname log_density
#' @export
log_density.optbn_fit <- function(model, data, threads = NULL, ...) {
  row_log_densities(model, data, "data", threads, environment())
}

# `arg` and `call`: what the user knows `data` as, and called.
row_log_densities <- function(model, data, arg, threads, call) UseMethod("row_log_densities")

#' @export
row_log_densities.optbn_fit <- function(model, data, arg, threads, call) {
  check_sound(model, call)
  values <- encode_partial(model, data, arg, call)
  if (has_gaps(values)) {
    compiled <- compile_where_exact(model, call)
    if (!is.null(compiled)) return(row_log_densities(compiled, data, arg, threads, call))
    completed <- log_densities_of_gaps(model, values, nrow(data), call)
    if (!is.null(completed)) return(completed)
  }
  announce_outside(model$models, values)
  answer_known_rows(model, values, nrow(data), NULL, function(models, values, rows) {
    cbind(Reduce(`+`, lapply(models, local_log_density, values), numeric(rows)))
  }, arg, sum_out = function(models, values, rows, known) {
    summed_log_density(model, models, values, rows, known)
  })[, 1L]
}

#' @export
log_density.default <- function(model, data, ...) {
  abort_optbn("argument",
              c(paste("{.arg model} must be a fitted network, as {.fn fit_network} returns it, or",
                      "a density model, as {.fn learn_cutset} returns it."),
                x = "It is {describe(model)}."))
}
