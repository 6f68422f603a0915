# Entropy and information of sets of nodes, by summing rows up.
summed_entropy <- function(all, nodes) {
  if (!length(nodes)) return(0)
  p <- rowsum(all$p, do.call(paste, all$rows[nodes]))
  sum_of_logs(p, -log(p))
}

summed_information <- function(all, x, y, given) {
  summed_entropy(all, c(x, given)) + summed_entropy(all, c(y, given)) -
    summed_entropy(all, c(x, y, given)) - summed_entropy(all, given)
}

summed_divergence <- function(all, q) {
  sum_of_logs(all$p, log(all$p) - log_density(q, all$rows))
}

# Three sets without a node in common, the last maybe empty.
random_sets <- function(nodes) {
  nodes <- sample(nodes)
  size <- 1L + sample(length(nodes) - 1L, 1)
  to <- c(1, 2, sample(3, size - 2, replace = TRUE))
  lapply(1:3, function(i) nodes[seq_len(size)][to == i])
}


test_that("measures of discrete networks are those of their joint distribution", {
  set.seed(1)
  infinite <- 0
  for (repeats in 1:25) {
    zeros <- sample(c(0, 0.3), 1)
    p <- random_fit(sample(2:6, 1), zeros = zeros, types = TRUE)
    all <- enumerate(p)
    expect_equal(entropy(p), summed_entropy(all, p$nodes), tolerance = 1e-12)
    sets <- random_sets(p$nodes)
    expect_equal(entropy(p, sets[[1]]), summed_entropy(all, sets[[1]]), tolerance = 1e-12)
    information <- mutual_information(p, sets[[1]], sets[[2]], if (length(sets[[3]])) sets[[3]])
    expect_lt(abs(information - summed_information(all, sets[[1]], sets[[2]], sets[[3]])), 1e-12)
    q <- another_fit(p, method = sample(c("mle", "bayes"), 1))
    expected <- summed_divergence(all, q)
    infinite <- infinite + (expected == Inf)
    expect_equal(kl_divergence(p, q), expected, tolerance = 1e-11)
  }
  expect_gt(infinite, 2)
})

test_that("measures of density models are those of their joint distribution", {
  set.seed(2)
  for (class in c("optbn_cutset_network", "optbn_latent_tree", "optbn_mixture")) {
    for (repeats in 1:5) {
      p <- random_density(class, zeros = sample(c(0, 0.2), 1), types = TRUE)
      all <- enumerate(p)
      expect_equal(entropy(p), summed_entropy(all, p$nodes), tolerance = 1e-11)
      sets <- random_sets(p$nodes)
      expect_equal(entropy(p, sets[[1]]), summed_entropy(all, sets[[1]]), tolerance = 1e-11)
      information <- mutual_information(p, sets[[1]], sets[[2]], if (length(sets[[3]])) sets[[3]])
      expect_lt(abs(information - summed_information(all, sets[[1]], sets[[2]], sets[[3]])), 1e-11)
      network <- another_fit(p, method = sample(c("mle", "bayes"), 1))
      expect_equal(kl_divergence(p, network), summed_divergence(all, network), tolerance = 1e-10)
      of_network <- enumerate(network)
      expect_equal(kl_divergence(network, p), summed_divergence(of_network, p), tolerance = 1e-10)
      rows <- Map(function(x, levels) factor(x, levels), simulate(p, 50), p$levels)
      tree <- suppressMessages(learn_chow_liu(list2DF(rows)))
      expect_equal(kl_divergence(p, tree), summed_divergence(all, tree), tolerance = 1e-10)
      expect_equal(kl_divergence(tree, p), summed_divergence(enumerate(tree), p),
                   tolerance = 1e-10)
      expect_identical(kl_divergence(p, p), 0)
    }
  }
})

