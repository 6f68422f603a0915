test_that("answers are those of a sum over all configurations", {
  set.seed(1)
  for (repeats in share_of(1:60)) {
    fit <- random_mixed_fit(sample(1:4, 1), sample(1:4, 1), zeros = sample(c(0, 0.2), 1))
    evidence <- random_mixed_evidence(fit)
    compiled <- compile_network(fit)
    all <- all_configurations(fit, evidence)
    total <- log_total(all$log_weight)
    expect_equal(log_probability(compiled, evidence), total, tolerance = 1e-10)
    weight <- exp(all$log_weight - total)

    each <- query(compiled, evidence = evidence)
    expect_named(each, fit$nodes)
    for (node in discrete_nodes(fit)) {
      sums <- tapply(weight, factor(all$levels[[node]], fit$levels[[node]]), sum)
      expect_equal(c(each[[node]]), c(sums), tolerance = 1e-10, ignore_attr = TRUE)
    }
    unknown <- setdiff(continuous_nodes(fit), names(evidence))
    for (node in unknown) {
      means <- vapply(all$mean, `[[`, 0, node)
      variances <- vapply(all$covariance, function(x) x[node, node], 0)
      mean <- sum(weight * means)
      sd <- sqrt(sum(weight * (variances + (means - mean)^2)))
      expect_equal(each[[node]], c(mean = mean, sd = sd), tolerance = 1e-10)
    }

    observed <- names(Filter(function(x) length(x) == 1L, evidence))
    asked <- setdiff(fit$nodes, observed)
    if (!length(intersect(asked, unknown))) next
    asked <- asked[sample(length(asked))]
    posterior <- query(compiled, asked, evidence)
    free <- intersect(asked, discrete_nodes(fit))
    rows <- simulate(fit, 4)[asked]
    known <- vapply(seq_len(4), function(i) {
      alike <- rep(TRUE, nrow(all$levels))
      for (node in free) alike <- alike & all$levels[[node]] == as.character(rows[i, node])
      values <- unlist(rows[i, intersect(asked, unknown), drop = FALSE])
      sum(vapply(which(alike), function(k) {
        nodes <- names(values)
        weight[k] * exp(log_normal_density(t(values), all$mean[[k]][nodes],
                                           all$covariance[[k]][nodes, nodes, drop = FALSE]))
      }, 0))
    }, 0)
    expect_equal(exp(log_density(posterior, rows)), known, tolerance = 1e-8)
    mean <- Reduce(`+`, Map(`*`, weight, all$mean))[names(posterior$mean)]
    expect_equal(posterior$mean, mean, tolerance = 1e-10)
  }
})

test_that("the joint posterior of discrete nodes is an array", {
  set.seed(2)
  for (repeats in 1:10) {
    fit <- random_mixed_fit(4, 3)
    evidence <- simulate(fit, 1)[continuous_nodes(fit)]
    nodes <- sample(discrete_nodes(fit), 3)
    all <- all_configurations(fit, evidence)
    weight <- exp(all$log_weight - log_total(all$log_weight))
    by <- Map(function(node) factor(all$levels[[node]], fit$levels[[node]]), nodes)
    known <- tapply(weight, by, sum)
    answer <- query(fit, nodes, evidence)
    expect_identical(names(dimnames(answer)), nodes)
    expect_equal(c(answer), c(known), tolerance = 1e-10)
  }
})

test_that("the most probable row has the largest density of all", {
  set.seed(3)
  for (repeats in share_of(1:30)) {
    fit <- random_mixed_fit(3, 3)
    evidence <- simulate(fit, 1)[sample(6, sample(0:4, 1))]
    found <- most_probable(fit, evidence)
    all <- all_configurations(fit, lapply(evidence, function(x) {
      if (is.factor(x)) as.character(x) else x
    }))
    peak <- all$log_weight - vapply(all$covariance, function(x) {
      (determinant(x)$modulus + nrow(x) * log(2 * pi)) / 2
    }, 0)
    expect_equal(found$log_density, max(peak), tolerance = 1e-10)
    expect_equal(log_density(fit, found$state), found$log_density, tolerance = 1e-10)
    expect_equal(found$state[names(evidence)], as.data.frame(evidence), ignore_attr = TRUE)
  }
})

