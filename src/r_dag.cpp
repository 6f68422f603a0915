#include "r_search.h"

#include "r_data.h"
#include "r_host.h"

#include "core/structure/constraints/lawler_search.h"
#include "core/structure/domains.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/k_best.h"
#include "core/structure/proof/proof_file.h"
#include "core/structure/solve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

using namespace optbn;

Rcpp::List to_r(const std::vector<TracePoint> &trace) {
  using Numbers = Rcpp::NumericVector;
  const Rcpp::List columns = Rcpp::List::create(
      Rcpp::_["seconds"] = column_of<Numbers>(trace, [](const TracePoint &p) { return p.seconds; }),
      Rcpp::_["score"] = column_of<Numbers>(trace, [](const TracePoint &p) { return p.score; }),
      Rcpp::_["bound"] = column_of<Numbers>(trace, [](const TracePoint &p) { return p.bound; }));
  return frame_of(columns, trace.size());
}

namespace {

Method method_named(const std::string &name) {
  if (name == "dp")
    return Method::dp;
  if (name == "elsa")
    return Method::elsa;
  if (name == "elsa-ig")
    return Method::elsa_ig;
  if (name == "lagrangian")
    return Method::lagrangian;
  if (name == "branch-and-cut")
    return Method::branch_and_cut;
  if (name == "local")
    return Method::local;
  if (name == "auto")
    return Method::automatic;
  throw Error("no method is called \"" + name + "\"");
}

const char *name_of(ComponentResult::Engine engine) {
  switch (engine) {
  case ComponentResult::Engine::dp:
    return "dp";
  case ComponentResult::Engine::bound:
    return "bound";
  case ComponentResult::Engine::elsa:
    return "elsa";
  case ComponentResult::Engine::elsa_ig:
    return "elsa-ig";
  case ComponentResult::Engine::lagrangian:
    return "lagrangian";
  case ComponentResult::Engine::branch_and_cut:
    return "branch-and-cut";
  case ComponentResult::Engine::local:
    break;
  }
  return "local";
}

Rcpp::List to_r(const std::vector<ComponentResult> &components) {
  using Numbers = Rcpp::NumericVector;
  const Rcpp::List columns = Rcpp::List::create(
      Rcpp::_["nodes"] = column_of<Rcpp::IntegerVector>(
          components, [](const ComponentResult &p) { return p.nodes.size(); }),
      Rcpp::_["method"] = column_of<Rcpp::CharacterVector>(
          components, [](const ComponentResult &p) { return name_of(p.engine); }),
      Rcpp::_["score"] =
          column_of<Numbers>(components, [](const ComponentResult &p) { return p.score; }),
      Rcpp::_["bound"] =
          column_of<Numbers>(components, [](const ComponentResult &p) { return p.bound; }),
      Rcpp::_["proved"] = column_of<Rcpp::LogicalVector>(
          components, [](const ComponentResult &p) { return p.proved; }));
  return frame_of(columns, components.size());
}

Rcpp::List to_r(const Multipliers &multipliers) {
  using Cluster = Multipliers::Cluster;
  using Group = Multipliers::Group;
  const auto clusters = [](const Cluster &cluster) {
    return Rcpp::List::create(Rcpp::_["nodes"] = from_one(cluster.nodes), Rcpp::_["k"] = cluster.k,
                              Rcpp::_["price"] = cluster.price);
  };
  const auto groups = [](const Group &group) {
    return Rcpp::List::create(Rcpp::_["nodes"] = from_one(group.nodes),
                              Rcpp::_["charge"] = group.coefficient);
  };
  return Rcpp::List::create(Rcpp::_["clusters"] =
                                column_of<Rcpp::List>(multipliers.clusters, clusters),
                            Rcpp::_["groups"] = column_of<Rcpp::List>(multipliers.groups, groups),
                            Rcpp::_["arc_price"] = multipliers.arc_price);
}

std::vector<Node> from_zero(const Rcpp::IntegerVector &nodes) {
  std::vector<Node> result;
  for (const int node : nodes)
    result.push_back(static_cast<Node>(node - 1));
  return result;
}

// The inverse of to_r().
Multipliers as_multipliers(const Rcpp::List &from) {
  Multipliers result;
  const Rcpp::List clusters = from["clusters"], groups = from["groups"];
  for (const Rcpp::List cluster : clusters)
    result.clusters.push_back({from_zero(cluster["nodes"]), Rcpp::as<unsigned>(cluster["k"]),
                               Rcpp::as<double>(cluster["price"])});
  for (const Rcpp::List group : groups)
    result.groups.push_back(
        {from_zero(group["nodes"]), Rcpp::as<std::vector<double>>(group["charge"])});
  return result;
}

// from: a list of from, to (node numbers), required, max_arcs; or NULL.
NetworkConstraints as_constraints(SEXP from) {
  NetworkConstraints result;
  if (Rf_isNull(from))
    return result;
  const Rcpp::List given(from);
  const std::vector<Node> starts = from_zero(given["from"]), ends = from_zero(given["to"]);
  const Rcpp::LogicalVector required = given["required"];
  for (std::size_t i = 0; i < starts.size(); ++i)
    result.paths.push_back({starts[i], ends[i], required[static_cast<R_xlen_t>(i)] == TRUE});
  result.max_arcs = Rcpp::as<double>(given["max_arcs"]);
  return result;
}

SearchOptions as_options(const Rcpp::List &options, const Rcpp::List &host) {
  SearchOptions result;
  result.method = method_named(Rcpp::as<std::string>(options["method"]));
  result.memory_limit = Rcpp::as<double>(options["memory_limit"]);
  result.seconds = Rcpp::as<double>(host["time_limit"]);
  return result;
}

Rcpp::List choices_of(const std::vector<Network> &networks) {
  return column_of<Rcpp::List>(networks,
                               [](const Network &network) { return from_one(network.choice); });
}

} // namespace