test_that("measures of Gaussian networks are the textbook's", {
  set.seed(3)
  for (repeats in 1:20) {
    p <- random_gaussian_fit(sample(2:7, 1))
    q <- another_fit(p)
    moments <- joint_moments(p)
    expect_equal(entropy(p), normal_entropy_of(moments$covariance), tolerance = 1e-11)
    of_set <- function(set) {
      if (!length(set)) return(0)
      normal_entropy_of(moments$covariance[set, set, drop = FALSE])
    }
    sets <- random_sets(p$nodes)
    expect_equal(entropy(p, sets[[1]]), of_set(sets[[1]]), tolerance = 1e-10)
    expected <- of_set(c(sets[[1]], sets[[3]])) + of_set(c(sets[[2]], sets[[3]])) -
      of_set(unlist(sets)) - of_set(sets[[3]])
    information <- mutual_information(p, sets[[1]], sets[[2]], if (length(sets[[3]])) sets[[3]])
    expect_lt(abs(information - expected), 1e-10)
    theirs <- lapply(joint_moments(q), function(x) {
      if (is.matrix(x)) x[p$nodes, p$nodes] else x[p$nodes]
    })
    expect_equal(kl_divergence(p, q), normal_kl(moments, theirs), tolerance = 1e-8)
  }
})

