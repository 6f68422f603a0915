titanic_fit <- function() {
  titanic <- as.data.frame(Titanic)
  fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]", titanic[1:4],
              weights = titanic$Freq)
}

# The true network of the data set alarm of bnlearn.
alarm_string <- paste0(
  "[HIST|LVF][CVP|LVV][PCWP|LVV][HYP][LVV|HYP:LVF][LVF][STKV|HYP:LVF][ERLO][HRBP|ERLO:HR]",
  "[HREK|ERCA:HR][ERCA][HRSA|ERCA:HR][ANES][APL][TPR|APL][ECO2|ACO2:VLNG][KINK][MINV|INT:VLNG]",
  "[FIO2][PVS|FIO2:VALV][SAO2|PVS:SHNT][PAP|PMB][PMB][SHNT|INT:PMB][INT][PRSS|INT:KINK:VTUB]",
  "[DISC][MVS][VMCH|MVS][VTUB|DISC:VMCH][VLNG|INT:KINK:VTUB][VALV|INT:VLNG][ACO2|VALV]",
  "[CCHL|ACO2:ANES:SAO2:TPR][HR|CCHL][CO|HR:STKV][BP|CO:TPR]"
)

write_for_test <- function(x, env = parent.frame()) {
  skip_without_peer("visNetwork")
  skip_without_peer("jsonlite")
  file <- withr::local_tempfile(fileext = ".html", .local_envir = env)
  explore(x, file, open = FALSE)
  file
}

# What R put into a page.
content_of <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  json <- sub("</script>.*", "", sub(".*<script type=\"application/json\"[^>]*>", "", text))
  jsonlite::fromJSON(json, simplifyVector = FALSE)
}

# Skipped as skip_without_peer() does.
headless_browser <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome"))
  found <- found[nzchar(found)]
  if (length(found) > 0L) return(found[[1L]])
  why <- "there is no headless browser; Debian has the package chromium"
  if (identical(Sys.getenv("OPTBN_REQUIRE_PEERS"), "true")) stop(why)
  skip(why)
}

# The page as a browser has it after a script that is appended to it.
page_after <- function(file, script) {
  skip_where_quick()
  program <- headless_browser()
  skip_if_not_installed("processx")
  scripted <- withr::local_tempfile(fileext = ".html")
  home <- withr::local_tempdir()
  file.copy(file, scripted)
  cat("<script>", script, "</script>", file = scripted, sep = "\n", append = TRUE)
  flags <- c("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000",
             paste0("--user-data-dir=", home), "--window-size=1400,900")
  ran <- processx::run(program, c(flags, "--dump-dom", paste0("file://", scripted)),
                       env = c("current", LD_PRELOAD = ""), timeout = 120,
                       error_on_status = FALSE)
  if (ran$status != 0L) stop("the browser ended with status ", ran$status, ": ", ran$stderr)
  ran$stdout
}

attributes_of <- function(dom, tag, class) {
  found <- regmatches(dom, gregexpr(paste0("<", tag, " class=\"", class, "\"[^>]*>"), dom))[[1L]]
  value <- function(name) sub(paste0(".* ", name, "=\"([^\"]*)\".*"), "\\1", found)
  data.frame(node = value("data-node"), level = value("data-level"),
             probability = as.numeric(value("data-probability")))
}

# A click on the bar of each level in a list named by nodes.
clicks <- function(evidence) {
  sprintf("document.querySelector('[data-node=\"%s\"][data-level=\"%s\"]').click();",
          names(evidence), unlist(evidence))
}

expect_posteriors <- function(dom, fit, evidence) {
  compiled <- compile_network(fit)
  shown <- attributes_of(dom, "button", "level")
  exact <- query(compiled, evidence = evidence[0L])
  for (node in setdiff(compiled$nodes, names(evidence))) {
    expected <- query(compiled, node, evidence)
    mine <- shown[shown$node == node, ]
    expect_equal(mine$level, names(expected))
    expect_equal(mine$probability, as.vector(expected), tolerance = 1e-11)
  }
  expect_setequal(shown$node, names(exact))
  log_evidence <- as.numeric(sub(".*data-log=\"([^\"]*)\".*", "\\1", dom))
  expect_equal(log_evidence, log_probability(compiled, evidence), tolerance = 1e-11)
}

