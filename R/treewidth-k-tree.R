# k-trees: sampling them, their codes, and the class "optbn_k_tree".
#
# A k_tree holds its nodes by name: list(nodes, treewidth, bags, parent,
# introduced), a bag a vector of names in the order of `nodes`; parent[i] is the
# number of the earlier bag that bag i hangs on and introduced[i] the node that
# bag i adds to it, both NA for the first. The core has numbers and a matrix of
# bags instead: tree_from_core() and tree_for_core().

#' Sample k-Trees
#'
#' @description
#' Draws random k-trees, the maximal graphs of tree-width k. `learn_treewidth()` searches for
#' networks within k-trees. A clique of \eqn{k + 1} nodes is a k-tree. Joining a new node to the
#' \eqn{k} nodes of a clique in a k-tree gives another k-tree.
#'
#' @details
#' Both methods draw Dandelion codes (Caminiti, Fusco & Petreschi 2010), of which every k-tree has
#' one; see [k_tree_code()].
#'
#' * `"uniform"`: all k-trees over the labelled nodes are equally likely. (The networks within them
#'   are not: a network that is in many k-trees is more likely.)
#' * `"distance"`: distance-preferable sampling (Nie, de Campos & Ji 2016). A uniform code is
#'   accepted with probability \eqn{1 - q}, where \eqn{q} is the mean of \eqn{\exp(-d^2 / 2 h^2)}
#'   over the previously accepted codes (over 200 of them, if there are more), and \eqn{d} is the
#'   distance to each. The distance of two codes is the sum of three Euclidean norms: of the
#'   difference of their sorted `Q`, and of the differences of the two columns of their `S`, the
#'   first of which are taken on a circle. With the default bandwidth about one code in seven is
#'   rejected, and the k-trees differ little from uniform ones.
#'
#' @param nodes The names of the nodes, or their number; then their names are `"1"`, `"2"`, and so
#'   on.
#' @param treewidth The tree-width k: a whole number, 0 (no edges) or more. If it is at least the
#'   number of nodes minus one, it is no restriction: the only k-tree is one bag of all nodes, and a
#'   message reports this.
#' @param n The number of k-trees to draw.
#' @param method `"uniform"` or `"distance"`, see Details.
#' @param bandwidth For `"distance"` only: \eqn{h}, in units of the distance; `NULL` means half the
#'   median distance of 200 random pairs of codes. With a small bandwidth no code is rejected.
#' @return A [k-tree][k_tree-class] if `n` is 1, otherwise a list of `n` of them. Use [set.seed()]
#'   for reproducible draws.
#' @section Errors: `optbn_error_argument` for a negative tree-width, for duplicate or missing names
#'   of nodes, and for other malformed arguments.
#' @references
#' Caminiti, Fusco & Petreschi (2010) \doi{10.1007/s00224-008-9131-0};
#' Nie, de Campos & Ji (2016) \doi{10.1016/j.ijar.2016.07.002}.
#' @seealso [k_tree_code()], [informative_score()].
#' @examples
#' set.seed(1)
#' tree <- sample_k_tree(names(attitude), treewidth = 2)
#' tree
#' as.matrix(tree)
#' trees <- sample_k_tree(7, treewidth = 2, n = 10, method = "distance")
#' length(trees)
#' @export
sample_k_tree <- function(nodes, treewidth, n = 1, method = c("uniform", "distance"),
                          bandwidth = NULL) {
  require_arguments()
  call <- environment()
  nodes <- check_nodes(nodes, call = call)
  treewidth <- check_count(treewidth, "treewidth", call = call)
  n <- check_count(n, "n", minimum = 1, call = call)
  method <- check_choice(method, c("uniform", "distance"), "method", call)
  bandwidth <- check_bandwidth(bandwidth, method, call)
  trees <- if (treewidth >= length(nodes) - 1L) {
    announce_one_bag(nodes, treewidth)
    rep(list(one_bag(nodes)), n)
  } else {
    found <- call_core(
      core_sample_k_trees(length(nodes), treewidth, n, bandwidth,
                          host_options(1L, Inf, FALSE, "Sampling k-trees")),
      call = call
    )
    lapply(found, tree_from_core, nodes = nodes)
  }
  if (n == 1L) trees[[1L]] else trees
}

