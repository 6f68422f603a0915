# The posterior distribution over all networks: network_posterior(), exact sums over networks
# (src/core/posterior), and the class "optbn_posterior".
#
# What is summed is a list of parent sets with scores. Unlike a search for the optimum, a sum needs
# the sets that one of their subsets beats: they are kept up to a slack, and of those that are left
# out it is known how much probability they can have at most.

#' Posterior Distribution over Networks
#'
#' @description
#' Computes exact posterior probabilities of each arc, each parent set and each network, given the
#' data, by sums over *all* networks. One optimal network does not show the uncertainty about its
#' arcs; these probabilities do. [arc_posterior()] returns the probabilities of arcs in the form of
#' \pkg{bnlearn}, and [sample_dags()] draws networks.
#'
#' @details
#' A network \eqn{G} has probability proportional to \eqn{\exp(\textrm{score}(G))}{exp(score(G))}
#' times its prior. With marginal likelihoods ([score_bde()], [score_bds()], [score_bge()],
#' [score_pcart()] and others) this is its posterior probability given the data. With information
#' criteria such as BIC it is the usual approximation.
#'
#' The prior can be one of the following. It multiplies the prior of the score (its argument
#' `prior`, see [structure_prior()]).
#' * `"uniform"`: all networks have the same probability.
#' * `"order"`: every network counts once for each node order in which parents precede children
#'   (Koivisto & Sood 2004). The sums are faster and possible for more nodes, but networks with many
#'   such orders, such as those with few arcs, have a larger prior probability.
#' * `"size"`: for each node, all numbers of parents have the same probability, and so do all sets
#'   of the same size (Friedman & Koller 2003).
#'
#' The sums are over all subsets of the nodes: \eqn{3^n} terms for `"uniform"` and `"size"`, and
#' \eqn{n 2^n}{n 2^n} for `"order"`. Constraints (`tiers`, `blacklist`, `candidates`) or the parent
#' sets may exclude some arcs. Nodes that cannot be on a common cycle are then summed separately,
#' which remains exact. With `"order"` this is done only for components that the constraints
#' separate, and the orders are those in which such components follow one another. A component may
#' have 24 nodes, or 30 with `"order"`. It needs 8 bytes for each of its subsets with `"order"`, and
#' otherwise 12 bytes times its number of nodes.
#'
#' @section What is left out:
#' The sum omits parent sets that score much less than one of their subsets. If a network has such a
#' set \eqn{S}, replacing it by the subset \eqn{T} gives another network. The networks with \eqn{S}
#' therefore have at most \eqn{w(S) / w(T)}{w(S) / w(T)} times the probability of those with
#' \eqn{T}, where \eqn{w} is the weight of a set. The sum of these shares, `lost`, bounds the
#' omitted probability. If \eqn{p} is the computed probability of an event, its exact probability is
#' between \eqn{(1 - \textrm{lost}) p}{(1 - lost) p} and that value plus `lost`. By default `lost`
#' is less than 1e-6. Parent sets given as `x` must have been scored with a `slack`, such as 20 (see
#' [parent_sets()]), which determines the width of the interval, and with `max_parents`, so that no
#' search selected them. Other sets give an error.
#'
#' @inheritParams parent_sets
#' @inheritParams learn_dag
#' @param x Data as in [parent_sets()], or its result with a `slack`, see *What is left out*.
#' @param prior The prior distribution of networks, see *Details*.
#' @param max_parents The largest number of parents of a node: one whole number, or one per node (in
#'   column order, or named). `NULL` means the largest number that can be scored quickly, which a
#'   message announces. Networks with more parents at a node have prior probability 0.
#' @param time_limit Seconds of wall time after which an error stops the computation; `NULL` and
#'   `Inf` mean no limit.
#'
#' @return An object of class `optbn_posterior`, a list with
#'   \item{nodes}{the names of the nodes,}
#'   \item{parent_sets}{the parent sets in the sum, as from [parent_sets()],}
#'   \item{probability}{their posterior probabilities: a list with a vector for each node,}
#'   \item{prior}{the prior,}
#'   \item{log_sum}{the logarithm of the sum of all weights: with a marginal likelihood, the log
#'     marginal likelihood of the data under the prior without its normalising constant,}
#'   \item{lost}{an upper bound on the omitted probability,}
#'   \item{rounding}{an upper bound on the rounding error of a probability,}
#'   \item{components}{a list with the names of the nodes that were summed together,}
#'   \item{memory_limit, handle}{for [sample_dags()] and other functions that use the object.}
#' `as.data.frame()` returns the parent sets with their probabilities, the most probable ones of
#' each node first, and `print()` shows a summary.
#' @section Errors: Those of [learn_dag()]; `optbn_error_argument` for parent sets without a slack;
#'   `optbn_error_memory` if a component has too many nodes or the tables exceed `memory_limit`;
#'   `optbn_error_time` when the time limit is reached.
#' @references
#' Koivisto, M. and Sood, K. (2004). Exact Bayesian structure discovery in Bayesian networks.
#' *Journal of Machine Learning Research* 5, 549-573.
#'
#' Tian, J. and He, R. (2009). Computing posterior probabilities of structural features in Bayesian
#' networks. *Proceedings of the 25th Conference on Uncertainty in Artificial Intelligence*,
#' 538-547. \doi{10.48550/arXiv.1205.2612}
#'
#' Friedman, N. and Koller, D. (2003). Being Bayesian about network structure. *Machine Learning*
#' 50, 95-125. \doi{10.1023/A:1020249912095}
#' @seealso [arc_posterior()], [sample_dags()]; [bootstrap_dags()] for the bootstrap.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' posterior <- network_posterior(titanic[1:4], "bde", weights = titanic$Freq)
#' posterior
#' head(as.data.frame(posterior))
#' arc_posterior(posterior)
#' @export
network_posterior <- function(x, score = NULL, prior = c("uniform", "order", "size"), ...,
                              max_parents = NULL, whitelist = NULL, blacklist = NULL,
                              tiers = NULL, candidates = NULL, weights = NULL, targets = NULL,
                              threads = NULL, time_limit = NULL, memory_limit = NULL,
                              progress = interactive()) {
  require_arguments()
  problem <- summing_problem(
    x, score, prior, ..., max_parents = max_parents, whitelist = whitelist, blacklist = blacklist,
    tiers = tiers, candidates = candidates, weights = weights, targets = targets,
    threads = threads, time_limit = time_limit, memory_limit = memory_limit, progress = progress,
    call = environment()
  )
  new_posterior(problem, checked_sums(try_to_sum(problem), problem, environment()))
}

