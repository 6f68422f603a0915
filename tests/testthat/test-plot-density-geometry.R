region <- c(7, 4.6)

within_region <- function(picture) {
  points <- rbind(picture$lines[c("x", "y")], picture$shapes[c("x", "y")])
  all(points$x > -1e-6 & points$x < region[1L] + 1e-6 & points$y > -1e-6 &
        points$y < region[2L] + 1e-6)
}

test_that("whatever is drawn stays on the region, and texts are in their boxes", {
  set.seed(1)
  for (class in c("optbn_cutset_network", "optbn_latent_tree", "optbn_mixture")) {
    for (i in 1:6) {
      model <- random_density(class, n = sample(2:9, 1), depth = sample(1:5, 1))
      picture <- density_picture(model, region)
      expect_true(within_region(picture))
      expect_gt(nrow(picture$shapes), 0)
    }
  }
})

test_that("a tree of cuts has a row for every leaf, and places after what they hang on", {
  set.seed(2)
  model <- random_density(n = 9, depth = 5L)
  places <- density_picture(model, region)$places
  leaves <- which(!is.na(places$leaf))
  gaps <- diff(sort(places$y[leaves]))
  expect_equal(gaps, rep(gaps[1L], length(gaps)))
  below <- which(places$above > 0L)
  expect_true(all(places$left[below] > places$right[places$above[below]]))
  expect_true(all(places$branch_left[below] > places$bar[places$above[below]]))
  scale <- place_cuts(cut_tree(model), region - c(0, caption_room), 0.5)$scale
  text_right <- places$branch_left[below] +
    scale * text_em(places$branch[below]) * most_points[["label"]] / 72
  expect_true(all(text_right < places$left[below] + 1e-9))
  cuts <- setdiff(seq_along(places$cut), leaves)
  for (cut in cuts) {
    children <- which(places$above == cut)
    expect_true(all(diff(places$y[children]) < 0)) # levels from top to bottom
    expect_equal(places$y[cut], mean(range(places$y[children])))
  }
})

test_that("leaves show their trees where there is room for them", {
  picture <- density_picture(example_cutset(), region)
  expect_true(picture$trees)
  # of two cuts each a stem, a bar and its branches; the edges of the leaves, which nothing covers
  expect_identical(length(unique(picture$lines$id)), 2L + 2L + 5L + 4L)
  panels <- picture$shapes[picture$shapes$border == panel_border, ]
  expect_identical(nrow(panels), 16L)
  expect_true(all(is.na(panels$fill)))
  set.seed(3)
  large <- random_density(n = 12, depth = 5L)
  expect_gt(length(large$components[[1L]]$members), 12)
  expect_false(density_picture(large, region)$trees)
  labels <- density_picture(example_cutset(), region)$texts$label
  expect_setequal(labels, c("Smoker", "Cough", "Age", "Test", "no: 75%", "yes: 25%", "never: 50%",
                            "some: 30%", "often: 20%", "1: 3 vars, 75%", "2: 2 vars, 12%",
                            "3: 2 vars, 7.5%", "4: 2 vars, 5%", labels[length(labels)]))
})

test_that("trees show every variable once, hidden ones apart", {
  set.seed(4)
  model <- random_density("optbn_latent_tree", n = 7)
  picture <- density_picture(model, region)
  hidden <- sum(model$components[[1L]]$variable == 0L)
  expect_setequal(picture$texts$label,
                  c(model$nodes, paste0("H", seq_len(hidden)), "orange: hidden variables"))
  fills <- picture$shapes$fill[!duplicated(picture$shapes$id)]
  expect_identical(sum(fills == kind_fills[["tree"]]), hidden)
  tree <- density_picture(cutset_leaf(example_cutset(), 2), region)
  expect_identical(tree$texts$label, c("Age", "Test"))
})

test_that("a single variable is a picture, too", {
  model <- new_density("optbn_cutset_network", "A", list(A = c("u", "v")), NULL, 1,
                       list(tree_body(2L, 0L)), example_learning())
  picture <- density_picture(model, region)
  expect_true(within_region(picture))
  expect_identical(picture$texts$label, "A")
})

test_that("bars are as long as the weights, the largest on top", {
  set.seed(5)
  model <- random_density("optbn_mixture", n = 4, components = 40L, depth = 1L)
  picture <- density_picture(model, region)
  bars <- picture$shapes[picture$shapes$fill == bar_fill[["other"]], ]
  ends <- split(bars, bars$id)
  widths <- vapply(ends, function(bar) diff(range(bar$x)), 0, USE.NAMES = FALSE)
  heaviest <- sort(model$weights, decreasing = TRUE)
  expected <- c(heaviest[1:30], sum(heaviest[-(1:30)]))
  expect_equal(picture$rows$weight, expected)
  expect_equal(widths / widths[1L], expected[1:30] / expected[1L])
  expect_true(all(diff(vapply(ends, function(bar) mean(bar$y), 0)) < 0))
  expect_identical(picture$rows$label[31], "10 more")
  expect_match(picture$texts$label, "^the heaviest of 40 components", all = FALSE)
})

test_that("the cells of a mixture have the probabilities that differ most between components", {
  set.seed(6)
  model <- random_density("optbn_mixture", n = 5, components = 3L, depth = 1L)
  columns <- level_columns(model, c(2L, 1L, 3L))
  expect_lte(nrow(columns$levels), length(model$nodes))
  spread <- vapply(seq_len(nrow(columns$levels)), function(k) {
    at <- columns$levels[k, ]
    prob <- vapply(c(2, 1, 3), function(i) {
      query(mixture_component(model, i), model$nodes[at$variable])[[at$level]]
    }, 0)
    expect_equal(columns$prob[, k], prob)
    weight <- model$weights[c(2, 1, 3)]
    sum(weight * (prob - sum(weight * prob))^2)
  }, 0)
  expect_false(is.unsorted(rev(spread)))
  expect_identical(nrow(level_columns(model, 2L)$levels), 0L)
})

test_that("the heaviest component is drawn, and those that weigh next to nothing are one row", {
  set.seed(7)
  model <- random_density("optbn_mixture", n = 5, components = 12L, depth = 1L)
  model$weights <- c(0.997, rep(0.003 / 11, 11))
  picture <- density_picture(model, region)
  expect_identical(picture$rows$label, c("component 1", "11 more"))
  expect_true(picture$heaviest)
  expect_match(picture$texts$label, "^component 1: ", all = FALSE)
  low <- picture$shapes$y < 2.5 # the page is filled to its foot
  expect_gt(sum(low), 10)
  expect_true(within_region(picture))
})

test_that("shares are short", {
  expect_identical(format_share(c(1, 0.1234, 0.00567, 3e-6, 0)),
                   c("100%", "12%", "0.57%", "<0.01%", "0%"))
})

test_that("the line below the title says how large a model is", {
  expect_identical(
    density_line(example_cutset()),
    "2 cuts, 4 leaves; 18 parameters; log-likelihood -2.468 a row"
  )
  expect_identical(density_line(cutset_leaf(example_cutset(), 2)),
                   "given Smoker = yes, Cough = never; 3 parameters")
})
