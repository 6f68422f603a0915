# From a network and data to the trees, or discretised tables, of its nodes: the
# core finds them, and the network keeps them in its record as `partitions`, a
# list by node (see R/local-regions.R).

# What fit_network() needs, or NULL when the network has no local structure:
# partitions by node, the prior of their leaves, and the score. `score` is NULL
# when the user did not say. Of data with missing values, a partition that has to be found is NULL.
local_structures <- function(network, structure, encoded, score, call) {
  learned <- learned_score(network)
  score <- if (is.null(score)) learned else as_score(score, call)
  if (is.null(score) || !is_local_score(score)) return(NULL)
  if (is.null(score$columns)) score <- complete_score(score, encoded_without_holes(encoded), call)
  parents <- parent_names(structure)
  kept <- kept_partitions(network, parents, score, learned)
  check_same_columns(score, kept, encoded, call)
  if (is.null(encoded$holes)) {
    kept <- with_found(kept, vapply(kept, is.null, NA), parents, encoded, score, call)
  }
  list(partitions = kept, prior = partition_prior(score, structure$nodes), score = score)
}

# The partitions `kept`, those of the nodes `open` found in complete data.
with_found <- function(kept, open, parents, encoded, score, call) {
  if (!any(open)) return(kept)
  parents[!open] <- list(character()) # theirs are there: nothing to search
  kept[open] <- find_partitions(parents, encoded, score, call)[open]
  kept
}

# The score that a network was learned with, as its certificate says; or NULL.
learned_score <- function(network) {
  if (inherits(network, "optbn") && has_certificate(network)) recorded_score(certificate(network))
}

# The partitions that the network kept and that still speak of its parents.
kept_partitions <- function(network, parents, score, learned) {
  kept <- if (identical(score, learned)) network$learning$optbn$partitions
  kept <- Filter(function(one) inherits(one, "optbn_regions") && is_sound(one), as.list(kept))
  Map(function(node, parents) {
    if (identical(as.character(names(kept[[node]]$axes)), parents)) kept[[node]]
  }, names(parents), parents)
}

# The score knows the numbers among the columns, and trees speak of levels by their
# codes: the data must be of the same kind.
check_same_columns <- function(score, partitions, encoded, call) {
  axes <- do.call(c, unname(lapply(partitions, `[[`, "axes")))
  for (node in names(partitions)) {
    levels <- encoded$levels[[match(node, encoded$nodes)]]
    number <- !is.null(score$columns[[node]])
    learned <- if (!number) axes[[node]]$levels %||% levels
    if (number == is.null(levels) && identical(learned, levels)) next
    abort_optbn(
      "data",
      c("Column {.val {node}} of {.arg data} must be as it was when {.arg network} was learned.",
        x = if (number) {
          "It was numeric."
        } else if (is.null(learned)) {
          "It was a factor."
        } else {
          "It was a factor with the levels {.val {learned}}."
        },
        i = paste("Convert it, or give {.arg score}, say {.code score = \"pcart\"}, to find the",
                  "trees again.")),
      call = call
    )
  }
}

# A network just learned from these data (parent sets, or encoded), with its trees or cuts.
with_partitions <- function(network, data, call) {
  score <- network$learning$optbn$settings$score
  if (!is_data(data) || is.null(score) || !is_local_score(score)) return(network)
  parents <- parent_names(as_network_structure(network))
  network$learning$optbn$partitions <- find_partitions(parents, data, score, call)
  network
}

# The best partition of every node, as its parents' names say. `score` is complete.
find_partitions <- function(parents, encoded, score, call) {
  columns <- match(names(parents), encoded$nodes)
  sets <- lapply(parents, match, encoded$nodes)[order(columns)]
  check_tree_size(exactly(sets), encoded, score, check_memory_limit(NULL, call), call)
  found <- find_structures(unname(sets), encoded, score, call)
  names(found) <- encoded$nodes
  Map(function(node, parents) {
    # the core numbers parents in the order of the columns
    sorted <- parents[order(match(parents, encoded$nodes))]
    as_partition(found[[node]], parents, sorted, encoded, score)
  }, names(parents), parents)
}

# As the core has them, by node. That of a node that was set is found in the rows that are left.
find_structures <- function(sets, encoded, score, call) {
  in_rows <- function(rows, sets) {
    call_core(core_local_structures(rows, score, sets, quiet_host()), nodes = encoded$nodes,
              call = call)
  }
  set <- match(names(encoded$targets), encoded$nodes)
  without <- function(nodes) replace(sets, nodes, list(integer())) # of these nothing is sought
  found <- in_rows(encoded, without(set))
  for (v in set) {
    found[v] <- in_rows(rows_of_node(encoded, encoded$nodes[v]), without(-v))[v]
  }
  found
}

# Constraints that leave each node these parents alone.
exactly <- function(sets) {
  list(required = sets, forbidden = lapply(sets, function(set) integer()),
       max_parents = lengths(sets))
}

as_partition <- function(found, parents, sorted, encoded, score) {
  axes <- lapply(set_names(seq_along(parents), parents), function(i) {
    column <- match(parents[i], encoded$nodes)
    if (!is.null(encoded$levels[[column]])) {
      return(list(type = "levels", levels = encoded$levels[[column]],
                  ordered = encoded$types[column] == "ordered"))
    }
    about <- score$columns[[parents[i]]]
    if (is_tree_score(score)) {
      return(list(type = "dyadic", range = about$range, max_splits = score$max_splits))
    }
    cuts <- about$cuts[[found[match(parents[i], sorted)]]]
    list(type = "bins", cuts = cuts, bins = length(cuts) + 1)
  })
  if (!is_tree_score(score)) return(new_joint_table(axes))
  variable <- sorted[found$parent]
  cut <- mapply(function(variable, cell) {
    if (is.na(cell)) NA_real_ else cell_start(axes[[variable]], cell)
  }, variable, found$cell, USE.NAMES = FALSE)
  new_dyadic_tree(axes, list2DF(list(variable = variable, left = found$left, right = found$right,
                                     cell = found$cell, n = found$rows, cut = cut,
                                     left_codes = found$left_codes)))
}

# The settings of the score that leaf distributions depend on.
partition_prior <- function(score, nodes) {
  about <- function(what) {
    numbers <- lapply(score$columns[nodes], `[[`, what)
    unlist(numbers[!vapply(numbers, is.null, NA)])
  }
  c(score[intersect(c("alpha", "iss", "nu", "lambda", "mu", "a"), names(score))],
    list(centre = about("centre"), spread = about("spread")))
}
