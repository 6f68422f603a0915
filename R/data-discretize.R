# discretize_data(): continuous columns cut into bins, and new rows cut in the same way.
#
# A bin is an interval that is open below and closed above, as those of cut(). The inner cut points
# of a column are all that is kept of it: its first bin reaches down to -Inf and its last up to Inf,
# so that every number of later rows has its bin, and the labels are true of these, too.
#
# The result is a data frame of class c("optbn_discretized", "data.frame") with the attributes
#   cuts       by column, the inner cut points, ascending
#   method     how they were found
#   network, objective   of method "score" (R/data-discretize-score.R)

#' Discretise Continuous Columns
#'
#' @description
#' Converts each continuous column of a data frame to an ordered factor, so that networks of tables
#' can be learned. [predict()][predict.optbn_discretized] discretises new rows with the same cuts.
#' `method = "score"` finds the cuts together with an optimal network.
#'
#' @details
#' A bin is an interval that is open below and closed above, such as `(1.2,3.4]`. The first bin of a
#' column extends to `-Inf` and the last one to `Inf`. Methods:
#'
#' * `"width"`: bins of equal width between the smallest and the largest value.
#' * `"frequency"`: bins of equal frequency; the cuts are quantiles. If many rows have the same
#'   value, quantiles coincide. The column then gets fewer bins, and a message reports this.
#' * `"hartemink"`: starts with `initial` bins of equal frequency in each column and merges
#'   neighbouring bins, column after column, until `bins` are left. Each step merges the bins for
#'   which the remaining sum of mutual informations with all other columns is largest (Hartemink
#'   2001). Discrete columns count as they are; numeric columns that are not cut are ignored.
#' * `"score"`: searches for the cuts and the network that have the highest score together. Each
#'   column has its own number of bins, from 2 to `bins`.
#'
#' The bins of the first three methods are those of `discretize()` in package \pkg{bnlearn} with
#' methods `"interval"`, `"quantile"` and `"hartemink"`, if quantiles differ and no two merges give
#' the same sum.
#'
#' `"score"` divides the range of each column into `cells` of about equal frequency, and a bin is a
#' run of cells. Given a network and cuts, the probability of a row is that of its bins (by tables),
#' times the probability of each cell within its bin, which is proportional to the cell's frequency.
#' The search maximises the logarithm of this up to a constant, with the tables integrated out by
#' `score`, and with a prior on the cuts (Friedman & Goldszmidt 1996; Monti & Cooper 1998): \deqn{J
#' = score(cut\ data) - \sum_X \sum_b n_b \log\frac{n_b}{N} - \sum_X \log{c_X - 1 \choose r_X -
#' 1},}{J = score(cut data) - sum over columns X and bins b of n_b log(n_b / N) - sum over columns X
#' of log choose(c_X - 1, r_X - 1),} with \eqn{n_b} of the \eqn{N} rows in bin \eqn{b}, and
#' \eqn{r_X} bins of \eqn{c_X} cells. Additional bins raise \eqn{J} only if they are informative
#' about other columns, whatever the column's own distribution.
#'
#' The search alternates between two steps. Given the cuts, a search as in [learn_dag()] finds the
#' network. Given the network and the cuts of the other columns, dynamic programming finds the
#' optimal cuts of one column for any number of bins. The search ends when \eqn{J} no longer
#' increases, or, if the network is not proved optimal, when it increases by less than a thousandth.
#' It starts three times: with three bins of equal frequency, with `bins` of them, and with the cuts
#' of a network of discretised tables ([score_ft()]). The network is proved optimal for its cuts
#' whenever [learn_dag()] proves it; the cuts are a local optimum. With few rows and many columns,
#' `"bde"` is more likely than `"bic"` to mistake chance for dependence.
#'
#' @param data A data frame, tibble or data.table. Columns to cut must have no missing or infinite
#'   values, and must not be constant.
#' @param method The method for the cuts, see *Details*.
#' @param bins The number of bins of a column, at least 2; `NULL` means 3. For `"score"` it is the
#'   largest number of bins of a column, and `NULL` means 7.
#' @param columns The names of the columns to cut; `NULL` for all numeric ones (including integer).
#'   For `"score"` they must be all numeric columns.
#' @param ... Must be empty: the arguments after it must be named.
#' @param initial For `"hartemink"`: the initial number of bins of equal frequency. `NULL` means 50
#'   for more than 500 rows, 20 for more than 100, 10 for more than 50, and 5 for more than 10, but
#'   at least `bins`.
#' @param score For `"score"`: `"bde"`, `"bic"` or `"aic"`, or an object, such as
#'   `score_bde(iss = 10)`.
#' @param cells For `"score"`: the largest number of cells of a column, from 2 to 200. If a column
#'   has no more distinct values, each of them has a cell.
#' @param max_parents,whitelist,blacklist,tiers For `"score"`: constraints on the network, as in
#'   [learn_dag()].
#' @param targets For `"score"`: the nodes that were set from outside in each row, as in
#'   [learn_dag()]. In rows in which a column was set, it counts only as a parent: its family and
#'   its \eqn{n_b} and \eqn{N} omit these rows. A column of `data` that names the targets is neither
#'   cut nor a node.
#' @param threads,progress As in [learn_dag()].
#' @param time_limit For `"score"`: seconds after which the search stops with the best cuts and
#'   network so far. `NULL` limits the effort instead of the time, as in [learn_dag()].
#' @param memory_limit The largest number of bytes; `NULL` means three quarters of the free memory.
#' @return A data frame of class `c("optbn_discretized", "data.frame")`: the columns of `data`, in
#'   which those that were cut are ordered factors with intervals as levels. All functions of this
#'   package accept it. Its attributes are `cuts`, a list of the inner cut points by column, and
#'   `method`. With `method = "score"` it also has the attributes `network`, of class
#'   [optbn][optbn-class] with its [certificate()] for the discretised data, and `objective`,
#'   \eqn{J}; extract them by `attr(x, "network")`. A subset by `[` is an ordinary data frame. An
#'   interrupt (Ctrl-C) of `"score"` returns the best result so far, with a warning. Before the
#'   first network is found, it returns nothing.
#' @section Errors: `optbn_error_data` for columns that cannot be cut; `optbn_error_argument` for a
#'   malformed argument; `optbn_error_memory` if `"hartemink"` would count too many pairs of bins;
#'   with `"score"` also those of [learn_dag()], and `optbn_error_score` for a score other than
#'   these three.
#' @references Friedman, N. and Goldszmidt, M. (1996). Discretizing continuous attributes while
#' learning Bayesian networks. *Proceedings of the 13th International Conference on Machine
#' Learning*, 157-165.
#'
#' Hartemink, A. J. (2001). *Principled computational methods for the validation and discovery of
#' genetic regulatory networks*. PhD thesis, Massachusetts Institute of Technology.
#'
#' Monti, S. and Cooper, G. F. (1998). A multivariate discretization method for learning Bayesian
#' networks from mixed data. *Proceedings of the 14th Conference on Uncertainty in Artificial
#' Intelligence*, 404-413. \doi{10.48550/arXiv.1301.7403}
#' @seealso [predict.optbn_discretized()] for new rows; [score_pcart()] and [score_ft()], which need
#' no discretisation.
#' @examples
#' cut <- discretize_data(iris, "frequency")
#' cut
#' learn_dag(cut)
#'
#' # cuts and network together
#' best <- discretize_data(iris, "score")
#' attr(best, "cuts")
#' network <- attr(best, "network")
#' network
#'
#' # a new flower
#' flower <- data.frame(Sepal.Length = 6, Sepal.Width = 3, Petal.Length = 4.8, Petal.Width = 1.7)
#' fit <- fit_network(network, best)
#' query(compile_network(fit), "Species", as.list(predict(best, flower)))
#' @export
discretize_data <- function(data, method = c("width", "frequency", "hartemink", "score"),
                            bins = NULL, columns = NULL, ..., initial = NULL, score = "bde",
                            cells = 50, max_parents = NULL, whitelist = NULL, blacklist = NULL,
                            tiers = NULL, targets = NULL, threads = NULL, time_limit = NULL,
                            memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  method <- check_choice(method, discretize_methods, "method", call)
  bins <- check_count(bins %||% if (method == "score") 7 else 3, "bins", minimum = 2,
                      maximum = most_levels, call = call)
  cells <- check_count(cells, "cells", minimum = 2, maximum = 200, call = call)
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)
  check_no_dots()
  check_data_frame(data, call)
  if (!is.null(targets) && method != "score") refuse_targets_of_cuts(method, call)
  continuous <- columns_to_cut(split_targets(data, targets, call)$data, columns, call)
  if (method == "score") {
    asked <- list(max_parents = max_parents, whitelist = whitelist, blacklist = blacklist,
                  tiers = tiers, targets = targets)
    return(discretize_by_score(data, continuous, bins, cells, score, asked, limits, call))
  }
  numbers <- lapply(as.list(data)[continuous], as.double)
  cuts <- switch(method,
    width = lapply(numbers, width_cuts, bins),
    frequency = frequency_cuts(numbers, bins),
    hartemink = discretize_jointly(data, numbers, bins, initial, limits, call)
  )
  announce_fewer_bins(cuts, bins)
  new_discretized(data, cuts, method)
}

