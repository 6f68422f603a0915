# bnlearn: conversion to its plain networks, and its S4 functions.
#
# bnlearn's S3 functions accept a learned network because it inherits from
# "bn". Its S4 functions (nodes, nodes<-, degree, score) look at the first class
# only, so S4 has to know that "optbn" extends "bn". Neither bnlearn's locked
# namespace nor the user's workspace may hold that definition: it lives in an
# environment of our own, for as long as both packages are loaded.

#' Learned Networks in bnlearn
#'
#' A network learned by this package is a bnlearn network, and every function of \pkg{bnlearn}
#' accepts it. `as.bn()` returns the plain network of class `"bn"`, without the certificate.
#'
#' `bnlearn::score(network, data)` uses the score by which the network was learned, including its
#' hyper-parameters, if bnlearn has that score. It then returns the value in the certificate; `type`
#' chooses another score. For plain networks, bnlearn's default is always BIC. There are some
#' exceptions. bnlearn's `"bdj"` differs at nodes without parents, and bnlearn has no row weights,
#' so the two values differ. They may also differ for [score_pred_loglik()], whose page explains the
#' reason; with an `iss` greater than 0, bnlearn does not have that score. A network learned with
#' `missing = "em"` has expected scores, which bnlearn cannot compute: use completed rows. For a
#' network learned with `targets`, bnlearn has a score only for `"bde"`: `type = "mbde"`, with its
#' argument `exp`.
#'
#' @param x A learned network.
#' @param ... Ignored.
#' @return A network of class `"bn"`.
#' @seealso [optbn-class]
#' @examplesIf requireNamespace("bnlearn", quietly = TRUE)
#' network <- learn_dag(attitude, "bge")
#' bnlearn::mb(network, "rating")
#' bnlearn::score(network, attitude)
#' bnlearn::as.bn(network)
#' @exportS3Method bnlearn::as.bn
as.bn.optbn <- function(x, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  check_sound(x)
  x$learning[c("optbn", "parent_sets")] <- NULL
  x$learning$algo <- "empty" # bnlearn prints networks of learners that it knows only
  as_plain(x)
}

as_plain <- function(x) {
  class(x) <- setdiff(class(x), "optbn")
  x
}

s4_home <- new.env()

# A hook, called when bnlearn has been loaded.
join_bnlearn <- function(...) {
  s4_home$.packageName <- "optbn"
  methods::setClass("optbn", where = s4_home, contains = "bn",
                    representation = methods::representation("VIRTUAL"))
  # bnlearn copies the class onto fitted networks; methods::is() then asks this.
  methods::setIs("optbn", "bn.fit", where = s4_home,
                 test = function(object) inherits(object, "bn.fit"),
                 replace = function(from, value) value)
  methods::setMethod(asNamespace("bnlearn")$score, "optbn", score_as_learned, where = s4_home)
}

# A hook, called before bnlearn is unloaded.
leave_bnlearn <- function(...) {
  methods::removeMethod(asNamespace("bnlearn")$score, "optbn", where = s4_home)
  methods::removeClass("optbn", where = s4_home)
}

# bnlearn's method for "bn", but by default the score is the network's own.
score_as_learned <- function(x, data, type = NULL, ...) {
  label <- type %||% bnlearn_score(x)
  # (bnlearn does not look for these arguments in the network.)
  args <- if (is.null(type) && isTRUE(label %in% names(given_constructors))) x$learning$args
  if (is.null(args)) return(bnlearn::score(as_plain(x), data, type = label, ...))
  if (label == "custom") {
    renamed <- "custom-score" # since bnlearn 5
    if (renamed %in% names(asNamespace("bnlearn")$score.labels)) label <- renamed
    return(bnlearn::score(as_plain(x), data, type = label, fun = args$fun, args = args$args, ...))
  }
  check_rows_for_bnlearn(label, args$newdata, data)
  bnlearn::score(as_plain(x), data, type = label, newdata = args$newdata, ...)
}

# bnlearn 4.9 would write beyond the end of its numbers of configurations.
check_rows_for_bnlearn <- function(label, newdata, data) {
  if (label != "pred-loglik-cg" || NROW(newdata) <= NROW(data)) return(invisible())
  abort_optbn("score",
              c("bnlearn cannot score by more new rows than {.arg data} has.",
                x = paste("The network was learned with {NROW(newdata)} new rows; {.arg data} has",
                          "{NROW(data)}."),
                i = "Use {.fn score_network}, or give bnlearn another {.arg type}."), call = NULL)
}

# The score a network was learned with, or NULL if bnlearn does not have it.
bnlearn_score <- function(x) {
  learned <- x$learning$test
  predictive <- is_string(learned) && startsWith(learned, "pred-loglik")
  smoothed <- predictive && (x$learning$args$iss %||% 0) > 0 # which bnlearn does not do
  if (isTRUE(learned %in% bnlearn_scores) && !smoothed) learned
}

bnlearn_scores <- c(
  "loglik", "aic", "bic", "ebic", "fnml", "qnml", "bde", "bds", "mbde", "bdla", "bdj", "k2",
  "loglik-g", "aic-g", "bic-g", "ebic-g", "bge",
  "loglik-cg", "aic-cg", "bic-cg", "ebic-cg", "custom",
  "nal", "pnal", "nal-g", "pnal-g", "nal-cg", "pnal-cg",
  "pred-loglik", "pred-loglik-g", "pred-loglik-cg"
)
