# A network as a page for a browser: one file that needs no server. R computes the places and the
# ways of arcs (plot-geometry.R) and compiles the junction tree (infer-compile.R); the page, whose
# sources are in inst/explorer, draws, and answers from the tables that are in it. The widget for
# drawing is the one that package visNetwork has installed.

#' Explore a Network in a Browser
#'
#' Writes a web page that shows a network, and opens it in a browser. You can drag nodes and zoom
#' the picture. A click on a node shows its parents, its children and its local model. In the page
#' of a discrete fit, a click on a level observes it, and all posteriors are updated. The page is
#' one file that needs neither a server nor R, so you can store and send it.
#'
#' @param x A network of class `bn`, for its structure and certificate; or a fit, from
#'   [fit_network()] or of bnlearn's class `bn.fit`, for local models and posteriors as well.
#' @param file The path of the page, which ends in `.html`; an existing file is replaced. `NULL`
#'   means a temporary file.
#' @param open Open the page in a browser, by [utils::browseURL()]?
#' @param ... Ignored.
#'
#' @details
#' The layout of the nodes and arcs is that of [plot.optbn()], until you drag them. At the foot of
#' each box is the posterior distribution of its node, with the first level darkest and the last
#' lightest.
#'
#' @section Posteriors: The page contains the tables of the network and its junction tree
#'   ([compile_network()]), and computes all posteriors from these whenever the evidence changes.
#'   They are exact and equal those of [query()]. They are available if all nodes are discrete, the
#'   cliques have at most 1,000,000 cells in total and the tables at most 100,000 probabilities.
#'   Otherwise the page states the reason. Local models of any kind are shown; only if there are no
#'   posteriors, a table of more than 10,000 probabilities is omitted.
#'
#' @return The path of the page, invisibly.
#'
#' @section Errors: `optbn_error_package` if package \pkg{visNetwork} is missing;
#'   `optbn_error_argument` if `x` is not a network, for a malformed argument, or if `file` cannot
#'   be written.
#'
#' @inherit compile_network references
#' @seealso [plot.optbn()], [local_model()], [query()].
#' @examplesIf requireNamespace("visNetwork", quietly = TRUE)
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Age|Class][Survived|Class:Sex:Age]",
#'                    titanic[1:4], weights = titanic$Freq)
#' page <- explore(fit, open = interactive())
#' file.size(page)
#' @export
explore <- function(x, file = NULL, open = interactive(), ...) {
  require_arguments()
  UseMethod("explore")
}

#' @rdname explore
#' @export
explore.bn <- function(x, file = NULL, open = interactive(), ...) {
  if (inherits(x, "bn.fit")) return(explore.bn.fit(x, file, open))
  check_sound(x)
  note <- paste("A network without a fit has no posteriors: explore a fit, from fit_network(),",
                "for local models and posteriors.")
  write_page(structure_of_page(x), list(note = note), file, open)
}

#' @rdname explore
#' @export
explore.optbn_fit <- function(x, file = NULL, open = interactive(), ...) {
  check_sound(x)
  network <- if (inherits(x$network, "optbn")) x$network else plain_network(structure_of(x))
  explore_fit(x, network, x$models, x$levels, file, open)
}

#' @rdname explore
#' @export
explore.bn.fit <- function(x, file = NULL, open = interactive(), ...) {
  check_sound(x)
  models <- unclass(x)
  attributes(models) <- list(names = names(x))
  levels <- lapply(models, function(model) dimnames(model$prob)[[1L]])
  explore_fit(x, plain_network(as_network_structure(x)), models, levels, file, open)
}

#' @export
explore.default <- function(x, file = NULL, open = interactive(), ...) {
  abort_optbn("argument",
              c("{.arg x} must be a network or a fitted network.",
                x = "It is {describe(x)}.",
                i = paste("{.fn learn_dag} learns a network and {.fn fit_network} fits it;",
                          "bnlearn's classes {.cls bn} and {.cls bn.fit} are also accepted.")))
}

most_clique_cells <- 1e6 # of a page that answers
most_page_numbers <- 1e5 # in the tables of a page that answers
most_table_numbers <- 1e4 # of a table that is only shown

