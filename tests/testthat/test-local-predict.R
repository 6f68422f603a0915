titanic <- as.data.frame(Titanic)
fit <- fit_network("[Class][Sex|Class][Survived|Class:Sex]",
                   titanic[c("Class", "Sex", "Survived")], weights = titanic$Freq)
flowers <- fit_network("[Species][Petal.Length|Species][Petal.Width|Petal.Length:Species]",
                       iris[3:5])

test_that("tables give their own column of each row", {
  table <- local_model(fit, "Survived")
  rows <- expand.grid(Sex = c("Female", "Male"), Class = c("Crew", "1st"))
  prob <- predict(table, rows, type = "prob")
  expect_identical(colnames(prob), c("No", "Yes"))
  for (i in 1:4) {
    own <- table$prob[, as.character(rows$Class[i]), as.character(rows$Sex[i])]
    expect_equal(unname(prob[i, ]), unname(own))
  }
  expect_identical(predict(table, rows), factor(c("Yes", "No", "Yes", "No"), c("No", "Yes")))
  rows$Survived <- "No"
  expect_equal(predict(table, rows, type = "density"), unname(prob[, "No"]))
  expect_identical(dim(predict(local_model(fit, "Class"), titanic[1:3, ], type = "prob")),
                   c(3L, 4L))
})

test_that("regressions give their mean and spread", {
  model <- local_model(flowers, "Petal.Width")
  rows <- iris[c(3, 70, 140), ]
  by_hand <- lapply(levels(iris$Species), function(species) {
    stats::lm(Petal.Width ~ Petal.Length, iris[iris$Species == species, ])
  })
  distribution <- predict(model, rows, type = "distribution")
  for (i in 1:3) {
    expect_equal(distribution$mean[i], unname(stats::predict(by_hand[[i]], rows[i, ])))
    expect_equal(distribution$sd[i], summary(by_hand[[i]])$sigma)
  }
  expect_identical(predict(model, rows), distribution$mean)
  expect_equal(predict(model, rows, type = "density"),
               stats::dnorm(rows$Petal.Width, distribution$mean, distribution$sd))
})

test_that("a node without children is predicted as the network predicts it", {
  rows <- iris[c(1, 80, 150), ]
  expect_equal(predict(local_model(flowers, "Petal.Width"), rows),
               predict(flowers, rows, "Petal.Width"))
  everyone <- expand.grid(Class = c("1st", "Crew"), Sex = c("Male", "Female"))
  expect_equal(predict(local_model(fit, "Survived"), everyone, type = "prob"),
               predict(fit, everyone, "Survived", type = "prob"))
})

test_that("rows whose parents are not all known are NA", {
  rows <- titanic[c(1, 9, 30), ]
  gaps <- replace(rows, "Sex", list(rows$Sex[c(1, NA, 3)]))
  table <- local_model(fit, "Survived")
  expect_snapshot(prob <- predict(table, gaps, type = "prob"))
  expect_identical(prob[-2L, ], predict(table, rows[-2L, ], type = "prob"))
  expect_identical(is.na(prob[, "No"]), c(FALSE, TRUE, FALSE))
  for (type in c("response", "prob", "density")) {
    expect_identical(suppressMessages(predict(table, rows["Class"], type = type)),
                     suppressMessages(predict(table, replace(rows, "Sex", NA), type = type)))
  }
  expect_identical(predict(table, rows[-4], type = "density"), rep(NA_real_, 3))
  regression <- local_model(flowers, "Petal.Width")
  gaps <- replace(iris[1:3, ], "Petal.Length", list(c(1.4, NaN, 1.3)))
  distribution <- suppressMessages(predict(regression, gaps, type = "distribution"))
  whole <- predict(regression, iris[1:3, ], type = "distribution")
  expect_identical(distribution[-2L, ], whole[-2L, ])
  expect_identical(is.na(distribution$sd), c(FALSE, TRUE, FALSE))
})

test_that("bad input is refused by name", {
  expect_snapshot(error = TRUE, {
    predict(local_model(fit, "Survived"), data.frame(Class = "4th", Sex = "Male"))
  })
  expect_snapshot(error = TRUE, {
    predict(local_model(flowers, "Petal.Width"), iris, type = "prob")
    predict(local_model(fit, "Survived"), titanic, na_level = NA)
    predict(local_model(fit, "Survived"), as.list(titanic))
  })
})
