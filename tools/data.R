# Makes the data sets of data/ from the tables of tools/data.

for (file in list.files("tools/data", "[.]csv[.]gz$", full.names = TRUE)) {
  name <- sub("[.]csv[.]gz$", "", basename(file))
  assign(name, utils::read.csv(file, stringsAsFactors = TRUE))
  save(list = name, file = file.path("data", paste0(name, ".rda")), version = 2, compress = "xz")
}
