# How good are networks of bounded tree-width after a few seconds of local search?
#
#   Rscript bench/treewidth-local.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz. Every search has SECONDS (60), one core and one of three seeds.
# The unbounded optimum and branch and cut on the width take up to 30 % of the time each; what remains
# is local search.

source("bench/common.R")

seeds <- 3L

# k-MAX in 10 s, one run each (Scanagatta, Corani, Zaffalon, Yoo & Kang 2018; its public program,
# which allows a node k - 1 parents, corrected to k).
k_max <- data.frame(
  instance = c("alarm1000.BIC", "insurance1000.BDe5", "hailfinder500.BIC", "carpo500.BIC",
               "soybean.BIC", "wdbc.BIC", "kdd.valid.BIC.p3", "plants.valid.BIC.p2"),
  "2" = c(-11919.1, -14230.8, -27840.3, -9275.8, -3355.8, -6884.0, -49461.2, -35831.0),
  "3" = c(-11887.3, -14097.1, -27827.9, -9270.7, -3286.1, -6800.2, -49346.2, -35830.5),
  "5" = c(-11870.6, -14032.6, -27827.9, -9228.5, -3225.8, -6723.0, -49228.8, -35663.6),
  check.names = FALSE
)

instances <- instances_asked_for(k_max$instance, seconds = 60)

run <- function(sets, k, seed) {
  set.seed(seed)
  learn_treewidth(sets, k, method = "local", threads = 1, time_limit = instances$seconds,
                  progress = FALSE)
}

rows <- lapply(instances$names, function(name) {
  sets <- instances$read(name)
  of_instance <- lapply(c(2L, 3L, 5L), function(k) {
    found <- lapply(seq_len(seeds), function(seed) certificate(run(sets, k, seed)))
    cat(".")
    scores <- vapply(found, `[[`, 0, "score")
    theirs <- k_max[[as.character(k)]][match(name, k_max$instance)]
    data.frame(instance = name, nodes = length(sets$nodes), k = k, "k-MAX" = theirs,
               worst = min(scores), median = stats::median(scores), best = max(scores),
               bound = min(vapply(found, `[[`, 0, "bound")), check.names = FALSE)
  })
  do.call(rbind, of_instance)
})

table <- do.call(rbind, rows)
scored <- vapply(table, is.double, NA)
table[scored] <- lapply(table[scored], function(x) ifelse(is.na(x), "", sprintf("%.2f", x)))
print_table(
  paste("Networks of bounded tree-width after", instances$seconds, "seconds"), table,
  paste("Scores in nats, larger is better:", seeds, "seeds, one core; the bound is the one",
        "reached within the time. Where the score equals the bound, the network is proved optimal.",
        "k-MAX: another program and machine, 10 seconds.")
)
