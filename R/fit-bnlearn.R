# Two functions of bnlearn for which it has no generics, for fitted networks of this package.

#' Numbers of Parameters, and Mutilated Networks
#'
#' Functions of package \pkg{bnlearn} that also accept fitted networks of this package. `nparams()`
#' counts the free parameters; `mutilated()` is bnlearn's name for [intervene()]. Other objects are
#' passed on to bnlearn's function of the same name. In \pkg{bnlearn} these functions are not
#' generic: if it is attached after this package, write `optbn::nparams()`.
#'
#' @param x A fitted network from [fit_network()], or an object for bnlearn's function.
#' @param evidence The values to set: see `do` of [intervene()].
#' @param ... Arguments of bnlearn's function.
#' @return `nparams()`: a number; `mutilated()`: a fitted network. For other objects, the result of
#'   bnlearn's function.
#' @section Errors: `optbn_error_package` if \pkg{bnlearn} is needed and missing; for `mutilated()`
#'   also those of [intervene()].
#' @seealso [logLik()][optbn_fit-methods], whose `df` is the number of parameters.
#' @examples
#' fit <- fit_network("[Species][Petal.Width|Species]", iris)
#' nparams(fit)
#' mutilated(fit, list(Species = "setosa"))
#' @export
nparams <- function(x, ...) {
  require_arguments()
  if (inherits(x, "optbn_fit")) return(count_parameters(check_sound(x)))
  by_bnlearn(bnlearn::nparams(x, ...), x)
}

#' @rdname nparams
#' @export
mutilated <- function(x, evidence) {
  require_arguments()
  if (inherits(x, "optbn_fit")) {
    call <- environment()
    check_evidence(evidence, check_sound(x), "evidence", call)
    return(set_nodes(x, evidence, call))
  }
  by_bnlearn(bnlearn::mutilated(x, evidence), x)
}

by_bnlearn <- function(code, x, call = parent.frame()) {
  if (!inherits(x, c("bn", "bn.fit"))) {
    abort_optbn("argument",
                c("{.arg x} must be a network or a fitted network.", x = "It is {describe(x)}."),
                call = call)
  }
  require_package("bnlearn", "for networks that are not from {.fn fit_network}", call)
  tryCatch(code, error = function(e) {
    text <- gsub("([{}])", "\\1\\1", conditionMessage(e))
    abort_optbn("argument", c("{.pkg bnlearn} cannot do this with {.arg x}.", x = text),
                call = call)
  })
}
