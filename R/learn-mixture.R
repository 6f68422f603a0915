# Mixtures by expectation-maximisation, and what learners by steps share.

#' Learn a Mixture of Trees or Cutset Networks
#'
#' Learns a weighted sum of Chow-Liu trees (MT) or of cutset networks (MCNet) by
#' expectation-maximisation. Each step computes the responsibility of each component for each row,
#' and learns the components again from the rows, weighted by their responsibilities.
#'
#' @inheritParams learn_cutset
#' @param components The number of components; if `start` is a matrix, its number of columns is used
#'   instead.
#' @param base What the components are: `"chow-liu"`, trees without cuts; `"cnet"`, cutset networks
#'   with few cuts, learned by algorithm `"cnet"` of [learn_cutset()].
#' @param validation Further rows, like `data`: learning stops when their likelihood no longer
#'   rises. Without them, the likelihood of the training rows decides, and many components overfit.
#' @param alpha The number of imaginary rows, at least 0, which are spread evenly over the cells of
#'   every table of a component. The default is one row for each cell of two variables with two
#'   levels.
#' @param max_depth With `base = "cnet"`, the largest number of cuts between the root and a leaf.
#' @param start How a start distributes the rows over the components: `"hard"`, each row to one, at
#'   random; `"soft"`, each row to all by random shares (with many variables, the components are
#'   then nearly equal and hardly ever separate); or a matrix of shares, for example from a
#'   clustering, with a row for each row of `data` and a column for each component, whose rows sum
#'   to 1.
#' @param starts The number of random starts. The best one is returned: that of the largest
#'   likelihood of the validation rows or, without these, of the training rows. [Several
#'   processes][several-processes] can share them.
#' @param iterations The largest number of steps of a start.
#' @param patience The number of steps without a gain of more than 1e-4 in the mean log-likelihood
#'   after which a start ends; the best step is returned.
#' @param time_limit Seconds after which learning stops and returns the best step so far. An
#'   interrupt (Ctrl-C) does the same, with a warning. [update.optbn_density()] continues.
#'
#' @return An object of class `c("optbn_mixture", "optbn_density")`: a list with the elements
#'   `nodes`, `levels`, `prototype`, `weights` and `components` (of the mixture), `learning` and
#'   `handle`, all described in [optbn_density]. `learning` has `learner`, `settings` (`components`,
#'   `base`, `start`, `starts`, `cutset`, `iterations`, `patience`), `n`, `status`, `trace`,
#'   `best_step`, `log_likelihood` and `seconds`; `validation`, if there are validation rows; and
#'   `missing`, if values are missing. `trace` is a data frame with the `step` and the mean
#'   log-likelihood after every step of the best start: of the `training` rows, and of the
#'   `validation` rows, if there are any.
#'
#' @section Missing values:
#' Values may be missing, see [learn_cutset()]. They are summed out of the responsibilities. A tree
#' is learned exactly from its own expected counts, so a step never lowers the penalised
#' log-likelihood of the observed values. Cutset networks are learned from their own completions of
#' the rows. The first components are learned from the available cases of the rows in a start.
#' Identical rows are merged, and their shares in a matrix `start` are averaged.
#'
#' @section Errors: Those of [learn_cutset()].
#'
#' @references
#' \enc{Meilă}{Meila}, M. and Jordan, M. I. (2000). Learning with mixtures of trees. *Journal of
#' Machine Learning Research* 1, 1-48.
#'
#' Rahman, T., Kothalkar, P. and Gogate, V. (2014). Cutset networks: a simple, tractable, and
#' scalable approach for improving the accuracy of Chow-Liu trees. *ECML PKDD 2014*, LNCS 8725,
#' 630-645. \doi{10.1007/978-3-662-44851-9_40}
#'
#' @seealso [learn_hclt()], [stack_densities()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' set.seed(1)
#' mixture <- learn_mixture(titanic[1:4], 3, weights = titanic$Freq)
#' mixture
#' logLik(mixture)
#' @export
learn_mixture <- function(data, components = 10, base = c("chow-liu", "cnet"), validation = NULL,
                          alpha = 4, max_depth = 3, start = c("hard", "soft"), starts = 1,
                          iterations = 100, patience = 3, weights = NULL, threads = NULL,
                          time_limit = Inf, memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  base <- check_choice(base, c("chow-liu", "cnet"), "base", call)
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  encoded <- encode_training(data, weights, call, limits$memory_limit)
  given <- is.matrix(start)
  shares <- if (given) {
    merged_shares(check_shares(start, nrow(data), weights, call), weights[weights > 0], encoded)
  }
  if (given) components <- ncol(shares)
  settings <- c(
    list(
      components = check_count(components, "components", minimum = 1, call = call),
      base = base,
      start = if (given) "given" else check_start(start, call),
      starts = check_count(starts, "starts", minimum = 1, call = call),
      cutset = cut_settings("cnet", encoded$total, prior = "uniform", alpha = alpha,
                            max_depth = max_depth, call = call)
    ),
    step_settings(iterations, patience, call)
  )
  held_out <- encode_held_out(validation, encoded, call = call)
  step_mixture(encoded, held_out, settings, shares, limits, call)
}

