skip_without_peer("bnlearn")

status_of <- function(graph) sub("^ *status *", "", grep("^  status", format(graph), value = TRUE))

learned <- function(score = "bic") learn_dag(bnlearn::learning.test, score, max_parents = 2)

test_that("classes, skeletons and moral graphs say which network they are of", {
  network <- learned()
  of <- "a network proved optimal over all sets of at most 2 parents"
  expect_identical(status_of(bnlearn::cpdag(network)), paste("equivalence class of", of))
  expect_identical(status_of(bnlearn::skeleton(network)), paste("skeleton of", of))
  expect_identical(status_of(bnlearn::moral(network)), paste("moral graph of", of))
  expect_match(format(certificate(bnlearn::cpdag(network))), "equivalence class of a network",
               all = FALSE)
  expect_false(certificate(bnlearn::cpdag(network))$valid)
  expect_match(certificate_line(bnlearn::cpdag(network)), "^equivalence class")
})

test_that("where the members of a class differ in score, it says so", {
  class <- bnlearn::cpdag(learned("k2"))
  expect_match(status_of(class), "; other members have other scores$")
})

test_that("of a network without the arcs into some nodes these are named", {
  network <- learned()
  child <- network$arcs[1L, "to"]
  levels <- levels(bnlearn::learning.test[[child]])
  cut <- bnlearn::mutilated(network, rlang::set_names(list(levels[1L]), child))
  skip_if_not(inherits(cut, "optbn"), "this bnlearn returns another network")
  expect_identical(status_of(cut), paste0("a network proved optimal over all sets of at most 2 ",
                                          "parents, without the arcs into \"", child, "\""))
})

test_that("other changes are changes", {
  network <- learned()
  arc <- network$arcs[1L, ]
  turned <- bnlearn::reverse.arc(network, arc[["from"]], arc[["to"]], check.cycles = FALSE)
  expect_match(status_of(turned), "changed since it was learned")
  one <- which(network$arcs[, "to"] == "E")
  expect_gt(length(one), 1L) # else all arcs into a node are gone
  fewer <- bnlearn::drop.arc(network, network$arcs[one[1L], "from"], "E")
  expect_match(status_of(fewer), "changed since it was learned")
  renamed <- bnlearn::rename.nodes(network, letters[1:6])
  expect_match(status_of(renamed), "changed since it was learned")
})

test_that("a class is the one of bnlearn, whatever the network", {
  withr::local_seed(2)
  for (i in 1:20) {
    dag <- bnlearn::random.graph(LETTERS[1:7], prob = 0.35)
    mine <- class_arcs(LETTERS[1:7], bnlearn::arcs(dag))
    expect_setequal(arc_labels(mine), arc_labels(bnlearn::arcs(bnlearn::cpdag(dag))))
    moral <- with_turned(rbind(unname(bnlearn::arcs(dag)), marriages(bnlearn::arcs(dag))))
    expect_setequal(arc_labels(moral), arc_labels(bnlearn::arcs(bnlearn::moral(dag))))
  }
})
