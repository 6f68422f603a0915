#include "core/base/simd/popcount.h"

#include "core/base/simd/processor.h"

namespace optbn {

namespace {

// Bits of a word by adding neighbours: 2, 4, 8 bits wide, then one multiplication sums the bytes.
std::uint32_t ones(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>((x * 0x0101010101010101u) >> 56);
}

void count_plain(const std::uint64_t *maps, std::size_t n, std::size_t words,
                 const std::uint64_t *mask, std::uint32_t *counts) {
  for (std::size_t i = 0; i < n; ++i, maps += words) {
    std::uint32_t count = 0;
    for (std::size_t w = 0; w < words; ++w)
      count += ones(maps[w] & mask[w]);
    counts[i] = count;
  }
}

#ifdef OPTBN_POPCNT
OPTBN_POPCNT void count_popcnt(const std::uint64_t *maps, std::size_t n, std::size_t words,
                               const std::uint64_t *mask, std::uint32_t *counts) {
  for (std::size_t i = 0; i < n; ++i, maps += words) {
    std::uint64_t even = 0, odd = 0; // two chains keep the unit busy
    std::size_t w = 0;
    for (; w + 2 <= words; w += 2) {
      even += static_cast<std::uint64_t>(_mm_popcnt_u64(maps[w] & mask[w]));
      odd += static_cast<std::uint64_t>(_mm_popcnt_u64(maps[w + 1] & mask[w + 1]));
    }
    if (w < words)
      even += static_cast<std::uint64_t>(_mm_popcnt_u64(maps[w] & mask[w]));
    counts[i] = static_cast<std::uint32_t>(even + odd);
  }
}
#endif

#ifdef OPTBN_POPCNT512
OPTBN_POPCNT512 void count_avx512(const std::uint64_t *maps, std::size_t n, std::size_t words,
                                  const std::uint64_t *mask, std::uint32_t *counts) {
  const std::size_t full = words & ~static_cast<std::size_t>(7);
  const auto rest = static_cast<__mmask8>((1u << (words - full)) - 1);
  for (std::size_t i = 0; i < n; ++i, maps += words) {
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t w = 0; w < full; w += 8)
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_si512(
                                      _mm512_loadu_si512(maps + w), _mm512_loadu_si512(mask + w))));
    if (rest)
      sum = _mm512_add_epi64(
          sum, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_maskz_loadu_epi64(rest, maps + full),
                                                    _mm512_maskz_loadu_epi64(rest, mask + full))));
    alignas(64) std::uint64_t lanes[8];
    _mm512_store_si512(lanes, sum);
    std::uint64_t count = 0;
    for (const std::uint64_t lane : lanes)
      count += lane;
    counts[i] = static_cast<std::uint32_t>(count);
  }
}
#endif

} // namespace

std::vector<CountIntersections> all_intersection_counts() {
  std::vector<CountIntersections> counts = {count_plain};
#ifdef OPTBN_POPCNT
  if (has_popcnt())
    counts.push_back(count_popcnt);
#endif
#ifdef OPTBN_POPCNT512
  if (has_popcnt512())
    counts.push_back(count_avx512);
#endif
  return counts;
}

void count_intersections(const std::uint64_t *maps, std::size_t n, std::size_t words,
                         const std::uint64_t *mask, std::uint32_t *counts) {
  static const CountIntersections count = all_intersection_counts().back();
  count(maps, n, words, mask, counts);
}

} // namespace optbn
