# The tree-width of a network, and orders in which its nodes can be eliminated.

#' Tree-Width of a Network
#'
#' @description
#' The tree-width is the smallest possible width of a junction tree of the network, which determines
#' the cost of exact inference. It is a property of the moral graph, in which every node is joined
#' with its parents and these with one another. `treewidth()` computes it exactly, with a proof, if
#' this is feasible, and otherwise returns two bounds.
#'
#' @details
#' An elimination order proves an upper bound. The nodes are removed from the graph one by one, and
#' each time the remaining neighbours are joined. Each step gives a clique of a node and its
#' neighbours, and the width is the size of the largest clique minus one. A *minor* proves a lower
#' bound. It is a graph obtained by deleting nodes and merging adjacent ones. If each of its nodes
#' has at least \eqn{d} neighbours, the tree-width is at least \eqn{d}. If the best such bounds
#' differ, a search raises the lower bound by showing that no order has a given width.
#'
#' First, nodes that can be eliminated without loss are removed, which solves the problem for many
#' networks. Computing the tree-width is NP-hard in general. For most networks in practice, with up
#' to a thousand nodes and widths up to 10, the search takes less than a second.
#'
#' Ties are broken at random, so the order and the cliques depend on the seed ([set.seed()]); an
#' exact width does not.
#'
#' @param network A network: learned, of class `bn`, fitted (from [fit_network()] or of class
#'   `bn.fit`), a model string such as `"[A][B|A]"`, or an adjacency matrix.
#' @param ... Must be empty: the arguments after it must be named.
#' @param time_limit Seconds of wall time after which the search stops and returns the current
#'   bounds.
#' @param memory_limit The largest number of bytes for the search; `NULL` means three quarters of
#'   the free memory.
#' @param progress Show a progress bar?
#'
#' @return An object of class `optbn_treewidth`, a list with
#'   \item{width}{the tree-width, a whole number; `NA` if the bounds differ,}
#'   \item{lower, upper}{the bounds,}
#'   \item{order}{names of the nodes: an elimination order of width `upper`,}
#'   \item{cliques}{a list of character vectors: the maximal cliques of this order. They are the
#'     bags of a tree decomposition, so every family is in one of them,}
#'   \item{tree}{for each clique the index of its parent clique, `NA` for a root: the cliques that
#'     contain a node are connected,}
#'   \item{proof}{a description of the proof of the lower bound,}
#'   \item{minor}{the best minor (see *Details*), a list of character vectors: for each of its nodes
#'     the nodes of the network that were merged into it,}
#'   \item{reason}{the reason why the bounds differ: `"time_limit"`, `"interrupt"`, or `"size"` if
#'     the remaining graph is too large for the search; `NULL` if they are equal,}
#'   \item{seconds}{the time taken.}
#' It has a `print()` method. After an interrupt (Ctrl-C), the function returns the current bounds.
#' @section Errors: `optbn_error_argument` if `network` is not a directed acyclic network, or for a
#'   malformed argument.
#' @references
#' Bodlaender & Koster (2010, 2011) \doi{10.1016/j.ic.2009.03.008},
#' \doi{10.1016/j.ic.2011.04.003} (orders, lower bounds); Bodlaender, Koster & van den Eijkhof
#' (2005) \doi{10.1111/j.1467-8640.2005.00274.x} (reductions); Lauritzen & Spiegelhalter (1988)
#' \doi{10.1111/j.2517-6161.1988.tb01721.x} (moral graph, cliques); Tamaki (2019)
#' \doi{10.1007/s10878-018-0353-z} (search).
#' @seealso [elimination_order()], [learn_dag()].
#' @examples
#' # a cycle of four nodes; the moral graph adds an edge between B and C
#' width <- treewidth("[A][B|A][C|A][D|B:C]")
#' width
#' width$cliques
#'
#' treewidth(learn_dag(attitude, "bic-g"))
#' @export
treewidth <- function(network, ..., time_limit = 10, memory_limit = NULL,
                      progress = interactive()) {
  require_arguments()
  call <- environment()
  check_no_dots()
  dag <- structure_of(network, call)
  limits <- check_limits(1L, time_limit, memory_limit, progress, call)
  width_of_dag(dag, limits)
}

width_of_dag <- function(dag, limits) {
  seed <- with_kept_random_state(random_seed())
  found <- call_core(core_tree_width(dag$parents, limits$memory_limit,
                                     host_within(limits, "Bounding the tree-width", seed)))
  named <- function(sets) lapply(sets, function(set) dag$nodes[set])
  structure(
    list(
      width = if (found$lower == found$upper) found$upper else NA_integer_,
      lower = found$lower, upper = found$upper,
      order = dag$nodes[found$order],
      cliques = named(found$cliques), tree = found$tree,
      proof = describe_lower_bound(found), minor = named(found$minor),
      reason = found$reason, seconds = found$seconds
    ),
    class = "optbn_treewidth"
  )
}

