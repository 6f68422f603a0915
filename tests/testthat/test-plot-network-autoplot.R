titles <- function(plot) unlist(plot$labels[c("title", "subtitle")])

test_that("networks are drawn by ggplot2", {
  skip_without_peer("ggplot2")
  network <- discrete_network()
  plot <- draw_ggplot(ggplot2::autoplot(network))
  expect_identical(titles(plot)[["title"]], "Bayesian network with 6 nodes and 5 arcs")
  expect_match(titles(plot)[["subtitle"]], "^proved optimal")
  table <- data.frame(from = c("A", "E"), to = c("B", "F"), strength = 1, direction = 1)
  table <- rbind(table, data.frame(from = "C", to = "D", strength = 1, direction = 1))
  long <- titles(draw_ggplot(ggplot2::autoplot(network, strength = table)))[["subtitle"]]
  expect_match(long, "more probable$")
  expect_lte(max(nchar(strsplit(long, "\n")[[1]])), 85)
  paths <- ggplot2::layer_data(plot, 1)
  expect_length(unique(paths$group), 5)
  marked <- draw_ggplot(ggplot2::autoplot(network, highlight = network$arcs[1:2, ], main = ""))
  expect_null(titles(marked))
  colours <- unique(ggplot2::layer_data(marked, 1)[c("group", "colour")])$colour
  expect_setequal(colours, arc_colours[c("learned", "highlighted")])
  draw_ggplot(ggplot2::autoplot(network, layout = cbind(1:6, 0)), width = 3, height = 3)
  draw_ggplot(ggplot2::autoplot(example_network(letters, rep(list(integer()), 26))))
  draw_ggplot(ggplot2::autoplot(example_network("one", list(integer()))))
})

test_that("labels fit into their boxes at every size of the picture", {
  skip_without_peer("ggplot2")
  nodes <- data.frame(node = c("short", "a much longer label"), x = c(1, 2), y = c(1, 2),
                      width = c(1, 2), height = 0.5)
  for (size in c(2, 5, 20)) {
    grDevices::pdf(NULL, size, size)
    grid::pushViewport(grid::viewport(width = 0.8, height = 0.8))
    text <- grid::makeContent(label_grob(nodes, c(0, 4), c(0, 3)))$children[[1]]
    wide <- vapply(nodes$node, function(label) {
      grid::convertWidth(grid::grobWidth(grid::textGrob(label, gp = text$gp)), "npc", TRUE)
    }, 0)
    expect_true(all(wide < nodes$width / 4))
    expect_true(any(wide > 0.5 * nodes$width / 4))
    grDevices::dev.off()
  }
})

test_that("labels are there when a picture is drawn", {
  skip_without_peer("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  print(ggplot2::autoplot(discrete_network()))
  grid::grid.force()
  expect_identical(grid::grid.get("optbn_node_labels")$label, LETTERS[1:6])
})

test_that("autoplot() steps aside for fitted networks", {
  skip_without_peer("ggplot2")
  fit <- structure(list(), class = c("optbn", "bn.fit", "optbn_test_fit"))
  registerS3method("autoplot", "optbn_test_fit", function(object, ...) "drawn by another",
                   envir = asNamespace("ggplot2"))
  expect_identical(ggplot2::autoplot(fit), "drawn by another")
})

test_that("searches are drawn by ggplot2", {
  skip_without_peer("ggplot2")
  trace <- data.frame(seconds = c(0, 0.5, 2, 8), score = c(-Inf, -120, -110, -105),
                      bound = c(-90, -90, -95, -100))
  of_trace <- function(trace, ...) {
    record <- example_record(LETTERS[1:6], ...)
    record$trace <- trace
    certificate(discrete_network(record = record))
  }
  plot <- draw_ggplot(ggplot2::autoplot(of_trace(trace, status = "bounded", gap = 5)))
  expect_identical(titles(plot)[["title"]],
                   "At most 5 from optimal over all sets of at most 3 parents")
  draw_ggplot(ggplot2::autoplot(of_trace(trace), log_time = TRUE))
  draw_ggplot(ggplot2::autoplot(of_trace(trace[4, ])))
  draw_ggplot(ggplot2::autoplot(of_trace(trace[0, ])))
  draw_ggplot(ggplot2::autoplot(of_trace(transform(trace, bound = Inf), status = "heuristic",
                                         bound = Inf, gap = Inf)))
})

test_that("candidate sets are drawn by ggplot2", {
  skip_without_peer("ggplot2")
  sets <- read_jkl(system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn"))
  plot <- draw_ggplot(ggplot2::autoplot(sets))
  expect_identical(titles(plot)[["title"]], "823 candidate parent sets of 17 nodes")
  expect_identical(sum(plot$data$count), length(sets))
  many <- sets_by_hand(paste0("variable", 1:102), rep(sets$sets, 6))
  draw_ggplot(ggplot2::autoplot(many))
  lone <- sets_by_hand("x", list(list(score = 0, size = 0L, parents = integer())))
  draw_ggplot(ggplot2::autoplot(lone))
})
