# Finding and installing packages: what setup.R, peers.R and test.R share.
#
# A requirement is a named character vector: package names, and the least version of each ("0" where
# any will do).

# The packages that these fields of DESCRIPTION name.
described_packages <- function(fields, file = "DESCRIPTION") {
  described <- read.dcf(file, fields = fields)
  entries <- trimws(unlist(strsplit(described[!is.na(described)], ",")))
  asks_version <- grepl(">=", entries, fixed = TRUE)
  stats::setNames(
    ifelse(asks_version, gsub(".*>=\\s*|\\s*\\).*", "", entries), "0"),
    sub("\\s*\\(.*", "", entries)
  )
}

# Those that are not there, are too old or lack a package that they import: they would not load.
missing_packages <- function(needs) {
  installed <- utils::installed.packages()
  imported <- tools::package_dependencies(names(needs), installed, c("Depends", "Imports"),
                                          recursive = TRUE)
  present <- mapply(function(package, version) {
    all(c(package, imported[[package]]) %in% rownames(installed)) &&
      utils::packageVersion(package) >= version
  }, names(needs), needs)
  unique(names(needs)[!present])
}

# The versions, by name, of those that are there and do not come with R.
installed_versions <- function(needs) {
  installed <- utils::installed.packages()
  installed <- installed[!duplicated(rownames(installed)) & !installed[, "Priority"] %in% "base", ]
  installed[sort(intersect(names(needs), rownames(installed))), "Version"]
}

# Installs what is missing of `needs` and returns the names of what is missing still. If asked to
# `update`, also what has a newer release than the library.
install_missing <- function(needs, library = writable_library(), update = FALSE) {
  absent <- missing_packages(needs)
  if (length(absent) == 0L && !update) return(character())
  choose_repository()
  cores <- max(1L, min(4L, parallel::detectCores(), na.rm = TRUE))
  old <- options(timeout = max(600, getOption("timeout")))
  on.exit(options(old))
  Sys.setenv(MAKEFLAGS = paste0("-j", cores))
  # Package fs, which testthat needs, brings a library of its own where the system has none.
  if (system2("pkg-config", c("--exists", "libuv"), stderr = FALSE) != 0L) {
    Sys.setenv(USE_BUNDLED_LIBUV = "1")
  }

  offered <- utils::available.packages()
  if (update) absent <- union(absent, outdated_packages(needs, library, offered))
  if (length(absent) == 0L) return(character())
  message("Installing into ", library, ": ", paste(absent, collapse = ", "))
  message("(source packages take minutes; what they print goes to ", log_folder(), ")")
  # What a package that is there imports may be missing, which install.packages() does not look at.
  install_current <- function(packages) {
    imported <- tools::package_dependencies(packages, offered, c("Depends", "Imports", "LinkingTo"),
                                            recursive = TRUE)
    lacking <- setdiff(intersect(unlist(imported), rownames(offered)),
                       rownames(utils::installed.packages()))
    utils::install.packages(union(lacking, packages), lib = library, available = offered,
                            Ncpus = cores, quiet = TRUE, keep_outputs = log_folder())
  }
  current <- intersect(absent, rownames(offered))
  if (length(current) > 0L) install_current(current)
  # Once more what failed: a download that broke off, a release that has left the index since.
  failed <- intersect(missing_packages(needs), rownames(offered))
  if (length(failed) > 0L) {
    offered <- utils::available.packages(ignore_repo_cache = TRUE)
    install_current(intersect(failed, rownames(offered)))
  }
  for (package in intersect(names(archived_versions), missing_packages(needs))) {
    install_archived(package, archived_versions[[package]], library)
  }
  missing_packages(needs)
}

# Those that `needs` and what they depend on have a newer release of than there is in the library.
outdated_packages <- function(needs, library, offered) {
  others <- tools::package_dependencies(names(needs), offered, recursive = TRUE)
  old <- utils::old.packages(library, available = offered)
  intersect(c(names(needs), unlist(others)), rownames(old))
}

# Packages whose current release asks for a newer R than this package does: releases to look for in
# the repository's archive, newest first.
archived_versions <- list(bnlearn = c("4.9.4", "4.9"))

install_archived <- function(package, versions, library) {
  for (version in versions) {
    archive <- sprintf("%s/src/contrib/Archive/%s/%s_%s.tar.gz",
                       getOption("repos")[["CRAN"]], package, package, version)
    file <- file.path(tempdir(), basename(archive))
    fetched <- tryCatch(utils::download.file(archive, file, quiet = TRUE),
                        error = function(e) 1L, warning = function(w) 1L)
    if (fetched != 0L) next
    message("Installing ", package, " ", version, " from the archive: ",
            "the current release asks for a newer R")
    suppressWarnings(utils::install.packages(file, lib = library, repos = NULL, type = "source",
                                             quiet = TRUE))
    if (nzchar(system.file(package = package))) return(invisible(version))
  }
}

# The first library when it can be written to, else the user's own, made if need be.
writable_library <- function() {
  first <- .libPaths()[1L]
  if (file.access(first, mode = 2L) == 0L) return(first)
  own <- path.expand(sub(paste0(.Platform$path.sep, ".*"), "", Sys.getenv("R_LIBS_USER")))
  if (own %in% c("", "NULL")) {
    stop("No library can be written to: set R_LIBS_USER to a folder of yours.", call. = FALSE)
  }
  dir.create(own, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(own, .libPaths()))
  own
}

# Rscript knows no repository until someone chooses one: then take the first of R's own list.
choose_repository <- function() {
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
    utils::chooseCRANmirror(graphics = FALSE, ind = 1L, local.only = TRUE)
    message("No repository is set: using R's first mirror (options(repos = ...) in ~/.Rprofile ",
            "chooses another).")
  }
}

# The last lines of what installations printed that ended with an error.
show_failures <- function() {
  for (log in list.files(log_folder(), "\\.out$", full.names = TRUE)) {
    lines <- readLines(log, warn = FALSE)
    if (any(startsWith(lines, "ERROR"))) message(paste(utils::tail(lines, 6L), collapse = "\n"))
  }
}

log_folder <- function() {
  folder <- file.path("build", "setup")
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  folder
}
