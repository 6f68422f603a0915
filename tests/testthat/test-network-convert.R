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

test_that("igraph draws a network as plot() does: places, names, boxes", {
  skip_without_peer("igraph")
  network <- discrete_network()
  graph <- igraph::as.igraph(network)
  nodes <- network_picture(network, NULL, NULL, igraph_region)$nodes
  expect_equal(graph$layout, cbind(nodes$x, nodes$y))
  expect_identical(igraph::V(graph)$label, names(network$nodes))
  # Boxes in one row keep apart on igraph's square, which is 200 wide.
  across <- 200 * (nodes$x - min(nodes$x)) / diff(range(nodes$x))
  for (row in split(seq_along(across), round(nodes$y, 6))) {
    row <- row[order(across[row])]
    half <- igraph::V(graph)$size[row] / 2
    expect_true(all(diff(across[row]) > half[-1] + half[-length(half)]))
  }
  withr::local_pdf(NULL)
  expect_silent(plot(graph))
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

# Networks and classes, random ones.
some_networks <- function(count) {
  unlist(lapply(seq_len(count), function(i) {
    a <- random_dag_matrix(sample(1:7, 1), 0.4)
    of_class <- Reduce(`+`, all_of_class(a)) > 0
    list(as_network(a), as_network(of_class * 1))
  }), recursive = FALSE)
}

same_network <- function(a, b) {
  nodes <- names(a$nodes)
  setequal(nodes, names(b$nodes)) &&
    identical(unclass(as_amat(a))[nodes, nodes], unclass(as_amat(b))[nodes, nodes])
}

test_that("networks and classes return from every form as they were", {
  withr::local_seed(1)
  for (network in some_networks(15)) {
    expect_identical(as_network(network), network)
    expect_identical(as_network(as_dagitty(network)), network)
    expect_identical(as_network(structure(as_dagitty(network), class = "dagitty")), network)
    expect_identical(as_network(as_amat(network)), network)
    expect_identical(as_network(t(unclass(as_amat(network)))), network)
  }
})

test_that("networks return from graphs of igraph and of graph", {
  skip_without_peer("igraph")
  withr::local_seed(2)
  for (network in some_networks(10)) {
    graph <- igraph::graph_from_data_frame(as.data.frame(network$arcs),
                                           vertices = data.frame(name = names(network$nodes)))
    expect_identical(as_network(graph), network)
  }
  plain <- igraph::make_ring(3, directed = FALSE)
  expect_error(as_network(plain), class = "optbn_error_argument")
  igraph::V(plain)$name <- c("A", "B", "C")
  expect_identical(nrow(as_network(plain)$arcs), 6L)
  expect_identical(as_network(igraph::as.igraph(discrete_network()))$arcs,
                   discrete_network()$arcs)
})

test_that("networks return from graphNEL objects", {
  skip_if_not_installed("graph")
  withr::local_seed(3)
  for (network in some_networks(10)) {
    graph <- as_graphnel(network)
    expect_true(methods::validObject(graph))
    expect_identical(graph@nodes, names(network$nodes))
    expect_identical(as_network(graph), network)
  }
})

test_that("bnlearn's networks are the same", {
  skip_without_peer("bnlearn")
  withr::local_seed(4)
  for (repeats in 1:20) {
    theirs <- bnlearn::random.graph(LETTERS[1:6], prob = 0.4)
    class <- bnlearn::cpdag(theirs)
    expect_true(isTRUE(all.equal(as_network(theirs), theirs)))
    ours <- as_network(as_dagitty(class))
    expect_true(isTRUE(all.equal(ours, class)))
    expect_identical(lapply(ours$nodes, function(node) lapply(node, sort)),
                     lapply(class$nodes, function(node) lapply(node, sort))[names(ours$nodes)])
    expect_identical(bnlearn::modelstring(as_network(as_amat(theirs))),
                     bnlearn::modelstring(theirs))
  }
})

test_that("pcalg's objects are read, whatever package is there", {
  graph <- methods::setClass("made_up_graph", where = environment(), representation = list(
    nodes = "character", edgeL = "list", graphData = "list"
  ))
  one <- graph(nodes = c("A", "B"), edgeL = list(A = list(edges = 2L), B = list(edges = 1L)),
               graphData = list(edgemode = "directed"))
  expect_identical(parts_of_graph.graphNEL(one, NULL)$undirected$to, 2L)
  learned <- list(.nodes = c("A", "B", "C"), .in.edges = list(integer(), c(1L, 3L), 2L))
  expect_identical(as_network(structure(learned, class = "EssGraph"))$arcs,
                   cbind(from = c("A", "B", "C"), to = c("B", "C", "B")))
  methods::removeClass("made_up_graph", where = environment())
})

test_that("models are read as their networks", {
  fit <- titanic_fit()
  network <- as_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]")
  expect_true(same_network(as_network(fit), network))
  expect_identical(as_dagitty(fit), as_dagitty(as_network(fit)))
  expect_identical(as_network(intervene(fit, list(Sex = "Male")))$nodes$Sex$parents, character())
})

test_that("what is no graph is refused, and why is said", {
  two <- matrix(c(0, 2, 2, 0), 2, dimnames = list(c("A", "B"), c("A", "B")))
  expect_snapshot(error = TRUE, {
    as_network(1)
    as_network("A -> B")
    as_network(structure(two, class = "amat", type = "pag"))
    as_network(structure(list(.nodes = c("A", "A"), .in.edges = list(1L, 2L)), class = "ParDAG"))
    as_dagitty("A")
    as_dagitty(matrix(0, 1, 1, dimnames = list("a\"", "a\"")))
    as_amat(7)
    as_graphnel()
  })
})
