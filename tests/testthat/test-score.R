test_that("labels are short for constructors", {
  for (label in names(score_constructors)) {
    expect_identical(as_score(label), score_constructors[[label]]())
    expect_identical(as_score(label)$label, label)
  }
  expect_identical(as_score(score_bde(5))$iss, 5)
})

test_that("defaults that depend on the data are filled in", {
  data <- data.frame(a = factor(c(1, 2, 1)), b = factor(c(1, 2, 2)))
  discrete <- suppressMessages(encode_data(data))
  expect_identical(complete_score(score_bic(), discrete)$k, log(3) / 2)
  expect_identical(complete_score(score_aic(), discrete)$k, 1)
  expect_identical(complete_score(score_bic(3), discrete)$k, 3)
  continuous <- encode_data(data.frame(a = c(1, 2, 6), b = c(0, 0, 1)), weights = c(1, 1, 2))
  bge <- complete_score(score_bge(), continuous)
  expect_identical(bge$iss_w, 4)
  expect_equal(bge$nu, c(3.75, 0.5))
})

test_that("scores print their hyper-parameters", {
  expect_identical(format(score_k2()), "k2")
  expect_identical(format(score_bde(10)), "bde (iss = 10)")
  expect_output(print(score_bic(2)), "<score> bic (k = 2)", fixed = TRUE)
})

test_that("hyper-parameters out of range are refused", {
  refuse <- function(x) expect_snapshot(x, error = TRUE)
  refuse(score_bde(0))
  refuse(score_bde(-1))
  refuse(score_bde("1"))
  refuse(score_bic(-2))
  refuse(score_bge(iss_mu = 0))
  refuse(score_bge(nu = c(1, NA)))
  refuse(as_score("nonsense"))
  continuous <- encode_data(data.frame(a = c(1, 2, 6), b = c(0, 0, 1)))
  refuse(complete_score(score_bge(iss_w = 3), continuous))
  refuse(complete_score(score_bge(nu = 1), continuous))
  refuse(score_ebic(gamma = 2))
  refuse(score_bdla(0))
  refuse(score_mbde(1, list(3)))
  refuse(score_mbde(1, list(a = c(1, 1))))
  discrete <- encode_data(data.frame(a = factor(c(1, 2, 1)), b = factor(c(1, 2, 2))))
  refuse(complete_score(score_mbde(1, list(a = 4)), discrete))
  refuse(complete_score(score_mbde(1, list(z = 1)), discrete))
})

test_that("score and data at odds are refused, with a remedy", {
  mixed <- suppressMessages(encode_data(data.frame(a = factor(c(1, 2, 1)), b = c(1, 2, 4))))
  expect_snapshot(complete_score(score_bde(), mixed), error = TRUE)
  expect_snapshot(complete_score(score_bge(), mixed), error = TRUE)
  expect_error(complete_score(score_bic(), mixed), class = "optbn_error_score")
  expect_silent(complete_score(score_bic_cg(), mixed))
})
