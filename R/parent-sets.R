#' Candidate Parent Sets and Their Scores
#'
#' @description
#' Scores the parent sets of every node and keeps those that an optimal network
#' could need. This is the first half of exact structure learning:
#' [learn_dag()] searches among what `parent_sets()` returns.
#'
#' A set is dropped if one of its subsets (that the constraints allow) scores at least as much,
#' because that subset could replace it in any network. Upper bounds on scores exclude many such
#' sets without counting the data. The optimum over the returned sets is the optimum over all sets
#' that the constraints allow.
#'
#' @details
#' With a time limit, or if `max_parents` is `NULL` and there are too many sets to score all, a
#' search on demand first finds good networks and scores only the sets that it visits. It starts by
#' hill climbing over single arcs. It then searches over the orders of the nodes, adding and
#' removing parents of each node among those before it (Andrews et al. 2023), and finally over all
#' sets scored so far, whose neighbours it scores next. After that, all sets of no parent, one
#' parent, two parents, ... are scored within a budget. The result contains the sets of both steps.
#' Its printed *scope* states the size up to which all sets are covered, and the number of larger
#' sets; every bound and every proof holds over this scope.
#'
#' With `"bic"`, `"aic"`, `"ebic"`, `"fnml"`, `"qnml"`, `"bde"` and `"bds"`, large sets need not be
#' scored one by one. The log-likelihood of a node given a group of columns, minus the smallest
#' penalty of the parent sets within the group, is an upper bound on the scores of these sets.
#' Branch and bound over such groups often excludes all remaining sets, so that *all parent sets*
#' are covered: of the 1.8 billion sets of bnlearn's `insurance`, 1.9 million are scored. With
#' `"bic"` and `"aic"` this also works for hundreds of sparse binary columns.
#'
#' @param data A data frame, tibble or data.table, or a matrix. Each column is a node: factor,
#'   ordered, character and logical columns are discrete, integer and numeric ones continuous.
#'   Infinite values are an error, and so are missing values unless the score is a node average
#'   ([score_node_average]). `data` can also be a lazy table, whose rows are in a database: see
#'   *Tables in a database*. It can also be a network of [learn_dag()] or [learn_treewidth()] that
#'   keeps the parent sets of its search, because it is not proved optimal over all parent sets,
#'   because a proof was written, or because EM learned it. The result is then these sets, among
#'   which constraints select, and `score`, `candidates`, `weights` and `targets` cannot be given.
#' @param score A score object or its label: for discrete columns (such as `"bde"`, see
#'   [score_discrete]), for continuous and mixed ones (`"bic-g"`, see [score_gaussian]), or for
#'   trees over columns of any type (`"pcart"`, see [score_local]). `NULL` means `"bde"` if all
#'   columns are discrete, `"bge"` if all are continuous and `"bic-cg"` for mixed columns, or a node
#'   average if values are missing; a message announces the choice.
#' @param max_parents The largest number of parents of a node: one whole number, or one per node (in
#'   column order, or named). `NULL` sets no limit: if not all sets can be scored in reasonable time
#'   (see [search_size()]), all small sets are scored, and larger ones that a search selects (see
#'   the details of [parent_sets()]). A message announces the exceptions: there is a limit for trees
#'   and discretised tables of very many cells and, without a time limit, for rows that stay in a
#'   database.
#' @param whitelist,blacklist Required and forbidden arcs: two-column tables (`from`, `to`) as in
#'   bnlearn.
#' @param tiers Nodes in temporal or causal order: a list of vectors of node names, first
#'   tier first. No arc may lead from a later tier to an earlier one; nodes in no tier
#'   are free. (Short for the blacklist that bnlearn's `tiers2blacklist()` makes.)
#' @param candidates The candidate parents, for hundreds of columns: either a number of candidates
#'   for each node (those with the largest mutual information with it) or a table of arcs (`from`,
#'   `to`). Arcs of the whitelist are added. Proofs then hold among networks of these arcs only,
#'   which a message announces. `NULL` takes all arcs.
#' @param weights Row counts: the number of identical rows that each row represents, whole numbers.
#'   Scores that are sums over the rows accept any numbers of at least 0 (`"loglik"`, `"bic"`,
#'   `"aic"`, `"ebic"` and their Gaussian forms). These are rounded to about a millionth of a row;
#'   their sum counts as the number of rows, and variances are then \eqn{RSS / N}. For a lazy table,
#'   the name of the column with the row counts. `NULL` counts each row once.
#' @param targets The nodes that were set from outside, by an experiment, in each row: see the
#'   section *Experiments* of [parent_sets()]. `NULL` means none.
#' @param slack Also keep sets that score less than one of their subsets, but by less than this
#'   (natural log units). It is needed for searches beyond the best network; [learn_k_best()]
#'   chooses it automatically.
#' @param threads Number of threads. `NULL` takes, in this order: the environment
#'   variable `OPTBN_NUM_THREADS`, the options `optbn.threads` and `Ncpus`, or 2.
#'   Results do not depend on it, nor on work in [several processes][several-processes].
#' @param time_limit Seconds of wall time after which to stop and return the sets scored so far.
#'   `NULL` limits the work instead of the time, so that the result is the same on every machine;
#'   100 columns take about a minute. `Inf` scores all sets that memory allows.
#' @param memory_limit The largest number of bytes; `NULL` means three quarters of the free memory.
#' @param progress Show progress? A search shows score, bound, gap and seconds.
#' @return An object of class `optbn_parent_sets`: a list with
#'   \item{nodes}{names of the \eqn{n} nodes,}
#'   \item{sets}{a list of \eqn{n} lists with `score` (decreasing, natural log),
#'     `size` (number of parents of each set) and `parents` (their node numbers,
#'     set after set),}
#'   \item{considered, counted}{per node, the number of sets that the constraints allow, and the
#'     number that had to be scored,}
#'   \item{settings}{the score with all hyper-parameters, `max_parents`, `slack`, the constraints,
#'     `source`; if not all sets are covered, `complete`, the size up to which they are, by node,
#'     and `larger`, the number of larger sets; `in_order`, the factors whose levels trees cut in an
#'     order, see [score_pcart()], and `left_out`, those with so many levels that they are not
#'     parents unless `max_parents` is given,}
#'   \item{order, trace, reason}{after a search on demand: the nodes in an order of the best network
#'     that it found, the `seconds` and `score` of each improvement, and the reason why not all sets
#'     were scored, `"effort"` or `"time_limit"`,}
#'   \item{rows, seconds}{the number of rows (sum of weights), and the time taken.}
#' There are methods for `print()`, `summary()`, `plot()`, `as.data.frame()` (one row per set) and
#' `[`, which selects nodes and keeps the sets whose parents are all among them. An interrupt
#' (Ctrl-C) returns nothing.
#' @section Experiments:
#' A row in which a node was set by an experiment contains no information on how the node depends on
#' its parents. Such rows are left out of the score of the node, and of its parameters in
#' [fit_network()]; they count where the node is a parent of others (Cooper & Yoo 1999). `targets`
#' names these nodes in one of the following forms:
#' * the name of a column of `data` that names the node that was set in each row, with an empty
#'   string or `NA` for none. That column is not a node. In a list column a row may have several
#'   names;
#' * a vector or factor of such names, one for each row, or a list with a vector for each row;
#' * a list of row numbers, named by nodes, like bnlearn's `exp`.
#'
#' All scores support it. The score of a node uses its remaining rows; quantities of the whole data
#' stay the same: `k` of `"bic"` is \eqn{\log(N) / 2} of all \eqn{N} rows, and the prior mean of
#' `"bge"` and the standardisation of trees use all rows, too. (`"bde"` is then bnlearn's `"mbde"`.)
#' New rows of a predictive score are treated as observed. A function of [score_custom()] gets the
#' remaining rows of the node. [essential_graph()] shows which arcs the experiments direct.
#' Interventions are assumed to be perfect: they replace the mechanism of the node, and of no other.
#'
#' For a table in a database, `targets` is the name of a column. If the rows stay there, the
#' database leaves rows out. EM does not support `targets`: if values are missing and no score is
#' given, [learn_dag()] then uses node averages.
#' @section Tables in a database:
#' `dplyr::tbl(connection, "name")`, also after dplyr's verbs, is accepted as `data` by
#' `parent_sets()`, [learn_dag()], [learn_treewidth()], [score_network()], [fit_network()] and
#' [learn_chow_liu()]. Columns are treated as those of a data frame: text and logical columns are
#' discrete, numbers continuous (use `as.character()` in `dplyr::mutate()` to treat numbers as
#' levels). Nothing is written to the database.
#'
#' If the distinct rows take at most a quarter of `memory_limit`, they are fetched with their
#' counts, and the computation continues in memory. Otherwise, as a message announces, the rows stay
#' in the database, and only counts are transferred. The database groups the rows by blocks of
#' columns that contain many of the required column sets, several blocks at a time, and computes
#' sums of squares and products of continuous columns. The scores are the same, except for the last
#' digits of Gaussian ones. If the number of rows or a level changes during the computation, the
#' error is `optbn_error_data`. Ctrl-C waits for the current query of the database unless its driver
#' can be interrupted (`DBI::dbConnect(RPostgres::Postgres(), check_interrupts = TRUE)`). Trees and
#' discretised tables, and density learners other than [learn_chow_liu()], need the rows.
#'
#' SQLite, PostgreSQL and DuckDB are tested. Other databases that DBI supports receive the same
#' plain SQL. Tables and data sets of package arrow, such as `arrow::open_dataset("folder")` for
#' Parquet files, are also accepted.
#' @section Errors: `optbn_error_data` (columns that cannot be used), `optbn_error_score` (a score
#'   that does not fit the columns), `optbn_error_constraints` and `optbn_error_infeasible`
#'   (constraints malformed, or that admit no network), `optbn_error_memory` (more memory needed
#'   than `memory_limit`), `optbn_error_time` (no result within `time_limit`),
#'   `optbn_error_argument` (another malformed argument); `optbn_error_database` if the database of
#'   a lazy table fails, after which you can repeat the call.
#' @references
#' Andrews, Ramsey, Sanchez Romero, Camchong & Kummerfeld (2023) \doi{10.48550/arXiv.2310.17679};
#' Cooper & Yoo (1999), Proc. UAI 1999, 116-125 (experiments);
#' de Campos & Ji (2011), Journal of Machine Learning Research 12, 663-689; de Campos,
#' Scanagatta, Corani & Zaffalon (2018) \doi{10.1016/j.artint.2018.02.006}.
#' @seealso [learn_dag()], [search_size()], [read_jkl()], [score_discrete].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' sets <- parent_sets(titanic[1:4], "bde", weights = titanic$Freq)
#' sets
#' head(as.data.frame(sets))
#' learn_dag(sets)
#'
#' # an experiment set the length of the petals in the last 50 rows
#' set_rows <- list(Petal.Length = 101:150)
#' parent_sets(iris[1:4], "bic-g", targets = set_rows)
#'
#' # the same for a table in a database
#' if (all(sapply(c("RSQLite", "dbplyr"), requireNamespace, quietly = TRUE))) {
#'   connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#'   DBI::dbWriteTable(connection, "titanic", titanic)
#'   print(learn_dag(dplyr::tbl(connection, "titanic"), weights = "Freq"))
#'   DBI::dbDisconnect(connection)
#' }
#' @export
parent_sets <- function(data, score = NULL, max_parents = NULL, whitelist = NULL,
                        blacklist = NULL, tiers = NULL, candidates = NULL, weights = NULL,
                        targets = NULL, slack = 0, threads = NULL, time_limit = NULL,
                        memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  limits <- check_limits_or_effort(threads, time_limit, memory_limit, progress, call)
  if (inherits(data, "optbn") && !inherits(data, "bn.fit")) {
    refuse_with_sets(c(targets = !is.null(targets)), call)
    sets <- kept_sets(data, "data", call)
    return(candidate_sets(sets, score, slack, max_parents, whitelist, blacklist, tiers,
                          candidates, weights, limits, call))
  }
  if (!is.null(score)) score <- as_score(score, call)
  data <- encode_data(data, weights, call, limits$memory_limit, holes = TRUE,
                      takes_fractions(score), targets)
  with_kept_random_state(
    make_parent_sets(data, score, max_parents, whitelist, blacklist, tiers, candidates, weights,
                     slack, limits, call)
  )
}

