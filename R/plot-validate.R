# Pictures of a cross-validation: a panel for each loss with the values of the folds, or the
# differences of learners, and their intervals; or for each learner a calibration curve.

# What is drawn: `points` and `intervals`, each with its `panel`; for the pictures of losses, `at`
# in which row. Values that are not finite have no place.
validation_picture <- function(x, what) {
  if (what == "calibration") {
    groups <- calibration_bins(x)
    groups$panel <- factor(groups$learner, unique(groups$learner))
    return(list(intervals = groups))
  }
  learners <- unique(x$learner)
  if (what == "losses") {
    intervals <- summary(x)
    points <- data.frame(learner = x$learner, loss = x$loss, value = x$value)
  } else {
    intervals <- compare_learners(x)
    names(intervals)[names(intervals) == "difference"] <- "mean"
    points <- do.call(rbind, Map(function(learner, loss) {
      values <- values_of(x, learner, loss) - values_of(x, learners[1L], loss)
      data.frame(learner = learner, loss = loss, value = values)
    }, intervals$learner, intervals$loss))
    learners <- learners[-1L]
  }
  losses <- unique(x$loss)
  labels <- vapply(validation_losses[losses], `[[`, "", "label")
  placed <- function(shapes, value) {
    shapes <- shapes[is.finite(shapes[[value]]), ]
    shapes$panel <- factor(labels[shapes$loss], labels)
    shapes$at <- length(learners) + 1L - match(shapes$learner, learners)
    shapes
  }
  list(points = placed(points, "value"), intervals = placed(intervals, "mean"),
       learners = rev(learners))
}

check_picture <- function(what, x, call = parent.frame()) {
  choices <- c("losses", "differences", "calibration")
  if (is.null(what)) return(if (length(unique(x$learner)) > 1L) "differences" else "losses")
  check_choice(what, choices, "what", call)
}

validation_titles <- function(what, x) {
  switch(what,
    losses = "Losses of the folds",
    differences = paste("Differences from", x$learner[1L]),
    calibration = "Calibration"
  )
}

#' @rdname compare_learners
#' @export
plot.optbn_cross_validation <- function(x, what = NULL, main = NULL, ...) {
  check_cross_validation(x)
  what <- check_picture(what, x)
  main <- check_title(main %||% validation_titles(what, x))
  picture <- tell_answer(x, validation_picture(x, what))
  panels <- levels(picture$intervals$panel)
  wide <- if (what == "calibration") 0 else max(nchar(picture$learners))
  old <- graphics::par(mfrow = grDevices::n2mfrow(length(panels)), las = 1, mgp = c(2, 0.5, 0),
                       mar = c(3.2, 3 + 0.45 * wide, 2, 1), oma = c(0, 0, 2, 0), tcl = -0.25)
  on.exit(graphics::par(old))
  for (panel in panels) {
    shapes <- lapply(picture[c("points", "intervals")], function(shapes) {
      shapes[shapes$panel == panel, ]
    })
    if (what == "calibration") draw_calibration(shapes$intervals) else
      draw_losses(shapes, picture$learners, what)
    graphics::title(panel, cex.main = 1, font.main = 1, line = 0.6)
  }
  if (nzchar(main)) graphics::mtext(main, outer = TRUE, font = 2, line = 0.4)
  invisible(x)
}

draw_losses <- function(shapes, learners, what) {
  points <- shapes$points
  intervals <- shapes$intervals
  range <- range(points$value, intervals$lower, intervals$upper, if (what == "differences") 0,
                 na.rm = TRUE, finite = TRUE)
  graphics::plot.new()
  graphics::plot.window(widened(range), row_limits(learners))
  graphics::axis(1, lwd = 0, lwd.ticks = 1)
  graphics::axis(2, seq_along(learners), learners, lwd = 0)
  graphics::box(bty = "l", col = "grey40")
  if (what == "differences") graphics::abline(v = 0, col = "grey60", lty = "42")
  graphics::points(points$value, points$at - 0.12, pch = 1, cex = 0.8, col = "grey55")
  graphics::segments(intervals$lower, intervals$at + 0.08, intervals$upper, lwd = 2.2,
                     col = search_colours["score"])
  graphics::points(intervals$mean, intervals$at + 0.08, pch = 19, col = search_colours["score"])
}

# A page for one learner is not filled by its row alone.
row_limits <- function(learners) {
  rows <- length(learners)
  (rows + 1) / 2 + c(-0.5, 0.5) * max(rows, 3)
}

draw_calibration <- function(groups) {
  graphics::plot.new()
  graphics::plot.window(c(0, 1), c(0, 1))
  graphics::axis(1, lwd = 0, lwd.ticks = 1)
  graphics::axis(2, lwd = 0, lwd.ticks = 1)
  graphics::box(bty = "l", col = "grey40")
  graphics::title(xlab = "predicted probability", ylab = "frequency")
  graphics::abline(0, 1, col = "grey60", lty = "42")
  graphics::segments(groups$predicted, groups$lower, groups$predicted, groups$upper,
                     col = search_colours["score"])
  graphics::lines(groups$predicted, groups$observed, col = search_colours["score"])
  graphics::points(groups$predicted, groups$observed, pch = 19, col = search_colours["score"])
}

#' @rdname compare_learners
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_cross_validation <- function(object, what = NULL, main = NULL, ...) {
  check_cross_validation(object)
  what <- check_picture(what, object)
  main <- check_title(main %||% validation_titles(what, object))
  picture <- tell_answer(object, validation_picture(object, what))
  plot <- if (what == "calibration") plot_calibration(picture) else plot_losses(picture, what)
  plot + ggplot2::labs(title = if (nzchar(main)) main) + ggplot2::theme_minimal() +
    plot_titles() + ggplot2::theme(panel.grid.minor = ggplot2::element_blank())
}

plot_losses <- function(picture, what) {
  blue <- search_colours[["score"]]
  sure <- picture$intervals[is.finite(picture$intervals$lower), ]
  ggplot2::ggplot(picture$intervals, ggplot2::aes(.data$mean, .data$at)) +
    (if (what == "differences") ggplot2::geom_vline(xintercept = 0, linetype = "42",
                                                    colour = "grey60")) +
    ggplot2::geom_point(ggplot2::aes(.data$value, .data$at - 0.12), data = picture$points,
                        shape = 1, colour = "grey55") +
    ggplot2::geom_segment(ggplot2::aes(.data$lower, .data$at + 0.08, xend = .data$upper,
                                       yend = .data$at + 0.08), data = sure, linewidth = 0.9,
                          colour = blue) +
    ggplot2::geom_point(ggplot2::aes(y = .data$at + 0.08), colour = blue, size = 2) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x") +
    ggplot2::scale_y_continuous(breaks = seq_along(picture$learners), labels = picture$learners,
                                limits = row_limits(picture$learners)) +
    ggplot2::labs(x = NULL, y = NULL)
}

plot_calibration <- function(picture) {
  blue <- search_colours[["score"]]
  groups <- picture$intervals
  joined <- groups[groups$panel %in% groups$panel[duplicated(groups$panel)], ]
  ggplot2::ggplot(groups, ggplot2::aes(.data$predicted, .data$observed)) +
    ggplot2::geom_abline(linetype = "42", colour = "grey60") +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = blue) +
    ggplot2::geom_line(data = joined, colour = blue) +
    ggplot2::geom_point(colour = blue, size = 2) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel)) +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = "predicted probability", y = "frequency")
}
