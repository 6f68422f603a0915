# Networks whose junction tree does not fit into memory: conditioning.
#
# Once the nodes of a cutset are observed they have one level in all tables. An answer
# is then the sum, over the configurations of the cutset, of answers given each of
# them, one pass each (src/core/inference/conditioning.h). Here the cutset is chosen,
# at the time of compiling, so that a pass fits; and sums that were stopped early are
# given bounds. An "optbn_conditioned_network" is a compiled network with a cutset:
# verbs that have no method here wait for all passes.

# An hour of passes of 4 ms. The core keeps numbers by configuration.
most_passes <- 1e6

# ---- which nodes --------------------------------------------------------------------------------

# `found`: an order (node numbers) and its tree, that do not fit. The same of the network in which
# the nodes of `cutset` have one level; NULL where that takes more than most_passes. `free`: whether
# other orders may be found.
#
# Greedily that node next whose observation shrinks what a question takes most for its number of
# passes: log(memory before / after) / log(levels).
condition_tree <- function(network, found, free, memory_limit, call) {
  tables <- found$tree$tables # they stay as large as they are
  cutset <- integer()
  passes <- 1
  while (least_bytes(found$tree) > memory_limit) {
    if (8 * tables > memory_limit) return(NULL)
    worth <- worth_of_conditioning(found$tree, network$sizes)
    worth[c(cutset, which(passes * network$sizes > most_passes))] <- 0
    if (max(worth) <= 0) return(NULL)
    cutset <- c(cutset, which.max(worth))
    passes <- prod(network$sizes[cutset])
    found <- observed_tree(network, cutset, found$order, free, call)
    found$tree$tables <- tables
  }
  c(found, list(cutset = cutset))
}

# By node.
worth_of_conditioning <- function(tree, sizes) {
  members <- unlist(tree$members)
  cells <- rep(tree$cells, lengths(tree$members))
  in_separator <- unlist(Map(`%in%`, tree$members, tree$members[tree$parent]))
  in_separator[seq_along(tree$members[[1L]])] <- FALSE # the root has none
  residual <- vapply(split(ifelse(in_separator, 1, sizes[members]),
                           rep(seq_along(tree$members), lengths(tree$members))), prod, 0)
  separator <- rep(tree$cells / residual, lengths(tree$members))
  sum_by_node <- function(x) {
    as.vector(tapply(x, factor(members, seq_along(sizes)), sum, default = 0))
  }
  saved <- 2 * sum_by_node(in_separator * separator) * (1 - 1 / sizes)

  largest <- rep(max(tree$cells), length(sizes))
  for (v in tree$members[[which.max(tree$cells)]]) {
    largest[v] <- max(ifelse(vapply(tree$members, function(clique) v %in% clique, NA),
                             tree$cells / sizes[v], tree$cells))
  }
  before <- tree$messages + max(tree$cells)
  after <- tree$messages - saved + largest
  ifelse(sizes > 1, log(before / after) / log(sizes), 0)
}

# Observed nodes come last in an order: so they join no neighbours.
observed_tree <- function(network, cutset, order, free, call) {
  observed <- list(sizes = replace(network$sizes, cutset, 1L), parents = network$parents)
  orders <- list(c(setdiff(order, cutset), rev(cutset)))
  if (free) {
    without <- list(sizes = observed$sizes, parents = lapply(network$parents, setdiff, cutset))
    orders[[2L]] <- c(setdiff(fewest_cells_order(without, call), cutset), rev(cutset))
  }
  best_clique_tree(observed, orders)
}

# ---- questions ----------------------------------------------------------------------------------

#' @rdname query
#' @param max_passes,time_limit For a network that is conditioned on some nodes (see
#'   [compile_network()]): the number of passes and of seconds after which the computation stops and
#'   returns the result so far, with bounds. Ctrl-C has the same effect.
#' @param progress Show a progress bar? Only for such a network.
#' @export
query.optbn_conditioned_network <- function(model, nodes = NULL, evidence = list(), do = list(),
                                            max_passes = Inf, time_limit = Inf,
                                            progress = interactive(), ...) {
  model <- under_intervention(model, do, evidence)
  # of a network with fewer arcs all may fit
  if (!inherits(model, "optbn_conditioned_network")) return(query(model, nodes, evidence))
  check_number(max_passes, "max_passes", minimum = 1, finite = FALSE)
  host <- passes_host(time_limit, progress)
  handle <- handle_of(model)
  known <- encode_evidence_list(evidence, model)
  if (!is.null(nodes)) {
    observed <- model$nodes[known$node]
    nodes <- check_query_nodes(nodes, model, set_names(known$level, observed))
    check_posterior_size(lengths(model$levels[nodes]))
  }
  sum <- answer_of(
    core_conditioned_posterior(handle, known, match(nodes, model$nodes),
                               dimnames_by_node(model$levels), max_passes, host),
    model, known
  )
  announce_passes(sum)
  if (is.null(nodes)) {
    return(lapply(sum$posterior, function(marginal) with_bounds(as.table(marginal), sum)))
  }
  with_bounds(posterior_table(sum$posterior, model$levels[nodes]), sum)
}

