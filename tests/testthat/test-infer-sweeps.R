# Sweeps over what is missing in rows.

# x -> d -> y -> e, and x -> y: y continuous, with two children of which one splits on it.
sweep_fit <- function(leaf = "student") {
  set.seed(1)
  data <- data.frame(x = stats::runif(300, 0, 8))
  data$d <- factor(ifelse(stats::runif(300) < ifelse(data$x < 4, 0.2, 0.7), "p", "q"))
  data$y <- stats::rnorm(300, 3 * (data$x > 4) + 2 * (data$d == "p"))
  data$e <- factor(ifelse(data$y + stats::rnorm(300) > 2, "hi", "lo"))
  data$z <- stats::rnorm(300, (data$y > 1) + data$x / 4)
  x <- dyadic_axis(0, 8)
  y <- dyadic_axis(-4, 8)
  d <- levels_axis(levels(data$d))
  fit_all(list(
    x = make_tree(list()),
    d = make_tree(list(x = x), split_at("x", 4)),
    y = make_tree(list(x = x, d = d), split_at("x", 4, split_at("d", 0), split_at("d", 0))),
    e = new_joint_table(list(y = bins_axis(1, 3))),
    z = make_tree(list(x = x, y = y), split_at("x", 4))
  ), data, leaf = leaf)
}

values_of <- function(fit, ...) {
  row <- list(...)
  rlang::set_names(lapply(fit$nodes, function(node) row[[node]] %||% NA), fit$nodes)
}

test_that("what rows lack is listed by node, parents first", {
  parents <- list(c = "b", a = character(), b = "a")
  values <- list(c = c(NA, 1), a = c(2, NA), b = c(1, 2))
  expect_identical(rows_lacking(values, parents), list(a = 2L, c = 1L))
})

test_that("draws of one value have its posterior", {
  n <- 4000
  for (leaf in c("student", "normal")) {
    fit <- sweep_fit(leaf)
    set.seed(2)
    values <- lapply(list(x = 5, d = 0L, y = NA_real_, e = 1L, z = 2), rep, n)
    drawn <- sweep_rows(fit, values, list(y = seq_len(n)), draw_value)
    expect_identical(drawn[-3], values[-3])
    grid <- seq(-60, 60, 0.005)
    weight <- exp(Reduce(`+`, lapply(fit$models, local_log_density,
                                     list(x = rep(5, length(grid)), d = rep(0L, length(grid)),
                                          y = grid, e = rep(1L, length(grid)),
                                          z = rep(2, length(grid))))))
    below <- stats::approxfun(grid + 0.0025, cumsum(weight) / sum(weight), rule = 2)
    expect_gt(stats::ks.test(drawn$y, below)$p.value, 1e-3)

    # x: its child z splits on it; d: discrete, with a continuous child
    values <- lapply(list(x = 5, d = NA_integer_, y = 2, e = 1L, z = 2), rep, n)
    codes <- sweep_rows(fit, values, list(d = seq_len(n)), draw_value)$d
    p <- vapply(0:1, function(code) {
      row <- list(x = 5, d = code, y = 2, e = 1L, z = 2)
      exp(sum(vapply(fit$models, local_log_density, 0, row)))
    }, 0)
    expect_gt(stats::chisq.test(tabulate(codes + 1, 2), p = p / sum(p))$p.value, 1e-3)
  }
})

test_that("the first values come from what parents say", {
  fit <- sweep_fit()
  n <- 3000
  set.seed(3)
  values <- lapply(list(x = 2, d = NA_integer_, y = NA_real_, e = 1L, z = 2), rep, n)
  drawn <- sweep_rows(fit, values, rows_lacking(values, fit$parents), draw_value, alone = TRUE)
  expect_gt(stats::binom.test(sum(drawn$d == 0), n, fit$models$d$prob[1, 1])$p.value, 1e-3)
  region <- find_region(fit$models$y$partition, drawn, n)
  t <- (drawn$y - fit$models$y$location[region]) / fit$models$y$scale[region]
  expect_gt(stats::ks.test(stats::pt(t, fit$models$y$df[region]), "punif")$p.value, 1e-3)
})

test_that("a sweep to the peaks never lowers the density of a row", {
  fit <- sweep_fit()
  set.seed(4)
  data <- with_random_gaps(simulate(fit, 200), 0.4)
  values <- encode_partial(fit, data, "data")
  open <- rows_lacking(values, fit$parents)
  found <- sweep_rows(fit, values, open, draw_value, alone = TRUE)
  for (k in 1:5) {
    before <- row_densities(fit, found)
    found <- sweep_rows(fit, found, open, peak_value)
    expect_true(all(row_densities(fit, found) >= before - 1e-5))
  }
})

test_that("draws with one random number do not depend on the other rows", {
  fit <- sweep_fit()
  set.seed(5)
  values <- encode_partial(fit, with_random_gaps(simulate(fit, 50), 0.4), "data")
  swept <- function(rows) {
    set.seed(6)
    own <- lapply(values, `[`, rows)
    # the same nodes are visited, whether any of these rows lacks them or not
    open <- lapply(rlang::set_names(fit$nodes), function(node) which(is.na(own[[node]])))
    sweep_rows(fit, own, open, draw_alike, alone = TRUE)
  }
  all <- swept(1:50)
  expect_equal(swept(50:1), lapply(all, rev))
  expect_equal(swept(7:9), lapply(all, `[`, 7:9))
})
