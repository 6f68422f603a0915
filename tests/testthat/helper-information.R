# Networks of tables and regressions made at random, and what the sum over all configurations of
# their discrete nodes says of them, by the textbook's formulas.

random_mixed_fit <- function(discrete = 4L, continuous = 3L) {
  tables <- random_fit(discrete)
  nodes <- paste0("X", seq_len(continuous))
  parents <- random_parents(continuous, 0.7)
  models <- lapply(seq_len(continuous), function(i) {
    labels <- tables$levels[tables$nodes[stats::runif(discrete) < 0.4]]
    above <- nodes[parents[[i]]]
    q <- prod(lengths(labels))
    coefficients <- matrix(stats::rnorm((1 + length(above)) * q), ncol = q,
                           dimnames = list(c("(Intercept)", above), seq_len(q) - 1L))
    structure(list(node = nodes[i], parents = sample(c(names(labels), above)), levels = labels,
                   continuous = above, coefficients = coefficients, sd = stats::rexp(q) + 0.1,
                   remarks = integer()),
              class = c("optbn_regression", "optbn_local"))
  })
  with_regressions(tables, rlang::set_names(models, nodes))
}

# The fit with continuous nodes added.
with_regressions <- function(fit, models) {
  nodes <- names(models)
  fit$nodes <- c(fit$nodes, nodes)
  fit$parents <- c(fit$parents, lapply(models, `[[`, "parents"))
  fit$models <- c(fit$models, models)
  fit$levels <- c(fit$levels, rlang::set_names(vector("list", length(nodes)), nodes))
  fit$log_likelihood <- rlang::set_names(numeric(length(fit$nodes)), fit$nodes)
  fit$prototype[nodes] <- rep(list(numeric()), length(nodes))
  fit
}

# Another fit over the same columns, of a random structure to few random rows; some levels change
# places.
another_fit <- function(fit, rows = 60L, ...) {
  n <- length(fit$nodes)
  discrete <- !vapply(fit$levels, is.null, NA)
  dag <- matrix(0, n, n, dimnames = list(fit$nodes, fit$nodes))
  parents <- random_parents(n)
  for (v in seq_len(n)) dag[parents[[v]], v] <- 1
  # an arc from a continuous node to a discrete one is turned
  wrong <- dag[!discrete, discrete, drop = FALSE]
  dag[!discrete, discrete] <- 0
  dag[discrete, !discrete] <- pmax(dag[discrete, !discrete], t(wrong))
  data <- stats::simulate(fit, rows)
  for (node in fit$nodes[discrete]) {
    data[[node]] <- factor(data[[node]], levels = sample(fit$levels[[node]]))
  }
  suppressMessages(fit_network(dag, data[sample(n)], ...))
}

# By configuration of all discrete nodes: the rows, the logarithms of their probabilities, and mean
# and covariance of the continuous nodes given each.
normal_components <- function(fit, rows, nodes) {
  discrete <- names(rows)
  log_p <- Reduce(`+`, lapply(fit$models[discrete], function(model) {
    index <- as.matrix(rows[c(model$node, model$parents)])
    dimnames(index) <- NULL
    prob <- array(model$prob, dim(model$prob), unname(dimnames(model$prob)))
    log(prob[index])
  }))
  moments <- lapply(seq_len(nrow(rows)), function(k) {
    given <- lapply(fit$models[nodes], function(model) {
      labels <- model$levels
      at <- rlang::set_names(rows[k, names(labels), drop = FALSE], names(labels))
      column <- if (length(labels)) {
        cells <- expand.grid(labels, stringsAsFactors = FALSE)
        which(Reduce(`&`, Map(`==`, cells, at)))
      } else {
        1L
      }
      model$coefficients <- model$coefficients[, column, drop = FALSE]
      model$sd <- model$sd[column]
      model
    })
    joint_moments(list(nodes = nodes, models = given))
  })
  list(log_p = log_p, moments = moments)
}

normal_kl <- function(p, q) {
  inverse <- solve(q$covariance)
  off <- q$mean - p$mean
  log_ratio <- determinant(q$covariance)$modulus[1] - determinant(p$covariance)$modulus[1]
  (sum(diag(inverse %*% p$covariance)) + sum(off * inverse %*% off) - length(off) + log_ratio) / 2
}

normal_entropy_of <- function(covariance) {
  (determinant(covariance)$modulus[1] + ncol(covariance) * (1 + log(2 * pi))) / 2
}

# Sums of p (log p - log q), where p is 0, 0.
sum_of_logs <- function(p, log_ratio) sum(p[p > 0] * log_ratio[p > 0])
