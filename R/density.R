# Densities of discrete variables that answer every question in time linear in
# their size: the classes "optbn_cutset_network", "optbn_latent_tree" and "optbn_mixture",
# all of them "optbn_density".
#
# A model holds the core's own structures as plain vectors (src/core/density/density.h
# tells what they mean), so that R can save and copy it. Each component has a body,
# a list with
#   cut, first, weight   by place of the tree of cuts. The root is place 1, a place
#                        comes before its children, and these are neighbours, one a
#                        level. `cut`: the number of the variable, 0 at a leaf;
#                        `first`: the place of the child of level 1, at a leaf its
#                        number; `weight`: the probability given the place above.
#   members              by leaf: how many members its tree has.
#   variable, states, parent   by member, all leaves' one after another. The number
#                        of its variable, 0 if it is hidden; of how many levels; the
#                        number of its parent among the members of the leaf, 0 for a
#                        root. Parents come before their children.
#   tables               P(member | parent) of all members one after another, the
#                        member's level fastest.
# Numbers start at 1. A Chow-Liu tree is a cutset network without a cut; in a latent
# tree, which has none either, some members are hidden.

#' Density Models
#'
#' Distributions of discrete variables for which every query is exact and takes time proportional to
#' the number of parameters: densities with missing values, marginal and conditional probabilities,
#' and random draws. They need no compilation, and no junction tree that could exceed the memory.
#'
#' @section Kinds:
#' * `optbn_cutset_network`: a tree of *cuts*, each on a variable, with a branch for each of its
#'   levels. At each leaf there is a *Chow-Liu tree* over the remaining variables, that is, a
#'   Bayesian network in which every variable has at most one parent. Without cuts it is a Chow-Liu
#'   tree. From [learn_cutset()] and [learn_chow_liu()].
#' * `optbn_latent_tree`: a tree-shaped network in which some variables are hidden and summed out.
#'   From [learn_hclt()].
#' * `optbn_mixture`: a weighted average of such models, from [learn_cutset_bag()],
#'   [learn_mixture()] and [stack_densities()]. [mixture_component()] returns each of them.
#'
#' @section Components:
#' All are lists with
#' * `nodes`, `levels`: the names of the variables, and for each its level labels;
#' * `prototype`: the columns of the training data, without rows;
#' * `weights`: the weights of the components, which sum to 1; a single 1 if the model is not a
#'   mixture;
#' * `components`: the parameters, a list for each component, in an internal form; [summary()] and
#'   [cutset_leaf()] show them;
#' * `learning`: how the model was learned, a list without the elements that do not apply:
#'   * `learner`: the name of the function; `algorithm` of cutset networks; `settings`, a list of
#'     the other arguments;
#'   * `n`: the number of training rows, or the sum of their weights; `missing`: the number of
#'     missing values in them, if there are any;
#'   * `log_likelihood` of the training rows, in total, and `validation`, the mean log-likelihood
#'     of the validation rows; missing values are summed out;
#'   * `trace`: a data frame with a row for each `step` of expectation-maximisation and the mean
#'     log-likelihood of the `training` rows, and of the `validation` rows if they determine the
#'     result; and `best_step`, the step whose model is returned;
#'   * `models`: see [stack_densities()];
#'   * `status`: `"finished"`, `"interrupt"` or `"time_limit"`, and `seconds` (`NA` without timing,
#'     see [certificate()]);
#'   * `part_of`: the class of the model of which this one is a part, see [mixture_component()];
#' * `handle`: an environment that contains the model in memory; it is created again when needed.
#'
#' You can save models with [saveRDS()].
#'
#' @references
#' Chow, C. K. and Liu, C. N. (1968). Approximating discrete probability distributions with
#' dependence trees. *IEEE Transactions on Information Theory* 14, 462-467.
#' \doi{10.1109/TIT.1968.1054142}
#'
#' Rahman, T., Kothalkar, P. and Gogate, V. (2014). Cutset networks: a simple, tractable, and
#' scalable approach for improving the accuracy of Chow-Liu trees. *Machine Learning and Knowledge
#' Discovery in Databases*, 630-645. \doi{10.1007/978-3-662-44851-9_40}
#'
#' Di Mauro, N., Vergari, A. and Esposito, F. (2015). Learning accurate cutset networks by
#' exploiting decomposability. \emph{AI*IA 2015 Advances in Artificial Intelligence}, 221-232.
#' \doi{10.1007/978-3-319-24309-2_17}
#'
#' @seealso [optbn_density-methods] for their methods; [plot.optbn_density()];
#' [as.bn.optbn_density()] and [tidy.optbn_density()] for conversions.
#' @name optbn_density-class
#' @aliases optbn_cutset_network optbn_latent_tree optbn_mixture optbn_density
NULL

