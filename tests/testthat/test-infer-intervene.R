# The truncated factorisation: all rows in which the set nodes have their values, and the product of
# the tables of all other nodes.
truncated <- function(fit, do) {
  rows <- enumerate(fit)$rows
  rows <- rows[Reduce(`&`, Map(function(node, level) rows[[node]] == level, names(do), do),
                      rep(TRUE, nrow(rows))), , drop = FALSE]
  p <- rep(1, nrow(rows))
  for (model in fit$models[setdiff(fit$nodes, names(do))]) {
    cells <- as.matrix(rows[c(model$node, model$parents)])
    p <- p * if (length(model$parents)) model$prob[cells] else model$prob[cells[, 1]]
  }
  list(rows = rows, p = as.vector(p))
}

random_do <- function(fit, most = 2) {
  nodes <- sample(fit$nodes, sample(seq_len(most), 1))
  lapply(fit$levels[nodes], sample, 1)
}

test_that("answers under interventions are those of the truncated factorisation", {
  withr::local_seed(1)
  for (repeats in share_of(1:60)) {
    fit <- random_fit(sample(4:6, 1), zeros = sample(c(0, 0.2), 1), types = repeats %% 2 == 0)
    do <- random_do(fit)
    all <- truncated(fit, do)
    free <- sample(setdiff(fit$nodes, names(do)))
    evidence <- random_evidence(fit, free[seq_len(sample(0:1, 1))])
    asked <- utils::tail(free, 1)
    p <- weigh_rows(all, evidence)
    models <- list(fit, compile_network(fit), intervene(fit, do),
                   intervene(compile_network(fit), do))
    dos <- list(do, do, list(), list())
    if (sum(p) == 0) {
      expect_error(query(fit, asked, evidence, do), class = "optbn_error_impossible")
      next
    }
    for (i in seq_along(models)) {
      expect_equal(query(models[[i]], asked, evidence, dos[[i]]), sum_rows(fit, all, p, asked))
      expect_equal(log_probability(models[[i]], evidence, dos[[i]]), log(sum(p)))
      best <- most_probable(models[[i]], evidence, dos[[i]])
      expect_equal(best$log_probability, log(max(all$p[p > 0 & p == max(p)])))
      expect_identical(lapply(best$state[names(do)], as.character), do)
    }
    expect_equal(exp(log_density(models[[3]], all$rows)), all$p)
    drawn <- simulate(fit, 5, seed = 1, evidence = evidence, do = do)
    expect_true(all(is.finite(log_density(models[[3]], drawn))))
    for (node in names(do)) expect_true(all(drawn[[node]] == do[[node]]))
  }
})

test_that("a back-door path is not followed, and a cause of a cause is not what it was", {
  fit <- fit_network("[Sex][Class|Sex][Survived|Class:Sex]", as.data.frame(Titanic)[1:4],
                     weights = as.data.frame(Titanic)$Freq)
  sex <- query(fit, "Sex")
  for (class in fit$levels$Class) {
    given <- vapply(fit$levels$Sex, function(s) {
      query(fit, "Survived", list(Class = class, Sex = s))[["Yes"]]
    }, 0)
    expect_equal(query(fit, "Survived", do = list(Class = class))[["Yes"]], sum(sex * given))
    expect_equal(query(fit, "Sex", do = list(Class = class)), sex)
  }
  expect_equal(query(fit, "Class", do = list(Survived = "Yes")), query(fit, "Class"))
})

