# Local models whose parents' space is partitioned (R/local-regions.R): a tree, or a
# table of cells, with a distribution of the node in each region.
#
# Besides what every local model has, they hold `levels` (the node's labels, NULL
# for a continuous node), `partition`, `n` (rows by region), and
#   prob, counts                  discrete: matrices, levels x regions
#   density, location, scale, df  continuous: "student" or "normal", and its parameters by region;
#                                 a normal distribution is a Student t with df = Inf
#   moments                       continuous: `mean` and `squares` (about it) of the rows of each
#                                 region, standardised as the prior says where there is one

# ---- fitting ------------------------------------------------------------------------------------

# `prior` holds the settings of the score: for a discrete node `alpha` (per level), or `iss` for
# BDeu leaves; for a continuous one `nu`, `lambda`, `mu` and `a`, which speak of (y - centre) /
# spread, and `centre` and `spread`, named by node. `method`: "bayes" or "mle"; `leaf`, how
# "bayes" answers for a continuous node: "student" or "normal".
fit_partition <- function(node, parents, partition, observed, prior, method, leaf,
                          call = parent.frame()) {
  levels <- observed$levels[[node]]
  check_size(node, parents, count_regions(partition) * max(length(levels), 3L), call)
  region <- find_region(partition, observed$columns, length(observed$weights))
  fit_regions(node, parents, partition, region, observed, prior, method, leaf, call)
}

# `region`: that of each row.
fit_regions <- function(node, parents, partition, region, observed, prior, method, leaf,
                        call = parent.frame()) {
  levels <- observed$levels[[node]]
  if (method == "mle" && is.null(levels)) {
    n <- count_configurations(region, count_regions(partition), observed$weights)
    leaves <- c(list(n = n), fit_leaf_normals(node, region, n, observed, call))
    return(new_partition_model(node, parents, levels, partition, leaves))
  }
  seen <- leaf_statistics(node, count_regions(partition), region, observed, prior)
  fit_leaves(node, parents, levels, partition, seen, if (method == "bayes") prior, leaf)
}

new_partition_model <- function(node, parents, levels, partition, leaves) {
  structure(
    c(list(node = node, parents = parents, levels = levels, partition = partition), leaves),
    class = c(if (inherits(partition, "optbn_dyadic_tree")) "optbn_tree" else "optbn_binned",
              "optbn_partition", "optbn_local")
  )
}

# What the distributions in the regions depend on: of a discrete node the matrix `counts`, levels x
# regions; of a continuous one by region `n`, and of standardised values `mean` and `squares`.
leaf_statistics <- function(node, regions, region, observed, prior) {
  y <- observed$columns[[node]]
  r <- length(observed$levels[[node]])
  if (r > 0L) {
    counts <- count_configurations(y + 1 + r * (region - 1), r * regions, observed$weights)
    return(list(counts = matrix(counts, r)))
  }
  n <- count_configurations(region, regions, observed$weights)
  z <- (y - prior$centre[[node]]) / prior$spread[[node]]
  c(list(n = n), region_moments(z, region, n, observed$weights))
}

# Of rows that are a mixture: these shares of the rows of `one` and of `other`.
pool_statistics <- function(one, other, share) {
  mix <- function(a, b) (1 - share) * a + share * b
  if (!is.null(one$counts)) return(list(counts = mix(one$counts, other$counts)))
  n <- mix(one$n, other$n)
  mean <- ifelse(n > 0, mix(one$n * one$mean, other$n * other$mean) / n, 0)
  off <- mix(one$n * (one$mean - mean)^2, other$n * (other$mean - mean)^2)
  list(n = n, mean = mean, squares = mix(one$squares, other$squares) + off)
}

# The local model. `prior`: NULL for the proportions of a discrete node.
fit_leaves <- function(node, parents, levels, partition, seen, prior, leaf) {
  leaves <- if (is.null(levels)) {
    c(list(n = seen$n), fit_leaf_posteriors(node, seen, prior, leaf),
      list(moments = seen[c("mean", "squares")]))
  } else {
    alpha <- if (is.null(prior)) 0 else leaf_alpha(prior, length(levels), partition)
    c(list(n = colSums(seen$counts)), fit_leaf_probabilities(seen$counts, levels, alpha),
      seen["counts"])
  }
  new_partition_model(node, parents, levels, partition, leaves)
}

