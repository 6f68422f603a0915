by_score <- function(data, ...) discretize_data(data, "score", ..., progress = FALSE)

test_that("the network is the optimal one of the data as they are cut", {
  for (score in list("bde", "bic", score_bde(iss = 5))) {
    cut <- by_score(iris, score = score)
    network <- attr(cut, "network")
    expect_identical(certificate(network)$status, "optimal")
    expect_true(certificate(network)$valid)
    expect_equal(certificate(network)$score, certificate(learn_dag(cut, score))$score,
                 tolerance = 1e-12)
    expect_true(all(unclass(verify_certificate(network, cut))$ok))
  }
})

test_that("the objective is reported as it is, and no less than where the search began", {
  objective <- function(cut, network) {
    score <- score_network(network, cut, "bde")
    for (name in names(attr(cut, "cuts"))) {
      n <- table(cut[[name]])
      cells <- length(unique(new_grid(attitude[[name]], 50)$cell))
      score <- score - sum((n * log(n / nrow(cut)))[n > 0]) -
        log(choose(cells - 1, length(n) - 1))
    }
    score
  }
  cut <- by_score(attitude)
  expect_equal(attr(cut, "objective"), objective(cut, attr(cut, "network")), tolerance = 1e-10)
  for (bins in c(3, 7)) {
    even <- discretize_data(attitude, "frequency", bins)
    expect_gte(attr(cut, "objective"), objective(even, learn_dag(even, "bde")))
  }
})

# Each of the true cuts has one that was found within the share of one of 50 cells, and none else
# was found.
expect_near_cuts <- function(values, found, true) {
  between <- abs(outer(stats::ecdf(values)(found), stats::ecdf(values)(true), `-`))
  expect_lte(max(apply(between, 1L, min), apply(between, 2L, min)), 1 / 50 + 1e-9)
}

test_that("the cuts of a known network are found to within a cell", {
  set.seed(4)
  n <- 3000
  a <- sample(3, n, TRUE)
  b <- ifelse(stats::runif(n) < 0.9, a, sample(3, n, TRUE))
  x <- c(0, 10, 13)[a] + stats::runif(n, 0, c(10, 3, 7)[a]) # cut at 10 and 13
  y <- c(-5, 1, 2)[b] + stats::runif(n, 0, c(6, 1, 8)[b]) # cut at 1 and 2
  cut <- by_score(data.frame(x, y, z = stats::rnorm(n)))
  cuts <- attr(cut, "cuts")
  # a cell in which a true cut lies may be a bin by itself
  expect_near_cuts(x, cuts$x, c(10, 13))
  expect_near_cuts(y, cuts$y, c(1, 2))
  expect_length(cuts$z, 1)
  expect_identical(nrow(attr(cut, "network")$arcs), 1L)
})

test_that("a table is cut where its child changes", {
  set.seed(5)
  x <- stats::runif(800)
  f <- factor(ifelse(x > 0.37 & x < 0.71, "in", "out"))
  cut <- by_score(data.frame(x, f))
  expect_near_cuts(x, attr(cut, "cuts")$x, c(0.37, 0.71))
})

test_that("the order of rows does not matter, nor do threads and monotone transformations", {
  cut <- by_score(attitude)
  same <- function(other) {
    expect_equal(attr(other, "objective"), attr(cut, "objective"), tolerance = 1e-9)
    expect_identical(lengths(attr(other, "cuts")), lengths(attr(cut, "cuts")))
  }
  same(by_score(attitude[30:1, ]))
  same(by_score(attitude, threads = 1))
  same(by_score(exp(attitude / 10)))
})

test_that("constraints hold, and bins are no more than allowed", {
  cut <- by_score(attitude, bins = 3, max_parents = 1, whitelist = c("complaints", "rating"),
                  blacklist = c("rating", "learning"), tiers = list("complaints", "raises"))
  expect_lte(max(lengths(attr(cut, "cuts"))), 2)
  arcs <- as.data.frame(attr(cut, "network"))
  expect_true(any(arcs$from == "complaints" & arcs$to == "rating"))
  expect_false(any(arcs$from == "raises" & arcs$to == "complaints"))
  expect_lte(max(table(arcs$to)), 1)
})

test_that("little data are cut, too", {
  expect_length(attr(by_score(data.frame(x = c(1, 2))), "cuts")$x, 1)
  one <- by_score(data.frame(x = c(0, 0, 1)), bins = 2, cells = 2)
  expect_identical(attr(one, "cuts"), list(x = 0.5))
  expect_identical(names(attr(one, "network")$nodes), "x")
})

test_that("a search that has no time gives what there is", {
  for (seconds in c(0, 0.05, 0.3)) {
    cut <- by_score(attitude, time_limit = seconds)
    network <- attr(cut, "network")
    expect_true(certificate(network)$valid)
    expect_equal(certificate(network)$score, score_network(network, cut, "bde"),
                 tolerance = 1e-12)
  }
})

test_that("an interrupt leaves the best so far", {
  found <- interrupt_at_work(
    setup = "set.seed(1)
      n <- 2000L
      data <- as.data.frame(matrix(rnorm(n * 20L), n))
      for (v in 2:20) data[[v]] <- data[[v]] + sin(2 * data[[v - 1L]])",
    code = "warned <- NULL
      cut <- withCallingHandlers(discretize_data(data, 'score', progress = FALSE),
                                 optbn_warning_interrupt = function(w) {
                                   warned <<- conditionMessage(w)
                                   tryInvokeRestart('muffleWarning')
                                 })
      result <- list(cut = cut, warned = warned)"
  )
  expect_match(found$warned, "interrupted")
  network <- attr(found$cut, "network")
  expect_true(certificate(network)$valid)
  expect_equal(certificate(network)$score, score_network(network, found$cut, "bde"),
               tolerance = 1e-12)
})

test_that("what was set from outside is no part of the score, nor of the bins", {
  withr::local_seed(3)
  n <- 400
  data <- data.frame(x = stats::runif(n))
  data$y <- (data$x > 0.6) + stats::rnorm(n, sd = 0.2)
  set <- sample(n, 150)
  data$y[set] <- stats::runif(150, -3, 4) # says nothing of x
  data$set <- replace(character(n), set, "y")
  cut <- by_score(data, targets = "set")
  expect_identical(cut$set, data$set)
  expect_named(attr(cut, "cuts"), c("x", "y"))
  network <- attr(cut, "network")
  expect_identical(certificate(network)$status, "optimal")
  expect_true(all(unclass(verify_certificate(network, cut, targets = "set"))$ok))
  again <- by_score(data[c("x", "y")], targets = list(y = set))
  expect_equal(attr(again, "objective"), attr(cut, "objective"), tolerance = 1e-12)
  expect_near_cuts(data$x, attr(cut, "cuts")$x, 0.6)
  unset <- by_score(attitude, targets = list())
  expect_identical(attr(unset, "objective"), attr(by_score(attitude), "objective"))
})

test_that("what a search for cuts cannot use is refused", {
  refuse <- function(...) expect_snapshot(by_score(...), error = TRUE)
  refuse(iris, score = "k2")
  refuse(iris, score = "bge")
  refuse(iris, columns = "Petal.Width")
  refuse(iris, cells = 1)
  refuse(transform(iris, Species = replace(Species, 1, NA)))
  refuse(iris, whitelist = c("Species", "nobody"))
  refuse(iris, time_limit = -1)
  refuse(iris, targets = list(Species = 1:150))
  expect_snapshot(discretize_data(iris, "width", targets = list(Species = 1:9)), error = TRUE)
})
