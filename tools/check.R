# R CMD build and R CMD check --as-cran, judged: anything but 0 errors, 0 warnings and 0 notes is a
# failure. The count goes to build/counts/check, the log is build/optbn.Rcheck/00check.log.
#
# Without pandoc the vignettes are left out. CXX=clang++ (or CXX='clang++ -stdlib=libc++') takes
# another compiler than R's; any warning of it about our sources is then a failure, too.

r <- file.path(R.home("bin"), "R")
r_config <- function(variable) system2(r, c("CMD", "config", variable), stdout = TRUE)

dir.create(file.path("build", "counts"), recursive = TRUE, showWarnings = FALSE)

# In place of the user's own.
makevars <- file.path(getwd(), "build", "check.Makevars")
compiler <- Sys.getenv("CXX")
flags <- "-g -O2 -Wall -Wextra -pedantic"
other <- c(CXX = compiler, CXX17 = compiler, CXXFLAGS = flags, CXX17FLAGS = flags)
writeLines(paste(names(other), "=", other)[nzchar(compiler)], makevars)
Sys.setenv(R_MAKEVARS_USER = makevars)

# What --as-cran would ask of the network, of programs that are not there, or of this machine's R.
Sys.setenv(
  `_R_CHECK_CRAN_INCOMING_` = "false",
  `_R_CHECK_SYSTEM_CLOCK_` = "false",
  # A missing suggested package is a note, not a reason to stop.
  `_R_CHECK_FORCE_SUGGESTS_` = "false",
  `_R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_` = "true",
  `_R_CHECK_RD_VALIDATE_RD2HTML_` = if (nzchar(Sys.which("tidy"))) "true" else "false",
  `_R_CHECK_RD_MATH_RENDERING_` = if (nzchar(system.file(package = "V8"))) "true" else "false",
  # Flags that this R was itself built with are not the package's doing.
  `_R_CHECK_COMPILATION_FLAGS_KNOWN_` = paste(r_config("CXX17FLAGS"), r_config("CPPFLAGS")),
  # As anybody checks it, without the instances that `make test` knows, and where only what the
  # package imports is installed beside testthat.
  OPTBN_SHARED = "",
  OPTBN_REQUIRE_PEERS = "",
  `_R_CHECK_DEPENDS_ONLY_TESTS_` = "true",
  # Symbols for debuggers would count as the package's size. Beyond 5 megabytes newer releases of R
  # tell it for information, this one in a note.
  R_STRIP_SHARED_LIB = "strip -g -x",
  `_R_CHECK_PKG_SIZES_THRESHOLD_` = "12"
)

r_cmd <- function(...) {
  status <- system2(r, c("CMD", ...))
  invisible(status == 0L)
}

vignettes <- nzchar(Sys.which("pandoc")) && nzchar(system.file(package = "rmarkdown"))
if (!vignettes) message("No pandoc with rmarkdown here: the vignettes are left out.")
manual <- nzchar(Sys.which("pdflatex"))

root <- getwd()
setwd("build")
unlink(c(Sys.glob("optbn_*.tar.gz"), "optbn.Rcheck"), recursive = TRUE)

built <- r_cmd("build", if (!vignettes) "--no-build-vignettes", shQuote(root))
tarball <- Sys.glob("optbn_*.tar.gz")
if (built && length(tarball) == 1L) {
  r_cmd("check", "--as-cran", "--install-args=--strip", if (!vignettes) "--ignore-vignettes",
        if (!manual) "--no-manual", tarball)
}

lines_of <- function(log) {
  file <- file.path("optbn.Rcheck", log)
  if (file.exists(file)) readLines(file, warn = FALSE) else character()
}
log <- lines_of("00check.log")
count <- function(kind) sum(grepl(paste0("\\.\\.\\. ", kind, "$"), log))
found <- vapply(c(errors = "ERROR", warnings = "WARNING", notes = "NOTE"), count, integer(1))
# The compiler names our files without, and headers of others with, the way from the root.
warned <- grep("^[^/ ].*: warning: ", lines_of("00install.out"), value = TRUE)
clean <- "Status: OK" %in% log && all(found == 0L) && length(warned) == 0L

cat("R CMD check: ",
    if (length(log)) paste(found, names(found), collapse = ", ") else "did not run", "\n", sep = "")
if (length(warned) > 0L) cat("The compiler warns:", unique(warned), sep = "\n")
writeLines(if (clean) "1 passed, 0 failed" else "0 passed, 1 failed", file.path("counts", "check"))
if (!clean) quit(status = 1L)
