# Pictures of density models by base graphics and by ggplot2; what is drawn is prepared in
# plot-density-geometry.R.

#' Pictures of a Density Model
#'
#' Draws a cutset network as its tree of cuts, and a Chow-Liu tree or a latent tree as a tree of
#' variables. For a mixture it draws the weights of the components, the variables in which they
#' differ, and the heaviest component.
#'
#' @param x,object A [density model][optbn_density-class].
#' @param leaf For a cutset network, the number of a leaf whose tree is drawn separately; `NULL` for
#'   the whole network.
#' @param main The title. `NULL` means a description of the model; `""` omits the title and the line
#'   below it.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @section Reading It: A tree of cuts grows to the right. A box shows the variable of the cut, and
#'   its branches are labelled with the levels and their probabilities there. A leaf shows its
#'   number, the number of variables of its tree, and the probability of reaching it. If there is
#'   room, the trees of all leaves are drawn. In a tree of variables, every variable is connected to
#'   the one on which it is conditioned; hidden variables are orange.
#'
#' For a mixture, each row is a component, with its weight as a bar. If there are several rows, they
#' also show the probabilities of the levels that differ most between components. The lightest
#' components, with a total weight of at most half a percent, share a row, and so do all beyond the
#' 30 heaviest. The heaviest component is drawn below; use `plot(mixture_component(x, i))` to draw
#' another.
#'
#' The text is as large as the region allows: a few dozen leaves are readable on a page, and more on
#' a larger device.
#'
#' @section Errors: `optbn_error_argument` for a `leaf` that does not exist, or if the model has no
#'   leaves of its own, and for a `main` that is not a string.
#'
#' @seealso [mixture_component()] and [cutset_leaf()]; [as.igraph.optbn_density()] for other ways
#'   to draw.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' model <- learn_cutset(titanic[1:4], weights = titanic$Freq)
#' plot(model)
#' plot(learn_chow_liu(titanic[1:4], weights = titanic$Freq))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(model)
#' @export
plot.optbn_density <- function(x, leaf = NULL, main = NULL, ...) {
  check_density(x)
  shown <- if (is.null(leaf)) x else take_leaf(x, leaf, "x", environment())
  main <- check_title(main %||% density_heading(shown))
  draw_shape_plot(function(region) density_picture(shown, region), main, density_line(shown))
  invisible(x)
}

#' @rdname plot.optbn_density
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_density <- function(object, leaf = NULL, main = NULL, ...) {
  check_density(object)
  shown <- if (is.null(leaf)) object else take_leaf(object, leaf, "object", environment())
  main <- check_title(main %||% density_heading(shown))
  shape_ggplot(function(region) density_picture(shown, region), main, density_line(shown))
}
