titanic <- as.data.frame(Titanic)

verify <- function(network, x = titanic[1:4], weights = titanic$Freq) {
  checks <- verify_certificate(network, x, if (is.data.frame(x)) weights)
  stats::setNames(checks$ok, checks$check)
}

# What fails after part of the certificate has been tampered with.
failures <- function(network, ...) {
  network$learning$optbn <- utils::modifyList(network$learning$optbn, list(...))
  checks <- verify(network)
  names(checks)[!checks %in% c(TRUE, NA)]
}

learned <- learn_dag(titanic[1:4], "bic", weights = titanic$Freq,
                     whitelist = c("Age", "Survived"), blacklist = c("Sex", "Class"))

test_that("true certificates pass", {
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  expect_true(all(verify(learned)))
  expect_true(all(verify(learned, sets)))
})

test_that("false certificates do not", {
  record <- learned$learning$optbn
  expect_identical(failures(learned), character())
  expect_identical(failures(learned, score = record$score + 1),
                   c("total score", "bound", "optimum"))
  expect_identical(failures(learned, node_scores = record$node_scores + c(1, -1, 0, 0)),
                   "local scores")
  expect_identical(failures(learned, bound = record$score - 1), c("bound", "optimum"))
  expect_identical(failures(learned, bound = record$score + 1), "bound")
  expect_identical(failures(learned, arcs = record$arcs[-1L, ]), "arcs")
  settings <- record$settings
  settings$blacklist <- record$arcs[1L, , drop = FALSE]
  expect_true("constraints" %in% failures(learned, settings = settings))
  settings <- record$settings
  settings$max_parents <- rep(1L, 4L)
  expect_true("constraints" %in% failures(learned, settings = settings))
})

test_that("networks that are not optimal are found out", {
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  worse <- learn_k_best(sets, 20)[[20L]]
  expect_true(is.na(verify(worse, sets)[["optimum"]]))
  worse$learning$optbn$settings$rank <- 1L
  expect_identical(names(which(!verify(worse, sets))), "optimum")
})

test_that("cycles are found", {
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  cyclic <- learned
  cyclic$nodes$Age$parents <- "Survived"
  cyclic$nodes$Survived$parents <- "Age"
  expect_identical(verify(cyclic, sets)[c("arcs", "acyclic")], c(arcs = FALSE, acyclic = FALSE))
})

test_that("arguments are checked", {
  expect_snapshot(error = TRUE, {
    verify_certificate("[a][b]", titanic[1:4])
    verify_certificate(learned, cars)
    verify_certificate(learned, 1)
  })
})

test_that("checks print as a list", {
  expect_snapshot(print(structure(
    data.frame(check = c("arcs", "bound", "optimum"), ok = c(TRUE, FALSE, NA),
               detail = c("those of the certificate", "-1.5, status optimal", "not recomputed")),
    class = c("certificate_check", "data.frame")
  )))
})
