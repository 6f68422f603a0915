# Experiments: `targets`, the nodes that were set from outside, row by row.
#
# Whatever form it comes in, encoded data hold it as `targets`: by node that was ever set, the
# numbers of its rows, ascending; NULL where none was. In these rows a node says nothing about how
# it depends on its parents: no score and no fit of the node counts them (Cooper & Yoo 1999). Of a
# table whose rows stay where they are, `targets` has by node the encoded table of the rows left.

# The column of `data` that names the nodes that were set, and so is none; NULL without one.
# `targets` as the user gave them.
target_column <- function(targets, data) {
  if (is_string(targets) && targets %in% columns_of(data)) targets
}

# list(data, targets): the columns that are nodes, and `targets` by node.
split_targets <- function(data, targets, call) {
  if (is.null(targets)) return(list(data = data))
  column <- target_column(targets, data)
  if (is.null(column)) {
    if (is_string(targets) && nrow(data) != 1L) abort_unknown_column(targets, names(data), call)
    return(list(data = data, targets = targets_by_node(targets, names(data), nrow(data), call)))
  }
  given <- data[[column]]
  data <- as.data.frame(data)[setdiff(names(data), column)]
  if (length(data) == 0L) {
    abort_optbn("data",
                c("{.arg data} has no column but {.val {column}}, which {.arg targets} names.",
                  i = "Each of the others is a node of the network."), call = call)
  }
  list(data = data, targets = targets_by_node(given, names(data), nrow(data), call, column))
}

abort_unknown_column <- function(targets, columns, call) {
  abort_optbn("argument",
              c("{.arg targets} must name a column of {.arg data}, or the node set in each row.",
                x = "There is no column {.val {targets}}.",
                i = "The columns are {.val {columns}}."), call = call)
}

# By node the numbers of its rows. `column`: that from which they come, if from one.
targets_by_node <- function(targets, nodes, rows, call, column = NULL) {
  by_node <- is.null(column) && is_plain_list(targets) &&
    (length(targets) == 0L || !is.null(names(targets)) && !any(vapply(targets, is.character, NA)))
  where <- if (is.null(column)) "{.arg targets}" else "Column {.val {column}}, the {.arg targets},"
  found <- if (by_node) {
    lapply(check_row_numbers(targets, rows, call), function(numbers) {
      sort(unique(as.integer(numbers)))
    })
  } else {
    rows_of_entries(check_entries(targets, rows, where, column, call))
  }
  unknown <- setdiff(names(found), nodes)
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c(paste(where, "must name columns of {.arg data} that are nodes."),
                  x = "{.val {unknown}} {?is/are} none.",
                  i = paste("The nodes are {.val {nodes}}; an empty string or NA means that none",
                            "was set.")),
                call = call)
  }
  found[intersect(nodes, names(found))]
}

# A list of row numbers, named by nodes.
check_row_numbers <- function(targets, rows, call) {
  if (length(targets) > 0L && !are_names(names(targets))) {
    abort_optbn("argument",
                c("{.arg targets}, a list of row numbers, must name each node once.",
                  x = "Its names are {.val {names(targets)}}."), call = call)
  }
  broken <- names(Filter(function(numbers) {
    if (is.null(numbers)) return(FALSE)
    !is.numeric(numbers) || anyNA(numbers) ||
      any(numbers != round(numbers) | numbers < 1 | numbers > rows)
  }, targets))
  if (length(broken) > 0L) {
    abort_optbn("argument",
                c("{.arg targets} must have numbers of rows, from 1 to {rows}.",
                  x = "Those of {.val {broken[1L]}} are {describe(targets[[broken[1L]]])}.",
                  i = "{.code list(A = 11:20)} means that A was set in these rows."), call = call)
  }
  targets
}

# A list with the names of the nodes that were set, row by row.
check_entries <- function(targets, rows, where, column, call) {
  if (is.factor(targets)) targets <- as.character(targets)
  if (is.character(targets)) targets <- as.list(targets)
  if (is.logical(targets) && all(is.na(targets))) targets <- as.list(as.character(targets))
  sound <- is.list(targets) && !is.data.frame(targets)
  if (!sound || length(targets) != rows) {
    abort_optbn("argument",
                c(paste(where, "must name the node that was set in each row ({rows})."),
                  x = "It is {describe(targets)}.",
                  i = paste("A list may name several nodes in a row; {.code list(A = 11:20)}",
                            "states in which rows A was set.")), call = call)
  }
  odd <- which(!vapply(targets, function(entry) {
    is.character(entry) || is.factor(entry) || all(is.na(entry))
  }, NA))[1L]
  if (!is.na(odd)) {
    abort_optbn("argument",
                c(paste(where, "must have names of nodes."),
                  x = "The entry of row {odd} is {describe(targets[[odd]])}."), call = call)
  }
  targets
}

rows_of_entries <- function(entries) {
  node <- unlist(lapply(entries, as.character))
  row <- rep(seq_along(entries), lengths(entries))
  set <- !is.na(node) & node != ""
  lapply(split(row[set], node[set]), unique)
}

# By node, the numbers of its rows among these rows.
targets_of_rows <- function(targets, rows) {
  if (!is.null(targets)) lapply(targets, function(set) which(rows %in% set))
}

# The different interventions in rows of data: for each, what it sets (`do`, values by node) and its
# `rows`. `targets`: by node, the rows in which it was set.
settings_of_rows <- function(data, targets) {
  key <- character(nrow(data))
  for (i in seq_along(targets)) {
    rows <- targets[[i]]
    values <- data[[names(targets)[i]]][rows]
    key[rows] <- paste(key[rows], i, match(values, unique(values)))
  }
  lapply(unname(split(seq_along(key), match(key, unique(key)))), function(rows) {
    nodes <- names(Filter(function(set) rows[1L] %in% set, targets))
    list(do = lapply(set_names(nodes), function(node) data[[node]][rows[1L]]), rows = rows)
  })
}

