test_that("good values come back in the type wanted", {
  expect_identical(check_number(3L, "x"), 3)
  expect_identical(check_count(3, "x"), 3L)
  expect_identical(check_flag(TRUE, "x"), TRUE)
  choices <- c("one", "two")
  expect_identical(check_choice(choices, choices, "x"), "one")
  expect_identical(check_choice("two", choices, "x"), "two")
})

test_that("others are refused, naming the argument and the value", {
  expect_snapshot(error = TRUE, {
    check_number("3", "x")
    check_number(NA, "x")
    check_number(c(1, 2), "x")
    check_number(0, "x", above = 0)
    check_number(5, "x", minimum = 1, maximum = 4)
    check_number(Inf, "x")
    check_count(-1, "x")
    check_count(2^40, "x")
    check_flag(NA, "x")
    check_choice("three", c("one", "two"), "x")
  })
  expect_error(check_flag(1, "x"), class = "optbn_error_argument")
})

test_that("values are described in a few words", {
  expect_identical(describe(NULL), "NULL")
  expect_identical(describe("a"), "\"a\"")
  expect_identical(describe(iris), "a data frame of 150 x 5")
  expect_identical(describe(list(1, 2)), "an object of class list and length 2")
})

test_that("nodes must be the same, in any order", {
  expect_null(check_same_nodes(c("a", "b"), c("b", "a"), "unused"))
  expect_snapshot(error = TRUE, {
    check_same_nodes(c("a", "b"), c("b", "c"), "{.arg x} must have the nodes of {.arg y}.")
  })
})

test_that("a required argument that is missing is named, by every function", {
  expect_snapshot(error = TRUE, {
    learn_dag(score = "bic")
    local_model()
    query()
    predict(fit_network("[rating][complaints|rating]", attitude), node = "rating")
  })
  for (name in getNamespaceExports("optbn")) {
    fun <- getExportedValue("optbn", name)
    required <- setdiff(names(Filter(rlang::is_missing, formals(fun))), "...")
    if (length(required)) {
      expect_error(fun(), paste(required, collapse = ".*"), class = "optbn_error_argument",
                   info = name)
    }
  }
  passed_on <- function(data) learn_dag(data)
  expect_error(passed_on(), class = "optbn_error_argument")
})

test_that("whatever an argument is, it is described", {
  expect_snapshot(error = TRUE, {
    parent_sets(attitude, "bge", weights = structure(1L, class = "factor"))
    local_model(structure(list(), class = "optbn_fit"), "a")
    parent_sets(attitude, list(A = quote(f(x))))
  })
  fit <- fit_network("[rating][complaints|rating]", attitude)
  for (seed in list(list(A = "x"), "one", 1i, Inf, sum)) {
    expect_error(simulate(fit, 2, seed = seed), class = "optbn_error_argument")
    expect_error(approximate_query(fit, "rating", nsim = 20, seed = seed),
                 class = "optbn_error_argument")
  }
})

test_that("choices that are near are named", {
  expect_identical(closest_choice("BIC", c("bic", "aic")), "bic")
  expect_identical(closest_choice("bic_g", c("bic", "bic-g")), "bic-g")
  expect_identical(closest_choice("lagrangean", search_methods), "lagrangian")
  expect_null(closest_choice("xyz", c("bic", "aic")))
  expect_null(closest_choice(1, c("bic", "aic")))
  expect_identical(closest_choice("BDeu", c("bic", "bde"), c(bdeu = "bde")), "bde")
  expect_snapshot(error = TRUE, {
    as_score("BIC")
    as_score("bdeu")
    as_score("gauss")
    learn_dag(attitude, "bge", method = "lagrangean")
  })
})

test_that("arguments of others get a hint where they go", {
  expect_snapshot(error = TRUE, {
    learn_dag(attitude, "bge", iss = 5)
    learn_dag(attitude, "bge", maxp = 2, debug = TRUE)
    learn_dag(attitude, "bge", max_parent = 2)
    learn_k_best(attitude, 2, "bge", restart = 5)
    learn_treewidth(attitude, 2, "bge", maxp = 5)
  })
})
