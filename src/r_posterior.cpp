// Glue of core/posterior: probabilities of families, draws of networks, and chains.

#include "r_data.h"
#include "r_host.h"
#include "r_search.h"

#include "core/base/parallel.h"
#include "core/posterior/network_posterior.h"
#include "core/posterior/partition_chain.h"

#include <string>
#include <vector>

using namespace optbn;

namespace {

// A matrix of the numbers of parent sets, a column for each network.
Rcpp::IntegerMatrix matrix_of(const std::vector<Choice> &networks, std::size_t nodes) {
  Rcpp::IntegerMatrix choices(static_cast<int>(nodes), static_cast<int>(networks.size()));
  for (std::size_t i = 0; i < networks.size(); ++i)
    for (std::size_t v = 0; v < nodes; ++v)
      choices(static_cast<int>(v), static_cast<int>(i)) = static_cast<int>(networks[i][v]) + 1;
  return choices;
}

} // namespace

// options: memory_limit, and `allowed`: node by node, all that may be its parents, where networks are
// counted by their orders, or NULL. `probability`: by node and parent set; `components`: numbers of
// nodes. `pointer` is for core_draw_networks().
// [[Rcpp::export(rng = false)]]
SEXP core_posterior(const Rcpp::List &sets, const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const RHost r(host);
    Watch watch(r.host());
    const ParentSets candidates = as_parent_sets(sets);
    const double limit = Rcpp::as<double>(options["memory_limit"]);
    const SEXP allowed = options["allowed"];
    const Rcpp::XPtr<NetworkPosterior> found(new NetworkPosterior(
        Rf_isNull(allowed)
            ? NetworkPosterior::of_graphs(candidates, limit, watch)
            : NetworkPosterior::of_orders(candidates, as_node_sets(allowed), limit, watch)));
    return Rcpp::List::create(
        Rcpp::_["pointer"] = found, Rcpp::_["log_sum"] = found->log_sum(),
        Rcpp::_["probability"] = column_of<Rcpp::List>(
            found->probabilities(),
            [](const std::vector<double> &of_node) { return Rcpp::wrap(of_node); }),
        Rcpp::_["rounding"] = found->rounding(),
        Rcpp::_["components"] = column_of<Rcpp::List>(
            found->components(), [](const std::vector<Node> &nodes) { return from_one(nodes); }));
  });
}

// A column for each network.
// [[Rcpp::export(rng = false)]]
SEXP core_draw_networks(const SEXP &pointer, double count, const Rcpp::List &host) {
  return guarded([&] {
    const Rcpp::XPtr<NetworkPosterior> posterior(pointer);
    const RHost r(host);
    Watch watch(r.host());
    Random random(r.host().seed(0));
    const std::vector<Choice> drawn =
        posterior->draw(static_cast<std::size_t>(count), random, watch);
    return matrix_of(drawn, posterior->probabilities().size());
  });
}

// options: chains, and of each: moves at the start, moves between networks, networks. The columns of
// one chain are beside each other.
// [[Rcpp::export(rng = false)]]
SEXP core_run_chains(const Rcpp::List &sets, const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const RHost r(host);
    const ParentSets candidates = as_parent_sets(sets);
    const auto number = [&](const char *name) {
      return static_cast<std::size_t>(Rcpp::as<double>(options[name]));
    };
    const ChainLength length{number("start"), number("between"), number("networks")};
    const std::size_t chains = number("chains");
    Watch watch(r.host(), static_cast<double>(chains) *
                              static_cast<double>(length.start + length.between * length.networks));
    const FamilyIndex families(candidates);
    std::vector<std::uint64_t> seeds;
    for (std::size_t i = 0; i < chains; ++i)
      seeds.push_back(r.host().seed(i));
    std::vector<std::vector<Choice>> drawn(chains);
    parallel_for(watch, chains, [&](std::size_t i, unsigned) {
      drawn[i] = run_chain(families, seeds[i], length, watch);
    });
    throw_if_stopped(watch);
    std::vector<Choice> networks;
    for (std::vector<Choice> &of_chain : drawn)
      networks.insert(networks.end(), of_chain.begin(), of_chain.end());
    return matrix_of(networks, candidates.size());
  });
}

// Of a pointer that has come out of a file, FALSE.
// [[Rcpp::export(rng = false)]]
bool core_is_alive(const SEXP &pointer) {
  return TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != nullptr;
}
