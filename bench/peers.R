# Other packages, as benchmarks call them.

# Exact structure learning of bnstruct: the dynamic program of Silander & Myllymaki (2006), BDeu
# with imaginary sample size 1. An adjacency matrix.
learn_with_bnstruct <- function(data, max_parents) {
  codes <- vapply(data, as.integer, integer(nrow(data)))
  set <- bnstruct::BNDataset(codes, discreteness = rep("d", ncol(data)), variables = names(data),
                             node.sizes = vapply(data, nlevels, 1L))
  network <- suppressMessages(
    bnstruct::learn.structure(bnstruct::BN(set), set, algo = "sm", scoring.func = "BDeu", ess = 1,
                              max.parents = max_parents)
  )
  adjacency <- bnstruct::dag(network)
  dimnames(adjacency) <- list(names(data), names(data))
  adjacency
}

# bnlearn scores whole networks. In a random order every node takes random predecessors, as many as
# there may be, which makes each network a sample of families.
random_networks <- function(nodes, count, max_parents) {
  replicate(count, simplify = FALSE, {
    order <- sample(nodes)
    parents <- lapply(seq_along(order), function(i) {
      sample(order[seq_len(i - 1L)], min(i - 1L, max_parents))
    })
    graph <- bnlearn::empty.graph(nodes)
    bnlearn::arcs(graph) <- cbind(from = unlist(parents), to = rep(order, lengths(parents)))
    graph
  })
}

# A matrix: scores by node (rows) and network.
score_with_bnlearn <- function(networks, data, score, ...) {
  vapply(networks, bnlearn::score, numeric(ncol(data)), data = data, type = score, by.node = TRUE,
         ...)
}

varies <- function(data) data[vapply(data, function(x) length(unique(x)) > 1L, NA)]

bnlearn_data <- function(name) {
  shelf <- new.env()
  utils::data(list = name, package = "bnlearn", envir = shelf)
  shelf[[name]]
}

# The first rows (-1: all) of NAME.PART.data.gz in a folder of data for density estimation.
binary_data <- function(name, rows, folder, part = "train") {
  file <- gzfile(file.path(folder, paste0(name, ".", part, ".data.gz")))
  data <- varies(utils::read.csv(file, header = FALSE, nrows = rows))
  data[] <- lapply(data, factor)
  data
}
