# Forecast and outcome of search_size(): where the constants in R/search-size.R come from, and
# whether a pilot makes up for what they miss.

source(file.path("bench", "common.R"))

alarm <- function(rows, columns) function() alarm_data(rows, columns)

# Every column depends on two before it; all of them, every other or none is cut into three levels.
simulated <- function(rows, columns, discrete) function() {
  set.seed(columns)
  x <- matrix(stats::rnorm(rows * columns), rows)
  for (j in seq_len(columns)[-1]) {
    from <- sample(j - 1L, min(j - 1L, 2L))
    x[, j] <- x[, j] + x[, from, drop = FALSE] %*% stats::runif(length(from), -1.5, 1.5)
  }
  data <- as.data.frame(scale(x))
  data[discrete] <- lapply(data[discrete], cut, c(-Inf, -0.5, 0.5, Inf), c("low", "mid", "high"))
  data
}
discrete <- function(rows, columns) simulated(rows, columns, seq_len(columns))
mixed <- function(rows, columns) simulated(rows, columns, seq(1, columns, 2))
continuous <- function(rows, columns) simulated(rows, columns, integer())

problem <- function(name, data, score, max_parents = NULL) {
  list(name = paste0(name, ", ", score, if (!is.null(max_parents)) paste(" at most", max_parents)),
       data = data, score = score, max_parents = max_parents)
}

problems <- list(
  problem("iris", function() iris[1:4], "bge"),
  problem("zoo", function() zoo, "bde"),
  problem("mushroom", function() mushroom, "bic", 4),
  problem("mushroom", function() mushroom, "bde", 5),
  problem("ALARM 100 x 10", alarm(100, 10), "bde"),
  problem("ALARM 1000 x 20", alarm(1000, 20), "bde", 3),
  problem("ALARM 5000 x 24", alarm(5000, 24), "bic", 3),
  problem("ALARM 20000 x 15", alarm(20000, 15), "bic"),
  problem("ALARM 20000 x 22", alarm(20000, 22), "bic", 5),
  problem("ALARM 5000 x 37", alarm(5000, 37), "bde", 4),
  problem("discrete 2000 x 100", discrete(2000, 100), "bic", 2),
  problem("continuous 20000 x 16", continuous(20000, 16), "bge"),
  problem("continuous 1000 x 100", continuous(1000, 100), "bge", 2),
  problem("mixed 100 x 5", mixed(100, 5), "bic-cg"),
  problem("mixed 1000 x 12", mixed(1000, 12), "bic-cg"),
  problem("mixed 2000 x 20", mixed(2000, 20), "bic-cg", 5),
  problem("mixed 5000 x 30", mixed(5000, 30), "bic-cg", 2),
  problem("mixed 500 x 8", mixed(500, 8), "pcart"),
  problem("mixed 2000 x 20", mixed(2000, 20), "pcart", 2),
  problem("mixed 10000 x 24", mixed(10000, 24), "pcart", 3),
  # on demand
  problem("ALARM 2000 x 30", alarm(2000, 30), "bde"),
  problem("ALARM 10000 x 37", alarm(10000, 37), "bic"),
  problem("continuous 500 x 20", continuous(500, 20), "bge"),
  problem("continuous 200 x 60", continuous(200, 60), "bge"),
  problem("mixed 300 x 25", mixed(300, 25), "bic-cg"),
  problem("mixed 500 x 40", mixed(500, 40), "pcart"),
  problem("discrete 5000 x 100", discrete(5000, 100), "bic")
)
if (quick) problems <- problems[c(1, 2, 5)]

forecast_and_outcome <- function(problem) {
  data <- problem$data()
  result <- measure(function() suppressMessages({
    pilot <- system.time(
      forecast <- search_size(data, problem$score, problem$max_parents)
    )[["elapsed"]]
    sets <- parent_sets(data, problem$score, problem$max_parents, threads = 1, progress = FALSE)
    list(forecast = forecast, pilot = pilot, scored = sum(sets$counted), seconds = sets$seconds)
  }))$value
  forecast <- result$forecast
  data.frame(
    problem = problem$name, `on demand` = if (forecast$on_demand) "yes" else "",
    sets = in_thousands(sum(forecast$scoring$families)),
    `scored, forecast` = in_thousands(forecast$scored),
    `scored, measured` = in_thousands(result$scored),
    `s, static` = in_seconds(sum(forecast$scoring$seconds)),
    `s, forecast` = in_seconds(forecast$seconds), `s, measured` = in_seconds(result$seconds),
    `s, pilot` = in_seconds(result$pilot),
    scored_ratio = forecast$scored / result$scored,
    seconds_ratio = forecast$seconds / result$seconds,
    check.names = FALSE
  )
}

rows <- do.call(rbind, lapply(problems, forecast_and_outcome))
in_all <- rows$`on demand` == ""
within_two <- function(ratio) sprintf("%d of %d", sum(ratio > 0.5 & ratio < 2), length(ratio))
print_table(
  "Forecasts of search_size() and what came of them",
  rows[setdiff(names(rows), c("scored_ratio", "seconds_ratio"))],
  paste("One thread. Scored: the sets that are scored one by one, in complete levels. Static: the",
        "forecast by the constants alone. Pilot: the time that the forecast itself takes."),
  paste0("Where all sets are scored, forecasts within a factor of two: of the sets scored, ",
         within_two(rows$scored_ratio[in_all]), "; of the seconds, ",
         within_two(rows$seconds_ratio[in_all]), "."),
  paste0("On demand, forecasts of the sets scored in complete levels within a factor of two: ",
         within_two(rows$scored_ratio[!in_all]), "; seconds at most those forecast: ",
         sprintf("%d of %d", sum(rows$seconds_ratio[!in_all] >= 1), sum(!in_all)), ".")
)

# The least time of local search (`local_pair` in R/search-size.R), and what the sets kept add.
local_problems <- list(
  problem("zoo", function() zoo, "bic"),
  problem("zoo", function() zoo, "bde"),
  problem("ALARM 1000 x 20", alarm(1000, 20), "bde", 3),
  problem("ALARM 5000 x 37", alarm(5000, 37), "bic", 3),
  problem("continuous 1000 x 60", continuous(1000, 60), "bge", 2),
  problem("mushroom", function() mushroom, "bic", 4),
  problem("mushroom", function() mushroom, "bde", 4)
)
if (quick) local_problems <- local_problems[1]

local_forecast_and_outcome <- function(problem) {
  data <- problem$data()
  found <- measure(function() suppressMessages({
    methods <- search_size(data, problem$score, problem$max_parents)$methods
    sets <- parent_sets(data, problem$score, problem$max_parents, threads = 1, progress = FALSE)
    set.seed(1)
    clock <- system.time(learn_dag(sets, method = "local", threads = 1, progress = FALSE))
    list(least = methods$seconds[methods$method == "local"],
         kept = mean(vapply(sets$sets, function(of) length(of$score), 0L)),
         seconds = clock[["user.self"]] + clock[["sys.self"]])
  }))$value
  data.frame(problem = problem$name, `sets a node` = in_thousands(found$kept),
             `s, least` = in_seconds(found$least),
             `s, with 1 % a set` = in_seconds(found$least * (1 + found$kept / 100)),
             `s, measured` = in_seconds(found$seconds), check.names = FALSE)
}

print_table(
  "Forecasts of local search and what came of them",
  do.call(rbind, lapply(local_problems, local_forecast_and_outcome)),
  paste("Least: what search_size() forecasts; its help page states roughly 1 % for each set kept",
        "for a node."),
  "Processor seconds of one thread, the search alone."
)
