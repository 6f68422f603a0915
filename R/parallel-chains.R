# Searches by independent chains: what the workers of a plan found apart, joined.

# ---- local search over orders -------------------------------------------------------------------

# As many as there are, so that the result does not depend on the processes or threads that run
# them.
climbing_chains <- function() core_limits()$climbing_chains

# As core_learn_dag(), which `asked` is for. (A gap may end a search after some of its parts, and
# then what a part found matters for the others: that is no job to spread.)
climb <- function(sets, asked, limits, call) {
  task <- list(sets = sets, asked = asked, seed = random_seed())
  best_parts(in_chunks(seq_len(climbing_chains()), climb_by_chains, task, limits, call), sets)
}

# Those of consecutive numbers.
climb_by_chains <- function(numbers, task, limits, report) {
  asked <- c(task$asked, list(chains = length(numbers), first_climbs = 1L %in% numbers))
  core_learn_dag(task$sets, asked,
                 host_of_pieces(numbers, limits, searching_networks, task$seed, report))
}

# Of every part of the problem the first of the best. Numbers are summed as the core sums them.
best_parts <- function(chunks, sets) {
  if (length(chunks) == 1L) return(chunks[[1L]])
  failure <- common_failure(chunks)
  if (!is.null(failure)) return(failure)
  done <- Filter(Negate(is_failure), chunks)
  joined <- done[[1L]]
  for (part in seq_along(joined$members)) {
    best <- done[[which.max(vapply(done, function(chunk) chunk$parts$score[part], 0))]]
    members <- joined$members[[part]]
    joined$choice[members] <- best$choice[members]
    joined$parts[part, ] <- best$parts[part, ]
  }
  add <- function(numbers) Reduce(`+`, numbers, 0)
  joined$score <- add(mapply(function(of_node, i) of_node$score[i], sets, joined$choice))
  joined$proved <- all(joined$parts$proved)
  joined$bound <- if (joined$proved) joined$score else max(add(joined$parts$bound), joined$score)
  joined["reason"] <- list(if (!joined$proved) common_reason(chunks))
  joined$insertions <- sum(vapply(done, `[[`, 0, "insertions"))
  joined$trace <- joined_trace(done, joined)
  joined
}

# ---- traces -------------------------------------------------------------------------------------

# How the best score and bound of all chunks improved, down to `end`, what they have together.
joined_trace <- function(chunks, end = NULL) {
  trace <- do.call(rbind, lapply(chunks, `[[`, "trace"))
  trace <- trace[order(trace$seconds), ]
  if (!is.null(end)) {
    trace <- rbind(trace, list(max(trace$seconds), end$score, end$bound))
  }
  trace$score <- cummax(trace$score)
  trace$bound <- cummin(trace$bound)
  trace[!duplicated(trace[c("score", "bound")]), ]
}
