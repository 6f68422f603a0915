# learn_treewidth(): networks of bounded tree-width, and the witness of their width.

#' Learn a Network of Bounded Tree-Width
#'
#' @description
#' Finds a network with a high score whose [treewidth()] is at most a given number, so that exact
#' inference is fast: with tree-width k, [query()] and similar functions use tables over at most
#' k + 1 nodes. The [certificate()] of the result contains a k-tree that covers the network, which
#' proves its width, and a bound on the score of all networks of this tree-width.
#'
#' @details
#' First, the search of [learn_dag()] looks for the best network of any width whose parent sets have
#' at most k nodes (a node and its parents form a clique, so larger sets are too wide). It gets 30 %
#' of the time, and at most a minute. The score of that network, or the bound on it, also bounds the
#' networks of tree-width k. If the network is proved optimal and has tree-width k or less, it is
#' returned.
#'
#' Otherwise, with few nodes (15 to 20 if the tree-width is small), the exact search over all
#' k-trees follows: dynamic programming after Korhonen & Parviainen (2013), pruned by bounds of the
#' unbounded problem. `"auto"` uses it if it is forecast to take less than a minute and half of the
#' time limit. `"exact"` always uses it, for up to 24 nodes and tree-widths up to 8. `"local"` never
#' does.
#'
#' Branch and cut on the width comes next, for tree-widths up to 6 and up to 512 nodes. It cuts off
#' solutions of linear programs whose graphs are too wide, and branches on arcs. A limit of time is
#' divided: 15 % for a first local search, whose network makes pruning stronger, then half of what
#' is left for branch and cut. Without a limit, branch and cut does the work of 6 to 10 seconds. It
#' lowers the bound, and if the limit on the width costs little score, it often finds the best
#' network and proves it.
#'
#' The last stage is local search, by simulated annealing of k-trees with an order of their nodes. A
#' step moves a branch of the k-tree, attaches a few nodes elsewhere, moves a node in the order, or
#' removes a part of the k-tree and grows it again. Steps that lower the score are accepted less
#' often as the temperature falls. Eight k-trees compete: after each round the better half of them
#' is annealed again, for twice as long, from half the temperature. Each such tournament is longer
#' than the one before, begins with other k-trees, and takes the best one so far into its second
#' round; with a `time_limit` the last tournament uses the remaining time. The result is the best
#' network within the best k-tree. The search ends when the score meets the bound or time runs out;
#' without a limit of time, it also ends after three tournaments without a gain, and by default
#' after 600,000 steps.
#'
#' `method = "sample"` is the learner of Nie, de Campos & Ji (2016), for comparison. It draws
#' k-trees by distance-preferable sampling ([sample_k_tree()]), improves each by small changes of
#' its code (`refine`), guided by the [informative_score()], and finds the best network within it,
#' or a good one (`inner`). If `x` is parent sets, the sum of the best scores of parent sets within
#' the k-tree's bags is the guide. It finds worse networks than the default in the same time, and
#' its bound is poor.
#'
#' If `treewidth` is a k-tree, the result is the best network within it, in which each node shares a
#' bag with all its parents. Dynamic programming finds it (`inner = "exact"`, for tree-widths up to
#' 7). The certificate then applies to the networks within this k-tree only; others of the same
#' tree-width may be better. For wider k-trees, `inner = "s2"` returns the best of 100 random
#' orders; its bound is the sum of the best scores of parent sets within the bags, cycles allowed.
#'
#' [`update()`][update.optbn()] continues from a network that is not proved optimal.
#'
#' Without a limit of time, results depend on the seed ([set.seed()]) and not on the number of
#' threads, unless one of the first two stages takes a minute. Sampling runs in two chains, which
#' can be two [processes][several-processes].
#'
#' @param x,whitelist,blacklist,tiers,candidates,weights,targets,gap As in [learn_dag()].
#' @param score As in [learn_dag()], but if values are missing, `NULL` means a node average.
#' @param max_parents The largest number of parents, as in [learn_dag()]. No node has more than k;
#'   `NULL` means k.
#' @param threads,memory_limit,progress As in [learn_dag()].
#' @param time_limit Seconds of wall time after which to stop, scoring included. `NULL` means the
#'   usual effort (except for `"exact"` and within a k-tree), which takes one minute or a few. If
#'   there are too many parent sets, those that are needed are then scored on demand, as in
#'   [parent_sets()]. `Inf` sets no limit: all sets of at most k parents are scored, and local
#'   search continues until it finds no better network.
#' @param treewidth The tree-width k: a whole number, 0 (no arcs) or more. One less than the number
#'   of nodes, or more, is no restriction, and a message reports this. Or a [k-tree][k_tree-class]
#'   over the nodes of `x`, to which the network is restricted.
#' @param ... Must be empty: the arguments after it must be named.
#' @param method The search, see *Details*; not for a k-tree.
#' @param refine For `"sample"`: how k-trees are improved, by probabilistic hill climbing (`"phc"`),
#'   by hill climbing (`"hc"`), or not (`"none"`). `"a-star"` instead grows each k-tree from a
#'   random clique of related nodes, by a beam search like A*, which adds the node and the clique
#'   that share most mutual information (or, for parent sets, those with the best parent sets).
#' @param inner For `"sample"`, and if `treewidth` is a k-tree: the network within a k-tree.
#'   `"exact"` is the best one (for `"sample"`, up to tree-width 6), `"s2"` the best of 100 random
#'   orders.
#' @param iterations The largest number of steps of local search, over all k-trees together (it does
#'   not limit the exact search), or the number of sampled k-trees. `NULL` means as many as the
#'   time allows, or the usual effort, and 100 sampled k-trees.
#' @return A network of class `c("optbn", "bn")`, see [optbn-class]. Its [certificate()] has the
#'   components of that of [learn_dag()]. The bound applies to all networks of tree-width k within
#'   the constraints. Further components are:
#'   * `settings$treewidth`: k, and `settings$k_tree`: the given k-tree, if there was one;
#'   * `k_tree`: a [k-tree][k_tree-class] with every family in one of its bags. Read backwards, the
#'     nodes that its bags introduce are an elimination order of width k or less;
#'   * `unbounded`: a list with `bound`, which no network with at most k parents per node exceeds,
#'     whatever its tree-width, and `proved`, whether a network reaches it. `NULL` for `"sample"`
#'     and within a k-tree.
#' @section Errors: Those of [learn_dag()]; `optbn_error_memory` when `method = "exact"` needs more
#'   than `memory_limit` or has too many nodes; `optbn_error_infeasible` when no network of this
#'   tree-width satisfies the constraints; and `optbn_error_constraints` when `whitelist` alone has
#'   a larger tree-width, or does not lie within the k-tree.
#' @references
#' Korhonen & Parviainen (2013), *Proceedings of Machine Learning Research* 31, 370-378 (bounded
#' tree-width); Nie, de Campos & Ji (2016) \doi{10.1016/j.ijar.2016.07.002} (k-trees); Scanagatta,
#' Corani, Zaffalon, Yoo & Kang (2018) \doi{10.1016/j.ijar.2018.02.004} (growing them greedily).
#' @seealso [treewidth()], [compile_network()], [learn_dag()], [update.optbn()].
#' @examples
#' set.seed(1)
#' network <- learn_treewidth(attitude, treewidth = 2, "bic-g")
#' network
#' certificate(network)$k_tree
#'
#' # the best network within one k-tree
#' learn_treewidth(attitude, treewidth = sample_k_tree(names(attitude), 2), "bic-g")
#' @export
learn_treewidth <- function(x, treewidth, score = NULL, ...,
                            method = c("auto", "exact", "local", "sample"),
                            refine = c("phc", "hc", "a-star", "none"), inner = c("exact", "s2"),
                            iterations = NULL, gap = 0, max_parents = NULL, whitelist = NULL,
                            blacklist = NULL, tiers = NULL, candidates = NULL, weights = NULL,
                            targets = NULL, threads = NULL, time_limit = NULL, memory_limit = NULL,
                            progress = interactive()) {
  require_arguments()
  call <- environment()
  method <- check_choice(method, c("auto", "exact", "local", "sample"), "method", call)
  sampling <- list(refine = check_choice(refine, c("phc", "hc", "a-star", "none"), "refine", call),
                   inner = check_choice(inner, c("exact", "s2"), "inner", call))
  if (!is.null(iterations)) iterations <- check_count(iterations, "iterations", 1, call = call)
  x <- matrix_as_data(x)
  tree <- if (inherits(treewidth, "optbn_k_tree")) treewidth
  if (is.null(tree)) {
    treewidth <- check_count(treewidth, "treewidth", call = call)
  } else {
    check_given_tree(tree, x, nodes_of(x, weights, targets), method, iterations, call)
    treewidth <- as.integer(tree$treewidth)
    method <- "within"
  }
  if (method %in% names(widest_exact)) check_exact_width(sampling$inner, treewidth, method, call)
  gap <- check_number(gap, "gap", minimum = 0, call = call)
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)
  refuse_dots()
  x <- encode_input(x, weights, score, limits, call, targets)
  nodes <- nodes_of(x, weights)
  check_whitelist_width(whitelist, nodes, treewidth, tree, limits, call)
  most <- fitting_parents(max_parents, treewidth, allowed_effort(method, limits))
  sets <- with_kept_random_state(
    candidate_sets(x, score, max_parents = most, whitelist = whitelist, blacklist = blacklist,
                   tiers = tiers, candidates = candidates, weights = weights, limits = limits,
                   call = call)
  )
  if (treewidth >= length(nodes) - 1L) announce_one_bag(nodes, treewidth)
  options <- list(method = method, treewidth = treewidth, k_tree = tree, gap = gap,
                  iterations = iterations, sampling = sampling)
  if (method == "sample") {
    options$iterations <- iterations %||% 100L
    options$sampling <- c(sampling, list(information = information_of(x, limits, call)))
  }
  search <- function() search_treewidth(sets, options, limits, call)
  network <- if (method == "sample") search() else with_kept_random_state(search())
  with_partitions(network, x, call)
}

