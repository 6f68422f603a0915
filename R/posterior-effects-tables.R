# Effects among discrete columns: probabilities after an intervention, a sum over the configurations
# c of the parents of the cause:
#
#   P(y | do(x)) = sum over c of P(c) P(y | x, c).
#
# With the Dirichlet prior of BDeu, iss / (cells) for each cell, P(c) and the P(y | x, c) are
# independent Dirichlet vectors. So the mean of the sum is exact, and so are the variances and
# covariances that intervals come from.

tables_for_effects <- function(encoded, score, call) {
  weights <- encoded$weights %||% rep(1, encoded$rows)
  sizes <- lengths(encoded$levels)
  labels <- labels_of_levels(encoded$levels)
  # For each cell the weights of the rows that are in it.
  indicators <- do.call(cbind, Map(function(codes, size) {
    weights * outer(codes, seq_len(size) - 1L, `==`)
  }, encoded$columns, sizes))
  list(columns = encoded$columns, sizes = sizes, weights = weights, total = encoded$total,
       iss = score$iss %||% 1, indicators = indicators, settings = labels,
       known = lapply(encoded$columns, function(codes) sort(unique(codes)) + 1L),
       cells = data.frame(node = rep(seq_along(sizes), sizes), label = unlist(labels),
                          share = TRUE, indicator = seq_len(sum(sizes))))
}

effects_by_tables <- function(problem, ...) effects_of_settings(problem, adjusted_tables, ...)

adjusted_tables <- function(parents, problem, cause) {
  r <- problem$sizes[[cause]]
  of_node <- problem$sizes[problem$cells$node]
  possible <- prod(problem$sizes[parents])
  alpha <- problem$iss / (possible * r)
  counts <- counts_by_configuration(parents, problem, cause)
  conditional <- sweep(counts$cells, 3L, alpha / of_node, `+`) / c(counts$cause + alpha)
  concentration <- c(counts$cause + alpha)
  square <- conditional * (conditional * concentration + 1) / (concentration + 1)
  occupied <- ncol(counts$cause) - 1L
  tables <- moments_over_configurations(conditional, square, colSums(counts$cause) + r * alpha,
                                        rep(c(1, possible - occupied), c(occupied, 1L)))
  without_effect(tables, which(problem$cells$node %in% parents), problem)
}

# Weights of rows, by level of the cause (row), configuration of the parents (column) and, in
# `cells`, level of an outcome. The last configuration stands for all those without a row.
counts_by_configuration <- function(parents, problem, cause) {
  r <- problem$sizes[[cause]]
  configuration <- configuration_of_rows(problem, parents)
  columns <- max(configuration) + 2L
  group <- configuration * r + problem$columns[[cause]] + 1L
  indicators <- problem$indicators[, problem$cells$indicator, drop = FALSE]
  sums <- rowsum(cbind(problem$weights, indicators), group, reorder = FALSE)
  counts <- matrix(0, r * columns, ncol(sums))
  counts[as.integer(rownames(sums)), ] <- sums
  list(cause = matrix(counts[, 1L], r),
       cells = array(counts[, -1L], c(r, columns, ncol(indicators))))
}

# From 0, numbered as they come.
configuration_of_rows <- function(problem, parents) {
  code <- 0
  for (v in parents) {
    code <- code * problem$sizes[v] + problem$columns[[v]]
    code <- match(code, unique(code)) - 1
  }
  rep_len(code, length(problem$weights))
}

# Sums over configurations c of P(c) m[level, c, cell]. The P(c) have a Dirichlet distribution with
# weights a[c] and sum A, and so E(P(c) P(d)) = a[c] (a[d] + (c == d)) / (A (A + 1)); the m are
# independent, with these means and mean squares. Configuration c stands for times[c] like it.
moments_over_configurations <- function(mean, square, a, times) {
  r <- dim(mean)[1L]
  total <- sum(times * a)
  of_level <- function(x, i) matrix(x[i, , ], length(a))
  sums <- matrix(0, r, dim(mean)[3L])
  covariance <- array(0, c(r, r, dim(mean)[3L]))
  for (i in seq_len(r)) {
    sums[i, ] <- colSums(times * a * of_level(mean, i))
    for (j in seq_len(i)) {
      # of a number with itself, the mean square is not the square of the mean
      diagonal <- if (i == j) {
        (a + 1) * of_level(square, i) - a * of_level(mean, i)^2
      } else {
        of_level(mean, i) * of_level(mean, j)
      }
      of_pair <- colSums(times * a * diagonal) - sums[i, ] * sums[j, ] / total
      covariance[i, j, ] <- covariance[j, i, ] <- of_pair / (total * (total + 1))
    }
  }
  list(mean = sums / total, covariance = covariance)
}

# Outcomes among the parents of the cause keep the distribution that they have.
without_effect <- function(tables, cells, problem) {
  if (length(cells) == 0L) return(tables)
  total <- problem$total + problem$iss
  counts <- colSums(problem$indicators[, problem$cells$indicator[cells], drop = FALSE])
  mean <- (counts + problem$iss / problem$sizes[problem$cells$node[cells]]) / total
  r <- nrow(tables$mean)
  tables$mean[, cells] <- rep(mean, each = r)
  tables$covariance[, , cells] <- rep(mean * (1 - mean) / (total + 1), each = r^2)
  tables
}
