seal_holds <- function(network) certificate(network)$valid

edited <- function(network, ...) {
  network$learning$optbn <- replace(network$learning$optbn, names(list(...)), list(...))
  network
}

test_that("a seal holds as long as nobody changes the record", {
  network <- discrete_network()
  expect_true(seal_holds(network))
  expect_true(seal_holds(unserialize(serialize(network, NULL))))
  expect_true(seal_holds(unserialize(serialize(network, NULL, ascii = TRUE, version = 2))))
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(network, file)
  expect_true(seal_holds(readRDS(file)))

  for (part in setdiff(names(network$learning$optbn), "reason")) {
    gone <- network
    gone$learning$optbn[[part]] <- NULL
    expect_false(is_sealed(gone$learning$optbn), info = part)
  }
  expect_false(seal_holds(edited(network, status = "bounded")))
  expect_false(seal_holds(edited(network, bound = network$learning$optbn$bound + 1e-9)))
  expect_false(seal_holds(edited(network, seconds = 0)))
})

test_that("it depends on what the record says, not on how R holds it", {
  expect_identical(core_spelled(1:3), core_spelled(c(1, 2, 3)))
  expect_identical(core_spelled(structure(1, b = 2, names = "a")), core_spelled(c(a = 1)))
  latin <- "Stra\xdfe"
  Encoding(latin) <- "latin1"
  expect_identical(core_spelled(latin), core_spelled(enc2utf8(latin)))
  frame <- data.frame(a = 1:2)
  expect_identical(core_spelled(structure(frame, row.names = 5:6)), core_spelled(frame))
  expect_identical(core_spelled(0.1 + 0.2), "(:1:0.30000000000000004,)")

  different <- list(1, "1", TRUE, "TRUE", NA, "NA", c(a = 1), list(1), list(a = 1), character(),
                    "", c("a", "b"), "a,b", c("a,", "b"), list("a", "b"), list("a", list("b")),
                    0.1 + 0.2, 0.3, Inf, NaN, matrix(1:4, 2), 1:4, matrix(1:4, 1))
  expect_identical(anyDuplicated(vapply(different, core_spelled, "")), 0L)
  nested <- Reduce(function(inner, i) list(inner), 1:10000, list())
  expect_match(core_spelled(nested), "...", fixed = TRUE)
})

test_that("a hash has 128 bits, the first 64 as published for FNV-1a", {
  published <- c("cbf29ce484222325", "af63dc4c8601ec8c", "85944171f73967e8")
  texts <- c("", "a", "foobar")
  expect_identical(substr(vapply(texts, core_hash, ""), 1L, 16L), set_names(published, texts))
  many <- vapply(as.character(1:10000), core_hash, "")
  expect_true(all(nchar(many) == 32L))
  expect_identical(anyDuplicated(substr(many, 17L, 32L)), 0L)
})

test_that("everything that makes or changes a record seals it", {
  titanic <- as.data.frame(Titanic)
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  set.seed(1)
  found <- c(
    list(
      learn_dag(titanic[1:4], "pcart", weights = titanic$Freq),
      learn_dag(sets, ancestors = c("Sex", "Survived")),
      update(learn_dag(sets, time_limit = 0), sets),
      learn_treewidth(sets, 1),
      update(learn_treewidth(sets, 2, method = "local", iterations = 1), sets)
    ),
    learn_k_best(sets, 3)
  )
  for (network in found) expect_true(seal_holds(network))
})

test_that("it outlives changes of arcs that are taken back", {
  skip_without_peer("bnlearn")
  network <- discrete_network()
  there <- bnlearn::drop.arc(network, "A", "B")
  expect_false(seal_holds(there))
  expect_true(is_sealed(there$learning$optbn))
  expect_true(seal_holds(bnlearn::set.arc(there, "A", "B")))
})

test_that("an edited certificate proves nothing, and says so", {
  false <- edited(discrete_network(record = example_record(LETTERS[1:6], status = "heuristic")),
                  status = "optimal")
  expect_snapshot({
    false
    certificate(false)
    certificate_line(false)
  })
  expect_false(as.data.frame(certificate(false))$valid)
  expect_null(summary(false)$nodes$score)
  shown <- certificate(discrete_network())
  shown$status <- "bounded"
  expect_false(as.data.frame(shown)$valid)
  expect_match(format(shown), "changed since", all = FALSE)
})

test_that("update() does not go on from an edited certificate", {
  sets <- withr::with_seed(5, random_parent_sets(12L))
  false <- edited(learn_dag(sets), status = "bounded", bound = -1e6)
  expect_snapshot(update(false, sets), error = TRUE)
  expect_error(update(false, sets), class = "optbn_error_model")
})

test_that("a certificate that cannot be read is refused, and its network printed", {
  network <- discrete_network()
  for (record in list("a", list(), 1, edited(network, arcs = NULL)$learning$optbn)) {
    broken <- network
    broken$learning$optbn <- record
    expect_error(certificate(broken), class = "optbn_error_model")
    expect_error(verify_certificate(broken, bnlearn::learning.test), class = "optbn_error_model")
    expect_match(format(broken), "6 nodes and 5 arcs", all = FALSE)
    expect_match(format(broken), "changed since", all = FALSE)
  }
  expect_snapshot(certificate(edited(network, node_scores = "a")), error = TRUE)
})

test_that("whatever is damaged, verbs answer or end in an error of the package", {
  withr::local_seed(8)
  withr::local_pdf(NULL)
  titanic <- as.data.frame(Titanic)
  rows <- titanic[rep(seq_len(32), titanic$Freq %/% 20), 1:4]
  sets <- parent_sets(rows, "bic")
  network <- learn_treewidth(sets, 2)
  network$learning$optbn$multipliers <- list(
    clusters = list(list(nodes = 1:2, k = 1, price = 0.5)),
    groups = list(list(nodes = 1:2, charge = rep(0.1, 8))), arc_price = 0
  )
  network <- with_record(network, network$learning$optbn)
  verbs <- list(
    certificate = certificate, print = print, summary = summary,
    certificate_print = function(x) print(certificate(x)),
    data = function(x) as.data.frame(certificate(x)), plot = function(x) plot(certificate(x)),
    picture = plot, verify = function(x) verify_certificate(x, sets),
    verify_data = function(x) verify_certificate(x, rows), fit = function(x) fit_network(x, rows),
    update = function(x) update(x, sets, time_limit = 0.1)
  )
  records <- damaged(network$learning$optbn)
  for (one in some_of(records, 40)) {
    one$model <- replace(network, "learning", list(replace(network$learning, "optbn",
                                                           list(one$model))))
    expect_identical(misbehaviour(one, sample(verbs, 1)), character())
    expect_match(format(one$model), "nodes and", all = FALSE)
  }
})
