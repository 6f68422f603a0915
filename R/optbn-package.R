#' @keywords internal
#' @useDynLib optbn, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom rlang %||%
"_PACKAGE"
