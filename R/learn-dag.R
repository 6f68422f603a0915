# learn_dag(): from data or candidate parent sets to a network with a
# certificate; and what it shares with learn_k_best() and update().

#' Learn an Optimal Network
#'
#' @description
#' Finds the network with the highest score. The [certificate()] of the result states a bound that
#' no network within the constraints exceeds; when score and bound meet, the network is proved
#' optimal.
#'
#' @details
#' From data, [parent_sets()] first scores the candidate parent sets of every node: all of them, or,
#' if there are too many, all sets of few parents and larger ones that a search for good networks
#' selects. Proofs and bounds hold over these sets, and the printed status names them, such as *all
#' sets of at most 3 parents and 1,234 larger ones*. The search then chooses one set for each node
#' so that there is no directed cycle. Groups of nodes between which no cycle can pass (the strong
#' components of the graph of possible parents) are searched separately, so that large sparse
#' problems take little time. Methods:
#'
#' * `"lagrangian"`: branch and bound over the orders of the nodes. The bound is a Lagrangian
#'   relaxation of inequalities that every acyclic graph satisfies: in each cluster of nodes, at
#'   least one has no parent among the others (Bartlett & Cussens 2017). The multipliers are
#'   optimised for the whole problem first, and improved at every step of the search. The time
#'   depends on the data: sparse problems of 60 nodes are proved within a second, hard ones of 30
#'   take minutes. The bound improves steadily, and a search that is stopped early usually leaves a
#'   small gap.
#' * `"branch-and-cut"`: starts with the same bound and then branches on arcs. A linear program
#'   bounds the score at each node of the search tree. It is solved again after each decision, with
#'   inequalities that its own solution violates (Bartlett & Cussens 2017). The tree has few nodes,
#'   each of which takes long. This proves some problems that `"lagrangian"` does not, such as
#'   samples from some large networks, in which the bound is weak in several distant places. It is
#'   slower on others.
#' * `"elsa"`: constraint programming over the orders (van Beek & Hoffmann 2015; Troesser, de Givry
#'   & Katsirelos 2021). It propagates acyclicity, and bounds the score by clusters that it stores
#'   for the whole search. It finds the same optimum, usually later.
#' * `"elsa-ig"`: the same search tree, with candidate sets in decision trees that split by
#'   information gain (Troesser, de Givry & Katsirelos 2022). It is meant for comparison: on 27
#'   instances a node of the search takes 1 to 16 times as long as with plain lists
#'   (`bench/exact-ablation.sh`).
#' * `"dp"`: dynamic programming over all subsets of the nodes (Silander & Myllymaki 2006), in every
#'   group. The result is optimal unless the search is stopped. Time and memory double with every
#'   node of the largest group, whatever the data; a group may have 32 nodes. [search_size()]
#'   forecasts the cost.
#' * `"local"`: iterated local search over the orders of the nodes, for any number of them. It takes
#'   about a second for 60 nodes, and minutes for a group of hundreds (see `time_limit`). With up to
#'   60 nodes it nearly always finds the optimum, but proves it only if a relaxation gives the same
#'   value.
#' * `"auto"`: `"dp"` solves small groups at once; the others get a quick bound and local search.
#'   Groups that remain open go to `"dp"` if they have at most 23 nodes, or so many parent sets that
#'   its table takes less time than a good bound, and otherwise to `"lagrangian"`. If that does not
#'   end soon and at most 50,000 sets remain that a better network may use, `"branch-and-cut"`
#'   takes over; the more sets, the later. Both are replaced by `"dp"` once it would have been
#'   quicker, if memory allows it.
#'
#' `ancestors` and `max_arcs` constrain the network as a whole. Whenever the best network violates
#' one of them, the search splits the space of networks into regions, which any method but `"local"`
#' searches; `"local"` ends with the first network that complies. These constraints cost little if
#' the best network violates few of them. Many required paths that lower the score can take long,
#' and leave a gap when time runs out.
#'
#' The tree searches (`"lagrangian"`, `"branch-and-cut"`, `"elsa"`, `"elsa-ig"`) take groups of at
#' most 1,024 nodes; larger ones get local search instead. They work in exact integer arithmetic
#' (scores are multiples of about 1e-12), so that rounding cannot invalidate a proof.
#'
#' A search that is stopped early, by `time_limit` or by Ctrl-C (with a warning), returns the best
#' network found and a valid bound. Results depend on the random seed ([set.seed()]), whose state
#' does not change. They do not depend on the number of threads, unless time runs out. *Timing* in
#' [certificate()] explains how to leave times out of results.
#'
#' @param x Data as in [parent_sets()], or its result (or that of [read_jkl()]). In the second case,
#'   `score` and `weights` must be omitted, and constraints select among the given sets.
#' @inheritParams parent_sets
#' @param ... Must be empty: the arguments after it must be named.
#' @param method The search, see Details.
#' @param score A score object or its label: for discrete columns (such as `"bde"`, see
#'   [score_discrete]), for continuous and mixed ones (`"bic-g"`, see [score_gaussian]), or for
#'   trees over columns of any type (`"pcart"`, see [score_local]). `NULL` means `"bde"` if all
#'   columns are discrete, `"bge"` if all are continuous and `"bic-cg"` for mixed columns. If values
#'   are missing, it means BIC by structural EM, or a node average (see `missing`). A message
#'   announces the choice.
#' @param start A network to begin with: of class `bn`, a model string or an adjacency matrix. The
#'   result scores at least as much, provided that the parent sets of `start` are candidates.
#' @param ancestors Directed paths that must exist, or must not: a table with columns
#'   `from`, `to` and `required` (`TRUE` or `FALSE`; without a third column all are
#'   required).
#' @param max_arcs The largest total number of arcs; `NULL` sets no limit.
#' @param gap Stop as soon as the score is proved to be within this of the optimum
#'   (natural log units).
#' @param missing `"em"` for structural EM, which takes missing values: see *Missing Values*. `NULL`
#'   chooses it for data frames and matrices with missing values if none of `score`, `targets`,
#'   `log` and `proof` is given.
#' @param time_limit Seconds of wall time after which to stop, scoring included. `NULL` limits the
#'   work instead of the time: the search ends by itself, within about two minutes for 100 columns,
#'   its result is the same on every machine and for any number of threads, and
#'   [update()][update.optbn] continues it. (With `ancestors` or `max_arcs` the limit is a minute.)
#'   `Inf` searches until the optimum
#'   is proved over all parent sets: whenever it is proved over some of them, ten times as many are
#'   scored.
#' @param memory_limit The largest number of bytes; `NULL` means three quarters of the free memory.
#' @param log The name of a file, which is overwritten, for a log of the search: one line for each
#'   event, such as a better network, a level of parent sets scored, or a round of bounds.
#'   `ARCHITECTURE.md` of the sources describes the events. `NULL` writes none.
#' @param proof The name of a file, which is overwritten, for a proof of the optimum or the bound.
#'   See [write_proof()]; [check_proof()] checks it. A file whose name ends in `.gz` is compressed.
#'   The network then keeps the parent sets to which the proof refers: [parent_sets()] returns them.
#'   Only the methods `"auto"`, `"dp"`, `"lagrangian"` and `"branch-and-cut"` write proofs, and only
#'   without `ancestors` and `max_arcs`. `NULL` writes none.
#' @section Missing Values:
#' Data may have missing values with `missing = "em"`, the default if no score is given, or with the
#' scores of [score_node_average], which are faster but need many more rows.
#'
#' Structural EM (Friedman 1997) alternates two steps. The expectation step completes the rows under
#' the present network and its parameters. A row is replaced by all configurations of its missing
#' discrete values, weighted by their probabilities, and by points that have the mean and covariance
#' of its missing continuous values. The expected counts and moments of *every* family are then
#' exact, except for rows with more than 10 configurations. These are represented by 10 draws (fewer
#' if there are more than 100,000 rows). The maximisation step searches for the network with the
#' largest expected score, as without missing values, and bounds the score in the same way. EM then
#' fits its parameters. The steps end when the observed-data score, the log-likelihood of the
#' observed values less the penalty, no longer rises.
#'
#' EM starts from `start`, or from the forest of largest pairwise mutual information. With 24
#' columns or fewer, it also starts from the network of best node averages and from one without
#' arcs, because different starts may lead to different local optima. Quick searches run from every
#' start, each with a hundredth of the usual effort. If these did not prove all maximisations,
#' thorough searches, each with a tenth of the effort, continue from the best network. With a
#' `time_limit`, quick searches use a twentieth of the remaining time and thorough ones all of it.
#' `time_limit = Inf` proves each maximisation, however long it takes.
#'
#' `score` must be a penalised likelihood: `"bic"` (the default), `"aic"`, `"ebic"`, `"loglik"` or
#' their Gaussian forms. The data must be in memory, `weights` must be whole numbers, and `targets`,
#' `log` and `proof` cannot be given. Score and bound in the [certificate()] are expected ones under
#' the last fit. Its element `em` is a list with `trace`, `starts` (the score to which each start
#' led), `missing` (the number of missing values) and `drawn` (the number of rows represented by
#' draws). `trace` is a data frame with a row for the network from which the last searches began and
#' one for each of their maximisations: the `log_likelihood` and `score` of the observed values, the
#' number of `arcs`, and the `expected` score with its `gap` and `status`. The network keeps the
#' parent sets with their expected scores, which [verify_certificate()], [update()][update.optbn]
#' and [write_proof()] use.
#'
#' @return A network of class `c("optbn", "bn")`, see [optbn-class]; its
#'   [certificate()] has the status
#'   * `"optimal"`: proved over all parent sets within the constraints, or over those of a file;
#'   * `"bounded"`: the search stopped early, or did not score all parent sets. The certificate's
#'     `reason` is `"time_limit"`, `"interrupt"`, `"effort"` if no time limit was given and the
#'     usual effort was not enough, or `"gap"` if the requested gap was reached;
#'   * `"heuristic"`: local search ended without a proof.
#'
#'   A network that is not `"optimal"` keeps the parent sets of its search: [parent_sets()] returns
#'   them, and [update()][update.optbn] continues the search among them.
#' @section Errors: Those of [parent_sets()]; also `optbn_error_infeasible` when no acyclic network
#'   can be made of the candidate sets, `optbn_error_memory` when `method = "dp"` needs more than
#'   `memory_limit`, and `optbn_error_time` when the time limit is reached before a network is found
#'   that meets `ancestors` and `max_arcs`; `optbn_error_argument` for arguments that cannot be
#'   combined. Ctrl-C during scoring returns nothing.
#' @references
#' Bartlett & Cussens (2017) \doi{10.1016/j.artint.2015.03.003} (clusters); Fisher (1981)
#' \doi{10.1287/mnsc.27.1.1} (price of arcs); Friedman (1997), Proc. ICML 1997, 125-133 (structural
#' EM); Lawler (1972) \doi{10.1287/mnsc.18.7.401} (regions); Silander & Myllymaki (2006)
#' \doi{10.48550/arXiv.1206.6875}; Teyssier & Koller (2005) \doi{10.48550/arXiv.1207.1429} (orders);
#' Troesser, de Givry & Katsirelos (2021) \doi{10.24963/ijcai.2021/584}, (2022), Proc. CP 2022
#' (constraint programming); van Beek & Hoffmann (2015) \doi{10.1007/978-3-319-23219-5_31}; Yuan &
#' Malone (2013) \doi{10.1613/jair.4039} (bound).
#' @seealso [learn_k_best()], [update.optbn()], [verify_certificate()], [fit_network()];
#'   [parent_sets()] for `targets`, the experiments in data, and [essential_graph()].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' network <- learn_dag(titanic[1:4], "bic", weights = titanic$Freq)
#' network
#' certificate(network)
#'
#' # candidate parent sets made once serve several searches
#' sets <- parent_sets(attitude, "bic-g")
#' learn_dag(sets, blacklist = data.frame("rating", "learning"))
#'
#' # in rows 51 to 100 the petals' length was set
#' experiment <- learn_dag(iris[1:4], "bge", targets = list(Petal.Length = 51:100))
#' experiment
#' essential_graph(experiment)
#'
#' # ozone and solar radiation are missing in 42 of 153 days
#' learn_dag(airquality[1:4], missing = "em")
#'
#' # complaints must not lead to a rating, even by others; and a simple picture
#' learn_dag(sets, ancestors = data.frame("complaints", "rating", FALSE), max_arcs = 5)
#' @export
learn_dag <- function(x, score = NULL, ...,
                      method = c("auto", "dp", "elsa", "elsa-ig", "lagrangian", "branch-and-cut",
                                 "local"),
                      start = NULL, gap = 0, max_parents = NULL, whitelist = NULL, blacklist = NULL,
                      tiers = NULL, candidates = NULL, ancestors = NULL, max_arcs = NULL,
                      missing = NULL, weights = NULL, targets = NULL, threads = NULL,
                      time_limit = NULL, memory_limit = NULL, progress = interactive(), log = NULL,
                      proof = NULL) {
  require_arguments()
  call <- environment()
  method <- check_choice(method, search_methods, "method", call)
  gap <- check_number(gap, "gap", minimum = 0, call = call)
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)
  refuse_dots()
  asked <- list(method = method, start = start, gap = gap, max_parents = max_parents,
                whitelist = whitelist, blacklist = blacklist, tiers = tiers,
                candidates = candidates, ancestors = ancestors, max_arcs = max_arcs,
                weights = weights, targets = targets, log = log, proof = proof)
  if (!is.null(missing)) check_choice(missing, "em", "missing", call)
  learn <- if (!is.null(missing) || takes_em(x, score, asked)) learn_by_em else learn_within
  with_kept_random_state(learn(x, score, asked, limits, call))
}

