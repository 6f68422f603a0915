classes <- c("optbn_cutset_network", "optbn_latent_tree", "optbn_mixture")

# Once for models of each class: multi-valued variables, zeros here and there.
for_models <- function(times, code, ...) {
  for (class in classes) {
    for (i in seq_len(times)) code(random_density(class, n = sample(2:5, 1), ...))
  }
}

test_that("densities of rows, with gaps too, are those of enumeration", {
  set.seed(1)
  for_models(8, function(model) {
    all <- enumerate_density(model)
    expect_equal(sum(all$p), 1)
    expect_equal(exp(log_density(model, all$rows)), all$p)
    data <- all$rows[sample(nrow(all$rows), 30, replace = TRUE), ]
    data[matrix(stats::runif(30 * ncol(data)) < 0.4, 30)] <- NA
    expected <- vapply(seq_len(30), function(i) {
      sum(weigh_rows(all, Filter(function(value) !is.na(value), as.list(data[i, ]))))
    }, 0)
    expect_equal(exp(log_density(model, data)), expected)
  }, zeros = 0.2)
})

test_that("posteriors and probabilities of evidence are those of enumeration", {
  skip_where_quick()
  set.seed(2)
  impossible <- 0
  for_models(25, function(model) {
    all <- enumerate_density(model)
    evidence <- random_evidence(model, sample(model$nodes, sample(0:2, 1)))
    p <- weigh_rows(all, evidence)
    expect_equal(exp(log_probability(model, evidence)), sum(p))
    if (sum(p) == 0) {
      impossible <<- impossible + 1
      expect_error(query(model, evidence = evidence), class = "optbn_error_impossible")
      return()
    }
    observed <- names(Filter(is.character, Filter(function(value) length(value) == 1L, evidence)))
    free <- setdiff(model$nodes, observed)
    asked <- sample(free, min(length(free), sample(1:3, 1)))
    if (length(asked)) {
      expect_equal(query(model, asked, evidence), sum_rows(model, all, p, asked))
    }
    single <- query(model, evidence = evidence)
    expect_equal(single, lapply(rlang::set_names(model$nodes), function(node) {
      sum_rows(model, all, p, node)
    }))
  }, zeros = 0.25)
  expect_gt(impossible, 0)
})

test_that("the most probable state is that of enumeration, where it is exact", {
  skip_where_quick()
  set.seed(3)
  missed <- 0
  for_models(20, function(model) {
    all <- enumerate_density(model)
    evidence <- random_evidence(model, sample(model$nodes, sample(0:1, 1)))
    p <- weigh_rows(all, evidence)
    found <- suppressMessages(most_probable(model, evidence))
    row <- lapply(found$state, as.character)
    here <- which(Reduce(`&`, Map(`==`, all$rows, row)))
    expect_equal(found$log_probability, log(all$p[here]))
    expect_gt(p[here], 0)
    if (found$exact) expect_equal(p[here], max(p))
    if (p[here] < max(p) * (1 - 1e-9)) missed <<- missed + 1
    expect_identical(found$exact, inherits(model, "optbn_cutset_network"))
  })
  expect_lte(missed, 4) # of 40 searches
})

test_that("a state that may not be the most probable one is announced as such", {
  set.seed(4)
  expect_snapshot(mixture <- most_probable(random_density("optbn_mixture")))
  expect_message(most_probable(random_density("optbn_latent_tree")), class = "optbn_message")
  expect_no_message(most_probable(example_cutset()))
})

test_that("draws are from the posterior, and follow the seed", {
  set.seed(5)
  for (class in classes) {
    model <- random_density(class, n = 4)
    all <- enumerate_density(model)
    evidence <- random_evidence(model, sample(model$nodes, 2))
    p <- weigh_rows(all, evidence)
    p <- p / sum(p)
    drawn <- simulate(model, 20000, seed = 1, evidence = evidence)
    key <- function(rows) do.call(paste, lapply(rows, as.character))
    shares <- table(factor(key(drawn), key(all$rows))) / 20000
    expect_true(all(abs(shares - p) <= 5 * sqrt(p * (1 - p) / 20000)))
    expect_identical(simulate(model, 20, seed = 7), simulate(model, 20, seed = 7))
    expect_false(identical(simulate(model, 20, seed = 7), simulate(model, 20, seed = 8)))
    expect_identical(nrow(simulate(model, 0)), 0L)
  }
})

