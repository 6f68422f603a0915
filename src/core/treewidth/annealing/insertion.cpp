#include "core/treewidth/annealing/insertion.h"

#include <algorithm>

namespace optbn {

void Insertion::sort_by_rank(const Node *bag, unsigned size, const std::vector<double> &rank) {
  for (unsigned i = 0; i < size; ++i)
    by_rank_[i] = i;
  std::sort(by_rank_, by_rank_ + size,
            [&](unsigned a, unsigned b) { return rank[bag[a]] < rank[bag[b]]; });
  for (unsigned turn = 0; turn < size; ++turn)
    turn_[by_rank_[turn]] = turn;
}

// The first turn at which all of these members have come.
unsigned Insertion::turn_after(std::uint32_t members) const {
  unsigned turn = 0;
  for (unsigned place = 0; members >> place != 0; ++place)
    if (members >> place & 1)
      turn = std::max(turn, turn_[place] + 1);
  return turn;
}

void Insertion::collect(Node v, const Node *bag, unsigned size, const std::vector<double> &gain) {
  own_.clear();
  sets_->for_each_within(v, bag, size, [&](double best, std::uint32_t mask, std::uint32_t) {
    own_.push_back({best, mask, turn_after(mask)});
  });
  // The members with v among them, ascending.
  Node with[kLargestBag + 1];
  const auto at = static_cast<unsigned>(std::lower_bound(bag, bag + size, v) - bag);
  std::copy(bag, bag + at, with);
  with[at] = v;
  std::copy(bag + at, bag + size, with + at + 1);
  const std::uint32_t low = (std::uint32_t{1} << at) - 1;
  children_.clear();
  for (unsigned place = 0; place < size; ++place) {
    const Node u = bag[place];
    if (sets_->most(u) <= gain[u])
      continue;
    sets_->for_each_within(u, with, size + 1, [&](double best, std::uint32_t mask, std::uint32_t) {
      if ((mask >> at & 1) == 0 || best <= gain[u])
        return;
      const std::uint32_t others = (mask & low) | (mask >> 1 & ~low);
      if (turn_after(others) <= turn_[place])
        children_.push_back({best - gain[u], others, place});
    });
  }
}

Insertion::Place Insertion::best(Node v, const Node *bag, unsigned size,
                                 const std::vector<double> &rank, const std::vector<double> &gain,
                                 Random &random) {
  sort_by_rank(bag, size, rank);
  collect(v, bag, size, gain);
  Place best;
  unsigned ties = 0;
  double before[kLargestBag + 1]; // turn -> what v gains by its own parents
  double member[kLargestBag];     // turn of a member -> what it gains when v comes before it
  for (unsigned omitted = 0; omitted < size; ++omitted) {
    std::fill(before, before + size + 1, 0.0);
    std::fill(member, member + size, 0.0);
    for (const Own &set : own_)
      if ((set.mask >> omitted & 1) == 0)
        before[set.turn] = std::max(before[set.turn], set.gain);
    for (const Child &child : children_)
      if ((child.mask >> omitted & 1) == 0 && child.place != omitted)
        member[turn_[child.place]] = std::max(member[turn_[child.place]], child.gain);
    for (unsigned turn = 0; turn < size; ++turn)
      before[turn + 1] = std::max(before[turn + 1], before[turn]);
    double top = -1, after = 0;
    unsigned top_turn = size;
    for (unsigned turn = size + 1; turn-- > 0;) {
      after += turn < size ? member[turn] : 0;
      if (before[turn] + after > top) {
        top = before[turn] + after;
        top_turn = turn;
      }
    }
    if (top > best.gain)
      ties = 0;
    if (top < best.gain || random.below(++ties) > 0)
      continue;
    best = {top, omitted, {}, {}};
    if (top_turn > 0)
      best.last = bag[by_rank_[top_turn - 1]];
    if (top_turn < size)
      best.next = bag[by_rank_[top_turn]];
  }
  return best;
}

} // namespace optbn
