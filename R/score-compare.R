# compare_scores(): how the optimal network changes with the score.

#' Optimal Networks Under Several Scores
#'
#' @description
#' Learns the optimal network of the same data under several scores, and with several equivalent
#' sample sizes, and compares the networks: their arcs, and the loss of each network under the
#' scores of the others. The comparison shows which parts of a structure depend on the data and
#' which on the choice of the score.
#'
#' @param data Data as in [learn_dag()].
#' @param scores Scores as in [learn_dag()]: a vector of labels, or a list of labels and of scores
#'   from [score_bde()] and others. `NULL` means `"bic"` and `"bde"` for discrete columns, `"bic-g"`
#'   and `"bge"` for continuous and `"bic-cg"` and `"aic-cg"` for mixed ones, or node averages if
#'   values are missing.
#' @param iss Equivalent (imaginary) sample sizes. Each score with such an argument (`iss`; for
#'   [score_bge()] `iss_mu`) is used with each of these values. `NULL` leaves the scores unchanged.
#' @param ... Arguments for the `learner`, such as `max_parents`, `targets` or `time_limit`.
#' @param learner A function of data and a score that returns a network with a certificate:
#'   [learn_dag()], or [learn_treewidth()].
#' @param cpdag Compare equivalence classes? Then arcs that are reversible within their class are
#'   undirected. Use `FALSE` for scores that are not score-equivalent (such as [score_pcart()]).
#'   With `targets`, classes are those of [essential_graph()].
#' @param weights Row counts, whole numbers, or `NULL`.
#' @param progress Show a progress bar?
#'
#' @return An object of class `optbn_compare_scores`: a data frame with one row for each score, in
#'   their order: `score` (as printed), `value` (the score of its network), `gap` and `status` (of
#'   the [certificate()]), `arcs` (their number), and, compared with the first network, `gained`,
#'   `lost` and `turned` (arcs whose direction differs). Its attributes are
#' * `networks`: a list of the networks;
#' * `arcs`: a character matrix with a row for each pair of nodes that is adjacent in one of them
#'   and a column for each score: `"->"`, `"<-"`, `"--"` (no direction in the class) or `""`;
#' * `losses`: a matrix with the loss of each network (row) under each score (column): the amount,
#'   in natural log units, by which it scores less than the network learned under that score; `Inf`
#'   if the score does not allow its arcs.
#'
#' `print()` shows the table and the losses. `plot()` draws the arcs and the losses, and returns `x`
#' invisibly. `autoplot()` returns a ggplot object of the arcs.
#'
#' @section Errors: Those of the learner; `optbn_error_argument` for a malformed argument or a
#'   duplicate score.
#' @references
#' Silander, T., Kontkanen, P. and Myllymaki, P. (2007). On sensitivity of the MAP Bayesian network
#' structure to the equivalent sample size parameter. *Proceedings of the 23rd Conference on
#' Uncertainty in Artificial Intelligence*, 360-367. \doi{10.48550/arXiv.1206.5293}
#' @seealso [cross_validate()], which compares on rows that were not used for learning.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' found <- compare_scores(titanic[1:4], c("bic", "bde"), iss = c(1, 10, 100),
#'                         weights = titanic$Freq)
#' found
#' attr(found, "arcs")
#' plot(found)
#' @export
compare_scores <- function(data, scores = NULL, iss = NULL, ..., learner = learn_dag, cpdag = TRUE,
                           weights = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  cpdag <- check_flag(cpdag, "cpdag", call)
  check_function(learner, "learner", call)
  limits <- check_limits(NULL, Inf, NULL, progress, call)
  if (!is.null(scores)) scores <- scores_to_compare(scores, iss, call)
  targets <- list(...)$targets
  encoded <- encode_data(data, weights, call, holes = TRUE, targets = targets)
  for (score in scores) check_holes(score, encoded, call)
  scores <- scores %||% scores_to_compare(usual_scores(encoded), iss, call)
  task <- list(data = data, scores = scores, learner = learner,
               streams = streams_for(learner, length(scores)),
               settings = c(list(...), if (!is.null(weights)) list(weights = weights)))
  if (has_workers() && !is_ours(learner)) task <- c(task, needs_of(learner))
  chunks <- in_chunks(seq_along(scores), learn_under_scores, task, limits, call, bar = "Comparing")
  if (isTRUE(attr(chunks, "stopped"))) rlang::interrupt()
  networks <- set_names(unlist(chunks, recursive = FALSE), names(scores))
  new_compare_scores(networks, scores, data, weights, targets, cpdag)
}

