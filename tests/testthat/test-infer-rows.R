# Rows of a network with levels missing here and there.
gappy_rows <- function(fit, rows, part = 0.4) {
  data <- simulate(fit, rows, seed = 1)
  data[] <- lapply(data, function(column) {
    column[stats::runif(rows) < part] <- NA
    column
  })
  data
}

test_that("missing values are summed out of densities", {
  set.seed(1)
  for (repeats in 1:8) {
    fit <- random_fit(5, zeros = sample(c(0, 0.3), 1), types = TRUE)
    all <- enumerate(fit)
    data <- gappy_rows(fit, 30)
    expected <- vapply(seq_len(30), function(i) {
      known <- Filter(function(value) !is.na(value), lapply(data[i, ], as.character))
      log(sum(weigh_rows(all, known)))
    }, 0)
    expect_equal(log_density(fit, data), expected)
    expect_identical(log_density(compile_network(fit), data), log_density(fit, data))
  }
})

test_that("complete rows have the density of the fitted network", {
  set.seed(2)
  fit <- random_fit(6, types = TRUE)
  data <- simulate(fit, 50)
  expect_equal(log_density(compile_network(fit), data), log_density(fit, data))
  expect_length(log_density(compile_network(fit), data[0, ]), 0)
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test[1:100, ]
  ours <- fit_network("[A][C][F][B|A][D|A:C][E|B:F]", data)
  theirs <- bnlearn::as.bn.fit(ours)
  expect_equal(log_density(theirs, data), log_density(ours, data))
  data[1:50, "A"] <- NA
  expect_equal(log_density(theirs, data), log_density(ours, data))
  expect_identical(simulate(theirs, 9, 1, evidence = list(E = "a")),
                   simulate(compile_network(ours), 9, 1, evidence = list(E = "a")))
})

test_that("predictions from gappy rows are those of enumeration, row by row", {
  set.seed(3)
  for (repeats in 1:8) {
    fit <- random_fit(5)
    compiled <- compile_network(fit)
    all <- enumerate(fit)
    data <- gappy_rows(fit, 20)
    node <- sample(fit$nodes, 1)
    prob <- predict(compiled, data, node, type = "prob")
    for (i in 1:20) {
      known <- Filter(function(value) !is.na(value),
                      lapply(data[i, names(data) != node], as.character))
      expect_equal(prob[i, ], c(sum_rows(fit, all, weigh_rows(all, known), node)),
                   ignore_attr = TRUE)
    }
    expect_identical(predict(compiled, data, node),
                     factor(colnames(prob)[max.col(prob, "first")], fit$levels[[node]]))
    expect_identical(predict(compiled, data[names(data) != node], node, type = "prob"), prob)
    own <- match(as.character(data[[node]]), colnames(prob))
    expect_identical(predict(compiled, data, node, type = "density"), prob[cbind(1:20, own)])
  }
})

test_that("complete rows are predicted as the fitted network predicts them", {
  set.seed(4)
  fit <- random_fit(7)
  data <- simulate(fit, 40)
  for (node in fit$nodes) {
    expect_equal(predict(compile_network(fit), data, node, type = "prob"),
                 predict(fit, data, node, type = "prob"))
    expect_identical(predict(compile_network(fit), data, node), predict(fit, data, node))
  }
})

test_that("codes that are at hand are those of the labels", {
  look_up <- function(column, levels) encode_with_gaps(column, "A", levels, "data", NULL)
  binary <- c("0", "1")
  columns <- list(list(factor(c("b", NA, "a")), c("a", "b")), list(c(1L, NA, 0L), binary),
                  list(c(1, NaN, 0), binary), list(addNA(c("u", NA)), c("u", NA)),
                  list(c(TRUE, NA, FALSE), c("FALSE", "TRUE")),
                  list(rep(NA, 3), c("FALSE", "TRUE")))
  for (case in columns) {
    expect_identical(codes_at_hand(case[[1L]], case[[2L]]), look_up(case[[1L]], case[[2L]]))
  }
  expect_null(codes_at_hand(factor(c("b", "a")), c("b", "a")))
  expect_null(codes_at_hand(c(0, 1, 2), binary))
  expect_null(codes_at_hand(c(0, 0.5), binary))
  expect_null(codes_at_hand(c(0, -Inf), binary))
  expect_null(codes_at_hand(c("0", "1"), binary))
  expect_null(codes_at_hand(c(TRUE, FALSE), c("TRUE", "FALSE")))
})

