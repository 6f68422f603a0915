# Are optima proved within a minute, where data are drawn from known networks?
#
#   Rscript bench/sampled-proofs.R FOLDER [name pattern]
#
# FOLDER holds the networks (NAME.bif.gz). Ten samples of each, drawn by bnlearn's rbn() with the
# seeds 101 to 110; at most 3 parents; the search alone. Weak bounds make the first three hard. The
# minute is one of processor time, on one core; on a shared machine a search may take several of the
# clock. The script may be stopped and goes on where it was (build/sampled-proofs.csv, anew for each
# version of the library).

source(file.path("bench", "common.R"))
if (!has("bnlearn")) quit()

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) stop("name the folder of the networks", call. = FALSE)
folder <- arguments[1L]
pattern <- if (length(arguments) > 1L) arguments[2L] else ""
store <- file.path("build", "sampled-proofs.csv")
dir.create("build", showWarnings = FALSE)

families <- list(
  list(network = "hailfinder", rows = 1000L, label = "BDeu 1", score = score_bde(iss = 1)),
  list(network = "hailfinder", rows = 1000L, label = "BDeu 10", score = score_bde(iss = 10)),
  list(network = "alarm", rows = 1000L, label = "BDeu 10", score = score_bde(iss = 10)),
  list(network = "alarm", rows = 10000L, label = "BIC", score = score_bic()),
  list(network = "child", rows = 10000L, label = "BIC", score = score_bic()),
  list(network = "insurance", rows = 10000L, label = "BIC", score = score_bic()),
  list(network = "hailfinder", rows = 10000L, label = "BIC", score = score_bic())
)
library_version <- substr(tools::md5sum(getLoadedDLLs()[["optbn"]][["path"]]), 1L, 8L)

stored <- function() {
  if (!file.exists(store)) return(NULL)
  rows <- utils::read.csv(store, colClasses = c(by = "character"))
  rows[rows$by == library_version, ]
}

for (family in families) {
  name <- sprintf("%s, %d rows, %s", family$network, family$rows, family$label)
  if (!grepl(pattern, name)) next
  for (seed in 101:110) {
    if (any(stored()$name == name & stored()$seed == seed)) next
    data <- droplevels(sampled_data(family$network, family$rows, folder, seed))
    sets <- parent_sets(data, family$score, max_parents = 3, threads = 1, progress = FALSE)
    found <- measure(function() {
      set.seed(1)
      learn_dag(sets, threads = 1, time_limit = 300, progress = FALSE)
    })
    proof <- certificate(found$value)
    row <- data.frame(by = library_version, name = name, seed = seed, sets = length(sets),
                      seconds = found$processor, score = proof$score, gap = proof$gap)
    utils::write.table(row, store, sep = ",", row.names = FALSE, append = file.exists(store),
                       col.names = !file.exists(store))
  }
}

of_family <- function(rows) {
  proved <- rows$gap == 0 & rows$seconds <= 60
  data.frame(
    samples = nrow(rows), sets = in_thousands(round(stats::median(rows$sets))),
    proved = sum(proved), median = in_seconds(stats::median(rows$seconds)),
    longest = if (all(proved)) in_seconds(max(rows$seconds)) else "more than a minute"
  )
}
rows <- stored()
table <- do.call(rbind, lapply(split(rows, factor(rows$name, unique(rows$name))), of_family))
print_table("Samples of known networks, proved within a minute of one core",
            cbind("network, rows, score" = rownames(table), table))
