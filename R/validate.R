# cross_validate(): how well learners do on rows that they have not seen.
#
# A piece of work is one learner on one fold: it learns from the other rows and answers for those of
# the fold. What a piece returns is what the losses (validate-losses.R) are computed from: the log
# density of every row, and the prediction of the target. Rows in which nodes were set from outside
# (data-targets.R) are asked of the network under this intervention.

#' Cross-Validation of Learners
#'
#' @description
#' Estimates how well structures, fits, density models and classifiers predict new rows. Each
#' learner learns from all rows except those of a fold, and the result is evaluated on the rows of
#' the fold; this is repeated for every fold. Several learners get the same folds, so that their
#' differences are paired.
#'
#' @details
#' **A learner** is a function of a data frame. It returns
#' * a network, of this package or of bnlearn, a model string or an adjacency matrix: `fit` then
#'   estimates its parameters (an equivalence class, as from `bnlearn::pc.stable()`, is first
#'   extended to a network, if it has an extension);
#' * a fit, of [fit_network()] or bnlearn's `bn.fit`, or a density model, as of [learn_cutset()];
#' * or any other model, if there is a `target`: `predict` then computes its predictions.
#'
#' **Experiments.** With `targets`, learners are called with an argument `targets` for the training
#' rows: `function(data, targets) learn_dag(data, "bic", targets = targets)`. So are `fit`
#' ([fit_network()] has this argument) and `predict`. Held-out rows are evaluated under the network
#' of their intervention (see [intervene()]): nodes that were set in them are not evaluated, and
#' give no information on their parents. Rows in which the `target` was set do not count in its
#' losses.
#'
#' **The losses** of a fold are the following. Larger values of `"log_likelihood"`, `"accuracy"` and
#' `"auc"` are better, and smaller values of the others. For all columns:
#' * `"log_likelihood"`: the mean log density of a row, for models that have one.
#'
#' For a discrete `target`, given all other columns, with \eqn{p} the predicted probabilities:
#' * `"accuracy"`: the share of rows whose most probable level is the right one;
#' * `"log_loss"`: the mean of \eqn{-\log p} of the right level;
#' * `"brier"`: the mean over the rows of the sum over the levels of \eqn{(p - o)^2}, where \eqn{o}
#'   is 1 for the right level and 0 otherwise;
#' * `"auc"`: the area under the receiver operating characteristic curve; for more than two levels,
#'   the mean over all pairs (Hand & Till 2001);
#' * `"calibration"`: the expected calibration error: the mean distance between predicted
#'   probabilities and frequencies in ten intervals of probability, see [calibration_bins()] (Guo et
#'   al. 2017). In a fold of few rows it is above 0 even for perfectly calibrated predictions.
#'
#' For a continuous `target`: `"rmse"`, the root mean squared error; `"mae"`, the mean absolute
#' error; and `"log_loss"`, the mean of minus the logarithm of the predicted density.
#'
#' **Intervals** allow for training sets that overlap (Nadeau & Bengio 2003): for \eqn{J} values
#' with variance \eqn{s^2} in folds of \eqn{n_2} rows, learned from \eqn{n_1}, the mean has variance
#' \eqn{s^2 (1 / J + n_2 / n_1)}, and Student's t distribution has \eqn{J - 1} degrees of freedom.
#'
#' If a learner fails in a fold, or cannot predict there, its losses are missing, and a warning
#' gives the reason. The folds run one after the other, or in the workers of `future::plan()`, see
#' [several-processes]. Each has its own random stream, the same for all learners.
#'
#' @param data A data frame, in which each row counts once. Character and logical columns become
#'   factors, so that all folds have the same levels.
#' @param learner A function of data (see *Details*), or a list of such functions, preferably named.
#' @param k The number of folds, at least 2, of about equal size.
#' @param loss Names of losses, see *Details*; `NULL` for all that can be computed from the models.
#' @param ... Must be empty: the arguments after it must be named.
#' @param target The name of the column to predict, if any. If it is discrete, each level is about
#'   equally frequent in all folds.
#' @param runs How often to repeat the cross-validation with other folds.
#' @param folds Folds in place of random ones, for example to keep related rows together: the number
#'   of the fold of each row, or a list of such vectors for several runs. `k` and `runs` are then
#'   not used.
#' @param fit A function of a network and data that estimates parameters: [fit_network()], or one
#'   that calls it with other settings.
#' @param predict A function of a model and new rows (without the target), for models of other
#'   packages: it returns a matrix of probabilities with a column per level of the target, named by
#'   the levels; for a continuous target, a vector of numbers. By default `predict(model, newdata,
#'   type = "prob")` is tried, and for a continuous target `predict(model, newdata)`.
#' @param targets The nodes that were set from outside in each row, in one of the forms of
#'   [learn_dag()]. A column of `data` that names them is not a node. The values that were set must
#'   not be missing.
#' @param time_limit Seconds after which the work stops and returns the folds finished so far. An
#'   interrupt (Ctrl-C) does the same. A warning states their number.
#' @param progress Show a progress bar?
#'
#' @return A data frame of class `optbn_cross_validation`, one row for each learner, run, fold and
#'   loss: `learner`, `run`, `fold`, `loss`, `value`, `rows` (in the fold), `seconds` (to learn and
#'   fit; repeated for each loss). It prints as a table of means with 95 % intervals, and, for
#'   several learners, of their differences from the first. `summary()`, `plot()`,
#'   [compare_learners()] and [calibration_bins()] show more. Its attribute `predictions` has for
#'   each learner a data frame with a row per run and row of `data`: `run`, `fold`, `row`,
#'   `log_density`, and the prediction: a probability for each level of a discrete target, or `mean`
#'   and `log_density_of_target` for a continuous one.
#'
#' @section Errors: `optbn_error_argument` for a malformed argument, a loss that no model has, or a
#'   function without the argument `targets` if `targets` are given, and if no learner succeeds in
#'   any fold; `optbn_error_data` for a target with missing values or a level `NA`, and for a node
#'   that was set to an unknown value; `optbn_error_time` if the time limit is reached before the
#'   first fold is finished.
#' @references
#' Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural
#' networks. *Proceedings of the 34th International Conference on Machine Learning*, 1321-1330.
#' \doi{10.48550/arXiv.1706.04599}
#'
#' Hand, D. J. and Till, R. J. (2001). A simple generalisation of the area under the ROC curve for
#' multiple class classification problems. *Machine Learning* 45, 171-186.
#' \doi{10.1023/A:1010920819831}
#'
#' Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281. \doi{10.1023/A:1024068626366}
#' @seealso [learn_classifier()], [compare_scores()].
#' @examples
#' set.seed(1)
#' learners <- list(optimal = function(data) learn_dag(data, "bic-g"),
#'                  empty = function(data) "[rating][complaints][learning][raises]")
#' cross_validate(attitude[c("rating", "complaints", "learning", "raises")], learners, k = 5)
#'
#' flowers <- cross_validate(iris, function(data) learn_classifier(data, "Species"), k = 5,
#'                           target = "Species")
#' flowers
#' @export
cross_validate <- function(data, learner, k = 10, loss = NULL, ..., target = NULL, runs = 1,
                           folds = NULL, fit = fit_network, predict = NULL, targets = NULL,
                           time_limit = Inf, progress = interactive()) {
  require_arguments()
  call <- environment()
  check_no_dots()
  check_data_frame(data, call)
  split <- split_targets(data, targets, call)
  data <- with_factors(split$data)
  check_set_values_known(data, split$targets, call)
  learners <- check_learners(learner, call)
  target <- check_target(target, data, call)
  check_loss(loss, data, target, call)
  check_function(fit, "fit", call)
  if (!is.null(predict)) check_function(predict, "predict", call)
  if (!is.null(targets)) check_take_targets(learners, list(fit = fit, predict = predict), call)
  limits <- check_limits(NULL, time_limit, NULL, progress, call)
  folds <- if (is.null(folds)) {
    draw_folds(data, target, check_count(k, "k", 2, nrow(data), call),
               check_count(runs, "runs", 1, call = call))
  } else {
    check_folds(folds, nrow(data), call)
  }
  pieces <- pieces_of(folds, learners)
  task <- list(data = data, target = target, folds = folds, learners = learners, pieces = pieces,
               streams = random_streams(max(pieces$stream)), fit = fit, predict = predict,
               targets = split$targets)
  if (has_workers()) task <- c(task, needs_of_all(c(learners, list(fit, predict))))
  chunks <- in_chunks(seq_len(nrow(pieces)), validate_pieces, task, limits, call,
                      bar = "Cross-validating")
  found <- unlist(lapply(chunks, `[[`, "found"), recursive = FALSE)
  whole <- whole_folds(found, pieces, length(learners), common_reason(chunks), call)
  new_cross_validation(whole, task, loss, call)
}

