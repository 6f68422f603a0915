# Layout: where the nodes of a network stand in a picture, and the way its arcs
# take between them.
#
# Layers of nodes from top to bottom, every arc pointing down (Sugiyama, Tagawa
# and Toda 1981, doi:10.1109/TSMC.1981.4308636). Four steps: layers so that arcs
# are short; an arc that spans several layers gets a bend in each between, so
# that it finds a free lane past the boxes; the order within a layer so that few
# arcs cross; horizontal places so that arcs run straight. Parts that no arc
# joins are laid out one by one and packed side by side.
#
# Nothing is random, and no other package is needed: the same network gives the
# same picture everywhere. Lengths are inches at the nominal size of text; who
# draws scales the whole.

box_height <- 0.28
column_gap <- 0.16
layer_gap <- 0.62
arc_tension <- 0.5 # the weight of an arc's length beside its bending, in steps of a layer
wide_layer <- 9 # from here on a layer is broken in two

# `parents`: list of node numbers, acyclic; `width` of each node's box.
# Value: `x` and `y` (upwards) of the nodes; `arcs`, node numbers from and to, one
# row an arc; `bends`: for each arc a matrix of the points between its ends; and
# the `width` of the whole.
layered_layout <- function(parents, width) {
  arcs <- parents_to_arcs(parents)
  part <- connected_parts(length(parents), arcs)
  placed <- lapply(seq_len(max(part)), function(p) {
    inside <- which(part == p)
    mine <- arcs[part[arcs[, 2L]] == p, , drop = FALSE]
    layout_part(matrix(match(mine, inside), ncol = 2L), width[inside])
  })
  corner <- pack_boxes(
    vapply(placed, function(part) part$width, 0),
    vapply(placed, function(part) -min(part$y), 0)
  )
  x <- y <- numeric(length(parents))
  bends <- vector("list", nrow(arcs))
  for (p in seq_along(placed)) {
    x[part == p] <- placed[[p]]$x + corner$x[p]
    y[part == p] <- placed[[p]]$y + corner$y[p]
    bends[part[arcs[, 2L]] == p] <- lapply(placed[[p]]$bends, function(points) {
      sweep(points, 2L, c(corner$x[p], corner$y[p]), "+")
    })
  }
  list(x = x, y = y, arcs = arcs, bends = bends, width = corner$width)
}

parents_to_arcs <- function(parents) {
  cbind(as.integer(unlist(parents)), rep(seq_along(parents), lengths(parents)))
}

# The number of each node's weakly connected part, counted in the nodes' order.
connected_parts <- function(n, arcs) {
  part <- seq_len(n)
  for (i in seq_len(nrow(arcs))) {
    ends <- part[arcs[i, ]]
    part[part == max(ends)] <- min(ends)
  }
  match(part, unique(part))
}

# One connected part: leftmost border at 0, top layer at 0.
layout_part <- function(arcs, width) {
  n <- length(width)
  layer <- break_wide_layers(assign_layers(n, arcs), arcs, width + column_gap)
  graph <- with_bends(layer, arcs)
  graph$width <- c(width, rep(0, length(graph$layer) - n))
  x <- straighten(graph, order_layers(graph))
  x <- x - min(x - graph$width / 2)
  y <- (1 - graph$layer) * layer_gap
  list(
    x = x[seq_len(n)],
    y = y[seq_len(n)],
    width = max(x + graph$width / 2),
    bends = lapply(graph$chains, function(chain) cbind(x[chain], y[chain]))
  )
}

# Layers from 1, so that arcs are short: first each node as high as it can be,
# then nodes, and groups of nodes whose arcs join neighbouring layers, move as a
# whole to where their other arcs draw them. Every move makes the sum of all
# lengths smaller, so there is an end.
assign_layers <- function(n, arcs) {
  parents <- unname(split(arcs[, 1L], factor(arcs[, 2L], seq_len(n))))
  layer <- rep(1L, n)
  for (v in topological_order(parents)) layer[v] <- max(0L, layer[parents[[v]]]) + 1L
  repeat {
    before <- layer
    for (v in seq_len(n)) layer <- move_group(layer, arcs, seq_len(n) == v)
    tight <- arcs[layer[arcs[, 2L]] == layer[arcs[, 1L]] + 1L, , drop = FALSE]
    group <- connected_parts(n, tight)
    for (g in seq_len(max(group))) layer <- move_group(layer, arcs, group == g)
    if (identical(layer, before)) return(layer - min(layer) + 1L)
  }
}