# What is summed over: parent sets, the prior, and the most probability of what is left out.
summing_problem <- function(x, score = NULL, prior = c("uniform", "order", "size"), ...,
                            max_parents = NULL, whitelist = NULL, blacklist = NULL, tiers = NULL,
                            candidates = NULL, weights = NULL, targets = NULL, threads = NULL,
                            time_limit = NULL, memory_limit = NULL, progress, call,
                            select = FALSE) {
  check_no_dots(call = call)
  prior <- check_choice(prior, c("uniform", "order", "size"), "prior", call)
  limits <- check_limits(threads, time_limit %||% Inf, memory_limit, progress, call)
  x <- encode_input(x, weights, score, limits, call, targets)
  asked <- list(max_parents = max_parents, whitelist = whitelist, blacklist = blacklist,
                tiers = tiers, candidates = candidates, select = select)
  sets <- with_kept_random_state(sets_to_sum(x, score, asked, prior, weights, limits, call))
  lost <- lost_share(sets, prior)
  if (lost >= 1) abort_without_slack(sets, call)
  list(sets = sets, prior = prior, lost = lost, limits = limits)
}

# ---- parent sets ---------------------------------------------------------------------------------

# Of data, at most so many sets are kept where no limit is given.
most_summed_sets <- 1e6
# What sets that are left out may have, where their slack is ours to choose.
tolerated_loss <- 1e-6

