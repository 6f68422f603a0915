# Tables that stay where they are: lazy tables of dbplyr, and of arrow.
#
# encode_data() takes them as it takes data frames. Where their distinct rows fit into memory these
# come, each with its count, and all goes on as with a data frame and weights. Otherwise only facts
# about the columns come, and with them a `source`, which the core asks for groups of rows
# (core/data/row_source.h):
#   cells(blocks)    for each block of discrete columns (numbers from 1): list(codes, counts)
#   moments(block)   for each cell of a block: list(codes, rows, means, products), the latter two of
#                    the continuous columns, products about their means
#
# How a backend is asked is said in data-backend.R. Nothing is ever written.

is_lazy_table <- function(x) {
  inherits(x, c("tbl_lazy", "ArrowTabular", "Dataset", "arrow_dplyr_query"))
}

# What a learner takes other than parent sets, as the user gave it or encoded.
is_data <- function(x) is.data.frame(x) || is_lazy_table(x) || inherits(x, "optbn_encoded_data")

# The names of its nodes, and of those of parent sets; NULL of anything else. A column that
# `targets` names, or of a lazy table `weights`, is no node.
nodes_of <- function(x, weights, targets = NULL) {
  if (inherits(x, c("optbn_parent_sets", "optbn_encoded_data"))) return(x$nodes)
  nodes <- setdiff(columns_of(x), target_column(targets, x))
  if (is_lazy_table(x)) setdiff(nodes, weights) else nodes
}

# NULL of what is no table. (The names() of some lazy tables are others.)
columns_of <- function(x) {
  if (inherits(x, "tbl_lazy")) return(colnames(x))
  if (is_lazy_table(x) || is.data.frame(x)) names(x)
}

# What a value takes, in bytes, from the backend to the core.
bytes_per_value <- 40

encode_lazy <- function(data, weights, memory_limit, call, holes, targets = NULL) {
  table <- open_table(data, weights, call, check_targets_column(targets, data, call))
  if (fits_memory(table, memory_limit)) {
    frame <- fetch_cells(table, c(table$nodes, table$targets))
    if (!holes) refuse_missing_there(table, vapply(frame[table$nodes], anyNA, NA), call)
    encoded <- encode_data(frame[table$nodes], frame[[table$count]], call = call, holes = holes,
                           targets = if (!is.null(targets)) as.list(frame[[table$targets]]))
    encoded$position <- NA
    return(encoded)
  }
  encode_facts(table, call, holes)
}

# Are the rows those of a data frame? Rows of a table elsewhere are merged, or stay there.
has_row_numbers <- function(encoded) is.null(encoded$source) && !identical(encoded$position, NA)

# ---- opening ------------------------------------------------------------------------------------

# list(data, nodes, weights, targets, count, backend, types, varied, total): `weights` the name of
# the column that holds row counts, or NULL; `targets` that of the column that names the nodes that
# were set, or NULL; `count` a name for counts that no column has; `varied` the columns that have
# many values already in the first rows.
open_table <- function(data, weights, call, targets = NULL) {
  require_package("dplyr", "for tables that are not in memory", call)
  if (inherits(data, "tbl_lazy")) require_package("dbplyr", "for tables in a database", call)
  data <- dplyr::ungroup(data)
  first <- ask(dplyr::collect(utils::head(data, 1000L)), call)
  check_data_frame(first, call)
  weights <- check_weights_column(weights, first, call)
  table <- list(data = data, nodes = setdiff(names(first), c(weights, targets)),
                weights = weights, targets = targets,
                count = utils::tail(make.unique(c(names(first), "n")), 1L), call = call)
  if (!is.null(weights)) table <- with_positive_weights(table)
  check_data_frame(first[table$nodes], call)
  table$backend <- row_backend(table$data, weights)
  table$types <- usable_types(lapply(first[table$nodes], without_64_bits), call)
  table$varied <- table$nodes[vapply(first[table$nodes], function(x) length(unique(x)) > 100, NA)]
  table$total <- sum(fetch_cells(table, character())[[table$count]])
  check_row_total(table$total, call)
  table
}

