# causal_effects(): effects of interventions, averaged over the posterior probabilities of the
# parents of the cause (Bayesian IDA, "BIDA"), and the class "optbn_effects".
#
# Given the parents P of X, the effect of setting X on any Y that is not in P is had by adjusting
# for P, whatever the rest of the network (Pearl's back-door criterion): of Gaussian columns a
# coefficient of a regression, of discrete ones a sum over the configurations of P. On Y in P there
# is no effect. So the posterior of an effect is a mixture over parent sets, with a point mass at 0.

#' Effects of Interventions, Averaged over Networks
#'
#' @description
#' Computes the effects of interventions: how does a column change if another one is set from
#' outside? The answer depends on the network, which is uncertain. The function averages it over
#' *all* networks with their posterior probabilities. It returns the size of the effect, an
#' interval, and the probability that there is no effect.
#'
#' @details
#' Given the parents of the cause `from`, its effect on `to` is the association that remains after
#' adjustment for these parents. The effect is averaged over the posterior probabilities of the
#' parent sets of `from` (BIDA: Pensar et al. 2020). If `to` is one of the parents, there is no
#' effect. `no_effect` is the probability of this case, a point mass at 0 in the posterior of the
#' effect.
#'
#' * *Continuous columns*: the effect is the change of the mean of `to`, in its unit, if `from`
#'   increases by one unit. It is a coefficient of the regression of `to` on `from` and its parents.
#'   Its distribution given the parents is Student's t, under the prior of the score with BGe, and
#'   under a flat prior otherwise.
#' * *Discrete columns*: the effect is the probability of each level of `to` if `from` is set to
#'   each of its levels, a sum over the configurations of the parents. The parameters have the
#'   Dirichlet prior of BDeu, with the equivalent sample size of the score (1 if it has none).
#'   `effect` is the largest difference: the probability of `outcome` with `from` set to `level`
#'   minus that with `from` set to `baseline`, an earlier level that occurs in the data. The means
#'   are exact. For the intervals, the distribution given the parents is approximated by a beta
#'   distribution with the same mean and variance.
#' * *Mixed columns*, and continuous ones with scores of local structures ([score_pcart()],
#'   [score_ft()]): the optimal tree (or discretised table) over `from` and its parents predicts
#'   `to` for every row, with `from` set to `level` and to `baseline`. The predictions are averaged
#'   over the rows. A continuous `from` is set to its quartiles. The effect is a difference of means
#'   for a continuous `to`, and of probabilities for a discrete one. It is also zero if the tree
#'   does not distinguish the two settings. Intervals include the uncertainty of the leaves and of
#'   the rows, but not of the tree.
#'
#' For each cause, the most probable parent sets with a total probability of 99.9 % are used. If
#' these are more than 1,000 (with trees, 50), a systematic sample represents the less probable
#' ones: sorted by probability, one set at each fixed step of probability. No random numbers are
#' used. `sampled` is the largest share of the probability that such a sample represents. As with
#' all methods for observational data, the networks are causal only by assumption: the data include
#' every common cause of two columns, and there is no feedback.
#'
#' @param data A data frame or matrix as in [parent_sets()], without missing values.
#' @param ... Arguments of [network_posterior()]: `score`, `prior`, constraints and limits. If
#'   `posterior` is given, no further arguments are allowed.
#' @param posterior A [network_posterior()] of these data, or networks from [sample_dags()]; `NULL`
#'   to compute one.
#' @param from,to Names of columns: the causes and the outcomes. `NULL` means all.
#' @param level The probability of the intervals, between 0 and 1.
#' @param weights Row counts, whole numbers, or `NULL`.
#' @param targets `NULL`, or the nodes that were set from outside in each row, in one of the forms
#'   of [parent_sets()]. The posterior of the parents then uses these rows, and the effects of a
#'   cause are estimated from the rows in which no node other than the cause was set.
#' @param progress Show a progress bar?
#'
#' @return An object of class `optbn_effects`, a list with
#'   \item{effects}{a data frame with a row for each pair: `from`, `to`; except for regressions
#'     `outcome` (`NA` for a mean), `level` and `baseline`; the posterior mean `effect`, the bounds
#'     `lower` and `upper` of its equal-tailed interval, and the probability `no_effect` that there
#'     is no effect; for continuous columns the effect `standardised`, in standard deviations of
#'     `to` (and, for a coefficient, per standard deviation of `from`),}
#'   \item{interventions}{except for regressions, a data frame with the `estimate` of each `outcome`
#'     of `to` if `from` is set to `level` (a probability, or a mean in the unit of `to`), and its
#'     interval,}
#'   \item{nodes, level}{the columns, and the level of the intervals,}
#'   \item{sampled}{the largest share of the probability of a cause's parent sets that a sample
#'     represents.}
#' `as.data.frame()` returns the effects, `print()` shows the largest ones, and `plot()` draws a
#' matrix of all.
#' @section Errors: Those of [network_posterior()]; `optbn_error_argument` if `posterior` was not
#'   computed from these data, or if `from` and `to` contain no pair of different columns;
#'   `optbn_error_data` for missing values, for tables that are not in memory, and for a cause
#'   without two levels in the rows in which no other node was set.
#' @references
#' Pensar, J., Talvitie, T., Hyttinen, A. and Koivisto, M. (2020). A Bayesian approach for
#' estimating causal effects from observational data. *Proceedings of the AAAI Conference on
#' Artificial Intelligence* 34, 5395-5402. \doi{10.1609/aaai.v34i04.5988}
#'
#' Pearl, J. (2009). *Causality*, second edition. Cambridge University Press, section 3.3.
#' @seealso [network_posterior()], [arc_posterior()]; [query()] for effects in one fitted network.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' effects <- causal_effects(titanic[1:4], score = "bde", weights = titanic$Freq, to = "Survived",
#'                           tiers = list(c("Sex", "Age"), "Class", "Survived"))
#' effects
#' effects$interventions
#'
#' # the effect of a longer petal, by trees
#' causal_effects(iris, score = "pcart", from = "Petal.Length")
#'
#' plot(causal_effects(attitude, score = "bge"))
#' @export
causal_effects <- function(data, ..., posterior = NULL, from = NULL, to = NULL, level = 0.95,
                           weights = NULL, targets = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  level <- check_number(level, "level", above = 0, below = 1, call = call)
  progress <- check_progress(progress, call)
  encoded <- encode_data(data, weights, call, targets = targets)
  if (!is.null(encoded$source)) {
    abort_optbn("data",
                c("Effects are estimated from rows in memory.",
                  i = "Give a sample of {.arg data}, collected by {.code dplyr::collect()}."),
                call = call)
  }
  from <- asked_columns(from, "from", encoded, call)
  to <- asked_columns(to, "to", encoded, call)
  if (length(from) == 1L && identical(from, to)) {
    abort_optbn("argument", "{.arg from} and {.arg to} must have a pair of different columns.",
                call = call)
  }
  posterior <- posterior_of_data(posterior, encoded, ..., progress = progress, call = call)

  score <- posterior$parent_sets$settings$score
  method <- effects_method(encoded, score)
  problem <- NULL
  found <- vector("list", length(from))
  report <- progress_bar(progress, "Estimating effects", length(from))
  for (i in seq_along(from)) {
    cause <- match(from[i], encoded$nodes)
    outcomes <- setdiff(match(to, encoded$nodes), cause)
    sets <- probable_parent_sets(posterior, cause, method$most_sets)
    if (is.null(problem) || !is.null(encoded$targets)) {
      problem <- method$prepare(rows_of_cause(encoded, from[i], call), score, call)
    }
    check_settings(problem, cause, from[i], call)
    if (length(outcomes) > 0L) {
      found[[i]] <- c(method$estimate(problem, cause, outcomes, sets, level),
                      sampled = sets$sampled)
    }
    report()
  }
  new_effects(found, encoded, level)
}

