// The informative score: does a k-tree fit the data, without learning a network from it?
//
// Nie et al. 2016, section 3.2: I = S_mi / |S_l|.
//   S_mi   sum of the mutual information over the edges of the k-tree (equation 14);
//   S_l    sum over the nodes of the best score that a parent set within one bag has (equation 15).
//          The arcs may form cycles, so that no network in the k-tree scores more.
// Both in natural logs. The quotient means something where scores are below 0, as those of discrete
// columns are. A node for which no candidate set lies in a bag counts with its fictitious empty set
// (bag_scores.h) in S_l; and since no network lies in such a k-tree, its score is minus the number
// of these nodes, which leads a climb away from there.
//
// A k-tree takes O(n k) besides the gains of bags that are new: those of other bags are remembered,
// since k-trees that a climb compares share most bags. The scorer belongs to one thread.
#pragma once

#include "core/treewidth/k_tree.h"
#include "core/treewidth/mutual_information.h"
#include "core/treewidth/within/bag_scores.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace optbn {

struct InformativeScore {
  double information = 0; // S_mi
  double pseudo = 0;      // S_l
  unsigned without = 0;   // nodes without a candidate set in any bag

  double value() const {
    return without > 0 ? -static_cast<double>(without) : information / std::abs(pseudo);
  }
};

// What each member gains from its best set within a bag, of bags met before; forgets all of them
// when they have come to take some 50 megabytes.
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
  std::size_t slots_ = 0, kept_ = 0; // open addressing, at most half full
  std::vector<Node> bags_;           // a free slot's begins with kNobody
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
