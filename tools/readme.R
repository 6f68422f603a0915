# Writes what README.md shows below its blocks of R code, and its picture: `make readme`.
# tests/testthat/test-readme.R holds the page to it.

# By block of R code: the lines of the code, and those of the block of output that follows at once,
# if one does.
readme_blocks <- function(lines) {
  inside <- function(begin, end) seq_len(end - begin - 1L) + begin
  ends <- which(lines == "```")
  lapply(which(lines == "```r"), function(begin) {
    end <- ends[ends > begin]
    shown <- lines[end[1L] + 1L] == "```"
    list(code = inside(begin, end[1L]), output = if (shown) inside(end[2L], end[3L]))
  })
}

# What R prints; blocks share a place, so that one can use what another has made.
printed_by <- function(code, place) {
  utils::capture.output(source(exprs = parse(text = code), local = place, print.eval = TRUE))
}

write_readme <- function(file = "README.md", picture = "man/figures/README-zoo.png") {
  options(cli.unicode = TRUE, cli.num_colors = 1L, optbn.threads = 1L)
  lines <- readLines(file, encoding = "UTF-8")
  place <- new.env()
  blocks <- readme_blocks(lines)
  outputs <- lapply(blocks, function(block) printed_by(lines[block$code], place))
  for (i in rev(which(!vapply(blocks, function(block) is.null(block$output), NA)))) {
    first <- min(blocks[[i]]$output)
    lines <- append(lines[-blocks[[i]]$output], outputs[[i]], after = first - 1L)
  }
  writeLines(lines, file, useBytes = TRUE)

  grDevices::png(picture, width = 1200, height = 800, res = 130)
  plot(place$network)
  invisible(grDevices::dev.off())
}

if (sys.nframe() == 0L) write_readme()
