# Pictures of density models: trees of cuts with the trees at their leaves, Chow-Liu
# and latent trees, the components of mixtures and in what they differ.
#
# A picture has `lines`, `shapes` and `texts`, as in plot-local-geometry.R, and is drawn by
# the same code.
#
# A tree of cuts grows to the right, where the names of variables and levels can be
# read, and every leaf has a row of its own: so no two texts can meet, however deep
# the tree. Where rows are high enough, leaves show their trees. Lengths are inches
# at scale 1.

leaf_row <- 0.185
highest_leaf_row <- 1 # of leaves that do not show their trees
cut_padding <- 0.16 # beside the name of a variable, both sides together
stem_length <- 0.14 # from a cut to the bar at which its branches begin
branch_gap <- 0.05 # before and after what a branch bears
longest_stem <- 0.5 # how far places may be drawn apart
longest_name <- 12 # in em; what is longer is shortened
least_panel <- c(1.1, 0.62) # of a leaf that shows its tree, width and height
panel_margin <- c(0.08, 0.05)
panel_title <- 0.17
nearly_all <- 0.995 # of the weights of a mixture; components beyond are not shown by themselves
most_bars <- 30L # components that are shown
most_differing <- 12L # in which they differ
highest_bar <- 0.26 # of a row, where there is more to draw below
most_bar <- 0.6 # of a row
widest_cell <- 0.45
least_component <- 1.6 # height for the heaviest component
component_title <- 0.3

# `region`: width and height in inches.
density_picture <- function(model, region) UseMethod("density_picture")

#' @export
density_picture.optbn_cutset_network <- function(model, region) {
  if (!has_cuts(model$components[[1L]])) return(NextMethod())
  cuts_picture(model, region)
}

# The line below the title.
density_line <- function(model) {
  learning <- model$learning
  body <- model$components[[1L]]
  cuts <- sum(body$cut > 0L)
  leaves <- length(body$members)
  hidden <- hidden_members(body)
  parts <- c(
    if (inherits(model, "optbn_cutset_network") && cuts > 0L) {
      cli::format_inline("{cuts} cut{?s}, {leaves} {cli::qty(leaves)}lea{?f/ves}")
    },
    if (inherits(model, "optbn_latent_tree")) cli::format_inline("{hidden} hidden one{?s}"),
    if (length(model$given)) {
      paste("given", first_few(paste(names(model$given), "=", unlist(model$given))))
    },
    cli::format_inline("{format_count(free_parameters(model))} parameters"),
    if (length(learning$log_likelihood)) {
      paste("log-likelihood", format(learning$log_likelihood / learning$n, digits = 4), "a row")
    }
  )
  paste(parts, collapse = "; ")
}

# ---- Chow-Liu trees and latent trees -------------------------------------------------------------

#' @export
density_picture.optbn_density <- function(model, region) {
  members <- named_members(model)
  hidden <- any(members$variable == 0L)
  foot <- if (hidden) caption_room else 0
  placed <- place_members(members, region - c(0, foot))
  picture <- moved(members_picture(members, placed), 0, foot)
  if (hidden) {
    picture$texts <- rbind(
      picture$texts,
      texts(region[1L] / 2, 0.1, "orange: hidden variables", most_points[["value"]],
            colour = "grey30")
    )
  }
  picture
}

# The larger of the trees that grow down and to the right, with names in full unless these would set
# it in smaller type. `members`: of named_members(), those of one leaf.
place_members <- function(members, region) {
  tree <- list(parent = members$parent, size = rep(1, nrow(members)))
  short <- shortened(members$name, longest_name * name_points / 72, name_points)
  choices <- expand.grid(rightwards = c(FALSE, TRUE), full = c(TRUE, FALSE))
  placed <- Map(function(rightwards, full) {
    labels <- lapply(if (full) members$name else short, function(label) c(new = label))
    place_bags(tree, labels, rightwards, region)
  }, choices$rightwards, choices$full)
  placed[[which.max(vapply(placed, function(one) min(one$scale, 1), 0))]]
}

members_picture <- function(members, placed) {
  bags <- placed$bags
  corner <- pmin(box_corner * placed$scale, bags$height / 3, bags$width / 3)
  outlines <- lapply(seq_len(nrow(bags)), function(i) {
    rounded_box(c(bags[i, ], corner = corner[i]))
  })
  fill <- ifelse(members$variable == 0L, kind_fills[["tree"]], box_fill)
  list(
    lines = placed$lines,
    shapes = polygons(outlines, fill, box_border, min(1, max(0.4, placed$scale))),
    texts = bag_texts(bags, placed)
  )
}

