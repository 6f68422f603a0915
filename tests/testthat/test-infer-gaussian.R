attitude_fit <- function() {
  fit_network(paste0("[complaints][learning|complaints][raises|complaints:learning]",
                     "[rating|complaints:learning]"), attitude)
}

test_that("a compiled Gaussian network and its answers print", {
  compiled <- compile_network(attitude_fit())
  expect_s3_class(compiled, "optbn_compiled_gaussian", exact = TRUE)
  expect_snapshot({
    compiled
    query(compiled, c("rating", "raises"), list(learning = 70, complaints = NA))
    query(compiled, "raises")
    query(compiled, evidence = list(rating = 80))
  })
  expect_identical(format(compiled), capture.output(print(compiled)))
  wide <- query(random_gaussian_fit(13), node_names(12))
  expect_match(tail(format(wide), 1), "and 2 more nodes", fixed = TRUE)
})

test_that("posteriors are the textbook's", {
  set.seed(1)
  for (repeats in share_of(1:40)) {
    fit <- random_gaussian_fit(sample(2:8, 1))
    compiled <- compile_network(fit)
    moments <- joint_moments(fit)
    known <- sample(fit$nodes, sample(0:(length(fit$nodes) - 1L), 1))
    evidence <- rlang::set_names(stats::rnorm(length(known)), known)
    unknown <- setdiff(fit$nodes, known)
    asked <- unknown[sample.int(length(unknown), sample(length(unknown), 1))]
    expected <- condition_moments(moments, asked, evidence)
    posterior <- query(compiled, asked, as.list(evidence))
    expect_s3_class(posterior, "optbn_gaussian_posterior", exact = TRUE)
    expect_equal(unclass(posterior)[c("mean", "covariance")], expected)
    expect_identical(sort(as.character(names(posterior$evidence))), sort(known))

    single <- query(compiled, evidence = evidence)
    all <- condition_moments(moments, unknown, evidence)
    expect_identical(single$node, fit$nodes)
    at <- match(unknown, fit$nodes)
    expect_equal(single$mean[at], unname(all$mean))
    expect_equal(single$sd[at], sqrt(diag(all$covariance)), ignore_attr = TRUE)
    expect_identical(single$mean[match(known, fit$nodes)], unname(evidence))
    expect_identical(single$sd[match(known, fit$nodes)], numeric(length(known)))
  }
})

test_that("the density of everything is that of a part times that of the rest given it", {
  set.seed(2)
  for (repeats in 1:20) {
    fit <- random_gaussian_fit(7)
    row <- simulate(fit, 1)
    known <- sample(fit$nodes, sample(0:6, 1))
    rest <- setdiff(fit$nodes, known)
    posterior <- query(fit, rest, row[known])
    given <- normal_log_density(posterior, unlist(row[rest]))
    expect_equal(log_probability(fit, row[known]) + given, log_density(fit, row))
    gaps <- replace(row, rest, NA)
    expect_equal(log_density(fit, gaps), log_probability(fit, row[known]))
    expect_identical(log_density(compile_network(fit), gaps), log_density(fit, gaps))
  }
  expect_identical(log_probability(fit), 0)
})

test_that("complete rows have the density and the predictions of the fitted network", {
  fit <- attitude_fit()
  compiled <- compile_network(fit)
  expect_equal(log_density(compiled, attitude), log_density(fit, attitude))
  expect_equal(sum(log_density(compiled, attitude)), logLik(fit)[1L])
  expect_length(log_density(compiled, attitude[0, ]), 0)
  for (node in fit$nodes) {
    others <- attitude[setdiff(fit$nodes, node)]
    distribution <- predict(compiled, others, node, type = "distribution")
    expect_equal(distribution, predict(fit, attitude, node, type = "distribution"))
    expect_identical(predict(compiled, attitude, node), distribution$mean)
  }
})

