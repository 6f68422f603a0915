#include "core/treewidth/exact/global_dp.h"

#include "core/base/binomial.h"
#include "core/base/errors.h"
#include "core/treewidth/annealing/k_tree_annealing.h"
#include "core/treewidth/exact/subtree_dp.h"
#include "core/treewidth/exact/subtrees.h"
#include "core/treewidth/within/bag_scores.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// Steps of local search, at least for each node and at most in all; in between as many as take a
// small fraction of the time that they may save.
constexpr double kLeastSearch = 500, kMostSearch = 1e5, kStepsPerSearch = 1e4;

// A score that no network exceeds by more than the rounding of sums.
double target(const GlobalDpOptions &options) {
  return std::isinf(options.bound) ? options.bound : options.bound - rounding(options.bound);
}

KTreeAnnealingResult first_network(const ParentSets &candidates, unsigned k,
                                   const GlobalDpOptions &options, Watch &watch) {
  KTreeAnnealingOptions search;
  search.start = options.start;
  search.target = target(options);
  const double steps = global_dp_steps(candidates.size(), k) / kStepsPerSearch;
  search.iterations = std::max(std::min(steps, kMostSearch), kLeastSearch * candidates.size());
  return k_tree_annealing(candidates, k, search, watch);
}

// The gains of the nodes in the network; without one, their largest gains.
std::vector<double> prices(const ParentSets &candidates, const SetTrie &sets,
                           const Network &network) {
  std::vector<double> price;
  for (Node v = 0; v < candidates.size(); ++v)
    price.push_back(network.empty()
                        ? sets.most(v)
                        : candidates.nodes[v].score[network.choice[v]] - sets.baseline(v));
  return price;
}

// The first of the nodes that are in most bags. It will be in no subtree, and promising subtrees
// would often contain it.
unsigned hub(const KTree &tree) {
  std::vector<unsigned> bags(tree.nodes, 0);
  for (const Node v : tree.members)
    ++bags[v];
  return static_cast<unsigned>(std::max_element(bags.begin(), bags.end()) - bags.begin());
}

// Finds the best network that is better than that of the result, if there is one.
void search_better(const ParentSets &candidates, const GlobalDpOptions &options,
                   double memory_limit, Watch &watch, GlobalDpResult &result) {
  const Node n = candidates.size();
  const unsigned k = result.tree.k;
  const SetTrie sets(candidates, k);
  const Network &known = result.network;
  PromisingSubtrees::Options subtree_options;
  subtree_options.root = hub(result.tree);
  // Gains are 0 or more: -1 excludes none.
  subtree_options.cutoff =
      known.empty() ? -1 : known.score - sets.baseline_sum() + rounding(sets.baseline_sum());
  subtree_options.total = 0;
  for (Node v = 0; v < n; ++v)
    subtree_options.total += sets.most(v);
  subtree_options.total = std::min(subtree_options.total, options.bound - sets.baseline_sum());
  subtree_options.memory_limit = memory_limit;

  watch.restart(binomial(n, k));
  const PromisingSubtrees subtrees(gains_among_all(sets, watch), n, k, subtree_options, watch);
  result.subtrees = subtrees.size();
  watch.restart(subtrees.size());
  SubtreeDp dp(sets, k, prices(candidates, sets, known));
  KTree better = dp.best(subtrees, subtree_options.root, subtree_options.cutoff, watch);
  result.tabulated = dp.tabulated();
  if (watch.stopped())
    return;
  result.proved = true;
  if (better.bags() > 0) {
    result.network = best_within(better, candidates, sets);
    result.tree = std::move(better);
  }
}

} // namespace

double global_dp_bytes(Node nodes, unsigned k, unsigned threads) {
  const double gains = std::ldexp(sizeof(float) * nodes + sizeof(double), nodes);
  return gains + threads * SeparatedGains::bytes(nodes, k) + SubtreeDp::bytes(nodes, k);
}

double global_dp_steps(Node nodes, unsigned k) {
  return binomial(nodes, k) * SeparatedGains::steps(nodes, k);
}

GlobalDpResult global_dp(const ParentSets &candidates, unsigned k, const GlobalDpOptions &options,
                         Watch &watch) {
  const Node n = candidates.size();
  if (n > kGlobalDpNodes)
    throw Error("global_dp: too many nodes");
  GlobalDpResult result;
  if (n == 0) {
    result.proved = true;
    return result;
  }
  k = std::min<unsigned>(k, n - 1u);
  const bool one_tree = k == 0 || k + 1 == n;
  const double bytes = one_tree ? 0 : global_dp_bytes(n, k, std::max(1u, watch.host().threads));
  if (bytes > options.memory_limit)
    throw MemoryLimit(bytes, options.memory_limit);

  KTreeAnnealingResult first = first_network(candidates, k, options, watch);
  result.tree = std::move(first.tree);
  result.network = std::move(first.network);
  result.proved = result.network.score >= target(options) || (one_tree && result.tree.bags() > 0);
  if (result.proved || watch.stopped())
    return result;
  try {
    search_better(candidates, options, options.memory_limit - bytes, watch, result);
  } catch (const MemoryLimit &e) {
    throw MemoryLimit(bytes + e.needed, options.memory_limit);
  }
  return result;
}

} // namespace optbn
