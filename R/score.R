# Scores: what a local score is, as an object.
#
# A score is its bnlearn label and its hyper-parameters. Hyper-parameters whose
# default depends on the data (the penalty of BIC, the prior mean of BGe) stay
# absent until complete_score() has seen them.

# (With a dot, since R would take an argument `l` for the label.)
new_score <- function(.label, ...) {
  structure(Filter(Negate(is.null), list(label = .label, ...)), class = "optbn_score")
}

#' Scores of Discrete Networks
#'
#' @description
#' A score measures how well a network explains data. It is the sum over nodes of local scores, each
#' for a node given its parents, in natural logarithms; larger is better. Labels, conventions and
#' values are those of package bnlearn (see [bnlearn::bnlearn-package], section on scores), so
#' `bnlearn::score()` returns the same value.
#'
#' Every argument `score` also accepts a label, which means the score with its default arguments:
#' the name of the function without `score_`, with `-` for `_` (such as `"bde"`, or `"bic-g"` for
#' `score_bic_g()`).
#'
#' Let \eqn{N} be the number of rows, \eqn{r} the number of levels of a node, and \eqn{q} the number
#' of joint levels of its parents. Declared levels count whether they occur or not.
#'
#' * `score_loglik()`: the log-likelihood, \eqn{\sum n_{ijk} \log(n_{ijk} / n_{ij})}, where
#'   \eqn{n_{ijk}} is the number of rows with level \eqn{k} of node \eqn{i} and joint level \eqn{j}
#'   of its parents, and \eqn{n_{ij}} their sum over \eqn{k}. It never decreases if parents are
#'   added.
#' * `score_bic(k)`, `score_aic(k)`: log-likelihood minus \eqn{k (r - 1) q};
#'   \eqn{k = \log(N)/2} and \eqn{k = 1} by default.
#' * `score_bde(iss)`: Bayesian Dirichlet equivalent uniform (BDeu), Dirichlet
#'   parameters \eqn{iss / (r q)}.
#' * `score_bds(iss)`: Bayesian Dirichlet sparse: as `"bde"`, but \eqn{q} counts only the parent
#'   configurations that occur. Not score-equivalent.
#' * `score_k2()`: Dirichlet parameters 1. Not score-equivalent.
#' * `score_bdj()`: Jeffreys' prior, Dirichlet parameters 1/2. Not score-equivalent. (bnlearn 4.9
#'   and 5.2 use another value at nodes without parents; all other values agree.)
#' * `score_mbde(iss, exp)`: BDeu for experimental and observational data. The score of a node omits
#'   the rows in which the node was set. Not score-equivalent. `score_bde(iss)` with the argument
#'   `targets` of [learn_dag()] is the same, and all scores support `targets`.
#' * `score_bdla(l)`: BDeu *locally averaged* over the equivalent sample sizes \eqn{2^{(1 - l) / 2},
#'   \ldots, 2^{(l - 1) / 2}}. Each configuration of the parents has the mean of its marginal
#'   likelihoods. A node without parents has the mean of their logarithms, as in bnlearn. Not
#'   score-equivalent.
#' * `score_ebic(k, gamma)`, *extended BIC*: BIC minus
#'   \eqn{4 \gamma |P| \log p}, with \eqn{p} columns and \eqn{|P|} parents.
#' * `score_fnml()`, *factorised normalised maximum likelihood*: log-likelihood minus
#'   \eqn{\sum_j C(n_{ij}, r)}, where \eqn{C(n, k)}, the regret, is the logarithm of the sum of the
#'   maximal likelihoods of all sequences of \eqn{n} rows of \eqn{k} levels. Not score-equivalent.
#' * `score_qnml()`, *quotient normalised maximum likelihood*: log-likelihood minus
#'   \eqn{C(N, r q) - C(N, q)}.
#'
#' The regret is exact for up to 1,000 rows and 100 levels, and approximate beyond that, as in
#' bnlearn.
#'
#' @param iss Imaginary (equivalent) sample size, one number greater than 0.
#' @param k Penalty per free parameter, one number, at least 0; `NULL` means the default.
#' @param exp The rows in which nodes were set by an experiment: a list of row numbers, named by
#'   nodes.
#' @param l The number of equivalent sample sizes in the average, a whole number from 1 to 100.
#' @param gamma Weight of the second penalty of extended BIC, one number from 0 to 1.
#' @param prior The prior on structures: a [structure_prior()], or `"uniform"`, `"vsp"` or
#'   `"marginal"` for these priors with their default arguments.
#' @return An object of class `optbn_score`: a list with the `label` and the
#'   hyper-parameters.
#' @section Errors: `optbn_error_argument` for a hyper-parameter out of range.
#' @references
#' Heckerman, Geiger & Chickering (1995) \doi{10.1007/BF00994016} (BDeu);
#' Scutari (2016), Proceedings of Machine Learning Research 52, 438-448 (BDs);
#' Cooper & Herskovits (1992) \doi{10.1007/BF00994110} (K2);
#' Cooper & Yoo (1999), Proc. UAI 1999, 116-125 (experimental data);
#' Cano, Gomez-Olmedo, Masegosa & Moral (2013), International Journal of Approximate Reasoning 54,
#' 526-540 (locally averaged);
#' Schwarz (1978) \doi{10.1214/aos/1176344136} (BIC);
#' Foygel & Drton (2010), Advances in Neural Information Processing Systems 23, 604-612 (extended
#' BIC);
#' Silander, Roos, Kontkanen & Myllymaki (2008), Proc. PGM 2008, 257-272 (fNML);
#' Silander, Leppa-aho, Jaasaari & Roos (2018), Proceedings of Machine Learning Research 84,
#' 948-957 (qNML).
#' @seealso [score_gaussian] for continuous and mixed data, [score_node_average] for data with
#'   missing values, [score_predictive] for the log-likelihood of new rows, [score_network()],
#'   [parent_sets()].
#' @examples
#' score_bde(iss = 10)
#' titanic <- as.data.frame(Titanic)
#' score_network("[Sex][Class|Sex][Survived|Class:Sex]",
#'   titanic[c("Class", "Sex", "Survived")], score_bde(iss = 10),
#'   weights = titanic$Freq)
#' @name score_discrete
NULL

