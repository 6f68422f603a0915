# Networks as the text in which dagitty has them, without that package: `dag { A -> B; B <- C }`.
# Classes of networks are a `pdag`, in which arcs without a direction are `--`.
#
# What is read: nodes and groups of nodes in braces, with arrows between them, in chains too;
# names in quotation marks; attributes in brackets, which say nothing of the structure.

#' @rdname as_network
#' @export
as_dagitty <- function(network) {
  require_arguments()
  call <- environment()
  parts <- parts_of_network(network, call)
  names <- quoted_names(parts$nodes, call)
  lines <- function(arcs, arrow) paste(names[arcs$from], arrow, names[arcs$to], recycle0 = TRUE)
  type <- if (nrow(parts$undirected)) "pdag" else "dag"
  paste(c(paste(type, "{"), names, lines(parts$directed, "->"), lines(parts$undirected, "--"), "}"),
        collapse = "\n")
}

quoted_names <- function(nodes, call) {
  odd <- nodes[grepl("[\"\\\\\n]", nodes) | nodes %in% c("graph", "node")]
  if (length(odd)) {
    abort_optbn("conversion",
                c(paste("A name in dagitty's text must be without quotation marks, backslashes and",
                        "line breaks, and not {.val graph} or {.val node}."),
                  x = "This does not hold for {.val {odd}}.",
                  i = "{cli::qty(odd)}Rename {?it/them}."),
                call = call)
  }
  plain <- grepl("^[A-Za-z][A-Za-z0-9_.]*$", nodes)
  ifelse(plain & !tolower(nodes) %in% dagitty_words, nodes, paste0("\"", nodes, "\""))
}

dagitty_words <- c("dag", "pdag", "mag", "pag", "digraph", "bb", "edge")

# ---- reading ------------------------------------------------------------------------------------

dagitty_start <- "^\\s*(strict\\s+)?(dag|pdag|mag|pag|graph|digraph)(\\s+(\\w+|\"[^\"]*\"))?\\s*\\{"

is_dagitty_text <- function(x) {
  is_string(x) && validUTF8(x) && grepl(dagitty_start, x, ignore.case = TRUE)
}

# As parts_of_network() gives them.
parts_of_dagitty <- function(text, call) {
  text <- paste(text, collapse = "\n")
  if (!is_dagitty_text(text) || !grepl("\\}\\s*$", text)) {
    abort_dagitty("the type of a graph is missing, or braces around the rest", call)
  }
  start <- regmatches(text, regexec(dagitty_start, text, ignore.case = TRUE))[[1L]]
  type <- tolower(start[3L])
  if (!type %in% c("dag", "pdag", "digraph")) {
    abort_not_directed(paste0("It is a graph of type ", type, "."), call)
  }
  body <- sub("\\}\\s*$", "", substring(text, nchar(start[1L]) + 1L))
  graph_of_items(items_of_text(body, call), call)
}

token_patterns <- c(
  attributes = "\\[(?:[^]\"]|\"[^\"]*\")*\\]",
  setting = "[A-Za-z_]+\\s*=\\s*(?:\"[^\"]*\"|[^][{}\"\\s;]+)",
  arrow = "<->|[<@]-@|@--|@->|--@|->|--|<-|@-",
  name = "\"[^\"]*\"|[^][{}\"<>;,@=\\s-]+",
  open = "\\{", close = "\\}", end = "[;,]"
)

# Names, groups of names and arrows in their order: a list with the names, or the arrow, of each,
# and the `kind`. Attributes and settings are left out.
items_of_text <- function(body, call) {
  found <- gregexpr(paste(token_patterns, collapse = "|"), body, perl = TRUE)
  rest <- trimws(regmatches(body, found, invert = TRUE)[[1L]])
  if (any(rest != "")) abort_dagitty(paste("there is", rest[rest != ""][1L]), call)
  text <- regmatches(body, found)[[1L]]
  kind <- rep("", length(text))
  for (one in names(token_patterns)) {
    whole <- grepl(paste0("^(?:", token_patterns[[one]], ")$"), text, perl = TRUE)
    kind[kind == "" & whole] <- one
  }
  said <- !kind %in% c("attributes", "setting")
  text <- text[said]
  kind <- kind[said]
  depth <- cumsum((kind == "open") - (kind == "close"))
  if (any(depth < 0L | depth > 1L | depth == 1L & kind == "arrow") || sum(utils::tail(depth, 1L))) {
    abort_dagitty("its groups have arrows or groups inside, or braces without their match", call)
  }
  item <- cumsum(kind == "open" | depth == 0L & kind != "close")
  texts <- split(ifelse(kind %in% c("name", "arrow"), gsub("\"", "", text, fixed = TRUE), NA), item)
  list(kind = kind[!duplicated(item)], texts = lapply(unname(texts), function(x) x[!is.na(x)]))
}

# An arrow leads from each name before it to each one behind.
graph_of_items <- function(items, call) {
  is_arrow <- items$kind == "arrow"
  is_name <- items$kind %in% c("name", "open")
  at <- which(is_arrow)
  if (!all(c(FALSE, is_name)[at] & c(is_name, FALSE)[at + 1L])) {
    abort_dagitty("an arrow is not between two nodes", call)
  }
  arcs <- lapply(at, function(i) {
    arcs_of_arrow(items$texts[[i - 1L]], items$texts[[i]], items$texts[[i + 1L]], call)
  })
  parts_of_text(unique(as.character(unlist(items$texts[is_name]))),
                do.call(rbind, c(list(no_arcs), arcs)))
}

no_arcs <- data.frame(from = character(), to = character(), directed = logical())

arcs_of_arrow <- function(before, arrow, after, call) {
  if (!arrow %in% c("->", "<-", "--")) {
    abort_not_directed(paste0("It has the arrow ", arrow, " between ", before[1L], " and ",
                              after[1L], "."), call)
  }
  pairs <- expand.grid(before = before, after = after, stringsAsFactors = FALSE)
  if (arrow == "<-") pairs <- pairs[2:1]
  data.frame(from = pairs[[1L]], to = pairs[[2L]], directed = arrow != "--")
}

parts_of_text <- function(nodes, arcs) {
  numbers <- data.frame(from = match(arcs$from, nodes), to = match(arcs$to, nodes))
  edges <- numbers[!arcs$directed, ]
  edges <- unique(data.frame(from = pmin(edges$from, edges$to), to = pmax(edges$from, edges$to)))
  list(nodes = nodes, directed = unique(numbers[arcs$directed, ]), undirected = edges)
}

abort_dagitty <- function(fault, call) {
  abort_optbn("parse",
              c("{.arg x} is not a graph in the text of dagitty.", x = "{capitalise(fault)}.",
                i = "An example is {.val dag {{ A -> B }}}."),
              call = call)
}

abort_not_directed <- function(fault, call) {
  abort_optbn("conversion",
              c("{.arg x} must be a directed graph, or a class of such graphs.", x = "{fault}",
                i = "A network cannot have unmeasured causes: make them nodes."),
              call = call)
}
