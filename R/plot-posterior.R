# Pictures of probabilities of arcs, and of effects: a matrix with a cell for each pair of nodes.

#' Pictures of Probabilities of Arcs, and of Effects
#'
#' Draws a matrix with a cell for each pair of nodes. The cell shows the probability of the arc from
#' the node of the row to the node of the column, or the posterior mean of the effect of the first
#' on the second. The darker the cell, the larger the probability or the absolute effect; positive
#' effects are blue, and negative ones orange. With at most 15 nodes, the cell contains the number.
#' With many nodes, only every second or third name is shown, so that it is legible.
#'
#' Effects are standardised so that they are comparable. Effects on discrete columns are differences
#' of probabilities, and those on continuous columns are in standard deviations (for one standard
#' deviation of a continuous cause if effects come from regressions).
#'
#' @param x,object Probabilities of arcs from [arc_posterior()]; a [network_posterior()], or
#'   networks from [sample_dags()], whose probabilities of arcs are drawn; or effects from
#'   [causal_effects()].
#' @param main The title; `""` for none. `NULL` means a default title.
#' @param type `"matrix"`, or `"network"`: the arcs with a probability of at least `threshold` as a
#'   network, the wider and darker the more probable. Arcs that would close a cycle with more
#'   probable ones, which may happen with a threshold below one half, are left out.
#' @param threshold For `"network"`: the smallest probability of an arc that is shown, above 0 and
#'   at most 1.
#' @param ... For a posterior or sampled networks: `type` and `threshold`. Otherwise ignored.
#' @return `plot()` returns `x`, invisibly; `autoplot()` a ggplot object.
#' @section Errors: `optbn_error_argument` for a malformed argument.
#' @examples
#' arcs <- arc_posterior(attitude, "bge")
#' plot(arcs)
#' plot(arcs, type = "network", threshold = 0.25)
#'
#' plot(causal_effects(attitude, score = "bge"))
#' @name plot-posterior
NULL

#' @rdname plot-posterior
#' @export
plot.optbn_arcs <- function(x, main = NULL, type = c("matrix", "network"), threshold = 0.5, ...) {
  type <- check_choice(type, c("matrix", "network"), "type")
  threshold <- check_number(threshold, "threshold", above = 0, maximum = 1)
  main <- check_title(main %||% arcs_title(type, threshold))
  if (type == "matrix") {
    draw_matrix(tell_answer(x, arc_cells(x)), main)
  } else {
    draw_network(tell_answer(x, picture_of_arcs(x, threshold)), main, strength_line)
  }
  invisible(x)
}

arcs_title <- function(type, threshold) {
  if (type == "matrix") return("Probabilities of arcs")
  paste("Arcs with a probability of at least", format(threshold))
}

effects_title <- "Effects of interventions"

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_arcs <- function(object, main = NULL, type = c("matrix", "network"),
                                threshold = 0.5, ...) {
  type <- check_choice(type, c("matrix", "network"), "type")
  threshold <- check_number(threshold, "threshold", above = 0, maximum = 1)
  main <- check_title(main %||% arcs_title(type, threshold))
  if (type == "matrix") return(autoplot_matrix(tell_answer(object, arc_cells(object)), main))
  picture_on <- tell_answer(object, picture_of_arcs(object, threshold))
  picture_by_ggplot2(picture_on(c(6.8, 4.4)), main, strength_line)
}

#' @rdname plot-posterior
#' @export
plot.optbn_posterior <- function(x, main = NULL, ...) {
  plot(arc_posterior(x), main, ...)
  invisible(x)
}

#' @rdname plot-posterior
#' @export
plot.optbn_dags <- plot.optbn_posterior

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_posterior <- function(object, main = NULL, ...) {
  ggplot2::autoplot(arc_posterior(object), main, ...)
}

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_dags <- autoplot.optbn_posterior

