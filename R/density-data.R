# Data for density learners and the models they give: discrete columns, however they come.
#
# Data frames of factors, characters, logicals and 0/1 numbers; matrices of 0/1 or logicals; sparse
# matrices of package Matrix. All become level codes from 0, NA where a value is missing. Unlike
# scores, densities have a use for columns that do not vary.

# As encode_data(), with `prototype` added, and every column discrete. Where values are missing rows
# that are equal are one (merge_rows()). A table that is not in memory comes as distinct rows and
# their weights, or, where `may_stay`, as facts about its columns. `like`: a model whose variables
# and levels the data must have.
encode_training <- function(data, weights = NULL, call = parent.frame(), memory_limit = NULL,
                            may_stay = FALSE, like = NULL) {
  if (is_lazy_table(data)) {
    return(encode_lazy_training(data, weights, check_memory_limit(memory_limit, call), may_stay,
                                call))
  }
  data <- as_binary_frame(data, NULL, "data", call)
  check_data_frame(data, call)
  weights <- check_weights(weights, nrow(data), call)
  types <- usable_types(data, call)
  keep <- if (is.null(weights)) seq_len(nrow(data)) else which(weights > 0)
  columns <- lapply(data, function(column) column[keep])
  refuse_empty(without_values(Filter(anyNA, columns)), call)
  refuse_infinite(names(Filter(has_infinite, columns)), call)
  check_binary_numbers(columns, types, call)
  factors <- lapply(columns, as_discrete_factor)
  check_level_counts(factors, call)
  weights <- if (!is.null(weights) && any(weights[keep] != 1)) weights[keep]
  codes <- if (is.null(like)) {
    lapply(factors, function(column) as.integer(column) - 1L)
  } else {
    encode_partial(like, list2DF(columns, length(keep)), "data", call)
  }
  merge_rows(with_holes(structure(
    list(
      nodes = names(data),
      rows = length(keep),
      columns = unname(codes),
      levels = unname(like$levels %||% lapply(factors, levels)),
      types = unname(types),
      weights = weights,
      total = if (is.null(weights)) length(keep) else sum(weights),
      prototype = like$prototype %||% data[0L, , drop = FALSE]
    ),
    class = "optbn_encoded_data"
  )))
}

# Where values are missing, `holes` says in which columns.
with_holes <- function(encoded) {
  holes <- vapply(encoded$columns, anyNA, NA)
  encoded$holes <- if (any(holes)) holes
  encoded
}

# Where values are missing each row costs questions at every step: rows that are equal become one of
# larger weight. `missing`: how many values are; `merged`: for every row that there was, which it is
# in now.
merge_rows <- function(encoded) {
  if (is.null(encoded$holes)) return(encoded)
  weights <- encoded$weights %||% rep(1, encoded$rows)
  encoded$missing <- sum(vapply(encoded$columns, function(codes) sum(weights[is.na(codes)]), 0))
  encoded$merged <- equal_rows(encoded$columns)
  first <- which(!duplicated(encoded$merged))
  first[encoded$merged[first]] <- first
  encoded$columns <- lapply(encoded$columns, function(codes) codes[first])
  encoded$rows <- length(first)
  encoded["weights"] <- list(sums_by(weights, encoded$merged))
  encoded
}

# For each row the number of all that are equal to it, in ascending order.
equal_rows <- function(columns) {
  columns <- lapply(columns, function(codes) replace(codes, is.na(codes), -1L))
  order <- do.call(order, c(columns, method = "radix"))
  begins <- Reduce(`|`, lapply(columns, function(codes) c(TRUE, diff(codes[order]) != 0L)))
  number <- integer(length(order))
  number[order] <- cumsum(begins)
  number
}

sums_by <- function(numbers, group) as.vector(rowsum(numbers, group))

encode_lazy_training <- function(data, weights, memory_limit, may_stay, call) {
  table <- open_table(data, weights, call)
  if (fits_memory(table, memory_limit)) {
    frame <- fetch_cells(table, table$nodes)
    return(encode_training(frame[table$nodes], frame[[table$count]], call))
  }
  if (!may_stay) {
    abort_optbn("memory",
                c("The rows of {.arg data} are too many to fetch, and this learner needs them.",
                  x = "There are {format_count(table$total)}.",
                  i = paste("Raise {.arg memory_limit}, take a sample, or use",
                            "{.fn learn_chow_liu}, which needs only counts.")),
                call = call)
  }
  facts <- column_facts(table, discrete = rep(TRUE, length(table$nodes)))
  refuse_missing_there(table, facts$missing > 0, call)
  values <- column_values(table, table$nodes)
  check_binary_numbers(values, table$types, call)
  table$levels <- unname(lapply(values, function(x) levels(as_discrete_factor(x))))
  announce_staying(table)
  encoded <- encoded_table(table)
  encoded$prototype <- prototype_of(data, encoded)
  encoded
}

