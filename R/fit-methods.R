# Methods of a fitted network: what it says of itself, of data, and what it
# predicts.

#' Methods for Fitted Networks
#'
#' @param x,object A fitted network from [fit_network()].
#' @param newdata `NULL`, for the data that the network was fitted to; or a data frame, as
#'   [log_density()] takes it. Missing values are treated as there.
#' @param ... Ignored.
#'
#' @return
#' * `print()` returns `x` invisibly; `format()` what it prints, a character vector with one element
#'   a line.
#' * `summary()`: an object of class `summary.optbn_fit`, that prints one line a node; its component
#'   `nodes` is a data frame with the columns `node`, `parents` (how many), `model` (its kind),
#'   `parameters` (how many are free) and `log_likelihood`.
#' * `coef()`: a list with one element a node: the array of conditional probabilities of a discrete
#'   node; the coefficients of a continuous one, a matrix with a column per configuration where it
#'   has discrete parents.
#' * `logLik()`: an object of class `logLik`, the natural logarithm of the density of the data, with
#'   attributes `df` (the number of free parameters) and `nobs` (rows, or the sum of the weights);
#'   `-Inf` if the network gives a row probability 0; `NA` if it has no answer for a row with
#'   missing values, which trees over continuous nodes do not sum out.
#' * `nobs()`: the number of rows that the network was fitted to, or the sum of their weights.
#'
#' A fit that was changed answers as changed; one that does not hold together any more is an error
#' of class `optbn_error_model`, of every verb.
#'
#' @section Information Criteria:
#' [stats::BIC()] and [stats::AIC()] work on a fitted network and have R's sign: minus twice the
#' log-likelihood plus a penalty, smaller is better. The scores of this package, and
#' bnlearn's functions of the same names, are \eqn{-1/2} times that: larger is better. Under
#' `method = "mle"`, `BIC(fit)` is therefore `-2 * score_network(network, data, "bic")`.
#'
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Sepal.Length|Petal.Length]", iris)
#' logLik(fit)
#' BIC(fit)
#' summary(fit)
#' coef(fit)$Petal.Length
#' logLik(fit, newdata = iris[1:10, ])
#' @name optbn_fit-methods
#' @importFrom stats coef logLik nobs predict simulate
NULL

#' @rdname optbn_fit-methods
#' @export
format.optbn_fit <- function(x, ...) {
  check_sound(x)
  c(format_fit_heading(x), format_models(x$models))
}

format_fit_heading <- function(fit) {
  arcs <- sum(lengths(fit$parents))
  likelihood <- total_log_likelihood(fit)
  of <- "log-likelihood"
  if (is.na(likelihood)) {
    likelihood <- sum(fit$log_likelihood)
    of <- "log-likelihood of the completed rows"
  }
  c(
    cli::style_bold(cli::format_inline(
      "Fitted Bayesian network with {length(fit$nodes)} node{?s} and {arcs} arc{?s}"
    )),
    format_facts(c(
      set = format_do(fit),
      data = paste(format(fit$n), if (fit$n == 1) "row" else "rows"),
      method = format_fit_method(fit),
      fit = paste(of, format(likelihood, digits = 7), "with", format(count_parameters(fit)),
                  "free parameters")
    ))
  )
}

format_fit_method <- function(fit) {
  continuous <- vapply(fit$levels, is.null, NA)
  if (!is.null(fit$score)) {
    regions <- if (is_tree_score(fit$score)) "trees" else "discretised tables"
    leaves <- switch(fit$method, bayes = "posterior predictive", mle = "maximum likelihood",
                     em = format_em(fit))
    return(paste0(regions, " (", fit$score$label, "), ", leaves))
  }
  if (fit$method == "em") return(format_em(fit))
  tables <- if (fit$method == "bayes") {
    paste0("posterior mean (iss = ", format(fit$iss), ")")
  } else {
    "maximum likelihood"
  }
  paste(c(if (!all(continuous)) tables, if (any(continuous)) "least squares"), collapse = ", ")
}