# ---- arguments -----------------------------------------------------------------------------------

# Levels that a fold lacks stay levels.
with_factors <- function(data) {
  text <- vapply(data, function(column) is.character(column) || is.logical(column), NA)
  data[text] <- lapply(data[text], as_factor_column)
  data
}

check_function <- function(x, arg, call) {
  if (is.function(x) && (is.primitive(x) || length(formals(x)) > 0L)) return(invisible())
  abort_optbn("argument",
              c("{.arg {arg}} must be a function of an argument.",
                x = if (is.function(x)) "It takes none." else "It is {describe(x)}."),
              call = call)
}

check_learners <- function(learner, call) {
  learners <- if (is.function(learner)) list(learner) else learner
  sound <- is.list(learners) && length(learners) > 0L && all(vapply(learners, is.function, NA))
  if (!sound) {
    abort_optbn("argument",
                c("{.arg learner} must be a function of data, or a list of such functions.",
                  x = "It is {describe(learner)}."), call = call)
  }
  given <- names(learners) %||% rep("", length(learners))
  unnamed <- is.na(given) | given == ""
  given[unnamed] <- if (length(learners) == 1L) "learner" else
    paste("learner", seq_along(learners))[unnamed]
  check_unique_names(given, call)
  set_names(learners, given)
}

