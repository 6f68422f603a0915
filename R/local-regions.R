# Partitions: how the space of a node's parents is divided into regions, in each
# of which the node has one distribution.
#
# A partition is a list of class c("optbn_dyadic_tree", "optbn_regions") or
# c("optbn_joint_table", "optbn_regions"). Its `axes`, named by the parents, are
#   list(type = "levels", levels, ordered)      a discrete parent
#   list(type = "dyadic", range, max_splits)    a continuous parent of a tree: the range is
#                                               halved, and the halves again, max_splits times
#   list(type = "bins", cuts, bins)             a continuous parent of a table
# and each divides its parent's values into cells, numbered from 0. What a
# region holds of an axis is a set of cells; regions are numbered from 1.
#
# A tree (Talvitie, Eggeling and Koivisto 2018) also has `nodes`, a data frame
# in preorder:
#   variable     the parent that is split on; NA for a leaf
#   left, right  row numbers of the children
#   cell, cut    for a continuous parent: cells below `cell` go left, that is, values below `cut`
#   n            rows of the data that the tree was learned from
#   left_codes   for a discrete parent: the codes of the levels that go left; all others go right
# Its leaves are the regions, in preorder. A joint table has a region for every
# combination of cells, those of the first parent fastest.

new_dyadic_tree <- function(axes, nodes) {
  structure(list(axes = axes, nodes = nodes), class = c("optbn_dyadic_tree", "optbn_regions"))
}

new_joint_table <- function(axes) {
  structure(list(axes = axes), class = c("optbn_joint_table", "optbn_regions"))
}

# ---- cells and regions --------------------------------------------------------------------------

# Cells of a parent's values, coded as encode_data() does. Values outside the
# range of a dyadic axis are in its first or last cell.
find_cell <- function(axis, x) {
  switch(axis$type,
    levels = x,
    bins = findInterval(x, axis$cuts),
    dyadic = {
      if (diff(axis$range) == 0) return(rep(0, length(x)))
      cells <- cells_along(axis)
      place <- (x - axis$range[1L]) / (axis$range[2L] - axis$range[1L])
      pmin(pmax(floor(place * cells), 0), cells - 1)
    }
  )
}

cells_along <- function(axis) {
  switch(axis$type, levels = length(axis$levels), bins = axis$bins, dyadic = 2^axis$max_splits)
}

# The value at which a cell of a continuous parent begins.
cell_start <- function(axis, cell) {
  if (axis$type == "bins") return(axis$cuts[cell])
  axis$range[1L] + cell / cells_along(axis) * diff(axis$range)
}

# The values at which the region of a row can change when one continuous parent moves.
change_points <- function(partition, parent) {
  axis <- partition$axes[[parent]]
  cells <- if (axis$type == "bins") {
    seq_along(axis$cuts)
  } else {
    partition$nodes$cell[partition$nodes$variable %in% parent]
  }
  sort(unique(cell_start(axis, cells)))
}

count_regions <- function(partition) UseMethod("count_regions")

#' @export
count_regions.optbn_dyadic_tree <- function(partition) sum(is_leaf(partition))

#' @export
count_regions.optbn_joint_table <- function(partition) prod(vapply(partition$axes, cells_along, 0))

is_leaf <- function(tree) is.na(tree$nodes$variable)

# The region of each row. `values`: columns by name, coded as encode_data() does.
find_region <- function(partition, values, rows) UseMethod("find_region")

#' @export
find_region.optbn_joint_table <- function(partition, values, rows) {
  axes <- partition$axes
  cells <- Map(find_cell, axes, values[names(axes)])
  cell_index(cells, vapply(axes, cells_along, 0), rows)
}

