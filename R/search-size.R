# Forecasts: what scoring and searching will cost, before any of it is done. Limits and budgets are
# decided by the figures below alone, the same on every machine; what is said of seconds goes by a
# pilot (R/search-size-pilot.R).

# Measured on one core of a current server processor (bench/search-size.R; what a backend counts,
# on two: bench/scale-database.R).
# Rough figures: good for "seconds or hours?", not more.
cost <- list(
  family = 2e-7,               # seconds per family, for all that is not counting
  count = 1.5e-7,              # seconds per joint count of a table, whatever the rows
  cell_row = 5e-12,            # seconds per row and cell of the columns counted before,
  deep_row = 1.1e-9,           #   up to so much per row
  demand_row = 1.5e-10,        # seconds per row and family that is scored on demand
  branching_row = 4e-10,       # seconds per row and set of the budget, of branching at most
  custom = 1e-3,               # seconds per family that a function of R's scores
  predictive_row = 5e-9,       # seconds per row and family of scores that pass over the rows
  regression = 4e-7,           # seconds per Gaussian family,
  regressor_pair = 5e-10,      #   per square of its number of parents
  tree_split = 0.45e-9,        # seconds per split of a box and child node of a tree,
  tree_box = 5e-9,             #   per box and child node,
  table_cell = 1.2e-8,         #   per cell of a discretised table and child node,
  alone = 10,                  # times the work, where one child alone is scored with a parent set,
  tally_row = 5e-9,            #   per row and parent set, for thirty levels of all nodes
  block_row = 4e-7,            # seconds per row and block of columns that a backend counts
  cell_regression = 4e-9,      # seconds per row of regressions within the cells of a new parent
  bytes_per_family = 100,      # of the block of a level that is being scored, members aside,
  block_families = 5e6,        #   families of such a block,
  bytes_per_survivor = 24,     #   and of those of others that larger sets may extend
  k_best_entry = 1e-8,         # seconds per subset, node and network of that for the k best
  local_pair = 5e-4            # seconds per pair of nodes of local search, where few sets are kept
)

# Without `max_parents`, at most this many joint counts are begun, and at most so
# many seconds forecast for trees and discretised tables.
max_default_counts <- 5e6
max_default_seconds <- 10
max_set_seconds <- 0.01
max_default_backend_seconds <- 600

