# Installs the shared library as R does where this file is missing, and the programs that
# check proofs beside it.
copy_into <- function(folder, files) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file.copy(files, folder, overwrite = TRUE)
}
libs <- file.path(R_PACKAGE_DIR, paste0("libs", R_ARCH))
copy_into(libs, Sys.glob(paste0("*", SHLIB_EXT)))
if (file.exists("symbols.rds")) copy_into(libs, "symbols.rds")
copy_into(file.path(R_PACKAGE_DIR, paste0("bin", R_ARCH)),
          Sys.glob(paste0(rep(c("check-proof", "check-scores"), each = 2L), c("", ".exe"))))
