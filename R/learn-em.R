# Structural EM: networks from data with missing values.
#
# Expectation: what is missing is completed under the present network, in weighted rows that have the
# exact expected counts and moments of any family (src/core/completion/completions.h).
# Maximisation: learn_dag() of the completed rows, that is, the best network by expected score.

# A row becomes so many completed rows at most, and all together at most so many.
most_completions <- 200
most_completed_rows <- 1e6

most_maximisations <- 50L

# `arguments`: what else learn_dag() was asked.
learn_by_em <- function(x, score, weights, arguments, limits, call) {
  refuse_search_files(arguments, call)
  if (inherits(x, "optbn_parent_sets")) abort_no_data_for_em(call)
  encoded <- encode_data(x, weights, call, limits$memory_limit, holes = TRUE)
  refuse_rows_elsewhere(encoded, call)
  score <- expected_score(score, encoded, call)
  if (is.null(encoded$holes)) return(search_completed(encoded, score, arguments, NULL, limits))
  runs <- list()
  for (start in starts_of_em(encoded, score, arguments, limits, call)) {
    run <- run_em(start, encoded, score, arguments, limits, call)
    runs <- c(runs, list(run))
    if (run$stopped) break
  }
  best <- runs[[which.max(vapply(runs, `[[`, 0, "value"))]]
  if (best$stopped && is.null(best$network)) abort_before_first("time_limit", call, "there was a network")
  with_em_trace(best, runs, encoded)
}

refuse_search_files <- function(arguments, call) {
  given <- Filter(function(arg) !is.null(arguments[[arg]]), c("log", "proof"))
  if (length(given) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg {given}} cannot be used with {.code missing = \"em\"}.",
                x = "It is about one search, and there are several.",
                i = "{.fn write_proof} proves the last one afterwards."), call = call)
}

abort_no_data_for_em <- function(call) {
  abort_optbn("argument",
              c("{.code missing = \"em\"} needs data.",
                x = "{.arg x} is parent sets, whose scores are there already."), call = call)
}

# Penalised likelihoods alone: their expectation is what a maximisation step maximises.
expected_score <- function(score, encoded, call) {
  if (is.null(score)) {
    columns <- columns_kind(encoded)
    label <- switch(columns, discrete = "bic", mixed = "bic-cg", continuous = "bic-g")
    announce("{.arg score} is {.val {label}}, as usual for {columns} columns with missing values.")
    return(as_score(label))
  }
  score <- as_score(score, call)
  if (!sub("-.*", "", score$label) %in% c("bic", "aic", "ebic", "loglik")) {
    abort_optbn("score",
                c(paste("{.code missing = \"em\"} takes penalised likelihoods, not score",
                        "{.val {score$label}}."),
                  i = "Use {.val bic}, {.val aic} or {.val ebic}, or their forms for numbers."),
                call = call)
  }
  score
}

# ---- where it begins ----------------------------------------------------------------------------

# The user's network, or the best by node averages and the one without arcs: steps only go upwards,
# and lead to the nearest top.
starts_of_em <- function(encoded, score, arguments, limits, call) {
  if (!is.null(arguments$start)) return(list(arguments$start))
  empty <- network_without_arcs(encoded$nodes)
  allowed <- arguments[c("max_parents", "whitelist", "blacklist", "tiers", "candidates", "ancestors",
                         "max_arcs", "threads", "memory_limit", "progress")]
  averages <- suppressMessages(do.call(learn_dag, c(
    list(encoded, usual_average(encoded), time_limit = time_for_start(limits)), allowed
  )))
  list(averages, empty)
}

# A start need not be the best of its kind.
time_for_start <- function(limits) {
  if (is.finite(limits$time_limit)) max(0, limits$time_limit - seconds_since(limits)) / 10 else 10
}

network_without_arcs <- function(nodes) {
  matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
}

# ---- one run ------------------------------------------------------------------------------------

