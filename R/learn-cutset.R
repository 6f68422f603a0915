# Learning single densities: Chow-Liu trees and cutset networks; what density learners share.

#' Learn a Cutset Network
#'
#' Learns a cutset network, a distribution of discrete variables for which every query is exact and
#' takes time linear in its size. It is a tree of cuts, each on the levels of a variable, with a
#' tree-structured Bayesian network (a Chow-Liu tree) over the other variables at every leaf.
#' `learn_chow_liu()` learns a Chow-Liu tree without any cut.
#'
#' @param data The training rows: a data frame of factors, characters, logicals, or numbers that are
#'   0 or 1; a matrix of zeros and ones or of logicals; a sparse matrix of package Matrix, in which
#'   entries that are not stored are 0; or a table in a database (see [parent_sets()]), whose
#'   distinct rows are fetched. (Only [learn_chow_liu()] can learn from counts if the rows are too
#'   many; no value may then be missing.) Columns may be constant, and values missing, see *Missing
#'   values*.
#' @param algorithm How leaves are cut:
#'   * `"dcsn"`: by the cut that raises the log-likelihood most, as long as it does so by more than
#'     a penalty (Di Mauro et al. 2015);
#'   * `"cnet"`: by the cut that lowers the mean entropy of the variables most (Rahman et al. 2014);
#'   * `"cnetp"`: the same; then each cut is removed whose removal does not lower the likelihood of
#'     the `validation` rows, which are required (reduced-error pruning);
#'   * `"xcnet"`: at random; variables that vary more are more likely to be cut. One such network is
#'     poor, but an ensemble of many by [learn_cutset_bag()] is good (Di Mauro et al. 2017).
#' @param prior How counts become probabilities, see *Smoothing*. `NULL` stands for `"laplace"` with
#'   `"cnet"` and `"cnetp"`, and for `"joint"` otherwise.
#' @param alpha The weight of the prior, at least 0: a share of the rows; with `"laplace"`, a
#'   pseudo-count for every cell; with `"uniform"`, a number of rows. It matters more than all other
#'   settings; [tune_cutset()] chooses it. `NULL` stands for 0.1 with `"dcsn"`, 1 with `"cnet"` and
#'   `"cnetp"`, 0.05 with `"xcnet"`.
#' @param min_rows A slice of the data is cut only if it has more rows than this (\eqn{\delta} in Di
#'   Mauro et al. 2015). `NULL` stands for 200 with `"dcsn"`, 10 with `"cnet"` and `"cnetp"`, and a
#'   fiftieth of the rows, but at least 100, with `"xcnet"`.
#' @param min_features A slice is cut only if it has more variables than this (\eqn{\sigma}).
#' @param min_child_rows `"dcsn"` only: is a cut considered only if each of its parts has more than
#'   `min_rows` rows, as in the experiments of Di Mauro et al. (2015)?
#' @param screen `"dcsn"` only: the number of cuts of a slice for which new trees are learned: those
#'   that gain most with the tree of the slice. `Inf` means all. With a few tens, the network is
#'   nearly always the same, and learning is several times faster.
#' @param penalty `"dcsn"` only: by how much a cut must raise the log-likelihood, for a data set of
#'   \eqn{M} rows and a slice of \eqn{N}: `"whole"`, \eqn{\log(M)/2}{log(M)/2}, as in Di Mauro et
#'   al. (2015); `"slice"`, \eqn{\log(N)/2}{log(N)/2}; `"share"`, \eqn{(N/M)\log(M)/2}{(N/M)
#'   log(M)/2}.
#' @param min_entropy `"cnet"` and `"cnetp"` only: a slice is cut only if the mean entropy of its
#'   variables, in nats, is larger.
#' @param max_depth The largest number of cuts between the root and a leaf.
#' @param validation Further rows, like `data`, each of which counts once: `"cnetp"` prunes by them.
#'   Their mean log-likelihood is returned with every model; missing values are summed out.
#' @param weights How often each row of `data` counts, whole numbers; `NULL` for once.
#' @param threads The number of threads: see [learn_dag()]. The result does not depend on it.
#' @param time_limit Seconds after which learning stops and returns the network so far. An interrupt
#'   (Ctrl-C) does the same, with a warning. [update.optbn_density()] continues.
#' @param memory_limit The largest number of bytes; `NULL` means three quarters of the free memory.
#'   Most of it is for counts of all pairs of levels: several times \eqn{8 m^2} bytes, where \eqn{m}
#'   is the number of levels of all columns, less one per column.
#' @param progress Show a progress bar?
#'
#' @section Smoothing:
#' With \eqn{N} rows in a slice and \eqn{M} in the training set, \eqn{N_{xy}}{N_xy} and
#' \eqn{M_{xy}}{M_xy} of them with levels x and y of two variables of \eqn{k} and \eqn{l} levels,
#' and \eqn{a} = `alpha` \eqn{N}:
#' * `"joint"`: \eqn{P(x, y) = (N_{xy} + a\,q_{xy}) / (N + a)}{P(x, y) = (N_xy + a q_xy) / (N + a)},
#'   where \eqn{q_{xy} = (M_{xy} + 1/(kl)) / (M + 1)}{q_xy = (M_xy + 1/(kl)) / (M + 1)}: the
#'   estimate is shrunk towards the whole training set;
#' * `"product"`: the same with \eqn{q_{xy} = q_x q_y}{q_xy = q_x q_y}, where \eqn{q_x = (M_x + 1/k)
#'   / (M + 1)}{q_x = (M_x + 1/k) / (M + 1)}: the estimate is shrunk towards independence;
#' * `"marginal"`: \eqn{P(x | y) = (N_{xy} + a\,q_x) / (N_y + a)}{P(x | y) = (N_xy + a q_x) / (N_y +
#'   a)}, as in Di Mauro et al. (2015). The density depends on which variable is the root;
#' * `"laplace"`: `alpha` is added to every cell of the counts of two variables;
#' * `"uniform"`: `alpha` imaginary rows are added to every slice, spread evenly over the cells of a
#'   table.
#'
#' The weights of the cuts are proportions, without smoothing. A slice is cut only on variables all
#' of whose levels occur in it, so that no cut gives a level probability 0.
#'
#' @section Missing values:
#' Training rows may have missing values, which are assumed to be missing at random. All learners of
#' densities use the observed values of such rows, by expectation-maximisation. `print()` and
#' `summary()` report how many values were missing and how many iterations were made; the component
#' `learning` has both as `missing` and `trace`. Log-likelihoods are those of the observed values.
#' Equal rows count as one row of larger weight. Complete data need no iteration.
#'
#' *Trees*, of `learn_chow_liu()` and in mixtures, have exact iterations. Each computes the expected
#' counts of all pairs of levels under the present tree, given the observed values, and then learns
#' the most likely tree, its edges and its tables, from these counts (\enc{Meilă}{Meila} and Jordan
#' 2000; Leray and \enc{François}{Francois} 2005). The first tree comes from the available cases:
#' frequencies from the rows in which the variable is observed, odds ratios from those in which both
#' variables are. With `"joint"` and `"uniform"`, and with `"laplace"` if all variables have the
#' same number of levels, the prior amounts to imaginary rows, and the log-likelihood of these and
#' of the observed values never falls. With the other priors it may fall, and the best iteration is
#' returned. Iterations end when the log-likelihood rises by less than 1e-6 a row, after 200 at
#' most.
#'
#' *Cutset networks*, and ensembles and mixtures of them, need complete rows. An iteration replaces
#' a row by weighted completions: all possible ones, weighted by their probability under the present
#' model, if they are at most 10; otherwise 10 draws from it. The learner treats these as complete
#' rows, with sums of weights as numbers of rows. The first model is the Chow-Liu tree. As cuts are
#' greedy, the likelihood may fall: iterations end when the log-likelihood of the observed values
#' rises by less than 0.01 a row, after 10 at most, and the best one is returned. `"cnetp"`
#' completes `validation` rows in the same way.
#'
#' @return An object of class `c("optbn_cutset_network", "optbn_density")`: a list with the elements
#'   `nodes`, `levels`, `prototype`, `weights` (1), `components` (one), `learning` and `handle`, all
#'   described in [optbn_density]. `learning` has `learner`, `algorithm` (of `learn_cutset()`),
#'   `settings`, `n`, `status`, `log_likelihood` and `seconds`; `validation`, if there are
#'   validation rows; and `missing`, `trace` and `best_step`, if values are missing.
#'
#'   [log_density()], [query()], [most_probable()], [simulate()] and [predict()] answer queries;
#'   [plot()] and [summary()] show the model.
#'
#' @section Errors:
#' `optbn_error_data` for columns that are not discrete or have no value, for unknown levels in
#' `validation`, for no rows; `optbn_error_argument` for a malformed argument; `optbn_error_memory`
#' beforehand if learning would need more than `memory_limit`; `optbn_error_time` if the time limit
#' is reached before there is a tree, or, with missing values, a model.
#'
#' @references
#' Di Mauro, N., Vergari, A. and Esposito, F. (2015). Learning accurate cutset networks by
#' exploiting decomposability. \emph{AI*IA 2015}, LNCS 9336, 221-232.
#' \doi{10.1007/978-3-319-24309-2_17}
#'
#' Rahman, T., Kothalkar, P. and Gogate, V. (2014). Cutset networks: a simple, tractable, and
#' scalable approach for improving the accuracy of Chow-Liu trees. *ECML PKDD 2014*, LNCS 8725,
#' 630-645. \doi{10.1007/978-3-662-44851-9_40}
#'
#' Di Mauro, N., Vergari, A., Basile, T. M. A. and Ventola, F. (2017). Fast and accurate density
#' estimation with extremely randomized cutset networks. *ECML PKDD 2017*, LNCS 10534, 203-219.
#' \doi{10.1007/978-3-319-71249-9_13}
#'
#' Chow, C. K. and Liu, C. N. (1968). Approximating discrete probability distributions with
#' dependence trees. *IEEE Transactions on Information Theory* 14, 462-467.
#' \doi{10.1109/TIT.1968.1054142}
#'
#' Leray, P. and \enc{François}{Francois}, O. (2005). Bayesian network structural learning and
#' incomplete data. *Proceedings of the International and Interdisciplinary Conference on Adaptive
#' Knowledge Representation and Reasoning*, Espoo.
#'
#' \enc{Meilă}{Meila}, M. and Jordan, M. I. (2000). Learning with mixtures of trees. *Journal of
#' Machine Learning Research* 1, 1-48.
#'
#' @seealso [tune_cutset()], [learn_cutset_bag()], [learn_mixture()], [learn_hclt()],
#'   [stack_densities()].
#' @examples
#' titanic <- as.data.frame(Titanic)
#' network <- learn_cutset(titanic[1:4], weights = titanic$Freq, alpha = 0.01)
#' network
#' query(network, "Survived", list(Sex = "Female", Class = "3rd"))
#'
#' learn_chow_liu(titanic[1:4], weights = titanic$Freq)
#'
#' titanic$Age[c(3, 11, 20)] <- NA
#' learn_chow_liu(titanic[1:4], weights = titanic$Freq)
#' @export
learn_cutset <- function(data, algorithm = c("dcsn", "cnet", "cnetp", "xcnet"), prior = NULL,
                         alpha = NULL, min_rows = NULL, min_features = 3, min_child_rows = TRUE,
                         screen = 20, penalty = c("whole", "slice", "share"), min_entropy = 0.01,
                         max_depth = Inf, validation = NULL, weights = NULL, threads = NULL,
                         time_limit = Inf, memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  encoded <- encode_training(data, weights, call, limits$memory_limit)
  settings <- cut_settings(algorithm, encoded$total, prior, alpha, min_rows, min_features,
                           min_child_rows, screen, penalty, min_entropy, max_depth, call = call)
  held_out <- encode_held_out(validation, encoded, call = call)
  cut_leaves(encoded, held_out, settings, NULL, limits, call)
}

