# Beyond the paper: the best density that two cores learn in minutes, on all twenty sets.
#
#   Rscript bench/paper-cutset/stack.R FOLDER data=FOLDER [threads=2] [models=few] [NAME...]
#   Rscript bench/paper-cutset/stack.R quick
#
# Reads NAME.{train,valid,test}.data.gz from the folder `data`; adds rows to files of FOLDER:
#
#   stack-NAME.csv   data, model (xcnet, dcsn-b, mt, hclt and a number, stack), setting, seconds
#                    (elapsed; of the stack, all together), valid, test (mean log-likelihoods),
#                    weight (in the stack), seen (share of the test rows that are among the training
#                    rows)
#
# Extremely randomised networks of several slice sizes and smoothings, bags, mixtures of trees and
# hidden trees of several sizes are learned from the training rows. The validation rows stop steps,
# give the weights of the stack, and choose the one of each kind that the table shows. With
# models=few there are half as many models of each kind, and those the faster ones. A run that was
# stopped goes on where it stopped.

source(file.path("bench", "paper-cutset", "common.R"))
command <- read_command_line("stack.R FOLDER data=FOLDER [threads=2] [models=few] [NAME...]",
                             data = "", threads = 2, models = "all")
names <- if (length(command$names) > 0L) command$names else data_sets
if (quick) names <- "toy"

# ---- learners ------------------------------------------------------------------------------------

learn <- function(learner, set, ...) {
  learner(set$train, ..., validation = set$valid, threads = command$threads, progress = FALSE)
}

# Of sets with hundreds of columns large models take long, and are too large for their rows.
is_wide <- function(set) ncol(set$train) > 400

# Each gives a model of the set and its setting.
random_networks <- function(alpha, min_rows, components) {
  function(set) {
    model <- learn(learn_cutset_bag, set, components, "xcnet", alpha = alpha, min_rows = min_rows)
    list(model = model,
         setting = paste("alpha", alpha, "min_rows", min_rows, "components", components))
  }
}

bag <- function(set) {
  list(model = learn(learn_cutset_bag, set, 40, min_rows = 100), setting = "")
}

trees <- function(k) {
  function(set) list(model = learn(learn_mixture, set, k), setting = paste("components", k))
}

hidden_tree <- function(k) {
  function(set) list(model = learn(learn_hclt, set, k), setting = paste("states", k))
}

# Slices of random networks are cut if they have more than a share of the rows, and than 20.
grid_for <- function(set) {
  if (quick) return(list(alpha = 0.1, share = 0.1, components = 3, states = 4))
  if (is_wide(set)) {
    return(list(alpha = c(0.05, 0.3), share = c(0.1, 0.3), components = c(5, 10),
                states = c(8, 8, 16, 16, 32)))
  }
  if (command$models == "few") {
    return(list(alpha = c(0.05, 0.3), share = c(0.01, 0.05), components = 10,
                states = c(16, 16, 32)))
  }
  list(alpha = c(0.01, 0.05, 0.3), share = c(0.003, 0.006, 0.012, 0.025, 0.05, 0.15),
       components = c(10, 20, 30), states = c(8, 16, 16, 32, 32, 64))
}

learners_for <- function(set) {
  grid <- grid_for(set)
  # 300 networks with leaves of all columns, some 2 / share each, are to fit into a gigabyte: still
  # smaller slices would take the memory of all others (pumsb_star loses 0.14 by it)
  share <- grid$share[grid$share >= ncol(set$train) / 35000]
  min_rows <- unique(pmax(20, round(share * nrow(set$train))))
  random <- expand.grid(alpha = grid$alpha, min_rows = min_rows)
  random$components <- networks_within(6e9, set, random)
  named <- function(kind, learners) {
    stats::setNames(learners, paste0(kind, "-", seq_along(learners)))
  }
  c(named("xcnet", do.call(Map, c(random_networks, random))), list(`dcsn-b` = bag),
    named("mt", lapply(grid$components, trees)), named("hclt", lapply(grid$states, hidden_tree)))
}

# So many networks of each setting as fit into so many bytes, all together. Random cuts of sparse
# rows leave slices that are hardly smaller, and so networks of thousands of leaves.
networks_within <- function(bytes, set, settings) {
  sizes <- Map(function(alpha, min_rows) {
    utils::object.size(learn(learn_cutset, set, "xcnet", alpha = alpha, min_rows = min_rows))
  }, settings$alpha, settings$min_rows)
  min(if (is_wide(set)) 100 else 300, bytes %/% sum(unlist(sizes)))
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
  learners <- learners_for(set)
  set.seed(1)
  seconds <- numeric()
  found <- lapply(learners, function(learner) {
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
  rm(found, stack)
  gc() # models have most of their memory where R does not see it
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
