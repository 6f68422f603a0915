# Classifiers on 15 tables of the UCI repository: those of learn_classifier() beside bnlearn's naive
# Bayes and TAN, classification trees (rpart) and random forests (ranger: 500 trees), by five-fold
# cross-validation, all on the same folds. Tables for bench/README.md: accuracy, log loss,
# calibration error and seconds of a fold to learn and fit.
#
#   Rscript bench/classifiers.R FOLDER [NAME...]
#
# FOLDER holds uci/ and uci.R. Bayesian networks of tables are learned from columns cut into 5 bins
# of equal frequency, on the training rows; ours by BDeu, all parameters with an imaginary sample
# size of 1. "tan, trees" takes the columns as they are, with the trees of PCART. The search for a
# Markov blanket has 20 seconds.

source(file.path("bench", "common.R"))
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) stop("name the folder", call. = FALSE)
folder <- arguments[1L]
source(file.path(folder, "uci.R"))
names <- c("adult", "audiology", "australian", "breast", "cmc", "hill_valley_with_noise",
           "hill_valley_without_noise", "kr-vs-kp", "letter", "mushroom", "nursery", "page-blocks",
           "tic-tac-toe", "wdbc", "zoo")
if (length(arguments) > 1L) names <- arguments[-1L]
if (quick) names <- "zoo"

# All end with the column of the class.
read_table <- function(name) {
  data <- read_uci(name, file.path(folder, "uci"))
  names(data)[ncol(data)] <- "class"
  data
}

# A model is what predicts: a function of new rows that gives a matrix of probabilities.
on_cut_columns <- function(learn) {
  function(train) {
    if (length(numeric_columns(train)) == 0L) return(learn(train))
    cut <- discretize_data(train, "frequency", bins = 5, columns = numeric_columns(train))
    model <- learn(as.data.frame(cut))
    function(rows) model(as.data.frame(predict(cut, rows)))
  }
}

numeric_columns <- function(data) names(data)[vapply(data, is.numeric, NA)]

ours <- function(structure, ...) {
  function(train) {
    network <- learn_classifier(train, "class", structure, ..., threads = 1, progress = FALSE)
    fit <- fit_network(network, train)
    function(rows) predict(fit, rows, type = "prob")
  }
}

bnlearns <- function(learn) {
  function(train) {
    fit <- bnlearn::bn.fit(learn(train, "class"), train, method = "bayes", iss = 1)
    function(rows) {
      rows$class <- factor(levels(train$class)[1L], levels(train$class)) # is not looked at
      t(attr(predict(fit, rows, prob = TRUE), "prob"))
    }
  }
}

learners <- list(
  "naive Bayes" = on_cut_columns(ours("naive-bayes")),
  "tan" = on_cut_columns(ours("tan")),
  "2-dependence" = on_cut_columns(ours("k-dependence", k = 2)),
  "Markov blanket" = on_cut_columns(ours("markov-blanket", time_limit = 20)),
  "tan, trees" = ours("tan", score = "pcart"),
  "bnlearn naive" = on_cut_columns(bnlearns(bnlearn::naive.bayes)),
  "bnlearn TAN" = on_cut_columns(bnlearns(bnlearn::tree.bayes)),
  "rpart" = function(train) {
    tree <- rpart::rpart(class ~ ., train)
    function(rows) stats::predict(tree, rows, type = "prob")
  },
  "ranger" = function(train) {
    forest <- ranger::ranger(class ~ ., train, probability = TRUE, num.threads = 1)
    function(rows) stats::predict(forest, rows, num.threads = 1)$predictions
  }
)
losses <- c("accuracy", "log_loss", "calibration")

results <- lapply(stats::setNames(names, names), function(name) {
  data <- read_table(name)
  set.seed(1)
  found <- cross_validate(data, learners, k = 5, loss = losses, target = "class",
                          predict = function(model, newdata) model(newdata), progress = FALSE)
  summary(found)
})

cells_of <- function(value, digits) {
  rows <- lapply(names, function(name) {
    own <- results[[name]]
    shown <- vapply(names(learners), value, 0, own)
    stats::setNames(formatC(shown, digits = digits, format = "f"), names(learners))
  })
  data.frame(table = names, do.call(rbind, rows), check.names = FALSE)
}

mean_of <- function(loss) function(learner, own) own$mean[own$learner == learner & own$loss == loss]
print_table("Classifiers: accuracy in five folds", cells_of(mean_of("accuracy"), 3))
print_table("Classifiers: log loss in five folds", cells_of(mean_of("log_loss"), 3),
            "Inf: a row whose class has the predicted probability 0.")
print_table("Classifiers: calibration error in five folds", cells_of(mean_of("calibration"), 3))
print_table("Classifiers: seconds of a fold",
            cells_of(function(learner, own) own$seconds[own$learner == learner][1L], 2))
