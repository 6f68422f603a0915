# Pictures of regressions, parts of those of local models (plot-local-geometry.R): a panel for each
# configuration of the discrete parents.
#
# A view of a regression has one of
#   location, scale, df   without continuous parents: normal distributions, drawn as those of trees
#   line                  with one, where the rows are known: `parent`, the `range` of its values,
#                         and by configuration `from` and `to`, `intercept`, `slope` and `sd`. Drawn
#                         is the mean against the parent, and one standard deviation to either side
#   effects               otherwise: a matrix, parents x configurations, drawn as bars from 0.
#                         `standardised`: changes for one standard deviation of the parent, in those
#                         of the node, and a row `residual`, the standard deviation that is left.
#                         Else coefficients, which are not of one unit: each row has its own scale

effect_fill <- c(positive = "#0072B2", negative = "#D55E00", residual = "#A6A6A6", none = "#FFFFFF")
residual_row <- "residual"
widest_regression <- 4 # slot of a panel, in inches

regression_view <- function(model) {
  view <- list(node = model$node, partition = table_partition(model$levels),
               regions = length(model$sd), rows = regression_rows(model))
  known <- !is.null(model$moments)
  shown <- if (inherits(model, "optbn_set")) {
    list(location = model$value, scale = 1e-3 * max(1, abs(model$value)), df = Inf)
  } else if (length(model$continuous) == 0L) {
    list(location = unname(model$coefficients[1L, ]), scale = unname(model$sd),
         df = rep(Inf, length(model$sd)))
  } else if (length(model$continuous) == 1L && known) {
    list(line = regression_line(model))
  } else {
    list(effects = regression_effects(model), standardised = known)
  }
  c(view, shown)
}

# Of each configuration; NULL where they are not known.
regression_rows <- function(model) {
  if (is.null(model$moments)) return(NULL)
  rows <- model$moments$n[as.character(seq_along(model$sd))]
  unname(ifelse(is.na(rows), 0, rows))
}

# The line of each configuration is as long as the bulk of its rows is wide.
regression_line <- function(model) {
  rows <- model$moments$rows
  spans <- vapply(rows[as.character(seq_along(model$sd))], function(rows) {
    if (is.null(rows)) return(c(NA, NA))
    means_of(rows)[[2L]] + c(-2, 2) * spreads_of(rows)[[2L]]
  }, numeric(2L))
  all <- do.call(rbind, unname(rows))
  whole <- means_of(all)[[2L]] + c(-2, 2) * spreads_of(all)[[2L]]
  empty <- is.na(spans[1L, ]) | spans[1L, ] == spans[2L, ]
  spans[, empty] <- whole
  list(parent = model$continuous, range = range(spans), from = unname(spans[1L, ]),
       to = unname(spans[2L, ]), intercept = unname(model$coefficients[1L, ]),
       slope = unname(model$coefficients[2L, ]), sd = unname(model$sd))
}

regression_effects <- function(model) {
  slopes <- model$coefficients[-1L, , drop = FALSE]
  if (is.null(model$moments)) return(slopes)
  spread <- spreads_of(do.call(rbind, unname(model$moments$rows)))[-1L]
  own <- spread[length(spread)]
  effects <- rbind(slopes * spread[-length(spread)], unname(model$sd)) / own
  rownames(effects) <- c(model$continuous, residual_row)
  effects
}

regression_caption <- function(view, frame) {
  if (!is.null(view$line)) {
    ends <- format(signif(view$line$range, 3), trim = TRUE)
    return(paste0("mean along ", view$line$parent, " from ", ends[1L], " to ", ends[2L],
                  ", one standard deviation to either side"))
  }
  if (is.null(view$effects)) return(NULL)
  what <- if (view$standardised) {
    paste("change for one standard deviation of a parent, in standard deviations of", view$node)
  } else {
    "coefficients, each row on its own scale"
  }
  paste0(what, if (frame$narrow) "; blue upwards, orange downwards")
}

# ---- lines --------------------------------------------------------------------------------------

line_range <- function(view) {
  line <- view$line
  ends <- rbind(line$from, line$to)
  means <- rep(line$intercept, each = 2L) + rep(line$slope, each = 2L) * ends
  widened(range(means - rep(line$sd, each = 2L), means + rep(line$sd, each = 2L)))
}