# A search that is open can go on among its parent sets, a proof is about them, and expected scores
# cannot be had from the data: the network keeps them.
with_parent_sets <- function(network, sets) {
  record <- network$learning$optbn
  keeps <- record$status != "optimal" || !is.null(record$proof) || !is.null(sets$settings$missing)
  network$learning$parent_sets <- if (keeps) sets
  network
}

# Those of a network; an error where it has none. `arg` is the network's argument.
kept_sets <- function(network, arg, call) {
  sets <- network$learning$parent_sets
  if (is.null(sets)) {
    abort_optbn("argument",
                c("{.arg {arg}} has no parent sets.",
                  i = paste("Only networks of structural EM, and those whose search stopped early",
                            "or wrote a proof, have them: give the data from which it was",
                            "learned.")),
                call = call)
  }
  when_unsound(demand("its parent sets are invalid" = inherits(sets, "optbn_parent_sets")),
               network, call)
  check_sound(sets, call)
  if (!setequal(sets$nodes, names(network$nodes))) {
    abort_unsound("its parent sets are of other nodes", "optbn", call)
  }
  sets
}

make_parent_sets <- function(data, score, max_parents, whitelist, blacklist, tiers, candidates,
                             weights, slack, limits, call, start = NULL, on_demand = NULL) {
  slack <- check_number(slack, "slack", minimum = 0, finite = FALSE, call = call)
  problem <- scoring_problem(data, score, max_parents, whitelist, blacklist, tiers, candidates,
                             weights, limits, call)
  if (!is.null(on_demand)) problem$on_demand <- on_demand
  encoded <- problem$encoded
  constraints <- problem$constraints
  announce_many_levels(problem, call)
  distribution <- distribute_scoring(problem, limits, call)
  if (!is.null(distribution)) on.exit(distribution$forget())

  found <- score_sets(problem, slack, start, distribution, limits, call)
  x <- new_parent_sets(
    encoded$nodes, found$sets, found$considered, found$counted,
    settings = list(
      score = problem$score, max_parents = constraints$max_parents, slack = slack,
      complete = found$complete, larger = found$larger,
      in_order = cut_in_order(constraints, encoded, problem$score), left_out = constraints$left_out,
      whitelist = constraints$whitelist, blacklist = constraints$blacklist,
      candidates = constraints$candidates, illegal = illegal_arcs(encoded, problem$score),
      missing = if (isTRUE(encoded$completed)) "expected scores", targets = target_sets(encoded),
      source = "data"
    ),
    rows = row_total(encoded), seconds = recorded_seconds(found$seconds), order = found$order,
    trace = if (is_timed()) found$trace, reason = found$reason
  )
  check_scores_finite(x, call)
  check_domains(x, call)
  x
}

