test_that("compelled arcs are those that all networks of a class have", {
  withr::local_seed(1)
  for (i in 1:40) {
    n <- sample(2:5, 1)
    adjacency <- matrix(0, n, n)
    adjacency[upper.tri(adjacency)] <- rbinom(n * (n - 1) / 2, 1, 0.6)
    order <- sample(n)
    adjacency <- adjacency[order, order]
    in_all <- Reduce(`*`, all_of_class(adjacency))
    dag <- list(nodes = LETTERS[1:n], parents = apply(adjacency == 1, 2, which, simplify = FALSE))
    arcs <- label_arcs(dag)
    expect_identical(nrow(arcs), as.integer(sum(adjacency)))
    expect_identical(arcs$compelled, in_all[cbind(arcs$from, arcs$to)] == 1)
  }
})

test_that("compelled arcs are bnlearn's", {
  skip_without_peer("bnlearn")
  withr::local_seed(2)
  for (i in 1:30) {
    nodes <- paste0("N", 1:sample(2:25, 1))
    network <- bnlearn::random.graph(nodes, method = "ordered", prob = runif(1))
    dag <- as_network_structure(network)
    arcs <- label_arcs(dag)
    arcs <- arcs[arcs$compelled, ]
    directed <- bnlearn::directed.arcs(bnlearn::cpdag(network))
    expect_setequal(paste(dag$nodes[arcs$from], dag$nodes[arcs$to]),
                    paste(directed[, 1], directed[, 2]))
  }
})

test_that("a network without arcs has none that are compelled", {
  expect_identical(nrow(label_arcs(list(nodes = "A", parents = list(integer())))), 0L)
})