# Dirichlet parameter of one level, by region. BDeu gives every cell of the full
# table the same part of the imaginary sample, and a region that of its cells.
leaf_alpha <- function(prior, levels, partition) {
  if (is.null(prior$iss)) {
    rep(prior$alpha, count_regions(partition))
  } else {
    prior$iss * region_share(partition) / levels
  }
}

# Posterior means; proportions when alpha is 0.
fit_leaf_probabilities <- function(counts, levels, alpha) {
  r <- length(levels)
  prob <- (counts + rep(alpha, each = r)) / rep(colSums(counts) + r * alpha, each = r)
  empty <- is.nan(prob[1L, ])
  prob[, empty] <- 1 / r
  dimnames(prob) <- list(levels, NULL)
  list(prob = prob, remarks = c(empty = sum(empty)))
}

# The normal-inverse-gamma posterior of each region (Talvitie, Eggeling and
# Koivisto 2018, section 2.3): its predictive distribution, a Student t, or the
# normal distribution with the parameters' own estimates.
fit_leaf_posteriors <- function(node, z, prior, leaf) {
  centre <- prior$centre[[node]]
  spread <- prior$spread[[node]]
  n <- z$n
  t <- n * prior$a * (z$mean - prior$mu)^2 / (n + prior$a)
  location <- (n * z$mean + prior$a * prior$mu) / (n + prior$a)
  variance <- (z$squares + t + prior$nu * prior$lambda) / (n + prior$nu)
  student <- leaf == "student"
  if (student) variance <- variance * (1 + 1 / (n + prior$a))
  list(
    density = leaf,
    location = centre + spread * location,
    scale = spread * sqrt(variance),
    df = if (student) n + prior$nu else rep(Inf, length(n)),
    remarks = integer()
  )
}

# Mean and standard deviation of each region; of all rows where a region has
# fewer than two.
fit_leaf_normals <- function(node, region, n, observed, call) {
  y <- observed$columns[[node]]
  total <- sum(n)
  if (total < 2) abort_few_rows(node, total, 1L, call)
  own <- region_moments(y, region, n, observed$weights)
  all <- region_moments(y, rep(1L, length(y)), total, observed$weights)
  leaf_normals(n, own, all)
}

# `own`: mean and squares by region; `all`: those of all rows.
leaf_normals <- function(n, own, all) {
  total <- sum(n)
  few <- n < 2
  sd <- ifelse(few, sqrt(all$squares / (total - 1)), sqrt(own$squares / pmax(n - 1, 1)))
  smallest <- sqrt(.Machine$double.eps * all$squares / total) # residuals below it are rounding
  list(
    density = "normal",
    location = ifelse(few, all$mean, own$mean),
    scale = pmax(sd, smallest),
    df = rep(Inf, length(n)),
    remarks = c(few = sum(few), equal = sum(sd < smallest)),
    moments = own
  )
}

# Mean (0 without rows) and sum of squares about it, by region.
region_moments <- function(y, region, n, weights) {
  mean <- count_configurations(region, length(n), weights * y) / ifelse(n > 0, n, 1)
  list(mean = mean,
       squares = count_configurations(region, length(n), weights * (y - mean[region])^2))
}

# ---- the questions every local model answers ----------------------------------------------------

#' @export
local_parameters.optbn_partition <- function(model) {
  regions <- count_regions(model$partition)
  if (is.null(model$levels)) 2 * regions else (length(model$levels) - 1) * regions
}

#' @export
local_log_density.optbn_partition <- function(model, values) {
  y <- values[[model$node]]
  region <- find_region(model$partition, values, length(y))
  if (!is.null(model$levels)) return(log(model$prob[cbind(y + 1, region)]))
  student_log_density(y, model$location[region], model$scale[region], model$df[region])
}

