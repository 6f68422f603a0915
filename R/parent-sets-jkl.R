# Exchange files of candidate parent sets: R moves the bytes (so that its own
# connections and decompression serve), the core reads and writes the text.

#' Read and Write Files of Candidate Parent Sets
#'
#' The `.jkl` format exchanges instances of exact structure learning between programs such as
#' GOBNILP, CPBayes and this package. An instance consists of the candidate parent sets of every
#' node and their local scores.
#'
#' The file is text. Its first line contains the number of nodes. For every node there is a line
#' `name count`, followed by `count` lines `score size parent ...`. Scores are natural logarithms,
#' larger is better. Parents are the names of nodes (in many files these are the numbers from 0).
#' The lines of a node may be in any order, and blank lines are ignored.
#'
#' A file contains no information on the data behind its scores: the result has no score object, and
#' its number of rows is `NA`. Sets that are dominated by a subset are kept, so reading and writing
#' a file gives the same instance.
#'
#' @param file The name of a file, plain or compressed (gzip, bzip2, xz), or a
#'   connection that can be opened for binary reading or writing. A name that
#'   ends in `.gz` is written with gzip.
#' @param require_empty Must every node have the empty set among its candidates? A node without it
#'   always has a parent, which is the effect of a `whitelist`; in other files it indicates lost
#'   lines.
#' @param x A [`parent_sets`][parent_sets()] object.
#' @param digits The largest number of significant digits of a score, from 1 to 17. The default
#'   writes as many (15 to 17) as are necessary to read back exactly the same number.
#'
#' @return `read_jkl()`: a [`parent_sets`][parent_sets()] object with the file as the source in its
#'   settings. `write_jkl()`: `x`, invisibly.
#'
#' @section Errors:
#' `optbn_error_parse` for a file that cannot be read or does not follow the format; the message,
#' and the fields `file` and `line` of the condition, name the line. Causes are an incomplete line,
#' a malformed number, a score that is not finite, fewer or more nodes than declared, a node or a
#' set given twice, a node without the empty set, and a parent that is unknown, repeated or the node
#' itself. `optbn_error_argument` for a file that does not exist. `write_jkl()`:
#' `optbn_error_conversion` for names of nodes with blanks.
#'
#' @references
#' Bartlett M, Cussens J (2017). Integer Linear Programming for the Bayesian
#' Network Structure Learning Problem. *Artificial Intelligence*, 244, 258-271.
#' \doi{10.1016/j.artint.2015.03.003}
#'
#' @examples
#' file <- system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn")
#' sets <- read_jkl(file)
#' sets$nodes
#' lengths(lapply(sets$sets, `[[`, "score"))
#'
#' copy <- tempfile(fileext = ".jkl.gz")
#' write_jkl(sets, copy)
#' identical(read_jkl(copy)$sets, sets$sets)
#' @export
read_jkl <- function(file, require_empty = TRUE) {
  require_arguments()
  began <- proc.time()[["elapsed"]]
  check_flag(require_empty, "require_empty")
  label <- file_label(file)
  if (is.character(file) && !file.exists(file)) {
    abort_optbn("argument", "File {.file {file}} does not exist.")
  }
  bytes <- tryCatch(read_bytes(file), error = function(e) abort_unreadable(label, e))
  found <- core_read_jkl(bytes, require_empty)
  if (inherits(found, "core_failure")) {
    found$facts$file <- label
    # A message quotes the file, which need not be UTF-8.
    found$message <- iconv(found$message, "UTF-8", "UTF-8", sub = "byte")
  }
  found <- call_core(found)
  if (!all(validUTF8(found$nodes))) {
    abort_optbn("parse", c("{.file {label}} is not encoded in UTF-8.",
                           i = "Re-encode it, with {.fn iconv} for example."))
  }
  count <- as.double(lengths(lapply(found$sets, `[[`, "score")))
  new_parent_sets(
    found$nodes, found$sets, considered = count, counted = count,
    settings = list(score = NULL, max_parents = NULL, whitelist = NULL, blacklist = NULL,
                    source = label),
    rows = NA_real_, seconds = recorded_seconds(proc.time()[["elapsed"]] - began)
  )
}

#' @rdname read_jkl
#' @export
write_jkl <- function(x, file, digits = 17) {
  require_arguments()
  if (!inherits(x, "optbn_parent_sets")) {
    abort_optbn("argument", c("{.arg x} must be parent sets, as {.fn parent_sets} makes them.",
                              x = "It is {describe(x)}."))
  }
  check_sound(x)
  digits <- check_count(digits, "digits", minimum = 1)
  if (digits > 17) {
    abort_optbn("argument", c("{.arg digits} must be at most 17, which gives every number exactly.",
                              x = "It is {digits}."))
  }
  file_label(file)
  unwritable <- x$nodes[grepl("[[:space:]]", x$nodes) | x$nodes == ""]
  if (length(unwritable) > 0) {
    abort_optbn("conversion", c(
      "The format separates names by blanks, so a name must hold none, and at least one character.",
      x = "{.val {unwritable}} cannot be written.",
      i = "Rename {cli::qty(unwritable)}the column{?s} before the scores are made."
    ))
  }
  write_bytes(call_core(core_write_jkl(x$nodes, x$sets, digits)), file)
  invisible(x)
}

# What messages and settings call a file or connection.
file_label <- function(file, call = parent.frame()) {
  if (inherits(file, "connection")) return(basename(summary(file)$description))
  if (!(is.character(file) && length(file) == 1L && validEnc(file) &&
          !file %in% c(NA, ""))) {
    abort_optbn("argument",
                c("{.arg file} must be the name of a file, or a connection.",
                  x = "It is {describe(file)}."),
                call = call)
  }
  if (nchar(file, "bytes") > longest_path) {
    abort_optbn("argument",
                c("{.arg file} must be a path, of at most {longest_path} bytes.",
                  x = "It has {nchar(file, 'bytes')}."),
                call = call)
  }
  basename(file)
}

longest_path <- 4096 # beyond, R itself gives up

# A folder, a damaged archive, a connection for text.
abort_unreadable <- function(label, error, call = parent.frame(2)) {
  abort_optbn("parse",
              c("{.file {label}} cannot be read.",
                x = "R says: {conditionMessage(error)}.",
                i = "It must be a file, plain or compressed, or a connection for binary reading."),
              call = call, file = label)
}

# All bytes of a file, decompressed, or what is left of a connection.
read_bytes <- function(file) {
  if (is.character(file)) {
    file <- gzfile(file, "rb")
    on.exit(close(file))
  } else if (!isOpen(file)) {
    open(file, "rb")
    on.exit(close(file))
  }
  chunks <- list()
  while (length(chunk <- read_chunk(file)) > 0) chunks[[length(chunks) + 1L]] <- chunk
  do.call(c, c(list(raw()), chunks))
}

# Of a damaged archive R gives what comes before the damage, with a warning.
read_chunk <- function(connection) {
  tryCatch(readBin(connection, "raw", 2^22), warning = function(w) stop(conditionMessage(w)))
}

write_bytes <- function(bytes, file) {
  if (is.character(file)) {
    file <- if (grepl("\\.gz$", file)) gzfile(file, "wb") else base::file(file, "wb")
    on.exit(close(file))
  } else if (!isOpen(file)) {
    open(file, "wb")
    on.exit(close(file))
  }
  writeBin(bytes, file)
}
