# lagged(): series as rows that hold a time point and those before it.
#
# A *layout* says how the columns of series are laid out in such rows:
#   variables   columns that change with time
#   static      columns that are the same at all times of a subject
#   lags        how many steps back a row reaches
#   id, time    names of columns, or NULL
#   gaps        what becomes of rows that a gap in time separates from a lag
#   clock       how times count, see clock_of(); NULL without `time`
# Variable x is `x` now and `x_lag2` two steps before; lag 0 is now.

#' Series as Rows With Lagged Columns
#'
#' Converts one series, or those of several subjects, to a table with a row for each time point that
#' has all its lags. The columns are the variables at present and at each earlier step, and static
#' columns. [learn_dynamic()] does this automatically. Use the table to inspect the rows, or for
#' another learner.
#'
#' @param data A data frame with a row for each time point (of each subject); use `as.data.frame()`
#'   for a `ts`. Or a table in a database, as in [parent_sets()]: see *Databases*.
#' @param lags The number of earlier steps in a row, a whole number, 1 or more.
#' @param id The name of the column that identifies subjects; `NULL` if there is one series.
#' @param time The name of the column of times: numbers, dates or date-times; `NULL` if the rows are
#'   in the order of time.
#' @param static Names of columns that do not change with time, such as the sex of a subject. They
#'   get no lags.
#' @param gaps The treatment of a time point without all lags: `"drop"` omits it; `"missing"` keeps
#'   it if it has any lag, with `NA` for the others. The first `lags` time points of a subject are
#'   never rows.
#' @param targets The variables, or static columns, that were set from outside in each row of
#'   `data`, as in [learn_dag()]. A column that names them is not a variable. Not possible for
#'   tables in a database.
#'
#' @details
#' Times must be regular: every difference within a subject is a multiple of the smallest one, which
#' is the step. Dates on the same day of the month are counted in months, so the first days of
#' January, February and March are one step apart. Subjects may begin and end at different times.
#' Subjects with too few rows are left out, and a message reports this.
#'
#' Missing values remain `NA`; use `learn_dag(missing = "em")` for them. (EM completes each row
#' separately, so a missing value is missing in every row in which it appears.)
#'
#' @section Databases: The database joins the lags, and the result is a table there: nothing is
#'   fetched or written. `time` is required and must be a numeric column. If you query the table
#'   often, store it by `dplyr::compute()`.
#'
#' @return A data frame, sorted by subject and time, with the static columns, those of the oldest
#'   lag, and so on up to those of the present. Variable `x` is named `x_lag2` two steps earlier,
#'   and `x` at present. The attribute `lagged` is a list with `variables`, `static`, `lags`, `id`,
#'   `time`, `gaps`, `clock` (the `unit`, `step` and `origin` of time), `tiers` (a list of names:
#'   static columns, those of the oldest lag, ..., those of the present, for [learn_dag()]), `index`
#'   (a data frame: subject and time of each row), `first` (the numbers of the rows that are the
#'   first of a subject) and, if there are any, `targets` (by column of the table, the rows in which
#'   it was set).
#'
#' @section Errors: `optbn_error_argument` for names that are not columns, or columns whose lag
#'   would have the name of another; `optbn_error_data` for times that are missing, duplicated
#'   within a subject or irregular, for static columns that change, and if no time point has its
#'   lags.
#'
#' @seealso [learn_dynamic()]
#' @examples
#' rows <- lagged(as.data.frame(EuStockMarkets)[1:6, 1:2], lags = 2)
#' rows
#' attr(rows, "lagged")$tiers
#'
#' # weights of chicks, every second day (and on the last)
#' chicks <- subset(as.data.frame(ChickWeight), Time < 21)
#' head(lagged(chicks, id = "Chick", time = "Time", static = "Diet"))
#' @export
lagged <- function(data, lags = 1, id = NULL, time = NULL, static = NULL,
                   gaps = c("drop", "missing"), targets = NULL) {
  require_arguments()
  lay_out(data, lags, id, time, static, gaps, targets, environment())
}

# `call`: what the user called.
lay_out <- function(data, lags, id, time, static, gaps, targets, call) {
  columns <- check_series_columns(data, call)
  if (is_lazy_table(data)) {
    refuse_targets_there(targets, call)
    return(lagged_there(data, check_layout(data, lags, id, time, static, gaps, call), call))
  }
  data <- as.data.frame(data)
  named <- target_column(targets, data)
  series <- data[setdiff(columns, named)]
  layout <- check_layout(series, lags, id, time, static, gaps, call)
  nodes <- data[c(layout$static, layout$variables, named)]
  lagged_here(series, layout, split_targets(nodes, targets, call)$targets, call)
}

