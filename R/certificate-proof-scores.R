# From data to the optimum: the second stage of a proof.
#
# The first stage is about candidate parent sets and their scores. The second is that these are the
# right ones: a claim of a few lines at the end of the file, which a program of its own checks from
# the data (src/checker/check_scores.cpp has the language, and what has to be believed).

# The claim about sets made of these data, encoded; none where the score is no sum of tables'
# likelihoods, or the levels are not known.
claim_of_scores <- function(encoded, sets) {
  if (!inherits(encoded, "optbn_encoded_data") || !all(is_discrete(encoded))) return(NULL)
  score <- sets$settings$score
  kind <- switch(score$label, bic = , aic = , loglik = "bic", bde = "bde")
  if (is.null(kind) || !is.null(score$prior)) return(NULL)
  settings <- sets$settings
  nodes <- sets$nodes
  n <- length(nodes)
  complete <- rep_len(pmin(settings$complete %||% settings$max_parents, n - 1L), n)
  required <- parents_by_node(settings$whitelist, nodes)
  forbidden <- parents_by_node(settings$blacklist, nodes)
  left_out <- match(settings$left_out, nodes)
  if (!is.null(settings$candidates)) considered <- parents_by_node(settings$candidates, nodes)
  of_node <- vapply(seq_len(n), function(v) {
    others <- setdiff(seq_len(n), v)
    never <- union(forbidden[[v]], intersect(left_out, others))
    if (!is.null(settings$candidates)) never <- union(never, setdiff(others, considered[[v]]))
    never <- setdiff(never, required[[v]])
    paste(c(length(encoded$levels[[v]]), complete[v], length(required[[v]]), required[[v]] - 1L,
            length(never), never - 1L), collapse = " ")
  }, "")
  parameter <- if (kind == "bde") score$iss else score$k
  c(paste("scores", kind, format(parameter, digits = 17), quantum_of_scores, 1), of_node, "end")
}

quantum_of_scores <- "1e-6"

# What the program says of these data: `proved`, and in words why, or why not.
# `file_of_sets`: whose nodes are called by their numbers.
check_proof_from_data <- function(file, file_of_sets, nodes, data, weights, targets, call) {
  encoded <- encode_data(data, weights, call, holes = TRUE, targets = targets)
  check_same_nodes(encoded$nodes, nodes,
                   "{.arg data} must have the columns that {.arg x} has as nodes.", call)
  if (!is.null(encoded$source)) {
    abort_optbn("argument", c("{.arg data} must be in memory.",
                              i = "{.code dplyr::collect()} fetches a lazy table."), call = call)
  }
  if (!all(is_discrete(encoded))) {
    return(list(proved = FALSE, detail = "not all columns are discrete"))
  }
  if (!is.null(encoded$holes)) return(list(proved = FALSE, detail = "values are missing"))
  table <- tempfile(fileext = ".csv")
  on.exit(unlink(table))
  write_distinct_rows(encoded, match(nodes, encoded$nodes), table)
  said <- run_checker("check-scores", c(table, file_of_sets, path.expand(file)), call)
  detail <- sub("^(scores|not proved): ", "", said)
  node <- regmatches(detail, regexpr("^[0-9]+(?=: )", detail, perl = TRUE))
  if (length(node) > 0L) detail <- sub(node, nodes[as.integer(node) + 1L], detail)
  list(proved = startsWith(said, "scores: "), detail = detail)
}

# Codes from 1, with a minus sign where they were set, and in a last column how often such a row
# occurs.
write_distinct_rows <- function(encoded, order, file) {
  columns <- Map(function(codes, node) {
    set <- encoded$targets[[node]]
    codes <- codes + 1L
    replace(codes, set, -codes[set])
  }, encoded$columns[order], encoded$nodes[order])
  key <- do.call(paste, columns)
  first <- which(!duplicated(key))
  times <- encoded$weights %||% rep(1, encoded$rows)
  count <- rowsum(times, key, reorder = FALSE)[key[first], 1L]
  rows <- c(lapply(columns, `[`, first),
            list(format(count, scientific = FALSE, trim = TRUE)))
  writeLines(c(paste(c(seq_along(columns) - 1L, "count"), collapse = ","),
               do.call(paste, c(unname(rows), sep = ","))), file)
}
