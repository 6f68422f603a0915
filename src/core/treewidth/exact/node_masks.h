// Sets of few nodes as bit masks, and their numbers when some nodes are excluded.
//
// The sets that are disjoint from R are numbered without gaps by removing the bits of R from their
// masks: a table over them has 2^(n - |R|) entries, and not 2^n.
#pragma once

#include "core/base/bit_set.h"
#include "core/data/dataset.h"

#include <cstdint>
#include <vector>

namespace optbn {

using NodeMask = std::uint32_t;

inline NodeMask mask_of(unsigned v) { return NodeMask{1} << v; }

// The number of a set among those that are disjoint from `without`.
inline NodeMask compressed(NodeMask set, NodeMask without) {
  for (unsigned removed = 0; without != 0; without &= without - 1, ++removed) {
    const NodeMask low = (without & -without) - 1;
    const NodeMask lower = low >> removed; // the bits below, of which `removed` are already removed
    set = (set & lower) | (set >> 1 & ~lower);
  }
  return set;
}

// The set of that number.
inline NodeMask expanded(NodeMask number, NodeMask without) {
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
inline unsigned position_in(NodeMask set, unsigned v) { return count_bits(set & (mask_of(v) - 1)); }

} // namespace optbn
