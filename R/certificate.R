# Certificates: what is known about a learned network, and how it is said.
#
# The record behind a certificate is made by the learner and kept in
# `learning$optbn` of the network:
#   status       "optimal": proved; "bounded": at most `gap` from optimal;
#                "heuristic": the search proves nothing
#   score, bound of the network, and no network within the settings scores
#                higher than the bound; natural log, larger is better
#   gap          bound - score
#   method       of the search; `reason` why it stopped early ("time_limit",
#                "interrupt", "gap"), or NULL; `effort` named counts; `seconds`
#   settings     score (an optbn_score, NULL when unknown), max_parents (one a
#                node), whitelist, blacklist, source ("data" or a file's name),
#                ancestors, max_arcs, slack of the parent sets, treewidth, k_tree
#                (the only one to look into), targets (what was set in how many rows, as
#                target_sets() says), and whatever else the learner was given
#   trace        data frame: seconds, score, bound
#   node_scores  named local scores
#   k_tree       of a bounded tree-width: a k_tree with every family in a bag; `unbounded`
#                list(bound, proved) of networks of any width, or NULL
#   multipliers  of a tree search: list(clusters, groups, arc_price), the prices of inequalities
#                with which its bound began (see src/core/structure/bounds/dual.h)
#   proof        the name of the file with a proof (see R/certificate-proof.R), or NULL
#   em           of structural EM: list(trace, starts, missing, drawn), see R/learn-em.R
#   arcs         the arcs it speaks of; `version` of the package that made it
#   seal         tells whether all that was changed since (see R/certificate-seal.R)

# The record of a search. `found`: score, bound, proved, reason and trace, as the core gives them
# back. network_of_choice() adds the local scores, new_network() the arcs and the version.
new_record <- function(found, method, effort, seconds, settings, ...) {
  c(
    outcome_of(found, settings),
    list(method = method, effort = Filter(function(count) count > 0, effort),
         # R's clock is coarser than the core's
         seconds = recorded_seconds(max(seconds, found$trace$seconds)), settings = settings,
         trace = if (is_timed()) found$trace, ...)
  )
}

# What is proved, checked: a search that claims what its numbers deny is at fault itself. The best
# network over a part of the parent sets is optimal over these alone, and the reason is why there
# are no more.
outcome_of <- function(found, settings) {
  gap <- found$bound - found$score
  slip <- 1e-9 * max(1, abs(found$score))
  stopifnot(
    "no network scores more than its bound" = gap >= -slip,
    "an optimum meets its bound" = !found$proved || gap <= slip
  )
  partial <- !is.null(settings$complete)
  reason <- if (!found$proved) found$reason else if (partial) found$reason %||% "effort"
  status <- if (!is.null(reason)) "bounded" else if (found$proved) "optimal" else "heuristic"
  list(status = status, score = found$score, bound = found$bound, gap = gap, reason = reason)
}

