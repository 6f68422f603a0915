# Parent sets of up to two parents, of a table that has been opened.
pair_sets <- function(encoded, score = score_bde()) {
  nobody <- rep(list(integer()), length(encoded$nodes))
  call_core(core_parent_sets(
    encoded, complete_score(score, encoded),
    list(max_parents = rep(2L, length(nobody)), required = nobody, forbidden = nobody, slack = 0,
         memory_limit = 1e9, partial = FALSE, budget = Inf, distribution = NULL),
    quiet_host()
  ))
}

quietly <- function(code) suppressMessages(code, classes = "optbn_message")

test_that("rows that fit give the very same parent sets", {
  data <- random_frame(2000)
  table <- in_sqlite(data)
  for (score in c("bde", "bic", "bds", "k2", "pcart")) {
    here <- parent_sets(data, score, progress = FALSE)
    there <- quietly(parent_sets(table, score, progress = FALSE))
    expect_same_sets(there, here)
  }
})

test_that("counts from the backend give the same parent sets", {
  data <- random_frame(2000)
  table <- in_sqlite(data)
  for (score in c("loglik", "aic", "bic", "ebic", "fnml", "qnml", "bde", "bds", "k2", "bdj",
                  "ft")) {
    here <- parent_sets(data, score, max_parents = 3, progress = FALSE)
    there <- quietly(parent_sets(table, score, max_parents = 3, memory_limit = little_memory,
                                 progress = FALSE))
    expect_same_sets(there, here)
  }
})

test_that("scores that need rows, or their numbers, are refused without them", {
  table <- in_sqlite(random_frame(500))
  network <- paste0("[", names(random_frame(500)), "]", collapse = "")
  refused <- function(...) {
    expect_error(quietly(score_network(network, table, ...)), class = "optbn_error_score")
  }
  refused("mbde") # fetched rows have no numbers
  refused("mbde", memory_limit = little_memory)
  refused("bdla", memory_limit = little_memory)
})

test_that("Gaussian scores are made of the backend's sums", {
  data <- random_frame(500, discrete = 0, continuous = 6)
  table <- in_sqlite(data)
  for (score in c("loglik-g", "bic-g", "bge")) {
    here <- parent_sets(data, score, progress = FALSE)
    there <- quietly(parent_sets(table, score, memory_limit = little_memory, progress = FALSE))
    expect_same_sets(there, here)
  }
})

test_that("conditional Gaussian scores are made of the backend's sums by cell", {
  data <- random_frame(800, discrete = 3, continuous = 3)
  table <- in_sqlite(data)
  here <- parent_sets(data, "bic-cg", progress = FALSE)
  there <- quietly(parent_sets(table, "bic-cg", memory_limit = little_memory, progress = FALSE))
  expect_same_sets(there, here)
})

test_that("tables with missing values get node averages, fetched or staying", {
  data <- with_holes(random_frame(800), 0.2)
  table <- in_sqlite(data)
  for (score in list("nal", "pnal", score_pnal(10))) {
    here <- parent_sets(data, score, max_parents = 3, progress = FALSE)
    for (memory_limit in list(NULL, little_memory)) {
      there <- quietly(parent_sets(table, score, max_parents = 3, memory_limit = memory_limit,
                                   progress = FALSE))
      expect_same_sets(there, here)
    }
  }
  few <- data[1:4]
  network <- quietly(learn_dag(in_sqlite(few), memory_limit = little_memory, progress = FALSE))
  here <- quietly(learn_dag(parent_sets(few, progress = FALSE), progress = FALSE))
  expect_equal(score_of(network), score_of(here))
  expect_true(all(quietly(verify_certificate(network, few))$ok, na.rm = TRUE))
  bounded <- quietly(learn_treewidth(table, 2, "pnal", method = "sample", iterations = 10,
                                     memory_limit = 50000, progress = FALSE))
  expect_equal(score_of(bounded), score_network(bounded, data, "pnal"))
})

test_that("node averages of numbers need the rows", {
  data <- with_holes(random_frame(300, discrete = 2, continuous = 2), 0.1)
  table <- in_sqlite(data)
  fetched <- quietly(parent_sets(table, "pnal-cg", progress = FALSE))
  expect_same_sets(fetched, parent_sets(data, "pnal-cg", progress = FALSE))
  expect_snapshot(learn_dag(table, "nal-cg", memory_limit = 5000), error = TRUE)
  expect_snapshot(learn_dag(table, memory_limit = 5000), error = TRUE)
})

