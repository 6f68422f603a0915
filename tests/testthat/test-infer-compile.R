test_that("a compiled network shows what answers cost", {
  compiled <- compile_network(titanic_fit())
  expect_snapshot(compiled)
  expect_identical(compiled$nodes, c("Age", "Class", "Sex", "Survived"))
  expect_identical(compiled$width, 3L)
  expect_identical(sum(compiled$cells), 32)
  expect_setequal(compiled$order, compiled$nodes)
  expect_identical(format(compiled), capture.output(print(compiled)))
})

test_that("cliques hold the families and hang together", {
  set.seed(1)
  for (repeats in 1:20) {
    fit <- random_fit(sample(2:9, 1))
    compiled <- compile_network(fit)
    families <- Map(c, fit$nodes, fit$parents)
    for (family in families) {
      expect_true(any(vapply(compiled$cliques, function(clique) all(family %in% clique), NA)))
    }
    expect_identical(compiled$parent[1], 1L)
    for (i in seq_along(compiled$cliques)[-1]) {
      expect_lt(compiled$parent[i], i)
      earlier <- unlist(compiled$cliques[seq_len(i - 1)])
      shared <- intersect(compiled$cliques[[i]], earlier)
      expect_true(all(shared %in% compiled$cliques[[compiled$parent[i]]]))
    }
    cells <- vapply(compiled$cliques, function(clique) prod(lengths(fit$levels[clique])), 0)
    expect_equal(compiled$cells, cells)
  }
})

test_that("answers do not depend on the order of elimination or of the nodes", {
  set.seed(2)
  fit <- random_fit(8)
  turned <- fit
  turned$nodes <- rev(fit$nodes)
  for (part in c("parents", "models", "levels", "prototype")) turned[[part]] <- rev(fit[[part]])
  expected <- query(fit, c("N003", "N007"), list(N001 = "a"))
  for (repeats in 1:5) {
    compiled <- compile_network(fit, order = sample(fit$nodes))
    expect_equal(query(compiled, c("N003", "N007"), list(N001 = "a")), expected)
  }
  expect_equal(query(turned, c("N003", "N007"), list(N001 = "a")), expected)
})

test_that("a network that was learned with a tree-width is never compiled wider", {
  set.seed(6)
  for (treewidth in 1:3) {
    data <- simulate(random_fit(9), 300)
    network <- suppressMessages(learn_treewidth(data, treewidth, "bic"))
    fit <- suppressMessages(fit_network(network, data))
    compiled <- compile_network(fit)
    expect_lte(compiled$width, treewidth)
    proof <- learned_witness(fit)
    expect_identical(proof$treewidth, treewidth)
    along <- compile_network(fit, order = fit$nodes[proof$order])
    expect_lte(along$width, treewidth)
    expect_lte(sum(compiled$cells), sum(along$cells))
  }
})

# Two nodes of ten levels and three of two, each of the one joined with each of the other by a
# common child: tree-width 2, but the fewest cells take width 3.
joined_by_children <- function(witness) {
  ends <- expand.grid(large = 1:2, small = 3:5)
  nodes <- node_names(11)
  parents <- c(rep(list(integer()), 5), Map(c, ends$large, ends$small))
  data <- list2DF(rlang::set_names(lapply(1:11, function(v) {
    factor(rep_len(seq_len(if (v < 3) 10 else 2), 20))
  }), nodes))
  bags <- c(lapply(3:5, function(small) nodes[c(1, 2, small)]),
            lapply(6:11, function(child) nodes[c(child, parents[[child]])]))
  record <- example_record(nodes, k_tree = if (witness) k_tree(bags))
  fit_network(example_network(nodes, parents, record = record), data)
}

test_that("the proved tree-width goes before fewer cells", {
  free <- compile_network(joined_by_children(witness = FALSE))
  expect_identical(free$width, 3L)
  expect_identical(sum(free$cells), 2 * 80 + 6 * 40)
  fit <- joined_by_children(witness = TRUE)
  bound <- compile_network(fit)
  expect_identical(bound$width, 2L)
  expect_identical(sum(bound$cells), 3 * 200 + 6 * 40)
  expect_equal(query(bound, "N007", list(N011 = "2")), query(free, "N007", list(N011 = "2")))
  # where arcs were added since, the proof is none, and the witness an order like another
  fit$network$learning$optbn$k_tree$treewidth <- 1L
  expect_identical(compile_network(fit)$width, 3L)
  fit$network$learning$optbn$k_tree$nodes[1] <- "another"
  expect_null(learned_witness(fit))
})

