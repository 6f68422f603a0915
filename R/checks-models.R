# Whether a model holds together.
#
# Models are lists, which R lets everybody edit, save, and read back from a damaged file. The verbs
# rely on how the parts of a model fit one another, and every verb asks first: check_sound() for
# models that are lists alone, handle_of() for those with a structure in the core. A model that
# was changed and still holds together answers as changed; another one ends in an error of class
# "optbn_error_model", which says what does not fit. To ask takes time proportional to the size of
# the model.
#
# sound_parts() has a method for each class: demands on the parts, in words. It stops where the
# first of them is not met.

check_sound <- function(model, call = parent.frame()) {
  when_unsound(sound_parts(model), model, call)
  invisible(model)
}

# Whatever goes wrong in `code` is the model's doing.
when_unsound <- function(code, model, call) {
  tryCatch(code, error = function(e) {
    if (inherits(e, "optbn_error")) rlang::cnd_signal(e)
    abort_unsound(conditionMessage(e), class(model)[1L], call)
  })
}

# An answer is formatted: an error or a warning on the way is reported as a fault of the answer.
tell_answer <- function(answer, telling, call = parent.frame()) {
  tryCatch(when_unsound(telling, answer, call), warning = function(w) {
    abort_unsound(conditionMessage(w), class(answer)[1L], call)
  })
}

abort_unsound <- function(reason, class, call) {
  abort_optbn("model",
              c("An object of class {.cls {class}} is inconsistent.",
                x = "{capitalise(reason)}.",
                i = "It was changed, or read from a damaged file: create it again."),
              call = call)
}

is_sound <- function(model) {
  tryCatch({
    sound_parts(model)
    TRUE
  }, error = function(unused) FALSE)
}

sound_parts <- function(model) UseMethod("sound_parts")

#' @export
sound_parts.default <- function(model) demand("its class is not one of a model" = FALSE)

# stopifnot(), for parts of any type: a demand that cannot even be asked is not met.
demand <- function(...) {
  met <- 0L
  tryCatch(
    while (met < ...length() && isTRUE(all(...elt(met + 1L)))) met <- met + 1L,
    error = identity, warning = identity
  )
  if (met < ...length()) stop(...names()[met + 1L], call. = FALSE)
}

# Demands on a part of the model; errors name the part.
demand_of <- function(where, demands) {
  tryCatch(demands, error = function(e) stop(where, ": ", conditionMessage(e), call. = FALSE))
}

# ---- kinds of parts -----------------------------------------------------------------------------

are_names <- function(x) is.character(x) && is.null(dim(x)) && !anyNA(x) && !anyDuplicated(x)

# A level may be NA, where addNA() has made it one.
are_labels <- function(x) {
  is.character(x) && is.null(dim(x)) && length(x) > 0L && !anyDuplicated(x)
}

are_numbers <- function(x, length = NULL) {
  is.numeric(x) && is.null(dim(x)) && !is.object(x) && !anyNA(x) &&
    (is.null(length) || length(x) == length)
}

are_finite <- function(x, length = NULL) are_numbers(x, length) && all(is.finite(x))

# Whole numbers within a range.
are_counts <- function(x, length, least, most) {
  are_finite(x, length) && all(x == round(x) & x >= least & x <= most)
}

is_string <- function(x) is.character(x) && length(x) == 1L && !is.na(x)

# A list without a class of its own, of so many elements.
is_plain_list <- function(x, length = NULL) {
  is.list(x) && !is.object(x) && (is.null(length) || length(x) == length)
}

is_score <- function(x) {
  inherits(x, "optbn_score") && is.list(x) && is_string(x$label) && names(x)[1L] == "label"
}

# A column for every distribution.
are_distributions <- function(prob) {
  is.numeric(prob) && !anyNA(prob) && all(prob >= 0 & prob <= 1) &&
    all(abs(colSums(prob) - 1) <= 1e-6)
}

#' @export
sound_parts.optbn_score <- function(model) {
  demand("it is not one of the scores" = is_known_score(model))
}

# ---- nodes, levels and columns ------------------------------------------------------------------

# `discrete`: all nodes have levels.
demand_nodes <- function(model, discrete = FALSE) {
  levels <- model$levels
  demand(
    "the nodes have no names" = are_names(model$nodes),
    "levels are not those of the nodes" = is_plain_list(levels) &&
      identical(names(levels), model$nodes) &&
      all(vapply(levels, function(x) if (is.null(x)) !discrete else are_labels(x), NA))
  )
}

