# Scores by new rows: how probable these are under the parameters that the data give. The score
# keeps the rows as they were given; score_for_core() encodes them.

#' Predictive Scores
#'
#' @description
#' The log-likelihood of *new* rows under the parameters estimated from the rows of `data`. Because
#' the parameters are not fitted to the new rows, additional parents do not always raise the score,
#' and there is no penalty. The labels are those of package bnlearn.
#'
#' * `score_pred_loglik(newdata, iss)`, label `"pred-loglik"`: tables of discrete columns. With
#'   \eqn{n_{ijk}} rows of the data and \eqn{m_{ijk}} new rows of level \eqn{k} in configuration
#'   \eqn{j} of the parents, \eqn{\sum m_{ijk} \log((n_{ijk} + iss / (r q)) / (n_{ij} + iss / q))},
#'   where the node has \eqn{r} levels and its parents have \eqn{q} configurations.
#' * `score_pred_loglik_g(newdata)`, label `"pred-loglik-g"`: linear regressions with normal
#'   errors, fitted by least squares, of variance \eqn{RSS / (N - 1)} whatever the number of
#'   parents.
#' * `score_pred_loglik_cg(newdata, iss)`, label `"pred-loglik-cg"`: conditional Gaussian. Discrete
#'   nodes are tables as above. A continuous node with discrete parents has, for each of their
#'   configurations, a regression on its \eqn{g} continuous parents with variance \eqn{RSS / (n_{ij}
#'   - g - 1)}. One without discrete parents is scored as by `score_pred_loglik_g()`.
#'
#' @details
#' With `iss = 0`, the tables are maximum likelihood estimates. If an event (a level in a
#' configuration of the parents) does not occur in the data, it has probability 0. If it occurs in a
#' new row, the score is `-Inf`, and the parent set is not a candidate. An `iss` greater than 0
#' gives each event a positive probability. A regression scores `-Inf` if a configuration that
#' occurs in the new rows has \eqn{g + 1} rows or fewer in the data, or no residual variance. A
#' parent that is a linear combination of those in earlier columns explains nothing, as in
#' [stats::lm()].
#'
#' Row counts (`weights`) refer to the data; each new row counts once.
#'
#' *Compared with bnlearn.* `bnlearn::score(network, data, type = "pred-loglik", newdata = newdata)`
#' omits new rows whose event does not occur in the data. Parent sets with only new configurations
#' therefore get the highest possible score, 0. It also divides the counts of a node without parents
#' by the number of new rows instead of the number of rows. The values are equal if `iss` is 0, all
#' events of the new rows occur in the data and, at nodes without parents, `data` and `newdata` have
#' equally many rows. Otherwise such a node has a score that is larger by \eqn{M \log(N / M)} in
#' bnlearn, with \eqn{N} rows and \eqn{M} new rows. Gaussian scores are equal unless those of
#' bnlearn fail (versions up to 4.9 may crash with `"pred-loglik-cg"` and more new rows than rows).
#'
#' A certificate stores the new rows with the score.
#'
#' @param newdata A data frame with the columns of the data, without missing values, and at least
#'   one row; its rows should not be in the data. Other columns are ignored. Its levels must be
#'   among those of the data.
#' @param iss Imaginary (equivalent) sample size of the tables, one number, at least 0.
#' @inherit score_discrete return
#' @section Errors: `optbn_error_argument` if `newdata` is not a data frame or has no rows, and for
#'   an `iss` out of range; `optbn_error_data` if it is malformed. When the score is applied to the
#'   data: `optbn_error_data`, which names the column, for columns that are missing, of another type
#'   or incomplete, and for unknown levels; `optbn_error_score` for rows that stay in a database.
#' @references
#' Geisser & Eddy (1979) \doi{10.1080/01621459.1979.10481632} (choice of models by the likelihood of
#' rows that they were not fitted to);
#' Scutari (2010) \doi{10.18637/jss.v035.i03} (bnlearn).
#' @seealso [score_discrete], [score_gaussian], [score_network()]; [score_custom()] for other
#'   scores.
#' @examples
#' odd <- seq_len(nrow(iris)) %% 2 == 1
#' score <- score_pred_loglik_cg(iris[!odd, ])
#' network <- learn_dag(iris[odd, ], score)
#' network
#' score_network(network, iris[odd, ], score, by_node = TRUE)
#' @name score_predictive
NULL

#' @rdname score_predictive
#' @export
score_pred_loglik <- function(newdata, iss = 1) {
  require_arguments()
  call <- environment()
  new_score("pred-loglik", newdata = check_new_rows(newdata, call),
            iss = check_predictive_iss(iss, call))
}

#' @rdname score_predictive
#' @export
score_pred_loglik_g <- function(newdata) {
  require_arguments()
  new_score("pred-loglik-g", newdata = check_new_rows(newdata, environment()))
}

#' @rdname score_predictive
#' @export
score_pred_loglik_cg <- function(newdata, iss = 1) {
  require_arguments()
  call <- environment()
  new_score("pred-loglik-cg", newdata = check_new_rows(newdata, call),
            iss = check_predictive_iss(iss, call))
}

# 0 is maximum likelihood.
check_predictive_iss <- function(iss, call) {
  check_number(iss, "iss", minimum = 0, maximum = 1e15, call = call)
}

check_new_rows <- function(newdata, call) {
  if (!is.data.frame(newdata) || nrow(newdata) == 0L) {
    abort_optbn("argument",
                c("{.arg newdata} must be a data frame with one row at least.",
                  x = "It is {describe(newdata)}.",
                  i = "Give rows with the columns of {.arg data} that are not in it."),
                call = call)
  }
  check_sound_columns(newdata, names(newdata), "newdata", call)
  newdata
}

check_new_values <- function(newdata, nodes, call) {
  check_newdata(newdata, nodes, "newdata", call)
  broken <- nodes[vapply(as.list(newdata)[nodes], function(x) {
    anyNA(x) || (is.numeric(x) && any(is.infinite(x)))
  }, NA)]
  refuse(broken, call = call,
         c("Column{?s} {.val {columns}} of {.arg newdata} contain{?s/} missing or infinite values.",
           i = "Drop such rows, with {.code na.omit()} for example, or impute them."))
}

is_predictive <- function(score) startsWith(score$label %||% "", "pred-loglik")

# The new rows, coded as the data are.
encode_new_rows <- function(score, encoded, call) {
  check_new_values(score$newdata, encoded$nodes, call)
  model <- list(levels = set_names(encoded$levels, encoded$nodes))
  new <- encoded[c("nodes", "levels", "types")]
  new$columns <- unname(encode_newdata(model, score$newdata, encoded$nodes, "newdata", call))
  new$rows <- new$total <- nrow(score$newdata)
  new["weights"] <- list(NULL)
  new
}
