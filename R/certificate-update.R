# update(): a search goes on where it stopped.

#' Continue a Search
#'
#' Continues the search for a network if it stopped early or ended without a proof. The score never
#' falls and, over the same parent sets, the bound never rises. A network that is proved optimal is
#' returned unchanged.
#'
#' A network from a search that stopped early keeps its candidate parent sets. Without `x`, the
#' search continues among them. With the data, it also scores further sets if some were left out.
#'
#' A network from [learn_treewidth()] is improved at the same tree-width. Local search starts at the
#' k-tree of its certificate, whichever method found it. The search for the best network of any
#' tree-width, which gives the bound, is repeated (for a third of the time and at most a minute)
#' unless that network is known; the lower of both bounds is kept. If the k-tree was given, the
#' exact search within it replaces random orders.
#'
#' @param object A network from [learn_dag()] or [learn_treewidth()].
#' @param x The data, or the [parent_sets()], from which the network was learned; `NULL` for the
#'   parent sets that it keeps. Score and constraints are those of its certificate. Row `weights`
#'   and `targets` must be given again.
#' @inheritParams learn_dag
#' @param time_limit The largest number of further seconds; `NULL` for the usual effort and `Inf` as
#'   in [learn_dag()].
#' @param method As in the learner of `object`: [learn_dag()] has `"auto"`, `"dp"`, `"elsa"`,
#'   `"elsa-ig"`, `"lagrangian"`, `"branch-and-cut"` and `"local"`; [learn_treewidth()] `"auto"`,
#'   `"exact"` and `"local"`, and within a k-tree `"auto"`, `"exact"` and `"s2"`. `"auto"` may
#'   choose another method than that of the earlier search.
#' @param ... Must be empty.
#' @return The network with a new [certificate()], whose seconds, effort and trace include the
#'   earlier ones. If `x` is data and not all parent sets were scored, `update()` scores others
#'   within its time, so the scope grows. The certificate is then that of the new search alone. If
#'   `x` is not the source of the network, or if the network has been changed, a message announces
#'   this. The old bound is then not used, and the network, or its k-tree, serves only as a start.
#' @section Errors: Those of the learner; `optbn_error_argument` if `x` is `NULL` and the network
#'   keeps no parent sets, if the network was learned from a file and `x` is data, if `x` has other
#'   nodes, or if `targets` are given but were not used in learning, or the reverse;
#'   `optbn_error_model` if its certificate or its parent sets were edited.
#' @seealso [learn_dag()], [learn_treewidth()].
#' @examples
#' sets <- parent_sets(attitude, "bge")
#' network <- learn_dag(sets, time_limit = 0)
#' certificate(network)$gap
#' certificate(update(network))$gap
#' @importFrom stats update
#' @export
update.optbn <- function(object, x = NULL, time_limit = NULL, gap = 0, ..., weights = NULL,
                         targets = NULL, method = "auto", threads = NULL, memory_limit = NULL,
                         progress = interactive()) {
  require_arguments()
  if (inherits(object, "bn.fit")) return(NextMethod())
  call <- environment()
  refuse_dots()
  old <- certificate(object)
  if (!is_sealed(old)) abort_edited(call)
  if (old$valid && old$status == "optimal") return(object)
  bounded <- !is.null(old$settings$treewidth)
  methods <- if (bounded) bounded_methods(old$settings) else search_methods
  method <- check_choice(method, methods, "method", call)
  gap <- check_number(gap, "gap", minimum = 0, call = call)
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)

  nodes <- old$k_tree$nodes %||% names(object$nodes)
  x <- if (is.null(x)) kept_sets(object, "object", call) else matrix_as_data(x)
  check_rescorable(x, old$settings, call)
  x <- encode_again(x, old$settings, weights, targets, limits, call)
  same <- NA
  once <- function(from, within) {
    sets <- sets_as_before(x, nodes, old$settings, weights, within, call, from)
    same <<- old$valid && is_same_problem(old, object, sets)
    if (bounded) return(continue_treewidth(object, sets, method, gap, same, within, call))
    search_dag(sets, method, start = from, gap, within, call, network_constraints_of(old$settings),
               warm = if (same) multipliers_for(old, sets))
  }
  continued <- with_kept_random_state(search_until_proved(once, object, x, limits, call))
  continued <- with_partitions(continued, x, call)
  if (same && !same_scope(old$settings, continued$learning$optbn$settings)) return(continued)
  if (same) return(join_searches(object, continued))
  announce(c("The bound of {.arg object} is not used: it holds for another problem.",
             i = if (old$valid) "{.arg x} is not what the network was learned from."
                 else "The network has been changed since it was learned."))
  continued
}

# Its settings are those of no learner, and its bound is nobody's.
abort_edited <- function(call) {
  abort_optbn("model",
              c("The certificate of {.arg object} must be unchanged.",
                x = "It was changed, or made by an earlier version of {.pkg optbn}.",
                i = "Learn the network again: the search cannot be continued."),
              call = call)
}

