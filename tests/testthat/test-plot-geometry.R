region <- c(7, 5)

random_network <- function(n, density, ...) {
  example_network(paste0("node", seq_len(n)), random_parents(n, density), ...)
}

# The points of a path that lie inside boxes other than the ends', by more than a hair.
inside_boxes <- function(picture, i) {
  path <- picture$paths[picture$paths$id == i, ]
  others <- picture$nodes[!picture$nodes$node %in% unlist(picture$arcs[i, c("from", "to")]), ]
  within <- function(at, middle, size) {
    abs(outer(at, middle, `-`)) < rep(size / 2 - 1e-6, each = length(at))
  }
  sum(within(path$x, others$x, others$width) & within(path$y, others$y, others$height))
}

# By how many degrees a path turns from stretch to stretch.
turns <- function(path) {
  angle <- atan2(diff(path[, 2]), diff(path[, 1]))
  abs(diff(angle)) * 180 / pi
}

test_that("arcs keep clear of boxes and end on the border of theirs", {
  withr::local_seed(6)
  for (network in list(discrete_network(), random_network(15, 0.15), random_network(12, 0.5),
                       random_network(30, 0.06))) {
    picture <- network_picture(network, NULL, NULL, region)
    expect_identical(picture$arcs[order(picture$arcs$from, picture$arcs$to), 1:2],
                     as.data.frame(network)[order(network$arcs[, 1], network$arcs[, 2]), ],
                     ignore_attr = TRUE)
    nodes <- picture$nodes
    for (i in seq_len(nrow(picture$arcs))) {
      from <- nodes[match(picture$arcs$from[i], nodes$node), ]
      to <- nodes[match(picture$arcs$to[i], nodes$node), ]
      path <- picture$paths[picture$paths$id == i, ]
      tip <- picture$heads[picture$heads$id == i, ][1, ]
      expect_identical(inside_boxes(picture, i), 0L)
      expect_equal(path$y[1], from$y - from$height / 2)
      expect_equal(tip$y, to$y + to$height / 2)
      expect_lt(abs(path$x[1] - from$x), from$width / 2)
      expect_lt(abs(tip$x - to$x), to$width / 2)
      expect_true(all(diff(path$y) < 0))
    }
  }
})

test_that("arcs meet a box side by side, in the order of where they go", {
  box <- data.frame(x = rep(0, 5), y = 0, width = 2, height = box_height)
  towards <- rbind(c(0.3, 0.1, 0.2, 9, -0.1), -1)
  at <- ports(box, rep(1L, 5), towards)
  expect_identical(order(at), order(towards[1, ]))
  expect_gte(min(diff(sort(at))), arc_gap - 1e-9)
  expect_lt(max(abs(at)), 1)
  # A narrow box: closer, but apart.
  box$width <- 0.4
  at <- ports(box, rep(1L, 5), towards)
  expect_identical(order(at), order(towards[1, ]))
  expect_lt(max(abs(at)), 0.2)
})

test_that("a curve keeps to its lanes, is straight where these allow it, and has no corners", {
  lanes <- data.frame(left = c(2, -Inf, 0), right = c(Inf, 1, 3), bottom = c(-1.2, -2.2, -3.2),
                      top = c(-0.8, -1.8, -2.8))
  path <- least_bent(c(0, 0), c(5, -4), lanes)
  expect_equal(path[c(1, nrow(path)), ], rbind(c(0, 0), c(5, -4)))
  expect_true(all(diff(path[, 2]) < 0))
  for (i in 1:3) {
    inside <- path[path[, 2] <= lanes$top[i] & path[, 2] >= lanes$bottom[i], 1]
    expect_gt(length(inside), 3)
    expect_true(all(inside > lanes$left[i] - 0.02 & inside < lanes$right[i] + 0.02))
  }
  expect_lt(max(turns(path)), 25)
  wide <- transform(lanes, left = -10, right = 10)
  path <- least_bent(c(0, 0), c(5, -4), wide)
  expect_equal(path[, 1], -5 / 4 * path[, 2])
})

