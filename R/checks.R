# Checks of single arguments. Each returns the value in the type the rest of
# the package expects, or stops with an error that names the argument.

# Every function that has arguments without a default begins with this: they must be given.
require_arguments <- function(frame = parent.frame(), fn = sys.function(sys.parent())) {
  defaults <- formals(fn)
  required <- names(defaults)[vapply(defaults, is.name, NA) & !nzchar(as.character(defaults))]
  absent <- Filter(function(arg) eval(call("missing", as.name(arg)), frame),
                   setdiff(required, "..."))
  if (length(absent)) {
    abort_optbn("argument", "Argument{?s} {.arg {absent}} {?is/are} missing, without a default.",
                call = frame)
  }
}

check_number <- function(x, arg, minimum = -Inf, maximum = Inf, above = -Inf, below = Inf,
                         finite = TRUE, call = parent.frame()) {
  ok <- is.numeric(x) && length(x) == 1L && !is.na(x) && x >= minimum && x <= maximum &&
    (above == -Inf || x > above) && (below == Inf || x < below) && (!finite || is.finite(x))
  if (!ok) {
    range <- c(
      if (above > -Inf) paste("greater than", above),
      if (minimum > -Inf) paste("at least", minimum),
      if (maximum < Inf) paste("at most", maximum),
      if (below < Inf) paste("less than", below)
    )
    infinite <- finite && is.numeric(x) && any(is.infinite(x))
    wanted <- paste(c(if (infinite) "one finite number" else "one number", range), collapse = ", ")
    abort_optbn("argument", c("{.arg {arg}} must be {wanted}.", x = "It is {describe(x)}."),
                call = call)
  }
  as.double(x)
}

check_count <- function(x, arg, minimum = 0, maximum = .Machine$integer.max,
                        call = parent.frame()) {
  ok <- is.numeric(x) && length(x) == 1L && !is.na(x) && x >= minimum && x <= maximum &&
    x == round(x)
  if (!ok) {
    most <- if (maximum < .Machine$integer.max) paste(" and at most", maximum)
    abort_optbn("argument",
                c("{.arg {arg}} must be one whole number, at least {minimum}{most}.",
                  x = "It is {describe(x)}."),
                call = call)
  }
  as.integer(x)
}

check_flag <- function(x, arg, call = parent.frame()) {
  if (!(is.logical(x) && length(x) == 1L && !is.na(x))) {
    abort_optbn("argument", c("{.arg {arg}} must be TRUE or FALSE.", x = "It is {describe(x)}."),
                call = call)
  }
  x
}

# One of a few strings; the first choice when the argument is the whole vector. `aliases`: choices,
# by what others call them.
check_choice <- function(x, choices, arg, call = parent.frame(), aliases = NULL) {
  if (identical(x, choices)) return(choices[1L])
  if (!(is.character(x) && length(x) == 1L && x %in% choices)) {
    all <- cli::cli_vec(choices, list("vec-trunc" = Inf, "vec-last" = ", or ", "vec-sep2" = " or "))
    meant <- closest_choice(x, choices, aliases)
    abort_optbn("argument",
                c("{.arg {arg}} must be one of {.val {all}}.",
                  x = "It is {describe(x)}.",
                  i = if (!is.null(meant)) "Did you mean {.val {meant}}?"),
                call = call)
  }
  x
}

# The choice that somebody may have meant, NULL if none is near.
closest_choice <- function(x, choices, aliases = NULL) {
  if (!is_string(x)) return(NULL)
  plain <- function(words) gsub("[._ ]", "-", tolower(words))
  same <- c(aliases, set_names(choices))[match(plain(x), plain(c(names(aliases), choices)))]
  if (!is.na(same)) return(unname(same))
  distance <- drop(utils::adist(plain(x), plain(choices)))
  if (min(distance) <= min(2, nchar(x) / 3)) choices[which.min(distance)]
}

