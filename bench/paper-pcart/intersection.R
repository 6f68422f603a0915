# Figures 4 and 5 of the paper: intersection-validation (Viinikka, Eggeling & Koivisto 2018). What
# all models agree on when they see all rows takes the place of the truth; how much of it do they
# find from fewer rows?
#
#   Rscript bench/paper-pcart/intersection.R FOLDER [data=FOLDER] [samples=10] [limit=120] [NAME...]
#   Rscript bench/paper-pcart/intersection.R quick
#
# Reads mushroom_22, parkinsons, turkiye, page-blocks (.csv.gz) from the folder `data`; adds a row
# per subsample and model to FOLDER/intersection-NAME.csv:
#
#   data, splits, parents   which rows belong together: the data, halvings of trees, most parents
#   part, size, sample      1 / `part` of the rows; part 1 is all of them, sample 0
#   model, columns, arcs, scoring, search, sets, limit, status, gap, score, graph
#                           as in recovery.R
#
# and writes what follows from these, by now, to FOLDER/intersection-NAME-distance.csv:
#
#   pairs      of nodes that the four networks from all rows join alike (or agree not to join)
#   joined     those of them that are joined
#   distance   pairs of these that the network joins otherwise, between equivalence classes
#   missing    those of them that should be joined, and are not
#   distance_dag, pairs_dag, joined_dag   the same when arcs are compared as they are
#
# A run that was stopped goes on where it stopped. Ends of names are settings: "parkinsons/2/5" is
# parkinsons with at most 2 parents and 5 halvings.

source(file.path("bench", "paper-pcart", "common.R"))
command <- read_command_line(
  "intersection.R FOLDER [data=FOLDER] [samples=10] [limit=120] [NAME...]",
  data = "", samples = 10, limit = 120
)
parts <- c(2, 4, 8, 16)
tasks <- command$names
if (length(tasks) == 0L) {
  tasks <- c("mushroom_22/2/3", "parkinsons/3/5", "turkiye/2/3", "page-blocks/3/7",
             "parkinsons/3/3", "page-blocks/3/3")
}
if (command$quick) {
  tasks <- "iris/2/3"
  parts <- c(2, 4)
  command$samples <- 2
}

# As the paper has them: everything of mushroom is discrete, and of the others what is a code.
# Names become such that model strings can hold them.
read_data <- function(name) {
  if (name == "iris") return(datasets::iris)
  table <- utils::read.csv(file.path(command$data, paste0(name, ".csv.gz")), check.names = FALSE)
  table <- table[names(table) != "subject#"]
  discrete <- switch(name,
    mushroom_22 = names(table), parkinsons = "sex", turkiye = c("instr", "class"),
    `page-blocks` = "class"
  )
  table[discrete] <- lapply(table[discrete], function(x) {
    factor(ifelse(is.na(x), "unknown", as.character(x)))
  })
  continuous <- setdiff(names(table), discrete)
  table[continuous] <- lapply(table[continuous], as.numeric)
  names(table) <- make.unique(make.names(names(table)))
  table
}

run_task <- function(task) {
  settings <- strsplit(task, "/", fixed = TRUE)[[1]]
  name <- settings[1]
  max_parents <- as.numeric(settings[2])
  max_splits <- as.numeric(settings[3])
  data <- read_data(name)
  numbers <- vapply(data, is.numeric, NA)
  ranges <- lapply(data[numbers], range)
  score_of <- function(family) {
    if (family == "ft") return(score_ft())
    score_pcart(max_splits = max_splits, range = if (length(ranges) > 0L) ranges)
  }
  file <- results_file(command$folder, paste0("intersection-", name))
  learn <- function(rows, part, number) {
    key <- list(splits = max_splits, parents = max_parents, part = part, sample = number)
    wanted <- do.call(missing_models, c(list(file), key))
    if (length(wanted) == 0L) return()
    subsample <- data[rows, , drop = FALSE]
    score_within <- function(family) {
      score <- score_of(family)
      varies <- vapply(subsample, function(x) length(unique(x)) > 1L, NA)
      if (!is.null(score$range)) score$range <- score$range[names(data)[numbers & varies]]
      score
    }
    note <- function(model, graph, facts) {
      add_result(file, cbind(
        data.frame(data = name, splits = max_splits, parents = max_parents, part = part,
                   size = length(rows), sample = number, model = model),
        facts
      ), graph)
    }
    learn_by_models(subsample, max_parents, score_within, command$limit, wanted, note)
  }
  learn(seq_len(nrow(data)), 1, 0)
  for (number in seq_len(command$samples)) {
    for (part in rev(parts)) {
      set.seed(1e6 + 1e3 * part + number)
      learn(sort(sample.int(nrow(data), round(nrow(data) / part))), part, number)
    }
    store_distances(name, names(data))
  }
}

# ---- what the networks agree on ------------------------------------------------------------------

store_distances <- function(name, nodes) {
  results <- read_results(results_file(command$folder, paste0("intersection-", name)))
  groups <- split(results, results[c("splits", "parents")], drop = TRUE)
  distances <- do.call(rbind, lapply(groups, function(group) {
    of_class <- distances_of(group, nodes, class = TRUE)
    of_graph <- distances_of(group, nodes, class = FALSE)
    names(of_graph) <- paste0(names(of_graph), "_dag")
    cbind(
      group[c("data", "splits", "parents", "part", "sample", "model")], of_class,
      of_graph[c("pairs_dag", "joined_dag", "distance_dag")]
    )
  }))
  file <- results_file(command$folder, paste0("intersection-", name, "-distance"))
  utils::write.csv(distances, file, row.names = FALSE, quote = FALSE)
}

distances_of <- function(group, nodes, class) {
  joins <- lapply(group$graph, function(text) pairs_of(bnlearn::model2network(text), nodes, class))
  whole <- joins[group$part == 1]
  agreed <- Reduce(`&`, lapply(whole, function(one) one == whole[[1]]))
  reference <- whole[[1]]
  data.frame(
    pairs = sum(agreed), joined = sum(agreed & reference > 0),
    distance = vapply(joins, function(one) sum(agreed & one != reference), 0),
    missing = vapply(joins, function(one) sum(agreed & reference > 0 & one == 0), 0)
  )
}

for (task in tasks) run_task(task)
