// The binomial coefficient, in floating point: for sizes and forecasts, which may exceed integers.
#pragma once

namespace optbn {

inline double binomial(double n, double k) {
  double product = 1;
  for (double i = 0; i < k; ++i)
    product *= (n - i) / (i + 1);
  return product;
}

} // namespace optbn
