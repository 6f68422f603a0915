# Does learn_dag() with defaults ever lose to what a user would otherwise run? One row a data set,
# score and seed: bnlearn's hc() and tabu() (up to 250 columns) and, Gaussian, pcalg's ges(), and
# learn_dag() limited to the larger of five seconds and hill climbing's ("fair"), to the larger of one
# second and a tenth of hill climbing's ("quick"), neither over sixty, and to sixty ("long"); scores
# are bnlearn's, the seconds processor's.
#
#   Rscript bench/uncapped.R FOLDER [name pattern] [peers] [fair] [quick] [long]
#
# FOLDER holds the data: debd/, uci/ with uci.R, networks/, gauss/ (made by gauss.R); words behind the
# pattern leave out what they do not name. The script may be stopped, and goes on where it was: what
# was measured of peers is kept in bench/uncapped-peers.csv, once and for all, and of optbn in
# build/uncapped.csv, anew for each version of its library.

source(file.path("bench", "common.R"))
if (!has("bnlearn")) quit()

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) stop("name the folder of the data", call. = FALSE)
folder <- arguments[1L]
pattern <- if (length(arguments) > 1L) arguments[2L] else ""
asked <- arguments[-(1:2)]
stores <- c(peers = file.path("bench", "uncapped-peers.csv"), ours = file.path("build", "uncapped.csv"))
dir.create("build", showWarnings = FALSE)

# ---- data ---------------------------------------------------------------------------------------

varies <- function(data) data[vapply(data, function(x) length(unique(x)) > 1L, NA)]

as_factors <- function(data) {
  data[] <- lapply(data, factor)
  data
}

read_binary <- function(name, rows) {
  file <- file.path(folder, "debd", paste0(name, ".train.data.gz"))
  as_factors(varies(utils::read.csv(gzfile(file), header = FALSE, nrows = rows)))
}

# Rows of a network in a file, always the same.
sample_network <- function(name, rows = 5000L) {
  fit <- bnlearn::read.bif(gzfile(file.path(folder, "networks", paste0(name, ".bif.gz"))))
  set.seed(1)
  varies(as.data.frame(lapply(bnlearn::rbn(fit, rows), droplevels)))
}

bnlearns <- function(name) {
  data(list = name, package = "bnlearn", envir = environment())
  get(name)
}

numbers_of <- function(name) {
  data <- readRDS(file.path(folder, "gauss", paste0(name, ".rds")))
  as.data.frame(data)
}

uci <- new.env()
if (file.exists(file.path(folder, "uci.R"))) sys.source(file.path(folder, "uci.R"), uci)

sonar <- function() {
  data("Sonar", package = "mlbench", envir = environment())
  Sonar[-61L]
}

by_type <- function(data) {
  numeric <- vapply(data, is.numeric, NA)
  if (all(numeric)) "bic-g" else if (any(numeric)) "bic-cg" else "bic"
}

problem <- function(name, read, score = NULL) list(name = name, read = read, score = score)

binary_names <- c("nltcs", "msnbc", "kdd", "plants", "baudio", "jester", "bnetflix", "accidents",
                  "tretail", "pumsb_star", "dna", "kosarek", "msweb", "book", "tmovie", "cwebkb",
                  "cr52", "c20ng", "bbc", "ad")
sampled_names <- c("alarm", "barley", "mildew", "hailfinder", "hepar2", "win95pts", "pathfinder",
                   "andes", "link", "munin")
bnlearn_names <- c("asia", "insurance", "alarm", "hailfinder", "learning.test", "gaussian.test",
                   "clgaussian.test")
uci_names <- sub("[.]csv[.]gz$", "", list.files(file.path(folder, "uci"), "[.]csv[.]gz$"))
gauss_names <- sub("[.]rds$", "", list.files(file.path(folder, "gauss"), "[.]rds$"))

problems <- c(
  lapply(bnlearn_names, function(name) problem(name, function() bnlearns(name))),
  lapply(c("asia", "insurance", "alarm"), function(name) {
    problem(paste0(name, ", bde"), function() bnlearns(name), "bde")
  }),
  list(problem("gaussian.test, bge", function() bnlearns("gaussian.test"), "bge")),
  lapply(binary_names, function(name) problem(name, function() read_binary(name, 2000L))),
  lapply(binary_names, function(name) {
    problem(paste0(name, ", all rows"), function() read_binary(name, -1L))
  }),
  lapply(sampled_names, function(name) {
    problem(paste0(name, ", 5000 rows"), function() sample_network(name))
  }),
  if (has("mlbench")) list(problem("Sonar", sonar)),
  lapply(uci_names, function(name) {
    problem(paste0("uci ", name), function() uci$read_uci(name, file.path(folder, "uci")))
  }),
  lapply(gauss_names, function(name) problem(name, function() numbers_of(name)))
)
problems <- Filter(function(one) grepl(pattern, one$name), problems)

