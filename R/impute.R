# Completed rows: the most probable values of what is missing, or draws, from a network or a density.

#' Complete Rows With Missing Values
#'
#' Fills in what is missing in rows of a data frame, by a model of its columns: with the values that
#' are most probable together, or with draws from their joint posterior given everything that the row
#' knows.
#'
#' @param model A fitted network: from [fit_network()], or of bnlearn's class `bn.fit`; or a density
#'   model, such as [learn_mixture()] returns. Networks must consist of tables and linear regressions
#'   (discrete, Gaussian and conditional Gaussian networks), or of trees of discrete nodes.
#' @param data A data frame. Its columns that are nodes of the model are completed; nodes without a
#'   column are missing in every row, and get one. Other columns stay as they are.
#' @param draws 0, for the most probable values; or how many completed tables to draw.
#' @param progress Whether to show a progress bar.
#' @param ... Must be empty.
#'
#' @details
#' The missing values of a row fall apart into groups that are independent given what is known (the
#' connected components of the moral graph of the missing nodes). Of each group every configuration of
#' the discrete nodes is weighed, by elimination where there are many, and the continuous nodes have a
#' normal distribution in each: answers are exact, whatever the row lacks. A missing value that nothing
#' informs about, neither another column nor the model, has its marginal distribution.
#'
#' One completed table understates what is not known: standard errors computed from it are too small.
#' Draws carry the uncertainty of the values given the model. To carry that of the model as well, fit
#' one to each of several bootstrap samples, and draw once from each (proper multiple imputation;
#' Rubin 1987).
#'
#' The most probable completion is the configuration, with the values at its mean, of largest joint
#' density. Values that are missing together are chosen together: each by itself may have another most
#' probable value ([predict()]).
#'
#' @return `draws = 0`: the data frame, completed. Otherwise a list of `draws` such data frames.
#'   Columns have the types that they had; a column of whole numbers becomes numeric where numbers are
#'   filled in. Rows whose known values the model holds to be impossible stay as they are, and a message
#'   says so.
#'
#' @section Errors:
#' `optbn_error_data` for a level that the model does not know, and for a column of another type than
#' the node; `optbn_error_model` for a network with trees of continuous nodes; `optbn_error_memory`
#' where a row lacks too many discrete values beside continuous ones; `optbn_error_argument` for a
#' malformed argument.
#'
#' @references
#' Lauritzen (1995) \doi{10.1016/0167-9473(93)E0056-A} (propagation for missing values);
#' Rubin (1987) \doi{10.1002/9780470316696} (multiple imputation).
#' @seealso [learn_dag()] with `missing = "em"` and [fit_network()] with `method = "em"`, for a model
#'   from the rows themselves; [predict.optbn_fit()].
#' @examples
#' network <- learn_dag(airquality[1:4], missing = "em")
#' fit <- fit_network(network, airquality[1:4], method = "em")
#' head(impute(fit, airquality))
#'
#' # five completed tables, and a regression on each
#' set.seed(1)
#' completed <- impute(fit, airquality, draws = 5)
#' sapply(completed, function(table) coef(lm(Ozone ~ Temp + Wind, table)))
#' @export
impute <- function(model, data, draws = 0, ..., progress = interactive()) {
  require_arguments()
  rlang::check_dots_empty()
  UseMethod("impute")
}

#' @rdname impute
#' @export
impute.optbn_fit <- function(model, data, draws = 0, ..., progress = interactive()) {
  impute_by_islands(check_sound(model), data, draws, progress, rlang::current_env())
}

#' @rdname impute
#' @export
impute.bn.fit <- impute.optbn_fit

#' @rdname impute
#' @export
impute.optbn_density <- function(model, data, draws = 0, ..., progress = interactive()) {
  call <- rlang::current_env()
  handle_of(model)
  draws <- check_count(draws, "draws", call = call)
  check_progress(progress, call)
  check_rows_to_impute(data, call)
  values <- encode_partial(model, data, "data", call)
  groups <- rows_alike(values)
  complete <- function(times) complete_alike(model, values, groups, times, call)
  found <- complete(draws)
  announce_left(found$impossible)
  tables <- lapply(found$tables, function(codes) with_values(model, data, values, codes))
  if (draws == 0) tables[[1L]] else tables
}

