# sample_dags(): networks drawn from the posterior distribution, and the class "optbn_dags".

#' Draw Networks from their Posterior Distribution
#'
#' @description
#' Draws networks from their posterior distribution. From the draws you can estimate the probability
#' of *any* feature of networks: paths, Markov blankets, whole networks. For up to 24 nodes that may
#' depend on each other, the draws are exact and independent. For more nodes, Markov chains draw the
#' networks, and their agreement is reported.
#'
#' @details
#' *Exact draws* use the sums that [network_posterior()] has computed. With `prior = "order"` they
#' proceed node by node along an order, and otherwise layer by layer, starting with the nodes
#' without parents (Talvitie, Vuoksenmaa & Koivisto 2019). The draws are independent, so convergence
#' is no issue.
#'
#' *Markov chains* are used if the sums do not fit into memory, or if you set `chains` or `moves`,
#' but not with `prior = "order"`. They move over partitions of the nodes into layers (Kuipers &
#' Moffa 2017). A move takes a node out of its layer and inserts it into one of the possible layers,
#' drawn with its conditional probability. After each move, thirty arcs of a sampled network are
#' reversed, with new parents for both ends (Grzegorczyk & Husmeier 2008). Each chain starts at a
#' random order. Before the first draw it makes the same number of moves at a temperature that falls
#' to 1, so that it does not stay near the first good networks. The chains are compared by R-hat,
#' which is near 1 if they agree, and by the effective sample size. Without `moves`, chains that do
#' not agree (R-hat above 1.05, or an effective sample size below a tenth of the draws) start again
#' with twice the moves, for a minute or two of work at most. A warning is given if R-hat is still
#' above 1.1. Under a [future::plan()] the chains run in several processes, and otherwise in
#' `threads`.
#'
#' *Many columns.* Beyond some 50 columns there are too many sets of three parents. Each node then
#' has a few candidate parents (11 for 100 columns), and all subsets of these are its parent sets.
#' Forward selection chooses the candidates: each one adds most to the score of the node given the
#' earlier ones. Networks with other arcs are never drawn; use `max_parents` or `candidates` to
#' change this.
#'
#' Use `set.seed()` for reproducible draws.
#'
#' @param x Data, parent sets with a slack (see [network_posterior()]), or a [network_posterior()].
#' @inheritParams arc_posterior
#' @param n The number of networks.
#' @param chains The number of Markov chains. `NULL` means exact draws if they are possible and
#'   `moves` is `NULL`, and otherwise 4 chains.
#' @param moves The number of node moves of each chain after its start. `NULL` means as many as the
#'   chains need, initially 50 for each node.
#' @param progress Show a progress bar?
#'
#' @return An object of class `optbn_dags`: a list with the `nodes`, the `parent_sets`, and a matrix
#'   `choice` of indices of parent sets with a row for each node and a column for each network. With
#'   Markov chains it also has `chains`: their `count`, the `moves` of each, and a data frame
#'   `agreement` with `r_hat` and the `effective` sample size of the score, and the worst values of
#'   both over the arcs. `length()` is the number of networks. `[[` returns one network of
#'   \pkg{bnlearn}'s class `"bn"`, `as.list()` returns all, and `[` returns a subset.
#'   `as.data.frame()` returns the distinct networks, the most frequent first, with their `score`,
#'   `times` and `share`, and `summary()` matrices of the shares of networks with each arc (`arcs`)
#'   and each directed path (`paths`). [feature_probability()] estimates the probability of any
#'   feature.
#' @section Errors: Those of [network_posterior()]. If chains do not agree, there is a warning of
#'   class `optbn_warning_chains`.
#' @references
#' Talvitie, T., Vuoksenmaa, A. and Koivisto, M. (2019). Exact sampling of directed acyclic graphs
#' from modular distributions. *Proceedings of the 35th Conference on Uncertainty in Artificial
#' Intelligence*, 965-974.
#'
#' Kuipers, J. and Moffa, G. (2017). Partition MCMC for inference on acyclic digraphs. *Journal of
#' the American Statistical Association* 112, 282-299. \doi{10.1080/01621459.2015.1133426}
#'
#' Grzegorczyk, M. and Husmeier, D. (2008). Improving the structure MCMC sampler for Bayesian
#' networks by introducing a new edge reversal move. *Machine Learning* 71, 265-305.
#' \doi{10.1007/s10994-008-5057-7}
#'
#' Gelman, A. et al. (2013). *Bayesian Data Analysis*, third edition. CRC Press, section 11.4.
#' @seealso [network_posterior()], [feature_probability()].
#' @examples
#' set.seed(1)
#' networks <- sample_dags(attitude, 200, score = "bge")
#' networks
#' networks[[1]]
#' summary(networks)
#'
#' # by two Markov chains
#' sample_dags(attitude, 200, score = "bge", chains = 2)
#' @export
sample_dags <- function(x, n, ..., chains = NULL, moves = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  count <- check_count(n, "n", minimum = 1, call = call)
  if (!is.null(chains)) chains <- check_count(chains, "chains", minimum = 1, call = call)
  if (!is.null(moves)) moves <- check_count(moves, "moves", minimum = 1, call = call)
  problem <- if (inherits(x, "optbn_posterior")) {
    posterior <- as_posterior(x, ..., call = call)
    list(sets = posterior$parent_sets, prior = posterior$prior,
         limits = check_limits(NULL, Inf, posterior$memory_limit, progress, call))
  } else {
    posterior <- NULL
    summing_problem(x, ..., progress = progress, call = call, select = TRUE)
  }
  drawn <- if (is.null(chains) && is.null(moves)) draw_exactly(posterior, problem, count, call)
  if (is.null(drawn)) drawn <- run_chains(problem, count, chains %||% usual_chains, moves, call)
  structure(c(list(nodes = problem$sets$nodes, parent_sets = problem$sets), drawn),
            class = "optbn_dags")
}

