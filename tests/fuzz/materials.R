# What cases begin with: sound data, a sound call of every exported function, and odd values.

small_frames <- function() {
  set.seed(1)
  n <- 40L
  a <- sample(c("x", "y"), n, TRUE)
  b <- ifelse(stats::runif(n) < 0.8, a, sample(c("x", "y"), n, TRUE))
  c <- sample(c("low", "mid", "high"), n, TRUE)
  u <- stats::rnorm(n)
  v <- u + stats::rnorm(n)
  w <- stats::rnorm(n) + (a == "x")
  list(
    discrete = data.frame(A = factor(a), B = factor(b), C = factor(c, c("low", "mid", "high")),
                          D = factor(sample(c("0", "1"), n, TRUE))),
    continuous = data.frame(U = u, V = v, W = w),
    mixed = data.frame(A = factor(a), C = factor(c), U = u, W = w)
  )
}

# Each column misses the value of every ninth row, another one each.
with_holes <- function(data) {
  for (v in seq_along(data)) data[seq(v, nrow(data), by = 9L), v] <- NA
  data
}

# One call or more, as lists of arguments, of every exported function that has arguments.
sound_calls <- function(frames = small_frames()) {
  d <- frames$discrete
  g <- frames$continuous
  m <- frames$mixed
  gappy <- lapply(frames, with_holes)
  wide <- as.data.frame(matrix(sin(1:1200), 12)) # of so many columns candidates are selected
  gaps <- d
  for (v in seq_along(gaps)) gaps[[v]][seq(v, nrow(gaps), by = 3)] <- NA
  set.seed(1)
  quiet <- function(...) suppressMessages(...)
  set <- list(A = 1:5, C = 4:9) # the rows in which nodes were set
  marked <- cbind(d, set = rep(c("", "", "A", "B"), 10))
  sets <- quiet(parent_sets(d, "bic"))
  kept <- quiet(parent_sets(d, "bde", slack = 20))
  posterior <- quiet(network_posterior(d, "bde"))
  network <- quiet(learn_dag(sets))
  fit <- quiet(fit_network(network, d))
  mixed_fit <- quiet(fit_network("[A][C|A][U|A][W|A:U]", m))
  chain <- quiet(fit_network("[A][B|A][C|B][D|C]", d))
  normal <- quiet(fit_network("[U][V|U][W|V]", g))
  conditional <- quiet(fit_network("[A][C|A][U|A][W|A:U]", m))
  trees <- quiet(fit_network(learn_dag(m, "pcart"), m))
  binned <- quiet(fit_network(learn_dag(m, "ft"), m))
  tree <- sample_k_tree(names(d), 2)
  narrow <- quiet(learn_treewidth(d, 1, "bic", iterations = 20))
  chow_liu <- quiet(learn_chow_liu(d))
  cutset <- quiet(learn_cutset(d, min_rows = 4, min_features = 2, alpha = 0.1))
  bag <- quiet(learn_cutset_bag(d, components = 3, min_rows = 10))
  mixture <- quiet(learn_mixture(d, components = 2, iterations = 3))
  latent <- quiet(learn_hclt(d, states = 2, iterations = 3))
  stack <- quiet(stack_densities(list(chow_liu, cutset), d))
  compiled <- compile_network(chain)
  gaussian <- compile_network(normal)
  hybrid <- compile_network(conditional)
  # of the 2^17 configurations of its levels not each can be listed
  chained <- cbind(as.data.frame(lapply(1:17, function(i) factor(rep(c("a", "b"), 20)))), g[1:2])
  names(chained)[1:17] <- paste0("N", 1:17)
  chained_fit <- quiet(fit_network(
    paste0("[N1]", paste0("[N", 2:17, "|N", 1:16, "]", collapse = ""), "[U|N17][V|U]"), chained
  ))
  certain <- quiet(fit_network("[A][U|A]", transform(m, A = factor(rep("y", 40), c("x", "y"))),
                               method = "mle"))
  dense <- quiet(fit_network("[A][B|A][C|A:B][D|A:B:C]", d))
  squeezed <- compile_network(dense, memory_limit = 400) # conditioned on some nodes
  cut <- quiet(discretize_data(g, "frequency"))
  file <- file.path(tempdir(), "sound.jkl")
  write_jkl(sets, file)
  proof <- file.path(tempdir(), "sound.proof")
  proved <- learn_dag(d, "bic", progress = FALSE, proof = proof)
  set_proof <- file.path(tempdir(), "set.proof")
  set_proved <- learn_dag(d, "bic", targets = set, progress = FALSE, proof = set_proof)
  # of four subjects
  series <- cbind(d, who = rep(1:4, each = 10), when = rep(1:10, 4),
                  sort = rep(c("k", "l"), each = 20))
  dynamic <- quiet(learn_dynamic(g, score = "bic-g", progress = FALSE))
  fit_series <- function(data, ...) {
    quiet(fit_network(learn_dynamic(data, ..., progress = FALSE), data))
  }
  of_series <- list(
    normal = fit_series(g, score = "bic-g"), mixed = fit_series(m, score = "bic-cg"),
    tables = fit_series(series, 2, "who", "when", "sort", score = "bic")
  )
  validated <- quiet(cross_validate(d, list(a = learn_dag, b = learn_chow_liu), 2, target = "A"))
  short <- list(progress = FALSE, time_limit = 10, threads = 1)
  densities <- list(chow_liu, cutset, bag, mixture, latent, stack)
  exact <- c(list(chain, compiled, squeezed, normal, gaussian, conditional, hybrid), densities)
  models <- c(exact, list(trees, binned))
  evidence_of <- function(model) {
    if ("A" %in% model$nodes) list(A = "x") else list(U = 0.5)
  }
  asked <- function(model) setdiff(model$nodes, names(evidence_of(model)))[1L]
  data_of <- function(model) if ("D" %in% model$nodes) d else if ("V" %in% model$nodes) g else m
  questions <- function(rest) lapply(exact, function(model) {
    c(list(model = model), rest(model))
  })
  do_of <- function(model) if ("B" %in% model$nodes) list(B = "y") else list(V = 1)
  interventions <- function(rest) lapply(list(chain, compiled, normal, gaussian), function(model) {
    c(list(model = model, evidence = evidence_of(model), do = do_of(model)), rest(model))
  })
  held <- intervene(normal, list(V = 1))
  calls <- list(
    parent_sets = list(c(list(data = d, score = "bde", max_parents = 2,
                              whitelist = c("A", "B"), blacklist = c("C", "A"),
                              tiers = list("A", c("B", "C", "D")), candidates = 2,
                              weights = rep(1, nrow(d)), slack = 0.1, memory_limit = 1e9), short),
                       c(list(data = g, score = "bge"), short),
                       c(list(data = marked, score = "bic", targets = "set"), short),
                       c(list(data = m, score = "pcart", max_parents = 2, targets = set), short),
                       c(list(data = m, score = "ft", max_parents = 2), short),
                       c(list(data = m, score = "bic-cg"), short),
                       c(list(data = gappy$discrete, score = "pnal"), short),
                       c(list(data = gappy$continuous, score = "nal-g"), short),
                       c(list(data = gappy$mixed, score = "pnal-cg"), short)),
    learn_dag = list(c(list(x = d, score = "bic", method = "lagrangian",
                            start = "[A][B|A][C][D]", gap = 0, max_parents = 2,
                            whitelist = c("A", "B"), blacklist = c("C", "A"),
                            tiers = list("A", c("B", "C", "D")), candidates = 3,
                            ancestors = data.frame(from = "A", to = "D", required = FALSE),
                            max_arcs = 3, weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                     c(list(x = g, score = "bic-g", method = "local"), short),
                     c(list(x = sets, method = "elsa"), short),
                     c(list(x = m, score = "pcart"), short),
                     c(list(x = g, score = "bge"), short),
                     c(list(x = marked, score = "bde", targets = "set"), short),
                     c(list(x = gappy$continuous, score = "pnal-g"), short),
                     c(list(x = gappy$mixed, score = "bic-cg", missing = "em"), short)),
    learn_k_best = list(c(list(x = d, k = 2, score = "bic", equivalence = TRUE, method = "auto",
                               max_parents = 2, whitelist = c("A", "B"), blacklist = c("C", "A"),
                               tiers = list("A", c("B", "C", "D")), candidates = 3,
                               ancestors = data.frame(from = "A", to = "D", required = FALSE),
                               max_arcs = 3, weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                        c(list(x = d, k = 2, score = "bde", targets = set), short),
                        c(list(x = sets, k = 3, method = "dp"), short)),
    learn_treewidth = list(c(list(x = d, treewidth = 1, score = "bic", method = "auto",
                                  refine = "phc", inner = "exact", iterations = 5, gap = 0,
                                  max_parents = 2, whitelist = c("A", "B"),
                                  blacklist = c("C", "A"), tiers = list("A", c("B", "C", "D")),
                                  candidates = 3, weights = rep(1, nrow(d)),
                                  memory_limit = 1e9), short),
                           c(list(x = sets, treewidth = tree), short),
                           c(list(x = d, treewidth = 1, method = "local", iterations = 20,
                                  targets = set), short),
                           c(list(x = d, treewidth = 1, method = "sample", iterations = 5,
                                  refine = "a-star"), short)),
    bootstrap_dags = list(c(list(data = d, R = 2, learner = learn_dag, weights = rep(1, nrow(d)),
                                 cpdag = TRUE), short),
                          c(list(data = marked, R = 2, targets = "set"), short)),
    network_posterior = list(c(list(x = d, score = "bde", prior = "order", max_parents = 2,
                                    whitelist = c("A", "B"), blacklist = c("C", "A"),
                                    tiers = list("A", c("B", "C", "D")), candidates = 3,
                                    weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                             list(x = d, score = "bde", targets = set),
                             list(x = m, score = "pcart"), list(x = kept)),
    arc_posterior = list(list(x = posterior), list(x = g, score = "bge", prior = "size")),
    sample_dags = list(list(x = posterior, n = 10, progress = FALSE),
                       list(x = posterior, n = 10, chains = 2, moves = 400, progress = FALSE),
                       list(x = wide, n = 2, score = "bge", tiers = as.list(names(wide)),
                            time_limit = 10)), # chains, where the tiers are broken, take minutes
    causal_effects = list(list(data = d, posterior = posterior, from = c("A", "B"), to = "C",
                               level = 0.9, progress = FALSE),
                          list(data = g, score = "bge"), list(data = m, score = "pcart"),
                          list(data = d, score = "bde", targets = set),
                          list(data = d, score = "bde", weights = rep(1, nrow(d)))),
    feature_probability = list(list(networks = quiet(sample_dags(posterior, 10)),
                                    feature = function(network) nrow(network$arcs),
                                    level = 0.9)),
    learn_classifier = list(c(list(data = d, class = "A", structure = "k-dependence", k = 1,
                                   score = "bic", whitelist = c("B", "C"),
                                   weights = rep(1, nrow(d))), short),
                            list(data = marked, class = "A", targets = "set"),
                            list(data = m, class = "C", structure = "markov-blanket")),
    compare_scores = list(list(data = d, scores = c("bic", "bde"), iss = c(1, 5), max_parents = 2,
                               learner = learn_dag, cpdag = TRUE, weights = rep(1, nrow(d)),
                               progress = FALSE)),
    cross_validate = list(list(data = d, learner = list(a = learn_dag, b = learn_chow_liu), k = 2,
                               loss = c("log_likelihood", "brier", "auc"), target = "A", runs = 2,
                               fit = fit_network, time_limit = 10, progress = FALSE),
                          list(data = g, learner = learn_dag, k = 2, target = "U",
                               folds = rep(1:2, length.out = nrow(g)),
                               predict = function(model, newdata) newdata$V),
                          list(data = marked, learner = learn_dag, k = 2, targets = "set")),
    compare_learners = list(list(x = validated, reference = "b", level = 0.9)),
    calibration_bins = list(list(x = validated, bins = 3)),
    discretize_data = list(
      list(data = g, method = "width", bins = 3, columns = c("U", "V"), memory_limit = 1e9),
      list(data = m, method = "frequency"),
      list(data = g, method = "hartemink", bins = 2, initial = 5, progress = FALSE),
      c(list(data = m, method = "score", bins = 3, score = "bic", cells = 8, max_parents = 2,
             whitelist = c("A", "U"), blacklist = c("C", "A"), tiers = list("A", c("C", "U", "W")),
             memory_limit = 1e9), short),
      c(list(data = g, method = "score", bins = 2, cells = 5, targets = list(U = 1:5)), short)
    ),
    search_size = list(list(data = d, score = "bde", max_parents = 2, whitelist = c("A", "B"),
                            blacklist = c("C", "A"), tiers = list("A", c("B", "C", "D")),
                            candidates = 2, weights = rep(1, nrow(d)), targets = set,
                            memory_limit = 1e9)),
    score_network = list(list(network = network, data = d, score = "bde", by_node = TRUE,
                              weights = rep(1, nrow(d)), memory_limit = 1e9),
                         list(network = network, data = gappy$discrete, score = "nal",
                              targets = set),
                         list(network = "[A][C|A][U|A][W|A:U]", data = m, score = "pcart")),
    fit_network = list(list(network = network, data = d, iss = 1, method = "bayes",
                            weights = rep(1, nrow(d)), score = NULL, leaf = "student",
                            memory_limit = 1e9),
                       list(network = "[A][C|A][U|A][W|A:U]", data = m, score = "pcart"),
                       list(network = "[U][V|U][W|V]", data = g, method = "mle",
                            targets = list(U = 1:5)),
                       list(network = "[A][C|A][U|A][W|A:U]", data = gappy$mixed, method = "em",
                            tolerance = 1e-4, progress = FALSE),
                       list(network = "[A][C|A][U|C][W|A:U]", data = gappy$mixed, method = "em",
                            score = "pcart", leaf = "normal", progress = FALSE)),
    verify_certificate = list(list(network = network, x = sets),
                              list(network = learn_dag(d, "bic", progress = FALSE), x = d,
                                   weights = rep(1, nrow(d))),
                              list(network = learn_dag(d, "bic", targets = set, progress = FALSE),
                                   x = d, targets = set)),
    write_proof = list(c(list(network = proved, x = d, file = file.path(tempdir(), "written.proof"),
                              weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                       c(list(network = learn_dag(d, "bic", targets = set, progress = FALSE), x = d,
                              file = file.path(tempdir(), "written.proof"), targets = set), short)),
    check_proof = list(list(file = proof, x = proved, data = d, weights = rep(1, nrow(d)),
                            checker = "program"),
                       list(file = proof, x = proved, checker = "R"),
                       list(file = set_proof, x = set_proved, data = d, targets = set)),
    certificate = list(list(network = network), list(network = narrow)),
    informative_score = list(c(list(tree = tree, x = d, score = "bic", data = NULL,
                                    weights = rep(1, nrow(d)), targets = set,
                                    memory_limit = 1e9), short),
                             c(list(tree = tree, x = sets, data = d), short)),
    sample_k_tree = list(list(nodes = names(d), treewidth = 2, n = 2, method = "distance",
                              bandwidth = 1)),
    k_tree = list(list(x = list(c("a", "b", "c"), c("a", "c", "d")), nodes = c("a", "b", "c", "d")),
                  list(x = list(Q = c(7, 1, 6), S = rbind(c(1, 3), c(5, 3), c(6, 2), c(1, 1))))),
    k_tree_code = list(list(tree = tree)),
    treewidth = list(list(network = network, time_limit = 5, memory_limit = 1e9, progress = FALSE)),
    essential_graph = list(list(network = network, targets = list(character(), "A", c("B", "C")))),
    elimination_order = list(list(network = chain, goal = "cells", time_limit = 5,
                                  memory_limit = 1e9, progress = FALSE)),
    compare_treewidths = list(list(networks = list(narrow, network))),
    compile_network = list(list(fit = chain, order = c("A", "B", "C", "D"), memory_limit = 1e9),
                           list(fit = dense, memory_limit = 400),
                           list(fit = normal), list(fit = conditional)),
    nparams = list(list(x = chain), list(x = trees)),
    mutilated = list(list(x = chain, evidence = list(B = "y"))),
    write_network = list(list(fit = chain, file = file.path(tempdir(), "written.net"),
                              format = "xdsl"),
                         list(fit = dense, file = file.path(tempdir(), "written.bif"))),
    explore = lapply(list(network, chain, normal, trees), function(x) {
      list(x = x, file = file.path(tempdir(), "explored.html"), open = FALSE)
    }),
    local_model = list(list(fit = chain, node = "B"), list(fit = trees, node = "U"),
                       list(fit = binned, node = "U"), list(fit = conditional, node = "W")),
    approximate_query = lapply(list(chain, conditional, trees), function(model) {
      list(fit = model, nodes = asked(model), evidence = evidence_of(model), nsim = 50, seed = 1,
           do = list(C = levels(m$C)[1L]))
    }),
    query = c(questions(function(model) list(nodes = asked(model), evidence = evidence_of(model))),
              questions(function(model) list()),
              list(list(model = hybrid, nodes = c("C", "U"), evidence = list(W = 0.5)),
                   list(model = certain, evidence = list(A = "x"))),
              interventions(function(model) list(nodes = asked(model)))),
    log_probability = c(questions(function(model) list(evidence = evidence_of(model))),
                        interventions(function(model) list())),
    most_probable = c(questions(function(model) list(evidence = evidence_of(model))),
                      interventions(function(model) list())),
    intervene = c(lapply(list(chain, compiled, normal, gaussian), function(model) {
                    list(model = model, do = do_of(model))
                  }),
                  lapply(list(conditional, trees, binned), function(model) {
                    list(model = model, do = list(C = "mid", W = 0.5))
                  })),
    adjustment_sets = list(list(network = "[A][B|A][C|A][D|B:C]", from = "B", to = "D",
                                criterion = "back-door", type = "all", available = c("A", "C"),
                                cpdag = TRUE, limit = 5),
                           list(network = chain, from = "A", to = c("C", "D"))),
    is_adjustment_set = list(list(network = "[A][B|A][C|A][D|B:C]", from = "B", to = "D",
                                  set = "A", criterion = "generalised", cpdag = FALSE)),
    as_network = list(list(x = "pdag { {A B} -> C [beta=\"1\"]; C -> \"d e\"; F -- G }"),
                      list(x = as_amat(chain)), list(x = network)),
    as_dagitty = list(list(network = chain)), as_amat = list(list(network = network)),
    as_graphnel = list(list(network = network)),
    entropy = c(lapply(exact, function(model) list(model = model)),
                questions(function(model) list(nodes = model$nodes[1L]))),
    mutual_information = questions(function(model) {
      # what is known of a mixture of normal distributions has no closed form
      if (all(c("A", "U") %in% model$nodes)) return(list(x = "A", y = "C"))
      list(x = model$nodes[1L], y = model$nodes[2L], given = model$nodes[3L])
    }),
    kl_divergence = c(lapply(c(list(chain, compiled), densities), function(model) {
                        list(p = model, q = chain, progress = FALSE)
                      }),
                      lapply(densities, function(model) list(p = compiled, q = model)),
                      list(list(p = normal, q = gaussian), list(p = conditional, q = conditional))),
    log_density = c(lapply(models, function(model) list(model = model, data = data_of(model))),
                    list(list(model = mixed_fit, data = gappy$mixed),
                         list(model = chained_fit, data = chained[1:3, "V", drop = FALSE]))),
    lagged = list(list(data = series, lags = 2, id = "who", time = "when", static = "sort",
                       gaps = "missing", targets = list(A = 1:4)),
                  list(data = gappy$mixed)),
    learn_dynamic = list(c(list(data = series, lags = 1, id = "who", time = "when", static = "sort",
                                within = FALSE, score = "bic", max_parents = 2,
                                whitelist = c("A_lag1", "B"), blacklist = c("C_lag1", "A"),
                                gaps = "drop", targets = list(A = 1:4), initial = "all"), short),
                         c(list(data = gappy$continuous, missing = "em", score = "bic-g"), short),
                         c(list(data = m, score = "bic-cg"), short)),
    unroll = list(list(network = dynamic, slices = 3),
                  list(network = of_series$tables, slices = 3)),
    filtered = list(list(fit = of_series$tables, newdata = series, nodes = c("A", "sort"),
                         level = 0.9, progress = FALSE),
                    list(fit = of_series$normal, newdata = gappy$continuous),
                    list(fit = of_series$mixed, newdata = gappy$mixed[1:6, ])),
    smoothed = list(list(fit = of_series$tables, newdata = series[-1L], nodes = "B", level = 0.9,
                         progress = FALSE),
                    list(fit = of_series$normal, newdata = gappy$continuous),
                    list(fit = of_series$mixed, newdata = gappy$mixed[1:6, ])),
    impute = list(list(model = fit, data = gappy$discrete, draws = 1, progress = FALSE),
                  list(model = mixed_fit, data = gappy$mixed),
                  list(model = trees, data = gappy$mixed),
                  list(model = binned, data = gappy$mixed, draws = 2, progress = FALSE),
                  list(model = cutset, data = gappy$discrete)),
    read_jkl = list(list(file = file, require_empty = TRUE)),
    write_jkl = list(list(x = sets, file = file.path(tempdir(), "written.jkl"), digits = 17)),
    learn_chow_liu = list(c(list(data = d, prior = "joint", alpha = 0.01, validation = d,
                                 weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                          c(list(data = gaps, validation = gaps), short)),
    learn_cutset = list(c(list(data = d, algorithm = "dcsn", prior = "joint", alpha = 0.1,
                               min_rows = 4, min_features = 2, min_child_rows = TRUE, screen = 2,
                               penalty = "whole", min_entropy = 0.01, max_depth = 3, validation = d,
                               weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                        c(list(data = d, algorithm = "cnet"), short),
                        c(list(data = d, algorithm = "cnetp", validation = d), short),
                        c(list(data = gaps, algorithm = "cnetp", min_rows = 4, validation = gaps),
                          short)),
    learn_cutset_bag = list(c(list(data = d, components = 2, algorithm = "dcsn", bootstrap = TRUE,
                                   weighting = "uniform", validation = d,
                                   weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                            c(list(data = gaps, components = 2, algorithm = "xcnet"), short)),
    learn_mixture = list(c(list(data = d, components = 2, base = "chow-liu", validation = d,
                                alpha = 0.1, max_depth = 2, start = "hard", starts = 1,
                                iterations = 3, patience = 2, weights = rep(1, nrow(d)),
                                memory_limit = 1e9), short),
                         c(list(data = gaps, components = 2, base = "cnet", iterations = 3),
                           short)),
    learn_hclt = list(c(list(data = d, states = 2, validation = d, alpha = 0.1, iterations = 3,
                             patience = 2, weights = rep(1, nrow(d)), memory_limit = 1e9), short),
                      c(list(data = gaps, states = 2, iterations = 3), short)),
    stack_densities = lapply(c("model", "component"), function(by) {
      list(models = list(chow_liu, bag), validation = d, by = by, threads = 1, time_limit = 10,
           progress = FALSE)
    }),
    tune_cutset = list(c(list(data = d, validation = d, algorithm = "dcsn", alpha = c(0.01, 0.1),
                              min_rows = c(5, 20), weights = rep(1, nrow(d)), memory_limit = 1e9),
                         short)),
    mixture_component = list(list(model = mixture, i = 1)),
    cutset_leaf = list(list(model = cutset, leaf = 1)),
    score_bde = list(list(iss = 1, prior = "vsp")), score_bds = list(list(iss = 1, prior = "vsp")),
    score_bdj = list(list(prior = "marginal")), score_bdla = list(list(l = 3, prior = "vsp")),
    score_mbde = list(list(iss = 1, exp = list(A = 1:3), prior = "vsp")),
    score_ebic = list(list(k = 1, gamma = 0.5)), score_ebic_g = list(list(k = 1, gamma = 0.5)),
    score_ebic_cg = list(list(k = 1, gamma = 0.5)),
    score_pnal = list(list(k = 1)), score_pnal_g = list(list(k = 1)),
    score_pnal_cg = list(list(k = 1)),
    score_pred_loglik = list(list(newdata = d, iss = 0)),
    score_pred_loglik_g = list(list(newdata = g)),
    score_pred_loglik_cg = list(list(newdata = m, iss = 1)),
    score_custom = list(list(fun = function(node, parents, data) -length(parents), args = list(),
                             bound = function(node, parents, data, args) 0)),
    structure_prior = list(
      list(type = "cs", beta = data.frame(from = "A", to = "B", prob = 0.5)),
      list(type = "network", beta = 0.5, network = "[A][B|A]")
    ),
    score_bic = list(list(k = 1)), score_aic = list(list(k = 1)),
    score_bic_g = list(list(k = 1)), score_aic_g = list(list(k = 1)),
    score_bic_cg = list(list(k = 1)), score_aic_cg = list(list(k = 1)),
    score_bge = list(list(iss_mu = 1, iss_w = 10, nu = c(U = 0, V = 0, W = 0),
                          prior = "vsp")),
    score_pcart = list(list(alpha = 0.5, nu = 1, lambda = 1, mu = 0, a = 1, max_splits = 2,
                            range = list(U = c(-9, 9), W = c(-9, 9)),
                            standardise = TRUE, penalty = "size", iss = NULL)),
    score_ft = list(list(alpha = 0.5, nu = 1, lambda = 1, mu = 0, a = 1, max_bins = 3,
                         standardise = TRUE, penalty = "size", iss = NULL))
  )
  methods <- c(
    lapply(models, function(model) list("predict", list(object = model, newdata = data_of(model),
                                                        node = model$nodes[1L],
                                                        na_level = FALSE))),
    lapply(models, function(model) list("simulate", list(object = model, nsim = 5, seed = 1))),
    lapply(models, function(model) {
      if (inherits(model, c("optbn_fit", "optbn_density"))) {
        list("logLik", list(object = model, newdata = data_of(model)))
      }
    }),
    unname(Map(function(fit, data) list("predict", list(object = fit, newdata = data, horizon = 2,
                                                        nodes = NULL, level = 0.9)),
               of_series, list(gappy$continuous, m[1:6, ], series))),
    list(list("predict", list(object = held, newdata = g[c("U", "W")], node = "W")),
         list("simulate", list(object = chain, nsim = 5, seed = 1, evidence = list(A = "x"),
                               do = list(B = "y"))),
         list("logLik", list(object = held, newdata = g)),
         list("predict", list(object = chained_fit, newdata = chained[1:3, "V", drop = FALSE],
                              node = "N1"))),
    list(list("update", list(object = mixture, data = d, iterations = 2, progress = FALSE)),
         list("update", list(object = network, x = sets, time_limit = 1, progress = FALSE)),
         list("predict", list(object = mixed_fit, newdata = gappy$mixed,
                              node = mixed_fit$nodes[1L])),
         list("predict", list(object = cut, newdata = g)))
  )
  methods <- Filter(length, methods)
  c(calls, split(lapply(methods, `[[`, 2L), vapply(methods, `[[`, "", 1L)))
}

odd_values <- function() list(
  NULL, NA, NA_character_, NA_real_, NaN, Inf, -Inf, -1, 0, 0.5, 1, 2, 3L, 1e-300, 1e15, 1e300,
  2^31, 2^53, TRUE, FALSE, "", "a", "\xff", "{x}", "{.val {stop('cli')}}", "bic", "A",
  c("A", "B"), c("A", "A"), c("A", "nobody"), c(1, 2), c(-1, NA), 1:100000, 1i, raw(2),
  integer(), character(), logical(), list(), list(1), list(NULL), list("A", "B"), list(A = "x"),
  list(A = "no such"), list(A = NA), list(A = NULL), list(A = c(x = -1, y = 1)),
  c(A = 1), data.frame(), data.frame(A = 1), data.frame(from = "A", to = "B"),
  data.frame(from = "A", to = NA), data.frame(from = factor("A"), to = factor("B")),
  data.frame(from = "A", to = "B", required = NA), matrix(1:4, 2), matrix("A", 1, 2),
  matrix(0, 0, 0), array(1, c(2, 2, 2)), factor("A"), as.Date("2020-01-01"), Sys.time(),
  sum, function(x) x, function() stop("called"), quote(x), quote(f(x)), y ~ x, new.env(),
  structure(1, class = "nonsense"), structure(list(), class = "data.frame"),
  structure(list(), class = c("optbn", "bn")), structure(list(), class = "optbn_fit"),
  structure(list(), class = "bn.fit"), structure(list(), class = "optbn_parent_sets"),
  structure(list(), class = "optbn_score"), structure(list(), class = c("optbn_cutset_network",
                                                                        "optbn_density")),
  structure(list(), class = "optbn_compiled_network"), structure(list(), class = "optbn_k_tree"),
  structure(1L, class = "factor"), structure(list(A = 1:2, B = 1), class = "data.frame",
                                              row.names = 1:2),
  strrep("a", 1e5), rep(1, 40), rep(0, 40), rep(2^32, 40), rep(-1, 40), c(rep(1, 39), NA)
)