test_that("predictions integrate over gaps, row by row", {
  set.seed(3)
  for (repeats in 1:6) {
    fit <- random_gaussian_fit(6)
    compiled <- compile_network(fit)
    data <- with_random_gaps(simulate(fit, 30), part = 0.4)
    data$N006 <- NA
    node <- sample(fit$nodes, 1)
    distribution <- predict(compiled, data[-6], node, type = "distribution")
    for (i in 1:30) {
      row <- data[i, setdiff(fit$nodes, node)]
      posterior <- query(compiled, node, row)
      expect_equal(distribution$mean[i], posterior$mean[[1]])
      expect_equal(distribution$sd[i], sqrt(posterior$covariance[[1]]))
    }
    turned <- sample(30)
    expect_equal(predict(compiled, data[turned, ], node), distribution$mean[turned])
    expect_equal(log_density(compiled, data[turned, ]), log_density(compiled, data)[turned])
    expect_equal(predict(fit, data, node, type = "distribution"), distribution)
    density <- stats::dnorm(data[[node]], distribution$mean, distribution$sd)
    expect_equal(predict(compiled, data, node, type = "density"), density)
    expect_equal(predict(fit, data, node, type = "density"), density)
  }
  expect_identical(nrow(predict(compiled, data[0, ], node, type = "distribution")), 0L)
})

test_that("the mode has the largest density", {
  set.seed(4)
  fit <- random_gaussian_fit(5)
  known <- list(N002 = 0.3, N004 = -2)
  found <- most_probable(fit, known)
  expect_identical(names(found$state), fit$nodes)
  expect_identical(as.list(found$state[names(known)]), known)
  expect_equal(found$log_density, log_density(fit, found$state))
  expect_equal(unlist(found$state), query(fit, evidence = known)$mean, ignore_attr = TRUE)
  for (node in c("N001", "N003", "N005")) {
    for (step in c(-0.1, 0.1)) {
      near <- replace(found$state, node, found$state[[node]] + step)
      expect_lt(log_density(fit, near), found$log_density)
    }
  }
  everything <- simulate(fit, 1)
  expect_identical(most_probable(fit, everything)$state, everything, ignore_attr = TRUE)
})

test_that("answers do not depend on the order of the nodes", {
  set.seed(5)
  fit <- random_gaussian_fit(8)
  turned <- fit
  turned$nodes <- rev(fit$nodes)
  for (part in c("parents", "models", "levels", "prototype")) turned[[part]] <- rev(fit[[part]])
  known <- list(N001 = 1, N005 = 0)
  expect_equal(query(turned, c("N003", "N007"), known)[1:2],
               query(fit, c("N003", "N007"), known)[1:2])
  ours <- query(fit, evidence = known)
  theirs <- query(turned, evidence = known)
  expect_equal(theirs[8:1, ], ours, ignore_attr = TRUE)
})

test_that("draws are from the posterior and follow the seed", {
  set.seed(6)
  fit <- random_gaussian_fit(5)
  compiled <- compile_network(fit)
  known <- list(N002 = 1, N005 = -1)
  drawn <- simulate(compiled, 50000, seed = 1, evidence = known)
  posterior <- query(compiled, evidence = known)
  off <- (colMeans(drawn) - posterior$mean) / pmax(posterior$sd, 1e-300)
  expect_lt(max(abs(off)), 5 / sqrt(50000))
  expect_equal(vapply(drawn, sd, 0), posterior$sd, tolerance = 0.02, ignore_attr = TRUE)
  expect_true(all(drawn$N002 == 1 & drawn$N005 == -1))

  first <- simulate(compiled, 10, seed = 7)
  expect_identical(simulate(compiled, 10, seed = 7), first)
  expect_identical(as.numeric(attr(first, "seed")), 7)
  expect_equal(simulate(compiled, 4, seed = 7), first[1:4, ], ignore_attr = TRUE)
  set.seed(8)
  free <- simulate(compiled, 10)
  set.seed(8)
  expect_identical(simulate(compiled, 10), free)
  expect_identical(simulate(fit, 3, 9, evidence = known),
                   simulate(compiled, 3, 9, evidence = known))
  expect_identical(dim(simulate(compiled, 0)), c(0L, 5L))
  whole <- simulate(fit, 1)
  expect_equal(simulate(compiled, 3, evidence = whole), whole[c(1, 1, 1), ], ignore_attr = TRUE)
})