#' @rdname score_discrete
#' @export
score_bde <- function(iss = 1, prior = "uniform") {
  call <- environment()
  new_score("bde", iss = check_iss(iss, call), prior = as_structure_prior(prior, call))
}

#' @rdname score_discrete
#' @export
score_bds <- function(iss = 1, prior = "uniform") {
  call <- environment()
  new_score("bds", iss = check_iss(iss, call), prior = as_structure_prior(prior, call))
}

#' @rdname score_discrete
#' @export
score_k2 <- function() new_score("k2")

#' @rdname score_discrete
#' @export
score_bdj <- function(prior = "uniform") {
  new_score("bdj", prior = as_structure_prior(prior, environment()))
}

#' @rdname score_discrete
#' @export
score_mbde <- function(iss = 1, exp = list(), prior = "uniform") {
  call <- environment()
  sound <- is_plain_list(exp) && (length(exp) == 0L || are_names(names(exp))) &&
    all(vapply(exp, function(rows) {
      are_finite(rows) && !anyDuplicated(rows) && all(rows >= 1 & rows == round(rows))
    }, NA))
  if (!sound) {
    abort_optbn("argument",
                c("{.arg exp} must be a list of row numbers, named by nodes.",
                  x = "It is {describe(exp)}.",
                  i = "{.code list(A = 11:20)} means that A was set in these rows."), call = call)
  }
  new_score("mbde", iss = check_iss(iss, call), exp = Filter(length, exp),
            prior = as_structure_prior(prior, call))
}

