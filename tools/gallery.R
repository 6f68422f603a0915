# The gallery: every kind of picture, by base graphics and by ggplot2, at several sizes, on one page
# that holds all it needs: build/gallery.html. It is made to be looked at. (The single images are in
# build/gallery.)
#
# Data: the zoo (17 columns); ALARM (37) where its file is there, otherwise simulated; simulated
# Gaussian columns (60 and 120). Densities are of the same columns cut at their medians.

suppressPackageStartupMessages(library(optbn))
sizes <- c(17, 37, 60, 120)
rows <- 400
figure <- c(width = 1050, height = 700) # pixels
resolution <- 130
limit <- 2 # seconds of a search

quietly <- function(expr) suppressWarnings(suppressMessages(expr))

# ---- data ----------------------------------------------------------------------------------------

alarm <- function() {
  file <- file.path(Sys.getenv("OPTBN_SHARED"), "data", "networks", "alarm.bif.gz")
  if (!file.exists(file) || !requireNamespace("bnlearn", quietly = TRUE)) return(NULL)
  connection <- gzfile(file)
  on.exit(close(connection))
  plain <- tempfile(fileext = ".bif")
  writeLines(readLines(connection), plain)
  quietly(bnlearn::rbn(bnlearn::read.bif(plain), rows))
}

# Linear in up to three of the ten columns before.
simulated <- function(columns) {
  data <- matrix(0, rows, columns)
  for (v in seq_len(columns)) {
    parents <- if (v > 1L) sample(seq(max(1L, v - 10L), v - 1L))
    parents <- utils::head(parents, sample(0:3, 1L))
    effects <- stats::runif(length(parents), 0.5, 1) * sample(c(-1, 1), length(parents), TRUE)
    data[, v] <- data[, parents, drop = FALSE] %*% effects + stats::rnorm(rows)
  }
  words <- c("pressure", "flow", "temp", "load", "x", "level") # short and long
  colnames(data) <- paste0(sample(words, columns, TRUE), seq_len(columns))
  as.data.frame(data)
}

series <- function(columns) {
  effects <- matrix(stats::rbinom(columns^2, 1, 1.2 / columns) * 0.5, columns) + diag(0.3, columns)
  data <- matrix(stats::rnorm(columns), 1L)
  for (i in seq_len(300L)) {
    data <- rbind(data, data[i, ] %*% effects / 1.5 + stats::rnorm(columns))
  }
  colnames(data) <- paste0("s", seq_len(columns))
  as.data.frame(data)
}

discrete <- function(data) {
  data[] <- lapply(data, function(column) {
    if (is.numeric(column) && length(unique(column)) > 6L) {
      column <- ifelse(column > stats::median(column), "high", "low")
    }
    factor(column)
  })
  data[vapply(data, nlevels, 0L) > 1L]
}

data_of_size <- function(size) {
  switch(as.character(size), "17" = zoo, "37" = alarm()) %||% simulated(size)
}

`%||%` <- function(a, b) if (is.null(a)) b else a

# A function whose value is kept.
once <- function(make) {
  value <- NULL
  function() value <<- value %||% make()
}

# ---- what is drawn -------------------------------------------------------------------------------