check_weights_column <- function(weights, first, call) {
  if (is.null(weights)) return(NULL)
  if (rlang::is_string(weights) && weights %in% names(first)) return(weights)
  abort_optbn("argument",
              c(paste("{.arg weights} of a table that is not in memory must name the column of",
                      "row counts."),
                x = "It is {describe(weights)}.",
                i = "The columns are {.val {names(first)}}."),
              call = call)
}

check_targets_column <- function(targets, data, call) {
  if (is.null(targets) || !is.null(target_column(targets, data))) return(targets)
  if (is_string(targets)) abort_unknown_column(targets, columns_of(data), call)
  abort_optbn("argument",
              c(paste("{.arg targets} of a table that is not in memory must name the column of the",
                      "nodes that were set."), x = "It is {describe(targets)}."), call = call)
}

# Rows that count 0 times are left aside, as those of a data frame are.
with_positive_weights <- function(table) {
  w <- rlang::sym(table$weights)
  found <- lapply(ask(dplyr::collect(dplyr::summarise(
    table$data,
    missing = sum(dplyr::if_else(is.na(!!w), 1L, 0L), na.rm = TRUE),
    smallest = min(!!w, na.rm = TRUE),
    fraction = max(abs((!!w) - round(!!w)), na.rm = TRUE)
  )), table$call), without_64_bits)
  wrong <- c("missing values" = found$missing > 0, "fractions" = isTRUE(found$fraction > 0),
             "numbers below 0" = isTRUE(found$smallest < 0))
  if (any(wrong)) {
    abort_optbn("argument",
                c("Column {.val {table$weights}} must hold row counts: whole numbers, 0 or more.",
                  x = "It holds {names(wrong)[wrong]}."),
                call = table$call)
  }
  table$data <- dplyr::filter(table$data, (!!w) > 0)
  table
}

check_row_total <- function(total, call) {
  if (total >= 1 && total < 2^32) return(invisible())
  abort_optbn("data",
              c("{.arg data} must have between 1 and 2^32 - 1 rows.",
                x = "It has {format_count(total)}."),
              call = call)
}

# Do the distinct rows take a quarter of the memory at most?
fits_memory <- function(table, memory_limit) {
  columns <- c(table$nodes, table$targets)
  most <- floor(memory_limit / 4 / (bytes_per_value * length(columns)))
  table$total <= most || has_few_rows(table, most)
}

# At most so many distinct rows? The first rows tell of a table that has many more without a look at
# the others.
has_few_rows <- function(table, most) {
  columns <- rlang::syms(c(table$nodes, table$targets))
  few_among <- function(data) count_distinct(table, data, columns, most + 1) <= most
  few_among(utils::head(table$data, 2 * most)) && few_among(table$data)
}

# How many different rows the columns have, up to so many.
count_distinct <- function(table, data, columns, most) {
  rows <- utils::head(dplyr::distinct(data, !!!columns), most)
  as.double(ask(dplyr::collect(dplyr::summarise(rows, n = dplyr::n())), table$call)$n)
}

# ---- facts about the columns --------------------------------------------------------------------