explore_fit <- function(fit, network, models, levels, file, open, call = parent.frame()) {
  compiled <- compile_for_page(fit)
  answers <- !is.character(compiled)
  page <- structure_of_page(network)
  names <- vapply(page$nodes, `[[`, "", "name")
  page$nodes <- lapply(page$nodes, function(node) {
    model <- models[[node$name]]
    c(node[names(node) != "parents"],
      list(parents = I(match(model$parents, names) - 1L),
           levels = I(levels[[node$name]] %||% character())),
      local_of_page(model, answers))
  })
  further <- if (answers) list(cliques = cliques_of_page(compiled, names)) else
    list(note = compiled)
  write_page(page, further, file, open, call)
}

# ---- what is in the page ------------------------------------------------------------------------

# The compiled network, or a sentence that says why the page has no posteriors.
compile_for_page <- function(fit) {
  because <- function(...) paste0("Posteriors are not available: ", ...)
  if (is_continuous_somewhere(fit)) {
    return(because("the network has continuous nodes. In R, approximate_query() computes them, ",
                   "and query() if these nodes have linear regressions."))
  }
  compiled <- tryCatch(
    compile_for(fit),
    optbn_error_memory = function(e) because("the junction tree does not fit into memory."),
    optbn_error_data = function(e) because("tables have missing probabilities.")
  )
  if (is.character(compiled)) return(compiled)
  cells <- sum(compiled$cells)
  if (cells > most_clique_cells) {
    return(because("the junction tree has ", format_count(cells), " cells, more than the ",
                   format_count(most_clique_cells), " of a page. In R, query() computes them."))
  }
  numbers <- sum(vapply(compiled$models, function(model) length(local_table(model)), 0))
  if (numbers > most_page_numbers) {
    return(because("the tables have ", format_count(numbers), " probabilities, more than the ",
                   format_count(most_page_numbers), " of a page. In R, query() computes them."))
  }
  compiled
}

is_continuous_somewhere <- function(fit) {
  if (inherits(fit, "optbn_fit")) return(any(vapply(fit$levels, is.null, NA)))
  any(vapply(unclass(fit), function(node) is.null(node$prob), NA))
}

# The page's arrays: numbers of nodes from 0; a clique hangs on an earlier one.
cliques_of_page <- function(compiled, names) {
  Map(function(clique, above) list(nodes = I(match(clique, names) - 1L), above = above - 1L),
      compiled$cliques, compiled$parent)
}

# How the local model of a node is shown: `model`, what it is; its `table` (which answers need of
# every node), or its `text`.
local_of_page <- function(model, answers) {
  discrete <- !is.null(model$prob) && is_plain_table(model)
  table <- if (answers || discrete && length(model$prob) <= most_table_numbers) {
    list(table = I(as.vector(local_table(if (discrete) model$prob else model))))
  }
  if (!inherits(model, "optbn_local")) {
    return(c(list(text = if (!discrete) lines_of(print(model))), table))
  }
  what <- format(model)
  if (discrete && is.null(table)) what <- paste0(what, ", too large to be shown here")
  c(list(model = what, text = if (!discrete) lines_of(print_parameters(model))), table)
}

is_plain_table <- function(model) {
  !inherits(model, "optbn_local") || inherits(model, "optbn_table")
}

# What an expression prints, in wide lines without colours.
lines_of <- function(expr) {
  old <- options(width = 200L, cli.num_colors = 1L)
  on.exit(options(old))
  paste(utils::capture.output(expr), collapse = "\n")
}

# Title, certificate, nodes and arcs, with places in pixels and y downwards.
structure_of_page <- function(network) {
  picture <- picture_of_page(network)
  pixels <- function(x) round(96 * x, 1)
  nodes <- picture$nodes
  kind <- as.character(nodes$kind)
  fill <- ifelse(is.na(kind), box_fill, kind_fills[kind])
  parents <- directed_parents(network)
  undirected <- is_undirected(network$arcs)
  joined <- arc_labels(network$arcs[undirected, , drop = FALSE])
  arcs <- picture$arcs
  directed <- !arc_labels(arcs) %in% joined
  points <- function(shapes, i) {
    shapes <- shapes[shapes$id == i, c("x", "y")]
    unname(cbind(pixels(shapes$x), pixels(-shapes$y)))
  }
  list(
    title = network_heading(network),
    certificate = certificate_line(network),
    nodes = lapply(seq_len(nrow(nodes)), function(i) {
      known <- nodes$node[parents[[i]]]
      from <- known[!arc_labels(cbind(known, rep(nodes$node[i], length(known)))) %in% joined]
      list(name = nodes$node[i], x = pixels(nodes$x[i]), y = pixels(-nodes$y[i]),
           width = pixels(nodes$width[i]), height = pixels(nodes$height[i]), fill = fill[[i]],
           parents = I(match(from, nodes$node) - 1L))
    }),
    arcs = lapply(seq_len(nrow(arcs)), function(i) {
      list(from = match(arcs$from[i], nodes$node) - 1L, to = match(arcs$to[i], nodes$node) - 1L,
           kind = as.character(arcs$kind[i]), directed = directed[i],
           way = points(picture$paths, i),
           tip = if (directed[i]) points(picture$heads, i)[1L, ])
    })
  )
}

