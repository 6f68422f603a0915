# How long do scores with local structure take? Trees (PCART) and discretised tables (FT) of every
# node given every set of up to so many parents.
#
#   Rscript bench/local-scores.R FOLDER
#
# FOLDER holds networks/NAME.bif.gz (sampled, with package bnlearn) and uci/NAME.csv.gz.

source("bench/common.R")

arguments <- setdiff(commandArgs(trailingOnly = TRUE), "quick")
if (length(arguments) != 1L) stop("name the folder of the data", call. = FALSE)
folder <- arguments

sampled <- function(name, rows) sampled_data(name, rows, file.path(folder, "networks"))

measured <- function(name, factors = character()) {
  data <- utils::read.csv(file.path(folder, "uci", paste0(name, ".csv.gz")),
                          stringsAsFactors = TRUE)
  data[factors] <- lapply(data[factors], factor)
  data
}

problems <- list(
  list("alarm, N = 400", 3, function() sampled("alarm", 400), "pcart"),
  list("insurance, N = 400", 3, function() sampled("insurance", 400), "pcart"),
  list("water, N = 400", 3, function() sampled("water", 400), "pcart"),
  list("nursery", 3, function() measured("nursery"), "pcart"),
  list("page-blocks", 3, function() measured("page-blocks", "class"), "pcart"),
  list("housing", 3, function() measured("housing", "CHAS"), "pcart"),
  list("parkinsons", 2, function() measured("parkinsons", "sex")[-1], "pcart"),
  list("turkiye", 2, function() measured("turkiye", c("instr", "class")), "pcart"),
  list("alarm, N = 6400", 3, function() sampled("alarm", 6400), "pcart"),
  list("page-blocks", 3, function() measured("page-blocks", "class"), "ft"),
  list("parkinsons", 2, function() measured("parkinsons", "sex")[-1], "ft"),
  list("housing", 3, function() measured("housing", "CHAS"), "ft")
)
if (quick) problems <- problems[c(4, 6, 11)]

rows <- lapply(problems, function(problem) {
  data <- suppressMessages(problem[[3]]())
  runs <- lapply(1:2, function(threads) {
    measure(function() {
      suppressMessages(
        parent_sets(data, problem[[4]], max_parents = problem[[2]], threads = threads,
                    progress = FALSE)
      )
    }, times = if (quick) 1L else 3L)
  })
  if (!identical(runs[[1]]$value$sets, runs[[2]]$value$sets)) {
    stop(problem[[1]], ": the threads disagree", call. = FALSE)
  }
  forecast <- suppressMessages(search_size(data, problem[[4]], max_parents = problem[[2]]))
  sets <- runs[[1]]$value
  elapsed <- vapply(runs, `[[`, 0, "elapsed")
  cat(".")
  data.frame(
    data = problem[[1]], rows = in_thousands(nrow(data)), score = problem[[4]],
    parents = problem[[2]], families = in_thousands(sum(sets$considered)),
    scored = in_thousands(sum(sets$counted)), kept = in_thousands(length(sets)),
    seconds = in_seconds(elapsed[1]), two = in_seconds(elapsed[2]),
    ratio = sprintf("%.2f", elapsed[1] / elapsed[2]), forecast = in_seconds(forecast$seconds),
    GB = in_gigabytes(runs[[1]]$memory)
  )
})
table <- do.call(rbind, rows)
names(table)[8:11] <- c("one thread, s", "two threads, s", "ratio", "forecast, s")
print_table("Scores with local structure: all sets of up to so many parents", table,
            "Elapsed seconds of parent_sets(), the best of three runs; sets that were
             pruned beforehand do not count as scored. The forecast is for one thread.
             GB is the peak of the whole R process.")
