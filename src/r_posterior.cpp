// Glue of core/posterior: probabilities of families, and draws of networks.

#include "r_data.h"
#include "r_host.h"
#include "r_search.h"

#include "core/posterior/network_posterior.h"

#include <string>
#include <vector>

using namespace optbn;

// options: memory_limit, and `allowed`: node by node, all that may be its parents, where networks are
// counted by their orders, or NULL. `probability`: by node and parent set; `components`: numbers of
// nodes. `pointer` is for core_draw_networks().
// [[Rcpp::export]]
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

// A matrix of the numbers of parent sets, a column for each network.
// [[Rcpp::export]]
SEXP core_draw_networks(const SEXP &pointer, double count, const Rcpp::List &host) {
  return guarded([&] {
    const Rcpp::XPtr<NetworkPosterior> posterior(pointer);
    const RHost r(host);
    Watch watch(r.host());
    Random random(r.host().seed(0));
    const std::vector<Choice> drawn =
        posterior->draw(static_cast<std::size_t>(count), random, watch);
    const auto nodes = static_cast<int>(posterior->probabilities().size());
    Rcpp::IntegerMatrix choices(nodes, static_cast<int>(count));
    for (std::size_t i = 0; i < drawn.size(); ++i)
      for (int v = 0; v < nodes; ++v)
        choices(v, static_cast<int>(i)) =
            static_cast<int>(drawn[i][static_cast<std::size_t>(v)]) + 1;
    return choices;
  });
}

// Of a pointer that has come out of a file, FALSE.
// [[Rcpp::export]]
bool core_is_alive(const SEXP &pointer) {
  return TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != nullptr;
}