# Maximises until the network stays as it is, or gains no more: list(network, value, trace, stopped).
# The value is the score of what is known: its log-likelihood, less the penalty of the network.
run_em <- function(start, encoded, score, arguments, limits, call) {
  complete <- complete_score(score, encoded_without_holes(encoded), call)
  fit <- fit_em_quietly(start, encoded, NULL, call)
  value <- observed_score(fit, complete)
  run <- list(network = NULL, value = value, stopped = FALSE,
              trace = em_step(fit, value, NULL))
  for (step in seq_len(most_maximisations)) {
    completed <- completed_rows(fit, encoded, call)
    network <- search_completed(completed$encoded, score, arguments, fit$network, limits)
    run$drawn <- completed$drawn
    reason <- certificate(network)$reason
    run$stopped <- identical(reason, "interrupt") ||
      seconds_since(limits) >= limits$time_limit
    next_fit <- fit_em_quietly(network, encoded, completed$encoded, call)
    next_value <- observed_score(next_fit, complete)
    same <- same_arcs(network, fit$network)
    if (is.null(run$network) && !same && next_value <= value) same <- TRUE
    gains <- next_value > value + 1e-6 * max(1, abs(value) * 1e-3)
    if (!(same || gains) && !is.null(run$network)) break
    run$network <- network
    run$trace <- rbind(run$trace, em_step(next_fit, next_value, certificate(network)))
    run$value <- value <- max(value, next_value)
    fit <- next_fit
    if (same || run$stopped) break
  }
  run
}

encoded_without_holes <- function(encoded) {
  encoded$holes <- NULL
  encoded
}

same_arcs <- function(one, other) {
  a <- parent_names(as_network_structure(one))
  b <- parent_names(as_network_structure(other))[names(a)]
  all(mapply(setequal, a, b))
}

em_step <- function(fit, value, certificate) {
  data.frame(
    log_likelihood = total_log_likelihood(fit), score = value, arcs = sum(lengths(fit$parents)),
    expected = certificate$score %||% NA_real_, gap = certificate$gap %||% NA_real_,
    status = certificate$status %||% NA_character_
  )
}

# `completed`: rows from which the parameters begin; NULL for those that know a family.
fit_em_quietly <- function(network, encoded, completed, call) {
  structure <- as_network_structure(network)
  suppressMessages(fit_by_em(structure, network, encoded, NULL, 0, 1e-6, FALSE, NULL, call,
                             begin = completed))
}

# Log-likelihood of what is known, less the penalty.
observed_score <- function(fit, score) {
  worth <- score$worth
  arcs <- if (is.null(worth)) 0 else worth$every * sum(lengths(fit$parents))
  total_log_likelihood(fit) - score$k * sum(vapply(fit$models, local_parameters, 0)) + arcs
}

# Of completed rows `scale` stand for one.
completed_rows <- function(fit, encoded, call) {
  scale <- max(1, floor(min(1e4, 4e9 / encoded$total)))
  most <- max(2, min(most_completions, floor(most_completed_rows / encoded$rows), scale))
  columns <- encoded_columns(encoded, fit$nodes)
  found <- call_core(
    core_completions(columns, network_for_core(fit$models, columns$levels), "weighted", scale, most,
                     host_options(1L, Inf, FALSE, "", random_seed())),
    fit$nodes, call
  )
  columns$columns <- found$columns
  columns$rows <- length(found$row)
  columns$weights <- found$weight
  columns$total <- sum(found$weight)
  columns$scale <- scale
  columns["holes"] <- list(NULL)
  list(encoded = encoded_columns(columns, encoded$nodes), drawn = found$drawn)
}

search_completed <- function(encoded, score, arguments, start, limits) {
  arguments$start <- start
  if (is.finite(limits$time_limit)) {
    arguments$time_limit <- max(0, limits$time_limit - seconds_since(limits))
  }
  arguments[c("log", "proof")] <- NULL
  suppressMessages(do.call(learn_dag, c(list(encoded, score), arguments)),
                   classes = "optbn_message")
}

# ---- what is told -------------------------------------------------------------------------------

with_em_trace <- function(best, runs, encoded) {
  network <- best$network
  record <- network$learning$optbn
  record$em <- list(
    trace = best$trace, starts = vapply(runs, `[[`, 0, "value"),
    missing = count_missing(encoded), drawn = best$drawn %||% 0
  )
  with_record(network, record)
}

# Named facts; none of a network that was learned from complete data.
format_em_search <- function(em) {
  if (is.null(em)) return(NULL)
  last <- em$trace[nrow(em$trace), ]
  steps <- nrow(em$trace) - 1L
  c(
    missing = cli::format_inline(
      "{format_count(em$missing)} value{cli::qty(em$missing)}{?s}: structural EM, {steps} step{?s}, the best of ",
      "{length(em$starts)} start{?s}"
    ),
    draws = if (em$drawn > 0) cli::format_inline("complete {format_count(em$drawn)} row{?s}"),
    known = paste0("log-likelihood ", format_log(last$log_likelihood), ", score ",
                   format_log(last$score))
  )
}
