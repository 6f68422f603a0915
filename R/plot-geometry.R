# Picture: the geometry of a drawn network, shared by plot() and autoplot().
#
# All lengths are inches on a region of a given size. A picture holds polygons
# and lines only (outlines of boxes, paths and heads of arcs), so that any code that
# draws it needs no more than these, and every scaling of it stays true.

box_corner <- 0.08
head_length <- 0.11
head_width <- 0.085
arc_gap <- 0.09 # between arcs at the border of a box
most_enlarged <- 1.2
kind_corners <- c(tree = 0.08, table = 0.02, Gaussian = 0.14) # of boxes; half their height at most
box_share_across <- 0.88 # of a box that its label may fill
box_share_upwards <- 0.45

# Nominal widths of the boxes: room for letters of 12 points, and for the arcs
# that enter or leave side by side.
box_widths <- function(label, parents) {
  wide <- nchar(gsub("[^A-Z0-9mwMW_]", "", label), type = "width")
  for_label <- 0.24 + 0.075 * nchar(label, type = "width") + 0.025 * wide
  arcs <- pmax(lengths(parents), lengths(children_of(parents)))
  pmax(for_label, arcs * arc_gap + 2 * box_corner)
}

# `places`: of the nodes, by given_places(), or NULL for layers. `region`: width and
# height in inches. `compare`: the parts of another network, or NULL; `strength`: a matrix of the
# probabilities of arcs, or NULL.
# Value: `scale` of text and boxes; `nodes` (node, x, y, width, height of its box);
# `arcs` (from, to, kind; `width` in times of the usual one, `opacity`); and as points of polygons
# and lines `boxes` (by node), `paths` and `heads` (by arc).
network_picture <- function(x, places, highlight, region, compare = NULL, strength = NULL) {
  labels <- names(x$nodes)
  parents <- laid_out_parents(x, compare)
  width <- box_widths(labels, parents)
  placed <- if (is.null(places)) {
    fit_layers(layered_layout(parents, width), region)
  } else {
    fit_places(places, parents, width, region)
  }
  scale <- placed$scale
  kind <- node_kinds(x)
  corner <- ifelse(is.na(kind), box_corner, kind_corners[as.character(kind)])
  nodes <- data.frame(node = labels, x = placed$x, y = placed$y,
                      width = scale * width, height = rep(scale * box_height, length(labels)),
                      kind = kind, corner = scale * corner)
  paths <- if (is.null(places)) {
    layered_paths(nodes, placed)
  } else {
    straight_paths(nodes, placed$arcs)
  }
  arcs <- directions_of_arcs(placed$arcs, x, compare)
  turn <- function(path) path[rev(seq_len(nrow(path))), ]
  paths[arcs$upwards] <- lapply(paths[arcs$upwards], turn)
  arcs$from <- labels[arcs$from]
  arcs$to <- labels[arcs$to]
  heads <- vector("list", length(paths))
  heads[arcs$directed] <- lapply(paths[arcs$directed], arrow_head, scale = scale)
  paths[arcs$directed] <- lapply(paths[arcs$directed], shorten, by = 0.8 * scale * head_length)
  arcs$kind <- arc_kinds(x, arcs[c("from", "to")], highlight, arcs$difference)
  arcs <- cbind(arcs[c("from", "to", "kind")], strength_styles(strength, arcs))
  list(
    scale = scale,
    nodes = nodes,
    arcs = arcs,
    boxes = stack_points(lapply(seq_len(nrow(nodes)), function(i) rounded_box(nodes[i, ]))),
    paths = stack_points(paths),
    heads = stack_points(heads)
  )
}

# Undirected arcs, which only networks changed by bnlearn have, lead downwards in
# the order that the directed ones give.
directed_parents <- function(x) {
  nodes <- names(x$nodes)
  undirected <- is_undirected(x$arcs)
  dag <- dag_of_arcs(nodes, x$arcs[!undirected, , drop = FALSE])
  if (!any(undirected)) return(dag$parents)
  position <- match(seq_along(nodes), topological_order(dag$parents))
  from <- match(x$arcs[, 1L], nodes)
  to <- match(x$arcs[, 2L], nodes)
  kept <- !undirected | position[from] < position[to]
  dag_of_arcs(nodes, x$arcs[kept, , drop = FALSE])$parents
}

