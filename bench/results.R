# Results of long experiments, in files of rows.

# A row is added to its file as soon as it is known, so that a run that was stopped goes on where it
# stopped.
add_row <- function(file, row) {
  utils::write.table(row, file, append = file.exists(file), col.names = !file.exists(file),
                     row.names = FALSE, sep = ",", qmethod = "double")
  cat(format(Sys.time(), "%H:%M"), paste(unlist(row)), "\n")
}

# Is there a row with the values `...`?
is_there <- function(file, ...) {
  if (!file.exists(file)) return(FALSE)
  done <- utils::read.csv(file)
  key <- list(...)
  any(Reduce(`&`, Map(function(name, value) done[[name]] %in% value, names(key), key)))
}

# The rows of all data sets: FOLDER/KIND-NAME.csv.
all_rows <- function(folder, kind) {
  files <- list.files(folder, paste0("^", kind, "-.*[.]csv$"), full.names = TRUE)
  do.call(rbind, lapply(files, utils::read.csv))
}
