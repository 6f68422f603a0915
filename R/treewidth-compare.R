# What a bound on the tree-width costs: scores and bounds of networks learned with several.

#' Score by Tree-Width
#'
#' Compares networks of one data set that were learned with different bounds on the tree-width: how
#' much score a smaller tree-width costs, and how much of that is proved.
#'
#' @param networks A list of networks from [learn_treewidth()], at most one for each tree-width, and
#'   perhaps one from [learn_dag()] or another learner that leaves the tree-width free. They must be
#'   learned from the same data with the same score, and not within a given k-tree.
#' @param x,object What `compare_treewidths()` returns.
#' @param main The title; `""` for none.
#' @param ... Ignored.
#'
#' @return `compare_treewidths()`: a data frame of class `optbn_compare_treewidths`, one row per
#'   network in the order of tree-widths, with the columns `treewidth` (the bound of the search;
#'   `NA` in the last row, for the network learned without one), `score`, `bound` (an upper bound on
#'   the score of every network of at most this tree-width; `Inf` if none is known), `gap` (the
#'   difference of the two) and `status`, all as in the [certificate()]s.
#'
#'   `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @section Reading It:
#' The picture shows score and bound against the tree-width. The network learned without a bound on
#' the tree-width is at the right, at "any". A shaded bar shows the gap between score and bound; if
#' these are equal, there is none.
#'
#' @section Errors: `optbn_error_argument` if `networks` is not a list of networks, if the
#'   certificate of one is missing or no longer applies, if two have the same tree-width, if one was
#'   learned within a given k-tree, or if nodes or scores differ.
#' @seealso [learn_treewidth()]; [plot.optbn_k_tree()] for pictures of the trees.
#' @examples
#' set.seed(1)
#' networks <- lapply(0:2, function(k) learn_treewidth(attitude, k, "bic-g"))
#' scores <- compare_treewidths(c(networks, list(learn_dag(attitude, "bic-g"))))
#' scores
#' plot(scores)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(scores)
#' @export
compare_treewidths <- function(networks) {
  require_arguments()
  call <- environment()
  records <- certificates_of(networks, call)
  treewidth <- vapply(records, function(record) {
    as.integer(record$settings$treewidth %||% NA)
  }, 0L)
  check_comparable(networks, records, treewidth, call)
  out <- data.frame(
    treewidth = treewidth,
    score = vapply(records, function(record) record$score, 0),
    bound = vapply(records, function(record) record$bound, 0),
    gap = vapply(records, function(record) record$gap, 0),
    status = vapply(records, function(record) record$status, "")
  )
  out <- out[order(out$treewidth), ]
  row.names(out) <- NULL
  structure(out, class = c("optbn_compare_treewidths", "data.frame"))
}

certificates_of <- function(networks, call) {
  is_list <- is.list(networks) && length(networks) > 0L && !inherits(networks, "bn")
  proved <- is_list && all(vapply(networks, function(network) {
    inherits(network, "optbn") && !inherits(network, "bn.fit") && has_certificate(network)
  }, NA))
  if (!proved) {
    abort_optbn("argument",
                c("{.arg networks} must be a list of networks with a certificate.",
                  x = if (is_list) {
                    "Not all of its elements are such networks."
                  } else {
                    "It is {describe(networks)}."
                  },
                  i = "{.fn learn_treewidth} and {.fn learn_dag} learn them."),
                call = call)
  }
  records <- lapply(unname(networks), certificate)
  changed <- which(!vapply(records, function(record) record$valid, NA))
  if (length(changed) > 0L) {
    abort_optbn("argument",
                c("{.arg networks} must be as they were learned.",
                  x = paste("{cli::qty(length(changed))}Network{?s} {changed}",
                            "{cli::qty(length(changed))}{?was/were} changed since, or",
                            "{cli::qty(length(changed))}{?its/their} certificate{?s}."),
                  i = "The score and the bound hold only for the learned network."),
                call = call)
  }
  records
}

check_comparable <- function(networks, records, treewidth, call) {
  within <- which(!vapply(records, function(record) is.null(record$settings$k_tree), NA))
  if (length(within) > 0L) {
    abort_optbn("argument",
                c("{.arg networks} must not be bound to one k-tree.",
                  x = paste("{cli::qty(length(within))}Network{?s} {within}",
                            "{cli::qty(length(within))}{?was/were} learned within a given one."),
                  i = "Give {.fn learn_treewidth} a number as {.arg treewidth}."),
                call = call)
  }
  twice <- which(duplicated(treewidth))
  if (length(twice) > 0L) {
    k <- treewidth[twice[1L]]
    which <- which(treewidth %in% k)
    abort_optbn("argument",
                c("{.arg networks} must have different tree-widths.",
                  x = paste("Networks {which} were all learned",
                            if (is.na(k)) "without a bound on it." else "with the bound {k}.")),
                call = call)
  }
  nodes <- lapply(networks, function(network) sort(names(network$nodes)))
  require_same(nodes, "nodes", call)
  require_same(lapply(records, function(record) {
    if (is.null(record$settings$score)) record$settings$source else format(record$settings$score)
  }), "scores", call)
}

