# Makes the numbers and pictures of README, vignettes, articles and bench/README.md again, and says
# what differs from what they print.
#
#   make replicate                   everything: days of one core
#   make replicate QUICK=1           a share of each
#   make replicate ONLY='exact uci'  experiments whose names match one of these words
#   make replicate FORCE=exact       these again, though their results are there
#
# bench/replicate.dcf is the list of the experiments: fields
#
#   Name
#   Command   of the shell. It runs in build/replicate/tree, which has what this folder has, but
#             no results: bench/ without its stored rows, and vignettes/articles without its files.
#             DATA is the folder data/ of OPTBN_SHARED, and the tree's folder pools/ has the files
#             of instances/ and hard/ together.
#   Quick     a command for a share; none: there is no share
#   Prints    what it makes: headings of bench/README.md, or of README.md ("README.md: heading"),
#             or files of vignettes/articles
#   Needs     packages, files and folders of DATA (with a slash), programs (program:NAME) and
#             variables (in capitals)
#   Varies    which "title: column" depends on the machine, besides those whose names say so
#   Counts    in place of Varies for a share: which count problems, or are means over them, since
#             a share has fewer
#   Others    the columns of printed tables of other programs and machines, which are not made
#
# What an experiment prints goes to build/replicate/NAME.md once it has ended well; what is there is
# not made again, so that `make replicate` goes on where it was stopped. Many experiments go on
# within themselves. A share is all the same in build/replicate/quick.
#
# Scores and counts must agree to a relative 1e-6; times, memory and ratios within a factor of
# FACTOR (3), which no machine is held to: only the former make it fail, and experiments that do.
# Each differing cell is a line of build/replicate/differences.txt.

source(file.path("tools", "compare-tables.R"))

setting <- function(name) {
  words <- strsplit(trimws(Sys.getenv(name)), " +")[[1L]]
  if (length(words)) paste(words, collapse = "|")
}
quick <- !is.null(setting("QUICK"))
factor <- as.numeric(c(setting("FACTOR"), 3)[1L])
data_folder <- file.path(Sys.getenv("OPTBN_SHARED"), "data")
results <- file.path(getwd(), "build", "replicate", if (quick) "quick" else "")
tree <- file.path(results, "tree")
result_of <- function(one, kind = "md") file.path(results, paste0(one$Name, ".", kind))

# ---- where experiments run -----------------------------------------------------------------------

# Links to all there is, but copies of what experiments write next to, without stored results.
prepare_tree <- function() {
  for (folder in c("build", "vignettes/articles", "pools")) {
    dir.create(file.path(tree, folder), recursive = TRUE, showWarnings = FALSE)
  }
  linked <- setdiff(c(list.files(), ".git"), c("bench", "build", "vignettes"))
  linked <- linked[file.exists(linked)]
  link(linked, file.path(tree, linked))
  link(file.path("vignettes", "articles"), file.path(tree, "stored"))
  pools <- list.files(file.path(data_folder, c("instances", "hard")), full.names = TRUE)
  link(pools, file.path(tree, "pools", basename(pools)))
  for (file in c(list.files("bench", recursive = TRUE, full.names = TRUE),
                 list.files("vignettes", recursive = TRUE, full.names = TRUE))) {
    if (grepl("[.]csv$", file) && basename(file) != "promises.csv") next
    dir.create(file.path(tree, dirname(file)), recursive = TRUE, showWarnings = FALSE)
    file.copy(file, file.path(tree, file), overwrite = TRUE, copy.date = TRUE)
  }
}

link <- function(files, places) {
  absent <- is.na(Sys.readlink(places))
  if (any(absent)) file.symlink(normalizePath(files[absent]), places[absent])
}

# What an experiment needs and is not there.
lacking <- function(one) {
  if (is.na(one$Needs)) return(character())
  needs <- strsplit(one$Needs, "[ \n]+")[[1L]]
  is_there <- function(need) {
    if (grepl("/", need)) return(file.exists(file.path(data_folder, need)))
    if (grepl("^program:", need)) return(nzchar(Sys.which(sub("program:", "", need))))
    if (grepl("^[A-Z_]+$", need)) return(nzchar(Sys.getenv(need)))
    nzchar(system.file(package = need))
  }
  needs[!vapply(needs, is_there, NA)]
}

# In a shell of its own, within the tree. An interrupt ends it, and everything.
run <- function(one, command) {
  home <- setwd(tree)
  on.exit(setwd(home))
  made <- result_of(one, "part")
  begun <- proc.time()[["elapsed"]]
  path <- paste0(R.home("bin"), ":", Sys.getenv("PATH"))
  status <- system2("sh", c("-c", shQuote(paste("trap 'exit 130' INT TERM\n", command))),
                    stdout = made, stderr = result_of(one, "log"), stdin = "/dev/null",
                    env = paste0(c("DATA=", "PATH="), shQuote(c(data_folder, path))))
  if (status == 130L) stop("stopped in ", one$Name, call. = FALSE)
  if (status == 0L) file.rename(made, result_of(one))
  list(ended = status == 0L, seconds = proc.time()[["elapsed"]] - begun)
}

