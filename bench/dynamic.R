# Dynamic networks of the motor data of dbnR (11 sensors of an electric motor, 3,000 time points):
# how good is the transition network, how well does it forecast new rows, and how long does it take?
# And how long do 50 variables take, in two slices of 2,000 rows?
#
#   Rscript bench/dynamic.R [SECONDS]
#
# SECONDS limits each search. dbnR, which needs bnlearn, must be in a library of R's.

source(file.path("bench", "common.R"))

arguments <- as.numeric(setdiff(commandArgs(TRUE), "quick"))
limit <- if (length(arguments)) arguments[1L]
horizon <- 20L

processor_seconds <- function(code) {
  time <- system.time(value <- code)
  list(value = value, seconds = sum(time[c(1L, 2L, 4L, 5L)], na.rm = TRUE))
}

# BIC of the families of now.
transition_score <- function(parents, rows, variables) {
  sum(vapply(variables, function(node) {
    fit <- stats::lm.fit(cbind(1, as.matrix(rows[parents[[node]]])), rows[[node]])
    n <- nrow(rows)
    sd <- sqrt(sum(fit$residuals^2) / (n - length(parents[[node]]) - 1))
    sum(stats::dnorm(fit$residuals, 0, sd, log = TRUE)) -
      log(n) / 2 * (length(parents[[node]]) + 2)
  }, 0))
}

# Root mean squared errors in standard deviations of the columns: at the first step, at the tenth,
# and over the horizon.
errors <- function(forecasts, truth, spread) {
  scaled <- lapply(seq_along(forecasts), function(i) {
    sweep(forecasts[[i]] - truth[[i]], 2L, spread, "/")^2
  })
  by_step <- sqrt(Reduce(`+`, lapply(scaled, rowMeans)) / length(scaled))
  c(by_step[c(1L, 10L)], sqrt(mean(by_step^2)))
}

# A row of the table.
foresee <- function(case, name, learned, parents, forecast) {
  asked <- processor_seconds(lapply(case$origins, forecast))
  truth <- lapply(case$origins, function(i) as.matrix(case$held_out[i + seq_len(horizon), ]))
  found <- errors(asked$value, truth, case$spread)
  number <- function(x, digits) formatC(x, digits = digits, format = "f", big.mark = ",")
  data.frame(lags = case$lags, learner = name,
             "BIC of the transition" = number(transition_score(parents, case$rows, case$variables),
                                              0),
             arcs = sum(lengths(parents)), seconds = number(learned, 1),
             "1 step" = number(found[1L], 4), "10 steps" = number(found[2L], 3),
             "20 steps, mean" = number(found[3L], 3), check.names = FALSE)
}

motor_case <- function(lags) {
  motor <- as.data.frame(dbnR::motor)
  train <- motor[200:2500, ]
  held_out <- motor[2501:3000, ]
  list(lags = lags, train = train, held_out = held_out, variables = names(train),
       spread = vapply(train, stats::sd, 0), rows = as.data.frame(lagged(train, lags)),
       origins = seq(20L, nrow(held_out) - horizon, by = 20L))
}

by_optbn <- function(case, what = NULL, ...) {
  learned <- processor_seconds(suppressMessages(
    learn_dynamic(case$train, case$lags, score = "bic-g", threads = 1, progress = FALSE,
                  time_limit = limit, ...)
  ))
  network <- learned$value
  fit <- suppressMessages(fit_network(network, case$train))
  proved <- if (certificate(network)$status == "optimal") "proved"
  foresee(case, paste(c("optbn", what, proved), collapse = ", "), learned$seconds,
          lapply(network$transition$nodes[case$variables], `[[`, "parents"), function(i) {
    told <- predict(fit, case$held_out[seq_len(i), ], horizon)
    matrix(told$mean, horizon, byrow = TRUE)
  })
}

by_dbnr <- function(case) {
  lags <- case$lags
  variables <- case$variables
  now <- paste0(variables, "_t_0")
  named <- function(names) sub("_t_([0-9]+)$", "_lag\\1", sub("_t_0$", "", names))
  train <- data.table::as.data.table(case$train)
  learned <- processor_seconds(dbnR::learn_dbn_struc(train, lags + 1))
  network <- learned$value
  fit <- dbnR::fit_dbn_params(network, dbnR::fold_dt(train, lags + 1), method = "mle-g")
  parents <- lapply(now, function(node) named(network$nodes[[node]]$parents))
  names(parents) <- variables
  folded <- dbnR::fold_dt(data.table::as.data.table(case$held_out), lags + 1)
  foresee(case, "dbnR, dmmhc", learned$seconds, parents, function(i) {
    told <- dbnR::forecast_ts(folded, fit, obj_vars = now, ini = i - lags + 1, len = horizon,
                              print_res = FALSE, plot_res = FALSE)
    as.matrix(told$pred)[seq_len(horizon), now]
  })
}

if (requireNamespace("dbnR", quietly = TRUE)) {
  print_table("Dynamic networks beside dbnR's, on its motor data", do.call(rbind, lapply(
    if (quick) 1 else 1:2, function(lags) {
      case <- motor_case(lags)
      rbind(by_optbn(case), by_optbn(case, "at most 3 parents", max_parents = 3),
            by_optbn(case, "past alone", within = FALSE), by_dbnr(case))
    }
  )))
}

# ---- 50 variables in two slices -----------------------------------------------------------------

cat("\n50 variables, 2,000 rows:\n")
for (discrete in c(TRUE, FALSE)) {
  series <- simulated_series(discrete)
  learned <- processor_seconds(suppressMessages(
    learn_dynamic(series, score = if (discrete) "bic" else "bic-g", threads = 1, progress = FALSE)
  ))
  cat(sprintf("%s: %.1f s\n", if (discrete) "discrete" else "Gaussian", learned$seconds))
  print(learned$value)
}
