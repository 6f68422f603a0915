# What a fitted dynamic network tells of series: filtered(), smoothed() and predict().
#
# A *recursion* is a fitted dynamic network as families to be gone through slice by slice:
#   nodes     static columns, then variables; `levels` by node, NULL of continuous ones
#   static, variables, lags   how many there are of each
#   first     for each of the first `lags` slices its families, parents first; static columns are
#             with slice 1
#   later     the families of every later slice
#   reach     by variable, the largest lag at which a later slice looks at it
#   last      a matrix, slice x node: the last of the first slices in which the node is a parent
# A family is list(node, parents (numbers of nodes), lags (of the parents), model).
#
# In a series of slices every variable at every slice has an *identity*, a number: static column i
# is i, and node i at slice t is i + (t - 1) * variables. `known` has the value of each identity,
# coded; NA is hidden. What is hidden after slice t and still looked at later is the *interface*:
# given its distribution, the *message*, the past tells nothing more of the future (Murphy 2002).
#
# A *question* is what a series is asked: list(asked, slices, mode, report): which nodes, by number,
# at which slices; "filter", "smooth" or "forecast"; and a function called with each slice done.
#
# An *engine* knows what distributions are:
#   observe(message, slice, known)  the belief: of what is hidden in message and slice, given the
#                                   slice; `message` is NULL at first
#   marginal(belief, id)            probabilities; or mean and sd
#   pass_on(belief, ids)            the message of these
#   look_back(belief, later)        the belief given what came later, by the later belief, in which
#                                   the message from here is known better; NULL at the end
# dynamic-discrete.R and dynamic-gaussian.R have one each; mixed networks use either, or are
# unrolled.

#' Forecast Series
#'
#' Computes the distribution of future values of the series in `newdata`, by the exact recursions of
#' [filtered()].
#'
#' @param object A fitted dynamic network: [fit_network()] of a network from [learn_dynamic()].
#' @param newdata Series, as in [filtered()].
#' @param horizon The number of steps ahead, a whole number from 1 to 100,000.
#' @inheritParams filtered
#' @param ... Ignored.
#'
#' @return A data frame as from [filtered()], with rows for the `horizon` steps after the last row
#'   of each subject.
#'
#' @details
#' If some future values are known, add them to `newdata`, as rows in which the other values are
#' `NA`, and use [smoothed()].
#'
#' If many discrete variables depend on each other, a message over all of them can be too large for
#' a forecast of more than one step. The network is then unrolled over the horizon. If its junction
#' tree is also too large, the error is `optbn_error_memory`. `simulate()` of the network from
#' [unroll()] then gives approximate forecasts.
#'
#' @inheritSection filtered Errors
#' @inherit filtered references
#' @seealso [filtered()], [smoothed()], [unroll()]
#' @examples
#' trapped <- data.frame(lynx = log10(as.numeric(lynx)))
#' fit <- fit_network(learn_dynamic(trapped, lags = 2), trapped)
#' predict(fit, trapped, horizon = 5)
#' @export
predict.optbn_dynamic_fit <- function(object, newdata, horizon = 1, nodes = NULL, level = 0.95,
                                      progress = interactive(), ...) {
  require_arguments()
  check_sound(object)
  call <- environment()
  horizon <- check_count(horizon, "horizon", minimum = 1, maximum = 1e5, call = call)
  ask_series(object, newdata, nodes, level, progress, call, mode = "forecast", horizon = horizon)
}

