# learn_k_best(): the k best networks, or Markov equivalence classes, in order.

#' Learn the k Best Networks
#'
#' @description
#' Finds the `k` networks with the highest scores, best first, and proves that no other network
#' within the constraints scores higher than the last of them. [arc_posterior()] and
#' `bnlearn::custom.strength()` average over them.
#'
#' @details
#' Networks of one Markov equivalence class imply the same independences, and under most scores they
#' score the same, so the k best networks may belong to few classes. With `equivalence = TRUE` each
#' network is the best member of a different class. (All members score the same under
#' score-equivalent scores: `"bde"`, `"loglik"`, `"bic"`, `"aic"`, `"ebic"`, `"qnml"`, `"bge"` and
#' the Gaussian information criteria. With `targets` the classes are those without experiments, and
#' scores of their members differ.)
#'
#' Small problems are solved by dynamic programming over all subsets of the nodes. It stores `k`
#' networks for each subset, so memory and time grow with `k` and double with every node. Larger
#' problems are split into regions, which the tree searches of [learn_dag()] search one by one
#' (Lawler 1972): each network that is found splits its region by the first node at which others
#' differ from it. This takes little more time than the best network alone. The 20 best networks of
#' sparse problems of 40 to 60 nodes take less than a second, the 20 best classes a few seconds.
#'
#' The second-best network may need parent sets that score less than one of their subsets, which an
#' optimal network never needs. From data, such sets are kept up to a slack in score, and the slack
#' is enlarged until no network can be missing. If `x` is parent sets, the networks are the best
#' over these sets. By default [parent_sets()] does not keep such sets (see its argument `slack`);
#' the printed list then says *among the parent sets kept*.
#'
#' @param time_limit Seconds of wall time after which to stop, scoring included; `NULL` limits
#'   scoring only (see [parent_sets()]).
#' @inheritParams parent_sets
#' @inheritParams learn_dag
#' @param k The number of networks, a whole number from 1 to 65,535.
#' @param method `"dp"`, dynamic programming, or the tree search for the regions, see *Details*.
#'   `"auto"` means `"dp"` if that takes at most about two seconds, and otherwise `"lagrangian"`.
#'   `"dp"` allows neither `ancestors` nor `max_arcs`.
#' @param equivalence Return the best network of each of the `k` best Markov equivalence classes?
#' @return A list of class `c("optbn_k_best", "list")`: networks of class `c("optbn", "bn")` in
#'   order of decreasing score: `k` of them, or fewer if there are no more (with a message) or if
#'   the search is stopped (with a warning); these are then the best ones. Each has a
#'   [certificate()], whose bound is its own score and whose `settings` contain its `rank`.
#'
#' `print()` and `as.data.frame()` show their ranks, scores and weights: the exponential of the
#' score, as a share of the sum over these networks. With a marginal likelihood these are posterior
#' probabilities if only these networks are considered; [arc_posterior()] returns those of arcs.
#' `as.data.frame()` has the columns `rank`, `score`, `behind` (the difference from the best score),
#' `weight`, `arcs` (their number) and `network` (the nodes with parents, as in a model string).
#' `summary()` also shows the arcs by their probability among these networks; `plot()` and
#' `autoplot()` draw the weights by rank (`main` is the title, `""` for none). A single network
#' prints its rank, such as *proved 3rd best*.
#' @section Errors: Those of [learn_dag()]; `optbn_error_time` if the time limit is reached before
#'   the first network is proved, or with `"dp"` before the end. Ctrl-C then returns nothing.
#' @references
#' Lawler (1972) \doi{10.1287/mnsc.18.7.401};
#' Tian, He & Ram (2010) \doi{10.48550/arXiv.1203.3520}; Chen & Tian (2014)
#' \doi{10.1609/aaai.v28i1.9064} (equivalence classes).
#' @seealso [learn_dag()].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' best <- learn_k_best(titanic[1:4], k = 5, weights = titanic$Freq)
#' best
#' best[[1]]
#' arc_posterior(best)
#' learn_k_best(attitude, k = 2, score = "bge", equivalence = TRUE)
#' @export
learn_k_best <- function(x, k, score = NULL, ..., equivalence = FALSE,
                         method = c("auto", "dp", "elsa", "elsa-ig", "lagrangian",
                                    "branch-and-cut"),
                         max_parents = NULL,
                         whitelist = NULL, blacklist = NULL, tiers = NULL, candidates = NULL,
                         ancestors = NULL, max_arcs = NULL, weights = NULL, targets = NULL,
                         threads = NULL, time_limit = NULL, memory_limit = NULL,
                         progress = interactive()) {
  require_arguments()
  call <- environment()
  refuse_dots()
  k <- check_count(k, "k", minimum = 1, call = call)
  if (k > 65535L) abort_optbn("argument", "{.arg k} must be at most 65,535.", call = call)
  equivalence <- check_flag(equivalence, "equivalence", call = call)
  method <- check_choice(method, setdiff(search_methods, "local"), "method", call)
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)
  x <- encode_input(x, weights, score, limits, call, targets)
  global <- check_network_constraints(ancestors, max_arcs, x, weights, whitelist, call)
  method <- k_best_method(method, length(nodes_of(x, weights)), k, equivalence, global, limits,
                          call)
  make_sets <- function(slack = NULL, most = max_parents) {
    candidate_sets(x, score, slack = slack, max_parents = most, whitelist = whitelist,
                   blacklist = blacklist, tiers = tiers, candidates = candidates,
                   weights = weights, limits = limits, call = call)
  }
  search <- function(sets) search_k_best(sets, k, equivalence, method, global, limits, call)
  found <- with_kept_random_state(if (inherits(x, "optbn_parent_sets")) {
    search_given(make_sets(), search)
  } else {
    search_with_slack(make_sets, search, max_parents, slack = 2 * log(k))
  })
  if (length(found$choices) == 0L) abort_network_constraints(found$sets, global, limits, call)
  announce_count(found, k, equivalence, call)
  networks <- networks_in_order(found, method, global, equivalence, seconds_since(limits))
  structure(lapply(networks, with_partitions, x, call), class = c("optbn_k_best", "list"))
}

