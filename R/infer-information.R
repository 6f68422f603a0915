# Entropy, mutual information and Kullback-Leibler divergence of models, exactly.
#
# The log-density of a model is a sum of *terms*, each a function of few discrete nodes:
#   a table          log P(node | parents), an array over the family;
#   a regression     -log sd - log(2 pi) / 2, an array over the discrete parents, and
#                    minus half the squared residual in units of sd, which is no term;
#   a cutset network a term for every place of its tree of cuts and every member of its
#                    trees, which counts only where the row passes there: its `given`.
# The expectation of a term under a model takes the joint distribution of the term's
# nodes, one query of its junction tree, and no more. So
#   H(p) = -E_p log p   and   KL(p, q) = E_p log p - E_p log q
# never need the joint distribution of everything, and q needs no junction tree. Terms
# over the same nodes are added up first: families that p and q share take one query, and
# what is equal cancels exactly.
#
# What squared residuals take is in R/infer-information-normal.R.

#' Entropy, Mutual Information and Kullback-Leibler Divergence of Models
#'
#' Computes information measures of fitted networks and density models, exactly by inference in the
#' model, without data or random draws. `entropy()` measures the joint uncertainty of some nodes,
#' `mutual_information()` the information of some nodes about others, and `kl_divergence()` the
#' divergence of one model from another. All are in nats (natural logarithms); divide by `log(2)`
#' for bits.
#'
#' @param model,p,q A fitted network from [fit_network()] or of bnlearn's class `bn.fit`; a network
#'   from [compile_network()]; or a [density model][optbn_density-class]. `p` and `q` must have the
#'   same nodes with the same levels, in any order, and may be of different kinds.
#' @param nodes The names of the nodes for the joint entropy; `NULL` for all.
#' @param x,y,given Disjoint sets of names of nodes; `given` may be `NULL`.
#' @param progress Show a progress bar for networks with continuous nodes?
#'
#' @details
#' \deqn{H(X) = -E \log p(X)}{H(X) = -E log p(X)}
#' \deqn{I(X; Y | Z) = H(X, Z) + H(Y, Z) - H(X, Y, Z) - H(Z)}{
#'   I(X; Y | Z) = H(X, Z) + H(Y, Z) - H(X, Y, Z) - H(Z)}
#' \deqn{KL(p, q) = E_p [\log p(X) - \log q(X)]}{KL(p, q) = E_p [log p(X) - log q(X)]}
#'
#' with \eqn{0 \log 0 = 0}{0 log 0 = 0}. Entropies of continuous nodes are differential: they may be
#' negative, and depend on the units of the columns; mutual information and divergence do not. The
#' divergence is not symmetric. It is `Inf` if a row has probability 0 under `q` but not under `p`.
#' (With `method = "bayes"`, fits give no row probability 0.)
#'
#' * *Discrete networks*: the entropy of all nodes, or of a set that contains the parents of its
#'   nodes, is a sum over families and uses the joint distribution of each. So is the divergence,
#'   over the families of `p` and `q`. These distributions come from the junction tree of `p`. If
#'   the nodes of a family of `q` are in different cliques, the family takes more time and memory,
#'   see [query()]. Other sets, and mutual information, use the joint distribution of all named
#'   nodes, with at most 1e8 numbers.
#' * *Gaussian networks*: closed forms.
#' * *Networks of discrete and continuous nodes*, tables and linear regressions (conditional
#'   Gaussian): the entropy of all nodes, and the divergence of two such networks, are exact. For
#'   the divergence, the configurations of the discrete nodes on which a continuous family depends
#'   are enumerated. If there are more than a million, means and covariances are averaged over a
#'   discrete node as soon as nothing else depends on it. This is also exact, and allows up to ten
#'   million configurations at a time. The entropy of a set has a closed form if the set contains
#'   all discrete nodes on which its continuous ones depend. Otherwise these are a mixture of normal
#'   distributions, whose entropy has no closed form. The mutual information of a discrete and a
#'   continuous node therefore has none either.
#' * *Trees and discretised tables* over discrete parents count as tables or regressions. Those over
#'   continuous parents, and Student t distributions, have no closed form.
#' * *Density models*: cutset networks and Chow-Liu trees are treated like networks, by their cuts
#'   and trees. For mixtures and latent trees, all configurations are enumerated, at most 1e8; for
#'   sets of their nodes use [query()].
#'
#' Each call compiles a fitted network again. For several calls, compile it once with
#' [compile_network()].
#'
#' For Gaussian networks, the divergence equals that of `KL()` in package bnlearn. For discrete ones
#' it differs: `KL()` of bnlearn 4.9 adds up the divergences of all columns of the tables without
#' weighting them by the probabilities of the parents' configurations.
#'
#' @return A number. Mutual information and divergence are never negative: if rounding makes them
#'   negative, the result is 0.
#'
#' @section Errors: `optbn_error_argument` for names that are not nodes or are in two sets, and if
#'   `p` and `q` differ in nodes, in levels or in which nodes are continuous; `optbn_error_data` for
#'   a model or a set without a closed form, and for continuous nodes without a density (a
#'   regression of standard deviation 0, or a number set by an intervention); `optbn_error_memory`
#'   for more configurations than the limits above (a million for entropies); and the errors of
#'   [compile_network()] and [query()].
#'
#' @references
#' Kullback, S. and Leibler, R. A. (1951). On information and sufficiency. *Annals of Mathematical
#' Statistics* 22, 79-86. \doi{10.1214/aoms/1177729694}
#'
#' Cover, T. M. and Thomas, J. A. (2006). *Elements of Information Theory*, second edition, chapters
#' 2 and 8. Wiley. \doi{10.1002/047174882X}
#'
#' Lauritzen, S. L. (1992). Propagation of probabilities, means, and variances in mixed graphical
#' association models. *Journal of the American Statistical Association* 87, 1098-1108.
#' \doi{10.1080/01621459.1992.10476265}
#'
#' @seealso [query()], [log_density()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' entropy(fit)
#' entropy(fit, "Survived")
#' # information of sex about survival, and of class beyond that
#' mutual_information(fit, "Survived", "Sex")
#' mutual_information(fit, "Survived", "Class", given = "Sex")
#'
#' # the divergence of a network without the class
#' smaller <- fit_network("[Class][Sex][Age][Survived|Sex:Age]", titanic[1:4],
#'                        weights = titanic$Freq)
#' kl_divergence(fit, smaller)
#' kl_divergence(fit, learn_chow_liu(titanic[1:4], weights = titanic$Freq))
#'
#' # discrete and continuous nodes
#' flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]",
#'                        iris)
#' entropy(flowers)
#' mutual_information(flowers, "Petal.Length", "Petal.Width", given = "Species")
#' kl_divergence(flowers, fit_network("[Species][Petal.Length|Species][Petal.Width|Species]", iris))
#' @name information
NULL