#' @rdname log_probability
#' @inheritParams query
#' @export
log_probability.optbn_conditioned_network <- function(model, evidence = list(), do = list(),
                                                      max_passes = Inf, time_limit = Inf,
                                                      progress = interactive(), ...) {
  model <- under_intervention(model, do, evidence)
  if (!inherits(model, "optbn_conditioned_network")) return(log_probability(model, evidence))
  check_number(max_passes, "max_passes", minimum = 1, finite = FALSE)
  host <- passes_host(time_limit, progress)
  handle <- handle_of(model)
  known <- encode_evidence_list(evidence, model)
  sum <- call_core(core_conditioned_probability(handle, known, max_passes, host))
  announce_passes(sum)
  if (is.null(sum$reason)) return(sum$log_probability)
  upper <- sum$log_probability + log1p(exp(sum$log_rest - sum$log_probability))
  structure(sum$log_probability, bounds = c(lower = sum$log_probability, upper = upper))
}

passes_host <- function(time_limit, progress, call = parent.frame()) {
  host_options(1L, check_time_limit(time_limit, call), check_progress(progress, call),
               "Summing over passes", seed = c(0, 0))
}

announce_passes <- function(sum) {
  if (is.null(sum$reason)) return(invisible())
  missing <- 1 / (1 + exp(sum$log_probability - sum$log_rest))
  announce(c(paste("The answer is the sum of {format_count(sum$done)} of",
                   "{format_count(sum$passes)} passes."),
             i = paste("At most {format(100 * missing, digits = 2)}% of the probability is",
                       "missing; the exact answer lies between the bounds in the attribute",
                       "{.field bounds}.")))
}

# Of what is missing, relative to what is there, all may belong to one cell or none.
with_bounds <- function(posterior, sum) {
  if (is.null(sum$reason)) return(posterior)
  missing <- exp(sum$log_rest - sum$log_probability)
  lower <- posterior / (1 + missing)
  upper <- if (is.finite(missing)) (posterior + missing) / (1 + missing) else posterior^0
  structure(posterior, bounds = list(lower = lower, upper = pmin(upper, 1)),
            passes = c(done = sum$done, all = sum$passes),
            class = c("optbn_bounded_table", "table"))
}

# ---- on the screen ------------------------------------------------------------------------------

#' @export
print.optbn_bounded_table <- function(x, digits = 3, ...) {
  bounds <- attr(x, "bounds")
  # a part of the table is a table like others
  if (!identical(dim(bounds$lower), dim(x))) return(NextMethod())
  passes <- attr(x, "passes")
  tell_answer(x, {
    cat(cli::style_bold(cli::format_inline("Posterior of {names(dimnames(x))}, with bounds")),
        format_facts(c(passes = paste(format_count(passes[["done"]]), "of",
                                      format_count(passes[["all"]])))), sep = "\n")
    cells <- expand.grid(dimnames(x))
    cells$lower <- as.vector(bounds$lower)
    cells$probability <- as.vector(unclass(x))
    cells$upper <- as.vector(bounds$upper)
    print(cells, digits = digits, row.names = FALSE, ...)
  })
  invisible(x)
}

passes_of <- function(model) prod(lengths(model$levels[model$cutset]))

# NULL where a network is not conditioned on any.
format_cutset <- function(model) {
  k <- length(model$cutset)
  if (k > 0L) cli::format_inline("on {k} node{?s}: {first_few(model$cutset)}")
}

# `cells`: that one pass processes.
format_cost <- function(model, cells) {
  passes <- passes_of(model)
  if (passes == 1) return(paste("all posteriors in", cost_in_words(cells)))
  paste0("all posteriors in ", format_count(passes), " passes of ", cost_in_words(cells), ": ",
         cost_in_words(passes * cells))
}
