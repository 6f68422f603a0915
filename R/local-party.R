# Decision trees as trees of package partykit, registered when it is loaded.

#' Local Trees in partykit
#'
#' Converts a local decision tree to an object of class `party`, for the printing, plotting and
#' navigation functions of package \pkg{partykit}.
#'
#' The nodes are numbered in preorder, from 1. A leaf has the number of its rows and the
#' distribution of the node: its probabilities, or its location and scale. The object contains no
#' data; `predict(x, newdata, type = "node")` returns the leaf of each row of a data frame, as in
#' the original tree. The columns of `newdata` must be numeric for continuous parents. For discrete
#' ones they must be factors with the levels of the training data.
#'
#' @param obj A local model of class `optbn_tree`, from [local_model()].
#' @param ... Ignored.
#'
#' @return An object of class `party`.
#'
#' @seealso [plot.optbn_partition()]
#' @references
#' Hothorn, T. and Zeileis, A. (2015). partykit: A Modular Toolkit for Recursive Partytioning in R.
#' *Journal of Machine Learning Research* 16, 3905-3909.
#' @examplesIf requireNamespace("partykit", quietly = TRUE)
#' network <- learn_dag(iris, "pcart")
#' fit <- fit_network(network, iris)
#' tree <- local_model(fit, "Petal.Width")
#' if (inherits(tree, "optbn_tree")) partykit::as.party(tree)
#' @exportS3Method partykit::as.party
as.party.optbn_tree <- function(obj, ...) {
  check_sound(obj)
  tree <- obj$partition
  columns <- c(
    set_names(list(empty_column(list(levels = obj$levels, ordered = FALSE))), obj$node),
    lapply(tree$axes, empty_column)
  )
  data <- structure(columns, class = "data.frame", row.names = integer())
  parents <- lapply(obj$parents, as.name)
  predictors <- if (length(parents)) Reduce(function(a, b) call("+", a, b), parents) else 1
  partykit::party(
    party_node(1L, tree, node_boxes(tree), leaf_facts(obj)),
    data = data,
    terms = stats::terms(stats::as.formula(call("~", as.name(obj$node), predictors), globalenv()))
  )
}

empty_column <- function(axis) {
  if (is.null(axis$levels)) return(numeric())
  factor(character(), levels = axis$levels, ordered = axis$ordered)
}

# The node in one row of the tree with all below it. `facts`: what is to be said of each leaf.
party_node <- function(row, tree, boxes, facts) {
  if (is_leaf(tree)[row]) {
    return(partykit::partynode(row, info = facts[[cumsum(is_leaf(tree))[row]]]))
  }
  children <- c(tree$nodes$left[row], tree$nodes$right[row])
  partykit::partynode(
    row,
    split = party_split(row, tree, boxes),
    kids = lapply(children, party_node, tree, boxes, facts)
  )
}

# The node itself is the first column, its parents are the next. Levels that never come here are
# NA, so that they are not printed.
party_split <- function(row, tree, boxes) {
  variable <- tree$nodes$variable[row]
  axis <- tree$axes[[variable]]
  column <- match(variable, names(tree$axes)) + 1L
  if (axis$type == "levels") {
    held <- boxes[[row]][[variable]]
    child <- rep(NA_integer_, cells_along(axis))
    child[held + 1L] <- ifelse(held %in% tree$nodes$left_codes[[row]], 1L, 2L)
    return(partykit::partysplit(column, index = child))
  }
  partykit::partysplit(column, breaks = first_value(axis, tree$nodes$cell[row]), right = FALSE)
}

# The smallest number that lies in a cell or above it, by bisection. Cells are found by a division,
# so this may be a neighbour of the cut; with it, `x < first_value()` decides for every number as
# the cells do.
first_value <- function(axis, cell) {
  below <- axis$range[1L]
  first <- axis$range[2L]
  repeat {
    middle <- below + (first - below) / 2
    if (middle <= below || middle >= first) return(first)
    if (find_cell(axis, middle) < cell) below <- middle else first <- middle
  }
}

leaf_facts <- function(model, most = 8L) {
  distribution <- if (is.null(model$prob)) {
    sprintf("%s (scale %s)", format(model$location, digits = 4L), format(model$scale, digits = 3L))
  } else {
    shown <- seq_len(min(nrow(model$prob), most))
    cells <- matrix(sprintf("%s %.2f", rownames(model$prob), model$prob), nrow(model$prob))
    apply(cells[shown, , drop = FALSE], 2L, paste, collapse = ", ")
  }
  Map(function(n, distribution) c(paste("n =", n), distribution),
      vapply(model$n, format_count, ""), trimws(distribution), USE.NAMES = FALSE)
}
