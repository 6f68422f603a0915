# Does learn_dag() with defaults ever lose to what a user would otherwise run? One row a data set,
# score and seed: bnlearn's hc() and tabu() (up to 250 columns) and, Gaussian, pcalg's ges(), and
# learn_dag() limited to the larger of five seconds and hill climbing's, but 240 ("fair"), to the
# larger of one second and a tenth of hill climbing's, but sixty ("quick"), and to sixty ("long");
# scores are bnlearn's, the seconds processor's. Of more than 500 numeric columns climb_gaussian()
# takes hc()'s steps, in its own seconds: hc() would take many hours. Trees are held against the
# networks that bnlearn's searches find with its own score, under theirs; a table in a database
# against the frame.
#
#   Rscript bench/uncapped.R FOLDER [name pattern] [peers] [fair] [quick] [long]
#
# FOLDER holds the data (uncapped-problems.R); words behind the pattern leave out what they do not
# name. The script may be stopped, and goes on where it was: what
# was measured of peers is kept in bench/uncapped-peers.csv, once and for all, and of optbn in
# build/uncapped.csv, anew for each version of its library. The table goes to
# vignettes/articles/uncapped.csv when no pattern leaves rows out ("" with the word `table` makes it
# of what is stored).

source(file.path("bench", "common.R"))
source(file.path("bench", "climb-gaussian.R"))
if (!has("bnlearn")) quit()

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) stop("name the folder of the data", call. = FALSE)
folder <- arguments[1L]
pattern <- if (length(arguments) > 1L) arguments[2L] else ""
asked <- arguments[-(1:2)]
stores <- c(peers = file.path("bench", "uncapped-peers.csv"),
            ours = file.path("build", "uncapped.csv"))
dir.create("build", showWarnings = FALSE)

source(file.path("bench", "uncapped-problems.R"))
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

score_of_dag <- function(dag, data, score) {
  if (score == "pcart") return(score_network(dag, data, score))
  bnlearn::score(dag, data, type = score)
}

peers <- list(
  hc = function(data, score) {
    if (score == "bic-g" && ncol(data) > 500L) return(climb_gaussian(data))
    bnlearn::hc(data, score = score)
  },
  tabu = function(data, score) if (ncol(data) <= 250L) bnlearn::tabu(data, score = score),
  ges = function(data, score) {
    if (score != "bic-g" || !requireNamespace("pcalg", quietly = TRUE)) return(NULL)
    dag <- pcalg::ges(methods::new("GaussL0penObsScore", as.matrix(data)))$repr
    bnlearn::as.bn(as(dag, "graphNEL"))
  }
)

measure_peer <- function(peer, name, data, score) {
  if (is_stored(by = peer, problem = name)) return(invisible())
  own <- if (score == "pcart") by_type(data) else score
  found <- measure(function() peers[[peer]](data, own))
  if (is.null(found$value) && is.null(found$error)) return(invisible())
  value <- if (is.null(found$error)) score_of_dag(found$value, data, score) else NA
  keep(stores[["peers"]], by = peer, problem = name, seed = NA, limit = NA,
       seconds = found$processor, score = value, status = found$error %||% "")
}

measure_ours <- function(one, data, score, seed, limit, label) {
  if (is_stored(by = library_version, problem = one$name, seed = seed, limit = label)) {
    return(invisible())
  }
  found <- measure(function() {
    set.seed(seed)
    how <- list(score = score, threads = 1, time_limit = limit, progress = FALSE)
    suppressMessages(do.call(learn_dag, c(one$given(data), how)))
  })
  value <- if (is.null(found$error)) score_of_dag(found$value, data, score) else NA
  status <- if (is.null(found$error)) as.data.frame(certificate(found$value))$scope
  keep(stores[["ours"]], by = library_version, problem = one$name, seed = seed, limit = label,
       seconds = found$processor, score = value, status = found$error %||% status)
}

