# The plots of plot-network.R by ggplot2, registered when it is loaded.

utils::globalVariables(".data") # of ggplot2's aes()

#' @rdname plot.optbn
#' @exportS3Method ggplot2::autoplot
autoplot.optbn <- function(object, layout = NULL, highlight = NULL, main = NULL, compare = NULL,
                           strength = NULL, ...) {
  if (inherits(object, "bn.fit")) return(NextMethod())
  check_sound(object)
  main <- check_title(main %||% picture_heading(object, compare))
  picture <- picture_of_network(object, layout, highlight, compare, strength)(c(6.8, 4.4))
  picture_by_ggplot2(picture, main, network_line(object, picture, compare, strength))
}

# `texts`: what else is written, in the usual size.
picture_by_ggplot2 <- function(picture, main, below, texts = picture$nodes[0L, ]) {
  width <- max(0.3, 0.55 * picture$scale)
  of_arcs <- function(shapes) {
    arcs <- picture$arcs[shapes$id, c("kind", "width", "opacity")]
    arcs$width <- width * arc_line_widths[as.character(arcs$kind)] * arcs$width
    cbind(shapes, arcs, row.names = NULL)
  }
  paths <- of_arcs(picture$paths)
  heads <- of_arcs(picture$heads)
  shown <- shown_kinds(picture)
  nodes <- shown_nodes(picture)
  marked <- any(shown != "learned")
  legend <- function(...) if (marked) ggplot2::guide_legend(title = NULL, ...) else "none"
  xlim <- range(picture$boxes$x, paths$x) + c(-0.05, 0.05)
  ylim <- range(picture$boxes$y, paths$y, texts$y + texts$height / 2) + c(-0.05, 0.05)
  ggplot2::ggplot(mapping = ggplot2::aes(.data$x, .data$y, group = .data$id)) +
    ggplot2::geom_path(
      ggplot2::aes(colour = .data$kind, linetype = .data$kind, linewidth = .data$width,
                   alpha = .data$opacity),
      paths[order(paths$kind, paths$id), ]
    ) +
    ggplot2::geom_polygon(ggplot2::aes(fill = .data$kind, alpha = .data$opacity), heads,
                          show.legend = FALSE) +
    ggplot2::geom_polygon(
      ggplot2::aes(fill = .data$node), boxes_by_kind(picture), colour = box_border,
      linewidth = width
    ) +
    ggplot2::annotation_custom(label_grob(picture$nodes, xlim, ylim),
                               xlim[1L], xlim[2L], ylim[1L], ylim[2L]) +
    (if (nrow(texts) > 0L) {
      ggplot2::geom_text(ggplot2::aes(label = .data$node, group = NULL), texts, size = 3.6,
                         colour = "grey30")
    }) +
    ggplot2::scale_colour_manual(values = arc_colours, breaks = shown,
                                 guide = legend(override.aes = list(linewidth = 0.8))) +
    ggplot2::scale_linetype_manual(values = arc_line_types, breaks = shown, guide = legend()) +
    ggplot2::scale_linewidth_identity() +
    ggplot2::scale_alpha_identity() +
    ggplot2::scale_fill_manual(
      values = c(arc_colours, kind_fills, plain = box_fill), breaks = nodes,
      guide = if (length(nodes)) ggplot2::guide_legend(title = NULL) else "none"
    ) +
    ggplot2::coord_fixed(xlim = xlim, ylim = ylim, expand = FALSE, clip = "off") +
    ggplot2::labs(title = if (nzchar(main)) in_lines(main),
                  subtitle = if (nzchar(main)) in_lines(below)) +
    ggplot2::theme_void() +
    plot_titles() +
    ggplot2::theme(legend.position = "bottom", legend.key.width = ggplot2::unit(28, "pt"),
                   plot.margin = ggplot2::margin(6, 6, 6, 6))
}

# ggplot2 neither shrinks nor breaks a title that is wider than the page.
in_lines <- function(title) if (!is.null(title)) paste(strwrap(title, 85L), collapse = "\n")

# The outlines of the boxes with the kind of their node.
boxes_by_kind <- function(picture) {
  kind <- as.character(picture$nodes$kind)
  cbind(picture$boxes, node = ifelse(is.na(kind), "plain", kind)[picture$boxes$id])
}

# What is open between score and bound, as rectangles; a scale would warn where there are none.
gap_layers <- function(mapping, gaps) {
  if (nrow(gaps) == 0L) return(NULL)
  list(ggplot2::geom_rect(mapping, gaps, inherit.aes = FALSE),
       ggplot2::scale_fill_manual(values = c(gap = gap_fill)))
}

plot_titles <- function() {
  ggplot2::theme(
    plot.title = ggplot2::element_text(face = "bold", hjust = 0.5, size = ggplot2::rel(1.1)),
    plot.subtitle = ggplot2::element_text(colour = "grey30", hjust = 0.5,
                                          margin = ggplot2::margin(3, 0, 8, 0)),
    plot.title.position = "plot"
  )
}

