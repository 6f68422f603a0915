# Stores what the experiments have found so far for the article "Reproducing Nie et al.", which
# draws itself from it.
#
#   Rscript bench/paper-treewidth/store.R FOLDER
#
# Writes vignettes/articles/paper-treewidth-*.csv, with the columns that the scripts describe:
# correlation, points (of breast and housing, 300 of each), scores, inference and classification.

source(file.path("bench", "paper-treewidth", "common.R"))
folder <- read_command_line("store.R FOLDER")$folder

store <- function(kind, by, rows = all_rows(folder, kind)) {
  if (is.null(rows)) return(invisible())
  rows <- rows[do.call(order, unname(rows[by])), ]
  file <- file.path("vignettes", "articles", paste0("paper-treewidth-", kind, ".csv"))
  utils::write.csv(rows, file, row.names = FALSE, quote = FALSE)
  cat(file, ": ", nrow(rows), " rows\n", sep = "")
}

store("correlation", c("data", "k"))
points <- all_rows(folder, "points")
points <- points[points$data %in% c("breast", "housing"), ]
few <- lapply(split(points, points$data), function(x) signif(x[seq_len(300L), -1L], 6))
store("points", "data", cbind(data = rep(names(few), each = 300L), do.call(rbind, few)))
store("scores", c("data", "limit", "k", "method", "seed"))
store("inference", c("data", "limit", "rows", "k", "method", "seed"))
store("classification", c("data", "limit", "k", "method", "seed", "fold"))
