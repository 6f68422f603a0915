// Sets of few nodes as bit masks, and their numbers once some nodes are known to be outside.
//
// The sets that do not meet R are numbered without gaps by leaving the places of R out of their
// masks: a table over them takes 2^(n - |R|) entries, and not 2^n.
#pragma once

#include "core/base/bit_set.h"
#include "core/data/dataset.h"

#include <cstdint>
#include <vector>

namespace optbn {

using NodeMask = std::uint32_t;

inline NodeMask mask_of(unsigned v) { return NodeMask{1} << v; }

// The number of a set among those that do not meet `without`.
inline NodeMask squeezed(NodeMask set, NodeMask without) {
  for (unsigned gone = 0; without != 0; without &= without - 1, ++gone) {
    const NodeMask low = (without & -without) - 1;
    const NodeMask kept = low >> gone; // the places below, of which `gone` have been left out
    set = (set & kept) | (set >> 1 & ~kept);
  }
  return set;
}

// The set of that number.
inline NodeMask spread(NodeMask number, NodeMask without) {
  for (; without != 0; without &= without - 1) {
    const NodeMask low = (without & -without) - 1;
    number = (number & low) | (number & ~low) << 1;
  }
  return number;
}

// The part of a set that a mask over its members, in ascending order, selects.
inline NodeMask selected(NodeMask set, std::uint32_t members) {
  NodeMask part = 0;
  for (; members != 0; members >>= 1, set &= set - 1)
    if (members & 1)
      part |= set & -set;
  return part;
}

inline std::vector<NodeMask> subsets_of_size(unsigned nodes, unsigned size) {
  std::vector<NodeMask> subsets;
  for (NodeMask set = 0; set < mask_of(nodes); ++set)
    if (count_bits(set) == size)
      subsets.push_back(set);
  return subsets;
}

// How many nodes of the set come before v.
inline unsigned place_in(NodeMask set, unsigned v) { return count_bits(set & (mask_of(v) - 1)); }

} // namespace optbn