# The same with the arcs that only another network has; those against the order of the first are
# turned, for the picture has no cycles.
laid_out_parents <- function(x, compare) {
  parents <- directed_parents(x)
  if (is.null(compare)) return(parents)
  position <- order(topological_order(parents))
  others <- rbind(compare$directed, compare$undirected)
  for (i in seq_len(nrow(others))) {
    ends <- as.integer(others[i, ])
    ends <- ends[order(position[ends])]
    parents[[ends[2L]]] <- union(parents[[ends[2L]]], ends[1L])
  }
  lapply(parents, sort)
}

# What arcs that are drawn downwards (`placed`: from, to) stand for: `from` and `to`, whether
# `directed` and `upwards`, and the `difference` between two networks (NULL of a single one).
directions_of_arcs <- function(placed, x, compare) {
  nodes <- names(x$nodes)
  first <- matrix(FALSE, length(nodes), length(nodes))
  first[cbind(match(x$arcs[, 1L], nodes), match(x$arcs[, 2L], nodes))] <- TRUE
  second <- first
  if (!is.null(compare)) {
    second[] <- FALSE
    second[both_ways(compare)] <- TRUE
  }
  turned <- placed[, 2:1, drop = FALSE]
  here <- first[placed] + 2L * first[turned] # 1: as drawn, 2: the other way, 3: without direction
  there <- second[placed] + 2L * second[turned]
  shown <- ifelse(here == 0L, there, here)
  upwards <- shown == 2L
  arcs <- data.frame(from = ifelse(upwards, placed[, 2L], placed[, 1L]),
                     to = ifelse(upwards, placed[, 1L], placed[, 2L]),
                     directed = shown != 3L, upwards = upwards)
  if (!is.null(compare)) {
    arcs$difference <- ifelse(here == there, "in both",
                              ifelse(there == 0L, "only in the first",
                                     ifelse(here == 0L, "only in the second", "turned")))
  }
  arcs
}

# The other network, which must have the same nodes, as parts with the nodes in the order of `x`.
check_compare <- function(compare, x, call = parent.frame()) {
  if (is.null(compare)) return(NULL)
  parts <- parts_of_network(compare, call, "compare")
  nodes <- names(x$nodes)
  if (!setequal(parts$nodes, nodes)) {
    abort_optbn("argument",
                c("{.arg compare} must have the nodes of the network.",
                  x = "{.val {symmetric_difference(parts$nodes, nodes)}} {?is/are} in one only."),
                call = call)
  }
  renumbered <- function(arcs) {
    data.frame(from = match(parts$nodes[arcs$from], nodes), to = match(parts$nodes[arcs$to], nodes))
  }
  list(nodes = nodes, directed = renumbered(parts$directed),
       undirected = renumbered(parts$undirected))
}

symmetric_difference <- function(a, b) c(setdiff(a, b), setdiff(b, a))

# ---- strengths -----------------------------------------------------------------------------------

# The probabilities of arcs, a row and a column for each node of `x`: from what arc_posterior()
# takes or returns, or a table with bnlearn's columns.
check_strength <- function(strength, x, call = parent.frame()) {
  if (is.null(strength)) return(NULL)
  nodes <- names(x$nodes)
  if (inherits(strength, c("optbn_k_best", "optbn_dags", "optbn_posterior"))) {
    strength <- arc_posterior(strength)
  }
  table <- if (is.data.frame(strength)) as.data.frame(strength)
  wanted <- c("from", "to", "strength", "direction")
  if (is.null(table) || !all(wanted %in% names(table))) {
    abort_optbn("argument",
                c("{.arg strength} must be a table with columns {.val {wanted}}.",
                  x = "It is {describe(strength)}.",
                  i = "{.fn arc_posterior} and {.fn bootstrap_dags} return one."),
                call = call)
  }
  missing <- setdiff(nodes, c(table$from, table$to))
  if (length(missing) > 0L && length(nodes) > 1L) {
    abort_optbn("argument",
                c("{.arg strength} must have the arcs between the nodes of the network.",
                  x = "{.val {missing}} {?is/are} not among its nodes."),
                call = call)
  }
  probability <- matrix(0, length(nodes), length(nodes))
  cells <- cbind(match(table$from, nodes), match(table$to, nodes))
  known <- stats::complete.cases(cells)
  values <- table$strength[known] * table$direction[known]
  probability[cells[known, , drop = FALSE]] <- pmin(1, pmax(0, values))
  structure(probability, nodes = nodes)
}