# The labels of the boxes, set in the largest type that fits when they are drawn:
# only then is known how large a picture is. ggplot2's own text has a fixed size,
# which would be too large for one device and too small for the next.
label_grob <- function(nodes, xlim, ylim) {
  grid::gTree(
    labels = nodes$node,
    x = (nodes$x - xlim[1L]) / diff(xlim), y = (nodes$y - ylim[1L]) / diff(ylim),
    width = nodes$width / diff(xlim), height = nodes$height / diff(ylim),
    cl = "optbn_labels"
  )
}

#' @exportS3Method grid::makeContent optbn_labels
makeContent.optbn_labels <- function(x) {
  wide <- grid::convertWidth(grid::stringWidth(x$labels), "inches", valueOnly = TRUE)
  high <- grid::convertHeight(grid::stringHeight("M"), "inches", valueOnly = TRUE)
  room <- c(
    width = grid::convertWidth(grid::unit(1, "npc"), "inches", valueOnly = TRUE),
    height = grid::convertHeight(grid::unit(1, "npc"), "inches", valueOnly = TRUE)
  )
  cex <- min(box_share_across * x$width * room["width"] / pmax(wide, 0.01),
             box_share_upwards * x$height * room["height"] / high)
  grid::setChildren(x, grid::gList(
    grid::textGrob(x$labels, x$x, x$y, gp = grid::gpar(cex = cex, col = "black"),
                   name = "optbn_node_labels")
  ))
}

#' @rdname plot.optbn_certificate
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_certificate <- function(object, log_time = FALSE, main = NULL, ...) {
  check_readable(object)
  log_time <- check_flag(log_time, "log_time")
  main <- check_title(main %||% capitalise(certificate_status(object)))
  steps <- search_steps(object, log_time)
  what_remains <- ggplot2::geom_line(ggplot2::aes(group = 1), steps$end, colour = "grey40",
                                     linetype = "dotted")
  axes <- ggplot2::aes(.data$seconds, .data$height, colour = .data$what)
  plot <- ggplot2::ggplot(steps$lines, axes) +
    gap_layers(
      ggplot2::aes(xmin = .data$from, xmax = .data$to, ymin = .data$low, ymax = .data$high,
                   fill = "gap"),
      steps$gaps
    ) +
    (if (nrow(steps$end) == 2L) what_remains) +
    ggplot2::geom_path(linewidth = 0.9) +
    ggplot2::geom_point(ggplot2::aes(size = .data$what), steps$end, show.legend = FALSE) +
    ggplot2::geom_text(ggplot2::aes(.data$seconds, .data$height, label = .data$label),
                       steps$last_gap, inherit.aes = FALSE, hjust = 1, vjust = -0.9) +
    ggplot2::scale_colour_manual(values = search_colours) +
    ggplot2::scale_size_manual(values = end_sizes) +
    ggplot2::scale_y_continuous(breaks = steps$ticks$height, labels = steps$ticks$label) +
    ggplot2::coord_cartesian(xlim = steps$time_range, ylim = steps$height_range) +
    ggplot2::labs(x = "seconds", y = steps$unit, colour = NULL, fill = NULL,
                  title = if (nzchar(main)) in_lines(main)) +
    ggplot2::theme_minimal() +
    plot_titles() +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(), legend.position = "bottom")
  if (log_time) plot + ggplot2::scale_x_log10() else plot
}

#' @rdname plot.optbn_parent_sets
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_parent_sets <- function(object, main = NULL, ...) {
  check_sound(object)
  main <- check_title(main %||% sets_heading(object))
  count <- set_counts(object)
  panel <- split_panels(nrow(count))
  cells <- count_cells(count)
  most <- max(count)
  cells$node <- factor(object$nodes[cells$row], rev(object$nodes))
  cells$panel <- panel[cells$row]
  sums <- data.frame(node = object$nodes, panel = panel, label = short_count(rowSums(count)))
  largest <- ncol(count) - 1L
  columns <- max(panel) * (largest + 4) # what the width is shared among, the names included
  numbers <- ggplot2::geom_text(ggplot2::aes(label = short_count(.data$count)),
                                colour = label_colour(cells$count, most), size = 2.6)
  ggplot2::ggplot(cells, ggplot2::aes(.data$size, .data$node)) +
    ggplot2::geom_tile(ggplot2::aes(fill = log10(.data$count)), colour = "white", linewidth = 0.3) +
    (if (columns <= 24) numbers) +
    ggplot2::geom_text(ggplot2::aes(x = largest + 0.6, label = .data$label), sums,
                       hjust = 0, size = 2.6, colour = "grey30") +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_y", nrow = 1L) +
    ggplot2::scale_fill_gradientn(
      colours = count_palette(), limits = c(0, max(log10(most), 0.1)),
      breaks = log10(count_ticks(most)), labels = short_count(count_ticks(most))
    ) +
    ggplot2::scale_x_continuous(
      breaks = seq(0, largest, by = ceiling(columns / 40)),
      expand = ggplot2::expansion(mult = c(0, 0.08 * max(panel)), add = c(0.1, 0))
    ) +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::labs(x = "number of parents", y = NULL, fill = "sets",
                  title = if (nzchar(main)) main) +
    ggplot2::theme_minimal() +
    plot_titles() +
    ggplot2::theme(panel.grid = ggplot2::element_blank(), strip.text = ggplot2::element_blank(),
                   legend.position = "bottom")
}
