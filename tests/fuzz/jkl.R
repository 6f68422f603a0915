# Kind "jkl": bytes of files of parent sets are changed. What is taken must be what the text says,
# to a reader that is slow and simple.

sound_files <- function() {
  text <- c("3", "a 3", "-1.5 0", "-1.25 1 b", "-1.125 2 b c", "b 2", "-2 0", "-1e-1 1 c", "c 1",
            "-3.5 0")
  plain <- charToRaw(paste0(paste(text, collapse = "\n"), "\n"))
  c(rep(list(plain), 18L), list(memCompress(plain, "bzip2"), gzipped(plain)))
}

gzipped <- function(bytes) {
  file <- tempfile()
  on.exit(unlink(file))
  connection <- gzfile(file, "wb")
  writeBin(bytes, connection)
  close(connection)
  readBin(file, "raw", 1e6)
}

odd_bytes <- list(
  raw(1), as.raw(255), charToRaw("9"), charToRaw("-"), charToRaw("\n"), charToRaw(" "),
  charToRaw("\r\n"), charToRaw("\t"), charToRaw("e"), charToRaw("."), charToRaw("nan"),
  charToRaw("inf"), charToRaw("0x1p3"), charToRaw("99999999999999999999"), charToRaw("1e999"),
  charToRaw("-0"), charToRaw("+1"), charToRaw(" a"), charToRaw(" b"), charToRaw("\n\n"),
  as.raw(c(0xEF, 0xBB, 0xBF)), as.raw(c(0xC3, 0x28)), charToRaw("1.7e308"), charToRaw("-1e-320")
)

change_bytes <- function(bytes) {
  place <- choose(length(bytes))
  width <- pick(c(1L, 1L, 2L, 5L, 20L))
  rest <- bytes[-seq(place, min(length(bytes), place + width - 1L))]
  switch(choose(6L),
    append(rest, pick(odd_bytes), place - 1L),              # others in their place
    rest,                                                   # left out
    append(bytes, pick(odd_bytes), place - 1L),             # put in
    bytes[seq_len(place)],                                  # cut short
    append(bytes, bytes[seq_len(min(place, 30L))], place),  # twice
    xor(bytes, replace(raw(length(bytes)), place, as.raw(choose(255L)))) # bits
  )
}

# list(name = list(score, parents)) as the text says, or NULL where it does not follow the format.
read_simply <- function(bytes) {
  if (any(bytes == 0)) return(NULL)
  words <- lapply(strsplit(rawToChar(bytes), "\n", fixed = TRUE)[[1L]], function(line) {
    words <- strsplit(line, "[ \t\r]+", useBytes = TRUE)[[1L]]
    words[words != ""]
  })
  lines <- words[lengths(words) > 0L]
  number <- function(word) suppressWarnings(as.numeric(word))
  n <- number(lines[[1L]])
  at <- 2L
  nodes <- list()
  for (v in seq_len(n)) {
    head <- lines[[at]]
    sets <- lines[at + seq_len(number(head[2L]))]
    nodes[[head[1L]]] <- list(score = number(vapply(sets, `[`, "", 1L)),
                              parents = lapply(sets, function(set) sort(set[-(1:2)])))
    at <- at + number(head[2L]) + 1L
  }
  nodes
}

# What is compressed goes through R's connections. Of the rest read_jkl() gets one file in twenty,
# and the others its core: to word an error takes twenty times as long as to find it.
run_jkl <- function(files) {
  number <- choose(length(files))
  bytes <- files[[number]]
  for (time in seq_len(choose(3L))) if (length(bytes) > 0L) bytes <- change_bytes(bytes)
  if (length(bytes) == 0L) return(invisible())
  file <- file.path(tempdir(), "changed.jkl")
  require_empty <- choose(2L) == 1L
  read <- if (number > 1L && number < 18L) {
    function() {
      answer <- core_read_jkl(bytes, require_empty)
      if (inherits(answer, "core_failure") || !all(validUTF8(answer$nodes))) NULL else answer
    }
  } else {
    writeBin(bytes, file)
    function() optbn::read_jkl(file, require_empty)
  }
  answer <- attempt(paste("read_jkl() of", in_words(rawToChar(bytes[bytes != 0]), 200L)), read())
  if (!is.null(answer$value)) check_sets(answer$value, bytes)
}

core_read_jkl <- function(...) get("core_read_jkl", asNamespace("optbn"))(...)

check_sets <- function(sets, bytes) {
  if (inherits(sets, "optbn_parent_sets")) {
    copy <- file.path(tempdir(), "copy.jkl")
    optbn::write_jkl(sets, copy)
    again <- optbn::read_jkl(copy, require_empty = FALSE)
    if (!identical(again$sets, sets$sets) || !identical(again$nodes, sets$nodes)) {
      found("what is read, written and read again is not the same")
    }
  }
  if (is_compressed(bytes)) return(invisible())
  simple <- read_simply(bytes)
  if (!setequal(names(simple), sets$nodes)) found("reads other nodes than the text names")
  for (v in sets$nodes) {
    ours <- sets_of(sets, match(v, sets$nodes))
    theirs <- simple[[v]]
    key <- function(parents) vapply(parents, function(p) paste(sort(p), collapse = "\r"), "")
    named <- lapply(ours$parents, function(p) sets$nodes[p])
    order <- match(key(theirs$parents), key(named))
    if (anyNA(order) || length(ours$score) != length(theirs$score)) found("reads other sets")
    if (!isTRUE(all.equal(ours$score[order], theirs$score, tolerance = 1e-14))) {
      found("reads other scores")
    }
  }
}

is_compressed <- function(bytes) {
  begins <- function(...) identical(utils::head(bytes, ...length()), as.raw(c(...)))
  begins(0x1f, 0x8b) || begins(0x42, 0x5a, 0x68)
}