check_unique_names <- function(given, call) {
  twice <- unique(given[duplicated(given)])
  if (length(twice) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg learner} must have a name of its own for each learner.",
                x = "{.val {twice}} {?is/are} there more than once."), call = call)
}

check_set_values_known <- function(data, targets, call) {
  unknown <- Filter(function(node) anyNA(data[[node]][targets[[node]]]), names(targets))
  refuse(unknown, call = call,
         c(paste("Column{?s} {.val {columns}} of {.arg data} {?is/are} missing where {?it was/they",
                 "were} set, as {.arg targets} says."),
           i = "A row can be held out only if its setting is known: drop the others."))
}

# With `targets`, a function that does not know of them would take what was set for what was seen.
check_take_targets <- function(learners, others, call) {
  takes <- function(f) {
    is.null(f) || any(c("targets", "...") %in% names(formals(args(f))))
  }
  deaf <- names(Filter(Negate(takes), others))
  if (!all(vapply(learners, takes, NA))) deaf <- c("learner", deaf)
  if (length(deaf) == 0L) return(invisible())
  abort_optbn("argument",
              c("With {.arg targets}, {.arg {deaf}} must take an argument {.arg targets}.",
                i = paste("{.code function(data, targets) learn_dag(data, targets = targets)} is",
                          "such a learner.")),
              call = call)
}

check_target <- function(target, data, call) {
  if (is.null(target)) return(NULL)
  if (!is_string(target) || !target %in% names(data)) {
    abort_optbn("argument",
                c("{.arg target} must be the name of a column of {.arg data}.",
                  x = "It is {describe(target)}."), call = call)
  }
  column <- data[[target]]
  if (column_type(column) == "" || anyNA(column) || anyNA(levels(column))) {
    abort_optbn("data",
                c("Column {.val {target}}, the {.arg target}, must be a factor or numbers.",
                  x = if (anyNA(column)) {
                    "It has missing values."
                  } else if (anyNA(levels(column))) {
                    "It has the level NA: give it a name, or drop it and its rows."
                  } else {
                    "It is {describe(column)}."
                  }), call = call)
  }
  if (is.factor(column) && nlevels(column) < 2L) refuse_one_level(target, call)
  target
}

