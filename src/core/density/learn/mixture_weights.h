// The weights of a mixture whose components are given: those under which some rows are most likely.
//
// The log-likelihood is concave in the weights, so its maximum is the only one, and expectation-
// maximisation climbs to it: w_c is multiplied by the mean over the rows of P_c(row) / P(row). That
// factor also tells how far the climb has got, for the mean log-likelihood can rise by log of the
// largest of them at most (concavity; Lindsay 1983). Steps are extrapolated, two at a time, where
// that raises the likelihood (SQUAREM, Varadhan & Roland 2008, scheme S3).
//
// A step takes two multiplications for every row and component; numbers lie in blocks of rows that
// fit into the cache.
#pragma once

#include "core/base/host.h"

#include <cstddef>
#include <vector>

namespace optbn {

struct MixtureWeights {
  std::vector<double> weights;
  double log_likelihood = 0; // mean by row
};

// From equal weights, until the mean log-likelihood can rise by 1e-5 at most. `log_densities`: all
// rows for the first component, then for the second. `row_weights` may be empty. Rows that no
// component can explain have no say. When the watch stops, the weights so far; they are never worse
// than equal ones.
MixtureWeights fit_weights(const std::vector<double> &log_densities, std::size_t components,
                           const std::vector<double> &row_weights, Watch &watch);

} // namespace optbn
