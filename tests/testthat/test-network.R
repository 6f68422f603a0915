test_that("arcs and neighbourhoods are laid out by node order", {
  network <- example_network(c("z", "a", "m"), list(integer(), 1L, 1:2))
  expect_s3_class(network, c("optbn", "bn"), exact = TRUE)
  expect_identical(
    network$arcs,
    matrix(c("z", "z", "a", "a", "m", "m"), 3, dimnames = list(NULL, c("from", "to")))
  )
  expect_named(network$nodes, c("z", "a", "m"))
  expect_identical(network$nodes$a,
                   list(mb = c("z", "m"), nbr = c("z", "m"), parents = "z", children = "m"))
})

test_that("a network without arcs has an empty arcs matrix", {
  network <- example_network(c("a", "b"), list(integer(), integer()))
  expect_identical(network$arcs,
                   matrix("", 0, 2, dimnames = list(NULL, c("from", "to"))))
  expect_identical(as.character(network), "[a][b]")
  expect_identical(as.data.frame(network), data.frame(from = character(), to = character()))
  expect_identical(as.character(example_network("a", list(integer()))), "[a]")
})

test_that("neighbourhoods agree with their definitions", {
  withr::local_seed(1)
  for (n in c(2, 5, 9)) {
    parents <- random_parents(n)
    nodes <- rev(letters[seq_len(n)])
    network <- example_network(nodes, parents)
    adjacency <- as.matrix(network)
    for (v in nodes) {
      children <- nodes[adjacency[v, ] == 1]
      spouses <- nodes[rowSums(adjacency[, children, drop = FALSE]) > 0]
      neighbours <- nodes[adjacency[v, ] + adjacency[, v] > 0]
      expect_identical(network$nodes[[v]]$children, children)
      expect_identical(network$nodes[[v]]$parents, nodes[adjacency[, v] == 1])
      expect_identical(network$nodes[[v]]$nbr, neighbours)
      expect_setequal(network$nodes[[v]]$mb, setdiff(c(neighbours, spouses), v))
    }
  }
})

test_that("every form of a network is read as the same structure", {
  withr::local_seed(2)
  for (n in c(1, 4, 8)) {
    parents <- random_parents(n)
    nodes <- LETTERS[seq_len(n)]
    network <- example_network(nodes, parents)
    dag <- list(nodes = nodes, parents = parents)
    expect_identical(as_network_structure(network), dag)
    expect_identical(as_network_structure(as.bn.optbn(network)), dag)
    expect_identical(as_network_structure(as.character(network)), dag)
    expect_identical(as_network_structure(as.matrix(network)), dag)
    expect_identical(as_network_structure(as.matrix(network) == 1), dag)
  }
})

test_that("model strings may come in any order, with any names", {
  expect_identical(
    as_network_structure("[y.2|x 1:z-3][z-3|x 1][x 1]"),
    list(nodes = c("x 1", "y.2", "z-3"), parents = list(integer(), c(1L, 3L), 1L))
  )
})

test_that("topological order puts parents first and leaves cycles out", {
  withr::local_seed(3)
  for (n in c(1, 3, 10, 40)) {
    parents <- random_parents(n)
    order <- topological_order(parents)
    expect_setequal(order, seq_len(n))
    rank <- match(seq_len(n), order)
    for (i in seq_len(n)) expect_true(all(rank[parents[[i]]] < rank[i]))
    expect_null(find_cycle(parents))
  }
  # 2 and 3 form a cycle, 4 hangs below it, 1 above.
  cyclic <- list(integer(), c(1L, 3L), 2L, 3L)
  expect_identical(topological_order(cyclic), 1L)
  expect_identical(find_cycle(cyclic), c(2L, 3L, 2L))
  expect_identical(find_cycle(list(1L)), c(1L, 1L))
})

