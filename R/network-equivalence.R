# Markov equivalence classes: which arcs all networks of a class have in common.

# The arcs of a dag that every network of its class has, as a table of node numbers `from`, `to`
# with the column `compelled`. `sets`: the sets of nodes that were set together, by name.
label_arcs <- function(dag, sets = NULL) {
  arcs <- label_observed_arcs(dag)
  if (length(unlist(sets)) == 0L) return(arcs)
  directed <- essential_arcs(dag, lapply(sets, function(set) dag$nodes %in% set))$directed
  arcs$compelled <- directed[cbind(arcs$from, arcs$to)]
  arcs
}

# Without experiments (Chickering 1995, procedure Label-Edges).
label_observed_arcs <- function(dag) {
  place <- order(topological_order(dag$parents))
  child <- rep(seq_along(dag$parents), lengths(dag$parents))
  parent <- as.integer(unlist(dag$parents))
  in_order <- order(place[child], -place[parent])
  arcs <- data.frame(from = parent[in_order], to = child[in_order],
                     compelled = rep(NA, length(child)))
  into <- split(seq_along(arcs$to), factor(arcs$to, seq_along(dag$parents)))
  for (i in seq_along(arcs$to)) {
    if (is.na(arcs$compelled[i])) {
      of_child <- into[[arcs$to[i]]]
      arcs$compelled[of_child] <- labels_into_child(arcs, i, of_child, dag$parents)
    }
  }
  arcs
}

# The labels of the arcs into y, when x -> y is the next one without a label. All that have none yet
# are compelled if some w -> x is and w is no parent of y, or if y has another parent that is none
# of x. Otherwise those from such w are, and the others not.
labels_into_child <- function(arcs, i, of_child, parents) {
  x <- arcs$from[i]
  into_child <- parents[[arcs$to[i]]]
  above <- arcs$from[arcs$to == x & arcs$compelled]
  labels <- arcs$compelled[of_child]
  if (all(above %in% into_child)) labels[arcs$from[of_child] %in% above] <- TRUE
  others <- setdiff(into_child, x)
  compelled <- !all(above %in% into_child) || !all(others %in% parents[[x]])
  ifelse(is.na(labels), compelled, labels)
}

# ---- essential graphs ----------------------------------------------------------------------------

#' Essential Graph of a Network
#'
#' @description
#' The essential graph shows what data can determine about the arcs of a network. It has the
#' skeleton of the network, and an arc is directed if all networks of the equivalence class agree on
#' its direction. Without experiments, it is the result of `bnlearn::cpdag()`; experiments direct
#' more arcs.
#'
#' @details
#' An intervention on a set of nodes removes the arcs into them. Two networks are equivalent under a
#' family of such sets if they are Markov equivalent after each of these removals (Hauser &
#' Buehlmann 2012). An arc is therefore directed if
#'
#' * one of its ends, and not the other, is in one of the sets;
#' * it is part of a v-structure; or
#' * reversing it would create a cycle or another v-structure (the rules of Meek 1995).
#'
#' If an arc can be reversed, its two nodes were set in the same rows. Scores that give the networks
#' of a Markov equivalence class the same value, such as `"bde"`, `"bic"` and `"bge"`, therefore
#' also do so for this class.
#'
#' @param network A network in one of the forms of [score_network()].
#' @param targets The sets of nodes that were intervened on together: a list of vectors of names,
#'   with `character()` for rows without an intervention; or one name for each set, with an empty
#'   string or `NA` for none, such as the column used as `targets` in [learn_dag()]. The number of
#'   repetitions of a set does not matter. `NULL` means the targets with which the network was
#'   learned; without such targets, the result is the class without experiments.
#' @return A graph of class `c("optbn", "bn")`, in which bnlearn's functions find undirected arcs as
#'   in a result of `bnlearn::cpdag()`. It can be printed and plotted ([plot.optbn()]).
#' @section Errors: `optbn_error_argument` if `network` is not a network, for names that are not its
#'   nodes, and for a node that is in all of the sets, because its dependence on others is unknown.
#' @references
#' Hauser & Buehlmann (2012), Journal of Machine Learning Research 13, 2409-2464
#' (\doi{10.48550/arXiv.1104.2808}); Meek (1995) \doi{10.48550/arXiv.1302.4972}.
#' @seealso [learn_dag()] and its argument `targets`.
#' @examples
#' essential_graph("[A][B|A][C|B]")
#' # B was set in some rows and no node in others: the arcs of B are directed
#' essential_graph("[A][B|A][C|B]", targets = c("", "B"))
#' @export
essential_graph <- function(network, targets = NULL) {
  require_arguments()
  call <- environment()
  dag <- as_network_structure(network, "network", call)
  sets <- if (is.null(targets)) recorded_targets(network) else
    check_target_sets(targets, dag$nodes, call)
  always <- Reduce(intersect, sets)
  if (length(always) > 0L) {
    abort_optbn("argument",
                c("{.arg targets} must have, for each node, a set without it.",
                  x = "{.val {always}} {?is/are} in all of its sets.",
                  i = "Add {.code character()} if there are rows in which no node was set."),
                call = call)
  }
  inside <- lapply(sets, function(set) dag$nodes %in% set)
  new_essential_graph(dag$nodes, essential_arcs(dag, inside), sets)
}

