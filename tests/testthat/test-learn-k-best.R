scores_of <- function(networks) vapply(networks, score_of, 0)

# Skeleton and colliders with unmarried parents: equal exactly within one
# Markov equivalence class.
class_key <- function(parents) {
  adjacent <- matrix(FALSE, length(parents), length(parents))
  for (v in seq_along(parents)) adjacent[parents[[v]], v] <- adjacent[v, parents[[v]]] <- TRUE
  colliders <- unlist(lapply(seq_along(parents), function(v) {
    if (length(parents[[v]]) < 2L) return(NULL)
    pairs <- utils::combn(parents[[v]], 2L)
    apply(pairs[, !adjacent[t(pairs)], drop = FALSE], 2L, function(p) paste(p[1L], v, p[2L]))
  }))
  paste(c(which(adjacent), "|", sort(as.character(colliders))), collapse = " ")
}

test_that("the k best are the first of all networks", {
  for (seed in 1:8) {
    set.seed(seed)
    sets <- random_parent_sets(3L + seed %% 2L, count = 4L)
    all <- all_networks(sets)
    k <- min(20L, length(all$scores))
    networks <- learn_k_best(sets, k)
    expect_length(networks, k)
    expect_equal(scores_of(networks), all$scores[seq_len(k)])
    expect_identical(anyDuplicated(lapply(networks, function(n) sort(arc_labels(n$arcs)))), 0L)
    for (network in networks) expect_certified(network, sets)
  }
})

test_that("the best of k is the best", {
  set.seed(11)
  sets <- random_parent_sets(9L, count = 12L)
  networks <- learn_k_best(sets, 4)
  expect_equal(score_of(networks[[1L]]), score_of(learn_dag(sets)))
  expect_false(is.unsorted(-scores_of(networks)))
  record <- certificate(networks[[3L]])
  expect_identical(record$settings$rank, 3L)
  expect_identical(record$bound, record$score)
})

test_that("from data nothing is missing", {
  titanic <- as.data.frame(Titanic)
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq, slack = Inf)
  all <- all_networks(sets)
  expect_length(all$scores, 543L) # the number of acyclic networks on four nodes
  for (k in c(1, 2, 30, 400, 543)) {
    networks <- learn_k_best(titanic[1:4], k, "bic", weights = titanic$Freq)
    expect_equal(scores_of(networks), all$scores[seq_len(k)])
  }
  last <- networks[[543L]]
  expect_certified(last, titanic[1:4], weights = titanic$Freq)
  expect_null(certificate(last)$settings$among)
})

test_that("parent sets at hand may not be all, and the certificate says so", {
  titanic <- as.data.frame(Titanic)
  sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq)
  networks <- learn_k_best(sets, 20)
  expect_identical(certificate(networks[[20L]])$settings$among, "the parent sets kept")
  expect_equal(scores_of(networks), all_networks(sets)$scores[1:20])
  expect_null(certificate(learn_k_best(sets, 1)[[1L]])$settings$among)
})

test_that("one network of each equivalence class", {
  titanic <- as.data.frame(Titanic)
  for (score in c("bic", "k2")) {
    sets <- parent_sets(titanic[1:4], score, weights = titanic$Freq, slack = Inf)
    all <- all_networks(sets)
    keys <- vapply(all$parents, class_key, "")
    first <- which(!duplicated(keys))
    expect_length(first, 185L) # the number of classes on four nodes
    k <- 40L
    networks <- learn_k_best(titanic[1:4], k, score, weights = titanic$Freq, equivalence = TRUE)
    expect_equal(scores_of(networks), all$scores[first[seq_len(k)]])
    found <- vapply(networks, function(n) class_key(start_parents(n, sets$nodes)), "")
    expect_identical(anyDuplicated(found), 0L)
    expect_true(certificate(networks[[1L]])$settings$equivalence)
  }
})

test_that("constraints hold", {
  titanic <- as.data.frame(Titanic)
  networks <- learn_k_best(titanic[1:4], 10, weights = titanic$Freq, max_parents = 2,
                           whitelist = c("Age", "Survived"), blacklist = c("Sex", "Class"))
  for (network in networks) expect_certified(network, titanic[1:4], weights = titanic$Freq)
})

test_that("fewer networks than asked for are announced", {
  sets <- parent_sets(cars, "bge", slack = Inf)
  expect_snapshot(networks <- learn_k_best(sets, 5))
  expect_length(networks, 3L)
  expect_message(networks <- learn_k_best(cars, 5, "bge", equivalence = TRUE),
                 class = "optbn_message")
  expect_length(networks, 2L)
})

test_that("arguments are checked", {
  sets <- parent_sets(cars, "bge")
  expect_snapshot(error = TRUE, {
    learn_k_best(sets, 0)
    learn_k_best(sets, 1.5)
    learn_k_best(sets, 1e5)
    learn_k_best(sets, 2, equivalence = NA)
    learn_k_best(sets, 2, "bic")
    learn_k_best(letters, 2)
    learn_k_best(sets, 2, time_limit = 0)
  })
  big <- withr::with_seed(1, random_parent_sets(30L, count = 20L))
  expect_error(learn_k_best(big, 10, method = "dp", memory_limit = 1e9),
               class = "optbn_error_memory")
  expect_snapshot(error = TRUE, {
    learn_k_best(sets, 2, method = "local")
    learn_k_best(sets, 2, method = "dp", max_arcs = 1)
    learn_k_best(parent_sets(attitude, "bge"), 2, max_arcs = 0,
                 ancestors = data.frame("rating", "raises"))
  })
})

