# The two checkers were written apart: they must agree, on true proofs and on false ones.

both_checked <- function(file, sets) {
  parts <- c("proved", "status", "constraints", "bound")
  program <- check_proof(file, sets)
  plain <- check_proof(file, sets, checker = "R")
  expect_equal(plain[parts], program[parts], tolerance = 1e-8)
  plain
}

test_that("the checker in R accepts what the program does", {
  file <- withr::local_tempfile()
  withr::local_seed(1)
  for (i in 1:12) {
    n <- 4L + i
    sets <- random_parent_sets(n, count = 8L, empty = i %% 3L > 0L, others = on_a_circle(n, 2L))
    method <- c("auto", "lagrangian", "branch-and-cut")[1L + i %% 3L]
    learn_dag(sets, method = method, proof = file)
    expect_identical(both_checked(file, sets)$status, "optimal")
  }
  sets <- random_parent_sets(20, count = 40, others = on_a_circle(20, 4))
  learn_dag(sets, method = "lagrangian", time_limit = 0, proof = file)
  expect_identical(both_checked(file, sets)$status, "bounded")
})

test_that("both refuse the same changed proofs, and neither is fooled", {
  file <- withr::local_tempfile()
  withr::local_seed(2)
  sets <- random_parent_sets(9, count = 10L, others = on_a_circle(9, 2L))
  accepted <- 0
  for (method in c("lagrangian", "branch-and-cut")) {
    best <- score_of(learn_dag(sets, method = method, proof = file))
    words <- scan(file, "", quiet = TRUE)
    for (i in 1:60) {
      changed <- words
      at <- sample(length(words), 1L)
      changed <- switch(i %% 4L + 1L, changed[-at], append(changed, changed[at], at),
                        replace(changed, at, sub("[0-9]+", sample(12L, 1L), changed[at])),
                        replace(changed, at, sample(words, 1L)))
      writeLines(changed, file)
      found <- both_checked(file, sets)
      if (found$proved) expect_gte(found$bound, best - 1e-6)
      accepted <- accepted + found$proved
    }
  }
  expect_gt(accepted, 5)
  expect_lt(accepted, 100)
})

test_that("what is too large for the checker in R is refused", {
  sets <- withr::with_seed(1, random_parent_sets(22, count = 30))
  file <- withr::local_tempfile()
  learn_dag(sets, method = "dp", proof = file)
  expect_match(check_proof(file, sets, checker = "R")$reason, "too large for the checker in R")
  expect_identical(check_proof(file, sets)$status, "optimal")
})
