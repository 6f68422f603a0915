# What bnlearn's hc() finds for numeric columns with the score bic-g, in minutes at 1,000 columns
# where hc() takes many hours: the same steps, each in the order in which hc() looks at them, with
# the gains of a node's arcs from partial covariances instead of one regression each. The arcs are
# hc()'s at 7, 60 and 120 columns, its score at 500.
climb_gaussian <- function(data) {
  cross <- crossprod(scale(as.matrix(data), scale = FALSE))
  arcs <- matrix(FALSE, ncol(data), ncol(data), dimnames = list(names(data), names(data)))
  path <- paths_along(arcs)
  gains <- vapply(seq_along(data), toggling_gains, numeric(ncol(data)), arcs, cross, nrow(data))
  repeat {
    step <- best_step(arcs, path, gains)
    if (is.null(step)) break
    arcs[step$from, step$to] <- step$kind == "add"
    arcs[step$to, step$from] <- step$kind == "turn"
    if (step$kind == "add") {
      path[path[, step$from], path[step$to, ]] <- TRUE
    } else {
      path <- paths_along(arcs)
    }
    for (node in if (step$kind == "turn") c(step$from, step$to) else step$to) {
      gains[, node] <- toggling_gains(node, arcs, cross, nrow(data))
    }
  }
  network <- bnlearn::empty.graph(names(data))
  bnlearn::amat(network) <- arcs + 0
  network
}

# bnlearn divides the residual sum of squares by the rows less the coefficients.
bic_of_regression <- function(squares, parents, rows) {
  free <- rows - parents - 1
  -rows / 2 * log(2 * pi * squares / free) - free / 2 - log(rows) / 2 * (parents + 2)
}

# What it brings to add, or to drop, the arc from each node to `to`.
toggling_gains <- function(to, arcs, cross, rows) {
  parents <- which(arcs[, to])
  known <- length(parents)
  inverse <- if (known > 0L) solve(cross[parents, parents]) else matrix(0, 0L, 0L)
  of_parents <- cross[parents, , drop = FALSE]
  slopes <- inverse %*% of_parents
  shared <- cross[to, ] - drop(cross[to, parents, drop = FALSE] %*% slopes)
  own <- pmax(diag(cross) - colSums(of_parents * slopes), 0)
  squares <- pmax(shared[to] - shared^2 / own, 0)
  squares[parents] <- shared[to] + slopes[, to]^2 / diag(inverse)
  gains <- bic_of_regression(squares, known + ifelse(arcs[, to], -1L, 1L), rows) -
    bic_of_regression(shared[to], known, rows)
  gains[to] <- -Inf
  gains
}

# hc() tries arcs to add, to drop and to turn, in this order, and takes what is better by this much.
tolerance <- sqrt(.Machine$double.eps)

best_step <- function(arcs, path, gains) {
  absent <- which(!arcs & !t(arcs) & !t(path) & gains > 0, arr.ind = TRUE)
  present <- which(arcs, arr.ind = TRUE)
  turning <- gains[present] + gains[present[, 2:1, drop = FALSE]]
  for (i in which(turning > 0)) if (closes_cycle(present[i, ], arcs, path)) turning[i] <- -Inf
  steps <- list(first_best(gains[absent], absent, "add"),
                first_best(gains[present], present, "drop"),
                first_best(turning, present, "turn"))
  best <- list(gain = 0)
  for (step in steps) if (step$gain - best$gain > tolerance) best <- step
  if (best$gain > 0) best
}

# Is there another path from the first of the arc's ends to the second?
closes_cycle <- function(arc, arcs, path) {
  others <- setdiff(which(arcs[, arc[2L]]), arc[1L])
  any(path[arc[1L], others])
}

# Of those that no other exceeds, the first row by row.
first_best <- function(gains, at, kind) {
  if (length(gains) == 0L) return(list(gain = -Inf))
  best <- which(gains > max(gains) - tolerance)
  first <- best[order(at[best, 1L], at[best, 2L])[1L]]
  list(gain = gains[first], from = at[first, 1L], to = at[first, 2L], kind = kind)
}

# Row by column: is there a directed path? From each node there is one to itself.
paths_along <- function(arcs) {
  path <- diag(TRUE, nrow(arcs))
  waiting <- colSums(arcs)
  open <- which(waiting == 0)
  order <- integer()
  while (length(open) > 0L) {
    children <- which(arcs[open[1L], ])
    order <- c(order, open[1L])
    waiting[children] <- waiting[children] - 1
    open <- c(open[-1L], children[waiting[children] == 0])
  }
  for (node in rev(order)) {
    for (child in which(arcs[node, ])) path[node, ] <- path[node, ] | path[child, ]
  }
  path
}
