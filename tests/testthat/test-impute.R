# How often a message is given while `code` runs.
told_times <- function(code) {
  count <- 0
  withCallingHandlers(code, optbn_message = function(message) {
    count <<- count + 1
    rlang::cnd_muffle(message)
  })
  count
}

# Every row of a table of labels as one string.
row_labels <- function(data) do.call(paste, lapply(unname(data), as.character))

known_values_stay <- function(completed, data) {
  for (column in names(data)) {
    known <- !is.na(data[[column]])
    expect_identical(as.character(completed[[column]])[known], as.character(data[[column]])[known])
  }
}

# A p-value, of counts of the labels of draws.
fit_of_draws <- function(labels, p) {
  p <- p[p > 0]
  expect_true(all(labels %in% names(p)))
  suppressWarnings(stats::chisq.test(table(factor(labels, names(p))), p = p / sum(p))$p.value)
}

flowers <- fit_network(paste0("[Species][Petal.Length|Species][Sepal.Length|Petal.Length]",
                              "[Petal.Width|Species:Petal.Length]"), iris)

# ---- the most probable values -------------------------------------------------------------------

test_that("completions of tables are the most probable of all that there are", {
  set.seed(1)
  for (repeats in 1:6) {
    fit <- random_fit(6, types = TRUE)
    all <- enumerate(fit)
    data <- with_random_gaps(simulate(fit, 25), 0.4)
    for (model in list(fit, compile_network(fit))) {
      completed <- impute(model, data)
      known_values_stay(completed, data)
      expect_identical(lapply(completed, class), lapply(data, class))
      for (i in seq_len(nrow(data))) {
        known <- Filter(Negate(is.na), lapply(data[i, ], as.character))
        expect_equal(exp(log_density(fit, completed[i, ])), max(weigh_rows(all, known)))
      }
    }
  }
})

test_that("completions of Gaussian networks are the means given what is known", {
  set.seed(2)
  fit <- random_gaussian_fit(6)
  moments <- joint_moments(fit)
  data <- with_random_gaps(simulate(fit, 25), 0.4)
  completed <- impute(fit, data)
  expect_equal(impute(compile_network(fit), data), completed)
  for (i in seq_len(nrow(data))) {
    row <- unlist(data[i, ])
    open <- names(row)[is.na(row)]
    expect_equal(as.numeric(completed[i, open, drop = FALSE]),
                 unname(condition_moments(moments, open, row[!is.na(row)])$mean))
  }
})

# The joint normal of the continuous nodes of `flowers` in a species.
flowers_within <- function(species) {
  nodes <- setdiff(flowers$nodes, "Species")
  models <- lapply(flowers$models[nodes], function(model) {
    q <- if (length(model$levels)) match(species, model$levels[[1L]]) else 1L
    model$parents <- setdiff(model$parents, "Species")
    model$coefficients <- model$coefficients[, q, drop = FALSE]
    model$sd <- model$sd[q]
    model
  })
  joint_moments(gaussian_fit(nodes, models))
}

# Given the known numbers of a row: by species its share and the moments of what is missing.
flowers_given <- function(row) {
  numbers <- unlist(row[setdiff(flowers$nodes, "Species")])
  known <- numbers[!is.na(numbers)]
  open <- names(numbers)[is.na(numbers)]
  lapply(rlang::set_names(levels(iris$Species)), function(species) {
    moments <- flowers_within(species)
    share <- if (row$Species %in% c(NA, species)) 1 / 3 else 0
    c(condition_moments(moments, open, known),
      log_share = log(share) + normal_log_density(moments, known))
  })
}

test_that("completions of mixed rows have the largest density", {
  set.seed(3)
  data <- with_random_gaps(iris[sample(150, 40), flowers$nodes], 0.4)
  completed <- impute(flowers, data)
  known_values_stay(completed, data)
  for (i in seq_len(nrow(data))) {
    given <- flowers_given(data[i, ])
    peaks <- vapply(given, function(one) {
      log_determinant <- if (length(one$mean)) determinant(one$covariance)$modulus[1L] else 0
      one$log_share - (log_determinant + length(one$mean) * log(2 * pi)) / 2
    }, 0)
    best <- names(which.max(peaks))
    expect_identical(as.character(completed$Species[i]), best)
    mean <- given[[best]]$mean
    expect_equal(as.numeric(completed[i, names(mean), drop = FALSE]), unname(mean))
    expect_equal(log_density(flowers, completed[i, ]), max(peaks))
  }
})

