#include "r_data.h"
#include "r_host.h"
#include "r_k_tree.h"
#include "r_search.h"

#include "core/treewidth/bounded_search.h"

using namespace optbn;

namespace {

const char *name_of(BoundedResult::Engine engine) {
  switch (engine) {
  case BoundedResult::Engine::exact:
    return "exact";
  case BoundedResult::Engine::local:
    return "local";
  case BoundedResult::Engine::sample:
    return "sample";
  case BoundedResult::Engine::unbounded:
    break;
  }
  return "unbounded";
}

// from: list(refine, inner, information = matrix or NULL).
void read_sampling(const Rcpp::List &from, Node nodes, BoundedOptions &options) {
  using Options = SampledSearchOptions;
  options.method = BoundedMethod::sample;
  const std::string refine = from["refine"], inner = from["inner"];
  options.sampling.refine = refine == "none" ? Options::Refine::none
                            : refine == "hc" ? Options::Refine::hill_climb
                                             : Options::Refine::probabilistic;
  options.sampling.inner = inner == "s2" ? Options::Inner::sampled_orders : Options::Inner::exact;
  if (Rf_isNull(from["information"])) {
    options.sampling.guide = Options::Guide::pseudo;
    options.information = {nodes, std::vector<double>(std::size_t{nodes} * nodes, 0.0)};
    return;
  }
  const Rcpp::NumericMatrix information = from["information"];
  options.information = {nodes, {information.begin(), information.end()}};
}

} // namespace

// options: method, treewidth, gap, memory_limit, iterations, sampling (see read_sampling(), or
// NULL).
// [[Rcpp::export]]
SEXP core_learn_treewidth(const Rcpp::List &sets, const Rcpp::List &options,
                          const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    BoundedOptions chosen;
    const std::string method = options["method"];
    chosen.method = method == "exact"   ? BoundedMethod::exact
                    : method == "local" ? BoundedMethod::local
                                        : BoundedMethod::automatic;
    chosen.gap = Rcpp::as<double>(options["gap"]);
    chosen.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    chosen.seconds = Rcpp::as<double>(host["time_limit"]);
    chosen.iterations = Rcpp::as<double>(options["iterations"]);
    if (!Rf_isNull(options["sampling"]))
      read_sampling(options["sampling"], candidates.size(), chosen);
    const RHost r(host);
    Watch watch(r.host());
    const BoundedResult found =
        bounded_search(candidates, Rcpp::as<unsigned>(options["treewidth"]), chosen, watch);
    return Rcpp::List::create(
        Rcpp::_["choice"] = from_one(found.network.choice), Rcpp::_["tree"] = to_r(found.tree),
        Rcpp::_["score"] = found.network.score, Rcpp::_["bound"] = found.bound,
        Rcpp::_["proved"] = found.proved, Rcpp::_["reason"] = reason_of(found.stop),
        Rcpp::_["engine"] = name_of(found.engine), Rcpp::_["nodes"] = found.nodes,
        Rcpp::_["subsets"] = found.subsets, Rcpp::_["branches"] = found.branches,
        Rcpp::_["steps"] = found.steps, Rcpp::_["trace"] = to_r(found.trace),
        Rcpp::_["seconds"] = r.seconds());
  });
}
