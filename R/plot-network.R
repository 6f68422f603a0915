# Base graphics of networks, certificates and candidate sets. What is shown is
# prepared by functions that autoplot() shares (here and in plot-geometry.R).

# ---- networks ------------------------------------------------------------------

#' Pictures of a Network
#'
#' Draws a learned network from top to bottom, with parents above their children and few crossings.
#' Long arcs are smooth curves around the boxes between their ends. The title gives the size of the
#' network. The line below it shows what is proved, or that the certificate no longer applies
#' because arcs were changed.
#'
#' The layered layout (Sugiyama, Tagawa and Toda 1981) depends only on the network, so the same
#' network gives the same picture everywhere. The text is as large as the region allows. In a
#' picture by `autoplot()` it scales with the picture.
#'
#' @param x,object A learned network.
#' @param layout `NULL` for layers; or a matrix of positions with one row per node (in their order,
#'   or with their names as row names) and columns x and y, in any unit; or a layout function of
#'   package \pkg{igraph}, such as `igraph::layout_with_kk`.
#' @param highlight `NULL`, or a table of arcs with two columns (`from`, `to`). Those that are in
#'   the network are drawn in orange.
#' @param main The title. `NULL` means the numbers of nodes and arcs; `""` omits title and
#'   certificate.
#' @param compare Another network with the same nodes, in any form that `network` of [as_amat()]
#'   accepts. Colours and line types show which of the two networks has an arc, see *Two Networks*.
#' @param strength Probabilities of arcs, which determine the width and darkness of each arc: from
#'   [arc_posterior()], [bootstrap_dags()] or `bnlearn::boot.strength()`; or a posterior, sampled
#'   networks, or the *k* best networks, as in [arc_posterior()].
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @section Reading It: Arcs of the whitelist are blue and dashed, and highlighted ones orange. If
#'   there are any, a legend explains them. Undirected arcs, as in `bnlearn::cpdag(x)`, have no
#'   head.
#'
#' @section Two Networks: In a comparison, arcs of both networks are grey, those of `x` alone blue,
#'   and those of the other alone orange and dashed. Arcs with different directions in the two
#'   networks are purple and dotted, and point as in `x`.
#'
#' @references
#' Sugiyama K, Tagawa S, Toda M (1981). Methods for Visual Understanding of
#' Hierarchical System Structures. *IEEE Transactions on Systems, Man, and
#' Cybernetics*, 11(2), 109-125. \doi{10.1109/TSMC.1981.4308636}
#'
#' @seealso [plot.optbn_certificate()] for the search, [plot.optbn_parent_sets()] for the candidate
#' sets, [as.igraph.optbn()] for other ways to draw.
#' @examples
#' network <- learn_dag(attitude, "bge", whitelist = data.frame("critical", "rating"))
#' plot(network)
#' plot(network, highlight = data.frame("complaints", "rating"))
#' plot(network, compare = learn_dag(attitude, "bic-g"))
#' plot(network, strength = arc_posterior(attitude, "bge"))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(network)
#' @export
plot.optbn <- function(x, layout = NULL, highlight = NULL, main = NULL, compare = NULL,
                       strength = NULL, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  check_sound(x)
  main <- check_title(main %||% picture_heading(x, compare))
  picture_on <- picture_of_network(x, layout, highlight, compare, strength)
  draw_network(picture_on, main, function(picture) network_line(x, picture, compare, strength))
  invisible(x)
}

# A function of the region. Arguments are checked before a page is begun.
picture_of_network <- function(x, layout, highlight, compare = NULL, strength = NULL,
                               call = parent.frame()) {
  places <- given_places(x, layout, call)
  if (!is.null(highlight)) check_highlight(highlight, x, call)
  compare <- check_compare(compare, x, call)
  strength <- check_strength(strength, x, call)
  function(region) network_picture(x, places, highlight, region, compare, strength)
}

# `below`: the line below the title, or a function of the picture that makes it.
draw_network <- function(picture_on, main, below) {
  titled <- nzchar(main)
  marked <- is_marked(picture_on(c(7, 5)))
  on_page(marked, titled, function(region) {
    picture <- picture_on(region - 0.1)
    open_window(picture, region)
    draw_picture(picture)
    if (marked) draw_arc_legend(picture)
    if (titled) draw_titles(main, if (is.function(below)) below(picture) else below)
  })
}