# ---- what is printed, and what is made -----------------------------------------------------------

lines_of <- function(file) readLines(file, encoding = "UTF-8", warn = FALSE)

# The lines below a heading.
section <- function(file, heading) {
  lines <- lines_of(file)
  lines <- lines[-seq_len(match(heading, sub("^#+ ", "", lines)) - 1L)]
  lines[seq_len(c(grep("^#+ ", lines[-1L]), length(lines))[1L])]
}

# What an experiment differs in from what is printed: a finding of compare-tables.R.
compare <- function(one) {
  if (is.na(one$Prints)) return(finding())
  made <- lines_of(result_of(one))
  prints <- strsplit(one$Prints, "\n")[[1L]]
  csv <- grepl("[.]csv$", prints)
  in_readme <- grepl("^README.md: ", prints[!csv])
  sections <- Map(section, ifelse(in_readme, "README.md", file.path("bench", "README.md")),
                  sub("^README.md: ", "", prints[!csv]))
  together(c(
    list(compare_texts(tables_in(unlist(sections)), tables_in(made), share = quick,
                       others = one$Others, factor = factor, varies = one$Varies)),
    Map(compare_output, sections[in_readme], list(made), prints[!csv][in_readme]),
    lapply(prints[csv], compare_file, one)
  ))
}

# Lines in blocks of output that the made text lacks.
compare_output <- function(lines, made, title) {
  fences <- grep("^```", lines)
  plain <- which(lines[fences] == "```" & seq_along(fences) %% 2 == 1)
  shown <- unlist(lapply(plain, function(i) lines[seq(fences[i] + 1L, fences[i + 1L] - 1L)]))
  absent <- setdiff(trimws(shown), trimws(made))
  finding(length(shown), if (length(absent)) sprintf("%s: not made \"%s\"", title, absent))
}

compare_file <- function(name, one) {
  made <- file.path(tree, "vignettes", "articles", name)
  if (!file.exists(made)) return(finding(lines = if (!quick) paste0(name, ": was not made again")))
  compare_tables(csv_table(file.path("vignettes", "articles", name)), csv_table(made), factor,
                 quick, one$Varies)
}

# ---- all -----------------------------------------------------------------------------------------

outcomes <- c("same", "other times", "differs", "made", "failed", "left out")

# What became of an experiment: one of `outcomes`, why, and what was found.
replicate_one <- function(one, again) {
  outcome <- function(word, why, found = finding()) c(list(word = word, why = why), found)
  command <- if (quick) one$Quick else one$Command
  if (is.na(command)) return(outcome("left out", "has no share"))
  lacks <- lacking(one)
  if (length(lacks)) return(outcome("left out", paste("needs", toString(lacks))))
  why <- "was there"
  if (again || !file.exists(result_of(one))) {
    cat("...", one$Name, "\n")
    ran <- run(one, command)
    if (!ran$ended) return(outcome("failed", paste("see", result_of(one, "log"))))
    why <- sprintf("%.0f s", ran$seconds)
  }
  found <- compare(one)
  word <- if (length(found$lines)) "differs" else if (length(found$times)) "other times"
          else if (found$rows > 0L) "same" else "made"
  outcome(word, sprintf("%s; %d rows compared", why, found$rows), found)
}

report <- function(name, outcome) {
  cat(sprintf("%-20s %-11s (%s)\n", name, outcome$word, outcome$why))
  times <- if (length(outcome$times)) {
    sprintf("%d times, memory or ratios beyond a factor of %g", length(outcome$times), factor)
  }
  cat(paste0("    ", c(outcome$lines, times), "\n")[seq_along(c(outcome$lines, times))], sep = "")
}

main <- function() {
  fields <- c("Name", "Command", "Quick", "Prints", "Needs", "Varies", "Counts", "Others")
  list <- as.data.frame(read.dcf(file.path("bench", "replicate.dcf"), fields))
  if (quick) list$Varies <- ifelse(is.na(list$Counts), list$Varies, list$Counts)
  named <- function(words, otherwise) {
    if (is.null(words)) rep(otherwise, nrow(list)) else grepl(words, list$Name)
  }
  again <- named(setting("FORCE"), FALSE)
  prepare_tree()
  differences <- character()
  words <- character()
  for (i in which(named(setting("ONLY"), TRUE))) {
    name <- list$Name[i]
    outcome <- replicate_one(list[i, ], again[i])
    report(name, outcome)
    words <- c(words, outcome$word)
    differences <- c(differences, paste0(name, ": ", c(outcome$lines, outcome$times),
                                         recycle0 = TRUE))
    writeLines(differences, file.path(results, "differences.txt"))
  }
  counts <- table(base::factor(words, outcomes))
  cat("\nReplicated: ", paste(counts, names(counts), collapse = ", "), "; each difference: ",
      file.path(results, "differences.txt"), "\n", sep = "")
  counts[["differs"]] + counts[["failed"]] == 0L
}

if (!main()) quit(status = 1L)
