# Priors over structures, as part of a score: what each arc is worth before any row is seen.

#' Structure Priors
#'
#' @description
#' Prior distributions over structures as part of a Bayesian score: the logarithm of the prior
#' probability of the structure, up to a constant, is added to the log marginal likelihood. Names,
#' conventions and values of the first four are those of package bnlearn. For `"marginal"`, `"cs"`
#' and `"network"`, the score increases for each pair of nodes by the logarithm of three times the
#' probability of its case (an arc in either direction, or none), so a probability of 1/3
#' contributes 0.
#'
#' * `"uniform"`: adds 0.
#' * `"vsp"`, the *variable selection prior*: each possible parent is in a parent set with
#'   probability `beta`, so an arc adds \eqn{\log(\beta / (1 - \beta))}{log(beta / (1 - beta))}. By
#'   default `beta` is 1 / (number of nodes - 1), at most 1/2: the expected number of parents is
#'   one.
#' * `"marginal"`: two nodes have an arc with probability `beta` (by default 0.5), half of it for
#'   each direction (the marginal uniform prior).
#' * `"cs"`, after Castelo and Siebes: the probabilities of single arcs, as a data frame `beta` with
#'   columns `from`, `to` and `prob`. The remaining probability of a pair of nodes is divided
#'   equally among the unspecified cases. An unspecified pair has 1/3 for each direction, and 1/3
#'   for no arc.
#' * `"network"`, after Heckerman, Geiger and Chickering: every arc that is in only one of the
#'   structure and the prior `network` multiplies the prior probability by `beta` (by default 0.5).
#'   A reversed arc counts twice. In bnlearn, the equivalent is `"cs"` with a row for each pair of
#'   nodes.
#'
#' @details
#' In all of these priors, pairs of nodes are independent apart from acyclicity. Searches therefore
#' take the same time as without a prior, with the same proofs. `"cs"` and `"network"` are not the
#' same for all networks of an equivalence class.
#'
#' For `"cs"`, probabilities of 0 and 1 are moved by less than 5e-8, as in bnlearn's learners. Use
#' `whitelist` and `blacklist` for required and forbidden arcs.
#'
#' @param type `"uniform"`, `"vsp"`, `"marginal"`, `"cs"` or `"network"`.
#' @param beta A number between 0 and 1, or for `"cs"` a data frame, see *Description*. `NULL` means
#'   the default.
#' @param network The prior network of `"network"`: a bnlearn `bn`, a network of this package, a
#'   model string, or an adjacency matrix.
#' @return An object of class `optbn_structure_prior`, for the argument `prior` of [score_bde()] and
#'   other Bayesian scores.
#' @section Errors: `optbn_error_argument` for an invalid `beta`, or if `network` is missing or not
#'   needed. Arcs and nodes are compared with the columns of the data only during scoring.
#' @references
#' Castelo & Siebes (2000) \doi{10.1016/S0888-613X(99)00041-9};
#' Heckerman, Geiger & Chickering (1995) \doi{10.1007/BF00994016}, section 7;
#' Scutari (2013) \doi{10.1214/13-BA819} (marginal uniform prior).
#' @seealso [score_discrete], [score_gaussian].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' believed <- structure_prior("cs", data.frame(from = "Sex", to = "Survived", prob = 0.9))
#' score_network("[Class][Sex][Age][Survived|Sex]", titanic[1:4],
#'   score_bde(iss = 10, prior = believed), weights = titanic$Freq)
#' @export
structure_prior <- function(type = c("uniform", "vsp", "marginal", "cs", "network"), beta = NULL,
                            network = NULL) {
  call <- environment()
  type <- check_choice(type, c("uniform", "vsp", "marginal", "cs", "network"), "type", call = call)
  if (type == "cs") {
    beta <- check_arc_probabilities(beta, call)
  } else if (!is.null(beta)) {
    beta <- check_number(beta, "beta", above = 0, below = 1, call = call)
  }
  if ((type == "network") != !is.null(network)) {
    abort_optbn("argument",
                c("{.arg network} is the prior network of type {.val network}.",
                  x = if (type == "network") "It is missing." else "The type is {.val {type}}."),
                call = call)
  }
  if (!is.null(network)) network <- as_network_structure(network, "network", call)
  structure(Filter(Negate(is.null), list(type = type, beta = beta, network = network)),
            class = "optbn_structure_prior")
}