# What is exact, or sought within one k-tree, takes what it needs.
allowed_effort <- function(method, limits) {
  if (method %in% c("exact", "within")) Inf else limits$effort
}

# A node and its parents lie in one bag. Without any limit all sets of that size are scored.
fitting_parents <- function(max_parents, treewidth, effort) {
  if (is.null(max_parents)) {
    return(if (is.finite(effort)) implied_limits(treewidth) else treewidth)
  }
  if (is.numeric(max_parents)) pmin(max_parents, treewidth) else max_parents # to be refused
}

# The matrix that guides sampling; NULL where there are no data.
information_of <- function(x, limits, call) if (is_data(x)) core_information(x, limits, call)

# `options$k_tree`: the only k-tree to look into, or NULL; `options$start`: what an earlier search
# knows, as known_to() tells it, or NULL.
search_treewidth <- function(sets, options, limits, call) {
  treewidth <- options$treewidth
  if (options$method == "exact") require_indexable(sets$nodes, call)
  before <- seconds_since(limits)
  effort <- allowed_effort(options$method, limits)
  asked <- list(method = options$method, treewidth = min(treewidth, length(sets$nodes) - 1L),
                gap = options$gap, memory_limit = limits$memory_limit, effort = effort,
                iterations = options$iterations %||% min(steps_per_effort * effort, 1e9),
                sampling = options$sampling,
                start = options$start %||% tree_to_start(options$k_tree, sets$nodes))
  found <- if (options$method == "sample") {
    search_by_samples(sets$sets, asked, limits, call)
  } else {
    core_learn_treewidth(sets$sets, asked, host_within(limits, searching_treewidth, random_seed()))
  }
  require_found(found, options, call)
  found <- call_core(found, nodes = sets$nodes, call = call)
  if (identical(found$reason, "interrupt")) warn_interrupted(call)
  found$trace$seconds <- found$trace$seconds + before
  record <- new_record(
    found, method = method_that_found(found$engine, options),
    effort = list(subsets = found$subsets, nodes = found$nodes, subtrees = found$subtrees,
                  k_trees = found$steps, parent_sets = length(sets)),
    seconds = seconds_since(limits),
    settings = c(search_settings(sets), treewidth = treewidth,
                 if (!is.null(options$k_tree)) list(k_tree = options$k_tree)),
    k_tree = options$k_tree %||% tree_from_core(found$tree, sets$nodes),
    unbounded = found$unbounded
  )
  network <- network_of_choice(sets, found$choice, record, algo = "learn_treewidth")
  require_width(network)
  network
}