#' The Certificate of a Learned Network
#'
#' Returns what the search proved about a network: that its structure is optimal, or how far its
#' score can be from the optimum.
#'
#' @param network a network that was learned by this package. The certificate of a dynamic network
#'   is that of its transition network.
#' @param x a certificate.
#' @param row.names,optional as in [as.data.frame()].
#' @param ... ignored.
#'
#' @return `certificate()` gives an object of class `"optbn_certificate"`, a
#'   list with the components
#'   * `status`: `"optimal"`, no network within the settings scores higher; `"bounded"`, none scores
#'     higher than `bound` (with `settings$complete`, none over the parent sets that were scored);
#'     `"heuristic"`, local search ended without a proof;
#'   * `score`, `bound` and `gap` = `bound - score`: natural logarithms, larger is better;
#'   * `reason`: why the search stopped early: `"time_limit"`, `"interrupt"` (Ctrl-C), `"effort"`
#'     (the usual amount of work without a time limit was done) or `"gap"` (the requested gap was
#'     reached); otherwise `NULL`;
#'   * `method` of the search; `effort`, a named list of counts, such as `subsets` of dynamic
#'     programming, `nodes` of the search tree and `parent_sets`; `seconds` of the search (`NA`
#'     without timing, see *Timing*);
#'   * `settings`, a list:
#'     * `score`, an object with its hyper-parameters, and `max_parents` of every node;
#'     * `whitelist` and `blacklist`: `NULL`, or matrices with a row for each arc; `candidates`, a
#'       matrix of the arcs considered, if that argument was given;
#'     * `source` of the local scores, `"data"` or the name of a file, and `rows`, the number of
#'       rows; `missing`, `"expected scores"` after structural EM;
#'     * `complete` and `larger`, if not all parent sets were scored, and `slack`, if sets were kept
#'       that no optimal network needs: see [parent_sets()];
#'     * `in_order`, the factors whose levels trees cut in an order (see [score_pcart()]), and
#'       `left_out`, the factors with so many levels that they are not parents unless `max_parents`
#'       is given;
#'     * if they were given: `targets`, a list of the `sets` of nodes that were set together and the
#'       number of `rows` of each; `ancestors`; `max_arcs`;
#'     * of [learn_k_best()], `rank`, `equivalence` (`TRUE` if classes were ranked) and `among`, if
#'       networks beyond the given parent sets may score higher; `class` of [learn_classifier()];
#'       `treewidth` and `k_tree` of [learn_treewidth()];
#'   * `trace`: a data frame with columns `seconds`, `score` and `bound`, and a row for each
#'     improvement of either; `NULL` without timing;
#'   * `parts`, of [learn_dag()]: a data frame with a row for each group of nodes that was searched
#'     separately: the number of `nodes`, the `method` (`"bound"`: local search met the bound),
#'     `score`, `bound`, and whether its optimum is `proved`;
#'   * `multipliers`, of [learn_dag()]: the Lagrange multipliers of the first bound of a tree
#'     search, from which [verify_certificate()] recomputes it: `clusters`, lists of `nodes`
#'     (numbers), `k` and `price`; `groups`, lists of `nodes` and `charge`; and `arc_price`, the
#'     multiplier of `max_arcs`;
#'   * `node_scores`: the local scores, named by the nodes, which sum to `score`;
#'   * `k_tree` and `unbounded`, of [learn_treewidth()]: the [k-tree][k_tree-class] that proves the
#'     tree-width, and a list with the `bound` for networks of any tree-width and whether it is
#'     `proved` to be the best score of these;
#'   * `proof`: the name of the file with a proof, if one was written (see [write_proof()]);
#'   * `em`: the steps of structural EM, see *Missing Values* in [learn_dag()];
#'   * `arcs`: a matrix of the arcs to which the certificate applies;
#'   * `version` of the package that learned the network, and `seal`, a hash of the certificate by
#'     which a change is detected;
#'   * `valid`: does the network still have these arcs, and is the certificate unchanged?
#'   * `relation`, if the network has other arcs, but is the equivalence class, skeleton or moral
#'     graph of the network with these arcs (`bnlearn::cpdag()`, `skeleton()`, `moral()`), or that
#'     network without all arcs into some nodes (`mutilated()`): a sentence that says so.
#'
#'   `print()` returns the certificate invisibly; `format()` returns the lines that it prints;
#'   `as.data.frame()` returns one row with columns `score`, `bound`, `gap`, `status`, `scope` (the
#'   parent sets over which bound and status hold, in words), `method`, `reason`, `seconds` and
#'   `valid`.
#'
#' @section Errors: `optbn_error_argument` for a network without a certificate; `optbn_error_model`
#'   for a certificate that was changed and cannot be read.
#'
#' @section Timing:
#' Search times differ from run to run, and so do objects that contain them. With
#' `options(optbn.timing = FALSE)` results of learners contain no times (they are `NA`, and a
#' certificate has no `trace`). Two runs with the same arguments and the same random seed are then
#' `identical()`, unless a time limit stopped them. Pipelines, such as those of package
#' \pkg{targets}, need this to skip steps whose inputs have not changed. (Density models and
#' posteriors contain an environment, which `identical()` compares by address; saved to files, they
#' are the same.)
#'
#' @seealso [optbn-class] for the networks.
#' @examples
#' network <- learn_dag(attitude, "bge")
#' certificate(network)
#' certificate(network)$gap
#' @export
certificate <- function(network) {
  require_arguments()
  if (inherits(network, "optbn_dynamic")) network <- check_sound(network)$transition
  if (!inherits(network, "optbn") || !has_certificate(network)) {
    abort_optbn(
      "argument",
      c("{.arg network} must have been learned by {.pkg optbn}.",
        x = "It is {describe(network)}, without a certificate.",
        i = "Functions that learn again, such as {.code bnlearn::hc()}, drop the certificate.")
    )
  }
  check_sound(network)
  record <- check_readable(structure(network$learning$optbn, class = "optbn_certificate"))
  record["reason"] <- list(record$reason)
  record$valid <- is_sealed(record) &&
    setequal(arc_labels(record$arcs), arc_labels(network$arcs)) &&
    identical(names(record$node_scores), names(network$nodes))
  if (!record$valid && is_sealed(record)) record$relation <- derivation(network, record)
  record
}

