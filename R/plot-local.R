# Base graphics of local models; what is drawn is prepared in plot-local-geometry.R.

#' Pictures of a Local Model
#'
#' Draws the distribution of one node given its parents, as returned by [local_model()]. A decision
#' tree is drawn from the root down, and a table with a column for every configuration of the
#' parents. Below there is one panel per region (leaf or configuration), with the number of rows and
#' the distribution of the node.
#'
#' @param x,object A local model: a decision tree, a discretised table, a plain table, or a
#'   regression.
#' @param main The title. `NULL` means the node and its parents; `""` omits the title and the line
#'   below it.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @section Reading It: The values of the node are at the left edge, once for all panels, and
#'   probability increases to the right. Bars show the levels of a discrete node; the most probable
#'   one is darker. A continuous node has a density, with a line at its location. All panels have
#'   the same scale, so you can compare them. A density more than four times as high as the median
#'   one is cut off at the edge of its panel. A region without rows is grey and shows only the
#'   prior.
#'
#' If panels would be narrower than an eighth of an inch, a discrete node has a heat map of the
#' probabilities instead, with a column for each region, and a continuous one has intervals: the
#' location and one scale to either side.
#'
#' A regression without continuous parents is drawn as normal distributions. With one such parent,
#' its mean is drawn against the values of the parent, with one standard deviation to either side,
#' over the range of most rows. With several, bars show the change of the node for one standard
#' deviation of each parent, in standard deviations of the node. Blue bars are positive, orange ones
#' negative, and a grey bar is the residual standard deviation. (If a fit does not include the rows,
#' as after EM, the bars are the coefficients.) Discrete parents add a panel for each configuration.
#'
#' In a tree, an inner node shows the parent of its split. The branches are labelled with their
#' values; if there is no room for both labels, the values for the left branch are below the node.
#' `rest` means all levels that are not on the other branch. Text that does not fit is abbreviated
#' or, below three points, omitted: use a larger device to see more.
#'
#' @seealso [local_model()]; [plot.optbn()] for whole networks; [as.party.optbn_tree()] for the
#'   pictures of package \pkg{partykit}.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' plot(local_model(fit, "Survived"))
#'
#' flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' plot(local_model(flowers, "Petal.Width"))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(local_model(fit, "Survived"))
#' @export
plot.optbn_partition <- function(x, main = NULL, ...) {
  check_sound(x)
  main <- check_title(main %||% conditional(x$node, x$parents))
  draw_shape_plot(function(region) local_picture(x, region), main, region_line(x))
  invisible(x)
}

#' @rdname plot.optbn_partition
#' @export
plot.optbn_table <- function(x, main = NULL, ...) plot.optbn_partition(x, main)

#' @rdname plot.optbn_partition
#' @export
plot.optbn_regression <- function(x, main = NULL, ...) plot.optbn_partition(x, main)

# A picture of lines, shapes and texts on the whole region, with its title and the line below it
# unless the title is empty. `picture_on`: makes it for a width and height in inches.
draw_shape_plot <- function(picture_on, main, below) {
  titled <- nzchar(main)
  old <- graphics::par(mar = c(0.4, 0.8, if (titled) 3.2 else 0.8, 0.8), xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  region <- graphics::par("pin")
  graphics::plot.window(c(0, region[1L]), c(0, region[2L]), xaxs = "i", yaxs = "i")
  draw_shapes(picture_on(region))
  if (titled) draw_titles(main, below)
}

draw_shapes <- function(picture) {
  apart <- function(shapes) {
    place <- function(at) unlist(lapply(split(at, shapes$id), c, NA), use.names = FALSE)
    list(x = place(shapes$x), y = place(shapes$y))
  }
  graphics::lines(apart(picture$lines), col = box_border, lend = "butt")
  shapes <- picture$shapes
  first <- !duplicated(shapes$id)
  graphics::polygon(apart(shapes), col = shapes$fill[first], border = shapes$border[first],
                    lwd = shapes$width[first])
  one_point <- 1 / (graphics::par("ps") * graphics::par("cex"))
  for (text in split(picture$texts, picture$texts[c("angle", "align")], drop = TRUE)) {
    graphics::text(text$x, text$y, text$label, cex = text$size * one_point, col = text$colour,
                   srt = text$angle[1L], adj = c(text$align[1L], 0.5))
  }
}
