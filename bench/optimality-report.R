# Tables of optimality.R for bench/README.md, and what the article "Does optimality pay?" draws
# itself from.
#
#   Rscript bench/optimality-report.R RESULTS.csv...
#
# Writes vignettes/articles/optimality.csv, one row per network, number of rows, learner and score:
# means over the replicates of `shd` (structural Hamming distance between equivalence classes),
# `precision` and `recall` of adjacencies, `held_out` (log-likelihood of a row that was not seen,
# less that of the true structure fitted to the same data), `seconds`; how many `replicates` there
# are, in how many there is a `result`, and how many are `proved`; and the paired differences of
# learn_dag() by the same score from the learner, in `shd` and `held_out`: mean and the half width
# of its 95 % interval.

source(file.path("bench", "common.R"))
files <- commandArgs(trailingOnly = TRUE)
found <- unique(do.call(rbind, lapply(files, utils::read.csv)))
found$score[is.na(found$score)] <- "tests"
found$held_out <- found$held_out - found$true_held_out
found$precision <- ifelse(found$arcs > 0, found$common / found$arcs, NA)
found$recall <- found$common / found$true_arcs

# pc.stable() has no score; it is set beside learn_dag() by BIC.
beside <- function(own) {
  score <- if (own$score[1L] == "tests") "bic" else own$score[1L]
  same <- found$network == own$network[1L] & found$rows == own$rows[1L] &
    found$learner == "learn_dag" & found$score == score
  reference <- found[same, ]
  reference[match(own$replicate, reference$replicate), ]
}

half_width <- function(x) {
  x <- x[is.finite(x)]
  if (length(x) < 2L) return(NA_real_)
  stats::qt(0.975, length(x) - 1L) * stats::sd(x) / sqrt(length(x))
}

average <- function(x) if (any(is.finite(x))) mean(x[is.finite(x)]) else NA_real_

groups <- split(found, list(found$network, found$rows, found$learner, found$score), drop = TRUE)
means <- do.call(rbind, lapply(groups, function(own) {
  reference <- beside(own)
  shd <- reference$shd - own$shd
  held_out <- reference$held_out - own$held_out
  data.frame(own[1L, c("network", "nodes", "rows", "learner", "score")],
             replicates = nrow(own), result = sum(own$status != "no result"),
             proved = sum(own$status == "optimal"), seconds = average(own$seconds),
             shd = average(own$shd), precision = average(own$precision),
             recall = average(own$recall), held_out = average(own$held_out),
             shd_less = average(shd), shd_half = half_width(shd),
             held_out_more = average(held_out), held_out_half = half_width(held_out))
}))
means <- means[order(match(means$network, unique(found$network)), means$rows, means$score), ]
numbers <- vapply(means, is.double, NA)
means[numbers] <- lapply(means[numbers], signif, 4)
utils::write.csv(means, file.path("vignettes", "articles", "optimality.csv"), row.names = FALSE,
                 quote = FALSE, na = "")

# In how many of the networks and numbers of rows learn_dag() is ahead, by an interval that leaves
# out 0, and in how many it is behind.
ahead <- function(difference, half, more) {
  sure <- !is.na(half) & abs(difference) > half
  better <- if (more) difference > 0 else difference < 0
  paste(sum(sure & better, na.rm = TRUE), sum(sure & !better, na.rm = TRUE), sep = " / ")
}
others <- means[means$learner != "learn_dag", ]
counts <- do.call(rbind, lapply(split(others, list(others$learner, others$score, others$rows),
                                      drop = TRUE), function(own) {
  data.frame(rows = own$rows[1L], score = own$score[1L], learner = own$learner[1L],
             networks = nrow(own),
             "nearer / farther" = ahead(own$shd_less, own$shd_half, FALSE),
             "predicts better / worse" = ahead(own$held_out_more, own$held_out_half, TRUE),
             check.names = FALSE)
}))
counts <- counts[order(counts$rows, counts$score, counts$learner), ]
print_table("Does optimality pay: learn_dag() beside other learners", counts,
            "A network counts if the 95 % interval of the paired difference excludes 0.")
overall <- stats::aggregate(cbind(shd, precision, recall, held_out, seconds) ~ learner + score + rows,
                            means, mean)
overall[4:8] <- lapply(overall[4:8], signif, 3)
print_table("Does optimality pay: means over the networks", overall)