#' Distributions of Hidden Values in Series
#'
#' Computes the exact distribution of each variable at each time of a series: `filtered()` given the
#' values up to that time, `smoothed()` given the whole series. A variable is hidden if it is `NA`
#' or has no column. At a time point without a row, between two that have rows, every variable is
#' hidden.
#'
#' @param fit A fitted dynamic network: [fit_network()] of a network from [learn_dynamic()].
#' @param newdata A data frame with the columns of series, like the data from which `fit` was
#'   learned: the columns `id` and `time`, if there were any, and those of variables and static
#'   columns as far as they are observed. The first `lags` time points of a subject are assumed to
#'   have the distribution of the initial network.
#' @param nodes Names of the variables, or static columns, to return; `NULL` for all variables.
#' @param level The probability of the intervals of continuous variables, between 0 and 1.
#' @param progress Show a progress bar?
#'
#' @details
#' The recursions process a series slice by slice. A message represents the past: the joint
#' distribution of the hidden variables on which the future depends (Murphy 2002). Filtering takes
#' time proportional to the length of the series, and memory that does not depend on it; smoothing
#' stores a message for each time. In discrete networks the message is a table, whose number of
#' cells grows exponentially with the number of hidden variables. In Gaussian networks it is a
#' normal distribution (the recursions of Kalman and of Rauch, Tung and Striebel, by orthogonal
#' transformations).
#'
#' Mixed networks of tables and regressions are exact as well. They use the recursions if all
#' relevant discrete values, or all relevant continuous ones, are observed. Otherwise the relevant
#' stretch of time is unrolled, and the configurations of its hidden discrete values are enumerated,
#' up to 65,536. The posterior of a continuous variable is then a mixture. Its mean and standard
#' deviation are exact, and the interval is that of a normal distribution with this mean and
#' standard deviation.
#'
#' @return A data frame with the columns of subjects and times under their names (if there was no
#'   column of times, `time` is the number of the row in the series), `node`, and
#'   * for discrete nodes `level` and `probability`, a row for each level;
#'   * for continuous nodes `mean`, `sd`, and the ends `lower` and `upper` of the interval.
#'
#' If there are nodes of both kinds, columns that do not apply are `NA`.
#'
#' @section Errors: `optbn_error_argument` for names that are not nodes; `optbn_error_data` as
#'   [lagged()], and for levels that the model does not have; `optbn_error_impossible` for a series
#'   of probability 0; `optbn_error_memory` if a message is too large; `optbn_error_model` for a
#'   network with trees of continuous nodes.
#' @references
#' Murphy, K. P. (2002). *Dynamic Bayesian Networks: Representation, Inference and Learning*. PhD
#' thesis, University of California, Berkeley.
#'
#' Rauch, H. E., Tung, F. and Striebel, C. T. (1965). Maximum likelihood estimates of linear dynamic
#' systems. *AIAA Journal* 3, 1445-1450. \doi{10.2514/3.3166}
#' @seealso [predict.optbn_dynamic_fit()] for forecasts.
#' @examples
#' returns <- as.data.frame(diff(log(EuStockMarkets)))
#' fit <- fit_network(learn_dynamic(returns), returns)
#' week <- returns[1:5, ]
#' week$DAX[2:3] <- NA
#' filtered(fit, week, "DAX")
#' smoothed(fit, week, "DAX")
#' @export
filtered <- function(fit, newdata, nodes = NULL, level = 0.95, progress = interactive()) {
  require_arguments()
  call <- environment()
  check_dynamic_fit(fit, call)
  ask_series(fit, newdata, nodes, level, progress, call, mode = "filter")
}

#' @rdname filtered
#' @export
smoothed <- function(fit, newdata, nodes = NULL, level = 0.95, progress = interactive()) {
  require_arguments()
  call <- environment()
  check_dynamic_fit(fit, call)
  ask_series(fit, newdata, nodes, level, progress, call, mode = "smooth")
}

check_dynamic_fit <- function(fit, call) {
  if (!inherits(fit, "optbn_dynamic_fit")) {
    abort_optbn("argument",
                c("{.arg fit} must be a fitted dynamic network.", x = "It is {describe(fit)}.",
                  i = "{.fn fit_network} makes one of what {.fn learn_dynamic} returns."),
                call = call)
  }
  check_sound(fit, call)
}

# ---- series -------------------------------------------------------------------------------------

# `horizon`: how many slices after each series are asked for, in place of its own.
ask_series <- function(fit, newdata, nodes, level, progress, call, mode, horizon = 0L) {
  layout <- fit$layout
  nodes <- check_asked(nodes, layout, call)
  level <- check_number(level, "level", above = 0, below = 1, call = call)
  progress <- check_progress(progress, call)
  series <- series_of(fit, newdata, call)
  recursion <- recursion_of(fit, call)
  slices <- lapply(series$subjects, function(subject) {
    if (mode == "forecast") subject$slices + seq_len(horizon) else seq_len(subject$slices)
  })
  passes <- if (mode == "smooth") 2L else 1L
  report <- progress_bar(progress, "Processing series", passes * sum(lengths(slices)))
  told <- Map(function(subject, slices) {
    known <- c(subject$known, rep(NA, horizon * recursion$variables))
    question <- list(asked = match(nodes, recursion$nodes), slices = slices, mode = mode,
                     report = report)
    answers <- posteriors(recursion, fit, known, question, call)
    told <- tell_posteriors(answers, slices, recursion, nodes, level)
    told$slice <- told$slice + subject$begin - 1
    told
  }, series$subjects, slices)
  with_subject_and_time(told, series$labels, layout)
}

