# Experiments, and all networks of few nodes.

# Columns of these types, in which two nodes were set in some rows, and by chance in some together.
set_frame <- function(rows, discrete, continuous = 0, seed = 1) {
  data <- rlang::set_names(random_frame(rows, discrete, continuous, seed),
                           paste0("v", seq_len(discrete + continuous)))
  withr::local_seed(seed)
  set <- list(v1 = sort(sample(rows, rows / 4)), v3 = sort(sample(rows, rows / 3)))
  for (node in names(set)) data[[node]][set[[node]]] <- sample(data[[node]], length(set[[node]]))
  list(data = data, set = set)
}

all_dags <- function(n) {
  cells <- which(row(diag(n)) != col(diag(n)))
  all <- lapply(seq_len(2^length(cells)) - 1, function(code) {
    a <- matrix(0, n, n)
    a[cells] <- bitwAnd(code, 2^(seq_along(cells) - 1)) > 0
    a
  })
  Filter(function(a) {
    if (any(a * t(a) > 0)) return(FALSE)
    length(topological_order(apply(a == 1, 2, which, simplify = FALSE))) == n
  }, all)
}

# The score of every network, each node by the rows in which it was not set. `score` has all its
# parameters.
score_all_dags <- function(dags, data, set, score) {
  nodes <- names(data)
  known <- new.env()
  local_score <- function(v, parents) {
    key <- paste(v, paste(parents, collapse = ","))
    if (is.null(known[[key]])) {
      graph <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
      graph[parents, v] <- 1
      rows <- setdiff(seq_len(nrow(data)), set[[nodes[v]]])
      all <- suppressMessages(score_network(graph, data[rows, ], score, by_node = TRUE))
      known[[key]] <- all[[v]]
    }
    known[[key]]
  }
  vapply(dags, function(a) {
    sum(vapply(seq_along(nodes), function(v) local_score(v, which(a[, v] == 1)), 0))
  }, 0)
}