#' @rdname score_discrete
#' @export
score_bdla <- function(l = 5, prior = "uniform") {
  call <- environment()
  new_score("bdla", l = check_count(l, "l", minimum = 1, maximum = 100, call = call),
            prior = as_structure_prior(prior, call))
}

#' @rdname score_discrete
#' @export
score_bic <- function(k = NULL) new_score("bic", k = check_penalty(k))

#' @rdname score_discrete
#' @export
score_aic <- function(k = NULL) new_score("aic", k = check_penalty(k))

#' @rdname score_discrete
#' @export
score_loglik <- function() new_score("loglik")

#' @rdname score_discrete
#' @export
score_ebic <- function(k = NULL, gamma = 0.5) new_extended("ebic", k, gamma)

#' @rdname score_discrete
#' @export
score_fnml <- function() new_score("fnml")

#' @rdname score_discrete
#' @export
score_qnml <- function() new_score("qnml")

new_extended <- function(label, k, gamma, call = parent.frame()) {
  new_score(label, k = check_penalty(k, call),
            gamma = check_number(gamma, "gamma", minimum = 0, maximum = 1, call = call))
}

#' Scores of Gaussian and Conditional Gaussian Networks
#'
#' @description
#' Scores for continuous columns, and for data with continuous and discrete columns. Conventions and
#' values are those of bnlearn, and labels are formed as for [score_discrete].
#'
#' * `score_loglik_g()`, `score_bic_g(k)`, `score_aic_g(k)`: each node is a linear regression on its
#'   parents with normal errors, fitted by least squares. Its variance is \eqn{RSS / (N - |P| - 1)},
#'   and it has \eqn{|P| + 2} parameters.
#' * `score_loglik_cg()`, `score_bic_cg(k)`, `score_aic_cg(k)`: conditional Gaussian scores.
#'   Discrete nodes have tables, and only discrete parents. A continuous node has one such
#'   regression for every configuration of its discrete parents. A family is not a candidate if one
#'   of its configurations has fewer rows than the regression needs.
#' * `score_ebic_g(k, gamma)`, `score_ebic_cg(k, gamma)`: BIC minus \eqn{4 \gamma |P| \log p},
#'   with \eqn{p} columns.
#' * `score_bge(iss_mu, iss_w, nu)`: Bayesian Gaussian equivalent, with a
#'   normal-Wishart prior.
#'
#' @inheritParams score_discrete
#' @param iss_mu Imaginary sample size of the prior mean, greater than 0.
#' @param iss_w Degrees of freedom of the Wishart prior, more than the number of columns plus 1;
#'   `NULL` means the number of columns plus 2.
#' @param nu Prior mean, one number per column, in their order; `NULL` means the means of the
#'   columns.
#' @inherit score_discrete return
#' @inheritSection score_discrete Errors
#' @references Geiger & Heckerman (1994), Proc. UAI 1994, 235-243; Kuipers, Moffa &
#'   Heckerman (2014) \doi{10.1214/14-AOS1217} (BGe). Lauritzen & Wermuth (1989)
#'   \doi{10.1214/aos/1176347003} (conditional Gaussian models).
#' @seealso [score_discrete], [score_node_average], [score_predictive]
#' @examples
#' score_network("[Petal.Length][Petal.Width|Petal.Length][Sepal.Length|Petal.Length]",
#'   iris[c("Sepal.Length", "Petal.Length", "Petal.Width")], "bge")
#' score_network("[Species][Petal.Width|Species][Petal.Length|Species:Petal.Width]",
#'   iris[3:5], "bic-cg")
#' @name score_gaussian
NULL