#' @rdname learn_cutset
#' @export
learn_chow_liu <- function(data, prior = c("joint", "marginal", "product", "laplace", "uniform"),
                           alpha = 0.1, validation = NULL, weights = NULL, threads = NULL,
                           time_limit = Inf, memory_limit = NULL, progress = interactive()) {
  require_arguments()
  call <- environment()
  settings <- list(prior = check_choice(prior, smoothing_priors, "prior", call),
                   alpha = check_number(alpha, "alpha", minimum = 0, call = call))
  limits <- check_limits(threads, time_limit, memory_limit, progress, call)
  encoded <- encode_training(data, weights, call, limits$memory_limit, may_stay = TRUE)
  held_out <- encode_held_out(validation, encoded, call = call)
  require_pair_memory(encoded, 2, limits, call)
  found <- call_core(
    core_learn_chow_liu(encoded, settings, host_within(limits, "Learning a Chow-Liu tree")),
    call = call, remedy = smaller_density
  )
  learned_density("optbn_cutset_network", found, encoded, held_out,
                  list(learner = "learn_chow_liu", settings = settings), limits, call)
}

# A cutset network whose leaves are cut, those of the network `start` or the first one.
# Random cuts draw, and so do completions of rows that have holes.
cut_leaves <- function(encoded, held_out, settings, start, limits, call,
                       seed = if (draws_cuts(encoded, settings)) random_seed() else no_seed) {
  pruning <- pruning_rows(held_out, settings, call)
  learn <- function(encoded, pruning) {
    require_pair_memory(encoded, 3 + 2 * limits$threads, limits, call,
                        bytes = screen_bytes(encoded, settings))
    call_core(
      core_learn_cutset(encoded, pruning, settings, start$components[[1L]],
                        host_within(limits, "Learning a cutset network", seed)),
      call = call, remedy = smaller_density
    )
  }
  found <- learn_whole_rows(encoded, pruning, start, seed, limits, call, learn)
  learned_density("optbn_cutset_network", found, encoded, held_out,
                  list(learner = "learn_cutset", algorithm = settings$algorithm,
                       settings = settings),
                  limits, call)
}

