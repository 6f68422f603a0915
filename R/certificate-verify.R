# verify_certificate(): what a certificate says, checked by other means.
#
# Short code in plain R that shares nothing with the search: those who doubt the
# search can read this instead. Local scores come from score_network(), which
# tests compare with bnlearn.

#' Verify a Certificate
#'
#' Checks a [certificate()] with short code that is independent of the search.
#'
#' @details
#' The checks are:
#'
#' * the certificate is unchanged since the search;
#' * the network is that of the certificate, is acyclic, and satisfies the constraints;
#' * its tree-width, by the k-tree of [learn_treewidth()];
#' * every local score, and their sum;
#' * score and bound agree with the status;
#' * the bound at the root of a tree search, from the multipliers in the certificate, over the
#'   parent sets in `x` or those that the network keeps;
#' * the number of these sets that are larger than the size up to which all sets were considered;
#' * for small problems the optimum itself, by a short dynamic program in R;
#' * a proof, if one was written, by [check_proof()].
#'
#' @param network A network from [learn_dag()], [learn_treewidth()] or [learn_k_best()].
#' @param x The data, or the parent sets, from which it was learned; `NULL` for the parent sets that
#'   the network keeps (see [learn_dag()]).
#' @param weights,targets As in the call of the learner, if `x` is data.
#' @return A data frame of class `"optbn_certificate_check"`, one row per check: `check`, its name;
#'   `ok`, `TRUE`, `FALSE`, or `NA` if it was not checked; `detail`, a description. It prints as a
#'   list of ticks and crosses.
#'
#'   The optimum is computed again if the network is the best over its candidate sets, or over those
#'   within a given k-tree, and if the largest group of nodes that may be on a common cycle has at
#'   most 12 nodes (of at most 500 in all). For data, the parent sets are those that the network
#'   keeps, or, with at most 12 columns, those of [parent_sets()].
#' @section Errors: `optbn_error_argument` when `network` has no certificate, or `x` does not have
#'   its nodes; `optbn_error_model` when the certificate was changed and cannot be read.
#' @seealso [certificate()].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' network <- learn_dag(titanic[1:4], weights = titanic$Freq)
#' verify_certificate(network, titanic[1:4], weights = titanic$Freq)
#' @export
verify_certificate <- function(network, x = NULL, weights = NULL, targets = NULL) {
  require_arguments()
  call <- environment()
  record <- certificate(network)
  if (is.null(x)) x <- kept_sets(network, "network", call)
  if (inherits(x, "optbn_parent_sets")) check_sound(x)
  seal <- check_seal(record)
  record$settings["score"] <- list(recorded_score(record))
  if (is_data(x)) {
    check_targets_again(targets, record$settings, call)
  } else {
    refuse_with_sets(c(targets = !is.null(targets)), call)
  }
  nodes <- check_verifiable(network, x, nodes_of(x, weights, targets), record, call)
  parents <- stats::setNames(lapply(network$nodes[nodes], `[[`, "parents"), nodes)
  arcs <- data.frame(from = as.character(unlist(parents)),
                     to = rep(nodes, lengths(parents)))
  settings <- record$settings
  most <- stats::setNames(rep_len(settings$max_parents %||% Inf, length(nodes)),
                          names(network$nodes))
  scores <- scores_anew(network, x, settings, parents, weights, targets)
  sets <- searched_sets(network, x, call)
  root <- root_bound(record, sets)
  optimum <- check_optimum(record, x, sets, weights, targets, most)
  proof <- check_by_proof(record, sets, call)
  checks <- rbind(
    seal,
    check_arcs(network, record, arcs),
    check_acyclic(parents),
    check_constraints_hold(settings, parents[names(network$nodes)]),
    check_width(record, parents),
    check_scope(settings, sets),
    check_scores(record, scores),
    check_total(record, scores),
    check_bound(record, root, c(optimum$ok, proof$ok)),
    check_multipliers(record, root),
    optimum,
    proof
  )
  structure(checks, class = c("optbn_certificate_check", "data.frame"))
}

# `nodes`, those of x, after checking that there is something to verify.
check_verifiable <- function(network, x, nodes, record, call) {
  if (is.null(nodes) || !setequal(nodes, names(network$nodes))) {
    abort_optbn("argument",
                c(paste("{.arg x} must be the data or the parent sets that",
              "{.arg network} was learned from."),
                  x = if (length(nodes) > 0L) "It has other nodes." else "It is {describe(x)}."),
                call = call)
  }
  if (is_data(x) && is.null(record$settings$score)) {
    abort_optbn("argument",
                c("{.arg x} must be parent sets: {.arg network} was learned from a file of scores.",
                  i = "Read {.file {record$settings$source}} with {.fn read_jkl}."),
                call = call)
  }
  nodes
}