test_that("many continuous columns are summed in several questions", {
  data <- random_frame(200, discrete = 1, continuous = 35)
  table <- in_sqlite(data)
  there <- quietly(parent_sets(table, "bic-cg", max_parents = 1, memory_limit = 5e5,
                               progress = FALSE))
  expect_same_sets(there, parent_sets(data, "bic-cg", max_parents = 1, progress = FALSE))
})

test_that("a column may hold row counts", {
  titanic <- as.data.frame(Titanic)
  table <- in_sqlite(titanic)
  here <- parent_sets(titanic[1:4], "bde", weights = titanic$Freq, progress = FALSE)
  fetched <- quietly(parent_sets(table, "bde", weights = "Freq", progress = FALSE))
  expect_same_sets(fetched, here)
  counted <- quietly(parent_sets(table, "bde", weights = "Freq", memory_limit = 3000,
                                 progress = FALSE))
  expect_same_sets(counted, here)
})

test_that("what dplyr makes of a table is a table", {
  titanic <- as.data.frame(Titanic)
  table <- in_sqlite(titanic)
  chosen <- dplyr::select(dplyr::filter(dplyr::group_by(table, Sex), Class != "Crew"), -Age)
  some <- titanic[titanic$Class != "Crew", ]
  some$Class <- as.character(some$Class)
  here <- quietly(parent_sets(some[c("Class", "Sex", "Survived")], "bde", weights = some$Freq,
                              progress = FALSE))
  expect_same_sets(quietly(parent_sets(chosen, "bde", weights = "Freq", progress = FALSE)), here)
})

test_that("learners take tables as they take data frames", {
  data <- random_frame(1500)
  table <- in_sqlite(data)
  for (memory_limit in list(NULL, 50000)) {
    dag <- quietly(learn_dag(table, "bde", max_parents = 2, memory_limit = memory_limit,
                             progress = FALSE))
    expect_equal(certificate(dag)$score, certificate(learn_dag(data, "bde", max_parents = 2))$score)
    bounded <- quietly(learn_treewidth(table, 2, "bic", memory_limit = memory_limit,
                                       progress = FALSE))
    expect_equal(certificate(bounded)$score, certificate(learn_treewidth(data, 2, "bic"))$score)
    withr::with_seed(1, sampled <- quietly(learn_treewidth(table, 2, "bic", method = "sample",
                                                           memory_limit = memory_limit,
                                                           progress = FALSE)))
    withr::with_seed(1, here <- learn_treewidth(data, 2, "bic", method = "sample"))
    expect_equal(certificate(sampled)$score, certificate(here)$score)
    network <- as.character(dag)
    expect_equal(quietly(score_network(network, table, "bde", by_node = TRUE,
                                       memory_limit = memory_limit)),
                 score_network(network, data, "bde", by_node = TRUE))
    expect_true(all(quietly(verify_certificate(dag, table))$ok, na.rm = TRUE))
  }
})

test_that("networks are fitted to what the backend counts", {
  data <- random_frame(1500)
  table <- in_sqlite(data)
  network <- "[D1][D2|D1][D3|D1:D2][D4|D3][D5|D4:D2][D6]"
  for (method in c("bayes", "mle")) {
    here <- fit_network(network, data, method = method)
    for (memory_limit in list(NULL, little_memory)) {
      there <- quietly(fit_network(network, table, method = method, memory_limit = memory_limit))
      expect_equal(coef(there), coef(here))
      expect_equal(as.numeric(logLik(there)), as.numeric(logLik(here)))
      expect_equal(nobs(there), nobs(here))
    }
  }
  expect_equal(query(there, "D5", list(D1 = "a")), query(here, "D5", list(D1 = "a")))
})

test_that("regressions are fitted to the backend's moments", {
  data <- random_frame(600, discrete = 2, continuous = 3)
  network <- "[D1][D2|D1][X1|D1][X2|X1:D1:D2][X3|X1:X2]"
  here <- fit_network(network, data)
  there <- quietly(fit_network(network, in_sqlite(data), memory_limit = little_memory))
  expect_equal(coef(there), coef(here), tolerance = 1e-8)
  expect_equal(as.numeric(logLik(there)), as.numeric(logLik(here)), tolerance = 1e-8)
})

