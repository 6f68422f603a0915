test_that("log_probability() sums over what is not known", {
  set.seed(1)
  for (repeats in share_of(1:40)) {
    fit <- random_fit(5, zeros = sample(c(0, 0.3), 1))
    all <- enumerate(fit)
    evidence <- random_evidence(fit, sample(fit$nodes, sample(0:5, 1)))
    expect_equal(log_probability(fit, evidence), log(sum(weigh_rows(all, evidence))))
  }
})

test_that("an event given another has the difference of two logarithms", {
  set.seed(2)
  for (repeats in 1:20) {
    fit <- random_fit(6, most_levels = 4)
    all <- enumerate(fit)
    split <- sample(fit$nodes, 4)
    sets <- lapply(fit$levels[split], function(levels) sample(levels, sample(length(levels), 1)))
    given <- weigh_rows(all, sets[1:2])
    both <- weigh_rows(all, sets)
    expect_equal(log_probability(fit, sets) - log_probability(fit, sets[1:2]),
                 log(sum(both)) - log(sum(given)))
    expect_equal(sum(query(fit, split[3:4], sets[1:2])[sets[[3]], sets[[4]]]),
                 sum(both) / sum(given))
  }
})

test_that("it is log_density() of a row with gaps", {
  fit <- titanic_fit()
  row <- data.frame(Class = NA, Sex = "Male", Age = NA, Survived = "Yes")
  expect_equal(log_probability(fit, list(Sex = "Male", Survived = "Yes")), log_density(fit, row))
  expect_equal(log_probability(fit), 0)
})

test_that("malformed evidence is refused", {
  compiled <- compile_network(titanic_fit())
  expect_snapshot(error = TRUE, {
    query(compiled, "Age", list(Name = "Anna"))
    query(compiled, "Age", list("Child"))
    query(compiled, "Age", list(Sex = "Male", Sex = "Male"))
    query(compiled, "Age", list(Sex = "male"))
    query(compiled, "Age", list(Class = c("1st", "4th", "5th")))
    query(compiled, "Age", list(Class = 1.5))
    query(compiled, "Age", list(Class = list("1st")))
    query(compiled, "Age", list(Class = character()))
    query(compiled, "Age", list(Sex = c(Male = 0.3)))
    query(compiled, "Age", list(Sex = c(Male = 0.3, Female = -1)))
    query(compiled, "Age", list(Sex = c(Male = 0, Female = 0)))
    query(compiled, "Age", list(Sex = c(Male = 1, Female = NA)))
    query(compiled, "Age", as.data.frame(Titanic)[1:2, 1:2])
    log_probability(iris)
  })
  expect_error(query(compiled, "Age", list(Sex = "male")), class = "optbn_error_argument")
})

test_that("impossible evidence is refused, and what conflicts is named", {
  fit <- titanic_fit("mle")
  impossible <- list(Survived = "Yes", Age = "Child", Class = "Crew")
  sets <- list(Sex = "Male", Age = c(Child = 1, Adult = 0), Class = "Crew")
  certain <- fit_network("[a][b|a]", data.frame(a = factor(c("x", "x"), c("x", "y")),
                                                b = factor(c("u", "v"))), method = "mle")
  expect_snapshot(error = TRUE, {
    query(fit, "Sex", impossible)
    most_probable(fit, sets)
    query(certain, "b", list(a = "y"))
    simulate(compile_network(fit), 3, evidence = impossible)
  })
  condition <- tryCatch(query(fit, "Sex", impossible), error = identity)
  expect_s3_class(condition, "optbn_error_impossible")
  expect_setequal(condition$nodes, c("Age", "Class"))
  expect_identical(log_probability(fit, impossible), -Inf)
})

test_that("names and levels may hold braces and bars", {
  odd <- data.frame(`{a}` = factor(c("x{1}", "y|z", "x{1}")), b = factor(c("u", "v", "v")),
                    check.names = FALSE)
  fit <- fit_network(structure(matrix(c(0, 0, 1, 0), 2), dimnames = rep(list(names(odd)), 2)), odd,
                     method = "mle")
  expect_equal(query(fit, "b", list(`{a}` = "y|z"))[["v"]], 1)
  expect_snapshot(error = TRUE, {
    query(fit, "b", list(`{a}` = "{q}"))
    query(fit, "{a}", list(`{b}` = "u"))
  })
})