#' @rdname impute
#' @export
impute.optbn_compiled_network <- impute.optbn_density

#' @export
impute.default <- function(model, data, draws = 0, ..., progress = interactive()) {
  abort_no_model(model)
}

check_rows_to_impute <- function(data, call) {
  if (is.data.frame(data)) return(check_data_frame(data, call))
  abort_optbn("argument", c("{.arg data} must be a data frame.", x = "It is {describe(data)}."),
              call = call)
}

# ---- networks of tables and regressions ---------------------------------------------------------

impute_by_islands <- function(model, data, draws, progress, call) {
  network <- completion_network(model, call)
  draws <- check_count(draws, "draws", call = call)
  progress <- check_progress(progress, call)
  check_rows_to_impute(data, call)
  values <- encode_partial(network, data, "data", call)
  if (nrow(data) == 0L) return(if (draws == 0) data else rep(list(data), draws))
  encoded <- encoded_values(values, network$levels, nrow(data))
  kind <- if (draws == 0) "most probable" else "draw"
  tables <- lapply(seq_len(max(1, draws)), function(i) {
    host <- host_options(1L, Inf, progress, "Completing rows", random_seed())
    call_core(core_completions(encoded, network$core, kind, 1, 1, host), network$nodes, call)
  })
  announce_left(tables[[1L]]$impossible)
  tables <- lapply(tables, function(found) {
    codes <- rlang::set_names(found$columns, network$nodes)
    codes <- lapply(codes, function(column) replace(column, found$impossible, NA))
    with_values(network, data, values, codes)
  })
  if (draws == 0) tables[[1L]] else tables
}

# As encode_data() has rows, of coded values by node.
encoded_values <- function(values, levels, rows) {
  list(nodes = names(values), rows = rows, columns = unname(values), levels = unname(levels),
       types = rep("", length(values)), weights = NULL, total = rows,
       holes = unname(vapply(values, anyNA, NA)))
}

# What src/core/completion takes of a fitted network: nodes, levels and prototype besides.
completion_network <- function(model, call) UseMethod("completion_network")

#' @export
completion_network.optbn_fit <- function(model, call) {
  if (!is_completable(model)) abort_not_completable(model, call)
  list(nodes = model$nodes, levels = model$levels, prototype = model$prototype,
       core = network_for_core(model$models, model$levels))
}

# Tables, regressions, and trees of discrete nodes with discrete parents.
is_completable <- function(fit) {
  all(vapply(fit$models, function(model) {
    if (!inherits(model, "optbn_partition")) return(TRUE)
    !any(vapply(fit$levels[c(model$node, model$parents)], is.null, NA))
  }, NA))
}

abort_not_completable <- function(fit, call) {
  trees <- fit$nodes[vapply(fit$models, inherits, NA, "optbn_partition")]
  abort_optbn("model",
              c(paste("Missing values are filled in by tables, linear regressions, and trees of",
                      "discrete nodes."),
                x = "Node{?s} {.val {trees}} {?has/have} trees or tables over continuous nodes.",
                i = paste("Fit a network by {.fn fit_network} with {.code score = \"bic-cg\"}, or",
                          "use {.fn predict} for rows that lack one value.")),
              call = call)
}