# `levels`: by node. `learning`: see the help page above.
new_density <- function(class, nodes, levels, prototype, weights, components, learning) {
  levels <- set_names(levels, nodes)
  structure(
    list(
      nodes = nodes,
      levels = levels,
      prototype = prototype,
      weights = weights,
      components = components,
      learning = learning,
      handle = new.env(parent = emptyenv())
    ),
    class = c(class, "optbn_density")
  )
}

#' @export
make_handle.optbn_density <- function(model) {
  core_density(unname(lengths(model$levels)), model$weights, model$components)
}

# ---- bodies read ---------------------------------------------------------------------------------

# The tree of cuts, a row per place: `cut`; `above`, the place above, 0 for the root; `level` of
# the variable cut there, from 1; `depth` from 0; `reach`, the probability of being here; `leaf`,
# its number, or NA. `sizes`: numbers of levels by node.
body_places <- function(body, sizes) {
  n <- length(body$cut)
  cuts <- which(body$cut > 0L)
  size <- sizes[body$cut[cuts]]
  children <- sequence(size, body$first[cuts])
  above <- level <- depth <- integer(n)
  above[children] <- rep(cuts, size)
  level[children] <- sequence(size)
  reach <- body$weight
  for (place in seq_len(n)[-1L]) {
    depth[place] <- depth[above[place]] + 1L
    reach[place] <- reach[place] * reach[above[place]]
  }
  data.frame(cut = body$cut, above = above, level = level, depth = depth, weight = body$weight,
             reach = reach, leaf = ifelse(body$cut > 0L, NA, body$first))
}

# The members of all leaves, a row each: `leaf`, `variable`, `states`, `parent` (a row of this data
# frame, 0 for a root), `blocks` (how many levels the parent has, 1 for a root), and `table` (the
# number of the first of its table).
body_members <- function(body) {
  leaf <- rep(seq_along(body$members), body$members)
  before <- rep(cumsum(body$members) - body$members, body$members)
  parent <- ifelse(body$parent > 0L, body$parent + before, 0L)
  blocks <- rep(1L, length(parent))
  blocks[parent > 0L] <- body$states[parent[parent > 0L]]
  cells <- body$states * blocks
  data.frame(leaf = leaf, variable = body$variable, states = body$states, parent = parent,
             blocks = blocks, table = cumsum(cells) - cells + 1)
}

# The same with `name` of the member and of its parent, `above` (NA for a root).
named_members <- function(model, body = model$components[[1L]]) {
  members <- body_members(body)
  hidden <- members$variable == 0L
  members$name[!hidden] <- model$nodes[members$variable]
  members$name[hidden] <- hidden_names(sum(hidden), model$nodes)
  members$above <- members$name[replace(members$parent, members$parent == 0L, NA)]
  members
}

# The table of a row of body_members(): a column for every level of the parent.
member_table <- function(body, member) {
  at <- seq(member$table, length.out = member$states * member$blocks)
  matrix(body$tables[at], member$states, member$blocks)
}

# Free parameters by leaf, those of the cuts aside.
leaf_parameters <- function(members) {
  as.vector(rowsum((members$states - 1) * members$blocks, members$leaf))
}

body_parameters <- function(body, sizes) {
  members <- body_members(body)
  sum((members$states - 1) * members$blocks) + sum(sizes[body$cut] - 1)
}

# Of the whole model, the weights of its components among them.
free_parameters <- function(model) core_density_parameters(handle_of(model))

has_cuts <- function(body) length(body$cut) > 1L

hidden_members <- function(body) sum(body$variable == 0L)

body_depth <- function(body, sizes) max(body_places(body, sizes)$depth)

# In words.
body_kind <- function(body) {
  if (hidden_members(body)) "latent tree" else if (has_cuts(body)) "cutset network" else
    "Chow-Liu tree"
}

# Names of hidden variables that no other variable has.
hidden_names <- function(count, nodes) {
  prefix <- "H"
  while (any(startsWith(nodes, prefix) & grepl("[0-9]$", nodes))) prefix <- paste0(prefix, "_")
  paste0(prefix, seq_len(count), recycle0 = TRUE)
}

# What was cut on the way to each place, "A = yes, B = no"; "" for the root.
paths_in_words <- function(places, model) {
  path <- character(nrow(places))
  for (place in seq_along(path)[-1L]) {
    above <- places$above[place]
    step <- cut_in_words(model, places$cut[above], places$level[place])
    path[place] <- paste0(path[above], if (nzchar(path[above])) ", ", step)
  }
  path
}

