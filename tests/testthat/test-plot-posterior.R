test_that("each arc has a cell", {
  arcs <- arc_posterior(attitude[1:4], "bge")
  picture <- arc_cells(arcs)
  expect_identical(picture$rows, names(attitude)[1:4])
  expect_identical(nrow(picture$cells), 12L)
  first <- picture$cells[1L, ]
  expect_identical(c(first$row, first$column), 1:2)
  expect_equal(first$value, arcs$probability[1L])
  picture$cells <- data.frame(value = c(0, 1))
  expect_identical(fills(picture), c("#FFFFFF", "#0072B2"))
})

test_that("effects have cells of their own rows and columns, and two colours", {
  effects <- causal_effects(attitude, score = "bge", from = c("raises", "advance"),
                            to = c("rating", "raises"))
  picture <- effect_cells(effects)
  expect_identical(picture$rows, c("raises", "advance"))
  expect_identical(picture$columns, c("rating", "raises"))
  expect_equal(picture$cells$value, effects$effects$standardised)
  expect_equal(picture$limits, c(-1, 1) * max(abs(picture$cells$value)))
  picture$cells <- data.frame(value = c(picture$limits, 0))
  expect_identical(fills(picture), c("#D55E00", "#0072B2", "#FFFFFF"))
})

test_that("a network of the probable arcs has no cycle, and the width says how probable", {
  arcs <- arc_posterior(attitude, "bge")
  table <- as.data.frame(acyclic_arcs(arcs, 0.1)$arcs)
  key <- paste(arcs$from, arcs$to)
  p <- arcs$probability[match(paste(table$from, table$to), key)]
  expect_true(all(p >= 0.1))
  drawn <- picture_of_arcs(arcs, 0.1)(c(7, 5))$arcs
  expect_setequal(paste(drawn$from, drawn$to), paste(table$from, table$to))
  at <- match(paste(drawn$from, drawn$to), key)
  expect_equal(drawn$width, 0.4 + 1.6 * arcs$probability[at])
  left_out <- arcs[arcs$probability >= 0.1 & !key %in% paste(table$from, table$to), ]
  expect_gt(nrow(left_out), 0L)
  for (i in seq_len(nrow(left_out))) { # each closes a cycle with more probable ones
    more_probable <- table[p >= left_out$probability[i], ]
    closed <- rbind(more_probable, left_out[i, c("from", "to")])
    parents <- lapply(names(attitude), function(v) {
      match(closed$from[closed$to == v], names(attitude))
    })
    expect_gt(length(find_cycle(parents)), 0L)
  }
  withr::local_pdf(NULL)
  expect_identical(plot(arcs, type = "network"), arcs)
  expect_identical(plot(arcs, "", "network", threshold = 1), arcs)
  expect_error(plot(arcs, type = "tree"), class = "optbn_error_argument")
  expect_error(plot(arcs, type = "network", threshold = 0), class = "optbn_error_argument")
})

test_that("probabilities of arcs, and effects, are drawn", {
  withr::local_seed(1)
  posterior <- network_posterior(attitude, "bge")
  objects <- list(arc_posterior(posterior), posterior, sample_dags(posterior, 10),
                  causal_effects(attitude, posterior = posterior))
  withr::local_pdf(NULL)
  for (object in objects) {
    expect_invisible(plot(object, main = NULL))
    expect_identical(plot(object, main = ""), object)
    if (!inherits(object, "optbn_effects")) expect_identical(plot(object, type = "network"), object)
  }
  best <- learn_k_best(attitude, 5, "bge")
  expect_invisible(plot(best))
  expect_error(plot(best[0]), class = "optbn_error_argument")
  expect_error(plot(best, main = 3), class = "optbn_error_argument")
  expect_error(plot(posterior, main = 3), class = "optbn_error_argument")
  skip_if_not_installed("ggplot2")
  for (object in objects) expect_s3_class(ggplot2::autoplot(object), "ggplot")
  for (object in objects[1:3]) {
    plot <- ggplot2::autoplot(object, type = "network", threshold = 0.3)
    expect_gt(length(unique(ggplot2::layer_data(plot, 1)$linewidth)), 1)
  }
})

test_that("of many names only those are written that can be read", {
  skip_if_not_installed("ggplot2")
  arcs <- function(n) {
    nodes <- paste0("v", seq_len(n))
    list(rows = nodes, columns = nodes, cells = data.frame(row = 1, column = 2, value = 1,
                                                           label = ""),
         measure = "probability", limits = c(0, 1), colours = c("white", "black"))
  }
  names_of <- function(n) autoplot_matrix(arcs(n), "")$scales$get_scales("x")$breaks
  expect_identical(names_of(20), paste0("v", 1:20))
  expect_identical(names_of(120), paste0("v", seq(1, 120, by = 3)))
})
