# Pilots: a part of the scoring that a forecast speaks of, done in about half a second.
#
# Bounds spare many sets, and machines differ: neither is known beforehand. A pilot scores the sets
# of few parents of all nodes, which gives the pace, and then all sets of some nodes, which gives
# the share that bounds leave. Its seconds are those of the day, so that nothing but what
# search_size() says depends on it.

# At most so many for each of its parts.
pilot_seconds <- c(levels = 0.3, nodes = 0.3)

# How many sets a problem will have `scored`, and the `seconds` that this will take on one core.
# `scoring`: the forecast of its levels.
pilot <- function(problem, scoring, seconds = pilot_seconds) {
  levels <- score_levels(problem, scoring$parents, seconds[["levels"]])
  if (is.null(levels)) { # no memory for sets of no parent
    return(list(scored = sum(scoring$families), seconds = sum(scoring$seconds)))
  }
  if (levels$last == max(scoring$parents)) return(levels[c("scored", "seconds")])
  nodes <- score_nodes(problem, max(scoring$parents), seconds[["nodes"]])
  if (nodes$families == 0) nodes <- levels
  share <- nodes$scored / nodes$families
  pace <- levels$seconds / (levels$forecast * levels$scored / levels$families)
  list(scored = sum(scoring$families) * share, seconds = sum(scoring$seconds) * share * pace)
}

# Of all nodes sets of at most so many parents, and then of more, as long as there is time.
score_levels <- function(problem, sizes, seconds) {
  nodes <- seq_along(problem$encoded$nodes)
  begun <- proc.time()[["elapsed"]]
  done <- NULL
  for (last in sizes) {
    left <- seconds - (proc.time()[["elapsed"]] - begun)
    one <- score_some(problem, nodes, last, if (is.null(done)) Inf else left)
    if (!one$finished) break
    done <- c(one, last = last)
  }
  done
}

# Of one node all sets, of two more, four more, ..., as long as there is time.
score_nodes <- function(problem, last, seconds) {
  n <- length(problem$encoded$nodes)
  scattered <- order((seq_len(n) * (sqrt(5) - 1) / 2) %% 1)
  done <- list(scored = 0, families = 0)
  for (nodes in split(scattered, floor(log2(seq_len(n))))) {
    one <- score_some(problem, nodes, last, seconds)
    if (!one$finished) break
    done <- Map(`+`, done, one[names(done)])
    seconds <- seconds - one$seconds
  }
  done
}

# Scores the sets of at most `last` parents of some nodes: how many there are (`families`), were
# `scored`, their seconds, and those `forecast`.
score_some <- function(problem, nodes, last, seconds) {
  constraints <- problem$constraints
  least <- lengths(constraints$required)
  constraints$max_parents[nodes] <- pmin(constraints$max_parents, last)[nodes]
  constraints$max_parents[-nodes] <- 0L
  constraints$max_parents <- pmax(constraints$max_parents, least)
  options <- c(constraints[c("max_parents", "required", "forbidden")],
               list(slack = 0, memory_limit = problem$memory_limit, distribution = NULL,
                    partial = TRUE, budget = Inf))
  host <- host_options(1L, max(seconds, 0), FALSE, "", seed = no_seed)
  score <- score_for_core(problem$score, problem$encoded)
  found <- call_core(core_parent_sets(problem$encoded, score, options, host))
  forecast <- forecast_scoring(constraints, problem$encoded, problem$score)
  most <- pmin(constraints$max_parents, lengths(constraints$required) +
                 free_parents(constraints, problem$encoded, problem$score))
  list(scored = max(sum(found$counted), 1), families = sum(forecast$families),
       seconds = found$seconds, forecast = sum(forecast$seconds),
       finished = all(found$complete >= most))
}
