quietly <- suppressMessages

# ---- forms --------------------------------------------------------------------------------------

test_that("all forms of targets say the same", {
  one <- set_frame(60, 4)
  data <- one$data
  set <- list(v1 = c(3L, 10:20), v3 = 30:40)
  name <- rep("", 60)
  for (node in names(set)) name[set[[node]]] <- node
  encoded <- function(data, targets) encode_data(data, targets = targets)
  wanted <- encoded(data, set)
  expect_identical(wanted$targets, set)
  expect_identical(wanted$nodes, names(data))
  forms <- list(name, factor(name), replace(name, name == "", NA), as.list(name),
                lapply(name, function(x) if (x != "") x else character()),
                c(rev(set), list(v2 = integer())), lapply(set, as.double), lapply(set, rev))
  for (form in forms) expect_identical(encoded(data, form), wanted)
  # as a column, wherever it stands
  expect_identical(encoded(cbind(what = name, data), "what"), wanted)
  data$what <- as.list(name)
  expect_identical(encoded(data, "what"), wanted)
  expect_null(encoded(one$data, rep("", 60))$targets)
  expect_null(encoded(one$data, rep(NA, 60))$targets)
  expect_null(encoded(one$data, list())$targets)
  expect_identical(target_sets(wanted), list(sets = list(character(), "v1", "v3"),
                                             rows = c(37, 12, 11)))
})

test_that("several nodes may be set in a row, and rows of weight 0 are none", {
  one <- set_frame(50, 4)
  targets <- rep(list(character()), 50)
  targets[1:10] <- list(c("v3", "v1"))
  targets[11:15] <- "v1"
  encoded <- encode_data(one$data, targets = targets)
  expect_identical(encoded$targets, list(v1 = 1:15, v3 = 1:10))
  expect_identical(target_sets(encoded), list(sets = list(character(), "v1", c("v1", "v3")),
                                              rows = c(35, 5, 10)))
  weights <- rep(0:2, length.out = 50)
  weighted <- encode_data(one$data, weights, targets = targets)
  times <- rep(seq_len(50), weights)
  expect_equal(score_network("[v1][v2|v1][v3|v2][v4|v1]", one$data, "bde", TRUE, weights, targets),
               score_network("[v1][v2|v1][v3|v2][v4|v1]", one$data[times, ], "bde", TRUE,
                             targets = targets[times]))
  expect_equal(target_sets(weighted), target_sets(encode_data(one$data[times, ],
                                                              targets = targets[times])))
})

test_that("a table in a database names the column of targets", {
  one <- set_frame(60, 4)
  table <- in_sqlite(cbind(one$data, what = rep(c("", "v1", "v3"), 20)))
  network <- quietly(learn_dag(table, "bde", targets = "what"))
  expect_identical(names(network$nodes), names(one$data))
  expect_equal(certificate(network)$score,
               certificate(learn_dag(one$data, "bde", targets = rep(c("", "v1", "v3"), 20)))$score)
  expect_snapshot(error = TRUE, {
    learn_dag(table, "bde", targets = "nothing")
    learn_dag(table, "bde", targets = rep("", 60))
  })
})

test_that("rows that stay in a database are left out there", {
  for (columns in list(c(5, 0), c(0, 4), c(3, 2))) {
    data <- random_frame(800, columns[1], columns[2])
    first <- names(data)[1:2]
    data$set <- rep_len(c("", first, NA, ""), 800)
    table <- in_sqlite(data)
    scores <- switch(columns_kind(encode_data(data[names(data) != "set"])), mixed = "bic-cg",
                     discrete = c("bde", "bic", "pnal"), continuous = c("bge", "bic-g"))
    for (score in scores) {
      here <- parent_sets(data, score, targets = "set", progress = FALSE)
      there <- quietly(parent_sets(table, score, targets = "set", memory_limit = little_memory,
                                   progress = FALSE))
      expect_same_sets(there, here)
    }
    network <- quietly(learn_dag(table, scores[1], targets = "set", memory_limit = little_memory))
    expect_equal(certificate(network)$settings$targets,
                 certificate(learn_dag(data, scores[1], targets = "set"))$settings$targets)
    expect_equal(score_network(network, data, scores[1], targets = "set"),
                 quietly(score_network(network, table, scores[1], targets = "set",
                                       memory_limit = little_memory)))
    expect_equal(quietly(coef(fit_network(network, table, targets = "set",
                                          memory_limit = little_memory))),
                 quietly(coef(fit_network(network, data, targets = "set"))), tolerance = 1e-8)
  }
  data$set <- "D1"
  broken <- function(data) {
    quietly(learn_dag(in_sqlite(data), "bic-cg", targets = "set", memory_limit = little_memory))
  }
  expect_error(broken(data), "set in all rows", class = "optbn_error_data")
  data$set <- ifelse(seq_len(800) > 400, "X1", "")
  data$X1[1:400] <- 3
  expect_error(broken(data), "constant where", class = "optbn_error_data")
  data$set[1] <- "what"
  expect_error(broken(data), "is none", class = "optbn_error_argument")
})

