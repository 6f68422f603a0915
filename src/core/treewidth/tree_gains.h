// TreeGains: what the best network within a k-tree gains, for k-trees that share most of their
// bags.
//
// A search over k-trees changes a few bags a step. The message of a subtree (bag_step.h) depends on
// the subtree alone, so messages are kept by a hash of their subtrees, tables of bags likewise, and
// only what lies on the way from a change to the root is computed anew. Hashes have 64 bits: should
// two subtrees ever share one, a step is misjudged, and no network is wrong.
//
// Natural logs over the empty sets, larger is better. Not thread-safe: one for each chain.
#pragma once

#include "core/treewidth/bag_scores.h"
#include "core/treewidth/bag_step.h"
#include "core/treewidth/k_tree.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace optbn {

class TreeGains {
public:
  // Keeps at most about so many bytes of messages and tables.
  TreeGains(const SetTrie &sets, unsigned k, double bytes);

  // No network within the k-tree gains more: every node with its best set in any bag, cycles
  // allowed. (Called S_l by Nie et al. 2016, equation 15.) Far cheaper than gain().
  double ceiling(const KTree &tree);

  double gain(const KTree &tree);

private:
  using Table = std::vector<double>;

  const Table &table_of(const Node *bag);
  std::uint64_t key_of(const KTree &tree, std::size_t bag) const;
  void forget_if_full();

  const SetTrie &sets_;
  BagStep step_;
  const double bytes_;
  double kept_bytes_ = 0;
  std::unordered_map<std::uint64_t, Table> tables_;        // by bag
  std::unordered_map<std::uint64_t, BagMessage> messages_; // by subtree
  // Of the k-tree in hand.
  std::vector<double> best_;                    // node -> its best gain in any bag
  std::vector<std::uint64_t> keys_;             // by bag
  std::vector<std::vector<BagChild>> children_; // by bag
};

} // namespace optbn
