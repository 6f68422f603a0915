test_that("bnlearn takes probabilities of arcs", {
  skip_without_peer("bnlearn")
  arcs <- arc_posterior(attitude, "bge")
  expect_s3_class(arcs, c("optbn_arcs", "bn.strength", "data.frame"), exact = TRUE)
  expect_length(names(arcs), 4)
  network <- bnlearn::averaged.network(arcs)
  strong <- arcs[arcs$strength >= 0.5 & arcs$direction >= 0.5, ]
  expect_true(all(arc_labels(network$arcs) %in% arc_labels(strong[c("from", "to")])))
  expect_true(is.finite(bnlearn::inclusion.threshold(arcs)))
})

test_that("bounds are columns for whoever asks for them", {
  arcs <- arc_posterior(attitude[1:3], "bge")
  expect_named(as.data.frame(arcs),
               c("from", "to", "strength", "direction", "probability", "lower", "upper"))
  expect_identical(arcs$lower, as.data.frame(arcs)$lower)
  expect_identical(arcs[["upper"]], as.data.frame(arcs)$upper)
  expect_identical(arcs[2:3, "probability"], arcs$probability[2:3])
  expect_equal(arcs$strength * arcs$direction, arcs$probability)
  expect_true(all(arcs$lower <= arcs$probability & arcs$probability <= arcs$upper))
  expect_snapshot(arcs)
})

test_that("a network of one node has no arcs", {
  expect_identical(nrow(arc_posterior(attitude["rating"], "bge")), 0L)
})