test_that("Chow-Liu trees are learned from the backend's counts", {
  data <- random_frame(1500)
  table <- in_sqlite(data)
  here <- learn_chow_liu(data)
  for (memory_limit in list(NULL, little_memory)) {
    there <- quietly(learn_chow_liu(table, memory_limit = memory_limit))
    expect_equal(log_density(there, as_plain_columns(data)), log_density(here, data))
    expect_equal(as.numeric(logLik(there)), as.numeric(logLik(here)))
  }
  binary <- data.frame(a = rep(0:1, 50), b = rep(c(0, 1, 1, 0), 25), c = rep(0:1, each = 50))
  expect_equal(log_density(quietly(learn_chow_liu(in_sqlite(binary), memory_limit = 300)), binary),
               log_density(learn_chow_liu(binary), binary))
})

test_that("other density learners fetch the rows, or say that they cannot", {
  data <- random_frame(1500)
  table <- in_sqlite(data)
  expect_equal(log_density(quietly(learn_cutset(table)), as_plain_columns(data)),
               log_density(learn_cutset(data), data))
  expect_snapshot(learn_cutset(table, memory_limit = little_memory), error = TRUE)
})

test_that("nothing is written", {
  file <- withr::local_tempfile(fileext = ".sqlite")
  skip_without_sqlite()
  writer <- DBI::dbConnect(RSQLite::SQLite(), file)
  in_database(random_frame(500), writer)
  DBI::dbDisconnect(writer)
  reader <- DBI::dbConnect(RSQLite::SQLite(), file, flags = RSQLite::SQLITE_RO)
  withr::defer(DBI::dbDisconnect(reader))
  before <- tools::md5sum(file)
  sets <- quietly(parent_sets(dplyr::tbl(reader, "t"), "bde", memory_limit = little_memory,
                              progress = FALSE))
  expect_s3_class(sets, "optbn_parent_sets")
  expect_identical(tools::md5sum(file), before)
  expect_identical(DBI::dbListTables(reader), "t")
})

test_that("what is done with a table is announced", {
  table <- in_sqlite(random_frame(500))
  expect_snapshot(invisible(parent_sets(table, "bic", max_parents = 1, progress = FALSE)))
  expect_snapshot(invisible(parent_sets(table, "bic", max_parents = 1, progress = FALSE,
                                        memory_limit = little_memory)))
})

test_that("columns of tables are refused as those of data frames are", {
  data <- as_plain_columns(random_frame(500, discrete = 3, continuous = 2))
  connection <- sqlite_connection()
  with <- function(...) in_database(replace(data, names(list(...)), list(...)), connection)
  refused <- function(table, ...) parent_sets(table, "bic-cg", memory_limit = 10000, ...)
  expect_snapshot(error = TRUE, {
    refused(with(D2 = NA_character_))
    refused(with(D1 = replace(data$D1, 3, NA), X1 = replace(data$X1, 7, NA)))
    refused(with(X2 = replace(data$X2, 3, -Inf)))
    refused(with(D3 = "always"))
    refused(with(X2 = 7))
    refused(in_database(data[0L, ], connection))
    refused(with(), weights = "n")
    refused(with(), weights = 1:500)
    refused(with(n = -1), weights = "n")
    refused(with(n = 0.5), weights = "n")
    refused(in_database(transform(data[1:3], D2 = replace(D2, 9, NA)), connection))
    parent_sets(with(D1 = replace(data$D1, 3, NA)), "bic-cg")
    parent_sets(with(), "bde")
    parent_sets(with(), "pcart", memory_limit = 10000)
    fit_network("[D1][E]", with())
  })
  gaps <- transform(data[1:3], D2 = replace(D2, 9, NA))
  expect_snapshot(learn_chow_liu(in_database(gaps, connection), memory_limit = 1000), error = TRUE)
})

test_that("densities take missing values of rows that are fetched", {
  data <- as_plain_columns(random_frame(200, discrete = 3))
  data$D2[c(9, 17)] <- NA
  there <- quietly(learn_chow_liu(in_sqlite(data)))
  here <- learn_chow_liu(data)
  expect_identical(there$learning$missing, 2)
  expect_equal(log_density(there, data), log_density(here, data))
})

test_that("hundreds of columns are counted in several statements", {
  data <- as.data.frame(lapply(rlang::set_names(1:520, paste0("v", 1:520)), function(j) {
    rep(c("a", "b", "c"), length.out = 60 + j)[j + 1:60]
  }))
  data$v1 <- rep(c("a", "b"), 30)
  encoded <- quietly(encode_data(in_sqlite(data), memory_limit = little_memory))
  expect_identical(lengths(encoded$levels), c(2L, rep(3L, 519)))
})

