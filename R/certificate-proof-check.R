# check_proof(): the proof of a stranger, or our own, checked.

#' Check a Proof of Optimality
#'
#' Checks a file from [write_proof()] or `learn_dag(proof = )` over candidate parent sets. The
#' checking program shares no code with the search and does not trust the file: an accepted
#' statement is true for the sets, whichever program wrote the proof.
#'
#' @details
#' The program is one C++ file, `src/checker/check_proof.cpp` of the sources. Its header contains
#' the mathematical arguments on which it rests. The program is installed in the folder `bin` of the
#' package. Without R, `c++ -std=c++17 -O2 -o check-proof check_proof.cpp -lz` builds it, and
#' `check-proof sets.jkl proof.gz` checks a proof over a file of [write_jkl()].
#'
#' With `data`, a second program, `check-scores`, checks the sets from the data. It recomputes every
#' score from counts by interval arithmetic, and shows that each unlisted set scores at most as much
#' as one of its subsets. Proofs contain this statement if they were written from discrete data with
#' BIC, AIC or BDeu, also with experiments (`targets`). With both stages, the network is proved
#' optimal over all parent sets of the scope, up to a millionth for each node.
#'
#' `checker = "R"` does the same arithmetic by a short program in plain R. It is slow, and accepts
#' at most 20 nodes.
#'
#' @param file The name of the file with the proof.
#' @param x The [parent_sets()] of the proof, a network that keeps them, or the name of a file for
#'   [read_jkl()].
#' @param data The data from which the parent sets were computed, for a second stage, which checks
#'   that the scores are correct and no set is missing. `NULL` omits this stage.
#' @param weights Row counts of `data`, as in the call of [learn_dag()].
#' @param targets The nodes that were set in rows of `data`, as in the call of [learn_dag()].
#' @param checker `"program"` for the C++ program, or `"R"` for the slower one in plain R.
#' @return An object of class `optbn_proof_check`, a list with
#'   \item{proved}{`TRUE` if the file is a valid proof for these sets,}
#'   \item{status}{`"optimal"`: the network in the proof has the highest score, up to a millionth;
#'     `"bounded"`: only the bound is proved; `NA` if the proof is invalid,}
#'   \item{bound}{an upper bound on the score of every network over the sets within the constraints
#'     of the proof (`Inf` if it is invalid),}
#'   \item{score}{the score of the network in the proof (both in natural log units, to a
#'     billionth),}
#'   \item{constraints}{the number of required and forbidden arcs and of limits in the proof,}
#'   \item{reason}{the reason why the proof is invalid, or `NULL`,}
#'   \item{scores}{with `data`, the second stage: a list with `proved` and a description, `detail`,}
#'   \item{file, checker, seconds}{the file, the checker, and the time taken.}
#' @section Errors: `optbn_error_argument` if the file does not exist, or if `x` has none of these
#'   forms; `optbn_error_package` if the program is not installed, `optbn_error_worker` if it was
#'   stopped. A damaged or false proof is not an error: `proved` is `FALSE`.
#' @seealso [write_proof()], [verify_certificate()].
#' @inherit write_proof examples
#' @export
check_proof <- function(file, x, data = NULL, weights = NULL, targets = NULL,
                        checker = c("program", "R")) {
  require_arguments()
  call <- environment()
  checker <- check_choice(checker, c("program", "R"), "checker", call)
  if (!(is_string(file) && nzchar(file) && file.exists(file) && !dir.exists(file))) {
    abort_optbn("argument", c("{.arg file} must be the name of a file with a proof.",
                              x = if (is_string(file)) "There is no file {describe(file)}."
                                  else "It is {describe(file)}."),
                call = call)
  }
  sets <- sets_of_proof(x, call)
  if (is.null(data)) {
    refuse_without_data(c(weights = !is.null(weights), targets = !is.null(targets)), call)
  } else if (identical(sets$settings$source, "data")) {
    check_targets_again(targets, sets$settings, call)
  }
  begun <- proc.time()[["elapsed"]]
  file_of_sets <- tempfile(fileext = ".jkl")
  on.exit(unlink(file_of_sets))
  if (checker != "R" || !is.null(data)) write_jkl(numbered(sets), file_of_sets)
  found <- if (checker == "R") {
    check_in_r(file, sets)
  } else {
    understand(run_checker("check-proof", c(file_of_sets, path.expand(file)), call))
  }
  if (!is.null(data)) {
    found$scores <- check_proof_from_data(file, file_of_sets, sets$nodes, data, weights, targets,
                                          call)
  }
  structure(c(found, list(file = file, checker = checker,
                          seconds = proc.time()[["elapsed"]] - begun)),
            class = "optbn_proof_check")
}

