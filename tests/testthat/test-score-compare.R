titanic <- as.data.frame(Titanic)

test_that("networks, arcs and losses are those of the single searches", {
  found <- compare_scores(titanic[1:4], list("bic", score_bde(iss = 5)), iss = c(1, 100),
                          weights = titanic$Freq)
  expect_s3_class(found, c("optbn_compare_scores", "data.frame"), exact = TRUE)
  expect_identical(found$score, c("bic", "bde (iss = 1)", "bde (iss = 100)"))
  scores <- list("bic", score_bde(1), score_bde(100))
  networks <- lapply(scores, function(score) learn_dag(titanic[1:4], score, weights = titanic$Freq))
  expect_identical(lapply(unname(attr(found, "networks")), `[[`, "arcs"),
                   lapply(networks, `[[`, "arcs"))
  expect_identical(found$value, vapply(networks, function(n) certificate(n)$score, 0))
  losses <- attr(found, "losses")
  for (i in 1:3) for (j in 1:3) {
    loss <- score_network(networks[[j]], titanic[1:4], scores[[j]], weights = titanic$Freq) -
      score_network(networks[[i]], titanic[1:4], scores[[j]], weights = titanic$Freq)
    expect_equal(losses[i, j], loss, tolerance = 1e-9)
  }
  expect_true(all(losses >= -1e-9))
  expect_identical(found$arcs, vapply(networks, function(n) nrow(n$arcs), 0L))
})

test_that("gained, lost and turned arcs are counted from the first network", {
  learn <- function(data, score) {
    learn_dag(data, score, whitelist = arcs_of[[format(score)]], max_arcs = 2)
  }
  arcs_of <- list(bic = matrix(c("Class", "Sex", "Sex", "Age"), 2, byrow = TRUE),
                  aic = matrix(c("Sex", "Class", "Class", "Age"), 2, byrow = TRUE))
  found <- compare_scores(titanic[1:3], c("bic", "aic"), learner = learn, cpdag = FALSE)
  expect_identical(found$gained, c(0L, 1L))
  expect_identical(found$lost, c(0L, 1L))
  expect_identical(found$turned, c(0L, 1L))
  arcs <- attr(found, "arcs")
  expect_identical(unname(arcs["Class : Sex", ]), c("->", "<-"))
  expect_identical(unname(arcs["Sex : Age", ]), c("->", ""))
  expect_identical(unname(arcs["Class : Age", ]), c("", "->"))
  same_class <- compare_scores(titanic[1:3], c("bic", "aic"), learner = learn)
  expect_identical(unname(attr(same_class, "arcs")["Class : Sex", ]), c("--", "--"))
  expect_identical(same_class$turned, c(0L, 0L))
})

test_that("parts that were changed are noticed", {
  found <- compare_scores(titanic[1:4], c("bic", "aic"))
  expect_error(print(found[1, ]), class = "optbn_error_model")
  attr(found, "arcs")[1] <- "=>"
  expect_error(plot(found), class = "optbn_error_model")
})

test_that("scores without a model for an arc lose everything", {
  found <- compare_scores(iris, c("bic-cg", "pcart"), max_parents = 2)
  losses <- attr(found, "losses")
  if (any(!is.finite(losses))) expect_identical(losses[2, 1], Inf)
  expect_identical(unname(diag(losses)), c(0, 0))
})

test_that("the usual scores fit the columns", {
  expect_identical(compare_scores(titanic[1:3])$score[1], "bic")
  expect_identical(compare_scores(attitude[1:3])$score[1], "bic-g")
  sizes <- compare_scores(attitude[1:3], c("bge", "aic-g"), iss = c(1, 10))
  expect_identical(sizes$score, c("bge (iss_mu = 1)", "bge (iss_mu = 10)", "aic-g"))
  expect_equal(sizes$value[2], certificate(learn_dag(attitude[1:3], score_bge(10)))$score)
  expect_identical(compare_scores(iris[3:5])$score, c("bic-cg", "aic-cg"))
})

test_that("it is the same in the workers of a plan", {
  skip_without_peer("future")
  workers <- start_workers()
  untimed <- function(found) {
    attr(found, "networks") <- lapply(attr(found, "networks"), `[[`, "arcs")
    found
  }
  expect_same_when_spread(
    function() compare_scores(titanic[1:4], iss = c(1, 10), weights = titanic$Freq),
    future::cluster, workers = workers, untimed = untimed
  )
})

test_that("it prints and draws", {
  found <- compare_scores(titanic[1:4], c("bic", "bde"), iss = c(1, 100), weights = titanic$Freq)
  expect_snapshot(found)
  expect_snapshot(compare_scores(titanic[1:4], "bic", weights = titanic$Freq))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_identical(expect_invisible(plot(found)), found)
  empty <- compare_scores(titanic[1:2], c("bic", "aic"))
  plot(empty, main = "")
  picture <- score_arc_cells(found)
  expect_identical(nrow(picture$cells), sum(found$arcs))
  skip_without_peer("ggplot2")
  draw_ggplot(ggplot2::autoplot(found))
  draw_ggplot(ggplot2::autoplot(empty, main = ""))
})

test_that("bad input is refused", {
  expect_snapshot(error = TRUE, {
    compare_scores(titanic[1:4], 1)
    compare_scores(titanic[1:4], "nonsense")
    compare_scores(titanic[1:4], c("bic", "bic"))
    compare_scores(titanic[1:4], "bde", iss = c(1, -1))
    compare_scores(titanic[1:4], "bde", learner = "learn_dag")
  })
})
