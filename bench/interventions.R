# Experiments in data: rows in which some nodes were set from outside (`targets`).
#
#   Rscript bench/interventions.R [RESULTS.csv] [PROBLEMS]
#
# First, where OPTBN_SHARED names the folder with data/sachs: the 11 proteins of Sachs et al. (2005)
# in three levels, in 5,400 cells, in two thirds of which one of five was set. How long does the
# proved optimum take, and how many of the 20 arcs that are known does it have, with and without
# what was set?
#
# Second, PROBLEMS (100) Gaussian problems of 10 to 50 nodes: random networks with 2 parents a node
# on average, 500 rows observed and 50 rows for each of a third of the nodes, which was set there.
# learn_dag(), for 10 seconds at most, against pcalg's gies() (greedy interventional equivalence
# search; Hauser & Buehlmann 2012) and, up to 14 nodes, its exact simy(), all by BIC with the
# penalty log(N) / 2 for all N rows. Networks are scored by both packages. What is done is in
# RESULTS.csv, and another run goes on from there.
#
# pcalg: install.packages("pcalg"), which needs graph and RBGL of Bioconductor: r-bioc-graph and
# r-bioc-rbgl in Debian, or BiocManager::install(c("graph", "RBGL")).

source("bench/common.R")

# ---- proteins -----------------------------------------------------------------------------------

proteins <- function(folder) {
  data <- read.csv(file.path(folder, "discrete.csv.gz"), colClasses = "character")
  known <- read.csv(file.path(folder, "consensus.csv"))
  labels <- function(arcs) paste(arcs[, 1L], arcs[, 2L])
  pairs <- function(arcs) unique(paste(pmin(arcs[, 1L], arcs[, 2L]), pmax(arcs[, 1L], arcs[, 2L])))
  observed <- data[names(data) != "target"]
  rows <- lapply(c("bde", "bic"), function(score) {
    do.call(rbind, lapply(c(TRUE, FALSE), function(told) {
      run <- measure(times = 3L, function() {
        if (!told) return(suppressMessages(learn_dag(observed, score, threads = 1)))
        suppressMessages(learn_dag(data, score, targets = "target", threads = 1))
      })
      network <- run$value
      directed <- as.data.frame(essential_graph(network))
      data.frame(
        score = score, targets = if (told) "given" else "ignored",
        status = certificate(network)$status, seconds = round(run$processor, 2),
        arcs = nrow(network$arcs), known = sum(labels(network$arcs) %in% labels(known)),
        "known, either way" = sum(pairs(network$arcs) %in% pairs(known)),
        undirected = nrow(directed) - nrow(network$arcs), check.names = FALSE
      )
    }))
  })
  print_table("Interventions: 11 proteins in 5,400 cells, 20 known arcs", do.call(rbind, rows))
}

folder <- file.path(Sys.getenv("OPTBN_SHARED"), "data", "sachs")
if (file.exists(folder)) proteins(folder) else
  cat("(OPTBN_SHARED names no folder with data/sachs: the proteins are left out)\n")

# ---- against gies() -----------------------------------------------------------------------------

simulate_problem <- function(number) {
  set.seed(number)
  n <- sample(10:50, 1L)
  weights <- matrix(0, n, n)
  weights[upper.tri(weights)] <- stats::rbinom(choose(n, 2), 1L, min(1, 4 / (n - 1))) *
    sample(c(-1, 1), choose(n, 2), TRUE) * stats::runif(choose(n, 2), 0.3, 1)
  set <- sort(sample(n, ceiling(n / 3)))
  target <- c(rep(0L, 500L), rep(set, each = 50L))
  x <- matrix(stats::rnorm(length(target) * n), ncol = n)
  for (v in seq_len(n)) {
    free <- target != v
    x[free, v] <- x[free, v] + (x[, seq_len(v), drop = FALSE] %*% weights[seq_len(v), v])[free]
    x[!free, v] <- 2 + x[!free, v]
  }
  place <- sample(n)
  data <- as.data.frame(x[, place])
  names(data) <- paste0("V", seq_len(n))
  list(data = data, target = match(target, place, nomatch = 0L))
}

