# Approximate answers: weighted draws from any fitted network.

#' Approximate Posteriors by Likelihood Weighting
#'
#' Estimates the posterior distribution of some nodes given values of others by weighted random
#' draws. The function accepts every fitted network, including networks of trees over continuous
#' nodes, which have no exact method.
#'
#' @param fit A fitted network from [fit_network()].
#' @param nodes Names of the query nodes.
#' @param evidence The observed values: a list named by nodes (or a vector). For a discrete node it
#'   contains one level, or several levels ("one of these"). For a continuous node it contains a
#'   number, or two in ascending order: the ends of a range, which may be infinite.
#' @param nsim The number of draws, a whole number.
#' @param seed `NULL` to continue R's random number stream, or a number for [set.seed()]. In the
#'   second case the state of the generator is restored afterwards.
#' @param do The values set by an intervention, as in [intervene()].
#'
#' @details
#' Nodes are drawn from their local models, parents first, as in [simulate.optbn_fit()]. Nodes in
#' `evidence` are not drawn but fixed at their values. The weight of a draw is the product of their
#' densities given the values of their parents. If the evidence on a node is a range or several
#' levels, the node is drawn within them, and their probability multiplies the weight. Nodes that
#' are neither queried nor observed nor ancestors of such nodes are left out.
#'
#' The error is inversely proportional to the square root of the *effective sample size*
#' \eqn{(\sum w)^2 / \sum w^2}{(sum w)^2 / sum w^2}. This is small if the evidence is improbable in
#' most of the draws, typically because it is far from the roots. A message reports an effective
#' sample size below 100 (or half of `nsim`, if that is less). Standard errors are those of a ratio
#' of two means (Geweke 1989): \eqn{\sqrt{\sum w_i^2 (x_i - p)^2}}{sqrt(sum w^2 (x - p)^2)} for an
#' average \eqn{p} of numbers \eqn{x_i}{x} with weights \eqn{w_i}{w} that sum to 1. They are
#' estimates themselves: 0 for a level that does not occur in the draws, and too small if few draws
#' have most of the weight.
#'
#' @return If all `nodes` are discrete, their joint posterior: an array of class
#'   `optbn_approximate_table` whose dimensions are the nodes and which sums to 1. If some are
#'   continuous, a data frame of class `optbn_approximate_draws` with a column for each of `nodes`,
#'   and the weights, which sum to 1, in the column `.weight`. Its `summary()` is a list with one
#'   element per node: `mean`, `sd` and the quantiles of 2.5, 50 and 97.5 %, or the probabilities of
#'   the levels.
#'
#' Both have the attributes `effective_size`, `nsim`, `evidence`, `do` and `standard_error`: an
#' array with the standard error of each probability, or a vector with that of the mean of each
#' continuous node. Both print the effective sample size and the standard errors (for a table, the
#' largest one).
#'
#' @section Errors: `optbn_error_argument` for names that are not nodes, for a value that a node
#'   cannot have, for a node that is both queried and observed, for evidence that has density 0 in
#'   all draws, and for another malformed argument; `optbn_error_memory` for a joint posterior of
#'   more than 1e8 numbers.
#'
#' @references
#' Fung, R. and Chang, K.-C. (1990). Weighing and integrating evidence for stochastic simulation in
#' Bayesian networks. *Uncertainty in Artificial Intelligence 5*, 209-219.
#' \doi{10.48550/arXiv.1304.1504}
#'
#' Geweke, J. (1989). Bayesian inference in econometric models using Monte Carlo integration.
#' *Econometrica* 57, 1317-1339. \doi{10.2307/1913710}
#'
#' Shachter, R. D. and Peot, M. A. (1990). Simulation approaches to general probabilistic inference
#' on belief networks. *Uncertainty in Artificial Intelligence 5*, 221-231.
#'
#' @seealso [query()], exact, for networks of tables and linear regressions; [predict.optbn_fit()],
#'   exact, for one node given all others.
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' approximate_query(fit, "Species", list(Petal.Length = 4.9), seed = 1)
#' approximate_query(fit, c("Species", "Petal.Length"), list(Petal.Width = 1.7), seed = 1)
#' approximate_query(fit, "Species", list(Petal.Width = c(1.6, 1.8)), seed = 1)
#' @export
approximate_query <- function(fit, nodes, evidence = list(), nsim = 1e4, seed = NULL,
                              do = list()) {
  require_arguments()
  check_fit(fit)
  fit <- under_intervention(fit, do, evidence)
  nodes <- check_query_nodes(nodes, fit, evidence)
  known <- check_evidence(evidence, fit, sets = TRUE)
  nsim <- check_count(nsim, "nsim", minimum = 1)
  discrete <- !any(vapply(fit$levels[nodes], is.null, NA))
  if (discrete) check_posterior_size(lengths(fit$levels[nodes]))
  exact <- known[lengths(known) == 1L]
  announce_outside(fit$models, c(exact, as.list(held_numbers(fit))))

  draws <- with_seed(seed, weighted_draws(fit, nodes, known, nsim))
  weights <- relative_weights(draws$log_weight)
  effective <- 1 / sum(weights^2)
  if (effective < min(100, nsim / 2)) {
    announce(c("The effective sample size of the {nsim} draws is {format(effective, digits = 2)}.",
               i = "Raise {.arg nsim}, or use evidence nearer to the roots."))
  }
  answer <- if (discrete) {
    table <- weighted_table(fit, draws$values[nodes], weights)
    squares <- weighted_table(fit, draws$values[nodes], weights^2)
    structure(table, standard_error = table_errors(table, squares))
  } else {
    columns <- lapply(nodes, function(node) decode_column(fit, node, draws$values[[node]]))
    names(columns) <- nodes
    structure(list2DF(c(columns, list(.weight = weights))),
              standard_error = vapply(Filter(is.numeric, columns), mean_error, 0, weights),
              class = c("optbn_approximate_draws", "data.frame"))
  }
  structure(answer, effective_size = effective, nsim = nsim, evidence = as.list(evidence),
            do = fit[["do"]])
}

