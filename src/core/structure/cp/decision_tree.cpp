#include "core/structure/cp/decision_tree.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr std::size_t kLeafSets = 64; // with fewer, most of the time goes into reaching leaves

// How well a test splits `total` sets of which `with` have the element, 0 < with < total; larger is
// better.
//
// Information gain: draw one of the 2^m subsets of m free elements. It is in the domain with
// probability p = total / 2^m; given the element's presence or absence, with 2 with / 2^m or 2
// (total - with) / 2^m. The information of the test on membership, the entropy before less the mean
// entropy after, is p (log 2 - H(with / total)) up to terms of order p^2: the more, the further
// with / total is from 1/2.
Rank merit(SplitRule rule, Rank with, Rank total) {
  const Rank without = total - with;
  switch (rule) {
  case SplitRule::information_gain:
    return std::max(with, without);
  case SplitRule::most_frequent:
    return with;
  default:
    return std::min(with, without);
  }
}

} // namespace

template <unsigned Words>
DecisionTree<Words>::DecisionTree(const std::vector<Set> &sets, const std::vector<Cost> &reduced,
                                  Cost least_reduced, const TreeOptions &options)
    : least_reduced_(least_reduced), slot_(sets.size()) {
  std::vector<Rank> ranks(sets.size());
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  grow(sets, std::move(ranks), Set(), 0, options);
  for (std::uint32_t slot = 0; slot < rank_.size(); ++slot) {
    slot_[rank_[slot]] = slot;
    set_.push_back(sets[rank_[slot]]);
    reduced_.push_back(reduced[rank_[slot]]);
  }
  for_each_leaf<&TreeNode::live>(everything(), [&](std::uint32_t leaf) { gather_zeros(leaf, 0); });
}

// Appends the subtree of these sets.
template <unsigned Words>
void DecisionTree<Words>::grow(const std::vector<Set> &sets, std::vector<Rank> ranks,
                               const Set &branch, std::uint32_t parent,
                               const TreeOptions &options) {
  const auto self = static_cast<std::uint32_t>(nodes_.size());
  const auto total = static_cast<Rank>(ranks.size());
  Set shared = ranks.empty() ? Set() : sets[ranks.front()], any;
  std::vector<Rank> with(64 * Words);
  for (const Rank rank : ranks) {
    shared &= sets[rank];
    any |= sets[rank];
    sets[rank].for_each([&](unsigned u) { ++with[u]; });
  }

  const bool implied = options.implied_literals && options.split != SplitRule::none;
  TreeNode node;
  node.required = implied ? shared : branch;
  node.possible = implied ? any : everything();
  node.live = total;
  node.parent = parent;
  node.begin = static_cast<std::uint32_t>(rank_.size());
  node.least_rank = ranks.empty() ? 0 : *std::min_element(ranks.begin(), ranks.end());
  node.leaf = options.split == SplitRule::none || total <= kLeafSets;
  nodes_.push_back(node);

  if (node.leaf) {
    rank_.insert(rank_.end(), ranks.begin(), ranks.end());
    leaf_.insert(leaf_.end(), total, self);
  } else {
    unsigned test = 0;
    Rank best = 0;
    (any - shared).for_each([&](unsigned u) { // not empty: the sets differ
      const Rank m = merit(options.split, with[u], total);
      if (m > best) {
        best = m;
        test = u;
      }
    });
    const auto contains = std::stable_partition(
        ranks.begin(), ranks.end(), [&](Rank rank) { return !sets[rank].contains(test); });
    grow(sets, {ranks.begin(), contains}, Set(), self, options);
    grow(sets, {contains, ranks.end()}, Set::of(test), self, options);
  }
  nodes_[self].next = static_cast<std::uint32_t>(nodes_.size());
}