# Dynamic programming forms about k sums a node for every subset.
k_best_method <- function(method, nodes, k, equivalence, global, limits, call) {
  bytes <- core_k_best_bytes(min(nodes, 40L), k, equivalence)
  seconds <- 2^nodes * nodes * k * cost$k_best_entry * if (equivalence) 2 else 1
  if (method == "dp") {
    if (!is.null(global)) {
      abort_optbn("argument",
                  c("{.code method = \"dp\"} allows neither {.arg ancestors} nor {.arg max_arcs}.",
                    i = "Leave {.arg method} out."),
                  call = call)
    }
    require_memory(bytes, limits$memory_limit, "Use {.code method = \"auto\"}, lower {.arg k}",
                   call = call)
  }
  if (method != "auto") return(method)
  small <- is.null(global) && nodes <= core_limits()$subset_dp_nodes && seconds <= 2 &&
    bytes <= limits$memory_limit
  if (small) "dp" else "lagrangian"
}

search_k_best <- function(sets, k, equivalence, method, global, limits, call) {
  search <- if (method == "dp") core_k_best else core_rank
  found <- search(
    sets$sets,
    list(k = k, equivalence = equivalence, method = method, memory_limit = limits$memory_limit,
         constraints = network_constraints_for_core(global, sets$nodes)),
    host_within(limits, searching_networks, random_seed())
  )
  found <- call_core(found, nodes = sets$nodes, call = call)
  if (length(found$choices) == 0L && !found$complete) {
    if (identical(found$reason, "interrupt")) rlang::interrupt()
    call_core(structure(list(kind = "time_limit"), class = "core_failure"), call = call)
  }
  found$scores <- vapply(found$choices, function(choice) {
    sum(mapply(function(candidates, i) candidates$score[i], sets$sets, choice))
  }, 0)
  found$stopped <- !found$complete
  found$needed <- slack_needed(found, k, sets, global, limits, call)
  found
}