// options: method, gap, effort, memory_limit, start (an order of node numbers, or empty), warm
// (multipliers as this function returns them, or NULL), constraints (see as_constraints()).
// `choice` is empty when no network was found that meets the constraints. Optional, of method
// "local": chains, and first_climbs. Optional: most_by_orders, cost_bits (see
// SearchOptions). Optional: proof, a list of `constraints`, lines of the language
// of proofs, and the names of files: `steps`, for what the search notes, and `whole`, for the proof.
// [[Rcpp::export(rng = false)]]
SEXP core_learn_dag(const Rcpp::List &sets, const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    const NetworkConstraints constraints = as_constraints(options["constraints"]);
    SearchOptions chosen = as_options(options, host);
    chosen.gap = Rcpp::as<double>(options["gap"]);
    chosen.effort = Rcpp::as<double>(options["effort"]);
    chosen.start = from_zero(options["start"]);
    if (!Rf_isNull(options["warm"]))
      chosen.warm = as_multipliers(options["warm"]);
    if (options.containsElementNamed("chains")) {
      chosen.chains = Rcpp::as<unsigned>(options["chains"]);
      chosen.first_climbs = Rcpp::as<bool>(options["first_climbs"]);
    }
    if (options.containsElementNamed("most_by_orders"))
      chosen.most_by_orders = Rcpp::as<double>(options["most_by_orders"]);
    if (options.containsElementNamed("cost_bits"))
      chosen.cost_bits = Rcpp::as<int>(options["cost_bits"]);
    std::optional<ProofFile> proof;
    if (options.containsElementNamed("proof"))
      proof.emplace(Rcpp::as<std::string>(Rcpp::List(options["proof"])["steps"]));
    if (proof)
      chosen.proof = &proof->log();
    const RHost r(host);
    Watch watch(r.host());
    const SearchResult found = constraints.empty()
                                   ? solve(candidates, chosen, watch)
                                   : solve_under(candidates, constraints, chosen, watch);
    if (proof) {
      const Rcpp::List files = options["proof"];
      proof->write(candidates, Rcpp::as<std::vector<std::string>>(files["constraints"]), found,
                   Rcpp::as<std::string>(files["whole"]));
    }
    return Rcpp::List::create(
        Rcpp::_["choice"] = from_one(found.network.choice), Rcpp::_["score"] = found.network.score,
        Rcpp::_["bound"] = found.bound, Rcpp::_["proved"] = found.proved,
        Rcpp::_["reason"] = r.reason(found.stop), Rcpp::_["subsets"] = found.subsets,
        Rcpp::_["insertions"] = found.insertions, Rcpp::_["nodes"] = found.nodes,
        Rcpp::_["multipliers"] = to_r(found.multipliers), Rcpp::_["parts"] = to_r(found.components),
        Rcpp::_["members"] = column_of<Rcpp::List>(
            found.components,
            [](const ComponentResult &component) { return from_one(component.nodes); }),
        Rcpp::_["trace"] = to_r(found.trace), Rcpp::_["seconds"] = r.seconds());
  });
}

