# The best network of bounded tree-width, proved: beside the times and scores that Nie, de Campos &
# Ji (2016, table 3) have of the method of Korhonen & Parviainen (2013), on a desktop computer with
# 64 GB.
#
#   Rscript bench/treewidth-exact.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds the data of bench/paper-treewidth, NAME.csv.gz. One core; scores are computed first
# and count with the rest. A run is cut off after SECONDS (60); its gap is shown.

source(file.path("bench", "paper-treewidth", "common.R"))
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) stop("name the folder of the data", call. = FALSE)
limit <- if (length(arguments) > 1L) as.numeric(arguments[2L]) else 60
names <- arguments[-(1:2)]
if (length(names) == 0L) names <- c("nursery", "breast", "housing", "adult", "letter")

of_paper <- function(table, name, k) {
  table <- table[table$data == name & table$method == "kp", ]
  if (nrow(table) == 0L) NA else table[[paste0("k", k)]]
}

rows <- Map(function(name, k) {
  data <- read_data(name, arguments[1L])
  cat(".")
  run <- measure(function() {
    learn_treewidth(data, k, score = "bde", method = "exact", max_parents = most_parents,
                    threads = 1, time_limit = limit, progress = FALSE)
  })
  theirs <- of_paper(paper_seconds, name, k)
  row <- data.frame(
    data = name, columns = ncol(data), k = k,
    "K&P, s" = theirs, "ours, s" = in_seconds(run$processor),
    ratio = if (is.na(theirs)) "" else in_thousands(signif(theirs / run$processor, 2)),
    GB = in_gigabytes(run$memory), "K&P's score" = of_paper(paper_widths, name, k),
    check.names = FALSE
  )
  if (!is.null(run$error)) return(cbind(row, score = "", proof = "too large"))
  record <- certificate(run$value)
  cbind(row, score = sprintf("%.4f", record$score),
        proof = if (record$status == "optimal") record$method else sprintf("gap %.4g", record$gap))
}, rep(names, each = 4L), 2:5)

print_table(
  "The best network of bounded tree-width, at most 3 parents, BDeu", do.call(rbind, rows),
  paste("Processor seconds of one core, scoring included, beside the paper's elapsed seconds on",
        "another machine; where it has none, K&P ran out of memory or was not tried. A run is cut",
        "off after", limit, "seconds and then shows its gap. If the unbounded optimum has a small",
        "enough tree-width, it is the answer. GB is the peak of the whole R process.")
)
