# The cuts of continuous columns together with a network.
#
# The range of every column is first divided into a grid of cells of about equal frequency. A bin is
# a run of cells, and the model of a row is: the bin of each column given the bins of its parents, by
# a table; then the cell within the bin, with a probability in proportion to its frequency among all
# rows; then the value within the cell, whatever the cuts. Its logarithm, with the tables summed out
# by the score, is up to a constant
#
#   J(network, cuts) = score of the cut data - sum over columns and bins of n_b log(n_b / N)
#                      - sum over columns of log choose(cells - 1, bins - 1),
#
# with n_b of the N rows in bin b (Friedman & Goldszmidt 1996; Monti & Cooper 1998). The last sum is
# the prior of the cuts, uniform for each number of bins. The one before makes numbers of bins comparable: without it, two bins that tell nothing of other columns would
# always be better than three that do. (Were all cells of a bin equally probable, columns with few
# distinct values would be cut where the frequencies of these change, which says nothing either.)
#
# Of a column with r bins, the terms of J that its cuts change are sums over its bins: of its own
# family, of the families of its children, and of n_b log(n_b / N). The best cuts for each r are found by
# dynamic programming over the grid (Bellman 1961), exactly, as long as everything else stays. With
# networks learned in between J never falls.
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
  list(borders = borders, cell = cell, counts = tabulate(cell, length(borders) + 1L))
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

# `encoded`: the data as they are; `continuous`: numbers of the columns to cut.
new_cut_problem <- function(encoded, continuous, bins, cells, score, call) {
  grids <- vector("list", length(encoded$nodes))
  grids[continuous] <- lapply(encoded$columns[continuous], new_grid, cells)
  encoded$levels[continuous] <- list(c("1", "2")) # until there are cuts
  encoded$types[continuous] <- "ordered"
  list(encoded = encoded, grids = grids, continuous = continuous, bins = bins,
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
    counts <- tabulate(state$codes[[v]], state$sizes[v])
    sum(counts * log(counts / problem$rows)) + choices_of_cuts(problem, v, state$sizes[v])
  }, 0))
}

# The logarithm of how many ways there are to cut column v into so many bins.
choices_of_cuts <- function(problem, v, bins) {
  lchoose(length(problem$grids[[v]]$counts) - 1L, bins - 1L)
}

# ---- the best cuts of one column ----------------------------------------------------------------

# The `ends` of column v that make J largest while all else stays, and by how much it rises.
best_ends <- function(problem, state, v) {
  grid <- problem$grids[[v]]
  cells <- length(grid$counts)
  most <- min(problem$bins, cells)
  sizes <- union(state$sizes[v], seq_len(most)[-1L])
  runs <- runs_of_cells(cells)
  worth <- worth_of_runs(problem, state, v, runs, sizes)
  now <- value_of_ends(worth[, 1L], runs, state$ends[[v]], cells) +
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

value_of_ends <- function(worth, runs, ends, cells) {
  sum(worth[run_index(c(1L, ends + 1L), c(ends, cells))])
}

# Divides the cells into so many runs of the largest sum of worths: best[k, m] is that of the first m
# cells in k runs.
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
  until <- c(0, cumsum(problem$grids[[v]]$counts))
  rows <- until[runs$last + 1L] - until[runs$first]
  worth <- matrix(-rows * log(rows / problem$rows), length(rows), length(sizes))
  for (part in count_parts(problem, state, v)) {
    tables <- unique_tables(problem$score, part$cells * sizes, problem$rows)
    sums <- sums_over_runs(part$counts, runs, tables$table)
    worth <- worth + part$sign * sums[, tables$which, drop = FALSE]
  }
  worth
}

# Counts that depend on the cuts of column v: matrices, cells of its grid x configurations of other
# columns; the `sign` with which they enter, and how many cells of a table each bin has there.
count_parts <- function(problem, state, v) {
  cell <- problem$grids[[v]]$cell
  cells <- length(problem$grids[[v]]$counts)
  part <- function(others, sign) {
    list(counts = counts_by_cell(cell, cells, state$codes[others], state$sizes[others]),
         sign = sign, cells = prod(state$sizes[others]))
  }
  children <- children_in(state$parents, v)
  of_children <- lapply(children, function(child) {
    rest <- setdiff(state$parents[[child]], v)
    list(part(c(child, rest), 1), part(rest, -1))
  })
  c(list(part(state$parents[[v]], 1)), unlist(of_children, recursive = FALSE))
}

children_in <- function(parents, v) which(vapply(parents, function(set) v %in% set, NA))

# Configurations that no row has take no column.
counts_by_cell <- function(cell, cells, codes, sizes) {
  index <- rep(0, length(cell))
  for (i in seq_along(codes)) index <- index * sizes[i] + codes[[i]]
  seen <- unique(index)
  configuration <- match(index, seen)
  matrix(tabulate(cell + cells * (configuration - 1L), cells * length(seen)), cells)
}

# What a count of 0, 1, ... is worth. The Dirichlet integral of a table with iss / cells a priori in
# each cell (Heckerman, Geiger & Chickering 1995), or the likelihood, for which cells do not matter.
worth_of_counts <- function(score, cells, rows) {
  count <- 0:rows
  if (score$label != "bde") return(ifelse(count > 0, count * log(count), 0))
  alpha <- score$iss / cells
  lgamma(alpha + count) - lgamma(alpha)
}

unique_tables <- function(score, cells, rows) {
  different <- if (score$label == "bde") unique(cells) else cells[1L]
  list(table = lapply(different, worth_of_counts, score = score, rows = rows),
       which = match(cells, different, nomatch = 1L))
}

# For each run the sum over the configurations of tables[[i]][its count + 1], by i. In blocks of
# configurations, which bounds memory.
sums_over_runs <- function(counts, runs, tables, most = 1e6) {
  sums <- matrix(0, length(runs$first), length(tables))
  until <- rbind(0L, matrix(apply(counts, 2L, cumsum), nrow(counts)))
  block <- ceiling(seq_len(ncol(counts)) * length(runs$first) / most)
  for (columns in split(seq_len(ncol(counts)), block)) {
    part <- until[, columns, drop = FALSE]
    within <- part[runs$last + 1L, , drop = FALSE] - part[runs$first, , drop = FALSE] + 1L
    for (i in seq_along(tables)) {
      sums[, i] <- sums[, i] + rowSums(matrix(tables[[i]][within], nrow(within)))
    }
  }
  sums
}

# What depends on the number of bins alone: the prior, and the penalty of BIC and AIC for parameters.
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
  report <- report_of_cutting(search)
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

# A bar that goes away with the function that has asked.
report_of_cutting <- function(search, frame = rlang::caller_env()) {
  if (!search$limits$progress) return(function() NULL)
  id <- cli::cli_progress_bar("Cutting columns", total = NA, .envir = frame)
  function() cli::cli_progress_update(id = id, .envir = frame)
}

blanket_of <- function(parents, v) {
  children <- children_in(parents, v)
  setdiff(c(parents[[v]], children, unlist(parents[children])), v)
}