# A score that is no number, or infinite, leaves nothing to compare.
check_scores_finite <- function(x, call) {
  unforced <- !x$nodes %in% x$settings$whitelist[, 2L]
  broken <- x$nodes[vapply(x$sets, function(set) !all(is.finite(set$score)), NA) |
                      (unforced & vapply(x$sets, function(set) length(set$score) == 0L, NA))]
  if (length(broken) == 0L) return(invisible())
  score <- x$settings$score
  remedy <- if (is_predictive(score)) {
    paste0("Some new rows are impossible whatever the parents: leave them out",
           if (!is.null(score$iss)) ", or give an {.arg iss} greater than 0", ".")
  } else {
    paste("{cli::qty(broken)}Rescale {?it/them}, or give the score {.val {score$label}} other",
          "hyper-parameters.")
  }
  abort_optbn("score",
              c("The scores of column{?s} {.val {broken}} are not finite.", i = remedy),
              call = call)
}

# What is to be scored: the data encoded, the score with all hyper-parameters,
# and the constraints by node. A forecast takes any candidates where the most informative are asked
# for: it matters only how many they are.
scoring_problem <- function(data, score, max_parents, whitelist, blacklist, tiers, candidates,
                            weights, limits, call, forecast = FALSE) {
  if (!is.null(score)) score <- as_score(score, call)
  encoded <- encode_data(data, weights, call, limits$memory_limit, holes = TRUE,
                         takes_fractions(score))
  require_memory_for_targets(encoded, limits, call)
  score <- complete_score(score %||% usual_score(encoded), encoded, call)
  constraints <- check_constraints(encoded$nodes, whitelist, blacklist, max_parents, tiers, call)
  check_admissible(constraints, encoded, score, call)
  screen <- function() {
    if (forecast) return(diag(length(encoded$nodes)))
    core_information(encoded, limits, call)
  }
  constraints <- add_candidates(constraints, candidates, encoded, score, screen, call)
  if (is.null(max_parents)) constraints <- leave_out_largest(constraints, encoded, score)
  announce_order(constraints, encoded, score)
  if (is.null(max_parents)) {
    constraints$max_parents <- default_max_parents(constraints, encoded, score, limits, call)
  }
  check_tree_size(constraints, encoded, score, limits$memory_limit, call)
  all_soon <- is_soon_scored(constraints, encoded, score, limits$memory_limit, limits$budget)
  list(encoded = encoded, score = score, constraints = constraints, all_soon = all_soon,
       on_demand = limits$time_limit < Inf || !(asks_for_all_sets(max_parents) || all_soon))
}

