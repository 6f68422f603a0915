# CRAN asks for checks that take little time: there every fourth test runs, and the others count as
# skipped. All run where NOT_CRAN is "true", as in `make test-r`.

if (!identical(Sys.getenv("NOT_CRAN"), "true")) {
  test_that <- local({
    tests <- 0L
    function(desc, code) {
      tests <<- tests + 1L
      if (tests %% 4L == 1L) {
        eval.parent(substitute(testthat::test_that(desc, code)))
      } else {
        testthat::test_that(desc, testthat::skip("three of four tests do not run on CRAN"))
      }
    }
  })
}
