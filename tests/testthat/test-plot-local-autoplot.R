# A tree with 2^depth leaves.
halved_tree <- function(depth) {
  halve <- function(first, cells) {
    if (cells == 1) return(leaf(first + 1))
    half <- cells / 2
    split_at("x", first + half, halve(first, half), halve(first + half, half))
  }
  make_tree(list(x = dyadic_axis(0, 1, depth)), halve(0, 2^depth))
}

normal_model <- function(tree) {
  n <- tree$nodes$n[is_leaf(tree)]
  structure(
    list(node = "y", parents = "x", levels = NULL, partition = tree, n = n, density = "normal",
         location = n, scale = rep(1, length(n)), df = rep(Inf, length(n))),
    class = c("optbn_tree", "optbn_partition", "optbn_local")
  )
}

test_that("local models are drawn by ggplot2", {
  skip_without_peer("ggplot2")
  for (depth in c(0, 1, 3, 6)) {
    plot <- draw_ggplot(ggplot2::autoplot(normal_model(halved_tree(depth))))
    expect_identical(plot$labels$title, "y | x")
    expect_match(plot$labels$subtitle, paste("^decision tree with", 2^depth, "lea"))
  }
  plot <- draw_ggplot(ggplot2::autoplot(normal_model(halved_tree(2)), main = ""), 2, 2)
  expect_null(plot$labels$title)
  expect_null(plot$labels$subtitle)
  fit <- fit_network("[Species][Sepal|Species]",
                     data.frame(iris["Species"], Sepal = cut(iris$Sepal.Length, 3)))
  draw_ggplot(ggplot2::autoplot(local_model(fit, "Sepal")))
  draw_ggplot(ggplot2::autoplot(local_model(fit, "Species"), main = "A title"))
})

test_that("ggplot2 draws the shapes that plot() draws", {
  skip_without_peer("ggplot2")
  model <- normal_model(halved_tree(3))
  plot <- ggplot2::autoplot(model)
  picture <- local_picture(model, c(7, 4.6))
  lines <- ggplot2::layer_data(plot, 1)
  expect_equal(lines[c("x", "y")], picture$lines[c("x", "y")], ignore_attr = TRUE)
  shapes <- ggplot2::layer_data(plot, 2)
  expect_equal(shapes[c("x", "y", "fill")], picture$shapes[c("x", "y", "fill")],
               ignore_attr = TRUE)
})

test_that("text grows and shrinks with the picture", {
  skip_without_peer("ggplot2")
  picture <- local_picture(normal_model(halved_tree(3)), c(7, 4.6))
  for (size in c(0.5, 1, 2)) {
    grDevices::pdf(NULL, 10, 10)
    grid::pushViewport(grid::viewport(width = grid::unit(7 * size, "inches"),
                                      height = grid::unit(4.6 * size, "inches")))
    grob <- grid::makeContent(scaled_text_grob(picture$texts, c(7, 4.6)))$children[[1]]
    expect_equal(grob$gp$fontsize, size * picture$texts$size)
    expect_identical(grob$label, picture$texts$label)
    grDevices::dev.off()
  }
})
