proof_of <- function(x, ...) {
  file <- withr::local_tempfile(fileext = ".gz", .local_envir = parent.frame())
  list(network = learn_dag(x, ..., proof = file), file = file)
}

test_that("a search writes a proof, which is about the parent sets that the network keeps", {
  for (method in c("auto", "dp", "lagrangian", "branch-and-cut")) {
    found <- proof_of(attitude, "bic-g", method = method)
    checked <- check_proof(found$file, found$network)
    expect_identical(checked$status, "optimal")
    expect_equal(checked$score, score_of(found$network), tolerance = 1e-9)
    expect_identical(check_proof(found$file, parent_sets(attitude, "bic-g"))$status, "optimal")
    expect_certified(found$network, attitude)
    expect_true("proof" %in% verify_certificate(found$network)$check)
  }
})

test_that("a proof is written afterwards as well, from data or parent sets", {
  file <- withr::local_tempfile(fileext = ".txt")
  titanic <- as.data.frame(Titanic)
  network <- learn_dag(titanic[1:4], "bde", weights = titanic$Freq, blacklist = c("Age", "Sex"))
  sets <- parent_sets(titanic[1:4], "bde", weights = titanic$Freq, blacklist = c("Age", "Sex"))
  for (x in list(titanic[1:4], sets)) {
    proved <- write_proof(network, x, file, weights = if (is.data.frame(x)) titanic$Freq)
    expect_setequal(proved$arcs, network$arcs)
    expect_identical(certificate(proved)$proof, normalizePath(file))
    expect_identical(check_proof(file, sets)$status, "optimal")
  }
  expect_identical(readLines(file, 1L), "optbn-proof 1") # not compressed
})

test_that("what constraints exclude of the parent sets given is in the proof", {
  sets <- parent_sets(attitude, "bic-g")
  free <- learn_dag(sets)
  arc <- free$arcs[1L, ]
  found <- proof_of(sets, blacklist = arc, max_parents = 2)
  checked <- check_proof(found$file, sets)
  expect_identical(checked$status, "optimal")
  expect_gt(checked$constraints, 0)
  expect_lt(checked$score, score_of(free))

  found <- proof_of(sets, whitelist = rev(arc), tiers = list(arc[["to"]], arc[["from"]]))
  expect_identical(check_proof(found$file, sets)$status, "optimal")
  expect_output(print(check_proof(found$file, sets)), "within [0-9]+ constraints? scores more")

  again <- withr::local_tempfile()
  write_proof(found$network, sets, again)
  expect_identical(check_proof(again, sets)[c("status", "constraints", "bound")],
                   check_proof(found$file, sets)[c("status", "constraints", "bound")])
})

test_that("a search that is cut short proves its bound", {
  sets <- withr::with_seed(2, random_parent_sets(40, count = 60, others = on_a_circle(40, 4)))
  found <- withr::with_seed(1, proof_of(sets, time_limit = 0))
  checked <- check_proof(found$file, sets)
  expect_identical(checked$status, "bounded")
  expect_equal(checked$bound, certificate(found$network)$bound, tolerance = 1e-9)
  expect_output(print(checked), "that of the proof scores")
  expect_certified(found$network, sets, "bounded")

  file <- withr::local_tempfile()
  network <- withr::with_seed(1, learn_dag(sets, method = "local"))
  proved <- withr::with_seed(1, write_proof(network, file = file, time_limit = 60))
  expect_lte(score_of(network), score_of(proved))
  expect_identical(check_proof(file, sets)$status, "optimal")
})

test_that("what has no proof is refused, with the reason", {
  file <- withr::local_tempfile()
  sets <- parent_sets(attitude, "bic-g")
  network <- learn_dag(sets)
  expect_snapshot(error = TRUE, {
    learn_dag(sets, method = "elsa", proof = file)
    learn_dag(sets, max_arcs = 3, proof = file)
    learn_dag(sets, proof = 3)
    learn_dag(sets, proof = "no/such/folder/proof.gz")
    write_proof(learn_dag(sets, max_arcs = 3), sets, file)
    write_proof(learn_k_best(sets, 2)[[2L]], sets, file)
    write_proof(learn_treewidth(attitude, 2, "bic-g"), attitude, file)
    write_proof(network, parent_sets(attitude, "bge"), file)
    write_proof(network, file = file)
  })
  changed <- network
  changed$learning$optbn$score <- 0
  expect_error(write_proof(changed, sets, file), class = "optbn_error_argument")
  expect_false(file.exists(file))
})

test_that("a better network than the one given is announced, and proved", {
  sets <- parent_sets(attitude, "bic-g")
  worse <- learn_k_best(sets, 5)[[5L]]
  worse$learning$optbn$settings$rank <- NULL
  worse <- with_record(worse, worse$learning$optbn)
  file <- withr::local_tempfile()
  expect_message(best <- write_proof(worse, sets, file), "A better network")
  expect_gt(score_of(best), score_of(worse))
  expect_identical(check_proof(file, sets)$status, "optimal")
})

test_that("a certificate says when its proof is gone, or about something else", {
  sets <- parent_sets(attitude, "bic-g")
  found <- proof_of(sets)
  others <- proof_of(parent_sets(attitude, "bge"))
  ok <- function() {
    checks <- verify_certificate(found$network, sets)
    checks$ok[checks$check == "proof"]
  }
  expect_true(ok())
  file.copy(others$file, found$file, overwrite = TRUE)
  expect_false(ok())
  unlink(found$file)
  expect_identical(ok(), NA)
})