#' @export
completion_network.bn.fit <- function(model, call) {
  nodes <- names(model)
  parts <- unclass(model)
  levels <- lapply(rlang::set_names(nodes), function(node) dimnames(parts[[node]]$prob)[[1L]])
  number <- function(names) match(names, nodes)
  core <- lapply(nodes, function(name) {
    node <- parts[[name]]
    if (!is.null(node$prob)) {
      return(list(discrete = number(node$parents), continuous = integer(),
                  table = as.vector(checked_table(node$prob, name, call))))
    }
    discrete <- node$parents[as.integer(node$dparents)]
    continuous <- setdiff(node$parents, discrete)
    check_regression_known(node, name, call)
    list(discrete = number(discrete), continuous = number(continuous),
         coefficients = as.vector(node$coefficients), variance = unname(as.vector(node$sd))^2)
  })
  prototype <- list2DF(lapply(rlang::set_names(nodes), function(node) {
    if (is.null(levels[[node]])) return(numeric())
    factor(character(), levels = levels[[node]], ordered = inherits(parts[[node]], "bn.fit.onode"))
  }))
  list(nodes = nodes, levels = levels, prototype = prototype,
       core = list(levels = unname(lengths(levels)), nodes = core))
}

check_regression_known <- function(node, name, call) {
  if (all(is.finite(c(node$coefficients, node$sd))) && all(node$sd > 0)) return(invisible())
  abort_optbn("data",
              c(paste("The regression of node {.val {name}} has missing coefficients or no",
                      "residual variance."),
                i = "Fit it with {.fn fit_network}."), call = call)
}

# ---- densities and compiled networks ------------------------------------------------------------

# Rows that lack values, grouped where they are equal: list(row numbers).
rows_alike <- function(values) {
  lacking <- Reduce(`|`, lapply(values, is.na))
  rows <- which(lacking)
  key <- do.call(paste, c(lapply(unname(values), `[`, rows), sep = "\r"))
  split(rows, factor(key, unique(key)))
}

# One question for each group. `draws`: 0 for the most probable completion.
complete_alike <- function(model, values, groups, draws, call) {
  tables <- rep(list(values), max(1, draws))
  impossible <- integer()
  for (rows in groups) {
    known <- Filter(Negate(is.na), lapply(values, `[`, rows[1L]))
    evidence <- Map(function(code, node) model$levels[[node]][code + 1L], known, names(known))
    answer <- tryCatch(
      if (draws == 0) most_probable(model, evidence)$state
      else simulate(model, draws * length(rows), evidence = evidence),
      optbn_error_impossible = function(condition) NULL
    )
    if (is.null(answer)) {
      impossible <- c(impossible, rows)
      next
    }
    codes <- encode_partial(model, answer, "data", call)
    for (node in setdiff(names(values), names(known))) {
      drawn <- matrix(codes[[node]], length(rows), max(1, draws), byrow = FALSE)
      for (i in seq_along(tables)) tables[[i]][[node]][rows] <- drawn[, i]
    }
  }
  list(tables = tables, impossible = sort(impossible))
}

announce_left <- function(impossible) {
  if (length(impossible) == 0L) return(invisible())
  announce(c("{length(impossible)} row{?s} of {.arg data} {?has/have} probability 0.",
             i = "{cli::qty(length(impossible))}{?It stays/They stay} as {?it is/they are}."))
}

# ---- what comes back ----------------------------------------------------------------------------

# The data with what was missing filled in. `values`: as they were known; `codes`: complete.
with_values <- function(model, data, values, codes) {
  for (node in model$nodes) {
    rows <- which(is.na(values[[node]]) & !is.na(codes[[node]]))
    if (length(rows) == 0L && node %in% names(data)) next
    filled <- decode_column(model, node, codes[[node]])
    if (node %in% names(data)) data[[node]] <- fill_column(data[[node]], filled, rows)
    else data[[node]] <- filled
  }
  data
}

# A factor, a character or a logical column stays one.
fill_column <- function(column, filled, rows) {
  if (is.factor(filled) && !is.factor(column)) {
    filled <- if (is.logical(column)) filled == "TRUE" else as.character(filled)
    if (is.numeric(column)) filled <- as.numeric(filled)
  } else if (is.factor(column) && !identical(levels(column), levels(filled))) {
    levels(column) <- union(levels(column), levels(filled))
  }
  column[rows] <- filled[rows]
  column
}
