# Networks: the class c("optbn", "bn"), its methods, and the one way by which
# the rest of the package reads the structure of any network it is given.
#
# A learned network is a bnlearn `bn` (components learning, nodes and arcs, laid
# out as bnlearn lays them out) whose `learning$optbn` holds the record of its
# certificate. bnlearn copies classes: a `bn.fit` of such a network has class
# "optbn" as well, and hill climbing from one keeps the class but not the
# record. Every method of class "optbn" therefore first steps aside for these.
#
# Inside the package the structure of a network is a "dag": list(nodes = names,
# parents = list of ascending 1-based node numbers, one vector per node).

# `algo` is the learner's name. `score` is the label of the score, or NULL when
# local scores came from a file that does not say; `args` are its
# hyper-parameters under bnlearn's names (iss, k, ...), so that bnlearn scores
# the network as it was learned. `illegal` are the arcs that the score cannot
# express (from continuous to discrete nodes), which bnlearn refuses to set.
new_network <- function(nodes, parents, score, args = list(), whitelist = NULL, blacklist = NULL,
                        algo, ntests = 0, certificate, illegal = NULL) {
  dag <- list(nodes = nodes, parents = parents)
  arcs <- dag_arcs(dag)
  certificate$arcs <- arcs
  certificate$version <- getNamespaceVersion("optbn")[["version"]]
  learning <- list(
    whitelist = whitelist,
    blacklist = blacklist,
    test = score %||% "none",
    ntests = ntests,
    algo = algo,
    args = args,
    optimized = TRUE,
    illegal = illegal
  )
  network <- structure(list(learning = learning, nodes = dag_neighbours(dag), arcs = arcs),
                       class = c("optbn", "bn"))
  with_record(network, certificate)
}

# A network of bnlearn's, without a certificate.
plain_network <- function(dag) {
  learning <- list(whitelist = NULL, blacklist = NULL, test = "none", ntests = 0, algo = "empty",
                   args = list())
  structure(list(learning = learning, nodes = dag_neighbours(dag), arcs = dag_arcs(dag)),
            class = "bn")
}

# Arcs ordered by parent, then by child, as bnlearn reads them off a matrix.
dag_arcs <- function(dag) {
  arcs <- arc_numbers(dag$parents)
  by_parent <- order(arcs$parent, arcs$child)
  cbind(from = dag$nodes[arcs$parent[by_parent]], to = dag$nodes[arcs$child[by_parent]])
}

arc_numbers <- function(parents) {
  list(parent = as.integer(unlist(parents)), child = rep(seq_along(parents), lengths(parents)))
}

# What bnlearn keeps of every node: Markov blanket, neighbours, parents,
# children; each in the order of the nodes.
dag_neighbours <- function(dag) {
  nodes <- dag$nodes
  parents <- dag$parents
  arcs <- arc_numbers(parents)
  parent <- arcs$parent
  child <- arcs$child
  near <- ascending_pairs(c(child, parent), c(parent, child), length(nodes))
  # and the other parents of children
  mate <- ascending_pairs(c(near$of, rep(parent, lengths(parents)[child])),
                          c(near$which, as.integer(unlist(parents[child]))), length(nodes))
  other <- mate$which != mate$of
  by_node <- function(which, of) split_by_node(nodes[which], of, length(nodes))
  neighbours <- Map(list,
                    mb = by_node(mate$which[other], mate$of[other]),
                    nbr = by_node(near$which, near$of),
                    parents = by_node(parent, child),
                    children = by_node(child, parent))
  names(neighbours) <- nodes
  neighbours
}

# Pairs of nodes, each once, in the order of `of` and then of `which`.
ascending_pairs <- function(of, which, n) {
  number <- sort.int(unique((of - 1) * n + which)) - 1
  list(of = as.integer(number %/% n) + 1L, which = as.integer(number %% n) + 1L)
}

children_of <- function(parents) {
  arcs <- arc_numbers(parents)
  split_by_node(arcs$child, arcs$parent, length(parents))
}

split_by_node <- function(values, of, n) {
  unname(split(values, structure(of, levels = as.character(seq_len(n)), class = "factor")))
}

