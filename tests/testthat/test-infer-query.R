test_that("joint posteriors are those of enumeration", {
  set.seed(1)
  for (repeats in share_of(1:60)) {
    fit <- random_fit(sample(2:7, 1), zeros = sample(c(0, 0.3), 1))
    compiled <- compile_network(fit)
    all <- enumerate(fit)
    n <- length(fit$nodes)
    known <- sample(fit$nodes, sample(0:(n - 1), 1))
    evidence <- random_evidence(fit, known)
    asked <- sample(setdiff(fit$nodes, known), 1)
    asked <- sample(c(asked, setdiff(sample(fit$nodes, 2), c(asked, known))))
    p <- weigh_rows(all, evidence)
    if (sum(p) == 0) {
      expect_error(query(compiled, asked, evidence), class = "optbn_error_impossible")
      next
    }
    expect_equal(query(compiled, asked, evidence), sum_rows(fit, all, p, asked))
    single <- query(compiled, evidence = evidence)
    expect_identical(names(single), fit$nodes)
    for (node in fit$nodes) {
      expect_equal(single[[node]], sum_rows(fit, all, p, node))
    }
  }
})

test_that("a weighed node may be asked for, and a set of levels is a likelihood", {
  fit <- titanic_fit()
  prior <- query(fit, "Sex")
  weighed <- query(fit, "Sex", list(Sex = c(Male = 1, Female = 4)))
  expect_equal(as.vector(weighed), as.vector(prior * c(1, 4) / sum(prior * c(1, 4))))
  crew <- list(Class = c("1st", "Crew"))
  expect_equal(query(fit, "Age", crew),
               query(fit, "Age", list(Class = c(`1st` = 5, `2nd` = 0, `3rd` = 0, Crew = 5))))
  expect_equal(query(fit, "Age", list(Class = levels(as.data.frame(Titanic)$Class))),
               query(fit, "Age"))
})

test_that("evidence may be a row of a data frame, with gaps", {
  fit <- titanic_fit()
  row <- data.frame(Class = factor("3rd"), Sex = NA, Age = "Child")
  expect_identical(query(fit, "Survived", row),
                   query(fit, "Survived", list(Class = "3rd", Age = "Child")))
  expect_identical(query(fit, "Survived", c(Class = "3rd", Age = "Child")),
                   query(fit, "Survived", list(Class = "3rd", Age = "Child")))
})

test_that("predict() of a complete row gives the same", {
  fit <- titanic_fit()
  rows <- enumerate(fit)$rows
  for (i in c(1, 7, 20)) {
    expect_equal(as.vector(query(fit, "Sex", as.list(rows[i, names(rows) != "Sex"]))),
                 as.vector(predict(fit, rows[i, ], "Sex", type = "prob")))
  }
})

test_that("gRain gives the same posteriors", {
  skip_without_peer("bnlearn")
  skip_without_peer("gRain")
  shelf <- new.env()
  utils::data("alarm", package = "bnlearn", envir = shelf)
  data <- droplevels(shelf$alarm[1:2000, ])
  fit <- fit_network(bnlearn::hc(data, maxp = 3), data)
  compiled <- compile_network(fit)
  grain <- bnlearn::as.grain(bnlearn::as.bn.fit(fit))
  set.seed(2)
  for (repeats in 1:5) {
    known <- sample(fit$nodes, 3)
    evidence <- lapply(data[sample(nrow(data), 1), known], as.character)
    theirs <- gRain::setEvidence(grain, evidence = evidence)
    ours <- query(compiled, evidence = evidence)
    single <- gRain::querygrain(theirs)
    for (node in names(single)) {
      expect_equal(as.vector(ours[[node]]), as.vector(single[[node]][names(ours[[node]])]),
                   tolerance = 1e-10)
    }
    asked <- sample(setdiff(fit$nodes, known), 2)
    joint <- gRain::querygrain(theirs, nodes = asked, type = "joint")
    expect_equal(as.vector(query(compiled, asked, evidence)),
                 as.vector(aperm(unclass(joint), asked)), tolerance = 1e-10)
    expect_equal(exp(log_probability(compiled, evidence)), gRain::pEvidence(theirs),
                 tolerance = 1e-10, ignore_attr = TRUE)
  }
})

test_that("networks from a folder have probability 1, and gRain's posteriors", {
  folder <- shared_path("data", "networks")
  skip_without_peer("bnlearn")
  skip_without_peer("gRain")
  for (name in c("alarm", "asia", "child", "hepar2", "insurance", "sachs", "win95pts")) {
    lines <- readLines(file.path(folder, paste0(name, ".bif.gz")))
    file <- withr::local_tempfile(fileext = ".bif", lines = lines)
    fit <- suppressWarnings(bnlearn::read.bif(file))
    compiled <- compile_network(fit)
    ours <- query(compiled)
    # a likelihood that says nothing makes every node count
    anything <- lapply(compiled$levels, function(levels) {
      rlang::set_names(rep(1, length(levels)), levels)
    })
    expect_lt(abs(log_probability(compiled, anything)), 1e-10)
    theirs <- gRain::querygrain(bnlearn::as.grain(fit))
    for (node in names(theirs)) {
      expect_equal(as.vector(ours[[node]]), as.vector(theirs[[node]][names(ours[[node]])]),
                   tolerance = 1e-10)
    }
  }
})

test_that("questions that make no sense are refused", {
  compiled <- compile_network(titanic_fit())
  expect_snapshot(error = TRUE, {
    query(compiled, "Name")
    query(compiled, c("Age", "Age"))
    query(compiled, "Age", list(Age = "Child"))
    query(iris, "Species")
    query(fit_network("[Petal.Length][Species|Petal.Length]", iris, score = "pcart"), "Species")
  })
  expect_error(query(compiled, "Name"), class = "optbn_error_argument")
})

test_that("a joint posterior beyond the memory is refused", {
  set.seed(3)
  nodes <- node_names(24)
  data <- list2DF(rlang::set_names(lapply(nodes, function(node) {
    factor(sample(letters[1:3], 60, replace = TRUE))
  }), nodes))
  links <- paste0("[", nodes[-1], "|", nodes[-24], "]", collapse = "")
  chain <- fit_network(paste0("[N001]", links), data)
  compiled <- compile_network(chain, memory_limit = 1e5)
  expect_snapshot(error = TRUE, {
    query(compiled, nodes[seq(1, 24, by = 2)])
    query(compiled, nodes)
  })
  expect_error(query(compiled, nodes[1:12]), class = "optbn_error_memory")
  expect_equal(sum(query(compiled, nodes[c(1, 12, 24)])), 1)
})

test_that("answers are tables, with a row for each cell as data frames", {
  titanic <- as.data.frame(Titanic)
  fit <- fit_network("[Class][Sex|Class][Survived|Class:Sex]", titanic[c(1, 2, 4)],
                     weights = titanic$Freq)
  answer <- query(fit, c("Sex", "Survived"), list(Class = "1st"))
  expect_s3_class(answer, "table")
  long <- as.data.frame(answer, responseName = "p")
  expect_identical(names(long), c("Sex", "Survived", "p"))
  expect_identical(nrow(long), 4L)
  expect_equal(long$p[long$Sex == "Male" & long$Survived == "Yes"], answer[["Male", "Yes"]])
  each <- query(fit, evidence = list(Class = "1st"))
  expect_s3_class(each$Sex, "table")
  expect_equal(each$Sex[["Male"]], sum(answer["Male", ]))
})
