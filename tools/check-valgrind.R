# Runs the examples of the help pages under valgrind, and writes their count to
# build/counts/check-valgrind. A page fails whose examples end in an error, or where valgrind
# finds fault with memory while the package is at work; memory that is lost at the end is one more.
#
#   Rscript tools/check-valgrind.R          all pages
#   Rscript tools/check-valgrind.R PATTERN  those whose names match
#
# All that valgrind reports is in build/valgrind/log. R has faults of its own: one is ours where a
# function of the package is among its callers.

pattern <- c(commandArgs(trailingOnly = TRUE), "")[1L]
pages <- grep(pattern, sub("\\.Rd$", "", list.files("man", "\\.Rd$")), value = TRUE)

folder <- file.path("build", "valgrind")
unlink(folder, recursive = TRUE)
dir.create(folder, recursive = TRUE)
file_of <- function(page) file.path(folder, paste0(page, ".R"))
for (page in pages) tools::Rd2ex(file.path("man", paste0(page, ".Rd")), file_of(page))
pages <- pages[file.exists(file_of(pages))]

# One process for all, since R and the package load slowly there. The marks in its log tell which
# page a line belongs to.
run_examples <- function(files) {
  grDevices::pdf(NULL)
  library(optbn)
  for (file in files) {
    message("example: ", file)
    tryCatch(source(file, local = new.env()),
             error = function(e) message("failed: ", conditionMessage(e)))
  }
  message("example: memory lost at the end")
}
writeLines(deparse(bquote(.(run_examples)(.(file_of(pages))))), file.path(folder, "driver"))

log_file <- file.path(folder, "log")
valgrind <- "valgrind --leak-check=full --show-leak-kinds=definite --num-callers=40"
system2(file.path(R.home("bin"), "R"),
        c("-d", shQuote(valgrind), "--vanilla", "--no-echo", "-f", file.path(folder, "driver")),
        stdout = file.path(folder, "output"), stderr = log_file)

# Valgrind begins its lines with the number of the process, and ends a report with a line that has
# nothing else.
log <- readLines(log_file, warn = FALSE)
begins <- startsWith(log, "example: ")
report <- cumsum(begins | grepl("^==[0-9]+== *$", log))
ours <- grepl("^==[0-9]+== +(at|by) .*(optbn::|_optbn_|optbn\\.so)", log)
fault <- startsWith(log, "failed: ") | report %in% report[ours]

cat(log[fault], sep = "\n")
names_of_parts <- c("loading the package", basename(substring(log[begins], 10L)))
failed <- unique(cumsum(begins)[fault]) + 1L
if (length(failed) > 0L) cat("Failed:", names_of_parts[failed], fill = TRUE)
missing <- length(pages) + 1L - sum(begins)
if (missing > 0L) cat("Not run:", missing, "of", length(pages), "pages\n")

count <- sprintf("%d passed, %d failed", length(names_of_parts) - length(failed),
                 length(failed) + missing)
dir.create(file.path("build", "counts"), recursive = TRUE, showWarnings = FALSE)
writeLines(count, file.path("build", "counts", "check-valgrind"))
cat("Examples under valgrind: ", count, "\n", sep = "")
if (length(failed) > 0L || missing > 0L) quit(status = 1L)
