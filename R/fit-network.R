# From a structure to parameters: fit_network() and the local models it makes.
#
# A local model is the distribution of one node given its parents: an S3
# object of class c("optbn_<kind>", "optbn_local") with at least `node`,
# `parents` (names) and `remarks` (what the data left open, see below). A new
# kind needs a constructor that fit_local_model() calls, methods for format()
# and coef(), and methods for
#   local_parameters()      the number of free parameters
#   local_log_density()     natural log, one number a row
#   local_simulate()        draws of the node, given its parents
#   local_information()     how a continuous node enters the density: as a normal factor
#   local_levels()          level labels of the node and its parents
#   local_distribution()    the distribution of the node, row by row
#   print_parameters()      what print() shows below the heading
#   bnlearn_distribution()  what bnlearn's custom.fit() takes, if it can express the kind
# Their argument `values` is a named list of columns, coded as encode_data()
# does: whole numbers from 0 for a discrete node, doubles for a continuous one.

#' Fit the Parameters of a Network
#'
#' Estimates, for every node of a network, its distribution given its parents: a table of
#' conditional probabilities for a discrete node, a linear regression for a continuous one, and one
#' regression per configuration of the discrete parents if it has some (conditional Gaussian).
#' Layout and numbers are those of `bn.fit()` in package bnlearn, which need not be installed.
#'
#' @param network The structure: a network from [learn_dag()], an object of class `bn`, a model
#'   string such as `"[A][B|A]"`, or an adjacency matrix (row `i`, column `j` is 1 for an arc from
#'   `i` to `j`) with node names as its dimnames. Or a dynamic network from [learn_dynamic()], with
#'   series as `data`: see [optbn_dynamic_fit].
#' @param data A data frame with one column per node, in any order. Columns that are not nodes are
#'   ignored. Factors, character and logical columns are discrete, numeric ones (integer too)
#'   continuous. A matrix, or a table in a database, is possible as in [parent_sets()].
#' @param iss The imaginary sample size of the uniform prior, in rows: a number above 0 for
#'   `method = "bayes"`. For `"em"` it may be 0, which means maximum likelihood. Not used by
#'   `"mle"`, nor for trees and discretised tables.
#' @param method How tables are estimated. `"bayes"`: the posterior mean under a uniform Dirichlet
#'   prior of `iss` rows (the prior of the BDeu score): with \eqn{r} levels, \eqn{q} parent
#'   configurations and counts \eqn{n_{jk}} it is
#'   \eqn{(n_{jk} + iss / (rq)) / (n_j + iss / q)}{(n_jk + iss / (r q)) / (n_j + iss / q)}.
#'   `"mle"`: the proportions \eqn{n_{jk} / n_j}{n_jk / n_j}. Regressions are least squares
#'   under both. `"em"`: for data with missing values, see *Missing Values*.
#' @param weights `NULL`, or the number of times each row counts: numbers of at least 0, whole ones
#'   for `method = "em"`. For a table in a database, the name of the column with the row counts.
#' @param targets `NULL`, or the nodes that were set from outside in each row, in one of the forms
#'   of [parent_sets()]. A node's parameters are estimated from the rows in which it was not set.
#'   Not for `method = "em"`.
#' @param score The score whose local models to fit: one of [score_pcart()] and [score_ft()], or its
#'   label, for trees and discretised tables; any other score for tables and regressions. `NULL`
#'   means the score with which the network was learned.
#' @param leaf The distribution of a continuous node in a region of a tree or discretised table
#'   under `method = "bayes"` and `"em"`: `"student"`, the posterior predictive Student t
#'   distribution; `"normal"`, a normal distribution with the posterior mean and the reciprocal of
#'   the posterior mean precision as its variance. (bnlearn can express the latter if all parents
#'   are discrete.)
#' @param memory_limit The largest number of bytes; `NULL` means three quarters of the free memory.
#'   It decides whether the rows of a table in a database are fetched.
#' @param tolerance For `method = "em"`: iterations end when one raises the objective by less than
#'   this number per row. Draws end after a fixed number of sweeps.
#' @param progress For `method = "em"`: show a progress bar?
#'
#' @section Missing Values:
#' `method = "em"` is expectation-maximisation (Dempster, Laird & Rubin 1977). Each iteration
#' computes the exact expected counts of every table, and the expected moments of every regression,
#' given the present parameters (Lauritzen 1995). The parameters that fit these best are the next.
#' No value is imputed. The missing values of a row form *islands* that are independent given the
#' observed values; rows with the same island need one query. The objective, the log-likelihood of
#' the observed values plus \eqn{\sum iss / (rq) \log \theta} over the cells of the tables, never
#' falls. If values are missing at random, that is, for reasons that other columns explain, the
#' likelihood does not depend on these reasons.
#'
#' Iterations begin with each node's parameters from the rows in which the node and its parents are
#' observed, with one imaginary row. They end by `tolerance`, or after 1,000. The objective may have
#' several local maxima; the result is one near this start. Variances are those of maximum
#' likelihood, \eqn{RSS / n}, and at least 1e-8 times that of the column; a configuration of the
#' discrete parents with at most \eqn{p + 1} rows in which the family is observed keeps the
#' regression of all such rows. The element `em` of the result is a list with `trace` (a data frame:
#' `log_likelihood` and `objective` before each iteration, and at the end), `converged`, and
#' `missing`, the number of missing values. The element `log_likelihood` contains the expected
#' values, by node, and [logLik()] returns the log-likelihood of the observed values.
#'
#' Rows that lack continuous values and many discrete ones can have too many configurations of the
#' latter (more than 65,536 in one island). The error is then `optbn_error_memory`.
#'
#' Trees and discretised tables of discrete nodes are fitted by the same exact iterations, with one
#' distribution in each region. If some nodes are continuous, sums over trees are not exact, and
#' expectations are computed *by draws* (stochastic approximation EM; Delyon, Lavielle & Moulines
#' 1999). Each row with missing values is represented by 5 completed copies that share its weight
#' (fewer if there are many rows). A sweep draws each missing value from its exact distribution
#' given the others of its row, and the next parameters are those of the completed rows. Of 50
#' sweeps the first 20 are discarded, and the counts of the other 30 are averaged. During the
#' sweeps, regions have normal distributions whatever the value of `leaf`, because a Student t
#' distribution of few rows has no variance. Results vary with the seed ([set.seed()]) by a small
#' Monte Carlo error. `em$trace` has `completed`, the log-likelihood of the completed rows at each
#' sweep under normal regions, and `converged` is `NA`. The log-likelihood of the observed values is
#' not available: [logLik()] is `NA`, and the element `log_likelihood` is that of the rows completed
#' by the last sweep.
#'
#' Regions are those of the network. Trees and discretised tables that the network does not have are
#' learned from the rows in which the node and its parents are observed, and again from the
#' completed rows after 5, 10 and 15 sweeps.
#'
#' @details
#' A network learned with [score_pcart()] or [score_ft()] from data keeps its trees, or the cuts of
#' its tables, and `data` then fit their leaves only. A node whose parents were changed since, and
#' every node of a network from elsewhere, gets the tree (or the cuts) with the highest score on
#' `data`. Prior and standardisation are those of the score: `method = "bayes"` gives the posterior
#' predictive distributions (`iss` is not used), `"mle"` gives proportions, and normal distributions
#' with the regions' means and standard deviations.
#'
#' A regression has the residual standard deviation \eqn{\sqrt{RSS / (n - p - 1)}}{sqrt(RSS / (n -
#' p - 1))} for \eqn{n} rows and \eqn{p} continuous parents.
#'
#' Some data do not determine all parameters. So that every fitted network can be simulated, queried
#' and converted, these parameters get the following values, and one message names the nodes:
#' * under `"mle"`, a parent configuration of a table that occurs in no row gets the uniform
#'   distribution (under `"bayes"` that is the prior mean);
#' * a configuration of a conditional Gaussian node with fewer than \eqn{p + 2} rows gets the
#'   regression of all rows, whatever their configuration;
#' * a coefficient that is not identified because of collinear parents is 0;
#' * a regression that fits its rows exactly has standard deviation
#'   \eqn{1.5 \cdot 10^{-8}}{1.5e-8} times that of the node, so that its density stays finite.
#'
#' In these cases `bn.fit()` returns `NaN`, or 0 for a standard deviation. Its own
#' `method = "bayes"` is for discrete networks only; here it also fits networks of mixed columns,
#' and the prior then acts on the tables.
#'
#' @return An object of class `optbn_fit`: a list with
#' * `nodes`, `parents`: names of the nodes, and for each the names of its parents;
#' * `models`: for each node its local model, see [local_model()];
#' * `levels`: for each node its level labels, `NULL` for a continuous one;
#' * `network`: the structure as given;
#' * `method`, `iss` (`NULL` for `"mle"`, and for trees), `score` (of trees and discretised tables),
#'   `em` (see *Missing Values*);
#' * `n`: the number of rows, or the sum of their weights;
#' * `log_likelihood`: of the data, by node;
#' * `prototype`: the data frame's columns, without rows.
#'
#' Its methods are described in [optbn_fit-methods], [simulate.optbn_fit()], [predict.optbn_fit()]
#' and [as.bn.fit.optbn_fit()].
#'
#' @section Errors:
#' `optbn_error_data` for a missing column, for missing values without `method = "em"`, for rows in
#' a database that `"em"` cannot fetch, for a discrete node with a continuous parent (which trees
#' and discretised tables may have), for fewer rows than a regression has parameters, and for
#' columns of other kinds than a network of trees was learned from; `optbn_error_memory` for a local
#' model of more than 1e8 numbers; `optbn_error_argument` for a malformed argument.
#'
#' @references
#' Delyon, B., Lavielle, M. and Moulines, E. (1999). Convergence of a stochastic approximation
#' version of the EM algorithm. *Annals of Statistics* 27, 94-128. \doi{10.1214/aos/1018031103}
#'
#' Dempster, A. P., Laird, N. M. and Rubin, D. B. (1977). Maximum likelihood from incomplete data
#' via the EM algorithm. *Journal of the Royal Statistical Society B* 39, 1-38.
#' \doi{10.1111/j.2517-6161.1977.tb01600.x}
#'
#' Lauritzen, S. L. (1995). The EM algorithm for graphical association models with missing data.
#' *Computational Statistics & Data Analysis* 19, 191-201. \doi{10.1016/0167-9473(93)E0056-A}
#'
#' Heckerman, D., Geiger, D. and Chickering, D. M. (1995). Learning Bayesian networks: the
#' combination of knowledge and statistical data. *Machine Learning* 20, 197-243.
#' \doi{10.1007/BF00994016}
#'
#' Lauritzen, S. L. and Wermuth, N. (1989). Graphical models for associations between variables,
#' some of which are qualitative and some quantitative. *Annals of Statistics* 17, 31-57.
#' \doi{10.1214/aos/1176347003}
#'
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' fit
#' coef(fit)$Age
#'
#' # continuous nodes, one regression per species
#' flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]",
#'                        iris)
#' local_model(flowers, "Petal.Width")
#'
#' # ozone and solar radiation are missing in 42 of 153 days
#' fit_network("[Temp][Wind][Solar.R][Ozone|Temp:Wind:Solar.R]", airquality[1:4], method = "em")
#' # and by trees in place of regressions
#' set.seed(1)
#' fit_network("[Temp][Wind][Solar.R][Ozone|Temp:Wind:Solar.R]", airquality[1:4], method = "em",
#'             score = "pcart")
#' @export
fit_network <- function(network, data, iss = 1, method = c("bayes", "mle", "em"), weights = NULL,
                        targets = NULL, score = NULL, leaf = c("student", "normal"),
                        memory_limit = NULL, tolerance = 1e-6, progress = interactive()) {
  require_arguments()
  call <- environment()
  if (inherits(network, "optbn_dynamic")) {
    if (!is.null(weights)) refuse_with_series("weights", call)
    return(fit_dynamic(network, data, targets, iss = iss, method = method, score = score,
                       leaf = leaf, memory_limit = memory_limit, tolerance = tolerance,
                       progress = progress, call = call))
  }
  structure <- as_network_structure(network)
  method <- check_choice(method, c("bayes", "mle", "em"), "method")
  leaf <- check_choice(leaf, c("student", "normal"), "leaf")
  iss <- switch(method, bayes = check_number(iss, "iss", above = 0),
                em = check_number(iss, "iss", minimum = 0))
  tolerance <- check_number(tolerance, "tolerance", above = 0)
  progress <- check_progress(progress, call)
  data <- node_columns(structure$nodes, data, weights, targets)
  encoded <- encode_data(data, weights, call, memory_limit, holes = method == "em",
                         fractions = method != "em", targets = targets)
  if (method == "em") refuse_targets_of_em(encoded, call)
  if (is.data.frame(data)) data <- data[encoded$nodes]
  if (!is.null(encoded$scale)) { # fits take weights as they are
    encoded$weights <- encoded$weights / encoded$scale
    encoded$total <- row_total(encoded)
    encoded$scale <- NULL
  }

  parents <- parent_names(structure)
  local <- local_structures(network, structure, encoded, score, call)
  if (method == "em") {
    prototype <- prototype_of(data, encoded)
    if (!is.null(local)) {
      return(fit_local_by_em(structure, network, encoded, local, leaf, tolerance, progress,
                             prototype, call))
    }
    return(fit_by_em(structure, network, encoded, NULL, iss, tolerance, progress, prototype, call))
  }
  observed <- observed_families(encoded, parents)
  models <- if (is.null(local)) {
    Map(function(node, parents, observed) fit_local_model(node, parents, observed, iss, call),
        structure$nodes, parents, observed)
  } else {
    Map(function(node, parents, partition, observed) {
      fit_partition(node, parents, partition, observed, local$prior, method, leaf, call)
    }, structure$nodes, parents, local$partitions, observed)
  }
  announce_remarks(models)
  structure(
    list(
      nodes = structure$nodes,
      parents = parents,
      models = models,
      levels = set_names(encoded$levels, encoded$nodes)[structure$nodes],
      network = network,
      method = method,
      iss = if (is.null(local)) iss,
      score = local$score,
      n = encoded$total,
      log_likelihood = mapply(function(model, observed) {
        sum(observed$weights * local_log_density(model, observed$columns))
      }, models, observed),
      prototype = prototype_of(data, encoded)
    ),
    class = "optbn_fit"
  )
}