# Where nobody asks: of frames with missing values, and without a score.
takes_em <- function(x, score, asked) {
  possible <- all(vapply(asked[c("log", "proof", "targets")], is.null, NA))
  is.null(score) && possible && (is.data.frame(x) || is.matrix(x)) && anyNA(x, recursive = TRUE)
}

# `asked`: the other arguments of learn_dag(), by name.
learn_within <- function(x, score, asked, limits, call) {
  weights <- asked$weights
  method <- asked$method
  start <- asked$start
  max_parents <- asked$max_parents
  x <- encode_input(x, weights, score, limits, call, asked$targets)
  nodes <- nodes_of(x, weights)
  limits$log <- begin_log(asked$log, c("learn_dag", method = method, nodes = length(nodes),
                                       time_limit = finite_limit(limits)), call)
  global <- check_network_constraints(asked$ancestors, asked$max_arcs, x, weights, asked$whitelist,
                                      call)
  limits$proof <- begin_proof_of(
    asked$proof, method, global, call,
    constraints = constraints_on(x, asked$whitelist, asked$blacklist, asked$tiers, max_parents,
                                 call)
  )
  make_sets <- function(slack = NULL, most = max_parents, from = start, within = limits) {
    candidate_sets(x, score, slack = slack, max_parents = most, whitelist = asked$whitelist,
                   blacklist = asked$blacklist, tiers = asked$tiers, candidates = asked$candidates,
                   weights = weights, limits = within, call = call, start = from)
  }
  search <- function(sets, global, from = start) {
    if (!is.null(limits$proof)) limits$proof$scores <- claim_of_scores(x, sets)
    search_dag(sets, method, from, asked$gap, limits, call, global)
  }
  network <- if (any(global$ancestors$required)) {
    plain <- plain_start(global, nodes, asked$whitelist, call)
    make_with_paths <- function(slack = NULL, most = max_parents) {
      make_sets(slack, most, from = start %||% plain)
    }
    search_with_paths(x, global, make_with_paths, search, max_parents, limits)
  } else {
    once <- function(from, within) search(make_sets(from = from, within = within), global, from)
    search_until_proved(once, start, x, limits, call)
  }
  with_partitions(network, x, call)
}

