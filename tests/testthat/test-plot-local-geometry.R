large <- c(7, 5)

# The rectangles of a picture that have one of the fills, from left to right and upwards.
filled <- function(picture, fill) {
  shapes <- picture$shapes[picture$shapes$fill %in% fill, ]
  edges <- function(what, of) as.vector(tapply(shapes[[of]], shapes$id, what))
  edges <- data.frame(left = edges(min, "x"), right = edges(max, "x"),
                      bottom = edges(min, "y"), top = edges(max, "y"),
                      fill = as.vector(tapply(shapes$fill, shapes$id, `[`, 1)))
  edges[order(round(edges$left, 6), edges$bottom), ]
}

# Do some of the intervals from `left` to `right` share more than a point?
any_overlap <- function(left, right) {
  order <- order(left)
  any(left[order][-1] < cummax(right[order])[-length(right)] - 1e-9)
}

# ---- where things stand --------------------------------------------------------------------------

test_that("nothing of a tree overlaps, every node and leaf is there, all is in the region", {
  skip_where_quick()
  withr::local_seed(2)
  for (depth in c(1, 2, 3, 5, 7)) for (region in list(large, c(3, 3), c(12, 4))) {
    tree <- random_tree(mixed_axes, depth)
    picture <- local_picture(model_on(tree, eight), region)
    panels <- picture$panels
    boxes <- picture$nodes
    branches <- picture$branches
    inner <- which(!is_leaf(tree))

    expect_identical(panels$n, tree$nodes$n[is_leaf(tree)])
    expect_false(any_overlap(panels$left, panels$right))
    expect_identical(boxes$row, inner)
    expect_identical(boxes$full, tree$nodes$variable[inner])
    labelled <- if (nrow(branches) == nrow(tree$nodes) - 1) seq_len(nrow(tree$nodes))[-1] else
      tree$nodes$left[inner]
    expect_identical(branches$row, labelled)

    points <- rbind(picture$lines[c("x", "y")], picture$shapes[c("x", "y")])
    expect_true(all(points$x > -1e-9 & points$x < region[1] + 1e-9))
    expect_true(all(points$y > -1e-9 & points$y < region[2] + 1e-9))
    expect_true(all(boxes$y - boxes$height / 2 > max(panels$top)))

    overlap_in_rows <- function(things, width) {
      any(vapply(split(seq_along(width), round(things$y, 6)), function(i) {
        any_overlap(things$x[i] - width[i] / 2, things$x[i] + width[i] / 2)
      }, NA))
    }
    text_width <- function(things) text_em(things$label) * things$size / 72
    expect_false(overlap_in_rows(boxes, boxes$width))
    expect_true(all(text_width(boxes) <= boxes$width + 1e-9))
    expect_false(overlap_in_rows(branches, text_width(branches)))
    expect_true(all(text_width(branches) <= branches$width + 1e-9))
  }
})

test_that("a branch leads from the middle of its box to that of its child, past all others", {
  skip_where_quick()
  withr::local_seed(3)
  for (depth in 2:6) {
    tree <- random_tree(mixed_axes, depth)
    picture <- local_picture(model_on(tree), large)
    boxes <- picture$nodes
    middle <- (picture$panels$left + picture$panels$right) / 2
    place <- numeric(nrow(tree$nodes))
    place[boxes$row] <- boxes$x
    place[is_leaf(tree)] <- middle

    elbows <- Filter(function(line) nrow(line) == 4, split(picture$lines, picture$lines$id))
    ends <- t(vapply(elbows, function(line) line$x[c(1, 4)], numeric(2)))
    arcs <- cbind(place[rep(boxes$row, 2)],
                  place[c(tree$nodes$left[boxes$row], tree$nodes$right[boxes$row])])
    sorted <- function(pairs) unname(pairs[order(pairs[, 1], pairs[, 2]), ])
    expect_equal(sorted(ends), sorted(arcs))

    crossed <- vapply(split(picture$lines, picture$lines$id), function(line) {
      fall <- utils::tail(line, 2)
      any(abs(boxes$x - fall$x[1]) < boxes$width / 2 - 1e-9 &
            boxes$y < max(fall$y) - 1e-9 & boxes$y > min(fall$y) + 1e-9)
    }, NA)
    expect_false(any(crossed))
  }
})

test_that("text needs no more room than it is given", {
  labels <- c("Survived", "< 3.25", ">= 1000.25", "WWW mmm", "illicit", "1st, 2nd, +3", "[2.1, 3)",
              "Average income (EUR)", "MAXIMUM", "0.00")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::plot.new()
  wide <- graphics::strwidth(labels, "inches", cex = 1) * 72 / graphics::par("ps")
  expect_true(all(wide <= text_em(labels)))
  expect_true(all(wide > 0.6 * text_em(labels)))
})

