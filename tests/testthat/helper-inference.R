# Fitted networks small enough to be enumerated, and what enumeration says of them.

titanic_fit <- function(method = "bayes") {
  titanic <- as.data.frame(Titanic)
  fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]", titanic[1:4],
              weights = titanic$Freq, method = method)
}

# Random tables on a random structure. `types` makes columns of some nodes ordered factors,
# character strings and logical values. Part of the table entries are 0.
random_fit <- function(n = 6L, most_levels = 3L, zeros = 0, types = FALSE,
                       parents = random_parents(n)) {
  force(parents)
  nodes <- node_names(n)
  sizes <- sample(2:most_levels, n, replace = TRUE)
  kind <- if (types) sample(c("factor", "ordered", "character", "logical"), n, replace = TRUE)
  levels <- lapply(seq_len(n), function(v) {
    if (identical(kind[v], "logical")) c("FALSE", "TRUE") else letters[seq_len(sizes[v])]
  })
  names(levels) <- nodes
  prototype <- lapply(seq_len(n), function(v) {
    switch(if (types) kind[v] else "factor",
           factor = factor(character(), levels[[v]]),
           ordered = factor(character(), levels[[v]], ordered = TRUE),
           character = character(), logical = logical())
  })
  models <- lapply(seq_len(n), function(v) {
    family <- nodes[c(v, parents[[v]])]
    prob <- matrix(stats::rexp(prod(lengths(levels[family]))), length(levels[[v]]))
    prob[stats::runif(length(prob)) < zeros] <- 0
    prob[1L, colSums(prob) == 0] <- 1
    prob <- array(sweep(prob, 2, colSums(prob), "/"), lengths(levels[family]), levels[family])
    structure(list(node = nodes[v], parents = nodes[parents[[v]]], prob = prob,
                   remarks = integer()),
              class = c("optbn_table", "optbn_local"))
  })
  structure(
    list(nodes = nodes, parents = rlang::set_names(lapply(models, `[[`, "parents"), nodes),
         models = rlang::set_names(models, nodes), levels = levels, network = NULL,
         method = "bayes", iss = 1, n = 1, log_likelihood = rlang::set_names(numeric(n), nodes),
         prototype = list2DF(rlang::set_names(prototype, nodes))),
    class = "optbn_fit"
  )
}

# All rows, and their probabilities.
enumerate <- function(fit) {
  rows <- expand.grid(fit$levels, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  list(rows = rows, p = exp(log_density(fit, rows)))
}

# The weights of all rows given evidence, as query() takes it.
weigh_rows <- function(all, evidence) {
  p <- all$p
  for (node in names(evidence)) {
    value <- evidence[[node]]
    column <- all$rows[[node]]
    p <- p * if (is.numeric(value)) value[column] else column %in% value
  }
  unname(p)
}

# Their joint posterior by summing rows up.
sum_rows <- function(fit, all, p, nodes) {
  index <- lapply(nodes, function(node) factor(all$rows[[node]], fit$levels[[node]]))
  sums <- tapply(p / sum(p), index, sum)
  array(sums, unname(lengths(fit$levels[nodes])), fit$levels[nodes])
}

# Observed, one of several levels, or weighed.
random_evidence <- function(fit, nodes) {
  lapply(rlang::set_names(nodes), function(node) {
    levels <- fit$levels[[node]]
    switch(sample(3L, 1L),
           sample(levels, 1L),
           sample(levels, max(1L, length(levels) - 1L)),
           rlang::set_names(stats::runif(length(levels)), levels))
  })
}