# Columns without rows, of the types of the data. Those of numbers and of truth values say what
# their levels must be.
demand_prototype <- function(prototype, levels) {
  demand("the prototype has other columns" =
           is.list(prototype) && all(names(levels) %in% names(prototype)))
  for (node in names(levels)) {
    if (is.null(levels[[node]])) next
    column <- prototype[[node]]
    demand("the prototype has columns of another type" =
             is.factor(column) || is.character(column) ||
             (is.logical(column) && all(levels[[node]] %in% c("FALSE", "TRUE"))) ||
             (is.numeric(column) && !anyNA(as.integer(levels[[node]]))))
  }
}

# ---- fitted networks ----------------------------------------------------------------------------

#' @export
sound_parts.optbn_fit <- function(model) {
  demand("it is not a list" = is.list(model))
  demand_nodes(model)
  nodes <- model$nodes
  demand_prototype(model$prototype, model$levels)
  demand(
    "the parents are not those of the nodes" = is_plain_list(model$parents) &&
      identical(names(model$parents), nodes) &&
      all(vapply(model$parents, function(x) is.null(x) || are_names(x) && all(x %in% nodes), NA)),
    "the network has a cycle" =
      length(topological_order(unname(lapply(model$parents, match, nodes)))) == length(nodes),
    "the local models are not those of the nodes" =
      is_plain_list(model$models) && identical(names(model$models), nodes),
    "the method is unknown" = is_string(model$method) && model$method %in% c("bayes", "mle", "em"),
    "its expectation maximisation is not one" =
      identical(model$method == "em", !is.null(model$em)) &&
        (is.null(model$em) || is_sound_em(model$em)),
    "the imaginary sample size is not a number" = is.null(model$iss) || are_finite(model$iss, 1L),
    "the score is invalid" = is.null(model$score) || is_score(model$score),
    "the number of rows is invalid" = are_finite(model$n, 1L) && model$n >= 0,
    "the log-likelihoods are not those of the nodes" =
      is.numeric(model$log_likelihood) && length(model$log_likelihood) == length(nodes) &&
        all(is.finite(model$log_likelihood) | has_student(model$models) %in% TRUE)
  )
  for (node in nodes) demand_of(paste("node", node), demand_family(model, node))
}

# After update() the likelihood of such nodes is not known.
has_student <- function(models) {
  vapply(models, function(model) is.list(model) && identical(model$density, "student"), NA)
}

is_sound_em <- function(em) {
  is_plain_list(em) && is.data.frame(em$trace) && nrow(em$trace) > 0L &&
    (is_by_draws(em) || rlang::is_bool(em$converged)) &&
    all(vapply(trace_columns(em), function(column) is.numeric(em$trace[[column]]), NA)) &&
    are_finite(em$missing, 1L)
}

trace_columns <- function(em) {
  if (is_by_draws(em)) "completed" else c("log_likelihood", "objective")
}

# The local model of a node against what the network says of the node and its parents.
demand_family <- function(fit, node) {
  local <- fit$models[[node]]
  family <- c(node, fit$parents[[node]])
  demand("it has no local model" = inherits(local, "optbn_local"))
  sound_parts(local)
  demand("the local model is that of another family" =
           identical(c(local$node, local$parents), family))
  labels <- local_levels(local)
  demand("the local model has other levels" =
           identical(lapply(family, function(x) labels[[x]]), unname(fit$levels[family])))
}

# ---- local models -------------------------------------------------------------------------------

demand_own_names <- function(model) {
  demand(
    "it is not a list" = is.list(model),
    "the node has no name" = is_string(model$node),
    "the parents have no names" = is.null(model$parents) || are_names(model$parents),
    "the node is a parent of its own" = !model$node %in% model$parents
  )
}

#' @export
sound_parts.optbn_table <- function(model) {
  demand_own_names(model)
  prob <- model$prob
  family <- c(model$node, model$parents)
  demand(
    "the table does not have the dimensions of the node and its parents" =
      is.array(prob) && length(dim(prob)) == length(family),
    "the table does not have the levels of the node and its parents" =
      length(dimnames(prob)) == length(family) && all(vapply(dimnames(prob), are_labels, NA)),
    "the dimensions of the table have other names" =
      length(family) == 1L || identical(names(dimnames(prob)), family),
    "the table is not one of probabilities" = are_distributions(as_columns(model)),
    "the counts are not those of the table" = is.null(model$counts) ||
      is.matrix(model$counts) && identical(dim(model$counts), dim(as_columns(model))) &&
        are_finite(as.vector(model$counts)) && all(model$counts >= 0)
  )
}

