# Networks over which the promises of a layout are checked: random ones, sparse to
# dense, and the extremes.
layout_cases <- function() {
  withr::local_seed(5)
  random <- lapply(c(2, 5, 9, 14, 20), function(n) random_parents(n, density = 2.5 / n))
  chain <- c(list(integer()), as.list(1:9))
  star <- c(list(integer()), rep(list(1L), 30))
  full <- lapply(1:8, function(i) seq_len(i - 1L))
  empty <- rep(list(integer()), 7)
  c(random, list(random_parents(12, 0.6), empty, empty[1], chain, star, full))
}

some_widths <- function(parents) 0.4 + 0.1 * (seq_along(parents) %% 7)

test_that("every arc points down, through bends on its way", {
  for (parents in layout_cases()) {
    placed <- layered_layout(parents, some_widths(parents))
    expect_identical(placed$arcs, parents_to_arcs(parents))
    for (i in seq_len(nrow(placed$arcs))) {
      y <- c(placed$y[placed$arcs[i, 1]], placed$bends[[i]][, 2], placed$y[placed$arcs[i, 2]])
      expect_equal(diff(y), rep(-layer_gap, length(y) - 1))
    }
  }
})

test_that("boxes and bends keep their distance", {
  for (parents in layout_cases()) {
    width <- some_widths(parents)
    placed <- layered_layout(parents, width)
    bends <- do.call(rbind, c(list(matrix(0, 0, 2)), placed$bends))
    x <- c(placed$x, bends[, 1])
    y <- c(placed$y, bends[, 2])
    width <- c(width, rep(0, nrow(bends)))
    ends <- outer(width == 0, width == 0, "+") # bends among the two
    gap <- column_gap + ends * (arc_gap - column_gap) / 2
    beside <- abs(outer(x, x, "-")) - outer(width, width, "+") / 2 > gap - 1e-9
    apart <- abs(outer(y, y, "-")) > layer_gap - 1e-9
    clear <- beside | apart
    expect_true(all(clear[upper.tri(clear)]))
    expect_gte(min(x - width / 2), -1e-9)
    expect_equal(max(x + width / 2), placed$width)
  }
})

test_that("a layout is the same every time and leaves the random numbers alone", {
  parents <- layout_cases()[[4]]
  set.seed(1)
  before <- .Random.seed
  first <- layered_layout(parents, some_widths(parents))
  expect_identical(.Random.seed, before)
  set.seed(2)
  expect_identical(layered_layout(parents, some_widths(parents)), first)
})

test_that("layers make arcs no longer than the longest-path layering does", {
  for (parents in layout_cases()) {
    arcs <- parents_to_arcs(parents)
    n <- length(parents)
    depth <- integer(n)
    for (v in topological_order(parents)) depth[v] <- max(0L, depth[parents[[v]]]) + 1L
    layer <- assign_layers(n, arcs)
    length_of <- function(layer) sum(layer[arcs[, 2]] - layer[arcs[, 1]])
    expect_true(all(layer[arcs[, 2]] > layer[arcs[, 1]]))
    expect_identical(min(layer), 1L)
    expect_lte(length_of(layer), length_of(depth))
  }
})

test_that("layers move as groups", {
  # 1 -> 2 -> 3 -> 4, and 5 -> 6 -> 4 with 5 -> 7: the group of 5, 6 and 7 moves down.
  layer <- assign_layers(7, cbind(c(1, 2, 3, 5, 6, 5), c(2, 3, 4, 6, 4, 7)))
  expect_equal(layer, c(1, 2, 3, 4, 2, 3, 3))
})

test_that("wide layers are broken without turning an arc", {
  parents <- c(list(integer()), rep(list(1L), 30), list(2:31))
  arcs <- parents_to_arcs(parents)
  width <- rep(1, length(parents))
  layer <- break_wide_layers(assign_layers(length(parents), arcs), arcs, width)
  expect_true(all(layer[arcs[, 2]] > layer[arcs[, 1]]))
  expect_lte(max(tabulate(layer)), max(wide_layer, sqrt(3 * 32 * layer_gap)))
})

test_that("crossings are counted, and found for two that would change places", {
  withr::local_seed(2)
  links <- unique(cbind(sample(5, 12, TRUE), 5L + sample(6, 12, TRUE)))
  graph <- with_bends(rep(1:2, c(5, 6)), links)
  rank <- c(sample(5), sample(6))
  brute <- 0
  for (i in seq_len(nrow(links))) {
    for (j in seq_len(nrow(links))) {
      step <- rank[links[i, ]] - rank[links[j, ]]
      brute <- brute + (step[1] < 0 && step[2] > 0)
    }
  }
  expect_equal(crossings(graph, rank), brute)
  by_rank <- order(rank[1:5])
  cross <- crossing_matrix(graph$below[by_rank], rank)
  expect_equal(sum(cross[upper.tri(cross)]), brute)
})

test_that("the order of layers is nearly the best there is", {
  skip_where_quick()
  withr::local_seed(3)
  all_orders <- function(n) {
    if (n == 1) return(list(1L))
    unlist(lapply(all_orders(n - 1), function(p) lapply(0:(n - 1), append, x = p, values = n)),
           recursive = FALSE)
  }
  found <- best <- 0
  for (repeats in 1:10) {
    links <- cbind(rep(1:5, 2), 5L + sample(5, 10, TRUE))
    graph <- with_bends(rep(1:2, each = 5), unique(links))
    found <- found + crossings(graph, order_layers(graph))
    best <- best + min(vapply(all_orders(5), function(top) {
      min(vapply(all_orders(5), function(bottom) crossings(graph, c(top, bottom)), 0))
    }, 0))
  }
  expect_gte(found, best)
  expect_lte(found, 1.1 * best + 1)
})

test_that("isotonic regression is that of stats, with weights as repetitions", {
  withr::local_seed(4)
  for (n in c(1, 2, 10, 40)) {
    y <- stats::rnorm(n)
    weight <- sample(4, n, TRUE)
    expect_equal(isotonic(y, rep(1, n)), stats::isoreg(y)$yf)
    repeated <- stats::isoreg(rep(y, weight))$yf
    expect_equal(rep(isotonic(y, weight), weight), repeated)
  }
})

test_that("nodes without arcs stand below one another beside the others", {
  at <- pack_boxes(c(6, 1, 0.5, 0.8), c(5, 0, 0, 0))
  expect_identical(at$x[1], 0)
  expect_true(all(at$x[-1] == at$x[2] & at$x[-1] > 6))
  expect_setequal(rank(at$y[-1]), 1:3)
  expect_identical(at$width, at$x[2] + 1)
})

test_that("parts are found and packed without overlap", {
  arcs <- cbind(c(2L, 6L, 5L), c(4L, 2L, 3L))
  expect_identical(connected_parts(6, arcs), c(1L, 2L, 3L, 2L, 3L, 2L))
  width <- c(3, 1, 2, 1, 1, 4)
  height <- c(0, 2, 1, 0, 3, 1)
  at <- pack_boxes(width, height)
  for (i in 2:6) {
    for (j in seq_len(i - 1)) {
      beside <- at$x[i] >= at$x[j] + width[j] || at$x[j] >= at$x[i] + width[i]
      below <- at$y[i] < at$y[j] - height[j] || at$y[j] < at$y[i] - height[i]
      expect_true(beside || below)
    }
  }
})
