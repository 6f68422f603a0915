# bootstrap_dags(): how sure are the arcs of a learned network?

#' Confidence in Arcs by the Bootstrap
#'
#' @description
#' Learns a network from each of `R` bootstrap samples of the rows, and counts how many networks
#' have an arc, and in which direction (Friedman, Goldszmidt & Wyner 1999). Unlike with bnlearn's
#' `boot.strength()`, each network can be proved optimal.
#'
#' @details
#' A sample is a count for each row of the data, which the learner gets as `weights`. Rows that are
#' not drawn count 0; factors keep all their levels. Messages of this package's learners are not
#' shown. Give `max_parents` if the learner would choose it, as its choice might differ between
#' samples.
#'
#' The networks are learned in the session one after the other, or in the workers of
#' `future::plan()`, see [several-processes]. Each has its own random stream (L'Ecuyer 1999), so
#' results depend only on [set.seed()] and not on the workers.
#'
#' @param data A data frame or matrix, as in [parent_sets()].
#' @param R The number of bootstrap samples, and of networks.
#' @param ... Arguments of the learner, such as `score`, `max_parents` or `targets`. The targets of
#'   a row of `data` are drawn with the row.
#' @param learner [learn_dag()], [learn_treewidth()], or any function of data and `weights` that
#'   returns a network that bnlearn's functions accept. It also gets `threads`, `time_limit` and
#'   `progress` if it has such arguments.
#' @param weights Row counts: the number of identical rows that each row represents, whole numbers.
#'   A sample has as many rows as their sum.
#' @param cpdag Count directions in the network's equivalence class, where a reversible arc counts
#'   one half in either direction, as in `boot.strength()`? Use `FALSE` with scores that differ
#'   within a class (such as [score_pcart()]). With `targets` classes are those of
#'   [essential_graph()].
#' @param threads As in [learn_dag()], for the learner.
#' @param time_limit Seconds after which learning stops; the networks learned so far are used, and a
#'   warning states their number. An interrupt (Ctrl-C) does the same.
#' @param progress Show a progress bar?
#'
#' @return An object of class `c("optbn_arcs", "bn.strength", "data.frame")`, with the `print()` and
#'   `plot()` methods of [arc_posterior()]. It is the table of [bnlearn::custom.strength()] for the
#'   networks: for every ordered pair of nodes `from` and `to`, the `strength`, the share of the
#'   networks that have an arc between them, and the `direction`, the share of these in which it
#'   leads from `from` to `to`. `$` and `as.data.frame()` also return `probability`, their product,
#'   and `lower` and `upper`, the bounds of its 95 % interval over samples. bnlearn's functions
#'   accept the object: `averaged.network()`, `strength.plot()`. Its attribute `networks` is the
#'   list of networks, with a [certificate()] each if the learner is from this package.
#'
#' @section Errors: Those of the learner; `optbn_error_package` without package \pkg{bnlearn};
#'   `optbn_error_argument` for a learner without an argument `weights`, `optbn_error_time` if the
#'   time limit is reached before the first network, `optbn_error_worker` if a worker is lost twice.
#'
#' @references
#' Friedman, N., Goldszmidt, M. and Wyner, A. (1999). Data analysis with Bayesian networks: a
#' bootstrap approach. *Proceedings of the 15th Conference on Uncertainty in Artificial
#' Intelligence*, 196-205. \doi{10.48550/arXiv.1301.6695}
#'
#' L'Ecuyer, P. (1999). Good parameters and implementations for combined multiple recursive random
#' number generators. *Operations Research* 47, 159-164. \doi{10.1287/opre.47.1.159}
#'
#' @seealso [learn_dag()]; [learn_k_best()] for the best networks of the original data.
#' @examplesIf requireNamespace("bnlearn", quietly = TRUE)
#' titanic <- as.data.frame(Titanic)
#' set.seed(1)
#' arcs <- bootstrap_dags(titanic[1:4], R = 20, score = "bic", weights = titanic$Freq)
#' arcs[arcs$strength > 0.5 & arcs$direction >= 0.5, ]
#' plot(arcs)
#' bnlearn::averaged.network(arcs)
#' length(attr(arcs, "networks"))
#' @export
bootstrap_dags <- function(data, R = 200, ..., learner = learn_dag, weights = NULL, cpdag = TRUE,
                           threads = NULL, time_limit = Inf, progress = interactive()) {
  require_arguments()
  call <- environment()
  require_package("bnlearn", "for {.fn bootstrap_dags}", call)
  data <- matrix_as_data(data)
  check_data_frame(data, call)
  count <- check_count(R, "R", minimum = 1, call = call)
  check_learner(learner, call)
  weights <- check_weights(weights, nrow(data), call) %||% rep(1, nrow(data))
  cpdag <- check_flag(cpdag, "cpdag", call)
  limits <- check_limits(threads, time_limit, NULL, progress, call)
  settings <- list(...)
  if (is_ours(learner)) check_learners_data(learner, data, weights, settings, call)
  task <- list(data = data, weights = weights, learner = learner, settings = settings,
               streams = random_streams(count))
  if (has_workers() && !is_ours(learner)) task <- c(task, needs_of(learner))
  chunks <- in_chunks(seq_len(count), learn_replicates, task, limits, call, bar = "Bootstrapping")
  networks <- unlist(lapply(chunks, `[[`, "networks"), recursive = FALSE)
  reason <- common_reason(chunks)
  if (length(networks) == 0L) abort_before_first(reason, call, "there was a network")
  if (!is.null(reason)) {
    warn_fewer(length(networks), count, reason, call, "Bootstrapping", "network")
  }
  by_targets <- cpdag && !is.null(settings$targets) # of which bnlearn's classes know nothing
  counted <- if (by_targets) lapply(networks, essential_graph) else networks
  strength <- bnlearn::custom.strength(counted, nodes_of(data, NULL, settings$targets),
                                       cpdag = cpdag && !by_targets)
  attr(strength, "networks") <- networks
  with_probabilities(strength, length(networks))
}