test_that("measures of networks with discrete and continuous nodes are sums over components", {
  set.seed(4)
  closed <- 0
  for (repeats in 1:12) {
    p <- random_mixed_fit(sample(2:3, 1), sample(1:4, 1))
    q <- another_fit(p, rows = 300)
    discrete <- names(Filter(length, p$levels))
    nodes <- setdiff(p$nodes, discrete)
    rows <- expand.grid(p$levels[discrete], KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
    ours <- normal_components(p, rows, nodes)
    theirs <- normal_components(q, rows, nodes)
    weight <- exp(ours$log_p)
    within <- vapply(ours$moments, function(x) normal_entropy_of(x$covariance), 0)
    expect_equal(entropy(p), sum(weight * (within - ours$log_p)), tolerance = 1e-11)
    apart <- mapply(normal_kl, ours$moments, theirs$moments)
    expect_equal(kl_divergence(p, q), sum(weight * (ours$log_p - theirs$log_p + apart)),
                 tolerance = 1e-9)
    some <- sample(nodes, sample(length(nodes), 1))
    within <- vapply(ours$moments, function(x) {
      normal_entropy_of(x$covariance[some, some, drop = FALSE])
    }, 0)
    expect_equal(entropy(p, c(some, discrete)), sum(weight * (within - ours$log_p)),
                 tolerance = 1e-11)
    expect_equal(entropy(p, discrete), -sum(weight * ours$log_p), tolerance = 1e-11)
    if (length(nodes) > 1) {
      closed <- closed + 1
      half <- nodes[seq_len(length(nodes) %/% 2)]
      pair <- c(half, setdiff(nodes, half))
      expected <- sum(weight * vapply(ours$moments, function(x) {
        of_half <- normal_entropy_of(x$covariance[half, half, drop = FALSE])
        rest <- setdiff(pair, half)
        of_half + normal_entropy_of(x$covariance[rest, rest, drop = FALSE]) -
          normal_entropy_of(x$covariance[pair, pair])
      }, 0))
      information <- mutual_information(p, half, setdiff(pair, half), discrete)
      expect_lt(abs(information - expected), 1e-10)
    }
  }
  expect_gt(closed, 5)
})

test_that("means over draws come near", {
  set.seed(5)
  p <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  q <- fit_network("[Species][Petal.Width][Petal.Length|Petal.Width]", iris)
  rows <- simulate(p, 20000)
  log_p <- log_density(p, rows)
  near <- function(draws, value) expect_lt(abs(mean(draws) - value), 5 * sd(draws) / sqrt(20000))
  near(-log_p, entropy(p))
  near(log_p - log_density(q, rows), kl_divergence(p, q))
})

test_that("all kinds of objects of one network give the same answers", {
  fit <- titanic_fit()
  other <- fit_network("[Class][Sex][Age|Sex][Survived|Class:Sex]", as.data.frame(Titanic)[1:4],
                       weights = as.data.frame(Titanic)$Freq)
  compiled <- compile_network(fit)
  expect_identical(entropy(compiled), entropy(fit))
  expect_identical(kl_divergence(compiled, compile_network(other)), kl_divergence(fit, other))
  gaussian <- fit_network("[complaints][learning|complaints][rating|complaints:learning]", attitude)
  less <- fit_network("[complaints][learning][rating|complaints]", attitude)
  expect_equal(entropy(compile_network(gaussian)), entropy(gaussian), tolerance = 1e-13)
  mixed <- fit_network("[Species][Petal.Width|Species][Petal.Length|Petal.Width:Species]", iris)
  plain <- fit_network("[Species][Petal.Width|Species][Petal.Length|Petal.Width]", iris)
  expect_equal(entropy(compile_network(mixed)), entropy(mixed), tolerance = 1e-13)
  expect_equal(kl_divergence(compile_network(mixed), compile_network(plain)),
               kl_divergence(mixed, plain), tolerance = 1e-13)
  expect_equal(kl_divergence(compile_network(gaussian), less), kl_divergence(gaussian, less),
               tolerance = 1e-13)
  skip_without_peer("bnlearn")
  flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  fewer <- fit_network("[Species][Petal.Width][Petal.Length|Petal.Width:Species]", iris)
  for (pair in list(list(fit, other), list(gaussian, less), list(flowers, fewer))) {
    theirs <- lapply(pair, bnlearn::as.bn.fit)
    expect_equal(entropy(theirs[[1]]), entropy(pair[[1]]), tolerance = 1e-13)
    expected <- kl_divergence(pair[[1]], pair[[2]])
    expect_equal(kl_divergence(theirs[[1]], theirs[[2]]), expected, tolerance = 1e-12)
    expect_equal(kl_divergence(theirs[[1]], pair[[2]]), expected, tolerance = 1e-12)
    expect_lt(kl_divergence(pair[[1]], theirs[[1]]), 1e-13)
  }
})

test_that("trees and discretised tables over discrete parents count as tables", {
  set.seed(6)
  data <- simulate(random_fit(5), 300)
  data$x <- as.integer(data[[1]]) + stats::rnorm(300)
  for (score in c("pcart", "ft")) {
    network <- learn_dag(data[1:5], score, max_parents = 2)
    p <- fit_network(network, data)
    all <- enumerate(p)
    q <- another_fit(p)
    expect_equal(entropy(p), summed_entropy(all, p$nodes))
    expect_equal(kl_divergence(p, q), summed_divergence(all, q))
    expect_equal(kl_divergence(q, p), summed_divergence(enumerate(q), p))
  }
  leaves <- fit_network("[N001][x|N001]", data, score = "pcart", leaf = "normal")
  per_leaf <- log(local_model(leaves, "x")$scale) + (1 + log(2 * pi)) / 2
  skip_without_peer("bnlearn")
  expect_equal(entropy(leaves), entropy(bnlearn::as.bn.fit(leaves)))
  expect_gt(entropy(leaves) - entropy(leaves, "N001"), min(per_leaf))
})

test_that("a model is at distance 0 from itself, and no distance is negative", {
  set.seed(7)
  for (fit in list(random_fit(6), random_gaussian_fit(6), random_mixed_fit(3, 3))) {
    expect_identical(kl_divergence(fit, fit), 0)
    near <- fit
    node <- utils::tail(fit$nodes, 1)
    if (is.null(fit$levels[[node]])) {
      near$models[[node]]$sd <- near$models[[node]]$sd * (1 + 1e-9)
    } else {
      prob <- near$models[[node]]$prob + 1e-9
      near$models[[node]]$prob[] <- sweep(matrix(prob, dim(prob)[1]), 2,
                                          colSums(matrix(prob, dim(prob)[1])), "/")
    }
    expect_lt(abs(kl_divergence(fit, near) - 1e-16), 1e-15)
    expect_gte(kl_divergence(fit, near), 0)
  }
})

test_that("neither the order of nodes nor that of levels matters", {
  set.seed(8)
  p <- random_mixed_fit(3, 3)
  q <- another_fit(p)
  turned <- p
  turned$nodes <- rev(p$nodes)
  for (part in c("parents", "models", "levels", "prototype", "log_likelihood")) {
    turned[[part]] <- rev(p[[part]])
  }
  expect_equal(entropy(turned), entropy(p))
  expect_equal(kl_divergence(turned, q), kl_divergence(p, q))
  expect_equal(kl_divergence(q, turned), kl_divergence(q, p))
  fit <- random_fit(5)
  expect_equal(entropy(fit, c("N002", "N004")), entropy(fit, c("N004", "N002")))
  expect_equal(mutual_information(fit, c("N002", "N004"), "N001", "N005"),
               mutual_information(fit, "N001", c("N004", "N002"), "N005"))
})

test_that("units shift entropies of continuous nodes, and nothing else", {
  scaled <- attitude
  scaled[] <- Map(`*`, attitude, 10^(1:7 - 4))
  strings <- c("[complaints][learning|complaints][rating|complaints:learning]",
               "[complaints][learning][rating|complaints]")
  ours <- lapply(strings, fit_network, attitude)
  theirs <- lapply(strings, fit_network, scaled)
  shift <- sum(log(10) * (match(ours[[1]]$nodes, names(attitude)) - 4))
  expect_equal(entropy(theirs[[1]]) - entropy(ours[[1]]), shift)
  expect_equal(kl_divergence(theirs[[1]], theirs[[2]]), kl_divergence(ours[[1]], ours[[2]]))
  expect_equal(mutual_information(theirs[[1]], "rating", "learning", "complaints"),
               mutual_information(ours[[1]], "rating", "learning", "complaints"))
})

test_that("separated nodes say nothing about each other", {
  set.seed(9)
  data <- simulate(random_fit(3), 200)
  chain <- fit_network("[N001][N002|N001][N003|N002]", data)
  expect_lt(mutual_information(chain, "N001", "N003", "N002"), 1e-15)
  numbers <- random_gaussian_fit(3)
  line <- fit_network("[N001][N002|N001][N003|N002]", simulate(numbers, 50))
  expect_lt(mutual_information(line, "N001", "N003", "N002"), 1e-14)
  apart <- fit_network("[N001][N002][N003]", data)
  expect_lt(mutual_information(apart, "N001", c("N002", "N003")), 1e-15)
})

test_that("what p allows and q does not is infinitely far", {
  level <- function(p) {
    prob <- array(p, 2, list(c("x", "y")))
    structure(list(node = "a", parents = character(), prob = prob, remarks = integer()),
              class = c("optbn_table", "optbn_local"))
  }
  one <- random_fit(1, 2)
  one$nodes <- names(one$levels) <- names(one$parents) <- names(one$prototype) <- "a"
  names(one$log_likelihood) <- "a"
  one$levels$a <- c("x", "y")
  one$prototype$a <- factor(character(), c("x", "y"))
  of <- function(p) replace(one, "models", list(list(a = level(p))))
  expect_identical(kl_divergence(of(c(0.5, 0.5)), of(c(1, 0))), Inf)
  expect_identical(kl_divergence(of(c(1, 0)), of(c(0.5, 0.5))), log(2))
  expect_identical(kl_divergence(of(c(1, 0)), of(c(1, 0))), 0)
  expect_identical(kl_divergence(of(c(1, 0)), of(c(0, 1))), Inf)
  expect_identical(entropy(of(c(1, 0))), 0)
  expect_identical(entropy(of(c(0.5, 0.5))), log(2))
})

test_that("bnlearn's divergences are ours where they are right", {
  skip_without_peer("bnlearn")
  set.seed(10)
  strings <- c("[A][B][E][G][C|A:B][D|B][F|A:D:E:G]", "[A][B|A][E|A][G][C|A:B][D|B:C][F|A:D:E]")
  p <- bnlearn::bn.fit(bnlearn::model2network(strings[1]), bnlearn::gaussian.test[1:200, ])
  q <- bnlearn::bn.fit(bnlearn::model2network(strings[2]), bnlearn::gaussian.test[300:900, ])
  exact <- if (utils::packageVersion("bnlearn") < "5.0") 1e-10 else 1e-6 # of normal nodes
  expect_equal(kl_divergence(p, q), bnlearn::KL(p, q), tolerance = exact)
  expect_equal(kl_divergence(q, p), bnlearn::KL(q, p), tolerance = exact)

  skip_without_peer("gRain") # which bnlearn 5 asks
  # of tables, bnlearn 4.9 adds up the configurations of the parents without their weights
  empty <- bnlearn::empty.graph(LETTERS[1:6])
  p <- bnlearn::bn.fit(empty, bnlearn::learning.test[1:100, ])
  q <- bnlearn::bn.fit(empty, bnlearn::learning.test[101:5000, ])
  expect_equal(kl_divergence(p, q), bnlearn::KL(p, q), tolerance = 1e-10)
  dag <- bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]")
  p <- bnlearn::bn.fit(dag, bnlearn::learning.test[1:1000, ])
  q <- bnlearn::bn.fit(dag, bnlearn::learning.test[1001:5000, ])
  weighted <- vapply(names(p), function(node) {
    parents <- p[[node]]$parents
    weight <- if (length(parents)) as.vector(query(p, parents)) else 1
    r <- dim(p[[node]]$prob)[1]
    ours <- matrix(p[[node]]$prob, r)
    sum(weight * colSums(ifelse(ours > 0, ours * log(ours / matrix(q[[node]]$prob, r)), 0)))
  }, 0)
  expect_equal(kl_divergence(p, q), sum(weighted), tolerance = 1e-10)
})

