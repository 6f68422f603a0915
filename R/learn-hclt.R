# Hidden Chow-Liu trees.

#' Learn a Hidden Chow-Liu Tree
#'
#' Learns a density with a hidden variable for every variable. The hidden variables form a tree with
#' the edges of the Chow-Liu tree, and each variable depends only on its hidden variable. These are
#' summed out exactly, in time linear in the size of the tree. Tables are learned by
#' expectation-maximisation.
#'
#' @inheritParams learn_mixture
#' @param states The number of states of every hidden variable, from 1 to 65,535.
#' @param validation Further rows, like `data`: learning stops when their likelihood no longer
#'   rises. Without them, the likelihood of the training rows decides, which hardly ever stops
#'   rising, and many states overfit.
#' @param alpha A pseudo-count for every cell of a table, at least 0.
#' @param iterations The largest number of steps. The first 20 steps process the rows in batches
#'   with a small update after each, and achieve about as much as a hundred of the other steps,
#'   which use all rows at once.
#' @param time_limit Seconds after which learning stops with the best step so far. An interrupt
#'   (Ctrl-C) does the same, with a warning. [update.optbn_density()] continues.
#' @param patience The number of steps without a gain, after the first 20, that ends learning; the
#'   best step is returned.
#'
#' @return An object of class `c("optbn_latent_tree", "optbn_density")`: a list with the elements
#'   `nodes`, `levels`, `prototype`, `weights` (1), `components` (one), `learning` and `handle`, all
#'   described in [optbn_density]. `learning` has `learner`, `settings` (`states`, `alpha`,
#'   `iterations`, `patience`), `n`, `status`, `trace`, `best_step`, `log_likelihood` and `seconds`;
#'   `validation`, if there are validation rows; and `missing`, if values are missing. `trace` is a
#'   data frame with the `step` and the mean log-likelihood: of the `training` rows, computed during
#'   the step, before its update; and of the `validation` rows, if there are any, after the step.
#'
#' @section Missing values:
#' Values may be missing, see [learn_cutset()]. They are summed out exactly, as hidden variables
#' are, and steps that use all rows never lower the log-likelihood of the observed values plus the
#' log-prior of the pseudo-counts. The tree is that of [learn_chow_liu()].
#'
#' @section Errors: As [learn_cutset()].
#'
#' @references
#' Liu, A. and Van den Broeck, G. (2021). Tractable regularization of probabilistic circuits.
#' *Advances in Neural Information Processing Systems* 34, 3558-3570.
#' \doi{10.48550/arXiv.2106.02264}
#'
#' @seealso [learn_mixture()], [stack_densities()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' set.seed(1)
#' tree <- learn_hclt(titanic[1:4], states = 4, weights = titanic$Freq)
#' tree
#' query(tree, "Survived", list(Sex = "Female", Class = "3rd"))
#' @export
learn_hclt <- function(data, states = 16, validation = NULL, alpha = 0.02, iterations = 100,
                       patience = 3, weights = NULL, threads = NULL, time_limit = Inf,
                       memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  settings <- c(
    list(states = check_count(states, "states", minimum = 1, maximum = 65535, call = call),
         alpha = check_number(alpha, "alpha", minimum = 0, call = call)),
    step_settings(iterations, patience, call)
  )
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  encoded <- encode_training(data, weights, call, limits$memory_limit)
  held_out <- encode_held_out(validation, encoded, call = call)
  step_latent_tree(encoded, held_out, settings, NULL, limits, call)
}

# `start`: a hidden tree to go on from, or NULL.
step_latent_tree <- function(encoded, held_out, settings, start, limits, call) {
  # tables, the best ones, and counts: of all rows, of a batch, of up to 8 strips
  require_pair_memory(encoded, 2, limits, call,
                      bytes = 8 * 12 * length(encoded$nodes) * settings$states^2)
  found <- call_core(
    core_learn_latent_tree(encoded, held_out, core_steps(settings, goes_on = !is.null(start)),
                           start[c("weights", "components")],
                           host_within(limits, "Learning a hidden tree", random_seed())),
    call = call, remedy = "choose fewer {.arg states}"
  )
  learned_density("optbn_latent_tree", found, encoded, held_out,
                  list(learner = "learn_hclt", settings = settings), limits, call)
}
