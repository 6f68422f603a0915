# Two parts of the problem, {1, 3} and {2}; a chunk's choice is the same number at every node.
chunk <- function(choice, scores, bounds, reason = NULL, seconds = choice) {
  list(choice = rep(choice, 3L), score = sum(scores), bound = sum(bounds),
       proved = all(scores == bounds), reason = reason, insertions = 5,
       members = list(c(1L, 3L), 2L),
       parts = data.frame(nodes = 2:1, method = "local", score = scores, bound = bounds,
                          proved = scores == bounds),
       trace = data.frame(seconds = seconds, score = sum(scores), bound = sum(bounds)))
}
# Nodes 1 and 3 have half of their part's score each.
sets <- list(list(score = c(-4, -3, -4)), list(score = c(-1, -2, -1)), list(score = c(-4, -3, -4)))

test_that("of every part the first of the best choices is taken", {
  chunks <- list(chunk(1L, c(-8, -1), c(-5, -1)), chunk(2L, c(-6, -2), c(-5, -1)),
                 chunk(3L, c(-8, -1), c(-5, -1)))
  joined <- best_parts(chunks, sets)
  expect_identical(joined$choice, c(2L, 1L, 2L))
  expect_identical(joined$score, -7)
  expect_identical(joined$bound, -6)
  expect_false(joined$proved)
  expect_identical(joined$parts$score, c(-6, -1))
  expect_identical(joined$parts$proved, c(FALSE, TRUE))
  expect_identical(joined$insertions, 15)
  expect_identical(joined$trace$score, c(-9, -8, -7))
  expect_null(joined$reason)
})

test_that("parts that are proved apart prove the whole", {
  joined <- best_parts(list(chunk(1L, c(-8, -1), c(-6, -1), reason = "time_limit"),
                            chunk(2L, c(-6, -2), c(-6, -1))), sets)
  expect_true(joined$proved)
  expect_identical(joined$bound, joined$score)
  expect_null(joined$reason)
})

test_that("a chunk alone stays as it is, and one without a network does not matter", {
  none <- structure(list(kind = "time_limit"), class = "core_failure")
  one <- chunk(1L, c(-8, -1), c(-6, -1))
  expect_identical(best_parts(list(one), sets), one)
  expect_identical(best_parts(list(none), sets), none)
  expect_identical(best_parts(list(none, one), sets)$reason, "time_limit")
  expect_identical(best_parts(list(none, none), sets), none)
})
