mixed <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)

draw <- function(expr, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  expect_warning(expr, NA)
}

test_that("a fit is drawn as its network, or one local model", {
  expect_identical(draw(expect_invisible(plot(mixed))), mixed)
  for (node in mixed$nodes) draw(plot(mixed, node = node))
  draw(plot(mixed, highlight = data.frame("Species", "Petal.Width"), main = ""))
  network <- learn_dag(attitude, "bge")
  draw(plot(fit_network(network, attitude)))
  draw(plot(intervene(mixed, list(Petal.Length = 3))))
  draw(plot(intervene(mixed, list(Petal.Length = 3)), node = "Petal.Length"))
  expect_snapshot(error = TRUE, {
    plot(mixed, node = "none")
    plot(mixed, main = 1)
  })
})

test_that("boxes show the kind of local model where there are several", {
  kinds <- as.character(node_kinds(graph_of_fit(mixed)))
  expect_identical(kinds, c("Gaussian", "Gaussian", "table"))
  linear <- fit_network("[rating][complaints|rating]", attitude)
  expect_true(all(is.na(node_kinds(graph_of_fit(linear)))))
  cut <- intervene(mixed, list(Petal.Length = 3))
  expect_identical(nrow(graph_of_fit(cut)$arcs), 2L)
  expect_identical(fit_line(mixed), "posterior mean (iss = 1), least squares; 150 rows")
  expect_match(fit_line(cut), "set: Petal.Length = 3")
})

test_that("ggplot2 draws the same", {
  skip_if_not_installed("ggplot2")
  draw(print(ggplot2::autoplot(mixed)))
  for (node in mixed$nodes) draw(print(ggplot2::autoplot(mixed, node = node)))
})