lag_name <- function(variables, lag) {
  if (lag == 0L) variables else paste0(variables, "_lag", lag, recycle0 = TRUE)
}

# Names of the columns by tier: static ones, the oldest lag, ..., now.
layout_tiers <- function(layout) {
  slices <- lapply(seq(layout$lags, 0L), function(lag) lag_name(layout$variables, lag))
  Filter(length, c(list(layout$static), slices))
}

# Names of the columns that are past: all but those of now.
past_columns <- function(layout) setdiff(unlist(layout_tiers(layout)), layout$variables)

# By name of a column: the variable and its lag, NA of a static one.
past_places <- function(layout) {
  lags <- seq(0L, layout$lags)
  variables <- layout$variables
  data.frame(
    variable = c(rep(variables, length(lags)), layout$static),
    lag = c(rep(lags, each = length(variables)), rep(NA_integer_, length(layout$static))),
    row.names = c(unlist(lapply(lags, lag_name, variables = variables)), layout$static)
  )
}

# ---- arguments ----------------------------------------------------------------------------------

check_layout <- function(data, lags, id, time, static, gaps, call) {
  columns <- check_series_columns(data, call)
  lags <- check_count(lags, "lags", minimum = 1, maximum = 1000, call = call)
  gaps <- check_choice(gaps, c("drop", "missing"), "gaps", call)
  id <- check_column_names(id, "id", columns, 1L, call)
  time <- check_column_names(time, "time", columns, 1L, call)
  static <- check_column_names(static, "static", columns, Inf, call) %||% character()
  check_named_once(list(id = id, time = time, static = static), call)
  layout <- list(variables = setdiff(columns, c(id, time, static)), static = static, lags = lags,
                 id = id, time = time, gaps = gaps)
  if (length(layout$variables) == 0L) {
    abort_optbn("data",
                c("{.arg data} must have a column that changes with time.",
                  x = "All are {.arg id}, {.arg time} or {.arg static}."),
                call = call)
  }
  check_lag_names(layout, call)
  if (is.data.frame(data)) {
    check_usable_columns(data, c(layout$static, layout$variables), "data", call)
  }
  layout
}

check_series_columns <- function(data, call) {
  if (is_lazy_table(data)) return(nodes_of(data, NULL))
  check_data_frame(data, call)
  names(data)
}

refuse_targets_there <- function(targets, call) {
  if (is.null(targets)) return(invisible())
  abort_optbn("argument",
              c("{.arg targets} cannot be given with series in a database.",
                i = "{.code dplyr::collect()} fetches the table."), call = call)
}

# NULL, or so many names of columns at most.
check_column_names <- function(names, arg, columns, most, call) {
  if (is.null(names) || identical(names, character())) return(NULL)
  ok <- is.character(names) && length(names) %in% seq_len(min(most, length(columns))) &&
    !anyNA(names) && all(names %in% columns)
  if (!ok) {
    wanted <- if (most == 1L) "the name of one column" else "names of columns"
    abort_optbn("argument",
                c("{.arg {arg}} must be NULL, or {wanted} of {.arg data}.",
                  x = "It is {describe(names)}.", i = "The columns are {.val {columns}}."),
                call = call)
  }
  unique(names)
}

# `roles`: columns by argument.
check_named_once <- function(roles, call) {
  named <- unlist(roles, use.names = FALSE)
  twice <- named[duplicated(named)]
  if (length(twice) == 0L) return(invisible())
  roles <- names(Filter(function(columns) twice[1L] %in% columns, roles))
  abort_optbn("argument", "Column {.val {twice[1L]}} cannot be both {.arg {roles}}.", call = call)
}

check_lag_names <- function(layout, call) {
  made <- unlist(lapply(seq_len(layout$lags), lag_name, variables = layout$variables))
  clash <- intersect(made, c(layout$variables, layout$static))
  if (length(clash) == 0L) return(invisible())
  abort_optbn("argument",
              c("The column{?s} {.val {clash}} {?has/have} the name{?s} of {?a lag/lags}.",
                i = "Rename {cli::qty(clash)}{?it/them}, or leave {?it/them} out of {.arg data}."),
              call = call)
}

# ---- time ---------------------------------------------------------------------------------------

