# Networks drawn by Markov chains, beside BiDAG's partitionMCMC() at equal time: errors of the
# probabilities of arcs.
#
#   Rscript bench/posterior-peers.R bench/posterior-peers.csv [quick]
#
# Where package BiDAG is installed. Data with up to 20 columns are compared with the exact sums of
# network_posterior(), larger ones with a run of our own of ten times the moves, which has all sets
# of up to three parents where candidates are selected otherwise. Both have one chain and the same
# score (BDeu with iss = 1, or BGe with alpha_mu = 1, on standardised columns) without a prior on
# arcs. BiDAG gets at least the processor seconds of ours, scoring included: iterations by a first
# short run. The first fifth of its chain is left out, as edgep() does. Rows go to the file one by
# one; what is there already is not run again.

source(file.path("bench", "common.R"))

arguments <- commandArgs(trailingOnly = TRUE)
results <- arguments[1L]
if (is.na(results)) stop("name the file of results", call. = FALSE)

from_bnlearn <- function(name, rows, columns = NULL) {
  data <- getExportedValue("bnlearn", name)
  set.seed(rows)
  data <- droplevels(data[sample(nrow(data), rows), columns %||% seq_along(data)])
  data[vapply(data, function(x) length(unique(x)) > 1L, NA)]
}

cases <- list(
  asia = from_bnlearn("asia", 500),
  "alarm, 12 columns" = from_bnlearn("alarm", 500, 1:12),
  "alarm, 16 columns" = from_bnlearn("alarm", 500, 13:28),
  "alarm, 20 columns" = from_bnlearn("alarm", 1000, 1:20),
  "insurance, 14 columns" = from_bnlearn("insurance", 300, 1:14),
  "insurance, 18 columns" = from_bnlearn("insurance", 1000, 8:25),
  "hailfinder, 15 columns" = from_bnlearn("hailfinder", 500, 1:15),
  "10 normal columns" = normal_columns(10, 100),
  "15 normal columns" = normal_columns(15, 200),
  "20 normal columns" = normal_columns(20, 200),
  "alarm, 37 columns" = from_bnlearn("alarm", 500),
  "insurance, 27 columns" = from_bnlearn("insurance", 1000),
  "hailfinder, 56 columns" = from_bnlearn("hailfinder", 500)
)
if (quick) cases <- cases["asia"]
done <- if (!quick && file.exists(results)) utils::read.csv(results)

exact_arcs <- function(posterior) {
  unclass(stats::xtabs(probability ~ from + to, as.data.frame(arc_posterior(posterior))))
}

processor_seconds <- function(clock) sum(clock[c("user.self", "sys.self")])

bidag_arcs <- function(data, iterations) {
  numeric <- is.numeric(data[[1L]])
  codes <- if (numeric) data else as.data.frame(lapply(data, function(x) as.integer(x) - 1L))
  score <- if (numeric) {
    BiDAG::scoreparameters("bge", codes, bgepar = list(am = 1, aw = NULL, edgepf = 1))
  } else {
    BiDAG::scoreparameters("bdecat", codes, bdecatpar = list(chi = 1, edgepf = 1))
  }
  every <- max(1, floor(iterations / 2000))
  chain <- BiDAG::partitionMCMC(score, iterations = every * floor(iterations / every),
                                stepsave = every)
  as.matrix(BiDAG::edgep(chain, pdag = FALSE, burnin = 0.2))
}

rows <- lapply(setdiff(names(cases), done$data), function(name) {
  message(name)
  data <- cases[[name]]
  score <- if (is.numeric(data[[1L]])) "bge" else "bde"
  exact <- ncol(data) <= 20L
  posterior <- if (exact) network_posterior(data, score, progress = FALSE)
  ours <- function(networks, moves, ...) {
    set.seed(1)
    summary(suppressWarnings(sample_dags(data, networks, score = score, chains = 1, moves = moves,
                                         threads = 1, progress = FALSE, ...)))$arcs
  }
  wanted <- if (exact) {
    exact_arcs(posterior)
  } else {
    ours(20000, 10 * 400 * ncol(data), max_parents = if (ncol(data) > 50L) 3)
  }
  wanted <- wanted[names(data), names(data)]
  seconds_of_ours <- processor_seconds(system.time(drawn <- ours(4000, 400 * ncol(data))))

  iterations <- 2000
  repeat { # until BiDAG has had as long
    set.seed(1)
    seconds_of_bidag <- processor_seconds(system.time(peer <- bidag_arcs(data, iterations)))
    if (seconds_of_bidag >= seconds_of_ours) break
    iterations <- ceiling(iterations * min(20, 1.3 * seconds_of_ours / seconds_of_bidag))
  }
  error <- function(p) abs(p[names(data), names(data)] - wanted)[row(wanted) != col(wanted)]
  row <- data.frame(data = name, against = if (exact) "exact sums" else "a long run of our own",
                    seconds = round(seconds_of_ours, 1), mean_error = signif(mean(error(drawn)), 3),
                    largest = signif(max(error(drawn)), 3),
                    bidag_seconds = round(seconds_of_bidag, 1),
                    bidag_mean_error = signif(mean(error(peer)), 3),
                    bidag_largest = signif(max(error(peer)), 3))
  if (!quick) {
    utils::write.table(row, results, sep = ",", row.names = FALSE, append = file.exists(results),
                       col.names = !file.exists(results))
  }
  row
})
print_table("Errors of the probabilities of arcs at equal processor time",
            stats::setNames(do.call(rbind, c(list(done), rows)),
                            c("data", "against", "seconds", "mean error", "largest",
                              "BiDAG: seconds", "mean error", "largest")))
