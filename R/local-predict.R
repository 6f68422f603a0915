# What one local model says of its node, given its parents alone.

#' Predict From One Local Model
#'
#' Computes the distribution of a node given only its parents, from the tree, table or regression
#' that [local_model()] returns. It ignores the children of the node, which [predict.optbn_fit()]
#' takes into account.
#'
#' @param object A local model, from [local_model()].
#' @param newdata A data frame with the columns of the parents, and for `type = "density"` also that
#'   of the node. Other columns are ignored.
#' @param na_level For a discrete node with a level `NA`, as made by [addNA()]: may that level be
#'   predicted? By default it may not, and the probabilities are conditional on the other levels.
#'   (If there are no other levels, `NA` is predicted.)
#' @param type What to return, see *Value*.
#' @param ... Ignored.
#'
#' @return One element or row for each row of `newdata`:
#' * `"response"`: for a discrete node a factor, the most probable level (the first one if several
#'   are); for a continuous node a numeric vector, the centre of its distribution, which is its mean
#'   if that exists.
#' * `"prob"`, for a discrete node: a matrix of probabilities with a column per level (the level
#'   `NA` is included only if `na_level = TRUE`).
#' * `"distribution"`, for a continuous node: a data frame with the columns `mean` and `sd`, and for
#'   trees and discretised tables also `scale` and `df`, the degrees of freedom of a Student t
#'   distribution (`Inf` for a normal one). With `df` of at most 2 the standard deviation is
#'   infinite; with at most 1, as an empty region has by default, there is no mean, and `mean` is
#'   the centre.
#' * `"density"`: the probability, or the density in the unit of the data, of the node's own value;
#'   `NA` if it is missing.
#'
#' If a parent is missing in a row, or has no column, the result is `NA`, and a message reports
#' this.
#'
#' A value of a parent outside the range of the tree counts as the nearest value inside, and a
#' message reports this.
#'
#' @section Errors: `optbn_error_data` if a column has a level that the model does not have, is not
#'   numeric although the node is, or contains infinite numbers; `optbn_error_argument` for a
#'   malformed argument.
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
                                type = c("response", "prob", "distribution", "density"),
                                na_level = FALSE, ...) {
  require_arguments()
  check_sound(object)
  node <- object$node
  model <- list(levels = local_levels(object), models = set_names(list(object), node),
                parents = set_names(list(object$parents), node))
  levels <- model$levels[[node]]
  type <- check_prediction_type(type, node, levels)
  check_flag(na_level, "na_level")
  values <- encode_partial(model, newdata, "newdata", environment(),
                           c(object$parents, if (type == "density") node))
  announce_outside(list(object), values)
  answer <- answer_known_rows(model, values, nrow(newdata), node, function(models, values, rows) {
    if (is.null(levels) && type == "density") {
      return(cbind(density = exp(local_log_density(object, values))))
    }
    local_distribution(object, values, rows)
  }, remedy = "{.fn predict} of the fitted network does not need all parents.")
  if (!is.null(levels)) {
    return(predict_level(answer, model, node, type, values[[node]], na_level))
  }
  answer <- as.data.frame(answer)
  switch(type, response = answer$mean, distribution = answer, density = answer$density)
}

# Level labels of the node and its parents, by name; NULL for continuous ones.
local_levels <- function(model) UseMethod("local_levels")

#' @export
local_levels.optbn_partition <- function(model) {
  c(lapply(model$partition$axes, `[[`, "levels"), set_names(list(model$levels), model$node))
}

#' @export
local_levels.optbn_table <- function(model) {
  set_names(dimnames(model$prob), c(model$node, model$parents))
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
