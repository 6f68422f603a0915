# What one local model says of its node, given its parents alone.

#' Predict From One Local Model
#'
#' The distribution of a node given its parents alone, from the tree, table or regression that
#' [local_model()] gives. What the children of the node have to say is left out:
#' [predict.optbn_fit()] takes them into account.
#'
#' @param object A local model, from [local_model()].
#' @param newdata A data frame with the columns of the parents, complete; for `type = "density"`
#'   with the column of the node too. Other columns are not looked at.
#' @param type What to return, see *Value*.
#' @param ... Ignored.
#'
#' @return One element or row for each row of `newdata`:
#' * `"response"`: for a discrete node a factor, the most probable level (the first one of several);
#'   for a continuous node a numeric vector, the centre of its distribution, which is its mean
#'   wherever that exists.
#' * `"prob"`, for a discrete node: a matrix of probabilities with a column per level.
#' * `"distribution"`, for a continuous node: a data frame with the columns `mean` and `sd` and, for
#'   the Student t distribution, `scale` and `df`, its degrees of freedom (`Inf`: a normal
#'   distribution). With `df` of at most 2 the standard deviation is infinite; with at most 1, as
#'   an empty region has by default, there is no mean, and `mean` is the centre.
#' * `"density"`: the probability, or the density in the unit of the data, of the node's own value.
#'
#' A value of a parent outside the range that a tree divides counts as the nearest inside it, and a
#' message says so.
#'
#' @section Errors:
#' `optbn_error_data` if a column is missing or has missing values, or a level that the model does
#' not know; `optbn_error_argument` for a malformed argument.
#'
#' @references
#' Talvitie, T., Eggeling, R. and Koivisto, M. (2018). Finding optimal Bayesian networks with local
#' structure. *Proceedings of Machine Learning Research* 72, 451-462.
#'
#' @seealso [local_model()], [predict.optbn_fit()]
#' @examples
#' fit <- fit_network(learn_dag(iris, "pcart"), iris)
#' model <- local_model(fit, "Species")
#' model
#' predict(model, iris[c(1, 51, 101), ], type = "prob")
#' @export
predict.optbn_local <- function(object, newdata,
                                type = c("response", "prob", "distribution", "density"), ...) {
  require_arguments()
  check_sound(object)
  type <- check_choice(type, c("response", "prob", "distribution", "density"), "type")
  labels <- local_levels(object)
  own <- labels[[object$node]]
  whole <- if (is.null(own)) "distribution" else "prob"
  if (!type %in% c("response", whole, "density")) {
    kind <- if (is.null(own)) "continuous" else "discrete"
    abort_optbn("argument",
                c("{.arg type} must be {.or {.val {c('response', whole, 'density')}}}.",
                  x = "Node {.val {object$node}} is {kind}."))
  }
  needed <- c(object$parents, if (type == "density") object$node)
  values <- encode_newdata(list(levels = labels), newdata, needed)
  announce_outside(list(object), values)
  if (type == "density") return(exp(local_log_density(object, values)))

  distribution <- local_distribution(object, values, nrow(newdata))
  if (type == whole) return(distribution)
  if (is.null(own)) return(distribution$mean)
  factor(own[max.col(distribution, ties.method = "first")], levels = own)
}

# Level labels of the node and its parents, by name; NULL for continuous ones.
local_levels <- function(model) UseMethod("local_levels")

#' @export
local_levels.optbn_partition <- function(model) {
  c(lapply(model$partition$axes, `[[`, "levels"), rlang::set_names(list(model$levels), model$node))
}

#' @export
local_levels.optbn_table <- function(model) {
  rlang::set_names(dimnames(model$prob), c(model$node, model$parents))
}

#' @export
local_levels.optbn_regression <- function(model) model$levels

# The distribution row by row: of a discrete node a matrix of probabilities with
# a column per level, of a continuous one a data frame with mean and sd at least.
local_distribution <- function(model, values, rows) UseMethod("local_distribution")

#' @export
local_distribution.optbn_partition <- function(model, values, rows) {
  region <- find_region(model$partition, values, rows)
  if (!is.null(model$levels)) return(t(model$prob[, region, drop = FALSE]))
  leaf_distributions(model, region)
}

#' @export
local_distribution.optbn_table <- function(model, values, rows) {
  prob <- as_columns(model)
  rownames(prob) <- dimnames(model$prob)[[1L]]
  t(prob[, cell_index(values, parent_sizes(model), rows), drop = FALSE])
}

#' @export
local_distribution.optbn_regression <- function(model, values, rows) {
  as.data.frame(regression_normal(model, values, rows))
}

leaf_distributions <- function(model, region) {
  df <- model$df[region]
  scale <- model$scale[region]
  data.frame(mean = model$location[region],
             sd = scale * ifelse(df > 2, 1 / sqrt(1 - 2 / df), Inf),
             scale = scale, df = df)
}
