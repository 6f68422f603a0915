# Posteriors of continuous nodes of conditional Gaussian networks: mixtures of normal distributions.

#' Exact Posteriors of Discrete and Continuous Nodes
#'
#' [query()] returns this object for a conditional Gaussian network ([optbn_compiled_mixed]) if the
#' query nodes include continuous ones. It is the joint posterior, a mixture of multivariate normal
#' distributions.
#'
#' @param x,object,model A result of [query()].
#' @param data A data frame with a column for each query node, without missing values.
#' @param probs Probabilities, numbers between 0 and 1.
#' @param digits The number of significant digits to print.
#' @param ... Ignored.
#'
#' @return
#' An object of class `optbn_mixture_posterior` is a list with
#' * `weights`: the probability of each component, above 0; they sum to 1;
#' * `levels`: a data frame with a row for each component and a column for each discrete query node
#'   with its level; several components may have the same levels;
#' * `means`: a matrix with a row for each component and a column for each continuous node;
#' * `covariances`: an array, nodes by nodes by components;
#' * `mean`, `covariance`: mean and covariance of the continuous nodes in the whole mixture;
#' * `evidence`, `do`: the observed values and the values set.
#'
#' `summary()` returns a list named by the nodes: `mean`, `sd` and quantiles for a continuous one,
#' and the probabilities of the levels for a discrete one. `quantile()` returns a matrix with a row
#' for each of `probs` and a column for each continuous node. `log_density()` returns the logarithm
#' of the joint posterior density at each row of `data`. `format()` and `print()` show the summary.
#'
#' @section Errors: `optbn_error_argument` for `probs` that are not probabilities;
#'   `optbn_error_data` if a column is missing or is of another type than the node.
#'
#' @seealso [query()], [optbn_compiled_mixed]
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' posterior <- query(fit, c("Species", "Petal.Length"), list(Petal.Width = 1.7))
#' posterior
#' posterior$weights
#' quantile(posterior, c(0.1, 0.9))
#' log_density(posterior, data.frame(Species = "virginica", Petal.Length = 5))
#' @name optbn_mixture_posterior
NULL

# `discrete` and `continuous`: names of the asked nodes; those of the latter that are set have no
# variance.
mixture_posterior <- function(model, known, discrete, continuous, call = parent.frame()) {
  held <- held_numbers(model)[intersect(continuous, names(held_numbers(model)))]
  free <- setdiff(continuous, names(held))
  if (length(free)) {
    found <- mixed_answer(core_mixed_components, model, known, match(discrete, model$nodes),
                          match(free, model$nodes), call = call)
  } else {
    joint <- if (length(discrete)) {
      mixed_answer(core_mixed_levels, model, known, match(discrete, model$nodes), call = call)
    } else {
      1
    }
    possible <- which(joint > 0)
    levels <- if (length(discrete)) arrayInd(possible, lengths(model$levels[discrete])) - 1L
    found <- list(weights = joint[possible], levels = t(levels), means = numeric(),
                  covariances = numeric())
  }
  k <- length(found$weights)
  means <- matrix(rep(as.double(held), each = k), k, length(held),
                  dimnames = list(NULL, names(held)))
  means <- cbind(means, matrix(found$means, k, byrow = TRUE, dimnames = list(NULL, free)))
  covariances <- array(0, c(length(continuous), length(continuous), k),
                       list(continuous, continuous, NULL))
  covariances[free, free, ] <- found$covariances
  codes <- matrix(as.integer(found$levels), length(discrete), k)
  levels <- lapply(seq_along(discrete), function(i) decode_column(model, discrete[i], codes[i, ]))
  observed <- observed_nodes(model, known)
  answer <- list(
    weights = found$weights,
    levels = list2DF(set_names(levels, discrete), k),
    means = means[, continuous, drop = FALSE],
    covariances = covariances
  )
  structure(
    c(answer, moments_of_mixture(answer),
      list(evidence = known_labels(model, known)[observed], do = model[["do"]])),
    class = "optbn_mixture_posterior"
  )
}

# The value of each node that has one: a label, or a number.
known_labels <- function(model, known) {
  values <- as.list(known$values)
  for (i in seq_along(known$node)) {
    node <- known$node[i]
    values[[node]] <- model$levels[[node]][known$level[i] + 1L]
  }
  set_names(values, model$nodes)
}

# Deviations from the common mean are taken before they are squared.
moments_of_mixture <- function(x) {
  mean <- colSums(x$weights * x$means)
  away <- sqrt(x$weights) * (x$means - rep(mean, each = nrow(x$means)))
  size <- length(mean)
  within <- matrix(matrix(x$covariances, size^2) %*% x$weights, size, size)
  covariance <- within + crossprod(away)
  dimnames(covariance) <- list(names(mean), names(mean))
  list(mean = mean, covariance = covariance)
}

# ---- what can be asked of it --------------------------------------------------------------------

