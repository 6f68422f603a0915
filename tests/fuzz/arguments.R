# Kind "arguments": one argument of a sound call is replaced by an odd value, or two are.

function_of <- function(name) {
  if (name %in% getNamespaceExports("optbn")) return(getExportedValue("optbn", name))
  get(name, asNamespace("stats"))
}

# Every exported function with each of its arguments, in turn; what its `...` must refuse, too.
function_arguments <- function() {
  functions <- sort(getNamespaceExports("optbn"))
  arguments <- lapply(functions, function(name) names(formals(function_of(name))))
  data.frame(f = rep(functions, lengths(arguments)), argument = as.character(unlist(arguments)))
}

# The sound calls themselves must answer, but for those that need a package that is not there, and
# one about impossible evidence.
run_sound_calls <- function(calls) {
  for (f in names(calls)) for (i in seq_along(calls[[f]])) {
    answer <- attempt(sprintf("%s(), call %d", f, i),
                      do.call(function_of(f), calls[[f]][[i]], quote = TRUE))
    refused <- !is.null(answer$condition) &&
      !inherits(answer$condition, c("optbn_error_package", "optbn_error_impossible"))
    if (refused) found("refuses: ", conditionMessage(answer$condition))
  }
}

run_arguments <- function(calls) {
  pairs <- function_arguments()
  odd <- odd_values()
  pair <- pairs[choose(nrow(pairs)), ]
  if (is.null(calls[[pair$f]])) found("no sound call of ", pair$f, "() is there to begin with")
  call <- pick(calls[[pair$f]])
  # the name of an argument that `...` takes must not begin like another
  changed <- if (pair$argument == "...") "zzz" else pair$argument
  if (rarely(4L)) changed <- unique(c(changed, pick(names(call))))
  changes <- list()
  for (argument in changed) {
    number <- choose(length(odd))
    call[argument] <- odd[number]
    changes[[argument]] <- paste(argument, "=", in_words(odd[[number]]))
  }
  say("covered", pair$f, " ", pair$argument)
  answer <- attempt(
    sprintf("%s(%s)", pair$f, paste(changes, collapse = ", ")),
    do.call(function_of(pair$f), call, quote = TRUE),
    allowed = c("optbn_error", "optbn_warning_learner",
                if (pair$argument == "...") "rlib_error_dots_nonempty")
  )
  check_named(answer$condition, changed, names(call))
}

# A refused argument is named, or another that does not go with it.
check_named <- function(error, changed, arguments) {
  if (!inherits(error, "optbn_error_argument")) return(invisible())
  text <- iconv(cli::ansi_strip(conditionMessage(error)), "UTF-8", "UTF-8", sub = "byte")
  text <- tolower(text)
  names <- tolower(c(changed, paste0("`", arguments, "`")))
  if (!any(vapply(names, grepl, NA, text, fixed = TRUE))) {
    found("refuses without naming the argument: ", text)
  }
}
