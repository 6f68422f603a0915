# Scores with local structure: decision trees (PCART) and discretised tables
# (FT), for columns of any type.
#
# What such a score knows of the columns of the data is made by
# complete_columns() and kept in its element `columns`, a list by node with
#   centre, spread   how a continuous node is standardised
#   range            where a continuous node lies, which its trees halve
#   cuts             a list of vectors: the ways to cut a continuous node into bins
# so that a network learned with it can be fitted to other rows.

#' Scores With Local Structure
#'
#' @description
#' Scores of networks whose local models adapt to the data. The parents' space of a node is divided
#' into regions, and the node has a separate distribution in each. Discrete and continuous columns
#' may occur together, with arcs in any direction.
#'
#' * `score_pcart()`: the regions are the leaves of a decision tree (*partition-dyadic CART*). The
#'   tree splits the levels of an unordered factor into any two groups, splits those of an ordered
#'   factor at a threshold, and halves the range of a continuous column up to `max_splits` times.
#'   The score of a node given its parents is that of the best tree, which is found exactly. For
#'   factors with more than `max_levels` levels the trees are restricted, see *Details*.
#' * `score_ft()`: the regions are the cells of a full table. Continuous parents are cut into 2 to
#'   `max_bins` quantile bins, and the score is that of the best joint choice of the numbers of
#'   bins. On discrete columns it equals the score `"bdj"` (with any `alpha`).
#'
#' The scores are in natural logarithms; larger is better. Neither is score-equivalent. The labels
#' `"pcart"` and `"ft"`, and `"pcart-p"` and `"ft-p"` with `penalty = "size"`, stand for the
#' constructors with their default arguments.
#'
#' @details
#' The score of a region with \eqn{n} rows is the marginal likelihood of the node in it: for a
#' discrete node of \eqn{r} levels with counts \eqn{n_k}, under a symmetric Dirichlet prior,
#' \deqn{\log\Gamma(r\alpha) - \log\Gamma(n + r\alpha) + \sum_k [\log\Gamma(n_k + \alpha) -
#' \log\Gamma(\alpha)];}{lgamma(r alpha) - lgamma(n + r alpha) + sum_k [lgamma(n_k + alpha) -
#' lgamma(alpha)];}
#' for a continuous node with mean \eqn{m} and sum of squares \eqn{s} about it, under the
#' normal-inverse-gamma prior in which the variance \eqn{\sigma^2}{sigma^2} is inverse gamma with
#' shape \eqn{\nu/2}{nu/2} and scale \eqn{\nu\lambda/2}{nu lambda/2}, and the mean is normal about
#' \eqn{\mu}{mu} with variance \eqn{\sigma^2/a}{sigma^2/a},
#' \deqn{-\frac n2 \log\pi + \frac\nu2 \log(\lambda\nu) + \frac12 \log\frac{a}{n+a} +
#' \log\Gamma(\frac{n+\nu}2) - \log\Gamma(\frac\nu2) - \frac{n+\nu}2 \log(s + t + \nu\lambda),
#' \quad t = \frac{n a}{n + a} (m - \mu)^2.}{-n/2 log(pi) + nu/2 log(lambda nu) +
#' 1/2 log(a / (n + a)) + lgamma((n + nu)/2) - lgamma(nu/2) - (n + nu)/2 log(s + t + nu lambda),
#' with t = n a / (n + a) (m - mu)^2.}
#'
#' Every leaf of a tree costs \eqn{\log(4C)}{log(4 C)}. \eqn{C} is the number of possible splits at
#' the root, to which a continuous parent contributes 1, a factor of \eqn{k} levels \eqn{2^{k-1} -
#' 1}, and an ordered factor \eqn{k - 1}. A constant makes the prior of the trees of one parent set
#' sum to 1. Cells of tables have no such cost.
#'
#' A factor with many levels has very many splits: 2,047 for 12 levels, and half a billion for 30.
#' As a parent, an unordered factor with more than `max_levels` levels is therefore split at a
#' threshold. For this, its levels are ordered separately for each node, over all rows: by the mean
#' of a continuous node, by the share of one level of a binary node, and by the first principal
#' component of the shares of a node with more levels. In the first two cases this is the order of
#' CART, and for a binary node the best tree with one split is then the best of all trees with one
#' split. Each leaf costs as much as without the restriction, because the order comes from the data.
#' The score is therefore never larger than that of the best tree. A message announces the
#' restriction, and the *scope* of a certificate names the factors. Factors with hundreds of levels,
#' such as names, are not used as parents unless you give `max_parents`. A message announces this,
#' too, and the arcs are in the blacklist of the certificate.
#'
#' [search_size()] forecasts the cost of scoring. The regions of a parent set must fit into 64 bits.
#' A factor needs one bit per level that occurs, a continuous column `max_splits + 1` bits, and an
#' ordered factor, or one with more than `max_levels` levels, far fewer. If the parents are too
#' large, an error names them.
#'
#' @param alpha Dirichlet parameter of each level in each region, greater than 0.
#' @param nu,lambda,mu,a Parameters of the normal-inverse-gamma prior: its degrees of freedom,
#'   scale, mean, and weight of the mean in rows; all but `mu` greater than 0.
#' @param max_splits How many times a tree may halve the range of a continuous parent, and the
#'   halves in turn: a whole number from 0 to 16.
#' @param max_levels The largest number of levels of a factor that trees split into any two groups:
#'   a whole number from 2 to 64. Factors with more declared levels are split in an order, see
#'   *Details*.
#' @param max_bins The largest number of bins of a continuous parent: a whole number from 2 to 32.
#' @param range The range of each continuous column that trees halve: a list of pairs of numbers,
#'   named by columns. Without an entry, the range is that of the data. Specify it if you compare
#'   networks learned from different rows, as in cross-validation.
#' @param standardise If `TRUE`, each continuous node is centred and divided by its standard
#'   deviation before it is scored. The defaults of the prior assume this. The score is then the
#'   log-density of the standardised columns. That of the original columns is smaller by \eqn{N \log
#'   sd}{N log sd} per column.
#' @param penalty `"none"`, or `"size"`: subtract \eqn{\log{n - 1 \choose |P|}}{log choose(n - 1,
#'   |P|)} for a node with the parents \eqn{P} among \eqn{n} nodes, which makes all sizes of parent
#'   sets equally probable a priori.
#' @param iss `NULL`, or an equivalent sample size, greater than 0, that replaces `alpha`. As in the
#'   BDeu score, it is divided over the parents' space: a region with the share \eqn{q} of that
#'   space has the Dirichlet parameter \eqn{iss \cdot q / r}{iss q / r} per level.
#' @return An object of class `optbn_score`: a list with the `label` and the hyper-parameters.
#' @section Errors: `optbn_error_argument` for a hyper-parameter out of range. Learning and scoring
#'   stop with `optbn_error_data` if values are outside a given `range`, and with
#'   `optbn_error_memory` if parents have too many levels for trees.
#' @references
#' Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). *Classification and Regression
#' Trees*, section 4.5. Wadsworth. (order of levels)
#'
#' Coppersmith, D., Hong, S. J. and Hosking, J. R. M. (1999). Partitioning nominal attributes in
#' decision trees. *Data Mining and Knowledge Discovery* 3, 197-217. \doi{10.1023/A:1009869804967}
#' (order of levels)
#'
#' Talvitie, T., Eggeling, R. and Koivisto, M. (2018). Finding optimal Bayesian networks with local
#' structure. *Proceedings of Machine Learning Research* 72, 451-462.
#'
#' Chipman, H., George, E. and McCulloch, R. (1998). Bayesian CART model search. *Journal of the
#' American Statistical Association* 93, 935-948. \doi{10.1080/01621459.1998.10473750} (leaves)
#'
#' Friedman, N. and Koller, D. (2003). Being Bayesian about network structure. *Machine Learning*
#' 50, 95-125. \doi{10.1023/A:1020249912095} (penalty)
#' @seealso [learn_dag()], [fit_network()] for the trees themselves, [score_discrete].
#' @examples
#' # arcs between a factor and numbers, in every direction
#' network <- learn_dag(iris, "pcart")
#' network
#' local_model(fit_network(network, iris), "Species")
#'
#' learn_dag(iris, score_ft(max_bins = 4, penalty = "size"))
#' @name score_local
NULL

