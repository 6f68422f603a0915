# Runs the tests of the installed package, a file at a time on each core, and writes their count to
# build/counts/NAME.
#
#   Rscript tools/test.R NAME [filter]
#
# They run in a copy, build/testthat, to which new and changed snapshots are written; these are
# brought back for a look at them (testthat::snapshot_review()).
#
# Besides what fails, these are failures: a test or a file that leaves the session otherwise than it
# found it (tests/testthat/setup.R), and in CI (CI=true) a snapshot that was not there yet, because
# testthat writes it and lets the test pass, though nobody has looked at it.

source(file.path("tools", "packages.R"))

arguments <- commandArgs(trailingOnly = TRUE)
filter <- if (length(arguments) > 1L) arguments[2L] else ""
Sys.setenv(NOT_CRAN = "true")
in_ci <- Sys.getenv("CI") == "true"

# ---- running ------------------------------------------------------------------------------------

# The tests of a file, a row each: their seconds, what broke, and why they were left out, if so.
run_file <- function(file) {
  place <- function() {
    plan <- if (isNamespaceLoaded("future")) class(future::plan()) else "sequential"
    list(getwd(), setdiff(plan, "FutureStrategy")[1L], nrow(showConnections()))
  }
  before <- place()
  results <- testthat::test_file(file, reporter = "silent", package = "optbn",
                                 load_package = "installed", stop_on_failure = FALSE)
  tests <- do.call(rbind, c(list(no_tests), lapply(results, summarise_test)))
  if (!identical(place(), before)) {
    tests <- rbind(tests, data.frame(
      test = "the file as a whole", seconds = 0, skipped = NA,
      broken = "a folder, a plan of future or connections are left behind"
    ))
  }
  cbind(file = rep(basename(file), nrow(tests)), tests)
}

no_tests <- data.frame(test = character(), seconds = numeric(), skipped = character(),
                       broken = character())

summarise_test <- function(result) {
  kinds <- vapply(result$results, function(found) class(found)[1L], "")
  messages <- vapply(result$results, conditionMessage, "")
  lines <- vapply(result$results, function(found) as.integer(c(found$srcref, NA)[1L]), 0L)
  broken <- kinds %in% c("expectation_failure", "expectation_error") |
    startsWith(messages, "Global state has changed")
  skips <- sub("^Reason: ", "", messages[kinds == "expectation_skip"])
  data.frame(
    test = c(result$test, "outside of tests")[1L], seconds = result$real,
    skipped = c(skips, NA)[1L],
    broken = if (any(broken)) {
      paste0("line ", lines[broken], ": ", messages[broken], collapse = "\n")
    } else {
      NA
    }
  )
}

# Long files first.
run_files <- function(files) {
  # Forked, since those that are started in the background ignore Ctrl-C, as do their children.
  workers <- parallel::makeForkCluster(max(1L, min(parallel::detectCores(), length(files))))
  on.exit(parallel::stopCluster(workers))
  parallel::clusterCall(workers, .libPaths, .libPaths())
  parallel::clusterExport(workers, c("summarise_test", "no_tests"))
  longest_first <- normalizePath(files[order(-file.size(files))])
  do.call(rbind, parallel::clusterApplyLB(workers, longest_first, run_file))
}

# ---- telling ------------------------------------------------------------------------------------

title <- function(...) cat("\n", ..., "\n", sep = "")

show_versions <- function() {
  versions <- installed_versions(described_packages(c("Imports", "Suggests")))
  title("R ", format(getRversion()), ", with")
  writeLines(strwrap(paste(names(versions), versions, collapse = ", "), 98, indent = 2, exdent = 2))
}

show_results <- function(tests) {
  named <- paste0(tests$file, ": ", tests$test)
  failed <- which(!is.na(tests$broken))
  if (length(failed) > 0L) title("Failed")
  why <- gsub("\n", "\n  ", tests$broken[failed])
  writeLines(paste0(named[failed], "\n  ", why, recycle0 = TRUE))
  left_out <- sort(table(tests$skipped), decreasing = TRUE)
  if (length(left_out) > 0L) title("Left out")
  writeLines(sprintf("%5d  %s", left_out, names(left_out)))
  slowest <- utils::head(order(-tests$seconds), 10L)
  title("Slowest, seconds")
  writeLines(sprintf("%5.1f  %s", tests$seconds[slowest], named[slowest]))
}

# ---- snapshots ----------------------------------------------------------------------------------

copy_tests <- function() {
  unlink(file.path("build", "testthat"), recursive = TRUE)
  dir.create("build", showWarnings = FALSE)
  file.copy(file.path("tests", "testthat"), "build", recursive = TRUE)
  file.path("build", "testthat")
}

# Brings back what is new or has changed, and returns its names.
take_snapshots <- function(folder) {
  home <- file.path("tests", "testthat", "_snaps")
  found <- list.files(file.path(folder, "_snaps"), recursive = TRUE)
  there <- tools::md5sum(file.path(home, found))
  here <- tools::md5sum(file.path(folder, "_snaps", found))
  unlike <- found[is.na(there) | unname(here) != unname(there)]
  file.copy(file.path(folder, "_snaps", unlike), file.path(home, unlike), overwrite = TRUE)
  unlike
}

folder <- copy_tests()
files <- list.files(folder, "^test-.*\\.R$", full.names = TRUE)
files <- files[grepl(filter, sub("^test-(.*)\\.R$", "\\1", basename(files)))]
if (length(files) == 0L) stop("no file of tests/testthat is named like ", filter, call. = FALSE)
show_versions()
tests <- run_files(files)
show_results(tests)
new_snapshots <- take_snapshots(folder)
if (length(new_snapshots) > 0L) title("Snapshots to look at: ", toString(new_snapshots))

failures <- sum(!is.na(tests$broken)) + (in_ci && length(new_snapshots) > 0L)
skipped <- sum(is.na(tests$broken) & !is.na(tests$skipped))
count <- sprintf("%d passed, %d failed, %d skipped",
                 sum(is.na(tests$broken)) - skipped, failures, skipped)
dir.create(file.path("build", "counts"), recursive = TRUE, showWarnings = FALSE)
writeLines(count, file.path("build", "counts", arguments[1L]))
title("R tests: ", count)
if (failures > 0L || nrow(tests) == 0L) quit(status = 1L)
