# What tables that were made again differ in from those that are printed, for replicate.R.
#
# A table is a list: its title (the heading above it), its columns, and the matrix of its cells.

number <- "[-+]?[0-9][0-9,]*[.]?[0-9]*(e[-+]?[0-9]+)?"

# ---- reading -------------------------------------------------------------------------------------

# The tables of a Markdown text.
tables_in <- function(lines) {
  headings <- grep("^#+ ", lines)
  inside <- startsWith(lines, "|")
  runs <- rle(inside)
  ends <- cumsum(runs$lengths)[runs$values]
  Map(function(begin, end) {
    above <- headings[headings < begin]
    rows <- lapply(lines[begin:end], cells_of)
    columns <- rows[[1L]]
    filled <- function(row) c(row, rep("", length(columns)))[seq_along(columns)]
    cells <- lapply(rows[-(1:2)], filled)
    list(title = if (length(above)) sub("^#+ ", "", lines[max(above)]) else "", columns = columns,
         cells = matrix(as.character(unlist(cells)), ncol = length(columns), byrow = TRUE))
  }, ends - runs$lengths[runs$values] + 1L, ends)
}

cells_of <- function(line) trimws(strsplit(sub("^[|]", "", line), "|", fixed = TRUE)[[1L]])

csv_table <- function(file) {
  data <- utils::read.csv(file, colClasses = "character", check.names = FALSE)
  list(title = basename(file), columns = names(data), cells = unname(as.matrix(data)))
}

# ---- comparing -----------------------------------------------------------------------------------

# Columns of time, memory and ratios by their names; `varies` matches further "title: column"s.
depends_on_machine <- function(table, varies = NA) {
  words <- paste0("\\b(seconds?|ms|GB|MB|memory|times?|ratio|percent|two processes)\\b",
                  "|(^|[, -])s($|[, :])|(per|a) (second|s)\\b")
  named <- paste0(table$title, ": ", table$columns)
  grepl(words, table$columns) | (!is.na(varies) & grepl(varies, named))
}

# The rows' names, of these columns.
keys_of <- function(table, columns) {
  cells <- as.data.frame(table$cells[, columns, drop = FALSE])
  make.unique(do.call(paste, c(cells, sep = ", ")), sep = ", again ")
}

# The fewest leading columns that tell the rows apart, or else all, of these.
telling_columns <- function(table, columns) {
  tells <- function(n) !anyDuplicated(table$cells[, columns[seq_len(n)], drop = FALSE])
  columns[seq_len(Position(tells, seq_along(columns), nomatch = length(columns)))]
}

# Numbers in a text are compared as numbers, what is between them as it is. `factor` NULL: to a
# relative 1e-6, where rounding errors, below 1e-9, are alike. Otherwise within the factor, or a
# hundredth, ten ticks of the clock of processes.
same_cell <- function(printed, made, factor = NULL) {
  if (gsub(number, "#", printed) != gsub(number, "#", made)) return(FALSE)
  a <- numbers_in(printed)
  b <- numbers_in(made)
  larger <- pmax(abs(a), abs(b))
  if (is.null(factor)) return(all(abs(a - b) <= 1e-6 * larger | larger < 1e-9))
  all(abs(a - b) <= 0.0101 | (a * b > 0 & larger <= factor * pmin(abs(a), abs(b))))
}

numbers_in <- function(text) {
  as.numeric(gsub(",", "", regmatches(text, gregexpr(number, text))[[1L]]))
}

# What was compared and found: the number of `rows`; `lines`, one for each cell with another score,
# count or text and, unless it was a share, for rows that only one of the two has; and `times`, one
# for each cell that depends on the machine and is beyond the factor.
compare_tables <- function(printed, made, factor = 3, share = FALSE, varies = NA) {
  machine <- depends_on_machine(made, varies)
  key <- telling_columns(printed, which(!machine))
  shown <- keys_of(printed, key)
  found <- keys_of(made, key)
  differing <- function(columns, factor = NULL) {
    unlist(lapply(which(found %in% shown), function(i) {
      own <- made$cells[i, columns]
      other <- printed$cells[match(found[i], shown), columns]
      same <- as.logical(mapply(same_cell, other, own, MoreArgs = list(factor = factor)))
      sprintf("%s; %s: printed \"%s\", made \"%s\"", found[i], made$columns[columns], other,
              own)[!same]
    }))
  }
  rows <- if (!share) c(rows_of_one(setdiff(shown, found), "not made again"),
                        rows_of_one(setdiff(found, shown), "not printed"))
  titled <- function(lines) if (length(lines)) paste0(printed$title, ": ", lines)
  finding(sum(found %in% shown), titled(c(differing(which(!machine)), rows)),
          titled(differing(which(machine), factor)))
}

finding <- function(rows = 0L, lines = NULL, times = NULL) {
  list(rows = rows, lines = as.character(lines), times = as.character(times))
}

together <- function(findings) {
  all <- function(part) unlist(lapply(findings, `[[`, part))
  finding(sum(all("rows")), all("lines"), all("times"))
}

rows_of_one <- function(keys, what) {
  if (length(keys)) sprintf("%s (of %d rows) is %s", keys[1L], length(keys), what)
}

# ---- which with which ----------------------------------------------------------------------------

without_numbers <- function(title) gsub("[0-9]+", "#", title)

# What the made tables differ in from the printed ones. Those of one heading belong together, or
# else those with the same columns, in their order. One whose title has other numbers than a printed
# title is of another size and is not compared. Printed tables whose columns match `others` are of
# other programs or machines.
compare_texts <- function(printed, made, share = FALSE, others = NA, ...) {
  titles <- vapply(printed, `[[`, "", "title")
  layout <- function(tables) vapply(tables, function(x) paste(x$columns, collapse = ", "), "")
  free <- is.na(others) | !grepl(others, layout(printed))
  results <- lapply(made, function(table) {
    other_size <- !table$title %in% titles && grepl("[0-9]", table$title) &&
      without_numbers(table$title) %in% without_numbers(titles)
    if (other_size) return(finding())
    own <- free & (titles == table$title | !table$title %in% titles)
    i <- which(own & layout(printed) == layout(list(table)))[1L]
    if (!is.na(i)) {
      free[i] <<- FALSE
      return(compare_tables(printed[[i]], table, share = share, ...))
    }
    finding(lines = if (any(own & titles == table$title)) paste0(
      table$title, ": has columns that are not printed, ", toString(setdiff(
        table$columns, printed[[which(own & titles == table$title)[1L]]]$columns))
    ))
  })
  found <- together(results)
  absent <- paste0(titles, ": the table of ", sub(",.*", "", layout(printed)),
                   ", ... was not made again")[free]
  if (!share) found$lines <- c(found$lines, absent)
  found
}
