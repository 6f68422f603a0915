# How near do completed values come to those that were removed? learn_dag(missing = "em"), fitted by
# fit_network(method = "em"), beside chained equations (package mice).
#
#   Rscript bench/impute.R [quick] FOLDER [NAME...]
#
# FOLDER holds uci/ and uci.R. From complete rows 10 % or 30 % of the cells are removed completely at
# random, and each method sees what is left. Judged are the removed cells:
#
#   discrete  log loss, of the probabilities of the levels given what the row still has, and the share of
#             cells whose most probable level is wrong
#   numeric   root mean squared error of the mean given what the row still has, in standard deviations
#             of the column
#
# Ours are the exact posteriors (predict()). mice gives draws alone: with its defaults (predictive mean
# matching, logistic and multinomial regressions, 5 iterations) `imputations` of them per cell, of which
# frequencies with half a draw added to each level make probabilities. So that this costs neither side,
# the log loss of ours is given from as many draws of impute() with the same half draws, too. The
# marginal distribution of the known cells of the column is what needs no model. Cells that mice leaves
# (columns that it drops as collinear) get that. Seconds of mice are those of its default of five
# imputations.

source(file.path("bench", "common.R"))
shelf <- new.env()
utils::data(list = c("alarm", "gaussian.test", "clgaussian.test"), package = "bnlearn", envir = shelf)
arguments <- setdiff(commandArgs(trailingOnly = TRUE), "quick")
if (length(arguments) == 0L && !quick) stop("name the folder", call. = FALSE)
folder <- arguments[1L]
if (!quick) source(file.path(folder, "uci.R"))

first_rows <- function(data, n) droplevels(utils::head(data, n))
# Every so many rows of a table, since some are sorted.
uci <- function(name, by = 1) {
  data <- read_uci(name, file.path(folder, "uci"))
  varying(droplevels(data[seq(1, nrow(data), by = by), ]))
}
# Columns that vary, of whose levels each is there ten times at least.
varying <- function(data) {
  data[vapply(data, function(x) {
    if (is.factor(x)) nlevels(x) > 1L && min(table(x)) >= 10 else stats::sd(x) > 0
  }, NA)]
}
# Numbers of at least 0 whose tail is long.
in_logarithms <- function(data) {
  data[] <- lapply(data, function(x) {
    skewed <- is.numeric(x) && min(x) >= 0 && mean(((x - mean(x)) / stats::sd(x))^3) > 1
    if (skewed) log(x + stats::median(x[x > 0]) / 10) else x
  })
  data
}
tables <- list(
  alarm = function() varying(first_rows(shelf$alarm, 1000)),
  gaussian.test = function() first_rows(shelf$gaussian.test, 1000),
  clgaussian.test = function() first_rows(shelf$clgaussian.test, 1000),
  mushroom = function() uci("mushroom", by = 4),
  australian = function() uci("australian"),
  `australian, logs` = function() in_logarithms(uci("australian")),
  housing = function() uci("housing"),
  `housing, logs` = function() in_logarithms(uci("housing"))
)
if (length(arguments) > 1L) tables <- tables[arguments[-1L]]
if (quick) tables <- list(clgaussian.test = function() first_rows(shelf$clgaussian.test, 200))
imputations <- if (quick) 5L else 20L

remove_cells <- function(data, share) {
  data[] <- lapply(data, function(x) replace(x, stats::runif(length(x)) < share, NA))
  data
}

# ---- what the methods say of removed cells -------------------------------------------------------

# Answers by column: a matrix of probabilities of levels, or means, with a row for each removed cell.

from_marginal <- function(gaps) {
  lapply(gaps, function(x) {
    open <- sum(is.na(x))
    if (is.numeric(x)) return(rep(mean(x, na.rm = TRUE), open))
    p <- prop.table(table(x) + 0.5)
    matrix(p, open, length(p), byrow = TRUE)
  })
}

from_completed <- function(gaps, completed) {
  other <- from_marginal(gaps)
  Map(function(name, x) {
    open <- is.na(x)
    found <- lapply(completed, function(table) table[[name]][open])
    if (is.numeric(x)) {
      mean <- Reduce(`+`, found) / length(found)
      return(ifelse(is.na(mean), other[[name]], mean))
    }
    counts <- Reduce(`+`, lapply(found, function(drawn) {
      1 * outer(as.character(drawn), levels(x), `==`) # NA of what is left
    }))
    p <- (counts + 0.5) / (length(found) + 0.5 * nlevels(x))
    replace(p, is.na(p), other[[name]][is.na(p)])
  }, names(gaps), gaps)
}

