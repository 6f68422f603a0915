# learn_dynamic(): a dynamic network is two networks, of a transition and of the first slices, each
# learned by learn_dag() from the rows that lagged() makes.

#' Learn a Dynamic Bayesian Network
#'
#' @description
#' Learns the network with the highest score for one or several time series, and proves its
#' optimality. Each variable depends on variables at the same time and at up to `lags` earlier
#' steps, in the same way at all times. [fit_network()] then estimates the parameters,
#' [predict()][predict.optbn_dynamic_fit] forecasts, [filtered()] and [smoothed()] compute
#' distributions of hidden values, and [unroll()] gives an ordinary network for any number of time
#' points.
#'
#' @details
#' A *slice* is one time point. Two networks are learned from the rows of [lagged()]:
#' * The *transition* network contains the present variables, their lags and the static columns.
#'   Lags and static columns have no parents. This constraint makes the search cheap. The score and
#'   the bound of its [certificate()] are sums over all nodes; the terms of lags and static columns
#'   are the same in every network. `print()` shows the sum over the others.
#' * The *initial* network contains the static columns and the first `lags` slices, in which arcs do
#'   not lead to earlier slices. It is learned from the first row of each subject (`initial =
#'   "first"`). If there are too few subjects, it is learned from the lags in all rows (`"all"`), as
#'   if the first slices were like all others. `"auto"` means `"first"` if there are at least 100
#'   subjects and no column is constant in their first rows, and otherwise, and for a table in a
#'   database, `"all"`.
#'
#' An interrupt (Ctrl-C) ends the current search with its best network and a warning, as in
#' [learn_dag()]. If this was the search for the transition network, the search for the initial one
#' then stops at its first network.
#'
#' The score refers to the joint distribution of a slice given the past. For forecasts of means,
#' `within = FALSE` can be better: each variable is then scored given only the past, as a forecast
#' needs, and the proof is faster. The variables at the same time are then assumed to be independent
#' given the past, so intervals for later steps are less reliable.
#'
#' With missing values, use `missing = "em"`: structural EM, row by row (see [learn_dag()]).
#'
#' @param data A data frame with a row for each time point (of each subject), a table in a database,
#'   or the result of [lagged()]. In the last case, omit `lags`, `id`, `time`, `static`,
#'   `gaps` and `targets`.
#' @param lags The number of earlier time steps on which a variable can depend, a whole number, 1 or
#'   more.
#' @inheritParams lagged
#' @param within May a variable have parents at the same time? If not, all parents are earlier or
#'   static, and each variable is searched separately. (The first slices may still have such arcs.)
#' @param score As in [learn_dag()].
#' @param ... Further arguments of [learn_dag()] for both networks: `missing`, `time_limit` (of each
#'   search), `threads`, `progress` and others. `start`, `ancestors`, `max_arcs`, `log` and `proof`
#'   apply only to the transition network. `tiers` and `weights` are not allowed.
#' @param max_parents The largest number of parents of a variable: one number, or one for each
#'   variable by name.
#' @param whitelist,blacklist Required and forbidden arcs: tables with two columns, from and to. A
#'   parent is named as in [lagged()]: `x` at the same time, `x_lag1` one step earlier, or a static
#'   column. The child is a variable. The constraints also hold between the first slices.
#' @param targets The variables, or static columns, that were set from outside in each row of
#'   `data`, as in [learn_dag()]. In such a row a variable counts only as a parent of others, at the
#'   same time and later. A column that names the targets is not a variable.
#' @param initial The rows from which the initial network is learned, see *Details*.
#'
#' @return An object of class `optbn_dynamic`, a list with the networks `transition` and `initial`
#'   (of class `c("optbn", "bn")`, see [learn_dag()]), `layout` (the arrangement of series in rows:
#'   the elements `variables`, `static`, `lags`, `id`, `time`, `gaps` and `clock` of [lagged()]),
#'   and `rows` (`"first"` or `"all"`: the rows from which `initial` was learned). `print()` shows
#'   the arcs by lag. `as.data.frame()` returns them, with columns `from`, `to` (variables) and
#'   `lag` (0 within a slice, `NA` from static columns). [plot()][plot.optbn_dynamic] draws them,
#'   and [certificate()] returns the certificate of the transition network.
#'
#' @section Errors: Those of [lagged()] and [learn_dag()]; `optbn_error_constraints` for arcs that
#'   lead into the past.
#' @references
#' Dean, T. and Kanazawa, K. (1989). A model for reasoning about persistence and causation.
#' *Computational Intelligence* 5, 142-150. \doi{10.1111/j.1467-8640.1989.tb00324.x}
#'
#' Friedman, N., Murphy, K. and Russell, S. (1998). Learning the structure of dynamic probabilistic
#' networks. *Uncertainty in Artificial Intelligence 14*, 139-147.
#' @examples
#' # daily returns of four stock indices
#' returns <- as.data.frame(diff(log(EuStockMarkets)))
#' network <- learn_dynamic(returns, lags = 2)
#' network
#' as.data.frame(network)
#' @export
learn_dynamic <- function(data, lags = 1, id = NULL, time = NULL, static = NULL, within = TRUE,
                          score = NULL, ..., max_parents = NULL, whitelist = NULL,
                          blacklist = NULL, gaps = c("drop", "missing"), targets = NULL,
                          initial = c("auto", "first", "all")) {
  require_arguments()
  call <- environment()
  initial <- check_choice(initial, c("auto", "first", "all"), "initial", call)
  within <- check_flag(within, "within", call)
  further <- list(...)
  refuse_with_series(names(further), call)
  rows <- if (is.null(attr(data, "lagged"))) {
    lay_out(data, lags, id, time, static, gaps, targets, call)
  } else {
    given <- c(lags = !missing(lags), id = !missing(id), time = !missing(time),
               static = !missing(static), gaps = !missing(gaps), targets = !missing(targets))
    check_laid_out(data, names(given)[given], call)
  }
  layout <- layout_of(rows)
  whitelist <- check_dynamic_arcs(whitelist, "whitelist", layout, call)
  blacklist <- check_dynamic_arcs(blacklist, "blacklist", layout, call)
  most <- check_variable_limits(max_parents, layout, call)
  transition <- learn_transition(rows, score, further, layout, most, whitelist, blacklist, within)
  if (was_interrupted(transition)) further$time_limit <- 0 # the first network that is found
  which_rows <- initial_rows(rows, initial)
  first <- learn_initial(rows_of_start(rows, which_rows), score, further, layout, most, whitelist,
                         blacklist)
  structure(list(transition = transition, initial = first, layout = layout, rows = which_rows),
            class = "optbn_dynamic")
}

