// The best parent sets of the nodes of a bag of a k-tree within that bag.
//
// A search over k-trees constantly needs the gain of a node within a bag, or within some of its
// members. SetTrie finds the candidate sets within a bag without visiting the others; bag_scores()
// tabulates the best of them. Gains are natural logs over the node's empty set, and so 0 or more.
//
// A node that may not be without parents has no empty set to compare with: it gets a fictitious one
// of so low a score that the best network has it only where there is no network without (the big-M
// of linear programming).
#pragma once

#include "core/score/parent_sets.h"
#include "core/structure/search.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The candidate sets of all nodes as prefix trees: every path of ascending members is a set.
// Immutable once made, and so safe to share between threads.
class SetTrie {
public:
  static constexpr std::uint32_t kNoSet = UINT32_MAX;

  // Sets of more than `largest` parents are left out: they fit in no bag.
  SetTrie(const ParentSets &sets, unsigned largest);

  Node size() const { return static_cast<Node>(baseline_.size()); }

  // The score of v's empty set, over which gains count.
  double baseline(Node v) const { return baseline_[v]; }
  double baseline_sum() const { return baseline_sum_; }
  // Is the empty set of v a candidate set? Otherwise it is fictitious.
  bool has_empty(Node v) const { return ends_[v].index != kNoSet; }
  // Scores of two networks without fictitious sets differ by less than this, those of networks with
  // and without one by more.
  double penalty() const { return penalty_; }
  // The largest gain of any of v's sets.
  double most(Node v) const { return most_[v]; }

  // visit(gain, mask, index) for every candidate set of v among the ascending nodes
  // among[0..count): the set as a mask over them, and its index in ParentSets::nodes[v]. The
  // fictitious empty set has index kNoSet.
  template <class Visit>
  void for_each_within(Node v, const Node *among, unsigned count, Visit &&visit) const {
    descend(v, among, 0, count, 0, visit);
  }

private:
  using Step = std::uint32_t; // a node of the prefix trees; the root for node v is step v

  template <class Visit>
  void descend(Step step, const Node *among, unsigned from, unsigned count, std::uint32_t mask,
               Visit &visit) const {
    if (ends_[step].gain >= 0)
      visit(ends_[step].gain, mask, ends_[step].index);
    for (unsigned j = from; j < count && among[j] < beyond_[step]; ++j) {
      const Step next = follow(step, among[j]);
      if (next != kNoStep)
        descend(next, among, j + 1, count, mask | std::uint32_t{1} << j, visit);
    }
  }

  static constexpr Step kNoStep = UINT32_MAX;
  static constexpr std::uint64_t kFree = UINT64_MAX;

  static std::uint64_t key_of(Step step, Node member) { return std::uint64_t{step} << 16 | member; }
  std::size_t slot_of(std::uint64_t key) const {
    std::uint64_t hash = key * 0x9e3779b97f4a7c15u;
    std::size_t slot = (hash ^ hash >> 32) & (slots_.size() - 1);
    while (slots_[slot].key != key && slots_[slot].key != kFree)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  Step follow(Step step, Node member) const {
    const Slot &slot = slots_[slot_of(key_of(step, member))];
    return slot.key == kFree ? kNoStep : slot.step;
  }
  Step insert(Step step, Node member);
  void grow();

  struct End { // of a set; gain below 0 where no set ends that scores more than the empty set
    double gain = -1;
    std::uint32_t index = kNoSet;
  };
  struct Slot {
    std::uint64_t key = kFree;
    Step step = 0;
  };

  std::vector<double> baseline_, most_;
  double baseline_sum_ = 0, penalty_ = 1;
  std::vector<End> ends_;             // by step
  std::vector<std::uint32_t> beyond_; // by step: greater than any member that continues it
  std::vector<Slot> slots_;           // open addressing, at most half full
};

// The tables of one bag of `size` nodes: table[i << size | S] is the most that its i-th node gains
// from a parent set within S, a set of members as a mask (whether S contains the node itself makes
// no difference). size << size numbers.
void bag_scores(const SetTrie &sets, const Node *bag, unsigned size, double *table);

inline std::size_t bag_table_size(unsigned size) { return std::size_t{size} << size; }

// The best candidate set of v among the members of the bag that the mask selects: its index in
// ParentSets::nodes[v], SetTrie::kNoSet when that is the fictitious one.
std::uint32_t best_set(const SetTrie &sets, Node v, const Node *bag, unsigned size,
                       std::uint32_t allowed);

// The network of these candidate sets; empty where a node has SetTrie::kNoSet.
Network network_of(const ParentSets &candidates, std::vector<std::uint32_t> choice);

} // namespace optbn
