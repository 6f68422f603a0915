# Exact inference: posteriors of all nodes given three, beside package gRain.
#
#   Rscript bench/inference.R FOLDER [quick] [NAME...]
#
# FOLDER holds networks NAME.bif.gz, as bnlearn::read.bif() reads them; by default all of them. The
# evidence is three nodes of a row drawn from the network. Both packages build their junction trees
# beforehand and then answer the same questions in the same process, in turn; what counts is the
# median. gRain has no limit on memory: networks of more than 1e7 cells are not given to it.

source(file.path("bench", "common.R"))
arguments <- setdiff(commandArgs(trailingOnly = TRUE), "quick")
if (length(arguments) == 0L) stop("name the folder of the networks", call. = FALSE)
if (!has("bnlearn")) quit(status = 0L)
with_grain <- has("gRain")
folder <- arguments[1L]
networks <- arguments[-1L]
if (length(networks) == 0L) networks <- sub("[.]bif[.]gz$", "", list.files(folder, "[.]bif[.]gz$"))
if (quick) networks <- intersect(c("asia", "alarm"), networks)
questions <- if (quick) 3L else 11L

largest_difference <- function(ours, theirs) {
  max(mapply(function(p, q) max(abs(p - q[names(p)])), ours[names(theirs)], theirs))
}

set.seed(1)
rows <- lapply(networks, function(name) {
  fit <- network_in(folder, name)
  set_up <- spent(compiled <- tryCatch(compile_network(fit), error = identity))
  if (inherits(compiled, "error")) {
    return(data.frame(network = name, nodes = length(fit), width = compiled$width, cells = NA,
                      "set-up s" = NA, "all ms" = NA, "one ms" = NA, "gRain set-up s" = NA,
                      "gRain ms" = NA, ratio = NA, difference = NA, check.names = FALSE))
  }
  cells <- sum(compiled$cells)
  compare <- with_grain && cells <= 1e7
  grain_set_up <- if (compare) spent({
    grain <- gRbase::propagate(gRbase::compile(bnlearn::as.grain(fit)))
  }) else NA
  asked <- lapply(seq_len(questions), function(i) {
    row <- simulate(compiled, 1L)
    lapply(row[sample(length(row), 3L)], as.character)
  })
  ours <- theirs <- one <- difference <- rep(NA_real_, questions)
  for (i in seq_len(questions)) {
    evidence <- asked[[i]]
    other <- sample(setdiff(compiled$nodes, names(evidence)), 1L)
    ours[i] <- seconds_of(function() query(compiled, evidence = evidence))
    one[i] <- seconds_of(function() query(compiled, other, evidence))
    if (!compare) next
    ask_grain <- function() gRain::querygrain(gRain::setEvidence(grain, evidence = evidence))
    theirs[i] <- seconds_of(ask_grain)
    difference[i] <- largest_difference(query(compiled, evidence = evidence), ask_grain())
  }
  digits <- function(x) if (is.na(x)) NA else formatC(x, digits = 3, format = "fg")
  data.frame(
    network = name, nodes = length(fit), width = compiled$width,
    cells = formatC(cells, digits = 3, format = "g"),
    "set-up s" = digits(set_up),
    "all ms" = digits(1000 * stats::median(ours)),
    "one ms" = digits(1000 * stats::median(one)),
    "gRain set-up s" = digits(grain_set_up),
    "gRain ms" = digits(1000 * stats::median(theirs)),
    ratio = digits(stats::median(theirs / ours)),
    difference = if (compare) formatC(max(difference), digits = 1, format = "e") else NA,
    check.names = FALSE
  )
})

print_table(
  "Exact posteriors given three nodes", do.call(rbind, rows),
  "all: posteriors of all nodes; one: of one other node. Processor milliseconds per question.",
  "gRain: posteriors of all nodes that are not observed, with new evidence set for each question."
)
