bins_of <- function(x) lapply(x, as.integer)

test_that("bins of equal width and frequency are those of bnlearn", {
  skip_without_peer("bnlearn")
  shelf <- new.env()
  utils::data("gaussian.test", package = "bnlearn", envir = shelf)
  same <- function(data, bins) {
    for (method in c("width", "frequency")) {
      theirs <- bnlearn::discretize(data, c(width = "interval", frequency = "quantile")[[method]],
                                    breaks = bins)
      expect_identical(bins_of(discretize_data(data, method, bins)), bins_of(theirs))
    }
  }
  for (bins in c(2, 3, 7, 20)) same(shelf$gaussian.test, bins)
  same(iris[1:4], 3)
  same(attitude, 4)
})

test_that("columns become ordered factors, and others stay", {
  data <- data.frame(x = c(1, 2, 3, 4), i = 4:1, f = factor(c("a", "b", "a", "b")),
                     l = c(TRUE, FALSE, NA, TRUE), row.names = letters[1:4])
  cut <- discretize_data(data, "width", bins = 2)
  expect_s3_class(cut, c("optbn_discretized", "data.frame"), exact = TRUE)
  expect_identical(attr(cut, "cuts"), list(x = 2.5, i = 2.5))
  expect_identical(attr(cut, "method"), "width")
  expect_identical(cut$x, ordered(c(1, 1, 2, 2), labels = c("(-Inf,2.5]", "(2.5,Inf)")))
  expect_identical(as.data.frame(cut)[c("f", "l")], data[c("f", "l")])
  expect_identical(row.names(cut), row.names(data))
  one <- discretize_data(data, "width", bins = 2, columns = "x")
  expect_identical(one$i, data$i)
  expect_identical(names(attr(one, "cuts")), "x")
})

test_that("labels tell neighbouring cuts apart", {
  expect_identical(interval_labels(c(1, 2.5, 2.50001)),
                   c("(-Inf,1]", "(1,2.5]", "(2.5,2.50001]", "(2.50001,Inf)"))
  expect_identical(interval_labels(0), c("(-Inf,0]", "(0,Inf)"))
  expect_identical(interval_labels(12345.678), c("(-Inf,1.23e+04]", "(1.23e+04,Inf)"))
})

test_that("what is cut can be learned, fitted and asked", {
  cut <- discretize_data(iris, "frequency")
  network <- suppressMessages(learn_dag(cut))
  plain <- suppressMessages(learn_dag(as.data.frame(cut)))
  expect_identical(certificate(network)$score, certificate(plain)$score)
  fit <- fit_network(network, cut)
  flower <- data.frame(Sepal.Length = 6, Sepal.Width = 3, Petal.Length = 4.8, Petal.Width = 1.7)
  posterior <- query(compile_network(fit), "Species", as.list(predict(cut, flower)))
  expect_equal(sum(posterior), 1)
})

test_that("new rows are cut like the old ones, in any order", {
  for (method in discretize_methods) {
    cut <- suppressMessages(discretize_data(iris, method, progress = FALSE))
    expect_identical(predict(cut, iris), as.data.frame(cut))
    shuffled <- iris[c(5, 1, 3, 2, 4)][150:1, ]
    expect_identical(predict(cut, shuffled), as.data.frame(cut)[c(5, 1, 3, 2, 4)][150:1, ])
  }
})

test_that("beyond the ends there are the end bins, and what is missing stays so", {
  cut <- discretize_data(iris, "frequency")
  odd <- data.frame(Sepal.Length = c(-100, 100, NA, Inf, -Inf), Sepal.Width = NA,
                    Petal.Length = NaN, Petal.Width = 1L)
  new <- predict(cut, odd)
  expect_identical(as.integer(new$Sepal.Length), c(1L, 3L, NA, 3L, 1L))
  expect_true(all(is.na(new[2:3])))
  expect_identical(levels(new$Sepal.Width), levels(cut$Sepal.Width))
  expect_identical(as.integer(new$Petal.Width), rep(2L, 5))
  expect_identical(nrow(predict(cut, iris[0, ])), 0L)
})

