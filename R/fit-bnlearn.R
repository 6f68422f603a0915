# Two functions of bnlearn for which it has no generics, for fitted networks of this package.

#' Numbers of Parameters, and Mutilated Networks
#'
#' Functions of package \pkg{bnlearn} that work on fitted networks of this package, too. `nparams()`
#' counts the free parameters; `mutilated()` is [intervene()] by bnlearn's name. Everything else is
#' passed on to bnlearn's function of the same name. In \pkg{bnlearn} they are no generics: where it
#' is attached after this package, write `optbn::nparams()`.
#'
#' @param x A fitted network from [fit_network()]; or what the function of bnlearn takes.
#' @param evidence What is set: see `do` of [intervene()].
#' @param ... Arguments of bnlearn's function.
#' @return `nparams()`: a number; `mutilated()`: a fitted network. Of other objects, what bnlearn's
#'   functions return.
#' @section Errors: `optbn_error_package` where \pkg{bnlearn} is needed and missing; as
#'   [intervene()].
#' @seealso [logLik()][optbn_fit-methods], whose `df` is the number of parameters.
#' @examples
#' fit <- fit_network("[Species][Petal.Width|Species]", iris)
#' nparams(fit)
#' mutilated(fit, list(Species = "setosa"))
#' @export
nparams <- function(x, ...) {
  require_arguments()
  if (inherits(x, "optbn_fit")) return(count_parameters(check_sound(x)))
  require_package("bnlearn", "for networks that are not from {.fn fit_network}")
  bnlearn::nparams(x, ...)
}

#' @rdname nparams
#' @export
mutilated <- function(x, evidence) {
  require_arguments()
  if (inherits(x, "optbn_fit")) return(set_nodes(x, evidence, rlang::current_env()))
  require_package("bnlearn", "for networks that are not from {.fn fit_network}")
  bnlearn::mutilated(x, evidence)
}
