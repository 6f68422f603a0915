titanic <- as.data.frame(Titanic)
people <- titanic[rep(seq_len(32), round(titanic$Freq / 10)), 1:4]

test_that("values are those of learning from the other folds, one by one", {
  folds <- rep(1:3, length.out = nrow(people))
  learners <- list(best = function(data) learn_dag(data, "bic"),
                   naive = function(data) learn_classifier(data, "Survived", "naive-bayes"))
  found <- cross_validate(people, learners, target = "Survived", folds = folds)
  expect_s3_class(found, c("optbn_cross_validation", "data.frame"), exact = TRUE)
  for (learner in names(learners)) for (fold in 1:3) {
    train <- people[folds != fold, ]
    test <- people[folds == fold, ]
    fit <- fit_network(learners[[learner]](train), train)
    value <- function(loss) {
      found$value[found$learner == learner & found$fold == fold & found$loss == loss]
    }
    expect_equal(value("log_likelihood"), mean(log_density(fit, test)))
    prob <- predict(fit, test, "Survived", "prob")
    expect_equal(value("brier"), class_loss("brier", prob, test$Survived))
    expect_equal(value("auc"), class_loss("auc", prob, test$Survived))
  }
  predictions <- attr(found, "predictions")$best
  expect_setequal(predictions$row, seq_len(nrow(people)))
  expect_identical(predictions$fold, as.integer(folds[predictions$row]))
  expect_equal(predictions$Yes + predictions$No, rep(1, nrow(people)))
})

test_that("folds are as large as can be, and have each level of the target", {
  withr::local_seed(1)
  runs <- draw_folds(people, "Survived", 4, 3)
  expect_length(runs, 3)
  expect_false(identical(runs[[1]], runs[[2]]))
  for (folds in runs) {
    expect_lte(diff(range(table(folds))), 1)
    by_level <- table(folds, people$Survived)
    expect_true(all(apply(by_level, 2, function(n) diff(range(n))) <= 1))
  }
  expect_identical(sort(unique(draw_folds(people, NULL, 219, 1)[[1]])), 1:219)
})

test_that("set.seed() governs all that is random, and only that", {
  run <- function(learner = learn_dag) {
    set.seed(5)
    found <- cross_validate(people, learner, k = 3)
    found$seconds <- NULL
    list(as.data.frame(found), runif(1))
  }
  expect_identical(run(), run())
  drawn <- function(data) {
    stats::rnorm(3)
    learn_dag(data)
  }
  expect_identical(run(drawn), run())
})

test_that("learners may return structures, classes, fits, densities and models of others", {
  skip_without_peer("bnlearn")
  learners <- list(
    string = function(data) "[Class][Sex|Class][Age|Class][Survived|Sex]",
    matrix = function(data) as.matrix(learn_dag(data)),
    class = function(data) bnlearn::cpdag(bnlearn::hc(data)),
    fit = function(data) fit_network(learn_dag(data), data),
    bn.fit = function(data) bnlearn::bn.fit(bnlearn::hc(data), data, method = "bayes"),
    cutset = function(data) learn_cutset(data),
    other = function(data) stats::glm(Survived ~ ., stats::binomial, data)
  )
  predict_any <- function(model, newdata) {
    if (!inherits(model, "glm")) return(predict(model, newdata, "Survived", "prob"))
    yes <- stats::predict(model, newdata, type = "response")
    cbind(No = 1 - yes, Yes = yes)
  }
  withr::local_seed(1)
  ours <- cross_validate(people, learners[1:6], k = 2, target = "Survived")
  expect_false(anyNA(ours$value))
  other <- cross_validate(people, learners["other"], k = 2, target = "Survived",
                          predict = predict_any)
  expect_setequal(other$loss, c("accuracy", "log_loss", "brier", "auc", "calibration"))
  expect_false(anyNA(other$value))
  both <- cross_validate(people, learners[6:7], k = 2, target = "Survived", predict = predict_any)
  expect_identical(unique(both$learner[is.na(both$value)]), "other")
  expect_identical(unique(both$loss[is.na(both$value)]), "log_likelihood")
})

test_that("a compiled network is judged like the fit from which it comes", {
  fit <- function(data) fit_network("[Species][Petal.Width|Species]", data)
  learners <- list(fit = fit, compiled = function(data) compile_network(fit(data)))
  withr::local_seed(1)
  found <- cross_validate(iris[c("Species", "Petal.Width")], learners, k = 2)
  expect_false(anyNA(found$value))
  expect_equal(found$value[found$learner == "compiled"], found$value[found$learner == "fit"])
})

test_that("a continuous target has errors and a log loss", {
  withr::local_seed(1)
  learners <- list(network = function(data) learn_dag(data, "bic-g"),
                   lm = function(data) stats::lm(rating ~ ., data))
  found <- cross_validate(attitude, learners, k = 3, target = "rating")
  expect_setequal(found$loss, c("log_likelihood", "log_loss", "rmse", "mae"))
  fold <- attr(found, "predictions")$lm
  first <- fold[fold$fold == 1, ]
  expect_equal(found$value[found$learner == "lm" & found$fold == 1 & found$loss == "rmse"],
               sqrt(mean((first$mean - attitude$rating[first$row])^2)))
  own <- attr(found, "predictions")$network
  conditional <- predict(fit_network(learn_dag(attitude[-own$row[own$fold == 1], ], "bic-g"),
                                     attitude[-own$row[own$fold == 1], ]),
                         attitude[own$row[own$fold == 1], ], "rating", "density")
  expect_equal(own$log_density_of_target[own$fold == 1], log(conditional))
})

