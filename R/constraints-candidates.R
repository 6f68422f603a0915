# Candidate parents: fewer arcs to think of where there are too many columns for all of them.
#
# A restriction as a blacklist is one, but chosen by looking at the data, and so announced and kept
# with what is proved: settings$candidates is the table of arcs that were left, as check_arc_table()
# makes it.

# Constraints under which nodes have no other parents than these: NULL for all; a number, for that
# many a node, of largest mutual information; or a table of arcs. `screen()` gives the matrix of
# informations.
add_candidates <- function(constraints, candidates, encoded, score, screen, call) {
  if (is.null(candidates)) return(constraints)
  nodes <- encoded$nodes
  arcs <- if (is.numeric(candidates)) {
    most <- check_count(candidates, "candidates", minimum = 1, call = call)
    if (most >= length(nodes) - 1L) return(constraints)
    most_informative(most, screen(), inadmissible_parents(constraints, encoded, score), nodes)
  } else {
    check_arc_table(candidates, "candidates", nodes, call)
  }
  arcs <- unique(rbind(arcs, constraints$whitelist))
  allowed <- parents_by_node(arcs, nodes)
  constraints$forbidden <- Map(function(v, forbidden, allowed) {
    union(forbidden, setdiff(seq_along(nodes), c(v, allowed)))
  }, seq_along(nodes), constraints$forbidden, allowed)
  constraints$candidates <- arcs
  all <- length(nodes) * (length(nodes) - 1)
  announce(c(paste0("The search considers {format_count(nrow(arcs))} of {format_count(all)} ",
                    "arcs{how_chosen(candidates)}."),
             i = "It excludes networks with other arcs."))
  constraints
}

how_chosen <- function(candidates) {
  if (!is.numeric(candidates)) return(attr(candidates, "chosen") %||% "")
  paste0(": the ", format_count(candidates), " of each node with the most information about it")
}

# By node, those that can be no parents of it, itself among them.
inadmissible_parents <- function(constraints, encoded, score) {
  discrete <- is_discrete(encoded)
  Map(function(v, forbidden) {
    c(v, forbidden, if (discrete[v] && score_kind(score) == "mixed") which(!discrete))
  }, seq_along(encoded$nodes), constraints$forbidden)
}

most_informative <- function(most, information, inadmissible, nodes) {
  parents <- lapply(seq_along(nodes), function(v) {
    of_v <- information[, v]
    of_v[inadmissible[[v]]] <- NA
    utils::head(order(-of_v, na.last = NA), most)
  })
  cbind(from = nodes[unlist(parents)], to = rep(nodes, lengths(parents)))
}