# A seal that holds says that all parts are there.
check_readable <- function(certificate, call = parent.frame()) {
  if (is_sealed(certificate)) certificate else check_sound(certificate, call)
}

# The certificate of a network that has one; NULL if it cannot be read.
readable_certificate <- function(network) {
  tryCatch(certificate(network), optbn_error_model = function(unused) NULL)
}

# The score that it speaks of. What an edited one says of columns is left to be computed again.
recorded_score <- function(certificate) {
  score <- certificate$settings$score
  if (!is.null(score) && !is_sealed(certificate)) score$columns <- NULL
  score
}

# Does what it says hold of the network?
applies <- function(certificate) is_sealed(certificate) && isTRUE(certificate$valid)

#' @rdname certificate
#' @export
print.optbn_certificate <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @rdname certificate
#' @export
format.optbn_certificate <- function(x, ...) {
  check_readable(x)
  sealed <- is_sealed(x)
  c(
    cli::style_bold("Certificate of a Bayesian network"),
    format_facts(c(
      status = if (sealed) format_status(x) else format_edited(),
      network = if (sealed && !isTRUE(x$valid)) x$relation %||% format_changed(),
      score = format_score(x),
      bound = if (is.finite(x$bound)) format_log(x$bound),
      gap = if (is.finite(x$gap)) format_gap(x$gap),
      "tree-width" = format_treewidth(x, proof = sealed),
      search = format_search(x),
      format_em_search(x$em),
      effort = format_effort(x$effort),
      trace = format_trace(x$trace),
      format_settings(x$settings),
      proof = x$proof,
      "made by" = paste("optbn", x$version)
    ))
  )
}

#' @rdname certificate
#' @export
as.data.frame.optbn_certificate <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_readable(x)
  data.frame(
    score = x$score,
    bound = x$bound,
    gap = x$gap,
    status = x$status,
    scope = scope_in_words(x$settings, length(x$node_scores)),
    method = x$method,
    reason = x$reason %||% NA_character_,
    seconds = x$seconds,
    valid = applies(x),
    row.names = row.names
  )
}

# ---- how a certificate is said ---------------------------------------------

# What is proved of a network, in a few plain words; with its tree-width where that is
# not printed elsewhere.
proof_in_words <- function(certificate, width = FALSE) {
  distance <- if (is.finite(certificate$gap)) {
    paste("at most", format_gap(certificate$gap), "from optimal")
  }
  settings <- certificate$settings
  proof <- switch(certificate$status,
    optimal = proved_rank(settings),
    bounded = if (is_closed(certificate)) "proved optimal" else distance,
    heuristic = paste(c("not proved optimal", distance), collapse = ", ")
  )
  among <- if (!is.null(settings$k_tree)) {
    "within its k-tree"
  } else if (width && isTRUE(settings$treewidth < length(certificate$node_scores) - 1L)) {
    paste("for tree-width", settings$treewidth)
  }
  scope <- if (is.finite(certificate$gap)) {
    paste("over", scope_in_words(settings, length(certificate$node_scores)))
  }
  expected <- if (!is.null(settings$missing)) "by expected scores"
  paste(c(proof, among, scope, expected), collapse = " ")
}

# Of the k best networks each is the best of what those before leave.
proved_rank <- function(settings) {
  if (is.null(settings$rank) || settings$rank == 1L) return("proved optimal")
  paste(c("proved", ordinal(settings$rank), "best", if (isTRUE(settings$equivalence)) "class"),
        collapse = " ")
}

# Is the score the bound, up to the rounding of sums?
is_closed <- function(certificate) certificate$gap <= 1e-12 * max(1, abs(certificate$score))

# Which parent sets a bound speaks of. Of a tree-width no node has more parents.
scope_in_words <- function(settings, nodes) {
  if (!identical(settings$source, "data")) return("the parent sets given")
  useful <- min(nodes - 1L, settings$treewidth)
  complete <- pmin(settings$complete %||% settings$max_parents, settings$max_parents)
  complete <- complete[settings$max_parents > 0] # of a node that must be a root there is one set
  least <- if (length(complete) > 0L) min(complete) else useful
  most <- min(max(complete, least), useful)
  larger <- settings$larger %||% 0
  sets <- if (least >= useful) {
    "all parent sets"
  } else if (least > 0L && larger == 0 && most > least) {
    paste("all sets within the limit of each node,", least, "to", most, "parents")
  } else if (least > 0L) {
    cli::format_inline("all sets of at most {least} parent{?s}")
  }
  more <- if (larger > 0 && least < useful) paste(format_count(larger), "larger ones")
  words <- paste(c(sets, more), collapse = " and ")
  if (is.null(sets)) words <- paste(format_count(larger), "chosen parent sets")
  paste0(words, if (!is.null(settings$candidates)) " of the arcs considered",
         if (!is.null(settings$left_out)) cli::format_inline(" without {settings$left_out}"),
         if (!is.null(settings$in_order)) {
           cli::format_inline(", levels of {settings$in_order} cut in order")
         })
}

