# A class of networks is a *pattern*: nodes, the `parents` and `children` by its arcs, the
# `neighbours` by arcs without a direction, and the parents in one network of the class, `member`. A
# network without such arcs is a class of its own.
#
# Paths that lead from a node along arcs and neighbours have no arc backwards in a pattern, which
# has no partly directed cycles: they are causal in some network of the class.

as_pattern <- function(network, cpdag, call) {
  parts <- partly_directed(network, call)
  sets <- recorded_targets(network)
  if (is.null(parts)) {
    dag <- structure_of(network, call)
    arcs <- label_arcs(dag, sets)
    parts <- list(nodes = dag$nodes, directed = arcs[arcs$compelled | !cpdag, ],
                  undirected = arcs[!arcs$compelled & cpdag, ])
    return(new_pattern(parts, dag$parents))
  }
  new_pattern(parts, member_of_class(parts, sets, call))
}

new_pattern <- function(parts, member) {
  by_node <- function(values, nodes) unname(split(values, factor(nodes, seq_along(parts$nodes))))
  arcs <- parts$directed
  edges <- parts$undirected
  list(
    nodes = parts$nodes, member = member, parents = by_node(arcs$from, arcs$to),
    children = by_node(arcs$to, arcs$from),
    neighbours = by_node(c(edges$to, edges$from), c(edges$from, edges$to))
  )
}

# Nodes and arcs, `directed` and `undirected` (once each) tables of numbers `from`, `to`, of a
# network in any form.
parts_of_network <- function(network, call, arg = "network") {
  parts <- partly_directed(network, call)
  if (!is.null(parts)) return(parts)
  dag <- structure_of(network, call, arg)
  arcs <- data.frame(from = as.integer(unlist(dag$parents)),
                     to = rep(seq_along(dag$nodes), lengths(dag$parents)))
  list(nodes = dag$nodes, directed = arcs, undirected = arcs[0L, ])
}

# The same; NULL of a network all of whose arcs have a direction.
partly_directed <- function(network, call) {
  if (inherits(network, "bn") && !inherits(network, "bn.fit")) {
    check_sound(network, call)
    nodes <- names(network$nodes)
    arcs <- network$arcs
  } else if (is_adjacency(network)) {
    nodes <- colnames(network)
    arcs <- which(network == 1, arr.ind = TRUE)
    arcs <- cbind(nodes[arcs[, 1L]], nodes[arcs[, 2L]])
  } else {
    return(NULL)
  }
  if (any(is_undirected(arcs))) parts_of_arcs(nodes, arcs)
}

# Arcs are names in two columns; those that are there both ways have no direction.
parts_of_arcs <- function(nodes, arcs) {
  both_ways <- is_undirected(arcs)
  table <- unique(data.frame(from = match(arcs[, 1L], nodes), to = match(arcs[, 2L], nodes)))
  both_ways <- both_ways[!duplicated(arcs)]
  list(nodes = nodes, directed = table[!both_ways, ],
       undirected = table[both_ways & table$from < table$to, ])
}

# A square matrix of zeros and ones with node names.
is_adjacency <- function(x) {
  is.matrix(x) && (is.numeric(x) || is.logical(x)) && are_names(colnames(x)) &&
    identical(rownames(x), colnames(x)) && all(x %in% c(0, 1))
}

# The parents in a network of the class: undirected arcs lead away from nodes that come first in an
# order in which each next node has the most neighbours before it. If it is a class, its networks
# have just these arcs in common. `sets`: nodes that were set together.
member_of_class <- function(parts, sets, call) {
  pattern <- new_pattern(parts, NULL)
  place <- order(cardinality_order(pattern$neighbours))
  parents <- lapply(seq_along(parts$nodes), function(v) {
    near <- pattern$neighbours[[v]]
    sort(c(pattern$parents[[v]], near[place[near] < place[v]]))
  })
  dag <- list(nodes = parts$nodes, parents = parents)
  common <- if (is.null(find_cycle(parents))) label_arcs(dag, sets)
  common <- common[common$compelled, ]
  same <- setequal(paste(common$from, common$to), paste(parts$directed$from, parts$directed$to))
  if (is.null(common) || !same) {
    abort_optbn("argument",
                c(paste("{.arg network} must be directed and acyclic, or an equivalence class of",
                        "such networks."),
                  x = "Some arcs are undirected, and the others do not fit any class.",
                  i = "Give the class of a network with {.code bnlearn::cpdag()}."),
                call = call)
  }
  parents
}

cardinality_order <- function(neighbours) {
  met <- integer(length(neighbours))
  order <- integer()
  for (i in seq_along(neighbours)) {
    v <- which.max(met)
    order[i] <- v
    met[v] <- -length(neighbours)
    met[neighbours[[v]]] <- met[neighbours[[v]]] + 1L
  }
  order
}
