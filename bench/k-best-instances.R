# What do the 20 best networks, and those of the 20 best Markov classes, take beyond the best one?
# And constraints on the network as a whole? One core, search alone.
#
#   Rscript bench/k-best-instances.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz; of each, up to SECONDS (60) a run are spent.

source("bench/common.R")

instances <- instances_asked_for(
  c("zoo.BIC", "hepatitis.BIC", "autos.BIC", "flag.BIC", "alarm1000.BIC", "bands.BIC",
    "spectf.BIC", "sponge.BIC", "hailfinder500.BIC", "carpo500.BIC")
)
limit <- instances$seconds
k <- 20L

score_of <- function(network) certificate(network)$score

# Seconds; of a ranking that was cut off, how far it came.
timed <- function(search) {
  run <- measure(function() {
    suppressWarnings(search(threads = 1, time_limit = limit, progress = FALSE))
  })
  networks <- run$value
  done <- if (inherits(networks, "bn")) {
    certificate(networks)$status == "optimal"
  } else {
    length(networks) == k
  }
  if (done) return(in_seconds(run$processor))
  if (inherits(networks, "bn")) sprintf("gap %.3g", certificate(networks)$gap)
  else paste(length(networks), "of", k)
}

rows <- lapply(instances$names, function(name) {
  sets <- instances$read(name)
  best <- learn_dag(sets, threads = 1)
  ranked <- learn_k_best(sets, k, threads = 1)
  first <- best$arcs[1L, ]
  cat(".")
  data.frame(
    instance = name, nodes = length(sets$nodes), sets = in_thousands(length(sets)),
    best = timed(function(...) learn_dag(sets, ...)),
    k_best = timed(function(...) learn_k_best(sets, k, ...)),
    lost = sprintf("%.3f", score_of(best) - score_of(ranked[[k]])),
    classes = timed(function(...) learn_k_best(sets, k, equivalence = TRUE, ...)),
    fewer = timed(function(...) learn_dag(sets, max_arcs = floor(.8 * nrow(best$arcs)), ...)),
    path = timed(function(...) {
      learn_dag(sets, ancestors = data.frame(first[["from"]], first[["to"]], FALSE), ...)
    })
  )
})
table <- do.call(rbind, rows)
names(table) <- c("instance", "nodes", "sets", "the best", "20 best", "nats between them",
                  "20 classes", "at most 80 % of its arcs", "without a path of its")
print_table("The k best, and constraints on the whole network, processor seconds of one core",
            table,
            paste("The last column forbids the path between the ends of the first arc of the best",
                  "network. The search alone; a run is cut off after", limit, "seconds."))
