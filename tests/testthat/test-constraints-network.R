# Is there a directed path?
has_path <- function(network, from, to) {
  !paths_as_asked(data.frame(from, to, required = FALSE), lapply(network$nodes, `[[`, "parents"))
}

test_that("the best of all networks that meet the constraints is found", {
  set.seed(4)
  met <- 0
  for (i in 1:40) {
    sets <- random_parent_sets(4L, count = 4L, empty = i %% 4 > 0)
    all <- all_networks(sets)
    pairs <- t(utils::combn(sets$nodes, 2L))[sample(6L, 3L), ]
    paths <- data.frame(from = pairs[, 1L], to = pairs[, 2L], required = stats::runif(3) < .5)
    most <- sample(2:6, 1L)
    fits <- vapply(all$parents, function(parents) {
      parents <- stats::setNames(lapply(parents, function(p) sets$nodes[p]), sets$nodes)
      sum(lengths(parents)) <= most && all(paths_as_asked(paths, parents))
    }, NA)
    learn <- function() learn_dag(sets, ancestors = paths, max_arcs = most)
    if (!any(fits)) {
      expect_error(learn(), class = "optbn_error_infeasible")
      next
    }
    met <- met + 1
    network <- learn()
    expect_equal(score_of(network), max(all$scores[fits]))
    expect_certified(network, sets)
    expect_identical(certificate(network)$settings$ancestors, paths)
  }
  expect_gt(met, 20)
})

test_that("from data no parent set is missed that a required path needs", {
  titanic <- as.data.frame(Titanic)
  for (ends in list(c("Sex", "Age"), c("Age", "Sex"), c("Class", "Age"))) {
    paths <- data.frame(ends[1L], ends[2L])
    sets <- parent_sets(titanic[1:4], "bic", weights = titanic$Freq, slack = Inf)
    from_all <- learn_dag(sets, ancestors = paths)
    from_data <- learn_dag(titanic[1:4], "bic", weights = titanic$Freq, ancestors = paths)
    expect_equal(score_of(from_data), score_of(from_all))
    expect_true(has_path(from_data, ends[1L], ends[2L]))
    expect_null(certificate(from_data)$settings$among)
  }
  pruned <- parent_sets(cars, "bic-g", max_parents = 1)
  expect_certified(learn_dag(pruned, ancestors = c("speed", "dist")), pruned)
  noise <- data.frame(a = gl(2, 1, 40), b = gl(2, 20))
  linked <- learn_dag(noise, "bic", ancestors = data.frame("a", "b"))
  expect_identical(nrow(linked$arcs), 1L)
  expect_certified(linked, noise)
  expect_error(learn_dag(parent_sets(noise, "bic"), ancestors = data.frame("a", "b")),
               class = "optbn_error_infeasible")
})

test_that("a table without a third column requires its paths, a pair of names is one", {
  all <- check_network_constraints(data.frame("a", "b"), NULL, data.frame(a = 1, b = 2), NULL, NULL)
  expect_identical(all$ancestors, data.frame(from = "a", to = "b", required = TRUE))
  expect_identical(check_network_constraints(c("a", "b"), 3, data.frame(a = 1, b = 2), NULL, NULL),
                   list(ancestors = all$ancestors, max_arcs = 3L))
  expect_null(check_network_constraints(NULL, Inf, cars, NULL, NULL))
  expect_null(check_network_constraints(data.frame(), NULL, cars, NULL, NULL))
})

test_that("the certificate says what was asked for, and update() asks for it again", {
  set.seed(6)
  sets <- random_parent_sets(16L, count = 20L)
  paths <- data.frame(from = sets$nodes[1:2], to = sets$nodes[3:4], required = c(TRUE, FALSE))
  network <- learn_dag(sets, ancestors = paths, max_arcs = 12, time_limit = 0)
  expect_true(certificate(network)$status %in% c("optimal", "bounded"))
  expect_true(has_path(network, sets$nodes[1L], sets$nodes[3L]))
  expect_lte(nrow(network$arcs), 12)
  best <- update(network, sets)
  expect_equal(score_of(best), score_of(learn_dag(sets, ancestors = paths, max_arcs = 12)))
  expect_certified(best, sets)
  expect_match(format(certificate(best)), "at most 12", all = FALSE)
  expect_match(format(certificate(best)), "1 required, 1 forbidden", all = FALSE)
})

