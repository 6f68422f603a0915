// The best network within a k-tree, by dynamic programming over its bags.
//
// Messages are passed from the leaves to the root, as bag_step.h explains, and the best network is
// traced back from the root down. Always optimal; natural logs, larger is better. Time and memory
// are linear in the number of bags and grow like (k + 1)! 3^k: milliseconds up to k = 5.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_scores.h"
#include "core/treewidth/within/bag_step.h"

namespace optbn {

// Largest k that the dynamic programming can index.
constexpr unsigned kLargestDpWidth = 8;

// Bytes that a KTreeDp allocates at most.
double k_tree_dp_bytes(Node nodes, unsigned k);

// Made once for many k-trees of one k; not thread-safe.
class KTreeDp {
public:
  // `sets` is the prefix tree of `candidates`, with sets of up to k parents at least; both must
  // outlive the solver. Throws Error for k above kLargestDpWidth.
  KTreeDp(const ParentSets &candidates, const SetTrie &sets, unsigned k);

  // The network is empty when the watch stops first, and when none within the k-tree consists of
  // candidate sets alone.
  Network best(const KTree &tree, Watch &watch);

private:
  unsigned introduced(std::size_t bag) const;
  std::vector<BagChild> children_of(std::size_t bag) const;
  std::vector<std::uint32_t> orders_of_bags();
  Network network_in(const std::vector<std::uint32_t> &order) const;
  void check(const Network &network);

  const ParentSets &candidates_;
  const SetTrie &sets_;
  BagStep step_;
  // Of the current k-tree, by bag.
  const KTree *tree_ = nullptr;
  std::vector<double> tables_;
  std::vector<BagMessage> messages_;
  std::vector<std::vector<std::size_t>> children_;
};

// The same for one k-tree, never stopped early.
Network best_within(const KTree &tree, const ParentSets &candidates, const SetTrie &sets);

} // namespace optbn
