test_that("ensembles get the components that they lack", {
  set.seed(1)
  data <- switching_rows(400)
  bag <- learn_cutset_bag(data, 3, min_rows = 50)
  more <- update(bag, data, components = 5)
  expect_identical(more$components[1:3], bag$components)
  expect_length(more$components, 5)
  expect_equal(more$weights, rep(0.2, 5))
  expect_identical(update(more, data)$components, more$components)
})

test_that("mixtures and hidden trees take further steps", {
  set.seed(2)
  data <- switching_rows(400)
  for (learn in list(function(...) learn_mixture(data, 3, ...),
                     function(...) learn_hclt(data, 3, ...))) {
    begun <- learn(iterations = 2)
    continued <- update(begun, data, iterations = 40)
    expect_gt(logLik(continued), logLik(begun))
    expect_identical(nrow(begun$learning$trace), 2L)
    expect_identical(continued$learning$trace$step, seq_len(nrow(continued$learning$trace)))
    expect_identical(continued$learning$trace[1:2, ], begun$learning$trace)
  }
})

test_that("a cutset network is cut on for other rows, too", {
  set.seed(3)
  tree <- learn_cutset(switching_rows(100), min_rows = 150)
  expect_identical(sum(tree$components[[1]]$cut > 0), 0L)
  more <- switching_rows(1000)
  expect_gt(sum(update(tree, more)$components[[1]]$cut > 0), 0)
})

test_that("what cannot go on says so", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  tree <- learn_chow_liu(data)
  network <- learn_cutset(data)
  expect_snapshot(error = TRUE, {
    update(tree, data)
    update(stack_densities(list(tree), data), data)
    update(network, data, components = 3)
    update(network, data, iterations = 3)
    update(network, data["a"])
    update(network, data.frame(a = "z", b = "u"))
    update(network, data, 5)
  })
})
