# The README is there where the tests run in the sources, not in an installed package.

readme <- function() {
  file <- file.path("..", "..", "README.md")
  skip_if_not(file.exists(file), "there is no README here")
  readLines(file, encoding = "UTF-8")
}

# Blocks of R code that a block of output follows at once: list(code, output) each.
blocks_with_output <- function(lines) {
  begins <- which(lines == "```r")
  blocks <- lapply(begins, function(from) {
    to <- from + which(lines[-seq_len(from)] == "```")[1L]
    if (!identical(lines[to + 1L], "```")) return(NULL)
    end <- to + 1L + which(lines[-seq_len(to + 1L)] == "```")[1L]
    list(code = lines[seq(from + 1L, to - 1L)], output = lines[seq(to + 2L, end - 1L)])
  })
  Filter(Negate(is.null), blocks)
}

test_that("what the README shows is what is printed, but for seconds", {
  withr::local_options(cli.unicode = TRUE, cli.num_colors = 1L)
  without_seconds <- function(lines) gsub("[0-9.e-]+ s$", "... s", lines)
  blocks <- blocks_with_output(readme())
  expect_gt(length(blocks), 0L)
  for (block in blocks) {
    printed <- capture.output(for (one in parse(text = block$code)) print(eval(one)))
    shown <- utils::tail(printed, length(block$output))
    expect_identical(without_seconds(shown), without_seconds(block$output))
  }
})

test_that("the package can be cited", {
  expect_no_warning(entry <- utils::citation("optbn"))
  expect_match(paste(format(entry), collapse = " "), "optbn: Optimal and Tractable")
  expect_false(any(grepl("????", format(entry), fixed = TRUE)))
})
