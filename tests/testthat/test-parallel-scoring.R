workers <- start_workers()

# Every batch is sent, and none of its numbers may differ.
expect_same_sets <- function(...) {
  withr::local_options(optbn.parallel_seconds = 0)
  sets_of <- function() unclass(suppressMessages(parent_sets(...)))[c("sets", "counted")]
  expect_same_when_spread(sets_of, future::cluster, workers = workers)
}

test_that("scores are those of one process, to the last bit", {
  set.seed(1)
  data <- switching_rows(300)
  expect_same_sets(data, "bic")
  expect_same_sets(data, "bds", max_parents = 2, weights = rep(1:3, 100))
  expect_same_sets(data, "bde", max_parents = 2, targets = list(v1 = 1:100, v3 = 50:120))
  explained <- function(node, parents, data) nrow(data) + length(parents) * (length(parents) < 2)
  expect_same_sets(data[1:4], score_custom(explained), targets = list(v1 = 1:100))
  expect_same_sets(data, "k2", max_parents = 2, whitelist = data.frame("v1", "v2"))
  mixed <- cbind(iris, wide = factor(iris$Sepal.Width > 3, labels = c("no", "yes")))
  expect_same_sets(mixed, "pcart", max_parents = 2)
  expect_same_sets(mixed, "ft-p", max_parents = 2)
  expect_same_sets(mixed, "bic-cg", max_parents = 2)
  expect_same_sets(attitude, "bge", max_parents = 2)
  expect_same_sets(data[1:200, ], score_pred_loglik(data[201:300, ]), max_parents = 2)
  odd <- seq_len(nrow(iris)) %% 2 == 1
  expect_same_sets(mixed[odd, ], score_pred_loglik_cg(mixed[!odd, ]), max_parents = 3)
})

test_that("learners that score get the same networks", {
  withr::local_options(optbn.parallel_seconds = 0)
  set.seed(2)
  data <- switching_rows(300)
  untimed <- function(network) network$arcs
  expect_same_when_spread(function() learn_dag(data), future::cluster, workers = workers,
                          untimed = untimed)
  expect_same_when_spread(function() learn_treewidth(data, 2), future::cluster, workers = workers,
                          untimed = untimed)
})

test_that("what is soon scored stays here", {
  data <- switching_rows(300)
  count <- with_plan(count_distributed(parent_sets(data)), future::cluster, workers = workers)
  expect_equal(count, 0)
})

test_that("workers keep the data until the scores are there", {
  withr::local_options(optbn.parallel_seconds = 0)
  data <- switching_rows(300)
  ids <- function() parallel::clusterEvalQ(workers, get("kept", asNamespace("optbn"))$id)
  with_plan(parent_sets(data, max_parents = 2), future::cluster, workers = workers)
  expect_identical(ids(), list(NULL, NULL))
  independent <- expand.grid(a = 1:2, b = 1:2, c = 1:2, d = 1:2) # bounds end the search early
  independent[] <- lapply(independent, factor)
  with_plan(parent_sets(independent), future::cluster, workers = workers)
  expect_identical(ids(), list(NULL, NULL))
})

test_that("a worker that does not know the data is sent them", {
  set.seed(3)
  problem <- list(encoded = encode_data(switching_rows(100)), score = score_bde(),
                  constraints = list(max_parents = 2L))
  limits <- check_limits(1, Inf, Inf, FALSE, NULL)
  batch <- list(parents = 1L, child = c(0L, 2L), members = c(1L, 0L))
  scores_of <- function(id, last = FALSE, data = NULL) {
    score_batches(list(batch), c(list(id = id, last = last), data), limits, identity)
  }
  known <- scores_of("a", data = problem)
  expect_null(scores_of("b")[[1L]])
  expect_identical(scores_of("a"), known)
  drop_scorers(1, list(id = "a"), limits, identity)
  expect_null(scores_of("a")[[1L]])
  expect_identical(scores_of("a", data = problem), known)
  expect_identical(scores_of("a", last = TRUE), known)
  expect_null(scores_of("a")[[1L]])

  with_plan({
    distribution <- distribute_scoring(problem, limits, NULL)
    expect_identical(distribution$send(list(batch, batch)), c(known, known))
    forget <- function() rm(list = ls(kept), envir = kept)
    environment(forget) <- asNamespace("optbn")
    parallel::clusterCall(workers, forget)
    expect_equal(count_distributed(again <- distribution$send(list(batch, batch))), 2)
    expect_identical(again, c(known, known))
    expect_equal(count_distributed(distribution$send(list(batch, batch))), 1)
  }, future::cluster, workers = workers)
})

test_that("a time limit ends scoring in the workers", {
  withr::local_options(optbn.parallel_seconds = 0)
  # More trees than any machine finds in that time.
  data <- as.data.frame(lapply(1:30, function(i) factor(sample(4, 5000, TRUE))))
  names(data) <- paste0("v", 1:30)
  network <- with_plan(learn_dag(data, "pcart", max_parents = 3, time_limit = 0.5),
                       future::cluster, workers = workers)
  expect_identical(certificate(network)$reason, "time_limit")
  expect_equal(score_of(network), sum(score_network(network, data, "pcart")))
})

test_that("rows that a backend keeps are scored where its connection is", {
  withr::local_options(optbn.parallel_seconds = 0)
  data <- random_frame(500)
  table <- in_sqlite(data)
  sets_of <- function() {
    suppressMessages(parent_sets(table, "bde", max_parents = 2, memory_limit = little_memory))$sets
  }
  alone <- sets_of()
  with_plan(expect_identical(count_distributed(spread <- sets_of()), 0), future::cluster,
            workers = workers)
  expect_identical(spread, alone)
})

test_that("forecasts are of the plan in force", {
  data <- random_frame(500)
  alone <- search_size(data, "bde")
  spread <- with_plan(search_size(data, "bde"), future::cluster, workers = workers)
  expect_equal(spread$workers, 2)
  expect_equal(spread$scored, alone$scored)
  expect_match(format(spread), "by 2 workers", all = FALSE)
})
