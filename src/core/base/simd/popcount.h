// Population counts of intersections of bit maps, by the widest instructions of the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// counts[i] = number of ones in maps[i * words .. ] AND mask, for i in 0..n-1.
void count_intersections(const std::uint64_t *maps, std::size_t n, std::size_t words,
                         const std::uint64_t *mask, std::uint32_t *counts);

// Those that this machine can run, from the plain one to the fastest.
using CountIntersections = void (*)(const std::uint64_t *maps, std::size_t n, std::size_t words,
                                    const std::uint64_t *mask, std::uint32_t *counts);
std::vector<CountIntersections> all_intersection_counts();

} // namespace optbn
