#' Informative Score of k-Trees
#'
#' @description
#' Measures how well a k-tree fits data, without learning a network within it: k-trees with large
#' informative scores tend to contain good networks.
#'
#' @details
#' The informative score (Nie, de Campos & Ji 2016) is \eqn{S_{mi} / |S_l|}, where
#'
#' * \eqn{S_{mi}} is the sum of the mutual information of the pairs of nodes that the k-tree joins,
#'   in natural log units. For two discrete columns it is the empirical mutual information. If a
#'   column is continuous, it is \eqn{-\log(1 - R^2) / 2}, with \eqn{R^2} the share of its variance
#'   that a linear function of the other column explains, or the group means if that is discrete;
#' * \eqn{S_l} is the sum over the nodes of the best local score of a parent set within a bag. Arcs
#'   may form cycles, so \eqn{S_l} is an upper bound on the score of every network in the k-tree.
#'   (If constraints leave a node without a set within a bag, \eqn{S_l} is a number far below the
#'   score of any network, and the informative score is minus the number of such nodes.)
#'
#' From tree-width 4 on, \eqn{S_l} alone is the better guide. If scores can be positive, as for
#' continuous columns, it is the only one.
#'
#' @param tree A k-tree from [sample_k_tree()], or a list of k-trees, over the columns of the data.
#' @param x Data as in [parent_sets()], which are scored with at most as many parents as the
#'   tree-width allows; or parent sets, which can serve several calls and need `data` as well.
#' @param data Only if `x` is parent sets: the data, for the mutual information.
#' @param ... Must be empty: the arguments after it must be named.
#' @param time_limit Seconds of wall time after which an error stops the computation.
#' @inheritParams parent_sets
#' @return A vector of three numbers, `s_mi`, `s_l` and `score`, the informative score; for a list
#'   of k-trees a matrix with these columns and one row per k-tree.
#' @section Errors: `optbn_error_argument` if `tree` is not a k-tree over these nodes; those of
#'   [parent_sets()] for data that cannot be scored; `optbn_error_time` when the time limit is
#'   reached.
#' @references
#' Nie, de Campos & Ji (2016) \doi{10.1016/j.ijar.2016.07.002}.
#' @seealso [sample_k_tree()].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' set.seed(1)
#' trees <- sample_k_tree(names(titanic)[1:4], treewidth = 2, n = 3)
#' informative_score(trees, titanic[1:4], weights = titanic$Freq)
#'
#' sets <- parent_sets(titanic[1:4], weights = titanic$Freq)
#' informative_score(trees[[1]], sets, data = titanic[1:4], weights = titanic$Freq)
#' @export
informative_score <- function(tree, x, score = NULL, ..., data = NULL, weights = NULL,
                              targets = NULL, threads = NULL, time_limit = Inf, memory_limit = NULL,
                              progress = interactive()) {
  require_arguments()
  call <- environment()
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  check_no_dots()
  trees <- if (inherits(tree, "optbn_k_tree")) list(tree) else tree
  if (!is.list(trees) || length(trees) == 0L) check_k_tree(tree, "tree", call)
  for (one in trees) check_k_tree(one, "tree", call)
  x <- encode_input(x, weights, score, limits, call, targets)

  if (inherits(x, "optbn_parent_sets")) {
    sets <- candidate_sets(x, score, max_parents = NULL, whitelist = NULL, blacklist = NULL,
                           weights = NULL, limits = limits, call = call)
    check_data_of_sets(data, sets, call)
    encoded <- encode_data(as.data.frame(data)[sets$nodes], weights, call, holes = TRUE)
  } else {
    if (!is.null(data)) {
      abort_optbn("argument",
                  c("{.arg data} is only for {.arg x} of class {.cls optbn_parent_sets}.",
                    x = "{.arg x} is data itself."),
                  call = call)
    }
    most <- max(vapply(trees, function(one) as.integer(one$treewidth), 0L))
    most <- min(most, length(nodes_of(x, weights)) - 1L)
    sets <- make_parent_sets(x, score, most, NULL, NULL, NULL, NULL, weights, 0,
                             limits, call)
    encoded <- x
  }
  scores <- score_k_trees(trees, core_information(encoded, limits, call), sets, limits, call)
  if (inherits(tree, "optbn_k_tree")) scores[1L, ] else scores
}

core_information <- function(encoded, limits, call) {
  call_core(core_mutual_information(encoded, host_within(limits, "Comparing columns")),
            call = call)
}

# `information`: a matrix in the order of the nodes of `sets`.
score_k_trees <- function(trees, information, sets, limits, call) {
  for (one in trees) {
    check_same_nodes(one$nodes, sets$nodes, "{.arg tree} must have the nodes of {.arg x}.", call)
  }
  scores <- call_core(
    core_informative_scores(lapply(trees, tree_for_core, nodes = sets$nodes), information,
                            sets$sets, host_within(limits, "Scoring k-trees")),
    call = call
  )
  dimnames(scores) <- list(NULL, c("s_mi", "s_l", "score"))
  scores
}

check_data_of_sets <- function(data, sets, call) {
  if (is.null(data)) {
    abort_optbn("argument",
                c("{.arg data} is missing.",
                  i = "Mutual information needs the data as well as their parent sets."),
                call = call)
  }
  check_data_frame(data, call)
  missing <- setdiff(sets$nodes, names(data))
  if (length(missing) > 0L) {
    abort_optbn("argument",
                c("{.arg data} must have a column for every node of {.arg x}.",
                  x = "Missing: {.val {missing}}."),
                call = call)
  }
}