test_that("the kind of table stays in predict()", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  cut <- discretize_data(tibble::as_tibble(iris), "frequency")
  expect_identical(attr(cut, "cuts"), attr(discretize_data(iris, "frequency"), "cuts"))
  expect_s3_class(predict(cut, tibble::as_tibble(iris)), "tbl_df")
  expect_identical(as.data.frame(predict(cut, data.table::as.data.table(iris))), predict(cut, iris))
})

test_that("values that many rows share leave fewer bins, which is said once", {
  x <- c(rep(0, 50), 1:10)
  data <- data.frame(x = x, y = rev(x), z = seq_along(x))
  expect_snapshot(cut <- discretize_data(data, "frequency", bins = 4))
  expect_identical(lengths(attr(cut, "cuts")), c(x = 1L, y = 1L, z = 3L))
  # most rows have the largest value
  most <- suppressMessages(discretize_data(data.frame(x = c(1, 2, rep(5, 20))), "frequency"))
  expect_identical(as.vector(table(most$x)), c(2L, 20L))
})

test_that("whatever the numbers are, both sides of a cut have rows under equal frequency", {
  for (seed in 1:20) {
    set.seed(seed)
    n <- sample(2:50, 1)
    x <- round(stats::rexp(n) * 10^sample(-5:5, 1), sample(0:6, 1)) + sample(c(0, 1e15), 1)
    if (min(x) == max(x)) next
    bins <- sample(2:60, 1)
    cut <- suppressMessages(discretize_data(data.frame(x = x), "frequency", bins))
    expect_true(all(table(cut$x) > 0))
    expect_false(is.unsorted(as.integer(cut$x)[order(x)]))
    wide <- discretize_data(data.frame(x = x), "width", 2)
    expect_true(all(table(wide$x) > 0))
  }
})

test_that("a part of it is a plain data frame", {
  cut <- discretize_data(iris, "frequency")
  plain <- as.data.frame(cut)
  expect_identical(class(plain), "data.frame")
  expect_named(attributes(plain), c("names", "class", "row.names"), ignore.order = TRUE)
  expect_identical(cut[1:3, ], plain[1:3, ])
  expect_identical(cut["Species"], plain["Species"])
  expect_identical(cut[, "Species"], plain$Species)
  expect_identical(cut[2, 3, drop = FALSE], plain[2, 3, drop = FALSE])
  expect_identical(head(cut), head(plain))
})

test_that("it prints its cuts", {
  expect_snapshot({
    discretize_data(iris, "frequency")
    discretize_data(iris[1:3, 1:2], "width", 12)
  })
})

test_that("data that cannot be cut are refused", {
  x <- c(1, 2, 3)
  refuse <- function(...) expect_snapshot(discretize_data(...), error = TRUE)
  refuse()
  refuse(as.matrix(iris[1:4]))
  refuse(data.frame(x = c(1, NA, 2)))
  refuse(data.frame(x = c(1, Inf, 2)))
  refuse(data.frame(x = c(1, 1, 1), y = x))
  refuse(data.frame(x = x * 1e300))
  refuse(data.frame(f = factor(x)))
  refuse(data.frame(x = x), "equal")
  refuse(data.frame(x = x), bins = 1)
  refuse(data.frame(x = x), columns = c("x", "z"))
  refuse(data.frame(x = x), columns = 1)
  refuse(iris, columns = c("Petal.Width", "Species"))
  refuse(iris, breaks = 3)
})

test_that("new rows that cannot be cut are refused", {
  cut <- discretize_data(iris[1:4], "frequency")
  refuse <- function(...) expect_snapshot(predict(cut, ...), error = TRUE)
  refuse()
  refuse("iris")
  refuse(iris[2:5])
  refuse(as.data.frame(cut))
  refuse(transform(iris, Sepal.Width = as.character(Sepal.Width)))
  refuse(transform(iris, Sepal.Width = as.Date(Sepal.Width, origin = "1970-01-01")))
})

test_that("cuts that are lost are noticed", {
  cut <- discretize_data(iris, "frequency")
  lost <- structure(cut, cuts = NULL)
  expect_snapshot(error = TRUE, {
    predict(lost, iris)
    print(lost)
    predict(structure(cut, cuts = list(Sepal.Width = c(2, 1))), iris)
  })
  expect_identical(as.data.frame(lost), as.data.frame(cut))
})