# ---- arguments ----------------------------------------------------------------------------------

for_transition_alone <- c("start", "ancestors", "max_arcs", "log", "proof")

# `given`: names of arguments, for functions to which rows and columns have another meaning.
refuse_with_series <- function(given, call) {
  odd <- intersect(given, c("tiers", "weights", "x"))
  if (length(odd) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg {odd}} cannot be given with series.",
                i = "Time orders the columns, and each row counts once."), call = call)
}

# `given`: arguments that say what the rows say already. `layout`: that which they must have, or
# NULL.
check_laid_out <- function(rows, given, call, layout = NULL) {
  if (length(given)) {
    abort_optbn("argument",
                c("{.arg {given}} cannot be used with the result of {.fn lagged}.",
                  i = "Its rows have their lags already: leave the argument out."),
                call = call)
  }
  laid_out <- attr(rows, "lagged")
  columns <- if (is_data(rows)) nodes_of(rows, NULL)
  if (!is_sound_layout(laid_out) || !identical(columns, unlist(layout_tiers(laid_out))) ||
      (is.data.frame(rows) && !identical(nrow(laid_out$index), nrow(rows)))) {
    abort_optbn("data",
                c("{.arg data} no longer has the columns and rows of {.fn lagged}.",
                  i = "Select columns and rows before {.fn lagged}."),
                call = call)
  }
  same <- c("variables", "static", "lags")
  if (!is.null(layout) && !identical(laid_out[same], layout[same])) {
    abort_optbn("data",
                c("{.arg data} must have the variables and lags of {.arg network}.",
                  i = "Give the series, and {.fn lagged} makes the rows."),
                call = call)
  }
  rows
}

layout_of <- function(rows) {
  attr(rows, "lagged")[c("variables", "static", "lags", "id", "time", "gaps", "clock")]
}

# Arcs by the names of lagged(), which lead to a variable now.
check_dynamic_arcs <- function(arcs, arg, layout, call) {
  arcs <- check_arc_table(arcs, arg, unlist(layout_tiers(layout)), call)
  into_past <- setdiff(arcs[, "to"], layout$variables)
  if (length(into_past)) {
    abort_optbn("constraints",
                c("Arcs of {.arg {arg}} must lead to present variables.",
                  x = "{.val {into_past}} {?is/are} past or static.",
                  i = "{.val x_lag1}, {.val x} is such an arc; it holds at all times."),
                call = call)
  }
  arcs
}