# bnlearn's table with what arc_posterior() gives besides: shares of networks, with 95 % intervals.
with_probabilities <- function(strength, count) {
  p <- strength$strength * strength$direction
  attr(strength, "beyond") <- data.frame(probability = p, wilson_interval(p, count, 0.95))
  class(strength) <- c("optbn_arcs", class(strength))
  strength
}

check_learner <- function(learner, call) {
  if (!is.function(learner)) {
    abort_optbn("argument",
                c("{.arg learner} must be a function, such as {.fn learn_dag}.",
                  x = "It is {describe(learner)}."),
                call = call)
  }
  if (!any(c("weights", "...") %in% names(formals(learner)))) {
    abort_optbn("argument",
                c("{.arg learner} must have an argument {.arg weights}, a count for each row.",
                  x = "Its arguments are {.arg {names(formals(learner))}}."),
                call = call)
  }
}

# Tells at once what is wrong.
check_learners_data <- function(learner, data, weights, settings, call) {
  encoded <- encode_data(data, weights, call, holes = "score" %in% names(formals(learner)),
                         targets = settings$targets)
  completes <- identical(settings$missing, "em")
  if (!is.null(settings$score) && !completes) {
    check_holes(as_score(settings$score, call), encoded, call)
  }
}

is_ours <- function(learner) identical(environment(learner), topenv())

# What a learner of the user's refers to, which a worker must have: future finds out.
needs_of <- function(learner) {
  needs <- future::getGlobalsAndPackages(quote(learner()), envir = environment())
  list(globals = unclass(needs$globals)[setdiff(names(needs$globals), "learner")],
       packages = needs$packages)
}

# ---- replicates ---------------------------------------------------------------------------------

# The networks of consecutive numbers, and the reason if there are fewer.
learn_replicates <- function(numbers, task, limits, report) {
  networks <- list()
  reason <- NULL
  tryCatch(
    for (i in numbers) {
      network <- learn_replicate(task, task$streams[[i]], limits)
      networks <- c(networks, list(network))
      report(length(networks))
    },
    interrupt = function(condition) reason <<- "interrupt",
    optbn_error_time = function(condition) reason <<- "time_limit"
  )
  list(networks = networks, reason = reason)
}

# A network that is cut short is none: it tells less than the others.
learn_replicate <- function(task, stream, limits) {
  learner <- task$learner
  with_random_state(stream, {
    counts <- drop(stats::rmultinom(1, sum(task$weights), task$weights))
    learned <- suppressMessages(
      withCallingHandlers(
        do.call("learner", c(list(task$data), settings_for(task, counts, limits))),
        optbn_warning_interrupt = function(condition) rlang::interrupt()
      ),
      classes = "optbn_message"
    )
    if (seconds_since(limits) >= limits$time_limit) {
      abort_optbn("time", "The time limit was reached.")
    }
    learned
  })
}

settings_for <- function(task, counts, limits) {
  left <- max(0, limits$time_limit - seconds_since(limits))
  limits <- list(threads = limits$threads, time_limit = left, progress = FALSE)
  if (is.infinite(left)) limits$time_limit <- NULL # the learner's own default
  taken <- intersect(names(limits), names(formals(task$learner)))
  c(task$settings, list(weights = counts), limits[taken])
}

# ---- random streams -----------------------------------------------------------------------------

# Independent streams of L'Ecuyer's generator, which set.seed() governs. The user's own generator
# moves on by one number.
random_streams <- function(count) {
  seed <- sample.int(.Machine$integer.max, 1L)
  first <- with_random_state(random_state(), {
    set.seed(seed, "L'Ecuyer-CMRG", "Inversion", "Rejection")
    random_state()
  })
  Reduce(function(stream, i) parallel::nextRNGStream(stream), seq_len(count - 1L), first,
         accumulate = TRUE)
}
