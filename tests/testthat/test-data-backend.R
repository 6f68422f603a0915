# What every backend says of these rows, whatever it is.
rows <- data.frame(a = c("x", "x", "y", "y", "y"), b = c("p", "q", "p", "p", "q"),
                   u = c(1, 2, 3, 4, 6), v = c(0.5, -1, 2, 8, 1), n = c(2L, 1L, 1L, 3L, 1L))

expect_groups <- function(backend, weights) {
  w <- if (is.null(weights)) rep(1, 5) else rows[[weights]]
  blocks <- list(c("a", "b"), "a")
  terms <- c(rlang::set_names(backend$count, "count"),
             rlang::set_names(backend$sums(c("u", "v"), c(3, -1)), c("su", "sv")),
             rlang::set_names(backend$products("u", "v", 3, -1), "uv"))
  for (many in c(FALSE, TRUE)) {
    found <- backend$groups(blocks, terms, many)
    expect_identical(vapply(found, nrow, 0L), c(4L, 2L))
    for (j in 1:2) {
      groups <- found[[j]]
      expect_named(groups, c(blocks[[j]], names(terms)))
      for (i in seq_len(nrow(groups))) {
        within <- Reduce(`&`, lapply(blocks[[j]], function(x) rows[[x]] == groups[[x]][i]))
        expect_equal(as.double(groups$count[i]), sum(w[within]))
        expect_equal(groups$su[i], sum((w * (rows$u - 3))[within]))
        expect_equal(groups$sv[i], sum((w * (rows$v + 1))[within]))
        expect_equal(groups$uv[i], sum((w * (rows$u - 3) * (rows$v + 1))[within]))
      }
    }
  }
  facts <- backend$groups(list(character()), c(
    rlang::set_names(backend$missing(c("a", "u")), c("ma", "mu")),
    rlang::set_names(backend$lowest("v"), "low"), rlang::set_names(backend$highest("v"), "high"),
    rlang::set_names(backend$mean(c("u", "v")), c("u", "v"))
  ))[[1L]]
  expect_equal(vapply(facts, as.double, 0),
               c(ma = 0, mu = 0, low = -1, high = 8, u = weighted.mean(rows$u, w),
                 v = weighted.mean(rows$v, w)))
}

test_that("backends say the same in SQL and by verbs", {
  table <- in_sqlite(rows)
  for (weights in list(NULL, "n")) {
    expect_groups(row_backend(table, weights), weights)
    expect_groups(row_backend(rows, weights), weights)
    expect_groups(verb_backend(table, weights), weights)
  }
})

expect_groups_by_sets <- function(connection) {
  expect_true(inherits(connection, has_grouping_sets))
  table <- in_database(rows, connection)
  for (weights in list(NULL, "n")) expect_groups(row_backend(table, weights), weights)
}

test_that("PostgreSQL says the same, by several sets at once", {
  expect_groups_by_sets(postgres_connection())
})

test_that("DuckDB says the same, by several sets at once", {
  expect_groups_by_sets(duckdb_connection())
})

test_that("missing values are counted", {
  rows$a[2] <- NA
  rows$u[c(3, 5)] <- NA
  for (backend in list(row_backend(in_sqlite(rows), NULL), row_backend(rows, NULL))) {
    terms <- rlang::set_names(backend$missing(c("a", "u", "v")), c("a", "u", "v"))
    found <- backend$groups(list(character()), terms)[[1L]]
    expect_equal(vapply(found, as.double, 0), c(a = 1, u = 2, v = 0))
  }
})

test_that("statements are as they should be", {
  quoted <- function(names) paste0("`", names, "`")
  terms <- c(n = "COUNT(*)")
  blocks <- list(c("a", "b"), "c")
  expect_snapshot({
    cat(select_groups(list(character()), terms, "SELECT * FROM t", quoted, TRUE))
    cat(select_groups(blocks[1], terms, "SELECT * FROM t", quoted, TRUE))
    cat(select_groups(blocks, terms, "SELECT * FROM t", quoted, TRUE))
    cat(select_groups(blocks, terms, "SELECT * FROM t", quoted, FALSE))
  })
})

test_that("rows that verbs reach are learned from where they are", {
  skip_without_peer("dplyr")
  data <- random_frame(1000, discrete = 4, continuous = 2)
  table <- open_table(as_plain_columns(data), NULL, rlang::current_env())
  encoded <- suppressMessages(encode_facts(table, rlang::current_env()))
  score <- complete_score(score_bic_cg(), encoded)
  network <- "[D1][D2|D1][X1|D1:D2][D3|D2][X2|X1:D3][D4]"
  parents <- match_network(network, names(data))
  expect_equal(sum(call_core(core_score_network(encoded, score, parents))),
               score_network(network, data, "bic-cg"))
})
