# Expectation maximisation by draws: the parameters of trees and discretised tables from rows with
# missing values, where the core cannot take expectations because nodes are continuous.
#
# Each row that lacks values stands for several copies. A sweep (R/infer-sweeps.R) draws what they
# lack given the present parameters; the statistics of the leaves, averaged over sweeps, give the
# next parameters (Delyon, Lavielle & Moulines 1999). The first sweeps, which remember the start,
# count for nothing later. Leaves are normal distributions while values are drawn: Student ones with
# few rows have no variance, and what is drawn far out would move them further.

copies_of_row <- 5
sweeps_before <- 20L
sweeps_averaged <- 30L

# Trees that the network does not have are found in the rows that know the family, and in completed
# rows after these sweeps.
sweeps_with_search <- c(5L, 10L, 15L)

# Exact where all nodes are discrete: then draws only find the partitions that are not there.
fit_local_by_em <- function(structure, network, encoded, local, leaf, tolerance, progress,
                            prototype, call) {
  refuse_rows_elsewhere(encoded, call)
  exact <- all(is_discrete(encoded))
  if (!exact || any(vapply(local$partitions, is.null, NA))) {
    chain <- run_chain(begin_chain(structure, encoded, local, call), progress, call)
    if (!exact) return(fit_of_chain(chain, network, leaf, prototype))
    local$partitions <- chain$partitions
  }
  fit_by_em(structure, network, encoded, local, 1, tolerance, progress, prototype, call)
}

fit_of_chain <- function(chain, network, leaf, prototype) {
  models <- models_of_chain(chain, leaf)
  encoded <- chain$encoded
  structure(
    list(
      nodes = encoded$nodes, parents = chain$parents, models = models, levels = chain$levels,
      network = network, method = "em", iss = NULL, score = chain$score, n = encoded$total,
      log_likelihood = completed_log_likelihoods(models, chain), prototype = prototype,
      em = list(trace = data.frame(completed = chain$trace),
                converged = length(chain$open) == 0L || NA, missing = count_missing(encoded))
    ),
    class = "optbn_fit"
  )
}

# ---- the chain ----------------------------------------------------------------------------------

# `values`, `weights`: the copies; `first`: one copy of each row; `open`: by node the copies that
# lack it; `sought`: by node whether its partition has to be found.
begin_chain <- function(structure, encoded, local, call) {
  nodes <- structure$nodes
  encoded <- encoded_columns(encoded, nodes)
  values <- set_names(encoded$columns, nodes)
  copies <- copies_of_rows(values)
  first <- match(seq_len(encoded$rows), copies$row)
  chain <- list(
    parents = parent_names(structure), levels = set_names(encoded$levels, nodes),
    encoded = encoded, score = local$score, prior = local$prior, partitions = local$partitions,
    sought = vapply(local$partitions, is.null, NA), first = first,
    values = lapply(values, `[`, copies$row),
    weights = (encoded$weights %||% rep(1, encoded$rows))[copies$row] * copies$share
  )
  chain$open <- rows_lacking(chain$values, chain$parents)
  chain$partitions[chain$sought] <- Map(find_in_known, nodes[chain$sought],
                                        chain$parents[chain$sought], list(encoded),
                                        list(local$score), list(call))
  chain$models <- Map(model_of_known, nodes, chain$parents, chain$partitions, list(chain),
                      list(call))
  chain$values <- sweep_rows(chain, chain$values, chain$open, draw_value, alone = TRUE)
  chain
}

# Of all rows in turn, the copies that stand for them, and what share of the row each is.
copies_of_rows <- function(values) {
  lacks <- Reduce(`|`, lapply(unname(values), is.na))
  copies <- max(1, min(copies_of_row, floor(most_completed_rows / length(lacks))))
  times <- ifelse(lacks, copies, 1)
  row <- rep(seq_along(lacks), times)
  list(row = row, share = 1 / times[row])
}

# The partition of one node.
find_in_known <- function(node, parents, encoded, score, call) {
  family <- c(node, parents)
  known <- known_family(node, parents, encoded)
  part <- encoded_columns(encoded, family)
  part$columns <- unname(known$columns)
  part$rows <- length(known$weights)
  part$weights <- known$weights
  part$total <- sum(known$weights)
  part["holes"] <- list(NULL)
  score$columns <- score$columns[family]
  sets <- set_names(rep(list(character()), length(family)), family)
  find_partitions(replace(sets, node, list(parents)), part, score, call)[[node]]
}

# From the rows that know the family.
model_of_known <- function(node, parents, partition, chain, call) {
  known <- known_family(node, parents, chain$encoded)
  fit_partition(node, parents, partition, known, chain$prior, "bayes", "normal", call)
}

run_chain <- function(chain, progress, call) {
  sweeps <- if (length(chain$open)) sweeps_before + sweeps_averaged else 1L
  report <- progress_bar(progress, "Completing rows", sweeps)
  for (k in seq_len(sweeps)) {
    chain$values <- sweep_rows(chain, chain$values, chain$open, draw_value)
    if (k %in% sweeps_with_search) chain <- search_partitions(chain, call)
    here <- chain_statistics(chain)
    share <- 1 / max(1, k - sweeps_before)
    chain$seen <- if (share == 1) here else Map(pool_statistics, chain$seen, here, share)
    chain$models <- models_of_chain(chain, "normal")
    chain$trace[k] <- sum(completed_log_likelihoods(chain$models, chain))
    report()
  }
  chain
}

# In one copy of each row.
search_partitions <- function(chain, call) {
  if (!any(chain$sought)) return(chain)
  completed <- chain$encoded
  completed$columns <- unname(lapply(chain$values, `[`, chain$first))
  completed["holes"] <- list(NULL)
  chain$partitions <- with_found(chain$partitions, chain$sought, chain$parents, completed,
                                 chain$score, call)
  chain
}

chain_statistics <- function(chain) {
  observed <- list(columns = chain$values, levels = chain$levels, weights = chain$weights)
  Map(function(node, partition) {
    region <- find_region(partition, chain$values, length(chain$weights))
    leaf_statistics(node, count_regions(partition), region, observed, chain$prior)
  }, names(chain$parents), chain$partitions)
}

models_of_chain <- function(chain, leaf) {
  Map(fit_leaves, names(chain$parents), chain$parents, chain$levels, chain$partitions, chain$seen,
      list(chain$prior), leaf)
}

# Of the completed rows, by node.
completed_log_likelihoods <- function(models, chain) {
  vapply(models, function(model) sum(chain$weights * local_log_density(model, chain$values)), 0)
}