#' Forecast of a Structure Search
#'
#' @description
#' Forecasts how many parent sets will be scored, and how much time and memory scoring and searching
#' will take. A pilot of about half a second scores some of the sets. If all sets are to be scored,
#' its forecasts are mostly right within a factor of two. A search on demand (see [parent_sets()])
#' ends by itself; the forecast is then roughly an upper limit. A problem that decomposes into
#' independent parts takes less time than forecast.
#'
#' @param data The data, as in [parent_sets()], but not a network.
#' @param max_parents As in [parent_sets()].
#' @inheritParams parent_sets
#' @return An object of class `optbn_search_size`: a list with
#'   \item{nodes, rows}{the numbers of columns that are nodes and of rows (the sum of their
#'     weights),}
#'   \item{score}{the score with its hyper-parameters,}
#'   \item{max_parents}{the largest number of parents of each node,}
#'   \item{on_demand}{`TRUE` if there are too many sets to score all; `scoring` then has the numbers
#'     of parents for which all sets can be scored, and a search selects larger ones,}
#'   \item{workers}{the number of processes of `future::plan()` that will score, see
#'     [several-processes],}
#'   \item{candidates, screening}{if `candidates` limit the parents, the number of arcs that they
#'     leave (otherwise `NULL`), and the seconds for comparing all columns to choose them
#'     (otherwise 0),}
#'   \item{scoring}{a data frame with a row for each number of `parents`: `families`, the sets that
#'     the constraints admit, over all nodes; `counts`, the distinct sets of columns to count;
#'     `bytes` of memory; and `seconds`, a standard figure that is the same on every machine, from
#'     which limits and budgets are computed,}
#'   \item{scored}{the number of sets that will be scored one by one (bounds exclude the others),}
#'   \item{seconds}{the time of scoring, including `screening`, on one core of this machine, or by
#'     all workers,}
#'   \item{bytes}{the most memory that scoring takes,}
#'   \item{methods}{a data frame with a row for each `method` of [learn_dag()]: `bytes`; `seconds`
#'     (`NA` if the time depends on the scores; for local search the least time, to which every set
#'     that is kept for a node adds roughly 1 %); `possible`, whether it fits into the memory limit;
#'     and `proof`, whether it proves its result.}
#'
#'   `print()` shows these forecasts.
#' @inheritSection parent_sets Errors
#' @seealso [parent_sets()], [learn_dag()].
#' @examples
#' titanic <- as.data.frame(Titanic)[1:4]
#' search_size(titanic, "bde")
#' @export
search_size <- function(data, score = NULL, max_parents = NULL, whitelist = NULL,
                        blacklist = NULL, tiers = NULL, candidates = NULL, weights = NULL,
                        targets = NULL, memory_limit = NULL) {
  require_arguments()
  call <- environment()
  limits <- check_limits(NULL, Inf, memory_limit, FALSE, call)
  if (!is.null(score)) score <- as_score(score, call)
  data <- encode_data(data, weights, call, limits$memory_limit, holes = TRUE,
                      takes_fractions(score), targets)
  problem <- scoring_problem(data, score, max_parents, whitelist, blacklist, tiers, candidates,
                             weights, limits, call, forecast = TRUE)
  encoded <- problem$encoded
  n <- length(encoded$nodes)
  scoring <- forecast_scoring(problem$constraints, encoded, problem$score)
  at_most <- 0 # seconds of a search
  if (problem$on_demand) {
    budget <- default_budget(problem$constraints, encoded, problem$score)
    branches <- problem$score$label %in% c("bic", "aic", "ebic", "fnml", "qnml", "bde", "bds")
    at_most <- usual_seconds(n) + branches * budget * encoded$rows * cost$branching_row
    scoring <- scoring[seq_len(max(1, sum(cumsum(scoring$families) <= budget))), ]
  }
  found <- if (is.null(encoded$source)) {
    pilot(c(problem, limits["memory_limit"]), scoring)
  } else {
    list(scored = sum(scoring$families), seconds = sum(scoring$seconds))
  }
  screening <- if (is.numeric(candidates)) forecast_screening(encoded) else 0
  workers <- if (has_workers() && is.null(encoded$source)) worker_count() else 1
  structure(
    list(
      nodes = n, rows = encoded$total, score = problem$score,
      max_parents = problem$constraints$max_parents, on_demand = problem$on_demand,
      workers = workers, candidates = nrow(problem$constraints$candidates), screening = screening,
      scoring = scoring, scored = found$scored,
      seconds = screening + (found$seconds + at_most) / workers, bytes = max(scoring$bytes),
      methods = forecast_search(n, limits$memory_limit)
    ),
    class = "optbn_search_size"
  )
}

# One row per number of parents.
forecast_scoring <- function(constraints, encoded, score) {
  n <- length(encoded$nodes)
  size <- 0:max(most_parents(constraints, encoded, score))
  families <- count_families(constraints, encoded, score, size)
  tables <- score_kind(score) %in% c("discrete", "mixed")
  counts <- if (tables) pmin(families, choose(n, size + 1)) else families
  seconds <- families * cost$family + if (is_local_score(score)) {
    forecast_local_seconds(constraints, encoded, score, size)
  } else if (passes_rows(score)) {
    families * pooled_rows(score, encoded) * cost$predictive_row
  } else if (!is.null(encoded$source)) {
    encoded$rows * cost$block_row * if (tables) blocks_of_counts(counts, size + 1, encoded) else 1
  } else if (tables) {
    per_row <- pmin(cost$cell_row * usual_levels(encoded)^size, cost$deep_row)
    counts * (cost$count + encoded$rows * per_row)
  } else if (score$label == "custom") {
    families * cost$custom
  } else {
    families * cost$regression
  }
  trees <- if (is_tree_score(score)) tree_bytes(constraints, encoded, score, size) else 0
  list2DF(list(
    parents = size, families = families, counts = counts,
    bytes = level_bytes(families, size) + trees, seconds = seconds
  ))
}

# Does each family take a pass over all rows?
passes_rows <- function(score) {
  is_predictive(score) || (is_node_average(score) && score_kind(score) != "discrete")
}

# Of the data, and new ones.
pooled_rows <- function(score, encoded) encoded$rows + NROW(score$newdata)

# Of the families of 0, 1, ... parents, as src/core/score/enumeration.cpp has them.
level_bytes <- function(families, size) {
  block <- pmin(families, cost$block_families)
  survivors <- ifelse(size < max(size), families - block, 0)
  block * (cost$bytes_per_family + 8 * size) + survivors * (cost$bytes_per_survivor + 2 * size)
}