moved <- function(picture, right, up) {
  lapply(picture, function(part) {
    part$x <- part$x + right
    part$y <- part$y + up
    part
  })
}

# ---- trees of cuts -------------------------------------------------------------------------------

cuts_picture <- function(model, region) {
  tree <- cut_tree(model)
  room <- region - c(0, caption_room)
  placed <- place_cuts(tree, room, highest = Inf)
  trees <- leaf_trees(model, placed, room)
  if (is.null(trees)) placed <- place_cuts(tree, room, highest = highest_leaf_row)
  parts <- list(cut_boxes(placed), branches_picture(placed),
                if (is.null(trees)) leaf_boxes(placed) else leaf_panels(placed, trees, room))
  gather <- function(what) bind_parts(lapply(parts, `[[`, what))
  label <- paste0("on branches: a level and its probability; ",
                  "at leaves: number, variables of the tree, probability of the leaf")
  picture <- moved(lapply(set_names(c("lines", "shapes", "texts")), gather), 0, caption_room)
  picture$texts <- rbind(
    picture$texts,
    texts(region[1L] / 2, 0.1, label, fitting_size(text_em(label), region[1L], 1, "value"),
          colour = "grey30")
  )
  c(picture, list(places = placed$places, trees = !is.null(trees)))
}

# body_places() with what is written at each place: its `label`, and that of the `branch` to it.
# Then `rows`: how many leaves are below a place, and `row`, the first of theirs, from 0.
cut_tree <- function(model) {
  body <- model$components[[1L]]
  places <- body_places(body, lengths(model$levels))
  cut <- places$cut > 0L
  places$label[cut] <- shortened(model$nodes[places$cut], longest_name * name_points / 72,
                                 name_points)
  places$label[!cut] <- leaf_labels(places, body)
  places$branch <- ""
  below <- which(places$above > 0L)
  levels <- mapply(function(variable, level) model$levels[[variable]][level],
                   places$cut[places$above[below]], places$level[below])
  size <- most_points[["label"]]
  levels <- shortened(levels, longest_name * size / 72, size)
  places$branch[below] <- paste0(levels, ": ", format_share(places$weight[below]))

  places$rows <- as.integer(!cut)
  for (place in rev(below)) {
    above <- places$above[place]
    places$rows[above] <- places$rows[above] + places$rows[place]
  }
  places$row <- 0L
  for (above in which(cut)) {
    children <- which(places$above == above)
    before <- cumsum(c(0L, places$rows[children]))
    places$row[children] <- places$row[above] + before[seq_along(children)]
  }
  places
}

leaf_labels <- function(places, body) {
  leaves <- places[!is.na(places$leaf), ]
  variables <- body$members[leaves$leaf]
  paste0(leaves$leaf, ": ", variables, ifelse(variables == 1L, " var, ", " vars, "),
         format_share(leaves$reach))
}

format_share <- function(share) {
  percent <- paste0(vapply(100 * share, format, "", digits = 2), "%")
  replace(percent, share > 0 & share < 1e-4, "<0.01%")
}

# Where everything stands: `places` with `left`, `right` and `y`, `branch_left`, and `bar` of a cut,
# from which its branches start; `scale` of the texts and `row`, the height of a leaf's, at most
# `highest`.
place_cuts <- function(places, room, highest) {
  leaf <- !is.na(places$leaf)
  size <- ifelse(leaf, most_points[["label"]], name_points)
  width <- text_em(places$label) * size / 72 + cut_padding
  branch <- text_em(places$branch) * most_points[["label"]] / 72
  below <- which(places$above > 0L)
  widest <- numeric(nrow(places)) # of the branches of each cut
  for (place in below) {
    widest[places$above[place]] <- max(widest[places$above[place]], branch[place])
  }
  left <- numeric(nrow(places))
  step <- stem_length + 2 * branch_gap
  for (place in below) {
    above <- places$above[place]
    left[place] <- left[above] + width[above] + step + widest[above]
  }
  leaves <- sum(leaf)
  scale <- min(room / c(max(left + width), leaves * leaf_row), most_enlarged)
  spare <- room[1L] - scale * max(left + width)
  stem <- min(spare / max(places$depth), longest_stem)
  row <- min(room[2L] / leaves, highest)
  top <- (room[2L] + leaves * row) / 2

  places$left <- scale * left + stem * places$depth
  places$right <- places$left + scale * width
  places$bar <- places$right + stem + scale * stem_length
  places$branch_left <- places$left - scale * (branch_gap + widest[pmax(places$above, 1L)])
  places$y <- cut_heights(places, row, top)
  list(places = places, scale = scale, row = row)
}

