# Installs the packages that this one needs and the machine lacks; nothing that is there is touched.
#
#   Rscript tools/setup.R run    what building the package and the demo need
#   Rscript tools/setup.R test   and what tests, vignettes and R CMD check use
#   Rscript tools/setup.R docs   what building the package and writing its help pages need
#
# DESCRIPTION is the list. Its Imports and LinkingTo must be there, and testthat or roxygen2 for
# their levels. The rest of Suggests is welcome but may fail to install: tests that want it skip.

source(file.path("tools", "packages.R"))

level <- commandArgs(trailingOnly = TRUE)
if (!(length(level) == 1L && level %in% c("run", "test", "docs"))) {
  stop("usage: Rscript tools/setup.R run|test|docs", call. = FALSE)
}

required <- described_packages(c("Imports", "LinkingTo"))
suggested <- described_packages("Suggests")
if (level == "test") required <- c(required, suggested["testthat"])
if (level == "docs") required <- c(required, roxygen2 = "7.2.3")
optional <- switch(level, run = suggested["bnlearn"], test = suggested, docs = character())

absent <- install_missing(c(required, optional))
for (package in setdiff(absent, names(required))) {
  message("not installed: ", package, " - what needs it will be skipped")
}
absent <- intersect(absent, names(required))
if (length(absent) > 0L) {
  stop("These packages are needed and could not be installed: ", paste(absent, collapse = ", "),
       ". See ", log_folder(), " for what went wrong.", call. = FALSE)
}
