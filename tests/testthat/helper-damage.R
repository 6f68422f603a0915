# Models that somebody edited: every part of a list damaged, one at a time and in several ways.

# Places of all parts, however deep, as vectors for `[[`. Environments are left alone.
places_in <- function(x) {
  if (!is.list(x)) return(list())
  unlist(lapply(seq_along(x), function(i) {
    c(list(i), lapply(places_in(unclass(x)[[i]]), function(place) c(i, place)))
  }), recursive = FALSE)
}

damages <- list(
  absent = function(x) NULL,
  missing = function(x) if (is.list(x)) NA else replace(x, seq_along(x), NA),
  truncated = function(x) x[-1],
  doubled = function(x) c(x, x),
  text = function(x) "a",
  huge = function(x) if (is.numeric(x)) replace(x, 1, 1e300) else 1e300,
  negative = function(x) if (is.numeric(x)) replace(x, 1, -1) else -1,
  bare = function(x) if (is.list(x)) unname(unclass(x)) else as.vector(x),
  other = function(x) if (is.list(x)) "a" else list(x)
)

# Each with the `place` and the name of the `damage`. `at`: which places, all by default.
damaged <- function(x, at = places_in(x)) {
  do.call(c, lapply(at, function(place) {
    Filter(function(one) !identical(one$model, x), lapply(names(damages), function(kind) {
      new <- suppressWarnings(try(damages[[kind]](unclass(x)[[place]]), silent = TRUE))
      if (inherits(new, "try-error")) new <- NULL
      list(model = put(x, place, new), place = place, damage = kind)
    }))
  }))
}

# `[[<-` that does not drop what becomes NULL, and leaves classes as they are.
put <- function(x, place, value) {
  class <- oldClass(x)
  x <- unclass(x)
  part <- if (length(place) > 1) put(x[[place[1]]], place[-1], value) else value
  x[place[1]] <- list(part)
  structure(x, class = class)
}

# What verbs do wrong with a damaged model: plain errors, warnings. Values, messages and errors of
# the package are right.
misbehaviour <- function(one, verbs) {
  said <- vapply(verbs, function(verb) {
    tryCatch(
      {
        utils::capture.output(suppressMessages(verb(one$model)))
        ""
      },
      optbn_error = function(e) "",
      error = function(e) paste("error:", conditionMessage(e)),
      warning = function(w) paste("warning:", conditionMessage(w))
    )
  }, "")
  said <- said[said != ""]
  paste(paste(one$place, collapse = " "), one$damage, names(said), said, recycle0 = TRUE)
}

some_of <- function(models, n) models[sample(length(models), min(n, length(models)))]