test_that("networks from a folder have their measures", {
  folder <- shared_path("data", "networks")
  skip_without_peer("bnlearn")
  set.seed(11)
  for (name in c("asia", "alarm", "insurance", "win95pts")) {
    lines <- readLines(file.path(folder, paste0(name, ".bif.gz")))
    file <- withr::local_tempfile(fileext = ".bif", lines = lines)
    p <- compile_network(suppressWarnings(bnlearn::read.bif(file)))
    rows <- simulate(p, 5000)
    q <- suppressMessages(fit_network(bnlearn::bn.net(suppressWarnings(bnlearn::read.bif(file))),
                                      rows[1:1000, ]))
    tree <- suppressMessages(learn_chow_liu(rows[1:1000, ]))
    log_p <- log_density(p, rows)
    near <- function(draws, value) expect_lt(abs(mean(draws) - value), 5 * sd(draws) / sqrt(5000))
    near(-log_p, entropy(p))
    fresh <- simulate(p, 5000)
    near(log_density(p, fresh) - log_density(q, fresh), kl_divergence(p, q))
    near(log_density(p, fresh) - log_density(tree, fresh), kl_divergence(p, tree))
    expect_identical(kl_divergence(p, p), 0)
  }
  mixed <- readRDS(file.path(folder, "gaussian", "sangiovese.rds"))
  gaussian <- !inherits(mixed, "bn.fit.cgnet")
  expect_true(is.finite(entropy(mixed)) || gaussian)
  expect_identical(kl_divergence(mixed, mixed), 0)
})

