arcs_in <- function(text) {
  arcs <- as_network(text)$arcs
  paste(arcs[, "from"], arcs[, "to"], sep = ">")
}

test_that("dagitty's text is read in all that it may hold", {
  expect_identical(arcs_in("dag{A->B}"), "A>B")
  expect_identical(arcs_in("dag { A <- B -> C <- D }"), c("B>A", "B>C", "D>C"))
  expect_identical(arcs_in("pdag { A -- B ; C -> B }"), c("A>B", "B>A", "C>B"))
  expect_identical(arcs_in("dag { {A B} -> {C D} }"), c("A>C", "A>D", "B>C", "B>D"))
  expect_identical(arcs_in("dag name { A -> B\nA -> B }"), "A>B")
  expect_identical(arcs_in("dag \"a name\" { \"a b\" -> x.1 }"), "a b>x.1")
  expect_identical(names(as_network("dag { A B, C; D }")$nodes), c("A", "B", "C", "D"))
  expect_identical(arcs_in("DAG {\n\u00e4 -> \u00df\n}"), "\u00e4>\u00df")
  full <- "dag {
    bb=\"-2.2,-2.4,1.9,2.1\"
    A [exposure,pos=\"-2.200,-1.520\"]
    B [outcome, pos=\"1.400,-1.460\"]
    \"C ]\" [latent,label=\"odd ] { name\"]
    A -> B [beta=\".3\"]
    \"C ]\" -> {A B} [pos=\"1,2\"]
  }"
  expect_identical(arcs_in(full), c("A>B", "C ]>A", "C ]>B"))
})

test_that("names that are no plain words are quoted", {
  nodes <- c("plain", "dag", "two words", "1", "a-b")
  a <- matrix(0, 5, 5, dimnames = list(nodes, nodes))
  a[1, 2:5] <- 1
  expect_snapshot(cat(as_dagitty(a)))
  expect_identical(as_network(as_dagitty(a)), as_network(a))
})

test_that("text that is no network is refused, and why is said", {
  expect_snapshot(error = TRUE, {
    as_network("dag { A -> }")
    as_network("dag { -> A }")
    as_network("dag { A -> -> B }")
    as_network("dag { A -> B; }; -> C }")
    as_network("dag { {A -> B} -> C }")
    as_network("dag { A -> B")
    as_network("dag { A & < B }")
    as_network("dag { A <-> B }")
    as_network("mag { A -> B }")
    as_network("dag { A -> A }")
    as_network("dag { A -> B -> C -> A }")
    as_network("dag { }")
  })
})