test_that("other settings of the fit, text columns and tibbles are taken", {
  half <- function(network, data) fit_network(network, data, iss = 100)
  data <- people
  data$Survived <- as.character(data$Survived)
  data$Age <- data$Age == "Child"
  folds <- rep(1:2, length.out = nrow(data))
  one <- cross_validate(data, learn_dag, folds = folds, fit = half)
  plain <- cross_validate(people, learn_dag, folds = folds, fit = half)
  expect_equal(one$value, plain$value)
  skip_without_peer("dplyr")
  expect_equal(cross_validate(dplyr::as_tibble(data), learn_dag, folds = folds, fit = half)$value,
               one$value)
})

test_that("a learner that fails has missing values, and the others go on", {
  calls <- 0
  shaky <- function(data) {
    calls <<- calls + 1
    if (calls == 2) stop("no luck {today}")
    learn_dag(data)
  }
  withr::local_seed(1)
  expect_snapshot(found <- cross_validate(people, list(good = learn_dag, shaky = shaky), k = 3))
  expect_identical(is.na(found$value), c(FALSE, FALSE, FALSE, TRUE, FALSE, FALSE))
  expect_snapshot(error = TRUE, cross_validate(people, function(data) stop("never"), k = 2))
})

# The log density of rows by the local models of a fit, without the nodes that were set.
density_of_rest <- function(fit, rows, set) {
  by_node <- vapply(fit$nodes, function(node) {
    values <- lapply(rlang::set_names(fit$nodes), function(node) {
      if (is.factor(rows[[node]])) as.integer(rows[[node]]) - 1L else rows[[node]]
    })
    replace(local_log_density(fit$models[[node]], values), set[[node]], 0)
  }, numeric(nrow(rows)))
  rowSums(by_node)
}

with_targets_learner <- function(data, targets) learn_dag(data, targets = targets)

test_that("nodes that were set in a row are not scored, and say nothing of their parents", {
  for (columns in list(c(4, 0), c(2, 2), c(0, 4))) {
    made <- set_frame(60, columns[1], columns[2])
    folds <- rep(1:3, 20)
    found <- cross_validate(made$data, with_targets_learner, target = "v2", folds = folds,
                            targets = made$set)
    predictions <- attr(found, "predictions")$learner
    for (fold in 1:3) {
      inside <- function(rows) lapply(made$set, function(set) which(rows %in% set))
      train <- which(folds != fold)
      test <- which(folds == fold)
      learned <- suppressMessages(learn_dag(made$data[train, ], targets = inside(train)))
      fit <- fit_network(learned, made$data[train, ], targets = inside(train))
      own <- predictions[predictions$fold == fold, ]
      expect_equal(own$log_density, density_of_rest(fit, made$data[test, ], inside(test)))
      expect_equal(found$value[found$fold == fold & found$loss == "log_likelihood"],
                   mean(own$log_density))
      # v2 given the others, of which v1 and v3 tell as parents alone where they were set
      if (columns[1] > 0) {
        levels <- levels(made$data$v2)
        joint <- vapply(levels, function(level) {
          rows <- made$data[test, ]
          rows$v2[] <- level
          density_of_rest(fit, rows, inside(test))
        }, numeric(length(test)))
        expect_equal(as.matrix(own[levels]), exp(joint) / rowSums(exp(joint)), ignore_attr = TRUE)
      } else {
        for (i in 1:20) {
          row <- as.list(made$data[test[i], -2])
          set <- names(Filter(function(rows) test[i] %in% rows, made$set))
          answer <- query(fit, "v2", row[setdiff(names(row), set)], do = row[set])
          expect_equal(own$mean[i], unname(answer$mean))
        }
      }
    }
  }
})

test_that("where the target was set it does not count", {
  made <- set_frame(80, 4)
  folds <- rep(1:4, 20)
  found <- cross_validate(made$data, with_targets_learner, target = "v1", folds = folds,
                          targets = made$set)
  predictions <- attr(found, "predictions")$learner
  set <- predictions$row %in% made$set$v1
  expect_identical(is.na(predictions[[levels(made$data$v1)[1]]]), set)
  counted <- predictions[!set & predictions$fold == 1, ]
  expect_equal(found$value[found$fold == 1 & found$loss == "accuracy"],
               mean(levels(made$data$v1)[first_largest(as.matrix(counted[levels(made$data$v1)]))] ==
                      made$data$v1[counted$row]))
  expect_equal(sum(calibration_bins(found)$rows), sum(!set))
  always <- list(v1 = which(folds == 1), v2 = which(folds == 2))
  never <- cross_validate(made$data, with_targets_learner, target = "v1", folds = folds,
                          targets = always)
  expect_identical(is.na(never$value), never$fold == 1 & never$loss != "log_likelihood")
})

