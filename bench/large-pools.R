# How near does a proof come within 100 seconds, with more than a hundred nodes and hundreds of
# thousands of parent sets?
#
#   Rscript bench/large-pools.R FOLDER [SECONDS [POOL...]]
#
# FOLDER holds sets of rows of 0s and 1s, NAME.PART.data.gz. A pool is "NAME PART" and how its parent
# sets were chosen: all of at most 2 or 3 parents ("p2", "p3"), or those that a search on demand of a
# minute ended with ("end"). The search of the pool alone, on one core.

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) stop("name the folder of the data", call. = FALSE)
folder <- arguments[1L]
limit <- if (length(arguments) > 1L) as.numeric(arguments[2L]) else 100
pools <- if (length(arguments) > 2L) arguments[-(1:2)] else {
  c("kosarek valid p2", "bnetflix test p3", "jester test p3", "dna test p3", "accidents test p3",
    "baudio test end", "jester test end", "bnetflix test end", "dna test end", "msweb valid end",
    "msweb test end", "kosarek test end", "tretail test end")
}

made <- function(pool) {
  parts <- strsplit(pool, " ", fixed = TRUE)[[1L]]
  rows <- binary_data(parts[1L], -1, folder, parts[2L])
  if (parts[3L] != "end") {
    return(parent_sets(rows, "bde", max_parents = as.integer(sub("p", "", parts[3L])), threads = 1,
                       progress = FALSE))
  }
  set.seed(1)
  parent_sets(learn_dag(rows, "bde", threads = 1, time_limit = 60, progress = FALSE))
}

row_of <- function(pool) {
  sets <- made(pool)
  found <- measure(function() {
    set.seed(1)
    learn_dag(sets, threads = 1, time_limit = limit, progress = FALSE)
  })
  proof <- certificate(found$value)
  cat(".")
  data.frame(pool = pool, nodes = length(sets$nodes),
             "in one group" = max(proof$parts$nodes), sets = in_thousands(length(sets)),
             score = sprintf("%.3f", proof$score),
             gap = if (proof$status == "optimal") "proved"
                   else sprintf("%.3f %%", 100 * proof$gap / abs(proof$score)),
             seconds = in_seconds(found$processor), check.names = FALSE)
}

print_table(paste("Proofs over large pools in", limit, "seconds"),
            do.call(rbind, lapply(pools, row_of)),
            "BDeu with imaginary sample size 1. The gap is relative to the score.")