# Trees of eight nodes over a factor of 12 levels and two of 2 take 35 ms, and two to three times as
# much for each level more, which explains the usual `max_levels`.
#' @rdname score_local
#' @export
score_pcart <- function(alpha = 0.5, nu = 1, lambda = 1, mu = 0, a = 1, max_splits = 3,
                        range = NULL, standardise = TRUE, penalty = c("none", "size"),
                        iss = NULL, max_levels = 12) {
  call <- environment()
  new_local_score("pcart", leaf_prior(alpha, nu, lambda, mu, a, iss, call), standardise, penalty,
                  call,
                  max_splits = check_count(max_splits, "max_splits", maximum = 16, call = call),
                  max_levels = check_count(max_levels, "max_levels", minimum = 2, maximum = 64,
                                           call = call),
                  range = check_ranges(range, call))
}

#' @rdname score_local
#' @export
score_ft <- function(alpha = 0.5, nu = 1, lambda = 1, mu = 0, a = 1, max_bins = 7,
                     standardise = TRUE, penalty = c("none", "size"), iss = NULL) {
  call <- environment()
  new_local_score("ft", leaf_prior(alpha, nu, lambda, mu, a, iss, call), standardise, penalty, call,
                  max_bins = check_count(max_bins, "max_bins", minimum = 2, maximum = 32,
                                         call = call))
}

