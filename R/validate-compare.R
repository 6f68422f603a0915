# What a cross-validation says: means with intervals, paired differences of learners, calibration.

#' Summaries of a Cross-Validation
#'
#' Computes and draws mean losses of learners and their differences, with intervals, and the
#' calibration of predicted probabilities.
#'
#' @param x,object A result of [cross_validate()].
#' @param level The confidence of the intervals, between 0 and 1.
#' @param reference The learner with which the others are compared: its name or number.
#' @param bins The number of intervals of equal length for predicted probabilities.
#' @param what `"losses"`: the values of the folds with their means and intervals; `"differences"`:
#'   those of `compare_learners()`; `"calibration"`: those of `calibration_bins()`. The default is
#'   the differences for several learners, and the losses for one.
#' @param main The title; `""` for none.
#' @param ... Ignored.
#'
#' @details
#' `summary()` and `compare_learners()` return the intervals of [cross_validate()], which allow for
#' overlapping training sets. Folds without a value are left out; for a difference, both learners
#' must have a value. With fewer than two values, or an infinite one, there is no interval.
#'
#' `calibration_bins()` compares the predictions for all rows with the outcomes. For a target with
#' two levels, it compares the probability of the second one with its frequency. For more levels, it
#' compares the probability of the most probable level with the frequency of correct predictions.
#'
#' @return
#' * `summary()`: a data frame with a row for each learner and loss: `learner`, `loss`, `mean`,
#'   `lower`, `upper`, `folds` (that have a value), `seconds` (mean time of a fold to learn and
#'   fit).
#' * `compare_learners()`: a data frame with a row for each other learner and each loss: `learner`,
#'   `reference`, `loss`, `difference` (of the learner from the reference), `lower`, `upper`,
#'   `folds`, and `better`: the name of the better one, if 0 is not within the interval, otherwise
#'   `NA`.
#' * `calibration_bins()`: a data frame with a row for each learner and group: `learner`,
#'   `predicted` (the mean probability), `observed` (the frequency), `lower`, `upper` (Wilson's
#'   interval of the frequency, which takes rows to be independent), `rows`; empty groups are left
#'   out.
#' * `plot()` and `print()`: `x`, invisibly; `autoplot()`: a ggplot object.
#'
#' @section Errors: `optbn_error_argument` for a malformed argument; for `calibration_bins()` if the
#'   target is not discrete, and for `compare_learners()` if there is only one learner.
#' @references
#' Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
#' *Journal of the American Statistical Association* 22, 209-212. \doi{10.2307/2276774}
#' @seealso [cross_validate()].
#' @examples
#' set.seed(1)
#' learners <- list(tan = function(data) learn_classifier(data, "Species"),
#'                  naive = function(data) learn_classifier(data, "Species", "naive-bayes"))
#' flowers <- cross_validate(iris, learners, k = 5, target = "Species")
#' summary(flowers)
#' compare_learners(flowers, "naive")
#' calibration_bins(flowers, 5)
#' plot(flowers)
#' @export
compare_learners <- function(x, reference = 1, level = 0.95) {
  require_arguments()
  check_cross_validation(x)
  level <- check_number(level, "level", above = 0, below = 1)
  learners <- unique(x$learner)
  reference <- check_reference(reference, learners)
  others <- setdiff(learners, reference)
  if (length(others) == 0L) {
    abort_optbn("argument", c("{.arg x} has one learner only, {.val {learners}}.",
                              i = "Give {.fn cross_validate} a list of several."))
  }
  cases <- expand.grid(learner = others, loss = unique(x$loss), stringsAsFactors = FALSE)
  rows <- Map(function(learner, loss) {
    values <- values_of(x, learner, loss) - values_of(x, reference, loss)
    interval <- mean_interval(values, share_held_out(x), level)
    data.frame(learner = learner, reference = reference, loss = loss,
               difference = interval$mean, lower = interval$lower, upper = interval$upper,
               folds = interval$folds,
               better = better_one(interval, learner, reference, validation_losses[[loss]]$less))
  }, cases$learner, cases$loss)
  out <- do.call(rbind, rows)
  row.names(out) <- NULL
  out
}

check_cross_validation <- function(x, call = parent.frame()) {
  if (inherits(x, "optbn_cross_validation")) return(check_sound(x, call))
  abort_optbn("argument", c("{.arg x} must be what {.fn cross_validate} returns.",
                            x = "It is {describe(x)}."), call = call)
}

check_reference <- function(reference, learners, call = parent.frame()) {
  if (is.numeric(reference)) {
    return(learners[check_count(reference, "reference", 1, length(learners), call)])
  }
  check_choice(reference, learners, "reference", call)
}

# The values of all folds, in order.
values_of <- function(x, learner, loss) {
  own <- x$learner == learner & x$loss == loss
  x$value[own][order(x$run[own], x$fold[own])]
}

# Rows held out to rows learned from.
share_held_out <- function(x) {
  once <- !duplicated(x[c("run", "fold")])
  mean(x$rows[once]) / mean(attr(x, "trained"))
}

