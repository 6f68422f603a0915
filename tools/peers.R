# Installs the packages that bench/ compares with, into a library of their own: build/peers.

source(file.path("tools", "packages.R"))

library <- file.path("build", "peers")
dir.create(library, recursive = TRUE, showWarnings = FALSE)
.libPaths(c(library, .libPaths()))

absent <- install_missing(c(bnlearn = "0", bnstruct = "1.0.15"), library)
for (peer in absent) message("not installed: ", peer, " - its figures will be left out")
