# Backends: how the rows of a lazy table are asked for in groups.
#
# A backend has groups(blocks, terms, many), which gives for each block of columns (names) a data
# frame of the rows grouped by it. `many`: must each block have a question of its own, as it may
# have more groups than a backend has at hand, or values are missing?
# `terms` are what to say of each group, by name: `count`, or what these make of names of columns,
#   missing(x), lowest(x), highest(x), mean(x)
#   sums(x, centre)                of x - centre
#   products(x, y, centre, other)  of (x - centre) (y - other)
# each vectorised. With `weights`, the name of a column, each row counts as often as that says.
#
# Backends that speak SQL are sent it as text: dplyr's verbs take seconds for hundreds of terms, and
# cannot say GROUPING SETS. Others, such as arrow, are asked by verbs.
#
# Several blocks of few groups come with one statement, by GROUPING SETS, which take one pass over
# the rows, or by UNION ALL. Blocks of many groups have a statement each: for several of them at
# once PostgreSQL would sort the rows by each in one process, where it groups by one in several; and
# what comes would be as wide as all of them together.

row_backend <- function(data, weights) {
  if (inherits(data, "tbl_lazy")) sql_backend(data, weights) else verb_backend(data, weights)
}

# ---- SQL ----------------------------------------------------------------------------------------

# Classes of connections whose backend can group by several sets of columns in one pass.
has_grouping_sets <- c("PqConnection", "PostgreSQLConnection", "PostgreSQL", "duckdb_connection",
                       "Microsoft SQL Server", "Oracle", "OraConnection", "Snowflake", "Spark SQL")

# Blocks in a statement: SQLite has at most 500 arms of a UNION ALL.
most_arms <- 100

sql_backend <- function(data, weights) {
  connection <- dbplyr::remote_con(data)
  quoted <- function(names) as.character(DBI::dbQuoteIdentifier(connection, names))
  text <- function(...) paste0(..., recycle0 = TRUE)
  times <- if (is.null(weights)) "" else text(quoted(weights), " * ")
  apart <- function(x, centre) {
    text("(", quoted(x), " - (", vapply(centre, format, "", digits = 15), "))")
  }
  list(
    count = if (is.null(weights)) "COUNT(*)" else text("SUM(", quoted(weights), ")"),
    missing = function(x) text("COUNT(*) - COUNT(", quoted(x), ")"),
    lowest = function(x) text("MIN(", quoted(x), ")"),
    highest = function(x) text("MAX(", quoted(x), ")"),
    mean = function(x) {
      if (is.null(weights)) return(text("AVG(1.0 * ", quoted(x), ")"))
      text("SUM(1.0 * ", times, quoted(x), ") / SUM(", quoted(weights), ")")
    },
    sums = function(x, centre) text("SUM(", times, apart(x, centre), ")"),
    products = function(x, y, centre, other) {
      text("SUM(", times, apart(x, centre), " * ", apart(y, other), ")")
    },
    groups = function(blocks, terms, many = FALSE) {
      select <- function(blocks) {
        statement <- select_groups(blocks, unlist(terms), dbplyr::sql_render(data, connection),
                                   quoted, inherits(connection, has_grouping_sets))
        by_block(as.data.frame(DBI::dbGetQuery(connection, statement)), blocks, names(terms))
      }
      at_a_time <- if (many) 1 else most_arms
      shares <- unname(split(blocks, (seq_along(blocks) - 1) %/% at_a_time))
      do.call(c, lapply(shares, select))
    }
  )
}

# One statement, whose columns are those of all blocks. `terms`: SQL, by name; `from`: a query.
select_groups <- function(blocks, terms, from, quoted, grouping_sets) {
  columns <- unique(unlist(blocks))
  listed <- function(names) paste(quoted(names), collapse = ", ")
  select <- function(block, by) {
    items <- c(ifelse(columns %in% block, quoted(columns), paste("NULL AS", quoted(columns))),
               paste(terms, "AS", quoted(names(terms))))
    paste0("SELECT ", paste(items, collapse = ", "), " FROM (", from, ") ", quoted("q"), by)
  }
  if (length(columns) == 0L) return(select(columns, ""))
  if (length(blocks) > 1L && grouping_sets) {
    sets <- vapply(blocks, function(block) paste0("(", listed(block), ")"), "")
    return(select(columns, paste0(" GROUP BY GROUPING SETS (", paste(sets, collapse = ", "), ")")))
  }
  paste(vapply(blocks, function(block) select(block, paste(" GROUP BY", listed(block))), ""),
        collapse = " UNION ALL ")
}

# What such a statement gives, apart again: rows of a block are missing in all other columns, and
# nowhere else, since values are not where several blocks are asked for at a time.
by_block <- function(frame, blocks, terms) {
  if (length(blocks) == 1L) return(list(frame))
  present <- lapply(frame[unique(unlist(blocks))], function(values) !is.na(values))
  columns_present <- Reduce(`+`, present)
  lapply(blocks, function(block) {
    of_block <- columns_present == length(block) & Reduce(`&`, present[block])
    frame[of_block, c(block, terms), drop = FALSE]
  })
}

# ---- verbs --------------------------------------------------------------------------------------

# Terms are calls by name, found among dplyr's functions: none of them is called here.
verb_backend <- function(data, weights) {
  term <- function(name, ...) {
    rlang::new_quosure(rlang::call2(name, ...), rlang::ns_env("dplyr"))
  }
  sum_of <- function(x) term("sum", rlang::expr(!!w * !!x), na.rm = TRUE)
  for_each <- function(x, make) lapply(rlang::syms(x), make)
  apart <- function(x, centre) Map(function(x, c) rlang::expr((!!x - !!c)), rlang::syms(x), centre)
  w <- if (is.null(weights)) 1 else rlang::sym(weights)
  count <- if (is.null(weights)) term("n") else term("sum", w, na.rm = TRUE)
  list(
    count = list(count),
    missing = function(x) {
      for_each(x, function(x) {
        term("sum", rlang::call2("if_else", rlang::call2("is.na", x), 1L, 0L), na.rm = TRUE)
      })
    },
    lowest = function(x) for_each(x, function(x) term("min", x, na.rm = TRUE)),
    highest = function(x) for_each(x, function(x) term("max", x, na.rm = TRUE)),
    mean = function(x) for_each(x, function(x) term("/", sum_of(x), count)),
    sums = function(x, centre) lapply(apart(x, centre), sum_of),
    products = function(x, y, centre, other) {
      Map(function(one, two) sum_of(rlang::expr(!!one * !!two)), apart(x, centre), apart(y, other))
    },
    groups = function(blocks, terms, many = FALSE) {
      lapply(blocks, function(block) {
        grouped <- dplyr::group_by(data, !!!rlang::syms(block))
        as.data.frame(dplyr::collect(dplyr::summarise(grouped, !!!terms, .groups = "drop")))
      })
    }
  )
}
