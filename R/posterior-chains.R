# Networks drawn by Markov chains over layers of the nodes, where tables over all subsets do not fit
# (src/core/posterior/partition_chain.h), and how well the chains agree.

usual_chains <- 4L
# Each chain gives so many networks at least: to say something about R-hat, and to act on it.
least_networks <- c(told = 20, acted_on = 200)

# `moves`: of each chain, or NULL for as many as it takes until the chains agree, within an effort.
run_chains <- function(problem, count, chains, moves, call) {
  if (problem$prior == "order") {
    abort_optbn("argument",
                c("Markov chains draw networks under the priors {.val uniform} and {.val size}.",
                  i = "With {.val order} networks are drawn from exact sums alone."), call = call)
  }
  enough <- !is.null(moves)
  each <- max(ceiling(count / chains), least_networks[[if (enough) "told" else "acted_on"]])
  most <- moves_within_effort(problem$sets, chains)
  moves <- moves %||% max(each, min(first_moves * length(problem$sets$nodes), most))
  repeat {
    between <- ceiling(moves / each)
    drawn <- draw_by_chains(problem, chains, list(start = moves, between = between,
                                                  networks = each), call)
    agreement <- chain_agreement(problem$sets, drawn, chains)
    if (enough || agree_well(agreement, count) || 2 * moves > most) break
    moves <- 2 * moves # and a slower start
  }
  if (max(agreement$r_hat) > largest_r_hat) warn_of_chains(agreement, call)
  of_all_chains <- round(seq(1, chains * each, length.out = count))
  list(choice = drawn[, of_all_chains, drop = FALSE],
       chains = list(count = chains, moves = between * each, agreement = agreement))
}

first_moves <- 50L # for each node

# Effort is in sets looked at, with all chains and their starts: a minute or two of one core.
chain_effort <- 6e8

moves_within_effort <- function(sets, chains) {
  n <- length(sets$nodes)
  of_move <- count_sets(sets) / n + 700 + 1.5 * n # its sums, reversals of arcs, layers
  floor(chain_effort / (2 * chains * of_move))
}

# Chains that differ by more have not forgotten where they began.
largest_r_hat <- 1.1

agree_well <- function(agreement, count) {
  max(agreement$r_hat) <= 1.05 && min(agreement$effective) >= count / 10
}

warn_of_chains <- function(agreement, call) {
  cli::cli_warn(
    c("The Markov chains do not agree: R-hat is {format(max(agreement$r_hat), digits = 3)}.",
      i = "Shares of networks are unreliable; increase {.arg moves}."),
    class = c("optbn_warning_chains", "optbn_warning"), call = call
  )
}

draw_by_chains <- function(problem, chains, asked, call) {
  task <- list(sets = weighted_sets(problem), asked = asked, seed = random_seed())
  chunks <- in_chunks(seq_len(chains), run_some_chains, task, problem$limits, call)
  if (isTRUE(attr(chunks, "stopped"))) rlang::interrupt()
  do.call(cbind, lapply(chunks, call_core, call = call))
}

# Those of consecutive numbers.
run_some_chains <- function(numbers, task, limits, report) {
  core_run_chains(task$sets, c(task$asked, chains = length(numbers)),
                  host_of_pieces(numbers, limits, "Drawing networks", task$seed, report))
}

format_chains <- function(chains) {
  agreement <- chains$agreement
  paste0("  ", chains$count, if (chains$count == 1L) " Markov chain of " else " Markov chains of ",
         format_count(chains$moves), " moves; R-hat at most ",
         format(max(agreement$r_hat), digits = 3), ", effective sample size ",
         format_count(round(min(agreement$effective))), " or more")
}

# ---- do the chains agree? ------------------------------------------------------------------------

# R-hat, which is 1 where chains do not differ, and the number of independent draws that are as
# good, for the score and, the worst one, for arcs that are neither rare nor common (Gelman et al.
# 2013, section 11.4).
chain_agreement <- function(sets, choice, chains) {
  nodes <- seq_along(sets$nodes)
  score <- colSums(do.call(rbind, lapply(nodes, function(v) sets$sets[[v]]$score[choice[v, ]])))
  arcs <- do.call(cbind, lapply(nodes, function(v) {
    varied_parents(sets$sets[[v]], choice[v, ], length(nodes))
  }))
  found <- apply(cbind(score, arcs), 2L, function(x) {
    halves <- in_halves(x, chains)
    c(r_hat = r_hat(halves), effective = effective_draws(halves))
  })
  arcs <- found[, -1L, drop = FALSE]
  data.frame(of = c("score", "arcs"), r_hat = c(found["r_hat", 1L], max(1, arcs["r_hat", ])),
             effective = c(found["effective", 1L], min(length(score), arcs["effective", ])))
}

# For each network (row), is this node a parent (column)? Of those with a share of 2 to 98 percent.
varied_parents <- function(sets, choice, nodes) {
  used <- sort(unique(choice))
  is_parent <- vapply(used, function(i) seq_len(nodes) %in% members_of_set(sets, i),
                      logical(nodes))
  there <- t(matrix(is_parent, nodes))[match(choice, used), , drop = FALSE]
  there[, abs(colMeans(there) - 0.5) < 0.48, drop = FALSE] + 0
}

# Each half of each chain is a column.
in_halves <- function(x, chains) {
  x <- matrix(x, ncol = chains)
  half <- nrow(x) %/% 2L
  cbind(x[seq_len(half), , drop = FALSE], x[nrow(x) - half + seq_len(half), , drop = FALSE])
}

# Of draws (rows) of chains (columns).
r_hat <- function(x) {
  within <- mean(apply(x, 2L, stats::var))
  between <- stats::var(colMeans(x))
  if (within == 0) return(if (between == 0) 1 else Inf)
  sqrt((nrow(x) - 1) / nrow(x) + between / within)
}

# The autocorrelations are summed as long as those of neighbouring lags together are positive.
effective_draws <- function(x) {
  n <- nrow(x)
  within <- mean(apply(x, 2L, stats::var))
  total <- within * (n - 1) / n + stats::var(colMeans(x))
  if (total == 0) return(length(x))
  covariance <- rowMeans(apply(x, 2L, function(chain) {
    stats::acf(chain, lag.max = n - 1L, type = "covariance", plot = FALSE)$acf
  }))
  correlation <- 1 - (within - covariance * n / (n - 1)) / total
  first <- 2L * seq_len((n - 1L) %/% 2L) # lags 1 and 2, 3 and 4, ...
  pairs <- correlation[first] + correlation[first + 1L]
  min(length(x), length(x) / (1 + 2 * sum(pairs[cumsum(pairs < 0) == 0])))
}
