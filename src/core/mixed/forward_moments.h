// Mean and standard deviation of a continuous node whose discrete nodes have too many
// configurations together for a list of them.
//
// The regressions above the node are gone through, parents first, with a *state*: means and
// covariances of the continuous nodes that are still needed, given some discrete ones. A discrete
// node enters the state when a regression needs it. It leaves when none does any more and it is
// independent, given the others of the state, of all that are still to enter: then the moments
// given the others are means over its levels, the weak marginals of Lauritzen (1992, doi
// 10.1080/01621459.1992.10476265). A covariance that is a mean of several stays a sum of squares,
//   sum_z w_z (C_z C_z' + (m_z - m)(m_z - m)') = C C',  C = [sqrt(w_z) C_z, sqrt(w_z) (m_z - m)]_z,
// and C gets as many columns as rows by an orthogonal transformation. All moments are exact.
#pragma once

#include "core/mixed/absorption.h"

#include <functional>
#include <vector>

namespace optbn {

struct Moments {
  double mean = 0, sd = 0;
};

// `regressions`: of the node, the last one, and its continuous ancestors, parents first. `factors`:
// of the discrete nodes. `joint_of`: the probabilities of the cells of a table over discrete nodes.
// Throws MemoryLimit before a state that needs more bytes.
Moments
forward_moments(const std::vector<const ConditionalNormal *> &regressions,
                const std::vector<LogFactor> &factors, const std::vector<unsigned> &levels,
                const std::function<std::vector<double>(const std::vector<Node> &)> &joint_of,
                double memory_limit, Watch &watch);

} // namespace optbn
