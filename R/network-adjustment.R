# Adjustment: which nodes to condition on, so that what is seen of `to` given `from` is what an
# intervention on `from` does.

#' Adjustment Sets
#'
#' Computes which nodes to measure and to adjust for, so that the effect of an intervention can be
#' estimated from observational data. For an *adjustment set* \eqn{Z}, \eqn{P(to \mid do(from)) =
#' \sum_z P(to \mid from, z) P(z)}{P(to | do(from)) = sum_z P(to | from, z) P(z)} holds for all
#' parameters of the network.
#'
#' @param network The structure: a network from [learn_dag()] or of bnlearn's class `bn`, a fitted
#'   one, a model string, or an adjacency matrix. With undirected arcs, as from `bnlearn::cpdag()`,
#'   it is an equivalence class; in an adjacency matrix these arcs have a 1 in both directions.
#' @param from,to Names of nodes: the causes and the outcomes.
#' @param set Names of nodes, or `character()`.
#' @param criterion `"generalised"`: the generalised adjustment criterion, which finds all
#'   adjustment sets; `"back-door"`: in addition, the set contains no possible descendant of `from`.
#' @param type `"minimal"`: all sets without a proper subset that is an adjustment set.
#'   `"canonical"`: the possible ancestors of `from` and `to` that are not forbidden, which is an
#'   adjustment set if there is one. `"all"`.
#' @param available Names of the nodes that can be measured; `NULL` for all.
#' @param cpdag Is the network known only up to equivalence? If so, an arc that has the other
#'   direction in an equivalent network is treated as undirected.
#' @param limit The largest number of sets to find, a whole number.
#'
#' @details
#' A set is an adjustment set (Perkovic et al. 2018) if
#' * it has no *forbidden* node: no possible descendant of a node, other than `from`, on a causal
#'   path from `from` to `to`;
#' * it blocks all other paths from `from` to `to` on which only the first node is in `from`;
#' * and, for an equivalence class, all possibly causal paths begin with an arc that is directed
#'   away from `from`.
#'
#' If there is no adjustment set, other methods may still identify the effect. For a fitted network,
#' [query()] with `do` always computes it.
#'
#' Sets are found one after another, each in polynomial time (van der Zander et al. 2019). If there
#' are more than `limit`, a message reports this.
#'
#' @return `adjustment_sets()`: an object of class `optbn_adjustment_sets`, a list of character
#'   vectors, the smallest first. The empty set is `character()`, and the list is empty if there is
#'   no adjustment set. It prints one set per line, or the reason why there is none. Its attributes
#'   are `from`, `to`, `criterion`, `type`, `complete` (whether these are all sets) and `reason`
#'   (why there is none). `is_adjustment_set()`: `TRUE` or `FALSE`.
#'
#' @section Errors: `optbn_error_argument` for names that are not nodes, for nodes in two of the
#'   arguments, and for a network that is neither directed and acyclic nor an equivalence class, for
#'   example one in which only some of the arcs of a class were directed.
#'
#' @references
#' Perkovic, E., Textor, J., Kalisch, M. and Maathuis, M. H. (2018). Complete graphical
#' characterization and construction of adjustment sets in Markov equivalence classes of ancestral
#' graphs. *Journal of Machine Learning Research* 18(220), 1-62.
#' <https://www.jmlr.org/papers/v18/16-319.html>
#'
#' van der Zander, B., Liskiewicz, M. and Textor, J. (2019). Separators and adjustment sets in
#' causal graphs: complete criteria and an algorithmic framework. *Artificial Intelligence* 270,
#' 1-40. \doi{10.1016/j.artint.2018.12.006}
#'
#' Pearl, J. (2009). *Causality*, second edition. Cambridge University Press, section 3.3.
#'
#' @seealso [intervene()], [causal_effects()]
#' @examples
#' network <- "[season][rain|season][sprinkler|season][wet|rain:sprinkler][slippery|wet]"
#' adjustment_sets(network, "sprinkler", "slippery")
#' adjustment_sets(network, "sprinkler", "slippery", type = "all")
#' is_adjustment_set(network, "sprinkler", "slippery", "season")
#' # with the equivalence class instead of the network
#' adjustment_sets(network, "sprinkler", "slippery", cpdag = TRUE)
#' adjustment_sets(network, "wet", "slippery", available = "season", cpdag = TRUE)
#' @export
adjustment_sets <- function(network, from, to, criterion = c("generalised", "back-door"),
                            type = c("minimal", "canonical", "all"), available = NULL,
                            cpdag = FALSE, limit = 100) {
  require_arguments()
  call <- environment()
  criterion <- check_choice(criterion, c("generalised", "back-door"), "criterion")
  type <- check_choice(type, c("minimal", "canonical", "all"), "type")
  limit <- check_count(limit, "limit", minimum = 1)
  problem <- adjustment_problem(network, from, to, criterion, cpdag, call)
  if (!is.null(available)) {
    available <- check_some_nodes(available, "available", problem$pattern, call)
    problem$allowed <- intersect(problem$allowed, match(available, problem$pattern$nodes))
  }
  found <- find_adjustment_sets(problem, type, limit)
  complete <- length(found) <= limit
  if (!complete) {
    announce(c("There are more than {limit} adjustment sets; {limit} of them are returned.",
               i = "Raise {.arg limit}, or narrow {.arg available}."))
    found <- found[seq_len(limit)]
  }
  found <- found[order(lengths(found))]
  structure(lapply(found, function(set) problem$pattern$nodes[set]),
            class = "optbn_adjustment_sets", from = from, to = to, criterion = criterion,
            type = type, complete = complete,
            reason = if (!length(found)) why_no_adjustment(problem))
}

