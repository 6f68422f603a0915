// Where to attach a node to an ordered bag: the best separator and position in the order.
//
// A k-tree with an order of its nodes is a network (ordered_k_tree.h). A node is attached to a bag
// with all of its members but one as the separator, and at a position among them; it gains by
// parents among the members before it, and members after it gain if it completes a better set of
// theirs. All separators and positions are compared at once: a set of the node itself counts from
// the position after its last member on, a better set of a member up to the position of that
// member.
//
// Natural logs. Reentrant: each object is used by one thread.
#pragma once

#include "core/base/random.h"
#include "core/treewidth/within/bag_sets.h"

#include <optional>
#include <vector>

namespace optbn {

class Insertion {
public:
  struct Choice {
    double gain = -1;                   // of the node itself and of the members after it
    unsigned omitted = 0;               // position in the bag of the member not in the separator
    std::optional<Node> previous, next; // the members before and after it in the order
  };

  explicit Insertion(const SetTrie &sets) : sets_(&sets) {}

  // The best choice for v; of several equal ones with different separators, one at random. rank:
  // node -> its position in the order; gain: node -> its gain so far.
  Choice best(Node v, const Node *bag, unsigned size, const std::vector<double> &rank,
              const std::vector<double> &gain, Random &random);

private:
  // A set of v; and a set of a member with v in it, and the improvement of the member's gain.
  struct OwnSet {
    double gain;
    std::uint32_t mask; // over the bag
    unsigned position;  // the first in the order at which v can have the set
  };
  struct ChildSet {
    double gain;
    std::uint32_t mask; // without v
    unsigned member;    // its position in the bag
  };

  void sort_by_rank(const Node *bag, unsigned size, const std::vector<double> &rank);
  void collect(Node v, const Node *bag, unsigned size, const std::vector<double> &gain);
  unsigned position_after(std::uint32_t members) const;

  const SetTrie *sets_;
  // Position in the order -> position in the bag, and back.
  unsigned by_rank_[kLargestBag], position_[kLargestBag];
  std::vector<OwnSet> own_sets_;
  std::vector<ChildSet> child_sets_;
};

} // namespace optbn