template <unsigned Words>
template <Rank DecisionTree<Words>::TreeNode::*Count>
Rank DecisionTree<Words>::find(const Set &allowed) const {
  for (std::uint32_t i = 0; i < nodes_.size();) {
    const TreeNode &node = nodes_[i];
    if (node.*Count == 0 || !node.required.inside(allowed)) {
      i = node.next;
      continue;
    }
    if (node.leaf) {
      if (node.possible.inside(allowed))
        return rank_[node.begin];
      for (std::uint32_t slot = node.begin; slot < node.begin + node.*Count; ++slot)
        if (set_[slot].inside(allowed))
          return rank_[slot];
    }
    ++i;
  }
  return kNoSet;
}

template <unsigned Words> Rank DecisionTree<Words>::live_inside(const Set &allowed) const {
  return find<&TreeNode::live>(allowed);
}

template <unsigned Words> Rank DecisionTree<Words>::zero_inside(const Set &allowed) const {
  return find<&TreeNode::zero>(allowed);
}

template <unsigned Words> Rank DecisionTree<Words>::cheapest_inside(const Set &allowed) const {
  Rank best = kNoSet;
  for (std::uint32_t i = 0; i < nodes_.size();) {
    const TreeNode &node = nodes_[i];
    if (node.live == 0 || node.least_rank >= best || !node.required.inside(allowed)) {
      i = node.next;
      continue;
    }
    if (node.leaf)
      for (std::uint32_t slot = node.begin; slot < node.begin + node.live; ++slot)
        if (set_[slot].inside(allowed))
          best = std::min(best, rank_[slot]);
    ++i;
  }
  return best;
}

template <unsigned Words> Rank DecisionTree<Words>::cheapest_zero_inside(const Set &allowed) const {
  Rank best = kNoSet;
  for_each_leaf<&TreeNode::zero>(allowed, [&](std::uint32_t leaf) {
    const std::uint32_t begin = nodes_[leaf].begin, end = begin + nodes_[leaf].zero;
    for (std::uint32_t slot = begin; slot < end; ++slot)
      if (set_[slot].inside(allowed))
        best = std::min(best, rank_[slot]);
  });
  return best;
}

template <unsigned Words> Rank DecisionTree<Words>::zeros_inside(const Set &allowed) const {
  Rank count = 0;
  for_each_leaf<&TreeNode::zero>(allowed, [&](std::uint32_t leaf) {
    const std::uint32_t begin = nodes_[leaf].begin, end = begin + nodes_[leaf].zero;
    for (std::uint32_t slot = begin; slot < end; ++slot)
      count += set_[slot].inside(allowed);
  });
  return count;
}

template <unsigned Words> Cost DecisionTree<Words>::slack_outside(Set cluster) const {
  Cost least = kNoCost;
  for_each_leaf<&TreeNode::live>(everything() - cluster, [&](std::uint32_t leaf) {
    const std::uint32_t begin = nodes_[leaf].begin;
    least = std::min(least, kernels_.least_disjoint(reduced_.data() + begin, set_.data() + begin,
                                                    nodes_[leaf].live, cluster));
  });
  return least == kNoCost ? kNoCost : least - least_reduced_;
}

template <unsigned Words>
void DecisionTree<Words>::change_prices(const std::vector<PriceChange<Words>> &changes) {
  Set shared = everything();
  for (const PriceChange<Words> &change : changes)
    shared &= change.nodes;
  const bool falls = changes.front().amount > 0;
  for_each_leaf<&TreeNode::live>(everything() - shared, [&](std::uint32_t leaf) {
    const std::uint32_t begin = nodes_[leaf].begin;
    if (!falls)
      release_zeros(leaf, changes);
    const Rank zero = nodes_[leaf].zero, others = nodes_[leaf].live - zero;
    const Cost least =
        kernels_.apply_price_changes(reduced_.data() + begin + zero, set_.data() + begin + zero,
                                     others, changes.data(), changes.size());
    OPTBN_INVARIANT(least >= least_reduced_,
                    "changes leave no live set below the least reduced cost");
    if (least == least_reduced_)
      gather_zeros(leaf, zero);
  });
}