check_rescorable <- function(x, settings, call) {
  if (is.null(settings$score) && is_data(x)) {
    abort_optbn("argument",
                c("{.arg x} must be parent sets: {.arg object} was learned from a file of scores.",
                  i = "Read {.file {settings$source}} with {.fn read_jkl}."),
                call = call)
  }
}

# What a network was learned from, given again.
encode_again <- function(x, settings, weights, targets, limits, call) {
  if (is_data(x)) check_targets_again(targets, settings, call)
  encode_input(x, weights, settings$score, limits, call, targets)
}

check_targets_again <- function(targets, settings, call) {
  if (is.null(targets) == is.null(settings$targets)) return(invisible())
  abort_optbn("argument",
              if (is.null(targets)) {
                c("{.arg targets} is missing: the network was learned with it.",
                  i = "Give the same {.arg targets} as in learning.")
              } else {
                c("{.arg targets} must not be given: the network was learned without it.",
                  i = "Learn it again, with {.arg targets}.")
              }, call = call)
}

sets_as_before <- function(x, nodes, settings, weights, limits, call, start) {
  check_same_nodes(nodes_of(x, weights), nodes, "{.arg x} must have the nodes of {.arg object}.",
                   call)
  sets <- candidate_sets(x, if (is_data(x)) settings$score,
                         slack = if (is_data(x)) settings$slack, max_parents = settings$max_parents,
                         whitelist = settings$whitelist, blacklist = settings$blacklist,
                         candidates = if (is_data(x)) settings$candidates, weights = weights,
                         limits = limits, call = call, start = start,
                         on_demand = if (!is.null(settings$complete)) TRUE)
  sets$settings["left_out"] <- list(settings$left_out) # forbidden like the blacklist's, and named
  sets
}

# The same settings, and the same scores as far as the network can tell.
is_same_problem <- function(old, object, sets) {
  before <- old$settings
  now <- search_settings(sets)
  plain <- c("score", "max_parents", "source", "rows", "slack", "targets")
  arcs <- c("whitelist", "blacklist", "candidates")
  same <- function(name) isTRUE(all.equal(before[[name]], now[[name]]))
  if (!all(vapply(plain, same, NA))) return(FALSE)
  if (!all(mapply(function(a, b) setequal(arc_keys(a), arc_keys(b)), before[arcs], now[arcs]))) {
    return(FALSE)
  }
  scores <- mapply(score_of_parents, sets$sets, start_parents(object, sets$nodes))
  isTRUE(all.equal(scores, unname(old$node_scores[sets$nodes]), tolerance = 1e-8))
}

# Do the bounds speak of the same parent sets?
same_scope <- function(before, now) {
  identical(before[c("complete", "larger")], now[c("complete", "larger")])
}

# The score of a node's set of parents; NA when it is no candidate.
score_of_parents <- function(candidates, parents) {
  candidates$score[index_of_parents(candidates, parents)]
}

# Which of the candidates it is.
index_of_parents <- function(candidates, parents) {
  size <- length(parents)
  of_size <- which(candidates$size == size)
  before <- cumsum(candidates$size)[of_size] - size
  members <- matrix(candidates$parents[rep(before, each = size) + seq_len(size)],
                    nrow = size, ncol = length(of_size))
  of_size[colSums(members != parents) == 0L][1L]
}

# The multipliers of a search, whose nodes are numbers, for candidate sets of the same nodes.
multipliers_for <- function(certificate, sets) {
  if (identical(names(certificate$node_scores), sets$nodes)) certificate$multipliers
}

# One certificate out of two searches of the same problem, one after the other.
join_searches <- function(object, continued) {
  old <- object$learning$optbn
  new <- continued$learning$optbn
  bound <- max(min(old$bound, new$bound), new$score)
  outcome <- outcome_of(list(
    score = new$score, bound = bound, reason = new$reason,
    proved = bound - new$score <= 1e-12 * max(1, abs(new$score))
  ), new$settings)
  record <- new
  record[names(outcome)] <- outcome
  record$settings$class <- old$settings$class
  record$seconds <- old$seconds + new$seconds
  record$effort <- joined_effort(old$effort, new$effort)
  if (length(unlist(new$multipliers)) == 0L) record$multipliers <- old$multipliers
  record$trace <- joined_traces(old, new)
  with_parent_sets(with_record(continued, record), continued$learning$parent_sets)
}

# NULL where a search was not timed.
joined_traces <- function(old, new) {
  if (is.null(old$trace) || is.null(new$trace)) return(NULL)
  new$trace$seconds <- new$trace$seconds + old$seconds
  new$trace$score <- pmax(new$trace$score, old$score)
  new$trace$bound <- pmin(new$trace$bound, old$bound)
  trace <- rbind(old$trace, new$trace)
  trace[!duplicated(trace[c("score", "bound")]), ]
}

# Counts of what both have done; those of the problem itself are the same in both.
joined_effort <- function(old, new) {
  done <- c("subsets", "nodes", "insertions", "branches", "k_trees")
  both <- new
  for (count in intersect(done, names(old))) {
    both[[count]] <- old[[count]] + (new[[count]] %||% 0)
  }
  both[order(match(names(both), done))]
}
