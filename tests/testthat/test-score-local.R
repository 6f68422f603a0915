mixed <- function() {
  data.frame(
    colour = factor(c("red", "green", "blue", "red", "green", "blue", "red", "red")),
    size = factor(c("s", "m", "l", "s", "m", "l", "m", "l"), levels = c("s", "m", "l"),
                  ordered = TRUE),
    weight = c(1.5, 2.25, 7, 1.25, 3, 8, 2, 1)
  )
}

test_that("labels are short for the constructors", {
  expect_identical(as_score("pcart"), score_pcart())
  expect_identical(as_score("pcart-p"), score_pcart(penalty = "size"))
  expect_identical(as_score("ft"), score_ft())
  expect_identical(as_score("ft-p"), score_ft(penalty = "size"))
  expect_identical(format(score_pcart()), "pcart")
  expect_identical(format(score_pcart(max_splits = 2, iss = 3)), "pcart (iss = 3, max_splits = 2)")
})

test_that("hyper-parameters out of range are refused", {
  expect_snapshot(error = TRUE, score_pcart(alpha = 0))
  expect_snapshot(error = TRUE, score_pcart(nu = -1))
  expect_snapshot(error = TRUE, score_pcart(lambda = NA))
  expect_snapshot(error = TRUE, score_pcart(mu = Inf))
  expect_snapshot(error = TRUE, score_ft(a = "1"))
  expect_snapshot(error = TRUE, score_pcart(max_splits = 17))
  expect_snapshot(error = TRUE, score_pcart(max_levels = 65))
  expect_snapshot(error = TRUE, score_ft(max_bins = 1))
  expect_snapshot(error = TRUE, score_pcart(iss = 0))
  expect_snapshot(error = TRUE, score_pcart(standardise = 2))
  expect_snapshot(error = TRUE, score_pcart(penalty = "arcs"))
  expect_snapshot(error = TRUE, score_pcart(range = c(0, 1)))
  expect_snapshot(error = TRUE, score_pcart(range = list(weight = c(2, 1))))
  expect_error(score_pcart(alpha = 0), class = "optbn_error_argument")
})

test_that("ranges that do not fit the data are refused", {
  parents <- function(range) parent_sets(mixed(), score_pcart(range = range))
  expect_snapshot(error = TRUE, parents(list(weight = c(0, 5))))
  expect_snapshot(error = TRUE, parents(list(colour = c(0, 5))))
  expect_error(parents(list(weight = c(0, 5))), class = "optbn_error_data")
})

test_that("the range moves the cuts, and nothing else", {
  given <- complete_score(score_pcart(range = list(weight = c(0, 16))), encode_data(mixed()))
  expect_identical(given$columns$weight$range, c(0, 16))
  score <- complete_score(score_pcart(), encode_data(mixed()))
  expect_identical(score$columns$weight$range, c(1, 8))
  net <- "[colour][size][weight|colour]"
  expect_equal(score_network(net, mixed(), given), score_network(net, mixed(), "pcart"))
  net <- "[size][weight][colour|weight]"
  expect_false(isTRUE(all.equal(score_network(net, mixed(), given),
                                score_network(net, mixed(), "pcart"))))
})

test_that("standardised scores are those of standardised columns", {
  scaled <- mixed()
  scaled$weight <- as.numeric(scale(scaled$weight))
  for (score in list(score_pcart, score_ft)) {
    net <- "[colour][size][weight|colour:size]"
    expect_equal(score_network(net, mixed(), score(nu = 2)),
                 score_network(net, scaled, score(nu = 2, standardise = FALSE)))
  }
})

test_that("weights are repeated rows", {
  w <- c(3, 1, 2, 1, 4, 1, 1, 2)
  repeated <- mixed()[rep(seq_along(w), w), ]
  for (score in c("pcart", "pcart-p", "ft", "ft-p")) {
    once <- parent_sets(mixed(), score, weights = w)
    expect_equal(as.data.frame(once), as.data.frame(parent_sets(repeated, score)))
  }
})

