# Data that are too large for the package, in the folder that OPTBN_SHARED names; and cases there
# whose answers slow, independent programs have found.

shared_path <- function(...) {
  path <- file.path(Sys.getenv("OPTBN_SHARED"), ...)
  testthat::skip_if_not(file.exists(path),
                        paste("OPTBN_SHARED names no folder with", file.path(...)))
  path
}

known_cases <- function(file = "pcart_cases.json") {
  skip_without_peer("jsonlite")
  jsonlite::read_json(shared_path("vectors", file))
}

numbers <- function(x) as.numeric(unlist(x))

# The candidate parent sets of a case that lists them as [[members from 0], score] by node.
sets_of_case <- function(case) {
  sets <- lapply(case$scores, function(node) {
    score <- vapply(node, function(set) set[[2]], 0)
    members <- lapply(node, function(set) as.integer(numbers(set[[1]])) + 1L)
    best_first <- order(-score)
    list(score = score[best_first], size = lengths(members)[best_first],
         parents = as.integer(unlist(members[best_first])))
  })
  sets_by_hand(as.character(seq_len(case$n)), sets)
}
