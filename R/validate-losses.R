# The losses of cross_validate(): from the log densities and predictions of the rows of a fold to
# one number.

# By name: what a loss needs of a piece, whether less is better, and how it is computed from a
# prediction and the truth.
validation_losses <- list(
  log_likelihood = list(of = "rows", less = FALSE, label = "log-likelihood"),
  accuracy = list(of = "discrete", less = FALSE, label = "accuracy"),
  log_loss = list(of = c("discrete", "continuous"), less = TRUE, label = "log loss"),
  brier = list(of = "discrete", less = TRUE, label = "Brier score"),
  auc = list(of = "discrete", less = FALSE, label = "AUC"),
  calibration = list(of = "discrete", less = TRUE, label = "calibration error"),
  rmse = list(of = "continuous", less = TRUE, label = "root mean squared error"),
  mae = list(of = "continuous", less = TRUE, label = "mean absolute error")
)

target_kind <- function(truth) {
  if (is.null(truth)) "rows" else if (is.factor(truth)) "discrete" else "continuous"
}

losses_of_kind <- function(kind) {
  names(Filter(function(loss) any(c("rows", kind) %in% loss$of), validation_losses))
}

check_loss <- function(loss, data, target, call) {
  if (is.null(loss)) return(invisible())
  known <- losses_of_kind(target_kind(if (!is.null(target)) data[[target]]))
  if (is.character(loss) && length(loss) > 0L && all(loss %in% known)) return(invisible())
  odd <- if (is.character(loss)) setdiff(loss, known)
  abort_optbn("argument",
              c("{.arg loss} must be one or more of {.val {known}}.",
                x = if (length(odd) > 0L) "It has {.val {odd}}." else "It is {describe(loss)}.",
                i = if (is.null(target)) "Others need a {.arg target}."), call = call)
}

# Those that at least one piece has.
possible_losses <- function(found, truth) {
  some <- function(part) any(!vapply(lapply(found, part), is.null, NA))
  has_rows <- some(function(piece) piece$log_density)
  has_target <- some(function(piece) piece$predicted)
  has_density <- is.factor(truth) ||
    some(function(piece) as.list(piece$predicted)$log_density_of_target)
  possible <- losses_of_kind(target_kind(truth))
  if (!has_rows) possible <- setdiff(possible, "log_likelihood")
  if (!has_target) possible <- intersect(possible, "log_likelihood")
  if (!has_density) possible <- setdiff(possible, "log_loss")
  possible
}

# NA where the model has no answer; of a target, by the rows in which it was not set. `truth`: by
# row of the piece.
loss_value <- function(loss, piece, truth) {
  if (loss == "log_likelihood") return(mean(piece$log_density %||% NA_real_))
  rows <- piece$observed
  predicted <- piece$predicted
  if (is.null(predicted) || length(rows) == 0L) return(NA_real_)
  if (is.matrix(predicted)) return(class_loss(loss, predicted[rows, , drop = FALSE], truth[rows]))
  error <- (predicted$mean - truth)[rows]
  switch(loss,
    log_loss = -mean(predicted$log_density_of_target[rows] %||% NA_real_),
    rmse = sqrt(mean(error^2)),
    mae = mean(abs(error))
  )
}

class_loss <- function(loss, prob, truth) {
  of_truth <- prob[cbind(seq_along(truth), as.integer(truth))]
  switch(loss,
    accuracy = mean(first_largest(prob) == as.integer(truth)),
    log_loss = -mean(log(of_truth)),
    brier = mean(rowSums((prob - is_level(truth))^2)),
    auc = area_under_curves(prob, truth),
    calibration = calibration_error(prob, truth)
  )
}

# A row for each element, a column for each level: 1 for its own, otherwise 0.
is_level <- function(truth) {
  outer(as.integer(truth), seq_along(levels(truth)), `==`) + 0
}

# Of two levels the area under the curve; of more, the mean over pairs of levels of
# (A(i | j) + A(j | i)) / 2 (Hand & Till 2001, equation 7), over those that occur.
area_under_curves <- function(prob, truth) {
  code <- as.integer(truth)
  seen <- sort(unique(code))
  if (length(seen) < 2L || anyNA(prob)) return(NA_real_)
  pairs <- utils::combn(seen, 2L)
  mean(apply(pairs, 2L, function(pair) {
    (area_under_curve(prob[, pair[1L]], code, pair[1L], pair[2L]) +
       area_under_curve(prob[, pair[2L]], code, pair[2L], pair[1L])) / 2
  }))
}

# How often a row of level `high` has the larger probability of it than a row of level `low`, ties
# counting half: the statistic of Wilcoxon and of Mann & Whitney.
area_under_curve <- function(prob, code, high, low) {
  n <- c(sum(code == high), sum(code == low))
  ranks <- rank(c(prob[code == high], prob[code == low]))
  (sum(ranks[seq_len(n[1L])]) - n[1L] * (n[1L] + 1) / 2) / prod(n)
}

calibration_error <- function(prob, truth) {
  if (anyNA(prob)) return(NA_real_)
  groups <- calibration_groups(predictions_and_events(prob, truth))
  sum(groups$rows * abs(groups$predicted - groups$observed)) / sum(groups$rows)
}

# Of two levels the second one's probability, and whether it is the truth; of more, the largest
# probability, and whether its level is (Guo et al. 2017).
predictions_and_events <- function(prob, truth) {
  level <- if (ncol(prob) == 2L) rep(2L, nrow(prob)) else first_largest(prob)
  list(prob = prob[cbind(seq_len(nrow(prob)), level)], event = as.integer(truth) == level)
}

# The predictions in so many intervals of equal length, as far as there are any: their mean and the
# frequency of the event, with Wilson's interval.
calibration_groups <- function(known, bins = 10L, level = 0.95) {
  group <- pmin(floor(known$prob * bins) + 1, bins)
  rows <- as.vector(table(group))
  observed <- as.vector(tapply(known$event, group, mean))
  interval <- wilson_interval(observed, rows, level)
  data.frame(predicted = as.vector(tapply(known$prob, group, mean)), observed = observed,
             lower = interval$lower, upper = interval$upper, rows = rows)
}

wilson_interval <- function(share, n, level) {
  z <- stats::qnorm((1 + level) / 2)
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z / (1 + z^2 / n) * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  list(lower = pmax(0, centre - half), upper = pmin(1, centre + half))
}