format_em <- function(fit) {
  by_draws <- is_by_draws(fit$em)
  steps <- nrow(fit$em$trace) - !by_draws
  paste0("expectation maximisation", if (by_draws) " by draws", ", ", steps,
         if (by_draws) " sweep" else " iteration", if (steps != 1L) "s",
         if (isFALSE(fit$em$converged)) " (not converged)", "; ", format_count(fit$em$missing),
         " of ", format_count(fit$n * length(fit$nodes)), " values missing")
}

# One line a node, of the first twenty.
format_models <- function(models, most = 20L) {
  shown <- models[seq_len(min(length(models), most))]
  heads <- vapply(shown, function(model) conditional(model$node, model$parents), "")
  lines <- paste0("  ", formatC(heads, width = -max(nchar(heads))), "  ",
                  vapply(shown, format, ""))
  more <- length(models) - length(shown)
  c(lines, if (more > 0L) cli::format_inline("  and {more} more node{?s}"))
}

#' @rdname optbn_fit-methods
#' @export
print.optbn_fit <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @rdname optbn_fit-methods
#' @export
summary.optbn_fit <- function(object, ...) {
  check_sound(object)
  nodes <- data.frame(
    node = object$nodes,
    parents = unname(lengths(object$parents)),
    model = sub("optbn_", "", vapply(object$models, function(model) class(model)[1L], ""),
                fixed = TRUE),
    parameters = vapply(object$models, local_parameters, 0, USE.NAMES = FALSE),
    log_likelihood = unname(object$log_likelihood)
  )
  structure(list(nodes = nodes, heading = format_fit_heading(object)),
            class = "summary.optbn_fit")
}

#' @export
print.summary.optbn_fit <- function(x, ...) {
  tell_answer(x, {
    cat(x$heading, "", sep = "\n")
    print(x$nodes, row.names = FALSE)
  })
  invisible(x)
}

#' @rdname optbn_fit-methods
#' @export
coef.optbn_fit <- function(object, ...) lapply(check_sound(object)$models, coef)

#' @rdname optbn_fit-methods
#' @export
logLik.optbn_fit <- function(object, newdata = NULL, ...) {
  check_sound(object)
  if (is.null(newdata)) {
    value <- total_log_likelihood(object)
    if (is.na(value)) announce_no_likelihood()
    n <- object$n
  } else {
    value <- sum(row_log_densities(object, newdata, "newdata", NULL, rlang::current_env()))
    n <- nrow(newdata)
  }
  structure(value, df = count_parameters(object), nobs = n, class = "logLik")
}

count_parameters <- function(fit) sum(vapply(fit$models, local_parameters, 0))

# Of the data that a fit was made from, as far as they were known. NA where draws completed them.
total_log_likelihood <- function(fit) {
  if (is.null(fit$em) || length(fit[["do"]])) return(sum(fit$log_likelihood))
  if (!is_by_draws(fit$em)) return(utils::tail(fit$em$trace$log_likelihood, 1L))
  if (fit$em$missing > 0) NA_real_ else sum(fit$log_likelihood)
}

is_by_draws <- function(em) !is.null(em$trace$completed)

announce_no_likelihood <- function() {
  announce(c("The log-likelihood is NA: trees over continuous nodes do not sum missing values out.",
             i = "That of the rows as draws completed them is {.code sum(fit$log_likelihood)}."))
}

#' @rdname optbn_fit-methods
#' @export
nobs.optbn_fit <- function(object, ...) check_sound(object)$n

# ---- new data -----------------------------------------------------------------------------------

# The columns of `needed` nodes, coded as the fit's own data were. They must be
# complete. `arg`: what the caller's user knows `newdata` as.
encode_newdata <- function(fit, newdata, needed, arg = "newdata", call = rlang::caller_env()) {
  check_newdata(newdata, needed, arg, call)
  columns <- lapply(needed, function(node) {
    encode_column(newdata[[node]], node, fit$levels[[node]], arg, call)
  })
  rlang::set_names(columns, needed)
}

