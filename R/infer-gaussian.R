# Exact questions to Gaussian networks: the class "optbn_compiled_gaussian" and the
# verbs on it. The algebra is in R/infer-gaussian-joint.R.

#' Exact Queries of Gaussian Networks
#'
#' A network whose nodes are all linear regressions on their parents has a multivariate normal
#' distribution. [compile_network()] makes an object of class `optbn_compiled_gaussian` from it, for
#' which the functions below compute exact queries. [query()], [most_probable()],
#' [log_probability()] and [log_density()] also accept the fitted network itself, from
#' [fit_network()] or of bnlearn's class `bn.fit`, and compile it first.
#'
#' @param model,object,x A network from [compile_network()]; for `print()` and `format()` also a
#'   result of [query()].
#' @param nodes Names of the query nodes; `NULL` for the marginal posterior of each node.
#' @param evidence The observed values: a list (or a numeric vector, or a data frame of one row)
#'   with one finite number per node, named by the nodes. `NA` means not observed. Intervals and
#'   likelihoods are not accepted.
#' @param data,newdata A data frame with numeric columns of the nodes. `NA` means not observed, and
#'   so does a missing column. Other columns are ignored, and `predict()` uses the column of `node`
#'   only for `type = "density"`.
#' @param do The values set by an intervention, as in [intervene()].
#' @param nsim The number of rows, a whole number.
#' @param seed `NULL` to continue R's random number stream, or a number for [set.seed()]. In the
#'   second case the state of the generator is restored afterwards.
#' @param memory_limit The largest number of bytes for the rows of `simulate()`; by default three
#'   quarters of the free memory.
#' @param node The name of the node to predict.
#' @param type What to return, see *Value*.
#' @param digits The number of significant digits to print.
#' @param ... Ignored.
#'
#' @details
#' Unobserved nodes are integrated out. The computation involves only the unobserved nodes and their
#' observed children. With \eqn{u} of the first and \eqn{c} of the second, it takes time
#' proportional to \eqn{(u + c)^2 c}, once for all rows with the same missing nodes. It uses
#' orthogonal transformations instead of covariance matrices, and therefore remains accurate for
#' columns in very different units and for nearly collinear parents.
#'
#' A node with standard deviation 0 gives an error: given its parents it has no density, and
#' rounding errors would decide whether evidence on it is possible. [fit_network()] gives such a
#' node a standard deviation of the size of rounding errors instead.
#'
#' @return
#' * `query()`: an object of class `optbn_gaussian_posterior`, the joint posterior of `nodes`: a
#'   list with `mean`, a vector named by them; `covariance`, a matrix with their names; `evidence`,
#'   a named vector of the observed values; and `do`, the values set by an intervention, if any. If
#'   `nodes` is `NULL`, a data frame with the columns `node`, `mean` and `sd` and one row for each
#'   node; an observed one has standard deviation 0.
#' * `most_probable()`: a list with `state`, the mode of the posterior (which is also its mean), a
#'   data frame of one row with a column for every node; and `log_density`, the joint log-density of
#'   this row, including the evidence.
#' * `log_probability()`: a number, the log-density of the evidence; 0 without evidence.
#' * `log_density()`: a numeric vector with one number for each row of `data`.
#' * `predict()`, one element or row for each row of `newdata`: for `type = "response"` the mean of
#'   the posterior of `node`; for `"distribution"` a data frame with the columns `mean` and `sd`;
#'   for `"density"` the posterior density of the node's own value in `newdata`, `NA` where it is
#'   missing.
#' * `simulate()`: a data frame with `nsim` independent draws from the joint distribution of all
#'   nodes given the evidence, one column per node. The attribute `seed` allows you to draw the same
#'   rows again.
#' * `print()` returns `x` invisibly, and `format()` returns the printed text.
#'
#' Logarithms are natural. Densities are per unit of the columns, and may be above 1.
#'
#' An `optbn_compiled_gaussian` is a list with `nodes`, their names; by node, `parents` (node
#' numbers), `slopes` (one for each), `intercept` and `spread` (the standard deviation given the
#' parents); `order`, the node numbers, parents first; `children` (node numbers); and `bytes`, the
#' most memory that a query can take.
#'
#' @section Errors: `optbn_error_argument` for names that are not nodes, for evidence that is not a
#'   finite number, for a node that is both queried and observed, and for another malformed
#'   argument; `optbn_error_data` if a column is not numeric, or has infinite values;
#'   `optbn_error_impossible` for evidence that contradicts an intervention; and the errors of
#'   [compile_network()].
#'
#' @references
#' Shachter, R. D. and Kenley, C. R. (1989). Gaussian influence diagrams. *Management Science* 35,
#' 527-550. \doi{10.1287/mnsc.35.5.527}
#'
#' Higham, N. J. (2002). *Accuracy and Stability of Numerical Algorithms*, second edition, section
#' 19.4. SIAM. \doi{10.1137/1.9780898718027}
#'
#' @seealso [query()], [optbn_compiled_mixed] for networks with discrete and continuous nodes.
#' @examples
#' fit <- fit_network("[complaints][learning|complaints][rating|complaints:learning]", attitude)
#' compiled <- compile_network(fit)
#' compiled
#' query(compiled, c("rating", "complaints"), list(learning = 70))
#' query(compiled, evidence = list(rating = 80))
#' most_probable(compiled, list(rating = 80))$state
#'
#' gaps <- attitude
#' gaps$complaints[c(2, 5)] <- NA
#' log_density(compiled, head(gaps))
#' predict(compiled, head(gaps), "rating", type = "distribution")
#' simulate(compiled, 3, seed = 1, evidence = list(rating = 80))
#' @name optbn_compiled_gaussian
NULL

