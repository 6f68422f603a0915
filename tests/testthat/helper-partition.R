# Partitions and fits of trees and discretised tables, made by hand.

levels_axis <- function(levels, ordered = FALSE) {
  list(type = "levels", levels = levels, ordered = ordered)
}

dyadic_axis <- function(min, max, max_splits = 3) {
  list(type = "dyadic", range = c(min, max), max_splits = max_splits)
}

bins_axis <- function(...) list(type = "bins", cuts = c(...), bins = length(c(...)) + 1)

# A tree from nested nodes: split("x", cell, left, right) for a continuous
# parent, split("a", codes, left, right) for a discrete one, leaf().
leaf <- function(n = 0) list(n = n)

split_at <- function(variable, at, left = leaf(), right = leaf()) {
  list(variable = variable, at = at, left = left, right = right, n = left$n + right$n)
}

make_tree <- function(axes, root = leaf()) {
  nodes <- list()
  visit <- function(node) {
    row <- length(nodes) + 1L
    nodes[[row]] <<- list(variable = NA_character_, left = NA_integer_, right = NA_integer_,
                          cell = NA_integer_, cut = NA_real_, n = node$n, left_codes = NULL)
    if (is.null(node$variable)) return(row)
    nodes[[row]]$variable <<- node$variable
    axis <- axes[[node$variable]]
    if (axis$type == "levels") {
      nodes[[row]]$left_codes <<- as.integer(node$at)
    } else {
      nodes[[row]]$cell <<- as.integer(node$at)
      nodes[[row]]$cut <<- axis$range[1] + node$at / 2^axis$max_splits * diff(axis$range)
    }
    nodes[[row]]$left <<- visit(node$left)
    nodes[[row]]$right <<- visit(node$right)
    row
  }
  visit(root)
  column <- function(name, type) vapply(nodes, `[[`, type, name)
  table <- data.frame(variable = column("variable", ""), left = column("left", 0L),
                      right = column("right", 0L), cell = column("cell", 0L),
                      cut = column("cut", 0), n = column("n", 0))
  table$left_codes <- lapply(nodes, `[[`, "left_codes")
  tree <- new_dyadic_tree(axes, table)
  check_sound(tree)
  tree
}

# What score_pcart() has as defaults; `data`: the continuous columns standardise themselves.
default_prior <- function(data = NULL, ...) {
  continuous <- Filter(is.numeric, data)
  prior <- list(alpha = 0.5, iss = NULL, nu = 1, lambda = 1, mu = 0, a = 1,
                centre = vapply(continuous, mean, 0), spread = vapply(continuous, stats::sd, 0))
  utils::modifyList(prior, list(...))
}

as_observed <- function(data, weights = NULL) {
  encoded <- encode_data(data, weights)
  list(columns = rlang::set_names(encoded$columns, encoded$nodes),
       levels = rlang::set_names(encoded$levels, encoded$nodes),
       weights = if (is.null(encoded$weights)) rep(1, encoded$rows) else encoded$weights)
}

# One node of `data` given a partition of its parents.
fit_one <- function(node, partition, data, method = "bayes", leaf = "student", weights = NULL,
                    prior = default_prior(data)) {
  fit_partition(node, names(partition$axes), partition, as_observed(data, weights), prior, method,
                leaf)
}

# A fitted network of such nodes. `partitions`: one per node, named.
fit_all <- function(partitions, data, method = "bayes", leaf = "student") {
  nodes <- names(partitions)
  models <- Map(fit_one, nodes, partitions,
                MoreArgs = list(data = data, method = method, leaf = leaf))
  observed <- as_observed(data)
  structure(
    list(
      nodes = nodes, parents = lapply(models, `[[`, "parents"), models = models,
      levels = observed$levels[nodes], network = NULL, method = method, iss = 1, n = nrow(data),
      log_likelihood = vapply(models, function(model) {
        sum(local_log_density(model, observed$columns))
      }, 0),
      prototype = data[0L, , drop = FALSE]
    ),
    class = "optbn_fit"
  )
}

# A tree with up to 2^depth leaves, whose splits halve what is left of a random parent.
random_tree <- function(axes, depth) {
  grow <- function(box, depth) {
    open <- names(Filter(function(cells) length(unique(cells)) > 1, box))
    if (depth == 0 || length(open) == 0) return(leaf(sample(2000, 1)))
    variable <- sample(open, 1)
    cells <- box[[variable]]
    if (axes[[variable]]$type == "levels") {
      some <- sample(length(cells) - 1, 1)
      at <- if (axes[[variable]]$ordered) cells[seq_len(some)] else sort(sample(cells, some))
      parts <- list(at, setdiff(cells, at))
    } else {
      at <- (sum(cells) + 1) / 2
      parts <- list(c(cells[1], at - 1), c(at, cells[2]))
    }
    split_at(variable, at, grow(replace(box, variable, parts[1]), depth - 1),
             grow(replace(box, variable, parts[2]), depth - 1 - (stats::runif(1) < 0.1)))
  }
  make_tree(axes, grow(whole_box(list(axes = axes)), depth))
}

# A local model with random distributions.
model_on <- function(partition, levels = NULL, rows = NULL, scale = NULL) {
  regions <- count_regions(partition)
  if (inherits(partition, "optbn_dyadic_tree")) rows <- partition$nodes$n[is_leaf(partition)]
  distribution <- if (is.null(levels)) {
    list(density = "student", location = stats::rnorm(regions, 5, 2),
         scale = if (is.null(scale)) exp(stats::rnorm(regions, 0, 0.4)) else scale,
         df = rep(c(4, Inf), length.out = regions))
  } else {
    prob <- matrix(stats::rexp(length(levels) * regions), length(levels),
                   dimnames = list(levels, NULL))
    list(prob = sweep(prob, 2, colSums(prob), "/"))
  }
  kind <- if (inherits(partition, "optbn_dyadic_tree")) "optbn_tree" else "optbn_binned"
  structure(
    c(list(node = "child", parents = names(partition$axes), levels = levels,
           partition = partition, n = if (is.null(rows)) seq_len(regions) else rows), distribution),
    class = c(kind, "optbn_partition", "optbn_local")
  )
}

mixed_axes <- list(
  age = dyadic_axis(0, 80), class = levels_axis(c("1st", "2nd", "3rd", "crew")),
  size = levels_axis(c("small", "medium", "large", "huge"), TRUE), fare = dyadic_axis(-1, 511, 5),
  "occupation of the respondent" = levels_axis(c("agriculture and forestry", "manufacturing",
                                                 "retail and wholesale trade"))
)

eight <- paste("level", 1:8)

# A fixed tree that has a split of every kind.
every_split <- function() {
  letters_axis <- levels_axis(letters)
  make_tree(
    c(mixed_axes[c("age", "size", "class")], list(letter = letters_axis)),
    split_at("age", 4,
             split_at("size", 0:1, leaf(10), split_at("size", 2, leaf(20), leaf(0))),
             split_at("class", c(0, 2), leaf(40), split_at("letter", 0:24, leaf(50), leaf(1234))))
  )
}

# Flowers with a tree of a discrete node under a continuous parent, and a table.
grown_flowers <- function() {
  partitions <- list(
    Petal.Length = make_tree(list()),
    Species = make_tree(list(Petal.Length = dyadic_axis(1, 6.9, 3)),
                        split_at("Petal.Length", 4, split_at("Petal.Length", 2), leaf())),
    Petal.Width = new_joint_table(list(Species = levels_axis(levels(iris$Species)),
                                       Petal.Length = bins_axis(2.5, 4.9)))
  )
  fit_all(partitions, iris)
}
