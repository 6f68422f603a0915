# Series to learn dynamic networks from, and what enumeration says of unrolled ones.

# A chain of three levels, what is seen of it, and another that follows; for several subjects.
discrete_series <- function(subjects = 1, steps = 300, seed = 1) {
  withr::local_seed(seed)
  copy <- function(of, levels, chance) {
    ifelse(stats::runif(length(of)) < chance, of, sample(levels, length(of), TRUE))
  }
  parts <- lapply(seq_len(subjects), function(subject) {
    state <- sample(3, 1)
    for (t in seq_len(steps)[-1]) state[t] <- copy(state[t - 1], 3, 0.8)
    seen <- copy(state, 3, 0.7)
    follows <- copy(c(1, seen[-steps]), 2, 0.8)
    data.frame(who = subject, when = seq_len(steps), state = factor(c("a", "b", "c")[state]),
               seen = factor(c("x", "y", "z")[seen], c("x", "y", "z")),
               follows = factor(pmin(follows, 2)))
  })
  do.call(rbind, parts)
}

continuous_series <- function(steps = 300, seed = 1) {
  withr::local_seed(seed)
  level <- stats::filter(stats::rnorm(steps), 0.8, "recursive")
  data.frame(level = as.numeric(level), seen = as.numeric(level) + stats::rnorm(steps, 0, 0.5),
             late = c(0, level[-steps]) + stats::rnorm(steps, 2, 0.3))
}

mixed_series <- function(steps = 400, seed = 1) {
  withr::local_seed(seed)
  regime <- 1
  for (t in seq_len(steps)[-1]) {
    regime[t] <- if (stats::runif(1) < 0.9) regime[t - 1] else 3 - regime[t - 1]
  }
  value <- 0
  for (t in seq_len(steps)[-1]) {
    value[t] <- 0.7 * value[t - 1] + 2 * (regime[t] - 1) + stats::rnorm(1, 0, 0.6 * regime[t])
  }
  data.frame(regime = factor(c("calm", "wild")[regime]), value = value)
}

learn_quietly <- function(...) suppressMessages(learn_dynamic(..., progress = FALSE))
fit_quietly <- function(...) suppressMessages(fit_network(...))

# What is known of a series, as evidence on the unrolled network, until a slice.
unrolled_evidence <- function(series, variables, until = nrow(series)) {
  series <- series[seq_len(until), intersect(variables, names(series)), drop = FALSE]
  evidence <- unlist(lapply(seq_len(until), function(t) {
    values <- lapply(series[t, , drop = FALSE], function(x) {
      if (is.factor(x)) as.character(x) else x
    })
    rlang::set_names(values, paste0(names(values), "_", t))
  }), recursive = FALSE)
  Filter(Negate(is.na), evidence)
}

# Filtered or smoothed answers against the junction tree, or the joint normal, of the unrolled
# network.
expect_as_unrolled <- function(answer, fit, series, whole) {
  variables <- fit$layout$variables
  compiled <- compile_network(unroll(fit, max(answer$time)))
  for (t in unique(answer$time)) {
    known <- unrolled_evidence(series, variables, min(nrow(series), if (whole) Inf else t))
    told <- answer[answer$time == t, ]
    truth <- query(compiled, evidence = known)
    for (node in unique(told$node)) {
      name <- paste0(node, "_", t)
      of_node <- told[told$node == node, ]
      if (is.data.frame(truth)) {
        moments <- unlist(truth[truth$node == name, c("mean", "sd")])
        expect_equal(c(of_node$mean, of_node$sd), moments,
                     tolerance = 1e-8, ignore_attr = TRUE)
      } else {
        expect_equal(of_node$probability, as.vector(truth[[name]]), tolerance = 1e-10)
      }
    }
  }
}
