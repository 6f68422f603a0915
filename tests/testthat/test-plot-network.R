# Draws on a device that keeps nothing; warnings fail the test.
draw <- function(expr, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  expect_warning(expr, NA)
}

example_sets <- function() {
  read_jkl(system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn"))
}

traced <- function(trace, ...) {
  record <- example_record(LETTERS[1:6], ...)
  record$trace <- trace
  certificate(discrete_network(record = record))
}

search_trace <- data.frame(seconds = c(0, 0.5, 2, 8), score = c(-Inf, -120, -110, -105),
                           bound = c(-90, -90, -95, -100))

test_that("networks of every kind are drawn", {
  withr::local_seed(1)
  network <- discrete_network()
  expect_identical(draw(expect_invisible(plot(network))), network)
  draw(plot(network, layout = cbind(1:6, 0), highlight = network$arcs[1:2, ], main = "A title"))
  draw(plot(network, main = ""), width = 2, height = 2)
  draw(plot(gaussian_network(whitelist = cbind("A", "C"))))
  draw(plot(example_network(letters, rep(list(integer()), 26))))
  draw(plot(example_network("one", list(integer()))))
  draw(plot(example_network(paste0("v", 1:60), random_parents(60, 0.05))))
})

test_that("drawing leaves the device's settings as they were, and the random numbers", {
  draw({
    before <- graphics::par(no.readonly = TRUE)
    set.seed(1)
    seed <- .Random.seed
    plot(discrete_network())
    plot(certificate(discrete_network()))
    plot(example_sets())
    changed <- c("fig", "fin", "pin", "plt", "usr", "mfg", "xaxp", "yaxp", "cxy")
    same <- setdiff(names(before), changed)
    expect_identical(graphics::par(no.readonly = TRUE)[same], before[same])
    expect_identical(.Random.seed, seed)
  })
})

# Where the texts that a drawing writes stand on the page, in points.
written_at <- function(expr) {
  file <- withr::local_tempfile()
  grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
  expr
  grDevices::dev.off()
  lines <- grep(" Tm \\(.*\\) Tj$", readLines(file, warn = FALSE), value = TRUE, useBytes = TRUE)
  place <- do.call(rbind, strsplit(sub(" Tm.*", "", lines), " "))
  data.frame(label = sub(".*\\((.*)\\) Tj$", "\\1", lines),
             x = as.numeric(place[, ncol(place) - 1L]), y = as.numeric(place[, ncol(place)]))
}

test_that("labels of one row stand on one line, whatever letters they have", {
  names <- c("eggs", "milk", "legs", "ace", "Type", "up")
  network <- example_network(names, rep(list(integer()), 6))
  row <- cbind(1:6, 0)
  drawings <- c(quote(plot(network, layout = row)),
                if (rlang::is_installed("ggplot2")) {
                  quote(print(ggplot2::autoplot(network, layout = row)))
                })
  for (drawing in drawings) {
    written <- written_at(eval(drawing))
    labels <- written[match(names, written$label), ]
    expect_false(anyNA(labels$y))
    expect_lt(diff(range(labels$y)), 0.02)
  }
})

test_that("plot() steps aside for fitted networks", {
  fit <- structure(list(), class = c("optbn", "optbn_test_fit", "bn.fit"))
  registerS3method("plot", "optbn_test_fit", function(x, ...) "drawn by another")
  expect_identical(plot(fit), "drawn by another")
})

test_that("searches are drawn, also when little is known of them", {
  draw(plot(traced(search_trace)))
  draw(plot(traced(search_trace), log_time = TRUE))
  draw(plot(traced(search_trace[4, ])))
  draw(plot(traced(data.frame(seconds = 0, score = -5, bound = -5), seconds = 0), log_time = TRUE))
  draw(plot(traced(search_trace[0, ])))
  draw(plot(traced(data.frame(seconds = 1:2, score = -9:-8, bound = Inf), status = "heuristic",
                   bound = Inf, gap = Inf)))
})

test_that("the steps of a search are those of its trace", {
  steps <- search_steps(traced(search_trace, seconds = 10), log_time = FALSE)
  score <- steps$lines[steps$lines$what == "score", ]
  expect_identical(score$seconds, c(0.5, 2, 2, 8, 8, 10))
  expect_identical(score$value, c(-120, -120, -110, -110, -105, -105))
  expect_identical(steps$gaps$from, c(0.5, 2, 8))
  expect_identical(steps$gaps$to, c(2, 8, 10))
  gap <- c(30, 15, 5) # the best score is five and fifteen above the others
  expect_equal(steps$gaps$high, log10(1 + gap - c(15, 5, 0)))
  expect_equal(steps$gaps$low, -log10(1 + c(15, 5, 0)))
  expect_identical(steps$end$value, c(-100, -105))
  expect_identical(steps$time_range, c(0, 10))
  expect_true(all(findInterval(steps$lines$height, steps$height_range) == 1))
  expect_identical(steps$last_gap$label, "gap 5")
  expect_identical(steps$unit, "nats from the best score, -105.0")
  expect_identical(steps$ticks$label[order(steps$ticks$height)], c("-10", "-1", "0", "+1", "+10"))
  expect_gt(search_steps(traced(search_trace), log_time = TRUE)$time_range[1], 0)
})

test_that("the last gap can be seen, however far away the first bound was", {
  for (gap in c(0.02, 3, 400)) {
    trace <- data.frame(seconds = c(0.1, 1, 20), score = c(-9e4, -5e4, -5e4 + gap),
                        bound = c(0, -3e4, -5e4 + 2 * gap))
    steps <- search_steps(traced(trace, status = "bounded", gap = gap), log_time = FALSE)
    last <- steps$gaps[nrow(steps$gaps), ]
    expect_gt((last$high - last$low) / diff(steps$height_range), 0.02)
    expect_equal(steps$last_gap$label, paste("gap", gap))
    expect_true(all(diff(steps$ticks$height) > 0))
    expect_gte(nrow(steps$ticks), 3)
  }
  proved <- search_steps(traced(transform(trace, bound = pmax(score, c(0, 0, -Inf)))), FALSE)
  expect_identical(nrow(proved$last_gap), 0L)
})

test_that("candidate sets are drawn", {
  sets <- example_sets()
  expect_identical(draw(expect_invisible(plot(sets))), sets)
  many <- sets_by_hand(paste0("variable", 1:102), rep(sets$sets, 6))
  draw(plot(many, main = "Many"))
  draw(plot(many), width = 3, height = 3)
  lone <- sets_by_hand("x", list(list(score = 0, size = 0L, parents = integer())))
  draw(plot(lone))
})

test_that("candidate sets are counted by size", {
  sets <- example_sets()
  count <- set_counts(sets)
  expect_identical(rownames(count), sets$nodes)
  expect_equal(unname(rowSums(count)), lengths(lapply(sets$sets, `[[`, "score")))
  expect_equal(count[3, ], table(factor(sets$sets[[3]]$size, colnames(count))), ignore_attr = TRUE)
  cells <- count_cells(count)
  rebuilt <- 0 * count
  rebuilt[cbind(cells$row, cells$size + 1)] <- cells$count
  expect_equal(rebuilt, count)
  expect_true(all(cells$count > 0))
})

test_that("counts are written short", {
  expect_identical(short_count(c(1, 999, 1000, 1234, 9960, 12345, 999499, 2.5e6)),
                   c("1", "999", "1k", "1.2k", "10k", "12k", "999k", "2.5M"))
})

test_that("long tables are split into panels of equal length", {
  expect_identical(split_panels(3), c(1L, 1L, 1L))
  expect_identical(tabulate(split_panels(100)), c(34L, 34L, 32L))
})

test_that("arguments are checked", {
  network <- discrete_network()
  expect_snapshot(error = TRUE, {
    plot(network, layout = matrix(1, 2, 2))
    plot(network, layout = cbind(1:6, NA))
    plot(network, layout = "circle")
    plot(network, highlight = "A")
    plot(network, highlight = cbind("A", "Z"))
    plot(network, main = 1)
    plot(certificate(network), log_time = "yes")
    plot(example_sets(), main = NA)
  })
})