# Down when more arcs leave the group than enter it, up when fewer, as far as the
# shortest of these arcs allows.
move_group <- function(layer, arcs, group) {
  leaves <- group[arcs[, 1L]] & !group[arcs[, 2L]]
  enters <- !group[arcs[, 1L]] & group[arcs[, 2L]]
  pull <- sum(leaves) - sum(enters)
  if (pull == 0L) return(layer)
  room <- (layer[arcs[, 2L]] - layer[arcs[, 1L]] - 1L)[if (pull > 0L) leaves else enters]
  layer[group] <- layer[group] + as.integer(sign(pull)) * min(room)
  layer
}

# A picture much wider than high would be set in very small type: the widest
# layer is broken in two, nodes with more children than parents going below,
# until all are narrow enough or the picture is about half as wide again as high.
break_wide_layers <- function(layer, arcs, width) {
  n <- length(layer)
  limit <- max(wide_layer, sqrt(1.5 * 2 * sum(width) * layer_gap))
  pull <- tabulate(arcs[, 1L], n) - tabulate(arcs[, 2L], n)
  repeat {
    widths <- rowsum(width, layer)
    widest <- which.max(widths)
    inside <- which(layer == widest)
    if (widths[widest] <= limit || length(inside) < 2L) return(layer)
    below <- inside[order(-pull[inside])][seq_len(length(inside) %/% 2L)]
    layer[layer > widest] <- layer[layer > widest] + 1L
    layer[below] <- layer[below] + 1L
  }
}

# The graph with a vertex for each bend, so that every link joins neighbouring
# layers; vertices beyond the n nodes are bends, `chains` those of each arc.
with_bends <- function(layer, arcs) {
  links <- NULL
  chains <- vector("list", nrow(arcs))
  for (i in seq_len(nrow(arcs))) {
    from <- arcs[i, 1L]
    to <- arcs[i, 2L]
    between <- seq_len(layer[to] - layer[from] - 1L)
    chains[[i]] <- length(layer) + between
    path <- c(from, chains[[i]], to)
    links <- rbind(links, cbind(path[-length(path)], path[-1L]))
    layer <- c(layer, layer[from] + between)
  }
  m <- length(layer)
  links <- links %||% matrix(0L, 0L, 2L)
  list(
    layer = layer, chains = chains, links = links,
    above = unname(split(links[, 1L], factor(links[, 2L], seq_len(m)))),
    below = unname(split(links[, 2L], factor(links[, 1L], seq_len(m))))
  )
}

# Rank of every vertex within its layer, for few crossings: layers are sorted by
# the mean rank of their neighbours above, then below, and so on; neighbours are
# exchanged while that removes crossings; the best order met is kept.
order_layers <- function(graph) {
  layers <- split(seq_along(graph$layer), graph$layer)
  best <- rank <- depth_first_ranks(graph)
  fewest <- crossings(graph, rank)
  for (sweep in seq_len(24L)) {
    down <- sweep %% 2L == 1L
    near <- if (down) graph$above else graph$below
    for (layer in if (down) layers[-1L] else rev(layers)[-1L]) {
      target <- vapply(layer, function(v) mean(rank[near[[v]]]), 0)
      target[is.nan(target)] <- rank[layer][is.nan(target)]
      tie <- if (sweep %% 4L < 2L) rank[layer] else -rank[layer]
      rank[layer[order(target, tie)]] <- seq_along(layer)
    }
    rank <- exchange_neighbours(graph, layers, rank)
    count <- crossings(graph, rank)
    if (count < fewest) {
      best <- rank
      fewest <- count
    }
    if (fewest == 0) break
  }
  best
}