test_that("a column of names is refused before its values come", {
  data <- data.frame(name = paste0("n", 1:66000), other = rep(c("a", "b"), 33000))
  expect_snapshot(parent_sets(in_sqlite(data), "bde", memory_limit = little_memory), error = TRUE)
})

test_that("a table that changed meanwhile is noticed", {
  connection <- sqlite_connection()
  data <- random_frame(500)
  table <- in_database(data, connection)
  encoded <- quietly(encode_data(table, memory_limit = little_memory))
  ask_for_sets <- function() pair_sets(encoded)
  expect_type(ask_for_sets(), "list")
  DBI::dbExecute(connection, "UPDATE t SET D1 = 'new' WHERE rowid = 5")
  expect_snapshot(ask_for_sets(), error = TRUE)
  DBI::dbExecute(connection, "DELETE FROM t WHERE rowid < 11")
  expect_snapshot(ask_for_sets(), error = TRUE)
})

test_that("so is a level that is new where values are missing", {
  connection <- sqlite_connection()
  data <- with_holes(random_frame(500), 0.2)
  table <- in_database(data, connection)
  encoded <- quietly(encode_data(table, memory_limit = little_memory, holes = TRUE))
  ask_for_sets <- function() pair_sets(encoded, score_pnal())
  expect_type(ask_for_sets(), "list")
  DBI::dbExecute(connection, "UPDATE t SET D1 = NULL WHERE rowid = 5") # no new level
  expect_type(ask_for_sets(), "list")
  DBI::dbExecute(connection, "UPDATE t SET D1 = 'new' WHERE rowid = 5")
  expect_error(ask_for_sets(), "has a new level", class = "optbn_error_data")
})

test_that("a connection that is lost loses nothing else", {
  file <- withr::local_tempfile(fileext = ".sqlite")
  skip_without_sqlite()
  connect <- function() DBI::dbConnect(RSQLite::SQLite(), file)
  connection <- connect()
  data <- random_frame(500)
  table <- in_database(data, connection)
  encoded <- quietly(encode_data(table, memory_limit = little_memory))
  DBI::dbDisconnect(connection)
  expect_error(encoded$source$cells(list(1:2)), class = "optbn_error_database")
  expect_error(parent_sets(table, "bde"), class = "optbn_error_database")
  again <- connect()
  withr::defer(DBI::dbDisconnect(again))
  sets <- quietly(parent_sets(dplyr::tbl(again, "t"), "bde", memory_limit = little_memory,
                              progress = FALSE))
  expect_same_sets(sets, parent_sets(data, "bde", progress = FALSE))
})

# ---- arrow --------------------------------------------------------------------------------------

test_that("tables and files that arrow reads are tables", {
  testthat::skip_if_not_installed("arrow")
  data <- random_frame(1500)
  plain <- as_plain_columns(data)
  file <- withr::local_tempfile(fileext = ".parquet")
  arrow::write_parquet(plain, file)
  folder <- withr::local_tempdir()
  arrow::write_dataset(plain, folder, partitioning = "D1")
  network <- "[D1][D2|D1][D3|D1:D2][D4|D3][D5|D4:D2][D6]"
  for (table in list(arrow::arrow_table(data), arrow::open_dataset(file),
                     dplyr::filter(arrow::open_dataset(folder), D1 != "none"))) {
    ordered <- data[names(table)]
    for (memory_limit in list(NULL, 50000)) {
      sets <- quietly(parent_sets(table, "bde", max_parents = 2, memory_limit = memory_limit,
                                  progress = FALSE))
      expect_same_sets(sets, parent_sets(ordered, "bde", max_parents = 2, progress = FALSE))
      bounded <- quietly(learn_treewidth(table, 2, "bic", memory_limit = memory_limit,
                                         progress = FALSE))
      expect_equal(certificate(bounded)$score,
                   certificate(learn_treewidth(data, 2, "bic", progress = FALSE))$score)
      expect_equal(quietly(score_network(network, table, "bic", memory_limit = memory_limit)),
                   score_network(network, data, "bic"))
      expect_equal(logLik(quietly(fit_network(network, table, memory_limit = memory_limit))),
                   logLik(fit_network(network, data)))
      expect_equal(as.numeric(logLik(quietly(learn_chow_liu(table, memory_limit = memory_limit)))),
                   as.numeric(logLik(learn_chow_liu(data))))
    }
  }
})

