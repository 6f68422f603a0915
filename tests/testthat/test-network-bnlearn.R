skip_without_peer("bnlearn")

test_that("networks are laid out as bnlearn lays them out", {
  withr::local_seed(1)
  for (n in c(1, 2, 4, 7, 12)) {
    nodes <- sample(LETTERS, n)
    network <- example_network(nodes, random_parents(n))
    theirs <- bnlearn::empty.graph(nodes)
    bnlearn::amat(theirs) <- as.matrix(network)

    expect_identical(network$arcs, theirs$arcs)
    expect_identical(network$nodes, theirs$nodes)
    expect_identical(as.matrix(network), bnlearn::amat(theirs))
    expect_identical(as.character(network), bnlearn::modelstring(theirs))
    expect_identical(as_network_structure(bnlearn::modelstring(theirs))$nodes,
                     names(bnlearn::model2network(bnlearn::modelstring(theirs))$nodes))
    expect_true(all.equal(theirs, network))
    expect_true(all.equal(network, theirs))
  }
})

test_that("the learning record is a bnlearn record with one entry more", {
  theirs <- bnlearn::hc(bnlearn::learning.test)$learning
  ours <- discrete_network()$learning
  expect_identical(names(ours), c(names(theirs), "optbn"))
  expect_identical(ours$test, "bde")
  expect_identical(ours$args, list(iss = 1))
  unknown <- example_network("A", list(integer()), scored_by = NULL)
  expect_identical(unknown$learning$test, "none")
})

test_that("networks whose record is lost print as bnlearn's", {
  network <- discrete_network()
  for (lost in list("optbn", c("optbn", "algo"))) {
    without <- network
    without$learning[lost] <- NULL
    expect_output(print(without), "generation algorithm: +Empty")
  }
})