searching_treewidth <- "Searching for networks of bounded tree-width"

# Steps of local search that take about as long as a second of effort in other searches.
steps_per_effort <- 2e4

# ---- sampling, by chains ------------------------------------------------------------------------

# As many as there are, so that the result does not depend on the processes or threads that run
# them.
sampling_chains <- function() core_limits()$sampling_chains

search_by_samples <- function(sets, asked, limits, call) {
  task <- list(sets = sets, asked = asked, seed = random_seed())
  # A chain without a sample has nothing, and where there is one k-tree only one is drawn.
  apart <- asked$iterations >= sampling_chains() && asked$treewidth > 0L &&
    asked$treewidth < length(sets) - 1L
  chains <- seq_len(sampling_chains())
  if (!apart) return(sample_by_chains(chains, task, limits, identity))
  best_chain(in_chunks(chains, sample_by_chains, task, limits, call))
}

# Those of consecutive numbers, each with its part of the samples.
sample_by_chains <- function(numbers, task, limits, report) {
  asked <- task$asked
  asked$iterations <- sum(ceiling((asked$iterations - numbers + 1) / sampling_chains()))
  asked$sampling$chains <- length(numbers)
  core_learn_treewidth(task$sets, asked,
                       host_of_pieces(numbers, limits, searching_treewidth, task$seed, report))
}

