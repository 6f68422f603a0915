large <- c(7, 4)

random_trees <- function() {
  sizes <- expand.grid(n = c(6, 17, 60), k = c(0, 1, 3))
  Map(function(n, k) clique_tree(sample_k_tree(paste0("node", seq_len(n)), k)), sizes$n, sizes$k)
}

edges_of <- function(boxes) {
  data.frame(left = boxes$x - boxes$width / 2, right = boxes$x + boxes$width / 2,
             bottom = boxes$y - boxes$height / 2, top = boxes$y + boxes$height / 2)
}

# The texts within each box.
texts_in <- function(picture) {
  boxes <- edges_of(picture$bags)
  lapply(seq_len(nrow(boxes)), function(i) {
    text <- picture$texts
    text[text$x > boxes$left[i] & text$x < boxes$right[i] & text$y > boxes$bottom[i] &
           text$y < boxes$top[i], ]
  })
}

nodes_of <- function(text, kind) {
  as.character(unlist(strsplit(text$label[text$colour == name_colours[[kind]]], ", ")))
}

# ---- where things stand --------------------------------------------------------------------------

test_that("no boxes overlap, text fits into them, and all is in the region", {
  skip_where_quick()
  withr::local_seed(1)
  for (tree in random_trees()) for (region in list(large, c(3, 3), c(12, 9))) {
    picture <- tree_picture(tree, region)
    boxes <- edges_of(picture$bags)
    expect_identical(nrow(boxes), length(tree$bags))
    apart <- outer(boxes$left, boxes$right, ">") | outer(boxes$bottom, boxes$top, ">")
    expect_true(all((apart | t(apart))[upper.tri(apart)]))
    points <- rbind(picture$lines[c("x", "y")], picture$shapes[c("x", "y")])
    expect_true(all(points >= -1e-9))
    expect_true(all(points$x <= region[1] + 1e-9 & points$y <= region[2] + 1e-9))
    for (i in seq_len(nrow(boxes))) {
      text <- texts_in(picture)[[i]]
      expect_true(all(text_em(text$label) * text$size / 72 <= picture$bags$width[i]))
      expect_true(sum(text$size) / 72 <= picture$bags$height[i])
    }
  }
})

test_that("every bag is joined to the one on which it hangs, and no line crosses a box", {
  withr::local_seed(2)
  for (tree in random_trees()) for (region in list(large, c(3, 12))) {
    picture <- tree_picture(tree, region)
    boxes <- edges_of(picture$bags)
    lines <- split(picture$lines, picture$lines$id)
    steps <- do.call(rbind, lapply(lines, function(line) {
      cbind(utils::head(line[2:3], -1), to = utils::tail(line[2:3], -1))
    }))
    expect_true(all(steps$x == steps$to.x | steps$y == steps$to.y))
    inside <- function(low, high, from, to) {
      outer(pmax(from, to), low + 1e-9, ">") & outer(pmin(from, to), high - 1e-9, "<")
    }
    crossed <- inside(boxes$left, boxes$right, steps$x, steps$to.x) &
      inside(boxes$bottom, boxes$top, steps$y, steps$to.y)
    expect_false(any(crossed))

    # what the lines join: steps that touch one another, and the boxes that they touch
    touches <- function(low, high, from, to) {
      outer(pmax(from, to), low - 1e-6, ">") & outer(pmin(from, to), high + 1e-6, "<")
    }
    box <- touches(boxes$left, boxes$right, steps$x, steps$to.x) &
      touches(boxes$bottom, boxes$top, steps$y, steps$to.y)
    step <- touches(pmin(steps$x, steps$to.x), pmax(steps$x, steps$to.x), steps$x, steps$to.x) &
      touches(pmin(steps$y, steps$to.y), pmax(steps$y, steps$to.y), steps$y, steps$to.y)
    group <- connected_parts(nrow(step), which(step, arr.ind = TRUE))
    families <- unname(lapply(split(seq_along(group), group), function(one) {
      which(colSums(box[one, , drop = FALSE]) > 0)
    }))
    hanging <- split(seq_along(tree$parent), tree$parent)
    hanging <- hanging[names(hanging) != "0"]
    expected <- unname(Map(function(above, below) sort(c(as.integer(above), below)),
                           names(hanging), hanging))
    in_order <- function(sets) sets[order(vapply(sets, paste, "", collapse = " "))]
    expect_identical(in_order(families), in_order(expected))
  }
})

test_that("a bag stands over the middle of those that hang on it, and subtrees touch", {
  withr::local_seed(3)
  for (n in c(2, 9, 40)) {
    parent <- c(0L, vapply(seq_len(n), function(i) sample.int(i, 1), 1L))
    extent <- stats::runif(n + 1, 0.5, 2)
    place <- tidy_places(parent, extent, 0.25)
    level <- tree_levels(parent)
    expect_equal(min(place - extent / 2), 0)
    for (v in unique(parent[-1])) expect_equal(place[v], mean(range(place[parent == v])))
    subtree <- function(v) {
      below <- which(parent == v)
      c(v, unlist(lapply(below, subtree)))
    }
    for (v in which(tabulate(parent, n + 1) > 1)) {
      hanging <- which(parent == v)
      for (i in seq_along(hanging)[-1]) {
        left <- unlist(lapply(hanging[seq_len(i - 1)], subtree))
        right <- subtree(hanging[i])
        free <- outer(right, left, function(r, l) {
          ifelse(level[r] == level[l],
                 place[r] - extent[r] / 2 - place[l] - extent[l] / 2, Inf)
        })
        expect_equal(min(free), 0.25)
      }
    }
  }
})

