# Which parent sets are scored: all that there can be, or, where these would take too long, those
# that a search asks for (src/core/demand/demand_search.h), and all of few parents.

# Of a problem as scoring_problem() tells it: sets, considered, counted, seconds; where not all sets
# are accounted for, `complete` (up to how many parents they are, by node) and `larger` (how many
# sets there are of more) and the `reason`, "effort" or "time_limit"; and of a search `order`,
# that of the nodes in the best network it found, and `trace`.
#
# `start`: a network to begin with, or NULL; a search on demand goes on among its parent sets.
score_sets <- function(problem, slack, start, distribution, limits, call) {
  options <- c(problem$constraints[c("max_parents", "required", "forbidden")],
               list(slack = slack, memory_limit = limits$memory_limit, distribution = distribution))
  before <- seconds_since(limits)
  host <- host_within(limits, "Scoring parent sets", random_seed())
  nodes <- problem$encoded$nodes
  score <- score_for_core(problem$score, problem$encoded, limits, call)
  if (!problem$on_demand) {
    options <- c(options, list(partial = FALSE, budget = Inf))
    found <- call_core(core_parent_sets(problem$encoded, score, options, host), nodes, call)
    found$sets <- per_row(found$sets, problem$encoded)
    return(found[c("sets", "considered", "counted", "seconds")])
  }
  options <- c(options, effort_on_demand(problem, limits),
               list(quick = quick_score(problem), start = start_parents(start, nodes, call),
                    earlier = earlier_sets(start, nodes)))
  found <- call_core(core_demand_search(problem$encoded, score, options, host), nodes, call)
  if (identical(found$reason, "interrupt")) rlang::interrupt()
  found$sets <- per_row(found$sets, problem$encoded)
  found$improvements$score <- found$improvements$score / (problem$encoded$scale %||% 1)
  found$improvements$seconds <- found$improvements$seconds + before
  parents <- Map(members_of_set, found$sets, found$choice)
  open <- found$complete < found$largest
  list(
    sets = found$sets, considered = found$considered, counted = found$counted,
    seconds = found$seconds, order = topological_order(parents), trace = found$improvements,
    reason = if (any(open)) {
      found$reason %||% if (is.finite(limits$time_limit)) "time_limit" else "effort"
    },
    complete = if (any(open)) ifelse(open, found$complete, problem$constraints$max_parents),
    larger = sum(unlist(Map(function(sets, most) sets$size > most, found$sets, found$complete)))
  )
}

# Scores of rows of which `scale` stand for one, as those of the rows that they stand for.
per_row <- function(sets, encoded) {
  if (is.null(encoded$scale)) return(sets)
  lapply(sets, function(node) {
    node$score <- node$score / encoded$scale
    node
  })
}

# What a search on demand that ended with this network has kept.
earlier_sets <- function(network, nodes) {
  sets <- if (inherits(network, "optbn")) network$learning$parent_sets
  if (inherits(sets, "optbn_parent_sets") && !is.null(sets$settings$complete)) sets[nodes]$sets
}

# With which a search begins where its own score takes long: BIC of tables and regressions.
quick_score <- function(problem) {
  encoded <- problem$encoded
  complete <- is.null(encoded$source) && is.null(encoded$holes)
  if (!is_slow_score(problem$score) || !complete) return(NULL)
  label <- switch(columns_kind(encoded), discrete = "bic", mixed = "bic-cg", continuous = "bic-g")
  score <- score_for_core(complete_score(as_score(label), encoded), encoded)
  list(score = score, cost = family_seconds(problem$constraints, encoded, score, 0))
}

# A limit of time is used up; where there is none, a search ends by itself.
effort_on_demand <- function(problem, limits) {
  encoded <- problem$encoded
  cost <- family_seconds(problem$constraints, encoded, problem$score,
                         max(problem$constraints$max_parents))
  if (problem$all_soon) return(list(cycles = 1, cost = cost, effort = Inf, budget = Inf))
  if (is.finite(limits$time_limit)) {
    return(list(cycles = Inf, cost = cost, effort = Inf, budget = Inf))
  }
  list(cycles = limits$cycles, cost = cost,
       effort = limits$budget * usual_seconds(length(encoded$nodes)),
       budget = limits$budget * default_budget(problem$constraints, encoded, problem$score))
}