# ---- labels --------------------------------------------------------------------------------------

test_that("branches bear thresholds, levels, and parts of ordered levels", {
  picture <- local_picture(model_on(every_split(), c("no", "yes")), c(12, 6))
  expect_identical(picture$nodes$label, c("age", "size", "size", "class", "letter"))
  expect_identical(picture$branches$label,
                   c("< 40", "<= medium", "> medium", "large", "huge", ">= 40", "1st, 3rd",
                     "2nd, crew", "rest", "z"))
  expect_identical(picture$branches$full[9], paste(letters[1:25], collapse = ", "))
  long <- list(letter = levels_axis(paste("the letter", letters)))
  picture <- local_picture(model_on(make_tree(long, split_at("letter", 0:12))), large)
  expect_match(picture$branches$label, "^the letter [an], the letter [bo], .*[+][0-9]+$")
})

test_that("leaves say how many rows they have", {
  picture <- local_picture(model_on(every_split(), c("no", "yes")), large)
  expect_true(all(c("10", "20", "0", "40", "50", "1,234", "rows") %in% picture$texts$label))
})

test_that("where branches have no room, nodes bear the values that go left", {
  picture <- local_picture(model_on(every_split(), c("no", "yes")), c(3.4, 4))
  expect_identical(picture$branches$row, c(2L, 3L, 5L, 8L, 10L))
  expect_identical(picture$branches$label, c("< 40", "<= medium", "large", "1st, 3rd", "not z"))
  expect_match(picture$texts$label, "values below a node go left", all = FALSE)
})

test_that("lists of levels and long names are shortened, numbers are not", {
  expect_identical(fitting_value(c("red", "green", "blue"), 20), "red, green, blue")
  expect_identical(fitting_value(c("red", "green", "blue"), 6), "red, +2")
  expect_identical(fitting_value("a very long level", 6), "a very lo...")
  expect_identical(fitting_value("< 1234567.5", 2), "< 1234567.5")
  expect_identical(shortened(c("short", "much too long", "x"), 0.4, 8), c("short", "muc...", "x"))
  expect_identical(shortened("unreadable", 0.05, 8), "")
  cut <- shortened(rep("occupation of the respondent", 9), (1:9) / 5, 9)
  expect_true(all(text_em(cut) <= 72 * (1:9) / 5 / 9))
  expect_false(is.unsorted(nchar(cut)))
})

# ---- panels --------------------------------------------------------------------------------------

test_that("bars are as long as probabilities, the largest of a leaf is darker", {
  withr::local_seed(4)
  for (levels in list(c("no", "yes"), eight)) {
    model <- model_on(random_tree(mixed_axes, 4), levels)
    model$n[2] <- 0
    picture <- local_picture(model, large)
    bars <- filled(picture, bar_fill)
    r <- length(levels)
    region <- rep(seq_along(model$n), each = r)
    width <- (picture$panels$right - picture$panels$left)[region]
    upwards <- as.vector(model$prob[r:1, ])
    expect_equal((bars$right - bars$left) / width, upwards)
    expect_equal(bars$left, picture$panels$left[region])
    largest <- upwards == apply(model$prob, 2, max)[region]
    expect_identical(bars$fill == bar_fill[["largest"]], largest & region != 2)
    expect_identical(bars$fill == bar_fill[["empty"]], region == 2)
    expect_length(unique(round(bars$bottom, 6)), r) # a level is on its line in all panels
    expect_true(all(levels %in% picture$texts$label))
  }
})

test_that("wide panels give the probabilities in figures", {
  tree <- make_tree(mixed_axes["age"], split_at("age", 4, leaf(3), leaf(5)))
  model <- model_on(tree, c("no", "yes"))
  model$prob[] <- c(0.25, 0.75, 1, 0)
  expect_true(all(c("0.25", "0.75", "1.00", "0.00") %in% local_picture(model, large)$texts$label))
})

