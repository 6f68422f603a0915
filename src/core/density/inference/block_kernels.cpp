#include "core/density/inference/block_kernels.h"

#include "core/base/simd/lanes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace optbn {

namespace {

// A register of numbers (lanes.h), and one of integers of the same width.
template <class Real, std::size_t kBytes> struct Register {
  using Exponent = typename BlockKernels<Real>::Exponent;
  typedef Real Lanes __attribute__((vector_size(kBytes)));
  typedef Exponent Whole __attribute__((vector_size(kBytes)));
  static constexpr std::size_t kLanes = kBytes / sizeof(Real);
};

#define OPTBN_ALWAYS __attribute__((always_inline))

// body(0), body(1), ... unrolled, so that arrays stay in registers.
template <std::size_t... kIndex, class Body>
OPTBN_INLINE void unroll(std::index_sequence<kIndex...>, Body body) {
  (body(kIndex), ...);
}
template <std::size_t kTimes, class Body> OPTBN_INLINE void unrolled(Body body) {
  unroll(std::make_index_sequence<kTimes>(), body);
}

template <class Real, std::size_t kBytes> struct Kernels {
  using R = Register<Real, kBytes>;
  using Lanes = typename R::Lanes;
  using Whole = typename R::Whole;
  using Exponent = typename R::Exponent;
  using Left = typename BlockKernels<Real>::Left;
  using Least = typename BlockKernels<Real>::Least;
  static constexpr std::size_t kLanes = R::kLanes;

  // A tile of c that stays in registers: kRows by kColumns of them.
  template <std::size_t kRows, std::size_t kColumns>
  static OPTBN_INLINE void tile(Left a, const Real *b, Real *c, std::size_t inner,
                                std::size_t stride) {
    Lanes sum[kRows][kColumns] = {}, factor[kColumns];
    for (std::size_t k = 0; k < inner; ++k, b += stride, a.at += a.column) {
      unrolled<kColumns>([&](std::size_t j) OPTBN_ALWAYS { load(factor[j], b + j * kLanes); });
      unrolled<kRows>([&](std::size_t i) OPTBN_ALWAYS {
        const Real left = a.at[i * a.row];
        unrolled<kColumns>([&](std::size_t j) OPTBN_ALWAYS {
          Lanes product;
          multiply(product, left, factor[j]);
          sum[i][j] += product;
        });
      });
    }
    unrolled<kRows>([&](std::size_t i) OPTBN_ALWAYS {
      unrolled<kColumns>([&](std::size_t j)
                             OPTBN_ALWAYS { store(c + i * stride + j * kLanes, sum[i][j]); });
    });
  }

  template <std::size_t kRows>
  static OPTBN_INLINE void band(Left a, const Real *b, Real *c, std::size_t inner,
                                std::size_t width, std::size_t stride) {
    std::size_t j = 0;
    for (; j + 4 * kLanes <= width; j += 4 * kLanes)
      tile<kRows, 4>(a, b + j, c + j, inner, stride);
    for (; j < width; j += kLanes)
      tile<kRows, 1>(a, b + j, c + j, inner, stride);
  }

  static OPTBN_INLINE void product(Left a, const Real *b, Real *c, std::size_t rows,
                                   std::size_t inner, std::size_t width, std::size_t stride) {
    constexpr std::size_t kRows = kBytes == 64 ? 4 : 2; // as many as fit into the registers
    const auto from = [&](std::size_t i) OPTBN_ALWAYS {
      return Left{a.at + i * a.row, a.row, a.column};
    };
    std::size_t i = 0;
    for (; i + kRows <= rows; i += kRows)
      band<kRows>(from(i), b, c + i * stride, inner, width, stride);
    for (; i + 2 <= rows; i += 2)
      band<2>(from(i), b, c + i * stride, inner, width, stride);
    if (i < rows)
      band<1>(from(i), b, c + i * stride, inner, width, stride);
  }

  static OPTBN_INLINE Least absorb(Real *belief, const Real *message, Real *peak,
                                   std::size_t levels, std::size_t width) {
    const Lanes large = Lanes{} + std::numeric_limits<Real>::max();
    Lanes least_number = large, least_peak = large;
    for (std::size_t j = 0; j < width; j += kLanes) {
      Lanes most = {}, least = large;
      for (std::size_t i = j; i < levels * kBlockRows; i += kBlockRows) {
        Lanes x, y;
        load(x, belief + i);
        load(y, message + i);
        x *= y;
        store(belief + i, x);
        most = x > most ? x : most;
        least = x < least ? x : least;
      }
      store(peak + j, most);
      least_peak = most < least_peak ? most : least_peak;
      least_number = least < least_number ? least : least_number;
    }
    return {smallest(least_peak), smallest(least_number)};
  }

  static OPTBN_INLINE Real smallest(const Lanes &lanes) {
    Real lane[kLanes];
    store(lane, lanes);
    return *std::min_element(lane, lane + kLanes);
  }

  static OPTBN_INLINE void scale(Real *belief, const Real *peak, Exponent *exponent,
                                 std::size_t levels, std::size_t width) {
    constexpr int kDigits = sizeof(Real) == 8 ? 52 : 23;
    constexpr Exponent kOne = sizeof(Real) == 8 ? 1023 : 127; // what is stored for 2^0
    constexpr Exponent kHalf = kOne - 1;
    for (std::size_t j = 0; j < width; j += kLanes) {
      Whole power, sum;
      std::memcpy(&power, peak + j, kBytes);
      std::memcpy(&sum, exponent + j, kBytes);
      power >>= kDigits;                          // peaks are not negative: the sign bit is 0
      power = power == 0 ? power + kHalf : power; // 0, or too small to be scaled exactly
      sum += power - kHalf;
      std::memcpy(exponent + j, &sum, kBytes);
      power = (kOne + kHalf - power) << kDigits;
      Lanes factor, x;
      std::memcpy(&factor, &power, kBytes);
      for (std::size_t i = j; i < levels * kBlockRows; i += kBlockRows) {
        load(x, belief + i);
        x *= factor;
        store(belief + i, x);
      }
    }
  }

  static OPTBN_INLINE void divide(const Real *share, const Real *message, Real *quotient,
                                  std::size_t levels, std::size_t width) {
    const Lanes zero = {}, normal = zero + std::numeric_limits<Real>::min();
    for (std::size_t i = 0; i < levels * kBlockRows; i += kBlockRows)
      for (std::size_t j = i; j < i + width; j += kLanes) {
        Lanes x, y;
        load(x, share + j);
        load(y, message + j);
        x = y >= normal ? x / y : zero;
        store(quotient + j, x);
      }
  }

  // Sixty-four bytes of rows are summed in parallel, and the lanes at the end.
  static OPTBN_INLINE void inner_products(const Real *a, std::size_t levels, const Real *b,
                                          std::size_t other_levels, Real *sums, std::size_t width) {
    constexpr std::size_t kSide = 64 / kBytes, kStep = kSide * kLanes;
    for (std::size_t i = 0; i < levels; ++i)
      for (std::size_t k = 0; k < other_levels; ++k) {
        const Real *const x = a + i * kBlockRows, *const y = b + k * kBlockRows;
        Lanes sum[kSide] = {};
        for (std::size_t j = 0; j < width; j += kStep)
          unrolled<kSide>([&](std::size_t s) OPTBN_ALWAYS {
            Lanes u, v, product;
            load(u, x + j + s * kLanes);
            load(v, y + j + s * kLanes);
            multiply(product, u, v);
            sum[s] += product;
          });
        Real lane[kStep];
        std::memcpy(lane, sum, sizeof lane);
        for (std::size_t half = kStep / 2; half > 0; half /= 2)
          for (std::size_t l = 0; l < half; ++l)
            lane[l] += lane[l + half];
        *sums++ = lane[0];
      }
  }
};

// The same source for other instructions.
#define OPTBN_BLOCK_KERNELS(Name, kBytes, TARGET)                                                  \
  template <class Real> struct Name {                                                              \
    using K = Kernels<Real, kBytes>;                                                               \
    using Exponent = typename BlockKernels<Real>::Exponent;                                        \
    using Left = typename BlockKernels<Real>::Left;                                                \
    using Least = typename BlockKernels<Real>::Least;                                              \
    TARGET static void product(Left a, const Real *b, Real *c, std::size_t rows,                   \
                               std::size_t inner, std::size_t width, std::size_t stride) {         \
      K::product(a, b, c, rows, inner, width, stride);                                             \
    }                                                                                              \
    TARGET static Least absorb(Real *belief, const Real *message, Real *peak, std::size_t levels,  \
                               std::size_t width) {                                                \
      return K::absorb(belief, message, peak, levels, width);                                      \
    }                                                                                              \
    TARGET static void scale(Real *belief, const Real *peak, Exponent *exponent,                   \
                             std::size_t levels, std::size_t width) {                              \
      K::scale(belief, peak, exponent, levels, width);                                             \
    }                                                                                              \
    TARGET static void divide(const Real *share, const Real *message, Real *quotient,              \
                              std::size_t levels, std::size_t width) {                             \
      K::divide(share, message, quotient, levels, width);                                          \
    }                                                                                              \
    TARGET static void inner_products(const Real *a, std::size_t levels, const Real *b,            \
                                      std::size_t other_levels, Real *sums, std::size_t width) {   \
      K::inner_products(a, levels, b, other_levels, sums, width);                                  \
    }                                                                                              \
    static constexpr BlockKernels<Real> all{product, absorb, scale, divide, inner_products};       \
  }

OPTBN_BLOCK_KERNELS(Plain, 16, );
#ifdef OPTBN_AVX2
OPTBN_BLOCK_KERNELS(Avx2, 32, OPTBN_AVX2);
OPTBN_BLOCK_KERNELS(Avx512, 64, OPTBN_AVX512);
#endif

} // namespace

template <class Real> const BlockKernels<Real> &plain_block_kernels() { return Plain<Real>::all; }

template <class Real> const BlockKernels<Real> &avx2_block_kernels() {
#ifdef OPTBN_AVX2
  if (has_avx2())
    return Avx2<Real>::all;
#endif
  return plain_block_kernels<Real>();
}

template <class Real> const BlockKernels<Real> &fastest_block_kernels() {
#ifdef OPTBN_AVX2
  if (has_avx512())
    return Avx512<Real>::all;
#endif
  return avx2_block_kernels<Real>();
}

template const BlockKernels<float> &plain_block_kernels();
template const BlockKernels<double> &plain_block_kernels();
template const BlockKernels<float> &avx2_block_kernels();
template const BlockKernels<double> &avx2_block_kernels();
template const BlockKernels<float> &fastest_block_kernels();
template const BlockKernels<double> &fastest_block_kernels();

} // namespace optbn