check_folds <- function(folds, rows, call) {
  runs <- if (is.list(folds)) folds else list(folds)
  sound <- length(runs) > 0L && all(vapply(runs, function(fold) {
    (is.numeric(fold) || is.factor(fold)) && length(fold) == rows && !anyNA(fold) &&
      length(unique(fold)) > 1L
  }, NA))
  if (!sound) {
    abort_optbn("argument",
                c("{.arg folds} must number the fold of each row, and have two folds or more.",
                  x = "It is {describe(folds)}; {.arg data} has {rows} row{?s}."), call = call)
  }
  lapply(unname(runs), function(fold) match(fold, sort(unique(fold))))
}

# For each run the number of its fold for every row: as many rows in each as can be, and of each
# level of a discrete target.
draw_folds <- function(data, target, k, runs) {
  strata <- if (!is.null(target) && is.factor(data[[target]])) data[[target]]
  lapply(seq_len(runs), function(run) {
    shuffled <- sample.int(nrow(data))
    if (!is.null(strata)) shuffled <- shuffled[order(strata[shuffled])]
    numbers <- sample.int(k)
    replace(integer(nrow(data)), shuffled, rep_len(numbers, nrow(data)))
  })
}

# Which learner works on which fold: all learners on one fold before the next, so that what there
# is when time is over is paired.
pieces_of <- function(folds, learners) {
  pieces <- lapply(seq_along(folds), function(run) {
    expand.grid(learner = names(learners), fold = seq_len(max(folds[[run]])), run = run,
                stringsAsFactors = FALSE)
  })
  pieces <- do.call(rbind, pieces)
  pieces$stream <- (seq_len(nrow(pieces)) - 1L) %/% length(learners) + 1L
  pieces
}

needs_of_all <- function(functions) {
  needs <- lapply(Filter(Negate(is.null), functions), needs_of)
  globals <- do.call(c, lapply(needs, `[[`, "globals"))
  list(globals = globals[!duplicated(names(globals))],
       packages = unique(unlist(lapply(needs, `[[`, "packages"))))
}

# ---- the work ------------------------------------------------------------------------------------

validate_pieces <- function(numbers, task, limits, report) {
  found <- list()
  reason <- NULL
  tryCatch(
    for (i in numbers) {
      if (seconds_since(limits) >= limits$time_limit) {
        reason <- "time_limit"
        break
      }
      found <- c(found, list(validate_piece(task, task$pieces[i, ])))
      report(length(found))
    },
    interrupt = function(condition) reason <<- "interrupt"
  )
  list(found = found, reason = reason)
}

validate_piece <- function(task, piece) {
  held_out <- which(task$folds[[piece$run]] == piece$fold)
  train <- task$data[-held_out, , drop = FALSE]
  test <- task$data[held_out, , drop = FALSE]
  set <- targets_of_rows(task$targets, held_out)
  seconds <- NA_real_
  answer <- with_random_state(task$streams[[piece$stream]], tryCatch(
    suppressMessages({
      begun <- proc.time()[["elapsed"]]
      model <- withCallingHandlers(
        learn_fitted(task, piece$learner, train,
                     targets_of_rows(task$targets, seq_len(nrow(task$data))[-held_out])),
        optbn_warning_interrupt = function(condition) rlang::interrupt()
      )
      seconds <- recorded_seconds(proc.time()[["elapsed"]] - begun)
      answer_for_rows(model, test, set, task)
    }, classes = "optbn_message"),
    error = function(e) list(failure = rlang::cnd_message(e))
  ))
  target_set <- if (!is.null(task$target)) set[[task$target]]
  c(answer, list(piece = piece, rows = held_out, trained = nrow(train), seconds = seconds,
                 observed = setdiff(seq_along(held_out), target_set)))
}

