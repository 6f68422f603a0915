# Beyond the paper: the best density that two cores learn in minutes, on all twenty sets.
#
#   Rscript bench/paper-cutset/stack.R FOLDER data=FOLDER [threads=2] [NAME...]
#   Rscript bench/paper-cutset/stack.R quick
#
# Reads NAME.{train,valid,test}.data.gz from the folder `data`; adds rows to files of FOLDER:
#
#   stack-NAME.csv   data, model (xcnet, dcsn-b, mt-K, hclt-K, stack), setting, seconds (elapsed, of
#                    all that was learned to choose from), valid, test (mean log-likelihoods),
#                    weight (in the stack), seen (share of the test rows that are among the training
#                    rows)
#
# Each learner chooses its settings by the validation rows, which are used for nothing else than to
# choose and to stop: extremely randomised networks their smoothing and slice size, mixtures of
# trees and hidden trees the number of components or states. Several hidden trees and mixtures
# go into the stack, whose weights the validation rows give as well. Prints the table. A run that
# was stopped goes on where it stopped.

source(file.path("bench", "paper-cutset", "common.R"))
command <- read_command_line("stack.R FOLDER data=FOLDER [threads=2] [NAME...]",
                             data = "", threads = 2)
names <- if (length(command$names) > 0L) command$names else data_sets
if (quick) names <- "toy"

# ---- learners ------------------------------------------------------------------------------------

learn <- function(learner, set, ...) {
  learner(set$train, ..., validation = set$valid, threads = command$threads, progress = FALSE)
}

is_wide <- function(set) ncol(set$train) > 400

# Forty networks tell which smoothing and slices are good for five hundred. A slice is cut if it has
# more than a share of the rows.
random_networks <- function(set) {
  shares <- if (is_wide(set)) c(0.05, 0.15, 0.45) else c(0.005, 0.015, 0.05, 0.15)
  grid <- expand.grid(alpha = c(0.01, 0.05, 0.3), share = shares)
  few <- Map(function(alpha, share) {
    learn(learn_cutset_bag, set, 40, "xcnet", alpha = alpha, min_rows = share * nrow(set$train))
  }, grid$alpha, grid$share)
  best <- which.max(vapply(few, function(model) model$learning$validation, 0))
  model <- learn(learn_cutset_bag, set, if (quick) 50 else 500, "xcnet",
                 alpha = grid$alpha[best], min_rows = grid$share[best] * nrow(set$train))
  list(model = model, setting = paste("alpha", grid$alpha[best], "share", grid$share[best]))
}

bag <- function(set) {
  list(model = learn(learn_cutset_bag, set, 40, min_rows = 100), setting = "")
}

trees_of <- function(k) {
  function(set) {
    list(model = learn(learn_mixture, set, k), setting = paste("components", k))
  }
}

hidden_of <- function(k) {
  function(set) list(model = learn(learn_hclt, set, k), setting = paste("states", k))
}

# Of wide sets the larger models take long, and are too large for their rows.
learners_for <- function(set) {
  states <- if (quick) 4 else if (is_wide(set)) c(8, 16, 32) else c(8, 16, 32, 64)
  components <- if (quick) 3 else if (is_wide(set)) c(5, 10) else c(10, 20, 30)
  c(list(xcnet = random_networks, `dcsn-b` = bag),
    stats::setNames(lapply(components, trees_of), paste0("mt-", components)),
    stats::setNames(lapply(states, hidden_of), paste0("hclt-", states)))
}

# ---- sets ----------------------------------------------------------------------------------------

describe <- function(name, model, setting, seconds, fitted, set, weight) {
  data.frame(data = name, model = model, setting = setting, seconds = round(seconds, 2),
             valid = round(fitted$learning$validation, 4),
             test = round(mean(log_density(fitted, set$test)), 4), weight = round(weight, 4),
             seen = round(share_seen(set), 4))
}

for (name in names) {
  file <- file.path(command$folder, paste0("stack-", name, ".csv"))
  if (is_there(file, model = "stack")) next
  unlink(file)
  set <- read_set(name, command$data)
  set.seed(1)
  seconds <- numeric()
  found <- lapply(learners_for(set), function(learner) {
    taken <- elapsed(one <- learner(set))
    seconds <<- c(seconds, taken)
    cat(name, one$setting, round(taken, 1), "s, validation", one$model$learning$validation, "\n")
    one
  })
  weighing <- elapsed(stack <- stack_densities(lapply(found, `[[`, "model"), set$valid,
                                               threads = command$threads))
  weights <- stack$learning$models$weight
  rows <- Map(function(one, model, taken, weight) {
    describe(name, model, one$setting, taken, one$model, set, weight)
  }, found, base::names(found), seconds, weights)
  rows <- c(rows, list(describe(name, "stack", "", sum(seconds) + weighing, stack, set, 1)))
  for (row in rows) add_row(file, row)
}

# ---- the table -----------------------------------------------------------------------------------

rows <- all_rows(command$folder, "stack")
there <- intersect(c(data_sets, "toy"), rows$data)
best_of_paper <- apply(paper_likelihoods[-1L], 1, max)
cell <- function(name, kind) {
  these <- rows[rows$data == name & sub("-[0-9]+$", "", rows$model) == kind, ]
  if (nrow(these) == 0L) return("")
  sprintf("%.3f", these$test[which.max(these$valid)])
}
of_stack <- function(column) {
  rows[[column]][match(paste(there, "stack"), paste(rows$data, rows$model))]
}
print_table(
  "Mean log-likelihood of the test rows, settings chosen by the validation rows",
  data.frame(
    data = there,
    `paper's best` = ifelse(there %in% paper_likelihoods$data, sprintf("%.2f", best_of_paper[
      match(there, paper_likelihoods$data)]), ""),
    lapply(stats::setNames(nm = c("dcsn-b", "xcnet", "mt", "hclt", "stack")), function(kind) {
      vapply(there, cell, "", kind)
    }),
    seconds = in_seconds(of_stack("seconds")),
    `rows seen` = paste0(round(100 * of_stack("seen")), " %"),
    check.names = FALSE
  )
)
cat("\nSeconds of all sets: ", in_seconds(sum(of_stack("seconds"))), "\n", sep = "")
