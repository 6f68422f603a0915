# Pictures of density models by base graphics and by ggplot2; what is drawn is prepared in
# plot-density-geometry.R.

#' Pictures of a Density Model
#'
#' Draws a cutset network as its tree of cuts, a Chow-Liu tree and a latent tree as a tree of
#' variables; of a mixture the weights of its components, in what these differ, and the heaviest.
#'
#' @param x,object A [density model][optbn_density-class].
#' @param leaf Of a cutset network, the number of a leaf whose tree to draw by itself; `NULL` for
#'   the whole.
#' @param main The title. `NULL` says what the model is, `""` leaves the title and the line below it
#'   out.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @section Reading It:
#' A tree of cuts grows to the right. A box names the variable that is cut, its branches bear the
#' levels and their probabilities there. A leaf bears its number, how many variables its tree has,
#' and the probability of coming there; where there is room for all of them, the trees themselves
#' are drawn. A tree hangs on its root, every variable on the one that it is conditioned on; hidden
#' variables are orange.
#'
#' Of a mixture, each row is a component, with its weight as a bar and, where there are several that
#' weigh more than next to nothing, the probabilities in it of the levels that differ most between
#' components. Components that together weigh less than one half of a percent share a row. The
#' heaviest one is drawn below; `plot(mixture_component(x, i))` draws any other.
#'
#' Text is as large as the region allows: some dozens of leaves can be read on a page, more on a
#' larger device.
#'
#' @section Errors: `optbn_error_argument` for a `leaf` that there is not, or of a model that has no
#'   leaves of its own, and for a `main` that is no string.
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
  shown <- if (is.null(leaf)) x else take_leaf(x, leaf, "x", rlang::current_env())
  main <- check_title(main %||% density_heading(shown))
  draw_shape_plot(function(region) density_picture(shown, region), main, density_line(shown))
  invisible(x)
}

#' @rdname plot.optbn_density
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_density <- function(object, leaf = NULL, main = NULL, ...) {
  check_density(object)
  shown <- if (is.null(leaf)) object else take_leaf(object, leaf, "object", rlang::current_env())
  main <- check_title(main %||% density_heading(shown))
  shape_ggplot(function(region) density_picture(shown, region), main, density_line(shown))
}