# ---- what goes in -------------------------------------------------------------------------------

check_query_nodes <- function(nodes, fit, evidence, call = parent.frame()) {
  check_node_names(nodes, "nodes", fit, call)
  known <- intersect(nodes, names(evidence))
  if (length(known)) {
    abort_optbn("argument",
                c("A node cannot be both queried and observed.",
                  x = "{.val {known}} {?is/are} in {.arg nodes} and in {.arg evidence}."),
                call = call)
  }
  nodes
}

check_node_names <- function(nodes, arg, fit, call = parent.frame()) {
  if (is.character(nodes) && length(nodes) > 0L && !anyDuplicated(nodes) &&
        all(nodes %in% fit$nodes)) {
    return(nodes)
  }
  unknown <- if (is.character(nodes)) setdiff(nodes, fit$nodes)
  abort_optbn("argument",
              c("{.arg {arg}} must be names of nodes of the model, each once.",
                x = if (length(unknown)) {
                  "{.val {unknown}} {?is/are} none of them."
                } else {
                  "It is {describe(nodes)}."
                },
                i = "The nodes are {.val {fit$nodes}}."),
              call = call)
}

# Evidence, or what is set, as a list of coded values by node: of a discrete node a code, of a
# continuous one a number. With `sets` also several codes, and the two ends of a range.
check_evidence <- function(evidence, fit, arg = "evidence", call = parent.frame(),
                           sets = FALSE) {
  evidence <- as.list(evidence)
  named <- length(evidence) == 0L || !is.null(names(evidence))
  if (!named || anyDuplicated(names(evidence)) || !all(names(evidence) %in% fit$nodes)) {
    unknown <- setdiff(names(evidence), fit$nodes)
    abort_optbn("argument",
                c("{.arg {arg}} must be a list named by nodes of the network, each once.",
                  x = if (length(unknown)) "{.val {unknown}} {?is/are} no node{?s} of it.",
                  i = "The nodes are {.val {fit$nodes}}."),
                call = call)
  }
  Map(function(value, node) encode_evidence(value, node, fit$levels[[node]], arg, call, sets),
      evidence, names(evidence))
}

