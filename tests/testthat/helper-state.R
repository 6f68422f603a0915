# What a test must leave as it found it, in words: a list that is the same before and after, but for
# what a test is the first to load.

session_state <- function(options = names(base::options()), variables = names(Sys.getenv())) {
  list(
    options = vapply(base::options()[options], in_words, ""),
    variables = Sys.getenv(variables, names = TRUE),
    directory = getwd(),
    files = setdiff(list.files(all.files = TRUE), "_snaps"),
    connections = getAllConnections(),
    devices = names(grDevices::dev.list()),
    plan = if (isNamespaceLoaded("future")) plan_in_words() else "sequential"
  )
}

in_words <- function(x) paste(deparse(x, nlines = 20L), collapse = " ")

plan_in_words <- function() {
  plan <- future::plan()
  kinds <- setdiff(class(plan), c("FutureStrategy", "tweaked", "uniprocess", "future", "function"))
  if (identical(kinds, "sequential")) kinds else c(kinds, format(formals(plan)$workers))
}

# Sets a seed and returns a function that puts back the random numbers that there were.
with_fixed_seed <- function() {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  set.seed(1, "default", "default", "default")
  function() {
    if (is.null(before)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", before, globalenv())
    }
  }
}

# Other values of names of the package for the rest of a test (as local_mocked_bindings(), which
# testthat has from 3.1.7 on).
local_values <- function(..., envir = parent.frame()) {
  set <- function(values) {
    namespace <- asNamespace("optbn")
    for (name in names(values)) {
      unlockBinding(name, namespace)
      assign(name, values[[name]], namespace)
      lockBinding(name, namespace)
    }
  }
  before <- mget(...names(), asNamespace("optbn"))
  withr::defer(set(before), envir)
  set(list(...))
}