check_newdata <- function(newdata, needed, arg, call) {
  if (!is.data.frame(newdata)) {
    abort_optbn("argument",
                c("{.arg {arg}} must be a data frame.", x = "It is {describe(newdata)}."),
                call = call)
  }
  missing <- setdiff(needed, names(newdata))
  if (length(missing)) {
    abort_optbn("data",
                c("{.arg {arg}} must have the {cli::qty(needed)}column{?s} {.val {needed}}.",
                  x = "Column{?s} {.val {missing}} {?is/are} missing."),
                call = call)
  }
  check_usable_columns(newdata, needed, arg, call)
}

check_usable_columns <- function(data, columns, arg, call) {
  check_sound_columns(data, columns, arg, call)
  usable_types(data, call, columns, arg)
}

encode_column <- function(column, node, levels, arg, call) {
  continuous <- is.null(levels)
  if (continuous && !is.numeric(column)) abort_not_numeric(column, node, arg, call)
  unusable <- which(is.na(column) | is.infinite(column))
  if (length(unusable)) {
    abort_optbn("data",
                c("Column {.val {node}} of {.arg {arg}} must be complete and finite.",
                  x = "Row {unusable[1L]} holds {column[unusable[1L]]}."),
                call = call)
  }
  if (continuous) return(as.double(column))
  labels <- unique(column)
  known <- match(as.character(labels), levels)
  unknown <- as.character(labels[is.na(known)])
  if (length(unknown)) {
    abort_optbn("data",
                c("Column {.val {node}} of {.arg {arg}} must have levels that the model knows.",
                  x = "It has the level{?s} {.val {unknown}}.",
                  i = paste("The model knows {.val {levels}}. Levels that {.fn factor} declares",
                            "before learning are known even if no row has them.")),
                call = call)
  }
  known[match(column, labels)] - 1L
}

abort_not_numeric <- function(column, node, arg, call) {
  abort_optbn("data",
              c("Column {.val {node}} of {.arg {arg}} must be numeric.",
                x = "It is {describe(column)}."),
              call = call)
}

# The other way: coded values of a node as a column of the type and the levels
# that it had in the data.
decode_column <- function(fit, node, values) {
  levels <- fit$levels[[node]]
  if (is.null(levels)) return(values)
  column <- fit$prototype[[node]]
  if (is.character(column)) return(levels[values + 1L])
  if (is.logical(column)) return(as.logical(levels[values + 1L]))
  if (is.numeric(column)) return(as.integer(levels[values + 1L]))
  as_levels(fit, node, values)
}

# Not by factor(), which takes NA for no level, even where addNA() has made it one.
as_levels <- function(fit, node, values, levels = fit$levels[[node]]) {
  ordered <- is.ordered(fit$prototype[[node]])
  structure(as.integer(values) + 1L, levels = levels,
            class = c(if (ordered) "ordered", "factor"))
}

# ---- simulation ---------------------------------------------------------------------------------

