library(testthat)
library(optbn)

test_check("optbn")