new_local_score <- function(label, prior, standardise, penalty, call, ...) {
  standardise <- check_flag(standardise, "standardise", call = call)
  penalty <- check_choice(penalty, c("none", "size"), "penalty", call = call)
  label <- if (penalty == "size") paste0(label, "-p") else label
  do.call(new_score, c(list(label), prior, list(standardise = standardise, ...)))
}

leaf_prior <- function(alpha, nu, lambda, mu, a, iss, call) {
  list(
    alpha = check_weight(alpha, "alpha", call),
    nu = check_weight(nu, "nu", call),
    lambda = check_weight(lambda, "lambda", call),
    mu = check_number(mu, "mu", call = call),
    a = check_weight(a, "a", call),
    iss = if (!is.null(iss)) check_weight(iss, "iss", call)
  )
}

check_ranges <- function(range, call) {
  if (is.null(range)) return(NULL)
  if (!is.list(range) || is.null(names(range)) || anyDuplicated(names(range))) {
    abort_optbn("argument",
                c("{.arg range} must be a list named by columns, each once.",
                  x = "It is {describe(range)}."),
                call = call)
  }
  ok <- vapply(range, function(x) {
    is.numeric(x) && length(x) == 2L && all(is.finite(x)) && x[1L] < x[2L]
  }, NA)
  if (!all(ok)) {
    abort_optbn("argument",
                c("Elements of {.arg range} must be two numbers, the smaller one first.",
                  x = "That of {.val {names(range)[!ok][1L]}} is not."),
                call = call)
  }
  lapply(range, as.double)
}

is_local_score <- function(score) sub("-p$", "", score$label %||% "") %in% c("pcart", "ft")

is_tree_score <- function(score) startsWith(score$label, "pcart")

# ---- what the score knows of the columns --------------------------------------------------------

complete_columns <- function(score, encoded, call) {
  continuous <- encoded$nodes[!is_discrete(encoded)]
  odd <- setdiff(names(score$range), continuous)
  if (length(odd) > 0L) {
    abort_optbn("data",
                c("{.arg range} must name continuous columns; {.val {odd}} {?is/are} none.",
                  i = "The continuous columns of {.arg data} are {.val {continuous}}."),
                call = call)
  }
  score$columns <- Map(function(node, x) {
    if (node %in% continuous) complete_column(score, node, x, encoded$weights, call)
  }, encoded$nodes, encoded$columns)
  score
}

# From the values that are known.
complete_column <- function(score, node, x, weights, call) {
  range <- score$range[[node]]
  check_inside(x, range, node, call)
  known <- !is.na(x)
  x <- x[known]
  weights <- weights[known]
  scale <- if (score$standardise) standard_scale(x, weights) else c(0, 1)
  column <- list(centre = scale[1L], spread = scale[2L])
  if (is_tree_score(score)) {
    column$range <- range %||% base::range(x)
  } else {
    column$cuts <- lapply(2:score$max_bins, function(bins) hazen_cuts(x, weights, bins))
  }
  column
}

check_inside <- function(x, range, node, call) {
  outside <- which(x < range[1L] | x > range[2L])
  if (length(outside) > 0L) {
    abort_optbn("data",
                c("Column {.val {node}} has values outside its {.arg range}.",
                  x = paste("The first is {x[outside[1L]]} in row {outside[1L]}; the range is",
                            "from {range[1L]} to {range[2L]}."),
                  i = "Widen the range, or drop these rows."),
                call = call)
  }
}

standard_scale <- function(x, weights) {
  if (is.null(weights)) return(c(mean(x), stats::sd(x)))
  centre <- stats::weighted.mean(x, weights)
  c(centre, sqrt(sum(weights * (x - centre)^2) / (sum(weights) - 1)))
}

