# Cuts and a network in turn: a network that is best for the cuts, then cuts that are best for the
# network (R/data-discretize-score.R), as long as J rises.
#
# That ends in a local optimum, which depends on the beginning. There are three: three bins of equal
# frequency a column, as many as there may be, and the cuts of discretised tables (score_ft()),
# which a network of these has found. Searches on the way are short where a network is not proved
# soon; the last one, for the best cuts, is as thorough as learn_dag() is.

# The data cut, with the network. `asked$targets`: what was set in which rows.
discretize_by_score <- function(data, continuous, bins, cells, score, asked, limits, call) {
  score <- check_cut_score(score, call)
  encoded <- encode_data(data, call = call, targets = asked$targets)
  check_all_cut(encoded, continuous, call)
  problem <- new_cut_problem(encoded, match(continuous, encoded$nodes), bins, cells, score, call)
  search <- new_cut_search(asked, limits, call)
  tryCatch(search_cuts(problem, encoded, search),
           interrupt = function(condition) search$interrupted <- TRUE)
  state <- search$best
  if (is.null(state)) rlang::interrupt()
  if (search$interrupted) warn_interrupted(call)
  cuts <- lapply(set_names(problem$continuous, continuous), function(v) {
    problem$grids[[v]]$borders[state$ends[[v]]]
  })
  new_discretized(data, cuts, "score", network = state$network, objective = state$objective)
}

# The terms of other scores are no sums over bins that dynamic programming could divide, or know no
# bins.
check_cut_score <- function(score, call) {
  score <- as_score(score, call)
  possible <- c("bde", "bic", "aic")
  if (!score$label %in% possible) {
    abort_optbn("score",
                c("{.arg score} must be one of {.val {possible}}, as a label or an object.",
                  x = "It is {.val {score$label}}."),
                call = call)
  }
  score
}

check_all_cut <- function(encoded, continuous, call) {
  left <- setdiff(encoded$nodes[!is_discrete(encoded)], continuous)
  if (length(left) == 0L) return(invisible())
  abort_optbn("data",
              c("With {.code method = \"score\"} all numeric columns of {.arg data} must be cut.",
                x = "{.val {left}} {?is/are} not among {.arg columns}.",
                i = "Leave {.arg columns} out, or drop {cli::qty(left)}{?it/them}."),
              call = call)
}

# What is the same for all searches, and the `best` state so far. An environment, so that this is
# there after an interrupt.
new_cut_search <- function(asked, limits, call) {
  list2env(list(asked = asked, limits = limits, call = call, best = NULL, interrupted = FALSE),
           parent = emptyenv())
}

search_cuts <- function(problem, encoded, search) {
  for (beginning in list(few_bins, many_bins, bins_of_tables)) {
    if (!is.null(search$best) && cutting_is_over(search)) break
    start <- beginning(problem, encoded, search)
    if (is.null(start)) next
    state <- learn_cut(problem, new_cut_state(problem, start$ends), search, start = start$network)
    improve_cuts(problem, state, search)
  }
  if (cutting_is_over(search) || is_proved(search$best)) return(invisible())
  state <- learn_cut(problem, search$best, search, thorough = TRUE)
  if (is_proved(state)) improve_cuts(problem, state, search, thorough = TRUE)
}

# From a state with its network: cuts and networks in turn. A state that is cut but has no network
# of its own yet has no certificate that would speak of it: the one before is kept until then.
improve_cuts <- function(problem, state, search, thorough = FALSE) {
  repeat {
    if (cutting_is_over(search)) break
    cut <- recut_columns(problem, state, search)
    if (cut$rise <= rise_worth_a_search(problem, state) || cutting_is_over(search)) break
    following <- learn_cut(problem, cut, search, thorough = thorough)
    if (following$objective <= state$objective + least_rise(problem)) break
    state <- following
  }
}

least_rise <- function(problem) 1e-9 * problem$rows

