# Writes the parent sets of ALARM data whose proofs take seconds, for exact-threads.R.
#
#   Rscript bench/alarm-pools.R SAMPLES FOLDER
#
# SAMPLES holds alarm_10000.dat.gz, the sample of BNSL-2016. alarm_20000 is the data that bnlearn
# ships. FOLDER gets a NAME.jkl.gz for each.

source(file.path("bench", "common.R"))
if (!has("bnlearn")) quit()

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 2L) stop("name the folders of samples and of results", call. = FALSE)
dir.create(arguments[2L], showWarnings = FALSE, recursive = TRUE)

published <- published_sample("alarm_10000", arguments[1L])

store <- function(name, data, score, most) {
  plain <- tempfile(fileext = ".jkl")
  write_jkl(parent_sets(data, score, max_parents = most, progress = FALSE), plain)
  packed <- gzfile(file.path(arguments[2L], paste0(name, ".jkl.gz")), "w")
  writeLines(readLines(plain), packed)
  close(packed)
}
store("alarm_10000.bic.p3", published, score_bic(), 3)
store("alarm_10000.BDe10.p2", published, score_bde(iss = 10), 2)
store("alarm_10000.BDe1.p3", published, score_bde(iss = 1), 3)
store("alarm_20000.bic.p5", alarm_data(20000, 37), score_bic(), 5)
