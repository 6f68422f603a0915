# Constraints on arcs: whitelist, blacklist, tiers and max_parents as numbers per node.

# `nodes` are the names in order. Returns the tables as character matrices, the
# parents that each node must and must not have, and its most parents.
check_constraints <- function(nodes, whitelist = NULL, blacklist = NULL, max_parents = NULL,
                              tiers = NULL, call = parent.frame()) {
  whitelist <- check_arc_table(whitelist, "whitelist", nodes, call)
  blacklist <- check_arc_table(blacklist, "blacklist", nodes, call)
  against <- arcs_against_tiers(tiers, nodes, call)
  upstream <- intersect(arc_keys(whitelist), arc_keys(against))
  if (length(upstream) > 0L) {
    abort_optbn(
      "infeasible",
      c("{.arg whitelist} and {.arg tiers} contradict each other over {.val {upstream}}.",
        i = "No arc may lead from a later tier to an earlier one."),
      call = call
    )
  }
  blacklist <- unique(rbind(blacklist, against))
  max_parents <- check_max_parents(max_parents, nodes, call)
  both <- intersect(arc_keys(whitelist), arc_keys(blacklist))
  if (length(both) > 0L) {
    abort_optbn(
      "infeasible",
      c("{.arg whitelist} and {.arg blacklist} contradict each other: both hold {.val {both}}.",
        i = "Remove {cli::qty(both)}{?this arc/these arcs} from one of them."),
      call = call
    )
  }
  required <- parents_by_node(whitelist, nodes)
  if (!is.null(whitelist)) check_whitelist_cycle(required, nodes, call)
  crowded <- which(lengths(required) > max_parents)
  if (length(crowded) > 0L) {
    v <- crowded[1L]
    abort_optbn(
      "infeasible",
      c(paste("{.arg whitelist} gives node {.val {nodes[v]}} {length(required[[v]])} parents;",
              "{.arg max_parents} allows {max_parents[v]}."),
        i = "Raise {.arg max_parents} for this node, or shorten the whitelist."),
      call = call
    )
  }
  list(
    whitelist = whitelist, blacklist = blacklist,
    required = required, forbidden = parents_by_node(blacklist, nodes),
    max_parents = max_parents
  )
}

# bnlearn's two-column tables (from, to), as a matrix without repeats; NULL when empty.
check_arc_table <- function(arcs, arg, nodes, call) {
  if (is.null(arcs)) return(NULL)
  arcs <- table_as_matrix(arcs)
  if (is.character(arcs) && is.null(dim(arcs)) && length(arcs) == 2L) arcs <- matrix(arcs, 1L)
  if (!is.character(arcs) || length(dim(arcs)) != 2L || ncol(arcs) != 2L || anyNA(arcs)) {
    if (length(arcs) == 0L) return(NULL)
    abort_optbn(
      "constraints",
      c("{.arg {arg}} must be a table of arcs with two columns, {.field from} and {.field to}.",
        x = "It is {describe(arcs)}."),
      call = call
    )
  }
  unknown <- setdiff(arcs, nodes)
  if (length(unknown) > 0L) {
    abort_optbn(
      "constraints",
      c("{.arg {arg}} names {?a node/nodes} that {?is/are} not in the data: {.val {unknown}}.",
        i = "The nodes are the column names of the data."),
      call = call
    )
  }
  loops <- arcs[arcs[, 1L] == arcs[, 2L], 1L]
  if (length(loops) > 0L) {
    abort_optbn("constraints", "{.arg {arg}} holds an arc from {.val {loops[1]}} to itself.",
                call = call)
  }
  arcs <- unique(unname(arcs))
  if (nrow(arcs) == 0L) return(NULL)
  dimnames(arcs) <- list(NULL, c("from", "to"))
  arcs
}

# The arcs from a later tier to an earlier one. `tiers` is a list of vectors of names;
# nodes that are in none of them are free.
arcs_against_tiers <- function(tiers, nodes, call) {
  if (is.null(tiers)) return(NULL)
  if (!is.list(tiers) || !all(vapply(tiers, is.character, NA))) {
    abort_optbn("constraints",
                c("{.arg tiers} must be a list of vectors of node names, first tier first.",
                  x = "It is {describe(tiers)}."),
                call = call)
  }
  named <- unlist(tiers, use.names = FALSE)
  unknown <- setdiff(named, nodes)
  if (length(unknown) > 0L) {
    abort_optbn(
      "constraints",
      c("{.arg tiers} names {?a node/nodes} that {?is/are} not in the data: {.val {unknown}}.",
        i = "The nodes are the column names of the data."),
      call = call
    )
  }
  twice <- unique(named[duplicated(named)])
  if (length(twice) > 0L) {
    abort_optbn("constraints", "{.arg tiers} holds {.val {twice}} more than once.", call = call)
  }
  tier <- rep(seq_along(tiers), lengths(tiers))
  against <- which(outer(tier, tier, ">"), arr.ind = TRUE)
  if (nrow(against) == 0L) return(NULL)
  cbind(from = named[against[, 1L]], to = named[against[, 2L]])
}

arc_keys <- function(arcs) {
  if (is.null(arcs)) character() else paste(arcs[, 1L], "->", arcs[, 2L])
}

parents_by_node <- function(arcs, nodes) {
  if (is.null(arcs)) return(rep(list(integer()), length(nodes)))
  unname(lapply(split(match(arcs[, "from"], nodes), factor(arcs[, "to"], levels = nodes)), sort))
}

# Numbers of parents that follow from what is learned. Unlike a user's they do not ask for all sets
# that obey them to be scored, where these are too many.
implied_limits <- function(max_parents) structure(max_parents, implied = TRUE)

asks_for_all_sets <- function(max_parents) {
  !is.null(max_parents) && !isTRUE(attr(max_parents, "implied"))
}

# One number, or one per node in order or by name; NULL and Inf are no limit.
check_max_parents <- function(max_parents, nodes, call) {
  n <- length(nodes)
  if (is.null(max_parents)) max_parents <- Inf
  ok <- is.numeric(max_parents) && !anyNA(max_parents) && all(max_parents >= 0) &&
    all(max_parents == round(max_parents)) && length(max_parents) %in% c(1L, n)
  if (!ok) {
    abort_optbn(
      "argument",
      c("{.arg max_parents} must be one whole number, 0 or more, or one per node ({n}).",
        x = "It is {describe(max_parents)}."),
      call = call
    )
  }
  if (!is.null(names(max_parents))) {
    odd <- c(setdiff(names(max_parents), nodes), setdiff(nodes, names(max_parents)))
    if (length(odd) > 0L) {
      abort_optbn("constraints",
                  c("{.arg max_parents} must name every node, or none.",
                    x = "Unknown or missing: {.val {odd}}."),
                  call = call)
    }
    max_parents <- max_parents[nodes]
  }
  as.integer(rep_len(unname(pmin(max_parents, n - 1L)), n))
}

check_whitelist_cycle <- function(required, nodes, call) {
  cycle <- nodes[find_cycle(required)]
  if (length(cycle) == 0L) return(invisible())
  abort_optbn(
    "infeasible",
    c("{.arg whitelist} makes a cycle: {.val {paste(cycle, collapse = ' -> ')}}.",
      i = "Remove one of its arcs."),
    call = call
  )
}

# Constraints that admit nothing together, though each is needed for that. `items`
# are all there are.
smallest_conflict <- function(items, is_feasible) {
  i <- 1L
  while (i <= length(items)) {
    if (is_feasible(items[-i])) i <- i + 1L else items <- items[-i]
  }
  items
}
