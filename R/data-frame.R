# Data: a data frame as the core wants it.
#
# Discrete columns become level codes from 0, continuous ones numbers. Factors
# are discrete with their declared levels; character and logical columns are
# made factors; integer columns are numbers. What is coerced is announced once.
# Everything that no score could use is refused here, naming the columns.

# A table that is not in memory comes as distinct rows and their weights, or as facts about its
# columns (data-lazy.R): `memory_limit`, in bytes, decides. What is encoded already stays as it is.
# With `holes` values may be missing; then the element `holes` says in which columns some are. With
# `fractions` weights may be any numbers: they become whole ones, of which `scale` stand for one
# row. `targets`: see data-targets.R.
encode_data <- function(data, weights = NULL, call = parent.frame(), memory_limit = NULL,
                        holes = FALSE, fractions = FALSE, targets = NULL) {
  if (inherits(data, "optbn_encoded_data")) return(data)
  data <- matrix_as_data(data)
  if (is_lazy_table(data)) {
    return(encode_lazy(data, weights, check_memory_limit(memory_limit, call), call, holes, targets))
  }
  check_data_frame(data, call)
  split <- split_targets(data, targets, call)
  data <- split$data
  weights <- check_weights(weights, nrow(data), call, fractions)
  scale <- scale_of_weights(weights)
  if (!is.null(scale)) weights <- round(weights * scale)
  types <- usable_types(data, call)
  keep <- if (is.null(weights)) NULL else which(weights > 0)
  columns <- lapply(data, function(column) if (is.null(keep)) column else column[keep])
  missing <- vapply(columns, anyNA, NA)
  if (!holes) refuse_missing(names(columns)[missing], types[missing] %in% discrete_types, call)
  refuse_empty(without_values(columns[missing]), call)
  refuse_infinite(names(columns)[vapply(columns, has_infinite, NA)], call)
  announce_coercions(types)

  discrete <- types %in% discrete_types
  columns[discrete] <- lapply(columns[discrete], as_factor_column)
  check_variation(columns, discrete, call)
  check_variances(columns[!discrete], call)
  check_level_counts(columns, call)
  announce_unused_levels(columns[discrete])

  if (!is.null(targets)) targets <- encode_targets(split$targets, columns, keep, call)
  rows <- if (is.null(keep)) nrow(data) else length(keep)
  weights <- if (!is.null(keep) && any(weights[keep] != 1)) weights[keep]
  structure(
    list(
      nodes = names(data),
      rows = rows,
      columns = unname(lapply(columns, function(column) {
        if (is.factor(column)) unclass(column) - 1L else as.double(column)
      })),
      levels = unname(lapply(columns, levels)),
      types = unname(types),
      weights = weights,
      total = if (is.null(weights)) rows else sum(weights),
      # of every row of the data, 0 for one that counts for nothing; NULL where all are there
      position = if (rows < nrow(data)) replace(integer(nrow(data)), keep, seq_len(rows)),
      holes = if (any(missing)) unname(missing),
      scale = scale,
      targets = targets
    ),
    class = "optbn_encoded_data"
  )
}

# A matrix as a data frame; anything else as it is.
matrix_as_data <- function(x) {
  if (!is.matrix(x) || is.object(x)) return(x)
  as.data.frame(x, stringsAsFactors = FALSE)
}