# ---- from a fitted network ----------------------------------------------------------------------

# The linear_network() that a fitted network is, NULL if it is none.
as_linear_network <- function(fit, call = parent.frame()) UseMethod("as_linear_network")

#' @export
as_linear_network.default <- function(fit, call) NULL

#' @export
as_linear_network.optbn_fit <- function(fit, call) {
  regressions <- vapply(fit$models, function(model) {
    inherits(model, "optbn_regression") && !length(model$levels)
  }, NA)
  if (!all(regressions)) return(NULL)
  models <- unname(fit$models)
  network <- linear_network(
    nodes = fit$nodes,
    parents = lapply(models, function(model) match(model$continuous, fit$nodes)),
    slopes = lapply(models, function(model) unname(model$coefficients[-1L, 1L])),
    intercept = vapply(models, function(model) model$coefficients[1L, 1L], 0),
    spread = vapply(models, function(model) model$sd[[1L]], 0)
  )
  c(network, if (length(fit[["do"]])) list(do = fit[["do"]]))
}

#' @export
as_linear_network.bn.fit <- function(fit, call) {
  models <- unclass(fit)
  attributes(models) <- NULL
  if (!all(vapply(models, inherits, NA, "bn.fit.gnode"))) return(NULL)
  parents <- lapply(models, function(model) match(model$parents, names(fit)))
  network <- linear_network(
    nodes = names(fit),
    parents = parents,
    slopes = lapply(models, function(model) unname(model$coefficients[model$parents])),
    intercept = vapply(models, function(model) model$coefficients[["(Intercept)"]], 0),
    spread = vapply(models, `[[`, 0, "sd")
  )
  check_regressions(network, call)
  network
}

check_regressions <- function(network, call) {
  check_regression_numbers(network$nodes, Map(c, network$intercept, network$slopes),
                           network$spread, call)
}