#' @export
sound_parts.optbn_regression <- function(model) {
  demand_own_names(model)
  demand(
    "the levels are not those of discrete parents" = is_plain_list(model$levels) &&
      all(vapply(model$levels, are_labels, NA)) &&
      length(names(model$levels)) == length(model$levels),
    "the continuous parents have no names" = are_names(model$continuous),
    "the parents are not those of the regression" =
      setequal(c(names(model$levels), model$continuous), model$parents) &&
      length(model$levels) + length(model$continuous) == length(model$parents)
  )
  coefficients <- model$coefficients
  configurations <- prod(lengths(model$levels))
  demand(
    "the coefficients are not those of the parents" = is.matrix(coefficients) &&
      identical(rownames(coefficients), c("(Intercept)", model$continuous)) &&
      ncol(coefficients) == configurations && !anyDuplicated(colnames(coefficients)),
    "a coefficient is not a finite number" = are_finite(as.vector(coefficients)),
    "the standard deviations are not positive numbers, one per configuration" =
      are_finite(model$sd, configurations) && all(model$sd > 0),
    "the moments are not those of the regression" = is.null(model$moments) ||
      are_moments(model$moments, configurations, length(model$continuous) + 2L)
  )
}

# As moments_of_rows() has them.
are_moments <- function(x, configurations, columns) {
  is_plain_list(x) && are_finite(unname(x$n)) && all(x$n > 0) && is_plain_list(x$rows) &&
    identical(names(x$rows), names(x$n)) &&
    are_counts(as.numeric(names(x$n)), NULL, 1, configurations) &&
    all(vapply(x$rows, function(rows) {
      is.matrix(rows) && ncol(rows) == columns && are_finite(as.vector(rows))
    }, NA))
}

#' @export
sound_parts.optbn_partition <- function(model) {
  demand_own_names(model)
  tree <- inherits(model, "optbn_tree")
  demand("the division of the parents' space does not match its class" =
           inherits(model$partition, if (tree) "optbn_dyadic_tree" else "optbn_joint_table"))
  sound_parts(model$partition)
  regions <- count_regions(model$partition)
  demand(
    "the parents' space is that of other parents" =
      setequal(names(model$partition$axes), model$parents),
    "the rows are not those of the regions" = are_finite(model$n, regions) && all(model$n >= 0),
    "the levels are not labels" = is.null(model$levels) || are_labels(model$levels),
    "the moments are not those of the regions" = is.null(model$moments) ||
      (are_finite(model$moments$mean, regions) && are_finite(model$moments$squares, regions)),
    "the counts are not those of the regions" = is.null(model$counts) ||
      (is.matrix(model$counts) && are_finite(as.vector(model$counts)) &&
         identical(dim(model$counts), c(length(model$levels), as.integer(regions))))
  )
  if (is.null(model$levels)) return(demand_leaves(model, regions))
  demand(
    "the probabilities are not those of the levels and regions" = is.matrix(model$prob) &&
      identical(dim(model$prob), c(length(model$levels), as.integer(regions))) &&
      identical(rownames(model$prob), model$levels),
    "the probabilities are invalid" = are_distributions(model$prob)
  )
}

# Of a continuous node.
demand_leaves <- function(model, regions) {
  demand(
    "it has levels and is continuous" = is.null(model$prob),
    "the density is unknown" =
      is_string(model$density) && model$density %in% c("student", "normal"),
    "the locations are not those of the regions" = are_finite(model$location, regions),
    "the scales are not positive numbers, one per region" =
      are_finite(model$scale, regions) && all(model$scale > 0),
    "the degrees of freedom are not positive numbers, one per region" =
      are_numbers(model$df, regions) && all(model$df > 0)
  )
}

# ---- partitions ---------------------------------------------------------------------------------

#' @export
sound_parts.optbn_regions <- function(model) {
  axes <- model$axes
  demand(
    "the axes need names that differ" = is_plain_list(axes) &&
      (length(axes) == 0L || are_names(names(axes))),
    "an axis is malformed" = vapply(axes, is_axis, NA)
  )
  if (inherits(model, "optbn_dyadic_tree")) demand_tree(model)
}

is_axis <- function(axis) {
  is_plain_list(axis) && is_string(axis$type) && switch(axis$type,
    levels = are_labels(axis$levels) && is.logical(axis$ordered) && length(axis$ordered) == 1L &&
      !is.na(axis$ordered),
    dyadic = are_finite(axis$range, 2L) && diff(axis$range) >= 0 &&
      are_counts(axis$max_splits, 1L, 0, 52), # what a double tells apart
    bins = are_finite(as.numeric(axis$cuts), axis$bins - 1) && !is.unsorted(axis$cuts),
    FALSE
  )
}

