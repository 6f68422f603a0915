# learn_classifier(): networks whose structure serves to predict one column, as constraints of the
# search of learn_dag().

#' Learn a Bayesian Network Classifier
#'
#' @description
#' Learns the network with the highest score within a class of classifiers, and proves its
#' optimality: naive Bayes, tree-augmented naive Bayes (TAN), k-dependence classifiers, or the class
#' with its Markov blanket in the best of all networks. [fit_network()] then estimates the
#' parameters, and `predict()` returns the class or the probabilities of its levels.
#'
#' @details
#' In the first three structures, the class has no parents and an arc to every other column, called
#' a *feature*:
#' * `"naive-bayes"`: no other arcs. There is only one such network, so no search is needed.
#' * `"tan"`: each feature has at most one feature as a parent (Friedman, Geiger & Goldszmidt 1997).
#'   Under a score with a penalty some have none, and the features form a forest.
#' * `"k-dependence"`: each feature has at most `k` features as parents (Sahami 1996, who builds the
#'   network greedily).
#' * `"markov-blanket"`: no arcs are required or forbidden. The distribution of the class given all
#'   other columns depends only on its Markov blanket: its parents, its children and their other
#'   parents. `network$nodes[[class]]$mb` lists these selected features.
#'
#' The score measures the joint distribution of all columns, and not that of the class given the
#' features. Continuous features are allowed: with the scores of mixed data ([score_gaussian]) their
#' distributions are normal given the class, and with [score_pcart()] they are trees.
#'
#' @param data Data as in [parent_sets()].
#' @param class The name of the discrete column to predict.
#' @param structure The class of networks, see *Details*.
#' @param k For `"k-dependence"`, the largest number of features that may be parents of a feature, a
#'   whole number.
#' @param score As in [learn_dag()].
#' @param ... Further arguments of [learn_dag()]: `weights`, `targets`, `blacklist`, `time_limit`
#'   and others; for `"markov-blanket"` also `max_parents`.
#' @param whitelist Further required arcs.
#'
#' @return A network of class `c("optbn", "bn")`, as from [learn_dag()]. Its [certificate()] bounds
#'   the score of all networks of this structure. Its settings contain the `class`, which
#'   `predict()` of its fit predicts by default.
#'
#' @section Errors: Those of [learn_dag()]; `optbn_error_argument` if `class` is not a column, and
#'   `optbn_error_data` if it is continuous.
#' @references
#' Friedman, N., Geiger, D. and Goldszmidt, M. (1997). Bayesian network classifiers. *Machine
#' Learning* 29, 131-163. \doi{10.1023/A:1007465528199}
#'
#' Sahami, M. (1996). Learning limited dependence Bayesian classifiers. *Proceedings of the Second
#' International Conference on Knowledge Discovery and Data Mining*, 335-338.
#' @seealso [cross_validate()] to compare classifiers.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' tan <- learn_classifier(titanic[1:4], "Survived", weights = titanic$Freq)
#' tan
#' fit <- fit_network(tan, titanic[1:4], weights = titanic$Freq)
#' people <- data.frame(Class = c("1st", "3rd"), Sex = "Female", Age = "Adult")
#' predict(fit, people, type = "prob")
#'
#' # continuous features
#' flowers <- fit_network(learn_classifier(iris, "Species", "naive-bayes"), iris)
#' table(iris$Species, predict(flowers, iris))
#' @export
learn_classifier <- function(data, class,
                             structure = c("tan", "naive-bayes", "k-dependence", "markov-blanket"),
                             k = 2, score = NULL, ..., whitelist = NULL) {
  require_arguments()
  call <- environment()
  structure <- check_choice(structure, c("tan", "naive-bayes", "k-dependence", "markov-blanket"),
                            "structure", call)
  k <- check_count(k, "k", call = call)
  check_only_limits(structure, ..., call = call)
  nodes <- check_class(class, data, list(...)$weights, list(...)$targets, call)
  network <- if (structure == "markov-blanket") {
    learn_dag(data, score, whitelist = whitelist, ...)
  } else {
    features <- setdiff(nodes, class)
    whitelist <- check_arc_table(whitelist, "whitelist", nodes, call)
    most <- switch(structure, "naive-bayes" = 0L, tan = 1L, "k-dependence" = k)
    limits <- ifelse(nodes == class, 0L, 1L + min(most, length(features) - 1L))
    from_class <- cbind(rep(class, length(features)), features)
    learn_dag(data, score, whitelist = rbind(from_class, whitelist),
              max_parents = implied_limits(set_names(limits, nodes)), ...)
  }
  with_class(network, class)
}

# The structure says how many parents a feature may have.
check_only_limits <- function(structure, ..., call) {
  if (structure == "markov-blanket" || !"max_parents" %in% names(list(...))) return(invisible())
  abort_optbn("argument",
              c("{.arg max_parents} is only for {.code structure = \"markov-blanket\"}.",
                i = "For {.val k-dependence} give {.arg k}."), call = call)
}

# The names of the nodes.
check_class <- function(class, data, weights, targets, call) {
  if (!is_data(data)) {
    abort_optbn("argument", c("{.arg data} must be a data frame.", x = "It is {describe(data)}."),
                call = call)
  }
  nodes <- nodes_of(data, weights, targets)
  if (!is_string(class) || !class %in% nodes) {
    abort_optbn("argument",
                c("{.arg class} must be the name of a column of {.arg data}.",
                  x = "It is {describe(class)}."), call = call)
  }
  if (length(nodes) < 2L) {
    abort_optbn("data", "{.arg data} has no column but {.val {class}} to predict it by.",
                call = call)
  }
  if (is.data.frame(data) && !column_type(data[[class]]) %in% discrete_types) {
    abort_optbn("data",
                c("Column {.val {class}}, the {.arg class}, must be discrete.",
                  x = "It is {describe(data[[class]])}.",
                  i = paste("Make it a factor with {.code factor()}, or cut it with",
                            "{.fn discretize_data}.")),
                call = call)
  }
  nodes
}

with_class <- function(network, class) {
  record <- network$learning$optbn
  record$settings$class <- class
  with_record(network, record)
}

# The node that the network of a fit was learned to predict.
class_of <- function(fit, call = parent.frame()) {
  class <- learned_class(fit)
  if (!is.null(class)) return(class)
  abort_optbn("argument",
              c("{.arg node} must name the node to predict.",
                i = "It may be left out if {.fn learn_classifier} learned the network."),
              call = call)
}

# NULL where the network was not learned to predict a node.
learned_class <- function(fit) {
  network <- fit$network
  class <- if (inherits(network, "optbn") && has_certificate(network)) {
    network$learning$optbn$settings$class
  }
  if (is_string(class) && class %in% fit$nodes) class
}