# Wider and darker the more probable an arc is; without a direction: in either.
strength_styles <- function(strength, arcs) {
  usual <- rep(1, nrow(arcs))
  if (is.null(strength)) return(data.frame(width = usual, opacity = usual))
  ends <- cbind(match(arcs$from, attr(strength, "nodes")), match(arcs$to, attr(strength, "nodes")))
  probability <- strength[ends] + ifelse(arcs$directed, 0, strength[ends[, 2:1, drop = FALSE]])
  style_of_probability(pmin(1, probability))
}

style_of_probability <- function(probability) {
  data.frame(width = 0.4 + 1.6 * probability, opacity = 0.25 + 0.75 * probability)
}

# What the local model of each node is, a factor: "tree", "table" or "Gaussian"; NA where no mark
# is needed: at nodes without parents of networks of trees or discretised tables, and everywhere
# if all nodes are of one kind.
node_kinds <- function(x) {
  score <- sub("-p$", "", x$learning$test %||% "")
  parents <- lengths(directed_parents(x)) > 0L
  kind <- if (!is.null(x$learning$kinds)) {
    x$learning$kinds # those of a fit
  } else if (score %in% c("pcart", "ft")) {
    ifelse(parents, c(pcart = "tree", ft = "table")[[score]], NA)
  } else if (grepl("-cg$", score)) {
    discrete <- x$learning$illegal[, "to"] # which no continuous node may point to
    ifelse(names(x$nodes) %in% discrete, "table", "Gaussian")
  }
  if (length(unique(kind)) < 2L) kind <- rep(NA, length(x$nodes))
  factor(kind, names(kind_fills))
}

# ---- places --------------------------------------------------------------------

# Layers may be drawn apart or together, and columns apart, before text shrinks.
fit_layers <- function(placed, region) {
  box <- c(placed$width, box_height - min(placed$y))
  tightest <- c(1, 0.68)
  loosest <- c(1.35, 1.7)
  scale <- min(region / (tightest * box), most_enlarged)
  stretch <- pmin(pmax(region / (scale * box), tightest), loosest)
  list(
    scale = scale,
    x = scale * stretch[1L] * placed$x,
    y = scale * stretch[2L] * placed$y,
    arcs = placed$arcs,
    bends = lapply(placed$bends, function(points) sweep(points, 2L, scale * stretch, "*"))
  )
}

# Places that the user chose, in units of his own: the whole fills the region, and
# boxes are as large as they can be without overlapping.
fit_places <- function(places, parents, width, region) {
  places <- sweep(places, 2L, apply(places, 2L, min))
  extent <- apply(places, 2L, max)
  largest <- c(max(width), box_height)
  free <- free_scale(places, width)
  scale <- min(free * min(region / (extent + free * largest)), most_enlarged)
  unit <- min((region - scale * largest) / extent)
  if (!is.finite(unit)) unit <- 1
  list(scale = scale, x = unit * places[, 1L], y = unit * places[, 2L],
       arcs = parents_to_arcs(parents))
}

# The largest boxes that do not overlap, per unit of the places; nodes at the very
# same place are beyond help and do not count.
free_scale <- function(places, width) {
  apart <- function(at, needed) abs(outer(at, at, "-")) / needed
  free <- pmax(apart(places[, 1L], outer(width, width, "+") / 2 + column_gap),
               apart(places[, 2L], box_height + column_gap))
  min(free[free > 0], 1e6)
}

# The `layout` of plot.optbn() as a matrix of places, one row a node in the order of
# the network, or NULL.
given_places <- function(x, layout, call = parent.frame()) {
  if (is.null(layout)) return(NULL)
  nodes <- names(x$nodes)
  if (is.function(layout)) {
    require_package("igraph", "for a layout function", call = call)
    layout <- layout(graph_of_network(x))
    if (is.list(layout)) layout <- layout$layout
  }
  layout <- table_as_matrix(layout)
  ok <- is.matrix(layout) && is.numeric(layout) && ncol(layout) == 2L &&
    nrow(layout) == length(nodes) && all(is.finite(layout))
  if (!ok) {
    abort_optbn(
      "argument",
      c("{.arg layout} must give each node two finite numbers, in a matrix of {length(nodes)} x 2.",
        x = "It is {describe(layout)}."),
      call = call
    )
  }
  if (!is.null(rownames(layout)) && setequal(rownames(layout), nodes)) {
    layout <- layout[nodes, , drop = FALSE]
  }
  unname(layout)
}

