// PrefixMemo: the cheapest cost at which each prefix of an order was reached.
//
// Two orders of the same nodes leave the same problem behind; the dearer one need not be followed.
// Open addressing over 64-bit hashes of the sets themselves, so that equal means equal. When its
// memory is full it goes on answering and stops learning. Not thread-safe.
#pragma once

#include "core/structure/bounds/exact_costs.h"

#include <cstddef>
#include <vector>

namespace optbn {

template <unsigned Words> class PrefixMemo {
public:
  explicit PrefixMemo(double bytes)
      : most_(static_cast<std::size_t>(bytes / (3 * sizeof(Entry)))) {}

  // True when the prefix (not empty) was reached before at no more cost; otherwise remembers it.
  bool reached_before(const BitSet<Words> &prefix, Cost cost) {
    if (entries_.empty())
      entries_.resize(kSmallest);
    Entry &entry = entries_[place_of(prefix)];
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

  std::size_t place_of(const BitSet<Words> &prefix) const {
    const std::size_t last = entries_.size() - 1;
    std::size_t place = prefix.hash() & last;
    while (!entries_[place].prefix.empty() && entries_[place].prefix != prefix)
      place = (place + 1) & last;
    return place;
  }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry &entry : old)
      if (!entry.prefix.empty())
        entries_[place_of(entry.prefix)] = entry;
  }

  std::size_t most_, count_ = 0;
  std::vector<Entry> entries_;
};

} // namespace optbn
