# Kind "sequences": calls one after another on the same problem or the same model, each answer held
# against brute force.

run_sequences <- function(calls) {
  switch(choose(3L), search_in_sequence(), questions_in_sequence(), densities_in_sequence())
}

# Names that most programs take for granted are "A", "B", ...
node_sets <- list(LETTERS[1:5], c("x y", "a|b", "[z]", "{n}", "1"),
                  c("\u00e9", "if", ".x", "_y", "A:B"))

random_discrete <- function(n, rows = 10L + choose(30L)) {
  columns <- list()
  for (v in seq_len(n)) {
    size <- 1L + choose(3L)
    column <- vapply(seq_len(rows), function(i) choose_row(i, v, size, columns), 0L)
    # what never varies is refused, which is tested elsewhere
    column[seq_len(size)] <- seq_len(size)
    columns[[v]] <- factor(letters[column], letters[seq_len(size)])
  }
  as.data.frame(stats::setNames(columns, pick(node_sets)[seq_len(n)]), check.names = FALSE,
                optional = TRUE)
}

# Half of the rows follow another column: otherwise no network but the empty one is worth a thing.
choose_row <- function(i, v, size, columns) {
  if (v > 1L && stats::runif(1) < 0.6) {
    return((as.integer(columns[[1L + (v * 7L) %% (v - 1L)]])[i] - 1L) %% size + 1L)
  }
  sample.int(size, 1L)
}

random_numbers <- function(n, rows = 15L + choose(20L)) {
  d <- matrix(stats::rnorm(n * rows), rows)
  for (v in seq_len(n)[-1L]) d[, v] <- d[, v] + pick(c(0, 1, 3)) * d[, v - 1L]
  stats::setNames(as.data.frame(d), LETTERS[seq_len(n)])
}

random_mixed <- function(n) {
  d <- random_discrete(n, 30L)
  for (v in seq_len(n)) if (choose(2L) == 2L) d[[v]] <- as.integer(d[[v]]) + stats::rnorm(30L)
  d
}

# ---- search -------------------------------------------------------------------------------------

search_in_sequence <- function() {
  n <- 1L + choose(if (rarely(8L)) 4L else 3L)
  kind <- choose(3L)
  label <- pick(list(c("bde", "bic", "aic", "loglik", "k2", "bds", "bdj", "ebic", "fnml", "qnml",
                       "bdla"),
                     c("bic-g", "loglik-g", "bge", "aic-g", "ebic-g"),
                     c("bic-cg", "pcart", "ft"))[[kind]])
  set.seed(choose(1000L))
  d <- list(random_discrete, random_numbers, random_mixed)[[kind]](n)
  say("step", label, " on ", nrow(d), " rows of ", n, ": ", toString(names(d)))
  tables <- score_tables(d, label)
  if (any(vapply(tables, function(t) any(is.nan(t) | t == Inf), NA))) return(invisible())
  problem <- list(d = d, label = label, n = n, nodes = names(d), tables = tables, from = d)
  network <- NULL
  for (step in seq_len(choose(4L))) {
    network <- switch(choose(7L),
      step_learn(problem), step_learn(problem), step_k_best(problem), step_treewidth(problem),
      step_update(problem, network), step_score(problem), step_verify(problem, network)
    ) %||% network
    if (rarely(3L)) problem <- step_to_sets(problem)
  }
}

step_to_sets <- function(problem) {
  if (!is.data.frame(problem$from)) return(problem)
  within <- pick(list("this process" = identity, "two workers" = as_with_workers))
  answer <- attempt("sets <- parent_sets()",
                    within(optbn::parent_sets(problem$d, problem$label, progress = FALSE)))
  if (is.null(answer$value)) found("no parent sets: ", conditionMessage(answer$condition))
  ours <- tables_of_sets(answer$value)
  for (v in seq_len(problem$n)) {
    kept <- is.finite(ours[[v]])
    if (!same_answer(ours[[v]][kept], problem$tables[[v]][kept])) found("local scores are wrong")
  }
  problem$from <- answer$value
  problem$tables <- ours
  problem
}