# `...`: what score_sets() says of a search: order, trace, reason.
new_parent_sets <- function(nodes, sets, considered, counted, settings, rows = NA_real_,
                            seconds = 0, ...) {
  parts <- list(nodes = nodes, sets = sets, considered = considered, counted = counted,
                settings = settings, rows = rows, seconds = seconds)
  structure(c(parts, Filter(Negate(is.null), list(...))), class = "optbn_parent_sets")
}

# Sets that somebody built or scaled may hold anything finite.
check_score_sum <- function(x, call) {
  if (is.finite(sum(vapply(x$sets, function(sets) max(0, abs(sets$score)), 0)))) return(invisible())
  abort_optbn("argument",
              c("The scores in {.arg x} are too large: the sum over all nodes is infinite.",
                i = "Divide all of them by the same number."),
              call = call)
}

# A node without a candidate cannot be in any network.
check_domains <- function(x, call) {
  empty <- x$nodes[vapply(x$sets, function(set) length(set$score) == 0L, NA)]
  if (length(empty) > 0L) {
    abort_optbn(
      "infeasible",
      c("No candidate parent set is left for {.val {empty}}.",
        i = paste("Relax {.arg whitelist}, {.arg blacklist} or {.arg max_parents} at",
                  "{cli::qty(empty)}{?this node/these nodes}.")),
      call = call
    )
  }
}