# NULL where tables do not fit, and chains can draw.
draw_exactly <- function(posterior, problem, count, call) {
  pointer <- if (is.null(posterior)) {
    found <- try_to_sum(problem)
    if (problem$prior != "order" && is_failure(found) && found$kind %in% c("nodes", "memory")) {
      announce(c("Too many nodes depend on each other for exact sums over networks.",
                 i = paste("Networks are drawn by {usual_chains} Markov chains; they are not",
                           "independent.")))
      return(NULL)
    }
    checked_sums(found, problem, call)$pointer
  } else {
    posterior_pointer(posterior, problem$limits, call)
  }
  host <- host_within(problem$limits, "Drawing networks", random_seed())
  list(choice = call_core(core_draw_networks(pointer, count, host), call = call))
}

#' Probability of Any Feature of Networks
#'
#' Estimates the posterior probability of a feature of networks by its share among sampled networks,
#' or the posterior mean of a numeric feature by its mean over them, with an interval for the Monte
#' Carlo error.
#'
#' @param networks Networks from [sample_dags()].
#' @param feature A function of a network (of \pkg{bnlearn}'s class `"bn"`) that returns `TRUE` or
#'   `FALSE`, a number, or a vector of these with the same length for all networks. It is called
#'   once for each distinct network.
#' @param level The level of the interval.
#'
#' @return A data frame with a row for each element that `feature` returns, and columns `mean`,
#'   `lower` and `upper`. The interval is Wilson's for shares, and normal for other numbers. The row
#'   names are the names of the elements.
#' @section Errors: `optbn_error_argument` for malformed arguments, or if `feature` does not return
#'   the same number of numeric or logical values for each network.
#' @references
#' Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
#' *Journal of the American Statistical Association* 22, 209-212.
#' \doi{10.1080/01621459.1927.10502953}
#' @seealso [sample_dags()].
#' @examples
#' set.seed(1)
#' networks <- sample_dags(attitude, 200, score = "bge", prior = "order")
#' # is learning in the Markov blanket of rating, and how many arcs are there?
#' feature_probability(networks, function(network) {
#'   c(near = "learning" %in% network$nodes$rating$mb, arcs = nrow(network$arcs))
#' })
#' @export
feature_probability <- function(networks, feature, level = 0.95) {
  require_arguments()
  call <- environment()
  if (!inherits(networks, "optbn_dags")) {
    abort_optbn("argument",
                c("{.arg networks} must be networks from {.fn sample_dags}.",
                  x = "It is {describe(networks)}."), call = call)
  }
  check_sound(networks, call)
  check_function(feature, "feature", call)
  level <- check_number(level, "level", minimum = 0, call = call)
  if (level >= 1) abort_optbn("argument", "{.arg level} must be less than 1.", call = call)
  different <- different_networks(networks)
  values <- lapply(different$first, function(i) feature(networks[[i]]))
  check_feature_values(values, call)
  values <- matrix(as.double(unlist(values)), length(values), byrow = TRUE,
                   dimnames = list(NULL, names(values[[1L]])))
  intervals <- apply(values, 2L, interval_of_mean, different$times, level)
  data.frame(t(intervals), row.names = colnames(values))
}

