# Cases of cutset networks that an independent program has learned, and data to learn from.

# Rows of a case, level codes from 0, as a data frame of factors with all levels.
rows_of_case <- function(rows, arity) {
  codes <- matrix(numbers(rows), ncol = length(arity), byrow = TRUE)
  columns <- lapply(seq_along(arity), function(j) {
    factor(codes[, j], levels = seq_len(arity[[j]]) - 1L)
  })
  list2DF(rlang::set_names(columns, paste0("x", seq_along(arity) - 1L)), nrow(codes))
}

arity_of_case <- function(case) {
  if (is.null(case$arity)) rep(2L, length(case$X[[1L]])) else as.integer(numbers(case$arity))
}

# Cuts, their weights, and the trees at the leaves must be as in the case. Where informations tie, a
# leaf may have another tree, which the caller must find to be as likely. Gives whether none has.
expect_same_network <- function(model, expected, component = 1L) {
  body <- model$components[[component]]
  members <- body_members(body)
  visit <- function(place, node) {
    if (node$type == "leaf") {
      testthat::expect_identical(body$cut[place], 0L)
      return(same_leaf(body, members[members$leaf == body$first[place], ], node))
    }
    testthat::expect_identical(body$cut[place] - 1L, as.integer(node$var))
    children <- body$first[place] + seq_along(node$children) - 1L
    testthat::expect_equal(body$weight[children], numbers(node$w), tolerance = 1e-12)
    all(mapply(visit, children, node$children))
  }
  visit(1L, expected)
}

same_leaf <- function(body, members, node) {
  variable <- members$variable - 1L
  testthat::expect_setequal(variable, numbers(node$scope))
  parent <- ifelse(members$parent == 0L, NA, body$variable[pmax(1L, members$parent)] - 1L)
  labels <- as.character(variable)
  expected <- vapply(node$parent[labels], function(p) if (is.null(p)) NA_integer_ else p, 0L)
  if (!identical(as.integer(parent), unname(expected))) return(FALSE)
  tables <- unlist(lapply(seq_along(variable), function(i) member_table(body, members[i, ])))
  testthat::expect_equal(tables, numbers(node$theta[labels]), tolerance = 1e-9)
  TRUE
}

# Rows that depend on a switch and on each other: cuts help.
switching_rows <- function(rows, sizes = c(2, 3, 2, 4, 2, 3)) {
  switch <- sample.int(sizes[1L], rows, TRUE)
  last <- switch
  columns <- list(switch)
  for (size in sizes[-1L]) {
    own <- (last * (1L + switch) + stats::rbinom(rows, 1, 0.3)) %% size + 1L
    noise <- stats::runif(rows) < 0.2
    own[noise] <- sample.int(size, sum(noise), TRUE)
    columns <- c(columns, list(own))
    last <- own
  }
  columns <- Map(function(column, size) factor(letters[column], letters[seq_len(size)]), columns,
                 sizes)
  list2DF(rlang::set_names(columns, paste0("v", seq_along(sizes))), rows)
}

# The same data, columns and levels in reverse.
turned_columns <- function(data) {
  list2DF(rev(lapply(data, function(column) factor(column, rev(levels(column))))), nrow(data))
}
