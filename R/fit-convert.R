# Fitted networks to and from other packages. gRain is reached through bnlearn.

#' Convert a Fitted Network to bnlearn
#'
#' Methods for two generics of package \pkg{bnlearn}, registered when it is loaded. `as.bn.fit()`
#' returns an object of class `bn.fit` with the same parameters, for all of bnlearn's functions for
#' fitted networks: `rbn()`, `cpquery()`, `write.bif()`, `as.grain()` for package \pkg{gRain}, and
#' others. `as.bn()` returns only the structure, as a plain `bn`.
#'
#' @param x A fitted network from [fit_network()].
#' @param ... Ignored.
#'
#' @return An object of class `bn.fit`, or `bn`. An error of class `optbn_error_conversion` if
#'   bnlearn has no equivalent local model (the error names the arc), or if `NA` is a level of a
#'   column.
#'
#' @details
#' The object contains only the parameters, without the residuals and fitted values of its
#' regressions. A discrete node whose column was an ordered factor becomes an ordinal node.
#'
#' @examples
#' if (requireNamespace("bnlearn", quietly = TRUE)) {
#'   fit <- fit_network("[Species][Petal.Length|Species]", iris)
#'   bnlearn::as.bn.fit(fit)
#' }
#' @name as.bn.fit.optbn_fit
NULL

#' @rdname as.bn.fit.optbn_fit
#' @usage \method{as.bn.fit}{optbn_fit}(x, ...)
#' @exportS3Method bnlearn::as.bn.fit
as.bn.fit.optbn_fit <- function(x, ...) {
  call <- environment()
  check_sound(x)
  net <- bnlearn_structure(x)
  distributions <- lapply(x$models, function(model) {
    bnlearn_distribution(model, net$nodes[[model$node]]$parents, call)
  })
  bnlearn_fit(net, distributions, x, call)
}

# `model`: whose structure and distributions these are.
bnlearn_fit <- function(net, distributions, model, call) {
  check_labels_of_bnlearn(model$levels, call)
  ordinal <- names(Filter(is.ordered, model$prototype))
  if (!length(ordinal)) return(bnlearn::custom.fit(net, distributions))
  bnlearn::custom.fit(net, distributions, ordinal)
}

check_labels_of_bnlearn <- function(levels, call) {
  odd <- names(Filter(anyNA, levels))
  if (length(odd) == 0L) return(invisible())
  abort_optbn("conversion",
              c("bnlearn has no level {.code NA}.",
                x = "{.code NA} is a level of column{?s} {.val {odd}}.",
                i = "Give that level a name in the data, and learn again."),
              call = call)
}

#' @rdname as.bn.fit.optbn_fit
#' @usage \method{as.bn}{optbn_fit}(x, ...)
#' @exportS3Method bnlearn::as.bn
as.bn.optbn_fit <- function(x, ...) bnlearn_structure(check_sound(x))

# Built again, so that it holds nothing but the arcs.
bnlearn_structure <- function(fit) {
  net <- bnlearn::empty.graph(fit$nodes)
  bnlearn::arcs(net) <- cbind(from = unlist(fit$parents, use.names = FALSE),
                              to = rep(fit$nodes, lengths(fit$parents)))
  net
}

# What custom.fit() takes for a node whose parents it lists as `parents`.
bnlearn_distribution <- function(model, parents, call) UseMethod("bnlearn_distribution")

# Tables are matched to the parents by the names of their dimensions.
#' @export
bnlearn_distribution.optbn_table <- function(model, parents, call) model$prob

# Configurations are matched by position: bnlearn's first discrete parent is
# the fastest, as ours is, but its order of the parents is its own.
#' @export
bnlearn_distribution.optbn_regression <- function(model, parents, call) {
  if (!length(model$levels)) {
    return(list(coef = coef(model), sd = unname(model$sd)))
  }
  positions <- array(seq_along(model$sd), dim = lengths(model$levels))
  order <- as.vector(aperm(positions, order(match(names(model$levels), parents))))
  coefficients <- model$coefficients[, order, drop = FALSE]
  colnames(coefficients) <- NULL
  list(coef = coefficients, sd = unname(model$sd[order]))
}