# ---- arcs ----------------------------------------------------------------------

# What arcs (a two-column table) are drawn as: highlighted before all others; in a comparison the
# `difference`, otherwise whitelisted before learned.
arc_kinds <- function(x, arcs, highlight, difference = NULL, call = parent.frame()) {
  is_in <- function(table) {
    turned <- arc_labels(table[, 2:1, drop = FALSE])
    arc_labels(arcs) %in% c(arc_labels(table), intersect(turned, undirected_labels(x)))
  }
  kind <- difference %||% rep("learned", nrow(arcs))
  whitelist <- x$learning$whitelist
  if (is.null(difference) && !is.null(whitelist)) kind[is_in(whitelist)] <- "whitelisted"
  if (!is.null(highlight)) kind[is_in(check_highlight(highlight, x, call))] <- "highlighted"
  factor(kind, names(arc_colours))
}

undirected_labels <- function(x) arc_labels(x$arcs[is_undirected(x$arcs), , drop = FALSE])

check_highlight <- function(highlight, x, call) {
  highlight <- table_as_matrix(highlight)
  if (!(is.matrix(highlight) && is.character(highlight) && ncol(highlight) == 2L)) {
    abort_optbn("argument",
                c("{.arg highlight} must be a table of arcs with two columns, from and to.",
                  x = "It is {describe(highlight)}."),
                call = call)
  }
  unknown <- setdiff(highlight, names(x$nodes))
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c("{.arg highlight} must name nodes of the network.",
                  x = "{.val {unknown}} {?is/are} not among them."),
                call = call)
  }
  highlight
}

# The paths of the arcs, each a matrix of points. In layers an arc leaves through
# the bottom of the parent's box and enters through the top of the child's; it is
# straight, or bends as little as the boxes and arcs beside its bends allow.
layered_paths <- function(nodes, placed) {
  from <- nodes[placed$arcs[, 1L], ]
  to <- nodes[placed$arcs[, 2L], ]
  arcs <- seq_len(nrow(from))
  first_stop <- vapply(arcs, function(i) {
    rbind(placed$bends[[i]], c(to$x[i], to$y[i]))[1L, ]
  }, numeric(2L))
  last_stop <- vapply(arcs, function(i) {
    stops <- rbind(c(from$x[i], from$y[i]), placed$bends[[i]])
    stops[nrow(stops), ]
  }, numeric(2L))
  start <- ports(from, placed$arcs[, 1L], first_stop)
  end <- ports(to, placed$arcs[, 2L], last_stop)
  lanes <- free_lanes(nodes, placed)
  edges <- range(nodes$x - nodes$width / 2, nodes$x + nodes$width / 2, lanes$x)
  lapply(arcs, function(i) {
    least_bent(c(start[i], from$y[i] - from$height[i] / 2), c(end[i], to$y[i] + to$height[i] / 2),
               lanes[lanes$arc == i, ], edges)
  })
}

# For each bend (`arc`, `x`) how far its arc may leave it to either side, `left` and `right`,
# between the heights `bottom` and `top`: up to the next box, and to the arcs that pass between the
# two.
free_lanes <- function(nodes, placed) {
  count <- vapply(placed$bends, NROW, 0L)
  bends <- do.call(rbind, c(list(matrix(0, 0L, 2L)), placed$bends))
  all <- data.frame(arc = c(rep(NA, nrow(nodes)), rep(seq_along(count), count)),
                    x = c(nodes$x, bends[, 1L]), y = c(nodes$y, bends[, 2L]),
                    half = c(nodes$width / 2, rep(0, nrow(bends))))
  half <- placed$scale * box_height / 2
  edges <- range(all$x - all$half, all$x + all$half)
  lanes <- lapply(split(all, round(all$y, 6L)), function(row) {
    row <- row[order(row$x), ]
    left <- left_limits(row$x, row$half, is.na(row$arc), edges[1L], placed$scale)
    right <- -rev(left_limits(-rev(row$x), rev(row$half), rev(is.na(row$arc)), -edges[2L],
                              placed$scale))
    data.frame(arc = row$arc, x = row$x, left = pmin(left, row$x), right = pmax(right, row$x),
               bottom = row$y - half, top = row$y + half)[!is.na(row$arc), ]
  })
  do.call(rbind, unname(lanes))
}

