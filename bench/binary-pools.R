# Writes the parent sets of two tables of 100 binary columns, of the size of plants.valid.BIC.p2, for
# proofs.R.
#
#   Rscript bench/binary-pools.R DATA FOLDER
#
# DATA holds sets of rows of 0s and 1s, NAME.PART.data.gz; FOLDER gets a NAME.jkl.gz for each.

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 2L) stop("name the folders of data and of results", call. = FALSE)
dir.create(arguments[2L], showWarnings = FALSE, recursive = TRUE)

for (name in c("baudio", "jester")) {
  rows <- binary_data(name, -1, arguments[1L], "valid")
  sets <- parent_sets(rows, "bic", max_parents = 2, progress = FALSE)
  write_jkl(sets, file.path(arguments[2L], paste0(name, ".valid.BIC.p2.jkl.gz")))
}
