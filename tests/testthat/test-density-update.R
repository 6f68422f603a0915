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
    expect_identical(nrow(update(begun, data, iterations = 1)$learning$trace), 3L)
    expect_identical(continued$learning$settings$iterations, 40L)
  }
})

test_that("what goes on from its best step without a gain is that step", {
  set.seed(4)
  data <- switching_rows(200)
  held_out <- switching_rows(50)
  begun <- learn_mixture(data, 5, alpha = 0.1, validation = held_out, patience = 5)
  expect_lt(begun$learning$best_step, nrow(begun$learning$trace))
  continued <- update(begun, data, validation = held_out)
  expect_gte(continued$learning$validation, begun$learning$validation)
  trace <- continued$learning$trace
  expect_identical(continued$learning$best_step, which.max(trace$validation))
})

test_that("a cutset network is cut on for other rows, too", {
  set.seed(3)
  tree <- learn_cutset(switching_rows(100), min_rows = 150)
  expect_identical(sum(tree$components[[1]]$cut > 0), 0L)
  more <- switching_rows(1000)
  expect_gt(sum(update(tree, more)$components[[1]]$cut > 0), 0)
})

test_that("other rows that lack a level make nothing impossible", {
  set.seed(5)
  data <- switching_rows(1000)
  network <- learn_cutset(data, min_rows = 50)
  cut <- network$components[[1]]$cut[1]
  expect_gt(cut, 0)
  others <- data[data[[cut]] == levels(data[[cut]])[1], ]
  expect_true(all(is.finite(log_density(update(network, others), data))))
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
    update(mixture_component(learn_cutset_bag(data, 2), 1), data)
    update(cutset_leaf(example_cutset(), 1), data)
    update(learn_cutset_bag(data, 3), data, components = 2)
    update(learn_cutset_bag(data, 3, weighting = "em", validation = data), data)
  })
})