test_that("arrow sums squares and products", {
  testthat::skip_if_not_installed("arrow")
  data <- random_frame(800, discrete = 3, continuous = 3)
  there <- quietly(parent_sets(arrow::arrow_table(data), "bic-cg", memory_limit = little_memory,
                               progress = FALSE))
  expect_same_sets(there, parent_sets(data, "bic-cg", progress = FALSE))
  data$X1[3] <- NaN
  expect_error(quietly(parent_sets(arrow::arrow_table(data), "bic-cg",
                                   memory_limit = little_memory)), class = "optbn_error_data")
})

# ---- DuckDB -------------------------------------------------------------------------------------

test_that("DuckDB counts by grouping sets, and sums, with the same results", {
  connection <- duckdb_connection()
  data <- random_frame(800, discrete = 3, continuous = 3)
  data$D1 <- data$D1 == "a"
  table <- in_database(data, connection)
  for (memory_limit in list(NULL, little_memory)) {
    there <- quietly(parent_sets(table, "bic-cg", memory_limit = memory_limit, progress = FALSE))
    expect_same_sets(there, quietly(parent_sets(data, "bic-cg", progress = FALSE)))
  }
})

# ---- PostgreSQL ---------------------------------------------------------------------------------

test_that("PostgreSQL counts by grouping sets, with the same results", {
  connection <- postgres_connection()
  data <- random_frame(2000)
  data$D1 <- data$D1 == "a"
  table <- in_database(data, connection)
  for (memory_limit in list(NULL, 50000)) {
    for (score in c("bic", "bde", "bds")) {
      there <- quietly(parent_sets(table, score, max_parents = 3, memory_limit = memory_limit,
                                   progress = FALSE))
      expect_same_sets(there, quietly(parent_sets(data, score, max_parents = 3, progress = FALSE)))
    }
    network <- "[D1][D2|D1][D3|D1:D2][D4|D3][D5|D4:D2][D6]"
    there <- quietly(fit_network(network, table, memory_limit = memory_limit))
    here <- quietly(fit_network(network, data))
    expect_equal(coef(there), coef(here))
    expect_identical(there$prototype$D1, logical())
    expect_equal(quietly(score_network(network, table, "bic", memory_limit = memory_limit)),
                 quietly(score_network(network, data, "bic")))
    tree <- quietly(learn_chow_liu(table, memory_limit = memory_limit))
    expect_equal(as.numeric(logLik(tree)), as.numeric(logLik(learn_chow_liu(data))))
  }
})

test_that("PostgreSQL sums moments of whole numbers and others, with row counts", {
  connection <- postgres_connection()
  data <- random_frame(800, discrete = 2, continuous = 3)
  data$X1 <- as.integer(round(10 * data$X1))
  data$n <- rep(1:4, 200)
  table <- in_database(data, connection)
  here <- quietly(parent_sets(data[-6], "bic-cg", weights = data$n, progress = FALSE))
  for (memory_limit in list(NULL, 10000)) {
    there <- quietly(parent_sets(table, "bic-cg", weights = "n", memory_limit = memory_limit,
                                 progress = FALSE))
    expect_same_sets(there, here)
  }
  whole <- data.frame(X1 = as.double(1:50), X2 = c(NaN, rnorm(49)))
  expect_error(quietly(parent_sets(in_database(whole, connection), "bic-g", memory_limit = 500)),
               "missing values", class = "optbn_error_data")
})

test_that("a connection that PostgreSQL drops is an error, and the next call goes on", {
  connection <- postgres_connection()
  other <- postgres_connection()
  data <- random_frame(500)
  table <- in_database(data, connection)
  encoded <- quietly(encode_data(table, memory_limit = little_memory))
  session <- DBI::dbGetQuery(connection, "SELECT pg_backend_pid() AS pid")$pid
  DBI::dbGetQuery(other, paste0("SELECT pg_terminate_backend(", session, ")"))
  expect_error(pair_sets(encoded), class = "optbn_error_database")
  again <- dplyr::tbl(other, "t")
  sets <- quietly(parent_sets(again, "bde", memory_limit = little_memory, progress = FALSE))
  expect_same_sets(sets, parent_sets(data, "bde", progress = FALSE))
})
