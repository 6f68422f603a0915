# The checker in plain R: the arithmetic of src/checker/check_proof.cpp again, for small problems.
#
# That file has the language of proofs, and the arguments that have to be believed. Numbers are
# doubles, exact as long as they are whole and below 2^53; others are refused. Sets are rows of
# logical matrices, one a node; what a node may still have are numbers of its rows, cheapest first.

# Of more nodes a table is not made, and numbers may be too large.
most_nodes_in_r <- 20L

# What check_proof() returns of it.
check_in_r <- function(file, sets) {
  tryCatch(check_whole(words_in(file), sets),
           error = function(e) not_proved(conditionMessage(e)),
           warning = function(w) not_proved(conditionMessage(w)))
}

refuse_unless <- function(holds, otherwise) if (!isTRUE(holds)) stop(otherwise, call. = FALSE)

# A reader of words: `word()`, and whole `number(least, most)`.
words_in <- function(file) {
  words <- scan(file, "", quiet = TRUE, quote = "", comment.char = "")
  at <- 0L
  word <- function() {
    at <<- at + 1L
    if (at <= length(words)) words[at] else ""
  }
  list(word = word, number = function(least, most) as_whole_number(word(), least, most))
}

as_whole_number <- function(word, least, most) {
  refuse_unless(grepl("^-?[0-9]{1,19}$", word), "a whole number is missing")
  number <- as.double(word)
  refuse_unless(number >= least && number <= most, "a number is out of range")
  number
}

exact <- function(x) {
  refuse_unless(all(abs(x[is.finite(x)]) < 2^53), "numbers are too large for the checker in R")
  x
}

# The header, and each part of the problem: see check() there.
check_whole <- function(words, sets) {
  n <- length(sets$nodes)
  node <- function() words$number(0, n - 1) + 1
  refuse_unless(words$word() == "optbn-proof" && words$word() == "1",
                "this is no proof of this version")
  domains <- lapply(sets$sets, best_first, n)
  constraints <- words$number(0, 1e9)
  for (i in seq_len(constraints)) {
    kind <- words$word()
    limit <- words$number(0, n - 1)
    v <- node()
    has <- domains[[v]]$member[, limit + 1]
    domains[[v]] <- rows_of_domain(domains[[v]], switch(
      kind, requires = has, forbids = !has, limits = rowSums(domains[[v]]$member) <= limit,
      stop("no such constraint", call. = FALSE)
    ))
    refuse_unless(length(domains[[v]]$score) > 0L, "the constraints leave a node no set")
  }
  choice <- integer(n)
  for (v in seq_len(n)) {
    named <- vapply(seq_len(words$number(0, n - 1)), function(i) node(), 0)
    refuse_unless(!anyDuplicated(named), "the network has other sets")
    parents <- seq_len(n) %in% named
    choice[v] <- match(TRUE, colSums(t(domains[[v]]$member) != parents) == 0, nomatch = 0L)
  }
  refuse_unless(all(choice > 0L), "the network has other sets")
  network <- Map(function(domain, i) which(domain$member[i, ]), domains, choice)
  refuse_unless(length(topological_order(network)) == n, "the network has a cycle")

  seen <- logical(n)
  bound <- 0
  for (part in seq_len(words$number(0, n))) {
    bits <- words$number(0, 44)
    target <- words$number(0, 2^60)
    nodes <- vapply(seq_len(words$number(1, n)), function(i) node(), 0)
    refuse_unless(!any(seen[nodes]) && !anyDuplicated(nodes), "a node is in two parts")
    seen[nodes] <- TRUE
    own <- lapply(nodes, function(v) domain_within(domains[[v]], nodes, bits))
    refuse_unless(is_part_proved(own, exact(target), words), "a part does not reach its target")
    bound <- bound - target / 2^bits + sum(vapply(domains[nodes], function(d) d$score[1L], 0))
  }
  refuse_unless(words$word() == "end", "the proof has no end")
  refuse_unless(all(seen), "a node is in no part")
  score <- sum(mapply(function(domain, i) domain$score[i], domains, choice))
  is_optimal <- bound - score < max(1e-6, 1e-11 * abs(score))
  proved_to_be(if (is_optimal) "optimal" else "bounded", bound, score, constraints)
}