# The quantiles i / bins by Hazen's rule, as stats::quantile(type = 5) computes
# them, its guard against rounding included; of rows repeated by their weights.
hazen_cuts <- function(x, weights, bins) {
  order <- order(x)
  last <- cumsum((weights %||% rep(1, length(x)))[order]) # row up to which a value goes
  n <- last[length(last)]
  value_at <- function(row) x[order][findInterval(pmin(pmax(row, 1), n) - 0.5, last) + 1L]
  fuzz <- 4 * .Machine$double.eps
  place <- 0.5 + seq_len(bins - 1L) / bins * n
  row <- floor(place + fuzz)
  part <- place - row
  part[abs(part) < fuzz] <- 0
  ifelse(part == 0, value_at(row), (1 - part) * value_at(row) + part * value_at(row + 1))
}

# ---- how large trees become ---------------------------------------------------------------------

# Of each node as a parent: the `bits` of a code, the `regions` that it can be
# divided into, their `splits` in all, the regions `around` a cell, and `cells`.
tree_axes <- function(score, encoded) {
  discrete <- is_discrete(encoded)
  ordered <- encoded$types == "ordered" | has_many_levels(score, encoded)
  s <- score$max_splits
  rows <- lapply(seq_along(encoded$nodes), function(v) {
    if (!discrete[v]) {
      return(c(bits = s + 1, regions = 2^(s + 1) - 1, splits = 2^s - 1, around = s + 1,
               cells = 2^s))
    }
    # where the sample size is divided among levels, those that do not occur take part
    occurring <- unique(encoded$columns[[v]])
    k <- length(if (is.null(score$iss)) occurring else encoded$levels[[v]])
    if (ordered[v]) {
      regions <- k * (k + 1) / 2
      return(c(bits = ceiling(log2(max(regions, 2))), regions = regions, splits = choose(k + 1, 3),
               around = ceiling(k / 2) * (floor(k / 2) + 1), cells = k))
    }
    c(bits = k, regions = 2^k - 1, splits = (3^k - 2^(k + 1) + 1) / 2, around = 2^(k - 1),
      cells = k)
  })
  as.data.frame(do.call(rbind, rows))
}

# Which columns trees cut in an order that depends on the node
# (src/core/score/local_structure/level_order.h).
has_many_levels <- function(score, encoded) {
  is_tree_score(score) & is_discrete(encoded) & encoded$types != "ordered" &
    lengths(encoded$levels) > (score$max_levels %||% Inf)
}

# The names of those of them that may be parents; NULL where there are none.
cut_in_order <- function(constraints, encoded, score) {
  many <- which(has_many_levels(score, encoded) & may_be_parent(constraints))
  if (length(many) > 0L) encoded$nodes[many]
}

# Without a limit by the user no factor lowers that of all by taking too long on its own, as a
# column of names does: it is no parent then.
leave_out_largest <- function(constraints, encoded, score) {
  if (is.null(cut_in_order(constraints, encoded, score))) return(constraints)
  axes <- tree_axes(score, encoded)
  seconds <- cost$alone * (axes$splits * cost$tree_split + axes$regions * cost$tree_box)
  large <- which(has_many_levels(score, encoded) & may_be_parent(constraints) &
                   seconds > max_set_seconds)
  large <- setdiff(large, unlist(constraints$required))
  if (length(large) == 0L) return(constraints)
  names <- encoded$nodes[large]
  announce(paste("{.val {names}} {?is not allowed as a parent/are not allowed as parents}: trees",
                 "over so many levels take too long. Give {.arg max_parents} to allow",
                 "{cli::qty(names)}{?it/them}."))
  constraints$left_out <- names
  arcs <- as.matrix(expand.grid(from = names, to = encoded$nodes, stringsAsFactors = FALSE))
  constraints$blacklist <- unique(rbind(constraints$blacklist, arcs[arcs[, 1L] != arcs[, 2L], ]))
  constraints$forbidden <- Map(function(v, forbidden) union(forbidden, setdiff(large, v)),
                               seq_along(encoded$nodes), constraints$forbidden)
  constraints
}

announce_order <- function(constraints, encoded, score) {
  many <- cut_in_order(constraints, encoded, score)
  if (is.null(many)) return(invisible())
  levels <- lengths(encoded$levels)[match(many, encoded$nodes)]
  labels <- paste0("{.val {many[", seq_along(many), "]}} (", levels, " levels)", collapse = ", ")
  announce(paste0("Trees cut ", labels, " in the order of each node's mean or share: more than ",
                  "{.code max_levels = {score$max_levels}} can be split in too many ways."))
}