# Parent sets were dropped that score `slack` or more below one of their
# subsets. A network with such a set scores `slack` or more below the network
# that takes the subset instead, which is acyclic too, and so below the optimum.
# So nothing is missing when the last of k networks is within the slack of the
# optimum, which is that without required paths (see search_with_paths()).
slack_needed <- function(found, k, sets, global, limits, call) {
  if (length(found$scores) < k) return(NA)
  best <- found$scores[1L]
  if (any(global$ancestors$required)) {
    free <- if (!is.null(global$max_arcs)) list(max_arcs = global$max_arcs)
    best <- certificate(search_dag(sets, "auto", NULL, 0, limits, call, free))$bound
  }
  best - found$scores[k]
}

networks_in_order <- function(found, method, global, equivalence, seconds) {
  sets <- found$sets
  settings <- c(
    search_settings(sets, global),
    if (equivalence) list(equivalence = TRUE),
    if (!found$complete) list(among = "the parent sets kept")
  )
  effort <- list(subsets = found$subsets, nodes = found$nodes %||% 0, parent_sets = length(sets))
  lapply(seq_along(found$choices), function(rank) {
    score <- found$scores[rank]
    best_of_rest <- list(score = score, bound = score, proved = TRUE,
                         trace = data.frame(seconds = seconds, score = score, bound = score))
    record <- new_record(best_of_rest, method, effort, seconds, c(settings, rank = rank))
    network_of_choice(sets, found$choices[[rank]], record, algo = "learn_k_best")
  })
}

announce_count <- function(found, k, equivalence, call) {
  n <- length(found$choices)
  if (n == k) return(invisible())
  what <- if (equivalence) "equivalence class{?/es}" else "network{?s}"
  if (found$stopped) {
    cli::cli_warn(
      c(paste("{cli::qty(n)}The search was stopped after {n}", what, "of {k}."),
        i = "They are the first: none is missing before or between them."),
      class = c("optbn_warning_interrupt", "optbn_warning"), call = call
    )
    return(invisible())
  }
  announce(paste("{cli::qty(n)}There {?is/are} only {n}", what,
                 "within the constraints, not {k}."))
}

# ---- the class -----------------------------------------------------------------------------------

#' @export
sound_parts.optbn_k_best <- function(model) {
  demand("it is not a list" = is.list(model),
         "not all of its elements are networks" =
           all(vapply(unclass(model), inherits, NA, c("optbn", "bn"), which = FALSE)))
  for (network in unclass(model)) demand("a network has no certificate" = has_certificate(network))
}

#' @export
`[.optbn_k_best` <- function(x, i) structure(unclass(x)[i], class = class(x))

# Of each network, as a share of them all.
network_weights <- function(x) {
  scores <- vapply(unclass(x), function(network) certificate(network)$score, 0)
  weights <- exp(scores - max(scores, -Inf))
  weights / sum(weights)
}

#' @export
as.data.frame.optbn_k_best <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  records <- lapply(unclass(x), certificate)
  score <- vapply(records, `[[`, 0, "score")
  data.frame(
    rank = vapply(records, function(record) record$settings$rank %||% NA_integer_, 0L),
    score = score, behind = if (length(score)) score[1L] - score else score,
    weight = network_weights(x),
    arcs = vapply(unclass(x), function(network) nrow(network$arcs), 0L),
    network = vapply(unclass(x), families_in_short, ""), row.names = row.names
  )
}

#' @export
format.optbn_k_best <- function(x, ...) tell_answer(x, format_k_best(x))

format_k_best <- function(x) {
  if (length(x) == 0L) return("No networks")
  table <- as.data.frame(x)
  shown <- utils::head(table, 10L)
  lines <- paste0("  proved ", format(ordinal(shown$rank)), "  ",
                  format(shown$score, nsmall = 1), "  ", format(signif(shown$weight, 2)), "  ",
                  abridged(shown$network, 50L))
  heading <- paste0(k_best_heading(x, table), ": score, weight, network")
  c(heading, lines, if (nrow(table) > 10L) "  ...")
}

# `table`: as.data.frame() of the networks.
k_best_heading <- function(x, table) {
  settings <- certificate(x[[1L]])$settings
  count <- if (identical(table$rank, seq_along(table$rank))) {
    paste("The", length(x), "best")
  } else {
    paste(length(x), "of the best")
  }
  what <- if (isTRUE(settings$equivalence)) "classes of networks" else "networks"
  among <- if (!is.null(settings$among)) paste0(", among ", settings$among)
  paste0(count, " ", what, " of ", length(x[[1L]]$nodes), " nodes by ", format(settings$score),
         among)
}

