test_that("slices repeat the transition network after the initial one", {
  series <- discrete_series(subjects = 3)
  series$sex <- factor(c("f", "m", "f")[series$who])
  network <- learn_quietly(series, lags = 2, id = "who", time = "when", static = "sex",
                           score = "bic", whitelist = c("sex", "state"))
  unrolled <- unroll(network, 4)
  expect_s3_class(unrolled, "bn")
  expect_named(unrolled$nodes,
               c("sex", outer(c("state", "seen", "follows"), 1:4, paste, sep = "_")))
  arcs <- as.data.frame(network)
  for (t in 3:4) {
    from <- ifelse(is.na(arcs$lag), arcs$from, paste0(arcs$from, "_", t - arcs$lag))
    here <- unrolled$arcs[, "to"] %in% paste0(names(series)[3:5], "_", t)
    expect_setequal(paste(unrolled$arcs[here, 1], unrolled$arcs[here, 2]),
                    paste(from, paste0(arcs$to, "_", t)))
  }
  place <- c(lag2 = "1", lag1 = "2")
  moved <- apply(network$initial$arcs, 2, function(name) {
    parts <- strsplit(name, "_", fixed = TRUE)
    vapply(parts, function(x) paste(c(x[1], place[x[2]][length(x) > 1]), collapse = "_"), "")
  })
  early <- grepl("(_[12]|sex)$", unrolled$arcs[, 2])
  expect_setequal(paste(unrolled$arcs[early, 1], unrolled$arcs[early, 2]),
                  paste(moved[, 1], moved[, 2]))

  fit <- fit_quietly(network, series)
  whole <- unroll(fit, 4)
  expect_s3_class(whole, "optbn_fit")
  expect_no_error(check_sound(whole))
  expect_equal(coef(whole)$seen_4, coef(fit)$seen, ignore_attr = TRUE)
  expect_equal(sort(dim(simulate(whole, 5, seed = 1))), c(5, 13))
  fit$initial$prototype <- utils::modifyList(as.list(fit$initial$prototype), list(sex = "f"))
  expect_no_error(unroll(fit, 4))
})

test_that("trees and discretised tables unroll", {
  series <- continuous_series(100)
  for (score in c("pcart", "ft")) {
    fit <- fit_quietly(learn_quietly(series, score = score, max_parents = 2), series)
    whole <- unroll(fit, 3)
    expect_no_error(check_sound(whole))
    expect_true(all(is.finite(as.matrix(simulate(whole, 10, seed = 1)))))
  }
  series <- discrete_series(steps = 100)[3:5]
  fit <- fit_quietly(learn_quietly(series, score = "pcart"), series)
  expect_no_error(compile_network(unroll(fit, 3)))
})

test_that("bad input is refused", {
  series <- data.frame(who = rep(1:2, each = 20), x = cos(1:40), x_1 = rep(1:2, each = 20))
  network <- learn_quietly(series, id = "who", static = "x_1", score = "bic-g")
  expect_snapshot(error = TRUE, {
    unroll(network)
    unroll(network, 0)
    unroll(network, 2)
    unroll("[A][B|A]", 2)
    unroll(learn_quietly(series["x"], lags = 3, score = "bic-g"), 2)
  })
})
