draw <- function(expr, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  expect_warning(expr, NA)
}

trees <- function() {
  list(sample_k_tree(letters[1:7], 2), sample_k_tree(60, 3), sample_k_tree(5, 0),
       k_tree(list(c("a", "b"))), compile_network(titanic_fit()), compile_network(random_fit(9)),
       treewidth("[A][B|A][C|A][D|B:C][E|D][F]"), treewidth("[A]"))
}

test_that("k-trees, compiled networks and tree-widths of every size are drawn", {
  withr::local_seed(1)
  for (tree in trees()) {
    expect_identical(draw(expect_invisible(plot(tree))), tree)
    draw(plot(tree, main = ""), width = 2.2, height = 2)
    draw(plot(tree, main = "A title"), width = 20, height = 12)
  }
})

test_that("drawing leaves the device's settings as they were, and the random numbers", {
  tree <- sample_k_tree(9, 2)
  draw({
    before <- graphics::par(no.readonly = TRUE)
    set.seed(1)
    seed <- .Random.seed
    plot(tree)
    changed <- c("fig", "fin", "pin", "plt", "usr", "mfg", "xaxp", "yaxp", "cxy")
    same <- setdiff(names(before), changed)
    expect_identical(graphics::par(no.readonly = TRUE)[same], before[same])
    expect_identical(.Random.seed, seed)
  })
})

test_that("the witness of a learned network is drawn", {
  withr::local_seed(2)
  network <- learn_treewidth(attitude, 2, "bic-g", progress = FALSE)
  draw(plot(certificate(network)$k_tree))
})

test_that("arguments are checked", {
  tree <- k_tree(list(c("a", "b", "c"), c("b", "c", "d")))
  changed <- tree
  changed$bags[[2]] <- c("a", "x", "d")
  expect_snapshot(error = TRUE, {
    plot(tree, main = 1)
    plot(treewidth("[A][B|A]"), main = NA)
    plot(changed)
  })
})

test_that("ggplot2 draws what plot() draws", {
  skip_where_quick()
  skip_without_peer("ggplot2")
  withr::local_seed(3)
  for (tree in trees()) {
    plot <- draw_ggplot(ggplot2::autoplot(tree))
    picture <- tree_picture(clique_tree(tree), c(7, 4.6))
    expect_identical(plot$labels$title, clique_tree(tree)$heading)
    expect_identical(plot$labels$subtitle, clique_tree(tree)$line)
    shapes <- ggplot2::layer_data(plot, 2)
    expect_equal(shapes[c("x", "y", "fill")], picture$shapes[c("x", "y", "fill")],
                 ignore_attr = TRUE)
    expect_equal(NROW(ggplot2::layer_data(plot, 1)), nrow(picture$lines))
  }
  plot <- draw_ggplot(ggplot2::autoplot(tree, main = ""), 2, 2)
  expect_null(plot$labels$title)
  expect_null(plot$labels$subtitle)
  expect_error(ggplot2::autoplot(tree, main = 1), class = "optbn_error_argument")
  broken <- sample_k_tree(5, 2)
  broken$bags[[1]] <- character()
  expect_error(ggplot2::autoplot(broken), class = "optbn_error_model")
})
