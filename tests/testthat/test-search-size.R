test_that("forecasts count the sets that will be considered", {
  data <- as.data.frame(lapply(1:6, function(i) factor(rep(1:2, 10))), col.names = letters[1:6])
  size <- search_size(data, "k2", max_parents = 3, blacklist = c("a", "b"))
  sets <- parent_sets(data, "k2", max_parents = 3, blacklist = c("a", "b"))
  expect_equal(sum(size$scoring$families), sum(sets$considered))
  expect_equal(size$scoring$counts, choose(6, 1:4))
  expect_equal(size$methods$bytes[size$methods$method == "dp"], 8 * 2^6)
})

test_that("a search that does not fit is said to be impossible", {
  data <- as.data.frame(lapply(1:12, function(i) factor(rep(1:2, 10))), col.names = letters[1:12])
  size <- search_size(data, "k2", max_parents = 2, memory_limit = 1e4)
  expect_false(size$methods$possible[size$methods$method == "dp"])
  expect_snapshot(print(size))
})
