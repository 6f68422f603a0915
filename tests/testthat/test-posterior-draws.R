test_that("draws have the probabilities of arcs, and of networks", {
  withr::local_seed(3)
  data <- random_frame(60, 4, 0)
  for (prior in c("uniform", "order")) {
    posterior <- network_posterior(data, "bde", prior)
    networks <- sample_dags(posterior, 4000)
    expect_length(networks, 4000)
    shares <- summary(networks)
    wanted <- as.data.frame(arc_posterior(posterior))
    found <- shares$arcs[cbind(wanted$from, wanted$to)]
    expect_lt(max(abs(found - wanted$probability)), 5 * sqrt(0.25 / 4000))
  }
  # two networks under the uniform prior: the ratio of their shares is that of their scores
  uniform <- network_posterior(data, "bde")
  table <- as.data.frame(sample_dags(uniform, 20000))
  two <- table[1:2, ]
  error <- sqrt(sum(1 / two$times))
  expect_lt(abs(log(two$times[1L] / two$times[2L]) - (two$score[1L] - two$score[2L])), 5 * error)
})

test_that("draws go by set.seed()", {
  posterior <- network_posterior(attitude, "bge")
  draw <- function(seed) withr::with_seed(seed, sample_dags(posterior, 20))
  expect_identical(draw(1)$choice, draw(1)$choice)
  expect_false(identical(draw(1)$choice, draw(2)$choice))
})

test_that("a drawn network is one of bnlearn's, and acyclic", {
  withr::local_seed(2)
  networks <- sample_dags(attitude, 30, score = "bge")
  for (network in as.list(networks)) {
    expect_s3_class(network, "bn", exact = TRUE)
    expect_length(unique(as_network_structure(network)$nodes), 7)
  }
  skip_without_peer("bnlearn")
  expect_true(bnlearn::acyclic(networks[[1L]]))
  expect_equal(score_network(networks[[1L]], attitude, "bge"),
               as.data.frame(networks[1L])$score)
})

above <- function(network, node) {
  found <- network$nodes[[node]]$parents
  for (i in seq_along(network$nodes)) {
    found <- union(found, unlist(lapply(network$nodes[found], `[[`, "parents")))
  }
  found
}

test_that("any feature has a probability", {
  withr::local_seed(5)
  networks <- sample_dags(attitude, 500, score = "bge")
  found <- feature_probability(networks, function(network) {
    c(arcs = nrow(network$arcs), near = "learning" %in% network$nodes$rating$mb)
  })
  expect_identical(rownames(found), c("arcs", "near"))
  values <- vapply(as.list(networks), function(network) nrow(network$arcs), 0)
  expect_equal(found["arcs", "mean"], mean(values))
  expect_equal(found["arcs", "upper"] - found["arcs", "mean"],
               stats::qnorm(0.975) * stats::sd(values) / sqrt(500))
  near <- mean(vapply(as.list(networks), function(x) "learning" %in% x$nodes$rating$mb, NA))
  wilson <- stats::prop.test(500 * near, 500, correct = FALSE)$conf.int
  expect_equal(unlist(found["near", ], use.names = FALSE), c(near, wilson), tolerance = 1e-6)
  paths <- summary(networks)$paths
  path <- feature_probability(networks, function(network) {
    "complaints" %in% above(network, "advance")
  })
  expect_equal(path$mean, paths["complaints", "advance"])
})

test_that("networks that are drawn print", {
  withr::local_seed(1)
  networks <- sample_dags(attitude[1:3], 100, score = "bge")
  expect_snapshot({
    networks
    summary(networks)
    networks[1:2]
    networks[0]
  })
})

test_that("bad input is refused", {
  networks <- withr::with_seed(1, sample_dags(attitude, 10, score = "bge"))
  expect_snapshot(error = TRUE, {
    sample_dags(attitude)
    sample_dags(attitude, 0, score = "bge")
    sample_dags(attitude, 2.5, score = "bge")
    sample_dags("attitude", 2)
    feature_probability(attitude, nrow)
    feature_probability(networks, "arcs")
    feature_probability(networks, function(network) "yes")
    feature_probability(networks, function(network) seq_len(nrow(network$arcs)))
    feature_probability(networks, function(network) TRUE, level = 1)
  })
})

test_that("a damaged summary is noticed", {
  damaged <- withr::with_seed(1, summary(sample_dags(attitude, 10, score = "bge")))
  damaged$draws <- new.env()
  expect_error(print(damaged), class = "optbn_error_model")
})