# Of the rows that count, whose numbers are `keep` (NULL: all). A node needs rows in which it was
# not set, and a column of numbers must vary in them.
encode_targets <- function(targets, columns, keep, call) {
  if (!is.null(keep)) targets <- targets_of_rows(targets, keep)
  targets <- Filter(length, targets)
  if (length(targets) == 0L) return(NULL)
  refuse_always_set(names(Filter(function(rows) length(rows) == length(columns[[1L]]), targets)),
                    call)
  constant <- names(targets)[vapply(names(targets), function(node) {
    left <- columns[[node]][-targets[[node]]]
    is.double(left) && all(is.na(left) | left == left[!is.na(left)][1L])
  }, NA)]
  refuse_constant_where_not_set(constant, call)
  targets
}

refuse_always_set <- function(nodes, call) {
  refuse(nodes, call = call,
         c("By {.arg targets}, {.val {columns}} {?was/were} set in all rows of {.arg data}.",
           i = paste("{cli::qty(columns)}No row is left to learn how {?it depends/they depend} on",
                     "other nodes: drop {?it/them} from {.arg targets}.")))
}

refuse_constant_where_not_set <- function(nodes, call) {
  refuse(nodes, call = call,
         c(paste("Numeric column{?s} {.val {columns}} of {.arg data} {?is/are} constant where",
                 "{?it was/they were} not set."),
           i = "{cli::qty(columns)}Drop {?it/them}."))
}

# ---- encoded data --------------------------------------------------------------------------------

# As encoded data without those rows.
without_rows <- function(encoded, rows) {
  encoded["targets"] <- list(NULL)
  if (length(rows) == 0L) return(encoded)
  encoded$columns <- lapply(encoded$columns, function(column) column[-rows])
  if (!is.null(encoded$weights)) encoded$weights <- encoded$weights[-rows]
  encoded$rows <- encoded$rows - length(rows)
  encoded$total <- if (is.null(encoded$weights)) encoded$rows else sum(encoded$weights)
  encoded
}

# What is left to tell how a node depends on its parents.
rows_of_node <- function(encoded, node) {
  if (is.null(encoded$source)) return(without_rows(encoded, encoded$targets[[node]]))
  encoded$targets[[node]] %||% encoded
}

refuse_targets_of_em <- function(encoded, call) {
  if (is.null(encoded$targets)) return(invisible())
  abort_optbn("argument",
              c("{.arg targets} cannot be used with EM.",
                x = paste("It would complete a missing value by the node's parents in rows in",
                          "which the node was set."),
                i = "Impute the missing values first, or drop their rows."), call = call)
}

# The core keeps the rows that are left for each set of nodes that were set in the same rows, and as
# much again for their score.
require_memory_for_targets <- function(encoded, limits, call) {
  if (!is.null(encoded$source)) return(invisible())
  bytes <- encoded$rows * sum(ifelse(is_discrete(encoded), 2, 8))
  require_memory(2 * length(unique(encoded$targets)) * bytes, limits$memory_limit,
                 "Leave out nodes, or some of {.arg targets}", call)
}

# The score as the core has it: by node `set`, rows from 0; or `left`, tables of rows that stay
# where they are, NULL where these are all.
score_of_rows_left <- function(score, encoded) {
  if (is.null(encoded$targets)) return(score)
  by_node <- lapply(set_names(encoded$nodes), function(node) encoded$targets[[node]])
  if (is.null(encoded$source)) {
    score$set <- lapply(by_node, function(rows) as.integer(rows) - 1L)
  } else {
    score$left <- by_node
  }
  score
}

# What a record keeps: list(sets, rows), the different sets of nodes that were set together, the
# empty one among them where there were rows without, and how many rows there are of each.
target_sets <- function(encoded) {
  if (is.null(encoded$targets)) return(NULL)
  if (!is.null(encoded$source)) return(target_sets_there(encoded))
  number <- rep(1, encoded$rows) # of the set of each row, so far
  sets <- list(character())
  for (node in names(encoded$targets)) {
    rows <- encoded$targets[[node]]
    before <- number[rows]
    sets <- c(sets, lapply(sets[unique(before)], c, node))
    number[rows] <- length(sets) - length(unique(before)) + match(before, unique(before))
  }
  counts <- rowsum(encoded$weights %||% rep(1, encoded$rows), number) / (encoded$scale %||% 1)
  list(sets = sets[as.integer(rownames(counts))], rows = unname(counts[, 1L]))
}

# Of a table that names one node a row.
target_sets_there <- function(encoded) {
  set <- vapply(encoded$targets, function(left) encoded$total - left$total, 0)
  sets <- c(list(character()), as.list(names(set)))
  rows <- c(encoded$total - sum(set), unname(set))
  list(sets = sets[rows > 0], rows = rows[rows > 0])
}

# The same of some of the nodes.
targets_among <- function(targets, nodes) {
  if (is.null(targets)) return(NULL)
  sets <- lapply(targets$sets, intersect, nodes)
  first <- match(sets, unique(sets))
  list(sets = unique(sets), rows = as.double(tapply(targets$rows, first, sum)))
}

# "3 nodes, set in 120 rows"
format_targets <- function(targets) {
  if (is.null(targets)) return(NULL)
  nodes <- unique(unlist(targets$sets))
  rows <- sum(targets$rows[lengths(targets$sets) > 0L])
  cli::format_inline("{length(nodes)} node{?s}, set in {format_count(rows)} ",
                     "row{cli::qty(rows)}{?s}")
}
