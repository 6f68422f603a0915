# By kind of columns: four of them, and the scores that take them.
small_frames <- list(discrete = random_frame(120, 4, 0), continuous = random_frame(60, 0, 4),
                     mixed = random_frame(120, 2, 2))
averages <- list(
  discrete = list(score_nal(), score_pnal(), score_pnal(5)),
  continuous = list(score_nal_g(), score_pnal_g(), score_pnal_g(5)),
  mixed = list(score_nal_cg(), score_pnal_cg(), score_pnal_cg(5))
)

quietly <- function(code) suppressMessages(code, classes = "optbn_message")

# Adjacency matrix of the network of one family.
family_of <- function(nodes, node, parents) {
  network <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  network[parents, node] <- 1
  network
}

# All parent sets that are candidates, scored one by one.
every_family <- function(data, score) {
  nodes <- names(data)
  discrete <- vapply(data, is.factor, NA)
  sets_by_hand(nodes, lapply(seq_along(nodes), function(v) {
    others <- setdiff(seq_along(nodes), v)
    if (discrete[v]) others <- others[discrete[others]]
    sets <- lapply(seq_len(2^length(others)) - 1, function(mask) {
      others[bitwAnd(mask, 2^(seq_along(others) - 1)) > 0]
    })
    scores <- vapply(sets, function(parents) {
      score_network(family_of(nodes, v, parents), data, score, by_node = TRUE)[[v]]
    }, 0)
    best_first <- setdiff(order(-scores), which(scores == -Inf))
    list(score = scores[best_first], size = lengths(sets)[best_first],
         parents = as.integer(unlist(sets[best_first])))
  }))
}

expect_own_score <- function(network, data, score) {
  expect_equal(score_of(network), score_network(network, data, score), tolerance = 1e-12)
}

# ---- what is scored -----------------------------------------------------------------------------

# Random networks that the score has models for.
random_network <- function(data, prob) {
  network <- bnlearn::random.graph(names(data), prob = prob)
  discrete <- vapply(data, is.factor, NA)
  arcs <- bnlearn::arcs(network)
  arcs <- arcs[discrete[arcs[, "from"]] | !discrete[arcs[, "to"]], , drop = FALSE]
  network <- bnlearn::empty.graph(names(data))
  bnlearn::arcs(network) <- arcs
  network
}

# How many of our scores are -Inf. (bnlearn warns of singular and of empty regressions.)
expect_bnlearns <- function(data, kind, prob = 0.4, networks = 3) {
  suffix <- c(discrete = "", continuous = "-g", mixed = "-cg")[[kind]]
  nal <- paste0("nal", suffix)
  pnal <- paste0("pnal", suffix)
  impossible <- 0
  for (round in seq_len(networks)) {
    network <- random_network(data, prob)
    for (k in list(NULL, 3)) {
      ours <- quietly(score_network(network, data, score_constructors[[pnal]](k), by_node = TRUE))
      theirs <- suppressWarnings(do.call(bnlearn::score, c(
        list(network, data, type = pnal, by.node = TRUE), if (!is.null(k)) list(k = k)
      )))
      expect_equal(ours, theirs, tolerance = 1e-10)
    }
    ours <- quietly(score_network(network, data, nal, by_node = TRUE))
    theirs <- suppressWarnings(bnlearn::score(network, data, type = nal, by.node = TRUE))
    expect_equal(ours, theirs, tolerance = 1e-10)
    impossible <- impossible + sum(ours == -Inf)
  }
  impossible
}

bnlearns_data <- function(name) {
  shelf <- new.env()
  utils::data(list = name, package = "bnlearn", envir = shelf)
  shelf[[name]]
}

test_that("node averages are bnlearn's", {
  skip_without_peer("bnlearn")
  frames <- list(discrete = droplevels(bnlearns_data("alarm")[1:2000, 1:12]),
                 continuous = bnlearns_data("gaussian.test")[1:2000, ],
                 mixed = bnlearns_data("clgaussian.test")[1:2000, ])
  set.seed(1)
  for (kind in names(frames)) for (share in c(0.1, 0.4)) {
    expect_bnlearns(with_holes(frames[[kind]], share), kind)
  }
})

test_that("so are those that do not exist", {
  skip_without_peer("bnlearn")
  frames <- list(discrete = bnlearns_data("learning.test")[1:100, ],
                 continuous = bnlearns_data("gaussian.test")[1:16, ],
                 mixed = bnlearns_data("clgaussian.test")[1:100, ])
  set.seed(2)
  impossible <- vapply(names(frames), function(kind) {
    expect_bnlearns(with_holes(frames[[kind]], 0.6), kind, prob = 0.7, networks = 8)
  }, 0)
  expect_true(all(impossible > 0))
})

