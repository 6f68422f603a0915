# The engine of discrete series: what is hidden is a product of tables, and is eliminated.
#
# A factor is list(ids, sizes, table): numbers, the first identity fastest. A belief is list(ids,
# factors, own), `own` those of the slice alone, without the message. Elimination takes the identity
# next whose table is smallest (dynamic-infer.R says what an engine is).

most_cells <- 2^24

discrete_engine <- function(recursion, call) {
  recursion <- with_tables(recursion)
  sizes <- lengths(recursion$levels)
  list(
    observe = function(message, slice, known) {
      own <- lapply(families_at(recursion, slice), family_factor, known, sizes, call)
      constant <- !lengths(lapply(own, `[[`, "ids"))
      if (any(vapply(own[constant], `[[`, 0, "table") == 0)) abort_impossible_series(slice, call)
      own <- own[!constant]
      factors <- c(if (length(message$ids)) list(message), own)
      list(ids = unique(unlist(lapply(factors, `[[`, "ids"))), factors = factors, own = own,
           before = message$ids, slice = slice)
    },
    marginal = function(belief, id) summed_to(belief$factors, id, belief$slice, call)$table,
    pass_on = function(belief, ids) summed_to(belief$factors, ids, belief$slice, call),
    look_back = function(belief, later) {
      told <- later$told
      belief$factors <- c(belief$factors, told)
      from_here <- c(belief$own, told)
      shared <- intersect(belief$before, union_of(from_here)$ids)
      belief$told <- if (length(shared)) list(summed_to(from_here, shared, belief$slice, call))
      belief
    }
  )
}

# Each family with its table: an array over its discrete members, or for a continuous node its
# regression, whose density of what is known is a table over the discrete parents.
with_tables <- function(recursion) {
  tabled <- function(families) {
    lapply(families, function(family) {
      discrete <- inherits(family$model, c("optbn_table", "optbn_partition"))
      if (discrete) family$table <- as.vector(local_table(family$model))
      family
    })
  }
  recursion$first <- lapply(recursion$first, tabled)
  recursion$later <- tabled(recursion$later)
  recursion
}

# The factor that a family is, given what is known. `sizes`: numbers of levels by node.
family_factor <- function(family, known, sizes, call) {
  members <- c(family$node, family$parents)
  ids <- family$ids
  table <- family$table
  if (is.null(table)) { # continuous
    table <- density_table(family, known, sizes)
    discrete <- which(sizes[members] > 0L)
    members <- members[discrete]
    ids <- ids[discrete]
  }
  sizes <- unname(sizes[members])
  strides <- cumprod(c(1, sizes))[seq_along(sizes)]
  values <- known[ids]
  seen <- !is.na(values)
  cells <- 1 + sum(strides[seen] * values[seen])
  list(ids = ids[!seen], sizes = sizes[!seen],
       table = table[spread_cells(cells, strides[!seen], sizes[!seen])])
}

# The density of a continuous node whose value and continuous parents are known, in each
# configuration of its discrete parents.
density_table <- function(family, known, sizes) {
  model <- family$model
  values <- set_names(known[family$ids], c(model$node, model$parents))
  configurations <- ncol(model$coefficients)
  mean <- as.vector(crossprod(model$coefficients, c(1, values[model$continuous])))
  order <- match(setdiff(model$parents, model$continuous), names(model$levels))
  density <- stats::dnorm(values[[model$node]], mean, model$sd)
  if (length(order) < 2L) return(density)
  as.vector(aperm(array(density, lengths(model$levels)), order))
}

# Cells of a table: from these on, all steps along dimensions of such strides and sizes.
spread_cells <- function(cells, strides, sizes) {
  for (i in seq_along(strides)) {
    cells <- as.vector(outer(cells, strides[i] * (seq_len(sizes[i]) - 1), `+`))
  }
  cells
}

# The product of factors over `ids`, in this order.
product_over <- function(factors, ids, sizes, call) {
  require_cells(prod(sizes), call)
  product <- 1
  for (factor in factors) {
    strides <- cumprod(c(1, factor$sizes))[match(ids, factor$ids)]
    strides[is.na(strides)] <- 0
    product <- product * factor$table[spread_cells(1, strides, sizes)]
  }
  product
}

require_cells <- function(cells, call) {
  if (cells <= most_cells) return(invisible())
  abort_optbn("memory",
              c("A message over hidden variables needs {format_cells(cells)}.",
                i = "Give more of the series, or a shorter horizon."),
              call = call, needed = 8 * cells, limit = 8 * most_cells)
}

# The distribution of `ids`, the rest summed out: a factor that adds up to 1.
summed_to <- function(factors, ids, slice, call) {
  scale <- function(factor) {
    total <- sum(factor$table)
    if (!(total > 0)) abort_impossible_series(slice, call)
    factor$table <- factor$table / total
    factor
  }
  factors <- lapply(factors, scale)
  repeat {
    next_one <- cheapest(factors, ids)
    if (is.null(next_one)) break
    touched <- vapply(factors, function(factor) next_one %in% factor$ids, NA)
    rest <- union_of(factors[touched], first = next_one)
    product <- product_over(factors[touched], rest$ids, rest$sizes, call)
    sums <- colSums(matrix(product, rest$sizes[1L]))
    made <- list(ids = rest$ids[-1L], sizes = rest$sizes[-1L], table = sums)
    factors <- c(factors[!touched], list(scale(made)))
  }
  all <- union_of(factors)
  place <- match(ids, all$ids)
  scale(list(ids = ids, sizes = all$sizes[place],
             table = product_over(factors, ids, all$sizes[place], call)))
}

# All identities of factors with their sizes, `first` before the others.
union_of <- function(factors, first = integer()) {
  ids <- unlist(lapply(factors, `[[`, "ids"))
  sizes <- unlist(lapply(factors, `[[`, "sizes"))
  all <- unique(c(first, ids))
  list(ids = all, sizes = sizes[match(all, ids)])
}

# Of what is to be summed out the one whose table is smallest; NULL when nothing is left.
cheapest <- function(factors, keep) {
  open <- setdiff(unlist(lapply(factors, `[[`, "ids")), keep)
  if (length(open) < 2L) return(if (length(open)) open)
  cells <- vapply(open, function(id) {
    touched <- vapply(factors, function(factor) id %in% factor$ids, NA)
    prod(union_of(factors[touched])$sizes)
  }, 0)
  open[which.min(cells)]
}