# The nodes, generation by generation (parents first) and in their own order
# within one. Nodes on a cycle and their descendants are left out: the result
# is shorter than the network exactly when the network is cyclic.
topological_order <- function(parents) {
  children <- children_of(parents)
  waiting <- lengths(parents)
  generation <- which(waiting == 0L)
  generations <- list()
  while (length(generation) > 0L) {
    generations[[length(generations) + 1L]] <- generation
    met <- tabulate(unlist(children[generation]), length(parents))
    waiting <- waiting - met
    generation <- which(met > 0L & waiting == 0L)
  }
  as.integer(unlist(generations))
}

# One directed cycle as node numbers, first and last the same; NULL if acyclic.
find_cycle <- function(parents) {
  blocked <- setdiff(seq_along(parents), topological_order(parents))
  if (length(blocked) == 0L) return(NULL)
  # Every blocked node has a blocked parent, so a walk against the arcs must return.
  walk <- blocked[1L]
  repeat {
    before <- intersect(parents[[walk[1L]]], blocked)[1L]
    met <- match(before, walk)
    if (!is.na(met)) return(c(before, walk[seq_len(met)]))
    walk <- c(before, walk)
  }
}

# Reads a bnlearn `bn` or `bn.fit`, a model string or an adjacency matrix, and
# stops unless it is a directed acyclic graph.
as_network_structure <- function(x, arg = "network", call = parent.frame()) {
  if (inherits(x, c("bn", "bn.fit"))) check_sound(x, call)
  dag <- if (inherits(x, "bn.fit")) {
    dag_of_fit(x)
  } else if (inherits(x, "bn")) {
    dag_of_arcs(names(x$nodes), x$arcs, arg, call)
  } else if (is.character(x) && length(x) == 1L && !is.na(x)) {
    dag_of_string(x, arg, call)
  } else if (is.matrix(x) && (is.numeric(x) || is.logical(x))) {
    dag_of_matrix(x, arg, call)
  } else {
    abort_optbn(
      "argument",
      c("{.arg {arg}} must be a network.",
        x = "It is {describe(x)}.",
        i = paste("Give a network of class {.cls bn}, a model string such as {.val [A][B|A]},",
                  "or an adjacency matrix with dimnames.")),
      call = call
    )
  }
  cycle <- dag$nodes[find_cycle(dag$parents)]
  if (length(cycle) > 0L) {
    abort_optbn("argument",
                c("{.arg {arg}} must be acyclic.",
                  x = "It has the cycle {paste(cycle, collapse = ' -> ')}."),
                call = call)
  }
  dag
}

dag_of_fit <- function(x) {
  parents <- lapply(unclass(x), function(node) sort(match(node$parents, names(x))))
  list(nodes = names(x), parents = unname(parents))
}

dag_of_arcs <- function(nodes, arcs, arg, call) {
  undirected <- arcs[is_undirected(arcs), , drop = FALSE]
  if (nrow(undirected) > 0L) {
    abort_optbn(
      "argument",
      c("{.arg {arg}} must be directed.",
        x = "The arc between {.val {undirected[1L, 1L]}} and {.val {undirected[1L, 2L]}} is not.",
        i = "Direct it with {.code bnlearn::set.arc()} or all with {.code bnlearn::cextend()}."),
      call = call
    )
  }
  from <- match(arcs[, 1L], nodes)
  to <- factor(match(arcs[, 2L], nodes), levels = seq_along(nodes))
  list(nodes = nodes, parents = unname(lapply(split(from, to), sort)))
}

# bnlearn keeps an undirected arc as two arcs, one each way.
is_undirected <- function(arcs) {
  arcs[, 1L] != arcs[, 2L] &
    arc_labels(arcs) %in% arc_labels(arcs[, 2:1, drop = FALSE])
}

# One string an arc, for comparing sets of arcs.
arc_labels <- function(arcs) paste(arcs[, 1L], arcs[, 2L], sep = "\r")

# A term of a model string without its brackets: a node, then perhaps its
# parents behind a bar, as in "B|A:C".
model_string_term <- "[^][|:]+(\\|[^][|:]+(:[^][|:]+)*)?"

