#include "r_data.h"
#include "r_density.h"
#include "r_host.h"
#include "r_search.h"

#include "core/density/density_queries.h"
#include "core/density/learn/chow_liu.h"
#include "core/density/learn/ensemble.h"
#include "core/density/learn/latent_tree.h"
#include "core/density/learn/mixture_em.h"
#include "core/density/learn/row_completions.h"

#include <memory>

using namespace optbn;

namespace {

// From what encode_training() makes in R; null where that is NULL. Completions have `shares`, how
// often each counts.
std::unique_ptr<TrainingRows> as_training_rows(SEXP encoded) {
  if (Rf_isNull(encoded))
    return nullptr;
  const Rcpp::List list(encoded);
  const TrainingRows rows(as_dataset(list));
  if (!list.containsElementNamed("shares"))
    return std::make_unique<TrainingRows>(rows);
  return std::make_unique<TrainingRows>(rows.cells(), rows.levels(),
                                        Rcpp::as<std::vector<double>>(list["shares"]));
}

// list(prior, alpha)
Smoothing as_smoothing(const Rcpp::List &from) {
  const std::string prior = from["prior"];
  Smoothing smoothing;
  smoothing.prior = prior == "joint"      ? Prior::joint
                    : prior == "marginal" ? Prior::marginal
                    : prior == "product"  ? Prior::product
                    : prior == "uniform"  ? Prior::uniform
                                          : Prior::laplace;
  smoothing.alpha = from["alpha"];
  return smoothing;
}

CutRule rule_of(const std::string &algorithm) {
  if (algorithm == "dcsn")
    return CutRule::likelihood;
  return algorithm == "xcnet" ? CutRule::random : CutRule::entropy;
}

CutPenalty penalty_named(const std::string &name) {
  if (name == "slice")
    return CutPenalty::slice;
  return name == "share" ? CutPenalty::share : CutPenalty::whole;
}

// What cut_settings() makes in R. Numbers that may be infinite come as doubles.
CutsetSettings as_cutset_settings(const Rcpp::List &from) {
  const auto count = [&](const char *name, unsigned infinite) {
    const double number = from[name];
    return number < infinite ? static_cast<unsigned>(number) : infinite;
  };
  constexpr unsigned kMost = std::numeric_limits<unsigned>::max();
  CutsetSettings settings;
  settings.rule = rule_of(from["algorithm"]);
  settings.smoothing = as_smoothing(from);
  settings.min_rows = from["min_rows"];
  settings.min_features = count("min_features", kMost);
  settings.min_child_rows = from["min_child_rows"];
  settings.screen = std::isinf(Rcpp::as<double>(from["screen"])) ? 0 : count("screen", kMost);
  settings.penalty = penalty_named(from["penalty"]);
  settings.min_entropy = from["min_entropy"];
  settings.max_depth = count("max_depth", kMost);
  return settings;
}

// list(iterations, patience)
Steps as_steps(const Rcpp::List &from) {
  Steps steps;
  steps.most = from["iterations"];
  steps.patience = from["patience"];
  return steps;
}

// Level codes by column.
Rcpp::List codes_of(const PartialRows &rows) {
  Rcpp::List columns(static_cast<R_xlen_t>(rows.columns.size()));
  for (std::size_t v = 0; v < rows.columns.size(); ++v)
    columns[static_cast<R_xlen_t>(v)] =
        Rcpp::IntegerVector(rows.columns[v].begin(), rows.columns[v].end());
  return columns;
}

std::unique_ptr<DensityMixture> as_start(const TrainingRows &rows, SEXP start) {
  if (Rf_isNull(start))
    return nullptr;
  const Rcpp::List from(start);
  const std::vector<unsigned> &levels = rows.levels();
  return std::make_unique<DensityMixture>(as_mixture(
      Rcpp::IntegerVector(levels.begin(), levels.end()), from["weights"], from["components"]));
}

// The result of every learner.
Rcpp::List learned(const std::vector<double> &weights, const std::vector<CutsetNetwork> &components,
                   const RHost &host, const Watch &watch) {
  return Rcpp::List::create(
      Rcpp::_["weights"] = weights, Rcpp::_["components"] = ::to_r(components),
      Rcpp::_["reason"] = host.reason(watch.reason()), Rcpp::_["seconds"] = host.seconds());
}

// The same for expectation-maximisation, with its steps.
Rcpp::List learned(const LearnedMixture &found, const RHost &host, const Watch &watch) {
  Rcpp::List list = learned(found.mixture.weights, found.mixture.components, host, watch);
  list["training"] = found.training;
  list["validation"] = found.validation;
  list["best_step"] = static_cast<int>(found.best_step) + 1;
  return list;
}

} // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_learn_chow_liu(const Rcpp::List &data, const Rcpp::List &smoothing,
                         const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    Watch watch(host.host());
    const Dataset from = as_dataset(data);
    if (from.source) {
      TreeWithLikelihood found_tree = learn_chow_liu(from, as_smoothing(smoothing), watch);
      Rcpp::List found = learned({1.0}, {uncut(std::move(found_tree.tree))}, host, watch);
      found["log_likelihood"] = found_tree.log_likelihood;
      return found;
    }
    const TrainingRows rows(from);
    if (rows.holes()) {
      TreeBySteps found = learn_chow_liu_by_em(rows, {}, as_smoothing(smoothing), watch);
      return learned({{rows.levels(), {1.0}, {uncut(std::move(found.tree))}},
                      std::move(found.training),
                      {},
                      found.best_step},
                     host, watch);
    }
    TreeDensity tree = learn_chow_liu(rows, {}, as_smoothing(smoothing), watch);
    return learned({1.0}, {uncut(std::move(tree))}, host, watch);
  });
}

