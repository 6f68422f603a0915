# Exact inference in conditional Gaussian networks: posteriors of all nodes given a few, in random
# networks of 5 to 1000 nodes, half of them discrete, beside package BayesNetBP.
#
#   Rscript bench/mixed-inference.R [quick]
#
# A node has one or two parents among the ten nodes before it in an order; discrete nodes have
# discrete ones. Tables and regressions come from 500 rows of a random network. The evidence is a
# fifth of the nodes, at values of a row. BayesNetBP compiles its network beforehand; what counts is
# absorbing the evidence and asking for all marginals, as often as fills a twentieth of a second,
# and the difference of means and probabilities.

source(file.path("bench", "common.R"))
with_peer <- has("BayesNetBP") && has("bnlearn")

# Parents by node, and columns drawn from them.
random_problem <- function(n, rows = 500L, before = 10L) {
  nodes <- sprintf("N%04d", seq_len(n))
  discrete <- sample(rep(c(TRUE, FALSE), length.out = n))
  data <- list()
  parents <- list()
  for (i in seq_len(n)) {
    near <- seq_len(i - 1L)
    near <- near[near >= i - before]
    if (discrete[i]) near <- near[discrete[near]]
    own <- near[sample.int(length(near), min(length(near), sample(1:2, 1L)))]
    parents[[nodes[i]]] <- nodes[own]
    sums <- Reduce(`+`, lapply(data[own], function(x) {
      if (is.factor(x)) stats::rnorm(1L) * as.integer(x) else stats::rnorm(1L) * x / 2
    }), stats::rnorm(rows))
    data[[i]] <- if (discrete[i]) {
      factor(ifelse(sums > stats::median(sums), "a", sample(c("a", "b"), rows, TRUE)))
    } else {
      sums
    }
  }
  string <- paste0("[", nodes, ifelse(lengths(parents) > 0L, "|", ""),
                   vapply(parents, paste, "", collapse = ":"), "]", collapse = "")
  list(string = string, data = list2DF(stats::setNames(data, nodes)), discrete = discrete)
}

peer_of <- function(problem) {
  graph <- bnlearn::as.graphNEL(bnlearn::model2network(problem$string))
  BayesNetBP::Initializer(dag = graph, data = problem$data, node.class = stats::setNames(
    problem$discrete, names(problem$data)), propagate = TRUE)
}

ask_peer <- function(peer, evidence, asked) {
  values <- lapply(evidence, function(x) if (is.factor(x)) as.character(x) else x)
  known <- BayesNetBP::AbsorbEvidence(peer, names(values), unname(values))
  BayesNetBP::Marginals(known, asked)$marginals
}

# Of the means of continuous nodes, in units of their standard deviations, and of probabilities; NA
# where an answer is missing.
largest_difference <- function(ours, theirs) {
  max(mapply(function(x, y) {
    if (is.null(y)) return(NA)
    if (!identical(names(x), c("mean", "sd"))) return(max(abs(x - y[names(x)])))
    abs(x[["mean"]] - sum(y$mu * y$prob)) / x[["sd"]]
  }, ours[names(theirs)], theirs))
}

sizes <- if (quick) c(5L, 20L) else c(5L, 5L, 5L, 10L, 10L, 10L, 20L, 20L, 20L, 50L, 100L, 300L, 1000L)
set.seed(1)
rows <- lapply(sizes, function(n) {
  problem <- random_problem(n)
  fit <- suppressMessages(fit_network(problem$string, problem$data, method = "mle"))
  compiled <- compile_network(fit)
  known <- sample(n, max(1L, n %/% 5L))
  evidence <- problem$data[sample(nrow(problem$data), 1L), known, drop = FALSE]
  asked <- setdiff(fit$nodes, names(evidence))
  all <- tryCatch(query(compiled, evidence = evidence), optbn_error_memory = identity)
  fits <- !inherits(all, "condition")
  ours <- if (fits) seconds_of(function() query(compiled, evidence = evidence)) else NA
  each <- vapply(asked, function(node) {
    tryCatch(spent(query(compiled, node, evidence)), optbn_error_memory = function(e) NA_real_)
  }, 0)
  theirs <- difference <- NA
  if (with_peer && fits && n <= 50L) {
    answer <- tryCatch({
      peer <- peer_of(problem)
      ask_peer(peer, evidence, asked)
    }, error = function(e) NULL)
    if (!is.null(answer)) {
      difference <- largest_difference(all, answer)
      theirs <- seconds_of(function() ask_peer(peer, evidence, asked))
    }
  }
  digits <- function(x) if (is.na(x)) NA else formatC(x, digits = 3, format = "fg")
  data.frame(
    nodes = n, known = length(known), "all ms" = digits(1000 * ours),
    "one ms, median" = digits(1000 * stats::median(each, na.rm = TRUE)),
    "one ms, most" = digits(1000 * max(each, na.rm = TRUE)),
    "refused of all" = paste(sum(is.na(each)), "of", length(each)),
    "BayesNetBP ms" = digits(1000 * theirs), ratio = digits(theirs / ours),
    difference = if (is.na(difference)) NA else format(difference, digits = 1), check.names = FALSE
  )
})
print_table("Exact posteriors in conditional Gaussian networks, processor time",
            do.call(rbind, rows))