# Boxes of the usual size, drawn apart as far as the shape of a window allows.
picture_of_page <- function(network) {
  loose <- network_picture(network, NULL, NULL, c(1e3, 1e3))
  extent <- vapply(loose$boxes[c("x", "y")], function(at) diff(range(at)), 0)
  if (extent[["y"]] < extent[["x"]] / 1.2) return(loose)
  network_picture(network, NULL, NULL, c(extent[["x"]], max(extent / c(1.2, 2))))
}

# ---- the file -----------------------------------------------------------------------------------

write_page <- function(page, further, file, open, call = parent.frame()) {
  open <- check_flag(open, "open", call)
  file <- check_page_file(file, call)
  require_package("visNetwork", "to draw a network in a browser", call)
  require_package("jsonlite", "to write a page", call)
  json <- jsonlite::toJSON(c(page, further), auto_unbox = TRUE, digits = NA, null = "null")
  text <- fill_template(
    read_text(explorer_file("page.html")),
    list(title = page_title(page$title), style = read_text(explorer_file("explorer.css")),
         network = gsub("<", "\\u003c", json, fixed = TRUE), # no label ends the script
         library = read_text(widget_file(call)),
         inference = read_text(explorer_file("inference.js")),
         explorer = read_text(explorer_file("explorer.js")))
  )
  tryCatch(suppressWarnings(write_page_text(text, file)), error = function(e) {
    abort_optbn("argument", c("{.arg file} cannot be written.", x = "It is {.file {file}}."),
                call = call)
  })
  if (open) utils::browseURL(file)
  invisible(file)
}

page_title <- function(text) gsub("<", "&lt;", gsub("&", "&amp;", text, fixed = TRUE), fixed = TRUE)

check_page_file <- function(file, call) {
  if (is.null(file)) return(tempfile("network-", fileext = ".html"))
  if (!(is_string(file) && grepl("[.]html?$", file))) {
    abort_optbn("argument",
                c("{.arg file} must be NULL or one path that ends in {.val .html}.",
                  x = "It is {describe(file)}."),
                call = call)
  }
  path.expand(file)
}

explorer_file <- function(name) system.file("explorer", name, package = "optbn", mustWork = TRUE)

# The script of the widget, which is not always in the same folder.
widget_file <- function(call) {
  found <- list.files(system.file("htmlwidgets", package = "visNetwork"),
                      "^vis-network(\\.min)?\\.js$", recursive = TRUE, full.names = TRUE)
  if (length(found) == 0L) {
    abort_optbn("package",
                c("The installed {.pkg visNetwork} lacks the script {.file vis-network.min.js}.",
                  i = "Install its current release."),
                call = call)
  }
  found[1L]
}

read_text <- function(file) {
  paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

write_page_text <- function(text, file) {
  connection <- file(file)
  on.exit(close(connection))
  open(connection, "wb")
  writeLines(text, connection, useBytes = TRUE)
}

# Puts values where the template has their names in double braces.
fill_template <- function(template, values) {
  holes <- gregexpr("\\{\\{[a-z]+\\}\\}", template)
  names <- gsub("[{}]", "", regmatches(template, holes)[[1L]])
  between <- regmatches(template, holes, invert = TRUE)[[1L]]
  filled <- vapply(values[names], function(value) enc2utf8(as.character(value)), "")
  paste0(c(rbind(enc2utf8(between), c(filled, ""))), collapse = "")
}