// `pruning`: validation rows for reduced-error pruning, or NULL. `start`: a component to start
// from, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_learn_cutset(const Rcpp::List &data, SEXP pruning, const Rcpp::List &settings, SEXP start,
                       const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    const auto rows = as_training_rows(data), held_out = as_training_rows(pruning);
    const CutsetSettings chosen = as_cutset_settings(settings);
    std::unique_ptr<CutsetNetwork> start_network;
    if (!Rf_isNull(start))
      start_network = std::make_unique<CutsetNetwork>(as_cutset_network(Rcpp::List(start)));
    Watch watch(host.host(), rows->total());
    Random random(host.host().seed(0));
    const Training training(*rows, {}, chosen.smoothing, watch);
    CutsetNetwork network = learn_cutset(training, chosen, start_network.get(), random, watch);
    if (held_out && watch.reason() == StopReason::none)
      network = prune(network, training, *held_out, watch);
    return learned({1.0}, {std::move(network)}, host, watch);
  });
}

// Components of equal weights.
// [[Rcpp::export(rng = false)]]
SEXP core_learn_ensemble(const Rcpp::List &data, SEXP pruning, const Rcpp::List &settings,
                         int components, bool bootstrap, const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    const auto rows = as_training_rows(data), held_out = as_training_rows(pruning);
    EnsembleSettings chosen;
    chosen.components = static_cast<unsigned>(components);
    chosen.bootstrap = bootstrap;
    chosen.cutset = as_cutset_settings(settings);
    Watch watch(host.host(), components * rows->total());
    const std::vector<CutsetNetwork> found = learn_ensemble(*rows, held_out.get(), chosen, watch);
    if (found.empty())
      throw_if_stopped(watch);
    const std::vector<double> weights(found.size(), 1.0 / static_cast<double>(found.size()));
    return learned(weights, found, host, watch);
  });
}

// `start`: list(weights, components) of a mixture to start from; or the responsibilities, a matrix
// with a row per row and a column per component; or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_learn_mixture(const Rcpp::List &data, SEXP validation, const Rcpp::List &settings,
                        SEXP start, const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    const auto rows = as_training_rows(data), held_out = as_training_rows(validation);
    MixtureSettings chosen;
    chosen.components = settings["components"];
    chosen.cuts = settings["cuts"];
    chosen.hard = settings["hard"];
    chosen.starts = settings["starts"];
    chosen.cutset = as_cutset_settings(settings["cutset"]);
    chosen.steps = as_steps(settings);
    Watch watch(host.host());
    if (Rf_isMatrix(start))
      return learned(
          learn_mixture(*rows, held_out.get(), chosen, Rcpp::as<std::vector<double>>(start), watch),
          host, watch);
    const auto start_network = as_start(*rows, start);
    return learned(learn_mixture(*rows, held_out.get(), chosen, start_network.get(), watch), host,
                   watch);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_learn_latent_tree(const Rcpp::List &data, SEXP validation, const Rcpp::List &settings,
                            SEXP start, const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    const auto rows = as_training_rows(data), held_out = as_training_rows(validation);
    LatentTreeSettings chosen;
    chosen.states = settings["states"];
    chosen.smoothing = settings["alpha"];
    chosen.steps = as_steps(settings);
    Watch watch(host.host());
    const auto start_network = as_start(*rows, start);
    return learned(learn_latent_tree(*rows, held_out.get(), chosen, start_network.get(), watch),
                   host, watch);
  });
}

// Weighted rows without missing values in place of rows with some, under the mixture of `model`, a
// list(weights, components).
// [[Rcpp::export(rng = false)]]
SEXP core_complete_rows(const Rcpp::List &data, SEXP model, const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    const auto rows = as_training_rows(data);
    const auto mixture = as_start(*rows, model);
    Watch watch(host.host());
    Random random(host.host().seed(0));
    const TrainingRows whole =
        completions(*rows, rows->own_weights(), *mixture, kCompletions, random, watch);
    return Rcpp::List::create(Rcpp::_["rows"] = static_cast<double>(whole.rows()),
                              Rcpp::_["columns"] = codes_of(whole.cells()),
                              Rcpp::_["shares"] = whole.weights());
  });
}

// `log_densities`: a matrix with a row per row and a column per component.
// [[Rcpp::export(rng = false)]]
SEXP core_fit_weights(const Rcpp::NumericMatrix &log_densities,
                      const Rcpp::NumericVector &row_weights, const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    Watch watch(host.host());
    const MixtureWeights found = fit_weights({log_densities.begin(), log_densities.end()},
                                             static_cast<std::size_t>(log_densities.ncol()),
                                             {row_weights.begin(), row_weights.end()}, watch);
    return Rcpp::List::create(Rcpp::_["weights"] = found.weights,
                              Rcpp::_["log_likelihood"] = found.log_likelihood,
                              Rcpp::_["reason"] = host.reason(watch.reason()));
  });
}