#' @rdname information
#' @export
entropy <- function(model, nodes = NULL) {
  require_arguments()
  call <- environment()
  model <- with_joint(log_terms_of(model, "model", call), call)
  nodes <- if (is.null(nodes)) model$nodes else check_node_names(nodes, "nodes", model)
  entropy_of(model, nodes, function(missing) "Add {.val {missing}} to {.arg nodes}.", call)
}

#' @rdname information
#' @export
mutual_information <- function(model, x, y, given = NULL) {
  require_arguments()
  call <- environment()
  model <- with_joint(log_terms_of(model, "model", call), call)
  check_node_names(x, "x", model)
  check_node_names(y, "y", model)
  if (!is.null(given)) check_node_names(given, "given", model)
  sets <- list(x = x, y = y, given = given)
  check_disjoint(sets)
  if (all(unlist(sets) %in% model$discrete)) {
    return(max(0, discrete_information(model, sets, call)))
  }
  remedy <- function(missing) {
    if (any(missing %in% c(x, y))) {
      "The mutual information of a discrete and a continuous node has no closed form."
    } else {
      "Add {.val {missing}} to {.arg given}."
    }
  }
  signs <- list(c("x", "given"), c("y", "given"), c("x", "y", "given"), "given")
  entropies <- vapply(signs, function(parts) {
    entropy_of(model, unlist(sets[parts], use.names = FALSE), remedy, call)
  }, 0)
  max(0, sum(entropies * c(1, 1, -1, -1)))
}

