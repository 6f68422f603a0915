# Methods of a fitted network: what it says of itself, of data, and what it
# predicts.

#' Methods for Fitted Networks
#'
#' Print a fitted network, and return its coefficients, its log-likelihood and its number of rows.
#'
#' @param x,object A fitted network from [fit_network()].
#' @param newdata `NULL` for the data to which the network was fitted, or a data frame as in
#'   [log_density()], which also describes the treatment of missing values.
#' @param ... Ignored.
#'
#' @return
#' * `print()` returns `x` invisibly. `format()` returns the printed text, a character vector with
#'   one element per line.
#' * `summary()`: an object of class `summary.optbn_fit` that prints one line per node. Its
#'   component `nodes` is a data frame with the columns `node`, `parents` (their number), `model`
#'   (the kind of local model), `parameters` (the number of free parameters) and `log_likelihood`.
#' * `coef()`: a list with one element per node: for a discrete node the array of conditional
#'   probabilities, for a continuous one the coefficients (a matrix with a column per configuration
#'   if it has discrete parents).
#' * `logLik()`: an object of class `logLik`, the log-likelihood of the data (natural logarithm),
#'   with attributes `df` (the number of free parameters) and `nobs` (the number of rows, or the sum
#'   of the weights). It is `-Inf` if the network gives a row probability 0, and `NA` if a row has
#'   missing values that the network cannot sum out (in trees over continuous nodes).
#' * `nobs()`: the number of rows to which the network was fitted, or the sum of their weights.
#'
#' If you change a fit, the methods use the changed values. An inconsistent fit gives an error of
#' class `optbn_error_model` in all methods.
#'
#' @section Information Criteria: [stats::BIC()] and [stats::AIC()] accept a fitted network and have
#'   R's sign: minus twice the log-likelihood plus a penalty; smaller is better. The scores of this
#'   package, and bnlearn's functions of the same names, are \eqn{-1/2} times these values; larger
#'   is better. With `method = "mle"`, `BIC(fit)` of a discrete network is therefore
#'   `-2 * score_network(network, data, "bic")`.
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
    value <- sum(row_log_densities(object, newdata, "newdata", NULL, environment()))
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
  announce(c(paste("The log-likelihood is NA: trees over continuous nodes cannot sum over missing",
                   "values."),
             i = "That of the rows completed by draws is {.code sum(fit$log_likelihood)}."))
}

#' @rdname optbn_fit-methods
#' @export
nobs.optbn_fit <- function(object, ...) check_sound(object)$n

# ---- new data -----------------------------------------------------------------------------------

