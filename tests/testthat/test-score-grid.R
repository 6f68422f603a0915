# Each score with each constraint, source and verb: what comes is right, or it is refused with a
# reason. What is refused is in `refusals`; all else must work. Most tiers try a third of the
# cells, `make test-cases` tries all.

# Four columns each, v1 to v4; of the mixed ones the first two are discrete.
frames <- Map(function(discrete, continuous) {
  rlang::set_names(random_frame(90, discrete, continuous), paste0("v", 1:4))
}, c(discrete = 4, continuous = 0, mixed = 2), c(0, 4, 2))
known <- lapply(frames, utils::head, 60L)
new <- lapply(frames, utils::tail, 30L)

# A cheap one: what each parent alone explains, less a tenth.
explained <- function(node, parents, data) {
  number <- function(name) as.integer(data[[name]])
  sum(vapply(parents, function(u) stats::cor(number(node), number(u))^2 - 0.1, 0))
}

# By the columns that they are tried on.
scores <- list(
  discrete = list(
    bde = score_bde(2), bds = score_bds(), mbde = score_mbde(1, list(v1 = 1:5)),
    bdla = score_bdla(3), k2 = score_k2(), bdj = score_bdj(), bic = score_bic(), aic = score_aic(),
    ebic = score_ebic(), loglik = score_loglik(), fnml = score_fnml(), qnml = score_qnml(),
    custom = score_custom(explained), "pred-loglik" = score_pred_loglik(new$discrete),
    nal = score_nal(), pnal = score_pnal(2)
  ),
  continuous = list(
    bge = score_bge(), "bic-g" = score_bic_g(), "aic-g" = score_aic_g(), "ebic-g" = score_ebic_g(),
    "loglik-g" = score_loglik_g(), "pred-loglik-g" = score_pred_loglik_g(new$continuous),
    "nal-g" = score_nal_g(), "pnal-g" = score_pnal_g(2)
  ),
  mixed = list(
    "bic-cg" = score_bic_cg(), "aic-cg" = score_aic_cg(), "ebic-cg" = score_ebic_cg(),
    "loglik-cg" = score_loglik_cg(), "pred-loglik-cg" = score_pred_loglik_cg(new$mixed),
    "nal-cg" = score_nal_cg(), "pnal-cg" = score_pnal_cg(2), pcart = score_pcart(), ft = score_ft()
  )
)

# The arguments, and whether parents (a list by node) meet them.
constraints <- list(
  none = list(list(), function(parents) TRUE),
  whitelist = list(list(whitelist = data.frame("v1", "v3")),
                   function(parents) "v1" %in% parents$v3),
  blacklist = list(list(blacklist = data.frame(c("v1", "v3"), c("v2", "v4"))),
                   function(parents) !("v1" %in% parents$v2 || "v3" %in% parents$v4)),
  tiers = list(list(tiers = list(c("v1", "v2"), c("v3", "v4"))),
               function(parents) !any(c("v3", "v4") %in% unlist(parents[c("v1", "v2")]))),
  candidates = list(list(candidates = 2), function(parents) all(lengths(parents) <= 2)),
  max_parents = list(list(max_parents = 1), function(parents) all(lengths(parents) <= 1)),
  ancestors = list(list(ancestors = data.frame(from = "v1", to = "v4", required = TRUE)),
                   function(parents) "v1" %in% ancestors_of("v4", parents)),
  max_arcs = list(list(max_arcs = 2), function(parents) sum(lengths(parents)) <= 2),
  targets = list(list(targets = list(v2 = 11:25, v4 = 20:40)), function(parents) TRUE)
)

# A node of a cycle is one of its own.
ancestors_of <- function(node, parents) {
  found <- parents[[node]]
  for (step in seq_along(parents)) found <- union(found, unlist(parents[found]))
  found
}

