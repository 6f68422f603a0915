# Figures 3 and 5 of the paper: how far from a known network is what the models learn from samples?
#
#   Rscript bench/paper-pcart/recovery.R FOLDER [networks=FOLDER] [samples=10] [limit=120] [NAME...]
#   Rscript bench/paper-pcart/recovery.R quick
#
# Reads NAME.bif.gz (alarm, insurance, water) from the folder `networks`; adds a row per sample and
# model to FOLDER/recovery-NAME.csv:
#
#   data, size, sample, model
#   distance   structural Hamming distance to the network, between equivalence classes
#   skeleton   the part of it that does not come from directions
#   columns    that vary in the sample
#   arcs       of the network learned
#   scoring    processor seconds for the candidate sets; those of the penalised models are had from
#              the others', whose time is given
#   search     processor seconds for the network, given the sets
#   sets       how many candidate sets
#   limit, status, gap   seconds after which a search is cut off, and what was proved
#   score      natural log
#   graph      as a bnlearn model string
#
# A run that was stopped goes on where it stopped. Samples are the outermost loop: half a run is
# half as many samples of everything.

source(file.path("bench", "paper-pcart", "common.R"))
command <- read_command_line(
  "recovery.R FOLDER [networks=FOLDER] [samples=10] [limit=120] [NAME...]",
  networks = "", samples = 10, limit = 120
)
networks <- command$names
if (length(networks) == 0L) networks <- c("alarm", "insurance", "water")
sizes <- 50 * 2^(0:9)
max_parents <- 4
if (command$quick) {
  networks <- "asia"
  sizes <- c(50, 200)
  max_parents <- 3
  command$samples <- 2
}

# The small network is made of the data that bnlearn ships (Lauritzen & Spiegelhalter 1988).
read_network <- function(name) {
  if (command$quick) {
    shelf <- new.env()
    utils::data("asia", package = "bnlearn", envir = shelf)
    graph <- bnlearn::model2network("[A][S][T|A][L|S][B|S][E|T:L][X|E][D|B:E]")
    return(bnlearn::bn.fit(graph, shelf$asia))
  }
  bnlearn::read.bif(file.path(command$networks, paste0(name, ".bif.gz")))
}

# The sample depends on network, size and number alone, not on what ran before.
draw_sample <- function(network, name, size, number) {
  set.seed(1e6 + 1e5 * match(name, c("alarm", "insurance", "water", "asia")) +
             1e3 * match(size, 50 * 2^(0:9)) + number)
  bnlearn::rbn(network, size)
}

score_of <- function(family) if (family == "pcart") score_pcart() else score_ft()

for (number in seq_len(command$samples)) for (name in networks) {
  network <- read_network(name)
  truth <- bnlearn::cpdag(bnlearn::bn.net(network))
  nodes <- bnlearn::nodes(truth)
  file <- results_file(command$folder, paste0("recovery-", name))
  for (size in sizes) {
    wanted <- missing_models(file, size = size, sample = number)
    if (length(wanted) == 0L) next
    data <- draw_sample(network, name, size, number)
    note <- function(model, graph, facts) {
      add_result(file, cbind(
        data.frame(
          data = name, size = size, sample = number, model = model,
          distance = bnlearn::shd(bnlearn::cpdag(graph), truth),
          skeleton = sum((pairs_of(graph, nodes) > 0) != (pairs_of(truth, nodes) > 0))
        ),
        facts
      ), graph)
    }
    learn_by_models(data, max_parents, score_of, command$limit, wanted, note)
  }
}