# To begin with: in the order in which a depth-first walk along the links, either
# way, meets the vertices.
depth_first_ranks <- function(graph) {
  met <- integer()
  seen <- logical(length(graph$layer))
  stack <- order(graph$layer)
  while (length(stack) > 0L) {
    v <- stack[1L]
    stack <- stack[-1L]
    if (seen[v]) next
    seen[v] <- TRUE
    met <- c(met, v)
    stack <- c(graph$below[[v]], graph$above[[v]], stack)
  }
  rank <- integer(length(graph$layer))
  for (layer in split(met, graph$layer[met])) rank[layer] <- seq_along(layer)
  rank
}

crossings <- function(graph, rank) {
  top <- rank[graph$links[, 1L]]
  bottom <- rank[graph$links[, 2L]]
  sum(vapply(split(seq_along(top), graph$layer[graph$links[, 1L]]), function(i) {
    sum(outer(top[i], top[i], "<") & outer(bottom[i], bottom[i], ">"))
  }, 0))
}

# Layer by layer, neighbours change places as long as their links cross less so.
exchange_neighbours <- function(graph, layers, rank) {
  for (layer in layers) {
    layer <- layer[order(rank[layer])]
    cross <- crossing_matrix(graph$above[layer], rank) + crossing_matrix(graph$below[layer], rank)
    order <- seq_along(layer)
    i <- 1L
    while (i < length(order)) {
      left <- order[i]
      right <- order[i + 1L]
      if (cross[left, right] > cross[right, left]) {
        order[c(i, i + 1L)] <- c(right, left)
        i <- max(1L, i - 1L)
      } else {
        i <- i + 1L
      }
    }
    rank[layer[order]] <- seq_along(layer)
  }
  rank
}

# How often the links of a and b to one neighbouring layer cross when a stands left
# of b: the pairs of a neighbour of a with a neighbour of b further left.
crossing_matrix <- function(near, rank) {
  ranks <- rank[unlist(near)]
  linked <- matrix(0, length(near), max(ranks, 0L))
  linked[cbind(rep(seq_along(near), lengths(near)), ranks)] <- 1
  further_left <- linked %*% upper.tri(diag(ncol(linked)))
  tcrossprod(linked, further_left)
}

# Horizontal places: layer by layer each vertex is drawn to the mean of its
# neighbours - strongly along the bends of one arc, which so runs straight -, as
# near as the boxes beside it allow. "As near as" is least squares over places
# in a given order: isotonic regression, once the boxes' widths are taken off.
# Then the nodes stay, and bends move to where their arcs have no corners.
straighten <- function(graph, rank) {
  bend <- seq_along(graph$layer) > length(graph$layer) - length(unlist(graph$chains))
  layers <- lapply(split(seq_along(graph$layer), graph$layer), function(v) v[order(rank[v])])
  offset <- lapply(layers, function(v) {
    room <- graph$width[v] / 2
    bends <- bend[v[-1L]] + bend[v[-length(v)]]
    gap <- c(column_gap, (column_gap + arc_gap) / 2, arc_gap)[1L + bends]
    cumsum(c(0, room[-1L] + room[-length(v)] + gap))
  })
  x <- numeric(length(graph$layer))
  for (l in seq_along(layers)) x[layers[[l]]] <- offset[[l]] - mean(offset[[l]])
  near <- Map(c, graph$above, graph$below)
  pull <- Map(function(v, others) c(1, 4, 24)[1L + bend[v] + bend[others]],
              seq_along(near), near)
  down <- seq_along(layers)
  for (l in rep(c(down, rev(down)), 30L)) {
    v <- layers[[l]]
    wanted <- vapply(v, function(i) sum(pull[[i]] * x[near[[i]]]) / sum(pull[[i]]), 0)
    wanted[is.nan(wanted)] <- x[v][is.nan(wanted)]
    weight <- vapply(pull[v], sum, 0)
    x[v] <- isotonic(wanted - offset[[l]], pmax(weight, 1)) + offset[[l]]
  }
  chain <- bend_neighbours(graph)
  for (l in rep(c(down, rev(down)), if (any(bend)) 30L else 0L)) {
    v <- layers[[l]]
    wanted <- ifelse(bend[v], smoothest(x, chain[v, , drop = FALSE]), x[v])
    weight <- ifelse(bend[v], 1, 1e6)
    x[v] <- isotonic(wanted - offset[[l]], weight) + offset[[l]]
  }
  x
}

