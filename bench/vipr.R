# Optima as VIPR certificates, which the checker of that project accepts.
#
#   VIPRCHK=program Rscript bench/vipr.R FOLDER [SECONDS [NAME...]]
#
# FOLDER holds instances NAME.jkl.gz. Each is proved by branch and cut, and its proof is written
# again as one about a whole-number program (Cheung, Gleixner & Steffy 2017): a variable for every candidate
# set, 1 where the node has it; each node has one; the inequalities of clusters and groups that the
# proof prices are rows of the program. What is to be believed beyond the arithmetic, which `viprchk`
# checks, is therefore that every network satisfies these rows (2 and 3 at the head of
# src/checker/check_proof.cpp), and that no set is needed that costs no less than a subset of its own.
# `range`: of the optimal value, as it is verified, in natural log units (linear programs are rounded
# to whole numbers). Without VIPRCHK the certificates are written to build/vipr and not checked.

source(file.path("bench", "common.R"))

charge_of <- optbn:::charge_of
asked <- instances_asked_for(c("alarm1000.BIC", "carpo500.BIC", "insurance1000.BDe5", "insurance1000.BIC",
                               "hepatitis.BIC",
                               "parkinsons.BIC", "spectf.BIC", "flag.BIC", "wine.BIC", "zoo.BIC",
                               "bands.BIC", "autos.BIC", "adult.BIC", "soybean.BIC", "sponge.BIC"))
checker <- Sys.getenv("VIPRCHK")
kept <- file.path("build", "vipr")
dir.create(kept, showWarnings = FALSE, recursive = TRUE)

whole <- function(x) sprintf("%.0f", x)

# Terms of a row: how many, and each as a variable and its coefficient.
terms <- function(variables, coefficients) {
  used <- coefficients != 0
  paste(c(sum(used), paste(variables[used] - 1, whole(coefficients[used]))), collapse = " ")
}

# A part of the problem: its variables are numbered after those of earlier parts, and the rows of its
# clusters and groups come when the whole proof has been read.
read_part <- function(words, domains, nodes, bits, target, before) {
  own <- lapply(nodes, function(v) optbn:::domain_within(domains[[v]], nodes, bits))
  size <- vapply(own, function(domain) length(domain$cost), 0L)
  list(own = own, nodes = nodes, bits = bits, target = target, n = length(nodes), words = words,
       node = rep(seq_along(own), size), cost = unlist(lapply(own, `[[`, "cost")),
       variable = before + seq_len(sum(size)))
}

# Lines of the certificate, with numbers of rows given as they are named: "x3", "node2", "row7" of the
# program, "d12" among the derived ones.
new_derivations <- function() {
  lines <- character()
  list(
    add = function(line, reason) {
      lines[length(lines) + 1L] <<- paste(line, "{", reason, "} -1")
      length(lines)
    },
    lines = function() lines
  )
}

# What a dual proves of a part: the charges of its rows, the least reduced cost of each node over the
# sets that are left, and what the rows by which sets are gone must add so that none is cheaper.
# zero: by the name of a row, the sets whose sum it says to be 0.
priced <- function(part, dual, left, zero) {
  reduced <- part$cost
  rhs <- 0
  for (row in dual) {
    rhs <- rhs + optbn:::right_hand_side(row, logical(part$n))
    for (v in row$nodes) {
      at <- part$node == v
      reduced[at] <- reduced[at] - charge_of(row, v, part$own[[v]]$member)
    }
  }
  least <- vapply(seq_len(part$n), function(v) min(reduced[part$node == v & left], Inf), 0)
  impossible <- which(is.infinite(least)) # a node without a set may cost anything
  least[impossible] <- 0
  if (length(impossible) > 0L) {
    least[impossible[1L]] <- max(0, part$target - rhs - sum(least))
  }
  slack <- reduced - least[part$node]
  lack <- numeric()
  for (row in names(zero)) {
    lack[row] <- max(0, -slack[zero[[row]]])
    slack <- slack + lack[row] * zero[[row]]
  }
  list(bound = rhs + sum(least), least = least, slack = slack, lack = lack)
}

# The combination of rows that such a dual is: "cutoff - everything", which leaves 0 on the left but
# for the sets in `kept`, times 1 / `scale`.
combination <- function(part, dual, found, cutoff, rows, kept = logical(length(part$cost)),
                        scale = 1) {
  slack <- found$slack - ifelse(kept, scale, 0)
  prices <- vapply(dual, `[[`, 0, "price")
  multipliers <- c(1, -prices, -found$least, found$lack, -slack)
  names <- c(cutoff, vapply(dual, function(row) rows(row), ""), paste0("node", part$nodes),
             names(found$lack), paste0("x", part$variable))
  sums <- rowsum(multipliers, names, reorder = FALSE) # a dual may have a row twice
  used <- sums[, 1L] != 0
  paste(sum(used), paste(rownames(sums)[used], ratios(sums[used, 1L], scale), collapse = " "))
}

