# Parent sets of bnlearn's own data and, where they are there, of three tables of the density sets
# (first 2,000 rows), BIC: how many there could be, were scored and are kept, the processor seconds
# that this takes, and the scope: all, beside those of at most four or five parents.
#
#   Rscript bench/all-parent-sets.R [FOLDER of the density sets]

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))
if (!has("bnlearn")) quit()

folder <- c(setdiff(commandArgs(trailingOnly = TRUE), "quick"),
            file.path(Sys.getenv("OPTBN_SHARED"), "data", "debd"))[1L]

# `most`: parents; Inf is all parent sets, and NA no limit: as far as parent_sets() gets by itself.
wide <- if (dir.exists(folder)) c("kdd", if (!quick) c("tretail", "msweb"))
problems <- data.frame(
  data = c("asia", "insurance", "insurance", "alarm", if (!quick) c("alarm", "alarm"), wide),
  most = c(Inf, 4, Inf, 4, if (!quick) c(5, Inf), rep(NA, length(wide)))
)

account <- function(name, most) {
  data <- if (name %in% wide) binary_data(name, 2000L, folder) else bnlearn_data(name)
  result <- measure(function() {
    sets <- suppressMessages(parent_sets(data, "bic", threads = 1, progress = FALSE,
                                         max_parents = if (!is.na(most)) min(most, ncol(data) - 1)))
    c(possible = sum(sets$considered), scored = sum(sets$counted), kept = length(sets),
      all = is.null(sets$settings$complete) && most %in% c(Inf, NA))
  })
  data.frame(
    data = name, columns = ncol(data), rows = nrow(data), t(result$value),
    seconds = result$processor,
    scope = if (result$value[["all"]]) "all parent sets"
            else if (is.na(most)) "not all" else paste("at most", most, "parents")
  )
}

results <- do.call(rbind, Map(account, problems$data, problems$most))
print_table(
  "Parent sets accounted for, BIC, one core",
  data.frame(
    data = results$data, columns = results$columns, rows = results$rows, scope = results$scope,
    sets = ifelse(results$possible < 1e15, in_thousands(results$possible),
                  formatC(results$possible, digits = 2, format = "e")),
    scored = in_thousands(results$scored), kept = in_thousands(results$kept),
    seconds = in_seconds(results$seconds)
  ),
  "A set that a bound excludes, its own or that of a finer table, is not scored."
)