demand_tree <- function(tree) {
  nodes <- tree$nodes
  axes <- tree$axes
  demand("the tree is not a table of nodes" = is.data.frame(nodes) && nrow(nodes) > 0L &&
           all(lengths(unclass(nodes)) == nrow(nodes)) && is.character(nodes$variable))
  split <- which(!is.na(nodes$variable))
  demand(
    "every node but the root is the child of one" =
      setequal(c(nodes$left[split], nodes$right[split]), seq_len(nrow(nodes))[-1L]) &&
      nrow(nodes) == 2L * length(split) + 1L,
    "the nodes are not in preorder" =
      nodes$left[split] == split + 1L & nodes$right[split] > nodes$left[split],
    "a split is on no parent" = length(split) == 0L ||
      (is.character(nodes$variable) && all(nodes$variable[split] %in% names(axes))),
    "the nodes have no rows" = are_finite(nodes$n) && all(nodes$n >= 0)
  )
  types <- vapply(axes[nodes$variable[split]], `[[`, "", "type")
  discrete <- split[types == "levels"]
  divided <- split[types != "levels"]
  demand(
    "a split of a continuous parent needs its cell" = are_finite(nodes$cell[divided]),
    "a split of a discrete parent needs its levels" =
      all(lengths(nodes$left_codes[discrete]) > 0L) &&
      all(vapply(nodes$left_codes[discrete], are_finite, NA))
  )
  demand("a split leaves one side without a cell" =
           vapply(node_boxes(tree), function(box) {
             all(vapply(names(axes), function(axis) holds_cells(axes[[axis]], box[[axis]]), NA))
           }, NA))
}

holds_cells <- function(axis, cells) {
  if (axis$type == "levels") length(cells) > 0L else cells[1L] <= cells[2L]
}

# ---- Gaussian networks --------------------------------------------------------------------------

#' @export
sound_parts.optbn_compiled_gaussian <- function(model) {
  demand(
    "it is not a list" = is.list(model),
    "the nodes have no names" = are_names(model$nodes)
  )
  n <- length(model$nodes)
  demand(
    "the parents are not nodes" = is_plain_list(model$parents, n) &&
      all(vapply(model$parents, function(x) are_counts(x, NULL, 1, n) && !anyDuplicated(x), NA)),
    "the slopes are not those of the parents" = is_plain_list(model$slopes, n) &&
      all(unlist(Map(function(slopes, parents) are_finite(slopes, length(parents)),
                     model$slopes, model$parents))),
    "the intercepts are not those of the nodes" = are_finite(model$intercept, n),
    "the standard deviations are not positive numbers, one per node" =
      are_finite(model$spread, n) && all(model$spread > 0),
    "the order is not one of the nodes, parents first" = are_counts(model$order, n, 1, n) &&
      comes_first(model$parents, model$order),
    "the children do not match the parents" = is_plain_list(model$children, n) &&
      identical(lapply(unname(model$children), as.integer), children_of(model$parents)),
    "the memory of a query is not a number" = are_finite(model$bytes, 1L),
    "what is set does not match the regressions" = is.null(model[["do"]]) ||
      is_plain_list(model[["do"]]) && holds_numbers(model)
  )
}

# ---- conditional Gaussian networks --------------------------------------------------------------

#' @export
sound_parts.optbn_compiled_mixed <- function(model) {
  demand_exact_nodes(model, discrete = FALSE)
  sizes <- unname(lengths(model$levels))
  local <- model$network$nodes
  n <- length(sizes)
  demand(
    "the levels are not those of the tables" = identical(as.integer(model$network$levels), sizes),
    "the tables are not those of the nodes" = is_plain_list(local, n) &&
      all(vapply(local, is_plain_list, NA)),
    "the parents are not nodes" = all(vapply(local, function(node) {
      parents <- c(node$discrete, node$continuous)
      are_counts(parents, NULL, 1, n) && !anyDuplicated(parents)
    }, NA)),
    "the memory of a query is not a number" = are_numbers(model$memory_limit, 1L)
  )
  parents <- lapply(local, function(node) as.integer(c(node$discrete, node$continuous)))
  demand(
    "a node is its own ancestor" = length(topological_order(parents)) == n,
    "discrete parents are continuous" =
      all(vapply(local, function(node) all(sizes[node$discrete] > 0L), NA)),
    "continuous parents are discrete" = all(vapply(local, function(node) {
      all(sizes[node$continuous] == 0L)
    }, NA)) && all(lengths(lapply(local[sizes > 0L], `[[`, "continuous")) == 0L)
  )
  for (i in seq_len(n)) {
    fault <- if (sizes[i] > 0L) {
      fault_of_table(local[[i]], sizes, i)
    } else {
      fault_of_normal(local[[i]], sizes)
    }
    if (!is.null(fault)) stop(fault, call. = FALSE)
  }
  demand("a target is not one of its nodes" = is.null(model[["do"]]) ||
           is_plain_list(model[["do"]]) && all(names(model[["do"]]) %in% model$nodes))
}

fault_of_table <- function(node, sizes, i) {
  cells <- prod(sizes[c(i, node$discrete)])
  if (!are_finite(node$table, cells)) return("a table is not that of its node and parents")
  if (!are_distributions(matrix(node$table, sizes[i]))) {
    return("a table is not one of probabilities")
  }
}