refuse_targets_of_cuts <- function(method, call) {
  abort_optbn("argument",
              c("{.arg targets} cannot be used with {.code method = \"{method}\"}.",
                x = "It uses no network, so interventions do not matter.",
                i = "{.code method = \"score\"} takes them; or leave them out."), call = call)
}

discretize_methods <- c("width", "frequency", "hartemink", "score")

new_discretized <- function(data, cuts, method, ...) {
  data <- as.data.frame(data)
  data[names(cuts)] <- Map(cut_column, as.list(data)[names(cuts)], cuts)
  structure(data, class = c("optbn_discretized", "data.frame"), cuts = cuts, method = method, ...)
}

# The names of the columns to cut, all of them fit for it.
columns_to_cut <- function(data, columns, call) {
  types <- usable_types(data, call, columns = check_columns(columns, data, call) %||% names(data))
  numeric <- names(types)[types %in% c("integer", "numeric")]
  if (!is.null(columns) && length(numeric) < length(types)) {
    discrete <- setdiff(names(types), numeric)
    abort_optbn("data",
                c("{.arg columns} must name numeric columns of {.arg data}.",
                  x = "{.val {discrete}} {?is/are} not numeric.",
                  i = "Leave {cli::qty(discrete)}{?it/them} out: discrete columns need no cuts."),
                call = call)
  }
  if (length(numeric) == 0L) {
    abort_optbn("data",
                c("{.arg data} must have a numeric column to cut.",
                  x = "All its columns are discrete, and can be used as they are."),
                call = call)
  }
  held <- as.list(data)[numeric]
  check_values_known(held, call)
  refuse_constant(numeric[vapply(held, function(x) min(x) == max(x), NA)], call)
  check_variances(lapply(held, as.double), call)
  numeric
}

