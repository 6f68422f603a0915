# Measuring: what every benchmark script shares.

suppressPackageStartupMessages(library(optbn))

# `make bench QUICK=1`: small problems, to see that everything runs.
quick <- "quick" %in% commandArgs(trailingOnly = TRUE)

# Runs `work()` in a process of its own, forked from this one, and gives back its value, the
# processor seconds and elapsed seconds that it took (the least of `times` runs) and the most memory
# the process held, in bytes; NA where the system does not tell (it is VmHWM of /proc).
# The process goes on with this one's stream of random numbers: the same every time.
# An error of `work` comes back as its message in `error`.
measure <- function(work, times = 1L) {
  job <- parallel::mcparallel({
    spent <- matrix(0, times, 2, dimnames = list(NULL, c("processor", "elapsed")))
    for (i in seq_len(times)) {
      clock <- system.time(value <- work(), gcFirst = TRUE)
      spent[i, ] <- c(clock[["user.self"]] + clock[["sys.self"]], clock[["elapsed"]])
    }
    list(value = value, processor = min(spent[, "processor"]), elapsed = min(spent[, "elapsed"]),
         memory = peak_memory())
  }, mc.set.seed = FALSE, silent = TRUE)
  result <- parallel::mccollect(job)[[1]]
  if (inherits(result, "try-error")) {
    return(list(error = conditionMessage(attr(result, "condition")),
                processor = NA, elapsed = NA, memory = NA))
  }
  result %||% list(error = "the process was ended", processor = NA, elapsed = NA, memory = NA)
}

peak_memory <- function() {
  if (!file.exists("/proc/self/status")) return(NA_real_)
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) * 1024
}

# What this machine has sent to itself so far; NA where the system does not tell.
loopback_bytes <- function() {
  if (!file.exists("/proc/net/dev")) return(NA_real_)
  line <- grep("^ *lo:", readLines("/proc/net/dev"), value = TRUE)
  as.numeric(strsplit(trimws(sub(".*:", "", line)), " +")[[1L]][1L])
}

`%||%` <- function(x, y) if (is.null(x)) y else x

has <- function(package) {
  installed <- requireNamespace(package, quietly = TRUE)
  if (!installed) cat("(", package, " is not installed: its figures are left out)\n", sep = "")
  installed
}

# A table for people and for README.md alike.
print_table <- function(title, table, ...) {
  force(table) # making it may print
  cat("\n### ", title, "\n\n", sep = "")
  cells <- rbind(names(table), vapply(table, as.character, character(nrow(table))))
  cells[is.na(cells)] <- ""
  widths <- apply(cells, 2, function(column) max(nchar(column), 3))
  line <- function(row) paste0("| ", paste(sprintf("%-*s", widths, row), collapse = " | "), " |")
  rule <- paste0("|", paste(strrep("-", widths + 2), collapse = "|"), "|")
  cat(line(cells[1, ]), rule, apply(cells[-1, , drop = FALSE], 1, line), sep = "\n")
  for (note in c(...)) cat("\n", paste(strwrap(note, 100), collapse = "\n"), "\n", sep = "")
}

# Processor seconds.
spent <- function(code) {
  clock <- system.time(code, gcFirst = FALSE)
  clock[["user.self"]] + clock[["sys.self"]]
}

# Seconds that one call takes, from as many as fill a twentieth of a second.
seconds_of <- function(ask) {
  calls <- 1L
  repeat {
    seconds <- spent(for (i in seq_len(calls)) ask())
    if (seconds > 0.05) return(seconds / calls)
    calls <- 4L * calls
  }
}

in_seconds <- function(x) ifelse(is.na(x), "", formatC(x, digits = 3, format = "fg", flag = "#"))
in_gigabytes <- function(x) ifelse(is.na(x), "", formatC(x / 1e9, digits = 2, format = "f"))
in_thousands <- function(x) formatC(x, digits = 0, format = "f", big.mark = ",")

