# Installs the packages that this one needs and the machine lacks; nothing that is there is touched.
#
#   Rscript tools/setup.R run     what building the package and the demo need
#   Rscript tools/setup.R test    and the few that most tests use
#   Rscript tools/setup.R all     and all that tests, vignettes and R CMD check use
#   Rscript tools/setup.R docs    what building the package and writing its help pages need
#   Rscript tools/setup.R site    all that `all` does, and what makes the web site
#
# With OPTBN_UPDATE=true the first library gets the current release also of those that are there.
#
# DESCRIPTION is the list. Its Imports and LinkingTo must be there, and testthat, roxygen2 or
# pkgdown for their levels. The others are welcome but may fail to install: tests that want them are
# left out.

source(file.path("tools", "packages.R"))

level <- commandArgs(trailingOnly = TRUE)
if (!(length(level) == 1L && level %in% c("run", "test", "all", "docs", "site"))) {
  stop("usage: Rscript tools/setup.R run|test|all|docs|site", call. = FALSE)
}

required <- described_packages(c("Imports", "LinkingTo"))
suggested <- described_packages("Suggests")
if (level %in% c("test", "all")) required <- c(required, suggested["testthat"])
if (level == "docs") required <- c(required, roxygen2 = "7.2.3")
if (level == "site") required <- c(required, pkgdown = "2.1.0")
optional <- switch(level, run = suggested["bnlearn"], docs = character(),
                   all = , site = suggested,
                   test = suggested[names(described_packages("Config/Needs/test"))])

absent <- install_missing(c(required, optional), update = Sys.getenv("OPTBN_UPDATE") == "true")
if (length(absent) > 0L) show_failures()
for (package in setdiff(absent, names(required))) {
  message("not installed: ", package, " - what needs it will be left out")
}
absent <- intersect(absent, names(required))
if (length(absent) > 0L) {
  stop("These packages are needed and could not be installed: ", paste(absent, collapse = ", "),
       ". See ", log_folder(), " for what went wrong.", call. = FALSE)
}
