# Effects of a cause that is set to one of several settings: the levels of a discrete column, or two
# values of a continuous one. What they have an effect on are cells: the probability of each level
# of a discrete outcome, the mean of a continuous one.
#
# A problem has the `cells` (a data frame: `node`, the number of a column, `share`, whether this is
# the probability of a level, and its `label`), the `settings` of each column, as labels, and which
# of them are `known`, having rows. Given the parents of the cause,
# moments(parents, problem, cause) has for each setting (row) and cell (column) the `mean`, and the
# covariance of two settings of one cell (`covariance[setting, setting, cell]`).

# A level may be NA, where addNA() has made it one; a mean has the label NA.
labels_of_levels <- function(levels) {
  lapply(levels, function(labels) if (!is.null(labels)) replace(labels, is.na(labels), "NA"))
}

# Of a problem that has settings.
check_settings <- function(problem, cause, name, call) {
  if (is.null(problem$known) || length(problem$known[[cause]]) > 1L) return(invisible())
  abort_optbn("data",
              c("Column {.val {name}} must have two levels or more in the rows that count.",
                x = "It has {.val {problem$settings[[cause]][problem$known[[cause]]]}} in each.",
                i = "An effect is a difference. Leave the column out by {.arg from}."),
              call = call)
}

effects_of_settings <- function(problem, moments, cause, outcomes, sets, level) {
  problem$cells <- problem$cells[problem$cells$node %in% outcomes, ]
  settings <- problem$settings[[cause]]
  estimates <- lapply(sets$parents, moments, problem = problem, cause = cause)
  means <- Reduce(`+`, Map(function(one, p) p * one$mean, estimates, sets$probability))
  effects <- lapply(outcomes, function(outcome) {
    at <- largest_contrast(outcome, means, problem$known[[cause]], problem$cells)
    data.frame(from = cause, to = outcome, outcome = problem$cells$label[at$cell],
               level = settings[at$level], baseline = settings[at$baseline],
               contrast_mixture(at, outcome, estimates, sets, problem, level))
  })
  list(effects = do.call(rbind, effects),
       interventions = intervention_table(estimates, means, sets, problem, cause, level))
}

# The settings and the cell with the largest difference of means; of several the last ones, so that
# of two levels the second is compared with the first. What happens at a setting that no row has is
# not known.
largest_contrast <- function(outcome, means, known, cells) {
  of_outcome <- which(cells$node == outcome)
  pairs <- t(utils::combn(known, 2L))
  size <- abs(means[pairs[, 2L], of_outcome, drop = FALSE] -
                means[pairs[, 1L], of_outcome, drop = FALSE])
  largest <- which(size >= max(size) * (1 - 1e-9), arr.ind = TRUE)
  largest <- largest[nrow(largest), ]
  list(cell = of_outcome[largest[2L]], level = pairs[largest[1L], 2L],
       baseline = pairs[largest[1L], 1L])
}

# There is no effect, a point mass at 0, where the outcome is among the parents, and where a tree
# does not tell the settings apart.
contrast_mixture <- function(at, outcome, estimates, sets, problem, level) {
  pair <- c(at$level, at$baseline)
  mean <- vapply(estimates, function(one) diff(one$mean[rev(pair), at$cell]), 0)
  variance <- vapply(estimates, function(one) {
    sum(c(1, -1, -1, 1) * one$covariance[pair, pair, at$cell])
  }, 0)
  is_parent <- vapply(sets$parents, function(parents) outcome %in% parents, NA)
  none <- is_parent | (mean == 0 & variance <= 1e-30)
  mixture_of_sets(sets$probability, mean, none, function(there, point_mass) {
    moments_interval(level, sets$probability[there], mean[there], variance[there],
                     if (problem$cells$share[at$cell]) c(-1, 1), point_mass)
  })
}

intervention_table <- function(estimates, means, sets, problem, cause, level) {
  settings <- problem$settings[[cause]]
  rows <- expand.grid(setting = seq_along(settings), cell = seq_len(ncol(means)))
  intervals <- mapply(function(i, cell) {
    mean <- vapply(estimates, function(one) one$mean[i, cell], 0)
    variance <- vapply(estimates, function(one) one$covariance[i, i, cell], 0)
    range <- if (problem$cells$share[cell]) c(0, 1)
    moments_interval(level, sets$probability, mean, variance, range)
  }, rows$setting, rows$cell)
  data.frame(from = cause, level = settings[rows$setting], to = problem$cells$node[rows$cell],
             outcome = problem$cells$label[rows$cell], estimate = means[as.matrix(rows)],
             lower = intervals[1L, ], upper = intervals[2L, ])
}

# Of a mixture of distributions with these means and variances: beta ones on `range`, or without
# that normal ones.
moments_interval <- function(level, p, mean, variance, range = NULL, point_mass = 0) {
  deviation <- sqrt(pmax(variance, 1e-16 * (1 + mean^2)))
  support <- range(mean - 8 * deviation, mean + 8 * deviation, if (point_mass > 0) 0)
  if (is.null(range)) {
    distribution <- function(q) sum(p * stats::pnorm(q, mean, deviation))
    return(mixture_interval(level, distribution, point_mass, support))
  }
  width <- diff(range)
  share <- (mean - range[1L]) / width
  sum <- share * (1 - share) * (width / deviation)^2 - 1
  distribution <- function(q) {
    sum(p * stats::pbeta((q - range[1L]) / width, share * sum, (1 - share) * sum))
  }
  mixture_interval(level, distribution, point_mass, pmin(range[2L], pmax(range[1L], support)))
}
