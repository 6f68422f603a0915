# Runs cases of all kinds, in processes of their own, and tells what is wrong.
#
#   Rscript tests/fuzz/main.R share NAME             the same few cases of each kind, some minutes
#   Rscript tests/fuzz/main.R long NAME MINUTES SEED    cases from SEED on, until the time is over
#   Rscript tests/fuzz/main.R again KIND NUMBER...   one case, by its seed or by its tape
#
# The count of kinds in which nothing was wrong goes to build/counts/NAME.
#
# The package is that of the library that R_LIBS names. A process that ends in a case, or that says
# nothing for two minutes, is found to be wrong there, and another goes on after it. Of all that
# looks alike, the first case is made as small as it can be and printed.
#
# It fails, besides, if an exported function or one of its arguments was in no case, or if one
# of the core's functions was never entered.

suppressPackageStartupMessages(library(optbn))
source(file.path("tests", "fuzz", "choices.R"))
source(file.path("tests", "fuzz", "arguments.R"))

kinds <- c("arguments", "frames", "objects", "jkl", "proofs", "sequences", "stops")
share <- c(arguments = 600, frames = 300, objects = 100, jkl = 3000, proofs = 600, sequences = 200, stops = 8)
long_jkl <- 100000
most_silence <- 120 # seconds
folder <- file.path("build", "fuzz")

# ---- processes ----------------------------------------------------------------------------------

start <- function(kind, job) {
  log <- tempfile(paste0(kind, "-"), folder, ".log")
  file.create(log)
  process <- processx::process$new(
    file.path(R.home("bin"), "Rscript"),
    c(file.path("tests", "fuzz", "child.R"), kind, log, job),
    stdout = NULL, stderr = sub("log$", "err", log)
  )
  list(process = process, log = file(log, "r", blocking = FALSE), errors = sub("log$", "err", log),
       heard = Sys.time(), number = NA, steps = character(), done = FALSE)
}

# What the child has said since; adds to `child` where it is and whether it was alive before it
# was heard, and calls tell(word, text).
listen <- function(child, tell) {
  child$alive <- child$process$is_alive()
  for (line in readLines(child$log, warn = FALSE)) {
    child$heard <- Sys.time()
    word <- sub(" .*", "", line)
    text <- sub("^[a-z]+ ", "", line)
    switch(word,
      case = {
        child$number <- as.numeric(text)
        child$steps <- character()
      },
      step = child$steps <- c(child$steps, text),
      done = child$done <- TRUE,
      tell(word, text, child)
    )
  }
  child
}

# TRUE once the process has nothing more to say; what ended it is told.
is_over <- function(child, tell) {
  if (child$done) return(TRUE)
  if (difftime(Sys.time(), child$heard, units = "secs") > most_silence) {
    child$process$kill_tree()
    tell("found", "does not end", child)
    return(TRUE)
  }
  if (child$alive) return(FALSE)
  tell("found", paste("ends R:", last_words(child$errors)), child)
  TRUE
}

# Of a sanitizer, its verdict.
last_words <- function(file) {
  lines <- readLines(file, warn = FALSE)
  verdict <- grep("runtime error:|^SUMMARY|caught segfault|^Error", lines, value = TRUE)
  c(verdict, utils::tail(lines, 1L), "")[1L]
}

close_child <- function(child) {
  close(child$log)
  unlink(c(child$errors))
}

# ---- runs ---------------------------------------------------------------------------------------

# Two processes at a time. A plan is list(kind, first, count, seconds): seeds from `first` on.
run_plans <- function(plans) {
  result <- list(findings = list(), cases = stats::setNames(numeric(length(kinds)), kinds),
                 covered = character(), entered = character())
  tell <- function(word, text, child) {
    switch(word,
      covered = result$covered <<- union(result$covered, text),
      entered = result$entered <<- union(result$entered, text),
      found = result$findings[[length(result$findings) + 1L]] <<-
        list(kind = child$kind, number = child$number, text = text, steps = child$steps)
    )
  }
  waiting <- plans
  running <- list()
  while (length(waiting) + length(running) > 0L) {
    while (length(waiting) > 0L && length(running) < 2L) {
      running <- c(running, list(begin_plan(waiting[[1L]])))
      waiting <- waiting[-1L]
    }
    Sys.sleep(0.05)
    for (i in rev(seq_along(running))) {
      child <- running[[i]] <- listen(running[[i]], tell)
      if (!is_over(child, tell)) next
      plan <- child$plan
      at <- if (is.na(child$number)) plan$first + plan$count else child$number + 1
      result$cases[[plan$kind]] <- result$cases[[plan$kind]] + at - plan$first
      close_child(child)
      running[[i]] <- NULL
      plan$count <- plan$count - (at - plan$first)
      plan$first <- at
      plan$seconds <- plan$seconds - as.numeric(difftime(Sys.time(), child$begun, units = "secs"))
      if (!child$done && plan$count > 0 && plan$seconds > 0) {
        waiting <- c(list(plan), waiting)
      }
    }
  }
  result
}

begin_plan <- function(plan) {
  child <- start(plan$kind, c("seeds", format(plan$first, scientific = FALSE),
                              format(plan$count, scientific = FALSE), ceiling(plan$seconds)))
  c(child, list(kind = plan$kind, plan = plan, begun = Sys.time()))
}

