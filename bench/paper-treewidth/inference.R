# Tables 8 to 12 of the paper: what does a network of bounded tree-width lose against the one behind
# the data, and what does it save?
#
#   Rscript bench/paper-treewidth/inference.R FOLDER data=FOLDER networks=FOLDER [rows=10000]
#     [seeds=1] [limit=30] [subsets=1000] [NAME...]
#   Rscript bench/paper-treewidth/inference.R quick
#
# A network is the truth: one of those in `networks`, NAME.bif.gz; rand50 and rand60, which are made
# here; or for a data set in `data` the best that is found of any tree-width. `rows` rows are drawn
# from it, networks are learned from these, and answers of both are compared. Adds a row to
# inference-NAME.csv of FOLDER for each:
#
#   data, nodes, k, method, rows, seed, limit, subsets
#            k NA: method "original" is the truth itself, "refitted" its arcs with parameters from
#            the rows; k 0: no arcs; k 1: the tree of Chow & Liu
#   seconds  of the processor, for learning
#   width, cells, ms   of the junction tree; milliseconds of a question for one node's marginal
#   kl1, kl2, kl3      mean divergences, in nats, of the marginals of one, two and three nodes: of
#                      all of them, or of `subsets` random ones
#   d_abs, d_rel       mean over nodes of sum |P - P0| and of sum |P - P0| / P0
#
# Divergences are of the truth to the estimate, sum P0 log(P0 / P): the paper has them the other way
# round, where an estimate above 0 of what is impossible makes them infinite. `limit` is the elapsed
# seconds of one search, besides scoring; the paper gave 30 minutes.

source(file.path("bench", "paper-treewidth", "common.R"))
command <- read_command_line(
  paste("inference.R FOLDER data=FOLDER networks=FOLDER [rows=10000] [seeds=1] [limit=30]",
        "[subsets=1000] [NAME...]"),
  data = "", networks = "", rows = 1e4, seeds = 1, limit = 30, subsets = 1000
)
networks <- c("rand50", "rand60", "barley", "hailfinder", "hepar2", "pathfinder")
names <- command$names
if (length(names) == 0L) names <- c(networks, data_sets, "hill", "communities")
if (quick) {
  names <- c("rand50", "attitude")
  command[c("rows", "limit", "subsets")] <- list(500, 0.2, 20)
}
if (!has("bnlearn")) quit(status = 0L)

# ---- the truth -----------------------------------------------------------------------------------

# The paper's random networks have 50 and 60 binary nodes, 283 and 517 arcs, at most 7 and 10 into a
# node, and answers in milliseconds, which few graphs so dense allow. Ours are parts of k-trees of
# that width: a node's parents are those it is joined to when it comes in, but for some arcs that
# are left out at random.
random_network <- function(nodes, arcs, fan_in) {
  tree <- sample_k_tree(paste0("X", seq_len(nodes)), fan_in)
  first <- seq_len(fan_in + 1L)
  root <- tree$bags[[1L]]
  parents <- c(lapply(first, function(i) root[seq_len(i - 1L)]),
               Map(setdiff, tree$bags[-1L], tree$introduced[-1L]))
  children <- c(root, tree$introduced[-1L])
  all <- data.frame(from = unlist(parents), to = rep(children, lengths(parents)))
  graph <- bnlearn::empty.graph(tree$nodes)
  bnlearn::arcs(graph) <- as.matrix(all[sort(sample(nrow(all), arcs)), ])
  tables <- lapply(stats::setNames(tree$nodes, tree$nodes), function(node) {
    mothers <- bnlearn::parents(graph, node)
    p <- stats::runif(2^length(mothers))
    values <- rep(list(c("no", "yes")), length(mothers) + 1L)
    array(rbind(p, 1 - p), rep(2L, length(values)), stats::setNames(values, c(node, mothers)))
  })
  bnlearn::custom.fit(graph, tables)
}

read_network <- function(name) {
  file <- tempfile(fileext = ".bif")
  on.exit(unlink(file))
  writeLines(readLines(file.path(command$networks, paste0(name, ".bif.gz"))), file)
  suppressWarnings(bnlearn::read.bif(file))
}