format_status <- function(certificate) {
  open <- !is_closed(certificate) && is.finite(certificate$gap)
  words <- paste0(proof_in_words(certificate, width = TRUE),
                  if (open) paste0(" (bound ", format_log(certificate$bound), ")"))
  words <- switch(certificate$status,
    optimal = cli::col_green(cli::symbol$tick, " ", words),
    bounded = cli::col_yellow(words),
    heuristic = words
  )
  stopped <- switch(certificate$reason %||% "",
    time_limit = ", stopped at the time limit",
    interrupt = ", stopped by the user",
    gap = ", within the requested gap",
    effort = ", stopped after its usual effort: update() continues"
  )
  paste0(words, stopped)
}

format_changed <- function() {
  cli::col_red(cli::symbol$cross,
               " changed since it was learned: the certificate no longer applies")
}

format_edited <- function() {
  cli::col_red(cli::symbol$cross,
               " the certificate was changed since it was made: nothing is proved")
}

# The score's own words when it is known, otherwise where the numbers came from.
format_score <- function(certificate) {
  settings <- certificate$settings
  by <- if (is.null(settings$score)) settings$source else format(settings$score)
  paste0(format_log(certificate$score), ", ", by)
}

format_search <- function(certificate) {
  seconds <- if (!is.na(certificate$seconds)) format_seconds(certificate$seconds)
  paste(c(certificate$method, seconds), collapse = ", ")
}

format_treewidth <- function(certificate, proof = TRUE) {
  width <- certificate$settings$treewidth
  if (is.null(width)) return(NULL)
  proof <- if (proof && !is.null(certificate$k_tree)) "(proved by a k-tree)"
  paste(c("at most", min(width, certificate$k_tree$treewidth), proof), collapse = " ")
}

format_effort <- function(effort) {
  if (length(effort) == 0L) return(NULL)
  counts <- vapply(effort, format_count, "")
  words <- sub("^k ", "k-", gsub("_", " ", names(effort), fixed = TRUE))
  paste(counts, words, collapse = ", ")
}

format_trace <- function(trace) {
  if (is.null(trace) || nrow(trace) < 2L) return(NULL)
  first <- trace[1L, ]
  best <- trace[match(max(trace$score), trace$score), ]
  cli::format_inline(
    "{nrow(trace)} step{?s}, from {format_log(first$score)} to {format_log(best$score)} ",
    "after {format_seconds(best$seconds)}"
  )
}

# One fact for each setting that says something, named for a line of its own.
format_settings <- function(settings) {
  known <- c("score", "max_parents", "whitelist", "blacklist", "source", "ancestors", "max_arcs",
             "slack", "treewidth", "k_tree", "candidates", "complete", "larger", "in_order",
             "left_out", "missing", "targets")
  others <- settings[setdiff(names(settings), known)]
  others <- Filter(function(value) is.atomic(value) && length(value) == 1L, others)
  count_arcs <- function(arcs) if (NROW(arcs) > 0L) cli::format_inline("{nrow(arcs)} arc{?s}")
  c(
    parents = format_limits(settings$max_parents),
    whitelist = count_arcs(settings$whitelist),
    blacklist = count_arcs(settings$blacklist),
    candidates = count_arcs(settings$candidates),
    paths = format_paths(settings$ancestors),
    arcs = if (!is.null(settings$max_arcs)) paste("at most", settings$max_arcs),
    source = settings$source,
    targets = format_targets(settings$targets),
    vapply(others, format, "")
  )
}

format_paths <- function(ancestors) {
  if (is.null(ancestors)) return(NULL)
  counts <- c(required = sum(ancestors$required), forbidden = sum(!ancestors$required))
  counts <- counts[counts > 0L]
  paste(counts, names(counts), collapse = ", ")
}

format_limits <- function(max_parents) {
  if (is.null(max_parents)) return(NULL)
  fewer <- if (min(max_parents) < max(max_parents)) ", fewer at some nodes"
  paste0("at most ", max(max_parents), fewer)
}

# Scores and bounds to a thousandth of a nat; gaps to three digits.
format_log <- function(x) formatC(x, digits = 3L, format = "f")

format_gap <- function(x) format(signif(x, 3L), big.mark = ",")
