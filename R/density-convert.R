# Density models to the classes of other packages, registered when these are there.

#' Convert a Chow-Liu Tree to bnlearn
#'
#' Methods for two generics of package \pkg{bnlearn}, registered when it is loaded. `as.bn()`
#' returns the structure of a Chow-Liu tree as a plain `bn`, and `as.bn.fit()` the tree with its
#' tables. bnlearn's functions can then compare, plot and export it.
#'
#' @param x A [density model][optbn_density-class] that is a Chow-Liu tree: from
#'   [learn_chow_liu()]; or [cutset_leaf()] of a cutset network, or a [mixture_component()]
#'   without cuts.
#' @param ... Ignored.
#'
#' @return An object of class `bn`, or `bn.fit`. A node whose column was an ordered factor becomes
#'   an ordinal one.
#'
#' @section Errors: `optbn_error_conversion` for every other density model, because a Bayesian
#'   network has the same arcs for all levels of its nodes, and no hidden variables. `as.bn.fit()`
#'   also gives this error for trees with arcs to constant variables, which bnlearn does not allow,
#'   and for columns with a level `NA`.
#'
#' @seealso [as.igraph.optbn_density()]
#' @examples
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   titanic <- as.data.frame(Titanic)
#'   tree <- learn_chow_liu(titanic[1:4], weights = titanic$Freq)
#'   bnlearn::modelstring(bnlearn::as.bn(tree))
#'   bnlearn::as.bn.fit(tree)$Survived
#' }
#' @name as.bn.optbn_density
NULL

#' @rdname as.bn.optbn_density
#' @usage \method{as.bn}{optbn_density}(x, ...)
#' @exportS3Method bnlearn::as.bn
as.bn.optbn_density <- function(x, ...) {
  require_tree(x, "conversion", "Only a Chow-Liu tree is a Bayesian network.")
  bnlearn_structure(tree_structure(x))
}

#' @rdname as.bn.optbn_density
#' @usage \method{as.bn.fit}{optbn_density}(x, ...)
#' @exportS3Method bnlearn::as.bn.fit
as.bn.fit.optbn_density <- function(x, ...) {
  require_tree(x, "conversion", "Only a Chow-Liu tree is a Bayesian network.")
  check_constant_nodes(x)
  bnlearn_fit(bnlearn_structure(tree_structure(x)), tree_tables(x), x, environment())
}

# bnlearn takes the table of a node with one level for that of a root.
check_constant_nodes <- function(tree, call = parent.frame()) {
  members <- named_members(tree)
  odd <- members$name[members$states == 1L & members$blocks > 1L]
  if (length(odd) == 0L) return(invisible())
  abort_optbn("conversion",
              c("bnlearn has no nodes with one level and parents.",
                x = "Column{?s} {.val {odd}} {?is/are} constant.",
                i = "{cli::qty(odd)}Learn the tree without {?it/them}."),
              call = call)
}

# `nodes`, and for each the names of its parents.
tree_structure <- function(tree) {
  members <- named_members(tree)
  parents <- lapply(members$above, function(above) above[!is.na(above)])
  list(nodes = tree$nodes, parents = set_names(parents, members$name)[tree$nodes])
}

#' Density Models as igraph Graphs
#'
#' @param x A [density model][optbn_density-class] that is not a mixture.
#' @param ... Ignored.
#'
#' @return A directed graph of class `"igraph"`.
#'
#' For a Chow-Liu tree and a latent tree, it has a vertex for each variable, with its `name`, and an
#' edge from each parent to its child; the vertex attribute `hidden` marks the hidden variables of a
#' latent tree.
#'
#' For a cutset network with cuts, it is the tree of cuts: a vertex for each cut and each leaf, with
#' `variable` (of the cut; `NA` for a leaf), `leaf` (its number; `NA` for a cut) and `probability`
#' (of reaching it); an edge for each level of a cut, with `level` and `weight`, the probability of
#' the level there.
#'
#' Further attributes let igraph draw it: `layout` of the graph; `label`, `shape`, `size` and
#' colours of the vertices; `label` of edges that are levels.
#'
#' An error of class `optbn_error_conversion` for a mixture, which has one graph per component.
#'
#' @seealso [plot.optbn_density()]
#' @examplesIf requireNamespace("igraph", quietly = TRUE)
#' titanic <- as.data.frame(Titanic)
#' tree <- learn_chow_liu(titanic[1:4], weights = titanic$Freq)
#' igraph::as_edgelist(igraph::as.igraph(tree))
#' @exportS3Method igraph::as.igraph
as.igraph.optbn_density <- function(x, ...) {
  check_density(x)
  members <- named_members(x)
  arcs <- data.frame(from = members$above, to = members$name)[members$parent > 0L, ]
  vertices <- data.frame(name = members$name, hidden = members$variable == 0L)
  order <- order(members$variable)
  graph <- igraph::graph_from_data_frame(arcs, vertices = vertices[order, ])
  placed <- place_members(members, igraph_region)
  fill <- ifelse(vertices$hidden, kind_fills[["tree"]], box_fill)
  with_looks(graph, placed$bags[order, ], members$name[order], placed$scale, fill[order])
}