# A clock counts steps: its `unit` ("number", "day", "month" or "second"), how many units a `step`
# is, and the time of step 0, the `origin`. `time` and `subject`: sorted by both.
clock_of <- function(time, subject, call) {
  unit <- time_unit(time)
  at <- time_number(time, unit)
  apart <- diff(at)[diff(subject) == 0]
  list(unit = unit, step = if (length(apart)) min(apart) else 1, origin = time[1L])
}

# Dates on the same day of the month are months apart, and date-times at one time of the day days.
time_unit <- function(time) {
  if (inherits(time, "POSIXct")) {
    if (length(unique(format(time, "%H:%M:%OS6"))) > 1L) return("second")
    time <- as_local_date(time)
  }
  if (!inherits(time, "Date")) return("number")
  one_day <- length(unique(format(time, "%d"))) == 1L && length(unique(time)) > 1L
  if (one_day) "month" else "day"
}

as_local_date <- function(time) as.Date(format(time, "%Y-%m-%d"))

time_number <- function(time, unit) {
  if (unit %in% c("number", "second")) return(as.double(time))
  if (inherits(time, "POSIXct")) time <- as_local_date(time)
  if (unit == "day") return(as.double(time))
  parts <- as.POSIXlt(time)
  # another day of the month is between two of these months
  12 * parts$year + parts$mon + parts$mday / 100
}

# Rows in the order of time: the steps of each since the first row of its subject, whole numbers,
# and the steps at which subjects `begin`, counted from the origin.
count_steps <- function(time, subject, clock, arg, call) {
  from_origin <- time_number(time, clock$unit) - time_number(clock$origin, clock$unit)
  first <- match(subject, subject)
  steps <- (from_origin - from_origin[first]) / clock$step
  odd <- which(abs(steps - round(steps)) > 1e-6)
  if (length(odd)) {
    step <- paste(c(format(clock$step, digits = 6), if (clock$unit != "number") clock$unit),
                  collapse = " ")
    i <- odd[1L]
    abort_optbn("data",
                c("Column {.val {arg}}, the {.arg time}, must have regular steps.",
                  x = paste("The step is {step}, and {format(time[i])} is no whole number of steps",
                            "from {format(time[first[i]])}."),
                  i = paste("Round the times, or leave {.arg time} out if rows follow each other",
                            "in time.")),
                call = call)
  }
  list(step = round(steps), begin = from_origin[!duplicated(subject)] / clock$step)
}

# The times of steps.
times_at <- function(steps, clock) {
  number <- time_number(clock$origin, clock$unit) + steps * clock$step
  origin <- clock$origin
  if (clock$unit %in% c("number", "second")) {
    time <- if (inherits(origin, "POSIXct")) as.POSIXct(number, origin = "1970-01-01") else number
    attributes(time) <- attributes(origin)
    return(if (is.integer(origin)) as.integer(time) else time)
  }
  date <- if (clock$unit == "day") {
    as.Date(number, origin = "1970-01-01")
  } else {
    month <- floor(number + 1e-6)
    as.Date(sprintf("%04d-%02d-%s", 1900 + month %/% 12, month %% 12 + 1, format(origin, "%d")))
  }
  if (inherits(origin, "Date")) return(date)
  as.POSIXct(paste(date, format(origin, "%H:%M:%OS3")), tz = attr(origin, "tzone") %||% "")
}

check_times <- function(time, arg, call) {
  usable <- is.numeric(time) || inherits(time, c("Date", "POSIXct"))
  if (!usable || is.factor(time)) {
    abort_optbn("data",
                c("Column {.val {arg}}, the {.arg time}, must hold numbers, dates or date-times.",
                  x = "It is {describe(time)}."),
                call = call)
  }
  if (any(!is.finite(time))) {
    rows <- which(!is.finite(time))
    abort_optbn("data",
                c("Column {.val {arg}}, the {.arg time}, must be known and finite in all rows.",
                  x = "Row {rows[1L]} holds {format(time[rows[1L]])}."),
                call = call)
  }
}

# ---- series -------------------------------------------------------------------------------------

