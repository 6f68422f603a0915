# Adjustment sets of random networks, and of their classes, beside those of pcalg and dagitty: how
# many are equal?
#
#   Rscript bench/adjustment.R [GRAPHS] [dagitty-alg.js]
#
# Where pcalg is installed: gac(). (Its adjustment() calls dagitty.) Of dagitty its own program,
# without R, run by node (bench/dagitty.js); tools/peers.R fetches it. So many (1,000) networks of 4
# to 9 nodes, every other one its class, are asked for the effect of one or two nodes on one or two
# others: the minimal sets, the canonical one, and whether ten random sets adjust. pcalg, which
# looks at every path, has 20 seconds for each network, and says of each subset whether it adjusts
# where there are at most 32.

source(file.path("bench", "common.R"))

arguments <- commandArgs(trailingOnly = TRUE)
graphs <- if (quick) 20 else as.integer(arguments[1L] %||% NA)
if (is.na(graphs)) graphs <- 1000
program <- c(grep("\\.js$", arguments, value = TRUE),
             Filter(file.exists, file.path("build", "peers", "dagitty-alg.js")))[1L]

set.seed(1)
random_question <- function(i) {
  n <- sample(4:9, 1)
  nodes <- paste0("V", seq_len(n))
  adjacency <- matrix(0, n, n, dimnames = list(nodes, nodes))
  adjacency[upper.tri(adjacency)] <- stats::rbinom(n * (n - 1) / 2, 1, stats::runif(1, 0.2, 0.7))
  order <- sample(n)
  adjacency <- adjacency[order, order]
  chosen <- sample(nodes)
  from <- chosen[seq_len(1 + (stats::runif(1) < 0.3))]
  to <- setdiff(chosen, from)[seq_len(1 + (n > 4 && stats::runif(1) < 0.3))]
  rest <- setdiff(nodes, c(from, to))
  network <- optbn::as_network(adjacency)
  if (i %% 2 == 0) network <- bnlearn::cpdag(network)
  list(network = network, class = i %% 2 == 0, from = from, to = to,
       sets = lapply(1:10, function(k) rest[stats::runif(length(rest)) < stats::runif(1)]))
}
questions <- lapply(seq_len(graphs), random_question)

keys <- function(sets) sort(vapply(sets, function(set) paste(sort(set), collapse = " "), ""))

ours <- lapply(questions, function(q) {
  sets <- function(type) keys(adjustment_sets(q$network, q$from, q$to, type = type, limit = 1000))
  list(all = sets("all"), minimal = sets("minimal"), canonical = sets("canonical"),
       valid = vapply(q$sets, is_adjustment_set, NA, network = q$network, from = q$from, to = q$to))
})

# How many answers are equal, a row for each kind of graph and question; three of others are shown.
compare <- function(peer, theirs) {
  kinds <- expand.grid(question = unique(unlist(lapply(theirs, names))), class = c(FALSE, TRUE),
                       stringsAsFactors = FALSE)
  rows <- lapply(seq_len(nrow(kinds)), function(k) {
    what <- kinds$question[k]
    asked <- which(vapply(questions, `[[`, NA, "class") == kinds$class[k])
    there <- Filter(function(i) !is.null(theirs[[i]][[what]]), asked)
    equal <- vapply(there, function(i) identical(ours[[i]][[what]], theirs[[i]][[what]]), NA)
    for (i in utils::head(there[!equal], 3)) {
      q <- questions[[i]]
      cat(gsub("\n", "; ", as_dagitty(q$network)), "from", q$from, "to", q$to, "\n   ours:",
          format(ours[[i]][[what]]), "\n   theirs:", format(theirs[[i]][[what]]), "\n")
    }
    data.frame(peer = peer, graphs = if (kinds$class[k]) "classes" else "networks",
               question = question_names[[what]], answers = length(there), equal = sum(equal))
  })
  do.call(rbind, rows)
}

question_names <- c(all = "all sets", minimal = "minimal sets", canonical = "canonical set",
                    valid = "does a set adjust")
table <- NULL

if (requireNamespace("pcalg", quietly = TRUE)) {
  ask_pcalg <- function(q) {
    on.exit(setTimeLimit())
    setTimeLimit(cpu = 20)
    amat <- as_amat(q$network)
    attributes(amat) <- attributes(amat)[c("dim", "dimnames")]
    number <- function(names) match(names, rownames(amat))
    adjusts <- function(set) {
      pcalg::gac(amat, number(q$from), number(q$to), number(set),
                 if (q$class) "cpdag" else "dag")$gac
    }
    rest <- setdiff(rownames(amat), c(q$from, q$to))
    all <- if (length(rest) <= 5) {
      subsets <- lapply(seq_len(2^length(rest)) - 1, function(code) {
        rest[bitwAnd(code, 2^(seq_along(rest) - 1)) > 0]
      })
      keys(Filter(adjusts, subsets))
    }
    list(all = all, valid = vapply(q$sets, adjusts, NA))
  }
  theirs <- lapply(questions, function(q) {
    tryCatch(ask_pcalg(q), error = function(condition) {
      if (!grepl("time limit", conditionMessage(condition))) stop(condition)
      list()
    })
  })
  cat("pcalg has no answer in time for", sum(!lengths(theirs)), "of", length(theirs), "networks\n")
  table <- compare("pcalg, gac()", theirs)
}

if (!is.na(program)) {
  lines <- vapply(questions, function(q) {
    unclass(jsonlite::toJSON(list(graph = jsonlite::unbox(as_dagitty(q$network)), from = q$from,
                                  to = q$to, sets = q$sets)))
  }, "")
  answers <- system2("node", c(file.path("bench", "dagitty.js"), program), input = lines,
                     stdout = TRUE)
  theirs <- lapply(answers, function(line) {
    answer <- jsonlite::fromJSON(line, simplifyVector = FALSE)
    list(minimal = keys(lapply(answer$minimal, unlist)),
         canonical = keys(lapply(answer$canonical, unlist)), valid = unlist(answer$valid))
  })
  table <- rbind(table, compare("dagitty", theirs))
  texts <- vapply(answers, function(line) jsonlite::fromJSON(line)$text, "")
  back <- mapply(function(text, q) {
    network <- as_network(text)
    nodes <- names(network$nodes)
    all(as_amat(network) == as_amat(q$network)[nodes, nodes])
  }, texts, questions)
  cat("texts that dagitty writes, read as the same network:", sum(back), "of", length(back), "\n")
}

print_table("Adjustment sets of random networks and classes beside pcalg and dagitty", table)