fault_of_normal <- function(node, sizes) {
  configurations <- prod(sizes[node$discrete])
  if (!are_finite(node$coefficients, configurations * (length(node$continuous) + 1L))) {
    return("the coefficients are not those of the parents")
  }
  if (!are_finite(node$variance, configurations) || any(node$variance <= 0)) {
    return("the variances are not positive numbers, one per configuration")
  }
}

# Of what interventions have set in a Gaussian network.
holds_numbers <- function(network) {
  set <- match(names(network[["do"]]), network$nodes)
  !anyNA(set) && identical(as.list(network$intercept[set]), unname(network[["do"]])) &&
    all(network$spread[set] == unit_density_sd) && all(lengths(network$parents[set]) == 0L)
}

# Does every node come once, and after its parents?
comes_first <- function(parents, order) {
  place <- match(seq_along(parents), order)
  !anyNA(place) && all(place[unlist(parents)] < rep(place, lengths(parents)))
}

# ---- trees of cliques ---------------------------------------------------------------------------

#' @export
sound_parts.optbn_k_tree <- function(model) {
  demand(
    "it is not a list" = is.list(model),
    "the nodes have no names" = are_names(model$nodes),
    "the tree-width is invalid" =
      are_counts(model$treewidth, 1L, 0, length(model$nodes) - 1),
    "the bags have another size" = is_plain_list(model$bags) && length(model$bags) > 0L &&
      all(lengths(model$bags) == model$treewidth + 1),
    "the bags contain names that are not nodes" = unlist(model$bags) %in% model$nodes,
    "the bags are not attached to earlier ones" = is.na(model$parent[1L]) &&
      are_counts(model$parent[-1L], length(model$bags) - 1L, 1, length(model$bags)),
    "the bags introduce no nodes" = is.character(model$introduced) &&
      length(model$introduced) == length(model$bags) && is.na(model$introduced[1L]) &&
      all(model$introduced[-1L] %in% model$nodes),
    "the bags do not form a k-tree over its nodes" = core_is_k_tree(tree_for_core(model))
  )
}

#' @export
sound_parts.optbn_treewidth <- function(model) {
  demand(
    "it is not a list" = is.list(model),
    "the order has no names" = are_names(model$order),
    "the bounds are invalid" = are_counts(model$lower, 1L, 0, length(model$order)) &&
      are_counts(model$upper, 1L, model$lower, length(model$order)),
    "the width does not match the bounds" =
      length(model$width) == 1L &&
      if (model$lower == model$upper) model$width == model$upper else is.na(model$width),
    "the proof is not in words" = is_string(model$proof),
    "the reason is unknown" = is.null(model$reason) || is_string(model$reason)
  )
  demand_cliques(model$cliques, model$tree, model$order)
}

# `parent`: the number of the clique on which each hangs; a root hangs on none, or on itself.
demand_cliques <- function(cliques, parent, nodes) {
  demand(
    "the cliques have names that are not nodes" = is_plain_list(cliques) && length(cliques) > 0L &&
      all(vapply(cliques, function(x) are_names(x) && length(x) > 0L && all(x %in% nodes), NA)),
    "the cliques are not connected" = length(parent) == length(cliques) &&
      are_counts(parent[!is.na(parent)], NULL, 1, length(cliques)) &&
      hangs_together(parent)
  )
}

# Does every clique lead to a root?
hangs_together <- function(parent) {
  above <- as.list(replace(parent, parent %in% NA | parent == seq_along(parent), NA))
  above <- lapply(above, function(x) x[!is.na(x)])
  length(topological_order(above)) == length(parent)
}

# ---- networks -----------------------------------------------------------------------------------

# Of package bnlearn too: what reading a structure relies on.
#' @export
sound_parts.bn <- function(model) {
  demand(
    "it is not a list" = is.list(model),
    "the nodes have no names" = is_plain_list(model$nodes) &&
      (length(model$nodes) == 0L || are_names(names(model$nodes))),
    "the arcs are not between its nodes" = is.matrix(model$arcs) && ncol(model$arcs) == 2L &&
      (nrow(model$arcs) == 0L || is.character(model$arcs)) &&
      all(model$arcs %in% names(model$nodes))
  )
}

#' @export
sound_parts.bn.fit <- function(model) {
  nodes <- names(model)
  demand(
    "the nodes have no names" = is.list(model) && are_names(nodes),
    "the parents are not nodes" = all(vapply(unclass(model), function(node) {
      is.list(node) && all(node$parents %in% nodes)
    }, NA))
  )
}

