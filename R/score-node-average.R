# Node averages: scores of data with missing values.

#' Scores of Data With Missing Values: Node Averages
#'
#' @description
#' The *node-average log-likelihood* scores a node by its *locally complete* rows, in which the node
#' and all of its parents are observed, and divides by their number. The means are comparable
#' although the parent sets have different rows. No value is imputed, and no row is dropped because
#' another column is missing. Other scores need complete data.
#'
#' Let \eqn{N} be the number of rows, \eqn{n} the number of locally complete ones, and \eqn{L} the
#' maximal log-likelihood of these:
#'
#' * `score_nal()`, `score_nal_g()`, `score_nal_cg()`: \eqn{L / n} of tables, linear regressions and
#'   conditional Gaussian nodes, as in `score_loglik()`, `score_loglik_g()` and `score_loglik_cg()`.
#' * `score_pnal(k)`, `score_pnal_g(k)`, `score_pnal_cg(k)`, *penalised*: \eqn{L / n} minus
#'   \eqn{k / N} for each parameter.
#'
#' The values are those of `bnlearn::score(network, data, type = "pnal")` and so on. They are means.
#' Without missing values, \eqn{N} times these values equals `score_loglik()`, and `score_bic()` for
#' `k = log(N) / 2`.
#'
#' @details
#' *Which penalty.* Means over different rows have random differences of the order \eqn{1 /
#' \sqrt{N}}. If values are missing completely at random, and \eqn{k / N} tends to 0 more slowly
#' than that, the penalised score finds the true network with enough rows (Balov 2013; for numeric
#' columns Bodewes & Scutari 2021).
#' * `k = NULL`, the default of bnlearn: \eqn{k = N^{-1/4} / p} with \eqn{p} columns. Divided by
#'   \eqn{N}, this penalty is tiny, so the score overfits.
#' * `k = log(nrow(data)) / 2`, the penalty of BIC, suits complete data. With missing values it
#'   finds too many arcs.
#' * `k = sqrt(nrow(data)) / 2` is of the order of the random differences. [parent_sets()] uses it
#'   for data with missing values if no score is given.
#'
#' *Few rows, and many parents.* A family with many parents is observed in few rows, so it overfits
#' them: with 100 rows and 20 numeric columns, a tenth of the values missing, the best network by
#' node averages has most of all possible arcs. In such cases limit `max_parents`, or use
#' [learn_dag()] with `missing = "em"`, its default for missing values.
#'
#' *No locally complete row.* A family that is observed in no row scores `-Inf` and is not a
#' candidate. The same holds for a continuous node if, in one of the declared configurations of its
#' discrete parents, the locally complete rows are too few for its regression or have no residual
#' variance.
#'
#' *Search.* The scores are decomposable, so every search accepts them, and its proofs hold for
#' them. Adding a parent changes the rows, so the mean may increase or decrease. Bounds are
#' therefore weaker than for complete data: with tables, only parent sets whose penalty alone is too
#' large are pruned, and with numeric columns only those that even all other columns could not
#' explain. The scores are not score-equivalent with missing values. The means are not
#' log-likelihoods: [network_posterior()] and [sample_dags()] treat them as if all data were one
#' row, so networks hardly differ in probability.
#'
#' @param k Penalty per parameter, a number, at least 0; `NULL` means bnlearn's default.
#' @inherit score_discrete return
#' @section Errors: `optbn_error_argument` for a malformed `k`; `optbn_error_score` for data whose
#'   columns are of another type, and for numeric columns that stay in a database;
#'   `optbn_error_data` for a column without a value.
#' @references
#' Balov (2013) \doi{10.1214/13-EJS802} (node-average likelihood);
#' Bodewes & Scutari (2021), International Journal of Approximate Reasoning 138, 145-160
#' \doi{10.1016/j.ijar.2021.07.015} (penalised, and of continuous nodes).
#' @seealso [score_discrete], [score_gaussian] for complete data.
#' @examples
#' # ozone is missing in 37 of 153 days, solar radiation in 7
#' network <- learn_dag(airquality[1:4], score_pnal_g(k = sqrt(153) / 2))
#' network
#' score_network(network, airquality[1:4], score_nal_g(), by_node = TRUE)
#' @name score_node_average
NULL

#' @rdname score_node_average
#' @export
score_nal <- function() new_score("nal")

#' @rdname score_node_average
#' @export
score_pnal <- function(k = NULL) new_score("pnal", k = check_penalty(k))

#' @rdname score_node_average
#' @export
score_nal_g <- function() new_score("nal-g")

#' @rdname score_node_average
#' @export
score_pnal_g <- function(k = NULL) new_score("pnal-g", k = check_penalty(k))

#' @rdname score_node_average
#' @export
score_nal_cg <- function() new_score("nal-cg")

#' @rdname score_node_average
#' @export
score_pnal_cg <- function(k = NULL) new_score("pnal-cg", k = check_penalty(k))

is_node_average <- function(score) grepl("^p?nal(-|$)", score$label %||% "")

# Of data with missing values. Means over different rows differ by chance, by the order of
# 1 / sqrt(N): a smaller penalty takes that for an arc.
usual_average <- function(encoded) {
  label <- average_label(encoded)
  announce(c("{.arg score} is {.val {label}}, as {.arg data} has missing values.",
             i = paste("Its penalty is {.code k = sqrt(N) / 2}, more than the random differences",
                       "of means over different rows.")))
  new_score(label, k = sqrt(encoded$total) / 2)
}

# May weights be any numbers under this score or label? Penalised likelihoods are sums over rows.
takes_fractions <- function(score) {
  label <- if (is_string(score)) score else if (inherits(score, "optbn_score")) score$label
  is_string(label) && sub("-.*", "", label) %in% c("loglik", "bic", "aic", "ebic")
}

average_label <- function(encoded) {
  switch(columns_kind(encoded), discrete = "pnal", mixed = "pnal-cg", continuous = "pnal-g")
}

# Other scores take complete data only.
check_holes <- function(score, encoded, call) {
  if (is.null(encoded$holes) || is_node_average(score)) return(invisible())
  discrete <- is_discrete(encoded)
  here <- is.null(encoded$source)
  takers <- c(if (here || all(discrete)) sprintf("score {.val {'%s'}}", average_label(encoded)),
              if (here) "{.code missing = \"em\"} of {.fn learn_dag}")
  refuse_missing(encoded$nodes[encoded$holes], discrete[encoded$holes], call,
                 there = !has_row_numbers(encoded), takers = takers)
}