# Further rows for a learner; NULL stays NULL. `like`: encode_training() of the others.
encode_held_out <- function(data, like, arg = "validation", call = parent.frame()) {
  if (is.null(data)) return(NULL)
  model <- list(nodes = like$nodes, levels = set_names(like$levels, like$nodes))
  data <- as_binary_frame(data, like$nodes, arg, call)
  check_newdata(data, like$nodes, arg, call)
  if (nrow(data) == 0L) {
    abort_optbn("data", c("{.arg {arg}} has no rows.", i = "Give some."), call = call)
  }
  held_out <- like
  held_out$rows <- held_out$total <- nrow(data)
  held_out["weights"] <- list(NULL)
  held_out$missing <- held_out$merged <- NULL
  held_out$columns <- unname(encode_partial(model, data, arg, call))
  with_holes(held_out)
}

# Rows that a model is asked about: code columns by node, NA where missing.
encode_density_rows <- function(model, data, arg, call = parent.frame()) {
  encode_partial(model, as_binary_frame(data, model$nodes, arg, call), arg, call)
}

# ---- matrices -----------------------------------------------------------------------------------

# A matrix, sparse or not, as a data frame of its columns; a data frame as it is. `nodes`: the names
# of columns that have none, or NULL.
as_binary_frame <- function(data, nodes, arg, call) {
  if (is.data.frame(data)) return(data)
  sparse <- inherits(data, "Matrix")
  if (!sparse && !is.matrix(data)) {
    abort_optbn("data",
                c("{.arg {arg}} must be a data frame, or a matrix of zeros and ones.",
                  x = "It is {describe(data)}."),
                call = call)
  }
  check_matrix_names(data, nodes, arg, call)
  columns <- if (sparse) sparse_columns(data) else dense_columns(data)
  names <- colnames(data) %||% nodes %||% paste0("V", seq_len(ncol(data)), recycle0 = TRUE)
  list2DF(set_names(columns, names), nrow(data))
}

check_matrix_names <- function(data, nodes, arg, call) {
  if (!is.null(colnames(data)) || is.null(nodes) || ncol(data) == length(nodes)) {
    return(invisible())
  }
  abort_optbn("data",
              c("{.arg {arg}} must have {length(nodes)} columns, or column names.",
                x = "It has {ncol(data)} columns without names."),
              call = call)
}

dense_columns <- function(data) lapply(seq_len(ncol(data)), function(j) as.vector(data[, j]))

# What is not stored is 0, or FALSE.
sparse_columns <- function(data) {
  data <- methods::as(methods::as(data, "CsparseMatrix"), "generalMatrix")
  stored <- if (methods::is(data, "nsparseMatrix")) rep(TRUE, length(data@i)) else data@x
  lapply(seq_len(ncol(data)), function(j) {
    entries <- seq.int(data@p[j] + 1L, length.out = data@p[j + 1L] - data@p[j])
    column <- vector(typeof(stored), nrow(data))
    column[data@i[entries] + 1L] <- stored[entries]
    column
  })
}

# ---- columns ------------------------------------------------------------------------------------

# Numbers are levels if they are 0 and 1.
check_binary_numbers <- function(columns, types, call) {
  numeric <- columns[types %in% c("integer", "numeric")]
  odd <- names(Filter(function(column) !all(column == 0 | column == 1, na.rm = TRUE), numeric))
  if (length(odd) > 0L) {
    value <- Find(function(x) !x %in% c(0, 1, NA), numeric[[odd[1L]]])
    abort_optbn("data",
                c(paste("Columns of {.arg data} must be discrete: factors, characters, logicals,",
                        "or numbers that are 0 or 1."),
                  x = paste("{cli::qty(odd)}Column{?s} {.val {odd}} {cli::qty(odd)}hold{?s/} other",
                            "numbers, such as {format(value)}."),
                  i = "Make levels of them with {.code factor()} or {.fn discretize_data}."),
                call = call)
  }
}

# Of numbers and logicals without factor(), which takes a thousand columns a second.
as_discrete_factor <- function(column) {
  labels <- if (is.numeric(column)) c("0", "1") else if (is.logical(column)) c("FALSE", "TRUE")
  if (is.null(labels)) return(as_factor_column(column))
  structure(as.integer(column) + 1L, levels = labels, class = "factor")
}