test_that("regions and dynamic programming agree", {
  skip_where_quick()
  set.seed(5)
  for (n in c(6L, 12L, 15L)) {
    sets <- random_parent_sets(n, count = 14L)
    for (equivalence in c(FALSE, TRUE)) {
      tabulated <- learn_k_best(sets, 12, method = "dp", equivalence = equivalence)
      for (method in c("lagrangian", "branch-and-cut", "elsa")) {
        ranked <- learn_k_best(sets, 12, method = method, equivalence = equivalence)
        expect_equal(scores_of(ranked), scores_of(tabulated))
      }
    }
  }
})

test_that("many nodes are no obstacle", {
  skip_where_quick()
  set.seed(8)
  sets <- random_parent_sets(45L, count = 8L, others = function(v) {
    setdiff(max(1L, v - 4L):min(45L, v + 4L), v)
  })
  networks <- learn_k_best(sets, 20)
  expect_length(networks, 20L)
  expect_equal(score_of(networks[[1L]]), score_of(learn_dag(sets)))
  expect_false(is.unsorted(-scores_of(networks)))
  expect_identical(anyDuplicated(lapply(networks, function(n) sort(arc_labels(n$arcs)))), 0L)
  for (network in networks) expect_certified(network, sets)
  classes <- learn_k_best(sets, 20, equivalence = TRUE, threads = 2)
  keys <- vapply(classes, function(n) class_key(start_parents(n, sets$nodes)), "")
  expect_identical(anyDuplicated(keys), 0L)
  expect_equal(score_of(classes[[1L]]), score_of(networks[[1L]]))
})

test_that("a search that is stopped returns the first networks", {
  skip_where_quick()
  set.seed(9)
  sets <- random_parent_sets(14L, count = 20L)
  first <- scores_of(learn_k_best(sets, if (all_cases()) 3000 else 300, method = "dp"))
  networks <- NULL
  for (limit in c(.05, .2, .8)) {
    networks <- tryCatch(
      suppressWarnings(learn_k_best(sets, 3000, method = "lagrangian", time_limit = limit)),
      optbn_error_time = function(e) list()
    )
    found <- scores_of(networks)
    known <- seq_len(min(length(found), length(first)))
    expect_equal(found[known], first[known])
    expect_false(is.unsorted(-found))
  }
})

test_that("the k best under constraints on the whole network", {
  set.seed(12)
  for (i in 1:6) {
    sets <- random_parent_sets(4L, count = 4L)
    all <- all_networks(sets)
    paths <- data.frame(from = sets$nodes[1:2], to = sets$nodes[3:4], required = c(TRUE, FALSE))
    fits <- vapply(all$parents, function(parents) {
      parents <- stats::setNames(lapply(parents, function(p) sets$nodes[p]), sets$nodes)
      sum(lengths(parents)) <= 4 && all(paths_as_asked(paths, parents))
    }, NA)
    if (!any(fits)) next
    k <- min(10L, sum(fits))
    networks <- learn_k_best(sets, k, ancestors = paths, max_arcs = 4)
    expect_equal(scores_of(networks), all$scores[fits][seq_len(k)])
    for (network in networks) expect_certified(network, sets)
  }
})

test_that("bnlearn averages over the networks", {
  skip_without_peer("bnlearn")
  networks <- learn_k_best(bnlearn::learning.test[1:4], 6, max_parents = 2)
  strength <- bnlearn::custom.strength(networks, names(bnlearn::learning.test)[1:4])
  expect_s3_class(strength, "bn.strength")
  expect_equal(nrow(strength), 12L)
})

test_that("the k best print, and are a table, and a list for bnlearn", {
  best <- learn_k_best(attitude, 12, "bge")
  expect_s3_class(best, c("optbn_k_best", "list"), exact = TRUE)
  expect_snapshot({
    best
    best[2:3]
    best[0]
    learn_k_best(attitude, 3, "bge", equivalence = TRUE)
  })
  table <- as.data.frame(best)
  expect_identical(table$rank, 1:12)
  expect_equal(table$score, scores_of(best))
  shares <- exp(table$score - table$score[1L])
  expect_equal(table$weight, shares / sum(shares))
  arcs <- arc_posterior(best)
  skip_without_peer("bnlearn")
  wanted <- bnlearn::custom.strength(best, names(attitude), weights = table$weight, cpdag = FALSE)
  expect_equal(arcs$strength, wanted$strength)
  expect_equal(arcs$probability, wanted$strength * wanted$direction)
})

test_that("ordinal numbers are written", {
  expect_identical(ordinal(c(1:4, 11:13, 21:24, 101, 111)),
                   c("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd",
                     "24th", "101st", "111th"))
})

# ---- ranks --------------------------------------------------------------------------------------

test_that("each network prints its rank, and the summary the arcs", {
  titanic <- as.data.frame(Titanic)
  best <- learn_k_best(titanic[1:4], k = 3, score = "bic", weights = titanic$Freq)
  status <- vapply(unclass(best), function(network) proof_in_words(certificate(network)), "")
  expect_identical(status, paste("proved", c("optimal", "2nd best", "3rd best"),
                                 "over all parent sets"))
  summary <- summary(best)
  expect_identical(summary$networks, as.data.frame(best))
  expect_false(is.unsorted(rev(summary$arcs$probability)))
  expect_output(print(summary), "Arcs by their probability")
  classes <- learn_k_best(titanic[1:4], k = 2, score = "bic", weights = titanic$Freq,
                          equivalence = TRUE)
  expect_match(proof_in_words(certificate(classes[[2L]])), "^proved 2nd best class over")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(best), "ggplot")
})
