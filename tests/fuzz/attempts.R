# What a case does, and what is held against it.
#
# attempt() evaluates code. Right are an answer, and a classed error; wrong are any other error, a
# warning, an answer that is none, the end of the process, and none in reasonable time (the last
# two are seen from outside). What is wrong is a condition of class "finding".

# What the process outside reads: a line of a word and its text, written at once.
say <- function(word, ...) {
  text <- gsub("[\r\n]+", " ", paste0(...))
  cat(word, " ", text, "\n", sep = "", file = case$log)
  flush(case$log)
}

note <- function(...) {
  case$steps <- c(case$steps, paste0(...))
  say("step", ...)
}

found <- function(...) {
  stop(structure(class = c("finding", "error", "condition"),
                 list(message = paste0(...), call = NULL)))
}

# `allowed`: classes of conditions that are right. Returns list(value) or list(condition).
attempt <- function(what, code, allowed = "optbn_error") {
  note(what)
  answer <- tryCatch(
    list(value = withCallingHandlers(
      code,
      message = function(m) invokeRestart("muffleMessage"),
      warning = function(w) {
        if (inherits(w, allowed)) invokeRestart("muffleWarning")
        found("warns: ", conditionMessage(w))
      }
    )),
    condition = function(e) {
      if (inherits(e, "finding")) stop(e)
      if (!inherits(e, allowed)) {
        found("fails without a class (", class(e)[1L], "): ", conditionMessage(e))
      }
      list(condition = e)
    }
  )
  if (!is.null(answer$value)) check_answer(answer$value)
  answer
}

# What is true of every answer, whatever was asked.
check_answer <- function(value) {
  if (inherits(value, "optbn") && !inherits(value, "bn.fit")) return(check_network(value))
  if (inherits(value, "optbn_fit")) {
    if (!is.finite(sum(value$log_likelihood)) && value$method == "bayes") {
      found("a fit whose log-likelihood is ", sum(value$log_likelihood))
    }
    return(invisible())
  }
  if (inherits(value, "optbn_parent_sets")) {
    scores <- unlist(lapply(value$sets, `[[`, "score"))
    if (!all(is.finite(scores))) found("sets whose scores are not finite")
    return(invisible())
  }
  if (is.double(value)) {
    if (any(is.nan(value))) found("answers NaN")
    return(invisible())
  }
  if (is.data.frame(value) || identical(class(value), "list")) {
    for (part in unclass(value)) check_answer(part)
  }
}

check_network <- function(network) {
  # what prints or draws a network that was changed gives it back
  record <- tryCatch(optbn::certificate(network), optbn_error = function(unreadable) NULL)
  if (!isTRUE(record$valid)) return(invisible())
  slip <- 1e-8 * max(1, abs(record$score))
  if (!is.finite(record$score)) found("a score that is ", record$score, ", ", record$status)
  if (is.na(record$bound) || record$bound < record$score - slip) {
    found("a bound of ", record$bound, " below the score ", record$score)
  }
  if (record$status == "optimal" && record$bound > record$score + slip) {
    found("optimal, with a gap of ", record$gap)
  }
}

# Are two answers the same, but for rounding?
same_answer <- function(a, b) isTRUE(all.equal(a, b, tolerance = 1e-7, check.attributes = FALSE))

in_words <- function(x, most = 60L) {
  text <- tryCatch(paste(deparse(x, nlines = 2L), collapse = " "), error = function(e) class(x)[1L])
  text <- iconv(text, "UTF-8", "UTF-8", sub = "byte")
  if (nchar(text, "bytes") > most) paste0(substr(text, 1L, most), "...") else text
}