# In lowest terms, which the checker expects.
ratios <- function(x, scale) {
  a <- abs(x)
  b <- rep(scale, length(x))
  while (any(b > 0)) {
    rest <- ifelse(b > 0, a %% pmax(b, 1), 0)
    a <- ifelse(b > 0, b, a)
    b <- rest
  }
  ifelse(a == scale, whole(x / a), paste0(whole(x / a), "/", whole(scale / a)))
}

# Replays a part's proof by branch and cut, and derives that it costs no less than its target.
derive_part <- function(part, derivations, rows) {
  words <- part$words
  everything <- length(part$cost)
  goal <- terms(part$variable, part$cost)
  below <- sprintf("d%d", derivations$add(paste("below L", whole(part$target - 1), goal), "asm"))
  state <- list(rows = list(), cutoff = Inf)
  frame <- list(all = rep(TRUE, everything), left = rep(TRUE, everything),
                zero = list(), dual = list(), proved = "", sides = list())
  absurd <- function(reason) sprintf("d%d", derivations$add("absurd G 1 0", reason))

  # The sets at `gone` are in no network of the frame, by this row.
  without <- function(frame, gone, row) {
    frame$zero[[row]] <- gone
    frame$left <- frame$left & !gone
    frame$all <- frame$left
    frame
  }
  sum_of <- function(at) terms(part$variable[at], rep(1, sum(at)))
  has <- function(v, u) {
    at <- part$node == v
    at[at] <- part$own[[v]]$member[, u]
    at
  }
  # With the arc from u to v, or without it: which sets that leaves.
  split <- function(frame, u, v, present) {
    with <- has(v, u)
    if (!present) {
      no <- sprintf("d%d", derivations$add(paste("no L 0", sum_of(with)), "asm"))
      return(list(frame = without(frame, with, no), assumed = no))
    }
    yes <- sprintf("d%d", derivations$add(paste("yes G 1", sum_of(with)), "asm"))
    others <- part$node == v & !with
    no <- sprintf("d%d", derivations$add(
      paste("others L 0", sum_of(others)), paste0("lin 2 node", part$nodes[v], " 1 ", yes, " -1")
    ))
    back <- has(u, v)
    pair <- rows(list(nodes = sort(c(u, v)), k = 1))
    never <- sprintf("d%d", derivations$add(
      paste("back L 0", sum_of(back)),
      paste0("lin 3 node", part$nodes[u], " 1 ", pair, " -1 ", no, " 1")
    ))
    list(frame = without(without(frame, others, no), back, never), assumed = yes)
  }
  conclude <- function(frame, found) {
    if (frame$proved == "" && found$bound >= part$target) {
      frame$proved <- absurd(paste("lin", combination(part, frame$dual, found, below, rows)))
    }
    frame
  }

  stack <- list(conclude(frame, priced(part, list(), frame$left, frame$zero)))
  repeat {
    word <- words$word()
    if (word == ".") break
    letter <- sub("^([^0-9]?).*$", "\\1", word)
    argument <- suppressWarnings(as.double(substring(word, nchar(letter) + 1L)))
    top <- length(stack)
    frame <- stack[[top]]
    if (letter == "c") {
      state$rows <- c(state$rows, list(optbn:::read_cluster(argument, words, part$n)))
    } else if (letter == "g") {
      state$rows <- c(state$rows, list(optbn:::read_group(argument, words, part$n)))
    } else if (letter == "~") {
      state$rows <- list()
    } else if (letter == "k") {
      state$cutoff <- argument
    } else if (letter == "d") {
      frame$dual <- lapply(seq_len(argument), function(i) {
        row <- state$rows[[words$number(0, 1e9) + 1]]
        price <- words$number(1, 2^53)
        if (row$k > 0) row$price <- price
        row
      })
      frame$left <- frame$all
      found <- priced(part, frame$dual, frame$left, frame$zero)
      frame <- conclude(frame, found)
      frame$found <- found
      frame$excluded <- frame$left & found$slack >= state$cutoff - found$bound
      frame$left <- frame$left & !frame$excluded
    } else if (letter == "x") {
      if (frame$proved == "" && any(frame$excluded)) {
        scale <- min(frame$found$slack[frame$excluded])
        line <- paste("excluded L 0", sum_of(frame$excluded))
        reason <- paste("rnd", combination(part, frame$dual, frame$found, below, rows,
                                           frame$excluded, scale))
        frame <- without(frame, frame$excluded, sprintf("d%d", derivations$add(line, reason)))
      }
      frame$all <- frame$left
    } else if (letter %in% c("y", "n")) {
      sides <- split(frame, argument + 1, words$number(0, part$n - 1) + 1, letter == "y")
      stack[[top + 1L]] <- utils::modifyList(sides$frame, list(assumed = sides$assumed,
                                                               proved = frame$proved))
      stack[[top + 1L]]$sides <- list()
      next
    } else if (letter == "=") {
      stack[[top + 1L]] <- frame
      stack[[top + 1L]]$assumed <- NULL
      stack[[top + 1L]]$sides <- list()
      next
    } else if (letter == "-") {
      stack <- stack[-top]
      below_it <- stack[[top - 1L]]
      if (below_it$proved == "" && frame$proved != "") {
        if (is.null(frame$assumed)) {
          below_it$proved <- frame$proved
        } else {
          below_it$sides <- c(below_it$sides, list(c(frame$proved, frame$assumed)))
          if (length(below_it$sides) == 2L) {
            below_it$proved <- absurd(paste(c("uns", unlist(below_it$sides)), collapse = " "))
          }
        }
      }
      stack[[top - 1L]] <- below_it
      next
    } else {
      stop("the proof has steps of a search over orders", call. = FALSE)
    }
    stack[[top]] <- frame
  }
  if (stack[[1L]]$proved == "") stop("the proof falls short", call. = FALSE)
  reached <- sprintf("d%d", derivations$add(paste("reached G", whole(part$target), goal), "asm"))
  sprintf("d%d", derivations$add(
    paste("part G", whole(part$target), goal),
    paste("uns", stack[[1L]]$proved, below, reached, reached)
  ))
}

