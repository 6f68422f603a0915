#' Informative Score of k-Trees
#'
#' @description
#' Rates a k-tree by how well it fits data, without learning a network within it: k-trees with
#' large informative scores tend to contain good networks.
#'
#' @details
#' The informative score (Nie, de Campos & Ji 2016) is \eqn{S_{mi} / |S_l|}, where
#'
#' * \eqn{S_{mi}} is the sum of the mutual information of the pairs of nodes that the k-tree joins,
#'   in natural log units. Of two discrete columns it is the empirical one; where a column is
#'   continuous it is \eqn{-\log(1 - R^2) / 2}, with \eqn{R^2} the share of its variance that a line
#'   in the other column explains, or the group means of a discrete one;
#' * \eqn{S_l} is the sum over the nodes of the best local score that any parent set within a bag
#'   has. Arcs may form cycles, so that no network in the k-tree scores more. (Where constraints
#'   leave a node no set within a bag, it is a number far below the score of any network, and the
#'   informative score is minus the number of such nodes.)
#'
#' \eqn{S_l} alone is the better guide from tree-width 4 on, and the only one where scores are not
#' below 0, as those of continuous columns need not be.
#'
#' @param tree A k-tree as [sample_k_tree()] returns it, or a list of k-trees, over the columns of
#'   the data.
#' @param x Data as [parent_sets()] takes them, which are scored for this purpose with at most as
#'   many parents as the tree-width allows; or parent sets, and then `data` as well. Parent sets
#'   serve any number of calls.
#' @param data Only when `x` is parent sets: the data, for the mutual information.
#' @param ... Must be empty: what follows is given by name.
#' @param time_limit Seconds of wall time after which to stop.
#' @inheritParams parent_sets
#' @return A vector of three numbers, `s_mi`, `s_l` and `score`; for a list of k-trees a matrix with
#'   these columns and one row a k-tree.
#' @section Errors: `optbn_error_argument` for what is no k-tree or is one over other nodes; as
#'   [parent_sets()] for data that cannot be scored.
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
  call <- rlang::current_env()
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  rlang::check_dots_empty()
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
