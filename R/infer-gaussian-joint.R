# Linear Gaussian networks: what some nodes tell of the others.
#
# Node i is x_i = a_i + sum_j b_ji x_j + s_i e_i over its parents j: intercept,
# slopes, spread, and an independent standard normal *disturbance* e_i. All
# nodes together are multivariate normal (Shachter and Kenley 1989). Their
# covariance matrix is never formed, for two reasons.
#
# The work stays where something is unknown. Once values are observed, the
# density is a product over families in which the observed values are constants:
# the arcs that leave observed nodes are cut. A family without an unknown node is
# a number. Algebra is left for the *unknown* nodes U and the *touched* ones C,
# the observed children of U. Few gaps in a row make U small, little evidence
# makes C small.
#
# Nothing is squared. U and C are linear in their disturbances z:
#   x_U = m_U + L' z,   x_C = m_C + G' z,
# where row k of L and G is how a disturbance of one spread of node k moves the
# nodes, along all directed paths. The factorisation G = Q [R; 0] splits the
# space of z into directions that x_C determines and directions that it leaves
# free. With Q'L = [K; S], K the *gain*, S the *factor*,
#   R' u = x_C - m_C,   E(x_U | x_C) = m_U + K'u,   Cov(x_U | x_C) = S'S,
#   log p(x_C) = -(u'u + 2 sum log |R_kk| + |C| log 2 pi) / 2.
# Variances are sums of squares, never differences, and the condition of L is not
# squared as that of L'L would be. Spreads may differ by many orders of magnitude
# in one network; the Householder factorisation stays accurate row by row if
# rows come largest first and columns are pivoted (Cox and Higham 1998). Units
# do not matter: columns of G are scaled to length 1.
#
# One set of unknown nodes costs O(arcs |U| + (|U| + |C|) |C| (|C| + |U|)) time
# and O((|U| + |C|) (|C| + |U|)) memory, whatever the number of rows. Natural
# logarithms.

# `parents` (numbers), `slopes` (in their order): lists by node; `intercept` and
# `spread`: numbers by node, the spreads above 0.
linear_network <- function(nodes, parents, slopes, intercept, spread) {
  list(
    nodes = nodes, parents = parents, slopes = slopes, intercept = intercept, spread = spread,
    order = topological_order(parents), children = children_of(parents)
  )
}

# What the parents leave unexplained of each node, x_i - a_i - sum_j b_ji x_j, in
# the rows of a matrix with a column per node. A missing value counts as 0, which
# tell_unknown() mends.
network_residuals <- function(network, rows) {
  rows[is.na(rows)] <- 0
  residuals <- rows
  for (i in seq_along(network$nodes)) {
    explained <- rows[, network$parents[[i]], drop = FALSE] %*% network$slopes[[i]]
    residuals[, i] <- rows[, i] - network$intercept[i] - explained
  }
  residuals
}

# How a unit disturbance of each unknown node moves the unknown nodes and then
# the touched ones: a row per unknown node, all in topological order.
path_effects <- function(network, unknown, touched) {
  moved <- c(unknown, touched)
  column <- integer(length(network$nodes))
  column[unknown] <- seq_along(unknown)
  effects <- diag(1, length(unknown), length(moved))
  for (k in seq_along(moved)) {
    through <- column[network$parents[[moved[k]]]]
    slopes <- network$slopes[[moved[k]]][through > 0L]
    effects[, k] <- effects[, k] + effects[, through, drop = FALSE] %*% slopes
  }
  effects
}

# The conditional distribution of `asked`, some of the `unknown` nodes, given all
# other nodes of the network, for whatever values these have. Node numbers.
condition_network <- function(network, unknown, asked = unknown) {
  unknown <- network$order[network$order %in% unknown]
  touched <- setdiff(unlist(network$children[unknown]), unknown)
  effects <- path_effects(network, unknown, touched)
  on_asked <- effects[, match(asked, unknown), drop = FALSE]
  on_touched <- effects[, length(unknown) + seq_along(touched), drop = FALSE]

  spread <- network$spread[unknown]
  split <- split_disturbances(
    rbind(spread * on_touched, diag(network$spread[touched], length(touched)))
  )
  turned <- split$turn(rbind(spread * on_asked, matrix(0, length(touched), length(asked))))
  determined <- seq_along(touched)
  list(
    unknown = unknown,
    touched = touched,
    on_asked = on_asked,
    on_touched = on_touched,
    split = split,
    gain = turned[determined, , drop = FALSE],
    factor = turned[length(touched) + seq_along(unknown), , drop = FALSE]
  )
}

