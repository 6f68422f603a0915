# The geometry of a drawn dynamic network: slices are columns, a variable is a row.
#
# A picture as of plot-geometry.R, with `heads_of_columns` besides: the texts above the columns
# (node, x, y, and the height of their line). Static columns stand on the left. Arcs lead to now,
# the column on the right: those from other columns pass between the boxes of the columns on their
# way, those within the slice bow out on the right, the further the longer.

slice_gap <- 0.9 # between columns of boxes, at least
widest_gap <- 2.2 # in inches, at any scale
row_heights <- c(1.15, 2.4) # in heights of a box, at least and at most
title_height <- 0.2 # of the titles of columns, in inches at any scale
bow_room <- 0.9 # on the right of the last column, for arcs within a slice

dynamic_picture <- function(x, region) {
  layout <- x$layout
  place <- past_places(layout)
  variables <- arrange_variables(arcs_by_lag(x$transition, layout), layout)
  has_static <- length(layout$static) > 0L
  column <- ifelse(is.na(place$lag), 1L, layout$lags - place$lag + 1L + has_static)
  row <- ifelse(is.na(place$lag), match(place$variable, layout$static),
                match(place$variable, variables))
  grid <- fit_grid(column, row, place$variable, nrow(x$transition$arcs) > 0L, region)
  labels <- row.names(place)
  nodes <- data.frame(node = place$variable, x = grid$x[column], y = grid$y[row],
                      width = grid$width[column], height = grid$scale * box_height,
                      kind = factor(NA, names(kind_fills)), corner = grid$scale * box_corner)
  arcs <- as.data.frame(x$transition$arcs)
  from <- match(arcs$from, labels)
  to <- match(arcs$to, labels)
  paths <- dynamic_paths(nodes, column, from, to, grid)
  heads <- lapply(paths, arrow_head, scale = grid$scale)
  paths <- lapply(paths, shorten, by = 0.8 * grid$scale * head_length)
  arcs$kind <- arc_kinds(x$transition, x$transition$arcs, NULL)
  arcs <- cbind(arcs, strength_styles(NULL, arcs))
  list(
    scale = grid$scale, nodes = nodes, arcs = arcs,
    boxes = stack_points(lapply(seq_len(nrow(nodes)), function(i) rounded_box(nodes[i, ]))),
    paths = stack_points(paths), heads = stack_points(heads),
    heads_of_columns = data.frame(
      node = column_titles(layout), x = grid$x, y = grid$scale * box_height / 2 + title_height,
      height = title_height
    )
  )
}

column_titles <- function(layout) {
  c(if (length(layout$static)) "static", paste("t -", rev(seq_len(layout$lags))), "t")
}

# Variables that have arcs in common near each other: each in turn moves to where arcs are shortest
# together, a few times over.
arrange_variables <- function(arcs, layout) {
  variables <- layout$variables
  ends <- cbind(match(arcs$from, variables), match(arcs$to, variables))
  ends <- ends[!is.na(ends[, 1L]) & ends[, 1L] != ends[, 2L], , drop = FALSE]
  sorted <- seq_along(variables)
  for (sweep in seq_len(5L)) {
    before <- sorted
    for (variable in unique(as.vector(ends))) {
      others <- sorted[sorted != variable]
      moved <- lapply(seq_along(variables), function(place) append(others, variable, place - 1L))
      stretch <- vapply(moved, stretch_of, 0, ends)
      if (min(stretch) < stretch_of(sorted, ends)) sorted <- moved[[which.min(stretch)]]
    }
    if (identical(sorted, before)) break
  }
  variables[sorted]
}

stretch_of <- function(sorted, ends) {
  row <- order(sorted)
  sum(abs(row[ends[, 1L]] - row[ends[, 2L]]))
}

# Boxes are as large as fits; rows and columns move apart, and bows get more room, to fill the
# region.
fit_grid <- function(column, row, labels, bows, region) {
  width <- vapply(split(box_widths(labels, rep(list(integer()), length(labels))), column), max, 0)
  columns <- length(width)
  rows <- max(row)
  high <- box_height * (row_heights[1L] * (rows - 1) + 1)
  region <- region - c(0, 1.6 * title_height)
  wide <- sum(width) + slice_gap * (columns - 1) + if (bows) bow_room else 0
  scale <- min(region / c(wide, high), most_enlarged)
  spare <- min((region[1L] - scale * wide) / columns, max(3 * scale * slice_gap, widest_gap))
  gap <- scale * slice_gap + spare
  left <- cumsum(c(0, scale * width[-columns] + gap))
  row <- (region[2L] / (scale * box_height) - 1) / max(rows - 1, 1)
  list(scale = scale, width = unname(scale * width), x = unname(left + scale * width / 2),
       y = -scale * box_height * min(row, row_heights[2L]) * (seq_len(rows) - 1),
       room = scale * bow_room + spare)
}

dynamic_paths <- function(nodes, column, from, to, grid) {
  now <- max(column)
  within <- column[from] == now
  start <- nodes$y[from]
  end <- nodes$y[to]
  # side by side at the box, in the order in which they come
  entry <- end
  for (arcs in split(which(!within), to[!within])) {
    arcs <- arcs[order(start[arcs])]
    share <- (seq_along(arcs) - (length(arcs) + 1) / 2) / max(length(arcs), 3)
    entry[arcs] <- end[arcs] + 0.7 * share * nodes$height[1L]
  }
  rows <- diff(range(grid$y))
  lapply(seq_along(from), function(i) {
    if (within[i]) return(bow_path(nodes[from[i], ], nodes[to[i], ], rows, grid))
    across_path(nodes[from[i], ], nodes[to[i], ], entry[i],
                which(seq_len(now) > column[from[i]] & seq_len(now) < now), grid)
  })
}

# From the right side of one box to that of another.
bow_path <- function(from, to, rows, grid) {
  right <- from$x + from$width / 2
  lift <- 0.12 * from$height * sign(to$y - from$y)
  reach <- grid$room * (0.3 + 1.5 * abs(to$y - from$y) / max(rows, 1e-9))
  t <- seq(0, 1, length.out = 25L)
  start <- from$y + lift
  end <- to$y - lift
  cbind(right + 2 * t * (1 - t) * min(reach, 1.8 * grid$room), start + (end - start) * t)
}

# From the right side of one box to the left side of another, between the boxes of the columns
# `passed`: a curve that descends from the left to the right, once the picture is turned.
across_path <- function(from, to, entry, passed, grid) {
  start <- c(from$x + from$width / 2, from$y)
  end <- c(to$x - to$width / 2, entry)
  row <- abs(diff(grid$y[1:2]))
  share <- (grid$x[passed] - start[1L]) / (end[1L] - start[1L])
  y <- start[2L] + (end[2L] - start[2L]) * share
  gap <- grid$y[1L] - row * (round((grid$y[1L] - y) / row - 0.5) + 0.5)
  free <- if (is.na(row)) Inf else 0.4 * (row - from$height) # one row: nothing to pass between
  middle <- if (is.na(row)) y else gap
  lanes <- data.frame(left = middle - free, right = middle + free,
                      bottom = -grid$x[passed] - 0.55 * grid$width[passed],
                      top = -grid$x[passed] + 0.55 * grid$width[passed])
  turned <- least_bent(c(start[2L], -start[1L]), c(end[2L], -end[1L]), lanes)
  cbind(-turned[, 2L], turned[, 1L])
}
