// Distance-preferable sampling: random k-trees at a distance from those drawn before.
//
// Nie et al. 2016, algorithm 1: a uniform Dandelion code is accepted with probability 1 - q, where
// q is the mean of exp(-d^2 / 2 h^2) over the codes accepted so far, d its distance to each
// (equations 9 to 12). We fix what the paper leaves open as follows.
//   Distance   |Q - Q'| + |p - p'| + |l - l'|, Euclidean norms of the sorted Q and of the two
//              columns of the rows; parents lie on a circle of m + 1 places ("the distance between
//              0 and n is 1"), a row on the root has rank 0.
//   Bandwidth  h is half the median distance of 200 random pairs, unless it is given. Distances
//              grow with n: at h = 1 nothing is ever rejected beyond a dozen nodes.
//   Memory     q is estimated from a uniform sample of 200 of the accepted codes, drawn by Vitter's
//              reservoir (doi 10.1145/3147.3165), so that the cost of a draw does not grow.
// A draw costs 200 distances of O(n) each: 10 to 50 times a uniform code. Not thread-safe.
#pragma once

#include "core/treewidth/codes/dandelion.h"

#include <cstddef>
#include <vector>

namespace optbn {

double distance(const DandelionCode &a, const DandelionCode &b);

// Half the median distance of 200 pairs of uniform codes.
double usual_bandwidth(Node nodes, unsigned k, Random &random);

class DistancePreferableSampler {
public:
  // bandwidth: 0 or more; nodes at least k + 2.
  DistancePreferableSampler(Node nodes, unsigned k, double bandwidth)
      : nodes_(nodes), k_(k), bandwidth_(bandwidth) {}

  DandelionCode next(Random &random);

  // The mean kernel at a code, 0 before anything is accepted: equation 9 over K(0).
  double density(const DandelionCode &code) const;

private:
  void add_to_reservoir(const DandelionCode &code, Random &random);

  Node nodes_;
  unsigned k_;
  double bandwidth_;
  std::size_t accepted_ = 0;
  std::vector<DandelionCode> reservoir_;
};

} // namespace optbn
