#include "core/base/simd/dense_rows.h"

#include "core/base/simd/lanes.h"

namespace optbn {

namespace {

constexpr std::size_t kWidth = 8;

template <class Lanes>
OPTBN_INLINE double dot_of(const double *a, const double *b, std::size_t size) {
  constexpr std::size_t registers = kWidth / width<Lanes>();
  Lanes sum[registers] = {}, x, y, product;
  const std::size_t whole = size / kWidth * kWidth;
  for (std::size_t j = 0; j < whole; j += kWidth)
    for (std::size_t i = 0; i < registers; ++i) {
      load(x, a + j + i * width<Lanes>());
      load(y, b + j + i * width<Lanes>());
      multiply(product, x, y);
      sum[i] += product;
    }
  alignas(64) double sums[kWidth], left[kWidth] = {}, right[kWidth] = {};
  for (std::size_t j = whole; j < size; ++j) {
    left[j - whole] = a[j];
    right[j - whole] = b[j];
  }
  for (std::size_t i = 0; i < registers; ++i) {
    load(x, left + i * width<Lanes>());
    load(y, right + i * width<Lanes>());
    multiply(product, x, y);
    sum[i] += product;
    store(sums + i * width<Lanes>(), sum[i]);
  }
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

template <class Lanes>
OPTBN_INLINE void add_times_to(double *to, double factor, const double *from, std::size_t size) {
  Lanes x, y, product;
  std::size_t j = 0;
  for (; j + width<Lanes>() <= size; j += width<Lanes>()) {
    load(x, to + j);
    load(y, from + j);
    multiply(product, factor, y);
    x += product;
    store(to + j, x);
  }
  Lanes2 one, product_of_one;
  for (; j < size; ++j) {
    one = Lanes2{from[j], 0};
    multiply(product_of_one, factor, one);
    to[j] += product_of_one[0];
  }
}

using Dot = double (*)(const double *, const double *, std::size_t);
using AddTimes = void (*)(double *, double, const double *, std::size_t);

#define OPTBN_DENSE_ROWS(suffix, instructions, Lanes)                                              \
  instructions double dot_##suffix(const double *a, const double *b, std::size_t size) {           \
    return dot_of<Lanes>(a, b, size);                                                              \
  }                                                                                                \
  instructions void add_times_##suffix(double *to, double factor, const double *from,              \
                                       std::size_t size) {                                         \
    add_times_to<Lanes>(to, factor, from, size);                                                   \
  }
OPTBN_DENSE_ROWS(plain, , Lanes2)
#ifdef OPTBN_AVX2
OPTBN_DENSE_ROWS(avx2, OPTBN_AVX2, Lanes4)
OPTBN_DENSE_ROWS(avx512, OPTBN_AVX512, Lanes8)
#endif
#undef OPTBN_DENSE_ROWS

struct Kernels {
  Dot dot;
  AddTimes add_times;
};

Kernels fastest() {
#ifdef OPTBN_AVX2
  if (has_avx512())
    return {dot_avx512, add_times_avx512};
  if (has_avx2())
    return {dot_avx2, add_times_avx2};
#endif
  return {dot_plain, add_times_plain};
}

const Kernels &kernels() {
  static const Kernels chosen = fastest();
  return chosen;
}

} // namespace

double dot(const double *a, const double *b, std::size_t size) { return kernels().dot(a, b, size); }

void add_times(double *to, double factor, const double *from, std::size_t size) {
  kernels().add_times(to, factor, from, size);
}

} // namespace optbn