# Evaluates `code` as under a plan of two workers, whose work is done in this process, however
# little it is.
as_with_workers <- function(code) {
  loadNamespace("future")
  before <- options(optbn.parallel_seconds = 0)
  on.exit(options(before))
  namespace <- asNamespace("optbn")
  suppressMessages(trace("worker_count", quote(workers <- 2), where = namespace, print = FALSE))
  on.exit(suppressMessages(untrace("worker_count", where = namespace)), add = TRUE)
  force(code)
}

# Arguments that bind the network, and which graphs they leave.
random_constraints <- function(problem, whole = TRUE) {
  n <- problem$n
  dags <- all_dags(n)
  given <- list()
  keep <- rep(TRUE, nrow(dags))
  has_arc <- function(u, v) bitwAnd(dags[, v], as.integer(bit(u))) > 0L
  some_arc <- function() {
    u <- choose(n)
    c(u, (u + choose(n - 1L) - 1L) %% n + 1L)
  }
  table_of <- function(arc) data.frame(from = problem$nodes[arc[1L]], to = problem$nodes[arc[2L]])
  if (choose(4L) == 4L) {
    arc <- some_arc()
    given$whitelist <- table_of(arc)
    keep <- keep & has_arc(arc[1L], arc[2L])
  }
  if (choose(4L) == 4L) {
    arc <- some_arc()
    given$blacklist <- table_of(arc)
    keep <- keep & !has_arc(arc[1L], arc[2L])
  }
  if (choose(4L) == 4L) {
    given$max_parents <- choose(n) - 1L
    for (v in seq_len(n)) keep <- keep & count_bits(dags[, v]) <= given$max_parents
  }
  if (whole && choose(4L) == 4L) {
    given$max_arcs <- choose(n + 1L) - 1L
    keep <- keep & rowSums(matrix(count_bits(dags), nrow(dags))) <= given$max_arcs
  }
  if (whole && choose(4L) == 4L) {
    arc <- some_arc()
    required <- choose(2L) == 2L
    given$ancestors <- cbind(table_of(arc), required = required)
    above <- bitwAnd(ancestors_of(dags)[, arc[2L]], as.integer(bit(arc[1L]))) > 0L
    keep <- keep & above == required
  }
  list(given = given, keep = keep)
}

arguments_of <- function(problem, given, ...) {
  label <- if (is.data.frame(problem$from)) list(score = problem$label)
  c(list(x = problem$from), label, given, list(progress = FALSE, threads = choose(2L), ...))
}

describe_call <- function(f, arguments) {
  shown <- arguments[setdiff(names(arguments), c("x", "progress", "threads"))]
  sprintf("%s(%s)", f, paste(names(shown), vapply(shown, in_words, ""), sep = " = ",
                             collapse = ", "))
}

call_learner <- function(f, arguments) {
  attempt(describe_call(f, arguments), do.call(getExportedValue("optbn", f), arguments))
}

# Is this the answer to a search whose graphs are `keep`?
check_search <- function(answer, problem, keep, exact) {
  totals <- totals_of(all_dags(problem$n), problem$tables)
  totals[!keep] <- -Inf
  best <- max(totals)
  if (best == -Inf) {
    if (is.null(answer$condition)) found("a network where none is possible")
    kinds <- c("optbn_error_infeasible", "optbn_error_constraints")
    if (!inherits(answer$condition, kinds)) {
      found("no network is possible; said is ", conditionMessage(answer$condition))
    }
    return(NULL)
  }
  if (!is.null(answer$condition)) found("refuses: ", conditionMessage(answer$condition))
  network <- answer$value
  record <- optbn::certificate(network)
  slip <- 1e-7 * max(1, abs(best))
  own <- sum(mapply(function(table, mask) table[mask + 1], problem$tables,
                    mask_of_network(network)))
  if (!is_near(own, record$score)) found("its score is ", own, ", not ", record$score)
  if (record$score > best + slip) found("breaks a constraint, or scores too much")
  if (!is.null(record$settings$complete)) return(network) # its bound speaks of some sets alone
  if (record$bound < best - slip) found("a bound of ", record$bound, " below the best, ", best)
  if ((exact || record$status == "optimal") && record$score < best - slip) {
    found("claims ", record$status, " at ", record$score, "; the best has ", best)
  }
  if (exact && record$status != "optimal") found("ends ", record$status)
  network
}

