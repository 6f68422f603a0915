discrete_labels <- c("bde", "bds", "k2", "bic", "aic", "ebic", "loglik", "fnml", "qnml")

test_that("scores of tables are bnlearn's", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test
  set.seed(1)
  for (round in 1:3) {
    network <- bnlearn::random.graph(names(data), prob = 0.4)
    for (label in discrete_labels) {
      expect_equal(score_network(network, data, label, by_node = TRUE),
                   bnlearn::score(network, data, type = label, by.node = TRUE),
                   tolerance = 1e-9 / 24000, info = label)
    }
    expect_equal(score_network(network, data, score_bde(7)),
                 bnlearn::score(network, data, type = "bde", iss = 7), tolerance = 1e-13)
    expect_equal(score_network(network, data, score_bds(2)),
                 bnlearn::score(network, data, type = "bds", iss = 2), tolerance = 1e-13)
    few <- data[1:900, ]
    for (label in c("fnml", "qnml")) { # whose regrets are exact then
      expect_equal(score_network(network, few, label), bnlearn::score(network, few, type = label),
                   tolerance = 1e-13)
    }
    expect_equal(score_network(network, few, score_ebic(gamma = 0.2)),
                 bnlearn::score(network, few, type = "ebic", gamma = 0.2), tolerance = 1e-13)
  }
})

test_that("scores of averages and of experiments are bnlearn's", {
  skip_without_peer("bnlearn")
  skip_if_not("bdla" %in% names(getFromNamespace("score.extra.args", "bnlearn"))) # 5 has it no more
  data <- bnlearn::learning.test[1:400, ]
  set.seed(4)
  for (round in 1:3) {
    network <- bnlearn::random.graph(names(data), prob = 0.4)
    for (l in c(1, 5, 8)) {
      expect_equal(score_network(network, data, score_bdla(l), by_node = TRUE),
                   bnlearn::score(network, data, type = "bdla", l = l, by.node = TRUE),
                   tolerance = 1e-13)
    }
  }
})

test_that("rows in which a node was set are left out of its families", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test[1:400, ]
  set.seed(5)
  # (bnlearn looks beyond the end of these for rows after the last one, so they have the last row.)
  exp <- list(A = c(sort(sample(399, 60)), 400), D = c(1:100, 400), E = 300:400)
  for (round in 1:3) {
    network <- bnlearn::random.graph(names(data), prob = 0.4)
    expect_equal(score_network(network, data, score_mbde(3, exp), by_node = TRUE),
                 bnlearn::score(network, data, type = "mbde", iss = 3, exp = exp, by.node = TRUE),
                 tolerance = 1e-13)
  }
  expect_identical(score_network(network, data, score_mbde(3)),
                   score_network(network, data, score_bde(3)))
  # Rows of weight 0 keep their numbers, and a sample of rows is one of counts.
  weights <- rep(0:2, length.out = 400)
  repeated <- rep(seq_len(400), weights)
  expect_equal(
    score_network(network, data, score_mbde(3, exp), weights = weights),
    score_network(network, data[repeated, ],
                  score_mbde(3, lapply(exp, function(rows) which(repeated %in% rows))))
  )
})

test_that("bdj is bnlearn's on nodes with parents and Jeffreys' on roots", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test
  network <- bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]")
  ours <- score_network(network, data, "bdj", by_node = TRUE)
  theirs <- bnlearn::score(network, data, type = "bdj", by.node = TRUE)
  inner <- c("B", "D", "E")
  expect_equal(ours[inner], theirs[inner], tolerance = 1e-13)
  counts <- table(data$A)
  expect_equal(
    ours[["A"]],
    lgamma(3 / 2) - lgamma(3 / 2 + nrow(data)) + sum(lgamma(1 / 2 + counts) - lgamma(1 / 2)),
    tolerance = 1e-13
  )
})

test_that("scores of regressions are bnlearn's", {
  skip_without_peer("bnlearn")
  data <- bnlearn::gaussian.test
  set.seed(2)
  for (round in 1:3) {
    network <- bnlearn::random.graph(names(data), prob = 0.5)
    for (label in c("bge", "bic-g", "aic-g", "ebic-g", "loglik-g")) {
      difference <- score_network(network, data, label, by_node = TRUE) -
        bnlearn::score(network, data, type = label, by.node = TRUE)
      expect_lt(max(abs(difference)), 1e-9)
    }
    nu <- as.double(1:7)
    expect_equal(score_network(network, data, score_bge(iss_mu = 3, iss_w = 12, nu = nu)),
                 bnlearn::score(network, data, type = "bge", iss.mu = 3, iss.w = 12, nu = nu),
                 tolerance = 1e-13)
  }
})

test_that("scores of mixed networks are bnlearn's", {
  skip_without_peer("bnlearn")
  data <- bnlearn::clgaussian.test
  for (model in c("[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]",
                  "[A][B|A][C|A:B][F|C][D|A][E|D:A:F][G|E][H|G:D:B]")) {
    network <- bnlearn::model2network(model)
    for (label in c("bic-cg", "aic-cg", "ebic-cg", "loglik-cg")) {
      difference <- score_network(network, data, label, by_node = TRUE) -
        bnlearn::score(network, data, type = label, by.node = TRUE)
      expect_lt(max(abs(difference)), 1e-9)
    }
  }
})

