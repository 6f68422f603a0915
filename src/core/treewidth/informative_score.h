// The informative score: how well a k-tree fits the data, without learning a network in it.
//
// Nie et al. 2016, section 3.2: I = S_mi / |S_l|.
//   S_mi   sum of the mutual information over the edges of the k-tree (equation 14);
//   S_l    sum over the nodes of the best score of a parent set within one bag (equation 15). The
//          arcs may form cycles, so that no network in the k-tree scores more.
// Both in natural logs. The quotient is meaningful where scores are below 0, as those of discrete
// columns are. A node without a candidate set in any bag counts with its fictitious empty set
// (bag_scores.h) in S_l; and since no network is in such a k-tree, its score is minus the number of
// these nodes, so that a climb avoids such k-trees.
//
// A k-tree takes O(n k) besides the gains of new bags: gains of other bags are cached, since
// k-trees that a climb compares have most bags in common. The scorer belongs to one thread.
#pragma once

#include "core/treewidth/k_tree.h"
#include "core/treewidth/mutual_information.h"
#include "core/treewidth/within/bag_scores.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace optbn {

struct InformativeScore {
  double information = 0;   // S_mi
  double pseudo = 0;        // S_l
  unsigned without_set = 0; // nodes without a candidate set in any bag

  double value() const {
    return without_set > 0 ? -static_cast<double>(without_set) : information / std::abs(pseudo);
  }
};

// A cache of what each member of a bag gains from its best set within the bag; cleared when it
// takes some 50 megabytes.
class BagGains {
public:
  BagGains(const SetTrie &sets, unsigned bag_size);

  // By member. Valid until the next call.
  const double *of(const Node *bag);

private:
  Node *bag_at(std::size_t slot) { return bags_.data() + slot * bag_size_; }
  double *gains_at(std::size_t slot) { return gains_.data() + slot * bag_size_; }
  std::size_t slot_of(const Node *bag);
  void clear(std::size_t slots);
  void make_room();

  const SetTrie &sets_;
  const unsigned bag_size_;
  std::size_t slots_ = 0, cached_ = 0; // open addressing, at most half full
  std::vector<Node> bags_;             // a free slot's begins with kNoNode
  std::vector<double> gains_;
};

class InformativeScorer {
public:
  // Of k-trees over the nodes of both, which must outlive the scorer.
  InformativeScorer(const MutualInformation &information, const SetTrie &sets, unsigned k)
      : information_(information), sets_(sets), best_(sets.size()), gains_(sets, k + 1) {}

  InformativeScore operator()(const KTree &tree);

private:
  const MutualInformation &information_;
  const SetTrie &sets_;
  std::vector<double> best_; // node -> its largest gain in a bag
  BagGains gains_;
};

} // namespace optbn
