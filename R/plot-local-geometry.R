# Pictures of local models that are trees or tables: what stands in every region
# of the parents' space, and above it how the space was divided.
#
# A picture is data: `lines`, `shapes` (filled polygons) and `texts` in inches on
# a region of a given size, so that plot() and autoplot() draw the same and need
# know nothing of trees. The other components say what the shapes stand for.
#
# In every picture the values of the child run upwards along the left edge, once
# for all regions, and probability runs to the right in the panel of each region.
# However many panels there are, a value stays on its line across all of them.

bar_fill <- c(largest = "#0072B2", other = "#A6C8E0", empty = "#D3D3D3")
panel_fill <- "#F4F4F4"
panel_border <- "#BDBDBD"
most_points <- c(name = 10, label = 9, value = 8) # sizes of text, in points
least_points <- 5.5 # of text that is shortened rather than set smaller
branch_points <- 7 # least of what branches bear; else it moves below the nodes
fading_points <- 3 # text that would be smaller is left out
widest_slot <- 2.2 # of a region, in inches
highest_row <- 0.8 # of a tree, in inches
narrowest_bars <- 0.12 # narrower panels become columns of a heat map, or intervals
highest_peak <- 4 # where a density is cut off, in medians of the regions' peaks

# ---- what is to be seen --------------------------------------------------------------------------

# All local models in one form: `node`, `partition`, `regions` (how many), `rows` (in each; NULL
# if unknown), and the distributions: `prob` (levels x regions), or `location`, `scale` and `df`; of
# regressions what plot-regression-geometry.R says.
local_view <- function(model) {
  if (inherits(model, "optbn_table")) return(table_view(model))
  if (inherits(model, "optbn_regression")) return(regression_view(model))
  shown <- c("node", "partition", "prob", "location", "scale", "df")
  c(unclass(model)[intersect(shown, names(model))],
    list(regions = length(model$n), rows = model$n))
}

table_view <- function(model) {
  prob <- as_columns(model)
  rownames(prob) <- dimnames(model$prob)[[1L]]
  list(node = model$node, partition = table_partition(discrete_labels(model)),
       regions = ncol(prob), prob = prob,
       rows = if (!is.null(model$counts)) colSums(model$counts))
}

is_tree <- function(view) inherits(view$partition, "optbn_dyadic_tree")

# The line below the title.
region_line <- function(model) {
  view <- local_view(model)
  regions <- view$regions
  what <- if (inherits(model, "optbn_regression")) {
    format(model)
  } else if (is_tree(view)) {
    cli::format_inline("decision tree with {regions} {cli::qty(regions)}lea{?f/ves}")
  } else {
    cli::format_inline("table of {regions} configuration{?s}")
  }
  paste0(what, if (!is.null(view$rows)) {
    rows <- sum(view$rows)
    paste0(", ", format_count(rows), if (rows == 1) " row" else " rows")
  })
}

# ---- the picture ---------------------------------------------------------------------------------

# `region`: width and height in inches. Value: `lines` (id, x, y), `shapes` (id, x, y, fill,
# border, width), `texts` (x, y, label, size in points, align from 0 to 1, angle, colour); and what
# they show: `panels` (region, left, right, bottom, top, n), for a tree `nodes` (row, x, y, width,
# height, label, full) and `branches` (row of the child, x, y, width that is free, label, full),
# for a table `cells` (parent, first and last region, label, full). `full` is the label before it
# was shortened.
local_picture <- function(model, region) {
  view <- local_view(model)
  shape <- if (is_tree(view)) tree_shape(view$partition)
  frame <- picture_frame(view, shape, region)
  head <- if (is.null(shape)) table_head(view, frame) else tree_head(view, shape, frame)
  parts <- list(
    head,
    region_counts(view, frame),
    region_panels(view, frame),
    if (!is.null(view$prob) && frame$narrow) colour_key(frame),
    caption(view, frame, head$note)
  )
  gather <- function(what) bind_parts(lapply(parts, `[[`, what))
  c(
    list(
      panels = data.frame(region = seq_len(view$regions), left = frame$left, right = frame$right,
                          bottom = frame$bottom, top = frame$top, n = view$rows %||% NA),
      lines = gather("lines") %||% no_lines, shapes = gather("shapes"), texts = gather("texts")
    ),
    head[c("nodes", "branches", "cells")]
  )
}