check_feature_values <- function(values, call) {
  numbers <- vapply(values, function(x) (is.numeric(x) || is.logical(x)) && !anyNA(x), NA)
  if (all(numbers) && length(unique(lengths(values))) == 1L && length(values[[1L]]) > 0L) {
    return(invisible())
  }
  wrong <- values[[c(which(!numbers), 1L)[1L]]]
  abort_optbn("argument",
              c(paste("{.arg feature} must return {.code TRUE}, {.code FALSE} or a number, or as",
                      "many of these for each network."),
                x = if (all(numbers)) {
                  "It returns {.val {sort(unique(lengths(values)))}} of them."
                } else {
                  "It returns {describe(wrong)}."
                }),
              call = call)
}

# Of values that come so many times each.
interval_of_mean <- function(values, times, level) {
  n <- sum(times)
  z <- stats::qnorm((1 + level) / 2)
  mean <- sum(values * times) / n
  if (all(values %in% 0:1)) return(c(mean = mean, unlist(wilson_interval(mean, n, level))))
  width <- z * sqrt(sum(times * (values - mean)^2) / max(1, n - 1) / n)
  c(mean = mean, lower = mean - width, upper = mean + width)
}

# ---- the class -----------------------------------------------------------------------------------

#' @export
sound_parts.optbn_dags <- function(model) {
  demand("it is not a list" = is.list(model),
         "its parent sets are invalid" = inherits(model$parent_sets, "optbn_parent_sets"))
  sound_parts(model$parent_sets)
  sizes <- vapply(model$parent_sets$sets, function(sets) length(sets$score), 0L)
  demand(
    "its nodes are not those of its parent sets" = identical(model$nodes, model$parent_sets$nodes),
    "its choices are not those of its nodes" =
      is.matrix(model$choice) && is.numeric(model$choice) && !anyNA(model$choice) &&
        nrow(model$choice) == length(sizes) && all(model$choice >= 1 & model$choice <= sizes)
  )
  if (is.null(model$chains)) return(invisible())
  demand(
    "its chains are invalid" = is.list(model$chains) && are_numbers(model$chains$count, 1L) &&
      are_numbers(model$chains$moves, 1L) && is.data.frame(model$chains$agreement) &&
      are_numbers(model$chains$agreement$r_hat) && are_numbers(model$chains$agreement$effective)
  )
}

# The number of the first network of each kind, in the order of how often they come.
different_networks <- function(networks) {
  choice <- networks$choice
  keys <- vapply(seq_len(ncol(choice)), function(i) paste(choice[, i], collapse = " "), "")
  times <- tabulate(match(keys, unique(keys)), length(unique(keys)))
  first <- which(!duplicated(keys))
  most <- order(-times)
  list(first = first[most], times = times[most])
}

#' @export
length.optbn_dags <- function(x) NCOL(unclass(x)$choice)

#' @export
`[.optbn_dags` <- function(x, i) {
  plain <- unclass(x)
  plain$choice <- plain$choice[, i, drop = FALSE]
  structure(plain, class = class(x))
}

