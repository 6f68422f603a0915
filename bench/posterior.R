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
