chow_liu_example <- function() {
  set.seed(1)
  levels <- list(A = c("u", "v"), B = c("x", "y", "z"), C = c("p", "q"), D = c("r", "s"))
  prototype <- list2DF(list(A = factor(character(), levels$A),
                            B = factor(character(), levels$B, ordered = TRUE),
                            C = character(), D = factor(character(), levels$D)))
  # D stands alone; members are not in the order of the variables
  body <- tree_body(c(3L, 2L, 2L, 2L), c(0L, 1L, 1L, 0L), c(2L, 1L, 3L, 4L))
  new_density("optbn_cutset_network", names(levels), levels, prototype, 1, list(body),
              example_learning())
}

test_that("a Chow-Liu tree becomes a network of bnlearn that says the same", {
  skip_without_peer("bnlearn")
  tree <- chow_liu_example()
  expect_identical(bnlearn::modelstring(bnlearn::as.bn(tree)), "[B][D][A|B][C|B]")
  fit <- bnlearn::as.bn.fit(tree)
  expect_s3_class(fit, "bn.fit")
  expect_s3_class(fit$B, "bn.fit.onode")
  expect_s3_class(fit$A, "bn.fit.dnode")
  rows <- expand.grid(tree$levels)
  expect_equal(log_density(fit, rows), log_density(tree, rows))
  expect_equal(query(fit, c("A", "C"), list(D = "r")), query(tree, c("A", "C"), list(D = "r")))
  leaf <- cutset_leaf(example_cutset(), 2)
  expect_equal(query(bnlearn::as.bn.fit(leaf), c("Age", "Test")), query(leaf, c("Age", "Test")))
})

test_that("no other model does, and the error says why", {
  skip_without_peer("bnlearn")
  expect_snapshot(error = TRUE, {
    bnlearn::as.bn(example_cutset())
    bnlearn::as.bn.fit(example_cutset())
    bnlearn::as.bn(random_density("optbn_latent_tree"))
    bnlearn::as.bn.fit(random_density("optbn_mixture"))
    bnlearn::as.bn.fit(learn_chow_liu(data.frame(a = c("x", "y"), k = "same")))
  })
  expect_error(bnlearn::as.bn(example_cutset()), class = "optbn_error_conversion")
})

test_that("trees become graphs", {
  skip_without_peer("igraph")
  graph <- igraph::as.igraph(chow_liu_example())
  expect_identical(igraph::V(graph)$name, c("A", "B", "C", "D"))
  expect_identical(igraph::as_edgelist(graph), rbind(c("B", "A"), c("B", "C")))
  expect_true(igraph::is_directed(graph))

  latent <- random_density("optbn_latent_tree", n = 5)
  graph <- igraph::as.igraph(latent)
  body <- latent$components[[1L]]
  expect_identical(sum(igraph::V(graph)$hidden), sum(body$variable == 0L))
  expect_identical(igraph::gsize(graph), sum(body$parent > 0L) + 0)

  cuts <- igraph::as.igraph(example_cutset())
  expect_identical(igraph::V(cuts)$variable, c("Smoker", NA, "Cough", NA, NA, NA))
  expect_identical(igraph::V(cuts)$leaf, c(NA, 1L, NA, 2L, 3L, 4L))
  expect_equal(igraph::V(cuts)$probability, c(1, 0.75, 0.25, 0.125, 0.075, 0.05))
  expect_identical(igraph::E(cuts)$level, c("no", "yes", "never", "some", "often"))
  expect_identical(igraph::E(cuts)$weight, c(0.75, 0.25, 0.5, 0.3, 0.2))
  expect_identical(igraph::V(cuts)$label, c("Smoker", "leaf 1", "Cough", "leaf 2", "leaf 3",
                                            "leaf 4"))
  expect_identical(igraph::E(cuts)$label, igraph::E(cuts)$level)
  for (drawn in list(cuts, graph)) {
    expect_identical(dim(drawn$layout), c(as.integer(igraph::gorder(drawn)), 2L))
    expect_false(anyDuplicated(drawn$layout) > 0L)
  }
  expect_identical(igraph::V(graph)$label, igraph::V(graph)$name)
  expect_snapshot(error = TRUE, igraph::as.igraph(random_density("optbn_mixture")))
})

test_that("arcs and figures come as data frames", {
  skip_without_peer("generics")
  expect_snapshot({
    generics::tidy(example_cutset())
    generics::glance(example_cutset())
    generics::glance(cutset_leaf(example_cutset(), 3))
  })
  mixture <- random_density("optbn_mixture", n = 4)
  arcs <- generics::tidy(mixture)
  each <- lapply(1:3, function(i) generics::tidy(mixture_component(mixture, i)))
  expect_identical(arcs$component, rep(1:3, vapply(each, nrow, 0L)))
  expect_identical(arcs[-1L], do.call(rbind, each)[-1L])
  figures <- generics::glance(mixture)
  value <- logLik(mixture)
  expect_equal(figures[c("AIC", "BIC")], data.frame(AIC = AIC(value), BIC = BIC(value)))
  alone <- new_density("optbn_cutset_network", "A", list(A = c("u", "v")), NULL, 1,
                       list(tree_body(2L, 0L)), example_learning())
  expect_identical(dim(generics::tidy(alone)), c(0L, 4L))
})