test_that("Hazen's cuts are R's quantiles", {
  set.seed(3)
  for (x in list(c(5, 1, 3), stats::rnorm(17), as.numeric(sample(5, 50, TRUE)),
                 round(stats::rexp(200), 1))) {
    for (bins in 2:9) {
      expect_identical(hazen_cuts(x, NULL, bins),
                       unname(stats::quantile(x, seq_len(bins - 1) / bins, type = 5)))
      w <- rep_len(1:3, length(x))
      expect_identical(hazen_cuts(x, w, bins), hazen_cuts(rep(x, w), NULL, bins))
    }
  }
})

test_that("scores do not depend on rows, labels, columns or threads", {
  wanted <- parent_sets(mixed(), "pcart", threads = 1)
  other <- mixed()[8:1, ]
  other$colour <- factor(other$colour, levels = c("red", "blue", "green"))
  expect_equal(as.data.frame(parent_sets(other, "pcart", threads = 2)), as.data.frame(wanted))
  turned <- score_network("[weight][size|weight][colour|size:weight]", mixed()[3:1], "pcart")
  expect_equal(turned,
               score_network("[weight][size|weight][colour|size:weight]", mixed(), "pcart"))
})

test_that("FT is the Jeffreys score on discrete columns", {
  titanic <- as.data.frame(Titanic)
  net <- "[Class][Sex|Class][Age|Class:Sex][Survived|Age:Sex]"
  expect_equal(score_network(net, titanic[1:4], "ft", weights = titanic$Freq),
               score_network(net, titanic[1:4], "bdj", weights = titanic$Freq))
  expect_equal(score_network(net, titanic[1:4], score_ft(iss = 3), weights = titanic$Freq),
               score_network(net, titanic[1:4], score_bde(iss = 3), weights = titanic$Freq))
})

test_that("trees that become too large are refused before any work", {
  many <- data.frame(
    code = factor(rep(1:40, 5)), part = factor(rep_len(1:30, 200)),
    x = rep_len(c(1, 4, 2), 200), y = factor(rep_len(c("a", "b", "b"), 200))
  )
  any_two <- score_pcart(max_levels = 64)
  expect_snapshot(error = TRUE, parent_sets(many, any_two, max_parents = 3))
  expect_error(parent_sets(many["code"], any_two), NA)
  condition <- tryCatch(parent_sets(many[c("code", "y")], any_two, memory_limit = 1e9),
                        error = identity)
  expect_s3_class(condition, "optbn_error_memory")
  expect_match(conditionMessage(condition), "40 levels")
  expect_error(score_network("[code][part][x][y|code:part]", many, any_two),
               class = "optbn_error_memory")
  # as ordered factors they are cheap
  many$code <- factor(many$code, ordered = TRUE)
  many$part <- factor(many$part, ordered = TRUE)
  expect_s3_class(parent_sets(many, any_two, max_parents = 2), "optbn_parent_sets")
})

test_that("discretised tables without numbers for their cells are refused", {
  many <- as.data.frame(matrix(factor(rep(1:100, 3)), 300, 11))
  many[] <- lapply(many, factor)
  many$x <- rep_len(c(1, 5, 2), 300)
  everything <- "[x][V1|V2:V3:V4:V5:V6:V7:V8:V9:V10:V11:x]"
  network <- paste0(everything, paste0("[V", 2:11, "]", collapse = ""))
  expect_snapshot(error = TRUE, score_network(network, many, "ft"))
  expect_true(is.finite(score_network(sub(":V10:V11:x", "", network), many, "ft")))
})

test_that("what makes scoring long is said beforehand", {
  set.seed(1)
  many <- data.frame(code = factor(sample(14, 500, TRUE)), part = factor(sample(12, 500, TRUE)),
                     y = factor(sample(2, 500, TRUE)), z = factor(sample(2, 500, TRUE)))
  no_limits <- check_limits(NULL, Inf, Inf, FALSE, NULL)
  problem <- scoring_problem(many, score_pcart(max_levels = 20), 2, NULL, NULL, NULL, NULL, NULL,
                             no_limits, NULL)
  expect_snapshot(announce_many_levels(problem, NULL))
  expect_silent(announce_many_levels(
    scoring_problem(many[3:4], "pcart", NULL, NULL, NULL, NULL, NULL, NULL, no_limits, NULL), NULL
  ))
})

