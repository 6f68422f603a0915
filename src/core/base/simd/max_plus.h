// Max-plus kernels: the loops over arrays of doubles in which dynamic programming spends its time.
//
// There are two versions, in plain C++ and with AVX2 instructions; max_plus() chooses by what the
// processor can run. Both take maxima and sums of the same operands, so both give the same values.
// Stateless and thread-safe.
#pragma once

#include "core/base/simd/processor.h"

#include <algorithm>
#include <cstddef>

namespace optbn {

struct MaxPlus {
  // to[i] = value for all i < size.
  void (*fill)(double *to, std::size_t size, double value);
  // to[i] = max(to[i], x[i] + y[i]) for all i < size.
  void (*max_add)(double *to, const double *x, const double *y, std::size_t size);
  // a is indexed by the subsets of `bits` elements: a[T] = max of a[S] over all S inside T, in
  // bits * 2^(bits - 1) maxima (the fast zeta transform, Yates 1937).
  void (*superset_max)(double *a, unsigned bits);
};

namespace plain {

inline void fill(double *to, std::size_t size, double value) { std::fill(to, to + size, value); }

inline void max_add(double *to, const double *x, const double *y, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    to[i] = std::max(to[i], x[i] + y[i]);
}

inline void superset_max(double *a, unsigned bits) {
  const std::size_t size = std::size_t{1} << bits;
  for (std::size_t half = 1; half < size; half *= 2)
    for (double *without = a; without < a + size; without += 2 * half)
      for (std::size_t i = 0; i < half; ++i)
        without[half + i] = std::max(without[half + i], without[i]);
}

} // namespace plain

#ifdef OPTBN_AVX2
namespace avx2 {

OPTBN_AVX2 inline void fill(double *to, std::size_t size, double value) {
  const __m256d values = _mm256_set1_pd(value);
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4)
    _mm256_storeu_pd(to + i, values);
  plain::fill(to + i, size - i, value);
}

OPTBN_AVX2 inline void max_add(double *to, const double *x, const double *y, std::size_t size) {
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const __m256d sum = _mm256_add_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i));
    _mm256_storeu_pd(to + i, _mm256_max_pd(_mm256_loadu_pd(to + i), sum));
  }
  plain::max_add(to + i, x + i, y + i, size - i);
}

// The two smallest bits, whose pairs lie within one register.
OPTBN_AVX2 inline __m256d superset_max_within(__m256d a) {
  a = _mm256_max_pd(a, _mm256_movedup_pd(a));               // 1 |= 0, 3 |= 2
  return _mm256_max_pd(a, _mm256_permute2f128_pd(a, a, 0)); // 2 |= 0, 3 |= 1
}

// Two bits at once, to halve the traffic with memory: a has neither, b the lower, c the upper, d
// both; written back to p, p + stride, ...
OPTBN_AVX2 inline void superset_max_quad(double *p, std::size_t stride, __m256d a, __m256d b,
                                         __m256d c, __m256d d) {
  b = _mm256_max_pd(b, a);
  d = _mm256_max_pd(_mm256_max_pd(d, c), b);
  c = _mm256_max_pd(c, a);
  _mm256_storeu_pd(p, a);
  _mm256_storeu_pd(p + stride, b);
  _mm256_storeu_pd(p + 2 * stride, c);
  _mm256_storeu_pd(p + 3 * stride, d);
}

OPTBN_AVX2 inline void superset_max(double *a, unsigned bits) {
  if (bits < 4)
    return plain::superset_max(a, bits);
  const double *const end = a + (std::size_t{1} << bits);
  for (double *p = a; p < end; p += 16)
    superset_max_quad(
        p, 4, superset_max_within(_mm256_loadu_pd(p)), superset_max_within(_mm256_loadu_pd(p + 4)),
        superset_max_within(_mm256_loadu_pd(p + 8)), superset_max_within(_mm256_loadu_pd(p + 12)));
  for (unsigned bit = 4; bit < bits; bit += 2) {
    // A last odd bit is paired with the bit before it, for which a second time changes nothing.
    const std::size_t stride = std::size_t{1} << std::min(bit, bits - 2);
    for (double *base = a; base < end; base += 4 * stride)
      for (double *p = base; p < base + stride; p += 4)
        superset_max_quad(p, stride, _mm256_loadu_pd(p), _mm256_loadu_pd(p + stride),
                          _mm256_loadu_pd(p + 2 * stride), _mm256_loadu_pd(p + 3 * stride));
  }
}

} // namespace avx2
#endif

inline MaxPlus plain_max_plus() { return {plain::fill, plain::max_add, plain::superset_max}; }

// The fastest kernels that this machine can run.
inline MaxPlus max_plus() {
#ifdef OPTBN_AVX2
  if (has_avx2())
    return {avx2::fill, avx2::max_add, avx2::superset_max};
#endif
  return plain_max_plus();
}

} // namespace optbn
