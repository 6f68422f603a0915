# Exact structure learning, scoring included: optbn's dynamic programming beside bnstruct's `sm`
# (Silander & Myllymaki 2006). ALARM, first columns, BDeu with imaginary sample size 1, at most
# three parents, one core. Both solve the same problem: the scores of what they find must agree.

source(file.path("bench", "common.R"))

rows <- 1000
max_parents <- 3
columns <- if (quick) c(12, 14) else c(20, 22, 24)
# bnstruct holds two doubles and two integers for every node and subset.
columns_for_bnstruct <- columns[columns <= 22]

learn_with_optbn <- function(data) {
  learn_dag(data, "bde", max_parents = max_parents, method = "dp", threads = 1, progress = FALSE)
}

learn_with_bnstruct <- function(data) {
  codes <- vapply(data, as.integer, integer(nrow(data)))
  set <- bnstruct::BNDataset(codes, discreteness = rep("d", ncol(data)), variables = names(data),
                             node.sizes = vapply(data, nlevels, 1L))
  network <- suppressMessages(
    bnstruct::learn.structure(bnstruct::BN(set), set, algo = "sm", scoring.func = "BDeu", ess = 1,
                              max.parents = max_parents)
  )
  adjacency <- bnstruct::dag(network)
  dimnames(adjacency) <- list(names(data), names(data))
  adjacency
}

run <- function(package, columns, learn, times) {
  data <- alarm_data(rows, columns)
  result <- measure(function() learn(data), times)
  data.frame(
    columns = columns, package = package, seconds = result$processor, gigabytes = result$memory,
    score = if (is.null(result$error)) score_network(result$value, data, "bde") else NA,
    error = result$error %||% ""
  )
}

ours <- do.call(rbind, lapply(columns, run, package = "optbn", learn = learn_with_optbn, times = 3))
results <- ours
if (has("bnstruct")) {
  theirs <- lapply(columns_for_bnstruct, run, package = "bnstruct", learn = learn_with_bnstruct,
                   times = 1)
  results <- rbind(ours, do.call(rbind, theirs))
}
results <- results[order(results$columns, results$package == "bnstruct"), ]

beside <- ours[match(results$columns, ours$columns), ]
same_score <- abs(results$score - beside$score) < 1e-6

print_table(
  sprintf("Exact search, scoring included: ALARM, %d rows, at most %d parents, BDeu",
          rows, max_parents),
  data.frame(
    columns = results$columns,
    package = results$package,
    seconds = in_seconds(results$seconds),
    GB = in_gigabytes(results$gigabytes),
    score = sprintf("%.4f", results$score),
    ratio = formatC(results$seconds / beside$seconds, digits = 3, format = "fg"),
    remark = ifelse(same_score %in% FALSE, "ANOTHER SCORE", results$error)
  ),
  "Processor seconds of one core (optbn: best of three runs) and their ratio to optbn's.",
  "GB is the peak of the whole R process."
)
