test_that("igraph graphs have the nodes and arcs of the network", {
  skip_without_peer("igraph")
  network <- gaussian_network()
  graph <- igraph::as.igraph(network)
  expect_true(igraph::is_directed(graph))
  expect_identical(igraph::V(graph)$name, names(network$nodes))
  expect_identical(unname(igraph::as_edgelist(graph)), unname(network$arcs))

  empty <- igraph::as.igraph(example_network(c("A", "B"), list(integer(), integer())))
  expect_identical(igraph::V(empty)$name, c("A", "B"))
  expect_identical(igraph::ecount(empty), 0)
})

test_that("both packages' as.igraph() give the same graph", {
  skip_without_peer("igraph")
  skip_without_peer("bnlearn")
  network <- discrete_network()
  expect_true(igraph::identical_graphs(igraph::as.igraph(network), bnlearn::as.igraph(network)))
  expect_identical(all.equal(network, bnlearn::as.bn(igraph::as.igraph(network))), TRUE)
})

test_that("fits become graphs as well", {
  skip_without_peer("igraph")
  skip_without_peer("bnlearn")
  network <- discrete_network()
  fit <- bnlearn::bn.fit(network, bnlearn::learning.test)
  expect_true(igraph::identical_graphs(igraph::as.igraph(fit), igraph::as.igraph(network)))
})

test_that("tidy and glance give data frames", {
  skip_without_peer("generics")
  network <- discrete_network()
  expect_identical(generics::tidy(network), as.data.frame(network$arcs))
  row <- generics::glance(network)
  expect_identical(row[-(1:2)], as.data.frame(certificate(network)))
  expect_identical(c(row$nodes, row$arcs), c(6L, 5L))
  expect_identical(generics::glance(certificate(network)), row[-(1:2)])
})
