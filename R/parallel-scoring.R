# Families scored by the workers of the user's future::plan(): what core_parent_sets() asks for when
# a batch is worth it (src/core/score/distributed_score.h).
#
# A search for parent sets has a batch for every number of parents, but data and score stay the
# same: a worker keeps them under an id for the next batch. Nobody says which worker gets what, and
# some keep nothing (jobs of a scheduler). One that does not know the id says so and is sent the
# data; from then on everybody is, with every batch. After their part of the last batch they
# forget them by themselves; where a search ends without one for all, a request makes them drop
# the data.

# What core_parent_sets() takes, list(chunks, seconds, send), and forget(), which frees what workers
# still keep; NULL where there is no plan, or where a backend keeps the rows, whose connection stays
# here.
distribute_scoring <- function(problem, limits, call) {
  if (!has_workers() || !is.null(problem$encoded$source)) return(NULL)
  if (identical(problem$score$label, "custom")) return(NULL) # which has a way of its own
  workers <- worker_count()
  id <- basename(tempfile("scorer-"))
  data <- list(encoded = problem$encoded,
               score = score_for_core(problem$score, problem$encoded, call = call))
  most_parents <- max(problem$constraints$max_parents)
  is_kept <- NA # not known before the first batch
  ask <- function(batches, last, data) {
    chunks <- distribute(batches, score_batches, c(list(id = id, last = last), data), limits, call)
    if (isTRUE(attr(chunks, "stopped"))) rlang::interrupt() # nothing partial is worth returning
    unlist(chunks, recursive = FALSE)
  }
  send <- function(batches) {
    given <- vapply(batches, function(batch) length(batch$child) > 0L, NA)
    last <- batches[[1L]]$parents == most_parents
    scores <- ask(batches[given], last, if (!isTRUE(is_kept)) data)
    unknown <- vapply(scores, is.null, NA)
    if (any(unknown)) scores[unknown] <- ask(batches[given][unknown], last, data)
    forgotten <- last && all(given)
    is_kept <<- !forgotten && !any(unknown) && !isFALSE(is_kept)
    batches[!given] <- list(no_scores)
    batches[given] <- lapply(scores, function(found) {
      timed_out <- is_failure(found) && found$kind == "time_limit"
      if (timed_out) no_scores else call_core(found, call = call)
    })
    batches
  }
  forget <- function() {
    if (!isTRUE(is_kept)) return(invisible())
    limits$progress <- FALSE
    try(distribute(seq_len(workers), drop_scorers, list(id = id), limits, call), silent = TRUE)
  }
  list(chunks = workers, seconds = getOption("optbn.parallel_seconds", 0.5), send = send,
       forget = forget)
}

no_scores <- list(score = numeric(), superset_bound = numeric())

# ---- in the worker ------------------------------------------------------------------------------

# `id` and `scorer` of what was scored last.
kept <- new.env(parent = emptyenv())

# As core_score_families() gives them; NULL for each batch if the scorer is not known here.
score_batches <- function(batches, task, limits, report) {
  scorer <- kept_scorer(task, limits)
  if (task$last) on.exit(forget_scorer(task$id))
  lapply(seq_along(batches), function(i) {
    if (is.null(scorer)) return(NULL)
    host <- host_of_pieces(1, limits, "", c(0, 0), function(done) report(i - 1 + done))
    core_score_families(scorer, batches[[i]], host)
  })
}

kept_scorer <- function(task, limits) {
  if (identical(kept$id, task$id)) return(kept$scorer)
  if (is.null(task$encoded)) return(NULL)
  forget_scorer(kept$id)
  kept$scorer <- call_core(core_scorer(task$encoded, task$score, limits$memory_limit))
  kept$id <- task$id
  kept$scorer
}

drop_scorers <- function(pieces, task, limits, report) {
  forget_scorer(task$id)
}

forget_scorer <- function(id) {
  if (!is.null(id) && identical(kept$id, id)) rm(list = c("id", "scorer"), envir = kept)
}