test_that("a spline within bounds is the best of all within them", {
  withr::local_seed(3)
  for (i in 1:20) {
    n <- sample(1:14, 1)
    tension <- stats::runif(1)
    ends <- stats::rnorm(2)
    lower <- stats::rnorm(n) - 0.5
    upper <- lower + stats::rexp(n)
    lower[stats::runif(n) < 0.4] <- -Inf
    cost <- function(x) {
      x <- c(ends[1], x, ends[2])
      sum(diff(x, differences = 2)^2) + tension * sum(diff(x)^2)
    }
    found <- bounded_spline(ends, lower, upper, tension)
    expect_identical(found[c(1, n + 2)], ends)
    inner <- found[1 + seq_len(n)]
    expect_true(all(inner >= lower & inner <= upper))
    other <- stats::optim(pmin(pmax(0, lower), upper), cost, method = "L-BFGS-B", lower = lower,
                          upper = upper, control = list(maxit = 2000, factr = 10))
    expect_lt(cost(inner), other$value + 1e-6)
  }
})

test_that("a long spline within narrow bounds is held by these alone", {
  # where all values that change places at once do so in a circle
  withr::local_seed(2)
  for (i in 1:60) {
    n <- sample(5:120, 1)
    middle <- cumsum(stats::rnorm(n, sd = 0.3))
    room <- ifelse(stats::runif(n) < 0.5, 5, stats::runif(n, 0, 0.6))
    tension <- arc_tension / stats::runif(1, 1, 8)^2
    x <- bounded_spline(stats::rnorm(2), middle - room, middle + room, tension)
    rows <- rbind(second_differences(n), sqrt(tension) * diff(diag(n + 2)))
    slope <- crossprod(rows, rows %*% x)[1 + seq_len(n)]
    off <- x[1 + seq_len(n)] - middle
    expect_true(all(abs(slope[abs(off) < room - 1e-7]) < 1e-5))
    expect_true(all(slope * sign(off) < 1e-5)) # at a bound it would go further
  }
})

test_that("long arcs have no corners", {
  withr::local_seed(9)
  for (network in list(random_network(15, 0.3), random_network(40, 0.05))) {
    picture <- network_picture(network, NULL, NULL, region)
    long <- vapply(split(picture$paths, picture$paths$id), nrow, 0L) > 2L
    expect_gt(sum(long), 5)
    for (i in as.integer(names(long))[long]) {
      expect_lt(max(turns(as.matrix(picture$paths[picture$paths$id == i, c("x", "y")]))), 60)
    }
  }
})

test_that("a picture fits its region, as large as may be", {
  for (region in list(c(7, 5), c(3, 6), c(10, 2))) {
    picture <- network_picture(discrete_network(), NULL, NULL, region)
    extent <- c(diff(range(picture$boxes$x, picture$paths$x)), diff(range(picture$boxes$y)))
    expect_true(all(extent <= region + 1e-9))
    expect_true(picture$scale == most_enlarged || any(extent > 0.99 * region))
  }
})

test_that("places can be given", {
  network <- discrete_network()
  places <- cbind(x = c(1, 2, 3, 1, 2, 3), y = c(2, 2, 2, 1, 1, 1))
  picture <- network_picture(network, given_places(network, places), NULL, region)
  expect_equal(stats::cor(picture$nodes$x, places[, 1]), 1)
  expect_equal(stats::cor(picture$nodes$y, places[, 2]), 1)
  expect_true(all(c(diff(range(picture$boxes$x)), diff(range(picture$boxes$y))) <= region + 1e-9))
  # By name, in any order, as a data frame, in any unit.
  shuffled <- as.data.frame(1000 * places, row.names = names(network$nodes))[6:1, ]
  expect_equal(network_picture(network, given_places(network, shuffled), NULL, region), picture)
  # From border to border.
  a <- picture$nodes[1, ]
  b <- picture$nodes[2, ]
  from_a_to_b <- which(picture$arcs$from == "A" & picture$arcs$to == "B")
  path <- picture$paths[picture$paths$id == from_a_to_b, ]
  expect_equal(path$x[1], a$x + a$width / 2)
  expect_equal(path$y[1], a$y)
  # Boxes never overlap, unless two places are the same.
  wide <- outer(picture$nodes$width, picture$nodes$width, "+") / 2
  beside <- abs(outer(picture$nodes$x, picture$nodes$x, "-")) > wide
  below <- abs(outer(picture$nodes$y, picture$nodes$y, "-")) > picture$nodes$height[1]
  expect_true(all((beside | below)[upper.tri(beside)]))
  expect_silent(network_picture(network, matrix(0, 6, 2), NULL, region))
})