test_that("the memory is that of tables, cliques and messages", {
  set.seed(7)
  for (repeats in 1:10) {
    fit <- random_fit(sample(2:9, 1))
    compiled <- compile_network(fit)
    size <- function(nodes) prod(lengths(fit$levels[nodes]))
    tables <- sum(vapply(Map(c, fit$nodes, fit$parents), size, 0))
    separators <- vapply(seq_along(compiled$cliques), function(i) {
      if (i == 1L) return(1)
      size(intersect(compiled$cliques[[i]], compiled$cliques[[compiled$parent[i]]]))
    }, 0)
    expect_equal(compiled$bytes, 8 * (tables + sum(compiled$cells) + 2 * sum(separators)))
  }
})

test_that("compiling leaves R's random numbers alone, and is the same every time", {
  fit <- titanic_fit()
  set.seed(3)
  before <- .Random.seed
  first <- compile_network(fit)
  expect_identical(.Random.seed, before)
  set.seed(4)
  expect_identical(compile_network(fit)$order, first$order)
})

test_that("a compiled network survives a file", {
  compiled <- compile_network(titanic_fit())
  expected <- query(compiled, "Survived")
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(compiled, file)
  back <- readRDS(file)
  expect_identical(query(back, "Survived"), expected)
  expect_identical(query(back, "Survived"), expected)
})

test_that("trees and discretised tables are expanded on their family", {
  titanic <- as.data.frame(Titanic)
  data <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
  for (score in c("pcart", "ft")) {
    fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]", data,
                       score = score)
    all <- enumerate(fit)
    expect_equal(sum(all$p), 1)
    expect_equal(query(fit, c("Survived", "Class"), list(Sex = "Female")),
                 sum_rows(fit, all, weigh_rows(all, list(Sex = "Female")), c("Survived", "Class")))
    # in the core alone
    expect_identical(compile_network(fit)$models, fit$models)
  }
})

test_that("bnlearn's fitted networks are compiled as they are", {
  skip_without_peer("bnlearn")
  data <- transform(bnlearn::learning.test, B = factor(B, ordered = TRUE))
  structure <- bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]")
  theirs <- bnlearn::bn.fit(structure, data, method = "bayes", iss = 1)
  ours <- fit_network(structure, data)
  expect_equal(query(theirs, c("E", "D"), list(B = "c")), query(ours, c("E", "D"), list(B = "c")),
               tolerance = 1e-10)
  expect_identical(lapply(most_probable(theirs)$state, class),
                   lapply(most_probable(ours)$state, class))

  learned <- learn_dag(data, "bic")
  copied <- bnlearn::bn.fit(learned, data, method = "bayes", iss = 1)
  expect_s3_class(copied, "optbn")
  expect_equal(query(copied, "D", list(E = "a")),
               query(fit_network(learned, data), "D", list(E = "a")), tolerance = 1e-10)

  data <- data.frame(a = factor(c("x", "y", "x")), b = factor(c("u", "v", "v")),
                     c = factor(c("p", "q", "p")))
  few <- bnlearn::bn.fit(bnlearn::model2network("[a][b][c|a:b]"), data) # no row has y and u
  expect_snapshot(compile_network(few), error = TRUE)
  expect_error(compile_network(few), class = "optbn_error_data")
})

test_that("what cannot be compiled is refused", {
  flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length]", iris,
                         score = "pcart")
  expect_snapshot(error = TRUE, {
    compile_network(flowers)
    compile_network(iris)
    compile_network(titanic_fit(), order = c("Class", "Sex"))
    compile_network(titanic_fit(), order = 1:4)
    compile_network(titanic_fit(), memory_limit = 0)
  })
  expect_error(compile_network(flowers), class = "optbn_error_data")
  expect_error(compile_network(titanic_fit(), order = 1:4), class = "optbn_error_argument")
})

