# Pictures of dynamic networks, by base graphics and ggplot2.

#' Pictures of a Dynamic Network
#'
#' Draws the transition network. The columns are slices, from the oldest lag to the present, and the
#' rows are variables. Arcs from earlier slices, and from static columns (on the left), run from
#' left to right. Arcs within the slice are curves on the right.
#'
#' The rows are ordered so that variables with common arcs are close together. With more than about
#' 40 variables, the names need a device that is higher than the usual 7 inches.
#'
#' @param x,object A network from [learn_dynamic()].
#' @param main The title. `NULL` means the numbers of variables and arcs; `""` omits title and
#'   certificate.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @inheritSection plot.optbn Reading It
#' @examples
#' network <- learn_dynamic(as.data.frame(diff(log(EuStockMarkets))), lags = 2)
#' plot(network)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(network)
#' @export
plot.optbn_dynamic <- function(x, main = NULL, ...) {
  check_sound(x)
  main <- check_title(main %||% dynamic_title(x))
  marked <- any(arc_kinds(x$transition, x$transition$arcs, NULL) != "learned")
  on_page(marked, nzchar(main), function(region) {
    picture <- dynamic_picture(x, region - 0.1)
    open_window(with_titles_of_columns(picture), region)
    draw_picture(picture)
    titles <- picture$heads_of_columns
    write_text(titles$x, titles$y, titles$node, col = "grey30")
    if (marked) draw_arc_legend(picture)
    if (nzchar(main)) draw_titles(main, dynamic_line(x))
  })
  invisible(x)
}

dynamic_title <- function(x) {
  cli::format_inline("{dynamic_heading(x$layout)}, {nrow(x$transition$arcs)} arc{?s}")
}

# Below the title: as certificate_line(), with the score of now.
dynamic_line <- function(x) {
  if (!has_certificate(x$transition)) return(NULL)
  record <- readable_certificate(x$transition)
  if (is.null(record) || !record$valid) return(certificate_status(record))
  paste0(certificate_status(record), "; score ", certificate_facts(x)[["score"]])
}

# The titles count where the extent of a picture is asked for.
with_titles_of_columns <- function(picture) {
  titles <- picture$heads_of_columns
  edges <- data.frame(id = 0L, x = titles$x, y = titles$y + titles$height / 2)
  picture$boxes <- rbind(picture$boxes, edges)
  picture
}

#' @rdname plot.optbn_dynamic
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_dynamic <- function(object, main = NULL, ...) {
  check_sound(object)
  main <- check_title(main %||% dynamic_title(object))
  picture <- dynamic_picture(object, region = c(6.8, 4.4))
  picture_by_ggplot2(picture, main, dynamic_line(object), picture$heads_of_columns)
}