test_that("forecasts count the boxes and the splits of all parent sets", {
  encoded <- encode_data(mixed())
  axes <- tree_axes(score_pcart(max_splits = 2), encoded)
  expect_identical(axes$regions, c(7, 6, 7))
  expect_identical(axes$splits, c(6, 4, 3))
  expect_identical(axes$bits, c(3, 3, 3))
  # no parents, or a factor of 3 levels
  bytes <- tree_bytes(check_constraints(encoded$nodes), encoded, score_pcart(max_splits = 2), 0:1)
  expect_identical(bytes, c(1, 7) * 230 + 8 * c(0, 6))
})

test_that("sums over the parent sets that constraints admit are those over all of them, listed", {
  x <- c(2, 3, 5, 7, 11)
  dx <- c(1, 0, 4, 2, 3)
  constraints <- check_constraints(
    letters[1:5], whitelist = c("a", "b"), blacklist = rbind(c("c", "b"), c("c", "d"), c("e", "a")),
    max_parents = c(4, 3, 2, 0, 1)
  )
  products <- growth <- numeric(5)
  for (v in 1:5) {
    for (mask in 0:31) {
      set <- which(bitwAnd(mask, 2^(0:4)) > 0)
      if (v %in% set || any(constraints$forbidden[[v]] %in% set) ||
            !all(constraints$required[[v]] %in% set) ||
            length(set) > constraints$max_parents[v]) next
      size <- length(set) + 1
      products[size] <- products[size] + prod(x[set])
      growth[size] <- growth[size] + prod(x[set]) * sum(dx[set] / x[set])
    }
  }
  expect_equal(admitted_sums(constraints, x, dx, 0:4), list(products = products, growth = growth))
})

# ---- factors of many levels -------------------------------------------------------------------

# y has two levels, z three; x is a number, u has nothing to do with the others.
coded <- function(rows = 400, levels = 20, seed = 1) {
  set.seed(seed)
  effect <- stats::rnorm(levels)
  code <- factor(sample(levels, rows, TRUE), seq_len(levels))
  by_code <- effect[code]
  data.frame(
    code = code, u = factor(sample(c("a", "b"), rows, TRUE)),
    x = 2 * by_code + stats::rnorm(rows),
    y = factor(stats::rbinom(rows, 1, stats::plogis(4 * by_code))),
    z = factor(findInterval(by_code + stats::rnorm(rows) / 4, c(-0.5, 0.5)))
  )
}

# As the user would order them.
by_hand <- function(data, order) {
  data$code <- factor(data$code, levels(data$code)[order], ordered = TRUE)
  data
}

tree_of <- function(data, child, parents, score = "pcart") {
  encoded <- encode_data(data)
  score <- complete_score(as_score(score), encoded)
  sets <- rep(list(integer()), ncol(data))
  sets[[match(child, names(data))]] <- match(parents, names(data))
  core_local_structures(encoded, score, sets, quiet_host())[[match(child, names(data))]]
}

data_score <- function(tree) tree$score - tree$log_norm - sum(is.na(tree$parent)) * tree$log_leaf

test_that("a split over many levels of a node of two is the best of all ways to split them", {
  for (seed in 1:20) {
    levels <- 3 + seed %% 8
    data <- coded(60, levels, seed)[c("code", "y")]
    counts <- table(data$code, data$y)
    leaf <- function(counts) {
      lgamma(1) - lgamma(sum(counts) + 1) + sum(lgamma(counts + 0.5) - lgamma(0.5))
    }
    ways <- vapply(seq_len(2^(levels - 1) - 1), function(mask) {
      left <- bitwAnd(mask, 2^(seq_len(levels) - 1)) > 0
      leaf(colSums(counts[left, , drop = FALSE])) + leaf(colSums(counts[!left, , drop = FALSE]))
    }, 0)
    tree <- tree_of(data, "y", "code", score_pcart(max_levels = 2))
    if (sum(is.na(tree$parent)) == 2L) expect_equal(data_score(tree), max(ways))
    all_trees <- tree_of(data, "y", "code", score_pcart(max_levels = 64))
    expect_equal(tree[c("log_leaf", "log_norm")], all_trees[c("log_leaf", "log_norm")])
    expect_lte(tree$score, all_trees$score + 1e-9)
  }
})