test_that("predictions are posteriors row by row, and the node's own column is not looked at", {
  set.seed(6)
  for_models(6, function(model) {
    all <- enumerate_density(model)
    data <- all$rows[sample(nrow(all$rows), 15, replace = TRUE), ]
    node <- sample(model$nodes, 1)
    others <- setdiff(model$nodes, node)
    data[others][matrix(stats::runif(15 * length(others)) < 0.3, 15)] <- NA
    prob <- predict(model, data, node, type = "prob")
    for (i in 1:15) {
      known <- Filter(function(value) !is.na(value), as.list(data[i, others, drop = FALSE]))
      expect_equal(prob[i, ], c(sum_rows(model, all, weigh_rows(all, known), node)),
                   ignore_attr = TRUE)
    }
    expect_identical(predict(model, data[others], node, type = "prob"), prob)
    expect_identical(as.character(predict(model, data, node)),
                     colnames(prob)[max.col(prob, "first")])
    own <- match(data[[node]], colnames(prob))
    expect_identical(predict(model, data, node, type = "density"), prob[cbind(1:15, own)])
    data[[node]] <- "a level that is not known"
    expect_identical(predict(model, data, node, type = "prob"), prob)
  })
})

test_that("answers have the types of the data", {
  set.seed(7)
  for_models(4, function(model) {
    expect_identical(simulate(model, 5)[0L, , drop = FALSE], model$prototype, ignore_attr = TRUE)
    state <- suppressMessages(most_probable(model))$state
    expect_identical(state[0L, , drop = FALSE], model$prototype, ignore_attr = TRUE)
    expect_length(log_density(model, simulate(model, 5)), 5)
  }, types = TRUE)
})

test_that("rows may be a matrix, plain or sparse, with or without names", {
  set.seed(8)
  levels <- rlang::set_names(rep(list(c("0", "1")), 4), node_names(4))
  prototype <- list2DF(lapply(levels, function(x) integer()), 0L)
  for (class in classes) {
    bodies <- list(random_body(rep(2L, 4), 2L, latent = class == "optbn_latent_tree"))
    model <- new_density(class, names(levels), levels, prototype, 1, bodies, example_learning())
    frame <- as.data.frame(matrix(rbinom(60, 1, 0.4), 15, dimnames = list(NULL, names(levels))))
    matrix <- as.matrix(frame)
    expected <- log_density(model, frame)
    expect_identical(log_density(model, matrix), expected)
    expect_identical(log_density(model, unname(matrix)), expected)
    expect_identical(log_density(model, matrix[, c(3, 1, 4, 2)]), expected)
    prob <- predict(model, frame, "N002", type = "prob")
    expect_identical(predict(model, matrix, "N002", type = "prob"), prob)
    expect_identical(predict(model, matrix[, -2], "N002", type = "prob"), prob)
    expect_identical(predict(model, unname(matrix), "N002", type = "prob"), prob)
    expect_equal(c(logLik(model, newdata = matrix)), sum(expected))
    skip_without_peer("Matrix")
    sparse <- Matrix::Matrix(matrix, sparse = TRUE)
    expect_identical(log_density(model, sparse), expected)
    expect_identical(predict(model, sparse, "N002", type = "prob"), prob)
    expect_identical(predict(model, sparse, "N002", type = "density"),
                     predict(model, frame, "N002", type = "density"))
  }
})

test_that("answers for rows leave R's random numbers as they are", {
  set.seed(11)
  model <- random_density("optbn_mixture")
  data <- model$prototype[rep(NA_integer_, 3), ]
  before <- .Random.seed
  log_density(model, data)
  predict(model, data, "N001")
  expect_identical(.Random.seed, before)
})