learn_ours <- function(gaps) {
  network <- suppressMessages(learn_dag(gaps, missing = "em", threads = 1, progress = FALSE))
  suppressMessages(fit_network(network, gaps, method = "em", progress = FALSE))
}

from_ours <- function(fit, gaps) {
  lapply(rlang::set_names(names(gaps)), function(name) {
    rows <- gaps[is.na(gaps[[name]]), ]
    predict(fit, rows, name, type = if (is.numeric(gaps[[name]])) "response" else "prob")
  })
}

from_mice <- function(gaps, m, seed) {
  made <- suppressWarnings(mice::mice(gaps, m = m, seed = seed, printFlag = FALSE))
  mice::complete(made, "all")
}

# ---- how good that is ----------------------------------------------------------------------------

judge <- function(answers, data, gaps) {
  discrete <- vapply(data, is.factor, NA)
  loss <- wrong <- square <- numeric()
  for (name in names(data)) {
    open <- is.na(gaps[[name]])
    truth <- data[[name]][open]
    answer <- answers[[name]]
    if (discrete[[name]]) {
      loss <- c(loss, -log(answer[cbind(seq_along(truth), as.integer(truth))]))
      wrong <- c(wrong, max.col(answer, ties.method = "first") != as.integer(truth))
    } else {
      square <- c(square, ((answer - truth) / stats::sd(data[[name]]))^2)
    }
  }
  c(loss = mean(loss), wrong = mean(wrong), error = sqrt(mean(square)))
}

compare <- function(name, share) {
  data <- tables[[name]]()
  set.seed(1)
  gaps <- remove_cells(data, share)
  ours <- measure(function() {
    set.seed(1)
    fit <- learn_ours(gaps)
    list(fit = fit, answers = from_ours(fit, gaps))
  })
  if (!is.null(ours$error)) stop(name, ": ", ours$error)
  set.seed(2)
  drawn <- impute(ours$value$fit, gaps, draws = imputations)
  runs <- list(marginal = from_marginal(gaps), optbn = ours$value$answers,
               draws = from_completed(gaps, drawn))
  seconds <- NA
  if (with_mice) {
    five <- measure(function() from_mice(gaps, 5L, 1))
    more <- if (imputations > 5L) measure(function() from_mice(gaps, imputations - 5L, 2))
    runs$mice <- from_completed(gaps, c(five$value, more$value))
    seconds <- five$processor
  }
  cat(name, share, "done\n", file = stderr())
  list(data = name, rows = nrow(data), columns = sprintf("%d + %d", sum(vapply(data, is.factor, NA)),
                                                         sum(vapply(data, is.numeric, NA))),
       missing = sprintf("%d %%", round(100 * share)), seconds = c(ours$processor, seconds),
       found = vapply(runs, judge, numeric(3L), data = data, gaps = gaps))
}

with_mice <- has("mice")
cases <- expand.grid(share = c(0.1, 0.3), name = names(tables), stringsAsFactors = FALSE)
results <- Map(compare, cases$name, cases$share)

row_of <- function(result, part) {
  found <- result$found[part, ]
  figures <- ifelse(is.na(found), "", sprintf("%.3f", found))
  as.data.frame(c(result[c("data", "rows", "columns", "missing")], as.list(figures)),
                check.names = FALSE)
}
table_of <- function(part, runs) {
  table <- do.call(rbind, unname(lapply(results, row_of, part)))
  table <- table[table$marginal != "", c("data", "columns", "missing", intersect(runs, names(table)))]
  names(table)[names(table) == "draws"] <- sprintf("optbn, %d draws", imputations)
  names(table)[names(table) == "mice"] <- sprintf("mice, %d draws", imputations)
  table
}
columns <- "Columns: discrete + numeric."
print_table("Missing values: log loss of removed discrete cells",
            table_of("loss", c("marginal", "optbn", "draws", "mice")), columns)
print_table("Missing values: share of removed discrete cells that are wrong",
            table_of("wrong", c("marginal", "optbn", "mice")), columns)
print_table("Missing values: error of removed numeric cells, in standard deviations",
            table_of("error", c("marginal", "optbn", "mice")), columns)
print_table("Missing values: processor seconds of one core", do.call(rbind, unname(lapply(
  results, function(result) {
    data.frame(result[c("data", "rows", "columns", "missing")],
               optbn = in_seconds(result$seconds[1L]),
               `mice, 5 imputations` = in_seconds(result$seconds[2L]), check.names = FALSE)
  }
))), "Ours: learning, fitting, and the posterior of every removed cell.")