# A leaf in the middle of its row, a cut between the first and the last of its children.
cut_heights <- function(places, row, top) {
  y <- top - row * (places$row + 0.5)
  for (above in rev(which(places$cut > 0L))) y[above] <- mean(range(y[places$above == above]))
  y
}

cut_boxes <- function(placed) {
  cuts <- placed$places[placed$places$cut > 0L, ]
  height <- min(placed$scale * 0.2, placed$row * 0.92)
  outlines <- lapply(seq_len(nrow(cuts)), function(i) {
    box_outline(list(x = (cuts$left[i] + cuts$right[i]) / 2, y = cuts$y[i],
                     width = cuts$right[i] - cuts$left[i], height = height))
  })
  list(shapes = polygons(outlines, box_fill, box_border, min(1, max(0.4, placed$scale))),
       texts = texts((cuts$left + cuts$right) / 2, cuts$y, cuts$label, placed$scale * name_points))
}

# From each cut a stem and a bar, and from the bar to what each branch bears.
branches_picture <- function(placed) {
  places <- placed$places
  below <- places[places$above > 0L, ]
  above <- places[below$above, ]
  gap <- 0.6 * placed$scale * branch_gap
  cuts <- which(places$cut > 0L)
  bars <- lapply(cuts, function(cut) range(places$y[places$above == cut]))
  lines <- c(
    Map(function(cut, bar) {
      list(rbind(c(places$right[cut], places$y[cut]), c(places$bar[cut], places$y[cut])),
           cbind(places$bar[cut], bar))
    }, cuts, bars),
    list(Map(function(from, to, y) rbind(c(from, y), c(to, y)), above$bar,
             below$branch_left - gap, below$y))
  )
  list(
    lines = stack_points(unlist(lines, recursive = FALSE)),
    texts = texts(below$branch_left, below$y, below$branch,
                  placed$scale * most_points[["label"]], align = 0, colour = "grey20")
  )
}

leaf_boxes <- function(placed) {
  leaves <- placed$places[!is.na(placed$places$leaf), ]
  half <- min(placed$scale * 0.09, placed$row * 0.46)
  list(
    shapes = rectangles(leaves$left, leaves$right, leaves$y - half, leaves$y + half, panel_fill,
                        panel_border, min(0.8, max(0.3, placed$scale))),
    texts = texts((leaves$left + leaves$right) / 2, leaves$y, leaves$label,
                  placed$scale * most_points[["label"]])
  )
}

# The trees of all leaves, each placed in the room that its panel has; NULL unless all can be read.
leaf_trees <- function(model, placed, room) {
  leaves <- leaf_panels_of(placed, room)
  size <- cbind(leaves$right - leaves$left, leaves$top - leaves$bottom)
  if (any(t(size) < least_panel)) return(NULL)
  members <- named_members(model)
  trees <- lapply(seq_len(nrow(leaves)), function(i) {
    here <- members[members$leaf == leaves$leaf[i], ]
    here$parent <- match(here$above, here$name, nomatch = 0L)
    list(members = here,
         placed = place_members(here, size[i, ] - 2 * panel_margin - c(0, panel_title)))
  })
  if (all(vapply(trees, function(tree) is_readable(tree$placed), NA))) trees
}

# Panels reach from where the leaf begins to the edge of the picture.
leaf_panels_of <- function(placed, room) {
  leaves <- placed$places[!is.na(placed$places$leaf), ]
  half <- 0.46 * placed$row
  data.frame(leaf = leaves$leaf, label = leaves$label, left = leaves$left, right = room[1L],
             bottom = leaves$y - half, top = leaves$y + half)
}

