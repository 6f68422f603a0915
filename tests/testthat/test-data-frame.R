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
  refuse(list(a = 1:2))
  refuse(data.frame())
  refuse(data.frame(a = a)[0, , drop = FALSE])
  refuse(data.frame(a = a, b = c(1, NA), c = factor(c(NA, "u"))))
  refuse(data.frame(a = factor(c("x", NA)), b = c(1, 2)))
  refuse(data.frame(a = a, b = c(1, NA)))
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

# Frames that R itself would not make: columns of other lengths than the frame's, codes without a
# level.
malformed_frames <- function() {
  data <- data.frame(a = factor(rep(1:2, 30)), b = factor(rep(1:3, 20)), c = rep(c("x", "y"), 30))
  with_codes <- function(change) {
    codes <- change(as.integer(data$a))
    replace(data, "a", structure(codes, levels = c("1", "2"), class = "factor"))
  }
  lying <- data
  attr(lying, "row.names") <- 1:10
  short <- unclass(data)
  short$b <- short$b[1:7]
  list(
    too_large = with_codes(function(codes) replace(codes, 2, 99L)),
    huge = with_codes(function(codes) replace(codes, 2, 2000000000L)),
    zero = with_codes(function(codes) replace(codes, 60, 0L)),
    negative = with_codes(function(codes) replace(codes, 1, -5L)),
    fewer_rows = lying,
    short = structure(short, class = "data.frame", row.names = 1:60)
  )
}

test_that("malformed frames are refused by whatever takes data", {
  data <- data.frame(a = factor(rep(1:2, 30)), b = factor(rep(1:3, 20)), c = rep(c("x", "y"), 30))
  fit <- suppressMessages(fit_network("[a][b|a][c]", data))
  tree <- suppressMessages(learn_chow_liu(data))
  bag <- suppressMessages(learn_cutset_bag(data, 2))
  network <- suppressMessages(learn_dag(data, "bic"))
  verbs <- list(
    function(d) learn_dag(d, "bic"), function(d) learn_dag(d, "pcart"),
    function(d) parent_sets(d, "bde"), function(d) score_network("[a][b|a][c]", d, "bic"),
    function(d) fit_network("[a][b|a][c]", d), function(d) search_size(d),
    function(d) learn_chow_liu(d), function(d) learn_cutset(d), function(d) learn_mixture(d, 2),
    function(d) learn_treewidth(d, 1), function(d) learn_k_best(d, 2, "bic"),
    function(d) log_density(fit, d), function(d) log_density(compile_network(fit), d),
    function(d) log_density(tree, d), function(d) predict(fit, d, "b", "density"),
    function(d) predict(compile_network(fit), d, "b", "density"), function(d) logLik(tree, d),
    function(d) update(bag, d, components = 3), function(d) verify_certificate(network, d)
  )
  for (frame in malformed_frames()) {
    for (verb in verbs) expect_error(suppressMessages(verb(frame)), class = "optbn_error_data")
  }
  expect_snapshot(error = TRUE, {
    learn_dag(malformed_frames()$huge)
    learn_dag(malformed_frames()$short)
  })
})

test_that("names that nobody can read, or none, are refused", {
  data <- data.frame(a = factor(rep(1:2, 10)), b = factor(rep(1:2, each = 10)))
  expect_snapshot(error = TRUE, {
    learn_dag(setNames(data, c("a", "\xff")), "bic")
    learn_dag(structure(data, names = NULL), "bic")
    learn_dag(structure(data, names = c("a", NA)), "bic")
  })
})

test_that("numbers whose squares overflow or vanish are refused, whatever the score", {
  for (score in c("bge", "bic-g", "bic-cg", "pcart", "ft")) {
    for (scale in c(1e200, 1e-200)) {
      expect_error(learn_dag(attitude * scale, score), class = "optbn_error_data")
    }
  }
  outlier <- transform(attitude, rating = replace(rating, 3, 1e300))
  expect_snapshot(error = TRUE, learn_dag(outlier, "bge"))
})

test_that("columns of new data that are no vectors are refused by every verb that uses them", {
  data <- as.data.frame(Titanic)[1:32, 1:4]
  fit <- fit_network("[Class][Sex|Class][Age][Survived|Class:Sex]", data)
  density <- suppressMessages(learn_chow_liu(data))
  verbs <- list(
    function(d) logLik(fit, d), function(d) log_density(fit, d),
    function(d) predict(fit, d, "Survived"), function(d) log_density(density, d),
    function(d) predict(compile_network(fit), d, "Survived")
  )
  odd <- list(sum, as.list(1:32), data, matrix(1, 32, 2), complex(32),
              as.POSIXlt(Sys.time() + 1:32))
  for (column in odd) {
    for (verb in verbs) {
      frame <- unclass(data)
      frame$Sex <- column
      frame <- structure(frame, class = "data.frame")
      expect_error(verb(frame), class = "optbn_error")
    }
  }
})

test_that("names of columns are said, never read", {
  d <- data.frame(a = c("x", "y", "x"), b = c(1L, 5L, 2L))
  names(d) <- c("{stop('x')}", "{b}")
  expect_message(sets <- parent_sets(d, "bic-cg"), "factors: \"{stop('x')}\"", fixed = TRUE)
  expect_identical(sets$nodes, names(d))
})

test_that("new rows with two columns of one name are refused", {
  fit <- fit_network("[rating][complaints|rating]", attitude[1:2])
  twice <- stats::setNames(attitude[c(1, 2, 2)], c("rating", "complaints", "complaints"))
  expect_error(logLik(fit, newdata = twice), class = "optbn_error_data")
})

test_that("matrices are data, and whole numbers numbers without a message", {
  matrix <- as.matrix(attitude)
  expect_no_message(network <- learn_dag(matrix, "bge"))
  expect_identical(as.matrix(network), as.matrix(learn_dag(attitude, "bge")))
  expect_identical(parent_sets(matrix, "bge")$sets, parent_sets(attitude, "bge")$sets)
  expect_identical(coef(fit_network(network, matrix)), coef(fit_network(network, attitude)))
  expect_equal(score_network(network, matrix, "bge"), score_network(network, attitude, "bge"))
  expect_s3_class(learn_treewidth(matrix, 1, "bge"), "optbn")
  expect_message(learn_dag(as.matrix(zoo[1:3]), "bic"), "character to factors")
  expect_no_message(learn_dag(data.frame(x = c(1:9, 1L), y = 10:1), "bge"))
})
