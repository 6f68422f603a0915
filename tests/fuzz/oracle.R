# Right answers by brute force: all directed acyclic graphs of up to 5 nodes, and all rows of a
# joint distribution. A set of parents is a mask, a number whose bits are nodes.

bit <- function(v) 2L^(v - 1L)

remembered <- new.env()

# A row a graph, a column a node: its parents.
all_dags <- function(n) {
  key <- paste("dags", n)
  if (is.null(remembered[[key]])) {
    options <- lapply(seq_len(n), function(v) {
      masks <- seq_len(2^n) - 1L
      masks[bitwAnd(masks, bit(v)) == 0L]
    })
    graphs <- unname(as.matrix(expand.grid(options)))
    left <- rep(2L^n - 1L, nrow(graphs))
    for (round in seq_len(n)) for (v in seq_len(n)) {
      free <- bitwAnd(left, bit(v)) > 0L & bitwAnd(graphs[, v], as.integer(left)) == 0L
      left[free] <- left[free] - bit(v)
    }
    remembered[[key]] <- graphs[left == 0L, , drop = FALSE]
  }
  remembered[[key]]
}

count_bits <- function(mask) {
  bits <- 0L
  while (any(mask > 0L)) {
    bits <- bits + mask %% 2L
    mask <- mask %/% 2L
  }
  bits
}

# The ancestors of each node, as masks.
ancestors_of <- function(dags) {
  n <- ncol(dags)
  above <- dags
  for (round in seq_len(n)) for (v in seq_len(n)) for (u in seq_len(n)) {
    is_above <- bitwAnd(above[, v], as.integer(bit(u))) > 0L
    above[is_above, v] <- bitwOr(above[is_above, v], dags[is_above, u])
  }
  above
}

# The tree-width of the moral graph of each graph: that of each moral graph, once.
widths_of <- function(dags) {
  n <- ncol(dags)
  key <- paste("widths", n)
  if (is.null(remembered[[key]])) {
    moral <- apply(dags, 1L, moral_neighbours)
    moral <- matrix(moral, n)
    label <- apply(moral, 2L, paste, collapse = " ")
    first <- which(!duplicated(label))
    width <- apply(moral[, first, drop = FALSE], 2L, width_of_graph)
    remembered[[key]] <- width[match(label, label[first])]
  }
  remembered[[key]]
}

moral_neighbours <- function(parents) {
  n <- length(parents)
  near <- integer(n)
  for (v in seq_len(n)) {
    family <- which(bitwAnd(parents[v] + as.integer(bit(v)), as.integer(bit(seq_len(n)))) > 0L)
    for (u in family) near[u] <- bitwOr(near[u], as.integer(sum(bit(setdiff(family, u)))))
  }
  near
}

# By all orders of elimination.
width_of_graph <- function(near) {
  left <- which(near >= 0L)
  eliminate <- function(near, left, width) {
    if (length(left) <= width + 1L) return(width)
    best <- length(near)
    for (v in left) {
      around <- near[v]
      degree <- count_bits(around)
      others <- setdiff(left, v)
      joined <- near
      for (u in others) {
        if (bitwAnd(around, as.integer(bit(u))) > 0L) {
          joined[u] <- bitwAnd(bitwOr(near[u], around), bitwNot(as.integer(bit(u) + 0)))
          joined[u] <- bitwAnd(joined[u], bitwNot(as.integer(bit(v))))
        }
      }
      best <- min(best, eliminate(joined, others, max(width, degree)))
    }
    best
  }
  eliminate(near, left, 0L)
}

# The total of each graph. `tables`: by node, the local score of every mask, -Inf if it has none.
totals_of <- function(dags, tables) {
  total <- numeric(nrow(dags))
  for (v in seq_along(tables)) total <- total + tables[[v]][dags[, v] + 1L]
  total
}

# One label an equivalence class: skeleton and colliders.
class_label <- function(parents) {
  n <- length(parents)
  arc <- outer(seq_len(n), seq_len(n), function(u, v) {
    bitwAnd(parents[v], as.integer(bit(u))) > 0L
  })
  joined <- arc | t(arc)
  colliders <- character()
  for (v in seq_len(n)) {
    into <- which(arc[, v])
    for (a in into) for (b in into[into > a]) {
      if (!joined[a, b]) colliders <- c(colliders, paste(a, v, b))
    }
  }
  paste(c(which(joined), "|", colliders), collapse = " ")
}

# ---- local scores, from their definitions -------------------------------------------------------