# FOLDER [SECONDS [NAME...]] of a script's command line: instances NAME.jkl.gz of the folder (by
# default these `names`, or all), and how many `seconds` a run may take.
instances_asked_for <- function(names = NULL, seconds = 60) {
  arguments <- commandArgs(trailingOnly = TRUE)
  if (length(arguments) == 0L) stop("name the folder of the instances", call. = FALSE)
  folder <- arguments[1L]
  if (length(arguments) > 2L) names <- arguments[-(1:2)]
  names <- names %||% sub("[.]jkl[.]gz$", "", list.files(folder, "[.]jkl[.]gz$"))
  list(
    names = names,
    seconds = if (length(arguments) > 1L) as.numeric(arguments[2L]) else seconds,
    read = function(name) read_jkl(file.path(folder, paste0(name, ".jkl.gz")))
  )
}

# The first rows and columns of the ALARM data that package bnlearn ships (20,000 rows drawn from
# the network of Beinlich, Suermondt, Chavez & Cooper 1989), without levels that do not occur.
alarm_data <- function(rows, columns) {
  shelf <- new.env()
  utils::data("alarm", package = "bnlearn", envir = shelf)
  droplevels(shelf$alarm[seq_len(rows), seq_len(columns)])
}

# Binary columns that are noisy copies of one hidden cause. Every column is a possible parent of
# every other, so that a search cannot take the problem apart.
hidden_cause_data <- function(rows, columns) {
  set.seed(1)
  cause <- sample(2, rows, replace = TRUE)
  noisy_copy <- function(i) {
    factor(ifelse(stats::runif(rows) < 0.5, cause, sample(2, rows, replace = TRUE)))
  }
  names <- paste0("X", seq_len(columns))
  as.data.frame(lapply(stats::setNames(seq_len(columns), names), noisy_copy))
}

# Standardised normal columns, each a linear function of up to four of those before it.
normal_columns <- function(columns, rows) {
  set.seed(columns)
  x <- matrix(stats::rnorm(columns * rows), rows)
  for (v in 2:columns) {
    parents <- sample(v - 1, min(v - 1, stats::rbinom(1, 4, 0.4)))
    x[, v] <- x[, v] + x[, parents, drop = FALSE] %*% stats::runif(length(parents), -0.8, 0.8)
  }
  as.data.frame(scale(x))
}

# A series of variables that depend on themselves and up to two others one step before, and most of
# them on one of the same time.
simulated_series <- function(discrete, variables = 50L, steps = 2000L) {
  set.seed(1)
  past <- lapply(seq_len(variables), function(v) c(v, sample(variables, sample(0:2, 1L))))
  within <- lapply(seq_len(variables), function(v) {
    if (v > 1L && stats::runif(1) < 0.6) max(1L, v - sample(5L, 1L)) else integer()
  })
  x <- matrix(0, steps, variables)
  for (t in seq_len(steps)[-1L]) {
    for (v in seq_len(variables)) {
      from <- c(x[t - 1L, past[[v]]], x[t, within[[v]]])
      x[t, v] <- if (discrete) {
        stats::rbinom(1L, 1L, stats::plogis(2.2 * sum(from) - 1.1 * length(from)))
      } else {
        0.8 * mean(from) + stats::rnorm(1L)
      }
    }
  }
  x <- as.data.frame(x)
  if (discrete) as.data.frame(lapply(x, factor)) else x
}

# The network NAME.bif.gz in a folder of the Bayesian network repository's.
network_in <- function(folder, name) {
  file <- tempfile(fileext = ".bif")
  on.exit(unlink(file))
  gz <- gzfile(file.path(folder, paste0(name, ".bif.gz")))
  writeLines(readLines(gz), file)
  close(gz)
  suppressWarnings(bnlearn::read.bif(file))
}

# Rows drawn from it.
sampled_data <- function(name, rows, folder, seed = 1) {
  network <- network_in(folder, name)
  set.seed(seed)
  bnlearn::rbn(network, rows)
}

# The sample of BNSL-2016 in FOLDER/NAME.dat.gz: names, numbers of states, then rows of codes. Columns
# are factors of the states that occur.
published_sample <- function(name, folder) {
  codes <- utils::read.table(gzfile(file.path(folder, paste0(name, ".dat.gz"))), header = TRUE,
                             colClasses = "character")[-1L, ]
  codes[] <- lapply(codes, factor)
  codes
}
