# Forecast and outcome of search_size(): where the constants in R/search-size.R come from.

source(file.path("bench", "common.R"))

shipped <- function(name) {
  utils::read.csv(system.file("extdata", paste0(name, ".csv.gz"), package = "optbn"),
                  stringsAsFactors = TRUE)
}

alarm <- function(rows, columns) function() alarm_data(rows, columns)
problems <- list(
  list(name = "zoo, bde", data = function() shipped("zoo"), score = "bde", max_parents = NULL),
  list(name = "mushroom, bic", data = function() shipped("mushroom"), score = "bic",
       max_parents = 4),
  list(name = "ALARM 1000 x 20, bde", data = alarm(1000, 20), score = "bde", max_parents = 3),
  list(name = "ALARM 5000 x 24, bic", data = alarm(5000, 24), score = "bic", max_parents = 3),
  list(name = "iris, bge", data = function() iris[1:4], score = "bge", max_parents = NULL)
)
if (quick) problems <- problems[c(1, 5)]

forecast_and_outcome <- function(problem) {
  data <- problem$data()
  forecast <- search_size(data, problem$score, problem$max_parents)
  dp <- forecast$methods[forecast$methods$method == "dp", ]
  result <- measure(function() {
    sets <- parent_sets(data, problem$score, problem$max_parents, threads = 1, progress = FALSE)
    network <- learn_dag(sets, method = "dp", threads = 1, progress = FALSE)
    c(scored = sum(sets$counted), scoring = sets$seconds, search = certificate(network)$seconds)
  })
  data.frame(
    problem = problem$name,
    `families, forecast` = in_thousands(sum(forecast$scoring$families)),
    scored = in_thousands(result$value[["scored"]]),
    `scoring s, forecast` = in_seconds(forecast$seconds),
    `scoring s, measured` = in_seconds(result$value[["scoring"]]),
    `dp s, forecast` = in_seconds(dp$seconds),
    `dp s, measured` = in_seconds(result$value[["search"]]),
    check.names = FALSE
  )
}

print_table("Forecasts of search_size() and what came of them",
            do.call(rbind, lapply(problems, forecast_and_outcome)),
            "One thread. Forecasts count every family that the limits allow; pruning spares many.")
