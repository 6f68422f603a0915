#include "r_data.h"
#include "r_host.h"
#include "r_k_tree.h"
#include "r_search.h"

#include "core/treewidth/bounded_search.h"
#include "core/treewidth/within/bag_scores.h"

#include <cmath>

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
  case BoundedResult::Engine::within:
    return "within";
  case BoundedResult::Engine::cuts:
    return "cuts";
  case BoundedResult::Engine::earlier:
    return "earlier";
  case BoundedResult::Engine::unbounded:
    break;
  }
  return "unbounded";
}

BoundedMethod bounded_method_named(const std::string &name) {
  if (name == "exact")
    return BoundedMethod::exact;
  if (name == "local")
    return BoundedMethod::local;
  if (name == "sample")
    return BoundedMethod::sample;
  if (name == "within")
    return BoundedMethod::within;
  if (name == "auto")
    return BoundedMethod::automatic;
  throw optbn::Error("no method is called \"" + name + "\"");
}

// from: list(inner), for sampling also refine, chains and information (a matrix, or NULL).
void read_sampling(const Rcpp::List &from, Node nodes, BoundedOptions &options) {
  using Options = SampledSearchOptions;
  const std::string inner = from["inner"];
  options.sampling.inner = inner == "s2" ? Options::Inner::sampled_orders : Options::Inner::exact;
  if (options.method != BoundedMethod::sample)
    return;
  options.sampling.chains = Rcpp::as<unsigned>(from["chains"]);
  const std::string refine = from["refine"];
  options.sampling.refine = refine == "none"     ? Options::Refine::none
                            : refine == "hc"     ? Options::Refine::hill_climb
                            : refine == "a-star" ? Options::Refine::a_star
                                                 : Options::Refine::probabilistic;
  if (Rf_isNull(from["information"])) {
    options.sampling.guide = Options::Guide::pseudo;
    options.information = {nodes, std::vector<double>(std::size_t{nodes} * nodes, 0.0)};
    return;
  }
  const Rcpp::NumericMatrix information = from["information"];
  options.information = {nodes, {information.begin(), information.end()}};
}

// from: list(treewidth, edges = matrix of two columns, node numbers from 1), and of an earlier
// search choice (from 1; NULL for no network), bound and settled.
void read_start(const Rcpp::List &from, const ParentSets &candidates, BoundedOptions &options) {
  const Rcpp::IntegerMatrix ends = from["edges"];
  std::vector<std::pair<Node, Node>> edges;
  for (int i = 0; i < ends.nrow(); ++i)
    edges.emplace_back(static_cast<Node>(ends(i, 0) - 1), static_cast<Node>(ends(i, 1) - 1));
  options.start = k_tree_of(candidates.size(), Rcpp::as<unsigned>(from["treewidth"]), edges);
  if (!from.containsElementNamed("choice") || Rf_isNull(from["choice"]))
    return;
  std::vector<std::uint32_t> choice;
  for (const int i : Rcpp::IntegerVector(from["choice"]))
    choice.push_back(static_cast<std::uint32_t>(i - 1));
  options.known = network_of(candidates, std::move(choice));
  options.bound = Rcpp::as<double>(from["bound"]);
  options.unbounded_solved = Rcpp::as<bool>(from["settled"]);
}

// The bound on networks of any width; NULL where there was no unbounded search.
SEXP unbounded_of(const BoundedResult &found) {
  if (std::isinf(found.unbounded))
    return R_NilValue;
  return Rcpp::List::create(Rcpp::_["bound"] = found.unbounded,
                            Rcpp::_["proved"] = found.unbounded_proved);
}

} // namespace

// options: method, treewidth, gap, memory_limit, effort, iterations; sampling and start as
// read_sampling() and read_start() read them, or NULL.
// [[Rcpp::export(rng = false)]]
SEXP core_learn_treewidth(const Rcpp::List &sets, const Rcpp::List &options,
                          const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    BoundedOptions chosen;
    chosen.method = bounded_method_named(options["method"]);
    chosen.gap = Rcpp::as<double>(options["gap"]);
    chosen.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    chosen.seconds = Rcpp::as<double>(host["time_limit"]);
    chosen.effort = Rcpp::as<double>(options["effort"]);
    chosen.iterations = Rcpp::as<double>(options["iterations"]);
    if (!Rf_isNull(options["sampling"]))
      read_sampling(options["sampling"], candidates.size(), chosen);
    if (!Rf_isNull(options["start"]))
      read_start(options["start"], candidates, chosen);
    const RHost r(host);
    Watch watch(r.host());
    const BoundedResult found =
        bounded_search(candidates, Rcpp::as<unsigned>(options["treewidth"]), chosen, watch);
    return Rcpp::List::create(
        Rcpp::_["choice"] = from_one(found.network.choice), Rcpp::_["tree"] = to_r(found.tree),
        Rcpp::_["score"] = found.network.score, Rcpp::_["bound"] = found.bound,
        Rcpp::_["proved"] = found.proved, Rcpp::_["reason"] = r.reason(found.stop),
        Rcpp::_["engine"] = name_of(found.engine), Rcpp::_["nodes"] = found.nodes,
        Rcpp::_["subsets"] = found.subsets, Rcpp::_["subtrees"] = found.subtrees,
        Rcpp::_["steps"] = found.steps, Rcpp::_["unbounded"] = unbounded_of(found),
        Rcpp::_["trace"] = to_r(found.trace), Rcpp::_["seconds"] = r.seconds());
  });
}