#' @rdname score_gaussian
#' @export
score_bge <- function(iss_mu = 1, iss_w = NULL, nu = NULL, prior = "uniform") {
  call <- environment()
  if (!is.null(iss_w)) iss_w <- check_weight(iss_w, "iss_w", call)
  if (!is.null(nu) && (!is.numeric(nu) || !all(is.finite(nu)))) {
    abort_optbn("argument", "{.arg nu} must be finite numbers, one per column.", call = call)
  }
  new_score("bge", iss_mu = check_weight(iss_mu, "iss_mu", call),
            iss_w = iss_w, nu = nu, prior = as_structure_prior(prior, call))
}

#' @rdname score_gaussian
#' @export
score_bic_g <- function(k = NULL) new_score("bic-g", k = check_penalty(k))

#' @rdname score_gaussian
#' @export
score_aic_g <- function(k = NULL) new_score("aic-g", k = check_penalty(k))

#' @rdname score_gaussian
#' @export
score_ebic_g <- function(k = NULL, gamma = 0.5) new_extended("ebic-g", k, gamma)

#' @rdname score_gaussian
#' @export
score_loglik_g <- function() new_score("loglik-g")

#' @rdname score_gaussian
#' @export
score_bic_cg <- function(k = NULL) new_score("bic-cg", k = check_penalty(k))

#' @rdname score_gaussian
#' @export
score_aic_cg <- function(k = NULL) new_score("aic-cg", k = check_penalty(k))

#' @rdname score_gaussian
#' @export
score_ebic_cg <- function(k = NULL, gamma = 0.5) new_extended("ebic-cg", k, gamma)

#' @rdname score_gaussian
#' @export
score_loglik_cg <- function() new_score("loglik-cg")

# What each label is made by, and the columns it takes.
score_constructors <- list(
  "bde" = score_bde, "bds" = score_bds, "mbde" = score_mbde, "bdla" = score_bdla,
  "k2" = score_k2, "bdj" = score_bdj,
  "bic" = score_bic, "aic" = score_aic, "ebic" = score_ebic, "loglik" = score_loglik,
  "fnml" = score_fnml, "qnml" = score_qnml,
  "bge" = score_bge, "bic-g" = score_bic_g, "aic-g" = score_aic_g, "ebic-g" = score_ebic_g,
  "loglik-g" = score_loglik_g,
  "bic-cg" = score_bic_cg, "aic-cg" = score_aic_cg, "ebic-cg" = score_ebic_cg,
  "loglik-cg" = score_loglik_cg,
  "nal" = score_nal, "pnal" = score_pnal, "nal-g" = score_nal_g, "pnal-g" = score_pnal_g,
  "nal-cg" = score_nal_cg, "pnal-cg" = score_pnal_cg,
  "pcart" = score_pcart, "pcart-p" = function() score_pcart(penalty = "size"),
  "ft" = score_ft, "ft-p" = function() score_ft(penalty = "size")
)

# Scores that no label is short for, as they need more.
given_constructors <- list(
  "custom" = score_custom, "pred-loglik" = score_pred_loglik,
  "pred-loglik-g" = score_pred_loglik_g, "pred-loglik-cg" = score_pred_loglik_cg
)

score_kind <- function(score) {
  if (is_local_score(score) || score$label == "custom") return("any")
  if (score$label == "bge" || endsWith(score$label, "-g")) return("gaussian")
  if (endsWith(score$label, "-cg")) "mixed" else "discrete"
}

# Whose families take far longer than those of BIC.
is_slow_score <- function(score) {
  is_local_score(score) || passes_rows(score) || score$label == "custom"
}

check_iss <- function(iss, call = parent.frame()) check_weight(iss, "iss", call)

# What a prior weighs: beyond this, rows of data are lost in rounding.
check_weight <- function(x, arg, call) {
  check_number(x, arg, above = 0, maximum = 1e15, call = call)
}

check_penalty <- function(k, call = parent.frame()) {
  if (is.null(k)) NULL else check_number(k, "k", minimum = 0, call = call)
}

