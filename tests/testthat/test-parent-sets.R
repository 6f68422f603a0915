simulated <- function(rows = 150, columns = 5) {
  set.seed(1)
  data <- data.frame(v1 = factor(sample(3, rows, TRUE)))
  for (i in 2:columns) {
    copy <- runif(rows) < 0.6
    data[[paste0("v", i)]] <- factor(ifelse(copy, data[[i - 1]], sample(2 + i %% 2, rows, TRUE)))
  }
  data
}

# All sets of a node's possible parents with their scores, one network each.
all_families <- function(data, node, score) {
  others <- setdiff(names(data), node)
  subsets <- unlist(lapply(0:length(others), function(k) utils::combn(others, k, simplify = FALSE)),
                    recursive = FALSE)
  values <- vapply(subsets, function(parents) {
    given <- if (length(parents)) paste0("|", paste(parents, collapse = ":"))
    family <- paste0("[", node, given, "]")
    rest <- paste0("[", others, "]", collapse = "")
    score_network(paste0(rest, family), data, score, by_node = TRUE)[[node]]
  }, 0)
  list(sets = subsets, scores = values)
}

test_that("what is kept is what no subset beats", {
  data <- simulated()
  for (score in c("bic", "bde", "k2")) {
    sets <- parent_sets(data, score)
    for (node in names(data)) {
      families <- all_families(data, node, score)
      kept <- vapply(seq_along(families$sets), function(i) {
        inside <- vapply(families$sets, function(s) {
          all(s %in% families$sets[[i]]) && length(s) < length(families$sets[[i]])
        }, NA)
        all(families$scores[i] > families$scores[inside])
      }, NA)
      found <- as.data.frame(sets)[as.data.frame(sets)$node == node, ]
      wanted <- vapply(families$sets[kept], paste, "", collapse = ":")
      expect_setequal(found$parents, wanted)
      expect_equal(sort(found$score), sort(families$scores[kept]))
    }
  }
})

test_that("constraints hold in every set, and come before dominance", {
  data <- simulated()
  whitelist <- matrix(c("v2", "v5", "v3", "v5"), ncol = 2, byrow = TRUE)
  sets <- parent_sets(data, "bic", whitelist = whitelist, blacklist = c("v1", "v2"),
                      max_parents = c(v1 = 0, v2 = 2, v3 = 1, v4 = 4, v5 = 3))
  table <- as.data.frame(sets)
  expect_true(all(table$parents[table$node == "v1"] == ""))
  expect_false(any(grepl("v1", table$parents[table$node == "v2"])))
  expect_true(all(grepl("v2:v3", table$parents[table$node == "v5"])))
  expect_true(all(table$size[table$node == "v3"] <= 1))
  free <- parent_sets(data, "bic")
  expect_false("v2:v3" %in% with(as.data.frame(free), parents[node == "v5"])) # dominated there
})

test_that("threads and the order of columns do not matter", {
  data <- simulated(300, 8)
  one <- parent_sets(data, "bde", threads = 1)
  expect_identical(parent_sets(data, "bde", threads = 2)$sets, one$sets)
  turned <- as.data.frame(parent_sets(data[8:1], "bde"))
  key <- function(table) {
    sorted <- vapply(strsplit(table$parents, ":"), function(p) paste(sort(p), collapse = ":"), "")
    table[order(table$node, sorted), c("node", "score", "size")]
  }
  expect_equal(key(turned), key(as.data.frame(one)), ignore_attr = TRUE)
})

test_that("weights are repeated rows", {
  data <- simulated(60, 4)
  times <- rep(1:3, 20)
  weighted <- parent_sets(data, "bde", weights = times)
  repeated <- parent_sets(data[rep(1:60, times), ], "bde")
  expect_equal(as.data.frame(weighted), as.data.frame(repeated))
  expect_equal(weighted$rows, sum(times))
})

test_that("slack keeps dominated sets and an infinite one keeps all", {
  data <- simulated(100, 4)
  none <- length(parent_sets(data, "bde"))
  some <- length(parent_sets(data, "bde", slack = 5))
  everything <- parent_sets(data, "bde", slack = Inf)
  expect_gt(some, none)
  expect_identical(length(everything), 4L * 8L)
})

test_that("gaussian and mixed data are enumerated", {
  iris_sets <- parent_sets(iris, "bic-cg")
  table <- as.data.frame(iris_sets)
  expect_true(all(table$parents[table$node == "Species"] == "")) # no continuous parents
  expect_true(any(grepl("Species", table$parents)))
  expect_gt(length(parent_sets(iris[1:4], "bge")), 4)
})