test_that("posteriors in a browser are those of query()", {
  fit <- titanic_fit()
  file <- write_for_test(fit)
  evidence <- list(Survived = "Yes", Class = "3rd")
  expect_posteriors(page_after(file, clicks(evidence)), fit, evidence)
})

test_that("posteriors in a browser are those of query(): 37 nodes", {
  skip_if_not_installed("bnlearn")
  data <- bnlearn::alarm
  fit <- fit_network(bnlearn::model2network(alarm_string), data)
  file <- write_for_test(fit)
  evidence <- list(BP = "LOW", HREK = "HIGH", VTUB = "ZERO", PCWP = "HIGH")
  expect_posteriors(page_after(file, clicks(evidence)), fit, evidence)
})

test_that("trees answer in a browser as in R, in a network of several parts", {
  set.seed(1)
  data <- as.data.frame(lapply(1:6, function(i) factor(sample(letters[1:3], 200, TRUE))))
  names(data) <- c("A node", "<b>", "C&\"", "D", "E", "F")
  data$D <- data$`<b>`
  data$E[data$D == "a"] <- "b"
  network <- learn_dag(data, "pcart")
  fit <- fit_network(network, data)
  file <- write_for_test(fit)
  expect_true(any(nzchar(unlist(lapply(content_of(file)$nodes, `[[`, "text")))))
  evidence <- list(E = "b", F = "c")
  dom <- page_after(file, clicks(evidence))
  dom <- gsub("&quot;", "'", gsub("&lt;", "<", gsub("&gt;", ")", gsub("&amp;", "&", dom))))
  shown <- attributes_of(dom, "button", "level")
  expect_equal(shown$probability[shown$node == "D"],
               as.vector(query(fit, "D", evidence)), tolerance = 1e-11)
})

test_that("a second click releases; impossible evidence is called so", {
  data <- data.frame(A = factor(c("x", "x", "y")), B = factor(c("u", "u", "v")))
  fit <- fit_network("[A][B|A]", data, method = "mle")
  file <- write_for_test(fit)
  impossible <- list(A = "x", B = "v")
  dom <- page_after(file, clicks(impossible))
  expect_match(dom, "This evidence is impossible")
  expect_match(dom, "data-log=\"-Infinity\"", fixed = TRUE)
  dom <- page_after(file, clicks(c(impossible, impossible["B"], impossible["A"])))
  shown <- attributes_of(dom, "button", "level")
  expect_equal(shown$probability, c(2, 1, 2, 1) / 3, tolerance = 1e-11)
})

test_that("a click on a node shows its local model", {
  file <- write_for_test(fit_network(learn_dag(iris, "pcart"), iris))
  dom <- page_after(file, "select(page.nodes.findIndex(n => n.name === 'Petal.Width'));")
  expect_match(dom, "<h2>Petal.Width</h2>", fixed = TRUE)
  expect_match(dom, "Species = virginica", fixed = TRUE)
  expect_match(dom, "Posteriors are not available: the network has continuous nodes", fixed = TRUE)
})

test_that("a network without a fit shows what is proved", {
  network <- learn_dag(attitude, "bge")
  file <- write_for_test(network)
  page <- content_of(file)
  expect_match(page$certificate, "proved optimal")
  expect_match(page$note, "without a fit")
  expect_equal(vapply(page$nodes, `[[`, "", "name"), names(attitude))
  expect_length(page$arcs, nrow(network$arcs))
  for (node in page$nodes) {
    expect_setequal(names(attitude)[unlist(node$parents) + 1L], network$nodes[[node$name]]$parents)
  }
  dom <- page_after(file, "select(0);")
  expect_match(dom, "<h2>rating</h2>", fixed = TRUE)
})

