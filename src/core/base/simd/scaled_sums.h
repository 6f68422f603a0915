// Sums and products of numbers whose logarithms do not fit into the exponent of a double: weights
// of networks, which may differ by factors of e^10000 and matter all the same.
//
// A *scaled* number is value * 2^exponent. The exponent is a whole number, kept as a double, and
// kNoExponent for zero; the value is 0 or at least 1, and less than 2^900. Sums are aligned at the
// larger exponent: what is 2^1022 times smaller is lost.
//
// A packed number holds both in 64 bits, with 42 bits of the value: products of a hundred of them
// keep 1e-11. What is less than 2^-4190000 is packed as that.
//
// There is one source for three instruction sets (lanes.h), which give the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace optbn {

constexpr double kNoExponent = -0x1p40;

struct Scaled {
  double value = 0, exponent = kNoExponent;

  // exp(log), with a value of at least 1 and less than 2.
  static Scaled of_log(double log) {
    if (log == -std::numeric_limits<double>::infinity())
      return {};
    const double exponent = std::floor(log * 0x1.71547652b82fep0);
    // (The multiple of log 2 in two parts, the first of which is exact.)
    const double rest = log - exponent * 0x1.62e42fefap-1 - exponent * 0x1.cf79abc9e3b39p-40;
    return {std::exp(rest), exponent};
  }

  double log() const { return std::log(value) + exponent * 0x1.62e42fefa39efp-1; }

  Scaled &operator+=(const Scaled &other) {
    const double larger = exponent < other.exponent ? other.exponent : exponent;
    value = value * power_of_two(exponent - larger) +
            other.value * power_of_two(other.exponent - larger);
    exponent = larger;
    return *this;
  }

  // For exponents of at most 1000; 0 below -1022.
  static double power_of_two(double exponent) {
    const auto bits = static_cast<std::uint64_t>(std::max(exponent, -1023.0) + 1023) << 52;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    return power;
  }
};

using Packed = std::uint64_t;

Scaled unpacked(Packed packed);

// Arrays of scaled numbers, with values and exponents apart, of kScaledLanes numbers or a multiple.
// Those over the subsets of some elements are indexed by bit masks.
constexpr std::size_t kScaledLanes = 8;

struct ScaledSums {
  // (sum, of_sum)[i] += (x, of_x)[i] * (y, of_y)[i]
  void (*add_products)(double *sum, double *of_sum, const double *x, const double *of_x,
                       const double *y, const double *of_y, std::size_t size);
  // The same of packed x.
  void (*add_packed_products)(double *sum, double *of_sum, const Packed *x, const double *y,
                              const double *of_y, std::size_t size);
  void (*pack)(Packed *to, const double *value, const double *exponent, std::size_t size);
  void (*unpack)(double *value, double *exponent, const Packed *from, std::size_t size);
  // value[T] = the sum over all S inside T (Yates 1937), where exponent[S] <= exponent[T].
  void (*sum_subsets)(double *value, const double *exponent, unsigned bits);
  // The transpose of that map, for numbers of the exponents -exponent: the sum over all T around S.
  void (*sum_supersets)(double *value, const double *exponent, unsigned bits);
  // to[i] = x[i] * y[i] * 2^(of_x[i] + of_y[i] + shift[i] - scale), which is less than 2^900.
  void (*products)(double *to, const double *x, const double *of_x, const double *y,
                   const double *of_y, const double *shift, double scale, std::size_t size);
};

// The kernels that this machine can run, the fastest last; all give the same bits.
std::vector<ScaledSums> all_scaled_sums();

} // namespace optbn
