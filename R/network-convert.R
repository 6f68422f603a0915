# Conversions to the classes of other packages, registered when these are there.

#' Networks as igraph Graphs
#'
#' @param x a learned network, or bnlearn's fit of one.
#' @param ... ignored.
#' @return A directed graph of class `"igraph"`, with the nodes as the vertex
#'   attribute `name`, in their order, and the arcs as edges. Undirected arcs,
#'   which only networks changed by bnlearn have, become two edges.
#' @seealso [optbn-class]
#' @examplesIf requireNamespace("igraph", quietly = TRUE)
#' network <- learn_dag(attitude, "bge")
#' igraph::degree(igraph::as.igraph(network), mode = "in")
#' @exportS3Method igraph::as.igraph
as.igraph.optbn <- function(x, ...) {
  check_sound(x)
  # bnlearn's own method for fits is there only once igraph has been attached.
  if (inherits(x, "bn.fit")) x <- bnlearn::bn.net(x)
  igraph::graph_from_data_frame(as.data.frame(x$arcs), vertices = data.frame(name = names(x$nodes)))
}

#' Networks and Certificates as Data Frames
#'
#' Methods for the generics of package \pkg{generics} (and so of \pkg{broom}).
#'
#' @param x a learned network, or for `glance()` also its [certificate()].
#' @param ... ignored.
#' @return
#' * `tidy()`: the arcs, one a row, with columns `from` and `to`.
#' * `glance()`: one row; of a network the numbers of `nodes` and `arcs`, then
#'   the columns of `as.data.frame(certificate(x))`: `score`, `bound`, `gap`,
#'   `status`, `method`, `reason`, `seconds` and `valid`.
#' @seealso [certificate()]
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' network <- learn_dag(attitude, "bge")
#' generics::tidy(network)
#' generics::glance(network)
#' @name tidy.optbn
#' @exportS3Method generics::tidy
tidy.optbn <- function(x, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  as.data.frame(x)
}

#' @rdname tidy.optbn
#' @exportS3Method generics::glance
glance.optbn <- function(x, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  cbind(nodes = length(x$nodes), arcs = nrow(x$arcs), glance.optbn_certificate(certificate(x)))
}

#' @rdname tidy.optbn
#' @exportS3Method generics::glance
glance.optbn_certificate <- function(x, ...) as.data.frame(x)
