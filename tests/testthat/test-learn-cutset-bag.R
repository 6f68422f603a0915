test_that("components are those of an independent program", {
  for (case in known_cases("cutset_bag.json")) {
    data <- rows_of_case(case$X, arity_of_case(case))
    networks <- lapply(case$boots, function(rows) {
      learn_cutset(data[numbers(rows) + 1, ], alpha = case$alpha / nrow(data),
                   min_rows = case$delta, min_features = case$sigma, screen = Inf)
    })
    for (i in seq_along(networks)) expect_same_network(networks[[i]], case$nets[[i]])
    each <- vapply(networks, function(network) mean(log_density(network, data)), 0)
    expect_equal(each, numbers(case$mean_ll), tolerance = 1e-9)
    expect_equal(each / sum(each), numbers(case$weights_paper), tolerance = 1e-9)
    mixed <- rowMeans(exp(vapply(networks, log_density, numeric(nrow(data)), data)))
    expect_equal(mean(log(mixed)), case$mix_ll_uniform, tolerance = 1e-9)
  }
})

test_that("an ensemble is the weighted sum of its components", {
  set.seed(1)
  data <- switching_rows(500)
  held_out <- switching_rows(200)
  for (weighting in c("uniform", "em", "loglik")) {
    bag <- learn_cutset_bag(data, 5, alpha = 0.05, min_rows = 50, weighting = weighting,
                            validation = held_out)
    parts <- vapply(1:5, function(i) {
      exp(log_density(mixture_component(bag, i), held_out))
    }, numeric(200))
    expect_equal(log_density(bag, held_out), log(drop(parts %*% bag$weights)))
    expect_equal(sum(bag$weights), 1)
    train <- vapply(1:5, function(i) sum(log_density(mixture_component(bag, i), data)), 0)
    if (weighting == "uniform") expect_equal(bag$weights, rep(0.2, 5))
    if (weighting == "loglik") expect_equal(bag$weights, train / sum(train))
    if (weighting == "em") {
      expect_gte(mean(log(drop(parts %*% bag$weights))), mean(log(rowMeans(parts))))
    }
  }
})

test_that("components differ, and do not depend on threads", {
  set.seed(2)
  data <- switching_rows(500)
  for (algorithm in c("dcsn", "cnet", "xcnet")) {
    bags <- lapply(1:2, function(threads) {
      set.seed(3)
      learn_cutset_bag(data, 4, algorithm, min_rows = 50, threads = threads)
    })
    expect_identical(bags[[1]]$components, bags[[2]]$components)
    expect_length(unique(bags[[1]]$components), 4)
  }
  same <- learn_cutset_bag(data, 2, min_rows = 50, bootstrap = FALSE)
  expect_identical(same$components[[1]], same$components[[2]])
  expect_equal(log_density(same, data), log_density(learn_cutset(data, min_rows = 50), data))
})

test_that("weights that there are not are equal ones, which is said", {
  set.seed(5)
  data <- switching_rows(60)
  expect_snapshot(bag <- learn_cutset_bag(data, 3, alpha = 0, weighting = "loglik"))
  expect_equal(bag$weights, rep(1 / 3, 3))
  constant <- data.frame(a = rep("x", 5), b = "u")
  expect_snapshot(bag <- learn_cutset_bag(constant, 2, alpha = 0, weighting = "loglik"))
  expect_equal(log_density(bag, constant), rep(0, 5))
})

test_that("row counts stand for repeated rows", {
  data <- switching_rows(400)
  distinct <- unique(data)
  counts <- as.vector(table(factor(do.call(paste, data), do.call(paste, distinct))))
  set.seed(6)
  bag <- learn_cutset_bag(data, 3, "xcnet", min_rows = 50)
  set.seed(6)
  same <- learn_cutset_bag(distinct, 3, "xcnet", min_rows = 50, weights = counts)
  expect_equal(log_density(same, distinct), log_density(bag, distinct))
})

test_that("pruned components take validation rows", {
  set.seed(4)
  data <- switching_rows(500)
  held_out <- switching_rows(100)
  cuts <- function(bag) sum(vapply(bag$components, function(body) sum(body$cut > 0), 0L))
  pruned <- learn_cutset_bag(data, 3, "cnetp", validation = held_out)
  expect_lt(cuts(pruned), cuts(learn_cutset_bag(data, 3, "cnet")))
})

test_that("arguments that are none are refused", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"))
  expect_snapshot(error = TRUE, {
    learn_cutset_bag(data, 0)
    learn_cutset_bag(data, weighting = "em")
    learn_cutset_bag(data, 3, "cnetp")
    learn_cutset_bag(data, 3, "cnet", depth = 4)
    learn_cutset_bag(data, 3, "cnet", FALSE)
    learn_cutset_bag(data, 3, "cnet", alpha = "a")
    learn_cutset_bag(data, bootstrap = 1)
  })
})

test_that("an interrupt keeps the components that are finished", {
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- matrix(as.integer(runif(4000 * 60) < 0.5), 4000)",
    "result <- suppressWarnings(learn_cutset_bag(data, 1e6, 'cnet', min_rows = 20))",
    "result <- list(status = result$learning$status, count = length(result$components),",
    "               finite = all(is.finite(log_density(result, data[1:10, ]))))"
  ))
  expect_identical(result$status, "interrupt")
  expect_gt(result$count, 0)
  expect_true(result$finite)
})
