# Tables 2 to 6 of the paper: k-trees and what comes of them, on nine data sets.
#
#   Rscript bench/paper-treewidth/scores.R FOLDER data=FOLDER [seeds=3] [limit=30] [trees=1000]
#     [NAME...]
#   Rscript bench/paper-treewidth/scores.R quick
#
# Reads NAME.csv.gz from the folder `data`; adds rows to files of FOLDER:
#
#   correlation-NAME.csv   table 2: over `trees` uniform k-trees, the correlation of the score of
#                          the best network within a k-tree with its I-score, and with its
#                          pseudo-score S_l
#   points-NAME.csv        figure 3: I-score and best score of each, at tree-width 2
#   scores-NAME.csv        tables 3 to 6, a row a network: data, columns, k (NA: unbounded), method,
#                          seed, limit; seconds of the processor, k_trees; score, bound, status
#
# The methods are those of the paper (dps+kp, hc+s2, phc+s2, phc of 100 k-trees, chow-liu), and
# besides them exact, local and unbounded. Scores are BDeu with an imaginary sample of 1, of sets of
# up to three parents. `limit` is the elapsed seconds that one search may take; the paper gave 600.
# Prints the tables beside the paper's from what is there by now. A run that was stopped goes on
# where it stopped.

source(file.path("bench", "paper-treewidth", "common.R"))
command <- read_command_line(
  "scores.R FOLDER data=FOLDER [seeds=3] [limit=30] [trees=1000] [NAME...]",
  data = "", seeds = 3, limit = 30, trees = 1000
)
names <- if (length(command$names) > 0L) command$names else data_sets
if (quick) {
  names <- "attitude"
  command[c("seeds", "limit", "trees")] <- list(2, 0.2, 20)
}

# ---- table 2 -------------------------------------------------------------------------------------

correlate <- function(name, data) {
  file <- file.path(command$folder, paste0("correlation-", name, ".csv"))
  sets <- parent_sets(data, "bde", max_parents = most_parents, threads = 1, progress = FALSE)
  for (k in 2:4) {
    if (is_there(file, k = k, trees = command$trees)) next
    set.seed(k)
    trees <- sample_k_tree(names(data), k, n = command$trees)
    rating <- informative_score(trees, sets, data = data, threads = 1, progress = FALSE)
    best <- vapply(trees, function(tree) {
      certificate(learn_treewidth(sets, tree, threads = 1, progress = FALSE))$score
    }, 0)
    if (k == 2) {
      utils::write.csv(data.frame(data = name, i_score = rating[, "score"], score = best),
                       file.path(command$folder, paste0("points-", name, ".csv")),
                       row.names = FALSE)
    }
    add_row(file, data.frame(data = name, columns = ncol(data), k = k, trees = command$trees,
                             i_score = signif(stats::cor(best, rating[, "score"]), 4),
                             pseudo = signif(stats::cor(best, rating[, "s_l"]), 4)))
  }
}

# ---- tables 3 to 6 -------------------------------------------------------------------------------

# What is learned with every seed, and what once: tree-width (NA: unbounded) and method.
with_seeds <- rbind(
  data.frame(k = 4, method = c("dps+kp", "hc+s2")),
  expand.grid(k = 2:5, method = c("phc+s2", "local"), stringsAsFactors = FALSE)
)
once <- rbind(
  data.frame(k = c(NA, 1), method = c("unbounded", "chow-liu")),
  expand.grid(k = 2:5, method = c("exact", "phc"), stringsAsFactors = FALSE)
)

learn <- function(data, k, method) {
  if (method != "unbounded") {
    return(learn_bounded(data, k, method, if (method == "phc") Inf else command$limit))
  }
  learn_dag(data, score = "bde", max_parents = most_parents, threads = 1, progress = FALSE,
            time_limit = command$limit)
}

# A row of results; without a score where the method cannot do it.
facts_of <- function(data, k, method) {
  before <- proc.time()
  facts <- if (method == "chow-liu") {
    score <- if (has("bnlearn")) score_network(chow_liu(data), data, score_bde(iss = 1)) else NA
    list(score = score, bound = NA, status = "tree", k_trees = NA)
  } else {
    tryCatch({
      record <- certificate(learn(data, k, method))
      list(score = record$score, bound = record$bound, status = record$status,
           k_trees = record$effort[["k_trees"]] %||% NA)
    }, optbn_error_memory = function(e) {
      list(score = NA, bound = NA, status = "memory", k_trees = NA)
    })
  }
  spent <- proc.time() - before
  data.frame(seconds = round(spent[["user.self"]] + spent[["sys.self"]], 3),
             k_trees = facts$k_trees, score = round(facts$score, 4), bound = round(facts$bound, 4),
             status = facts$status)
}

note <- function(name, data, k, method, seed) {
  file <- file.path(command$folder, paste0("scores-", name, ".csv"))
  key <- list(k = k, method = method, seed = seed, limit = command$limit)
  if (do.call(is_there, c(list(file), key)) || isTRUE(k > ncol(data) - 2L)) return()
  set.seed(seed)
  add_row(file, data.frame(data = name, columns = ncol(data), key, facts_of(data, k, method)))
}

