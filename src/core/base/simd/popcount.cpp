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

#ifdef OPTBN_AVX2
using Bits256 = __m256i;

OPTBN_AVX2 inline Bits256 intersection(const std::uint64_t *a, const std::uint64_t *b) {
  return _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(a)),
                          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(b)));
}

// The same of at most 3 words.
OPTBN_AVX2 inline Bits256 intersection(const std::uint64_t *a, const std::uint64_t *b,
                                       std::size_t words) {
  const __m256i read = _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(words)),
                                          _mm256_setr_epi64x(0, 1, 2, 3));
  return _mm256_and_si256(_mm256_maskload_epi64(reinterpret_cast<const long long *>(a), read),
                          _mm256_maskload_epi64(reinterpret_cast<const long long *>(b), read));
}

// Ones of every byte: a table has those of four bits.
OPTBN_AVX2 inline __m256i ones_of_bytes(Bits256 bits) {
  const __m256i low = _mm256_set1_epi8(15);
  const __m256i ones =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  return _mm256_add_epi8(
      _mm256_shuffle_epi8(ones, _mm256_and_si256(bits, low)),
      _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
}

OPTBN_AVX2 inline __m256i sums_of_words(__m256i bytes) {
  return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

// Adds two bits to `sum`, at every place; returns what is carried.
OPTBN_AVX2 inline Bits256 carry(Bits256 &sum, Bits256 a, Bits256 b) {
  const Bits256 either = _mm256_xor_si256(a, b);
  const Bits256 carried = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(either, sum));
  sum = _mm256_xor_si256(sum, either);
  return carried;
}

// Adds four vectors bit by bit, so that only every fourth has its ones counted (Harley and Seal;
// Mula, Kurz & Lemire 2018, arXiv 1611.07612).
OPTBN_AVX2 void count_avx2(const std::uint64_t *maps, std::size_t n, std::size_t words,
                           const std::uint64_t *mask, std::uint32_t *counts) {
  if (words < 16) {
    count_popcnt(maps, n, words, mask, counts);
    return;
  }
  for (std::size_t i = 0; i < n; ++i, maps += words) {
    Bits256 ones = _mm256_setzero_si256(), twos = ones;
    __m256i fours = ones;
    std::size_t w = 0;
    for (; w + 16 <= words; w += 16) {
      const std::uint64_t *a = maps + w, *b = mask + w;
      const Bits256 first = carry(ones, intersection(a, b), intersection(a + 4, b + 4));
      const Bits256 second = carry(ones, intersection(a + 8, b + 8), intersection(a + 12, b + 12));
      fours = _mm256_add_epi64(fours, sums_of_words(ones_of_bytes(carry(twos, first, second))));
    }
    const __m256i of_twos = ones_of_bytes(twos);
    __m256i rest = _mm256_add_epi8(ones_of_bytes(ones), _mm256_add_epi8(of_twos, of_twos));
    for (; w + 4 <= words; w += 4)
      rest = _mm256_add_epi8(rest, ones_of_bytes(intersection(maps + w, mask + w)));
    rest = _mm256_add_epi8(rest, ones_of_bytes(intersection(maps + w, mask + w, words - w)));
    alignas(32) std::uint64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i *>(lanes),
                       _mm256_add_epi64(_mm256_slli_epi64(fours, 2), sums_of_words(rest)));
    counts[i] = static_cast<std::uint32_t>(lanes[0] + lanes[1] + lanes[2] + lanes[3]);
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
#ifdef OPTBN_AVX2
  if (has_avx2() && has_popcnt())
    counts.push_back(count_avx2);
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
