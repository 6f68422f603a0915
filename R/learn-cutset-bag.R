# Ensembles of cutset networks.

#' Learn an Ensemble of Cutset Networks
#'
#' Learns a weighted average of cutset networks: each from rows drawn with replacement (bagging),
#' or, with algorithm `"xcnet"`, from all rows with random cuts. [Several
#' processes][several-processes] can share the work.
#'
#' @inheritParams learn_cutset
#' @param components The number of networks.
#' @param algorithm As in [learn_cutset()]. Extremely randomised networks, `"xcnet"`, are by far the
#'   fastest to learn; some hundreds of them are often better than a few tens of the others.
#' @param ... Settings of the networks: `prior`, `alpha`, `min_rows`, `min_features`,
#'   `min_child_rows`, `screen`, `penalty`, `min_entropy`, `max_depth`, see [learn_cutset()].
#' @param bootstrap Learn each network from a bootstrap sample of the rows? If not, each is learned
#'   from all rows, and only networks of `"xcnet"` differ from one another.
#' @param weighting The weights of the components: `"uniform"`, all equal; `"em"`, those that
#'   maximise the likelihood of the `validation` rows; `"loglik"`, proportional to the
#'   log-likelihood of the training rows, as in the paper. `"loglik"` is for comparison: as
#'   log-likelihoods are negative, it slightly favours the worse components. If a component gives a
#'   row probability 0, such weights do not exist. They are then equal, and a message reports this.
#' @param time_limit Seconds after which learning stops and returns the components so far. An
#'   interrupt (Ctrl-C) does the same, with a warning. [update.optbn_density()] adds the others.
#'
#' @return An object of class `c("optbn_mixture", "optbn_density")`: a list with the elements
#'   `nodes`, `levels`, `prototype`, `weights` and `components` (as many as networks were learned),
#'   `learning` and `handle`, all described in [optbn_density]. `learning` has `learner`,
#'   `algorithm`, `settings` (`components`, `bootstrap`, `weighting` and `cutset`, those of the
#'   networks), `n`, `status`, `log_likelihood` and `seconds`; `validation`, if there are validation
#'   rows; and `missing`, `trace` and `best_step`, if values are missing.
#'
#' @section Errors:
#' As [learn_cutset()]; `optbn_error_argument` also for `weighting = "em"` without `validation`
#' rows.
#'
#' @inheritSection learn_cutset Missing values
#' @inherit learn_cutset references
#' @seealso [learn_cutset()], [stack_densities()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' bag <- learn_cutset_bag(titanic[1:4], 10, weights = titanic$Freq, alpha = 0.01)
#' bag
#' query(bag, "Survived", list(Sex = "Female", Class = "3rd"))
#' @export
learn_cutset_bag <- function(data, components = 40,
                             algorithm = c("dcsn", "cnet", "cnetp", "xcnet"), ...,
                             bootstrap = algorithm != "xcnet",
                             weighting = c("uniform", "em", "loglik"), validation = NULL,
                             weights = NULL, threads = NULL, time_limit = Inf,
                             memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  algorithm <- check_choice(algorithm, names(cut_defaults), "algorithm", call)
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  encoded <- encode_training(data, weights, call, limits$memory_limit)
  settings <- list(
    components = check_count(components, "components", minimum = 1, call = call),
    bootstrap = check_flag(bootstrap, "bootstrap", call),
    weighting = check_choice(weighting, c("uniform", "em", "loglik"), "weighting", call),
    cutset = cut_settings_of(algorithm, encoded$total, list(...), call)
  )
  held_out <- encode_held_out(validation, encoded, call = call)
  add_components(NULL, encoded, held_out, settings, limits, call)
}