region_panels <- function(view, frame) {
  if (!is.null(view$prob)) return(level_panels(view, frame))
  if (!is.null(view$line)) return(line_panels(view, frame))
  if (!is.null(view$effects)) return(effect_panels(view, frame))
  density_panels(view, frame)
}

no_lines <- data.frame(id = integer(), x = numeric(), y = numeric())

# Data frames one below the other; ids of shapes stay apart.
bind_parts <- function(frames) {
  frames <- Filter(NROW, frames)
  last <- 0L
  for (i in seq_along(frames)) {
    if (is.null(frames[[i]]$id)) next
    frames[[i]]$id <- frames[[i]]$id + last
    last <- max(frames[[i]]$id)
  }
  do.call(rbind, frames)
}

# How the region is divided. Across: labels of the values, then a slot for each region of the
# partition, `left` to `right` the panels in them, `middle` between. Upwards: a line of caption,
# the panels, the numbers of rows, `rows` of the tree or of the table's head.
picture_frame <- function(view, shape, region) {
  side <- side_labels(view)
  beside <- c(side, if (is.null(shape)) names(view$partition$axes), if (!is.null(view$rows)) "rows")
  side_width <- min(0.12 + max(text_em(beside)) * most_points[["label"]] / 72, 0.25 * region[1L])
  widest <- if (is.null(view$line %||% view$effects)) widest_slot else widest_regression
  slot <- min((region[1L] - side_width) / view$regions, widest)
  counts <- count_style(view$rows, slot)
  rows <- if (is.null(shape)) length(view$partition$axes) else max(shape$depth)
  foot <- 0.36
  free <- region[2L] - foot - counts$height
  heights <- share_height(free, rows, if (is.null(shape)) 0.24 else highest_row,
                          wanted = wanted_height(view))
  spare <- free - heights$panel - rows * heights$row
  bottom <- foot + spare / 2
  left_end <- (region[1L] - side_width - slot * view$regions) / 2 + side_width
  middle <- left_end + slot * (seq_len(view$regions) - 0.5)
  panel <- if (slot < narrowest_bars) slot else slot - min(0.12 * slot, 0.1)
  list(
    region = region, slot = slot, middle = middle, left = middle - panel / 2,
    right = middle + panel / 2, bottom = bottom, top = bottom + heights$panel,
    counts = counts, side = side, side_end = left_end - 0.07, side_width = side_width - 0.09,
    head = bottom + heights$panel + counts$height, row = heights$row, narrow = slot < narrowest_bars
  )
}

# Rows of the head may be as high as `most`, and leave panels at least a third of the height.
share_height <- function(free, rows, most, wanted) {
  panel <- min(wanted, max(free / 3, free - rows * most))
  row <- if (rows > 0) min((free - panel) / rows, most) else 0
  list(panel = max(panel, min(free - rows * row, 2.6 * wanted)), row = row)
}

wanted_height <- function(view) {
  if (!is.null(view$line)) return(2.2)
  values <- view$prob %||% view$effects
  if (is.null(values)) 1.6 else min(max(0.24 * nrow(values), 0.8), 2.4)
}

side_labels <- function(view) {
  values <- view$prob %||% view$effects
  if (is.null(values)) value_labels(value_ticks(value_range(view))) else rownames(values)
}

# ---- numbers of rows -----------------------------------------------------------------------------

# Upright numbers where there is room for them, else on their side.
count_style <- function(n, slot) {
  if (is.null(n)) return(list(size = 0, angle = 0, height = 0.06))
  em <- max(text_em(format_counts(n)))
  size <- min(most_points[["value"]], 72 * 0.9 * slot / em)
  if (size >= least_points) return(list(size = size, angle = 0, height = 0.2))
  size <- min(7, 72 * 0.9 * slot)
  if (size < fading_points) return(list(size = 0, angle = 90, height = 0.06))
  list(size = size, angle = 90, height = 0.1 + em * size / 72)
}

format_counts <- function(n) vapply(n, format_count, "")

region_counts <- function(view, frame) {
  style <- frame$counts
  if (style$size == 0) return(NULL)
  y <- frame$top + style$height / 2
  list(texts = rbind(
    texts(frame$middle, y, format_counts(view$rows), style$size, angle = style$angle,
          colour = "grey30"),
    texts(frame$side_end, y, "rows", most_points[["value"]], align = 1, colour = "grey30")
  ))
}

# ---- trees ---------------------------------------------------------------------------------------

