test_that("a body's places and members are read as they were written", {
  model <- example_cutset()
  body <- model$components[[1L]]
  places <- body_places(body, lengths(model$levels))
  expect_identical(places$above, c(0L, 1L, 1L, 3L, 3L, 3L))
  expect_identical(places$level, c(0L, 1L, 2L, 1L, 2L, 3L))
  expect_identical(places$depth, c(0L, 1L, 1L, 2L, 2L, 2L))
  expect_equal(places$reach, c(1, 0.75, 0.25, 0.125, 0.075, 0.05))
  expect_identical(places$leaf, c(NA, 1L, NA, 2L, 3L, 4L))
  members <- named_members(model)
  expect_identical(members$leaf, rep(1:4, c(3, 2, 2, 2)))
  expect_identical(members$name[1:5], c("Cough", "Age", "Test", "Age", "Test"))
  expect_identical(members$above[1:5], c(NA, "Cough", "Age", NA, "Age"))
  expect_identical(member_table(body, members[2L, ]), matrix(c(0.5, 0.5, 0.4, 0.6, 0.2, 0.8), 2L))
  expect_identical(member_table(body, members[9L, ]), matrix(c(0.5, 0.5), 2L))
})

test_that("the leaves of random models share out all rows, and parameters are the core's", {
  set.seed(1)
  for (class in c("optbn_cutset_network", "optbn_latent_tree", "optbn_mixture")) {
    for (i in 1:10) {
      model <- random_density(class, n = sample(2:7, 1), depth = 4L)
      of_bodies <- vapply(model$components, body_parameters, 0, sizes = lengths(model$levels))
      expect_identical(free_parameters(model), sum(of_bodies) + length(of_bodies) - 1)
      for (body in model$components) {
        leaves <- Filter(function(leaf) !is.na(leaf), body_places(body, lengths(model$levels))$leaf)
        expect_setequal(leaves, seq_along(body$members))
      }
      if (class == "optbn_cutset_network") expect_equal(sum(summary(model)$leaves$probability), 1)
    }
  }
})

test_that("the probability of reaching a leaf is that of what was cut on the way", {
  set.seed(2)
  model <- random_density(n = 6, depth = 3L)
  for (leaf in seq_along(model$components[[1L]]$members)) {
    expect_equal(exp(log_probability(model, leaf_evidence(model, leaf))),
                 summary(model)$leaves$probability[leaf])
  }
})

test_that("a leaf is the distribution given what was cut on the way", {
  set.seed(3)
  for (i in 1:5) {
    model <- random_density(n = 5, depth = 2L, types = TRUE)
    for (leaf in seq_along(model$components[[1L]]$members)) {
      tree <- cutset_leaf(model, leaf)
      expect_s3_class(tree, "optbn_cutset_network")
      expect_setequal(c(tree$nodes, names(tree$given)), model$nodes)
      expect_identical(names(tree$prototype), tree$nodes)
      for (node in tree$nodes) {
        expect_equal(query(tree, node), query(model, node, tree$given))
      }
      joint <- query(model, tree$nodes, tree$given)
      expect_equal(query(tree, tree$nodes), joint)
    }
  }
  tree <- cutset_leaf(model, 1)
  expect_identical(cutset_leaf(tree, 1), tree)
})

test_that("a mixture is the weighted sum of its components", {
  set.seed(4)
  model <- random_density("optbn_mixture", n = 4, components = 4L)
  all <- enumerate_density(model)
  each <- vapply(1:4, function(i) exp(log_density(mixture_component(model, i), all$rows)), all$p)
  expect_equal(as.vector(each %*% model$weights), all$p)
  expect_identical(class(mixture_component(model, 2))[1L], "optbn_latent_tree")
  expect_identical(class(mixture_component(model, 3))[1L], "optbn_cutset_network")
  single <- random_density()
  expect_identical(mixture_component(single, 1), single)
})

test_that("parts that there are not are refused", {
  expect_snapshot(error = TRUE, {
    mixture_component(iris, 1)
    mixture_component(random_density("optbn_mixture"), 4)
    mixture_component(random_density("optbn_mixture"), "a")
    cutset_leaf(iris, 1)
    cutset_leaf(example_cutset(), 5)
    cutset_leaf(random_density("optbn_mixture"), 1)
    cutset_leaf(random_density("optbn_latent_tree"), 1)
  })
  expect_error(cutset_leaf(example_cutset(), 0), class = "optbn_error_argument")
})

