# How long do the exact methods take on instances of local scores, one core, search alone?
#
#   Rscript bench/exact-instances.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz. Every run is cut off after SECONDS (60); its gap is shown.
# All methods that end must agree on the optimum.

source("bench/common.R")

instances <- instances_asked_for()
limit <- instances$seconds

# Nodes of the largest group that a cycle can pass through.
largest_group <- function(network) max(certificate(network)$parts$nodes)

run <- function(sets, method) {
  measured <- measure(function() {
    learn_dag(sets, method = method, threads = 1, time_limit = limit, progress = FALSE)
  })
  if (!is.null(measured$error)) return(list(text = "too large", score = NA))
  proof <- certificate(measured$value)
  list(
    text = if (proof$status == "optimal") in_seconds(measured$processor)
           else sprintf("gap %.4g", proof$gap),
    score = if (proof$status == "optimal") proof$score else NA,
    group = largest_group(measured$value)
  )
}

rows <- lapply(instances$names, function(name) {
  sets <- instances$read(name)
  methods <- c("auto", "lagrangian", "branch-and-cut", "elsa", "dp")
  runs <- lapply(stats::setNames(nm = methods), function(method) run(sets, method))
  scores <- vapply(runs, `[[`, 0, "score")
  if (diff(range(scores, -Inf, na.rm = TRUE, finite = TRUE)) > 1e-6) {
    stop(name, ": the methods disagree on the optimum", call. = FALSE)
  }
  best <- suppressWarnings(max(scores, na.rm = TRUE))
  cat(".")
  c(instance = name, nodes = length(sets$nodes), "in one group" = runs$auto$group,
    sets = in_thousands(length(sets)),
    optimum = if (is.finite(best)) sprintf("%.6f", best) else "open",
    vapply(runs, `[[`, "", "text"))
})
table <- as.data.frame(do.call(rbind, rows), check.names = FALSE)
size <- as.numeric(gsub(",", "", table$sets))
print_table("Exact search on instances of local scores, processor seconds of one core",
            table[order(size), ],
            paste("The search alone: scores are read, not computed. A run is cut off after", limit,
                  "seconds and then shows its gap; \"too large\" means that it needs more memory",
                  "than is free."))