test_that("Gaussian answers are those of the equations without that of the node", {
  withr::local_seed(2)
  for (repeats in share_of(1:30)) {
    fit <- random_gaussian_fit(sample(3:6, 1))
    nodes <- sample(fit$nodes)
    do <- as.list(rlang::set_names(stats::rnorm(1), nodes[1]))
    x <- do[[1]]
    # the others, with the number in place of the node
    others <- fit$nodes[fit$nodes != nodes[1]]
    models <- lapply(fit$models[others], function(model) {
      slope <- model$coefficients[rownames(model$coefficients) == nodes[1], ]
      model$coefficients[1, 1] <- model$coefficients[1, 1] + sum(slope) * x
      keep <- rownames(model$coefficients) != nodes[1]
      model$coefficients <- model$coefficients[keep, , drop = FALSE]
      model$parents <- model$continuous <- setdiff(model$continuous, nodes[1])
      model
    })
    moments <- joint_moments(gaussian_fit(others, models))
    evidence <- rlang::set_names(stats::rnorm(1), nodes[2])[sample(0:1, 1)]
    asked <- setdiff(others, names(evidence))
    expected <- condition_moments(moments, asked, evidence)
    for (model in list(fit, compile_network(fit))) {
      answer <- query(model, asked, as.list(evidence), do)
      expect_equal(answer$mean, expected$mean)
      expect_equal(answer$covariance, expected$covariance)
      expect_identical(answer$do, do)
      expect_equal(log_probability(model, as.list(evidence), do),
                   normal_log_density(moments, evidence))
      best <- most_probable(model, as.list(evidence), do)
      expect_equal(unlist(best$state[asked]), expected$mean)
      expect_identical(best$state[[nodes[1]]], x)
      expect_equal(best$log_density,
                   normal_log_density(moments, unlist(best$state)[others]))
    }
    set <- intervene(fit, do)
    rows <- simulate(set, 4)
    expect_identical(rows[[nodes[1]]], rep(x, 4))
    expected <- unname(apply(rows[others], 1, function(row) normal_log_density(moments, row)))
    expect_equal(log_density(set, rows), expected)
    expect_equal(log_density(compile_network(set), rows[others]), expected)
    rows[[nodes[1]]][2] <- x + 1
    expect_equal(log_density(set, rows), replace(expected, 2, -Inf))
    expect_equal(log_density(compile_network(set), rows), replace(expected, 2, -Inf))
    drawn <- simulate(fit, 2000, seed = 1, evidence = as.list(evidence), do = do)
    exact <- condition_moments(moments, asked, evidence)
    error <- sqrt(diag(exact$covariance) / 2000)
    expect_true(all(abs(colMeans(drawn[asked]) - exact$mean) < 6 * error))
  }
})

test_that("conditional Gaussian networks give densities and draws of what is not set", {
  fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  set <- intervene(fit, list(Petal.Length = 4))
  rows <- iris[c(1, 60, 120), c("Species", "Petal.Length", "Petal.Width")]
  rows$Petal.Length <- 4
  own <- local_log_density(fit$models$Petal.Length, encode_partial(fit, rows, "data"))
  expect_equal(log_density(set, rows), log_density(fit, rows) - own)
  expect_equal(log_density(set, rows[c("Species", "Petal.Width")]), log_density(set, rows))
  gaps <- replace(rows, "Species", list(factor(NA, levels(iris$Species))))
  by_species <- vapply(levels(iris$Species), function(species) {
    exp(log_density(set, replace(rows, "Species", factor(species, levels(iris$Species)))))
  }, numeric(3))
  expect_equal(exp(log_density(set, gaps)), rowSums(by_species))
  expect_equal(unname(predict(set, gaps, "Species", "prob")),
               unname(by_species / rowSums(by_species)))

  answer <- approximate_query(fit, "Petal.Width", nsim = 4000, seed = 1,
                              do = list(Petal.Length = 4))
  mean <- mean(predict(local_model(fit, "Petal.Width"), data.frame(
    Species = levels(iris$Species), Petal.Length = 4
  )))
  expect_equal(summary(answer)$Petal.Width[["mean"]], mean, tolerance = 0.05)
  expect_identical(attr(answer, "do"), list(Petal.Length = 4))
  species <- approximate_query(fit, "Species", nsim = 4000, seed = 1, do = list(Petal.Length = 6))
  expect_equal(as.vector(species), rep(1 / 3, 3), tolerance = 0.1) # an effect, not a cause
  exact <- query(fit, c("Species", "Petal.Width"), do = list(Petal.Length = 4))
  expect_equal(exact$mean[["Petal.Width"]], mean)
  expect_equal(query(compile_network(set)), query(set))
})

test_that("trees and discretised tables stay where they are not set", {
  withr::local_seed(3)
  data <- transform(iris, Large = factor(Sepal.Length > 5.8))
  structure <- "[Species][Large|Species][Petal.Length|Large:Species][Petal.Width|Petal.Length]"
  for (score in c("pcart", "ft")) {
    fit <- fit_network(structure, data, score = score)
    set <- intervene(fit, list(Petal.Length = 3, Large = "TRUE"))
    rows <- simulate(set, 20, seed = 1)
    expect_identical(rows$Petal.Length, rep(3, 20))
    expect_true(all(rows$Large == "TRUE"))
    values <- encode_partial(fit, rows, "data")
    expect_equal(log_density(set, rows),
                 local_log_density(fit$models$Species, values) +
                   local_log_density(fit$models$Petal.Width, values))
    expect_identical(set$models[c("Species", "Petal.Width")],
                     fit$models[c("Species", "Petal.Width")])
    expect_identical(as.vector(predict(set, data[1:3, "Species", drop = FALSE], "Petal.Length")),
                     c(3, 3, 3))
    expect_equal(predict(set, data.frame(Petal.Length = NA, x = 1:2), "Petal.Width"),
                 predict(local_model(fit, "Petal.Width"), data.frame(Petal.Length = c(3, 3))))

    trees <- fit_network("[Species][Large|Species][Small|Large:Species]",
                         transform(data, Small = factor(Petal.Width < 1)), score = score)
    given <- vapply(levels(data$Species), function(species) {
      predict(local_model(trees, "Small"), data.frame(Large = "FALSE", Species = species),
              type = "prob")[1, ]
    }, numeric(2))
    expect_equal(as.vector(query(trees, "Small", do = list(Large = "FALSE"))),
                 unname((given %*% query(trees, "Species"))[, 1]))
  }
})

