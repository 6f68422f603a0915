# The problems of main.R: `problems`, a named list of functions without arguments. Their data come
# with the package and with R, or are drawn here; none looks at a clock.

mixed <- transform(mtcars, cyl = factor(cyl), vs = factor(vs), am = factor(am),
                   gear = factor(gear))[c("mpg", "cyl", "disp", "hp", "wt", "vs", "am", "gear")]
titanic <- as.data.frame(Titanic)

# A chain of hidden causes of two states, each seen in some columns of `levels` levels.
drawn_data <- function(seed, rows, columns, levels = 2L) {
  set.seed(seed)
  cause <- cumsum(stats::rbinom(rows, 1L, 0.5)) %% 2L
  of_column <- function(column) {
    if (column %% 4L == 0L) cause <<- (cause + stats::rbinom(rows, 1L, 0.2)) %% 2L
    code <- (cause + stats::rbinom(rows, levels - 1L, 0.25)) %% levels
    factor(code, seq_len(levels) - 1L)
  }
  data <- lapply(seq_len(columns), of_column)
  stats::setNames(as.data.frame(data), paste0("x", seq_len(columns)))
}

drawn_numbers <- function(seed, rows, columns) {
  set.seed(seed)
  data <- matrix(stats::rnorm(rows * columns), rows)
  for (column in seq_len(columns)[-1L]) {
    from <- sample.int(column - 1L, min(2L, column - 1L))
    data[, column] <- data[, column] + data[, from, drop = FALSE] %*% stats::rnorm(length(from))
  }
  stats::setNames(as.data.frame(data), paste0("x", seq_len(columns)))
}

# Parent sets of random members and scores, read as a file of them is.
drawn_sets <- function(seed, nodes, count, most = 3L) {
  set.seed(seed)
  file <- tempfile(fileext = ".jkl")
  on.exit(unlink(file))
  of_node <- function(node) {
    others <- setdiff(seq_len(nodes), node)
    members <- lapply(seq_len(count), function(i) sort(sample(others, sample.int(most, 1L))))
    members <- unique(members)
    score <- c(-10, -10 + 2 * lengths(members) + 4 * stats::runif(length(members)))
    lines <- vapply(c(list(integer()), members), function(set) {
      paste(c(length(set), set - 1L), collapse = " ")
    }, "")
    c(paste(node - 1L, length(score)), paste(sprintf("%.6f", score), lines))
  }
  writeLines(c(nodes, unlist(lapply(seq_len(nodes), of_node))), file)
  read_jkl(file)
}


problems <- list()

# A problem for each of `cases`: its work is work(case), its name the family's and the case's.
each <- function(family, cases, work) {
  new <- lapply(cases, function(case) {
    force(case)
    function() work(case)
  })
  labels <- if (is.null(names(cases))) unlist(cases) else names(cases)
  problems <<- c(problems, stats::setNames(new, paste(family, labels, sep = ": ")))
}

# ---- scores and parent sets ----------------------------------------------------------------------

discrete_scores <- c("loglik", "aic", "bic", "bde", "bds", "k2", "bdj")
numeric_scores <- c("loglik-g", "aic-g", "bic-g", "bge")
mixed_scores <- c("loglik-cg", "aic-cg", "bic-cg", "pcart", "ft")

each("sets of zoo", discrete_scores, function(score) {
  parent_sets(zoo[1:9], score, max_parents = 3)
})
each("sets of weighted rows", discrete_scores, function(score) {
  parent_sets(titanic[1:4], score, weights = titanic$Freq)
})
each("sets of six levels", c("bic", "bde", "bds", "k2"), function(score) {
  parent_sets(drawn_data(1, 3000, 12, 6), score, max_parents = 3)
})
each("sets of numbers", numeric_scores, function(score) parent_sets(mtcars, score, max_parents = 3))
each("sets of mixed columns", mixed_scores, function(score) {
  parent_sets(mixed, score, max_parents = 3)
})
each("sets of flowers", c("bic-cg", "pcart", "ft"), function(score) {
  parent_sets(iris, score, max_parents = 4)
})
each("all sets", c("bic", "bde"), function(score) parent_sets(drawn_data(2, 800, 14), score))
each("trees of zoo", c("pcart", "ft"), function(score) {
  parent_sets(zoo[1:8], score, max_parents = 2)
})
each("informative score", c("bic", "bde"), function(score) {
  set.seed(1)
  trees <- sample_k_tree(names(zoo)[1:8], 2, n = 3)
  lapply(trees, informative_score, zoo[1:8], score)
})