#' @rdname information
#' @export
kl_divergence <- function(p, q, progress = interactive()) {
  require_arguments()
  call <- environment()
  progress <- check_progress(progress, call)
  p <- log_terms_of(p, "p", call)
  q <- log_terms_of(q, "q", call)
  check_alike(p, q, call)
  p <- with_joint(p, call)
  ours <- own_terms(p, p$nodes) %||% list(whole_term(p, call))
  theirs <- own_terms(q, p$nodes) %||% list(whole_term(with_joint(q, call), call))
  theirs <- lapply(theirs, relevel_term, q$levels, p$levels)
  # one of p, one of q, and so on: what is equal is next to each other when terms are added up
  turn <- order(c(seq_along(ours), seq_along(theirs)))
  logs <- expected_sum(p, c(lapply(ours, certain), lapply(theirs, negative))[turn], call)
  excess <- expected_excess(p, lapply(q$regressions, relevel_regression, p$levels), progress, call)
  max(0, logs + excess / 2)
}

# ---- what goes in -------------------------------------------------------------------------------

# A model in the terms of the head of this file, a list with
#   nodes, levels   names; by node its labels, NULL for a continuous one
#   discrete        names of the discrete nodes
#   terms           lists of `nodes`, `value` (an array over them) and `given` (labels by node),
#                   named by node in a network; NULL where the log-density is no such sum
#   parents         by node of a network, NULL of a density model
#   regressions     by continuous node, parents first: `levels` (labels by discrete parent),
#                   `continuous` (the other parents), `coefficients`, `sd`, as in local_model()
#   joint           what answers queries of discrete nodes; or `parts`, what to compile it from
# `arg` and `call`: what the user knows the model as, and called.
log_terms_of <- function(model, arg, call) UseMethod("log_terms_of")

#' @export
log_terms_of.default <- function(model, arg, call) abort_no_model(model, arg, call)

#' @export
log_terms_of.optbn_fit <- function(model, arg, call) {
  check_sound(model, call)
  check_densities(model, arg, call)
  check_closed_form(model$models, call)
  discrete <- model$nodes[!vapply(model$levels, is.null, NA)]
  continuous <- setdiff(model$nodes, discrete)
  regressions <- lapply(model$models[continuous], as_regression, call)
  if (length(continuous)) model["network"] <- list(NULL) # its tree-width is not that of a part
  model$nodes <- discrete
  for (part in c("models", "levels")) model[[part]] <- model[[part]][discrete]
  network_log_terms(names(model$parents), discrete_parts(model, call), regressions)
}

# A number to which an intervention has set a node has none.
check_densities <- function(model, arg, call) {
  held <- names(held_numbers(model))
  if (length(held)) {
    abort_optbn("data",
                c("{.arg {arg}} must have a density of all continuous nodes.",
                  x = "An intervention has set node{?s} {.val {held}} to a number.",
                  i = "Use the network without the intervention."),
                call = call)
  }
}

#' @export
log_terms_of.bn.fit <- function(model, arg, call) {
  check_sound(model, call)
  when_unsound({
    nodes <- names(model)
    local <- structure(unclass(model), class = NULL)
    discrete <- nodes[!vapply(local, function(node) is.null(node$prob), NA)]
    regressions <- lapply(local[setdiff(nodes, discrete)], regression_of_bnlearn)
    check_regression_numbers(names(regressions), lapply(regressions, `[[`, "coefficients"),
                             lapply(regressions, `[[`, "sd"), call)
    parts <- discrete_parts(structure(local[discrete], class = "bn.fit"), call)
    network_log_terms(nodes, parts, regressions)
  }, model, call)
}

