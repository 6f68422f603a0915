# Parent sets of a table in PostgreSQL whose rows do not fit into the memory allowed, beside those
# of the same rows in memory, by one process and by two workers.
#
#   eval "$(tools/postgres.sh start)"
#   Rscript bench/scale-database.R [rows=10000000] [columns=30] [quick]
#   tools/postgres.sh stop
#
# The columns are discrete, of 2 to 4 levels, each depending on two before it. At most two parents.
# Prints seconds as multiples of one plain GROUP BY over all columns, the most memory that a process
# of R held, the largest difference of scores, and what came over the wire, and writes them to
# vignettes/articles/scale-database.csv.

Sys.setenv(TZ = "UTC") # else R may ask the system, which may not know
source(file.path("bench", "common.R"))
asked <- commandArgs(trailingOnly = TRUE)
asked_for <- function(key, default) {
  given <- grep(paste0("^", key, "="), asked, value = TRUE)
  if (length(given) == 0L) default else as.numeric(sub(".*=", "", given))
}
rows <- asked_for("rows", if (quick) 20000 else 1e7)
columns <- asked_for("columns", if (quick) 8 else 30)
memory_limit <- if (quick) 1e5 else 3e8
if (Sys.getenv("OPTBN_POSTGRES") != "true") {
  stop("start a server first: eval \"$(tools/postgres.sh start)\"", call. = FALSE)
}

# Everything below runs in processes of its own, so that this one, and what is forked, stay small.
connect <- function() DBI::dbConnect(RPostgres::Postgres())
labels <- letters[1:4]
table <- "optbn_scale"

make_rows <- function(file) {
  set.seed(1)
  codes <- list()
  for (j in seq_len(columns)) {
    levels <- 2L + j %% 3L
    codes[[j]] <- sample.int(levels, rows, replace = TRUE)
    if (j > 2L) {
      near <- stats::runif(rows) < 0.5
      codes[[j]][near] <- ((codes[[j - 1L]] + codes[[j - 2L]])[near] - 1L) %% levels + 1L
    }
  }
  data <- list2DF(stats::setNames(lapply(codes, function(code) labels[code]),
                                  paste0("x", seq_len(columns))))
  data.table::fwrite(data, file, col.names = FALSE)
}

load_rows <- function(file) {
  connection <- connect()
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbExecute(connection, paste("DROP TABLE IF EXISTS", table))
  texts <- paste0("x", seq_len(columns), " text", collapse = ", ")
  DBI::dbExecute(connection, paste0("CREATE TABLE ", table, " (", texts, ")"))
  DBI::dbExecute(connection, paste0("COPY ", table, " FROM '", file, "' CSV"))
  DBI::dbExecute(connection, paste("VACUUM ANALYZE", table))
}

group_by_all <- function() {
  connection <- connect()
  on.exit(DBI::dbDisconnect(connection))
  all <- paste0("x", seq_len(columns), collapse = ", ")
  found <- DBI::dbGetQuery(connection, paste0("SELECT count(*) FROM (SELECT count(*) FROM ", table,
                                              " GROUP BY ", all, ") q"))
  list(distinct = as.double(found[[1L]]))
}

# Scores by node and parent set, compact enough to compare.
scores_of <- function(data, ...) {
  sets <- parent_sets(data, "bde", max_parents = 2, progress = FALSE, ...)
  lapply(sets$sets, function(of) of[c("score", "parents")])
}

in_database <- function() {
  connection <- connect()
  on.exit(DBI::dbDisconnect(connection))
  before <- loopback_bytes()
  scores <- suppressMessages(scores_of(dplyr::tbl(connection, table), memory_limit = memory_limit))
  list(scores = scores, bytes = loopback_bytes() - before)
}

read_rows <- function(file) {
  data <- as.data.frame(data.table::fread(file, header = FALSE, stringsAsFactors = TRUE))
  stats::setNames(data, paste0("x", seq_len(columns)))
}

in_memory <- function(file) list(scores = scores_of(read_rows(file)), bytes = size)

by_workers <- function(file) {
  workers <- future::makeClusterPSOCK(2)
  on.exit(parallel::stopCluster(workers))
  future::plan(future::cluster, workers = workers)
  if (quick) options(optbn.spread_seconds = 0)
  data <- read_rows(file)
  before <- loopback_bytes()
  scores <- scores_of(data)
  bytes <- loopback_bytes() - before
  list(scores = scores, bytes = bytes,
       memory = max(unlist(parallel::clusterCall(workers, peak_memory))))
}

file <- tempfile("optbn-scale-", fileext = ".csv", tmpdir = dirname(tempdir()))
for (step in list(function() make_rows(file), function() {
  Sys.chmod(file, "644")
  load_rows(file)
})) {
  done <- measure(step)
  if (!is.null(done$error)) stop(done$error, call. = FALSE)
}
size <- file.size(file)
runs <- list(`one GROUP BY over all columns` = measure(group_by_all),
             `counts from PostgreSQL` = measure(in_database),
             `rows in memory` = measure(function() in_memory(file)),
             `rows in memory, two workers` = measure(function() by_workers(file)))
unlink(file)
failed <- Filter(Negate(is.null), lapply(runs, `[[`, "error"))
if (length(failed) > 0L) stop(failed[[1L]], call. = FALSE)

expected <- runs[["rows in memory"]]$value$scores
apart <- vapply(runs[-1L], function(run) {
  max(mapply(function(a, b) {
    if (!identical(a$parents, b$parents)) stop("the parent sets differ", call. = FALSE)
    max(abs(a$score / b$score - 1))
  }, run$value$scores, expected))
}, 0)
plain <- runs[[1L]]
results <- data.frame(
  what = names(runs),
  seconds = vapply(runs, `[[`, 0, "elapsed"),
  memory = vapply(runs, function(run) max(run$memory, run$value$memory), 0),
  bytes = vapply(runs, function(run) run$value$bytes %||% NA_real_, 0),
  rows = rows, columns = columns, distinct = plain$value$distinct, apart = max(apart)
)
if (!quick) utils::write.csv(results, "vignettes/articles/scale-database.csv", row.names = FALSE)
print_table(
  paste0("Parent sets of ", in_thousands(rows), " rows and ", columns,
         " discrete columns, at most two parents"),
  with(results, data.frame(what = what, `elapsed, s` = in_seconds(seconds),
                           `times the GROUP BY` = sprintf("%.1f", seconds / plain$elapsed),
                           `memory of R, MB` = sprintf("%.0f", memory / 1e6),
                           `MB moved` = ifelse(is.na(bytes), "", sprintf("%.1f", bytes / 1e6)),
                           check.names = FALSE)),
  paste0("Memory is that of the largest process. Moved: bytes sent between processes, or read as ",
         "text from a file. Distinct rows: ", in_thousands(plain$value$distinct),
         ". Largest relative difference of a score: ", format(max(apart), digits = 2), ".")
)