#' Simulate From a Fitted Network
#'
#' Draws rows from the joint distribution of a fitted network by ancestral sampling: every node
#' from its local model, its parents first. With evidence, which needs a discrete or a Gaussian
#' network, rows are drawn from the exact posterior instead, as
#' [simulate.optbn_compiled_network()], [simulate.optbn_compiled_gaussian()] and
#' [simulate.optbn_compiled_mixed()] do. With `do`, rows
#' are those of the network under an intervention.
#'
#' @param object A fitted network from [fit_network()].
#' @param nsim The number of rows, a whole number.
#' @param seed `NULL`, to go on with R's random numbers as they are; or a number for [set.seed()],
#'   after which the state of the generator is what it was before.
#' @param evidence What is known, as in [query()].
#' @param memory_limit How many bytes the rows may take; by default three quarters of the memory
#'   that is free. `optbn_error_memory` says before any work that they would take more.
#' @param do What is set from outside, as [intervene()] takes it.
#' @param ... Ignored.
#'
#' @return A data frame with `nsim` rows and one column per node, in the order of the nodes and of
#'   the types that the columns of the training data had: the same levels in the same order. (A
#'   column of whole numbers that was fitted as continuous comes back as numeric.) As with
#'   [stats::simulate()], its attribute `seed` holds what is needed to draw it again.
#'
#' @source Henrion, M. (1988). Propagating uncertainty in Bayesian networks by probabilistic logic
#'   sampling. *Uncertainty in Artificial Intelligence 2*, 149-163.
#'   \doi{10.1016/B978-0-444-70396-5.50019-4}
#'
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' drawn <- simulate(fit, nsim = 5, seed = 1)
#' drawn
#' @export
simulate.optbn_fit <- function(object, nsim = 1, seed = NULL, evidence = list(),
                               memory_limit = NULL, do = list(), ...) {
  check_sound(object)
  object <- under_intervention(object, do, evidence)
  if (length(evidence)) {
    return(simulate(compile_for(object), nsim, seed, evidence = evidence,
                    memory_limit = memory_limit))
  }
  rows <- check_simulated_rows(nsim, object, memory_limit)
  state <- random_state()
  values <- with_seed(seed, draw_values(object, rows))
  drawn <- lapply(object$nodes, function(node) decode_column(object, node, values[[node]]))
  names(drawn) <- object$nodes
  origin <- if (is.null(seed)) state else structure(seed, kind = as.list(RNGkind()))
  structure(list2DF(drawn, rows), seed = origin)
}

# The number of rows to draw. Each value is coded once and decoded once, of 4 or 8 bytes.
check_simulated_rows <- function(nsim, model, memory_limit, call = rlang::caller_env()) {
  rows <- check_count(nsim, "nsim", call = call)
  require_memory(16 * rows * length(model$nodes), check_memory_limit(memory_limit, call),
                 "Lower {.arg nsim}", call)
  rows
}

# Coded columns by node.
draw_values <- function(fit, rows) {
  values <- list()
  for (i in topological_order(lapply(fit$parents, match, fit$nodes))) {
    values[[fit$nodes[i]]] <- local_simulate(fit$models[[i]], values, rows)
  }
  values
}

random_state <- function() {
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1)
  get(".Random.seed", globalenv(), inherits = FALSE)
}

# Evaluates `code` after set.seed(), and leaves the generator as it was; with R's
# random numbers as they are when `seed` is NULL.
with_seed <- function(seed, code, call = rlang::caller_env()) {
  if (is.null(seed)) return(code)
  most <- .Machine$integer.max
  seed <- check_number(seed, "seed", minimum = -most, maximum = most, call = call)
  with_random_state(random_state(), {
    set.seed(seed)
    code
  })
}

# Evaluates `code` with R's generator in a state, which tells its kind too, and leaves it as it was.
with_random_state <- function(state, code) {
  before <- random_state()
  on.exit(assign(".Random.seed", before, envir = globalenv()))
  assign(".Random.seed", state, envir = globalenv())
  code
}

# ---- prediction ---------------------------------------------------------------------------------

