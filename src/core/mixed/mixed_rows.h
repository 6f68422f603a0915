// Rows with missing values, each put to a conditional Gaussian network as a question of its own:
// for rows that lack too many discrete values beside continuous ones for completion/row_answers.h,
// which lists them.
#pragma once

#include "core/mixed/mixed_queries.h"

#include <Eigen/Core>

#include <vector>

namespace optbn {

// As the functions of completion/row_answers.h; rows may take so many bytes each.
std::vector<double> log_densities_by_queries(const Dataset &data, const MixedNetwork &network,
                                             double memory_limit, Watch &watch);
Eigen::MatrixXd posteriors_by_queries(const Dataset &data, const MixedNetwork &network, Node node,
                                      const std::vector<double> &values, double memory_limit,
                                      Watch &watch);

} // namespace optbn