# The file of a proof that branches on arcs alone. It begins with the optimum, without which such a
# search takes long.
prove_on_arcs <- function(sets) {
  best <- learn_dag(sets, threads = 1, time_limit = asked$seconds, progress = FALSE)
  files <- list(steps = tempfile(), whole = tempfile(), constraints = character())
  options <- list(method = "branch-and-cut", gap = 1e-6, effort = Inf, memory_limit = 4e9,
                  start = optbn:::start_order(best, sets, NULL, NULL), warm = NULL,
                  constraints = NULL, most_by_orders = 0, cost_bits = 52L, proof = files)
  set.seed(1)
  host <- optbn:::host_options(1L, asked$seconds, FALSE, "")
  found <- optbn:::core_learn_dag(sets$sets, options, host)
  if (found$bound - found$score > 1e-6) stop("not proved in time", call. = FALSE)
  files$whole
}

# The certificate of an instance, from its proof.
as_vipr <- function(sets, proof) {
  n <- length(sets$nodes)
  domains <- lapply(sets$sets, optbn:::best_first, n)
  words <- optbn:::words_in(proof)
  node <- function() words$number(0, n - 1) + 1
  stopifnot(words$word() == "optbn-proof", words$word() == "1", words$word() == "0")
  choice <- lapply(seq_len(n), function(v) {
    seq_len(n) %in% vapply(seq_len(words$number(0, n)), function(i) node(), 0)
  })

  program <- new.env()
  program$rows <- list()
  row_number <- function(part) {
    function(row) {
      global <- row
      global$nodes <- part$nodes[row$nodes]
      key <- paste(c(row$k, global$nodes, if (row$k == 0) row$charge), collapse = " ")
      if (is.null(program$rows[[key]])) {
        at <- which(part$node %in% row$nodes)
        unit <- utils::modifyList(row, list(price = 1))
        charge <- numeric(length(part$cost))
        for (v in row$nodes) {
          charge[part$node == v] <- charge_of(unit, v, part$own[[v]]$member)
        }
        rhs <- optbn:::right_hand_side(unit, logical(part$n))
        program$rows[[key]] <- list(name = paste0("row", length(program$rows) + 1L),
                                    line = paste("G", whole(rhs), terms(part$variable, charge)))
      }
      program$rows[[key]]$name
    }
  }

  derivations <- new_derivations()
  parts <- list()
  ends <- character()
  before <- 0
  solution <- integer()
  for (i in seq_len(words$number(0, n))) {
    bits <- words$number(0, 44)
    target <- words$number(0, 2^53)
    nodes <- vapply(seq_len(words$number(1, n)), function(i) node(), 0)
    part <- read_part(words, domains, nodes, bits, target, before)
    before <- before + length(part$cost)
    parts[[i]] <- part
    ends[i] <- derive_part(part, derivations, row_number(part))
    for (v in seq_along(nodes)) {
      wanted <- choice[[nodes[v]]][nodes]
      own <- which(part$node == v)
      solution <- c(solution, part$variable[own[colSums(t(part$own[[v]]$member) != wanted) == 0]])
    }
  }
  list(parts = parts, before = before, solution = solution, rows = program$rows,
       derivations = derivations$lines(), ends = ends)
}