require_same <- function(values, what, call) {
  different <- which(!vapply(values, identical, NA, values[[1L]]))
  if (length(different) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg networks} must all have the same {what}.",
                x = "Network {different[1L]} has other {what} than the first one.",
                i = "Learn all of them from the same data with the same score."),
              call = call)
}

# ---- pictures ------------------------------------------------------------------------------------

# What the picture shows: `points` (at, what, value); `lines`, those of them that a line joins, from
# width to width; `gaps` (at, score, bound); the `labels` of the places 1, 2, ... along the axis,
# the last of which may be that of the network learned without a bound on the width; and the range
# of values.
width_points <- function(x) {
  widths <- x$treewidth[!is.na(x$treewidth)]
  ticks <- c(if (length(widths)) seq(min(widths), max(widths)), if (anyNA(x$treewidth)) NA)
  at <- match(x$treewidth, ticks)
  points <- lapply(names(search_colours), function(what) {
    data.frame(at = at, what = rep(what, length(at)), value = x[[what]])
  })
  points <- do.call(rbind, points)
  points <- points[is.finite(points$value), ]
  lines <- points[!is.na(ticks[points$at]), ]
  joined <- names(which(table(lines$what) > 1L))
  gaps <- data.frame(at = at, score = x$score, bound = x$bound)
  list(points = points, lines = lines[lines$what %in% joined, ],
       gaps = gaps[is.finite(gaps$bound) & gaps$bound > gaps$score, ],
       labels = ifelse(is.na(ticks), "any", as.character(ticks)),
       value_range = widened(range(points$value)))
}

gap_bar <- 0.12 # half the width of the bars

#' @rdname compare_treewidths
#' @export
plot.optbn_compare_treewidths <- function(x, main = "Score by tree-width", ...) {
  main <- check_title(main)
  shown <- tell_answer(x, width_points(x))
  old <- graphics::par(mar = c(3.4, 5, 3.4, 1), las = 1, mgp = c(2.2, 0.5, 0), tcl = -0.25)
  on.exit(graphics::par(old))
  places <- seq_along(shown$labels)
  graphics::plot.new()
  graphics::plot.window(range(places) + c(-0.3, 0.3), shown$value_range)
  graphics::axis(1, places, shown$labels, lwd = 0, lwd.ticks = 1)
  graphics::axis(2, lwd = 0, lwd.ticks = 1)
  graphics::box(bty = "l", col = "grey40")
  graphics::title(xlab = "tree-width at most")
  gaps <- shown$gaps
  graphics::rect(gaps$at - gap_bar, gaps$score, gaps$at + gap_bar, gaps$bound, col = gap_fill,
                 border = NA)
  for (what in names(search_colours)) {
    of <- function(shapes) shapes[shapes$what == what, c("at", "value")]
    graphics::lines(of(shown$lines), col = search_colours[what], lwd = 2.2)
    graphics::points(of(shown$points), pch = 19, col = search_colours[what],
                     cex = end_sizes[what] / 2)
  }
  draw_search_legend(list(end = unique(shown$points["what"]), gaps = gaps))
  draw_titles(main)
  invisible(x)
}

#' @rdname compare_treewidths
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_compare_treewidths <- function(object, main = "Score by tree-width", ...) {
  main <- check_title(main)
  shown <- tell_answer(object, width_points(object))
  ggplot2::ggplot(shown$points, ggplot2::aes(.data$at, .data$value, colour = .data$what)) +
    gap_layers(
      ggplot2::aes(xmin = .data$at - gap_bar, xmax = .data$at + gap_bar, ymin = .data$score,
                   ymax = .data$bound, fill = "gap"),
      shown$gaps
    ) +
    ggplot2::geom_path(data = shown$lines, linewidth = 0.9) +
    ggplot2::geom_point(ggplot2::aes(size = .data$what), show.legend = FALSE) +
    ggplot2::scale_colour_manual(values = search_colours) +
    ggplot2::scale_size_manual(values = end_sizes) +
    ggplot2::scale_x_continuous(breaks = seq_along(shown$labels), labels = shown$labels,
                                limits = c(0.7, length(shown$labels) + 0.3)) +
    ggplot2::coord_cartesian(ylim = shown$value_range) +
    ggplot2::labs(x = "tree-width at most", y = "log score", colour = NULL, fill = NULL,
                  title = if (nzchar(main)) main) +
    ggplot2::theme_minimal() +
    plot_titles() +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(), legend.position = "bottom")
}
