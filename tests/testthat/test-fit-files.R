titanic <- as.data.frame(Titanic)
passengers <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
                          titanic[1:4], weights = titanic$Freq)

written <- function(fit, ...) {
  file <- withr::local_tempfile(fileext = ".xdsl")
  suppressMessages(write_network(fit, file, ...))
  readLines(file, encoding = "UTF-8")
}

# Reads what GeNIe's documentation says: by node the states, the parents, and the probabilities, in
# which the first parent changes slowest and the node itself fastest. XML is checked to be nested.
read_xdsl <- function(lines) {
  text <- paste(lines, collapse = "\n")
  tags <- regmatches(text, gregexpr("<[^?][^>]*>", text))[[1L]]
  open <- character()
  for (tag in tags[!grepl("/>$", tags)]) {
    name <- sub("^</?([A-Za-z_]+).*$", "\\1", tag)
    if (startsWith(tag, "</")) {
      stopifnot(identical(open[1L], name))
      open <- open[-1L]
    } else {
      open <- c(name, open)
    }
  }
  stopifnot(length(open) == 0L)
  cpts <- regmatches(text, gregexpr("(?s)<cpt id=.*?</cpt>", text, perl = TRUE))[[1L]]
  attribute <- function(x, pattern) regmatches(x, gregexpr(pattern, x, perl = TRUE))[[1L]]
  words <- function(x) if (length(x)) strsplit(x, " ", fixed = TRUE)[[1L]] else character()
  nodes <- lapply(cpts, function(cpt) {
    list(id = attribute(cpt, "(?<=<cpt id=\")[^\"]+"),
         states = attribute(cpt, "(?<=<state id=\")[^\"]+"),
         parents = words(attribute(cpt, "(?<=<parents>)[^<]+")),
         probabilities = as.numeric(words(attribute(cpt, "(?<=<probabilities>)[^<]+"))))
  })
  rlang::set_names(nodes, vapply(nodes, `[[`, "", "id"))
}

test_that("GeNIe's format has tables in the order of its documentation", {
  nodes <- read_xdsl(written(passengers))
  expect_setequal(names(nodes), passengers$nodes)
  place <- match(names(nodes), names(nodes))
  for (node in nodes) {
    expect_true(all(match(node$parents, names(nodes)) < match(node$id, names(nodes))))
    model <- local_model(passengers, node$id)
    sizes <- lengths(passengers$levels)[node$parents]
    # one configuration after the other, the last parent fastest
    grid <- rev(expand.grid(rev(lapply(sizes, seq_len))))
    at <- matrix(node$probabilities, nrow = length(node$states))
    expect_identical(length(node$states), dim(model$prob)[1L])
    for (j in seq_len(ncol(at))) {
      index <- c(list(TRUE), as.list(grid[j, match(model$parents, node$parents)]))
      table <- as.vector(do.call(`[`, c(list(unclass(model$prob)), index)))
      expect_equal(at[, j], table, tolerance = 1e-14) # R without long double reads less exactly
    }
  }
})

test_that("names become identifiers, and GeNIe shows the original ones", {
  data <- data.frame(`1 & <2>` = factor(c("a b", "a-b", "a b")), b = factor(c("x", "y", "y")),
                     check.names = FALSE)
  fit <- fit_network(matrix(c(0, 0, 1, 0), 2, dimnames = list(names(data), names(data))), data)
  file <- withr::local_tempfile(fileext = ".xdsl")
  expect_message(write_network(fit, file), "some names were changed")
  lines <- readLines(file)
  nodes <- read_xdsl(lines)
  expect_true(all(grepl("^[A-Za-z][A-Za-z0-9_]*$", c(names(nodes), nodes[[1L]]$states))))
  expect_false(anyDuplicated(nodes[[1L]]$states) > 0L)
  expect_true(any(grepl("<name>1 &amp; &lt;2&gt;</name>", lines, fixed = TRUE)))
})

test_that("trees of discrete nodes are written as tables", {
  network <- learn_dag(titanic[1:4], "pcart", weights = titanic$Freq)
  fit <- fit_network(network, titanic[1:4], weights = titanic$Freq)
  nodes <- read_xdsl(written(fit))
  for (node in nodes) {
    expect_equal(colSums(matrix(node$probabilities, length(node$states))),
                 rep(1, prod(lengths(fit$levels)[node$parents])))
  }
})

test_that("bnlearn reads what is written in its formats", {
  skip_without_peer("bnlearn")
  theirs <- bnlearn::as.bn.fit(passengers)
  for (format in c("bif", "net", "dsc")) {
    file <- withr::local_tempfile(fileext = paste0(".", format))
    write_network(passengers, file)
    back <- getExportedValue("bnlearn", paste0("read.", format))(file)
    for (node in passengers$nodes) {
      mine <- theirs[[node]]$prob
      other <- back[[node]]$prob
      if (length(dim(mine)) > 1L) other <- aperm(other, names(dimnames(mine)))
      expect_equal(as.vector(other), as.vector(mine), tolerance = 1e-6)
    }
    again <- withr::local_tempfile(fileext = ".xdsl")
    suppressMessages(write_network(back, again))
    expect_setequal(names(read_xdsl(readLines(again))), passengers$nodes)
  }
})

test_that("bad input is refused", {
  flowers <- fit_network("[Species][Petal.Width|Species]", iris)
  expect_snapshot(error = TRUE, {
    write_network(flowers, "flowers.xdsl")
    write_network(passengers, "passengers.doc")
    write_network(passengers, "passengers", format = "xml")
    write_network(iris, "iris.bif")
    write_network(passengers, 1)
  })
  expect_error(write_network(passengers, file.path(tempdir(), "none", "a.xdsl")),
               class = "optbn_error_argument")
})
