# Conditional Gaussian networks with random tables and regressions, and what they say by the
# textbook: a sum over all configurations of the discrete nodes, each with its joint normal.

# `zeros`: the share of cells of the tables that are 0.
random_mixed_fit <- function(discrete = 3L, continuous = 3L, density = 0.6, zeros = 0) {
  n <- discrete + continuous
  nodes <- node_names(n)
  kind <- sample(rep(c("discrete", "continuous"), c(discrete, continuous)))
  order <- sample(n)
  order <- order[order(kind[order] == "continuous")] # discrete ones have discrete parents
  levels <- rlang::set_names(lapply(seq_len(n), function(i) {
    if (kind[i] == "discrete") paste0("l", seq_len(sample(2:3, 1L)))
  }), nodes)
  models <- rlang::set_names(vector("list", n), nodes)
  for (k in seq_len(n)) {
    node <- nodes[order[k]]
    earlier <- nodes[order[seq_len(k - 1L)]]
    parents <- earlier[stats::runif(length(earlier)) < density]
    models[[node]] <- random_local(node, parents, levels, zeros)
  }
  mixed_fit(nodes, levels, models)
}

random_local <- function(node, parents, levels, zeros = 0) {
  continuous <- parents[vapply(levels[parents], is.null, NA)]
  labels <- levels[setdiff(parents, continuous)]
  cells <- prod(lengths(labels))
  if (is.null(levels[[node]])) {
    rows <- c("(Intercept)", continuous)
    coefficients <- matrix(stats::rnorm(length(rows) * cells), length(rows),
                           dimnames = list(rows, as.character(seq_len(cells) - 1)))
    sd <- rlang::set_names(exp(stats::rnorm(cells)), colnames(coefficients))
    return(new_regression(node, parents, labels, continuous, coefficients, sd, integer()))
  }
  size <- length(levels[[node]])
  prob <- matrix(stats::rexp(size * cells) * (stats::runif(size * cells) >= zeros), size)
  prob[1L, colSums(prob) == 0] <- 1
  new_table(node, parents, levels[c(node, parents)], t(t(prob) / colSums(prob)), 0L)
}

mixed_fit <- function(nodes, levels, models) {
  structure(
    list(nodes = nodes, parents = lapply(models, `[[`, "parents"), models = models,
         levels = levels, network = NULL, method = "mle", iss = NULL, n = 1,
         log_likelihood = rlang::set_names(numeric(length(nodes)), nodes),
         prototype = list2DF(lapply(levels, function(labels) {
           if (is.null(labels)) numeric() else factor(character(), labels)
         }))),
    class = "optbn_fit"
  )
}

continuous_nodes <- function(fit) fit$nodes[vapply(fit$levels, is.null, NA)]
discrete_nodes <- function(fit) setdiff(fit$nodes, continuous_nodes(fit))

# By configuration of the discrete nodes (a row of `levels`): the logarithm of its weight, evidence
# included, and mean and covariance of the unknown continuous nodes.
all_configurations <- function(fit, evidence = list()) {
  discrete <- discrete_nodes(fit)
  levels <- expand.grid(fit$levels[discrete], stringsAsFactors = FALSE)
  continuous <- continuous_nodes(fit)
  values <- unlist(evidence[intersect(names(evidence), continuous)])
  unknown <- setdiff(continuous, names(values))
  parts <- lapply(seq_len(nrow(levels)), function(i) {
    codes <- Map(function(labels, label) match(label, labels) - 1L, fit$levels[discrete],
                 levels[i, , drop = FALSE])
    weight <- sum(vapply(discrete, function(node) {
      local_log_density(fit$models[[node]], codes) + log(weight_of(fit, evidence, node, codes))
    }, 0))
    lines <- lapply(fit$models[continuous], function(model) {
      column <- cell_index(codes, lengths(model$levels), 1L)
      new_regression(model$node, model$continuous, list(), model$continuous,
                     model$coefficients[, column, drop = FALSE], model$sd[column], integer())
    })
    moments <- joint_moments(gaussian_fit(continuous, lines))
    if (length(values)) {
      away <- values - moments$mean[names(values)]
      root <- chol(moments$covariance[names(values), names(values), drop = FALSE])
      weight <- weight - sum(backsolve(root, away, transpose = TRUE)^2) / 2 -
        sum(log(diag(root))) - length(values) * log(2 * pi) / 2
    }
    c(list(log_weight = weight), condition_moments(moments, unknown, values))
  })
  list(levels = levels, log_weight = vapply(parts, `[[`, 0, "log_weight"),
       mean = lapply(parts, `[[`, "mean"), covariance = lapply(parts, `[[`, "covariance"))
}

weight_of <- function(fit, evidence, node, codes) {
  known <- evidence[[node]]
  label <- fit$levels[[node]][codes[[node]] + 1L]
  if (is.null(known)) return(1)
  if (is.numeric(known)) known[[label]] else as.double(label %in% known)
}

log_total <- function(logs) max(logs) + log(sum(exp(logs - max(logs))))

# Evidence on some nodes, of every kind.
random_mixed_evidence <- function(fit, share = 0.4) {
  row <- simulate(fit, 1)
  nodes <- fit$nodes[stats::runif(length(fit$nodes)) < share]
  lapply(rlang::set_names(nodes), function(node) {
    labels <- fit$levels[[node]]
    if (is.null(labels)) return(row[[node]])
    switch(sample(3L, 1L),
      as.character(row[[node]]),
      unique(c(as.character(row[[node]]), sample(labels, 2L))),
      rlang::set_names(stats::runif(length(labels)) + 0.1, labels)
    )
  })
}
