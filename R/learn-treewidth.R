# learn_treewidth(): networks of bounded tree-width, and the witness of their width.

#' Learn a Network of Bounded Tree-Width
#'
#' @description
#' Finds a network with a high score whose [treewidth()] is at most a given number, so that exact
#' answers from it are cheap: with tree-width k, [query()] and its kin work on tables over at most
#' k + 1 nodes. The [certificate()] of the result holds a k-tree that covers the network, which
#' proves its width, and a bound that no network of this tree-width exceeds.
#'
#' @details
#' First the best network is sought whatever its width, among parent sets of at most k nodes (the
#' node and its parents are joined, so that more never fit): as [learn_dag()] does, for a third of
#' the time and at most a minute. Its score, or the bound on it, bounds the networks of tree-width k.
#' If its own tree-width is at most k, it is the answer, and proved optimal.
#'
#' Otherwise local search over k-trees follows. A step keeps a connected part of the k-tree, puts
#' the other nodes back in another way, and finds the best network within the new k-tree by dynamic
#' programming over its bags; it is taken if it is not worse. The search ends at the bound, when
#' starting afresh has stopped paying, or with the time. Its effort grows like (k + 1)!: it is meant
#' for tree-widths of up to 8, and for few nodes beyond 5.
#'
#' @param x,score,max_parents,whitelist,blacklist,tiers,weights,gap,threads,time_limit,memory_limit,progress
#'   As in [learn_dag()]; the limits on parents and `treewidth` hold together.
#' @param treewidth The tree-width k: a whole number, 0 (no arcs) or more. From one less than the
#'   number of nodes on nothing is bounded, and a message says so.
#' @param ... Must be empty: what follows is given by name.
#' @return A network of class `c("optbn", "bn")`, see [optbn-class]. Its [certificate()] is that of
#'   [learn_dag()], its bound one on all networks of tree-width k within the constraints, with two
#'   components more:
#'   * `settings$treewidth`: k;
#'   * `k_tree`: a [k_tree][k_tree-class] with every family in one of its bags. Read backwards, the
#'     nodes that its bags introduce are an elimination order of width k or less.
#' @section Errors: as [learn_dag()]; besides `optbn_error_infeasible` when the constraints leave no
#'   network of this tree-width, `optbn_error_constraints` when `whitelist` alone is wider, with the
#'   nodes that make it so.
#' @references
#' Korhonen & Parviainen (2013), *Proceedings of Machine Learning Research* 31, 370-378 (bounded
#' tree-width); Nie, de Campos & Ji (2016) \doi{10.1016/j.ijar.2016.07.002} (k-trees); Scanagatta,
#' Corani, Zaffalon, Yoo & Kang (2018) \doi{10.1016/j.ijar.2018.02.004} (growing them greedily).
#' @seealso [treewidth()], [compile_network()], [learn_dag()].
#' @examples
#' set.seed(1)
#' network <- learn_treewidth(attitude, treewidth = 2, "bic-g")
#' network
#' certificate(network)$k_tree
#' @export
learn_treewidth <- function(x, treewidth, score = "bde", ..., gap = 0, max_parents = NULL,
                            whitelist = NULL, blacklist = NULL, tiers = NULL, weights = NULL,
                            threads = NULL, time_limit = Inf, memory_limit = NULL,
                            progress = interactive()) {
  call <- rlang::current_env()
  treewidth <- check_count(treewidth, "treewidth", call = call)
  gap <- check_number(gap, "gap", minimum = 0, call = call)
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  given_score <- if (missing(score)) NULL else score
  rlang::check_dots_empty()
  check_search_input(x, call)
  nodes <- if (is.data.frame(x)) names(x) else x$nodes
  check_whitelist_width(whitelist, nodes, treewidth, limits, call)
  sets <- candidate_sets(x, given_score, max_parents = fitting_parents(max_parents, treewidth),
                         whitelist = whitelist, blacklist = blacklist, tiers = tiers,
                         weights = weights, limits = limits, call = call)
  network <- search_treewidth(sets, treewidth, gap, limits, call)
  with_partitions(network, x, weights, call)
}

# A node and its parents lie in one bag.
fitting_parents <- function(max_parents, treewidth) {
  if (is.null(max_parents)) treewidth else pmin(max_parents, treewidth)
}

search_treewidth <- function(sets, treewidth, gap, limits, call) {
  widest <- length(sets$nodes) - 1L
  if (treewidth >= widest) announce_one_bag(sets$nodes, treewidth)
  before <- seconds_since(limits)
  found <- call_core(
    core_learn_treewidth(
      sets$sets,
      list(treewidth = min(treewidth, widest), gap = gap, memory_limit = limits$memory_limit),
      host_within(limits, "Searching networks of bounded tree-width")
    ),
    nodes = sets$nodes, call = call
  )
  if (identical(found$reason, "interrupt")) warn_interrupted(call)
  found$trace$seconds <- found$trace$seconds + before
  near <- found$bound - found$score <= gap + 1e-12 * max(1, abs(found$score))
  reason <- found$reason %||% if (!found$proved && near) "gap"
  status <- if (found$proved) "optimal" else if (is.null(reason)) "heuristic" else "bounded"
  effort <- list(subsets = found$subsets, nodes = found$nodes, k_trees = found$steps,
                 parent_sets = length(sets))
  record <- list(
    status = status, score = found$score, bound = found$bound, gap = found$bound - found$score,
    method = c(unbounded = "unbounded optimum", local = "local search over k-trees")[[found$engine]],
    reason = reason, effort = Filter(function(count) count > 0, effort),
    seconds = max(seconds_since(limits), found$trace$seconds),
    settings = c(search_settings(sets), treewidth = treewidth), trace = found$trace,
    k_tree = tree_from_core(found$tree, sets$nodes)
  )
  network <- network_of_choice(sets, found$choice, record, algo = "learn_treewidth")
  require_width(network)
  network
}

# Arcs that must be there, and are too many: the clique that proves it.
check_whitelist_width <- function(whitelist, nodes, treewidth, limits, call) {
  if (is.null(whitelist)) return(invisible())
  whitelist <- check_constraints(nodes, whitelist, NULL, NULL, NULL, call)$whitelist
  to <- factor(match(whitelist[, 2L], nodes), levels = seq_along(nodes))
  dag <- list(nodes = nodes,
              parents = unname(lapply(split(match(whitelist[, 1L], nodes), to), sort)))
  width <- width_of_dag(dag, limits)
  if (width$lower <= treewidth) return(invisible())
  wide <- sort(unlist(width$minor))
  abort_optbn(
    "constraints",
    c("{.arg whitelist} must have a tree-width of at most {treewidth}.",
      x = "It has {width$lower} or more: {width$proof} ({.val {wide}}).",
      i = "Raise {.arg treewidth}, or leave arcs out of {.arg whitelist}."),
    call = call, nodes = wide
  )
}

# What the search says of the width, checked by other code (verify-certificate.R) before anybody
# relies on it.
require_width <- function(network) {
  check <- check_width(certificate(network), lapply(network$nodes, `[[`, "parents"))
  if (!check$ok) stop("the search has gone wrong: tree-width ", check$detail, call. = FALSE)
}