#' @rdname plot-posterior
#' @export
plot.optbn_effects <- function(x, main = NULL, ...) {
  main <- check_title(main %||% effects_title)
  draw_matrix(tell_answer(x, effect_cells(x)), main)
  invisible(x)
}

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_effects <- function(object, main = NULL, ...) {
  main <- check_title(main %||% effects_title)
  autoplot_matrix(tell_answer(object, effect_cells(object)), main)
}

# ---- a network of the probable arcs --------------------------------------------------------------

# A list of a network and of the probabilities of its arcs. The most probable ones come first, and
# those are left out that would close a cycle, as may happen below one half.
acyclic_arcs <- function(x, threshold) {
  cells <- arc_cells(x)$cells
  cells <- cells[cells$value >= threshold, ]
  nodes <- attr(x, "nodes")
  parents <- rep(list(integer()), length(nodes))
  for (i in order(-cells$value)) {
    more <- replace(parents, cells$column[i],
                    list(sort(c(parents[[cells$column[i]]], cells$row[i]))))
    if (length(find_cycle(more)) == 0L) parents <- more
  }
  plain_network(list(nodes = nodes, parents = parents))
}

# A function of the region.
picture_of_arcs <- function(x, threshold) {
  network <- acyclic_arcs(x, threshold)
  strength <- check_strength(x, network)
  function(region) network_picture(network, NULL, NULL, region, strength = strength)
}

# ---- cells ---------------------------------------------------------------------------------------

# What is drawn: names of the rows and columns, the cells (row, column, value), the colours from the
# least of the `limits` to the largest, and what is written into a cell.

arc_cells <- function(x) {
  nodes <- attr(x, "nodes")
  table <- as.data.frame(x)
  demand("its rows are not arcs of its nodes" = is.character(nodes) &&
           all(c(table$from, table$to) %in% nodes) && is.numeric(table$probability) &&
           all(is.finite(table$probability)))
  matrix_of_cells(table, pmin(1, pmax(0, table$probability)), nodes, nodes, "probability", c(0, 1),
                  c("white", arc_colours[["whitelisted"]]))
}

effect_cells <- function(x) {
  check_sound(x)
  values <- comparable_effects(x)
  largest <- max(abs(values), 1e-300)
  matrix_of_cells(x$effects, values, intersect(x$nodes, x$effects$from),
                  intersect(x$nodes, x$effects$to), "effect", c(-largest, largest),
                  c(arc_colours[["highlighted"]], "white", arc_colours[["whitelisted"]]))
}

matrix_of_cells <- function(table, values, rows, columns, measure, limits, colours) {
  label <- sub("0.", ".", formatC(values, digits = 2, format = "f"), fixed = TRUE)
  cells <- data.frame(row = match(table$from, rows), column = match(table$to, columns),
                      value = values, label = ifelse(abs(values) < 0.005, "", label))
  list(rows = rows, columns = columns, cells = cells, measure = measure, limits = limits,
       colours = colours)
}

most_with_numbers <- 15L
has_numbers <- function(picture) {
  max(length(picture$rows), length(picture$columns)) <= most_with_numbers
}

ink <- function(picture) {
  ifelse(abs(picture$cells$value) > 0.7 * picture$limits[2L], "white", "black")
}

fills <- function(picture) {
  share <- (picture$cells$value - picture$limits[1L]) / diff(picture$limits)
  grDevices::colorRampPalette(picture$colours)(101L)[round(100 * share) + 1L]
}

