mixed <- function() {
  data.frame(
    f = factor(c("a", "b", "a", "b")), o = ordered(c(1, 2, 3, 3)), l = c(TRUE, FALSE, TRUE, TRUE),
    ch = c("x", "y", "x", "z"), i = 1:4, x = c(0.5, 1, 2, 4)
  )
}

test_that("every accepted type is encoded", {
  encoded <- suppressMessages(encode_data(mixed()))
  expect_identical(encoded$types,
                   c("factor", "ordered", "logical", "character", "integer", "numeric"))
  expect_identical(encoded$columns[[1]], c(0L, 1L, 0L, 1L), ignore_attr = TRUE)
  expect_identical(encoded$columns[[3]], c(1L, 0L, 1L, 1L), ignore_attr = TRUE)
  expect_identical(encoded$levels[[4]], c("x", "y", "z"))
  expect_null(encoded$levels[[5]])
  expect_identical(encoded$columns[[5]], c(1, 2, 3, 4))
  expect_identical(encoded$total, 4L)
})

test_that("tibbles and data.tables are data frames", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  plain <- suppressMessages(encode_data(mixed()))
  expect_identical(suppressMessages(encode_data(tibble::as_tibble(mixed()))), plain)
  expect_identical(suppressMessages(encode_data(data.table::as.data.table(mixed()))), plain)
})

test_that("coercions and unused levels are announced once", {
  expect_snapshot(invisible(encode_data(mixed())))
  unused <- data.frame(a = factor(c("x", "y", "x"), levels = c("x", "y", "z")), b = factor(1:3))
  expect_snapshot(invisible(encode_data(unused)))
  expect_silent(encode_data(data.frame(a = factor(1:2), b = c(1, 2))))
})

test_that("weights drop rows of weight 0 and vanish when all are 1", {
  data <- data.frame(a = factor(c(1, 2, 1)), b = c(1, 2, 3))
  expect_null(encode_data(data, c(1, 1, 1))$weights)
  encoded <- encode_data(data, c(2, 3, 0))
  expect_identical(encoded$rows, 2L)
  expect_identical(encoded$total, 5)
  expect_identical(encoded$columns[[2]], c(1, 2))
})

test_that("data that no score could use are refused", {
  a <- factor(c("x", "y"))
  refuse <- function(...) expect_snapshot(encode_data(...), error = TRUE)
  refuse(matrix(1:4, 2))
  refuse(data.frame())
  refuse(data.frame(a = a)[0, , drop = FALSE])
  refuse(data.frame(a = a, b = c(1, NA), c = factor(c(NA, "u"))))
  refuse(data.frame(a = a, b = c(1, Inf)))
  refuse(data.frame(a = a, b = factor(c("u", "u"))))
  refuse(data.frame(a = a, b = c(1, 1)))
  refuse(data.frame(a = a, a = a, check.names = FALSE))
  refuse(data.frame(a = a, b = as.Date(c(1, 2), origin = "1970-01-01")))
  refuse(stats::setNames(data.frame(a, a), c("a", "")))
  refuse(data.frame(a = a), weights = c(1, 2, 3))
  refuse(data.frame(a = a), weights = c(1, 0.5))
  refuse(data.frame(a = a), weights = c(0, 0))
  expect_error(encode_data(data.frame(a = 1)), class = "optbn_error_data")
})