# A search that does not prove its network takes long, and the next ones find something better most
# of the time: a thousandth is not worth them.
rise_worth_a_search <- function(problem, state) {
  if (is_proved(state)) least_rise(problem) else 1e-3 * abs(state$objective)
}

cutting_is_over <- function(search) {
  search$interrupted || seconds_since(search$limits) >= search$limits$time_limit
}

is_proved <- function(state) certificate(state$network)$status == "optimal"

# ---- networks -----------------------------------------------------------------------------------

# The state with the network that is best for its cuts, as far as a search finds it; kept as the
# best so far if it is.
learn_cut <- function(problem, state, search, start = state$network, thorough = FALSE) {
  found <- search_cut_network(encode_cut(problem, state), problem$asked_score, start, thorough,
                              search)
  state$network <- found
  state$parents <- as_network_structure(found)$parents
  state$objective <- cut_objective(problem, state)
  best <- search$best$objective %||% -Inf
  if (state$objective > best || (thorough && state$objective >= best)) search$best <- state
  state
}

# What learn_dag() does, for what is encoded. An interrupt of the search ends all, and leaves its
# best network.
search_cut_network <- function(encoded, score, start, thorough, search) {
  limits <- if (thorough) search$limits else short_limits(search$limits)
  asked <- search$asked
  learn <- function() {
    sets <- candidate_sets(encoded, score, max_parents = asked$max_parents,
                           whitelist = asked$whitelist, blacklist = asked$blacklist,
                           tiers = asked$tiers, limits = limits, call = search$call, start = start)
    search_dag(sets, "auto", start, 0, limits, search$call)
  }
  interrupted <- function(condition) {
    search$interrupted <- TRUE
    rlang::cnd_muffle(condition)
  }
  withCallingHandlers(
    if (thorough) learn() else suppressMessages(learn(), classes = "optbn_message"),
    optbn_warning_interrupt = interrupted
  )
}

# Less than a second of proofs, and few parent sets where not all are scored soon. A limit of time
# is used up by every search that is not proved: each has a small part of it.
short_limits <- function(limits) {
  limits$effort <- 1
  limits$budget <- 0.03
  if (is.finite(limits$time_limit)) {
    limits$time_limit <- min(limits$time_limit, seconds_since(limits) + limits$time_limit / 20)
  }
  limits
}

# ---- beginnings ---------------------------------------------------------------------------------

few_bins <- function(problem, encoded, search) {
  list(ends = frequency_ends(problem, min(3L, problem$bins)))
}

many_bins <- function(problem, encoded, search) {
  if (problem$bins > 3L) list(ends = frequency_ends(problem, problem$bins))
}

# The cuts by which the tables of a network divide each continuous parent; of a column that is no
# parent, equal frequency. NULL where such tables cannot be had, for their size or for want of time.
bins_of_tables <- function(problem, encoded, search) {
  score <- score_ft(max_bins = min(problem$bins, 32))
  tryCatch({
    network <- search_cut_network(encoded, score, NULL, FALSE, search)
    if (search$interrupted) return(NULL)
    learned <- with_partitions(network, encoded, search$call)
    list(ends = ends_of_tables(problem, encoded, learned$learning$optbn$partitions),
         network = network)
  }, optbn_error = function(condition) NULL)
}

ends_of_tables <- function(problem, encoded, tables) {
  ends <- frequency_ends(problem, min(3L, problem$bins))
  for (v in problem$continuous) {
    cuts <- unlist(lapply(tables, function(table) table$axes[[encoded$nodes[v]]]$cuts))
    if (length(cuts) == 0L) next
    nearest <- nearest_borders(cuts, problem$grids[[v]]$borders)
    many <- length(nearest) >= problem$bins
    if (many) nearest <- nearest[round(seq(1, length(nearest), length.out = problem$bins - 1L))]
    ends[[v]] <- nearest
  }
  ends
}

# Their numbers, ascending.
nearest_borders <- function(cuts, borders) {
  halfway <- borders[-1L] / 2 + borders[-length(borders)] / 2
  sort(unique(findInterval(cuts, halfway) + 1L))
}
