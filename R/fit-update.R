# update() of a fitted network: parameters from the rows that it was fitted to and new ones, without
# the former. What each kind of local model depends on is few numbers, which it keeps.

#' Add Rows to a Fitted Network
#'
#' Returns the fit that [fit_network()] would give for the earlier rows and `newdata` together. The
#' earlier rows are not needed, because a fit stores the counts, or sums of squares and products, on
#' which its parameters depend. Structure, method, prior, and the regions of trees and discretised
#' tables do not change.
#'
#' @param object A fitted network from [fit_network()], with `method = "bayes"` or `"mle"`.
#' @param newdata A data frame with a complete column for every node, with levels of the fit.
#' @param weights `NULL`, or the weight of each row of `newdata`: numbers of at least 0.
#' @param ... Must be empty.
#'
#' @return A fitted network. Its `log_likelihood` is that of all rows under the new parameters. It
#'   is `NA` at nodes with Student t distributions in their regions, for which the stored sums do
#'   not suffice; [logLik()] without data is then also `NA`.
#'
#' @section Errors: `optbn_error_argument` for a fit with `method = "em"`, which depends on each row
#'   with missing values, for a network under an intervention, for a fit without stored counts (from
#'   an earlier version), and for malformed weights; `optbn_error_data` for rows that cannot be
#'   used.
#'
#' @seealso [fit_network()]; [update()][update.optbn] for a search that goes on.
#' @examples
#' first <- fit_network("[Species][Petal.Width|Species]", iris[seq(1, 150, by = 2), ])
#' both <- update(first, iris[seq(2, 150, by = 2), ])
#' all.equal(coef(both), coef(fit_network("[Species][Petal.Width|Species]", iris)))
#' @export
update.optbn_fit <- function(object, newdata, ..., weights = NULL) {
  require_arguments()
  call <- environment()
  check_sound(object)
  check_no_dots()
  check_updatable(object, call)
  columns <- encode_newdata(object, newdata, object$nodes, call = call)
  weights <- check_weights(weights, nrow(newdata), call, fractions = TRUE, of = "newdata") %||%
    rep(1, nrow(newdata))
  rows <- weights > 0
  observed <- list(columns = lapply(columns, `[`, rows), levels = object$levels,
                   weights = weights[rows])
  object$models <- lapply(object$models, with_rows, observed, object, call)
  object$n <- object$n + sum(weights)
  object$log_likelihood <- vapply(object$models, fitted_log_likelihood, 0, object)
  announce_remarks(object$models)
  object
}

check_updatable <- function(fit, call) {
  reason <- if (length(fit[["do"]])) {
    c(x = "{.arg object} is a network under an intervention.", i = "Update the fit without it.")
  } else if (fit$method == "em") {
    c(x = "{.arg object} was fitted by expectation maximisation, which needs each row.",
      i = "Fit the network again, to all rows, with {.fn fit_network}.")
  } else if (!all(vapply(fit$models, keeps_moments, NA))) {
    c(x = "{.arg object} does not keep the counts that its parameters depend on.",
      i = "Fit the network again with {.fn fit_network}.")
  }
  if (is.null(reason)) return(invisible())
  abort_optbn("argument", c("{.arg object} must be a fit to which rows can be added.", reason),
              call = call)
}

keeps_moments <- function(model) !is.null(model$counts) || !is.null(model$moments)

# ---- local models with more rows ----------------------------------------------------------------

# The local model fitted to its own rows and those observed.
with_rows <- function(model, observed, fit, call) UseMethod("with_rows")

#' @export
with_rows.optbn_table <- function(model, observed, fit, call) {
  labels <- observed$levels[c(model$node, model$parents)]
  sizes <- lengths(labels)
  index <- cell_index(observed$columns, sizes, length(observed$weights))
  more <- count_configurations(index, prod(sizes), observed$weights)
  table_of_counts(model$node, model$parents, labels, model$counts + more, fit$iss)
}