#' The Local Model of One Node
#'
#' Returns the distribution of one node of a fitted network given its parents.
#'
#' @param fit A fitted network from [fit_network()].
#' @param node The name of a node.
#'
#' @return An object of class `optbn_local`, with a print method and with [stats::coef()], and of
#'   one of the classes
#' * `optbn_table`, for a discrete node: `prob`, an array of conditional probabilities whose first
#'   dimension is the node and whose others are its parents; it sums to 1 over the first.
#' * `optbn_regression`, for a continuous node: `coefficients`, a matrix with the intercept and the
#'   continuous parents as rows and the configurations of the discrete parents as columns (the
#'   first of the discrete parents varies fastest; one column if there is none); `sd`, the
#'   residual standard deviation of each; `levels`, the level labels of the discrete parents;
#'   `continuous`, the names of the others.
#' * `optbn_tree` and `optbn_binned`, for a node of any type whose parents' space is divided into
#'   regions by a tree or by a discretised table: `partition`, the division; `n`, the number of
#'   rows in each region; and by region `prob`, a matrix with a row per level, or for a continuous
#'   node `location`, `scale` and `df` of a Student t distribution (normal where `df` is `Inf`).
#'
#' All have the components `node`, `parents` and `remarks`, the numbers of parameters that the data
#' do not determine. [predict.optbn_local()] predicts with each of them, [plot.optbn_partition()]
#' draws trees and discretised tables, and `as.party()` converts a tree for package \pkg{partykit}.
#' @section Errors: `optbn_error_argument` if `node` is not in the network.
#'
#' @examples
#' fit <- fit_network("[Species][Petal.Width|Species]", iris)
#' local_model(fit, "Petal.Width")
#' local_model(fit, "Species")$prob
#' @export
local_model <- function(fit, node) {
  require_arguments()
  check_fit(fit)
  fit$models[[check_node(node, fit)]]
}

