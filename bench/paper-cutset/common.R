# The experiments of Di Mauro, Vergari & Esposito (2015): what the scripts share.

source(file.path("bench", "common.R"))
source(file.path("bench", "command-line.R"))
source(file.path("bench", "results.R"))
source(file.path("vignettes", "articles", "paper-cutset-published.R"))

# The 20 sets that are standard for density estimation, by their numbers of columns. The paper has
# all but kdd and c20ng.
data_sets <- c("nltcs", "msnbc", "kdd", "plants", "baudio", "jester", "bnetflix", "accidents",
               "tretail", "pumsb_star", "dna", "kosarek", "msweb", "book", "tmovie", "cwebkb",
               "cr52", "c20ng", "bbc", "ad")

# Matrices of zeros and ones, from NAME.{train,valid,test}.data.gz. `toy`: two hundred rows each of
# ten columns in two clusters.
read_set <- function(name, folder) {
  parts <- c(train = "train", valid = "valid", test = "test")
  if (name == "toy") {
    set.seed(1)
    return(lapply(parts, function(part) {
      cluster <- sample(2L, 200, TRUE)
      matrix(as.integer(stats::runif(2000) < c(0.2, 0.7)[cluster]), 200)
    }))
  }
  lapply(parts, function(part) {
    file <- gzfile(file.path(folder, paste0(name, ".", part, ".data.gz")))
    lines <- readLines(file)
    close(file)
    digits <- matrix(unlist(lapply(lines, charToRaw)), nrow = length(lines), byrow = TRUE)
    matrix(as.integer(digits[, c(TRUE, FALSE)]) - 48L, nrow(digits))
  })
}

# Log-densities of rows, a column for each component of a mixture.
by_component <- function(mixture, rows) {
  vapply(seq_along(mixture$weights), function(i) log_density(mixture_component(mixture, i), rows),
         numeric(nrow(rows)))
}

# log of the mean of exp, by row.
log_mean <- function(x) {
  largest <- do.call(pmax, as.data.frame(x))
  largest + log(rowMeans(exp(x - largest)))
}

elapsed <- function(code) system.time(code)[["elapsed"]]

# How many of the test rows are among the training rows: what learning by heart may gain.
share_seen <- function(set) {
  keys <- lapply(set[c("train", "test")], function(x) do.call(paste0, as.data.frame(x)))
  mean(keys$test %in% keys$train)
}