# `numbers` (intercepts and slopes) and `spread`: by node.
check_regression_numbers <- function(nodes, numbers, spread, call) {
  finite <- vapply(Map(c, numbers, spread), function(x) all(is.finite(x)), NA)
  open <- nodes[!finite]
  if (length(open)) {
    abort_optbn("data",
                c("The regression{?s} of node{?s} {.val {open}} {?has/have} missing coefficients.",
                  i = "Fit the network with {.fn fit_network}, which fills them in."),
                call = call)
  }
  exact <- nodes[vapply(spread, function(x) any(x <= 0), NA)]
  if (length(exact)) {
    abort_optbn("data",
                c("The regression{?s} of node{?s} {.val {exact}} {?has/have} standard deviation 0.",
                  x = "Given its parents, such a node has no density.",
                  i = paste("Fit the network with {.fn fit_network}, which gives it the spread of",
                            "rounding errors; or take it out of the network.")),
                call = call)
  }
}

# `order`: what the user gave compile_network().
compile_gaussian <- function(network, order, memory_limit, call) {
  if (!is.null(order)) {
    abort_optbn("argument",
                c("{.arg order} must be NULL for a Gaussian network.",
                  x = "It is {describe(order)}.",
                  i = "Its nodes are not eliminated one after another."),
                call = call)
  }
  # the effects of disturbances, what G and L become on their way, and an answer
  bytes <- 8 * 8 * length(network$nodes)^2
  require_memory(bytes, memory_limit, "Take nodes out of the network", call = call)
  structure(c(network, bytes = bytes), class = gaussian_class(network))
}

# ---- what is known ------------------------------------------------------------------------------

# Evidence as a matrix of one row and a column per node, NA where nothing is known.
encode_gaussian_evidence <- function(evidence, model, call = parent.frame()) {
  check_sound(model, call)
  evidence <- check_evidence_names(evidence, model, call)
  values <- vapply(names(evidence), function(node) one_number(evidence[[node]], node, call), 0)
  row <- matrix(NA_real_, 1L, length(model$nodes), dimnames = list(NULL, model$nodes))
  row[, names(evidence)] <- values
  with_held_evidence(row, model, call)
}

# Numbers to which interventions have set nodes are known, too.
with_held_evidence <- function(row, model, call) {
  held <- held_numbers(model)
  off <- names(held)[!is.na(row[, names(held)]) & row[, names(held)] != held]
  if (length(off)) {
    abort_optbn("impossible",
                c("{.arg evidence} has probability 0.",
                  x = "An intervention has set {.val {off[1L]}} to {held[[off[1L]]]}.",
                  i = "Leave it out of {.arg evidence}."),
                call = call, nodes = off)
  }
  row[, names(held)] <- held
  row
}

one_number <- function(value, node, call) {
  if (length(value) == 1L && is.atomic(value)) {
    if (is.numeric(value) && (is.finite(value) || is.na(value))) return(as.double(value))
    if (is.logical(value) && is.na(value)) return(NA_real_)
  }
  abort_optbn("argument",
              c("Evidence on {.val {node}} must be one finite number, or NA.",
                x = "It is {describe(value)}.",
                i = if (is.numeric(value) && length(value) > 1L) {
                  "Exact answers given an interval or a likelihood are not available."
                }),
              call = call)
}

# The columns of the nodes as a matrix, NA where they are missing.
encode_gaussian_rows <- function(model, data, arg, call = parent.frame()) {
  check_sound(model, call)
  values <- encode_partial(model, data, arg, call)
  matrix(unlist(values, use.names = FALSE), ncol = length(values),
         dimnames = list(NULL, model$nodes))
}

# Numbers of a column, NA where they are missing.
partial_numbers <- function(column, node, arg, call) {
  if (all(is.na(column))) return(rep(NA_real_, length(column)))
  if (!is.numeric(column)) abort_not_numeric(column, node, arg, call)
  infinite <- which(is.infinite(column))
  if (length(infinite)) {
    abort_optbn("data",
                c("Column {.val {node}} of {.arg {arg}} must hold finite numbers, or NA.",
                  x = "Row {infinite[1L]} holds {column[infinite[1L]]}."),
                call = call)
  }
  as.double(column)
}

