# The cuts of continuous columns together with a network.
#
# The range of every column is first divided into a grid of cells of about equal frequency. A bin is
# a run of cells, and the model of a row is: the bin of each column given the bins of its parents,
# by a table; then the cell within the bin, with a probability in proportion to its frequency among
# all rows; then the value within the cell, whatever the cuts. Its logarithm, with the tables summed
# out by the score, is up to a constant
#
#   J(network, cuts) = score of the cut data - sum over columns and bins of n_b log(n_b / N)
#                      - sum over columns of log choose(cells - 1, bins - 1),
#
# with n_b of the N rows in bin b (Friedman & Goldszmidt 1996; Monti & Cooper 1998), of those rows
# in which the column was not set from outside. The last sum is the prior of the cuts, uniform for
# each number of bins. The one before makes numbers of bins comparable: without it, two bins that
# tell nothing of other columns would always be better than three that do. (Were all cells of a bin
# equally probable, columns with few distinct values would be cut where the frequencies of these
# change, which says nothing either.)
#
# Of a column with r bins, the terms of J that its cuts change are sums over its bins: of its own
# family, of the families of its children, and of n_b log(n_b / N). The best cuts for each r are
# found by dynamic programming over the grid (Bellman 1961), exactly, as long as everything else
# stays. With networks learned in between J never falls.
#
# A problem (new_cut_problem()) holds what does not change; a state what does:
#   ends      by column, the last cell of each bin but the last; NULL for a discrete column
#   codes     by column, the bin (the level) of each row, from 1
#   sizes     by column, how many bins (levels) there are
#   parents   by column, the numbers of its parents; NULL before a network is known
#   network, objective  of the last search over these codes

# ---- the grid -----------------------------------------------------------------------------------

# At most so many cells of neighbouring distinct values, between which the `borders` lie.
new_grid <- function(x, cells) {
  values <- sort(unique(x))
  last <- even_borders(tabulate(match(x, values), length(values)), cells)
  borders <- between(values[last], values[last + 1L])
  cell <- cut_codes(x, borders)
  counts <- tabulate(cell, length(borders) + 1L)
  list(borders = borders, cell = cell, counts = counts, order = order(cell))
}

# Numbers of the elements after which to cut, so that the parts have sums as equal as they can be
# with each border put where the running sum is nearest.
even_borders <- function(counts, parts) {
  elements <- length(counts)
  if (parts >= elements) return(seq_len(elements - 1L))
  sums <- cumsum(as.double(counts))
  wanted <- seq_len(parts - 1L) / parts * sums[elements]
  inner <- sums[-elements]
  halfway <- (inner[-1L] + inner[-length(inner)]) / 2
  unique(findInterval(wanted, halfway) + 1L)
}

# A number from `below` on, less than `above`: halfway where rounding allows.
between <- function(below, above) {
  middle <- below / 2 + above / 2
  ifelse(middle >= below & middle < above, middle, below)
}

# ---- problem and state --------------------------------------------------------------------------

# `encoded`: the data as they are; `continuous`: numbers of the columns to cut. `left`: by column,
# the rows in which it was not set.
new_cut_problem <- function(encoded, continuous, bins, cells, score, call) {
  grids <- vector("list", length(encoded$nodes))
  grids[continuous] <- lapply(encoded$columns[continuous], new_grid, cells)
  encoded$levels[continuous] <- list(c("1", "2")) # until there are cuts
  encoded$types[continuous] <- "ordered"
  left <- lapply(encoded$nodes, function(node) {
    setdiff(seq_len(encoded$rows), encoded$targets[[node]])
  })
  list(encoded = encoded, grids = grids, continuous = continuous, bins = bins, left = left,
       asked_score = score, score = complete_score(score, encoded, call), rows = encoded$rows)
}

new_cut_state <- function(problem, ends) {
  columns <- problem$encoded$columns
  state <- list(ends = vector("list", length(columns)), codes = lapply(columns, `+`, 1L),
                sizes = lengths(problem$encoded$levels), parents = NULL)
  for (v in problem$continuous) state <- with_cuts(problem, state, v, ends[[v]])
  state
}

