// Subsets of at most 32 elements as numbers, which index tables over all subsets.
#pragma once

#include <cstdint>

namespace optbn {

using Mask = std::uint32_t;

inline Mask bit(unsigned i) { return Mask{1} << i; }

// A set without element i, among the lowest `low` of which its bit is left out: those above it move
// down. So a table over the sets without i has half the length.
inline Mask without_own_bit(Mask set, unsigned i, unsigned low) {
  const Mask below = bit(i) - 1, above = static_cast<Mask>((std::uint64_t{1} << low) - 1) - below;
  return (set & ~(above | below)) | (set & above) >> 1 | (set & below);
}

} // namespace optbn