# What the core takes: NULL for uniform sampling, NA to find one by itself.
check_bandwidth <- function(bandwidth, method, call) {
  if (method == "distance") {
    if (is.null(bandwidth)) return(NA_real_)
    return(check_number(bandwidth, "bandwidth", minimum = 0, call = call))
  }
  if (!is.null(bandwidth)) {
    abort_optbn("argument",
                c("{.arg bandwidth} is only for {.code method = \"distance\"}.",
                  i = "Leave it out, or choose that method."),
                call = call)
  }
  NULL
}

announce_one_bag <- function(nodes, treewidth) {
  announce(c(paste("A tree-width of {treewidth} is no limit for {length(nodes)}",
                   "node{?s}: any network has at most {length(nodes) - 1L}."),
             i = "The only k-tree is one bag of all nodes."))
}

# How many nodes, or their names.
check_nodes <- function(nodes, arg = "nodes", call = parent.frame()) {
  if (is.numeric(nodes) && length(nodes) == 1L) {
    count <- check_count(nodes, arg, minimum = 1, maximum = 65535, call = call)
    return(as.character(seq_len(count)))
  }
  if (!is.character(nodes) || length(nodes) == 0L || anyNA(nodes) || any(nodes == "")) {
    abort_optbn("argument",
                c("{.arg {arg}} must be the names of the nodes, or how many there are.",
                  x = "It is {describe(nodes)}."),
                call = call)
  }
  check_unique_nodes(nodes, arg, call)
  nodes
}

# ---- codes -------------------------------------------------------------------

#' k-Trees from Codes, Edges or Bags, and Their Codes
#'
#' @description
#' `k_tree_code()` returns the Dandelion code of a k-tree. `k_tree()` creates a k-tree from its
#' code, its edges or its bags. Codes and k-trees over the same nodes correspond one to one.
#'
#' @details
#' The code of a k-tree over \eqn{n} nodes is a set `Q` of \eqn{k} of them and a matrix `S` of
#' \eqn{n - k - 2} rows: \eqn{(p, l)} with \eqn{1 \le p \le n - k} and \eqn{1 \le l \le k}, or
#' \eqn{(0, 0)}, for which the papers write \eqn{(0, \epsilon)}. There are \eqn{{n \choose k}(k(n -
#' k) + 1)^{n - k - 2}} codes. A k-tree of one bag has none.
#'
#' @param tree A k-tree from [sample_k_tree()] or `k_tree()`.
#' @param x One of
#'   * a code: a list of `Q`, \eqn{k} numbers of nodes in any order, and `S`, a matrix of two
#'     columns;
#'   * edges: a matrix or a data frame of two columns, the nodes by name or by number, each edge
#'     once;
#' * bags: a list of vectors of nodes (by name or by number); the nodes of a bag are all joined.
#' @param nodes The names of the nodes, or their number; then their names are `"1"`, `"2"`, and so
#'   on. `NULL` means the nodes in `x`, in order of appearance, or, if `x` has numbers, as many
#'   nodes as it needs.
#' @return `k_tree_code()`: a list with `Q`, an ascending vector of node numbers from 1, and `S`, a
#'   matrix with the columns `p` and `l`. `k_tree()`: an object of class [k-tree][k_tree-class].
#' @section Errors: `optbn_error_argument`: for a code, with the incorrect row and the reason; for
#'   edges that do not form a k-tree, with nodes that show this.
#' @references
#' Caminiti, Fusco & Petreschi (2010) \doi{10.1007/s00224-008-9131-0}.
#' @seealso [sample_k_tree()].
#' @examples
#' # figure 1 of Nie, de Campos & Ji (2016)
#' tree <- k_tree(list(Q = c(7, 1, 6), S = rbind(c(1, 3), c(5, 3), c(6, 2), c(1, 1))))
#' tree
#' k_tree_code(tree)
#'
#' k_tree(data.frame(c("a", "b", "c", "c", "d"), c("b", "c", "a", "d", "a")))
#' k_tree(list(c("a", "b", "c"), c("a", "c", "d")))
#' @name k_tree
NULL

#' @rdname k_tree
#' @export
k_tree_code <- function(tree) {
  require_arguments()
  call <- environment()
  check_k_tree(tree, "tree", call)
  if (length(tree$bags) < 2L) {
    abort_optbn("argument",
                c("{.arg tree} has one bag: it needs no code, and has none.",
                  i = paste("At tree-width {tree$treewidth} codes begin with",
                            "{tree$treewidth + 2L} nodes.")),
                call = call)
  }
  code <- core_encode_k_tree(tree_for_core(tree))
  colnames(code$S) <- c("p", "l")
  code
}

