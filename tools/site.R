# Writes the web site of the package to build/site: `make site` (_pkgdown.yml). With LAZY=1 pages
# are left as they are whose sources have not changed since.
#
# The site needs no network, nor does making it once its scripts are in build/site-cache:
# they come from npm where that is there, else pkgdown fetches them itself. Formulas of help
# pages become MathML, which browsers draw without a script.

cache <- file.path(getwd(), "build", "site-cache")
site <- file.path(getwd(), "build", "site")
Sys.setenv(R_USER_CACHE_DIR = cache)

# ---- scripts -----------------------------------------------------------------------------------

# Where pkgdown looks for a script before it asks the network.
script_file <- function(folder, file) {
  path <- file.path(cache, "R", "pkgdown", folder, file)
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  path
}

# Scripts of pkgdown's pages: a folder of its cache with its version, the package of npm, a file.
scripts <- utils::read.table(header = TRUE, text = "
  folder               package              file
  headroom/0.11.0      headroom.js@0.11.0   headroom.min.js
  headroom/0.11.0      headroom.js@0.11.0   jQuery.headroom.min.js
  clipboard.js/2.0.11  clipboard@2.0.11     clipboard.min.js
  search/1.0.0         fuse.js@6.4.6        fuse.min.js
  search/1.0.0         autocomplete.js@0.38.0  autocomplete.jquery.min.js
  search/1.0.0         mark.js@8.11.1       mark.min.js
")

fetch_scripts <- function() {
  scripts$path <- mapply(script_file, scripts$folder, scripts$file)
  file.copy("pkgdown/toc.js", script_file("bootstrap-toc/1.0.1", "bootstrap-toc.min.js"),
            overwrite = TRUE)
  absent <- scripts[!file.exists(scripts$path), ]
  if (nrow(absent) == 0L || !nzchar(Sys.which("npm"))) return(invisible())
  for (package in unique(absent$package)) {
    folder <- tempfile()
    dir.create(folder)
    packed <- suppressWarnings(system2(
      "npm", c("pack", "--silent", "--pack-destination", folder, package), stdout = TRUE
    ))
    archive <- list.files(folder, "[.]tgz$", full.names = TRUE)
    if (length(archive) == 0L) next
    utils::untar(archive, exdir = folder)
    wanted <- absent[absent$package == package, ]
    file.copy(file.path(folder, "package", "dist", wanted$file), wanted$path)
  }
}

# ---- formulas ----------------------------------------------------------------------------------

# pkgdown leaves the formulas of help pages as they are written, between \( and \), or $$ and $$; in
# code these are something else, and what the head says of a page is plain text.
formula <- paste0("(?s)<(head|pre)\\b.*?</\\1>(*SKIP)(*FAIL)|", "\\\\\\(.*?\\\\\\)|",
                  "\\$\\$.*?\\$\\$")

plain_text <- function(html) {
  html <- gsub("</?[a-z][^>]*>", "", html)
  for (entity in list(c("&lt;", "<"), c("&gt;", ">"), c("&amp;", "&"))) {
    html <- gsub(entity[1L], entity[2L], html, fixed = TRUE)
  }
  html
}

# One call of pandoc for all of them: a paragraph each.
as_mathml <- function(formulas) {
  text <- plain_text(formulas)
  inner <- trimws(gsub("\\s+", " ", substring(text, 3L, nchar(text) - 2L)))
  mark <- ifelse(startsWith(text, "$$"), "$$", "$")
  file <- tempfile(fileext = ".md")
  writeLines(paste0(mark, inner, mark, "\n"), file, useBytes = TRUE)
  drawn <- system2("pandoc", c("--mathml", "--from=markdown", "--to=html", shQuote(file)),
                   stdout = TRUE)
  drawn <- paste(drawn, collapse = "\n")
  drawn <- regmatches(drawn, gregexpr("(?s)<p>.*?</p>", drawn, perl = TRUE))[[1L]]
  stopifnot(length(drawn) == length(formulas))
  if (any(bad <- !grepl("<math", drawn))) {
    stop("pandoc cannot draw ", paste(formulas[bad], collapse = " "), call. = FALSE)
  }
  gsub("</?p>", "", drawn)
}

read_page <- function(file) readChar(file, file.size(file), useBytes = TRUE)

draw_formulas <- function() {
  files <- list.files(file.path(site, "reference"), "[.]html$", full.names = TRUE)
  pages <- lapply(files, function(file) `Encoding<-`(read_page(file), "UTF-8"))
  at <- lapply(pages, gregexpr, pattern = formula, perl = TRUE)
  found <- Map(function(page, place) regmatches(page, place)[[1L]], pages, at)
  formulas <- unique(unlist(found))
  if (length(formulas) == 0L) return(invisible())
  drawn <- stats::setNames(as_mathml(formulas), formulas)
  for (i in which(lengths(found) > 0L)) {
    page <- pages[[i]]
    regmatches(page, at[[i]]) <- list(unname(drawn[found[[i]]]))
    writeLines(page, files[[i]], useBytes = TRUE)
  }
}

# ---- the site ----------------------------------------------------------------------------------

write_search_index <- function() {
  index <- read_page(file.path(site, "search.json"))
  writeLines(paste0("window.searchIndex = ", index, ";"), file.path(site, "search.index.js"),
             useBytes = TRUE)
}

# Whatever a page would ask another machine for.
check_offline <- function() {
  files <- list.files(site, "[.](html|css|js)$", recursive = TRUE, full.names = TRUE)
  pattern <- "(<(script|img|iframe|link)[^>]* (src|href)=['\"]|url[(]['\"]?)https?://"
  asks <- vapply(files, function(file) grepl(pattern, read_page(file), useBytes = TRUE), NA)
  if (any(asks)) {
    stop("These pages need a network: ", paste(files[asks], collapse = ", "), call. = FALSE)
  }
}

fetch_scripts()
lazy <- nzchar(Sys.getenv("LAZY"))
if (!lazy) unlink(site, recursive = TRUE)
pkgdown::build_site(override = list(destination = "build/site"), lazy = lazy, install = FALSE,
                    new_process = FALSE, preview = FALSE)
draw_formulas()
write_search_index()
check_offline()
message("Open build/site/index.html")