# A label or a score object as a score object.
as_score <- function(score, call = parent.frame(), arg = "score") {
  if (inherits(score, "optbn_score")) return(check_sound(score, call))
  refuse_given_label(score, call)
  label <- check_choice(score, names(score_constructors), arg, call, aliases = foreign_labels)
  score_constructors[[label]]()
}

# What other programs call scores.
foreign_labels <- c(bdeu = "bde", bd = "bde", gaussian = "bge", mdl = "bic", "bde-u" = "bde",
                    "bic-gaussian" = "bic-g", loglikelihood = "loglik", cart = "pcart")

refuse_given_label <- function(label, call) {
  if (!is_string(label) || !label %in% names(given_constructors)) return(invisible())
  what <- names(formals(given_constructors[[label]]))[1L]
  abort_optbn("argument",
              c("Score {.val {label}} needs {.arg {what}}, which a label does not have.",
                i = "Give the score {.code score_{gsub('-', '_', label)}({what})}."), call = call)
}

# The score of who asks for none.
usual_score <- function(encoded) {
  if (!is.null(encoded$holes)) return(usual_average(encoded))
  columns <- columns_kind(encoded)
  label <- switch(columns, discrete = "bde", mixed = "bic-cg", continuous = "bge")
  announce("{.arg score} is {.val {label}}, as usual for {columns} columns.")
  as_score(label)
}

columns_kind <- function(encoded) {
  discrete <- is_discrete(encoded)
  if (all(discrete)) "discrete" else if (any(discrete)) "mixed" else "continuous"
}

# Fills in what depends on the data, after checking that score and data agree.
complete_score <- function(score, encoded, call = parent.frame()) {
  check_score_data(score, encoded, call)
  if (is_local_score(score)) return(complete_columns(score, encoded, call))
  if (score$label == "custom") {
    check_custom_data(encoded, call)
    return(score)
  }
  information <- sub("-.*", "", score$label)
  if (is.null(score$k)) {
    score$k <- switch(information, bic = , ebic = log(row_total(encoded)) / 2, aic = 1,
                      pnal = encoded$total^-0.25 / length(encoded$nodes), loglik = , nal = 0)
  }
  if (is_predictive(score)) encode_new_rows(score, encoded, call) # an error where they do not fit
  if (score$label == "mbde") score$set <- rows_set(score$exp, encoded, call)
  score$worth <- worth_of_structure(score, encoded$nodes, call)
  if (score$label == "bge") {
    n <- length(encoded$nodes)
    score$iss_w <- score$iss_w %||% (n + 2)
    if (score$iss_w <= n + 1) {
      abort_optbn("argument",
                  "{.arg iss_w} must be greater than the number of columns plus 1 ({n + 1}).",
                  call = call)
    }
    score$nu <- score$nu %||% column_means(encoded)
    if (length(score$nu) != n) {
      abort_optbn("argument",
                  "{.arg nu} must have one number per column ({n}), not {length(score$nu)}.",
                  call = call)
    }
  }
  score
}

# By node, the rows in which it was set, from 0.
rows_set <- function(exp, encoded, call) {
  if (length(exp) > 0L && !is.null(encoded$targets)) {
    abort_optbn("argument",
                c("{.arg targets} and {.arg exp} of score {.val mbde} both name interventions.",
                  i = "Leave one of them out."), call = call)
  }
  if (!has_row_numbers(encoded)) {
    abort_optbn("score",
                c("Score {.val mbde} needs row numbers, which a table outside memory lacks.",
                  i = "Fetch its rows as a data frame."), call = call)
  }
  position <- encoded$position %||% seq_len(encoded$rows)
  unknown <- setdiff(names(exp), encoded$nodes)
  beyond <- names(Filter(function(rows) any(rows > length(position)), exp))
  if (length(c(unknown, beyond)) > 0L) {
    abort_optbn("argument",
                c("{.arg exp} must name columns, and rows, of {.arg data}.",
                  x = if (length(unknown)) "There is no column {.val {unknown[1L]}}."
                      else "{.val {beyond[1L]}} has rows beyond the {length(position)} there are."),
                call = call)
  }
  lapply(set_names(encoded$nodes), function(node) {
    sort(setdiff(position[exp[[node]]], 0L)) - 1L
  })
}

