# Table 2 of the paper: mean log-likelihoods of the test rows.
#
#   Rscript bench/paper-cutset/likelihoods.R FOLDER data=FOLDER [components=40] [NAME...]
#   Rscript bench/paper-cutset/likelihoods.R quick
#
# Reads NAME.{train,valid,test}.data.gz from the folder `data`; adds rows to files of FOLDER:
#
#   likelihoods-NAME.csv   data, method, setting (what the validation rows chose), seconds (elapsed,
#                          of all that was learned to choose from), learned (how many models that
#                          were), valid, test (mean log-likelihoods)
#   rows-NAME-METHOD.rds   log-densities of the test rows, for the Wilcoxon tests
#   wins-NAME.csv          data, method, other, outcome: 1 where the method is significantly better
#                          than the other, -1 where it is worse, otherwise 0
#
# The methods are the paper's: cnet, cnetp (m = 10, lambda = 0.01), dcsn (13 alpha_f, 4 delta), each
# in bags of 5, 10, ..., 40 (dcsn-b: 2 alpha_f, 6 delta), mt of 2, 6, ..., 30 trees (2 alpha), mcnet
# of 5, 10, 20 cutset networks (depths of 1 to 3). Without the screen, as in the paper, save for bags
# of the three widest sets, which would take hours. Prints the table beside the paper's, and on how
# many sets a method is significantly better than another. A run that was stopped goes on where it
# stopped.

source(file.path("bench", "paper-cutset", "common.R"))
command <- read_command_line("likelihoods.R FOLDER data=FOLDER [components=40] [NAME...]",
                             data = "", components = 40)
names <- if (length(command$names) > 0L) command$names else intersect(data_sets,
                                                                      paper_likelihoods$data)
grids <- list(alpha = c(.01, .02, .03, .04, .05, .06, .08, .1, .15, .2, .3, .4, .5),
              min_rows = c(200, 300, 400, 500), bag_alpha = c(.05, .1),
              bag_rows = c(100, 200, 300, 400, 500, 1000), trees = seq(2, 30, 4),
              trees_alpha = c(.5, 4), networks = c(5, 10, 20), depths = 1:3)
if (quick) {
  names <- "toy"
  command$components <- 10
  grids <- list(alpha = c(.05, .1), min_rows = c(50, 100), bag_alpha = .1, bag_rows = 50,
                trees = c(2, 4), trees_alpha = 4, networks = 2, depths = 2)
}
sizes <- seq(5, command$components, 5)
widest_in_full <- 850 # columns

# ---- learners ------------------------------------------------------------------------------------
# Each gives what the validation rows chose: list(setting, learned, valid, test), the last two by
# row.

single <- function(set, algorithm) {
  network <- learn_cutset(set$train, algorithm, validation = set$valid, progress = FALSE)
  list(setting = "", learned = 1L, valid = log_density(network, set$valid),
       test = log_density(network, set$test))
}

tuned <- function(set) {
  network <- tune_cutset(set$train, set$valid, alpha = grids$alpha, min_rows = grids$min_rows,
                         screen = Inf, progress = FALSE)
  chosen <- network$learning$settings
  list(setting = paste("alpha", chosen$alpha, "delta", chosen$min_rows),
       learned = nrow(network$learning$grid), valid = log_density(network, set$valid),
       test = log_density(network, set$test))
}

# The best number of components of one ensemble: the first so many of it.
best_part <- function(bag, set, setting) {
  valid <- by_component(bag, set$valid)
  means <- vapply(sizes, function(k) mean(log_mean(valid[, seq_len(k), drop = FALSE])), 0)
  first <- seq_len(sizes[which.max(means)])
  list(setting = paste(setting, "components", length(first)), learned = ncol(valid),
       valid = log_mean(valid[, first, drop = FALSE]),
       test = log_mean(by_component(bag, set$test)[, first, drop = FALSE]))
}

bag_of <- function(set, algorithm, ...) {
  learn_cutset_bag(set$train, command$components, algorithm, ..., validation = set$valid,
                   progress = FALSE)
}

best_of <- function(candidates) {
  best <- candidates[[which.max(vapply(candidates, function(x) mean(x$valid), 0))]]
  best$learned <- sum(vapply(candidates, function(x) x$learned, 0L))
  best
}