test_that("sets without a closed form and malformed arguments are refused", {
  fit <- titanic_fit()
  flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  trees <- fit_network("[Petal.Width][Petal.Length|Petal.Width]", iris, score = "pcart")
  renamed <- rlang::set_names(as.data.frame(Titanic)[1:4], c("Class", "Sex", "Age", "Alive"))
  cut <- transform(iris, Petal.Length = cut(Petal.Length, 2))
  expect_snapshot(error = TRUE, {
    entropy(iris)
    entropy(fit, "Name")
    entropy(fit, c("Age", "Age"))
    entropy(fit, character())
    entropy(trees)
    entropy(flowers, "Petal.Length")
    entropy(flowers, c("Petal.Length", "Petal.Width"))
    mutual_information(fit, "Age")
    mutual_information(fit, "Age", NULL)
    mutual_information(fit, "Age", "Sex", 1)
    mutual_information(fit, "Age", "Sex", list())
    mutual_information(fit, "Age", c("Sex", "Age"))
    mutual_information(fit, "Age", "Sex", "Age")
    mutual_information(flowers, "Species", "Petal.Length")
    mutual_information(flowers, "Petal.Width", "Petal.Length")
    kl_divergence(fit, "fit")
    kl_divergence(list(), fit)
    kl_divergence(fit, flowers)
    kl_divergence(fit, fit_network("[Class][Sex][Age][Alive]", renamed))
    kl_divergence(fit, fit_network("[Class][Sex][Age][Survived]",
                                   transform(as.data.frame(Titanic)[1:4],
                                             Class = factor(substr(Class, 1, 1)))))
    kl_divergence(fit_network("[Petal.Length]", iris), fit_network("[Petal.Length]", cut))
  })
  expect_error(entropy(trees), class = "optbn_error_data")
  expect_error(entropy(flowers, "Petal.Length"), class = "optbn_error_data")
  expect_error(kl_divergence(fit, flowers), class = "optbn_error_argument")
  expect_error(entropy(fit, "Name"), class = "optbn_error_argument")
})