# Those in which nothing but the cause was set. Where another node was, what the cause does is cut
# off from the outcome, or its parents have another distribution.
rows_of_cause <- function(encoded, cause, call) {
  if (is.null(encoded$targets)) return(encoded)
  others <- unique(unlist(encoded$targets[setdiff(names(encoded$targets), cause)]))
  if (length(others) == encoded$rows) {
    abort_optbn("data",
                c("No row of {.arg data} is informative about the effect of {.val {cause}}.",
                  x = "Other nodes were set in all of them.",
                  i = "Leave it out by {.arg from}, or add rows in which no node was set."),
                call = call)
  }
  without_rows(encoded, others)
}

# How effects are estimated: prepare(encoded, score, call) gives a problem, and
# estimate(problem, cause, outcomes, sets, level) data frames `effects` and, of a cause that is set
# to one of several settings, `interventions`.
effects_method <- function(encoded, score) {
  discrete <- is_discrete(encoded)
  if (all(discrete)) {
    list(prepare = tables_for_effects, estimate = effects_by_tables, most_sets = 1000L)
  } else if (any(discrete) || is_local_score(score)) {
    list(prepare = trees_for_effects, estimate = effects_by_trees, most_sets = 50L)
  } else {
    list(prepare = moments_for_effects, estimate = effects_by_regression, most_sets = 1000L)
  }
}