# hill: the 100 points of the noisy data; communities: its complete columns, without the fold and
# what names the place.
read_wide_data <- function(name) {
  if (!name %in% c("hill", "communities")) return(read_data(name, command$data))
  file <- if (name == "hill") "hill_valley_with_noise" else name
  table <- utils::read.csv(file.path(command$data, paste0(file, ".csv.gz")))
  table <- table[setdiff(names(table), c("class", "state", "communityname", "fold"))]
  binarised(table[!vapply(table, anyNA, NA)])
}

# Three parents, with more than 80 columns two: there are too many sets of three then.
parents_for <- function(columns) if (columns > 80L) 2 else most_parents

the_truth <- function(name) {
  set.seed(1)
  if (name == "rand50") return(random_network(50, 283, 7))
  if (name == "rand60") return(random_network(60, 517, 10))
  if (name %in% networks) return(read_network(name))
  data <- read_wide_data(name)
  best <- learn_dag(data, score = "bde", max_parents = parents_for(ncol(data)), threads = 1,
                    time_limit = command$limit + 60, progress = FALSE)
  bnlearn::as.bn.fit(fit_network(best, data))
}

# ---- answers -------------------------------------------------------------------------------------

some_subsets <- function(nodes, size, most) {
  if (choose(length(nodes), size) <= most) return(utils::combn(nodes, size, simplify = FALSE))
  found <- list()
  while (length(found) < most) {
    found <- unique(c(found, replicate(most, sort(sample(nodes, size)), simplify = FALSE)))
  }
  found[seq_len(most)]
}

answers <- function(model, subsets) lapply(subsets, query, model = model)

divergence <- function(true, estimate) {
  mean(mapply(function(p0, p) sum(ifelse(p0 > 0, p0 * log(p0 / p), 0)), true, estimate))
}

# Milliseconds of one node's marginal, asked from R: the mean over nodes, each asked equally often.
milliseconds <- function(model) {
  rounds <- 1L
  repeat {
    clock <- system.time(for (i in seq_len(rounds)) for (node in model$nodes) query(model, node))
    spent <- clock[["user.self"]] + clock[["sys.self"]]
    if (spent > 0.1) return(1000 * spent / rounds / length(model$nodes))
    rounds <- 4L * rounds
  }
}

cost <- function(model) {
  data.frame(width = model$width, cells = sum(model$cells), ms = signif(milliseconds(model), 4))
}

compare <- function(model, subsets, true) {
  estimate <- lapply(subsets, answers, model = model)
  off <- Map(function(p0, p) abs(p - p0), true[[1]], estimate[[1]])
  relative <- Map(function(p0, d) sum(ifelse(p0 > 0, d / p0, 0)), true[[1]], off)
  kl <- signif(mapply(divergence, true, estimate), 5)
  data.frame(kl1 = kl[1], kl2 = kl[2], kl3 = kl[3], d_abs = signif(mean(vapply(off, sum, 0)), 5),
             d_rel = signif(mean(unlist(relative)), 5))
}

# ---- networks ------------------------------------------------------------------------------------

wanted <- rbind(
  data.frame(k = NA, method = c("original", "refitted")),
  data.frame(k = 0:1, method = c("empty", "chow-liu")),
  expand.grid(k = 2:4, method = c("phc+s2", "local"), stringsAsFactors = FALSE)
)

structure_of <- function(truth, rows, k, method, limit) {
  nodes <- names(truth)
  switch(
    method,
    refitted = bnlearn::bn.net(truth),
    empty = bnlearn::empty.graph(nodes),
    `chow-liu` = chow_liu(rows),
    suppressMessages(learn_bounded(rows, k, method, limit, parents_for(length(nodes))))
  )
}

