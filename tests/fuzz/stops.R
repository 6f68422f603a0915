# Kind "stops": long work is broken off, by Ctrl-C or by R's own time limit. Afterwards the session
# must be what it was: no thread more, and the same answers.

long_works <- function() {
  set.seed(1)
  n <- 500L
  g <- as.data.frame(matrix(stats::rnorm(n * 16L), n))
  for (v in 2:16) g[[v]] <- g[[v]] + g[[v - 1L]]
  d <- as.data.frame(lapply(g, function(x) factor(findInterval(x, stats::quantile(x, 1:3 / 4)))))
  sets <- suppressMessages(optbn::parent_sets(d, "bic", max_parents = 3, progress = FALSE))
  wide <- as.data.frame(matrix(sample(c("a", "b"), 60 * 200, TRUE), 200), stringsAsFactors = TRUE)
  wide_sets <- suppressMessages(optbn::parent_sets(wide, "aic", max_parents = 2,
                                                   progress = FALSE))
  chain <- paste0("[V1]", paste0("[V", 2:16, "|V", 1:15, "]", collapse = ""))
  fit <- optbn::fit_network(chain, d)
  dense <- matrix(0L, 60L, 60L, dimnames = list(names(wide), names(wide)))
  for (v in 4:60) dense[sample.int(v - 1L, 3L), v] <- 1L
  dense_fit <- optbn::fit_network(dense, wide)
  mixture <- optbn::learn_mixture(d, components = 3, iterations = 2, progress = FALSE)
  rows <- d[rep(seq_len(n), 400L), ]
  gaps <- d
  gaps[] <- lapply(d, function(column) replace(column, sample.int(n, n %/% 3L), NA))
  list(
    "parent_sets(pcart)" = function() optbn::parent_sets(g, "pcart", max_parents = 3),
    "parent_sets(bde)" = function() optbn::parent_sets(d, "bde", max_parents = 5),
    "learn_dag(auto)" = function() optbn::learn_dag(wide_sets),
    "learn_dag(dp)" = function() optbn::learn_dag(sets, method = "dp"),
    "learn_dag(elsa)" = function() optbn::learn_dag(wide_sets, method = "elsa"),
    "learn_dag(local)" = function() optbn::learn_dag(wide_sets, method = "local"),
    "learn_dag(ancestors)" = function() {
      optbn::learn_dag(sets, ancestors = data.frame("V16", "V1"), max_arcs = 14)
    },
    "learn_k_best" = function() optbn::learn_k_best(sets, k = 500),
    "network_posterior" = function() {
      optbn::network_posterior(d, "bde", max_parents = 2)
    },
    "learn_treewidth" = function() optbn::learn_treewidth(wide_sets, 2),
    "learn_treewidth(sample)" = function() {
      optbn::learn_treewidth(sets, 2, method = "sample", iterations = 1e4)
    },
    "learn_cutset_bag" = function() optbn::learn_cutset_bag(d, components = 200),
    "learn_cutset_bag(missing values)" = function() {
      optbn::learn_cutset_bag(gaps, components = 20, min_rows = 50)
    },
    "learn_mixture" = function() optbn::learn_mixture(rows, components = 10, iterations = 100),
    "learn_hclt" = function() optbn::learn_hclt(rows, states = 8, iterations = 100),
    "treewidth" = function() optbn::treewidth(dense),
    "compile_network" = function() optbn::compile_network(dense_fit),
    "simulate" = function() stats::simulate(fit, 1e6),
    "simulate(compiled)" = function() stats::simulate(optbn::compile_network(fit), 1e6),
    "log_density" = function() optbn::log_density(mixture, rows),
    "approximate_query" = function() optbn::approximate_query(fit, "V1", list(V16 = "3"), 2e6),
    "discretize_data(score)" = function() optbn::discretize_data(g, "score"),
    "discretize_data(hartemink)" = function() optbn::discretize_data(g, "hartemink", initial = 100),
    "bootstrap_dags" = function() optbn::bootstrap_dags(d[1:6], R = 200, score = "bic")
  )
}

run_stops <- function(calls, works) {
  name <- pick(names(works))
  delay <- round(choose_share()^2, 3)
  by <- pick(c("Ctrl-C", "a time limit"))
  threads <- count_threads()
  how <- if (by == "Ctrl-C") stop_by_signal else stop_by_limit
  attempt(sprintf("%s, after %.3f s %s", name, delay, by), how(works[[name]], delay),
          allowed = c("optbn_error", "optbn_warning_interrupt"))
  Sys.sleep(0.01)
  if (count_threads() > threads) found("threads are left: ", count_threads() - threads)
  after <- optbn::learn_dag(calls$learn_dag[[1L]]$x, "bic", threads = 2, progress = FALSE)
  if (!is_near(optbn::certificate(after)$score, remembered$usual_score)) {
    found("the session answers otherwise than before")
  }
}

# The signal comes by itself, not before the work begins, as R takes none while it starts a command;
# work that is done sooner waits for it.
stop_by_signal <- function(work, delay) {
  begun <- tempfile("begun-")
  on.exit(unlink(begun))
  system(sprintf("(while [ ! -e %s ]; do sleep 0.005; done; sleep %.3f; kill -INT %d)", begun,
                 delay, Sys.getpid()), wait = FALSE)
  taken <- FALSE
  tryCatch(
    {
      file.create(begun)
      value <- withCallingHandlers(work(), optbn_warning_interrupt = function(w) taken <<- TRUE)
      taken <- taken || (is.list(value) && identical(value$reason, "interrupt"))
      waited <- 0
      while (!taken && waited < 20) {
        Sys.sleep(0.02)
        waited <- waited + 0.02
      }
      if (!taken) found("the interrupt is lost")
      value
    },
    interrupt = function(i) NULL
  )
}

stop_by_limit <- function(work, delay) {
  began <- proc.time()[["elapsed"]]
  tryCatch(
    {
      setTimeLimit(elapsed = max(delay, 0.001), transient = TRUE)
      on.exit(setTimeLimit())
      value <- work()
      if (proc.time()[["elapsed"]] - began > delay + 20) found("the time limit is lost")
      value
    },
    error = function(e) {
      if (!grepl("reached elapsed time limit", conditionMessage(e))) stop(e)
    }
  )
}

count_threads <- function() {
  status <- "/proc/self/status"
  if (!file.exists(status)) return(0L)
  as.integer(sub("Threads:\\s*", "", grep("^Threads:", readLines(status), value = TRUE)))
}
