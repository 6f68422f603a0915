#include "core/treewidth/annealing/insertion.h"

#include <algorithm>

namespace optbn {

void Insertion::sort_by_rank(const Node *bag, unsigned size, const std::vector<double> &rank) {
  for (unsigned i = 0; i < size; ++i)
    by_rank_[i] = i;
  std::sort(by_rank_, by_rank_ + size,
            [&](unsigned a, unsigned b) { return rank[bag[a]] < rank[bag[b]]; });
  for (unsigned position = 0; position < size; ++position)
    position_[by_rank_[position]] = position;
}

// The first position in the order after all of these members.
unsigned Insertion::position_after(std::uint32_t members) const {
  unsigned position = 0;
  for (unsigned member = 0; members >> member != 0; ++member)
    if (members >> member & 1)
      position = std::max(position, position_[member] + 1);
  return position;
}

void Insertion::collect(Node v, const Node *bag, unsigned size, const std::vector<double> &gain) {
  own_sets_.clear();
  sets_->for_each_within(v, bag, size, [&](double best, std::uint32_t mask, std::uint32_t) {
    own_sets_.push_back({best, mask, position_after(mask)});
  });
  // The members and v, ascending.
  Node with[kLargestBag + 1];
  const auto at = static_cast<unsigned>(std::lower_bound(bag, bag + size, v) - bag);
  std::copy(bag, bag + at, with);
  with[at] = v;
  std::copy(bag + at, bag + size, with + at + 1);
  const std::uint32_t low = (std::uint32_t{1} << at) - 1;
  child_sets_.clear();
  for (unsigned member = 0; member < size; ++member) {
    const Node u = bag[member];
    if (sets_->most(u) <= gain[u])
      continue;
    sets_->for_each_within(u, with, size + 1, [&](double best, std::uint32_t mask, std::uint32_t) {
      if ((mask >> at & 1) == 0 || best <= gain[u])
        return;
      const std::uint32_t others = (mask & low) | (mask >> 1 & ~low);
      if (position_after(others) <= position_[member])
        child_sets_.push_back({best - gain[u], others, member});
    });
  }
}

Insertion::Choice Insertion::best(Node v, const Node *bag, unsigned size,
                                  const std::vector<double> &rank, const std::vector<double> &gain,
                                  Random &random) {
  sort_by_rank(bag, size, rank);
  collect(v, bag, size, gain);
  Choice best;
  unsigned ties = 0;
  double own[kLargestBag + 1]; // position -> the gain of v
  double child[kLargestBag];   // position of a member -> its improvement when v comes before it
  for (unsigned omitted = 0; omitted < size; ++omitted) {
    std::fill(own, own + size + 1, 0.0);
    std::fill(child, child + size, 0.0);
    for (const OwnSet &set : own_sets_)
      if ((set.mask >> omitted & 1) == 0)
        own[set.position] = std::max(own[set.position], set.gain);
    for (const ChildSet &set : child_sets_)
      if ((set.mask >> omitted & 1) == 0 && set.member != omitted)
        child[position_[set.member]] = std::max(child[position_[set.member]], set.gain);
    for (unsigned position = 0; position < size; ++position)
      own[position + 1] = std::max(own[position + 1], own[position]);
    double top = -1, of_children = 0;
    unsigned top_position = size;
    for (unsigned position = size + 1; position-- > 0;) {
      of_children += position < size ? child[position] : 0;
      if (own[position] + of_children > top) {
        top = own[position] + of_children;
        top_position = position;
      }
    }
    if (top > best.gain)
      ties = 0;
    if (top < best.gain || random.below(++ties) > 0)
      continue;
    best = {top, omitted, {}, {}};
    if (top_position > 0)
      best.previous = bag[by_rank_[top_position - 1]];
    if (top_position < size)
      best.next = bag[by_rank_[top_position]];
  }
  return best;
}

} // namespace optbn