test_that("cells without enough rows have no density, as in bnlearn", {
  skip_without_peer("bnlearn")
  set.seed(3)
  data <- data.frame(d = factor(rep(c("u", "v", "w"), c(20, 20, 2))), x = rnorm(42), y = rnorm(42))
  network <- bnlearn::model2network("[d][x|d][y|d:x]")
  ours <- score_network(network, data, "loglik-cg", by_node = TRUE)
  expect_equal(ours, bnlearn::score(network, data, type = "loglik-cg", by.node = TRUE))
  expect_identical(ours[["y"]], -Inf)
})

test_that("the network may be a string, a matrix or have its nodes in another order", {
  data <- data.frame(a = factor(c(1, 2, 1, 2, 2)), b = factor(c(1, 2, 2, 2, 1)),
                     c = factor(c(2, 2, 1, 1, 1)))
  wanted <- score_network("[a][b|a][c|a:b]", data, "bic", by_node = TRUE)
  expect_named(wanted, names(data))
  expect_identical(score_network("[c|a:b][b|a][a]", data, "bic", by_node = TRUE), wanted)
  adjacency <- matrix(0, 3, 3, dimnames = list(names(data), names(data)))
  adjacency["a", c("b", "c")] <- adjacency["b", "c"] <- 1
  expect_identical(score_network(adjacency, data, "bic", by_node = TRUE), wanted)
  expect_equal(score_network("[a][b|a][c|a:b]", data, "bic"), sum(wanted))
  expect_equal(score_network("[a][b|a][c|a:b]", data[c(1, 1, 2), ], "k2"),
               score_network("[a][b|a][c|a:b]", data[1:2, ], "k2", weights = c(2, 1)))
})

test_that("scores do not depend on the order of rows or the names of levels", {
  set.seed(4)
  data <- data.frame(a = factor(sample(3, 80, TRUE)), b = factor(sample(2, 80, TRUE)))
  data$c <- factor(ifelse(runif(80) < 0.7, data$a, data$b))
  shuffled <- data[sample(80), ]
  levels(shuffled$a) <- c("z", "x", "y")
  shuffled$c <- factor(shuffled$c, levels = rev(levels(data$c)))
  for (label in c(discrete_labels, "bdj")) {
    expect_equal(score_network("[a][b][c|a:b]", shuffled, label),
                 score_network("[a][b][c|a:b]", data, label))
  }
})

test_that("a network that does not fit the data is refused", {
  data <- data.frame(a = factor(c(1, 2, 1)), b = factor(c(1, 2, 2)))
  expect_snapshot(score_network("[a][z|a]", data, "bic"), error = TRUE)
  mixed <- data.frame(a = factor(c(1, 2, 1, 2)), x = c(1, 2, 5, 3))
  expect_snapshot(score_network("[x][a|x]", mixed, "bic-cg"), error = TRUE)
})

test_that("known tables have their scores", {
  scores <- list(loglik = score_loglik(), bic = score_bic(), aic = score_aic(),
                 bdeu = score_bde(), bdeu10 = score_bde(iss = 10), k2 = score_k2(),
                 bdj = score_bdj())
  for (case in known_cases()$table) {
    n <- length(case$arity)
    data <- as.data.frame(Map(function(r, x) factor(numbers(x), seq_len(r) - 1), case$arity,
                              case$columns), col.names = paste0("v", seq_len(n)))
    for (v in seq_len(n)) for (local in case$expected$local[[v]]) {
      network <- matrix(0, n, n, dimnames = list(names(data), names(data)))
      network[numbers(local$P) + 1, v] <- 1
      for (name in names(scores)) {
        got <- suppressMessages(score_network(network, data, scores[[name]], by_node = TRUE))[[v]]
        expect_lt(abs(got - local[[name]]), 1e-9)
      }
    }
  }
})

test_that("weights may be fractions where the score is a sum over the rows", {
  set.seed(1)
  d <- rlang::set_names(random_frame(120, 3), paste0("v", 1:3))
  w <- stats::runif(120, 0, 3)
  net <- "[v1][v2|v1][v3|v1:v2]"
  loglik <- function(child, parents) {
    joint <- tapply(w, d[c(child, parents)], sum, default = 0)
    given <- if (length(parents)) apply(joint, seq_along(parents) + 1L, sum) else sum(joint)
    sum(joint * log(joint), na.rm = TRUE) - sum(given * log(given), na.rm = TRUE)
  }
  wanted <- loglik("v1", character()) + loglik("v2", "v1") + loglik("v3", c("v1", "v2"))
  expect_equal(score_network(net, d, "loglik", weights = w), wanted, tolerance = 1e-5)
  parameters <- attr(logLik(fit_network(net, d)), "df")
  expect_equal(score_network(net, d, "bic", weights = w), wanted - log(sum(w)) / 2 * parameters,
               tolerance = 1e-5)
  learned <- learn_dag(d, "bic", weights = w)
  expect_equal(certificate(learned)$score, score_network(learned, d, "bic", weights = w))
  # whole ones are as before, twice the weights twice the likelihood
  expect_equal(score_network(net, d, "loglik", weights = 2 * w), 2 * wanted, tolerance = 1e-5)
  fit <- fit_network(net, d, weights = w, iss = 1e-9)
  expect_equal(as.vector(coef(fit)$v1), as.vector(tapply(w, d$v1, sum) / sum(w)), tolerance = 1e-6)
  expect_equal(fit$n, sum(w))
  expect_error(score_network(net, d, "bde", weights = w), class = "optbn_error_argument", "whole")
  expect_error(score_network(net, d, "bic", weights = replace(w, 3, -1)),
               class = "optbn_error_argument")
  expect_error(score_network(net, d, "bic", weights = replace(w, 3, Inf)),
               class = "optbn_error_argument")
})