draws_cuts <- function(encoded, settings) {
  settings$algorithm == "xcnet" || !is.null(encoded$holes)
}

# ---- settings -----------------------------------------------------------------------------------

smoothing_priors <- c("joint", "marginal", "product", "laplace", "uniform")

# What an algorithm takes where the user does not say. `min_rows` of so many rows.
cut_defaults <- list(
  dcsn = list(prior = "joint", alpha = 0.1, min_rows = function(rows) 200),
  cnet = list(prior = "laplace", alpha = 1, min_rows = function(rows) 10),
  cnetp = list(prior = "laplace", alpha = 1, min_rows = function(rows) 10),
  xcnet = list(prior = "joint", alpha = 0.05, min_rows = function(rows) max(100, rows / 50))
)

# `rows`: how many there are to learn from.
cut_settings <- function(algorithm, rows, prior = NULL, alpha = NULL, min_rows = NULL,
                         min_features = 3, min_child_rows = TRUE, screen = 20,
                         penalty = c("whole", "slice", "share"), min_entropy = 0.01,
                         max_depth = Inf, call = parent.frame()) {
  algorithm <- check_choice(algorithm, names(cut_defaults), "algorithm", call)
  usual <- cut_defaults[[algorithm]]
  number <- function(x, arg, ...) check_number(x, arg, ..., call = call)
  list(
    algorithm = algorithm,
    prior = check_choice(prior %||% usual$prior, smoothing_priors, "prior", call),
    alpha = number(alpha %||% usual$alpha, "alpha", minimum = 0),
    min_rows = number(min_rows %||% usual$min_rows(rows), "min_rows", minimum = 0, finite = FALSE),
    min_features = number(min_features, "min_features", minimum = 1, finite = FALSE),
    min_child_rows = check_flag(min_child_rows, "min_child_rows", call),
    screen = number(screen, "screen", minimum = 1, finite = FALSE),
    penalty = check_choice(penalty, c("whole", "slice", "share"), "penalty", call),
    min_entropy = number(min_entropy, "min_entropy", minimum = 0),
    max_depth = number(max_depth, "max_depth", minimum = 0, finite = FALSE)
  )
}

