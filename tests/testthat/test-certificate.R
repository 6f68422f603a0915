test_that("a certificate is valid for the arcs it was made for", {
  network <- discrete_network()
  expect_true(certificate(network)$valid)

  reordered <- network
  reordered$arcs <- network$arcs[5:1, ]
  expect_true(certificate(reordered)$valid)

  smaller <- network
  smaller$arcs <- network$arcs[-1L, ]
  expect_false(certificate(smaller)$valid)

  reversed <- network
  reversed$arcs[1L, ] <- rev(network$arcs[1L, ])
  expect_false(certificate(reversed)$valid)

  renamed <- example_network(c("A", "B"), list(integer(), integer()))
  names(renamed$nodes)[2L] <- "X"
  expect_false(certificate(renamed)$valid)
})

test_that("a certificate without arcs is valid only without arcs", {
  network <- example_network(c("A", "B"), list(integer(), integer()))
  expect_true(certificate(network)$valid)
  network$arcs <- rbind(network$arcs, c("A", "B"))
  expect_false(certificate(network)$valid)
})

test_that("certificates carry the record as it was made", {
  record <- example_record(LETTERS[1:6], score = -12.5)
  shown <- certificate(discrete_network(record = record))
  expect_identical(unclass(shown)[names(record)], record)
  expect_identical(shown$arcs, discrete_network()$arcs)
  expect_identical(shown$version, as.character(utils::packageVersion("optbn")))
})

test_that("certificates print a report for people", {
  nodes <- LETTERS[1:6]
  arc <- cbind(from = "A", to = "B")
  rich <- example_record(
    nodes,
    status = "bounded", bound = -23994.4, gap = 12.3327, method = "elsa", reason = "time_limit",
    seconds = 600,
    settings = list(max_parents = c(1L, 4L, 4L, 2L, 3L, 3L), whitelist = arc,
                    blacklist = rbind(arc, c("C", "B"), c("F", "A")), treewidth = 4)
  )
  tree <- k_tree(lapply(1:4, function(i) nodes[i + 0:2]))
  narrow <- example_record(nodes, method = "exact search over k-trees", k_tree = tree,
                           effort = list(branches = 64, k_trees = 1234))
  narrow$settings$treewidth <- 2L
  sampled <- example_record(nodes, status = "heuristic", bound = -23994.4, gap = 12.3327,
                            method = "random orders within a k-tree", k_tree = tree)
  sampled$settings[c("treewidth", "k_tree")] <- list(2L, tree)
  from_file <- example_record(nodes, status = "heuristic", bound = Inf, gap = Inf, trace = NULL)
  from_file$settings <- list(score = NULL, max_parents = NULL, whitelist = NULL, blacklist = NULL,
                             source = "asia.jkl")
  changed <- discrete_network()
  changed$arcs <- changed$arcs[-1L, ]
  expect_snapshot({
    certificate(discrete_network())
    certificate(discrete_network(record = rich))
    certificate(discrete_network(record = narrow))
    certificate(discrete_network(record = sampled))
    certificate(discrete_network(record = from_file))
    certificate(gaussian_network())
    certificate(changed)
  })
})

test_that("certificates become one row", {
  row <- as.data.frame(certificate(discrete_network()))
  expect_identical(row, data.frame(score = -24006.7327, bound = -24006.7327, gap = 0,
                                   status = "optimal", scope = "all sets of at most 3 parents",
                                   method = "dp", reason = NA_character_, seconds = 0.0123,
                                   valid = TRUE))
})

test_that("only learned networks have certificates", {
  plain <- as.bn.optbn(discrete_network())
  relearned <- discrete_network()
  relearned$learning$optbn <- NULL
  expect_snapshot(error = TRUE, {
    certificate(plain)
    certificate(relearned)
    certificate("[A][B|A]")
  })
  expect_error(certificate(plain), class = "optbn_error_argument")
})

test_that("what is proved follows from the numbers, and is checked", {
  outcome <- function(bound, proved = FALSE, reason = NULL) {
    outcome_of(list(score = -10, bound = bound, proved = proved, reason = reason), list())
  }
  expect_identical(outcome(-10, proved = TRUE)[c("status", "gap")],
                   list(status = "optimal", gap = 0))
  expect_identical(outcome(-8)$status, "heuristic")
  expect_identical(outcome(-8, reason = "time_limit"),
                   list(status = "bounded", score = -10, bound = -8, gap = 2,
                        reason = "time_limit"))
  expect_null(outcome(-10, proved = TRUE, reason = "time_limit")$reason)
  expect_error(outcome(-11), "no network scores more than its bound")
  expect_error(outcome(-8, proved = TRUE), "an optimum meets its bound")
})

test_that("a picture of an edited certificate claims nothing", {
  skip_without_peer("ggplot2")
  edited <- certificate(learn_dag(attitude, "bic-g"))
  edited["valid"] <- list(list(TRUE))
  expect_s3_class(ggplot2::autoplot(edited), "ggplot")
})

test_that("limits by node are told as such", {
  limits <- rlang::set_names(c(2, 3, 3, 3, 3, 3, 3), names(attitude))
  network <- learn_dag(attitude, "bge", max_parents = limits)
  expect_equal(as.data.frame(certificate(network))$scope,
               "all sets within the limit of each node, 2 to 3 parents")
})

test_that("nodes that must be roots do not narrow the scope", {
  nodes <- names(attitude)
  most <- rlang::set_names(ifelse(nodes == "rating", 0, 6), nodes)
  network <- learn_dag(attitude, "bge", max_parents = most)
  expect_equal(as.data.frame(certificate(network))$scope, "all parent sets")
})
