// Counting for all pairs of bit maps how often both have a one.
#pragma once

#include "core/base/pace.h"
#include "core/density/counts/pair_counts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The pairs of `items` maps of `words` words each, one after another. Throws Interrupted.
void count_map_pairs(const std::uint64_t *maps, std::size_t items, std::size_t words,
                     PairCounts &counts, Pace &pace);

// The pairs of the map `top` and the next kMapTile - 1, with one another and with all that follow.
constexpr std::size_t kMapTile = 8;
using MapTile = void (*)(const std::uint64_t *maps, std::size_t items, std::size_t words,
                         std::size_t top, PairCounts &counts);

// Those that this machine can run, from the plain one to the fastest; all count the same.
std::vector<MapTile> all_map_tiles();

} // namespace optbn
