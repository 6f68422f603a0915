#' Score of a Network
#'
#' @description
#' Computes the score of a network: the sum of the local scores of its nodes. The value is that of
#' `bnlearn::score()` if bnlearn has the score; for exceptions see [score_predictive].
#'
#' @param network A network over the columns of `data`: a bnlearn `bn` or any network
#'   learned by this package, a model string such as `"[A][B|A]"`, or an adjacency
#'   matrix.
#' @param data The data, as in [parent_sets()], but not a network with its parent sets.
#' @param score A score object or its label, as in [parent_sets()], but not `NULL`.
#' @inheritParams parent_sets
#' @param by_node Return the local score of every node instead of their sum?
#' @return One number (natural log; larger is better), or a named vector with one number per node,
#'   in column order. It is `-Inf` if the score of a node does not exist.
#' @section Errors: Those of [parent_sets()]; `optbn_error_argument` for a network that does
#'   not fit the data.
#' @seealso [score_discrete], [score_gaussian].
#' @examples
#' score_network("[Species][Petal.Width|Species]", iris[c("Species", "Petal.Width")],
#'   "bic-cg", by_node = TRUE)
#' @export
score_network <- function(network, data, score = "bde", by_node = FALSE, weights = NULL,
                          targets = NULL, memory_limit = NULL) {
  require_arguments()
  call <- environment()
  by_node <- check_flag(by_node, "by_node", call = call)
  score <- as_score(score, call)
  memory_limit <- check_memory_limit(memory_limit, call)
  encoded <- encode_data(data, weights, call, memory_limit, holes = TRUE, takes_fractions(score),
                         targets)
  score <- complete_score(score, encoded, call)
  parents <- match_network(network, encoded$nodes, call)
  if (score_kind(score) == "mixed") check_arc_types(parents, encoded, score, "score", call)
  check_tree_size(exactly(parents), encoded, score, memory_limit, call)
  asked <- score_for_core(score, encoded, call = call)
  local <- call_core(core_score_network(encoded, asked, parents), call = call) /
    (encoded$scale %||% 1)
  if (by_node) stats::setNames(local, encoded$nodes) else sum(local)
}

# The parents of every column, as column numbers.
match_network <- function(network, nodes, call) {
  structure <- as_network_structure(network, "network", call)
  check_same_nodes(structure$nodes, nodes,
                   "{.arg network} and {.arg data} must have the same nodes.", call)
  column <- match(structure$nodes, nodes)
  lapply(structure$parents[match(nodes, structure$nodes)], function(parents) column[parents])
}

# Stops, with an error of this kind, at an arc from a continuous to a discrete node.
check_arc_types <- function(parents, encoded, score, kind, call) {
  discrete <- is_discrete(encoded)
  for (v in which(discrete)) {
    wrong <- parents[[v]][!discrete[parents[[v]]]]
    if (length(wrong) > 0L) {
      abort_optbn(
        kind,
        c(paste("Score {.val {score$label}} has no model for the arc",
                "{.val {encoded$nodes[wrong[1]]}} -> {.val {encoded$nodes[v]}}."),
          x = "It leads from a continuous to a discrete node.",
          i = paste("Use {.val pcart}, which has one; or reverse the arc, or make the parent",
                    "discrete with {.fn discretize_data}.")),
        call = call
      )
    }
  }
}