#' @rdname k_tree
#' @export
k_tree <- function(x, nodes = NULL) {
  require_arguments()
  call <- environment()
  if (is.list(x) && !is.data.frame(x) && all(c("Q", "S") %in% names(x))) {
    return(k_tree_of_code(x$Q, x$S, nodes, call))
  }
  if (is.data.frame(x) || is.matrix(x)) {
    if (ncol(x) != 2L || !is_sound_table(x)) abort_not_k_tree(x, call)
    x <- as.data.frame(x, stringsAsFactors = FALSE)
    ends <- node_numbers(c(as_labels(x[[1L]]), as_labels(x[[2L]])), nodes, call)
    numbers <- matrix(ends$numbers, ncol = 2L)
    return(k_tree_of_edges(numbers, ends$nodes, call))
  }
  if (is.list(x) && length(x) > 0L && all(vapply(x, function(bag) is.null(dim(bag)), NA))) {
    labels <- lapply(unname(x), as_labels)
    members <- node_numbers(unlist(labels), nodes, call)
    bags <- split(members$numbers, rep(seq_along(labels), lengths(labels)))
    return(k_tree_of_edges(pairs_within(bags), members$nodes, call))
  }
  abort_not_k_tree(x, call)
}

abort_not_k_tree <- function(x, call) {
  abort_optbn("argument",
              c("{.arg x} must be the code, the edges or the bags of a k-tree.",
                x = "It is {describe(x)}.",
                i = paste("A code is a list of {.field Q} and {.field S}; edges are a table of two",
                          "columns; bags are a list of vectors.")),
              call = call)
}

as_labels <- function(x) if (is.factor(x)) as.character(x) else x

# Every pair of nodes that some bag holds, once.
pairs_within <- function(bags) {
  pairs <- lapply(bags, function(bag) {
    bag <- sort(bag)
    ends <- which(upper.tri(diag(length(bag))), arr.ind = TRUE)
    cbind(bag[ends[, 1L]], bag[ends[, 2L]])
  })
  unique(do.call(rbind, c(list(matrix(0L, 0L, 2L)), pairs)))
}

# What names or numbers of nodes refer to: list(numbers, nodes).
node_numbers <- function(labels, nodes, call) {
  if (!is.null(nodes)) nodes <- check_nodes(nodes, call = call)
  if (length(labels) == 0L) {
    if (!is.null(nodes)) return(list(numbers = integer(), nodes = nodes))
    abort_optbn("argument",
                c("{.arg nodes} is missing.", x = "{.arg x} has no edges that name them."),
                call = call)
  }
  named <- is.character(labels) && !anyNA(labels)
  numbered <- is.numeric(labels) && all(labels %in% seq_len(65535L))
  if (!named && !numbered) {
    abort_optbn("argument",
                c("{.arg x} must name nodes, or number them from 1.",
                  x = "It has {.val {utils::head(unique(labels), 5)}}."),
                call = call)
  }
  if (named) {
    nodes <- nodes %||% unique(labels)
    numbers <- match(labels, nodes)
  } else {
    nodes <- nodes %||% as.character(seq_len(max(labels)))
    numbers <- match(labels, seq_along(nodes))
  }
  unknown <- unique(labels[is.na(numbers)])
  if (length(unknown) > 0L) {
    abort_optbn("argument",
                c("{.arg x} has nodes that are not among {.arg nodes}.",
                  x = "Unknown: {.val {unknown}}."),
                call = call)
  }
  list(numbers = numbers, nodes = nodes)
}

# A k-tree over n nodes has k n - k (k + 1) / 2 edges, which tells k.
k_tree_of_edges <- function(ends, nodes, call) {
  n <- length(nodes)
  check_edges(ends, nodes, call)
  possible <- seq_len(n) - 1L
  treewidth <- possible[possible * n - possible * (possible + 1) / 2 == nrow(ends)]
  if (length(treewidth) == 0L) {
    near <- possible * n - possible * (possible + 1) / 2
    below <- max(which(near < nrow(ends)))
    abort_optbn(
      "argument",
      c("{.arg x} must have the edges of a k-tree.",
        x = paste("It has {nrow(ends)} edge{?s} over {n} nodes; a {below - 1L}-tree has",
                  "{near[below]}, a {below}-tree {near[below + 1L]}.")),
      call = call
    )
  }
  found <- call_core(core_k_tree_of(n, treewidth, ends[, 1L], ends[, 2L]), call = call)
  if (!is.null(found$blocked)) {
    blocked <- nodes[found$blocked]
    abort_optbn(
      "argument",
      c("{.arg x} must have the edges of a k-tree.",
        x = paste("It has as many as a {treewidth}-tree, but of the nodes {.val {blocked}}",
                   "none has",
                  "exactly {treewidth} neighbour{?s} among the others, all of them joined."),
        i = "In a {treewidth}-tree such nodes can be taken out until {treewidth + 1L} are left."),
      call = call
    )
  }
  tree_from_core(found, nodes)
}