# Numbers of rows in place of their names, and everything in the order of the format.
write_vipr <- function(found, file) {
  variables <- seq_len(found$before)
  node <- unlist(lapply(found$parts, function(part) part$nodes[part$node]))
  # Costs in the finest units of any part; sums of several parts are rounded outwards.
  bits <- vapply(found$parts, `[[`, 0, "bits")
  units <- 2^(max(bits) - bits)
  cost <- unlist(Map(function(part, unit) part$cost * unit, found$parts, units))
  slip <- if (length(units) > 1L) 2^-50 else 0
  total <- floor(sum(vapply(found$parts, `[[`, 0, "target") * units) * (1 - slip))
  most <- ceiling(sum(cost[found$solution]) * (1 + slip))
  nodes <- sort(unique(node))
  row_names <- c(paste0("x", variables), paste0("node", nodes),
                 vapply(found$rows, `[[`, "", "name"))
  number <- stats::setNames(c(seq_along(row_names), length(row_names) +
                                seq_along(found$derivations)) - 1,
                            c(row_names, paste0("d", seq_along(found$derivations))))
  numbered <- vapply(found$derivations, function(line) {
    words <- strsplit(line, " ", fixed = TRUE)[[1L]]
    reason <- seq_along(words) > match("{", words)
    named <- reason & grepl("^(x|node|row|d)[0-9]+$", words)
    words[named] <- whole(number[words[named]])
    paste(words, collapse = " ")
  }, "")
  program <- c(
    "VER 1.0", paste("VAR", length(variables)), paste0("x", variables),
    paste("INT", length(variables)), paste(variables - 1, collapse = " "),
    "OBJ min", terms(variables, cost),
    paste("CON", length(row_names), length(variables)),
    paste0("x", variables, " G 0 1 ", variables - 1, " 1"),
    vapply(nodes, function(v) {
      paste0("node", v, " E 1 ", terms(variables[node == v], rep(1, sum(node == v))))
    }, ""),
    vapply(found$rows, function(row) paste(row$name, row$line), ""),
    paste("RTP range", whole(total), whole(most)),
    "SOL 1", paste("network", terms(found$solution, rep(1, length(found$solution)))),
    paste("DER", length(numbered) + 1L), paste0("D", seq_along(numbered), " ",
                                                sub("^[^ ]+ ", "", numbered)),
    paste0("optimum G ", whole(total), " OBJ { lin ", length(found$ends), " ",
           paste(number[found$ends], whole(units), collapse = " "), " } -1")
  )
  writeLines(program, file)
  (most - total) / 2^max(bits)
}

row_of <- function(name) {
  sets <- asked$read(name)
  proof <- prove_on_arcs(sets)
  file <- file.path(kept, paste0(name, ".vipr"))
  found <- as_vipr(sets, proof)
  range <- write_vipr(found, file)
  said <- "not checked"
  seconds <- NA
  if (nzchar(checker)) {
    checked <- measure(function() {
      line <- suppressWarnings(system2(checker, shQuote(file), stdout = TRUE, stderr = TRUE))
      list(line = line, spent = proc.time())
    })$value
    said <- if (any(grepl("Successfully verified optimal value", checked$line))) "verified" else {
      paste("refused:", utils::tail(checked$line[nzchar(checked$line)], 1L))
    }
    seconds <- checked$spent[["user.child"]]
  }
  data.frame(instance = name, nodes = length(sets$nodes), variables = in_thousands(found$before),
             rows = length(found$rows), derived = length(found$derivations),
             MB = signif(file.size(file) / 1e6, 2), range = signif(range, 2),
             viprchk = in_seconds(seconds), says = said)
}

rows <- do.call(rbind, lapply(asked$names, function(name) {
  tryCatch(row_of(name), error = function(e) {
    data.frame(instance = name, nodes = NA, variables = "", rows = NA, derived = NA, MB = NA,
               range = NA, viprchk = "", says = conditionMessage(e))
  })
}))
print_table("Optima as VIPR certificates, seconds of viprchk", rows)