# Of a row of boxes and bends from left to right, on a picture that begins at `edge`.
left_limits <- function(x, half, box, edge, scale) {
  last <- cummax(ifelse(box, seq_along(box), 0L)) # the box at or before each
  begin <- c(edge, x + half + scale * column_gap / 2)[1L + last]
  begin + scale * arc_gap * (seq_along(box) - last - 1L)
}

# Where arcs cross the bottom (or top) of their boxes: on the line from the middle
# of the box to where they go (a column each of `towards`), but one beside the
# other and off the corners.
ports <- function(box, node, towards) {
  scale <- box$height / box_height
  reach <- box$width / 2 - 1.3 * box_corner * scale
  shift <- (towards[1L, ] - box$x) * box$height / 2 / abs(towards[2L, ] - box$y)
  for (arcs in split(seq_along(node), node)) {
    arcs <- arcs[order(shift[arcs], towards[1L, arcs])]
    far <- reach[arcs[1L]]
    between <- seq_along(arcs) - 1
    step <- min(arc_gap * scale[1L], 2 * far / max(1, between))
    offset <- step * between
    apart <- isotonic(shift[arcs] - offset, rep(1, length(arcs)))
    shift[arcs] <- offset + pmin(pmax(apart, -far), far - max(offset))
  }
  box$x + shift
}

# Of the curves x(y) from `start` down to `end` that keep to the lanes, and between the `edges`, the
# smoothest: the sum of squared second differences, and of first ones, is as small as it can be.
least_bent <- function(start, end, lanes, edges = c(-Inf, Inf)) {
  if (nrow(lanes) == 0L) return(rbind(start, end, deparse.level = 0L))
  fall <- start[2L] - end[2L]
  y <- seq(start[2L], end[2L], length.out = ceiling(4 * fall / min(lanes$top - lanes$bottom)) + 1L)
  step <- y[1L] - y[2L] # a lane ends beyond the last value in it
  left <- rep(edges[1L], length(y))
  right <- rep(edges[2L], length(y))
  for (i in seq_len(nrow(lanes))) {
    held <- y < lanes$top[i] + step & y > lanes$bottom[i] - step
    left[held] <- pmax(left[held], lanes$left[i])
    right[held] <- pmin(right[held], lanes$right[i])
  }
  inner <- seq_along(y)[-c(1L, length(y))]
  steps <- (length(y) - 1) / (nrow(lanes) + 1) # from layer to layer
  x <- bounded_spline(c(start[1L], end[1L]), left[inner], right[inner], arc_tension / steps^2)
  curve <- stats::spline(-y, x, n = 3L * length(y), method = "natural")
  cbind(curve$y, -curve$x)
}

# Values at equal steps between two `ends`, within bounds, whose squared second differences, and
# first ones times `tension`, have the least sum. Values beyond a bound are set to it, and set free
# again where the others draw them back: all at once, and one at a time when that has gone in a
# circle (block principal pivoting: Judice and Pires 1994, doi:10.1016/0305-0548(94)90106-6).
bounded_spline <- function(ends, lower, upper, tension) {
  n <- length(lower)
  differences <- rbind(second_differences(n), sqrt(tension) * diff(diag(n + 2L)))
  inner <- differences[, 1L + seq_len(n), drop = FALSE]
  square <- crossprod(inner)
  pulled <- -crossprod(inner, differences[, c(1L, n + 2L)] %*% ends)
  held <- integer(n) # -1 at the lower bound, 1 at the upper
  fewest <- n + 1L
  patience <- 5L
  for (round in seq_len(20L * n)) {
    free <- held == 0L
    value <- ifelse(held < 0L, lower, upper)
    if (any(free)) {
      fixed <- square[free, !free, drop = FALSE] %*% value[!free]
      value[free] <- solve(square[free, free, drop = FALSE], pulled[free] - fixed)
    }
    force <- as.vector(pulled - square %*% value) # 0 where free
    wanted <- ifelse(free, (value > upper + 1e-9) - (value < lower - 1e-9), held)
    wanted[held < 0L & force > 1e-9 | held > 0L & force < -1e-9] <- 0L
    wrong <- which(wanted != held)
    if (length(wrong) == 0L) break
    patience <- if (length(wrong) < fewest) 5L else patience - 1L
    fewest <- min(fewest, length(wrong))
    if (patience < 0L) wrong <- max(wrong)
    held[wrong] <- as.integer(wanted[wrong])
  }
  c(ends[1L], pmin(pmax(value, lower), upper), ends[2L])
}

