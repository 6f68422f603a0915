# Pictures of k-trees and of trees of cliques: a box for every bag with the names of its nodes,
# below the bag on which it hangs.
#
# The bags that hold a node hang together, so that a node is new in exactly one bag: there its name
# is black. In the others, grey, it is part of the separator, what a bag shares with the one above.
#
# A picture has `lines`, `shapes` and `texts`, as in plot-local-geometry.R, and is drawn by the
# same code. Few bags have room for all names, many only for the new ones or for the numbers of
# nodes: what is shown is the most that can be read. The tree grows downwards or to the right,
# names stand side by side or below one another: whichever lets them be set in the largest type.

name_colours <- c(new = "black", shared = "#8A8A8A")
bag_fills <- c(plain = box_fill, largest = kind_fills[["tree"]])
name_points <- 9 # at scale 1
name_line <- 0.15 # height of a line of names, in inches at scale 1, as all that follows
bag_padding <- c(0.14, 0.06) # across and upwards, both sides together
bag_gap <- 0.05 # beside a bag
level_gaps <- c(0.24, 0.12) # between bags and those that hang on them; narrow if need be
loosest_tree <- 1.8 # how far bags may be drawn apart
caption_room <- 0.3
line_widths <- c(1, 1.7, 3, Inf) # of lines of names, in those of the longest name

# `region`: width and height in inches. Value: `lines`, `shapes` and `texts`; and what they show,
# `bags` (x, y, width, height, largest), `shown` ("all", "new" or "count"), `rightwards`.
tree_picture <- function(tree, region) {
  placed <- readable_tree(tree, region - c(0, caption_room))
  bags <- placed$bags
  bags$y <- bags$y + caption_room
  placed$lines$y <- placed$lines$y + caption_room
  corner <- pmin(box_corner * placed$scale, bags$height / 3, bags$width / 3)
  outlines <- lapply(seq_len(nrow(bags)), function(i) {
    rounded_box(c(bags[i, ], corner = corner[i]))
  })
  list(
    lines = placed$lines,
    shapes = polygons(outlines, bag_fills[1L + bags$largest], box_border,
                      min(1, max(0.4, placed$scale))),
    texts = rbind(bag_texts(bags, placed), tree_caption(tree, placed, region)),
    bags = bags, shown = placed$shown, rightwards = placed$rightwards
  )
}

bag_texts <- function(bags, placed) {
  count <- lengths(placed$labels)
  bag <- rep(seq_along(count), count)
  step <- placed$scale * name_line
  y <- bags$y[bag] + step * ((count[bag] - 1) / 2 - (sequence(count) - 1))
  texts(bags$x[bag], y, unlist(placed$labels), placed$scale * name_points,
        colour = name_colours[unlist(lapply(placed$labels, names))])
}

# What the picture shows, at its foot.
tree_caption <- function(tree, placed, region) {
  beside <- paste("the", tree$word, if (placed$rightwards) "to its left" else "above")
  hang <- any(tree$parent > 0L)
  label <- c(
    switch(placed$shown,
      all = if (hang) paste("black: new nodes; grey: shared with", beside),
      new = paste("names: the nodes that are not in", beside),
      count = "numbers of nodes"
    ),
    if (any(placed$bags$largest)) {
      cli::format_inline("orange: largest {tree$word}{cli::qty(sum(placed$bags$largest))}{?s}")
    }
  )
  label <- paste(label, collapse = "; ")
  texts(region[1L] / 2, 0.1, label, fitting_size(text_em(label), region[1L], 1, "value"),
        colour = "grey30")
}

# ---- what is to be seen --------------------------------------------------------------------------

# k-trees, junction trees and cliques of an elimination order in one form: `bags`; `parent`, the
# bag on which each hangs, 0 if it shares no node with one; `size` of each; `word` for one;
# `heading` and `line`, the title of a picture and the line below it.
clique_tree <- function(x) UseMethod("clique_tree")

#' @export
clique_tree.optbn_k_tree <- function(x) {
  new_clique_tree(
    x$bags, x$parent, lengths(x$bags), "bag",
    heading = cli::format_inline("{x$treewidth}-tree over {length(x$nodes)} node{?s}"),
    line = cli::format_inline("{length(x$bags)} bag{?s} of {x$treewidth + 1L}, ",
                              "tree-width {x$treewidth}")
  )
}