# What is told of each subject, one below the other; a slice is a step since the origin.
with_subject_and_time <- function(told, labels, layout) {
  whose <- rep(seq_along(told), vapply(told, nrow, 0L))
  answer <- do.call(rbind, told)
  steps <- answer$slice
  time <- if (is.null(layout$clock)) steps + 1 else times_at(steps, layout$clock)
  index <- set_names(list(time), layout$time %||% "time")
  if (!is.null(layout$id)) {
    index <- c(set_names(list(labels[whose]), layout$id), index)
  }
  answer$slice <- NULL
  cbind(list2DF(index, nrow(answer)), answer)
}

check_asked <- function(nodes, layout, call) {
  if (is.null(nodes)) return(layout$variables)
  all <- c(layout$variables, layout$static)
  if (is.character(nodes) && length(nodes) && all(nodes %in% all)) return(unique(nodes))
  abort_optbn("argument",
              c("{.arg nodes} must be NULL, or names of variables or static columns.",
                x = "It is {describe(nodes)}.", i = "There are {.val {all}}."),
              call = call)
}

# The series of each subject: how many `slices`, the step at which they `begin`, and `known`, the
# coded value of each identity.
series_of <- function(fit, newdata, call) {
  layout <- fit$layout
  check_series(newdata, layout, call)
  newdata <- as.data.frame(newdata)
  columns <- c(layout$static, layout$variables)
  codes <- encode_partial(fit$transition, newdata, "newdata", call, columns)
  series <- order_series(newdata, layout, call)
  codes <- as.data.frame(lapply(codes, `[`, series$row), col.names = columns, optional = TRUE)
  unordered <- list(row = seq_len(nrow(newdata)), subject = series$subject, step = series$step,
                    labels = series$labels)
  codes <- with_static(codes, unordered, layout, call)
  rows <- split(seq_along(series$subject), series$subject)
  subjects <- lapply(unname(rows), function(rows) {
    slice <- series$step[rows] + 1
    slices <- max(slice)
    require_slices(slices, layout, call)
    values <- matrix(NA_real_, length(layout$variables), slices)
    values[, slice] <- t(as.matrix(codes[rows, layout$variables, drop = FALSE]))
    static <- unlist(codes[rows[1L], layout$static], use.names = FALSE)
    list(slices = slices, begin = series$begin[series$subject[rows[1L]]],
         known = c(static, as.vector(values)))
  })
  list(subjects = subjects, labels = series$labels)
}

check_series <- function(newdata, layout, call) {
  check_newdata(newdata, character(), "newdata", call)
  missing <- setdiff(c(layout$id, layout$time), names(newdata))
  if (length(missing)) {
    abort_optbn("data",
                c("{.arg newdata} must have the columns of the subjects and times.",
                  x = "Column{?s} {.val {missing}} {?is/are} missing."),
                call = call)
  }
  if (nrow(newdata) == 0L) abort_optbn("data", "{.arg newdata} has no rows.", call = call)
}

# Missing rows are slices, too.
require_slices <- function(slices, layout, call) {
  most <- 1e7 / length(layout$variables)
  if (slices <= most) return(invisible())
  abort_optbn("memory",
              c("A series of {.arg newdata} has {format_count(slices)} time points.",
                i = "It may have {format_count(floor(most))}: is the time of a row wrong?"),
              call = call)
}

# ---- the recursion ------------------------------------------------------------------------------

