# Kind "frames": data frames that are malformed, or hold numbers that few have thought of, in every
# call that takes one.

# Places of data frames among the arguments of sound calls.
data_arguments <- function(calls) {
  rows <- lapply(names(calls), function(f) {
    do.call(rbind, lapply(seq_along(calls[[f]]), function(i) {
      call <- calls[[f]][[i]]
      frames <- names(call)[vapply(call, is.data.frame, NA)]
      frames <- intersect(frames, c("data", "x", "newdata", "validation"))
      if (length(frames) > 0L) data.frame(f = f, i = i, argument = frames)
    }))
  })
  do.call(rbind, rows)
}

malformations <- list(
  "a code beyond the levels" = function(d, v) change_code(d, v, 99L),
  "a code of 0" = function(d, v) change_code(d, v, 0L),
  "a negative code" = function(d, v) change_code(d, v, -5L),
  "a huge code" = function(d, v) change_code(d, v, 2000000000L),
  "a missing value" = function(d, v) change_value(d, v, NA),
  "a shorter column" = function(d, v) change_column(d, v, function(x) x[1:3]),
  "a longer column" = function(d, v) change_column(d, v, function(x) rep(x, 2)),
  "an empty column" = function(d, v) change_column(d, v, function(x) x[0]),
  "a million row names" = function(d, v) structure(d, row.names = 1:1000000),
  "ten row names" = function(d, v) structure(d, row.names = 1:10),
  "no row names" = function(d, v) without(d, "row.names"),
  "no names" = function(d, v) without(d, "names"),
  "a name less" = function(d, v) structure(d, names = names(d)[-1L]),
  "a name twice" = function(d, v) structure(d, names = c(names(d)[-1L], names(d)[2L])),
  "a missing name" = function(d, v) structure(d, names = replace(names(d), v, NA)),
  "a name that is not UTF-8" = function(d, v) structure(d, names = replace(names(d), v, "\xff")),
  "a name with braces" = function(d, v) structure(d, names = replace(names(d), v, "{stop('x')}")),
  "levels that repeat" = function(d, v) change_levels(d, v, function(x) rep(x[1L], length(x))),
  "a missing level" = function(d, v) change_levels(d, v, function(x) replace(x, 1L, NA)),
  "numbers as levels" = function(d, v) change_levels(d, v, seq_along),
  "fewer levels" = function(d, v) change_levels(d, v, function(x) x[1L]),
  "no levels" = function(d, v) change_levels(d, v, function(x) NULL),
  "codes that are no integers" = function(d, v) {
    change_column(d, v, function(x) if (is.factor(x)) structure(as.double(x), levels = levels(x),
                                                                class = "factor") else x)
  },
  "a factor of text" = function(d, v) {
    change_column(d, v, function(x) structure(as.character(x), levels = "a", class = "factor"))
  },
  "a NULL column" = function(d, v) put_column(d, v, list(NULL)),
  "a column of lists" = function(d, v) put_column(d, v, list(as.list(seq_len(nrow(d))))),
  "a matrix column" = function(d, v) put_column(d, v, list(matrix(1, nrow(d), 2))),
  "a data frame column" = function(d, v) put_column(d, v, list(d)),
  "a function column" = function(d, v) put_column(d, v, list(sum)),
  "a complex column" = function(d, v) put_column(d, v, list(complex(nrow(d)))),
  "a raw column" = function(d, v) put_column(d, v, list(raw(nrow(d)))),
  "a date column" = function(d, v) put_column(d, v, list(Sys.Date() + seq_len(nrow(d)))),
  "a column of times" = function(d, v) put_column(d, v, list(as.POSIXlt(Sys.time() + 1:40))),
  "a character column" = function(d, v) change_column(d, v, as.character),
  "a constant column" = function(d, v) change_column(d, v, function(x) rep(x[1L], length(x))),
  "infinite numbers" = function(d, v) change_value(d, v, Inf),
  "huge numbers" = function(d, v) change_numbers(d, v, function(x) x * 1e200),
  "the largest numbers" = function(d, v) change_numbers(d, v, function(x) sign(x) * 1.7e308),
  "an outlier" = function(d, v) change_numbers(d, v, function(x) replace(x, 1L, 1e300)),
  "tiny numbers" = function(d, v) change_numbers(d, v, function(x) x * 1e-200),
  "denormal numbers" = function(d, v) change_numbers(d, v, function(x) x * 1e-310),
  "a large offset" = function(d, v) change_numbers(d, v, function(x) x + 1e15),
  "whole numbers" = function(d, v) change_numbers(d, v, function(x) as.integer(10 * x)),
  "a column twice" = function(d, v) cbind(d, stats::setNames(unclass(d)[v], "again")),
  "no rows" = function(d, v) d[0L, , drop = FALSE],
  "one row" = function(d, v) d[1L, , drop = FALSE],
  "two rows" = function(d, v) d[1:2, , drop = FALSE],
  "one column" = function(d, v) d[v],
  "no columns" = function(d, v) d[0L],
  "no class" = function(d, v) unclass(d),
  "a matrix" = function(d, v) as.matrix(d),
  "an unknown level" = function(d, v) {
    change_column(d, v, function(x) if (is.factor(x)) factor(rep("new", length(x))) else x)
  },
  "another type" = function(d, v) {
    change_column(d, v, function(x) if (is.factor(x)) seq_along(x) / 7 else factor(x > 0))
  }
)