# The first of the best; a chain that finds no network at all does not matter where another does.
best_chain <- function(chunks) {
  if (!all(vapply(chunks, is_failure, NA))) {
    chunks <- Filter(function(chunk) !identical(chunk$kind, "infeasible"), chunks)
  }
  failure <- common_failure(chunks)
  if (!is.null(failure)) return(failure)
  done <- Filter(Negate(is_failure), chunks)
  best <- done[[which.max(vapply(done, `[[`, 0, "score"))]]
  best["reason"] <- list(if (!best$proved) common_reason(chunks))
  best$steps <- sum(vapply(done, `[[`, 0, "steps"))
  best$trace <- joined_trace(done)
  best
}

# A k-tree for the core, which takes its edges.
tree_to_start <- function(tree, nodes) {
  if (is.null(tree)) return(NULL)
  list(treewidth = tree$treewidth, edges = pairs_within(lapply(tree$bags, match, nodes)))
}

# Among sets that are candidates, networks may all be too wide.
require_found <- function(found, options, call) {
  if (!inherits(found, "core_failure") || found$kind != "infeasible") return(invisible())
  if (length(found$facts$nodes) > 0L) return(invisible())
  given <- !is.null(options$k_tree)
  where <- if (given) "within the k-tree" else "of tree-width {options$treewidth}"
  remedy <- if (given) "Give another k-tree" else "Raise {.arg treewidth}"
  abort_optbn("infeasible",
              c(paste("No network", where, "was found among the candidate parent sets."),
                i = paste0(remedy, ", or relax {.arg whitelist} and {.arg blacklist}.")),
              call = call)
}

method_that_found <- function(engine, options) {
  switch(engine,
    unbounded = "unbounded search",
    exact = "exact search over k-trees",
    local = "local search over k-trees",
    sample = "sampled k-trees",
    within = if (options$sampling$inner == "s2") "random orders within a k-tree"
             else "dynamic program within a k-tree",
    cuts = "branch and cut on the width",
    earlier = options$start$method
  )
}

# ---- going on ------------------------------------------------------------------------------------

# What update() may do with a network of bounded tree-width: within a k-tree, to find another by
# `inner`.
bounded_methods <- function(settings) {
  if (is.null(settings$k_tree)) return(c("auto", "exact", "local"))
  c("auto", if (settings$treewidth <= widest_exact[["within"]]) "exact", "s2")
}