# As encode_data(), of a table whose rows stay where they are: `rows` are those that the backend
# has, `columns` are empty, and `means` hold those of continuous columns.
encode_facts <- function(table, call, holes = FALSE) {
  discrete <- table$types %in% discrete_types
  facts <- column_facts(table, discrete)
  table$holes <- facts$missing > 0 | is.nan(facts$highest)
  if (!holes) refuse_missing_there(table, table$holes, call)
  refuse_empty(table$nodes[!discrete & is.na(facts$lowest)], call)
  refuse_infinite(table$nodes[is.infinite(facts$lowest) | is.infinite(facts$highest)], call)
  announce_coercions(table$types)
  table$levels <- vector("list", length(table$nodes))
  table$levels[discrete] <- lapply(column_values(table, table$nodes[discrete]), function(values) {
    levels(as_factor_column(values))
  })
  refuse_empty(table$nodes[discrete & lengths(table$levels) == 0L], call)
  refuse_one_level(table$nodes[discrete & lengths(table$levels) < 2L], call)
  refuse_constant(table$nodes[!discrete & facts$lowest == facts$highest], call)
  # To 12 digits the backend gets the very numbers that are known here.
  table$centres <- signif(facts$mean, 12L)
  announce_staying(table)
  encoded <- encoded_table(table, facts$mean)
  encoded$targets <- tables_left(table, discrete, call)
  encoded
}

# By node that was set the table without the rows in which it was; NULL where none was.
tables_left <- function(table, discrete, call) {
  if (is.null(table$targets)) return(NULL)
  found <- fetch_cells(table, table$targets)
  counts <- set_names(found[[table$count]], as.character(found[[table$targets]]))
  set <- targets_by_node(as.list(names(counts)), table$nodes, length(counts), call, table$targets)
  if (length(set) == 0L) return(NULL)
  left <- lapply(set_names(names(set)), function(node) {
    rows_not_set(table, node, counts[[node]])
  })
  refuse_always_set(names(Filter(function(one) one$total == 0, left)), call)
  numbers <- intersect(names(left), table$nodes[!discrete])
  constant <- vapply(numbers, function(node) {
    facts <- column_facts(left[[node]], discrete)[match(node, table$nodes), ]
    is.na(facts$lowest) || facts$lowest == facts$highest
  }, NA)
  refuse_constant_where_not_set(numbers[constant], call)
  lapply(left, encoded_table)
}

rows_not_set <- function(table, node, rows) {
  column <- rlang::sym(table$targets)
  table$data <- dplyr::filter(table$data, is.na(!!column) | (!!column) != !!node)
  table$backend <- row_backend(table$data, table$weights)
  table$total <- table$total - rows
  table
}

refuse_missing_there <- function(table, missing, call) {
  columns <- which(missing)
  refuse_missing(table$nodes[columns], table$types[columns] %in% discrete_types, call, there = TRUE)
}

announce_staying <- function(table) {
  announce(c(paste("The rows of {.arg data} stay in the database: {format_count(table$total)} are",
                   "too many to fetch."),
             i = "Counts come from the database; a larger {.arg memory_limit} fetches the rows."))
}

encoded_table <- function(table, means = NULL) {
  structure(
    list(nodes = table$nodes, rows = table$total, columns = vector("list", length(table$nodes)),
         levels = table$levels, types = unname(table$types), weights = NULL, total = table$total,
         means = means, source = source_of(table), holes = if (any(table$holes)) table$holes),
    class = "optbn_encoded_data"
  )
}

# A data frame with a row per column: how many values are missing, and of continuous columns lowest,
# highest and mean. As many terms in one question as any backend allows.
column_facts <- function(table, discrete) {
  chunks <- split(seq_along(table$nodes), ceiling(seq_along(table$nodes) / 100))
  do.call(rbind, lapply(chunks, function(columns) {
    all <- table$nodes[columns]
    continuous <- all[!discrete[columns]]
    backend <- table$backend
    terms <- c(backend$missing(all), backend$lowest(continuous), backend$highest(continuous),
               backend$mean(continuous))
    names(terms) <- paste0("f", seq_along(terms))
    found <- vapply(groups_of(table, list(character()), terms)[[1L]], as.double, 0)
    of_continuous <- function(i) {
      values <- rep(NA_real_, length(all))
      values[!discrete[columns]] <- found[length(all) + (i - 1L) * length(continuous) +
                                            seq_along(continuous)]
      values
    }
    data.frame(missing = found[seq_along(all)], lowest = of_continuous(1L),
               highest = of_continuous(2L), mean = of_continuous(3L))
  }))
}