# The rows that prune, where the algorithm does so.
pruning_rows <- function(held_out, settings, call) {
  if (settings$algorithm != "cnetp") return(NULL)
  if (is.null(held_out)) {
    abort_optbn("argument",
                c("Algorithm {.val cnetp} prunes by validation rows.",
                  x = "{.arg validation} is NULL.",
                  i = "Give some rows that are not in {.arg data}, or choose {.val cnet}."),
                call = call)
  }
  held_out
}

# ---- what every learner shares ------------------------------------------------------------------

# What makes learning a density smaller.
smaller_density <- "learn from fewer columns, or merge levels"

# So many tables of counts of all pairs of levels, and other `bytes`, must fit into memory. Where
# values are missing each thread has tables of expected counts, and a larger one of the pairs that
# are known.
require_pair_memory <- function(encoded, tables, limits, call, bytes = 0) {
  if (!is.null(encoded$holes)) tables <- tables + 6 * limits$threads
  pairs <- sum(lengths(encoded$levels) - 1)^2
  rows <- if (is.null(encoded$source)) encoded$rows * length(encoded$nodes) else 0
  require_memory(8 * pairs * tables + 8 * rows + bytes, limits$memory_limit,
                 capitalise(smaller_density), call)
}

# Of the screen: maps of the rows that hold the pairs of levels on the edges of a tree.
screen_bytes <- function(encoded, settings) {
  if (settings$algorithm != "dcsn" || is.infinite(settings$screen)) return(0)
  free_levels <- lengths(encoded$levels) - 1
  encoded$rows / 8 * sum(free_levels) * max(free_levels)
}