test_that("draws have the moments of the posterior, and are the same for the same seed", {
  set.seed(4)
  fit <- random_mixed_fit(3, 3)
  evidence <- as.list(simulate(fit, 1)[c(discrete_nodes(fit)[1], continuous_nodes(fit)[3])])
  evidence[[1]] <- as.character(evidence[[1]])
  rows <- simulate(compile_network(fit), 2e4, seed = 1, evidence = evidence)
  expect_identical(rows, simulate(fit, 2e4, seed = 1, evidence = evidence))
  each <- query(fit, evidence = evidence)
  for (node in setdiff(fit$nodes, names(evidence))) {
    if (is.null(fit$levels[[node]])) {
      expect_lt(abs(mean(rows[[node]]) - each[[node]][["mean"]]), 4 * each[[node]][["sd"]] / 141)
      expect_equal(sd(rows[[node]]), each[[node]][["sd"]], tolerance = 0.05)
    } else {
      expect_lt(max(abs(c(table(rows[[node]]) / 2e4) - each[[node]])), 0.02)
    }
  }
})

test_that("rows are answered as one question each", {
  set.seed(5)
  for (repeats in 1:6) {
    fit <- random_mixed_fit(4, 4)
    data <- with_random_gaps(simulate(fit, 8))
    compiled <- compile_network(fit)
    known <- lapply(1:8, function(i) {
      Filter(Negate(is.na), lapply(data[i, ], function(x) if (is.factor(x)) as.character(x) else x))
    })
    single <- vapply(known, log_probability, 0, model = compiled)
    expect_equal(log_density(compiled, data), single, tolerance = 1e-8)
    expect_equal(log_density(fit, data), single, tolerance = 1e-8)
    # the way that rows go which lack too much
    encoded <- encoded_values(encode_partial(fit, data, "data"), fit$levels, 8)
    core <- network_for_core(fit$models, fit$levels)
    expect_equal(core_mixed_row_log_densities(encoded, core, Inf, quiet_host()), single,
                 tolerance = 1e-10)
    for (node in fit$nodes) {
      expect_equal(predict(compiled, data, node), predict(fit, data, node))
      values <- replace(encode_partial(fit, data, "data"), node, list(rep(NA_real_, 8)))
      if (!is.null(fit$levels[[node]])) values[[node]] <- rep(NA_integer_, 8)
      encoded <- encoded_values(values, fit$levels, 8)
      number <- match(node, fit$nodes)
      own <- if (is.null(fit$levels[[node]])) stats::rnorm(8) else 0
      expect_equal(core_mixed_row_posteriors(encoded, core, number, own, Inf, quiet_host()),
                   core_partial_posteriors(encoded, core, number, own, quiet_host()),
                   tolerance = 1e-7)
    }
  }
})

test_that("interventions cut the arcs", {
  set.seed(6)
  for (repeats in 1:10) {
    fit <- random_mixed_fit(3, 3, density = 0.9)
    set <- c(sample(discrete_nodes(fit), 1), sample(continuous_nodes(fit), 1))
    do <- rlang::set_names(list(fit$levels[[set[1]]][1], 0.3), set)
    compiled <- compile_network(fit)
    by_fit <- query(intervene(fit, do))
    expect_equal(query(intervene(compiled, do)), by_fit)
    expect_equal(query(compiled, do = do), by_fit)
    asked <- setdiff(continuous_nodes(fit), set)[1]
    other <- query(compiled, c(asked, set[2]), do = do)
    expect_equal(other$mean[[set[2]]], 0.3)
    expect_equal(other$covariance[set[2], set[2]], 0)
    draws <- simulate(compiled, 3, do = do)
    expect_equal(draws[[set[2]]], rep(0.3, 3))
  }
})

test_that("evidence far out in the tails is answered", {
  levels <- list(A = c("a", "b"), B = c("a", "b"), X = NULL, Y = NULL)
  table_of <- function(node) new_table(node, character(), levels[node], c(0.5, 0.5), 0L)
  normal_of <- function(node, parent, means, sd) {
    new_regression(node, parent, levels[parent], character(),
                   matrix(means, 1, dimnames = list("(Intercept)", c("0", "1"))),
                   rlang::set_names(sd, c("0", "1")), integer())
  }
  equal <- new_table("B", "A", levels[c("B", "A")], c(1, 0, 0, 1), 0L)
  fit <- mixed_fit(names(levels), levels, list(
    A = table_of("A"), B = equal, X = normal_of("X", "A", c(0, 100), c(1, 1)),
    Y = normal_of("Y", "B", c(100, 0), c(1, 1))
  ))
  # X all but excludes what Y needs: the weights are exp(-5e5 +- 1000)
  x <- -950
  y <- -951
  logs <- stats::dnorm(x, c(0, 100), log = TRUE) + stats::dnorm(y, c(100, 0), log = TRUE)
  expect_equal(log_probability(fit, list(X = x, Y = y)), log(0.5) + log_total(logs))
  expect_equal(unname(c(query(fit, "A", list(X = x, Y = y)))), exp(logs - log_total(logs)))
  expect_equal(query(fit, evidence = list(X = 1e10))$A[["b"]], 1)
  expect_s3_class(query(fit, "A"), "table")
  expect_s3_class(query(fit)$A, "table")
})