# G = Q [R; 0], for columns divided by `unit` and in the order `pivot`; `turn`
# multiplies by Q'.
split_disturbances <- function(observed) {
  if (!ncol(observed)) {
    return(list(unit = numeric(), pivot = integer(), triangle = observed[0L, ],
                turn = identity))
  }
  unit <- sqrt(colSums(observed^2))
  if (!all(is.finite(unit) & unit > 0)) {
    abort_unsound("a variance overflows", "optbn_compiled_gaussian", NULL)
  }
  scaled <- observed * rep(1 / unit, each = nrow(observed))
  rows <- order(rowSums(scaled^2), decreasing = TRUE)
  factorised <- qr(scaled[rows, , drop = FALSE], LAPACK = TRUE)
  list(
    unit = unit,
    pivot = factorised$pivot,
    triangle = qr.R(factorised),
    turn = function(x) qr.qty(factorised, x[rows, , drop = FALSE])
  )
}

# What rows, by their residuals, tell of the unknown nodes: the `mean` of the
# asked ones, a row each, and the `log_density` of the touched ones.
#
# With unknown nodes at 0, a residual r_U is minus the node's mean given its
# observed parents. Along the paths, m_U = -E_UU' r_U and x_C - m_C = r_C + E_UC' r_U.
tell_unknown <- function(given, residuals) {
  split <- given$split
  own <- residuals[, given$unknown, drop = FALSE]
  surprise <- residuals[, given$touched, drop = FALSE] + own %*% given$on_touched
  mean <- -own %*% given$on_asked
  if (!length(given$touched)) return(list(mean = mean, log_density = numeric(nrow(residuals))))
  scaled <- (t(surprise) / split$unit)[split$pivot, , drop = FALSE]
  u <- backsolve(split$triangle, scaled, transpose = TRUE)
  volume <- sum(log(abs(diag(split$triangle))), log(split$unit), log(2 * pi) * nrow(u) / 2)
  list(
    mean = mean + crossprod(u, given$gain),
    log_density = -colSums(u^2) / 2 - volume
  )
}

# Independent draws of the asked nodes given the row with these residuals. The
# disturbances are drawn first and then turned, so that the same random numbers
# give the same draws whichever way the factorisation turns.
draw_unknown <- function(given, residuals, draws) {
  size <- length(given$unknown) + length(given$touched)
  free <- length(given$touched) + seq_along(given$unknown)
  turned <- given$split$turn(matrix(stats::rnorm(size * draws), size, draws))
  told <- tell_unknown(given, residuals)
  told$mean[rep(1L, draws), , drop = FALSE] +
    crossprod(turned[free, , drop = FALSE], given$factor)
}

# The log-density of each row of a matrix with a column per node; what is
# missing is integrated out.
linear_log_density <- function(network, rows) {
  missing <- is.na(rows)
  residuals <- network_residuals(network, rows)
  spread <- rep(network$spread, each = nrow(rows))
  family <- stats::dnorm(residuals, 0, spread, log = TRUE)
  total <- numeric(nrow(rows))
  for (alike in missing_patterns(missing)) {
    unknown <- which(missing[alike[1L], ])
    given <- condition_network(network, unknown, asked = integer())
    told <- tell_unknown(given, residuals[alike, , drop = FALSE])
    whole <- setdiff(seq_along(network$nodes), c(unknown, given$touched))
    total[alike] <- rowSums(family[alike, whole, drop = FALSE]) + told$log_density
  }
  total
}

# Numbers of the rows, grouped by what they lack.
missing_patterns <- function(missing) {
  pattern <- rep(1L, nrow(missing))
  for (column in which(colSums(missing) > 0)) {
    code <- 2L * pattern + missing[, column]
    pattern <- match(code, unique(code))
  }
  # as factor() would make it, without labels for every row
  groups <- structure(pattern, levels = as.character(seq_len(max(pattern, 0L))), class = "factor")
  unname(split(seq_along(pattern), groups))
}