test_that("a set node is predicted, imputed and converted as what it is set to", {
  fit <- fit_network("[rating][complaints|rating][learning|complaints]", attitude)
  set <- intervene(fit, list(complaints = 60))
  rows <- data.frame(rating = c(70, NA), complaints = NA, learning = c(NA, 50))
  for (model in list(set, compile_network(set))) {
    expect_identical(predict(model, rows, "complaints"), c(60, 60))
    expect_identical(predict(model, rows, "complaints", "distribution"),
                     data.frame(mean = c(60, 60), sd = c(0, 0)))
    expect_identical(predict(model, data.frame(complaints = c(60, 61, NA)), "complaints",
                             "density"), c(1, 0, NA))
    expect_equal(predict(model, rows, "learning")[1],
                 sum(coef(fit)$learning * c(1, 60)))
    filled <- impute(model, rows, progress = FALSE)
    expect_identical(filled$complaints, c(60, 60))
    expect_equal(filled$rating[2], coef(fit)$rating[[1]])
    expect_error(predict(model, data.frame(complaints = 3), "learning"),
                 class = "optbn_error_data")
    expect_error(impute(model, data.frame(complaints = 3), progress = FALSE),
                 class = "optbn_error_data")
    expect_error(entropy(model), class = "optbn_error_data")
  }
  local <- local_model(set, "complaints")
  expect_identical(predict(local, data.frame(x = 1), "distribution"),
                   data.frame(mean = 60, sd = 0))
  expect_identical(local_parameters(local), 0)
  expect_identical(attr(logLik(set), "df"), attr(logLik(fit), "df") - 3)
  expect_equal(as.numeric(logLik(set)), sum(fit$log_likelihood[c("rating", "learning")]))
})

test_that("interventions add up, the last one counts, and none changes nothing", {
  fit <- titanic_fit()
  both <- list(Class = "1st", Sex = "Male")
  expect_identical(intervene(intervene(fit, both["Sex"]), both["Class"]), intervene(fit, both))
  expect_identical(intervene(intervene(fit, list(Sex = "Female")), both["Sex"]),
                   intervene(fit, both["Sex"]))
  expect_identical(intervene(fit, list()), fit)
  compiled <- compile_network(fit)
  expect_identical(intervene(compiled, list()), compiled)
  gaussian <- compile_network(fit_network("[rating][complaints|rating]", attitude))
  expect_identical(intervene(gaussian, list()), gaussian)
  expect_equal(as.vector(query(intervene(fit, both), "Sex")), c(1, 0))
  expect_equal(query(fit, "Survived", do = c(Sex = "Male")),
               query(fit, "Survived", do = data.frame(Sex = factor("Male"))))
  expect_identical(compile_network(intervene(fit, both))$levels, fit$levels)
})

