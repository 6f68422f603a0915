// MergedSets: the weighted parent sets of one node inside a set of predecessors, for one set of
// predecessors after another.
//
// Of a set of predecessors the *high* part is given, a mask of `high` bits; the low part is open.
// Sets with a parent among the high nodes outside it are left out, and those that differ in high
// parents alone are merged: what is left has distinct low parts, and the sums of their weights.
//
// Level i is what is left after the i uppermost high bits. It is sorted, so that the sets with the
// next bit are its tail: they are left out, or merged into the rest as two sorted lists are. The
// next high part reuses the levels of the uppermost bits that it has in common with the one before.
//
// A sum over sets has a transpose: shares that are given to merged sets go back, level by level, to
// those that were merged. So a quantity that is linear in sums of weights gives its derivatives by
// the weights of all sets, whatever their number.
#pragma once

#include "core/base/simd/scaled_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

class MergedSets {
public:
  struct Set {
    std::uint32_t parents; // high bits that have been decided are 0
    Scaled weight;
    double share = 0; // in units of 2^-weight.exponent
  };
  struct Span {
    Set *first = nullptr;
    std::size_t size = 0;
    Set *begin() const { return first; }
    Set *end() const { return first + size; }
  };

  // Sets of distinct parents.
  MergedSets(std::vector<Set> all, unsigned low, unsigned high)
      : low_(low), high_(high), levels_(high + 1), storage_(high + 1), all_(std::move(all)) {
    std::sort(all_.begin(), all_.end(),
              [](const Set &a, const Set &b) { return a.parents < b.parents; });
    levels_[0] = {all_.data(), all_.size()};
  }

  // Those inside, valid until the next call. Shares that the ones before were given go back.
  Span inside(std::uint32_t block) {
    unsigned level = valid_levels_;
    while (level > 0 && (block ^ block_) >> (high_ - level)) {
      give_back(level);
      --level;
    }
    for (; level < high_; ++level)
      merge(level, block >> (high_ - 1 - level) & 1);
    valid_levels_ = high_;
    block_ = block;
    return levels_[high_];
  }

  // All sets, with the shares that they have been given.
  const std::vector<Set> &with_shares() {
    for (; valid_levels_ > 0; --valid_levels_)
      give_back(valid_levels_);
    return all_;
  }

private:
  // The first set of a level that has the next bit.
  Set *tail_of(unsigned level) {
    const std::uint32_t bit = std::uint32_t{1} << (low_ + high_ - 1 - level);
    return std::partition_point(levels_[level].begin(), levels_[level].end(),
                                [bit](const Set &set) { return set.parents < bit; });
  }

  void merge(unsigned level, bool allowed) {
    Set *const tail = tail_of(level);
    Span &from = levels_[level], &to = levels_[level + 1];
    if (!allowed || tail == from.end()) {
      to = {from.first, static_cast<std::size_t>(tail - from.first)};
      return;
    }
    std::vector<Set> &merged = storage_[level + 1];
    merged.clear();
    for_pairs(level, [&merged](Set *set, std::uint32_t parents) {
      if (!merged.empty() && merged.back().parents == parents)
        merged.back().weight += set->weight;
      else
        merged.push_back({parents, set->weight});
    });
    to = {merged.data(), merged.size()};
  }

  // The shares of a level go to those that were merged into it.
  void give_back(unsigned level) {
    if (levels_[level].first == levels_[level - 1].first)
      return; // they are the same
    Set *merged = levels_[level].first;
    for_pairs(level - 1, [&merged](Set *set, std::uint32_t parents) {
      merged += merged->parents != parents;
      set->share +=
          merged->share * Scaled::power_of_two(set->weight.exponent - merged->weight.exponent);
    });
  }

  // The sets of a level without and with the next bit, together in the order of their other
  // parents.
  template <class Visit> void for_pairs(unsigned level, Visit &&visit) {
    const std::uint32_t bit = std::uint32_t{1} << (low_ + high_ - 1 - level);
    Set *const tail = tail_of(level), *const end = levels_[level].end();
    Set *without = levels_[level].begin(), *with = tail;
    while (without != tail || with != end) {
      const bool takes_with =
          without == tail || (with != end && (with->parents ^ bit) < without->parents);
      Set *const set = takes_with ? with++ : without++;
      visit(set, set->parents & ~bit);
    }
  }

  const unsigned low_, high_;
  std::vector<Span> levels_;
  std::vector<std::vector<Set>> storage_; // of levels that were merged
  std::vector<Set> all_;
  unsigned valid_levels_ = 0; // so many levels are those of block_
  std::uint32_t block_ = 0;
};

} // namespace optbn