# Conditional Gaussian nodes: no arc from a continuous to a discrete node.
check_admissible <- function(constraints, encoded, score, call) {
  if (score_kind(score) == "mixed") {
    check_arc_types(constraints$required, encoded, score, "infeasible", call)
  }
}

# The same arcs as a table, which bnlearn keeps with a network and refuses to set.
illegal_arcs <- function(encoded, score) {
  discrete <- is_discrete(encoded)
  if (score_kind(score) != "mixed" || !any(discrete) || all(discrete)) return(NULL)
  as.matrix(expand.grid(from = encoded$nodes[!discrete], to = encoded$nodes[discrete],
                        stringsAsFactors = FALSE))
}

# The sets that satisfy further constraints. Sets dropped earlier do not come
# back: under a whitelist some of them might have been wanted.
restrict_parent_sets <- function(x, constraints, call = parent.frame()) {
  if (!is.null(constraints$whitelist) && identical(x$settings$source, "data") &&
        !all(arc_keys(constraints$whitelist) %in% arc_keys(x$settings$whitelist))) {
    announce(c("{.arg whitelist} is applied to parent sets that were pruned without it.",
               i = paste("The result is optimal among these sets;",
                         "give it to {.fn parent_sets} for all sets.")))
  }
  given <- x$sets
  x$sets <- allowed_sets(given, constraints)
  x$settings$whitelist <- unique(rbind(x$settings$whitelist, constraints$whitelist))
  x$settings$blacklist <- unique(rbind(x$settings$blacklist, constraints$blacklist))
  x$settings$max_parents <- pmin(x$settings$max_parents %||% constraints$max_parents,
                                 constraints$max_parents)
  check_domains(x, call)
  check_orderable(x, given, constraints, call)
  x
}