# Where the nodes of a tree stand: `depth` from 0, `x` in slots of leaves, `parent` (a row, 0 for
# the root).
tree_shape <- function(tree) {
  nodes <- tree$nodes
  leaf <- is_leaf(tree)
  inner <- which(!leaf)
  parent <- integer(nrow(nodes))
  parent[nodes$left[inner]] <- inner
  parent[nodes$right[inner]] <- inner
  depth <- integer(nrow(nodes))
  for (i in inner) depth[c(nodes$left[i], nodes$right[i])] <- depth[i] + 1L
  x <- cumsum(leaf) - 0.5 # of leaves; rows are in preorder
  for (i in rev(inner)) x[i] <- (x[nodes$left[i]] + x[nodes$right[i]]) / 2
  list(inner = inner, leaves = which(leaf), parent = parent, depth = depth, x = x)
}

# The boxes of the inner nodes and the branches between them. A row of the tree holds from its top
# a box, the bar from which the branches hang, and the labels of the branches; or, where these are
# too long, the box, below it the label of the left branch alone, and the bar.
tree_head <- function(view, shape, frame) {
  if (length(shape$inner) == 0L) return(NULL)
  place <- list(x = frame$middle[1L] + frame$slot * (shape$x - 0.5),
                top = frame$head + frame$row * (max(shape$depth) - shape$depth))
  room <- head_rooms(place$x, shape, frame$region[1L])
  nodes <- view$partition$nodes
  values <- branch_values(view$partition, shape)
  children <- which(shape$parent > 0L)
  height <- 0.24 * frame$row
  both <- fitting_size(value_em(values[children]), room$branch[children], height, "label") >=
    min(branch_points, 72 * height)
  bands <- frame$row * if (both) c(box = 0.37, bar = 0.5, label = 0.78, label_height = 0.24) else
    c(box = 0.34, bar = 0.72, label = 0.47, label_height = 0.22)
  boxes <- inner_boxes(nodes, shape, place, room$inner, bands[["box"]])
  branches <- branch_labels(nodes, values, shape, place, room, frame$row, bands, both)
  list(
    nodes = boxes, branches = branches, note = if (!both) "values below a node go left",
    lines = branch_lines(shape, place, frame, bands, both),
    shapes = polygons(lapply(seq_len(nrow(boxes)), function(i) box_outline(boxes[i, ])),
                      box_fill, box_border, 1),
    texts = rbind(texts(boxes$x, boxes$y, boxes$label, boxes$size),
                  texts(branches$x, branches$y, branches$label, branches$size, colour = "grey20"))
  )
}

# The width that each node has to itself, for a box (`inner`) and for the label of its branch
# (`branch`): up to half-way to what stands beside it, or to a branch that passes on its way down
# to a leaf.
head_rooms <- function(x, shape, width) {
  leaf <- seq_along(x) %in% shape$leaves
  free <- function(i, standing, passing) {
    beside <- setdiff(standing, i)
    room <- 2 * min(abs(x[beside] - x[i]) / 2, abs(x[passing] - x[i]), x[i], width - x[i])
    room - min(0.03, 0.15 * room)
  }
  depth <- shape$depth
  rows <- seq_along(x)
  list(
    inner = vapply(rows, function(i) {
      free(i, which(depth == depth[i] & !leaf), which(depth <= depth[i] & leaf & rows != i))
    }, 0),
    branch = vapply(rows, function(i) {
      free(i, which(depth == depth[i]), which(depth < depth[i] & leaf))
    }, 0)
  )
}

inner_boxes <- function(nodes, shape, place, room, height) {
  inner <- shape$inner
  room <- room[inner]
  names <- nodes$variable[inner]
  size <- label_size(pmin(text_em(names), 6), 0.94 * room, 0.75 * height, "name")
  label <- shortened(names, 0.94 * room, size)
  data.frame(row = inner, x = place$x[inner], y = place$top[inner] - height / 2,
             width = pmin(pmax(text_em(label) * size / 72 + 0.16, 0.3), room), height = height,
             label = label, full = names, size = size)
}

# Round corners where there is room for them.
box_outline <- function(box) {
  if (box$width > 2 * box_corner * box$height / box_height) return(rounded_box(box))
  cbind(box$x + c(-1, 1, 1, -1) * box$width / 2, box$y + c(-1, -1, 1, 1) * box$height / 2)
}