check_start <- function(start, call) {
  if (is.character(start)) return(check_choice(start, c("hard", "soft"), "start", call))
  abort_optbn("argument",
              c(paste("{.arg start} must be {.val hard}, {.val soft}, or a matrix of shares with a",
                      "row for each row of {.arg data} and a column for each component."),
                x = "It is {describe(start)}."),
              call = call)
}

# Of the rows that count, what they have of each component.
check_shares <- function(shares, rows, weights, call) {
  fine <- is.numeric(shares) && nrow(shares) == rows && ncol(shares) > 0L && !anyNA(shares) &&
    all(shares >= 0) && all(abs(rowSums(shares) - 1) < 1e-6)
  if (!fine) {
    abort_optbn("argument",
                c(paste("{.arg start}, a matrix, must have a row for each of the {rows} row{?s} of",
                        "{.arg data} and a column for each component, numbers of at least 0 that",
                        "sum to 1 by row."),
                  x = "It is {describe_matrix(shares)}."),
                call = call)
  }
  if (is.null(weights)) shares else shares[weights > 0, , drop = FALSE]
}

# Of rows that became one (merge_rows()), the mean. `weights` of the rows that there were, or NULL.
merged_shares <- function(shares, weights, encoded) {
  if (is.null(encoded$merged)) return(shares)
  unname(rowsum(shares * (weights %||% 1), encoded$merged)) / encoded$weights
}

describe_matrix <- function(x) paste("a matrix of", nrow(x), "x", ncol(x), "of type", typeof(x))

# `start`: a mixture to go on from, a matrix of shares, or NULL.
step_mixture <- function(encoded, held_out, settings, start, limits, call) {
  options <- core_steps(settings, goes_on = is.list(start))
  options$cuts <- settings$base == "cnet"
  options$hard <- settings$start == "hard"
  require_pair_memory(encoded, 5 * limits$threads, limits, call,
                      bytes = 8 * encoded$rows * settings$components)
  task <- list(encoded = encoded, held_out = held_out, options = options, seed = random_seed(),
               start = if (is.list(start)) start[c("weights", "components")] else start)
  starts <- if (is.null(start)) seq_len(settings$starts) else 1L
  chunks <- in_chunks(starts, climb_from_starts, task, limits, call)
  found <- call_core(best_climb(chunks), call = call,
                     remedy = "choose fewer {.arg components}")
  learned_density("optbn_mixture", found, encoded, held_out,
                  list(learner = "learn_mixture", settings = settings), limits, call)
}

# The best of those of consecutive numbers, as core_learn_mixture() gives it.
climb_from_starts <- function(numbers, task, limits, report) {
  task$options$starts <- length(numbers)
  core_learn_mixture(task$encoded, task$held_out, task$options, task$start,
                     host_of_pieces(numbers, limits, "Learning a mixture", task$seed, report))
}

# The first of the best, as among the starts of one process.
best_climb <- function(chunks) {
  best_value <- function(found) {
    max(if (length(found$validation) > 0L) found$validation else found$training)
  }
  failure <- common_failure(chunks)
  if (!is.null(failure)) return(failure)
  done <- Filter(Negate(is_failure), chunks)
  best <- done[[which.max(vapply(done, best_value, 0))]]
  best["reason"] <- list(common_reason(chunks))
  best
}

step_settings <- function(iterations, patience, call) {
  list(iterations = check_count(iterations, "iterations", minimum = 1, call = call),
       patience = check_count(patience, "patience", minimum = 1, call = call))
}

# A model to go on from counts as the first step.
core_steps <- function(settings, goes_on) {
  settings$iterations <- settings$iterations + goes_on
  settings
}
