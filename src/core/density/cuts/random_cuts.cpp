// A random cut, with probability proportional to the variance of the variable on the slice: p (1 -
// p), or 1 - sum of p^2 if there are more levels, which for two levels is twice as much.
#include "core/density/cuts/cut_rules.h"

#include <algorithm>
#include <cmath>

namespace optbn {

Node random_cut(const PairCounts &counts, const std::vector<Node> &scope, const Items &items,
                Random &random) {
  std::vector<double> cumulated; // sums of the variances
  double sum = 0;
  for (const Node v : scope) {
    const std::vector<double> sizes = part_sizes(counts, items, v);
    double variance = 0;
    if (all_above(sizes, 0)) {
      for (const double size : sizes)
        variance += size / counts.total * (1 - size / counts.total);
    }
    cumulated.push_back(sum += variance);
  }
  if (sum <= 0)
    return kNoCut;
  const double drawn = std::min(random.uniform() * sum, std::nextafter(sum, 0.0));
  const auto position = std::upper_bound(cumulated.begin(), cumulated.end(), drawn);
  return scope[static_cast<std::size_t>(position - cumulated.begin())];
}

} // namespace optbn