check_data_frame <- function(data, call) {
  if (!is.data.frame(data)) {
    abort_optbn(
      "data",
      c("{.arg data} must be a data frame, a tibble or a data.table.",
        x = "It is {describe(data)}.",
        i = "Convert a matrix with {.code as.data.frame()}."),
      call = call
    )
  }
  if (ncol(data) == 0L) {
    abort_optbn("data",
                c("{.arg data} has no columns.", i = "Each column is a node of the network."),
                call = call)
  }
  if (nrow(data) == 0L) abort_optbn("data", "{.arg data} has no rows.", call = call)
  if (ncol(data) > 65535L) {
    abort_optbn("data", "{.arg data} has {ncol(data)} columns; at most 65,535 are possible.",
                call = call)
  }
  given <- names(data) %||% rep("", length(data))
  unnamed <- is.na(given) | given == ""
  if (any(unnamed)) {
    numbers <- as.character(which(unnamed))
    abort_optbn("data", "Column{?s} {numbers} of {.arg data} {?has/have} no name.", call = call)
  }
  if (!all(validUTF8(names(data)))) {
    numbers <- as.character(which(!validUTF8(names(data))))
    abort_optbn("data",
                c(paste("{cli::qty(numbers)}The name{?s} of column{?s} {numbers} of {.arg data}",
                        "{?is/are} not valid UTF-8."),
                  i = "{cli::qty(numbers)}Re-encode {?it/them}, with {.fn iconv} for example."),
                call = call)
  }
  twice <- unique(names(data)[duplicated(names(data))])
  if (length(twice) > 0L) {
    abort_optbn(
      "data",
      c("Column names of {.arg data} must differ; {.val {twice}} occur{?s/} more than once.",
        i = "Rename with {.code names(data) <- make.unique(names(data))}."),
      call = call
    )
  }
  check_sound_columns(data, names(data), "data", call)
}

# Columns of a data frame that was put together by hand, or read from a file that somebody changed,
# may be of other lengths than the frame says, and factors may hold codes of levels that they lack.
check_sound_columns <- function(data, columns, arg, call) {
  rows <- nrow(data)
  twice <- intersect(columns, names(data)[duplicated(names(data))])
  if (length(twice) > 0L) {
    abort_optbn("data",
                c("Columns of {.arg {arg}} must have different names.",
                  x = "{.val {twice}} {?is/are} there more than once."),
                call = call)
  }
  held <- as.list(data)[columns]
  lengths <- vapply(held, NROW, 0L)
  odd <- which(lengths != rows)[1L]
  if (!is.na(odd)) {
    abort_optbn("data",
                c("The columns of {.arg {arg}} must be as long as it has rows ({rows}).",
                  x = "Column {.val {columns[odd]}} holds {lengths[odd]} value{?s}.",
                  i = "Make the data frame again with {.code data.frame()}."),
                call = call)
  }
  broken <- columns[!vapply(held, is_sound_factor, NA)]
  if (length(broken) > 0L) {
    abort_optbn("data",
                c(paste("{cli::qty(broken)}Codes and levels of the factor{?s} {.val {broken}} in",
                        "{.arg {arg}} do not match."),
                  i = "{cli::qty(broken)}Make {?it/them} again with {.code factor()}."),
                call = call)
  }
}

# True of what is no factor, too.
is_sound_factor <- function(column) {
  if (!is.factor(column)) return(TRUE)
  levels <- attr(column, "levels")
  codes <- unclass(column)
  is.integer(codes) && (is.character(levels) || is.null(levels)) && anyDuplicated(levels) == 0L &&
    min(codes, 1L, na.rm = TRUE) == 1L && max(codes, 0L, na.rm = TRUE) <= length(levels)
}

discrete_types <- c("factor", "ordered", "character", "logical")

# One type per column, or "" for one that cannot be used.
column_type <- function(column) {
  if (!is.null(dim(column))) return("")
  if (is.ordered(column)) return("ordered")
  if (is.factor(column)) return("factor")
  if (is.object(column) && !inherits(column, "AsIs")) return("")
  switch(typeof(column), character = "character", logical = "logical", integer = "integer",
         double = "numeric", "")
}