# ---- smaller cases ------------------------------------------------------------------------------

# What findings of one cause have in common: no numbers, no names of files.
signature_of <- function(finding) {
  paste(finding$kind, substr(gsub("0x[0-9a-f]+|[0-9.e+-]+|\"[^\"]*\"", "#", finding$text), 1L, 80L))
}

# What each of these tapes leads to: a list of findings, NULL where there is none.
try_tapes <- function(kind, tapes) {
  found <- vector("list", length(tapes))
  from <- 1L
  while (from <= length(tapes)) {
    file <- tempfile("tapes-", folder)
    writeLines(vapply(tapes[from:length(tapes)], paste, "", collapse = " "), file)
    tell <- function(word, text, child) {
      at <- if (is.na(child$number)) length(tapes) else from + child$number - 1L
      if (word == "found") {
        found[[at]] <<- list(kind = kind, number = child$number, text = text, steps = child$steps)
      }
    }
    child <- start(kind, c("tapes", file))
    repeat {
      Sys.sleep(0.05)
      child <- listen(child, tell)
      if (is_over(child, tell)) break
    }
    close_child(child)
    unlink(file)
    if (child$done || is.na(child$number)) break
    from <- from + as.integer(child$number)
  }
  found
}

make_small <- function(finding, rounds = 12L) {
  tape <- tape_of_seed(finding$number)
  smallest <- c(finding, list(tape = tape))
  for (round in seq_len(rounds)) {
    tapes <- smaller_tapes(smallest$tape)
    tapes <- tapes[seq_len(min(length(tapes), 60L))]
    if (length(tapes) == 0L) break
    found <- try_tapes(finding$kind, tapes)
    alike <- which(vapply(found, function(other) {
      !is.null(other) && signature_of(other) == signature_of(finding)
    }, NA))
    if (length(alike) == 0L) break
    smallest <- c(found[[alike[1L]]], list(tape = tapes[[alike[1L]]]))
  }
  smallest$number <- finding$number
  smallest
}

# ---- telling ------------------------------------------------------------------------------------

show_finding <- function(finding, times) {
  cat(sprintf("\n%s, seed %.0f (%d such): %s\n", finding$kind, finding$number, times,
              finding$text))
  cat(paste0("    ", finding$steps, "\n"), sep = "")
  cat("  again: make fuzz CASE='", finding$kind, " ", paste(finding$tape, collapse = " "), "'\n",
      sep = "")
}

show_findings <- function(findings, most = 40L) {
  signatures <- vapply(findings, signature_of, "")
  for (signature in utils::head(unique(signatures), most)) {
    alike <- findings[signatures == signature]
    finding <- if (is.na(alike[[1L]]$number)) alike[[1L]] else make_small(alike[[1L]])
    show_finding(finding, length(alike))
  }
  more <- length(unique(signatures)) - most
  if (more > 0L) cat("\nand", more, "others\n")
}

# What no case was about, in words.
uncovered <- function(result) {
  pairs <- function_arguments()
  all <- paste(pairs$f, pairs$argument)
  core <- grep("^core_", ls(asNamespace("optbn")), value = TRUE)
  c(paste("no case for", setdiff(all, result$covered), recycle0 = TRUE),
    paste("never entered:", setdiff(core, result$entered), recycle0 = TRUE))
}

finish <- function(result) {
  show_findings(result$findings)
  gaps <- uncovered(result)
  writeLines(gaps)
  wrong <- unique(vapply(result$findings, `[[`, "", "kind"))
  cat("\ncases:", paste(names(result$cases), format(result$cases, big.mark = ",", trim = TRUE),
                        collapse = ", "), "\n")
  failed <- length(wrong) + (length(gaps) > 0L)
  count <- sprintf("%d passed, %d failed", length(kinds) + 1L - failed, failed)
  dir.create(file.path("build", "counts"), recursive = TRUE, showWarnings = FALSE)
  name <- arguments[2L]
  writeLines(count, file.path("build", "counts", name))
  cat(name, ": ", count, "\n", sep = "")
  if (failed > 0L) quit(status = 1L)
}

# ---- what is asked ------------------------------------------------------------------------------

share_plans <- function() {
  lapply(kinds, function(kind) list(kind = kind, first = 1, count = share[[kind]], seconds = 3600))
}

# Two processes, so that each kind has a third of the time.
long_plans <- function(minutes, seed) {
  lapply(kinds, function(kind) {
    list(kind = kind, first = seed, count = if (kind == "jkl") long_jkl else 1e7,
         seconds = 60 * minutes * 2 / length(kinds))
  })
}

arguments <- commandArgs(trailingOnly = TRUE)
unlink(folder, recursive = TRUE)
dir.create(folder, recursive = TRUE)
switch(arguments[1L],
  share = finish(run_plans(share_plans())),
  long = finish(run_plans(long_plans(as.numeric(arguments[3L]), as.numeric(arguments[4L])))),
  again = {
    kind <- arguments[2L]
    numbers <- as.numeric(arguments[-(1:2)])
    tape <- if (length(numbers) == 1L) tape_of_seed(numbers) else numbers
    found <- try_tapes(kind, list(tape))[[1L]]
    if (is.null(found)) {
      cat("Nothing is wrong.\n")
    } else {
      show_finding(c(found, list(tape = tape)), 1L)
    }
  }
)