# ---- what goes in -------------------------------------------------------------------------------

# A column of no rows for each node.
prototype_of <- function(data, encoded) {
  if (is.data.frame(data)) return(data[0L, , drop = FALSE])
  list2DF(set_names(Map(function(type, levels) {
    switch(type, logical = logical(), character = character(), factor = factor(levels = levels),
           double())
  }, encoded$types, encoded$levels), encoded$nodes))
}

# The columns of the nodes, as a data frame in the nodes' order. What is not a
# data frame with a name per column passes through: encode_data() refuses it.
node_columns <- function(nodes, data, weights, targets = NULL, call = parent.frame()) {
  data <- matrix_as_data(data)
  if (!is_data(data)) return(data)
  given <- nodes_of(data, NULL)
  if (anyDuplicated(given)) return(data)
  nodes <- c(nodes, target_column(targets, data))
  missing <- setdiff(nodes, given)
  if (length(missing)) {
    abort_optbn("data",
                c("{.arg data} must have a column for every node of the network.",
                  x = "Column{?s} {.val {missing}} {?is/are} missing."),
                call = call)
  }
  if (is_lazy_table(data)) return(dplyr::select(data, dplyr::all_of(c(nodes, weights))))
  as.data.frame(data)[nodes]
}

# Names of the parents, by node.
parent_names <- function(structure) {
  set_names(lapply(structure$parents, function(p) structure$nodes[p]), structure$nodes)
}