#' @export
with_rows.optbn_regression <- function(model, observed, fit, call) {
  more <- moments_of_rows(model$node, model$levels, model$continuous, observed)
  regression_of_moments(model$node, model$parents, model$levels, model$continuous,
                        joined_moments(model$moments, more), call)
}

# By configuration, in ascending order.
joined_moments <- function(one, other) {
  names <- unique(c(names(one$n), names(other$n)))
  names <- names[order(as.numeric(names))]
  n <- function(moments) ifelse(names %in% names(moments$n), moments$n[names], 0)
  list(n = set_names(n(one) + n(other), names),
       rows = lapply(set_names(names), function(name) {
         short_rows(rbind(one$rows[[name]], other$rows[[name]]))
       }))
}

#' @export
with_rows.optbn_partition <- function(model, observed, fit, call) {
  node <- model$node
  regions <- count_regions(model$partition)
  region <- find_region(model$partition, observed$columns, length(observed$weights))
  prior <- prior_of_leaves(fit)
  if (is.null(model$levels)) {
    more <- leaf_statistics(node, regions, region, observed, unit_of_moments(node, prior))
    seen <- joined_leaves(c(list(n = model$n), model$moments), more)
    if (is.null(prior)) {
      normals <- leaf_normals(seen$n, seen[c("mean", "squares")], whole_of(seen))
      leaves <- c(list(n = seen$n), normals)
      return(new_partition_model(node, model$parents, NULL, model$partition, leaves))
    }
  } else {
    more <- leaf_statistics(node, regions, region, observed, prior)
    seen <- list(counts = model$counts + more$counts)
  }
  fit_leaves(node, model$parents, model$levels, model$partition, seen, prior, model$density)
}

# NULL for maximum likelihood.
prior_of_leaves <- function(fit) {
  if (fit$method == "bayes") partition_prior(fit$score, fit$nodes)
}

# What the moments of a continuous node are standardised by.
unit_of_moments <- function(node, prior) {
  prior %||% list(centre = set_names(0, node), spread = set_names(1, node))
}

# Rows of both, by region.
joined_leaves <- function(one, other) {
  n <- one$n + other$n
  share <- ifelse(n > 0, other$n / n, 0)
  mean <- one$mean + share * (other$mean - one$mean)
  list(n = n, mean = mean,
       squares = one$squares + other$squares + one$n * share * (other$mean - one$mean)^2)
}

# All regions as one.
whole_of <- function(seen) {
  mean <- sum(seen$n * seen$mean) / sum(seen$n)
  list(mean = mean, squares = sum(seen$squares + seen$n * (seen$mean - mean)^2))
}

# ---- likelihoods --------------------------------------------------------------------------------

# Of the rows that a local model was fitted to; NA where they are not known well enough.
fitted_log_likelihood <- function(model, fit) {
  if (!is.null(model$counts)) {
    occurs <- model$counts > 0
    return(sum(model$counts[occurs] * log(as.vector(model$prob)[occurs])))
  }
  moments <- model$moments
  if (inherits(model, "optbn_regression")) {
    used <- as.integer(names(moments$n))
    squares <- mapply(function(rows, i) sum((rows %*% c(-model$coefficients[, i], 1))^2),
                      moments$rows, used)
    return(normal_log_likelihood(moments$n, squares, model$sd[used]))
  }
  if (model$density == "student") return(NA_real_)
  unit <- unit_of_moments(model$node, prior_of_leaves(fit))
  location <- (model$location - unit$centre[[model$node]]) / unit$spread[[model$node]]
  squares <- moments$squares + model$n * (moments$mean - location)^2
  normal_log_likelihood(model$n, unit$spread[[model$node]]^2 * squares, model$scale)
}

# `squares`: sums about the means.
normal_log_likelihood <- function(n, squares, sd) {
  sum(-n * (log(sd) + log(2 * pi) / 2) - squares / (2 * sd^2))
}
