# Separation in directed acyclic graphs: what blocks all paths between some nodes and others.
#
# Nodes are numbers, a graph is the list of its nodes' parents. Some nodes z separate x and y if
# every path between them has a node in z that is no collider on it, or a collider that is no
# ancestor of z: exactly if z cuts x off from y in the *moral graph* of the ancestors of all of
# them, where parents of a child are joined and arcs lose their direction (Lauritzen et al. 1990).

# Is every node of x separated from every one of y by z?
separates <- function(z, x, y, parents) {
  moral <- moral_graph(with_ancestors(c(x, y, z), parents), parents)
  !any(y %in% component_of(x, moral, z))
}

# The moral graph of some nodes that include their ancestors: for each node its neighbours, none of
# the other nodes.
moral_graph <- function(nodes, parents) {
  edges <- lapply(nodes, function(v) {
    family <- c(v, parents[[v]])
    cbind(rep(family, length(family)), rep(family, each = length(family)))
  })
  edges <- unique(do.call(rbind, c(list(matrix(integer(), 0L, 2L)), edges)))
  edges <- edges[edges[, 1L] != edges[, 2L], , drop = FALSE]
  unname(split(edges[, 2L], factor(edges[, 1L], seq_along(parents))))
}

# The nodes that can be reached from some without a step on others.
component_of <- function(nodes, neighbours, without = integer()) {
  reached <- nodes
  latest <- nodes
  while (length(latest)) {
    latest <- setdiff(unlist(neighbours[latest]), c(reached, without))
    reached <- c(reached, latest)
  }
  reached
}

neighbours_of <- function(nodes, neighbours) setdiff(unlist(neighbours[nodes]), nodes)

# ---- all separators -----------------------------------------------------------------------------

# The separators of x and y of which no part is one, taken from the `available` nodes. At most
# `limit` + 1 of them; each takes time proportional to its size times that of the graph (Shen and
# Liang 1997). They lie in the ancestors of x and y, where separators are vertex cuts.
minimal_separators <- function(x, y, parents, available, limit) {
  moral <- moral_graph(with_ancestors(c(x, y), parents), parents)
  moral <- without_unavailable(moral, c(available, x, y))
  if (any(y %in% neighbours_of(x, moral))) return(list())
  # What is nearest to x. The next ones take one of its nodes to the side of x.
  found <- list(close_separator(x, y, moral))
  at <- 1L
  while (at <= length(found) && length(found) <= limit) {
    separator <- found[[at]]
    side <- component_of(x, moral, separator)
    for (v in setdiff(separator, unlist(moral[y]))) {
      found <- union(found, list(close_separator(c(side, v), y, moral)))
    }
    at <- at + 1L
  }
  found
}

# The separator of a side and y that is nearest to the side.
close_separator <- function(side, y, moral) {
  around <- neighbours_of(side, moral)
  sort(intersect(around, neighbours_of(component_of(y, moral, around), moral)))
}

# Nodes that no separator may have are passed: their neighbours are joined.
without_unavailable <- function(moral, available) {
  for (v in setdiff(which(lengths(moral) > 0L), available)) {
    around <- moral[[v]]
    for (u in around) moral[[u]] <- setdiff(union(moral[[u]], around), c(u, v))
    moral[[v]] <- integer()
  }
  moral
}

# All separators from `available` nodes, at most `limit` + 1 of them (van der Zander et al. 2019).
# Those that have the nodes `within` and no other one before the position `at` exist exactly if the
# ancestors of x, y and `within` among what is left separate, the *most* there is to take. Taking a
# node that is in it, or leaving one that is not, changes nothing of that and is not tested.
all_separators <- function(x, y, parents, available, limit) {
  found <- list()
  open <- list(list(at = 1L, within = integer(), tested = FALSE))
  while (length(open) && length(found) <= limit) {
    one <- open[[length(open)]]
    open[[length(open)]] <- NULL
    left <- utils::tail(available, length(available) - one$at + 1L)
    most <- union(one$within, intersect(left, with_ancestors(c(x, y, one$within), parents)))
    if (!one$tested && !separates(most, x, y, parents)) next
    if (!length(left)) {
      found[[length(found) + 1L]] <- sort(one$within)
      next
    }
    in_most <- left[1L] %in% most
    with <- list(at = one$at + 1L, within = c(one$within, left[1L]), tested = in_most)
    without <- list(at = one$at + 1L, within = one$within, tested = !in_most)
    open <- c(open, list(with, without))
  }
  found
}