check_fit <- function(fit, call = parent.frame()) {
  if (!inherits(fit, "optbn_fit")) {
    abort_optbn("argument",
                c("{.arg fit} must be a fitted network, as {.fn fit_network} returns it.",
                  x = "It is {describe(fit)}."),
                call = call)
  }
  check_sound(fit, call)
}

check_node <- function(node, fit, call = parent.frame()) {
  if (!(is.character(node) && length(node) == 1L && node %in% fit$nodes)) {
    abort_optbn("argument",
                c("{.arg node} must be the name of one node of the model.",
                  x = "It is {describe(node)}.",
                  i = "The nodes are {.val {fit$nodes}}."),
                call = call)
  }
  node
}

# What is known of each node and its parents, where the node was not set: coded columns and levels
# by node, and the row weights.
# Of a table whose rows stay where they are it is the cells that are occupied, or other rows with
# the same moments: a fit, and its likelihood, depend on nothing else.
observed_families <- function(encoded, parents) {
  levels <- set_names(encoded$levels, encoded$nodes)
  if (is.null(encoded$source)) {
    observed <- function(encoded) {
      list(columns = set_names(encoded$columns, encoded$nodes), levels = levels,
           weights = encoded$weights %||% rep(1, encoded$rows))
    }
    all <- observed(encoded)
    return(lapply(set_names(names(parents)), function(node) {
      if (is.null(encoded$targets[[node]])) all else observed(rows_of_node(encoded, node))
    }))
  }
  families <- Map(c, names(parents), parents)
  is_table <- !vapply(levels[names(parents)], is.null, NA)
  observed <- families
  once <- !names(parents) %in% names(encoded$targets)
  observed[is_table & once] <- cells_of_families(families[is_table & once], encoded)
  observed[!is_table & once] <- lapply(families[!is_table & once], rows_like_family, encoded)
  for (node in names(parents)[!once]) {
    left <- rows_of_node(encoded, node)
    observed[node] <- if (is_table[[node]]) {
      cells_of_families(families[node], left)
    } else {
      list(rows_like_family(families[[node]], left))
    }
  }
  lapply(observed, function(rows) c(rows, list(levels = levels)))
}