student_log_density <- function(y, location, scale, df) {
  stats::dt((y - location) / scale, df, log = TRUE) - log(scale)
}

#' @export
local_simulate.optbn_partition <- function(model, values, rows) {
  region <- find_region(model$partition, values, rows)
  if (!is.null(model$levels)) return(draw_levels(model$prob, region))
  model$location[region] + model$scale[region] * stats::rt(rows, model$df[region])
}

# One code per element of `column`, from that column of `prob`. By inversion: the
# code is the number of cumulative probabilities that u is above. R's uniform
# numbers are never 0 and stay 2^-32 away from 1, which is more than rounding, so
# that a level of probability 0 is never drawn.
draw_levels <- function(prob, column) {
  cumulative <- apply(prob, 2L, cumsum)
  u <- stats::runif(length(column))
  code <- integer(length(column))
  for (k in seq_len(nrow(prob) - 1L)) code <- code + (u > cumulative[k, column])
  code
}

# ---- on the screen ------------------------------------------------------------------------------

#' @export
format.optbn_tree <- function(x, ...) {
  check_sound(x)
  leaves <- count_regions(x$partition)
  cli::format_inline("tree with {leaves} {cli::qty(leaves)}lea{?f/ves}, {format_leaf(x)}")
}

#' @export
format.optbn_binned <- function(x, ...) {
  check_sound(x)
  kind <- if (is.null(x$levels)) format_leaf(x) else paste("table of", format_leaf(x))
  with_cells(kind, vapply(x$partition$axes, cells_along, 0))
}

with_cells <- function(kind, sizes) {
  if (length(sizes)) paste(kind, "x", prod(sizes), "cells") else kind
}

format_leaf <- function(model) {
  if (!is.null(model$levels)) return(paste(length(model$levels), "levels"))
  c(student = "Student t", normal = "normal")[[model$density]]
}

#' @export
print_parameters.optbn_partition <- function(model, digits = 3, ...) {
  cat(format(model$partition, beside = leaf_columns(model, digits)), sep = "\n")
}

# What is shown next to each region: its rows, and its distribution. Of many
# levels the three most probable.
leaf_columns <- function(model, digits, most = 6L) {
  n <- cbind(n = format(model$n, big.mark = ",", trim = TRUE))
  if (is.null(model$levels)) return(cbind(n, density_columns(model, digits + 1)))
  prob <- apply(model$prob, 2L, formatC, digits = digits, format = "f")
  dimnames(prob) <- dimnames(model$prob)
  if (length(model$levels) <= most) return(cbind(n, t(prob)))
  likeliest <- apply(model$prob, 2L, function(p) order(-p)[1:3])
  lists <- vapply(seq_along(model$n), function(region) {
    k <- likeliest[, region]
    paste(model$levels[k], prob[k, region], collapse = ", ")
  }, "")
  cbind(n, "most probable" = lists)
}

density_columns <- function(model, digits) {
  location <- format(model$location, digits = digits)
  scale <- format(model$scale, digits = digits)
  if (model$density == "normal") return(cbind(mean = location, sd = scale))
  cbind(location = location, scale = scale, df = format(model$df))
}

# Regions by what they hold.
#' @export
coef.optbn_partition <- function(object, ...) {
  check_sound(object)
  regions <- describe_regions(object$partition)
  if (!is.null(object$levels)) {
    prob <- object$prob
    colnames(prob) <- regions
    return(prob)
  }
  matrix(c(object$location, object$scale, object$df), ncol = 3L,
         dimnames = list(regions, c("location", "scale", "df")))
}

# ---- as a table ---------------------------------------------------------------------------------

# The region of each configuration of discrete parents, the first fastest.
region_of_configurations <- function(partition) {
  sizes <- vapply(partition$axes, cells_along, 0)
  if (inherits(partition, "optbn_joint_table")) return(seq_len(prod(sizes)))
  strides <- cumprod(c(1, sizes))[seq_along(sizes)]
  region <- integer(prod(sizes))
  boxes <- region_boxes(partition, seq_len(count_regions(partition)))
  for (i in seq_along(boxes)) {
    steps <- Map(`*`, boxes[[i]], strides)
    region[Reduce(function(a, b) rep(a, length(b)) + rep(b, each = length(a)), steps, 1)] <- i
  }
  region
}