#' @export
`[[.optbn_dags` <- function(x, i) {
  plain <- unclass(x)
  if (is.character(i)) return(plain[[i]])
  if (!isTRUE(i >= 1 && i <= length(x))) {
    abort_optbn("argument", c("There {?is/are} {length(x)} network{?s}.",
                              x = "The one asked for is {describe(i)}."))
  }
  when_unsound({
    parents <- Map(members_of_set, plain$parent_sets$sets, plain$choice[, i])
    plain_network(list(nodes = plain$nodes, parents = unname(parents)))
  }, x, environment())
}

#' @export
`$.optbn_dags` <- function(x, name) unclass(x)[[name]]

#' @export
as.list.optbn_dags <- function(x, ...) {
  check_sound(x)
  lapply(seq_len(length(x)), function(i) x[[i]])
}

#' @export
as.data.frame.optbn_dags <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  different <- different_networks(x)
  score <- vapply(different$first, function(i) {
    sum(scores_of_choice(x$parent_sets, x$choice[, i]))
  }, 0)
  networks <- vapply(different$first, function(i) families_in_short(x[[i]]), "")
  data.frame(network = networks, score = score, times = different$times,
             share = different$times / length(x), row.names = row.names)
}

# As bnlearn::modelstring(), but for nodes without parents.
families_in_short <- function(network) {
  parents <- lapply(network$nodes, `[[`, "parents")
  parents <- parents[lengths(parents) > 0L]
  if (length(parents) == 0L) return("(no arcs)")
  paste0("[", names(parents), "|", vapply(parents, paste, "", collapse = ":"), "]", collapse = "")
}

#' @export
summary.optbn_dags <- function(object, ...) {
  check_sound(object)
  different <- different_networks(object)
  nodes <- object$nodes
  arcs <- paths <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (i in seq_along(different$first)) {
    parents <- Map(members_of_set, object$parent_sets$sets, object$choice[, different$first[i]])
    share <- different$times[i] / length(object)
    here <- matrix(FALSE, length(nodes), length(nodes))
    here[cbind(unlist(parents), rep(seq_along(parents), lengths(parents)))] <- TRUE
    arcs <- arcs + share * here
    paths <- paths + share * closure_of(here, topological_order(unname(parents)))
  }
  structure(list(draws = length(object), different = length(different$first), arcs = arcs,
                 paths = paths), class = "summary.optbn_dags")
}

# Which nodes a path leads to; `order`: parents before children.
closure_of <- function(arcs, order) {
  for (v in order) {
    above <- which(arcs[, v])
    arcs[, v] <- arcs[, v] | rowSums(arcs[, above, drop = FALSE]) > 0
  }
  arcs
}

#' @export
print.summary.optbn_dags <- function(x, ...) {
  tell_answer(x, {
    cat(format_count(x$draws), " networks, ", format_count(x$different), " of them different\n\n",
        "Shares with an arc (from the row to the column):\n", sep = "")
    print(round(x$arcs, 2))
    cat("\nShares with a path:\n")
    print(round(x$paths, 2))
  })
  invisible(x)
}

#' @export
format.optbn_dags <- function(x, ...) tell_answer(x, format_dags(x))

format_dags <- function(x) {
  table <- as.data.frame(x)
  shown <- utils::head(table, 5L)
  c(
    paste0(format_count(length(x)), " networks of ", length(x$nodes),
           " nodes drawn from their posterior distribution, ", format_count(nrow(table)),
           " of them different"),
    if (!is.null(x$chains)) format_chains(x$chains),
    if (nrow(shown) > 0L) {
      paste0("  ", format(paste0(signif(100 * shown$share, 2), "%"), justify = "right"), "  ",
             format(shown$score, nsmall = 1), "  ", abridged(shown$network, 60L))
    },
    if (nrow(table) > 5L) "  ..."
  )
}

abridged <- function(text, width) {
  ifelse(nchar(text) > width, paste0(substr(text, 1L, width - 3L), "..."), text)
}

#' @export
print.optbn_dags <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
