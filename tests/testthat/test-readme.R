# The README and what writes it are there where the tests run in the sources, not in an installed
# package.

sources <- function(...) file.path("..", "..", ...)

test_that("what the README shows is what is printed, but for seconds", {
  skip_if_not(file.exists(sources("README.md")), "there is no README here")
  skip_if_not_installed("bnlearn")
  withr::local_options(cli.unicode = TRUE, cli.num_colors = 1L)
  without_seconds <- function(lines) gsub("[0-9.e-]+ s(?=[.]?$)", "... s", lines, perl = TRUE)
  tools <- new.env()
  sys.source(sources("tools", "readme.R"), tools)
  lines <- readLines(sources("README.md"), encoding = "UTF-8")
  blocks <- tools$readme_blocks(lines)
  expect_gt(sum(lengths(lapply(blocks, `[[`, "output")) > 0L), 0L)
  place <- new.env()
  for (block in blocks) {
    printed <- tools$printed_by(lines[block$code], place)
    if (is.null(block$output)) next
    expect_identical(without_seconds(printed), without_seconds(lines[block$output]))
  }
})

test_that("the package can be cited", {
  expect_no_warning(entry <- utils::citation("optbn"))
  expect_match(paste(format(entry), collapse = " "), "optbn: Optimal and Tractable")
  expect_false(any(grepl("????", format(entry), fixed = TRUE)))
})
