// Natural logarithms of lanes (see lanes.h), the same bits on every instruction set.
//
// x = 2^k m with m between sqrt(1/2) and sqrt(2), and log m = 2 artanh(s), s = (m - 1) / (m + 1),
// by its power series: s^2 < 0.03, so that nine terms leave a relative error below 1e-15. For
// normal numbers above 0; the result for 0 is finite, so that 0 log 0 = 0.
#pragma once

#include "core/base/simd/lanes.h"

#include <cstdint>

namespace optbn {

// sum = sum * x + coefficient
template <class Lanes>
OPTBN_INLINE void horner_step(Lanes &sum, const Lanes &x, double coefficient) {
  multiply(sum, sum, x);
  sum = sum + coefficient;
}

template <class Lanes> OPTBN_INLINE void logarithm(Lanes &result, const Lanes &x) {
  typedef typename BitsOf<Lanes>::Type Bits;
  typedef typename BitsOf<Lanes>::Unsigned Unsigned;
  constexpr std::int64_t kOne = 0x3ff0000000000000, kRootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr std::int64_t kExponent = 0x7ff0000000000000, kTwo52 = 0x4330000000000000;
  // With the exponent stepping up at sqrt(1/2) 2^k in place of 2^k.
  const Bits shifted = (Bits)x + (kOne - kRootOfHalf);
  const Bits power = shifted & kExponent; // k + 1023, as an exponent
  const Lanes m = (Lanes)((Bits)x - (power - kOne));
  const Lanes k = (Lanes)((Bits)((Unsigned)power >> 52) | kTwo52) - (0x1p52 + 1023);

  const Lanes s = (m - 1.0) / (m + 1.0);
  Lanes z, sum, term;
  multiply(z, s, s);
  fill(sum, 1.0 / 17);
  horner_step(sum, z, 1.0 / 15);
  horner_step(sum, z, 1.0 / 13);
  horner_step(sum, z, 1.0 / 11);
  horner_step(sum, z, 1.0 / 9);
  horner_step(sum, z, 1.0 / 7);
  horner_step(sum, z, 1.0 / 5);
  horner_step(sum, z, 1.0 / 3);
  Lanes of_m, cubic, of_k;
  multiply(term, sum, z);
  multiply(cubic, term, s);
  of_m = s + cubic;
  fill(term, 0x1.62e42fefa39efp-1); // log 2
  multiply(of_k, k, term);
  result = (of_m + of_m) + of_k;
}

} // namespace optbn