with_cuts <- function(problem, state, v, ends) {
  state$ends[[v]] <- ends
  state$codes[[v]] <- cut_codes(problem$grids[[v]]$cell, ends)
  state$sizes[v] <- length(ends) + 1L
  state
}

# As encode_data() would give them.
encode_cut <- function(problem, state) {
  encoded <- problem$encoded
  for (v in problem$continuous) {
    encoded$columns[[v]] <- state$codes[[v]] - 1L
    encoded$levels[[v]] <- as.character(seq_len(state$sizes[v]))
  }
  encoded
}

# Equal frequency, in at most so many bins.
frequency_ends <- function(problem, bins) {
  lapply(problem$grids, function(grid) if (!is.null(grid)) even_borders(grid$counts, bins))
}

# ---- the objective ------------------------------------------------------------------------------

cut_objective <- function(problem, state) {
  encoded <- encode_cut(problem, state)
  asked <- score_for_core(problem$score, encoded)
  local <- call_core(core_score_network(encoded, asked, state$parents))
  sum(local) - sum(vapply(problem$continuous, function(v) {
    counts <- tabulate(state$codes[[v]][problem$left[[v]]], state$sizes[v])
    choices_of_cuts(problem, v, state$sizes[v]) - sum(worth_of_bins(counts, sum(counts)))
  }, 0))
}

# The logarithm of how probable the cells are in bins of so many of the rows, but for a constant.
worth_of_bins <- function(counts, rows) ifelse(counts > 0, -counts * log(counts / rows), 0)

# The logarithm of how many ways there are to cut column v into so many bins.
choices_of_cuts <- function(problem, v, bins) {
  lchoose(length(problem$grids[[v]]$counts) - 1L, bins - 1L)
}

# ---- the best cuts of one column ----------------------------------------------------------------

# The `ends` of column v that make J largest while all else stays, and by how much it rises.
best_ends <- function(problem, state, v) {
  grid <- problem$grids[[v]]
  cells <- length(grid$counts)
  sizes <- union(state$sizes[v], seq_len(min(problem$bins, cells))[-1L])
  runs <- runs_of_cells(cells)
  worth <- worth_of_runs(problem, state, v, runs, sizes)
  now <- value_of_ends(worth[, 1L], state$ends[[v]], cells) +
    constant_worth(problem, state, v, sizes[1L])
  found <- lapply(seq_along(sizes), function(i) {
    best <- best_division(worth[, i], runs, cells, sizes[i])
    best$value <- best$value + constant_worth(problem, state, v, sizes[i])
    best
  })
  values <- vapply(found, `[[`, 0, "value")
  best <- which.max(values)
  list(ends = found[[best]]$ends, gain = values[best] - now)
}

# All runs of neighbouring cells, by their first and last one.
runs_of_cells <- function(cells) {
  last <- rep(seq_len(cells), seq_len(cells))
  list(first = sequence(seq_len(cells)), last = last)
}

# The number of a run.
run_index <- function(first, last) last * (last - 1L) / 2L + first

value_of_ends <- function(worth, ends, cells) {
  sum(worth[run_index(c(1L, ends + 1L), c(ends, cells))])
}

# Divides the cells into so many runs of the largest sum of worths: best[k, m] is that of the first
# m cells in k runs.
best_division <- function(worth, runs, cells, size) {
  table <- matrix(-Inf, cells, cells)
  table[cbind(runs$first, runs$last)] <- worth
  best <- table[1L, ]
  before <- matrix(0L, cells, size)
  for (k in seq_len(size)[-1L]) {
    joined <- t(best[-cells] + table[-1L, , drop = FALSE]) # a row for each last cell
    before[, k] <- max.col(joined, ties.method = "first")
    best <- joined[cbind(seq_len(cells), before[, k])]
  }
  ends <- integer(size - 1L)
  at <- cells
  for (k in rev(seq_len(size)[-1L])) ends[k - 1L] <- at <- before[at, k]
  list(ends = ends, value = best[cells])
}