line_panels <- function(view, frame) {
  line <- view$line
  range <- value_range(view)
  height <- function(value) {
    frame$bottom + (value - range[1L]) / diff(range) * (frame$top - frame$bottom)
  }
  width <- frame$right - frame$left
  across <- function(x) frame$left + (x - line$range[1L]) / diff(line$range) * width
  from <- list(x = across(line$from), y = line$intercept + line$slope * line$from)
  to <- list(x = across(line$to), y = line$intercept + line$slope * line$to)
  bands <- lapply(seq_len(view$regions), function(i) {
    cbind(c(from$x[i], to$x[i], to$x[i], from$x[i]),
          height(c(from$y[i] - line$sd[i], to$y[i] - line$sd[i], to$y[i] + line$sd[i],
                   from$y[i] + line$sd[i])))
  })
  ticks <- height(value_ticks(range))
  list(
    shapes = bind_parts(list(
      panel_backs(frame), panel_grid(view, frame, ticks),
      polygons(bands, region_fill(view), NA, 0),
      strokes(from$x, height(from$y), to$x, height(to$y), bar_fill[["largest"]], 1.6)
    )),
    texts = rbind(side_texts(frame$side, ticks, min(diff(ticks), 1), frame),
                  line_ticks(line, frame, across))
  )
}

# The values of the parent below each panel that has the room.
line_ticks <- function(line, frame, across) {
  width <- frame$right[1L] - frame$left[1L]
  ticks <- pretty(line$range, if (width > 1.4) 4L else 2L)
  ticks <- ticks[ticks >= line$range[1L] & ticks <= line$range[2L]]
  if (frame$narrow || length(ticks) < 2L) return(NULL)
  labels <- value_labels(ticks)
  room <- width / max(length(ticks), 1L)
  if (max(text_em(labels)) * most_points[["value"]] / 72 > 0.9 * room) return(NULL)
  share <- (ticks - line$range[1L]) / diff(line$range)
  x <- rep(frame$left, each = length(ticks)) + rep(share, length(frame$left)) * width
  texts(x, frame$bottom - 0.1, rep(labels, length(frame$left)), most_points[["value"]],
        colour = "grey30")
}

# White lines at these heights.
panel_grid <- function(view, frame, y) {
  across <- rep(seq_len(view$regions), each = length(y))
  strokes(frame$left[across], rep(y, view$regions), frame$right[across], rep(y, view$regions),
          "white", 0.8)
}

# ---- effects ------------------------------------------------------------------------------------

effect_panels <- function(view, frame) {
  effects <- view$effects
  r <- nrow(effects)
  height <- (frame$top - frame$bottom) / r
  middle <- frame$top - height * (seq_len(r) - 0.5)
  largest <- if (view$standardised) rep(max(abs(effects)), r) else apply(abs(effects), 1L, max)
  share <- as.vector(effects / pmax(largest, 1e-300))
  y <- rep(middle, view$regions)
  kind <- ifelse(rep(rownames(effects), view$regions) == residual_row, "residual",
                 ifelse(share < 0, "negative", "positive"))
  side <- side_texts(frame$side, middle, height, frame)
  left <- rep(frame$left, each = r)
  right <- rep(frame$right, each = r)
  if (frame$narrow) {
    fill <- blended(effect_fill[kind], abs(share))
    cells <- rectangles(left, right, y - height / 2, y + height / 2, fill, fill, 0.2)
    return(list(shapes = cells, texts = side))
  }
  zero <- (left + right) / 2
  end <- zero + share * 0.48 * (right - left)
  bars <- rectangles(pmin(zero, end), pmax(zero, end), y - 0.34 * height, y + 0.34 * height,
                     effect_fill[kind], NA, 0)
  axes <- (frame$left + frame$right) / 2
  list(shapes = bind_parts(list(
         panel_backs(frame), bars,
         strokes(axes, rep(frame$bottom, view$regions), axes, rep(frame$top, view$regions),
                 "grey40", 0.8)
       )),
       texts = rbind(side, effect_numbers(effects, zero, y, height, frame, view$standardised)))
}

# Beside the line of 0, where the bar is not.
effect_numbers <- function(effects, zero, y, height, frame, standardised) {
  size <- min(most_points[["value"]], 72 * 0.6 * height)
  label <- if (standardised) sprintf("%.2f", effects) else format_each(effects)
  room <- (frame$right[1L] - frame$left[1L]) / 2 - 0.06
  if (max(text_em(label)) * size / 72 > room || size < least_points) return(NULL)
  positive <- as.vector(effects) >= 0
  texts(zero + ifelse(positive, -0.04, 0.04), y, label, size, align = as.numeric(positive),
        colour = "grey20")
}

format_each <- function(numbers) vapply(as.vector(numbers), function(x) format(signif(x, 3)), "")

# Colours mixed with white: all white at 0.
blended <- function(colours, share) {
  full <- grDevices::col2rgb(colours)
  mixed <- 255 - (255 - full) * rep(share, each = 3L)
  grDevices::rgb(mixed[1L, ], mixed[2L, ], mixed[3L, ], maxColorValue = 255)
}