test_that("networks of bnlearn are set in a compiled network, and fits convert", {
  skip_without_peer("bnlearn")
  shelf <- new.env()
  utils::data("learning.test", "gaussian.test", package = "bnlearn", envir = shelf)
  fit <- fit_network("[A][C][F][B|A][D|A:C][E|B:F]", shelf$learning.test)
  theirs <- bnlearn::as.bn.fit(fit)
  expect_equal(query(theirs, "E", list(F = "a"), list(B = "b")),
               query(fit, "E", list(F = "a"), list(B = "b")))
  set <- bnlearn::as.bn.fit(intervene(fit, list(B = "b")))
  mutilated <- bnlearn::mutilated(theirs, list(B = "b"))
  expect_equal(query(set, "E"), query(mutilated, "E"))
  expect_equal(query(set, "A", list(E = "c")), query(mutilated, "A", list(E = "c")))
  expect_equal(query(fit, "A", list(E = "c"), list(B = "b")),
               query(mutilated, "A", list(E = "c")))
  expect_identical(simulate(theirs, 3, do = list(B = "b"))$B, factor(rep("b", 3), c("a", "b", "c")))

  normal <- fit_network("[A][B][E][G][C|A:B][D|B][F|A:D:E:G]", shelf$gaussian.test)
  ours <- bnlearn::as.bn.fit(intervene(normal, list(D = 1.5)))
  their <- bnlearn::mutilated(bnlearn::as.bn.fit(normal), list(D = 1.5))
  expect_identical(ours$D$sd, 0)
  expect_equal(ours$D$coefficients, their$D$coefficients)
  expect_equal(query(bnlearn::as.bn.fit(normal), "F", list(A = 1), list(D = 1.5)),
               query(normal, "F", list(A = 1), list(D = 1.5)))
})

test_that("what is set is shown", {
  fit <- titanic_fit()
  expect_snapshot(intervene(fit, list(Sex = "Male", Class = "Crew")))
  gaussian <- fit_network("[rating][complaints|rating][learning|complaints]", attitude)
  expect_snapshot({
    local_model(intervene(fit, list(Sex = "Male")), "Sex")
    local_model(intervene(gaussian, list(rating = 70)), "rating")
    query(gaussian, c("learning", "rating"), list(complaints = 60), list(rating = 70))
    approximate_query(fit, "Survived", nsim = 100, seed = 1, do = list(Sex = "Female"))
  })
})

test_that("malformed interventions are errors that say what to do", {
  fit <- titanic_fit()
  gaussian <- fit_network("[rating][complaints|rating]", attitude)
  expect_snapshot(error = TRUE, {
    intervene(fit, list(Sx = "Male"))
    intervene(fit, list(Sex = "male"))
    intervene(fit, list(Sex = c("Male", "Female")))
    intervene(fit, "Male")
    intervene(gaussian, list(rating = NA))
    intervene(gaussian, list(rating = Inf))
    intervene(fit)
    intervene("fit", list(Sex = "Male"))
    query(fit, "Survived", list(Sex = "Male"), list(Sex = "Female"))
    query(learn_chow_liu(as.data.frame(Titanic)[1:4]), "Sex", do = list(Age = "Child"))
    query(intervene(fit, list(Sex = "Male")), "Survived", list(Sex = "Female"))
    query(intervene(gaussian, list(rating = 70)), "complaints", list(rating = 60))
    entropy(intervene(gaussian, list(rating = 70)))
    predict(intervene(gaussian, list(rating = 70)), attitude, "complaints")
  })
  for (verb in list(most_probable, log_probability,
                    function(...) simulate(..., nsim = 1),
                    function(...) approximate_query(..., nodes = "Survived"))) {
    expect_error(verb(fit, evidence = list(Sex = "Male"), do = list(Sex = "Male")),
                 class = "optbn_error_argument")
    expect_error(verb(fit, do = list(Sex = "none")), class = "optbn_error_argument")
  }
})

test_that("a network with interventions that was changed is refused, or answers as changed", {
  withr::local_seed(4)
  normal <- fit_network("[rating][complaints|rating][learning|complaints]", attitude)
  discrete <- intervene(titanic_fit(), list(Sex = "Male"))
  normal <- intervene(normal, list(complaints = 60))
  rows <- attitude[1:2, "rating", drop = FALSE]
  verbs <- list(print = print, summary = summary, logLik = logLik, query = query,
                simulate = function(model) simulate(model, 2, seed = 1),
                log_density = function(model) log_density(model, attitude[1:2, ]),
                predict = function(model) predict(model, rows, "learning"))
  for (one in some_of(damaged(normal), 60)) {
    expect_identical(misbehaviour(one, sample(verbs, 2)), character())
  }
  compiled <- compile_network(normal)
  for (one in some_of(damaged(compiled), 60)) {
    expect_identical(misbehaviour(one, sample(verbs[c("print", "query", "predict")], 2)),
                     character())
  }
  for (one in some_of(damaged(discrete), 60)) {
    expect_identical(misbehaviour(one, sample(verbs[c("print", "query", "summary")], 2)),
                     character())
  }
  discrete$do$Sex <- "Female"
  expect_error(query(discrete), "what is set", ignore.case = TRUE, class = "optbn_error_model")
  compiled$do$complaints <- 61
  expect_error(query(compiled), "what is set", ignore.case = TRUE, class = "optbn_error_model")
})
