# Some verbs on some damaged models: mostly on those that still hold together, because that all
# verbs refuse the others is tested by itself.
expect_sound_answers <- function(model, verbs, calls = 10) {
  models <- damaged(model, some_of(places_in(model), 25))
  sound <- vapply(models, function(one) is_sound(one$model), NA)
  expect_true(any(!sound))
  for (one in c(some_of(models[sound], calls), some_of(models[!sound], calls / 5))) {
    expect_identical(misbehaviour(one, sample(verbs, 1)), character())
  }
}

expect_refused <- function(model, verbs) {
  for (name in names(verbs)) {
    expect_error(utils::capture.output(verbs[[name]](model)), class = "optbn_error_model",
                 info = name)
  }
}

without_parents <- function(model) replace(model, "parents", list(NULL))

people <- as.data.frame(Titanic)[1:3, 1:4]

fit_verbs <- list(
  print = print, format = format, summary = summary, coef = coef, logLik = logLik, nobs = nobs,
  logLik_new = function(model) logLik(model, people),
  simulate = function(model) simulate(model, 2, seed = 1),
  simulate_given = function(model) simulate(model, 2, seed = 1, evidence = list(Class = "1st")),
  log_density = function(model) log_density(model, people),
  predict = function(model) predict(model, people, "Survived", "prob"),
  query = function(model) query(model, "Class"),
  log_probability = function(model) log_probability(model, list(Sex = "Male")),
  most_probable = most_probable, compile_network = compile_network,
  local_model = function(model) local_model(model, "Survived"),
  approximate_query = function(model) approximate_query(model, "Class", nsim = 20),
  treewidth = treewidth,
  elimination_order = function(model) elimination_order(model, "cells"),
  as.bn = function(model) bnlearn::as.bn(model),
  as.bn.fit = function(model) bnlearn::as.bn.fit(model)
)

local_verbs <- list(
  print = print, format = format, coef = coef, plot = plot,
  autoplot = function(model) ggplot2::autoplot(model),
  predict = function(model) predict(model, mixed_rows()[1:3, ])
)

mixed_rows <- function() {
  data <- transform(iris, Large = factor(Sepal.Length > 5.8))
  data[c("Species", "Large", "Petal.Length", "Petal.Width")]
}

mixed_network <- "[Species][Large|Species][Petal.Length|Species][Petal.Width|Petal.Length:Large]"

test_that("a fitted network that was changed is refused, or answers as changed", {
  skip_without_peer("bnlearn")
  withr::local_seed(1)
  withr::local_pdf(NULL)
  data <- as.data.frame(Titanic)
  rows <- data[rep(seq_len(32), data$Freq %/% 10), 1:4]
  structure <- "[Class][Sex|Class][Age][Survived|Class:Sex]"
  for (score in c("bde", "pcart", "ft")) {
    fit <- fit_network(structure, rows, score = score)
    expect_sound_answers(fit, fit_verbs)
  }
  expect_refused(without_parents(fit), fit_verbs)
  mixed <- fit_network(mixed_network, mixed_rows())
  people <- mixed_rows()[1:3, ]
  verbs <- fit_verbs[c("print", "summary", "coef", "simulate", "as.bn.fit", "elimination_order")]
  verbs$predict <- function(model) predict(model, people, "Petal.Length", "distribution")
  expect_sound_answers(mixed, verbs)
})

test_that("a fit holds a finite log-likelihood for each node", {
  fit <- fit_network("[complaints][rating|complaints]", attitude[1:2])
  for (wrong in list(c(1, Inf), c(1, NA), 1)) {
    changed <- fit
    changed$log_likelihood <- wrong
    expect_error(print(changed), class = "optbn_error_model")
  }
})

test_that("a score without a name prints as none", {
  for (wrong in list(character(), emptyenv(), NA, list(), 3)) {
    changed <- score_bde()
    changed$label <- wrong
    expect_error(print(changed), class = "optbn_error_model")
  }
})

test_that("so is every local model", {
  skip_where_quick()
  skip_without_peer("ggplot2")
  skip_without_peer("partykit")
  withr::local_seed(2)
  withr::local_pdf(NULL)
  for (score in list(NULL, "pcart", "ft")) {
    fit <- fit_network(mixed_network, mixed_rows(), score = score)
    for (model in fit$models[c("Large", "Petal.Width")]) {
      verbs <- local_verbs
      if (inherits(model, "optbn_regression")) verbs[c("plot", "autoplot")] <- NULL
      if (inherits(model, "optbn_tree")) verbs$party <- function(x) partykit::as.party(x)
      expect_sound_answers(model, verbs)
      expect_refused(without_parents(model), verbs)
    }
  }
})