# Shapes and order are those of optbn_table and of intercepts alone in optbn_regression.
#' @export
bnlearn_distribution.optbn_partition <- function(model, parents, call) {
  axes <- model$partition$axes
  divided <- names(Filter(function(axis) axis$type != "levels", axes))
  student <- identical(model$density, "student")
  if (length(divided) || student) {
    at <- if (length(divided)) divided else model$parents
    arcs <- if (length(at)) paste(at, "->", model$node)
    reason <- if (length(divided)) {
      c(x = "It divides the range of a continuous parent, at the arc{?s} {.val {arcs}}.",
        i = "bnlearn has no such model.")
    } else {
      c(x = paste0("Its distributions are Student t, those of bnlearn normal",
                   if (length(at)) ", at the arc{?s} {.val {arcs}}", "."),
        i = "Fit the network with {.code leaf = \"normal\"}.")
    }
    abort_optbn("conversion",
                c("bnlearn cannot express the local model of node {.val {model$node}}.", reason),
                call = call)
  }
  labels <- lapply(axes, `[[`, "levels")
  check_size(model$node, model$parents, prod(lengths(labels), length(model$levels)), call)
  bnlearn_distribution(expand_partition(model, labels), parents, call)
}

# The same distribution as a table or as regressions without regressors.
# `labels`: the levels of the parents.
expand_partition <- function(model, labels) {
  region <- region_of_configurations(model$partition)
  common <- list(node = model$node, parents = model$parents, remarks = model$remarks)
  if (is.null(model$levels)) {
    configurations <- as.character(seq_along(region) - 1L)
    own <- list(
      levels = labels, continuous = character(),
      coefficients = matrix(model$location[region], 1L,
                            dimnames = list("(Intercept)", configurations)),
      sd = set_names(model$scale[region], configurations)
    )
    return(structure(c(common, own), class = c("optbn_regression", "optbn_local")))
  }
  labels <- c(set_names(list(model$levels), model$node), labels)
  prob <- structure(as.vector(model$prob[, region]), dim = unname(lengths(labels)),
                    dimnames = if (length(labels) > 1L) labels else unname(labels),
                    class = "table")
  structure(c(common, list(prob = prob)), class = c("optbn_table", "optbn_local"))
}

# ---- values that training did not show ---------------------------------------------------------

# Says where trees meet values that they were not learned for. `values` may lack
# some of their parents.
announce_outside <- function(models, values) {
  outside <- list()
  for (model in Filter(function(model) inherits(model, "optbn_partition"), models)) {
    dyadic <- Filter(function(axis) axis$type == "dyadic", model$partition$axes)
    for (parent in intersect(names(dyadic), names(values))) {
      range <- dyadic[[parent]]$range
      x <- values[[parent]]
      outside[[parent]] <- (outside[[parent]] %||% FALSE) | x < range[1L] | x > range[2L]
    }
  }
  rows <- Filter(function(count) count > 0, vapply(outside, sum, 0L, na.rm = TRUE))
  if (length(rows)) {
    lines <- vapply(names(rows), function(parent) {
      cli::format_inline("{.val {parent}}, in {rows[[parent]]} row{?s}")
    }, "")
    # by reference: names may hold braces, which are not to be read again
    bullets <- sprintf("{lines[%d]}", seq_along(lines))
    announce(c("Values outside the range of the trees count as the nearest value inside it:",
               set_names(bullets, rep("*", length(bullets)))))
  }
}

# ---- a continuous node given its parents and its children ---------------------------------------

# A child whose parents' space is partitioned contributes a factor that is
# constant between the points at which its region changes. The posterior of the
# node is therefore its own Student t (or normal) density, cut into pieces of
# known weight, and its moments are sums over pieces.

