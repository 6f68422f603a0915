# Makes the data sets of data/ from the files of inst/extdata, as read.csv() reads them.

for (file in list.files("inst/extdata", "[.]csv[.]gz$", full.names = TRUE)) {
  name <- sub("[.]csv[.]gz$", "", basename(file))
  assign(name, utils::read.csv(file, stringsAsFactors = TRUE))
  save(list = name, file = file.path("data", paste0(name, ".rda")), version = 2, compress = "xz")
}