# Stops where `...` of the calling function is not empty.
check_no_dots <- function(frame = parent.frame(), call = frame) {
  if (eval(quote(...length()), frame) > 0L) rlang::check_dots_empty(env = frame, call = call)
}

# The same. Arguments that are named almost like its own, or as bnlearn names them, get a hint.
refuse_dots <- function(frame = parent.frame(), fn = sys.function(sys.parent())) {
  given <- eval(quote(...names()), frame)
  hints <- Filter(Negate(is.null), lapply(given[nzchar(given)], hint_for_argument,
                                          own = setdiff(names(formals(fn)), "...")))
  if (length(hints) == 0L) return(check_no_dots(frame))
  unknown <- given[nzchar(given)]
  abort_optbn("argument",
              c("{.arg ...} must be empty.",
                x = "{.arg {unknown}} {?is/are} no argument{?s} of this function.",
                set_names(unlist(hints), rep("i", length(hints)))),
              call = frame)
}

hint_for_argument <- function(name, own) {
  if (name %in% names(foreign_arguments)) return(foreign_arguments[[name]])
  meant <- closest_choice(name, own)
  if (!is.null(meant)) paste0("Did you mean {.arg ", meant, "}?")
}

# Arguments of bnlearn's learners, and where they are here.
foreign_arguments <- c(
  iss = "It is an argument of the score: {.code score = score_bde(iss = 5)}.",
  k = "It is an argument of the score: {.code score = score_bic(k = 3)}.",
  gamma = "It is an argument of the score: {.code score = score_ebic(gamma = 0.5)}.",
  iss.mu = "It is an argument of the score: {.code score = score_bge(iss_mu = 1)}.",
  iss.w = "It is an argument of the score: {.code score = score_bge(iss_w = 10)}.",
  nu = "It is an argument of the score: {.code score_bge(nu = ...)}.",
  prior = "It is an argument of the score: {.code score = score_bde(prior = \"marginal\")}.",
  exp = "The argument for interventions is {.arg targets}.",
  maxp = "The argument for the largest number of parents is {.arg max_parents}.",
  data = "The data are the first argument, {.arg x}.",
  restart = "The search restarts automatically; {.arg time_limit} limits its time.",
  max.iter = "The argument for the time of the search is {.arg time_limit}.",
  debug = "The argument for a file with the log is {.arg log}."
)

# A value in a few words, for the ends of error messages.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.atomic(x) && length(x) == 1L) {
    # what only pretends to be a factor or a date has no format
    words <- if (is.character(x)) encodeString(x, quote = "\"") else
      tryCatch(format(x), error = function(e) character())
    if (length(words) == 1L) return(first_characters(words))
  }
  if (is_earlier(x)) {
    return(paste0("an object of class ", class(x)[1L], " that optbn 0.1.0 made: ",
                  earlier_remedy(x)))
  }
  if (is.data.frame(x)) return(paste0("a data frame of ", nrow(x), " x ", ncol(x)))
  paste0("an object of class ", paste(class(x), collapse = "/"), " and length ", length(x))
}

first_characters <- function(text, most = 60L) {
  if (nchar(text) > most) paste0(substr(text, 1L, most), "...") else text
}

# `must`: what is demanded, in a sentence that names both arguments.
check_same_nodes <- function(given, nodes, must, call = parent.frame()) {
  odd <- c(setdiff(given, nodes), setdiff(nodes, given))
  if (length(odd) == 0L) return(invisible())
  abort_optbn("argument", c(must, x = "Only in one of them: {.val {odd}}."), call = call)
}

# Is every column of a data frame as long as it says? True of what is none, too.
is_sound_table <- function(x) {
  !is.data.frame(x) || all(vapply(unclass(x), NROW, 0L) == nrow(x))
}

# A data frame as a matrix; a malformed one stays what it is, which callers that need a matrix
# refuse.
table_as_matrix <- function(x) if (is.data.frame(x) && is_sound_table(x)) as.matrix(x) else x
