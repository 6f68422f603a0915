draw <- function(expr) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_warning(expr, NA)
}

# A network with a certificate of given score and bound.
network_of_width <- function(treewidth, score, bound = score, nodes = LETTERS[1:3], ...) {
  status <- if (bound == score) "optimal" else if (is.finite(bound)) "bounded" else "heuristic"
  record <- example_record(nodes, score, bound = bound, gap = bound - score, status = status, ...)
  record$settings$treewidth <- treewidth
  example_network(nodes, rep(list(integer()), length(nodes)), record = record)
}

several <- function() {
  list(network_of_width(3L, -90, -85), network_of_width(NULL, -80), network_of_width(1L, -120),
       network_of_width(2L, -100, Inf))
}

test_that("scores, bounds and gaps are those of the certificates, in the order of widths", {
  scores <- compare_treewidths(several())
  expect_s3_class(scores, c("optbn_compare_treewidths", "data.frame"), exact = TRUE)
  expect_identical(scores$treewidth, c(1L, 2L, 3L, NA))
  expect_identical(scores$score, c(-120, -100, -90, -80))
  expect_identical(scores$bound, c(-120, Inf, -85, -80))
  expect_identical(scores$gap, c(0, Inf, 5, 0))
  expect_identical(scores$status, c("optimal", "heuristic", "bounded", "optimal"))
  expect_identical(compare_treewidths(rev(several())), scores)
  expect_identical(compare_treewidths(list(a = several()[[1]]))$score, -90)
})

test_that("learned networks are set beside one another", {
  withr::local_seed(1)
  networks <- lapply(0:3, function(k) learn_treewidth(attitude, k, "bic-g", progress = FALSE))
  free <- learn_dag(attitude, "bic-g", progress = FALSE)
  scores <- compare_treewidths(c(networks, list(free)))
  expect_identical(scores$treewidth, c(0:3, NA))
  expect_identical(scores$score[5], certificate(free)$score)
  expect_false(is.unsorted(scores$score))
  draw(plot(scores))
})

test_that("the picture shows the finite bounds, and gaps where there are any", {
  shown <- width_points(compare_treewidths(several()))
  expect_identical(shown$labels, c("1", "2", "3", "any"))
  score <- shown$points[shown$points$what == "score", ]
  bound <- shown$points[shown$points$what == "bound", ]
  expect_identical(score$at, 1:4)
  expect_identical(bound$at, c(1L, 3L, 4L))
  expect_identical(shown$lines$at, c(1L, 3L, 1:3))
  expect_identical(shown$gaps, data.frame(at = 3L, score = -90, bound = -85, row.names = 3L))
  expect_true(all(findInterval(shown$points$value, shown$value_range) == 1))
  # a width that was left out keeps its place
  shown <- width_points(compare_treewidths(several()[c(1, 3)]))
  expect_identical(shown$labels, c("1", "2", "3"))
  expect_identical(unique(shown$points$at), c(1L, 3L))
})

test_that("scores are drawn, also of a single network, by ggplot2 too", {
  cases <- list(several(), several()[1], several()[2], several()[4], several()[c(2, 3)])
  for (networks in cases) {
    scores <- compare_treewidths(networks)
    expect_identical(draw(expect_invisible(plot(scores))), scores)
    draw(plot(scores, main = ""))
  }
  skip_without_peer("ggplot2")
  for (networks in cases) draw_ggplot(ggplot2::autoplot(compare_treewidths(networks)))
  plot <- draw_ggplot(ggplot2::autoplot(compare_treewidths(several()), main = ""))
  expect_null(plot$labels$title)
  expect_identical(nrow(ggplot2::layer_data(plot, 1)), 1L)
  expect_identical(nrow(ggplot2::layer_data(plot, 3)), 7L)
})

test_that("networks that cannot be compared are refused", {
  changed <- network_of_width(1L, -5)
  changed$arcs <- rbind(changed$arcs, c(from = "A", to = "B"))
  held <- several()
  held[[1]]$learning$optbn$settings$k_tree <- one_bag(names(held[[1]]$nodes))
  held[[1]] <- resealed(held[[1]])
  expect_snapshot(error = TRUE, {
    compare_treewidths(network_of_width(1L, -5))
    compare_treewidths(held)
    compare_treewidths(list())
    compare_treewidths(list(network_of_width(1L, -5), "[A][B|A]"))
    compare_treewidths(list(network_of_width(2L, -5), changed))
    compare_treewidths(c(several(), list(network_of_width(2L, -95))))
    compare_treewidths(c(several(), list(network_of_width(NULL, -95))))
    compare_treewidths(list(several()[[1]], network_of_width(1L, -5, nodes = LETTERS[1:4])))
    compare_treewidths(list(several()[[1]],
                            network_of_width(1L, -5, scored_by = score_bde(iss = 5))))
    plot(compare_treewidths(several()), main = 1)
  })
})