# `found`: the glue's list with weights, components, reason and seconds. `record`: what is to be
# also said of the learning.
learned_density <- function(class, found, encoded, held_out, record, limits, call) {
  record <- c(record, list(n = encoded$total, status = found$reason %||% "finished"))
  record$missing <- encoded$missing
  if (!is.null(found$training)) record <- c(record, steps_of(found, held_out))
  model <- new_density(class, encoded$nodes, set_names(encoded$levels, encoded$nodes),
                       encoded$prototype, found$weights, found$components, record)
  model$learning$log_likelihood <- found$log_likelihood
  model <- with_likelihoods(model, encoded, held_out, limits)
  model$learning$seconds <- recorded_seconds(seconds_since(limits))
  if (model$learning$status == "interrupt") warn_learning_interrupted(call)
  model
}

# An interrupt here leaves out what it does not let finish: the model is not lost.
with_likelihoods <- function(model, encoded, held_out, limits) {
  tryCatch(
    {
      model$learning$log_likelihood <- model$learning$log_likelihood %||%
        total_log_density(model, encoded, limits)
      model$learning$validation <- mean_log_density(model, held_out, limits)
    },
    interrupt = function(condition) model$learning$status <<- "interrupt"
  )
  model
}

# Those of expectation-maximisation.
steps_of <- function(found, held_out) {
  trace <- data.frame(step = seq_along(found$training), training = found$training)
  validated <- !is.null(held_out) && length(found$validation) == nrow(trace)
  if (validated) trace$validation <- found$validation
  list(trace = trace, best_step = found$best_step)
}

# Of encoded rows, each as often as it counts; NULL of none.
total_log_density <- function(model, encoded, limits) {
  if (is.null(encoded$rows)) return(NULL)
  each <- call_core(core_row_log_probabilities(handle_of(model), encoded$columns, encoded$rows,
                                               quiet_host(limits$threads)))
  sum(if (is.null(encoded$weights)) each else encoded$weights * each)
}

mean_log_density <- function(model, encoded, limits) {
  if (is.null(encoded)) return(NULL)
  total_log_density(model, encoded, limits) / encoded$total
}

warn_learning_interrupted <- function(call) {
  cli::cli_warn(
    c("Learning was interrupted: this is the best model so far.",
      i = "{.fn update} continues from it."),
    class = c("optbn_warning_interrupt", "optbn_warning"), call = call
  )
}
