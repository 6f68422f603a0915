axes <- list(
  x = dyadic_axis(0, 8, 3),
  grade = levels_axis(c("low", "mid", "high", "top"), ordered = TRUE),
  colour = levels_axis(c("red", "green", "blue")),
  z = dyadic_axis(-1, 1, 2)
)

# A random tree over some axes, in which also empty sides are split.
random_tree <- function(axes, depth) {
  grow <- function(box, depth) {
    open <- names(Filter(function(cells) length(cells) > 1, box))
    if (depth == 0 || !length(open) || runif(1) < 0.15) return(leaf())
    name <- sample(open, 1)
    held <- box[[name]]
    if (axes[[name]]$type == "levels") {
      left <- if (axes[[name]]$ordered) {
        held[seq_len(sample(length(held) - 1, 1))]
      } else {
        sort(held[sample(length(held), sample(length(held) - 1, 1))])
      }
      at <- left
    } else {
      left <- held[seq_len(length(held) / 2)]
      at <- max(left) + 1
    }
    split_at(name, at, grow(replace(box, name, list(left)), depth - 1),
             grow(replace(box, name, list(setdiff(held, left))), depth - 1))
  }
  make_tree(axes, grow(lapply(axes, function(axis) seq_len(cells_along(axis)) - 1), depth))
}

# One row per combination of cells, in the middle of each.
all_cells <- function(axes) {
  cells <- expand.grid(lapply(axes, function(axis) seq_len(cells_along(axis)) - 1))
  values <- Map(function(axis, cell) {
    if (axis$type == "dyadic") axis$range[1] + (cell + 0.5) / 2^axis$max_splits * diff(axis$range)
    else if (axis$type == "bins") c(axis$cuts[1] - 1, axis$cuts)[cell + 1]
    else cell
  }, axes, cells)
  list(cells = cells, values = values)
}

# ---- cells --------------------------------------------------------------------------------------

test_that("a midpoint goes right, the maximum into the last cell, the rest to the nearest", {
  axis <- dyadic_axis(0, 8, 2)
  expect_equal(find_cell(axis, c(0, 1.999, 2, 4, 5.9, 6, 8)), c(0, 0, 1, 2, 2, 3, 3))
  expect_equal(find_cell(axis, c(-5, -Inf, 9, Inf)), c(0, 0, 3, 3))
  expect_equal(find_cell(dyadic_axis(3, 3, 2), c(2, 3, 4)), c(0, 0, 0))
  expect_equal(find_cell(dyadic_axis(0, 8, 0), c(0, 8)), c(0, 0))
})

test_that("a bin is the number of cuts that are not above the value", {
  axis <- bins_axis(1, 2, 2, 5)
  expect_equal(find_cell(axis, c(-9, 1, 1.5, 2, 4.9, 5, 99)), c(0, 1, 1, 3, 3, 4, 4))
})

# ---- regions ------------------------------------------------------------------------------------

test_that("rows fall into the one region whose box holds them", {
  set.seed(1)
  for (round in 1:20) {
    tree <- random_tree(axes, 6)
    grid <- all_cells(axes)
    region <- find_region(tree, grid$values, nrow(grid$cells))
    boxes <- region_boxes(tree, seq_len(count_regions(tree)))
    inside <- vapply(boxes, function(box) {
      Reduce(`&`, Map(function(axis, held, cell) {
        if (axis$type == "levels") cell %in% held else cell >= held[1] & cell <= held[2]
      }, axes, box, grid$cells))
    }, logical(nrow(grid$cells)))
    expect_true(all(rowSums(inside) == 1))
    expect_identical(region, max.col(inside))
    # the share of a region is the part of all cells that it holds
    expect_equal(region_share(tree), unname(colMeans(inside)))
  }
})

test_that("rows are routed as one would by hand", {
  set.seed(2)
  rows <- 200
  values <- list(x = runif(rows, -1, 9), grade = sample(0:3, rows, TRUE),
                 colour = sample(0:2, rows, TRUE), z = rnorm(rows))
  tree <- random_tree(axes, 8)
  nodes <- tree$nodes
  leaves <- which(is.na(nodes$variable))
  by_hand <- vapply(seq_len(rows), function(i) {
    at <- 1
    while (!is.na(nodes$variable[at])) {
      value <- values[[nodes$variable[at]]][i]
      left <- if (is.na(nodes$cell[at])) {
        value %in% nodes$left_codes[[at]]
      } else {
        value < nodes$cut[at]
      }
      at <- if (left) nodes$left[at] else nodes$right[at]
    }
    match(at, leaves)
  }, 0L)
  expect_gt(length(unique(by_hand)), 10)
  expect_identical(find_region(tree, values, rows), by_hand)
})

test_that("all levels that do not go left go right", {
  tree <- make_tree(axes["colour"], split_at("colour", 1))
  expect_identical(find_region(tree, list(colour = 0:2), 3), c(2L, 1L, 2L))
})