test_that("models that do not hold together are refused", {
  fit <- titanic_fit()
  compiled <- compile_network(fit)
  compiled$models$Age$prob[] <- 0.9
  expect_snapshot(error = TRUE, {
    entropy(compiled)
    kl_divergence(fit, compiled)
    entropy(replace(fit, "levels", list(NULL)))
  })
  expect_error(entropy(compiled), class = "optbn_error_model")
  skip_without_peer("bnlearn")
  exact <- bnlearn::custom.fit(bnlearn::model2network("[a][b|a]"), list(
    a = c(x = 0.5, y = 0.5) |> matrix(1, dimnames = list(NULL, c("x", "y"))),
    b = list(coef = matrix(c(0, 1), 1, dimnames = list("(Intercept)", NULL)), sd = c(1, 0))
  ))
  open <- bnlearn::bn.fit(bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]"),
                          bnlearn::learning.test[1:5, ])
  expect_snapshot(error = TRUE, {
    entropy(exact)
    entropy(open)
  })
  expect_error(entropy(exact), class = "optbn_error_data")
})

test_that("what would take too much memory is refused", {
  set.seed(12)
  nodes <- node_names(40)
  data <- list2DF(rlang::set_names(lapply(nodes, function(node) {
    factor(sample(letters[1:2], 60, replace = TRUE))
  }), nodes))
  links <- paste0("[", nodes[-1], "|", nodes[-40], "]", collapse = "")
  chain <- fit_network(paste0("[N001]", links), data)
  mixture <- suppressMessages(learn_cutset_bag(data, components = 2))
  numbers <- data[1:28]
  for (i in 1:3) numbers[[paste0("X", i)]] <- stats::rnorm(60)
  families <- vapply(1:3, function(i) {
    given <- c(nodes[9 * i - 8:0], if (i > 1) paste0("X", i - 1))
    paste0("[X", i, "|", paste(given, collapse = ":"), "]")
  }, "")
  dependent <- paste0("[", nodes[1:27], "|N028]", collapse = "")
  deep <- suppressMessages(fit_network(paste0("[N028]", dependent, paste(families, collapse = "")),
                                       numbers))
  expect_snapshot(error = TRUE, {
    entropy(chain, nodes[seq(1, 39, by = 1.2)])
    mutual_information(chain, nodes[1:20], nodes[21:40])
    entropy(mixture)
    kl_divergence(chain, mixture)
    kl_divergence(deep, deep)
    entropy(deep, c("X3", nodes[1:28]))
    mutual_information(compile_network(chain, memory_limit = 1e6), nodes[seq(1, 19, 2)],
                       nodes[seq(20, 40, 2)])
  })
  expect_error(entropy(mixture), class = "optbn_error_memory")
  expect_error(kl_divergence(deep, deep), class = "optbn_error_memory")
  # sums over families need no table of everything
  expect_equal(entropy(chain, nodes[1:39]) + entropy(chain, nodes[39:40]) - entropy(chain, "N039"),
               entropy(chain))
  expect_gt(kl_divergence(chain, suppressMessages(learn_chow_liu(data))), 0)
  expect_gt(entropy(deep), 0)
})

test_that("names and labels may be odd", {
  odd <- data.frame(`{a}` = factor(c("x", "{y}", "x", "{y}")), `b|c` = c(TRUE, FALSE, FALSE, FALSE),
                    check.names = FALSE)
  odd <- odd[rep(1:4, 5), ]
  fit <- fit_network(structure(matrix(c(0, 0, 1, 0), 2), dimnames = rep(list(names(odd)), 2)), odd)
  all <- enumerate(fit)
  expect_equal(entropy(fit), summed_entropy(all, fit$nodes))
  missing <- data.frame(a = addNA(factor(c("x", NA, "x", NA, "x"))), b = factor(c(1, 2, 1, 1, 2)))
  model <- suppressMessages(learn_cutset(missing[rep(1:5, 20), ], min_rows = 2, min_features = 1))
  joint <- query(model, c("a", "b"))
  expect_equal(entropy(model), -sum(joint * log(joint)))
  expect_snapshot(mutual_information(fit, "{a}", "{q}"), error = TRUE)
})