finite_limit <- function(limits) if (is.finite(limits$time_limit)) limits$time_limit

search_methods <- c("auto", "dp", "elsa", "elsa-ig", "lagrangian", "branch-and-cut", "local")

# What is the same for every search, checked, and when it began.
check_limits <- function(threads, time_limit, memory_limit, progress, call, effort = Inf) {
  list(
    effort = effort,
    budget = 1, # of parent sets to be scored, in times of the usual one
    cycles = 5, # of a search that scores them on demand, at most
    threads = check_threads(threads, call),
    given_threads = threads,
    time_limit = check_time_limit(time_limit, call),
    memory_limit = check_memory_limit(memory_limit, call),
    progress = check_progress(progress, call),
    begun = proc.time()[["elapsed"]]
  )
}

# Without a time limit a search ends by itself: proofs take no more work than about so many seconds
# hold, counted and not timed, so that results are the same everywhere.
default_effort <- 30

check_limits_or_effort <- function(threads, time_limit, memory_limit, progress, call) {
  check_limits(threads, time_limit %||% Inf, memory_limit, progress, call,
               effort = if (is.null(time_limit)) default_effort else Inf)
}

seconds_since <- function(limits) proc.time()[["elapsed"]] - limits$begun

host_within <- function(limits, label, seed = no_seed) {
  left <- max(0, limits$time_limit - seconds_since(limits))
  host <- host_options(limits$threads, left, limits$progress, label, seed)
  if (!is.null(limits$log)) host[c("log", "log_seconds")] <- list(limits$log, seconds_since(limits))
  host
}

