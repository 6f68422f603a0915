// The prior of trees: every leaf costs log gamma, and the trees of one parent set sum to one.
//
// With C splits open at a node, gamma = 1/(4 C); log c = -log z(root), where z sums gamma^leaves
// over all trees, including those that split regions without rows (Talvitie et al. 2018, section
// 3.1 and footnote 2). z depends only on how far each predictor can still be split, t:
//     z(t) = gamma + sum over dyadic u, t_u > 0, of z(t_u := t_u - 1)^2
//                  + sum over ordinal u, i = 1..t_u, of z(t_u := i - 1) z(t_u := t_u - i)
//                  + sum over categorical u, m = 1..t_u, of binom(t_u, m) z(t_u - m) z(m - 1)
// (levels left minus one for the last two). Worked in units of gamma, where z lies between 1 and 2.
#pragma once

#include "core/score/local_structure/tree_axis.h"

#include <vector>

namespace optbn {

struct TreePrior {
  double log_leaf = 0; // log gamma
  double log_norm = 0; // log c
};

// Depends on the kind and the extent of every predictor.
TreePrior tree_prior(const std::vector<const TreeAxis *> &axes);

} // namespace optbn