# ---- what is measured ---------------------------------------------------------------------------

stored <- function() {
  read <- function(store) utils::read.csv(store, colClasses = c(by = "character"))
  do.call(rbind, lapply(stores[file.exists(stores)], read))
}

is_stored <- function(...) {
  wanted <- list(...)
  rows <- stored()
  any(Reduce(`&`, Map(function(value, column) rows[[column]] %in% value, wanted, names(wanted))))
}

keep <- function(store, ...) {
  row <- data.frame(...)
  utils::write.table(row, store, sep = ",", row.names = FALSE, append = file.exists(store),
                     col.names = !file.exists(store))
}

library_version <- substr(tools::md5sum(getLoadedDLLs()[["optbn"]][["path"]]), 1L, 8L)

peers <- list(
  hc = function(data, score) bnlearn::hc(data, score = score),
  tabu = function(data, score) if (ncol(data) <= 250L) bnlearn::tabu(data, score = score),
  ges = function(data, score) {
    if (score != "bic-g" || !requireNamespace("pcalg", quietly = TRUE)) return(NULL)
    dag <- pcalg::ges(methods::new("GaussL0penObsScore", as.matrix(data)))$repr
    bnlearn::as.bn(as(dag, "graphNEL"))
  }
)

measure_peer <- function(peer, name, data, score) {
  if (is_stored(by = peer, problem = name)) return(invisible())
  found <- measure(function() peers[[peer]](data, score))
  if (is.null(found$value) && is.null(found$error)) return(invisible())
  value <- if (is.null(found$error)) bnlearn::score(found$value, data, type = score) else NA
  keep(stores[["peers"]], by = peer, problem = name, seed = NA, limit = NA, seconds = found$processor, score = value,
       status = found$error %||% "")
}

measure_ours <- function(name, data, score, seed, limit, label) {
  if (is_stored(by = library_version, problem = name, seed = seed, limit = label)) {
    return(invisible())
  }
  found <- measure(function() {
    set.seed(seed)
    suppressMessages(learn_dag(data, score, threads = 1, time_limit = limit, progress = FALSE))
  })
  value <- if (is.null(found$error)) bnlearn::score(found$value, data, type = score) else NA
  status <- if (is.null(found$error)) as.data.frame(certificate(found$value))$scope
  keep(stores[["ours"]], by = library_version, problem = name, seed = seed, limit = label, seconds = found$processor,
       score = value, status = found$error %||% status)
}

for (one in problems) {
  data <- one$read()
  score <- one$score %||% by_type(data)
  for (peer in names(peers)) measure_peer(peer, one$name, data, score)
  rows <- stored()
  climbing <- rows$seconds[rows$by == "hc" & rows$problem == one$name]
  limits <- list(fair = min(60, max(5, climbing)), quick = min(60, max(1, climbing / 10)),
                 long = 60)
  if (length(asked) > 0L) limits <- limits[intersect(asked, names(limits))]
  for (seed in 1:2) {
    for (label in names(limits)) {
      measure_ours(one$name, data, score, seed, limits[[label]], label)
    }
  }
}

# ---- the table ----------------------------------------------------------------------------------

rows <- stored()
score_of <- function(by, name, ...) {
  match <- rows$by == by & rows$problem == name
  for (part in list(...)) match <- match & rows[[part[1L]]] %in% part[2L]
  if (any(match)) min(rows$score[match]) else NA
}
of_problem <- function(one) {
  ours <- function(label) score_of(library_version, one$name, c("limit", label))
  best_peer <- max(c(score_of("hc", one$name), score_of("tabu", one$name),
                     score_of("ges", one$name)), na.rm = TRUE)
  data.frame(problem = one$name, hc = score_of("hc", one$name), `best peer` = best_peer,
             quick = ours("quick"), fair = ours("fair"), `60 s` = ours("long"),
             behind = if (isTRUE(ours("fair") < best_peer - 1e-6)) "behind" else "",
             check.names = FALSE)
}
table <- do.call(rbind, lapply(problems, of_problem))
table[2:6] <- lapply(table[2:6], function(x) formatC(as.numeric(x), digits = 2, format = "f"))
print_table("learn_dag() with defaults beside hill climbing (the worse of two seeds)", table)
