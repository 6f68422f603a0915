# The dynamic program up to its limit, method "dp" forced, one core: time and peak memory beside
# what search_size() forecast. ALARM decomposes into small parts; data with a hidden cause do not.

source(file.path("bench", "common.R"))

problem <- function(name, data) list(name = name, data = data)
problems <- c(
  lapply(if (quick) 20 else 28, function(columns) {
    problem("ALARM", alarm_data(1000, columns))
  }),
  lapply(if (quick) 18 else c(24, 28), function(columns) {
    problem("hidden cause", hidden_cause_data(1000, columns))
  })
)

forecast_and_outcome <- function(problem) {
  data <- problem$data
  forecast <- search_size(data, "bde", max_parents = 3)
  dp <- forecast$methods[forecast$methods$method == "dp", ]
  result <- measure(function() {
    sets <- parent_sets(data, "bde", max_parents = 3, threads = 1, progress = FALSE)
    network <- learn_dag(sets, method = "dp", threads = 1, progress = FALSE)
    list(certificate = certificate(network), seconds_scoring = sets$seconds)
  })
  certificate <- result$value$certificate
  data.frame(
    data = problem$name,
    columns = ncol(data),
    parts = certificate$effort$parts %||% 1,
    `scoring, s` = in_seconds(result$value$seconds_scoring %||% NA),
    `search, s` = in_seconds(certificate$seconds %||% NA),
    `forecast, s` = in_seconds(dp$seconds),
    GB = in_gigabytes(result$memory),
    `forecast, GB` = in_gigabytes(dp$bytes),
    outcome = certificate$status %||% result$error,
    score = if (is.null(certificate)) NA else sprintf("%.4f", certificate$score),
    check.names = FALSE
  )
}

print_table(
  "Dynamic programming forced: 1000 rows, at most 3 parents, BDeu",
  do.call(rbind, lapply(problems, forecast_and_outcome)),
  paste("The forecast is for a single table of all columns; ALARM decomposes into several parts,",
        "each with a small table of its own. GB is the measured peak of the whole R process.")
)
