# Pictures of probabilities of arcs: a matrix with a cell for each arc.

#' Pictures of Probabilities of Arcs
#'
#' Draws the probability of each arc as a cell of a matrix: of the arc from the node of the row to
#' that of the column. The darker, the more probable; with few nodes the number is in the cell.
#'
#' @param x,object Probabilities of arcs from [arc_posterior()]; a [network_posterior()], or
#'   networks from [sample_dags()], whose probabilities are drawn.
#' @param main A title; `""` for none.
#' @param ... Ignored.
#' @return `plot()` returns `x`, invisibly; `autoplot()` a ggplot object.
#' @section Errors: `optbn_error_argument` for a malformed title.
#' @examples
#' arcs <- arc_posterior(attitude, "bge")
#' plot(arcs)
#' @name plot-posterior
NULL

#' @rdname plot-posterior
#' @export
plot.optbn_arcs <- function(x, main = "Probabilities of arcs", ...) {
  main <- check_title(main)
  picture <- tell_answer(x, arc_cells(x))
  nodes <- picture$nodes
  n <- length(nodes)
  old <- graphics::par(mar = c(1, 1, 3, 1), las = 1, xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  left <- max(graphics::strwidth(nodes, "inches")) / graphics::par("pin")[1L]
  above <- max(graphics::strwidth(nodes, "inches")) / graphics::par("pin")[2L]
  graphics::plot.window(c(0.5 - (left + 0.02) * n / (1 - left), n + 0.5),
                        c(n + 0.5, 0.5 - (above + 0.02) * n / (1 - above)), xaxs = "i", yaxs = "i")
  cells <- picture$cells
  graphics::rect(cells$column - 0.48, cells$row - 0.48, cells$column + 0.48, cells$row + 0.48,
                 col = probability_colours(cells$probability), border = "grey90")
  if (n <= most_with_numbers) {
    graphics::text(cells$column, cells$row, cells$label, cex = 0.8,
                   col = ifelse(cells$probability > 0.7, "white", "black"))
  }
  size <- min(1, graphics::par("pin")[2L] * (1 - above) / n / graphics::strheight("A", "inches") /
                1.3)
  graphics::text(0.45, seq_len(n), nodes, adj = 1, cex = size)
  graphics::text(seq_len(n), 0.4, nodes, adj = 0, srt = 90, cex = size)
  draw_titles(main)
  invisible(x)
}

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_arcs <- function(object, main = "Probabilities of arcs", ...) {
  main <- check_title(main)
  picture <- tell_answer(object, arc_cells(object))
  nodes <- picture$nodes
  cells <- picture$cells
  cells$from <- factor(nodes[cells$row], rev(nodes))
  cells$to <- factor(nodes[cells$column], nodes)
  ggplot2::ggplot(cells, ggplot2::aes(.data$to, .data$from, fill = .data$probability)) +
    ggplot2::geom_tile(width = 0.96, height = 0.96) +
    (if (length(nodes) <= most_with_numbers) {
      ggplot2::geom_text(ggplot2::aes(label = .data$label), size = 3,
                         colour = ifelse(cells$probability > 0.7, "white", "black"))
    }) +
    ggplot2::scale_fill_gradient(low = "white", high = arc_colours[["whitelisted"]],
                                 limits = c(0, 1)) +
    ggplot2::scale_x_discrete(drop = FALSE, position = "top") +
    ggplot2::scale_y_discrete(drop = FALSE) +
    ggplot2::labs(x = "to", y = "from", title = if (nzchar(main)) main) +
    ggplot2::theme_minimal() + plot_titles() +
    ggplot2::theme(panel.grid = ggplot2::element_blank(),
                   axis.text.x.top = ggplot2::element_text(angle = 90, hjust = 0))
}

#' @rdname plot-posterior
#' @export
plot.optbn_posterior <- function(x, main = "Probabilities of arcs", ...) {
  plot(arc_posterior(x), main)
  invisible(x)
}

#' @rdname plot-posterior
#' @export
plot.optbn_dags <- plot.optbn_posterior

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_posterior <- function(object, main = "Probabilities of arcs", ...) {
  ggplot2::autoplot(arc_posterior(object), main)
}

#' @rdname plot-posterior
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_dags <- autoplot.optbn_posterior

most_with_numbers <- 15L

arc_cells <- function(x) {
  nodes <- attr(x, "nodes")
  table <- as.data.frame(x)
  demand("its rows are no arcs of its nodes" = is.character(nodes) &&
           all(c(table$from, table$to) %in% nodes) && is.numeric(table$probability) &&
           all(is.finite(table$probability)))
  cells <- data.frame(row = match(table$from, nodes), column = match(table$to, nodes),
                      probability = pmin(1, pmax(0, table$probability)))
  cells$label <- ifelse(cells$probability < 0.005, "",
                        sub("^0", "", formatC(cells$probability, digits = 2, format = "f")))
  list(nodes = nodes, cells = cells)
}

probability_colours <- function(p) {
  grDevices::colorRampPalette(c("white", arc_colours[["whitelisted"]]))(101L)[round(100 * p) + 1L]
}