# ---- exact search over given sets ----------------------------------------------------------------

exact <- c("auto", "dp", "elsa", "elsa-ig", "lagrangian", "local")
each("ten nodes", exact, function(method) learn_dag(drawn_sets(1, 10, 12), method = method))
each("sixteen nodes", exact, function(method) learn_dag(drawn_sets(2, 16, 10), method = method))
each("zoo by a file", exact, function(method) {
  sets <- read_jkl(system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn"))
  learn_dag(sets, method = method)
})
each("twenty-four nodes", 3:12, function(seed) learn_dag(drawn_sets(seed, 24, 15)))
each("thirty-four nodes", 13:17, function(seed) {
  learn_dag(drawn_sets(seed, 34, 8, 2), method = "lagrangian")
})
each("a gap is enough", c(0.5, 1, 2, 5), function(gap) {
  learn_dag(drawn_sets(18, 22, 15), gap = gap, method = "lagrangian")
})
each("paths and few arcs", 19:28, function(seed) {
  sets <- drawn_sets(seed, 12, 10)
  names <- sets$nodes
  learn_dag(sets, ancestors = data.frame(names[1:3], names[4:6], c(TRUE, FALSE, TRUE)),
            max_arcs = 8 + seed %% 5)
})
each("k best", c("dp", "elsa", "lagrangian"), function(method) {
  learn_k_best(drawn_sets(29, 10, 8), 12, method = method)
})
each("k best classes", 30:32, function(seed) {
  learn_k_best(parent_sets(zoo[seed - 29 + 1:7], "bde"), 6, equivalence = TRUE)
})
each("k best with few arcs", 33:34, function(seed) {
  learn_k_best(drawn_sets(seed, 9, 8), 5, max_arcs = 9)
})

# ---- search from data ----------------------------------------------------------------------------

each("defaults", list(
  zoo = zoo,
  mushroom = mushroom[1:1000, 1:12], iris = iris, mtcars = mtcars,
  mixed = mixed, swiss = swiss, titanic = titanic[1:4], attitude = attitude, women = women,
  `40 columns` = drawn_data(3, 300, 40), `16 numbers` = drawn_numbers(3, 200, 16)
), learn_dag)
each("from zoo", discrete_scores[-1L], function(score) learn_dag(zoo, score, max_parents = 4))
each("from mixed columns", mixed_scores[-1L], function(score) {
  learn_dag(mixed, score, max_parents = 3)
})
each("no time", c("bic", "bde", "k2", "pcart"), function(score) {
  learn_dag(drawn_data(4, 200, 25), score, time_limit = 0)
})
each("within lists", c("bic", "bde", "k2"), function(score) {
  learn_dag(zoo, score, whitelist = data.frame("milk", "hair"), max_parents = 3,
            blacklist = data.frame("eggs", c("milk", "feathers")))
})
each("in tiers", c("bic", "aic"), function(score) {
  learn_dag(zoo, score, tiers = list(names(zoo)[1:8], names(zoo)[9:17]), max_parents = 3)
})
each("updated", c("bic", "bde"), function(score) {
  first <- learn_dag(zoo, score, max_parents = 3, method = "local")
  update(first, zoo)
})
each("forecast", c("bic", "bde", "pcart"), function(score) {
  forecast <- search_size(zoo, score, max_parents = 3)
  unclass(forecast)[c("parent_sets", "nodes")]
})
each("bootstrap", c("bic", "bde"), function(score) {
  as.data.frame(bootstrap_dags(zoo[1:8], R = 5, score = score, max_parents = 2))
})

# ---- bounded tree-width --------------------------------------------------------------------------

sets_of_fourteen <- drawn_sets(40, 14, 20)
each("tree-width", 1:2, function(k) learn_treewidth(sets_of_fourteen, k, method = "local"))
each("tree-width of ten nodes", 3:5, function(k) {
  learn_treewidth(drawn_sets(42, 10, 12), k, method = "local")
})
each("tree-width, exact", 1:3, function(k) {
  learn_treewidth(drawn_sets(41, 10, 15), k, method = "exact")
})
each("tree-width, sampled", c("phc", "hc", "a-star", "none"), function(refine) {
  learn_treewidth(sets_of_fourteen, 2, method = "sample", refine = refine, iterations = 20)
})
each("tree-width, s2", 2:3, function(k) {
  learn_treewidth(sets_of_fourteen, k, method = "sample", inner = "s2", iterations = 10)
})
each("tree-width of zoo", 2:3, function(k) learn_treewidth(zoo, k, "bic", max_parents = 3))
each("k-trees", c("uniform", "distance"), function(method) {
  lapply(sample_k_tree(letters[1:12], 3, n = 5, method = method), k_tree_code)
})
each("within a k-tree", 1:3, function(k) {
  learn_treewidth(sets_of_fourteen, sample_k_tree(sets_of_fourteen$nodes, k))
})
each("width of a network", c("bic", "aic"), function(score) {
  network <- learn_dag(zoo, score, max_parents = 3)
  found <- treewidth(network, time_limit = Inf)
  list(found$lower, found$upper, elimination_order(network, time_limit = Inf))
})

# ---- fits and queries ----------------------------------------------------------------------------

network_of_zoo <- function() learn_dag(zoo, "bic", max_parents = 3)
answers <- function(fit, data) {
  list(log_density(fit, data), most_probable(fit, as.list(data[1L, 1:3])),
       log_probability(fit, as.list(data[2L, 2:5])))
}
each("fit of zoo", c("bayes", "mle"), function(method) {
  answers(fit_network(network_of_zoo(), zoo, method = method), zoo)
})
each("queries", names(zoo)[c(1, 5, 9, 13, 17)], function(node) {
  fit <- fit_network(network_of_zoo(), zoo)
  evidence <- lapply(zoo[3L, setdiff(names(zoo)[c(2, 4, 8)], node)], as.character)
  list(query(fit, node, evidence), most_probable(fit, evidence))
})
each("joint of two", 1:3, function(i) {
  query(fit_network(network_of_zoo(), zoo), names(zoo)[c(i, i + 5L)])
})
each("by sampling", c("mixed", "zoo"), function(name) {
  data <- get(name)
  fit <- fit_network(learn_dag(data, max_parents = 2), data)
  approximate_query(fit, names(data)[1L], nsim = 1000, seed = 7)
})
each("compiled", c("zoo", "mtcars"), function(name) {
  data <- get(name)
  compiled <- compile_network(fit_network(learn_dag(data, max_parents = 2), data))
  log_density(compiled, data)
})
each("local models", c("pcart", "ft"), function(score) {
  network <- learn_dag(mixed, score, max_parents = 2)
  fit <- fit_network(network, mixed)
  list(log_density(fit, mixed), predict(fit, mixed, "mpg"))
})
each("score of a network", c(discrete_scores, "pcart"), function(score) {
  score_network(network_of_zoo(), zoo, score, by_node = TRUE)
})

# ---- densities -----------------------------------------------------------------------------------

known <- drawn_data(5, 400, 16)
unseen <- drawn_data(5, 600, 16)[401:600, ]
seen_through <- function(model) {
  list(log_density(model, unseen), log_density(model, known),
       log_probability(model, list(x1 = "0", x4 = "1")), most_probable(model, list(x2 = "1")))
}
cutset_algorithms <- c("dcsn", "cnet", "cnetp", "xcnet")
each("cutset network", cutset_algorithms, function(algorithm) {
  seen_through(learn_cutset(known, algorithm, validation = if (algorithm == "cnetp") unseen))
})
each("cutset network of zoo", cutset_algorithms[-3L], function(algorithm) {
  log_density(learn_cutset(zoo, algorithm), zoo)
})
each("bag", cutset_algorithms[-3L], function(algorithm) {
  seen_through(learn_cutset_bag(known, 5, algorithm))
})
each("weights of a bag", c("uniform", "em", "loglik"), function(weighting) {
  seen_through(learn_cutset_bag(known, 4, weighting = weighting, validation = unseen))
})
each("mixture", c("chow-liu", "cnet"), function(base) {
  seen_through(learn_mixture(known, 4, base, iterations = 15))
})
each("mixture, soft", 2:3, function(components) {
  seen_through(learn_mixture(known, components, start = "soft", iterations = 15))
})
each("Chow-Liu tree", c("joint", "marginal", "product", "laplace", "uniform"), function(prior) {
  seen_through(learn_chow_liu(known, prior))
})
each("hidden tree", c(2, 4), function(states) {
  model <- learn_hclt(known, states, iterations = 15)
  list(log_density(model, unseen), log_density(model, known))
})
each("stack", c("model", "component"), function(by) {
  models <- list(learn_cutset(known), learn_mixture(known, 3, iterations = 10))
  seen_through(stack_densities(models, unseen, by))
})
each("tuned", c("dcsn", "cnet"), function(algorithm) {
  seen_through(tune_cutset(known, unseen, algorithm))
})