picture_heading <- function(x, compare) {
  if (is.null(compare)) return(network_heading(x))
  cli::format_inline("Two networks with {length(x$nodes)} node{?s}")
}

# Is there anything that a legend would explain?
is_marked <- function(picture) {
  any(picture$arcs$kind != "learned") || !all(is.na(picture$nodes$kind))
}

# The line below the title: what is proved, or how many arcs there are of each kind.
network_line <- function(x, picture, compare, strength) {
  parts <- c(if (is.null(compare)) certificate_line(x) else difference_line(picture$arcs$kind),
             if (!is.null(strength)) strength_line)
  if (length(parts)) paste(parts, collapse = "; ")
}

difference_line <- function(kind) {
  count <- table(kind)[setdiff(names(arc_colours), c("learned", "whitelisted"))]
  count <- count[count > 0L]
  arcs <- cli::format_inline("{sum(count)} arc{?s}")
  if (length(count) == 0L) return(arcs)
  paste0(arcs, ": ", paste(count, names(count), collapse = ", "))
}

strength_line <- "the wider and darker an arc, the more probable"

# A new page with room for a legend and titles where there are any; draw(region) is told how large
# the region is, in inches.
on_page <- function(marked, titled, draw) {
  old <- graphics::par(mar = c(if (marked) 2.2 else 0.8, 0.8, if (titled) 3.2 else 0.8, 0.8),
                       xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  draw(graphics::par("pin"))
}

check_title <- function(main, call = parent.frame()) {
  if (!(is.character(main) && length(main) == 1L && !is.na(main))) {
    abort_optbn("argument", c("{.arg main} must be one string.", x = "It is {describe(main)}."),
                call = call)
  }
  main
}

# User coordinates in inches, the picture in the middle.
open_window <- function(picture, region) {
  middle <- function(what) mean(range(picture$boxes[[what]], picture$paths[[what]]))
  graphics::plot.window(
    middle("x") + c(-0.5, 0.5) * region[1L], middle("y") + c(-0.5, 0.5) * region[2L],
    xaxs = "i", yaxs = "i"
  )
}

draw_picture <- function(picture) {
  width <- max(0.7, 1.4 * picture$scale)
  points <- function(shapes, i) shapes[shapes$id == i, c("x", "y")]
  for (i in order(picture$arcs$kind)) { # marked arcs on top
    kind <- as.character(picture$arcs$kind[i])
    colour <- grDevices::adjustcolor(arc_colours[[kind]], picture$arcs$opacity[i])
    graphics::lines(points(picture$paths, i), col = colour, lty = arc_line_types[kind],
                    lwd = width * arc_line_widths[kind] * picture$arcs$width[i], lend = "butt")
    graphics::polygon(points(picture$heads, i), col = colour, border = NA)
  }
  for (i in seq_len(nrow(picture$nodes))) {
    graphics::polygon(points(picture$boxes, i), col = node_fills(picture)[i], border = box_border,
                      lwd = width)
  }
  nodes <- picture$nodes
  write_text(nodes$x, nodes$y, nodes$node, cex = fitting_cex(nodes$node, nodes$width, nodes$height))
}

# Text centred upwards by the height of the font: left to itself, text() centres the ink of each
# label, so that "eggs" and "milk" do not stand on one line. `align`: from 0, left, to 1, right.
write_text <- function(x, y, labels, align = 0.5, ...) {
  if (length(labels)) graphics::text(x, y, labels, adj = c(align, 0.5), ...)
}

# The largest size at which all labels fit into boxes of so many inches.
fitting_cex <- function(labels, width, height) {
  wide <- graphics::strwidth(labels, units = "inches", cex = 1)
  high <- graphics::strheight("M", units = "inches", cex = 1)
  min(box_share_across * width / pmax(wide, 0.01), box_share_upwards * height / high)
}

# Arcs by their lines, nodes by their boxes, where there is more than one kind.
draw_arc_legend <- function(picture) {
  arcs <- shown_kinds(picture)
  if (identical(arcs, "learned")) arcs <- character()
  nodes <- shown_nodes(picture)
  shown <- c(arcs, nodes)
  edge <- graphics::par("usr")
  graphics::legend(mean(edge[1:2]), edge[3L] - 0.2, paste0(shown, "  "), horiz = TRUE, bty = "n",
                   xjust = 0.5, yjust = 0.5, text.width = own_widths,
                   col = c(arc_colours[arcs], rep(box_border, length(nodes))),
                   lty = c(arc_line_types[arcs], rep("blank", length(nodes))), lwd = 2,
                   pch = c(rep(NA, length(arcs)), rep(22, length(nodes))), pt.cex = 2, pt.lwd = 1,
                   pt.bg = c(rep(NA, length(arcs)), kind_fills[nodes]), seg.len = 2.5, cex = 0.9)
}

# Every entry of a legend as wide as its own text, which R can do since 4.2.
own_widths <- if (getRversion() >= "4.2.0") NA

shown_nodes <- function(picture) intersect(levels(picture$nodes$kind), picture$nodes$kind)

node_fills <- function(picture) {
  kind <- as.character(picture$nodes$kind)
  ifelse(is.na(kind), box_fill, kind_fills[kind])
}

shown_kinds <- function(picture) intersect(levels(picture$arcs$kind), picture$arcs$kind)

# In the middle of the figure, whatever its margins are.
draw_titles <- function(main, below = NULL, line = 1.7) {
  write <- function(text, line, size, ...) {
    room <- 0.96 * graphics::par("fin")[1L] / graphics::strwidth(text, "inches", cex = 1, ...)
    graphics::mtext(text, side = 3, line = line, at = graphics::grconvertX(0.5, "nfc", "user"),
                    cex = min(size, room) * graphics::par("cex"), ...)
  }
  if (nzchar(main)) write(main, line, 1.15, font = 2)
  if (!is.null(below)) write(below, line - 1.2, 0.85, col = "grey30")
}

# ---- the search ----------------------------------------------------------------

#' Pictures of a Search
#'
#' Draws the progress of a search: the score of the best network and the upper bound on all
#' networks, against time. The shaded gap between them is what remained unproved. It closes if a
#' network is proved optimal.
#'
#' Scores and bounds are drawn by their distance from the best score, in nats, on a logarithmic
#' scale, so the last gap is visible even if the first bound was far away. The number at the end is
#' that gap.
#'
#' @param x,object The [certificate()] of a network.
#' @param log_time Draw the seconds on a logarithmic scale?
#' @param main The title. `NULL` means the result of the proof.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @seealso [plot.optbn()] for the network.
#' @examples
#' network <- learn_dag(attitude, "bge")
#' plot(certificate(network))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(certificate(network), log_time = TRUE)
#' @export
plot.optbn_certificate <- function(x, log_time = FALSE, main = NULL, ...) {
  check_readable(x)
  log_time <- check_flag(log_time, "log_time")
  main <- check_title(main %||% capitalise(certificate_status(x)))
  steps <- search_steps(x, log_time)
  old <- graphics::par(mar = c(3.4, 5, 3.4, 1), las = 1, mgp = c(2.2, 0.5, 0), tcl = -0.25)
  on.exit(graphics::par(old))
  graphics::plot.new()
  graphics::plot.window(steps$time_range, steps$height_range, log = if (log_time) "x" else "")
  graphics::rect(steps$gaps$from, steps$gaps$low, steps$gaps$to, steps$gaps$high,
                 col = gap_fill, border = NA)
  graphics::lines(steps$end$seconds, steps$end$height, lty = 3, col = "grey40")
  graphics::axis(1, lwd = 0, lwd.ticks = 1)
  graphics::axis(2, steps$ticks$height, steps$ticks$label, lwd = 0, lwd.ticks = 1)
  graphics::box(bty = "l", col = "grey40")
  graphics::title(xlab = "seconds")
  for (what in names(search_colours)) {
    graphics::lines(steps$lines[steps$lines$what == what, c("seconds", "height")],
                    col = search_colours[what], lwd = 2.2)
  }
  graphics::points(steps$end$seconds, steps$end$height, pch = 19,
                   col = search_colours[steps$end$what], cex = end_sizes[steps$end$what] / 2)
  write_text(steps$last_gap$seconds,
             steps$last_gap$height + 0.8 * graphics::par("cxy")[2L], steps$last_gap$label,
             align = 1)
  draw_search_legend(steps, steps$unit)
  draw_titles(main)
  invisible(x)
}

# On the line between title and plot: over the right end the colours, over the left end `unit`, what
# the vertical axis means.
draw_search_legend <- function(steps, unit = "log score") {
  edge <- graphics::par("usr")
  if (graphics::par("xlog")) edge[1:2] <- 10^edge[1:2]
  line <- edge[4L] + graphics::par("cxy")[2L] * 0.8
  graphics::mtext(unit, side = 3, line = 0.3, at = graphics::grconvertX(0.01, "nfc", "user"),
                  adj = 0, cex = graphics::par("cex"))
  shown <- c(steps$end$what, if (nrow(steps$gaps) > 0L) "gap")
  graphics::legend(edge[2L], line, shown, horiz = TRUE, bty = "n", xjust = 1, yjust = 0.5, pch = 15,
                   pt.cex = 1.8, col = c(search_colours, gap = gap_fill)[shown], xpd = NA)
}

# What a picture of a search shows: `lines` (what, seconds, value, height: the steps), `end` (the
# last of each), `gaps` (from, to, low, high: the rectangles between the lines), `last_gap`
# (seconds, height, label), the `ticks` (height, label) and the `unit` of heights, and the ranges of
# both axes.
search_steps <- function(certificate, log_time) {
  trace <- certificate$trace
  if (NROW(trace) == 0L) {
    trace <- as.data.frame(unclass(certificate)[c("seconds", "score", "bound")])
    trace$seconds[is.na(trace$seconds)] <- 0 # not timed
  }
  trace <- trace[order(trace$seconds), ]
  end <- max(certificate$seconds, trace$seconds, na.rm = TRUE)
  if (log_time) { # times must be above zero
    least <- min(c(trace$seconds[trace$seconds > 0], 1))
    trace$seconds <- pmax(trace$seconds, least, 1e-3)
    end <- max(end, trace$seconds)
  }
  until <- c(trace$seconds[-1L], end)
  lines <- lapply(names(search_colours), function(what) {
    value <- rep(trace[[what]], each = 2L)
    line <- data.frame(what = rep(what, length(value)),
                       seconds = as.vector(rbind(trace$seconds, until)), value = value)
    line[is.finite(line$value), ]
  })
  lines <- do.call(rbind, lines)
  scale <- distance_scale(lines$value, trace)
  lines$height <- scale$height(lines$value)
  gaps <- data.frame(from = trace$seconds, to = until, low = scale$height(trace$score),
                     high = scale$height(trace$bound))
  gaps <- gaps[is.finite(gaps$low) & is.finite(gaps$high) & gaps$high > gaps$low, ]
  begin <- if (log_time) min(trace$seconds[1L], end / 10) else 0
  list(
    lines = lines,
    end = lines[!duplicated(lines$what, fromLast = TRUE), ],
    gaps = gaps, last_gap = gap_label(scale, gaps, end, begin, log_time), ticks = scale$ticks,
    unit = scale$unit,
    time_range = c(begin, max(end, begin + 1e-3)),
    height_range = widened(range(lines$height)) + c(0, 0.08 * diff(range(lines$height)))
  )
}

# Values as distances from the best score on a scale that is linear close to it, up to the last gap
# or a nat, and logarithmic beyond. Without a score: from the last bound.
distance_scale <- function(values, trace) {
  last <- trace[nrow(trace), ]
  from <- if (is.finite(last$score)) last$score else min(values)
  gap <- last$bound - from
  linear <- if (is.finite(gap) && gap > 0) min(gap, 1) else 1
  height <- function(value) sign(value - from) * log10(1 + abs(value - from) / linear)
  distance <- range(values - from, 0)
  list(
    height = height, gap = gap, at = height(last$bound),
    unit = paste("nats from", if (is.finite(last$score)) "the best score," else "the last bound,",
                 format(round(from, 1L), nsmall = 1L, big.mark = ",")),
    ticks = distance_ticks(distance, linear, function(distance) height(from + distance))
  )
}

# Powers of ten from `least` on to either side, and zero; with halves where these would be few.
distance_ticks <- function(range, least, height) {
  powers <- 10^seq(ceiling(log10(least) - 1e-9), 12)
  sides <- function(steps) c(0, steps[steps <= range[2L]], -steps[steps <= -range[1L]])
  ticks <- sides(powers)
  if (length(ticks) < 4L) ticks <- sides(c(2, 5, 10) %o% powers / 10)
  if (length(ticks) < 2L) ticks <- pretty(range, 3L)
  ticks <- sort(ticks[ticks >= range[1L] & ticks <= range[2L]])
  beside_zero <- ticks != 0 & abs(height(ticks)) < 0.05 * diff(height(range)) # no room for both
  ticks <- ticks[!beside_zero]
  data.frame(height = height(ticks), label = paste0(ifelse(ticks > 0, "+", ""), trimws(
    formatC(ticks, format = "fg", big.mark = ",")
  )))
}

# At the right end, above the bound in the last sixth of the axis, which the label covers.
gap_label <- function(scale, gaps, end, begin, log_time) {
  shown <- is.finite(scale$gap) && scale$gap > 0
  since <- if (log_time) end * (begin / end)^(1 / 6) else end - (end - begin) / 6
  beside <- gaps$high[gaps$to > since]
  data.frame(seconds = end, height = max(scale$at, beside),
             label = paste("gap", format_gap(scale$gap)))[shown, ]
}

# A range with some room on both ends, also when it is a single value.
widened <- function(range) {
  room <- 0.04 * diff(range)
  if (room <= 1e-9 * max(abs(range))) room <- max(1, abs(range[1L]) / 1000)
  range + c(-room, room)
}


# ---- candidate sets --------------------------------------------------------------

#' Pictures of Candidate Parent Sets
#'
#' Draws the number of candidate sets of every node by their size: a table whose cells are coloured
#' by the logarithm of the number, with the sum for each node. It shows which nodes cause most of
#' the work of a search.
#'
#' @param x,object A [`parent_sets`][parent_sets()] object.
#' @param main The title. `NULL` means the numbers of nodes and sets.
#' @param ... Ignored.
#'
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#'
#' @seealso [plot.optbn()] for networks.
#' @examples
#' sets <- read_jkl(system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn"))
#' plot(sets)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(sets)
#' @export
plot.optbn_parent_sets <- function(x, main = NULL, ...) {
  check_sound(x)
  main <- check_title(main %||% sets_heading(x))
  old <- graphics::par(mar = c(2.6, 0.8, 2.8, 0.8), xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  region <- graphics::par("pin")
  graphics::plot.window(c(0, region[1L]), c(0, region[2L]), xaxs = "i", yaxs = "i")
  count <- set_counts(x)
  panel <- split_panels(nrow(count))
  measures <- table_measures(count, panel, region)
  for (p in seq_len(max(panel))) {
    draw_counts(count[panel == p, , drop = FALSE], measures$left[p], region[2L], measures,
                most = max(count))
  }
  ticks <- count_ticks(max(count))
  draw_colour_scale(count_colour(max(count)^(seq_len(60L) / 60), max(count)),
                    count_shade(ticks, max(count)), short_count(ticks), "sets", region[1L] / 2,
                    -0.28)
  draw_titles(main, line = 0.9)
  invisible(x)
}

# What fits a table of counts into a region, in inches: `row`, height of a row;
# `cell`, width of a column; `left`, where the columns of each panel begin; `cex`.
table_measures <- function(count, panel, region) {
  panels <- max(panel)
  row <- min(region[2L] / (max(tabulate(panel)) + 2), 0.3)
  cex <- min(1, 0.62 * row / graphics::strheight("M", units = "inches"))
  wide <- function(text) max(graphics::strwidth(text, units = "inches", cex = cex))
  names_room <- wide(rownames(count)) + 0.08
  sums_room <- wide(short_count(rowSums(count))) + 0.1
  cell <- (region[1L] / panels - names_room - sums_room - 0.15) / ncol(count)
  cell <- max(0.03, min(cell, 3 * row))
  width <- names_room + ncol(count) * cell + sums_room
  spare <- (region[1L] - panels * width) / (panels + 1)
  left <- names_room + seq_len(panels) * (spare + width) - width
  list(row = row, cell = cell, left = left, cex = cex)
}

draw_counts <- function(count, left, top, measures, most) {
  cex <- measures$cex
  cell <- measures$cell
  half <- measures$row / 2
  x <- left + cell * (seq_len(ncol(count)) - 0.5)
  y <- top - measures$row * (seq_len(nrow(count)) + 1.5)
  right <- left + ncol(count) * cell + 0.04
  write_text(mean(x), top - half, "parents", cex = cex, col = "grey30")
  draw_narrow(x, top - 3 * half, colnames(count), cex, cell, "grey30")
  write_text(right, top - 3 * half, "all", align = 0, cex = cex, col = "grey30")
  write_text(left - 0.06, y, rownames(count), align = 1, cex = cex)
  write_text(right, y, short_count(rowSums(count)), align = 0, cex = cex, col = "grey30")
  cells <- count_cells(count)
  middle <- x[cells$size + 1L]
  height <- y[cells$row]
  graphics::rect(middle - cell / 2, height - half, middle + cell / 2, height + half,
                 col = count_colour(cells$count, most), border = "white")
  draw_narrow(middle, height, short_count(cells$count), cex, cell,
              label_colour(cells$count, most))
}

# Text in columns of so many inches: smaller where it must be, left out where it
# could not be read.
draw_narrow <- function(x, y, text, cex, column, colour) {
  room <- 0.85 * column / max(graphics::strwidth(text, units = "inches", cex = 1))
  if (room > 0.35) write_text(x, y, text, cex = min(cex, room), col = colour)
}

# What colours mean, at the foot of a plot whose unit is the inch: numbers (`labels`) at some shares
# of the scale, and what they count or measure.
draw_colour_scale <- function(colours, shares, labels, measure, middle, y) {
  steps <- length(colours)
  width <- 1.6
  left <- middle - width / 2
  edge <- seq(left, left + width, length.out = steps + 1L)
  graphics::rect(edge[-1L - steps], y - 0.06, edge[-1L], y + 0.06, border = NA, col = colours)
  write_text(left + width * shares, y - 0.15, labels, cex = 0.7)
  write_text(left - 0.08, y, measure, align = 1, cex = 0.8)
}

# The powers of ten up to the largest number.
count_ticks <- function(most) 10^seq(0, floor(log10(most)))

# One row a node, one column a size.
set_counts <- function(x) {
  largest <- max(vapply(x$sets, function(sets) max(sets$size), 0L))
  count <- t(vapply(x$sets, function(sets) tabulate(sets$size + 1L, largest + 1L),
                    integer(largest + 1L)))
  matrix(count, length(x$nodes), dimnames = list(x$nodes, 0:largest))
}

# The cells that are not empty: row, size, count.
count_cells <- function(count) {
  cell <- which(count > 0L, arr.ind = TRUE)
  data.frame(row = unname(cell[, 1L]), size = as.integer(colnames(count))[cell[, 2L]],
             count = count[cell])
}

# Rows of a long table side by side: the panel of each row.
split_panels <- function(rows, most = 35L) {
  panels <- ceiling(rows / most)
  rep(seq_len(panels), each = ceiling(rows / panels), length.out = rows)
}

count_palette <- function() grDevices::hcl.colors(9L, "Blues 3", rev = TRUE)[2:9]

# From 0 to 1 on the logarithmic scale of counts.
count_shade <- function(count, most) if (most > 1) log(count) / log(most) else 0 * count

count_colour <- function(count, most) {
  shade <- grDevices::colorRamp(count_palette())(count_shade(count, most))
  grDevices::rgb(shade, maxColorValue = 255)
}

label_colour <- function(count, most) ifelse(count_shade(count, most) > 0.5, "white", "grey20")

# At most four characters: 999, 1k, 1.2k, 12k, 1.2M.
short_count <- function(count) {
  power <- findInterval(count, c(1e3, 1e6, 1e9))
  value <- count / 1000^power
  text <- ifelse(value < 9.95, sprintf("%.1f", value), sprintf("%.0f", value))
  paste0(sub(".0", "", text, fixed = TRUE), c("", "k", "M", "G")[power + 1L])
}

sets_heading <- function(x) {
  sets <- format_count(length(x))
  cli::format_inline("{sets} candidate parent sets of {length(x$nodes)} node{?s}")
}
