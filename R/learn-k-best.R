# learn_k_best(): the k best networks, or Markov equivalence classes, in order.

#' Learn the k Best Networks
#'
#' @description
#' Finds the `k` networks with the highest scores, best first, and proves it:
#' no other network within the constraints scores higher than the last of them.
#' Fit for averaging over networks, say with `bnlearn::custom.strength()`.
#'
#' @details
#' Networks of one Markov equivalence class say the same about independence, and
#' most scores do not tell them apart, so that the k best networks may be few
#' different ones. With `equivalence = TRUE` each network comes from another
#' class: the best member of it. (All members are equally good under scores that
#' are score-equivalent: `"bde"`, `"loglik"`, `"bic"`, `"aic"`, `"bge"` and the
#' Gaussian information criteria.)
#'
#' Dynamic programming over all subsets of the nodes holds `k` networks for each
#' subset: memory and time grow with `k` and double with every node. Possible
#' are about `k = 100` at 15 nodes and `k = 10` at 20.
#'
#' From data, parent sets that one of their subsets beats, which no optimal
#' network needs, are kept up to a slack in score, and the slack is enlarged until
#' nothing can be missing. When `x` is parent sets, the networks are the best
#' over these sets; those that [parent_sets()] makes by default lack the sets
#' that the second best networks may need (see its argument `slack`), and the
#' certificate then says that it speaks of the sets given.
#'
#' @inheritParams learn_dag
#' @param k How many networks, at least 1.
#' @param equivalence Take one network from each Markov equivalence class?
#' @return A plain list of networks of class `c("optbn", "bn")` in order of
#'   decreasing score: `k` of them, or fewer (which is announced) when there are
#'   no more. Each has a [certificate()] of status `"optimal"` whose bound is
#'   its own score, as that of the network of its `rank` (in the `settings`).
#' @section Errors: as [learn_dag()]. When the time limit strikes, or on Ctrl-C,
#'   there is nothing to return: `optbn_error_time`, or an interrupt.
#' @references
#' Tian, He & Ram (2010) \doi{10.48550/arXiv.1203.3520}; Chen & Tian (2014)
#' \doi{10.1609/aaai.v28i1.9064} (equivalence classes).
#' @seealso [learn_dag()].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' best <- learn_k_best(titanic[1:4], k = 5, weights = titanic$Freq)
#' vapply(best, function(network) certificate(network)$score, 0)
#' learn_k_best(attitude, k = 2, score = "bge", equivalence = TRUE)
#' @export
learn_k_best <- function(x, k, score = "bde", ..., equivalence = FALSE, max_parents = NULL,
                         whitelist = NULL, blacklist = NULL, weights = NULL, threads = NULL,
                         time_limit = Inf, memory_limit = NULL, progress = interactive()) {
  call <- rlang::current_env()
  k <- check_count(k, "k", minimum = 1, call = call)
  if (k > 65535L) abort_optbn("argument", "{.arg k} must be at most 65,535.", call = call)
  equivalence <- check_flag(equivalence, "equivalence", call = call)
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  nodes <- if (inherits(x, "parent_sets")) length(x$nodes) else NCOL(x)
  require_memory(core_k_best_bytes(nodes, k, equivalence), limits$memory_limit,
                 "Lower {.arg k} or use fewer columns", call = call)

  given_score <- if (missing(score)) NULL else score
  make_sets <- function(..., max_parents) {
    candidate_sets(x, given_score, ..., max_parents = max_parents, whitelist = whitelist,
                   blacklist = blacklist, weights = weights, limits = limits, call = call)
  }
  search <- function(sets) search_k_best(sets, k, equivalence, limits, call)
  if (inherits(x, "parent_sets")) {
    sets <- make_sets(..., max_parents = max_parents)
    found <- search(sets)
    complete <- !identical(sets$settings$source, "data") || within_slack(found, sets, k)
  } else {
    make_slack_sets <- function(slack, max_parents) {
      make_sets(..., slack = slack, max_parents = max_parents)
    }
    found <- search_with_slack(make_slack_sets, search, max_parents, k)
    sets <- found$sets
    complete <- TRUE
  }
  announce_count(length(found$choices), k, equivalence)

  settings <- c(
    search_settings(sets),
    if (equivalence) list(equivalence = TRUE),
    if (!complete) list(among = "the parent sets given")
  )
  seconds <- seconds_since(limits)
  lapply(seq_along(found$choices), function(rank) {
    score <- found$scores[rank]
    record <- list(
      status = "optimal", score = score, bound = score, gap = 0, method = "dp", reason = NULL,
      effort = list(subsets = 2^length(sets$nodes), parent_sets = length(sets)),
      seconds = seconds, settings = c(settings, rank = rank),
      trace = data.frame(seconds = seconds, score = score, bound = score)
    )
    network_of_choice(sets, found$choices[[rank]], record, algo = "learn_k_best")
  })
}

search_k_best <- function(sets, k, equivalence, limits, call) {
  found <- call_core(
    core_k_best(sets$sets,
                list(k = k, equivalence = equivalence, memory_limit = limits$memory_limit),
                host_within(limits, "Searching networks")),
    nodes = sets$nodes, call = call
  )
  found$scores <- vapply(found$choices, function(choice) {
    sum(mapply(function(candidates, i) candidates$score[i], sets$sets, choice))
  }, 0)
  found
}

# Parent sets were dropped that score `slack` or more below one of their
# subsets. A network with such a set scores `slack` or more below the network
# that takes the subset instead, which is acyclic too, and so below the optimum.
# Hence nothing is missing when the last of k networks is within the slack.
within_slack <- function(found, sets, k) {
  slack <- sets$settings$slack %||% 0
  length(found$scores) == k && found$scores[k] >= found$scores[1L] - slack
}

# Any k networks tell how much slack suffices: as far as the last is from the
# best. So the second search is the last, unless the first has fewer than k.
search_with_slack <- function(make_sets, search, max_parents, k) {
  slack <- 2 * log(k)
  sets <- make_sets(slack, max_parents)
  repeat {
    found <- search(sets)
    if (within_slack(found, sets, k) || is.infinite(slack)) break
    short <- length(found$scores) < k
    slack <- if (!short) {
      (found$scores[1L] - found$scores[k]) * (1 + 1e-9)
    } else if (slack < 50) {
      100
    } else {
      Inf
    }
    # What is to be said about the data has been said.
    sets <- suppressMessages(make_sets(slack, sets$settings$max_parents),
                             classes = "optbn_message")
  }
  found$sets <- sets
  found
}

announce_count <- function(found, k, equivalence) {
  if (found == k) return(invisible())
  what <- if (equivalence) "equivalence class{?/es}" else "network{?s}"
  announce(paste("{cli::qty(found)}There {?is/are} only {found}", what,
                 "within the constraints, not {k}."))
}
