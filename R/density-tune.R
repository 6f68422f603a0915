# The best smoothing and slice size by validation rows.

#' Choose the Smoothing of a Cutset Network
#'
#' Learns a cutset network for every combination of `alpha` and `min_rows`, and returns the one with
#' the largest likelihood of the validation rows. [Several processes][several-processes] can share
#' the combinations.
#'
#' @inheritParams learn_cutset
#' @param validation Rows in the form of `data`, but not from it. They choose the combination;
#'   `"cnetp"` also prunes by them.
#' @param alpha,min_rows Numeric vectors: the values to try, see [learn_cutset()]. `NULL` means the
#'   values of the paper's experiments for `"dcsn"`, 13 by 4, and values near the default for the
#'   other algorithms.
#' @param ... Further settings: `prior`, `min_features`, `min_child_rows`, `screen`, `penalty`,
#'   `min_entropy`, `max_depth`, see [learn_cutset()].
#' @param time_limit Seconds after which the current combination is stopped and no other one is
#'   started. The best network so far is returned. The same holds for an interrupt (Ctrl-C), with a
#'   warning.
#'
#' @return The best network, as from [learn_cutset()]. Its component `learning$grid` is a data frame
#'   with the columns `alpha`, `min_rows`, `cuts` (their number) and `validation` (the mean
#'   log-likelihood of the validation rows), and a row for each combination that was tried.
#'
#' @section Errors: As [learn_cutset()].
#'
#' @inheritSection learn_cutset Missing values
#' @inherit learn_cutset references
#' @seealso [learn_cutset()]
#' @examples
#' titanic <- as.data.frame(Titanic)
#' rows <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
#' set.seed(1)
#' held_out <- sample(nrow(rows), 500)
#' network <- tune_cutset(rows[-held_out, ], rows[held_out, ], alpha = c(0.01, 0.1),
#'                        min_rows = c(50, 200))
#' network$learning$grid
#' @export
tune_cutset <- function(data, validation, algorithm = c("dcsn", "cnet", "cnetp", "xcnet"),
                        alpha = NULL, min_rows = NULL, ..., weights = NULL, threads = NULL,
                        time_limit = Inf, memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  algorithm <- check_choice(algorithm, names(cut_defaults), "algorithm", call)
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  require_validation(validation, "tune_cutset()", call)
  encoded <- encode_training(data, weights, call, limits$memory_limit)
  usual <- tuning_defaults(algorithm, encoded$total)
  grid <- expand.grid(alpha = check_values(alpha %||% usual$alpha, "alpha", call),
                      min_rows = check_values(min_rows %||% usual$min_rows, "min_rows", call))
  settings <- Map(function(alpha, min_rows) {
    cut_settings_of(algorithm, encoded$total, list(..., alpha = alpha, min_rows = min_rows), call)
  }, grid$alpha, grid$min_rows)
  held_out <- encode_held_out(validation, encoded, call = call)
  task <- list(encoded = encoded, held_out = held_out, settings = settings,
               seeds = lapply(settings, function(one) random_seed()), call = quote(tune_cutset()))
  # Round-robin: combinations with small `min_rows` take longer.
  chunks <- in_chunks(seq_len(nrow(grid)), try_combinations, task, limits, call,
                      bar = "Trying combinations", round_robin = TRUE)

  tried <- do.call(rbind, lapply(chunks, `[[`, "tried"))
  tried$chunk <- rep(seq_along(chunks), vapply(chunks, function(chunk) nrow(chunk$tried), 0L))
  tried <- tried[order(tried$number), ]
  best <- chunks[[tried$chunk[which.max(tried$validation)]]]$network
  grid <- cbind(grid[tried$number, ], tried[c("cuts", "validation")])
  best$learning$grid <- grid[is.finite(grid$validation), ]
  best$learning$status <- worst_status(vapply(chunks, `[[`, "", "status"))
  best$learning$seconds <- recorded_seconds(seconds_since(limits))
  if (best$learning$status == "interrupt") warn_learning_interrupted(call)
  best
}

worst_status <- function(statuses) {
  Find(function(status) status %in% statuses, c("interrupt", "time_limit", "finished"))
}

# Of the combinations with these numbers the `network` that is best, and a data frame of those that
# were `tried`: `number`, `cuts` and `validation`.
try_combinations <- function(numbers, task, limits, report) {
  limits$progress <- FALSE
  found <- list(network = NULL, tried = NULL)
  tryCatch(
    for (i in numbers) {
      network <- suppressWarnings(
        cut_leaves(task$encoded, task$held_out, task$settings[[i]], NULL, limits, task$call,
                   task$seeds[[i]]),
        classes = "optbn_warning_interrupt" # it is said once, in the end
      )
      found <- with_combination(found, i, network)
      if (found$status != "finished") break
      report(nrow(found$tried))
    },
    interrupt = function(condition) { # between two of them
      if (is.null(found$network)) rlang::interrupt()
      found$status <<- "interrupt"
    }
  )
  found
}

with_combination <- function(found, number, network) {
  value <- network$learning$validation %||% -Inf # interrupted
  if (is.null(found$network) || value > max(found$tried$validation)) found$network <- network
  cuts <- sum(network$components[[1L]]$cut > 0L)
  found$tried <- rbind(found$tried, data.frame(number = number, cuts = cuts, validation = value))
  found$status <- network$learning$status
  found
}

# Of so many rows. Those of "dcsn" are the paper's.
tuning_defaults <- function(algorithm, rows) {
  switch(algorithm,
    dcsn = list(alpha = c(0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5),
                min_rows = c(200, 300, 400, 500)),
    xcnet = list(alpha = c(0.01, 0.03, 0.1, 0.3), min_rows = ceiling(rows / c(200, 100, 50, 20))),
    list(alpha = c(0.1, 0.3, 1, 3, 10), min_rows = c(10, 50, 200, 500))
  )
}

check_values <- function(x, arg, call) {
  if (!(is.numeric(x) && length(x) > 0L && !anyNA(x) && all(x >= 0))) {
    abort_optbn("argument",
                c("{.arg {arg}} must be numbers of at least 0, one or more.",
                  x = "It is {describe(x)}."),
                call = call)
  }
  unique(x)
}
