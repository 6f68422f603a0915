#include "core/density/cuts/cut_rules.h"

#include <algorithm>
#include <cmath>

namespace optbn {

std::vector<Node> without(std::vector<Node> scope, Node v) {
  scope.erase(std::find(scope.begin(), scope.end(), v));
  return scope;
}

std::vector<double> part_sizes(const PairCounts &counts, const Items &items, Node v) {
  std::vector<double> sizes(items.levels(v));
  level_counts(counts, items, v, sizes.data());
  return sizes;
}

bool all_above(const std::vector<double> &sizes, double least) {
  return std::all_of(sizes.begin(), sizes.end(), [&](double size) { return size > least; });
}

bool exceeds(double gain, double other) {
  if (std::isinf(other)) // the sum below would be NaN
    return gain > other;
  return gain > other + 1e-10 * std::max(1.0, std::abs(other));
}

} // namespace optbn
