# Does optimality pay? Structure learners on samples from known networks: how far their equivalence
# class is from the true one, how well their network predicts rows that were not seen, and what they
# cost.
#
#   Rscript bench/optimality.R FOLDER bench/optimality.csv MINUTES [PART PARTS]
#
# FOLDER holds networks/ (the Bayesian network repository's, and gaussian/). Replicate by replicate,
# 20 of each network and number of rows, is sampled, learned and appended to the file; what is
# there already is not done again, so the study can be done in pieces (and in PARTS processes, each
# with a file of its own, which does every PARTS-th sample). bench/optimality-report.R makes tables
# and pictures of the file.
#
# Learners, one thread each: learn_dag() (10 seconds at most), bnlearn's hc(), tabu() and mmhc(), by
# BIC and by BDeu (iss = 1; BGe for Gaussian networks), bnlearn's pc.stable() with its defaults,
# and, Gaussian, pcalg's ges() by BIC. One that has no result after 120 seconds has none. Seconds
# are of the processor.

source(file.path("bench", "common.R"))

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 3L) stop("name the folder, the file of results, and minutes", call. = FALSE)
folder <- arguments[1L]
results <- arguments[2L]
deadline <- Sys.time() + 60 * as.numeric(arguments[3L])
part <- if (length(arguments) > 4L) as.integer(arguments[4:5]) else c(1L, 1L)

replicates <- 20L
sizes <- c(100L, 1000L, 10000L)
test_rows <- 5000L
limit <- c(ours = 10, all = 120) # seconds

# ---- networks ------------------------------------------------------------------------------------

# A network of linear regressions with unit noise: each node has on average 1.5 parents among those
# before it, with coefficients of .3 to 1 and either sign.
random_gaussian <- function(nodes) {
  set.seed(nodes)
  names <- sprintf("X%03d", seq_len(nodes))
  parents <- lapply(seq_len(nodes), function(i) {
    sort(sample.int(i - 1L, min(i - 1L, stats::rbinom(1, 4, 0.375))))
  })
  graph <- bnlearn::empty.graph(names)
  bnlearn::arcs(graph) <- cbind(from = names[unlist(parents)],
                                to = rep(names, lengths(parents)))
  local <- lapply(seq_len(nodes), function(i) {
    p <- length(parents[[i]])
    coefficients <- stats::runif(p, 0.3, 1) * sample(c(-1, 1), p, replace = TRUE)
    list(coef = stats::setNames(c(0, coefficients), c("(Intercept)", names[parents[[i]]])), sd = 1)
  })
  bnlearn::custom.fit(graph, stats::setNames(local, names))
}

read_network <- function(name) {
  if (startsWith(name, "random")) return(random_gaussian(as.integer(sub("random", "", name))))
  file <- file.path(folder, "networks", "gaussian", paste0(name, ".rds"))
  if (file.exists(file)) { # some without the second class
    return(structure(readRDS(file), class = c("bn.fit", "bn.fit.gnet")))
  }
  text <- tempfile(fileext = ".bif")
  writeLines(readLines(gz <- gzfile(file.path(folder, "networks", paste0(name, ".bif.gz")))), text)
  close(gz)
  bnlearn::read.bif(text)
}

network_names <- c("asia", "sachs", "child", "insurance", "alarm", "hailfinder", "win95pts",
                   "random10", "random20", "magic-niab", "ecoli70", "magic-irri", "random100")

# ---- learners ------------------------------------------------------------------------------------

scored_learners <- list(
  learn_dag = function(data, label) {
    learn_dag(data, label, threads = 1, time_limit = limit[["ours"]], progress = FALSE)
  },
  hc = function(data, label) bnlearn::hc(data, score = label),
  tabu = function(data, label) bnlearn::tabu(data, score = label),
  mmhc = function(data, label) bnlearn::mmhc(data, maximize.args = list(score = label))
)

ges <- function(data) {
  score <- methods::new("GaussL0penObsScore", as.matrix(data))
  from <- pcalg::ges(score)$repr$.in.edges
  graph <- bnlearn::empty.graph(names(data))
  bnlearn::arcs(graph) <- cbind(from = names(data)[as.integer(unlist(from))],
                                to = rep(names(data), lengths(from)))
  graph
}