# Nodes come out sorted, as bnlearn::model2network() gives them.
dag_of_string <- function(x, arg, call) {
  if (!grepl(sprintf("^(\\[%s\\])+$", model_string_term), x)) {
    abort_optbn("argument",
                c("{.arg {arg}} must be a model string such as {.val [A][B|A]}.",
                  x = "It is {.val {x}}."),
                call = call)
  }
  terms <- regmatches(x, gregexpr(model_string_term, x))[[1L]]
  terms <- strsplit(terms, "|", fixed = TRUE)
  child <- vapply(terms, `[`, "", 1L)
  check_unique_nodes(child, arg, call)
  nodes <- sort(child)
  parent_names <- lapply(terms[match(nodes, child)], function(term) {
    as.character(unlist(strsplit(term[-1L], ":", fixed = TRUE)))
  })
  unknown <- setdiff(unlist(parent_names), nodes)
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c("{.arg {arg}} must give every parent a term of its own.",
                  x = "{.val {unknown}} {?has/have} none."),
                call = call)
  }
  list(nodes = nodes, parents = lapply(parent_names, function(p) sort(unique(match(p, nodes)))))
}

# Rows are parents, columns children, as in bnlearn::amat().
dag_of_matrix <- function(x, arg, call) {
  nodes <- colnames(x)
  if (nrow(x) != ncol(x) || is.null(nodes) || !identical(rownames(x), nodes)) {
    abort_optbn("argument",
                c("{.arg {arg}} must be a square matrix with the same row and column names.",
                  x = "It is {nrow(x)} x {ncol(x)}{if (is.null(nodes)) ' and has no names'}."),
                call = call)
  }
  check_unique_nodes(nodes, arg, call)
  odd <- setdiff(x, c(0, 1))
  if (length(odd) > 0L) {
    abort_optbn("argument",
                c("{.arg {arg}} must hold 1 for an arc from row to column, otherwise 0.",
                  x = "It holds {.val {odd[1L]}}."),
                call = call)
  }
  arcs <- which(x == 1, arr.ind = TRUE)
  dag_of_arcs(nodes, cbind(nodes[arcs[, 1L]], nodes[arcs[, 2L]]), arg, call)
}

check_unique_nodes <- function(nodes, arg, call) {
  twice <- unique(nodes[duplicated(nodes)])
  if (length(twice) > 0L) {
    abort_optbn("argument",
                c("{.arg {arg}} must name every node once.",
                  x = "{.val {twice}} {?is/are} there more than once."),
                call = call)
  }
}

# ---- methods ---------------------------------------------------------------

#' Learned Networks
#'
#' The learners of this package return networks of class `c("optbn", "bn")`. They have the
#' components of a network of package \pkg{bnlearn} (`learning`, `nodes` and `arcs`), and the record
#' of the [certificate()]. bnlearn's functions accept them without conversion; see [as.bn.optbn()].
#'
#' A certificate applies to the arcs that were learned. If arcs are changed afterwards, for example
#' by `bnlearn::set.arc()`, or if the certificate itself is changed, the printed network reports
#' that the certificate no longer applies. The printed form of an equivalence class from
#' `bnlearn::cpdag()`, of a skeleton, a moral graph, or a network from `mutilated()` names the
#' network from which it was derived, and what is proved of that.
#'
#' @param x,object a learned network.
#' @param row.names,optional as in [as.data.frame()].
#' @param ... ignored.
#'
#' @return
#' * `print()` returns `x` invisibly. `format()` returns the printed text, a character vector with
#'   one element per line.
#' * `summary()`: an object of class `"summary.optbn"` that prints one line per node: the numbers of
#'   its parents and children, the size of its Markov blanket, and its local score (natural log) if
#'   the certificate applies. Its component `nodes` is a data frame with this table.
#' * `as.character()`: the model string with nodes after their parents, as from
#'   `bnlearn::modelstring()`. A network with undirected arcs has none and gives an error of class
#'   `"optbn_error_argument"`.
#' * `as.matrix()`: the adjacency matrix, an integer matrix with 1 for an arc from the node of the
#'   row to that of the column, and 0 otherwise.
#' * `as.data.frame()`: the arcs, one per row, with columns `from` and `to`.
#'
#' @seealso [certificate()] for what is proved, [as.bn.optbn()] for bnlearn,
#'   [as.igraph.optbn()] for igraph.
#' @examples
#' network <- learn_dag(attitude, "bge")
#' network
#' summary(network)
#' as.data.frame(network)
#' @name optbn-class
NULL

