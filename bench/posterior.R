# Exact averages over networks: what they take, by nodes and prior, and draws from them.
#
#   Rscript bench/posterior.R [quick]
#
# Samples of ALARM, the first columns, BDeu; processor seconds of one core, scoring included. Memory
# is the largest that the process held.

source(file.path("bench", "common.R"))
alarm <- getExportedValue("bnlearn", "alarm")

cases <- data.frame(nodes = c(12, 16, 18, 20, 20, 20, 25, 25, 28),
                    rows = c(500, 500, 500, 500, 20000, 100, 500, 20000, 500),
                    prior = c(rep("uniform", 6), rep("order", 3)))
if (quick) cases <- cases[1:2, ]

rows <- lapply(seq_len(nrow(cases)), function(i) {
  case <- cases[i, ]
  data <- alarm[seq_len(case$rows), seq_len(case$nodes)]
  found <- measure(function() {
    clock <- system.time(posterior <- suppressMessages(
      network_posterior(data, "bde", case$prior, max_parents = 4, threads = 1, progress = FALSE)
    ))
    set.seed(1)
    drawing <- system.time(networks <- sample_dags(posterior, 1000, progress = FALSE))
    seconds <- function(clock) sum(clock[c("user.self", "sys.self")])
    list(sets = length(posterior$parent_sets), seconds = seconds(clock),
         drawing = seconds(drawing), lost = posterior$lost, rounding = posterior$rounding,
         different = nrow(as.data.frame(networks)))
  })
  value <- found$value
  data.frame(nodes = case$nodes, rows = format(case$rows, big.mark = ","), prior = case$prior,
             sets = format(value$sets, big.mark = ","), seconds = signif(value$seconds, 3),
             "1,000 draws" = signif(value$drawing, 3), different = value$different,
             lost = signif(value$lost, 2), rounding = signif(value$rounding, 2),
             MB = round(found$memory / 1e6), check.names = FALSE)
})
print_table("Exact averages over networks, processor seconds of one core", do.call(rbind, rows))

# Effects of all pairs of 20 columns, their posterior given. `sampled`: the most probability of a
# cause's parent sets for which a sample of them stands.
columns_of <- function(kind, rows) {
  if (kind == "tables") return(alarm[seq_len(rows), 1:20])
  set.seed(1)
  x <- matrix(stats::rnorm(20 * rows), rows)
  for (v in 2:20) {
    x[, v] <- x[, v] + 0.5 * rowSums(x[, sample(v - 1, min(v - 1, 2)), drop = FALSE])
  }
  x <- as.data.frame(x)
  if (kind == "trees") x[1:10] <- lapply(x[1:10], cut, 3, labels = c("low", "middle", "high"))
  x
}
scores <- c(tables = "bde", regressions = "bge", trees = "pcart")
cases <- expand.grid(rows = c(100, 1000, 20000), kind = names(scores), stringsAsFactors = FALSE)
if (quick) cases <- cases[4, ]
rows <- lapply(seq_len(nrow(cases)), function(i) {
  kind <- cases$kind[i]
  data <- columns_of(kind, cases$rows[i])
  data <- data[vapply(data, function(x) length(unique(x)) > 1L, NA)]
  posterior <- suppressMessages(network_posterior(data, scores[[kind]], max_parents = 3,
                                                  threads = 1, progress = FALSE))
  clock <- system.time(effects <- causal_effects(data, posterior = posterior, progress = FALSE))
  data.frame(columns = ncol(data), rows = format(cases$rows[i], big.mark = ","), by = kind,
             seconds = signif(sum(clock[c("user.self", "sys.self")]), 2),
             pairs = nrow(effects$effects), sampled = signif(effects$sampled, 2),
             check.names = FALSE)
})
print_table("Effects of all pairs, processor seconds of one core", do.call(rbind, rows))
