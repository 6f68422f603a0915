# Kind "objects": parts of models, sets, networks and certificates are changed, in the session or in
# what saveRDS() would have written; then every verb is asked.

# Objects among the arguments of sound calls, and what these calls and some others give.
sound_objects <- function(calls) {
  of_calls <- unlist(lapply(unlist(calls, recursive = FALSE), Filter, f = is_ours),
                     recursive = FALSE)
  given <- unlist(lapply(c("certificate", "treewidth", "verify_certificate", "search_size",
                           "local_model", "learn_k_best", "compare_treewidths", "compare_scores",
                           "query", "network_posterior", "arc_posterior", "sample_dags",
                           "causal_effects", "approximate_query", "cutset_leaf", "score_pcart",
                           "intervene", "adjustment_sets"), function(f) {
    lapply(calls[[f]], function(call) {
      tryCatch(suppressMessages(do.call(function_of(f), call)),
               optbn_error_impossible = function(none) NULL)
    })
  }), recursive = FALSE)
  lists <- vapply(given, function(x) identical(class(x), "list"), NA)
  objects <- c(of_calls, given[!lists], unlist(given[lists], recursive = FALSE))
  summarised <- vapply(objects, function(x) "summary" %in% verbs_of(x), NA)
  objects <- c(objects, lapply(objects[summarised], summary))
  unique(unname(Filter(is_ours, objects)))
}

# Classes with methods of this package.
our_classes <- function() {
  unique(getNamespaceInfo("optbn", "S3methods")[, 2L])
}

is_ours <- function(x) any(class(x) %in% setdiff(our_classes(), c("default", "table")))

# A part of an object, as the list of numbers that leads to it.
choose_part <- function(x) {
  path <- integer()
  repeat {
    if (is.list(x)) x <- unclass(x) # of which length() is that of the list
    if (!is.list(x) || length(x) == 0L) return(path)
    i <- choose(length(x))
    path <- c(path, i)
    x <- x[[i]]
    if (is.environment(x) || rarely(6L)) return(path)
  }
}

part_at <- function(x, path) {
  for (i in path) x <- unclass(x)[[i]]
  x
}

# Attributes stay, as they do when somebody writes x$a$b <- value.
replace_part <- function(x, path, value) {
  if (length(path) == 0L) return(value)
  attributes <- attributes(x)
  x <- unclass(x)
  part <- replace_part(x[[path[1L]]], path[-1L], value)
  if (is.null(part)) {
    x[path[1L]] <- list(NULL)
  } else {
    x[[path[1L]]] <- part
  }
  attributes(x) <- attributes
  x
}

# Each makes something else of a part; where it cannot, the part stays.
changes_of_parts <- list(
  "NULL" = function(x) NULL,
  "NA" = function(x) if (is.atomic(x)) replace(x, at(x), NA) else NA,
  "nothing left" = function(x) x[0L],
  "the last one dropped" = function(x) x[-length(x)],
  "one more" = function(x) c(x, x[1L]),
  "all equal" = function(x) rep(x[1L], length(x)),
  "reversed" = function(x) replace(x, seq_along(x), rev(x)),
  "a million" = function(x) if (is.numeric(x)) replace(x, at(x), 1000000L) else x,
  "77" = function(x) if (is.numeric(x)) replace(x, at(x), 77L) else x,
  "negative" = function(x) if (is.numeric(x)) replace(x, at(x), -x[at(x)] - 1L) else x,
  "zero" = function(x) if (is.numeric(x)) replace(x, at(x), 0L) else x,
  "a half more" = function(x) if (is.numeric(x)) replace(x, at(x), x[at(x)] + 0.5) else x,
  "infinite" = function(x) if (is.numeric(x)) replace(x, at(x), Inf) else x,
  "tiny" = function(x) if (is.numeric(x)) replace(x, at(x), 1e-320) else x,
  "numbers as text" = function(x) if (is.atomic(x)) as.character(x) else x,
  "another text" = function(x) if (is.character(x)) replace(x, at(x), "zzz") else "zzz",
  "a list" = function(x) as.list(x),
  "doubles" = function(x) if (is.integer(x)) as.double(x) else x,
  "no names" = function(x) unname(x),
  "no attributes" = function(x) {
    attributes(x) <- NULL
    x
  },
  "a function" = function(x) sum,
  "an environment" = function(x) new.env()
)