branch_labels <- function(nodes, values, shape, place, room, row, bands, both) {
  of <- if (both) which(shape$parent > 0L) else nodes$left[shape$inner]
  at <- shape$parent[of]
  room <- if (both) room$branch[of] else room$inner[at]
  size <- label_size(value_em(values[of]), room, bands[["label_height"]], "label")
  thresholds <- vapply(values[of], is_threshold, NA)
  size <- ifelse(thresholds, pmin(size, 72 * room / value_em(values[of])), size)
  full <- vapply(values[of], function(value) paste(value, collapse = ", "), "")
  label <- unname(mapply(fitting_value, values[of], 72 * room / size))
  beside <- sibling(of, nodes, shape)
  label <- if (both) {
    call_rest(label, full, match(beside, of), 72 * room / size)
  } else {
    call_not(label, full, values[beside], 72 * room / size)
  }
  data.frame(row = of, x = place$x[if (both) of else at], y = place$top[at] - bands[["label"]],
             width = room, label = label, full = full, size = size)
}

sibling <- function(rows, nodes, shape) {
  above <- shape$parent[rows]
  ifelse(nodes$left[above] == rows, nodes$right[above], nodes$left[above])
}

# Levels that do not fit are the rest if their sibling's do.
call_rest <- function(label, full, sibling, em) {
  complete <- label == full
  replace(label, !complete & complete[sibling] & text_em("rest") <= em, "rest")
}

# Levels that do not fit, of all but one, are better named by that one.
call_not <- function(label, full, beside, em) {
  only <- paste("not", vapply(beside, `[[`, "", 1L))
  ifelse(label != full & lengths(beside) == 1L & text_em(only) <= em, only, label)
}

# From below the box (or its label) to the bar, along it, and down to the child.
branch_lines <- function(shape, place, frame, bands, both) {
  children <- which(shape$parent > 0L)
  above <- shape$parent[children]
  half <- bands[["label_height"]] / 2
  start <- place$top[above] - if (both) bands[["box"]] else bands[["label"]] + half
  bar <- place$top[above] - bands[["bar"]]
  end <- ifelse(children %in% shape$leaves, frame$head, place$top[children])
  label <- place$top[above] - bands[["label"]]
  elbow <- data.frame(
    id = rep(seq_along(children), each = 4L),
    x = as.vector(rbind(place$x[above], place$x[above], place$x[children], place$x[children])),
    y = as.vector(rbind(start, bar, bar, if (both) label + half else end))
  )
  rest <- data.frame(id = rep(seq_along(children), each = 2L),
                     x = rep(place$x[children], each = 2L),
                     y = as.vector(rbind(label - half, end)))
  bind_parts(list(elbow, if (both) rest))
}

# What goes down each branch, by row of the tree: one string for a threshold, the labels of the
# levels otherwise; NULL for the root.
branch_values <- function(tree, shape) {
  nodes <- tree$nodes
  boxes <- node_boxes(tree)
  values <- vector("list", nrow(nodes))
  for (i in shape$inner) {
    variable <- nodes$variable[i]
    axis <- tree$axes[[variable]]
    children <- c(nodes$left[i], nodes$right[i])
    values[children] <- if (axis$type == "levels") {
      level_values(axis, lapply(boxes[children], `[[`, variable))
    } else {
      paste(c("<", ">="), format_start(axis, nodes$cell[i]))
    }
  }
  values
}

# `codes`: those that go left and those that go right. Of ordered levels the left ones are the
# lower ones.
level_values <- function(axis, codes) {
  labels <- lapply(codes, function(held) axis$levels[held + 1L])
  if (!axis$ordered) return(labels)
  limit <- axis$levels[max(codes[[1L]]) + 1L]
  ifelse(lengths(labels) == 1L, labels, paste(c("<=", ">"), limit))
}

# A value on a branch in so many em: complete; or the first levels and how many follow; or
# shortened. A number is not shortened, for it would be another: it is set smaller.
fitting_value <- function(value, em) {
  for (shown in rev(seq_along(value))) {
    more <- length(value) - shown
    label <- paste(c(value[seq_len(shown)], if (more) paste0("+", more)), collapse = ", ")
    if (is_threshold(value) || text_em(label) <= em) return(label)
  }
  shortened(paste(value, collapse = ", "), em, 72)
}

is_threshold <- function(value) length(value) == 1L && grepl("^(<|>=) [-0-9]", value)