test_that("models say what they are", {
  set.seed(5)
  expect_snapshot({
    example_cutset()
    cutset_leaf(example_cutset(), 3)
    example_cutset(status = "time_limit", algorithm = NULL, validation = NULL)
    random_density("optbn_latent_tree", n = 6)
    random_density("optbn_mixture", n = 6)
    mixture_component(random_density("optbn_mixture", n = 6), 2)
  })
  expect_identical(format(example_cutset())[-1L], capture.output(print(example_cutset()))[-1L])
  levels <- list(A = c("u", "v"), B = c("u", "v"))
  tree <- tree_body(c(2L, 2L), c(0L, 1L))
  bag <- new_density("optbn_mixture", c("A", "B"), levels, NULL, c(0.5, 0.5), list(tree, tree),
                     example_learning(settings = list(components = 2, cutset = list(alpha = 1))))
  expect_snapshot(bag)
})

test_that("summaries are data frames of cuts and leaves, components, hidden variables", {
  set.seed(6)
  expect_snapshot({
    summary(example_cutset())
    summary(random_density("optbn_latent_tree", n = 6))
    summary(random_density("optbn_mixture", n = 6))
    print(summary(random_density(n = 6, depth = 4L)), most = 3L)
  })
  found <- summary(example_cutset())
  expect_identical(found$cuts$variable, c("Smoker", "Cough"))
  expect_identical(found$cuts$probability, c(1, 0.25))
  expect_identical(found$leaves$variables, c(3L, 2L, 2L, 2L))
  expect_identical(found$leaves$parameters, c(7, 3, 3, 2))
  expect_identical(sum(found$leaves$parameters) + 1 + 2, free_parameters(example_cutset()))
})

test_that("hidden variables get names that no variable has", {
  expect_identical(hidden_names(2L, c("A", "H", "Hair")), c("H1", "H2"))
  expect_identical(hidden_names(1L, c("H7", "A")), "H_1")
  expect_identical(hidden_names(0L, "A"), character())
})

test_that("models answer after a journey through a file", {
  file <- withr::local_tempfile()
  for (class in c("optbn_cutset_network", "optbn_latent_tree", "optbn_mixture")) {
    model <- random_density(class)
    before <- query(model)
    saveRDS(model, file)
    back <- readRDS(file)
    expect_null(core_compiled_from(back$handle$pointer))
    expect_identical(query(back), before)
    expect_false(is.null(core_compiled_from(back$handle$pointer)))
  }
})

# Changes that a user, or a damaged file, may make to a model; each breaks it.
broken_models <- function(model) {
  body <- model$components[[1L]]
  with_body <- function(part, change) {
    model$components[[1L]][[part]] <- change(body[[part]])
    model
  }
  first <- function(value) function(x) replace(x, 1L, value)
  c(
    lapply(names(body), function(part) with_body(part, function(x) x[-1L])),
    lapply(names(body), function(part) with_body(part, function(x) rep(x, 2L))),
    lapply(names(body), function(part) with_body(part, function(x) NULL)),
    lapply(names(body), function(part) with_body(part, function(x) "a")),
    lapply(c("variable", "states", "parent", "cut", "first"), with_body, first(100000L)),
    lapply(c("variable", "states", "parent", "cut", "first"), with_body, first(-1L)),
    lapply(c("variable", "states", "members"), with_body, function(x) x + 0.5),
    lapply(c("weight", "tables"), with_body, first(NaN)),
    lapply(c("weight", "tables"), with_body, first(-1)),
    list(with_body("tables", first(0.123))), # no distribution
    list(
      replace(model, "weights", list(numeric())), replace(model, "weights", list(2)),
      replace(model, "components", list(list())), replace(model, "nodes", list(1:3)),
      replace(model, "levels", list(rev(model$levels))),
      replace(model, "levels", list(replace(model$levels, 1L, list("a")))),
      replace(model, "prototype", list(model$prototype[-1L]))
    )
  )
}

test_that("a model that was changed is refused, or answers as changed, also after a file", {
  skip_where_quick()
  set.seed(1)
  data <- switching_rows(200)
  for (model in list(learn_chow_liu(data), learn_cutset(data, min_rows = 20))) {
    before <- log_density(model, data[1:5, ])
    for (broken in broken_models(model)) {
      from_file <- unserialize(serialize(broken, NULL))
      expect_error(log_density(from_file, data), class = "optbn_error_model")
      for (changed in c(list(broken), if (all_cases()) list(from_file))) {
        expect_error(log_density(changed, data), class = "optbn_error_model")
        expect_error(query(changed), class = "optbn_error_model")
        expect_error(most_probable(changed), class = "optbn_error_model")
        expect_error(simulate(changed), class = "optbn_error_model")
        expect_error(update(changed, data), class = "optbn_error")
      }
    }
    expect_identical(log_density(model, data[1:5, ]), before)
  }
  mixture <- learn_mixture(data, 2, iterations = 2)
  log_density(mixture, data)
  swapped <- mixture
  swapped$weights <- rev(mixture$weights)
  expect_equal(exp(log_density(swapped, data)),
               exp(log_density(mixture_component(mixture, 1), data)) * mixture$weights[2] +
                 exp(log_density(mixture_component(mixture, 2), data)) * mixture$weights[1],
               tolerance = 1e-6)
})