cut_in_words <- function(model, variable, level) {
  paste(model$nodes[variable], "=", model$levels[[variable]][level])
}

# ---- parts as models of their own ----------------------------------------------------------------

#' Parts of a Density Model
#'
#' `mixture_component()` returns one component of a mixture, and `cutset_leaf()` the Chow-Liu tree
#' at one leaf of a cutset network. Both are density models with all methods.
#'
#' @param model A [density model][optbn_density-class]; for `cutset_leaf()` a cutset network.
#' @param i The number of the component. A model that is not a mixture has one.
#' @param leaf The number of the leaf, as `summary(model)$leaves` lists them.
#'
#' @return `mixture_component()`: a model of class `optbn_cutset_network` or `optbn_latent_tree`.
#'   `cutset_leaf()`: an `optbn_cutset_network` without cuts over the remaining variables of the
#'   leaf. It is their distribution given the levels of the cut variables. The component `given` is
#'   a list of these levels, in the form of `evidence`.
#'
#' Neither stores a log-likelihood: `logLik()` needs `newdata`.
#'
#' @section Errors: `optbn_error_argument` for a number that does not exist, and for a model without
#'   leaves of its own, such as a mixture.
#'
#' @examples
#' titanic <- as.data.frame(Titanic)
#' model <- learn_cutset(titanic[1:4], weights = titanic$Freq)
#' summary(model)$leaves
#' cutset_leaf(model, 1)
#' @export
mixture_component <- function(model, i) {
  require_arguments()
  check_density(model)
  i <- check_number_of(i, length(model$components), "i", "component")
  if (!inherits(model, "optbn_mixture")) return(model)
  body <- model$components[[i]]
  new_density(
    if (hidden_members(body)) "optbn_latent_tree" else "optbn_cutset_network",
    model$nodes, model$levels, model$prototype, 1, list(body), part_learning(model)
  )
}

#' @rdname mixture_component
#' @export
cutset_leaf <- function(model, leaf) {
  require_arguments()
  check_density(model)
  take_leaf(model, leaf, "model", environment())
}

# `arg` and `call`: what the user knows `model` as, and called.
take_leaf <- function(model, leaf, arg, call) {
  if (!inherits(model, "optbn_cutset_network")) abort_no_leaves(model, arg, call)
  body <- model$components[[1L]]
  leaf <- check_number_of(leaf, length(body$members), "leaf", "leaf", call)
  if (!has_cuts(body)) return(model)
  members <- body_members(body)
  here <- which(members$leaf == leaf)
  first <- here[1L]
  last <- here[length(here)]
  kept <- sort(members$variable[here])
  tree <- new_density(
    "optbn_cutset_network", model$nodes[kept], model$levels[kept], model$prototype[kept], 1,
    list(list(
      cut = 0L, first = 1L, weight = 1, members = length(here),
      variable = match(members$variable[here], kept), states = body$states[here],
      parent = body$parent[here],
      tables = body$tables[seq(members$table[first],
                               members$table[last] + members$states[last] * members$blocks[last] -
                                 1)]
    )),
    part_learning(model)
  )
  tree$given <- leaf_evidence(model, leaf)
  tree
}

# What was cut on the way to a leaf: labels named by variable.
leaf_evidence <- function(model, leaf) {
  places <- body_places(model$components[[1L]], lengths(model$levels))
  place_evidence(model, places, which(places$leaf == leaf))
}

# The same for a place of the tree of cuts; `places`: see body_places().
place_evidence <- function(model, places, place) {
  given <- list()
  while ((above <- places$above[place]) > 0L) {
    variable <- places$cut[above]
    label <- model$levels[[variable]][places$level[place]]
    given <- c(set_names(list(label), model$nodes[variable]), given)
    place <- above
  }
  given
}

# Of a part, what was kept of the whole is no longer true.
part_learning <- function(model) {
  kept <- c("learner", "algorithm", "settings", "n")
  c(model$learning[intersect(kept, names(model$learning))], list(part_of = class(model)[1L]))
}

is_density_model <- function(x) inherits(x, "optbn_density")

check_density <- function(model, call = parent.frame()) {
  if (!is_density_model(model)) {
    abort_optbn("argument",
                c(paste("{.arg model} must be a density model, as {.fn learn_cutset} and",
                        "{.fn learn_mixture} return it."),
                  x = "It is {describe(model)}."),
                call = call)
  }
  handle_of(model, call) # refuses one that does not hold together
  invisible(model)
}

