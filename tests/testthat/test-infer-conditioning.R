# Networks that are compiled within little memory, and the same network without a limit.
squeezed <- function(fit, cells) {
  tables <- sum(vapply(fit$models, function(model) length(model$prob), 0))
  compile_network(fit, memory_limit = 8 * (tables + cells))
}

# Random networks that are conditioned on at least one node.
conditioned_fits <- function(count, nodes = 8L) {
  fits <- list()
  while (length(fits) < count) {
    fit <- random_fit(nodes, 4L, zeros = sample(c(0, 0.3), 1L))
    small <- tryCatch(squeezed(fit, sample(c(40, 100), 1L)),
                      optbn_error_memory = function(condition) NULL)
    if (length(small$cutset)) fits <- c(fits, list(list(fit = fit, small = small)))
  }
  fits
}

# The values of two expressions, or the messages of their errors, are equal.
expect_same <- function(actual, expected, ...) {
  value <- function(code) tryCatch(code, optbn_error_impossible = conditionMessage)
  expect_equal(value(actual), value(expected), tolerance = 1e-10, ...)
}

test_that("answers are those of a junction tree that fits", {
  set.seed(1)
  for (case in conditioned_fits(25)) {
    full <- compile_network(case$fit)
    small <- case$small
    evidence <- random_evidence(case$fit, sample(case$fit$nodes, sample(0:3, 1L)))
    asked <- setdiff(case$fit$nodes, names(evidence))[1L]
    expect_same(query(small, evidence = evidence), query(full, evidence = evidence))
    expect_same(query(small, asked, evidence), query(full, asked, evidence))
    expect_same(log_probability(small, evidence), log_probability(full, evidence))
    expect_same(most_probable(small, evidence), most_probable(full, evidence))
    do <- lapply(case$fit$levels[asked], `[`, 1L)
    expect_same(suppressWarnings(query(small, evidence = evidence, do = do)),
                query(full, evidence = evidence, do = do))
    rows <- simulate(full, 10, seed = 1)
    rows[] <- lapply(rows, replace, sample(10L, 4L), NA)
    expect_equal(log_density(small, rows), log_density(full, rows), tolerance = 1e-10)
    expect_equal(predict(small, rows, asked, "prob"), predict(full, rows, asked, "prob"),
                 tolerance = 1e-10)
  }
})

test_that("tables that do not fit are computed twice, with the same answers and draws", {
  set.seed(2)
  twice <- 0
  for (repeats in 1:40) {
    fit <- random_fit(10L, 4L)
    full <- compile_network(fit)
    # the messages fit, and the largest table
    small <- tryCatch(compile_network(fit, memory_limit = full$bytes - 8),
                      optbn_error_memory = function(condition) NULL)
    if (is.null(small) || length(small$cutset)) next
    twice <- twice + 1
    evidence <- random_evidence(fit, sample(fit$nodes, 2L))
    expect_lt(small$bytes, full$bytes)
    expect_identical(small$cliques, full$cliques)
    expect_equal(query(small, evidence = evidence), query(full, evidence = evidence))
    expect_identical(most_probable(small, evidence), most_probable(full, evidence))
    expect_identical(simulate(small, 200, seed = 3, evidence = evidence),
                     simulate(full, 200, seed = 3, evidence = evidence))
  }
  expect_gt(twice, 5)
})

test_that("draws have the exact posterior", {
  set.seed(3)
  case <- conditioned_fits(1)[[1L]]
  evidence <- lapply(case$fit$levels[case$fit$nodes[1L]], `[`, 1L)
  drawn <- simulate(case$small, 20000, seed = 1, evidence = evidence)
  exact <- query(compile_network(case$fit), evidence = evidence)
  for (node in case$fit$nodes) {
    share <- as.vector(table(drawn[[node]])) / 20000
    expect_lt(max(abs(share - exact[[node]])), 5 * 0.5 / sqrt(20000))
  }
  # neighbouring rows have nothing to do with each other
  node <- case$small$cutset[1L]
  codes <- as.integer(factor(drawn[[node]]))
  if (stats::sd(codes) > 0) expect_lt(abs(stats::cor(codes[-1L], codes[-20000L])), 0.05)
})

