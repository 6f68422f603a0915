// A good network within a k-tree, by random orders: the method that Nie et al. 2016 call S2.
//
// An order of the nodes of a k-tree is drawn bag by bag: the nodes of the first bag in random
// order, then every new node at a random position among the other nodes of its bag. Such orders of
// bags agree wherever bags meet and so combine to one order of all nodes, and the network in which
// every node has its best set among its predecessors in one of its bags has no cycle. The best of a
// number of orders is returned. Every order has a positive probability, so that enough orders reach
// the optimum; but the probability falls like (k + 1)^-n.
//
// With a table for each bag (bag_scores.h) an order takes O(n k) and no memory. Up to k = 4 a
// hundred orders take about as long as the dynamic program (k_tree_dp.h), which finds the optimum;
// at k = 5 a tenth, at k = 7 a thousandth of it or less. Tables take n (k + 1) 2^(k + 4) bytes.
// Natural logs, larger is better.
#pragma once

#include "core/base/random.h"
#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_scores.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// Made once for many k-trees of one k; not thread-safe.
class SampledOrders {
public:
  // `sets` is the prefix tree of `candidates`, with sets of up to k parents at least; both must
  // outlive the sampler. orders: how many are drawn for a k-tree, one at least.
  SampledOrders(const ParentSets &candidates, const SetTrie &sets, unsigned orders)
      : candidates_(candidates), sets_(sets), orders_(orders), gain_(sets.size()) {}

  // A watch that stops, even beforehand, still leaves the first order. The network is empty when
  // each order left some node without a candidate set.
  Network best(const KTree &tree, Random &random, Watch &watch);

private:
  using Position = std::uint8_t; // of a member in its bag

  void begin(const KTree &tree);
  void draw(Random &random);
  void order_bag(std::size_t bag, Random &random);
  double gain_of_order();
  Network network_of_best() const;

  const double *table(std::size_t bag) const {
    return tables_.data() + bag * bag_table_size(tree_->bag_size());
  }

  const ParentSets &candidates_;
  const SetTrie &sets_;
  const unsigned orders_;
  std::vector<double> gain_; // node -> what it gains in the best of its bags
  // Of the current k-tree, by bag.
  const KTree *tree_ = nullptr;
  std::vector<double> tables_;
  std::vector<Position> new_position_; // of the node that the bag introduces
  // By position in the bag above: the position in this bag, or kAbsent.
  std::vector<Position> position_below_;
  std::vector<Position> order_, best_; // the bag's positions, first to last
};

} // namespace optbn
