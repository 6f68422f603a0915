# Proofs that travel: files that a stranger can check with a program of his own.
#
# The core writes the steps of a proof as it searches (src/core/structure/proof), and puts them
# together; here the file is compressed, and what has no proof is refused. The language is described
# in src/checker/check_proof.cpp, the program that checks.

#' Write a Proof of Optimality
#'
#' Writes a file that proves that no network over the same candidate parent sets scores more than
#' the given one, or more than a bound. Anyone can check it without trusting the search:
#' [check_proof()], and a program in one C++ file, repeat the computation in integer arithmetic.
#' `learn_dag(..., proof = file)` writes such a file during the search.
#'
#' @details
#' The function repeats the search from the network and records it: the multipliers of inequalities,
#' and the nodes of the search tree with the reason for pruning each. (The checker computes tables
#' of dynamic programming itself, as they have no shorter proof.) If the search stops early, the
#' proof is for its bound.
#'
#' The proof refers to the exact scores of the candidate sets. Publish it together with them, in a
#' file of [write_jkl()]. Required and forbidden arcs, and limits on the number of parents, are part
#' of the proof if they exclude candidate sets in `x`; the checker applies them itself.
#'
#' The following have no such proof and give an error: bounded tree-width, required or forbidden
#' paths (`ancestors`), limits on the number of arcs (`max_arcs`), and networks of [learn_k_best()]
#' other than the best.
#'
#' For discrete data and the scores BIC, AIC and BDeu, the file also describes the data and scores
#' from which the candidate sets were computed, and the number of parents up to which they are
#' complete, so that `check_proof(data = )` can check this, too.
#'
#' VIPR and VeriPB are proof languages for general integer programs. Proofs that branch only on arcs
#' can be written as VIPR certificates (Cheung, Gleixner & Steffy 2017): `bench/vipr.R` of the
#' sources does this for nineteen instances, and `viprchk` accepts them. VeriPB (Gocht & Nordstrom
#' 2021) supports the same steps and has a checker that is itself verified. A search over orders has
#' no short proof in either, so this package has its own language.
#'
#' @param network A network from [learn_dag()], or the best one from [learn_k_best()].
#' @param x The [parent_sets()] over which it was learned, or the data, from which the parent sets
#'   are then computed again; `NULL` for the parent sets that the network keeps (see [learn_dag()]).
#' @param file The name of the file. If it ends in `.gz`, it is compressed.
#' @param ... Must be empty: the arguments after it must be named.
#' @param time_limit Seconds after which a proof of the current bound is written; `NULL` for the
#'   usual effort and `Inf` for no limit, see [learn_dag()].
#' @inheritParams learn_dag
#' @return The network, invisibly, with the certificate of the search that wrote the proof, which
#'   includes the name of the file. If that search finds a better network, it returns this one, and
#'   a message announces it.
#' @section Errors: `optbn_error_argument` if the network has no certificate that applies, `x` is
#'   not what it was learned from, no such proof exists (see *Details*), or the file cannot be
#'   written.
#' @references
#' Cheung, Gleixner & Steffy (2017) \doi{10.1007/978-3-319-59250-3_13}; Gocht & Nordstrom (2021)
#' \doi{10.1609/aaai.v35i5.16494}.
#' @seealso [check_proof()], [write_jkl()], [certificate()].
#' @examples
#' sets <- parent_sets(attitude, "bic-g")
#' network <- learn_dag(sets)
#' file <- tempfile(fileext = ".gz")
#' write_proof(network, sets, file)
#' check_proof(file, sets)
#' @export
write_proof <- function(network, x = NULL, file, ..., weights = NULL, targets = NULL,
                        threads = NULL, time_limit = NULL, memory_limit = NULL,
                        progress = interactive()) {
  require_arguments()
  call <- environment()
  check_no_dots()
  record <- certificate(network)
  if (!applies(record)) abort_unproved("its certificate no longer applies", call)
  settings <- record$settings
  refuse_unprovable(settings, call)
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)
  if (is.null(x)) x <- kept_sets(network, "network", call)
  check_rescorable(x, settings, call)
  x <- encode_again(x, settings, weights, targets, limits, call)
  constraints <- constraints_on(x, settings$whitelist, settings$blacklist, NULL,
                                settings$max_parents, call)
  limits$proof <- begin_proof(file, "file", constraints, call)
  sets <- sets_as_before(x, names(network$nodes), settings, weights, limits, call, network)
  if (!is_same_problem(record, network, sets) || !same_scope(settings, search_settings(sets))) {
    abort_optbn("argument",
                c("{.arg x} must be what {.arg network} was learned from.",
                  x = "Its parent sets or their scores differ.",
                  i = paste("{.code parent_sets(network)} gives those that a network keeps;",
                            "{.code learn_dag(proof =)} writes the proof as it learns.")),
                call = call)
  }
  limits$proof$scores <- claim_of_scores(x, sets)
  proved <- search_dag(sets, "auto", start = network, gap = 0, limits, call)
  if (certificate(proved)$score > record$score + 1e-9 * max(1, abs(record$score))) {
    announce(c("A better network than {.arg network} was found, and the proof is for it.",
               i = "{.fn write_proof} returns it."))
  }
  invisible(proved)
}

