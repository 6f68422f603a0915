# Structural EM: networks from data with missing values.
#
# Expectation: what is missing is completed under the present network, in weighted rows that have
# the expected counts and moments of any family (src/core/completion/completions.h).
# Maximisation: learn_dag() of the completed rows, that is, the best network by expected score.

# A row with more configurations than this is represented by so many draws; all rows together have
# no more than so many completions.
most_completions <- 10
most_completed_rows <- 1e6

most_maximisations <- 50L

# There are many searches: each takes a part of the usual effort or of the time that is left, and
# one cycle of growth. Quick ones climb from every start. Unless they were all proved, thorough ones
# go on from the best network, and theirs are the steps that count.
effort_of_step <- c(quick = 0.01, thorough = 0.1)
share_of_time <- c(quick = 0.05, thorough = 1)

most_columns_of_starts <- 24L

# Natural log units, and these a row: networks of one class differ by less, as EM ends before its
# limit.
least_gain <- c(all = 0.01, row = 1e-5)

# `asked`: what else learn_dag() was asked.
learn_by_em <- function(x, score, asked, limits, call) {
  refuse_search_files(asked, call)
  if (inherits(x, "optbn_parent_sets")) abort_no_data_for_em(call)
  encoded <- encode_data(x, asked$weights, call, limits$memory_limit, holes = TRUE,
                         targets = asked$targets)
  refuse_targets_of_em(encoded, call)
  refuse_rows_elsewhere(encoded, call)
  score <- expected_score(score, encoded, call)
  asked[c("weights", "targets")] <- list(NULL)
  if (is.null(encoded$holes)) return(learn_within(encoded, score, asked, limits, call))
  start_parents(asked$start, encoded$nodes, call) # is refused before anything is fitted
  complete <- complete_score(score, encoded_without_holes(encoded), call)
  climb <- function(run, pace) climb_em(run, pace, encoded, score, complete, asked, limits, call)
  runs <- lapply(starts_of_em(encoded, asked, limits, call), function(start) {
    climb(begin_em(start, encoded, complete, call), "quick")
  })
  values <- vapply(runs, `[[`, 0, "value")
  best <- runs[[which.max(values)]]
  if (!all_proved(best) && !best$stopped) best <- climb(with_new_trace(best), "thorough")
  with_em_trace(best, values, encoded)
}

refuse_search_files <- function(asked, call) {
  given <- Filter(function(arg) !is.null(asked[[arg]]), c("log", "proof"))
  if (length(given) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg {given}} cannot be used with {.code missing = \"em\"}.",
                x = "It applies to one search, but EM has several.",
                i = "{.fn write_proof} proves the last one afterwards."), call = call)
}

abort_no_data_for_em <- function(call) {
  abort_optbn("argument",
              c("{.code missing = \"em\"} needs data.",
                x = "{.arg x} is parent sets, which are already scored."), call = call)
}

# Penalised likelihoods alone: their expectation is what a maximisation step maximises.
expected_score <- function(score, encoded, call) {
  if (is.null(score)) {
    columns <- columns_kind(encoded)
    label <- switch(columns, discrete = "bic", mixed = "bic-cg", continuous = "bic-g")
    announce(paste("{.arg score} is {.val {label}} with {.code missing = \"em\"}, as usual for",
                   "{columns} columns with missing values."))
    return(as_score(label))
  }
  score <- as_score(score, call)
  if (!sub("-.*", "", score$label) %in% c("bic", "aic", "ebic", "loglik")) {
    abort_optbn("score",
                c(paste("{.code missing = \"em\"} takes penalised likelihoods, not score",
                        "{.val {score$label}}."),
                  i = "Use {.val bic}, {.val aic} or {.val ebic}, or their Gaussian forms."),
                call = call)
  }
  score
}

# ---- where it begins ----------------------------------------------------------------------------

# The user's, or a forest; of few columns, whose maximisations are quick, the network of best node
# averages and the one without arcs, too: steps only go upwards, and lead to the nearest top.
starts_of_em <- function(encoded, asked, limits, call) {
  if (!is.null(asked$start)) return(list(asked$start))
  forest <- forest_start(encoded, limits, call)
  if (length(encoded$nodes) > most_columns_of_starts) return(list(forest))
  alone <- asked
  alone[c("start", "ancestors", "max_arcs")] <- list(NULL)
  alone$method <- "local"
  if (is.null(asked$max_parents) && is.null(asked$whitelist)) alone["max_parents"] <- list(3)
  averages <- suppressMessages(learn_within(encoded, usual_average(encoded), alone,
                                            at_pace("quick", limits), call),
                               classes = "optbn_message")
  list(forest, averages, replace(forest, TRUE, 0L))
}