second_differences <- function(n) diff(diag(n + 2L), differences = 2L)

# At places that the user chose: from border to border along the line that joins
# the middles.
straight_paths <- function(nodes, arcs) {
  lapply(seq_len(nrow(arcs)), function(i) {
    from <- nodes[arcs[i, 1L], ]
    to <- nodes[arcs[i, 2L], ]
    rbind(border_point(from, to), border_point(to, from))
  })
}

border_point <- function(box, other) {
  towards <- c(other$x - box$x, other$y - box$y)
  share <- min(c(box$width, box$height) / 2 / pmax(abs(towards), 1e-9))
  c(box$x, box$y) + min(share, 0.5) * towards
}

# A filled triangle at the end of a path.
arrow_head <- function(path, scale) {
  tip <- path[nrow(path), ]
  back <- shorten(path, scale * head_length)
  direction <- tip - back[nrow(back), ]
  direction <- direction / sqrt(sum(direction^2)) * scale
  across <- rev(direction) * c(1, -1) * head_width / 2
  base <- tip - direction * head_length
  rbind(tip, base + across, base - across)
}

# A path without its last stretch of so many inches.
shorten <- function(path, by) {
  steps <- sqrt(rowSums(diff(path)^2))
  left <- rev(cumsum(rev(steps))) # from each point to the end
  keep <- c(left > by, FALSE)
  if (!any(keep)) return(path[c(1L, nrow(path)), , drop = FALSE])
  last <- max(which(keep))
  share <- (left[last] - by) / steps[last]
  rbind(path[keep, , drop = FALSE], path[last, ] + share * (path[last + 1L, ] - path[last, ]))
}

# ---- shapes --------------------------------------------------------------------

rounded_box <- function(box) {
  corner <- box$corner %||% (box_corner * box$height / box_height)
  angle <- seq(0, pi / 2, length.out = 7L)
  turn <- function(quarter) quarter * pi / 2 + angle
  angles <- c(turn(0), turn(1), turn(2), turn(3))
  right <- rep(c(1, -1, -1, 1), each = length(angle))
  up <- rep(c(1, 1, -1, -1), each = length(angle))
  cbind(
    box$x + right * (box$width / 2 - corner) + corner * cos(angles),
    box$y + up * (box$height / 2 - corner) + corner * sin(angles)
  )
}

# A list of point matrices as one data frame: id (place in the list), x, y.
stack_points <- function(shapes) {
  rows <- vapply(shapes, NROW, 0L)
  points <- do.call(rbind, c(list(matrix(0, 0L, 2L)), shapes))
  data.frame(id = rep(seq_along(shapes), rows), x = points[, 1L], y = points[, 2L],
             row.names = NULL)
}

# ---- words ---------------------------------------------------------------------

# The proof, or that there is none any more. NULL: a certificate that cannot be read.
certificate_status <- function(certificate) {
  if (!is_sealed(certificate)) return("the certificate was changed since it was made")
  if (isTRUE(certificate$valid)) return(proof_in_words(certificate))
  certificate$relation %||%
    "certificate no longer applies: the network was changed after it was learned"
}

# The same with the bound on the tree-width and the score, for the picture of a network; NULL when
# it bears no certificate.
certificate_line <- function(x) {
  if (!has_certificate(x)) return(NULL)
  record <- readable_certificate(x)
  if (is.null(record) || !record$valid) return(certificate_status(record))
  width <- format_treewidth(record, proof = FALSE)
  paste(c(certificate_status(record), if (!is.null(width)) paste("tree-width", width),
          paste("score", format_score(record))), collapse = "; ")
}
