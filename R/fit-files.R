# Fitted networks as files of other programs.

#' Write a Fitted Network to a File
#'
#' Writes a discrete network with its tables in the format of another program: GeNIe's, or one of
#' the three formats that package \pkg{bnlearn} writes.
#'
#' @param fit A fitted network from [fit_network()] whose nodes are all discrete (trees are written
#'   as tables); or one of bnlearn's class `bn.fit`.
#' @param file The name of the file, overwritten.
#' @param format `"xdsl"` (GeNIe and SMILE), `"bif"` (interchange format), `"net"` (Hugin), or
#'   `"dsc"` (MSBNx); `NULL` means the extension of `file`. All formats except `"xdsl"` need
#'   \pkg{bnlearn}, which writes them by `write.bif()`, `write.net()` and `write.dsc()`, and reads
#'   them by `read.bif()` and so on.
#'
#' @details
#' In GeNIe's format, probabilities are in the order of its documentation: the node's own states
#' change fastest, then the last parent, and the first parent slowest. Its identifiers are letters,
#' digits and underscores and begin with a letter. Other names of nodes and levels are changed, and
#' a message announces this; GeNIe shows the original names of nodes. Probabilities have 17 digits,
#' so that reading restores them exactly.
#'
#' @return `file`, invisibly.
#' @section Errors: `optbn_error_argument` for another `format`, or a file that cannot be written;
#'   `optbn_error_conversion` for continuous nodes; `optbn_error_package` if \pkg{bnlearn} is needed
#'   and missing.
#' @references
#' BayesFusion, LLC. *GeNIe Modeler*, user manual: section on the XDSL format.
#' \url{https://www.bayesfusion.com/resources/}
#' @seealso [as.bn.fit.optbn_fit()], for the R packages that take bnlearn's fits.
#' @examples
#' titanic <- as.data.frame(Titanic)
#' fit <- fit_network("[Class][Sex|Class][Survived|Class:Sex]", titanic[c(1, 2, 4)],
#'                    weights = titanic$Freq)
#' file <- tempfile(fileext = ".xdsl")
#' write_network(fit, file)
#' head(readLines(file), 12)
#' @export
write_network <- function(fit, file, format = NULL) {
  require_arguments()
  call <- environment()
  path <- check_file_name(file, "file", call)
  formats <- c("xdsl", "bif", "net", "dsc")
  if (is.null(format)) format <- tolower(sub("^.*[.]", "", basename(path)))
  format <- check_choice(format, formats, "format", call)
  parts <- parts_to_write(fit, call)
  if (format == "xdsl") {
    write_lines(xdsl_lines(parts), path, call)
  } else {
    require_package("bnlearn", "to write this format", call)
    write <- getExportedValue("bnlearn", paste0("write.", format))
    fit <- if (inherits(fit, "bn.fit")) fit else bnlearn::as.bn.fit(fit)
    write_file(write(path, fit), path, call)
  }
  invisible(file)
}

# As discrete_parts() has them.
parts_to_write <- function(fit, call) {
  if (!inherits(fit, c("optbn_fit", "bn.fit"))) {
    abort_optbn("argument",
                c("{.arg fit} must be a fitted network, as {.fn fit_network} returns it.",
                  x = "It is {describe(fit)}."), call = call)
  }
  check_sound(fit, call)
  levels <- if (inherits(fit, "optbn_fit")) fit$levels else lapply(unclass(fit), function(node) {
    if (!is.null(node$prob)) dimnames(node$prob)[[1L]]
  })
  continuous <- names(Filter(is.null, levels))
  if (length(continuous)) {
    abort_optbn("conversion",
                c("{.arg fit} must be a discrete network: the formats have only tables.",
                  x = "{.val {continuous}} {?is/are} continuous.",
                  i = paste("{cli::qty(continuous)}Cut {?it/them} with {.fn discretize_data}",
                            "before learning, or save the fit with {.fn saveRDS}.")),
                call = call)
  }
  discrete_parts(fit, call)
}

write_lines <- function(lines, path, call) {
  write_file(writeLines(enc2utf8(lines), path, useBytes = TRUE), path, call)
}

