# Stores what the experiments have found so far for the article "Density estimation on twenty data
# sets", which draws itself from it.
#
#   Rscript bench/paper-cutset/store.R FOLDER
#
# Writes vignettes/articles/paper-cutset-{likelihoods,wins,stack}.csv, with the columns that the
# scripts describe.

source(file.path("bench", "paper-cutset", "common.R"))
folder <- read_command_line("store.R FOLDER")$folder

store <- function(kind, rows) {
  if (is.null(rows)) return(invisible())
  rows <- rows[order(match(rows$data, data_sets)), ]
  file <- file.path("vignettes", "articles", paste0("paper-cutset-", kind, ".csv"))
  utils::write.csv(rows, file, row.names = FALSE, quote = FALSE)
  cat(file, ": ", nrow(rows), " rows\n", sep = "")
}

for (kind in c("likelihoods", "wins", "stack")) store(kind, all_rows(folder, kind))
