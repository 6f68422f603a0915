# Resources: threads, memory, time and progress, the arguments that every
# learner shares.

# More threads than any machine has cores cost time and bring nothing.
most_threads <- 1024L

check_threads <- function(threads, call = parent.frame()) {
  if (is.null(threads)) threads <- default_threads()
  check_count(threads, "threads", minimum = 1, maximum = most_threads, call = call)
}

# Precedence: the call, the environment, the option, Ncpus, two.
default_threads <- function() {
  threads_of_environment() %||% getOption("optbn.threads") %||% getOption("Ncpus") %||%
    min(2L, core_hardware_threads())
}

threads_of_environment <- function() {
  threads <- suppressWarnings(as.integer(Sys.getenv("OPTBN_NUM_THREADS", "")))
  if (!is.na(threads)) max(1L, threads)
}

check_time_limit <- function(time_limit, call = parent.frame()) {
  check_number(time_limit, "time_limit", minimum = 0, finite = FALSE, call = call)
}

check_progress <- function(progress, call = parent.frame()) {
  check_flag(progress, "progress", call = call)
}

# In bytes. The default is three quarters of the memory that is free now.
check_memory_limit <- function(memory_limit, call = parent.frame()) {
  if (is.null(memory_limit)) return(0.75 * core_free_memory())
  check_number(memory_limit, "memory_limit", minimum = 1, finite = FALSE, call = call)
}

require_memory <- function(needed, limit, remedy, call = parent.frame()) {
  if (needed > limit) {
    abort_optbn(
      "memory",
      c("This needs {format_bytes(needed)} of memory and may use {format_bytes(limit)}.",
        i = paste0(remedy, ", or raise {.arg memory_limit} (in bytes).")),
      call = call, needed = needed, limit = limit
    )
  }
}

format_bytes <- function(bytes) {
  if (!is.finite(bytes)) return("unlimited memory")
  power <- min(4, max(0, floor(log(max(bytes, 1), 1000))))
  paste(format(signif(bytes / 1000^power, 3)), c("B", "kB", "MB", "GB", "TB")[power + 1])
}

# All digits, in groups of three, and three of what has more than fifteen; on plots short_count()
# serves.
format_count <- function(count) {
  huge <- isTRUE(count >= 1e15)
  format(count, big.mark = ",", trim = TRUE, scientific = huge, digits = if (huge) 3 else 15)
}

capitalise <- function(text) paste0(toupper(substr(text, 1L, 1L)), substring(text, 2L))

format_seconds <- function(seconds) {
  if (seconds < 120) return(paste(format(signif(seconds, 2)), "s"))
  if (seconds < 7200) return(paste(format(signif(seconds / 60, 2)), "min"))
  paste(format(signif(seconds / 3600, 2)), "h")
}

# What the glue's host is made of. A worker stops on request, as after Ctrl-C.
host_options <- function(threads, time_limit, progress, label, seed = random_seed()) {
  host <- list(threads = threads, time_limit = time_limit, progress = progress, label = label,
               seed = seed)
  host$stop_file <- this_worker$stop_file
  host
}

# A file for the log of a search (src/core/base/search_log.h), begun with a line that says what was
# asked: its name, or NULL.
begin_log <- function(log, facts, call) {
  if (is.null(log)) return(NULL)
  file <- check_file_name(log, "log", call)
  asked <- paste0(names(facts), ifelse(nzchar(names(facts)), "=", ""), facts, collapse = " ")
  first <- paste("# optbn", utils::packageVersion("optbn"), asked)
  written <- tryCatch(is.null(suppressWarnings(writeLines(first, file))), error = function(e) FALSE)
  if (!written) abort_unwritable(log, "log", call)
  normalizePath(file)
}

check_file_name <- function(file, arg, call) {
  if (is_string(file) && nzchar(file)) return(path.expand(file))
  abort_optbn("argument",
              c("{.arg {arg}} must be the name of a file.", x = "It is {describe(file)}."),
              call = call)
}

abort_unwritable <- function(file, arg, call) {
  abort_optbn("argument",
              c("{.arg {arg}} must be a file that can be written.", x = "{.file {file}} cannot."),
              call = call)
}

# A bar of so many steps (NA: nobody knows how many), which goes away with the function that asks
# for it: a function to be called after some of them.
progress_bar <- function(progress, label, total, frame = parent.frame()) {
  if (!progress) return(function(steps = 1) NULL)
  id <- cli::cli_progress_bar(label, total = total, .envir = frame)
  function(steps = 1) cli::cli_progress_update(steps, id = id, .envir = frame)
}

# Seeds are drawn here so that set.seed() governs every random stream of the core.
random_seed <- function() stats::runif(2, 0, 2^31)

# For work that draws nothing.
no_seed <- c(0, 0)

# Evaluates `code` and leaves R's random numbers as they were. What searches for an optimum draws
# from them only to find it sooner: the state decides which of several equally good networks it
# finds, and is no other afterwards.
with_kept_random_state <- function(code) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (is.null(before)) {
    suppressWarnings(rm(".Random.seed", envir = globalenv()))
  } else {
    assign(".Random.seed", before, envir = globalenv())
  })
  code
}

# Seconds, as a result is to have them: nothing that differs from run to run where
# options(optbn.timing = FALSE) says so.
recorded_seconds <- function(seconds) if (is_timed()) seconds else NA_real_

is_timed <- function() !isFALSE(getOption("optbn.timing"))

# For work that needs no bar, and leaves R's random numbers as they are.
quiet_host <- function(threads = 1L) {
  host_options(threads, time_limit = Inf, progress = FALSE, label = "", seed = no_seed)
}