test_that("densities hold the same area everywhere, and one that is too high is cut off", {
  set.seed(2) # regions of like widths: a curve ends where the axis does, which costs some area
  tree <- random_tree(mixed_axes["fare"], 2)
  regions <- count_regions(tree)
  scale <- seq(1, 2, length.out = regions)
  areas <- function(model) {
    picture <- local_picture(model, large)
    curves <- picture$shapes[picture$shapes$fill %in% bar_fill[["other"]], ]
    list(panels = picture$panels, area = vapply(split(curves, curves$id), function(curve) {
      left <- min(curve$x)
      inner <- curve[2:(nrow(curve) - 1), ]
      sum(diff(inner$y) * (utils::head(inner$x - left, -1) + utils::tail(inner$x - left, -1)) / 2)
    }, 0), curves = split(curves, curves$id))
  }
  model <- model_on(tree, scale = scale)
  model$df[] <- Inf
  drawn <- areas(model)
  expect_length(drawn$area, regions)
  expect_lt(max(drawn$area) / min(drawn$area), 1.03)
  # the narrowest of them fills its panel
  expect_equal(max(drawn$curves[[1]]$x), drawn$panels$right[1])

  model$scale[1] <- 1e-3
  drawn <- areas(model)
  expect_equal(max(drawn$curves[[1]]$x), drawn$panels$right[1])
  expect_lt(drawn$area[1], 0.1 * drawn$area[2])
})

test_that("where panels would be too narrow there are cells in colour, or intervals", {
  withr::local_seed(5)
  axes <- list(x = bins_axis(1:6), y = bins_axis(1:9))
  model <- model_on(new_joint_table(axes), eight)
  model$n[5] <- 0
  picture <- local_picture(model, large)
  colours <- heat_colour(as.vector(model$prob[8:1, -5]))
  cells <- filled(picture, colours)
  # the scale has cells of the same colours, outside the panels
  cells <- cells[cells$top <= picture$panels$top[1] + 1e-9 &
                   cells$bottom >= picture$panels$bottom[1] - 1e-9, ]
  expect_identical(cells$fill, colours)
  expect_identical(nrow(filled(picture, bar_fill[["empty"]])), 8L)

  model <- model_on(new_joint_table(axes))
  picture <- local_picture(model, large)
  intervals <- filled(picture, bar_fill[["other"]])
  range <- value_range(local_view(model))
  panel <- picture$panels[1, ]
  height <- function(value) {
    inside <- pmin(pmax(value, range[1]), range[2])
    panel$bottom + (inside - range[1]) / diff(range) * (panel$top - panel$bottom)
  }
  expect_equal(intervals$bottom, height(model$location - model$scale))
  expect_equal(intervals$top, height(model$location + model$scale))
})

test_that("the axis of a continuous child is where its rows are", {
  view <- function(n, location, scale, df = Inf) {
    list(rows = n, location = location, scale = scale, df = rep(df, length(n)))
  }
  # two rows far out do not stretch it, but their locations are seen
  expect_lt(diff(value_range(view(c(1000, 2), c(0, 10), c(1, 500)))), 20)
  expect_gt(value_range(view(c(1000, 2), c(0, 10), c(1, 500)))[2], 10)
  # one region is seen whole
  expect_lt(value_range(view(5, 0, 1))[1], -2.9)
  expect_lt(value_range(view(0, 0, 1, df = 1))[1], -2.9)
})

# ---- tables --------------------------------------------------------------------------------------

test_that("the head of a table names the configuration of every column", {
  axes <- list(x = bins_axis(1.5, 2.5), class = levels_axis(c("1st", "2nd")), y = bins_axis(10))
  picture <- local_picture(model_on(new_joint_table(axes), eight), c(12, 5))
  cells <- picture$cells
  labels <- list(x = c("< 1.5", "[1.5, 2.5)", ">= 2.5"), class = c("1st", "2nd"),
                 y = c("< 10", ">= 10"))
  configurations <- expand.grid(labels, stringsAsFactors = FALSE)
  for (parent in names(axes)) {
    rows <- cells[cells$parent == parent, ]
    spread <- rep(rows$label, rows$last - rows$first + 1)
    expect_identical(spread, configurations[[parent]])
  }
})

test_that("plain tables are drawn as discretised ones, with numbers of rows where they are known", {
  titanic <- as.data.frame(Titanic)
  fit <- fit_network("[Class][Sex|Class][Survived|Class:Sex]",
                     titanic[c("Class", "Sex", "Survived")], weights = titanic$Freq)
  table <- local_model(fit, "Survived")
  picture <- local_picture(table, large)
  expect_identical(picture$cells$label, c(rep(c("1st", "2nd", "3rd", "Crew"), 2), "Male", "Female"))
  bars <- filled(picture, bar_fill)
  expect_equal((bars$right - bars$left) / (picture$panels$right - picture$panels$left)[1],
               as.vector(table$prob[2:1, , ]))
  expect_identical(picture$panels$n, colSums(table$counts))
  expect_true("rows" %in% picture$texts$label)
  table$counts <- NULL
  expect_false("rows" %in% local_picture(table, large)$texts$label)
})
