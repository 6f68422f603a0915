# Base graphics and ggplot2 pictures of k-trees and of trees of cliques; what is drawn is prepared
# in plot-decomposition-geometry.R.

#' Pictures of k-Trees and Junction Trees
#'
#' Draws a tree of bags or cliques from its root. Each is a box with the names of its nodes, and a
#' line joins it to its parent. The title and the line below it give the width and, for a compiled
#' network, the number of cells, which determines the cost of exact queries.
#'
#' @param x,object A [k-tree][k_tree-class], such as the `k_tree` of the [certificate()] of a
#'   network from [learn_treewidth()]; a network from [compile_network()]; or a result of
#'   [treewidth()].
#' @param main The title. `NULL` means a description of the tree; `""` omits the title and the line
#'   below it.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @section Reading It: Every node is new in one box, where its name is black. In other boxes its
#'   name is grey, because it is part of the separator: the nodes shared with the box above, or to
#'   the left. A box without shared nodes has no parent. The largest cliques are orange: those with
#'   most cells in a compiled network, and with most nodes otherwise. If all are equal, none is
#'   orange.
#'
#' The tree grows downwards or to the right, whichever allows larger text. If not all names are
#' readable (at 5.5 points), the generations of the tree move closer together. If this does not
#' help, only the new names are shown; if these are too small, only the numbers of nodes. A larger
#' device shows more.
#'
#' @section Errors: `optbn_error_argument` for a `main` that is not a string; `optbn_error_model`
#'   for a tree that was changed and is inconsistent.
#' @references
#' Reingold & Tilford (1981) \doi{10.1109/TSE.1981.234519} (positions of the boxes).
#' @seealso [compare_treewidths()] for the loss of score by a bound on the width; [plot.optbn()] for
#'   whole networks.
#' @examples
#' set.seed(1)
#' network <- learn_treewidth(attitude, treewidth = 2, "bic-g")
#' plot(certificate(network)$k_tree)
#' plot(treewidth(network))
#'
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex]", titanic[1:4],
#'                    weights = titanic$Freq)
#' plot(compile_network(fit))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(certificate(network)$k_tree)
#' @export
plot.optbn_k_tree <- function(x, main = NULL, ...) {
  plot_clique_tree(x, main, environment())
}

#' @rdname plot.optbn_k_tree
#' @export
plot.optbn_compiled_network <- plot.optbn_k_tree

#' @rdname plot.optbn_k_tree
#' @export
plot.optbn_treewidth <- plot.optbn_k_tree

plot_clique_tree <- function(x, main, call) {
  tree <- clique_tree(check_sound(x, call))
  main <- check_title(main %||% tree$heading, call)
  draw_shape_plot(function(region) tree_picture(tree, region), main, tree$line)
  invisible(x)
}

#' @rdname plot.optbn_k_tree
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_k_tree <- function(object, main = NULL, ...) {
  autoplot_clique_tree(object, main, environment())
}

#' @rdname plot.optbn_k_tree
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_compiled_network <- autoplot.optbn_k_tree

#' @rdname plot.optbn_k_tree
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_treewidth <- autoplot.optbn_k_tree

autoplot_clique_tree <- function(object, main, call) {
  tree <- clique_tree(check_sound(object, call))
  main <- check_title(main %||% tree$heading, call)
  shape_ggplot(function(region) tree_picture(tree, region), main, tree$line)
}