test_that("so are Gaussian networks, k-trees, tree decompositions and junction trees", {
  skip_where_quick()
  skip_without_peer("ggplot2")
  withr::local_seed(3)
  withr::local_pdf(NULL)
  pictures <- list(print = print, format = format, plot = plot,
                   autoplot = function(model) ggplot2::autoplot(model))
  gaussian <- compile_network(
    fit_network("[complaints][learning|complaints][rating|complaints:learning]", attitude)
  )
  gaps <- replace(attitude[1:3, ], 2, NA)
  verbs <- list(
    print = print, format = format, log_density = function(model) log_density(model, gaps),
    query = function(model) query(model, "rating", list(complaints = 60)), all = query,
    log_probability = function(model) log_probability(model, list(rating = 50)),
    most_probable = most_probable,
    predict = function(model) predict(model, gaps, "rating", "distribution"),
    simulate = function(model) simulate(model, 2, seed = 1, evidence = list(rating = 50))
  )
  expect_sound_answers(gaussian, verbs)
  expect_refused(without_parents(gaussian), verbs)

  tree <- k_tree(list(c("a", "b", "c"), c("a", "c", "d"), c("c", "d", "e")))
  verbs <- c(pictures, list(as.matrix = as.matrix, as.data.frame = as.data.frame,
                            code = k_tree_code))
  expect_sound_answers(tree, verbs)
  expect_refused(replace(tree, "bags", list(NULL)), verbs)

  width <- treewidth("[A][B|A][C|A][D|B:C][E|D]")
  expect_sound_answers(width, pictures)
  expect_refused(replace(width, "cliques", list(NULL)), pictures)

  compiled <- compile_network(titanic_fit())
  compiled$handle <- NULL
  expect_sound_answers(compiled, pictures)
  expect_refused(replace(compiled, "cliques", list(NULL)), pictures)
})

test_that("so are density models, also on the screen", {
  skip_where_quick()
  skip_without_peer("ggplot2")
  skip_without_peer("generics")
  withr::local_seed(4)
  withr::local_pdf(NULL)
  verbs <- list(
    print = print, format = format, summary = summary, plot = plot, nobs = nobs, logLik = logLik,
    autoplot = function(model) ggplot2::autoplot(model),
    mixture_component = function(x) mixture_component(x, 1),
    tidy = function(model) generics::tidy(model), glance = function(model) generics::glance(model),
    query = query
  )
  rows <- switching_rows(200)
  models <- list(learn_chow_liu(rows), learn_cutset(rows, min_rows = 40),
                 learn_hclt(rows, iterations = 2), learn_mixture(rows, 2, iterations = 2))
  for (model in models) {
    model$handle <- NULL
    expect_sound_answers(model, verbs)
    expect_refused(replace(model, "components", list(list())), verbs)
  }
})

test_that("a change that fits is answered", {
  fit <- titanic_fit()
  fit$models$Survived$prob[] <- c(0.25, 0.75)
  expect_equal(as.vector(query(fit, "Survived")), c(0.25, 0.75))
  expect_equal(predict(fit, people, "Survived", "prob")[, "Yes"], rep(0.75, 3))

  gaussian <- compile_network(fit_network("[rating][complaints|rating]", attitude))
  gaussian$spread[match("rating", gaussian$nodes)] <- 100
  expect_equal(query(gaussian, "rating")$covariance[1], 1e4)
})

test_that("a model says what does not fit", {
  fit <- titanic_fit()
  mixed <- fit_network(mixed_network, mixed_rows())
  with_local <- function(fit, node, ...) {
    fit$models[[node]] <- replace(fit$models[[node]], names(list(...)), list(...))
    fit
  }
  half <- fit$models$Survived$prob / 2
  expect_snapshot(error = TRUE, {
    print(without_parents(fit))
    query(with_local(fit, "Survived", prob = half), "Sex")
    coef(with_local(fit, "Sex", parents = "Age"))
    simulate(with_local(mixed, "Petal.Width", sd = c(-1, 1)))
    format(structure(list(), class = "optbn_compiled_gaussian"))
  })
})

test_that("parent sets that were changed are refused, or answer as changed", {
  skip_without_peer("ggplot2")
  withr::local_seed(5)
  withr::local_pdf(NULL)
  sets <- suppressMessages(parent_sets(as.data.frame(Titanic)[1:4], "bic"))
  file <- withr::local_tempfile(fileext = ".jkl")
  verbs <- list(
    print = print, format = format, summary = summary, plot = plot, length = length,
    autoplot = function(x) ggplot2::autoplot(x), as.data.frame = as.data.frame,
    part = function(x) x[1:2], write_jkl = function(x) write_jkl(x, file), learn_dag = learn_dag
  )
  expect_sound_answers(sets, verbs, calls = 30)
  sets$sets[[2L]]$parents[1L] <- NA
  computing <- setdiff(names(verbs), c("print", "format", "length"))
  expect_refused(sets, verbs[computing])
})

test_that("answers that were changed print as changed, or are refused", {
  skip_where_quick()
  withr::local_seed(6)
  fit <- titanic_fit()
  gaussian <- compile_network(fit_network("[rating][complaints|rating]", attitude))
  answers <- list(
    search_size(as.data.frame(Titanic)[1:4]), query(gaussian, c("rating", "complaints")),
    approximate_query(fit, "Survived", nsim = 20, seed = 1),
    approximate_query(fit, c("Survived", "Sex"), nsim = 20, seed = 1), summary(fit)
  )
  for (answer in answers) {
    for (changed in damaged(answer, some_of(places_in(answer), 25))) {
      expect_identical(misbehaviour(changed, list(print = print)), character())
    }
  }
})

test_that("an error that has its class already keeps it", {
  expect_error(when_unsound(abort_optbn("data", "no"), list(), NULL), "no",
               class = "optbn_error_data")
  expect_error(when_unsound(stop("no"), list(), NULL), class = "optbn_error_model")
})
