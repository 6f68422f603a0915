test_that("each arc has a cell", {
  arcs <- arc_posterior(attitude[1:4], "bge")
  picture <- arc_cells(arcs)
  expect_identical(picture$nodes, names(attitude)[1:4])
  expect_identical(nrow(picture$cells), 12L)
  first <- picture$cells[1L, ]
  expect_identical(c(first$row, first$column), 1:2)
  expect_equal(first$probability, arcs$probability[1L])
  expect_identical(probability_colours(c(0, 1)), c("#FFFFFF", "#0072B2"))
})

test_that("probabilities of arcs are drawn", {
  withr::local_seed(1)
  posterior <- network_posterior(attitude, "bge")
  objects <- list(arc_posterior(posterior), posterior, sample_dags(posterior, 10))
  withr::local_pdf(NULL)
  for (object in objects) {
    expect_invisible(plot(object))
    expect_identical(plot(object, main = ""), object)
  }
  expect_invisible(plot(learn_k_best(attitude, 5, "bge")))
  expect_error(plot(posterior, main = 3), class = "optbn_error_argument")
  skip_if_not_installed("ggplot2")
  for (object in objects) expect_s3_class(ggplot2::autoplot(object), "ggplot")
})
