# Density models and questions. Their verbs are those of compiled networks, beside
# which they are defined; here is what only they need.

#' Methods for Density Models
#'
#' All [density models][optbn_density-class] have these methods, which are exact. [query()],
#' [most_probable()], [log_probability()] and [log_density()] work as for compiled networks.
#'
#' @param x,object A density model: from [learn_cutset()], [learn_chow_liu()], [learn_hclt()],
#'   [learn_cutset_bag()], [learn_mixture()] or [stack_densities()].
#' @param newdata A data frame with the columns of the training data; or a matrix of zeros and ones,
#'   plain or sparse (of package \pkg{Matrix}), with the names of the variables as column names or
#'   with all variables in order. Missing values are summed out, and an absent column counts as
#'   missing. If a factor has a level `NA`, as made by [addNA()], and the model has this level, `NA`
#'   is that level. For `logLik()`, `NULL` means the data from which the model was learned.
#' @param node The name of the variable to predict.
#' @param type What to return, see *Value*.
#' @param threads The number of threads: see [learn_dag()]. The result does not depend on it.
#' @inheritParams predict.optbn_fit
#' @param nsim The number of rows, a whole number.
#' @param memory_limit The largest number of bytes for these rows; by default three quarters of the
#'   free memory.
#' @param seed `NULL` to continue R's random number stream, or a number for [set.seed()]. In the
#'   second case the state of the generator is restored afterwards.
#' @param evidence The observed values, as in [query()].
#' @param do Must be empty: a density model has no arcs, so there are no interventions.
#' @param ... Ignored.
#'
#' @details
#' A query takes time proportional to the number of parameters of the model, for each row.
#' `predict()` is exact in mixtures, too: it weights the components by their posterior probabilities
#' given the row.
#'
#' @return
#' * `predict()`: one element or row for each row of `newdata`. `"response"`: a factor, the most
#'   probable level (the first one if several are); `"prob"`: a matrix of probabilities with a
#'   column per level (the level `NA` is included only if `na_level = TRUE`); `"density"`: the
#'   posterior probability of the variable's own level in `newdata`, `NA` if it is missing. Rows of
#'   probability zero give `NA`, and a message reports this.
#' * `simulate()`: a data frame of `nsim` independent draws given the evidence, with the column
#'   types of the training data. The attribute `seed` allows you to draw the same rows again.
#' * `logLik()`: an object of class `logLik`, the log-likelihood of the data (natural logarithm),
#'   with attributes `df` (the number of free parameters) and `nobs`.
#' * `nobs()`: the number of rows from which the model was learned, or the sum of their weights;
#'   `NA` for a stack, which does not store it.
#' * `coef()`, only for a Chow-Liu tree: a list with the array of conditional probabilities of each
#'   variable; the first dimension is the variable, the second its parent.
#' * `summary()`: an object of class `summary.optbn_density`, with data frames. For a cutset
#'   network, `cuts` has a row per cut (`variable`, `depth`, the `probability` of reaching it, and
#'   `given`, the cuts on the path to it), and `leaves` has a row per leaf (its number, `depth`, the
#'   number of `variables` of its tree, `probability`, `parameters`, `given`). For a mixture,
#'   `components` has a row per component: its `weight`, `kind`, numbers of `cuts`, `leaves`,
#'   `hidden` variables and `parameters`, and its `depth`. For a latent tree, `hidden` has a row per
#'   hidden variable: its name (`variable`), `levels` (their number), `parameters` and `children`.
#' * `print()` returns `x` invisibly. `format()` returns the printed text, a character vector with
#'   one element per line.
#'
#' @section Errors: `optbn_error_data` for a level that the model does not have;
#'   `optbn_error_impossible` for evidence of probability 0, whose message names variables in
#'   conflict; `optbn_error_argument` for a malformed argument, for `logLik()` without `newdata` of
#'   a part of a model or a stack, and for `coef()` of a model that is not a Chow-Liu tree.
#'
#' @seealso [mixture_component()] for parts of a model, [plot.optbn_density()] for pictures.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' model <- learn_cutset(titanic[1:4], weights = titanic$Freq)
#' summary(model)
#' query(model, "Survived", list(Sex = "Female", Class = c("1st", "2nd")))
#' predict(model, data.frame(Class = "3rd", Sex = c("Male", "Female", NA)), "Survived", "prob")
#' simulate(model, 3, seed = 1, evidence = list(Age = "Child"))
#' BIC(model)
#' @name optbn_density-methods
NULL