asked_columns <- function(names, arg, encoded, call) {
  if (is.null(names)) return(encoded$nodes)
  check_node_names(names, arg, encoded, call)
}

posterior_of_data <- function(posterior, encoded, ..., progress, call) {
  if (is.null(posterior)) return(network_posterior(encoded, ..., progress = progress))
  if (!inherits(posterior, c("optbn_posterior", "optbn_dags"))) {
    abort_optbn("argument",
                c("{.arg posterior} must come from {.fn network_posterior} or {.fn sample_dags}.",
                  x = "It is {describe(posterior)}."), call = call)
  }
  check_sound(posterior, call)
  if (...length() > 0L) {
    abort_optbn("argument",
                c("Further arguments are for {.fn network_posterior}; {.arg posterior} is given.",
                  i = "Leave them out, or leave {.arg posterior} out."), call = call)
  }
  same <- identical(posterior$nodes, encoded$nodes) &&
    isTRUE(all.equal(posterior$parent_sets$rows, encoded$total)) &&
    isTRUE(all.equal(posterior$parent_sets$settings$targets, target_sets(encoded)))
  if (!same) {
    abort_optbn("argument",
                c("{.arg posterior} was not computed from these {.arg data}.",
                  i = "The columns, the rows, their weights and {.arg targets} must be the same."),
                call = call)
  }
  posterior
}

# ---- parent sets of a cause ----------------------------------------------------------------------

enough_probability <- 0.999

# Those that stand for all, with probabilities that sum to 1.
probable_parent_sets <- function(posterior, cause, most_sets) {
  chosen <- representative_sets(parent_set_probabilities(posterior, cause), most_sets)
  candidates <- posterior$parent_sets$sets[[cause]]
  list(parents = lapply(chosen$set, members_of_set, candidates = candidates),
       probability = chosen$weight, sampled = chosen$sampled)
}

# The most probable ones, if few have enough of the probability. Otherwise a systematic sample, in
# proportion to probability: laid end to end, the most probable first, sets are taken at the middle
# of equal steps. A set longer than a step is taken for certain, with its own weight; the others
# have the weight of a step, and none is taken twice.
representative_sets <- function(p, most_sets) {
  order <- order(-p)
  p <- p[order] / sum(p)
  reached <- cumsum(p)
  enough <- which(reached >= enough_probability)[1L]
  if (enough <= most_sets) {
    used <- seq_len(enough)
    return(list(set = order[used], weight = p[used] / reached[enough], sampled = 0))
  }
  certain <- 0:(most_sets - 1L)
  step <- (1 - c(0, reached)[certain + 1L]) / (most_sets - certain)
  first <- which(p[certain + 1L] <= step)[1L]
  certain <- seq_len(first - 1L)
  steps <- most_sets - length(certain)
  marks <- c(0, reached)[first] + (seq_len(steps) - 0.5) * step[first]
  list(set = order[c(certain, findInterval(marks, reached) + 1L)],
       weight = c(p[certain], rep(step[first], steps)), sampled = steps * step[first])
}

parent_set_probabilities <- function(posterior, cause) {
  if (inherits(posterior, "optbn_posterior")) return(pmax(0, posterior$probability[[cause]]))
  sets <- posterior$parent_sets$sets[[cause]]
  tabulate(posterior$choice[cause, ], length(sets$score)) / length(posterior)
}

# ---- mixtures ------------------------------------------------------------------------------------

# The effect, given parent sets with these probabilities: its means, and where it is 0 for sure.
# interval(there, point_mass) is that of the others.
mixture_of_sets <- function(probability, mean, none, interval) {
  point_mass <- sum(probability[none])
  if (all(none)) return(data.frame(effect = 0, lower = 0, upper = 0, no_effect = point_mass))
  bounds <- interval(!none, point_mass)
  data.frame(effect = sum(probability[!none] * mean[!none]), lower = bounds[1L],
             upper = bounds[2L], no_effect = point_mass)
}

