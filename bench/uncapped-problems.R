# The data sets of uncapped.R and score-against-time.R: `problems`, each with a name, what reads it,
# its score and how learn_dag() is given it. `folder` holds the data: debd/, uci/ with uci.R,
# networks/, gauss/ (made by gauss.R).

source(file.path("bench", "peers.R"))

read_binary <- function(name, rows) binary_data(name, rows, file.path(folder, "debd"))

sample_network <- function(name) {
  varies(droplevels(sampled_data(name, 5000L, file.path(folder, "networks"))))
}

numbers_of <- function(name) {
  data <- readRDS(file.path(folder, "gauss", paste0(name, ".rds")))
  as.data.frame(data)
}

uci <- new.env()
if (file.exists(file.path(folder, "uci.R"))) sys.source(file.path(folder, "uci.R"), uci)

sonar <- function() {
  data("Sonar", package = "mlbench", envir = environment())
  Sonar[-61L]
}

in_database <- function(data) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(connection, "data", data)
  list(x = dplyr::tbl(connection, "data"))
}

by_type <- function(data) {
  numeric <- vapply(data, is.numeric, NA)
  if (all(numeric)) "bic-g" else if (any(numeric)) "bic-cg" else "bic"
}

# `given`: the arguments of learn_dag() that bring it the data.
problem <- function(name, read, score = NULL, given = function(data) list(x = data)) {
  list(name = name, read = read, score = score, given = given)
}

binary_names <- c("nltcs", "msnbc", "kdd", "plants", "baudio", "jester", "bnetflix", "accidents",
                  "tretail", "pumsb_star", "dna", "kosarek", "msweb", "book", "tmovie", "cwebkb",
                  "cr52", "c20ng", "bbc", "ad")
all_in_2000 <- c("dna", "bbc") # have no more rows than these
sampled_names <- c("alarm", "barley", "mildew", "hailfinder", "hepar2", "win95pts", "pathfinder",
                   "andes", "link", "munin")
bnlearn_names <- c("asia", "insurance", "alarm", "hailfinder", "learning.test", "gaussian.test",
                   "clgaussian.test")
uci_names <- sub("[.]csv[.]gz$", "", list.files(file.path(folder, "uci"), "[.]csv[.]gz$"))
gauss_names <- sub("[.]rds$", "", list.files(file.path(folder, "gauss"), "[.]rds$"))

problems <- c(
  lapply(bnlearn_names, function(name) problem(name, function() bnlearn_data(name))),
  lapply(c("asia", "insurance", "alarm"), function(name) {
    problem(paste0(name, ", bde"), function() bnlearn_data(name), "bde")
  }),
  list(problem("gaussian.test, bge", function() bnlearn_data("gaussian.test"), "bge")),
  lapply(c("asia", "insurance", "alarm", "clgaussian.test"), function(name) {
    problem(paste0(name, ", pcart"), function() bnlearn_data(name), "pcart")
  }),
  if (has("RSQLite") && has("dplyr")) {
    list(problem("alarm, in a database", function() bnlearn_data("alarm"), given = in_database))
  },
  lapply(binary_names, function(name) problem(name, function() read_binary(name, 2000L))),
  lapply(setdiff(binary_names, all_in_2000), function(name) {
    problem(paste0(name, ", all rows"), function() read_binary(name, -1L))
  }),
  lapply(sampled_names, function(name) {
    problem(paste0(name, ", 5000 rows"), function() sample_network(name))
  }),
  if (has("mlbench")) list(problem("Sonar", sonar)),
  lapply(uci_names, function(name) {
    problem(paste0("uci ", name), function() uci$read_uci(name, file.path(folder, "uci")))
  }),
  lapply(gauss_names, function(name) problem(name, function() numbers_of(name)))
)