# The candidates among which the network was sought; NULL where only the data have come.
searched_sets <- function(network, x, call) {
  if (inherits(x, "optbn_parent_sets")) return(x)
  if (!is.null(network$learning$parent_sets)) kept_sets(network, "network", call)
}

one_check <- function(check, ok, detail) data.frame(check = check, ok = ok, detail = detail)

arc_strings <- function(arcs) paste(arcs[, 1L], arcs[, 2L], sep = "\r")

close_to <- function(a, b) abs(a - b) <= 1e-8 * pmax(1, abs(b))

check_seal <- function(record) {
  sealed <- is_sealed(record)
  one_check("record", sealed,
            if (sealed) "unchanged since the search" else "was changed since the search wrote it")
}

check_arcs <- function(network, record, arcs) {
  same <- setequal(arc_strings(network$arcs), arc_strings(record$arcs)) &&
    setequal(arc_strings(arcs), arc_strings(record$arcs))
  one_check("arcs", same, if (same) "those of the certificate" else "not those of the certificate")
}

# Takes away nodes without parents until none is left.
check_acyclic <- function(parents) {
  left <- names(parents)
  repeat {
    free <- vapply(parents[left], function(p) !any(p %in% left), NA)
    if (!any(free)) break
    left <- left[!free]
  }
  one_check("acyclic", length(left) == 0L,
            if (length(left) == 0L) "yes" else paste("a cycle passes through", left[1L]))
}

check_constraints_hold <- function(settings, parents) {
  broken <- broken_constraints(settings, parents)
  one_check("constraints", length(broken) == 0L,
            if (length(broken) == 0L) "hold" else paste("broken:", paste(broken, collapse = ", ")))
}

# The names of the constraints that a network breaks. `parents` are names by node.
broken_constraints <- function(settings, parents) {
  arcs <- data.frame(from = as.character(unlist(parents)),
                     to = rep(names(parents), lengths(parents)))
  among <- function(table) arc_strings(table) %in% arc_strings(arcs)
  c(
    if (NROW(settings$whitelist) > 0L && !all(among(settings$whitelist))) "whitelist",
    if (NROW(settings$blacklist) > 0L && any(among(settings$blacklist))) "blacklist",
    if (!is.null(settings$candidates) &&
          !all(arc_strings(arcs) %in% arc_strings(settings$candidates))) "candidates",
    if (any(lengths(parents) > (settings$max_parents %||% Inf))) "max_parents",
    if (any(nrow(arcs) > settings$max_arcs)) "max_arcs",
    if (!all(within_k_tree(settings$k_tree, names(parents), parents))) "treewidth",
    if (!all(paths_as_asked(settings$ancestors, parents))) "ancestors"
  )
}

# Is the only k-tree allowed, if there is one, kept to?
within_k_tree <- function(tree, nodes, parents) {
  if (is.null(tree)) TRUE else families_in_bags(nodes, parents, tree$bags)
}

# For each row of `ancestors`: is there a path, or none, as it says?
paths_as_asked <- function(ancestors, parents) {
  vapply(seq_len(NROW(ancestors)), function(i) {
    above <- ancestors$to[i]
    repeat {
      more <- union(above, unlist(parents[above]))
      if (length(more) == length(above)) break
      above <- more
    }
    (ancestors$from[i] %in% above) == ancestors$required[i]
  }, NA)
}

# Does the k-tree hold every family, and is it one?
check_width <- function(record, parents) {
  tree <- record$k_tree
  if (is.null(tree)) return()
  outside <- names(parents)[!families_in_bags(names(parents), parents, tree$bags)]
  if (!is_tree_decomposition(tree)) {
    return(one_check("tree-width", FALSE, "the bags are not those of a k-tree"))
  }
  one_check("tree-width",
            length(outside) == 0L && tree$treewidth <= record$settings$treewidth,
            if (length(outside) == 0L) {
              sprintf("at most %d: every family lies in a bag", tree$treewidth)
            } else {
              paste("in no bag:", paste(outside, collapse = ", "))
            })
}

# Every bag introduces one node, the first one all of its own; the others are in the bag that it
# hangs on, which comes earlier; no node is introduced twice.
is_tree_decomposition <- function(tree) {
  introduced <- Map(function(bag, parent) {
    if (is.na(parent)) bag else setdiff(bag, tree$bags[[parent]])
  }, tree$bags, tree$parent)
  later <- seq_along(tree$bags)[-1L]
  is.na(tree$parent[1L]) && all(tree$parent[later] < later) &&
    all(lengths(introduced)[later] == 1L) && all(lengths(tree$bags) == tree$treewidth + 1L) &&
    setequal(unlist(introduced), tree$nodes) && !anyDuplicated(unlist(introduced))
}

