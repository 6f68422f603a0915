# Score against time: learn_dag() for a minute beside bnlearn's hc() and tabu() and Tetrad's BOSS,
# on one core, for the article "How large can it go", which draws
# vignettes/articles/score-against-time.csv:
#
#   problem, rows, columns
#   by       learn_dag, hc, tabu or boss
#   seconds  that passed until a network of this score was there; the others tell none before they
#            end. Those of BOSS are without the start of Java
#
#   Rscript bench/score-against-time.R FOLDER
#
# FOLDER holds the data (uncapped-problems.R). The machine should have nothing else to do.
#
# BOSS takes part where the environment variable TETRAD_CLASSPATH holds the class path of Tetrad
# (https://github.com/cmu-phil/tetrad), 7.6.10 or later, for bench/boss.java; the discrete BIC of
# old ones is not bnlearn's. It has ten minutes, and no row where it does not end.

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

tetrad <- Sys.getenv("TETRAD_CLASSPATH")
if (tetrad == "") message("TETRAD_CLASSPATH is not set: BOSS is left out")
boss_limit <- 600

boss <- function(data, score) {
  if (tetrad == "") return(NULL)
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  discrete <- all(vapply(data, is.factor, NA))
  codes <- if (discrete) lapply(data, function(column) as.integer(column) - 1L) else data
  utils::write.csv(codes, file, row.names = FALSE, quote = FALSE)
  answer <- run_boss(file, if (discrete) "discrete" else "gaussian")
  if (is.null(answer)) return(NULL)
  network <- bnlearn::empty.graph(names(data))
  bnlearn::arcs(network) <- as.matrix(utils::read.csv(text = answer[-1L], colClasses = "character"))
  data.frame(seconds = as.numeric(sub("# ", "", answer[1L])),
             score = bnlearn::score(network, data, type = score))
}

# The lines that boss.java prints; NULL where the limit struck. Tetrad would keep preferences in the
# home folder.
run_boss <- function(file, type) {
  arguments <- c("-XX:ActiveProcessorCount=1", paste0("-Djava.util.prefs.userRoot=", tempdir()),
                 "-cp", tetrad, file.path("bench", "boss.java"), file, type)
  answer <- suppressWarnings( # of the limit
    system2("java", shQuote(arguments), stdout = TRUE, timeout = boss_limit)
  )
  status <- attr(answer, "status")
  if (is.null(status)) return(answer)
  if (status != 124L) stop("BOSS failed with status ", status, call. = FALSE)
  message("BOSS did not end in ", boss_limit, " seconds")
  NULL
}

traces <- lapply(problems, function(one) {
  data <- one$read()
  score <- by_type(data)
  found <- list(learn_dag = ours(data, score), hc = peer(bnlearn::hc, data, score),
                tabu = if (ncol(data) <= 250L) peer(bnlearn::tabu, data, score),
                boss = boss(data, score))
  found <- Filter(Negate(is.null), found)
  data.frame(problem = one$name, rows = nrow(data), columns = ncol(data),
             by = rep(names(found), vapply(found, nrow, 0L)), do.call(rbind, found))
})
utils::write.csv(do.call(rbind, traces), row.names = FALSE,
                 file.path("vignettes", "articles", "score-against-time.csv"))