check_number_of <- function(number, count, arg, what, call = parent.frame()) {
  ok <- is.numeric(number) && length(number) == 1L && number %in% seq_len(count)
  if (!ok) {
    abort_optbn("argument",
                c("{.arg {arg}} must be the number of a {what} of the model, from 1 to {count}.",
                  x = "It is {describe(number)}."),
                call = call)
  }
  as.integer(number)
}

abort_no_leaves <- function(model, arg, call) {
  mixture <- inherits(model, "optbn_mixture")
  abort_optbn("argument",
              c("{.arg {arg}} must be a cutset network.",
                x = if (mixture) "A mixture has no leaves of its own." else
                  "A latent tree has no cuts, and no leaves.",
                i = if (mixture) {
                  "{.code mixture_component({arg}, i)} gives one of its components."
                }),
              call = call)
}

# ---- on the screen -------------------------------------------------------------------------------

#' @rdname optbn_density-methods
#' @export
format.optbn_density <- function(x, ...) {
  check_density(x)
  c(cli::style_bold(density_heading(x)),
    format_facts(c(format_origin(x), format_shape(x), format_likelihoods(x))))
}

#' @rdname optbn_density-methods
#' @export
print.optbn_density <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

density_heading <- function(model) UseMethod("density_heading")

#' @export
density_heading.optbn_density <- function(model) {
  kind <- body_kind(model$components[[1L]])
  paste(capitalise(kind), "over", cli::format_inline("{length(model$nodes)} variable{?s}"))
}

#' @export
density_heading.optbn_mixture <- function(model) {
  kinds <- vapply(model$components, body_kind, "")
  what <- if (length(unique(kinds)) == 1L) paste0(kinds[1L], "{?s}") else "densit{?y/ies}"
  cli::format_inline(paste0("Mixture of {length(kinds)} ", what,
                            " over {length(model$nodes)} variable{?s}"))
}

# What it was learned from, and how.
format_origin <- function(model) {
  learning <- model$learning
  learned <- c(
    if (length(learning$learner)) paste0(learning$learner, "()"),
    if (length(learning$algorithm)) paste("algorithm", learning$algorithm),
    if (isTRUE(learning$seconds > 0)) format_seconds(learning$seconds)
  )
  settings <- settings_in_words(learning$settings)
  c(
    `part of` = if (length(learning$part_of)) {
      paste("a", gsub("_", " ", sub("^optbn_", "", learning$part_of)))
    },
    given = if (length(model$given)) {
      first_few(paste(names(model$given), "=", unlist(model$given)))
    },
    learned = if (length(learned)) paste(learned, collapse = ", "),
    settings = if (length(settings)) paste(settings, collapse = ", "),
    stopped = switch(learning$status %||% "finished",
                     interrupt = "by the user, before it was done",
                     time_limit = "by the time limit, before it was done"),
    data = if (length(learning$n)) {
      paste(format_count(learning$n), if (learning$n == 1) "row" else "rows")
    },
    missing = if (length(learning$missing)) {
      steps <- NROW(learning$trace)
      cli::format_inline("{format_count(learning$missing)} value{cli::qty(learning$missing)}{?s}, ",
                         "{steps} iteration{?s} of expectation-maximisation")
    }
  )
}

# Those that tell models of one kind apart.
settings_in_words <- function(settings) {
  all <- c(settings, settings$cutset)
  if (identical(settings$base, "chow-liu")) all$min_rows <- NULL # there are no cuts
  shown <- all[intersect(c("prior", "alpha", "min_rows", "base", "start", "states", "weighting",
                           "by"), names(all))]
  shown <- Filter(function(value) is.atomic(value) && length(value) == 1L, shown)
  paste(names(shown), vapply(shown, format, ""), recycle0 = TRUE)
}

format_shape <- function(model) UseMethod("format_shape")

#' @export
format_shape.optbn_cutset_network <- function(model) {
  body <- model$components[[1L]]
  if (!has_cuts(body)) return(NULL)
  leaves <- length(body$members)
  cuts <- sum(body$cut > 0L)
  c(cuts = cli::format_inline("{format_count(cuts)}, depth ",
                              "{body_depth(body, lengths(model$levels))}"),
    leaves = cli::format_inline("{format_count(leaves)}, of {format_range(body$members)} ",
                                "variable{cli::qty(max(body$members))}{?s}"))
}

#' @export
format_shape.optbn_latent_tree <- function(model) {
  body <- model$components[[1L]]
  states <- body$states[body$variable == 0L]
  c(hidden = cli::format_inline("{length(states)} variable{?s} of {format_range(states)} ",
                                "level{cli::qty(max(states))}{?s}"))
}

