// Counting how often every two of some bit maps have a one in the same place.
#pragma once

#include "core/cutset/pair_counts.h"

#include <cstddef>
#include <cstdint>

namespace optbn {

// The pairs of `items` maps of `words` words each, one after another.
void count_map_pairs(const std::uint64_t *maps, std::size_t items, std::size_t words,
                     PairCounts &counts);

} // namespace optbn
