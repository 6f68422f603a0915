# Stores the table of exact-instances.R for the article "How large can it go", which draws itself
# from it.
#
#   make bench-exact INSTANCES=folder LIMIT=30 > table.md
#   Rscript bench/how-large.R table.md
#
# Any text that holds the table will do; without a name it is bench/README.md. Writes
# vignettes/articles/how-large.csv, one row per instance and method:
#
#   instance, nodes, group (nodes of the largest strong component), sets (candidate parent sets)
#   optimum  natural log; empty where no method proved it
#   method   of learn_dag()
#   seconds  processor seconds of one core; of a run that was cut off, the limit
#   status   "optimal", "bounded" (cut off) or "too large" (more memory than was free)
#   gap      what was left, in nats; empty when too large

arguments <- commandArgs(trailingOnly = TRUE)
file <- if (length(arguments) > 0L) arguments[1L] else "bench/README.md"
target <- "vignettes/articles/how-large.csv"

lines <- readLines(file)
heading <- grep("^### Exact search on instances of local scores", lines)
if (length(heading) != 1L) {
  stop(file, " must hold the table of exact-instances.R once, not ", length(heading), " times",
       call. = FALSE)
}
section <- lines[-seq_len(heading)]
section <- section[seq_len(c(grep("^#", section) - 1L, length(section))[1L])]

note <- paste(section[!startsWith(section, "|")], collapse = " ")
limit <- as.numeric(sub(".*cut off after ([0-9.]+) seconds.*", "\\1", note))
if (is.na(limit)) stop(file, " does not say after how many seconds a run is cut off", call. = FALSE)

cells <- strsplit(section[startsWith(section, "|")], "|", fixed = TRUE)
cells <- do.call(rbind, lapply(cells, function(row) trimws(row[-1L])))
table <- as.data.frame(cells[-(1:2), , drop = FALSE])
names(table) <- cells[1L, ]
number <- function(text) suppressWarnings(as.numeric(gsub(",", "", text)))

facts <- c("instance", "nodes", "in one group", "sets", "optimum")
methods <- setdiff(names(table), facts)
results <- do.call(rbind, lapply(methods, function(method) {
  cell <- table[[method]]
  cut_off <- startsWith(cell, "gap ")
  proved <- !is.na(number(cell))
  odd <- cell[!proved & !cut_off & cell != "too large"]
  if (length(odd) > 0L) stop("what is \"", odd[1L], "\"?", call. = FALSE)
  data.frame(
    table["instance"],
    nodes = number(table$nodes), group = number(table[["in one group"]]),
    sets = number(table$sets),
    optimum = ifelse(is.na(number(table$optimum)), "", table$optimum), # digits as printed
    method = method,
    seconds = ifelse(cut_off, limit, number(cell)),
    status = ifelse(proved, "optimal", ifelse(cut_off, "bounded", "too large")),
    gap = ifelse(cut_off, number(sub("gap ", "", cell)), ifelse(proved, 0, NA))
  )
}))
results <- results[order(match(results$instance, table$instance)), ]
utils::write.csv(results, target, row.names = FALSE, quote = FALSE, na = "")
cat(nrow(table), "instances and", length(methods), "methods:", target, "\n")