# The same for discretised tables, whose regions are their occupied cells: a cell
# is numbered by levels, and by the bins between the cuts of all ways together.
table_axes <- function(score, encoded) {
  cells <- lengths(encoded$levels)
  cells[cells == 0L] <- 1 + sum(seq_len(score$max_bins - 1L))
  data.frame(bits = log2(cells), regions = cells, around = 1)
}

# What the trees of one parent set take: so many bytes a box that holds rows,
# statistics and scores of eight children included, and 8 a split, of which no
# more than so many are kept.
bytes_per_box <- 230
most_kept_splits <- 2^24

# Of the largest parent set of each size that the constraints admit, on one thread.
tree_bytes <- function(constraints, encoded, score, sizes) {
  axes <- tree_axes(score, encoded)
  bytes_of <- function(parents) {
    largest <- axes[parents, ]
    regions <- prod(largest$regions)
    boxes <- min(regions, encoded$rows * prod(largest$around))
    splits <- sum(regions / largest$regions * largest$splits)
    boxes * bytes_per_box + 8 * min(splits, most_kept_splits)
  }
  # of nodes that are alike, the one that is the smallest parent leaves the largest to others
  nodes <- order(axes$bits, axes$regions)
  kind <- paste(constraints$required, constraints$forbidden, constraints$max_parents)[nodes]
  vapply(sizes, function(size) {
    constraints$max_parents <- pmin(constraints$max_parents, size)
    max(vapply(nodes[!duplicated(kind)], function(v) {
      bytes_of(largest_parents(v, constraints, axes$bits))
    }, 0))
  }, 0)
}

# The first node that may have parent sets whose boxes (cells) have no code of 64
# bits, or no room: with the parents that make them so. NULL if there is none.
too_large_trees <- function(constraints, encoded, score, memory_limit) {
  if (!is_tree_score(score) && all(is_discrete(encoded))) return(NULL) # tables as others
  axes <- if (is_tree_score(score)) tree_axes(score, encoded) else table_axes(score, encoded)
  for (v in seq_along(encoded$nodes)) {
    parents <- largest_parents(v, constraints, axes$bits)
    bits <- ceiling(sum(axes$bits[parents]))
    boxes <- min(prod(axes$regions[parents]), encoded$rows * prod(axes$around[parents]))
    bytes <- boxes * bytes_per_box
    if (bits > 64 || bytes > memory_limit) {
      return(list(node = v, parents = parents, bits = bits, bytes = bytes))
    }
  }
}

check_tree_size <- function(constraints, encoded, score, memory_limit, call) {
  if (!is_local_score(score)) return(invisible())
  large <- too_large_trees(constraints, encoded, score, memory_limit)
  if (is.null(large)) return(invisible())
  worst <- large$parents[seq_len(min(3L, length(large$parents)))]
  levels <- lengths(encoded$levels)[worst]
  trees <- is_tree_score(score)
  fine <- if (trees) paste(score$max_splits, "halvings") else paste("up to", score$max_bins, "bins")
  sizes <- ifelse(levels > 0, paste(levels, "levels"), fine)
  needed <- if (large$bits > 64) {
    paste(large$bits, "bits, more than 64")
  } else {
    paste(format_bytes(large$bytes), "of memory")
  }
  abort_optbn(
    "memory",
    c(paste(if (trees) "Trees" else "Tables",
            "of {.val {encoded$nodes[large$node]}} over {length(large$parents)}",
            "parent{?s} can become too large."),
      x = paste0("They may need ", needed, "; {cli::qty(length(worst))}the largest parent{?s} ",
                 "{?is/are} ", paste0("{.val {encoded$nodes[worst[", seq_along(worst), "]]}} (",
                                      sizes, ")", collapse = ", "), "."),
      i = paste(if (trees) {
                  paste("Merge levels, make a factor {.code ordered()} where its levels have an",
                        "order,")
                } else {
                  "Merge levels,"
                },
                "forbid it as a parent by {.arg blacklist}, or lower {.arg max_parents} or",
                if (trees) "{.code max_splits}." else "{.code max_bins}.")),
    call = call, needed = large$bytes, limit = memory_limit
  )
}

