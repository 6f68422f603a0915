# Pictures of fitted networks: the network, or the local model of one node.

#' Pictures of a Fitted Network
#'
#' Draws the network of a fit, like [plot.optbn()], or the distribution of one of its nodes given
#' its parents, like [plot.optbn_partition()].
#'
#' If the network has local models of several kinds, the boxes show them: trees, tables and
#' Gaussians (regressions) have different colours. The line below the title states how the
#' parameters were estimated. Under an intervention ([intervene()]), arcs into the nodes that are
#' set are omitted.
#'
#' @param x,object A fitted network from [fit_network()].
#' @param node `NULL` for the network; or the name of a node, whose local model is drawn.
#' @param layout,highlight As in [plot.optbn()], for the network.
#' @param main The title. `NULL` means a description; `""` omits the title and the line below it.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @section Errors: `optbn_error_argument` for a name that is not a node, and a malformed argument.
#' @seealso [local_model()]
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' plot(fit)
#' plot(fit, node = "Petal.Length")
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(fit)
#' @export
plot.optbn_fit <- function(x, node = NULL, layout = NULL, highlight = NULL, main = NULL, ...) {
  check_sound(x)
  if (is.null(node)) {
    graph <- graph_of_fit(x)
    main <- check_title(main %||% network_heading(graph))
    draw_network(picture_of_network(graph, layout, highlight), main, fit_line(x))
  } else {
    plot(local_model(x, check_node(node, x)), main)
  }
  invisible(x)
}

#' @rdname plot.optbn_fit
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_fit <- function(object, node = NULL, layout = NULL, highlight = NULL, main = NULL,
                               ...) {
  check_sound(object)
  if (!is.null(node)) {
    return(ggplot2::autoplot(local_model(object, check_node(node, object)), main))
  }
  graph <- graph_of_fit(object)
  main <- check_title(main %||% network_heading(graph))
  picture_by_ggplot2(picture_of_network(graph, layout, highlight)(c(6.8, 4.4)), main,
                     fit_line(object))
}

# Its network as pictures take it, with what each local model is.
graph_of_fit <- function(fit) {
  number <- lapply(fit$parents, function(parents) sort(match(parents, fit$nodes)))
  graph <- plain_network(list(nodes = fit$nodes, parents = unname(number)))
  graph$learning$kinds <- kinds_of_models(fit$models)
  graph
}

# As node_kinds() has them.
kinds_of_models <- function(models) {
  kind <- vapply(models, function(model) {
    if (inherits(model, "optbn_partition")) {
      if (length(model$parents) == 0L) return(NA_character_)
      return(if (inherits(model, "optbn_tree")) "tree" else "table")
    }
    if (is.null(local_levels(model)[[model$node]])) "Gaussian" else "table"
  }, "")
  unname(kind)
}

fit_line <- function(fit) {
  set <- format_do(fit)
  rows <- if (fit$n == 1) "row" else "rows"
  paste(c(format_fit_method(fit), paste(format_count(fit$n), rows),
          if (!is.null(set)) paste("set:", set)), collapse = "; ")
}
