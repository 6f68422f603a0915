# The sources of `make replicate` are there where the tests run in the sources.

replicate_file <- function(...) {
  file <- file.path("..", "..", ...)
  skip_if_not(file.exists(file), paste(file.path(...), "is not there"))
  file
}

tools <- function() {
  tools <- new.env()
  sys.source(replicate_file("tools", "compare-tables.R"), tools)
  tools
}

printed <- c(
  "### Search, 10 nodes", "",
  "| data | rows  | by | score     | seconds | remark |",
  "|------|-------|----|-----------|---------|--------|",
  "| zoo  | 101   | dp | -773.4861 | 0.0200  |        |",
  "| zoo  | 1,010 | dp | -7734.861 | 2.00    | 3 of 5 |",
  "| wine | 178   | dp | -1258.445 | 0.300   |        |"
)

differences <- function(made, share = FALSE, ...) {
  own <- tools()
  own$compare_texts(own$tables_in(printed), own$tables_in(made), share = share, ...)
}

with_change <- function(from, to) sub(from, to, printed, fixed = TRUE)

test_that("tables are read with their headings and with empty cells", {
  table <- tools()$tables_in(c("text", printed, "", "more"))[[1L]]
  expect_identical(table$title, "Search, 10 nodes")
  expect_identical(table$columns, c("data", "rows", "by", "score", "seconds", "remark"))
  expect_identical(table$cells[2:3, 6], c("3 of 5", ""))
  expect_length(tools()$tables_in("no table"), 0L)
})

test_that("equal tables have no differences", {
  expect_identical(differences(printed)$rows, 3L)
  expect_length(differences(printed)$lines, 0L)
  expect_length(differences(with_change("-773.4861", "-773.4862"))$lines, 0L)
})

test_that("scores, counts and texts that differ are named by row and column", {
  expect_identical(
    differences(with_change("-773.4861", "-773.4961"))$lines,
    "Search, 10 nodes: zoo, 101; score: printed \"-773.4861\", made \"-773.4961\""
  )
  expect_match(differences(with_change("3 of 5", "4 of 5"))$lines, "remark")
  expect_match(differences(with_change("3 of 5", "open"))$lines, "made \"open\"")
})

test_that("seconds may differ by a factor, and are no differences otherwise", {
  expect_length(differences(with_change("2.00  ", "5.90"))$times, 0L)
  slow <- differences(with_change("2.00  ", "6.10"))
  expect_match(slow$times, "zoo, 1,010; seconds")
  expect_length(slow$lines, 0L)
  expect_length(differences(with_change("2.00  ", "6.10"), factor = 4)$times, 0L)
  expect_length(differences(with_change("0.0200", "0.0300"))$times, 0L)
  expect_match(differences(with_change("0.0200", "0.0900"))$times, "seconds")
})

test_that("columns depend on the machine by their names, or as the list says", {
  columns <- c("one thread, s", "s", "all ms", "GB", "MB moved", "ratio", "sets per second",
               "uniform a s", "s: optbn / hc", "seconds_ratio", "search s", "nodes", "score",
               "arcs", "missing")
  depends <- tools()$depends_on_machine(list(title = "Time", columns = columns), "^Time: nodes$")
  expect_identical(columns[!depends], c("seconds_ratio", "score", "arcs", "missing"))
})

test_that("a share has fewer rows; all rows are expected otherwise", {
  expect_length(differences(printed[-5], share = TRUE)$lines, 0L)
  expect_match(differences(printed[-5])$lines, "zoo, 101 .of 1 rows. is not made again")
  more <- c(printed, "| iris | 150   | dp | -1         | 1       |        |")
  expect_match(differences(more)$lines, "iris, 150 .* is not printed")
})

test_that("other sizes are not compared, other columns are named", {
  other_size <- sub("10 nodes", "5 nodes", with_change("-773.4861", "-1"))
  expect_identical(differences(other_size, share = TRUE)$rows, 0L)
  expect_match(differences(other_size)$lines, "the table of data, ... was not made again")
  other_columns <- sub("remark", "note  ", printed)
  expect_match(differences(other_columns, share = TRUE)$lines, "not printed, note")
  expect_length(differences("none", others = "rows, by")$lines, 0L)
  expect_length(differences(printed[-1])$lines, 0L) # known by its columns
})

# ---- the list of experiments ---------------------------------------------------------------------

experiments <- function() {
  as.data.frame(read.dcf(replicate_file("bench", "replicate.dcf")))
}

test_that("experiments have names, commands and what they print", {
  list <- experiments()
  expect_identical(anyDuplicated(list$Name), 0L)
  expect_false(anyNA(list$Command))
  headings_of <- function(...) {
    sub("^#+ ", "", grep("^#+ ", readLines(replicate_file(...)), value = TRUE))
  }
  headings <- setdiff(headings_of("bench", "README.md"), c("Benchmarks", "Measured"))
  articles <- list.files(replicate_file("vignettes", "articles"), "[.]csv$")
  pages <- paste("README.md:", headings_of("README.md"))
  prints <- unlist(strsplit(list$Prints[!is.na(list$Prints)], "\n"))
  expect_identical(setdiff(prints, c(headings, articles, pages)), character())
  # each table and each stored file is made by one of them
  expect_identical(setdiff(c(headings, articles), prints), character())
})

test_that("the scripts of the table in bench/README.md are those of the list", {
  lines <- readLines(replicate_file("bench", "README.md"))
  rows <- lines[seq(grep("^[|] script", lines) + 2L, grep("^## Measured", lines))]
  first <- sub("^[|]([^|]*)[|].*", "\\1", grep("^[|]", rows, value = TRUE))
  scripts_in <- function(texts) {
    unique(unlist(regmatches(texts, gregexpr("paper-[a-z]+/|[a-z0-9-]+[.](R|sh)\\b", texts))))
  }
  listed <- scripts_in(gsub("(paper-[a-z]+/)[a-z]+[.]R", "\\1", unlist(experiments())))
  own <- c("test-readme.R", "demo.R", "pages.R", "postgres.sh", "promises.R") # not of the tables
  expect_identical(setdiff(scripts_in(first), listed), character())
  expect_identical(setdiff(listed, c(scripts_in(first), own)), character())
  bench <- dirname(replicate_file("bench", "README.md"))
  expect_true(all(file.exists(file.path(bench, setdiff(listed, own)))))
})

test_that("experiments run beside links to all that they may read", {
  root <- dirname(dirname(normalizePath(replicate_file("tools", "replicate.R"))))
  folder <- withr::local_tempdir()
  files <- setdiff(list.files(root), "build")
  expect_true(all(file.symlink(file.path(root, files), file.path(folder, files))))
  for (time in 1:2) { # the second finds the links
    output <- withr::with_dir(folder, system2(
      file.path(R.home("bin"), "Rscript"), file.path("tools", "replicate.R"),
      env = c("QUICK=1", "ONLY=none"), stdout = TRUE, stderr = TRUE
    ))
    expect_match(output, "^Replicated: 0 same", all = FALSE)
    tree <- file.path(folder, "build", "replicate", "quick", "tree")
    expect_true(all(file.exists(file.path(tree, c("tools/demo.R", "stored/optimality.csv")))))
    expect_false(file.exists(file.path(tree, "stored", "articles")))
  }
})