#' @export
log_terms_of.optbn_compiled_network <- function(model, arg, call) {
  handle_of(model, call)
  when_unsound({
    parts <- list(levels = model$levels, parents = model$network$parents, models = model$models)
    network_log_terms(model$nodes, parts, list(), model)
  }, model, call)
}

#' @export
log_terms_of.optbn_compiled_gaussian <- function(model, arg, call) {
  check_sound(model, call)
  check_densities(model, arg, call)
  regressions <- lapply(seq_along(model$nodes), function(i) {
    parents <- model$nodes[model$parents[[i]]]
    list(levels = list(), continuous = parents, sd = model$spread[i],
         coefficients = matrix(c(model$intercept[i], model$slopes[[i]]),
                               dimnames = list(c("(Intercept)", parents), NULL)))
  })
  network_log_terms(model$nodes, list(levels = list()),
                      set_names(regressions, model$nodes))
}

#' @export
log_terms_of.optbn_compiled_mixed <- function(model, arg, call) {
  check_sound(model, call)
  check_densities(model, arg, call)
  nodes <- model$nodes
  local <- set_names(model$network$nodes, nodes)
  discrete <- nodes[!vapply(model$levels, is.null, NA)]
  tables <- Map(function(node, own) {
    parents <- nodes[own$discrete]
    new_table(node, parents, model$levels[c(node, parents)], own$table, 0L)
  }, discrete, local[discrete])
  regressions <- lapply(local[setdiff(nodes, discrete)], function(own) {
    continuous <- nodes[own$continuous]
    rows <- c("(Intercept)", continuous)
    list(levels = model$levels[nodes[own$discrete]], continuous = continuous,
         sd = sqrt(own$variance),
         coefficients = matrix(own$coefficients, length(rows), dimnames = list(rows, NULL)))
  })
  parts <- list(levels = model$levels[discrete], models = tables,
                parents = lapply(tables, function(table) match(table$parents, discrete)),
                prototype = model$prototype[discrete])
  network_log_terms(nodes, parts, regressions)
}

#' @export
log_terms_of.optbn_density <- function(model, arg, call) {
  handle_of(model, call)
  body <- model$components[[1L]]
  whole <- length(model$components) == 1L && !hidden_members(body)
  list(nodes = model$nodes, levels = model$levels, discrete = model$nodes, joint = model,
       terms = if (whole) cutset_terms(model, body), regressions = list())
}

# `parts`: of the discrete nodes, see discrete_parts(). `joint`: what was made of them.
network_log_terms <- function(nodes, parts, regressions, joint = NULL) {
  discrete <- names(parts$levels)
  tables <- Map(function(node, parents, model) {
    family <- c(node, discrete[parents])
    sizes <- lengths(parts$levels[family])
    new_term(family, log(table_of(model, sizes)), sizes)
  }, discrete, parts$parents, parts$models)
  regressions <- parents_first(regressions)
  levels <- set_names(lapply(nodes, function(node) parts$levels[[node]]), nodes)
  list(
    nodes = nodes, levels = levels, discrete = discrete,
    terms = c(tables, lapply(regressions, normal_term)),
    parents = c(lapply(tables, function(table) table$nodes[-1L]),
                lapply(regressions, function(x) c(names(x$levels), x$continuous))),
    regressions = regressions, joint = joint, parts = parts
  )
}

table_of <- function(model, sizes) {
  prob <- local_table(model)
  demand("a table is not one of probabilities" = length(prob) == prod(sizes) &&
           are_distributions(matrix(as.vector(prob), sizes[[1L]])))
  prob
}

normal_term <- function(regression) {
  value <- -log(regression$sd) - log(2 * pi) / 2
  new_term(names(regression$levels), value, lengths(regression$levels))
}

# A function of no nodes is a number.
new_term <- function(nodes, value, sizes, given = list()) {
  value <- as.vector(value)
  list(nodes = as.character(nodes), given = given,
       value = if (length(nodes)) array(value, unname(sizes)) else value)
}

