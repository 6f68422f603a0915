#include "core/score/local_structure/leaf.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {
constexpr std::uint64_t kTabulated = 1u << 14;
constexpr double kPi = 3.14159265358979323846;
} // namespace

NormalLeaves::NormalLeaves(const LeafPrior &prior, std::uint64_t largest)
    : nu_(prior.nu), nu_lambda_(prior.nu * prior.lambda), mu_(prior.mu), a_(prior.a),
      constant_part_(prior.nu / 2 * std::log(nu_lambda_) - log_gamma(prior.nu / 2)) {
  constant_.resize(std::min(largest, kTabulated) + 1);
  for (std::size_t n = 0; n < constant_.size(); ++n)
    constant_[n] = compute_constant(static_cast<double>(n));
}

double NormalLeaves::compute_constant(double n) const {
  return constant_part_ - n / 2 * std::log(kPi) + std::log(a_ / (n + a_)) / 2 +
         log_gamma((n + nu_) / 2);
}

} // namespace optbn
