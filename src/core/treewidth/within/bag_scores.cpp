#include "core/treewidth/within/bag_scores.h"

#include "core/base/log_sum.h"
#include "core/base/simd/max_plus.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

// The best and the worst of a node's usable scores, and that of its empty set.
struct ScoreRange {
  double empty = kLogZero, best = kLogZero, worst = -kLogZero;
};

ScoreRange range_of(const CandidateSets &candidates, unsigned largest) {
  ScoreRange range;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double score = candidates.score[i];
    if (candidates.size_of(i) > largest || score == kLogZero)
      continue;
    if (candidates.size_of(i) == 0)
      range.empty = std::max(range.empty, score);
    range.best = std::max(range.best, score);
    range.worst = std::min(range.worst, score);
  }
  return range;
}

} // namespace

SetTrie::SetTrie(const ParentSets &sets, unsigned largest)
    : baseline_(sets.size()), most_(sets.size()), ends_(sets.size()), beyond_(sets.size(), 0),
      slots_(1024) {
  std::vector<ScoreRange> range;
  for (const CandidateSets &candidates : sets.nodes) {
    range.push_back(range_of(candidates, largest));
    if (range.back().best > kLogZero)
      penalty_ += range.back().best - range.back().worst;
  }
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    const bool any = range[v].best > kLogZero;
    baseline_[v] =
        range[v].empty > kLogZero ? range[v].empty : (any ? range[v].worst : 0) - penalty_;
    baseline_sum_ += baseline_[v];
    ends_[v].gain = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double gain = candidates.score[i] - baseline_[v];
      if (candidates.size_of(i) > largest || !(gain >= 0))
        continue;
      Step step = v;
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        step = insert(step, *u);
      most_[v] = std::max(most_[v], gain);
      if (gain > ends_[step].gain || ends_[step].index == kNoSet)
        ends_[step] = {gain, static_cast<std::uint32_t>(i)};
    }
  }
}

SetTrie::Step SetTrie::insert(Step step, Node member) {
  beyond_[step] = std::max<std::uint32_t>(beyond_[step], member + 1u);
  std::size_t slot = slot_of(key_of(step, member));
  if (slots_[slot].key == kFree) {
    if (2 * ends_.size() > slots_.size()) {
      grow();
      slot = slot_of(key_of(step, member));
    }
    slots_[slot] = {key_of(step, member), static_cast<Step>(ends_.size())};
    ends_.emplace_back();
    beyond_.push_back(0);
  }
  return slots_[slot].step;
}

void SetTrie::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot &slot : old)
    if (slot.key != kFree)
      slots_[slot_of(slot.key)] = slot;
}

void bag_scores(const SetTrie &sets, const Node *bag, unsigned size, double *table) {
  static const MaxPlus kernels = max_plus();
  kernels.fill(table, bag_table_size(size), 0);
  for (unsigned i = 0; i < size; ++i, table += std::size_t{1} << size) {
    bool any = false;
    // No set of a node contains the node itself, so the whole bag may be searched.
    sets.for_each_within(bag[i], bag, size, [&](double gain, std::uint32_t mask, std::uint32_t) {
      table[mask] = gain;
      any |= gain > 0;
    });
    if (any)
      kernels.superset_max(table, size);
  }
}

std::uint32_t best_set(const SetTrie &sets, Node v, const Node *bag, unsigned size,
                       std::uint32_t allowed) {
  double best = -1;
  std::uint32_t index = SetTrie::kNoSet;
  sets.for_each_within(v, bag, size, [&](double gain, std::uint32_t mask, std::uint32_t set) {
    if ((mask & ~allowed) == 0 && gain > best) {
      best = gain;
      index = set;
    }
  });
  return index;
}

Network network_of(const ParentSets &candidates, std::vector<std::uint32_t> choice) {
  Network network{std::move(choice), 0};
  for (Node v = 0; v < candidates.size(); ++v) {
    if (network.choice[v] == SetTrie::kNoSet)
      return {};
    network.score += candidates.nodes[v].score[network.choice[v]];
  }
  return network;
}

} // namespace optbn