test_that("the object prints, summarises, and can be cut down to some nodes", {
  sets <- parent_sets(simulated(), "bic", max_parents = 2, blacklist = c("v1", "v2"))
  sets$seconds <- 0.1
  expect_snapshot(print(sets))
  expect_identical(summary(sets)$sets, unname(table(factor(as.data.frame(sets)$node, sets$nodes))),
                   ignore_attr = TRUE)
  part <- sets[c("v4", "v2", "v3")]
  expect_identical(part$nodes, c("v4", "v2", "v3"))
  table <- as.data.frame(part)
  expect_false(any(grepl("v1|v5", table$parents)))
  whole <- as.data.frame(sets)
  within <- whole$node %in% part$nodes & !grepl("v1|v5", whole$parents)
  expect_identical(sort(table$score), sort(whole$score[within]))
  for (set in part$sets) { # ascending inside every set
    group <- rep(seq_along(set$size), set$size)
    expect_false(is.unsorted(order(group, set$parents)))
  }
  expect_snapshot(sets["nope"], error = TRUE)
})

test_that("bad input is refused by name", {
  data <- simulated(40, 3)
  refuse <- function(...) expect_snapshot(parent_sets(...), error = TRUE)
  refuse(data, "bge")
  refuse(data, score_bde, max_parents = 1)
  refuse(data, threads = 0)
  refuse(data, time_limit = -1)
  refuse(data, slack = -1)
  refuse(data, progress = NA)
  refuse(iris, "bic-cg", whitelist = c("Sepal.Length", "Species"))
  refuse(simulated(100, 12), "k2", memory_limit = 1e4, max_parents = 6)
})

test_that("a limit on parents that is chosen is announced", {
  set.seed(2)
  wide <- as.data.frame(lapply(1:40, function(i) factor(sample(2, 30, TRUE))),
                        col.names = paste0("x", 1:40))
  expect_message(search_size(wide, "pcart"), "max_parents")
  expect_silent(search_size(wide, "pcart", max_parents = 2))
  expect_silent(search_size(wide, "bde"))
})

test_that("Ctrl-C ends scoring and leaves nothing behind", {
  for (score in c("k2", "bic-cg")) {
    result <- interrupt_at_work(given = list(score = score), "
      threads <- length(dir('/proc/self/task'))
      set.seed(1)
      data <- as.data.frame(lapply(1:30, function(i) factor(sample(4, 5000, TRUE))))
      names(data) <- paste0('v', 1:30)
      data[21:30] <- lapply(1:10, function(i) if (given$score == 'k2') data[[i]] else rnorm(5000))
      result <- tryCatch(
        parent_sets(data, given$score, max_parents = 6, threads = 2, memory_limit = 1e12,
                    progress = FALSE),
        interrupt = function(condition) {
          # the same process goes on as if nothing had been
          list(again = length(parent_sets(data[1:4], 'k2')),
               left_over = length(dir('/proc/self/task')) - threads)
        }
      )
    ")
    expect_gte(result$again, 4L)
    expect_identical(result$left_over, 0L)
  }
})

test_that("R's own time limit is an ordinary error", {
  result <- run_in_child(c(
    "numbers <- as.data.frame(matrix(rnorm(600 * 18), 600))",
    "threads <- function() length(list.files('/proc/self/task'))",
    "before <- threads()",
    "caught <- tryCatch({",
    "  setTimeLimit(elapsed = 1, transient = TRUE)",
    "  parent_sets(numbers, 'pcart', max_parents = 6, threads = 2, memory_limit = Inf)",
    "}, error = conditionMessage)",
    "setTimeLimit()",
    "result <- list(caught, threads() - before)"
  ))
  expect_match(result[[1L]], "elapsed time limit")
  expect_identical(result[[2L]], 0L)
})

test_that("a network whose search is open keeps its parent sets", {
  sets <- withr::with_seed(1, random_parent_sets(8L))
  open <- learn_dag(sets, time_limit = 0)
  kept <- parent_sets(open)
  expect_identical(kept$sets, sets$sets)
  few <- parent_sets(open, max_parents = 1)
  expect_lte(max(summary(few)$largest), 1)
  expect_null(as.bn.optbn(open)$learning$parent_sets)

  proved <- update(open)
  expect_certified(proved, sets)
  expect_null(proved$learning$parent_sets)
  expect_identical(update(proved), proved)
  expect_false(FALSE %in% verify_certificate(open)$ok)
  expect_snapshot(error = TRUE, {
    parent_sets(proved)
    parent_sets(open, "bic")
    verify_certificate(proved)
  })

  other <- open
  other$learning$parent_sets <- withr::with_seed(2, random_parent_sets(7L))
  spoilt <- open
  spoilt$learning$parent_sets$sets[[1]]$parents <- 99L
  none <- open
  none$learning$parent_sets <- 1
  for (edited in list(other, spoilt, none)) {
    for (ask in list(parent_sets, update, verify_certificate)) {
      expect_error(ask(edited), class = "optbn_error_model")
    }
  }
})