test_that("the regions of a table are its cells, the first parent fastest", {
  table <- new_joint_table(list(x = bins_axis(1, 2), colour = axes$colour, w = bins_axis(0)))
  grid <- all_cells(table$axes)
  expect_equal(count_regions(table), 18)
  expect_equal(find_region(table, grid$values, 18), 1:18)
  expect_equal(region_share(table), rep(1 / 18, 18))
  boxes <- region_boxes(table, 1:18)
  expect_equal(vapply(boxes, function(box) box$colour, 0), grid$cells$colour)
  expect_equal(t(vapply(boxes, function(box) box$x, c(0, 0))), cbind(grid$cells$x, grid$cells$x))
})

test_that("without parents there is one region", {
  none <- rlang::set_names(list(), character())
  for (partition in list(make_tree(none), new_joint_table(none))) {
    expect_equal(count_regions(partition), 1)
    expect_equal(find_region(partition, list(), 3), c(1, 1, 1))
    expect_equal(region_share(partition), 1)
    expect_identical(describe_regions(partition), "everywhere")
    expect_length(format(partition), if (inherits(partition, "optbn_dyadic_tree")) 2 else 1)
  }
})

test_that("a partition stands data without rows", {
  values <- list(x = numeric(), grade = integer(), colour = integer(), z = numeric())
  expect_length(find_region(random_tree(axes, 4), values, 0), 0)
})

test_that("regions change at the change points of a parent and nowhere else", {
  set.seed(3)
  table <- new_joint_table(list(x = bins_axis(1, 4, 4, 6), z = bins_axis(0)))
  tree <- random_tree(axes, 8)
  for (partition in list(table, tree)) {
    x <- sort(c(runif(500, 0, 8), change_points(partition, "x")))
    others <- expand.grid(x = x, grade = 0:3, colour = 0:2, z = c(-0.9, -0.3, 0.3, 0.9))
    region <- matrix(find_region(partition, others, nrow(others)), length(x))
    changes <- which(rowSums(region[-1, ] != region[-length(x), ]) > 0)
    expect_identical(x[changes + 1], change_points(partition, "x"))
  }
  expect_identical(change_points(make_tree(axes), "x"), numeric())
})

# ---- words --------------------------------------------------------------------------------------

test_that("regions are described", {
  wide <- list(letter = levels_axis(letters), x = dyadic_axis(2000, 2010, 3),
               grade = axes$grade, "{y}" = bins_axis(0.5))
  expect_snapshot({
    describe_cells("x", wide$x, c(0, 3))
    describe_cells("x", wide$x, c(4, 7))
    describe_cells("x", wide$x, c(2, 3))
    describe_cells("x", wide$x, c(0, 7))
    describe_cells("grade", wide$grade, 0:1)
    describe_cells("grade", wide$grade, 2:3)
    describe_cells("grade", wide$grade, 1:2)
    describe_cells("grade", wide$grade, 2)
    describe_cells("grade", wide$grade, c(1, 3))
    describe_cells("letter", wide$letter, c(0, 4))
    describe_cells("letter", wide$letter, 3:20)
    describe_cells("{y}", wide[["{y}"]], c(1, 1))
  })
})

test_that("cells that differ are described by numbers that differ", {
  axis <- dyadic_axis(123456, 123457, 6)
  starts <- vapply(1:63, function(cell) format_start(axis, cell), "")
  expect_false(anyDuplicated(starts) > 0)
  axis <- bins_axis(1e-8, 2e-8, 1000, 1000, 123456.789)
  starts <- vapply(c(1, 2, 3, 5), function(cell) format_start(axis, cell), "")
  expect_false(anyDuplicated(starts) > 0)
  expect_identical(format_start(bins_axis(2003.5), 1), "2003.5")
})

test_that("trees and tables print as outlines", {
  tree <- make_tree(axes, split_at(
    "colour", c(0, 2),
    split_at("x", 4, split_at("grade", 0:1, leaf(12), leaf(1030)), leaf(7)),
    split_at("x", 4, leaf(0), split_at("x", 6, leaf(31), leaf(4)))
  ))
  table <- new_joint_table(list(x = bins_axis(1, 2.5), colour = axes$colour))
  expect_snapshot({
    tree
    make_tree(axes)
    table
    print(new_joint_table(list(letter = levels_axis(letters), y = bins_axis(0))), most = 3)
  })
})

# ---- what is no partition -----------------------------------------------------------------------

test_that("malformed partitions are refused", {
  tree <- make_tree(axes, split_at("x", 4, split_at("colour", 1), leaf()))
  broken <- function(column, row, value) {
    nodes <- tree$nodes
    nodes[[column]][row] <- value
    check_sound(new_dyadic_tree(axes, nodes))
  }
  expect_error(broken("variable", 1, "y"))
  expect_error(broken("left", 1, 3L), "child of one")
  expect_error(broken("cell", 1, NA), "needs its cell")
  expect_error(broken("left_codes", 2, list(NULL)), "needs its levels")
  nodes <- tree$nodes
  nodes[1, c("left", "right")] <- nodes[1, c("right", "left")]
  expect_error(check_sound(new_dyadic_tree(axes, nodes)), "preorder")
  backwards <- list(type = "bins", cuts = c(2, 1), bins = 3)
  expect_error(check_sound(new_joint_table(list(x = backwards))), "axis is malformed")
  expect_error(check_sound(new_joint_table(list(axes$x, axes$x))), "names")
})