# Learners of the package draw for optima alone; another one may draw for anything.
streams_for <- function(learner, count) {
  if (is_ours(learner)) with_kept_random_state(random_streams(count)) else random_streams(count)
}

usual_scores <- function(encoded) {
  if (!is.null(encoded$holes)) {
    average <- suppressMessages(usual_average(encoded))
    return(list(average, as_score(average$label)))
  }
  switch(columns_kind(encoded), discrete = c("bic", "bde"), continuous = c("bic-g", "bge"),
         mixed = c("bic-cg", "aic-cg"))
}

# A list of scores, named by how they print.
scores_to_compare <- function(scores, iss, call) {
  if (inherits(scores, "optbn_score")) scores <- list(scores)
  if (!(is.character(scores) || is_plain_list(scores)) || length(scores) == 0L) {
    abort_optbn("argument",
                c("{.arg scores} must be labels of scores or a list of scores.",
                  x = "It is {describe(scores)}."), call = call)
  }
  scores <- lapply(unname(as.list(scores)), as_score, call, "scores")
  if (!is.null(iss)) scores <- unlist(lapply(scores, with_each_iss, iss, call), recursive = FALSE)
  labels <- vapply(scores, format, "")
  twice <- unique(labels[duplicated(labels)])
  if (length(twice) > 0L) {
    abort_optbn("argument",
                c("{.arg scores} must differ.", x = "{.val {twice}} {?is/are} there twice."),
                call = call)
  }
  set_names(scores, labels)
}

with_each_iss <- function(score, iss, call) {
  sound <- is.numeric(iss) && length(iss) > 0L && !anyNA(iss) && all(iss > 0 & is.finite(iss)) &&
    !anyDuplicated(iss)
  if (!sound) {
    abort_optbn("argument",
                c("{.arg iss} must be different numbers greater than 0.",
                  x = "It is {describe(iss)}."), call = call)
  }
  part <- intersect(c("iss", "iss_mu"), names(score))
  if (length(part) == 0L) return(list(score))
  lapply(as.double(iss), function(size) {
    score[[part[1L]]] <- size
    score
  })
}

learn_under_scores <- function(numbers, task, limits, report) {
  learner <- task$learner
  lapply(seq_along(numbers), function(i) {
    number <- numbers[i]
    network <- with_random_state(task$streams[[number]], suppressMessages(
      do.call("learner", c(list(task$data, task$scores[[number]]), task$settings)),
      classes = "optbn_message" # what is to be said of the data has been said
    ))
    report(i)
    network
  })
}

# ---- the result ----------------------------------------------------------------------------------

new_compare_scores <- function(networks, scores, data, weights, targets, cpdag) {
  arcs <- arcs_by_network(networks, cpdag)
  first <- arcs[, 1L]
  losses <- losses_under_scores(networks, scores, data, weights, targets)
  records <- lapply(networks, certificate)
  changes <- function(is_change) {
    vapply(seq_along(networks), function(i) sum(is_change(arcs[, i])), 0L)
  }
  out <- data.frame(
    score = names(scores),
    value = vapply(records, `[[`, 0, "score"),
    gap = vapply(records, `[[`, 0, "gap"),
    status = vapply(records, `[[`, "", "status"),
    arcs = changes(function(now) now != ""),
    gained = changes(function(now) now != "" & first == ""),
    lost = changes(function(now) now == "" & first != ""),
    turned = changes(function(now) now != "" & first != "" & now != first),
    row.names = NULL
  )
  structure(out, class = c("optbn_compare_scores", "data.frame"), networks = networks, arcs = arcs,
            losses = losses)
}

