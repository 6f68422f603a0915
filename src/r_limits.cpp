// What the core can index and about what it takes, for R's checks and forecasts.
#include "core/posterior/graph_posterior.h"
#include "core/posterior/order_posterior.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/search.h"
#include "core/treewidth/exact/global_dp.h"
#include "core/treewidth/sampling/sampled_search.h"

#include <Rcpp.h>

// Most nodes of dynamic programming over subsets and of the exact search for bounded tree-width;
// chains of local search and of the search that samples k-trees; most nodes of a component of which
// all networks, or all orders, are summed.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_limits() {
  using Rcpp::_;
  return Rcpp::List::create(
      _["subset_dp_nodes"] = static_cast<int>(optbn::kSubsetDpNodes),
      _["exact_treewidth_nodes"] = static_cast<int>(optbn::kGlobalDpNodes),
      _["climbing_chains"] = static_cast<int>(optbn::SearchOptions().chains),
      _["sampling_chains"] = static_cast<int>(optbn::SampledSearchOptions().chains),
      _["graph_posterior_nodes"] = static_cast<int>(optbn::kGraphPosteriorNodes),
      _["order_posterior_nodes"] = static_cast<int>(optbn::kOrderPosteriorNodes));
}

// Bytes and seconds of dynamic programming over the subsets of so many nodes.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector core_subset_dp_cost(int nodes) {
  using Rcpp::_;
  const auto n = static_cast<optbn::Node>(nodes);
  return Rcpp::NumericVector::create(_["bytes"] = optbn::subset_dp_bytes(n),
                                     _["seconds"] = optbn::subset_dp_seconds(n));
}
