prob_of <- function(rows, levels) {
  prob <- matrix(stats::rexp(rows * levels), rows, levels, dimnames = list(NULL, letters[1:levels]))
  prob / rowSums(prob)
}

test_that("losses are what their definitions say", {
  withr::local_seed(1)
  for (levels in 2:4) {
    prob <- prob_of(50, levels)
    truth <- factor(sample(letters[1:levels], 50, TRUE), letters[1:levels])
    right <- vapply(1:50, function(i) prob[i, as.character(truth[i])], 0)
    expect_equal(class_loss("log_loss", prob, truth), -mean(log(right)))
    best <- vapply(1:50, function(i) colnames(prob)[which.max(prob[i, ])], "")
    expect_equal(class_loss("accuracy", prob, truth), mean(best == truth))
    brier <- mean(vapply(1:50, function(i) sum((prob[i, ] - (colnames(prob) == truth[i]))^2), 0))
    expect_equal(class_loss("brier", prob, truth), brier)
    # pairs of rows, one by one
    area <- function(high, low) {
      p <- prob[, high]
      wins <- outer(p[truth == high], p[truth == low], function(x, y) (x > y) + (x == y) / 2)
      mean(wins)
    }
    pairs <- utils::combn(letters[1:levels], 2)
    areas <- apply(pairs, 2, function(pair) (area(pair[1], pair[2]) + area(pair[2], pair[1])) / 2)
    expect_equal(class_loss("auc", prob, truth), mean(areas))
  }
})

test_that("ties count half in the area under the curve", {
  truth <- factor(c("a", "a", "b", "b"))
  same <- matrix(0.5, 4, 2, dimnames = list(NULL, c("a", "b")))
  expect_equal(class_loss("auc", same, truth), 0.5)
  expect_true(is.na(class_loss("auc", same[1:2, ], truth[1:2])))
})

test_that("calibration compares groups of predictions with frequencies", {
  prob <- rep(c(0.2, 0.8), each = 10)
  truth <- factor(c(rep(c("y", "n"), c(4, 6)), rep(c("y", "n"), c(7, 3))), c("n", "y"))
  table <- cbind(n = 1 - prob, y = prob)
  expect_equal(class_loss("calibration", table, truth), (0.2 + 0.1) / 2)
  groups <- calibration_groups(predictions_and_events(table, truth))
  expect_equal(groups$predicted, c(0.2, 0.8))
  expect_equal(groups$observed, c(0.4, 0.7))
  expect_identical(groups$rows, c(10L, 10L))
  test <- stats::prop.test(4, 10, correct = FALSE)$conf.int
  expect_equal(c(groups$lower[1], groups$upper[1]), as.vector(test))
  ends <- calibration_groups(list(prob = c(0, 0.5, 1, 1), event = c(0, 1, 1, 0)), 2)
  expect_identical(ends$rows, c(1L, 3L))
  # of several levels that of the most probable one counts
  prob <- rbind(c(0.7, 0.2, 0.1), c(0.1, 0.2, 0.7))
  colnames(prob) <- c("a", "b", "c")
  known <- predictions_and_events(prob, factor(c("a", "b"), c("a", "b", "c")))
  expect_identical(known, list(prob = c(0.7, 0.7), event = c(TRUE, FALSE)))
  expect_equal(class_loss("calibration", prob, factor(c("a", "b"), c("a", "b", "c"))), 0.2)
})

test_that("errors of numbers are root mean squares and means", {
  piece <- list(predicted = list(mean = c(1, 2, 4)), observed = 1:3)
  expect_equal(loss_value("rmse", piece, c(1, 3, 2)), sqrt(5 / 3))
  expect_equal(loss_value("mae", piece, c(1, 3, 2)), 1)
  expect_identical(loss_value("log_loss", piece, c(1, 3, 2)), NA_real_)
})