# A node's sets as rows, in the order in which the steps refer to them.
best_first <- function(of_node, n) {
  member <- membership(of_node, n)
  order <- do.call(order, c(list(-of_node$score, of_node$size), asplit(!member, 2L)))
  list(score = of_node$score[order], member = member[order, , drop = FALSE])
}

rows_of_domain <- function(domain, keep) {
  list(score = domain$score[keep], member = domain$member[keep, , drop = FALSE])
}

# A set costs what it loses against the best one, in whole units, rounded down.
cost_of_sets <- function(domain, bits) exact(floor((domain$score[1L] - domain$score) * 2^bits))

# What a part sees of a node's sets: those parents that are in the part. A set that costs no less
# than a subset of its own is not needed.
domain_within <- function(domain, nodes, bits) {
  cost <- cost_of_sets(domain, bits)
  member <- domain$member[, nodes, drop = FALSE]
  last <- match(TRUE, rowSums(member) == 0, nomatch = length(cost))
  is_cut <- cumsum(rowSums(domain$member) > rowSums(member)) > 0
  is_needed <- vapply(seq_len(last), function(i) {
    !is_cut[i] || !any(is_inside(member[seq_len(i - 1L), , drop = FALSE], member[i, ]))
  }, NA)
  list(cost = cost[which(is_needed)], member = member[which(is_needed), , drop = FALSE])
}

# By subset of a few nodes (bits, from 0): what the others cost at least if those come first.
# cost[pattern + 1, i]: of node i with these parents.
least_completions <- function(cost) {
  size <- ncol(cost)
  subset <- seq_len(2^size) - 1
  for (bit in 2^(seq_len(size) - 1)) { # the cheapest set inside each subset
    with <- bitwAnd(subset, bit) > 0
    cost[with, ] <- pmin(cost[with, ], cost[!with, ])
  }
  least <- c(rep(Inf, 2^size - 1), 0)
  count <- colSums(matrix(vapply(2^(seq_len(size) - 1), bitwAnd, subset, subset) > 0,
                          size, byrow = TRUE))
  for (members in rev(seq_len(size)) - 1) {
    for (i in seq_len(size)) {
      now <- subset[count == members & bitwAnd(subset, 2^(i - 1)) == 0]
      least[now + 1] <- pmin(least[now + 1], cost[now + 1, i] + least[now + 2^(i - 1) + 1])
    }
  }
  least
}

pattern_of <- function(member, nodes) {
  drop(member[, nodes, drop = FALSE] %*% 2^(seq_along(nodes) - 1))
}

# ---- rows ---------------------------------------------------------------------------------------

# What node v is charged by a cluster, or a group (k = 0), with each of these sets.
charge_of <- function(row, v, member) {
  if (row$k > 0) return(row$price * (rowSums(member[, row$nodes, drop = FALSE]) < row$k))
  row$charge[pattern_of(member, row$nodes) + 1, match(v, row$nodes)]
}

right_hand_side <- function(row, prefix) {
  first <- prefix[row$nodes]
  if (row$k > 0) return((row$k - min(row$k, sum(first))) * row$price)
  row$left[sum(2^(which(first) - 1)) + 1]
}

# The last bit of the hexadecimal number is the first node.
read_cluster <- function(k, words, n) {
  digits <- rev(strsplit(words$word(), "")[[1L]])
  values <- match(digits, c(0:9, letters[1:6])) - 1L
  refuse_unless(length(values) > 0L && !anyNA(values), "a cluster is not a hexadecimal number")
  nodes <- which(as.vector(vapply(values, bitwAnd, numeric(4L), 2^(0:3)) > 0))
  refuse_unless(all(nodes <= n), "a cluster has other nodes")
  refuse_unless(k >= 1 && k <= length(nodes), "a cluster has too few nodes")
  list(nodes = nodes, k = k, price = 1)
}

read_group <- function(size, words, n) {
  refuse_unless(size >= 1 && size <= 12, "a group has too many nodes")
  nodes <- vapply(seq_len(size), function(i) words$number(0, n - 1) + 1, 0)
  refuse_unless(!anyDuplicated(nodes), "a node comes twice")
  charge <- matrix(0, 2^size, size)
  for (i in seq_len(words$number(0, 2^20))) {
    member <- words$number(0, size - 1)
    pattern <- words$number(0, 2^size - 1)
    charge[pattern + 1, member + 1] <- exact(words$number(-2^56, 2^56))
  }
  group <- new_group(nodes, charge)
  exact(group$left)
  group
}