test_that("completions depend neither on the order of rows nor on that of columns", {
  set.seed(4)
  data <- with_random_gaps(iris, 0.3)
  completed <- impute(flowers, data)
  rows <- sample(150)
  columns <- sample(5)
  expect_equal(impute(flowers, data[rows, columns]), completed[rows, columns])
  expect_identical(impute(flowers, completed), completed)
})

test_that("trees of discrete nodes complete rows as their tables do", {
  set.seed(5)
  titanic <- as.data.frame(Titanic)
  people <- titanic[rep(seq_len(32), titanic$Freq), 1:4]
  network <- learn_dag(people, "pcart", time_limit = 5)
  fit <- fit_network(network, people)
  all <- enumerate(fit)
  data <- with_random_gaps(people[sample(nrow(people), 30), ], 0.4)
  completed <- impute(fit, data)
  for (i in seq_len(nrow(data))) {
    known <- Filter(Negate(is.na), lapply(data[i, ], as.character))
    expect_equal(exp(log_density(fit, completed[i, ])), max(weigh_rows(all, known)))
  }
})

test_that("networks of bnlearn complete rows", {
  skip_if_not_installed("bnlearn")
  set.seed(6)
  cases <- list(
    list("[A][C][F][B|A][D|A:C][E|B:F]", "learning.test"),
    list("[A][B][E][G][C|A:B][D|B][F|A:D:E:G]", "gaussian.test"),
    list("[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]", "clgaussian.test")
  )
  for (case in cases) {
    shelf <- new.env()
    utils::data(list = case[[2L]], package = "bnlearn", envir = shelf)
    data <- shelf[[case[[2L]]]][1:500, ]
    theirs <- bnlearn::bn.fit(bnlearn::model2network(case[[1L]]), data)
    ours <- fit_network(case[[1L]], data, method = "mle")
    gaps <- with_random_gaps(data[1:60, ])
    expect_equal(impute(theirs, gaps), impute(ours, gaps), tolerance = 1e-6)
    set.seed(7)
    drawn <- impute(theirs, gaps, draws = 2)
    set.seed(7)
    expect_equal(impute(ours, gaps, draws = 2), drawn, tolerance = 1e-6)
  }
})

# ---- draws --------------------------------------------------------------------------------------

test_that("draws of discrete rows have the frequencies of the joint posterior", {
  set.seed(8)
  for (repeats in 1:3) {
    fit <- random_fit(5)
    all <- enumerate(fit)
    row <- with_random_gaps(simulate(fit, 1), 0)
    row[sample(5, 3)] <- NA
    p <- weigh_rows(all, Filter(Negate(is.na), lapply(row, as.character)))
    p <- rlang::set_names(p, row_labels(all$rows))
    for (model in list(fit, compile_network(fit))) {
      drawn <- impute(model, row[rep(1, 500), ], draws = 4)
      expect_length(drawn, 4L)
      expect_gt(fit_of_draws(row_labels(do.call(rbind, drawn)), p), 1e-3)
      expect_gt(fit_of_draws(row_labels(drawn[[4L]]), p), 1e-3)
    }
  }
})