# Which cells are refused, by which class of errors, and why. Empty: whatever it is.
refusals <- utils::read.table(sep = "|", header = TRUE, strip.white = TRUE, text = "
  score                     | source          | verb             | constraint | class    | why
                            | fetched staying | bootstrap_dags   |            | data     | no frame
                            | sets            | bootstrap_dags   |            | data     | no rows
                            | sets            | of_data          |            | data     | no rows
                            | sets            |                  | candidates | argument | scored
                            | sets            |                  | targets    | argument | scored
                            | fetched staying |                  | targets    | argument | numbers
  mbde                      | frame           | scoring          | targets    | argument | exp
  mbde                      | frame           | bootstrap_dags   | targets    | argument | exp
  custom                    | frame           | bootstrap_dags   |            | score    | weights
  custom mbde               | fetched staying | scoring          |            | score    | numbers
  bdla pcart ft pred-loglik | staying         | scoring          |            | score    | rows
  pred-loglik-g             | staying         | scoring          |            | score    | rows
  pred-loglik-cg            | staying         | scoring          |            | score    | rows
  nal-g pnal-g              | staying         | scoring          |            | score    | rows
  nal-cg pnal-cg            | staying         | scoring          |            | score    | rows
  pcart ft                  | staying         | fit_network      |            | score    | rows
")

# What each verb does with x: data, or parent sets; `...`: score, constraints, limits.
within <- k_tree(list(c("v1", "v2", "v3"), c("v2", "v3", "v4")))
chain <- "[v1][v2|v1][v3][v4|v3]"
verbs <- list(
  parent_sets = function(x, ...) parent_sets(x, ..., progress = FALSE),
  learn_dag = function(x, ...) learn_dag(x, ..., progress = FALSE),
  learn_k_best = function(x, ...) learn_k_best(x, 2, ..., progress = FALSE),
  learn_treewidth = function(x, ...) learn_treewidth(x, 1, ..., progress = FALSE),
  learn_within = function(x, ...) learn_treewidth(x, within, ..., progress = FALSE),
  bootstrap_dags = function(x, ...) bootstrap_dags(x, 1, ..., progress = FALSE),
  score_network = function(x, ...) score_network(chain, x, ...),
  fit_network = function(x, ...) fit_network(chain, x, ...)
)
verb_groups <- list(of_data = c("parent_sets", "score_network", "fit_network"),
                    scoring = setdiff(names(verbs), c("bootstrap_dags", "fit_network")))

offers <- function(verb, constraint) {
  arguments <- names(formals(switch(verb, learn_within = learn_treewidth,
                                    bootstrap_dags = learn_dag, get(verb))))
  all(names(constraints[[constraint]][[1L]]) %in% arguments)
}

# "works", or the class of the refusal.
outcome_wanted <- function(score, source, verb, constraint) {
  among <- function(value, words) {
    words <- strsplit(words, " +")[[1L]]
    length(words) == 0L || value %in% c(words, unlist(verb_groups[words]))
  }
  for (i in seq_len(nrow(refusals))) {
    rule <- refusals[i, ]
    if (among(score, rule$score) && among(source, rule$source) && among(verb, rule$verb) &&
          among(constraint, rule$constraint)) {
      return(rule$class)
    }
  }
  "works"
}

# ---- what comes is right ------------------------------------------------------------------------

# Each of these returns "works", or what is wrong.
judge <- function(answer, verb, data, score, meets, targets) {
  switch(
    verb,
    parent_sets = judge_sets(answer, data, score, meets, targets),
    learn_k_best = judge_networks(answer, data, score, meets, targets),
    bootstrap_dags = judge_networks(attr(answer, "networks"), data, NULL, meets),
    score_network = {
      if (isTRUE(all.equal(answer, own_sum(data, score, targets)))) "works" else "another sum"
    },
    fit_network = if (is.finite(stats::logLik(answer))) "works" else "no likelihood",
    judge_networks(list(answer), data, score, meets, targets)
  )
}

own_sum <- function(data, score, targets) {
  sum(score_network(chain, data, score, by_node = TRUE, targets = targets))
}

# `score` is NULL where it is one of a sample of the rows.
judge_networks <- function(networks, data, score, meets, targets = NULL) {
  for (network in networks) {
    parents <- lapply(network$nodes, `[[`, "parents")
    if (any(vapply(names(parents), function(v) v %in% ancestors_of(v, parents), NA))) {
      return("a cycle")
    }
    if (!meets(parents)) return("a constraint is violated")
    certified <- certificate(network)$score
    if (is.null(score)) next
    if (!(abs(certified - score_network(network, data, score, targets = targets)) <= 1e-8)) {
      return("the certificate has another score")
    }
  }
  "works"
}

judge_sets <- function(sets, data, score, meets, targets) {
  table <- as.data.frame(sets)
  table$parents <- strsplit(table$parents, ":")
  best <- rlang::set_names(table$parents[match(names(data), table$node)], names(data))
  for (i in seq_len(nrow(table))) {
    parents <- best
    parents[[table$node[i]]] <- table$parents[[i]]
    if (!meets(parents)) return("a constraint is violated")
  }
  for (i in match(names(data), table$node)) {
    graph <- matrix(0, ncol(data), ncol(data), dimnames = list(names(data), names(data)))
    graph[table$parents[[i]], table$node[i]] <- 1
    own <- score_network(graph, data, score, by_node = TRUE, targets = targets)[[table$node[i]]]
    if (!(abs(own - table$score[i]) <= 1e-8)) return("a set has another score")
  }
  "works"
}

# ---- the cells ----------------------------------------------------------------------------------

# "works", the class of an error with a reason, or what is wrong.
outcome_of <- function(x, verb, arguments, data, score, meets) {
  answer <- tryCatch(suppressMessages(do.call(verbs[[verb]], c(list(x), arguments))),
                     error = identity)
  if (!inherits(answer, "error")) {
    return(judge(answer, verb, data, score, meets, arguments$targets))
  }
  if (!inherits(answer, "optbn_error")) return(paste("fails:", conditionMessage(answer)))
  reason <- grepl("[`\"].+[`\"]", conditionMessage(answer)) # an argument, a column or a score
  if (reason) sub("optbn_error_", "", class(answer)[1L]) else "fails without a reason"
}

# A third of the cells, or all: each score meets each constraint and each verb, each of these the
# others and each source.
in_share <- function(label, source, constraint, verb) {
  number <- match(label, labels) + match(source, source_names) +
    match(constraint, names(constraints)) + match(verb, names(verbs))
  all_cases() || number %% 3L == 0L
}
source_names <- c("frame", "sets", "fetched", "staying")

# How many cells are tried at least, if so many in all.
tried_of <- function(all) if (all_cases()) all else all / 3 - 10

# Announcements would take a third of the time.
surprises <- function(...) {
  local_values(announce = function(...) invisible())
  surprising_cells(...)
}

# Of the cells of a score of these data from these sources, those that are not as they should be.
surprising_cells <- function(kind, label, sources, data = known[[kind]], among = names(verbs)) {
  score <- scores[[kind]][[label]]
  found <- character()
  for (source in names(sources)) for (constraint in names(constraints)) for (verb in among) {
    if (!offers(verb, constraint) || !in_share(label, source, constraint, verb)) next
    anyway <- outcome_wanted(label, source, verb, "none")
    if (constraint != "none" && anyway != "works") next # refused without it already
    arguments <- c(if (source != "sets" || verb %in% c("score_network", "fit_network")) {
      list(score = score)
    }, sources[[source]][-1L], constraints[[constraint]][[1L]])
    outcome <- outcome_of(sources[[source]][[1L]], verb, arguments, data, score,
                          constraints[[constraint]][[2L]])
    wanted <- outcome_wanted(label, source, verb, constraint)
    tried <<- tried + 1
    if (outcome != wanted) {
      cell <- paste(label, source, verb, constraint, sep = " | ")
      found <- c(found, paste0(cell, ": ", outcome, ", not ", wanted))
    }
  }
  found
}
tried <- 0

# Every set is kept, so that constraints can be added.
sets_of <- function(kind, label, data = known[[kind]]) {
  suppressMessages(parent_sets(data, scores[[kind]][[label]], slack = Inf,
                               progress = FALSE))
}

labels <- unlist(lapply(scores, names), use.names = FALSE)
kinds <- rep(names(scores), lengths(scores))

test_that("all exported scores are in the table", {
  exported <- setdiff(grep("^score_", getNamespaceExports("optbn"), value = TRUE), "score_network")
  expect_setequal(labels, gsub("_", "-", sub("^score_", "", exported)))
})

test_that("each score works with each constraint and verb, of a frame and of its parent sets", {
  skip_where_quick()
  skip_without_peer("bnlearn")
  for (i in seq_along(labels)) {
    sources <- list(frame = list(known[[kinds[i]]]), sets = list(sets_of(kinds[i], labels[i])))
    expect_identical(surprises(kinds[i], labels[i], sources), character())
  }
  expect_gt(tried, tried_of(1800))
})

test_that("each score works with each constraint and verb of a table in a database", {
  skip_where_quick()
  connection <- sqlite_connection()
  before <- tried
  for (i in seq_along(labels)) {
    table <- in_database(known[[kinds[i]]], connection, kinds[i])
    sources <- list(fetched = list(table), staying = list(table, memory_limit = 5000))
    expect_identical(surprises(kinds[i], labels[i], sources), character())
  }
  expect_gt(tried - before, tried_of(1600))
})

test_that("node averages work with each constraint and verb where values are missing", {
  skip_where_quick()
  skip_without_peer("bnlearn")
  connection <- sqlite_connection()
  before <- tried
  for (i in grep("^p?nal(-|$)", labels)) {
    data <- with_holes(known[[kinds[i]]], 0.1)
    table <- in_database(data, connection, kinds[i])
    sources <- list(frame = list(data), sets = list(sets_of(kinds[i], labels[i], data)),
                    fetched = list(table), staying = list(table, memory_limit = 5000))
    among <- setdiff(names(verbs), "fit_network") # which has a method for them
    expect_identical(surprises(kinds[i], labels[i], sources, data, among), character())
  }
  expect_gt(tried - before, tried_of(600))
})