# FALSE for what only bears the class because bnlearn copied it.
has_certificate <- function(x) {
  !inherits(x, "bn.fit") && is.list(x) && is.list(x$learning) && !is.null(x$learning$optbn)
}

#' @rdname optbn-class
#' @export
print.optbn <- function(x, ...) {
  check_sound(x)
  if (inherits(x, "bn.fit")) return(NextMethod())
  if (!has_certificate(x) && !is_essential_graph(x)) {
    print(without_certificate(x))
    return(invisible(x))
  }
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @rdname optbn-class
#' @export
format.optbn <- function(x, ...) {
  check_sound(x)
  if (is_essential_graph(x)) return(format_essential_graph(x))
  if (!has_certificate(x)) return(NextMethod())
  record <- readable_certificate(x)
  known <- if (!is_sealed(record)) {
    c(status = format_edited())
  } else if (record$valid) {
    c(class = record$settings$class, score = format_score(record), status = format_status(record),
      "tree-width" = format_treewidth(record), search = format_search(record),
      format_em_search(record$em))
  } else {
    c(status = record$relation %||% format_changed())
  }
  c(cli::style_bold(network_heading(x)), format_facts(c(model = short_model_string(x), known)))
}

# bnlearn prints networks of learners that it knows.
without_certificate <- function(x) {
  learner <- x$learning$algo
  if (is_string(learner) && !startsWith(learner, "learn_")) as_plain(x) else as.bn.optbn(x)
}

network_heading <- function(x) {
  undirected <- sum(is_undirected(x$arcs)) / 2
  arcs <- nrow(x$arcs) - undirected
  what <- if (is_essential_graph(x)) "Essential graph" else "Bayesian network"
  heading <- cli::format_inline("{what} with {length(x$nodes)} node{?s} and {arcs} arc{?s}")
  if (undirected > 0) heading <- paste0(heading, ", ", undirected, " of them undirected")
  heading
}

# NULL when there is none or when it would fill more than one line.
short_model_string <- function(x) {
  if (any(is_undirected(x$arcs))) return(NULL)
  string <- as.character(x)
  if (nchar(string, type = "width") > cli::console_width() - 10L) return(NULL)
  string
}

# Named facts as lines "  name   value", the values under one another.
format_facts <- function(facts) {
  if (length(facts) == 0L) return(character())
  paste0("  ", format(names(facts)), "  ", facts)
}

#' @rdname optbn-class
#' @export
summary.optbn <- function(object, ...) {
  check_sound(object)
  if (!has_certificate(object)) return(NextMethod())
  sizes <- function(what) unname(lengths(lapply(object$nodes, `[[`, what)))
  nodes <- data.frame(
    node = names(object$nodes),
    parents = sizes("parents"),
    children = sizes("children"),
    markov_blanket = sizes("mb")
  )
  record <- readable_certificate(object)
  if (isTRUE(record$valid)) nodes$score <- unname(record$node_scores[nodes$node])
  structure(list(nodes = nodes, lines = format(object)), class = "summary.optbn")
}

#' @export
print.summary.optbn <- function(x, ...) {
  tell_answer(x, {
    cat(x$lines, "", sep = "\n")
    print(x$nodes, row.names = FALSE)
  })
  invisible(x)
}

#' @rdname optbn-class
#' @export
as.character.optbn <- function(x, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  dag <- as_network_structure(x, "x")
  terms <- vapply(topological_order(dag$parents), function(i) {
    parents <- dag$nodes[dag$parents[[i]]]
    bar <- if (length(parents) > 0L) "|" else ""
    paste0("[", dag$nodes[i], bar, paste(parents, collapse = ":"), "]")
  }, "")
  paste(terms, collapse = "")
}

#' @rdname optbn-class
#' @export
as.matrix.optbn <- function(x, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  check_sound(x)
  nodes <- names(x$nodes)
  adjacency <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  adjacency[x$arcs] <- 1L
  adjacency
}

#' @rdname optbn-class
#' @export
as.data.frame.optbn <- function(x, row.names = NULL, optional = FALSE, ...) {
  if (inherits(x, "bn.fit")) return(NextMethod())
  check_sound(x)
  as.data.frame(x$arcs, row.names = row.names, optional = optional, stringsAsFactors = FALSE)
}
