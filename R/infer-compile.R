# From a fitted network to a junction tree: compile_network() and the class
# "optbn_compiled_network", to which every exact question is put in the end.
#
# A compiled network is a list that R can save and copy; the core's own
# structure hangs on an external pointer in its environment `handle`, and is
# built again from the list when a session begins without it (handle_of()). All
# models that are asked exact questions are made this way; what the glue knows of
# them is the same, so that one method of a verb serves them all.

#' Compile a Network for Exact Queries
#'
#' Builds the junction tree of a discrete network once, for any number of exact queries: [query()],
#' [most_probable()], [log_density()], [log_probability()], `simulate()` and `predict()`. The
#' printed result shows the cost of a query in time and memory.
#'
#' @param fit A fitted network, from [fit_network()] or of bnlearn's class `bn.fit`, whose nodes are
#'   discrete (tables, trees and discretised tables). Some or all nodes can be continuous if they
#'   are linear regressions: see *Continuous Nodes*.
#' @param order `NULL` for an order that is computed (see *Details*), or an elimination order: the
#'   names of all nodes. Must be `NULL` for a network with continuous nodes.
#' @param memory_limit The largest number of bytes for a query; by default three quarters of the
#'   free memory.
#'
#' @details
#' The nodes of the moral graph are eliminated one after another. Each elimination gives a *clique*,
#' which consists of the node and its current neighbours, and the cliques form a tree. A query sends
#' messages along this tree. Its time and memory are proportional to the *cells* of the cliques: the
#' products of the numbers of levels of their nodes. The *width* of the order is the size of the
#' largest clique minus one. No order has a smaller width than the tree-width of the network. The
#' best order is hard to find. The default is that of [elimination_order()] for `goal = "cells"`,
#' which has few cells but not always the fewest. A fit of a network from [learn_treewidth()] has a
#' second order, from the k-tree in its [certificate()]. Of the two, the function chooses the one
#' with fewer cells, unless its width exceeds the tree-width with which the network was learned. The
#' width of the junction tree therefore never exceeds that tree-width (if no arcs are added to the
#' network).
#'
#' Evidence makes queries cheaper, because an observed node has one level. A tree or a discretised
#' table is expanded to the full table of its node and parents, but not further.
#'
#' @section Little Memory:
#' If the tables of all cliques do not fit into `memory_limit`, they are computed twice, one after
#' another. Then only one table and the messages must fit. If they do not fit either, the network is
#' *conditioned* on some of its nodes, which are chosen greedily. A query is then a sum over all
#' configurations of these nodes. Each term is a query in which the nodes are observed, and is
#' called a *pass*. The result is as exact as that of a junction tree in memory. Nodes need no
#' passes if they are in the evidence, if the query does not need them, or if the tables fit once
#' the evidence is set. The printed result shows the chosen method and its cost. The passes are
#' sorted by an upper bound on the probability of their configurations. [query()] and
#' [log_probability()] can therefore stop early, after a `time_limit` or Ctrl-C, and return a result
#' with bounds (Horvitz, Suermondt and Cooper 1989). All other queries need all passes. A network
#' that would need more than a million passes gives an error; use [approximate_query()] instead.
#'
#' You can save the result with [saveRDS()]. It is compiled again automatically when it is first
#' used in another session.
#'
#' @section Continuous Nodes:
#' A network whose nodes are all linear regressions on their parents is multivariate normal. It
#' needs no junction tree, and the result is an object of class [optbn_compiled_gaussian], which
#' accepts the same queries. A network of tables and linear regressions is conditional Gaussian. The
#' best junction tree depends on the evidence, so the result is an object of class
#' [optbn_compiled_mixed], which builds a junction tree for each query. Networks with trees over
#' continuous nodes cannot be compiled. The pages of [query()] and [log_density()] describe their
#' exact queries; for others use [approximate_query()].
#'
#' @return An object of class [optbn_compiled_gaussian] for a Gaussian network, of class
#' [optbn_compiled_mixed] for a conditional Gaussian one. Otherwise an object of class
#' `optbn_compiled_network`, a list with
#' * `nodes`, `levels`: the names of the nodes, and for each its level labels;
#' * `order`: the elimination order;
#' * `cliques`: the nodes of each clique, first those that are not in its parent clique; `parent`:
#'   the index of the parent clique (the root, which is the first clique, is its own parent);
#'   `cells`: the numbers of cells;
#' * `width`: the size of the largest clique minus one;
#' * `bytes`: the memory for the tables of the network and the posteriors of all nodes;
#' * `cutset`: the conditioned nodes, usually none. They are members of cliques but count as one
#'   level there. If there are such nodes, the object also has the class
#'   `optbn_conditioned_network`.
#'
#' @section Errors: `optbn_error_memory`, before the computation, if queries do not fit into
#'   `memory_limit` even with conditioning; the message names the width and the largest clique.
#'   `optbn_error_data` if a continuous node is not a linear regression or a discrete one has a
#'   continuous parent, if a table or a regression has missing values, or if a regression has
#'   standard deviation 0; `optbn_error_model` for an inconsistent model, which was changed or read
#'   from a damaged file; `optbn_error_argument` for a malformed argument.
#'
#' @references
#' Lauritzen, S. L. and Spiegelhalter, D. J. (1988). Local computations with probabilities on
#' graphical structures and their application to expert systems. *Journal of the Royal Statistical
#' Society B* 50, 157-224. \doi{10.1111/j.2517-6161.1988.tb01721.x}
#'
#' Jensen, F. V., Lauritzen, S. L. and Olesen, K. G. (1990). Bayesian updating in causal
#' probabilistic networks by local computations. *Computational Statistics Quarterly* 5, 269-282.
#'
#' Pearl, J. (1986). Fusion, propagation, and structuring in belief networks. *Artificial
#' Intelligence* 29, 241-288. \doi{10.1016/0004-3702(86)90072-X}
#'
#' Horvitz, E. J., Suermondt, H. J. and Cooper, G. F. (1989). Bounded conditioning: flexible
#' inference for decisions under scarce resources. *Uncertainty in Artificial Intelligence* 5,
#' 182-193.
#'
#' @seealso [query()], [treewidth()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' compiled <- compile_network(fit)
#' compiled
#' query(compiled, "Survived", list(Sex = "Female"))
#' query(compiled, c("Class", "Age"), list(Survived = "Yes"))
#' @export
compile_network <- function(fit, order = NULL, memory_limit = NULL) {
  require_arguments()
  compile_for(fit, order, memory_limit, call = environment())
}

