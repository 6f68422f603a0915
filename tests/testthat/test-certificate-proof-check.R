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
      expect_match(format(checked), "proves nothing for these sets: .")
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
    check_proof(file, sets, targets = list(rating = 1))
  })
})

test_that("a program that is killed has said nothing", {
  skip_if_not_installed("ps")
  # Nodes in a circle, of which one cannot have its parent; proved by a large table.
  n <- 25L
  others <- c(seq_len(n - 1L), 0L)
  files <- withr::local_tempfile(pattern = c("sets", "proof"), fileext = c(".jkl", ".proof"))
  writeLines(c(n, paste0(seq_len(n) - 1L, " 2\n0 1 ", others, "\n-1 0")), files[1L])
  writeLines(c("optbn-proof 1", 0, 0, paste(1, others[-1L] %% n), 1,
               paste(c(0, 1, n, seq_len(n) - 1L), collapse = " "), "t", ".", "end"), files[2L])
  result <- run_in_child(given = files, "
    result <- tryCatch(check_proof(given[2], given[1]), error = function(e) class(e))
  ", meanwhile = function(child, watched) {
    repeat {
      below <- ps::ps_children(ps::ps_handle(watched), recursive = TRUE)
      program <- Filter(function(process) ps::ps_name(process) == "check-proof", below)
      if (length(program) > 0L || !child$is_alive()) break
    }
    ps::ps_kill(program[[1L]])
  })
  expect_true("optbn_error_worker" %in% result)
})