# Mean and standard deviation, one row per row of `values`. `factors`: the local
# models in which the node appears, all of them partitions. A Student t of at
# most 2 degrees of freedom has an infinite standard deviation; of at most 1 no
# mean: `mean` is then the median. Rows that are impossible are NaN.
partition_posterior <- function(node, factors, values, rows) {
  pieces <- posterior_pieces(node, factors, values, rows)
  moments <- piece_moments(pieces)
  mean <- rowSums(pieces$weight * moments$mean)
  variance <- rowSums(pieces$weight * (moments$variance + (moments$mean - mean)^2))
  heavy <- which(pieces$df <= 1)
  mean[heavy] <- piece_quantiles(pieces, 0.5)[heavy]
  data.frame(
    mean = pieces$location + pieces$scale * mean,
    sd = ifelse(pieces$df > 2, pieces$scale * sqrt(variance),
                ifelse(is.na(mean), NA, Inf))
  )
}

# The logarithm of the posterior density at the node's values `at`, one per row.
partition_posterior_log_density <- function(node, factors, values, rows, at) {
  pieces <- posterior_pieces(node, factors, values, rows)
  piece <- findInterval(at, pieces$breaks) + 1L
  student_log_density(at, pieces$location, pieces$scale, pieces$df) +
    pieces$log_factor[cbind(seq_len(rows), piece)] - pieces$log_total
}

# By row the Student t of the node; the `breaks` between pieces; matrices with a
# row per row and a column per piece: `lower` and `upper` ends in standard units,
# `log_mass` under the Student t, `log_factor` of the children, `weight` in the
# posterior; and `log_total`, the logarithm of what the weights were divided by.
posterior_pieces <- function(node, factors, values, rows) {
  own <- Find(function(model) model$node == node, factors)
  children <- Filter(function(model) model$node != node, factors)
  region <- find_region(own$partition, values, rows)
  location <- own$location[region]
  scale <- own$scale[region]
  df <- own$df[region]

  breaks <- sort(unique(unlist(lapply(children, function(child) {
    change_points(child$partition, node)
  }))))
  ends <- c(-Inf, breaks, Inf)
  standard <- (rep(ends, each = rows) - location) / scale
  standard <- matrix(standard, rows, length(ends))
  lower <- standard[, -length(ends), drop = FALSE]
  upper <- standard[, -1L, drop = FALSE]
  log_mass <- log_interval_mass(lower, upper, df)
  log_factor <- children_log_factor(node, children, values, rows, inner_points(ends))

  log_weight <- log_mass + log_factor
  largest <- log_weight[cbind(seq_len(rows), max.col(log_weight, ties.method = "first"))]
  weight <- exp(log_weight - largest)
  total <- rowSums(weight)
  list(location = location, scale = scale, df = df, breaks = breaks, lower = lower, upper = upper,
       log_mass = log_mass, log_factor = log_factor, weight = weight / total,
       log_total = largest + log(total))
}

# A point inside each interval between neighbouring ends, the outer ones infinite.
inner_points <- function(ends) {
  points <- (ends[-1L] + ends[-length(ends)]) / 2
  if (length(points) == 1L) 0 else points
}

# A column for each of the node's values `points`.
children_log_factor <- function(node, children, values, rows, points) {
  columns <- lapply(points, function(point) {
    values[[node]] <- rep(point, rows)
    Reduce(`+`, lapply(children, local_log_density, values), numeric(rows))
  })
  matrix(unlist(columns), rows, length(points))
}

# Logarithm of the probability that a standard Student t is between two values.
# Intervals above 0 are mirrored, so that what is subtracted are lower tails.
log_interval_mass <- function(lower, upper, df) {
  mirrored <- lower > 0
  from <- ifelse(mirrored, -upper, lower)
  to <- ifelse(mirrored, -lower, upper)
  below <- stats::pt(from, df, log.p = TRUE)
  all <- stats::pt(to, df, log.p = TRUE)
  log_mass <- ifelse(all == -Inf, -Inf, all + log(-expm1(below - all)))
  matrix(log_mass, nrow(lower), ncol(lower))
}

