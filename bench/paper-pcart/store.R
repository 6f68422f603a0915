# Stores what recovery.R and intersection.R have found so far for the article "Reproducing the PCART
# paper", which draws itself from it: without graphs, and without samples that are not through.
#
#   Rscript bench/paper-pcart/store.R FOLDER
#
# Writes vignettes/articles/paper-pcart-recovery.csv and paper-pcart-intersection.csv, with the
# columns that recovery.R and intersection.R describe.

source(file.path("bench", "paper-pcart", "common.R"))
folder <- read_command_line("store.R FOLDER")$folder

files <- function(pattern) list.files(folder, pattern, full.names = TRUE)
read_all <- function(files) do.call(rbind, lapply(files, utils::read.csv))

# Samples for which every model has been through every size.
complete_samples <- function(results, within) {
  sample <- interaction(results[c(within, "sample")], drop = TRUE)
  rows <- table(sample)
  results[rows[sample] == max(rows), ]
}

store <- function(results, name, by) {
  results <- results[do.call(order, unname(results[by])), ]
  results[c("graph", "score")] <- NULL
  file <- file.path("vignettes", "articles", paste0("paper-pcart-", name, ".csv"))
  utils::write.csv(results, file, row.names = FALSE, quote = FALSE)
  cat(file, ": ", nrow(results), " rows\n", sep = "")
}

recovery <- read_all(files("^recovery-.*[.]csv$"))
store(complete_samples(recovery, "data"), "recovery", c("data", "size", "sample", "model"))

distances <- files("^intersection-.*-distance[.]csv$")
if (length(distances) > 0L) {
  learned <- read_all(setdiff(files("^intersection-.*[.]csv$"), distances))
  results <- merge(learned, read_all(distances))
  task <- c("data", "splits", "parents")
  parts <- complete_samples(results[results$part > 1, ], task)
  store(rbind(results[results$part == 1, ], parts), "intersection",
        c(task, "part", "sample", "model"))
}