test_that("answers for rows depend neither on threads nor on their order", {
  set.seed(9)
  model <- random_density("optbn_mixture", n = 9, components = 5)
  data <- simulate(model, 3000)
  data[matrix(stats::runif(27000) < 0.2, 3000)] <- NA
  density <- log_density(model, data, threads = 1)
  prob <- predict(model, data, "N004", type = "prob", threads = 1)
  expect_identical(log_density(model, data, threads = 2), density)
  expect_identical(predict(model, data, "N004", type = "prob", threads = 2), prob)
  turned <- sample(3000)
  expect_identical(log_density(model, data[turned, ]), density[turned])
  expect_identical(predict(model, data[turned, ], "N004", type = "prob"), prob[turned, ])
  expect_identical(log_density(model, data[sample(names(data))]), density)
})

test_that("other names of levels and another order of the components change nothing", {
  set.seed(10)
  model <- random_density("optbn_mixture", n = 5, components = 4)
  data <- simulate(model, 50)
  turned <- model
  turned$handle <- new.env()
  turned$weights <- rev(model$weights)
  turned$components <- rev(model$components)
  expect_equal(log_density(turned, data), log_density(model, data))
  renamed <- model
  renamed$levels <- lapply(model$levels, function(labels) paste("level", labels))
  as_renamed <- as.data.frame(lapply(data, function(column) paste("level", column)))
  expect_identical(log_density(renamed, as_renamed), log_density(model, data))
})

test_that("impossible evidence is an error that names the nodes at odds", {
  model <- example_cutset()
  model$components[[1L]]$weight[4:6] <- c(1, 0, 0) # smokers never cough often
  evidence <- list(Smoker = "yes", Cough = c("some", "often"), Age = "old")
  expect_identical(log_probability(model, evidence), -Inf)
  expect_snapshot(error = TRUE, {
    query(model, "Test", evidence)
    most_probable(model, evidence)
    simulate(model, 2, evidence = evidence)
  })
  error <- expect_error(query(model, "Test", evidence), class = "optbn_error_impossible")
  expect_setequal(error$nodes, c("Smoker", "Cough"))
  row <- data.frame(Smoker = c("yes", "no"), Cough = "often")
  expect_snapshot(prob <- predict(model, row, "Age", type = "prob"))
  expect_identical(is.na(prob[, "old"]), c(TRUE, FALSE))
  expect_identical(log_density(model, cbind(row, Age = NA, Test = NA))[1L], -Inf)
})

test_that("what makes no sense is refused", {
  model <- example_cutset()
  row <- data.frame(Smoker = "yes", Cough = "some", Age = "old", Test = TRUE)
  expect_snapshot(error = TRUE, {
    query(model, "Sex")
    query(model, "Age", list(Age = "old"))
    query(model, "Age", list(Sex = "male"))
    query(model, "Age", list(Cough = "seldom"))
    log_density(model, replace(row, "Cough", "seldom"))
    log_density(model, 1:4)
    log_density(model, matrix(0, 2, 3))
    predict(model, row, "Sex")
    predict(model, row, "Age", type = "distribution")
    simulate(model, -1)
  })
  expect_error(log_density(model, replace(row, "Cough", "seldom")), class = "optbn_error_data")
  expect_error(predict(model, row, "Sex"), class = "optbn_error_argument")
})

test_that("the log-likelihood is that of the rows, with free parameters and rows", {
  set.seed(11)
  for_models(3, function(model) {
    data <- simulate(model, 40)
    value <- logLik(model, newdata = data)
    expect_equal(c(value), sum(log_density(model, data)))
    expect_identical(attr(value, "df"), free_parameters(model))
    expect_identical(attr(value, "nobs"), 40L)
    expect_equal(stats::BIC(value), -2 * c(value) + log(40) * attr(value, "df"))
  })
  model <- example_cutset(log_likelihood = -123, n = 77)
  expect_identical(c(logLik(model)), -123)
  expect_identical(nobs(model), 77)
  expect_identical(attr(logLik(model), "nobs"), 77)
  expect_identical(attr(logLik(model), "df"), 18)
  expect_snapshot(error = TRUE, logLik(cutset_leaf(model, 1)))
})