# A row for each adjacent pair, in the order of the nodes; a column for each network.
arcs_by_network <- function(networks, cpdag) {
  dags <- lapply(networks, as_network_structure)
  nodes <- dags[[1L]]$nodes
  tables <- Map(pairs_of_class, dags, lapply(networks, recorded_targets), list(nodes), cpdag)
  pairs <- unique(do.call(rbind, lapply(tables, `[`, c("one", "other"))))
  pairs <- pairs[order(pairs$one, pairs$other), ]
  key <- function(pairs) paste(pairs$one, pairs$other)
  arcs <- vapply(tables, function(table) {
    marks <- table$mark[match(key(pairs), key(table))]
    replace(marks, is.na(marks), "")
  }, character(nrow(pairs)))
  matrix(arcs, nrow(pairs), length(networks),
         dimnames = list(paste(nodes[pairs$one], nodes[pairs$other], sep = " : "),
                         names(networks)))
}

# The adjacent pairs of a network with the direction of their arc, as numbers among `nodes`.
pairs_of_class <- function(dag, sets, nodes, cpdag) {
  arcs <- label_arcs(dag, sets)
  from <- match(dag$nodes[arcs$from], nodes)
  to <- match(dag$nodes[arcs$to], nodes)
  free <- cpdag & !arcs$compelled
  data.frame(one = pmin(from, to), other = pmax(from, to),
             mark = c("--", "->", "<-")[ifelse(free, 1L, ifelse(from < to, 2L, 3L))])
}

# By how much each network (row) scores less than the network of each score (column).
losses_under_scores <- function(networks, scores, data, weights, targets) {
  values <- suppressMessages(vapply(scores, function(score) {
    vapply(networks, score_or_none, 0, data, score, weights, targets)
  }, numeric(length(networks))), classes = "optbn_message")
  values <- matrix(values, length(networks), dimnames = list(names(networks), names(scores)))
  sweep(-values, 2L, diag(values), `+`)
}

# -Inf where the score has no model for an arc.
score_or_none <- function(network, data, score, weights, targets) {
  tryCatch(score_network(network, data, score, weights = weights, targets = targets),
           optbn_error_score = function(e) -Inf)
}

#' @rdname compare_scores
#' @param x,object A result of `compare_scores()`.
#' @export
print.optbn_compare_scores <- function(x, ...) {
  tell_answer(x, cat(format(x), sep = "\n"))
  invisible(x)
}

#' @export
format.optbn_compare_scores <- function(x, ...) {
  check_sound(x)
  table <- as.data.frame(unclass(x)[names(x)])
  table$value <- format_log(table$value)
  table$gap <- format_gap(table$gap)
  losses <- attr(x, "losses")
  shown <- matrix(formatC(losses, format = "fg", digits = 3L), nrow(losses),
                  dimnames = list(paste0(seq_len(nrow(x)), " ", x$score), seq_len(nrow(x))))
  c(cli::style_bold(cli::format_inline("Optimal networks under {nrow(x)} score{?s}")),
    utils::capture.output(print(table)),
    if (nrow(x) > 1L) {
      c("", "Loss of each network (row) under each score (column):",
        utils::capture.output(print(shown, quote = FALSE, right = TRUE)))
    })
}

# ---- pictures ------------------------------------------------------------------------------------

arc_marks <- c("->" = "#0072B2", "<-" = "#D55E00", "--" = "#7A8794")
arc_mark_labels <- c("->" = "first to second", "<-" = "second to first", "--" = "no direction")