# Each with the label of the score, which is the same in bnlearn, or NA.
learners_of <- function(gaussian) {
  labels <- if (gaussian) c(bic = "bic-g", bayes = "bge") else c(bic = "bic", bayes = "bde")
  with_score <- function(name, score) {
    force(name)
    label <- labels[[score]]
    list(learner = name, score = score, label = label,
         learn = function(data) scored_learners[[name]](data, label))
  }
  pairs <- expand.grid(name = names(scored_learners), score = names(labels),
                       stringsAsFactors = FALSE)
  others <- list(list(learner = "pc.stable", score = NA, label = NA, learn = bnlearn::pc.stable))
  if (gaussian && requireNamespace("pcalg", quietly = TRUE)) {
    others <- c(others, list(list(learner = "ges", score = "bic", label = "bic-g", learn = ges)))
  }
  c(Map(with_score, pairs$name, pairs$score), others)
}

# The value of learn(data) and its processor seconds, or NULL if that takes too long or fails.
within_limit <- function(learn, data) {
  job <- parallel::mcparallel({
    clock <- system.time(value <- suppressMessages(suppressWarnings(learn(data))))
    list(network = value, seconds = sum(clock[c("user.self", "sys.self")]))
  }, silent = TRUE)
  found <- parallel::mccollect(job, wait = FALSE, timeout = limit[["all"]])
  if (is.null(found)) {
    tools::pskill(job$pid, tools::SIGKILL)
    parallel::mccollect(job)
    return(NULL)
  }
  parallel::mccollect(job)
  if (inherits(found[[1L]], "try-error")) NULL else found[[1L]]
}

# ---- measures ------------------------------------------------------------------------------------

skeleton_keys <- function(graph) {
  arcs <- bnlearn::arcs(bnlearn::skeleton(graph))
  unique(apply(arcs, 1L, function(arc) paste(sort(arc), collapse = "\r")))
}

# NA for a class that has no network.
score_of <- function(dag, data, label) {
  if (is.null(dag) || is.na(label)) return(NA_real_)
  suppressMessages(score_network(dag, data, label))
}

# NA, too, where a node has so many parents that its table does not fit into memory.
held_out <- function(dag, data, test) {
  if (is.null(dag)) return(NA_real_)
  tryCatch(suppressMessages(mean(log_density(fit_network(dag, data), test))),
           optbn_error_memory = function(e) NA_real_)
}

as_dag <- function(graph) {
  if (bnlearn::directed(graph)) return(graph)
  tryCatch(bnlearn::cextend(graph), error = function(e) NULL)
}

measures_of <- function(found, learner, truth, data, test) {
  row <- data.frame(learner = learner$learner, score = learner$score, seconds = NA_real_,
                    status = "no result", gap = NA_real_, value = NA_real_, arcs = NA_integer_,
                    common = NA_integer_, shd = NA_real_, held_out = NA_real_)
  if (is.null(found)) return(row)
  graph <- found$network
  row$seconds <- round(found$seconds, 3)
  row$status <- "done"
  if (learner$learner == "learn_dag") {
    record <- certificate(graph)
    row$status <- record$status
    row$gap <- signif(record$gap, 6)
    graph <- bnlearn::as.bn(graph)
  }
  dag <- as_dag(graph)
  row$value <- score_of(dag, data, learner$label)
  keys <- skeleton_keys(graph)
  row$arcs <- length(keys)
  row$common <- length(intersect(keys, skeleton_keys(truth)))
  row$shd <- bnlearn::shd(graph, truth)
  row$held_out <- held_out(dag, data, test)
  row
}

# ---- the study -----------------------------------------------------------------------------------

cases <- expand.grid(network = network_names, rows = sizes, replicate = seq_len(replicates),
                     stringsAsFactors = FALSE)
cases <- cases[seq_len(nrow(cases)) %% part[2L] == part[1L] %% part[2L], ]
key <- function(cases) paste(cases$network, cases$rows, cases$replicate)
done <- if (file.exists(results)) key(utils::read.csv(results)) else character()
networks <- lapply(stats::setNames(network_names, network_names), read_network)

for (i in which(!key(cases) %in% done)) {
  if (Sys.time() > deadline) break
  case <- cases[i, ]
  fit <- networks[[case$network]]
  truth <- bnlearn::bn.net(fit)
  set.seed(1000 * match(case$network, network_names) + case$replicate)
  test <- bnlearn::rbn(fit, test_rows)
  data <- bnlearn::rbn(fit, case$rows)
  gaussian <- is.numeric(data[[1L]])
  rows <- lapply(learners_of(gaussian), function(learner) {
    measures_of(within_limit(learner$learn, data), learner, truth, data, test)
  })
  true_value <- held_out(truth, data, test)
  rows <- cbind(case, nodes = length(fit), true_arcs = length(skeleton_keys(truth)),
                true_held_out = true_value, do.call(rbind, rows), row.names = NULL)
  utils::write.table(rows, results, sep = ",", row.names = FALSE, qmethod = "double",
                     append = file.exists(results), col.names = !file.exists(results))
}
