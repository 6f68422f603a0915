# Dynamic networks of the motor data of dbnR (11 sensors of an electric motor, 3,000 time points):
# how good is the transition network, how well does it foresee rows that it has not seen, and what
# does it take? And how long do 50 variables take, in two slices of 2,000 rows?
#
# Rscript bench/dynamic.R [LAGS [SECONDS]]: with dbnR (which needs bnlearn) in a library that R knows.

source(file.path("bench", "common.R"))

arguments <- as.numeric(commandArgs(TRUE))
lags <- c(arguments, 1)[1L]
limit <- if (length(arguments) > 1L) arguments[2L]
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

foresee <- function(name, learned, parents, forecast) {
  asked <- processor_seconds(lapply(origins, forecast))
  truth <- lapply(origins, function(i) as.matrix(held_out[i + seq_len(horizon), ]))
  found <- errors(asked$value, truth, spread)
  cat(sprintf("| %-32s | %12.1f | %4d | %9.1f | %8.2f | %.4f | %.4f | %.4f |\n", name,
              transition_score(parents, rows, variables), sum(lengths(parents)), learned,
              asked$seconds, found[1L], found[2L], found[3L]))
}

if (requireNamespace("dbnR", quietly = TRUE)) {
  motor <- as.data.frame(dbnR::motor)
  train <- motor[200:2500, ]
  held_out <- motor[2501:3000, ]
  variables <- names(train)
  spread <- vapply(train, stats::sd, 0)
  rows <- as.data.frame(lagged(train, lags))
  origins <- seq(20L, nrow(held_out) - horizon, by = 20L)

  cat("| learner | BIC of the transition | arcs | learning s | forecast s |",
      "RMSE 1 step | 10 steps | 20 steps, mean |\n|---|---|---|---|---|---|---|---|\n")
  ours <- function(what = NULL, ...) {
    learned <- processor_seconds(suppressMessages(
      learn_dynamic(train, lags, score = "bic-g", threads = 1, progress = FALSE,
                    time_limit = limit, ...)
    ))
    network <- learned$value
    fit <- suppressMessages(fit_network(network, train))
    name <- paste(c(paste("optbn,", certificate(network)$status), what), collapse = ", ")
    foresee(name, learned$seconds, lapply(network$transition$nodes[variables], `[[`, "parents"),
            function(i) {
      told <- predict(fit, held_out[seq_len(i), ], horizon)
      matrix(told$mean, horizon, byrow = TRUE)
    })
  }
  ours()
  ours("3 parents", max_parents = 3)
  ours("past alone", within = FALSE)

  named <- function(names) {
    names <- sub("_t_0$", "", names)
    sub("_t_([0-9]+)$", "_lag\\1", names)
  }
  learned <- processor_seconds(dbnR::learn_dbn_struc(data.table::as.data.table(train), lags + 1))
  network <- learned$value
  folded <- dbnR::fold_dt(data.table::as.data.table(train), lags + 1)
  fit <- dbnR::fit_dbn_params(network, folded, method = "mle-g")
  parents <- lapply(paste0(variables, "_t_0"), function(node) named(network$nodes[[node]]$parents))
  names(parents) <- variables
  folded <- dbnR::fold_dt(data.table::as.data.table(held_out), lags + 1)
  foresee("dbnR, dmmhc", learned$seconds, parents, function(i) {
    told <- dbnR::forecast_ts(folded, fit, obj_vars = paste0(variables, "_t_0"), ini = i - lags + 1,
                              len = horizon, print_res = FALSE, plot_res = FALSE)
    as.matrix(told$pred)[seq_len(horizon), paste0(variables, "_t_0")]
  })
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
