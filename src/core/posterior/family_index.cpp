#include "core/posterior/family_index.h"

#include "core/base/log_sum.h"
#include "core/structure/domains.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

float not_less(double x) {
  using Float = std::numeric_limits<float>;
  const auto near = static_cast<float>(
      std::clamp(x, static_cast<double>(Float::lowest()), static_cast<double>(Float::max())));
  return std::nextafter(near, Float::infinity());
}

} // namespace

FamilyIndex::FamilyIndex(const ParentSets &sets) : sets_(sets), children_(sets.size()) {
  require_feasible(sets);
  for (Node v = 0; v < sets.size(); ++v) {
    families_.emplace_back(sets.nodes[v]);
    for (const Node u : families_[v].universe())
      children_[u].push_back(v);
  }
}

FamilyIndex::Family::Family(const CandidateSets &sets) {
  for (std::uint32_t i = 0; i < sets.size(); ++i)
    if (sets.score[i] > kLogZero) {
      number_.push_back(i);
      universe_.insert(universe_.end(), sets.begin_of(i), sets.end_of(i));
    }
  std::sort(universe_.begin(), universe_.end());
  universe_.erase(std::unique(universe_.begin(), universe_.end()), universe_.end());
  words_ = (universe_.size() + 63) / 64;
  std::stable_sort(number_.begin(), number_.end(),
                   [&](std::uint32_t i, std::uint32_t j) { return sets.score[i] > sets.score[j]; });
  masks_.assign(number_.size() * words_, 0);
  for (std::size_t rank = 0; rank < number_.size(); ++rank) {
    const std::uint32_t i = number_[rank];
    score_.push_back(sets.score[i]);
    if (sets.size_of(i) == 0)
      empty_set_ = static_cast<std::uint32_t>(rank);
    for (const Node *u = sets.begin_of(i); u != sets.end_of(i); ++u) {
      const auto at = static_cast<std::size_t>(
          std::lower_bound(universe_.begin(), universe_.end(), *u) - universe_.begin());
      masks_[rank * words_ + at / 64] |= std::uint64_t{1} << (at % 64);
    }
  }
  make_lists();
}

void FamilyIndex::Family::make_lists() {
  const std::size_t lists = universe_.size() + 1;
  offset_.assign(lists + 1, 0);
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    for_each_parent(rank, [&](std::size_t i) { ++offset_[i + 1]; });
  offset_.back() = size();
  std::partial_sum(offset_.begin(), offset_.end(), offset_.begin());
  rank_.resize(offset_.back());
  std::vector<std::size_t> next(offset_.begin(), offset_.end() - 1);
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    for_each_parent(rank, [&](std::size_t i) { rank_[next[i]++] = rank; });
    rank_[next.back()++] = rank;
  }
  log_rest_.resize(rank_.size());
  for (std::size_t i = 0; i < lists; ++i) {
    double rest = kLogZero;
    for (std::size_t at = offset_[i + 1]; at-- > offset_[i];) {
      rest = log_add(rest, score_[rank_[at]]);
      log_rest_[at] = not_less(rest);
    }
  }
}

FamilyIndex::List FamilyIndex::Family::with_parent(Node u) const {
  const auto at = std::lower_bound(universe_.begin(), universe_.end(), u);
  if (at == universe_.end() || *at != u)
    return {};
  return list(static_cast<std::size_t>(at - universe_.begin()));
}

} // namespace optbn
