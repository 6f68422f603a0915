# Tables in a database: SQLite's, in memory, and PostgreSQL's where a server was started.

skip_without_sqlite <- function() {
  for (package in c("DBI", "RSQLite", "dplyr", "dbplyr")) skip_without_peer(package)
}

as_plain_columns <- function(data) {
  data[] <- lapply(data, function(x) if (is.factor(x)) as.character(x) else x)
  data
}

sqlite_connection <- function(frame = parent.frame()) {
  skip_without_sqlite()
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(if (DBI::dbIsValid(connection)) DBI::dbDisconnect(connection), envir = frame)
  connection
}

in_database <- function(data, connection, name = "t") {
  force(connection) # before a method is sought for it
  DBI::dbWriteTable(connection, name, as_plain_columns(data), overwrite = TRUE)
  dplyr::tbl(connection, name)
}

in_sqlite <- function(data, frame = parent.frame()) in_database(data, sqlite_connection(frame))

# What a data frame and a table in a database must have in common.
expect_same_sets <- function(there, here) {
  expect_identical(there$nodes, here$nodes)
  expect_equal(there$rows, here$rows)
  for (v in seq_along(here$nodes)) {
    expect_identical(there$sets[[v]]$parents, here$sets[[v]]$parents)
    expect_equal(there$sets[[v]]$score, here$sets[[v]]$score, tolerance = 1e-10)
  }
}

# Little enough that rows do not fit.
little_memory <- 20000

# Columns that depend, of 2 to 4 levels with several rows alike, and continuous ones.
random_frame <- function(rows, discrete = 6, continuous = 0, seed = 1) {
  withr::local_seed(seed)
  levels <- rep_len(c(2, 3, 4), discrete)
  codes <- list()
  for (j in seq_len(discrete)) {
    codes[[j]] <- sample(levels[j], rows, TRUE)
    copied <- stats::runif(rows) < 0.6
    if (j > 1L) codes[[j]][copied] <- (codes[[j - 1L]][copied] - 1) %% levels[j] + 1
  }
  columns <- lapply(codes, function(code) factor(c("a", "b", "c", "d")[code]))
  values <- stats::rnorm(rows)
  for (j in seq_len(continuous)) {
    values <- 0.7 * values + stats::rnorm(rows) + (if (discrete > 0) codes[[1L]] else 0) + 100 * j
    columns <- c(columns, list(values))
  }
  names <- c(if (discrete > 0) paste0("D", seq_len(discrete)),
             if (continuous > 0) paste0("X", seq_len(continuous)))
  as.data.frame(rlang::set_names(columns, names))
}

duckdb_connection <- function(frame = parent.frame()) {
  testthat::skip_if_not_installed("duckdb")
  connection <- DBI::dbConnect(suppressMessages(duckdb::duckdb()))
  withr::defer(DBI::dbDisconnect(connection), envir = frame)
  connection
}

# Disconnects from a database that other tests use as well.
leave_empty <- function(connection) {
  for (table in DBI::dbListTables(connection)) DBI::dbRemoveTable(connection, table)
  DBI::dbDisconnect(connection)
}

# In the server that tools/postgres.sh starts, whose address is in the environment.
postgres_connection <- function(frame = parent.frame()) {
  testthat::skip_on_cran()
  for (package in c("DBI", "RPostgres", "dplyr", "dbplyr")) skip_without_peer(package)
  if (Sys.getenv("OPTBN_POSTGRES") != "true") {
    if (Sys.getenv("OPTBN_REQUIRE_PEERS") == "true") {
      stop("OPTBN_REQUIRE_PEERS is true, but no PostgreSQL server was started")
    }
    skip("no PostgreSQL server was started: eval \"$(tools/postgres.sh start)\"")
  }
  withr::local_timezone("UTC", .local_envir = frame) # else R may ask the system, which may not know
  connection <- DBI::dbConnect(RPostgres::Postgres())
  withr::defer(if (DBI::dbIsValid(connection)) leave_empty(connection), envir = frame)
  connection
}