# By size, so many families the constraints admit.
count_families <- function(constraints, encoded, score, sizes) {
  base <- lengths(constraints$required)
  free <- free_parents(constraints, encoded, score)
  most <- most_parents(constraints, encoded, score)
  # Nodes that are alike are counted once, times their number.
  kind <- paste(free, base, most)
  one <- which(!duplicated(kind))
  nodes <- tabulate(match(kind, kind[one]))
  vapply(sizes, function(size) {
    sum(nodes * (size <= most[one]) * choose(free[one], size - base[one]))
  }, 0)
}

# By node, the most parents of a set that is scored.
most_parents <- function(constraints, encoded, score) {
  base <- lengths(constraints$required)
  free <- free_parents(constraints, encoded, score)
  pmax(pmin(constraints$max_parents, base + free, useful_parents(encoded, score)), base)
}

# By node, how many may be parents and need not be.
free_parents <- function(constraints, encoded, score) {
  discrete <- is_discrete(encoded)
  inadmissible <- if (score_kind(score) == "mixed") ifelse(discrete, sum(!discrete), 0) else 0
  bound <- lengths(constraints$required) + lengths(constraints$forbidden) # none is both
  pmax(length(discrete) - 1 - bound - inadmissible, 0)
}

# Seconds to compare all pairs of columns.
forecast_screening <- function(encoded) {
  pairs <- choose(length(encoded$nodes), 2)
  if (!is.null(encoded$source)) {
    return(encoded$rows * cost$block_row * blocks_of_counts(pairs, 2, encoded))
  }
  pairs * (cost$count + encoded$rows * cost$deep_row)
}

# So many blocks of columns of a backend hold so many sets (core/data/source_counter.h): as many
# columns as have 30,000 cells, and half of what they hold is new.
blocks_of_counts <- function(counts, size, encoded) {
  columns <- pmax(size, floor(log(30000) / log(usual_levels(encoded))))
  ceiling(2 * counts / choose(columns, size))
}

# Of the discrete columns, of which there may be none.
usual_levels <- function(encoded) {
  levels <- lengths(encoded$levels[is_discrete(encoded)])
  if (length(levels) > 0L) exp(mean(log(levels))) else 2
}

# BIC: with more parents the penalty alone is worse than the empty set.
useful_parents <- function(encoded, score) {
  rows <- row_total(encoded)
  if (score$label != "bic" || rows < 3) return(Inf)
  penalty <- score$k
  max(1, ceiling(log2(rows * log(2) / penalty + 1)))
}

# No limit but where a single set could take too long or too much memory, or where a backend would
# have to count too many sets and no limit of time ends that.
default_max_parents <- function(constraints, encoded, score, limits, call) {
  n <- length(encoded$nodes)
  within <- function(most) {
    constraints$max_parents <- rep(most, n)
    if (!is.null(encoded$source)) {
      return(limits$time_limit < Inf ||
               is_soon_scored(constraints, encoded, score, limits$memory_limit))
    }
    !is_local_score(score) ||
      (seconds_of_largest(constraints, encoded, score) <= max_set_seconds &&
         is.null(too_large_trees(constraints, encoded, score, limits$memory_limit)))
  }
  limit <- min(1L, n - 1L)
  while (limit < n - 1L && within(limit + 1L)) limit <- limit + 1L
  if (limit < n - 1L) {
    announce(paste0(
      "{.arg max_parents} is set to {limit}, as ",
      if (is.null(encoded$source)) {
        "sets of more parents would take too long each"
      } else {
        "more would need too many parent sets of {n} nodes"
      },
      "; {.fn search_size} forecasts the cost of other limits."
    ))
  }
  pmax(rep.int(limit, n), lengths(constraints$required))
}

# Can all sets that the constraints allow be scored in reasonable time and memory? `budget`: less
# than 1 for a search that is to be shorter than usual.
is_soon_scored <- function(constraints, encoded, score, memory_limit, budget = 1) {
  forecast <- forecast_scoring(constraints, encoded, score)
  seconds <- sum(forecast$seconds)
  sum(forecast$counts) <= min(budget, 1) * max_default_counts &&
    max(forecast$bytes) <= memory_limit &&
    (is.null(encoded$source) || seconds <= max_default_backend_seconds) &&
    (!is_slow_score(score) || seconds <= max_default_seconds)
}

# Of a set of the most parents.
seconds_of_largest <- function(constraints, encoded, score) {
  forecast <- forecast_scoring(constraints, encoded, score)
  last <- forecast[nrow(forecast), ]
  if (last$families > 0) last$seconds / last$families else 0
}

