# Proofs that travel: what it takes to write them and to check them, beside the search.
#
#   Rscript bench/proofs.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz (binary-pools.R writes two large ones). Each is searched twice,
# without a proof and with one, for at most so many seconds, on one core; then the program checks the
# proof. Processor seconds; what is not proved in time has a proof of its bound.

source(file.path("bench", "common.R"))

asked <- instances_asked_for(seconds = 120)

row_of <- function(name) {
  sets <- asked$read(name)
  file <- tempfile(fileext = ".gz")
  search <- function(proof) {
    measure(function() {
      set.seed(1)
      learn_dag(sets, threads = 1, time_limit = asked$seconds, progress = FALSE, proof = proof)
    })
  }
  plain <- search(NULL)
  written <- search(file)
  checked <- check_by_program(file, name)
  record <- certificate(written$value)
  data.frame(
    instance = name, nodes = length(sets$nodes), sets = in_thousands(length(sets)),
    by = record$method, search = in_seconds(plain$processor), write = in_seconds(written$processor),
    check = in_seconds(checked$seconds),
    "check / search" = in_seconds(checked$seconds / plain$processor),
    KB = in_thousands(ceiling(file.size(file) / 1000)), proved = checked$said,
    check.names = FALSE
  )
}

# By the program itself: processor seconds of a child, and the first word that it prints; "bounded"
# with what is left of the gap.
check_by_program <- function(file, name) {
  instance <- file.path(commandArgs(trailingOnly = TRUE)[1L], paste0(name, ".jkl.gz"))
  found <- measure(function() { # (no other child of that process has spent anything)
    line <- optbn:::run_checker("check-proof", c(instance, file), NULL)
    list(line = line, spent = proc.time())
  })$value
  checked <- optbn:::understand(found$line)
  said <- if (!checked$proved) checked$reason else if (checked$status == "optimal") "optimal" else {
    paste("to", signif(checked$bound - checked$score, 3))
  }
  list(seconds = found$spent[["user.child"]] + found$spent[["sys.child"]], said = said)
}

rows <- do.call(rbind, lapply(asked$names, row_of))
print_table("Proofs that travel, processor seconds of one core", rows)