# An interval with equal tails of a mixture with a point mass at 0. `distribution(q)` is that of
# the rest: it has the mass that the point leaves. `support` has nearly all of it.
mixture_interval <- function(level, distribution, point_mass, support) {
  below <- distribution(0)
  quantile <- function(p) {
    if (p > below && p <= below + point_mass) return(0)
    beside <- if (p > below) point_mass else 0
    gap <- function(q) distribution(q) + beside - p
    if (gap(support[1L]) >= 0) return(support[1L])
    if (gap(support[2L]) <= 0) return(support[2L])
    stats::uniroot(gap, support, tol = 1e-6 * diff(support))$root
  }
  c(quantile((1 - level) / 2), quantile((1 + level) / 2))
}

# Of the columns with these numbers, which are continuous: in standard deviations effects compare.
deviations_of <- function(encoded, columns) {
  weights <- encoded$weights %||% rep(1, encoded$rows)
  vapply(encoded$columns[columns], function(x) {
    sqrt(stats::weighted.mean((x - stats::weighted.mean(x, weights))^2, weights))
  }, 0)
}

# ---- the class -----------------------------------------------------------------------------------

new_effects <- function(found, encoded, level) {
  bind <- function(part) {
    table <- do.call(rbind, lapply(found, `[[`, part))
    for (column in intersect(c("from", "to"), names(table))) {
      table[[column]] <- encoded$nodes[table[[column]]]
    }
    table
  }
  structure(
    list(nodes = encoded$nodes, effects = bind("effects"), interventions = bind("interventions"),
         level = level, sampled = max(0, vapply(found, function(one) one$sampled %||% 0, 0))),
    class = "optbn_effects"
  )
}

#' @export
sound_parts.optbn_effects <- function(model) {
  demand("it is not a list" = is.list(model), "its nodes are invalid" = are_names(model$nodes))
  table <- model$effects
  demand(
    "its effects are not a table" = is.data.frame(table) &&
      all(c("from", "to", "effect", "lower", "upper", "no_effect") %in% names(table)),
    "its effects are not those of its nodes" = all(c(table$from, table$to) %in% model$nodes),
    "its effects are not numbers" =
      all(vapply(table[c("effect", "lower", "upper", "no_effect")], are_finite, NA)),
    "its level is not a share" = are_numbers(model$level, 1L) && model$level > 0 && model$level < 1,
    "its standardised effects are not numbers" =
      is.null(table$standardised) || are_finite(table$standardised),
    "the sampled share is not a share" =
      are_numbers(model$sampled, 1L) && model$sampled >= 0 && model$sampled <= 1,
    "its interventions are not a table" =
      is.null(model$interventions) || is.data.frame(model$interventions)
  )
}

#' @export
as.data.frame.optbn_effects <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  table <- x$effects
  row.names(table) <- row.names
  table
}

# Those of columns in different units, too.
comparable_effects <- function(x) x$effects$standardised %||% x$effects$effect

#' @export
format.optbn_effects <- function(x, ...) tell_answer(x, format_effects(x))

format_effects <- function(x) {
  table <- x$effects
  shown <- utils::head(table[order(-abs(comparable_effects(x))), ], 10L)
  c(
    paste0("Effects of interventions, averaged over networks: ", format_count(nrow(table)),
           if (nrow(table) == 1L) " pair" else " pairs"),
    paste0("  ", if (is.null(x$interventions)) {
      "change of the mean of `to` for one unit of `from`"
    } else {
      "`of` with `from` set to the first value, minus `of` with the second"
    }, "; ", format(100 * x$level), "% intervals"),
    if (x$sampled > 0.005) {
      paste0("  a sample represents parent sets with up to ", format(100 * x$sampled, digits = 2),
             "% of the probability of those of a cause")
    },
    "",
    wide_table(cbind(with_contrast(shown),
                     lapply(shown[c("effect", "lower", "upper", "no_effect")], short_numbers))),
    if (nrow(table) > nrow(shown)) {
      paste0("... the others are smaller", if (!is.null(table$standardised)) {
        ", in standard deviations"
      })
    }
  )
}

with_contrast <- function(table) {
  pair <- table[c("from", "to")]
  if (is.null(table$outcome)) return(pair)
  cbind(pair, of = ifelse(is.na(table$outcome), "mean", paste0("P(", table$outcome, ")")),
        set_to = paste(table$level, "/", table$baseline))
}

short_numbers <- function(x) {
  x <- vapply(signif(x, 3), format, "", scientific = FALSE)
  ifelse(startsWith(x, "-"), x, paste0(" ", x))
}

# Lines of a table, however wide.
wide_table <- function(table) {
  old <- options(width = 200L)
  on.exit(options(old))
  utils::capture.output(print(table, row.names = FALSE, right = FALSE))
}

#' @export
print.optbn_effects <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