run <- function(name, seed) {
  file <- file.path(command$folder, paste0("inference-", name, ".csv"))
  key <- function(k, method) {
    list(k = k, method = method, rows = command$rows, seed = seed, limit = command$limit,
         subsets = command$subsets)
  }
  left <- wanted[!mapply(function(k, method) do.call(is_there, c(list(file), key(k, method))),
                         wanted$k, wanted$method), ]
  if (nrow(left) == 0L) return()
  truth <- the_truth(name)
  original <- compile_network(truth)
  set.seed(seed)
  subsets <- lapply(1:3, function(size) {
    some_subsets(original$nodes, size, if (size == 1) Inf else command$subsets)
  })
  true <- lapply(subsets, answers, model = original)
  rows <- simulate(original, command$rows)
  # What scoring takes is added to the limit.
  clock <- system.time(suppressMessages(
    parent_sets(rows, "bde", max_parents = parents_for(ncol(rows)), threads = 1, progress = FALSE)
  ))
  Map(function(k, method) {
    set.seed(seed)
    before <- proc.time()
    model <- original
    if (method != "original") {
      network <- structure_of(truth, rows, k, method, command$limit + clock[["elapsed"]])
      model <- compile_network(suppressMessages(fit_network(network, rows)))
    }
    spent <- proc.time() - before
    add_row(file, data.frame(
      data = name, nodes = length(original$nodes), key(k, method),
      seconds = round(spent[["user.self"]] + spent[["sys.self"]], 2), cost(model),
      compare(model, subsets, true)
    ))
  }, left$k, left$method)
}

for (seed in seq_len(command$seeds)) for (name in names) run(name, seed)

# ---- the tables ----------------------------------------------------------------------------------

rows <- all_rows(command$folder, "inference")
same <- rows$limit == command$limit & rows$rows == command$rows & rows$subsets == command$subsets
rows <- rows[same, ]
there <- intersect(c(names, rows$data), rows$data)

mean_of <- function(column, method, k) {
  vapply(there, function(name) {
    mean(rows[[column]][rows$data == name & rows$method == method & rows$k %in% k])
  }, 0, USE.NAMES = FALSE)
}
theirs <- function(table, column) table[[column]][match(there, table$data)]

print_table(
  "Tables 8 and 9, tree-width 3: answers about one node",
  data.frame(
    data = there,
    `paper: D_abs` = in_digits(theirs(paper_marginals, "d_abs")),
    `PHC+S2` = in_digits(mean_of("d_abs", "phc+s2", 3)),
    local = in_digits(mean_of("d_abs", "local", 3)),
    refitted = in_digits(mean_of("d_abs", "refitted", NA)),
    `paper: D_rel` = in_digits(theirs(paper_marginals, "d_rel")),
    `PHC+S2 ` = in_digits(mean_of("d_rel", "phc+s2", 3)),
    `local ` = in_digits(mean_of("d_rel", "local", 3)),
    `refitted ` = in_digits(mean_of("d_rel", "refitted", NA)),
    check.names = FALSE
  )
)
print_table(
  "Tables 8 and 9, tree-width 3: seconds of 1000 answers, and cells of the junction tree",
  data.frame(
    data = there,
    `paper: original` = in_digits(theirs(paper_marginals, "original")),
    learned = in_digits(theirs(paper_marginals, "learned")),
    `ours: original` = in_digits(mean_of("ms", "original", NA)),
    `learned ` = in_digits(mean_of("ms", "local", 3)),
    `width: original` = in_digits(mean_of("width", "original", NA)),
    `cells: original` = in_digits(mean_of("cells", "original", NA)),
    `learned  ` = in_digits(mean_of("cells", "local", 3)),
    check.names = FALSE
  )
)
for (size in 1:3) {
  column <- paste0("kl", size)
  paper <- paper_divergence[paper_divergence$size == size, ]
  of_paper <- lapply(c(0:4, "Inf"), function(k) in_digits(theirs(paper, paste0("k", k))))
  ours <- c(list(mean_of(column, "empty", 0), mean_of(column, "chow-liu", 1)),
            lapply(2:4, function(k) mean_of(column, "phc+s2", k)),
            lapply(2:4, function(k) mean_of(column, "local", k)),
            list(mean_of(column, "refitted", NA)))
  labels <- c("paper: k = 0", "1", "2", "3", "4", "any", "ours: k = 0", "Chow-Liu",
              paste("PHC+S2", 2:4), paste("local", 2:4), "true arcs")
  print_table(
    sprintf("Table %d: mean divergence of the marginals of %d node%s", 9 + size, size,
            if (size > 1) "s" else ""),
    stats::setNames(data.frame(there, of_paper, lapply(ours, in_digits)), c("data", labels)),
    paste(command$rows, "rows,", command$limit, "seconds a search.")
  )
}
