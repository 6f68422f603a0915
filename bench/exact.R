# Exact structure learning, scoring included: optbn's dynamic programming beside bnstruct's `sm`
# (Silander & Myllymaki 2006). BDeu with imaginary sample size 1, 1000 rows, at most three parents,
# one core. Both solve the same problem: the scores of what they find must agree. ALARM falls apart
# into small parts, of which only optbn takes advantage; data with a hidden cause do not.

source(file.path("bench", "common.R"))
source(file.path("bench", "peers.R"))

rows <- 1000
max_parents <- 3
sources <- list(ALARM = alarm_data, `hidden cause` = hidden_cause_data)
problems <- if (quick) {
  data.frame(data = names(sources), columns = 14)
} else {
  data.frame(data = c("ALARM", "ALARM", "ALARM", "hidden cause", "hidden cause"),
             columns = c(20, 22, 24, 20, 24))
}
# Its memory grows fourfold with every two columns: 2.3 GB at 22.
most_columns_of_bnstruct <- 22

learn_with_optbn <- function(data) {
  learn_dag(data, "bde", max_parents = max_parents, method = "dp", threads = 1, progress = FALSE)
}

run <- function(problem, package) {
  columns <- problem$columns
  if (package == "bnstruct" && columns > most_columns_of_bnstruct) return(NULL)
  data <- sources[[problem$data]](rows, columns)
  result <- switch(package,
    optbn = measure(function() learn_with_optbn(data), times = 3),
    bnstruct = measure(function() learn_with_bnstruct(data, max_parents))
  )
  data.frame(
    data = problem$data, columns = columns, package = package,
    seconds = result$processor, memory = result$memory,
    score = if (is.null(result$error)) score_network(result$value, data, "bde") else NA,
    error = result$error %||% ""
  )
}

compare <- function(problem) {
  results <- rbind(run(problem, "optbn"), if (peer) run(problem, "bnstruct"))
  ours <- results[1, ]
  results$ratio <- results$seconds / ours$seconds
  results$same <- abs(results$score - ours$score) < 1e-6
  results
}

peer <- has("bnstruct")
results <- do.call(rbind, lapply(split(problems, seq_len(nrow(problems))), compare))

print_table(
  sprintf("Exact search, scoring included: %d rows, at most %d parents, BDeu", rows, max_parents),
  data.frame(
    data = results$data,
    columns = results$columns,
    package = results$package,
    seconds = in_seconds(results$seconds),
    ratio = formatC(results$ratio, digits = 3, format = "fg"),
    GB = in_gigabytes(results$memory),
    score = sprintf("%.4f", results$score),
    remark = ifelse(results$same %in% FALSE, "ANOTHER SCORE", results$error)
  ),
  paste("Processor seconds of one core (optbn: the best of three runs) and their ratio to those of",
        "optbn."),
  "GB is the peak of the whole R process."
)