# Before long work, what makes it long.
announce_many_levels <- function(problem, call) {
  score <- problem$score
  if (!is_local_score(score) || !is_tree_score(score)) return(invisible())
  encoded <- problem$encoded
  seconds <- sum(forecast_scoring(problem$constraints, encoded, score)$seconds)
  factors <- is_discrete(encoded) & encoded$types != "ordered" & !has_many_levels(score, encoded)
  many <- which(factors & may_be_parent(problem$constraints) & lengths(encoded$levels) > 8L)
  if (length(many) == 0L || seconds < 2) return(invisible())
  levels <- lengths(encoded$levels)[many]
  lines <- paste0("{.val {encoded$nodes[many[", seq_along(many), "]]}}: ", levels, " levels, ",
                  format(2^(levels - 1) - 1, big.mark = ",", trim = TRUE), " ways to split them")
  announce(c(paste("Scoring will take up to", format_seconds(seconds),
                   "on one core: parents of many levels have very many trees."),
             stats::setNames(lines, rep("*", length(lines))),
             i = paste("Merge levels, or make a factor {.code ordered()} where its levels have an",
                       "order, to be faster.")))
}

# The largest parent set that a node may have, its largest parents first.
largest_parents <- function(v, constraints, bits) {
  allowed <- setdiff(seq_along(bits), c(v, constraints$forbidden[[v]]))
  required <- constraints$required[[v]]
  free <- setdiff(allowed, required)
  most <- max(constraints$max_parents[v] - length(required), 0)
  chosen <- c(required, free[order(-bits[free])][seq_len(min(most, length(free)))])
  chosen[order(-bits[chosen])]
}

# Seconds to score all sets of each size that the constraints admit, at most.
forecast_local_seconds <- function(constraints, encoded, score, sizes) {
  n <- length(encoded$nodes)
  if (is_tree_score(score)) {
    work <- tree_work(constraints, encoded, score, sizes)
  } else {
    ways <- ifelse(is_discrete(encoded), lengths(encoded$levels), sum(2:score$max_bins))
    work <- admitted_sums(constraints, ways, rep(0, n), sizes)$products * cost$table_cell
  }
  sets <- pmin(choose(sum(may_be_parent(constraints)), sizes),
               count_families(constraints, encoded, score, sizes))
  # a number takes the place of three levels
  width <- sum(ifelse(is_discrete(encoded), lengths(encoded$levels), 3))
  work + sets * encoded$rows * (1 + width / 30) * cost$tally_row
}

# Where levels are cut in an order, each child is alone with its trees.
tree_work <- function(constraints, encoded, score, sizes) {
  axes <- tree_axes(score, encoded)
  work <- function(constraints) {
    sums <- admitted_sums(constraints, axes$regions, axes$splits, sizes)
    sums$growth * cost$tree_split + sums$products * cost$tree_box
  }
  many <- which(has_many_levels(score, encoded))
  if (length(many) == 0L) return(work(constraints))
  without <- constraints
  without$forbidden <- lapply(constraints$forbidden, union, many)
  cost$alone * work(constraints) - (cost$alone - 1) * work(without)
}

# Which columns the constraints admit as a parent of some node.
may_be_parent <- function(constraints) {
  lengths(children_of(constraints$forbidden)) < length(constraints$forbidden) - 1L
}

# By size, sums over all nodes and their parent sets that the constraints admit: of the product of
# `x` over the members of a set, and of that product's derivative where each x grows by `dx`.
admitted_sums <- function(constraints, x, dx, sizes) {
  n <- length(x)
  required <- children_of(constraints$required)
  forbidden <- children_of(constraints$forbidden)
  # by node and size, of the sets among the columns up to u
  products <- cbind(rep(1, n), matrix(0, n, max(sizes)))
  growth <- 0 * products
  one_larger <- function(sums) cbind(0, sums[, -ncol(sums), drop = FALSE])
  for (u in seq_len(n)) {
    with <- x[u] * one_larger(products)
    with_growth <- x[u] * one_larger(growth) + dx[u] * one_larger(products)
    with[c(u, forbidden[[u]]), ] <- with_growth[c(u, forbidden[[u]]), ] <- 0
    products[required[[u]], ] <- growth[required[[u]], ] <- 0
    products <- products + with
    growth <- growth + with_growth
  }
  most <- pmax(constraints$max_parents, lengths(constraints$required))
  admitted <- outer(most, 0:max(sizes), ">=")
  list(products = colSums(products * admitted)[sizes + 1],
       growth = colSums(growth * admitted)[sizes + 1])
}