test_that("nearly deterministic regressions keep their digits", {
  # X -> Y = X + tiny noise -> Z = Y + tiny noise; 1e-9 beside 1
  levels <- list(D = c("a", "b"), X = NULL, Y = NULL, Z = NULL)
  line <- function(node, parent, sd) {
    coefficients <- matrix(c(0, 1)[seq_len(1 + length(parent))], ncol = 1,
                           dimnames = list(c("(Intercept)", parent), "0"))
    new_regression(node, parent, list(), parent, coefficients, c(`0` = sd), integer())
  }
  x <- new_regression("X", "D", levels["D"], character(),
                      matrix(c(0, 1), 1, dimnames = list("(Intercept)", c("0", "1"))),
                      c(`0` = 1, `1` = 1), integer())
  fit <- mixed_fit(names(levels), levels, list(
    D = new_table("D", character(), levels["D"], c(0.5, 0.5), 0L), X = x,
    Y = line("Y", "X", 1e-9), Z = line("Z", "Y", 1e-9)
  ))
  answer <- query(fit, c("X", "Y"), list(D = "a", Z = 0.5))
  expect_equal(sqrt(answer$covariance["Y", "Y"]), 1e-9, tolerance = 1e-12)
  expect_equal(sqrt(answer$covariance["X", "X"]), 1 / sqrt(1 + 1 / 2e-18), tolerance = 1e-12)
})

test_that("networks of bnlearn are answered as their fits are", {
  skip_without_peer("bnlearn")
  dag <- "[A][B|A][X|A][Y|X:B][Z|Y]"
  set.seed(7)
  data <- data.frame(A = factor(sample(c("a", "b"), 200, TRUE)))
  data$B <- factor(ifelse(stats::runif(200) < 0.3, "u", "v"))
  data$X <- stats::rnorm(200, as.integer(data$A))
  data$Y <- data$X * as.integer(data$B) + stats::rnorm(200)
  data$Z <- data$Y + stats::rnorm(200)
  fit <- fit_network(dag, data, method = "mle")
  theirs <- bnlearn::bn.fit(bnlearn::model2network(dag), data)
  evidence <- list(Z = 2, B = "u")
  expect_equal(query(theirs, evidence = evidence)[fit$nodes], query(fit, evidence = evidence),
               tolerance = 1e-6)
})

test_that("impossible evidence is an error that names the nodes", {
  set.seed(8)
  levels <- list(A = c("a", "b"), B = c("a", "b"), X = NULL)
  fit <- mixed_fit(names(levels), levels, list(
    A = new_table("A", character(), levels["A"], c(0.5, 0.5), 0L),
    B = new_table("B", "A", levels[c("B", "A")], c(1, 0, 0, 1), 0L),
    X = random_local("X", "B", levels)
  ))
  evidence <- list(A = "a", B = "b", X = 1)
  expect_error(query(fit, evidence = evidence), class = "optbn_error_impossible")
  expect_snapshot(query(fit, "X", evidence[1:2]), error = TRUE)
  expect_error(most_probable(fit, evidence), class = "optbn_error_impossible")
  expect_error(simulate(fit, 2, evidence = evidence), class = "optbn_error_impossible")
  expect_identical(log_probability(fit, evidence), -Inf)
})

# D1 -> D2 -> ..., X1 -> X2 -> ..., and Di -> Xi.
switching_fit <- function(n) {
  nodes <- node_names(2 * n)
  levels <- c(rlang::set_names(rep(list(c("a", "b")), n), nodes[1:n]),
              rlang::set_names(vector("list", n), nodes[n + 1:n]))
  models <- lapply(seq_along(nodes), function(i) {
    before <- if (!i %in% c(1, n + 1)) nodes[i - 1]
    random_local(nodes[i], as.character(c(if (i > n) nodes[i - n], before)), levels)
  })
  mixed_fit(nodes, levels, rlang::set_names(models, nodes))
}

