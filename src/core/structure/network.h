// Network: an acyclic choice of one candidate set per node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace optbn {

// choice[v] is the index of v's candidate set.
struct Network {
  std::vector<std::uint32_t> choice;
  double score = -std::numeric_limits<double>::infinity();

  bool empty() const { return choice.empty(); }
};

// Sums of a few thousand scores in different orders differ by less than this.
inline double rounding(double score) { return 1e-12 * std::max(1.0, std::abs(score)); }

} // namespace optbn
