region <- c(7, 4)

test_that("without continuous parents a regression is drawn as normal distributions", {
  model <- local_model(fit_network("[Species][Petal.Width|Species]", iris), "Petal.Width")
  view <- local_view(model)
  expect_equal(view$location, unname(tapply(iris$Petal.Width, iris$Species, mean)),
               ignore_attr = TRUE)
  expect_equal(view$scale, unname(tapply(iris$Petal.Width, iris$Species, sd)), ignore_attr = TRUE)
  expect_identical(view$rows, c(50, 50, 50))
  picture <- local_picture(model, region)
  expect_identical(picture$panels$n, c(50, 50, 50))
  expect_setequal(picture$cells$full, levels(iris$Species))
})

test_that("with one continuous parent it is a line as long as the rows are wide", {
  fit <- fit_network("[Species][Petal.Length][Petal.Width|Petal.Length:Species]", iris)
  line <- local_view(local_model(fit, "Petal.Width"))$line
  first <- iris[iris$Species == "setosa", ]
  model <- lm(Petal.Width ~ Petal.Length, first)
  expect_equal(c(line$intercept[1L], line$slope[1L]), unname(coef(model)))
  x <- first$Petal.Length
  spread <- sqrt(mean((x - mean(x))^2))
  expect_equal(c(line$from[1L], line$to[1L]), mean(x) + c(-2, 2) * spread)
  expect_equal(line$range, range(line$from, line$to))
  picture <- local_picture(local_model(fit, "Petal.Width"), region)
  inside <- picture$shapes$y >= min(picture$panels$bottom) - 1e-9 &
    picture$shapes$y <= max(picture$cells$last, region[2L])
  expect_true(all(inside))
  expect_match(picture$texts$label, "mean along Petal.Length from", all = FALSE)
})

test_that("with several it is bars of standardised effects", {
  fit <- fit_network("[Sepal.Length][Sepal.Width][Petal.Length|Sepal.Length:Sepal.Width]", iris)
  view <- local_view(local_model(fit, "Petal.Length"))
  scaled <- as.data.frame(scale(iris[c("Petal.Length", "Sepal.Length", "Sepal.Width")]))
  model <- lm(Petal.Length ~ Sepal.Length + Sepal.Width, scaled)
  expect_equal(view$effects[1:2, 1L], coef(model)[-1L], ignore_attr = TRUE)
  share <- sqrt(149 / 150) # of the standard deviation with n - 1 that with n has
  expect_equal(view$effects[["residual", 1L]], sigma(model) / share)
  picture <- local_picture(local_model(fit, "Petal.Length"), region)
  colours <- unique(picture$shapes$fill)
  expect_true(all(effect_fill[c("positive", "negative", "residual")] %in% colours))
})

test_that("without moments the bars are coefficients", {
  holes <- iris
  holes$Sepal.Width[1:3] <- NA
  fit <- fit_network("[Sepal.Length][Sepal.Width][Petal.Length|Sepal.Length:Sepal.Width]", holes,
                     method = "em")
  model <- local_model(fit, "Petal.Length")
  view <- local_view(model)
  expect_identical(view$effects, model$coefficients[-1L, , drop = FALSE])
  expect_null(view$rows)
  labels <- local_picture(model, region)$texts$label
  expect_match(labels, "coefficients, each row on its own scale", all = FALSE)
})

test_that("many configurations become a heat map", {
  withr::local_seed(3)
  n <- 3000
  data <- data.frame(a = factor(sample(10, n, TRUE)), b = factor(sample(9, n, TRUE)),
                     x = rnorm(n), z = rnorm(n))
  data$y <- data$x + rnorm(n)
  fit <- fit_network("[a][b][x][z][y|a:b:x:z]", data)
  picture <- local_picture(local_model(fit, "y"), region)
  expect_identical(nrow(picture$panels), 90L)
  expect_true(all(is.finite(unlist(picture$shapes[c("x", "y")]))))
})

test_that("a number that was set is drawn there", {
  fit <- fit_network("[Petal.Length][Petal.Width|Petal.Length]", iris)
  view <- local_view(local_model(intervene(fit, list(Petal.Length = 3)), "Petal.Length"))
  expect_identical(view$location, 3)
})