sets_to_sum <- function(x, score, asked, prior, weights, limits, call) {
  make <- function(max_parents, slack, on_demand) {
    candidate_sets(x, score, slack, max_parents, asked$whitelist, asked$blacklist, asked$tiers,
                   asked$candidates, weights, limits, call, on_demand = on_demand)
  }
  if (inherits(x, "optbn_parent_sets")) return(make(asked$max_parents, NULL, NULL))
  prepare <- function() {
    suppressMessages(classes = "optbn_message", scoring_problem(
      x, score, asked$max_parents, asked$whitelist, asked$blacklist, asked$tiers, asked$candidates,
      weights, limits, call, forecast = TRUE
    ))
  }
  problem <- prepare()
  constraints <- problem$constraints
  if (is.null(asked$max_parents)) {
    constraints$max_parents <- most_parents_to_sum(problem, limits)
    if (asked$select && is.null(asked$candidates) && leaves_few_parents(constraints)) {
      asked$candidates <- selected_parents(problem, limits, call)
      problem <- prepare()
      constraints <- problem$constraints
      constraints$max_parents <- most_parents_to_sum(problem, limits)
    }
    announce_max_parents(constraints)
  }
  possible <- sum(possible_sets(constraints))
  slack <- log(possible * size_advantage(constraints, prior) / tolerated_loss)
  make(constraints$max_parents, slack, on_demand = FALSE)
}

most_parents_to_sum <- function(problem, limits) {
  constraints <- problem$constraints
  limit <- constraints$max_parents
  required <- lengths(constraints$required)
  fits <- function(most) {
    constraints$max_parents <- pmax(pmin(limit, most), required)
    sum(possible_sets(constraints)) <= most_summed_sets &&
      is_soon_scored(constraints, problem$encoded, problem$score, limits$memory_limit)
  }
  most <- 1L
  while (most < length(limit) - 1L && fits(most + 1L)) most <- most + 1L
  pmax(pmin(limit, most), required)
}

# So few, of so many possible ones, that candidates are to be selected.
leaves_few_parents <- function(constraints) {
  nodes <- length(constraints$max_parents)
  max(constraints$max_parents) <= 2L &&
    selected_each(nodes) < nodes - 1L - min(lengths(constraints$forbidden))
}

# Could a node have more parents, but for their number?
limits_parents <- function(constraints) {
  free <- length(constraints$max_parents) - 1L - lengths(constraints$forbidden)
  any(constraints$max_parents < free)
}

# All sets of those selected are at most so many.
most_selected_sets <- 2.5e5

selected_each <- function(nodes) max(1, floor(log2(most_selected_sets / nodes)))

# Arcs from the parents that most likely matter to each node.
selected_parents <- function(problem, limits, call) {
  encoded <- problem$encoded
  nodes <- encoded$nodes
  most <- selected_each(length(nodes))
  options <- c(problem$constraints[c("required", "forbidden")], most = most)
  score <- score_for_core(problem$score, encoded, limits, call)
  host <- host_within(limits, "Selecting candidate parents")
  parents <- call_core(core_forward_selection(encoded, score, options, host), nodes, call)
  arcs <- cbind(from = nodes[unlist(parents)], to = rep(nodes, lengths(parents)))
  structure(arcs, chosen = paste0(": the ", most, " of each node by forward selection"))
}

announce_max_parents <- function(constraints) {
  if (!limits_parents(constraints)) return(invisible())
  announce(c("{.arg max_parents} is set to {max(constraints$max_parents)}.",
             i = "Networks with more parents at a node are excluded; a larger limit adds them."))
}

# By node, so many sets obey the constraints.
possible_sets <- function(constraints) {
  n <- length(constraints$max_parents)
  required <- lengths(constraints$required)
  free <- n - 1L - lengths(constraints$forbidden) - required
  mapply(function(free, most) sum(choose(free, 0:max(0L, min(free, most)))), free,
         constraints$max_parents - required)
}

# The most by which a prior can favour a set over one of its subsets.
size_advantage <- function(constraints, prior) {
  if (prior != "size") return(1)
  n <- length(constraints$max_parents)
  worth <- -lchoose(n - 1, 0:max(constraints$max_parents))
  exp(max(worth - cummin(worth)))
}

