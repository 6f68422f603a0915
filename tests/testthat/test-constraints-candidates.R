data <- random_frame(600, discrete = 8)

quietly <- function(code) suppressMessages(code, classes = "optbn_message")

# Every arc but those of a table, as a blacklist.
all_but <- function(arcs, nodes) {
  all <- as.matrix(expand.grid(from = nodes, to = nodes, stringsAsFactors = FALSE))
  all <- all[all[, 1L] != all[, 2L], ]
  all[!arc_keys(all) %in% arc_keys(arcs), ]
}

test_that("candidates are the parents that tell most about a node", {
  sets <- quietly(parent_sets(data, "bde", candidates = 3, progress = FALSE))
  arcs <- sets$settings$candidates
  expect_identical(nrow(arcs), 24L)
  information <- core_information(encode_data(data), check_limits(1, Inf, NULL, FALSE, NULL), NULL)
  for (v in seq_along(data)) {
    best <- setdiff(names(data)[order(-information[, v])], names(data)[v])
    expect_setequal(arcs[arcs[, "to"] == names(data)[v], "from"], best[1:3])
  }
  here <- parent_sets(data, "bde", blacklist = all_but(arcs, names(data)), progress = FALSE)
  expect_identical(sets$sets, here$sets)
  expect_identical(sets$considered, here$considered)
})

test_that("a table of arcs says which parents there are to choose from", {
  arcs <- cbind(from = c("D1", "D2", "D3"), to = c("D2", "D3", "D1"))
  sets <- quietly(parent_sets(data, "bic", candidates = arcs, whitelist = c("D5", "D6"),
                              progress = FALSE))
  expect_setequal(arc_keys(sets$settings$candidates), c(arc_keys(arcs), "D5 -> D6"))
  expect_setequal(unique(as.data.frame(sets)$parents), c("", "D1", "D2", "D3", "D5"))
})

test_that("as many candidates as there are columns change nothing", {
  expect_silent(sets <- parent_sets(data, "bic", candidates = 7, progress = FALSE))
  expect_identical(sets$sets, parent_sets(data, "bic", progress = FALSE)$sets)
  expect_null(sets$settings$candidates)
})

test_that("a discrete node's candidates are discrete where no others are possible", {
  mixed <- random_frame(600, discrete = 3, continuous = 4)
  sets <- quietly(parent_sets(mixed, "bic-cg", candidates = 2, progress = FALSE))
  arcs <- sets$settings$candidates
  expect_true(all(arcs[arcs[, "to"] %in% c("D1", "D2", "D3"), "from"] %in% c("D1", "D2", "D3")))
  expect_true(all(table(arcs[, "to"]) == 2L))
})

test_that("searches keep what they were restricted to", {
  network <- quietly(learn_dag(data, "bde", candidates = 2, max_parents = 2, progress = FALSE))
  expect_identical(certificate(network)$status, "optimal")
  expect_identical(nrow(certificate(network)$settings$candidates), 16L)
  expect_match(format(certificate(network)), "16 arcs", all = FALSE)
  expect_true(all(verify_certificate(network, data)$ok, na.rm = TRUE))
  again <- quietly(update(network, data))
  expect_equal(certificate(again)$score, certificate(network)$score)
  outside <- all_but(certificate(network)$settings$candidates, names(data))[1L, ]
  changed <- network
  changed$learning$optbn$settings$candidates <- rbind(outside)
  checks <- verify_certificate(resealed(changed), data)
  expect_false(checks$ok[checks$check == "constraints"])
  bounded <- quietly(learn_treewidth(data, 2, "bde", candidates = 3, progress = FALSE))
  expect_identical(nrow(certificate(bounded)$settings$candidates), 24L)
  best <- quietly(learn_k_best(data, 2, "bde", candidates = 2, max_parents = 2))
  expect_equal(certificate(best[[1L]])$score, certificate(network)$score)
})

test_that("tables in a database are screened by their backend", {
  table <- in_sqlite(data)
  here <- quietly(parent_sets(data, "bde", max_parents = 2, candidates = 3, progress = FALSE))
  there <- quietly(parent_sets(table, "bde", max_parents = 2, candidates = 3,
                               memory_limit = little_memory, progress = FALSE))
  expect_identical(there$settings$candidates, here$settings$candidates)
  expect_equal(there$sets, here$sets)
})

test_that("the restriction is announced, and malformed candidates are refused", {
  expect_snapshot({
    invisible(parent_sets(data, "bde", candidates = 2, progress = FALSE))
    invisible(parent_sets(data, "bde", candidates = c("D1", "D2"), progress = FALSE))
    search_size(data, "bde", candidates = 2)
  }, transform = without_seconds)
  expect_snapshot(error = TRUE, {
    parent_sets(data, "bde", candidates = 0)
    parent_sets(data, "bde", candidates = "D1")
    parent_sets(data, "bde", candidates = c("D1", "E"))
    learn_dag(parent_sets(data, "bde"), candidates = 2)
  })
})