test_that("what targets cannot be is refused", {
  data <- set_frame(30, 3)$data
  numbers <- data.frame(a = c(1, 1, 1, 2, 3), b = c(2, 3, 1, 5, 4))
  refuse <- function(targets) score_network("[v1][v2][v3]", data, "bde", targets = targets)
  expect_snapshot(error = TRUE, {
    refuse("nothing")
    refuse(c("v1", "v2"))
    refuse(rep(c("v1", "v7", "v8"), 10))
    refuse(replace(rep(list("v1"), 30), 2, 3))
    refuse(data.frame(x = 1:30))
    refuse(1:30)
    refuse(list(v1 = 31))
    refuse(list(v1 = c(1, NA)))
    refuse(list(v1 = 1.5))
    refuse(list(v9 = 1))
    refuse(list(v1 = NULL, v2 = 0))
    refuse(list(v1 = 1, v1 = 2))
    refuse(list(v1 = TRUE))
    refuse(list(v1 = 1:30, v2 = 1))
    score_network("[v1][v2][v3]", cbind(data, what = 1:30), "bde", targets = "what")
    score_network("[v1][v2][v3]", cbind(data, what = "v4"), "bde", targets = "what")
  })
  expect_snapshot(error = TRUE, {
    learn_dag(data[1], targets = "v1")
    learn_dag(numbers, "bge", targets = list(a = 4:5))
    score_network("[v1][v2][v3]", data, score_mbde(1, list(v1 = 1)), targets = list(v1 = 1))
    learn_dag(parent_sets(data), targets = list(v1 = 1))
    fit_network("[v1][v2][v3]", data, method = "em", targets = list(v1 = 1))
    learn_dag(data, missing = "em", targets = list(v1 = 1))
    learn_dag(data, "bde", targets = list(v1 = 1, v2 = 2), memory_limit = 500)
  })
})

# ---- scores -------------------------------------------------------------------------------------

test_that("every score of a node is that of the rows in which it was not set", {
  frames <- list(discrete = set_frame(90, 4), gaussian = set_frame(60, 0, 4),
                 mixed = set_frame(120, 2, 2))
  explained <- function(node, parents, data) {
    number <- function(name) as.integer(data[[name]])
    sum(vapply(parents, function(u) stats::cor(number(node), number(u))^2 - 0.1, 0)) + nrow(data)
  }
  scores <- lapply(setdiff(names(score_constructors), c("pcart", "pcart-p", "ft", "ft-p")),
                   as_score)
  scores <- c(scores, list(
    score_bde(3, "vsp"), score_pred_loglik(frames$discrete$data[1:20, ]),
    score_pred_loglik_g(frames$gaussian$data[1:20, ]),
    score_pred_loglik_cg(frames$mixed$data[1:20, ]), score_custom(explained), score_pcart(),
    score_pcart(penalty = "size"), score_ft(alpha = 1)
  ))
  network <- "[v1][v2|v1][v3|v1:v2][v4|v3]"
  for (score in scores) {
    kind <- score_kind(score)
    one <- frames[[if (kind == "any") "discrete" else kind]]
    score <- complete_score(score, encode_data(one$data))
    found <- score_network(network, one$data, score, by_node = TRUE, targets = one$set)
    for (node in names(one$data)) {
      left <- setdiff(seq_len(nrow(one$data)), one$set[[node]])
      alone <- quietly(score_network(network, one$data[left, ], score, by_node = TRUE))
      expect_equal(found[[node]], alone[[node]], tolerance = 1e-12, info = format(score))
    }
  }
})

test_that("the numbers are bnlearn's mbde", {
  skip_without_peer("bnlearn")
  data <- bnlearn::learning.test[1:500, ]
  withr::local_seed(5)
  for (round in 1:5) {
    network <- bnlearn::random.graph(names(data), prob = 0.4)
    for (node in names(data)) {
      # (bnlearn looks beyond the end of these for rows after the last one.)
      set <- rlang::set_names(list(c(sort(sample(499, 60)), 500)), node)
      expect_equal(score_network(network, data, score_bde(3), TRUE, targets = set),
                   bnlearn::score(network, data, type = "mbde", iss = 3, exp = set, by.node = TRUE),
                   tolerance = 1e-10)
    }
  }
  expect_identical(score_network(network, data, score_bde(3), targets = set),
                   score_network(network, data, score_mbde(3, set)))
})

# ---- searches -----------------------------------------------------------------------------------