# The forest of largest mutual informations, each of the rows that know both columns, less what BIC
# charges.
forest_start <- function(encoded, limits, call) {
  parents <- forest_parents(core_information(encoded, limits, call), log(encoded$total) / 2 /
                              encoded$total)
  nodes <- encoded$nodes
  arcs <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  linked <- which(parents > 0L)
  discrete <- is_discrete(encoded)
  flipped <- discrete[linked] & !discrete[parents[linked]] # no continuous parent of a discrete node
  from <- ifelse(flipped, linked, parents[linked])
  to <- ifelse(flipped, parents[linked], linked)
  many <- flipped & stats::ave(as.integer(flipped), to, FUN = cumsum) > 1L
  arcs[cbind(from, to)[!many, , drop = FALSE]] <- 1L
  arcs
}

# By node its parent, or 0, in a spanning forest of largest weight (Prim), of weights above a least.
forest_parents <- function(weight, least) {
  n <- ncol(weight)
  parent <- integer(n)
  best <- weight[1L, ]
  link <- rep(1L, n)
  open <- seq_len(n)[-1L]
  while (length(open) > 0L) {
    next_one <- open[which.max(best[open])]
    parent[next_one] <- if (best[next_one] > least) link[next_one] else 0L
    open <- setdiff(open, next_one)
    nearer <- open[weight[next_one, open] > best[open]]
    best[nearer] <- weight[next_one, nearer]
    link[nearer] <- next_one
  }
  parent
}

# ---- one run ------------------------------------------------------------------------------------

# The fit of a first network, and its `value`: the score of what is known, which is its
# log-likelihood, less the penalty of the network.
begin_em <- function(start, encoded, complete, call) {
  fit <- fit_em_quietly(start, encoded, NULL, call)
  value <- observed_score(fit, complete)
  with_new_trace(list(fit = fit, value = value, network = NULL, drawn = 0, stopped = FALSE))
}

with_new_trace <- function(run) replace(run, "trace", list(em_step(run$fit, run$value, NULL)))

all_proved <- function(run) all(run$trace$status[-1L] == "optimal")

# Maximises until the network stays as it is, or gains nothing. `complete`: the score, as it is
# of these data.
climb_em <- function(run, pace, encoded, score, complete, asked, limits, call) {
  least <- least_gain[["all"]] + least_gain[["row"]] * encoded$total
  for (step in seq_len(most_maximisations)) {
    completed <- completed_rows(run$fit, encoded, call)
    asked$start <- run$fit$network
    network <- maximise_expected(completed$encoded, pace, score, asked, limits, call)
    fit <- fit_em_quietly(network, encoded, completed$encoded, call)
    value <- observed_score(fit, complete)
    gains <- value > run$value + least
    found <- certificate(network)
    if (is.null(run$network) || value >= run$value - least) {
      run <- list(fit = fit, value = value, network = network,
                  trace = rbind(run$trace, em_step(fit, value, found)), drawn = completed$drawn)
    }
    run$stopped <- identical(found$reason, "interrupt") ||
      seconds_since(limits) >= limits$time_limit
    if (run$stopped || !gains) break
  }
  run
}

maximise_expected <- function(completed, pace, score, asked, limits, call) {
  suppressMessages(learn_within(completed, score, asked, at_pace(pace, limits), call),
                   classes = "optbn_message")
}

at_pace <- function(pace, limits) {
  limits$effort <- effort_of_step[[pace]] * limits$effort
  limits$budget <- effort_of_step[[pace]] * limits$budget
  limits$cycles <- 1
  before <- seconds_since(limits)
  limits$time_limit <- before + share_of_time[[pace]] * max(0, limits$time_limit - before)
  limits
}

encoded_without_holes <- function(encoded) {
  encoded$holes <- NULL
  encoded
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
  total_log_likelihood(fit) - score$k * count_parameters(fit) + arcs
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
  columns$completed <- TRUE
  columns["holes"] <- list(NULL)
  list(encoded = encoded_columns(columns, encoded$nodes), drawn = found$drawn)
}

# ---- what is told -------------------------------------------------------------------------------

# `starts`: the score of what is known that each led to, by quick steps.
with_em_trace <- function(run, starts, encoded) {
  record <- run$network$learning$optbn
  record$em <- list(trace = run$trace, starts = starts, missing = count_missing(encoded),
                    drawn = run$drawn)
  with_record(run$network, record)
}

# Named facts; none of a network that was learned from complete data.
format_em_search <- function(em) {
  if (is.null(em)) return(NULL)
  last <- em$trace[nrow(em$trace), ]
  steps <- nrow(em$trace) - 1L
  c(
    missing = paste0(
      cli::format_inline(
        "{format_count(em$missing)} value{cli::qty(em$missing)}{?s}: structural EM, {steps} ",
        "maximisation{?s}"
      ),
      if (length(em$starts) > 1L) paste(", the best of", length(em$starts), "starts")
    ),
    draws = if (em$drawn > 0) {
      cli::format_inline("complete {format_count(em$drawn)} row{cli::qty(em$drawn)}{?s}")
    },
    known = paste0("log-likelihood ", format_log(last$log_likelihood), ", score ",
                   format_log(last$score))
  )
}