# charge[pattern + 1, i]: of member i with these parents among the others; `left`: the right-hand
# side, by pattern of a prefix.
new_group <- function(nodes, charge) {
  list(nodes = nodes, k = 0, price = 1, charge = charge, left = least_completions(charge))
}

# ---- a part -------------------------------------------------------------------------------------

# The steps of a part, one after the other on a stack of frames: see Part there.
is_part_proved <- function(domains, target, words) {
  n <- length(domains)
  everything <- lapply(domains, function(domain) seq_along(domain$cost))
  first <- list(prefix = logical(n), rest = rep(TRUE, n), listed = logical(n), cost = 0, bound = 0,
                proved = 0, options = everything, all = everything,
                reduced = lapply(domains, function(domain) 0 * domain$cost), least = numeric(n),
                parents = rep(list(rep(TRUE, n)), n), rows = list(), covered = FALSE, arc = NULL,
                sides = 0, side = 0, claims = new.env())
  part <- list(n = n, domains = domains, target = target, words = words)
  state <- list(stack = list(first), rows = list(), unused = 0, cutoff = Inf)
  repeat {
    word <- words$word()
    if (word == ".") break
    letter <- sub("^([^0-9]?).*$", "\\1", word)
    digits <- substring(word, nchar(letter) + 1L)
    argument <- if (nzchar(digits)) as_whole_number(digits, 0, 2^62) else -1
    state <- take_step(part, state, letter, argument)
  }
  refuse_unless(length(state$stack) == 1L, "a frame has no end")
  is_frame_proved(part, state$stack[[1L]])
}

take_step <- function(part, state, letter, argument) {
  top <- length(state$stack)
  frame <- state$stack[[top]]
  push <- function(frame) {
    frame[c("listed", "covered", "sides")] <- list(logical(part$n), FALSE, 0)
    frame
  }
  node <- function(v) {
    refuse_unless(v >= 0 && v < part$n && frame$rest[v + 1], "a node is not in the rest")
    v + 1
  }
  row <- function(i) {
    refuse_unless(i < length(state$rows), "there is no such row")
    state$rows[[i + 1]]
  }
  switch(
    letter,
    c = state$rows <- c(state$rows, list(read_cluster(argument, part$words, part$n))),
    g = state$rows <- c(state$rows, list(read_group(argument, part$words, part$n))),
    `~` = state[c("rows", "unused")] <- list(list(), 0),
    k = {
      refuse_unless(argument >= part$target, "a cutoff is below the target")
      state$cutoff <- if (argument < 2^53) argument else Inf
    },
    d = {
      rows <- lapply(seq_len(argument), function(i) {
        row <- row(part$words$number(0, 1e9))
        price <- exact(part$words$number(1, if (row$k > 0) 2^60 else 1))
        if (row$k > 0) row$price <- price
        row
      })
      state$unused <- length(state$rows)
      state$stack[[top]] <- with_dual(part, frame, rows, state$cutoff)
    },
    t = state$stack[[top]] <- tabulated(part, frame),
    `+` = state$stack[[top + 1L]] <- if (argument < 0) {
      push(frame)
    } else {
      appended(part, push(frame), frame, node(argument), state$cutoff)
    },
    y = ,
    n = {
      arc <- c(node(argument), node(part$words$number(0, part$n)))
      refuse_unless(frame$sides == 0 || identical(frame$arc, arc), "a split has other sides")
      state$stack[[top]]$arc <- arc
      state$stack[[top + 1L]] <- split_side(part, push(frame), arc, letter == "y")
    },
    `=` = {
      frame <- push(frame)
      frame[c("side", "claims", "all")] <- list(3, new.env(), frame$options)
      state$stack[[top + 1L]] <- frame
    },
    x = state$stack[[top]]$all <- frame$options,
    `-` = {
      refuse_unless(top > 1L, "a frame ends that did not begin")
      state$stack <- state$stack[-top]
      state$stack[[top - 1L]] <- with_ended(part, state$stack[[top - 1L]], frame)
    },
    s = state$stack[[top]]$listed[node(argument)] <- TRUE,
    `*` = state$stack[[top]]$covered <- covers(part, frame, node(argument)) || frame$covered,
    {
      refuse_unless(letter == "r" || (letter == "" && argument >= 0), "there is no such step")
      called <- if (argument < 0) state$unused else argument
      state$unused <- max(state$unused, called + 1)
      state$stack[[top]] <- raised(part, frame, row(called))
    }
  )
  state
}