test_that("many levels are cut as those of an ordered factor, by mean, share or component", {
  data <- coded()
  shares <- prop.table(table(data$code, data$z), 1)
  component <- eigen(stats::cov.wt(shares, tabulate(data$code))$cov)$vectors[, 1L]
  orders <- list(x = order(tapply(data$x, data$code, mean)),
                 y = order(tapply(as.integer(data$y), data$code, mean)),
                 z = order(shares %*% component))
  for (child in names(orders)) {
    for (parents in list("code", c("code", "u"))) {
      tree <- tree_of(data, child, parents)
      hand <- tree_of(by_hand(data, orders[[child]]), child, parents)
      leaves <- sum(is.na(tree$parent))
      expect_gt(leaves, 1)
      # leaves cost less by hand, which may allow more of them
      expect_gte(data_score(hand) + 1e-9, data_score(tree))
      if (leaves == sum(is.na(hand$parent))) expect_equal(data_score(tree), data_score(hand))
    }
  }
  # a price of leaves that is the same
  free <- by_hand(data, orders$y)
  free$code <- factor(free$code, ordered = FALSE) # its levels in order, and cut in it
  expect_equal(tree_of(free, "y", "code")$score, tree_of(data, "y", "code")$score)
})

test_that("many levels that explain nothing make no parent", {
  for (seed in 1:5) {
    set.seed(seed)
    data <- data.frame(code = factor(sample(30, 500, TRUE)), y = factor(sample(2, 500, TRUE)),
                       x = stats::rnorm(500))
    network <- suppressMessages(learn_dag(data, "pcart"))
    expect_false("code" %in% network$arcs[, "from"])
  }
})

test_that("many levels are announced, and the scope says so", {
  data <- coded()
  expect_snapshot(network <- learn_dag(data, "pcart"))
  expect_identical(certificate(network)$settings$in_order, "code")
  expect_match(as.data.frame(certificate(network))$scope, "levels of code cut in order")
  expect_match(format(network), "levels of code cut in order", all = FALSE)
  expect_match(summary(network)$lines, "levels of code cut in order", all = FALSE)
  sets <- suppressMessages(parent_sets(data, "pcart"))
  expect_match(format(sets), "levels of code cut in order", all = FALSE)
  expect_identical(sets[c("u", "x")]$settings$in_order, NULL)
  # nothing is cut where it is no parent, or has an order, or few enough levels
  expect_silent(network <- learn_dag(data, "pcart",
                                     blacklist = data.frame("code", c("u", "x", "y", "z"))))
  expect_null(certificate(network)$settings$in_order)
  expect_silent(learn_dag(by_hand(data, 1:20), "pcart"))
  expect_silent(learn_dag(coded(levels = 12), "pcart", max_parents = 1))
})

test_that("a column of names is no parent, unless it is asked for", {
  data <- coded()[c("u", "x", "y")]
  data$name <- factor(seq_len(nrow(data)))
  expect_snapshot(network <- learn_dag(data, "pcart"))
  settings <- certificate(network)$settings
  expect_identical(settings$max_parents, rep(3L, 4))
  expect_identical(settings$left_out, "name")
  expect_match(as.data.frame(certificate(network))$scope, "^all parent sets without name")
  expect_identical(certificate(update(network, data))$settings$left_out, "name")
  expect_setequal(arc_keys(settings$blacklist), paste("name ->", c("u", "x", "y")))
  expect_true(all(verify_certificate(network, data)$ok))
  # asked for by a limit, or by name
  encoded <- encode_data(data)
  score <- complete_score(as_score("pcart"), encoded)
  required <- check_constraints(encoded$nodes, whitelist = c("name", "x"))
  expect_identical(leave_out_largest(required, encoded, score), required)
  expect_message(sets <- parent_sets(data, "pcart", max_parents = 1), "cut .*name.* in the order")
  expect_null(sets$settings$blacklist)
})

test_that("scores, checks, fits and predictions agree on many levels", {
  data <- coded()
  network <- suppressMessages(learn_dag(data, "pcart"))
  expect_true("code" %in% network$arcs[, "from"])
  record <- certificate(network)
  expect_equal(score_network(network, data, "pcart", by_node = TRUE), record$node_scores)
  expect_true(all(verify_certificate(network, data)$ok))
  fit <- fit_network(network, data)
  child <- network$arcs[match("code", network$arcs[, "from"]), "to"]
  local <- local_model(fit, child)
  expect_match(format(local$partition), "code in \\{", all = FALSE)
  expect_length(predict(fit, data, child), nrow(data))
  expect_true(all(is.finite(logLik(fit))))
  file <- withr::local_tempfile(fileext = ".pdf")
  withr::with_pdf(file, plot(local))
  expect_gt(file.size(file), 0)
})