check_arc_probabilities <- function(beta, call) {
  sound <- is.data.frame(beta) && all(c("from", "to", "prob") %in% names(beta)) &&
    is.numeric(beta$prob) && all(is.finite(beta$prob) & beta$prob >= 0 & beta$prob <= 1)
  if (!sound) {
    abort_optbn("argument",
                c("{.arg beta} must be a data frame with columns from, to and prob.",
                  x = "It is {describe(beta)}.",
                  i = "The last one holds probabilities of arcs."), call = call)
  }
  beta <- data.frame(from = as.character(beta$from), to = as.character(beta$to), prob = beta$prob)
  twice <- duplicated(beta[c("from", "to")])
  if (any(twice) || any(beta$from == beta$to)) {
    odd <- beta[which(twice | beta$from == beta$to)[1L], ]
    abort_optbn("argument",
                c("{.arg beta} must name each arc once, between two nodes.",
                  x = "The arc {.val {odd$from}} -> {.val {odd$to}} does not fit."), call = call)
  }
  beta
}

#' @export
sound_parts.optbn_structure_prior <- function(model) {
  network <- if (is.list(model)) model$network
  demand(
    "it is not one of the priors" = is.list(model) && is_string(model$type) &&
      model$type %in% c("uniform", "vsp", "marginal", "cs", "network"),
    "its probabilities are invalid" = if (model$type == "cs") {
      is.list(check_arc_probabilities(model$beta, NULL))
    } else {
      is.null(model$beta) || (are_finite(model$beta, 1L) && model$beta > 0 && model$beta < 1)
    },
    "its network is invalid" = model$type != "network" || is_plain_list(network) &&
      are_names(network$nodes) && is_plain_list(network$parents, length(network$nodes)) &&
      all(vapply(network$parents, are_counts, NA, NULL, 1, length(network$nodes)))
  )
}

# A label, or a prior, as a prior; NULL for the uniform one.
as_structure_prior <- function(prior, call) {
  if (inherits(prior, "optbn_structure_prior")) {
    check_sound(prior, call)
  } else {
    labels <- c("uniform", "vsp", "marginal")
    if (!(is_string(prior) && prior %in% labels)) {
      abort_optbn("argument",
                  c("{.arg prior} must be one of {.val {labels}}, or a {.fn structure_prior}.",
                    x = "It is {describe(prior)}."), call = call)
    }
    prior <- structure_prior(prior)
  }
  if (prior$type != "uniform") prior
}

#' @export
format.optbn_structure_prior <- function(x, ...) {
  beta <- if (is.numeric(x$beta)) paste0(" (beta = ", format(x$beta, digits = 4), ")")
  paste0(x$type, beta)
}

#' @export
print.optbn_structure_prior <- function(x, ...) {
  cat("<structure prior> ", format(x), "\n", sep = "")
  invisible(x)
}

# ---- what arcs are worth ------------------------------------------------------------------------

# Of a prior over these nodes: `constant`, by node, and for arcs `every`, one number, or `single`, a
# matrix with a row for each parent and a column for each child. Logarithms of probabilities, where
# 1/3 counts as 0; a node has the constants of its pairs with later nodes.
worth_of_arcs <- function(prior, nodes, call) {
  n <- length(nodes)
  beta <- prior_beta(prior, nodes)
  switch(prior$type,
    vsp = list(constant = numeric(n), every = log(beta / (1 - beta))),
    marginal = list(constant = log(3 * (1 - beta)) * (n - seq_len(n)),
                    every = log(beta / 2 / (1 - beta))),
    cs = , network = {
      log <- log_probabilities(prior, nodes, call)
      list(constant = rowSums(ifelse(upper.tri(log$none), log(3) + log$none, 0)),
           single = log$arc - log$none)
    }
  )
}

prior_beta <- function(prior, nodes) {
  prior$beta %||% switch(prior$type, vsp = 1 / max(2, length(nodes) - 1), 0.5)
}