# Evaluates `writing`; what goes wrong is the file's doing.
write_file <- function(writing, path, call) {
  tryCatch(suppressWarnings(writing), error = function(e) abort_unwritable(path, "file", call))
}

# ---- GeNIe --------------------------------------------------------------------------------------

xdsl_lines <- function(parts) {
  nodes <- names(parts$levels)
  ids <- genie_ids(nodes)
  states <- lapply(parts$levels, function(levels) genie_ids(levels, "State_"))
  announce_ids(nodes, ids, parts$levels, states)
  order <- topological_order(unname(parts$parents)) # a node follows its parents
  c(
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<smile version="1.0" id="optbn" numsamples="10000" discsamples="10000">',
    "  <nodes>",
    unlist(lapply(order, function(i) {
      family <- c(i, parts$parents[[i]])
      table <- array(local_table(parts$models[[i]]), lengths(states)[family])
      cpt_lines(ids[i], states[[i]], ids[family[-1L]], table)
    })),
    "  </nodes>",
    "  <extensions>",
    '    <genie version="1.0" app="optbn" name="optbn">',
    unlist(Map(genie_lines, ids, nodes, genie_places(parts))),
    "    </genie>",
    "  </extensions>",
    "</smile>"
  )
}

# `table`: the node first, then the parents, the first one fastest.
cpt_lines <- function(id, states, parents, table) {
  p <- length(parents)
  probabilities <- as.vector(aperm(table, c(1L, rev(seq_len(p)) + 1L)))
  c(
    sprintf('    <cpt id="%s">', id),
    sprintf('      <state id="%s" />', states),
    if (p > 0L) sprintf("      <parents>%s</parents>", paste(parents, collapse = " ")),
    sprintf("      <probabilities>%s</probabilities>",
            paste(formatC(probabilities, digits = 17L, format = "g", width = 1L), collapse = " ")),
    "    </cpt>"
  )
}

# How GeNIe draws a node: `place` has the left, upper, right and lower end of its box, in pixels.
genie_lines <- function(id, name, place) {
  c(
    sprintf('      <node id="%s">', id),
    sprintf("        <name>%s</name>", xml_text(name)),
    '        <interior color="e5f6f7" />',
    '        <outline color="000080" />',
    '        <font color="000000" name="Arial" size="8" />',
    sprintf("        <position>%s</position>", paste(round(place), collapse = " ")),
    "      </node>"
  )
}

# In layers, as plot() draws the network.
genie_places <- function(parts) {
  width <- box_widths(names(parts$levels), unname(parts$parents))
  sorted <- unname(lapply(parts$parents, sort))
  placed <- layered_layout(sorted, width)
  pixels <- 96
  top <- max(placed$y) + box_height / 2
  Map(function(x, y, width) {
    pixels * c(x - width / 2, top - y - box_height / 2, x + width / 2, top - y + box_height / 2)
  }, placed$x - min(placed$x - width / 2) + 0.2, placed$y - 0.2, width)
}

# Identifiers, different from each other.
genie_ids <- function(names, prefix = "Node_") {
  names <- ifelse(is.na(names), "NA", names)
  ids <- gsub("[^A-Za-z0-9_]", "_", iconv(names, "UTF-8", "ASCII", sub = "_"))
  ids <- ifelse(grepl("^[A-Za-z]", ids), ids, paste0(prefix, ids))
  make.unique(ids, "_")
}

announce_ids <- function(nodes, ids, levels, states) {
  changed <- c(nodes[nodes != ids], unlist(Map(function(labels, ids) {
    labels[is.na(labels) | labels != ids]
  }, levels, states), use.names = FALSE))
  if (length(changed) == 0L) return(invisible())
  announce(c("GeNIe's identifiers are letters, digits and underscores: some names were changed.",
             i = "Changed names include {.val {utils::head(unique(changed), 5L)}}."))
}

xml_text <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  text <- gsub("<", "&lt;", text, fixed = TRUE)
  gsub(">", "&gt;", text, fixed = TRUE)
}