test_that("a network that is too wide is refused, with its width", {
  set.seed(5)
  nodes <- node_names(60)
  data <- list2DF(rlang::set_names(lapply(nodes, function(node) {
    factor(sample(c("a", "b"), 50, replace = TRUE))
  }), nodes))
  parents <- lapply(seq_along(nodes), function(v) if (v > 30) sort(sample(30, 6)) else integer())
  fit <- fit_network(example_network(nodes, parents), data)
  expect_snapshot(error = TRUE, {
    compile_network(fit, memory_limit = 3.3e4)
    compile_network(fit, memory_limit = 2e4)
  }, transform = function(lines) gsub("[0-9.,]+", "#", gsub("N[0-9]{3}", "N", lines)))
  condition <- tryCatch(compile_network(fit, memory_limit = 2e4), error = identity)
  expect_s3_class(condition, "optbn_error_memory")
  expect_gt(condition$needed, condition$limit)
  expect_length(condition$clique, condition$width + 1)
  # an order that makes the roots last joins them all
  expect_error(compile_network(fit, order = nodes, memory_limit = 1e5),
               class = "optbn_error_memory")
})

test_that("costs are said in words", {
  expect_identical(cost_in_words(1e3), "less than a millisecond")
  expect_identical(cost_in_words(3.2e6), "some 30 milliseconds")
  expect_identical(cost_in_words(4.4e8), "some 4 s")
  expect_identical(first_few(letters[1:8]), "a, b, c, d, e, f, g, h")
  expect_identical(first_few(letters[1:10]), "a, b, c, d, e, f, g, h and 2 more")
  long <- strrep(letters[1:4], c(25, 34, 5, 5))
  expect_identical(first_few(long), paste(long[1], "and 3 more"))
  expect_identical(first_few(long[-1]), paste(long[2:4], collapse = ", "))
  expect_identical(first_few(strrep("x", 90)), strrep("x", 90))
  expect_identical(first_few(character()), "")
  expect_identical(format_cells(1), "1 cell")
  expect_identical(format_cells(12345), "12,345 cells")
  expect_identical(format_cells(1.234e12), "1.23e+12 cells")
})

test_that("rows that do not fit are not drawn", {
  fit <- fit_network("[rating][raises|rating]", attitude)
  expect_error(simulate(fit, 1e9, memory_limit = 1e6), class = "optbn_error_memory")
  expect_error(simulate(compile_network(fit), 1e9, memory_limit = 1e6),
               class = "optbn_error_memory")
  titanic <- as.data.frame(Titanic)[1:4]
  compiled <- compile_network(fit_network("[Class][Sex|Class][Age][Survived]", titanic))
  expect_error(simulate(compiled, 1e9, memory_limit = 1e6), class = "optbn_error_memory")
  expect_identical(nrow(simulate(compiled, 0)), 0L)
  expect_identical(nrow(simulate(compiled, 40000)), 40000L)
})

test_that("a compiled network that was changed is refused, or answers as changed", {
  compiled <- compile_network(fit_network("[Class][Sex|Class][Age][Survived|Sex:Age]",
                                          as.data.frame(Titanic)[1:4]))
  with_change <- function(assignment) {
    x <- compiled
    eval(substitute(assignment))
    x
  }
  broken <- list(
    replace(compiled, "order", list(NA)), replace(compiled, "order", list(compiled$order[-1])),
    replace(compiled, "models", list(list())),
    replace(compiled, "levels", list(compiled$levels[-1])),
    replace(compiled, "network", list(NULL)), replace(compiled, "memory_limit", list("a")),
    with_change(x$network$parents[[2]] <- 77L),
    with_change(x$network$parents[[1]] <- 2L),
    with_change(x$network$sizes[1] <- 9L),
    with_change(x$models[[1]]$prob <- x$models[[1]]$prob[-1]),
    with_change(x$models[[2]]$prob[1] <- NA)
  )
  for (changed in broken) {
    expect_error(query(changed, "Sex"), class = "optbn_error_model")
    expect_error(query(unserialize(serialize(changed, NULL)), "Sex"), class = "optbn_error_model")
  }
  certain <- compiled
  certain$models[[match("Age", compiled$nodes)]]$prob[] <- c(1, 0)
  expect_equal(as.vector(query(certain, "Age")), c(1, 0))
  expect_lt(max(query(compiled, "Age")), 1)
})
