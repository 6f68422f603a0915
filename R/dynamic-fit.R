# Fitted dynamic networks: what fit_network() makes of a dynamic network.

#' Fitted Dynamic Networks
#'
#' [fit_network()] of a network from [learn_dynamic()] estimates the parameters of the transition
#' network and of the initial one, each from the rows that it was learned from. Its arguments are as
#' for other networks, except that `weights` cannot be given; `targets` are those of the series.
#'
#' @param x,object A fitted dynamic network.
#' @param ... Ignored.
#'
#' @return An object of class `optbn_dynamic_fit`: a list with `transition` and `initial`, fitted
#'   networks (class `optbn_fit`), and `layout` and `network`, as [learn_dynamic()] returned
#'   them. (The fitted transition network also has local models of lags and static columns, which no
#'   function uses.)
#' * `logLik()`: the log-likelihood of the rows given their lags, with attributes `df` and `nobs`.
#' * `coef()`: a list with one element for each variable, as of other fitted networks.
#'
#' @seealso [unroll()], [predict.optbn_dynamic_fit()], [filtered()]
#' @examples
#' returns <- as.data.frame(diff(log(EuStockMarkets)))
#' fit <- fit_network(learn_dynamic(returns), returns)
#' fit
#' coef(fit)$CAC
#' @name optbn_dynamic_fit
NULL

# `...`: the other arguments of fit_network().
fit_dynamic <- function(network, data, targets, ..., call) {
  check_sound(network, call)
  rows <- attr(data, "lagged")
  rows <- if (is.null(rows)) {
    rows_as_learned(data, network, targets, call)
  } else {
    check_laid_out(data, if (!is.null(targets)) "targets", call, network$layout)
  }
  layout <- network$layout
  layout["clock"] <- list(layout$clock %||% attr(rows, "lagged")$clock)
  start <- rows_of_start(rows, network$rows)
  structure(
    list(transition = fit_network(network$transition, rows, ...,
                                  targets = targets_of(rows, layout$variables)),
         initial = fit_network(network$initial, start$rows, ..., targets = start$targets),
         layout = layout, network = network),
    class = "optbn_dynamic_fit"
  )
}

rows_as_learned <- function(data, network, targets, call) {
  layout <- network$layout
  check_has_columns(data, layout, call)
  columns <- c(layout$id, layout$time, layout$static, layout$variables,
               target_column(targets, data))
  data <- if (is_lazy_table(data)) {
    dplyr::select(data, dplyr::all_of(columns))
  } else {
    as.data.frame(data)[columns]
  }
  lay_out(data, layout$lags, layout$id, layout$time, layout$static, layout$gaps, targets, call)
}

check_has_columns <- function(data, layout, call) {
  missing <- setdiff(c(layout$id, layout$time, layout$static, layout$variables),
                     check_series_columns(data, call))
  if (length(missing) == 0L) return(invisible())
  abort_optbn("data",
              c("{.arg data} must have the columns of the series.",
                x = "Column{?s} {.val {missing}} {?is/are} missing."),
              call = call)
}

#' @export
format.optbn_dynamic_fit <- function(x, ...) {
  check_sound(x)
  shown <- x$transition$models[x$layout$variables]
  likelihood <- logLik(x)
  rows <- x$transition$n
  c(cli::style_bold(paste("Fitted", sub("^D", "d", dynamic_heading(x$layout)))),
    format_facts(c(
      data = cli::format_inline("{format_count(rows)} row{cli::qty(rows)}{?s} with their past"),
      method = format_fit_method(x$transition),
      fit = paste("log-likelihood", format(likelihood[1L], digits = 7), "with",
                  format(attr(likelihood, "df")), "free parameters")
    )),
    format_models(shown))
}

#' @rdname optbn_dynamic_fit
#' @export
print.optbn_dynamic_fit <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @rdname optbn_dynamic_fit
#' @export
coef.optbn_dynamic_fit <- function(object, ...) {
  check_sound(object)
  lapply(object$transition$models[object$layout$variables], coef)
}

#' @rdname optbn_dynamic_fit
#' @export
logLik.optbn_dynamic_fit <- function(object, ...) {
  check_sound(object)
  variables <- object$layout$variables
  models <- object$transition$models[variables]
  structure(sum(object$transition$log_likelihood[variables]),
            df = sum(vapply(models, local_parameters, 0)), nobs = object$transition$n,
            class = "logLik")
}

#' @rdname optbn_dynamic_fit
#' @export
nobs.optbn_dynamic_fit <- function(object, ...) check_sound(object)$transition$n

#' @export
sound_parts.optbn_dynamic_fit <- function(model) {
  demand("it is not a list" = is.list(model),
         "the layout is invalid" = is_sound_layout(model$layout))
  layout <- model$layout
  demand("the parts are not fitted networks" = inherits(model$transition, "optbn_fit") &&
           inherits(model$initial, "optbn_fit"))
  demand_of("the transition", sound_parts(model$transition))
  demand_of("the initial network", sound_parts(model$initial))
  demand(
    "the transition has other nodes" =
      setequal(model$transition$nodes, unlist(layout_tiers(layout))),
    "the initial network has other nodes" = setequal(model$initial$nodes, past_columns(layout)),
    "arcs lead into the past" = !any(lengths(model$transition$parents[past_columns(layout)])),
    "the first slices depend on later ones" = are_in_order(model$initial$parents, layout),
    "levels differ from slice to slice" = have_same_levels(model)
  )
}

# Do parents come no later than their children?
are_in_order <- function(parents, layout) {
  lag <- past_places(layout)
  lag <- set_names(ifelse(is.na(lag$lag), Inf, lag$lag), row.names(lag))
  all(unlist(Map(function(node, parents) all(lag[parents] >= lag[[node]]), names(parents),
                 parents)))
}

have_same_levels <- function(fit) {
  place <- past_places(fit$layout)
  now <- fit$transition$levels[place$variable]
  same <- function(levels) {
    here <- row.names(place) %in% names(levels)
    identical(unname(levels[row.names(place)[here]]), unname(now[here]))
  }
  same(fit$transition$levels) && same(fit$initial$levels)
}
