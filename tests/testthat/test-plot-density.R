draw <- function(...) {
  grDevices::pdf(NULL, 7, 5)
  on.exit(grDevices::dev.off())
  plot(...)
}

test_that("every kind of model is drawn, by base graphics and by ggplot2", {
  set.seed(1)
  models <- list(example_cutset(), random_density(n = 10, depth = 5L),
                 cutset_leaf(example_cutset(), 1), random_density("optbn_latent_tree"),
                 random_density("optbn_mixture"))
  for (model in models) {
    expect_no_warning(expect_identical(draw(model), model))
    expect_invisible(draw(model, main = ""))
    skip_without_peer("ggplot2")
    draw_ggplot(ggplot2::autoplot(model))
  }
})

test_that("a cut at a level NA is drawn", {
  set.seed(1)
  data <- as.data.frame(lapply(1:4, function(i) addNA(factor(sample(c("0", NA), 60, TRUE)))))
  model <- learn_cutset(stats::setNames(data, LETTERS[1:4]), "cnet")
  expect_true(has_cuts(model$components[[1L]]))
  expect_identical(draw(model), model)
})

test_that("a leaf is drawn by itself", {
  model <- example_cutset()
  expect_identical(draw(model, leaf = 3), model)
  skip_without_peer("ggplot2")
  plot <- ggplot2::autoplot(model, leaf = 3)
  expect_identical(plot$labels$title, "Chow-Liu tree over 2 variables")
  expect_identical(ggplot2::autoplot(model)$labels$title, "Cutset network over 4 variables")
})

test_that("what cannot be drawn is refused", {
  expect_snapshot(error = TRUE, {
    plot(example_cutset(), leaf = 9)
    plot(random_density("optbn_mixture"), leaf = 1)
    plot(example_cutset(), main = 3)
  })
})
