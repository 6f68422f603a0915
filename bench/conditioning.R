# Exact inference within little memory: what compile_network() makes of a network under falling
# limits, and what a question takes then.
#
#   Rscript bench/conditioning.R FOLDER [quick] [NAME...]
#
# FOLDER holds networks NAME.bif.gz, as bnlearn::read.bif() reads them. The question is for all
# posteriors given three nodes of a row drawn from the network; one that is forecast to take more
# than a minute is stopped after 20 seconds, and the probability that is missing then is given.

source(file.path("bench", "common.R"))
arguments <- setdiff(commandArgs(trailingOnly = TRUE), "quick")
if (length(arguments) == 0L) stop("name the folder of the networks", call. = FALSE)
if (!has("bnlearn")) quit(status = 0L)
folder <- arguments[1L]
networks <- arguments[-1L]
if (length(networks) == 0L) {
  networks <- if (quick) c("asia", "alarm") else
    c("water", "mildew", "diabetes", "munin", "barley", "link", "munin1")
}
limits <- if (quick) c(1e6, 2e4) else c(2e9, 2e8, 2e7, 5e6)

digits <- function(x) formatC(x, digits = 3, format = "fg")

set.seed(1)
rows <- lapply(networks, function(name) {
  fit <- network_in(folder, name)
  evidence <- lapply(bnlearn::rbn(fit, 1L)[sample(length(fit), 3L)], as.character)
  exact <- NULL
  do.call(rbind, lapply(limits, function(limit) {
    set_up <- spent(compiled <- tryCatch(compile_network(fit, memory_limit = limit),
                                         optbn_error_memory = identity))
    row <- data.frame(network = name, limit = optbn:::format_bytes(limit), "set-up s" = digits(set_up),
                      way = "likelihood weighting", cells = NA, memory = NA, passes = NA, s = NA,
                      missing = NA, difference = NA, check.names = FALSE)
    if (inherits(compiled, "error")) return(row)
    passes <- prod(lengths(compiled$levels[compiled$cutset]))
    row$way <- if (passes > 1) {
      paste("conditioning on", length(compiled$cutset))
    } else if (compiled$bytes < 8 * sum(compiled$cells)) {
      "junction tree, computed twice"
    } else {
      "junction tree"
    }
    row$cells <- formatC(sum(compiled$cells), digits = 3, format = "g")
    row$memory <- optbn:::format_bytes(compiled$bytes)
    row$passes <- format(passes, big.mark = ",")
    stopped <- passes * sum(compiled$cells) > 60 * 1e8
    row$s <- digits(spent(answer <- if (passes > 1) {
      suppressMessages(query(compiled, evidence = evidence, progress = FALSE,
                             time_limit = if (stopped) 20 else Inf))
    } else {
      query(compiled, evidence = evidence)
    }))
    if (is.null(exact)) exact <<- answer
    bounds <- attr(answer[[1L]], "bounds")
    if (!is.null(bounds)) row$missing <- digits(max(bounds$upper - bounds$lower))
    off <- max(abs(unlist(lapply(answer, as.vector)) - unlist(lapply(exact, as.vector))))
    row$difference <- formatC(off, digits = 1, format = "e")
    row
  }))
})

print_table("Exact answers within little memory", do.call(rbind, rows))