# as_network_structure() for fitted networks too.
structure_of <- function(network, call, arg = "network") {
  if (!inherits(network, "optbn_fit")) return(as_network_structure(network, arg, call))
  check_sound(network, call)
  list(nodes = network$nodes,
       parents = unname(lapply(network$parents, function(p) sort(match(p, network$nodes)))))
}

describe_lower_bound <- function(found) {
  lower <- found$lower
  size <- length(found$minor)
  if (lower == 0L) return("no network has less")
  if (found$searched) return(cli::format_inline("search: no order has width {lower - 1L}"))
  if (size == lower + 1L && all(lengths(found$minor) == 1L)) {
    return(cli::format_inline("a clique of {size} nodes"))
  }
  cli::format_inline("a minor of {size} nodes, each joined to at least {lower} others")
}

#' @export
format.optbn_treewidth <- function(x, ...) {
  check_sound(x)
  open <- switch(x$reason %||% "none",
    time_limit = "stopped by the time limit: raise time_limit to close the gap",
    interrupt = "stopped by the user",
    size = "the remaining graph is too large for the search"
  )
  c(
    cli::style_bold(treewidth_heading(x)),
    format_facts(c(
      upper = cli::format_inline("an elimination order with {length(x$cliques)} clique{?s}"),
      lower = x$proof,
      gap = open
    ))
  )
}

treewidth_heading <- function(x) {
  if (!is.na(x$width)) return(cli::format_inline("Tree-width {x$width} (exact)"))
  cli::format_inline("Tree-width between {x$lower} and {x$upper}")
}

#' @export
print.optbn_treewidth <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' Elimination Order of a Network
#'
#' Computes an order in which to eliminate the nodes of a network so that the resulting cliques are
#' small: see [treewidth()]. Exact inference by variable elimination or in the corresponding
#' junction tree uses tables over these cliques.
#'
#' @inheritParams treewidth
#' @param goal The quantity to minimise: `"width"`, the number of nodes of the largest clique, or
#'   `"cells"`, the total number of cells of the tables over all cliques, which determines the cost
#'   of inference. The numbers of levels are taken from a fitted network, where continuous nodes
#'   count as having two; in other networks all nodes count as having equally many.
#' @param time_limit Seconds of wall time after which the search stops and returns the best order so
#'   far.
#'
#' @details
#' For `"width"`, the order is that of [treewidth()], and is proved optimal unless the time limit
#' ends the search. For `"cells"`, it is good but not proved optimal. It is the best of several
#' greedy orders (fewest edges to add, weighted by levels or not; fewest neighbours; fewest cells),
#' improved by reordering small parts of the junction tree as long as this helps. This takes about
#' half a second for a thousand nodes.
#'
#' Ties are broken at random, so the result depends on the seed ([set.seed()]).
#'
#' @return A character vector with the names of all nodes in the order of elimination.
#' @inheritSection treewidth Errors
#' @references
#' Fichte, Lodha & Szeider (2017) \doi{10.1007/978-3-319-66263-3_25} (local improvement); Kask,
#' Gelfand, Otten & Dechter (2011), *AAAI Conference on Artificial Intelligence* 25, and Kjaerulff
#' (1990), report R 90-09, Aalborg University (greedy orders).
#' @seealso [treewidth()]
#' @examples
#' elimination_order("[A][B|A][C|A][D|B:C][E|D]")
#'
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' elimination_order(fit, "cells")
#' @export
elimination_order <- function(network, goal = c("width", "cells"), ..., time_limit = 10,
                              memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  goal <- check_choice(goal, c("width", "cells"), "goal", call)
  check_no_dots()
  dag <- structure_of(network, call)
  limits <- check_limits(1L, time_limit, memory_limit, progress, call)
  if (goal == "width") return(width_of_dag(dag, limits)$order)
  host <- host_within(limits, "Ordering nodes", with_kept_random_state(random_seed()))
  dag$nodes[call_core(core_fewest_cells_order(dag$parents, log_levels(network), host))]
}

# Natural logs of the nodes' numbers of levels; empty where the network knows none.
log_levels <- function(network) {
  levels <- if (inherits(network, "optbn_fit")) {
    lengths(network$levels)
  } else if (inherits(network, "bn.fit")) {
    vapply(unclass(network), function(node) NROW(node$prob), 0L)
  }
  if (!any(levels > 0)) return(numeric())
  unname(log(ifelse(levels > 0, levels, 2)))
}
