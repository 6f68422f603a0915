# Conversions to the classes of other packages, registered when these are there.

#' Networks as igraph Graphs
#'
#' @param x A learned network, or bnlearn's fit of one.
#' @param ... Ignored.
#' @return A directed graph of class `"igraph"`, with the nodes as the vertex attribute `name`, in
#'   their order, and the arcs as edges. Undirected arcs, which only networks changed by bnlearn
#'   have, become two edges. Further attributes let igraph draw the graph like [plot.optbn()]:
#'   `layout` of the graph; `label`, `shape`, `size` and colours of the vertices; the size of arrow
#'   heads.
#' @seealso [optbn-class]
#' @examplesIf requireNamespace("igraph", quietly = TRUE)
#' network <- learn_dag(attitude, "bge")
#' igraph::degree(igraph::as.igraph(network), mode = "in")
#' @exportS3Method igraph::as.igraph
as.igraph.optbn <- function(x, ...) {
  check_sound(x)
  # bnlearn's own method for fits is there only once igraph has been attached.
  if (inherits(x, "bn.fit")) x <- bnlearn::bn.net(x)
  picture <- network_picture(x, NULL, NULL, igraph_region)
  with_looks(graph_of_network(x), picture$nodes, names(x$nodes), picture$scale)
}

graph_of_network <- function(x) {
  igraph::graph_from_data_frame(as.data.frame(x$arcs), vertices = data.frame(name = names(x$nodes)))
}

igraph_region <- c(6, 6) # igraph draws on a square

# What igraph's plot() looks for. `places`: x, y, width and height of the vertices, which igraph
# wants in hundredths of the half of its square.
with_looks <- function(graph, places, labels, scale, fill = box_fill) {
  extent <- pmax(c(diff(range(places$x)), diff(range(places$y))), 1e-6)
  size <- function(length, extent) min(200 * length / extent, 60)
  looks <- list(label = labels, shape = "rectangle",
                size = mapply(size, places$width, extent[1L]),
                size2 = mapply(size, places$height, extent[2L]), color = fill,
                frame.color = box_border, label.color = "black", label.family = "sans",
                label.cex = min(1, 0.9 * scale))
  for (look in names(looks)) {
    graph <- igraph::set_vertex_attr(graph, look, value = looks[[look]])
  }
  graph <- igraph::set_edge_attr(graph, "color", value = arc_colours[["learned"]])
  graph <- igraph::set_edge_attr(graph, "label.family", value = "sans")
  graph <- igraph::set_edge_attr(graph, "arrow.size", value = 0.5 * min(1, scale))
  igraph::set_graph_attr(graph, "layout", cbind(places$x, places$y))
}