test_that("without time there is a network within the constraints", {
  data <- as.data.frame(lapply(mtcars, function(x) factor(x > stats::median(x))))
  paths <- data.frame(from = c("mpg", "wt", "am"), to = c("cyl", "carb", "vs"),
                      required = c(TRUE, TRUE, FALSE))
  whitelist <- data.frame("hp", "cyl")
  for (score in c("bde", "pcart")) {
    network <- learn_dag(data, score, ancestors = paths, max_arcs = 4, whitelist = whitelist,
                         time_limit = 0)
    expect_true(has_path(network, "mpg", "cyl") && has_path(network, "wt", "carb"))
    expect_false(has_path(network, "am", "vs"))
    expect_lte(nrow(network$arcs), 4)
    expect_false(FALSE %in% verify_certificate(network, data)$ok)
  }
  expect_lte(nrow(learn_dag(data, "bic", max_arcs = 0, time_limit = 0)$arcs), 0)
})

# Small steps from the best networks of all find none that meets these, nor does an exact search in
# any such time.
test_that("with little time a network is found that meets paths at odds with the scores", {
  skip_where_quick()
  skip_without_peer("bnlearn")
  utils::data("insurance", package = "bnlearn", envir = environment())
  data <- droplevels(insurance[1:2000, ])
  sets <- parent_sets(data, "bic", max_parents = 3, threads = 1)
  paths <- data.frame(from = c("RuggedAuto", "Antilock", "MakeModel", "Mileage", "Age"),
                      to = c("CarValue", "PropCost", "PropCost", "SocioEcon", "ThisCarDam"))
  network <- learn_dag(sets, ancestors = paths, max_arcs = 32, threads = 1, time_limit = 10)
  expect_true(all(mapply(has_path, paths$from, paths$to, MoreArgs = list(network = network))))
  expect_lte(nrow(network$arcs), 32)
  expect_false(FALSE %in% verify_certificate(network, sets)$ok)
})

test_that("the root bound of a search under max_arcs is recomputed", {
  set.seed(7)
  sets <- random_parent_sets(18L, count = 30L)
  network <- learn_dag(sets, max_arcs = 25, method = "lagrangian")
  checks <- verify_certificate(network, sets)
  expect_true("root bound" %in% checks$check)
  expect_certified(network, sets)
  broken <- network
  broken$learning$optbn$settings$max_arcs <- 24
  expect_false(all(verify_certificate(resealed(broken), sets)$ok, na.rm = TRUE))
})

test_that("what cannot be is refused, with what is at odds", {
  sets <- parent_sets(mtcars, "bge", max_parents = 2)
  expect_snapshot(error = TRUE, {
    learn_dag(sets, ancestors = data.frame("mpg", "steam"))
    learn_dag(sets, ancestors = data.frame("mpg", "mpg"))
    learn_dag(sets, ancestors = data.frame("mpg", "cyl", required = "yes"))
    learn_dag(sets, ancestors = data.frame("mpg"))
    learn_dag(sets, max_arcs = -1)
    learn_dag(letters, max_arcs = 3)
    learn_dag(sets, ancestors = data.frame(c("mpg", "mpg"), "cyl", c(TRUE, FALSE)))
    learn_dag(sets, ancestors = data.frame(c("mpg", "cyl"), c("cyl", "mpg")))
    learn_dag(sets, whitelist = data.frame(c("mpg", "wt"), c("wt", "cyl")),
              ancestors = data.frame("mpg", "cyl", FALSE))
    learn_dag(sets, whitelist = data.frame(c("mpg", "wt"), c("wt", "cyl")), max_arcs = 1)
    learn_dag(sets, ancestors = data.frame(c("mpg", "am", "qsec"), c("cyl", "wt", "carb")),
              max_arcs = 1)
    learn_dag(sets, ancestors = data.frame("mpg", "cyl"), max_parents = 0)
  })
})

test_that("a limit on all arcs that is too low is named, also where it stands alone", {
  lines <- c("3", "a 2", "-1 0", "-.5 2 b c", "b 1", "-1 0", "c 1", "-1 0")
  file <- withr::local_tempfile(lines = lines)
  sets <- read_jkl(file)
  expect_error(learn_dag(sets, whitelist = c("b", "a"), max_arcs = 1),
               class = "optbn_error_infeasible")
})

test_that("columns are looked at before paths between them", {
  d <- as.data.frame(Titanic)[1:4]
  names(d)[2] <- NA
  for (learn in list(learn_dag, function(...) learn_k_best(..., k = 2))) {
    expect_error(learn(d, ancestors = data.frame("Class", "Age", FALSE)), "Column 2 of `data`",
                 class = "optbn_error_data")
  }
})