template <unsigned Words>
void DecisionTree<Words>::release_zeros(std::uint32_t leaf,
                                        const std::vector<PriceChange<Words>> &changes) {
  const std::uint32_t begin = nodes_[leaf].begin;
  Rank zero = nodes_[leaf].zero;
  for (std::uint32_t slot = begin + zero; slot-- > begin;)
    if (std::any_of(changes.begin(), changes.end(), [&](const PriceChange<Words> &change) {
          return !set_[slot].intersects(change.nodes);
        }))
      swap(slot, begin + --zero);
  if (zero != nodes_[leaf].zero)
    add<&TreeNode::zero>(leaf, zero - nodes_[leaf].zero);
}

template <unsigned Words> void DecisionTree<Words>::gather_zeros(std::uint32_t leaf, Rank first) {
  const std::uint32_t begin = nodes_[leaf].begin;
  Rank zero = nodes_[leaf].zero;
  for (std::uint32_t slot = begin + first; slot < begin + nodes_[leaf].live; ++slot)
    if (reduced_[slot] == least_reduced_)
      swap(slot, begin + zero++);
  if (zero != nodes_[leaf].zero)
    add<&TreeNode::zero>(leaf, zero - nodes_[leaf].zero);
}

template <unsigned Words> void DecisionTree<Words>::raise_least_reduced() {
  const Cost slack = slack_outside(Set());
  OPTBN_INVARIANT(slack > 0, "a least reduced cost that rises has no zero set, and sets above it");
  least_reduced_ += slack;
  for_each_leaf<&TreeNode::live>(everything(), [&](std::uint32_t leaf) { gather_zeros(leaf, 0); });
}

template <unsigned Words> void DecisionTree<Words>::restore_least_reduced(Cost former) {
  least_reduced_ = former;
  for_each_leaf<&TreeNode::zero>(
      everything(), [&](std::uint32_t leaf) { add<&TreeNode::zero>(leaf, 0 - nodes_[leaf].zero); });
}

template <unsigned Words> void DecisionTree<Words>::restore(Rank former_live) {
  while (live() < former_live) {
    // Sets were removed leaf by leaf, and are restored so.
    const std::uint32_t leaf = leaf_[slot_[removed_.back()]];
    Rank more = 0;
    do {
      removed_.pop_back();
      ++more;
    } while (live() + more < former_live && leaf_[slot_[removed_.back()]] == leaf);
    const Rank back = nodes_[leaf].live;
    add<&TreeNode::live>(leaf, more);
    gather_zeros(leaf, back);
  }
  OPTBN_INVARIANT(live() == former_live, "as many sets are restored as were removed");
  OPTBN_INVARIANT(is_consistent(),
                  "counts, slots and zero sets agree after sets have been restored");
}

template <unsigned Words> std::uint64_t DecisionTree<Words>::fingerprint() const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  std::uint64_t sum = static_cast<std::uint64_t>(least_reduced_) * kOdd + zeros();
  for (Rank rank = 0; rank < size(); ++rank) { // a sum: slots may have been swapped
    if (!is_live(rank))
      continue;
    std::uint64_t z = (2 * std::uint64_t{rank} + is_zero(rank)) * kOdd;
    z = (z ^ z >> 31) + static_cast<std::uint64_t>(reduced(rank));
    sum += (z ^ z >> 29) * kOdd;
  }
  return sum;
}

template <unsigned Words> bool DecisionTree<Words>::is_consistent() const {
  Rank live = 0, zero = 0;
  for (const TreeNode &node : nodes_) {
    if (!node.leaf)
      continue;
    live += node.live;
    zero += node.zero;
    for (Rank i = 0; i < node.live; ++i) {
      const std::uint32_t slot = node.begin + i;
      if (slot_[rank_[slot]] != slot ||
          (i < node.zero ? reduced_[slot] != least_reduced_ : reduced_[slot] <= least_reduced_))
        return false;
    }
  }
  return live == nodes_[0].live && zero == nodes_[0].zero && live + removed_.size() == rank_.size();
}

#define OPTBN_INSTANTIATE(words) template class DecisionTree<words>;
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
