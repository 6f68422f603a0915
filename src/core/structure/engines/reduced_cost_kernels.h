// ReducedCostKernels: the passes over a node's reduced costs that take most of the searches' time.
//
// A node's sets and their reduced costs are in two arrays. In a cluster (of k = 1) those sets count
// that are disjoint from it. The passes come in plain C++ and, for masks of one or two words, with
// AVX2 instructions; integer arithmetic makes both give the same bits. Stateless, so thread-safe.
#pragma once

#include "core/base/simd/processor.h"
#include "core/structure/bounds/exact_costs.h"

#include <algorithm>
#include <cstddef>

namespace optbn {

// The price of the cluster of these nodes rises by so much: the reduced costs of the sets that
// count in it fall by as much.
template <unsigned Words> struct PriceChange {
  BitSet<Words> nodes;
  Cost amount;
};

template <unsigned Words> struct ReducedCostKernels {
  // The least cost among the sets that are disjoint from the cluster, kNoCost without any.
  Cost (*least_disjoint)(const Cost *cost, const BitSet<Words> *set, std::size_t size,
                         BitSet<Words> cluster);
  // to[i] = cost[i], plus `amount` where set[i] is disjoint from the cluster. May be in place.
  void (*add_to_disjoint)(Cost *to, const Cost *cost, const BitSet<Words> *set, std::size_t size,
                          BitSet<Words> cluster, Cost amount);
  // Subtracts the changes from the costs of the sets that count; returns the least cost after that.
  Cost (*apply_price_changes)(Cost *cost, const BitSet<Words> *set, std::size_t size,
                              const PriceChange<Words> *change, std::size_t changes);
  // The least of all costs.
  Cost (*least)(const Cost *cost, std::size_t size);
  // Copies the sets whose cost is `value` to `to`, in order; returns how many there are.
  std::size_t (*pick)(BitSet<Words> *to, const Cost *cost, const BitSet<Words> *set,
                      std::size_t size, Cost value);
  // One more than the index of the last cost that is `least` or more; 0 without any.
  std::size_t (*last_from)(const Cost *cost, std::size_t size, Cost least);
  // The first set inside `allowed`, or size.
  std::size_t (*first_inside)(const BitSet<Words> *set, std::size_t size, BitSet<Words> allowed);
};

namespace plain {

template <unsigned Words>
Cost least_disjoint(const Cost *cost, const BitSet<Words> *set, std::size_t size,
                    BitSet<Words> cluster) {
  Cost least = kNoCost;
  for (std::size_t i = 0; i < size; ++i)
    least = std::min(least, set[i].intersects(cluster) ? kNoCost : cost[i]);
  return least;
}

template <unsigned Words>
void add_to_disjoint(Cost *to, const Cost *cost, const BitSet<Words> *set, std::size_t size,
                     BitSet<Words> cluster, Cost amount) {
  for (std::size_t i = 0; i < size; ++i)
    to[i] = cost[i] + (set[i].intersects(cluster) ? 0 : amount);
}

template <unsigned Words>
Cost apply_price_changes(Cost *cost, const BitSet<Words> *set, std::size_t size,
                         const PriceChange<Words> *change, std::size_t changes) {
  Cost least = kNoCost;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t c = 0; c < changes; ++c)
      cost[i] -= set[i].intersects(change[c].nodes) ? 0 : change[c].amount;
    least = std::min(least, cost[i]);
  }
  return least;
}

inline Cost least(const Cost *cost, std::size_t size) {
  Cost found = kNoCost;
  for (std::size_t i = 0; i < size; ++i)
    found = std::min(found, cost[i]);
  return found;
}

template <unsigned Words>
std::size_t pick(BitSet<Words> *to, const Cost *cost, const BitSet<Words> *set, std::size_t size,
                 Cost value) {
  std::size_t picked = 0;
  for (std::size_t i = 0; i < size; ++i)
    if (cost[i] == value)
      to[picked++] = set[i];
  return picked;
}

inline std::size_t last_from(const Cost *cost, std::size_t size, Cost least) {
  while (size > 0 && cost[size - 1] < least)
    --size;
  return size;
}

template <unsigned Words>
std::size_t first_inside(const BitSet<Words> *set, std::size_t size, BitSet<Words> allowed) {
  std::size_t i = 0;
  while (i < size && !set[i].inside(allowed))
    ++i;
  return i;
}

} // namespace plain

#ifdef OPTBN_AVX2
namespace avx2 {

// All ones in the lanes of four sets that avoid the mask.
template <unsigned Words> struct Lanes;

template <> struct Lanes<1> {
  __m256i mask;
  OPTBN_AVX2 explicit Lanes(BitSet<1> m)
      : mask(_mm256_set1_epi64x(static_cast<long long>(m.word[0]))) {}
  OPTBN_AVX2 __m256i avoiding(const BitSet<1> *set) const {
    const __m256i sets = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(set));
    return _mm256_cmpeq_epi64(_mm256_and_si256(sets, mask), _mm256_setzero_si256());
  }
};

template <> struct Lanes<2> {
  __m256i mask;
  OPTBN_AVX2 explicit Lanes(BitSet<2> m)
      : mask(_mm256_set_epi64x(static_cast<long long>(m.word[1]), static_cast<long long>(m.word[0]),
                               static_cast<long long>(m.word[1]),
                               static_cast<long long>(m.word[0]))) {}
  OPTBN_AVX2 __m256i avoiding(const BitSet<2> *set) const {
    const auto *at = reinterpret_cast<const __m256i *>(set);
    const __m256i a = _mm256_and_si256(_mm256_loadu_si256(at), mask);     // sets 0 and 1
    const __m256i b = _mm256_and_si256(_mm256_loadu_si256(at + 1), mask); // sets 2 and 3
    const __m256i either = _mm256_or_si256(_mm256_unpacklo_epi64(a, b),   // sets 0 2 1 3
                                           _mm256_unpackhi_epi64(a, b));
    const __m256i ordered = _mm256_permute4x64_epi64(either, 0xd8);
    return _mm256_cmpeq_epi64(ordered, _mm256_setzero_si256());
  }
};

