titanic <- as.data.frame(Titanic)

# The second stage of a proof of these settings: is it proved, and in words.
second_stage <- function(score, ..., data = titanic[1:4], weights = titanic$Freq) {
  file <- withr::local_tempfile()
  network <- learn_dag(titanic[1:4], score, weights = titanic$Freq, ..., proof = file)
  check_proof(file, network, data = data, weights = weights)$scores
}

test_that("scores and pruning are proved from the data", {
  for (score in list("bic", "aic", "loglik", score_bic(k = 3), "bde", score_bde(iss = 0.1))) {
    expect_true(second_stage(score)$proved)
  }
  expect_true(second_stage("bic", max_parents = 1)$proved)
  arcs <- list(whitelist = c("Age", "Survived"), blacklist = c("Sex", "Class"))
  expect_true(second_stage("bde", whitelist = arcs$whitelist, blacklist = arcs$blacklist)$proved)
  expect_true(second_stage("bde", candidates = 2, data = titanic[4:1])$proved)
  expect_match(second_stage("bde", tiers = list("Class", c("Sex", "Age")))$detail, "2 required or")
})

test_that("other data prove nothing, and the node is named", {
  expect_match(second_stage("bic", weights = NULL)$detail, "^Class: a listed score is wrong")
  more <- transform(titanic[1:4], Sex = factor(Sex, c(levels(Sex), "other")))
  expect_message(second_stage("bic", data = more), "do not occur")
  expect_false(second_stage("bic", data = titanic[c(1, 2, 9, 4:8, 3, 10:32), 1:4])$proved)
})

test_that("rows in which nodes were set do not count for these", {
  made <- set_frame(200, 4)
  weights <- rep(1:4, 50)
  for (score in list("bic", "bde", score_bde(iss = 10))) {
    file <- withr::local_tempfile()
    network <- learn_dag(made$data, score, targets = made$set, weights = weights, proof = file)
    stage <- function(targets, x = network) {
      check_proof(file, x, data = made$data, weights = weights, targets = targets)$scores
    }
    set_in <- sum(weights[unique(unlist(made$set))])
    expect_true(stage(made$set)$proved)
    expect_match(stage(made$set)$detail, paste0("500 rows, ", set_in, " of them with nodes set"))
    expect_match(stage(list(v1 = made$set$v1, v3 = made$set$v3[-1]))$detail,
                 "^v3: a (listed score is wrong|set is missing)")
    expect_error(stage(NULL), "was learned with it", class = "optbn_error_argument")
    sets <- withr::local_tempfile(fileext = ".jkl") # which says nothing of targets
    write_jkl(parent_sets(network), sets)
    expect_true(stage(made$set, sets)$proved)
    expect_false(stage(NULL, sets)$proved)
  }
  # written anew
  file <- withr::local_tempfile()
  write_proof(network, made$data, file, targets = made$set, weights = weights)
  expect_true(stage(made$set)$proved)
})

test_that("sets that are missing are found, and a scope that is too large", {
  file <- withr::local_tempfile()
  network <- learn_dag(titanic[1:4], "bde", weights = titanic$Freq, proof = file)
  lines <- readLines(file)
  sets <- parent_sets(network)
  whole <- check_proof(file, sets, data = titanic[1:4], weights = titanic$Freq)
  expect_true(whole$scores$proved)
  expect_output(print(whole), "the scores of 28 sets are correct to within 1e-06; every other set")
  expect_output(print(check_proof(file, sets)), "were not checked")

  best <- sets
  best$sets[[1L]] <- keep_sets(best$sets[[1L]], seq_along(best$sets[[1L]]$score) > 1L)
  without <- check_proof(file, best, data = titanic[1:4], weights = titanic$Freq)$scores
  expect_match(without$detail, "^Class: a set is missing")

  network <- learn_dag(titanic[1:4], "bde", weights = titanic$Freq, proof = file, max_parents = 1)
  writeLines(sub("^4 1 0 0$", "4 2 0 0", readLines(file)), file)
  wide <- check_proof(file, network, data = titanic[1:4], weights = titanic$Freq)$scores
  expect_match(wide$detail, "a set is missing")
})

test_that("what has no second stage says so", {
  file <- withr::local_tempfile()
  network <- learn_dag(attitude, "bic-g", proof = file)
  expect_match(check_proof(file, network, data = attitude)$scores$detail, "not all columns")
  network <- learn_dag(titanic[1:4], "k2", weights = titanic$Freq, proof = file)
  found <- check_proof(file, network, data = titanic[1:4], weights = titanic$Freq)
  expect_identical(found$status, "optimal")
  expect_match(found$scores$detail, "does not claim anything of scores")
  expect_output(print(found), "not proved from the data")
  expect_error(check_proof(file, network, data = attitude), class = "optbn_error_argument")
})

test_that("sets that a search asked for are checked, and the scope is what is complete", {
  data <- withr::with_seed(1, as.data.frame(lapply(1:30, function(i) factor(sample(3, 200, TRUE)))))
  names(data) <- node_names(30)
  codes <- lapply(data, as.integer)
  for (v in 2:30) data[[v]] <- factor(codes[[v - 1L]] + codes[[v]] %/% 2L)
  file <- withr::local_tempfile()
  network <- learn_dag(data, "bde", time_limit = 1, proof = file)
  found <- check_proof(file, network, data = data)
  expect_true(found$proved)
  expect_true(found$scores$proved)
  least <- min(certificate(network)$settings$complete)
  expect_match(found$scores$detail, paste("at most", least, "parents"))
})
