# Runs every benchmark, each in an R of its own, on one core unless it says otherwise.
#
#   Rscript bench/run.R [quick]

scripts <- c("exact.R", "dp-memory.R", "random-networks.R", "parent-sets.R",
             "all-parent-sets.R", "search-size.R")
arguments <- commandArgs(trailingOnly = TRUE)

cat(paste("optbn", utils::packageVersion("optbn")), R.version.string, date(), sep = ", ")
cat("\n")
failed <- Filter(function(script) {
  system2(file.path(R.home("bin"), "Rscript"), c(file.path("bench", script), arguments)) != 0L
}, scripts)
if (length(failed) > 0L) stop("failed: ", paste(failed, collapse = ", "), call. = FALSE)