by_gies <- function(problem) {
  targets <- c(list(integer()), as.list(setdiff(sort(unique(problem$target)), 0L)))
  score <- methods::new("GaussL0penIntScore", data = as.matrix(problem$data), targets = targets,
                        target.index = match(problem$target, c(0L, unlist(targets))))
  # (The list begins with the empty set, whose number is that of 0.)
  list(score = score, network = function() parents_of(pcalg::gies(score)$repr, problem$data))
}

parents_of <- function(dag, data) {
  lapply(dag$.in.edges, function(parents) names(data)[sort(as.integer(parents))])
}

as_matrix <- function(parents, nodes) {
  matrix <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (v in seq_along(nodes)) matrix[parents[[v]], v] <- 1
  matrix
}

score_by_pcalg <- function(score, matrix) {
  sum(vapply(seq_len(ncol(matrix)), function(v) {
    score$local.score(v, unname(which(matrix[, v] == 1)))
  }, 0))
}

compare <- function(number) {
  problem <- simulate_problem(number)
  data <- problem$data
  names <- c("", names(data))[problem$target + 1L]
  # Weights that are no whole numbers: variances are RSS / N then, as they are in pcalg.
  weights <- rep(1 + 1e-9, nrow(data))
  ours <- measure(function() {
    learn_dag(data, "bic-g", targets = names, weights = weights, threads = 1, time_limit = 10,
              progress = FALSE)
  })
  gies <- by_gies(problem)
  theirs <- measure(gies$network)
  exact <- NA
  if (ncol(data) <= 14L) {
    found <- as_matrix(parents_of(pcalg::simy(gies$score)$repr, data), names(data))
    exact <- score_by_pcalg(gies$score, found)
  }
  networks <- list(ours = as.matrix(ours$value), theirs = as_matrix(theirs$value, names(data)))
  by_us <- vapply(networks, score_network, 0, data, "bic-g", weights = weights, targets = names)
  by_them <- vapply(networks, function(matrix) score_by_pcalg(gies$score, matrix), 0)
  data.frame(problem = number, nodes = ncol(data), rows = nrow(data),
             status = certificate(ours$value)$status, gap = certificate(ours$value)$gap,
             ours = by_us[[1L]], gies = by_us[[2L]], ours_by_pcalg = by_them[[1L]],
             gies_by_pcalg = by_them[[2L]], seconds = ours$processor,
             gies_seconds = theirs$processor, simy_by_pcalg = exact)
}

against_gies <- function(file, problems) {
  done <- if (file.exists(file)) read.csv(file)
  for (number in setdiff(seq_len(problems), done$problem)) {
    done <- rbind(done, compare(number))
    write.csv(done, file, row.names = FALSE)
  }
  done <- done[done$problem <= problems, ]
  lead <- done$ours - done$gies
  lead_by_pcalg <- done$ours_by_pcalg - done$gies_by_pcalg
  size <- cut(done$nodes, c(9, 20, 30, 40, 50), c("10 to 20", "to 30", "to 40", "to 50"))
  print_table("Interventions: 100 Gaussian networks beside gies(), BIC", do.call(rbind, lapply(
    split(seq_along(lead), size, drop = TRUE), function(i) {
      data.frame(
        nodes = as.character(size[i[1L]]), problems = length(i),
        proved = sum(done$status[i] == "optimal"), better = sum(lead[i] > 1e-6),
        worse = sum(lead[i] < -1e-6), "worse by pcalg" = sum(lead_by_pcalg[i] < -1e-4),
        "as simy" = sum(abs(done$ours_by_pcalg - done$simy_by_pcalg)[i] < 1e-4, na.rm = TRUE),
        "mean lead" = round(mean(lead[i]), 2), "largest lead" = round(max(lead[i]), 2),
        seconds = round(stats::median(done$seconds[i]), 2),
        "gies seconds" = round(stats::median(done$gies_seconds[i]), 2), check.names = FALSE
      )
    }
  )))
}

arguments <- setdiff(commandArgs(trailingOnly = TRUE), "quick")
file <- if (length(arguments) > 0L) arguments[1L] else tempfile(fileext = ".csv")
problems <- if (length(arguments) > 1L) as.integer(arguments[2L]) else if (quick) 2L else 100L
if (has("pcalg")) against_gies(file, problems)