leaf_panels <- function(placed, trees, room) {
  panels <- leaf_panels_of(placed, room)
  pictures <- lapply(seq_along(trees), function(i) {
    moved(members_picture(trees[[i]]$members, trees[[i]]$placed), panels$left[i] + panel_margin[1L],
          panels$bottom[i] + panel_margin[2L])
  })
  gather <- function(what) bind_parts(lapply(pictures, `[[`, what))
  list(
    lines = gather("lines"),
    shapes = bind_parts(list( # not filled: lines are drawn before shapes
      rectangles(panels$left, panels$right, panels$bottom, panels$top, NA_character_,
                 panel_border, 0.8),
      gather("shapes")
    )),
    texts = rbind(
      gather("texts"),
      texts(panels$left + panel_margin[1L], panels$top - panel_margin[2L] - panel_title / 2,
            panels$label, most_points[["label"]] - 1, align = 0, colour = "grey20")
    )
  )
}

# ---- mixtures ------------------------------------------------------------------------------------

# A row for each component, the heaviest on top: its weight as a bar, and in what it differs from
# the others, the probabilities of some levels in it. Below, where it can be read, the heaviest
# component itself.
#' @export
density_picture.optbn_mixture <- function(model, region) {
  rows <- shown_components(model)
  columns <- level_columns(model, rows$component, longest = 0.3 * region[2L])
  head <- if (nrow(columns$levels)) max(columns$head) + 0.06 else 0
  free <- region[2L] - caption_room - head
  least <- nrow(rows) * highest_bar
  heaviest <- heaviest_picture(model, rows$component[1L], c(region[1L], free - least))
  below <- if (is.null(heaviest)) 0 else free - least
  row <- (free - below) / nrow(rows)
  size <- min(most_points[["label"]], 72 * 0.75 * row)
  row <- min(row, most_bar)
  frame <- mixture_frame(rows, columns, region, size)
  y <- region[2L] - head - row * (seq_len(nrow(rows)) - 0.5)
  foot <- min(y) - row / 2 - caption_room / 2
  parts <- list(weight_bars(rows, frame, y, row, size),
                level_cells(columns, frame, y, row, size),
                mixture_caption(model, rows, columns, region, foot), heaviest)
  gather <- function(what) bind_parts(lapply(parts, `[[`, what))
  picture <- lapply(set_names(c("lines", "shapes", "texts")), gather)
  picture$lines <- picture$lines %||% no_lines
  c(picture, list(rows = rows, levels = columns$levels, heaviest = below > 0))
}

# A component with its title above it; NULL where most of it could not be read.
heaviest_picture <- function(model, component, region) {
  if (region[2L] < least_component) return(NULL)
  heaviest <- mixture_component(model, component)
  picture <- density_picture(heaviest, region - c(0, component_title))
  readable <- picture$texts$size >= least_points
  if (sum(readable) <= sum(!readable)) return(NULL)
  title <- paste0("component ", component, ": ", component_in_words(heaviest$components[[1L]]))
  picture$texts <- rbind(
    picture$texts,
    texts(region[1L] / 2, region[2L] - component_title / 2, title, name_points)
  )
  picture[c("lines", "shapes", "texts")]
}

# The heaviest ones that weigh nearly all together; the rest, if any, is a row without a number.
shown_components <- function(model) {
  order <- order(-model$weights)
  weight <- model$weights[order]
  count <- min(sum(cumsum(weight) - weight < nearly_all), most_bars)
  kinds <- vapply(model$components[order[seq_len(count)]], component_in_words, "")
  rows <- data.frame(component = order[seq_len(count)], weight = weight[seq_len(count)],
                     label = paste("component", order[seq_len(count)]),
                     words = paste(format_share(weight[seq_len(count)]), "", kinds))
  left <- length(order) - count
  if (left == 0L) return(rows)
  rest <- sum(weight[-seq_len(count)])
  rbind(rows, data.frame(component = NA, weight = rest, label = cli::format_inline("{left} more"),
                         words = paste(format_share(rest), "together")))
}

