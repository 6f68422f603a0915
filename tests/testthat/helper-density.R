# Small density models made at random, and what summing over all rows says of them. Bodies are read
# here a second way, from place to place and member by member.

# `class`: "optbn_cutset_network", "optbn_latent_tree" or "optbn_mixture". Some probabilities are
# 0 if `zeros` is above 0. `types` makes columns of several types.
random_density <- function(class = "optbn_cutset_network", n = 5L, most_levels = 3L, zeros = 0,
                           types = FALSE, components = 3L, depth = 2L) {
  nodes <- node_names(n)
  kind <- if (types) {
    sample(c("factor", "ordered", "character", "logical", "integer"), n, replace = TRUE)
  } else {
    rep("factor", n)
  }
  levels <- lapply(kind, function(kind) {
    switch(kind, logical = c("FALSE", "TRUE"), integer = c("0", "1"),
           letters[seq_len(sample(2:most_levels, 1L))])
  })
  prototype <- Map(function(kind, levels) {
    switch(kind, factor = factor(character(), levels),
           ordered = factor(character(), levels, ordered = TRUE),
           character = character(), logical = logical(), integer = integer())
  }, kind, levels)
  sizes <- lengths(levels)
  count <- if (class == "optbn_mixture") components else 1L
  weights <- stats::rexp(count)
  bodies <- lapply(seq_len(count), function(i) {
    latent <- class == "optbn_latent_tree" || (class == "optbn_mixture" && i == 2L)
    random_body(sizes, if (latent) 0L else depth, latent, zeros)
  })
  new_density(class, nodes, rlang::set_names(levels, nodes),
              list2DF(rlang::set_names(prototype, nodes)), weights / sum(weights), bodies,
              example_learning())
}

example_learning <- function(...) {
  utils::modifyList(
    list(learner = "learn_cutset", algorithm = "dcsn",
         settings = list(prior = "joint", alpha = 0.1, min_rows = 200, screen = 20), n = 2201,
         log_likelihood = -5432.1, validation = -2.5, seconds = 0.0123, status = "finished"),
    list(...)
  )
}

random_distribution <- function(k, zeros = 0) {
  p <- stats::rexp(k) * (stats::runif(k) >= zeros)
  if (sum(p) == 0) p[1L] <- 1
  p / sum(p)
}

# Cuts down to `depth` at most, not everywhere; every leaf has at least one variable.
random_body <- function(sizes, depth, latent = FALSE, zeros = 0) {
  body <- list(cut = 0L, first = 0L, weight = 1)
  scopes <- list(seq_along(sizes))
  depths <- 0L
  place <- 1L
  leaves <- list()
  while (place <= length(body$cut)) {
    scope <- scopes[[place]]
    cut <- depths[place] < depth && length(scope) > 1L && (place == 1L || stats::runif(1) < 0.7)
    if (cut) {
      variable <- scope[sample(length(scope), 1L)]
      k <- sizes[variable]
      body$cut[place] <- variable
      body$first[place] <- length(body$cut) + 1L
      body$cut <- c(body$cut, rep(0L, k))
      body$first <- c(body$first, rep(0L, k))
      body$weight <- c(body$weight, random_distribution(k, zeros))
      scopes <- c(scopes, rep(list(setdiff(scope, variable)), k))
      depths <- c(depths, rep(depths[place] + 1L, k))
    } else {
      leaves <- c(leaves, list(random_leaf(scope, sizes, latent, zeros)))
      body$first[place] <- length(leaves)
    }
    place <- place + 1L
  }
  gather <- function(what) unlist(lapply(leaves, `[[`, what))
  c(body, list(members = vapply(leaves, function(leaf) length(leaf$variable), 0L),
               variable = gather("variable"), states = gather("states"),
               parent = gather("parent"), tables = gather("tables")))
}

# A forest over the variables in random order; with hidden ones among them if latent.
random_leaf <- function(scope, sizes, latent, zeros) {
  variable <- c(scope, if (latent) rep(0L, max(1L, length(scope) - 2L)))
  variable <- variable[sample(length(variable))]
  states <- ifelse(variable > 0L, sizes[pmax(variable, 1L)],
                   sample(2:3, length(variable), replace = TRUE))
  parent <- vapply(seq_along(variable), function(i) {
    if (i == 1L || stats::runif(1) < 0.1) 0L else sample(i - 1L, 1L)
  }, 0L)
  tables <- lapply(seq_along(variable), function(i) {
    blocks <- if (parent[i] == 0L) 1L else states[parent[i]]
    unlist(lapply(seq_len(blocks), function(b) random_distribution(states[i], zeros)))
  })
  list(variable = as.integer(variable), states = as.integer(states), parent = parent,
       tables = unlist(tables))
}

# P(row) for a row of level numbers from 1.
row_probability <- function(model, row) {
  parts <- vapply(model$components, body_probability, 0, row = row)
  sum(model$weights * parts)
}

