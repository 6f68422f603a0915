# Conditions: every error and announcement of the package goes through here.
#
# Errors are classed, so that a program can react to them: all inherit from
# "optbn_error", and each from exactly one of
#   optbn_error_argument     a malformed argument
#   optbn_error_data         columns or rows that cannot be used
#   optbn_error_score        a score that does not fit the data
#   optbn_error_constraints  constraints malformed: whitelist, tiers, ancestors, ...
#   optbn_error_infeasible   constraints or candidate sets that admit no network
#   optbn_error_impossible   evidence that a model holds to be impossible
#   optbn_error_model        a saved or changed model that does not hold together
#   optbn_error_memory       an estimate over the memory limit
#   optbn_error_time         the time limit struck with nothing to return
#   optbn_error_parse        a file that does not follow its format
#   optbn_error_conversion   an object that another package cannot express
#   optbn_error_package      a suggested package that is needed and missing
#   optbn_error_database     a backend that keeps rows failed to answer
#   optbn_error_worker       processes that worked for this one and are lost
# A message names the argument, the column and the value, and says what to do.

abort_optbn <- function(kind, message, ..., call = parent.frame(),
                        .envir = parent.frame()) {
  cli::cli_abort(
    message, ...,
    class = c(paste0("optbn_error_", kind), "optbn_error"),
    call = call, .envir = .envir
  )
}

# Said once per call, silenced by suppressMessages(). An interrupt waits until the message is
# formatted: during that, it would leave cli unable to format the warning of the interrupt.
announce <- function(message, ..., .envir = parent.frame()) {
  formatted <- uninterrupted(cli::format_message(message, .envir = .envir))
  rlang::inform(formatted, ..., class = "optbn_message")
}

# `purpose` is marked up as messages are.
require_package <- function(package, purpose, call = parent.frame(),
                            installer = "install.packages") {
  if (!requireNamespace(package, quietly = TRUE)) {
    purpose <- cli::format_inline(purpose) # what is put in by reference is not formatted again
    abort_optbn(
      "package",
      c("Package {.pkg {package}} is needed {purpose}.",
        i = "Install it with {.code {installer}(\"{package}\")}."),
      call = call
    )
  }
}

# The glue hands typed failures of the core back as values (class
# "core_failure": kind and facts); here they become classed conditions.
# `nodes` are the names that node numbers in the facts refer to; `remedy` says how
# to make the task smaller.
call_core <- function(value, nodes = NULL, call = parent.frame(),
                      remedy = "lower {.arg max_parents}") {
  if (!inherits(value, "core_failure")) return(value)
  facts <- value$facts
  switch(value$kind,
    interrupted = rlang::interrupt(),
    time_limit = abort_optbn(
      "time",
      c("The time limit was reached before there was a result.",
        i = paste0("Raise {.arg time_limit}, or ", remedy, ".")),
      call = call
    ),
    memory = require_memory(facts$needed, facts$limit, capitalise(remedy), call = call),
    exhausted = abort_optbn(
      "memory",
      c("The system is out of memory.",
        i = paste0(capitalise(remedy), "; a {.arg memory_limit} stops such a call at its start.")),
      call = call
    ),
    infeasible = {
      blocked <- nodes[facts$nodes]
      abort_optbn(
        "infeasible",
        c("No acyclic network satisfies the candidate parent sets.",
          x = paste("Node{?s} {.val {blocked}} cannot be put into an order:",
                    "each candidate set needs another of them."),
          i = "Relax {.arg whitelist}, {.arg blacklist} or {.arg max_parents} at these nodes."),
        call = call, nodes = blocked
      )
    },
    parse = abort_optbn(
      "parse",
      c("{.file {facts$file}} does not follow its format.",
        x = "Line {facts$line}: {value$message}."),
      call = call, file = facts$file, line = facts$line
    ),
    abort_optbn("argument", "{value$message}", call = call)
  )
}
