# The command line of the experiments of papers: FOLDER [KEY=VALUE...] [NAME...], or quick.

read_command_line <- function(usage, ...) {
  given <- commandArgs(trailingOnly = TRUE)
  quick <- identical(given, "quick")
  if (quick) given <- tempfile("experiment-")
  if (length(given) == 0L) stop("usage: ", usage, call. = FALSE)
  settings <- list(...)
  keyed <- grepl("=", given, fixed = TRUE)
  for (text in given[keyed]) {
    key <- sub("=.*", "", text)
    if (!key %in% names(settings)) stop("there is no ", key, ": ", usage, call. = FALSE)
    value <- sub("^[^=]*=", "", text)
    settings[[key]] <- if (is.numeric(settings[[key]])) as.numeric(value) else value
  }
  plain <- given[!keyed]
  dir.create(plain[1L], showWarnings = FALSE, recursive = TRUE)
  c(list(quick = quick, folder = plain[1L], names = plain[-1L]), settings)
}