test_that("bounds hold after any number of passes, and close", {
  set.seed(4)
  for (case in conditioned_fits(10)) {
    evidence <- random_evidence(case$fit, sample(case$fit$nodes, sample(0:2, 1L)))
    exact <- tryCatch(query(compile_network(case$fit), evidence = evidence),
                      optbn_error_impossible = function(condition) NULL)
    if (is.null(exact)) next
    handle <- handle_of(case$small)
    known <- encode_evidence_list(evidence, case$small)
    missing <- Inf
    for (passes in 1:200) {
      sum <- core_conditioned_posterior(handle, known, integer(),
                                        dimnames_by_node(case$small$levels), passes, quiet_host())
      if (inherits(sum, "core_failure")) next # nothing possible so far
      expect_lte(sum$log_rest - sum$log_probability, missing + 1e-9)
      missing <- sum$log_rest - sum$log_probability
      log_p <- log_probability(compile_network(case$fit), evidence)
      expect_gte(log_p, sum$log_probability - 1e-10)
      expect_lte(log_p, sum$log_probability + log1p(exp(missing)) + 1e-10)
      if (is.null(sum$reason)) break
      for (node in case$fit$nodes) {
        bounded <- with_bounds(sum$posterior[[node]], sum)
        bounds <- attr(bounded, "bounds")
        expect_true(all(bounds$lower <= exact[[node]] + 1e-10))
        expect_true(all(bounds$upper >= exact[[node]] - 1e-10))
        expect_true(all(bounds$lower <= bounded & bounded <= bounds$upper + 1e-12))
      }
    }
    expect_null(sum$reason)
    expect_identical(sum$log_rest, -Inf)
    expect_equal(sum$posterior, exact, tolerance = 1e-10)
  }
})

test_that("an early answer has bounds, and says so", {
  set.seed(5)
  parents <- lapply(1:16, function(v) if (v > 8L) sort(sample(8L, 3L)) else integer())
  fit <- random_fit(16L, 3L, parents = parents)
  small <- squeezed(fit, 150)
  full <- compile_network(fit)
  evidence <- lapply(fit$levels[9:16], `[`, 1L)
  expect_message(answer <- query(small, "N001", evidence, max_passes = 2),
                 class = "optbn_message")
  exact <- query(full, "N001", evidence)
  bounds <- attr(answer, "bounds")
  expect_true(all(bounds$lower <= exact & exact <= bounds$upper))
  expect_gt(max(bounds$upper - bounds$lower), 0)
  expect_equal(sum(answer), 1)
  expect_message(log_p <- log_probability(small, evidence, max_passes = 2),
                 class = "optbn_message")
  expect_lte(attr(log_p, "bounds")[["lower"]], log_probability(full, evidence))
  expect_gte(attr(log_p, "bounds")[["upper"]], log_probability(full, evidence))
  all <- suppressMessages(query(small, evidence = evidence, max_passes = 2))
  expect_named(all, fit$nodes)
  expect_s3_class(all[[1L]], "optbn_bounded_table")
  expect_snapshot({
    small
    query(small, "N001", evidence, max_passes = 2)
  })
  expect_snapshot(error = TRUE, {
    query(small, max_passes = 0)
    query(small, time_limit = -1)
  })
})

test_that("a conditioned network survives a file, and is refused where it was changed", {
  set.seed(6)
  small <- conditioned_fits(1)[[1L]]$small
  expect_identical(query(unserialize(serialize(small, NULL))), query(small))
  small$cutset <- "nobody"
  expect_error(query(small), class = "optbn_error_model")
})