# Preorder lets the rows fall through the tree in one sweep over its nodes.
#' @export
find_region.optbn_dyadic_tree <- function(partition, values, rows) {
  axes <- partition$axes
  cells <- Map(find_cell, axes, values[names(axes)])
  nodes <- partition$nodes
  leaf <- is_leaf(partition)
  number <- cumsum(leaf)
  region <- integer(rows)
  members <- vector("list", length(leaf))
  members[[1L]] <- seq_len(rows)
  for (i in seq_along(leaf)) {
    here <- members[[i]]
    if (leaf[i]) {
      region[here] <- number[i]
      next
    }
    variable <- nodes$variable[i]
    cell <- cells[[variable]][here]
    goes_left <- if (axes[[variable]]$type == "levels") {
      cell %in% nodes$left_codes[[i]]
    } else {
      cell < nodes$cell[i]
    }
    members[[nodes$left[i]]] <- here[goes_left]
    members[[nodes$right[i]]] <- here[!goes_left]
  }
  region
}

# ---- what a region holds ------------------------------------------------------------------------

# A box is what a region, or an inner node of a tree, holds: for each axis its
# cells, all codes of a discrete parent, the first and the last cell of a
# continuous one.
whole_box <- function(partition) {
  lapply(partition$axes, function(axis) {
    if (axis$type == "levels") seq_len(cells_along(axis)) - 1L else c(0, cells_along(axis) - 1)
  })
}

# Of every node of a tree, in preorder.
node_boxes <- function(tree) {
  nodes <- tree$nodes
  boxes <- rep(list(whole_box(tree)), nrow(nodes))
  for (i in which(!is_leaf(tree))) {
    variable <- nodes$variable[i]
    held <- boxes[[i]][[variable]]
    parts <- if (tree$axes[[variable]]$type == "levels") {
      list(intersect(held, nodes$left_codes[[i]]), setdiff(held, nodes$left_codes[[i]]))
    } else {
      list(c(held[1L], nodes$cell[i] - 1), c(nodes$cell[i], held[2L]))
    }
    boxes[[nodes$left[i]]] <- replace(boxes[[i]], variable, parts[1L])
    boxes[[nodes$right[i]]] <- replace(boxes[[i]], variable, parts[2L])
  }
  boxes
}

# Of each of the regions `which`.
region_boxes <- function(partition, which) UseMethod("region_boxes")

#' @export
region_boxes.optbn_dyadic_tree <- function(partition, which) {
  node_boxes(partition)[is_leaf(partition)][which]
}

#' @export
region_boxes.optbn_joint_table <- function(partition, which) {
  sizes <- vapply(partition$axes, cells_along, 0)
  cells <- arrayInd(which, c(sizes, 1)) - 1
  lapply(seq_along(which), function(i) {
    Map(function(axis, cell) if (axis$type == "levels") cell else c(cell, cell),
        partition$axes, cells[i, seq_along(sizes)])
  })
}

# The part of the parent space that each region takes, when all cells of an
# axis are equal. Declared levels count, whether they occur or not.
region_share <- function(partition) UseMethod("region_share")

#' @export
region_share.optbn_joint_table <- function(partition) {
  regions <- count_regions(partition)
  rep(1 / regions, regions)
}

#' @export
region_share.optbn_dyadic_tree <- function(partition) {
  held <- function(axis, cells) if (axis$type == "levels") length(cells) else diff(cells) + 1
  vapply(region_boxes(partition, seq_len(count_regions(partition))), function(box) {
    prod(unlist(Map(held, partition$axes, box))) /
      prod(vapply(partition$axes, cells_along, 0))
  }, 0)
}

# ---- regions in words ---------------------------------------------------------------------------

# Such as "x < 3.2, Class in {1st, 2nd}".
describe_regions <- function(partition, which = seq_len(count_regions(partition))) {
  vapply(region_boxes(partition, which), function(box) {
    conditions <- unlist(Map(describe_cells, names(box), partition$axes, box))
    if (length(conditions)) paste(conditions, collapse = ", ") else "everywhere"
  }, "")
}

# NULL when all cells of the axis are there.
describe_cells <- function(name, axis, cells) {
  describe <- if (axis$type == "levels") describe_levels else describe_span
  describe(name, axis, cells)
}