#' Predict a Node From the Others
#'
#' The exact posterior of one node given the other columns, which by the Markov property is the
#' posterior given the node's Markov blanket: its parents, its children, and their other parents.
#'
#' @param object A fitted network from [fit_network()].
#' @param newdata A data frame with columns of the nodes, in any order; see *Missing Values*. Where
#'   the Markov blanket is known in all rows, other columns are not looked at. That of `node` itself
#'   is looked at for `type = "density"` only.
#' @param node The name of the node to predict. It may be left out if [learn_classifier()] learned
#'   the network: its class.
#' @param type What to return, see *Value*.
#' @param na_level If `node` is discrete and has a level `NA`, as [addNA()] makes it: may that level
#'   be predicted? By default it may not: the posterior is the one given that the node has one of
#'   its other levels. (If it has none, `NA` is predicted all the same.)
#' @param ... Ignored.
#'
#' @section Missing Values:
#' A column that is not there is the same as a column of `NA`. In networks of tables and linear
#' regressions (discrete, Gaussian and conditional Gaussian ones), and of trees of discrete nodes,
#' missing values are summed out: all columns that are nodes are evidence, as far as they are known.
#' Of a continuous node with missing discrete ancestors the posterior is a mixture of normal
#' distributions, whose mean and standard deviation are returned. Nodes of which nothing is known,
#' nor of any of their descendants, say nothing of the others and are left out (Shachter 1986): a
#' naive Bayes classifier answers whatever features a row has. Networks of trees over continuous
#' nodes sum out discrete nodes around the predicted one, if these have at most 4,096 configurations
#' together and no continuous one is missing among them. Then the answer is exact; the other rows
#' give `NA`, and one message says how many they are. (So do rows of conditional Gaussian networks
#' beyond the memory that is free.)
#'
#' In a factor with a level `NA`, as [addNA()] makes it, `NA` is that level, and evidence like any
#' other, if the network knows it; in every other column it is a missing value.
#'
#' @details
#' For a discrete node, the probability of each level is proportional to its probability in the
#' node's own table times the densities of the node's children, tables and regressions
#' alike, computed in logarithms. For a continuous node, whose children are linear in it, the
#' posterior is normal, and the precisions of the node's own regression and of its
#' children's add up.
#'
#' A tree or a discretised table in which the node is a parent changes its answer at some values of
#' the node only. The posterior of a continuous node among trees is therefore its own distribution,
#' Student t or normal, cut at these values into pieces of known weight, and `mean` and `sd` are
#' exact sums over the pieces. A Student t of at most 2 degrees of freedom has an infinite `sd`; of
#' at most 1, as an empty leaf has by default, no mean: the median is returned in its place. Values
#' outside the range that a tree divides count as the nearest inside it, and a message says so.
#'
#' This is not what bnlearn's `predict()` does by default: that uses the node's parents only.
#'
#' @return One element or row for each row of `newdata`:
#' * `"response"`: for a discrete node a factor, the most probable level (the first one of
#'   several); for a continuous node a numeric vector, the mean.
#' * `"prob"`, for a discrete node: a matrix of probabilities with a column per level (that of a
#'   level `NA` if `na_level = TRUE` only).
#' * `"distribution"`, for a continuous node: a data frame with columns `mean` and `sd`.
#' * `"density"`: the posterior probability, or density, of the node's own value in `newdata`; `NA`
#'   where that is missing.
#'
#' Rows whose Markov blanket the network holds to be impossible, which can occur after
#' `method = "mle"`, give `NA`, and a message says so.
#'
#' @section Errors:
#' `optbn_error_data` if a column of the Markov blanket has a level that the network does not know,
#' is not numeric where the node is, or holds infinite numbers; `optbn_error_argument` for a
#' malformed argument.
#'
#' @source Pearl, J. (1987). Evidential reasoning using stochastic simulation of causal models.
#'   *Artificial Intelligence* 32, 245-257. \doi{10.1016/0004-3702(87)90012-9}
#'
#'   Shachter, R. D. (1986). Evaluating influence diagrams. *Operations Research* 34, 871-882.
#'   \doi{10.1287/opre.34.6.871}
#'
#' @examples
#' fit <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
#' table(iris$Species, predict(fit, iris, "Species"))
#' head(predict(fit, iris, "Species", type = "prob"))
#' head(predict(fit, iris, "Petal.Length", type = "distribution"))
#' # without Petal.Width
#' predict(fit, iris[c(1, 51, 101), c("Species", "Petal.Length")], "Species", type = "prob")
#' @export
predict.optbn_fit <- function(object, newdata, node = NULL,
                              type = c("response", "prob", "distribution", "density"),
                              na_level = FALSE, ...) {
  require_arguments()
  check_sound(object)
  if (is.null(node)) node <- class_of(object)
  node <- check_node(node, object)
  levels <- object$levels[[node]]
  type <- check_prediction_type(type, node, levels)
  check_flag(na_level, "na_level")
  call <- rlang::current_env()
  if (node %in% names(held_numbers(object))) return(predict_held(object, newdata, node, type))
  newdata <- as_held(newdata, object, "newdata", call)
  own <- if (type == "density") node
  factors <- models_with(node, object$models)
  blanket <- setdiff(nodes_in(factors), node)
  values <- encode_partial(object, newdata, "newdata", call, c(blanket, own))
  if (has_gaps(values[blanket])) {
    compiled <- compile_where_exact(object, call)
    if (!is.null(compiled)) return(predict(compiled, newdata, node, type, na_level = na_level))
    values <- encode_partial(object, newdata, "newdata", call, c(setdiff(object$nodes, node), own))
    posterior <- posterior_of_gaps(object, node, values, nrow(newdata), type, call)
    if (!is.null(posterior)) {
      return(predicted(posterior, object, node, type, values[[node]], na_level))
    }
  }
  announce_outside(factors, values)
  posterior <- answer_known_rows(object, values, nrow(newdata), node,
                                 function(factors, values, rows) {
    blanket_posterior(node, levels, factors, values, rows, type)
  }, sum_out = function(models, values, rows, known) {
    summed_posterior(object, node, models, values, rows, setdiff(known, node), type)
  })
  predicted(posterior, object, node, type, values[[node]], na_level)
}

