# Installs the packages that bench/ compares with, into a library of their own: build/peers.
#
#   Rscript tools/peers.R              those that `make bench` wants
#   Rscript tools/peers.R replicate    and those that an experiment of bench/replicate.dcf needs

source(file.path("tools", "packages.R"))

library <- file.path("build", "peers")
dir.create(library, recursive = TRUE, showWarnings = FALSE)
.libPaths(c(library, .libPaths()))

peers <- c(bnlearn = "0", bnstruct = "1.0.15", dbnR = "0.7.9")
if (identical(commandArgs(trailingOnly = TRUE), "replicate")) {
  needs <- unlist(strsplit(read.dcf(file.path("bench", "replicate.dcf"), "Needs"), "[ \n]+"))
  packages <- setdiff(grep("[a-z]", grep("[/:]", needs, value = TRUE, invert = TRUE), value = TRUE),
                      names(peers))
  peers <- c(peers, stats::setNames(rep("0", length(packages)), packages))
}
absent <- install_missing(peers, library)

# Of dagitty the program without R, for bench/dagitty.js: its package needs a JavaScript engine in
# R.
fetch_dagitty <- function(program) {
  if (file.exists(program)) return(TRUE)
  choose_repository()
  inside <- file.path("dagitty", "inst", "js", basename(program))
  tryCatch({
    fetched <- utils::download.packages("dagitty", tempdir(), type = "source", quiet = TRUE)
    utils::untar(fetched[1L, 2L], inside, exdir = tempdir())
    file.copy(file.path(tempdir(), inside), program)
  }, error = function(condition) FALSE)
}
if (!fetch_dagitty(file.path(library, "dagitty-alg.js"))) absent <- c(absent, "dagitty")

for (peer in absent) message("not installed: ", peer, " - its figures will be left out")