encode_evidence <- function(value, node, levels, arg, call, sets = FALSE) {
  if (is.null(levels)) {
    if (is.numeric(value) && length(value) == 1L && is.finite(value)) return(as.double(value))
    if (sets && is_range(value)) return(as.double(value))
    wanted <- if (sets) "one finite number, or two, the ends of a range" else "one finite number"
  } else {
    codes <- if (is.atomic(value)) unique(match(as.character(value), levels))
    if (length(codes) > 0L && !anyNA(codes) && (sets || length(codes) == 1L)) return(codes - 1L)
    some <- if (sets) "one or several of the levels" else "one of the levels"
    wanted <- cli::format_inline("{some} {.or {.val {levels}}}")
  }
  abort_optbn("argument",
              c("The value of {.val {node}} in {.arg {arg}} must be {wanted}.",
                x = "It is {describe(value)}."),
              call = call)
}

is_range <- function(x) {
  is.numeric(x) && length(x) == 2L && !anyNA(x) && x[1L] < x[2L]
}

check_posterior_size <- function(sizes, call = parent.frame()) {
  limit <- 1e8
  cells <- prod(sizes)
  if (cells > limit) {
    abort_optbn("memory",
                c("A joint posterior may hold at most {format(limit)} numbers.",
                  x = "That of {.arg nodes} needs {format(cells, digits = 3)}.",
                  i = "Query fewer nodes at a time."),
                call = call, needed = 8 * cells, limit = 8 * limit)
  }
}

# ---- draws --------------------------------------------------------------------------------------

# Coded columns by node, and the logarithms of the weights.
weighted_draws <- function(fit, nodes, known, rows) {
  values <- list()
  log_weight <- numeric(rows)
  needed <- with_ancestors(c(nodes, names(known)), fit$parents)
  order <- fit$nodes[topological_order(lapply(fit$parents, match, fit$nodes))]
  for (node in intersect(order, needed)) {
    model <- fit$models[[node]]
    if (length(known[[node]]) == 1L) {
      values[[node]] <- rep(known[[node]], rows)
      log_weight <- log_weight + local_log_density(model, values)
    } else if (node %in% names(known)) {
      drawn <- draw_within(model, values, rows, known[[node]])
      values[[node]] <- drawn$value
      log_weight <- log_weight + drawn$log_probability
    } else {
      values[[node]] <- local_simulate(model, values, rows)
    }
  }
  list(values = values, log_weight = log_weight)
}

# Draws of a node within some levels, or a range, and the probability of these in each row.
draw_within <- function(model, values, rows, known) {
  distribution <- local_distribution(model, values, rows)
  if (is.matrix(distribution)) return(draw_among(t(distribution), known))
  scale <- distribution[["scale"]] %||% distribution$sd
  df <- distribution[["df"]] %||% Inf
  location <- distribution$mean
  z <- draw_between((known[1L] - location) / scale, (known[2L] - location) / scale, df)
  value <- location + scale * z$value
  list(value = pmin(pmax(value, known[1L]), known[2L]), log_probability = z$log_probability)
}

# `prob`: a column for each row; `codes`: the levels that may be drawn.
draw_among <- function(prob, codes) {
  within <- prob[codes + 1L, , drop = FALSE]
  total <- colSums(within)
  within[, total == 0] <- 1 # of weight 0, whatever is drawn
  within <- within / rep(colSums(within), each = nrow(within))
  list(value = codes[draw_levels(within, seq_along(total)) + 1L], log_probability = log(total))
}

# Of a Student t distribution by inversion, in the tail where its probabilities are not near 1.
draw_between <- function(from, to, df) {
  turned <- from > 0
  low <- ifelse(turned, -to, from)
  high <- ifelse(turned, -from, to)
  below <- stats::pt(low, df)
  probability <- stats::pt(high, df) - below
  u <- below + stats::runif(length(low)) * probability
  value <- stats::qt(pmin(pmax(u, 0), 1), df)
  value <- pmin(pmax(value, low), high) # where the tail has no probability left
  list(value = ifelse(turned, -value, value), log_probability = log(probability))
}

with_ancestors <- function(nodes, parents) {
  repeat {
    more <- setdiff(unlist(parents[nodes]), nodes)
    if (!length(more)) return(nodes)
    nodes <- c(nodes, more)
  }
}