# `call`: what the user called, compile_network() or a question that compiles on
# its way.
compile_for <- function(fit, order = NULL, memory_limit = NULL, call = parent.frame(),
                        conditioning = TRUE) {
  if (inherits(fit, c("optbn_fit", "bn.fit"))) check_sound(fit, call)
  memory_limit <- check_memory_limit(memory_limit, call)
  gaussian <- as_linear_network(fit, call)
  if (!is.null(gaussian)) return(compile_gaussian(gaussian, order, memory_limit, call))
  if (is_conditional_gaussian(fit)) {
    parts <- completion_network(fit, call)
    return(compile_mixed(parts, fit[["do"]], order, memory_limit, call))
  }
  compile_parts(discrete_parts(fit, call), order, memory_limit, call, conditioning)
}

# Are some nodes continuous, and all of them tables or linear regressions?
is_conditional_gaussian <- function(fit) UseMethod("is_conditional_gaussian")

#' @export
is_conditional_gaussian.default <- function(fit) FALSE

#' @export
is_conditional_gaussian.optbn_fit <- function(fit) {
  any(vapply(fit$levels[fit$nodes], is.null, NA)) && is_completable(fit)
}

#' @export
is_conditional_gaussian.bn.fit <- function(fit) {
  any(vapply(unclass(fit), function(node) is.null(node$prob), NA))
}

