// Taking some bits out of bit maps and moving them together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// maps: so many maps of words each. Of each, the bits at the ones of `mask`, as a map of as few
// words as hold them.
std::vector<std::uint64_t> select_bits(const std::uint64_t *maps, std::size_t count,
                                       const std::vector<std::uint64_t> &mask);

// The same of one map: those that this machine can run, from the plain one to the fastest.
using SelectBits = void (*)(const std::uint64_t *map, const std::uint64_t *mask, std::size_t words,
                            std::uint64_t *to);
std::vector<SelectBits> all_bit_selections();

} // namespace optbn
