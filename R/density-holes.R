# Rows with missing values for learners of densities that need whole rows.
#
# Cuts divide the rows, so a row must say on which side it is. Expectation-maximisation by
# completion: rows become whole ones, weighted by their posterior in the density so far
# (core/density/learn/row_completions.h), the learner learns from these as it always does, and so on
# as long as the likelihood of what is known rises. At first the density is the Chow-Liu tree. A
# greedy learner need not raise the likelihood: the best density counts.

completion_steps <- list(most = 10L, tolerance = 0.01) # iterations; a rise per row

# What `learn` makes of training rows and of rows that prune, or NULL, all of them whole: a list
# with weights, components and reason, to which come mean log-likelihoods of the `training` rows by
# iteration and the `best_step`. `start`: a density to complete by at first, or NULL. `seed` of all
# completions: what the model changes alone makes them differ.
learn_whole_rows <- function(encoded, pruning, start, seed, limits, call, learn) {
  if (is.null(encoded$holes) && is.null(pruning$holes)) return(learn(encoded, pruning))
  model <- start[c("weights", "components")] %||% first_density(encoded, seed, limits, call)
  best <- NULL
  training <- numeric()
  tryCatch(
    for (i in seq_len(completion_steps$most)) {
      model <- learn(whole_rows(encoded, model, seed, limits, call),
                     whole_rows(pruning, model, seed, limits, call))
      training[i] <- mean_log_likelihood(model, encoded, limits)
      rise <- training[i] - max(training[-i], -Inf)
      if (rise > 0 || i == 1L) best <- c(model, best_step = i)
      if (rise < completion_steps$tolerance || !is.null(model$reason)) break
    },
    interrupt = function(condition) best <<- stopped_with(best, "interrupt", condition),
    optbn_error_time = function(condition) best <<- stopped_with(best, "time_limit", condition)
  )
  best$training <- training
  best
}

# The best so far, or the condition again where there is none.
stopped_with <- function(best, reason, condition) {
  if (is.null(best)) {
    if (reason == "interrupt") rlang::interrupt() else rlang::cnd_signal(condition)
  }
  best["reason"] <- list(reason)
  best
}

first_density <- function(encoded, seed, limits, call) {
  require_pair_memory(encoded, 2, limits, call)
  smoothing <- list(prior = "joint", alpha = 0.1)
  host <- host_within(limits, "Learning a Chow-Liu tree", seed)
  call_core(core_learn_chow_liu(encoded, smoothing, host), call = call, remedy = smaller_density)
}

# Completions of encoded rows: `shares` say how often each counts.
whole_rows <- function(encoded, model, seed, limits, call) {
  if (is.null(encoded$holes)) return(encoded)
  whole <- call_core(core_complete_rows(encoded, model[c("weights", "components")],
                                        host_within(limits, "Completing rows", seed)),
                     call = call, remedy = smaller_density)
  encoded$holes <- NULL
  encoded["weights"] <- list(NULL)
  encoded[names(whole)] <- whole
  encoded
}

mean_log_likelihood <- function(model, encoded, limits) {
  handle <- call_core(core_density(lengths(encoded$levels), model$weights, model$components))
  each <- call_core(core_row_log_probabilities(handle, encoded$columns, encoded$rows,
                                               quiet_host(limits$threads)))
  sum((encoded$weights %||% 1) * each) / encoded$total
}