test_that("evidence comes as a list, a vector or a row, and columns of any number type", {
  fit <- attitude_fit()
  expected <- query(fit, "rating", list(learning = 70, raises = 60))
  expect_identical(query(fit, "rating", c(learning = 70, raises = 60)), expected)
  expect_identical(query(fit, "rating", data.frame(learning = 70L, complaints = NA, raises = 60)),
                   expected)
  expect_identical(query(fit, "complaints", list(complaints = NA_real_)), query(fit, "complaints"))
  rows <- data.frame(rating = 70:71, complaints = NA, raises = c(60, NA), learning = 50)
  expect_equal(log_density(fit, rows),
               c(log_probability(fit, list(rating = 70, raises = 60, learning = 50)),
                 log_probability(fit, list(rating = 71, learning = 50))))
})

test_that("a compiled Gaussian network survives a file", {
  compiled <- compile_network(attitude_fit())
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(compiled, file)
  expect_identical(query(readRDS(file), "rating"), query(compiled, "rating"))
})

test_that("parents that determine one another are no obstacle", {
  set.seed(9)
  x <- stats::rnorm(200)
  data <- data.frame(x = x, y = 1e6 * (x + 1e-7 * stats::rnorm(200)))
  data$z <- data$x - 1e-6 * data$y + 1e-9 * stats::rnorm(200)
  fit <- fit_network("[x][y|x][z|x:y]", data)
  # the exact parent's posterior, from the fitted network's own Markov blanket
  blanket <- predict(fit, data, "x", type = "distribution")
  expect_equal(predict(compile_network(fit), data, "x", type = "distribution"), blanket,
               tolerance = 1e-6)
  copy <- suppressMessages(fit_network("[x][w|x]", data.frame(x = x, w = 3 * x)))
  expect_equal(query(copy, "x", list(w = 6))$mean[[1]], 2, tolerance = 1e-7)
})

test_that("bnlearn's fitted networks are compiled as they are", {
  skip_without_peer("bnlearn")
  structure <- bnlearn::model2network("[A][B][E][G][C|A:B][D|B][F|A:D:E:G]")
  theirs <- bnlearn::bn.fit(structure, bnlearn::gaussian.test)
  ours <- fit_network(structure, bnlearn::gaussian.test)
  known <- list(F = 10, C = 5)
  expect_equal(query(theirs, c("A", "D"), known), query(ours, c("A", "D"), known),
               tolerance = 1e-10)
  expect_identical(simulate(theirs, 3, 1, evidence = known),
                   simulate(compile_network(theirs), 3, 1, evidence = known))
  joint <- bnlearn::gbn2mvnorm(theirs)
  prior <- query(theirs, names(theirs))
  expect_equal(prior$mean, joint$mu[names(theirs)], tolerance = 1e-10)
  expect_equal(prior$covariance, joint$sigma[names(theirs), names(theirs)], tolerance = 1e-10)

  gaps <- with_random_gaps(bnlearn::gaussian.test[1:50, ])
  expect_equal(log_density(theirs, gaps), log_density(ours, gaps), tolerance = 1e-10)
  learned <- learn_dag(attitude, "bge")
  copied <- bnlearn::bn.fit(learned, attitude)
  expect_s3_class(copied, "optbn")
  expect_equal(query(copied, "rating"), query(fit_network(learned, attitude), "rating"),
               tolerance = 1e-10)
})

test_that("networks from a folder have the joint distribution that bnlearn gives them", {
  folder <- shared_path("data", "networks", "gaussian")
  skip_without_peer("bnlearn")
  set.seed(10)
  for (name in c("ecoli70", "magic-niab", "magic-irri", "arth150")) {
    fit <- readRDS(file.path(folder, paste0(name, ".rds")))
    nodes <- names(fit)
    compiled <- compile_network(fit)
    class(fit) <- c("bn.fit", "bn.fit.gnet") # of a file from before there was the second
    joint <- bnlearn::gbn2mvnorm(fit)
    moments <- list(mean = joint$mu[nodes], covariance = joint$sigma[nodes, nodes])
    prior <- query(compiled, nodes)
    expect_equal(prior$mean, moments$mean, tolerance = 1e-10)
    expect_equal(prior$covariance, moments$covariance, tolerance = 1e-10)
    for (part in c(0.1, 0.5, 0.9)) {
      row <- unlist(simulate(compiled, 1))
      known <- row[sort(sample(length(row), part * length(row)))]
      rest <- setdiff(nodes, names(known))
      expect_equal(unclass(query(compiled, rest, known))[1:2],
                   condition_moments(moments, rest, known), tolerance = 1e-7)
      expect_equal(log_probability(compiled, known), normal_log_density(moments, known),
                   tolerance = 1e-8)
    }
  }
})

