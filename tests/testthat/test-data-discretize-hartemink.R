# Hartemink's method as its definition says, with all mutual informations computed again each time.
hartemink_slowly <- function(codes, bins) {
  information <- function(a, b) {
    p <- table(a, b) / length(a)
    terms <- p * log(p / outer(rowSums(p), colSums(p)))
    sum(terms[p > 0])
  }
  repeat {
    open <- which(vapply(codes, max, 0L) > bins)
    if (length(open) == 0L) return(codes)
    for (v in open) {
      merged <- lapply(seq_len(max(codes[[v]]) - 1L), function(at) {
        codes[[v]] - (codes[[v]] > at)
      })
      left <- vapply(merged, function(column) {
        sum(vapply(codes[-v], information, 0, b = column))
      }, 0)
      codes[[v]] <- as.integer(merged[[which(left >= max(left) - 1e-9)[1L]]])
    }
  }
}

test_that("bins are those that the definition gives", {
  for (seed in 1:5) {
    set.seed(seed)
    data <- as.data.frame(matrix(stats::rnorm(400), 100))
    data[[2]] <- data[[1]]^2 + data[[2]] / 3
    data[[4]] <- sign(data[[2]] - 1) + data[[4]] / 3
    start <- lapply(discretize_data(data, "frequency", 7), as.integer)
    cut <- discretize_data(data, "hartemink", 3, initial = 7, progress = FALSE)
    expect_identical(lapply(cut, as.integer), hartemink_slowly(start, 3))
  }
})

test_that("bins are those of bnlearn", {
  skip_without_peer("bnlearn")
  shelf <- new.env()
  utils::data("gaussian.test", package = "bnlearn", envir = shelf)
  same <- function(data, bins, initial = NULL) {
    theirs <- if (is.null(initial)) {
      bnlearn::discretize(data, "hartemink", breaks = bins)
    } else {
      bnlearn::discretize(data, "hartemink", breaks = bins, ibreaks = initial)
    }
    cut <- discretize_data(data, "hartemink", bins, initial = initial, progress = FALSE)
    expect_identical(lapply(cut, as.integer), lapply(theirs, as.integer))
  }
  same(shelf$gaussian.test, 3)
  same(shelf$gaussian.test, 4, 20)
  same(shelf$gaussian.test[1:1000, ], 2, 10)
  same(iris[1:4], 3, 5)
})

test_that("discrete columns count, and stay as they are", {
  set.seed(1)
  f <- factor(sample(c("a", "b", "c"), 600, TRUE))
  data <- data.frame(f = f, x = as.integer(f) + stats::runif(600, -0.45, 0.45))
  cut <- discretize_data(data, "hartemink", progress = FALSE)
  expect_identical(cut$f, f)
  # of fifty bins, the cuts between which the levels change are among the two that are left
  expect_true(all(table(cut$x, f)[cbind(1:3, 1:3)] > 180))
})

test_that("few rows are cut, too", {
  cut <- suppressMessages(discretize_data(attitude[1:4, ], "hartemink", 6, progress = FALSE))
  expect_true(all(lengths(attr(cut, "cuts")) %in% 1:3))
})

test_that("the order of columns and rows matters little, and that of names not at all", {
  data <- attitude
  cut <- discretize_data(data, "hartemink", initial = 6, progress = FALSE)
  rows <- discretize_data(data[30:1, ], "hartemink", initial = 6, progress = FALSE)
  expect_identical(attr(rows, "cuts"), attr(cut, "cuts"))
  renamed <- stats::setNames(data, rev(names(data)))
  named <- discretize_data(renamed, "hartemink", initial = 6, progress = FALSE)
  expect_identical(unname(attr(named, "cuts")), unname(attr(cut, "cuts")))
})

test_that("what Hartemink's method cannot use is refused", {
  refuse <- function(...) {
    expect_snapshot(discretize_data(..., method = "hartemink", progress = FALSE), error = TRUE)
  }
  refuse(iris[1])
  refuse(attitude, bins = 5, initial = 4)
  refuse(transform(iris, Species = replace(Species, 1, NA)))
  refuse(transform(iris, Species = factor("a")))
  refuse(attitude, memory_limit = 1000)
})
