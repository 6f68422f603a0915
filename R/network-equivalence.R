# Markov equivalence classes: which arcs all networks of a class have in common.

# The arcs of a dag that every network of its class has (Chickering 1995, procedure Label-Edges),
# as a table of node numbers `from`, `to` with the column `compelled`.
label_arcs <- function(dag) {
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
