// Mutual information of all pairs of columns, in natural log units.
//
//   discrete, discrete      sum over cells of p_ij log(p_ij / (p_i p_j)), p relative frequencies
//   otherwise               -log(1 - R^2) / 2, R^2 the fraction of a continuous column's variance
//                           explained by linear regression on the other, or by the group means of
//                           a discrete one
// The second is the first for normal columns (with one variance in all groups), and the gain in
// Gaussian log-likelihood per row. Never below 0; columns that determine one another linearly count
// as if a fraction of 2^-52 were unexplained. Weights are repeated rows. Where values are missing,
// that of a pair is of the rows that know both; 0 where none does.
// O(rows) for a pair; uses the threads of the watch's host.
#pragma once

#include "core/base/host.h"
#include "core/data/dataset.h"

#include <cstddef>
#include <vector>

namespace optbn {

struct MutualInformation {
  Node nodes = 0;
  std::vector<double> value; // [a nodes + b], symmetric, 0 on the diagonal

  const double *row(Node a) const { return value.data() + std::size_t{a} * nodes; }
  double operator()(Node a, Node b) const { return row(a)[b]; }
  void set(Node a, Node b, double information) {
    value[std::size_t{a} * nodes + b] = value[std::size_t{b} * nodes + a] = information;
  }
};

// Throws Interrupted or TimeLimitReached when the watch stops.
MutualInformation mutual_information(const Dataset &data, Watch &watch);

} // namespace optbn