test_that("answers for rows depend neither on threads nor on their order", {
  set.seed(5)
  fit <- random_fit(9)
  compiled <- compile_network(fit)
  data <- gappy_rows(fit, 1500)
  density <- log_density(compiled, data, threads = 1)
  prob <- predict(compiled, data, "N004", type = "prob", threads = 1)
  expect_identical(log_density(compiled, data, threads = 2), density)
  expect_identical(predict(compiled, data, "N004", type = "prob", threads = 2), prob)
  turned <- sample(1500)
  expect_identical(log_density(compiled, data[turned, ]), density[turned])
  expect_identical(predict(compiled, data[turned, ], "N004", type = "prob"), prob[turned, ])
  columns <- sample(names(data))
  expect_identical(log_density(compiled, data[columns]), density)
  expect_identical(predict(compiled, data[columns], "N004", type = "prob"), prob)
})

test_that("impossible rows are NA, and that is said", {
  compiled <- compile_network(titanic_fit("mle"))
  rows <- data.frame(Class = c("Crew", "1st"), Age = "Child")
  expect_snapshot(prob <- predict(compiled, rows, "Sex", type = "prob"))
  expect_identical(is.na(prob[, "Male"]), c(TRUE, FALSE))
  expect_identical(is.na(suppressMessages(predict(compiled, rows, "Sex"))), c(TRUE, FALSE))
  whole <- cbind(rows, Sex = NA, Survived = NA)
  expect_identical(log_density(compiled, whole)[1], -Inf)
})

test_that("draws are from the posterior", {
  set.seed(6)
  fit <- random_fit(4, zeros = 0.3)
  compiled <- compile_network(fit)
  all <- enumerate(fit)
  known <- all$rows[which.max(all$p), ]
  evidence <- as.list(known[c("N002", "N004")])
  drawn <- simulate(compiled, 20000, seed = 1, evidence = evidence)
  expect_identical(drawn[0, ], fit$prototype, ignore_attr = TRUE)
  asked <- c("N001", "N003")
  p <- sum_rows(fit, all, weigh_rows(all, evidence), asked)
  shares <- table(drawn[asked]) / 20000
  expect_true(all(abs(shares - p) <= 5 * sqrt(p * (1 - p) / 20000)))
  expect_true(all(drawn$N002 == evidence$N002 & drawn$N004 == evidence$N004))
})

test_that("draws follow the seed", {
  fit <- random_fit(5, types = TRUE)
  compiled <- compile_network(fit)
  first <- simulate(compiled, 10, seed = 7)
  expect_identical(simulate(compiled, 10, seed = 7), first)
  expect_identical(as.numeric(attr(first, "seed")), 7)
  set.seed(8)
  free <- simulate(compiled, 10)
  set.seed(8)
  expect_identical(simulate(compiled, 10), free)
  expect_identical(nrow(simulate(compiled, 0)), 0L)
  expect_identical(first[0, ], fit$prototype, ignore_attr = TRUE)
})

test_that("data that cannot be used are refused", {
  compiled <- compile_network(titanic_fit())
  row <- data.frame(Class = "1st", Sex = NA, Age = "Child", Survived = "Yes")
  expect_snapshot(error = TRUE, {
    log_density(compiled, replace(row, "Age", "Old"))
    log_density(compiled, as.list(row))
    predict(compiled, row, "Name")
    predict(compiled, as.list(row), "Age")
    predict(compiled, row, "Age", type = "distribution")
    predict(compiled, replace(row, "Age", "Old"), "Age", type = "density")
    predict(compiled, row, "Age", na_level = "yes")
    simulate(compiled, -1)
  })
  expect_error(log_density(compiled, replace(row, "Age", "Old")), class = "optbn_error_data")
  expect_error(predict(compiled, row, "Name"), class = "optbn_error_argument")
})

# ---- a level NA ---------------------------------------------------------------------------------