# By variable; NULL where nothing is given.
check_variable_limits <- function(max_parents, layout, call) {
  if (is.null(max_parents)) return(NULL)
  columns <- length(unlist(layout_tiers(layout)))
  variables <- layout$variables
  check_max_parents(max_parents, variables, call)
  limits <- if (is.null(names(max_parents))) max_parents else max_parents[variables]
  set_names(pmin(rep_len(unname(limits), length(variables)), columns - 1), variables)
}

# ---- the two networks ---------------------------------------------------------------------------

# Lags and static columns are roots: of each there is one parent set.
learn_transition <- function(rows, score, further, layout, most, whitelist, blacklist, within) {
  past <- past_columns(layout)
  variables <- layout$variables
  limits <- c(set_names(rep(0, length(past)), past),
              most %||% set_names(rep(Inf, length(variables)), variables))
  limits <- if (is.null(most)) implied_limits(limits) else limits
  if (!within) blacklist <- rbind(blacklist, arcs_within(variables))
  rlang::inject(learn_dag(rows, score, !!!further, max_parents = limits, whitelist = whitelist,
                          blacklist = blacklist, targets = targets_of(rows, variables)))
}

arcs_within <- function(variables) {
  arcs <- expand.grid(from = variables, to = variables, stringsAsFactors = FALSE)
  as.matrix(arcs[arcs$from != arcs$to, ])
}

# `start`: as of rows_of_start().
learn_initial <- function(start, score, further, layout, most, whitelist, blacklist) {
  tiers <- layout_tiers(layout)
  tiers <- tiers[-length(tiers)]
  nodes <- unlist(tiers)
  limits <- if (!is.null(most)) {
    of_variable <- most[past_places(layout)[nodes, "variable"]] # of a static column there is none
    set_names(ifelse(is.na(of_variable), length(nodes), of_variable), nodes)
  }
  further <- further[setdiff(names(further), for_transition_alone)]
  suppressMessages( # those of the transition, again
    rlang::inject(learn_dag(start$rows, score, !!!further, max_parents = limits, tiers = tiers,
                            targets = start$targets,
                            whitelist = arcs_of_start(whitelist, layout),
                            blacklist = arcs_of_start(blacklist, layout))),
    classes = "optbn_message"
  )
}

# Arcs to now, moved to the lags as far as these reach back.
arcs_of_start <- function(arcs, layout) {
  if (is.null(arcs)) return(NULL)
  from <- past_places(layout)[arcs[, "from"], ]
  moved <- lapply(seq_len(layout$lags), function(back) {
    lag <- from$lag + back
    name <- ifelse(is.na(lag), from$variable, paste0(from$variable, "_lag", lag))
    reached <- is.na(lag) | lag <= layout$lags
    cbind(from = name, to = lag_name(arcs[, "to"], back))[reached, , drop = FALSE]
  })
  do.call(rbind, moved)
}

# ---- rows of the first slices -------------------------------------------------------------------

least_subjects <- 100L

# "first" or "all".
initial_rows <- function(rows, asked) {
  if (asked != "auto") return(asked)
  if (is_lazy_table(rows)) return("all")
  first <- rows_of_start(rows, "first")
  varied <- vapply(names(first$rows), function(column) {
    values <- first$rows[[column]][setdiff(seq_len(nrow(first$rows)), first$targets[[column]])]
    length(unique(values[!is.na(values)])) > 1L
  }, NA)
  if (nrow(first$rows) >= least_subjects && all(varied)) "first" else "all"
}

# list(rows, targets): the columns of the first slices, in the first row of each subject or in all,
# and what was set of them there.
rows_of_start <- function(rows, which_rows) {
  laid_out <- attr(rows, "lagged")
  past <- past_columns(laid_out)
  if (is_lazy_table(rows)) {
    of_these <- if (which_rows == "first") laid_out$first else rows
    return(list(rows = dplyr::select(of_these, dplyr::all_of(past))))
  }
  chosen <- if (which_rows == "first") laid_out$first else seq_len(nrow(rows))
  list(rows = as.data.frame(rows)[chosen, past, drop = FALSE],
       targets = targets_of_rows(targets_of(rows, past), chosen))
}

# By name, in which rows of lagged() these columns were set; NULL where nobody says so.
targets_of <- function(rows, columns) {
  targets <- attr(rows, "lagged")$targets
  if (!is.null(targets)) targets[intersect(names(targets), columns)]
}

# ---- methods ------------------------------------------------------------------------------------