#' @rdname as.igraph.optbn_density
#' @exportS3Method igraph::as.igraph
as.igraph.optbn_cutset_network <- function(x, ...) {
  check_density(x)
  if (!has_cuts(x$components[[1L]])) return(NextMethod())
  places <- body_places(x$components[[1L]], lengths(x$levels))
  below <- which(places$above > 0L)
  cut <- places$cut[places$above[below]]
  level <- mapply(function(labels, level) labels[level], x$levels[cut], places$level[below])
  graph <- igraph::graph_from_data_frame(
    data.frame(from = places$above[below], to = below, level = unname(level),
               weight = places$weight[below]),
    vertices = data.frame(name = seq_along(places$cut),
                          variable = x$nodes[replace(places$cut, places$cut == 0L, NA)],
                          leaf = places$leaf, probability = places$reach)
  )
  placed <- place_cuts(cut_tree(x), igraph_region, highest = Inf)
  shown <- placed$places
  shown$x <- (shown$left + shown$right) / 2
  shown$width <- shown$right - shown$left
  shown$height <- min(0.2 * placed$scale, 0.9 * placed$row)
  labels <- ifelse(places$cut > 0L, x$nodes[pmax(places$cut, 1L)], paste("leaf", places$leaf))
  fill <- ifelse(places$cut > 0L, box_fill, panel_fill)
  graph <- with_looks(graph, shown, labels, placed$scale, fill)
  igraph::set_edge_attr(graph, "label", value = unname(level))
}

#' @rdname as.igraph.optbn_density
#' @exportS3Method igraph::as.igraph
as.igraph.optbn_mixture <- function(x, ...) {
  abort_optbn("conversion",
              c("A mixture of densities has no graph of its own.",
                i = paste("{.code mixture_component(model, i)} gives one of its components,",
                          "which has one.")))
}

#' Density Models as Data Frames
#'
#' Methods for the generics of package \pkg{generics} (and so of \pkg{broom}).
#'
#' @param x A [density model][optbn_density-class].
#' @param ... Ignored.
#'
#' @return
#' * `tidy()`: the arcs of all trees, one per row, with columns `component`, `leaf`, `from` and
#'   `to`. Hidden variables have the names H1, H2, ....
#' * `glance()`: one row, with columns `variables`, `components`, `cuts`, `leaves` and `hidden`
#'   (over all components), `df` (free parameters), `logLik`, `AIC`, `BIC` and `nobs` (of the
#'   training data; these four are `NA` for a stack, and all but `nobs` for a part of a model),
#'   `validation` (mean log-likelihood of the validation rows), and `seconds` of learning.
#'
#' @seealso `summary()` of a model for its cuts and leaves: [optbn_density-methods].
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' titanic <- as.data.frame(Titanic)
#' model <- learn_chow_liu(titanic[1:4], weights = titanic$Freq)
#' generics::tidy(model)
#' generics::glance(model)
#' @exportS3Method generics::tidy
tidy.optbn_density <- function(x, ...) {
  check_density(x)
  arcs <- lapply(seq_along(x$components), function(i) {
    members <- named_members(x, x$components[[i]])
    members <- members[members$parent > 0L, ]
    data.frame(component = rep(i, nrow(members)), leaf = members$leaf, from = members$above,
               to = members$name)
  })
  arcs <- do.call(rbind, arcs)
  rownames(arcs) <- NULL
  arcs
}

#' @rdname tidy.optbn_density
#' @exportS3Method generics::glance
glance.optbn_density <- function(x, ...) {
  check_density(x)
  learning <- x$learning
  of_all <- function(count) sum(vapply(x$components, count, 0L))
  value <- learning$log_likelihood %||% NA_real_
  df <- free_parameters(x)
  data.frame(
    variables = length(x$nodes), components = length(x$components),
    cuts = of_all(function(body) sum(body$cut > 0L)),
    leaves = of_all(function(body) length(body$members)), hidden = of_all(hidden_members),
    df = df, logLik = value, AIC = 2 * df - 2 * value,
    BIC = log(stats::nobs(x)) * df - 2 * value, nobs = stats::nobs(x),
    validation = learning$validation %||% NA_real_, seconds = learning$seconds %||% NA_real_
  )
}
