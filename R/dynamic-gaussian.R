# The engine of Gaussian series, and of mixed ones whose discrete values are known.
#
# What is hidden is x = mean + factor' z, with independent standard normal z: a belief is list(ids,
# mean, factor, before), `before` those of the message. A slice adds a disturbance for each of its
# nodes; what it tells is split off by an orthogonal transformation, as in infer-gaussian-joint.R,
# so that nothing is squared (dynamic-infer.R says what an engine is). The way back is that of
# Rauch, Tung and Striebel: given the message that a belief passed on, nothing later tells more.

gaussian_engine <- function(recursion, call) {
  list(
    observe = function(message, slice, known) {
      families <- Filter(function(family) inherits(family$model, "optbn_regression"),
                         families_at(recursion, slice))
      check_known_tables(recursion, families_at(recursion, slice), known, slice, call)
      observe_normal(message, families, known, call)
    },
    marginal = function(belief, id) {
      place <- match(id, belief$ids)
      c(belief$mean[place], factor_sd(belief$factor[, place, drop = FALSE]))
    },
    pass_on = function(belief, ids) normal_of(belief, ids),
    look_back = look_back_normal
  )
}

# The distribution of some of the hidden identities, by a factor of as few rows as can be.
normal_of <- function(belief, ids) {
  place <- match(ids, belief$ids)
  list(ids = ids, mean = belief$mean[place],
       factor = short_factor(belief$factor[, place, drop = FALSE]))
}

short_factor <- function(factor) {
  if (nrow(factor) <= ncol(factor) || ncol(factor) == 0L) return(factor)
  split <- qr(factor, LAPACK = TRUE)
  qr.R(split)[, order(split$pivot), drop = FALSE]
}

# A table whose values are known is a number, which must not be 0.
check_known_tables <- function(recursion, families, known, slice, call) {
  for (family in families) {
    if (!inherits(family$model, "optbn_table")) next
    prob <- family$model$prob
    cell <- 1 + sum(cumprod(c(1, dim(prob)))[seq_along(family$ids)] * known[family$ids])
    if (prob[cell] == 0) abort_impossible_series(slice, call)
  }
}

# Nodes of the slice one after another: how each disturbance moves them, and their means given what
# is known. What is known of a node is a constant to its children.
observe_normal <- function(message, families, known, call) {
  before <- length(message$ids)
  ids <- c(message$ids, vapply(families, function(family) family$ids[1L], 0))
  rows <- NROW(message$factor)
  effects <- matrix(0, rows + length(families), length(ids))
  effects[seq_len(rows), seq_len(before)] <- message$factor
  mean <- c(message$mean, numeric(length(families)))
  for (i in seq_along(families)) {
    own <- before + i
    part <- regression_at(families[[i]], known)
    hidden <- is.na(part$values)
    from <- match(part$ids[hidden], ids)
    slopes <- part$slopes[hidden]
    mean[own] <- part$intercept + sum(part$slopes[!hidden] * part$values[!hidden]) +
      sum(slopes * mean[from])
    effects[, own] <- effects[, from, drop = FALSE] %*% slopes
    effects[rows + i, own] <- part$sd
  }
  seen <- which(!is.na(known[ids]))
  touched <- seen[colSums(effects[, seen, drop = FALSE] != 0) > 1L]
  own_rows <- c(seq_len(rows), rows + setdiff(seq_along(families), setdiff(seen, touched) - before))
  told <- split_normal(effects[own_rows, , drop = FALSE], mean, setdiff(seq_along(ids), seen),
                       touched, known[ids[touched]] - mean[touched])
  c(told, list(ids = ids[is.na(known[ids])], before = message$ids))
}

# Intercept, slopes and standard deviation in the configuration of the discrete parents, and the
# identities and values of the continuous ones.
regression_at <- function(family, known) {
  model <- family$model
  names <- c(model$node, model$parents)
  configuration <- 1
  if (length(model$levels)) {
    codes <- as.list(known[family$ids[match(names(model$levels), names)]])
    configuration <- cell_index(set_names(codes, names(model$levels)),
                                lengths(model$levels), 1L)
  }
  ids <- family$ids[match(model$continuous, names)]
  coefficients <- model$coefficients[, configuration]
  list(intercept = coefficients[[1L]], slopes = unname(coefficients[-1L]),
       sd = model$sd[[configuration]], ids = ids, values = known[ids])
}

# The normal of the `hidden` columns given that the `touched` ones are so far from their means.
split_normal <- function(effects, mean, hidden, touched, surprise) {
  on_hidden <- effects[, hidden, drop = FALSE]
  if (length(touched) == 0L) return(list(mean = mean[hidden], factor = on_hidden))
  split <- split_disturbances(effects[, touched, drop = FALSE])
  turned <- split$turn(on_hidden)
  determined <- seq_along(touched)
  u <- backsolve(split$triangle, (surprise / split$unit)[split$pivot], transpose = TRUE)
  list(mean = mean[hidden] + as.vector(crossprod(turned[determined, , drop = FALSE], u)),
       factor = turned[-determined, , drop = FALSE])
}

# Of the belief the part that the message determines moves with what is now known of the message.
look_back_normal <- function(belief, later) {
  message <- later$before
  if (length(message) == 0L) return(belief)
  better <- normal_of(later, message)
  place <- match(message, belief$ids)
  split <- split_disturbances(belief$factor[, place, drop = FALSE])
  turned <- split$turn(belief$factor)
  determined <- seq_along(place)
  gain <- turned[determined, , drop = FALSE]
  in_units <- function(x) { # a column for each row of numbers of the message
    backsolve(split$triangle, (t(x) / split$unit)[split$pivot, , drop = FALSE], transpose = TRUE)
  }
  moved <- in_units(rbind(better$mean - belief$mean[place]))
  belief$mean <- belief$mean + as.vector(crossprod(gain, moved))
  belief$factor <- short_factor(rbind(crossprod(in_units(better$factor), gain),
                                      turned[-determined, , drop = FALSE]))
  belief
}
