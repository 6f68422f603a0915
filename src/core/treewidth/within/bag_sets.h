// BagSets: a cache of the candidate sets within bags, for gains that depend on an order.
//
// The gain of a node within a bag depends on which of the other members come before it. Its sets
// within the bag are listed best first, so that its gain is that of the first set whose members all
// come before it. A search over k-trees meets the same bags again and again, so lists are cached.
//
// Not thread-safe: one for each chain. Natural logs over the empty sets.
#pragma once

#include "core/treewidth/within/bag_scores.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace optbn {

// Members and a node that is to join them are masks of 32 bits.
constexpr unsigned kLargestBag = 31;

class BagSets {
public:
  class Bag {
  public:
    // The gain of the member at this position when these members come before it.
    double gain(unsigned position, std::uint32_t before) const {
      for (std::uint32_t s = first_[position]; s < first_[position + 1]; ++s)
        if ((sets_[s].mask & ~before) == 0)
          return sets_[s].gain;
      return 0;
    }

    // The largest of these gains.
    double most(unsigned position) const {
      return first_[position] < first_[position + 1] ? sets_[first_[position]].gain : 0;
    }

  private:
    friend class BagSets;
    struct Set {
      double gain; // above 0
      std::uint32_t mask;
    };
    std::vector<std::uint32_t> first_; // position of a member -> its first set; one more at the end
    std::vector<Set> sets_;
  };

  BagSets(const SetTrie &sets, unsigned bag_size) : sets_(sets), size_(bag_size) {}

  const SetTrie &all() const { return sets_; }
  unsigned bag_size() const { return size_; }

  // Valid until clear(). Bags are identified by a hash of 64 bits: if two bags have the same one, a
  // step of the search is misjudged, but no network is wrong.
  const Bag *of(const Node *bag);

  double bytes() const { return bytes_; }
  void clear();

private:
  const SetTrie &sets_;
  const unsigned size_;
  double bytes_ = 0;
  std::unordered_map<std::uint64_t, Bag> bags_;
};

} // namespace optbn
