# The paper's data as instances of local scores, for programs that read such files: BDeu with an
# imaginary sample of 1, of sets of up to three parents.
#
#   Rscript bench/paper-treewidth/instances.R FOLDER data=FOLDER [NAME...]
#
# Reads NAME.csv.gz from the folder `data`, writes NAME.jkl.gz to FOLDER.

source(file.path("bench", "paper-treewidth", "common.R"))
command <- read_command_line("instances.R FOLDER data=FOLDER [NAME...]", data = "")

for (name in if (length(command$names) > 0L) command$names else data_sets) {
  data <- read_data(name, command$data)
  sets <- parent_sets(data, "bde", max_parents = most_parents, threads = 1, progress = FALSE)
  write_jkl(sets, file.path(command$folder, paste0(name, ".jkl.gz")))
}
