# The process in which cases run; main.R begins it and reads its log.
#
#   Rscript child.R KIND LOG seeds FIRST COUNT SECONDS    cases by their seeds
#   Rscript child.R KIND LOG tapes FILE                   cases by tapes, one a line of the file
#
# The log has a line "case NUMBER" for each, lines "step TEXT" of what it does, "found TEXT" where
# something is wrong; "covered FUNCTION ARGUMENT" and "entered FUNCTION" for what was tried; and
# "done" at the end. The last case of a log without it is the one that ended the process.

arguments <- commandArgs(trailingOnly = TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
for (part in c("choices", "attempts", "materials", "oracle", "arguments", "frames", "objects",
               "jkl", "proofs", "sequences", "stops")) {
  source(file.path(here, paste0(part, ".R")))
}
suppressPackageStartupMessages(library(optbn))
`%||%` <- rlang::`%||%`
options(cli.num_colors = 1L, OutDec = ".")
kind <- arguments[1L]
case$log <- file(arguments[2L], "a")

# Which of the core's functions are entered?
entered <- new.env()
watch_core <- function() {
  namespace <- asNamespace("optbn")
  for (name in grep("^core_", ls(namespace), value = TRUE)) {
    entered[[name]] <- FALSE
    f <- get(name, namespace)
    body(f) <- bquote({
      assign(.(name), TRUE, envir = .(entered))
      .(body(f))
    })
    unlockBinding(name, namespace)
    assign(name, f, namespace)
  }
}
watch_core()

calls <- sound_calls()
run <- switch(kind,
  arguments = function() run_arguments(calls),
  frames = function() run_frames(calls),
  objects = {
    objects <- sound_objects(calls)
    function() run_objects(calls, objects)
  },
  jkl = {
    files <- sound_files()
    function() run_jkl(files)
  },
  proofs = {
    proofs <- sound_proofs()
    function() run_proofs(proofs)
  },
  sequences = function() run_sequences(calls),
  stops = {
    works <- suppressMessages(long_works())
    usual <- learn_dag(calls$learn_dag[[1L]]$x, "bic", progress = FALSE)
    remembered$usual_score <- certificate(usual)$score
    function() run_stops(calls, works)
  }
)

run_case <- function(number, tape, run = get("run", globalenv())) {
  say("case", number)
  begin_case(tape)
  tryCatch(run(), error = function(e) {
    what <- if (inherits(e, "finding")) "" else "the fuzzer itself: "
    say("found", what, conditionMessage(e))
  })
}

tapes <- if (arguments[3L] == "tapes") strsplit(readLines(arguments[4L]), " ", fixed = TRUE)
setwd(tempdir()) # odd names of files are written to, too
if (arguments[3L] == "tapes") {
  for (i in seq_along(tapes)) run_case(i, as.numeric(tapes[[i]]))
} else {
  if (kind == "arguments") run_case(0, 0, function() run_sound_calls(calls))
  ends <- proc.time()[["elapsed"]] + as.numeric(arguments[6L])
  seed <- as.numeric(arguments[4L])
  last <- seed + as.numeric(arguments[5L])
  while (seed < last && proc.time()[["elapsed"]] < ends) {
    run_case(seed, tape_of_seed(seed))
    seed <- seed + 1
  }
}
for (name in ls(entered)) if (entered[[name]]) say("entered", name)
say("done", "")