# What pictures and summaries also show.
#' @export
sound_parts.optbn <- function(model) {
  NextMethod()
  if (inherits(model, "bn.fit")) return(invisible())
  near <- c("mb", "nbr", "parents", "children")
  learning <- model$learning
  illegal <- learning$illegal
  demand(
    "the nodes have other neighbours than nodes" = all(vapply(model$nodes, function(node) {
      is.list(node) && all(unlist(node[near]) %in% names(model$nodes))
    }, NA)),
    "how it was learned is not a list with names" =
      is_plain_list(learning) && !is.null(names(learning)),
    "its score is not named" = is.null(learning$test) || is_string(learning$test),
    "its constraints are not arcs" = are_arcs(learning$whitelist) && are_arcs(illegal) &&
      (is.null(illegal) || "to" %in% colnames(illegal)),
    "a target is not one of its nodes" =
      is.null(learning$targets) || are_sets_of(learning$targets, names(model$nodes))
  )
}

# ---- parent sets --------------------------------------------------------------------------------

# For users who build or change such an object by hand: what is wrong with it.
#' @export
sound_parts.optbn_parent_sets <- function(model) {
  demand("it is not a list" = is.list(model), "the nodes have no names" = are_names(model$nodes))
  n <- length(model$nodes)
  demand("the sets are not those of the nodes" = is_plain_list(model$sets, n))
  for (v in seq_len(n)) {
    wrong <- fault_of_sets(model$sets[[v]], v, n)
    if (!is.null(wrong)) stop("node ", model$nodes[v], " has ", wrong, call. = FALSE)
  }
  are_totals <- function(x, length) is.numeric(x) && length(x) == length
  demand(
    "the numbers of sets are not those of the nodes" =
      are_totals(model$considered, n) && are_totals(model$counted, n),
    "the number of rows is invalid" = are_totals(model$rows, 1L),
    "the seconds are no number" = are_totals(model$seconds, 1L),
    "the order is not one of its nodes" =
      is.null(model$order) || identical(sort(as.integer(model$order)), seq_len(n)),
    "the reason is unknown" = is.null(model$reason) || is_string(model$reason),
    "the trace is invalid" = is.null(model$trace) || is_trace(model$trace, c("seconds", "score"))
  )
  demand_settings(model$settings, model$nodes)
}

fault_of_sets <- function(sets, v, n) {
  if (!is_plain_list(sets)) return("no list of sets")
  score <- sets$score
  if (!is.numeric(score) || !all(is.finite(score))) return("scores that are not finite numbers")
  if (is.unsorted(-score)) return("scores that do not decrease")
  sizes_fit <- length(sets$size) == length(score) && all(sets$size == round(sets$size)) &&
    all(sets$size >= 0) && sum(sets$size) == length(sets$parents)
  if (!isTRUE(sizes_fit)) return("sizes that do not match its parents")
  if (!is.numeric(sets$parents) || anyNA(sets$parents) ||
        any(sets$parents < 1L | sets$parents > n | sets$parents == v |
              sets$parents != round(sets$parents))) {
    return("parents that are not other nodes")
  }
  last <- cumsum(sets$size)
  ascends <- diff(sets$parents) > 0L
  ascends[last[last > 0L & last < length(sets$parents)]] <- TRUE # from one set to the next
  if (!all(ascends)) return("parents that do not ascend in a set")
  # Equal sets have equal sums of these whole numbers, others hardly ever.
  number <- floor(abs(sin(seq_len(n))) * 2^31)
  sums <- cumsum(c(0, number[sets$parents]))
  if (anyDuplicated(sums[last + 1L] - sums[last - sets$size + 1L]) > 0L) {
    set <- rep.int(seq_along(sets$size), sets$size)
    members <- split(sets$parents, factor(set, levels = seq_along(sets$size)))
    if (anyDuplicated(members) > 0L) return("the same parent set twice")
  }
}

# ---- certificates -------------------------------------------------------------------------------

