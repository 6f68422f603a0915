test_that("to load the package and to learn from data loads neither rlang nor cli", {
  skip_where_quick()
  skip_if_not_installed("processx")
  code <- c(
    sprintf("library(optbn, lib.loc = '%s')", dirname(system.file(package = "optbn"))),
    "network <- learn_dag(zoo, 'bic', progress = FALSE)",
    "cat(class(network)[1L], intersect(c('rlang', 'cli'), loadedNamespaces()))"
  )
  found <- processx::run(file.path(R.home("bin"), "Rscript"), c("-e", paste(code, collapse = "; ")))
  expect_identical(trimws(found$stdout), "optbn") # and nothing after it
})

test_that("names are set as rlang sets them", {
  for (x in list(1:3, c("a", "b"), list(1, 2), c(a = 1, b = 2), character(), data.frame(u = 1:2))) {
    expect_identical(set_names(x, NULL), rlang::set_names(x, NULL))
    expect_identical(set_names(x, "v"), rlang::set_names(x, "v"))
    expect_identical(set_names(x, seq_along(x)), rlang::set_names(x, seq_along(x)))
  }
  expect_identical(set_names(c("u", "v")), rlang::set_names(c("u", "v")))
  expect_identical(set_names(3:1), rlang::set_names(3:1))
})