# `parts`: what discrete_parts() returns. `conditioning`: whether a junction tree that does not fit
# may be conditioned on some nodes (R/infer-conditioning.R).
compile_parts <- function(parts, order, memory_limit, call, conditioning = TRUE) {
  nodes <- names(parts$levels)
  network <- list(sizes = unname(lengths(parts$levels)), parents = unname(parts$parents))
  found <- if (is.null(order)) {
    best_clique_tree(network, list(fewest_cells_order(network, call), parts$witness$order),
                     parts$witness$treewidth)
  } else {
    best_clique_tree(network, list(check_order(order, nodes, call)))
  }
  found$cutset <- integer()
  if (least_bytes(found$tree) > memory_limit) {
    fitting <- if (conditioning) {
      condition_tree(network, found, is.null(order), memory_limit, call)
    }
    found <- fitting %||% abort_clique_memory(found$tree, nodes, memory_limit, call)
  }
  tree <- found$tree
  cliques <- lapply(tree$members, function(members) nodes[members])

  compiled <- structure(
    list(
      nodes = nodes,
      levels = parts$levels,
      order = nodes[found$order],
      cliques = cliques,
      parent = tree$parent,
      cells = tree$cells,
      width = max(lengths(cliques)) - 1L,
      bytes = if (all_bytes(tree) > memory_limit) least_bytes(tree) else all_bytes(tree),
      cutset = nodes[found$cutset],
      network = network,
      models = parts$models,
      prototype = parts$prototype,
      memory_limit = memory_limit,
      handle = new.env(parent = emptyenv())
    ),
    class = c(if (length(found$cutset)) "optbn_conditioned_network", "optbn_compiled_network")
  )
  handle_of(compiled)
  compiled
}

# The core's own structure; made again after a journey through a file, and where the list is no
# longer the one that it was made from. (Parts that nobody touched are the same objects, so that to
# compare them costs nothing.)
handle_of <- function(model, call = parent.frame()) {
  parts <- unclass(model)
  parts <- parts[names(parts) != "handle"]
  handle <- if (is.list(model)) model$handle
  if (!is.environment(handle)) handle <- new.env(parent = emptyenv())
  if (!identical(core_compiled_from(handle$pointer), parts)) {
    handle$pointer <- new_handle(model, call)
    core_set_compiled_from(handle$pointer, parts)
  }
  handle$pointer
}

new_handle <- function(model, call) {
  pointer <- when_unsound({
    sound_parts(model)
    suppressWarnings(make_handle(model)) # numbers out of range become NA, which the core refuses
  }, model, call)
  if (inherits(pointer, "core_failure") && pointer$kind == "malformed") {
    abort_unsound(pointer$message, class(model)[1L], call)
  }
  call_core(pointer, call = call)
}

make_handle <- function(model) UseMethod("make_handle")

#' @export
make_handle.optbn_compiled_network <- function(model) {
  core_compile(model$network, lapply(model$models, local_table), match(model$order, model$nodes),
               model$memory_limit, match(model$cutset, model$nodes))
}

# Of the posteriors of all nodes. `levels`: by node, named.
dimnames_by_node <- function(levels) {
  set_names(lapply(names(levels), function(node) levels[node]), names(levels))
}

fewest_cells_order <- function(network, call) {
  call_core(core_fewest_cells_order(network$parents, log(network$sizes), quiet_host()),
            call = call)
}

# Of these orders (node numbers, or NULL) that whose cliques have the fewest cells
# together, and its tree. One that is wider than `treewidth` is taken only if all are.
best_clique_tree <- function(network, orders, treewidth = NULL) {
  orders <- Filter(length, orders)
  trees <- lapply(orders, core_clique_tree, network = network)
  widths <- vapply(trees, function(tree) max(lengths(tree$members)) - 1, 0)
  cells <- vapply(trees, function(tree) sum(tree$cells), 0)
  best <- order(widths > (treewidth %||% Inf), cells)[1L]
  list(order = orders[[best]], tree = trees[[best]])
}