test_that("networks and fits of bnlearn are explored", {
  skip_if_not_installed("bnlearn")
  data <- data.frame(A = factor(c("x", "x", "y")), B = factor(c("u", "u", "v")))
  dag <- bnlearn::model2network("[A][B|A]")
  expect_length(content_of(write_for_test(dag))$arcs, 1L)
  page <- content_of(write_for_test(bnlearn::bn.fit(dag, data)))
  expect_equal(unlist(page$nodes[[2L]]$table), c(1, 0, 0, 1))
  gaussian <- bnlearn::bn.fit(bnlearn::model2network("[rating][raises|rating]"),
                              attitude[c("rating", "raises")])
  page <- content_of(write_for_test(gaussian))
  expect_match(page$nodes[[1L]]$text, "Parameters of node raises (Gaussian distribution)",
               fixed = TRUE)
})

test_that("an essential graph keeps its undirected arcs apart", {
  page <- content_of(write_for_test(essential_graph(learn_dag(attitude, "bge"))))
  directed <- vapply(page$arcs, `[[`, NA, "directed")
  expect_false(all(directed))
  expect_equal(sum(lengths(lapply(page$nodes, `[[`, "parents"))), sum(directed))
})

test_that("pages say why they have no posteriors", {
  expect_match(compile_for_page(fit_network("[rating]", attitude)), "continuous nodes")
  big <- as.data.frame(lapply(1:6, function(i) factor(1, levels = 1:12)))
  names(big) <- LETTERS[1:6]
  expect_match(compile_for_page(fit_network("[A][B][C][D][E][F|A:B:C:D:E]", big)),
               "2,985,984 cells, more than the 1,000,000")
  expect_match(compile_for_page(fit_network("[A][B][C][D][E|A:B:C:D][F]", big)),
               "248,892 probabilities, more than the 100,000")
})

test_that("the file is where it shall be, and bad arguments are refused", {
  skip_without_peer("visNetwork")
  network <- learn_dag(attitude, "bge")
  expect_true(file.exists(expect_invisible(explore(network, open = FALSE))))
  opened <- NULL
  withr::local_options(browser = function(url) opened <<- url)
  file <- withr::local_tempfile(fileext = ".html")
  explore(network, file, open = TRUE)
  expect_match(opened, basename(file), fixed = TRUE)
  expect_snapshot(error = TRUE, {
    explore()
    explore(1:3)
    explore(network, open = NA)
    explore(network, file = "page.pdf", open = FALSE)
    explore(network, file = "no/such/folder/page.html", open = FALSE)
  })
  expect_error(explore(1:3), class = "optbn_error_argument")
})

test_that("the widget is asked for where it is missing", {
  local_mocked_bindings(requireNamespace = function(...) FALSE, .package = "base")
  expect_error(explore(learn_dag(attitude, "bge"), open = FALSE), class = "optbn_error_package")
})

test_that("a node is clicked and dragged by the mouse", {
  file <- write_for_test(titanic_fit())
  dom <- page_after(file, c(
    "function pointer(type, x, y) {",
    "  const canvas = document.querySelector('#canvas canvas');",
    "  const box = canvas.getBoundingClientRect();",
    "  (type === 'pointerdown' ? canvas : window).dispatchEvent(new PointerEvent(type, {",
    "    bubbles: true, cancelable: true, pointerId: 1, pointerType: 'mouse', button: 0,",
    "    buttons: type === 'pointerup' ? 0 : 1, clientX: box.left + x, clientY: box.top + y",
    "  }));",
    "}",
    "const place = v => picture.network.getPosition(v);",
    "const spot = v => picture.network.canvasToDOM(place(v));",
    "setTimeout(() => {",
    "  const click = spot(3);",
    "  pointer('pointerdown', click.x, click.y);",
    "  pointer('pointerup', click.x, click.y);",
    "  setTimeout(() => {",
    "    const [before, drag] = [place(0), spot(0)];",
    "    pointer('pointerdown', drag.x, drag.y);",
    "    pointer('pointermove', drag.x + 40, drag.y);",
    "    pointer('pointermove', drag.x + 90, drag.y);",
    "    pointer('pointerup', drag.x + 90, drag.y);",
    "    document.title = 'moved by ' + (place(0).x - before.x);",
    "  }, 400);",
    "}, 200);"
  ))
  expect_match(dom, "<h2>Survived</h2>", fixed = TRUE)
  expect_gt(as.numeric(sub(".*<title>moved by ([-0-9.]*)</title>.*", "\\1", dom)), 20)
})