test_that("what is no directed acyclic network is refused", {
  undirected <- as.bn.optbn(discrete_network())
  undirected$arcs <- rbind(undirected$arcs, c("B", "A"))
  matrix_of <- function(...) matrix(c(...), 2, dimnames = list(c("a", "b"), c("a", "b")))
  learn <- function(start) as_network_structure(start, "start")
  expect_snapshot(error = TRUE, {
    learn(undirected)
    learn("[A|C][B|A][C|B]")
    learn("A -> B")
    learn("[A][A|B]")
    learn("[A][B|A:C:D]")
    learn(matrix_of(0, 1, 1, 0))
    learn(matrix_of(1, 0, 0, 0))
    learn(matrix_of(0, 2, 0, 0))
    learn(matrix_of(0, NA, 0, 0))
    learn(diag(3))
    learn(matrix(0, 2, 2, dimnames = list(c("a", "b"), c("b", "a"))))
    learn(matrix(0, 2, 2, dimnames = list(c("a", "a"), c("a", "a"))))
    learn(7)
    learn(NA_character_)
  })
  expect_error(learn(7), class = "optbn_error_argument")
})

test_that("print and summary say what was learned and what is known", {
  expect_snapshot({
    discrete_network()
    summary(discrete_network())
    example_network("A", list(integer()), score_bic(k = 3.10730405))
  })
})

test_that("print says how far from optimal a network can be", {
  nodes <- LETTERS[1:6]
  bounded <- example_record(nodes, status = "bounded", bound = -23994.4, gap = 12.3327,
                            method = "elsa", reason = "time_limit", seconds = 600)
  heuristic <- example_record(nodes, status = "heuristic", bound = Inf, gap = Inf,
                              method = "local", reason = "interrupt")
  expect_snapshot({
    discrete_network(record = bounded)
    discrete_network(record = heuristic)
  })
})

test_that("long model strings are left out", {
  nodes <- sprintf("variable_%02d", 1:20)
  long <- example_network(nodes, rep(list(integer()), 20))
  expect_no_match(format(long), "variable", fixed = TRUE)
  expect_match(format(long)[1L], "20 nodes and 0 arcs")
})

test_that("print says that the certificate does not apply after a change", {
  network <- discrete_network()
  network$arcs <- network$arcs[-1L, ]
  expect_snapshot(network)
  expect_null(summary(network)$nodes$score)
})

test_that("local scores in the summary are those of the nodes", {
  table <- summary(discrete_network())$nodes
  expect_identical(table$node, LETTERS[1:6])
  expect_identical(table$parents, c(0L, 1L, 0L, 2L, 2L, 0L))
  expect_equal(sum(table$score), -24006.7327)
})

test_that("a network that was damaged is refused by every verb, and never by a plain error", {
  skip_where_quick()
  skip_without_peer("igraph")
  withr::local_seed(1)
  withr::local_pdf(NULL)
  network <- discrete_network()
  verbs <- list(
    print = print, format = format, summary = summary, as.character = as.character,
    as.matrix = as.matrix, as.data.frame = as.data.frame, certificate = certificate, plot = plot,
    autoplot = function(x) ggplot2::autoplot(x), igraph = function(x) igraph::as.igraph(x),
    bn = function(x) bnlearn::as.bn(x), treewidth = treewidth
  )
  if (requireNamespace("generics", quietly = TRUE)) {
    verbs <- c(verbs, glance = generics::glance, tidy = generics::tidy)
  }
  broken <- list(
    replace(network, "arcs", list(NULL)), replace(network, "nodes", list(NULL)),
    replace(network, "arcs", list(rbind(network$arcs, c("A", "Z")))),
    replace(network, "arcs", list(1)), replace(network, "nodes", list(unname(network$nodes)))
  )
  for (changed in broken) {
    for (name in names(verbs)) {
      expect_error(utils::capture.output(verbs[[name]](changed)), class = "optbn_error_model",
                   info = name)
    }
  }
  # test-certificate-seal.R damages records
  record <- match("optbn", names(network$learning))
  places <- Filter(function(place) place[[1]] != 1L || !identical(place[2][[1]], record),
                   places_in(network))
  for (one in some_of(damaged(network, places), 40)) {
    expect_identical(misbehaviour(one, sample(verbs, 1)), character())
  }
  expect_snapshot(fit_network(broken[[3]], bnlearn::learning.test), error = TRUE)

  theirs <- bnlearn::bn.fit(network, bnlearn::learning.test)
  class <- class(theirs)
  theirs <- unclass(theirs)
  theirs$B$parents <- "Z"
  theirs <- structure(theirs, class = class)
  expect_error(treewidth(theirs), class = "optbn_error_model")
})