check_order <- function(order, nodes, call) {
  if (!(is.character(order) && setequal(order, nodes) && length(order) == length(nodes))) {
    missing <- if (is.character(order)) setdiff(nodes, order)
    abort_optbn("argument",
                c("{.arg order} must name every node of the network once.",
                  x = if (length(missing)) {
                    "It lacks {.val {missing}}."
                  } else {
                    "It is {describe(order)}."
                  }),
                call = call)
  }
  match(order, nodes)
}

# The memory of a network and of a question for all posteriors: with all tables of cliques stored,
# and with one at a time, all of which are then computed twice.
all_bytes <- function(tree) 8 * (tree$tables + tree$messages + sum(tree$cells))

least_bytes <- function(tree) 8 * (tree$tables + tree$messages + max(tree$cells))

abort_clique_memory <- function(tree, nodes, limit, call) {
  largest <- which.max(tree$cells)
  clique <- nodes[tree$members[[largest]]]
  width <- max(lengths(tree$members)) - 1L
  needed <- least_bytes(tree)
  abort_optbn(
    "memory",
    c(paste("Exact answers from this network need {format_bytes(needed)} of memory and may use",
            "{format_bytes(limit)}."),
      x = paste("Its junction tree has width {width}. The largest clique, of {length(clique)}",
                "nodes, has {format_cells(tree$cells[largest])}: {first_few(clique)}."),
      x = if (8 * tree$tables > limit) {
        "The tables of the nodes alone take {format_bytes(8 * tree$tables)}."
      } else {
        "Conditioning on some nodes would take more than {format_count(most_passes)} passes."
      },
      i = paste("Learn a network of bounded tree-width, merge levels, give a better {.arg order},",
                "or raise {.arg memory_limit} (in bytes). {.fn approximate_query} needs no",
                "junction tree, and gives standard errors.")),
    call = call, needed = needed, limit = limit, width = width, clique = clique
  )
}

# ---- what is compiled ---------------------------------------------------------------------------

# A discrete network in parts: `levels` (labels, named by node), `parents` (node
# numbers, in the order of the table's dimensions), `models` (what local_table()
# takes), `prototype` (a column of no rows for each node, of the type of the data),
# and `witness`, see learned_witness().
#
# Gaussian networks have turned off before: what still is continuous here has no
# exact answers.
discrete_parts <- function(fit, call) UseMethod("discrete_parts")

#' @export
discrete_parts.optbn_fit <- function(fit, call) {
  continuous <- fit$nodes[vapply(fit$levels, is.null, NA)]
  if (length(continuous)) abort_continuous(continuous, call)
  list(
    levels = fit$levels,
    parents = lapply(fit$models, function(model) match(model$parents, fit$nodes)),
    models = fit$models,
    prototype = as.data.frame(fit$prototype)[fit$nodes],
    witness = learned_witness(fit)
  )
}

# The `treewidth` that a network was learned with, and an elimination `order`
# (node numbers) that proves it (see k_tree-class); NULL where there is none. It
# proves nothing once arcs were changed, but an order it is all the same.
learned_witness <- function(fit) {
  network <- fit$network
  tree <- if (inherits(network, "optbn") && has_certificate(network)) {
    readable_certificate(network)$k_tree
  }
  if (is.null(tree) || !setequal(tree$nodes, fit$nodes)) return(NULL)
  list(treewidth = tree$treewidth,
       order = match(c(rev(tree$introduced[-1L]), tree$bags[[1L]]), fit$nodes))
}

#' @export
discrete_parts.bn.fit <- function(fit, call) {
  nodes <- unclass(fit)
  attributes(nodes) <- list(names = names(fit))
  continuous <- names(nodes)[vapply(nodes, function(node) is.null(node$prob), NA)]
  if (length(continuous)) abort_continuous(continuous, call)
  levels <- lapply(nodes, function(node) dimnames(node$prob)[[1L]])
  list(
    levels = levels,
    parents = lapply(nodes, function(node) match(node$parents, names(nodes))),
    models = lapply(names(nodes), function(node) checked_table(nodes[[node]]$prob, node, call)),
    prototype = list2DF(lapply(nodes, function(node) {
      factor(character(), levels = dimnames(node$prob)[[1L]],
             ordered = inherits(node, "bn.fit.onode"))
    }))
  )
}

