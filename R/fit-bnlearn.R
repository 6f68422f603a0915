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
  by_bnlearn(bnlearn::nparams(x, ...), x)
}

#' @rdname nparams
#' @export
mutilated <- function(x, evidence) {
  require_arguments()
  if (inherits(x, "optbn_fit")) {
    call <- rlang::current_env()
    check_evidence(evidence, check_sound(x), "evidence", call)
    return(set_nodes(x, evidence, call))
  }
  by_bnlearn(bnlearn::mutilated(x, evidence), x)
}

by_bnlearn <- function(code, x, call = rlang::caller_env()) {
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