# See R/density-data.R.
#' @export
encode_rows.optbn_density <- function(model, data, arg, call) {
  encode_density_rows(model, data, arg, call)
}

#' @export
smoothing_remedy.optbn_density <- function(model) "learn the model with {.arg alpha} above 0."

#' @rdname optbn_density-methods
#' @export
logLik.optbn_density <- function(object, newdata = NULL, ...) {
  check_density(object)
  if (is.null(newdata)) {
    value <- object$learning$log_likelihood
    n <- object$learning$n
    if (is.null(value)) abort_no_likelihood(object)
  } else {
    value <- sum(row_log_densities(object, newdata, "newdata", NULL, environment()))
    n <- nrow(newdata)
  }
  structure(value, df = free_parameters(object), nobs = n, class = "logLik")
}

abort_no_likelihood <- function(model, call = parent.frame()) {
  abort_optbn("argument",
              c("{.arg newdata} must be given.",
                x = if (length(model$learning$part_of)) {
                  "A part of a model does not store the log-likelihood of its training rows."
                } else if (identical(model$learning$learner, "stack_densities")) {
                  "A stack does not store the rows from which its models were learned."
                } else {
                  "Learning was interrupted before the log-likelihood was computed."
                }),
              call = call)
}

#' @rdname optbn_density-methods
#' @export
nobs.optbn_density <- function(object, ...) check_density(object)$learning$n %||% NA_integer_

#' @rdname optbn_density-methods
#' @export
coef.optbn_density <- function(object, ...) {
  require_tree(object, "argument",
               "Only a Chow-Liu tree has conditional probabilities by variable.")
  tree_tables(object)
}

# The tables of a Chow-Liu tree by node, in its order, as bnlearn has them: arrays whose dimensions
# are the node and its parent; the one dimension of a root bears no name.
tree_tables <- function(tree) {
  body <- tree$components[[1L]]
  members <- named_members(tree)
  tables <- lapply(seq_len(nrow(members)), function(i) {
    family <- stats::na.omit(c(members$name[i], members$above[i]))
    labels <- tree$levels[family]
    if (length(family) == 1L) labels <- unname(labels)
    array(member_table(body, members[i, ]), unname(lengths(labels)), labels)
  })
  set_names(tables, members$name)[tree$nodes]
}

# A Chow-Liu tree is a cutset network without a cut. `kind` of the error.
require_tree <- function(model, kind, must, call = parent.frame()) {
  check_density(model, call)
  is_tree <- inherits(model, "optbn_cutset_network") && !has_cuts(model$components[[1L]])
  if (is_tree) return(invisible())
  facts <- if (inherits(model, "optbn_mixture")) {
    c(x = "This is a mixture of {length(model$weights)} component{?s}.",
      i = "{.code mixture_component(model, i)} gives one of them.")
  } else if (inherits(model, "optbn_latent_tree")) {
    c(x = "This is a tree with hidden variables, which are summed out.")
  } else {
    cuts <- sum(model$components[[1L]]$cut > 0L)
    c(x = "This is a cutset network with {cuts} cut{?s}: the arcs depend on the levels.",
      i = "{.code cutset_leaf(model, leaf)} gives the Chow-Liu tree at a leaf.")
  }
  abort_optbn(kind, c(must, facts), call = call)
}
