# Score against time: learn_dag() for a minute beside bnlearn's hc() and tabu(), on one core, for the
# article "How large can it go", which draws vignettes/articles/score-against-time.csv:
#
#   problem, rows, columns
#   by       learn_dag, hc or tabu
#   seconds  that passed until a network of this score was there; hc() and tabu() tell none before
#            they end
#
#   Rscript bench/score-against-time.R FOLDER
#
# FOLDER holds the data (uncapped-problems.R). The machine should have nothing else to do.

source(file.path("bench", "common.R"))
if (!has("bnlearn")) quit()

folder <- commandArgs(trailingOnly = TRUE)[1L]
if (is.na(folder)) stop("name the folder of the data", call. = FALSE)
source(file.path("bench", "uncapped-problems.R"))
shown <- c("alarm", "accidents", "munin, 5000 rows", "gauss-p120-d10")
problems <- problems[match(shown, vapply(problems, `[[`, "", "name"))]

ours <- function(data, score) {
  set.seed(1)
  network <- learn_dag(data, score, threads = 1, time_limit = 60, progress = FALSE)
  certificate(network)$trace[c("seconds", "score")]
}

peer <- function(search, data, score) {
  seconds <- system.time(network <- search(data, score = score))[["elapsed"]]
  data.frame(seconds = seconds, score = bnlearn::score(network, data, type = score))
}

traces <- lapply(problems, function(one) {
  data <- one$read()
  score <- by_type(data)
  found <- list(learn_dag = ours(data, score), hc = peer(bnlearn::hc, data, score),
                tabu = if (ncol(data) <= 250L) peer(bnlearn::tabu, data, score))
  found <- Filter(Negate(is.null), found)
  data.frame(problem = one$name, rows = nrow(data), columns = ncol(data),
             by = rep(names(found), vapply(found, nrow, 0L)), do.call(rbind, found))
})
utils::write.csv(do.call(rbind, traces), row.names = FALSE,
                 file.path("vignettes", "articles", "score-against-time.csv"))