# Rows of which many lack `a` and `c`.
asked_or_not <- function() {
  set.seed(7)
  b <- sample(c("u", "v", "w"), 150, TRUE)
  a <- ifelse(stats::runif(150) < 0.3, NA, ifelse(b == "u", "x", "y"))
  data.frame(a = addNA(factor(a)), b = factor(b), c = addNA(factor(sample(c("p", NA), 150, TRUE))))
}

test_that("a level NA is predicted where that is asked for only", {
  data <- asked_or_not()
  fit <- fit_network("[c][a|c][b|a]", data)
  density <- learn_mixture(data, 2)
  grown <- fit_network("[c][a|c][b|a]", data, score = "pcart")
  rows <- data[1:30, ]
  for (model in list(fit, compile_network(fit), density, grown, local_model(fit, "a"),
                     local_model(grown, "a"))) {
    ask <- function(type, ...) {
      if (inherits(model, "optbn_local")) predict(model, rows, type, ...)
      else predict(model, rows, "a", type, ...)
    }
    all <- ask("prob", na_level = TRUE)
    expect_identical(colnames(all), c("x", "y", NA))
    prob <- ask("prob")
    expect_equal(prob, all[, 1:2] / rowSums(all[, 1:2]))
    expect_identical(ask("response"), factor(c("x", "y")[max.col(prob, "first")], c("x", "y")))
    response <- ask("response", na_level = TRUE)
    expect_identical(levels(response), c("x", "y", NA))
    expect_identical(as.integer(response), max.col(all, "first"))
    code <- as.integer(rows$a)
    expect_equal(ask("density", na_level = TRUE), all[cbind(1:30, code)])
    expect_equal(ask("density"), prob[cbind(1:30, ifelse(code == 3, NA, code))])
  }
})

test_that("the posterior without the level NA is that given one of the others", {
  data <- asked_or_not()
  fit <- fit_network("[c][a|c][b|a]", data)
  cell <- function(a) fit$models$a$prob[a, 2] * fit$models$b$prob["v", a]
  expect_equal(predict(fit, data.frame(b = "v", c = addNA(factor(NA))), "a", "prob")[1L, ],
               c(x = cell(1), y = cell(2)) / (cell(1) + cell(2)))
})

test_that("NA is evidence where it is a level of the column, and missing elsewhere", {
  data <- asked_or_not()
  fit <- fit_network("[c][a|c][b|a]", data)
  cells <- expand.grid(lapply(fit$levels, function(levels) factor(levels, levels, exclude = NULL)))
  p <- exp(log_density(fit, cells))
  expect_equal(sum(p), 1)
  b_given <- function(which) c(tapply(p[which], cells$b[which], sum) / sum(p[which]))
  ask <- function(model, a) predict(model, data.frame(a = a), "b", "prob")[1L, ]
  for (model in list(fit, compile_network(fit))) {
    expect_equal(ask(model, addNA(factor(NA, c("x", "y")))), b_given(cells$a %in% NA))
    expect_equal(ask(model, addNA(factor(NA))), b_given(cells$a %in% NA))
    expect_equal(ask(model, factor(NA, c("x", "y"))), b_given(seq_along(p)))
    expect_equal(ask(model, NA), b_given(seq_along(p)))
    # the model knows no level NA of b
    gaps <- data.frame(b = addNA(factor(c("u", NA))))
    expect_identical(predict(model, gaps, "a", "prob"),
                     predict(model, data.frame(b = c("u", NA)), "a", "prob"))
  }
})

test_that("where a node has no level but NA, that is predicted", {
  data <- data.frame(a = addNA(factor(c(NA, NA))), b = c("u", "v"))
  model <- learn_chow_liu(data)
  expect_identical(levels(predict(model, data, "a")), NA_character_)
  expect_identical(dim(predict(model, data, "a", "prob")), c(2L, 1L))
})

test_that("rows that have the level NA for sure have no prediction without it", {
  data <- data.frame(a = addNA(factor(c("x", "y", NA))), b = c("u", "u", "v"))
  fit <- suppressMessages(fit_network("[a][b|a]", data, method = "mle"))
  for (model in list(fit, compile_network(fit))) {
    expect_message(prob <- predict(model, data[2:3, ], "a", "prob"), "1 row .* probability 0")
    expect_identical(unname(prob), rbind(c(0.5, 0.5), NA))
  }
})