# An ensemble of the components of `start`, or NULL, and as many new ones as `settings$components`
# asks for.
add_components <- function(start, encoded, held_out, settings, limits, call) {
  if (settings$weighting == "em") require_validation(held_out, "weighting = \"em\"", call)
  known <- start$components
  wanted <- max(0L, settings$components - length(known))
  found <- if (wanted == 0L) {
    with_equal_weights(list(components = known, reason = NULL))
  } else {
    pruning <- pruning_rows(held_out, settings$cutset, call)
    task <- list(cutset = settings$cutset, bootstrap = settings$bootstrap, seed = random_seed())
    learn <- function(encoded, pruning) {
      require_pair_memory(encoded, 5 * limits$threads, limits, call,
                          bytes = limits$threads * screen_bytes(encoded, settings$cutset))
      task <- c(list(encoded = encoded, pruning = pruning), task)
      chunks <- in_chunks(seq_len(wanted), learn_components, task, limits, call)
      added <- call_core(join_ensembles(chunks), call = call, remedy = smaller_density)
      added$components <- c(known, added$components)
      with_equal_weights(added)
    }
    learn_whole_rows(encoded, pruning, start, task$seed, limits, call, learn)
  }
  if (settings$weighting != "uniform") {
    found <- weigh_components(found, encoded, held_out, settings$weighting, limits)
  }
  learned_density("optbn_mixture", found, encoded, held_out,
                  list(learner = "learn_cutset_bag", algorithm = settings$cutset$algorithm,
                       settings = settings),
                  limits, call)
}

# Those of consecutive numbers, as core_learn_ensemble() gives them.
learn_components <- function(numbers, task, limits, report) {
  core_learn_ensemble(task$encoded, task$pruning, task$cutset, length(numbers), task$bootstrap,
                      host_of_pieces(numbers, limits, "Learning an ensemble", task$seed, report))
}

with_equal_weights <- function(found) {
  found$weights <- rep(1 / length(found$components), length(found$components))
  found
}

join_ensembles <- function(chunks) {
  common_failure(chunks) %||%
    list(components = unlist(lapply(chunks, `[[`, "components"), recursive = FALSE),
         reason = common_reason(chunks))
}

# Where an interrupt comes before there are other weights, the equal ones stay.
weigh_components <- function(found, encoded, held_out, weighting, limits) {
  rows <- if (weighting == "em") held_out else encoded
  host <- quiet_host(limits$threads)
  handle <- call_core(core_density(lengths(rows$levels), found$weights, found$components))
  tryCatch(
    {
      each <- call_core(core_component_log_densities(handle, rows$columns, rows$rows, host))
      row_weights <- rows$weights %||% rep(1, rows$rows)
      if (weighting == "em") {
        fitted <- call_core(core_fit_weights(each, row_weights, host))
        found$weights <- fitted$weights
        found$reason <- found$reason %||% fitted$reason
      } else {
        found$weights <- loglik_weights(colSums(row_weights * each)) %||% found$weights
      }
    },
    interrupt = function(condition) found$reason <<- "interrupt"
  )
  found
}

# NULL where there are none, which is announced.
loglik_weights <- function(log_likelihoods) {
  if (all(is.finite(log_likelihoods)) && sum(log_likelihoods) < 0) {
    return(log_likelihoods / sum(log_likelihoods))
  }
  announce(c("The components get equal weights: their log-likelihoods determine no others.",
             x = if (any(is.infinite(log_likelihoods))) {
               "{sum(is.infinite(log_likelihoods))} of them give{?s/} some rows probability 0."
             } else {
               "All of them are 0."
             },
             i = if (any(is.infinite(log_likelihoods))) "Raise {.arg alpha}."))
  NULL
}

# ---- settings -----------------------------------------------------------------------------------

# cut_settings() of those that the user gave in `...`.
cut_settings_of <- function(algorithm, rows, given, call) {
  allowed <- setdiff(names(formals(cut_settings)), c("algorithm", "rows", "call"))
  unknown <- setdiff(names(given) %||% rep("", length(given)), allowed)
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c("{.arg ...} may hold {.arg {allowed}}.",
                  x = if (any(unknown == "")) {
                    "An argument has no name."
                  } else {
                    "{.arg {unknown}} {?is/are} none of them."
                  }),
                call = call)
  }
  do.call(cut_settings, c(list(algorithm, rows), given, list(call = call)))
}

require_validation <- function(validation, what, call) {
  if (!is.null(validation)) return(invisible())
  abort_optbn("argument",
              c("{.code {what}} needs {.arg validation} rows.",
                x = "{.arg validation} is NULL.",
                i = "Give some rows that are not in {.arg data}."),
              call = call)
}
