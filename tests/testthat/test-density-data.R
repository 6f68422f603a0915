test_that("columns of all kinds become codes", {
  data <- data.frame(f = factor(c("b", "a", "b"), levels = c("a", "b", "c")),
                     o = ordered(c("lo", "hi", "hi"), levels = c("lo", "hi")),
                     s = c("u", "v", "u"), l = c(TRUE, FALSE, TRUE), n = c(1, 0, 0),
                     constant = factor(rep("only", 3)))
  encoded <- encode_training(data)
  expect_identical(lapply(encoded$columns, as.integer),
                   list(c(1L, 0L, 1L), c(0L, 1L, 1L), c(0L, 1L, 0L), c(1L, 0L, 1L), c(1L, 0L, 0L),
                        c(0L, 0L, 0L)))
  expect_identical(encoded$levels, list(c("a", "b", "c"), c("lo", "hi"), c("u", "v"),
                                        c("FALSE", "TRUE"), c("0", "1"), "only"))
  expect_identical(encoded$total, 3L)
})

test_that("weights count rows, and rows of weight 0 are left out", {
  data <- data.frame(a = c("x", "y", NA), b = c(TRUE, FALSE, TRUE))
  encoded <- encode_training(data, c(2, 3, 0))
  expect_identical(encoded$rows, 2L)
  expect_identical(encoded$total, 5)
  expect_identical(encode_training(data[1:2, ], c(1, 1))$weights, NULL)
})

test_that("matrices are taken, sparse or not, and mean the same", {
  dense <- matrix(c(0, 1, 1, 0, 0, 1), 3, dimnames = list(NULL, c("a", "b")))
  from_dense <- encode_training(dense)
  expect_identical(from_dense$columns, encode_training(as.data.frame(dense))$columns)
  expect_identical(encode_training(unname(dense))$nodes, c("V1", "V2"))
  expect_identical(encode_training(dense == 1)$levels[[1]], c("FALSE", "TRUE"))
  skip_if_not_installed("Matrix")
  for (class in c("dMatrix", "lMatrix", "nMatrix")) {
    sparse <- methods::as(Matrix::Matrix(dense, sparse = TRUE), class)
    expect_identical(encode_training(sparse)$columns, from_dense$columns)
  }
  symmetric <- Matrix::Matrix(c(0, 1, 1, 0), 2, sparse = TRUE)
  expect_identical(encode_training(symmetric)$columns,
                   encode_training(matrix(c(0, 1, 1, 0), 2))$columns)
})

test_that("rows with missing values that are equal become one", {
  data <- data.frame(a = c("x", NA, "x", NA, "y"), b = c(NA, 1, NA, 1, 0))
  encoded <- encode_training(data, c(1, 2, 3, 4, 5))
  expect_identical(encoded$columns, list(c(NA, 0L, 1L), c(1L, NA, 0L)))
  expect_identical(encoded$weights, c(6, 4, 5))
  expect_identical(encoded$merged, c(2L, 1L, 2L, 1L, 3L))
  expect_identical(encoded[c("rows", "total")], list(rows = 3L, total = 15))
  expect_identical(encoded$missing, 10)
  expect_identical(encoded$holes, c(TRUE, TRUE))
  held_out <- encode_held_out(data, encoded)
  expect_identical(held_out$columns, list(c(0L, NA, 0L, NA, 1L), c(NA, 1L, NA, 1L, 0L)))
  expect_identical(held_out$holes, c(TRUE, TRUE))
  expect_null(encode_held_out(data[5, ], encoded)$holes)
})

test_that("a level NA stays one", {
  data <- data.frame(a = addNA(factor(c("x", NA, "x"))), b = c(TRUE, FALSE, TRUE))
  model <- learn_chow_liu(data)
  drawn <- simulate(model, 20, seed = 1)
  expect_identical(levels(drawn$a), c("x", NA))
  expect_equal(log_density(model, drawn), log_density(model, data)[match(drawn$b, c(TRUE, FALSE))])
  expect_identical(levels(most_probable(model)$state$a), c("x", NA))
})

test_that("rows to ask about may lack columns and values", {
  model <- list(nodes = c("a", "b"), levels = list(a = c("0", "1"), b = c("u", "v")))
  rows <- encode_density_rows(model, data.frame(b = c("v", NA), other = 1:2), "data")
  expect_identical(rows, list(a = c(NA_integer_, NA), b = c(1L, NA)))
  binary <- list(nodes = c("a", "b"), levels = list(a = c("0", "1"), b = c("0", "1")))
  matrix <- matrix(c(0, NA, 1, 1), 2)
  expect_identical(encode_density_rows(binary, matrix, "data"),
                   list(a = c(0L, NA), b = c(1L, 1L)))
})

test_that("data that no density can use are refused", {
  expect_snapshot(error = TRUE, {
    encode_training(iris)
    encode_training(matrix(c(0, 1, 2, 1), 2))
    encode_training(data.frame(a = c("x", "y"), b = c(NA, NA)))
    encode_training(matrix(c(0, NA, 2, 1), 2))
    encode_training(data.frame(a = factor()))
    encode_training("rows")
    encode_training(data.frame(a = c("x", "y")), weights = c(1, -1))
    encode_training(data.frame(a = c(0, 1), m = I(matrix(0:1, 2, 2))))
    encode_training(list2DF(list(a = factor(1, levels = seq_len(70000))), 1L))
  })
})

test_that("held-out rows must fit the training rows", {
  encoded <- encode_training(data.frame(a = c("x", "y"), b = c(TRUE, FALSE)))
  held_out <- encode_held_out(data.frame(b = TRUE, a = "y"), encoded)
  expect_identical(held_out$columns, list(1L, 1L))
  expect_identical(held_out$total, 1L)
  expect_null(encode_held_out(NULL, encoded))
  expect_snapshot(error = TRUE, {
    encode_held_out(data.frame(a = "z", b = TRUE), encoded)
    encode_held_out(data.frame(a = "x"), encoded)
    encode_held_out(data.frame(a = character(), b = logical()), encoded)
    encode_held_out(matrix(0, 2, 3), encoded)
    encode_held_out("rows", encoded)
  })
})