# Only those whose seal is broken are looked at.
#' @export
sound_parts.optbn_certificate <- function(model) {
  model <- unclass(model)
  demand("the certificate is not a list" = is_plain_list(model))
  nodes <- names(model$node_scores)
  demand(
    "the certificate has no status" = is_string(model$status) &&
      model$status %in% c("optimal", "bounded", "heuristic"),
    "the certificate has no score and no bound" =
      are_finite(model$score, 1L) && are_numbers(model$bound, 1L) && are_numbers(model$gap, 1L),
    "the certificate has no local scores" =
      are_finite(model$node_scores) && length(nodes) > 0L && are_names(nodes),
    "the certificate has no arcs" = are_arcs(model$arcs) && !is.null(model$arcs),
    "the certificate lacks the method of the search" =
      is_string(model$method) && (is.null(model$reason) || is_string(model$reason)) &&
      is_time(model$seconds) && is_string(model$version) &&
      is_plain_list(model$effort) && all(vapply(model$effort, are_finite, NA, 1L)),
    "the trace of the search is malformed" = is.null(model$trace) || is_trace(model$trace)
  )
  demand_settings(model$settings, nodes)
  if (!is.null(model$k_tree)) {
    sound_parts(structure(model$k_tree, class = "optbn_k_tree"))
    demand("the k-tree is one over other nodes, or too wide" =
             setequal(model$k_tree$nodes, nodes) && !is.null(model$settings$treewidth) &&
             model$k_tree$treewidth <= model$settings$treewidth)
  }
  demand(
    "the record for any tree-width is malformed" = is.null(model$unbounded) ||
      (is_plain_list(model$unbounded) && are_numbers(model$unbounded$bound, 1L)),
    "the multipliers are malformed" = is.null(model$multipliers) ||
      are_multipliers(model$multipliers, length(nodes)),
    "the proof is not a file" = is.null(model$proof) || is_string(model$proof)
  )
}

demand_settings <- function(settings, nodes) {
  is_optional <- function(part, is, ...) is.null(settings[[part]]) || is(settings[[part]], ...)
  demand("the settings are no list" = is_plain_list(settings))
  demand(
    "the score is invalid" = is_optional("score", is_known_score),
    "the source is not named" = is_string(settings$source),
    "the limits of parents are invalid" =
      is_optional("max_parents", are_counts, length(nodes), 0, .Machine$integer.max),
    "the complete size is not a number of parents" =
      is_optional("complete", are_counts, length(nodes), -1, .Machine$integer.max) &&
        is_optional("larger", are_counts, 1L, 0, .Machine$integer.max),
    "a limit is not a whole number" = vapply(c("max_arcs", "treewidth", "rank"), is_optional, NA,
                                          are_counts, 1L, 0, .Machine$integer.max),
    "nodes cut in order or left out are not nodes" =
      vapply(c("in_order", "left_out"), is_optional, NA,
             function(x) is.character(x) && all(x %in% nodes)),
    "the slack of the parent sets is invalid" =
      is_optional("slack", function(x) are_numbers(x, 1L) && x >= 0),
    "constraints are not arcs" =
      vapply(c("whitelist", "blacklist", "candidates"), is_optional, NA, are_arcs),
    "the class is not a node" = is_optional("class", function(x) is_string(x) && x %in% nodes),
    "constraints are not paths" = is_optional("ancestors", are_paths, nodes),
    "a target is not one of its nodes" = is_optional("targets", are_targets, nodes)
  )
  if (!is.null(settings$k_tree)) {
    sound_parts(structure(settings$k_tree, class = "optbn_k_tree"))
    demand("the k-tree is one over other nodes" = setequal(settings$k_tree$nodes, nodes))
  }
}

# As target_sets() has them.
are_targets <- function(x, nodes) {
  is_plain_list(x) && are_sets_of(x$sets, nodes) && are_finite(x$rows, length(x$sets))
}

are_sets_of <- function(x, nodes) {
  is_plain_list(x) && all(vapply(x, function(set) is.character(set) && all(set %in% nodes), NA))
}

# As its constructor made it, but for what the data added.
is_known_score <- function(x) {
  if (!is_score(x)) return(FALSE)
  make <- given_constructors[[x$label]] %||% score_constructors[[x$label]]
  given <- unclass(x)[intersect(names(x), names(formals(make)))]
  is_score(do.call(make, given)) && (is.null(x$columns) || is_plain_list(x$columns)) &&
    (is.null(x$worth) || is_worth(x$worth))
}

is_worth <- function(x) {
  is_plain_list(x) && are_finite(x$constant) &&
    (are_finite(x$every, 1L) || are_finite(c(x$single), length(x$constant)^2))
}

are_arcs <- function(x) {
  is.null(x) || ((is.matrix(x) && is.character(x)) || is.data.frame(x)) && ncol(x) == 2L &&
    !anyNA(x)
}

are_paths <- function(x, nodes) {
  is.data.frame(x) && all(x$from %in% nodes & x$to %in% nodes & x$from != x$to) &&
    is.logical(x$required) && !anyNA(x)
}

# Of a search that was not timed it is NA.
is_time <- function(x) is.numeric(x) && length(x) == 1L && (is.na(x) || is.finite(x))

is_trace <- function(x, parts = c("seconds", "score", "bound")) {
  is.data.frame(x) && all(vapply(x[parts], are_numbers, NA, nrow(x)))
}