allowed_sets <- function(sets, constraints) {
  lapply(seq_along(sets), function(v) {
    candidates <- sets[[v]]
    set <- rep.int(seq_along(candidates$size), candidates$size)
    members <- function(nodes) tabulate(set[candidates$parents %in% nodes], length(candidates$size))
    keep <- members(constraints$required[[v]]) == length(constraints$required[[v]]) &
      members(constraints$forbidden[[v]]) == 0L & candidates$size <= constraints$max_parents[v]
    keep_sets(candidates, keep)
  })
}

# Every node has sets left, but perhaps none that can come first. Then names the
# constraints that contradict each other, as long as there are few enough to try without one
# another.
check_orderable <- function(x, given, constraints, call) {
  blocked <- function(sets) call_core(core_blocked_nodes(sets), call = call)
  if (length(blocked(x$sets)) == 0L || length(blocked(given)) > 0L) return(invisible())
  n <- length(x$nodes)
  item <- function(kind, v, u = NA) data.frame(kind = kind, v = v, u = u)
  items <- do.call(rbind, lapply(seq_len(n), function(v) {
    rbind(do.call(rbind, lapply(constraints$required[[v]], item, kind = "required", v = v)),
          do.call(rbind, lapply(constraints$forbidden[[v]], item, kind = "forbidden", v = v)),
          if (constraints$max_parents[v] < n - 1L) item("max_parents", v))
  }))
  if (nrow(items) > 200L) return(invisible())
  is_feasible <- function(items) {
    pick <- function(v, kind) items$u[items$v == v & items$kind == kind]
    some <- list(required = lapply(seq_len(n), pick, "required"),
                 forbidden = lapply(seq_len(n), pick, "forbidden"),
                 max_parents = ifelse(seq_len(n) %in% items$v[items$kind == "max_parents"],
                                      constraints$max_parents, n - 1L))
    length(blocked(allowed_sets(given, some))) == 0L
  }
  odd <- smallest_conflict(split(items, seq_len(nrow(items))), function(some) {
    is_feasible(do.call(rbind, some) %||% items[0L, ])
  })
  words <- vapply(odd, function(one) {
    arc <- paste(x$nodes[one$u], "->", x$nodes[one$v])
    switch(one$kind, required = paste("whitelist", arc), forbidden = paste("blacklist", arc),
           max_parents = paste("max_parents", constraints$max_parents[one$v], "at", x$nodes[one$v]))
  }, "")
  abort_optbn("infeasible",
              c("No acyclic network over these parent sets is within the constraints.",
                x = "In conflict: {paste(words, collapse = '; ')}.",
                i = "Relax one of these."),
              call = call)
}

keep_sets <- function(sets, keep) {
  list(score = sets$score[keep], size = sets$size[keep],
       parents = sets$parents[rep.int(keep, sets$size)])
}

#' @export
`[.optbn_parent_sets` <- function(x, i) {
  call <- environment()
  check_sound(x)
  chosen <- if (is.character(i)) match(i, x$nodes) else seq_along(x$nodes)[i]
  if (anyNA(chosen) || anyDuplicated(chosen) || length(chosen) == 0L) {
    abort_optbn("argument",
                c("Nodes to keep must be names or numbers of different nodes of {.arg x}.",
                  x = "They are {.val {i}}."),
                call = call)
  }
  number <- match(seq_along(x$nodes), chosen)
  x$sets <- lapply(x$sets[chosen], function(sets) {
    set <- rep.int(seq_along(sets$size), sets$size)
    outside <- tabulate(set[!sets$parents %in% chosen], length(sets$size))
    sets <- keep_sets(sets, outside == 0L)
    set <- rep.int(seq_along(sets$size), sets$size)
    sets$parents <- number[sets$parents]
    sets$parents <- sets$parents[order(set, sets$parents)]
    sets
  })
  inside <- function(arcs) {
    if (is.null(arcs)) return(NULL)
    arcs[arcs[, 1L] %in% x$nodes[chosen] & arcs[, 2L] %in% x$nodes[chosen], , drop = FALSE]
  }
  x$settings$whitelist <- inside(x$settings$whitelist)
  x$settings$blacklist <- inside(x$settings$blacklist)
  x$settings$illegal <- inside(x$settings$illegal)
  x$settings$candidates <- inside(x$settings$candidates)
  x$settings$targets <- targets_among(x$settings$targets, x$nodes[chosen])
  x$settings$max_parents <- x$settings$max_parents[chosen]
  x$considered <- x$considered[chosen]
  x$counted <- x$counted[chosen]
  x$settings$complete <- x$settings$complete[chosen]
  for (part in c("in_order", "left_out")) {
    named <- intersect(x$settings[[part]], x$nodes[chosen])
    x$settings[[part]] <- if (length(named) > 0L) named
  }
  if (!is.null(x$order)) x$order <- number[x$order[x$order %in% chosen]]
  x$nodes <- x$nodes[chosen]
  check_domains(x, call)
  x
}