# A model from the rows `train`, without a bar of its own beside that of the whole.
learn_fitted <- function(task, learner, train, targets) {
  learn <- task$learners[[learner]]
  further <- with_targets(targets)
  if ("progress" %in% names(formals(learn))) further$progress <- FALSE
  model <- rlang::inject(learn(train, !!!further))
  is_structure <- inherits(model, "bn") && !inherits(model, "bn.fit") || is_string(model) ||
    is.matrix(model)
  if (!is_structure) return(model)
  if (inherits(model, "bn") && any(is_undirected(model$arcs))) model <- bnlearn::cextend(model)
  rlang::inject(task$fit(model, train, !!!with_targets(targets)))
}

# An argument for functions of rows, where there are targets.
with_targets <- function(targets) if (!is.null(targets)) list(targets = targets)

# The log density of each row and the prediction of the target, as far as the model has them. `set`:
# by node, the rows in which it was.
answer_for_rows <- function(model, test, set, task) {
  log_density <- if (has_log_density(model)) ask_by_setting(log_density, model, test, set)
  list(log_density = log_density,
       predicted = if (!is.null(task$target)) predict_target(model, test, set, task))
}

# What `ask(model, rows)` answers, of rows in which nodes were set by the network in which they are.
ask_by_setting <- function(ask, model, test, set) {
  if (!any(lengths(set))) return(ask(model, test))
  if (inherits(model, "bn.fit")) model <- compile_for(model)
  settings <- settings_of_rows(test, set)
  answers <- lapply(settings, function(setting) {
    ask(intervene(model, setting$do), test[setting$rows, , drop = FALSE])
  })
  join_answers(answers, order(unlist(lapply(settings, `[[`, "rows"))))
}

# Vectors, matrices or lists of vectors put together, and then into this order.
join_answers <- function(answers, order) {
  first <- answers[[1L]]
  if (is.matrix(first)) return(do.call(rbind, answers)[order, , drop = FALSE])
  if (!is.list(first)) return(unlist(answers)[order])
  lapply(set_names(names(first)), function(part) {
    unlist(lapply(answers, `[[`, part))[order]
  })
}

has_log_density <- function(model) {
  inherits(model, c("optbn_fit", "optbn_density", "optbn_compiled_network",
                    "optbn_compiled_gaussian", "optbn_compiled_mixed", "bn.fit"))
}

# Of a discrete target a matrix of probabilities, of a continuous one a list of the `mean` and,
# where the model has one, the `log_density` of the target.
predict_target <- function(model, test, set, task) {
  target <- task$target
  truth <- test[[target]]
  others <- test[names(test) != target]
  if (!is.null(task$predict)) {
    given <- rlang::inject(task$predict(model, others, !!!with_targets(set)))
    return(check_prediction(given, truth, nrow(test)))
  }
  if (has_log_density(model)) {
    if (inherits(model, "bn.fit")) model <- compile_for(model)
    predict_rows <- function(model, rows) predict_by_density(model, rows, target)
    return(ask_by_setting(predict_rows, model, test, set))
  }
  if (any(lengths(set))) abort_no_interventions(model)
  foreign <- if (is.factor(truth)) stats::predict(model, others, type = "prob") else
    stats::predict(model, others)
  check_prediction(foreign, truth, nrow(test))
}

abort_no_interventions <- function(model) {
  abort_optbn("argument",
              c("This model does not predict rows in which nodes were set.",
                x = "It is {describe(model)}.",
                i = "Give {.arg predict}, a function of a model, new rows and {.arg targets}."))
}

predict_by_density <- function(model, rows, target) {
  truth <- rows[[target]]
  if (is.factor(truth)) {
    return(check_prediction(stats::predict(model, rows, target, "prob"), truth, nrow(rows)))
  }
  list(mean = stats::predict(model, rows, target, "response"),
       log_density_of_target = log(stats::predict(model, rows, target, "density")))
}