is_near <- function(a, b) isTRUE(abs(a - b) <= 1e-7 * max(1, abs(b)))

step_learn <- function(problem) {
  method <- pick(c("auto", "dp", "lagrangian", "elsa", "local"))
  constraints <- random_constraints(problem, whole = method != "dp")
  limit <- if (rarely(8L)) list(time_limit = pick(c(0, 1e-4, 1e-3)))
  arguments <- c(arguments_of(problem, constraints$given, method = method), limit)
  answer <- call_learner("learn_dag", arguments)
  if (!is.null(limit) && inherits(answer$condition, "optbn_error_time")) return(NULL)
  check_search(answer, problem, constraints$keep, exact = is.null(limit) && method != "local")
}

step_k_best <- function(problem) {
  method <- pick(c("auto", "dp"))
  constraints <- random_constraints(problem, whole = method != "dp")
  equivalence <- rarely(3L)
  k <- choose(5L)
  arguments <- arguments_of(problem, constraints$given, method = method, k = k,
                            equivalence = equivalence)
  answer <- call_learner("learn_k_best", arguments)
  dags <- all_dags(problem$n)
  totals <- totals_of(dags, problem$tables)
  totals[!constraints$keep] <- -Inf
  if (max(totals) == -Inf) {
    check_search(answer, problem, constraints$keep, TRUE)
    return(NULL)
  }
  if (!is.null(answer$condition)) found("refuses: ", conditionMessage(answer$condition))
  by_score <- order(-totals)
  by_score <- by_score[is.finite(totals[by_score])]
  if (equivalence) {
    by_score <- by_score[!duplicated(apply(dags[by_score, , drop = FALSE], 1L, class_label))]
  }
  best <- totals[utils::head(by_score, k)]
  ours <- vapply(answer$value, function(network) optbn::certificate(network)$score, 0)
  if (length(ours) != length(best) || !same_answer(ours, best)) {
    found("the best have ", toString(best), ", not ", toString(ours))
  }
  NULL
}

step_treewidth <- function(problem) {
  constraints <- random_constraints(problem, whole = FALSE)
  width <- choose(problem$n) - 1L
  method <- pick(c("auto", "exact", "local", "sample"))
  arguments <- arguments_of(problem, constraints$given, method = method, treewidth = width)
  if (method %in% c("local", "sample")) arguments$iterations <- 20L
  answer <- call_learner("learn_treewidth", arguments)
  dags <- all_dags(problem$n)
  keep <- constraints$keep & widths_of(dags) <= width
  network <- check_search(answer, problem, keep, exact = method %in% c("auto", "exact"))
  NULL
}

step_update <- function(problem, network) {
  if (is.null(network)) return(NULL)
  before <- optbn::certificate(network)
  answer <- attempt("update(network, x)",
                    stats::update(network, problem$from, progress = FALSE))
  if (!is.null(answer$condition)) {
    # sets that were made without its constraints may lack what the network needs
    if (is.data.frame(problem$from)) found("refuses: ", conditionMessage(answer$condition))
    return(NULL)
  }
  after <- optbn::certificate(answer$value)
  fell <- before$score - after$score > 1e-7 * max(1, abs(before$score))
  if (is.data.frame(problem$from) && fell) {
    found("the score fell from ", before$score, " to ", after$score)
  }
  NULL
}

step_score <- function(problem) {
  dags <- all_dags(problem$n)
  row <- choose(nrow(dags))
  d <- problem$d
  arcs <- matrix(0L, problem$n, problem$n, dimnames = list(names(d), names(d)))
  tables <- score_tables_at(problem, dags[row, ])
  for (v in seq_len(problem$n)) arcs[mask_members(dags[row, v], problem$n), v] <- 1L
  answer <- attempt("score_network() of a graph",
                    optbn::score_network(arcs, d, problem$label, by_node = TRUE))
  if (any(tables == -Inf)) return(NULL)
  if (!same_answer(unname(answer$value), tables)) {
    found("scores ", toString(answer$value), ", not ", toString(tables))
  }
  NULL
}

