# Does the package still answer as it did, to the last set, arc and node of a search? Some 200
# problems over all learners (problems.R) are solved, and each answer's text is hashed; hashes.csv
# has those of the last change that was meant to change them. A commit that moves or renames code
# cites the hash of them all.
#
#   make same               what differs, and the hash of all
#   make same UPDATE=1      takes the answers of this version as right
#   make same ONLY=regex    those whose names match
#
# Numbers count to 12 digits; seconds and traces are left out, since clocks differ.

suppressMessages(library(optbn))
options(optbn.threads = 1)

folder <- file.path("tests", "same")
arguments <- commandArgs(trailingOnly = TRUE)
only <- setdiff(arguments, "update")
store <- file.path(folder, "hashes.csv")
source(file.path(folder, "problems.R"))
if (length(only) > 0L) problems <- problems[grepl(only, names(problems))]

# What an answer says, as text.
facts <- function(x) UseMethod("facts")

facts.default <- function(x) {
  if (is.list(x)) return(unlist(Map(function(name, part) c(name, facts(part)), names_of(x), x)))
  if (is.double(x)) return(c(names(x), formatC(as.vector(x), digits = 12, format = "g")))
  c(names(x), as.character(x))
}

names_of <- function(x) if (is.null(names(x))) rep("", length(x)) else names(x)

facts.optbn <- function(x) {
  record <- certificate(x)
  said <- c("status", "score", "bound", "reason", "method", "effort", "node_scores")
  settings <- c("max_parents", "complete", "larger", "left_out", "in_order")
  record$effort <- unlist(record$effort, use.names = FALSE)
  facts(c(list(x$arcs), record[intersect(said, names(record))],
          record$settings[intersect(settings, names(record$settings))]))
}

facts.optbn_parent_sets <- function(x) facts(list(x$nodes, x$sets, x$considered, x$counted))

answer <- function(name) {
  set.seed(1)
  found <- tryCatch(suppressWarnings(suppressMessages(problems[[name]]())),
                    error = function(e) paste("error:", class(e)[1L], conditionMessage(e)))
  rlang::hash(enc2utf8(as.character(facts(found))))
}

begun <- proc.time()[["elapsed"]]
hashes <- vapply(names(problems), answer, "")
found <- data.frame(problem = names(problems), hash = substr(hashes, 1L, 12L))
cat(sprintf("%d problems in %.0f s, hash %s\n", nrow(found), proc.time()[["elapsed"]] - begun,
            substr(rlang::hash(paste(found$problem, found$hash)), 1L, 12L)))
if ("update" %in% arguments) {
  utils::write.csv(found, store, row.names = FALSE)
} else {
  before <- utils::read.csv(store, colClasses = "character")
  same <- found$hash == before$hash[match(found$problem, before$problem)]
  cat(sprintf("differs: %s\n", found$problem[!same %in% TRUE]), sep = "")
  if (!all(same %in% TRUE)) quit(status = 1L)
}
