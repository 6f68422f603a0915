# Fitted networks as data frames, for the generics of packages generics and broom.

#' Fitted Networks as Data Frames
#'
#' Methods for the generics of package \pkg{generics} (and so of \pkg{broom}).
#'
#' @param x A fitted network from [fit_network()].
#' @param data,newdata A data frame with columns of the nodes, as in [log_density()] and
#'   [predict.optbn_fit()]; give one of the two. (A fit does not store its rows.)
#' @param node The node to predict, `NULL` for none. If [learn_classifier()] learned the network,
#'   its class is predicted.
#' @param ... Ignored.
#'
#' @return
#' * `tidy()`: the parameters, one per row: the `node`; `given`, a description of the configuration
#'   or region of its parents, empty if it has none; `term`, the parameter: a level of a discrete
#'   node, `(Intercept)`, a parent, `sd`, `location`, `scale`, `df`, or `value` for a continuous
#'   node that was set ([intervene()]); and the `estimate`.
#' * `glance()`: one row: the numbers of `nodes` and `arcs`; `df`, the number of free parameters;
#'   `logLik`, `AIC`, `BIC` (with R's signs, see [optbn_fit-methods]) and `nobs`; `method`, as in
#'   [fit_network()]; and `score`, for trees and discretised tables (otherwise `NA`).
#' * `augment()`: the data with further columns: `.log_density` of each row, see [log_density()].
#'   With `node`, there are also `.fitted`, the most probable level or the mean of this node given
#'   the other columns; `.probability` (of that level) or `.sd`; and, if the data have the column of
#'   a continuous node, `.resid`, its value minus `.fitted`.
#' @section Errors: `optbn_error_argument` if there are no data; otherwise those of
#'   [log_density()].
#' @seealso [summary()][optbn_fit-methods], [predict.optbn_fit()]; [tidy.optbn()] for networks.
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length]", iris)
#' generics::tidy(fit)
#' generics::glance(fit)
#' head(generics::augment(fit, iris, node = "Species"), 3)
#' @name tidy.optbn_fit
NULL

#' @rdname tidy.optbn_fit
#' @exportS3Method generics::tidy
tidy.optbn_fit <- function(x, ...) {
  check_sound(x)
  do.call(rbind, c(unname(lapply(x$models, parameter_rows)), list(make.row.names = FALSE)))
}

# node, given, term, estimate: the parameters of one configuration or region follow each other.
parameter_rows <- function(model) {
  parameters <- parameter_matrix(model)
  data.frame(node = model$node, given = rep(given_in_words(model), each = nrow(parameters)),
             term = rep(rownames(parameters), ncol(parameters)), estimate = as.vector(parameters))
}

# A column for each configuration or region.
parameter_matrix <- function(model) {
  if (inherits(model, "optbn_set") && is.null(model$prob)) {
    return(matrix(model$value, dimnames = list("value", NULL)))
  }
  if (inherits(model, "optbn_regression")) return(rbind(model$coefficients, sd = model$sd))
  if (inherits(model, "optbn_table")) {
    return(structure(as_columns(model), dimnames = list(dimnames(model$prob)[[1L]], NULL)))
  }
  parameters <- coef(model)
  if (is.null(model$levels)) t(parameters) else parameters
}

given_in_words <- function(model) {
  partition <- model$partition %||% table_partition(discrete_labels(model))
  if (length(partition$axes)) describe_regions(partition) else ""
}

# Level labels of the discrete parents of a table or regression.
discrete_labels <- function(model) {
  if (inherits(model, "optbn_regression")) return(model$levels)
  set_names(unname(dimnames(model$prob)[-1L]), model$parents)
}

# The configurations of discrete parents.
table_partition <- function(labels) {
  new_joint_table(lapply(labels, function(levels) {
    list(type = "levels", levels = levels, ordered = FALSE)
  }))
}

#' @rdname tidy.optbn_fit
#' @exportS3Method generics::glance
glance.optbn_fit <- function(x, ...) {
  check_sound(x)
  df <- count_parameters(x)
  value <- total_log_likelihood(x)
  data.frame(
    nodes = length(x$nodes), arcs = sum(lengths(x$parents)), df = df, logLik = value,
    AIC = 2 * df - 2 * value, BIC = log(x$n) * df - 2 * value, nobs = x$n, method = x$method,
    score = x$score$label %||% NA_character_
  )
}

#' @rdname tidy.optbn_fit
#' @exportS3Method generics::augment
augment.optbn_fit <- function(x, data = NULL, newdata = data, node = NULL, ...) {
  check_sound(x)
  if (is.null(newdata)) {
    abort_optbn("argument",
                c("{.arg data} must be given.",
                  i = "A fit does not store its data."))
  }
  densities <- log_density(x, newdata)
  known <- if (is.null(node)) learned_class(x) else check_node(node, x)
  added <- list(.log_density = densities)
  if (!is.null(known)) added <- c(added, fitted_columns(x, newdata, known))
  for (column in names(added)) newdata[[column]] <- added[[column]]
  newdata
}

fitted_columns <- function(fit, newdata, node) {
  if (!is.null(fit$levels[[node]])) {
    prob <- predict(fit, newdata, node, type = "prob")
    fitted <- predict(fit, newdata, node)
    at <- match(as.character(fitted), colnames(prob))
    return(list(.fitted = fitted, .probability = prob[cbind(seq_along(at), at)]))
  }
  posterior <- predict(fit, newdata, node, type = "distribution")
  own <- newdata[[node]]
  list(.fitted = posterior$mean, .sd = posterior$sd,
       .resid = if (is.numeric(own)) own - posterior$mean)
}
