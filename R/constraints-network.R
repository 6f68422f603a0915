# Global constraints, on the network as a whole: ancestors and max_arcs. No candidate
# parent set can express them, so the search itself has to meet them.

# Checks both, against one another and against the whitelist. NULL when nothing
# is asked; else `ancestors`, a data frame of from, to, required, and `max_arcs`.
check_network_constraints <- function(ancestors, max_arcs, x, weights, whitelist, call) {
  if (is.null(ancestors) && is.null(max_arcs)) return(NULL)
  check_search_input(x, call)
  nodes <- nodes_of(x, weights)
  whitelist <- unique(rbind(check_arc_table(whitelist, "whitelist", nodes, call),
                            if (inherits(x, "optbn_parent_sets")) x$settings$whitelist))
  ancestors <- check_ancestors(ancestors, nodes, call)
  max_arcs <- check_max_arcs(max_arcs, whitelist, call)
  if (is.null(ancestors) && is.null(max_arcs)) return(NULL)
  if (!is.null(ancestors)) check_ancestors_agree(ancestors, nodes, whitelist, call)
  list(ancestors = ancestors, max_arcs = max_arcs)
}

# A table of from, to and required; without a third column all are required.
check_ancestors <- function(ancestors, nodes, call) {
  if (NROW(ancestors) == 0L) return(NULL)
  required <- TRUE
  if (is.data.frame(ancestors) && ncol(ancestors) == 3L) {
    last <- match("required", names(ancestors), nomatch = 3L)
    required <- ancestors[[last]]
    ancestors <- ancestors[-last]
  }
  if (!is.logical(required) || anyNA(required)) {
    abort_optbn(
      "constraints",
      c("Column {.field required} of {.arg ancestors} must hold TRUE or FALSE.",
        x = "It is {describe(required)}.",
        i = "TRUE: a directed path must exist; FALSE: none may."),
      call = call
    )
  }
  pairs <- check_arc_table(ancestors, "ancestors", nodes, call)
  keys <- arc_keys(matrix(as.matrix(ancestors), ncol = 2L))
  required <- rep_len(required, length(keys))
  odd <- intersect(keys[required], keys[!required])
  if (length(odd) > 0L) {
    abort_optbn("infeasible",
                c("{.arg ancestors} both requires and forbids a path {.val {odd[1]}}.",
                  i = "Remove one of the two rows."),
                call = call)
  }
  data.frame(pairs, required = required[match(arc_keys(pairs), keys)])
}

check_max_arcs <- function(max_arcs, whitelist, call) {
  if (is.null(max_arcs) || identical(max_arcs, Inf)) return(NULL)
  max_arcs <- check_count(max_arcs, "max_arcs", minimum = 0, call = call)
  if (NROW(whitelist) > max_arcs) {
    abort_optbn("infeasible",
                c(paste("{.arg whitelist} holds {nrow(whitelist)} arcs;",
                        "{.arg max_arcs} allows {max_arcs}."),
                  i = "Raise {.arg max_arcs}, or shorten the whitelist."),
                call = call)
  }
  max_arcs
}

# What is required, arcs and paths, must not make a cycle, nor a path that is
# forbidden.
check_ancestors_agree <- function(ancestors, nodes, whitelist, call) {
  demanded <- rbind(whitelist, as.matrix(ancestors[ancestors$required, c("from", "to")]))
  if (NROW(demanded) == 0L) return(invisible())
  above <- parents_by_node(demanded, nodes)
  cycle <- nodes[find_cycle(above)]
  if (length(cycle) > 0L) {
    abort_optbn(
      "infeasible",
      c("{.arg ancestors} and {.arg whitelist} together require a cycle.",
        x = "It is {.val {paste(cycle, collapse = ' -> ')}}.",
        i = "Remove one of these."),
      call = call
    )
  }
  forbidden <- ancestors[!ancestors$required, ]
  for (i in seq_len(nrow(forbidden))) {
    path <- nodes[path_between(above, match(forbidden$from[i], nodes),
                               match(forbidden$to[i], nodes))]
    if (length(path) > 0L) {
      abort_optbn(
        "infeasible",
        c("{.arg ancestors} forbids a path {.val {arc_keys(forbidden[i, ])}}.",
          x = "Other constraints imply one: {.val {paste(path, collapse = ' -> ')}}.",
          i = "Remove one of these."),
        call = call
      )
    }
  }
}

# The nodes of a shortest path in a graph given by parents; none if there is none.
path_between <- function(parents, from, to) {
  after <- rep(NA_integer_, length(parents)) # the next node on the way to `to`
  reached <- to
  while (length(reached) > 0L && is.na(after[from])) {
    v <- reached[1L]
    fresh <- parents[[v]][is.na(after[parents[[v]]]) & parents[[v]] != to]
    after[fresh] <- v
    reached <- c(reached[-1L], fresh)
  }
  if (is.na(after[from])) return(integer())
  path <- from
  while (path[length(path)] != to) path <- c(path, after[path[length(path)]])
  path
}

# From the settings of a certificate.
network_constraints_of <- function(settings) {
  global <- settings[intersect(c("ancestors", "max_arcs"), names(settings))]
  if (length(global) > 0L) global
}

asked_for <- function(global) names(Filter(Negate(is.null), global))

# As the core takes them.
network_constraints_for_core <- function(global, nodes) {
  if (is.null(global)) return(NULL)
  list(from = match(global$ancestors$from, nodes), to = match(global$ancestors$to, nodes),
       required = as.logical(global$ancestors$required), max_arcs = global$max_arcs %||% Inf)
}

