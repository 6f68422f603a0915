drawn <- function(expr, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  expect_warning(expr, NA)
}

dynamic_of <- function(arcs, variables, lags = 1L, static = character()) {
  layout <- list(variables = variables, static = static, lags = lags, id = NULL, time = NULL,
                 gaps = "drop", clock = NULL)
  nodes <- unlist(layout_tiers(layout))
  network <- function(nodes, arcs) plain_network(dag_of_arcs(nodes, arcs, "arcs", NULL))
  past <- past_columns(layout)
  structure(list(transition = network(nodes, arcs), initial = network(past, arcs[0L, ]),
                 layout = layout, rows = "all"), class = "optbn_dynamic")
}

test_that("dynamic networks of every kind are drawn", {
  small <- learn_quietly(continuous_series(), lags = 2, score = "bic-g",
                         whitelist = c("late_lag2", "seen"))
  expect_identical(drawn(expect_invisible(plot(small))), small)
  drawn(plot(small, main = ""), width = 2, height = 2)
  series <- discrete_series(subjects = 3)
  series$sex <- factor(c("f", "m", "f")[series$who])
  drawn(plot(learn_quietly(series, id = "who", time = "when", static = "sex", score = "bic",
                           whitelist = c("sex", "state"))))
  drawn(plot(dynamic_of(cbind(from = character(), to = character()), "x")))
})

test_that("a variable has one row, a slice one column, and arcs pass between boxes", {
  arcs <- cbind(from = c("a_lag2", "a_lag1", "b", "s"), to = c("a", "b", "c", "c"))
  network <- dynamic_of(arcs, c("a", "b", "c"), 2L, "s")
  picture <- dynamic_picture(network, c(6, 4))
  nodes <- picture$nodes[picture$nodes$node != "s", ]
  expect_equal(length(unique(round(nodes$y, 9))), 3)
  expect_equal(length(unique(round(picture$nodes$x, 9))), 4)
  expect_equal(picture$heads_of_columns$node, c("static", "t - 2", "t - 1", "t"))
  now <- max(nodes$x)
  arc <- which(picture$arcs$from == "a_lag2")
  path <- picture$paths[picture$paths$id == arc, ]
  expect_true(all(diff(path$x) > 0))
  between <- nodes[nodes$x > min(nodes$x) + 0.01 & nodes$x < now - 0.01, ]
  for (i in seq_len(nrow(between))) {
    box <- between[i, ]
    inside <- abs(path$x - box$x) < box$width / 2 & abs(path$y - box$y) < box$height / 2
    expect_false(any(inside))
  }
  bow <- picture$paths[picture$paths$id == which(picture$arcs$from == "b"), ]
  expect_true(all(bow$x > now))
})

test_that("rows bring variables together that have arcs in common", {
  arcs <- data.frame(from = c("a", "b"), to = c("e", "d"), lag = 1)
  layout <- list(variables = letters[1:5])
  ordered <- arrange_variables(arcs, layout)
  rank <- match(letters[1:5], ordered)
  expect_equal(c(abs(rank[1] - rank[5]), abs(rank[2] - rank[4])), c(1, 1))
  expect_setequal(ordered, letters[1:5])
})

test_that("ggplot2 draws the same", {
  skip_without_peer("ggplot2")
  network <- learn_quietly(continuous_series(), score = "bic-g")
  plot <- ggplot2::autoplot(network)
  expect_s3_class(plot, "ggplot")
  drawn(print(plot))
})

test_that("bad input is refused", {
  network <- learn_quietly(continuous_series(), score = "bic-g")
  expect_snapshot(error = TRUE, plot(network, main = 1))
  network$layout$lags <- 2L
  expect_error(plot(network), class = "optbn_error_model")
})