test_that("orders of levels depend neither on labels, rows and columns nor on threads", {
  data <- coded()
  wanted <- suppressMessages(parent_sets(data, "pcart", threads = 1))
  other <- data[rev(seq_len(nrow(data))), ]
  other$code <- factor(other$code, levels = rev(levels(other$code)))
  found <- suppressMessages(parent_sets(other, "pcart", threads = 2))
  expect_equal(as.data.frame(found), as.data.frame(wanted))
  turned <- score_network("[code][u][x][y|code:u][z|code]", data[5:1], "pcart")
  expect_equal(turned, score_network("[code][u][x][y|code:u][z|code]", data, "pcart"))
})

# ---- known cases --------------------------------------------------------------

# A column of a case as the core takes it: cases include what encode_data() refuses.
known_column <- function(column) {
  if (column$type == "continuous") {
    return(list(values = numbers(column$values), levels = NULL, type = "numeric"))
  }
  list(values = as.integer(numbers(column$values)), levels = as.character(seq_len(column$k) - 1L),
       type = if (column$type == "ordinal") "ordered" else "factor")
}

known_range <- function(column) {
  x <- numbers(column$values)
  if (!is.null(column$min)) c(column$min, column$max) else if (length(x)) range(x) else c(0, 1)
}

# Is the tree below a row the one that is known? Sides of factors may be exchanged.
is_known_tree <- function(known, tree, row, predictors) {
  if (is.null(known$var)) return(is.na(tree$parent[row]) && tree$rows[row] == known$n)
  if (!identical(tree$parent[row], known$var + 1L)) return(FALSE)
  predictor <- predictors[[known$var + 1L]]
  sides <- list(known$left, known$right)
  if (predictor$type == "continuous") {
    if (tree$cell[row] / 2^predictor$s != numbers(known$left_region)[2L]) return(FALSE)
  } else {
    left <- tree$left_codes[[row]]
    levels <- function(region) { # of an ordered factor the first and the last
      region <- numbers(region)
      if (predictor$type == "ordinal") seq(region[1L], region[2L]) else region
    }
    if (setequal(left, levels(known$right_region))) {
      sides <- rev(sides)
    } else if (!setequal(left, levels(known$left_region))) {
      return(FALSE)
    }
  }
  is_known_tree(sides[[1L]], tree, tree$left[row], predictors) &&
    is_known_tree(sides[[2L]], tree, tree$right[row], predictors)
}

test_that("all known trees are found", {
  unique_trees <- 0
  for (case in known_cases()$pcart) {
    response <- case$response
    all <- c(case$predictors, list(response))
    columns <- lapply(all, known_column)
    encoded <- list(
      nodes = as.character(seq_along(all)), rows = case$N, total = case$N, weights = NULL,
      columns = lapply(columns, `[[`, "values"), levels = lapply(columns, `[[`, "levels"),
      types = vapply(columns, `[[`, "", "type")
    )
    score <- list(label = "pcart", alpha = response$alpha, iss = response$ess, nu = response$nu,
                  lambda = response$lambda, mu = response$mubar, a = response$a,
                  max_splits = unlist(lapply(case$predictors, `[[`, "s"))[1L])
    score <- Filter(Negate(is.null), score)
    score$columns <- lapply(all, function(column) {
      if (column$type == "continuous") {
        list(centre = 0, spread = 1, range = known_range(column))
      }
    })
    last <- length(all)
    sets <- c(rep(list(integer()), last - 1L), list(seq_len(last - 1L)))
    tree <- core_local_structures(encoded, score, sets, quiet_host())[[last]]
    expected <- case$expected
    expect_equal(tree$log_leaf, expected$log_gamma, tolerance = 1e-9, info = case$id)
    expect_equal(tree$log_norm, expected$log_norm, tolerance = 1e-9, info = case$id)
    expect_lt(abs(tree$score - expected$score_paper), 1e-9)
    leaves <- sum(is.na(tree$parent))
    if (identical(expected$n_optimal_trees, 1L)) {
      unique_trees <- unique_trees + 1
      expect_identical(leaves, expected$n_leaves, info = case$id)
      data_score <- tree$score - tree$log_norm - leaves * tree$log_leaf
      expect_lt(abs(data_score - expected$data_score), 1e-9)
      expect_true(is_known_tree(expected$tree, tree, 1L, case$predictors), info = case$id)
    }
    score$label <- "pcart-p"
    encoded_more <- encoded # as many nodes as the case says, for the penalty
    more <- case$n_vars - last
    encoded_more$columns <- c(encoded$columns, rep(list(rep(0L, case$N)), more))
    encoded_more$levels <- c(encoded$levels, rep(list(c("0", "1")), more))
    encoded_more$types <- c(encoded$types, rep("factor", more))
    score$columns <- c(score$columns, vector("list", more))
    sets <- c(sets, rep(list(integer()), more))
    if (case$N > 0) {
      penalised <- core_score_network(encoded_more, score, sets)[last]
      expect_lt(abs(penalised - expected$score_paper_p), 1e-9)
    }
  }
  expect_gt(unique_trees, 50)
})