recursion_of <- function(fit, call) {
  check_exact_models(fit, call)
  layout <- fit$layout
  nodes <- c(layout$static, layout$variables)
  lags <- layout$lags
  place <- past_places(layout)
  recursion <- list(nodes = nodes, levels = fit$transition$levels[nodes],
                    static = length(layout$static), variables = length(layout$variables),
                    lags = lags)
  families <- function(part, columns) {
    models <- part$models[columns]
    own <- place[columns, ]
    found <- lapply(seq_along(models), function(i) {
      parents <- place[models[[i]]$parents, ]
      list(node = match(own$variable[i], nodes), parents = match(parents$variable, nodes),
           lags = ifelse(is.na(parents$lag), 0L, parents$lag - own$lag[i]), model = models[[i]])
    })
    found[slice_order(found)]
  }
  recursion$first <- lapply(seq_len(lags), function(slice) {
    now <- lag_name(layout$variables, lags + 1L - slice)
    families(fit$initial, c(if (slice == 1L) layout$static, now))
  })
  recursion$later <- families(fit$transition, layout$variables)
  c(recursion, uses_of(recursion))
}

# Parents of the same slice first.
slice_order <- function(families) {
  nodes <- vapply(families, `[[`, 0L, "node")
  topological_order(lapply(families, function(family) {
    here <- match(family$parents[family$lags == 0L], nodes)
    here[!is.na(here)]
  }))
}

uses_of <- function(recursion) {
  n <- length(recursion$nodes)
  static <- seq_len(recursion$static)
  reach <- numeric(n)
  for (family in recursion$later) {
    for (i in seq_along(family$lags)) { # a node may be a parent at several lags
      reach[family$parents[i]] <- max(reach[family$parents[i]], family$lags[i])
    }
    reach[intersect(family$parents, static)] <- Inf
  }
  last <- matrix(0, recursion$lags, n)
  for (slice in seq_len(recursion$lags)) {
    for (family in recursion$first[[slice]]) {
      from <- cbind(ifelse(family$parents %in% static, 1L, slice - family$lags), family$parents)
      last[from] <- slice
    }
  }
  list(reach = reach, last = last)
}

check_exact_models <- function(fit, call) {
  continuous <- vapply(fit$transition$levels, is.null, NA)
  divided <- vapply(c(fit$transition$models, fit$initial$models), inherits, NA, "optbn_partition")
  if (!(any(continuous) && any(divided))) return(invisible())
  abort_optbn("model",
              c("Exact inference in series needs tables and linear regressions.",
                x = "This network has trees, or discretised tables, and continuous variables.",
                i = paste("Fit it with another {.arg score}, such as {.val bic-cg}; or use",
                          "{.fn approximate_query} with the {.fn unroll}ed network.")),
              call = call)
}

# The identities of nodes at slices.
identity_at <- function(recursion, node, slice) {
  ifelse(node <= recursion$static, node, node + (slice - 1) * recursion$variables)
}

node_of <- function(recursion, id) {
  ifelse(id <= recursion$static, id,
         recursion$static + (id - recursion$static - 1) %% recursion$variables + 1)
}

slice_of <- function(recursion, id) {
  ifelse(id <= recursion$static, 1,
         (id - recursion$static - 1) %/% recursion$variables + 1)
}

# The families of a slice, with `ids`, those of the node and its parents.
families_at <- function(recursion, slice) {
  families <- if (slice <= recursion$lags) recursion$first[[slice]] else recursion$later
  lapply(families, function(family) {
    family$ids <- identity_at(recursion, c(family$node, family$parents), slice - c(0, family$lags))
    family
  })
}

# The last slice that looks at each of these identities. `asked`: nodes that are asked for; static
# ones matter to the end.
last_look <- function(recursion, ids, asked = integer()) {
  node <- node_of(recursion, ids)
  own <- slice_of(recursion, ids)
  end <- own + recursion$reach[node]
  last <- ifelse(end > recursion$lags, end, own)
  first <- own <= recursion$lags
  last[first] <- pmax(last[first], recursion$last[cbind(own[first], node[first])])
  last[node <= recursion$static & node %in% asked] <- Inf
  last
}

# ---- going through a series ---------------------------------------------------------------------

# For each slice of the question, by asked node: probabilities, or mean and sd.
posteriors <- function(recursion, fit, known, question, call) {
  engine <- engine_for(recursion, known, call)
  if (is.null(engine)) return(posteriors_unrolled(recursion, fit, known, question, call))
  go <- if (question$mode == "smooth") go_back else go_ahead
  tryCatch(go(recursion, engine, known, question), optbn_error_memory = function(condition) {
    posteriors_unrolled(recursion, fit, known, question, call)
  })
}