# A data frame of the arcs of the transition network: variables `from` and `to`, and the `lag`.
arcs_by_lag <- function(network, layout) {
  arcs <- network$arcs
  place <- past_places(layout)[arcs[, "from"], , drop = FALSE]
  found <- data.frame(from = place$variable, to = unname(arcs[, "to"]), lag = place$lag)
  found <- found[order(match(found$lag, seq(0L, layout$lags))), , drop = FALSE]
  row.names(found) <- NULL
  found
}

#' @rdname learn_dynamic
#' @param x A network from `learn_dynamic()`.
#' @param row.names,optional As in [as.data.frame()].
#' @export
as.data.frame.optbn_dynamic <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  arcs <- arcs_by_lag(x$transition, x$layout)
  if (!is.null(row.names)) row.names(arcs) <- row.names
  arcs
}

#' @export
format.optbn_dynamic <- function(x, ...) {
  check_sound(x)
  facts <- certificate_facts(x)
  c(cli::style_bold(dynamic_heading(x$layout)),
    format_facts(c(facts, format_arcs_by_lag(x), "first slices" = initial_in_words(x))))
}

dynamic_heading <- function(layout) {
  n <- length(layout$variables)
  static <- length(layout$static)
  cli::format_inline(
    "Dynamic Bayesian network with {n} variable{?s} and {layout$lags} lag{?s}",
    if (static > 0L) ", and {static} static column{?s}"
  )
}

# As of an ordinary network, with the score of now.
certificate_facts <- function(x) {
  record <- readable_certificate(x$transition)
  if (is.null(record) || !applies(record)) return(c(status = format_changed()))
  score <- sum(record$node_scores[x$layout$variables])
  c(score = paste0(format_log(score), sub("^[^,]*", "", format_score(record))),
    status = format_status(record), targets = format_targets(record$settings$targets),
    search = format_search(record), format_em_search(record$em))
}

format_arcs_by_lag <- function(x) {
  arcs <- arcs_by_lag(x$transition, x$layout)
  lags <- c(seq(0L, x$layout$lags), if (length(x$layout$static)) NA)
  names <- ifelse(is.na(lags), "static", ifelse(lags == 0L, "within", paste("lag", lags)))
  lines <- vapply(lags, function(lag) {
    of_lag <- arcs[arcs$lag %in% lag, , drop = FALSE]
    n <- nrow(of_lag)
    shown <- if (n) paste0(": ", first_few(paste(of_lag$from, "->", of_lag$to)))
    paste0(cli::format_inline("{n} arc{?s}"), shown)
  }, "")
  set_names(lines, names)
}

initial_in_words <- function(x) {
  from <- switch(x$rows, first = "the first rows of subjects", all = "all rows")
  cli::format_inline("{nrow(x$initial$arcs)} arc{?s}, learned from {from}")
}

#' @export
print.optbn_dynamic <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
sound_parts.optbn_dynamic <- function(model) {
  demand("it is not a list" = is.list(model),
         "the layout is invalid" = is_sound_layout(model$layout),
         "the rows are invalid" = is_string(model$rows) && model$rows %in% c("first", "all"))
  layout <- model$layout
  demand_of("the transition network",
            demand_nodes_of(model$transition, unlist(layout_tiers(layout)), layout))
  demand_of("the initial network", demand_nodes_of(model$initial, past_columns(layout)))
}

# A network of these nodes; with a `layout`, one whose arcs lead to now.
demand_nodes_of <- function(network, nodes, layout = NULL) {
  demand("it is not a network" = inherits(network, "bn"))
  sound_parts(network)
  demand("it has other nodes" = setequal(names(network$nodes), nodes),
         "it has arcs into the past" =
           is.null(layout) || all(network$arcs[, "to"] %in% layout$variables))
}

is_sound_layout <- function(layout) {
  is_plain_list(layout) && are_names(layout$variables) && length(layout$variables) > 0L &&
    are_names(layout$static) && are_counts(layout$lags, 1L, 1, 1000) &&
    (is.null(layout$id) || is_string(layout$id)) &&
    (is.null(layout$time) || is_string(layout$time)) &&
    is_string(layout$gaps) && layout$gaps %in% c("drop", "missing") &&
    (is.null(layout$clock) || is_sound_clock(layout$clock)) &&
    are_names(unlist(layout_tiers(layout)))
}

is_sound_clock <- function(clock) {
  is_plain_list(clock) && is_string(clock$unit) &&
    clock$unit %in% c("number", "day", "month", "second") && are_finite(clock$step, 1L) &&
    clock$step > 0 && length(clock$origin) == 1L && is.finite(clock$origin)
}
