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

test_that("arcs that experiments direct are compelled", {
  dag <- as_network_structure("[A][B|A][C|B]")
  expect_identical(label_arcs(dag, list(character(), "B"))$compelled, c(TRUE, TRUE))
  expect_identical(label_arcs(dag, list(character(), "A"))$compelled, c(TRUE, TRUE))
  expect_identical(label_arcs(dag, list(character(), c("A", "B", "C")))$compelled, c(FALSE, FALSE))
})

test_that("a network without arcs has none that are compelled", {
  expect_identical(nrow(label_arcs(list(nodes = "A", parents = list(integer())))), 0L)
})

# ---- essential graphs ----------------------------------------------------------------------------

# The skeleton and v-structures of the network whose arcs into each of the sets are cut.
mutilated_classes <- function(dag, sets) {
  paste(vapply(sets, function(set) {
    dag[, set] <- 0
    either <- dag + t(dag)
    colliders <- which(either == 0 & upper.tri(either), arr.ind = TRUE)
    common <- apply(colliders, 1, function(pair) {
      paste(pair[1], pair[2], which(dag[pair[1], ] & dag[pair[2], ]))
    })
    paste(c(which(either > 0), "|", unlist(common)), collapse = " ")
  }, ""), collapse = "; ")
}

test_that("essential graphs are the unions of classes, by all networks of up to 4 nodes", {
  families <- list(
    list(integer()), list(integer(), 1), list(1, 2), list(integer(), 1:2), list(1, 2:3),
    list(integer(), 1, 3), list(c(1, 4), 2:3), list(integer(), 1:4), list(1:2, 2:3, c(3, 1))
  )
  for (n in 2:4) {
    dags <- all_dags(n)
    nodes <- LETTERS[1:n]
    for (sets in Filter(function(sets) all(unlist(sets) <= n), families)) {
      class <- vapply(dags, mutilated_classes, "", sets)
      unions <- lapply(split(dags, class), function(some) Reduce(`+`, some) > 0)
      names <- lapply(sets, function(set) nodes[set])
      wrong <- 0
      for (i in seq_along(dags)) {
        graph <- essential_graph(structure(dags[[i]], dimnames = list(nodes, nodes)), names)
        wrong <- wrong + any((as.matrix(graph) == 1) != unions[[class[i]]])
      }
      expect_identical(wrong, 0, info = paste(n, deparse(sets)))
    }
  }
})

test_that("networks that no experiment tells apart score alike", {
  one <- set_frame(90, 4)
  set <- list(v1 = 1:30, v2 = 1:30, v3 = 20:40)
  dags <- all_dags(4)
  for (label in c("bde", "bic")) {
    score <- complete_score(as_score(label), encode_data(one$data))
    all <- score_all_dags(dags, one$data, set, score)
    class <- vapply(dags, mutilated_classes, "", list(integer(), 1:2, 3, 1:3))
    expect_lt(max(tapply(all, class, function(x) diff(range(x)))), 1e-9)
    expect_gt(length(unique(class)), length(unique(vapply(dags, mutilated_classes, "", list(0)))))
  }
})

test_that("without experiments it is bnlearn's", {
  skip_without_peer("bnlearn")
  withr::local_seed(2)
  for (i in 1:20) {
    network <- bnlearn::random.graph(paste0("N", 1:sample(2:15, 1)), method = "ordered",
                                     prob = runif(1))
    graph <- essential_graph(network)
    wanted <- bnlearn::cpdag(network)
    expect_identical(as.matrix(graph), bnlearn::amat(wanted))
    expect_equal(graph$nodes, wanted$nodes)
    expect_setequal(arc_labels(bnlearn::directed.arcs(graph)),
                    arc_labels(bnlearn::directed.arcs(wanted)))
  }
})

test_that("an essential graph knows its network's experiments, prints and plots", {
  one <- set_frame(90, 4)
  network <- learn_dag(one$data, "bde", targets = one$set)
  graph <- essential_graph(network)
  rows <- rep(list(character()), 90)
  for (node in names(one$set)) rows[one$set[[node]]] <- lapply(rows[one$set[[node]]], c, node)
  expect_identical(essential_graph(network, rows)$arcs, graph$arcs)
  expect_identical(essential_graph(network, list(character()))$arcs,
                   essential_graph(as.character(network))$arcs)
  expect_snapshot({
    essential_graph("[A][B|A][C|B]")
    essential_graph("[A][B|A][C|B]", c("", "B", NA))
  })
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_silent(plot(graph))
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_s3_class(ggplot2::autoplot(graph), "ggplot")
  }
})

test_that("experiments that are none are refused", {
  expect_snapshot(error = TRUE, {
    essential_graph("[A][B|A]", c("A", "C"))
    essential_graph("[A][B|A]", "A")
    essential_graph("[A][B|A]", 1)
    essential_graph("[A][B|A]", list())
    essential_graph("nothing")
  })
})
