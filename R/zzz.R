# From now on, and for as long as both packages are loaded, bnlearn's S4
# functions know the class "optbn" (R/network-bnlearn.R).
.onLoad <- function(libname, pkgname) {
  register_earlier_classes()
  if (isNamespaceLoaded("bnlearn")) join_bnlearn()
  setHook(packageEvent("bnlearn", "onLoad"), join_bnlearn)
  setHook(packageEvent("bnlearn", "onUnload"), leave_bnlearn)
}

.onUnload <- function(libpath) {
  if (isNamespaceLoaded("bnlearn")) leave_bnlearn()
  remove_hook(packageEvent("bnlearn", "onLoad"), join_bnlearn)
  remove_hook(packageEvent("bnlearn", "onUnload"), leave_bnlearn)
  library.dynam.unload("optbn", libpath)
}

remove_hook <- function(event, hook) {
  setHook(event, Filter(function(other) !identical(other, hook), getHook(event)), "replace")
}