# ---- the verbs ----------------------------------------------------------------------------------

# The conditional distribution of `asked` (numbers of unknown nodes) given the
# row `known`: its mean, and a factor S of its covariance S'S.
gaussian_posterior <- function(model, known, asked) {
  given <- condition_network(model, which(is.na(known)), asked)
  told <- tell_unknown(given, network_residuals(model, known))
  list(mean = told$mean[1L, ], factor = given$factor)
}

# Standard deviations from a factor of the covariance.
factor_sd <- function(factor) sqrt(colSums(factor^2))

#' @rdname optbn_compiled_gaussian
#' @export
query.optbn_compiled_gaussian <- function(model, nodes = NULL, evidence = list(), do = list(),
                                          ...) {
  model <- under_intervention(model, do, evidence)
  known <- encode_gaussian_evidence(evidence, model)
  observed <- known[1L, !is.na(known) & !model$nodes %in% names(held_numbers(model))]
  if (is.null(nodes)) {
    unknown <- which(is.na(known))
    posterior <- gaussian_posterior(model, known, unknown)
    return(data.frame(
      node = model$nodes,
      mean = replace(known[1L, ], unknown, posterior$mean),
      sd = replace(numeric(length(known)), unknown, factor_sd(posterior$factor)),
      row.names = NULL
    ))
  }
  nodes <- check_query_nodes(nodes, model, observed)
  free <- nodes[is.na(known[1L, nodes])] # all but those that are set
  posterior <- gaussian_posterior(model, known, match(free, model$nodes))
  mean <- known[1L, nodes]
  mean[free] <- posterior$mean
  covariance <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  covariance[free, free] <- crossprod(posterior$factor)
  structure(
    list(mean = mean, covariance = covariance, evidence = observed, do = model[["do"]]),
    class = "optbn_gaussian_posterior"
  )
}

#' @rdname optbn_compiled_gaussian
#' @export
most_probable.optbn_compiled_gaussian <- function(model, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  row <- encode_gaussian_evidence(evidence, model)
  unknown <- which(is.na(row))
  row[unknown] <- gaussian_posterior(model, row, unknown)$mean
  list(state = as_columns_of(row, model), log_density = linear_log_density(model, row))
}

#' @rdname optbn_compiled_gaussian
#' @export
log_probability.optbn_compiled_gaussian <- function(model, evidence = list(), do = list(), ...) {
  model <- under_intervention(model, do, evidence)
  linear_log_density(model, encode_gaussian_evidence(evidence, model))
}

#' @rdname optbn_compiled_gaussian
#' @export
log_density.optbn_compiled_gaussian <- function(model, data, ...) {
  row_log_densities(model, data, "data", NULL, environment())
}

#' @export
row_log_densities.optbn_compiled_gaussian <- function(model, data, arg, threads, call) {
  rows <- encode_gaussian_rows(model, with_held_numbers(data, model, arg, call), arg, call)
  off <- rows_off_held(as.list(as.data.frame(rows, optional = TRUE)), model)
  replace(linear_log_density(model, rows), off, -Inf)
}