at <- function(x) if (length(x) > 0L) choose(length(x)) else integer()

# Generics of others, and of this package, that have methods for a class: what a user may call.
verbs_of <- function(x) {
  methods <- getNamespaceInfo("optbn", "S3methods")
  generics <- unique(methods[methods[, 2L] %in% class(x), 1L])
  generics <- generics[!generics %in% internal_generics()]
  setdiff(sub(".*::", "", generics), c("[", "[[", "$", "makeContent", "as.party", "as.igraph"))
}

internal_generics <- function() {
  own <- ls(asNamespace("optbn"), all.names = TRUE)
  setdiff(own, getNamespaceExports("optbn"))
}

# Calls of `x`: verbs, and exported functions that had an object of its class in a sound call.
calls_of <- function(x, calls, like) {
  same <- function(other) identical(class(other), class(like))
  with_it <- unlist(lapply(names(calls), function(f) {
    lapply(calls[[f]], function(call) {
      for (argument in names(call)) {
        if (same(call[[argument]]) && identical(call[[argument]], like)) {
          call[[argument]] <- x
          return(list(f = f, call = call))
        }
      }
    })
  }), recursive = FALSE)
  known <- c("predict", "simulate", "logLik", "update")
  alone <- lapply(setdiff(verbs_of(x), c(names(calls), known)), function(f) {
    list(f = f, call = list(x))
  })
  Filter(length, c(with_it, alone))
}

verb_of <- function(name) {
  if (name %in% c(getNamespaceExports("optbn"), "predict", "simulate", "logLik", "update")) {
    return(function_of(name))
  }
  for (package in c("base", "stats", "graphics", "utils", "generics", "ggplot2", "bnlearn")) {
    if (requireNamespace(package, quietly = TRUE) &&
          name %in% getNamespaceExports(package)) return(getExportedValue(package, name))
  }
}

run_objects <- function(calls, objects = sound_objects(calls)) {
  like <- pick(objects)
  asked <- calls_of(like, calls, like)
  path <- choose_part(like)
  change <- choose(length(changes_of_parts))
  part <- part_at(like, path)
  if (is.environment(part) && change > 1L) return(invisible())
  other <- tryCatch(changes_of_parts[[change]](part), error = function(e) part)
  x <- replace_part(like, path, other)
  if (is.null(x)) return(invisible())
  class(x) <- class(like)
  read <- unserialize(serialize(x, NULL))
  note(sprintf("%s with its part %s (%s): %s", class(x)[1L], path_in_words(like, path),
               in_words(part), names(changes_of_parts)[change]))
  answer_of <- function(x, verb) {
    call <- calls_of(x, calls, like)[[verb]]
    f <- verb_of(call$f)
    if (is.null(f)) return(NULL)
    answer <- function() {
      value <- do.call(f, call$call, quote = TRUE)
      if (!identical(value, x)) value # which is no answer: what prints gives back what it printed
    }
    attempt(call$f, without_screen(answer()), allowed = c("optbn_error", "bnlearn_error"))
  }
  for (verb in seq_along(asked)) {
    here <- answer_of(x, verb)
    there <- answer_of(read, verb)
    if (is.null(here$condition) != is.null(there$condition)) {
      found(asked[[verb]]$f, " answers in the session and not from a file, or the other way")
    }
    if (is.numeric(here$value) && !same_answer(here$value, there$value)) {
      found(asked[[verb]]$f, " answers otherwise from a file than in the session")
    }
  }
}

path_in_words <- function(x, path) {
  words <- character()
  for (i in path) {
    name <- names(x)[i]
    words <- c(words, if (is.null(name) || is.na(name) || name == "") i else name)
    x <- unclass(x)[[i]]
  }
  paste(words, collapse = "$")
}

# What is printed and drawn goes nowhere.
without_screen <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  utils::capture.output(value <- code)
  value
}