# What a search found; where it had no time to find a network, the plain one. Without that it says
# why there is none.
require_network <- function(found, sets, global, limits, call) {
  if (inherits(found, "core_failure")) {
    no_order <- found$kind == "infeasible" && length(found$facts$nodes) == 0L
    if (no_order) abort_network_constraints(sets, global, limits, call)
  } else if (length(found$choice) == 0L) {
    if (identical(found$reason, "interrupt")) rlang::interrupt()
    found$choice <- plain_choice(sets, global)
    if (is.null(found$choice)) {
      abort_optbn(
        "time",
        c("No network that meets {.arg {asked_for(global)}} was found in time.",
          i = "Raise {.arg time_limit}, or relax one of them: there may be no such network."),
        call = call
      )
    }
    found$score <- sum(scores_of_choice(sets, found$choice))
    found$trace <- data.frame(seconds = 0, score = found$score, bound = found$bound)
  }
  found
}

# The parents of every node in the network that has the arcs of the whitelist, joins the ends of
# required paths, and has no other arcs.
plain_parents <- function(global, nodes, whitelist) {
  required <- global$ancestors[global$ancestors$required, c("from", "to")]
  parents_by_node(unique(rbind(whitelist, as.matrix(required))), nodes)
}

# It itself, as a network to begin with.
plain_start <- function(global, nodes, whitelist, call) {
  parents <- plain_parents(global, nodes, check_arc_table(whitelist, "whitelist", nodes, call))
  matrix(unlist(lapply(parents, function(p) seq_along(nodes) %in% p)), length(nodes),
         dimnames = list(nodes, nodes))
}

# The candidate sets of that network; NULL where it is not among them or not within the constraints.
plain_choice <- function(sets, global) {
  parents <- plain_parents(global, sets$nodes, sets$settings$whitelist)
  choice <- mapply(index_of_parents, sets$sets, parents)
  if (anyNA(choice) || length(find_cycle(parents)) > 0L) return(NULL)
  named <- stats::setNames(lapply(parents, function(p) sets$nodes[p]), sets$nodes)
  if (length(broken_constraints(search_settings(sets, global), named)) == 0L) choice
}

# No network meets these constraints. Which of them contradict each other is found by
# leaving out one after the other, as long as that takes no time.
abort_network_constraints <- function(sets, global, limits, call) {
  paths <- global$ancestors
  demands <- c(if (!is.null(paths)) split(paths, seq_len(nrow(paths))),
               if (!is.null(global$max_arcs)) list(global$max_arcs))
  is_feasible <- function(demands) {
    paths <- Filter(is.data.frame, demands)
    arcs <- Filter(Negate(is.data.frame), demands)
    asked <- list(ancestors = do.call(rbind, unname(paths)), max_arcs = unlist(unname(arcs)))
    has_network(sets, asked, limits)
  }
  odd <- smallest_conflict(demands, is_feasible)
  asked <- asked_for(global)
  abort_optbn(
    "infeasible",
    c("No network over the candidate parent sets meets {.arg {asked}}.",
      x = "In conflict: {paste(vapply(odd, format_demand, ''), collapse = '; ')}.",
      i = "Relax one of these, or the constraints on arcs."),
    call = call
  )
}

format_demand <- function(demand) {
  if (!is.data.frame(demand)) return(paste("at most", demand, "arcs"))
  paste(if (demand$required) "a path" else "no path", arc_keys(demand))
}

# Is there a network at all? Scores are left out, so that the first is the best.
has_network <- function(sets, global, limits) {
  if (length(unlist(global)) == 0L) return(TRUE)
  sets$sets <- lapply(sets$sets, function(set) {
    set$score[] <- 0
    set
  })
  limits$time_limit <- 1
  limits$begun <- proc.time()[["elapsed"]]
  limits$progress <- FALSE
  found <- core_learn_dag(
    sets$sets,
    list(method = "auto", gap = 0, effort = Inf, memory_limit = limits$memory_limit,
         start = integer(),
         warm = NULL, constraints = network_constraints_for_core(global, sets$nodes)),
    host_within(limits, "")
  )
  !inherits(found, "core_failure")
}

# Required paths and dominated parent sets
# ----------------------------------------
# Parent sets are dropped when one of their subsets scores as well, but a path may need
# an arc that no score asks for. Exchanging such a set for its better subset leaves an
# acyclic network, so it gains no more than the best network of all, free of the paths,
# is better than the one found: with that much slack nothing is missing.
search_with_paths <- function(x, global, make_sets, search, max_parents, limits) {
  search_once <- function(sets) {
    force(sets) # what cannot be made is no network that is missing among them
    network <- rlang::try_fetch(search(sets, global), optbn_error_infeasible = identity)
    if (inherits(network, "error")) return(list(network = network, needed = NA))
    if (was_interrupted(network)) return(list(network = network, needed = NA, stopped = TRUE))
    free <- if (!is.null(global$max_arcs)) list(max_arcs = global$max_arcs)
    relaxed <- search(sets, free)
    list(network = network, needed = certificate(relaxed)$bound - certificate(network)$score,
         stopped = was_interrupted(relaxed) || seconds_since(limits) >= limits$time_limit)
  }
  found <- if (inherits(x, "optbn_parent_sets")) {
    search_given(make_sets(), search_once)
  } else {
    search_with_slack(make_sets, search_once, max_parents, slack = 5)
  }
  if (inherits(found$network, "error")) rlang::cnd_signal(found$network)
  if (found$complete) return(found$network)
  record <- found$network$learning$optbn
  record$settings$among <- "the parent sets kept"
  with_record(found$network, record)
}

was_interrupted <- function(network) identical(certificate(network)$reason, "interrupt")
