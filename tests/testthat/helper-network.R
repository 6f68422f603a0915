# Networks made by hand, and what tests that need other packages share.

# Skips where a peer package is missing, unless OPTBN_REQUIRE_PEERS says that
# the machine must have it: then the test fails.
skip_without_peer <- function(package) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  if (identical(Sys.getenv("OPTBN_REQUIRE_PEERS"), "true")) {
    stop("OPTBN_REQUIRE_PEERS is true, but package ", package, " is not installed")
  }
  testthat::skip(paste(package, "is not installed"))
}

# For tests that begin other processes or take many seconds: left out on CRAN and by `make quick`.
skip_where_quick <- function() {
  testthat::skip_on_cran()
  testthat::skip_if(Sys.getenv("OPTBN_QUICK") == "true", "not quick")
}

# Of many like cases most tiers try a third; `make test-cases` tries all.
all_cases <- function() Sys.getenv("OPTBN_ALL_CASES") == "true"
share_of <- function(cases) if (all_cases()) cases else cases[seq(1L, length(cases), by = 3L)]

# A certificate record, by default of a proved optimum.
example_record <- function(nodes, score = -24006.7327, ..., scored_by = score_bde()) {
  record <- list(
    status = "optimal", score = score, bound = score, gap = 0,
    method = "dp", reason = NULL, effort = list(subsets = 64, parent_sets = 1234), seconds = 0.0123,
    settings = list(score = scored_by, max_parents = rep(3L, length(nodes)), whitelist = NULL,
                    blacklist = NULL, source = "data"),
    trace = data.frame(seconds = c(0.001, 0.0123), score = c(score - 100, score), bound = score),
    node_scores = stats::setNames(rep(score / length(nodes), length(nodes)), nodes)
  )
  utils::modifyList(record, list(...))
}

# A network whose record was changed by hand, as if a search had written it so.
resealed <- function(network) with_record(network, network$learning$optbn)

# `args` are the score's hyper-parameters under bnlearn's names.
example_network <- function(nodes, parents, scored_by = score_bde(), args = list(iss = 1), ...,
                            record = example_record(nodes, scored_by = scored_by)) {
  new_network(nodes, parents, score = scored_by$label, args = args, algo = "learn_dag",
              ntests = 321, certificate = record, ...)
}

# The true structures of bnlearn's learning.test, gaussian.test and
# clgaussian.test.
discrete_network <- function(...) {
  example_network(LETTERS[1:6], list(integer(), 1L, integer(), c(1L, 3L), c(2L, 6L), integer()),
                  ...)
}

gaussian_network <- function(...) {
  example_network(LETTERS[1:7], list(integer(), integer(), 1:2, 2L, integer(), c(1L, 4:5, 7L),
                                     integer()),
                  score_bge(iss_mu = 2, iss_w = 12), list(iss.mu = 2, iss.w = 12), ...)
}

mixed_network <- function(...) {
  nodes <- LETTERS[1:8]
  discrete <- c("A", "B", "C", "F")
  illegal <- as.matrix(expand.grid(from = setdiff(nodes, discrete), to = discrete,
                                   stringsAsFactors = FALSE))
  example_network(nodes, list(integer(), integer(), integer(), c(1L, 8L), c(2L, 4L), 2:3,
                              c(1L, 4:6), integer()),
                  score_bic_cg(k = 3), list(k = 3), illegal = illegal, ...)
}

# Parents of a random directed acyclic graph whose order is not that of the
# node numbers.
random_parents <- function(n, density = 0.4) {
  order <- sample(n)
  parents <- vector("list", n)
  for (i in seq_len(n)) {
    before <- order[seq_len(i - 1L)]
    parents[[order[i]]] <- sort(before[stats::runif(i - 1L) < density])
  }
  parents
}

# Builds and draws a ggplot on a device that keeps nothing; warnings and messages
# fail the test.
draw_ggplot <- function(plot, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  expect_s3_class(plot, "ggplot")
  expect_message(expect_warning(print(plot), NA), NA)
  invisible(plot)
}
