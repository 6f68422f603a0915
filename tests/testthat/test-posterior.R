titanic <- as.data.frame(Titanic)

# All networks of the table of parent sets, each a vector of its rows, with the log-weight and the
# number of orders in which parents come first, and components one after another.
all_networks <- function(table, components) {
  nodes <- unique(table$node)
  rows <- expand.grid(split(seq_len(nrow(table)), factor(table$node, nodes)))
  orders <- unlist(permutations(seq_along(nodes)), recursive = FALSE)
  component <- rep(seq_along(components), lengths(components))[match(nodes, unlist(components))]
  orders <- Filter(function(order) !is.unsorted(component[order]), orders)
  parents <- lapply(strsplit(table$parents, ":"), match, nodes)
  in_order <- vapply(orders, function(order) {
    place <- match(seq_along(nodes), order)
    fits <- mapply(function(v, set) all(place[set] < place[v]), match(table$node, nodes), parents)
    rowSums(matrix(fits[as.matrix(rows)], nrow(rows))) == length(nodes)
  }, logical(nrow(rows)))
  count <- rowSums(matrix(in_order, nrow(rows)))
  possible <- count > 0
  weights <- matrix(table$score[as.matrix(rows)], nrow(rows))
  list(rows = as.matrix(rows)[possible, , drop = FALSE], log = rowSums(weights)[possible],
       orders = count[possible])
}

permutations <- function(x) {
  if (length(x) < 2L) return(list(list(x)))
  list(unlist(lapply(seq_along(x), function(i) {
    lapply(permutations(x[-i])[[1L]], function(rest) c(x[i], rest))
  }), recursive = FALSE))
}

# The probabilities of the sets of the table.
enumerated <- function(posterior, prior) {
  table <- as.data.frame(posterior$parent_sets)
  nodes <- length(unique(table$node))
  if (prior == "size") table$score <- table$score - lchoose(nodes - 1, table$size)
  networks <- all_networks(table, posterior$components)
  log <- networks$log + if (prior == "order") log(networks$orders) else 0
  p <- exp(log - max(log))
  p <- p / sum(p)
  vapply(seq_len(nrow(table)), function(row) sum(p[rowSums(networks$rows == row) > 0]), 0)
}

test_that("probabilities equal those of all networks, for all priors and kinds of columns", {
  withr::local_seed(1)
  mixed <- random_frame(60, 2, 2)
  cases <- list(list(random_frame(80, 4, 0), "bde"), list(random_frame(80, 4, 0), "bic"),
                list(attitude[1:4], "bge"), list(mixed, "bic-cg"), list(mixed, "pcart"))
  for (case in cases) for (prior in c("uniform", "order", "size")) {
    posterior <- network_posterior(case[[1L]], case[[2L]], prior)
    wanted <- enumerated(posterior, prior)
    expect_equal(unlist(posterior$probability, use.names = FALSE), wanted, tolerance = 1e-9)
    expect_lt(posterior$rounding, 1e-8)
    expect_lt(posterior$lost, 1e-6 + 1e-12)
  }
})

test_that("constraints, weights and limits hold", {
  arguments <- list(titanic[1:4], "bde", weights = titanic$Freq)
  asked <- list(whitelist = data.frame("Sex", "Survived"), blacklist = data.frame("Age", "Class"),
                max_parents = 2, tiers = list(c("Sex", "Age"), c("Class", "Survived")),
                candidates = 2)
  for (i in seq_along(asked)) for (prior in c("uniform", "order")) {
    posterior <- suppressMessages(do.call(network_posterior,
                                          c(arguments, asked[i], list(prior = prior))))
    wanted <- enumerated(posterior, prior)
    expect_equal(unlist(posterior$probability, use.names = FALSE), wanted, tolerance = 1e-9)
    expect_equal(unname(vapply(posterior$probability, sum, 0)), rep(1, 4))
  }
  arcs <- arc_posterior(do.call(network_posterior, c(arguments, asked["whitelist"])))
  expect_equal(arcs$probability[arcs$from == "Sex" & arcs$to == "Survived"], 1)
})

