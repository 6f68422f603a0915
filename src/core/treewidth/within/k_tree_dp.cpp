#include "core/treewidth/within/k_tree_dp.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/structure/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

unsigned checked_width(unsigned k) {
  if (k > kLargestDpWidth)
    throw Error("k is too large for dynamic programming over a k-tree");
  return k;
}

} // namespace

double k_tree_dp_bytes(Node nodes, unsigned k) {
  const double separator = std::ldexp(std::tgamma(k + 1), static_cast<int>(k));
  const double bag = std::ldexp(std::tgamma(k + 2), static_cast<int>(k) + 1);
  const double tables = std::ldexp(k + 1, static_cast<int>(k) + 1);
  return sizeof(double) * (2 * bag + (nodes - std::min<double>(k, nodes)) * (separator + tables));
}

KTreeDp::KTreeDp(const ParentSets &candidates, const SetTrie &sets, unsigned k)
    : candidates_(candidates), sets_(sets), step_(checked_width(k) + 1) {}

Network KTreeDp::best(const KTree &tree, Watch &watch) {
  const std::size_t table = bag_table_size(tree.bag_size());
  tree_ = &tree;
  tables_.resize(table * tree.bags());
  messages_.resize(tree.bags());
  children_.assign(tree.bags(), {});
  for (std::size_t i = 1; i < tree.bags(); ++i)
    children_[tree.parent[i]].push_back(i);
  for (std::size_t i = tree.bags(); i-- > 0;) {
    if (watch.stopped())
      return {};
    bag_scores(sets_, tree.bag(i), tree.bag_size(), tables_.data() + i * table);
    if (i > 0)
      step_.pass_up(tables_.data() + i * table, introduced(i), children_of(i), messages_[i]);
  }
  Network network = network_in(orders_of_bags());
  if constexpr (kCheckInvariants)
    if (!network.empty())
      check(network);
  return network;
}

// The orders of the bags agree: combined they give a network, which is within the k-tree and has
// the gain of the root's table.
void KTreeDp::check(const Network &network) {
  const Graph graph = graph_of(candidates_, network);
  OPTBN_INVARIANT(is_acyclic(graph), "orders that agree where bags meet admit no cycle");
  OPTBN_INVARIANT(covers(*tree_, graph), "every family is in a bag");
  [[maybe_unused]] const double gain = step_.finish(tables_.data(), children_of(0));
  OPTBN_INVARIANT(about_equal(network.score - sets_.baseline_sum(), gain),
                  "the network has the gain of the root's table");
}

unsigned KTreeDp::introduced(std::size_t bag) const {
  return position_in_bag(*tree_, bag, tree_->introduced[bag]);
}

std::vector<BagChild> KTreeDp::children_of(std::size_t bag) const {
  std::vector<BagChild> children;
  for (const std::size_t child : children_[bag])
    children.push_back({omitted_position(*tree_, child), &messages_[child]});
  return children;
}

std::vector<std::uint32_t> KTreeDp::orders_of_bags() {
  std::vector<std::uint32_t> order(tree_->bags()), assigned(tree_->bags());
  for (std::size_t i = 0; i < tree_->bags(); ++i) {
    const std::vector<BagChild> children = children_of(i);
    const double *const table = tables_.data() + i * bag_table_size(tree_->bag_size());
    BagStep::Trace trace;
    if (i == 0) {
      trace = step_.trace_root(table, children);
    } else {
      const std::size_t above = tree_->parent[i];
      const std::uint32_t separator_order =
          step_.orders().without(omitted_position(*tree_, i))[order[above]];
      trace = step_.trace(table, introduced(i), children, separator_order, assigned[i]);
    }
    order[i] = trace.order;
    for (std::size_t c = 0; c < children.size(); ++c)
      assigned[children_[i][c]] = children[c].message->sets[trace.child_sets[c]];
  }
  return order;
}

// Every node gets the best set that the order of one of its bags allows.
Network KTreeDp::network_in(const std::vector<std::uint32_t> &order) const {
  const unsigned size = tree_->bag_size();
  std::vector<double> best(tree_->nodes, -1);
  std::vector<std::uint32_t> choice(tree_->nodes, SetTrie::kNoSet);
  const double *row = tables_.data();
  for (std::size_t i = 0; i < tree_->bags(); ++i)
    for (unsigned position = 0; position < size; ++position, row += std::size_t{1} << size) {
      const Node v = tree_->bag(i)[position];
      const std::uint32_t before = step_.orders().before(position)[order[i]];
      if (row[before] <= best[v])
        continue;
      best[v] = row[before];
      choice[v] = best_set(sets_, v, tree_->bag(i), size, before);
    }
  return network_of(candidates_, std::move(choice));
}

Network best_within(const KTree &tree, const ParentSets &candidates, const SetTrie &sets) {
  Host unlimited;
  Watch watch(unlimited);
  return KTreeDp(candidates, sets, tree.k).best(tree, watch);
}

} // namespace optbn
