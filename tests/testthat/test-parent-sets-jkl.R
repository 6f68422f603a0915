small <- c(
  "3",
  "a 3", "-7.25 0", "-5.5 2 c b", "-6 1 b",
  "b 1", "-1e2 0",
  "c 2", "-3 1 a", "-4 0"
)

# A file with some of its lines exchanged: write_small("5" = "-6 1 c").
write_small <- function(..., name = "small.jkl", dir = withr::local_tempdir(.local_envir = env),
                        env = parent.frame()) {
  changed <- list(...)
  small[as.integer(names(changed))] <- unlist(changed)
  file <- file.path(dir, name)
  writeLines(small, file)
  file
}

example_file <- function() system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn")

# Instances too large to ship; the folder is named by the environment.
shared_instances <- function() {
  list.files(shared_path("data", "instances"), "\\.jkl\\.gz$", full.names = TRUE)
}

test_that("names are resolved and sets sorted", {
  x <- read_jkl(write_small())
  expect_s3_class(x, "optbn_parent_sets")
  expect_identical(x$nodes, c("a", "b", "c"))
  expect_identical(x$sets[[1]], list(score = c(-5.5, -6, -7.25), size = c(2L, 1L, 0L),
                                     parents = c(2L, 3L, 2L)))
  expect_identical(x$sets[[2]], list(score = -100, size = 0L, parents = integer()))
  expect_identical(x$sets[[3]]$parents, 1L)
  expect_identical(x$settings$source, "small.jkl")
  expect_null(x$settings$score)
  expect_identical(x$rows, NA_real_)
  expect_identical(x$considered, c(3, 1, 2))
})

test_that("the shipped file holds what its text says", {
  file <- example_file()
  fields <- strsplit(readLines(file)[-1], " ", fixed = TRUE)
  is_header <- lengths(fields) == 2 & vapply(fields, function(f) f[2] != "0", NA)
  header <- fields[is_header]
  sets <- fields[!is_header]
  node <- rep(seq_along(header), vapply(header, function(h) as.integer(h[2]), 0L))
  x <- read_jkl(file)
  expect_identical(x$nodes, vapply(header, `[`, "", 1))
  for (v in seq_along(x$nodes)) {
    mine <- x$sets[[v]]
    theirs <- sets[node == v]
    score <- as.numeric(vapply(theirs, `[`, "", 1))
    best_first <- order(-score)
    expect_identical(mine$score, score[best_first])
    expect_setequal(
      paste(mine$score, vapply(split(x$nodes[mine$parents],
                                     factor(rep(seq_along(mine$size), mine$size),
                                            seq_along(mine$size))),
                               function(set) paste(sort(set), collapse = " "), "")),
      paste(score, vapply(theirs, function(f) paste(sort(f[-(1:2)]), collapse = " "), ""))
    )
  }
})

test_that("a round trip is identical, compressed or not, by name or connection", {
  x <- read_jkl(example_file())
  x$nodes[1:3] <- c("gr\u00f6\u00dfe", "x{y}", "-3.5")
  x$sets[[2]]$score <- x$sets[[2]]$score * pi
  folder <- withr::local_tempdir()
  plain <- file.path(folder, "x.jkl")
  packed <- file.path(folder, "x.jkl.gz")
  expect_identical(expect_invisible(write_jkl(x, plain)), x)
  write_jkl(x, packed)
  expect_lt(file.size(packed), file.size(plain))
  by_connection <- file.path(folder, "y.jkl")
  write_jkl(x, base::file(by_connection))
  for (file in c(plain, packed, by_connection)) {
    y <- read_jkl(file)
    expect_identical(y$nodes, x$nodes)
    expect_identical(y$sets, x$sets)
  }
  connection <- gzfile(packed, "rb")
  expect_identical(read_jkl(connection)$sets, x$sets)
  expect_true(isOpen(connection))
  close(connection)
})

test_that("the order of lines and nodes does not matter", {
  x <- read_jkl(write_small())
  file <- withr::local_tempfile()
  writeLines(c("3", "c 2", "-4 0", "-3 1 a", "a 3", "-6 1 b", "-5.5 2 b c", "-7.25 0", "b 1",
               "-100 0"), file)
  y <- read_jkl(file)
  by_name <- function(x) {
    table <- as.data.frame(x)
    table[order(table$node, table$score), c("node", "score", "size")]
  }
  expect_identical(by_name(y), by_name(x), ignore_attr = TRUE)
})

