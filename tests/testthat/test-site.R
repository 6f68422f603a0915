# The index of the web site stands in the sources, not in an installed package.

# What stands under `contents:` in the part of _pkgdown.yml that begins with `reference:`.
indexed_topics <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  part <- cumsum(grepl("^[a-z]", lines))
  lines <- lines[part == part[lines == "reference:"]]
  sub("^  - ", "", grep("^  - ", lines, value = TRUE))
}

test_that("every help page stands in the index of the web site once", {
  root <- file.path("..", "..")
  config <- file.path(root, "_pkgdown.yml")
  skip_if_not(file.exists(config), "there is no _pkgdown.yml here")
  pages <- lapply(list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE), readLines)
  pages <- Filter(function(page) !"\\keyword{internal}" %in% page, pages)
  aliases <- lapply(pages, function(page) {
    sub("^\\\\alias[{](.*)[}]$", "\\1", grep("^\\\\alias", page, value = TRUE))
  })
  page_of <- rep(seq_along(aliases), lengths(aliases))
  names(page_of) <- unlist(aliases)

  topics <- indexed_topics(config)
  expect_identical(setdiff(topics, names(page_of)), character())
  times <- tabulate(page_of[topics], length(pages))
  first <- vapply(aliases, `[[`, "", 1L)
  expect_identical(first[times != 1L], character())
  expect_identical(setdiff(getNamespaceExports("optbn"), names(page_of)), character())
})