# ---- fitting one node ---------------------------------------------------------------------------

# `observed` holds the coded columns and levels by node, and the row weights;
# `iss` is NULL for maximum likelihood.
fit_local_model <- function(node, parents, observed, iss, call) {
  discrete <- parents[!vapply(observed$levels[parents], is.null, NA)]
  continuous <- setdiff(parents, discrete)
  if (is.null(observed$levels[[node]])) {
    check_size(node, parents, (length(continuous) + 1) * configurations(observed, discrete), call)
    return(fit_regression(node, parents, discrete, continuous, observed, call))
  }
  if (length(continuous)) {
    arcs <- paste(continuous, "->", node)
    abort_optbn("data",
                c("A discrete node cannot have a continuous parent.",
                  x = "The network has the arc{?s} {.val {arcs}}.",
                  i = paste("Turn the parent into a factor, for example with",
                            "{.fn discretize_data}; or fit trees with {.code score = \"pcart\"}.")),
                call = call)
  }
  check_size(node, parents, configurations(observed, c(node, parents)), call)
  fit_table(node, parents, observed, iss)
}

configurations <- function(observed, nodes) prod(lengths(observed$levels[nodes]))

check_size <- function(node, parents, numbers, call) {
  limit <- 1e8
  if (numbers > limit) {
    abort_optbn("memory",
                c("The local model of one node may hold at most {format(limit)} numbers.",
                  x = "{.val {node}} given {.val {parents}} needs {format(numbers, digits = 3)}.",
                  i = "Lower {.arg max_parents} when learning, or merge levels."),
                call = call, needed = 8 * numbers, limit = 8 * limit)
  }
}