# The values that occur in each of these columns. A column of names or keys is refused before they
# come.
column_values <- function(table, columns) {
  if (length(columns) == 0L) return(list())
  varied <- if (table$total > most_levels) intersect(columns, table$varied)
  crowded <- vapply(rlang::syms(varied), function(column) {
    count_distinct(table, table$data, list(column), most_levels + 1) > most_levels
  }, NA)
  refuse_many_levels(varied[crowded], table$call)
  values <- set_names(Map(`[[`, fetch_blocks(table, as.list(columns)), columns), columns)
  refuse_many_levels(columns[lengths(values) > most_levels], table$call)
  values
}

# ---- what the core asks -------------------------------------------------------------------------

source_of <- function(table) {
  list(cells = function(blocks) coded_cells(table, blocks),
       moments = function(block) cell_moments(table, block))
}

coded_cells <- function(table, blocks) {
  names <- lapply(blocks, function(block) table$nodes[block])
  Map(function(frame, block) {
    levels <- table$levels[match(block, table$nodes)]
    coded <- list(codes = unname(Map(code_values, frame[block], levels)),
                  counts = frame[[table$count]])
    check_unchanged(coded, table)
    coded
  }, unname(fetch_blocks(table, names)), names)
}

# NA where a value is missing, below 0 where the level is unknown.
code_values <- function(values, levels) {
  ifelse(is.na(values), NA, match(as.character(values), levels, nomatch = 0L) - 1L)
}

check_unchanged <- function(coded, table) {
  total <- sum(coded$counts)
  codes <- unlist(coded$codes)
  unknown <- any(codes < 0L, na.rm = TRUE) || (anyNA(codes) && !any(table$holes))
  if (total == table$total && !unknown) return(invisible())
  abort_optbn("data",
              c("{.arg data} has changed since the first query.",
                x = if (total == table$total) {
                  "It has a new level."
                } else {
                  "It had {format_count(table$total)} rows and has {format_count(total)}."
                },
                i = "Call again when no other process writes to it, or use a copy."),
              call = table$call)
}

# Sums about the columns' centres, of which each cell's own mean is then taken off: little is lost,
# as the centres are near.
cell_moments <- function(table, block) {
  columns <- which(!is_discrete(table))
  x <- table$nodes[columns]
  centres <- table$centres[columns]
  pairs <- which(upper.tri(diag(length(x)), diag = TRUE), arr.ind = TRUE)
  i <- pairs[, 1L]
  j <- pairs[, 2L]
  terms <- c(table$backend$sums(x, centres),
             table$backend$products(x[i], x[j], centres[i], centres[j]))
  names(terms) <- paste0(table$count, "_", seq_along(terms))
  found <- sums_by_cell(table, table$nodes[block], terms)
  check_unchanged(found, table)
  lapply(seq_along(found$counts), function(cell) {
    rows <- found$counts[cell]
    apart <- found$sums[cell, seq_along(x)] / rows
    products <- matrix(0, length(x), length(x))
    products[pairs] <- found$sums[cell, -seq_along(x)]
    products[cbind(j, i)] <- products[pairs]
    list(codes = lapply(found$codes, `[`, cell), rows = rows, means = centres + apart,
         products = products - rows * tcrossprod(apart))
  })
}

# list(codes, counts, sums): of the cells of a block, `sums` a matrix with a row per cell. As many
# terms in one question as any backend allows.
sums_by_cell <- function(table, block, terms) {
  chunks <- split(terms, ceiling(seq_along(terms) / 400))
  parts <- lapply(chunks, function(chunk) {
    frame <- fetch_blocks(table, list(block), chunk)[[1L]]
    codes <- Map(code_values, frame[block], table$levels[match(block, table$nodes)])
    sorted <- if (length(block) > 0L) do.call(order, unname(codes)) else 1L
    list(codes = lapply(codes, `[`, sorted), counts = frame[[table$count]][sorted],
         sums = as.matrix(frame[sorted, names(chunk), drop = FALSE]))
  })
  list(codes = parts[[1L]]$codes, counts = parts[[1L]]$counts,
       sums = do.call(cbind, lapply(parts, `[[`, "sums")))
}