# The sets of nodes that were set together when the network was learned, or that the class is of.
recorded_targets <- function(network) {
  if (is_essential_graph(network)) return(network$learning$targets)
  sets <- if (inherits(network, "optbn") && has_certificate(network)) {
    certificate(network)$settings$targets$sets
  }
  sets %||% list(character())
}

check_target_sets <- function(targets, nodes, call) {
  if (is.factor(targets)) targets <- as.character(targets)
  if (is.character(targets)) targets <- as.list(targets)
  sound <- is_plain_list(targets) && length(targets) > 0L && all(vapply(targets, function(set) {
    is.character(set) || is.factor(set) || all(is.na(set))
  }, NA))
  if (!sound) {
    abort_optbn("argument",
                c("{.arg targets} must be a list of names of nodes that were set together.",
                  x = "It is {describe(targets)}.",
                  i = "{.code list(character(), \"A\")} means that A was set in some rows."),
                call = call)
  }
  sets <- unique(lapply(targets, function(set) sort(setdiff(as.character(set), c("", NA)))))
  unknown <- setdiff(unlist(sets), nodes)
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c("{.arg targets} must name nodes of {.arg network}.",
                  x = "{.val {unknown}} {?is/are} none."), call = call)
  }
  sets
}

# list(directed, undirected): matrices, from row to column; the second is symmetric. `inside`: for
# each set of nodes which ones are in it.
essential_arcs <- function(dag, inside) {
  n <- length(dag$nodes)
  arcs <- matrix(FALSE, n, n)
  arcs[cbind(as.integer(unlist(dag$parents)), rep(seq_len(n), lengths(dag$parents)))] <- TRUE
  apart <- !(arcs | t(arcs)) & !diag(n)
  directed <- arcs & count_paths(apart, arcs) > 0 # v-structures
  for (set in inside) directed <- directed | arcs & outer(set, set, xor)
  repeat {
    known <- directed
    directed <- directed | arcs & follows(directed, arcs & !directed, apart)
    if (identical(known, directed)) break
  }
  open <- arcs & !directed
  list(directed = directed, undirected = open | t(open))
}

count_paths <- function(first, second) (first + 0) %*% (second + 0)

# Meek's rules: which arcs are directed since others are.
follows <- function(directed, open, apart) {
  either <- open | t(open)
  adjacent <- either | directed | t(directed)
  found <- count_paths(t(directed), apart) > 0 | # else a new v-structure
    count_paths(directed, directed) > 0          # else a cycle
  for (i in which(open & !found)) {
    a <- row(open)[i]
    b <- col(open)[i]
    before <- which(either[a, ] & directed[, b])
    between <- which(directed[, b] & adjacent[a, ])
    beyond <- which(either[a, ] & apart[, b])
    found[i] <- any(apart[before, before]) || any(directed[beyond, between])
  }
  found
}

new_essential_graph <- function(nodes, arcs, sets) {
  n <- length(nodes)
  dag <- list(nodes = nodes, parents = lapply(seq_len(n), function(v) which(arcs$directed[, v])))
  graph <- plain_network(dag)
  for (v in seq_len(n)) {
    beside <- nodes[arcs$undirected[, v]]
    for (part in c("nbr", "mb")) {
      graph$nodes[[v]][[part]] <- intersect(nodes, c(graph$nodes[[v]][[part]], beside))
    }
  }
  pairs <- which(arcs$directed | arcs$undirected, arr.ind = TRUE)
  pairs <- pairs[order(pairs[, 1L], pairs[, 2L]), , drop = FALSE]
  graph$arcs <- cbind(from = nodes[pairs[, 1L]], to = nodes[pairs[, 2L]])
  graph$learning[c("algo", "targets")] <- list("essential_graph", sets)
  structure(graph, class = c("optbn", "bn"))
}

is_essential_graph <- function(x) {
  !inherits(x, "bn.fit") && is.list(x) && identical(x$learning$algo, "essential_graph")
}

format_essential_graph <- function(x) {
  set <- unique(unlist(x$learning$targets))
  c(cli::style_bold(network_heading(x)),
    format_facts(c(targets = if (length(set) > 0L) paste(set, collapse = ", "))))
}