# column_type() of columns, none of which is of no use.
usable_types <- function(data, call, columns = names(data), arg = "data") {
  types <- vapply(as.list(data)[columns], column_type, "")
  unusable <- columns[types == ""]
  if (length(unusable) > 0L) {
    abort_optbn(
      "data",
      c(paste("{cli::qty(unusable)}Column{?s} {.val {unusable}} of {.arg {arg}}",
              "{cli::qty(unusable)}{?is/are} neither categorical nor numeric."),
        i = paste("{cli::qty(unusable)}Convert {?it/them} with {.code factor()} or",
                  "{.code as.numeric()}, or drop {?it/them}.")),
      call = call
    )
  }
  types
}

check_values_known <- function(columns, call) {
  gappy <- columns[vapply(columns, anyNA, NA)]
  refuse_missing(names(gappy), !vapply(gappy, is.numeric, NA), call)
  refuse_infinite(names(columns)[vapply(columns, has_infinite, NA)], call)
}

# Of a column that has a value.
has_infinite <- function(x) {
  is.double(x) && (max(x, na.rm = TRUE) == Inf || min(x, na.rm = TRUE) == -Inf)
}

# Every score of numbers adds up their squares, each of at most the squared range.
check_variances <- function(columns, call) {
  out_of_range <- vapply(columns, function(x) {
    square <- diff(range(x, na.rm = TRUE))^2
    !(square >= .Machine$double.xmin && length(x) * square <= .Machine$double.xmax)
  }, NA)
  refuse(names(columns)[out_of_range], call = call,
         c(paste("The numbers in column{?s} {.val {columns}} of {.arg data} are too large or too",
                 "small: their variance overflows or underflows."),
           i = "{cli::qty(columns)}Rescale {?it/them}."))
}

# Stops where there are any such columns. `problem` speaks of them as {columns}.
refuse <- function(columns, problem, call) {
  if (length(columns) > 0L) abort_optbn("data", problem, call = call)
}

# NA can become a level of discrete columns alone: `discrete` says which of `columns` are. The data
# may be `there`, in a table that is not in memory. `takers`: what takes them instead.
refuse_missing <- function(columns, discrete, call, there = FALSE, takers = NULL) {
  if (length(columns) == 0L) return(invisible())
  whose <- if (all(discrete)) "them" else "those of {.val {columns[discrete]}}"
  level <- if (there) "{.code dplyr::coalesce()}" else "{.code addNA()}"
  ways <- c(if (there) "drop the rows with {.code dplyr::filter(!is.na(...))}"
            else c("drop the rows with {.code na.omit()}", "impute them"),
            if (any(discrete)) paste("make", whose, "a level with", level),
            if (length(takers) > 0L) paste("use", paste(takers, collapse = " or ")))
  last <- length(ways)
  advice <- paste(c(if (last > 1L) paste(ways[-last], collapse = ", "), ways[last]),
                  collapse = ", or ")
  abort_optbn("data",
              c("Column{?s} {.val {columns}} of {.arg data} contain{?s/} missing values.",
                i = paste0(capitalise(advice), ".")),
              call = call)
}

# The names of columns that have no value.
without_values <- function(columns) names(Filter(function(x) all(is.na(x)), columns))

refuse_empty <- function(columns, call) {
  refuse(columns, call = call,
         c("Column{?s} {.val {columns}} of {.arg data} {?has/have} no value.",
           i = "{cli::qty(columns)}Drop {?it/them}."))
}

refuse_infinite <- function(columns, call) {
  refuse(columns, call = call,
         c("Column{?s} {.val {columns}} of {.arg data} contain{?s/} infinite values.",
           i = "{cli::qty(columns)}Drop these rows, or transform the column{?s}."))
}

refuse_one_level <- function(columns, call) {
  refuse(columns, call = call,
         c("Column{?s} {.val {columns}} of {.arg data} {?has/have} fewer than two levels.",
           i = "{cli::qty(columns)}Drop {?it/them}."))
}

refuse_constant <- function(columns, call) {
  refuse(columns, call = call,
         c("Numeric column{?s} {.val {columns}} of {.arg data} {?is/are} constant.",
           i = "{cli::qty(columns)}Drop {?it/them}."))
}