# Does each node share a bag with its parents?
families_in_bags <- function(nodes, parents, bags) {
  holders <- split(rep(seq_along(bags), lengths(bags)), unlist(bags))
  as.logical(mapply(function(node, before) {
    length(Reduce(intersect, holders[c(node, before)])) > 0L
  }, nodes, parents))
}

# Are there as many sets of more parents than all sets are accounted for as the certificate says?
check_scope <- function(settings, sets) {
  if (is.null(settings$complete) || is.null(sets)) return()
  larger <- sum(unlist(Map(function(sets, most) sets$size > most, sets$sets, settings$complete)))
  one_check("scope", isTRUE(larger == settings$larger),
            paste(format_count(larger), "larger sets than those of at most",
                  min(settings$complete), "parents"))
}

# Every node's local score from data, or as the parent sets have it.
scores_anew <- function(network, x, settings, parents, weights, targets) {
  if (is_data(x)) {
    return(score_network(network, x, settings$score, by_node = TRUE, weights = weights,
                         targets = targets))
  }
  vapply(x$nodes, function(v) {
    sets <- sets_of_node(x, v)
    found <- vapply(sets$members, setequal, NA, parents[[v]])
    if (any(found)) sets$score[found][1L] else NA_real_
  }, 0)
}

# The candidate sets of a node by name.
sets_of_node <- function(x, v) {
  sets <- x$sets[[match(v, x$nodes)]]
  number <- factor(rep.int(seq_along(sets$size), sets$size), levels = seq_along(sets$size))
  list(score = sets$score, members = unname(split(x$nodes[sets$parents], number)))
}

check_scores <- function(record, scores) {
  claimed <- record$node_scores[names(scores)]
  wrong <- names(scores)[is.na(scores) | !close_to(claimed, scores)]
  one_check("local scores", length(wrong) == 0L, if (length(wrong) == 0L) {
    sprintf("largest difference %.2g", max(abs(claimed - scores)))
  } else {
    paste("differ at", paste(wrong, collapse = ", "))
  })
}

check_total <- function(record, scores) {
  one_check("total score", isTRUE(close_to(record$score, sum(scores))),
            sprintf("%.6f, recomputed %.6f", record$score, sum(scores)))
}

# A bound that nothing here recomputes is not ticked, even if it agrees with score and status: the
# optimum, a proof, or a root bound that is as low, is needed for that.
check_bound <- function(record, root, others) {
  slip <- 1e-8 * max(1, abs(record$score))
  is_recomputed <- any(others %in% TRUE) || isTRUE(root <= record$bound + slip)
  agrees <- record$bound >= record$score - slip &&
    (record$status != "optimal" || record$bound <= record$score + slip)
  one_check("bound", if (agrees && !is_recomputed) NA else agrees,
            paste0(sprintf("%.6f, status %s", record$bound, record$status),
                   if (agrees && !is_recomputed) ", from the search: not recomputed"))
}

# The bound that the multipliers of a tree search prove, at its root: what the inequalities promise,
# and every node's best score once its sets have paid their charges. Parts of the problem that were
# settled otherwise have no multipliers and count with their best scores. The tree raises this bound
# to the certificate's by cases, which are not gone through again.
root_bound <- function(record, x) {
  priced <- record$multipliers
  if (count_inequalities(record) == 0L || is.null(x)) return()
  arc_price <- priced$arc_price %||% 0
  charges <- lapply(x$sets, function(sets) -arc_price * sets$size)
  member <- lapply(x$sets, membership, length(x$nodes))
  rows <- c(priced$clusters, lapply(priced$groups, function(group) {
    new_group(group$nodes, matrix(group$charge, ncol = length(group$nodes)))
  }))
  for (row in rows) {
    for (v in row$nodes) charges[[v]] <- charges[[v]] + charge_of(row, v, member[[v]])
  }
  promised <- sum(vapply(rows, right_hand_side, 0, logical(length(x$nodes))))
  best <- mapply(function(sets, charge) max(sets$score + charge), x$sets, charges)
  sum(best) - promised + if (arc_price > 0) arc_price * record$settings$max_arcs else 0
}

count_inequalities <- function(record) {
  length(record$multipliers$clusters) + length(record$multipliers$groups)
}

check_multipliers <- function(record, root) {
  if (is.null(root)) return()
  slip <- 1e-8 * max(1, abs(record$score))
  one_check("root bound", root >= record$bound - slip && root >= record$score - slip,
            sprintf("%.6f by %d inequalities", root, count_inequalities(record)))
}

