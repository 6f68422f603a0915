# Mixtures of models that are learned already.

#' Combine Densities by Stacking
#'
#' Combines models of the same variables into a weighted average, whose weights maximise the
#' likelihood of rows from which none of the models was learned (stacking). Because it is an average
#' of exact models, its queries are exact, except for the most probable state.
#'
#' @param models A list of models from [learn_cutset()] and the other learners of densities. A
#'   mixture may be among them.
#' @param validation Rows of the same variables from which none of the models was learned. Missing
#'   values are summed out.
#' @param by The units that get weights: `"model"`, each of `models` (the relative weights within a
#'   mixture do not change); or `"component"`, each of their components, which fits the rows better,
#'   and overfits if there are few rows.
#' @inheritParams learn_cutset
#' @param time_limit Seconds after which the current weights are returned, as after an interrupt
#'   (Ctrl-C), with a warning.
#'
#' @details
#' The log-likelihood is a concave function of the weights. Expectation-maximisation from equal
#' weights finds its maximum. Components of weight below 1e-9 are left out.
#'
#' @return An object of class `c("optbn_mixture", "optbn_density")`: a list with the elements
#'   `nodes`, `levels`, `prototype`, `weights` and `components` (those of positive weight; both are
#'   named if `models` are), `learning` and `handle`, all described in [optbn_density]. `learning`
#'   has `learner`, `settings` (`by`), `models`, `status`, `validation` (the mean log-likelihood of
#'   the validation rows under the stack) and `seconds`. `models` is a data frame with a row for
#'   each of the models: `model`, its class; `weight` in the stack; and `validation`, its own mean
#'   log-likelihood of the validation rows. The stack does not keep the rows from which its models
#'   were learned: `n` is `NULL`, [logLik()] needs `newdata`, and [nobs()] is `NA`.
#'
#' @section Errors:
#' `optbn_error_argument` if `models` is not a list of models of the same variables with the same
#' levels, in the same order; `optbn_error_data` for rows with other columns or levels.
#'
#' @references
#' Smyth, P. and Wolpert, D. (1999). Linearly combining density estimators via stacking. *Machine
#' Learning* 36, 59-83. \doi{10.1023/A:1007511322260}
#'
#' @seealso [learn_cutset_bag()], [learn_mixture()], [learn_hclt()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' rows <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
#' set.seed(1)
#' held_out <- sample(nrow(rows), 500)
#' models <- list(learn_chow_liu(rows[-held_out, ]), learn_hclt(rows[-held_out, ], states = 4))
#' stack <- stack_densities(models, rows[held_out, ])
#' stack$learning$models
#' @export
stack_densities <- function(models, validation, by = c("model", "component"), threads = NULL,
                            time_limit = Inf, progress = interactive()) {
  require_arguments()
  call <- environment()
  by <- check_choice(by, c("model", "component"), "by", call)
  limits <- check_limits(threads, time_limit, NULL, progress, call)
  check_models(models, call)
  require_validation(validation, "stack_densities()", call)
  first <- models[[1L]]
  like <- structure(list(nodes = first$nodes, levels = unname(first$levels),
                         types = rep("factor", length(first$nodes)), prototype = first$prototype),
                    class = "optbn_encoded_data")
  held_out <- encode_held_out(validation, like, call = call)
  each <- lapply(models, densities_to_weigh, held_out, by, limits, call)
  fitted <- call_core(
    core_fit_weights(do.call(cbind, each), rep(1, held_out$rows),
                     host_within(limits, "Computing weights")),
    call = call, remedy = "stack fewer {.arg models}"
  )
  owner <- rep(seq_along(models), vapply(each, ncol, 0L))
  parts <- Map(stacked_part, models, split(fitted$weights, owner), by)
  found <- list(weights = unlist(lapply(parts, `[[`, "weights")),
                components = do.call(c, lapply(parts, `[[`, "components")),
                reason = fitted$reason)
  record <- list(
    learner = "stack_densities", settings = list(by = by),
    models = data.frame(
      model = vapply(models, function(model) class(model)[1L], ""),
      weight = as.vector(rowsum(fitted$weights, owner)),
      validation = mapply(function(model, each) {
        mean(if (by == "model") each else mixed_log_densities(each, model$weights))
      }, models, each)
    )
  )
  learned_density("optbn_mixture", without_weightless(found), like, held_out, record, limits,
                  call)
}

check_models <- function(models, call) {
  if (!(is.list(models) && length(models) > 0L && all(vapply(models, is_density_model, NA)))) {
    abort_optbn("argument",
                c("{.arg models} must be a list of densities, as {.fn learn_cutset} returns them.",
                  x = "It is {describe(models)}."),
                call = call)
  }
  first <- models[[1L]]
  for (model in models[-1L]) {
    check_same_nodes(model$nodes, first$nodes, "All {.arg models} must have the same variables.",
                     call)
    check_same_levels(model, first, call)
  }
}

check_same_levels <- function(model, first, call) {
  same <- identical(model$nodes, first$nodes) && identical(model$levels, first$levels)
  if (same) return(invisible())
  odd <- Filter(function(node) !identical(model$levels[[node]], first$levels[[node]]), first$nodes)
  abort_optbn("argument",
              c(paste("All {.arg models} must have the same variables with the same levels, in the",
                      "same order."),
                x = if (length(odd)) "Levels of {.val {odd}} differ." else "Their order differs."),
              call = call)
}

# Log-densities of the rows, with a column for everything that gets a weight.
densities_to_weigh <- function(model, rows, by, limits, call) {
  ask <- if (by == "model") core_row_log_probabilities else core_component_log_densities
  host <- host_within(limits, "Computing log densities")
  as.matrix(call_core(ask(handle_of(model), rows$columns, rows$rows, host), call = call,
                      remedy = "stack fewer {.arg models}"))
}

# Of a mixture, by row. `each`: those of its components.
mixed_log_densities <- function(each, weights) {
  largest <- do.call(pmax, as.data.frame(each))
  ifelse(is.infinite(largest), -Inf, largest + log(drop(exp(each - largest) %*% weights)))
}

stacked_part <- function(model, weights, by) {
  list(weights = if (by == "model") weights * model$weights else weights,
       components = model$components)
}

without_weightless <- function(found, least = 1e-9) {
  kept <- found$weights >= least
  found$weights <- found$weights[kept] / sum(found$weights[kept])
  found$components <- found$components[kept]
  found
}