abort_unproved <- function(why, call) {
  abort_optbn("argument",
              c("No proof can be written for {.arg network}.", x = "{capitalise(why)}.",
                i = "See {.help write_proof} for what can be proved."),
              call = call)
}

refuse_unprovable <- function(settings, call) {
  why <- if (!is.null(settings$treewidth)) {
    "its tree-width is bounded, which the language of proofs cannot express"
  } else if (!is.null(network_constraints_of(settings))) {
    "its search was constrained by {.arg ancestors} or {.arg max_arcs}"
  } else if (isTRUE(settings$rank > 1)) {
    "it is not the best network of its list"
  }
  if (!is.null(why)) abort_unproved(cli::format_inline(why), call)
}

# `proof` of learn_dag(): NULL, or what begin_proof() gives.
begin_proof_of <- function(proof, method, global, call, constraints) {
  if (is.null(proof)) return(NULL)
  why <- if (!is.null(global)) {
    "{.arg ancestors} and {.arg max_arcs} constrain the whole network."
  } else if (!method %in% proving_methods) {
    "{.val {method}} writes no proof; {.val {proving_methods}} do."
  }
  if (!is.null(why)) {
    abort_optbn("argument", c("{.arg proof} cannot be written here.", x = why), call = call)
  }
  begin_proof(proof, "proof", constraints, call)
}

proving_methods <- c("auto", "dp", "lagrangian", "branch-and-cut")

# The file, which can be written, and the constraints in the words of the language.
begin_proof <- function(file, arg, constraints, call) {
  file <- check_file_name(file, arg, call)
  folder <- dirname(file)
  writable <- file.access(if (file.exists(file)) file else folder, 2L) == 0L &&
    file.access(folder, 2L) == 0L && !dir.exists(file)
  if (!writable) abort_unwritable(file, arg, call)
  list(file = file.path(normalizePath(folder), basename(file)), constraints = constraints)
}

# The constraints that exclude some of the parent sets given, one a line. Sets made from data are
# within theirs.
constraints_on <- function(x, whitelist, blacklist, tiers, max_parents, call) {
  if (!inherits(x, "optbn_parent_sets")) return(character())
  constraints <- check_constraints(x$nodes, whitelist, blacklist, max_parents, tiers, call)
  lines <- lapply(seq_along(x$nodes), function(v) {
    sets <- x$sets[[v]]
    most <- constraints$max_parents[v]
    holding <- tabulate(sets$parents, length(x$nodes)) # sets, by parent
    required <- constraints$required[[v]]
    required <- required[holding[required] < length(sets$size)]
    forbidden <- constraints$forbidden[[v]]
    forbidden <- forbidden[holding[forbidden] > 0L]
    line <- function(word, numbers) sprintf("%s %d %d", word, as.integer(numbers), v - 1L)
    c(line("requires", required - 1L), line("forbids", forbidden - 1L),
      line("limits", if (any(sets$size > most)) most))
  })
  as.character(unlist(lines))
}

# What the core is given: files in a folder where there is room for the proof, and for few nodes,
# costs of which the checker in R can make exact sums.
options_of_proof <- function(proof, sets) {
  if (is.null(proof)) return(NULL)
  folder <- dirname(proof$file)
  files <- list(steps = tempfile("steps", folder), whole = tempfile("proof", folder),
                constraints = proof$constraints)
  list(proof = files, cost_bits = if (length(sets$nodes) <= most_nodes_in_r) 52L else 59L)
}

# The proof in its place, compressed where its name says so.
keep_proof <- function(files, proof) {
  if (is.null(proof)) return(invisible())
  from <- base::file(files$whole, "rb")
  to <- if (grepl("\\.gz$", proof$file)) {
    gzfile(proof$file, "wb", compression = 5) # in half the time of 6, for 4 % more bytes
  } else {
    base::file(proof$file, "wb")
  }
  on.exit({
    close(from)
    close(to)
  })
  while (length(chunk <- readBin(from, "raw", 2^22)) > 0L) writeBin(chunk, to)
  if (!is.null(proof$scores)) writeBin(charToRaw(paste0(proof$scores, "\n", collapse = "")), to)
}