# The candidates to search among, whatever the user gave. `score` is NULL when
# the user did not say.
candidate_sets <- function(x, score, slack = NULL, max_parents, whitelist, blacklist,
                           tiers = NULL, candidates = NULL, weights, limits, call, start = NULL,
                           on_demand = NULL) {
  if (inherits(x, "optbn_parent_sets")) {
    refuse_with_sets(c(score = !is.null(score), candidates = !is.null(candidates),
                       weights = !is.null(weights)), call)
    x$trace <- NULL # of another clock
    if (!is.null(start)) x$order <- NULL # begins with the user's
    if (is.null(max_parents) && is.null(whitelist) && is.null(blacklist) && is.null(tiers)) {
      return(x)
    }
    constraints <- check_constraints(x$nodes, whitelist, blacklist, max_parents, tiers, call)
    return(restrict_parent_sets(x, constraints, call))
  }
  start_parents(start, nodes_of(x), call) # refused before anything is scored
  make_parent_sets(x, score, max_parents, whitelist, blacklist, tiers, candidates,
                   weights, slack %||% 0, limits, call, start, on_demand)
}

# What a search is given, checked, with data encoded: they are read once, whatever asks for them.
encode_input <- function(x, weights, score, limits, call, targets = NULL) {
  x <- matrix_as_data(x)
  check_search_input(x, call)
  if (!is_data(x)) {
    refuse_with_sets(c(targets = !is.null(targets)), call)
    return(x)
  }
  encode_data(x, weights, call, limits$memory_limit, holes = TRUE, takes_fractions(score), targets)
}