for (i in seq_along(problems)) {
  one <- problems[[i]]
  data <- one$read()
  score <- one$score %||% by_type(data)
  problems[[i]][c("rows", "columns", "score")] <- c(dim(data), score)
  if ("table" %in% asked) next
  for (peer in names(peers)) measure_peer(peer, one$name, data, score)
  rows <- stored()
  climbing <- rows$seconds[rows$by == "hc" & rows$problem == one$name]
  limits <- list(fair = min(240, max(5, climbing)), quick = min(60, max(1, climbing / 10)),
                 long = 60)
  if (length(asked) > 0L) limits <- limits[intersect(asked, names(limits))]
  for (seed in 1:2) {
    for (label in names(limits)) {
      measure_ours(one, data, score, seed, limits[[label]], label)
    }
  }
}

# ---- the table ----------------------------------------------------------------------------------

rows <- stored()
of <- function(column, by, name, ...) {
  match <- rows$by == by & rows$problem == name
  for (part in list(...)) match <- match & rows[[part[1L]]] %in% part[2L]
  if (any(match)) min(rows[[column]][match]) else NA
}
# Ours of the version that was measured last within that time.
of_problem <- function(one) {
  peer <- function(by) of("score", by, one$name)
  ours <- function(label) {
    versions <- rows$by[rows$problem == one$name & rows$limit %in% label]
    of("score", utils::tail(versions, 1L), one$name, c("limit", label))
  }
  data.frame(
    problem = one$name, rows = as.integer(one$rows), columns = as.integer(one$columns),
    score = one$score, hc_seconds = of("seconds", "hc", one$name),
    hc = peer("hc"), tabu = peer("tabu"), ges = peer("ges"),
    quick = ours("quick"), fair = ours("fair"), long = ours("long")
  )
}
table <- do.call(rbind, lapply(problems, of_problem))
if (pattern == "") {
  utils::write.csv(table, file.path("vignettes", "articles", "uncapped.csv"), row.names = FALSE,
                   na = "")
}
best_peer <- do.call(pmax, c(table[c("hc", "tabu", "ges")], na.rm = TRUE))
behind <- function(ours) ours < best_peer - 1e-6
table$behind <- ifelse(behind(table$fair) %in% TRUE, "behind", "")

# README's rows, as it has them: what others have more than hc().
in_readme <- c(
  alarm = "ALARM, bnlearn's data", insurance = "INSURANCE, bnlearn's data",
  hailfinder = "HAILFINDER, bnlearn's data", accidents = "accidents", ad = "ad",
  "munin, 5000 rows" = "sample of MUNIN", "gauss-p120-d10" = "simulated Gaussian",
  "uci communities" = "communities, mixed columns",
  "insurance, pcart" = "INSURANCE, trees (`pcart`)"
)
shown <- match(names(in_readme), table$problem)
in_tenths <- function(x, ...) formatC(x, digits = 1, format = "f", big.mark = ",", ...)
more <- function(score) in_tenths(score - table$hc, flag = "+")[shown]
readme <- data.frame(
  data = in_readme, rows = in_thousands(table$rows[shown]),
  columns = in_thousands(table$columns[shown]),
  "`hc`" = paste(in_tenths(table$hc[shown]), "in", in_tenths(table$hc_seconds[shown]), "s"),
  "best of `hc`, `tabu`, `ges`" = more(best_peer),
  "`learn_dag`, a tenth of the time" = more(table$quick),
  "`learn_dag`, the same time" = more(table$fair), check.names = FALSE
)[!is.na(shown), ]
if (nrow(readme) > 0L) print_table("Comparison with hill climbing", readme)

numbers <- c("hc_seconds", "hc", "tabu", "ges", "quick", "fair", "long")
table[numbers] <- lapply(table[numbers], function(x) {
  ifelse(is.na(x), "", formatC(x, digits = 2, format = "f"))
})
print_table("learn_dag() with defaults beside hill climbing (the worse of two seeds)", table)