# The cells of the matrix of arcs: `at`, `row` (from the top), `mark`.
score_arc_cells <- function(x) {
  arcs <- attr(x, "arcs")
  present <- which(arcs != "", arr.ind = TRUE)
  list(cells = data.frame(at = present[, 2L], row = present[, 1L], mark = arcs[present]),
       arcs = rownames(arcs), scores = x$score)
}

#' @rdname compare_scores
#' @param main The title; `""` for none.
#' @export
plot.optbn_compare_scores <- function(x, main = "Arcs by score", ...) {
  check_sound(x)
  main <- check_title(main)
  picture <- tell_answer(x, score_arc_cells(x))
  old <- graphics::par(mar = c(2.2, 1, 3, 1), las = 1, xpd = NA)
  on.exit(graphics::par(old))
  scores <- length(picture$scores)
  rows <- length(picture$arcs)
  graphics::plot.new()
  left <- max(graphics::strwidth(picture$arcs, "inches"), 0) / graphics::par("pin")[1L]
  wide <- graphics::strwidth(picture$scores, "inches")
  level <- max(wide) < 0.9 * graphics::par("pin")[1L] * (1 - left) / scores
  above <- if (level) 1.5 * graphics::strheight("A", "inches") else max(wide)
  above <- above / graphics::par("pin")[2L]
  graphics::plot.window(c(0.5 - (left + 0.02) * scores / (1 - left), scores + 0.5),
                        c(rows + 0.5, 0.5 - (above + 0.02) * rows / (1 - above)), xaxs = "i",
                        yaxs = "i")
  size <- min(1, graphics::par("pin")[2L] * (1 - above) / rows /
                graphics::strheight("A", "inches") / 1.6)
  graphics::rect(0.5, rows + 0.5, scores + 0.5, 0.5, border = "grey80")
  cells <- picture$cells
  graphics::rect(cells$at - 0.46, cells$row - 0.42, cells$at + 0.46, cells$row + 0.42,
                 col = arc_marks[cells$mark], border = NA)
  write_text(0.45, seq_len(rows), picture$arcs, align = 1, cex = size)
  write_text(seq_len(scores), if (level) 0.5 - 0.5 * above * rows / (1 - above) else 0.4,
             picture$scores, align = if (level) 0.5 else 0, srt = if (level) 0 else 90)
  used <- intersect(names(arc_marks), cells$mark)
  if (length(used) > 0L) {
    below <- graphics::par("mai")[1L] / graphics::par("pin")[2L]
    graphics::legend("bottom", arc_mark_labels[used], fill = arc_marks[used], border = NA,
                     bty = "n", horiz = TRUE, inset = -below, cex = 0.85, text.width = own_widths)
  }
  draw_titles(main)
  invisible(x)
}

#' @rdname compare_scores
#' @exportS3Method ggplot2::autoplot
autoplot.optbn_compare_scores <- function(object, main = "Arcs by score", ...) {
  check_sound(object)
  main <- check_title(main)
  picture <- tell_answer(object, score_arc_cells(object))
  cells <- picture$cells
  cells$arc <- factor(picture$arcs[cells$row], rev(picture$arcs))
  cells$score <- factor(picture$scores[cells$at], picture$scores)
  ggplot2::ggplot(cells, ggplot2::aes(.data$score, .data$arc, fill = .data$mark)) +
    ggplot2::geom_tile(width = 0.92, height = 0.84) +
    (if (nrow(cells) > 0L) { # a scale without a value has no limits
      list(ggplot2::scale_fill_manual(values = arc_marks, labels = arc_mark_labels),
           ggplot2::scale_x_discrete(drop = FALSE, position = "top"),
           ggplot2::scale_y_discrete(drop = FALSE))
    }) +
    ggplot2::labs(x = NULL, y = NULL, fill = NULL, title = if (nzchar(main)) main) +
    ggplot2::theme_minimal() + plot_titles() +
    ggplot2::theme(panel.grid = ggplot2::element_blank(), legend.position = "bottom",
                   axis.text.x.top = names_above(picture$scores, 9))
}