# The cell of each row in an array over discrete nodes, from 1, the first node
# fastest. `sizes`: the nodes' numbers of levels, by name.
cell_index <- function(values, sizes, rows) {
  index <- rep(1, rows)
  stride <- 1
  for (node in names(sizes)) {
    index <- index + stride * values[[node]]
    stride <- stride * sizes[[node]]
  }
  index
}

count_configurations <- function(index, cells, weights) {
  counts <- numeric(cells)
  sums <- rowsum(weights, index)
  counts[as.integer(rownames(sums))] <- sums
  counts
}

# ---- tables: a discrete node given discrete parents ---------------------------------------------

# Equation of fit_network()'s help page; maximum likelihood is its limit for
# iss = 0, with the uniform distribution where that is 0 / 0.
fit_table <- function(node, parents, observed, iss) {
  labels <- observed$levels[c(node, parents)]
  sizes <- lengths(labels)
  index <- cell_index(observed$columns, sizes, length(observed$weights))
  counts <- matrix(count_configurations(index, prod(sizes), observed$weights), nrow = sizes[[1L]])
  table_of_counts(node, parents, labels, counts, iss)
}

# `counts`: a column for each configuration of the parents.
table_of_counts <- function(node, parents, labels, counts, iss) {
  prior <- (iss %||% 0) / length(counts)
  prob <- sweep(counts + prior, 2L, colSums(counts) + nrow(counts) * prior, "/")
  unseen <- which(is.nan(prob[1L, ]))
  prob[, unseen] <- 1 / nrow(prob)
  new_table(node, parents, labels, as.vector(prob), length(unseen), counts)
}

# `prob`: the node fastest, then its parents; `labels`: level labels by node, in this order;
# `counts`: what it was fitted to, a column for each configuration; NULL where that is not known.
new_table <- function(node, parents, labels, prob, unseen, counts = NULL) {
  sizes <- unname(lengths(labels))
  # bnlearn's layout: the one dimension of a root bears no name
  if (!length(parents)) labels <- unname(labels)
  model <- list(node = node, parents = parents,
                prob = structure(prob, dim = sizes, dimnames = labels, class = "table"),
                remarks = c(unseen = unseen))
  model$counts <- counts
  structure(model, class = c("optbn_table", "optbn_local"))
}

# Number of levels of each parent of a table's node.
parent_sizes <- function(table) set_names(dim(table$prob)[-1L], table$parents)

# One column per configuration of the parents.
as_columns <- function(table) matrix(table$prob, nrow = dim(table$prob)[1L])

# ---- regressions: a continuous node -------------------------------------------------------------

fit_regression <- function(node, parents, discrete, continuous, observed, call) {
  labels <- observed$levels[discrete]
  moments <- moments_of_rows(node, labels, continuous, observed)
  regression_of_moments(node, parents, labels, continuous, moments, call)
}

# What a regression depends on, for each configuration of the discrete parents that rows have: their
# total weight `n`, and the rows themselves in short (see short_rows()), in which the columns are 1,
# the continuous parents and the node. Configurations are the names of both, numbers from 1.
moments_of_rows <- function(node, labels, continuous, observed) {
  y <- observed$columns[[node]]
  rows <- do.call(cbind, c(list(rep(1, length(y))), unname(observed$columns[c(continuous, node)])))
  weights <- observed$weights
  members <- split(seq_along(y), cell_index(observed$columns, lengths(labels), length(y)))
  list(n = vapply(members, function(i) sum(weights[i]), 0),
       rows = lapply(members, function(i) short_rows(sqrt(weights[i]) * rows[i, , drop = FALSE])))
}

# No more rows than columns, with the same sums of squares and products, and so the same least
# squares: the triangular factor of all (Golub & Van Loan 2013, section 5.3).
short_rows <- function(rows) {
  factor <- qr(rows)
  triangle <- qr.R(factor)
  upright <- ifelse(diag(triangle) < 0, -1, 1) * triangle # the sign of a row is arbitrary
  upright[, order(factor$pivot), drop = FALSE]
}