# The most probability that networks with a set that was left out can have.
lost_share <- function(sets, prior) {
  settings <- sets$settings
  if (is.null(settings$slack) || !is.null(settings$complete)) return(1)
  constraints <- constraints_of_sets(sets)
  left_out <- sum(possible_sets(constraints)) - count_sets(sets)
  min(1, max(0, left_out) * exp(-settings$slack) * size_advantage(constraints, prior))
}

constraints_of_sets <- function(sets) {
  nodes <- sets$nodes
  settings <- sets$settings
  required <- parents_by_node(settings$whitelist, nodes)
  forbidden <- parents_by_node(rbind(settings$blacklist, settings$illegal), nodes)
  if (!is.null(settings$candidates)) {
    allowed <- parents_by_node(settings$candidates, nodes)
    forbidden <- Map(function(v, forbidden, allowed) {
      union(forbidden, setdiff(seq_along(nodes), c(v, allowed)))
    }, seq_along(nodes), forbidden, allowed)
  }
  list(required = required, forbidden = Map(setdiff, forbidden, required),
       max_parents = rep_len(settings$max_parents %||% (length(nodes) - 1L), length(nodes)))
}

allowed_parents <- function(sets) {
  constraints <- constraints_of_sets(sets)
  n <- length(sets$nodes)
  lapply(seq_len(n), function(v) setdiff(seq_len(n), c(v, constraints$forbidden[[v]])))
}

abort_without_slack <- function(sets, call) {
  slack <- sets$settings$slack
  abort_optbn(
    "argument",
    c("Parent sets in {.arg x} were left out, but a sum over all networks needs them.",
      x = if (is.null(slack)) {
        "It is not known which ones: the sets come from {sets$settings$source}."
      } else if (!is.null(sets$settings$complete)) {
        "A search has scored only the sets that it selected."
      } else {
        "With {.code slack = {format(slack)}} they may have all of the probability."
      },
      i = "Give the data, or sets from {.code parent_sets(..., max_parents =, slack = 20)}."),
    call = call
  )
}

# ---- the object ----------------------------------------------------------------------------------

new_posterior <- function(problem, found) {
  sets <- problem$sets
  handle <- new.env(parent = emptyenv())
  handle$pointer <- found$pointer
  structure(
    list(nodes = sets$nodes, parent_sets = sets,
         probability = set_names(found$probability, sets$nodes), prior = problem$prior,
         log_sum = found$log_sum, lost = problem$lost, rounding = found$rounding,
         components = lapply(found$components, function(numbers) sets$nodes[numbers]),
         memory_limit = problem$limits$memory_limit, handle = handle),
    class = "optbn_posterior"
  )
}

try_to_sum <- function(problem) {
  limits <- problem$limits
  core_posterior(
    weighted_sets(problem),
    list(allowed = if (problem$prior == "order") allowed_parents(problem$sets),
         memory_limit = limits$memory_limit),
    host_within(limits, "Summing over networks", seed = no_seed)
  )
}

checked_sums <- function(found, problem, call) {
  if (is_failure(found) && found$kind == "nodes") {
    abort_too_many_nodes(found$facts, problem$prior, call)
  }
  call_core(found, nodes = problem$sets$nodes, call = call,
            remedy = paste("exclude arcs ({.arg tiers}, {.arg blacklist}, {.arg candidates})",
                           "so that fewer nodes depend on each other"))
}

# With the prior of the numbers of parents in the scores.
weighted_sets <- function(problem) {
  sets <- problem$sets
  if (problem$prior != "size") return(sets$sets)
  lapply(sets$sets, function(of_node) {
    of_node$score <- of_node$score - lchoose(length(sets$nodes) - 1L, of_node$size)
    of_node
  })
}

abort_too_many_nodes <- function(facts, prior, call) {
  most <- core_limits()$order_posterior_nodes
  abort_optbn(
    "memory",
    c("Sums over all networks go through all subsets of nodes that may be on a cycle.",
      x = paste("There are {facts$nodes} such nodes; at most {facts$limit} are possible with",
                "{.code prior = \"{prior}\"}."),
      i = paste0("Exclude arcs by {.arg tiers}, {.arg blacklist} or {.arg candidates}",
                 if (prior != "order") "; {.code prior = \"order\"} takes up to {most}", "."),
      i = if (prior != "order") "{.fn sample_dags} draws networks of more nodes by Markov chains."),
    call = call
  )
}