# Of every arc, and of none between two nodes: `arc` and `none`, matrices; 1/3 on their diagonals.
# (Not as a difference of probabilities, which a small `beta` would lose in rounding.)
log_probabilities <- function(prior, nodes, call) {
  if (prior$type == "cs") {
    probability <- probable_arcs(prior$beta, nodes, call)
    return(list(arc = log(probability), none = log(1 - probability - t(probability))))
  }
  known <- known_arcs(prior$network, nodes, call)
  beta <- prior_beta(prior, nodes)
  # How many arcs are in one of the two but not in the other.
  differ <- list(arc = (!known) + t(known), none = known + t(known))
  total <- beta^differ$arc + t(beta^differ$arc) + beta^differ$none
  log <- lapply(differ, function(arcs) arcs * log(beta) - log(total))
  lapply(log, `diag<-`, log(1 / 3))
}

known_arcs <- function(network, nodes, call) {
  check_same_nodes(network$nodes, nodes,
                   "The prior network and {.arg data} must have the same nodes.", call)
  column <- match(network$nodes, nodes)
  known <- matrix(FALSE, length(nodes), length(nodes))
  for (v in seq_along(column)) known[column[network$parents[[v]]], column[v]] <- TRUE
  known
}

probable_arcs <- function(arcs, nodes, call) {
  unknown <- setdiff(c(arcs$from, arcs$to), nodes)
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                "{.arg beta} has arcs of {.val {unknown}}, no column{?s} of {.arg data}.",
                call = call)
  }
  arc <- cbind(match(arcs$from, nodes), match(arcs$to, nodes))
  reversed <- arc[, 2:1, drop = FALSE]
  probability <- matrix(NA_real_, length(nodes), length(nodes))
  probability[arc] <- arcs$prob
  left <- is.na(probability[reversed])
  probability[reversed[left, , drop = FALSE]] <- (1 - arcs$prob[left]) / 2
  probability[is.na(probability)] <- 1 / 3
  both <- probability + t(probability)
  if (any(both > 1.01)) {
    pair <- nodes[which(both > 1.01, arr.ind = TRUE)[1L, ]]
    abort_optbn("argument",
                c("Probabilities of the arcs between two nodes must not exceed 1 together.",
                  x = "Those between {.val {pair[1L]}} and {.val {pair[2L]}} do."), call = call)
  }
  away_from_certainty(probability / pmax(both, 1))
}

# As bnlearn moves what is almost 0 or 1.
away_from_certainty <- function(probability) {
  tolerance <- sqrt(.Machine$double.eps)
  certain <- function(p) p < tolerance | p > 1 - tolerance
  extreme <- certain(probability) | certain(t(probability)) |
    certain(1 - probability - t(probability))
  ifelse(extreme, (1 - 3 * tolerance) * probability + tolerance, probability)
}

# The prior as bnlearn keeps it in a network.
bnlearn_prior <- function(prior, nodes) {
  if (is.null(prior)) return(list(prior = "uniform"))
  beta <- prior_beta(prior, nodes)
  switch(prior$type,
    vsp = list(prior = "vsp", beta = beta),
    marginal = list(prior = "marginal", beta = structure(beta, nodes = nodes)),
    {
      probability <- exp(log_probabilities(prior, nodes)$arc)
      list(prior = "cs", beta = bnlearn_probabilities(probability, nodes))
    }
  )
}

# Pairs of nodes in the order of their numbers in the upper triangle, which count from 0.
bnlearn_probabilities <- function(probability, nodes) {
  n <- length(nodes)
  pairs <- which(upper.tri(probability), arr.ind = TRUE)
  pairs <- pairs[order(pairs[, 1L], pairs[, 2L]), , drop = FALSE]
  forwards <- probability[pairs]
  backwards <- t(probability)[pairs]
  aid <- seq_len(nrow(pairs)) - 1L
  said <- abs(forwards - 1 / 3) > 1e-15 | abs(backwards - 1 / 3) > 1e-15
  beta <- data.frame(from = nodes[pairs[, 1L]], to = nodes[pairs[, 2L]], aid = aid, fwd = forwards,
                     bkwd = backwards)[said, ]
  rownames(beta) <- NULL
  structure(beta, class = c("prior", "prior.cs", "data.frame"), nodes = nodes)
}