#' @rdname adjustment_sets
#' @export
is_adjustment_set <- function(network, from, to, set, criterion = c("generalised", "back-door"),
                              cpdag = FALSE) {
  require_arguments()
  call <- environment()
  criterion <- check_choice(criterion, c("generalised", "back-door"), "criterion")
  problem <- adjustment_problem(network, from, to, criterion, cpdag, call)
  set <- check_some_nodes(set, "set", problem$pattern, call)
  check_apart(set, c(from, to), "set", c("from", "to"), call)
  set <- match(set, problem$pattern$nodes)
  !nrow(problem$open) && all(set %in% problem$allowed) &&
    separates(set, problem$from, problem$to, problem$parents)
}

# ---- what goes in -------------------------------------------------------------------------------

# `from` and `to` by number; the `allowed` nodes, not forbidden; `open`: arcs without a direction
# that begin a possibly causal path; and the `parents` in a network of the class whose causal paths
# from `from` to `to` have lost their first arcs, so that all that are left have to be blocked.
adjustment_problem <- function(network, from, to, criterion, cpdag, call) {
  cpdag <- check_flag(cpdag, "cpdag", call)
  pattern <- as_pattern(network, cpdag, call)
  check_node_names(from, "from", pattern, call)
  check_node_names(to, "to", pattern, call)
  check_apart(to, from, "to", "from", call)
  x <- match(from, pattern$nodes)
  y <- match(to, pattern$nodes)

  onwards <- Map(c, pattern$children, pattern$neighbours)
  before_to <- component_of(y, Map(c, pattern$parents, pattern$neighbours), x)
  after_from <- component_of(neighbours_of(x, onwards), onwards, x)
  forbidden <- component_of(intersect(before_to, after_from), onwards)
  if (criterion == "back-door") forbidden <- union(forbidden, component_of(x, onwards))
  open <- lapply(x, function(v) {
    near <- intersect(pattern$neighbours[[v]], before_to)
    cbind(rep(v, length(near)), near)
  })
  list(
    pattern = pattern, from = x, to = y, open = do.call(rbind, open),
    allowed = setdiff(seq_along(pattern$nodes), c(x, y, forbidden)),
    parents = without_causal_arcs(pattern$member, x, y)
  )
}

# The proper back-door graph (van der Zander et al. 2019).
without_causal_arcs <- function(parents, x, y) {
  for (v in component_of(y, parents, x)) parents[[v]] <- setdiff(parents[[v]], x)
  parents
}

check_some_nodes <- function(nodes, arg, pattern, call) {
  if (is.character(nodes) && length(nodes) == 0L) return(nodes)
  check_node_names(nodes, arg, pattern, call)
}

check_apart <- function(nodes, others, arg, other_args, call) {
  both <- intersect(nodes, others)
  if (length(both)) {
    abort_optbn("argument",
                c("{.arg {arg}} must have no node of {.or {.arg {other_args}}}.",
                  x = "{.val {both}} {?is/are} in both."),
                call = call)
  }
}

# ---- sets ---------------------------------------------------------------------------------------

# At most `limit` + 1 of them, by node numbers.
find_adjustment_sets <- function(problem, type, limit) {
  if (nrow(problem$open)) return(list())
  if (type == "canonical") return(canonical_set(problem))
  separators <- switch(type, minimal = minimal_separators, all = all_separators)
  separators(problem$from, problem$to, problem$parents, problem$allowed, limit)
}

canonical_set <- function(problem) {
  pattern <- problem$pattern
  above <- component_of(c(problem$from, problem$to), Map(c, pattern$parents, pattern$neighbours))
  set <- sort(intersect(above, problem$allowed))
  if (separates(set, problem$from, problem$to, problem$parents)) list(set) else list()
}

why_no_adjustment <- function(problem) {
  nodes <- problem$pattern$nodes
  if (!nrow(problem$open)) return("no set of these nodes blocks all paths that are not causal")
  first <- problem$open[1L, ]
  paste0("the direction of ", nodes[first[1L]], " - ", nodes[first[2L]], " is open, and so is ",
         "whether it is causal")
}

# ---- on the screen ------------------------------------------------------------------------------

#' @export
format.optbn_adjustment_sets <- function(x, ...) tell_answer(x, format_adjustment_sets(x))

format_adjustment_sets <- function(x) {
  heading <- paste0("Adjustment sets for the effect of ", first_few(attr(x, "from")), " on ",
                    first_few(attr(x, "to")))
  sets <- vapply(unclass(x), function(set) {
    if (length(set)) paste0("{", paste(set, collapse = ", "), "}") else "{} (nothing)"
  }, "")
  c(cli::style_bold(heading),
    format_facts(c(criterion = attr(x, "criterion"), sets = attr(x, "type"))),
    if (length(sets)) paste0("  ", sets) else paste0("  none: ", attr(x, "reason")),
    if (!isTRUE(attr(x, "complete"))) "  and more")
}

#' @export
print.optbn_adjustment_sets <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