#' @export
clique_tree.optbn_compiled_network <- function(x) {
  new_clique_tree(
    x$cliques, x$parent, x$cells, "clique",
    heading = cli::format_inline("Junction tree of a network with {length(x$nodes)} node{?s}"),
    line = cli::format_inline("width {x$width}; {length(x$cliques)} clique{?s}, ",
                              "{format_cells(sum(x$cells))} together, ",
                              "{format_cells(max(x$cells))} in the largest")
  )
}

#' @export
clique_tree.optbn_treewidth <- function(x) {
  new_clique_tree(
    x$cliques, x$tree, lengths(x$cliques), "clique", heading = treewidth_heading(x),
    line = cli::format_inline("{length(x$cliques)} clique{?s} of an elimination order, ",
                              "at most {x$upper + 1L} node{?s} each")
  )
}

new_clique_tree <- function(bags, parent, size, word, heading, line) {
  parent[is.na(parent)] <- 0L
  apart <- vapply(seq_along(bags), function(i) {
    parent[i] == i || parent[i] == 0L || !any(bags[[i]] %in% bags[[parent[i]]])
  }, NA)
  parent[apart] <- 0L
  list(bags = bags, parent = parent, size = size, word = word, heading = heading, line = line)
}

# No mark where all are equal.
largest_bags <- function(tree) {
  largest <- tree$size == max(tree$size)
  largest & !all(largest)
}

# ---- what stands in the boxes --------------------------------------------------------------------

# The most that can be read, in the largest type.
readable_tree <- function(tree, region) {
  for (shown in c("all", "new", "count")) {
    labels <- bag_labels(tree, shown)
    for (gap in level_gaps) {
      choices <- expand.grid(labels = seq_along(labels), rightwards = c(FALSE, TRUE))
      placed <- Map(function(i, rightwards) place_bags(tree, labels[[i]], rightwards, region, gap),
                    choices$labels, choices$rightwards)
      best <- placed[[which.max(vapply(placed, function(one) one$scale, 0))]]
      if (is_readable(best)) return(c(best, shown = shown))
    }
  }
  c(best, shown = shown)
}

is_readable <- function(placed) placed$scale * name_points >= least_points

# Ways to write what is shown of each bag: lines, their names "new" or "shared".
bag_labels <- function(tree, shown) {
  if (shown == "count") {
    return(list(lapply(tree$bags, function(bag) c(new = as.character(length(bag))))))
  }
  names <- lapply(seq_along(tree$bags), function(i) {
    above <- if (tree$parent[i] > 0L) tree$bags[[tree$parent[i]]]
    new <- setdiff(tree$bags[[i]], above)
    list(new = new, shared = if (shown == "all") setdiff(tree$bags[[i]], new))
  })
  longest <- max(text_em(unlist(tree$bags)))
  unique(lapply(longest * line_widths, function(width) {
    lapply(names, function(bag) {
      lines <- lapply(bag, wrap_names, width = width)
      set_names(unlist(lines), rep(names(lines), lengths(lines)))
    })
  }))
}

# Names in lines of so many em, as many to a line as fit.
wrap_names <- function(names, width) {
  lines <- character()
  for (name in names) {
    last <- length(lines)
    longer <- if (last > 0L) paste(lines[last], name, sep = ", ")
    if (last > 0L && text_em(longer) <= width) lines[last] <- longer else lines <- c(lines, name)
  }
  lines
}

# ---- places --------------------------------------------------------------------------------------

# Bags at their places in the region: `bags`, `lines`, `labels`, `scale` and `rightwards`.
place_bags <- function(tree, labels, rightwards, region, level_gap = level_gaps[1L]) {
  width <- vapply(labels, function(lines) max(text_em(lines)), 0) * name_points / 72
  width <- width + bag_padding[1L]
  height <- lengths(labels) * name_line + bag_padding[2L]
  across <- if (rightwards) height else width # along a level
  along <- if (rightwards) width else height # from level to level
  if (rightwards) region <- rev(region)

  level <- tree_levels(tree$parent)
  deepest <- unname(vapply(split(along, level), max, 0))
  begin <- (cumsum(c(0, deepest + level_gap))[seq_along(deepest)])[level]
  place <- tidy_places(tree$parent, across, bag_gap)
  extent <- c(max(place + across / 2), max(begin + along))
  scale <- min(region / extent, most_enlarged)
  stretch <- pmin(pmax(region / (scale * extent), 1), loosest_tree)

  along <- scale * along
  across <- scale * across
  place <- scale * stretch[1L] * place
  begin <- scale * stretch[2L] * begin
  spare <- (region - c(max(place + across / 2) + min(place - across / 2), max(begin + along))) / 2
  place <- place + spare[1L]
  begin <- begin + spare[2L]
  turn <- function(place, depth) {
    if (rightwards) list(x = depth, y = region[1L] - place) else
      list(x = place, y = region[2L] - depth)
  }
  middle <- turn(place, begin + along / 2)
  list(
    bags = data.frame(x = middle$x, y = middle$y, width = scale * width, height = scale * height,
                      largest = largest_bags(tree)),
    lines = hanging_lines(tree$parent, place, begin, along,
                          end = begin + scale * deepest[level], turn),
    labels = labels, scale = scale, rightwards = rightwards
  )
}