test_that("layout functions of igraph give places", {
  skip_without_peer("igraph")
  network <- discrete_network()
  expect_identical(given_places(network, igraph::layout_in_circle),
                   igraph::layout_in_circle(igraph::as.igraph(network)))
  expect_identical(dim(given_places(network, igraph::layout_with_sugiyama)), c(6L, 2L))
})

test_that("arcs are marked by their kind", {
  network <- discrete_network(whitelist = cbind(from = c("A", "C"), to = c("B", "D")))
  highlight <- data.frame(from = c("C", "E"), to = c("D", "A"))
  kind <- function(highlight) {
    picture <- network_picture(network, NULL, highlight, region)
    stats::setNames(as.character(picture$arcs$kind), paste0(picture$arcs$from, picture$arcs$to))
  }
  expect_identical(kind(NULL)[c("AB", "CD", "AD")],
                   c(AB = "whitelisted", CD = "whitelisted", AD = "learned"))
  # The network has no arc from E to A, which is not drawn; highlighting comes first.
  expect_identical(kind(highlight)[c("AB", "CD")], c(AB = "whitelisted", CD = "highlighted"))
  expect_length(kind(highlight), 5)
})

test_that("undirected arcs are drawn once and have no head", {
  network <- discrete_network()
  network$arcs <- rbind(network$arcs, c("B", "A"))
  picture <- network_picture(network, NULL, cbind("B", "A"), region)
  expect_identical(nrow(picture$arcs), 5L)
  between <- which(picture$arcs$from %in% c("A", "B") & picture$arcs$to %in% c("A", "B"))
  expect_length(between, 1)
  expect_false(between %in% picture$heads$id)
  expect_identical(as.character(picture$arcs$kind[between]), "highlighted")
})

test_that("the line below the title tells what is proved", {
  nodes <- LETTERS[1:6]
  line <- function(...) certificate_line(discrete_network(record = example_record(nodes, ...)))
  expect_match(line(), "^proved optimal over all sets of at most 3 parents; score -24006.733")
  expect_match(line(status = "bounded", gap = 1.25),
               "^at most 1.25 from optimal over all sets of at most 3 parents; score")
  expect_match(line(status = "heuristic", gap = Inf), "^not proved optimal; score")
  expect_match(line(status = "heuristic", gap = 12), "^not proved optimal, at most 12 from optimal")
  settings <- example_record(nodes)$settings
  expect_match(line(settings = c(settings, treewidth = 2L)),
               "^proved optimal over all parent sets; tree-width at most 2; score")
  changed <- discrete_network()
  changed$arcs <- changed$arcs[-1, ] # the only one into its node
  expect_match(certificate_line(changed), "without the arcs into \"B\"", fixed = TRUE)
  changed$arcs <- rbind(changed$arcs, c("F", "A"))
  expect_match(certificate_line(changed), "no longer applies")
  changed$learning$optbn <- NULL
  expect_null(certificate_line(changed))
})