# 1st, 2nd, 3rd, 4th, ..., 11th, ...
ordinal <- function(numbers) {
  last <- ifelse(numbers %% 100 %in% 11:13, 0, numbers %% 10)
  paste0(numbers, c("th", "st", "nd", "rd", rep("th", 6L))[last + 1])
}

#' @export
print.optbn_k_best <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @export
summary.optbn_k_best <- function(object, ...) {
  check_sound(object)
  structure(list(heading = format_k_best(object)[1L], networks = as.data.frame(object),
                 arcs = if (length(object)) arcs_of_best(object)), class = "summary.optbn_k_best")
}

# Those that some network has, the most probable first.
arcs_of_best <- function(x) {
  arcs <- as.data.frame(arc_posterior(x))[c("from", "to", "probability")]
  arcs <- arcs[arcs$probability > 0, ]
  arcs <- arcs[order(-arcs$probability), ]
  row.names(arcs) <- NULL
  arcs
}

#' @export
print.summary.optbn_k_best <- function(x, ...) {
  tell_answer(x, {
    cat(cli::style_bold(x$heading), "", sep = "\n")
    print(x$networks[setdiff(names(x$networks), "network")], row.names = FALSE)
    cat("", "Arcs by their probability among these networks", "", sep = "\n")
    print(utils::head(x$arcs, 20L), row.names = FALSE, digits = 3)
    if (NROW(x$arcs) > 20L) cat("  ...\n")
  })
  invisible(x)
}

# The weights by rank: `table`, the `ranks` on the axis, the title and the line below it.
k_best_picture <- function(x, main, call = parent.frame()) {
  check_sound(x, call)
  if (length(x) == 0L) {
    abort_optbn("argument", c("There is no network to draw.",
                              i = "The list of networks is empty."), call = call)
  }
  tell_answer(x, {
    table <- as.data.frame(x)
    ranks <- pretty(table$rank, 8L)
    scores <- unique(format_log(range(table$score)[2:1]))
    list(table = table, ranks = ranks[ranks %in% table$rank],
         main = check_title(main %||% k_best_heading(x, table), call),
         below = paste(if (length(scores) > 1L) "scores from" else "score",
                       paste(scores, collapse = " to ")))
  })
}

#' @exportS3Method ggplot2::autoplot
autoplot.optbn_k_best <- function(object, main = NULL, ...) {
  picture <- k_best_picture(object, main)
  ggplot2::ggplot(picture$table, ggplot2::aes(.data$rank, .data$weight)) +
    ggplot2::geom_col(width = 0.6, fill = search_colours[["score"]]) +
    ggplot2::scale_x_continuous(breaks = picture$ranks) +
    ggplot2::labs(x = "rank", y = "weight", title = if (nzchar(picture$main)) picture$main,
                  subtitle = if (nzchar(picture$main)) picture$below) +
    ggplot2::theme_minimal() + plot_titles() +
    ggplot2::theme(panel.grid.major.x = ggplot2::element_blank(),
                   panel.grid.minor = ggplot2::element_blank())
}

#' @export
plot.optbn_k_best <- function(x, main = NULL, ...) {
  picture <- k_best_picture(x, main)
  table <- picture$table
  old <- graphics::par(mar = c(3.4, 4.6, 3.6, 1), las = 1, mgp = c(2.2, 0.5, 0), tcl = -0.25)
  on.exit(graphics::par(old))
  graphics::plot.new()
  graphics::plot.window(range(table$rank) + c(-0.5, 0.5), c(0, max(table$weight)))
  graphics::rect(table$rank - 0.3, 0, table$rank + 0.3, table$weight, border = NA,
                 col = search_colours[["score"]])
  graphics::axis(1, picture$ranks, lwd = 0, lwd.ticks = 1)
  graphics::axis(2, lwd = 0, lwd.ticks = 1)
  graphics::title(xlab = "rank")
  graphics::title(ylab = "weight", line = 3.2)
  draw_titles(picture$main, if (nzchar(picture$main)) picture$below)
  invisible(x)
}