# The core's tables; made again after a journey through a file.
posterior_pointer <- function(posterior, limits, call) {
  handle <- posterior$handle
  if (!is.environment(handle)) handle <- new.env(parent = emptyenv())
  if (!core_is_alive(handle$pointer)) {
    problem <- list(sets = posterior$parent_sets, prior = posterior$prior, limits = limits)
    handle$pointer <- checked_sums(try_to_sum(problem), problem, call)$pointer
  }
  handle$pointer
}

#' @export
sound_parts.optbn_posterior <- function(model) {
  demand("it is not a list" = is.list(model),
         "its parent sets are invalid" = inherits(model$parent_sets, "optbn_parent_sets"))
  sound_parts(model$parent_sets)
  sets <- model$parent_sets$sets
  demand(
    "its nodes are not those of its parent sets" = identical(model$nodes, model$parent_sets$nodes),
    "its prior is unknown" = is_string(model$prior) && model$prior %in% names(prior_in_words),
    "the lost share is not a share" = are_numbers(model$lost, 1L) && model$lost >= 0 &&
      model$lost <= 1,
    "its rounding is not a number" = are_numbers(model$rounding, 1L) && model$rounding >= 0,
    "its sum is not a number" = are_numbers(model$log_sum, 1L),
    "its components are not its nodes" =
      is_plain_list(model$components) && setequal(unlist(model$components), model$nodes),
    "the probabilities are not those of its parent sets" =
      is_plain_list(model$probability, length(sets)) &&
        all(mapply(function(p, of_node) are_numbers(p, length(of_node$score)) && all(p >= -1e-3),
                   model$probability, sets))
  )
}

# Bounds of a probability.
probability_bounds <- function(posterior, p) {
  list(lower = pmax(0, (1 - posterior$lost) * (p - posterior$rounding)),
       upper = pmin(1, (1 - posterior$lost) * (p + posterior$rounding) + posterior$lost))
}

#' @export
as.data.frame.optbn_posterior <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  table <- as.data.frame(x$parent_sets)
  p <- pmin(1, pmax(0, unlist(x$probability, use.names = FALSE)))
  table <- data.frame(node = table$node, parents = table$parents, score = table$score,
                      probability = p, probability_bounds(x, p))
  table <- table[order(match(table$node, x$nodes), -table$probability), ]
  row.names(table) <- row.names
  table
}

#' @export
format.optbn_posterior <- function(x, ...) tell_answer(x, format_network_posterior(x))

format_network_posterior <- function(x) {
  settings <- x$parent_sets$settings
  sizes <- sort(lengths(x$components), decreasing = TRUE)
  p <- arc_probabilities(x)
  most <- which(p > 0.5, arr.ind = TRUE)
  c(
    paste0("Posterior distribution over the networks of ", length(x$nodes), " nodes"),
    paste0("  score       ", format(settings$score), ", ", format_count(x$parent_sets$rows),
           " rows", if (!is_marginal_likelihood(settings$score)) ", an approximation"),
    paste0("  prior       ", prior_in_words[[x$prior]]),
    paste0("  summed      all networks of ", format_count(count_sets(x$parent_sets)),
           " parent sets",
           if (!is.null(settings$max_parents)) paste0(", ", format_limits(settings$max_parents))),
    paste0("  components  ", length(sizes), ", the largest of ", sizes[1L], " nodes"),
    paste0("  lost        at most ", format(x$lost, digits = 2), ", by rounding ",
           format(x$rounding, digits = 2)),
    paste0("  arcs        ", nrow(most), " with a probability above 1/2; ",
           format(sum(p), digits = 3), " expected")
  )
}

prior_in_words <- c(uniform = "uniform over networks",
                    order = "uniform over orders of the nodes",
                    size = "uniform over numbers of parents, then over sets")

is_marginal_likelihood <- function(score) {
  score$label %in% c("bde", "bds", "bdj", "k2", "mbde", "bdla", "bge", "pcart", "ft", "custom")
}

#' @export
print.optbn_posterior <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