# What was given, by name, is for data alone.
refuse_with_sets <- function(given, call) {
  if (!any(given)) return(invisible())
  abort_optbn(
    "argument",
    c("{.arg {names(given)[given]}} cannot be used with parent sets.",
      i = "They are scored already: give the data instead, or leave the argument out."),
    call = call
  )
}

check_search_input <- function(x, call) {
  if (inherits(x, "optbn_parent_sets")) {
    check_sound(x, call)
    return(check_score_sum(x, call))
  }
  if (is_data(x)) return(invisible())
  abort_optbn("argument",
              c("{.arg x} must be a data frame or parent sets.", x = "It is {describe(x)}.",
                i = "{.fn parent_sets} and {.fn read_jkl} give parent sets."),
              call = call)
}

search_dag <- function(sets, method, start, gap, limits, call, global = NULL, warm = NULL) {
  force(sets)
  if (method == "dp") require_dp_memory(sets, limits$memory_limit, call)
  before <- seconds_since(limits)
  if (!is.null(global) && is.finite(limits$effort)) { # how many subproblems there are is not known
    limits$time_limit <- before + 2 * limits$effort
    limits$effort <- Inf
  }
  asked <- list(method = method, gap = gap, effort = limits$effort,
                memory_limit = limits$memory_limit,
                start = sets$order %||% start_order(start, sets, global, call), warm = warm,
                constraints = network_constraints_for_core(global, sets$nodes))
  asked <- c(asked, options_of_proof(limits$proof, sets))
  on.exit(unlink(unlist(asked$proof[c("steps", "whole")])))
  found <- if (method == "local" && is.null(global) && gap == 0) {
    climb(sets$sets, asked, limits, call)
  } else {
    core_learn_dag(sets$sets, asked, host_within(limits, searching_networks, random_seed()))
  }
  if (!is.null(global)) found <- require_network(found, sets, global, limits, call)
  found <- call_core(found, nodes = sets$nodes, call = call)
  keep_proof(asked$proof, limits$proof)
  if (identical(found$reason, "interrupt")) warn_interrupted(call)
  found$trace$seconds <- found$trace$seconds + before
  found$trace <- trace_from_scoring(sets, found$trace)
  if (found$proved) found["reason"] <- list(sets$reason)
  record <- new_record(
    found, method = method_that_ran(method, found$parts),
    effort = effort_of(found, sets), seconds = seconds_since(limits),
    settings = search_settings(sets, global), parts = found$parts, multipliers = found$multipliers
  )
  record$proof <- limits$proof$file
  network_of_choice(sets, found$choice, record, algo = "learn_dag")
}

