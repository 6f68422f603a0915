#include "core/base/log_gamma.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {
constexpr std::uint64_t kTabulated = 1u << 14;
}

double log_gamma(double x) {
  // Γ(x) = Γ(x + m) / (x (x + 1) ... (x + m - 1)) lifts x to where Stirling's series has converged.
  double product = 1;
  while (x < 12) {
    product *= x;
    x += 1;
  }
  const double y = 1 / (x * x);
  const double series =
      (1.0 / 12 -
       y * (1.0 / 360 -
            y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * (691.0 / 360360)))))) /
      x;
  constexpr double half_log_two_pi = 0.91893853320467274178;
  return (x - 0.5) * std::log(x) - x + half_log_two_pi + series - std::log(product);
}

LogRising::LogRising(double a, std::uint64_t largest)
    : a_(a), log_gamma_a_(log_gamma(a)), table_(std::min(largest, kTabulated) + 1) {
  // Neumaier's compensated sum: rounding errors do not add up over thousands of terms.
  double sum = 0, lost = 0;
  for (std::size_t n = 1; n < table_.size(); ++n) {
    const double term = std::log(a + static_cast<double>(n - 1));
    const double next = sum + term;
    lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
    table_[n] = sum + lost;
  }
}

} // namespace optbn