# The interval of Nadeau & Bengio (2003), section 3.
mean_interval <- function(values, share, level) {
  values <- values[!is.na(values)]
  count <- length(values)
  middle <- if (count > 0L) mean(values) else NA_real_
  half <- NA_real_
  if (count > 1L && all(is.finite(values))) {
    error <- sqrt(stats::var(values) * (1 / count + share))
    half <- stats::qt((1 + level) / 2, count - 1) * error
  }
  list(mean = middle, lower = middle - half, upper = middle + half, folds = count)
}

better_one <- function(interval, learner, reference, less) {
  if (is.na(interval$lower) || interval$lower <= 0 && interval$upper >= 0) return(NA_character_)
  if (xor(interval$lower > 0, less)) learner else reference
}

#' @rdname compare_learners
#' @export
summary.optbn_cross_validation <- function(object, level = 0.95, ...) {
  check_cross_validation(object)
  level <- check_number(level, "level", above = 0, below = 1)
  cases <- unique(as.data.frame(object)[c("learner", "loss")])
  rows <- Map(function(learner, loss) {
    interval <- mean_interval(values_of(object, learner, loss), share_held_out(object), level)
    data.frame(learner = learner, loss = loss, interval[c("mean", "lower", "upper", "folds")],
               seconds = mean(object$seconds[object$learner == learner], na.rm = TRUE))
  }, cases$learner, cases$loss)
  out <- do.call(rbind, rows)
  row.names(out) <- NULL
  out
}

#' @rdname compare_learners
#' @export
calibration_bins <- function(x, bins = 10) {
  require_arguments()
  check_cross_validation(x)
  bins <- check_count(bins, "bins", minimum = 1)
  truth <- attr(x, "truth")
  if (!is.factor(truth)) {
    abort_optbn("argument", c("{.arg x} has no predicted probabilities.",
                              i = "Give {.fn cross_validate} a discrete {.arg target}."))
  }
  predictions <- Filter(Negate(is.null), attr(x, "predictions"))
  rows <- Map(function(learner, predicted) {
    prob <- as.matrix(predicted[levels(truth)])
    whole <- stats::complete.cases(prob)
    known <- predictions_and_events(prob[whole, , drop = FALSE], truth[predicted$row[whole]])
    cbind(learner = learner, calibration_groups(known, bins))
  }, names(predictions), predictions)
  out <- do.call(rbind, rows)
  row.names(out) <- NULL
  out
}

#' @export
as.data.frame.optbn_cross_validation <- function(x, ...) {
  attributes(x) <- attributes(x)[c("names", "row.names")]
  class(x) <- "data.frame"
  x
}

#' @rdname compare_learners
#' @export
print.optbn_cross_validation <- function(x, ...) {
  tell_answer(x, cat(format(x), sep = "\n"))
  invisible(x)
}

#' @rdname compare_learners
#' @export
format.optbn_cross_validation <- function(x, ...) {
  check_cross_validation(x)
  learners <- unique(x$learner)
  c(cli::style_bold(validation_heading(x, learners)),
    table_of_losses(summary(x), "mean", learners),
    if (length(learners) > 1L) {
      c("", paste0("Differences from ", learners[1L], ":"),
        table_of_losses(compare_learners(x), "difference", learners[-1L]))
    })
}

validation_heading <- function(x, learners) {
  folds <- nrow(unique(x[c("run", "fold")]))
  runs <- length(unique(x$run))
  target <- attr(x, "target")
  paste0(
    cli::format_inline("Cross-validation of {length(learners)} learner{?s} in {folds} fold{?s}"),
    if (runs > 1L) paste0(" (", runs, " runs)"),
    if (!is.null(target)) paste0(", target ", target)
  )
}

# A row for each learner, a column for each loss: what it is, and half its interval.
table_of_losses <- function(summary, value, learners) {
  losses <- unique(summary$loss)
  cells <- vapply(losses, function(loss) {
    own <- summary[summary$loss == loss, ]
    own <- own[match(learners, own$learner), ]
    with_interval(own[[value]], own$upper - own[[value]])
  }, character(length(learners)))
  cells <- matrix(cells, length(learners), dimnames = list(learners, losses))
  if ("seconds" %in% names(summary)) {
    seconds <- summary$seconds[match(learners, summary$learner)]
    cells <- cbind(cells, seconds = format(signif(seconds, 2), trim = TRUE))
  }
  utils::capture.output(print(cells, quote = FALSE, right = TRUE))
}

# Numbers to the second digit of their intervals.
with_interval <- function(value, half) {
  digits <- if (any(half > 0, na.rm = TRUE)) {
    max(0, min(6, 1 - floor(log10(min(half[half > 0], na.rm = TRUE)))))
  } else {
    3
  }
  number <- formatC(value, format = "f", digits = digits)
  sign <- if (cli::is_utf8_output()) "\u00b1" else "+-"
  ifelse(is.na(half), number, paste(number, sign, formatC(half, format = "f", digits = digits)))
}