test_that("known leaves have their scores", {
  cases <- known_cases()
  one_node <- function(column, levels, type, score) {
    encoded <- list(nodes = "y", rows = length(column), total = length(column), weights = NULL,
                    columns = list(column), levels = list(levels), types = type)
    score$columns <- list(if (is.null(levels)) list(centre = 0, spread = 1, range = c(0, 1)))
    core_local_structures(encoded, c(list(label = "pcart"), score), list(integer()),
                          quiet_host())[[1L]]$score
  }
  for (case in cases$leaf_dirichlet) {
    counts <- as.integer(numbers(case$counts))
    score <- one_node(rep(seq_along(counts) - 1L, counts), as.character(seq_along(counts)),
                      "factor", list(alpha = case$alpha))
    expect_lt(abs(score - case$logml), 1e-9)
  }
  for (case in cases$leaf_nig) {
    score <- one_node(numbers(case$y), NULL, "numeric",
                      list(nu = case$nu, lambda = case$lambda, mu = case$mubar, a = case$a))
    expect_lt(abs(score - case$logml), 1e-9)
  }
})

test_that("known networks have their scores, candidates and optima", {
  for (case in known_cases()$network) {
    data <- as.data.frame(Map(function(type, x) {
      if (type$type == "continuous") numbers(x) else factor(numbers(x), seq_len(type$k) - 1)
    }, case$types, case$columns), col.names = paste0("v", seq_len(case$n) - 1L))
    scores <- list(
      PCART = score_pcart(max_splits = case$s, standardise = FALSE),
      PCARTp = score_pcart(max_splits = case$s, standardise = FALSE, penalty = "size"),
      FT = score_ft(max_bins = case$max_bins, standardise = FALSE),
      FTp = score_ft(max_bins = case$max_bins, standardise = FALSE, penalty = "size")
    )
    for (name in names(scores)) {
      expected <- case$expected[[name]]
      for (v in seq_len(case$n)) {
        for (local in expected$local[[v]]) {
          parents <- matrix(0, case$n, case$n, dimnames = list(names(data), names(data)))
          parents[numbers(local$P) + 1, v] <- 1
          got <- score_network(parents, data, scores[[name]], by_node = TRUE)[[v]]
          expect_lt(abs(got - local$score), 1e-9)
        }
      }
      sets <- as.data.frame(parent_sets(data, scores[[name]]))
      wanted <- unlist(lapply(seq_len(case$n), function(v) {
        vapply(expected$nondominated[[v]], function(set) {
          paste0("v", v - 1, ":", paste0("v", numbers(set), collapse = ":", recycle0 = TRUE))
        }, "")
      }))
      expect_setequal(paste0(sets$node, ":", sets$parents), wanted)
      network <- learn_dag(data, scores[[name]])
      expect_lt(abs(certificate(network)$score - expected$best), 1e-9)
    }
  }
})

test_that("known cuts are Hazen's", {
  for (case in known_cases()$quantile_bins) {
    x <- numbers(case$x)
    for (bins in names(case$bins)) {
      cuts <- hazen_cuts(x, NULL, as.integer(bins))
      expect_equal(cuts, numbers(case$bins[[bins]]$cuts), tolerance = 1e-12)
      expect_identical(findInterval(x, cuts), as.integer(numbers(case$bins[[bins]]$bin)))
    }
  }
})
