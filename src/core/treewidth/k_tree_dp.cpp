#include "core/treewidth/k_tree_dp.h"

#include "core/base/errors.h"
#include "core/treewidth/bag_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optbn {

namespace {

class KTreeDp {
public:
  KTreeDp(const KTree &tree, const ParentSets &candidates, const SetTrie &sets, Watch &watch)
      : tree_(tree), candidates_(candidates), sets_(sets), watch_(watch), step_(tree.bag_size()),
        tables_(tree.bags()), messages_(tree.bags()), children_(tree.bags()) {
    for (std::size_t i = 1; i < tree.bags(); ++i)
      children_[tree.parent[i]].push_back(i);
  }

  Network run() {
    for (std::size_t i = tree_.bags(); i-- > 0;) {
      if (watch_.stopped())
        return {};
      tables_[i].resize(bag_table_size(tree_.bag_size()));
      bag_scores(sets_, tree_.bag(i), tree_.bag_size(), tables_[i].data());
      if (i > 0)
        step_.pass_up(tables_[i].data(), introduced(i), children_of(i), messages_[i]);
    }
    return network_of(orders_of_bags());
  }

private:
  unsigned place_in(std::size_t bag, Node v) const {
    const Node *const first = tree_.bag(bag);
    return static_cast<unsigned>(std::lower_bound(first, tree_.bag_end(bag), v) - first);
  }

  unsigned introduced(std::size_t bag) const { return place_in(bag, tree_.introduced[bag]); }

  // The place in the bag of the one member that the child lacks.
  unsigned omitted(std::size_t bag, std::size_t child) const {
    const Node *const first = tree_.bag(bag);
    unsigned place = 0;
    while (std::binary_search(tree_.bag(child), tree_.bag_end(child), first[place]))
      ++place;
    return place;
  }

  std::vector<BagChild> children_of(std::size_t bag) const {
    std::vector<BagChild> children;
    for (const std::size_t child : children_[bag])
      children.push_back({omitted(bag, child), &messages_[child]});
    return children;
  }

  std::vector<std::uint32_t> orders_of_bags() {
    std::vector<std::uint32_t> order(tree_.bags()), handle_nodes(tree_.bags());
    for (std::size_t i = 0; i < tree_.bags(); ++i) {
      const std::vector<BagChild> children = children_of(i);
      const double *const table = tables_[i].data();
      BagStep::Trace trace;
      if (i == 0) {
        trace = step_.trace_root(table, children);
      } else {
        const std::size_t above = tree_.parent[i];
        const std::uint32_t handle_order = step_.orders().without(omitted(above, i))[order[above]];
        trace = step_.trace(table, introduced(i), children, handle_order, handle_nodes[i]);
      }
      order[i] = trace.order;
      for (std::size_t c = 0; c < children.size(); ++c)
        handle_nodes[children_[i][c]] = children[c].message->sets[trace.child_sets[c]];
    }
    return order;
  }

  // Every node takes the best set that some bag's order allows it.
  Network network_of(const std::vector<std::uint32_t> &order) const {
    std::vector<double> best(tree_.nodes, -1);
    Network network;
    network.choice.assign(tree_.nodes, SetTrie::kNoSet);
    for (std::size_t i = 0; i < tree_.bags(); ++i)
      for (unsigned place = 0; place < tree_.bag_size(); ++place) {
        const Node v = tree_.bag(i)[place];
        const std::uint32_t before = step_.orders().before(place)[order[i]];
        const double gain = tables_[i][std::size_t{place} << tree_.bag_size() | before];
        if (gain <= best[v])
          continue;
        best[v] = gain;
        network.choice[v] = best_set(sets_, v, tree_.bag(i), tree_.bag_size(), before);
      }
    network.score = 0;
    for (Node v = 0; v < tree_.nodes; ++v) {
      if (network.choice[v] == SetTrie::kNoSet)
        return {};
      network.score += candidates_.nodes[v].score[network.choice[v]];
    }
    return network;
  }

  const KTree &tree_;
  const ParentSets &candidates_;
  const SetTrie &sets_;
  Watch &watch_;
  BagStep step_;
  std::vector<std::vector<double>> tables_;
  std::vector<BagMessage> messages_;
  std::vector<std::vector<std::size_t>> children_;
};

} // namespace

double k_tree_dp_bytes(Node nodes, unsigned k) {
  const double handle = std::ldexp(std::tgamma(k + 1), static_cast<int>(k));
  const double bag = std::ldexp(std::tgamma(k + 2), static_cast<int>(k) + 1);
  const double tables = std::ldexp(k + 1, static_cast<int>(k) + 1);
  return sizeof(double) * (2 * bag + (nodes - std::min<double>(k, nodes)) * (handle + tables));
}

Network k_tree_dp(const KTree &tree, const ParentSets &candidates, const SetTrie &sets,
                  Watch &watch) {
  if (tree.nodes == 0)
    return {{}, 0};
  if (tree.k > kLargestDpWidth)
    throw Error("k is too large for dynamic programming over a k-tree");
  return KTreeDp(tree, candidates, sets, watch).run();
}

} // namespace optbn