test_that("targets come in all their forms, and go to fits and predictions", {
  made <- set_frame(60, 3)
  folds <- rep(1:2, 30)
  entries <- lapply(1:60, function(i) names(Filter(function(rows) i %in% rows, made$set)))
  named <- made$data
  named$set <- entries
  values <- function(..., data = made$data) cross_validate(data, folds = folds, ...)$value
  expected <- values(with_targets_learner, targets = made$set)
  expect_identical(values(with_targets_learner, targets = entries), expected)
  expect_identical(values(with_targets_learner, targets = "set", data = named), expected)
  expect_identical(values(learn_dag, targets = made$set, fit = function(network, data, ...) {
    fit_network(network, data, ...)
  }), expected)
  skip_without_peer("bnlearn")
  expect_equal(values(function(data, targets) {
    network <- learn_dag(data, targets = targets)
    bnlearn::as.bn.fit(fit_network(network, data, targets = targets))
  }, targets = made$set), expected)
  told <- NULL
  values(function(data, targets) structure(list(), class = "unknown"), targets = made$set,
         target = "v1", predict = function(model, rows, targets) {
           told <<- c(told, list(targets))
           levels <- levels(made$data$v1)
           matrix(1, nrow(rows), length(levels), dimnames = list(NULL, levels))
         })
  expect_identical(told[[1]], lapply(made$set, function(set) which(which(folds == 1) %in% set)))
})

test_that("what does not take targets is refused", {
  made <- set_frame(60, 3)
  refuse <- function(...) {
    expect_snapshot(error = TRUE, cross_validate(made$data, ..., targets = made$set, k = 2))
  }
  withr::local_seed(1)
  refuse(function(data) learn_dag(data))
  refuse(with_targets_learner, fit = function(network, data) fit_network(network, data))
  refuse(with_targets_learner, target = "v1", predict = function(model, rows) NULL)
  refuse(function(data, targets) learn_cutset(data))
  refuse(function(data, targets) stats::lm(1:30 ~ 1), target = "v2")
  made$data$v1[made$set$v1[1]] <- NA
  refuse(learn_dag)
})

test_that("it is the same in the workers of a plan", {
  skip_without_peer("future")
  workers <- start_workers()
  most <- 2
  learners <- list(own = learn_dag,
                   user = function(data) optbn::learn_dag(data, max_parents = most))
  untimed <- function(found) {
    found$seconds <- NULL
    found
  }
  expect_same_when_spread(function() cross_validate(people, learners, k = 3, target = "Survived"),
                          future::cluster, workers = workers, untimed = untimed)
})

test_that("a time limit leaves whole folds, or is an error", {
  skip_where_quick()
  calls <- 0
  slow <- function(data) {
    calls <<- calls + 1
    if (calls > 3) Sys.sleep(2.1)
    "[Class][Sex][Age][Survived]"
  }
  expect_snapshot(found <- cross_validate(people, list(a = slow, b = slow), k = 5, time_limit = 2))
  expect_identical(nrow(found), 4L)
  expect_snapshot(error = TRUE, cross_validate(people, slow, time_limit = 0))
})

test_that("an interrupt keeps the folds that are finished", {
  result <- interrupt_at_work(c(
    "set.seed(1)",
    "data <- as.data.frame(lapply(1:14, function(i) factor(sample(3, 2000, TRUE))))",
    "names(data) <- letters[1:14]",
    "warned <- NULL",
    "found <- withCallingHandlers(",
    "  cross_validate(data, function(d) learn_dag(d, max_parents = 3), runs = 100),",
    "  optbn_warning_interrupt = function(w) {",
    "    warned <<- conditionMessage(w)",
    "    invokeRestart('muffleWarning')",
    "  })",
    "result <- list(count = nrow(found), warned = warned)"
  ))
  expect_gt(result$count, 0)
  expect_match(result$warned, paste("after", result$count, "of 1000"))
})

test_that("bad input is refused", {
  expect_snapshot(error = TRUE, {
    cross_validate(people)
    cross_validate(as.matrix(people), learn_dag)
    cross_validate(people, "learn_dag")
    cross_validate(people, list(a = learn_dag, a = learn_dag))
    cross_validate(people, learn_dag, k = 1)
    cross_validate(people, learn_dag, k = 1e4)
    cross_validate(people, learn_dag, loss = "auc")
    cross_validate(people, learn_dag, loss = "aucc", target = "Survived")
    cross_validate(people, learn_dag, target = "survived")
    cross_validate(replace(people, 1, NA), learn_dag, target = "Class")
    cross_validate(replace(people, 1, addNA(people$Class)), learn_dag, target = "Class")
    cross_validate(people, learn_dag, folds = 1:3)
    cross_validate(people, learn_dag, folds = rep(1, nrow(people)))
    cross_validate(people, learn_dag, fit = "mle")
    cross_validate(people, learn_dag, runs = 0)
    cross_validate(people, function(data) "no model" == 1, k = 2)
    cross_validate(people, learn_dag, 5, NULL, "Survived")
  })
})
