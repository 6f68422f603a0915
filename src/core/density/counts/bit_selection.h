// Selecting some bits of bit maps and packing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// maps: `count` maps of mask.size() words each. Returns for each the bits at the ones of `mask`,
// packed into as few words as possible.
std::vector<std::uint64_t> select_bits(const std::uint64_t *maps, std::size_t count,
                                       const std::vector<std::uint64_t> &mask);

// The same for one map: the functions that this machine can run, from the plain one to the fastest.
using SelectBits = void (*)(const std::uint64_t *map, const std::uint64_t *mask, std::size_t words,
                            std::uint64_t *to);
std::vector<SelectBits> all_bit_selections();

} // namespace optbn
