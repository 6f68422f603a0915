# Objects as optbn 0.1.0 saved them are those of today, but for their class.
earlier <- function(x) {
  today <- match(class(x), earlier_classes)
  structure(x, class = names(earlier_classes)[today])
}

test_that("parent sets, k-trees and densities of 0.1.0 are refused, with a remedy that works", {
  skip_without_peer("bnlearn")
  sets <- parent_sets(bnlearn::asia[1:200, 1:4], score = "bic")
  tree <- sample_k_tree(names(bnlearn::asia)[1:3], 1)
  density <- learn_chow_liu(bnlearn::asia[1:200, 1:4])
  expect_snapshot(error = TRUE, {
    learn_dag(earlier(sets))
    learn_treewidth(bnlearn::asia[, 1:3], earlier(tree))
    query(earlier(density), "A")
    print(earlier(density))
    summary(object = earlier(sets))
    plot(earlier(tree))
  })
  old <- earlier(density)
  class(old) <- c("optbn_cutset_network", "optbn_density")
  expect_identical(old, density)
})

test_that("every class that 0.1.0 had a method for is refused by the generics of other packages", {
  for (class in names(earlier_classes)) {
    expect_error(print(structure(list(), class = class)), class = "optbn_error_model")
    expect_error(update(structure(list(), class = class)), class = "optbn_error_model")
  }
})
