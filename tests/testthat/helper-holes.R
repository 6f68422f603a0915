# Data with missing values.

# Each value is missing with this probability; every column keeps a value.
with_holes <- function(data, share, seed = 1) {
  withr::local_seed(seed)
  data[] <- lapply(data, function(column) {
    column[stats::runif(length(column)) < share] <- NA
    column
  })
  data
}
