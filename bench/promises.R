# What README, articles and resolved issues promise, measured: each row of promises.csv is run and
# held against its figures.
#
#   make promises               all rows
#   make promises QUICK=1       those marked quick, some 20 minutes
#   make promises ONLY=regex    those whose names match
#
# A row's columns:
#   name, source    what it is, and which text states it
#   quick           yes or no
#   data            an R expression; its value is `data` in the next two. set.seed(1) precedes it.
#   ours            an R expression: the work, timed (over several seeds where its nodes depend on
#                   the order that local search leaves, by a third either way)
#   peer            an R expression for the same by another package, timed; or `baseline COMMIT`:
#                   the same work by the package as it was then; or nothing
#   score, bound, scope, status   what `ours` must reach at least; or nothing. A number that is
#                   returned is a score. Of a posterior distribution the score is the logarithm of
#                   the sum over networks, the bound what a probability may be off; of Markov
#                   chains the bound is that of R-hat.
#   ratio           of processor seconds, ours to the peer's: at most 15 % more than this
#
# Both sides run in turn, each time in an R process of its own on one core, and the ratio is of the
# least seconds of each; where it is too high they run again, up to nine times.
#
# Results go to build/promises.csv in the same columns, with what was measured, row by row. A run
# that was stopped goes on there: a row is not run again for the same package. Figures of a new row
# are taken from there, once looked at.

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))

figures <- c("score", "bound", "scope", "status", "ratio")
tolerated <- c(score = 1e-6, bound = 1e-6, ratio = 0.15)

# ---- a side of a row, in a process of its own ---------------------------------------------------

shared <- function(...) file.path(Sys.getenv("OPTBN_SHARED"), "data", ...)
instance <- function(name, folder = "instances") {
  read_jkl(shared(folder, paste0(name, ".jkl.gz")))
}
sampled <- function(name, rows) sampled_data(name, rows, shared("networks"))
# A network of the repository, and what a row drawn from it has in some nodes.
drawn_question <- function(name, nodes) {
  fit <- network_in(shared("networks"), name)
  list(fit = fit,
       evidence = lapply(bnlearn::rbn(fit, 1L)[sample(length(fit), nodes)], as.character))
}
published <- function(name) published_sample(name, shared("samples"))
binary <- function(name, rows) binary_data(name, rows, shared("debd"))
uci <- function(name) {
  prepared <- new.env()
  sys.source(shared("uci.R"), prepared)
  prepared$read_uci(name, shared("uci"))
}
# From the sources: a baseline may be older than the data sets of the package.
shipped <- function(name) {
  utils::read.csv(file.path("tools", "data", paste0(name, ".csv.gz")), stringsAsFactors = TRUE)
}

# With this share of all values missing.
with_gaps <- function(data, share) {
  data[] <- lapply(data, function(x) replace(x, stats::runif(length(x)) < share, NA))
  data
}

# The network of learn_dag(), with a proof that the program accepts, of at most `most` bytes; from
# the `rows` on, if they are given.
proved_on_paper <- function(data, ..., most = Inf, rows = NULL) {
  file <- tempfile(fileext = ".gz")
  network <- learn_dag(data, ..., threads = 1, progress = FALSE, proof = file)
  checked <- check_proof(file, network, data = rows,
                         targets = if (!is.null(rows)) list(...)$targets)
  stopifnot(checked$status == "optimal", file.size(file) <= most,
            is.null(rows) || checked$scores$proved)
  network
}

# Processor seconds of one run, and the figures of its value. Short work is repeated until it can be
# measured; the first run is not counted then.
run_side <- function(data, work) {
  set.seed(1)
  data <- eval(parse(text = data))
  work <- parse(text = work)
  spent <- function(times) {
    clock <- system.time(for (i in seq_len(times)) value <<- eval(work), gcFirst = TRUE)
    clock[["user.self"]] + clock[["sys.self"]]
  }
  value <- NULL
  seconds <- suppressMessages(spent(1L))
  if (seconds < 0.5) {
    times <- ceiling(0.5 / max(seconds, 0.001))
    seconds <- suppressMessages(spent(times)) / times
  }
  c(list(seconds = seconds), figures_of(value))
}

figures_of <- function(value) {
  if (inherits(value, "optbn_parent_sets")) {
    best <- vapply(value$sets, function(sets) max(sets$score), 0)
    return(list(score = sum(best), scope = paste(length(value), "sets")))
  }
  if (inherits(value, "optbn_posterior")) {
    return(list(score = value$log_sum, bound = value$lost + value$rounding))
  }
  if (inherits(value, "optbn_dags")) return(list(bound = max(value$chains$agreement$r_hat)))
  if (is.numeric(value) && length(value) == 1L) return(list(score = as.vector(value)))
  if (!inherits(value, "optbn")) return(list())
  record <- certificate(value)
  list(score = record$score, bound = record$bound, status = record$status, scope = scope_of(record))
}

scope_of <- function(record) {
  if (!identical(record$settings$source, "data")) return("given sets")
  paste("at most", max(record$settings$max_parents), "parents")
}

# ---- both sides ---------------------------------------------------------------------------------

side_elsewhere <- function(data, work, library = NULL) {
  files <- tempfile(c("given", "found"))
  on.exit(unlink(files))
  saveRDS(list(data = data, work = work), files[1L])
  libraries <- paste(c(library, .libPaths()), collapse = .Platform$path.sep)
  status <- system2(file.path(R.home("bin"), "Rscript"),
                    c("bench/promises.R", "side", files), env = paste0("R_LIBS=", libraries))
  if (status != 0L) stop("did not run: ", work, call. = FALSE)
  readRDS(files[2L])
}

