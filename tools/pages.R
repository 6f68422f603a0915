# Computes pages anew, with their pictures, into build/pages.
#
#   Rscript tools/pages.R vignettes|articles
#
# Articles draw themselves from results that were made again, where they are in vignettes/articles,
# and otherwise from those of the folder stored/ (of the tree that replicate.R prepares).

pages <- file.path(getwd(), "build", "pages")
dir.create(pages, recursive = TRUE, showWarnings = FALSE)
articles <- identical(commandArgs(trailingOnly = TRUE), "articles")
from <- if (articles) file.path("vignettes", "articles") else "vignettes"
stored <- if (articles) list.files("stored", "[.]csv$", full.names = TRUE)
sources <- list.files(from, "[.](Rmd|R|csv)$", full.names = TRUE)
file.copy(c(stored, sources), pages, overwrite = TRUE)
again <- intersect(basename(stored), list.files(from))
if (articles) cat(length(again), "of", length(stored), "stored results were made again\n")

for (page in list.files(from, "[.]Rmd$")) {
  knitr::opts_knit$set(progress = FALSE)
  setwd(pages)
  knitr::knit(page, sub("Rmd$", "md", page), quiet = TRUE, envir = new.env())
  setwd(file.path("..", ".."))
  cat(page, "\n")
}

if (!articles) {
  library(optbn)
  grDevices::png(file.path(pages, "README-zoo.png"), 1200, 900, res = 150)
  plot(learn_dag(zoo, score = "bic", progress = FALSE))
  grDevices::dev.off()
}