test_that("draws of densities have the frequencies of the joint posterior", {
  set.seed(9)
  people <- simulate(titanic_fit(), 300)
  for (model in list(learn_chow_liu(people), learn_cutset(people), learn_mixture(people, 3))) {
    all <- expand.grid(model$levels, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
    p <- exp(log_density(model, all)) * (all$Survived == "Yes")
    row <- data.frame(Survived = factor("Yes", levels(people$Survived)))
    drawn <- impute(model, row[rep(1, 600), , drop = FALSE], draws = 3)
    found <- row_labels(do.call(rbind, drawn)[model$nodes])
    expect_gt(fit_of_draws(found, rlang::set_names(p, row_labels(all[model$nodes]))), 1e-3)
  }
})

test_that("draws of mixed rows have the joint posterior", {
  set.seed(10)
  row <- replace(iris[70, flowers$nodes], c("Species", "Petal.Width", "Petal.Length"), NA)
  row$Sepal.Length <- 6
  given <- flowers_given(row)
  share <- exp(vapply(given, `[[`, 0, "log_share"))
  drawn <- impute(flowers, row[rep(1, 3000), ], draws = 1)[[1L]]
  expect_gt(fit_of_draws(as.character(drawn$Species), share), 1e-3)
  for (species in levels(iris$Species)) {
    numbers <- as.matrix(drawn[drawn$Species == species, c("Petal.Length", "Petal.Width")])
    one <- given[[species]]
    off <- sweep(numbers, 2, one$mean[colnames(numbers)])
    inverse <- solve(one$covariance[colnames(numbers), colnames(numbers)])
    distance <- rowSums(off %*% inverse * off)
    expect_gt(stats::ks.test(distance, "pchisq", 2)$p.value, 1e-3)
    for (node in colnames(numbers)) {
      expect_gt(stats::ks.test(off[, node], "pnorm", 0, sqrt(one$covariance[node, node]))$p.value,
                1e-3)
    }
  }
})

test_that("what nothing tells about is drawn from its marginal", {
  set.seed(11)
  fit <- titanic_fit()
  drawn <- impute(fit, data.frame(none = 1:2000), draws = 1)[[1L]]
  expect_named(drawn, c("none", fit$nodes))
  all <- enumerate(fit)
  p <- rlang::set_names(all$p, row_labels(all$rows))
  expect_gt(fit_of_draws(row_labels(drawn[fit$nodes]), p), 1e-3)
})

test_that("set.seed() governs draws, and the most probable values leave random numbers alone", {
  gaps <- with_random_gaps(iris)
  people <- with_random_gaps(simulate(titanic_fit(), 40))
  mixture <- learn_mixture(people, 2)
  for (case in list(list(flowers, gaps), list(mixture, people))) {
    set.seed(12)
    one <- impute(case[[1L]], case[[2L]], draws = 3)
    set.seed(12)
    expect_identical(impute(case[[1L]], case[[2L]], draws = 3), one)
    expect_false(identical(one[[1L]], one[[2L]]))
    for (table in one) known_values_stay(table, case[[2L]])
    expect_false(anyNA(lapply(one, `[`, case[[1L]]$nodes), recursive = TRUE))
    set.seed(12)
    before <- .Random.seed
    suppressMessages(impute(case[[1L]], case[[2L]]))
    expect_identical(.Random.seed, before)
  }
})

# ---- trees over continuous nodes ----------------------------------------------------------------

# The log-density of `model` over a grid of what `row` lacks: data frames `rows`, and `weight`.
posterior_grid <- function(model, row, numbers) {
  open <- names(row)[vapply(row, is.na, NA)]
  rows <- expand.grid(lapply(rlang::set_names(open), function(node) {
    model$levels[[node]] %||% numbers
  }), KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  rows[setdiff(names(row), open)] <- row[setdiff(names(row), open)]
  weight <- exp(suppressMessages(log_density(model, rows)))
  list(rows = rows, weight = weight / sum(weight))
}

test_that("draws of trees have the joint posterior", {
  set.seed(31)
  for (leaf in c("student", "normal")) {
    trees <- grown_flowers()
    trees$models <- Map(fit_one, trees$nodes, lapply(trees$models, `[[`, "partition"),
                        MoreArgs = list(data = iris, leaf = leaf))
    row <- data.frame(Petal.Length = NA_real_, Species = factor(NA, levels(iris$Species)),
                      Petal.Width = 1.6)
    grid <- posterior_grid(trees, row, seq(-12, 20, 0.002))
    drawn <- impute(trees, row[rep(1, 3000), ], draws = 1)[[1L]]
    expect_true(all(drawn$Petal.Width == 1.6))
    share <- tapply(grid$weight, grid$rows$Species, sum)
    expect_gt(fit_of_draws(as.character(drawn$Species), share), 1e-3)
    order <- order(grid$rows$Petal.Length)
    below <- stats::approxfun(grid$rows$Petal.Length[order], cumsum(grid$weight[order]),
                              ties = max, rule = 2)
    expect_gt(stats::ks.test(drawn$Petal.Length, below)$p.value, 1e-3)
  }
})

test_that("completions of trees have the largest density that a grid has", {
  trees <- grown_flowers()
  rows <- iris[c(1, 60, 75, 110), trees$nodes]
  rows$Petal.Length <- NA
  rows$Species[2:4] <- NA
  rows$Petal.Width[4] <- NA
  expect_message(completed <- impute(trees, rows), "need not be the most probable",
                 class = "optbn_message")
  known_values_stay(completed, rows)
  for (i in 1:4) {
    grid <- posterior_grid(trees, rows[i, ], seq(-1, 8, 0.05))
    best <- max(suppressMessages(log_density(trees, grid$rows)))
    expect_gt(suppressMessages(log_density(trees, completed[i, ])), best - 1e-3)
  }
  # the only missing value of a row is the most probable one for certain, and nothing is told
  expect_identical(told_times(impute(trees, rows[1, ])), 0)
})

test_that("completions of trees depend neither on the order of rows nor on that of columns", {
  set.seed(32)
  trees <- grown_flowers()
  data <- with_random_gaps(iris, 0.3)
  completed <- suppressMessages(impute(trees, data))
  rows <- sample(150)
  columns <- sample(5)
  expect_equal(suppressMessages(impute(trees, data[rows, columns])), completed[rows, columns])
  expect_identical(impute(trees, completed), completed)
  expect_identical(impute(trees, data[0, ]), data[0, ])
})

test_that("set.seed() governs draws of trees, and peaks leave random numbers alone", {
  trees <- grown_flowers()
  gaps <- with_random_gaps(iris, 0.3)
  set.seed(33)
  one <- impute(trees, gaps, draws = 2)
  set.seed(33)
  expect_identical(impute(trees, gaps, draws = 2), one)
  expect_false(identical(one[[1L]], one[[2L]]))
  for (table in one) {
    known_values_stay(table, gaps)
    expect_false(anyNA(table[trees$nodes]))
  }
  before <- .Random.seed
  suppressMessages(impute(trees, gaps, progress = TRUE))
  expect_identical(.Random.seed, before)
})

test_that("rows that trees hold to be impossible stay as they are, and one message says so", {
  trees <- grown_flowers()
  trees$models$Species$prob[, 1] <- c(1, 0, 0)
  rows <- data.frame(Petal.Length = c(1.2, NA), Species = c("virginica", "setosa"),
                     Petal.Width = NA_real_)
  for (draws in 0:1) {
    told <- capture_messages(found <- impute(trees, rows, draws = draws))
    expect_match(told, "No possible completion was found of 1 row", all = FALSE)
    if (draws) found <- found[[1L]]
    expect_true(is.na(found$Petal.Width[1]))
    expect_false(anyNA(found[2, ]))
  }
})

test_that("a level NA is never filled in by trees", {
  set.seed(34)
  data <- iris
  data$Species[sample(150, 60)] <- NA
  level <- replace(data, "Species", list(addNA(data$Species)))
  trees <- suppressMessages(fit_network("[Petal.Length][Species|Petal.Length]", level,
                                        score = "pcart"))
  for (draws in 0:1) {
    found <- impute(trees, data["Species"], draws = draws)
    expect_false(anyNA(if (draws) found[[1L]] else found))
  }
})

# ---- what comes back ----------------------------------------------------------------------------

test_that("columns keep their types", {
  set.seed(13)
  people <- simulate(titanic_fit(), 60)
  people$age <- stats::rnorm(60, 40 - 20 * (people$Age == "Child"))
  people$flag <- people$Survived == "Yes" & stats::runif(60) < 0.9
  people$rank <- factor(people$Class, levels(people$Class), ordered = TRUE)
  people$word <- as.character(people$Sex)
  people <- people[c("age", "flag", "rank", "word")]
  fit <- suppressMessages(fit_network("[flag][rank|flag][word|rank][age|rank]", people))
  gaps <- with_random_gaps(people)
  for (completed in c(list(impute(fit, gaps)), impute(fit, gaps, draws = 2))) {
    expect_identical(lapply(completed, class), lapply(people, class))
    expect_identical(levels(completed$rank), levels(people$rank))
    expect_false(anyNA(completed))
    known_values_stay(completed, gaps)
  }
  # given in other types than those learned from
  whole <- impute(fit, gaps)
  other <- gaps
  other$flag <- factor(gaps$flag)
  other$rank <- as.character(gaps$rank)
  other$word <- factor(gaps$word, c("Male", "Female"))
  expect_equal(lapply(impute(fit, other), as.character), lapply(whole, as.character))
  expect_identical(levels(impute(fit, other)$word), c("Male", "Female"))
  # numbers as discrete values
  baskets <- simulate(titanic_fit(), 50)
  baskets <- data.frame(a = as.integer(baskets$Sex) - 1L, b = as.integer(baskets$Survived) - 1L)
  density <- learn_chow_liu(as.matrix(baskets))
  baskets$b[1:9] <- NA
  expect_type(impute(density, baskets)$b, "integer")
  baskets$b <- as.numeric(baskets$b)
  expect_type(impute(density, baskets)$b, "double")
  # whole numbers become numbers where one is filled in
  lengths <- data.frame(Species = factor("setosa"), Petal.Length = c(1L, NA))
  expect_type(impute(flowers, lengths)$Petal.Length, "double")
  expect_identical(levels(impute(flowers, lengths)$Species), "setosa")
})

test_that("columns without a value get the type that the model has", {
  completed <- impute(flowers, data.frame(Species = NA, Petal.Length = NA, Sepal.Length = 5))
  expect_identical(levels(completed$Species), levels(iris$Species))
  expect_identical(vapply(completed, is.numeric, NA),
                   c(Species = FALSE, Petal.Length = TRUE, Sepal.Length = TRUE, Petal.Width = TRUE))
  expect_false(anyNA(completed))
})

test_that("factors get the levels that they lack, in the order of the model", {
  gaps <- data.frame(Species = factor(c("versicolor", NA)), Petal.Length = c(4, 6))
  expect_identical(impute(flowers, gaps)$Species,
                   factor(c("versicolor", "virginica"), levels(iris$Species)))
  gaps$Species <- factor(c("versicolor", NA), c("versicolor", "setosa"))
  expect_identical(levels(impute(flowers, gaps)$Species), c("versicolor", "setosa", "virginica"))
  words <- suppressMessages(fit_network("[Species][Petal.Length|Species]",
                                        replace(iris, "Species", list(as.character(iris$Species)))))
  expect_identical(as.character(impute(words, gaps)$Species), c("versicolor", "virginica"))
})

test_that("other columns, tibbles, data.tables and rows of nothing are what they were", {
  gaps <- with_random_gaps(iris[1:12, ], 0.3)
  gaps$when <- Sys.Date()
  gaps$list <- as.list(1:12)
  completed <- impute(flowers, gaps)
  expect_identical(completed[c("Sepal.Width", "when", "list")],
                   gaps[c("Sepal.Width", "when", "list")])
  expect_identical(impute(flowers, gaps[0, ]), gaps[0, ])
  expect_identical(impute(flowers, gaps[0, ], draws = 2), list(gaps[0, ], gaps[0, ]))
  expect_identical(dim(impute(flowers, gaps[0, 1:2])), c(0L, 5L))
  people <- simulate(titanic_fit(), 9)
  expect_identical(impute(learn_chow_liu(people), people[0, ]), people[0, ])
  skip_if_not_installed("tibble")
  expect_equal(impute(flowers, tibble::as_tibble(gaps)), tibble::as_tibble(completed))
  skip_if_not_installed("data.table")
  table <- data.table::as.data.table(gaps[1:5])
  before <- data.table::copy(table)
  found <- impute(flowers, table)
  expect_identical(table, before)
  expect_equal(found, data.table::as.data.table(completed[1:5]))
  expect_silent(data.table::set(found, j = "new", value = 1L))
})

test_that("a level NA is a value, and never filled in", {
  set.seed(14)
  titanic <- as.data.frame(Titanic)
  people <- titanic[rep(seq_len(32), titanic$Freq), 1:4]
  gaps <- people
  for (column in names(gaps)) gaps[sample(nrow(gaps), 500), column] <- NA
  level <- replace(people, "Class", list(addNA(gaps$Class)))
  fit <- fit_network("[Class][Sex|Class][Survived|Class:Sex][Age|Class]", level)
  density <- learn_chow_liu(level)
  for (model in list(fit, compile_network(fit), density)) {
    for (draws in 0:1) {
      one <- function(data) {
        found <- impute(model, data, draws = draws)
        if (draws == 0) found else found[[1L]]
      }
      raw <- one(gaps)
      expect_false(anyNA(raw))
      expect_identical(levels(raw$Class), levels(people$Class))
      kept <- one(replace(gaps, "Class", list(level$Class)))
      expect_identical(kept$Class, level$Class)
      expect_false(anyNA(kept[-1L]))
    }
  }
  # a level NA that is known tells about the others, and differs from what is missing
  row <- data.frame(Class = factor(c(NA, "1st"), levels(level$Class), exclude = NULL),
                    Sex = factor(NA, levels(people$Sex)))[rep(1, 1500), ]
  for (model in list(fit, density)) {
    known <- rlang::set_names(exp(log_density(model, data.frame(
      Class = factor(NA, levels(level$Class), exclude = NULL), Sex = levels(people$Sex)
    ))), levels(people$Sex))
    drawn <- impute(model, row, draws = 1)[[1L]]
    expect_gt(fit_of_draws(as.character(drawn$Sex), known), 1e-3)
  }
  # both in one column
  both <- row[1:4, ]
  is.na(both$Class) <- 1:2
  codes <- unclass(impute(fit, both)$Class)
  expect_true(all(codes[1:2] %in% 1:4))
  expect_identical(c(codes[3:4]), c(5L, 5L))
})

test_that("levels NA of missing values have probability 0, whatever else is missing", {
  set.seed(15)
  data <- rlang::set_names(simulate(random_fit(4), 400), c("a", "b", "c", "d"))
  data$a[sample(400, 80)] <- NA
  data$a <- addNA(data$a)
  fit <- fit_network("[a][b|a][c|a:b][d|a]", data)
  all <- expand.grid(lapply(data, levels), KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  all$a <- factor(all$a, levels(data$a), exclude = NULL)
  first <- levels(data$d)[1L]
  p <- exp(log_density(fit, all)) * (!is.na(as.character(all$a)) & all$d == first)
  rows <- data.frame(d = factor(first, levels(data$d)))[rep(1, 2000), , drop = FALSE]
  drawn <- impute(fit, rows, draws = 1)[[1L]]
  expect_gt(fit_of_draws(row_labels(drawn[names(all)]), rlang::set_names(p, row_labels(all))), 1e-3)
  completed <- impute(fit, rows[1L, , drop = FALSE])
  expect_equal(exp(log_density(fit, completed)), max(p))
})

# ---- what is told -------------------------------------------------------------------------------

test_that("impossible rows stay as they are, and one message says so", {
  fit <- titanic_fit("mle")
  people <- data.frame(Class = c("1st", "1st", "Crew"), Age = c("Child", "Child", "Adult"),
                       Sex = c(NA, NA, NA), Survived = c("No", NA, NA)) # no child of the 1st died
  for (model in list(fit, compile_network(fit))) {
    expect_identical(told_times(completed <- impute(model, people)), 1)
    expect_identical(told_times(drawn <- impute(model, people, draws = 3)), 1)
    for (one in c(list(completed), drawn)) {
      expect_true(is.na(one$Sex[1L]))
      expect_identical(one$Survived[1L], "No")
      expect_false(anyNA(one[2:3, ]))
    }
  }
  expect_snapshot({
    impute(fit, people)
    impute(fit, people[c(1, 1), ])
  })
})

test_that("one message says that completions are not proved", {
  set.seed(16)
  people <- simulate(titanic_fit(), 200)
  mixture <- learn_mixture(people, 2)
  gaps <- with_random_gaps(people)
  expect_identical(told_times(impute(mixture, gaps)), 1)
  expect_identical(told_times(impute(mixture, gaps, draws = 2)), 0)
  expect_identical(told_times(impute(mixture, people)), 0)
  expect_snapshot(invisible(impute(mixture, gaps)))
})

test_that("what cannot be completed is refused", {
  gaps <- with_random_gaps(iris[1:5, ])
  lines_among_trees <- grown_flowers()
  lines_among_trees$models$Petal.Width <- flowers$models$Petal.Width
  lines_among_trees$parents$Petal.Width <- flowers$parents$Petal.Width
  expect_snapshot(error = TRUE, {
    impute(flowers)
    impute(iris, gaps)
    impute(flowers, as.matrix(iris[1:4]))
    impute(flowers, gaps, draws = -1)
    impute(flowers, gaps, draws = 1.5)
    impute(flowers, gaps, progress = NA)
    impute(flowers, gaps, method = "mean")
    impute(flowers, data.frame(Species = c("rose", NA)))
    impute(flowers, data.frame(Petal.Length = c("long", NA)))
    impute(flowers, data.frame(Petal.Length = c(Inf, NA)))
    impute(flowers, data.frame(Species = "setosa", Species = NA, check.names = FALSE))
    impute(lines_among_trees, gaps)
  })
  skip_if_not_installed("bnlearn")
  unknown <- bnlearn::bn.fit(bnlearn::model2network("[x][y|x]"),
                             data.frame(x = c(1, 2, 3, 5), y = c(2, 4, 6, 9)))
  unknown$y <- list(coef = c(0, 2), sd = 0)
  expect_error(impute(unknown, data.frame(x = NA_real_)), class = "optbn_error_data")
})