check_columns <- function(columns, data, call) {
  if (is.null(columns)) return(NULL)
  if (!(are_names(columns) && length(columns) > 0L && all(columns %in% names(data)))) {
    unknown <- if (is.character(columns)) setdiff(columns, names(data))
    abort_optbn("argument",
                c("{.arg columns} must be names of columns of {.arg data}, each once.",
                  x = if (length(unknown)) {
                    "There {?is no column/are no columns} {.val {unknown}}."
                  } else {
                    "It is {describe(columns)}."
                  }),
                call = call)
  }
  columns
}

# ---- bins ---------------------------------------------------------------------------------------

# The number of the bin, from 1.
cut_codes <- function(x, cuts) findInterval(x, cuts, left.open = TRUE) + 1L

cut_column <- function(x, cuts) {
  structure(cut_codes(as.double(x), cuts), levels = interval_labels(cuts),
            class = c("ordered", "factor"))
}

# With as many digits as tell neighbouring cuts apart, at least three.
format_ends <- function(cuts) {
  for (digits in 3:17) {
    ends <- formatC(0 + cuts, digits = digits, width = 1L, format = "g")
    if (!anyDuplicated(ends)) break
  }
  ends
}

interval_labels <- function(cuts) {
  ends <- format_ends(cuts)
  paste0("(", c("-Inf", ends), ",", c(paste0(ends, "]"), "Inf)"))
}

# Cuts that leave values on both sides.
useful_cuts <- function(cuts, x) {
  cuts <- unique(cuts[cuts >= min(x) & cuts < max(x)])
  if (length(cuts) > 0L) cuts else max(x[x < max(x)])
}

width_cuts <- function(x, bins) {
  range <- range(x)
  useful_cuts(range[1L] + seq_len(bins - 1L) / bins * (range[2L] - range[1L]), x)
}

# Where many rows have the same value, several quantiles are this value, and bins fewer; where there
# are few values, several lie between two of them.
frequency_cuts <- function(numbers, bins) {
  lapply(numbers, function(x) {
    cuts <- useful_cuts(stats::quantile(x, seq_len(bins - 1L) / bins, names = FALSE), x)
    cuts[!duplicated(findInterval(cuts, sort(x)))]
  })
}

announce_fewer_bins <- function(cuts, bins) {
  fewer <- names(cuts)[lengths(cuts) < bins - 1L]
  if (length(fewer) > 0L) {
    announce(c(paste("{cli::qty(fewer)}Column{?s} {.val {fewer}} {cli::qty(fewer)}get{?s/}",
                     "fewer than {bins} bins."),
               i = "Too many rows have the same value."))
  }
}

# ---- new rows -----------------------------------------------------------------------------------

