# Candidate parent sets made without data, and every network that they allow.

# Per node up to `count` random sets of at most `most` parents among `others(v)`;
# the empty set always, unless `empty` is FALSE: then at every third node only.
random_parent_sets <- function(n, count = 6L, most = 3L, empty = TRUE,
                               others = function(v) setdiff(seq_len(n), v),
                               source = "random") {
  sets <- lapply(seq_len(n), function(v) {
    candidates <- unique(lapply(seq_len(count), function(i) {
      size <- sample.int(min(most, length(others(v))), 1L)
      sort(others(v)[sample.int(length(others(v)), size)])
    }))
    if (empty || v %% 3L == 1L) candidates <- c(list(integer()), candidates)
    score <- -10 + 2 * lengths(candidates) + 4 * stats::runif(length(candidates))
    best_first <- order(-score, lengths(candidates))
    list(score = score[best_first], size = lengths(candidates)[best_first],
         parents = as.integer(unlist(candidates[best_first])))
  })
  sets_by_hand(node_names(n), sets, source)
}

# For `others`: the nodes at most `reach` away on a circle of n. Bounds are weak in places then.
on_a_circle <- function(n, reach) {
  function(v) sort((v + c(-reach:-1, 1:reach) - 1L) %% n + 1L)
}

sets_by_hand <- function(nodes, sets, source = "hand") {
  n <- length(nodes)
  count <- lengths(lapply(sets, `[[`, "score"))
  new_parent_sets(nodes, sets, considered = count, counted = count,
                  settings = list(score = NULL, max_parents = rep(n - 1L, n), source = source))
}

node_names <- function(n) sprintf("N%03d", seq_len(n))

# All acyclic choices of one set a node, best first: a matrix with one row a
# network and one column a node, and the scores.
all_networks <- function(sets) {
  members <- lapply(sets$sets, function(node) {
    unname(split(node$parents, factor(rep(seq_along(node$size), node$size),
                                      levels = seq_along(node$size))))
  })
  choices <- as.matrix(expand.grid(lapply(members, seq_along)))
  acyclic <- apply(choices, 1L, function(choice) {
    parents <- Map(`[[`, members, choice)
    length(topological_order(parents)) == length(parents)
  })
  choices <- choices[acyclic, , drop = FALSE]
  scores <- Reduce(`+`, Map(function(node, v) node$score[choices[, v]], sets$sets,
                            seq_along(sets$sets)))
  best_first <- order(-scores)
  list(choices = choices[best_first, , drop = FALSE], scores = scores[best_first],
       parents = lapply(best_first, function(row) Map(`[[`, members, choices[row, ])))
}

score_of <- function(network) certificate(network)$score

# A certificate that every checker accepts.
expect_certified <- function(network, x, status = "optimal", ...) {
  record <- certificate(network)
  expect_true(record$valid)
  expect_identical(record$status, status)
  checks <- verify_certificate(network, x, ...)
  expect_true(all(checks$ok, na.rm = TRUE), label = paste(format(checks$detail), collapse = "; "))
}

# A forecast without the seconds that a pilot took.
without_seconds <- function(lines) {
  sub("(scoring: .*(about|up to)) [0-9.e+-]+ (s|min)", "\\1 ... s", lines)
}
