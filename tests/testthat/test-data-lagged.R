plain <- function(rows) {
  attr(rows, "lagged") <- NULL
  rows <- as.data.frame(rows)
  rows[do.call(order, rows), , drop = FALSE]
}

test_that("rows hold a time point and those before it", {
  rows <- lagged(data.frame(x = 1:5, y = letters[1:5]), lags = 2)
  expect_named(rows, c("x_lag2", "y_lag2", "x_lag1", "y_lag1", "x", "y"))
  expect_equal(rows$x, 3:5)
  expect_equal(rows$x_lag2, 1:3)
  expect_equal(rows$y_lag1, c("b", "c", "d"))
  expect_equal(attr(rows, "lagged")$tiers,
               list(c("x_lag2", "y_lag2"), c("x_lag1", "y_lag1"), c("x", "y")))
})

test_that("subjects do not run into each other, whatever the order of rows", {
  series <- data.frame(who = c("b", "a", "a", "b", "a", "c"), when = c(2, 3, 1, 1, 2, 1),
                       x = c(22, 13, 11, 21, 12, 31), sex = factor(c("f", "m", "m", "f", "m", "f")))
  expect_message(rows <- lagged(series, id = "who", time = "when", static = "sex"),
                 "1 subject is left out.*: c")
  expect_equal(rows$x, c(12, 13, 22))
  expect_equal(rows$x_lag1, c(11, 12, 21))
  expect_equal(as.character(rows$sex), c("m", "m", "f"))
  expect_equal(attr(rows, "lagged")$index, data.frame(who = c("a", "a", "b"), when = c(2, 3, 2)))
  expect_equal(attr(rows, "lagged")$first, c(1L, 3L))
  again <- suppressMessages(lagged(series[c(6, 1, 3, 5, 4, 2), ], id = "who", time = "when",
                                   static = "sex"))
  expect_equal(again, rows)
})

test_that("a gap in time breaks the lag, or is a missing value", {
  series <- data.frame(t = c(1, 2, 4, 5, 6), x = c(1, 2, 4, 5, 6))
  expect_equal(lagged(series, time = "t")$x, c(2, 5, 6))
  expect_equal(lagged(series, 2, time = "t")$x, 6)
  rows <- lagged(series, 2, time = "t", gaps = "missing")
  expect_equal(plain(rows), data.frame(x_lag2 = c(2, 4, NA), x_lag1 = c(NA, 5, 4), x = c(4, 6, 5)),
               ignore_attr = TRUE)
})

test_that("times are numbers, dates, months or date-times", {
  clock_of_times <- function(t) {
    attr(lagged(data.frame(t = t, x = seq_along(t)), time = "t"), "lagged")$clock
  }
  months <- seq(as.Date("2019-11-01"), by = "month", length.out = 5)
  clock <- clock_of_times(months)
  expect_equal(clock$unit, "month")
  expect_equal(times_at(0:4, clock), months)
  days <- as.Date("2020-02-27") + c(0, 7, 14, 28)
  expect_equal(clock_of_times(days)[c("unit", "step")], list(unit = "day", step = 7))
  expect_equal(times_at(4, clock_of_times(days)), days[4])
  hours <- as.POSIXct("2020-03-28 22:00", tz = "UTC") + 3600 * 0:5
  expect_equal(times_at(0:5, clock_of_times(hours)), hours)
  # a day of summer time has 23 hours and is a day all the same
  noons <- as.POSIXct(paste0("2020-03-", 27:30, " 12:00"), tz = "Europe/Rome")
  expect_equal(clock_of_times(noons)$unit, "day")
  expect_equal(times_at(0:3, clock_of_times(noons)), noons)
  expect_equal(times_at(2:3, clock_of_times(3:7)), 5:6)
})

test_that("subjects may be out of step with each other", {
  series <- data.frame(who = c(1, 1, 1, 2, 2), t = c(0, 0.3, 0.9, 0.1, 0.4), x = 1:5)
  rows <- lagged(series, id = "who", time = "t")
  expect_equal(rows$x, c(2, 5))
})

