# arc_posterior(): probabilities of arcs, in the form of bnlearn's strengths.

#' Posterior Probabilities of Arcs
#'
#' @description
#' Computes the exact probability of each arc given the data, with proved bounds. The sum over *all*
#' networks, and its arguments, are those of [network_posterior()].
#'
#' @param x Data, parent sets with a slack, or a [network_posterior()]; or networks from
#'   [sample_dags()] or [learn_k_best()].
#' @param ... Arguments of [network_posterior()]: `score`, `prior`, `max_parents`, constraints and
#'   limits. If `x` is a posterior, no further arguments are allowed.
#'
#' @return An object of class `c("optbn_arcs", "bn.strength", "data.frame")` with one row for each
#'   ordered pair of nodes. \pkg{bnlearn}'s functions such as
#'   [`averaged.network()`][bnlearn::averaged.network] and
#'   [`strength.plot()`][bnlearn::strength.plot] accept it. Its columns are `from`, `to`, `strength`
#'   (the probability of an arc between the two) and `direction` (the probability that the arc
#'   points to `to`, if it exists). You also obtain `probability` (of the arc: `strength` times
#'   `direction`) and its proved bounds `lower` and `upper` by `$` and `as.data.frame()`, and in the
#'   printed table. They are not columns, because \pkg{bnlearn} refuses tables of more than four
#'   columns.
#'
#' For networks from [sample_dags()], probabilities are shares of the draws, and the bounds are 95 %
#' intervals. For the *k* best networks, probabilities are sums of weights, without bounds.
#'
#' The threshold of the object is 0.5: `averaged.network()` then includes the arcs with a
#' probability of at least one half.
#' @section Errors: Those of [network_posterior()].
#' @seealso [network_posterior()], [sample_dags()], [bootstrap_dags()].
#' @examples
#' arcs <- arc_posterior(attitude, "bge")
#' arcs[arcs$probability > 0.3, ]
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   bnlearn::averaged.network(arcs)
#' }
#'
#' # sums over orders instead of networks: faster, but with another prior
#' arc_posterior(attitude, "bge", prior = "order")
#' @export
arc_posterior <- function(x, ...) {
  require_arguments()
  call <- environment()
  if (inherits(x, c("optbn_k_best", "optbn_dags"))) {
    check_sound(x, call)
    check_no_dots()
    return(new_arcs(arc_shares(x), function(p) bounds_of_shares(x, p)))
  }
  posterior <- as_posterior(x, ..., call = call)
  new_arcs(arc_probabilities(posterior), function(p) probability_bounds(posterior, p))
}

# Of networks that are given: with their weights, or as they were drawn.
arc_shares <- function(x) {
  if (inherits(x, "optbn_dags")) return(summary(x)$arcs)
  Reduce(`+`, Map(`*`, lapply(unclass(x), as.matrix), network_weights(x)))
}

# What the k best leave out is not known.
bounds_of_shares <- function(x, p) {
  if (inherits(x, "optbn_k_best")) return(list(lower = rep(NA_real_, length(p)), upper = NA_real_))
  wilson_interval(p, length(x), 0.95)
}

as_posterior <- function(x, ..., call) {
  if (!inherits(x, "optbn_posterior")) return(network_posterior(x, ...))
  check_sound(x, call)
  if (...length() > 0L) {
    abort_optbn("argument",
                c("Further arguments are for {.fn network_posterior}, whose result {.arg x} is.",
                  i = "Leave them out, or give the data."), call = call)
  }
  x
}

# A matrix of probabilities: of the arc from the row to the column.
arc_probabilities <- function(posterior) {
  nodes <- posterior$nodes
  matrix <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (v in seq_along(nodes)) {
    sets <- posterior$parent_sets$sets[[v]]
    shares <- rep.int(posterior$probability[[v]], sets$size)
    sums <- rowsum(shares, sets$parents)
    matrix[as.integer(rownames(sums)), v] <- pmin(1, pmax(0, sums))
  }
  matrix
}

new_arcs <- function(matrix, bounds) {
  nodes <- rownames(matrix)
  pairs <- which(row(matrix) != col(matrix), arr.ind = TRUE)
  pairs <- pairs[order(pairs[, 1L], pairs[, 2L]), , drop = FALSE]
  p <- matrix[pairs]
  strength <- pmin(1, p + t(matrix)[pairs])
  structure(
    data.frame(from = nodes[pairs[, 1L]], to = nodes[pairs[, 2L]], strength = strength,
               direction = ifelse(strength > 0, pmin(1, p / strength), 0)),
    class = c("optbn_arcs", "bn.strength", "data.frame"), nodes = nodes, method = "bootstrap",
    threshold = 0.5, beyond = data.frame(probability = p, bounds(p))
  )
}

#' @export
sound_parts.optbn_arcs <- function(model) {
  plain <- unclass(model)
  beyond <- attr(model, "beyond")
  count <- length(plain$from)
  demand(
    "its columns are not arcs with probabilities" =
      is.list(plain) && is.character(plain$from) && is.character(plain$to) &&
        length(plain$to) == count && is.numeric(plain$strength) &&
        length(plain$strength) == count && is.numeric(plain$direction) &&
        length(plain$direction) == count,
    "its bounds are not those of its arcs" =
      is.data.frame(beyond) && identical(names(beyond), c("probability", "lower", "upper")) &&
        nrow(beyond) == count && all(vapply(beyond, is.numeric, NA)),
    "its nodes are invalid" = are_names(attr(model, "nodes"))
  )
}

# bnlearn takes tables of four columns: the others are an attribute.
#' @export
as.data.frame.optbn_arcs <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  plain <- data.frame(unclass(x)[c("from", "to", "strength", "direction")])
  out <- cbind(plain, attr(x, "beyond"))
  row.names(out) <- row.names
  out
}

#' @export
`$.optbn_arcs` <- function(x, name) x[[name]]

#' @export
`[[.optbn_arcs` <- function(x, i, ...) {
  beyond <- attr(x, "beyond")
  if (is_string(i) && i %in% names(beyond)) return(beyond[[i]])
  NextMethod()
}

# What is not the whole is a plain table.
#' @export
`[.optbn_arcs` <- function(x, ...) as.data.frame(x)[...]

#' @export
print.optbn_arcs <- function(x, ...) {
  print(as.data.frame(x), ...)
  invisible(x)
}