# The core's level codes have 16 bits.
most_levels <- 65535L

refuse_many_levels <- function(columns, call) {
  refuse(columns, call = call,
         "Column{?s} {.val {columns}} of {.arg data} {?has/have} more than 65,535 levels.")
}

as_factor_column <- function(column) {
  if (is.factor(column)) return(column)
  if (is.logical(column)) factor(column, levels = c(FALSE, TRUE)) else factor(column)
}

# A column that cannot vary can neither explain nor be explained.
check_variation <- function(columns, discrete, call) {
  refuse_one_level(names(columns)[discrete & vapply(columns, nlevels, 0L) < 2L], call)
  constant <- vapply(columns[!discrete], function(x) {
    min(x, na.rm = TRUE) == max(x, na.rm = TRUE)
  }, NA)
  refuse_constant(names(columns)[!discrete][constant], call)
}

check_level_counts <- function(columns, call) {
  refuse_many_levels(names(columns)[vapply(columns, nlevels, 0L) > most_levels], call)
}

announce_coercions <- function(types) {
  made <- c(character = "factors", logical = "factors")
  if (!any(types %in% names(made))) return(invisible())
  coerced <- split(names(types), types)[intersect(names(made), types)]
  # by reference: names may hold braces, which are not to be read
  lines <- sprintf("%s to %s: {.val {coerced[['%s']]}}", names(coerced), made[names(coerced)],
                   names(coerced))
  announce(c("Coerced columns:", stats::setNames(lines, rep("*", length(lines)))))
}

announce_unused_levels <- function(factors) {
  unused <- names(factors)[vapply(factors, function(x) {
    any(tabulate(x, nlevels(x)) == 0L)
  }, NA)]
  if (length(unused) > 0L) {
    announce(c("Column{?s} {.val {unused}} declare{?s/} levels that do not occur.",
               i = "They count in the scores; {.code droplevels()} removes them."))
  }
}

# Whole row counts, or any numbers of at least 0. A total of 2^32 or more would overflow the core's
# cells.
check_weights <- function(weights, rows, call = parent.frame(), fractions = FALSE,
                          of = "data") {
  if (is.null(weights)) return(NULL)
  if (!is.numeric(weights) || length(weights) != rows) {
    abort_optbn("argument",
                c("{.arg weights} must be one number per row of {.arg {of}} ({rows}).",
                  x = "It is {describe(weights)}."),
                call = call)
  }
  broken <- is.na(weights) | weights < 0 | is.infinite(weights)
  bad <- which(broken | (!fractions & weights != round(weights)))
  if (length(bad) > 0L) {
    wanted <- if (fractions) "finite numbers" else "row counts: whole numbers"
    abort_optbn("argument",
                c("{.arg weights} must be {wanted}, 0 or more.",
                  x = "Element {bad[1]} is {weights[bad[1]]}.",
                  i = if (!broken[bad[1L]]) {
                    paste("Scores {.val bic}, {.val aic}, {.val ebic} and {.val loglik}, and their",
                          "Gaussian forms, accept fractions.")
                  }),
                call = call)
  }
  total <- sum(weights)
  if (total == 0 || total >= 2^32) {
    abort_optbn("argument",
                "{.arg weights} must sum to between 1 and 2^32 - 1; they sum to {total}.",
                call = call)
  }
  as.double(weights)
}

# N in every score. Of completed rows `scale` stand for one.
row_total <- function(encoded) encoded$total / (encoded$scale %||% 1)

# So many to one row that rounding does not count; NULL where all weights are whole.
scale_of_weights <- function(weights) {
  if (is.null(weights) || all(weights == round(weights))) return(NULL)
  floor(min(1e6, 4e9 / max(1, sum(weights))))
}

is_discrete <- function(encoded) !vapply(encoded$levels, is.null, NA)