#' @export
as.data.frame.optbn_parent_sets <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_sound(x)
  parts <- lapply(seq_along(x$nodes), function(v) {
    sets <- x$sets[[v]]
    set <- factor(rep.int(seq_along(sets$size), sets$size), levels = seq_along(sets$size))
    members <- split(x$nodes[sets$parents], set)
    data.frame(
      node = rep(x$nodes[v], length(sets$score)),
      score = sets$score,
      size = sets$size,
      parents = vapply(members, paste, "", collapse = ":", USE.NAMES = FALSE)
    )
  })
  out <- do.call(rbind, parts)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @export
length.optbn_parent_sets <- function(x) tell_answer(x, count_sets(x))

count_sets <- function(x) sum(vapply(x$sets, function(sets) length(sets$score), 0L))

#' @export
format.optbn_parent_sets <- function(x, ...) tell_answer(x, format_sets(x))

format_sets <- function(x) {
  settings <- x$settings
  limits <- unique(settings$max_parents)
  origin <- if (is.null(settings$score)) {
    paste("from", settings$source)
  } else {
    paste0("score ", format(settings$score), ", ", format_count(x$rows), " rows")
  }
  c(
    paste0("Candidate parent sets of ", length(x$nodes), " nodes"),
    paste0("  ", origin),
    if (length(limits) == 1L && limits < length(x$nodes) - 1L) {
      paste0("  at most ", limits, " parents")
    },
    if (length(limits) > 1L) {
      paste0("  at most ", min(limits), " to ", max(limits), " parents, by node")
    },
    if (NROW(settings$whitelist) > 0L) paste0("  arcs required: ", nrow(settings$whitelist)),
    if (NROW(settings$blacklist) > 0L) paste0("  arcs forbidden: ", nrow(settings$blacklist)),
    if (!is.null(settings$candidates)) {
      paste0("  arcs considered: ", format_count(nrow(settings$candidates)))
    },
    if (!is.null(settings$targets)) paste0("  targets: ", format_targets(settings$targets)),
    if (length(unlist(settings[c("complete", "in_order", "left_out")])) > 0L) {
      paste0("  scope: ", scope_in_words(settings, length(x$nodes)))
    },
    paste0("  ", format_count(count_sets(x)), " sets kept",
           if (!is.null(settings$score)) {
             paste0(" of ", format_count(sum(x$considered)), " possible, ",
                    format_count(sum(x$counted)), " scored",
                    if (!is.na(x$seconds)) paste(" in", format_seconds(x$seconds)))
           })
  )
}

#' @export
print.optbn_parent_sets <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @export
summary.optbn_parent_sets <- function(object, ...) {
  check_sound(object)
  data.frame(
    node = object$nodes,
    sets = vapply(object$sets, function(sets) length(sets$score), 0L),
    largest = vapply(object$sets, function(sets) max(sets$size), 0L),
    best = vapply(object$sets, function(sets) sets$score[1L], 0),
    empty = vapply(object$sets, function(sets) {
      if (any(sets$size == 0L)) sets$score[sets$size == 0L] else NA_real_
    }, 0),
    considered = object$considered,
    counted = object$counted
  )
}