# Local scores of a graph by their definition, whatever the candidate sets are.
score_tables_at <- function(problem, masks) {
  vapply(seq_along(masks), function(v) {
    parents <- mask_members(masks[v], problem$n)
    mixed <- is.factor(problem$d[[v]]) && problem$label == "bic-cg" &&
      !all(vapply(problem$d[parents], is.factor, NA))
    if (mixed) -Inf else local_score(problem$d, v, parents, problem$label)
  }, 0)
}

step_verify <- function(problem, network) {
  if (is.null(network)) return(NULL)
  answer <- attempt("verify_certificate(network, data)",
                    optbn::verify_certificate(network, problem$d))
  if (!is.null(answer$condition)) return(NULL)
  wrong <- answer$value$check[answer$value$ok %in% FALSE]
  if (length(wrong) > 0L) found("a true certificate fails: ", toString(wrong))
  NULL
}

# ---- questions ----------------------------------------------------------------------------------

questions_in_sequence <- function() {
  n <- choose(4L)
  method <- pick(c("bayes", "mle"))
  set.seed(choose(1000L))
  # of few rows frequencies of 0 are left, and evidence that is impossible
  d <- random_discrete(n, rows = if (method == "mle") 3L + choose(3L) else 10L + choose(30L))
  dags <- all_dags(n)
  masks <- dags[choose(nrow(dags)), ]
  arcs <- matrix(0L, n, n, dimnames = list(names(d), names(d)))
  for (v in seq_len(n)) arcs[mask_members(masks[v], n), v] <- 1L
  fit <- attempt(paste0("fit_network(method = ", method, ")"),
                 optbn::fit_network(arcs, d, method = method))$value
  if (is.null(fit)) found("no fit")
  joint <- joint_of_fit(fit)
  model <- if (choose(2L) == 1L) fit else optbn::compile_network(fit)
  ask_in_sequence(model, joint)
}

# The values that random_discrete() puts first stay.
with_gaps <- function(column) {
  replace(column, seq(nlevels(column) + choose(5L), length(column), by = 1L + choose(4L)), NA)
}

densities_in_sequence <- function() {
  n <- 1L + choose(3L)
  set.seed(choose(1000L))
  d <- random_discrete(n)
  learner <- pick(c("learn_chow_liu", "learn_cutset", "learn_cutset_bag", "learn_mixture",
                    "learn_hclt"))
  more <- switch(learner, learn_cutset = list(min_rows = 5, alpha = 0.01),
                 learn_cutset_bag = , learn_mixture = list(components = 2),
                 learn_hclt = list(states = 2))
  if (choose(2L) == 1L) d[] <- lapply(d, with_gaps)
  answer <- attempt(learner, do.call(getExportedValue("optbn", learner),
                                     c(list(d, progress = FALSE), more)))
  if (!is.null(answer$condition)) return(invisible())
  joint <- joint_of_density(answer$value)
  if (!is_near(sum(joint$p), 1)) found("its densities sum to ", sum(joint$p))
  ask_in_sequence(answer$value, joint)
}

random_evidence <- function(levels) {
  evidence <- list()
  for (node in names(levels)) {
    labels <- levels[[node]]
    evidence[[node]] <- switch(choose(6L), NULL, NULL, NULL, pick(labels),
                               labels[c(1L, choose(length(labels)))],
                               stats::setNames(seq_along(labels) / 4, labels))
    if (!is.null(evidence[[node]]) && !is.numeric(evidence[[node]])) {
      evidence[[node]] <- unique(evidence[[node]])
    }
  }
  evidence
}

ask_in_sequence <- function(model, joint) {
  for (time in seq_len(choose(4L))) {
    evidence <- random_evidence(model$levels)
    weight <- joint$p * evidence_weight(joint$rows, evidence)
    ask <- pick(list(ask_query, ask_probability, ask_most_probable, ask_rows, ask_prediction,
                     ask_draws))
    ask(model, joint, evidence, weight)
  }
}

check_impossible <- function(answer, weight) {
  if (sum(weight) > 0 && is.null(answer$condition)) return(FALSE)
  if (sum(weight) > 0) found("refuses: ", conditionMessage(answer$condition))
  if (!inherits(answer$condition, "optbn_error_impossible")) found("answers the impossible")
  TRUE
}

