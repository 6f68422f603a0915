# Structural EM beside bnlearn's, on data with missing values.
#
#   Rscript bench/structural-em.R [quick] [file.csv]
#
# 1,000 rows of 10 networks, 10 % or 30 % of the values missing: completely at random ("mcar"), or with
# a probability that depends on a column that is always known ("mar"). Each learner gives a network
# and its parameters. Figures: log-likelihood per row of what is known in 1,000 new rows with holes of
# the same kind; distance of the classes (SHD of CPDAGs) to the true network; processor seconds of one
# core. bnlearn's network is scored with its own parameters (method "bayes" for tables), and again
# with those of fit_network(method = "em"), so that the structures are compared alone. What the file
# has is not done again.

source(file.path("bench", "common.R"))
suppressMessages(library(bnlearn))

shared <- Sys.getenv("OPTBN_SHARED", file.path("..", "shared"))
folder <- file.path(shared, "data", "networks")
tables <- function(name) read.bif(file.path(folder, paste0(name, ".bif.gz")))
regressions <- function(name) {
  fit <- readRDS(file.path(folder, "gaussian", paste0(name, ".rds")))
  structure(fit, class = c("bn.fit", "bn.fit.gnet"))
}
networks <- list(
  asia = function() tables("asia"), sachs = function() tables("sachs"),
  child = function() tables("child"), insurance = function() tables("insurance"),
  alarm = function() tables("alarm"), hailfinder = function() tables("hailfinder"),
  gaussian.test = function() {
    bn.fit(model2network("[A][B][E][G][C|A:B][D|B][F|A:D:E:G]"), gaussian.test)
  },
  ecoli70 = function() regressions("ecoli70"), "magic-niab" = function() regressions("magic-niab"),
  clgaussian.test = function() {
    bn.fit(model2network("[A][B][C][H][D|A:H][F|B:C][E|B:D][G|A:D:E:F]"), clgaussian.test)
  }
)
rows <- 1000L
if (quick) networks <- networks[c("asia", "gaussian.test")]

# Each value of a column is missing with this probability; under "mar" twice that, less a little, in the
# half of the rows where a column that is always known is high, and rarely in the others.
with_holes <- function(data, share, kind) {
  always <- seq_len(max(1L, ncol(data) %/% 4L))
  open <- if (kind == "mar") setdiff(seq_along(data), always) else seq_along(data)
  for (v in open) {
    probability <- rep(share, nrow(data))
    if (kind == "mar") {
      driver <- as.numeric(data[[always[(v - 1L) %% length(always) + 1L]]])
      high <- rank(driver, ties.method = "random") > nrow(data) / 2
      probability <- ifelse(high, 1.8, 0.2) * share
    }
    data[[v]][stats::runif(nrow(data)) < probability] <- NA
  }
  data
}

# A sample in which every column varies.
sample_of <- function(truth, n) {
  repeat {
    data <- rbn(truth, 2L * n)
    train <- data[seq_len(n), ]
    varies <- vapply(train, function(x) {
      if (is.factor(x)) all(table(x) > 0) else stats::sd(x) > 0
    }, NA)
    if (all(varies)) return(list(train = train, new = data[-seq_len(n), ]))
    # Levels that 1,000 rows do not have are dropped, with the rows that have them.
    data[] <- lapply(data, function(x) if (is.factor(x)) droplevels(x) else x)
    kept <- lapply(train, function(x) if (is.factor(x)) names(which(table(x) > 0)))
    if (any(lengths(kept) == 1L)) next
    new <- data[-seq_len(n), ]
    known <- Reduce(`&`, Map(function(x, levels) is.null(levels) | x %in% levels, new, kept))
    fit_levels <- function(part) {
      part[] <- Map(function(x, levels) if (is.null(levels)) x else factor(x, levels), part, kept)
      part
    }
    return(list(train = fit_levels(train), new = fit_levels(new[known, ])))
  }
}

per_row <- function(fit, data) {
  mean(suppressMessages(log_density(fit, data)))
}

learn_ours <- function(train) {
  network <- suppressMessages(learn_dag(train, missing = "em", threads = 1, progress = FALSE))
  list(network = network, fit = suppressMessages(fit_network(network, train, method = "em")))
}

learn_bnlearn <- function(train) {
  kind <- if (all(vapply(train, is.factor, NA))) "bayes" else if (any(vapply(train, is.factor, NA)))
    "mle-cg" else "mle-g"
  found <- structural.em(train, fit = kind, return.all = TRUE)
  list(network = found$dag, fit = found$fitted)
}

distance <- function(network, truth) {
  plain <- if (inherits(network, "optbn")) as.bn(network) else network
  shd(cpdag(plain), cpdag(bn.net(truth)))
}

out <- commandArgs(trailingOnly = TRUE)
out <- out[grepl("\\.csv$", out)]
results <- if (length(out) && file.exists(out)) utils::read.csv(out)
for (name in names(networks)) for (share in c(0.1, 0.3)) for (kind in c("mcar", "mar")) {
  done <- results$network == name & results$share == share & results$kind == kind
  if (sum(done) == 2L) next
  truth <- networks[[name]]()
  set.seed(1)
  parts <- sample_of(truth, rows)
  train <- with_holes(parts$train, share, kind)
  new <- with_holes(parts$new, share, kind)
  for (learner in c("optbn", "bnlearn")) {
    set.seed(2)
    clock <- system.time(found <- tryCatch(
      if (learner == "optbn") learn_ours(train) else suppressWarnings(learn_bnlearn(train)),
      error = function(e) list(error = conditionMessage(e))
    ))
    row <- data.frame(network = name, share = share, kind = kind, learner = learner,
                      seconds = sum(clock[c("user.self", "sys.self")]), own = NA, em = NA,
                      distance = NA)
    if (is.null(found$error)) {
      refit <- if (learner == "optbn") found$fit else {
        suppressMessages(fit_network(found$network, train, method = "em"))
      }
      row$em <- tryCatch(per_row(refit, new), error = function(e) NA)
      row$own <- if (learner == "optbn") row$em else {
        tryCatch(per_row(found$fit, new), error = function(e) NA)
      }
      row$distance <- distance(found$network, truth)
    } else {
      message(name, " ", learner, ": ", found$error)
    }
    results <- rbind(results, row)
    cat(sprintf("%-16s %.1f %-4s %-8s %8.2f s  own %9.4f  em %9.4f  distance %3.0f\n", name, share,
                kind, learner, row$seconds, row$own, row$em, row$distance))
  }
  if (length(out)) utils::write.csv(results, out, row.names = FALSE)
}

by_learner <- function(learner) results[results$learner == learner, ]
ours <- by_learner("optbn")
theirs <- by_learner("bnlearn")
figure <- function(x, digits = 3) formatC(x, digits = digits, format = "f")
print_table("Structural EM beside bnlearn's", data.frame(
  network = ours$network, missing = paste0(100 * ours$share, " % ", ours$kind),
  "log-likelihood" = figure(ours$own), "bnlearn" = figure(theirs$own),
  "bnlearn, EM" = figure(theirs$em), distance = ours$distance, "bnlearn " = theirs$distance,
  seconds = figure(ours$seconds, 1), "bnlearn, s" = figure(theirs$seconds, 1), check.names = FALSE
))