# Below a bag a stem, a bar half-way to the next level, and what hangs from the bar; no stretch is
# drawn twice. `end`: where the bags of each one's level end.
hanging_lines <- function(parent, place, begin, along, end, turn) {
  lines <- lapply(unname(split(seq_along(parent), parent)), function(hanging) {
    bag <- parent[hanging[1L]]
    if (bag == 0L) return(NULL)
    begins <- begin[hanging[1L]]
    bar <- (end[bag] + begins) / 2
    down <- function(at, from, to) cbind(at, c(from, to))
    stem <- begin[bag] + along[bag]
    if (length(hanging) == 1L) return(list(down(place[bag], stem, begins)))
    ends <- range(place[hanging])
    inner <- place[hanging[!place[hanging] %in% ends]]
    c(list(down(place[bag], stem, bar), cbind(rep(ends, each = 2L), c(begins, bar, bar, begins))),
      lapply(inner, down, from = bar, to = begins))
  })
  points <- stack_points(unlist(lines, recursive = FALSE))
  cbind(points["id"], turn(points$x, points$y))
}

# From 1 for the roots.
tree_levels <- function(parent) {
  level <- rep(1L, length(parent))
  for (v in hanging_order(parent)) if (parent[v] > 0L) level[v] <- level[parent[v]] + 1L
  level
}

# Every bag after the one on which it hangs.
hanging_order <- function(parent) {
  order <- layer <- which(parent == 0L)
  while (length(layer <- which(parent %in% layer))) order <- c(order, layer)
  order
}

# Places along the levels, the leftmost border at 0: every bag over the middle of those that hang
# on it, subtrees as near to one another as their outlines allow (Reingold and Tilford 1981,
# doi:10.1109/TSE.1981.234519). `extent`: of each bag along its level.
tidy_places <- function(parent, extent, gap) {
  top <- length(parent) + 1L # above all roots, of no extent
  above <- replace(parent, parent == 0L, top)
  hanging <- unname(split(seq_along(parent), factor(above, seq_len(top))))
  from_parent <- numeric(top)
  outline <- vector("list", top) # by level from the bag on: left and right border, from its middle
  for (v in c(rev(hanging_order(parent)), top)) {
    joined <- NULL
    for (child in hanging[[v]]) {
      from_parent[child] <- if (is.null(joined)) 0 else clearance(joined, outline[[child]]) + gap
      joined <- join_outlines(joined, outline[[child]] + from_parent[child])
    }
    middle <- if (length(hanging[[v]])) mean(range(from_parent[hanging[[v]]])) else 0
    from_parent[hanging[[v]]] <- from_parent[hanging[[v]]] - middle
    half <- if (v == top) 0 else extent[v] / 2
    outline[[v]] <- rbind(c(-half, half), if (!is.null(joined)) joined - middle)
  }
  place <- from_parent
  for (v in hanging_order(parent)) place[v] <- place[above[v]] + from_parent[v]
  place[seq_along(parent)] - min(outline[[top]])
}

# How far to move the right one for it to touch the left one.
clearance <- function(left, right) {
  common <- seq_len(min(nrow(left), nrow(right)))
  max(left[common, 2L] - right[common, 1L])
}

join_outlines <- function(left, right) {
  if (is.null(left)) return(right)
  deeper <- function(first, second, side) {
    c(first[, side], second[seq_len(nrow(second)) > nrow(first), side])
  }
  cbind(deeper(left, right, 1L), deeper(right, left, 2L))
}