# Goes on from a network, or, if it was not learned from the same problem, begins again with its
# k-tree.
continue_treewidth <- function(object, sets, method, gap, same, limits, call) {
  old <- certificate(object)
  options <- list(method = method, treewidth = old$settings$treewidth, gap = gap,
                  k_tree = old$settings$k_tree, start = known_to(object, sets, same))
  if (!is.null(options$k_tree)) {
    # The first after "auto" is the exact one, unless the k-tree is too wide for it.
    inner <- if (method == "auto") bounded_methods(old$settings)[2L] else method
    options$sampling <- list(inner = inner)
    options$method <- "within"
  }
  continued <- search_treewidth(sets, options, limits, call)
  record <- continued$learning$optbn
  record$unbounded <- record$unbounded %||% if (same) old$unbounded
  with_record(continued, record)
}

# What a network tells the search that goes on from it: its k-tree; and if that search is of the
# same problem, its parent sets and its bound. Where the best network of any width is known, it is
# not sought again.
known_to <- function(object, sets, same) {
  old <- certificate(object)
  start <- tree_to_start(old$k_tree, sets$nodes)
  if (!same) return(start)
  c(start, list(choice = mapply(index_of_parents, sets$sets, start_parents(object, sets$nodes)),
                bound = old$bound, settled = isTRUE(old$unbounded$proved), method = old$method))
}

# ---- what can be refused beforehand --------------------------------------------------------------

check_given_tree <- function(tree, x, nodes, method, iterations, call) {
  check_k_tree(tree, "treewidth", call)
  given <- c(method = method != "auto", iterations = !is.null(iterations))
  if (any(given)) {
    abort_optbn("argument",
                c("{.arg {names(given)[given]}} cannot be used when {.arg treewidth} is a k-tree.",
                  i = "Within a k-tree, {.arg inner} chooses the method."),
                call = call)
  }
  check_search_input(x, call)
  check_same_nodes(tree$nodes, nodes,
                   "{.arg treewidth}, a k-tree, must have the nodes of {.arg x}.", call)
}

# The best network within a k-tree takes memory and time like (k + 1)!: at tree-width 8 gigabytes,
# and seconds a bag in which nothing could stop it. Of many k-trees it is sooner too much.
widest_exact <- c(sample = 6L, within = 7L)

check_exact_width <- function(inner, treewidth, method, call) {
  most <- widest_exact[[method]]
  if (inner == "s2" || treewidth <= most) return(invisible())
  abort_optbn("argument",
              c("{.code inner = \"exact\"} takes a {.arg treewidth} of at most {most}.",
                x = "It is {treewidth}.",
                i = paste0("Use {.code inner = \"s2\"}",
                           if (method == "sample") ", or {.code method = \"auto\"}", ".")),
              call = call)
}

# What the exact search can index.
require_indexable <- function(nodes, call) {
  most <- core_limits()$exact_treewidth_nodes
  if (length(nodes) <= most) return(invisible())
  abort_optbn("memory",
              c("{.code method = \"exact\"} takes at most {most} nodes.",
                x = "There are {length(nodes)}.",
                i = "{.code method = \"auto\"} also takes larger problems."),
              call = call)
}

# Arcs that must be there, and are too many: the clique that proves it.
check_whitelist_width <- function(whitelist, nodes, treewidth, tree, limits, call) {
  whitelist <- check_constraints(nodes, whitelist, NULL, NULL, NULL, call)$whitelist
  if (is.null(whitelist)) return(invisible())
  if (!is.null(tree)) return(check_whitelist_within(whitelist, tree, call))
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

# A node and the parents that it must have lie in one bag.
check_whitelist_within <- function(whitelist, tree, call) {
  parents <- split(whitelist[, 1L], whitelist[, 2L])
  outside <- names(parents)[!families_in_bags(names(parents), parents, tree$bags)]
  if (length(outside) == 0L) return(invisible())
  node <- outside[1L]
  before <- parents[[node]]
  abort_optbn("constraints",
              c("{.arg whitelist} must lie within the k-tree.",
                x = paste("No bag contains {.val {node}} and its",
                          "{cli::qty(length(before))}parent{?s} {.val {before}}."),
                i = "Give another k-tree, or leave arcs out of {.arg whitelist}."),
              call = call, nodes = c(node, before))
}

# What the search says of the width, checked by other code (certificate-verify.R) before anybody
# relies on it.
require_width <- function(network) {
  check <- check_width(certificate(network), lapply(network$nodes, `[[`, "parents"))
  if (!check$ok) stop("the search has gone wrong: tree-width ", check$detail, call. = FALSE)
}