# Rows in the order of subjects and times: `row` of the data, `subject` (its number among `labels`)
# and `step` (0 for the first of a subject), by row; the steps at which subjects `begin`; and the
# `clock`, that of the layout if it has one.
order_series <- function(data, layout, call) {
  n <- nrow(data)
  label <- if (is.null(layout$id)) rep(1L, n) else data[[layout$id]]
  check_subjects(label, layout$id, call)
  labels <- sort(unique(label))
  subject <- match(label, labels)
  time <- if (!is.null(layout$time)) data[[layout$time]]
  if (is.null(time)) {
    row <- order(subject)
    step <- sequence(tabulate(subject, length(labels))) - 1
    return(list(row = row, subject = subject[row], step = step, labels = labels,
                begin = numeric(length(labels))))
  }
  check_times(time, layout$time, call)
  row <- order(subject, time)
  subject <- subject[row]
  check_repeats(time[row], subject, labels, layout, call)
  clock <- layout$clock %||% clock_of(time[row], subject, call)
  c(list(row = row, subject = subject, labels = labels, clock = clock),
    count_steps(time[row], subject, clock, layout$time, call))
}

check_subjects <- function(label, id, call) {
  usable <- is.atomic(label) && is.null(dim(label)) && !is.raw(label) && !is.complex(label)
  if (!usable || !is_sound_factor(label)) {
    abort_optbn("data",
                c("Column {.val {id}}, the {.arg id}, must be a factor, text, numbers or dates.",
                  x = "It is {describe(label)}."), call = call)
  }
  if (anyNA(label)) {
    abort_optbn("data",
                c("Column {.val {id}}, the {.arg id}, must be known in all rows.",
                  x = "It is missing in row {which(is.na(label))[1L]}."),
                call = call)
  }
}

check_repeats <- function(time, subject, labels, layout, call) {
  twice <- which(diff(subject) == 0 & diff(as.double(time)) == 0)
  if (length(twice) == 0L) return(invisible())
  i <- twice[1L]
  whose <- if (!is.null(layout$id)) " in subject {.val {as.character(labels[subject[i]])}}"
  abort_optbn("data",
              c("A subject can have one row at a time.",
                x = paste0("Column {.val {layout$time}} has {format(time[i])} twice", whose, "."),
                i = if (is.null(layout$id)) {
                  "If there are several subjects, name their column by {.arg id}."
                } else {
                  "Drop or merge such rows."
                }),
              call = call)
}

# ---- data frames --------------------------------------------------------------------------------

# `targets`: by variable or static column, the rows of the data in which it was set, or NULL.
lagged_here <- function(data, layout, targets, call) {
  series <- order_series(data, layout, call)
  layout$clock <- series$clock
  data <- with_static(data[series$row, , drop = FALSE], series, layout, call)
  # so wide that no lag reaches into the subject before
  span <- max(series$step) + layout$lags + 1
  key <- series$subject * span + series$step
  past <- lapply(seq_len(layout$lags), function(lag) match(key - lag, key))
  there <- Reduce(`+`, lapply(past, function(rows) !is.na(rows)))
  enough <- if (layout$gaps == "drop") layout$lags else 1L
  keep <- which(there >= enough & series$step >= layout$lags)
  announce_short(setdiff(seq_along(series$labels), series$subject[keep]), series, layout)
  if (length(keep) == 0L) abort_no_lags(layout, call)
  by_lag <- lapply(set_names(seq(layout$lags, 0L)), function(lag) {
    if (lag == 0L) keep else past[[lag]][keep]
  })
  slices <- Map(function(rows, lag) {
    columns <- lapply(data[layout$variables], `[`, rows)
    set_names(columns, lag_name(layout$variables, lag))
  }, unname(by_lag), as.integer(names(by_lag)))
  columns <- c(lapply(data[layout$static], `[`, keep), unlist(slices, recursive = FALSE))
  index <- data[keep, c(layout$id, layout$time), drop = FALSE]
  row.names(index) <- NULL
  table <- with_layout(list2DF(columns, length(keep)), layout, index = index,
                       first = which(!duplicated(series$subject[keep])))
  attr(table, "lagged")$targets <- lagged_targets(targets, series, by_lag, layout)
  table
}

# By column of the table, the rows in which it was set. `by_lag`: the numbers of rows of the sorted
# series. A static column that was set in one row of a subject was so in all.
lagged_targets <- function(targets, series, by_lag, layout) {
  if (is.null(targets)) return(NULL)
  of_slices <- lapply(names(by_lag), function(lag) {
    set <- targets_of_rows(targets[intersect(names(targets), layout$variables)],
                           series$row[by_lag[[lag]]])
    set_names(set, lag_name(names(set), as.integer(lag)))
  })
  of_subjects <- lapply(targets[intersect(names(targets), layout$static)], function(rows) {
    which(series$subject[by_lag[["0"]]] %in% series$subject[series$row %in% rows])
  })
  Filter(length, c(of_subjects, unlist(of_slices, recursive = FALSE)))
}