test_that("the coefficients of a Chow-Liu tree are its tables", {
  tree <- cutset_leaf(example_cutset(), 3)
  tables <- coef(tree)
  expect_identical(names(tables), c("Age", "Test"))
  expect_identical(tables$Test, array(c(0.5, 0.5), 2, list(c("FALSE", "TRUE"))))
  expect_identical(tables$Age, array(c(0.3, 0.7, 0.1, 0.9), c(2, 2),
                                     list(Age = c("young", "old"), Test = c("FALSE", "TRUE"))))
  set.seed(12)
  model <- new_density("optbn_cutset_network", letters[1:4],
                       rlang::set_names(rep(list(c("u", "v", "w")), 4), letters[1:4]), NULL, 1,
                       list(tree_body(rep(3L, 4), c(0L, 1L, 1L, 3L))), example_learning())
  expect_equal(query(model, "a"), coef(model)$a, ignore_attr = TRUE)
  expect_equal(query(model, "d", list(c = "v")), coef(model)$d[, "v"], ignore_attr = TRUE)
  expect_snapshot(error = TRUE, {
    coef(example_cutset())
    coef(random_density("optbn_latent_tree"))
    coef(random_density("optbn_mixture"))
  })
})

# ---- cases of an independent program -------------------------------------------------------------

expect_answers <- function(model, inference) {
  last_fastest <- rev(expand.grid(rev(model$levels), stringsAsFactors = FALSE))
  everything <- log_density(model, last_fastest)
  expected <- numbers(inference$all_logp_first16)
  expect_equal(everything[seq_along(expected)], expected, tolerance = 1e-9)
  expect_equal(sum(exp(everything)), 1, tolerance = 1e-12)
  expect_equal(-sum(exp(everything) * everything), inference$entropy, tolerance = 1e-9)
  for (question in inference$queries) {
    evidence <- lapply(question$evidence, as.character)
    if (length(evidence)) names(evidence) <- paste0("x", names(question$evidence))
    expect_equal(log_probability(model, evidence), question$log_marginal, tolerance = 1e-9)
    node <- paste0("x", question$query)
    expect_equal(as.vector(query(model, node, evidence)), numbers(question$posterior),
                 tolerance = 1e-9)
    best <- suppressMessages(most_probable(model, evidence))
    expect_identical(as.numeric(as.matrix(best$state)), numbers(question$mpe$state))
    expect_equal(best$log_probability, question$mpe$logp, tolerance = 1e-9)
  }
}

test_that("known networks give the known answers", {
  skip_where_quick()
  for (case in known_cases("cutset_clt.json")) {
    expect_answers(density_of_case(list(case$tree), numbers(case$arity)), case$inference)
  }
  for (case in c(known_cases("cutset_dcsn.json"), known_cases("cutset_kary.json"))) {
    model <- density_of_case(list(case$net), numbers(case$arity))
    expect_answers(model, case$inference)
    rows <- rows_of_case(case$X, numbers(case$arity))
    expect_equal(mean(log_density(model, rows)), case$ll_train, tolerance = 1e-9)
    if (is.null(case$V)) next
    rows <- rows_of_case(case$V, numbers(case$arity))
    expect_equal(log_density(model, rows), numbers(case$logp_V), tolerance = 1e-9)
  }
})

test_that("known mixtures give the known answers", {
  for (case in known_cases("cutset_bag.json")) {
    arity <- rep(2, length(case$X[[1L]]))
    model <- density_of_case(case$nets, arity, numbers(case$weights_paper))
    expect_answers(model, case$inference_paper_w)
    rows <- rows_of_case(case$X, arity)
    expect_equal(mean(log_density(model, rows)), case$mix_ll_paper, tolerance = 1e-9)
  }
  for (case in known_cases("cutset_mt.json")) {
    model <- density_of_case(case$trees, numbers(case$arity), numbers(case$lam))
    expect_answers(model, case$inference)
  }
})
