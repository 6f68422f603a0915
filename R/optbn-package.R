#' Optimal and Tractable Bayesian Networks
#'
#' `optbn` learns Bayesian networks from data and proves how good they are. Start with
#' [learn_dag()], then [fit_network()] and [query()]; networks and fits work with the functions of
#' package bnlearn.
#'
#' @section Learn a proved network:
#' * [learn_dag()] learns the network with the highest score; [certificate()] gives the upper bound
#'   on the score of all networks, and [verify_certificate()] checks it. [write_proof()] writes the
#'   proof to a file that [check_proof()] and others can check.
#' * [learn_k_best()] returns the *k* best networks or equivalence classes, and [learn_classifier()]
#'   naive Bayes, TAN and k-dependence classifiers.
#' * Scores: [discrete][score_bic], [Gaussian][score_bge], conditional Gaussian
#'   ([score_bic_cg()]), [your own][score_custom]; [structure_prior()] adds prior knowledge.
#' * [learn_dag()] has arguments for constraints, which hold exactly: required and forbidden arcs,
#'   tiers, paths, and limits on the numbers of parents and arcs.
#'
#' @section Large data:
#' * [search_size()] forecasts how long a search takes; `learn_dag(time_limit = )` stops it, and
#'   [`update()`][update.optbn] continues it.
#' * [parent_sets()] scores the parent sets once for several searches; [read_jkl()] reads scores
#'   from a file.
#' * Tables in a database and Parquet files are accepted as data. Threads and [several
#'   processes][several-processes] can share the work.
#'
#' @section Missing values:
#' * [`fit_network(method = "em")`][fit_network] estimates parameters,
#'   [`learn_dag(missing = "em")`][learn_dag] the structure as well.
#' * [score_nal()] and similar scores use the rows that are complete for each node; [impute()]
#'   completes rows.
#'
#' @section Experiments and time:
#' * The argument `targets` of [learn_dag()] and [fit_network()] names the variables that were set
#'   in an experiment; [essential_graph()] shows which arcs such data can orient.
#' * [intervene()] sets variables of a fitted network; [adjustment_sets()] lists what to adjust for.
#' * [learn_dynamic()] learns networks of time series; [unroll()], [filtered()] and [smoothed()]
#'   answer queries about them.
#'
#' @section Uncertainty:
#' * [arc_posterior()] computes posterior probabilities of arcs, [sample_dags()] draws networks, and
#'   [causal_effects()] averages effects over them.
#' * [bootstrap_dags()] learns from bootstrap samples.
#'
#' @section Tree-width and inference:
#' * [learn_treewidth()] learns networks in which exact inference stays fast;
#'   [treewidth()] measures any network.
#' * [query()], [most_probable()], [log_probability()] and [`predict()`][predict.optbn_fit] are
#'   exact, and faster after [compile_network()]; [approximate_query()] samples.
#' * [entropy()], [mutual_information()] and [kl_divergence()] compute information measures of
#'   fitted networks.
#'
#' @section Densities:
#' * [learn_chow_liu()], [learn_cutset()], [learn_cutset_bag()], [learn_mixture()] and
#'   [learn_hclt()] learn distributions for which every query takes linear time; [tune_cutset()]
#'   chooses settings, and [stack_densities()] combines models. See their
#'   [methods][optbn_density-methods].
#'
#' @section Local structure and preparation:
#' * [score_pcart()] gives each node the best decision tree over its parents, [score_ft()] a
#'   discretised table; [local_model()] shows the model of one node.
#' * [discretize_data()] cuts continuous columns.
#'
#' @section Pictures:
#' * [`plot()`][plot.optbn] and `autoplot()` draw networks, fits, certificates, densities, trees and
#'   probabilities of arcs; [explore()] writes an interactive page for a browser.
#'
#' @section Validation:
#' * [cross_validate()] and [compare_learners()] assess learners on test rows;
#'   [compare_scores()] shows how the network depends on the score.
#'
#' @section Other packages and files:
#' * Networks are bnlearn's class `bn`; [`as.bn.fit()`][as.bn.fit.optbn_fit] converts a fit.
#'   [as_network()] accepts the graphs of other packages.
#' * [write_network()] writes files, and [as_amat()], [as_graphnel()] and [as_dagitty()] convert
#'   graphs.
#'
#' @section Data sets: [zoo], [mushroom], [contraception] and [sachs].
#'
#' @seealso `vignette("get-started", package = "optbn")`
#' @examples
#' network <- learn_dag(zoo, score = "bic")
#' network
#' fit <- fit_network(network, zoo)
#' query(fit, "type", evidence = list(milk = "no", eggs = "yes"))
#' @useDynLib optbn, .registration = TRUE
#' @importFrom Rcpp evalCpp
"_PACKAGE"

# To load rlang takes longer than to load this package, so it is loaded where its own functions are
# needed, as for errors. These two are like those of rlang.
`%||%` <- function(x, y) if (is.null(x)) y else x

set_names <- function(x, names = x) {
  names(x) <- if (!is.null(names)) rep_len(as.character(names), length(x))
  x
}