# ---- what is shown -------------------------------------------------------------------------------

test_that("a node is black where it is new, grey where it is shared", {
  withr::local_seed(4)
  tree <- sample_k_tree(12, 2)
  picture <- tree_picture(clique_tree(tree), large)
  expect_identical(picture$shown, "all")
  texts <- texts_in(picture)
  expect_setequal(nodes_of(texts[[1]], "new"), tree$bags[[1]])
  for (i in seq_along(tree$bags)[-1]) {
    expect_identical(nodes_of(texts[[i]], "new"), tree$introduced[i])
    expect_setequal(nodes_of(texts[[i]], "shared"), setdiff(tree$bags[[i]], tree$introduced[i]))
  }
  black <- unlist(lapply(texts, nodes_of, "new"))
  expect_identical(sort(black), sort(tree$nodes))
})

test_that("with less room there are new names alone, then numbers of nodes", {
  withr::local_seed(5)
  tree <- sample_k_tree(paste("variable", 1:30), 3)
  tree <- clique_tree(tree)
  expect_identical(tree_picture(tree, c(20, 12))$shown, "all")
  picture <- tree_picture(tree, c(5, 3))
  expect_identical(picture$shown, "new")
  texts <- texts_in(picture)
  expect_length(unlist(lapply(texts, nodes_of, "shared")), 0)
  expect_setequal(unlist(lapply(texts, nodes_of, "new")), paste("variable", 1:30))
  picture <- tree_picture(tree, c(2, 1.5))
  expect_identical(picture$shown, "count")
  expect_true(all(vapply(texts_in(picture), function(text) identical(text$label, "4"), NA)))
})

test_that("the foot says what is shown, of which way the tree grows", {
  star <- clique_tree(k_tree(lapply(paste("the leaf called", 1:12), c, "hub")))
  picture <- tree_picture(star, large)
  expect_true(picture$rightwards)
  expect_match(picture$texts$label, "bag to its left", all = FALSE)
  path <- clique_tree(k_tree(lapply(1:5, function(i) paste0("a rather long name ", i + 0:1))))
  picture <- tree_picture(path, large)
  expect_false(picture$rightwards)
  expect_match(picture$texts$label, "black: new nodes; grey: shared with the bag above",
               all = FALSE)
})

test_that("the largest cliques are marked, by cells where these are known", {
  marked <- function(x) tree_picture(clique_tree(x), large)$bags$largest
  compiled <- compile_network(titanic_fit())
  expect_identical(marked(compiled), length(compiled$cells) > 1 &
                     compiled$cells == max(compiled$cells))
  width <- treewidth("[A][B|A][C|A][D|B:C][E|D]")
  expect_identical(marked(width), lengths(width$cliques) == 3)
  expect_true(any(marked(width)))
  picture <- tree_picture(clique_tree(width), large)
  fills <- picture$shapes$fill[!duplicated(picture$shapes$id)]
  expect_identical(fills == kind_fills[["tree"]], picture$bags$largest)
  expect_match(picture$texts$label, "orange: largest cliques", all = FALSE)
  expect_false(any(marked(sample_k_tree(9, 2))))
})

test_that("what shares nothing with its parent hangs on none", {
  expect_identical(clique_tree(sample_k_tree(5, 0))$parent, rep(0L, 5))
  apart <- compile_network(fit_network("[Class][Sex][Age|Sex]", as.data.frame(Titanic)[1:3]))
  expect_identical(clique_tree(apart)$parent, c(0L, 0L))
  expect_identical(clique_tree(treewidth("[A][B][C|B]"))$parent, c(0L, 0L))
  expect_identical(nrow(tree_picture(clique_tree(apart), large)$lines), 0L)
})

test_that("headings say how wide the tree is", {
  expect_identical(clique_tree(sample_k_tree(9, 2))[c("heading", "line")],
                   list(heading = "2-tree over 9 nodes", line = "7 bags of 3, tree-width 2"))
  compiled <- clique_tree(compile_network(titanic_fit()))
  expect_identical(compiled$heading, "Junction tree of a network with 4 nodes")
  expect_identical(compiled$line, "width 3; 1 clique, 32 cells together, 32 cells in the largest")
  width <- treewidth("[A][B|A][C|A][D|B:C]")
  expect_identical(clique_tree(width)[c("heading", "line")],
                   list(heading = "Tree-width 2 (exact)",
                        line = "2 cliques of an elimination order, at most 3 nodes each"))
  width$width <- NA
  width$lower <- 1L
  expect_identical(clique_tree(width)$heading, "Tree-width between 1 and 2")
})

test_that("names are wrapped", {
  names <- c("one", "two", "three")
  expect_identical(wrap_names(names, 0), names)
  expect_identical(wrap_names(names, text_em("one, two")), c("one, two", "three"))
  expect_identical(wrap_names(names, Inf), "one, two, three")
  expect_identical(wrap_names(character(), 3), character())
})