test_that("what a slack leaves out is inside the bounds", {
  withr::local_seed(4)
  data <- random_frame(70, 5, 0)
  for (prior in c("uniform", "order", "size")) {
    exact <- as.data.frame(arc_posterior(data, "bde", prior = prior))
    for (slack in c(2, 4, 7)) {
      sets <- parent_sets(data, "bde", slack = slack)
      posterior <- tryCatch(network_posterior(sets, prior = prior),
                            optbn_error_argument = function(e) NULL)
      if (is.null(posterior)) next
      rough <- as.data.frame(arc_posterior(posterior))
      expect_true(all(rough$lower <= exact$probability & exact$probability <= rough$upper))
      expect_equal(posterior$lost < 1, TRUE)
    }
  }
})

test_that("parts that do not depend on each other are summed apart", {
  withr::local_seed(6)
  data <- cbind(random_frame(90, 3, 0), stats::setNames(random_frame(90, 2, 0), c("y1", "y2")))
  first <- names(data)[1:3]
  tiers <- list(first, c("y1", "y2"))
  posterior <- network_posterior(data, "bde", tiers = tiers)
  expect_setequal(lengths(posterior$components), c(3L, 2L))
  expect_equal(unlist(posterior$probability, use.names = FALSE),
               enumerated(posterior, "uniform"), tolerance = 1e-9)
})

test_that("a table in a database gives the same", {
  skip_where_quick()
  connection <- sqlite_connection()
  data <- random_frame(80, 4, 0)
  table <- in_database(data, connection, "posterior")
  expect_equal(network_posterior(table, "bde")$probability,
               network_posterior(data, "bde")$probability, tolerance = 1e-9)
})

test_that("a posterior prints, and is a table of parent sets", {
  posterior <- network_posterior(titanic[1:4], "bde", weights = titanic$Freq)
  without_last_digits <- function(lines) sub("by rounding .*", "by rounding ...", lines)
  expect_snapshot(posterior, transform = without_last_digits)
  expect_snapshot(network_posterior(attitude, "bic-g", "order", max_parents = 2),
                  transform = without_last_digits)
  table <- as.data.frame(posterior)
  expect_identical(table$node, rep(posterior$nodes, each = 8))
  expect_true(all(tapply(-table$probability, table$node, Negate(is.unsorted))))
  expect_equal(sum(table$probability), 4)
})

test_that("without max_parents the limit is announced where there is one", {
  local_values(most_summed_sets = 40)
  expect_message(posterior <- network_posterior(attitude, "bge"), "max_parents")
  expect_lte(max(posterior$parent_sets$settings$max_parents), 2)
})

test_that("a damaged posterior is noticed, and one from a file draws on", {
  posterior <- network_posterior(attitude, "bge")
  file <- withr::local_tempfile()
  saveRDS(posterior, file)
  again <- readRDS(file)
  expect_equal(arc_posterior(again), arc_posterior(posterior))
  set.seed(1)
  first <- sample_dags(posterior, 5)
  set.seed(1)
  expect_identical(sample_dags(again, 5)$choice, first$choice)
  again$probability[[2L]] <- 1
  expect_error(arc_posterior(again), class = "optbn_error_model")
})

test_that("bad input is refused", {
  many <- as.data.frame(matrix(stats::rnorm(40 * 60), 60))
  expect_snapshot(error = TRUE, {
    network_posterior()
    network_posterior(attitude, prior = "flat")
    network_posterior(attitude, "bde")
    network_posterior(parent_sets(attitude, "bge"))
    network_posterior(many, "bge", max_parents = 1)
    network_posterior(many, "bge", "order", max_parents = 1)
    network_posterior(attitude, "bge", memory_limit = 100)
    network_posterior(attitude, "bge", time_limit = -1)
    network_posterior(attitude, "bge", weights = 1:3)
    arc_posterior(network_posterior(attitude, "bge"), prior = "order")
  })
  expect_error(network_posterior(as.data.frame(matrix(stats::rnorm(22 * 60), 60)), "bge",
                                 max_parents = 2, time_limit = 0.2), class = "optbn_error_time")
})
