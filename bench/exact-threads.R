# What does a second thread bring to a proof by tree search? Elapsed seconds.
#
#   Rscript bench/exact-threads.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz. Score and bound must not depend on the threads.
# alarm-pools.R makes some that take longer than most.

source("bench/common.R")

instances <- instances_asked_for(
  c("soybean.BIC", "autos.BDe5", "kdd.valid.BIC.p3", "steel.BIC", "plants.valid.BIC.p2")
)

rows <- lapply(instances$names, function(name) {
  sets <- instances$read(name)
  runs <- lapply(1:2, function(threads) {
    measure(function() {
      learn_dag(sets, threads = threads, time_limit = instances$seconds, progress = FALSE)
    })
  })
  proofs <- lapply(runs, function(run) certificate(run$value)[c("status", "score", "bound")])
  if (!identical(proofs[[1L]], proofs[[2L]])) stop(name, ": the threads disagree", call. = FALSE)
  elapsed <- vapply(runs, `[[`, 0, "elapsed")
  cat(".")
  data.frame(instance = name, nodes = length(sets$nodes), sets = in_thousands(length(sets)),
             one = in_seconds(elapsed[1L]), two = in_seconds(elapsed[2L]),
             ratio = sprintf("%.2f", elapsed[1L] / elapsed[2L]))
})
table <- do.call(rbind, rows)
ratio <- exp(mean(log(as.numeric(table$ratio))))
names(table)[4:6] <- c("one thread, s", "two threads, s", "ratio")
print_table("Threads of the tree search, elapsed seconds", table,
            sprintf(paste("One thread computes the bound at the root; all threads search the tree.",
                          "The geometric mean of the ratios is %.2f."), ratio))
