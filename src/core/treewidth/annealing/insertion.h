// Where a node fits best into a bag that is ordered: on which handle, and at which turn.
//
// A k-tree with an order of its nodes is a network (ordered_k_tree.h). A node that is to hang on a
// bag takes all of its members but one as its handle, and a turn among them; it gains by parents of
// its own among those before it, and members after it gain if it completes a better set of theirs.
// All handles and turns are compared at once: a set of the node's own counts from the turn after
// its last member on, a member's better set up to that member's own turn.
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
  struct Place {
    double gain = -1;               // of the node itself and of the members after it
    unsigned omitted = 0;           // the member that is not in the handle, as a place in the bag
    std::optional<Node> last, next; // the members before and after it
  };

  explicit Insertion(const SetTrie &sets) : sets_(&sets) {}

  // The best place for v; of several with as much gain but another handle, any. rank: node -> its
  // place in the order; gain: node -> what it gains as yet.
  Place best(Node v, const Node *bag, unsigned size, const std::vector<double> &rank,
             const std::vector<double> &gain, Random &random);

private:
  // v's own set; or a member's, with v, and what it gains by it.
  struct Own {
    double gain;
    std::uint32_t mask; // over the bag
    unsigned turn;      // v's first at which it may have the set
  };
  struct Child {
    double gain;
    std::uint32_t mask; // v left out
    unsigned place;     // of the member
  };

  void sort_by_rank(const Node *bag, unsigned size, const std::vector<double> &rank);
  void collect(Node v, const Node *bag, unsigned size, const std::vector<double> &gain);
  unsigned turn_after(std::uint32_t members) const;

  const SetTrie *sets_;
  unsigned by_rank_[kLargestBag], turn_[kLargestBag]; // turn -> place, place -> turn
  std::vector<Own> own_;
  std::vector<Child> children_;
};

} // namespace optbn