parents_first <- function(regressions) {
  parents <- lapply(regressions, function(x) match(x$continuous, names(regressions)))
  regressions[topological_order(unname(parents))]
}

# Trees and discretised tables of continuous nodes, as regressions without regressors.
as_regression <- function(model, call) {
  if (inherits(model, "optbn_regression")) return(model)
  labels <- lapply(model$partition$axes, `[[`, "levels")
  check_size(model$node, model$parents, prod(lengths(labels)), call)
  expand_partition(model, labels)
}

regression_of_bnlearn <- function(node) {
  continuous <- if (is.null(node$dparents)) node$parents else node$parents[node$gparents]
  rows <- c("(Intercept)", continuous)
  sd <- as.vector(node$sd)
  coefficients <- node$coefficients
  if (!is.matrix(coefficients)) coefficients <- as.matrix(coefficients)
  demand("the coefficients are not those of the parents" =
           is.numeric(coefficients) && is.numeric(sd) && all(rows %in% rownames(coefficients)) &&
           nrow(coefficients) == length(rows) && ncol(coefficients) == length(sd) &&
           length(sd) == prod(lengths(node$dlevels)))
  list(levels = as.list(node$dlevels), continuous = continuous, sd = sd,
       coefficients = coefficients[rows, , drop = FALSE])
}

# Of the tree of cuts: the probability of each branch, given that its cut is reached; and of the
# trees at the leaves.
cutset_terms <- function(model, body) {
  sizes <- lengths(model$levels)
  places <- body_places(body, sizes)
  cuts <- lapply(which(places$cut > 0L), function(place) {
    children <- which(places$above == place)
    prob <- places$weight[children[order(places$level[children])]]
    new_term(model$nodes[places$cut[place]], log(prob), length(prob),
             place_evidence(model, places, place))
  })
  members <- named_members(model, body)
  given <- lapply(seq_along(body$members), function(leaf) {
    place_evidence(model, places, which(places$leaf %in% leaf))
  })
  trees <- lapply(seq_len(nrow(members)), function(i) {
    family <- stats::na.omit(c(members$name[i], members$above[i]))
    new_term(as.vector(family), log(member_table(body, members[i, ])), sizes[family],
             given[[members$leaf[i]]])
  })
  c(cuts, trees)
}

# ---- what is refused ----------------------------------------------------------------------------

# Regressions, and whatever depends on discrete parents alone.
check_closed_form <- function(models, call) {
  open <- names(Filter(function(model) {
    inherits(model, "optbn_partition") &&
      (identical(model$density, "student") ||
         any(vapply(model$partition$axes, function(axis) axis$type != "levels", NA)))
  }, models))
  if (length(open) == 0L) return(invisible())
  abort_optbn("data",
              c("Information measures need tables, and normal distributions by linear regressions.",
                x = paste("{cli::qty(open)}The local model{?s} of node{?s} {.val {open}}",
                          "{cli::qty(open)}{?divides/divide} the range of a continuous parent, or",
                          "{?has/have} Student t distributions."),
                i = paste("Fit regressions ({.code fit_network(..., score = \"bic-cg\")}), or take",
                          "the mean of {.fn log_density} over rows from {.fn simulate}.")),
              call = call)
}

check_disjoint <- function(sets, call = parent.frame()) {
  nodes <- unlist(sets, use.names = FALSE)
  twice <- unique(nodes[duplicated(nodes)])
  if (length(twice) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg x}, {.arg y} and {.arg given} must have no node in common.",
                x = "{.val {twice}} {?is/are} in more than one of them.",
                i = paste("The information of nodes on themselves is their entropy, which",
                          "{.fn entropy} gives.")),
              call = call)
}

