#include "core/density/counts/map_counts.h"

#include "core/base/simd/popcount.h"
#include "core/base/simd/processor.h"

#include <algorithm>
#include <vector>

namespace optbn {

namespace {

void count_plain(const std::uint64_t *maps, std::size_t items, std::size_t words, std::size_t top,
                 PairCounts &counts) {
  std::vector<std::uint32_t> found(items - top);
  for (std::size_t u = top; u < std::min(top + kMapTile, items); ++u) {
    const std::uint64_t *const map = maps + u * words;
    count_intersections(map, items - u, words, map, found.data());
    std::copy(found.begin(), found.end() - static_cast<std::ptrdiff_t>(u - top), counts.row(u) + u);
  }
  for (std::size_t v = top + 1; v < items; ++v)
    for (std::size_t u = top; u < std::min(top + kMapTile, v); ++u)
      counts.row(v)[u] = counts.row(u)[v];
}

#ifdef OPTBN_POPCNT512

// Some lanes of a and b plus others of them.
OPTBN_POPCNT512 inline __m512i added(__m512i a, __m512i low, __m512i high, __m512i b) {
  return _mm512_add_epi64(_mm512_permutex2var_epi64(a, low, b),
                          _mm512_permutex2var_epi64(a, high, b));
}

// The sums of eight registers side by side: three rounds of adding halves.
OPTBN_POPCNT512 inline __m512i sums_of(const __m512i *x) {
  const __m512i even = _mm512_set_epi64(14, 6, 12, 4, 10, 2, 8, 0);
  const __m512i odd = _mm512_set_epi64(15, 7, 13, 5, 11, 3, 9, 1);
  const __m512i low = _mm512_set_epi64(13, 12, 9, 8, 5, 4, 1, 0);
  const __m512i high = _mm512_set_epi64(15, 14, 11, 10, 7, 6, 3, 2);
  const __m512i first =
      added(added(x[0], even, odd, x[1]), low, high, added(x[2], even, odd, x[3]));
  const __m512i second =
      added(added(x[4], even, odd, x[5]), low, high, added(x[6], even, odd, x[7]));
  return added(first, low, high, second);
}

// How often two maps both have a one, in eight words or those of a mask.
OPTBN_POPCNT512 inline __m512i counted(__m512i word_of_map, const std::uint64_t *other,
                                       __mmask8 mask) {
  return _mm512_popcnt_epi64(_mm512_and_si512(word_of_map, _mm512_maskz_loadu_epi64(mask, other)));
}

// Adds that for eight others. Unrolled by hand, as compilers do not keep arrays in registers in
// loops.
OPTBN_POPCNT512 inline void add_counts(const std::uint64_t *map, const std::uint64_t *const *others,
                                       std::size_t word, __mmask8 mask, __m512i *sums) {
  const __m512i word_of_map = _mm512_maskz_loadu_epi64(mask, map + word);
  sums[0] = _mm512_add_epi64(sums[0], counted(word_of_map, others[0] + word, mask));
  sums[1] = _mm512_add_epi64(sums[1], counted(word_of_map, others[1] + word, mask));
  sums[2] = _mm512_add_epi64(sums[2], counted(word_of_map, others[2] + word, mask));
  sums[3] = _mm512_add_epi64(sums[3], counted(word_of_map, others[3] + word, mask));
  sums[4] = _mm512_add_epi64(sums[4], counted(word_of_map, others[4] + word, mask));
  sums[5] = _mm512_add_epi64(sums[5], counted(word_of_map, others[5] + word, mask));
  sums[6] = _mm512_add_epi64(sums[6], counted(word_of_map, others[6] + word, mask));
  sums[7] = _mm512_add_epi64(sums[7], counted(word_of_map, others[7] + word, mask));
}

// Eight maps with eight others at a time, which stay in the first-level cache; writes the counts on
// both sides of the diagonal.
static_assert(kMapTile == 8, "one register of sums a map");
OPTBN_POPCNT512 void count_avx512(const std::uint64_t *maps, std::size_t items, std::size_t words,
                                  std::size_t top, PairCounts &counts) {
  const std::size_t full = words & ~static_cast<std::size_t>(7);
  const auto rest = static_cast<__mmask8>((1u << (words - full)) - 1);
  const std::size_t rows = std::min(kMapTile, items - top);
  for (std::size_t left = top; left < items; left += 8) {
    const std::size_t columns = std::min<std::size_t>(8, items - left);
    const std::uint64_t *others[8];
    for (std::size_t i = 0; i < 8; ++i)
      others[i] = maps + (left + std::min(i, columns - 1)) * words;
    for (std::size_t u = top; u < top + rows; ++u) {
      const std::uint64_t *const map = maps + u * words;
      const __m512i zero = _mm512_setzero_si512();
      __m512i sums[8] = {zero, zero, zero, zero, zero, zero, zero, zero};
      for (std::size_t word = 0; word < full; word += 8)
        add_counts(map, others, word, 0xff, sums);
      if (rest)
        add_counts(map, others, full, rest, sums);
      _mm512_storeu_pd(counts.row(u) + left, _mm512_cvtepu64_pd(sums_of(sums)));
    }
    for (std::size_t v = left; left > top && v < left + columns; ++v)
      for (std::size_t u = top; u < top + rows; ++u)
        counts.row(v)[u] = counts.row(u)[v];
  }
}

#endif

} // namespace

std::vector<MapTile> all_map_tiles() {
  std::vector<MapTile> tiles = {count_plain};
#ifdef OPTBN_POPCNT512
  if (has_popcnt512())
    tiles.push_back(count_avx512);
#endif
  return tiles;
}

void count_map_pairs(const std::uint64_t *maps, std::size_t items, std::size_t words,
                     PairCounts &counts, Pace &pace) {
  static const MapTile tile = all_map_tiles().back();
  for (std::size_t top = 0; top < items; top += kMapTile) {
    tile(maps, items, words, top, counts);
    pace.advance(kMapTile * (items - top) * words);
  }
}

} // namespace optbn
