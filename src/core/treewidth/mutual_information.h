// Mutual information: how much one column tells about another, for all pairs, in natural log units.
//
//   discrete, discrete      sum over cells of p_ij log(p_ij / (p_i p_j)), p relative frequencies
//   otherwise               -log(1 - R^2) / 2, R^2 the share of a continuous column's variance that
//                           a line in the other explains, or the group means of a discrete one
// The second is the first for normal columns (with one variance in all groups), and what a Gaussian
// log-likelihood gains a row. Never below 0; columns that determine one another linearly count as
// if a share of 2^-52 was left. Weights are repeated rows.
// O(rows) a pair; uses the threads of the watch's host.
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