# One function of the data for each kind; it returns the object, or a list of it and arguments.
kinds <- function(data) {
  levels <- discrete(data)
  network <- quietly(learn_dag(data, time_limit = limit, progress = FALSE))
  half <- function() quietly(learn_dag(data[seq_len(nrow(data) %/% 2L), ], time_limit = limit,
                                       progress = FALSE))
  boot <- once(function() {
    climb <- function(data, weights) {
      bnlearn::hc(data[rep(seq_len(nrow(data)), weights), ], maxp = 2)
    }
    quietly(bootstrap_dags(data, if (ncol(data) > 40) 4 else 20, learner = climb, cpdag = FALSE))
  })
  fit <- once(function() quietly(fit_network(network, data)))
  bounded <- once(function() quietly(learn_treewidth(levels, 3, "bic", time_limit = limit)))
  trees <- function() quietly(learn_dag(levels, "pcart", max_parents = 2, time_limit = limit))
  most_parents <- function(network) {
    names(which.max(lengths(lapply(network$nodes, `[[`, "parents"))))
  }
  folds <- function(...) quietly(cross_validate(..., k = 4, progress = FALSE))
  small <- levels[seq_len(min(ncol(levels), 12L))]
  list(
    "network" = function() network,
    "network, compared with that of half the rows" = function() list(network, compare = half()),
    "network, arcs by their bootstrap probabilities" = function() list(network, strength = boot()),
    "network in igraph's layout" = function() list(network, layout = igraph::layout_with_kk),
    "certificate" = function() certificate(network),
    "certificate, logarithmic time" = function() list(certificate(network), log_time = TRUE),
    "candidate parent sets" = function() quietly(parent_sets(data, max_parents = 2)),
    "bootstrap" = boot,
    "bootstrap as a network" = function() list(boot(), type = "network"),
    "posterior of arcs" = function() quietly(arc_posterior(small)),
    "posterior of arcs as a network" = function() {
      list(quietly(arc_posterior(small)), type = "network", threshold = 0.3)
    },
    "effects" = function() quietly(causal_effects(data[seq_len(8L)], progress = FALSE)),
    "k best networks" = function() quietly(learn_k_best(small, 20)),
    "scores compared" = function() quietly(compare_scores(small, progress = FALSE)),
    "fit" = fit,
    "local model" = function() local_model(fit(), most_parents(network)),
    "local model: tree" = function() {
      network <- trees()
      local_model(quietly(fit_network(network, levels)), most_parents(network))
    },
    "k-tree" = function() certificate(bounded())$k_tree,
    "junction tree" = function() compile_network(quietly(fit_network(bounded(), levels))),
    "tree-width" = function() quietly(treewidth(network, time_limit = 2)),
    "tree-widths compared" = function() {
      compare_treewidths(lapply(1:3, function(width) {
        quietly(learn_treewidth(small, width, "bic", time_limit = limit))
      }))
    },
    "density: Chow-Liu tree" = function() quietly(learn_chow_liu(levels)),
    "density: cutset network" = function() quietly(learn_cutset(levels, min_rows = 60)),
    "density: hidden tree" = function() quietly(learn_hclt(levels, 4, iterations = 10)),
    "density: mixture" = function() quietly(learn_mixture(levels, 4, iterations = 20)),
    "density: bag of 40" = function() quietly(learn_cutset_bag(levels, 40)),
    "density: stack" = function() {
      odd <- seq_len(nrow(levels)) %% 2 == 1
      quietly(stack_densities(list(learn_chow_liu(levels[odd, ]),
                                   learn_cutset(levels[odd, ], min_rows = 30),
                                   learn_hclt(levels[odd, ], 4, iterations = 10)), levels[!odd, ]))
    },
    "dynamic network" = function() {
      quietly(learn_dynamic(series(min(ncol(data), 60L)), lags = 2, max_parents = 2,
                            time_limit = limit))
    },
    "validation: losses" = function() {
      folds(small, list(exact = function(data) learn_dag(data, "bic"),
                        empty = function(data) learn_dag(data, "bic", max_parents = 0)))
    },
    "validation: calibration" = function() {
      list(folds(small, function(data) learn_dag(data, "bic"), target = names(small)[1L]),
           what = "calibration")
    }
  )
}

# ---- the page ------------------------------------------------------------------------------------

draw_by <- list(base = function(...) plot(...),
                ggplot2 = function(...) print(ggplot2::autoplot(...)))

# An image as a part of the page; a picture that is not there, or fails, is a sentence.
image_of <- function(shown, way, file) {
  arguments <- if (identical(class(shown), "list")) shown else list(shown)
  file <- sprintf("%s-%s.png", file, way)
  grDevices::png(file, figure[["width"]], figure[["height"]], res = resolution)
  failure <- tryCatch({
    do.call(draw_by[[way]], arguments)
    NULL
  }, error = conditionMessage, finally = grDevices::dev.off())
  if (is.null(failure)) return(sprintf("<img src=\"%s\">", knitr::image_uri(file)))
  sprintf("<p class=\"none\">%s: %s</p>", way, cli::ansi_strip(failure))
}

section <- function(name, make, size) {
  begun <- proc.time()[[1L]]
  shown <- tryCatch(make(), error = function(e) e)
  images <- if (inherits(shown, "error")) {
    sprintf("<p class=\"none\">%s</p>", cli::ansi_strip(conditionMessage(shown)))
  } else {
    file <- file.path(folder, paste0(size, "-", gsub("[^a-z0-9]+", "-", tolower(name))))
    vapply(names(draw_by), image_of, "", shown = shown, file = file)
  }
  failed <- grepl("class=\"none\"", images)
  cat(sprintf("%4d  %-48s %5.1f s%s\n", size, name, proc.time()[[1L]] - begun,
              if (any(failed)) paste0("  ", gsub("<[^>]*>", "", images[failed][1L])) else ""))
  c(sprintf("<h3>%s, %d columns</h3><div class=\"pair\">", name, size), images, "</div>")
}

page <- c(
  "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Gallery</title><style>",
  "body{font-family:sans-serif;margin:2em} .pair{display:flex;flex-wrap:wrap;gap:8px}",
  "img{width:49%;border:1px solid #ddd} .none{width:49%;color:#888}</style></head><body>",
  "<h1>Pictures, by base graphics and by ggplot2</h1>"
)
folder <- file.path("build", "gallery")
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
chosen <- commandArgs(trailingOnly = TRUE) # words of kinds
set.seed(1)
for (size in sizes) {
  parts <- kinds(data_of_size(size))
  if (length(chosen)) parts <- parts[grepl(paste(chosen, collapse = "|"), names(parts))]
  for (name in names(parts)) page <- c(page, section(name, parts[[name]], size))
}
writeLines(c(page, "</body></html>"), file.path("build", "gallery.html"))
cat(sprintf("build/gallery.html, %.1f MB\n", file.size("build/gallery.html") / 1e6))