check_alike <- function(p, q, call) {
  check_same_nodes(q$nodes, p$nodes, "{.arg p} and {.arg q} must have the same nodes.", call)
  for (node in p$nodes) {
    ours <- p$levels[[node]]
    theirs <- q$levels[[node]]
    if (is.null(ours) != is.null(theirs)) {
      abort_optbn("argument",
                  c("A node must be discrete in both {.arg p} and {.arg q}, or in neither.",
                    x = "{.val {node}} is continuous in one of them and discrete in the other.",
                    i = "Fit both to columns of the same type."),
                  call = call)
    }
    odd <- c(setdiff(ours, theirs), setdiff(theirs, ours))
    if (length(odd)) {
      abort_optbn("argument",
                  c("The nodes of {.arg p} and {.arg q} must have the same levels.",
                    x = "Only in one of them, of node {.val {node}}: {.val {odd}}.",
                    i = "Fit both to factors with the same levels."),
                  call = call)
    }
  }
}

# `remedy`: of the names of the discrete nodes that are missing, what to do.
require_normal <- function(missing, continuous, remedy, call) {
  if (length(missing) == 0L) return(invisible())
  abort_optbn("data",
              c("The joint distribution of these nodes has no entropy in closed form.",
                x = paste("{cli::qty(continuous)}Without {.val {missing}},",
                          "{cli::qty(continuous)}node{?s} {.val {continuous}}",
                          "{?is a mixture/are mixtures} of normal distributions."),
                  i = remedy(missing)),
              call = call)
}

# ---- expectations -------------------------------------------------------------------------------

with_joint <- function(model, call) {
  if (is.null(model$joint) && length(model$discrete)) {
    model$joint <- compile_parts(model$parts, NULL, check_memory_limit(NULL, call), call)
  }
  model
}

# The joint distribution of discrete nodes, an array without names. `given`: labels by node, of
# positive probability.
joint_of <- function(model, nodes, call, given = list()) {
  sizes <- lengths(model$levels[nodes])
  cells <- prod(sizes)
  if (cells > 1e8) {
    abort_optbn("memory",
                c("A joint distribution may hold at most {format(1e8)} numbers.",
                  x = paste("That of {first_few(nodes)} needs {format(cells, digits = 3)}, and",
                            if (is.null(model$terms)) {
                              paste("the logarithm of a mixture, or of a tree with hidden",
                                    "variables, is no sum over parts.")
                            } else {
                              "the measure is no sum over families."
                            }),
                  i = paste("Choose fewer nodes; or estimate it by means of {.fn log_density}",
                            "over rows from {.fn simulate}.")),
                call = call, needed = 8 * cells, limit = 8e8)
  }
  joint <- model$joint
  known <- known_levels(model, given)
  found <- core_joint_posterior(handle_of(joint, call), known, match(nodes, joint$nodes),
                                quiet_host())
  probability <- call_core(found, joint$nodes, call,
                           remedy = "choose nodes that are nearer to each other")
  array(probability, unname(sizes))
}

# `given` as the glue takes evidence.
known_levels <- function(model, given) {
  level <- Map(function(label, node) match(label, model$levels[[node]]) - 1L, given, names(given))
  list(node = match(names(given), model$joint$nodes), level = as.integer(unlist(level)),
       weighed = integer(), likelihood = list())
}

probability_of <- function(model, given, call) {
  if (!length(given)) return(1)
  known <- known_levels(model, given)
  exp(call_core(core_log_probability(handle_of(model$joint, call), known, quiet_host()),
                call = call))
}

# A term that is minus infinity where the model, whose own it is, has probability 0 counts for
# nothing there.
certain <- function(term) {
  term$value[term$value == -Inf] <- 0
  term
}

negative <- function(term) {
  term$value <- -term$value
  term
}

# The terms that sum up to the log-density of these nodes, squares of residuals aside; NULL if
# there are none.
own_terms <- function(model, nodes) {
  closed <- if (is.null(model$parents)) {
    setequal(nodes, model$nodes)
  } else {
    all(unlist(model$parents[nodes]) %in% nodes)
  }
  if (closed) if (is.null(model$parents)) model$terms else model$terms[nodes]
}

# The log-density of a model that is no sum, as one term over all nodes.
whole_term <- function(model, call) {
  new_term(model$nodes, log(joint_of(model, model$nodes, call)), lengths(model$levels))
}