# The columns of `needed` nodes, coded as the fit's own data were. They must be
# complete. `arg`: what the caller's user knows `newdata` as.
encode_newdata <- function(fit, newdata, needed, arg = "newdata", call = parent.frame()) {
  check_newdata(newdata, needed, arg, call)
  columns <- lapply(needed, function(node) {
    encode_column(newdata[[node]], node, fit$levels[[node]], arg, call)
  })
  set_names(columns, needed)
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
                c("Column {.val {node}} of {.arg {arg}} must have only levels of the model.",
                  x = "It has the level{?s} {.val {unknown}}.",
                  i = paste("The model has {.val {levels}}. Levels that {.fn factor} declares",
                            "before learning are included even if no row has them.")),
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
#' Draws rows from the joint distribution of a fitted network by ancestral sampling: it draws every
#' node from its local model after its parents. With evidence, it draws rows from the exact
#' posterior instead, like [simulate.optbn_compiled_network()], [simulate.optbn_compiled_gaussian()]
#' and [simulate.optbn_compiled_mixed()]; this needs a network that can be compiled. With `do`, it
#' draws rows from the network under an intervention.
#'
#' @param object A fitted network from [fit_network()].
#' @param nsim The number of rows, a whole number.
#' @param seed `NULL` to continue R's random number stream, or a number for [set.seed()]. In the
#'   second case the state of the generator is restored afterwards.
#' @param evidence The observed values, as in [query()].
#' @param memory_limit The largest number of bytes for the rows; by default three quarters of the
#'   free memory. If the rows need more, `optbn_error_memory` is raised before the computation.
#' @param do The values set by an intervention, as in [intervene()].
#' @param ... Ignored.
#'
#' @return A data frame with `nsim` rows and one column per node, in the order of the nodes. The
#'   columns have the types of the training data, with the same levels in the same order. (A column
#'   of whole numbers that was fitted as continuous is returned as numeric.) As with
#'   [stats::simulate()], the attribute `seed` allows you to draw the same rows again.
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
check_simulated_rows <- function(nsim, model, memory_limit, call = parent.frame()) {
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
with_seed <- function(seed, code, call = parent.frame()) {
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
#' Computes the exact posterior of one node given the other columns. It depends only on the node's
#' Markov blanket: its parents, its children, and the other parents of its children.
#'
#' @param object A fitted network from [fit_network()].
#' @param newdata A data frame with columns of the nodes, in any order; see *Missing Values*. If the
#'   Markov blanket is observed in all rows, other columns are ignored. The column of `node` itself
#'   is used only for `type = "density"`.
#' @param node The name of the node to predict. The default for a network from [learn_classifier()]
#'   is its class.
#' @param type What to return, see *Value*.
#' @param na_level If `node` is discrete and has a level `NA`, as made by [addNA()]: may that level
#'   be predicted? By default it may not, and the posterior is conditional on the other levels. (If
#'   there are no other levels, `NA` is predicted.)
#' @param ... Ignored.
#'
#' @section Missing Values:
#' A missing column is the same as a column of `NA`. Networks of tables and linear regressions
#' (discrete, Gaussian and conditional Gaussian ones), and of trees over discrete nodes, sum missing
#' values out: all observed columns that are nodes are evidence. If a continuous node has missing
#' discrete ancestors, its posterior is a mixture of normal distributions, whose mean and standard
#' deviation are returned. Unobserved nodes without observed descendants are irrelevant and are left
#' out (Shachter 1986). A naive Bayes classifier therefore predicts from any subset of the features.
#' Networks of trees over continuous nodes sum out discrete nodes around the predicted one if these
#' have at most 4,096 joint configurations and no continuous one is missing among them. The
#' prediction is then exact. All other rows give `NA`, and one message reports their number. (The
#' same holds for rows of conditional Gaussian networks that would need more than the free memory.)
#'
#' If a factor has a level `NA`, as made by [addNA()], and the network has this level, `NA` is
#' evidence like any other level. In all other columns `NA` is a missing value.
#'
#' @details
#' For a discrete node, the probability of each level is proportional to its probability in the
#' node's table times the densities of the node's children (tables and regressions), computed in
#' logarithms. For a continuous node whose children are linear in it, the posterior is normal, and
#' the precisions of the node's regression and of its children's add up.
#'
#' If the node is a parent in a tree or a discretised table, that local model changes only at some
#' values of the node. The posterior of a continuous node among trees is therefore its own
#' distribution (Student t or normal), cut at these values into pieces of known weight. `mean` and
#' `sd` are exact sums over the pieces. A Student t distribution with at most 2 degrees of freedom
#' has an infinite `sd`. With at most 1 degree of freedom, as in an empty leaf by default, it has no
#' mean, and the median is returned instead. Values outside the range of a tree count as the nearest
#' value inside, and a message reports this.
#'
#' By default, bnlearn's `predict()` differs: it uses only the node's parents.
#'
#' @return One element or row for each row of `newdata`:
#' * `"response"`: for a discrete node a factor, the most probable level (the first one if several
#'   are); for a continuous node a numeric vector, the mean.
#' * `"prob"`, for a discrete node: a matrix of probabilities with a column per level (the level
#'   `NA` is included only if `na_level = TRUE`).
#' * `"distribution"`, for a continuous node: a data frame with columns `mean` and `sd`.
#' * `"density"`: the posterior probability, or density, of the node's own value in `newdata`; `NA`
#'   if the value is missing.
#'
#' If the Markov blanket of a row has probability zero, which can occur after `method = "mle"`, the
#' prediction is `NA`, and a message reports this.
#'
#' @section Errors: `optbn_error_data` if a column of the Markov blanket has a level that the
#'   network does not have, is not numeric although the node is, or contains infinite numbers;
#'   `optbn_error_argument` for a malformed argument.
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
  call <- environment()
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
check_prediction_type <- function(type, node, levels, call = parent.frame()) {
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
