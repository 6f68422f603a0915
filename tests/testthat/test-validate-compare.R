titanic <- as.data.frame(Titanic)
people <- titanic[rep(seq_len(32), titanic$Freq), 1:4]

validated <- function(...) {
  withr::local_seed(1)
  learners <- list(best = function(data) learn_dag(data, "bic"),
                   naive = function(data) learn_classifier(data, "Survived", "naive-bayes"),
                   empty = function(data) "[Class][Sex][Age][Survived]")
  cross_validate(people, learners, k = 4, target = "Survived", ...)
}

test_that("means have the intervals of Nadeau and Bengio", {
  found <- validated()
  values <- found$value[found$learner == "best" & found$loss == "brier"]
  row <- subset(summary(found, level = 0.9), learner == "best" & loss == "brier")
  expect_equal(row$mean, mean(values))
  error <- sqrt(stats::var(values) * (1 / 4 + 1 / 3))
  expect_equal(row$upper - row$mean, stats::qt(0.95, 3) * error, tolerance = 0.01)
  expect_identical(row$folds, 4L)
  expect_identical(nrow(summary(found)), 18L)
})

test_that("differences are paired, and say which learner is better", {
  found <- validated(runs = 2)
  table <- compare_learners(found, "empty")
  expect_setequal(table$learner, c("best", "naive"))
  value <- function(learner) found$value[found$learner == learner & found$loss == "log_loss"]
  row <- table[table$learner == "best" & table$loss == "log_loss", ]
  expect_equal(row$difference, mean(value("best") - value("empty")))
  expect_identical(row$better, "best")
  expect_lt(row$upper, 0)
  gain <- table[table$learner == "best" & table$loss == "log_likelihood", ]
  expect_gt(gain$lower, 0)
  expect_identical(gain$better, "best")
  turned <- compare_learners(found, "best")
  expect_equal(turned$difference[turned$learner == "empty"],
               -table$difference[table$learner == "best"])
})

test_that("folds without a value are left out of pairs, and infinite ones have no interval", {
  interval <- mean_interval(c(1, NA, 3), 0.5, 0.95)
  expect_identical(interval$folds, 2L)
  expect_equal(interval$mean, 2)
  expect_identical(mean_interval(c(-Inf, 1), 0.5, 0.95)$lower, NA_real_)
  expect_identical(mean_interval(NA_real_, 0.5, 0.95)$mean, NA_real_)
  expect_identical(mean_interval(3, 0.5, 0.95)[c("mean", "lower")],
                   list(mean = 3, lower = NA_real_))
})

test_that("calibration has all predictions in groups", {
  found <- validated()
  groups <- calibration_bins(found, 5)
  expect_identical(unique(groups$learner), c("best", "naive", "empty"))
  expect_true(all(tapply(groups$rows, groups$learner, sum) == nrow(people)))
  expect_true(all(groups$lower <= groups$observed & groups$observed <= groups$upper))
})

test_that("it prints as a table and is drawn", {
  local_reproducible_output(unicode = TRUE)
  found <- validated(loss = c("accuracy", "brier"))
  found$seconds <- 0.1
  expect_snapshot(found)
  one <- cross_validate(people, list(a = learn_chow_liu),
                        folds = rep(1:2, length.out = nrow(people)))
  one$seconds <- 0.1
  expect_snapshot(one)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (what in c("losses", "differences", "calibration")) {
    expect_identical(expect_invisible(plot(found, what)), found)
  }
  plot(one)
  picture <- validation_picture(found, "differences")
  expect_identical(picture$learners, c("empty", "naive"))
  expect_identical(nrow(picture$points), 16L)
  expect_identical(nrow(picture$intervals), 4L)
  skip_without_peer("ggplot2")
  for (what in c("losses", "differences", "calibration")) {
    draw_ggplot(ggplot2::autoplot(found, what))
  }
})

test_that("bad input is refused", {
  found <- validated()
  expect_snapshot(error = TRUE, {
    summary(found, level = 1)
    compare_learners(people)
    compare_learners(found, "worst")
    compare_learners(found, 4)
    calibration_bins(found, 0)
    plot(found, "everything")
    compare_learners(found[found$learner == "best", ])
    calibration_bins(cross_validate(people, learn_dag, k = 2))
  })
})