# The library of the package as it was at a commit, built once.
baseline_library <- function(commit) {
  library <- file.path(tools::R_user_dir("optbn", "cache"), "baselines", commit)
  if (dir.exists(file.path(library, "optbn"))) return(library)
  cat("Building the baseline", commit, "\n")
  source <- tempfile("baseline")
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  dir.create(source)
  on.exit(unlink(source, recursive = TRUE))
  command <- paste("{ git archive", commit, "| tar x -C", source, "&& MAKEFLAGS=-j2",
                   file.path(R.home("bin"), "R"), "CMD INSTALL --no-docs",
                   paste0("--library=", library), source, "; } > build/baseline.log 2>&1")
  if (system(command) != 0L || !dir.exists(file.path(library, "optbn"))) {
    stop("the baseline was not built: see build/baseline.log", call. = FALSE)
  }
  library
}

peer_side <- function(row) {
  if (row$peer == "") return(NULL)
  if (!startsWith(row$peer, "baseline ")) return(function() side_elsewhere(row$data, row$peer))
  library <- baseline_library(sub("baseline ", "", row$peer))
  function() side_elsewhere(row$data, row$ours, library)
}

# What a row measures: a list with the figures, as far as they apply.
measure_row <- function(row) {
  run_peer <- peer_side(row)
  if (is.null(run_peer)) return(side_elsewhere(row$data, row$ours))
  wanted <- if (is.na(row$ratio)) Inf else row$ratio * (1 + tolerated[["ratio"]])
  least <- c(ours = Inf, peer = Inf)
  for (turn in 1:9) {
    found <- side_elsewhere(row$data, row$ours)
    least <- pmin(least, c(found$seconds, run_peer()$seconds))
    found$ratio <- least[["ours"]] / least[["peer"]]
    if (turn >= 3L && found$ratio <= wanted) break
  }
  found
}

# Which figures are worse than the row says. Larger scores are better, smaller bounds and ratios; a
# status or a scope is to be the same.
broken_figures <- function(row, found) {
  Filter(function(figure) {
    promised <- row[[figure]]
    measured <- found[[figure]] %||% NA
    if (is.na(promised) || promised == "") return(FALSE)
    if (is.na(measured)) return(TRUE)
    switch(figure,
      score = measured < promised - tolerated[["score"]] * max(1, abs(promised)),
      bound = measured > promised + tolerated[["bound"]] * max(1, abs(promised)),
      ratio = measured > promised * (1 + tolerated[["ratio"]]),
      !identical(as.character(measured), as.character(promised))
    )
  }, figures)
}

# ---- all rows -----------------------------------------------------------------------------------

read_rows <- function(file) {
  numbers <- c(score = "numeric", bound = "numeric", ratio = "numeric")
  rows <- utils::read.csv(file, na.strings = "", colClasses = numbers)
  rows$peer[is.na(rows$peer)] <- ""
  rows
}

# Results of this very package for these very rows.
package_key <- function() {
  files <- list.files(system.file(package = "optbn"), recursive = TRUE, full.names = TRUE)
  files <- files[grepl("(libs|R)/", files)]
  substr(rlang::hash(unname(tools::md5sum(files))), 1L, 8L)
}

run_row <- function(row, key) {
  found <- tryCatch(measure_row(row), error = function(e) list(error = conditionMessage(e)))
  broken <- if (is.null(found$error)) broken_figures(row, found) else "run"
  verdict <- if (length(broken) == 0L) "kept" else paste("BROKEN:", toString(broken))
  for (figure in figures) row[[figure]] <- found[[figure]] %||% NA
  cat(sprintf("%-44s %s  %s\n", row$name, verdict,
              paste(sprintf("%s %s", figures, format_figures(row)), collapse = ", ")))
  cbind(row, seconds = found$seconds %||% NA, verdict = verdict, package = key)
}

format_figures <- function(row) {
  vapply(figures, function(figure) {
    value <- row[[figure]]
    if (!is.numeric(value)) return(as.character(value))
    formatC(value, digits = if (figure == "ratio") 3 else 10, format = "fg")
  }, "")
}

run_all <- function(rows, file) {
  key <- package_key()
  kept <- if (file.exists(file)) read_rows(file)
  asked <- kept$name %in% rows$name
  others <- kept[!asked, ]
  results <- kept[asked & kept$package == key & kept$verdict == "kept", ]
  for (i in which(!rows$name %in% results$name)) {
    results <- rbind(results, run_row(rows[i, ], key))
    utils::write.csv(rbind(others, results), file, row.names = FALSE, na = "")
  }
  broken <- results$name[results$verdict != "kept"]
  cat(sprintf("\nPromises: %d passed, %d failed\n", nrow(results) - length(broken), length(broken)))
  length(broken) == 0L
}

arguments <- commandArgs(trailingOnly = TRUE)
if (identical(arguments[1L], "side")) {
  given <- readRDS(arguments[2L])
  saveRDS(run_side(given$data, given$work), arguments[3L])
} else {
  rows <- read_rows(file.path("bench", "promises.csv"))
  if (quick) rows <- rows[rows$quick == "yes", ]
  only <- setdiff(arguments, "quick")
  if (length(only) > 0L) rows <- rows[grepl(only, rows$name), ]
  if (!run_all(rows, file.path("build", "promises.csv"))) quit(status = 1L)
}