is_inside <- function(member, set) rowSums(member[, !set, drop = FALSE]) == 0

rows_of <- function(part, frame, v) part$domains[[v]]$member[frame$options[[v]], , drop = FALSE]

# Keeps some options of a node, up to the first inside the prefix.
narrowed <- function(part, frame, v, keep = TRUE) {
  options <- frame$options[[v]][keep]
  reduced <- frame$reduced[[v]][keep]
  member <- part$domains[[v]]$member[options, , drop = FALSE]
  last <- match(TRUE, is_inside(member, frame$prefix), nomatch = length(options))
  frame$options[[v]] <- options[seq_len(last)]
  frame$reduced[[v]] <- exact(reduced[seq_len(last)])
  frame$parents[[v]] <- colSums(member[seq_len(last), , drop = FALSE]) > 0
  frame$least[v] <- min(frame$reduced[[v]], Inf)
  frame
}

claim_key <- function(prefix) paste(c("U", which(prefix)), collapse = " ")

claim_of <- function(frame, prefix) {
  frame$claims[[claim_key(prefix)]] %||% c(rest = 0, shown = 0, cost = Inf)
}

with_bound <- function(part, frame) {
  sides <- vapply(frame$rows, right_hand_side, 0, frame$prefix)
  frame$bound <- exact(frame$cost + sum(sides) + sum(frame$least[frame$rest]))
  known <- frame$cost + claim_of(frame, frame$prefix)[["rest"]]
  frame$proved <- min(part$target, max(frame$proved, frame$bound, known))
  frame
}

with_dual <- function(part, frame, rows, cutoff) {
  frame$rows <- rows
  for (v in which(frame$rest)) {
    frame$options[[v]] <- frame$all[[v]]
    reduced <- part$domains[[v]]$cost[frame$options[[v]]]
    for (row in rows) {
      if (v %in% row$nodes) reduced <- reduced - charge_of(row, v, rows_of(part, frame, v))
    }
    frame$reduced[[v]] <- reduced
    frame <- narrowed(part, frame, v)
  }
  frame <- with_bound(part, frame)
  within <- slack(cutoff, frame$bound)
  for (v in which(frame$rest)) {
    frame <- narrowed(part, frame, v, frame$reduced[[v]] < frame$least[v] + within)
  }
  frame
}

# What a bound lacks to the cutoff.
slack <- function(cutoff, bound) if (is.finite(bound)) cutoff - bound else -Inf

raised <- function(part, frame, row) {
  refuse_unless(row$k == 1 && all(frame$rest[row$nodes]), "this price cannot rise")
  if (frame$proved == part$target) return(frame)
  paying <- lapply(row$nodes, function(v) {
    rowSums(rows_of(part, frame, v)[, row$nodes, drop = FALSE]) == 0
  })
  room <- Map(function(v, pays) frame$reduced[[v]][pays] - frame$least[v], row$nodes, paying)
  row$price <- min(unlist(room), Inf)
  frame$rows <- c(frame$rows, list(row))
  frame <- with_bound(part, frame)
  if (frame$proved == part$target) return(frame)
  for (i in seq_along(row$nodes)) {
    v <- row$nodes[i]
    least <- frame$least[v]
    frame$reduced[[v]] <- frame$reduced[[v]] - row$price * paying[[i]]
    frame <- narrowed(part, frame, v)
    frame$least[v] <- least
  }
  frame
}

# May v come next? (Then its last option is inside the prefix.)
is_available <- function(part, frame, v) {
  any(is_inside(rows_of(part, frame, v), frame$prefix))
}

