# The demo: from a data frame to a proved optimal network, beside hill climbing, and its picture.

suppressPackageStartupMessages(library(optbn))

headline <- function(...) cat("\n", cli::style_bold(...), "\n", sep = "")

# The proved optimum by BIC, with what it cost beside what was forecast.
learn_with_forecast <- function(data) {
  cat("Forecast\n")
  forecast <- search_size(data, "bic")
  print(forecast)
  seconds <- system.time({
    sets <- parent_sets(data, "bic", progress = FALSE)
    network <- learn_dag(sets, progress = FALSE)
  })[["elapsed"]]
  cat("Cost\n",
      sprintf("  %s parent sets scored, %s kept; all in %.2f s\n",
              count(sum(sets$counted)), count(length(sets)), seconds), sep = "")
  network
}

count <- function(x) format(x, big.mark = ",", scientific = FALSE)

# bnlearn's searches on the same data by the same score; the best is returned.
compare_with_bnlearn <- function(network, data, restarts) {
  optimum <- certificate(network)$score
  set.seed(1)
  climbs <- list(
    bnlearn::hc(data, score = "bic"),
    bnlearn::tabu(data, score = "bic"),
    bnlearn::hc(data, score = "bic", restart = restarts, perturb = ncol(data))
  )
  scores <- vapply(climbs, bnlearn::score, 0, data = data, type = "bic")
  table <- data.frame(
    search = c("bnlearn hc", "bnlearn tabu", paste("bnlearn hc,", restarts, "restarts"),
               "optbn, proved optimum"),
    score = sprintf("%.2f", c(scores, optimum)),
    `below the optimum` = sprintf("%.2f", c(optimum - scores, 0)),
    check.names = FALSE
  )
  cat("Scores (BIC, natural log, larger is better)\n")
  print(table, row.names = FALSE, right = FALSE)
  invisible(climbs[[which.max(scores)]])
}

# The arcs of a network's equivalence class, one string each: only these are told apart by a score.
class_arcs <- function(network) {
  class <- bnlearn::cpdag(network)
  directed <- bnlearn::directed.arcs(class)
  either_way <- bnlearn::undirected.arcs(class)
  either_way <- either_way[either_way[, 1] < either_way[, 2], , drop = FALSE]
  c(paste(directed[, 1], "->", directed[, 2], recycle0 = TRUE),
    paste(either_way[, 1], "-", either_way[, 2], recycle0 = TRUE))
}

# The arcs of `network` whose ends no arc of `other` joins.
newly_joined <- function(network, other) {
  joined <- rbind(other$arcs, other$arcs[, 2:1])
  arcs <- as.data.frame(network)
  arcs[!paste(arcs$from, arcs$to) %in% paste(joined[, 1], joined[, 2]), ]
}

show_arcs <- function(label, arcs) {
  text <- if (length(arcs)) paste(sort(arcs), collapse = ", ") else "none"
  line <- paste0(label, " (", length(arcs), "): ", text)
  writeLines(strwrap(line, width = 98, indent = 2, exdent = 4))
}

has_bnlearn <- requireNamespace("bnlearn", quietly = TRUE)
if (!has_bnlearn) cat("bnlearn is not installed: the comparisons with it are left out.\n")

headline("Zoo: 101 animals, 17 columns (UCI Machine Learning Repository)")
network <- learn_with_forecast(zoo)
if (has_bnlearn) {
  climbed <- compare_with_bnlearn(network, zoo, restarts = 50)
  cat("Arcs that differ between the optimum and the best of bnlearn's\n")
  show_arcs("in both", intersect(class_arcs(network), class_arcs(climbed)))
  show_arcs("only in the optimum", setdiff(class_arcs(network), class_arcs(climbed)))
  show_arcs("only in bnlearn's", setdiff(class_arcs(climbed), class_arcs(network)))
}
print(certificate(network))

headline("Mushrooms: 8124 descriptions, 22 columns (UCI Machine Learning Repository)")
larger <- learn_with_forecast(mushroom)
if (has_bnlearn) compare_with_bnlearn(larger, mushroom, restarts = 20)
print(larger)

# The zoo's network; orange arcs join nodes that the best of bnlearn's leaves apart.
picture <- "demo-network.png"
grDevices::png(picture, width = 1800, height = 1400, res = 200)
plot(network, highlight = if (has_bnlearn) newly_joined(network, climbed))
invisible(grDevices::dev.off())
cat("\nThe zoo's network is drawn in ", picture, "\n", sep = "")
