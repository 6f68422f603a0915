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

# `most`: parents; Inf is all parent sets.
problems <- data.frame(
  data = c("asia", "insurance", "insurance", "alarm", if (!quick) c("alarm", "alarm"),
           if (dir.exists(folder)) c("kdd", if (!quick) c("tretail", "msweb"))),
  most = c(Inf, 4, Inf, 4, if (!quick) c(5, Inf),
           if (dir.exists(folder)) c(Inf, if (!quick) c(Inf, Inf)))
)

read_problem <- function(name) {
  if (name %in% c("kdd", "tretail", "msweb")) binary_data(name, 2000L, folder) else bnlearn_data(name)
}

account <- function(name, most) {
  data <- read_problem(name)
  result <- measure(function() {
    sets <- suppressMessages(parent_sets(data, "bic", max_parents = min(most, ncol(data) - 1),
                                         threads = 1, progress = FALSE))
    c(possible = sum(sets$considered), scored = sum(sets$counted), kept = length(sets))
  })
  data.frame(
    data = name, columns = ncol(data), rows = nrow(data), t(result$value),
    seconds = result$processor,
    scope = if (is.finite(most)) paste("at most", most, "parents") else "all parent sets"
  )
}

results <- do.call(rbind, Map(account, problems$data, problems$most))
print_table(
  "Parent sets accounted for, BIC, one core",
  data.frame(
    data = results$data, columns = results$columns, rows = results$rows, scope = results$scope,
    sets = in_thousands(results$possible), scored = in_thousands(results$scored),
    kept = in_thousands(results$kept), seconds = in_seconds(results$seconds)
  ),
  "A set that a bound rules out, its own or that of a finer table, is not scored."
)
