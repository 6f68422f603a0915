# learn_dag() with defaults on data with missing values, of many sizes and kinds.
#
#   Rscript bench/defaults-missing.R [quick] [file.csv]
#
# A random network, each node with up to three of the eight nodes before it as parents; columns are
# discrete (three levels), normal, or every second one of each kind; a tenth of all values is missing
# completely at random. Figures: arcs found, those of the true skeleton among them, processor seconds of
# one core, and how far the last maximisation is proved. What the file has is not done again.

source(file.path("bench", "common.R"))

discrete_column <- function(codes, rows) {
  configuration <- if (length(codes)) as.integer(interaction(codes, drop = TRUE)) else rep(1L, rows)
  tables <- matrix(stats::rgamma(3 * max(configuration), 0.5), 3)
  draws <- vapply(configuration, function(j) sample(3L, 1L, prob = tables[, j]), 0L)
  factor(c("low", "mid", "high")[draws], c("low", "mid", "high"))
}

normal_column <- function(values, rows) {
  x <- stats::rnorm(rows)
  for (value in values) x <- x + stats::runif(1L, -0.8, 0.8) * as.numeric(scale(value))
  x
}

random_data <- function(rows, columns, kind) {
  set.seed(columns)
  discrete <- rep_len(switch(kind, discrete = TRUE, normal = FALSE, mixed = c(TRUE, FALSE)), columns)
  data <- arcs <- list()
  for (v in seq_len(columns)) {
    before <- setdiff(max(1L, v - 8L):v, v)
    if (discrete[v]) before <- before[discrete[before]]
    parents <- before[sample(length(before), min(length(before), sample(0:3, 1L)))]
    values <- lapply(data[parents], as.integer)
    data[[v]] <- if (discrete[v]) discrete_column(values, rows) else
      normal_column(lapply(data[parents], as.numeric), rows)
    arcs[[v]] <- paste(parents, rep(v, length(parents)))
  }
  names(data) <- paste0("x", seq_len(columns))
  data <- as.data.frame(data)
  data[] <- lapply(data, function(x) replace(x, stats::runif(rows) < 0.1, NA))
  list(data = data, skeleton = unlist(arcs))
}

skeleton_of <- function(network) {
  ends <- matrix(match(network$arcs, names(network$nodes)), ncol = 2L)
  paste(pmin(ends[, 1L], ends[, 2L]), pmax(ends[, 1L], ends[, 2L]))
}

sizes <- expand.grid(kind = c("discrete", "normal", "mixed"), columns = c(5, 20, 100, 1000),
                     rows = c(100, 20000), stringsAsFactors = FALSE)
if (quick) sizes <- sizes[sizes$columns <= 20 & sizes$rows == 100, ]
file <- grep("\\.csv$", commandArgs(trailingOnly = TRUE), value = TRUE)
results <- if (length(file) && file.exists(file)) utils::read.csv(file)
for (i in seq_len(nrow(sizes))) {
  size <- sizes[i, ]
  if (nrow(merge(results, size)) > 0L && !is.null(results)) next
  made <- random_data(size$rows, size$columns, size$kind)
  found <- measure(function() {
    suppressMessages(learn_dag(made$data, threads = 1, progress = FALSE))
  })
  row <- cbind(size, true = length(made$skeleton), arcs = NA, right = NA,
               seconds = found$processor, memory = found$memory, status = "")
  if (is.null(found$error)) {
    arcs <- skeleton_of(found$value)
    row[c("arcs", "right")] <- list(length(arcs), sum(arcs %in% made$skeleton))
    row$status <- certificate(found$value)$status
  } else {
    row$status <- found$error
  }
  results <- rbind(results, row)
  print(row, row.names = FALSE)
  if (length(file)) utils::write.csv(results, file, row.names = FALSE)
}

results <- results[order(results$rows, results$columns), ]
print_table("Defaults, a tenth of the values missing", data.frame(
  rows = in_thousands(results$rows), columns = in_thousands(results$columns), kind = results$kind,
  "true arcs" = results$true, arcs = results$arcs, right = results$right,
  seconds = in_seconds(results$seconds), GB = in_gigabytes(results$memory),
  "last maximisation" = results$status, check.names = FALSE
))
