# Some arcs among these nodes, with probabilities; of some pairs both directions.
random_arc_probabilities <- function(nodes) {
  pairs <- t(utils::combn(nodes, 2L))
  said <- pairs[sample(nrow(pairs), ceiling(nrow(pairs) / 2)), , drop = FALSE]
  turned <- stats::runif(nrow(said)) < 0.5
  said[turned, ] <- said[turned, 2:1]
  both <- stats::runif(nrow(said)) < 0.5
  data.frame(from = c(said[, 1L], said[both, 2L]), to = c(said[, 2L], said[both, 1L]),
             prob = stats::runif(nrow(said) + sum(both), 0.01, 0.49))
}

test_that("priors are bnlearn's", {
  skip_without_peer("bnlearn")
  set.seed(1)
  tables <- bnlearn::learning.test[1:500, ]
  numbers <- bnlearn::gaussian.test[1:200, ]
  for (round in 1:4) {
    betas <- function(data) {
      list(vsp = NULL, vsp = stats::runif(1), marginal = NULL, marginal = stats::runif(1),
           cs = random_arc_probabilities(names(data)))
    }
    expect_bnlearns <- function(data, make, label) {
      network <- bnlearn::random.graph(names(data), prob = 0.3)
      betas <- betas(data)
      for (i in seq_along(betas)) {
        type <- names(betas)[i]
        ours <- score_network(network, data, make(structure_prior(type, betas[[i]])))
        theirs <- bnlearn::score(network, data, type = label, prior = type, beta = betas[[i]])
        expect_equal(ours, theirs, tolerance = 1e-10 / abs(theirs), info = paste(label, type))
      }
    }
    expect_bnlearns(tables, function(prior) score_bde(prior = prior), "bde")
    expect_bnlearns(tables, function(prior) score_bds(prior = prior), "bds")
    expect_bnlearns(numbers, function(prior) score_bge(prior = prior), "bge")
  }
})

test_that("a prior network takes beta for every arc in one of the two only", {
  skip_without_peer("bnlearn")
  set.seed(2)
  data <- bnlearn::learning.test[1:100, ]
  differences <- function(a, b) {
    sum(bnlearn::amat(a)[names(data), names(data)] != bnlearn::amat(b)[names(data), names(data)])
  }
  prior <- bnlearn::random.graph(names(data), prob = 0.5)
  for (beta in c(1e-12, 0.1, 0.7)) {
    worth <- vapply(1:10, function(i) {
      network <- bnlearn::random.graph(sample(names(data)), prob = 0.5) # some arcs are reversed
      score_network(network, data, score_bde(prior = structure_prior("network", beta, prior))) -
        score_network(network, data, "bde") - log(beta) * differences(network, prior)
    }, 0)
    expect_lt(diff(range(worth)), 1e-9)
  }
})

test_that("what is found under a prior is the best of all networks", {
  skip_without_peer("bnlearn")
  set.seed(3)
  data <- bnlearn::learning.test[1:60, 1:4]
  pairs <- which(upper.tri(diag(4L)), arr.ind = TRUE)
  ways <- expand.grid(rep(list(0:2), nrow(pairs))) # of each pair: none, this way, that way
  all <- lapply(seq_len(nrow(ways)), function(i) {
    adjacency <- matrix(0L, 4L, 4L, dimnames = list(names(data), names(data)))
    adjacency[pairs[ways[i, ] == 1L, , drop = FALSE]] <- 1L
    adjacency[pairs[ways[i, ] == 2L, 2:1, drop = FALSE]] <- 1L
    adjacency
  })
  all <- Filter(function(adjacency) {
    tryCatch(is.list(as_network_structure(adjacency)), optbn_error = function(cyclic) FALSE)
  }, all)
  expect_length(all, 543L)
  priors <- list(structure_prior("vsp", 0.9), structure_prior("marginal"),
                 structure_prior("cs", random_arc_probabilities(names(data))),
                 structure_prior("network", 0.01, "[A|B][B][C|D][D]"))
  for (prior in priors) {
    score <- score_bde(prior = prior)
    best <- max(vapply(all, score_network, 0, data = data, score = score))
    network <- learn_dag(data, score)
    expect_equal(certificate(network)$score, best)
    # and bnlearn finds the score and the prior in the network
    expect_equal(bnlearn::score(network, data), best)
    expect_equal(bnlearn::score(network, data, by.node = FALSE, type = "bde"), best)
  }
})

test_that("priors print, alone and in scores", {
  expect_snapshot({
    structure_prior("vsp", 0.25)
    structure_prior("cs", data.frame(from = "a", to = "b", prob = 0.5))
    score_bde(2, structure_prior("network", 0.1, "[A][B|A]"))
    score_bdj("marginal")
    score_ebic(gamma = 1)
  })
})

test_that("a prior that was changed is refused", {
  refused <- function(prior, ...) {
    changed <- utils::modifyList(prior, list(...))
    expect_error(score_bde(prior = changed), class = "optbn_error_model")
  }
  arcs <- data.frame(from = "a", to = "b", prob = 0.5)
  refused(structure_prior("vsp"), type = "none")
  refused(structure_prior("vsp", 0.5), beta = "0.5")
  refused(structure_prior("cs", arcs), beta = transform(arcs, prob = 2))
  refused(structure_prior("network", 0.5, "[a][b|a]"),
          network = list(nodes = "a", parents = list(3)))
  expect_s3_class(score_bde(prior = structure_prior("network", 0.5, "[a][b|a]")), "optbn_score")
})

test_that("malformed priors are refused", {
  arcs <- function(from, to, prob) structure_prior("cs", data.frame(from, to, prob))
  data <- data.frame(a = c("x", "y", "y"), b = c("u", "v", "u"))
  expect_snapshot(error = TRUE, {
    structure_prior("custom")
    structure_prior("vsp", 1)
    structure_prior("marginal", 0)
    structure_prior("cs", 0.5)
    structure_prior("network", 0.5)
    structure_prior("vsp", network = "[A]")
    arcs("a", "a", 0.5)
    arcs("a", "b", 1.5)
    arcs(c("a", "a"), c("b", "b"), 0.5)
    score_bde(prior = "cs")
    score_network("[a][b]", data, score_bde(prior = arcs("a", "z", 0.5)))
    score_network("[a][b]", data, score_bde(prior = arcs(c("a", "b"), c("b", "a"), 0.8)))
    score_network("[a][b]", data, score_bde(prior = structure_prior("network", 0.5, "[a][z]")))
  })
})
