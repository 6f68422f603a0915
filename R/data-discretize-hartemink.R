# Hartemink's discretisation: neighbouring bins are merged so that the columns lose as little of
# what they tell of one another as possible.
#
# Every column begins with many bins of equal frequency. Column after column, round after round, two
# neighbouring bins become one: those whose merging leaves the largest sum of mutual informations
# with the other columns, as these are then (Hartemink 2001, section 4.3).
#
# With counts n_ab of column A's bin a in bin b of another column, and g(n) = n log(n), the rows
# times their mutual information is the sum of g(n_ab), less those of g(n_a) and g(n_b), and
# constant else. Merging a and a' changes it by h(n_ab, n_a'b), summed over b, less h(n_a, n_a'),
# where h(x, y) = g(x + y) - g(x) - g(y). These sums are kept for all neighbours in all columns; a
# merging changes them in two columns of counts.

# Cuts by column of `numbers`, those of `data` that are cut. Other columns that are discrete count
# as they are; numeric ones do not count.
discretize_jointly <- function(data, numbers, bins, initial, limits, call) {
  initial <- check_count(initial %||% max(bins, usual_initial(nrow(data))), "initial",
                         minimum = bins, maximum = most_levels, call = call)
  discrete <- discrete_beside(data, names(numbers), call)
  if (length(numbers) + length(discrete) < 2L) {
    abort_optbn("data",
                c("{.code method = \"hartemink\"} needs two columns of {.arg data} or more.",
                  x = "The bins preserve the information of columns about one another."),
                call = call)
  }
  cuts <- frequency_cuts(numbers, initial)
  codes <- c(Map(cut_codes, numbers, cuts), lapply(discrete, as.integer))
  bytes <- 4 * sum(vapply(codes, max, 0L))^2
  require_memory(2 * bytes, limits$memory_limit, "Lower {.arg initial}", call)
  hartemink_cuts(codes, cuts, bins, limits$progress)
}

# As bnlearn 4.9 begins; fewer where the bins would be small.
usual_initial <- function(rows) {
  if (rows > 500) 50 else if (rows > 100) 20 else if (rows > 50) 10 else if (rows > 10) 5 else rows
}

discrete_beside <- function(data, continuous, call) {
  types <- usable_types(data, call)
  discrete <- lapply(as.list(data)[names(types)[types %in% discrete_types]], as_factor_column)
  refuse_missing(names(discrete)[vapply(discrete, anyNA, NA)], TRUE, call)
  refuse_one_level(names(discrete)[vapply(discrete, nlevels, 0L) < 2L], call)
  lapply(discrete, droplevels)
}

# Inner cut points by column. `codes`: of all columns, from 1; `cuts`: of those to be cut, by name.
hartemink_cuts <- function(codes, cuts, bins, progress = FALSE) {
  merger <- new_merger(codes)
  columns <- match(names(cuts), names(codes))
  rounds <- max(lengths(merger$bins)[columns]) - bins
  report <- progress_bar(progress, "Merging bins", max(0, rounds))
  repeat {
    open <- columns[lengths(merger$bins)[columns] > bins]
    if (length(open) == 0L) break
    for (v in open) merge_best(merger, v)
    report()
  }
  Map(function(cuts, v) {
    bins <- merger$bins[[v]]
    cuts[merger$last[bins[-length(bins)]] - merger$before[v]]
  }, cuts, columns)
}

# All bins of all columns have numbers of their own; one that was merged has that of its first part.
#   bins     by column, those that are left, ascending
#   before   by column, the number of first bins of the columns before it
#   last     by bin, the last of the first bins that it holds
#   counts   by bin, its rows in each of the first bins
#   told     by bin, the sum of h() with its upper neighbour over the bins of other columns
new_merger <- function(codes) {
  sizes <- vapply(codes, max, 0L)
  before <- cumsum(c(0L, sizes))[seq_along(sizes)]
  rows <- seq_along(codes[[1L]])
  merger <- list2env(list(
    bins = Map(function(size, before) before + seq_len(size), sizes, before), before = before,
    last = seq_len(sum(sizes)), counts = count_pairs(codes, sizes), told = numeric(sum(sizes)),
    worth = c(0, rows * log(rows))
  ))
  for (v in seq_along(sizes)) {
    for (at in seq_len(sizes[v] - 1L)) tell_again(merger, v, at)
  }
  merger
}

count_pairs <- function(codes, sizes) {
  of_column <- function(v) {
    counts <- Map(function(other, size) {
      matrix(tabulate(other + size * (codes[[v]] - 1L), size * sizes[v]), size)
    }, codes, sizes)
    asplit(do.call(rbind, counts), 2L)
  }
  lapply(unlist(lapply(seq_along(codes), of_column), recursive = FALSE), as.vector)
}

# A bin's rows in the bins that are left, of all columns.
counts_left <- function(merger, bin, left = unlist(merger$bins)) {
  diff(c(0L, cumsum(merger$counts[[bin]])[merger$last[left]]))
}

gain_of_merging <- function(merger, x, y) {
  merger$worth[x + y + 1L] - merger$worth[x + 1L] - merger$worth[y + 1L]
}

# Of the bin at this place of column v and the one above.
tell_again <- function(merger, v, at) {
  bins <- merger$bins[[v]]
  left <- unlist(merger$bins)
  gain <- gain_of_merging(merger, counts_left(merger, bins[at], left),
                          counts_left(merger, bins[at + 1L], left))
  merger$told[bins[at]] <- sum(gain[!left %in% bins])
}

# What is lost of the mutual information is equal for many neighbours in small data: the lowest of
# these are merged, whatever the rounding.
merge_best <- function(merger, v) {
  bins <- merger$bins[[v]]
  lower <- seq_len(length(bins) - 1L)
  rows <- vapply(merger$counts[bins], sum, 0L) / length(merger$bins) # each is once in every column
  others <- length(merger$bins) - 1L
  change <- merger$told[bins[lower]] -
    others * gain_of_merging(merger, rows[lower], rows[lower + 1L])
  merge_bins(merger, v, which(change >= max(change) - 1e-9 * length(merger$worth))[1L])
}

merge_bins <- function(merger, v, at) {
  kept <- merger$bins[[v]][at]
  gone <- merger$bins[[v]][at + 1L]
  tell_others(merger, v, kept, gone)
  merger$counts[[kept]] <- merger$counts[[kept]] + merger$counts[[gone]]
  merger$last[kept] <- merger$last[gone]
  merger$bins[[v]] <- merger$bins[[v]][-(at + 1L)]
  for (place in intersect(c(at - 1L, at), seq_len(length(merger$bins[[v]]) - 1L))) {
    tell_again(merger, v, place)
  }
}

# The sums of all other columns, of which two terms become one.
tell_others <- function(merger, v, kept, gone) {
  left <- unlist(merger$bins)
  column <- rep(seq_along(merger$bins), lengths(merger$bins))
  lower <- which(column[-length(column)] == column[-1L] & column[-1L] != v)
  in_kept <- counts_left(merger, kept, left)
  in_gone <- counts_left(merger, gone, left)
  gain_in <- function(counts) gain_of_merging(merger, counts[lower], counts[lower + 1L])
  merger$told[left[lower]] <- merger$told[left[lower]] -
    gain_in(in_kept) - gain_in(in_gone) + gain_in(in_kept + in_gone)
}
