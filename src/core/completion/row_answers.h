// What a network says of rows, some of whose values are missing: exact, island by island.
#pragma once

#include "core/base/host.h"
#include "core/completion/mixed_network.h"

#include <Eigen/Core>

#include <vector>

namespace optbn {

// The log-density of what is known in every row; minus infinity where it is impossible.
std::vector<double> log_densities(const Dataset &data, const MixedNetwork &network, Watch &watch);

// The posterior of a node, whose own values are not looked at, given what is known of the others: a
// row for each row of the data, with the probability of each level of a discrete node; of a
// continuous one the mean, the standard deviation, and the density at the number of `values` in that
// row. Not a number where what is known is impossible.
Eigen::MatrixXd posteriors(const Dataset &data, const MixedNetwork &network, Node node,
                           const std::vector<double> &values, Watch &watch);

} // namespace optbn
