// PrefixMemo: the lowest cost at which each prefix of an order was reached.
//
// Two orders of the same nodes leave the same problem; the more expensive one need not be followed.
// Open addressing over 64-bit hashes of the sets themselves, so that equal means equal. When its
// memory is full it stays in use, but stores no more prefixes. Not thread-safe.
#pragma once

#include "core/structure/bounds/exact_costs.h"

#include <cstddef>
#include <vector>

namespace optbn {

template <unsigned Words> class PrefixMemo {
public:
  explicit PrefixMemo(double bytes)
      : most_(static_cast<std::size_t>(bytes / (3 * sizeof(Entry)))) {}

  // True when the prefix (not empty) was reached before at no more cost; otherwise stores it.
  bool reached_before(const BitSet<Words> &prefix, Cost cost) {
    if (entries_.empty())
      entries_.resize(kSmallest);
    Entry &entry = entries_[slot_of(prefix)];
    if (!entry.prefix.empty()) {
      if (entry.cost <= cost)
        return true;
      entry.cost = cost;
      return false;
    }
    if (count_ >= most_)
      return false;
    entry = {prefix, cost};
    if (2 * ++count_ > entries_.size())
      grow();
    return false;
  }

  std::size_t size() const { return count_; }

private:
  static constexpr std::size_t kSmallest = 1024;

  struct Entry {
    BitSet<Words> prefix; // empty: free
    Cost cost = 0;
  };

  std::size_t slot_of(const BitSet<Words> &prefix) const {
    const std::size_t last = entries_.size() - 1;
    std::size_t slot = prefix.hash() & last;
    while (!entries_[slot].prefix.empty() && entries_[slot].prefix != prefix)
      slot = (slot + 1) & last;
    return slot;
  }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry &entry : old)
      if (!entry.prefix.empty())
        entries_[slot_of(entry.prefix)] = entry;
  }

  std::size_t most_, count_ = 0;
  std::vector<Entry> entries_;
};

} // namespace optbn
