# The rate of scoring: all parent sets of up to three parents of ALARM's 37 columns, by the scores of
# tables, on one thread (by BIC and BDeu on two, as well), beside bnlearn's own scoring of a sample
# of the same sets.

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))

rows <- if (quick) 1000 else 5000
columns <- if (quick) 20 else 37
max_parents <- 3
sampled_networks <- if (quick) 50 else 500
data <- alarm_data(rows, columns)

set.seed(1)
graphs <- random_networks(names(data), sampled_networks, max_parents)

# Scores by label; in a tenth of the rows of "mbde" the first column was set, and in the last row,
# beyond which bnlearn would look for further ones.
set_rows <- stats::setNames(list(c(seq_len(rows / 10), rows)), names(data)[1L])
scores <- list(bic = score_bic(), bde = score_bde(), ebic = score_ebic(), fnml = score_fnml(),
               qnml = score_qnml(), bds = score_bds(), bdla = score_bdla(),
               mbde = score_mbde(exp = set_rows))
more <- list(mbde = list(exp = set_rows))

rate_of_optbn <- function(score, threads) {
  result <- measure(function() {
    sets <- parent_sets(data, scores[[score]], max_parents = max_parents, threads = threads, progress = FALSE)
    c(possible = sum(sets$considered), scored = sum(sets$counted), kept = length(sets))
  }, times = 3)
  data.frame(score = score, by = "optbn", threads = threads, t(result$value),
             seconds = result$elapsed)
}

rate_of_bnlearn <- function(score) {
  result <- measure(function() {
    do.call(score_with_bnlearn, c(list(graphs, data, score), more[[score]]))
  })
  ours <- vapply(graphs, score_network, numeric(columns), data = data, score = scores[[score]],
                 by_node = TRUE)
  stopifnot(isTRUE(all.equal(unname(result$value), unname(ours), tolerance = 1e-9)))
  families <- length(result$value)
  data.frame(score = score, by = "bnlearn", threads = 1, possible = families, scored = families,
             kept = NA, seconds = result$elapsed)
}

results <- do.call(rbind, lapply(names(scores), function(score) {
  two <- if (score %in% c("bic", "bde")) rate_of_optbn(score, 2)
  rbind(rate_of_optbn(score, 1), two, rate_of_bnlearn(score))
}))

print_table(
  sprintf("Scoring parent sets: ALARM, %d columns, %d rows, at most %d parents", columns, rows,
          max_parents),
  data.frame(
    score = results$score, by = results$by, threads = results$threads,
    sets = in_thousands(results$possible),
    scored = in_thousands(results$scored),
    kept = ifelse(is.na(results$kept), "", in_thousands(results$kept)),
    seconds = in_seconds(results$seconds),
    `scored per second` = in_thousands(results$scored / results$seconds),
    `sets per second` = in_thousands(results$possible / results$seconds),
    check.names = FALSE
  ),
  "Elapsed seconds. A set that a bound rules out is decided without being scored.",
  sprintf(paste("bnlearn scores a random sample of the families, %d networks; ours gives the same",
                "numbers."), sampled_networks)
)
