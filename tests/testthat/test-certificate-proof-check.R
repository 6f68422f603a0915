test_that("a proof that is damaged proves nothing", {
  sets <- parent_sets(attitude, "bic-g")
  file <- withr::local_tempfile()
  learn_dag(sets, proof = file, method = "lagrangian")
  lines <- readLines(file)
  for (checker in c("program", "R")) {
    check <- function(lines) {
      writeLines(lines, file)
      check_proof(file, sets, checker = checker)
    }
    expect_identical(check(lines)$status, "optimal")
    for (bad in list(lines[-length(lines)], lines[1:3], "", "nonsense", lines[-4L])) {
      checked <- check(bad)
      expect_false(checked$proved)
      expect_identical(checked$bound, Inf)
      expect_match(format(checked), "proves nothing of these sets: .")
    }
    # A node less, and so its cost.
    expect_false(check(sub("^([0-9]+) ([0-9]+) 7 0 1 2 3 4 5 6$", "\\1 \\2 6 0 1 2 3 4 5",
                           lines))$proved)
  }
})

test_that("names of nodes may be anything, and a file of sets is read", {
  columns <- stats::setNames(attitude[1:4], c("a b", "c\n", "\u00fc", "0"))
  file <- withr::local_tempfile()
  network <- learn_dag(columns, "bic-g", proof = file)
  expect_true(check_proof(file, network)$proved)

  jkl <- withr::local_tempfile(fileext = ".jkl.gz")
  write_jkl(parent_sets(attitude, "bic-g"), jkl)
  learn_dag(read_jkl(jkl), proof = file)
  expect_identical(check_proof(file, jkl)$status, "optimal")
})

test_that("bad arguments are named", {
  sets <- parent_sets(attitude, "bic-g")
  file <- withr::local_tempfile(lines = "optbn-proof 1")
  expect_snapshot(error = TRUE, {
    check_proof("no-such-file", sets)
    check_proof(3, sets)
    check_proof(file, attitude)
    check_proof(file, learn_dag(attitude, "bic-g"))
    check_proof(file, sets, checker = "oracle")
  })
})