put_column <- function(d, v, value) {
  attributes <- attributes(d)
  columns <- unclass(d)
  columns[v] <- value
  attributes(columns) <- attributes
  columns
}

change_column <- function(d, v, change) put_column(d, v, list(change(unclass(d)[[v]])))

change_code <- function(d, v, code) {
  change_column(d, v, function(x) {
    if (!is.factor(x)) return(x)
    structure(replace(unclass(x), min(2L, length(x)), code), levels = levels(x), class = "factor")
  })
}

change_levels <- function(d, v, change) {
  change_column(d, v, function(x) {
    if (is.factor(x)) attr(x, "levels") <- change(levels(x))
    x
  })
}

change_value <- function(d, v, value) {
  change_column(d, v, function(x) {
    if (is.factor(x) && !is.na(value)) return(x)
    replace(x, length(x), value)
  })
}

change_numbers <- function(d, v, change) {
  change_column(d, v, function(x) if (is.double(x)) change(x) else x)
}

without <- function(d, attribute) {
  attr(d, attribute) <- NULL
  d
}

run_frames <- function(calls) {
  places <- data_arguments(calls)
  place <- places[choose(nrow(places)), ]
  call <- calls[[place$f]][[place$i]]
  frame <- call[[place$argument]]
  changes <- character()
  for (time in seq_len(choose(2L))) {
    if (!is.list(frame) || length(frame) == 0L) break
    column <- choose(length(frame))
    change <- choose(length(malformations))
    # a second change may not apply to what the first has left
    frame <- tryCatch(malformations[[change]](frame, column), error = function(e) frame)
    changes <- c(changes, paste0(names(malformations)[change], " (column ", column, ")"))
  }
  call[[place$argument]] <- frame
  say("covered", place$f, " ", place$argument)
  answer <- attempt(
    sprintf("%s(%s = data with %s), call %d", place$f, place$argument, toString(changes), place$i),
    do.call(function_of(place$f), call, quote = TRUE),
    allowed = c("optbn_error", "optbn_warning_learner", "optbn_warning_chains")
  )
  if (is.null(answer$condition) && !is_sound_frame(frame)) {
    # what is predicted need not be known, nor what is no node; a fit looks at a part of the rest
    if (place$f == "predict" && inherits(call$object, "optbn_fit")) return(invisible())
    like <- if (place$argument == "validation") names(call$data)
    series <- c(call$object, call$fit)$layout
    used <- setdiff(c(call$object$nodes, call$model$nodes, series$variables, series$static,
                      nodes_of_network(call$network), like), call$node)
    if (length(used) == 0L || !is_sound_frame(frame, used)) found("takes a frame that lies")
  }
}

nodes_of_network <- function(network) {
  if (!is.null(network)) optbn:::as_network_structure(network)$nodes
}

# Do the columns (those named `used`) have the frame's rows, and factors codes of their levels?
is_sound_frame <- function(frame, used = NULL) {
  if (!is.data.frame(frame)) return(TRUE)
  rows <- nrow(frame)
  columns <- unclass(frame)
  if (!is.null(used)) columns <- columns[intersect(used, names(frame))]
  all(vapply(columns, function(x) {
    if (NROW(x) != rows) return(FALSE)
    if (!is.factor(x)) return(TRUE)
    codes <- unclass(x)
    is.integer(codes) && all(is.na(codes) | (codes >= 1L & codes <= length(levels(x))))
  }, NA))
}
