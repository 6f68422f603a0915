# Scores that an R function computes. To the core they are what ask_custom() answers
# (src/core/score/foreign_score.h).

#' Custom Scores
#'
#' @description
#' Uses an R function of a node and its parents as a score, in every search that starts from data:
#' exact search, search on demand, bounded tree-width, the *k* best. bnlearn's score `"custom"`
#' accepts the same function.
#'
#' @details
#' A search needs the scores of thousands of families and calls the function for each. Under a
#' [future::plan()] of several processes, these share the calls. Without a `bound`, no parent set
#' can be excluded before it is scored: supply one if you can, or limit `max_parents`.
#'
#' The network stores the function and its environment.
#'
#' @param fun A function of `node` (its name), `parents` (their names, in the order of the columns),
#'   `data` (a data frame of factors and numbers, without the rows in which the node was set
#'   according to `targets` of [parent_sets()]) and, optionally, `args`. It returns one number,
#'   larger is better; `-Inf` excludes a family.
#' @param args A list that is passed to `fun` and `bound` as `args`.
#' @param bound A function with the same arguments that returns an upper bound on the scores of all
#'   strict supersets of these parents; `NULL` for none.
#' @return An object of class `optbn_score`, as from [score_bde()].
#' @section Errors: `optbn_error_argument` for a malformed function. During a search:
#'   `optbn_error_score`, which names the family, if the function fails or does not return one
#'   number; the same class for `weights`, or rows that stay in a database.
#' @seealso [score_discrete], [score_gaussian], [score_local].
#' @examples
#' # Half the number of rows times R squared, less 1 for each parent.
#' explained <- function(node, parents, data) {
#'   if (length(parents) == 0) return(0)
#'   fit <- stats::lm(stats::reformulate(parents, node), data)
#'   nrow(data) * summary(fit)$r.squared / 2 - length(parents)
#' }
#' learn_dag(attitude[1:4], score_custom(explained))
#' @export
score_custom <- function(fun, args = list(), bound = NULL) {
  require_arguments()
  call <- environment()
  if (!is.list(args)) {
    abort_optbn("argument", c("{.arg args} must be a list.", x = "It is {describe(args)}."),
                call = call)
  }
  new_score("custom", fun = with_args(fun, "fun", call), args = args,
            bound = if (!is.null(bound)) with_args(bound, "bound", call))
}

# A function of the four that bnlearn demands.
with_args <- function(fun, arg, call) {
  formals <- if (is.function(fun)) names(formals(args(fun)))
  needed <- c("node", "parents", "data")
  if (is.null(formals) || !("..." %in% formals || all(needed %in% formals))) {
    abort_optbn("argument",
                c("{.arg {arg}} must be a function of node, parents, data and perhaps args.",
                  x = if (is.function(fun)) "Its arguments are {.val {formals %||% 'none'}}."
                      else "It is {describe(fun)}."), call = call)
  }
  if (any(c("args", "...") %in% formals)) {
    return(function(node, parents, data, args) {
      fun(node = node, parents = parents, data = data, args = args)
    })
  }
  function(node, parents, data, args) fun(node = node, parents = parents, data = data)
}

check_custom_data <- function(encoded, call) {
  numbered <- has_row_numbers(encoded)
  if (numbered && is.null(encoded$weights)) return(invisible())
  abort_optbn("score",
              c("A custom score takes the rows of a data frame as they are.",
                x = if (numbered) "These have {.arg weights}."
                    else "{.arg data} is a table outside memory.",
                i = "Give a data frame in which each row counts once."), call = call)
}

# The score as the core asks for it.
score_for_core <- function(score, encoded, limits = NULL, call = parent.frame()) {
  score <- score_of_rows_left(score, encoded)
  if (is_predictive(score)) {
    score$new <- encode_new_rows(score, encoded, call)
    return(score[names(score) != "newdata"])
  }
  if (!identical(score$label, "custom")) return(scaled_score(score, encoded$scale))
  left <- lapply(encoded$targets, function(rows) decoded_frame(without_rows(encoded, rows)))
  task <- c(unclass(score)[c("fun", "args", "bound")],
            list(data = decoded_frame(encoded), left = left, nodes = encoded$nodes, call = call))
  several <- !is.null(limits) && has_workers()
  score$ask <- function(batch) ask_custom(batch, task, if (several) limits)
  score$ask_seconds <- if (several) 2 else 0.1
  score
}

# Of rows of which `scale` stand for one: a penalised likelihood times that number.
scaled_score <- function(score, scale) {
  if (is.null(scale)) return(score)
  score$k <- score$k * scale
  if (!is.null(score$worth)) score$worth <- lapply(score$worth, `*`, scale)
  score
}

decoded_frame <- function(encoded) {
  columns <- Map(function(column, levels, type) {
    if (is.null(levels)) return(column)
    factor(levels[column + 1L], levels, ordered = type == "ordered")
  }, encoded$columns, encoded$levels, encoded$types)
  list2DF(set_names(columns, encoded$nodes))
}

# By the processes of a plan where there are `limits`.
ask_custom <- function(batch, task, limits) {
  families <- families_of(batch, task$nodes)
  found <- if (is.null(limits)) {
    score_custom_families(families, task)
  } else {
    pieces <- distribute(families, score_custom_pieces, task, limits, task$call)
    if (isTRUE(attr(pieces, "stopped"))) rlang::interrupt() # as scoring by the core is left
    unlist(pieces, recursive = FALSE)
  }
  list(score = vapply(found, `[[`, 0, 1L), superset_bound = vapply(found, `[[`, 0, 2L))
}

families_of <- function(batch, nodes) {
  lapply(seq_along(batch$child), function(i) {
    members <- batch$members[(i - 1L) * batch$parents + seq_len(batch$parents)]
    list(node = nodes[batch$child[i] + 1L], parents = nodes[members + 1L])
  })
}

# For each family its score and the bound.
score_custom_families <- function(families, task) {
  lapply(families, function(family) {
    c(custom_number(task$fun, "fun", family, task, c(-Inf, .Machine$double.xmax)),
      if (is.null(task$bound)) Inf
      else custom_number(task$bound, "bound", family, task, c(-Inf, Inf)))
  })
}

score_custom_pieces <- function(families, task, limits, report) {
  score_custom_families(families, task)
}

custom_number <- function(fun, arg, family, task, range) {
  given <- if (length(family$parents) > 0L) "given {.val {family$parents}}" else "without parents"
  number <- tryCatch(
    fun(node = family$node, parents = family$parents,
        data = task$left[[family$node]] %||% task$data, args = task$args),
    error = function(e) {
      abort_optbn("score", paste0("{.arg {arg}} failed for node {.val {family$node}} ", given, "."),
                  parent = e, call = task$call)
    }
  )
  if (is.numeric(number) && length(number) == 1L && isTRUE(number >= range[1L]) &&
        number <= range[2L]) {
    return(as.double(number))
  }
  abort_optbn("score",
              c(paste0("{.arg {arg}} must return one number for node {.val {family$node}} ", given,
                       "."),
                x = "It returned {describe(number)}."), call = task$call)
}
