# Completed rows: the most probable values of what is missing, or draws, by a network or a density.

#' Complete Rows With Missing Values
#'
#' Imputes the missing values in the rows of a data frame by a model of its columns, either with the
#' values that are jointly most probable, or with draws from their joint posterior given the
#' observed values of the row.
#'
#' @param model A fitted network: from [fit_network()], or of bnlearn's class `bn.fit`, also
#'   compiled by [compile_network()]; or a density model, such as [learn_mixture()] returns.
#'   Networks consist of tables and linear regressions (discrete, Gaussian and conditional Gaussian
#'   networks), or of trees and discretised tables.
#' @param data A data frame. Its columns that are nodes of the model are completed. For nodes
#'   without a column, a column is added and completed. Other columns do not change.
#' @param draws 0 for the most probable values, or the number of completed tables to draw.
#' @param progress Show a progress bar?
#' @param ... Must be empty.
#'
#' @details
#' The missing values of a row decompose into groups that are independent given the observed values
#' (the connected components of the moral graph of the missing nodes). For each group, all
#' configurations of the discrete nodes are weighted, by elimination if there are many, and the
#' continuous nodes have a normal distribution in each. The posteriors are exact for any pattern of
#' missing values. If no value on which a missing one depends is observed, it has its marginal
#' distribution.
#'
#' Networks of trees, or discretised tables, over continuous nodes cannot sum over missing values.
#' For them, a draw is the state of a Gibbs sampler after 30 sweeps: each missing value in turn is
#' drawn from its exact distribution given all others of its row (Geman & Geman 1984). This is exact
#' if a row has one missing value, or several that are independent given the others. Each draw has
#' its own chain. The most probable values are found by coordinate-wise ascent (Besag 1986) from 5
#' starts, of which the best is returned. A message reports this if a row has more than one missing
#' value.
#'
#' A single completed table understates the uncertainty: standard errors computed from it are too
#' small. Draws include the uncertainty of the values given the model. To include the uncertainty of
#' the model as well, fit a model to each of several bootstrap samples and draw once from each
#' (proper multiple imputation; Rubin 1987).
#'
#' The most probable completion is the configuration with the largest joint density, with continuous
#' values at their means. Values that are missing together are chosen jointly, so each may differ
#' from its own most probable value, which [predict()] returns. With mixtures or hidden variables,
#' finding the most probable completion is NP-hard. A good one is returned, as by [most_probable()],
#' and a message reports this.
#'
#' A level `NA`, as made by [addNA()], is an ordinary value if a column of `data` has it. `NA` in a
#' column without such a level is missing, and is replaced by one of the other levels.
#'
#' Package bnlearn has a function of the same name for its own networks. If both packages are
#' attached, `optbn::impute()` refers to this function.
#'
#' @return With `draws = 0`, the completed data frame; otherwise a list of `draws` such data frames.
#'   Observed values never change. Columns keep their types with three exceptions: a column that is
#'   entirely `NA` gets the type of the column from which the model was learned; a column of whole
#'   numbers becomes numeric if values are imputed; and a factor gets the levels that it lacked.
#'   Rows whose observed values exclude every completion do not change, and a message reports their
#'   number. The same holds for rows of trees for which 5 attempts found no possible completion.
#'   Without draws, R's random number stream does not change.
#'
#' @section Errors: `optbn_error_data` for a level that the model does not have, for a column of
#'   another type than the node, and for a regression with missing coefficients or standard
#'   deviation 0; `optbn_error_model` for a network with both regressions and trees;
#'   `optbn_error_memory` if a row lacks too many discrete values together with continuous ones;
#'   `optbn_error_argument` for a malformed argument.
#'
#' @references
#' Besag (1986) \doi{10.1111/j.2517-6161.1986.tb01412.x} (iterated conditional modes);
#' Geman & Geman (1984) \doi{10.1109/TPAMI.1984.4767596} (Gibbs sampling);
#' Lauritzen (1995) \doi{10.1016/0167-9473(93)E0056-A} (propagation for missing values);
#' Rubin (1987) \doi{10.1002/9780470316696} (multiple imputation).
#' @seealso [learn_dag()] with `missing = "em"` and [fit_network()] with `method = "em"`, for a
#'   model from the rows themselves; [predict.optbn_fit()].
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
  check_no_dots()
  UseMethod("impute")
}

#' @rdname impute
#' @export
impute.optbn_fit <- function(model, data, draws = 0, ..., progress = interactive()) {
  by <- if (is_completable(check_sound(model))) impute_by_islands else impute_by_sweeps
  call <- environment()
  by(model, as_held(data, model, "data", call), draws, progress, call)
}

