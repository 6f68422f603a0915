#include "core/treewidth/global_dp.h"

#include "core/base/binomial.h"
#include "core/base/errors.h"
#include "core/treewidth/bag_scores.h"
#include "core/treewidth/branch_dp.h"
#include "core/treewidth/branches.h"
#include "core/treewidth/k_tree_dp.h"
#include "core/treewidth/tree_search.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// Steps of local search, for a node at least and in all at most; in between as many as take a
// fraction of the time that they may save.
constexpr double kLeastSearch = 100, kMostSearch = 1e4, kStepsPerSearch = 1e5;

// A score that no network exceeds by more than the rounding of sums.
double target(const GlobalDpOptions &options) {
  return std::isinf(options.ceiling) ? options.ceiling
                                     : options.ceiling - rounding(options.ceiling);
}

TreeSearchResult first_network(const ParentSets &candidates, unsigned k,
                               const GlobalDpOptions &options, Watch &watch) {
  TreeSearchOptions search;
  search.start = options.start;
  search.chains = static_cast<unsigned>(options.start.size()) + 1;
  search.target = target(options);
  const double steps = global_dp_steps(candidates.size(), k) / kStepsPerSearch;
  search.iterations = std::max(std::min(steps, kMostSearch), kLeastSearch * candidates.size());
  return tree_search(candidates, k, search, watch);
}

// The gains that the nodes have in the network; without one, the most they can have.
std::vector<double> prices(const ParentSets &candidates, const SetTrie &sets,
                           const Network &network) {
  std::vector<double> price;
  for (Node v = 0; v < candidates.size(); ++v)
    price.push_back(network.empty() ? sets.most(v)
                                    : candidates.nodes[v].score[network.choice[v]] - sets.zero(v));
  return price;
}

// Of the nodes that are in most bags the first. Branches avoid it, and those that are promising
// would often hold it.
unsigned hub(const KTree &tree) {
  std::vector<unsigned> bags(tree.nodes, 0);
  for (const Node v : tree.members)
    ++bags[v];
  return static_cast<unsigned>(std::max_element(bags.begin(), bags.end()) - bags.begin());
}

Network best_within(const KTree &tree, const ParentSets &candidates, const SetTrie &sets) {
  Host still; // this last step is not to be cut short
  Watch watch(still);
  return KTreeDp(candidates, sets, tree.k).best(tree, watch);
}

} // namespace

double global_dp_bytes(Node nodes, unsigned k) {
  const double gains = std::ldexp(sizeof(float) * nodes + sizeof(double), nodes);
  return gains + SeparatedGains::bytes(nodes, k) + BranchDp::bytes(nodes, k);
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
  const bool many_trees = k > 0 && k + 1 < n;
  const double bytes = many_trees ? global_dp_bytes(n, k) : 0;
  if (bytes > options.memory_limit)
    throw MemoryLimit(bytes, options.memory_limit);

  TreeSearchResult first = first_network(candidates, k, options, watch);
  result.tree = std::move(first.tree);
  result.network = std::move(first.network);
  const Network &known = result.network;
  result.proved = !many_trees || known.score >= target(options);
  if (result.proved || watch.stopped())
    return result;

  const SetTrie sets(candidates, k);
  double total = 0; // gained at most
  for (Node v = 0; v < n; ++v)
    total += sets.most(v);
  total = std::min(total, options.ceiling - sets.zero_sum());
  // Gains are 0 or more, so that -1 excludes none.
  const double floor =
      known.empty() ? -1 : known.score - sets.zero_sum() + rounding(sets.zero_sum());
  const unsigned root = hub(result.tree);
  watch.restart(binomial(n, k));
  const PromisingBranches branches = promising_branches(
      gains_among_all(sets, watch), n, k, root, floor, total, options.memory_limit - bytes, watch);
  result.branches = branches.size();
  if (watch.stopped())
    return result;

  watch.restart(branches.size());
  BranchDp dp(sets, k, prices(candidates, sets, known));
  KTree better = dp.best(branches, root, floor, watch);
  result.kept = dp.kept();
  if (watch.stopped())
    return result;
  result.proved = true;
  if (better.bags() > 0) {
    result.network = best_within(better, candidates, sets);
    result.tree = std::move(better);
  }
  return result;
}

} // namespace optbn