test_that("the optimum is that of all networks", {
  dags <- all_dags(4)
  expect_length(dags, 543)
  for (kind in c("discrete", "gaussian", "mixed")) {
    one <- switch(kind, discrete = set_frame(80, 4, seed = 3), gaussian = set_frame(50, 0, 4),
                  mixed = set_frame(100, 2, 2, seed = 2))
    labels <- switch(kind, discrete = c("bde", "bic", "qnml"), gaussian = c("bic-g", "bge"),
                     mixed = "bic-cg")
    for (label in labels) {
      score <- complete_score(as_score(label), encode_data(one$data))
      possible <- dags
      if (kind == "mixed") possible <- Filter(function(a) all(a[3:4, 1:2] == 0), dags)
      all <- score_all_dags(possible, one$data, one$set, score)
      network <- learn_dag(one$data, label, targets = one$set)
      expect_identical(certificate(network)$status, "optimal")
      expect_equal(certificate(network)$score, max(all), tolerance = 1e-12)
      expect_equal(score_network(network, one$data, label, targets = one$set), max(all))
      best <- learn_k_best(one$data, 5, label, targets = one$set)
      expect_equal(vapply(best, function(network) certificate(network)$score, 0),
                   sort(all[is.finite(all)], decreasing = TRUE)[1:5])
      if (kind == "mixed") next
      posterior <- network_posterior(one$data, label, targets = one$set)
      p <- exp(all - max(all)) / sum(exp(all - max(all)))
      arcs <- Reduce(`+`, Map(`*`, possible, p))
      expect_equal(unname(arc_probabilities(posterior)), arcs, tolerance = 1e-5)
    }
  }
})

test_that("branching and search on demand take the rows that are left", {
  one <- set_frame(200, 12, seed = 4)
  exhaustive <- parent_sets(one$data, score_bic(), targets = one$set, max_parents = 4)
  local <- function(sets) {
    lapply(seq_along(sets$nodes), function(v) sets$sets[[v]]$score[1])
  }
  for (label in c("bic", "bde")) {
    network <- learn_dag(one$data, label, targets = one$set)
    expect_identical(certificate(network)$status, "optimal")
    expect_equal(certificate(network)$score,
                 score_network(network, one$data, label, targets = one$set))
    timed <- learn_dag(one$data, label, targets = one$set, time_limit = 20)
    expect_equal(certificate(timed)$score, certificate(network)$score)
  }
  again <- parent_sets(one$data, score_bic(), targets = one$set)
  expect_equal(local(again), local(exhaustive))
})

test_that("where values are missing, experiments are scored by node averages", {
  data <- set_frame(80, 3)$data
  data$v2[1:5] <- NA
  data$what <- rep(c(NA, "v1"), 40)
  network <- quietly(learn_dag(data, targets = "what"))
  expect_identical(certificate(network)$settings$score$label, "pnal")
  expect_identical(certificate(network)$settings$targets$rows, c(40, 40))
})

test_that("other learners take targets", {
  one <- set_frame(80, 4)
  bounded <- learn_treewidth(one$data, 3, "bde", targets = one$set)
  network <- learn_dag(one$data, "bde", targets = one$set)
  expect_equal(certificate(bounded)$score, certificate(network)$score)
  data <- cbind(one$data, what = "")
  data$what[1:20] <- "v1"
  classifier <- learn_classifier(data, "v4", score = "bde", targets = "what")
  expect_equal(certificate(classifier)$score,
               score_network(classifier, data, "bde", targets = "what"))
  compared <- compare_scores(data, c("bde", "bic"), targets = "what", progress = FALSE)
  expect_equal(compared$value[1], certificate(learn_dag(data, "bde", targets = "what"))$score)
  expect_s3_class(search_size(data, "bde", targets = "what"), "optbn_search_size")
  networks <- sample_dags(data, 5, score = "bde", targets = "what", progress = FALSE)
  expect_identical(networks$nodes, names(one$data))
})

test_that("samples of rows keep what was set in them", {
  skip_without_peer("bnlearn")
  data <- cbind(set_frame(80, 4)$data, what = rep(c("", "", "v1", "v3"), 20))
  strength <- bootstrap_dags(data, 5, score = "bde", targets = "what", progress = FALSE)
  expect_setequal(unique(strength$from), paste0("v", 1:4))
  networks <- attr(strength, "networks")
  arcs <- lapply(networks, function(network) as.matrix(essential_graph(network)))
  directed <- lapply(arcs, function(a) a / pmax(1, a + t(a)))
  half <- Reduce(`+`, directed) / 5
  expect_equal(strength$strength * strength$direction, half[as.matrix(strength[1:2])])
  rows <- vapply(networks, function(network) certificate(network)$settings$targets$rows, numeric(3))
  expect_true(all(colSums(rows) == 80) && stats::sd(rows[1, ]) > 0)
})