#' @rdname impute
#' @export
impute.bn.fit <- function(model, data, draws = 0, ..., progress = interactive()) {
  impute_by_islands(check_sound(model), data, draws, progress, environment())
}

#' @rdname impute
#' @export
impute.optbn_compiled_gaussian <- impute.optbn_fit

#' @rdname impute
#' @export
impute.optbn_density <- function(model, data, draws = 0, ..., progress = interactive()) {
  call <- environment()
  handle <- handle_of(model, call)
  draws <- check_count(draws, "draws", call = call)
  progress <- check_progress(progress, call)
  values <- encode_partial(model, data, "data", call)
  found <- complete_alike(handle, model, values, draws, progress, call)
  announce_left(found$impossible)
  if (found$inexact) {
    announce_inexact("The completions are the best found and need not be the most probable ones.")
  }
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

# ---- networks of tables and regressions ---------------------------------------------------------

impute_by_islands <- function(model, data, draws, progress, call) {
  network <- completion_network(model, call)
  draws <- check_count(draws, "draws", call = call)
  progress <- check_progress(progress, call)
  values <- encode_partial(network, data, "data", call)
  tables <- lapply(seq_len(max(1, draws)), function(i) {
    complete_rows(network, values, nrow(data), draws > 0, progress, call)
  })
  announce_left(tables[[1L]]$impossible)
  tables <- lapply(tables, function(found) with_values(network, data, values, found$values))
  if (draws == 0) tables[[1L]] else tables
}

# Drawn, or the most probable ones: list(values, impossible). Missing values get no level NA: in
# rows that lack them, tables have none.
complete_rows <- function(network, values, rows, drawn, progress, call) {
  kind <- if (drawn) "draw" else "most probable"
  impossible <- integer()
  known <- values
  for (alike in rows_by_absent(known, possible_na(network$levels), rows)) {
    part <- lapply(known, `[`, alike)
    absent <- possible_na(network$levels[vapply(part, function(x) anyNA(x), NA)])
    seed <- if (drawn) random_seed() else no_seed
    host <- host_options(1L, Inf, progress, "Completing rows", seed)
    found <- call_core(
      core_completions(encoded_values(part, network$levels, length(alike)),
                       without_levels_na(network, absent), kind, 1, 1, host),
      network$nodes, call
    )
    left <- alike[found$impossible]
    for (v in seq_along(values)) {
      values[[v]][alike] <- found$columns[[v]]
      values[[v]][left] <- known[[v]][left]
    }
    impossible <- c(impossible, left)
  }
  list(values = values, impossible = sort(impossible))
}

# The nodes that have a level NA beside others.
possible_na <- function(levels) {
  names(Filter(function(labels) anyNA(labels) && !all(is.na(labels)), levels))
}

# Row numbers, together where rows lack the same of these nodes.
rows_by_absent <- function(values, nodes, rows) {
  if (rows == 0L) return(list())
  absent <- lapply(unname(values[nodes]), is.na)
  unname(split(seq_len(rows), do.call(paste, c(list(character(rows)), absent))))
}

# For the core, with probability 0 of level NA of these nodes.
without_levels_na <- function(network, nodes) {
  core <- network$core
  for (v in match(nodes, network$nodes)) {
    table <- matrix(core$nodes[[v]]$table, core$levels[v])
    table[is.na(network$levels[[v]]), ] <- 0
    core$nodes[[v]]$table <- as.vector(table)
  }
  core
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

#' @export
completion_network.bn.fit <- function(model, call) {
  nodes <- names(model)
  parts <- unclass(model)
  levels <- lapply(set_names(nodes), function(node) dimnames(parts[[node]]$prob)[[1L]])
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
  prototype <- list2DF(lapply(set_names(nodes), function(node) {
    if (is.null(levels[[node]])) return(numeric())
    factor(character(), levels = levels[[node]], ordered = inherits(parts[[node]], "bn.fit.onode"))
  }))
  list(nodes = nodes, levels = levels, prototype = prototype,
       core = list(levels = unname(lengths(levels)), nodes = core))
}

#' @export
completion_network.optbn_compiled_gaussian <- function(model, call) {
  nodes <- model$nodes
  list(
    nodes = nodes, levels = set_names(vector("list", length(nodes)), nodes),
    prototype = list2DF(set_names(rep(list(numeric()), length(nodes)), nodes)),
    core = list(levels = integer(length(nodes)), nodes = lapply(seq_along(nodes), function(i) {
      list(discrete = integer(), continuous = model$parents[[i]],
           coefficients = c(model$intercept[i], model$slopes[[i]]), variance = model$spread[i]^2)
    }))
  )
}

check_regression_known <- function(node, name, call) {
  if (all(is.finite(c(node$coefficients, node$sd))) && all(node$sd > 0)) return(invisible())
  abort_optbn("data",
              c(paste("The regression of node {.val {name}} has missing coefficients or no",
                      "residual variance."),
                i = "Fit it with {.fn fit_network}."), call = call)
}

# ---- networks of trees over continuous nodes ----------------------------------------------------

# Gibbs sweeps before a draw, and how often a row that is still impossible begins again.
sweeps_of_draw <- 30L
attempts_of_draw <- 5L

# Each start of a search for the most probable values: so many sweeps of draws, then climbing, at
# most so many sweeps. The first start takes peaks in place of draws.
starts_of_peaks <- 5L
sweeps_of_start <- 10L
most_climbs <- 50L

impute_by_sweeps <- function(model, data, draws, progress, call) {
  refuse_lines_among_trees(model, call)
  draws <- check_count(draws, "draws", call = call)
  progress <- check_progress(progress, call)
  values <- encode_partial(model, data, "data", call)
  announce_outside(model$models, values)
  lacking <- which(Reduce(`|`, lapply(unname(values), is.na)))
  part <- lapply(values, `[`, lacking)
  tables <- if (length(lacking) == 0L) {
    rep(list(list(values = part, possible = logical())), max(1, draws))
  } else if (draws == 0) {
    list(with_seed(1, peak_rows(model, part, progress)))
  } else {
    drawn_tables(model, part, draws, progress)
  }
  announce_not_completed(unlist(lapply(tables, function(found) lacking[!found$possible])))
  if (draws == 0 && any(Reduce(`+`, lapply(unname(part), is.na)) > 1L)) {
    announce_inexact("The completions are the best found and need not be the most probable ones.",
                     "in networks of trees")
  }
  tables <- lapply(tables, function(found) {
    completed <- Map(function(all, own) {
      all[lacking[found$possible]] <- own[found$possible]
      all
    }, values, found$values)
    with_values(model, data, values, completed)
  })
  if (draws == 0) tables[[1L]] else tables
}

# What trees say of a number is constant in pieces, which regressions are not.
refuse_lines_among_trees <- function(fit, call) {
  lines <- fit$nodes[vapply(fit$models, function(model) {
    inherits(model, "optbn_regression") && !inherits(model, "optbn_set")
  }, NA)]
  if (length(lines) == 0L) return(invisible())
  abort_optbn("model",
              c(paste("Networks of linear regressions and trees over continuous nodes have no",
                      "completions."),
                x = "Node{?s} {.val {lines}} {?has a regression/have regressions}.",
                i = "Fit all nodes by {.fn fit_network} with one {.arg score}."), call = call)
}

# list(values, possible): complete rows, and which of them have a positive density.
drawn_tables <- function(model, values, draws, progress) {
  tables <- vector("list", draws)
  report <- progress_bar(progress, "Completing rows", draws)
  for (i in seq_len(draws)) {
    tables[[i]] <- drawn_rows(model, values)
    report()
  }
  tables
}

drawn_rows <- function(model, values, attempts = attempts_of_draw) {
  open <- rows_lacking(values, model$parents)
  found <- sweep_rows(model, values, open, draw_value, alone = TRUE)
  for (k in seq_len(sweeps_of_draw)) found <- sweep_rows(model, found, open, draw_value)
  possible <- row_densities(model, found) > -Inf
  again <- which(!possible)
  if (length(again) && attempts > 1L) {
    other <- drawn_rows(model, lapply(values, `[`, again), attempts - 1L)
    found <- Map(function(all, own) replace(all, again, own), found, other$values)
    possible[again] <- other$possible
  }
  list(values = found, possible = possible)
}

peak_rows <- function(model, values, progress) {
  open <- rows_lacking(values, model$parents)
  best <- values
  highest <- rep(-Inf, length(values[[1L]]))
  report <- progress_bar(progress, "Completing rows", starts_of_peaks)
  for (start in seq_len(starts_of_peaks)) {
    found <- climb_from(model, values, open, if (start == 1L) peak_value else draw_alike)
    density <- row_densities(model, found)
    better <- which(density > highest)
    highest[better] <- density[better]
    for (node in names(open)) best[[node]][better] <- found[[node]][better]
    report()
  }
  list(values = best, possible = highest > -Inf)
}

climb_from <- function(model, values, open, choose) {
  values <- sweep_rows(model, values, open, choose, alone = TRUE)
  for (k in seq_len(sweeps_of_start)) values <- sweep_rows(model, values, open, choose)
  for (k in seq_len(most_climbs)) {
    before <- values
    values <- sweep_rows(model, before, open, peak_value)
    if (identical(values, before)) break
  }
  values
}

# Natural logarithms; -Inf of rows that are impossible.
row_densities <- function(model, values) {
  density <- Reduce(`+`, lapply(unname(model$models), local_log_density, values))
  ifelse(is.na(density), -Inf, density)
}

announce_not_completed <- function(rows) {
  rows <- unique(rows)
  if (length(rows) == 0L) return(invisible())
  announce(c("No possible completion was found of {length(rows)} row{?s} of {.arg data}.",
             i = "{cli::qty(length(rows))}{?It stays/They stay} as {?it is/they are}."))
}

# ---- densities and compiled networks ------------------------------------------------------------

# Rows that lack values, grouped where they are equal: list(row numbers).
rows_alike <- function(values) {
  lacking <- Reduce(`|`, lapply(values, is.na))
  rows <- which(lacking)
  key <- do.call(paste, c(lapply(unname(values), `[`, rows), sep = "\r"))
  split(rows, factor(key, unique(key)))
}

# One question for each group of rows that are alike: list(tables, impossible, inexact). `draws`: 0
# for the most probable completion.
complete_alike <- function(handle, model, values, draws, progress, call) {
  tables <- rep(list(values), max(1, draws))
  impossible <- integer()
  inexact <- FALSE
  groups <- rows_alike(values)
  report <- progress_bar(progress, "Completing rows", length(groups))
  for (rows in groups) {
    known <- evidence_of_codes(vapply(values, `[`, 0L, rows[1L]), model$levels)
    answer <- complete_one(handle, model, known, length(rows), draws, call)
    if (is.null(answer)) {
      impossible <- c(impossible, rows)
    } else {
      inexact <- inexact || isFALSE(answer$exact)
      for (v in setdiff(seq_along(values), known$node)) {
        codes <- matrix(answer$codes[[v]], length(rows), length(tables))
        for (i in seq_along(tables)) tables[[i]][[v]][rows] <- codes[, i]
      }
    }
    report()
  }
  list(tables = tables, impossible = sort(impossible), inexact = inexact)
}

# Of equal rows: codes by node, all draws of the first table first; NULL of rows of probability 0.
complete_one <- function(handle, model, known, rows, draws, call) {
  answer <- if (draws == 0) {
    core_most_probable(handle, known, quiet_host())
  } else {
    core_draw_rows(handle, known, rows * draws, host_options(1L, Inf, FALSE, ""))
  }
  if (inherits(answer, "core_failure") && answer$kind == "impossible") return(NULL)
  answer <- answer_of(answer, model, known, call)
  if (draws == 0) answer else list(codes = answer)
}

# As encode_evidence_list() has it, of a code for each node. Of a node that is not known all levels
# are possible but a level NA.
evidence_of_codes <- function(codes, levels) {
  known <- which(!is.na(codes))
  weighed <- setdiff(match(possible_na(levels), names(levels)), known)
  list(node = known, level = unname(codes[known]), weighed = weighed,
       likelihood = lapply(unname(levels[weighed]), function(labels) as.double(!is.na(labels))))
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
    there <- node %in% names(data)
    rows <- which(is.na(values[[node]]) & !is.na(codes[[node]]))
    if (length(rows) == 0L && there) next
    filled <- decode_column(model, node, codes[[node]])
    data[[node]] <- if (there) fill_column(data[[node]], filled, rows) else filled
  }
  own_copy(data)
}

# A data.table to whose columns others can be added by reference.
own_copy <- function(data) {
  if (!inherits(data, "data.table") || !rlang::is_installed("data.table")) return(data)
  data.table::copy(data)
}

# Columns keep their types; one without any value gets that of the model.
fill_column <- function(column, filled, rows) {
  if (all(is.na(column)) && is.logical(column)) return(filled)
  if (is.factor(column)) {
    labels <- levels(filled) %||% unique(as.character(filled[rows]))
    column <- with_more_levels(column, labels[!is.na(labels)])
  } else if (is.factor(filled)) {
    filled <- as.character(filled)
    filled <- switch(typeof(column), logical = as.logical(filled), integer = as.integer(filled),
                     double = as.numeric(filled), filled)
  }
  column[rows] <- filled[rows]
  column
}

# In the order of these labels, unless the factor has an order or levels of its own.
with_more_levels <- function(column, labels) {
  own <- levels(column)
  if (all(labels %in% own)) return(column)
  place <- match(own, labels)
  levels <- if (anyNA(place) || is.unsorted(place)) union(own, labels) else labels
  codes <- match(own, levels)[column]
  structure(codes, levels = levels, class = class(column), names = names(column))
}