searching_networks <- "Searching for networks"

# Without any limit, what is proved over some of the parent sets is the start of a search over more.
# once(start, limits) makes them and searches.
search_until_proved <- function(once, start, x, limits, call) {
  network <- once(start, limits)
  endless <- is.infinite(limits$time_limit) && is.infinite(limits$effort) &&
    !inherits(x, "optbn_parent_sets")
  while (endless && identical(certificate(network)$reason, "effort")) {
    limits$budget <- 10 * limits$budget
    next_one <- tryCatch(suppressMessages(once(network, limits), classes = "optbn_message"),
                         interrupt = function(condition) NULL)
    if (is.null(next_one)) return(stopped_before_more(network, call))
    network <- next_one
  }
  network
}

stopped_before_more <- function(network, call) {
  warn_interrupted(call)
  record <- network$learning$optbn
  record$reason <- "interrupt"
  with_record(network, record)
}

# Scoring that found networks has found them before there was a bound.
trace_from_scoring <- function(sets, trace) {
  if (is.null(sets$trace)) return(trace)
  earlier <- sets$trace
  earlier$score <- pmin(earlier$score, trace$score[1L])
  earlier <- earlier[!duplicated(earlier$score), ]
  rbind(cbind(earlier, bound = rep(Inf, nrow(earlier))), trace)
}

# In parts, so that a problem that falls apart is not refused for its size.
require_dp_memory <- function(sets, memory_limit, call) {
  parts <- call_core(core_search_parts(sets$sets), nodes = sets$nodes, call = call)
  require_memory(max(parts$bytes), memory_limit,
                 "Use {.code method = \"auto\"}, lower {.arg max_parents}", call = call)
}

# Node by node, the numbers of the parents in `start`; NULL without it.
start_parents <- function(start, nodes, call = parent.frame()) {
  if (is.null(start)) return(NULL)
  dag <- as_network_structure(start, "start", call)
  check_same_nodes(dag$nodes, nodes, "{.arg start} must have the nodes of {.arg x}.", call)
  number <- match(dag$nodes, nodes)
  lapply(dag$parents[match(nodes, dag$nodes)], function(parents) sort(number[parents]))
}

# An order of the node numbers in which the arcs of `start` point forward.
start_order <- function(start, sets, global, call) {
  parents <- start_parents(start, sets$nodes, call)
  if (is.null(parents)) return(integer())
  named <- stats::setNames(lapply(parents, function(p) sets$nodes[p]), sets$nodes)
  broken <- broken_constraints(search_settings(sets, global), named)
  if (length(broken) > 0L) {
    announce(c("{.arg start} violates {.arg {broken}}.",
               i = "The search still begins with its node order."))
  }
  topological_order(parents)
}

# That which was asked for by name, unless local search took its place: no tree search takes more
# than 1,024 nodes.
method_that_ran <- function(method, parts) {
  if (method == "auto" || "local" %in% parts$method) method_used(parts) else method
}

# How the parts of more than one node were settled; "bound" is local search
# that met the bound.
method_used <- function(parts) {
  used <- unique(parts$method[parts$nodes > 1L])
  labels <- c(dp = "dp", elsa = "elsa", `elsa-ig` = "elsa-ig", lagrangian = "lagrangian",
              `branch-and-cut` = "branch and cut", bound = "local + bound", local = "local")
  if (length(used) == 0L) "local + bound" else paste(labels[sort(used)], collapse = ", ")
}

effort_of <- function(found, sets) {
  effort <- list(subsets = found$subsets, nodes = found$nodes, insertions = found$insertions,
                 parent_sets = length(sets))
  if (nrow(found$parts) > 1L) effort$parts <- nrow(found$parts)
  effort
}