# Which recursion is exact; NULL if none is.
engine_for <- function(recursion, known, call) {
  discrete <- !vapply(recursion$levels, is.null, NA)
  kind <- discrete[node_of(recursion, seq_along(known))]
  if (!all(discrete) && !any(is.na(known) & kind)) return(gaussian_engine(recursion, call))
  if (!any(is.na(known) & !kind)) return(discrete_engine(recursion, call))
}

go_ahead <- function(recursion, engine, known, question) {
  slices <- question$slices
  answers <- vector("list", length(slices))
  # what is before a cut tells nothing
  cuts <- cuts_of(recursion, known, max(slices), question$asked)
  begin <- max(1, cuts[cuts < slices[1L] & cuts >= recursion$lags] + 1)
  go_through(recursion, engine, known, begin, question, function(slice, belief) {
    here <- match(slice, slices)
    if (is.na(here)) return(invisible())
    answers[[here]] <<- told_of(recursion, engine, belief, known, slice, question$asked)
    question$report()
  })
  answers
}

go_back <- function(recursion, engine, known, question) {
  beliefs <- answers <- vector("list", max(question$slices))
  go_through(recursion, engine, known, 1, question, function(slice, belief) {
    beliefs[[slice]] <<- belief
    question$report()
  })
  later <- NULL
  for (slice in rev(seq_along(beliefs))) {
    later <- engine$look_back(beliefs[[slice]], later)
    answers[[slice]] <- told_of(recursion, engine, later, known, slice, question$asked)
    question$report()
  }
  answers[question$slices]
}

# Calls visit(slice, belief) from the slice `begin` on to the last one of the question.
go_through <- function(recursion, engine, known, begin, question, visit) {
  message <- NULL
  for (slice in seq(begin, max(question$slices))) {
    belief <- engine$observe(message, slice, known)
    visit(slice, belief)
    message <- engine$pass_on(belief, interface_after(recursion, belief, slice, question$asked))
  }
}

# The hidden identities that later slices look at.
interface_after <- function(recursion, belief, slice, asked) {
  belief$ids[last_look(recursion, belief$ids, asked) > slice]
}

told_of <- function(recursion, engine, belief, known, slice, asked) {
  ids <- identity_at(recursion, asked, slice)
  lapply(seq_along(ids), function(i) {
    value <- known[ids[i]]
    levels <- recursion$levels[[asked[i]]]
    if (is.na(value)) return(engine$marginal(belief, ids[i]))
    if (is.null(levels)) c(value, 0) else as.double(seq_along(levels) - 1 == value)
  })
}

abort_impossible_series <- function(slice, call) {
  abort_optbn("impossible",
              c("The known values of a series have probability 0 under the model.",
                x = "Those up to time point {slice} already have it.",
                i = "{.fn fit_network} with {.code method = \"bayes\"} gives no probability of 0."),
              call = call)
}

# ---- answers ------------------------------------------------------------------------------------

# A row for each slice, node, and level of a discrete one. `answers`: as of posteriors().
tell_posteriors <- function(answers, slices, recursion, nodes, level) {
  levels <- recursion$levels[nodes]
  parts <- lapply(seq_along(nodes), function(i) {
    values <- do.call(rbind, lapply(answers, `[[`, i))
    told <- if (is.null(levels[[i]])) {
      told_normal(slices, values, level)
    } else {
      told_levels(slices, values, levels[[i]])
    }
    told$place <- rep(i, nrow(told))
    told
  })
  columns <- unique(unlist(lapply(parts, names)))
  parts <- lapply(parts, function(part) {
    part[setdiff(columns, names(part))] <- NA
    part[columns]
  })
  told <- do.call(rbind, parts)
  told <- told[order(told$slice, told$place), ]
  told$node <- nodes[told$place]
  row.names(told) <- NULL
  told[c("slice", "node", setdiff(columns, c("slice", "place")))]
}

told_levels <- function(slices, values, levels) {
  data.frame(slice = rep(slices, each = length(levels)), level = rep(levels, length(slices)),
             probability = as.vector(t(values)))
}

told_normal <- function(slices, values, level) {
  reach <- stats::qnorm((1 + level) / 2) * values[, 2L]
  data.frame(slice = slices, mean = values[, 1L], sd = values[, 2L],
             lower = values[, 1L] - reach, upper = values[, 1L] + reach)
}

# ---- by unrolling -------------------------------------------------------------------------------

