// The weights of largest likelihood of a mixture with given components.
//
// The log-likelihood is concave in the weights, so every local maximum is global, and expectation-
// maximisation converges to it: w_c is multiplied by the mean over the rows of P_c(row) / P(row).
// These factors also bound the distance from the maximum: the mean log-likelihood can rise by the
// log of the largest of them at most (concavity; Lindsay 1983). Steps are extrapolated, two at a
// time, where that raises the likelihood (SQUAREM, Varadhan & Roland 2008, scheme S3).
//
// A step takes two multiplications for every row and component; numbers are stored in blocks of
// rows that fit into the cache.
#pragma once

#include "core/base/host.h"

#include <cstddef>
#include <vector>

namespace optbn {

struct MixtureWeights {
  std::vector<double> weights;
  double log_likelihood = 0; // mean over rows
};

// From equal weights, until the mean log-likelihood can rise by 1e-5 at most. `log_densities`: all
// rows for the first component, then for the second. `row_weights` may be empty. Rows that are
// impossible in all components have no influence. When the watch stops, the weights so far, which
// are never worse than equal ones.
MixtureWeights fit_weights(const std::vector<double> &log_densities, std::size_t components,
                           const std::vector<double> &row_weights, Watch &watch);

} // namespace optbn