appended <- function(part, frame, below, v, cutoff) {
  frame$prefix[v] <- TRUE
  frame$rest[v] <- FALSE
  all <- below$all[[v]]
  own <- all[match(TRUE, is_inside(part$domains[[v]]$member[all, , drop = FALSE], below$prefix))]
  frame$cost <- frame$cost + if (is.na(own)) Inf else part$domains[[v]]$cost[own]
  kept <- is_available(part, below, v) && own == below$options[[v]][length(below$options[[v]])]
  if (!kept) frame$proved <- part$target
  if (frame$proved == part$target) return(frame)
  is_done <- vapply(below$rows, function(row) {
    row$k > 0 && right_hand_side(row, frame$prefix) == 0
  }, NA)
  frame$rows <- below$rows[!is_done]
  within <- slack(cutoff, below$bound)
  for (w in which(frame$rest & is.finite(frame$least))) {
    least <- frame$least[w]
    touching <- Filter(function(row) w %in% row$nodes, below$rows[is_done])
    if (length(touching) > 0L) {
      keep <- frame$reduced[[w]] < least + within
      for (row in touching) {
        frame$reduced[[w]] <- frame$reduced[[w]] + charge_of(row, w, rows_of(part, frame, w))
      }
      frame <- narrowed(part, frame, w, keep)
    } else if (frame$parents[[w]][v] && is_available(part, frame, w)) {
      frame <- narrowed(part, frame, w)
      frame$least[w] <- least
    }
  }
  with_bound(part, frame)
}

split_side <- function(part, frame, arc, present) {
  u <- arc[1L]
  v <- arc[2L]
  frame[c("side", "claims")] <- list(if (present) 1 else 2, new.env())
  frame <- narrowed(part, frame, v, rows_of(part, frame, v)[, u] == present)
  if (present) frame <- narrowed(part, frame, u, !rows_of(part, frame, u)[, v])
  frame$all <- frame$options
  with_bound(part, frame)
}

tabulated <- function(part, frame) {
  nodes <- which(frame$rest)
  refuse_unless(length(nodes) <= most_nodes_in_r, "a table is too large for the checker in R")
  cost <- matrix(Inf, 2^length(nodes), length(nodes))
  for (i in seq_along(nodes)) {
    options <- rev(frame$options[[nodes[i]]]) # the cheapest of equal ones is set last
    at <- pattern_of(part$domains[[nodes[i]]]$member[options, , drop = FALSE], nodes) + 1
    cost[cbind(at, i)] <- part$domains[[nodes[i]]]$cost[options]
  }
  proved <- min(part$target, frame$cost + exact(least_completions(cost)[1L]))
  frame$proved <- max(frame$proved, proved)
  frame
}

# Claims what the frame says of those that may come next, in the closed set of a node, all listed.
covers <- function(part, frame, first) {
  if (frame$proved == part$target) return(FALSE)
  closed <- seq_len(part$n) == first
  repeat {
    larger <- (closed | Reduce(`|`, frame$parents[closed])) & frame$rest
    if (all(larger == closed)) break
    closed <- larger
  }
  for (v in which(closed)) {
    if (!is_available(part, frame, v)) next
    last <- length(frame$options[[v]])
    cost <- frame$cost + part$domains[[v]]$cost[frame$options[[v]][last]]
    bound <- min(part$target, frame$bound + frame$reduced[[v]][last] - frame$least[v])
    refuse_unless(frame$listed[v] || bound == part$target,
                  "a node may come next that is not listed")
    if (!frame$listed[v]) next
    prefix <- replace(frame$prefix, v, TRUE)
    claim <- claim_of(frame, prefix)
    claim[["rest"]] <- max(claim[["rest"]], max(frame$proved, bound) - cost)
    if (bound < part$target) claim[["cost"]] <- min(claim[["cost"]], cost)
    assign(claim_key(prefix), claim, frame$claims)
  }
  TRUE
}

with_ended <- function(part, below, frame) {
  if (identical(frame$claims, below$claims)) {
    record_claim(part, frame)
    below$listed <- below$listed | frame$prefix
  } else if (is_frame_proved(part, frame)) {
    below$sides <- bitwOr(below$sides, frame$side)
  }
  below
}

record_claim <- function(part, frame) {
  claim <- claim_of(frame, frame$prefix)
  claim[["rest"]] <- max(claim[["rest"]], frame$proved - frame$cost)
  if (frame$covered || frame$sides == 3) {
    claim[["shown"]] <- max(claim[["shown"]], part$target - frame$cost)
  }
  assign(claim_key(frame$prefix), claim, frame$claims)
}

is_frame_proved <- function(part, frame) {
  record_claim(part, frame)
  own <- claim_of(frame, frame$prefix)
  own[["cost"]] <- min(own[["cost"]], frame$cost)
  assign(claim_key(frame$prefix), own, frame$claims)
  holds <- vapply(as.list(frame$claims, all.names = TRUE), function(claim) {
    claim[["cost"]] + max(claim[["rest"]], claim[["shown"]]) >= part$target
  }, NA)
  frame$proved == part$target || frame$sides == 3 || all(holds)
}