for (name in names) {
  data <- read_data(name, command$data)
  correlate(name, data)
  Map(function(k, method) note(name, data, k, method, 1), once$k, once$method)
}
for (seed in seq_len(command$seeds)) {
  for (name in names) {
    data <- read_data(name, command$data)
    Map(function(k, method) note(name, data, k, method, seed), with_seeds$k, with_seeds$method)
  }
}

# ---- the tables ----------------------------------------------------------------------------------

rows <- all_rows(command$folder, "scores")
rows <- rows[rows$limit == command$limit, ]
there <- intersect(c(data_sets, unique(rows$data)), rows$data)

# Mean of the seeds, and how far they spread; a star where optimality is proved.
ours <- function(name, method, k = 4) {
  these <- rows[rows$data == name & rows$method == method & rows$k %in% k & !is.na(rows$score), ]
  if (nrow(these) == 0L) return("")
  paste0(sprintf("%.1f", mean(these$score)), if (all(these$status == "optimal")) "*",
         if (nrow(these) > 1L) sprintf(" (%.1f)", stats::sd(these$score)))
}
seconds <- function(name, method, k) {
  these <- rows[rows$data == name & rows$method == method & rows$k %in% k & !is.na(rows$score), ]
  if (nrow(these) == 0L) "" else in_seconds(mean(these$seconds))
}
theirs <- function(table, name, column, method = NULL) {
  if (!is.null(method)) table <- table[table$method == method, ]
  x <- table[[column]][match(name, table$data)]
  if (is.na(x)) "" else format(x, scientific = FALSE)
}
each <- function(f, ...) vapply(there, f, "", ..., USE.NAMES = FALSE)

correlation <- all_rows(command$folder, "correlation")
correlation <- correlation[correlation$trees == command$trees, ]
in_thousandths <- function(x) ifelse(is.na(x), "", sprintf("%.3f", x))
of_width <- function(k, column) {
  x <- correlation[correlation$k == k, ]
  in_thousandths(x[[column]][match(there, x$data)])
}
print_table(
  "Table 2: correlation with the score of the best network in a k-tree",
  data.frame(data = there, paper = in_thousandths(unname(paper_correlation[there])),
             `I, k = 2` = of_width(2, "i_score"), `k = 3` = of_width(3, "i_score"),
             `k = 4` = of_width(4, "i_score"), `S_l, k = 2` = of_width(2, "pseudo"),
             `k = 3 ` = of_width(3, "pseudo"), `k = 4 ` = of_width(4, "pseudo"),
             check.names = FALSE)
)

for (k in 2:5) {
  column <- paste0("k", k)
  print_table(
    paste0("Table 3, tree-width ", k, ": exact, and 100 k-trees"),
    data.frame(
      data = there,
      `paper: K&P` = each(function(name) theirs(paper_widths, name, column, "kp")),
      s = each(function(name) theirs(paper_seconds, name, column, "kp")),
      exact = each(ours, "exact", k), `s ` = each(seconds, "exact", k),
      `paper: PHC` = each(function(name) theirs(paper_widths, name, column, "phc")),
      `s  ` = each(function(name) theirs(paper_seconds, name, column, "phc")),
      PHC = each(ours, "phc", k), `s   ` = each(seconds, "phc", k),
      check.names = FALSE
    )
  )
}

for (k in 2:5) {
  print_table(
    paste0("Table 4, tree-width ", k),
    data.frame(
      data = there,
      `paper: PHC+S2` = each(function(name) {
        theirs(paper_widths, name, paste0("k", k), "phc+s2")
      }),
      `PHC+S2` = each(ours, "phc+s2", k), local = each(ours, "local", k),
      exact = each(ours, "exact", k), check.names = FALSE
    )
  )
}

sampled <- c("dps+kp", "hc+s2", "phc+s2")
others <- c("milp10m", "milp3h", "twilp10m", "twilp3h")
of_paper <- function(methods) {
  sapply(methods, function(method) each(function(name) theirs(paper_methods, name, method)),
         simplify = FALSE)
}
print_table(
  "Table 5, tree-width 4: the paper's",
  data.frame(data = there, of_paper(c("a*+s2", sampled, "unbounded")), check.names = FALSE)
)
print_table(
  "Table 5, tree-width 4: ours",
  data.frame(data = there, sapply(sampled, function(method) each(ours, method), simplify = FALSE),
             local = each(ours, "local"), unbounded = each(ours, "unbounded", NA),
             check.names = FALSE),
  paste("Means (and standard deviations) of", command$seeds, "seeds,", command$limit,
        "seconds each; * proved optimal.")
)
print_table(
  "Table 6, tree-width 4",
  data.frame(data = there, of_paper(c(others, "chow-liu")), local = each(ours, "local"),
             exact = each(ours, "exact"), `our chow-liu` = each(ours, "chow-liu", 1),
             check.names = FALSE),
  "MILP, TWILP and chow-liu are the paper's; its Chow-Liu trees have tree-width 1."
)
