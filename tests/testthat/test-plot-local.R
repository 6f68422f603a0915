draw <- function(expr, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  expect_warning(expr, NA)
}

test_that("trees and tables of every kind and size are drawn", {
  skip_where_quick()
  withr::local_seed(1)
  models <- list(
    model_on(make_tree(mixed_axes, leaf(7)), c("no", "yes")), model_on(make_tree(list(), leaf(7))),
    model_on(every_split(), eight), model_on(every_split()),
    model_on(random_tree(mixed_axes, 6), eight), model_on(random_tree(mixed_axes, 8)),
    model_on(new_joint_table(list()), eight),
    model_on(new_joint_table(list(x = bins_axis(1, 2), y = bins_axis())), c("no", "yes")),
    model_on(new_joint_table(list(x = bins_axis(1:6), y = bins_axis(1:6), z = bins_axis(1:6))))
  )
  for (model in models) {
    expect_identical(draw(expect_invisible(plot(model))), model)
    draw(plot(model, main = ""), width = 2.2, height = 2)
    draw(plot(model, main = "A title"), width = 20, height = 12)
  }
})

test_that("drawing leaves the device's settings as they were, and the random numbers", {
  model <- model_on(every_split(), eight)
  draw({
    before <- graphics::par(no.readonly = TRUE)
    set.seed(1)
    seed <- .Random.seed
    plot(model)
    changed <- c("fig", "fin", "pin", "plt", "usr", "mfg", "xaxp", "yaxp", "cxy")
    same <- setdiff(names(before), changed)
    expect_identical(graphics::par(no.readonly = TRUE)[same], before[same])
    expect_identical(.Random.seed, seed)
  })
})

test_that("the title is checked", {
  expect_snapshot(error = TRUE, plot(model_on(every_split()), main = 1))
})

test_that("the line below the title says how large the model is", {
  expect_identical(region_line(model_on(every_split())), "decision tree with 6 leaves, 1,354 rows")
  expect_identical(region_line(model_on(make_tree(list(), leaf(1)))),
                   "decision tree with 1 leaf, 1 row")
  expect_identical(region_line(model_on(new_joint_table(list(x = bins_axis(1))))),
                   "table of 2 configurations, 3 rows")
})

test_that("plain tables are drawn too", {
  fit <- fit_network("[Class][Sex|Class]", as.data.frame(Titanic)[1:2])
  table <- local_model(fit, "Sex")
  expect_identical(draw(expect_invisible(plot(table))), table)
  draw(plot(local_model(fit, "Class")))
})