// The k best networks, or those of k Markov classes, by dynamic programming; fewer than k when
// there are no more.
// [[Rcpp::export(rng = false)]]
SEXP core_k_best(const Rcpp::List &sets, const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    const unsigned k = Rcpp::as<unsigned>(options["k"]);
    const bool classes = Rcpp::as<bool>(options["equivalence"]);
    const double limit = Rcpp::as<double>(options["memory_limit"]);
    const double needed = k_best_bytes(candidates.size(), k, classes);
    if (candidates.size() > kSubsetDpNodes || needed > limit)
      throw MemoryLimit(needed, std::min(limit, k_best_bytes(kSubsetDpNodes, k, classes)));
    require_feasible(candidates);
    const RHost r(host);
    Watch watch(r.host(), std::ldexp(1.0, candidates.size()));
    const std::vector<Network> networks = k_best(whole_problem(candidates), k, classes, watch);
    if (networks.empty() && watch.reason() == StopReason::interrupt)
      throw Interrupted();
    if (networks.empty())
      throw TimeLimitReached();
    return Rcpp::List::create(Rcpp::_["choices"] = choices_of(networks), Rcpp::_["complete"] = true,
                              Rcpp::_["subsets"] = std::ldexp(1.0, candidates.size()));
  });
}

// The same by search, under constraints and at any number of nodes. When stopped, it returns those
// that it has proved to come first.
// [[Rcpp::export(rng = false)]]
SEXP core_rank(const Rcpp::List &sets, const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    const RHost r(host);
    Watch watch(r.host());
    const Ranking found = rank_networks(candidates, as_constraints(options["constraints"]),
                                        as_options(options, host), Rcpp::as<unsigned>(options["k"]),
                                        Rcpp::as<bool>(options["equivalence"]), watch);
    return Rcpp::List::create(Rcpp::_["choices"] = choices_of(found.networks),
                              Rcpp::_["complete"] = found.complete,
                              Rcpp::_["reason"] = r.reason(watch.reason()),
                              Rcpp::_["subsets"] = found.subsets, Rcpp::_["nodes"] = found.nodes);
  });
}

// The nodes that block each other in every choice of candidate sets.
// [[Rcpp::export(rng = false)]]
SEXP core_blocked_nodes(const Rcpp::List &sets) {
  return guarded([&] { return from_one(blocked_nodes(as_parent_sets(sets))); });
}

// The strong components of the possible-parent graph: their sizes, and the bytes that dynamic
// programming over each would take.
// [[Rcpp::export(rng = false)]]
SEXP core_search_parts(const Rcpp::List &sets) {
  return guarded([&] {
    const std::vector<Component> components = split(as_parent_sets(sets));
    const Rcpp::List columns = Rcpp::List::create(
        Rcpp::_["nodes"] = column_of<Rcpp::IntegerVector>(
            components, [](const Component &component) { return component.problem.size(); }),
        Rcpp::_["bytes"] =
            column_of<Rcpp::NumericVector>(components, [](const Component &component) {
              return subset_dp_bytes(component.problem.size());
            }));
    return frame_of(columns, components.size());
  });
}

// Bytes that core_k_best() will take.
// [[Rcpp::export(rng = false)]]
double core_k_best_bytes(int nodes, int k, bool classes) {
  return k_best_bytes(static_cast<Node>(nodes), static_cast<unsigned>(k), classes);
}