ask_query <- function(model, joint, evidence, weight) {
  nodes <- setdiff(names(model$levels), names(evidence))
  if (length(nodes) == 0L) return(invisible())
  asked <- nodes[unique(c(choose(length(nodes)), choose(length(nodes))))]
  answer <- attempt(sprintf("query(%s | %s)", toString(asked), in_words(evidence)),
                    optbn::query(model, asked, evidence))
  if (check_impossible(answer, weight)) return(invisible())
  labels <- lapply(asked, function(node) factor(joint$rows[[node]], model$levels[[node]]))
  right <- tapply(weight, labels, sum) / sum(weight)
  right[is.na(right)] <- 0
  if (!same_answer(as.vector(answer$value), as.vector(right))) {
    found("answers ", toString(answer$value), ", not ", toString(right))
  }
}

ask_probability <- function(model, joint, evidence, weight) {
  answer <- attempt(sprintf("log_probability(%s)", in_words(evidence)),
                    optbn::log_probability(model, evidence))
  if (!is_near(exp(answer$value), sum(weight))) {
    found("answers ", exp(answer$value), ", not ", sum(weight))
  }
}

ask_most_probable <- function(model, joint, evidence, weight) {
  if (inherits(model, c("optbn_mixture", "optbn_latent_tree"))) return(invisible())
  answer <- attempt(sprintf("most_probable(%s)", in_words(evidence)),
                    optbn::most_probable(model, evidence))
  if (check_impossible(answer, weight)) return(invisible())
  state <- answer$value$state
  row <- Reduce(`&`, lapply(names(model$levels), function(node) {
    joint$rows[[node]] == as.character(state[[node]])
  }))
  if (!is_near(weight[row], max(weight))) {
    found("answers a state of ", weight[row], "; the most probable has ", max(weight))
  }
}

ask_rows <- function(model, joint, evidence, weight) {
  row <- joint$rows[choose(nrow(joint$rows)), , drop = FALSE]
  alike <- rep(TRUE, nrow(joint$rows))
  for (node in names(row)) {
    if (choose(3L) == 3L && !inherits(model, "optbn_fit")) row[[node]] <- NA
    else alike <- alike & joint$rows[[node]] == row[[node]]
  }
  answer <- attempt(paste("log_density() of", in_words(unlist(row))),
                    optbn::log_density(model, row))
  if (!is_near(exp(answer$value), sum(joint$p[alike]))) {
    found("answers ", exp(answer$value), ", not ", sum(joint$p[alike]))
  }
}

ask_prediction <- function(model, joint, evidence, weight) {
  nodes <- names(model$levels)
  node <- pick(nodes)
  row <- joint$rows[choose(nrow(joint$rows)), setdiff(nodes, node), drop = FALSE]
  alike <- rep(TRUE, nrow(joint$rows))
  for (other in names(row)) alike <- alike & joint$rows[[other]] == row[[other]]
  row[[node]] <- model$levels[[node]][1L]
  answer <- attempt(paste("predict", node), stats::predict(model, row, node, "prob"))
  right <- vapply(model$levels[[node]], function(label) {
    sum(joint$p[alike & joint$rows[[node]] == label])
  }, 0)
  # a fit looks at the nodes around this one only, which may be possible where the row is not
  if (sum(right) == 0 && inherits(model, "optbn_fit")) return(invisible())
  if (sum(right) == 0) right[] <- NA
  if (!same_answer(as.vector(answer$value), unname(right / sum(right)))) {
    found("predicts ", toString(answer$value), ", not ", toString(right / sum(right)))
  }
}

ask_draws <- function(model, joint, evidence, weight) {
  answer <- attempt(sprintf("simulate(%s)", in_words(evidence)),
                    stats::simulate(model, 20L, seed = choose(100L), evidence = evidence))
  if (check_impossible(answer, weight)) return(invisible())
  drawn <- do.call(paste, c(lapply(answer$value, as.character), sep = "\r"))
  all <- do.call(paste, c(joint$rows[names(answer$value)], sep = "\r"))
  at <- match(drawn, all)
  if (anyNA(at) || any(weight[at] == 0)) found("draws what is impossible")
}