# Which of n nodes each candidate set contains: one row a set.
membership <- function(sets, n) {
  member <- matrix(FALSE, length(sets$score), n)
  member[cbind(rep.int(seq_along(sets$size), sets$size), sets$parents)] <- TRUE
  member
}

# By the file that the search wrote, if it is still there.
check_by_proof <- function(record, sets, call) {
  file <- record$proof
  if (is.null(file)) return()
  if (!is_string(file) || !file.exists(file)) {
    return(one_check("proof", NA, "not checked: its file is missing"))
  }
  if (is.null(sets)) return(one_check("proof", NA, "not checked: it is about parent sets"))
  found <- check_proof(file, sets)
  if (!found$proved) return(one_check("proof", FALSE, found$reason))
  slip <- 1e-8 * max(1, abs(record$score))
  one_check("proof", found$bound <= record$bound + slip,
            sprintf("%s, bound %.6f, by %s", found$status, found$bound, basename(file)))
}

check_optimum <- function(record, x, sets, weights, targets, most) {
  unchecked <- function(why) one_check("optimum", NA, paste("not recomputed:", why))
  settings <- record$settings
  if (!is.null(settings$rank) && settings$rank > 1) return(unchecked("not the first of its list"))
  if (!is.null(network_constraints_of(settings))) {
    return(unchecked("constraints on the whole network"))
  }
  if (!is.null(settings$treewidth) && is.null(settings$k_tree)) {
    return(unchecked("tree-width is bounded"))
  }
  if (is.null(sets)) {
    if (!is.null(settings$complete)) return(unchecked("not all parent sets were scored"))
    if (length(record$node_scores) > 12L) return(unchecked("more than 12 columns"))
    sets <- suppressMessages(
      parent_sets(x, settings$score, max_parents = settings$max_parents,
                  whitelist = settings$whitelist, blacklist = settings$blacklist,
                  candidates = settings$candidates,
                  weights = weights, targets = targets, progress = FALSE)
    )
  }
  if (length(sets$nodes) > 500L) return(unchecked("more than 500 nodes"))
  groups <- cyclic_groups(sets)
  if (max(lengths(groups)) > 12L) return(unchecked("more than 12 nodes in one group"))
  optimum <- sum(vapply(groups, best_score_of_group, 0, sets, settings, most))
  slip <- 1e-8 * max(1, abs(optimum))
  ok <- record$score <= optimum + slip && optimum <= record$bound + slip &&
    (record$status != "optimal" || optimum <= record$score + slip)
  one_check("optimum", ok, sprintf("recomputed %.6f", optimum))
}

# Groups of nodes that reach one another from parent to child.
cyclic_groups <- function(x) {
  n <- length(x$nodes)
  reach <- diag(n) > 0
  for (v in seq_len(n)) reach[x$sets[[v]]$parents, v] <- TRUE
  for (u in seq_len(n)) reach <- reach | outer(reach[, u], reach[u, ])
  unique(apply(reach & t(reach), 1L, function(row) x$nodes[row], simplify = FALSE))
}

# By a table over the subsets of a group (Silander & Myllymaki 2006). Parents outside the group are
# free.
best_score_of_group <- function(group, x, settings, most) {
  bit <- stats::setNames(2^(seq_along(group) - 1L), group)
  cost <- vapply(group, function(v) {
    sets <- sets_of_node(x, v)
    keep <- is_allowed(v, sets$members, settings, most[[v]])
    mask <- vapply(sets$members[keep], function(p) sum(bit[intersect(p, group)]), 0)
    least <- rep(Inf, 2^length(group))
    worst_first <- order(sets$score[keep]) # the best of several stays
    least[mask[worst_first] + 1] <- -sets$score[keep][worst_first]
    least
  }, numeric(2^length(group)))
  -least_completions(cost)[1L]
}

is_allowed <- function(v, members, settings, most) {
  required <- settings$whitelist[settings$whitelist[, 2L] == v, 1L]
  forbidden <- settings$blacklist[settings$blacklist[, 2L] == v, 1L]
  within <- within_k_tree(settings$k_tree, v, members)
  within & vapply(members, function(parents) {
    all(required %in% parents) && !any(parents %in% forbidden) && length(parents) <= most
  }, NA)
}

#' @export
print.optbn_certificate_check <- function(x, ...) {
  tell_answer(x, {
    mark <- ifelse(is.na(x$ok), "-", ifelse(x$ok, cli::symbol$tick, cli::symbol$cross))
    writeLines(paste(mark, format(x$check), x$detail))
  })
  invisible(x)
}