# The levels whose probabilities differ most between the components, at most one of a variable:
# `levels` (variable, level, label), `prob` with a row for each component, and the room that each
# `head` needs, at most the `longest`.
level_columns <- function(model, components, longest = 1.5) {
  components <- components[!is.na(components)]
  none <- list(levels = data.frame(variable = integer(), level = integer(), label = character()))
  if (length(components) < 2L) return(none)
  weight <- model$weights[components] / sum(model$weights[components])
  marginals <- lapply(components, function(i) query(mixture_component(model, i)))
  found <- lapply(seq_along(model$nodes), function(v) {
    prob <- do.call(rbind, lapply(marginals, function(one) as.vector(one[[model$nodes[v]]])))
    spread <- colSums(weight * sweep(prob, 2L, colSums(weight * prob))^2)
    level <- length(spread) + 1L - which.max(rev(spread)) # of two the second
    list(variable = v, level = level, spread = spread[level], prob = prob[, level])
  })
  spread <- vapply(found, `[[`, 0, "spread")
  found <- found[utils::head(order(-spread), min(most_differing, sum(spread > 1e-4)))]
  if (length(found) == 0L) return(none)
  names <- model$nodes[vapply(found, `[[`, 0L, "variable")]
  levels <- data.frame(variable = vapply(found, `[[`, 0L, "variable"),
                       level = vapply(found, `[[`, 0L, "level"))
  label <- mapply(function(variable, level) model$levels[[variable]][level], levels$variable,
                  levels$level)
  label[is.na(label)] <- "NA"
  size <- most_points[["label"]]
  label <- paste(" =", shortened(label, 0.35 * longest, size))
  room <- longest - text_em(label) * size / 72
  levels$label <- paste0(unlist(Map(shortened, names, room, size)), label)
  list(levels = levels, prob = do.call(cbind, lapply(found, `[[`, "prob")),
       head = text_em(levels$label) * size / 72)
}

# From left to right: labels, bars, words, cells.
mixture_frame <- function(rows, columns, region, size) {
  em <- size / 72
  left <- max(text_em(rows$label)) * em + 0.1
  words <- max(text_em(rows$words)) * em + 0.17
  across <- max(region[1L] - left - words, 0.2 * region[1L])
  cells <- nrow(columns$levels)
  cell <- if (cells > 0L) min(0.7 * across / cells, widest_cell) else 0
  list(left = left, longest = across - cells * cell, cell = cell,
       cells = region[1L] - cell * rev(seq_len(cells) - 0.5))
}

weight_bars <- function(rows, frame, y, row, size) {
  alone <- !is.na(rows$component)
  end <- frame$left + alone * frame$longest * rows$weight / max(rows$weight[alone])
  half <- 0.38 * min(row, highest_bar)
  list(
    shapes = rectangles(rep(frame$left, sum(alone)), end[alone], y[alone] - half, y[alone] + half,
                        bar_fill[["other"]], NA, 1),
    texts = rbind(
      texts(frame$left - 0.07, y, rows$label, size, align = 1),
      texts(end + 0.07, y, rows$words, size, align = 0, colour = "grey30")
    )
  )
}

# The share in a cell, unless cells are too narrow for it.
level_cells <- function(columns, frame, y, row, size) {
  if (nrow(columns$levels) == 0L) return(NULL)
  prob <- columns$prob
  rows <- nrow(prob)
  x <- rep(frame$cells, each = rows)
  at <- rep(y[seq_len(rows)], length(frame$cells))
  half <- 0.46 * min(c(row, 1.6 * highest_bar))
  number <- sub("0.", ".", formatC(as.vector(prob), digits = 2, format = "f"), fixed = TRUE)
  size <- min(size, most_points[["value"]], 72 * 0.9 * frame$cell / 2.2)
  head_size <- min(most_points[["label"]], 72 * 0.9 * frame$cell)
  list(
    shapes = rectangles(x - 0.46 * frame$cell, x + 0.46 * frame$cell, at - half, at + half,
                        heat_colour(as.vector(prob)), NA, 1),
    texts = rbind(
      texts(x, at, if (size >= least_points) number else "", size,
            colour = ifelse(as.vector(prob) > 0.5, "white", "grey20")),
      texts(frame$cells, max(y) + row / 2 + 0.05, columns$levels$label, head_size, align = 0,
            angle = 90, colour = "grey20")
    )
  )
}

mixture_caption <- function(model, rows, columns, region, y) {
  label <- paste(c(
    if (anyNA(rows$component)) paste("the heaviest of", length(model$weights), "components") else
      "the components by weight",
    if (nrow(columns$levels)) "on the right: probabilities that differ most between them"
  ), collapse = "; ")
  list(texts = texts(region[1L] / 2, y, label,
                     fitting_size(text_em(label), region[1L], 1, "value"), colour = "grey30"))
}

component_in_words <- function(body) {
  cuts <- sum(body$cut > 0L)
  paste0(body_kind(body), if (cuts > 0L) cli::format_inline(", {cuts} cut{?s}"))
}