check_edges <- function(ends, nodes, call) {
  wrong <- which(ends[, 1L] == ends[, 2L])
  what <- "leads from a node to itself"
  if (length(wrong) == 0L) {
    low <- pmin(ends[, 1L], ends[, 2L])
    high <- pmax(ends[, 1L], ends[, 2L])
    wrong <- which(duplicated(low + length(nodes) * (high - 1)))
    what <- "is there twice"
  }
  if (length(wrong) > 0L) {
    edge <- nodes[ends[wrong[1L], ]]
    abort_optbn("argument",
                c("{.arg x} must have each edge once, between two different nodes.",
                  x = "Edge {wrong[1L]}, {.val {edge[1L]}} - {.val {edge[2L]}}, {what}."),
                call = call)
  }
}

k_tree_of_code <- function(q, s, nodes, call) {
  s <- check_code_matrix(s, call)
  n <- length(q) + nrow(s) + 2L
  nodes <- check_nodes(nodes %||% n, call = call)
  if (length(nodes) != n) {
    abort_optbn(
      "argument",
      c("{.arg x} must be a code over {.arg nodes}.",
        x = paste("With {length(q)} node{?s} in {.field Q} and {nrow(s)} row{?s} in {.field S} it",
                  "is over {n} nodes; {.arg nodes} are {length(nodes)}.")),
      call = call
    )
  }
  check_code(q, s, n, call)
  tree_from_core(core_decode_k_tree(n, sort(as.integer(q)), s), nodes)
}

check_code_matrix <- function(s, call) {
  if (is.null(s)) s <- matrix(0L, 0L, 2L)
  s <- table_as_matrix(s)
  if (!is.matrix(s) || ncol(s) != 2L || !(is.numeric(s) || nrow(s) == 0L)) {
    abort_optbn("argument",
                c("{.field S} of a code must be a matrix of numbers with two columns.",
                  x = "It is {describe(s)}."),
                call = call)
  }
  matrix(as.double(s), ncol = 2L)
}

check_code <- function(q, s, n, call) {
  k <- length(q)
  ok <- is.numeric(q) && all(q %in% seq_len(n)) && !anyDuplicated(q)
  if (k > 0L && !ok) {
    abort_optbn("argument",
                c("{.field Q} of a code must be different whole numbers from 1 to {n}.",
                  x = "It is {.val {q}}."),
                call = call)
  }
  on_root <- s[, 1L] %in% 0 & s[, 2L] %in% 0
  ok <- on_root | (s[, 1L] %in% seq_len(n - k) & s[, 2L] %in% seq_len(k))
  if (!all(ok)) {
    row <- which(!ok)[1L]
    range <- if (k > 0L) {
      "p from 1 to {n - k} and l from 1 to {k}, or 0 and 0 (for epsilon)"
    } else {
      "0 and 0 (for epsilon), as {.field Q} is empty"
    }
    abort_optbn("argument",
                c(paste0("Rows of {.field S} must be ", range, "."),
                  x = "Row {row} is {s[row, 1L]} and {s[row, 2L]}."),
                call = call)
  }
}

# ---- the class ---------------------------------------------------------------

new_k_tree <- function(nodes, bags, parent, introduced) {
  structure(
    list(nodes = nodes, treewidth = length(bags[[1L]]) - 1L, bags = bags, parent = parent,
         introduced = introduced),
    class = "optbn_k_tree"
  )
}

one_bag <- function(nodes) new_k_tree(nodes, list(nodes), NA_integer_, NA_character_)

tree_from_core <- function(tree, nodes) {
  members <- tree$members
  bags <- unname(split(nodes[t(members)], rep(seq_len(nrow(members)), each = ncol(members))))
  parent <- tree$parent
  introduced <- nodes[tree$introduced]
  parent[1L] <- NA
  introduced[1L] <- NA
  new_k_tree(nodes, bags, parent, introduced)
}