search_settings <- function(sets, global = NULL) {
  settings <- sets$settings[c("score", "max_parents", "whitelist", "blacklist", "source")]
  names(settings) <- c("score", "max_parents", "whitelist", "blacklist", "source")
  for (part in c("candidates", "complete", "in_order", "left_out", "missing", "targets")) {
    settings[[part]] <- sets$settings[[part]]
  }
  if (!is.null(settings$complete)) settings$larger <- sets$settings$larger
  if (!is.na(sets$rows)) settings$rows <- sets$rows
  if (any(sets$settings$slack > 0)) settings$slack <- sets$settings$slack
  c(settings, Filter(Negate(is.null), as.list(global)))
}

warn_interrupted <- function(call) {
  cli::cli_warn(
    c("The search was interrupted: this is the best network so far, not proved optimal.",
      i = "{.fn certificate} reports its largest distance from the optimum."),
    class = c("optbn_warning_interrupt", "optbn_warning"), call = call
  )
}

# Searches among parent sets of more and more slack until no set can be missing.
# search(sets) gives the slack that was `needed`, NA when it found too little to
# tell, besides what it found. Any finds tell enough, so that the second search is
# mostly the last. `stopped`: there is no time for another.
search_with_slack <- function(make_sets, search, max_parents, slack) {
  sets <- make_sets(slack, max_parents)
  repeat {
    found <- search(sets)
    if (is.infinite(slack) || isTRUE(found$needed <= slack) || isTRUE(found$stopped)) break
    slack <- if (!is.na(found$needed)) {
      found$needed * (1 + 1e-9)
    } else if (slack < 50) {
      100
    } else {
      Inf
    }
    # What is to be said about the data has been said.
    sets <- suppressMessages(make_sets(slack, sets$settings$max_parents),
                             classes = "optbn_message")
  }
  found$complete <- is.infinite(slack) || isTRUE(found$needed <= slack)
  found$sets <- sets
  found
}

# The same for parent sets that are given, and cannot be made again.
search_given <- function(sets, search) {
  found <- search(sets)
  found$complete <- !identical(sets$settings$source, "data") ||
    isTRUE(found$needed <= (sets$settings$slack %||% 0))
  found$sets <- sets
  found
}

# The network that takes the candidate set choice[v] at every node v.
network_of_choice <- function(sets, choice, record, algo) {
  parents <- Map(members_of_set, sets$sets, choice)
  scores <- scores_of_choice(sets, choice)
  record$node_scores <- stats::setNames(scores, sets$nodes)
  settings <- sets$settings
  network <- new_network(
    sets$nodes, unname(parents), score = settings$score$label, args = bnlearn_args(sets),
    whitelist = settings$whitelist, blacklist = settings$blacklist, algo = algo,
    ntests = sum(sets$counted), certificate = record, illegal = settings$illegal
  )
  sets$order <- topological_order(unname(parents))
  with_parent_sets(network, sets)
}

scores_of_choice <- function(sets, choice) {
  mapply(function(candidates, i) candidates$score[i], sets$sets, choice)
}

members_of_set <- function(candidates, i) {
  before <- sum(candidates$size[seq_len(i - 1L)])
  candidates$parents[before + seq_len(candidates$size[i])]
}

# The rows in which nodes were set, ascending; where none was, bnlearn has a list of NULLs.
bnlearn_rows <- function(exp, nodes) {
  exp <- Filter(length, exp)
  if (length(exp) == 0L) return(lapply(set_names(nodes), function(node) NULL))
  lapply(exp, function(rows) sort(as.integer(rows)))
}

# Hyper-parameters under the names by which bnlearn looks them up in a network.
bnlearn_args <- function(sets) {
  score <- sets$settings$score
  if (is.null(score)) return(list())
  prior <- function() bnlearn_prior(score$prior, sets$nodes)
  args <- switch(
    sub("-.*", "", score$label),
    pred = unclass(score)[intersect(c("newdata", "iss"), names(score))],
    bde = , bds = c(prior(), list(iss = score$iss)),
    mbde = c(prior(), list(iss = score$iss, exp = bnlearn_rows(score$exp, sets$nodes))),
    bdla = c(prior(), list(l = score$l)),
    bdj = prior(),
    bge = c(prior(), list(nu = stats::setNames(score$nu, sets$nodes),
                          iss.mu = score$iss_mu, iss.w = score$iss_w)),
    bic = , aic = list(k = score$k),
    custom = list(fun = score$fun, args = score$args),
    ebic = list(k = score$k, gamma = score$gamma)
  )
  args %||% list()
}