mask_members <- function(mask, n) which(bitwAnd(as.integer(mask), as.integer(bit(seq_len(n)))) > 0L)

# By node, of all masks. Of scores that are not written out here, what score_network() says.
score_tables <- function(d, label) {
  n <- length(d)
  lapply(seq_len(n), function(v) {
    vapply(seq_len(2^n) - 1L, function(mask) {
      parents <- mask_members(mask, n)
      if (v %in% parents) return(-Inf)
      if (is.factor(d[[v]]) && label == "bic-cg" && !all(vapply(d[parents], is.factor, NA))) {
        return(-Inf)
      }
      local_score(d, v, parents, label)
    }, 0)
  })
}

local_score <- function(d, v, parents, label) {
  switch(label,
    bde = , bic = , aic = , loglik = , k2 = discrete_score(d, v, parents, label),
    "bic-g" = , "loglik-g" = normal_score(d, v, parents, label),
    {
      arcs <- matrix(0L, length(d), length(d), dimnames = list(names(d), names(d)))
      arcs[parents, v] <- 1L
      suppressMessages(optbn::score_network(arcs, d, label, by_node = TRUE))[[v]]
    }
  )
}

discrete_score <- function(d, v, parents, label) {
  r <- nlevels(d[[v]])
  q <- prod(vapply(d[parents], nlevels, 0L))
  counts <- matrix(table(d[c(v, parents)]), r, q)
  totals <- colSums(counts)
  a <- switch(label, bde = 1 / (r * q), k2 = 1)
  if (!is.null(a)) {
    return(sum(lgamma(r * a) - lgamma(r * a + totals)) + sum(lgamma(a + counts) - lgamma(a)))
  }
  likelihood <- sum(ifelse(counts > 0, counts * log(counts / rep(totals, each = r)), 0))
  likelihood - switch(label, bic = log(nrow(d)) / 2, aic = 1, loglik = 0) * (r - 1) * q
}

normal_score <- function(d, v, parents, label) {
  x <- cbind(1, as.matrix(d[parents]))
  residuals <- stats::lm.fit(x, d[[v]])$residuals
  sd <- sqrt(sum(residuals^2) / (nrow(d) - ncol(x)))
  likelihood <- sum(stats::dnorm(residuals, 0, sd, log = TRUE))
  likelihood - if (label == "bic-g") log(nrow(d)) / 2 * (ncol(x) + 1) else 0
}

# The tables of candidate sets: only these have a score.
tables_of_sets <- function(sets) {
  n <- length(sets$nodes)
  lapply(seq_len(n), function(v) {
    node <- sets_of(sets, v)
    masks <- vapply(node$parents, function(p) sum(bit(p)), 0)
    replace(rep(-Inf, 2^n), masks + 1, node$score)
  })
}

# Scores and members (numbers) of a node's sets.
sets_of <- function(sets, v) {
  node <- sets$sets[[v]]
  number <- factor(rep(seq_along(node$size), node$size), levels = seq_along(node$size))
  list(score = node$score, parents = unname(split(node$parents, number)))
}

mask_of_network <- function(network) {
  nodes <- names(network$nodes)
  vapply(network$nodes, function(node) as.integer(sum(bit(match(node$parents, nodes)))), 0L)
}

# ---- joint distributions ------------------------------------------------------------------------

# All rows, and the probability of each, from the tables of a fitted network.
joint_of_fit <- function(fit) {
  rows <- expand.grid(fit$levels, stringsAsFactors = FALSE)
  p <- rep(1, nrow(rows))
  for (node in fit$nodes) {
    table <- optbn::local_model(fit, node)$prob
    at <- as.matrix(rows[c(node, fit$parents[[node]])])
    p <- p * table[cbind_index(at, fit$levels[c(node, fit$parents[[node]])])]
  }
  list(rows = rows, p = p)
}

cbind_index <- function(labels, levels) {
  index <- labels
  for (i in seq_along(levels)) index[, i] <- match(labels[, i], levels[[i]])
  storage.mode(index) <- "integer"
  unname(index)
}

joint_of_density <- function(model) {
  rows <- expand.grid(model$levels, stringsAsFactors = FALSE)
  list(rows = rows, p = exp(optbn::log_density(model, rows)))
}

# How much each row weighs given evidence, as query() takes it.
evidence_weight <- function(rows, evidence) {
  weight <- rep(1, nrow(rows))
  for (node in names(evidence)) {
    said <- evidence[[node]]
    weight <- weight * if (is.numeric(said)) said[rows[[node]]] else rows[[node]] %in% said
  }
  weight
}