# What values on branches need to be of use: thresholds as they are, lists of levels in part.
value_em <- function(values) {
  vapply(values, function(value) {
    em <- text_em(paste(value, collapse = ", "))
    if (is_threshold(value)) em else min(em, 5)
  }, 0)
}

# ---- heads of tables -----------------------------------------------------------------------------

# A row for each parent, the first, whose values change fastest, next to the panels.
table_head <- function(view, frame) {
  axes <- view$partition$axes
  if (length(axes) == 0L) return(NULL)
  span <- c(1, cumprod(vapply(axes, cells_along, 0)))
  cells <- do.call(rbind, lapply(seq_along(axes), function(k) {
    first <- seq(1, view$regions, by = span[k])
    cells <- data.frame(parent = names(axes)[k], row = k, first = first, last = first + span[k] - 1,
                        full = rep(cell_labels(axes[[k]]), length.out = length(first)))
    fit_cells(cells, 0.95 * frame$slot * span[k] - 0.04, 0.8 * frame$row, axes[[k]]$type == "bins")
  }))
  bottom <- frame$head + frame$row * (cells$row - 1)
  left <- frame$middle[cells$first] - frame$slot / 2
  right <- frame$middle[cells$last] + frame$slot / 2
  names <- names(axes)
  size <- label_size(text_em(names), frame$side_width, 0.7 * frame$row, "label")
  list(
    cells = cells,
    shapes = rectangles(left, right, bottom, bottom + frame$row, box_fill, "white", 0.8),
    texts = rbind(
      texts((left + right) / 2, bottom + frame$row / 2, cells$label, cells$size),
      texts(frame$side_end, frame$head + frame$row * (seq_along(names) - 0.5),
            shortened(names, frame$side_width, size), size, align = 1)
    )
  )
}

cell_labels <- function(axis) {
  if (axis$type != "bins") return(axis$levels)
  k <- length(axis$cuts)
  if (k == 0L) return("all")
  cuts <- vapply(seq_len(k), function(cell) format_start(axis, cell), "")
  c(paste("<", cuts[1L]), if (k > 1L) sprintf("[%s, %s)", cuts[-k], cuts[-1L]),
    paste(">=", cuts[k]))
}

# Levels are shortened where they must be, bounds of bins are not.
fit_cells <- function(cells, room, height, numeric) {
  em <- text_em(cells$full)
  cells$size <- fitting_size(if (numeric) em else pmin(em, 4), room, height, "label")
  cells$label <- if (numeric) cells$full else shortened(cells$full, room, cells$size)
  cells
}

# ---- panels of a discrete node -------------------------------------------------------------------

level_panels <- function(view, frame) {
  r <- nrow(view$prob)
  height <- (frame$top - frame$bottom) / r
  middle <- frame$top - height * (seq_len(r) - 0.5)
  at <- list(y = rep(middle, view$regions), left = rep(frame$left, each = r),
             right = rep(frame$right, each = r))
  prob <- as.vector(view$prob)
  largest <- rep(apply(view$prob, 2L, max), each = r)
  kind <- ifelse(prob >= largest - 1e-9, "largest", "other")
  empty <- rep(is_empty(view), each = r)
  side <- side_texts(frame$side, middle, height, frame)
  if (frame$narrow) {
    fill <- ifelse(empty, bar_fill[["empty"]], heat_colour(prob))
    cells <- rectangles(at$left, at$right, at$y - height / 2, at$y + height / 2, fill, fill, 0.2)
    return(list(shapes = cells, texts = side))
  }
  end <- at$left + prob * (at$right - at$left)
  bars <- rectangles(at$left, end, at$y - 0.38 * height, at$y + 0.38 * height,
                     bar_fill[ifelse(empty, "empty", kind)], NA, 0)
  list(shapes = bind_parts(list(panel_backs(frame), bars)),
       texts = rbind(side, bar_numbers(prob, empty, end, at$y, height, frame)))
}

is_empty <- function(view) if (is.null(view$rows)) logical(view$regions) else view$rows == 0

# The probabilities in figures, at the ends of the bars, in panels that have the room.
bar_numbers <- function(prob, empty, end, y, height, frame) {
  size <- min(most_points[["value"]], 72 * 0.7 * height)
  if (frame$right[1L] - frame$left[1L] < 6 * size / 72 || size < least_points) return(NULL)
  inside <- prob > 0.5
  texts(end + ifelse(inside, -0.04, 0.04), y, sprintf("%.2f", prob), size,
        align = as.numeric(inside), colour = ifelse(inside & !empty, "white", "grey20"))
}

