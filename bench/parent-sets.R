# The rate of scoring: all parent sets of up to three parents of ALARM's 37 columns, by the scores of
# tables, on one thread (by BIC and BDeu on two, as well), beside bnlearn's own scoring of a sample
# of the same sets. Then by node averages, where a tenth of the values is missing: of ALARM, and of as
# many normal columns.

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))

rows <- if (quick) 1000 else 5000
columns <- if (quick) 20 else 37
max_parents <- 3
sampled_networks <- if (quick) 50 else 500
alarm <- alarm_data(rows, columns)

set.seed(1)
graphs_over <- function(data) random_networks(names(data), sampled_networks, max_parents)
alarm_graphs <- graphs_over(alarm)

# Scores by label; in a tenth of the rows of "mbde" the first column was set, and in the last row,
# beyond which bnlearn would look for further ones.
set_rows <- stats::setNames(list(c(seq_len(rows / 10), rows)), names(alarm)[1L])
scores <- list(bic = score_bic(), bde = score_bde(), ebic = score_ebic(), fnml = score_fnml(),
               qnml = score_qnml(), bds = score_bds(), bdla = score_bdla(),
               mbde = score_mbde(exp = set_rows))
k <- sqrt(rows) / 2 # of the node averages, as learn_dag() has it
more <- list(mbde = list(exp = set_rows), pnal = list(k = k), "pnal-g" = list(k = k))

rate_of_optbn <- function(data, score, threads) {
  result <- measure(function() {
    sets <- parent_sets(data, score, max_parents = max_parents, threads = threads, progress = FALSE)
    c(possible = sum(sets$considered), scored = sum(sets$counted), kept = length(sets))
  }, times = 3)
  data.frame(score = score$label, by = "optbn", threads = threads, t(result$value),
             seconds = result$elapsed)
}

rate_of_bnlearn <- function(data, graphs, score) {
  result <- measure(function() {
    do.call(score_with_bnlearn, c(list(graphs, data, score$label), more[[score$label]]))
  })
  ours <- vapply(graphs, score_network, numeric(columns), data = data, score = score,
                 by_node = TRUE)
  stopifnot(isTRUE(all.equal(unname(result$value), unname(ours), tolerance = 1e-9)))
  families <- length(result$value)
  data.frame(score = score$label, by = "bnlearn", threads = 1, possible = families, scored = families,
             kept = NA, seconds = result$elapsed)
}

print_rates <- function(title, results) {
  print_table(
    sprintf("%s, %d columns, %d rows, at most %d parents", title, columns, rows, max_parents),
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
    "Elapsed seconds. A set that a bound excludes is decided without being scored.",
    sprintf(paste("bnlearn scores the families of %d random networks; optbn computes the same",
                  "scores for them."), sampled_networks)
  )
}

print_rates("Scoring parent sets: ALARM", do.call(rbind, lapply(scores, function(score) {
  two <- if (score$label %in% c("bic", "bde")) rate_of_optbn(alarm, score, 2)
  rbind(rate_of_optbn(alarm, score, 1), two, rate_of_bnlearn(alarm, alarm_graphs, score))
})))

without_a_tenth <- function(data) {
  data[] <- lapply(data, function(column) replace(column, stats::runif(rows) < 0.1, NA))
  data
}
normal <- normal_columns(columns, rows)
normal_graphs <- graphs_over(normal)
gappy_alarm <- without_a_tenth(alarm)
gappy_normal <- without_a_tenth(normal)
print_rates(
  "Scoring parent sets where a tenth of the values is missing: ALARM and normal columns",
  rbind(rate_of_optbn(gappy_alarm, score_pnal(k), 1),
        rate_of_bnlearn(gappy_alarm, alarm_graphs, score_pnal(k)),
        rate_of_optbn(gappy_normal, score_pnal_g(k), 1),
        rate_of_bnlearn(gappy_normal, normal_graphs, score_pnal_g(k)))
)