regression_of_moments <- function(node, parents, labels, continuous, moments, call) {
  q <- prod(lengths(labels))
  names <- c("(Intercept)", continuous)
  total <- sum(moments$n)
  all <- do.call(rbind, unname(moments$rows))
  many <- moments$n > length(names)
  fits <- Map(least_squares, moments$rows[many], moments$n[many])
  open <- q - length(fits)
  if (open > 0 && total <= length(names)) abort_few_rows(node, total, length(names), call)
  pooled <- if (open > 0) least_squares(all, total)

  # `pooled` wherever a configuration has no regression of its own
  own <- as.integer(names(fits))
  coefficients <- matrix(pooled$coefficients %||% 0, length(names), q,
                         dimnames = list(names, seq_len(q) - 1L))
  coefficients[, own] <- vapply(fits, `[[`, numeric(length(names)), "coefficients")
  sd <- set_names(rep(pooled$sd %||% 0, q), seq_len(q) - 1L)
  sd[own] <- vapply(fits, `[[`, 0, "sd")
  smallest <- sqrt(.Machine$double.eps) * spreads_of(all)[[length(names) + 1L]]
  new_regression(node, parents, labels, continuous, coefficients, pmax(sd, smallest), c(
    pooled = open,
    aliased = sum(vapply(c(fits, list(pooled)), function(fit) any(fit$aliased), NA)),
    exact = sum(sd < smallest)
  ), moments)
}

# `moments`: what it was fitted to, NULL where that is not known.
new_regression <- function(node, parents, labels, continuous, coefficients, sd, remarks,
                           moments = NULL) {
  model <- list(node = node, parents = parents, levels = labels, continuous = continuous,
                coefficients = coefficients, sd = sd, remarks = remarks)
  model$moments <- moments
  structure(model, class = c("optbn_regression", "optbn_local"))
}

# Means and standard deviations of the columns of rows in short, about the first, which is that of
# 1.
means_of <- function(rows) drop(crossprod(rows[, 1L], rows)) / sum(rows[, 1L]^2)

spreads_of <- function(rows) {
  sqrt(colSums((rows - rows[, 1L] %o% means_of(rows))^2) / sum(rows[, 1L]^2))
}

# Least squares of the last column on those before, which stand for so many rows; a coefficient that
# the columns before it determine is 0, and still counts as a parameter of the spread.
least_squares <- function(rows, n) {
  last <- ncol(rows)
  fit <- stats::lm.fit(rows[, -last, drop = FALSE], rows[, last])
  aliased <- is.na(fit$coefficients)
  list(
    coefficients = replace(fit$coefficients, aliased, 0),
    sd = sqrt(sum(fit$residuals^2) / (n - last + 1)),
    aliased = aliased
  )
}

abort_few_rows <- function(node, total, coefficients, call) {
  abort_optbn("data",
              c("There are too few rows to fit the regression of node {.val {node}}.",
                x = "{.arg data} has {total}, and more than {coefficients} are needed.",
                i = "Add rows, or remove parents of the node."),
              call = call)
}

# ---- what the data left open --------------------------------------------------------------------

# What each remark of a local model means; all are filled in as fit_network()'s
# help page says.
remark_sentences <- c(
  unseen = "{total} parent configuration{?s} without rows {?is/are} uniform",
  pooled = "{total} configuration{?s} with too few rows {?has/have} the regression of all rows",
  aliased = "{total} regression{?s} on collinear parents {?has/have} coefficients set to 0",
  exact = "{total} regression{?s} without residuals {?has/have} the spread of rounding errors",
  empty = "{total} region{?s} without rows {?is/are} uniform",
  few = "{total} region{?s} with fewer than 2 rows {?has/have} the normal distribution of all rows",
  equal = "{total} region{?s} of equal values {?has/have} the spread of rounding errors"
)

announce_remarks <- function(models) {
  lines <- unlist(lapply(names(remark_sentences), function(kind) {
    counts <- vapply(models, function(model) sum(model$remarks[kind], na.rm = TRUE), 0)
    total <- sum(counts)
    nodes <- names(counts)[counts > 0]
    if (total > 0) {
      cli::format_inline(remark_sentences[[kind]],
                         ", at node{cli::qty(length(nodes))}{?s} {.val {nodes}}.")
    }
  }))
  if (length(lines)) {
    # by reference: node names may hold braces, which are not to be read again
    bullets <- sprintf("{lines[%d]}", seq_along(lines))
    announce(c("The data do not determine all parameters; defaults replace the others.",
               set_names(bullets, rep("*", length(bullets)))))
  }
}

# ---- the questions every kind of local model answers --------------------------------------------

local_parameters <- function(model) UseMethod("local_parameters")

local_log_density <- function(model, values) UseMethod("local_log_density")

local_simulate <- function(model, values, rows) UseMethod("local_simulate")