#' Convert Networks From and to Other Packages
#'
#' `as_network()` converts graphs of packages \pkg{dagitty}, \pkg{graph} and \pkg{pcalg}, which need
#' not be installed, and of \pkg{igraph} to networks. The other functions convert networks to these
#' formats. (For igraph, use [as.igraph.optbn()].)
#'
#' @param x A graph: dagitty's text, such as `"dag { A -> B }"`, or its object; an `igraph`; a
#'   `graphNEL`; of pcalg an object `pcAlgo`, `EssGraph` or `ParDAG`, or a matrix of class `amat`;
#'   or what `network` may be.
#' @param network The structure: a network from [learn_dag()] or of bnlearn's class `bn`, with
#'   undirected arcs or without; a fitted one, a model string, or an adjacency matrix (row `i`,
#'   column `j` is 1 for an arc from `i` to `j`).
#'
#' @details
#' Undirected arcs of equivalence classes are `--` in dagitty's text, and arcs in both directions in
#' all other formats. Positions, coefficients and roles (`exposure`, `latent`) in dagitty's text are
#' ignored. Ancestral graphs, with the arrows `<->` and `@->`, are not networks and give an error.
#'
#' @return
#' * `as_network()`: a network of bnlearn's class `bn`, for all functions of this package and of
#'   bnlearn. One with undirected arcs is for functions that accept equivalence classes, such as
#'   [adjustment_sets()].
#' * `as_dagitty()`: a string, for `dagitty::dagitty()` and \url{https://dagitty.net}.
#' * `as_amat()`: a matrix of class `amat` for `pcalg::adjustment()` and `pcalg::gac()`, with a 1 in
#'   row `i`, column `j` for an arc from `j` to `i`; its attribute `type` is `"cpdag"`.
#' * `as_graphnel()`: an object of class `graphNEL` of package \pkg{graph}, which must be installed.
#'
#' @section Errors: `optbn_error_parse` for text that is not in dagitty's format;
#'   `optbn_error_conversion` for graphs that are not networks, and for names that dagitty's text
#'   cannot have; `optbn_error_argument` for a graph with cycles or without names, and for an object
#'   that is not a graph; `optbn_error_model` for an object of these packages that is damaged;
#'   `optbn_error_package` if \pkg{graph}, or \pkg{igraph} for its graphs, is not installed.
#'
#' @references
#' Textor, J., van der Zander, B., Gilthorpe, M. S., Liskiewicz, M. and Ellison, G. T. H. (2016).
#' Robust causal inference using directed acyclic graphs: the R package dagitty. *International
#' Journal of Epidemiology* 45, 1887-1894. \doi{10.1093/ije/dyw341}
#' @seealso [adjustment_sets()]
#' @examples
#' network <- as_network("dag { smoking -> tar -> cancer; smoking <- gene -> cancer }")
#' adjustment_sets(network, "tar", "cancer")
#' cat(as_dagitty("[A][B|A][C|B]"))
#' as_amat("[A][B|A][C|B]")
#' @export
as_network <- function(x) {
  require_arguments()
  call <- environment()
  parts <- when_unsound(parts_of_graph(x, call), x, call) # of other packages, not checked before
  check_graph_names(parts$nodes, call)
  check_no_cycle(parts, call)
  network_of_parts(parts)
}

check_no_cycle <- function(parts, call) {
  arcs <- parts$directed
  loop <- arcs$from[arcs$from == arcs$to]
  parents <- unname(split(arcs$from, factor(arcs$to, seq_along(parts$nodes))))
  cycle <- parts$nodes[if (length(loop)) rep(loop[1L], 2L) else find_cycle(parents)]
  if (length(cycle)) {
    abort_optbn("argument",
                c("{.arg x} must be acyclic.",
                  x = "It has the cycle {paste(cycle, collapse = ' -> ')}."),
                call = call)
  }
}

check_graph_names <- function(nodes, call) {
  if (are_names(nodes) && length(nodes) > 0L && all(nodes != "")) return(invisible())
  abort_optbn("argument",
              c("{.arg x} must have nodes with names, no two of them the same.",
                x = if (length(nodes)) "Its names are {.val {nodes}}." else "It has none."),
              call = call)
}

# A network of bnlearn's, in which undirected arcs are there both ways.
network_of_parts <- function(parts) {
  pattern <- new_pattern(parts, NULL)
  dag <- list(nodes = parts$nodes, parents = lapply(pattern$parents, sort))
  network <- plain_network(dag)
  arcs <- both_ways(parts)
  network$arcs <- cbind(from = parts$nodes[arcs[, 1L]], to = parts$nodes[arcs[, 2L]])
  for (v in which(lengths(pattern$neighbours) > 0L)) {
    near <- parts$nodes[pattern$neighbours[[v]]]
    for (kind in c("nbr", "mb")) {
      network$nodes[[v]][[kind]] <- intersect(parts$nodes, c(network$nodes[[v]][[kind]], near))
    }
  }
  network
}

# As parts_of_network() gives them.
parts_of_graph <- function(x, call) UseMethod("parts_of_graph")

#' @export
parts_of_graph.default <- function(x, call) {
  if (is_dagitty_text(x)) parts_of_dagitty(x, call) else parts_of_network(x, call, "x")
}

