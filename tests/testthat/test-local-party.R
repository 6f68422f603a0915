axes <- list(
  x = dyadic_axis(0.1, 0.7, 5), y = dyadic_axis(-1, 1, 4), a = levels_axis(c("p", "q", "r", "s")),
  size = levels_axis(c("low", "middle", "high"), TRUE), "odd name" = dyadic_axis(1000, 1001, 3)
)

tree_model <- function(tree, levels = NULL) {
  n <- tree$nodes$n[is_leaf(tree)]
  distribution <- if (is.null(levels)) {
    list(density = "student", location = seq_along(n), scale = 1 / seq_along(n), df = n + 1)
  } else {
    list(prob = matrix(1 / length(levels), length(levels), length(n), dimnames = list(levels)))
  }
  structure(
    c(list(node = "child", parents = names(tree$axes), levels = levels, partition = tree, n = n),
      distribution),
    class = c("optbn_tree", "optbn_partition", "optbn_local")
  )
}

# Rows in and around the range, half of them on the bounds of cells.
random_rows <- function(n) {
  columns <- lapply(axes, function(axis) {
    if (axis$type == "levels") {
      return(factor(sample(axis$levels, n, TRUE), axis$levels, ordered = axis$ordered))
    }
    bounds <- cell_start(axis, seq_len(cells_along(axis)) - 1)
    anywhere <- stats::runif(n, axis$range[1] - 0.2, axis$range[2] + 0.2)
    ifelse(stats::runif(n) < 0.5, sample(bounds, n, TRUE), anywhere)
  })
  structure(columns, class = "data.frame", row.names = seq_len(n))
}

as_values <- function(rows) {
  lapply(rows, function(column) if (is.factor(column)) as.integer(column) - 1L else column)
}

test_that("a party sends rows to the leaves that the tree sends them to", {
  skip_where_quick()
  skip_without_peer("partykit")
  withr::local_seed(1)
  for (depth in c(1, 3, 6)) {
    tree <- random_tree(axes, depth)
    party <- partykit::as.party(tree_model(tree))
    expect_s3_class(party, "party")
    expect_identical(partykit::nodeids(party, terminal = TRUE), which(is_leaf(tree)))
    count <- if (all_cases()) 3000 else 1000
    rows <- random_rows(count)
    leaf <- stats::predict(party, rows, type = "node")
    expect_identical(match(unname(leaf), which(is_leaf(tree))),
                     find_region(tree, as_values(rows), count))
  }

  # whole numbers may be integers
  whole <- replace(rows, "y", round(rows$y))
  leaf <- stats::predict(party, whole, type = "node")
  expect_identical(stats::predict(party, replace(whole, "y", as.integer(whole$y)), type = "node"),
                   leaf)
})

test_that("breaks are the first numbers that go right", {
  skip_where_quick()
  below <- function(x) { # the next smaller number, or the one after
    x - 2^(floor(log2(abs(x))) - 52)
  }
  withr::local_seed(2)
  for (i in 1:50) {
    ends <- sort(stats::rnorm(2, sd = 10^stats::runif(1, -3, 3)))
    axis <- dyadic_axis(ends[1], ends[2], sample(8, 1))
    cells <- seq_len(cells_along(axis) - 1)
    first <- vapply(cells, function(cell) first_value(axis, cell), 0)
    expect_true(all(find_cell(axis, first) >= cells & find_cell(axis, below(first)) < cells))
    expect_equal(first, cell_start(axis, cells))
  }
})

test_that("a party shows splits and leaves", {
  skip_without_peer("partykit")
  tree <- make_tree(axes, split_at("a", c(0, 2), split_at("a", 2, leaf(1200), leaf(3)),
                                   split_at("size", 0, leaf(4), leaf(5))))
  party <- partykit::as.party(tree_model(tree, c("no", "yes")))
  shown <- utils::capture.output(print(party))
  expect_match(shown, "[2] a in p, r", fixed = TRUE, all = FALSE)
  expect_match(shown, "[3] a in r", fixed = TRUE, all = FALSE)
  expect_match(shown, "[4] a in p:", fixed = TRUE, all = FALSE) # q and s are not here
  expect_match(shown, "n = 1,200", fixed = TRUE, all = FALSE)
  expect_match(shown, "no 0.50, yes 0.50", fixed = TRUE, all = FALSE)
  expect_identical(names(party$data), c("child", names(axes)))
  expect_identical(levels(party$data$child), c("no", "yes"))
  continuous <- partykit::as.party(tree_model(tree))
  expect_output(print(continuous), "2 (scale 0.500)", fixed = TRUE)
})

test_that("parties are plotted, and one leaf is a party too", {
  skip_without_peer("partykit")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  withr::local_seed(3)
  for (tree in list(random_tree(axes, 3), make_tree(axes), make_tree(list()))) {
    party <- partykit::as.party(tree_model(tree, c("no", "yes")))
    expect_warning(plot(party), NA)
    expect_output(print(party), "root")
  }
  expect_identical(unname(stats::predict(party, random_rows(2), type = "node")), c(1L, 1L))
})