tuned_bags <- function(set) {
  grid <- expand.grid(alpha = grids$bag_alpha, delta = grids$bag_rows)
  best_of(Map(function(alpha, delta) {
    bag <- bag_of(set, "dcsn", alpha = alpha, min_rows = delta,
                  screen = if (ncol(set$train) > widest_in_full) 20 else Inf)
    best_part(bag, set, paste("alpha", alpha, "delta", delta))
  }, grid$alpha, grid$delta))
}

# Of the settings, a data frame. Where rows are few, much depends on the start.
tuned_mixtures <- function(set, base, settings) {
  settings$starts <- if (nrow(set$train) < 10000) 4L else 1L
  best_of(lapply(seq_len(nrow(settings)), function(i) {
    chosen <- as.list(settings[i, ])
    mixture <- do.call(learn_mixture, c(list(set$train, base = base, validation = set$valid,
                                             progress = FALSE), chosen))
    list(setting = paste(base::names(chosen), chosen, collapse = " "), learned = chosen$starts,
         valid = log_density(mixture, set$valid), test = log_density(mixture, set$test))
  }))
}

methods <- list(
  cnet = function(set) single(set, "cnet"),
  cnetp = function(set) single(set, "cnetp"),
  dcsn = tuned,
  `cnet-b` = function(set) best_part(bag_of(set, "cnet"), set, ""),
  `cnetp-b` = function(set) best_part(bag_of(set, "cnetp"), set, ""),
  `dcsn-b` = tuned_bags,
  mt = function(set) {
    tuned_mixtures(set, "chow-liu", expand.grid(components = grids$trees,
                                                alpha = grids$trees_alpha))
  },
  mcnet = function(set) {
    tuned_mixtures(set, "cnet", expand.grid(components = grids$networks,
                                            max_depth = grids$depths))
  }
)

rows_file <- function(name, method) {
  file.path(command$folder, paste0("rows-", name, "-", method, ".rds"))
}

for (name in names) {
  file <- file.path(command$folder, paste0("likelihoods-", name, ".csv"))
  set <- NULL
  for (method in base::names(methods)) {
    if (is_there(file, method = method)) next
    if (is.null(set)) set <- read_set(name, command$data)
    set.seed(1)
    seconds <- elapsed(found <- methods[[method]](set))
    saveRDS(found$test, rows_file(name, method))
    add_row(file, data.frame(data = name, method = method, setting = trimws(found$setting),
                             seconds = round(seconds, 3), learned = found$learned,
                             valid = round(mean(found$valid), 4),
                             test = round(mean(found$test), 4)))
  }
}

# ---- the table -----------------------------------------------------------------------------------

rows <- all_rows(command$folder, "likelihoods")
there <- intersect(c(data_sets, "toy"), rows$data)
cell <- function(name, method, column = "test") {
  rows[[column]][match(paste(name, method), paste(rows$data, rows$method))]
}
beside <- function(method) {
  published <- paper_likelihoods[[method]][match(there, paper_likelihoods$data)]
  ours <- vapply(there, cell, 0, method)
  shown <- function(x, digits) ifelse(is.na(x), "", sprintf("%.*f", digits, x))
  paste0(shown(published, 2), " / ", shown(ours, 2), " (",
         in_seconds(vapply(there, cell, 0, method, "seconds")), " s)")
}
print_table("Mean log-likelihood of the test rows: the paper / ours (seconds)",
            data.frame(data = there, lapply(stats::setNames(nm = base::names(methods)), beside),
                       check.names = FALSE))

# ---- significance --------------------------------------------------------------------------------

compare <- function(name, a, b) {
  difference <- readRDS(rows_file(name, a)) - readRDS(rows_file(name, b))
  if (all(difference == 0)) return(0)
  p <- suppressWarnings(stats::wilcox.test(difference)$p.value)
  if (p < 0.05) sign(mean(difference)) else 0
}
for (name in names) {
  file <- file.path(command$folder, paste0("wins-", name, ".csv"))
  for (i in seq_len(nrow(paper_wins))) {
    pair <- list(method = paper_wins$method[i], other = paper_wins$other[i])
    if (do.call(is_there, c(file, pair))) next
    add_row(file, data.frame(data = name, pair, outcome = compare(name, pair$method, pair$other)))
  }
}

wins <- all_rows(command$folder, "wins")
print_table(
  "Sets on which a method is significantly better / worse (Wilcoxon, 5 %)",
  data.frame(paper_wins[c("method", "other")],
             paper = paste0(paper_wins$better, " / ", paper_wins$worse, " of 18"),
             ours = paste0(count_wins(wins, 1), " / ", count_wins(wins, -1), " of ",
                           length(unique(wins$data))))
)