test_that("what cannot be compiled is refused", {
  trees <- fit_network("[Petal.Width][Petal.Length|Petal.Width]", iris, score = "pcart")
  fit <- attitude_fit()
  expect_snapshot(error = TRUE, {
    compile_network(trees)
    query(trees, "Petal.Width")
    compile_network(fit, order = fit$nodes)
    compile_network(fit, memory_limit = 100)
  })
  expect_error(compile_network(trees), class = "optbn_error_data")
  expect_error(compile_network(fit, memory_limit = 100), class = "optbn_error_memory")
  skip_without_peer("bnlearn")
  exact <- bnlearn::custom.fit(bnlearn::model2network("[a][b|a]"), list(
    a = list(coef = c(`(Intercept)` = 0), sd = 1),
    b = list(coef = c(`(Intercept)` = 0, a = 2), sd = 0)
  ))
  collinear <- data.frame(a = c(1, 2, 4, 7), b = c(2, 4, 8, 14), c = c(1, 3, 2, 5))
  open <- suppressWarnings(bnlearn::bn.fit(bnlearn::model2network("[a][b|a][c|a:b]"), collinear))
  expect_snapshot(error = TRUE, {
    compile_network(exact)
    compile_network(open)
  })
  expect_error(compile_network(exact), class = "optbn_error_data")
})

test_that("malformed questions are refused", {
  compiled <- compile_network(attitude_fit())
  expect_snapshot(error = TRUE, {
    query(compiled, "rating", list(learning = factor("high")))
    query(compiled, "rating", list(learning = "70"))
    query(compiled, "rating", list(learning = TRUE))
    query(compiled, "rating", list(learning = Inf))
    query(compiled, "rating", list(learning = c(60, 80)))
    query(compiled, "rating", list(learning = NULL))
    query(compiled, "rating", list(wages = 70))
    query(compiled, "rating", list(70))
    query(compiled, "wages")
    query(compiled, "rating", list(rating = 70))
    most_probable(compiled, list(rating = "high"))
    simulate(compiled, -1)
  })
  expect_error(query(compiled, "rating", list(learning = Inf)), class = "optbn_error_argument")
})

test_that("data that cannot be used are refused", {
  compiled <- compile_network(attitude_fit())
  row <- attitude[1, ]
  expect_snapshot(error = TRUE, {
    log_density(compiled, replace(row, "raises", "many"))
    log_density(compiled, replace(attitude[1:3, ], "raises", list(c(NA, 1, -Inf))))
    log_density(compiled, as.list(row))
    predict(compiled, row, "wages")
    predict(compiled, row, "rating", type = "prob")
    predict(compiled, as.matrix(row), "rating")
  })
  expect_error(log_density(compiled, replace(row, "raises", "many")), class = "optbn_error_data")
  expect_error(predict(compiled, row, "wages"), class = "optbn_error_argument")
})

test_that("one node is a network, and names may hold braces and bars", {
  one <- fit_network("[rating]", attitude)
  expect_equal(query(one, "rating")$mean, c(rating = mean(attitude$rating)))
  expect_equal(query(one)$sd, sd(attitude$rating))
  odd <- rlang::set_names(attitude[c("rating", "raises")], c("{a}", "b|c"))
  fit <- fit_network(structure(matrix(c(0, 0, 1, 0), 2), dimnames = rep(list(names(odd)), 2)), odd)
  expect_snapshot(query(fit, "{a}", list(`b|c` = 60)))
  expect_snapshot(query(fit, "{a}", list(`b|c` = "{q}")), error = TRUE)
})