test_that("nodes are marked by their local models where these differ", {
  kinds <- function(network) as.character(node_kinds(network))
  expect_identical(kinds(discrete_network()), rep(NA_character_, 6))
  expect_identical(kinds(gaussian_network()), rep(NA_character_, 7))
  expect_identical(kinds(mixed_network()),
                   c("table", "table", "table", "Gaussian", "Gaussian", "table", "Gaussian",
                     "Gaussian"))
  for (score in list(score_pcart(), score_pcart(penalty = "size"))) {
    trees <- discrete_network(scored_by = score)
    expect_identical(kinds(trees), c(NA, "tree", NA, "tree", "tree", NA))
  }
  tables <- discrete_network(scored_by = score_ft())
  expect_identical(kinds(tables), c(NA, "table", NA, "table", "table", NA))

  picture <- network_picture(trees, NULL, NULL, c(6, 4))
  expect_identical(unname(node_fills(picture)[c(1, 2)]), c(box_fill, kind_fills[["tree"]]))
  expect_identical(shown_nodes(picture), "tree")
  expect_identical(shown_nodes(network_picture(discrete_network(), NULL, NULL, c(6, 4))),
                   character())
})

test_that("a comparison draws each arc of either network once, by which has it", {
  first <- "[A][B|A][C|B][D|C][E][F]"
  second <- "[B][A|B][C|B][D][E][F|D:E]" # A -> B turned, C -> D gone, D -> F and E -> F new
  x <- as_network(first)
  class(x) <- c("optbn", "bn")
  picture <- network_picture(x, NULL, NULL, region, check_compare(second, x))
  kind <- stats::setNames(as.character(picture$arcs$kind),
                          paste0(picture$arcs$from, picture$arcs$to))
  expect_identical(kind[order(names(kind))],
                   c(AB = "turned", BC = "in both", CD = "only in the first",
                     DF = "only in the second", EF = "only in the second"))
  # The nodes of the other may be in any order; arcs without directions have no head.
  class <- cbind(from = c("B", "A", "C"), to = c("A", "B", "B"))
  other <- network_of_parts(parts_of_arcs(c("F", "E", "D", "C", "B", "A"), class))
  picture <- network_picture(x, NULL, NULL, region, check_compare(other, x))
  kind <- stats::setNames(as.character(picture$arcs$kind),
                          paste0(picture$arcs$from, picture$arcs$to))
  expect_identical(kind[order(names(kind))],
                   c(AB = "turned", BC = "turned", CD = "only in the first"))
  # Against the order of the first, heads point up, and cycles of the two together are drawn.
  picture <- network_picture(x, NULL, NULL, region, check_compare("[D][A|D][B][C][E][F]", x))
  upwards <- which(picture$arcs$from == "D" & picture$arcs$to == "A")
  nodes <- picture$nodes
  tip <- picture$heads[picture$heads$id == upwards, ][1, ]
  expect_equal(tip$y, nodes$y[1] - nodes$height[1] / 2)
  expect_error(check_compare("[A][B]", x), class = "optbn_error_argument")
  expect_error(check_compare(3, x), class = "optbn_error_argument")
})

test_that("arcs are as wide and dark as they are probable", {
  x <- as_network("[A][B|A][C|A:B]")
  class(x) <- c("optbn", "bn")
  table <- data.frame(from = c("A", "B", "B", "A"), to = c("B", "A", "C", "C"),
                      strength = c(0.9, 0.9, 0.5, 0), direction = c(1, 0, 1, 0))
  arcs <- network_picture(x, NULL, NULL, region, strength = check_strength(table, x))$arcs
  at <- match(c("AB", "BC", "AC"), paste0(arcs$from, arcs$to))
  expect_equal(arcs$width[at], 0.4 + 1.6 * c(0.9, 0.5, 0))
  expect_equal(arcs$opacity[at], 0.25 + 0.75 * c(0.9, 0.5, 0))
  table$direction <- 0.5 # without a direction: the two together
  pattern <- network_of_parts(parts_of_arcs(LETTERS[1:3], cbind(c("A", "B"), c("B", "A"))))
  class(pattern) <- c("optbn", "bn")
  arcs <- network_picture(pattern, NULL, NULL, region, strength = check_strength(table, x))$arcs
  expect_equal(arcs$width, 0.4 + 1.6 * 0.9)
  expect_error(check_strength(table[1:2, ], x), class = "optbn_error_argument")
  expect_error(check_strength(table[1:3], x), class = "optbn_error_argument")
  expect_error(check_strength("A", x), class = "optbn_error_argument")
})