# The density, seen as a function of the continuous node `of` (the model's own
# node or one of its parents), is proportional to exp(-precision of^2 / 2 +
# linear of); to multiply densities is to add these. `of` has no values.
local_information <- function(model, values, of, rows) UseMethod("local_information")

#' @export
local_parameters.optbn_table <- function(model) {
  (dim(model$prob)[1L] - 1) * prod(dim(model$prob)[-1L])
}

#' @export
local_log_density.optbn_table <- function(model, values) {
  sizes <- set_names(dim(model$prob), c(model$node, model$parents))
  log(as.vector(model$prob)[cell_index(values, sizes, length(values[[model$node]]))])
}

#' @export
local_simulate.optbn_table <- function(model, values, rows) {
  draw_levels(as_columns(model), cell_index(values, parent_sizes(model), rows))
}

#' @export
local_parameters.optbn_regression <- function(model) {
  length(model$coefficients) + length(model$sd)
}

#' @export
local_log_density.optbn_regression <- function(model, values) {
  y <- values[[model$node]]
  normal <- regression_normal(model, values, length(y))
  stats::dnorm(y, normal$mean, normal$sd, log = TRUE)
}

#' @export
local_simulate.optbn_regression <- function(model, values, rows) {
  normal <- regression_normal(model, values, rows)
  stats::rnorm(rows, normal$mean, normal$sd)
}

#' @export
local_information.optbn_regression <- function(model, values, of, rows) {
  if (of == model$node) {
    slope <- 1
    target <- regression_normal(model, values, rows)$mean
  } else {
    values[[of]] <- numeric(rows)
    slope <- model$coefficients[of, regression_config(model, values, rows)]
    target <- values[[model$node]] - regression_normal(model, values, rows)$mean
  }
  sd <- model$sd[regression_config(model, values, rows)]
  list(precision = (slope / sd)^2, linear = slope * target / sd^2)
}

regression_config <- function(model, values, rows) {
  cell_index(values, lengths(model$levels), rows)
}

# Mean and standard deviation of the node, row by row.
regression_normal <- function(model, values, rows) {
  config <- regression_config(model, values, rows)
  mean <- model$coefficients[1L, config]
  for (parent in model$continuous) {
    mean <- mean + model$coefficients[parent, config] * values[[parent]]
  }
  list(mean = unname(mean), sd = unname(model$sd[config]))
}

# ---- local models on the screen -----------------------------------------------------------------

#' @export
format.optbn_table <- function(x, ...) {
  check_sound(x)
  with_configurations(paste("table of", dim(x$prob)[1L], "levels"), dim(x$prob)[-1L])
}

#' @export
format.optbn_regression <- function(x, ...) {
  check_sound(x)
  kind <- if (length(x$continuous)) {
    cli::format_inline("regression on {length(x$continuous)} node{?s}")
  } else {
    "normal"
  }
  with_configurations(kind, lengths(x$levels))
}

# `sizes`: numbers of levels of the discrete parents.
with_configurations <- function(kind, sizes) {
  if (length(sizes)) paste(kind, "x", prod(sizes), "configurations") else kind
}

# The node given its parents, as it is written in a model string.
conditional <- function(node, parents) {
  paste0(node, if (length(parents)) paste0(" | ", paste(parents, collapse = ", ")))
}

#' @export
print.optbn_local <- function(x, ...) {
  check_sound(x)
  cat(conditional(x$node, x$parents), ": ", format(x), "\n", sep = "")
  print_parameters(x, ...)
  invisible(x)
}

print_parameters <- function(model, ...) UseMethod("print_parameters")

#' @export
print_parameters.optbn_table <- function(model, digits = 3, ...) {
  prob <- model$prob
  names(dimnames(prob)) <- c(model$node, model$parents)
  print(prob, digits = digits, ...)
}

# One row per configuration: its levels, its coefficients, its spread.
#' @export
print_parameters.optbn_regression <- function(model, digits = 4, ...) {
  rows <- data.frame(t(model$coefficients), sd = model$sd, check.names = FALSE)
  if (length(model$levels)) rows <- cbind(expand.grid(model$levels), rows)
  print(rows, digits = digits, row.names = FALSE, ...)
}

#' @export
coef.optbn_table <- function(object, ...) check_sound(object)$prob

#' @export
coef.optbn_regression <- function(object, ...) {
  check_sound(object)
  coefficients <- object$coefficients
  if (length(object$levels)) return(coefficients)
  set_names(as.vector(coefficients), rownames(coefficients))
}
