#include "core/treewidth/codes/k_tree_sampling.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr std::size_t kReservoir = 200;
constexpr std::size_t kPairs = 200;

// With a bandwidth far above all distances, or when there is only one code, nearly every code is
// rejected; after so many rejections the last one is accepted.
constexpr unsigned kMostRejections = 100;

double square(int x) { return static_cast<double>(x) * x; }

} // namespace

double distance(const DandelionCode &a, const DandelionCode &b) {
  double q = 0, parents = 0, ranks = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    q += square(a.q[i] - b.q[i]);
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const int apart = std::abs(a.rows[i].parent - b.rows[i].parent);
    parents += square(std::min(apart, a.others() + 1 - apart));
    ranks += square(a.rows[i].rank - b.rows[i].rank);
  }
  return std::sqrt(q) + std::sqrt(parents) + std::sqrt(ranks);
}

double usual_bandwidth(Node nodes, unsigned k, Random &random) {
  std::vector<double> distances(kPairs);
  for (double &d : distances) {
    const DandelionCode one = random_code(nodes, k, random);
    d = distance(one, random_code(nodes, k, random));
  }
  const auto middle = distances.begin() + kPairs / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  const double below = *std::max_element(distances.begin(), middle);
  return (below + *middle) / 4;
}

double DistancePreferableSampler::density(const DandelionCode &code) const {
  if (reservoir_.empty())
    return 0;
  double sum = 0;
  for (const DandelionCode &other : reservoir_) {
    const double d = distance(code, other);
    sum += d > 0 ? std::exp(-d * d / (2 * bandwidth_ * bandwidth_)) : 1;
  }
  return sum / static_cast<double>(reservoir_.size());
}

DandelionCode DistancePreferableSampler::next(Random &random) {
  DandelionCode code = random_code(nodes_, k_, random);
  for (unsigned rejected = 0; rejected < kMostRejections; ++rejected) {
    if (random.uniform() >= density(code))
      break;
    code = random_code(nodes_, k_, random);
  }
  add_to_reservoir(code, random);
  return code;
}

void DistancePreferableSampler::add_to_reservoir(const DandelionCode &code, Random &random) {
  ++accepted_;
  if (reservoir_.size() < kReservoir) {
    reservoir_.push_back(code);
    return;
  }
  const auto slot = static_cast<std::size_t>(random.uniform() * static_cast<double>(accepted_));
  if (slot < kReservoir)
    reservoir_[slot] = code;
}

} // namespace optbn
