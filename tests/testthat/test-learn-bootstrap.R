titanic <- as.data.frame(Titanic)

test_that("the networks are those of weighted rows, and the strengths bnlearn's", {
  skip_without_peer("bnlearn")
  set.seed(1)
  arcs <- bootstrap_dags(titanic[1:4], 5, score = "bic", weights = titanic$Freq)
  networks <- attr(arcs, "networks")
  expect_length(networks, 5)
  expect_s3_class(arcs, "bn.strength")
  expected <- bnlearn::custom.strength(networks, names(titanic)[1:4])
  shares <- arcs$probability
  expect_equal(shares, expected$strength * expected$direction)
  expect_true(all(arcs$lower <= shares & shares <= arcs$upper))
  attr(arcs, "networks") <- attr(arcs, "beyond") <- NULL
  class(arcs) <- class(expected)
  expect_identical(arcs, expected)

  set.seed(1)
  streams <- random_streams(5)
  counts <- with_random_state(streams[[4]], {
    drop(stats::rmultinom(1, sum(titanic$Freq), titanic$Freq))
  })
  fourth <- learn_dag(titanic[1:4], "bic", weights = counts)
  expect_identical(networks[[4]]$arcs, fourth$arcs)
  expect_identical(certificate(networks[[4]])$score, certificate(fourth)$score)
  directed <- bootstrap_dags(titanic[1:4], 3, cpdag = FALSE, weights = titanic$Freq)
  expect_true(all(directed$direction %in% c(0, 1 / 3, 0.5, 2 / 3, 1)))
})

test_that("bnlearn goes on with them", {
  skip_without_peer("bnlearn")
  set.seed(2)
  arcs <- bootstrap_dags(titanic[1:4], 5, weights = titanic$Freq)
  expect_s3_class(bnlearn::averaged.network(arcs), "bn")
})

test_that("learners are those of this package, of others, and of the user", {
  skip_without_peer("bnlearn")
  narrow <- bootstrap_dags(titanic[1:4], 2, treewidth = 1, learner = learn_treewidth,
                           weights = titanic$Freq)
  expect_true(all(vapply(attr(narrow, "networks"), function(network) {
    treewidth(network)$upper <= 1
  }, NA)))
  climb <- function(data, weights) {
    bnlearn::hc(data[rep(seq_len(nrow(data)), weights), ])
  }
  expect_s3_class(bootstrap_dags(titanic[1:4], 2, learner = climb, weights = titanic$Freq),
                  "bn.strength")
})

test_that("set.seed() governs the samples, and the user's generator goes on as it was", {
  skip_without_peer("bnlearn")
  run <- function() {
    set.seed(3, "Wichmann-Hill")
    on.exit(RNGkind("default"))
    list(bootstrap_dags(titanic[1:4], 3, weights = titanic$Freq)$strength, RNGkind(),
         stats::runif(1))
  }
  first <- run()
  expect_identical(first, run())
  expect_identical(first[[2]][1], "Wichmann-Hill")
  streams <- random_streams(3)
  expect_length(unique(streams), 3)
  expect_identical(streams[[3]], parallel::nextRNGStream(streams[[2]]))
})

test_that("networks learned in workers are the same", {
  skip_without_peer("bnlearn")
  workers <- start_workers()
  untimed <- function(arcs) {
    attr(arcs, "networks") <- lapply(attr(arcs, "networks"), `[[`, "arcs")
    arcs
  }
  same <- function(learn) {
    expect_same_when_spread(learn, future::cluster, workers = workers, untimed = untimed)
  }
  same(function() bootstrap_dags(titanic[1:4], 5, score = "bic", weights = titanic$Freq))
  same(function() bootstrap_dags(attitude, 4, score = "bge", method = "local"))
  most <- 2
  bounded <- function(data, weights) optbn::learn_dag(data, max_parents = most, weights = weights)
  same(function() bootstrap_dags(titanic[1:4], 3, learner = bounded, weights = titanic$Freq))
})

test_that("a time limit leaves the networks that there are, or is an error", {
  skip_where_quick()
  skip_without_peer("bnlearn")
  set.seed(4)
  calls <- 0
  slow <- function(data, weights) {
    calls <<- calls + 1
    if (calls > 2) Sys.sleep(3.1)
    bnlearn::empty.graph(names(data))
  }
  expect_snapshot(arcs <- bootstrap_dags(attitude, 100, learner = slow, time_limit = 3))
  expect_length(attr(arcs, "networks"), 2)
  expect_snapshot(error = TRUE, bootstrap_dags(attitude, 2, score = "bge", time_limit = 0))
})

test_that("an interrupt keeps the networks that are finished", {
  skip_without_peer("bnlearn")
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- as.data.frame(lapply(1:14, function(i) factor(sample(3, 2000, TRUE))))",
    "names(data) <- letters[1:14]",
    "warned <- NULL",
    "arcs <- withCallingHandlers(",
    "  bootstrap_dags(data, 1e4, max_parents = 3),",
    "  optbn_warning_interrupt = function(w) {",
    "    warned <<- conditionMessage(w)",
    "    invokeRestart('muffleWarning')",
    "  })",
    "result <- list(count = length(attr(arcs, 'networks')), warned = warned,",
    "               optimal = all(vapply(attr(arcs, 'networks'), function(network) {",
    "                 certificate(network)$status == 'optimal'",
    "               }, NA)))"
  ))
  expect_gt(result$count, 0)
  expect_true(result$optimal)
  expect_match(result$warned, paste("after", result$count, "of 10000"))
})

test_that("bad input is refused", {
  skip_without_peer("bnlearn")
  expect_snapshot(error = TRUE, {
    bootstrap_dags(1:3)
    bootstrap_dags(attitude, 0)
    bootstrap_dags(attitude, learner = "hc")
    bootstrap_dags(attitude, learner = function(data) NULL)
    bootstrap_dags(attitude, weights = 1:3)
    bootstrap_dags(attitude, cpdag = NA)
    bootstrap_dags(data.frame(a = c("x", NA, "y")), score = "bde")
    bootstrap_dags(attitude, 3, score = "bge", colour = "blue")
  })
})