# So many sets are scored, smallest first, where not all can be.
default_budget <- function(constraints, encoded, score) {
  forecast <- forecast_scoring(constraints, encoded, score)
  level <- match(TRUE, cumsum(forecast$families) >= max_default_counts, nrow(forecast))
  upto <- seq_len(level)
  each <- sum(forecast$seconds[upto]) / sum(forecast$families[upto])
  floor(min(max_default_counts, max_default_seconds / each))
}

# Seconds of scoring that a search on demand may take where no limit of time ends it, on one core.
usual_seconds <- function(nodes) 20 + nodes / 10

# Seconds to score one family on demand, of 0, ..., most parents; one number where they cost the
# same.
family_seconds <- function(constraints, encoded, score, most) {
  sizes <- 0:most
  n <- length(encoded$nodes)
  each <- if (is_local_score(score)) {
    families <- count_families(constraints, encoded, score, sizes)
    forecast_local_seconds(constraints, encoded, score, sizes) / pmax(families, 1) * cost$alone +
      encoded$rows * cost$tally_row
  } else if (passes_rows(score)) {
    pooled_rows(score, encoded) * cost$predictive_row
  } else if (!is.null(encoded$source)) {
    encoded$rows * cost$block_row / n
  } else if (score_kind(score) == "discrete") {
    cost$count + encoded$rows * cost$demand_row
  } else if (score$label == "custom") {
    cost$custom
  } else {
    cost$regression + cost$regressor_pair * sizes^2 +
      encoded$rows * cost$cell_regression * mean(is_discrete(encoded))
  }
  cost$family + each
}

forecast_search <- function(n, memory_limit) {
  dp <- core_subset_dp_cost(n)
  indexed <- n <= core_limits()$subset_dp_nodes
  data.frame(
    method = c("dp", "elsa", "elsa-ig", "lagrangian", "branch-and-cut", "local"),
    bytes = c(dp[["bytes"]], 0, 0, 0, 0, 0),
    seconds = c(dp[["seconds"]], NA, NA, NA, NA, n^2 * cost$local_pair),
    possible = c(indexed && dp[["bytes"]] <= memory_limit, TRUE, TRUE, TRUE, TRUE, TRUE),
    proof = c(TRUE, TRUE, TRUE, TRUE, TRUE, FALSE)
  )
}

#' @export
format.optbn_search_size <- function(x, ...) tell_answer(x, format_forecast(x))

format_forecast <- function(x) {
  dp <- x$methods[x$methods$method == "dp", ]
  limit <- range(x$max_parents)
  c(
    paste0("Structure search over ", x$nodes, " nodes and ", format_count(x$rows), " rows, score ",
           format(x$score)),
    if (limit[1L] >= x$nodes - 1L) {
      "  any number of parents"
    } else {
      paste0("  at most ", paste(unique(limit), collapse = " to "), " parents")
    },
    if (!is.null(x$candidates)) {
      paste0("  among ", format_count(x$candidates), " arcs",
             if (x$screening > 0) {
               paste0(", chosen by comparing all columns in about ", format_seconds(x$screening))
             })
    },
    format_scoring(x),
    paste0("  method dp: ", if (dp$possible) {
      paste0("about ", format_seconds(dp$seconds), ", ", format_bytes(dp$bytes))
    } else {
      paste0("impossible in one piece",
             if (x$nodes <= 64) paste0(" (", format_bytes(dp$bytes), ")"))
    }),
    "  methods lagrangian, branch-and-cut, elsa, elsa-ig: possible; their time depends on the data",
    paste0("  method local: about ", format_seconds(x$methods$seconds[x$methods$method == "local"]),
           ", longer if more than 100 sets are kept for a node; without a proof")
  )
}

# What will happen, and in brackets the argument that changes it.
format_scoring <- function(x) {
  cost <- paste0(format_seconds(x$seconds - x$screening),
                 if (x$workers > 1) paste(" by", x$workers, "workers"), ", ", format_bytes(x$bytes))
  if (x$on_demand) {
    most <- max(x$scoring$parents)
    return(paste0("  scoring: all sets of ", if (most > 0) paste("0 to", most) else "no",
                  " parents, more on demand, up to ", cost, " (time_limit)"))
  }
  families <- format_count(signif(sum(x$scoring$families), 4))
  scored <- format_count(signif(x$scored, 4))
  paste0("  scoring: ", if (scored == families) "all" else paste(scored, "of"), " ", families,
         " parent sets, about ", cost, " (max_parents)")
}

#' @export
print.optbn_search_size <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