test_that("a family that no row knows, or a configuration without rows, has no score", {
  apart <- random_frame(100, discrete = 3, continuous = 1)
  apart$D1[1:50] <- NA
  apart$D2[51:100] <- NA
  scored <- function(network, score) score_network(network, apart, score, by_node = TRUE)
  expect_identical(scored("[D1][D2|D1][D3|D1:D2][X1]", "nal-cg") == -Inf,
                   c(D1 = FALSE, D2 = TRUE, D3 = TRUE, X1 = FALSE))
  expect_identical(scored("[D1][D2][D3][X1|D1]", "pnal-cg") == -Inf,
                   c(D1 = FALSE, D2 = FALSE, D3 = FALSE, X1 = FALSE))
  apart$D1 <- factor(apart$D1, c("a", "b", "never"))
  expect_identical(quietly(scored("[D1][D2][D3|D1][X1|D1]", "pnal-cg")) == -Inf,
                   c(D1 = FALSE, D2 = FALSE, D3 = FALSE, X1 = TRUE))
  expect_error(quietly(learn_dag(apart, "pnal-cg", whitelist = c("D1", "D2"), progress = FALSE)),
               "D2", class = "optbn_error_infeasible")
})

test_that("of complete data they are means of the scores of complete data", {
  complete <- c("", "-g", "-cg")
  for (i in 1:3) {
    data <- small_frames[[i]]
    network <- if (i == 2) "[X1][X2|X1][X3|X1:X2][X4]" else "[D1][D2|D1][%s|D1:D2][%s|D2:%s]"
    last <- names(data)[3:4]
    if (i != 2) network <- sprintf(network, last[1], last[2], last[1])
    scored <- function(label, k) {
      label <- paste0(label, complete[i])
      score <- if (is.null(k)) label else score_constructors[[label]](k)
      score_network(network, data, score, by_node = TRUE)
    }
    n <- nrow(data)
    expect_equal(n * scored("pnal", log(n) / 2), scored("bic", NULL), tolerance = 1e-12)
    expect_equal(n * scored("pnal", 1), scored("aic", NULL), tolerance = 1e-12)
    expect_equal(n * scored("nal", NULL), scored("loglik", NULL), tolerance = 1e-12)
  }
})

test_that("weights are repeated rows", {
  for (kind in names(small_frames)) {
    data <- with_holes(small_frames[[kind]], 0.2)
    weights <- rep(c(0, 1, 3), length.out = nrow(data))
    repeated <- data[rep(seq_len(nrow(data)), weights), ]
    for (score in averages[[kind]]) {
      weighted <- parent_sets(data, score, weights = weights, slack = Inf, progress = FALSE)
      plain <- parent_sets(repeated, score, slack = Inf, progress = FALSE)
      for (v in seq_along(weighted$sets)) {
        sets <- function(x) x$sets[[v]][c("size", "parents")]
        expect_identical(sets(weighted), sets(plain))
        expect_equal(weighted$sets[[v]]$score, plain$sets[[v]]$score, tolerance = 1e-12)
      }
    }
  }
})

test_that("a column that none of the rows counted knows is refused", {
  data <- with_holes(small_frames$discrete, 0.1)
  data$D2[1:60] <- NA
  weights <- rep(1:0, each = 60)
  expect_error(learn_dag(data, weights = weights), "\"D2\" of `data` has no value",
               class = "optbn_error_data")
})

# ---- what is found ------------------------------------------------------------------------------

test_that("optima are the best of all networks", {
  methods <- setdiff(search_methods, "local")
  for (kind in names(small_frames)) for (share in c(0.1, 0.5)) {
    data <- with_holes(small_frames[[kind]], share)
    for (score in averages[[kind]]) {
      all <- all_networks(every_family(data, score))
      for (method in methods) {
        network <- learn_dag(data, score, method = method, progress = FALSE)
        expect_equal(score_of(network), all$scores[1], tolerance = 1e-12)
        expect_own_score(network, data, score)
      }
      expect_certified(network, data)
      best <- learn_k_best(data, 5, score, progress = FALSE)
      expect_equal(vapply(best, score_of, 0), all$scores[1:5], tolerance = 1e-12)
      posterior <- network_posterior(data, score, progress = FALSE)
      expect_equal(posterior$log_sum, log(sum(exp(all$scores))), tolerance = 1e-6)
    }
  }
})

test_that("networks of bounded tree-width have the scores of their families", {
  for (kind in names(small_frames)) {
    data <- with_holes(small_frames[[kind]], 0.3)
    score <- averages[[kind]][[3]]
    all <- all_networks(every_family(data, score))
    widths <- vapply(all$parents, function(parents) {
      network <- Reduce(`+`, Map(function(v, p) family_of(names(data), v, p), 1:4, parents))
      treewidth(network, progress = FALSE)$upper
    }, 0)
    best <- all$scores[widths <= 1][1]
    for (method in c("exact", "local", "sample")) {
      network <- learn_treewidth(data, 1, score, method = method, progress = FALSE,
                                 iterations = if (method != "exact") 100)
      expect_own_score(network, data, score)
      if (method == "exact") expect_equal(score_of(network), best, tolerance = 1e-12)
    }
  }
})