OPTBN_AVX2 inline __m256i load(const Cost *cost) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(cost));
}

OPTBN_AVX2 inline __m256i min(__m256i a, __m256i b) {
  return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}

OPTBN_AVX2 inline Cost least_lane(__m256i a) {
  alignas(32) Cost lane[4];
  _mm256_store_si256(reinterpret_cast<__m256i *>(lane), a);
  return std::min(std::min(lane[0], lane[1]), std::min(lane[2], lane[3]));
}

template <unsigned Words>
OPTBN_AVX2 Cost least_disjoint(const Cost *cost, const BitSet<Words> *set, std::size_t size,
                               BitSet<Words> cluster) {
  const Lanes<Words> lanes(cluster);
  const __m256i none = _mm256_set1_epi64x(kNoCost);
  __m256i found = none;
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4)
    found = min(found, _mm256_blendv_epi8(none, load(cost + i), lanes.avoiding(set + i)));
  return std::min(least_lane(found),
                  plain::least_disjoint<Words>(cost + i, set + i, size - i, cluster));
}

template <unsigned Words>
OPTBN_AVX2 void add_to_disjoint(Cost *to, const Cost *cost, const BitSet<Words> *set,
                                std::size_t size, BitSet<Words> cluster, Cost amount) {
  const Lanes<Words> lanes(cluster);
  const __m256i amounts = _mm256_set1_epi64x(amount);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const __m256i extra = _mm256_and_si256(amounts, lanes.avoiding(set + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + i),
                        _mm256_add_epi64(load(cost + i), extra));
  }
  plain::add_to_disjoint<Words>(to + i, cost + i, set + i, size - i, cluster, amount);
}

template <unsigned Words>
OPTBN_AVX2 Cost apply_price_changes(Cost *cost, const BitSet<Words> *set, std::size_t size,
                                    const PriceChange<Words> *change, std::size_t changes) {
  __m256i found = _mm256_set1_epi64x(kNoCost);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    __m256i left = load(cost + i);
    for (std::size_t c = 0; c < changes; ++c) {
      const Lanes<Words> lanes(change[c].nodes);
      const __m256i amounts = _mm256_set1_epi64x(change[c].amount);
      left = _mm256_sub_epi64(left, _mm256_and_si256(amounts, lanes.avoiding(set + i)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(cost + i), left);
    found = min(found, left);
  }
  return std::min(least_lane(found),
                  plain::apply_price_changes<Words>(cost + i, set + i, size - i, change, changes));
}

OPTBN_AVX2 inline Cost least(const Cost *cost, std::size_t size) {
  __m256i found = _mm256_set1_epi64x(kNoCost);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4)
    found = min(found, load(cost + i));
  return std::min(least_lane(found), plain::least(cost + i, size - i));
}

template <unsigned Words>
OPTBN_AVX2 std::size_t pick(BitSet<Words> *to, const Cost *cost, const BitSet<Words> *set,
                            std::size_t size, Cost value) {
  const __m256i values = _mm256_set1_epi64x(value);
  std::size_t picked = 0, i = 0;
  for (; i + 4 <= size; i += 4) {
    const __m256i equal = _mm256_cmpeq_epi64(load(cost + i), values);
    unsigned lanes = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
    for (; lanes; lanes &= lanes - 1)
      to[picked++] = set[i + lowest_bit(lanes)];
  }
  return picked + plain::pick<Words>(to + picked, cost + i, set + i, size - i, value);
}

OPTBN_AVX2 inline std::size_t last_from(const Cost *cost, std::size_t size, Cost least) {
  const __m256i below = _mm256_set1_epi64x(least - 1);
  for (; size >= 4; size -= 4)
    if (_mm256_movemask_epi8(_mm256_cmpgt_epi64(load(cost + size - 4), below)))
      break;
  return plain::last_from(cost, size, least);
}

template <unsigned Words>
OPTBN_AVX2 std::size_t first_inside(const BitSet<Words> *set, std::size_t size,
                                    BitSet<Words> allowed) {
  for (std::uint64_t &word : allowed.word)
    word = ~word;
  const Lanes<Words> lanes(allowed);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const int inside = _mm256_movemask_pd(_mm256_castsi256_pd(lanes.avoiding(set + i)));
    if (inside)
      return i + lowest_bit(static_cast<std::uint64_t>(inside));
  }
  for (; i < size && set[i].intersects(allowed); ++i)
    continue;
  return i;
}

} // namespace avx2
#endif

template <unsigned Words> ReducedCostKernels<Words> plain_reduced_cost_kernels() {
  return {plain::least_disjoint<Words>,
          plain::add_to_disjoint<Words>,
          plain::apply_price_changes<Words>,
          plain::least,
          plain::pick<Words>,
          plain::last_from,
          plain::first_inside<Words>};
}

// The fastest kernels that this machine can run.
template <unsigned Words> ReducedCostKernels<Words> reduced_cost_kernels() {
#ifdef OPTBN_AVX2
  if constexpr (Words <= 2)
    if (has_avx2())
      return {avx2::least_disjoint<Words>,
              avx2::add_to_disjoint<Words>,
              avx2::apply_price_changes<Words>,
              avx2::least,
              avx2::pick<Words>,
              avx2::last_from,
              avx2::first_inside<Words>};
#endif
  return plain_reduced_cost_kernels<Words>();
}

} // namespace optbn