describe_span <- function(name, axis, span) {
  below <- span[1L] > 0
  above <- span[2L] < cells_along(axis) - 1
  if (below) from <- format_start(axis, span[1L])
  if (above) to <- format_start(axis, span[2L] + 1)
  if (below && above) return(paste(from, "<=", name, "<", to))
  if (below) paste(name, ">=", from) else if (above) paste(name, "<", to)
}

# With as many digits as it takes to tell neighbouring cells apart.
format_start <- function(axis, cell) {
  starts <- if (axis$type == "bins") axis$cuts else axis$range
  steps <- if (axis$type == "bins") diff(starts) else diff(starts) / cells_along(axis)
  steps <- steps[steps > 0]
  digits <- if (length(steps)) ceiling(log10(max(abs(starts)) / min(steps))) + 1 else 7
  format(signif(cell_start(axis, cell), min(max(digits, 4), 15)), digits = 15)
}

describe_levels <- function(name, axis, codes, most = 8L) {
  if (length(codes) == cells_along(axis)) return(NULL)
  labels <- axis$levels[codes + 1L]
  if (length(labels) == 1L) return(paste(name, "=", labels))
  first <- codes[1L] == 0
  last <- codes[length(codes)] == cells_along(axis) - 1
  if (axis$ordered && all(diff(codes) == 1)) {
    if (first) return(paste(name, "<=", labels[length(labels)]))
    if (last) return(paste(name, ">=", labels[1L]))
    return(paste(labels[1L], "<=", name, "<=", labels[length(labels)]))
  }
  more <- length(labels) - most
  if (more > 1L) labels <- c(labels[seq_len(most)], paste(more, "more"))
  paste0(name, " in {", paste(labels, collapse = ", "), "}")
}

# ---- partitions on the screen -------------------------------------------------------------------

# `beside`: a character matrix with a row per region and named columns, shown
# next to the regions; by default the rows that the leaves of a tree were
# learned from.
#' @export
format.optbn_dyadic_tree <- function(x, beside = cbind(n = format(x$nodes$n[is_leaf(x)])), ...) {
  check_sound(x)
  nodes <- x$nodes
  boxes <- node_boxes(x)
  depth <- integer(nrow(nodes))
  condition <- rep("everywhere", nrow(nodes))
  for (i in which(!is_leaf(x))) {
    variable <- nodes$variable[i]
    axis <- x$axes[[variable]]
    children <- c(nodes$left[i], nodes$right[i])
    parts <- if (axis$type == "levels") {
      list(boxes[[children[1L]]][[variable]], boxes[[children[2L]]][[variable]])
    } else {
      list(c(0, nodes$cell[i] - 1), c(nodes$cell[i], cells_along(axis) - 1))
    }
    condition[children] <- vapply(parts, function(cells) describe_cells(variable, axis, cells), "")
    depth[children] <- depth[i] + 1L
  }
  shown <- if (nrow(nodes) == 1L) 1L else seq_len(nrow(nodes))[-1L]
  labels <- paste0(strrep("  ", pmax(depth - 1L, 0L)), condition)
  region <- ifelse(is_leaf(x), cumsum(is_leaf(x)), NA)
  format_beside(labels[shown], region[shown], beside)
}

#' @export
format.optbn_joint_table <- function(x, beside = NULL, most = 40L, ...) {
  check_sound(x)
  regions <- seq_len(min(count_regions(x), most))
  lines <- format_beside(describe_regions(x, regions), regions, beside)
  more <- count_regions(x) - length(regions)
  c(lines, if (more > 0) cli::format_inline("  and {more} more cell{?s}"))
}

# `region`: the region of each line, NA for a line that is none.
format_beside <- function(labels, region, beside) {
  if (is.null(beside)) return(labels)
  cells <- rbind(colnames(beside), beside[region, , drop = FALSE])
  cells[is.na(cells)] <- ""
  columns <- lapply(seq_len(ncol(cells)), function(j) format(cells[, j], justify = "right"))
  trimws(do.call(paste, c(list(format(c("", labels))), columns, sep = "  ")), "right")
}

#' @export
print.optbn_regions <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
