# Trees over discrete and continuous nodes, and what they say when few discrete values are missing.
grown_mixed <- function() {
  set.seed(1)
  n <- 400
  data <- data.frame(a = factor(sample(c("u", "v"), n, TRUE)))
  data$x <- stats::rnorm(n, 2 * (data$a == "v"))
  data$b <- factor(ifelse(data$x > 1, "p", sample(c("p", "q", "r"), n, TRUE)))
  data$c <- factor(ifelse(data$b == "p" & stats::runif(n) < 0.8, "s", "t"))
  data$y <- stats::rnorm(n, as.integer(data$b) + data$x)
  fit_network("[a][x|a][b|x][c|b:a][y|b:x]", data, score = "pcart")
}
grown_few <- grown_mixed()
rows_few <- simulate(grown_few, 12, seed = 1)

# The density of a row with gaps in discrete nodes, as a sum over complete rows.
summed_rows <- function(fit, row) {
  gaps <- names(row)[vapply(row, is.na, NA)]
  all <- expand.grid(fit$levels[gaps], stringsAsFactors = FALSE)
  whole <- row[rep(1, max(1, nrow(all))), ]
  for (node in gaps) whole[[node]] <- factor(all[[node]], fit$levels[[node]])
  exp(log_density(fit, whole))
}

test_that("trees sum out few discrete values", {
  for (gaps in list("a", "b", "c", c("a", "b"), c("a", "b", "c"))) {
    rows <- rows_few
    rows[gaps] <- NA
    for (node in gaps) rows[[node]] <- factor(rows[[node]], grown_few$levels[[node]])
    known <- vapply(1:12, function(i) log(sum(summed_rows(grown_few, rows[i, ]))), 0)
    expect_silent(found <- log_density(grown_few, rows))
    expect_equal(found, known, tolerance = 1e-10)
  }
})

test_that("predictions of trees sum out few discrete values", {
  gaps <- c("a", "b")
  rows <- rows_few
  for (node in gaps) rows[[node]] <- factor(NA, grown_few$levels[[node]])
  expect_silent(prob <- predict(grown_few, rows, "c", type = "prob"))
  for (i in 1:12) {
    each <- vapply(grown_few$levels$c, function(label) {
      row <- rows[i, ]
      row$c <- factor(label, grown_few$levels$c)
      sum(summed_rows(grown_few, row))
    }, 0)
    expect_equal(prob[i, ], each / sum(each), tolerance = 1e-10)
  }
  at <- seq(-12, 14, length.out = 6001)
  for (i in 1:3) {
    grid <- rows[rep(i, length(at)), ]
    grid$x <- at
    suppressMessages({
      density <- exp(log_density(grown_few, grid))
      found <- predict(grown_few, rows[i, ], "x", type = "distribution")
      own <- predict(grown_few, rows[i, ], "x", type = "density")
    })
    mass <- sum(density)
    expect_equal(found$mean, sum(density * at) / mass, tolerance = 1e-2)
    expect_equal(own, exp(log_density(grown_few, rows[i, ])) / (mass * (at[2] - at[1])),
                 tolerance = 1e-2)
  }
})

test_that("queries of trees sum out few discrete values", {
  evidence <- list(x = 0.4, y = 2)
  answer <- query(grown_few, c("c", "a"), evidence)
  row <- rows_few[1, ]
  row[c("x", "y")] <- evidence
  known <- outer(grown_few$levels$c, grown_few$levels$a, Vectorize(function(c, a) {
    row$c <- factor(c, grown_few$levels$c)
    row$a <- factor(a, grown_few$levels$a)
    row$b <- factor(NA, grown_few$levels$b)
    sum(summed_rows(grown_few, row))
  }))
  expect_s3_class(answer, "table")
  expect_equal(unname(unclass(answer)), known / sum(known), tolerance = 1e-10)
  expect_identical(names(dimnames(answer)), c("c", "a"))
})

test_that("what trees do not sum out is named, with a remedy", {
  rows <- rows_few
  rows$x <- NA_real_
  expect_snapshot(log_density(grown_few, rows[1:2, ]))
  expect_snapshot(error = TRUE, {
    query(grown_few, "y", list(x = 1))
    query(grown_few, "b")
    query(grown_few)
  })
})