relative_weights <- function(log_weight, call = parent.frame()) {
  largest <- max(log_weight)
  if (largest == -Inf) {
    abort_optbn("argument",
                c("{.arg evidence} is impossible: its density is 0 at all of the draws.",
                  i = "Change it; or, if it is possible but improbable, raise {.arg nsim}."),
                call = call)
  }
  weight <- exp(log_weight - largest)
  weight / sum(weight)
}

# `values`: coded columns of discrete nodes.
weighted_table <- function(fit, values, weights) {
  labels <- fit$levels[names(values)]
  index <- cell_index(values, lengths(labels), length(weights))
  structure(count_configurations(index, prod(lengths(labels)), weights),
            dim = unname(lengths(labels)), dimnames = labels,
            class = c("optbn_approximate_table", "table"))
}

# Of each probability in a table. `squares`: the sums of the squared weights of the draws in it.
table_errors <- function(table, squares) {
  p <- unclass(table)
  variance <- unclass(squares) * (1 - 2 * p) + p^2 * sum(squares)
  array(sqrt(pmax(variance, 0)), dim(table), dimnames(table))
}

mean_error <- function(x, weights) sqrt(sum(weights^2 * (x - sum(weights * x))^2))

# ---- on the screen ------------------------------------------------------------------------------

#' @export
print.optbn_approximate_table <- function(x, digits = 3, ...) {
  tell_answer(x, {
    cat(format_answer_heading(x, names(dimnames(x))), sep = "\n")
    plain <- structure(as.vector(x), dim = dim(x), dimnames = dimnames(x), class = "table")
    print(zapsmall(plain, digits), digits = digits, ...)
  })
  invisible(x)
}

#' @export
print.optbn_approximate_draws <- function(x, digits = 3, ...) {
  # a part of the draws is a data frame like others
  if (!identical(nrow(x), attr(x, "nsim")) || is.null(x[[".weight"]])) return(NextMethod())
  tell_answer(x, {
    cat(format_answer_heading(x, setdiff(names(x), ".weight")), sep = "\n")
    summaries <- summary(x)
    for (node in names(summaries)) {
      cat("\n", node, "\n", sep = "")
      print(zapsmall(summaries[[node]], digits), digits = digits, ...)
    }
  })
  invisible(x)
}

format_answer_heading <- function(x, nodes) {
  evidence <- attr(x, "evidence")
  given <- as.character(Map(evidence_in_words, names(evidence), evidence))
  c(
    cli::style_bold(cli::format_inline("Approximate posterior of {nodes}")),
    format_facts(c(
      given = if (length(given)) paste(given, collapse = ", "),
      set = format_do(attributes(x)),
      draws = paste0(format(attr(x, "nsim"), big.mark = ","), ", effective sample size ",
                     format(round(attr(x, "effective_size")), big.mark = ",")),
      error = format_errors(attr(x, "standard_error"))
    ))
  )
}

evidence_in_words <- function(node, value) {
  if (length(value) == 1L) return(paste(node, "=", format(value)))
  if (is.numeric(value)) return(paste(format(value[1L]), "<=", node, "<=", format(value[2L])))
  paste(node, "in", paste(value, collapse = "/"))
}

format_errors <- function(errors) {
  if (is.array(errors)) {
    if (max(errors) > 0) return(paste("standard errors of at most", signif(max(errors), 2)))
    return(NULL) # all draws have the same levels, or there is but one
  }
  if (length(errors)) {
    paste("standard error of the mean", first_few(paste("of", names(errors), signif(errors, 2))))
  }
}

#' @export
summary.optbn_approximate_draws <- function(object, ...) {
  tell_answer(object, lapply(object[setdiff(names(object), ".weight")], function(column) {
    weighted_summary(column, object$.weight)
  }))
}

weighted_summary <- function(x, weight) {
  if (!is.numeric(x)) {
    sums <- tapply(weight, x, sum, default = 0)
    return(set_names(as.vector(sums), names(sums)))
  }
  mean <- sum(weight * x)
  order <- order(x)
  below <- cumsum(weight[order])
  at <- c("2.5%" = 0.025, "50%" = 0.5, "97.5%" = 0.975)
  quantiles <- vapply(at, function(p) x[order][which(below >= p * below[length(x)])[1L]], 0)
  c(mean = mean, sd = sqrt(sum(weight * (x - mean)^2)), quantiles)
}