#' @rdname optbn_compiled_gaussian
#' @export
predict.optbn_compiled_gaussian <- function(object, newdata, node,
                                      type = c("response", "distribution", "density"), ...) {
  require_arguments()
  check_sound(object)
  node <- check_node(node, object)
  type <- check_choice(type, c("response", "distribution", "density"), "type")
  if (node %in% names(held_numbers(object))) return(predict_held(object, newdata, node, type))
  newdata <- as_held(newdata, object, "newdata", environment())
  if (type != "density" && is.data.frame(newdata)) newdata <- without_column(newdata, node)
  rows <- encode_gaussian_rows(object, newdata, "newdata")
  values <- rows[, node]
  rows[, node] <- NA
  missing <- is.na(rows)
  residuals <- network_residuals(object, rows)
  mean <- sd <- numeric(nrow(rows))
  for (alike in missing_patterns(missing)) {
    given <- condition_network(object, which(missing[alike[1L], ]), match(node, object$nodes))
    mean[alike] <- tell_unknown(given, residuals[alike, , drop = FALSE])$mean
    sd[alike] <- factor_sd(given$factor)
  }
  switch(type,
    response = mean,
    distribution = data.frame(mean = mean, sd = sd),
    density = stats::dnorm(unname(values), mean, sd)
  )
}

#' @rdname optbn_compiled_gaussian
#' @export
simulate.optbn_compiled_gaussian <- function(object, nsim = 1, seed = NULL, evidence = list(),
                                       memory_limit = NULL, do = list(), ...) {
  object <- under_intervention(object, do, evidence)
  draws <- check_simulated_rows(nsim, object, memory_limit)
  known <- encode_gaussian_evidence(evidence, object)
  unknown <- which(is.na(known))
  given <- condition_network(object, unknown)
  state <- random_state()
  rows <- known[rep(1L, draws), , drop = FALSE]
  rows[, given$unknown] <- with_seed(seed, draw_unknown(given, network_residuals(object, known),
                                                        draws))
  origin <- if (is.null(seed)) state else structure(seed, kind = as.list(RNGkind()))
  structure(as_columns_of(rows, object), seed = origin)
}

# A matrix with a column per node as a data frame.
as_columns_of <- function(rows, model) {
  columns <- lapply(seq_along(model$nodes), function(i) unname(rows[, i]))
  list2DF(set_names(columns, model$nodes), nrow(rows))
}

# ---- on the screen ------------------------------------------------------------------------------

#' @rdname optbn_compiled_gaussian
#' @export
format.optbn_compiled_gaussian <- function(x, ...) {
  check_sound(x)
  n <- length(x$nodes)
  arcs <- sum(lengths(x$parents))
  c(
    cli::style_bold(cli::format_inline("Multivariate normal of {n} node{?s} and {arcs} arc{?s}")),
    format_facts(c(
      memory = paste("an answer takes at most", format_bytes(x$bytes)),
      # at worst, with half of the nodes observed, n^3 / 4 ns
      cost = paste("any question in", cost_in_words(n^3 / 40))
    ))
  )
}

#' @rdname optbn_compiled_gaussian
#' @export
print.optbn_compiled_gaussian <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @rdname optbn_compiled_gaussian
#' @export
format.optbn_gaussian_posterior <- function(x, digits = 4, ...) {
  tell_answer(x, format_posterior(x, digits))
}

format_posterior <- function(x, digits) {
  nodes <- names(x$mean)
  shown <- seq_len(min(length(nodes), 10L))
  more <- length(nodes) - length(shown)
  sd <- sqrt(diag(x$covariance))
  unit <- replace(sd, sd == 0, 1) # of a node that is set
  correlation <- (t(x$covariance / unit) / unit)[shown, shown, drop = FALSE]
  given <- paste(names(x$evidence), "=", vapply(x$evidence, format, ""), recycle0 = TRUE)
  c(
    cli::style_bold(cli::format_inline("Exact posterior of {first_few(nodes)}")),
    format_facts(c(given = if (length(given)) first_few(given), set = format_do(x))),
    printed(cbind(mean = x$mean, sd = sd)[shown, , drop = FALSE], digits),
    if (length(shown) > 1L) c("", "correlations", printed(zapsmall(correlation, digits), digits)),
    if (more > 0L) cli::format_inline("and {more} more node{?s}")
  )
}

printed <- function(x, digits) utils::capture.output(print(x, digits = digits))

#' @rdname optbn_compiled_gaussian
#' @export
print.optbn_gaussian_posterior <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
