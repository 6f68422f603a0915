# Runs the tiny versions of the experiments in bench/, which must end well and print results, and
# writes their count to build/counts/test-bench.

scripts <- file.path("bench", c("paper-pcart/recovery.R", "paper-pcart/intersection.R",
                                "paper-treewidth/scores.R", "paper-treewidth/inference.R",
                                "paper-treewidth/classification.R",
                                "paper-cutset/likelihoods.R", "paper-cutset/stack.R",
                                "scale-workers.R"))
# Where a server was started (tools/postgres.sh).
if (Sys.getenv("OPTBN_POSTGRES") == "true") scripts <- c(scripts, "bench/scale-database.R")

peers_there <- requireNamespace("bnlearn", quietly = TRUE) ||
  identical(Sys.getenv("OPTBN_REQUIRE_PEERS"), "true")
run <- function(script) {
  cat("Rscript", script, "quick\n")
  output <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c(script, "quick"),
                                     stdout = TRUE, stderr = TRUE))
  fine <- is.null(attr(output, "status")) && length(output) > 0L
  if (!fine) cat(output, sep = "\n")
  fine
}
passed <- if (peers_there) vapply(scripts, run, NA) else logical()
count <- sprintf("%d passed, %d failed, %d skipped", sum(passed), sum(!passed),
                 length(scripts) - length(passed))

dir.create(file.path("build", "counts"), recursive = TRUE, showWarnings = FALSE)
writeLines(count, file.path("build", "counts", "test-bench"))
cat("Experiments: ", count, "\n", sep = "")
if (!all(passed)) quit(status = 1L)