check_prediction <- function(given, truth, rows) {
  if (!is.factor(truth)) {
    if (is.numeric(given) && length(given) == rows) return(list(mean = as.double(given)))
    abort_optbn("argument",
                c("A prediction must be one number for each of {rows} rows.",
                  x = "It is {describe(given)}."))
  }
  prob <- if (is.data.frame(given)) as.matrix(given) else given
  sound <- is.matrix(prob) && is.numeric(prob) && nrow(prob) == rows &&
    all(levels(truth) %in% colnames(prob))
  if (!sound) {
    abort_optbn("argument",
                c(paste("A prediction must be a matrix of probabilities, one row for each of",
                        "{rows} rows, one column for each level of the target, named by it."),
                  x = "It is {describe(given)}.",
                  i = "Give {.arg predict}, a function of a model and new rows."))
  }
  prob[, levels(truth), drop = FALSE]
}

# ---- the result ----------------------------------------------------------------------------------

# All pieces of the folds that every learner has done.
whole_folds <- function(found, pieces, learners, reason, call) {
  stream <- vapply(found, function(piece) piece$piece$stream, 0L)
  done <- which(tabulate(stream, max(pieces$stream)) == learners)
  if (length(done) == 0L) abort_before_first(reason, call, "a fold was finished")
  if (length(done) < max(pieces$stream)) {
    warn_fewer(length(done), max(pieces$stream), reason, call, "Cross-validation", "fold")
  }
  found[stream %in% done]
}

new_cross_validation <- function(found, task, loss, call) {
  truth <- if (!is.null(task$target)) task$data[[task$target]]
  possible <- possible_losses(found, truth)
  warn_failures(found, task$learners, call)
  if (length(possible) == 0L) {
    abort_optbn("argument",
                c("{.arg learner} returns no model that has a log density.",
                  i = "Give a {.arg target}, which other models can predict."), call = call)
  }
  unknown <- setdiff(loss, possible)
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c("No learner has the loss{?es} {.val {unknown}}.",
                  i = "There {?is/are} {.val {possible}}."), call = call)
  }
  rows <- lapply(found, losses_of_piece, loss %||% possible, truth)
  structure(
    do.call(rbind, rows),
    class = c("optbn_cross_validation", "data.frame"),
    target = task$target,
    trained = vapply(found, `[[`, 0L, "trained"),
    predictions = lapply(set_names(names(task$learners)), predictions_of, found, truth),
    truth = truth
  )
}

losses_of_piece <- function(piece, losses, truth) {
  value <- vapply(losses, function(loss) loss_value(loss, piece, truth[piece$rows]), 0)
  data.frame(piece$piece[c("learner", "run", "fold")], loss = losses, value = unname(value),
             rows = length(piece$rows), seconds = piece$seconds, row.names = NULL)
}

# NA of a target that was set, whose prediction nothing is compared with.
predictions_of <- function(learner, found, truth) {
  own <- Filter(function(piece) piece$piece$learner == learner && is.null(piece$failure), found)
  rows <- lapply(own, function(piece) {
    place <- data.frame(run = piece$piece$run, fold = piece$piece$fold, row = piece$rows)
    place$log_density <- piece$log_density
    predicted <- piece$predicted
    if (is.null(predicted)) return(place)
    predicted <- if (is.matrix(predicted)) as.data.frame(predicted) else list2DF(predicted)
    predicted[setdiff(seq_along(piece$rows), piece$observed), ] <- NA
    cbind(place, predicted)
  })
  do.call(rbind, rows)
}

warn_failures <- function(found, learners, call) {
  failed <- Filter(function(piece) !is.null(piece$failure), found)
  if (length(failed) == 0L) return(invisible())
  of <- vapply(failed, function(piece) piece$piece$learner, "")
  told <- vapply(unique(of), function(learner) {
    first <- failed[[match(learner, of)]]
    place <- sprintf("%s failed in %d of %d folds, first with: ", learner, sum(of == learner),
                     length(found) %/% length(learners))
    gsub("([{}])", "\\1\\1", paste0(place, first$failure))
  }, "")
  if (length(failed) == length(found)) {
    abort_optbn("argument", c("No learner could be validated.", set_names(told, "x")),
                call = call)
  }
  cli::cli_warn(c("Some folds have missing values.", set_names(told, "x")),
                class = c("optbn_warning_learner", "optbn_warning"), call = call)
}
