# Kind "proofs": bytes or words of a proof, of its parent sets, or of its data are changed. The
# programs that check must end as they say they do, and believe nothing that is false.

# Files of a proof of each kind of step, what they are about, and the optimum.
sound_proofs <- function() {
  set.seed(1)
  data <- as.data.frame(lapply(1:8, function(i) factor(sample(2L, 60, TRUE))))
  names(data) <- paste0("V", 1:8)
  for (v in 3:8) data[[v]] <- factor((as.integer(data[[v]]) + as.integer(data[[v - 2L]])) %/% 2L)
  lapply(c("lagrangian", "branch-and-cut", "dp"), function(method) {
    files <- file.path(tempdir(), paste0(method, c(".csv", ".jkl", ".proof")))
    network <- suppressMessages(
      optbn::learn_dag(data, "bde", method = method, proof = files[3L], progress = FALSE)
    )
    sets <- optbn::parent_sets(network)
    codes <- lapply(data, as.integer)
    writeLines(c(paste(names(data), collapse = ","), do.call(paste, c(codes, sep = ","))),
               files[1L])
    optbn::write_jkl(sets, files[2L])
    lines <- readLines(files[3L])
    lines <- sub("^(scores .*) 1$", "\\1 0", lines) # rows are not counted
    list(bytes = lapply(c(files[1:2], NA), function(file) {
      if (is.na(file)) charToRaw(paste0(lines, "\n", collapse = "")) else readBin(file, "raw", 1e6)
    }), optimum = optbn::certificate(network)$score, sets = length(sets))
  })
}

change_words <- function(bytes) {
  words <- strsplit(rawToChar(bytes), "(?<=[ \n,])", perl = TRUE)[[1L]]
  at <- choose(length(words))
  other <- pick(words)
  words <- switch(choose(4L), words[-at], append(words, other, at), replace(words, at, other),
                  replace(words, at, sub("[0-9]+", pick(c("0", "1", "2", "7", "99999999999999")),
                                         words[at])))
  charToRaw(paste(words, collapse = ""))
}

run_proofs <- function(proofs) {
  proof <- pick(proofs)
  bytes <- proof$bytes
  changed <- pick(c(1L, 2L, 3L, 3L, 3L)) # mostly the proof
  for (time in seq_len(choose(2L))) {
    if (length(bytes[[changed]]) == 0L) next
    change <- if (rarely(2L) || any(bytes[[changed]] == 0)) change_bytes else change_words
    bytes[[changed]] <- change(bytes[[changed]])
  }
  files <- file.path(tempdir(), paste0("changed", c(".csv", ".jkl", ".proof")))
  if (changed == 3L && rarely(5L)) bytes[[3L]] <- gzipped(bytes[[3L]])
  Map(function(bytes, file) writeBin(bytes, file), bytes, files)
  note("a changed file: ", c("data", "sets", "proof")[changed])
  first <- run_program("check-proof", files[2:3])
  if (changed != 2L && first$status == 0L) check_bound(first$line, proof$optimum)
  second <- run_program("check-scores", files)
  if (changed == 2L && second$status == 0L) check_listed(second$line, proof$sets)
}

# Its exit status and what it prints, which go together.
run_program <- function(name, files) {
  folder <- system.file("bin", package = "optbn")
  program <- list.files(folder, paste0("^", name, "([.]exe)?$"), full.names = TRUE)
  line <- suppressWarnings(system2(program, shQuote(files), stdout = TRUE, stderr = TRUE))
  status <- attr(line, "status") %||% 0L
  says <- if (status == 0L) "^(optimal|bounded|scores): " else "^not proved: ."
  if (length(line) != 1L || !status %in% 0:1 || !any(grepl(says, line, useBytes = TRUE))) {
    found(name, " ends with status ", status, " and says: ", paste(line, collapse = " "))
  }
  list(status = status, line = line)
}

check_bound <- function(line, optimum) {
  bound <- as.numeric(sub("^.*scores more than (-?[0-9.]+);.*$", "\\1", line))
  constraints <- as.numeric(sub("^.*within ([0-9]+) constraints.*$", "\\1", line))
  if (is.na(bound) || (constraints == 0 && bound < optimum - 1e-6)) {
    found("believes a bound of ", bound, " below the optimum ", optimum)
  }
}

# A set that is lost is one that is needed here, unless its score is hardly changed.
check_listed <- function(line, sets) {
  listed <- as.numeric(sub("^scores: the scores of ([0-9]+) sets .*$", "\\1", line))
  if (is.na(listed) || listed < sets) found("believes that ", listed, " sets are enough")
}
