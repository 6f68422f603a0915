test_that("a search goes on to the proof", {
  set.seed(1)
  sets <- random_parent_sets(12L, count = 15L)
  before <- learn_dag(sets, time_limit = 0)
  after <- update(before, sets)
  expect_certified(after, sets)
  expect_equal(score_of(after), score_of(learn_dag(sets, method = "dp")))
  old <- certificate(before)
  new <- certificate(after)
  expect_null(new$reason)
  expect_gte(new$seconds, old$seconds)
  expect_identical(new$trace[1L, ], old$trace[1L, ])
  expect_false(is.unsorted(new$trace$seconds))
  expect_false(is.unsorted(new$trace$score))
  expect_false(is.unsorted(-new$trace$bound))
})

test_that("the score never falls and the bound never rises", {
  set.seed(2)
  sets <- random_parent_sets(18L, count = 20L)
  before <- learn_dag(sets, method = "local")
  after <- update(before, sets, time_limit = 0)
  expect_gte(score_of(after), score_of(before))
  expect_lte(certificate(after)$bound, certificate(before)$bound)
  expect_gte(certificate(after)$effort$insertions, certificate(before)$effort$insertions)
})

test_that("an optimum stays as it is", {
  set.seed(3)
  sets <- random_parent_sets(6L)
  best <- learn_dag(sets)
  expect_identical(update(best, sets), best)
})

test_that("data serve as well as parent sets, constraints included", {
  titanic <- as.data.frame(Titanic)
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  before <- learn_dag(sets, blacklist = c("Sex", "Class"), time_limit = 0)
  expect_certified(before, sets, "bounded")
  for (after in list(update(before, sets),
                     update(before, titanic[1:4], weights = titanic$Freq))) {
    expect_certified(after, sets)
    expect_identical(certificate(after)$settings, certificate(before)$settings)
  }
})

test_that("a bound of something else is not used", {
  set.seed(4)
  sets <- random_parent_sets(8L)
  other <- random_parent_sets(8L)
  before <- learn_dag(sets, time_limit = 0)
  expect_snapshot(after <- update(before, other))
  expect_certified(after, other)

  changed <- before
  changed$arcs <- changed$arcs[-1L, , drop = FALSE]
  expect_snapshot(after <- update(changed, sets))
  expect_certified(after, sets)
})

test_that("arguments are checked", {
  sets <- withr::with_seed(5, random_parent_sets(5L, source = "scores.jkl"))
  before <- learn_dag(sets, time_limit = 0)
  expect_snapshot(error = TRUE, {
    update(before, cars)
    update(before, sets, tme_limit = 2)
    update(before, 1)
  })
})

test_that("a search goes on from its multipliers", {
  set.seed(4)
  sets <- random_parent_sets(24, count = 60)
  network <- learn_dag(sets, method = "lagrangian")
  expect_gt(length(certificate(network)$multipliers$clusters), 1)
  network$learning$optbn$status <- "bounded" # as if it had been cut short at its root
  network$learning$optbn$bound <- certificate(network)$score + 5
  continued <- certificate(update(network, sets, method = "lagrangian"))
  expect_identical(continued$status, "optimal")
  expect_equal(continued$score, certificate(network)$score)

  # malformed ones do no harm
  spoilt <- network
  spoilt$learning$optbn$multipliers$clusters[[1]]$nodes <- c(1L, 999L)
  spoilt$learning$optbn$multipliers$clusters[[2]]$price <- -1
  proved <- certificate(update(spoilt, sets, method = "lagrangian"))
  expect_identical(proved$status, "optimal")
  expect_equal(proved$score, certificate(learn_dag(sets, method = "dp"))$score)
})
