# The experiments of Talvitie, Eggeling & Koivisto (2018): what their scripts share.

source(file.path("bench", "command-line.R"))
suppressPackageStartupMessages(library(optbn))
if (!requireNamespace("bnlearn", quietly = TRUE)) stop("bnlearn is not installed", call. = FALSE)

models <- c("pcart", "pcart-p", "ft", "ft-p")

# ---- learning by the four models -----------------------------------------------------------------

# Learns a network from `data` by each of the models `wanted`, and calls `each(model, graph, facts)`
# as soon as one is there: `graph` a bnlearn graph over all columns, `facts` a row of a table.
#
# A column that does not vary can neither tell anything nor be told anything: it would be an
# isolated node of every optimum. It is left out of learning and put back into the graph; the
# penalty of the size of parent sets counts it.
learn_by_models <- function(data, max_parents, score_of, limit, wanted, each) {
  nodes <- names(data)
  data <- data[vapply(data, function(x) length(unique(x)) > 1L, NA)]
  for (family in c("pcart", "ft")) {
    members <- intersect(c(family, paste0(family, "-p")), wanted)
    if (length(members) == 0L) next
    scoring <- timed(suppressMessages(
      parent_sets(data, score_of(family), max_parents = min(max_parents, ncol(data) - 1),
                  threads = 1, progress = FALSE),
      classes = "optbn_message"
    ))
    for (model in members) {
      sets <- scoring$value
      if (model != family) sets <- penalise_size(sets, length(nodes))
      search <- timed(learn_dag(sets, threads = 1, time_limit = limit, progress = FALSE))
      record <- certificate(search$value)
      graph <- bnlearn::empty.graph(nodes)
      arcs <- bnlearn::arcs(search$value)
      if (nrow(arcs) > 0L) bnlearn::arcs(graph) <- arcs
      each(model, graph, data.frame(
        columns = ncol(data), arcs = nrow(arcs),
        scoring = scoring$seconds, search = search$seconds, sets = length(sets),
        limit = limit, status = record$status, gap = signif(record$gap, 6), score = record$score
      ))
    }
  }
}

# Processor seconds of this process; learning runs on one thread.
timed <- function(work) {
  gc(FALSE)
  before <- proc.time()
  value <- work
  spent <- proc.time() - before
  list(value = value, seconds = round(spent[["user.self"]] + spent[["sys.self"]], 3))
}

# The candidate sets under the penalty log choose(n - 1, |P|), from those without it: no need to
# score twice.
#
# While no set has more than (n - 1) / 2 parents, the penalty grows with the size. A set that is not
# worth keeping without the penalty has a subset that scores as much, and with the penalty it scores
# less than that one. So the sets to be kept are among those at hand, less some which a subset, now
# penalised less, has overtaken. It is at hand too, or one within it that overtakes as well.
penalise_size <- function(sets, n) {
  stopifnot(max(sets$settings$max_parents) <= (n - 1) / 2)
  sets$settings$score$label <- paste0(sets$settings$score$label, "-p")
  sets$sets <- lapply(sets$sets, function(candidates) {
    sizes <- candidates$size
    score <- candidates$score - lchoose(n - 1, sizes)
    members <- split(candidates$parents, rep(factor(seq_along(sizes)), sizes))
    members <- unname(lapply(members, as.integer))
    # A set as a number: its members, in ascending order, are the digits.
    key <- function(digits) drop(digits %*% (n + 1)^(seq_len(ncol(digits)) - 1))
    keys <- numeric(length(sizes))
    by_size <- split(seq_along(sizes), sizes)
    digits <- lapply(by_size[names(by_size) != "0"], function(i) {
      matrix(unlist(members[i]), length(i), byrow = TRUE)
    })
    for (size in names(digits)) keys[by_size[[size]]] <- key(digits[[size]])
    best <- rep(-Inf, length(sizes)) # of the proper subsets
    for (size in names(digits)) {
      i <- by_size[[size]]
      k <- as.integer(size)
      for (pattern in seq_len(2^k - 1) - 1L) {
        kept <- bitwAnd(pattern, 2^(seq_len(k) - 1)) > 0
        at <- match(if (any(kept)) key(digits[[size]][, kept, drop = FALSE]) else rep(0, length(i)),
                    keys)
        best[i] <- pmax(best[i], score[at], na.rm = TRUE)
      }
    }
    kept <- which(score > best)
    kept <- kept[order(-score[kept])]
    list(score = score[kept], size = sizes[kept], parents = as.integer(unlist(members[kept])))
  })
  sets
}

# ---- results -------------------------------------------------------------------------------------

# A file of results to which rows are added as they come, each with its graph, so that a run that
# was stopped goes on where it stopped.
results_file <- function(folder, name) file.path(folder, paste0(name, ".csv"))

read_results <- function(file) {
  if (file.exists(file)) utils::read.csv(file, colClasses = c(graph = "character"))
}

# Which models have no row yet with the values `...`.
missing_models <- function(file, ...) {
  done <- read_results(file)
  if (is.null(done)) return(models)
  key <- list(...)
  same <- Reduce(`&`, Map(function(name, value) done[[name]] == value, names(key), key))
  setdiff(models, done$model[same])
}

add_result <- function(file, row, graph) {
  row$graph <- bnlearn::modelstring(graph)
  utils::write.table(row, file, append = file.exists(file), col.names = !file.exists(file),
                     row.names = FALSE, sep = ",", qmethod = "double")
  cat(format(Sys.time(), "%H:%M"), paste(unlist(row[names(row) != "graph"])), "\n")
}

# ---- graphs --------------------------------------------------------------------------------------

# How every pair of nodes is joined: 0 not, 1 by an arc to the later node, 2 to the earlier, 3
# undirected. Of the equivalence class, or of the graph itself.
pairs_of <- function(graph, nodes, class = TRUE) {
  adjacent <- bnlearn::amat(if (class) bnlearn::cpdag(graph) else graph)[nodes, nodes]
  (adjacent + 2 * t(adjacent))[upper.tri(adjacent)]
}