# Mean and variance of a standard Student t f within each piece, from
#   integral of t f   = -(1 + t^2 / df) f / (1 - 1 / df)                         (df > 1)
#   integral of t^2 f = (integral of f - t (1 + t^2 / df) f) / (1 - 2 / df)      (df > 2)
# of which the normal distribution is the limit. Far out, where rounding would
# show, they are held to what an interval allows: a mean inside it, and at most
# the variance of its two ends (Popoviciu's inequality). Where moments do not exist
# the numbers mean nothing.
piece_moments <- function(pieces) {
  df <- pieces$df
  # (1 + t^2 / df) f at the ends, relative to the mass of the piece
  relative <- function(t) {
    log_f <- log1p(t^2 / df) + stats::dt(t, df, log = TRUE)
    ifelse(is.finite(t) & pieces$log_mass > -Inf, exp(log_f - pieces$log_mass), 0)
  }
  finite <- function(t) ifelse(is.finite(t), t, 0)
  lower <- relative(pieces$lower)
  upper <- relative(pieces$upper)
  mean <- pmin(pmax((lower - upper) / (1 - 1 / df), pieces$lower), pieces$upper)
  second <- (1 + finite(pieces$lower) * lower - finite(pieces$upper) * upper) / (1 - 2 / df)
  list(mean = mean,
       variance = pmin(pmax(second - mean^2, 0), (pieces$upper - pieces$lower)^2 / 4))
}

# The values below which parts `u` of the posteriors lie, one per row: draws, of random parts.
partition_posterior_quantiles <- function(node, factors, values, rows, u) {
  pieces <- posterior_pieces(node, factors, values, rows)
  pieces$location + pieces$scale * piece_quantiles(pieces, u)
}

# In standard units.
piece_quantiles <- function(pieces, u) {
  weight <- pieces$weight
  piece <- codes_at(weight, u) + 1L
  here <- cbind(seq_along(piece), piece)
  before <- rowSums(weight * (col(weight) < piece))
  part <- pmin(pmax((u - before) / weight[here], 0), 1)
  quantile_within(part, pieces$lower[here], pieces$upper[here], pieces$log_mass[here], pieces$df)
}

# The code of each row at u, by inversion: `prob` has a column per code.
codes_at <- function(prob, u) {
  code <- integer(nrow(prob))
  cumulative <- 0
  for (k in seq_len(ncol(prob) - 1L)) {
    cumulative <- cumulative + prob[, k]
    code <- code + (u > cumulative)
  }
  code
}

# Where a part of the mass of a standard Student t between two values lies below. Intervals above 0
# are mirrored, as in log_interval_mass().
quantile_within <- function(part, lower, upper, log_mass, df) {
  mirrored <- lower > 0
  below <- stats::pt(ifelse(mirrored, -upper, lower), df, log.p = TRUE)
  inside <- log(ifelse(mirrored, 1 - part, part)) + log_mass
  largest <- pmax(below, inside)
  log_p <- largest + log1p(exp(pmin(below, inside) - largest))
  t <- stats::qt(pmin(log_p, 0), df, log.p = TRUE)
  pmin(pmax(ifelse(mirrored, -t, t), lower), upper)
}

# The values of largest density. What a child says at the end of a piece is what it says of the next
# one: where the density rises up to an end, the value is this little inside, in standard units.
inside_piece <- 1e-6

partition_posterior_peaks <- function(node, factors, values, rows) {
  pieces <- posterior_pieces(node, factors, values, rows)
  step <- inside_piece * pmin(pieces$upper - pieces$lower, 1)
  nearest <- pmin(pmax(pieces$lower + step, 0), pieces$upper - step)
  log_density <- stats::dt(nearest, pieces$df, log = TRUE) + pieces$log_factor
  log_density[is.nan(pieces$weight)] <- NA
  pieces$location + pieces$scale * nearest[cbind(seq_len(rows), first_largest(log_density))]
}