# Labels of the values beside the first panel; of many every second, third, ... one.
side_texts <- function(labels, y, height, frame) {
  size <- max(min(most_points[["label"]], 72 * 0.85 * height), least_points)
  shown <- seq(1, length(labels), by = max(1, ceiling(size / (72 * 0.95 * height))))
  texts(frame$side_end, y[shown], shortened(labels[shown], frame$side_width, size), size, align = 1)
}

# Probabilities in the colours that numbers of candidate sets have.
heat_colour <- function(prob) {
  grDevices::rgb(grDevices::colorRamp(count_palette())(prob), maxColorValue = 255)
}

# The colours of a heat map, above the caption.
colour_key <- function(frame) {
  y <- frame$bottom - 0.13
  edge <- frame$region[1L] / 2 + seq(-0.8, 0.8, length.out = 41L)
  fill <- heat_colour(seq(0, 1, length.out = 40L))
  list(
    shapes = rectangles(edge[-41L], edge[-1L], y - 0.05, y + 0.05, fill, fill, 0.2),
    texts = texts(range(edge) + c(-0.07, 0.07), y, 0:1, most_points[["value"]], colour = "grey30")
  )
}

# ---- panels of a continuous node -----------------------------------------------------------------

density_panels <- function(view, frame) {
  range <- value_range(view)
  height <- function(value) {
    share <- (pmin(pmax(value, range[1L]), range[2L]) - range[1L]) / diff(range)
    frame$bottom + share * (frame$top - frame$bottom)
  }
  y <- height(value_ticks(range))
  grid <- panel_grid(view, frame, y)
  glyphs <- if (frame$narrow) intervals(view, frame, height) else densities(view, frame, height)
  list(shapes = bind_parts(list(panel_backs(frame), grid, glyphs)),
       texts = side_texts(frame$side, y, min(diff(y), 1), frame))
}

# Wide enough for every location and for the bulk of the rows: a few rows with a
# wide distribution shall not flatten all others.
value_range <- function(view) {
  if (!is.null(view$line)) return(line_range(view))
  ends <- c(view$location - 3 * view$scale, view$location + 3 * view$scale)
  weight <- if (any(view$rows > 0)) view$rows else rep(1, length(view$rows))
  weight <- weight / sum(weight)
  below <- vapply(ends, function(x) {
    sum(weight * stats::pt((x - view$location) / view$scale, view$df))
  }, 0)
  low <- ends[below <= 0.01]
  high <- ends[below >= 0.99]
  widened(range(view$location, if (length(low)) max(low) else min(ends),
                if (length(high)) min(high) else max(ends)))
}

value_ticks <- function(range) {
  ticks <- pretty(range, 4L)
  ticks[ticks >= range[1L] & ticks <= range[2L]]
}

value_labels <- function(ticks) trimws(format(ticks))

densities <- function(view, frame, height) {
  peak <- stats::dt(0, view$df) / view$scale
  largest <- min(max(peak), highest_peak * stats::median(peak))
  z <- sinh(seq(-3.5, 3.5, length.out = 71L)) # dense in the middle, and far out
  curves <- lapply(seq_len(view$regions), function(i) {
    density <- stats::dt(z, view$df[i]) / view$scale[i]
    width <- pmin(density / largest, 1) * (frame$right[i] - frame$left[i])
    y <- height(view$location[i] + z * view$scale[i])
    shown <- y > frame$bottom & y < frame$top & density > peak[i] / 200
    cbind(frame$left[i] + c(0, width[shown], 0), c(min(y[shown]), y[shown], max(y[shown])))
  })
  at <- height(view$location)
  bind_parts(list(
    polygons(curves, region_fill(view), bar_fill[["largest"]], 1),
    strokes(frame$left, at, frame$left + pmin(peak / largest, 1) * (frame$right - frame$left), at,
            bar_fill[["largest"]], 1.4)
  ))
}

region_fill <- function(view) bar_fill[ifelse(is_empty(view), "empty", "other")]

intervals <- function(view, frame, height) {
  edge <- 0.15 * (frame$right - frame$left)
  at <- height(view$location)
  bind_parts(list(
    rectangles(frame$left + edge, frame$right - edge, height(view$location - view$scale),
               height(view$location + view$scale), region_fill(view), NA, 0),
    strokes(frame$left, at, frame$right, at, bar_fill[["largest"]], 1.4)
  ))
}