with_layout <- function(table, layout, ...) {
  structure(table, lagged = c(layout, list(tiers = layout_tiers(layout), ...)))
}

# What is known of a static column in any row of a subject is known in all.
with_static <- function(data, series, layout, call) {
  for (column in layout$static) {
    known <- which(!is.na(data[[column]]))
    first <- known[match(series$subject, series$subject[known])]
    values <- data[[column]][first]
    changed <- which(data[[column]] != values)
    if (length(changed)) abort_changing(column, series$labels[series$subject[changed[1L]]], layout,
                                        call)
    data[[column]] <- values
  }
  data
}

abort_changing <- function(column, subject, layout, call) {
  whose <- if (!is.null(layout$id)) " in subject {.val {as.character(subject)}}"
  abort_optbn("data",
              c("Column {.val {column}} is {.arg static} and must not change with time.",
                x = paste0("It does", whose, "."),
                i = if (is.null(layout$id)) {
                  "Name the column of the subjects by {.arg id}."
                } else {
                  "Take it out of {.arg static}, or correct it."
                }),
              call = call)
}

announce_short <- function(subjects, series, layout) {
  if (length(subjects) == 0L || is.null(layout$id)) return(invisible())
  names <- as.character(series$labels[subjects])
  announce(paste("{length(names)} subject{?s} {?is/are} left out, without a time point that has",
                 "its lags: {first_few(names)}."))
}

abort_no_lags <- function(layout, call) {
  abort_optbn("data",
              c("{.arg data} must have a time point with {layout$lags} step{?s} before it.",
                i = paste("Lower {.arg lags}, or give more rows; where times have gaps,",
                          "{.code gaps = \"missing\"} keeps more.")),
              call = call)
}

# ---- tables in a database -----------------------------------------------------------------------

# As lagged_here(), of a table whose rows stay where they are. Lags are joined by subject and time.
lagged_there <- function(data, layout, call) {
  require_package("dplyr", "for tables that are not in memory", call)
  if (inherits(data, "tbl_lazy")) require_package("dbplyr", "for tables in a database", call)
  data <- dplyr::ungroup(data)
  check_times_there(data, layout, call)
  layout$clock <- clock_there(data, layout, call)
  check_static_there(data, layout, call)
  rows <- with_begin_there(data, layout)
  for (lag in seq_len(layout$lags)) rows <- with_lag_there(rows, data, lag, layout)
  time <- rlang::sym(layout$time)
  begin <- rlang::sym(begin_column(layout))
  rows <- dplyr::filter(rows, (!!time) >= (!!begin) + !!(layout$lags * layout$clock$step))
  if (layout$gaps == "missing") {
    there <- lapply(present_column(layout, seq_len(layout$lags)), function(column) {
      rlang::expr(!is.na(!!rlang::sym(column)))
    })
    rows <- dplyr::filter(rows, !!Reduce(function(a, b) rlang::expr(!!a | !!b), there))
  }
  table <- dplyr::select(rows, dplyr::all_of(unlist(layout_tiers(layout))))
  with_layout(table, layout, first = first_there(rows, layout))
}

# Rows with the variables of their subject so many steps before, and a column that is 1 where there
# is a row of then.
with_lag_there <- function(rows, data, lag, layout) {
  time <- rlang::sym(layout$time)
  variables <- set_names(rlang::syms(layout$variables), lag_name(layout$variables, lag))
  moved <- set_names(list(rlang::expr((!!time) + !!(lag * layout$clock$step)), 1L),
                            c(layout$time, present_column(layout, lag)))
  past <- dplyr::transmute(data, !!!rlang::syms(layout$id), !!!variables, !!!moved)
  join <- if (layout$gaps == "drop") dplyr::inner_join else dplyr::left_join
  join(rows, past, by = c(layout$id, layout$time))
}

# A name longer than any column's.
begin_column <- function(layout) {
  paste0("begin", strrep("_", max(nchar(unlist(layout_tiers(layout))))))
}

present_column <- function(layout, lag) paste0(begin_column(layout), lag)

# Each row with the first time of its subject.
with_begin_there <- function(data, layout) {
  time <- rlang::sym(layout$time)
  begin <- begin_column(layout)
  grouped <- dplyr::group_by(data, !!!rlang::syms(layout$id))
  first <- set_names(list(rlang::expr(min(!!time, na.rm = TRUE))), begin)
  dplyr::ungroup(dplyr::mutate(grouped, !!!first))
}