test_that("moments are exact where the components are too many to be listed", {
  set.seed(10)
  for (repeats in 1:3) {
    fit <- switching_fit(13) # 8192 components
    compiled <- compile_network(fit)
    evidence <- list(N003 = "a", N016 = 0.3, N009 = c(a = 1, b = 0.2))
    evidence <- evidence[sample(3, sample(0:3, 1))]
    each <- query(compiled, evidence = evidence)
    for (node in c("N025", "N026")) {
      whole <- query(compiled, node, evidence)
      expect_equal(each[[node]], c(mean = whole$mean[[1]], sd = sqrt(whole$covariance[[1]])),
                   tolerance = 1e-10)
    }
  }
  # far more than could ever be listed: by a recursion over the series
  fit <- switching_fit(60)
  each <- query(fit)
  state <- list(p = 1, mean = 0, second = 0)
  for (i in 1:60) {
    table <- matrix(fit$models[[i]]$prob, 2)
    regression <- fit$models[[60 + i]]
    b <- if (i == 1) c(0, 0) else regression$coefficients[2, ]
    a <- regression$coefficients[1, ]
    joint <- t(table) * state$p # from the level before to this one
    p <- colSums(joint)
    mean <- (a * p + b * colSums(joint * state$mean))
    second <- (regression$sd^2 + a^2) * p + 2 * a * b * colSums(joint * state$mean) +
      b^2 * colSums(joint * state$second)
    state <- list(p = p, mean = mean / p, second = second / p)
  }
  expect_equal(each$N120[["mean"]], sum(mean), tolerance = 1e-8)
  expect_equal(each$N120[["sd"]], sqrt(sum(second) - sum(mean)^2), tolerance = 1e-8)
})

test_that("what does not fit into memory is refused beforehand, with a remedy", {
  set.seed(9)
  n <- 60
  fit <- switching_fit(n)
  nodes <- fit$nodes
  compiled <- compile_network(fit, memory_limit = 1e8)
  last <- nodes[2 * n]
  expect_error(query(compiled, last), class = "optbn_error_memory")
  expect_snapshot(query(compiled, last), error = TRUE)
  # known nodes lower the number, most where they separate the asked one from others
  known <- rlang::set_names(rep(list("a"), n - 3), nodes[1:(n - 3)])
  expect_length(query(compiled, last, known)$weights, 8)
  known <- rlang::set_names(list("a", 0.4), nodes[c(n - 4, 2 * n - 4)])
  expect_length(query(compiled, last, known)$weights, 16)
})

test_that("bad input is refused", {
  flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  compiled <- compile_network(flowers)
  expect_snapshot(error = TRUE, {
    compile_network(flowers, order = c("Species", "Petal.Length", "Petal.Width"))
    query(compiled, "Species", list(Petal.Length = "long"))
    query(compiled, "Species", list(Petal.Length = Inf))
    query(compiled, "Petal.Length", list(Petal.Length = 1))
    query(compiled, "Petal.Length", list(Species = "rose"))
    quantile(query(compiled, "Petal.Length"), 2)
    log_density(query(compiled, "Petal.Length"), data.frame(x = 1))
  })
  damaged <- compiled
  damaged$network$nodes[[match("Species", damaged$nodes)]]$table <- c(1, 2)
  expect_error(query(damaged), class = "optbn_error_model")
  damaged <- compiled
  damaged$network$nodes[[1]]$continuous <- 7L
  expect_error(query(damaged), class = "optbn_error_model")
})

test_that("answers print", {
  flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]", iris)
  expect_snapshot({
    compile_network(flowers, memory_limit = 1e9)
    query(flowers, c("Species", "Petal.Length"), list(Petal.Width = 1.7))
  })
  posterior <- query(flowers, "Petal.Length", list(Petal.Width = 1.7))
  at <- quantile(posterior, c(0.1, 0.5))[, 1]
  below <- vapply(at, function(x) {
    sum(posterior$weights * stats::pnorm(x, posterior$means[, 1],
                                         sqrt(posterior$covariances[1, 1, ])))
  }, 0)
  expect_equal(unname(below), c(0.1, 0.5), tolerance = 1e-9)
})