# A column for each number of bins: what a run of cells adds to J as one of so many bins.
worth_of_runs <- function(problem, state, v, runs, sizes) {
  until <- c(0, ends_of_cells(problem, v, problem$left[[v]]))
  counts <- until[runs$last + 1L] - until[runs$first]
  worth <- matrix(worth_of_bins(counts, length(problem$left[[v]])), length(counts), length(sizes))
  order <- problem$grids[[v]]$order
  for (part in parts_of_column(problem, state, v)) {
    rows <- order[order %in% part$rows]
    configuration <- configurations_of(state, part$columns, problem$rows)[rows]
    most <- max(tabulate(configuration))
    functions <- different_sizes(problem$score, sizes)
    rise <- do.call(rbind, lapply(sizes[functions$first], function(size) {
      rise_of_counts(problem$score, part$cells * size, most)
    }))
    end <- ends_of_cells(problem, v, rows)
    sums <- call_core(core_sums_over_runs(end, configuration, rise, quiet_host()))
    worth <- worth + part$sign * sums[, functions$number, drop = FALSE]
  }
  worth
}

# By cell of the column, how many of these rows are in it and those below.
ends_of_cells <- function(problem, v, rows) {
  grid <- problem$grids[[v]]
  cumsum(tabulate(grid$cell[rows], length(grid$counts)))
}

# The tables that the cuts of column v change: the other `columns` by whose configurations these
# `rows` are counted, the `sign` with which the counts enter J, and how many cells of a table each
# bin has.
parts_of_column <- function(problem, state, v) {
  part <- function(columns, sign, child) {
    list(columns = columns, sign = sign, cells = prod(state$sizes[columns]),
         rows = problem$left[[child]])
  }
  of_children <- lapply(children_in(state$parents, v), function(child) {
    rest <- setdiff(state$parents[[child]], v)
    list(part(c(child, rest), 1, child), part(rest, -1, child))
  })
  c(list(part(state$parents[[v]], 1, v)), unlist(of_children, recursive = FALSE))
}

children_in <- function(parents, v) which(vapply(parents, function(set) v %in% set, NA))

# Those that rows have, numbered from 1.
configurations_of <- function(state, columns, rows) {
  index <- rep(0, rows)
  for (column in columns) index <- index * state$sizes[column] + state$codes[[column]] - 1
  match(index, unique(index))
}

# What a count of 1, 2, ..., most is worth more than the one before. Of BDeu it is the Dirichlet
# integral of a table with iss / cells rows a priori in each cell (Heckerman, Geiger & Chickering
# 1995); otherwise the likelihood, for which cells do not matter.
rise_of_counts <- function(score, cells, most) {
  before <- seq_len(most) - 1
  if (score$label == "bde") return(log(score$iss / cells + before))
  (before + 1) * log(before + 1) - ifelse(before > 0, before * log(before), 0)
}

# The places of `sizes` that have a function of their own, and the number of that of each size.
different_sizes <- function(score, sizes) {
  if (score$label == "bde") return(list(first = seq_along(sizes), number = seq_along(sizes)))
  list(first = 1L, number = rep(1L, length(sizes)))
}

# What depends on the number of bins alone: the prior, and the penalty of BIC and AIC for
# parameters.
constant_worth <- function(problem, state, v, size) {
  prior <- -choices_of_cuts(problem, v, size)
  if (problem$score$label == "bde") return(prior)
  sizes <- replace(state$sizes, v, size)
  parameters <- vapply(c(v, children_in(state$parents, v)), function(node) {
    (sizes[node] - 1) * prod(sizes[state$parents[[node]]])
  }, 0)
  prior - problem$score$k * sum(parameters)
}

# Recuts columns, one after another, as long as J rises, by `rise` in all: first all columns, then
# those in a family with one that has changed.
recut_columns <- function(problem, state, search) {
  waiting <- problem$continuous
  state$rise <- 0
  report <- progress_bar(search$limits$progress, "Cutting columns", NA)
  while (length(waiting) > 0L && !cutting_is_over(search)) {
    v <- waiting[1L]
    found <- best_ends(problem, state, v)
    waiting <- waiting[-1L]
    report()
    if (found$gain <= least_rise(problem)) next
    state <- with_cuts(problem, state, v, found$ends)
    state$rise <- state$rise + found$gain
    waiting <- union(waiting, intersect(blanket_of(state$parents, v), problem$continuous))
  }
  state
}

blanket_of <- function(parents, v) {
  children <- children_in(parents, v)
  setdiff(c(parents[[v]], children, unlist(parents[children])), v)
}