test_that("a certificate says what was set, and is verified and taken up with it", {
  one <- set_frame(80, 4)
  network <- learn_dag(one$data, "bde", targets = one$set)
  lines <- format(certificate(network))
  expect_match(lines, "targets +2 nodes, set in [0-9]+ rows", all = FALSE)
  expect_match(format(parent_sets(one$data, "bde", targets = one$set)), "targets: 2 nodes",
               all = FALSE)
  checks <- verify_certificate(network, one$data, targets = one$set)
  expect_true(all(checks$ok))
  stopped <- quietly(learn_dag(one$data, "bde", targets = one$set, method = "local"))
  stopped$learning$optbn$status <- "heuristic"
  stopped <- resealed(stopped)
  continued <- update(stopped, one$data, targets = one$set)
  expect_equal(certificate(continued)$score, certificate(network)$score)
  expect_snapshot(error = TRUE, {
    verify_certificate(network, one$data)
    update(stopped, one$data)
    verify_certificate(learn_dag(one$data, "bde"), one$data, targets = one$set)
  })
  file <- withr::local_tempfile()
  write_proof(network, one$data, file, targets = one$set)
  sets <- parent_sets(one$data, "bde", targets = one$set)
  expect_true(check_proof(file, sets)$proved)
  expect_identical(sets[c("v2", "v3")]$settings$targets,
                   list(sets = list(character(), "v3"), rows = c(54, 26)))
})

# ---- fits and effects ---------------------------------------------------------------------------

test_that("parameters come from the rows in which a node was not set", {
  one <- set_frame(120, 2, 2)
  network <- "[v1][v2|v1][v3|v1:v2][v4|v3]"
  for (score in list(NULL, "pcart")) {
    data <- if (is.null(score)) one$data else set_frame(120, 4)$data
    fit <- fit_network(network, data, targets = one$set, score = score)
    for (node in names(data)) {
      left <- setdiff(seq_len(120), one$set[[node]])
      alone <- fit_network(network, data[left, ], score = score)
      expect_equal(coef(local_model(fit, node)), coef(local_model(alone, node)))
    }
  }
  column <- cbind(one$data, what = "")
  column$what[1:20] <- "v2"
  fit <- fit_network(network, column, targets = "what")
  expect_equal(coef(fit), coef(fit_network(network, one$data, targets = column$what)))
  expect_identical(names(simulate(fit, 3)), names(one$data))
})

test_that("folds of rows keep what was set in them", {
  data <- cbind(set_frame(80, 4)$data, what = rep(c("", "", "v1", "v3"), 20))
  found <- cross_validate(data, function(data) {
    fit_network(learn_dag(data, "bde", targets = "what"), data, targets = "what")
  }, k = 2, progress = FALSE)
  expect_true(all(is.finite(found$value)))
})

test_that("effects are estimated where nothing but the cause was set", {
  withr::local_seed(1)
  rows <- 400
  data <- data.frame(a = rnorm(rows))
  data$b <- data$a + rnorm(rows)
  set <- sample(rows, 300)
  data$b[set] <- rnorm(300) # no effect of a comes through
  data$c <- data$b + rnorm(rows)
  found <- causal_effects(data, score = "bge", from = "a", to = "c", targets = list(b = set),
                          progress = FALSE)
  expect_lt(abs(found$effects$effect - 1), 0.4)
  factors <- as.data.frame(lapply(data, function(x) factor(x > 0)))
  tables <- causal_effects(factors, score = "bde", from = "a", to = "c", targets = list(b = set),
                           progress = FALSE)
  expect_gt(tables$effects$effect, 0.1)
  expect_error(causal_effects(data, score = "bge", from = "a", progress = FALSE,
                              targets = list(b = set, c = setdiff(seq_len(rows), set))),
               class = "optbn_error_data")
  posterior <- network_posterior(data, "bge")
  expect_error(causal_effects(data, posterior = posterior, targets = list(b = set)),
               class = "optbn_error_argument")
})

# ---- proteins -----------------------------------------------------------------------------------

test_that("the network of 11 proteins that were set in turn is proved", {
  data <- utils::read.csv(shared_path("data", "sachs", "discrete.csv.gz"), colClasses = "character")
  known <- utils::read.csv(shared_path("data", "sachs", "consensus.csv"))
  shared <- function(network) sum(arc_labels(network$arcs) %in% arc_labels(as.matrix(known)))
  network <- quietly(learn_dag(data, "bde", targets = "target", threads = 1))
  expect_identical(certificate(network)$status, "optimal")
  expect_equal(certificate(network)$score, -31696.937993, tolerance = 1e-10)
  observed <- quietly(learn_dag(data[names(data) != "target"], "bde", threads = 1))
  expect_identical(c(shared(network), shared(observed)), c(16L, 9L))
})