# What was asked of the posterior. `own`: the node's own values, coded.
predicted <- function(posterior, fit, node, type, own, na_level) {
  if (!is.null(fit$levels[[node]])) {
    return(predict_level(posterior, fit, node, type, own, na_level))
  }
  posterior <- as.data.frame(without_impossible(posterior))
  switch(type, response = posterior$mean, distribution = posterior, density = posterior$density)
}

# `levels` are those of the node, NULL of a continuous one.
check_prediction_type <- function(type, node, levels, call = rlang::caller_env()) {
  type <- check_choice(type, c("response", "prob", "distribution", "density"), "type", call)
  whole <- if (is.null(levels)) "distribution" else "prob"
  if (!type %in% c("response", whole, "density")) {
    kind <- if (is.null(levels)) "continuous" else "discrete"
    abort_optbn("argument",
                c("{.arg type} must be {.or {.val {c('response', whole, 'density')}}}.",
                  x = "Node {.val {node}} is {kind}."),
                call = call)
  }
  type
}

# `factors` are the local models in which the node appears. A column for each level of a discrete
# node; of a continuous one its mean and standard deviation, or the density of its own value if
# `type` asks for that. NaN where the row is impossible.
blanket_posterior <- function(node, levels, factors, values, rows, type) {
  if (!is.null(levels)) return(discrete_posterior(node, levels, factors, values, rows))
  divided <- inherits(factors[[node]], "optbn_partition")
  if (divided && type == "density") {
    log_density <- partition_posterior_log_density(node, factors, values, rows, values[[node]])
    return(cbind(density = exp(log_density)))
  }
  posterior_of <- if (divided) partition_posterior else normal_posterior
  posterior <- posterior_of(node, factors, values, rows)
  if (type != "density") return(posterior)
  cbind(density = stats::dnorm(values[[node]], posterior$mean, posterior$sd))
}

# Weights are taken relative to the largest of the row before they leave logarithms.
discrete_posterior <- function(node, levels, factors, values, rows) {
  log_weights <- lapply(seq_along(levels) - 1L, function(code) {
    values[[node]] <- rep(code, rows)
    Reduce(`+`, lapply(factors, local_log_density, values))
  })
  largest <- do.call(pmax, log_weights)
  weights <- vapply(log_weights, function(w) exp(w - largest), numeric(rows))
  weights <- matrix(weights, rows, length(levels), dimnames = list(NULL, levels))
  weights / rowSums(weights)
}

normal_posterior <- function(node, factors, values, rows) {
  information <- lapply(factors, local_information, values, node, rows)
  precision <- Reduce(`+`, lapply(information, `[[`, "precision"))
  linear <- Reduce(`+`, lapply(information, `[[`, "linear"))
  data.frame(mean = unname(linear / precision), sd = unname(1 / sqrt(precision)))
}