body_probability <- function(body, row) {
  place <- 1L
  p <- 1
  while (body$cut[place] > 0L) {
    place <- body$first[place] + row[body$cut[place]] - 1L
    p <- p * body$weight[place]
  }
  leaf <- body$first[place]
  before <- sum(body$members[seq_len(leaf - 1L)])
  members <- before + seq_len(body$members[leaf])
  size <- function(m) body$states[m] * (if (body$parent[m] > 0L) body$states[parent_of(m)] else 1L)
  parent_of <- function(m) { # members of other leaves come before and have their own counts
    owner <- findInterval(m - 1L, cumsum(c(0L, body$members)))
    sum(body$members[seq_len(owner - 1L)]) + body$parent[m]
  }
  begins <- cumsum(c(0, vapply(seq_along(body$variable), size, 0)))
  hidden <- members[body$variable[members] == 0L]
  states <- expand.grid(lapply(body$states[hidden], seq_len))
  of_states <- vapply(seq_len(max(1L, nrow(states))), function(s) {
    level <- integer(length(body$variable))
    level[hidden] <- unlist(states[s, ])
    seen <- setdiff(members, hidden)
    level[seen] <- row[body$variable[seen]]
    prod(vapply(members, function(m) {
      above <- if (body$parent[m] > 0L) level[parent_of(m)] else 1L
      body$tables[begins[m] + (above - 1L) * body$states[m] + level[m]]
    }, 0))
  }, 0)
  p * sum(of_states)
}

# All rows, and their probabilities: what weigh_rows() and sum_rows() take.
enumerate_density <- function(model) {
  rows <- expand.grid(model$levels, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  codes <- as.matrix(expand.grid(lapply(model$levels, seq_along)))
  list(rows = rows, p = apply(codes, 1L, row_probability, model = model))
}

# A model of four variables whose tree of cuts and whose leaves are known: Smoker is cut, then, for
# smokers, Cough.
example_cutset <- function(...) {
  levels <- list(Smoker = c("no", "yes"), Cough = c("never", "some", "often"),
                 Age = c("young", "old"), Test = c("FALSE", "TRUE"))
  prototype <- data.frame(Smoker = factor(character(), levels$Smoker),
                          Cough = factor(character(), levels$Cough, ordered = TRUE),
                          Age = character(), Test = logical())
  body <- list(
    cut = c(1L, 0L, 2L, 0L, 0L, 0L), first = c(2L, 1L, 4L, 2L, 3L, 4L),
    weight = c(1, 0.75, 0.25, 0.5, 0.3, 0.2), members = c(3L, 2L, 2L, 2L),
    variable = c(2L, 3L, 4L, 3L, 4L, 4L, 3L, 3L, 4L),
    states = c(3L, 2L, 2L, 2L, 2L, 2L, 2L, 2L, 2L),
    parent = c(0L, 1L, 2L, 0L, 1L, 0L, 1L, 0L, 0L),
    tables = c(c(0.6, 0.3, 0.1), c(0.5, 0.5, 0.4, 0.6, 0.2, 0.8), c(0.9, 0.1, 0.7, 0.3),
               c(0.4, 0.6), c(0.8, 0.2, 0.6, 0.4), c(0.5, 0.5), c(0.3, 0.7, 0.1, 0.9),
               c(0.25, 0.75), c(0.5, 0.5))
  )
  new_density("optbn_cutset_network", names(levels), levels, prototype, 1, list(body),
              example_learning(...))
}

# Trees by hand: `parent` by node, 0 for a root.
tree_body <- function(sizes, parent, variable = seq_along(sizes)) {
  tables <- lapply(seq_along(sizes), function(i) {
    blocks <- if (parent[i] == 0L) 1L else sizes[parent[i]]
    unlist(lapply(seq_len(blocks), function(b) random_distribution(sizes[i])))
  })
  list(cut = 0L, first = 1L, weight = 1, members = length(sizes), variable = as.integer(variable),
       states = as.integer(sizes), parent = as.integer(parent), tables = unlist(tables))
}

# ---- networks that an independent program has written down ---------------------------------------

# Variables x0, x1, ...; levels "0", "1", ....
density_of_case <- function(networks, arity, weights = 1) {
  nodes <- paste0("x", seq_along(arity) - 1L)
  levels <- rlang::set_names(lapply(arity, function(k) as.character(seq_len(k) - 1L)), nodes)
  new_density(if (length(networks) > 1L) "optbn_mixture" else "optbn_cutset_network", nodes, levels,
              list2DF(lapply(levels, function(labels) factor(character(), labels)), 0L), weights,
              lapply(networks, body_of_case), example_learning())
}

body_of_case <- function(network) {
  body <- list(cut = integer(), first = integer(), weight = numeric(), members = integer(),
               variable = integer(), states = integer(), parent = integer(), tables = numeric())
  queue <- list(list(node = network, weight = 1))
  begun <- 1L # places that are spoken for
  while (length(queue)) {
    node <- queue[[1L]]$node
    body$weight <- c(body$weight, queue[[1L]]$weight)
    queue <- queue[-1L]
    if (node$type == "or") {
      body$cut <- c(body$cut, as.integer(node$var) + 1L)
      body$first <- c(body$first, begun + 1L)
      begun <- begun + length(node$children)
      queue <- c(queue, Map(function(child, weight) list(node = child, weight = weight),
                            node$children, node$w))
    } else {
      body$cut <- c(body$cut, 0L)
      body$first <- c(body$first, length(body$members) + 1L)
      above <- vapply(node$parent, function(p) if (is.null(p)) -1L else as.integer(p), 0L)
      order <- as.integer(names(above)[above == -1L])
      while (length(order) < length(above)) {
        below <- as.integer(names(above)[above %in% order])
        order <- c(order, setdiff(below, order))
      }
      theta <- node$theta[as.character(order)]
      body$members <- c(body$members, length(order))
      body$variable <- c(body$variable, order + 1L)
      body$states <- c(body$states, unname(vapply(theta, function(t) length(t[[1L]]), 0L)))
      body$parent <- c(body$parent, match(above[as.character(order)], order, nomatch = 0L))
      body$tables <- c(body$tables, numbers(theta))
    }
  }
  body
}
