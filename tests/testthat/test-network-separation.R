test_that("nodes are separated where all paths between them are blocked", {
  withr::local_seed(1)
  for (repeats in 1:60) {
    n <- sample(3:6, 1)
    a <- random_dag_matrix(n, 0.5)
    parents <- apply(a == 1, 2, which, simplify = FALSE)
    ends <- sample(n, 2)
    paths <- all_paths(a, ends[1], ends[2])
    for (z in all_subsets(setdiff(seq_len(n), ends))) {
      expect_identical(separates(z, ends[1], ends[2], parents),
                       all(vapply(paths, is_blocked_path, NA, a = a, z = z)))
    }
  }
})

test_that("bnlearn says the same of larger networks", {
  skip_without_peer("bnlearn")
  withr::local_seed(2)
  for (repeats in 1:40) {
    network <- bnlearn::random.graph(LETTERS[1:15], prob = 0.15)
    dag <- as_network_structure(network)
    some <- sample(15, sample(2:8, 1))
    expect_identical(
      separates(some[-(1:2)], some[1], some[2], dag$parents),
      bnlearn::dsep(network, LETTERS[some[1]], LETTERS[some[2]], LETTERS[some[-(1:2)]])
    )
  }
})

test_that("minimal separators, and all, are those that a search of all sets finds", {
  withr::local_seed(3)
  sorted <- function(sets) sort(vapply(sets, function(s) paste(sort(s), collapse = " "), ""))
  for (repeats in share_of(1:40)) {
    n <- sample(4:7, 1)
    parents <- random_parents(n, 0.4)
    ends <- sample(n, sample(2:3, 1))
    x <- ends[1]
    y <- ends[-1]
    free <- sample(setdiff(seq_len(n), ends), sample(0:(n - length(ends)), 1))
    good <- Filter(function(z) separates(z, x, y, parents), all_subsets(free))
    least <- Filter(function(z) {
      !any(vapply(good, function(o) length(o) < length(z) && all(o %in% z), NA))
    }, good)
    expect_identical(sorted(minimal_separators(x, y, parents, free, 1000)), sorted(least))
    expect_identical(sorted(all_separators(x, y, parents, free, 1000)), sorted(good))
    expect_true(all(lengths(list(minimal_separators(x, y, parents, free, 1))) <= 2))
  }
})