# ---- what fits ask ------------------------------------------------------------------------------

blocks_a_pass <- 8

# For each family of discrete nodes, by name: list(columns, weights), a row per occupied cell.
cells_of_families <- function(families, encoded) {
  passes <- split(families, ceiling(seq_along(families) / blocks_a_pass))
  do.call(c, unname(lapply(passes, function(pass) {
    cells <- encoded$source$cells(lapply(pass, match, encoded$nodes))
    Map(function(family, cell) {
      list(columns = set_names(cell$codes, family), weights = cell$counts)
    }, pass, cells)
  })))
}

# The same for a family with continuous nodes: a few rows in each cell of its discrete ones, whose
# weights, means and products are those of the rows in it.
rows_like_family <- function(family, encoded) {
  discrete <- intersect(family, encoded$nodes[is_discrete(encoded)])
  continuous <- setdiff(family, discrete)
  keep <- match(continuous, encoded$nodes[!is_discrete(encoded)])
  cells <- encoded$source$moments(match(discrete, encoded$nodes))
  values <- lapply(cells, rows_like, keep)
  counts <- vapply(values, nrow, 0L)
  each <- rep(seq_along(cells), counts)
  codes <- lapply(seq_along(discrete), function(i) {
    vapply(cells, function(cell) cell$codes[[i]], 0L)[each]
  })
  values <- do.call(rbind, values)
  list(columns = set_names(c(codes, lapply(seq_along(keep), function(i) values[, i])),
                                  c(discrete, continuous)),
       weights = (vapply(cells, `[[`, 0, "rows") / counts)[each])
}

# Pairs of points about the mean, one for each column of a root of the products.
rows_like <- function(cell, keep) {
  products <- cell$products[keep, keep, drop = FALSE]
  spread <- sqrt(diag(products))
  unit <- ifelse(spread > 0, spread, 1)
  about <- eigen(products / tcrossprod(unit), symmetric = TRUE)
  root <- unit * about$vectors %*% diag(sqrt(pmax(about$values, 0)), length(keep))
  apart <- sqrt(length(keep) / cell$rows) * root
  t(cell$means[keep] + cbind(apart, -apart))
}

# ---- questions to the backend -------------------------------------------------------------------

# For each block its occupied cells with their counts, and with further terms.
fetch_blocks <- function(table, blocks, terms = list()) {
  count <- set_names(table$backend$count, table$count)
  lapply(groups_of(table, blocks, c(count, terms)), function(frame) {
    frame[[table$count]] <- as.double(frame[[table$count]])
    frame[which(frame[[table$count]] > 0), , drop = FALSE] # a sum over no rows is NA
  })
}

fetch_cells <- function(table, columns) fetch_blocks(table, list(columns))[[1L]]

# Before the levels are known, blocks are single columns.
groups_of <- function(table, blocks, terms) {
  cells <- vapply(blocks, function(block) {
    prod(lengths(table$levels[match(block, table$nodes)]))
  }, 0)
  # Rows of several blocks are told apart by the columns that are missing in them.
  many <- any(table$holes) || (!is.null(table$levels) && sum(cells) > 10000)
  lapply(ask(table$backend$groups(blocks, terms, many), table$call), function(frame) {
    frame[] <- lapply(frame, without_64_bits)
    frame
  })
}

ask <- function(question, call) {
  tryCatch(question, error = function(condition) {
    abort_optbn("database",
                c("The backend that keeps {.arg data} did not answer.",
                  i = "Call again once the connection works."),
                call = call, parent = condition)
  })
}

# Counts beyond 2^31 come as 64-bit integers.
without_64_bits <- function(x) if (inherits(x, "integer64")) as.double(x) else x
