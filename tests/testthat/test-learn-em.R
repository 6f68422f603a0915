# Structural EM.

test_that("complete data have the network that they have without it", {
  titanic <- as.data.frame(Titanic)
  by_em <- learn_dag(titanic[1:4], "bic", missing = "em", weights = titanic$Freq)
  plain <- learn_dag(titanic[1:4], "bic", weights = titanic$Freq)
  expect_equal(certificate(by_em)$score, certificate(plain)$score)
  expect_equal(by_em$arcs, plain$arcs)
})

test_that("frames with missing values and no score get it without being asked", {
  data <- with_random_gaps(random_frame(200, 2, 2), 0.1)
  asked <- suppressMessages(learn_dag(data, missing = "em", progress = FALSE))
  expect_message(network <- learn_dag(data, progress = FALSE), "missing = \"em\"",
                 class = "optbn_message")
  expect_identical(network$arcs, asked$arcs)
  expect_equal(certificate(network)$em, certificate(asked)$em)
  average <- learn_dag(data, score_pnal_cg(k = 7), progress = FALSE)
  expect_null(certificate(average)$em)
})

test_that("the network maximises the expected score under its own fit", {
  set.seed(1)
  for (kind in c("discrete", "mixed", "continuous")) {
    discrete <- c(discrete = 4, mixed = 2, continuous = 0)[[kind]]
    d <- rlang::set_names(random_frame(300, discrete, 4 - discrete), paste0("v", 1:4))
    gaps <- with_random_gaps(d, 0.2)
    network <- suppressMessages(learn_dag(gaps, missing = "em", progress = FALSE))
    record <- certificate(network)
    expect_true(record$valid)
    expect_equal(record$status, "optimal")
    expect_equal(record$em$missing, sum(is.na(gaps)))
    # what is known: no less than at the maximisation before, as exactly as EM ends
    expect_true(all(diff(record$em$trace$score[-1L]) > -0.02))
    fit <- suppressMessages(fit_network(network, gaps, method = "em", iss = 0))
    last <- record$em$trace[nrow(record$em$trace), ]
    expect_equal(c(logLik(fit)), last$log_likelihood, tolerance = 1e-4)
    k <- log(300) / 2
    expect_equal(last$score, last$log_likelihood - k * attr(logLik(fit), "df"), tolerance = 1e-9)
    # expected scores can be checked, as the network keeps them
    expect_true(all(suppressMessages(verify_certificate(network))$ok, na.rm = TRUE))
    # the expected score of no network of four nodes is larger
    sets <- parent_sets(network)
    expect_equal(record$score, all_networks(sets)$scores[1L], tolerance = 1e-9)
  }
})

test_that("a known network comes back from data with holes", {
  skip_without_peer("bnlearn")
  set.seed(2)
  d <- with_random_gaps(bnlearn::asia[1:2000, ], 0.2)
  network <- suppressMessages(learn_dag(d, missing = "em", progress = FALSE))
  true <- bnlearn::model2network("[A][S][T|A][L|S][B|S][D|B:E][E|T:L][X|E]")
  distance <- function(x) bnlearn::shd(bnlearn::cpdag(bnlearn::as.bn(x)), bnlearn::cpdag(true))
  expect_lt(distance(network), distance(suppressMessages(learn_dag(na.omit(d), "bic"))))
})

test_that("each maximisation is proved where the usual search proves its network", {
  skip_without_peer("bnlearn")
  set.seed(4)
  d <- with_random_gaps(droplevels(bnlearn::insurance[1:500, ]), 0.1)
  record <- certificate(suppressMessages(learn_dag(d, missing = "em", progress = FALSE)))
  expect_equal(record$status, "optimal")
  expect_setequal(record$em$trace$status[-1L], "optimal")
})

test_that("constraints hold, and a start is taken", {
  set.seed(3)
  d <- with_random_gaps(random_frame(200, 4, 0), 0.2)
  names(d) <- paste0("v", 1:4)
  network <- suppressMessages(
    learn_dag(d, missing = "em", blacklist = data.frame("v1", "v2"), max_parents = 1,
              start = "[v4][v3|v4][v2][v1]", whitelist = data.frame("v3", "v4"))
  )
  parents <- lapply(network$nodes, `[[`, "parents")
  expect_true(all(lengths(parents) <= 1L))
  expect_equal(parents$v4, "v3")
  expect_false("v1" %in% parents$v2)
})

test_that("the seed decides, and threads do not", {
  set.seed(4)
  d <- with_random_gaps(random_frame(150, 6, 0), 0.4)
  names(d) <- paste0("v", 1:6)
  learn <- function(threads) {
    set.seed(5)
    suppressMessages(learn_dag(d, missing = "em", threads = threads, progress = FALSE))
  }
  one <- learn(1)
  two <- learn(2)
  expect_equal(one$arcs, two$arcs)
  expect_equal(certificate(one)$em$trace$score, certificate(two)$em$trace$score)
})

test_that("what it cannot do is refused with a reason", {
  d <- data.frame(a = factor(c("u", "v", NA, "u")), b = factor(c("u", "v", "v", NA)))
  expect_error(learn_dag(d, "bde", missing = "em"), class = "optbn_error_score", "penalised")
  expect_error(learn_dag(d, missing = "mice"), class = "optbn_error_argument")
  expect_error(learn_dag(d, missing = "em", proof = tempfile()), class = "optbn_error_argument")
  expect_error(learn_dag(d, missing = "em", log = tempfile()), class = "optbn_error_argument")
  sets <- parent_sets(data.frame(a = factor(c("u", "v")), b = factor(c("u", "v"))), "bic")
  expect_error(learn_dag(sets, missing = "em"), class = "optbn_error_argument", "needs data")
  expect_error(learn_dag(transform(d, a = factor(NA, "u")), missing = "em"),
               class = "optbn_error_data")
})