#' @rdname optbn_mixture_posterior
#' @export
summary.optbn_mixture_posterior <- function(object, ...) {
  tell_answer(object, {
    quantiles <- quantiles_of_mixture(object, c(0.025, 0.5, 0.975))
    continuous <- lapply(set_names(names(object$mean)), function(node) {
      c(mean = object$mean[[node]], sd = sqrt(object$covariance[node, node]),
        set_names(quantiles[, node], c("2.5%", "50%", "97.5%")))
    })
    c(lapply(object$levels, function(column) weighted_summary(as.factor(column), object$weights)),
      continuous)
  })
}

#' @rdname optbn_mixture_posterior
#' @importFrom stats quantile
#' @export
quantile.optbn_mixture_posterior <- function(x, probs = c(0.025, 0.25, 0.5, 0.75, 0.975), ...) {
  if (!(is.numeric(probs) && all(is.finite(probs)) && all(probs >= 0 & probs <= 1))) {
    abort_optbn("argument",
                c("{.arg probs} must be numbers between 0 and 1.", x = "It is {describe(probs)}."))
  }
  tell_answer(x, {
    found <- quantiles_of_mixture(x, probs)
    rownames(found) <- paste0(format(100 * probs, trim = TRUE, digits = 7), "%")
    found
  })
}

quantiles_of_mixture <- function(x, probs) {
  found <- vapply(names(x$mean), function(node) {
    sd <- sqrt(x$covariances[node, node, ])
    vapply(probs, quantile_of_mixture, 0, x$weights, x$means[, node], sd)
  }, numeric(length(probs)))
  matrix(found, length(probs), dimnames = list(NULL, names(x$mean)))
}

# Between the smallest and the largest quantile of the components.
quantile_of_mixture <- function(p, weights, means, sd) {
  ends <- range(stats::qnorm(p, means, sd))
  if (p == 0 || p == 1 || ends[1L] == ends[2L]) return(if (p == 1) ends[2L] else ends[1L])
  stats::uniroot(function(at) sum(weights * stats::pnorm(at, means, sd)) - p, ends,
                 tol = 1e-12 * max(abs(ends), diff(ends)))$root
}

#' @rdname optbn_mixture_posterior
#' @export
log_density.optbn_mixture_posterior <- function(model, data, ...) {
  require_arguments()
  discrete <- names(model$levels)
  continuous <- names(model$mean)
  check_newdata(data, c(discrete, continuous), "data", environment())
  columns <- lapply(continuous, function(node) {
    partial_numbers(data[[node]], node, "data", parent.frame())
  })
  values <- matrix(unlist(columns), nrow(data), length(continuous))
  tell_answer(model, {
    logs <- lapply(seq_along(model$weights), function(k) {
      covariance <- matrix(model$covariances[, , k], length(continuous))
      alike <- lapply(discrete, function(node) {
        as.character(data[[node]]) == as.character(model$levels[[node]][k])
      })
      log(model$weights[k] * Reduce(`&`, alike, TRUE)) +
        log_normal_density(values, model$means[k, ], covariance)
    })
    log_sum_of_rows(matrix(unlist(logs), nrow(data)))
  })
}

# `values`: a row for each point. A node that is set has variance 0, and is its number for certain.
log_normal_density <- function(values, mean, covariance) {
  certain <- diag(covariance) == 0
  off <- rowSums(values[, certain, drop = FALSE] != rep(mean[certain], each = nrow(values))) > 0
  root <- chol(covariance[!certain, !certain, drop = FALSE])
  away <- t(values[, !certain, drop = FALSE]) - mean[!certain]
  scaled <- backsolve(root, away, transpose = TRUE)
  density <- -colSums(scaled^2) / 2 - sum(log(diag(root))) - nrow(scaled) * log(2 * pi) / 2
  ifelse(off, -Inf, density)
}

log_sum_of_rows <- function(logs) {
  largest <- apply(logs, 1L, max)
  ifelse(largest %in% -Inf, -Inf, largest + log(rowSums(exp(logs - largest))))
}

# ---- on the screen ------------------------------------------------------------------------------

#' @rdname optbn_mixture_posterior
#' @export
format.optbn_mixture_posterior <- function(x, digits = 4, ...) {
  tell_answer(x, {
    evidence <- x$evidence
    given <- paste(names(evidence), "=", vapply(evidence, format, ""), recycle0 = TRUE)
    parts <- summary(x)
    discrete <- names(x$levels)
    continuous <- names(x$mean)
    c(
      cli::style_bold(cli::format_inline("Exact posterior of {first_few(names(parts))}")),
      format_facts(c(given = if (length(given)) first_few(given), set = format_do(x),
                     components = format_count(length(x$weights)))),
      unlist(lapply(discrete, function(node) {
        c("", node, printed(zapsmall(parts[[node]], digits), digits))
      })),
      "",
      printed(do.call(rbind, parts[continuous]), digits)
    )
  })
}

#' @rdname optbn_mixture_posterior
#' @export
print.optbn_mixture_posterior <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
