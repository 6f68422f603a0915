# Objects that optbn 0.1.0 made. Their classes had no prefix. Verbs refuse them with a remedy.

earlier_classes <- c(
  parent_sets = "optbn_parent_sets", k_tree = "optbn_k_tree", treewidth = "optbn_treewidth",
  compiled_network = "optbn_compiled_network", compiled_gaussian = "optbn_compiled_gaussian",
  cutset_network = "optbn_cutset_network", latent_tree = "optbn_latent_tree",
  density_mixture = "optbn_mixture", density_model = "optbn_density"
)

is_earlier <- function(x) all(class(x) %in% names(earlier_classes))

# What the user can type: most objects are the same but for their class, and the others are found
# not to hold together (R/checks-models.R).
earlier_remedy <- function(x) {
  paste("make it again, or give it the class of this version by class(x) <-",
        paste(deparse(unname(earlier_classes[class(x)])), collapse = ""))
}

# For the generics of other packages: in ours, the error for what is no model says it.
refuse_earlier <- function(...) {
  abort_optbn("model",
              c("An object of class {.cls {class(..1)}} was made by optbn 0.1.0.",
                i = "{capitalise(earlier_remedy(..1))}."), call = NULL)
}

register_earlier_classes <- function() {
  generics <- c("print", "summary", "plot", "predict", "simulate", "update", "logLik",
                "as.data.frame")
  for (generic in generics) {
    for (class in names(earlier_classes)) {
      registerS3method(generic, class, refuse_earlier, envir = topenv())
    }
  }
}