test_that("as.bn() gives the plain network", {
  plain <- bnlearn::as.bn(discrete_network())
  expect_s3_class(plain, "bn", exact = TRUE)
  expect_null(plain$learning$optbn)
  expect_true(all.equal(plain, bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]")))
  expect_output(print(plain), "[B|A]", fixed = TRUE)
})

test_that("score() gives the certificate's number unless told otherwise", {
  cases <- list(
    list(discrete_network(score_bde(10), list(iss = 10)), bnlearn::learning.test, other = "bds"),
    list(learn_dag(bnlearn::learning.test[1:90, ], score_mbde(2, list(B = c(5:40, 90)))),
         bnlearn::learning.test[1:90, ], other = "bds"),
    list(discrete_network(score_bic(2.5), list(k = 2.5)), bnlearn::learning.test, other = "k2"),
    list(gaussian_network(), bnlearn::gaussian.test, other = "aic-g"),
    list(mixed_network(), bnlearn::clgaussian.test, other = "loglik-cg")
  )
  for (case in cases) {
    network <- case[[1L]]
    data <- case[[2L]]
    plain <- bnlearn::model2network(as.character(network))
    arguments <- c(list(plain, data, type = network$learning$test), network$learning$args)
    certified <- suppressWarnings(do.call(bnlearn::score, arguments))

    expect_identical(bnlearn::score(network, data), certified)
    expect_equal(sum(bnlearn::score(network, data, by.node = TRUE)), certified)
    expect_identical(bnlearn::score(network, data, case$other),
                     bnlearn::score(bnlearn::as.bn(network), data, case$other))
  }
})

test_that("score() gives the certificate's number for new rows, which the network keeps", {
  few <- function(data, rows) data[rows, ]
  expect_certified <- function(data, score) {
    network <- learn_dag(data, score)
    expect_equal(bnlearn::score(network, data), certificate(network)$score, tolerance = 1e-10)
    expect_equal(sum(bnlearn::score(network, data, by.node = TRUE)), certificate(network)$score,
                 tolerance = 1e-10)
    expect_output(print(bnlearn::as.bn(network)), "nodes: ", fixed = TRUE)
    network
  }
  tables <- bnlearn::learning.test
  expect_certified(few(tables, 1:500), score_pred_loglik(few(tables, 501:1000), iss = 0))
  numbers <- bnlearn::gaussian.test
  expect_certified(few(numbers, 1:500), score_pred_loglik_g(few(numbers, 501:1200)))
  mixed <- bnlearn::clgaussian.test[c("A", "B", "D", "F", "H")]
  network <- expect_certified(few(mixed, 1:500), score_pred_loglik_cg(few(mixed, 501:1000), 0))
  expect_snapshot(bnlearn::score(network, few(mixed, 1:499)), error = TRUE)
})

test_that("score() falls back on bnlearn's default for scores that bnlearn lacks", {
  data <- bnlearn::learning.test
  for (network in list(discrete_network(new_score("pcart"), list()),
                       learn_dag(data[1:90, ], score_pred_loglik(data[91:200, ])))) {
    expect_identical(bnlearn::score(network, data), bnlearn::score(bnlearn::as.bn(network), data))
  }
})

test_that("printing a changed network says that the certificate no longer applies", {
  network <- discrete_network()
  expect_snapshot({
    print(bnlearn::set.arc(network, "A", "F"))
    print(bnlearn::drop.arc(network, "A", "B"))
    print(bnlearn::rename.nodes(network, letters[1:6]))
    print(bnlearn::cpdag(network))
    certificate(bnlearn::reverse.arc(network, "A", "B"))
  })
  back <- bnlearn::set.arc(bnlearn::drop.arc(network, "A", "B"), "A", "B")
  expect_true(certificate(back)$valid)
})

test_that("networks without model string say why", {
  expect_snapshot(error = TRUE, as.character(bnlearn::cpdag(discrete_network())))
})

test_that("networks that bnlearn learned from a start are bnlearn's", {
  start <- bnlearn::drop.arc(discrete_network(), "A", "B")
  relearned <- bnlearn::hc(bnlearn::learning.test, start = start)
  theirs <- bnlearn::hc(bnlearn::learning.test, start = bnlearn::as.bn(start))
  expect_identical(capture.output(print(relearned)), capture.output(print(theirs)))
  expect_error(certificate(relearned), class = "optbn_error_argument")
})

test_that("methods step aside for fitted networks", {
  cases <- list(list(discrete_network(), bnlearn::learning.test),
                list(gaussian_network(), bnlearn::gaussian.test),
                list(mixed_network(), bnlearn::clgaussian.test))
  for (case in cases) {
    fit <- bnlearn::bn.fit(case[[1L]], case[[2L]])
    theirs <- bnlearn::bn.fit(bnlearn::as.bn(case[[1L]]), case[[2L]])
    expect_s3_class(fit, c("optbn", class(theirs)), exact = TRUE)
    expect_identical(capture.output(print(fit)), capture.output(print(theirs)))
    expect_identical(capture.output(summary(fit)), capture.output(summary(theirs)))
    expect_identical(format(fit), format(theirs))
    expect_identical(coef(fit), coef(theirs))
    expect_identical(as_network_structure(fit), as_network_structure(case[[1L]]))
    expect_identical(conditionMessage(expect_error(bnlearn::score(fit, case[[2L]]))),
                     conditionMessage(expect_error(bnlearn::score(theirs, case[[2L]]))))
  }
})

test_that("methods::is() tells networks from fits", {
  network <- discrete_network()
  fit <- bnlearn::bn.fit(network, bnlearn::learning.test)
  expect_true(methods::is(network, "bn"))
  expect_false(methods::is(network, "bn.fit"))
  expect_true(methods::is(fit, "bn.fit"))
})

# In a process of its own, since packages are loaded and unloaded.
test_that("S4 functions work whichever package is loaded first, and again after unloading", {
  skip_if_not(nzchar(system.file("Meta", package = "optbn")), "optbn is not installed")
  check_sequence <- function(...) {
    script <- withr::local_tempfile(fileext = ".R")
    writeLines(c(
      sprintf(".libPaths(%s)", deparse1(.libPaths())),
      "load <- function(package) stopifnot(requireNamespace(package, quietly = TRUE))",
      "unload <- unloadNamespace",
      "check <- function() {",
      "  network <- bnlearn::model2network('[A][C][F][B|A][D|A:C][E|B:F]')",
      "  theirs <- bnlearn::score(network, bnlearn::learning.test, 'bde')",
      "  network$learning$test <- 'bde'",
      "  class(network) <- c('optbn', 'bn')",
      "  stopifnot(",
      "    identical(bnlearn::nodes(network), LETTERS[1:6]),",
      "    bnlearn::degree(network, 'A') == 2,",
      "    identical(bnlearn::score(network, bnlearn::learning.test), theirs),",
      "    identical(class(bnlearn::as.bn(network)), 'bn')",
      "  )",
      "  bnlearn::nodes(network) <- letters[1:6]",
      "  stopifnot(identical(bnlearn::nodes(network), letters[1:6]))",
      "}",
      ...,
      "stopifnot(length(ls(globalenv(), pattern = '^[.]__')) == 0)",
      "cat('done')"
    ), script)
    output <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
                      stdout = TRUE, stderr = TRUE)
    expect_identical(output, "done")
  }
  check_sequence("load('optbn')", "load('bnlearn')", "check()")
  check_sequence(
    "load('bnlearn')", "load('optbn')", "check()",
    "unload('bnlearn')", "stopifnot(is.null(methods::getClassDef('optbn')))",
    "load('bnlearn')", "check()",
    "unload('optbn')", "stopifnot(is.null(methods::getClassDef('optbn')))",
    "stopifnot(is.null(methods::getMethod(bnlearn::score, 'optbn', optional = TRUE)))",
    "load('optbn')", "check()",
    "unload('optbn')", "unload('bnlearn')", "load('bnlearn')",
    "stopifnot(is.null(methods::getClassDef('optbn')))",
    "load('optbn')", "check()",
    "unload('bnlearn')", "unload('optbn')", "load('optbn')", "load('bnlearn')", "check()"
  )
})