test_that("what samples, resamples and compares takes them", {
  skip_without_peer("bnlearn")
  for (kind in names(small_frames)) {
    data <- with_holes(small_frames[[kind]], 0.2)
    score <- averages[[kind]][[3]]
    drawn <- withr::with_seed(1, sample_dags(network_posterior(data, score, progress = FALSE), 20))
    scores <- vapply(drawn, score_network, 0, data, score)
    expect_lte(max(scores), score_of(learn_dag(data, score, progress = FALSE)) + 1e-12)
    replicates <- withr::with_seed(1, bootstrap_dags(data, 3, score = score, progress = FALSE))
    expect_length(attr(replicates, "networks"), 3)
    found <- compare_scores(data, averages[[kind]], progress = FALSE)
    own <- mapply(score_network, attr(found, "networks"), list(data), averages[[kind]])
    expect_equal(found$value, unname(own))
    expect_true(all(attr(found, "losses") >= -1e-12))
    informative <- informative_score(k_tree(list(names(data)[1:3], names(data)[2:4])), data, score)
    expect_true(all(is.finite(informative)))
  }
})

test_that("a search on demand finds a network whose score is its own", {
  skip_without_peer("bnlearn")
  data <- with_holes(droplevels(bnlearns_data("alarm")[1:300, ]), 0.1)
  network <- quietly(learn_dag(parent_sets(data, time_limit = 2, progress = FALSE)))
  expect_own_score(network, data, certificate(network)$settings$score)
})

test_that("scoring by several processes gives the same numbers", {
  skip_where_quick()
  workers <- start_workers()
  withr::local_options(optbn.parallel_seconds = 0)
  for (kind in names(small_frames)) {
    data <- with_holes(small_frames[[kind]], 0.2)
    sets_of <- function() unclass(parent_sets(data, averages[[kind]][[2]]))[c("sets", "counted")]
    expect_same_when_spread(sets_of, future::cluster, workers = workers)
  }
})

# ---- without a score ----------------------------------------------------------------------------

test_that("parent sets of data with holes get a node average if no score is given", {
  for (kind in names(small_frames)) {
    data <- with_holes(small_frames[[kind]], 0.2)
    label <- averages[[kind]][[3]]$label
    expect_message(sets <- parent_sets(data, progress = FALSE), paste0("\"", label, "\""),
                   class = "optbn_message")
    network <- learn_dag(sets, progress = FALSE)
    score <- certificate(network)$settings$score
    expect_identical(score, score_constructors[[label]](sqrt(nrow(data)) / 2))
    expect_own_score(network, data, score)
    expect_setequal(compare_scores(data, progress = FALSE)$score, c(format(score), label))
  }
  expect_snapshot(sets <- parent_sets(airquality[c("Ozone", "Temp")], progress = FALSE))
  counted <- with_holes(small_frames$discrete, 0.2)
  weighted <- quietly(parent_sets(counted, weights = rep(2, 120), progress = FALSE))
  expect_equal(weighted$settings$score$k, sqrt(240) / 2)
})

# ---- what is refused ----------------------------------------------------------------------------

test_that("other scores say what takes missing values", {
  data <- lapply(small_frames, with_holes, 0.05)
  expect_snapshot(error = TRUE, {
    learn_dag(data$discrete, "bde")
    parent_sets(data$continuous, "bge")
    score_network("[D1][D2][X1][X2]", data$mixed, "pcart")
    compare_scores(data$discrete, c("pnal", "bic"))
    fit_network("[D1][D2][D3][D4]", data$discrete)
  })
  skip_without_peer("bnlearn")
  expect_snapshot(bootstrap_dags(data$mixed, 2, score = "bic-cg"), error = TRUE)
  completed <- withr::with_seed(1, bootstrap_dags(data$discrete, 2, score = "bic", missing = "em"))
  expect_length(attr(completed, "networks"), 2)
})

test_that("bad input is refused", {
  data <- with_holes(small_frames$discrete, 0.1)
  mixed <- with_holes(small_frames$mixed, 0.1)
  empty <- transform(mixed, D1 = factor(NA), X2 = NA_real_)
  expect_snapshot(error = TRUE, {
    score_pnal(-1)
    score_pnal_g(NA)
    learn_dag(data, "pnal", weights = replace(rep(1, 120), 3, NA))
    learn_dag(empty)
    learn_dag(mixed, "pnal")
    learn_dag(mixed, "pnal-g")
    learn_dag(data, "pnal-g")
  })
})

test_that("proofs take scores of node averages as they are", {
  data <- with_holes(small_frames$discrete, 0.1)
  file <- withr::local_tempfile(fileext = ".proof")
  network <- learn_dag(data, "pnal", progress = FALSE, proof = file)
  checked <- check_proof(file, network, data = data)
  expect_true(checked$proved)
  expect_identical(checked$scores, list(proved = FALSE, detail = "values are missing"))
})