# Names as large as their rows and columns allow; where they could not be read, every second, third
# or so of them.
draw_matrix <- function(picture, main) {
  high <- length(picture$rows)
  wide <- length(picture$columns)
  numbered <- has_numbers(picture)
  old <- graphics::par(mar = c(if (numbered) 1 else 2.6, 2, 4, 1), las = 1, xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  region <- graphics::par("pin")
  graphics::plot.window(c(0, region[1L]), c(0, region[2L]), xaxs = "i", yaxs = "i")
  line <- 1.3 * graphics::strheight("A", "inches")
  size <- min(1, 0.8 * region / c(wide, high) / line)
  step <- ceiling(least_points / graphics::par("ps") / size - 1e-9)
  size <- size * step
  names_width <- function(names) size * max(graphics::strwidth(names, "inches"), 0)
  left <- names_width(picture$rows) + 0.1
  cell <- c((region[1L] - left) / wide, NA)
  level <- names_width(picture$columns) < 0.9 * cell[1L]
  above <- if (level) size * line else names_width(picture$columns) + 0.1
  cell[2L] <- (region[2L] - above) / high
  x <- left + cell[1L] * (seq_len(wide) - 0.5)
  y <- region[2L] - above - cell[2L] * (seq_len(high) - 0.5)

  cells <- picture$cells
  half <- 0.48 * cell
  graphics::rect(x[cells$column] - half[1L], y[cells$row] - half[2L],
                 x[cells$column] + half[1L], y[cells$row] + half[2L],
                 col = fills(picture), border = "grey90")
  if (numbered) {
    write_text(x[cells$column], y[cells$row], cells$label, cex = 0.8, col = ink(picture))
  } else {
    draw_colour_scale(grDevices::colorRampPalette(picture$colours)(60L), c(0, 0.5, 1),
                      format(signif(seq(picture$limits[1L], picture$limits[2L], length.out = 3L),
                                    2L)),
                      picture$measure, region[1L] / 2, -0.24)
  }
  shown <- seq(1L, high, step)
  write_text(left - 0.06, y[shown], picture$rows[shown], align = 1, cex = size)
  shown <- seq(1L, wide, step)
  write_text(x[shown], region[2L] - above + if (level) 0.5 * size * line else 0.04,
             picture$columns[shown], align = if (level) 0.5 else 0, srt = if (level) 0 else 90,
             cex = size)
  graphics::mtext("from", side = 2, at = mean(y), line = 0.7, las = 0, col = "grey30")
  graphics::mtext("to", side = 3, at = mean(x), line = 0.2, col = "grey30")
  draw_titles(main, line = 2.2)
}

autoplot_matrix <- function(picture, main) {
  high <- length(picture$rows)
  wide <- length(picture$columns)
  cells <- picture$cells
  cells$from <- factor(picture$rows[cells$row], rev(picture$rows))
  cells$to <- factor(picture$columns[cells$column], picture$columns)
  size <- 9 * min(1, 30 / wide, 25 / high)
  step <- ceiling(least_points / size)
  every <- function(names) names[seq(1L, length(names), step)]
  ggplot2::ggplot(cells, ggplot2::aes(.data$to, .data$from, fill = .data$value)) +
    ggplot2::geom_tile(width = 0.96, height = 0.96) +
    (if (has_numbers(picture)) {
      ggplot2::geom_text(ggplot2::aes(label = .data$label), size = 3, colour = ink(picture))
    }) +
    ggplot2::scale_fill_gradientn(picture$measure, colours = picture$colours,
                                  limits = picture$limits) +
    ggplot2::scale_x_discrete(drop = FALSE, position = "top", breaks = every(picture$columns)) +
    ggplot2::scale_y_discrete(drop = FALSE, breaks = every(picture$rows)) +
    ggplot2::labs(x = "to", y = "from", title = if (nzchar(main)) main) +
    ggplot2::theme_minimal() + plot_titles() +
    ggplot2::theme(panel.grid = ggplot2::element_blank(),
                   axis.text.x.top = names_above(picture$columns, step * size),
                   axis.text.y = ggplot2::element_text(size = step * size))
}

# The names of columns: level where they have the room on a page of the usual width, else upright.
names_above <- function(names, size) {
  level <- max(text_em(names), 0) * size / 72 * length(names) < 4.5
  if (level) return(ggplot2::element_text(size = size))
  ggplot2::element_text(size = size, angle = 90, hjust = 0, vjust = 0.5)
}