#' @export
format_shape.optbn_mixture <- function(model) {
  kinds <- vapply(model$components, body_kind, "")
  counts <- vapply(split(kinds, factor(kinds, unique(kinds))), length, 0L)
  c(
    components = if (length(counts) > 1L) {
      paste(counts, paste0(names(counts), ifelse(counts == 1L, "", "s")), collapse = ", ")
    },
    weights = format_range(signif(model$weights, 2L)),
    cuts = if (any(kinds == "cutset network")) {
      cuts <- vapply(model$components, function(body) sum(body$cut > 0L), 0L)
      paste(format_range(cuts), "in a component")
    }
  )
}

format_likelihoods <- function(model) {
  learning <- model$learning
  c(
    fit = if (length(learning$log_likelihood)) {
      paste0("log-likelihood ", format(learning$log_likelihood, digits = 7), ", ",
             format(learning$log_likelihood / learning$n, digits = 5), " a row")
    },
    validation = if (length(learning$validation)) {
      paste("log-likelihood", format(learning$validation, digits = 5), "a row")
    },
    parameters = format_count(free_parameters(model))
  )
}

# "3", or "3 to 9".
format_range <- function(numbers) {
  range <- range(numbers)
  if (range[1L] == range[2L]) return(format(range[1L]))
  paste(format(range[1L]), "to", format(range[2L]))
}

#' @rdname optbn_density-methods
#' @export
summary.optbn_density <- function(object, ...) {
  check_density(object)
  structure(c(list(heading = format(object)), density_tables(object)),
            class = "summary.optbn_density")
}

# The data frames of a summary.
density_tables <- function(model) UseMethod("density_tables")

#' @export
density_tables.optbn_density <- function(model) {
  body <- model$components[[1L]]
  places <- body_places(body, lengths(model$levels))
  members <- body_members(body)
  given <- paths_in_words(places, model)
  cuts <- which(places$cut > 0L)
  leaves <- which(!is.na(places$leaf))
  leaves <- leaves[order(places$leaf[leaves])]
  list(
    cuts = data.frame(variable = model$nodes[places$cut[cuts]], depth = places$depth[cuts],
                      probability = places$reach[cuts], given = given[cuts]),
    leaves = data.frame(leaf = places$leaf[leaves], depth = places$depth[leaves],
                        variables = tabulate(members$leaf[members$variable > 0L],
                                             length(body$members)),
                        probability = places$reach[leaves], parameters = leaf_parameters(members),
                        given = given[leaves])
  )
}

#' @export
density_tables.optbn_latent_tree <- function(model) {
  members <- named_members(model)
  hidden <- members[members$variable == 0L, ]
  children <- split(members$name, factor(members$above, hidden$name))
  list(hidden = data.frame(variable = hidden$name, levels = hidden$states,
                           parameters = (hidden$states - 1) * hidden$blocks,
                           children = vapply(children, first_few, "", most = 4L, width = 40L)))
}

#' @export
density_tables.optbn_mixture <- function(model) {
  sizes <- lengths(model$levels)
  bodies <- model$components
  list(components = data.frame(
    component = seq_along(bodies), weight = model$weights,
    kind = vapply(bodies, body_kind, ""),
    cuts = vapply(bodies, function(body) sum(body$cut > 0L), 0L),
    leaves = vapply(bodies, function(body) length(body$members), 0L),
    depth = vapply(bodies, body_depth, 0L, sizes = sizes),
    hidden = vapply(bodies, hidden_members, 0L),
    parameters = vapply(bodies, body_parameters, 0, sizes = sizes)
  ))
}

#' @export
print.summary.optbn_density <- function(x, most = 20L, ...) {
  tell_answer(x, {
    cat(x$heading, sep = "\n")
    for (what in setdiff(names(x), "heading")) print_shortly(what, x[[what]], most)
  })
  invisible(x)
}

print_shortly <- function(what, table, most) {
  if (nrow(table) == 0L) return(invisible())
  cat("\n", what, "\n", sep = "")
  print(shown_part(table, most), row.names = FALSE, right = FALSE, digits = 3L)
  more <- nrow(table) - most
  if (more > 0L) cat("and ", more, " more\n", sep = "")
}

# The first rows, their last column no wider than the screen leaves room for.
shown_part <- function(table, most) {
  table <- utils::head(table, most)
  if (length(table$given)) table$given <- cli::ansi_strtrim(table$given, 40L)
  table
}
