#include "core/score/table/nml_regret.h"

#include "core/base/log_gamma.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr std::uint64_t kMostRows = 1000;
constexpr double kMostLevels = 100;
constexpr std::uint64_t kTabulated = 1u << 14;
const double kLogPi = std::log(std::acos(-1.0));

// C(n, 2) for n up to `most`: the sum over i of binom(n, i) (i / n)^i ((n - i) / n)^(n - i).
std::vector<double> complexities_of_two(std::uint64_t most) {
  const NLogN n_log_n(most);
  std::vector<double> log_of_part, found; // log i^i / i!
  for (std::uint64_t n = 0; n <= most; ++n) {
    log_of_part.push_back(n_log_n(n) - log_gamma(static_cast<double>(n) + 1));
    double sum = 0;
    for (std::uint64_t i = 0; i <= n; ++i)
      sum += std::exp(log_of_part[i] + log_of_part[n - i] - log_of_part[n]);
    found.push_back(sum);
  }
  return found;
}

// For many rows of few levels.
double approximation_in_rows(double n, double k) {
  const double half = k / 2;
  const double ratio = std::exp(log_gamma(half) - log_gamma(half - 0.5));
  const double term = std::sqrt(0.5) - ratio * k / 3 / std::sqrt(n);
  return (half - 0.5) * std::log(n / 2) + kLogPi / 2 - log_gamma(half) + 0.5 - term * term +
         (3 + k * (k - 2) * (2 * k + 1)) / (36 * n);
}

// For many levels.
double approximation_in_levels(double n, double k) {
  const double a = k / n, root = std::sqrt(1 + 4 / a), c = (1 + root) / 2;
  const double log_c = std::log1p(2 / a / (1 + root));
  return n * (std::log(a) + (a + 2) * log_c - 1 / c) - std::log(c + 2 / a) / 2;
}

} // namespace

NmlRegret::NmlRegret(std::uint64_t rows)
    : of_two_(complexities_of_two(std::min(rows, kMostRows))) {}

double NmlRegret::operator()(std::uint64_t n, double k) const {
  if (n == 0 || k == 1)
    return 0;
  if (n == 1)
    return std::log(k);
  const auto rows = static_cast<double>(n);
  if (n > kMostRows || k > kMostLevels) {
    const double in_levels = approximation_in_levels(rows, k);
    // (Where levels are more than rows, it is the smaller one, and the other one loses all digits.)
    return k > rows ? in_levels : std::min(approximation_in_rows(rows, k), in_levels);
  }
  double before = 1, now = of_two_[n]; // of one level less
  for (unsigned levels = 3; levels <= k; ++levels) {
    const double next = now + rows / (levels - 2) * before;
    before = now;
    now = next;
  }
  return std::log(now);
}

RegrettedCount::RegrettedCount(const NmlRegret &regret, double levels, std::uint64_t most)
    : regret_(regret), levels_(levels) {
  for (std::uint64_t n = 0; n <= std::min(most, kTabulated); ++n)
    table_.push_back(compute(n));
}

double RegrettedCount::compute(std::uint64_t n) const { return n_log_n_(n) + regret_(n, levels_); }

} // namespace optbn