# As posteriors(), where no recursion answers: the stretch of time that matters is unrolled, at once
# or, where only what was known by then counts, once for each slice.
posteriors_unrolled <- function(recursion, fit, known, question, call) {
  by_then <- question$mode == "filter"
  asked <- question$asked
  cuts <- cuts_of(recursion, known, max(question$slices), asked)
  unrolled <- NULL
  queries <- if (by_then) as.list(question$slices) else list(question$slices)
  unlist(lapply(queries, function(some) {
    begin <- max(1, cuts[cuts < some[1L]] - recursion$lags + 1)
    end <- max(some, recursion$lags)
    width <- max(end - begin + 1, recursion$lags)
    begin <- end - width + 1
    if (!identical(width, unrolled$width)) {
      unrolled <<- list(width = width, fit = unroll(fit, width))
    }
    n <- recursion$variables
    ids <- c(seq_len(recursion$static), recursion$static + (begin - 1) * n + seq_len(width * n))
    values <- known[ids]
    if (by_then) values[slice_of(recursion, ids) > some] <- NA
    window <- unrolled$fit
    if (begin > 1) {
      start <- which(slice_of(recursion, ids) < begin + recursion$lags)
      window <- without_start(window, values, start, call)
    }
    answers <- answer_unrolled(recursion, window, values, match_asked(recursion, ids, some, asked),
                               call)
    question$report(length(some))
    answers
  }), recursive = FALSE)
}

# The initial network does not hold for the `first` slices of a stretch that begins later than the
# series. Their known values are therefore set, not observed.
without_start <- function(unrolled, values, first, call) {
  first <- first[!is.na(values[first])]
  set_nodes(unrolled, coded_evidence(unrolled, values, first), call)
}

# What is known of some nodes, as labels and numbers.
coded_evidence <- function(unrolled, values, nodes) {
  Map(function(levels, value) if (is.null(levels)) value else levels[value + 1],
      unrolled$levels[nodes], values[nodes])
}

# The slices after which all is known that is looked at later.
cuts_of <- function(recursion, known, slices, asked) {
  hidden <- which(is.na(known))
  if (length(hidden) == 0L) return(seq_len(slices))
  from <- slice_of(recursion, hidden)
  to <- pmin(last_look(recursion, hidden, asked), slices + 1)
  open <- cumsum(tabulate(from, slices + 1) - tabulate(to, slices + 1))
  which(open[seq_len(slices)] == 0)
}

# For each slice the places of the asked nodes among `ids`.
match_asked <- function(recursion, ids, slices, asked) {
  lapply(slices, function(slice) match(identity_at(recursion, asked, slice), ids))
}

# `values`: of the nodes of the unrolled fit, coded; `places`: by slice, of the asked ones.
answer_unrolled <- function(recursion, unrolled, values, places, call) {
  posterior <- if (has_exact_answers(unrolled)) {
    posterior_compiled(unrolled, values, call)
  } else {
    function(i) posterior_mixed(unrolled, values, i, call)
  }
  lapply(places, function(slice) {
    lapply(slice, function(i) {
      levels <- unrolled$levels[[i]]
      if (is.na(values[i])) return(posterior(i))
      if (is.null(levels)) c(values[i], 0) else as.double(seq_along(levels) - 1 == values[i])
    })
  })
}

posterior_compiled <- function(unrolled, values, call) {
  compiled <- compile_for(unrolled, call = call)
  marginals <- query(compiled, evidence = coded_evidence(unrolled, values, which(!is.na(values))))
  function(i) as.vector(marginals[[unrolled$nodes[i]]])
}

posterior_mixed <- function(unrolled, values, i, call) {
  columns <- Map(function(value, levels) if (is.null(levels)) value else as.integer(value),
                 set_names(values, unrolled$nodes), unrolled$levels)
  type <- if (is.null(unrolled$levels[[i]])) "distribution" else "prob"
  found <- posterior_of_gaps(unrolled, unrolled$nodes[i], columns, 1L, type, call)
  if (is.null(found)) {
    abort_optbn("memory",
                c("Too many discrete values are hidden together with continuous ones.",
                  i = paste("Shorten the series or the horizon, or use {.fn approximate_query}",
                            "with the {.fn unroll}ed network.")),
                call = call)
  }
  found <- unlist(found, use.names = FALSE)
  if (anyNA(found)) abort_impossible_series(length(values), call)
  found
}
