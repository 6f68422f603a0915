# What learn_dag() proves of so many columns and rows in a second, a minute and ten minutes of one
# core, with BIC, for the article "How large can it go", which draws
# vignettes/articles/columns-rows.csv:
#
#   data, columns, rows
#   limit            seconds allowed
#   seconds          elapsed
#   score, bound     of the network; natural logs
#   status           optimal or bounded
#   least            all sets of at most so many parents are accounted for; Inf: all parent sets
#
#   Rscript bench/columns-rows.R FOLDER [LIMIT...]
#
# FOLDER holds the data (uncapped-problems.R). Columns that are constant in the first rows are left
# out. A cell that is in the file is not measured again; all limits take some five hours.

source(file.path("bench", "common.R"))
if (!has("bnlearn")) quit()

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1L]
if (is.na(folder)) stop("name the folder of the data", call. = FALSE)
limits <- if (length(arguments) > 1L) as.numeric(arguments[-1L]) else c(1, 60, 600)
source(file.path("bench", "uncapped-problems.R"))

file <- file.path("vignettes", "articles", "columns-rows.csv")
names <- c("nltcs", "insurance", "alarm", "hailfinder", "kdd", "plants", "accidents", "kosarek",
           "msweb", "c20ng")

read_rows <- function(name, rows) {
  if (name %in% binary_names) return(read_binary(name, rows))
  varies(droplevels(utils::head(bnlearn_data(name), rows)))
}

# Of the smallest node, as the scope of a certificate says it.
least_complete <- function(settings) {
  least <- min(settings$complete %||% Inf)
  if (least >= max(settings$max_parents)) Inf else least
}

measure_cell <- function(name, rows, limit) {
  data <- read_rows(name, rows)
  set.seed(1)
  seconds <- system.time(
    network <- learn_dag(data, "bic", threads = 1, time_limit = limit, progress = FALSE)
  )[["elapsed"]]
  record <- certificate(network)
  data.frame(data = name, columns = ncol(data), rows = rows, limit = limit,
             seconds = round(seconds, 2), score = record$score, bound = record$bound,
             status = record$status, least = least_complete(record$settings))
}

known <- if (file.exists(file)) utils::read.csv(file)
for (limit in limits)
  for (name in names)
    for (rows in c(100, 1000, 10000)) {
      done <- known$data == name & known$rows == rows & known$limit == limit
      if (any(done)) next
      known <- rbind(known, suppressMessages(measure_cell(name, rows, limit)))
      utils::write.csv(known, file, row.names = FALSE)
      print(known[nrow(known), ], row.names = FALSE)
    }