# `given`: by argument.
refuse_without_data <- function(given, call) {
  odd <- names(given)[given]
  if (length(odd) == 0L) return(invisible())
  abort_optbn("argument",
              c("{.arg {odd}} must be given with {.arg data}.",
                x = "{cli::qty(odd)}{?It describes/They describe} its rows."), call = call)
}

sets_of_proof <- function(x, call) {
  if (is_string(x)) return(read_jkl(x, require_empty = FALSE))
  if (inherits(x, "optbn") && !inherits(x, "bn.fit")) return(kept_sets(x, "x", call))
  if (!inherits(x, "optbn_parent_sets")) {
    abort_optbn("argument",
                c("{.arg x} must be the parent sets of the proof.",
                  x = "It is {describe(x)}.",
                  i = "{.fn parent_sets}, {.fn read_jkl}, or a network that keeps them."),
                call = call)
  }
  check_sound(x, call)
}

# Nodes are called by their numbers, as names may hold blanks.
numbered <- function(sets) {
  sets$nodes <- as.character(seq_along(sets$nodes) - 1L)
  sets$settings[c("in_order", "left_out", "targets")] <- NULL # which have names
  sets
}

# The line that a program of the package's prints.
run_checker <- function(name, files, call) {
  folder <- system.file("bin", package = "optbn")
  program <- list.files(folder, paste0("^", name, "([.]exe)?$"), full.names = TRUE)
  if (length(program) == 0L) {
    abort_optbn("package", c("The program {.file {name}} is not installed.",
                             i = "Install {.pkg optbn} again, or use {.code checker = \"R\"}."),
                call = call)
  }
  said <- suppressWarnings(system2(program[1L], shQuote(files), stdout = TRUE, stderr = TRUE))
  line <- paste(said, collapse = " ")
  if (!grepl("^(optimal|bounded|scores|not proved): ", line)) {
    Sys.sleep(0.01) # where an interrupt, which ends both, is acted upon
    abort_optbn("worker", c("The program {.file {name}} was stopped before it ended.",
                            i = "There may have been too little free memory."),
                call = call)
  }
  line
}

understand <- function(line) {
  number <- "(-?[0-9.]+)"
  pattern <- paste0("^(optimal|bounded): no network over these sets, within ([0-9]+) constraints, ",
                    "scores more than ", number, "; that of the proof scores ", number, "$")
  words <- regmatches(line, regexec(pattern, line))[[1L]]
  if (length(words) == 0L) return(not_proved(sub("^not proved: ", "", line)))
  numbers <- as.double(words[3:5])
  proved_to_be(words[2L], bound = numbers[2L], score = numbers[3L], constraints = numbers[1L])
}

proved_to_be <- function(status, bound, score, constraints) {
  list(proved = TRUE, status = status, bound = bound, score = score, constraints = constraints,
       reason = NULL)
}

not_proved <- function(reason) {
  list(proved = FALSE, status = NA_character_, bound = Inf, score = NA_real_,
       constraints = NA_real_, reason = reason)
}

#' @export
print.optbn_proof_check <- function(x, ...) {
  tell_answer(x, cat(format(x), sep = "\n"))
  invisible(x)
}

#' @export
format.optbn_proof_check <- function(x, ...) {
  if (!x$proved) {
    return(paste0(cli::col_red(cli::symbol$cross), " ", basename(x$file),
                  " proves nothing for these sets: ", x$reason, "."))
  }
  within <- if (x$constraints > 0) cli::format_inline(" within {x$constraints} constraint{?s}")
  fact <- if (x$status == "optimal") {
    paste0(" proved optimal: no network over these sets", within, " scores more than ",
           format_log(x$score))
  } else {
    paste0(" proved: no network over these sets", within, " scores more than ",
           format_log(x$bound), "; that of the proof scores ", format_log(x$score))
  }
  by <- c(program = "by the program check-proof", R = "by the checker in R")[[x$checker]]
  c(paste0(cli::col_green(cli::symbol$tick), fact, "."),
    format_second_stage(x$scores),
    paste0("  ", basename(x$file), ", checked ", by, " in ", format_seconds(x$seconds), "."))
}

format_second_stage <- function(scores) {
  if (is.null(scores)) return("  The scores of these sets were not checked.")
  if (scores$proved) {
    detail <- gsub(" \\([^)]*\\)", "", scores$detail)
    return(paste0(cli::col_green(cli::symbol$tick), " from the data: ", detail, "."))
  }
  paste0(cli::col_red(cli::symbol$cross), " not proved from the data: ", scores$detail, ".")
}