test_that("holes, levels and types stay", {
  series <- data.frame(x = factor(c("a", NA, "b"), c("a", "b", "unused")), y = c(TRUE, FALSE, NA))
  rows <- lagged(series)
  expect_equal(levels(rows$x_lag1), c("a", "b", "unused"))
  expect_equal(is.na(rows$x), c(TRUE, FALSE))
  expect_equal(rows$y_lag1, c(TRUE, FALSE))
})

test_that("what a static column says in one row holds in all", {
  series <- data.frame(who = c(1, 1, 2, 2), x = 1:4, sex = c(NA, "m", "f", "f"))
  expect_equal(lagged(series, id = "who", static = "sex")$sex, c("m", "f"))
})

test_that("a database joins the same rows", {
  chicks <- subset(as.data.frame(ChickWeight), Time < 21)
  chicks$Chick <- as.character(chicks$Chick)
  chicks$Diet <- as.character(chicks$Diet)
  chicks <- chicks[-c(3, 50, 51), ]
  table <- in_sqlite(chicks)
  for (gaps in c("drop", "missing")) {
    there <- lagged(table, 2, id = "Chick", time = "Time", static = "Diet", gaps = gaps)
    here <- suppressMessages(lagged(chicks, 2, id = "Chick", time = "Time", static = "Diet",
                                    gaps = gaps))
    expect_s3_class(there, "tbl_lazy")
    expect_equal(plain(dplyr::collect(there)), plain(here), ignore_attr = TRUE)
    first <- here[attr(here, "lagged")$first, ]
    expect_equal(plain(dplyr::collect(attr(there, "lagged")$first)), plain(first),
                 ignore_attr = TRUE)
  }
  learn <- function(data) {
    learn_quietly(data, id = "Chick", time = "Time", static = "Diet", initial = "all")
  }
  there <- learn(table)
  here <- learn(chicks)
  expect_equal(as.data.frame(there), as.data.frame(here))
  expect_equal(coef(fit_quietly(there, table)), coef(fit_quietly(here, chicks)))
  expect_snapshot(error = TRUE, {
    lagged(table, id = "Chick")
    lagged(table, time = "Time")
    lagged(table, id = "Time", time = "Chick")
    lagged(table, id = "Chick", time = "Time", static = "weight")
  })
})

test_that("input that is no series is refused", {
  series <- data.frame(who = c(1, 1, 2, 2), when = c(1, 2, 1, 2), x = 1:4)
  changed <- function(...) utils::modifyList(series, list(...))
  expect_snapshot(error = TRUE, {
    lagged(as.list(series))
    lagged(series, lags = 0)
    lagged(series, id = "whom")
    lagged(series, id = c("who", "when"))
    lagged(changed(who = as.raw(1:4)), id = "who")
    lagged(series, id = "who", time = "who")
    lagged(series, static = c("who", "when", "x"))
    lagged(series, gaps = "close")
    lagged(series, time = "when")
    lagged(rbind(series, series[2, ]), id = "who", time = "when")
    lagged(changed(when = c(1, NA, 1, 2)), id = "who", time = "when")
    lagged(changed(when = c("1", "2", "1", "2")), id = "who", time = "when")
    lagged(changed(who = c(1, 1, NA, 2)), id = "who")
    lagged(data.frame(t = c(0, 1, 2.5), x = 1:3), time = "t")
    lagged(series, static = "x")
    lagged(series, id = "who", static = "x")
    lagged(series[1, ])
    lagged(series, id = "who", lags = 2)
    lagged(data.frame(x = 1:3, x_lag1 = 1:3))
  })
})

test_that("columns that no learner takes are refused before anything is laid out", {
  series <- data.frame(x = 1:4)
  series$f <- list(1, 2, 3, 4)
  expect_error(lagged(series), class = "optbn_error_data")
  series$f <- data.frame(a = 1:4)
  expect_error(lagged(series), class = "optbn_error_data")
})