# `nodes`: an order of the tree's nodes by which they are numbered.
tree_for_core <- function(tree, nodes = tree$nodes) {
  parent <- tree$parent
  introduced <- match(tree$introduced, nodes)
  parent[1L] <- 1L
  introduced[1L] <- match(tree$bags[[1L]][1L], nodes)
  members <- matrix(match(unlist(tree$bags), nodes), length(tree$bags), byrow = TRUE)
  list(nodes = length(nodes), members = members, parent = parent, introduced = introduced)
}

check_k_tree <- function(tree, arg, call) {
  if (!inherits(tree, "optbn_k_tree")) {
    abort_optbn("argument",
                c("{.arg {arg}} must be a k-tree.", x = "It is {describe(tree)}.",
                  i = "{.fn sample_k_tree} and {.fn k_tree} make k-trees."),
                call = call)
  }
  check_sound(tree, call)
}

#' Methods for k-Trees
#'
#' A k-tree is a list of class `"optbn_k_tree"` with the components
#' \describe{
#'   \item{nodes}{the names of the \eqn{n} nodes;}
#'   \item{treewidth}{\eqn{k};}
#'   \item{bags}{a list of \eqn{n - k} vectors of \eqn{k + 1} names, the cliques of which the k-tree
#'     consists;}
#'   \item{parent}{for each bag, the number of an earlier bag that has all but one of its nodes;
#'     `NA` for the first;}
#'   \item{introduced}{for each bag, the node that is not in the earlier bag; `NA` for the first.}
#' }
#' If each family of a network (a node and its parents) lies in a bag, the network has a tree-width
#' of at most \eqn{k}. An elimination order that proves this consists of the introduced nodes, from
#' the last bag to the second, and then the nodes of the first bag.
#'
#' @param x A k-tree.
#' @param max The largest number of bags to print.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Ignored.
#' @return
#' * `print()` returns `x` invisibly. `format()` returns the printed text, a character vector with
#'   one element per line.
#' * `as.matrix()`: the adjacency matrix, symmetric, of integers 0 and 1.
#' * `as.data.frame()`: the edges, one per row, with columns `from` and `to`.
#' @seealso [sample_k_tree()], [k_tree()].
#' @examples
#' tree <- k_tree(list(c("sun", "rain", "sprinkler"), c("rain", "sprinkler", "grass")))
#' tree
#' as.matrix(tree)
#' as.data.frame(tree)
#' @name k_tree-class
NULL

#' @rdname k_tree-class
#' @export
print.optbn_k_tree <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @rdname k_tree-class
#' @export
format.optbn_k_tree <- function(x, max = 10L, ...) {
  check_sound(x)
  bags <- x$bags
  shown <- seq_len(min(max, length(bags)))
  added <- ifelse(is.na(x$introduced[shown]), "", paste0(x$introduced[shown], " joins "))
  rest <- vapply(shown, function(i) {
    paste(setdiff(bags[[i]], x$introduced[i]), collapse = ", ")
  }, "")
  # Of tree-width 0: nothing to join.
  lines <- ifelse(rest == "", x$introduced[shown], paste0(added, rest))
  more <- length(bags) - length(shown)
  c(
    cli::style_bold(cli::format_inline(
      "{x$treewidth}-tree over {length(x$nodes)} node{?s}: {length(bags)} bag{?s} of ",
      "{x$treewidth + 1L}"
    )),
    paste0("  ", lines),
    if (more > 0L) cli::format_inline("  and {more} more bag{?s}")
  )
}

#' @rdname k_tree-class
#' @export
as.matrix.optbn_k_tree <- function(x, ...) {
  check_sound(x)
  adjacency <- matrix(0L, length(x$nodes), length(x$nodes), dimnames = list(x$nodes, x$nodes))
  for (bag in x$bags) adjacency[bag, bag] <- 1L
  diag(adjacency) <- 0L
  adjacency
}

#' @rdname k_tree-class
#' @export
as.data.frame.optbn_k_tree <- function(x, row.names = NULL, optional = FALSE, ...) {
  adjacency <- as.matrix(x)
  ends <- which(adjacency == 1L & upper.tri(adjacency), arr.ind = TRUE)
  ends <- ends[order(ends[, 1L], ends[, 2L]), , drop = FALSE]
  out <- data.frame(from = x$nodes[ends[, 1L]], to = x$nodes[ends[, 2L]])
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}