test_that("digits limits what is written", {
  x <- read_jkl(write_small())
  x$sets[[2]]$score <- -100 / 3
  file <- withr::local_tempfile()
  write_jkl(x, file, digits = 4)
  expect_true("-33.33 0" %in% readLines(file))
})

test_that("a file without data behind it may lack empty sets only on request", {
  file <- write_small("10" = "-4 1 b")
  expect_error(read_jkl(file), class = "optbn_error_parse")
  expect_identical(read_jkl(file, require_empty = FALSE)$sets[[3]]$size, c(1L, 1L))
})

test_that("errors tell the file and the line", {
  error <- expect_error(read_jkl(write_small("5" = "-6 1 a")), class = "optbn_error_parse")
  expect_identical(error$file, "small.jkl")
  expect_identical(error$line, 5)
})

test_that("malformed files are refused with their line", {
  expect_snapshot(error = TRUE, {
    read_jkl(write_small("10" = "-4 1 b"))
    read_jkl(write_small("9" = "-3 1 c"))
    read_jkl(write_small("9" = "-3 1 d"))
    read_jkl(write_small("4" = "-5.5 2 b b"))
    read_jkl(write_small("4" = "-5.5 1 b"))
    read_jkl(write_small("5" = "NaN 1 b"))
    read_jkl(write_small("5" = "-Inf 1 b"))
    read_jkl(write_small("4" = "-5.5 2 c"))
    read_jkl(write_small("4" = "-5.5"))
    read_jkl(write_small("6" = "b 1.5"))
    read_jkl(write_small("8" = "a 2"))
    read_jkl(write_small("1" = "2"))
    read_jkl(write_small("1" = "4"))
    read_jkl(write_small("8" = "c 3"))
    read_jkl(write_small("2" = "a 2"))
    read_jkl(write_small("1" = "65536"))
    read_jkl(write_small("10" = "-4 0\nend"))
  })
})

test_that("files that hold no text, or none in UTF-8, are refused", {
  folder <- withr::local_tempdir()
  binary <- file.path(folder, "binary.jkl")
  writeBin(as.raw(c(0x33, 0x0a, 0x00, 0xff)), binary)
  empty <- file.path(folder, "empty.jkl")
  file.create(empty)
  latin <- file.path(folder, "latin.jkl")
  writeBin(c(charToRaw("1\n"), as.raw(0xe4), charToRaw(" 1\n0 0\n")), latin)
  expect_snapshot(error = TRUE, {
    read_jkl(binary)
    read_jkl(empty)
    read_jkl(latin)
  })
})

test_that("arguments are checked", {
  x <- read_jkl(write_small())
  blank <- x
  blank$nodes[2] <- "b b"
  expect_snapshot(error = TRUE, {
    read_jkl("nowhere.jkl")
    read_jkl(1)
    read_jkl(example_file(), require_empty = NA)
    write_jkl(1, "x.jkl")
    write_jkl(x, 1)
    write_jkl(x, "x.jkl", digits = 18)
    write_jkl(blank, "x.jkl")
  })
})

test_that("every shared instance reads, and survives a round trip", {
  for (file in shared_instances()) {
    x <- read_jkl(file)
    lines <- readLines(file)
    expect_identical(length(x), length(lines) - 1L - length(x$nodes), label = basename(file))
    copy <- withr::local_tempfile(fileext = ".jkl.gz")
    write_jkl(x, copy)
    expect_identical(read_jkl(copy)$sets, x$sets, label = basename(file))
  }
})

test_that("files that R cannot read are errors of their own", {
  damaged <- withr::local_tempfile(fileext = ".jkl.gz")
  bytes <- readBin(system.file("extdata", "zoo.BIC.jkl.gz", package = "optbn"), "raw", 1e6)
  bytes[seq(100, 2000)] <- as.raw(7)
  writeBin(bytes, damaged)
  expect_error(read_jkl(damaged), class = "optbn_error_parse")
  expect_error(suppressWarnings(read_jkl(tempdir())), class = "optbn_error_parse")
  text <- textConnection("1")
  on.exit(close(text))
  expect_error(read_jkl(text), class = "optbn_error_parse")
})

test_that("a path too long is no file", {
  expect_no_warning(expect_error(read_jkl(strrep("a", 1e5)), class = "optbn_error_argument"))
})

test_that("a file without a readable name is refused", {
  for (file in list("", "\xff", NA_character_, c("a", "b"))) {
    expect_error(read_jkl(file), class = "optbn_error_argument")
    expect_error(write_jkl(parent_sets(attitude[1:2], "bge"), file), class = "optbn_error_argument")
  }
})
