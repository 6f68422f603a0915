# The pictures of plot-local-geometry.R by ggplot2, registered when it is loaded.

#' @rdname plot.optbn_partition
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_partition <- function(object, main = NULL, ...) {
  check_sound(object)
  main <- check_title(main %||% conditional(object$node, object$parents))
  shape_ggplot(function(region) local_picture(object, region), main, region_line(object))
}

#' @rdname plot.optbn_partition
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_table <- function(object, main = NULL, ...) autoplot.optbn_partition(object, main)

#' @rdname plot.optbn_partition
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_regression <- function(object, main = NULL, ...) {
  autoplot.optbn_partition(object, main)
}

# draw_shape_plot() by ggplot2.
shape_ggplot <- function(picture_on, main, below) {
  region <- c(7, 4.6)
  picture <- picture_on(region)
  titled <- nzchar(main)
  ggplot2::ggplot() +
    ggplot2::geom_path(ggplot2::aes(.data$x, .data$y, group = .data$id), picture$lines,
                       colour = box_border, linewidth = 1 / ggplot2::.pt) +
    ggplot2::geom_polygon(
      ggplot2::aes(.data$x, .data$y, group = .data$id, colour = .data$border, fill = .data$fill,
                   linewidth = .data$width / ggplot2::.pt),
      picture$shapes
    ) +
    ggplot2::annotation_custom(scaled_text_grob(picture$texts, region),
                               0, region[1L], 0, region[2L]) +
    ggplot2::scale_colour_identity() +
    ggplot2::scale_fill_identity() +
    ggplot2::scale_linewidth_identity() +
    ggplot2::coord_fixed(xlim = c(0, region[1L]), ylim = c(0, region[2L]), expand = FALSE,
                         clip = "off") +
    ggplot2::labs(title = if (titled) main, subtitle = if (titled) below) +
    ggplot2::theme_void() +
    plot_titles() +
    ggplot2::theme(plot.margin = ggplot2::margin(6, 6, 6, 6))
}

# Text of so many points in a picture of a given size in inches; how much larger or smaller the
# picture comes out is known only when it is drawn.
scaled_text_grob <- function(texts, region) {
  grid::gTree(texts = texts, region = region, cl = "optbn_scaled_text")
}

#' @exportS3Method grid::makeContent optbn_scaled_text
makeContent.optbn_scaled_text <- function(x) {
  texts <- x$texts
  scale <- grid::convertWidth(grid::unit(1, "npc"), "inches", valueOnly = TRUE) / x$region[1L]
  grid::setChildren(x, grid::gList(
    grid::textGrob(texts$label, texts$x / x$region[1L], texts$y / x$region[2L], hjust = texts$align,
                   vjust = 0.5, rot = texts$angle, name = "optbn_texts",
                   gp = grid::gpar(fontsize = texts$size * scale, col = texts$colour))
  ))
}