#' Discretise New Rows
#'
#' Cuts the columns of new rows at the cuts of [discretize_data()].
#'
#' @param object Data from [discretize_data()].
#' @param newdata A data frame with all the columns that were cut, and any others.
#' @param ... Ignored.
#' @return `newdata` with these columns as ordered factors with the same levels. A value below all
#'   values in `object` is in the first bin, and one above them in the last. Missing values remain
#'   missing, and other columns do not change.
#' @section Errors: `optbn_error_data` for a column that is missing, or that is not numeric;
#'   `optbn_error_argument` if `newdata` is not a data frame; `optbn_error_model` if `object` was
#'   changed and has lost its cuts.
#' @seealso [discretize_data()]
#' @examples
#' cut <- discretize_data(iris[1:100, ], "frequency")
#' head(predict(cut, iris[101:150, ]))
#' @export
predict.optbn_discretized <- function(object, newdata, ...) {
  require_arguments()
  call <- environment()
  check_sound(object, call)
  cuts <- attr(object, "cuts")
  check_rows_to_cut(newdata, names(cuts), call)
  newdata[names(cuts)] <- Map(function(node, cuts) {
    column <- newdata[[node]]
    if (!is.numeric(column) && !all(is.na(column))) abort_uncut(column, node, call)
    cut_column(column, cuts)
  }, names(cuts), cuts)
  newdata
}

check_rows_to_cut <- function(newdata, columns, call) {
  if (!is.data.frame(newdata)) {
    abort_optbn("argument",
                c("{.arg newdata} must be a data frame.", x = "It is {describe(newdata)}."),
                call = call)
  }
  missing <- setdiff(columns, names(newdata))
  if (length(missing) > 0L) {
    abort_optbn("data",
                c("{.arg newdata} must have all columns that were cut.",
                  x = "Column{?s} {.val {missing}} {?is/are} missing.",
                  i = "Give a column of {.code NA} if its values are unknown."),
                call = call)
  }
  check_usable_columns(newdata, columns, "newdata", call)
  check_sound_columns(newdata, names(newdata), "newdata", call)
}

abort_uncut <- function(column, node, call) {
  abort_optbn("data",
              c("Column {.val {node}} of {.arg newdata} must be numeric, as it was in the data.",
                x = "It is {describe(column)}.",
                i = if (is.factor(column)) "Discretised rows need no {.fn predict}."
                    else "Convert it with {.fn as.numeric}."),
              call = call)
}

# ---- the class ----------------------------------------------------------------------------------

#' @export
sound_parts.optbn_discretized <- function(model) {
  cuts <- attr(model, "cuts")
  demand(
    "its cuts are not a list named by columns" = is_plain_list(cuts) && length(cuts) > 0L &&
      are_names(names(cuts)),
    "cuts are not ascending numbers" = all(vapply(cuts, function(x) {
      are_finite(x) && length(x) > 0L && !is.unsorted(x, strictly = TRUE)
    }, NA)),
    "its method is invalid" = is_string(attr(model, "method")),
    "its columns are not as long as it has rows" = is_sound_table(model)
  )
}

# Of rows and columns that are taken out nobody can say that the cuts were made for them.
#' @export
`[.optbn_discretized` <- function(x, ...) as.data.frame(x)[...]

#' @export
as.data.frame.optbn_discretized <- function(x, row.names = NULL, optional = FALSE, ...) {
  attributes(x) <- attributes(x)[c("names", "row.names")]
  as.data.frame(structure(x, class = "data.frame"), row.names, optional, ...)
}

#' @export
print.optbn_discretized <- function(x, ...) {
  check_sound(x)
  tell_answer(x, {
    cat(format_cuts(x), sep = "\n")
    cat("\n")
    print(utils::head(as.data.frame(x)), ...)
    more <- nrow(x) - 6L
    if (more > 0L) cat(cli::format_inline("... and {more} more row{?s}"), "\n", sep = "")
  })
  invisible(x)
}

# A heading, and a line for each column that was cut.
format_cuts <- function(x, most = 6L) {
  cuts <- attr(x, "cuts")
  words <- c(width = "equal width", frequency = "equal frequency", hartemink = "Hartemink's method",
             score = "score, with a network")[attr(x, "method")]
  at <- vapply(cuts, function(x) {
    more <- length(x) - most
    shown <- format_ends(x)[seq_len(if (more > 1L) most else length(x))]
    paste(c(shown, if (more > 1L) paste(more, "more")), collapse = ", ")
  }, "")
  c(cli::format_inline("{nrow(x)} row{?s}, ",
                       "{length(cuts)} of {cli::qty(length(x))}{length(x)} column{?s} cut by ",
                       "{words}"),
    paste0("  ", format(names(cuts)), "  ", format(lengths(cuts) + 1L), " bins, cut at ", at))
}
