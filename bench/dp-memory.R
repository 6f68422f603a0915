# The dynamic program at its limit: 28 columns of ALARM, method "dp" forced, one core. Time and peak
# memory beside what search_size() forecast.

source(file.path("bench", "common.R"))

columns <- if (quick) 20 else 28
data <- alarm_data(1000, columns)

forecast <- search_size(data, "bde", max_parents = 3)
dp <- forecast$methods[forecast$methods$method == "dp", ]

result <- measure(function() {
  sets <- parent_sets(data, "bde", max_parents = 3, threads = 1, progress = FALSE)
  network <- learn_dag(sets, method = "dp", threads = 1, progress = FALSE)
  list(certificate = certificate(network), scoring = sets$seconds)
})
certificate <- result$value$certificate

print_table(
  sprintf("Dynamic programming forced: ALARM, %d columns, 1000 rows, at most 3 parents, BDeu",
          columns),
  data.frame(
    ` ` = c("forecast", "measured"),
    `scoring, s` = c(in_seconds(forecast$seconds), in_seconds(result$value$scoring %||% NA)),
    `search, s` = c(in_seconds(dp$seconds), in_seconds(certificate$seconds %||% NA)),
    GB = c(in_gigabytes(dp$bytes), in_gigabytes(result$memory)),
    status = c("", certificate$status %||% result$error),
    score = c("", if (is.null(certificate)) "" else sprintf("%.4f", certificate$score)),
    check.names = FALSE
  ),
  "GB measured is the peak of the whole R process; the forecast is of the search's table."
)