#' @export
discrete_parts.default <- function(fit, call) {
  abort_optbn("argument",
              c(paste("{.arg fit} must be a fitted network, as {.fn fit_network} or bnlearn's",
                      "{.fn bn.fit} return it."),
                x = "It is {describe(fit)}."),
              call = call)
}

abort_continuous <- function(nodes, call) {
  abort_optbn("data",
              c("Exact inference needs a network of tables and linear regressions.",
                x = paste("Node{?s} {.val {nodes}} {?is/are} continuous, and not all nodes are",
                          "tables or linear regressions."),
                i = "{.fn approximate_query} accepts every fitted network."),
              call = call)
}

# Whether rows of a network from fit_network() are for a compiled network: a discrete one, or a
# Gaussian one.
has_exact_answers <- function(fit) {
  !any(vapply(fit$levels, is.null, NA)) || !is.null(as_linear_network(fit))
}

# The conditional probabilities of a discrete node with discrete parents, the node
# fastest, then its parents. Only the core holds on to what is expanded here.
local_table <- function(model) UseMethod("local_table")

#' @export
local_table.optbn_table <- function(model) model$prob

#' @export
local_table.optbn_partition <- function(model) {
  model$prob[, region_of_configurations(model$partition)]
}

# The table of a bnlearn network.
#' @export
local_table.table <- function(model) model

checked_table <- function(prob, node, call) {
  if (anyNA(prob)) {
    abort_optbn("data",
                c("The table of node {.val {node}} has missing probabilities.",
                  i = paste("Fit it with {.fn fit_network}, or with bnlearn's",
                            "{.code bn.fit(..., method = \"bayes\")}.")),
                call = call)
  }
  prob
}

# ---- on the screen ------------------------------------------------------------------------------

#' @export
format.optbn_compiled_network <- function(x, ...) {
  check_sound(x)
  largest <- which.max(x$cells)
  unobserved <- lapply(x$cliques, setdiff, x$cutset)
  twice <- if (x$bytes < 8 * sum(x$cells)) 2 else 1 # see least_bytes()
  c(
    cli::style_bold(cli::format_inline(
      "Junction tree of a network with {length(x$nodes)} node{?s}"
    )),
    format_facts(c(
      conditioning = format_cutset(x),
      cliques = cli::format_inline("{length(x$cliques)}, {format_cells(sum(x$cells))} together"),
      width = format(max(lengths(unobserved)) - 1L),
      largest = cli::format_inline("{format_cells(x$cells[largest])}: ",
                                   "{first_few(unobserved[[largest]])}"),
      memory = paste0(format_bytes(x$bytes), if (twice > 1) ", tables computed twice"),
      cost = format_cost(x, twice * sum(x$cells))
    ))
  )
}

#' @export
print.optbn_compiled_network <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

format_cells <- function(cells) {
  if (cells == 1) return("1 cell")
  paste(if (cells < 1e9) format_count(cells) else format(cells, digits = 3), "cells")
}

# Eight names at most, and of long ones as many as make a line of the screen.
first_few <- function(nodes, most = 8L, width = 60L) {
  fitting <- sum(cumsum(nchar(nodes, "width") + 2L) <= width + 2L)
  shown <- min(length(nodes), most, max(1L, fitting))
  more <- length(nodes) - shown
  paste0(paste(nodes[seq_len(shown)], collapse = ", "), if (more > 0L) paste(" and", more, "more"))
}

# At 1e8 cells a second, which the machines of today surpass.
cost_in_words <- function(cells) {
  seconds <- cells / 1e8
  if (seconds < 0.001) return("less than a millisecond")
  if (seconds < 1) return(paste("some", signif(1000 * seconds, 1), "milliseconds"))
  paste("some", format_seconds(signif(seconds, 1)))
}
