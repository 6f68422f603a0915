# The tree-width of a network, and orders in which its nodes can be eliminated.

#' Tree-Width of a Network
#'
#' @description
#' The width that a junction tree of the network has at least: how wide exact inference is, at
#' best. It is a property of the moral graph, in which every node is joined with its parents and
#' these with one another. `treewidth()` finds it exactly where it can, with a proof, and otherwise
#' two bounds.
#'
#' @details
#' From above an elimination order proves it: taking the nodes out of the graph one by one, each
#' time joining the neighbours that are left, leaves cliques of a node and its neighbours; the width
#' is the size of the largest less one. From below a *minor* proves it, a graph that is
#' left when nodes are deleted and joined nodes merged: if each of its nodes has at least \eqn{d}
#' neighbours, the tree-width is at least \eqn{d}. Where the best such bounds leave a gap, a search
#' closes it from below: it finds that there is no order of a certain width.
#'
#' Before all that, nodes that may be eliminated first without loss are taken out, which leaves
#' nothing of many networks. To decide the tree-width is NP-hard in general; the search takes
#' less than a second for most networks in use of up to a thousand nodes and widths up to 10.
#'
#' Ties are broken at random, so that order and cliques (never an exact width) depend on the seed
#' ([set.seed()]).
#'
#' @param network A network: learned, of class `bn`, fitted (from [fit_network()] or of class
#'   `bn.fit`), a model string such as `"[A][B|A]"`, or an adjacency matrix.
#' @param ... Must be empty: what follows is given by name.
#' @param time_limit Seconds of wall time after which to stop with the bounds reached.
#' @param memory_limit Bytes that the search may use; `NULL` for three quarters of the memory that
#'   is free.
#' @param progress Show a progress bar?
#'
#' @return An object of class `optbn_treewidth`, a list with
#'   \item{width}{the tree-width, a whole number; `NA` if the bounds differ,}
#'   \item{lower, upper}{the bounds,}
#'   \item{order}{names of the nodes: an elimination order of width `upper`,}
#'   \item{cliques}{a list of character vectors: the cliques that it leaves, those inside others
#'     left out. They are the bags of a tree decomposition: every family lies in one,}
#'   \item{tree}{for each clique the number of the clique that it hangs on, `NA` for a root: the
#'     cliques that hold a node hang together,}
#'   \item{proof}{what proves the lower bound, in words,}
#'   \item{minor}{a list of character vectors: for each node of the minor the nodes of the network
#'     that were merged into it,}
#'   \item{reason}{what keeps the bounds apart: `"time_limit"`, `"interrupt"`, or `"size"` when what
#'     is left is too large to be searched; `NULL` if they meet,}
#'   \item{seconds}{the time taken.}
#'   It can be printed. Interrupted (Ctrl-C), it returns the bounds reached.
#' @section Errors: `optbn_error_argument` if `network` is no directed acyclic network, or for a
#'   malformed argument.
#' @references
#' Bodlaender & Koster (2010, 2011) \doi{10.1016/j.ic.2009.03.008},
#' \doi{10.1016/j.ic.2011.04.003} (orders, lower bounds); Bodlaender, Koster & van den Eijkhof
#' (2005) \doi{10.1111/j.1467-8640.2005.00274.x} (reductions); Lauritzen & Spiegelhalter (1988)
#' \doi{10.1111/j.2517-6161.1988.tb01721.x} (moral graph, cliques); Tamaki (2019)
#' \doi{10.1007/s10878-018-0353-z} (search).
#' @seealso [elimination_order()], [learn_dag()].
#' @examples
#' # a ring of four nodes, and in the moral graph the chord between B and C
#' width <- treewidth("[A][B|A][C|A][D|B:C]")
#' width
#' width$cliques
#'
#' treewidth(learn_dag(attitude, "bic-g"))
#' @export
treewidth <- function(network, ..., time_limit = 10, memory_limit = NULL,
                      progress = interactive()) {
  require_arguments()
  call <- rlang::current_env()
  rlang::check_dots_empty()
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
#' An order in which to eliminate the nodes of a network, so that the cliques that it leaves are
#' small: see [treewidth()]. Exact inference along it, by variable elimination or in the junction
#' tree that it makes, works on tables over these cliques.
#'
#' @inheritParams treewidth
#' @param goal What to keep small: `"width"`, the number of nodes of the largest clique; or
#'   `"cells"`, the number of cells that the tables over all cliques have together, which is what
#'   inference takes. Fitted networks know the numbers of levels of their nodes; in others all nodes
#'   count as having equally many (and so do continuous ones).
#'
#' @details
#' For `"width"` the order is that of [treewidth()], proved best unless time runs out. For `"cells"`
#' it is good, not proved: the best of several greedy orders (fewest edges to add, weighted by
#' levels or not; fewest neighbours; fewest cells), made better by ordering small parts of the
#' junction tree again as long as that pays. That takes about half a second for a thousand nodes.
#'
#' Ties are broken at random: the result depends on the seed ([set.seed()]).
#'
#' @return A character vector: the names of all nodes, the first to be eliminated first.
#' @inheritSection treewidth Errors
#' @references
#' Fichte, Lodha & Szeider (2017) \doi{10.1007/978-3-319-66263-3_25} (parts again); Kask, Gelfand,
#' Otten & Dechter (2011), *AAAI Conference on Artificial Intelligence* 25, and Kjaerulff (1990),
#' report R 90-09, Aalborg University (greedy orders).
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
  call <- rlang::current_env()
  goal <- check_choice(goal, c("width", "cells"), "goal", call)
  rlang::check_dots_empty()
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
