// Powers of two of lanes (see lanes.h).
#pragma once

#include "core/base/simd/lanes.h"

namespace optbn {

// result = 2^d for whole numbers d below 1000; 0 below -1022.
template <class Lanes> OPTBN_INLINE void power_of_two(Lanes &result, const Lanes &d) {
  typedef typename BitsOf<Lanes>::Unsigned Bits;
  Lanes least, clamped;
  fill(least, -1023);
  larger(clamped, d, least);
  clamped = clamped + (0x1p52 + 1023); // its last bits are d + 1023, the exponent of 2^d
  result = (Lanes)((Bits)clamped << 52);
}

} // namespace optbn