# What arcs are worth whatever the data; NULL where that is nothing.
worth_of_structure <- function(score, nodes, call) {
  if (!is.null(score$prior)) return(worth_of_arcs(score$prior, nodes, call))
  if (!is.null(score$gamma)) {
    list(constant = numeric(length(nodes)), every = -4 * score$gamma * log(length(nodes)))
  }
}

column_means <- function(encoded) {
  if (!is.null(encoded$source)) return(encoded$means)
  vapply(encoded$columns, function(column) {
    if (is.null(encoded$weights)) mean(column) else stats::weighted.mean(column, encoded$weights)
  }, 0)
}

check_score_data <- function(score, encoded, call = parent.frame()) {
  discrete <- is_discrete(encoded)
  kind <- score_kind(score)
  average <- is_node_average(score)
  in_tables <- all(discrete) && !is_tree_score(score) # even those of "ft"
  by_rows <- score$label %in% c("mbde", "bdla") || is_predictive(score) ||
    ((is_local_score(score) || average) && !in_tables)
  check_holes(score, encoded, call)
  fitting <- fitting_label(score, encoded)
  if (by_rows && !is.null(encoded$source)) {
    other <- if (average) {
      "or take a sample of them."
    } else {
      "take a sample of them, or use {.val {if (all(discrete)) 'bde' else 'bic-cg'}}."
    }
    abort_optbn(
      "score",
      c("Score {.val {score$label}} needs the rows of {.arg data}, which are not in memory.",
        i = paste("Raise {.arg memory_limit} to fetch them,", other)),
      call = call
    )
  }
  if (kind == "discrete" && !all(discrete)) {
    wrong <- encoded$nodes[!discrete]
    other <- if (!average) {
      ", or {.val pcart}, which takes columns of any type; or cut them with {.fn discretize_data}"
    }
    abort_optbn(
      "score",
      c("Score {.val {score$label}} takes discrete columns only; {.val {wrong}} {?is/are} numeric.",
        i = paste0("Use {.val {fitting}}", other, ".")),
      call = call
    )
  }
  if (kind == "gaussian" && any(discrete)) {
    wrong <- encoded$nodes[discrete]
    abort_optbn(
      "score",
      c("Score {.val {score$label}} takes numeric columns only; {.val {wrong}} {?is/are} discrete.",
        i = "Use {.val {fitting}}."),
      call = call
    )
  }
}

# A score that takes the columns where this one does not.
fitting_label <- function(score, encoded) {
  if (is_node_average(score)) return(average_label(encoded))
  switch(columns_kind(encoded), discrete = "bde", mixed = "bic-cg", continuous = "bge")
}

#' @export
format.optbn_score <- function(x, ...) {
  check_sound(x)
  parameters <- Filter(function(value) length(value) == 1L && is.atomic(value), unclass(x)[-1L])
  if (!is.null(x$prior)) parameters$prior <- format(x$prior)
  if (is_predictive(x)) {
    parameters$newdata <- paste(nrow(x$newdata), if (nrow(x$newdata) == 1L) "row" else "rows")
  }
  if (is_local_score(x)) { # of many, those that somebody chose
    default <- unclass(as_score(x$label))[names(parameters)]
    parameters <- parameters[!mapply(identical, parameters, default)]
  }
  if (length(parameters) == 0L) return(x$label)
  paste0(x$label, " (", paste(names(parameters), "=", vapply(parameters, format, "", digits = 4),
                              collapse = ", "), ")")
}

#' @export
print.optbn_score <- function(x, ...) {
  cat("<score> ", format(x), "\n", sep = "")
  invisible(x)
}
