# Does the program that checks proofs believe a large proof in which something was changed?
#
#   Rscript bench/mutated-proofs.R FOLDER [COUNT [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz. Of each one's proof so many copies are made with one to three
# words changed: left out, put in twice, exchanged, with another number, a stretch moved or lost. A
# copy may still prove the optimum, or a higher bound; none may prove a lower one.

source(file.path("bench", "common.R"))

asked <- instances_asked_for(c("plants.valid.BIC.p2", "wdbc.BIC", "parkinsons.BIC", "soybean.BIC"),
                             seconds = 250) # (of copies, here)

changed <- function(words) {
  at <- sample(length(words), 2L)
  switch(sample(7L, 1L),
    words[-at[1L]],
    append(words, words[at[1L]], at[2L]),
    replace(words, at, words[rev(at)]),
    replace(words, at[1L], sub("[0-9]+", sample(c(0:9, 2^40), 1L), words[at[1L]])),
    replace(words, at[1L], sub("([0-9]+)", "1\\1", words[at[1L]])),
    c(words[-seq(min(at), max(at))], if (stats::runif(1L) < 0.5) words[seq(min(at), max(at))]),
    replace(words, at[1L], sample(c("+", "-", "=", "x", "t", "~", ".", "d0", "y0", "n1", "*0"), 1L))
  )
}

row_of <- function(name) {
  instance <- file.path(commandArgs(trailingOnly = TRUE)[1L], paste0(name, ".jkl.gz"))
  file <- tempfile()
  set.seed(1)
  best <- certificate(learn_dag(read_jkl(instance), threads = 1, time_limit = 300, proof = file,
                                progress = FALSE))$score
  words <- scan(file, "", quiet = TRUE)
  bounds <- vapply(seq_len(asked$seconds), function(i) {
    copy <- words
    for (change in seq_len(sample(3L, 1L))) copy <- changed(copy)
    writeLines(copy, file)
    optbn:::understand(optbn:::run_checker("check-proof", c(instance, file), NULL))$bound
  }, 0)
  data.frame(instance = name, words = in_thousands(length(words)), copies = length(bounds),
             refused = sum(is.infinite(bounds)), "same bound" = sum(abs(bounds - best) <= 1e-6),
             "higher bound" = sum(is.finite(bounds) & bounds > best + 1e-6),
             fooled = sum(bounds < best - 1e-6), check.names = FALSE)
}

rows <- do.call(rbind, lapply(asked$names, row_of))
print_table("Large proofs in which something was changed", rows)
if (any(rows$fooled > 0L)) quit(status = 1L)
