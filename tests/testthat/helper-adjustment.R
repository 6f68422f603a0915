# Adjustment by definition: every path of a small network is looked at. Networks are adjacency
# matrices, nodes are numbers.

random_dag_matrix <- function(n, density = 0.5) {
  nodes <- node_names(n)
  a <- matrix(0L, n, n, dimnames = list(nodes, nodes))
  parents <- random_parents(n, density)
  for (v in seq_len(n)) a[parents[[v]], v] <- 1L
  a
}

# All networks with the same skeleton and v-structures.
all_of_class <- function(adjacency) {
  pairs <- which(adjacency == 1, arr.ind = TRUE)
  colliders <- function(a) {
    found <- character()
    for (v in seq_len(ncol(a))) {
      above <- which(a[, v] == 1)
      for (x in above) for (y in above) {
        if (x < y && a[x, y] + a[y, x] == 0) found <- c(found, paste(x, v, y))
      }
    }
    sort(found)
  }
  acyclic <- function(a) {
    length(topological_order(apply(a == 1, 2, which, simplify = FALSE))) == ncol(a)
  }
  turned <- lapply(seq_len(2^nrow(pairs)) - 1, function(code) {
    a <- adjacency
    turn <- pairs[bitwAnd(code, 2^(seq_len(nrow(pairs)) - 1)) > 0, , drop = FALSE]
    a[turn] <- 0L
    a[turn[, 2:1, drop = FALSE]] <- 1L
    a
  })
  Filter(function(a) acyclic(a) && identical(colliders(a), colliders(adjacency)), turned)
}

# All paths from x to any of y, as vectors of nodes.
all_paths <- function(a, x, y) {
  skeleton <- a + t(a) > 0
  walk <- function(path) {
    last <- path[length(path)]
    more <- setdiff(which(skeleton[last, ]), path)
    c(if (last %in% y) list(path), unlist(lapply(more, function(v) walk(c(path, v))), FALSE))
  }
  walk(x)
}

descendants_in <- function(a, nodes) {
  repeat {
    more <- setdiff(which(colSums(a[nodes, , drop = FALSE]) > 0), nodes)
    if (!length(more)) return(nodes)
    nodes <- c(nodes, more)
  }
}

is_causal_path <- function(a, path) {
  all(a[cbind(path[-length(path)], path[-1])] == 1)
}

is_blocked_path <- function(a, path, z) {
  for (i in seq_along(path)[-c(1, length(path))]) {
    v <- path[i]
    collider <- a[path[i - 1], v] == 1 && a[path[i + 1], v] == 1
    blocks <- if (collider) !any(descendants_in(a, v) %in% z) else v %in% z
    if (blocks) return(TRUE)
  }
  FALSE
}

# Shpitser, VanderWeele and Robins (2010): z has no descendant of a node, other than x, of a proper
# causal path, and blocks all other proper paths.
adjusts_by_definition <- function(a, x, y, z) {
  paths <- unlist(lapply(x, function(v) all_paths(a, v, y)), FALSE)
  proper <- Filter(function(path) !any(path[-1] %in% x), paths)
  causal <- vapply(proper, is_causal_path, NA, a = a)
  inner <- unlist(lapply(proper[causal], `[`, -1))
  !any(z %in% descendants_in(a, unique(inner))) &&
    all(vapply(proper[!causal], is_blocked_path, NA, a = a, z = z))
}

# Pearl's criterion, for several nodes x in the form of Maathuis and Colombo (2015): each one's
# back-door paths are blocked by z and the others.
back_door_by_definition <- function(a, x, y, z) {
  if (any(z %in% descendants_in(a, x))) return(FALSE)
  all(vapply(x, function(v) {
    paths <- Filter(function(path) a[path[2], v] == 1, all_paths(a, v, y))
    all(vapply(paths, is_blocked_path, NA, a = a, z = c(z, setdiff(x, v))))
  }, NA))
}

all_subsets <- function(nodes) {
  lapply(seq_len(2^length(nodes)) - 1, function(code) {
    nodes[bitwAnd(code, 2^(seq_along(nodes) - 1)) > 0]
  })
}
