fit <- fit_network("[Species][Petal.Width|Species]", iris)

test_that("parameters are counted", {
  expect_identical(nparams(fit), 2 + 3 * 2)
  expect_error(nparams(), class = "optbn_error_argument")
})

test_that("mutilated() is intervene()", {
  expect_identical(mutilated(fit, list(Species = "setosa")),
                   intervene(fit, list(Species = "setosa")))
})

test_that("bnlearn's networks are left to bnlearn", {
  skip_without_peer("bnlearn")
  theirs <- bnlearn::as.bn.fit(fit)
  expect_identical(nparams(theirs), bnlearn::nparams(theirs))
  network <- learn_dag(bnlearn::learning.test, "bic", max_parents = 1)
  expect_identical(nparams(network, bnlearn::learning.test),
                   bnlearn::nparams(network, bnlearn::learning.test))
  expect_equal(mutilated(network, list(A = "a")), bnlearn::mutilated(network, list(A = "a")))
})

test_that("what is no network, or cannot be set, is refused", {
  skip_without_peer("bnlearn")
  network <- learn_dag(bnlearn::learning.test, "bic", max_parents = 1)
  expect_snapshot(error = TRUE, {
    nparams(NULL)
    mutilated("a", list(A = "a"))
    mutilated(fit, list(Species = "rose"))
    mutilated(network, list(Q = "a"))
  })
})