#' @export
parts_of_graph.dagitty <- function(x, call) parts_of_dagitty(as.character(x), call)

#' @export
parts_of_graph.igraph <- function(x, call) {
  require_package("igraph", "to read its graphs", call)
  nodes <- as.character(igraph::V(x)$name)
  check_graph_names(nodes, call)
  arcs <- igraph::as_edgelist(x)
  if (!igraph::is_directed(x)) arcs <- rbind(arcs, arcs[, 2:1])
  parts_of_arcs(nodes, arcs)
}

#' @export
parts_of_graph.graphNEL <- function(x, call) {
  nodes <- x@nodes
  check_graph_names(nodes, call)
  to <- lapply(x@edgeL[nodes], `[[`, "edges")
  arcs <- cbind(rep(nodes, lengths(to)), nodes[as.integer(unlist(to))])
  if (!identical(x@graphData$edgemode, "directed")) arcs <- rbind(arcs, arcs[, 2:1])
  parts_of_arcs(nodes, arcs)
}

#' @export
parts_of_graph.pcAlgo <- function(x, call) parts_of_graph(x@graph, call)

# What pcalg's score-based learners return: the numbers of parents, by node.
#' @export
parts_of_graph.EssGraph <- function(x, call) {
  nodes <- x$.nodes
  parents <- x$.in.edges
  parts_of_arcs(nodes, cbind(nodes[as.integer(unlist(parents))], rep(nodes, lengths(parents))))
}

#' @export
parts_of_graph.ParDAG <- parts_of_graph.EssGraph

#' @export
parts_of_graph.amat <- function(x, call) {
  ancestral <- attr(x, "type") == "pag" || any(x > 1)
  if (isTRUE(ancestral)) abort_not_directed("It is an ancestral graph.", call)
  x <- unclass(x)
  attr(x, "type") <- NULL
  parts_of_network(t(x), call, "x")
}

#' @rdname as_network
#' @export
as_amat <- function(network) {
  require_arguments()
  structure(t(adjacency_of(network, environment())), class = "amat", type = "cpdag")
}

#' @rdname as_network
#' @export
as_graphnel <- function(network) {
  require_arguments()
  call <- environment()
  adjacency <- adjacency_of(network, call)
  require_package("graph", "for its class graphNEL", call, "BiocManager::install")
  edges <- apply(adjacency > 0, 1L, function(row) list(edges = unname(which(row))),
                 simplify = FALSE)
  methods::new(methods::getClass("graphNEL", where = asNamespace("graph")),
               nodes = rownames(adjacency), edgemode = "directed",
               edgeL = edges)
}

# Undirected arcs are there both ways.
adjacency_of <- function(network, call) {
  parts <- parts_of_network(network, call)
  n <- length(parts$nodes)
  adjacency <- matrix(0, n, n, dimnames = list(parts$nodes, parts$nodes))
  adjacency[both_ways(parts)] <- 1
  adjacency
}

# Arcs by numbers, a row each, and undirected ones in both directions.
both_ways <- function(parts) {
  edges <- as.matrix(parts$undirected)
  arcs <- rbind(as.matrix(parts$directed), edges, edges[, 2:1, drop = FALSE])
  unname(arcs[order(arcs[, 1L], arcs[, 2L]), , drop = FALSE])
}

#' Networks and Certificates as Data Frames
#'
#' Methods for the generics of package \pkg{generics} (and so of \pkg{broom}).
#'
#' @param x A learned network, or for `glance()` also its [certificate()].
#' @param ... Ignored.
#' @return
#' * `tidy()`: the arcs, one per row, with columns `from` and `to`.
#' * `glance()`: one row. For a network it has the numbers of `nodes` and `arcs`, then the columns
#'   of `as.data.frame(certificate(x))`: `score`, `bound`, `gap`, `status`, `method`, `reason`,
#'   `seconds` and `valid`.
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