# ---- shapes and texts ----------------------------------------------------------------------------

panel_backs <- function(frame) {
  rectangles(frame$left, frame$right, frame$bottom, frame$top, panel_fill,
             if (frame$narrow) NA else panel_border, 0.6)
}

# What the panels show, at the foot of the picture.
caption <- function(view, frame, note) {
  discrete <- !is.null(view$prob)
  regression <- regression_caption(view, frame)
  what <- if (!is.null(regression)) {
    regression
  } else if (frame$narrow) {
    if (discrete) "probability" else "location, and one scale to either side"
  } else {
    if (discrete) "probability, from 0 to 1 in every panel" else
      "density, on the same scale in every panel"
  }
  grey <- if (discrete && any(is_empty(view))) "grey: no rows"
  label <- paste(c(paste0(view$node, ": ", what), grey, note), collapse = "; ")
  size <- fitting_size(text_em(label), frame$region[1L], 1, "value")
  beneath <- (discrete && frame$narrow) || !is.null(view$line) # the panels is something else
  y <- frame$bottom - if (beneath) 0.29 else 0.17
  list(texts = texts(frame$region[1L] / 2, y, label, size, colour = "grey30"))
}

# `points`: a list of matrices.
polygons <- function(points, fill, border, width) {
  shapes <- stack_points(points)
  style <- data.frame(fill = rep_len(unname(fill), length(points)),
                      border = rep_len(unname(border), length(points)), width = width)
  cbind(shapes, style[shapes$id, ], row.names = NULL)
}

rectangles <- function(left, right, bottom, top, fill, border, width) {
  corners <- data.frame(left, right, bottom, top)
  n <- nrow(corners)
  data.frame(
    id = rep(seq_len(n), each = 4L),
    x = as.vector(rbind(corners$left, corners$right, corners$right, corners$left)),
    y = as.vector(rbind(corners$bottom, corners$bottom, corners$top, corners$top)),
    fill = rep(rep_len(unname(fill), n), each = 4L),
    border = rep(rep_len(as.character(unname(border)), n), each = 4L),
    width = width
  )
}

# Straight lines, as polygons of two points.
strokes <- function(x0, y0, x1, y1, colour, width) {
  n <- length(x0)
  data.frame(id = rep(seq_len(n), each = 2L), x = as.vector(rbind(x0, x1)),
             y = as.vector(rbind(y0, y1)), fill = NA_character_, border = rep(colour, 2L * n),
             width = rep(width, 2L * n))
}

texts <- function(x, y, label, size, align = 0.5, angle = 0, colour = "black") {
  all <- data.frame(x, y, label = as.character(label), size, align, angle, colour)
  all[all$label != "" & all$size >= fading_points, ]
}

# The width of text in units of its size: near enough for sans-serif fonts, and more than most of
# them need.
text_em <- function(label) {
  count <- function(letters) nchar(gsub(paste0("[^", letters, "]"), "", label))
  0.64 * nchar(label, type = "width") - 0.24 * count("][iljtfrI.,:;'|!() ") +
    0.2 * count("A-HK-Zw<>=+") + 0.35 * count("m%@") + 0.15 * count("MW")
}

# The largest size, in points, at which texts of so many em fit into so many inches; and the same,
# but not so small that it could not be read: texts that do not fit are to be shortened.
fitting_size <- function(em, room, height, kind) {
  min(most_points[[kind]], 72 * height, 72 * room / pmax(em, 0.1))
}

label_size <- function(em, room, height, kind) {
  max(fitting_size(em, room, height, kind), min(least_points, 72 * height))
}

# Labels cut to what fits into so many inches, dots at their end; "" where not even two letters
# do. A level may be NA, where addNA() has made it one.
shortened <- function(label, room, size) {
  em <- 72 * room / size
  label[is.na(label)] <- "NA"
  unname(mapply(function(text, em) {
    if (text_em(text) <= em) return(text)
    kept <- seq_len(max(nchar(text) - 1L, 0L))
    cuts <- paste0(substring(text, 1L, kept), "...")
    fits <- which(kept >= 2L & text_em(cuts) <= em)
    if (length(fits)) cuts[max(fits)] else ""
  }, label, em))
}
