# A case is made of choices, each a whole number. They are read off a tape: by a seed it has random
# numbers; any other makes a case too, so that one can be made again, and made smaller. Where the
# tape ends or holds 0 the first possibility is taken, which should be the simplest.

case <- new.env()

begin_case <- function(tape) {
  case$tape <- tape
  case$used <- 0L
  case$steps <- character()
  set.seed(1)
}

# The first choice of a case goes through its possibilities in turn as seeds go up.
tape_of_seed <- function(seed) {
  set.seed(seed)
  c(seed, sample.int(2^30, 200L, replace = TRUE))
}

# A whole number from 1 to n.
choose <- function(n) {
  case$used <- case$used + 1L
  number <- if (case$used <= length(case$tape)) case$tape[case$used] else 0
  as.integer(number %% n) + 1L
}

pick <- function(x) x[[choose(length(x))]]

# With a chance of one in `n`.
rarely <- function(n) choose(n) == n

# A number from 0 to 1.
choose_share <- function() (choose(1e6) - 1) / 1e6

# Tapes that make a smaller case, most promising first: cut short, parts left out, numbers replaced
# by 0. The first choice stays in its place.
smaller_tapes <- function(tape) {
  n <- length(tape)
  lengths <- c(1:4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, n - 1)
  lengths <- sort(unique(lengths[lengths > 0 & lengths < n]))
  cut_short <- lapply(lengths, function(to) tape[seq_len(to)])
  without <- lapply(seq_len(n)[-1L], function(i) tape[-i])
  zeros <- lapply(which(tape[-1L] > 0) + 1L, function(i) replace(tape, i, 0))
  c(cut_short, without, zeros)
}