# The expectation of a sum of terms.
expected_sum <- function(model, terms, call) {
  terms <- lapply(terms, order_nodes, model$nodes)
  keys <- vapply(terms, function(term) rlang::hash(term[c("nodes", "given")]), "")
  sums <- lapply(split(terms, factor(keys, unique(keys))), function(alike) {
    replace(alike[[1L]], "value", list(Reduce(`+`, lapply(alike, `[[`, "value"))))
  })
  sum(vapply(sums, expected_term, 0, model, call))
}

expected_term <- function(term, model, call) {
  value <- as.vector(term$value)
  if (all(value == 0)) return(0)
  if (!length(term$nodes)) return(value)
  weight <- probability_of(model, term$given, call)
  if (weight == 0) return(0)
  probability <- as.vector(joint_of(model, term$nodes, call, term$given))
  possible <- which(probability > 0)
  weight * sum(probability[possible] * value[possible])
}

# Terms over the same nodes get equal keys, and arrays that can be added.
order_nodes <- function(term, nodes) {
  order <- order(match(term$nodes, nodes))
  if (is.unsorted(order)) term$value <- aperm(term$value, order)
  if (length(order)) dim(term$value) <- unname(dim(term$value))
  term$nodes <- term$nodes[order]
  term$given <- term$given[order(match(names(term$given), nodes))]
  term
}

# From the order of the levels `from` to that of `to`.
relevel_term <- function(term, from, to) {
  if (length(term$nodes)) {
    term$value <- releveled(term$value, from[term$nodes], to[term$nodes])
  }
  term
}

relevel_regression <- function(regression, to) {
  if (!length(regression$levels)) return(regression)
  to <- to[names(regression$levels)]
  columns <- array(seq_along(regression$sd), lengths(regression$levels))
  columns <- as.vector(releveled(columns, regression$levels, to))
  regression$levels <- to
  regression$coefficients <- regression$coefficients[, columns, drop = FALSE]
  regression$sd <- regression$sd[columns]
  regression
}

releveled <- function(array, from, to) {
  at <- Map(match, unname(to), unname(from))
  do.call(`[`, c(list(array), at, drop = FALSE))
}

# ---- entropies ----------------------------------------------------------------------------------

# `remedy`: see require_normal().
entropy_of <- function(model, nodes, remedy, call) {
  if (!length(nodes)) return(0)
  continuous <- setdiff(nodes, model$discrete)
  discrete <- setdiff(nodes, continuous)
  terms <- own_terms(model, nodes)
  if (!is.null(terms)) {
    return(length(continuous) / 2 - expected_sum(model, lapply(terms, certain), call))
  }
  if (!length(continuous)) return(discrete_entropy(model, nodes, call))
  above <- normal_part(model, continuous)
  require_normal(setdiff(above$discrete, discrete), continuous, remedy, call)
  entropy_of(model, discrete, remedy, call) + normal_entropy(model, above, continuous, call)
}

discrete_entropy <- function(model, nodes, call) {
  probability <- joint_of(model, nodes, call)
  probability <- probability[probability > 0]
  -sum(probability * log(probability))
}

# I(X; Y | Z) from the joint distribution: the logarithms of ratios cancel where entropies, which
# are large, would leave rounding errors.
discrete_information <- function(model, sets, call) {
  sizes <- vapply(sets, function(set) prod(lengths(model$levels[set])), 0)
  joint <- array(joint_of(model, unlist(sets, use.names = FALSE), call), sizes)
  of_given <- rep(colSums(joint, dims = 2L), each = sizes[1L] * sizes[2L])
  of_x <- as.vector(apply(joint, c(1L, 3L), sum)[, rep(seq_len(sizes[3L]), each = sizes[2L])])
  of_y <- rep(as.vector(colSums(joint)), each = sizes[1L])
  at <- which(joint > 0)
  sum(joint[at] * (log(joint[at]) + log(of_given[at]) - log(of_x[at]) - log(of_y[at])))
}
