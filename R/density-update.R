# update(): learning of a density goes on.

#' Continue Learning a Density
#'
#' Continues the learning of a density model: further cuts at the leaves of a cutset network,
#' missing components of an ensemble, or further EM steps of a mixture or a hidden tree. The
#' existing parts are kept. A mixture or a hidden tree returns the best step, so it is at least as
#' good on the validation rows, or otherwise on the training rows.
#'
#' @param object A model from [learn_cutset()], [tune_cutset()], [learn_cutset_bag()],
#'   [learn_mixture()] or [learn_hclt()].
#' @param data The rows from which it was learned, or others of the same variables with the same
#'   levels.
#' @param ... Must be empty.
#' @param components For an ensemble: its new number of components, at least the current one; `NULL`
#'   means the requested number.
#' @param iterations For a mixture or a hidden tree: the largest number of further steps; `NULL`
#'   means the requested number.
#' @param validation,weights As in the call of the learner.
#' @param time_limit Seconds after which learning stops and returns the model so far, which another
#'   call continues. An interrupt (Ctrl-C) does the same, with a warning.
#' @inheritParams learn_cutset
#'
#' @return A model of the same class and settings. Its `learning$seconds` and, for a mixture or a
#'   hidden tree, `learning$trace` include the earlier ones.
#'
#' @section Errors: `optbn_error_argument` for a model that cannot be continued: a Chow-Liu tree, a
#'   stack, a part of a model; `optbn_error_data` if `data` does not have the variables and levels
#'   of the model; otherwise as the learner.
#'
#' @seealso [learn_cutset()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' set.seed(1)
#' tree <- learn_hclt(titanic[1:4], states = 4, weights = titanic$Freq, iterations = 5)
#' logLik(tree)
#' logLik(update(tree, titanic[1:4], weights = titanic$Freq, iterations = 100))
#' @export
update.optbn_density <- function(object, data, ..., components = NULL, iterations = NULL,
                                 validation = NULL, weights = NULL, threads = NULL,
                                 time_limit = Inf, memory_limit = NULL,
                                 progress = interactive()) {
  require_arguments()
  call <- environment()
  check_no_dots()
  check_density(object, call)
  go_on <- check_continuable(object, components, iterations, call)
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  settings <- object$learning$settings
  if (!is.null(components)) {
    settings$components <- check_count(components, "components",
                                       minimum = length(object$components), call = call)
  }
  if (!is.null(iterations)) {
    settings$iterations <- check_count(iterations, "iterations", minimum = 1, call = call)
  }
  encoded <- encode_like(data, object, weights, call)
  held_out <- encode_held_out(validation, encoded, call = call)
  model <- go_on(encoded, held_out, settings, limits, call)
  model$learning$seconds <- model$learning$seconds + object$learning$seconds
  model$learning$grid <- object$learning$grid
  with_steps_before(model, object$learning)
}

# The first step of those that follow is what they began with, the best step of those before.
with_steps_before <- function(model, before) {
  if (!before$learner %in% stepwise_learners) return(model)
  trace <- model$learning$trace
  trace$step <- trace$step + nrow(before$trace) - 1L
  common <- intersect(names(before$trace), names(trace))
  model$learning$trace <- rbind(before$trace[common], trace[-1L, common], make.row.names = FALSE)
  best <- model$learning$best_step
  model$learning$best_step <- if (best == 1L) before$best_step else best + nrow(before$trace) - 1L
  model
}

stepwise_learners <- c("learn_mixture", "learn_hclt")

# How a learner goes on, a function of the data, the settings and the limits. `components` and
# `iterations` must be NULL where they mean nothing.
check_continuable <- function(object, components, iterations, call) {
  learner <- object$learning$learner
  if (length(object$learning$part_of)) {
    abort_optbn("argument",
                c("{.arg object} must be a model as a learner returned it.",
                  x = "It is a part of one, {.cls {object$learning$part_of}}."),
                call = call)
  }
  if (!learner %in% c("learn_cutset", "learn_cutset_bag", "learn_mixture", "learn_hclt")) {
    abort_optbn("argument",
                c("A model from {.fn {learner}} cannot be continued.",
                  i = "Learn it again from all rows."),
                call = call)
  }
  misplaced <- c(
    components = !is.null(components) && learner != "learn_cutset_bag",
    iterations = !is.null(iterations) && !learner %in% stepwise_learners
  )
  if (any(misplaced)) {
    abort_optbn("argument",
                "{.arg {names(misplaced)[misplaced]}} is not an argument for {.fn {learner}}.",
                call = call)
  }
  switch(learner,
    learn_cutset = function(encoded, held_out, settings, limits, call) {
      cut_leaves(encoded, held_out, settings, object, limits, call)
    },
    learn_cutset_bag = function(encoded, held_out, settings, limits, call) {
      add_components(object, encoded, held_out, settings, limits, call)
    },
    learn_mixture = function(encoded, held_out, settings, limits, call) {
      step_mixture(encoded, held_out, settings, object, limits, call)
    },
    learn_hclt = function(encoded, held_out, settings, limits, call) {
      step_latent_tree(encoded, held_out, settings, object, limits, call)
    }
  )
}

# encode_training() of rows with the variables and levels of a model.
encode_like <- function(data, model, weights, call) {
  data <- as_binary_frame(data, model$nodes, "data", call)
  check_newdata(data, model$nodes, "data", call)
  encode_training(data[model$nodes], weights, call, like = model)
}
