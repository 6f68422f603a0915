# unroll(): a dynamic network as an ordinary one of so many slices.

#' Unroll a Dynamic Network
#'
#' Returns an ordinary network for a given number of time points. The first ones are those of the
#' initial network, and each later one repeats the transition network. All functions for networks,
#' or for fitted networks, accept it.
#'
#' @param network A network from [learn_dynamic()], or a fit of one by [fit_network()].
#' @param slices The number of time points, a whole number, at least the number of lags.
#'
#' @return For a network, one of bnlearn's class `bn`; for a fit, one of class `optbn_fit`. The
#'   nodes are the static columns with their names, and `x_1`, `x_2`, ... for each variable `x`.
#'   (The fit has no rows of its own: its log-likelihood is 0.)
#'
#' @section Errors: `optbn_error_argument` for too few slices, if `network` is not a dynamic
#'   network, and if a static column has the name of another node, such as `x_1`.
#' @seealso [predict.optbn_dynamic_fit()], [filtered()] and [smoothed()], which take series of any
#'   length.
#' @examples
#' returns <- as.data.frame(diff(log(EuStockMarkets)))
#' network <- learn_dynamic(returns)
#' unroll(network, 3)$arcs
#'
#' fit <- unroll(fit_network(network, returns), 3)
#' query(fit, "DAX_3", list(DAX_1 = -0.02, FTSE_1 = 0))
#' @export
unroll <- function(network, slices) {
  require_arguments()
  UseMethod("unroll")
}

#' @export
unroll.optbn_dynamic <- function(network, slices) {
  check_sound(network)
  slices <- check_slices(slices, network$layout)
  families <- lapply(unrolled_names(network$layout, slices), function(slice) {
    part <- if (slice$initial) network$initial else network$transition
    parents <- lapply(part$nodes[names(slice$nodes)], function(node) node$parents)
    set_names(lapply(parents, rename, slice$names), slice$nodes)
  })
  plain_network(dag_of_families(unlist(families, recursive = FALSE)))
}

#' @export
unroll.optbn_dynamic_fit <- function(network, slices) {
  check_sound(network)
  slices <- check_slices(slices, network$layout)
  parts <- lapply(unrolled_names(network$layout, slices), function(slice) {
    part <- if (slice$initial) network$initial else network$transition
    from <- names(slice$nodes)
    list(models = lapply(part$models[from], renamed_model, slice$names),
         levels = part$levels[from],
         prototype = lapply(as.list(part$prototype)[from], utils::head, 0L),
         nodes = unname(slice$nodes))
  })
  nodes <- unlist(lapply(parts, `[[`, "nodes"))
  joined <- function(what) {
    set_names(unlist(unname(lapply(parts, `[[`, what)), recursive = FALSE), nodes)
  }
  models <- joined("models")
  parents <- lapply(models, `[[`, "parents")
  transition <- network$transition
  structure(
    list(nodes = nodes, parents = parents, models = models,
         levels = set_names(do.call(c, unname(lapply(parts, `[[`, "levels"))), nodes),
         network = plain_network(dag_of_families(parents)), method = transition$method,
         iss = transition$iss, score = transition$score, n = 0,
         log_likelihood = set_names(numeric(length(nodes)), nodes),
         prototype = list2DF(joined("prototype"), 0L), em = transition$em),
    class = "optbn_fit"
  )
}

#' @export
unroll.default <- function(network, slices) {
  abort_optbn("argument",
              c(paste("{.arg network} must be a dynamic network, as {.fn learn_dynamic} returns",
                      "it, or a fit of one."),
                x = "It is {describe(network)}."))
}

check_slices <- function(slices, layout, call = parent.frame()) {
  slices <- check_count(slices, "slices", minimum = layout$lags, maximum = 1e6, call = call)
  made <- unlist(lapply(seq_len(slices), slice_name, variables = layout$variables))
  clash <- intersect(layout$static, made)
  if (length(clash)) {
    abort_optbn("argument",
                c(paste("The static column{?s} {.val {clash}} {?has/have} the name{?s} of",
                        "{?a node/nodes}."),
                  i = "Rename {cli::qty(clash)}{?it/them} before learning."),
                call = call)
  }
  slices
}

slice_name <- function(variables, slice) paste0(variables, "_", slice, recycle0 = TRUE)

# For each slice: is it an `initial` one; the new names of its `nodes`, named by the old ones; and
# the new `names` of these and of all that may be their parents. Static columns are with the first.
unrolled_names <- function(layout, slices) {
  variables <- layout$variables
  lags <- layout$lags
  static <- set_names(layout$static)
  at <- function(slice, lag) {
    set_names(slice_name(variables, slice), lag_name(variables, lag))
  }
  first <- unlist(lapply(seq_len(lags), function(slice) at(slice, lags + 1L - slice)))
  lapply(seq_len(slices), function(slice) {
    if (slice <= lags) {
      nodes <- c(if (slice == 1L) static, at(slice, lags + 1L - slice))
      return(list(initial = TRUE, nodes = nodes, names = c(static, first)))
    }
    before <- unlist(lapply(seq_len(lags), function(lag) at(slice - lag, lag)))
    now <- at(slice, 0L)
    list(initial = FALSE, nodes = now, names = c(static, before, now))
  })
}

rename <- function(nodes, names) unname(names[nodes])

# `parents`: names of the parents, by node.
dag_of_families <- function(parents) {
  nodes <- names(parents)
  numbers <- match(unlist(parents), nodes) # at once: each time it reads all names
  child <- factor(rep(seq_along(nodes), lengths(parents)), seq_along(nodes))
  list(nodes = nodes, parents = unname(lapply(split(numbers, child), sort.int)))
}

# ---- local models under other names -------------------------------------------------------------

# `names`: the new names, named by the old ones.
renamed_model <- function(model, names) UseMethod("renamed_model")

#' @export
renamed_model.optbn_table <- function(model, names) {
  renamed <- rename_family(model, names)
  if (length(model$parents)) {
    names(dimnames(renamed$prob)) <- c(renamed$node, renamed$parents)
  }
  renamed
}

#' @export
renamed_model.optbn_regression <- function(model, names) {
  renamed <- rename_family(model, names)
  names(renamed$levels) <- rename(names(model$levels), names)
  renamed$continuous <- rename(model$continuous, names)
  rownames(renamed$coefficients) <- c("(Intercept)", renamed$continuous)
  renamed
}

#' @export
renamed_model.optbn_partition <- function(model, names) {
  renamed <- rename_family(model, names)
  names(renamed$partition$axes) <- rename(names(model$partition$axes), names)
  variable <- model$partition$nodes$variable
  if (!is.null(variable)) {
    split <- !is.na(variable)
    renamed$partition$nodes$variable[split] <- rename(variable[split], names)
  }
  renamed
}

rename_family <- function(model, names) {
  model$node <- rename(model$node, names)
  model$parents <- rename(model$parents, names)
  model
}
