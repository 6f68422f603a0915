// Numbers kept as their natural logarithms: zero, and sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace optbn {

// The logarithm of a probability of 0, and the score of what is impossible.
constexpr double kLogZero = -std::numeric_limits<double>::infinity();

// log sum exp, from the first to the last; kLogZero for nothing.
inline double log_sum_exp(const double *logs, std::size_t size) {
  if (size == 1)
    return logs[0];
  double largest = kLogZero, sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    largest = std::max(largest, logs[i]);
  if (largest == kLogZero)
    return kLogZero;
  for (std::size_t i = 0; i < size; ++i)
    sum += std::exp(logs[i] - largest);
  return largest + std::log(sum);
}

// log(exp(a) + exp(b))
inline double log_add(double a, double b) {
  const double larger = std::max(a, b);
  return larger == kLogZero ? kLogZero : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

} // namespace optbn