first_there <- function(rows, layout) {
  grouped <- dplyr::group_by(rows, !!!rlang::syms(layout$id))
  time <- rlang::sym(layout$time)
  first <- dplyr::ungroup(dplyr::filter(grouped, (!!time) == min(!!time, na.rm = TRUE)))
  dplyr::select(first, dplyr::all_of(unlist(layout_tiers(layout))))
}

check_times_there <- function(data, layout, call) {
  if (is.null(layout$time)) {
    abort_optbn("argument",
                c("{.arg time} must name a column: rows in a database have no order of their own."),
                call = call)
  }
  first <- ask(dplyr::collect(utils::head(dplyr::select(data, dplyr::all_of(layout$time)), 1000L)),
               call)
  if (!is.numeric(first[[1L]])) {
    abort_optbn("data",
                c(paste("Column {.val {layout$time}}, the {.arg time} of a table in a database,",
                        "must hold numbers."),
                  x = "It is {describe(first[[1L]])}.",
                  i = "Make it a whole number that counts the steps."),
                call = call)
  }
  for (column in c(layout$time, layout$id)) {
    missing <- dplyr::filter(data, is.na(!!rlang::sym(column)))
    if (rows_there(missing, call) > 0) {
      arg <- if (column == layout$time) "time" else "id"
      abort_optbn("data", "Column {.val {column}}, the {.arg {arg}}, must be known in all rows.",
                  call = call)
    }
  }
}

rows_there <- function(table, call) {
  as.double(ask(dplyr::collect(dplyr::summarise(table, n = dplyr::n())), call)$n)
}

clock_there <- function(data, layout, call) {
  check_repeats_there(data, layout, call)
  time <- rlang::sym(layout$time)
  apart <- differences_there(data, layout)
  facts <- ask(dplyr::collect(dplyr::summarise(apart, step = min(apart, na.rm = TRUE),
                                               origin = min(!!time, na.rm = TRUE))), call)
  step <- as.double(facts$step)
  if (is.na(step)) abort_no_lags(layout, call)
  off <- rlang::expr(abs(apart / !!step - round(apart / !!step)) > 1e-6)
  odd <- ask(dplyr::collect(utils::head(dplyr::filter(apart, !!off), 1L)), call)
  if (nrow(odd)) {
    abort_optbn("data",
                c("Column {.val {layout$time}}, the {.arg time}, must have regular steps.",
                  x = "The smallest step is {format(step)}, and another is {format(odd$apart)}.",
                  i = "Round the times."),
                call = call)
  }
  list(unit = "number", step = step, origin = without_64_bits(facts$origin))
}

check_repeats_there <- function(data, layout, call) {
  key <- rlang::syms(c(layout$id, layout$time))
  groups <- dplyr::ungroup(dplyr::summarise(dplyr::group_by(data, !!!key), n = dplyr::n(),
                                            .groups = "drop"))
  several <- dplyr::filter(groups, (!!rlang::sym("n")) > 1L)
  twice <- ask(dplyr::collect(utils::head(several, 1L)), call)
  if (nrow(twice)) {
    abort_optbn("data",
                c("A subject can have one row at a time.",
                  x = "Column {.val {layout$time}} has {format(twice[[layout$time]])} twice.",
                  i = "Name the column of the subjects by {.arg id}, or drop such rows."),
                call = call)
  }
}

# Each row's time and how long `apart` it is from the one before.
differences_there <- function(data, layout) {
  time <- rlang::sym(layout$time)
  grouped <- dplyr::group_by(data, !!!rlang::syms(layout$id))
  before <- rlang::call2("lag", time, 1L)
  sorted <- dbplyr::window_order(grouped, !!time)
  named <- set_names(list(time), layout$time)
  dplyr::ungroup(dplyr::transmute(sorted, !!!named, apart = 1 * ((!!time) - (!!before))))
}

check_static_there <- function(data, layout, call) {
  for (column in layout$static) {
    value <- rlang::sym(column)
    grouped <- dplyr::group_by(data, !!!rlang::syms(layout$id))
    counted <- dplyr::summarise(grouped, values = dplyr::n_distinct(!!value), .groups = "drop")
    changed <- dplyr::filter(counted, .data$values > 1L)
    found <- ask(dplyr::collect(utils::head(changed, 1L)), call)
    if (nrow(found)) abort_changing(column, found[[layout$id %||% 1L]], layout, call)
  }
}
