# How well do networks of cut data foresee new rows? Methods of discretize_data() side by side.
#
#   Rscript bench/discretize.R FOLDER [SECONDS]
#
# FOLDER holds uci/NAME.csv.gz. Two thirds of the rows, drawn at random, are cut, a network of at
# most 4 parents a node is learned of them by BDeu (one that method "score" has found is kept) and
# fitted; at most SECONDS (30) go into cuts and into a network. The other rows are cut by predict().
# Their density, relative to that of the columns taken one by one, is
#
#   log P(bins and levels) - sum over columns of log(n_b / N),
#
# with n_b of the N rows of training in the bin of the row: within its bin, every method says of a
# value what the column alone says of it. The table has its mean over rows and three draws, in nats
# a row; larger is better. Discrete columns count with log P alone, the same for all methods.

source("bench/common.R")

arguments <- setdiff(commandArgs(trailingOnly = TRUE), "quick")
if (length(arguments) < 1L) stop("name the folder of the data", call. = FALSE)
folder <- arguments[1L]
seconds <- if (length(arguments) > 1L) as.numeric(arguments[2L]) else 30

measured <- function(name, factors = character(), without = character()) {
  data <- utils::read.csv(file.path(folder, "uci", paste0(name, ".csv.gz")),
                          stringsAsFactors = TRUE)
  data <- data[setdiff(names(data), without)]
  data[factors] <- lapply(data[factors], factor)
  data
}

problems <- list(
  "wdbc" = function() measured("wdbc"),
  "housing" = function() measured("housing", "CHAS"),
  "parkinsons" = function() measured("parkinsons", "sex", 1),
  "page-blocks" = function() measured("page-blocks", "class")
)

methods <- list(
  "frequency, 3 bins" = list(method = "frequency", bins = 3),
  "frequency, 7 bins" = list(method = "frequency", bins = 7),
  "hartemink, 3 bins" = list(method = "hartemink", bins = 3),
  "hartemink, 7 bins" = list(method = "hartemink", bins = 7),
  "score, bde" = list(method = "score", max_parents = 4),
  "score, bic" = list(method = "score", score = "bic", max_parents = 4)
)
if (quick) {
  problems <- problems["housing"]
  seconds <- 2
}

# Nats a row of new rows, and the seconds of cuts and network.
held_out <- function(training, testing, chosen) {
  spent <- system.time({
    cut <- do.call(discretize_data, c(list(training, progress = FALSE, time_limit = seconds),
                                      chosen))
    network <- attr(cut, "network")
    if (is.null(network)) {
      network <- learn_dag(cut, "bde", max_parents = 4, time_limit = seconds, progress = FALSE)
    }
  })
  fit <- fit_network(network, cut)
  new <- predict(cut, testing)
  alone <- Reduce(`+`, lapply(names(attr(cut, "cuts")), function(name) {
    log(tabulate(cut[[name]], nlevels(cut[[name]])) / nrow(cut))[new[[name]]]
  }))
  bins <- lengths(attr(cut, "cuts")) + 1
  list(nats = mean(log_density(fit, new) - alone), seconds = spent[["elapsed"]],
       bins = mean(bins), arcs = nrow(network$arcs))
}

draws <- if (quick) 1L else 3L
rows <- lapply(names(problems), function(name) {
  data <- problems[[name]]()
  data <- data[vapply(data, function(x) length(unique(x)) > 1L, NA)]
  one_by_one <- lapply(methods, function(chosen) {
    found <- lapply(seq_len(draws), function(draw) {
      set.seed(draw)
      training <- sample(nrow(data), round(2 / 3 * nrow(data)))
      cat(".")
      tryCatch(
        suppressMessages(held_out(data[training, ], data[-training, ], chosen)),
        optbn_error_data = function(e) list(nats = NA, seconds = NA, bins = NA, arcs = NA)
      )
    })
    vapply(c("nats", "seconds", "bins", "arcs"), function(part) {
      mean(vapply(found, `[[`, 0, part))
    }, 0)
  })
  best <- max(vapply(one_by_one, `[[`, 0, "nats"))
  data.frame(
    data = name, rows = in_thousands(nrow(data)), columns = ncol(data), cuts = names(methods),
    nats = vapply(one_by_one, function(x) sprintf("%.3f", x[["nats"]]), ""),
    behind = vapply(one_by_one, function(x) sprintf("%.3f", best - x[["nats"]]), ""),
    bins = vapply(one_by_one, function(x) sprintf("%.1f", x[["bins"]]), ""),
    arcs = vapply(one_by_one, function(x) sprintf("%.0f", x[["arcs"]]), ""),
    seconds = vapply(one_by_one, function(x) in_seconds(x[["seconds"]]), "")
  )
})
table <- do.call(rbind, rows)
names(table)[6:7] <- c("behind the best", "bins a column")
print_table("Cuts, and networks of what is cut: new rows", table,
            "Gain in log density per row, in nats, over the columns taken one by one: larger is
             better; elapsed seconds of cuts and network together.")