are_multipliers <- function(x, n) {
  is_plain_list(x) && is_plain_list(x$clusters %||% list()) &&
    is_plain_list(x$groups %||% list()) &&
    (is.null(x$arc_price) || are_finite(x$arc_price, 1L)) &&
    all(vapply(x$clusters, function(cluster) {
      are_counts(cluster$nodes, NULL, 1, n) && are_finite(cluster$k, 1L) &&
        are_finite(cluster$price, 1L)
    }, NA), vapply(x$groups, function(group) {
      are_counts(group$nodes, NULL, 1, n) && length(group$nodes) <= 20L &&
        are_finite(group$charge, length(group$nodes) * 2^length(group$nodes))
    }, NA))
}

# ---- models with a structure in the core, which checks the numbers ------------------------------

#' @export
sound_parts.optbn_compare_scores <- function(model) {
  arcs <- attr(model, "arcs")
  losses <- attr(model, "losses")
  demand(
    "its columns are not equally long" = is_sound_table(model),
    "its rows are not those of its scores" = is.character(model$score) && nrow(model) > 0L &&
      is.character(arcs) && identical(colnames(arcs), model$score) && is.numeric(losses) &&
      identical(dimnames(losses), list(model$score, model$score)),
    "a column is missing or has values of another kind" =
      vapply(model[c("value", "gap", "arcs", "gained", "lost", "turned")], is.numeric, NA) &
        is.character(model$status),
    "its arcs have no direction" = arcs %in% c("", names(arc_marks))
  )
}

#' @export
sound_parts.optbn_cross_validation <- function(model) {
  truth <- attr(model, "truth")
  demand(
    "its columns are not equally long" = is_sound_table(model) && nrow(model) > 0L,
    "a column is missing or has values of another kind" =
      is.character(model$learner) && !anyNA(model$learner) &&
        all(vapply(model[c("run", "fold", "value", "rows", "seconds")], is.numeric, NA)),
    "a loss is invalid" = is.character(model$loss) & model$loss %in% names(validation_losses),
    "rows of a learner or a loss are missing" =
      length(unique(table(model$learner, model$loss))) == 1L,
    "the numbers of training rows are invalid" = are_numbers(attr(model, "trained")),
    "it has no predictions" = is_plain_list(attr(model, "predictions")),
    "its target is malformed" = is.null(attr(model, "target")) || is_string(attr(model, "target"))
  )
  if (!is.factor(truth)) return(invisible())
  for (predicted in attr(model, "predictions")) {
    demand("predictions are malformed" = is.null(predicted) || is.data.frame(predicted) &&
             all(predicted$row %in% seq_along(truth)) &&
             all(vapply(unclass(predicted)[levels(truth)], is.numeric, NA)) &&
             is_sound_table(predicted))
  }
}

#' @export
sound_parts.optbn_compiled_network <- function(model) {
  demand_exact(model)
  demand_cliques(model$cliques, model$parent, model$nodes)
  demand(
    "the cells are not those of the cliques" =
      are_finite(model$cells, length(model$cliques)) && all(model$cells >= 1),
    "the width is not that of the cliques" =
      are_finite(model$width, 1L) && model$width == max(lengths(model$cliques)) - 1L,
    "the memory of a query is not a number" = are_finite(model$bytes, 1L),
    "levels are not those of the tables" =
      identical(unname(lengths(model$levels)), as.integer(model$network$sizes)),
    "the conditioned nodes are invalid" =
      are_names(model$cutset) && all(model$cutset %in% model$nodes),
    "the tables are not those of the nodes" = is_plain_list(model$models, length(model$nodes))
  )
  for (local in model$models) {
    if (inherits(local, "optbn_local")) sound_parts(local)
  }
}

#' @export
sound_parts.optbn_density <- function(model) {
  demand_exact(model)
  learning <- model$learning
  is_optional <- function(part, is) is.null(learning[[part]]) || is(learning[[part]])
  is_number <- function(x) is.numeric(x) && length(x) == 1L
  demand(
    "how it was learned is not a list" = is_plain_list(learning),
    "how it was learned is not in words" =
      vapply(c("learner", "algorithm", "status", "part_of"), is_optional, NA, is_string),
    "how it was learned is not in numbers" =
      vapply(c("n", "log_likelihood", "validation", "seconds"), is_optional, NA, is_number),
    "the number of rows is negative" = is_optional("n", function(n) is.na(n) || n >= 0),
    "its settings are no list" = is_optional("settings", is.list),
    "the evidence of the part is not a list" = is.null(model$given) || is_plain_list(model$given)
  )
}

# What models with exact answers have in common.
demand_exact <- function(model) demand_exact_nodes(model, discrete = TRUE)

demand_exact_nodes <- function(model, discrete) {
  demand("it is not a list" = is.list(model))
  demand_nodes(model, discrete = discrete)
  if (is.null(model$prototype)) return(invisible())
  demand("the prototype has other columns" = identical(names(model$prototype), model$nodes))
  demand_prototype(model$prototype, model$levels)
}
