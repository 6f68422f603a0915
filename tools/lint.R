# Style and structure, checked by machine: `make lint`.
#
#   format   clang-format leaves the C++ sources as they are (.clang-format)
#   lintr    finds nothing in the R code (.lintr)
#   rooms    a room of the core includes only rooms that ARCHITECTURE.md allows it
#   levels   no folder of the core holds more than 15 files with one concept each
#   names    no name has two definitions in R/: the later file's would hold for both
#   words    no retired word (tools/retired-words.txt) in R/, src/, man/ and vignettes/
#
# Each check prints what it finds, and counts as one test. Where clang-format or lintr is missing,
# its check is left out, but fails in continuous integration.

files_in <- function(folders, pattern) {
  found <- list.files(folders, pattern, recursive = TRUE, full.names = TRUE)
  found[!grepl("RcppExports|/build/", found)]
}

sources <- files_in(c("src", "tests/core", "bench"), "[.](cpp|h)$")

check_format <- function() {
  if (!nzchar(Sys.which("clang-format"))) return(NA_character_)
  said <- suppressWarnings(system2("clang-format", c("--dry-run", "-Werror", sources),
                                   stdout = TRUE, stderr = TRUE))
  grep("error:", said, value = TRUE)
}

check_lintr <- function() {
  if (!requireNamespace("lintr", quietly = TRUE)) return(NA_character_)
  files <- files_in(c("R", "tests/testthat", "tests/same"), "[.]R$")
  cores <- if (.Platform$OS.type == "windows") 1L else parallel::detectCores()
  found <- parallel::mclapply(files, mc.cores = cores, mc.preschedule = FALSE, function(file) {
    vapply(unclass(lintr::lint(file)), function(lint) {
      sprintf("%s:%d: %s", file, lint$line_number, lint$message)
    }, "")
  })
  lost <- files[vapply(found, is.null, NA)] # with the process that was to read them
  c(as.character(unlist(found)), sprintf("%s: was not read", lost)) # (errors are found as text)
}

# The table of ARCHITECTURE.md: for each room those that it may include, and itself.
allowed_rooms <- function() {
  lines <- readLines("ARCHITECTURE.md")
  first <- which(startsWith(lines, "| room |"))
  rows <- strsplit(lines[seq(first + 2L, length(lines))], " *[|] *")
  rows <- rows[seq_len(match(TRUE, lengths(rows) < 5L) - 1L)]
  rooms <- vapply(rows, function(row) gsub("`", "", row[2L], fixed = TRUE), "")
  allowed <- lapply(rows, function(row) if (length(row) > 4L) strsplit(row[5L], ", ")[[1L]])
  stats::setNames(Map(c, rooms, allowed), rooms)
}

room_of <- function(path) sub("^(src/)?core/([^/]+)/.*$", "\\2", path)

check_rooms <- function() {
  allowed <- allowed_rooms()
  core <- files_in("src/core", "[.](cpp|h)$")
  unlist(lapply(core, function(file) {
    lines <- grep('^#include "core/', readLines(file), value = TRUE)
    included <- sub('^#include "([^"]+)".*$', "\\1", lines)
    bad <- !room_of(included) %in% allowed[[room_of(file)]]
    sprintf("%s includes %s", file, included[bad])
  }))
}

check_levels <- function() {
  files <- grep("/sources[.]cpp$", files_in("src/core", "[.](cpp|h)$"), value = TRUE, invert = TRUE)
  concepts <- unique(sub("[.](cpp|h)$", "", files))
  count <- table(dirname(concepts))
  sprintf("%s holds %d concepts", names(count), count)[count > 15L]
}

check_names <- function() {
  defined <- lapply(files_in("R", "[.]R$"), function(file) {
    lines <- readLines(file, encoding = "UTF-8")
    at <- grep("^[A-Za-z.][A-Za-z0-9._]* <- ", lines)
    data.frame(name = sub(" <- .*$", "", lines[at]), place = sprintf("%s:%d", file, at))
  })
  defined <- do.call(rbind, defined)
  twice <- defined[defined$name %in% defined$name[duplicated(defined$name)], ]
  sprintf("%s: %s is defined elsewhere, too", twice$place, twice$name)
}

check_words <- function() {
  words <- readLines("tools/retired-words.txt")
  words <- words[nzchar(words) & !startsWith(words, "#")]
  pattern <- paste0("\\b(", paste(words, collapse = "|"), ")\\b")
  texts <- files_in(c("R", "src", "man", "vignettes"), "[.](R|cpp|h|Rd|Rmd)$")
  unlist(lapply(texts, function(file) {
    lines <- readLines(file, encoding = "UTF-8")
    at <- grep(pattern, lines, ignore.case = TRUE, perl = TRUE)
    sprintf("%s:%d: %s", file, at, trimws(lines[at]))
  }))
}

checks <- list(format = check_format, lintr = check_lintr, rooms = check_rooms,
               levels = check_levels, names = check_names, words = check_words)
failed <- vapply(names(checks), function(name) {
  found <- checks[[name]]()
  left_out <- anyNA(found)
  if (left_out) found <- if (nzchar(Sys.getenv("CI"))) "the tool is missing" else character()
  cat(sprintf("%s: %s\n", name, if (left_out && length(found) == 0L) "left out, tool missing"
                                else if (length(found) == 0L) "clean" else "not clean"))
  cat(sprintf("  %s\n", found), sep = "")
  length(found) > 0L
}, NA)
counts <- sprintf("%d passed, %d failed", sum(!failed), sum(failed))
cat("lint:", counts, "\n")
dir.create("build/counts", recursive = TRUE, showWarnings = FALSE)
writeLines(counts, "build/counts/lint")
if (any(failed)) quit(status = 1L)