# The two vertices above each bend and the two below on its arc, NA beyond the ends of the arc;
# a row a vertex.
bend_neighbours <- function(graph) {
  near <- matrix(NA_integer_, length(graph$layer), 4L)
  for (chain in graph$chains[lengths(graph$chains) > 0L]) {
    k <- length(chain)
    whole <- c(NA, graph$above[[chain[1L]]], chain, graph$below[[chain[k]]], NA)
    at <- 2L + seq_len(k)
    near[chain, ] <- cbind(whole[at - 2L], whole[at - 1L], whole[at + 1L], whole[at + 2L])
  }
  near
}

# Where the squared first and second differences along an arc are least, all others staying: a rod
# that is pulled at its ends.
smoothest <- function(x, near) {
  above <- x[near[, 2L]]
  below <- x[near[, 3L]]
  on_line <- function(beyond, next_one) {
    ifelse(is.na(beyond), 0, 2 * next_one - x[beyond]) # the line through the two goes on
  }
  weight <- 6 + 2 * arc_tension - is.na(near[, 1L]) - is.na(near[, 4L])
  bent <- on_line(near[, 1L], above) + on_line(near[, 4L], below)
  ((2 + arc_tension) * (above + below) + bent) / weight
}

# Weighted isotonic regression by pooling adjacent violators.
isotonic <- function(y, weight) {
  value <- total <- numeric(length(y))
  size <- integer(length(y))
  k <- 0L
  for (i in seq_along(y)) {
    k <- k + 1L
    value[k] <- y[i]
    total[k] <- weight[i]
    size[k] <- 1L
    while (k > 1L && value[k - 1L] >= value[k]) {
      pooled <- total[k - 1L] + total[k]
      value[k - 1L] <- (total[k - 1L] * value[k - 1L] + total[k] * value[k]) / pooled
      total[k - 1L] <- pooled
      size[k - 1L] <- size[k - 1L] + size[k]
      k <- k - 1L
    }
  }
  rep.int(value[seq_len(k)], size[seq_len(k)])
}

# Parts of the picture side by side, tallest first, low ones below one another where a row has room
# for them. The rows are as long as lets the whole be drawn largest on a page half as wide again as
# high.
pack_boxes <- function(width, height) {
  gap <- 2 * column_gap
  width <- width + gap
  height <- height + layer_gap
  order <- order(-height, -width, seq_along(height))
  limits <- unique(pmax(cumsum(width[order]), max(width)))
  packed <- lapply(limits, pack_rows, width = width, height = height, order = order)
  extent <- vapply(packed, function(one) max(one$width / 1.5, one$height), 0)
  best <- packed[[which.min(extent)]]
  list(x = best$x, y = best$y, width = best$width - gap)
}

# A row is as high as its first box, a column as wide; both are filled from the top.
pack_rows <- function(limit, width, height, order) {
  x <- y <- numeric(length(width))
  left <- right <- top <- row_height <- filled <- 0
  for (i in order) {
    if (width[i] > right - left + 1e-9 || filled + height[i] > row_height + 1e-9) {
      left <- right
      if (left > 0 && left + width[i] > limit + 1e-9) {
        top <- top - row_height
        left <- 0
      }
      if (left == 0) row_height <- height[i]
      right <- left + width[i]
      filled <- 0
    }
    x[i] <- left
    y[i] <- top - filled
    filled <- filled + height[i]
  }
  list(x = x, y = y, width = max(x + width), height = row_height - top)
}
